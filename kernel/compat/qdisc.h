/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel versions: drops, segments and counters of qdiscs, departure times of packets. */
#ifndef SHARPRAMP_COMPAT_QDISC_H
#define SHARPRAMP_COMPAT_QDISC_H

#include <linux/skbuff.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <net/sock.h>

#ifdef HAVE_NET_GSO_H
#include <net/gso.h>
#endif

/**
 * enum compat_drop - why a qdisc drops a packet
 * @COMPAT_DROP_OVERLIMIT: its limit is reached
 * @COMPAT_DROP_CONGESTED: a mark was due, and the packet cannot be marked
 * @COMPAT_DROP_BAND: its band's limit is reached
 * @COMPAT_DROP_HORIZON: its departure time is too far ahead
 * @COMPAT_DROP_FLOW: its flow's limit is reached
 */
enum compat_drop {
	COMPAT_DROP_OVERLIMIT,
	COMPAT_DROP_CONGESTED,
	COMPAT_DROP_BAND,
	COMPAT_DROP_HORIZON,
	COMPAT_DROP_FLOW,
};

#ifdef HAVE_ENUM_QDISC_DROP_REASON
static const enum qdisc_drop_reason compat_reasons[] = {
	[COMPAT_DROP_OVERLIMIT]	= QDISC_DROP_OVERLIMIT,
	[COMPAT_DROP_CONGESTED]	= QDISC_DROP_CONGESTED,
	[COMPAT_DROP_BAND]	= QDISC_DROP_BAND_LIMIT,
	[COMPAT_DROP_HORIZON]	= QDISC_DROP_HORIZON_LIMIT,
	[COMPAT_DROP_FLOW]	= QDISC_DROP_FLOW_LIMIT,
};
#elif defined(HAVE_DROP_QDISC_DROP)
static const enum skb_drop_reason compat_reasons[] = {
#ifdef HAVE_DROP_QDISC_OVERLIMIT
	[COMPAT_DROP_OVERLIMIT]	= SKB_DROP_REASON_QDISC_OVERLIMIT,
	[COMPAT_DROP_CONGESTED]	= SKB_DROP_REASON_QDISC_CONGESTED,
#else
	[COMPAT_DROP_OVERLIMIT]	= SKB_DROP_REASON_QDISC_DROP,
	[COMPAT_DROP_CONGESTED]	= SKB_DROP_REASON_QDISC_DROP,
#endif
#ifdef HAVE_DROP_FQ_LIMIT
	[COMPAT_DROP_BAND]	= SKB_DROP_REASON_FQ_BAND_LIMIT,
	[COMPAT_DROP_HORIZON]	= SKB_DROP_REASON_FQ_HORIZON_LIMIT,
	[COMPAT_DROP_FLOW]	= SKB_DROP_REASON_FQ_FLOW_LIMIT,
#else
	[COMPAT_DROP_BAND]	= SKB_DROP_REASON_QDISC_DROP,
	[COMPAT_DROP_HORIZON]	= SKB_DROP_REASON_QDISC_DROP,
	[COMPAT_DROP_FLOW]	= SKB_DROP_REASON_QDISC_DROP,
#endif
};
#endif

/**
 * compat_qdisc_drop() - drop a packet, with a reason
 * @skb: the packet; consumed
 * @sch: the qdisc; its drops are counted
 * @to_free: list of packets to free once the lock is dropped
 * @why: the reason for tracing, in kernels that have it
 *
 * Context: qdisc lock held.
 * Return: NET_XMIT_DROP.
 */
static inline int compat_qdisc_drop(struct sk_buff *skb, struct Qdisc *sch,
				    struct sk_buff **to_free,
				    enum compat_drop why)
{
#if defined(HAVE_QDISC_DROP_REASON)
	return qdisc_drop_reason(skb, sch, to_free, compat_reasons[why]);
#else
	return qdisc_drop(skb, sch, to_free);
#endif
}

/**
 * compat_qdisc_drop_overlimit() - refuse a packet because the queue is full
 * @skb: the packet; consumed
 * @sch: the qdisc; its drops and overlimits are counted
 * @to_free: list of packets to free once the lock is dropped
 *
 * Context: qdisc lock held.
 * Return: NET_XMIT_DROP.
 */
static inline int compat_qdisc_drop_overlimit(struct sk_buff *skb,
					      struct Qdisc *sch,
					      struct sk_buff **to_free)
{
	qdisc_qstats_overlimit(sch);
	return compat_qdisc_drop(skb, sch, to_free, COMPAT_DROP_OVERLIMIT);
}

/**
 * compat_qdisc_dequeue_drops() - mark a qdisc that may drop on dequeue
 * @sch: the qdisc, before anybody sees it
 */
static inline void compat_qdisc_dequeue_drops(struct Qdisc *sch)
{
#ifdef HAVE_DEQUEUE_DROP
	sch->flags |= TCQ_F_DEQUEUE_DROPS;
#endif
}

/**
 * compat_qdisc_dequeue_drop() - drop a packet on dequeue
 * @sch: the qdisc, of compat_qdisc_dequeue_drops()
 * @skb: the packet; consumed; the caller has counted the drop
 *
 * Where the kernel can, it is freed once the root's lock is dropped.  6.19 began
 * that by a list of each qdisc's own, which nobody empties below another root;
 * since 7.1 it is the root's, if that takes it, and only this is used.
 *
 * Context: qdisc lock held.
 */
static inline void compat_qdisc_dequeue_drop(struct Qdisc *sch,
					     struct sk_buff *skb)
{
#if defined(HAVE_DEQUEUE_DROP)
	qdisc_dequeue_drop(sch, skb, compat_reasons[COMPAT_DROP_CONGESTED]);
#elif defined(HAVE_ENUM_QDISC_DROP_REASON) || defined(HAVE_DROP_QDISC_DROP)
	kfree_skb_reason(skb, (enum skb_drop_reason)
			 compat_reasons[COMPAT_DROP_CONGESTED]);
#else
	kfree_skb(skb);
#endif
}

/**
 * compat_qdisc_segment() - set what the stack notes of a packet, for a segment
 * @skb: what segmentation made of a GSO packet that was already enqueued
 *
 * Since 6.19 the number of packets that a packet stands for is noted, too.
 */
static inline void compat_qdisc_segment(struct sk_buff *skb)
{
	qdisc_skb_cb(skb)->pkt_len = skb->len;
#ifdef HAVE_QDISC_PKT_SEGS
	qdisc_skb_cb(skb)->pkt_segs = 1;
#endif
}

/**
 * compat_qdisc_sent_bytes() - what the stack counted of a qdisc's bytes
 * @sch: a qdisc without per-CPU counters
 *
 * Context: qdisc lock held.
 * Return: bytes that left, with what tc stab adds.
 */
static inline u64 compat_qdisc_sent_bytes(const struct Qdisc *sch)
{
#ifdef HAVE_GNET_STATS_BASIC_SYNC
	return u64_stats_read(&sch->bstats.bytes);
#else
	return sch->bstats.bytes;
#endif
}

/**
 * compat_skb_has_edt() - is a packet marked as having a departure time?
 * @skb: the packet; its time stamp is not 0
 *
 * Since 5.18 there is a bit for it, since 6.10 a clock.  Before that all stamps
 * of packets on their way out are taken for one.
 *
 * Return: true if skb->tstamp is a departure time by CLOCK_MONOTONIC.
 */
static inline bool compat_skb_has_edt(const struct sk_buff *skb)
{
#if defined(HAVE_SKB_TSTAMP_TYPE)
	return skb->tstamp_type == SKB_CLOCK_MONOTONIC;
#elif defined(HAVE_SKB_MONO_DELIVERY)
	return skb->mono_delivery_time;
#else
	return true;
#endif
}

/**
 * compat_skb_has_other_time() - is a packet's time marked as not a departure time?
 * @skb: the packet, on its way out; its time stamp is not 0, and
 *	compat_skb_has_edt() is false
 * @sk: its socket, a full one, or NULL
 *
 * A BPF program may set the time alone, and none of what the stack forwards keeps
 * that of its reception, so that fq takes every time for a departure time by
 * CLOCK_MONOTONIC.  A socket may have set another clock (SO_TXTIME), which
 * since 6.10 the packet itself says, unless that is CLOCK_REALTIME.
 *
 * Return: true if it is by another clock.
 */
static inline bool compat_skb_has_other_time(const struct sk_buff *skb,
					     const struct sock *sk)
{
#if defined(HAVE_SKB_TSTAMP_TYPE)
	if (skb->tstamp_type == SKB_CLOCK_TAI)
		return true;
	return sk && sock_flag(sk, SOCK_TXTIME) &&
	       sk->sk_clockid == CLOCK_REALTIME;
#else
	return sk && sock_flag(sk, SOCK_TXTIME) &&
	       sk->sk_clockid != CLOCK_MONOTONIC;
#endif
}

#endif /* SHARPRAMP_COMPAT_QDISC_H */
