// SPDX-License-Identifier: GPL-2.0
/*
 * Idle queues.
 */
#include "idle.h"

bool idle_on_interval(struct idle *p, uint64_t delay_ns, uint64_t kmin_ns, float reward)
{
	if (reward != p->reward)
		p->same = 0;
	else if (p->same < IDLE_SAME)
		p->same++;
	p->reward = reward;
	p->idle = delay_ns < kmin_ns || p->same == IDLE_SAME;
	return p->idle;
}
