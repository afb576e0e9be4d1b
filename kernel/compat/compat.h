/* SPDX-License-Identifier: GPL-2.0 */
/*
 * This folder is the only place that knows kernel versions.  HAVE_* come from
 * probe.mk.
 */
#ifndef SHARPRAMP_COMPAT_H
#define SHARPRAMP_COMPAT_H

#include <linux/hrtimer.h>
#include <linux/netlink.h>
#include <linux/version.h>
#include <linux/workqueue.h>
#include <net/flow.h>
#include <net/sock.h>

#ifdef HAVE_FLOWI4_DSCP
#include <net/inet_dscp.h>
#endif

#include "clock.h"
#include "dev.h"
#include "qdisc.h"

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
