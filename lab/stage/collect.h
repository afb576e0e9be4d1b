/* SPDX-License-Identifier: GPL-2.0 */
/* collect.h - figures of ports and namespaces into the result folder */
#ifndef STAGE_COLLECT_H
#define STAGE_COLLECT_H

#include "plan.h"

void collect_port(const struct plan_step *step);
void collect_counters(const struct plan *plan);

#endif /* STAGE_COLLECT_H */
