/* SPDX-License-Identifier: GPL-2.0 */
/* collect.h - figures of ports and namespaces into the result folder */
#ifndef GUEST_COLLECT_H
#define GUEST_COLLECT_H

#include "topology.h"

void collect_port(const struct topo_step *step);
void collect_counters(const struct topo *topo);

#endif /* GUEST_COLLECT_H */
