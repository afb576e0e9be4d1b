// SPDX-License-Identifier: GPL-2.0
/*
 * Flows in the middle of a burst, of which only packets on the grid are acked.
 *
 * For a while after a packet on the grid kernel/algo/onramp_due.h acks no others.  So they
 * need no lock, no flow and no timestamp: each CPU remembers a few flows of a namespace, and
 * what it skips here is what the algorithm would skip.  It only notes when the last came, or
 * a burst that goes on would look idle.
 *
 * A hash of addresses and ports selects the flow's only slot, and the flow is compared as a
 * whole.  If another flow takes the slot, or the flow moves to another CPU, its packets go the
 * long way.  What was noted is then lost, so that one may be acked as a burst's first.
 * Packets with a VLAN tag always go the long way: the device does not tell their flows apart.
 * So do those whose headers are not plain.
 *
 * The allow-list and the owner of the address were looked up when the packet on the grid came:
 * a change counts after ONRAMP_DUE_FRESH_NS at most.
 *
 * Where softirqs can preempt each other on a CPU (PREEMPT_RT), an entry may be of two flows
 * at worst: packets of one of them are then skipped for that time, or none is.
 */
#include <linux/bitops.h>
#include <linux/if_vlan.h>
#include <linux/percpu.h>

#include "acker.h"

#define ACKER_BUSY_BITS 6

/**
 * struct acker_busy - a flow; a line of a cache
 * @fresh_ns: onramp_due_vars.fresh_ns
 * @left_ns: time from the last packet to @fresh_ns
 * @key: acker_net.busy_key of then
 * @ifindex: the device that its packets come by
 * @tuple: the flow; its scope is 0, as that of a packet is before its device is known
 * @tap: where they are seen, enum onramp_stamp
 * @grid_bits: the grid of the device, as a power of two
 */
struct acker_busy {
	u64			fresh_ns;
	u32			left_ns;
	u32			key;
	int			ifindex;
	struct onramp_tuple	tuple;
	u8			tap;
	u8			grid_bits;
} __aligned(64);

static_assert(sizeof(struct acker_busy) == 64);
static_assert(ONRAMP_DUE_FRESH_NS <= U32_MAX);

/**
 * struct acker_busy_flows - those of a CPU
 * @flow: the flows
 */
struct acker_busy_flows {
	struct acker_busy	flow[1 << ACKER_BUSY_BITS];
};

/**
 * acker_busy_alloc() - room for a namespace's flows
 *
 * Context: may sleep.
 * Return: it, or NULL without memory; for free_percpu().
 */
struct acker_busy_flows __percpu *acker_busy_alloc(void)
{
	return alloc_percpu_gfp(struct acker_busy_flows, GFP_KERNEL_ACCOUNT);
}

/* Keyed, so that nobody can aim at the slot of another. */
static __always_inline struct acker_busy *
acker_busy_slot(struct acker_busy_flows __percpu *flows, u32 key, __be32 saddr, __be32 daddr,
		__be16 sport, __be16 dport)
{
	u32 sum = (__force u32)saddr ^ (__force u32)daddr ^
		  ((__force u32)sport << 16 | (__force u32)dport);

	return &this_cpu_ptr(flows)->flow[(sum * (key | 1)) >> (32 - ACKER_BUSY_BITS)];
}

static struct acker_busy *acker_busy_slot_of(const struct acker_net *a, u32 key,
					     const struct onramp_tuple *tuple)
{
	return acker_busy_slot(a->busy, key, tuple->saddr.s6_addr32[3],
			       tuple->daddr.s6_addr32[3], tuple->sport, tuple->dport);
}

/* Return: what is remembered of a packet's flow, or NULL. */
static __always_inline struct acker_busy *
acker_busy_find(struct acker_busy_flows __percpu *flows, u32 key, const struct sk_buff *skb,
		enum onramp_stamp tap, const struct onramp_plain *h)
{
	__be32 saddr = likely(h->ip) ? h->ip->saddr : h->ip6->saddr.s6_addr32[3];
	__be32 daddr = likely(h->ip) ? h->ip->daddr : h->ip6->daddr.s6_addr32[3];
	struct acker_busy *busy = acker_busy_slot(flows, key, saddr, daddr, h->tcp->source,
						  h->tcp->dest);

	if (busy->key != key || busy->ifindex != skb->dev->ifindex || busy->tap != tap ||
	    !onramp_plain_is(h, &busy->tuple))
		return NULL;
	return busy;
}

/**
 * acker_busy_skip() - does a packet come so soon after one on the grid that it is not acked?
 * @acker: the acker_net of its namespace
 * @skb: the packet, as onramp_acker_ops.skip gets it
 * @tap: likewise
 *
 * Context: softirqs off.
 * Return: true if nothing more need be known of it, and it is counted.
 */
bool acker_busy_skip(void *acker, const struct sk_buff *skb, enum onramp_stamp tap)
{
	const struct acker_net *a = acker;
	struct acker_busy_flows __percpu *flows = READ_ONCE(a->busy);
	struct acker_busy *busy;
	struct onramp_plain h;
	u32 seq, len;
	u64 now_ns;

	if (!flows || skb_vlan_tag_present(skb) || !onramp_plain(skb, 0, &h))
		return false;
	busy = acker_busy_find(flows, READ_ONCE(a->busy_key), skb, tap, &h);
	if (!busy || !onramp_tcp_bytes(skb, h.tcp, h.offset, h.len, &seq, &len) || !len ||
	    onramp_grid_has(seq, len, 1U << busy->grid_bits))
		return false;
	now_ns = onramp_now(a->net);
	if (now_ns >= busy->fresh_ns)
		return false;
	busy->left_ns = busy->fresh_ns - now_ns;
	this_cpu_inc(a->skipped->busy);
	return true;
}

static bool acker_busy_is_tagged(const struct sk_buff *skb)
{
	return skb_vlan_tag_present(skb) || eth_type_vlan(skb->protocol);
}

/**
 * acker_busy_last() - when did a flow's last packet come, if that was skipped?
 * @a: the namespace
 * @skb: a packet of the flow
 * @tuple: the flow, its scope still 0
 *
 * Context: softirqs off.
 * Return: onramp_now() of then; 0 if it is not known.
 */
u64 acker_busy_last(const struct acker_net *a, const struct sk_buff *skb,
		    const struct onramp_tuple *tuple)
{
	u32 key = READ_ONCE(a->busy_key);
	const struct acker_busy *busy = acker_busy_slot_of(a, key, tuple);

	if (busy->key != key || busy->ifindex != skb->dev->ifindex ||
	    !onramp_tuple_is(&busy->tuple, tuple) || acker_busy_is_tagged(skb))
		return 0;
	return busy->fresh_ns - busy->left_ns;
}

/**
 * acker_busy_set() - a packet on the grid is acked
 * @a: the namespace
 * @seen: the packet
 * @p: what is in it
 * @grid: of the device that it came by
 * @now_ns: when
 * @fresh_ns: onramp_due_vars.fresh_ns
 *
 * Context: softirqs off.
 */
void acker_busy_set(const struct acker_net *a, const struct acker_seen *seen,
		    const struct onramp_packet *p, u32 grid, u64 now_ns, u64 fresh_ns)
{
	u32 key = READ_ONCE(a->busy_key);
	struct acker_busy *busy;

	if (acker_busy_is_tagged(seen->skb))
		return;
	busy = acker_busy_slot_of(a, key, &p->tuple);
	*busy = (struct acker_busy){
		.fresh_ns = fresh_ns,
		.left_ns = fresh_ns - now_ns,
		.key = key,
		.ifindex = seen->skb->dev->ifindex,
		.tuple = p->tuple,
		.tap = seen->tap,
		.grid_bits = __ffs(grid),
	};
	busy->tuple.scope = 0;
}
