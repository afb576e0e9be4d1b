/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The guard of a tuned queue: back to its static setting where tuning does harm.
 *
 * Own design; the paper has none.  There are two ways back.
 *
 * Triggers act at once, in an interval in which the queue was tuned: drops; nearly all
 * packets marked while the link is mostly idle, for some intervals; a mean delay of a
 * multiple of the static setting's.  Both means are of the last GUARD_DELAY_SPAN intervals
 * or so in which the link was at least half used: without traffic any setting has no delay.
 * At a low load most of these have no delay either, and one flow's slow start has
 * 1 ms for 20 intervals under any setting, so that a mean of fewer is chance.
 *
 * A comparison by switchback shows slow harm.  Time is divided into blocks, and blocks
 * into rounds of 1 / share blocks each.  One block of a round, by chance, is static, and
 * the others are tuned.  The first intervals of a block, which still show the one before
 * it, do not count.  Each round has a difference of mean rewards, tuned minus static.
 * The differences of the last n rounds, at most GUARD_PAIRS, have a mean and a standard
 * error SE.  Tuning is worse if mean + 3 SE < 0 with GUARD_PAIRS rounds.  It is 3 and
 * not 2 since the comparison is made anew after each round, for ever.  Great harm shows
 * earlier: from GUARD_PAIRS_LEAST rounds on tuning is worse if
 * mean + 3 SE sqrt(GUARD_PAIRS / n) < 0, the boundary of a group sequential test
 * (O'Brien and Fleming, Biometrics 1979), which makes early looks cost few false alarms.
 *
 * Either way the queue is static for a hold-off time, which doubles with each fallback up
 * to a limit. After a hold-off and a time of that limit without a fallback it is the first
 * one again.
 */
#ifndef ACC_GUARD_H
#define ACC_GUARD_H

#include <stdbool.h>
#include <stdint.h>

#define GUARD_BLOCK		100
#define GUARD_SKIP		10
#define GUARD_PAIRS		30
#define GUARD_PAIRS_LEAST	6

#define GUARD_HOLDOFF_NS	(600ULL * 1000000000)
#define GUARD_HOLDOFF_MOST_NS	(86400ULL * 1000000000)

/*
 * Marks: more than this part of the bytes, below this utilisation, in parts of FEATURE_ONE.
 * From there on an interval's delay counts.
 */
#define GUARD_MARKED		(65536 * 9 / 10)
#define GUARD_UTILISATION	(65536 / 2)
#define GUARD_MARKED_RUN	3

/* Delay: more than this multiple of the static setting's, in the mean; short means never count. */
#define GUARD_DELAY_FACTOR	4
#define GUARD_DELAY_LEAST_NS	100000ULL
#define GUARD_DELAY_SPAN	256

/**
 * enum guard_verdict - what an interval led to
 * @GUARD_KEEP: nothing
 * @GUARD_DROPS: fallback: packets were dropped
 * @GUARD_MARKS: fallback: nearly all was marked, and the link not used
 * @GUARD_DELAY: fallback: a multiple of the static setting's delay
 * @GUARD_COMPARISON: fallback: static blocks were better
 * @GUARD_NR: how many
 */
enum guard_verdict {
	GUARD_KEEP,
	GUARD_DROPS,
	GUARD_MARKS,
	GUARD_DELAY,
	GUARD_COMPARISON,
	GUARD_NR,
};

/**
 * struct guard_params - settings of a guard
 * @share_ppm: part of the blocks that are static, 0 to 500000; 0: no comparison
 * @holdoff_ns: first hold-off, above 0
 * @holdoff_most_ns: longest one, not below @holdoff_ns, below 2^62
 */
struct guard_params {
	uint32_t share_ppm;
	uint64_t holdoff_ns;
	uint64_t holdoff_most_ns;
};

/**
 * struct guard_sum - rewards of one arm, since the last pair
 * @sum: of rewards
 * @count: how many
 */
struct guard_sum {
	double sum;
	uint32_t count;
};

/**
 * struct guard_mean - mean delay of one arm while the link was used
 * @ns: the mean, of all intervals up to GUARD_DELAY_SPAN, then smoothed
 * @count: intervals, at most GUARD_DELAY_SPAN; below that the mean is not known yet
 */
struct guard_mean {
	double ns;
	uint32_t count;
};

/**
 * struct guard_vars - state of a guard
 * @is_static: the present block, or the hold-off, is static
 * @holding: hold-off: until @until_ns
 * @until_ns: end of the present or the last hold-off; 0: there was none
 * @holdoff_ns: the next hold-off
 * @position: intervals of the present block that are over
 * @left: blocks of the present round that have not begun
 * @due: the static block of the present round is among them
 * @marked_run: intervals in a row that the marks' trigger counts
 * @static_delay: mean delay while static
 * @tuned_delay: mean delay while tuned, since the last fallback
 * @tuned: rewards of tuned blocks
 * @fixed: rewards of the static block
 * @difference: of the last rounds, a ring
 * @pairs: rounds that there were, at most GUARD_PAIRS
 * @next: place of the next round in the ring
 */
struct guard_vars {
	bool is_static;
	bool holding;
	uint64_t until_ns;
	uint64_t holdoff_ns;
	uint32_t position;
	uint32_t left;
	bool due;
	uint32_t marked_run;
	struct guard_mean static_delay;
	struct guard_mean tuned_delay;
	struct guard_sum tuned;
	struct guard_sum fixed;
	double difference[GUARD_PAIRS];
	uint32_t pairs;
	uint32_t next;
};

/**
 * struct guard_interval - an interval, as the guard sees it
 * @now_ns: its end, monotone
 * @drops: packets dropped in it
 * @delay_ns: feature_delay_ns()
 * @utilisation: feature_utilisation()
 * @marked_fraction: feature_marked_fraction()
 * @reward: of the interval
 * @random: 32 random bits
 */
struct guard_interval {
	uint64_t now_ns;
	uint64_t drops;
	uint64_t delay_ns;
	uint32_t utilisation;
	uint32_t marked_fraction;
	float reward;
	uint32_t random;
};

/**
 * guard_begin() - a queue comes under the guard
 * @p: settings
 * @v: filled; the first block is tuned
 */
void guard_begin(const struct guard_params *p, struct guard_vars *v);

/**
 * guard_note_static() - an interval before the first block is over
 * @v: state
 * @x: the interval, under the static setting
 */
void guard_note_static(struct guard_vars *v, const struct guard_interval *x);

/**
 * guard_on_interval() - an interval is over
 * @p: settings
 * @v: state; @v->is_static then says how the next interval is to be
 * @x: the interval
 *
 * Return: GUARD_KEEP, or why the queue is static from now on.
 */
enum guard_verdict guard_on_interval(const struct guard_params *p, struct guard_vars *v,
				     const struct guard_interval *x);

/**
 * guard_is_worse() - the comparison
 * @v: state
 *
 * Return: true if the last rounds say that tuning is worse.
 */
bool guard_is_worse(const struct guard_vars *v);

#endif /* ACC_GUARD_H */
