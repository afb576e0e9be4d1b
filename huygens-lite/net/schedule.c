// SPDX-License-Identifier: GPL-2.0
/*
 * When windows begin and end.
 */
#include "schedule.h"

void schedule_set(struct schedule *schedule, int64_t at_ns, int64_t sent_ns,
		  double drift_ppb)
{
	schedule->known = true;
	schedule->line.at_ns = at_ns;
	schedule->line.offset_ns = sent_ns - at_ns;
	schedule->line.drift_ppb = drift_ppb;
}

bool schedule_receive(struct schedule *schedule, int64_t now_ns, int64_t sent_ns)
{
	int64_t off_ns;

	if (schedule->known) {
		off_ns = sent_ns - schedule_now(schedule, now_ns);
		if (off_ns <= schedule->window_ns / 16 &&
		    off_ns >= -schedule->window_ns / 16)
			return false;
	}
	schedule_set(schedule, now_ns, sent_ns, 0);
	return true;
}

int64_t schedule_now(const struct schedule *schedule, int64_t local_ns)
{
	int64_t now_ns = local_ns + line_at(&schedule->line, local_ns);

	return now_ns > 0 ? now_ns : 0;
}

uint64_t schedule_window(const struct schedule *schedule, int64_t local_ns)
{
	return schedule_now(schedule, local_ns) / schedule->window_ns;
}

int64_t schedule_local(const struct schedule *schedule, int64_t schedule_ns)
{
	int64_t local_ns = schedule_ns - schedule->line.offset_ns;
	int i;

	/* Drifts are small: each turn leaves a thousandth of the error. */
	for (i = 0; i < 4; i++)
		local_ns = schedule_ns - line_at(&schedule->line, local_ns);
	return local_ns;
}

int64_t schedule_end(const struct schedule *schedule, uint64_t window)
{
	return schedule_local(schedule, (int64_t)(window + 1) * schedule->window_ns);
}

int64_t schedule_middle(const struct schedule *schedule, uint64_t window)
{
	return schedule_local(schedule, (int64_t)window * schedule->window_ns +
			      schedule->window_ns / 2);
}
