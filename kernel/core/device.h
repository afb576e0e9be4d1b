/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Tapped devices, the ports of qdiscs on them, and packets between a qdisc and a
 * tap.  Locks are in core.h.
 */
#ifndef SHARPRAMP_ONRAMP_DEVICE_PRIVATE_H
#define SHARPRAMP_ONRAMP_DEVICE_PRIVATE_H

#include "algo/delay_hist.h"
#include "algo/onramp_phc.h"
#include "flow.h"
#include "onramp_hook.h"

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
 * struct onramp_owds - distribution of the valid delays of a port, any CPU may count
 * @sum_ns: sum of them
 * @bucket: as in struct delay_hist
 */
struct onramp_owds {
	atomic64_t	sum_ns;
	atomic64_t	bucket[DELAY_HIST_BUCKETS];
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
 * @owds: valid delays
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
	struct onramp_owds			owds;
	u32					nic_backlog_bytes;
	s64					owd_ns;
	u64					threshold_ns;
	s64					base_ns;
	struct rcu_head				rcu;
};

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

#endif /* SHARPRAMP_ONRAMP_DEVICE_PRIVATE_H */
