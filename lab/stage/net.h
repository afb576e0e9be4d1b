/* SPDX-License-Identifier: GPL-2.0 */
/* net.h - links, addresses, routes and neighbours, over rtnetlink */
#ifndef STAGE_NET_H
#define STAGE_NET_H

#include "plan.h"

void net_open(unsigned int ns);
void net_up_lo(unsigned int ns, unsigned int line);
void net_link(const struct plan_step *step);
void net_addr(const struct plan *plan, const struct plan_step *step);
void net_route(const struct plan_step *step);
void net_neigh(const struct plan_step *step);
void net_watch(const struct plan *plan, const struct plan_step *step);

#endif /* STAGE_NET_H */
