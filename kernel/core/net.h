/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Core's part of a network namespace: counters, the published clock, keys,
 * peers, ageing.  Locks are in core.h.
 */
#ifndef SHARPRAMP_ONRAMP_NET_PRIVATE_H
#define SHARPRAMP_ONRAMP_NET_PRIVATE_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/rhashtable.h>
#include <linux/rtnetlink.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/netns/generic.h>

#include "algo/onramp_line.h"
#include "algo/onramp_wire.h"
#include "onramp_receiver.h"

/* Four of struct onramp_stats are latest values, and are not counted in here. */
#define ONRAMP_COUNTERS (sizeof(struct onramp_stats) / 8)

/**
 * struct onramp_counts - the counters, any CPU may count
 * @n: in the order of struct onramp_stats
 */
struct onramp_counts {
	atomic64_t n[ONRAMP_COUNTERS];
};

#define onramp_count_add(counts, name, by)				\
	atomic64_add(by, &(counts)->n[offsetof(struct onramp_stats, name) / 8])
#define onramp_count(counts, name) onramp_count_add(counts, name, 1)

/**
 * struct onramp_clock_line - a published clock, replaced whole
 * @base: enum onramp_clock_base
 * @epoch: not 0
 * @error_ns: bound
 * @map: from the base clock to common time
 * @until_ns: onramp_now() at which it is stale
 * @asleep_ns: compat_asleep_ns() when it was published
 * @rcu: freed after a grace period
 */
struct onramp_clock_line {
	u32		base;
	u32		epoch;
	u32		error_ns;
	struct onramp_line map;
	u64		until_ns;
	u64		asleep_ns;
	struct rcu_head	rcu;
};

/**
 * enum onramp_key_verdict - is a datagram authentic?
 * @ONRAMP_KEY_GOOD: it was signed with the key
 * @ONRAMP_KEY_NOT_REQUIRED: it need not be signed
 * @ONRAMP_KEY_UNSIGNED: it must be, and is not
 * @ONRAMP_KEY_UNKNOWN: it was signed with a key that the group does not have
 * @ONRAMP_KEY_FORGED: its tag is wrong
 */
enum onramp_key_verdict {
	ONRAMP_KEY_GOOD,
	ONRAMP_KEY_NOT_REQUIRED,
	ONRAMP_KEY_UNSIGNED,
	ONRAMP_KEY_UNKNOWN,
	ONRAMP_KEY_FORGED,
};

/**
 * struct onramp_age - a pass over all flows and paths, a batch at a time
 * @work: runs it
 * @flows: not visited yet in this pass; ageing's alone, as what follows
 * @paths: same
 * @due_ns: when the first of those that were can be forgotten; U64_MAX: none
 * @woken: bit 0: something came since the pass began that will be due
 */
struct onramp_age {
	struct delayed_work	work;
	u32			flows;
	u32			paths;
	u64			due_ns;
	unsigned long		woken;
};

/**
 * struct onramp_net - core's part of a network namespace
 * @net: whose
 * @flows: struct onramp_core_flow by tuple
 * @paths: struct onramp_path by key
 * @change: serializes requests
 * @lock: of the lists, and of taking out of the tables
 * @flow_list: all flows, least recently visited by ageing first
 * @path_list: same
 * @unknown_flows: flows to unknown peers, which make space for peers', in the order in
 *	which they were visited
 * @max_flows: no more are made
 * @max_paths: same
 * @max_memory: bytes, for all of them and their records
 * @memory: bytes that they take, see peers.c
 * @memory_unknown: of @memory, that of flows to unknown peers
 * @follow: enum onramp_follow
 * @retry_ns: no flow to an unknown peer is made before, and to a peer, since there was
 *	no space
 * @path_retry_ns: nor a path
 * @hot_until_ns: until then a delay above its path's threshold may hold new flows
 * @evicted: flows that made space for others
 * @unfollowed: packets with payload that are not followed, of each CPU
 * @age: ageing
 * @devices: struct onramp_device by ifindex; written under RTNL, read under RCU
 * @ports: struct onramp_core_port; RTNL
 * @port_ids: the same by number, which marks have; written under RTNL, read under RCU
 * @attached: struct onramp_device, to which the acker is attached, by ifindex; RTNL
 * @acker: what it gave for one of them; NULL: there is none; READ_ONCE()
 * @vrfs: devices of VRFs; RTNL
 * @ports_on: how many have a mode other than off; RTNL
 * @remembers_some: one remembers some packets only, or did: there are flows of this namespace that
 *	nothing is known of
 * @system_error_ns: bound of CLOCK_REALTIME, for the acker; 0: not known
 * @line: the published clock, or NULL
 * @stale: notifies the monitors when @line is stale
 * @counts: of ports that are gone, and those of no port
 * @acks: datagrams taken for OR-ACKs
 * @acks_bad: malformed
 * @acks_unknown_peer: of nobody known here
 * @acks_unknown_flow: of no flow here, but from where a path of this namespace ends
 * @acks_forwarded: of @acks, those for an address that is not local, which went on there
 * @peers: the list, or NULL: nobody is on it
 * @peers_serial: counts what @peers were, not 0
 * @keys: groups of peers and their keys, or NULL
 * @keys_serial: counts what @keys were, not 0
 * @acks_signed: of @acks, those that were authentic
 * @acks_unsigned: dropped: not signed, though that is required, of the peer's
 *	group or, of a peer without one, of any
 * @acks_unknown_key: dropped: signed with a key that is not there
 * @acks_forged: dropped: the tag is wrong
 * @acks_replayed: dropped: taken before, or too long ago to know
 * @acks_stale: dropped: stamps too far from our clock
 * @switched_off: nothing is held, whatever ports are configured to do
 * @switched_why: the reason that was given for it; @change
 */
struct onramp_net {
	struct net			*net;
	struct rhashtable		flows;
	struct rhashtable		paths;
	struct mutex			change;		/* requests */
	spinlock_t			lock;		/* lists, removal */
	struct list_head		flow_list;
	struct list_head		path_list;
	struct list_head		unknown_flows;
	u32				max_flows;
	u32				max_paths;
	u64				max_memory;
	atomic64_t			memory;
	atomic64_t			memory_unknown;
	u8				follow;
	u64				retry_ns[2];
	u64				path_retry_ns[2];
	u64				hot_until_ns;
	atomic64_t			evicted;
	u64 __percpu			*unfollowed;
	struct onramp_age		age;
	struct xarray			devices;
	struct list_head		ports;
	struct xarray			port_ids;
	struct xarray			attached;
	void				*acker;
	unsigned int			vrfs;
	unsigned int			ports_on;
	bool				remembers_some;
	u32				system_error_ns;
	struct onramp_clock_line __rcu	*line;
	struct delayed_work		stale;
	struct onramp_counts		counts;
	atomic64_t			acks;
	atomic64_t			acks_bad;
	atomic64_t			acks_unknown_peer;
	atomic64_t			acks_unknown_flow;
	atomic64_t			acks_forwarded;
	struct onramp_peers __rcu	*peers;
	u32				peers_serial;
	struct onramp_keyring __rcu	*keys;
	u32				keys_serial;
	atomic64_t			acks_signed;
	atomic64_t			acks_unsigned;
	atomic64_t			acks_unknown_key;
	atomic64_t			acks_forged;
	atomic64_t			acks_replayed;
	atomic64_t			acks_stale;
	bool				switched_off;
	char				switched_why[ONRAMP_RANGE_WHY_MAX + 1];
};

/* net.c */
extern unsigned int onramp_net_id;

/**
 * onramp_net_of() - core's part of a namespace
 * @net: the namespace
 *
 * Context: any, as long as the module is loaded and the namespace lives.
 * Return: it.
 */
static inline struct onramp_net *onramp_net_of(const struct net *net)
{
	return net_generic(net, onramp_net_id);
}

/**
 * onramp_net_of_packet() - likewise, for each packet that comes
 * @net: the namespace
 *
 * Does without RCU's lock, which net_generic() takes though its caller has it.
 *
 * Context: RCU or BH off.
 * Return: it.
 */
static inline struct onramp_net *onramp_net_of_packet(const struct net *net)
{
	return rcu_dereference_bh_check(net->gen, rcu_read_lock_held())->ptr[onramp_net_id];
}

/* peers.c */
struct onramp_peers;
struct onramp_peers *onramp_peers_create(const struct onramp_prefix *prefixes,
					 u32 count);
void onramp_peers_free(struct onramp_peers *peers);
void onramp_peers_replace(struct onramp_net *on, struct onramp_peers *peers);
bool onramp_peers_known(struct onramp_net *on);
bool onramp_follow_is_peer(struct onramp_net *on, const struct in6_addr *addr);
bool onramp_follow(struct onramp_net *on, const struct in6_addr *addr);
bool onramp_memory_take(struct onramp_net *on, size_t bytes, bool is_peer);
void onramp_memory_give(struct onramp_net *on, size_t bytes, bool is_peer);
void onramp_memory_change(struct onramp_net *on, size_t bytes, bool is_peer);

/* packet.c */
void onramp_scope_tx(const struct onramp_net *on, const struct sk_buff *skb,
		     const struct net_device *dev, struct onramp_packet *p);
void onramp_scope_rx(const struct onramp_net *on, const struct net_device *dev,
		     struct onramp_tuple *tuple);
void onramp_scope_event(const struct net_device *dev, unsigned long event);

/* clock.c */
u64 onramp_clock_read(struct onramp_net *on, u32 id, u64 system_error_ns,
		      const struct onramp_timestamp *ts, u64 now_ns,
		      struct onramp_clock *c);
u64 onramp_clock_base_ns(const struct net *net, u32 base);
s64 onramp_clock_left_ns(const struct onramp_clock_line *line, u64 now_ns);
u64 onramp_clock_map(const struct net *net,
		     const struct onramp_clock_line *line, u64 now_ns,
		     struct onramp_clock *c);
void onramp_clock_publish(struct onramp_net *on,
			  struct onramp_clock_line *line, u64 valid_ns);
void onramp_clock_forget(struct onramp_net *on);

/* key.c */
struct onramp_keyring;
enum onramp_key_verdict onramp_key_verify(struct onramp_net *on,
					  const struct in6_addr *peer,
					  const struct in6_addr *self,
					  const struct onramp_wire_view *view);
void onramp_keyring_replace(struct onramp_net *on, struct onramp_keyring *ring);

/* age.c */
void onramp_age_wake(struct onramp_net *on);
void onramp_age_begin(struct onramp_net *on);
void onramp_age_due(struct onramp_net *on, u64 due_ns);
void onramp_age_end(struct onramp_net *on, u64 now_ns);

#endif /* SHARPRAMP_ONRAMP_NET_PRIVATE_H */
