/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flows, the paths that they take, and what reports make of them.  Locks are in
 * core.h.
 */
#ifndef SHARPRAMP_ONRAMP_FLOW_PRIVATE_H
#define SHARPRAMP_ONRAMP_FLOW_PRIVATE_H

#include <linux/refcount.h>

#include "algo/onramp_delay.h"
#include "algo/onramp_hold.h"
#include "algo/onramp_pick.h"
#include "algo/onramp_replay.h"
#include "algo/onramp_ring.h"
#include "algo/onramp_unacked.h"
#include "net.h"

struct onramp_marked;

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

/* controller.c */
void onramp_controller_start(struct onramp_core_flow *flow,
			     struct onramp_core_port *port, u64 now_ns);
void onramp_controller_report(struct onramp_core_flow *flow,
			      const struct onramp_wire_head *head,
			      const struct onramp_wire_item *item, u64 now_ns);

/* orack.c */
int onramp_orack_start(struct onramp_net *on);
void onramp_orack_stop(struct onramp_net *on);

#endif /* SHARPRAMP_ONRAMP_FLOW_PRIVATE_H */
