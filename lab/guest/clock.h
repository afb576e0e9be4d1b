/* SPDX-License-Identifier: GPL-2.0 */
/* clock.h - clocks of hosts and of their NICs */
#ifndef GUEST_CLOCK_H
#define GUEST_CLOCK_H

#include "topology.h"

void clock_set(const struct topo *topo, const struct topo_step *step);

#endif /* GUEST_CLOCK_H */
