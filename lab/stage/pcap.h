/* SPDX-License-Identifier: GPL-2.0 */
/* pcap.h - record what passes a port */
#ifndef STAGE_PCAP_H
#define STAGE_PCAP_H

#include "plan.h"

void pcap_start(const struct plan_step *step);

#endif /* STAGE_PCAP_H */
