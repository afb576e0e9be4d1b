/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What benchflow.ko offers to benchhook.ko.
 */
#ifndef SHARPRAMP_BENCHFLOW_H
#define SHARPRAMP_BENCHFLOW_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>

struct sk_buff *benchflow_packet(struct net_device *dev, u32 flow, u32 turn);
struct net_device *benchflow_dev(void);

#endif /* SHARPRAMP_BENCHFLOW_H */
