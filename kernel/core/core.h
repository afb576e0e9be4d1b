/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions that the files of onramp.ko share.
 *
 * Locks, outermost first; all but the first three are taken with BH off:
 *   onramp_net.change  requests by netlink, and what they alone set
 *   RTNL               devices, ports, parameters, the acker's devices
 *   onramp_taps_lock  users of each tap
 *   a root qdisc lock  attachments (the qdisc's; core only runs under it)
 *   onramp_net.lock    lists of flows and paths: coming, ageing, going
 *   onramp_flow.lock   ring, holds, algorithm and attachments of a flow
 *   onramp_path.lock   leaf
 *
 * Flows and paths are found under RCU and freed after a grace period.  A flow
 * may be removed by code that holds onramp_net.lock and its own, which sets @dead,
 * and code that found it in the meantime sees that once it has the lock.  One that
 * is attached is removed only to make space, or since it is not followed any more,
 * and is freed when its last attachment is gone.  A path is counted: one for being
 * in the table, one for each of its flows.
 *
 * A port goes when none of its attachments is left, so code that has a
 * flow's lock and finds an attachment there may use its port.
 *
 * Each file uses only those that Kbuild, and this header, have before it.
 */
#ifndef SHARPRAMP_ONRAMP_CORE_PRIVATE_H
#define SHARPRAMP_ONRAMP_CORE_PRIVATE_H

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/refcount.h>
#include <linux/rhashtable.h>
#include <linux/rtnetlink.h>
#include <linux/spinlock.h>
#include <linux/workqueue.h>
#include <linux/xarray.h>
#include <net/netns/generic.h>

#include "algo/onramp_delay.h"
#include "algo/onramp_line.h"
#include "algo/onramp_hold.h"
#include "algo/onramp_phc.h"
#include "algo/onramp_pick.h"
#include "algo/onramp_replay.h"
#include "algo/onramp_ring.h"
#include "algo/onramp_unacked.h"
#include "algo/onramp_wire.h"
#include "onramp_core.h"
#include "onramp_hook.h"

/* Times of 64 bits are read without a lock, as struct onramp_flow.t_next_ns. */
static_assert(BITS_PER_LONG == 64);

#define ONRAMP_MAX_FLOWS_DEFAULT 65536
#define ONRAMP_MAX_PATHS_DEFAULT 16384
/* With so many of both 3 KB of records a flow; all that a flow can have are 16 KB. */
#define ONRAMP_MAX_MEMORY_DEFAULT (256ULL << 20)

/* For allocations by packets: see peers.c. */
#define ONRAMP_GFP (GFP_ATOMIC | __GFP_NOWARN | __GFP_ACCOUNT)

/* A path that no flow used for so long is forgotten, its base with it. */
#define ONRAMP_PATH_IDLE_NS (600ULL * NSEC_PER_SEC)
/* And a flow without an attachment, at the latest; record_idle can be 0. */
#define ONRAMP_FLOW_IDLE_NS NSEC_PER_SEC

/*
 * While onramp_net.lock is held no flow is made, and what enqueues or receives one
 * spins: where many go, it is dropped after so many flows, or paths.  To forget them
 * takes some 20000 instructions, or 30000, about as long as to make as many flows.
 */
#define ONRAMP_FLOWS_AT_ONCE 16
#define ONRAMP_PATHS_AT_ONCE 64

/* A table without space is not tried again so soon: each packet would. */
#define ONRAMP_RETRY_NS (10 * NSEC_PER_MSEC)

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
 * struct onramp_device_phc - what was published of a device's clock, replaced whole
 * @p: the line to onramp_wall() and what belongs to it
 * @asleep_ns: compat_asleep_ns() when it was published
 * @rcu: freed after a grace period
 */
struct onramp_device_phc {
	struct onramp_phc	p;
	u64			asleep_ns;
	struct rcu_head		rcu;
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
 * @counts: of ports that are gone, and what is no port's
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

/**
 * struct onramp_path_key - no padding: hashed and compared as bytes
 * @saddr: as in struct onramp_tuple
 * @daddr: same
 * @scope: same
 * @dscp: six bits
 */
struct onramp_path_key {
	struct in6_addr	saddr;
	struct in6_addr	daddr;
	u32		scope;
	u32		dscp;
};

/**
 * struct onramp_path - addresses, their scope, and DSCP
 * @node: in onramp_net.paths
 * @list: in onramp_net.path_list
 * @key: which
 * @refs: see above
 * @is_peer: its end is a peer; onramp_net.lock
 * @rcu: freed after a grace period
 * @lock: of what follows
 * @unacked: does anybody ack it?  Its acked_ns and unacked are read without the
 *	lock, too: a reader of the state before takes it, or counts one packet less
 * @replay: signed datagrams about it that were taken
 * @vars: state of the rules
 * @held: flows of it that are held, and some that were; the last to end first
 * @error_ns: bound with the latest delay
 * @threshold_ns: T for it
 * @beta_q16: of the flow that had the latest delay
 * @has_beta: there was one
 * @used_ns: when it was last used
 * @refused_ns: when its source, another host, last had no onramp; written without
 *	the lock
 * @refused: it ever had none
 * @samples: delays
 * @holds: holds of its flows
 * @validity: of the latest delay
 */
struct onramp_path {
	struct rhash_head		node;
	struct list_head		list;
	struct onramp_path_key		key;
	refcount_t			refs;
	bool				is_peer;
	struct rcu_head			rcu;

	spinlock_t			lock;		/* the rest */
	struct onramp_unacked		unacked;
	struct onramp_replay		replay;
	struct onramp_path_vars		vars;
	struct rb_root_cached		held;
	u64				error_ns;
	u64				threshold_ns;
	u32				beta_q16;
	bool				has_beta;
	u64				used_ns;
	u64				refused_ns;
	bool				refused;
	u64				samples;
	u64				holds;
	enum onramp_validity		validity;
};

/**
 * struct onramp_core_flow - a TCP flow
 * @pub: what qdiscs read
 * @lock: of all that follows but @on, @tuple, @node, @list, @unknown and @rcu
 * @dead: taken out of the table; it stays for as long as a queue is attached, which
 *	asks for its flow again with the next packet
 * @is_peer: it goes to a peer; onramp_net.lock, too
 * @started: a queue is attached to it, or was
 * @holding: a hold was set, and no packet left since it was over
 * @attachments: of queues; the latest first, which has the parameters
 * @path: a reference
 * @ring: records
 * @hold: A(t)
 * @last_ns: when a packet left, or a queue was attached
 * @away_ns: when one last left by a device that another queue attached to it is
 *	on, and none by that of the first since; 0: none did
 * @on: its namespace
 * @tuple: which
 * @node: in onramp_net.flows
 * @list: in onramp_net.flow_list
 * @unknown: in onramp_net.unknown_flows, or empty
 * @rcu: freed after a grace period
 * @reports: whether the receiver has the grid
 * @held: in onramp_path.held, or empty; the path's lock's
 * @held_until_ns: when its hold ends, by which it is there; likewise
 * @vars: state of the algorithm
 * @held_ns: how much of A is counted in hold_ns already
 * @away_since_ns: from when on, without a longer gap
 * @idle_ns: record_idle of its port
 * @owd_ns: the latest delay; valid if @has_owd
 * @owd_at_ns: when it was reported
 * @error_ns: bound with it
 * @threshold_ns: T for it, or ONRAMP_NS_NONE
 * @samples: delays
 * @holds: holds set
 * @validity: of the latest delay
 * @stamp_tx: where its packet was seen as it left, enum onramp_stamp
 * @stamp_rx: and as it came
 * @has_owd: there was one
 *
 * A packet that leaves and is remembered needs the first two cache lines, one that
 * is looked up the third.
 */
struct onramp_core_flow {
	struct onramp_flow		pub;
	spinlock_t			lock;		/* see above */
	bool				dead;
	bool				is_peer;
	bool				started;
	bool				holding;
	struct hlist_head		attachments;
	struct onramp_path		*path;
	struct onramp_ring		ring;

	struct onramp_hold		hold;
	u64				last_ns;
	u64				away_ns;
	struct onramp_net		*on;

	struct onramp_tuple		tuple;
	struct rhash_head		node;
	struct list_head		list;
	struct list_head		unknown;
	struct rcu_head			rcu;

	struct onramp_pick_reports	reports;
	struct rb_node			held;
	u64				held_until_ns;
	struct onramp_vars		vars;
	u64				held_ns;
	u64				away_since_ns;
	u64				idle_ns;
	s64				owd_ns;
	u64				owd_at_ns;
	u64				error_ns;
	u64				threshold_ns;
	u64				samples;
	u64				holds;
	enum onramp_validity		validity;
	u8				stamp_tx;
	u8				stamp_rx;
	bool				has_owd;
};

/* Locks of kernels that check them are larger. */
static_assert(sizeof(spinlock_t) > 4 || offsetof(struct onramp_core_flow, hold) <= 64);
static_assert(sizeof(spinlock_t) > 4 || offsetof(struct onramp_core_flow, tuple) <= 128);

/**
 * struct onramp_device - a tapped device
 * @list: with all others
 * @on: in whose table it is
 * @ifindex: where in it; 0: it was taken out
 * @dev: the device; not counted, forgotten when it goes
 * @bps: its link speed; 0: not known
 * @ports: qdisc instances on it
 * @has_hook: its driver calls the hooks of onramp_hook.ko
 * @users: of each way: qdisc instances that measure, and the acker
 * @stamp: where packets are seen, enum onramp_stamp; ONRAMP_STAMP_NONE: nowhere
 * @wanted: where the user wants that; ONRAMP_STAMP_NONE: where it is best; with
 *	ONRAMP_STAMP_HARDWARE they are seen where it is best, and the time is
 *	the NIC's
 * @acker: whose packets that come are, or NULL
 * @phc: what was published of its clock, or NULL
 * @verdicts: of each way: what became of the stamps of hardware that were
 *	requested, by enum onramp_phc_verdict
 * @rcu: freed after a grace period
 *
 * Written under RTNL, read under RCU.
 */
struct onramp_device {
	struct list_head	list;
	struct onramp_net	*on;
	int			ifindex;
	struct net_device	*dev;
	u64			bps;
	unsigned int		ports;
	bool			has_hook;
	unsigned int		users[ONRAMP_HOOK_WAYS];
	u8			stamp[ONRAMP_HOOK_WAYS];
	u8			wanted[ONRAMP_HOOK_WAYS];
	void			*acker;
	struct onramp_device_phc __rcu *phc;
	atomic64_t		verdicts[ONRAMP_HOOK_WAYS][ONRAMP_PHC_VERDICTS];
	struct rcu_head		rcu;
};

/* More than leave a qdisc before the first of them passes the tap. */
#define ONRAMP_MARKS 64

/**
 * struct onramp_mark - a packet between the qdisc and a tap, see mark.c
 * @mark: it is marked with this; 0: none is
 * @again: some of it was sent before
 * @seq: sequence number of its first byte
 * @len: bytes of payload; 0: no other packet passes the tap in its stead
 * @skb: where it is; never followed, it may be gone
 * @flow: its flow
 */
struct onramp_mark {
	u32			mark;
	bool			again;
	u32			seq;
	u32			len;
	const struct sk_buff	*skb;
	struct onramp_core_flow	*flow;
};

/**
 * struct onramp_marked - a packet that is to be remembered, as a tap has it
 * @device: by which it leaves
 * @flow: its flow, which may be dead
 * @again: some of it was sent before
 */
struct onramp_marked {
	struct onramp_device	*device;
	struct onramp_core_flow	*flow;
	bool			again;
};

/**
 * struct onramp_core_params - parameters of a port, replaced whole
 * @p: the parameters
 * @rcu: freed after a grace period
 */
struct onramp_core_params {
	struct onramp_port_params	p;
	struct rcu_head			rcu;
};

/**
 * struct onramp_core_port - a qdisc instance
 * @pub: what the qdisc sees
 * @node: in onramp_net.ports
 * @sch: the qdisc
 * @on: its namespace
 * @device: its device
 * @params: replaced whole
 * @id: in onramp_net.port_ids
 * @serial: of the last packet that was marked; the root lock's, as what follows
 * @marks: the latest
 * @counts: counters
 * @nic_backlog_bytes: latest value, as the rest
 * @owd_ns: same, or ONRAMP_NS_NONE
 * @threshold_ns: same
 * @base_ns: same
 * @rcu: freed after a grace period
 */
struct onramp_core_port {
	struct onramp_port			pub;
	struct list_head			node;
	struct Qdisc				*sch;
	struct onramp_net			*on;
	struct onramp_device			*device;
	struct onramp_core_params __rcu		*params;
	u32					id;
	u16					serial;
	struct onramp_mark			marks[ONRAMP_MARKS];
	struct onramp_counts			counts;
	u32					nic_backlog_bytes;
	s64					owd_ns;
	u64					threshold_ns;
	s64					base_ns;
	struct rcu_head				rcu;
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

/**
 * onramp_port_of() - whose queue an attachment is of
 * @att: attached
 *
 * Context: the lock of the attached flow, or the root lock.
 * Return: the port, which stays as long as it is attached.
 */
static inline struct onramp_core_port *
onramp_port_of(const struct onramp_attachment *att)
{
	return container_of(att->port, struct onramp_core_port, pub);
}

/**
 * onramp_port_params() - the parameters of a port that is known to stay
 * @port: the port
 *
 * Context: RCU or RTNL, for as long as they are used.
 * Return: the parameters.
 */
static inline const struct onramp_port_params *
onramp_port_params(const struct onramp_core_port *port)
{
	return &rcu_dereference_check(port->params, lockdep_rtnl_is_held())->p;
}

/**
 * onramp_port_bps() - the speed of a port's link
 * @port: the port
 * @params: its parameters
 *
 * Return: bits per second; 0 if it is not known.
 */
static inline u64
onramp_port_bps(const struct onramp_core_port *port,
		const struct onramp_port_params *params)
{
	return params->link_bps ?: READ_ONCE(port->device->bps);
}

/**
 * onramp_port_backlog_ns() - how long the NIC had to send before the latest packet
 * @port: the port
 *
 * Context: RCU or RTNL.
 * Return: ns; ONRAMP_NS_NONE if the speed of the link is not known.
 */
static inline u64 onramp_port_backlog_ns(const struct onramp_core_port *port)
{
	u64 bps = onramp_port_bps(port, onramp_port_params(port));

	return bps ? onramp_link_ns(READ_ONCE(port->nic_backlog_bytes), bps) :
		     ONRAMP_NS_NONE;
}

struct onramp_device *onramp_device_lookup(struct onramp_net *on,
					   const struct net_device *dev);

/**
 * onramp_device_find() - is a device tapped?
 * @dev: the device
 *
 * Context: RCU or RTNL.
 * Return: what is known of it, or NULL.
 */
static inline struct onramp_device *
onramp_device_find(const struct net_device *dev)
{
	return onramp_device_lookup(onramp_net_of(dev_net(dev)), dev);
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

/* path.c */
extern const struct rhashtable_params onramp_path_table;
bool onramp_path_is_known(struct onramp_net *on,
			  const struct onramp_tuple *tuple, u8 dscp);
bool onramp_path_refuse(struct onramp_net *on, const struct onramp_tuple *tuple,
			u8 dscp, u64 now_ns);
bool onramp_path_refuses(struct onramp_net *on, const struct onramp_tuple *tuple,
			 u8 dscp, u64 now_ns);
struct onramp_path *
onramp_path_get(struct onramp_net *on, const struct onramp_packet *p,
		u64 now_ns,
		bool (*evict)(struct onramp_net *on, bool is_peer, u64 now_ns));
bool onramp_path_evict(struct onramp_net *on, bool is_peer);
void onramp_path_refollow(struct onramp_net *on);
void onramp_path_put(struct onramp_path *path);
void onramp_path_age_some(struct onramp_net *on, u64 now_ns);
void onramp_path_forget_all(struct onramp_net *on);
void onramp_held_set(struct onramp_core_flow *flow, u64 now_ns);
void onramp_held_end(struct onramp_core_flow *flow, u64 now_ns);

/* flow.c */
struct onramp_core_port *onramp_flow_port(const struct onramp_core_flow *flow);
void onramp_flow_kick(struct onramp_core_flow *flow);
void onramp_flow_remember_all(struct onramp_core_flow *flow);
void onramp_flow_hold_until(struct onramp_core_flow *flow, u64 t_next_ns);
void onramp_flow_count_held(struct onramp_core_flow *flow,
			    struct onramp_counts *counts, u64 now_ns);
void onramp_flow_set_idle(struct onramp_core_flow *flow,
			  struct onramp_core_port *port);
void onramp_flow_release(struct onramp_core_flow *flow,
			 struct onramp_core_port *port);
void onramp_flow_free_ring(struct onramp_core_flow *flow);
void onramp_flow_change_ring(struct onramp_core_flow *flow);
void onramp_flow_begin(struct onramp_core_flow *flow);
struct onramp_path *onramp_flow_sent(const struct onramp_marked *m,
				     const struct sk_buff *skb,
				     const struct onramp_packet *p,
				     const struct onramp_timestamp *ts);

/* flow_table.c */
extern const struct rhashtable_params onramp_flow_table;
struct onramp_core_flow *onramp_flow_find(struct onramp_net *on,
					  const struct onramp_tuple *tuple);
struct onramp_core_flow *onramp_flow_get(struct onramp_net *on,
					 const struct onramp_packet *p,
					 u64 now_ns,
					 struct onramp_counts *counts);
void onramp_flow_free(struct onramp_core_flow *flow);
void onramp_flow_refollow(struct onramp_net *on);
void onramp_flow_age_work(struct work_struct *work);
void onramp_flow_forget_all(struct onramp_net *on);
void onramp_flow_each(struct onramp_net *on,
		      void (*visit)(struct onramp_core_flow *flow,
				    struct onramp_core_port *port),
		      struct onramp_core_port *port);

/* genl_message.c */
void onramp_genl_path_event(struct onramp_net *on, struct onramp_path *path,
			    enum onramp_event event);
void onramp_genl_clock_event(struct onramp_net *on, enum onramp_event event);
void onramp_genl_holding_event(struct onramp_net *on);
void onramp_genl_stale_work(struct work_struct *work);

/* controller.c */
void onramp_controller_start(struct onramp_core_flow *flow,
			     struct onramp_core_port *port, u64 now_ns);
void onramp_controller_report(struct onramp_core_flow *flow,
			      const struct onramp_wire_head *head,
			      const struct onramp_wire_item *item, u64 now_ns);

/* orack.c */
int onramp_orack_start(struct onramp_net *on);
void onramp_orack_stop(struct onramp_net *on);

/* phc.c */
const struct onramp_timestamp *onramp_phc_tx(struct onramp_device *device,
					     const struct onramp_timestamp *ts,
					     struct onramp_timestamp *own);
bool onramp_phc_is_awake(const struct onramp_device_phc *phc);
bool onramp_phc_can(struct net_device *dev, enum onramp_hook_way way);
bool onramp_phc_is_used(const struct onramp_device *device,
			enum onramp_hook_way way, u64 now_ns);
bool onramp_phc_publish(struct onramp_device *device,
			struct onramp_device_phc *phc);
void onramp_phc_forget(struct onramp_device *device);

/* mark.c */
int onramp_mark_open(struct onramp_core_port *port);
void onramp_mark_close(struct onramp_core_port *port);
void onramp_mark_set(struct onramp_core_port *port, struct onramp_core_flow *flow,
		     struct sk_buff *skb, bool again);
void onramp_mark_forget(struct onramp_core_port *port, const struct onramp_core_flow *flow);
bool onramp_mark_take(const struct sk_buff *skb, const struct net_device *dev,
		      enum onramp_stamp stamp, struct onramp_marked *m,
		      struct onramp_packet *p);

/* device_table.c */
void onramp_device_hide(struct onramp_device *device);
void onramp_device_query(struct onramp_device *device);
struct onramp_device *onramp_device_get(struct net_device *dev);
void onramp_device_put(struct onramp_device *device);
void onramp_device_for_each(void (*what)(struct onramp_device *device));

/* taps.c */
int onramp_taps_init(void);
void onramp_taps_exit(void);
bool onramp_taps_can(enum onramp_stamp stamp);
int onramp_taps_get(enum onramp_hook_way way, enum onramp_stamp stamp);
void onramp_taps_put(enum onramp_hook_way way, enum onramp_stamp stamp);
void onramp_taps_set_acker(const struct onramp_acker_ops *ops);

/* device.c */
void onramp_device_set_tap(const struct onramp_device *device);
int onramp_device_tap(struct onramp_device *device, enum onramp_hook_way way);
void onramp_device_untap(struct onramp_device *device,
			 enum onramp_hook_way way);
int onramp_device_can(struct net_device *dev, enum onramp_hook_way way,
		      enum onramp_stamp stamp, struct netlink_ext_ack *extack);
int onramp_device_want(struct onramp_device *device, enum onramp_hook_way way,
		       enum onramp_stamp stamp);
int onramp_device_attach(struct onramp_device *device, void *acker);
int onramp_device_init(void);
void onramp_device_exit(void);

/* acker.c */
int onramp_genl_acker_set(const struct onramp_acker_ops *ops);
void onramp_genl_acker_clear(void);
void onramp_genl_acker_peers(struct net *net);

/* port.c */
void onramp_port_levels(const struct onramp_core_port *port,
			struct onramp_stats *st);
void onramp_counts_read(const struct onramp_counts *counts,
			struct onramp_stats *st);

/* genl.c */
int onramp_genl_init(void);
void onramp_genl_exit(void);

#endif /* SHARPRAMP_ONRAMP_CORE_PRIVATE_H */
