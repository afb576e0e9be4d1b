# SPDX-License-Identifier: GPL-2.0
"""Features that kernel/compat/probe.mk looks for, described a second time: not as a line of a header but as C that uses the thing.

A kernel has a thing if its compiler takes the use. Where it does not, the stand-in shows that the thing alone was missing.
"""

import dataclasses
import re


@dataclasses.dataclass(frozen=True)
class Thing:
    """One of the things that kernels have or have not.

    symbol: what compat.h calls it. name: the identifier that stands for it in headers. headers: where kernels have had it; line: what
    the first that had it says there. use: C that needs it. stand_in: C that takes its place; the line, if that is whole by itself.
    own_header: the thing is that there is such a header.
    """

    symbol: str
    name: str
    headers: tuple
    line: str
    use: str
    stand_in: str = None
    own_header: bool = False

    def lines(self, stand_in=False):
        """Yield C that compiles if the kernel has the thing, or its stand-in; errors in it name a file of its name."""
        yield f'#line 1 "{self.symbol}"'
        if stand_in:
            yield self.line if self.stand_in is None else self.stand_in
        else:
            for header in self.headers:
                yield f"#if __has_include(<{header}>)\n#include <{header}>"
                yield "#else\n#error there is no such header\n#endif" if self.own_header else "#endif"
        # Each has a function of its own.
        yield f'#line 2 "{self.symbol}"\n{self.use.replace("use(", self.symbol.lower() + "(")}'
        yield from (f"#undef {name}" for name in re.findall(r"#define (\w+)", self.stand_in or "") if stand_in)


COMMON = ("linux/ethtool.h", "linux/hrtimer.h", "linux/module.h", "linux/netdevice.h", "linux/skbuff.h", "net/flow.h",
          "net/genetlink.h", "net/inet_dscp.h", "net/net_namespace.h", "net/pkt_sched.h", "net/sch_generic.h", "net/sock.h", "linux/workqueue.h")

# No kernel has one, each has the other: the compiler was run, and reports errors alone.
NOTHING = Thing("HAVE_NOTHING", "nothing_of_this_name", (), "int nothing_of_this_name(void);",
                "int use(void) { return nothing_of_this_name(); }")
SOMETHING = Thing("HAVE_SOMETHING", "sk_buff", ("linux/skbuff.h",), "struct sk_buff;",
                  "int use(const struct sk_buff *skb) { return skb->len; }")

THINGS = (
    Thing("HAVE_QDISC_DROP_REASON", "qdisc_drop_reason", ("net/sch_generic.h",),
          "int qdisc_drop_reason(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free, int reason);",
          "int use(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free)\n"
          "{ return qdisc_drop_reason(skb, sch, to_free, 2); }"),
    Thing("HAVE_ENUM_QDISC_DROP_REASON", "qdisc_drop_reason", ("net/dropreason-qdisc.h",),
          "enum qdisc_drop_reason { QDISC_DROP_OVERLIMIT = 2 };",
          "enum qdisc_drop_reason use(void) { return QDISC_DROP_OVERLIMIT; }"),
    Thing("HAVE_DROP_QDISC_OVERLIMIT", "SKB_DROP_REASON_QDISC_OVERLIMIT", ("net/dropreason-core.h",),
          "enum { SKB_DROP_REASON_QDISC_OVERLIMIT = 2 };",
          "enum skb_drop_reason use(void) { return (enum skb_drop_reason)SKB_DROP_REASON_QDISC_OVERLIMIT; }"),
    Thing("HAVE_DROP_QDISC_DROP", "SKB_DROP_REASON_QDISC_DROP", ("net/dropreason.h", "net/dropreason-core.h", "linux/skbuff.h"),
          "enum { SKB_DROP_REASON_QDISC_DROP = 2 };",
          "enum skb_drop_reason use(void) { return (enum skb_drop_reason)SKB_DROP_REASON_QDISC_DROP; }"),
    Thing("HAVE_QDISC_PKT_SEGS", "pkt_segs", ("net/sch_generic.h",),
          "\tu16\t\t\tpkt_segs;",
          "u16 use(struct sk_buff *skb) { return qdisc_skb_cb(skb)->pkt_segs; }",
          "struct with_pkt_segs { u16 pkt_segs; };\n#define qdisc_skb_cb(skb) ((struct with_pkt_segs *)(skb)->cb)"),
    Thing("HAVE_MODULE_ALIAS_NET_SCH", "MODULE_ALIAS_NET_SCH", ("net/pkt_sched.h",),
          '#define MODULE_ALIAS_NET_SCH(id)\tMODULE_ALIAS("net-sch-" id)',
          'MODULE_ALIAS_NET_SCH("use");'),
    Thing("HAVE_GENL_REQ_ATTR_CHECK", "GENL_REQ_ATTR_CHECK", ("net/genetlink.h",),
          "#define GENL_REQ_ATTR_CHECK(info, attr)\t(!(info)->attrs[attr])",
          "bool use(struct genl_info *info) { return GENL_REQ_ATTR_CHECK(info, 1); }"),
    Thing("HAVE_GENL_SPLIT_OPS", "genl_split_ops", ("net/genetlink.h",),
          "struct genl_split_ops { u8 cmd; };",
          "u8 use(const struct genl_split_ops *ops) { return ops->cmd; }"),
    Thing("HAVE_NET_GSO_H", "skb_gso_segment", ("net/gso.h",),
          "struct sk_buff *skb_gso_segment(struct sk_buff *skb, netdev_features_t features);",
          "struct sk_buff *use(struct sk_buff *skb) { return skb_gso_segment(skb, 0); }",
          "", own_header=True),
    Thing("HAVE_SKB_TSTAMP_TYPE", "tstamp_type", ("linux/skbuff.h",),
          "\t__u8\t\t\ttstamp_type:2;",
          "bool use(const struct sk_buff *skb) { return skb->tstamp_type == SKB_CLOCK_MONOTONIC; }",
          "struct with_tstamp_type { u8 tstamp_type:2; };\n#define sk_buff with_tstamp_type\n#define SKB_CLOCK_MONOTONIC 1"),
    Thing("HAVE_SKB_MONO_DELIVERY", "mono_delivery_time", ("linux/skbuff.h",),
          "\t__u8\t\t\tmono_delivery_time:1;",
          "bool use(const struct sk_buff *skb) { return skb->mono_delivery_time; }",
          "struct with_mono_delivery_time { u8 mono_delivery_time:1; };\n#define sk_buff with_mono_delivery_time"),
    Thing("HAVE_SK_IS_TCP", "sk_is_tcp", ("net/sock.h",),
          "static inline bool sk_is_tcp(const struct sock *sk) { return sk->sk_protocol == IPPROTO_TCP; }",
          "bool use(const struct sock *sk) { return sk_is_tcp(sk); }"),
    Thing("HAVE_GNET_STATS_BASIC_SYNC", "gnet_stats_basic_sync", ("net/gen_stats.h",),
          "struct gnet_stats_basic_sync { u64_stats_t bytes; };",
          "u64 use(const struct gnet_stats_basic_sync *counted) { return u64_stats_read(&counted->bytes); }"),
    Thing("HAVE_NET_CLOCK", "net_clock_raw_ns", ("net/net_clock.h",),
          "u64 net_clock_raw_ns(const struct net *net);",
          "u64 use(const struct net *net) { return net_clock_raw_ns(net); }",
          own_header=True),
    Thing("HAVE_FLOWI4_DSCP", "flowi4_dscp", ("net/flow.h",),
          "\tdscp_t\t\t\tflowi4_dscp;",
          "void use(struct flowi4 *key) { key->flowi4_dscp = inet_dsfield_to_dscp(0); }",
          "struct with_flowi4_dscp { dscp_t flowi4_dscp; };\n#define flowi4 with_flowi4_dscp"),
    Thing("HAVE_NETDEV_GET_TSTAMP", "netdev_get_tstamp", ("linux/netdevice.h",),
          "ktime_t netdev_get_tstamp(struct net_device *dev, const struct skb_shared_hwtstamps *stamps, bool cycles);",
          "ktime_t use(struct net_device *dev, const struct skb_shared_hwtstamps *stamps)\n"
          "{ return netdev_get_tstamp(dev, stamps, false); }"),
    Thing("HAVE_KERNEL_ETHTOOL_TS_INFO", "kernel_ethtool_ts_info", ("linux/ethtool.h",),
          "struct kernel_ethtool_ts_info { u32 so_timestamping; };",
          "u32 use(const struct kernel_ethtool_ts_info *info) { return info->so_timestamping; }"),
    Thing("HAVE_EXTACK_MSG_BUF", "_msg_buf", ("linux/netlink.h",),
          "\tchar _msg_buf[NETLINK_MAX_FMTMSG_LEN];",
          "void use(struct netlink_ext_ack *extack) { extack->_msg_buf[0] = 0; }",
          "struct with_msg_buf { char _msg_buf[80]; };\n#define netlink_ext_ack with_msg_buf"),
    Thing("HAVE_HRTIMER_SETUP", "hrtimer_setup", ("linux/hrtimer.h",),
          "void hrtimer_setup(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *), clockid_t clock_id,\n"
          "\t\t   enum hrtimer_mode mode);",
          "void use(struct hrtimer *timer, enum hrtimer_restart (*function)(struct hrtimer *))\n"
          "{ hrtimer_setup(timer, function, CLOCK_MONOTONIC, HRTIMER_MODE_ABS); }"),
    Thing("HAVE_NETIF_LINK_SETTINGS", "netif_get_link_ksettings", ("linux/ethtool.h",),
          "int netif_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *link_ksettings);",
          "int use(struct net_device *dev, struct ethtool_link_ksettings *link) { return netif_get_link_ksettings(dev, link); }"),
    Thing("HAVE_TS_INFO_BY_LAYER", "ethtool_get_ts_info_by_layer", ("linux/ethtool.h",),
          "int ethtool_get_ts_info_by_layer(struct net_device *dev, struct kernel_ethtool_ts_info *info);",
          "int use(struct net_device *dev, struct kernel_ethtool_ts_info *info) { return ethtool_get_ts_info_by_layer(dev, info); }",
          "struct kernel_ethtool_ts_info;\n"
          "int ethtool_get_ts_info_by_layer(struct net_device *dev, struct kernel_ethtool_ts_info *info);"),
    Thing("HAVE_NETDEV_LOCK_OPS", "netdev_lock_ops", ("net/netdev_lock.h",),
          "static inline void netdev_lock_ops(struct net_device *dev) { }",
          "void use(struct net_device *dev) { netdev_lock_ops(dev); }",
          own_header=True),
    Thing("HAVE_SYSTEM_PERCPU_WQ", "system_percpu_wq", ("linux/workqueue.h",),
          "extern struct workqueue_struct *system_percpu_wq;",
          "struct workqueue_struct *use(void) { return system_percpu_wq; }"),
    Thing("HAVE_DROP_FQ_LIMIT", "SKB_DROP_REASON_FQ_BAND_LIMIT", ("net/dropreason-core.h",),
          "enum { SKB_DROP_REASON_FQ_BAND_LIMIT = 2 };",
          "enum skb_drop_reason use(void) { return (enum skb_drop_reason)SKB_DROP_REASON_FQ_BAND_LIMIT; }"),
    Thing("HAVE_DEQUEUE_DROP", "to_free", ("net/sch_generic.h",),
          "static inline void qdisc_dequeue_drop(struct Qdisc *root, struct sk_buff *skb) { root->to_free = skb; }",
          "void use(struct Qdisc *sch) { sch->to_free = NULL; }",
          "struct with_to_free { struct sk_buff *to_free; };\n#define Qdisc with_to_free"),
    Thing("HAVE_TRACEPOINT_SRCU", "srcu_fast_notrace", ("linux/tracepoint.h",),
          "\t\t\tguard(srcu_fast_notrace)(&tracepoint_srcu);\t\\",
          "void use(void) { guard(srcu_fast_notrace)(&tracepoint_srcu); }",
          "struct srcu_struct;\nextern struct srcu_struct tracepoint_srcu;\n#define guard(how) (void)"),
)
