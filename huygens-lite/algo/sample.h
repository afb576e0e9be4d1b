/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One probe's sample of two clocks.
 *
 * The delay of a probe by two clocks, rx - tx, is the true delay and the
 * clocks' difference: theta + d from the edge's owner i to j, -theta + d from j
 * to i, where theta is clock j - clock i.  So in both directions the lowest
 * delays are the best, and one code serves both.
 */
#ifndef HUYGENS_SAMPLE_H
#define HUYGENS_SAMPLE_H

#include <stdbool.h>
#include <stdint.h>

#include "line.h"

/**
 * struct sample - one probe
 * @at_ns: when, in the local time of the edge's owner: its Tx stamp from i to
 *	j, its Rx stamp from j to i; within +-LINE_MOST_NS
 * @delay_ns: Rx stamp - Tx stamp, each by its own host's clock; within
 *	+-LINE_MOST_NS
 */
struct sample {
	int64_t at_ns;
	int64_t delay_ns;
};

/**
 * sample_make() - a sample of two stamps
 * @tx_ns: Tx stamp by the sender's clock, any value
 * @rx_ns: Rx stamp by the receiver's clock, any value
 * @owner_sent: the edge's owner is the sender
 * @s: gets the sample
 *
 * Return: false, and @s is left alone, if a time or their difference is
 * outside +-LINE_MOST_NS.
 */
static inline bool sample_make(int64_t tx_ns, int64_t rx_ns, bool owner_sent,
			       struct sample *s)
{
	int64_t at_ns = owner_sent ? tx_ns : rx_ns;
	int64_t delay_ns;

	if (__builtin_sub_overflow(rx_ns, tx_ns, &delay_ns) ||
	    delay_ns > LINE_MOST_NS || delay_ns < -LINE_MOST_NS ||
	    at_ns > LINE_MOST_NS || at_ns < -LINE_MOST_NS)
		return false;
	s->at_ns = at_ns;
	s->delay_ns = delay_ns;
	return true;
}

#endif /* HUYGENS_SAMPLE_H */
