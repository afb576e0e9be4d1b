/* SPDX-License-Identifier: GPL-2.0 */
/* Kernel versions: clocks of a host, which is a namespace in the laboratory's kernel. */
#ifndef SHARPRAMP_COMPAT_CLOCK_H
#define SHARPRAMP_COMPAT_CLOCK_H

#include <linux/ktime.h>
#include <linux/timekeeping.h>
#if defined(CONFIG_X86)
#include <asm/cpufeature.h>
#elif defined(CONFIG_ARM64)
#include <linux/arm-smccc.h>
#endif
#include <net/net_namespace.h>

#ifdef HAVE_NET_CLOCK
#include <net/net_clock.h>
#endif

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

#endif /* SHARPRAMP_COMPAT_CLOCK_H */
