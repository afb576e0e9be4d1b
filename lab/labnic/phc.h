/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labnic: the hardware clock of a port (PTP hardware clock) and its stamps.
 *
 * A port with phc=1 has an oscillator of its own (osc.h) with the dial that PTP
 * daemons turn.  Stamps are what it shows when the first bit after the start
 * delimiter passes (IEEE 1588-2019, 7.3.4.1), at times that are computed and
 * exact: at the sender when the preamble is out, at the receiver the propagation
 * delay later, whatever the length of the frame.
 *
 * Lock: the dial's own, taken in any context, a leaf.
 */
#ifndef LABNIC_PHC_H
#define LABNIC_PHC_H

#include <linux/net_tstamp.h>
#include <linux/ptp_clock_kernel.h>
#include <linux/spinlock.h>

#include "../kernel/files/include/net/osc.h"

struct labnic_port;
struct kernel_ethtool_ts_info;
struct netlink_ext_ack;
struct seq_file;

/**
 * struct labnic_phc - the hardware clock of a port
 * @clock: as the PTP core knows it, NULL if the port has none
 * @info: what the PTP core knows of us
 * @lock: covers @dial
 * @dial: the clock, fed with CLOCK_MONOTONIC
 * @tx_type: HWTSTAMP_TX_OFF or HWTSTAMP_TX_ON; written under RTNL
 * @rx_filter: HWTSTAMP_FILTER_NONE or HWTSTAMP_FILTER_ALL; written under RTNL
 */
struct labnic_phc {
	struct ptp_clock *clock;
	struct ptp_clock_info info;
	spinlock_t lock; /* covers dial */
	struct osc_dial dial;
	int tx_type;
	int rx_filter;
};

int labnic_phc_attach(struct labnic_port *port);
void labnic_phc_detach(struct labnic_port *port);
void labnic_phc_ts_info(struct labnic_port *port,
			struct kernel_ethtool_ts_info *info);
int labnic_phc_hwtstamp_get(struct net_device *dev,
			    struct kernel_hwtstamp_config *config);
int labnic_phc_hwtstamp_set(struct net_device *dev,
			    struct kernel_hwtstamp_config *config,
			    struct netlink_ext_ack *extack);
int labnic_phc_show(struct seq_file *seq, void *v);
ssize_t labnic_phc_write(struct file *file, const char __user *data,
			 size_t size, loff_t *pos);
struct sk_buff *labnic_phc_wants(struct labnic_port *port, struct sk_buff *skb);
void labnic_phc_sent(struct labnic_port *port, struct sk_buff *skb, u64 at_ns);
void labnic_phc_received(struct labnic_port *port, struct sk_buff *skb,
			 u64 at_ns);

#endif /* LABNIC_PHC_H */
