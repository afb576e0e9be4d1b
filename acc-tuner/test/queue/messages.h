/* SPDX-License-Identifier: GPL-2.0 */
/* Messages of rtnetlink for tests, as the kernel writes them. */
#ifndef ACC_TEST_MESSAGES_H
#define ACC_TEST_MESSAGES_H

#include <linux/gen_stats.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "record.h"

#define MESSAGE_BYTES	2048

/** struct message - a message that is being written */
struct message {
	_Alignas(8) char bytes[MESSAGE_BYTES];
};

static inline struct nlmsghdr *message_tc(struct message *m, uint16_t type, uint32_t ifindex,
					  uint32_t handle, uint32_t parent, const char *kind)
{
	struct nlmsghdr *n;
	struct tcmsg *tcm;

	memset(m, 0, sizeof(*m));
	n = mnl_nlmsg_put_header(m->bytes);
	n->nlmsg_type = type;
	tcm = mnl_nlmsg_put_extra_header(n, sizeof(*tcm));
	tcm->tcm_ifindex = ifindex;
	tcm->tcm_handle = handle;
	tcm->tcm_parent = parent;
	mnl_attr_put_strz(n, TCA_KIND, kind);
	return n;
}

static inline void message_stats(struct nlmsghdr *n, const void *app, size_t size)
{
	struct nlattr *nest = mnl_attr_nest_start(n, TCA_STATS2);

	mnl_attr_put(n, TCA_STATS_APP, size, app);
	mnl_attr_nest_end(n, nest);
}

static inline struct nlmsghdr *message_ecnsharp(struct message *m, uint32_t ifindex, uint32_t handle,
						uint32_t parent, const struct ecnsharp_settings *s)
{
	const struct tc_ecnsharp_xstats stats = { .tx_packets = 7, .tx_bytes = 10500, .stamp_ns = 99 };
	struct nlmsghdr *n = message_tc(m, RTM_NEWQDISC, ifindex, handle, parent, "ecnsharp");

	settings_put(n, s);
	message_stats(n, &stats, sizeof(stats));
	return n;
}

static inline struct nlmsghdr *message_tbf(struct message *m, uint32_t ifindex, uint32_t handle,
					   uint32_t bytes, uint64_t wide)
{
	struct nlmsghdr *n = message_tc(m, RTM_NEWQDISC, ifindex, handle, TC_H_ROOT, "tbf");
	struct tc_tbf_qopt opt = { .rate = { .rate = bytes } };
	struct nlattr *nest = mnl_attr_nest_start(n, TCA_OPTIONS);

	mnl_attr_put(n, TCA_TBF_PARMS, sizeof(opt), &opt);
	if (wide)
		mnl_attr_put_u64(n, TCA_TBF_RATE64, wide);
	mnl_attr_nest_end(n, nest);
	return n;
}

static inline struct nlmsghdr *message_class(struct message *m, uint32_t ifindex, uint32_t handle,
					     uint32_t bytes, const char *kind)
{
	struct nlmsghdr *n = message_tc(m, RTM_NEWTCLASS, ifindex, handle, TC_H_MAJ(handle), kind);
	struct tc_htb_opt opt = { .rate = { .rate = bytes } };
	struct nlattr *nest = mnl_attr_nest_start(n, TCA_OPTIONS);

	mnl_attr_put(n, TCA_HTB_PARMS, sizeof(opt), &opt);
	mnl_attr_nest_end(n, nest);
	return n;
}

static inline struct nlmsghdr *message_device(struct message *m, uint32_t ifindex, const char *name,
					      unsigned int flags)
{
	struct nlmsghdr *n;
	struct ifinfomsg *ifi;

	memset(m, 0, sizeof(*m));
	n = mnl_nlmsg_put_header(m->bytes);
	n->nlmsg_type = RTM_NEWLINK;
	ifi = mnl_nlmsg_put_extra_header(n, sizeof(*ifi));
	ifi->ifi_index = ifindex;
	ifi->ifi_flags = flags;
	mnl_attr_put_strz(n, IFLA_IFNAME, name);
	mnl_attr_put_u32(n, IFLA_GSO_MAX_SIZE, 65536);
	return n;
}

/* Give a message of a device an alternative name, after others; len with or without its 0. */
static inline void message_alternative(struct nlmsghdr *n, const char *name, size_t len)
{
	struct nlattr *list = mnl_attr_nest_start(n, IFLA_PROP_LIST);

	mnl_attr_put_u32(n, IFLA_MTU, 1500);
	if (name)
		mnl_attr_put(n, IFLA_ALT_IFNAME, len, name);
	mnl_attr_put_strz(n, IFLA_ALT_IFNAME, "second");
	mnl_attr_nest_end(n, list);
}

#endif /* ACC_TEST_MESSAGES_H */
