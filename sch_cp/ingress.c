// SPDX-License-Identifier: GPL-2.0
/*
 * Control frames that come by a port: PAUSE and PFC, which count on this port only and are
 * not forwarded, and at an edge CNMs and CN-TAGs, which no host has to send.
 */
#include "cp.h"
#include "cp_trace.h"

/* Count the time paused, up to now. */
static void cp_pause_rx_account(struct cp_port *q, u64 now)
{
	u64 end = min(now, q->paused_until_ns);

	if (end > q->paused_mark_ns)
		q->count.paused_ns += end - q->paused_mark_ns;
	q->paused_mark_ns = now;
}

static u64 cp_pause_rx_end(const struct cp_port *q)
{
	u64 end = 0;
	u32 i;

	for (i = 0; i < CP_CLASSES; i++)
		end = max(end, q->pause_rx[i].until_ns);
	return end;
}

/**
 * cp_pause_rx_paused() - bring the time paused up to date
 * @q: the port
 *
 * Context: root lock.
 * Return: the priorities that are paused now, a bit each.
 */
u8 cp_pause_rx_paused(struct cp_port *q)
{
	u64 now = cp_now(q);
	u8 paused = 0;
	u32 i;

	cp_pause_rx_account(q, now);
	for (i = 0; i < CP_CLASSES; i++)
		if (now < q->pause_rx[i].until_ns)
			paused |= BIT(i);
	return paused;
}

/**
 * cp_pause_rx_allowed() - which priorities may leave
 * @q: the port; a PAUSE came by it
 * @drop: those that are dropped, a bit each
 *
 * Context: root lock.
 * Return: those that may leave.
 */
u8 cp_pause_rx_allowed(struct cp_port *q, u8 *drop)
{
	unsigned long mask = q->pause_rx_active & q->filled;
	u64 now = cp_now(q), storms = q->pause_rx_stats.storms;
	u8 allowed = U8_MAX;
	u32 class;

	*drop = 0;
	for_each_set_bit(class, &mask, CP_CLASSES) {
		switch (pause_rx_check(&q->pause_rx[class], &q->pause_rx_stats, now)) {
		case PAUSE_SEND:
			q->pause_rx_active &= ~BIT(class);
			break;
		case PAUSE_WAIT:
			allowed &= ~BIT(class);
			q->wake_ns = min(q->wake_ns, pause_rx_next_ns(&q->pause_rx[class]));
			break;
		case PAUSE_DROP:
			*drop |= BIT(class);
			break;
		}
	}
	if (unlikely(q->pause_rx_stats.storms != storms)) {
		cp_pause_rx_account(q, now);
		q->paused_until_ns = cp_pause_rx_end(q);
		trace_cp_pause_storm(q->sch, *drop, 0);
	}
	return allowed;
}

static void cp_pause_rx_frame(struct cp_port *q, const struct l2_pause *pause)
{
	u64 now = cp_now(q);
	u32 i, most = 0;

	cp_pause_rx_account(q, now);
	for (i = 0; i < L2_PRIORITIES; i++) {
		if (!(pause->priorities & BIT(i)))
			continue;
		most = max_t(u32, most, pause->quanta[i]);
		pause_rx_frame(&q->pause_rx[i], pause_quanta_ns(pause->quanta[i], q->link_bps),
			       now);
		q->pause_rx_active |= BIT(i);
	}
	q->paused_until_ns = cp_pause_rx_end(q);
	if (pause->is_pfc)
		q->count.pfc_rx++;
	else
		q->count.pause_rx++;
	trace_cp_pause_rx(q->sch, pause->priorities, most);
}

/* The first bytes of a frame that comes, from its destination address on.  Return: how many. */
static u32 cp_ingress_copy(const struct sk_buff *skb, u8 *bytes, u32 most)
{
	u32 len = min_t(u32, skb->len, most - ETH_HLEN);

	memcpy(bytes, skb_mac_header(skb), ETH_HLEN);
	if (skb_copy_bits(skb, 0, bytes + ETH_HLEN, len))
		return ETH_HLEN;
	return ETH_HLEN + len;
}

/* MAC control is between neighbours: no bridge gets it, whatever it says. */
static unsigned int cp_ingress_mac_control(struct cp_port *q, const struct sk_buff *skb)
{
	u8 bytes[L2_MIN_BYTES];
	u32 len = cp_ingress_copy(skb, bytes, sizeof(bytes));
	struct l2_pause pause;
	enum l2_fault fault = l2_pause_parse(bytes, len, &pause);

	spin_lock(qdisc_lock(q->sch));
	q->now_ns = 0;
	if (fault)
		q->count.control_bad++;
	else
		cp_pause_rx_frame(q, &pause);
	spin_unlock(qdisc_lock(q->sch));
	/* Pauses that have ended or have another length are handled there. */
	cp_control_schedule(q->sch);
	return NF_DROP;
}

static void cp_edge_count(struct cp_port *q, u64 *counter)
{
	spin_lock(qdisc_lock(q->sch));
	(*counter)++;
	spin_unlock(qdisc_lock(q->sch));
}

/* Remove a CN-TAG, so many bytes behind the destination address. */
static bool cp_edge_strip_tag(struct sk_buff *skb, u32 at)
{
	u32 header = skb->data - skb_mac_header(skb);

	__skb_push(skb, header);
	if (skb_ensure_writable(skb, at + L2_TAG_BYTES + sizeof(__be16))) {
		__skb_pull(skb, header);
		return false;
	}
	memmove(skb->data + L2_TAG_BYTES, skb->data, at);
	__skb_pull(skb, L2_TAG_BYTES);
	skb_reset_mac_header(skb);
	skb->protocol = eth_hdr(skb)->h_proto;
	__skb_pull(skb, ETH_HLEN);
	skb_reset_network_header(skb);
	skb_reset_transport_header(skb);
	skb_reset_mac_len(skb);
	if (skb->ip_summed == CHECKSUM_COMPLETE)
		skb->ip_summed = CHECKSUM_NONE;
	return true;
}

/* A CNM, or what would be one, a tag or MAC control once a CN-TAG before it is removed. */
static bool cp_edge_is_refused(const struct l2_header *h)
{
	if (h->type == L2_TYPE_CNM)
		return true;
	return h->has_cn_tag && (h->type == L2_TYPE_CN_TAG || h->type == L2_TYPE_MAC_CONTROL ||
				 l2_is_vlan(h->type));
}

static unsigned int cp_edge_filter(struct cp_port *q, struct sk_buff *skb)
{
	u8 bytes[L2_HEADER_MAX_BYTES];
	u32 len = cp_ingress_copy(skb, bytes, sizeof(bytes));
	struct l2_header h;

	if (l2_header_parse(bytes, len, &h))
		return NF_ACCEPT;
	if (cp_edge_is_refused(&h)) {
		cp_edge_count(q, &q->count.cnm_refused);
		return NF_DROP;
	}
	if (!h.has_cn_tag)
		return NF_ACCEPT;
	if (!cp_edge_strip_tag(skb, h.bytes - L2_TAG_BYTES))
		return NF_DROP;
	cp_edge_count(q, &q->count.tag_removed);
	return NF_ACCEPT;
}

/**
 * cp_ingress_hook() - a frame comes by a port
 * @priv: the port
 * @skb: the frame, behind its Ethernet header; its outer VLAN tag is kept separately
 * @state: not read
 *
 * Context: softirq, RCU.
 * Return: NF_ACCEPT or NF_DROP.
 */
unsigned int cp_ingress_hook(void *priv, struct sk_buff *skb, const struct nf_hook_state *state)
{
	struct cp_port *q = priv;

	switch (skb->protocol) {
	case htons(ETH_P_PAUSE):
		return skb_vlan_tag_present(skb) ? NF_ACCEPT : cp_ingress_mac_control(q, skb);
	case htons(L2_TYPE_CNM):
	case htons(L2_TYPE_CN_TAG):
	case htons(ETH_P_8021Q):
	case htons(ETH_P_8021AD):
		return READ_ONCE(q->edge) ? cp_edge_filter(q, skb) : NF_ACCEPT;
	default:
		return NF_ACCEPT;
	}
}
