/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control of selftests/qemu/kcsan.py: included before the source files of the
 * modules, so that their marked accesses become plain ones, which are data races.
 * The headers of the kernel come first and keep their marks.
 */
#ifndef __ASSEMBLY__
#include <linux/compiler.h>
#include <linux/hrtimer.h>
#include <linux/if_vlan.h>
#include <linux/inetdevice.h>
#include <linux/interrupt.h>
#include <linux/module.h>
#include <linux/netdevice.h>
#include <linux/netfilter_ipv4.h>
#include <linux/netfilter_ipv6.h>
#include <linux/rhashtable.h>
#include <linux/rtnetlink.h>
#include <linux/xarray.h>
#include <net/addrconf.h>
#include <net/genetlink.h>
#include <net/ip6_route.h>
#include <net/l3mdev.h>
#include <net/pkt_sched.h>
#include <net/tcp.h>
#include <net/udp.h>

#undef READ_ONCE
#define READ_ONCE(x) (x)
#undef WRITE_ONCE
#define WRITE_ONCE(x, value) ((x) = (value))
#undef data_race
#define data_race(x) (x)
#endif
