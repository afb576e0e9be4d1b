/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Coded probes: of the pairs of a window and direction, those that arrived as
 * far apart as they were sent (Geng et al. 2018, coded probes; On-Ramp 3.3;
 * that the guard adapts is ours).
 *
 * Spacings are measured, never taken as commanded.  A guard that is too narrow
 * is worse than none, as under load the pairs that queued together keep their
 * spacing.  So eps is what keeps a quarter of the pairs and at least 20 of
 * them, or its least value if that keeps more.  An upper limit would never hold
 * beside the quarter, so there is none.
 */
#ifndef HUYGENS_GUARD_H
#define HUYGENS_GUARD_H

#include <stddef.h>

#include "sample.h"

/* Least eps where nothing else is configured. */
#define GUARD_LEAST_SOFTWARE_NS	2000
#define GUARD_LEAST_HARDWARE_NS	200

/* So many pairs are kept in any case, or a quarter if that is more. */
#define GUARD_KEEP		20

/**
 * struct guard_params - how strict
 * @least_ns: least eps, 0 or more
 * @coded: false: all pairs are kept
 */
struct guard_params {
	int64_t least_ns;
	bool coded;
};

/**
 * struct guard_pair - the stamps of both probes of a pair
 * @tx_ns: by the sender's clock, any values
 * @rx_ns: by the receiver's clock, any values
 */
struct guard_pair {
	int64_t tx_ns[2];
	int64_t rx_ns[2];
};

/**
 * struct guard_result - what became of the pairs
 * @eps_ns: the guard that was used
 * @pure: pairs kept
 * @impure: pairs that it rejected
 * @absurd: pairs rejected for times outside +-LINE_MOST_NS
 * @samples: samples made of the pure ones, 2 each
 */
struct guard_result {
	int64_t eps_ns;
	uint32_t pure;
	uint32_t impure;
	uint32_t absurd;
	uint32_t samples;
};

/**
 * guard_defaults() - the parameters of 1.4
 * @hardware: the pairs have hardware stamps
 *
 * Return: with @coded set.
 */
struct guard_params guard_defaults(bool hardware);

/**
 * guard_filter() - keep the pure pairs of one direction and window
 * @p: how strict
 * @pair: the pairs, in any order
 * @pairs: how many
 * @owner_sent: the edge's owner sent them
 * @scratch: room for @pairs numbers
 * @sample: room for 2 x @pairs samples; both probes of a pure pair go there,
 *	in the order of @pair
 *
 * Return: what became of them; @samples says how many @sample has.
 */
struct guard_result guard_filter(const struct guard_params *p,
				 const struct guard_pair *pair, uint32_t pairs,
				 bool owner_sent, int64_t *scratch,
				 struct sample *sample);

#endif /* HUYGENS_GUARD_H */
