// SPDX-License-Identifier: GPL-2.0
/*
 * Whether a packet is to be acked: who sends it, and to which address, asked
 * before any lock is taken and any memory.
 *
 * Of the packets of peers it is remembered, since nearly all that follow have
 * the same addresses.  Those of strangers are not, or addresses that a stranger
 * makes up would take the place of peers': a search in the allow-list finds
 * them each time.
 *
 * What is remembered holds as long as neither the allow-list nor addresses and
 * routes change, and for a second at most.  Each place has a sequence number,
 * odd while it is written: a reader in between does not know, and asks; a second
 * writer then does not write.
 */
#include <linux/jiffies.h>
#include <linux/mm.h>
#include <net/net_namespace.h>

#include "acker.h"

#define ACKER_VERDICT_BITS	9
#define ACKER_VERDICT_LIFE	HZ

/**
 * struct acker_verdict - what is remembered; a line of a cache
 * @peer: who sends
 * @self: to which address
 * @ifindex: the device that the packet came by
 * @seq: odd while the rest is written
 * @until: jiffies, until when
 * @genid: of the addresses and routes that it was made by
 * @serial: of the allow-list; 0: nothing is remembered
 * @ours: @self is an address of this host
 */
struct acker_verdict {
	struct in6_addr	peer;
	struct in6_addr	self;
	int		ifindex;
	u32		seq;
	u32		until;
	u32		genid;
	u32		serial;
	bool		ours;
} __aligned(64);

/**
 * acker_verdicts_alloc() - room for verdicts
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
		    int ifindex)
{
	u64 sum = (u64)ipv6_addr_hash(&tuple->saddr) << 32 |
		  ipv6_addr_hash(&tuple->daddr);

	sum = (sum ^ ifindex) * a->verdict_key;
	return &a->verdicts[sum >> (64 - ACKER_VERDICT_BITS)];
}

/*
 * It may be written meanwhile, which is found out by who asks.  A stranger is no
 * other peer by the last bytes of the address, so they come first.
 */
static bool acker_verdict_is(const struct acker_verdict *known,
			     const struct net *net,
			     const struct onramp_tuple *tuple, int ifindex,
			     u32 serial)
{
	return known->peer.s6_addr32[3] == tuple->saddr.s6_addr32[3] &&
	       ipv6_addr_equal(&known->peer, &tuple->saddr) &&
	       ipv6_addr_equal(&known->self, &tuple->daddr) &&
	       known->ifindex == ifindex && known->serial == serial &&
	       known->genid == acker_genid(net, &tuple->daddr) &&
	       (s32)(known->until - (u32)jiffies) > 0;
}

/* Out of line, so that what is known costs no more than that. */
static noinline enum acker_is acker_judge(struct acker_net *a,
					  struct acker_verdict *known,
					  const struct onramp_tuple *tuple,
					  struct net_device *dev,
					  const struct acker_peers *peers)
{
	u32 genid, seq;
	bool ours;

	if (!acker_is_peer(peers, &tuple->saddr))
		return ACKER_NOT_PEER;
	/* First, so that what is found out is never newer than that says. */
	genid = acker_genid(a->net, &tuple->daddr);
	ours = acker_is_ours(a->net, dev, &tuple->daddr);
	seq = READ_ONCE(known->seq);
	if (!(seq & 1) && cmpxchg(&known->seq, seq, seq + 1) == seq) {
		known->peer = tuple->saddr;
		known->self = tuple->daddr;
		known->ifindex = dev->ifindex;
		known->until = (u32)jiffies + ACKER_VERDICT_LIFE;
		known->genid = genid;
		known->serial = peers->serial;
		known->ours = ours;
		/* With an even number, what was written before it is read. */
		smp_store_release(&known->seq, seq + 2);
	}
	return ours ? ACKER_WANTED : ACKER_NOT_OURS;
}

/**
 * acker_verdict() - is a packet to be acked?
 * @a: the namespace
 * @skb: the packet
 * @p: what is in it
 *
 * Context: RCU, BH off, no lock.
 * Return: enum acker_is.
 */
enum acker_is acker_verdict(struct acker_net *a, const struct sk_buff *skb,
			    const struct onramp_packet *p)
{
	const struct acker_peers *peers = rcu_dereference(a->peers);
	const struct onramp_tuple *tuple = &p->tuple;
	int ifindex = skb->dev->ifindex;
	struct acker_verdict *known;
	bool ours;
	u32 seq;

	if (!peers)
		return ACKER_NOT_PEER;
	known = acker_verdict_place(a, tuple, ifindex);
	/* What follows is read behind it, and not before a write is over. */
	seq = smp_load_acquire(&known->seq);
	/* What another CPU writes meanwhile is seen by the number, and not used. */
	if (data_race(acker_verdict_is(known, a->net, tuple, ifindex,
				       peers->serial)) && !(seq & 1)) {
		ours = READ_ONCE(known->ours);
		smp_rmb(); /* with the release in acker_judge() */
		if (likely(READ_ONCE(known->seq) == seq))
			return ours ? ACKER_WANTED : ACKER_NOT_OURS;
	}
	return acker_judge(a, known, tuple, skb->dev, peers);
}
