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
 *
 * The allow-list was asked, and to whom an address belongs, when the packet on the grid came:
 * a change counts after ONRAMP_DUE_FRESH_NS at most.
 *
 * Where softirqs can preempt each other on a CPU (PREEMPT_RT), an entry may be of two flows
 * at worst: packets of one of them are then skipped for that time, or none is.
 */
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
static struct acker_busy *acker_busy_slot(const struct acker_net *a, u32 key,
					  const struct onramp_tuple *tuple)
{
	u32 sum = (__force u32)tuple->saddr.s6_addr32[3] ^
		  (__force u32)tuple->daddr.s6_addr32[3] ^
		  ((__force u32)tuple->sport << 16 | (__force u32)tuple->dport);

	return &this_cpu_ptr(a->busy)->flow[(sum * (key | 1)) >> (32 - ACKER_BUSY_BITS)];
}

/* Return: what is remembered of a packet's flow, or NULL. */
static struct acker_busy *acker_busy_find(const struct acker_net *a, const struct sk_buff *skb,
					  const struct onramp_tuple *tuple)
{
	u32 key = READ_ONCE(a->busy_key);
	struct acker_busy *busy = acker_busy_slot(a, key, tuple);

	if (busy->key != key || busy->ifindex != skb->dev->ifindex ||
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
 * @last_ns: filled with onramp_now() of when the flow's last packet came, if that was skipped
 *	and is known, else 0
 *
 * Context: BH off.
 * Return: true if nothing more need be known of it.
 */
bool acker_busy_skip(const struct acker_net *a, const struct sk_buff *skb,
		     const struct onramp_packet *p, u64 *last_ns)
{
	struct acker_busy *busy = acker_busy_find(a, skb, &p->tuple);
	u64 now_ns;

	*last_ns = 0;
	if (!busy || acker_busy_is_tagged(skb))
		return false;
	*last_ns = busy->fresh_ns - busy->left_ns;
	if (onramp_grid_has(p->seq, p->len, busy->grid))
		return false;
	now_ns = onramp_now(a->net);
	if (now_ns >= busy->fresh_ns)
		return false;
	busy->left_ns = busy->fresh_ns - now_ns;
	return true;
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
	u32 key = READ_ONCE(a->busy_key);

	if (acker_busy_is_tagged(skb))
		return;
	*acker_busy_slot(a, key, &p->tuple) = (struct acker_busy){
		.fresh_ns = fresh_ns,
		.left_ns = fresh_ns - now_ns,
		.key = key,
		.ifindex = skb->dev->ifindex,
		.grid = grid,
		.saddr = p->tuple.saddr,
		.daddr = p->tuple.daddr,
		.sport = p->tuple.sport,
		.dport = p->tuple.dport,
	};
}
