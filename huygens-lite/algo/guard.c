// SPDX-License-Identifier: GPL-2.0
/*
 * Coded probes.
 */
#include "guard.h"
#include "sort.h"

struct guard_params guard_defaults(bool hardware)
{
	return (struct guard_params){
		.least_ns = hardware ? GUARD_LEAST_HARDWARE_NS :
				       GUARD_LEAST_SOFTWARE_NS,
		.coded = true,
	};
}

static bool guard_samples(const struct guard_pair *pair, bool owner_sent,
			  struct sample *two)
{
	return sample_make(pair->tx_ns[0], pair->rx_ns[0], owner_sent, &two[0]) &&
	       sample_make(pair->tx_ns[1], pair->rx_ns[1], owner_sent, &two[1]);
}

/* Rx spacing - Tx spacing is the difference of the two delays. */
static int64_t guard_distance(const struct sample *two)
{
	int64_t d = two[1].delay_ns - two[0].delay_ns;

	return d < 0 ? -d : d;
}

static int64_t guard_eps(const struct guard_params *p, int64_t *distance,
			 uint32_t pairs)
{
	uint32_t keep = (pairs + 3) / 4;

	if (!p->coded)
		return INT64_MAX;
	if (!pairs)
		return p->least_ns;
	if (keep < GUARD_KEEP)
		keep = pairs < GUARD_KEEP ? pairs : GUARD_KEEP;
	sort_ns(distance, pairs);
	return distance[keep - 1] > p->least_ns ? distance[keep - 1] :
						  p->least_ns;
}

struct guard_result guard_filter(const struct guard_params *p,
				 const struct guard_pair *pair, uint32_t pairs,
				 bool owner_sent, int64_t *scratch,
				 struct sample *sample)
{
	struct guard_result r = { 0 };
	struct sample two[2];
	uint32_t sound = 0;
	uint32_t n;

	for (n = 0; n < pairs; n++) {
		if (guard_samples(&pair[n], owner_sent, two))
			scratch[sound++] = guard_distance(two);
	}
	r.absurd = pairs - sound;
	r.eps_ns = guard_eps(p, scratch, sound);
	for (n = 0; n < pairs; n++) {
		if (!guard_samples(&pair[n], owner_sent, two))
			continue;
		if (guard_distance(two) > r.eps_ns) {
			r.impure++;
			continue;
		}
		r.pure++;
		sample[r.samples++] = two[0];
		sample[r.samples++] = two[1];
	}
	return r;
}
