/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What benchflow.ko offers to benchhook.ko.
 */
#ifndef SHARPRAMP_BENCHFLOW_H
#define SHARPRAMP_BENCHFLOW_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>

#define BENCHFLOW_SHORT	6	/* bytes of payload: a frame of 60 */
#define BENCHFLOW_FULL	1448

struct sk_buff *benchflow_packet(struct net_device *dev, u32 flow, u32 turn,
				 u32 bytes);
struct net_device *benchflow_dev(void);

#endif /* SHARPRAMP_BENCHFLOW_H */
