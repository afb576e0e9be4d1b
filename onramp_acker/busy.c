// SPDX-License-Identifier: GPL-2.0
/*
 * Flows in the middle of a burst, and peers of dense paths, of which only packets on the grid
 * are acked.
 *
 * For a while after a packet on the grid kernel/algo/onramp_due.h acks no others.  So they
 * need no lock, no flow and no timestamp: each CPU remembers a few flows of a namespace, and
 * what it skips here is what the algorithm would skip.  It only notes when the last came, or
 * a burst that goes on would look idle.
 *
 * A hash of addresses and ports selects the flow's only slot, and the flow is compared as a
 * whole.  If another flow takes the slot, or the flow moves to another CPU, its packets go the
 * long way.  The note is then lost, so that one may be acked as a burst's first.
 * Packets with a VLAN tag always go the long way: the device does not tell their flows apart.
 * So do those whose headers are not plain.
 *
 * A path that kernel/algo/onramp_due.h says is dense is remembered likewise, by its addresses:
 * packets off the grid are skipped, whatever their flow.  The clock is read for the first of
 * them in each tick and after each ACKER_DENSE_UNREAD, so that a path that was dense until just
 * before keeps so many packets from being acked, and none in the next tick.  When flows' last
 * packets came is not known then: what comes next is acked as a burst's first.
 *
 * The allow-list and the owner of the address were looked up when the packet on the grid came:
 * a change of the address counts after ONRAMP_DUE_FRESH_NS at most, or when the path is not dense
 * any more.
 *
 * Where softirqs can preempt each other on a CPU (PREEMPT_RT), an entry may be of two flows
 * at worst: packets of one of them are then skipped for that time, or none is.
 */
#include <linux/if_vlan.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/percpu.h>
#include <linux/tcp.h>
#include <net/inet_ecn.h>

#include "acker.h"

#define ACKER_BUSY_BITS 6
#define ACKER_DENSE_BITS 4
/* A bit more than there are full-size packets between two on the grid. */
#define ACKER_DENSE_UNREAD 16

/**
 * struct acker_busy - a flow; a line of a cache
 * @fresh_ns: onramp_due_vars.fresh_ns
 * @left_ns: time from the last packet to @fresh_ns
 * @key: acker_net.busy_key of then
 * @ifindex: the device that its packets come by
 * @sport: as of struct onramp_tuple
 * @dport: likewise
 * @saddr: likewise
 * @daddr: likewise
 * @grid: of the device
 * @how: acker_busy_how()
 */
struct acker_busy {
	u64		fresh_ns;
	u32		left_ns;
	u32		key;
	int		ifindex;
	__be16		sport;
	__be16		dport;
	struct in6_addr	saddr;
	struct in6_addr	daddr;
	u32		grid;
	u32		how;
} __aligned(64);

/**
 * struct acker_dense - a dense path; a line of a cache
 * @until_ns: onramp_dense_until()
 * @tick: acker_tick() when the clock was read last
 * @left: so many packets may be skipped before it is read again
 * @key: acker_net.busy_key of then
 * @ifindex: the device that its packets come by
 * @begin: acker_dense_begin_ipv4() or acker_dense_begin_ipv6()
 * @tap: where packets are seen, enum onramp_stamp
 * @grid: of the device
 * @saddr: of the sender; of IPv4 the last word
 * @daddr: of the receiver, likewise
 */
struct acker_dense {
	u64		until_ns;
	u32		tick;
	u32		left;
	u32		key;
	int		ifindex;
	__be16		begin;
	u16		tap;
	u32		grid;
	struct in6_addr	saddr;
	struct in6_addr	daddr;
} __aligned(64);

static_assert(sizeof(struct acker_busy) == 64);
static_assert(sizeof(struct acker_dense) == 64);
static_assert(ONRAMP_DUE_FRESH_NS <= U32_MAX);

/**
 * struct acker_busy_flows - those of a CPU
 * @flow: the flows
 * @dense: dense paths
 * @last: one of @flow, of which a packet was skipped last: the next is often of it, too
 * @last_dense: likewise one of @dense
 */
struct acker_busy_flows {
	struct acker_busy	flow[1 << ACKER_BUSY_BITS];
	struct acker_dense	dense[1 << ACKER_DENSE_BITS];
	struct acker_busy	*last;
	struct acker_dense	*last_dense;
};

/**
 * acker_busy_alloc() - allocate the table of a namespace's flows
 *
 * Context: may sleep.
 * Return: it, or NULL without memory; for free_percpu().
 */
struct acker_busy_flows __percpu *acker_busy_alloc(void)
{
	struct acker_busy_flows __percpu *flows;
	int cpu;

	flows = alloc_percpu_gfp(struct acker_busy_flows, GFP_KERNEL_ACCOUNT);
	if (!flows)
		return NULL;
	for_each_possible_cpu(cpu) {
		struct acker_busy_flows *of_cpu = per_cpu_ptr(flows, cpu);

		of_cpu->last = of_cpu->flow;
		of_cpu->last_dense = of_cpu->dense;
	}
	return flows;
}

/* Which IP, and where packets are seen, enum onramp_stamp. */
static __always_inline u32 acker_busy_how(bool ipv6, u32 tap)
{
	return ipv6 << 16 | tap;
}

/* How packets of a dense path of IPv4 begin: version, length of the header, DSCP. */
static __always_inline __be16 acker_dense_begin_ipv4(const void *ip)
{
	return *(const __be16 *)ip & htons(0xffff & ~INET_ECN_MASK);
}

/* Likewise of IPv6: version and DSCP. */
static __always_inline __be16 acker_dense_begin_ipv6(const void *ip)
{
	return *(const __be16 *)ip & htons(0xfff0 & ~(INET_ECN_MASK << 4));
}

/* Keyed, so that nobody can aim at the slot of another. */
static __always_inline struct acker_busy *
acker_busy_slot(struct acker_busy_flows *flows, u32 key, __be32 saddr, __be32 daddr,
		__be16 sport, __be16 dport)
{
	u32 sum = (__force u32)saddr ^ (__force u32)daddr ^
		  ((__force u32)sport << 16 | (__force u32)dport);

	return &flows->flow[(sum * (key | 1)) >> (32 - ACKER_BUSY_BITS)];
}

static struct acker_busy *acker_busy_slot_of(const struct acker_net *a, u32 key,
					     const struct onramp_tuple *tuple)
{
	return acker_busy_slot(this_cpu_ptr(a->busy), key, tuple->saddr.s6_addr32[3],
			       tuple->daddr.s6_addr32[3], tuple->sport, tuple->dport);
}

/* Is it of these settings, and of packets that come in this way and between these ports? */
static __always_inline bool acker_busy_is(const struct acker_busy *busy, u32 key, u32 how,
					  const struct sk_buff *skb,
					  const struct tcphdr *tcp)
{
	return busy->sport == tcp->source && busy->dport == tcp->dest && busy->key == key &&
	       busy->how == how && busy->ifindex == skb->dev->ifindex;
}

/* The last 32 bits of IPv4's addresses are all that differs. */
static __always_inline bool acker_busy_is_ipv4(const struct acker_busy *busy,
					       const struct iphdr *ip)
{
	return busy->saddr.s6_addr32[3] == ip->saddr && busy->daddr.s6_addr32[3] == ip->daddr;
}

static __always_inline bool acker_busy_is_ipv6(const struct acker_busy *busy,
					       const struct ipv6hdr *ip)
{
	return ipv6_addr_equal(&busy->saddr, &ip->saddr) &&
	       ipv6_addr_equal(&busy->daddr, &ip->daddr);
}

/*
 * Has a packet payload, and none of it on the grid?  Without a payload it is not counted, and
 * one with SYN is none of a burst's middle.
 */
static __always_inline bool acker_is_off_grid(const struct sk_buff *skb, const struct tcphdr *tcp,
					      u32 offset, u32 total, u32 grid)
{
	u32 header = offset + tcp->doff * 4;

	return header >= offset + sizeof(*tcp) && total > header && total <= skb->len &&
	       !tcp->syn && !onramp_grid_has(ntohl(tcp->seq), total - header, grid);
}

/* A packet off the grid, of a flow that is remembered: is it not acked? */
static __always_inline bool acker_busy_is_fresh(const struct acker_net *a, struct acker_busy *busy)
{
	u64 now_ns = onramp_now(a->net);

	if (now_ns >= busy->fresh_ns)
		return false;
	busy->left_ns = busy->fresh_ns - now_ns;
	this_cpu_inc(a->skipped->busy);
	return true;
}

/* Likewise of a path. */
static __always_inline bool acker_dense_is_on(const struct acker_net *a, struct acker_dense *dense)
{
	if (unlikely(dense->tick != acker_tick() || !dense->left)) {
		if (onramp_now(a->net) >= dense->until_ns) {
			dense->key = 0;
			return false;
		}
		dense->tick = acker_tick();
		dense->left = ACKER_DENSE_UNREAD;
	}
	dense->left--;
	this_cpu_inc(a->skipped->busy);
	return true;
}

static __always_inline struct acker_dense *
acker_dense_slot(struct acker_busy_flows *flows, u32 key, __be32 saddr, __be32 daddr)
{
	u32 sum = (__force u32)saddr ^ (__force u32)daddr;

	return &flows->dense[(sum * (key | 1)) >> (32 - ACKER_DENSE_BITS)];
}

static __always_inline bool acker_dense_is(const struct acker_dense *dense, u32 key, __be16 begin,
					   enum onramp_stamp tap, const struct sk_buff *skb)
{
	return dense->key == key && dense->begin == begin && dense->tap == tap &&
	       dense->ifindex == skb->dev->ifindex;
}

static __always_inline bool acker_dense_is_ipv4(const struct acker_dense *dense, u32 key,
						enum onramp_stamp tap, const struct sk_buff *skb,
						const struct iphdr *ip)
{
	return dense->saddr.s6_addr32[3] == ip->saddr && dense->daddr.s6_addr32[3] == ip->daddr &&
	       acker_dense_is(dense, key, acker_dense_begin_ipv4(ip), tap, skb);
}

static noinline bool acker_busy_skip_ipv4(const struct acker_net *a,
					  struct acker_busy_flows *flows,
					  const struct sk_buff *skb,
					  enum onramp_stamp tap)
{
	const struct iphdr *ip = (const struct iphdr *)skb->data;
	const struct tcphdr *tcp = (const struct tcphdr *)(ip + 1);
	u32 key = READ_ONCE(a->busy_key), how = acker_busy_how(false, tap);
	struct acker_dense *dense;
	struct acker_busy *busy;

	if (!onramp_plain_is_ipv4(skb, ip))
		return false;
	dense = acker_dense_slot(flows, key, ip->saddr, ip->daddr);
	if (acker_dense_is_ipv4(dense, key, tap, skb, ip)) {
		flows->last_dense = dense;
		if (acker_is_off_grid(skb, tcp, sizeof(*ip), ntohs(ip->tot_len), dense->grid) &&
		    acker_dense_is_on(a, dense))
			return true;
	}
	busy = flows->last;
	if (unlikely(!acker_busy_is(busy, key, how, skb, tcp) || !acker_busy_is_ipv4(busy, ip))) {
		busy = acker_busy_slot(flows, key, ip->saddr, ip->daddr, tcp->source, tcp->dest);
		if (!acker_busy_is(busy, key, how, skb, tcp) || !acker_busy_is_ipv4(busy, ip))
			return false;
		flows->last = busy;
	}
	return acker_is_off_grid(skb, tcp, sizeof(*ip), ntohs(ip->tot_len), busy->grid) &&
	       acker_busy_is_fresh(a, busy);
}

static noinline bool acker_busy_skip_ipv6(const struct acker_net *a,
					  struct acker_busy_flows *flows,
					  const struct sk_buff *skb,
					  enum onramp_stamp tap)
{
	const struct ipv6hdr *ip = (const struct ipv6hdr *)skb->data;
	const struct tcphdr *tcp = (const struct tcphdr *)(ip + 1);
	u32 key = READ_ONCE(a->busy_key), how = acker_busy_how(true, tap), total;
	struct acker_dense *dense;
	struct acker_busy *busy;

	if (!onramp_plain_is_ipv6(skb, ip))
		return false;
	total = sizeof(*ip) + ntohs(ip->payload_len);
	dense = acker_dense_slot(flows, key, ip->saddr.s6_addr32[3], ip->daddr.s6_addr32[3]);
	if (acker_dense_is(dense, key, acker_dense_begin_ipv6(ip), tap, skb) &&
	    ipv6_addr_equal(&dense->saddr, &ip->saddr) &&
	    ipv6_addr_equal(&dense->daddr, &ip->daddr) &&
	    acker_is_off_grid(skb, tcp, sizeof(*ip), total, dense->grid) &&
	    acker_dense_is_on(a, dense))
		return true;
	busy = acker_busy_slot(flows, key, ip->saddr.s6_addr32[3], ip->daddr.s6_addr32[3],
			       tcp->source, tcp->dest);
	return acker_busy_is(busy, key, how, skb, tcp) && acker_busy_is_ipv6(busy, ip) &&
	       acker_is_off_grid(skb, tcp, sizeof(*ip), total, busy->grid) &&
	       acker_busy_is_fresh(a, busy);
}

/**
 * acker_busy_skip() - does a packet come so soon after others on the grid that it is not acked?
 * @acker: the acker_net of its namespace
 * @skb: the packet, as onramp_acker_ops.skip gets it
 * @tap: likewise
 *
 * Context: softirqs off.
 * Return: true if nothing more need be known of it, and it is counted.
 */
bool acker_busy_skip(void *acker, const struct sk_buff *skb, enum onramp_stamp tap)
{
	const struct iphdr *ip = (const struct iphdr *)skb->data;
	const struct tcphdr *tcp = (const struct tcphdr *)(ip + 1);
	const struct acker_net *a = acker;
	struct acker_busy_flows *flows;
	struct acker_dense *dense;
	u32 header, total;

	if (!READ_ONCE(a->busy) || skb_vlan_tag_present(skb))
		return false;
	flows = this_cpu_ptr(READ_ONCE(a->busy));
	if (unlikely(skb->protocol != htons(ETH_P_IP)))
		return skb->protocol == htons(ETH_P_IPV6) &&
		       acker_busy_skip_ipv6(a, flows, skb, tap);
	if (unlikely(skb_headlen(skb) < sizeof(*ip) + sizeof(*tcp)))
		return false;
	/*
	 * First what most packets are where many come, in as few steps as it takes: off the grid,
	 * and of the dense path of which one was skipped last.
	 */
	dense = flows->last_dense;
	if (unlikely(!acker_dense_is_ipv4(dense, READ_ONCE(a->busy_key), tap, skb, ip)) ||
	    unlikely(dense->tick != acker_tick()) || unlikely(!dense->left))
		return acker_busy_skip_ipv4(a, flows, skb, tap);
	if (unlikely(ip->protocol != IPPROTO_TCP) || unlikely(ip_is_fragment(ip)))
		return false;
	header = sizeof(*ip) + tcp->doff * 4;
	total = ntohs(ip->tot_len);
	if (unlikely(header < sizeof(*ip) + sizeof(*tcp)))
		return false;
	if (unlikely(total <= header))
		return false;
	if (unlikely(total > skb->len) || unlikely(tcp->syn))
		return false;
	if (onramp_grid_has(ntohl(tcp->seq), total - header, dense->grid))
		return false;
	dense->left--;
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
 * @tuple: the flow
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
	    busy->sport != tuple->sport || busy->dport != tuple->dport ||
	    !ipv6_addr_equal(&busy->saddr, &tuple->saddr) ||
	    !ipv6_addr_equal(&busy->daddr, &tuple->daddr) || acker_busy_is_tagged(skb))
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
		.sport = p->tuple.sport,
		.dport = p->tuple.dport,
		.saddr = p->tuple.saddr,
		.daddr = p->tuple.daddr,
		.grid = grid,
		.how = acker_busy_how(!ipv6_addr_v4mapped(&p->tuple.saddr), seen->tap),
	};
}

/**
 * acker_dense_set() - a packet on the grid came by a dense path
 * @a: the namespace
 * @seen: the packet
 * @p: what is in it
 * @grid: of the device that it came by
 * @until_ns: onramp_dense_until()
 *
 * Context: softirqs off.
 */
void acker_dense_set(const struct acker_net *a, const struct acker_seen *seen,
		     const struct onramp_packet *p, u32 grid, u64 until_ns)
{
	const struct onramp_tuple *tuple = &p->tuple;
	const struct sk_buff *skb = seen->skb;
	u32 key = READ_ONCE(a->busy_key);
	struct acker_dense *dense;
	__be16 begin;

	if (acker_busy_is_tagged(skb) || skb_headlen(skb) < sizeof(begin))
		return;
	begin = skb->protocol == htons(ETH_P_IP) ? acker_dense_begin_ipv4(skb->data) :
						   acker_dense_begin_ipv6(skb->data);
	dense = acker_dense_slot(this_cpu_ptr(a->busy), key, tuple->saddr.s6_addr32[3],
				 tuple->daddr.s6_addr32[3]);
	if (unlikely(!acker_dense_is(dense, key, begin, seen->tap, skb) ||
		     !ipv6_addr_equal(&dense->saddr, &tuple->saddr) ||
		     !ipv6_addr_equal(&dense->daddr, &tuple->daddr)))
		*dense = (struct acker_dense){
			.key = key,
			.ifindex = skb->dev->ifindex,
			.begin = begin,
			.tap = seen->tap,
			.saddr = tuple->saddr,
			.daddr = tuple->daddr,
		};
	dense->grid = grid;
	dense->until_ns = until_ns;
	dense->tick = acker_tick();
	dense->left = ACKER_DENSE_UNREAD;
}
