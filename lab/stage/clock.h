/* SPDX-License-Identifier: GPL-2.0 */
/* clock.h - clocks of hosts and of their cards */
#ifndef STAGE_CLOCK_H
#define STAGE_CLOCK_H

#include "plan.h"

void clock_set(const struct plan *plan, const struct plan_step *step);

#endif /* STAGE_CLOCK_H */
