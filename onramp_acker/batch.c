// SPDX-License-Identifier: GPL-2.0
/*
 * Batches of acks: one datagram a path and round of receiving, or more if one
 * is full or the clock was set in between.
 */
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/udp.h>
#include <net/dst.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ip6_checksum.h>
#include <net/ipv6.h>
#include <net/udp.h>

#include "acker.h"

static_assert(ONRAMP_WIRE_FLAG_MAC == ONRAMP_WIRE_MAC);
static_assert(ONRAMP_WIRE_FLAG_NO_CLOCK == ONRAMP_WIRE_NO_CLOCK);
static_assert(ONRAMP_WIRE_HEADER_BYTES == sizeof(struct onramp_wire_header));
static_assert(ONRAMP_WIRE_ENTRY_BYTES == sizeof(struct onramp_wire_entry));

#define ACKER_HOPS 64

static bool acker_path_is_v4(const struct acker_path *path)
{
	return ipv6_addr_v4mapped(&path->pair.self);
}

/* IP and UDP. */
static u32 acker_header_bytes(const struct acker_path *path)
{
	return (acker_path_is_v4(path) ? sizeof(struct iphdr) :
					 sizeof(struct ipv6hdr)) +
	       sizeof(struct udphdr);
}

/* How many entries go into a datagram that is not fragmented; 0: none. */
static u8 acker_batch_room(const struct acker_path *path,
			   const struct dst_entry *dst)
{
	u32 bytes = acker_header_bytes(path) +
		    onramp_wire_bytes(0, path->is_signed);
	u32 mtu = dst_mtu(dst);

	if (mtu <= bytes)
		return 0;
	return min_t(u32, (mtu - bytes) / ONRAMP_WIRE_ENTRY_BYTES,
		     ONRAMP_WIRE_MAX_COUNT);
}

/*
 * The datagram has space for all possible entries: it is short-lived, and a
 * batch need not grow.
 */
static bool acker_batch_alloc(struct acker_net *a, struct acker_path *path)
{
	struct dst_entry *dst = acker_path_route(a, path);
	struct sk_buff *skb;
	u32 bytes;

	if (!dst)
		return false;
	path->room = acker_batch_room(path, dst);
	bytes = acker_header_bytes(path) +
		onramp_wire_bytes(path->room, path->is_signed);
	skb = path->room ? alloc_skb(LL_MAX_HEADER + bytes,
				     GFP_ATOMIC | __GFP_NOWARN) : NULL;
	if (!skb) {
		a->stats.send_failed++;
		return false;
	}
	skb_reserve(skb, LL_MAX_HEADER);
	skb_reset_network_header(skb);
	skb_set_transport_header(skb, acker_header_bytes(path) -
				      sizeof(struct udphdr));
	skb_put(skb, acker_header_bytes(path) + ONRAMP_WIRE_HEADER_BYTES);
	skb_dst_set(skb, dst_clone(dst));
	path->batch = skb;
	path->count = 0;
	return true;
}

static bool acker_batch_open(struct acker_net *a, struct acker_path *path,
			     const struct onramp_clock *clock, u64 now_ns)
{
	u32 bytes;

	path->is_signed = onramp_key_signs(a->net, &path->pair.peer);
	bytes = acker_header_bytes(path) + onramp_wire_bytes(1, path->is_signed);
	if (path->budget < bytes) {
		a->stats.unearned++;
		return false;
	}
	if (!onramp_rate_take(&a->rate, now_ns, a->set.rate)) {
		a->stats.rate_limited++;
		return false;
	}
	if (!acker_batch_alloc(a, path))
		return false;
	onramp_budget_spend(&path->budget, bytes);
	path->clock = *clock;
	list_add_tail(&path->ready, &a->ready);
	tasklet_schedule(&a->tasklet);
	return true;
}

/* Stamps of one clock only, whose bound is the worst of them. */
static bool acker_batch_is_of(struct acker_path *path,
			      const struct onramp_clock *clock)
{
	if (path->clock.id != clock->id || path->clock.epoch != clock->epoch ||
	    path->clock.ok != clock->ok)
		return false;
	path->clock.error_ns = max(path->clock.error_ns, clock->error_ns);
	return true;
}

/* Have a batch with space for one more entry, and the entry paid for. */
static bool acker_batch_extend(struct acker_net *a, struct acker_path *path,
			       const struct onramp_clock *clock, u64 now_ns)
{
	if (path->batch && !acker_batch_is_of(path, clock))
		acker_batch_close(a, path);
	if (!path->batch)
		return acker_batch_open(a, path, clock, now_ns);
	if (onramp_budget_spend(&path->budget, ONRAMP_WIRE_ENTRY_BYTES))
		return true;
	a->stats.unearned++;
	return false;
}

static u8 *acker_wire(struct sk_buff *skb)
{
	return skb_transport_header(skb) + sizeof(struct udphdr);
}

static void acker_count(struct acker_net *a, enum onramp_due due)
{
	a->stats.entries++;
	if (due == ONRAMP_DUE_FIRST)
		a->stats.entries_first++;
	else if (due == ONRAMP_DUE_EVERY)
		a->stats.entries_every++;
	else
		a->stats.entries_last++;
}

/**
 * acker_ack() - report a flow's last packet to its sender, if that is allowed
 * @a: the namespace
 * @flow: the flow
 * @due: why
 * @now_ns: time
 *
 * Context: @a->lock held.
 */
void acker_ack(struct acker_net *a, struct acker_flow *flow,
	       enum onramp_due due, u64 now_ns)
{
	const struct acker_received *last = &flow->last;
	const struct onramp_wire_item item = {
		.rx_ns = last->rx_ns,
		.seq = last->seq,
		.len = last->len,
		.sport = ntohs(flow->tuple.sport),
		.dport = ntohs(flow->tuple.dport),
		.stamp = last->stamp,
	};
	struct acker_path *path = flow->path;
	bool extended;

	if (onramp_backoff_is_on(&path->backoff, now_ns)) {
		a->stats.backed_off++;
		return;
	}
	rcu_read_lock();
	extended = acker_batch_extend(a, path, &last->clock, now_ns);
	rcu_read_unlock();
	if (!extended)
		return;
	skb_put(path->batch, ONRAMP_WIRE_ENTRY_BYTES);
	onramp_wire_put_entry(acker_wire(path->batch), path->count++, &item);
	acker_count(a, due);
	if (path->count == path->room)
		acker_batch_close(a, path);
}

static void acker_put_udp(struct sk_buff *skb, const struct acker_path *path)
{
	u32 len = skb->len - skb_transport_offset(skb);
	struct udphdr *udp = udp_hdr(skb);

	udp->source = htons(ONRAMP_PORT);
	udp->dest = htons(ONRAMP_PORT);
	udp->len = htons(len);
	if (acker_path_is_v4(path))
		udp->check = ~csum_tcpudp_magic(path->pair.self.s6_addr32[3],
						path->pair.peer.s6_addr32[3],
						len, IPPROTO_UDP, 0);
	else
		udp->check = ~csum_ipv6_magic(&path->pair.self,
					      &path->pair.peer, len,
					      IPPROTO_UDP, 0);
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_transport_header(skb) - skb->head;
	skb->csum_offset = offsetof(struct udphdr, check);
}

/* ip_local_out() and ip6_local_out() fill in lengths and the checksum. */
static void acker_put_ip(struct sk_buff *skb, const struct acker_path *path)
{
	if (acker_path_is_v4(path)) {
		*ip_hdr(skb) = (struct iphdr){
			.version = 4,
			.ihl = sizeof(struct iphdr) / 4,
			.tos = path->dsfield,
			.frag_off = htons(IP_DF),
			.ttl = ACKER_HOPS,
			.protocol = IPPROTO_UDP,
			.saddr = path->pair.self.s6_addr32[3],
			.daddr = path->pair.peer.s6_addr32[3],
		};
		skb->protocol = htons(ETH_P_IP);
		return;
	}
	ip6_flow_hdr(ipv6_hdr(skb), path->dsfield, 0);
	ipv6_hdr(skb)->nexthdr = IPPROTO_UDP;
	ipv6_hdr(skb)->hop_limit = ACKER_HOPS;
	ipv6_hdr(skb)->saddr = path->pair.self;
	ipv6_hdr(skb)->daddr = path->pair.peer;
	skb->protocol = htons(ETH_P_IPV6);
}

/* A key that went since the batch was opened leaves the trailer's space unused. */
static void acker_put_wire(struct acker_net *a, struct acker_path *path,
			   struct sk_buff *skb, struct onramp_wire_head *head)
{
	onramp_wire_put_head(acker_wire(skb), head);
	if (!head->has_mac)
		return;
	if (onramp_key_sign(a->net, &path->pair.self, &path->pair.peer,
			    acker_wire(skb), head->count)) {
		skb_put(skb, ONRAMP_WIRE_MAC_BYTES);
		return;
	}
	head->has_mac = false;
	onramp_wire_put_head(acker_wire(skb), head);
}

/**
 * acker_batch_close() - a path's datagram is complete
 * @a: the namespace
 * @path: has a batch
 *
 * Context: @a->lock held.
 */
void acker_batch_close(struct acker_net *a, struct acker_path *path)
{
	const struct onramp_clock *clock = &path->clock;
	bool published = clock->ok && clock->id == ONRAMP_CLOCK_PUBLISHED;
	struct onramp_wire_head head = {
		.clock_id = published ? ONRAMP_CLOCK_PUBLISHED :
					ONRAMP_CLOCK_SYSTEM,
		.clock_epoch = published ? clock->epoch : 0,
		.clock_error_ns = clock->error_ns,
		.serial = path->serial++,
		.count = path->count,
		.no_clock = !clock->ok,
		.has_mac = path->is_signed,
	};
	struct sk_buff *skb = path->batch;

	path->batch = NULL;
	list_del_init(&path->ready);
	acker_put_wire(a, path, skb, &head);
	acker_put_udp(skb, path);
	acker_put_ip(skb, path);
	skb->priority = TC_PRIO_CONTROL;
	__skb_queue_tail(&a->outbox, skb);
	tasklet_schedule(&a->tasklet);
}

/* OR-ACKs on their way out, when the round of receiving is over. */

static bool acker_send_one(struct net *net, struct sk_buff *skb)
{
	int err;

	if (skb->protocol == htons(ETH_P_IP))
		err = ip_local_out(net, NULL, skb);
	else if (IS_ENABLED(CONFIG_IPV6))
		err = ip6_local_out(net, NULL, skb);
	return !net_xmit_eval(err);
}

/**
 * acker_send() - send whatever there is
 * @tasklet: the namespace's
 *
 * Context: softirq, no lock.
 */
void acker_send(struct tasklet_struct *tasklet)
{
	struct acker_net *a = from_tasklet(a, tasklet, tasklet);
	struct acker_path *path, *next;
	u32 sent = 0, failed = 0;
	struct sk_buff_head out;
	struct sk_buff *skb;

	__skb_queue_head_init(&out);
	spin_lock(&a->lock);
	list_for_each_entry_safe(path, next, &a->ready, ready)
		acker_batch_close(a, path);
	skb_queue_splice_init(&a->outbox, &out);
	spin_unlock(&a->lock);

	while ((skb = __skb_dequeue(&out))) {
		if (acker_send_one(a->net, skb))
			sent++;
		else
			failed++;
	}

	spin_lock(&a->lock);
	a->stats.datagrams += sent;
	a->stats.send_failed += failed;
	spin_unlock(&a->lock);
}

/* The last packets of bursts, which are acked when none came for a while. */

/**
 * acker_timer_restart() - have the timer end when the first flow is due
 * @a: the namespace
 *
 * Context: @a->lock held.
 */
void acker_timer_restart(struct acker_net *a)
{
	struct acker_flow *flow;

	flow = list_first_entry_or_null(&a->waiting, struct acker_flow,
					waiting);
	if (flow && !a->dead)
		hrtimer_start(&a->timer,
			      ns_to_ktime(onramp_due_at(&a->set.due,
							&flow->due)),
			      HRTIMER_MODE_ABS_SOFT);
}

/**
 * acker_timer() - acks what nothing came after
 * @timer: the namespace's
 *
 * Ends early if the flow that it was set for has had a packet since.  So it is
 * not moved with each packet, but at most once a delay.
 *
 * Context: softirq, no lock.
 * Return: HRTIMER_NORESTART: it is started for the next flow if there is one.
 */
enum hrtimer_restart acker_timer(struct hrtimer *timer)
{
	struct acker_net *a = container_of(timer, struct acker_net, timer);
	u64 now_ns = onramp_now(a->net);
	struct acker_flow *flow, *next;
	enum onramp_due due;

	spin_lock(&a->lock);
	list_for_each_entry_safe(flow, next, &a->waiting, waiting) {
		due = onramp_due_on_time(&a->set.due, &flow->due, now_ns);
		if (due == ONRAMP_DUE_NOT)
			break;
		list_del_init(&flow->waiting);
		acker_ack(a, flow, due, now_ns);
	}
	acker_timer_restart(a);
	spin_unlock(&a->lock);
	return HRTIMER_NORESTART;
}
