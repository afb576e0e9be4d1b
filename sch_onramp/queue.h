/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The packets of one queue, by time.  All is the root's qdisc lock's.
 */
#ifndef SHARPRAMP_ONRAMPQ_QUEUE_H
#define SHARPRAMP_ONRAMPQ_QUEUE_H

#include <linux/list.h>
#include <linux/rbtree.h>
#include <linux/skbuff.h>
#include <net/pkt_sched.h>

#include "onramp_core.h"

/**
 * enum onrampq_report - what core is to know of a packet that leaves; bits
 * @ONRAMPQ_REMEMBER: it is remembered
 * @ONRAMPQ_AGAIN: some of it was sent before
 * @ONRAMPQ_SYN: a connection begins
 */
enum onrampq_report {
	ONRAMPQ_REMEMBER = 1,
	ONRAMPQ_AGAIN = 2,
	ONRAMPQ_SYN = 4,
};

/**
 * struct onrampq_cb - what the qdisc remembers of a queued packet
 * @time_ns: departure time that its sender gave, else when it came
 * @band: 0 to ONRAMP_BANDS - 1
 * @edt: the sender gave one
 * @payload: TCP with payload, which is what may be held; only if @measuring
 * @overtakes: what is held in its queue need not keep it: pure ACKs and SYN, and of an
 *	orphans' queue what is not TCP
 * @sorted: in onrampq_queue.sorted
 * @report: enum onrampq_report; only if @measuring
 * @rp: its reaction point, 1 and above; 0: none
 * @mark: onramp_skb_mark()
 */
struct onrampq_cb {
	u64 time_ns;
	u8 band;
	bool edt;
	bool payload;
	bool overtakes;
	bool sorted;
	u8 report;
	u16 rp;
	u32 mark;
} __packed __aligned(4);

static_assert(offsetof(struct onrampq_cb, mark) == ONRAMP_MARK_OFFSET);

static inline struct onrampq_cb *onrampq_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct onrampq_cb));
	return (struct onrampq_cb *)qdisc_skb_cb(skb)->data;
}

/**
 * enum onrampq_state - where a queue is
 * @ONRAMPQ_IDLE: nowhere: it had no packet when DRR came to it
 * @ONRAMPQ_LISTED: on a DRR list of its band
 * @ONRAMPQ_WAIT: not due, in the tree of those
 */
enum onrampq_state {
	ONRAMPQ_IDLE,
	ONRAMPQ_LISTED,
	ONRAMPQ_WAIT,
};

/**
 * struct onrampq_shift - by how much holds moved the schedule of departure times
 * @left_ns: when the last packet was due, with holds; 0: nothing is moved
 * @time_ns: when its sender wanted it to leave
 * @gap_ns: the least gap behind it that its pacing rate requires; U64_MAX if
 *	that is not known
 */
struct onrampq_shift {
	u64 left_ns;
	u64 time_ns;
	u64 gap_ns;
};

struct onrampq_queue;

/**
 * struct onrampq_binding - what a queue has while it may be held
 * @queue: whose it is
 * @hold_ns: hold that it last waited for; 0 if its head did not
 * @over_ns: until when holds kept it that are over for what waits in it: of flows
 *	that it is not of any more, or of data that left before
 * @detached: packets wait in it from when it was a flow's; in onrampq_sched.nr_detached
 * @moved: a hold moves it: @hold_ns or @shift is not 0, or what waited for one is in it;
 *	in onrampq_sched.nr_moved
 * @shift: by how much holds moved its schedule
 * @att: core's side
 */
struct onrampq_binding {
	struct onrampq_queue	*queue;
	u64			hold_ns;
	u64			over_ns;
	struct onrampq_shift	shift;
	struct onramp_attachment	att;
	bool			detached;
	bool			moved;
};

/**
 * struct onrampq_queue - packets of one flow
 * @node: in its bucket of the table
 * @sk: by which it is found, see onrampq_key; never followed, it may be gone
 * @hash: likewise
 * @band: of its last packet
 * @state: enum onrampq_state
 * @remember_all: all packets are remembered, as its flow says
 * @orphan: of packets without a socket, bits of the last one's hash that @hash may not
 *	have
 * @head: packets in the order they came and of their times
 * @tail: last of them; valid if @head
 * @idle_ns: since when it is ONRAMPQ_IDLE
 * @qlen: packets
 * @credit: bytes it may send before others are served
 * @sorted: packets that came later than others with a later time, and those that
 *	came to pass others
 * @next: behind it on a DRR list of its band, in ONRAMPQ_LISTED; NULL: none is
 * @wait: in the tree of those not due, in ONRAMPQ_WAIT
 * @due_ns: last time that it had to wait for
 * @pace_ns: the pacing rule's time
 * @binding: to its flow; NULL before a packet that may be held
 * @overtaking: packets from @head on that pass those that are held
 * @end: sequence number behind all that was sent; valid if @binding
 *
 * Where there are more of them than caches hold, the lines that a packet needs
 * are its cost: what finds a queue and adds to it is in the first 64 bytes.
 */
struct onrampq_queue {
	struct rb_node		node;
	const struct sock	*sk;
	u32			hash;
	u8			band;
	u8			state : 2;
	u8			remember_all : 1;
	u16			orphan;
	struct sk_buff		*head;
	union {
		struct sk_buff	*tail;
		u64		idle_ns;
	};
	u32			qlen;
	int			credit;

	struct rb_root		sorted;
	union {
		struct onrampq_queue *next;
		struct rb_node	wait;
	};
	u64			due_ns;
	u64			pace_ns;
	struct onrampq_binding	*binding;
	u32			overtaking;
	u32			end;
};

static_assert(offsetof(struct onrampq_queue, sorted) <= 64);
static_assert(sizeof(struct onrampq_queue) <= 128);

/**
 * onrampq_queue_sort_in() - queue a packet that is not the last
 * @f: the queue
 * @skb: the packet
 */
void onrampq_queue_sort_in(struct onrampq_queue *f, struct sk_buff *skb);

/* Comes a packet before those that wait? */
static inline bool onrampq_queue_sorts(const struct onrampq_queue *f,
				       const struct sk_buff *skb)
{
	return onrampq_cb(skb)->time_ns < onrampq_cb(f->tail)->time_ns ||
	       unlikely(onrampq_cb(skb)->overtakes && f->state == ONRAMPQ_WAIT);
}

/**
 * onrampq_queue_add() - queue a packet; it stays behind others of the same time
 * @f: the queue
 * @skb: the packet, its onrampq_cb filled
 */
static inline void onrampq_queue_add(struct onrampq_queue *f, struct sk_buff *skb)
{
	f->qlen++;
	onrampq_cb(skb)->sorted = false;
	if (f->head && unlikely(onrampq_queue_sorts(f, skb))) {
		onrampq_queue_sort_in(f, skb);
		return;
	}
	if (unlikely(onrampq_cb(skb)->overtakes))
		f->overtaking++;
	skb->next = NULL;
	if (f->head)
		f->tail->next = skb;
	else
		f->head = skb;
	f->tail = skb;
}

/**
 * onrampq_queue_peek_sorted() - likewise, of a queue to which some came later than
 *	others with a later time
 * @f: the queue
 *
 * Return: as onrampq_queue_peek().
 */
struct sk_buff *onrampq_queue_peek_sorted(const struct onrampq_queue *f);

/**
 * onrampq_queue_peek() - the packet with the least time
 * @f: the queue
 *
 * Return: the packet, which stays; NULL if there is none.
 */
static inline struct sk_buff *onrampq_queue_peek(const struct onrampq_queue *f)
{
	return likely(RB_EMPTY_ROOT(&f->sorted)) ? f->head :
						   onrampq_queue_peek_sorted(f);
}

/**
 * onrampq_queue_may_overtake() - may there be packets that pass others?
 * @f: the queue
 *
 * Return: false if there is none.
 */
static inline bool onrampq_queue_may_overtake(const struct onrampq_queue *f)
{
	return f->overtaking || !RB_EMPTY_ROOT(&f->sorted);
}

/**
 * onrampq_queue_peek_overtaking() - of the packets that pass, the one with the least
 *	time
 * @f: the queue
 *
 * Walks all packets before it, of which there may be many if it came before
 * the queue began to wait, and few else.
 * Return: the packet, which stays; NULL if there is none.
 */
struct sk_buff *onrampq_queue_peek_overtaking(const struct onrampq_queue *f);

/**
 * onrampq_queue_unlink() - take a packet out that is not the head
 * @sch: the qdisc
 * @f: the queue
 * @skb: the packet
 */
void onrampq_queue_unlink(struct Qdisc *sch, struct onrampq_queue *f,
			  struct sk_buff *skb);

/**
 * onrampq_queue_take() - take a packet out, and out of the qdisc's length
 * @sch: the qdisc
 * @f: the queue
 * @skb: what onrampq_queue_peek() returned, or onrampq_queue_peek_overtaking()
 */
static inline void onrampq_queue_take(struct Qdisc *sch, struct onrampq_queue *f,
				      struct sk_buff *skb)
{
	if (unlikely(onrampq_cb(skb)->overtakes && !onrampq_cb(skb)->sorted))
		f->overtaking--;
	if (likely(skb == f->head))
		f->head = skb->next;
	else
		onrampq_queue_unlink(sch, f, skb);
	skb_mark_not_on_list(skb);
	f->qlen--;
	sch->q.qlen--;
	qdisc_qstats_backlog_dec(sch, skb);
}

/**
 * onrampq_queue_unlimit() - no packet has a reaction point
 * @f: the queue
 */
void onrampq_queue_unlimit(struct onrampq_queue *f);

/**
 * onrampq_queue_purge() - free all packets; the caller mends all counts but qlen
 * @f: the queue
 *
 * Context: RTNL.
 */
void onrampq_queue_purge(struct onrampq_queue *f);

#endif /* SHARPRAMP_ONRAMPQ_QUEUE_H */
