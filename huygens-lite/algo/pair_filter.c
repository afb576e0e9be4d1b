// SPDX-License-Identifier: GPL-2.0
/*
 * Coded probes.
 */
#include "pair_filter.h"
#include "sort.h"

struct pair_filter_params pair_filter_defaults(bool hardware)
{
	return (struct pair_filter_params){
		.least_ns = hardware ? PAIR_FILTER_LEAST_HARDWARE_NS :
				       PAIR_FILTER_LEAST_SOFTWARE_NS,
		.coded = true,
	};
}

static bool pair_filter_samples(const struct pair_filter_pair *pair, bool owner_sent,
				struct sample *two)
{
	return sample_make(pair->tx_ns[0], pair->rx_ns[0], owner_sent, &two[0]) &&
	       sample_make(pair->tx_ns[1], pair->rx_ns[1], owner_sent, &two[1]);
}

/* Rx spacing - Tx spacing is the difference of the two delays. */
static int64_t pair_filter_distance(const struct sample *two)
{
	int64_t d = two[1].delay_ns - two[0].delay_ns;

	return d < 0 ? -d : d;
}

static int64_t pair_filter_eps(const struct pair_filter_params *p, int64_t *distance,
			       uint32_t pairs)
{
	uint32_t keep = (pairs + 3) / 4;

	if (!p->coded)
		return INT64_MAX;
	if (!pairs)
		return p->least_ns;
	if (keep < PAIR_FILTER_KEEP)
		keep = pairs < PAIR_FILTER_KEEP ? pairs : PAIR_FILTER_KEEP;
	sort_ns(distance, pairs);
	return distance[keep - 1] > p->least_ns ? distance[keep - 1] :
						  p->least_ns;
}

struct pair_filter_result pair_filter_apply(const struct pair_filter_params *p,
					    const struct pair_filter_pair *pair, uint32_t pairs,
					    bool owner_sent, int64_t *scratch,
					    struct sample *sample)
{
	struct pair_filter_result r = { 0 };
	struct sample two[2];
	uint32_t sound = 0;
	uint32_t n;

	for (n = 0; n < pairs; n++) {
		if (pair_filter_samples(&pair[n], owner_sent, two))
			scratch[sound++] = pair_filter_distance(two);
	}
	r.absurd = pairs - sound;
	r.eps_ns = pair_filter_eps(p, scratch, sound);
	for (n = 0; n < pairs; n++) {
		if (!pair_filter_samples(&pair[n], owner_sent, two))
			continue;
		if (pair_filter_distance(two) > r.eps_ns) {
			r.rejected++;
			continue;
		}
		r.accepted++;
		sample[r.samples++] = two[0];
		sample[r.samples++] = two[1];
	}
	return r;
}
