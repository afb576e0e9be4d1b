/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A clock for each network namespace, so that many hosts with clocks of their
 * own fit into one kernel.
 *
 * CLOCK_REALTIME, CLOCK_TAI and CLOCK_MONOTONIC_RAW of a process are those of
 * the network namespace that it is in, and so are the stamps of packets there.
 * CLOCK_MONOTONIC, CLOCK_BOOTTIME and every timer, also one on CLOCK_REALTIME,
 * stay on true time, which nobody can change: clock_settime() and
 * clock_adjtime() reach the namespace's clock alone, in the initial namespace
 * too.  Until somebody touches it a clock is true.
 */
#ifndef _NET_NET_CLOCK_H
#define _NET_NET_CLOCK_H

#include <linux/ktime.h>
#include <linux/timekeeping.h>
#include <linux/types.h>

struct __kernel_timex;
struct net;
struct sk_buff;

/* Called with CONFIG_NET_CLOCK only. */
int net_clock_adjtime(struct __kernel_timex *txc);

#ifdef CONFIG_NET_CLOCK

u64 net_clock_real_ns(const struct net *net);
u64 net_clock_raw_ns(const struct net *net);
u64 net_clock_tai_ns(const struct net *net);
ktime_t net_clock_skb_real(const struct sk_buff *skb);
void net_clock_get_real_ts64(struct timespec64 *ts);
void net_clock_get_raw_ts64(struct timespec64 *ts);
void net_clock_get_tai_ts64(struct timespec64 *ts);
void net_clock_get_coarse_real_ts64(struct timespec64 *ts);
time64_t net_clock_get_real_seconds(void);
int net_clock_settime(const struct timespec64 *ts);

#else

static inline u64 net_clock_real_ns(const struct net *net)
{
	return ktime_get_real_ns();
}

static inline u64 net_clock_raw_ns(const struct net *net)
{
	return ktime_get_raw_ns();
}

static inline u64 net_clock_tai_ns(const struct net *net)
{
	return ktime_get_clocktai_ns();
}

static inline ktime_t net_clock_skb_real(const struct sk_buff *skb)
{
	return ktime_get_real();
}

static inline void net_clock_get_real_ts64(struct timespec64 *ts)
{
	ktime_get_real_ts64(ts);
}

static inline void net_clock_get_raw_ts64(struct timespec64 *ts)
{
	ktime_get_raw_ts64(ts);
}

static inline void net_clock_get_tai_ts64(struct timespec64 *ts)
{
	ktime_get_clocktai_ts64(ts);
}

static inline void net_clock_get_coarse_real_ts64(struct timespec64 *ts)
{
	ktime_get_coarse_real_ts64(ts);
}

static inline time64_t net_clock_get_real_seconds(void)
{
	return ktime_get_real_seconds();
}

static inline int net_clock_settime(const struct timespec64 *ts)
{
	return do_settimeofday64(ts);
}

#endif /* CONFIG_NET_CLOCK */

/**
 * net_clock_real() - CLOCK_REALTIME of a namespace
 * @net: namespace
 *
 * Context: any but NMI.
 * Return: the time.
 */
static inline ktime_t net_clock_real(const struct net *net)
{
	return ns_to_ktime(net_clock_real_ns(net));
}

#endif /* _NET_NET_CLOCK_H */
