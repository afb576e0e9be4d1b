/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions that the files of onramp_acker.ko share.
 *
 * One lock a namespace, acker_net.lock, is over its flows, paths, batches,
 * settings and counters.  It is taken with BH off, inside whatever the receive
 * path of a device holds (with veth the sender's own transmit lock), and
 * nothing but the timer's and FIB's own locks is taken inside; packets are
 * sent and freed after it was dropped.  Read without it are the
 * allow-list, under RCU, and verdicts, which have a sequence count; nothing else
 * waits for RCU before it is freed.
 *
 * Data comes in by onramp_acker_ops.data.  Packets from unknown peers, see onramp_peers.h,
 * those that do not go to an address of this host, see verdict.c, and those of flows in the
 * middle of a burst, see busy.c, are counted a CPU at a time and cost no more: neither the
 * lock nor memory.  All others are
 * judged by kernel/algo/onramp_due.h, and what is owed is put into its path's
 * batch; a tasklet, which runs when the round of receiving is over, sends all
 * of them.  One timer a namespace does the same for the last packets of bursts.
 *
 * Each file uses only those that Kbuild, and this header, have before it.
 */
#ifndef SHARPRAMP_ONRAMP_ACKER_H
#define SHARPRAMP_ONRAMP_ACKER_H

#include <linux/hrtimer.h>
#include <linux/interrupt.h>
#include <linux/jiffies.h>
#include <linux/list.h>
#include <linux/mutex.h>
#include <linux/siphash.h>
#include <linux/spinlock.h>
#include <net/netns/generic.h>

#include "algo/onramp_due.h"
#include "algo/onramp_wire.h"
#include "onramp_receiver.h"
#include "onramp_peers.h"

/**
 * struct acker_settings - configuration of a namespace
 * @due: when an OR-ACK is owed
 * @rate: datagrams a second
 * @max_flows: no more are followed
 */
struct acker_settings {
	struct onramp_due_params	due;
	u32				rate;
	u32				max_flows;
};

/**
 * struct acker_table - where flows and paths are found
 * @flows: buckets, or NULL before the first device is attached
 * @paths: buckets
 * @flow_bits: log2 of how many
 * @path_bits: same
 */
struct acker_table {
	struct hlist_head	*flows;
	struct hlist_head	*paths;
	u8			flow_bits;
	u8			path_bits;
};

/**
 * enum acker_is - what is known of a packet
 * @ACKER_NOT_PEER: the allow-list does not have where it comes from
 * @ACKER_NOT_OURS: where it goes is no address of this host
 * @ACKER_WANTED: it is to be acked
 */
enum acker_is {
	ACKER_NOT_PEER,
	ACKER_NOT_OURS,
	ACKER_WANTED,
};

/**
 * struct acker_skipped - packets that are not acked, of a CPU
 * @not_peer: as in struct onramp_acker_stats
 * @not_ours: same
 * @busy: of flows in the middle of a burst, and of dense paths, see busy.c
 */
struct acker_skipped {
	u64	not_peer;
	u64	not_ours;
	u64	busy;
};

/**
 * struct acker_pair - no padding: hashed and compared as bytes
 * @peer: sender of data
 * @self: our address
 * @scope: onramp_scope_by() of what @peer sends
 */
struct acker_pair {
	struct in6_addr	peer;
	struct in6_addr	self;
	u32		scope;
};

/**
 * struct acker_path - addresses and DSCP: the datagrams that go the same way
 * @hash: in acker_table.paths, by @pair alone: a refusal is for all DSCPs
 * @ready: in acker_net.ready, if there is a batch
 * @pair: addresses
 * @dsfield: DSCP, ECN 0
 * @flows: how many refer to it; it goes with the last
 * @ifindex: the device by which IP got its last packet
 * @cookie: of @dst
 * @dst: the route, or NULL
 * @budget: bytes that the peer has earned
 * @dense: whether it is dense
 * @backoff: since its port was unreachable
 * @serial: of the next datagram
 * @batch: the datagram that is being filled, or NULL
 * @clock: of the stamps in @batch
 * @count: entries in it
 * @room: entries that fit into the datagram
 * @is_signed: @batch will have a trailer, and is paid for with it
 */
struct acker_path {
	struct hlist_node	hash;
	struct list_head	ready;
	struct acker_pair	pair;
	u8			dsfield;
	u32			flows;
	int			ifindex;
	u32			cookie;
	struct dst_entry	*dst;
	u64			budget;
	struct onramp_dense	dense;
	struct onramp_backoff	backoff;
	u32			serial;
	struct sk_buff		*batch;
	struct onramp_clock	clock;
	u8			count;
	u8			room;
	bool			is_signed;
};

/**
 * struct acker_seen - a packet that may be acked, and how it came
 * @skb: the packet
 * @tap: where it was seen
 * @ifindex: the device by which IP gets it
 */
struct acker_seen {
	const struct sk_buff	*skb;
	enum onramp_stamp	tap;
	int			ifindex;
};

/**
 * struct acker_received - the last packet of a flow
 * @clock: of @rx_ns
 * @rx_ns: when it came, common time
 * @seq: of its first byte
 * @len: bytes of payload
 * @stamp: where it was seen, enum onramp_stamp
 */
struct acker_received {
	struct onramp_clock	clock;
	u64			rx_ns;
	u32			seq;
	u16			len;
	u8			stamp;
};

/**
 * struct acker_flow - a TCP connection in the direction of its data
 * @hash: in acker_table.flows
 * @lru: in acker_net.lru
 * @waiting: in acker_net.waiting, if its last packet will be acked when no other comes
 * @tuple: which
 * @path: counted
 * @due: state of the algorithm
 * @last: its last packet
 */
struct acker_flow {
	struct hlist_node	hash;
	struct list_head	lru;
	struct list_head	waiting;
	struct onramp_tuple	tuple;
	struct acker_path	*path;
	struct onramp_due_vars	due;
	struct acker_received	last;
};

/**
 * struct acker_net - a namespace
 * @net: which
 * @peers: core's allow-list, or NULL: it is empty
 * @skipped: counters of what is not acked, of each CPU; without the lock
 * @busy: flows in the middle of a burst and dense paths, of each CPU, or NULL before the
 *	first device is attached; without the lock, see busy.c
 * @verdicts: what is remembered of addresses, or NULL before the first device
 *	is attached; has its own rules
 * @verdict_key: odd, of the places of @verdicts; never visible in what is done, so it may
 *	be random
 * @busy_key: identifies the settings in @busy, not 0; written under @lock, read without
 * @key: of the hashes of paths; random as well
 * @flow_key: of those of flows; likewise
 * @set: settings
 * @change: serializes requests; outside @lock
 * @lock: of all that follows, and of @set
 * @dead: the namespace is going; nothing begins any more
 * @table: where flows and paths are found
 * @lru: flows, least recently seen first
 * @retry_ns: until then there is no space for a new flow
 * @waiting: flows whose last packet is to be acked, in the order of arrival, which
 *	is that of their deadlines
 * @ready: paths with a batch
 * @outbox: datagrams that are complete
 * @rate: how much of the rate was used
 * @now_ns: when the latest packet came, which CPUs may see in another order
 * @stats: counters, without those of @skipped
 * @timer: for the first of @waiting, or earlier
 * @tasklet: sends what is in @ready and @outbox
 *
 * All that is read without the lock is in lines of its own, which packets do not write.
 */
struct acker_net {
	struct net			*net;
	struct onramp_peers __rcu	*const *peers;
	struct acker_skipped __percpu	*skipped;
	struct acker_busy_flows __percpu *busy;
	struct acker_verdict		*verdicts;
	u64				verdict_key;
	u32				busy_key;
	siphash_key_t			key;
	hsiphash_key_t			flow_key;
	struct acker_settings		set;
	struct mutex			change; /* requests */
	spinlock_t			lock ____cacheline_aligned_in_smp; /* all that follows */
	bool				dead;
	struct acker_table		table;
	struct list_head		lru;
	u64				retry_ns;
	struct list_head		waiting;
	struct list_head		ready;
	struct sk_buff_head		outbox;
	struct onramp_rate		rate;
	u64				now_ns;
	struct onramp_acker_stats	stats;
	struct hrtimer			timer;
	struct tasklet_struct		tasklet;
};

extern unsigned int acker_net_id;

/**
 * acker_net_of() - what there is for a namespace
 * @net: the namespace
 *
 * Context: any, until the namespace's devices are gone.
 * Return: never NULL.
 */
static inline struct acker_net *acker_net_of(const struct net *net)
{
	return net_generic(net, acker_net_id);
}

/**
 * acker_tick() - the time in ticks
 *
 * That is exact enough for what lasts milliseconds, and costs a packet nothing to read.
 *
 * Return: jiffies, modulo 2^32.
 */
static inline u32 acker_tick(void)
{
	return jiffies;
}

/* route.c */
bool acker_has(struct net_device *dev, const struct in6_addr *addr);
bool acker_some_has(struct net *net, const struct in6_addr *addr);
bool acker_is_ours(struct net *net, struct net_device *dev,
		   const struct in6_addr *addr);
struct dst_entry *acker_path_route(struct acker_net *a,
				   struct acker_path *path);

/* verdict.c */
struct acker_verdict *acker_verdicts_alloc(void);
enum acker_is acker_verdict(const struct acker_net *a,
			    const struct sk_buff *skb,
			    struct onramp_packet *p, int *by);

/* busy.c */
struct acker_busy_flows __percpu *acker_busy_alloc(void);
bool acker_busy_skip(void *acker, const struct sk_buff *skb, enum onramp_stamp tap);
u64 acker_busy_last(const struct acker_net *a, const struct sk_buff *skb,
		    const struct onramp_tuple *tuple);
void acker_busy_set(const struct acker_net *a, const struct acker_seen *seen,
		    const struct onramp_packet *p, u32 grid, u64 now_ns, u64 fresh_ns);
void acker_dense_set(const struct acker_net *a, const struct acker_seen *seen,
		     const struct onramp_packet *p, u32 grid, u64 until_ns);

/* batch.c */
void acker_ack(struct acker_net *a, struct acker_flow *flow,
	       enum onramp_due due, u64 now_ns);
void acker_batch_close(struct acker_net *a, struct acker_path *path);
void acker_send(struct tasklet_struct *tasklet);
void acker_timer_restart(struct acker_net *a);
enum hrtimer_restart acker_timer(struct hrtimer *timer);

/* path.c */
struct acker_path *acker_path_get(struct acker_net *a,
				  const struct onramp_packet *p, int ifindex);
void acker_path_put(struct acker_net *a, struct acker_path *path);
void acker_path_refused(struct acker_net *a, const struct acker_pair *pair,
			u64 now_ns);

/* flow.c */
int acker_table_alloc(struct acker_table *table, u32 max_flows);
void acker_table_free(struct acker_table *table);
struct acker_flow *acker_flow_get(struct acker_net *a,
				  const struct onramp_packet *p, int ifindex,
				  u64 now_ns);
void acker_flow_forget_all(struct acker_net *a, const struct onramp_peers *keep);
void acker_flow_close(struct acker_net *a);

/* refusal.c */
int acker_refusal_start(struct net *net);
void acker_refusal_stop(struct net *net);

/* netlink.c */
void acker_peers_changed(struct net *net);
int acker_doit(struct sk_buff *skb, struct genl_info *info);
int acker_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* SHARPRAMP_ONRAMP_ACKER_H */
