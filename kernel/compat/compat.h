/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The only place that knows kernel versions.  HAVE_* come from probe.mk.
 */
#ifndef SHARPRAMP_COMPAT_H
#define SHARPRAMP_COMPAT_H

#include <linux/ethtool.h>
#include <linux/hrtimer.h>
#include <linux/ktime.h>
#include <linux/netdevice.h>
#include <linux/netfilter.h>
#include <linux/netlink.h>
#include <linux/phy.h>
#include <linux/pm_runtime.h>
#include <linux/skbuff.h>
#include <linux/timekeeping.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#if defined(CONFIG_X86)
#include <asm/cpufeature.h>
#elif defined(CONFIG_ARM64)
#include <linux/arm-smccc.h>
#endif
#include <net/flow.h>
#include <net/net_namespace.h>
#include <net/pkt_sched.h>
#include <net/sch_generic.h>
#include <net/sock.h>

#ifdef HAVE_NET_CLOCK
#include <net/net_clock.h>
#endif
#ifdef HAVE_FLOWI4_DSCP
#include <net/inet_dscp.h>
#endif
#ifdef HAVE_NETDEV_LOCK_OPS
#include <net/netdev_lock.h>
#endif
#ifdef HAVE_NET_GSO_H
#include <net/gso.h>
#endif

/* The newest that was tried.  selftests/net/kernel_untried.sh has another. */
#ifndef SHARPRAMP_TRIED
#define SHARPRAMP_TRIED	KERNEL_VERSION(7, 3, 255)
#endif

/**
 * compat_is_untried() - is this kernel newer than those that were tried?
 *
 * It was compiled for, so what changed is not what probes and the compiler see.
 * That is not a reason to refuse it: most of what a new kernel changes is not used
 * here.  The module reports it once, in its parameter, where it can be looked up.
 *
 * Return: true if it is.
 */
static inline bool compat_is_untried(void)
{
	return LINUX_VERSION_CODE > SHARPRAMP_TRIED;
}

/**
 * COMPAT_UNTRIED_PARAM() - the parameter untried of a module
 *
 * To be written once in a module, before the function that calls compat_warn_untried().
 */
#define COMPAT_UNTRIED_PARAM()						\
	static bool untried;						\
	module_param(untried, bool, 0444);				\
	MODULE_PARM_DESC(untried,					\
			 "the kernel is newer than any that was tried (read only)")

/**
 * compat_warn_untried() - warn in the log, as a module loads, that it is untested here
 * @name: the module's
 *
 * Not when it is compiled: dkms does that, and nobody reads along.
 *
 * Return: compat_is_untried().
 */
static inline bool compat_warn_untried(const char *name)
{
	if (compat_is_untried())
		pr_warn("%s: not tried on this kernel, Linux %u.%u: newer than any that was\n",
			name, LINUX_VERSION_CODE >> 16,
			LINUX_VERSION_CODE >> 8 & 255);
	return compat_is_untried();
}

/* 6.9: request_module() requests net-sch-NAME in place of sch_NAME. */
#ifndef HAVE_MODULE_ALIAS_NET_SCH
#define MODULE_ALIAS_NET_SCH(id)
#endif

/* 6.1: it also reports which attribute, by its number. */
#ifndef HAVE_GENL_REQ_ATTR_CHECK
#define GENL_REQ_ATTR_CHECK(info, attr) (!(info)->attrs[attr])
#endif

/* 6.2: a family that does something before and after requests has callbacks of another form. */
#ifdef HAVE_GENL_SPLIT_OPS
#define compat_genl_ops	genl_split_ops
#else
#define compat_genl_ops	genl_ops
#endif

/**
 * enum compat_drop - why a qdisc drops a packet
 * @COMPAT_DROP_OVERLIMIT: its limit is reached
 * @COMPAT_DROP_CONGESTED: a mark was due, and the packet cannot be marked
 * @COMPAT_DROP_BAND: its band's limit is reached
 * @COMPAT_DROP_HORIZON: its departure time is too far ahead
 * @COMPAT_DROP_FLOW: its flow's limit is reached
 */
enum compat_drop {
	COMPAT_DROP_OVERLIMIT,
	COMPAT_DROP_CONGESTED,
	COMPAT_DROP_BAND,
	COMPAT_DROP_HORIZON,
	COMPAT_DROP_FLOW,
};

#ifdef HAVE_ENUM_QDISC_DROP_REASON
static const enum qdisc_drop_reason compat_reasons[] = {
	[COMPAT_DROP_OVERLIMIT]	= QDISC_DROP_OVERLIMIT,
	[COMPAT_DROP_CONGESTED]	= QDISC_DROP_CONGESTED,
	[COMPAT_DROP_BAND]	= QDISC_DROP_BAND_LIMIT,
	[COMPAT_DROP_HORIZON]	= QDISC_DROP_HORIZON_LIMIT,
	[COMPAT_DROP_FLOW]	= QDISC_DROP_FLOW_LIMIT,
};
#elif defined(HAVE_DROP_QDISC_DROP)
static const enum skb_drop_reason compat_reasons[] = {
#ifdef HAVE_DROP_QDISC_OVERLIMIT
	[COMPAT_DROP_OVERLIMIT]	= SKB_DROP_REASON_QDISC_OVERLIMIT,
	[COMPAT_DROP_CONGESTED]	= SKB_DROP_REASON_QDISC_CONGESTED,
#else
	[COMPAT_DROP_OVERLIMIT]	= SKB_DROP_REASON_QDISC_DROP,
	[COMPAT_DROP_CONGESTED]	= SKB_DROP_REASON_QDISC_DROP,
#endif
#ifdef HAVE_DROP_FQ_LIMIT
	[COMPAT_DROP_BAND]	= SKB_DROP_REASON_FQ_BAND_LIMIT,
	[COMPAT_DROP_HORIZON]	= SKB_DROP_REASON_FQ_HORIZON_LIMIT,
	[COMPAT_DROP_FLOW]	= SKB_DROP_REASON_FQ_FLOW_LIMIT,
#else
	[COMPAT_DROP_BAND]	= SKB_DROP_REASON_QDISC_DROP,
	[COMPAT_DROP_HORIZON]	= SKB_DROP_REASON_QDISC_DROP,
	[COMPAT_DROP_FLOW]	= SKB_DROP_REASON_QDISC_DROP,
#endif
};
#endif

/**
 * compat_qdisc_drop() - drop a packet, with a reason
 * @skb: the packet; consumed
 * @sch: the qdisc; its drops are counted
 * @to_free: list of packets to free once the lock is dropped
 * @why: the reason for tracing, in kernels that have it
 *
 * Context: qdisc lock held.
 * Return: NET_XMIT_DROP.
 */
static inline int compat_qdisc_drop(struct sk_buff *skb, struct Qdisc *sch,
				    struct sk_buff **to_free,
				    enum compat_drop why)
{
#if defined(HAVE_QDISC_DROP_REASON)
	return qdisc_drop_reason(skb, sch, to_free, compat_reasons[why]);
#else
	return qdisc_drop(skb, sch, to_free);
#endif
}

/**
 * compat_qdisc_drop_overlimit() - refuse a packet because the queue is full
 * @skb: the packet; consumed
 * @sch: the qdisc; its drops and overlimits are counted
 * @to_free: list of packets to free once the lock is dropped
 *
 * Context: qdisc lock held.
 * Return: NET_XMIT_DROP.
 */
static inline int compat_qdisc_drop_overlimit(struct sk_buff *skb,
					      struct Qdisc *sch,
					      struct sk_buff **to_free)
{
	qdisc_qstats_overlimit(sch);
	return compat_qdisc_drop(skb, sch, to_free, COMPAT_DROP_OVERLIMIT);
}

/**
 * compat_qdisc_dequeue_drops() - mark a qdisc that may drop on dequeue
 * @sch: the qdisc, before anybody sees it
 */
static inline void compat_qdisc_dequeue_drops(struct Qdisc *sch)
{
#ifdef HAVE_DEQUEUE_DROP
	sch->flags |= TCQ_F_DEQUEUE_DROPS;
#endif
}

/**
 * compat_qdisc_dequeue_drop() - drop a packet on dequeue
 * @sch: the qdisc, of compat_qdisc_dequeue_drops()
 * @skb: the packet; consumed; the caller has counted the drop
 *
 * Where the kernel can, it is freed once the root's lock is dropped.  6.19 began
 * that by a list of each qdisc's own, which nobody empties below another root;
 * since 7.1 it is the root's, if that takes it, and only this is used.
 *
 * Context: qdisc lock held.
 */
static inline void compat_qdisc_dequeue_drop(struct Qdisc *sch,
					     struct sk_buff *skb)
{
#if defined(HAVE_DEQUEUE_DROP)
	qdisc_dequeue_drop(sch, skb, compat_reasons[COMPAT_DROP_CONGESTED]);
#elif defined(HAVE_ENUM_QDISC_DROP_REASON) || defined(HAVE_DROP_QDISC_DROP)
	kfree_skb_reason(skb, (enum skb_drop_reason)
			 compat_reasons[COMPAT_DROP_CONGESTED]);
#else
	kfree_skb(skb);
#endif
}

/**
 * compat_qdisc_segment() - set what the stack notes of a packet, for a segment
 * @skb: what segmentation made of a GSO packet that was already enqueued
 *
 * Since 6.19 the number of packets that a packet stands for is noted, too.
 */
static inline void compat_qdisc_segment(struct sk_buff *skb)
{
	qdisc_skb_cb(skb)->pkt_len = skb->len;
#ifdef HAVE_QDISC_PKT_SEGS
	qdisc_skb_cb(skb)->pkt_segs = 1;
#endif
}

/**
 * compat_qdisc_sent_bytes() - what the stack counted of a qdisc's bytes
 * @sch: a qdisc without per-CPU counters
 *
 * Context: qdisc lock held.
 * Return: bytes that left, with what tc stab adds.
 */
static inline u64 compat_qdisc_sent_bytes(const struct Qdisc *sch)
{
#ifdef HAVE_GNET_STATS_BASIC_SYNC
	return u64_stats_read(&sch->bstats.bytes);
#else
	return sch->bstats.bytes;
#endif
}

/**
 * compat_skb_has_edt() - is a packet marked as having a departure time?
 * @skb: the packet; its time stamp is not 0
 *
 * Since 5.18 there is a bit for it, since 6.10 a clock.  Before that all stamps
 * of packets on their way out are taken for one.
 *
 * Return: true if skb->tstamp is a departure time by CLOCK_MONOTONIC.
 */
static inline bool compat_skb_has_edt(const struct sk_buff *skb)
{
#if defined(HAVE_SKB_TSTAMP_TYPE)
	return skb->tstamp_type == SKB_CLOCK_MONOTONIC;
#elif defined(HAVE_SKB_MONO_DELIVERY)
	return skb->mono_delivery_time;
#else
	return true;
#endif
}

/**
 * compat_skb_has_other_time() - is a packet's time marked as not a departure time?
 * @skb: the packet, on its way out; its time stamp is not 0, and
 *	compat_skb_has_edt() is false
 * @sk: its socket, a full one, or NULL
 *
 * A BPF program may set the time alone, and none of what the stack forwards keeps
 * that of its reception, so that fq takes every time for a departure time by
 * CLOCK_MONOTONIC.  A socket may have set another clock (SO_TXTIME), which
 * since 6.10 the packet itself says, unless that is CLOCK_REALTIME.
 *
 * Return: true if it is by another clock.
 */
static inline bool compat_skb_has_other_time(const struct sk_buff *skb,
					     const struct sock *sk)
{
#if defined(HAVE_SKB_TSTAMP_TYPE)
	if (skb->tstamp_type == SKB_CLOCK_TAI)
		return true;
	return sk && sock_flag(sk, SOCK_TXTIME) &&
	       sk->sk_clockid == CLOCK_REALTIME;
#else
	return sk && sock_flag(sk, SOCK_TXTIME) &&
	       sk->sk_clockid != CLOCK_MONOTONIC;
#endif
}

/**
 * compat_sk_is_tcp() - is a socket one of TCP?
 * @sk: a full socket
 *
 * Since 5.17 the kernel says so itself.
 *
 * Return: true if it is.
 */
static inline bool compat_sk_is_tcp(const struct sock *sk)
{
#ifdef HAVE_SK_IS_TCP
	return sk_is_tcp(sk);
#else
	return sk->sk_type == SOCK_STREAM && sk->sk_protocol == IPPROTO_TCP;
#endif
}

/**
 * compat_sk_validates() - does a socket change its packets behind the qdisc?
 * @sk: a full socket
 *
 * Kernel TLS does that where a device was to encrypt and cannot.
 *
 * Return: true if it may.
 */
static inline bool compat_sk_validates(const struct sock *sk)
{
#ifdef CONFIG_SOCK_VALIDATE_XMIT
	return sk->sk_validate_xmit_skb;
#else
	return false;
#endif
}

/**
 * compat_net_real_ns() - what the wall clock of a packet's host shows
 * @net: the host's namespace
 *
 * All namespaces have the machine's clock, but in the laboratory's kernel, where
 * each is a host.
 *
 * Context: any but NMI.
 * Return: ns of CLOCK_REALTIME.
 */
static inline u64 compat_net_real_ns(const struct net *net)
{
#ifdef HAVE_NET_CLOCK
	return net_clock_real_ns(net);
#else
	return ktime_get_real_ns();
#endif
}

/**
 * compat_is_virtual() - does this kernel run in a virtual machine?
 *
 * x86: the CPU says so.  arm64: firmware is called by HVC, which a hypervisor
 * answers.  Others cannot be queried by a module.
 *
 * Return: true if that is known.
 */
static inline bool compat_is_virtual(void)
{
#if defined(CONFIG_X86)
	return boot_cpu_has(X86_FEATURE_HYPERVISOR);
#elif defined(CONFIG_ARM64)
	return arm_smccc_1_1_get_conduit() == SMCCC_CONDUIT_HVC;
#else
	return false;
#endif
}

/**
 * compat_net_real_at() - what the wall clock of a packet's host shows, at a time
 * @net: the host's namespace
 * @mono_ns: ktime_get_ns(), just now
 *
 * All namespaces have the machine's clock, which need not be read again for it.
 *
 * Context: any but NMI.
 * Return: ns of CLOCK_REALTIME.
 */
static inline u64 compat_net_real_at(const struct net *net, u64 mono_ns)
{
#ifdef HAVE_NET_CLOCK
	return net_clock_real_ns(net);
#else
	return ktime_to_ns(ktime_mono_to_real(ns_to_ktime(mono_ns)));
#endif
}

/**
 * compat_net_raw_ns() - what the clock of a packet's host that nobody corrects shows
 * @net: the host's namespace
 *
 * As compat_net_real_ns().
 *
 * Context: any but NMI.
 * Return: ns of CLOCK_MONOTONIC_RAW.
 */
static inline u64 compat_net_raw_ns(const struct net *net)
{
#ifdef HAVE_NET_CLOCK
	return net_clock_raw_ns(net);
#else
	return ktime_get_raw_ns();
#endif
}

/**
 * compat_net_tai_ns() - the wall clock of a packet's host without leap seconds
 * @net: the host's namespace
 *
 * As compat_net_real_ns().
 *
 * Context: any but NMI.
 * Return: ns of CLOCK_TAI.
 */
static inline u64 compat_net_tai_ns(const struct net *net)
{
#ifdef HAVE_NET_CLOCK
	return net_clock_tai_ns(net);
#else
	return ktime_get_clocktai_ns();
#endif
}

/**
 * compat_asleep_ns() - for how long the machine has been suspended, ever
 *
 * CLOCK_BOOTTIME less CLOCK_MONOTONIC.  By it a time of before a suspend is distinguished
 * from one of after, which CLOCK_MONOTONIC and CLOCK_MONOTONIC_RAW do not: they
 * stop meanwhile.
 *
 * Context: any but NMI.
 * Return: ns.
 */
static inline u64 compat_asleep_ns(void)
{
	return ktime_to_ns(ktime_mono_to_any(0, TK_OFFS_BOOT));
}

/**
 * compat_txq_inflight() - bytes that a driver was given and has not sent yet
 * @txq: the queue; it may change meanwhile
 *
 * Return: 0 also without byte queue limits.
 */
static inline u32 compat_txq_inflight(const struct netdev_queue *txq)
{
#ifdef CONFIG_BQL
	u32 done = READ_ONCE(txq->dql.num_completed);

	return READ_ONCE(txq->dql.num_queued) - done;
#else
	return 0;
#endif
}

/**
 * compat_skb_hwtstamp() - when a packet came, by its NIC's clock
 * @skb: the packet, as its driver hands it to the stack
 *
 * Since 6.0 a driver may leave what its descriptor says, and is then queried for what that
 * means.
 *
 * Return: ns, 0 if the NIC did not report it.
 */
static inline s64 compat_skb_hwtstamp(const struct sk_buff *skb)
{
	const struct skb_shared_info *shinfo = skb_shinfo(skb);

#ifdef HAVE_NETDEV_GET_TSTAMP
	if (shinfo->tx_flags & SKBTX_HW_TSTAMP_NETDEV)
		return ktime_to_ns(netdev_get_tstamp(skb->dev,
						     &shinfo->hwtstamps,
						     false));
#endif
	return ktime_to_ns(shinfo->hwtstamps.hwtstamp);
}

#ifdef HAVE_KERNEL_ETHTOOL_TS_INFO
#define compat_ts_info	kernel_ethtool_ts_info
#else
#define compat_ts_info	ethtool_ts_info
#endif

/* Where the kernel has no function that chooses: a PHY that has a clock, or the MAC. */
static inline int compat_ts_info_query(struct net_device *dev,
				       struct compat_ts_info *info)
{
#ifdef HAVE_TS_INFO_BY_LAYER
	return ethtool_get_ts_info_by_layer(dev, info);
#else
	if (phy_has_tsinfo(dev->phydev))
		return phy_ts_info(dev->phydev, info);
	if (!dev->ethtool_ops->get_ts_info)
		return -EOPNOTSUPP;
	return dev->ethtool_ops->get_ts_info(dev, info);
#endif
}

static inline int compat_dev_is_absent(struct net_device *dev,
				       struct netdev_nested_priv *unused)
{
	return !netif_device_present(dev);
}

/* The driver may be queried: the device is there, and so are those below, which it may query. */
static inline int compat_ts_info_get(struct net_device *dev,
				     struct compat_ts_info *info)
{
	const struct ethtool_ops *ops = dev->ethtool_ops;
	int err;

	if (dev->reg_state != NETREG_REGISTERED ||
	    compat_dev_is_absent(dev, NULL) ||
	    netdev_walk_all_lower_dev(dev, compat_dev_is_absent, NULL))
		return -ENODEV;
	err = ops->begin ? ops->begin(dev) : 0;
	if (err)
		return err;
	err = compat_ts_info_query(dev, info);
	if (ops->complete)
		ops->complete(dev);
	return err;
}

/**
 * compat_skb_was_shaped() - does an ifb receive a packet for its device again?
 * @skb: the packet, as it comes to the stack
 *
 * An ifb says so to tc's ingress, which would redirect it once more; that has
 * cleared it when the packet goes on.
 *
 * Return: false also where tc has no actions, and so no ifb anything to do.
 */
static inline bool compat_skb_was_shaped(const struct sk_buff *skb)
{
#ifdef CONFIG_NET_CLS_ACT
	return skb->tc_skip_classify;
#else
	return false;
#endif
}

/**
 * compat_dev_timestamping() - what stamps a device's clock, or its PHY's, can take
 * @dev: the device
 *
 * The driver is queried as ethtool does: awake, under its own lock, if it has
 * one, and not while it is detached, as it is in a reset.
 *
 * Context: RTNL, and not the device's own lock, as in netlink requests; may sleep.
 * Return: SOF_TIMESTAMPING_*; 0 without a clock, and while the device is away.
 */
static inline u32 compat_dev_timestamping(struct net_device *dev)
{
	struct compat_ts_info info = {
		.cmd = ETHTOOL_GET_TS_INFO,
		.phc_index = -1,
	};
	struct device *parent = dev->dev.parent;
	int err;

	if (parent)
		pm_runtime_get_sync(parent);
#ifdef HAVE_NETDEV_LOCK_OPS
	netdev_lock_ops(dev);
#endif
	err = compat_ts_info_get(dev, &info);
#ifdef HAVE_NETDEV_LOCK_OPS
	netdev_unlock_ops(dev);
#endif
	if (parent)
		pm_runtime_put(parent);
	return err || info.phc_index < 0 ? 0 : info.so_timestamping;
}

/**
 * compat_tracepoints_sleep() - may probes of tracepoints be preempted, and sleep?
 *
 * Until 7.0 or so they are called with preemption off, then in a section of SRCU.
 * The caller of a tracepoint may still forbid it; the network's call them where they
 * take locks themselves.
 *
 * Return: true if the tracepoint does not forbid it.
 */
static inline bool compat_tracepoints_sleep(void)
{
#ifdef HAVE_TRACEPOINT_SRCU
	return true;
#else
	return false;
#endif
}

/**
 * compat_system_wq() - the workqueue for users without one of their own
 *
 * Since 6.17 it has another name; 7.3 says so to the log where the old is used.
 *
 * Return: it.
 */
static inline struct workqueue_struct *compat_system_wq(void)
{
#ifdef HAVE_SYSTEM_PERCPU_WQ
	return system_percpu_wq;
#else
	return system_wq;
#endif
}

/**
 * compat_link_settings() - query a driver's link, where tc or a notifier does
 * @dev: the device
 * @link: filled
 *
 * Since 7.2 __ethtool_get_link_ksettings() takes the device's own lock, which
 * there is held already.  Before that nobody needs it for this.
 *
 * Context: RTNL, and the device's own lock where its driver requires one; may
 *	sleep.
 * Return: 0, or the driver's error, or -EOPNOTSUPP.
 */
static inline int compat_link_settings(struct net_device *dev,
				       struct ethtool_link_ksettings *link)
{
#ifdef HAVE_NETIF_LINK_SETTINGS
	return netif_get_link_ksettings(dev, link);
#else
	return __ethtool_get_link_ksettings(dev, link);
#endif
}

/**
 * compat_ingress_hook() - see what comes by a device, before bridges and VLANs do
 * @net: the device's namespace
 * @hook: with the device
 *
 * Context: may sleep.
 * Return: 0, an error, or -EOPNOTSUPP where netfilter has no such hook.
 */
static inline int compat_ingress_hook(struct net *net, const struct nf_hook_ops *hook)
{
#ifdef CONFIG_NETFILTER_INGRESS
	return nf_register_net_hook(net, hook);
#else
	return -EOPNOTSUPP;
#endif
}

/**
 * compat_ingress_unhook() - no longer; one that runs still is not waited for
 * @net: the device's namespace
 * @hook: of compat_ingress_hook(), which returned 0
 *
 * Context: may sleep.
 */
static inline void compat_ingress_unhook(struct net *net, const struct nf_hook_ops *hook)
{
#ifdef CONFIG_NETFILTER_INGRESS
	nf_unregister_net_hook(net, hook);
#endif
}

/**
 * compat_extack_set() - give the user a message that is not a literal here
 * @extack: may be NULL
 * @msg: a string that lives as long as the module
 */
static inline void compat_extack_set(struct netlink_ext_ack *extack,
				     const char *msg)
{
	if (extack)
		extack->_msg = msg;
}

/**
 * compat_extack_set_attr() - give the user a message that names something
 * @extack: not NULL
 * @msg: a string literal's characters
 * @name: what is named
 *
 * Since 6.3 a message may be made for a request; before, nothing is named.
 */
#ifdef HAVE_EXTACK_MSG_BUF
#define compat_extack_set_attr(extack, msg, name) \
	NL_SET_ERR_MSG_FMT(extack, msg "%s", name)
#else
#define compat_extack_set_attr(extack, msg, name) \
	((void)(name), compat_extack_set(extack, msg "it"))
#endif

/**
 * compat_hrtimer_setup() - make a timer ready to be started
 * @timer: the timer
 * @function: called when it ends
 * @clock: CLOCK_*
 * @mode: as it will be started
 */
static inline void
compat_hrtimer_setup(struct hrtimer *timer,
		     enum hrtimer_restart (*function)(struct hrtimer *),
		     clockid_t clock, enum hrtimer_mode mode)
{
#ifdef HAVE_HRTIMER_SETUP
	hrtimer_setup(timer, function, clock, mode);
#else
	hrtimer_init(timer, clock, mode);
	timer->function = function;
#endif
}

/**
 * compat_flowi4_set_dsfield() - the DSCP that a route is looked up for
 * @fl4: what is looked up
 * @dsfield: DSCP; ECN is 0
 */
static inline void compat_flowi4_set_dsfield(struct flowi4 *fl4, u8 dsfield)
{
#ifdef HAVE_FLOWI4_DSCP
	fl4->flowi4_dscp = inet_dsfield_to_dscp(dsfield);
#else
	fl4->flowi4_tos = dsfield;
#endif
}

#endif /* SHARPRAMP_COMPAT_H */
