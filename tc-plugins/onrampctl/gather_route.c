// SPDX-License-Identifier: GPL-2.0
/*
 * Facts of rtnetlink: devices, addresses, qdiscs.
 */
#include <stdio.h>
#include <string.h>
#include <linux/gen_stats.h>
#include <linux/if_link.h>
#include <linux/onramp.h>
#include <linux/onramp_wire.h>
#include <linux/pkt_sch_cp.h>
#include <linux/pkt_sch_ecnsharp.h>
#include <linux/pkt_sch_onramp.h>
#include <linux/rtnetlink.h>

#include "../attr.h"
#include "../kinds.h"
#include "cp_params.h"
#include "ecnsharp_params.h"
#include "gather.h"
#include "onramp_params.h"

static void gather_text(const struct nlattr *attr, char *text, size_t size)
{
	if (attr && !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
		snprintf(text, size, "%s", mnl_attr_get_str(attr));
}

static uint64_t gather_number(const struct nlattr *attr)
{
	uint64_t number = 0;

	/* Both sides of netlink have the same attributes. */
	if (attr && !attr_get((const struct rtattr *)attr, &number))
		return 0;
	return number;
}

/* The kinds of device to which the acker is not attached. */
static bool gather_is_passed(const char *kind)
{
	static const char *const kinds[] = {
		"bond", "team", "vlan", "macvlan", "macvtap", "ipvlan",
		"ipvtap", "vrf",
	};
	size_t i;

	for (i = 0; i < sizeof(kinds) / sizeof(*kinds); i++)
		if (!strcmp(kind, kinds[i]))
			return true;
	return false;
}

/* For other kinds IFLA_LINK is not a NIC below: for a veth it is the other end. */
static void gather_stack(struct facts_dev *dev, const struct nlattr **attrs)
{
	const struct nlattr *info[IFLA_INFO_MAX + 1];
	char kind[FACTS_KIND_MAX] = "";

	nl_index_nest(attrs[IFLA_LINKINFO], info, IFLA_INFO_MAX);
	gather_text(info[IFLA_INFO_KIND], kind, sizeof(kind));
	dev->passed = gather_is_passed(kind);
	dev->bond = !strcmp(kind, "bond") || !strcmp(kind, "team");
	dev->master = gather_number(attrs[IFLA_MASTER]);
	/* The number is that of another namespace. */
	dev->away = dev->passed && attrs[IFLA_LINK_NETNSID];
	if (dev->passed && !dev->away)
		dev->below = gather_number(attrs[IFLA_LINK]);
}

static int gather_on_link(const struct nlmsghdr *n, void *data)
{
	const struct ifinfomsg *info = mnl_nlmsg_get_payload(n);
	const struct nlattr *attrs[IFLA_MAX + 1];
	struct rtnl_link_stats64 stats;
	struct facts *f = data;
	struct facts_dev *dev;

	if (n->nlmsg_type != RTM_NEWLINK ||
	    mnl_nlmsg_get_payload_len(n) < sizeof(*info))
		return MNL_CB_OK;
	f->devs = facts_grow(f->devs, &f->nr_devs, sizeof(*f->devs));
	dev = &f->devs[f->nr_devs - 1];
	dev->ifindex = info->ifi_index;
	dev->up = info->ifi_flags & IFF_UP;
	dev->loopback = info->ifi_flags & IFF_LOOPBACK;
	nl_index_message(n, sizeof(*info), attrs, IFLA_MAX);
	gather_text(attrs[IFLA_IFNAME], dev->name, sizeof(dev->name));
	gather_text(attrs[IFLA_QDISC], dev->root, sizeof(dev->root));
	dev->mtu = gather_number(attrs[IFLA_MTU]);
	dev->gso_max = gather_number(attrs[IFLA_GSO_MAX_SIZE]);
	dev->queues = gather_number(attrs[IFLA_NUM_TX_QUEUES]);
	gather_stack(dev, attrs);
	nl_struct(attrs[IFLA_STATS64], &stats, sizeof(stats));
	dev->n.rx_bytes = stats.rx_bytes;
	dev->n.tx_bytes = stats.tx_bytes;
	dev->n.bytes = stats.rx_bytes + stats.tx_bytes;
	return MNL_CB_OK;
}

/* The bits behind the length are 0 in a prefix. */
static void gather_mask(struct value *v)
{
	int i;

	for (i = v->prefix_len; i < v->address_len * 8; i++)
		v->address[i / 8] &= ~(0x80 >> i % 8);
}

/* Space for the first one of each family; NULL if it is taken. */
static struct value *gather_net(struct facts_dev *dev, size_t len)
{
	if (!dev->net.given)
		return &dev->net;
	return dev->net.address_len == len || dev->other_net.given ?
	       NULL : &dev->other_net;
}

static int gather_on_address(const struct nlmsghdr *n, void *data)
{
	const struct ifaddrmsg *info = mnl_nlmsg_get_payload(n);
	const struct nlattr *attrs[IFA_MAX + 1];
	const struct nlattr *address;
	struct facts *f = data;
	struct facts_dev *dev;
	struct value *net;
	size_t len;

	if (n->nlmsg_type != RTM_NEWADDR ||
	    mnl_nlmsg_get_payload_len(n) < sizeof(*info))
		return MNL_CB_OK;
	nl_index_message(n, sizeof(*info), attrs, IFA_MAX);
	/* On a point-to-point link this is the other end's. */
	address = attrs[IFA_ADDRESS];
	dev = facts_dev(f, info->ifa_index);
	len = address ? mnl_attr_get_payload_len(address) : 0;
	if (!dev || info->ifa_scope != RT_SCOPE_UNIVERSE ||
	    (len != 4 && len != 16) || info->ifa_prefixlen > 8 * len)
		return MNL_CB_OK;
	net = gather_net(dev, len);
	if (!net)
		return MNL_CB_OK;
	net->given = true;
	net->address_len = len;
	net->prefix_len = info->ifa_prefixlen;
	memcpy(net->address, mnl_attr_get_payload(address), len);
	gather_mask(net);
	return MNL_CB_OK;
}

static void gather_onramp_settings(const struct nlattr *options, uint32_t mtu,
				   struct facts_onramp *o)
{
	struct onramp_settings s;

	/* Kernels report every parameter that has a default. */
	onramp_settings_default(&s, mtu, false);
	if (options)
		param_read(&onramp_kind, (struct rtattr *)options,
			   (struct param_values){ &s.given, s.value });
	o->mode = s.value[ONRAMP_P_MODE];
	o->clock = s.value[ONRAMP_P_CLOCK];
	o->error_ns = s.value[ONRAMP_P_ERROR_NS];
	o->max_error_ns = s.value[ONRAMP_P_MAX_ERROR_NS];
	o->threshold_ns = s.value[ONRAMP_P_THRESHOLD_NS];
	o->margin_ns = s.value[ONRAMP_P_MARGIN_NS];
	o->link_bps = s.value[ONRAMP_P_LINK_RATE_BPS];
	o->nic_comp = s.value[ONRAMP_P_NIC_COMP];
	o->remember = s.value[ONRAMP_P_REMEMBER];
	o->rp = s.value[ONRAMP_P_RP] != ONRAMP_RP_OFF;
}

static void gather_onramp_state(const struct nlattr *app, uint64_t packets,
				struct facts_onramp *o)
{
	struct tc_onramp_xstats st;

	nl_struct(app, &st, sizeof(st));
	if (st.nic_backlog_ns != ONRAMP_NS_NONE)
		o->nic_backlog_ns = st.nic_backlog_ns;
	o->base_ns = st.base_ns;
	o->learned = app && st.base_ns != (int64_t)ONRAMP_NS_NONE;
	o->measured = st.measured;
	o->recorded = st.records;
	o->n.packets = packets;
	o->n.records = st.records;
	o->n.samples = st.samples;
	o->n.unmatched = st.unmatched;
	o->n.not_tcp = st.not_tcp;
	o->n.gso_unknown_rate = st.gso_unknown_rate;
	o->n.flows_plimit = st.flows_plimit;
	o->n.cnms = st.cnms;
	o->n.cnms_unknown = st.cnms_unknown;
}

static void gather_ecnsharp_settings(const struct nlattr *options,
				     struct facts_ecnsharp *e)
{
	struct ecnsharp_settings s, given = { 0 };
	struct ecnsharp_params p;

	ecnsharp_settings_default(&s);
	if (options)
		param_read(&ecnsharp_kind, (struct rtattr *)options,
			   (struct param_values){ &given.given, given.value });
	ecnsharp_settings_apply(&s, &given);
	ecnsharp_params_make(&s, &p);
	e->pst_target_ns = p.persistent ? p.pst_target_ns : UINT64_MAX;
	e->ins_target_ns = p.ins == ECNSHARP_INS_STEP ? p.ins_target_ns :
			   p.ins == ECNSHARP_INS_RAMP && !p.length ? p.kmin :
			   UINT64_MAX;
	e->split_gso = s.value[ECNSHARP_SPLIT_GSO];
}

static void gather_ecnsharp_state(const struct nlattr *app,
				  struct facts_ecnsharp *e)
{
	struct tc_ecnsharp_xstats st;

	nl_struct(app, &st, sizeof(st));
	e->longest_ns = st.sojourn_max_ns;
	e->n.packets = st.tx_packets;
	e->n.bytes = st.tx_bytes;
	e->n.marks = st.ins_marks + st.pst_marks + st.both_marks;
	e->n.nonect = st.nonect_seen;
	e->n.nonect_due = st.nonect_passed + st.nonect_dropped;
}

static void gather_cp(const struct nlattr *options, const struct nlattr *app, uint64_t packets,
		      struct facts_cp *cp)
{
	struct tc_cp_xstats st;
	struct cp_settings s;

	cp_settings_default(&s);
	if (options)
		param_read(&cp_kind, (struct rtattr *)options,
			   (struct param_values){ &s.given, s.value });
	nl_struct(app, &st, sizeof(st));
	cp->pauses = s.value[CP_P_PAUSE] != CP_PAUSE_OFF;
	cp->n.packets = packets;
	cp->n.foreign = st.foreign;
}

static int gather_on_qdisc(const struct nlmsghdr *n, void *data)
{
	const struct nlattr *attrs[TCA_MAX + 1], *stats[TCA_STATS_MAX + 1];
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(n);
	struct gnet_stats_basic basic;
	const struct facts_dev *dev;
	struct facts *f = data;
	struct facts_qdisc *q;

	if (n->nlmsg_type != RTM_NEWQDISC ||
	    mnl_nlmsg_get_payload_len(n) < sizeof(*tcm))
		return MNL_CB_OK;
	nl_index_message(n, sizeof(*tcm), attrs, TCA_MAX);
	nl_index_nest(attrs[TCA_STATS2], stats, TCA_STATS_MAX);
	f->qdiscs = facts_grow(f->qdiscs, &f->nr_qdiscs, sizeof(*f->qdiscs));
	q = &f->qdiscs[f->nr_qdiscs - 1];
	q->ifindex = tcm->tcm_ifindex;
	q->handle = tcm->tcm_handle;
	q->parent = tcm->tcm_parent;
	gather_text(attrs[TCA_KIND], q->kind, sizeof(q->kind));
	nl_struct(stats[TCA_STATS_BASIC], &basic, sizeof(basic));
	dev = facts_dev(f, q->ifindex);
	if (facts_qdisc_is(q, "onramp")) {
		gather_onramp_settings(attrs[TCA_OPTIONS], dev ? dev->mtu : 0,
				       &q->onramp);
		gather_onramp_state(stats[TCA_STATS_APP], basic.packets,
				    &q->onramp);
	} else if (facts_qdisc_is(q, "ecnsharp")) {
		gather_ecnsharp_settings(attrs[TCA_OPTIONS], &q->ecnsharp);
		gather_ecnsharp_state(stats[TCA_STATS_APP], &q->ecnsharp);
	} else if (facts_qdisc_is(q, "cp")) {
		gather_cp(attrs[TCA_OPTIONS], stats[TCA_STATS_APP], basic.packets, &q->cp);
	}
	return MNL_CB_OK;
}

static int gather_dump(struct facts *f, uint16_t type, size_t header,
		       mnl_cb_t reply, struct nl_refusal *why)
{
	struct nl_request request;

	nl_begin(&request, type, 1, header);
	return nl_exchange(&request.n, header, reply, f, why) < 0 ? -1 : 0;
}

int gather_route(struct facts *f, struct nl_refusal *why)
{
	if (gather_dump(f, RTM_GETLINK, sizeof(struct ifinfomsg),
			gather_on_link, why))
		return -1;
	if (gather_dump(f, RTM_GETADDR, sizeof(struct ifaddrmsg),
			gather_on_address, why))
		facts_miss(f, "addresses", why->error);
	return gather_dump(f, RTM_GETQDISC, sizeof(struct tcmsg),
			   gather_on_qdisc, why);
}
