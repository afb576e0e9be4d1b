/* SPDX-License-Identifier: GPL-2.0 */
/* pcap.h - record what passes a port */
#ifndef GUEST_PCAP_H
#define GUEST_PCAP_H

#include "topology.h"

void pcap_start(const struct topo_step *step);

#endif /* GUEST_PCAP_H */
