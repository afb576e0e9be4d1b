/* SPDX-License-Identifier: GPL-2.0 */
/* netns.h - network namespaces, one a host or switch */
#ifndef STAGE_NETNS_H
#define STAGE_NETNS_H

#include "plan.h"

void netns_start(unsigned int n);
void netns_create(const struct plan *plan, const struct plan_step *step);
void netns_enter(unsigned int ns);
void netns_leave(void);
int netns_fd(unsigned int ns);

#endif /* STAGE_NETNS_H */
