/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An episode: a scenario of the model under a policy, interval by interval, and how good it was.
 *
 * The cost of an episode is J: half the logarithm of the mean completion time of short flows,
 * plus half that of large ones; where endless flows are, their goodput stands in the place of
 * large flows' time.  A difference d of J is a ratio e^d of times.  Flows are short up to 100 kB
 * and large from 10 MB on, as in the laboratory.
 */
#ifndef ACC_TRAIN_EPISODE_H
#define ACC_TRAIN_EPISODE_H

#include <stdint.h>

#include "policy.h"
#include "sim.h"

#define EPISODE_SHORT_BYTES	100000ULL
#define EPISODE_LARGE_BYTES	10000000ULL

/* How long it may take until all flows have ended, in durations. */
#define EPISODE_DRAIN		10

/**
 * struct episode_times - when a policy decides
 * @interval_ns: from one decision to the next, above 0
 * @delay_ns: from a decision until the port has its setting, at most @interval_ns
 */
struct episode_times {
	uint64_t interval_ns;
	uint64_t delay_ns;
};

/**
 * struct episode_result - how good it was
 * @cost: J, parts of 2^32
 * @reward: mean of each form, by enum reward
 * @short_ns: mean completion time of short flows, 0: none ended
 * @large_ns: the same of large ones
 * @all_ns: the same of all
 * @endless_bps: goodput of endless flows, sum
 * @delay_ns: mean delay in the queue
 * @utilisation: of the link, parts of FEATURE_ONE
 * @marked: part of the bytes, parts of FEATURE_ONE
 * @drops: packets
 * @unfinished: flows that had not ended
 * @flows: flows that ended
 * @changes: how often the setting was changed
 * @decisions: of a network
 * @taken: how often a network took each action
 * @seen: sum of each feature of the newest interval, as a network saw it
 */
struct episode_result {
	int64_t cost;
	double reward[REWARD_NR];
	uint64_t short_ns;
	uint64_t large_ns;
	uint64_t all_ns;
	uint64_t endless_bps;
	uint64_t delay_ns;
	uint32_t utilisation;
	uint32_t marked;
	uint64_t drops;
	uint32_t unfinished;
	uint32_t flows;
	uint32_t changes;
	uint64_t decisions;
	uint64_t taken[TEMPLATE_NR];
	double seen[FEATURE_NR];
};

/**
 * episode_run() - run it
 * @x: the scenario; the program ends with a message if it is not valid
 * @times: when it decides
 * @policy: which setting when
 * @result: filled
 */
void episode_run(const struct scenario *x, const struct episode_times *times,
		 struct policy *policy, struct episode_result *result);

/**
 * episode_interval() - what a port did since the last time
 * @now: its counters
 * @past: its counters then; replaced by @now
 * @length_ns: time since then
 * @rate_bps: of its link
 *
 * Return: the interval.
 */
struct feature_interval episode_interval(const struct bottleneck_count *now,
					 struct bottleneck_count *past, uint64_t length_ns,
					 uint64_t rate_bps);

/**
 * episode_open() - a run of a scenario that must be valid
 * @s: filled
 * @x: the scenario; the program ends with a message if it is not
 */
void episode_open(struct sim *s, const struct scenario *x);

#endif /* ACC_TRAIN_EPISODE_H */
