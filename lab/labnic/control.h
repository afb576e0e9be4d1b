/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Control frames: PAUSE and PFC, congestion notification messages, and frames of
 * explicit rates.  Switches make and take them, so the packet accounting has them
 * apart from what hosts send each other.
 *
 * Pure but for labnic_control_is().
 */
#ifndef LABNIC_CONTROL_H
#define LABNIC_CONTROL_H

#include "../../kernel/algo/l2_wire.h"

/* Local experimental EtherType: FECN's rate discovery. */
#define LABNIC_TYPE_RATES 0x88b5

/* Not a PAUSE frame. */
#define LABNIC_NO_PAUSE (-1)

struct sk_buff;

bool labnic_control_type(const u8 *frame, u32 len);
s32 labnic_control_quanta(const u8 *frame, u32 len);
bool labnic_control_is(const struct sk_buff *skb);

#endif /* LABNIC_CONTROL_H */
