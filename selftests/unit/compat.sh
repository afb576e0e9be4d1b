#!/bin/sh
# SPDX-License-Identifier: GPL-2.0
# Behaviour of kernel/compat on kernels that are not at hand, as TAP: it is built against headers that have no more than
# it looks for.
set -u

here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
compat=$here/../../kernel/compat
CC=${CC-gcc}
out=$(mktemp -d)
trap 'rm -rf "$out"' EXIT
# shellcheck source=selftests/lib/tap.sh
. "$here/../lib/tap.sh"

# headers CB [CLOCK]: a kernel's headers; CB is the body of struct qdisc_skb_cb, CLOCK what net/net_clock.h declares
headers() {
	rm -rf "$out/include"
	mkdir -p "$out/include/linux" "$out/include/net"
	[ $# -lt 2 ] || echo "$2" > "$out/include/net/net_clock.h"
	for name in linux/ethtool linux/hrtimer linux/ktime linux/netdevice linux/netfilter linux/netlink linux/phy linux/pm_runtime linux/skbuff \
		linux/timekeeping linux/workqueue net/flow \
		net/net_namespace net/pkt_sched net/sock; do
		echo '#include <net/sch_generic.h>' > "$out/include/$name.h"
	done
	cat > "$out/include/linux/version.h" <<-'EOF'
		#define KERNEL_VERSION(a, b, c) (((a) << 16) + ((b) << 8) + (c))
		#define LINUX_VERSION_CODE KERNEL_VERSION(6, 19, 0)
	EOF
	cat > "$out/include/net/sch_generic.h" <<-EOF
		#ifndef SCH_GENERIC_H
		#define SCH_GENERIC_H
		#include <stdbool.h>
		#include <stddef.h>
		typedef unsigned char u8;
		typedef unsigned short u16;
		typedef unsigned int u32;
		typedef unsigned long long u64;
		typedef long long s64, ktime_t;
		struct sk_buff { unsigned int len; u64 cb[6]; };
		struct qdisc_skb_cb { $1 };
		struct Qdisc { struct { u64 bytes; } bstats; };
		struct netlink_ext_ack { const char *_msg; };
		struct net;
		enum { SOCK_STREAM = 1, IPPROTO_TCP = 6 };
		enum { SOCK_TXTIME, CLOCK_MONOTONIC, ENODEV = 19, EOPNOTSUPP = 95, NETREG_REGISTERED };
		struct sock { u16 sk_type, sk_protocol; int sk_clockid; };
		bool sock_flag(const struct sock *sk, int flag);
		int pr_warn(const char *form, ...);
		struct workqueue_struct;
		extern struct workqueue_struct *system_wq;
		struct skb_shared_info { u8 tx_flags; struct { ktime_t hwtstamp; } hwtstamps; };
		struct skb_shared_info *skb_shinfo(const struct sk_buff *skb);
		s64 ktime_to_ns(ktime_t kt);
		ktime_t ns_to_ktime(u64 ns);
		ktime_t ktime_mono_to_real(ktime_t kt);
		enum tk_offsets { TK_OFFS_REAL, TK_OFFS_BOOT };
		ktime_t ktime_mono_to_any(ktime_t kt, enum tk_offsets offs);
		enum { ETHTOOL_GET_TS_INFO };
		struct net_device;
		struct nf_hook_ops;
		struct ethtool_ts_info { u32 cmd, so_timestamping; int phc_index; };
		struct ethtool_ops {
			int (*begin)(struct net_device *dev);
			void (*complete)(struct net_device *dev);
			int (*get_ts_info)(struct net_device *dev, struct ethtool_ts_info *info);
		};
		struct phy_device;
		struct device { struct device *parent; };
		struct net_device {
			const struct ethtool_ops *ethtool_ops;
			struct phy_device *phydev;
			struct device dev;
			int reg_state;
		};
		struct netdev_nested_priv;
		bool phy_has_tsinfo(struct phy_device *phydev);
		int phy_ts_info(struct phy_device *phydev, struct ethtool_ts_info *info);
		bool netif_device_present(const struct net_device *dev);
		int netdev_walk_all_lower_dev(struct net_device *dev,
					      int (*what)(struct net_device *dev, struct netdev_nested_priv *priv),
					      struct netdev_nested_priv *priv);
		int pm_runtime_get_sync(struct device *dev);
		int pm_runtime_put(struct device *dev);
		struct ethtool_link_ksettings;
		int __ethtool_get_link_ksettings(struct net_device *dev, struct ethtool_link_ksettings *link);
		typedef int clockid_t;
		enum hrtimer_restart { HRTIMER_NORESTART };
		enum hrtimer_mode { HRTIMER_MODE_ABS };
		struct hrtimer { enum hrtimer_restart (*function)(struct hrtimer *timer); };
		void hrtimer_init(struct hrtimer *timer, clockid_t clock, enum hrtimer_mode mode);
		struct flowi4 { u8 flowi4_tos; };
		struct netdev_queue;
		u64 ktime_get_real_ns(void);
		u64 ktime_get_raw_ns(void);
		u64 ktime_get_clocktai_ns(void);
		static inline struct qdisc_skb_cb *qdisc_skb_cb(struct sk_buff *skb) { return (void *)skb->cb; }
		void qdisc_qstats_overlimit(struct Qdisc *sch);
		int qdisc_drop(struct sk_buff *skb, struct Qdisc *sch, struct sk_buff **to_free);
		void kfree_skb(struct sk_buff *skb);
		#endif
	EOF
}

# flags: what probe.mk finds in them
flags() {
	printf '%s\n' "include $compat/probe.mk" 'all:' "	@echo \$(ccflags-y)" > "$out/Makefile"
	env -u MAKEFLAGS make -s -f "$out/Makefile" "srctree=$out"
}

# segment MEMBER: what that member of a segment of 1234 bytes is, that a whole packet left at 7
segment() {
	cat > "$out/segment.c" <<-EOF
		#include "$compat/compat.h"
		#include <stdio.h>
		int main(void)
		{
			struct sk_buff skb = { .len = 1234 };

			qdisc_skb_cb(&skb)->$1 = 7;
			compat_qdisc_segment(&skb);
			printf("%u\n", qdisc_skb_cb(&skb)->$1);
			return 0;
		}
	EOF
	# shellcheck disable=SC2046 # several flags
	"$CC" -Wall -Wextra -Wno-unused-parameter -Werror -O2 -I"$out/include" $(flags) -o "$out/segment" "$out/segment.c" && "$out/segment"
}

# wall: whose clock a host has
wall() {
	cat > "$out/wall.c" <<-EOF
		#include "$compat/compat.h"
		#include <stdio.h>
		u64 ktime_get_real_ns(void) { return 1; }
		u64 ktime_get_raw_ns(void) { return 5; }
		u64 ktime_get_clocktai_ns(void) { return 6; }
		ktime_t ns_to_ktime(u64 ns) { return ns; }
		s64 ktime_to_ns(ktime_t kt) { return kt; }
		ktime_t ktime_mono_to_real(ktime_t kt) { return kt + 3; }
		ktime_t ktime_mono_to_any(ktime_t kt, enum tk_offsets offs) { return kt + offs; }
		u64 net_clock_real_ns(const struct net *net);
		u64 net_clock_real_ns(const struct net *net) { return net ? 2 : 3; }
		u64 net_clock_raw_ns(const struct net *net);
		u64 net_clock_raw_ns(const struct net *net) { return net ? 8 : 3; }
		u64 net_clock_tai_ns(const struct net *net);
		u64 net_clock_tai_ns(const struct net *net) { return net ? 9 : 3; }
		int main(void)
		{
			const struct net *net = (const struct net *)16;

			printf("%llu %llu %llu %llu\n", compat_net_real_ns(net), compat_net_real_at(net, 4),
			       compat_net_raw_ns(net), compat_net_tai_ns(net));
			return 0;
		}
	EOF
	# shellcheck disable=SC2046 # several flags
	"$CC" -Wall -Wextra -Wno-unused-parameter -Werror -O2 -I"$out/include" $(flags) -o "$out/wall" "$out/wall.c" &&
		"$out/wall"
}

# expect NAME WANT COMMAND...
expect() {
	name=$1 want=$2
	shift 2
	output=$("$@" 2>&1)
	[ "$output" = "$want" ]
	tap_ok $? "$name" "$want is wanted, not: $output"
}

headers 'unsigned int pkt_len; u16 tc_classid;'
expect "6.18: a segment has its own length" 1234 segment pkt_len
headers 'unsigned int pkt_len; u16 pkt_segs; u16 tc_classid;'
expect "6.19: a segment has its own length" 1234 segment pkt_len
expect "6.19: a segment stands for one packet" 1 segment pkt_segs
expect "a stock kernel has one clock, that shows what follows from another" "1 7 5 6" wall
headers 'unsigned int pkt_len;' \
	'u64 net_clock_real_ns(const struct net *net), net_clock_raw_ns(const struct net *net), net_clock_tai_ns(const struct net *net);'
expect "the laboratory's has one for each namespace, that is read" "2 2 8 9" wall

tap_done
