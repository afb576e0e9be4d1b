// SPDX-License-Identifier: GPL-2.0
/*
 * When windows begin and end.
 */
#include "plan.h"

void plan_set(struct plan *plan, int64_t at_ns, int64_t sent_ns,
	      double drift_ppb)
{
	plan->known = true;
	plan->line.at_ns = at_ns;
	plan->line.offset_ns = sent_ns - at_ns;
	plan->line.drift_ppb = drift_ppb;
}

bool plan_hear(struct plan *plan, int64_t now_ns, int64_t sent_ns)
{
	int64_t off_ns;

	if (plan->known) {
		off_ns = sent_ns - plan_now(plan, now_ns);
		if (off_ns <= plan->window_ns / 16 &&
		    off_ns >= -plan->window_ns / 16)
			return false;
	}
	plan_set(plan, now_ns, sent_ns, 0);
	return true;
}

int64_t plan_now(const struct plan *plan, int64_t local_ns)
{
	int64_t now_ns = local_ns + line_at(&plan->line, local_ns);

	return now_ns > 0 ? now_ns : 0;
}

uint64_t plan_window(const struct plan *plan, int64_t local_ns)
{
	return plan_now(plan, local_ns) / plan->window_ns;
}

int64_t plan_local(const struct plan *plan, int64_t plan_ns)
{
	int64_t local_ns = plan_ns - plan->line.offset_ns;
	int i;

	/* Drifts are small: each turn leaves a thousandth of the error. */
	for (i = 0; i < 4; i++)
		local_ns = plan_ns - line_at(&plan->line, local_ns);
	return local_ns;
}

int64_t plan_end(const struct plan *plan, uint64_t window)
{
	return plan_local(plan, (int64_t)(window + 1) * plan->window_ns);
}

int64_t plan_middle(const struct plan *plan, uint64_t window)
{
	return plan_local(plan, (int64_t)window * plan->window_ns +
			  plan->window_ns / 2);
}
