/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sch_onramp: On-Ramp's fair queue.  What its files share.
 *
 *   main.c       packets in, packets out, life of an instance
 *   table.c      which queue is a packet's: find, make, forget
 *   queue.[hc]   the packets of one queue, by time
 *   drr.c        deficit round robin: bands, new and old queues, credits
 *   wait.c       queues that are not due, by time; kicks; the timer
 *   bind.c       binds a queue to On-Ramp's flow
 *   rule*.h      when a packet may leave
 *   netlink.c    parameters and counters
 *
 * All state is the root's qdisc lock's; parameters change under RTNL and that
 * lock, so that either is enough to read them.  Core is called only while
 * @watching, and a queue is tied to a flow only then, so mode off does without.
 */
#ifndef SHARPRAMP_ORQ_H
#define SHARPRAMP_ORQ_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/skbuff.h>
#include <net/pkt_sched.h>
#include <net/sock.h>
#include <linux/pkt_sch_onramp.h>

#include "algo/onramp_params.h"
#include "onramp_core.h"
#include "queue.h"

/**
 * struct orq_turns - queues that have a turn, one after the other by orq_queue.turn
 * @first: whose turn is next, or NULL
 * @last: valid if @first
 */
struct orq_turns {
	struct orq_queue	*first;
	struct orq_queue	*last;
};

/**
 * struct orq_band - queues of a priority
 * @fresh: queues that were idle, served first
 * @old: the others
 * @credit: bytes it may send before other bands get their turn
 * @weight: credit it gets each time
 * @pkts: packets in its queues
 * @drops: packets dropped because of limit
 */
struct orq_band {
	struct orq_turns	fresh;
	struct orq_turns	old;
	int			credit;
	int			weight;
	u32			pkts;
	u64			drops;
};

/**
 * struct orq_conf - parameters as the data path reads them
 * @limit: packets in each band
 * @flow_limit: packets of a flow
 * @quantum: bytes
 * @initial_quantum: bytes
 * @priomap: see onramp_priomap_band()
 * @orphan_mask: of hashes
 * @maxrate: bytes/s; ULONG_MAX: no limit
 * @low_rate: bytes/s
 * @refill_delay_ns: likewise
 * @ce_threshold_ns: S64_MAX: none
 * @horizon_ns: likewise
 * @timer_slack_ns: likewise
 * @pacing: rates hold
 * @horizon_drop: drop beyond the horizon
 */
struct orq_conf {
	u32		limit;
	u32		flow_limit;
	u32		quantum;
	u32		initial_quantum;
	u32		priomap;
	u32		orphan_mask;
	unsigned long	maxrate;
	unsigned long	low_rate;
	u64		refill_delay_ns;
	u64		ce_threshold_ns;
	u64		horizon_ns;
	u64		timer_slack_ns;
	bool		pacing;
	bool		horizon_drop;
};

/**
 * struct orq_sched - private data of one qdisc
 * @conf: parameters
 * @port: core's side of this instance
 * @watching: mode is not off
 * @table_log: log2 of the buckets of @table
 * @table: trees of queues by key
 * @turn: index of the band whose turn it is
 * @band: the bands
 * @direct: packets that need not wait for any other; in no band
 * @waiting: queues that are not due, by orq_queue.due_ns
 * @nr_waiting: how many
 * @nr_queues: in @table, and @spare
 * @nr_inactive: of them, without a packet
 * @nr_loose: of them, with packets whose schedule holds have moved, and no flow's
 *	any more
 * @latency_ns: average of how late queues were taken from @waiting
 * @count: our own counters; members that repeat others' are set in the dump
 * @spare: of packets for whose queue there was no memory; not in @table, no flow's
 * @watchdog: wakes us for the first of @waiting
 * @settings: what the user asked for
 */
struct orq_sched {
	/* Read mostly */
	struct orq_conf		conf;
	struct onramp_port	*port;
	struct rb_root		*table;
	u8			table_log;
	bool			watching;

	/* Written for every packet */
	u32			turn ____cacheline_aligned;
	struct orq_band		band[ONRAMP_BANDS];
	struct orq_queue	direct;
	struct rb_root_cached	waiting;
	u32			nr_waiting;
	u32			nr_queues;
	u32			nr_inactive;
	u32			nr_loose;
	u64			latency_ns;

	/* Written for some */
	struct tc_onramp_xstats	count;
	struct orq_queue	spare;
	struct qdisc_watchdog	watchdog;

	/* Seldom used */
	struct onramp_settings	settings ____cacheline_aligned;
};

/**
 * orq_now() - the time of a qdisc's host
 * @sch: the qdisc
 *
 * Return: ns of onramp_now().
 */
static inline u64 orq_now(const struct Qdisc *sch)
{
	return onramp_now(dev_net(qdisc_dev(sch)));
}

/* table.c; root lock held, as for all that follows */

extern struct kmem_cache *orq_queue_cache;

/**
 * struct orq_key - by which a queue is found
 * @hash: of the socket, or without one of the packet
 * @sk: the socket, or NULL
 *
 * Where it lies in memory tells sockets with the same hash apart; no queue's
 * place in the table depends on it otherwise, so that runs repeat.
 */
struct orq_key {
	u32 hash;
	const struct sock *sk;
};

/**
 * orq_key_of() - which queue is a packet's?
 * @q: the qdisc
 * @skb: the packet; orphaned if its socket is none that packets belong to
 *
 * Return: the key.
 */
struct orq_key orq_key_of(const struct orq_sched *q, struct sk_buff *skb);

/**
 * orq_table_get() - find a queue, or make one
 * @q: the qdisc
 * @key: by orq_key_of()
 * @now: time
 *
 * A few of the queues it comes along that were idle for long are forgotten.
 * Return: the queue; NULL if there is no memory.
 */
struct orq_queue *orq_table_get(struct orq_sched *q, const struct orq_key *key,
				u64 now);

/**
 * orq_table_alloc() - memory for a table
 * @sch: the qdisc
 * @log: log2 of the buckets
 *
 * Context: may sleep, no lock needed.
 * Return: the table, for orq_table_set() or kvfree(); NULL without memory.
 */
struct rb_root *orq_table_alloc(struct Qdisc *sch, u8 log);

/**
 * orq_table_set() - put a table in place of the one in use
 * @q: the qdisc
 * @table: empty
 * @log: log2 of its buckets
 *
 * Return: the old table, for kvfree() without the lock.
 */
struct rb_root *orq_table_set(struct orq_sched *q, struct rb_root *table,
			      u8 log);

/**
 * orq_table_first() - a queue; with orq_table_next() all of them, in an order
 *	that does not change while none is made or forgotten
 * @q: the qdisc
 *
 * Return: the queue; NULL if there is none.
 */
struct orq_queue *orq_table_first(const struct orq_sched *q);

/**
 * orq_table_next() - the next queue
 * @q: the qdisc
 * @f: the one before
 *
 * All together cost a look at each bucket and each queue; to ask for the first
 * again and again while queues go costs a look at all buckets each time.
 *
 * Return: the queue; NULL if @f was the last.
 */
struct orq_queue *orq_table_next(const struct orq_sched *q,
				 const struct orq_queue *f);

/**
 * orq_table_unwatch() - tie no queue to a flow any more
 * @q: the qdisc, which is not @watching
 * @now: time
 *
 * Holds end; what they moved stays moved for packets that are queued.
 */
void orq_table_unwatch(struct orq_sched *q, u64 now);

/**
 * orq_table_purge() - forget all queues, with their packets; and the spare one's
 * @q: the qdisc
 * @now: time
 *
 * Context: RTNL.
 */
void orq_table_purge(struct orq_sched *q, u64 now);

/* drr.c */

/**
 * orq_turn_init() - no queue has a turn
 * @q: the qdisc
 */
void orq_turn_init(struct orq_sched *q);

/**
 * orq_turn_add() - at the end of a list of the queue's band
 * @q: the qdisc
 * @f: the queue, idle or taken off where it was
 * @fresh: the list served first
 */
void orq_turn_add(struct orq_sched *q, struct orq_queue *f, bool fresh);

/**
 * orq_turn_end() - the queue whose turn it is goes off its list
 * @band: of which orq_turn_next() told
 */
void orq_turn_end(struct orq_band *band);

/**
 * orq_turn_idle() - a queue is on no list
 * @f: the queue, taken off where it was, or new
 * @now: time
 */
void orq_turn_idle(struct orq_queue *f, u64 now);

/**
 * orq_turn_next() - whose turn is it?
 * @q: the qdisc
 * @now: time
 * @band: the band that pays for it
 *
 * Return: a queue with a packet and credit; NULL if none has a packet.
 */
struct orq_queue *orq_turn_next(struct orq_sched *q, u64 now,
				struct orq_band **band);

/* wait.c */

/**
 * orq_wait_next_ns() - when is the first of those that wait due?
 * @q: the qdisc
 *
 * Return: ns; U64_MAX if none waits.
 */
u64 orq_wait_next_ns(const struct orq_sched *q);

/**
 * orq_wait_for() - let a queue wait
 * @q: the qdisc
 * @f: the queue, taken off where it was
 * @due: until when
 */
void orq_wait_for(struct orq_sched *q, struct orq_queue *f, u64 due);

/**
 * orq_wait_leave() - a queue that goes waits no more
 * @q: the qdisc
 * @f: the queue, which waits
 */
void orq_wait_leave(struct orq_sched *q, struct orq_queue *f);

/**
 * orq_wait_end() - a queue waits no more
 * @q: the qdisc
 * @f: the queue, which waits; gets a turn
 */
void orq_wait_end(struct orq_sched *q, struct orq_queue *f);

/**
 * orq_wait_release() - give those that are due a turn
 * @q: the qdisc
 * @now: time
 */
void orq_wait_release(struct orq_sched *q, u64 now);

/**
 * orq_wait_resort() - the time of a queue that waits may have moved
 * @q: the qdisc
 * @f: the queue, which waits
 * @now: time
 */
void orq_wait_resort(struct orq_sched *q, struct orq_queue *f, u64 now);

/**
 * orq_wait_kicked() - look again at queues whose hold core made shorter
 * @q: the qdisc, with a port
 * @now: time
 */
void orq_wait_kicked(struct orq_sched *q, u64 now);

/**
 * orq_wait_arm() - wake us for the first that is due
 * @q: the qdisc
 */
void orq_wait_arm(struct orq_sched *q);

/* bind.c */

/**
 * orq_tie_to() - a queue is that of a packet's flow
 * @q: the qdisc, which is @watching
 * @f: the queue
 * @skb: the packet, about to be queued
 * @p: what it is: it has payload; its scope may be set
 * @now: time
 *
 * Without memory it is not, and its packets are not held.
 */
void orq_tie_to(struct orq_sched *q, struct orq_queue *f,
		const struct sk_buff *skb, struct onramp_packet *p, u64 now);

/**
 * orq_tie_loosen() - a queue is no flow's any more; of packets that wait in it
 *	what holds moved stays moved, or they would leave in a burst
 * @q: the qdisc
 * @f: the queue, which has a tie
 * @now: time
 */
void orq_tie_loosen(struct orq_sched *q, struct orq_queue *f, u64 now);

/**
 * orq_tie_drained() - the last packet of a queue is gone
 * @q: the qdisc
 * @f: the queue
 */
static inline void orq_tie_drained(struct orq_sched *q, struct orq_queue *f)
{
	if (likely(!f->tie || !f->tie->loose))
		return;
	f->tie->loose = false;
	q->nr_loose--;
}

/**
 * orq_tie_end() - a queue is no flow's any more; what holds moved is forgotten
 * @q: the qdisc
 * @f: the queue, which has a tie
 * @now: time
 *
 * If core kicked it, all who were kicked are looked at.
 */
void orq_tie_end(struct orq_sched *q, struct orq_queue *f, u64 now);

/* netlink.c */

/**
 * orq_settings_init() - defaults, and what a request changes of them
 * @sch: the qdisc; its port and table are made
 * @opt: TCA_OPTIONS or NULL
 * @extack: says why not
 *
 * Context: RTNL.
 * Return: 0 or a negative error.
 */
int orq_settings_init(struct Qdisc *sch, struct nlattr *opt,
		      struct netlink_ext_ack *extack);

/**
 * orq_change() - Qdisc_ops.change
 * @sch: the qdisc
 * @opt: TCA_OPTIONS
 * @extack: says why not; nothing is changed then
 *
 * Context: RTNL.
 * Return: 0 or a negative error.
 */
int orq_change(struct Qdisc *sch, struct nlattr *opt,
	       struct netlink_ext_ack *extack);

/**
 * orq_dump() - Qdisc_ops.dump: what was given, and can be sent back as it is
 * @sch: the qdisc
 * @skb: the message
 *
 * Context: RTNL.
 * Return: its length, or -EMSGSIZE.
 */
int orq_dump(struct Qdisc *sch, struct sk_buff *skb);

/**
 * orq_dump_stats() - Qdisc_ops.dump_stats
 * @sch: the qdisc
 * @d: the message
 *
 * Context: RTNL.
 * Return: 0, or -1 if it is full.
 */
int orq_dump_stats(struct Qdisc *sch, struct gnet_dump *d);

#endif /* SHARPRAMP_ORQ_H */
