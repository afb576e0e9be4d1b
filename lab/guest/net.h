/* SPDX-License-Identifier: GPL-2.0 */
/* net.h - links, addresses, routes and neighbours, over rtnetlink */
#ifndef GUEST_NET_H
#define GUEST_NET_H

#include "topology.h"

void net_open(unsigned int ns);
void net_up_lo(unsigned int ns, unsigned int line);
void net_link(const struct topo_step *step);
void net_bridge(const struct topo *topo, const struct topo_step *step);
void net_addr(const struct topo *topo, const struct topo_step *step);
void net_route(const struct topo_step *step);
void net_neigh(const struct topo_step *step);
void net_watch(const struct topo *topo, const struct topo_step *step);

#endif /* GUEST_NET_H */
