/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Coded probes: of the pairs of a window and direction, those that arrived as
 * far apart as they were sent (Geng et al. 2018, coded probes; On-Ramp 3.3;
 * the adaptive tolerance is not from the papers).
 *
 * Spacings are measured, never taken as commanded.  A tolerance that is too narrow
 * is worse than none, as under load the pairs that queued together keep their
 * spacing.  So eps is what keeps a quarter of the pairs and at least 20 of
 * them, or its least value if that keeps more.  An upper limit would never hold
 * in addition to the quarter, so there is none.
 */
#ifndef HUYGENS_PAIR_FILTER_H
#define HUYGENS_PAIR_FILTER_H

#include <stddef.h>

#include "sample.h"

/* Least eps where nothing else is configured. */
#define PAIR_FILTER_LEAST_SOFTWARE_NS	2000
#define PAIR_FILTER_LEAST_HARDWARE_NS	200

/* So many pairs are kept in any case, or a quarter if that is more. */
#define PAIR_FILTER_KEEP		20

/**
 * struct pair_filter_params - how strict
 * @least_ns: least eps, 0 or more
 * @coded: false: all pairs are kept
 */
struct pair_filter_params {
	int64_t least_ns;
	bool coded;
};

/**
 * struct pair_filter_pair - the stamps of both probes of a pair
 * @tx_ns: by the sender's clock, any values
 * @rx_ns: by the receiver's clock, any values
 */
struct pair_filter_pair {
	int64_t tx_ns[2];
	int64_t rx_ns[2];
};

/**
 * struct pair_filter_result - what became of the pairs
 * @eps_ns: the tolerance that was used
 * @accepted: pairs kept
 * @rejected: pairs that it rejected
 * @absurd: pairs rejected for times outside +-LINE_MOST_NS
 * @samples: samples made of the accepted ones, 2 each
 */
struct pair_filter_result {
	int64_t eps_ns;
	uint32_t accepted;
	uint32_t rejected;
	uint32_t absurd;
	uint32_t samples;
};

/**
 * pair_filter_defaults() - the parameters of 1.4
 * @hardware: the pairs have hardware stamps
 *
 * Return: with @coded set.
 */
struct pair_filter_params pair_filter_defaults(bool hardware);

/**
 * pair_filter_apply() - keep the accepted pairs of one direction and window
 * @p: how strict
 * @pair: the pairs, in any order
 * @pairs: how many
 * @owner_sent: the edge's owner sent them
 * @scratch: space for @pairs numbers
 * @sample: space for 2 x @pairs samples; both probes of an accepted pair go there,
 *	in the order of @pair
 *
 * Return: what became of them; @samples says how many @sample has.
 */
struct pair_filter_result pair_filter_apply(const struct pair_filter_params *p,
					    const struct pair_filter_pair *pair, uint32_t pairs,
					    bool owner_sent, int64_t *scratch,
					    struct sample *sample);

#endif /* HUYGENS_PAIR_FILTER_H */
