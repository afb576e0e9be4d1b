/* SPDX-License-Identifier: GPL-2.0 */
/* netns.h - network namespaces, one a host or switch */
#ifndef GUEST_NETNS_H
#define GUEST_NETNS_H

#include "topology.h"

void netns_start(unsigned int n);
void netns_create(const struct topo *topo, const struct topo_step *step);
void netns_enter(unsigned int ns);
void netns_leave(void);
int netns_fd(unsigned int ns);

#endif /* GUEST_NETNS_H */
