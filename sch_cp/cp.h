/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Qdisc cp: the parts that its files share.
 *
 * An instance is a switch port: the scheduler of its output, and an input, to which what
 * came by the port is accounted, wherever it waits.  The frames that wait for output j and
 * came by input i are the virtual output queue (VOQ) of both, in the qdisc of j.  An input outlives
 * its port while others hold frames of it.
 *
 * Locks, from the outside to the inside: RTNL for settings and for which ports there are; a
 * port's root lock for its queues; an input's lock, of which nobody takes two.  A root lock
 * is never taken below another, nor below an input's lock.  A queued frame that has a slot at
 * its input may be marked or copied under that input's lock alone; its own port takes that
 * lock to end the slot before it lets the frame go.
 */
#ifndef SHARPRAMP_CP_H
#define SHARPRAMP_CP_H

#include <linux/etherdevice.h>
#include <linux/idr.h>
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/netfilter_netdev.h>
#include <linux/rbtree.h>
#include <linux/refcount.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <net/netns/generic.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <linux/pkt_sch_cp.h>

#include "algo/cp_occupancy.h"
#include "algo/cp_params.h"
#include "algo/cp_pause.h"
#include "algo/fecn_wire.h"
#include "algo/l2_wire.h"
#include "algo/qcn_cp.h"
#include "compat/compat.h"

#define CP_CLASSES		8U
#define CP_INPUT_BUCKETS	256U
#define CP_VOQ_BITS		6
/* CNMs that may wait at an input; more would be late, too. */
#define CP_CNMS_MAX		64U
/*
 * A PAUSE is not repeated more often, whatever its quanta: each takes a timer, a dequeue and a
 * transmission, which is some us of a CPU.
 */
#define CP_REFRESH_LEAST_NS	40000ULL
/* Assumed of a device that does not know its speed. */
#define CP_LINK_BPS		10000000000ULL
/* A slot of a frame that the queue does not count; CP_NO_SLOT is one that it cannot sample. */
#define CP_OUTSIDE		(CP_NO_SLOT - 1)

struct cp_port;
struct cp_voq;

/**
 * struct cp_cb - what a port remembers of a queued frame
 * @voq: where it counts; root lock, does not change
 * @slot_in: its slot at its input, CP_NO_SLOT or CP_OUTSIDE; the input's lock.  A slot is only
 *	valid if cp_occupancy_has(): those of before a change of settings are not
 * @slot_out: likewise at its output; root lock
 * @seq: number of its arrival, modulo 2^32; root lock
 */
struct cp_cb {
	struct cp_voq *voq;
	u32 slot_in;
	u32 slot_out;
	u32 seq;
} __packed __aligned(4);

static inline struct cp_cb *cp_cb(const struct sk_buff *skb)
{
	qdisc_cb_private_validate(skb, sizeof(struct cp_cb));
	return (struct cp_cb *)qdisc_skb_cb(skb)->data;
}

/**
 * cp_class() - a frame's priority, as 802.1Q and PFC have it
 * @skb: the frame
 *
 * A bridge does not read the VLAN tag's priority, so it is read here.
 *
 * Return: 0 to 7; it does not change while the frame waits.
 */
static inline u32 cp_class(const struct sk_buff *skb)
{
	if (skb_vlan_tag_present(skb))
		return skb_vlan_tag_get_prio(skb);
	return skb->priority % CP_CLASSES;
}

/* Tags of a CNM: the culprit's, the bridge's, a VLAN device's. */
#define CP_TAGS_MAX	3U

/**
 * struct cp_tags - VLAN tags of a frame
 * @tag: EtherType and TCI of each, the outer first
 * @count: how many there are
 */
struct cp_tags {
	struct {
		u16 type;
		u16 tci;
	} tag[CP_TAGS_MAX];
	u32 count;
};

/**
 * cp_tags_push() - add an outer tag
 * @tags: at most CP_TAGS_MAX - 1
 * @type: its EtherType
 * @tci: its priority and VLAN
 */
static inline void cp_tags_push(struct cp_tags *tags, u16 type, u16 tci)
{
	memmove(tags->tag + 1, tags->tag, (CP_TAGS_MAX - 1) * sizeof(tags->tag[0]));
	tags->tag[0].type = type;
	tags->tag[0].tci = tci;
	tags->count++;
}

/**
 * cp_tags_pop() - remove the outer tag
 * @tags: at least one
 */
static inline void cp_tags_pop(struct cp_tags *tags)
{
	memmove(tags->tag, tags->tag + 1, (CP_TAGS_MAX - 1) * sizeof(tags->tag[0]));
	tags->count--;
}

/**
 * struct cp_fifo - frames in the order in which they came, in a list for each priority
 * @filled: bit n: there are some of priority n
 * @list: head and tail; valid with the bit
 */
struct cp_fifo {
	u8 filled;
	struct {
		struct sk_buff *head;
		struct sk_buff *tail;
	} list[CP_CLASSES];
};

/**
 * struct cp_point_stats - what became of culprits
 * @verdicts: times that one was looked for
 * @cnms: those for which a CNM was sent
 * @marks: marked
 * @ce_seen: marked before
 * @nonect_seen: not ECN-capable
 * @mark_failed: not marked for want of memory
 * @not_bridged: have the address of their output
 * @no_source: have no sender that a CNM reaches
 * @control_failed: CNMs lost for want of memory, because too many wait, or the port is down
 * @no_vlan: came in a VLAN that is not known
 */
struct cp_point_stats {
	u64 verdicts;
	u64 cnms;
	u64 marks;
	u64 ce_seen;
	u64 nonect_seen;
	u64 mark_failed;
	u64 not_bridged;
	u64 no_source;
	u64 control_failed;
	u64 no_vlan;
};

/**
 * struct cp_point - a congestion point, of an output or of an input
 * @law: CP_LAW_*
 * @sample: CP_SAMPLE_*
 * @signal: CP_SIGNAL_*
 * @header_octets: bytes of a frame in its CNM
 * @at: CP_AT_*, for CPIDs
 * @qntz_fb: of the last verdict
 * @sampling: frames that come get slots in @occupancy
 * @k_bytes: threshold of law step
 * @qcn: what law qcn reads
 * @vars: its state
 * @occupancy: slots
 * @stats: counters
 *
 * Protected by the output's root lock, or the input's lock.
 */
struct cp_point {
	u8 law;
	u8 sample;
	u8 signal;
	u8 header_octets;
	u8 at;
	u8 qntz_fb;
	bool sampling;
	u32 k_bytes;
	struct qcn_cp_params qcn;
	struct qcn_cp_vars vars;
	struct cp_occupancy occupancy;
	struct cp_point_stats stats;
};

/**
 * enum cp_next_frame - a PAUSE frame that is to leave
 * @CP_NEXT_NONE: none
 * @CP_NEXT_XOFF: PAUSE
 * @CP_NEXT_REFRESH: PAUSE, repeated
 * @CP_NEXT_XON: its end
 */
enum cp_next_frame {
	CP_NEXT_NONE,
	CP_NEXT_XOFF,
	CP_NEXT_REFRESH,
	CP_NEXT_XON,
};

/* Bits of struct cp_input's @pending. */
#define CP_PENDING_FRAME	1
#define CP_PENDING_REFRESH	2

/**
 * struct cp_input - what came by a port and waits for any
 * @node: in the namespace's table; RTNL and RCU
 * @refs: the port, and the VOQs that name this
 * @ifindex: of the port's device
 * @minor: of its class in all outputs
 * @net: its namespace's inputs
 * @rcu: after the last reference
 * @dead: the port is gone; written under RTNL, before VOQs are looked through
 * @lock: protects all that follows; taken below a root lock; BH disabled
 * @pending: CP_PENDING_FRAME, CP_PENDING_REFRESH; read without the lock
 * @cnpv: priorities that count, a bit each
 * @paused_cnpv: priorities that were paused; all of them end together
 * @pause_input: PAUSE is sent by @bytes
 * @next_frame: the PAUSE frame that is to leave next
 * @sch: the port's qdisc; NULL once it is gone
 * @mac: the port's address
 * @bytes: that count and wait
 * @max_bytes: most yet
 * @buffer: @bytes stays at or below it
 * @pause_requests: outputs that want it paused
 * @quanta: of the PAUSE frames
 * @limits: when PAUSE is sent; its time is long enough for CP_REFRESH_LEAST_NS
 * @pause: state of the PAUSE frames that are sent
 * @pausing_since_ns: valid while paused
 * @cnms: that are to leave by the port
 * @point: the congestion point
 * @pausing_ns: time paused, up to the last end
 * @xoff_tx: PAUSEs, but for repeated ones
 * @refresh_tx: repeated ones
 * @xon_tx: ends
 * @control_failed: times that there was no memory for one, which is tried again, and CNMs
 *	dropped as the port went down
 * @cnm_tx: CNMs that left
 */
struct cp_input {
	struct hlist_node node;
	refcount_t refs;
	int ifindex;
	u32 minor;
	struct cp_net *net;
	struct rcu_head rcu;
	bool dead;

	spinlock_t lock ____cacheline_aligned;
	u8 pending;
	u8 cnpv;
	u8 paused_cnpv;
	bool pause_input;
	u8 next_frame;
	struct Qdisc *sch;
	u8 mac[ETH_ALEN];
	u32 bytes;
	u32 max_bytes;
	u32 buffer;
	u32 pause_requests;
	u32 quanta;
	struct pause_tx_params limits;
	struct pause_tx pause;
	u64 pausing_since_ns;
	struct sk_buff_head cnms;
	struct cp_point point;
	u64 pausing_ns;
	u64 xoff_tx;
	u64 refresh_tx;
	u64 xon_tx;
	u64 control_failed;
	u64 cnm_tx;
};

/**
 * struct cp_voq - what came by one input and waits for one output
 * @node: in the port's table
 * @by_minor: in the port's tree of classes; not @local's and @foreign's
 * @active: in the port's list of active VOQs; empty if it is in none
 * @port: the output
 * @input: NULL: this machine itself, or devices that are no inputs
 * @minor: of its class
 * @fifo: its frames that were queued with service rr
 * @deficit: bytes that it may still send in this round (deficit round robin)
 * @pausing: the output holds the input
 * @bytes: that wait
 * @packets: that wait
 * @counted: of @bytes, those that count at the input
 * @tx_bytes: that left
 * @tx_packets: that left
 * @drop_buffer: frames dropped because the input's buffer was full
 * @drop_limit: because of the output's limit
 * @culprits: frames named culprits; this and the next two under the input's lock
 * @cnms: of these, those for which a CNM was sent
 * @marks: of these, marked
 *
 * Protected by the output's root lock.
 */
struct cp_voq {
	struct hlist_node node;
	struct rb_node by_minor;
	struct list_head active;
	struct cp_port *port;
	struct cp_input *input;
	u32 minor;
	s32 deficit;
	bool pausing;
	struct cp_fifo fifo;
	u32 bytes;
	u32 packets;
	u32 counted;
	u64 tx_bytes;
	u64 tx_packets;
	u64 drop_buffer;
	u64 drop_limit;
	u64 culprits;
	u64 cnms;
	u64 marks;
};

/**
 * struct cp_fecn - law fecn of an output
 * @params: what it reads; @params.interval_ns is 0 with other laws
 * @vars: its state
 * @frame_bytes: what counts of a frame beyond its length
 * @rds: RD frames that passed on their way to a destination
 * @rds_written: that got this port's rate
 * @rds_bad: malformed ones
 * @rds_failed: not written for want of memory
 *
 * Protected by the output's root lock.
 */
struct cp_fecn {
	struct fecn_cp_params params;
	struct fecn_cp_vars vars;
	u32 frame_bytes;
	u64 rds;
	u64 rds_written;
	u64 rds_bad;
	u64 rds_failed;
};

/**
 * struct cp_port - private data of one qdisc: a port
 * @sch: the qdisc
 * @input: its other side
 * @net: the namespace's ports
 * @rate_bps: it is not faster; 0: no such limit
 * @link_bps: speed of the device
 * @limit: @bytes stays at or below it
 * @quantum: bytes of a round
 * @cnpv: priorities that count in @counted, a bit each
 * @rr: frames that come are queued by VOQ, for service rr, and not in @fifo
 * @rr_next: @rr is to be that once the frames are gone that were queued so before
 * @edge: CNMs that come are dropped; read without a lock
 * @pause_output: PAUSE is sent to inputs by @counted
 * @advertising: law fecn: RD frames that leave are looked at
 * @now_ns: time of this operation; 0: not read yet
 * @last: VOQ of the last frame
 * @last_iif: of that frame
 * @last_gen: the namespace's, when @last was found
 * @bytes: that wait
 * @counted: of these, of @cnpv
 * @seq: frames that came, modulo 2^32
 * @filled: bit n: frames of priority n wait
 * @packets: frames that wait, by priority
 * @fifo: frames that were queued with service fifo, in the order in which they came
 * @active: VOQs with frames in their @fifo
 * @nr_active: how many
 * @local: VOQ of this machine
 * @foreign: VOQ of devices that are no inputs
 * @voqs: all others, by input
 * @classes: the same, by the number of their class
 * @nr_inputs: VOQs of inputs with frames
 * @point: the congestion point
 * @fecn: law fecn
 * @pause: state of the PAUSE frames that are sent, by @counted
 * @limits: when
 * @next_ns: @rate_bps: when the next frame may leave
 * @was_idle: there was nothing to send, so that @next_ns does not lag
 * @pause_rx_active: bit n: @pause_rx of priority n is checked before a frame leaves
 * @pause_rx: state of PAUSE that came, by priority
 * @paused_mark_ns: up to which @paused_ns is counted
 * @paused_until_ns: latest end of a PAUSE that came
 * @refresh_ns: when the input's PAUSE is repeated
 * @wake_ns: next time that something is due
 * @watchdog: for that
 * @pause_rx_stats: counters of the watchdog of PAUSE
 * @count: counters that are in no other place
 * @mac: the port's address
 * @settings: what the user configured
 * @hook: where frames come in
 * @hooked: @hook is registered
 * @list: in the namespace's; RTNL
 *
 * Protected by the root lock.
 */
struct cp_port {
	/* Read mostly */
	struct Qdisc *sch;
	struct cp_input *input;
	struct cp_net *net;
	u64 rate_bps;
	u64 link_bps;
	u32 limit;
	u32 quantum;
	u8 cnpv;
	bool rr;
	bool rr_next;
	bool edge;
	bool pause_output;
	bool advertising;

	/* Written for every frame */
	u64 now_ns ____cacheline_aligned;
	struct cp_voq *last;
	u32 last_iif;
	u32 last_gen;
	u32 bytes;
	u32 counted;
	u32 seq;
	u8 filled;
	u8 pause_rx_active;
	bool was_idle;
	u32 packets[CP_CLASSES];
	struct cp_fifo fifo;
	struct list_head active;
	u32 nr_active;
	u32 nr_inputs;
	struct cp_voq local;
	struct cp_voq foreign;
	u64 next_ns;
	u64 refresh_ns;
	u64 wake_ns;

	/* Written for some */
	struct hlist_head voqs[1 << CP_VOQ_BITS];
	struct rb_root classes;
	struct cp_point point;
	struct cp_fecn fecn;
	struct pause_tx pause;
	struct pause_tx_params limits;
	struct pause_rx pause_rx[CP_CLASSES];
	struct pause_stats pause_rx_stats;
	u64 paused_mark_ns;
	u64 paused_until_ns;
	struct qdisc_watchdog watchdog;
	struct tc_cp_xstats count;
	u8 mac[ETH_ALEN];

	/* Seldom used */
	struct cp_settings settings;
	struct nf_hook_ops hook;
	bool hooked;
	struct list_head list;
};

/**
 * struct cp_net - the ports of a namespace
 * @gen: changes when an input comes or goes
 * @inputs: by ifindex; RTNL and RCU
 * @ports: RTNL
 * @minors: of inputs
 */
struct cp_net {
	u32 gen;
	struct hlist_head inputs[CP_INPUT_BUCKETS];
	struct list_head ports;
	struct ida minors;
};

/* The one place that reads the clock, so that a lab can give each host its own. */
static inline u64 cp_read_ns(void)
{
	return ktime_get_ns();
}

/**
 * cp_now() - the time of an operation on a port; the first that asks reads the clock
 * @q: the port; the caller cleared its @now_ns when the operation began
 *
 * Context: root lock.
 * Return: ns of CLOCK_MONOTONIC.
 */
static inline u64 cp_now(struct cp_port *q)
{
	if (!q->now_ns)
		q->now_ns = cp_read_ns();
	return q->now_ns;
}

/* fifo.c */
void cp_fifo_put(struct cp_fifo *f, struct sk_buff *skb);
struct sk_buff *cp_fifo_take(struct cp_fifo *f, u8 allowed);

/* vlan.c */
bool cp_vlan_tags(struct net_device *out, const struct sk_buff *skb, struct cp_tags *tags);

/* control.c */
struct sk_buff *cp_control_pause(const struct cp_input *in, bool xon);
struct sk_buff *cp_control_cnm(const struct sk_buff *culprit, const struct cp_tags *tags,
			       const struct cp_point *point, const u8 *mac,
			       const struct qcn_feedback *f, bool *no_source);
void cp_control_update_pending(struct cp_input *in);
void cp_control_schedule(struct Qdisc *sch);
void cp_control_kick(struct cp_input *in);
bool cp_control_send(struct cp_input *in, struct sk_buff *cnm);

/* point.c */
void cp_point_add(struct cp_point *point, struct sk_buff *skb);
void cp_point_remove(struct cp_point *point, struct sk_buff *skb);
void cp_point_sample_input(struct cp_input *in, struct sk_buff *skb);
void cp_point_sample_output(struct cp_port *q, struct sk_buff *skb);
bool cp_point_resamples(const struct cp_settings *was, const struct cp_settings *s, u8 at);
int cp_point_alloc(struct cp_occupancy *occupancy, const struct cp_settings *s, u8 at);
void cp_point_free(struct cp_occupancy *occupancy);
void cp_point_swap(struct cp_point *point, struct cp_occupancy *occupancy);
void cp_point_set(struct cp_point *point, const struct cp_settings *s, u8 at);

/* fecn.c */
void cp_fecn_advance(struct cp_port *q);
void cp_fecn_charge(struct cp_port *q, u32 len);
void cp_fecn_pass(struct cp_port *q, struct sk_buff *skb);
void cp_fecn_set(struct cp_port *q, const struct cp_settings *s);

/* input.c */
struct cp_input *cp_input_find(const struct cp_net *cn, int ifindex);
struct cp_input *cp_input_create(struct cp_port *q);
void cp_input_put(struct cp_input *in);
bool cp_input_charge(struct cp_port *q, struct cp_voq *voq, struct sk_buff *skb);
void cp_input_uncharge(struct cp_port *q, struct cp_voq *voq, struct sk_buff *skb);
void cp_input_request_pause(struct cp_port *q, struct cp_input *in, bool hold);
struct sk_buff *cp_input_control(struct cp_port *q);
void cp_input_set(struct cp_port *q, const struct cp_settings *s);
void cp_input_purge(struct cp_input *in);
void cp_input_orphan(struct cp_input *in, struct cp_occupancy *occupancy);

/* voq.c */
void cp_voq_init(struct cp_port *q, struct cp_voq *voq, u32 minor);
struct cp_voq *cp_voq_get(struct cp_port *q, const struct sk_buff *skb);
void cp_voq_forget(struct cp_port *q, const struct cp_input *in);
void cp_voq_pause(struct cp_port *q, struct cp_voq *voq);
void cp_voq_put(struct cp_port *q, struct sk_buff *skb);
struct sk_buff *cp_voq_take(struct cp_port *q, u8 allowed);
void cp_voq_uncharge(struct cp_port *q, struct sk_buff *skb);
void cp_voq_set_service(struct cp_port *q, bool rr);
struct cp_voq *cp_voq_next(struct cp_port *q, u32 minor);

/* ingress.c */
u8 cp_pause_rx_paused(struct cp_port *q);
u8 cp_pause_rx_allowed(struct cp_port *q, u8 *drop);
unsigned int cp_ingress_hook(void *priv, struct sk_buff *skb, const struct nf_hook_state *state);

/* port.c */
int cp_port_create(struct cp_port *q, struct netlink_ext_ack *extack);
void cp_port_publish(struct cp_port *q);
void cp_port_destroy(struct cp_port *q);
int cp_port_register(void);
void cp_port_unregister(void);

/* stats.c */
int cp_dump_stats(struct Qdisc *sch, struct gnet_dump *d);
extern const struct Qdisc_class_ops cp_class_ops;

/* netlink.c */
int cp_change(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack);
int cp_settings_init(struct Qdisc *sch, struct nlattr *opt, struct netlink_ext_ack *extack);
int cp_dump(struct Qdisc *sch, struct sk_buff *skb);

#endif /* SHARPRAMP_CP_H */
