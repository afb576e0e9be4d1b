// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of rtnetlink.
 */
#include <linux/gen_stats.h>
#include <linux/if_link.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "../../lib/netlink.h"
#include "record.h"

static const struct record_name {
	const char *name;
	enum record_kind kind;
} record_names[] = {
	{ "ecnsharp", RECORD_ECNSHARP },
	{ "red", RECORD_RED },
	{ "gred", RECORD_GRED },
	{ "noqueue", RECORD_NOQUEUE },
	{ "tbf", RECORD_TBF },
	{ "htb", RECORD_HTB },
	{ "mq", RECORD_MQ },
	{ "mqprio", RECORD_MQ },
	{ "drr", RECORD_SHARE },
	{ "ets", RECORD_SHARE },
	{ "prio", RECORD_SHARE },
};

/* Text of an attribute, cut to @size; empty if there is none. */
static void record_text(const struct nlattr *attr, char *text, size_t size)
{
	size_t len = attr ? mnl_attr_get_payload_len(attr) : 0;

	memset(text, 0, size);
	if (!len)
		return;
	len = strnlen(mnl_attr_get_payload(attr), len);
	memcpy(text, mnl_attr_get_payload(attr), len < size ? len : size - 1);
}

static enum record_kind record_kind(const char *name)
{
	size_t i;

	for (i = 0; i < MNL_ARRAY_SIZE(record_names); i++)
		if (!strcmp(name, record_names[i].name))
			return record_names[i].kind;
	return RECORD_OTHER;
}

/* Bytes per second of a struct tc_ratespec, or of 64 bits if it has them, in bit/s. */
static uint64_t record_rate(const struct tc_ratespec *spec, const struct nlattr *wide)
{
	uint64_t bytes = spec->rate;

	if (wide && mnl_attr_get_payload_len(wide) == sizeof(bytes))
		bytes = mnl_attr_get_u64(wide);
	return bytes > UINT64_MAX / 8 ? 0 : bytes * 8;
}

static uint64_t record_tbf_rate(const struct nlattr *nest)
{
	const struct nlattr *attrs[TCA_TBF_MAX + 1];
	struct tc_tbf_qopt opt;

	nl_index_nest(nest, attrs, TCA_TBF_MAX);
	nl_struct(attrs[TCA_TBF_PARMS], &opt, sizeof(opt));
	return record_rate(&opt.rate, attrs[TCA_TBF_RATE64]);
}

static uint64_t record_htb_rate(const struct nlattr *nest)
{
	const struct nlattr *attrs[TCA_HTB_MAX + 1];
	struct tc_htb_opt opt;

	nl_index_nest(nest, attrs, TCA_HTB_MAX);
	nl_struct(attrs[TCA_HTB_PARMS], &opt, sizeof(opt));
	return record_rate(&opt.rate, attrs[TCA_HTB_RATE64]);
}

/* A qdisc's own statistics are in TCA_STATS2; older kernels have them elsewhere. */
static const struct nlattr *record_app(const struct nlattr **attrs)
{
	const struct nlattr *stats[TCA_STATS_MAX + 1];

	nl_index_nest(attrs[TCA_STATS2], stats, TCA_STATS_MAX);
	return stats[TCA_STATS_APP] ? stats[TCA_STATS_APP] : attrs[TCA_XSTATS];
}

/* Attributes that are the same to the byte say the same. */
static bool record_is_known(const struct nlattr *options, const struct record *r)
{
	return r->options_len && mnl_attr_get_payload_len(options) == r->options_len &&
	       !memcmp(mnl_attr_get_payload(options), r->options, r->options_len);
}

/* Return: false if they cannot be read. */
static bool record_settings(const struct nlattr *options, struct record *r)
{
	size_t len = mnl_attr_get_payload_len(options);

	if (record_is_known(options, r))
		return true;
	r->options_len = 0;
	if (settings_parse(options, &r->settings))
		return false;
	if (len <= sizeof(r->options)) {
		memcpy(r->options, mnl_attr_get_payload(options), len);
		r->options_len = len;
	}
	return true;
}

static void record_ecnsharp(const struct nlattr **attrs, struct record *r)
{
	const struct nlattr *app = record_app(attrs), *options = attrs[TCA_OPTIONS];

	nl_struct(app, &r->stats, sizeof(r->stats));
	r->is_whole = options && record_settings(options, r) && app;
}

/* Return: the family's header, or NULL if the message is of another type or too short. */
static const void *record_header(const struct nlmsghdr *n, uint16_t type, size_t size)
{
	if (n->nlmsg_type != type || n->nlmsg_len < NLMSG_HDRLEN + size)
		return NULL;
	return mnl_nlmsg_get_payload(n);
}

int record_update(const struct nlmsghdr *n, struct record *r)
{
	const struct tcmsg *tcm = record_header(n, RTM_NEWQDISC, sizeof(*tcm));
	const struct nlattr *attrs[TCA_MAX + 1];
	char name[RECORD_KIND_MAX];

	if (!tcm)
		return -1;
	nl_index_message(n, sizeof(*tcm), attrs, TCA_MAX);
	r->ifindex = tcm->tcm_ifindex;
	r->handle = tcm->tcm_handle;
	r->parent = tcm->tcm_parent;
	record_text(attrs[TCA_KIND], name, sizeof(name));
	if (memcmp(r->name, name, sizeof(name))) {
		memcpy(r->name, name, sizeof(name));
		r->kind = record_kind(name);
		r->options_len = 0;
	}
	r->has_stab = attrs[TCA_STAB];
	r->is_whole = false;
	if (r->kind == RECORD_ECNSHARP)
		record_ecnsharp(attrs, r);
	r->rate_bps = r->kind == RECORD_TBF ? record_tbf_rate(attrs[TCA_OPTIONS]) : 0;
	return 0;
}

int record_parse(const struct nlmsghdr *n, struct record *r)
{
	memset(r, 0, sizeof(*r));
	return record_update(n, r);
}

int record_parse_class(const struct nlmsghdr *n, struct record_class *c)
{
	const struct tcmsg *tcm = record_header(n, RTM_NEWTCLASS, sizeof(*tcm));
	const struct nlattr *attrs[TCA_MAX + 1];
	char name[RECORD_KIND_MAX];

	if (!tcm)
		return -1;
	nl_index_message(n, sizeof(*tcm), attrs, TCA_MAX);
	record_text(attrs[TCA_KIND], name, sizeof(name));
	if (record_kind(name) != RECORD_HTB)
		return -1;
	*c = (struct record_class){
		.ifindex = tcm->tcm_ifindex,
		.handle = tcm->tcm_handle,
		.rate_bps = record_htb_rate(attrs[TCA_OPTIONS]),
	};
	return 0;
}

/* Alternative names are in a list in the message. */
static void record_alternatives(const struct nlattr *list, char *text, size_t size)
{
	const struct nlattr *attr;
	size_t used = 0, len;

	if (!list)
		return;
	mnl_attr_for_each_nested(attr, list) {
		len = mnl_attr_get_payload_len(attr);
		if (mnl_attr_get_type(attr) != IFLA_ALT_IFNAME)
			continue;
		len = strnlen(mnl_attr_get_payload(attr), len);
		/* The last byte ends the list. */
		if (!len || used + len + 2 > size)
			continue;
		memcpy(text + used, mnl_attr_get_payload(attr), len);
		used += len + 1;
	}
}

int record_parse_device(const struct nlmsghdr *n, struct record_device *d)
{
	const struct ifinfomsg *ifi = record_header(n, RTM_NEWLINK, sizeof(*ifi));
	const struct nlattr *attrs[IFLA_PROP_LIST + 1];
	const struct nlattr *gso;

	if (!ifi)
		return -1;
	nl_index_message(n, sizeof(*ifi), attrs, IFLA_PROP_LIST);
	memset(d, 0, sizeof(*d));
	d->ifindex = ifi->ifi_index;
	d->is_running = ifi->ifi_flags & IFF_RUNNING;
	record_text(attrs[IFLA_IFNAME], d->name, sizeof(d->name));
	record_alternatives(attrs[IFLA_PROP_LIST], d->alternatives, sizeof(d->alternatives));
	gso = attrs[IFLA_GSO_MAX_SIZE];
	if (gso && mnl_attr_get_payload_len(gso) == sizeof(uint32_t))
		d->gso_bytes = mnl_attr_get_u32(gso);
	return 0;
}
