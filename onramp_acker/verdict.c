// SPDX-License-Identifier: GPL-2.0
/*
 * Whether a packet is to be acked: its sender and its destination, checked
 * before any lock is taken and any memory.  And by which device IP gets it, which
 * is that of a VLAN, a bond or a macvlan above the NIC: its routes lead back.
 *
 * For packets of peers it is remembered, since nearly all that follow have
 * the same addresses.  Those of unknown peers are not, or addresses that one of them
 * makes up would take the place of peers': a search in the allow-list finds
 * them each time.
 *
 * A remembered verdict holds as long as neither the allow-list nor addresses and
 * routes change, and for a second at most, since devices may be put above others
 * without that.  Each place has a sequence number, odd while it is written: a
 * reader in between does not know, and checks; a second writer then does not write.
 */
#include <linux/if_vlan.h>
#include <linux/mm.h>
#include <net/net_namespace.h>

#include "acker.h"

#define ACKER_VERDICT_BITS	9
#define ACKER_VERDICT_LIFE	HZ

/**
 * struct acker_verdict - what is remembered; a line of a cache
 * @peer: the sender
 * @self: to which address
 * @ifindex: the device that the packet came by
 * @tags: its onramp_scope_tags()
 * @seq: odd while the rest is written
 * @until: jiffies, until when
 * @genid: of the addresses and routes that it was made by
 * @serial: of the allow-list; 0: nothing is remembered
 * @by: ifindex of that by which IP gets it; 0: @self is no address of this host
 * @scope: onramp_scope_by() of that
 */
struct acker_verdict {
	struct in6_addr	peer;
	struct in6_addr	self;
	int		ifindex;
	u32		tags;
	u32		seq;
	u32		until;
	u32		genid;
	u32		serial;
	int		by;
	u32		scope;
} __aligned(64);

static_assert(sizeof(struct acker_verdict) == 64);

/**
 * acker_verdicts_alloc() - allocate the table of verdicts
 *
 * Context: may sleep.
 * Return: it, or NULL without memory; for kvfree().
 */
struct acker_verdict *acker_verdicts_alloc(void)
{
	return kvcalloc(1UL << ACKER_VERDICT_BITS, sizeof(struct acker_verdict),
			GFP_KERNEL_ACCOUNT);
}

static u32 acker_genid(const struct net *net, const struct in6_addr *addr)
{
#if IS_ENABLED(CONFIG_IPV6)
	if (!ipv6_addr_v4mapped(addr))
		return rt_genid_ipv6(net);
#endif
	return rt_genid_ipv4(net);
}

static struct acker_verdict *
acker_verdict_place(const struct acker_net *a, const struct onramp_tuple *tuple,
		    int ifindex, u32 tags)
{
	u64 sum = (u64)ipv6_addr_hash(&tuple->saddr) << 32 |
		  ipv6_addr_hash(&tuple->daddr);

	sum = (sum ^ ifindex ^ tags) * a->verdict_key;
	return &a->verdicts[sum >> (64 - ACKER_VERDICT_BITS)];
}

/*
 * It may be written meanwhile, which the reader finds out.  An unknown peer is no
 * other peer by the last bytes of the address, so they come first.
 */
static bool acker_verdict_is(const struct acker_verdict *known,
			     const struct net *net,
			     const struct onramp_tuple *tuple, int ifindex,
			     u32 tags, u32 serial)
{
	return known->peer.s6_addr32[3] == tuple->saddr.s6_addr32[3] &&
	       ipv6_addr_equal(&known->peer, &tuple->saddr) &&
	       ipv6_addr_equal(&known->self, &tuple->daddr) &&
	       known->ifindex == ifindex && known->tags == tags &&
	       known->serial == serial &&
	       known->genid == acker_genid(net, &tuple->daddr) &&
	       (s32)(known->until - acker_tick()) > 0;
}

/*
 * The macvlan or ipvlan device that has the address.  The NIC does not
 * say which gets a packet without asking for what the driver knows alone.
 *
 * There may be a thousand of them, and a peer may send to as many addresses as it
 * likes.  So they are searched only where it matters which it is, and for an address
 * that one of them may have.
 */
static struct net_device *acker_lan_above(struct net *net,
					  struct net_device *dev,
					  const struct onramp_tuple *tuple)
{
	const struct in6_addr *self = &tuple->daddr;
	struct net_device *above;
	struct list_head *iter;

	if (!rcu_access_pointer(dev->rx_handler) ||
	    !onramp_scope_matters(net, tuple) || !acker_some_has(net, self))
		return dev;
	netdev_for_each_upper_dev_rcu(dev, above, iter) {
		if (net_eq(dev_net(above), net) && !is_vlan_dev(above) &&
		    !netif_is_l3_master(above) && acker_has(above, self))
			return above;
	}
	return dev;
}

/* Return: the device by which IP gets a packet, or NULL if it is not for us. */
static struct net_device *acker_by(struct net *net, struct net_device *dev,
				   u32 tags, const struct onramp_tuple *tuple)
{
	dev = acker_lan_above(net, onramp_scope_above(dev, tags), tuple);
	return net_eq(dev_net(dev), net) &&
	       acker_is_ours(net, dev, &tuple->daddr) ? dev : NULL;
}

/* Out of line, so that what is known costs no more than that. */
static noinline enum acker_is acker_judge(const struct acker_net *a,
					  struct acker_verdict *known,
					  struct net_device *dev, u32 tags,
					  struct onramp_tuple *tuple, int *by)
{
	const struct onramp_peers *peers = rcu_dereference(*a->peers);
	const struct net_device *above;
	u32 genid, seq;

	if (!onramp_peers_have(peers, &tuple->saddr))
		return ACKER_NOT_PEER;
	/* First, so that what is found out is never older than that. */
	genid = acker_genid(a->net, &tuple->daddr);
	above = acker_by(a->net, dev, tags, tuple);
	*by = above ? above->ifindex : 0;
	tuple->scope = above ? onramp_scope_by(above, tuple) : 0;
	seq = READ_ONCE(known->seq);
	if (!(seq & 1) && cmpxchg(&known->seq, seq, seq + 1) == seq) {
		known->peer = tuple->saddr;
		known->self = tuple->daddr;
		known->ifindex = dev->ifindex;
		known->tags = tags;
		known->until = acker_tick() + ACKER_VERDICT_LIFE;
		known->genid = genid;
		known->serial = peers->serial;
		/* Read without data_race(), since they are used. */
		WRITE_ONCE(known->by, *by);
		WRITE_ONCE(known->scope, tuple->scope);
		/* With an even number, what was written before it is read. */
		smp_store_release(&known->seq, seq + 2);
	}
	return above ? ACKER_WANTED : ACKER_NOT_OURS;
}

/**
 * acker_verdict() - is a packet to be acked?
 * @a: the namespace
 * @skb: the packet
 * @p: what is in it; if it is to be acked, its scope is set
 * @by: then filled with the ifindex of the device by which IP gets it
 *
 * Context: RCU, BH off, no lock.
 * Return: enum acker_is.
 */
enum acker_is acker_verdict(const struct acker_net *a,
			    const struct sk_buff *skb,
			    struct onramp_packet *p, int *by)
{
	const struct onramp_peers *peers = rcu_dereference(*a->peers);
	int ifindex = skb->dev->ifindex;
	struct acker_verdict *known;
	u32 seq, tags = 0;

	if (!peers)
		return ACKER_NOT_PEER;
	if (unlikely(skb_vlan_tag_present(skb) || eth_type_vlan(skb->protocol)))
		tags = onramp_scope_tags(skb);
	known = acker_verdict_place(a, &p->tuple, ifindex, tags);
	/* The rest is read behind it, and not before a write is over. */
	seq = smp_load_acquire(&known->seq);
	/* A write of another CPU meanwhile is seen by the number, and not used. */
	if (data_race(acker_verdict_is(known, a->net, &p->tuple, ifindex, tags,
				       peers->serial)) && !(seq & 1)) {
		*by = READ_ONCE(known->by);
		p->tuple.scope = READ_ONCE(known->scope);
		smp_rmb(); /* with the release in acker_judge() */
		if (likely(READ_ONCE(known->seq) == seq))
			return *by ? ACKER_WANTED : ACKER_NOT_OURS;
	}
	return acker_judge(a, known, skb->dev, tags, &p->tuple, by);
}
