/* SPDX-License-Identifier: GPL-2.0 */
/*
 * benchflow.ko's parts, and what it offers to benchhook.ko.
 */
#ifndef SHARPRAMP_BENCHFLOW_H
#define SHARPRAMP_BENCHFLOW_H

#include <linux/netdevice.h>
#include <linux/skbuff.h>

#define BENCHFLOW_SHORT	6	/* bytes of payload: an IPv4 frame of 60 */
#define BENCHFLOW_FULL	1448	/* more are segments of as many, whose payload is shared */
#define BENCHFLOW_LARGE	(45 * BENCHFLOW_FULL)

/*
 * Odd, so that no two of a million flows, and no probe of a path, have all of
 * their last 20 bits alike, which are what qdiscs look at.
 */
#define BENCHFLOW_HASH	0x9e3779b1U
#define BENCHFLOW_FLOWS	1000000	/* that are distinguished at a time */

/**
 * struct benchflow_at - a packet of a flow
 * @path: number of its source address
 * @sport: source port
 * @dport: destination port
 * @hash: what qdiscs tell its flow by
 * @seq: sequence number of its first byte
 * @bytes: of payload, at most BENCHFLOW_LARGE; a multiple of BENCHFLOW_FULL if
 *	more than that
 * @ipv6: it is IPv6, else IPv4
 */
struct benchflow_at {
	u32	path;
	u16	sport;
	u16	dport;
	u32	hash;
	u32	seq;
	u32	bytes;
	bool	ipv6;
};

struct sk_buff *benchflow_make(struct net_device *dev,
			       const struct benchflow_at *at);
struct sk_buff *benchflow_orack(struct net_device *dev,
				const struct benchflow_at *at, u64 ns,
				u32 epoch);
struct sk_buff *benchflow_packet(struct net_device *dev, u32 seq, u32 bytes);
struct net_device *benchflow_dev(void);
int benchflow_page_alloc(void);
void benchflow_page_free(void);

#endif /* SHARPRAMP_BENCHFLOW_H */
