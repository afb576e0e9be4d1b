// SPDX-License-Identifier: GPL-2.0
/*
 * The rule that follows the traffic.
 */
#include "follow.h"

void follow_begin(struct follow *f)
{
	f->kmax_ns = FOLLOW_BEGIN_NS;
}

struct template follow_on_interval(struct follow *f, const struct feature_interval *x)
{
	if (feature_utilisation(x) >= FOLLOW_FULL)
		f->kmax_ns = f->kmax_ns * FOLLOW_FALL / 100;
	else if (x->marked_bytes)
		f->kmax_ns = f->kmax_ns * FOLLOW_RISE / 100;

	if (f->kmax_ns < FOLLOW_LEAST_NS)
		f->kmax_ns = FOLLOW_LEAST_NS;
	if (f->kmax_ns > FOLLOW_MOST_NS)
		f->kmax_ns = FOLLOW_MOST_NS;
	return (struct template){ FOLLOW_KMIN_NS, f->kmax_ns, TEMPLATE_ONE_PPM };
}
