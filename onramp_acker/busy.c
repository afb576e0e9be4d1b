// SPDX-License-Identifier: GPL-2.0
/*
 * Flows in the middle of a burst, of which only packets on the grid are acked.
 *
 * For a while after a packet on the grid kernel/algo/onramp_due.h acks no others.  So they
 * need no lock, no flow and no timestamp: each CPU remembers a few flows, and what it
 * skips here is what the algorithm would skip.  It only notes when the last came, or a
 * burst that goes on would look idle.
 *
 * A flow has one place, by some bits of its addresses and ports, and is compared as a whole.
 * If another takes the place, or the flow moves to another CPU, its packets go the long
 * way, with the same result.  Packets with a VLAN tag always do: the device does not tell
 * their flows apart.
 */
#include <linux/hash.h>
#include <linux/if_vlan.h>
#include <linux/percpu.h>

#include "acker.h"

#define ACKER_BUSY_BITS 6

/**
 * struct acker_busy - a flow; a line of a cache
 * @fresh_ns: onramp_due_vars.fresh_ns
 * @left_ns: before it the last packet came
 * @key: acker_net.busy_key
 * @ifindex: the device that its packets come by
 * @grid: of the device
 * @saddr: addresses and ports
 * @daddr: same
 * @sport: same
 * @dport: same
 */
struct acker_busy {
	u64		fresh_ns;
	u32		left_ns;
	u32		key;
	int		ifindex;
	u32		grid;
	struct in6_addr	saddr;
	struct in6_addr	daddr;
	__be16		sport;
	__be16		dport;
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

static DEFINE_PER_CPU(struct acker_busy_flows, acker_busy_flows);

static struct acker_busy *acker_busy_place(const struct onramp_tuple *tuple)
{
	u32 sum = (__force u32)tuple->saddr.s6_addr32[3] ^
		  (__force u32)tuple->daddr.s6_addr32[3] ^
		  (__force u32)tuple->sport << 16 ^ (__force u32)tuple->dport;

	return &this_cpu_ptr(&acker_busy_flows)->flow[hash_32(sum, ACKER_BUSY_BITS)];
}

/* Return: what is remembered of a packet's flow, or NULL. */
static struct acker_busy *acker_busy_find(const struct acker_net *a, const struct sk_buff *skb,
					  const struct onramp_tuple *tuple)
{
	struct acker_busy *busy = acker_busy_place(tuple);

	if (busy->key != READ_ONCE(a->busy_key) || busy->ifindex != skb->dev->ifindex ||
	    busy->sport != tuple->sport || busy->dport != tuple->dport ||
	    !ipv6_addr_equal(&busy->saddr, &tuple->saddr) ||
	    !ipv6_addr_equal(&busy->daddr, &tuple->daddr))
		return NULL;
	return busy;
}

static bool acker_busy_is_tagged(const struct sk_buff *skb)
{
	return skb_vlan_tag_present(skb) || eth_type_vlan(skb->protocol);
}

/**
 * acker_busy_skip() - does a packet come so soon after one on the grid that it is not acked?
 * @a: the namespace
 * @skb: the packet
 * @p: what is in it
 *
 * Context: BH off.
 * Return: true if nothing more need be known of it.
 */
bool acker_busy_skip(const struct acker_net *a, const struct sk_buff *skb,
		     const struct onramp_packet *p)
{
	struct acker_busy *busy = acker_busy_find(a, skb, &p->tuple);
	u64 now_ns;

	if (!busy || onramp_grid_has(p->seq, p->len, busy->grid) || acker_busy_is_tagged(skb))
		return false;
	now_ns = onramp_now(a->net);
	if (now_ns >= busy->fresh_ns)
		return false;
	busy->left_ns = busy->fresh_ns - now_ns;
	return true;
}

/**
 * acker_busy_last() - when a flow's last packet came that was skipped
 * @a: the namespace
 * @skb: a packet of the flow
 * @p: what is in it
 *
 * Context: BH off.
 * Return: onramp_now() of then, or 0 if it is not known.
 */
u64 acker_busy_last(const struct acker_net *a, const struct sk_buff *skb,
		    const struct onramp_packet *p)
{
	const struct acker_busy *busy = acker_busy_find(a, skb, &p->tuple);

	return busy && !acker_busy_is_tagged(skb) ? busy->fresh_ns - busy->left_ns : 0;
}

/**
 * acker_busy_set() - a packet on the grid is acked
 * @a: the namespace
 * @skb: the packet
 * @p: what is in it
 * @grid: of the device that it came by
 * @now_ns: when
 * @fresh_ns: onramp_due_vars.fresh_ns
 *
 * Context: BH off.
 */
void acker_busy_set(const struct acker_net *a, const struct sk_buff *skb,
		    const struct onramp_packet *p, u32 grid, u64 now_ns, u64 fresh_ns)
{
	if (acker_busy_is_tagged(skb))
		return;
	*acker_busy_place(&p->tuple) = (struct acker_busy){
		.fresh_ns = fresh_ns,
		.left_ns = fresh_ns - now_ns,
		.key = READ_ONCE(a->busy_key),
		.ifindex = skb->dev->ifindex,
		.grid = grid,
		.saddr = p->tuple.saddr,
		.daddr = p->tuple.daddr,
		.sport = p->tuple.sport,
		.dport = p->tuple.dport,
	};
}
