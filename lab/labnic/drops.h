/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What the stack dropped at a port, by the kernel's own reasons.
 *
 * The trace point kfree_skb tells of every buffer that did not reach its goal:
 * by a queue discipline, by the IP layer, by a filter.  Those whose device is a
 * labnic port are counted there, so that the packet accounting balances: frames in
 * = frames delivered + frames dropped with a cause.  What the port itself drops
 * has its own counters (LABNIC_STATS) and is freed as consumed.  Control frames
 * (control.h) are left out: a switch makes and takes these itself.
 */
#ifndef LABNIC_DROPS_H
#define LABNIC_DROPS_H

#include <linux/atomic.h>
#include <linux/list.h>
#include <net/dropreason.h>

/**
 * struct labnic_drop_count - what was dropped for one reason
 * @pkts: frames; a GSO buffer counts as its segments
 * @bytes: bytes of the buffers with their Ethernet header
 */
struct labnic_drop_count {
	atomic64_t pkts;
	atomic64_t bytes;
};

/**
 * struct labnic_drops - drops of one port
 * @node: in the table of ports, RCU
 * @count: by reason; SKB_DROP_REASON_NOT_SPECIFIED takes in what other subsystems define
 */
struct labnic_drops {
	struct hlist_node node;
	struct labnic_drop_count count[SKB_DROP_REASON_MAX];
};

struct labnic_port;

void labnic_drops_attach(struct labnic_port *port);
void labnic_drops_detach(struct labnic_port *port);
const char *labnic_drops_name(unsigned int reason);
int labnic_drops_init(void);
void labnic_drops_exit(void);

#endif /* LABNIC_DROPS_H */
