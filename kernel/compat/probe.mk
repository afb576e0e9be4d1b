# SPDX-License-Identifier: GPL-2.0
#
# Probes for what the headers being built against offer.  Version numbers do
# not tell: distributions carry backports.  $(call has,PATTERN,
# HEADER,SYMBOL) defines SYMBOL if a line of HEADER has PATTERN as a word; no
# parentheses in PATTERN, make's $(call) counts them.

has = $(if $(shell grep -sqwE '$(1)' $(srctree)/include/$(2) && echo y),-D$(3))

ccflags-y += $(call has,int qdisc_drop_reason,net/sch_generic.h,HAVE_QDISC_DROP_REASON)
ccflags-y += $(call has,enum qdisc_drop_reason,net/dropreason-qdisc.h,HAVE_ENUM_QDISC_DROP_REASON)
ccflags-y += $(call has,SKB_DROP_REASON_QDISC_OVERLIMIT,net/dropreason-core.h,HAVE_DROP_QDISC_OVERLIMIT)
ccflags-y += $(call has,SKB_DROP_REASON_QDISC_DROP,net/dropreason.h,HAVE_DROP_QDISC_DROP)
ccflags-y += $(call has,SKB_DROP_REASON_QDISC_DROP,net/dropreason-core.h,HAVE_DROP_QDISC_DROP)
ccflags-y += $(call has,SKB_DROP_REASON_QDISC_DROP,linux/skbuff.h,HAVE_DROP_QDISC_DROP)
ccflags-y += $(call has,u16[[:space:]]+pkt_segs,net/sch_generic.h,HAVE_QDISC_PKT_SEGS)
ccflags-y += $(call has,MODULE_ALIAS_NET_SCH,net/pkt_sched.h,HAVE_MODULE_ALIAS_NET_SCH)
ccflags-y += $(call has,define GENL_REQ_ATTR_CHECK,net/genetlink.h,HAVE_GENL_REQ_ATTR_CHECK)
ccflags-y += $(call has,struct genl_split_ops,net/genetlink.h,HAVE_GENL_SPLIT_OPS)
ccflags-y += $(call has,skb_gso_segment,net/gso.h,HAVE_NET_GSO_H)
ccflags-y += $(call has,tstamp_type,linux/skbuff.h,HAVE_SKB_TSTAMP_TYPE)
ccflags-y += $(call has,mono_delivery_time,linux/skbuff.h,HAVE_SKB_MONO_DELIVERY)
ccflags-y += $(call has,bool sk_is_tcp,net/sock.h,HAVE_SK_IS_TCP)
ccflags-y += $(call has,struct gnet_stats_basic_sync,net/gen_stats.h,HAVE_GNET_STATS_BASIC_SYNC)
ccflags-y += $(call has,net_clock_raw_ns,net/net_clock.h,HAVE_NET_CLOCK)
ccflags-y += $(call has,flowi4_dscp,net/flow.h,HAVE_FLOWI4_DSCP)
ccflags-y += $(call has,ktime_t netdev_get_tstamp,linux/netdevice.h,HAVE_NETDEV_GET_TSTAMP)
ccflags-y += $(call has,struct kernel_ethtool_ts_info,linux/ethtool.h,HAVE_KERNEL_ETHTOOL_TS_INFO)
ccflags-y += $(call has,_msg_buf,linux/netlink.h,HAVE_EXTACK_MSG_BUF)
ccflags-y += $(call has,hrtimer_setup,linux/hrtimer.h,HAVE_HRTIMER_SETUP)
ccflags-y += $(call has,int netif_get_link_ksettings,linux/ethtool.h,HAVE_NETIF_LINK_SETTINGS)
ccflags-y += $(call has,int ethtool_get_ts_info_by_layer,linux/ethtool.h,HAVE_TS_INFO_BY_LAYER)
ccflags-y += $(call has,netdev_lock_ops,net/netdev_lock.h,HAVE_NETDEV_LOCK_OPS)
ccflags-y += $(call has,workqueue_struct .system_percpu_wq,linux/workqueue.h,HAVE_SYSTEM_PERCPU_WQ)
ccflags-y += $(call has,SKB_DROP_REASON_FQ_BAND_LIMIT,net/dropreason-core.h,HAVE_DROP_FQ_LIMIT)
ccflags-y += $(call has,root->to_free = skb,net/sch_generic.h,HAVE_DEQUEUE_DROP)
ccflags-y += $(call has,srcu_fast_notrace,linux/tracepoint.h,HAVE_TRACEPOINT_SRCU)
