/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Features of a queue: the twelve numbers from 0 to 1 that the agent sees.
 *
 * Source: Yan et al., "ACC: Automatic ECN Tuning for High-Speed Datacenter Networks",
 * SIGCOMM 2021, section 3.3, State.  The paper names four features and three
 * intervals and says that they are normalised; it does not say how.
 *
 *   in the paper     here
 *   qlen             FEATURE_QLEN: log2(1 + delay / 1.6 us) / 11 of the mean delay in the interval
 *   txRate           FEATURE_TX: utilisation of the link
 *   txRate(m)        FEATURE_MARKED: the part of it that was marked
 *   ECN(c)           FEATURE_ECN: place of the template in force, among templates sorted by level
 *   k                FEATURE_INTERVALS
 *
 * The mean delay is the time that the link needs for the mean backlog, which comes from
 * the exact integral of the backlog.  Its logarithm is piecewise linear between powers
 * of two: the position of the highest bit, and the bits behind it.  So all is computed in
 * integers, parts of 65536, and each feature is one of 65537 values.
 */
#ifndef ACC_FEATURE_H
#define ACC_FEATURE_H

#include <stdbool.h>
#include <stdint.h>

/* Parts of 1. */
#define FEATURE_ONE	65536U

/* Bytes of a frame that no counter has: checksum, preamble, and the gap between frames. */
#define FEATURE_OVERHEAD_BYTES	24

/* Delays are distinguished from about this on, and up to 2047 times it. */
#define FEATURE_DELAY_UNIT_NS	1600
#define FEATURE_DELAY_OCTAVES	11

/* Intervals that the agent sees. */
#define FEATURE_INTERVALS	3

/**
 * enum feature - numbers of an interval
 * @FEATURE_QLEN: mean delay, logarithmic
 * @FEATURE_TX: utilisation
 * @FEATURE_MARKED: utilisation by packets that were marked
 * @FEATURE_ECN: the template in force
 * @FEATURE_NR: how many
 */
enum feature {
	FEATURE_QLEN,
	FEATURE_TX,
	FEATURE_MARKED,
	FEATURE_ECN,
	FEATURE_NR,
};

#define FEATURE_STATE	(FEATURE_INTERVALS * FEATURE_NR)

/**
 * struct feature_interval - what a queue's counters grew by in an interval
 * @length_ns: how long the interval was, 1 to 2^40
 * @rate_bps: rate of the link, 1 to 2^40
 * @tx_packets: packets that left, below 2^40, as the next ones
 * @tx_bytes: bytes that left
 * @marked_packets: packets that were marked
 * @marked_bytes: their bytes
 * @backlog_byte_us: integral of the backlog, below 2^60
 */
struct feature_interval {
	uint64_t length_ns;
	uint64_t rate_bps;
	uint64_t tx_packets;
	uint64_t tx_bytes;
	uint64_t marked_packets;
	uint64_t marked_bytes;
	uint64_t backlog_byte_us;
};

/**
 * struct feature_window - the state that the agent sees: the last intervals, the oldest first
 * @value: their features
 * @intervals: how many there were, at most FEATURE_INTERVALS
 */
struct feature_window {
	float value[FEATURE_STATE];
	uint32_t intervals;
};

/**
 * feature_delay_ns() - mean delay
 * @x: an interval
 *
 * Return: the time that the link needs for the mean backlog, ns; at most 2^62.
 */
uint64_t feature_delay_ns(const struct feature_interval *x);

/**
 * feature_utilisation() - how busy the link was
 * @x: an interval
 *
 * Return: parts of FEATURE_ONE, at most that.
 */
uint32_t feature_utilisation(const struct feature_interval *x);

/**
 * feature_marked() - how busy the link was with packets that were marked
 * @x: an interval
 *
 * Return: parts of FEATURE_ONE, at most that.
 */
uint32_t feature_marked(const struct feature_interval *x);

/**
 * feature_marked_fraction() - which part of the bytes was marked
 * @x: an interval
 *
 * Return: parts of FEATURE_ONE, at most that; 0 if nothing left.
 */
uint32_t feature_marked_fraction(const struct feature_interval *x);

/**
 * feature_qlen() - a delay as the agent sees it
 * @delay_ns: the delay
 *
 * Return: parts of FEATURE_ONE, at most that.
 */
uint32_t feature_qlen(uint64_t delay_ns);

/**
 * feature_push() - the window moves on by an interval
 * @w: the window; zeroed at first
 * @x: the interval
 * @template: place of the template that was in force, 0 to @last
 * @last: place of the last template, above 0
 */
void feature_push(struct feature_window *w, const struct feature_interval *x, uint32_t template,
		  uint32_t last);

/**
 * feature_is_full() - are there enough intervals to decide by?
 * @w: the window
 *
 * Return: true if there are.
 */
static inline bool feature_is_full(const struct feature_window *w)
{
	return w->intervals == FEATURE_INTERVALS;
}

#endif /* ACC_FEATURE_H */
