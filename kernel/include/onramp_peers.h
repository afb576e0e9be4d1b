/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The list of peers, which sender and receiver share, as packets search it: spans of
 * addresses in order, none inside another, so that a search by halves finds the
 * one that can have an address.  It is read under RCU, and replaced whole.
 *
 * All packets of unknown peers end here, so it is inline, and takes a few
 * instructions a doubling of the list.
 */
#ifndef SHARPRAMP_ONRAMP_PEERS_H
#define SHARPRAMP_ONRAMP_PEERS_H

#include <linux/rcupdate.h>
#include <net/ipv6.h>

#include "onramp_receiver.h"

/**
 * struct onramp_span4 - the addresses of a prefix of IPv4, as numbers
 * @first: the first of them
 * @mask: the prefix's bits
 */
struct onramp_span4 {
	u32	first;
	u32	mask;
};

/**
 * struct onramp_span6 - the addresses of a prefix of IPv6, as numbers
 * @hi: the first 8 bytes of the first of them
 * @lo: the last 8
 * @hi_mask: the prefix's bits of the first 8
 * @lo_mask: of the last 8
 */
struct onramp_span6 {
	u64	hi;
	u64	lo;
	u64	hi_mask;
	u64	lo_mask;
};

/**
 * struct onramp_spans - how many there are, for a search by halves
 * @rest: how many more than the greatest power of two that is no more than that
 * @half: half of that power
 */
struct onramp_spans {
	u32	rest;
	u32	half;
};

/**
 * struct onramp_peers - the list
 * @rcu: freed after a grace period
 * @serial: which list it is, not 0
 * @count: how many prefixes, not 0
 * @prefixes: as they were given; behind @v4
 * @n4: spans of IPv4
 * @n6: spans of IPv6
 * @v4: in order, none inside another, or one that has no address; behind @v6
 * @v6: same
 */
struct onramp_peers {
	struct rcu_head		rcu;
	u32			serial;
	u32			count;
	struct onramp_prefix	*prefixes;
	struct onramp_spans	n4;
	struct onramp_spans	n6;
	struct onramp_span4	*v4;
	struct onramp_span6	v6[];
};

/**
 * onramp_peers_u64() - half of an address of IPv6 as a number
 * @half: its two words
 *
 * Context: any.
 * Return: the number; addresses are in its order.
 */
static inline u64 onramp_peers_u64(const __be32 *half)
{
	return (u64)ntohl(half[0]) << 32 | ntohl(half[1]);
}

/**
 * onramp_span6_has() - is an address among those of a prefix?
 * @span: the prefix
 * @hi: onramp_peers_u64() of the address's first 8 bytes
 * @lo: of its last 8
 *
 * Context: any.
 * Return: if so.
 */
static inline bool onramp_span6_has(const struct onramp_span6 *span, u64 hi,
				    u64 lo)
{
	return (hi & span->hi_mask) == span->hi &&
	       (lo & span->lo_mask) == span->lo;
}

static inline bool onramp_span6_begins(const struct onramp_span6 *span, u64 hi,
				       u64 lo)
{
	return span->hi == hi ? span->lo <= lo : span->hi < hi;
}

/*
 * The last that begins no later than the address is the only one that can have
 * it.  It is among the last or the first @n4.half * 2, which are halved until one
 * is left.
 */
static inline bool onramp_peers_have4(const struct onramp_peers *peers, u32 addr)
{
	const struct onramp_span4 *span = peers->v4;
	unsigned long step = peers->n4.rest;

	if (span[step].first <= addr)
		span += step;
	for (step = peers->n4.half; step; step /= 2) {
		if (span[step].first <= addr)
			span += step;
	}
	return (addr & span->mask) == span->first;
}

static inline bool onramp_peers_have6(const struct onramp_peers *peers, u64 hi,
				      u64 lo)
{
	const struct onramp_span6 *span = peers->v6;
	unsigned long step = peers->n6.rest;

	if (onramp_span6_begins(span + step, hi, lo))
		span += step;
	for (step = peers->n6.half; step; step /= 2) {
		if (onramp_span6_begins(span + step, hi, lo))
			span += step;
	}
	return onramp_span6_has(span, hi, lo);
}

/**
 * onramp_peers_have() - is an address one of a peer?
 * @peers: the list
 * @addr: the address
 *
 * Context: any, as long as @peers stays.
 * Return: true if a prefix of the list covers it.
 */
static inline bool onramp_peers_have(const struct onramp_peers *peers,
				     const struct in6_addr *addr)
{
	if (ipv6_addr_v4mapped(addr))
		return onramp_peers_have4(peers, ntohl(addr->s6_addr32[3]));
	return onramp_peers_have6(peers, onramp_peers_u64(&addr->s6_addr32[0]),
				  onramp_peers_u64(&addr->s6_addr32[2]));
}

#endif /* SHARPRAMP_ONRAMP_PEERS_H */
