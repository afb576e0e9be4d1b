// SPDX-License-Identifier: GPL-2.0
/*
 * OR-ACKs are taken before conntrack and sockets see them.
 *
 * Their content may be forged.  A datagram is taken only if an entry is of a
 * flow of this namespace whose addresses are the datagram's, swapped.  From peers
 * with a key what is not authentic or was taken before is dropped and counted.
 * Its cost is bounded by its size, which is by the count of entries.
 *
 * One that came too late, when its flows were forgotten, is of an unknown flow: it is dropped,
 * or it would be answered by port unreachable, and the peer would not ack our
 * next flows for a while.  It must be for an address of this host, and come
 * from the end of a path that is known here, with its DSCP; but where not all packets are
 * remembered our flows need not have one.  All others go on: to a router's next hop, or
 * to a socket.
 *
 * One of a flow that this host forwards is taken, and goes on as well: where the
 * flow begins, as in a container, may be an onramp, too.  Whether it is authentic
 * here does not matter there: each has its own keys.  If there is none, its "port
 * unreachable" is not for the peer, which would not ack this host for a while: it ends here,
 * and nothing goes on for some seconds.
 */
#include <linux/inetdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/module.h>
#include <linux/netfilter.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/udp.h>
#include <net/addrconf.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/route.h>

#include "core.h"

/**
 * struct onramp_orack - a datagram that may be an OR-ACK
 * @tuple: of the flows it is about, but for the ports
 * @view: its content
 * @dsfield: its DSCP and ECN
 */
struct onramp_orack {
	struct onramp_tuple	tuple;
	struct onramp_wire_view	view;
	u8			dsfield;
};

/**
 * enum onramp_orack_kind - whose a datagram is
 * @ONRAMP_ORACK_NONE: nobody's here, or it is no OR-ACK
 * @ONRAMP_ORACK_UNKNOWN_FLOW: it came too late
 * @ONRAMP_ORACK_OURS: an entry is of a flow here
 */
enum onramp_orack_kind {
	ONRAMP_ORACK_NONE,
	ONRAMP_ORACK_UNKNOWN_FLOW,
	ONRAMP_ORACK_OURS,
};

/*
 * The UDP payload, in the linear part, if there is all of it and a checksum.
 * Where GRO is configured to (rx-udp-gro-forwarding) it is that of several datagrams
 * of a peer.  A list of packets (rx-gro-list) is none any more once it is
 * pulled, so it is left as it is.
 */
static const u8 *onramp_orack_payload(struct sk_buff *skb, unsigned int offset,
				      const struct udphdr *udp,
				      unsigned int *len)
{
	u32 gso = skb_shinfo(skb)->gso_type & (SKB_GSO_UDP_L4 | SKB_GSO_FRAGLIST);
	unsigned int bytes = ntohs(udp->len);

	if (skb_is_gso(skb) && gso != SKB_GSO_UDP_L4)
		return NULL;
	if (bytes != skb->len - offset || !udp->check ||
	    bytes < sizeof(*udp) + ONRAMP_WIRE_HEADER_BYTES ||
	    (!skb_is_gso(skb) &&
	     bytes > sizeof(*udp) + ONRAMP_WIRE_MAX_BYTES) ||
	    !pskb_may_pull(skb, offset + bytes))
		return NULL;
	*len = bytes - sizeof(*udp);
	return skb->data + offset + sizeof(*udp);
}

static struct onramp_core_flow *
onramp_orack_flow(struct onramp_net *on, struct onramp_orack *ack,
		  const struct onramp_wire_item *item)
{
	ack->tuple.sport = htons(item->sport);
	ack->tuple.dport = htons(item->dport);
	return onramp_flow_find(on, &ack->tuple);
}

/* By its entries: this host's, or, if one at least can be of a flow, maybe of an unknown one. */
static enum onramp_orack_kind onramp_orack_entries(struct onramp_net *on,
						   struct onramp_orack *ack)
{
	enum onramp_orack_kind kind = ONRAMP_ORACK_NONE;
	struct onramp_wire_item item;
	u32 i;

	for (i = 0; i < ack->view.head.count; i++) {
		if (onramp_wire_entry(&ack->view, i, &item) != ONRAMP_WIRE_OK)
			continue;
		if (onramp_orack_flow(on, ack, &item))
			return ONRAMP_ORACK_OURS;
		kind = ONRAMP_ORACK_UNKNOWN_FLOW;
	}
	return kind;
}

/* Flows that have gone since are ignored. */
static void onramp_orack_take(struct onramp_net *on, struct onramp_orack *ack)
{
	u64 now_ns = onramp_now(on->net);
	struct onramp_wire_item item;
	u32 i;

	for (i = 0; i < ack->view.head.count; i++) {
		struct onramp_core_flow *flow;

		if (onramp_wire_entry(&ack->view, i, &item) != ONRAMP_WIRE_OK)
			continue;
		flow = onramp_orack_flow(on, ack, &item);
		if (flow)
			onramp_controller_report(flow, &ack->view.head, &item,
						 now_ns);
	}
}

/* Count one that is dropped.  Return: true if it may be taken. */
static bool onramp_orack_is_authentic(struct onramp_net *on,
				      const struct onramp_orack *ack,
				      bool *is_signed)
{
	switch (onramp_key_verify(on, &ack->tuple.daddr, &ack->tuple.saddr,
				  &ack->view)) {
	case ONRAMP_KEY_GOOD:
		*is_signed = true;
		return true;
	case ONRAMP_KEY_NOT_REQUIRED:
		return true;
	case ONRAMP_KEY_UNSIGNED:
		atomic64_inc(&on->acks_unsigned);
		return false;
	case ONRAMP_KEY_UNKNOWN:
		atomic64_inc(&on->acks_unknown_key);
		return false;
	case ONRAMP_KEY_FORGED:
	default:
		atomic64_inc(&on->acks_forged);
		return false;
	}
}

/*
 * The newest stamp, and a flow whose path has the window.  All flows of a
 * datagram have addresses and DSCP in common, so any would do; that of the
 * datagram itself is not signed.
 */
static struct onramp_core_flow *
onramp_orack_mark(struct onramp_net *on, struct onramp_orack *ack,
		  struct onramp_replay_mark *mark)
{
	struct onramp_core_flow *found = NULL;
	struct onramp_wire_item item;
	u32 i;

	mark->serial = ack->view.head.serial;
	mark->epoch = ack->view.head.clock_epoch;
	for (i = 0; i < ack->view.head.count; i++) {
		if (onramp_wire_entry(&ack->view, i, &item) != ONRAMP_WIRE_OK)
			continue;
		mark->stamp_ns = max(mark->stamp_ns, item.rx_ns);
		if (!found)
			found = onramp_orack_flow(on, ack, &item);
	}
	return found;
}

/* Is its clock the one that we have, too?  Then the time of that. */
static bool onramp_orack_clock(struct onramp_net *on,
			       const struct onramp_wire_head *head, u64 *now_ns)
{
	struct onramp_clock c;

	*now_ns = onramp_clock_read(on, head->clock_id, 1, NULL,
				    onramp_now(on->net), &c);
	return !head->no_clock && c.ok && c.epoch == head->clock_epoch;
}

/*
 * Count one that is dropped.  With another clock it is taken, for the counters
 * that show it, but its stamps are not used.
 * Return: true if it may be taken.
 */
static bool onramp_orack_is_new(struct onramp_net *on, struct onramp_orack *ack)
{
	enum onramp_replay_verdict verdict;
	struct onramp_replay_mark mark = {};
	struct onramp_core_flow *flow;
	u64 now_ns;

	if (!onramp_orack_clock(on, &ack->view.head, &now_ns)) {
		ack->view.head.no_clock = true;
		return true;
	}
	flow = onramp_orack_mark(on, ack, &mark);
	if (!flow)
		return false;
	spin_lock(&flow->lock);
	spin_lock(&flow->path->lock);
	verdict = onramp_replay_check(&flow->path->replay, &mark, now_ns);
	spin_unlock(&flow->path->lock);
	spin_unlock(&flow->lock);
	if (verdict == ONRAMP_REPLAY_STALE)
		atomic64_inc(&on->acks_stale);
	else if (verdict != ONRAMP_REPLAY_NEW)
		atomic64_inc(&on->acks_replayed);
	return verdict == ONRAMP_REPLAY_NEW;
}

/* Return: true if keys have nothing against it. */
static bool onramp_orack_is_accepted(struct onramp_net *on, struct onramp_orack *ack)
{
	bool is_signed = false;

	if (!onramp_orack_is_authentic(on, ack, &is_signed))
		return false;
	if (!is_signed)
		return true;
	if (!onramp_orack_is_new(on, ack))
		return false;
	atomic64_inc(&on->acks_signed);
	return true;
}

/* Is an address of flows that leave one of this host? */
static bool onramp_orack_is_local(struct net *net, const struct in6_addr *addr,
				  const struct net_device *dev)
{
	bool link = ipv6_addr_type(addr) & IPV6_ADDR_LINKLOCAL;

	if (ipv6_addr_v4mapped(addr))
		return inet_addr_type_dev_table(net, dev,
						addr->s6_addr32[3]) == RTN_LOCAL;
	if (!ipv6_mod_enabled())
		return false;
	return ipv6_chk_addr(net, addr, link ? dev : NULL, link);
}

/* Count what is not for this host. */
static enum onramp_orack_kind
onramp_orack_read(struct onramp_net *on, struct onramp_orack *ack,
		  const struct net_device *dev, const u8 *payload,
		  unsigned int len)
{
	enum onramp_orack_kind kind;

	if (onramp_wire_parse(payload, len, &ack->view) != ONRAMP_WIRE_OK) {
		atomic64_inc(&on->acks_bad);
		return ONRAMP_ORACK_NONE;
	}
	kind = onramp_orack_entries(on, ack);
	if (kind == ONRAMP_ORACK_OURS)
		return kind;
	if (kind == ONRAMP_ORACK_UNKNOWN_FLOW &&
	    (READ_ONCE(on->remembers_some) ||
	     onramp_path_is_known(on, &ack->tuple, ack->dsfield >> 2)) &&
	    onramp_orack_is_local(on->net, &ack->tuple.saddr, dev)) {
		atomic64_inc(&on->acks_unknown_flow);
		return kind;
	}
	atomic64_inc(&on->acks_unknown_peer);
	return ONRAMP_ORACK_NONE;
}

/* One that was for this host, too, goes on to where its flow comes from.  Count it. */
static unsigned int onramp_orack_forward(struct onramp_net *on,
					 const struct onramp_orack *ack,
					 const struct net_device *dev)
{
	if (onramp_orack_is_local(on->net, &ack->tuple.saddr, dev) ||
	    onramp_path_refuses(on, &ack->tuple, ack->dsfield >> 2,
				onramp_now(on->net)))
		return NF_DROP;
	atomic64_inc(&on->acks_forwarded);
	return NF_ACCEPT;
}

/* Context: BH off, RCU. */
static unsigned int onramp_orack_consume(struct sk_buff *skb,
					 const struct nf_hook_state *state,
					 struct onramp_orack *ack,
					 const u8 *payload, unsigned int len,
					 unsigned int offset, u8 family)
{
	struct onramp_net *on = onramp_net_of(state->net);
	bool own = false, unknown = false;
	enum onramp_orack_kind kind;
	unsigned int each, at;

	onramp_scope_rx(on, skb->dev, &ack->tuple);
	each = skb_is_gso(skb) ? skb_shinfo(skb)->gso_size : len;
	for (at = 0; at < len; at += each) {
		kind = onramp_orack_read(on, ack, skb->dev, payload + at,
					 min(each, len - at));
		unknown |= kind == ONRAMP_ORACK_UNKNOWN_FLOW;
		if (kind != ONRAMP_ORACK_OURS)
			continue;
		if (!own && nf_checksum(skb, state->hook, offset, IPPROTO_UDP,
					family)) {
			atomic64_inc(&on->acks_bad);
			return NF_DROP;
		}
		own = true;
		if (!onramp_orack_is_accepted(on, ack))
			continue;
		atomic64_inc(&on->acks);
		onramp_orack_take(on, ack);
	}
	if (own)
		return onramp_orack_forward(on, ack, skb->dev);
	return unknown ? NF_DROP : NF_ACCEPT;
}

/* Somebody answers an OR-ACK that we passed on, or another passed by. */
static unsigned int onramp_orack_refused(struct sk_buff *skb,
					 const struct nf_hook_state *state)
{
	struct onramp_net *on = onramp_net_of(state->net);
	struct onramp_unreachable answer;
	struct onramp_tuple tuple = {};

	if (!onramp_unreachable_read(skb, state, &answer))
		return NF_ACCEPT;
	tuple.saddr = answer.by;
	tuple.daddr = answer.to;
	onramp_scope_rx(on, skb->dev, &tuple);
	return onramp_path_refuse(on, &tuple, answer.dsfield >> 2,
				  onramp_now(on->net)) ? NF_DROP : NF_ACCEPT;
}

/*
 * A hook runs in softirq, but for a packet that waited in a queue of netfilter's:
 * then in the process that gave the verdict, and what leaves meanwhile would wait
 * for our locks on the same processor.
 */
static unsigned int onramp_orack_receive(struct sk_buff *skb,
					 const struct nf_hook_state *state,
					 struct onramp_orack *ack,
					 unsigned int offset, u8 family)
{
	const struct udphdr *udp;
	struct udphdr buffer;
	unsigned int len, verdict;
	const u8 *payload;

	udp = skb_header_pointer(skb, offset, sizeof(buffer), &buffer);
	if (!udp || udp->dest != htons(ONRAMP_PORT))
		return NF_ACCEPT;
	/* A packet that came by a device of a VRF passes the hooks again, as the VRF's. */
	if (netif_is_l3_master(skb->dev))
		return NF_ACCEPT;
	payload = onramp_orack_payload(skb, offset, udp, &len);
	if (!payload) {
		atomic64_inc(&onramp_net_of(state->net)->acks_bad);
		return NF_ACCEPT;
	}
	local_bh_disable();
	verdict = onramp_orack_consume(skb, state, ack, payload, len, offset,
				       family);
	local_bh_enable();
	return verdict;
}

static unsigned int onramp_orack_ipv4(void *priv, struct sk_buff *skb,
				      const struct nf_hook_state *state)
{
	const struct iphdr *ip = ip_hdr(skb);
	struct onramp_orack ack = {};

	if (ip->protocol != IPPROTO_UDP || ip_is_fragment(ip))
		return ip->protocol == IPPROTO_ICMP ?
		       onramp_orack_refused(skb, state) : NF_ACCEPT;
	ipv6_addr_set_v4mapped(ip->daddr, &ack.tuple.saddr);
	ipv6_addr_set_v4mapped(ip->saddr, &ack.tuple.daddr);
	ack.dsfield = ip->tos;
	return onramp_orack_receive(skb, state, &ack, ip_hdrlen(skb), AF_INET);
}

/* The acker sends no extension headers, and fragments have one. */
static unsigned int onramp_orack_ipv6(void *priv, struct sk_buff *skb,
				      const struct nf_hook_state *state)
{
	const struct ipv6hdr *ip = ipv6_hdr(skb);
	struct onramp_orack ack = {};

	if (ip->nexthdr != IPPROTO_UDP)
		return ip->nexthdr == IPPROTO_ICMPV6 ?
		       onramp_orack_refused(skb, state) : NF_ACCEPT;
	ack.tuple.saddr = ip->daddr;
	ack.tuple.daddr = ip->saddr;
	ack.dsfield = ipv6_get_dsfield(ip);
	return onramp_orack_receive(skb, state, &ack, sizeof(*ip), AF_INET6);
}

static const struct nf_hook_ops onramp_orack_hooks[] = {
	{
		.hook = onramp_orack_ipv4,
		.pf = NFPROTO_IPV4,
		.hooknum = NF_INET_PRE_ROUTING,
		.priority = NF_IP_PRI_RAW_BEFORE_DEFRAG - 1,
	},
	{
		.hook = onramp_orack_ipv6,
		.pf = NFPROTO_IPV6,
		.hooknum = NF_INET_PRE_ROUTING,
		.priority = NF_IP6_PRI_RAW_BEFORE_DEFRAG - 1,
	},
};

/**
 * onramp_orack_start() - receive OR-ACKs in a namespace
 * @on: the namespace
 *
 * Context: RTNL.
 * Return: 0, or of registering the hooks.
 */
int onramp_orack_start(struct onramp_net *on)
{
	return nf_register_net_hooks(on->net, onramp_orack_hooks,
				     ARRAY_SIZE(onramp_orack_hooks));
}

/**
 * onramp_orack_stop() - no longer; those that are being received still are
 * @on: the namespace
 *
 * Context: RTNL.
 */
void onramp_orack_stop(struct onramp_net *on)
{
	nf_unregister_net_hooks(on->net, onramp_orack_hooks,
				ARRAY_SIZE(onramp_orack_hooks));
}
