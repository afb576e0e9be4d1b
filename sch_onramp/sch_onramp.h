/* SPDX-License-Identifier: GPL-2.0 */
/*
 * sch_onramp: On-Ramp's fair queue: definitions that its files share.
 *
 *   main.c       packets in, packets out, life of an instance
 *   table.c      which queue is a packet's: find, make, forget
 *   queue.[hc]   the packets of one queue, by time
 *   drr.c        deficit round robin: bands, new and old queues, credits
 *   wait.c       queues that are not due, by time; kicks; the timer
 *   bind.c       binds a queue to On-Ramp's flow
 *   rp*.[hc]     reaction points, which limit flows that CNMs are about
 *   rule*.h      when a packet may leave
 *   netlink.c    parameters and counters
 *
 * All state is the root's qdisc lock's; parameters change under RTNL and that
 * lock, so that either is enough to read them.  Core is called only while
 * @measuring, and a queue is bound to a flow only then, so mode off does without.
 */
#ifndef SHARPRAMP_ONRAMPQ_H
#define SHARPRAMP_ONRAMPQ_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/skbuff.h>
#include <net/pkt_sched.h>
#include <net/sock.h>
#include <linux/pkt_sch_onramp.h>

#include "algo/delay_hist.h"
#include "algo/onramp_params.h"
#include "algo/onramp_pick.h"
#include "onramp_core.h"
#include "queue.h"
#include "rp.h"

/**
 * struct onrampq_list - a DRR list of queues, linked by onrampq_queue.next
 * @first: which is served next, or NULL
 * @last: valid if @first
 */
struct onrampq_list {
	struct onrampq_queue	*first;
	struct onrampq_queue	*last;
};

/**
 * struct onrampq_band - queues of a priority
 * @new_flows: queues that were idle, served first
 * @old_flows: the others
 * @credit: bytes it may send before other bands are served
 * @weight: credit it gets each time
 * @pkts: packets in its queues
 * @drops: packets dropped because of limit
 */
struct onrampq_band {
	struct onrampq_list	new_flows;
	struct onrampq_list	old_flows;
	int			credit;
	int			weight;
	u32			pkts;
	u64			drops;
};

/**
 * struct onrampq_conf - parameters as the data path reads them
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
 * @remember: grid of the packets that are remembered; 0: all are
 * @pacing: rates hold
 * @horizon_drop: drop beyond the horizon
 * @sojourn_hist: count packets by how long they were here
 */
struct onrampq_conf {
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
	u32		remember;
	bool		pacing;
	bool		horizon_drop;
	bool		sojourn_hist;
};

/**
 * struct onrampq_sched - private data of one qdisc
 * @conf: parameters
 * @port: core's side of this instance
 * @measuring: mode is not off
 * @limiting: there is @rp, which takes fewer instructions to test
 * @rp: reaction points; NULL with rp off
 * @table_log: log2 of the buckets of @table
 * @table: trees of queues by key
 * @band_now: index of the band that is served
 * @band: the bands
 * @direct: packets that need not wait for any other; in no band
 * @waiting: queues that are not due, by onrampq_queue.due_ns
 * @nr_waiting: how many
 * @nr_queues: in @table, and @spare
 * @nr_inactive: of them, without a packet
 * @nr_detached: of them, with packets whose schedule holds have moved, and no flow's
 *	any more
 * @nr_moved: of them, those that a hold moves, see struct onrampq_binding; and one more with
 *	@rp
 * @now_ns: the time as it was read last, in this enqueue or dequeue if @now_exact
 * @now_tick: onrampq_tick() then
 * @now_exact: see @now_ns
 * @pick: which packets are remembered
 * @latency_ns: average of how late queues were taken from @waiting
 * @count: our own counters, and those of earlier reaction points (RTNL); members that
 *	repeat others' are set in the dump
 * @sojourn: distribution of how long packets were here
 * @spare: of packets for whose queue there was no memory; not in @table, no flow's
 * @watchdog: wakes us for the first of @waiting
 * @settings: what the user configured
 */
struct onrampq_sched {
	/* Read mostly */
	struct onrampq_conf	conf;
	struct onramp_port	*port;
	struct onrampq_rp	*rp;
	struct rb_root		*table;
	u8			table_log;
	bool			measuring;
	bool			limiting;

	/* Written for every packet */
	u32			band_now ____cacheline_aligned;
	struct onrampq_band	band[ONRAMP_BANDS];
	struct onrampq_queue	direct;
	struct rb_root_cached	waiting;
	u32			nr_waiting;
	u32			nr_queues;
	u32			nr_inactive;
	u32			nr_detached;
	u32			nr_moved;
	bool			now_exact;
	u64			now_ns;
	unsigned long		now_tick;
	struct onramp_pick	pick;
	u64			latency_ns;

	/* Written for some */
	struct tc_onramp_xstats	count;
	struct delay_hist	sojourn;
	struct onrampq_queue	spare;
	struct qdisc_watchdog	watchdog;

	/* Seldom used */
	struct onramp_settings	settings ____cacheline_aligned;
};

/**
 * onrampq_now() - the time of a qdisc's host
 * @sch: the qdisc
 *
 * Return: ns of onramp_now().
 */
static inline u64 onrampq_now(const struct Qdisc *sch)
{
	return onramp_now(dev_net(qdisc_dev(sch)));
}

/**
 * onrampq_tick() - a clock that costs nothing to read
 *
 * Return: ticks, to compare by time_after().
 */
static inline unsigned long onrampq_tick(void)
{
	return jiffies;
}

/**
 * onrampq_read_time() - read the clock
 * @sch: the qdisc
 *
 * To read it costs more than to queue a packet, so that enqueue does it once and
 * dequeue only if it makes a difference: what was due as the last packet came is due.
 *
 * Return: the time, ns.
 */
static inline u64 onrampq_read_time(struct Qdisc *sch)
{
	struct onrampq_sched *q = qdisc_priv(sch);

	q->now_ns = onrampq_now(sch);
	q->now_tick = onrampq_tick();
	q->now_exact = true;
	return q->now_ns;
}

/**
 * onrampq_exact_time() - the time, read in this dequeue
 * @sch: the qdisc
 *
 * Return: ns.
 */
static inline u64 onrampq_exact_time(struct Qdisc *sch)
{
	const struct onrampq_sched *q = qdisc_priv(sch);

	return q->now_exact ? q->now_ns : onrampq_read_time(sch);
}

/**
 * onrampq_drop_limited() - a packet that has a reaction point, or none, is dropped
 * @q: the qdisc
 * @skb: the packet
 */
static inline void onrampq_drop_limited(const struct onrampq_sched *q, const struct sk_buff *skb)
{
	if (q->rp && onrampq_cb(skb)->rp)
		onrampq_rp_dropped(q->rp, onrampq_cb(skb)->rp);
}

/**
 * onrampq_is_calm() - does no hold or reaction point delay or move anything?
 * @q: the qdisc
 * @now: time, or an earlier one
 *
 * Return: true if so; then bindings need not be looked at.
 */
static inline bool onrampq_is_calm(const struct onrampq_sched *q, u64 now)
{
	return !q->nr_moved &&
	       (!q->measuring || READ_ONCE(q->port->held_until_ns) <= now);
}

/* table.c; root lock held, as for all that follows */

extern struct kmem_cache *onrampq_queue_cache;

/**
 * struct onrampq_key - by which a queue is found
 * @hash: of the socket, or without one of the packet
 * @sk: the socket, or NULL
 *
 * Where it lies in memory tells sockets with the same hash apart; no queue's
 * place in the table depends on it otherwise, so that runs repeat.
 */
struct onrampq_key {
	u32 hash;
	const struct sock *sk;
};

/**
 * onrampq_key_of() - which queue is a packet's?
 * @q: the qdisc
 * @skb: the packet; orphaned if its socket is none that packets belong to
 *
 * Return: the key.
 */
struct onrampq_key onrampq_key_of(const struct onrampq_sched *q, struct sk_buff *skb);

/**
 * onrampq_table_get() - find a queue, or make one
 * @q: the qdisc
 * @key: by onrampq_key_of()
 * @now: time
 *
 * A few of the queues it comes along that were idle for long are forgotten.
 * Return: the queue; NULL if there is no memory.
 */
struct onrampq_queue *onrampq_table_get(struct onrampq_sched *q, const struct onrampq_key *key,
					u64 now);

/**
 * onrampq_table_alloc() - memory for a table
 * @sch: the qdisc
 * @log: log2 of the buckets
 *
 * Context: may sleep, no lock needed.
 * Return: the table, for onrampq_table_set() or kvfree(); NULL without memory.
 */
struct rb_root *onrampq_table_alloc(struct Qdisc *sch, u8 log);

/**
 * onrampq_table_set() - put a table in place of the one in use
 * @q: the qdisc
 * @table: empty
 * @log: log2 of its buckets
 *
 * Return: the old table, for kvfree() without the lock.
 */
struct rb_root *onrampq_table_set(struct onrampq_sched *q, struct rb_root *table,
				  u8 log);

/**
 * onrampq_table_first() - a queue; with onrampq_table_next() all of them, in an order
 *	that does not change while none is made or forgotten
 * @q: the qdisc
 *
 * Return: the queue; NULL if there is none.
 */
struct onrampq_queue *onrampq_table_first(const struct onrampq_sched *q);

/**
 * onrampq_table_next() - the next queue
 * @q: the qdisc
 * @f: the one before
 *
 * All together cost a visit of each bucket and each queue; to start from the first
 * again and again while queues go costs a visit of all buckets each time.
 *
 * Return: the queue; NULL if @f was the last.
 */
struct onrampq_queue *onrampq_table_next(const struct onrampq_sched *q,
					 const struct onrampq_queue *f);

/**
 * onrampq_table_detach() - bind no queue to a flow any more
 * @q: the qdisc, which is not @measuring
 * @now: time
 *
 * Holds end; what they moved stays moved for packets that are queued.
 */
void onrampq_table_detach(struct onrampq_sched *q, u64 now);

/**
 * onrampq_table_purge() - forget all queues, with their packets; and the spare one's
 * @q: the qdisc
 * @now: time
 *
 * Context: RTNL.
 */
void onrampq_table_purge(struct onrampq_sched *q, u64 now);

/* drr.c */

/**
 * onrampq_drr_init() - no queue is on a list
 * @q: the qdisc
 */
void onrampq_drr_init(struct onrampq_sched *q);

/**
 * onrampq_drr_add() - at the end of a list of the queue's band
 * @q: the qdisc
 * @f: the queue, idle or taken off where it was
 * @is_new: the list served first
 */
void onrampq_drr_add(struct onrampq_sched *q, struct onrampq_queue *f, bool is_new);

/**
 * onrampq_drr_remove() - the queue that is served goes off its list
 * @band: from onrampq_drr_next()
 */
void onrampq_drr_remove(struct onrampq_band *band);

/**
 * onrampq_drr_idle() - a queue is on no list
 * @f: the queue, taken off where it was, or new
 * @now: time
 */
void onrampq_drr_idle(struct onrampq_queue *f, u64 now);

/**
 * onrampq_drr_next() - the next queue to serve
 * @q: the qdisc
 * @now: time
 * @band: the band that pays for it
 *
 * Return: a queue with a packet and credit; NULL if none has a packet.
 */
struct onrampq_queue *onrampq_drr_next(struct onrampq_sched *q, u64 now,
				       struct onrampq_band **band);

/* wait.c */

/**
 * onrampq_wait_next_ns() - when is the first of those that wait due?
 * @q: the qdisc
 *
 * Return: ns; U64_MAX if none waits.
 */
u64 onrampq_wait_next_ns(const struct onrampq_sched *q);

/**
 * onrampq_wait_for() - let a queue wait
 * @q: the qdisc
 * @f: the queue, taken off where it was
 * @due: until when
 */
void onrampq_wait_for(struct onrampq_sched *q, struct onrampq_queue *f, u64 due);

/**
 * onrampq_wait_leave() - a queue that goes waits no more
 * @q: the qdisc
 * @f: the queue, which waits
 */
void onrampq_wait_leave(struct onrampq_sched *q, struct onrampq_queue *f);

/**
 * onrampq_wait_end() - a queue waits no more
 * @q: the qdisc
 * @f: the queue, which waits; goes on a DRR list
 */
void onrampq_wait_end(struct onrampq_sched *q, struct onrampq_queue *f);

/**
 * onrampq_wait_release() - put those that are due on DRR lists
 * @q: the qdisc
 * @now: time
 */
void onrampq_wait_release(struct onrampq_sched *q, u64 now);

/**
 * onrampq_wait_resort() - the time of a queue that waits may have moved
 * @q: the qdisc
 * @f: the queue, which waits
 * @now: time
 */
void onrampq_wait_resort(struct onrampq_sched *q, struct onrampq_queue *f, u64 now);

/**
 * onrampq_wait_kicked() - check queues again whose hold core made shorter
 * @q: the qdisc, with a port
 * @now: time
 */
void onrampq_wait_kicked(struct onrampq_sched *q, u64 now);

/**
 * onrampq_wait_arm() - wake us for the first that is due
 * @q: the qdisc
 */
void onrampq_wait_arm(struct onrampq_sched *q);

/* bind.c */

/**
 * onrampq_bind_packet() - a TCP packet is about to be queued
 * @q: the qdisc, which is @measuring
 * @f: the queue
 * @skb: the packet; its control block is written
 * @p: what it is, by onramp_read()
 * @now: time
 *
 * If it is to be remembered the queue is bound to its flow.  Without memory it is not,
 * and then nor is it remembered.
 */
void onrampq_bind_packet(struct onrampq_sched *q, struct onrampq_queue *f,
			 struct sk_buff *skb, struct onramp_packet *p, u64 now);

/**
 * onrampq_bind_sent() - a packet leaves of which core is to know
 * @q: the qdisc
 * @f: the queue, which may have no binding any more
 * @skb: the packet
 */
void onrampq_bind_sent(struct onrampq_sched *q, struct onrampq_queue *f,
		       struct sk_buff *skb);

/**
 * onrampq_bind_detach() - a queue is no flow's any more; of packets that wait in it
 *	what holds moved stays moved, or they would leave in a burst
 * @q: the qdisc
 * @f: the queue, which has a binding
 * @now: time
 */
void onrampq_bind_detach(struct onrampq_sched *q, struct onrampq_queue *f, u64 now);

/**
 * onrampq_bind_drained() - the last packet of a queue is gone
 * @q: the qdisc
 * @f: the queue
 */
static inline void onrampq_bind_drained(struct onrampq_sched *q, struct onrampq_queue *f)
{
	if (likely(!f->binding || !f->binding->detached))
		return;
	f->binding->detached = false;
	q->nr_detached--;
}

/**
 * onrampq_bind_count() - a hold may have begun or ceased to move a queue
 * @q: the qdisc
 * @binding: the queue's
 * @waited: packets are in it that waited for the hold before
 */
static inline void onrampq_bind_count(struct onrampq_sched *q,
				      struct onrampq_binding *binding, bool waited)
{
	bool moved = binding->hold_ns || binding->shift.left_ns || waited;

	if (likely(moved == binding->moved))
		return;
	binding->moved = moved;
	q->nr_moved += moved ? 1 : -1;
}

/**
 * onrampq_bind_free() - a queue is no flow's any more; what holds moved is forgotten
 * @q: the qdisc
 * @f: the queue, which has a binding
 * @now: time
 *
 * If core kicked it, all that were kicked are checked.
 */
void onrampq_bind_free(struct onrampq_sched *q, struct onrampq_queue *f, u64 now);

/* netlink.c */

/**
 * onrampq_settings_init() - defaults, and what a request changes of them
 * @sch: the qdisc; its port and table are made
 * @opt: TCA_OPTIONS or NULL
 * @extack: gets the reason of a refusal
 *
 * Context: RTNL.
 * Return: 0 or a negative error.
 */
int onrampq_settings_init(struct Qdisc *sch, struct nlattr *opt,
			  struct netlink_ext_ack *extack);

/**
 * onrampq_change() - Qdisc_ops.change
 * @sch: the qdisc
 * @opt: TCA_OPTIONS
 * @extack: gets the reason of a refusal; nothing is changed then
 *
 * Context: RTNL.
 * Return: 0 or a negative error.
 */
int onrampq_change(struct Qdisc *sch, struct nlattr *opt,
		   struct netlink_ext_ack *extack);

/**
 * onrampq_dump() - Qdisc_ops.dump: what was given, and can be sent back as it is
 * @sch: the qdisc
 * @skb: the message
 *
 * Context: RTNL.
 * Return: its length, or -EMSGSIZE.
 */
int onrampq_dump(struct Qdisc *sch, struct sk_buff *skb);

/**
 * onrampq_dump_stats() - Qdisc_ops.dump_stats
 * @sch: the qdisc
 * @d: the message
 *
 * Context: RTNL.
 * Return: 0, or -1 if it is full.
 */
int onrampq_dump_stats(struct Qdisc *sch, struct gnet_dump *d);

#endif /* SHARPRAMP_ONRAMPQ_H */
