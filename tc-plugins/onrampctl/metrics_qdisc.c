// SPDX-License-Identifier: GPL-2.0
/*
 * Metrics of qdiscs, from rtnetlink and the tables of the tc plugins.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <linux/gen_stats.h>
#include <linux/pkt_sch_ecnsharp.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>

#include "../../lib/netlink.h"
#include "../../lib/netlink_socket.h"
#include "../attr.h"
#include "../kinds.h"
#include "delay_hist.h"
#include "metrics.h"
#include "prometheus.h"

/* More than any table of parameters has. */
#define QDISC_PARAMS_MAX	64

static void qdisc_number(const char *key, uint64_t number,
			 enum metric_kind kind)
{
	char text[24];

	snprintf(text, sizeof(text), "%" PRIu64, number);
	prometheus_number(key, text, kind);
}

/* As tc names a handle or a class: 8001:, 1:2 or :3. */
static void qdisc_id_label(const char *name, uint32_t id)
{
	char text[16] = "";
	int len = 0;

	if (TC_H_MAJ(id) || !TC_H_MIN(id))
		len = snprintf(text, sizeof(text), "%x", TC_H_MAJ(id) >> 16);
	if (TC_H_MIN(id))
		snprintf(text + len, sizeof(text) - len, ":%x", TC_H_MIN(id));
	else
		snprintf(text + len, sizeof(text) - len, ":");
	prometheus_label(name, text);
}

static void qdisc_labels(const struct tcmsg *tcm)
{
	static const struct value_range device = { .kind = VALUE_DEVICE };
	const struct value v = { .number = tcm->tcm_ifindex };

	prometheus_row();
	prometheus_value("dev", METRIC_LABEL, &device, &v);
	qdisc_id_label("handle", tcm->tcm_handle);
	if (tcm->tcm_parent == TC_H_ROOT)
		prometheus_label("parent", "root");
	else if (tcm->tcm_parent)
		qdisc_id_label("parent", tcm->tcm_parent);
}

static void qdisc_param(const struct param *p, uint64_t value)
{
	char shown[PARAM_NAME_MAX], key[PARAM_NAME_MAX];
	char option[sizeof("options_") + PARAM_NAME_MAX];

	param_key(p, key);
	snprintf(option, sizeof(option), "options_%s", key);
	switch (param_write(p, value, shown)) {
	case PARAM_SIGNED:
		prometheus_number(option, shown, METRIC_GAUGE);
		break;
	case PARAM_NUMBER:
	case PARAM_SWITCH:
		qdisc_number(option, value, METRIC_GAUGE);
		break;
	case PARAM_CHOICE:
		prometheus_info(option, key, shown);
		break;
	}
}

/* Values that the kernel derived from others count as parameters. */
static void qdisc_params(const struct param_kind *k, const struct nlattr *options)
{
	uint64_t value[QDISC_PARAMS_MAX], given = 0;
	const struct param_values values = { &given, value };
	struct rtattr *nest = (struct rtattr *)options, *derived = NULL;
	int id;

	if (!nest)
		return;
	if (k == &ecnsharp_kind) {
		derived = attr_find(nest, TCA_ECNSHARP_DERIVED);
		if (derived)
			param_read(k, derived, values);
		qdisc_number("options_derived", given != 0, METRIC_GAUGE);
	}
	param_read(k, nest, values);
	for (id = 0; id < k->count; id++)
		if (given >> id & 1)
			qdisc_param(&k->param[id], value[id]);
}

/* The sum of an array's delays is the counter before it. */
static void qdisc_counters(const struct param_kind *k, const struct nlattr *xstats)
{
	uint64_t value[DELAY_HIST_BUCKETS], sum = 0;
	char text[24];
	size_t i;

	for (i = 0; xstats && i < k->counters; i++) {
		const struct param_counter *c = &k->counter[i];

		if (!param_counter_read(c, mnl_attr_get_payload(xstats),
					mnl_attr_get_payload_len(xstats), value))
			continue;
		if (c->buckets) {
			prometheus_histogram(c->key, value, sum);
			continue;
		}
		snprintf(text, sizeof(text),
			 c->is_signed ? "%" PRId64 : "%" PRIu64, *value);
		prometheus_number(c->key, text, c->is_gauge ? METRIC_GAUGE :
							      METRIC_COUNTER);
		sum = *value;
	}
}

/* Statistics that every qdisc has, by the names that tc gives them. */
static void qdisc_common(const struct nlattr **stats)
{
	struct gnet_stats_rate_est64 rate;
	struct gnet_stats_basic basic;
	struct gnet_stats_queue queue;
	uint64_t packets;

	nl_struct(stats[TCA_STATS_BASIC], &basic, sizeof(basic));
	nl_struct(stats[TCA_STATS_QUEUE], &queue, sizeof(queue));
	packets = basic.packets;
	if (stats[TCA_STATS_PKT64])
		nl_struct(stats[TCA_STATS_PKT64], &packets, sizeof(packets));
	qdisc_number("bytes", basic.bytes, METRIC_COUNTER);
	qdisc_number("packets", packets, METRIC_COUNTER);
	qdisc_number("drops", queue.drops, METRIC_COUNTER);
	qdisc_number("overlimits", queue.overlimits, METRIC_COUNTER);
	qdisc_number("requeues", queue.requeues, METRIC_COUNTER);
	qdisc_number("backlog", queue.backlog, METRIC_GAUGE);
	qdisc_number("qlen", queue.qlen, METRIC_GAUGE);
	if (stats[TCA_STATS_RATE_EST64]) {
		nl_struct(stats[TCA_STATS_RATE_EST64], &rate, sizeof(rate));
	} else if (stats[TCA_STATS_RATE_EST]) {
		struct gnet_stats_rate_est narrow;

		nl_struct(stats[TCA_STATS_RATE_EST], &narrow, sizeof(narrow));
		rate.bps = narrow.bps;
		rate.pps = narrow.pps;
	} else {
		return;
	}
	qdisc_number("rate", rate.bps, METRIC_GAUGE);
	qdisc_number("pps", rate.pps, METRIC_GAUGE);
}

static const struct {
	const struct param_kind *kind;
	const char *prefix;
} qdisc_kinds[] = {
	{ &onramp_kind, "onramp_qdisc" },
	{ &ecnsharp_kind, "ecnsharp_qdisc" },
	{ &cp_kind, "cp_qdisc" },
};

static const struct param_kind *qdisc_kind(const struct nlattr *kind)
{
	size_t i;

	if (!kind || mnl_attr_validate(kind, MNL_TYPE_NUL_STRING))
		return NULL;
	for (i = 0; i < ARRAY_SIZE(qdisc_kinds); i++) {
		if (strcmp(mnl_attr_get_str(kind), qdisc_kinds[i].kind->kind))
			continue;
		prometheus_prefix(qdisc_kinds[i].prefix);
		return qdisc_kinds[i].kind;
	}
	return NULL;
}

static int qdisc_on_message(const struct nlmsghdr *n, void *data)
{
	const struct nlattr *attrs[TCA_MAX + 1], *stats[TCA_STATS_MAX + 1];
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(n);
	const struct param_kind *k;

	if (n->nlmsg_type != RTM_NEWQDISC ||
	    mnl_nlmsg_get_payload_len(n) < sizeof(*tcm))
		return MNL_CB_OK;
	nl_index_message(n, sizeof(*tcm), attrs, TCA_MAX);
	k = qdisc_kind(attrs[TCA_KIND]);
	if (!k)
		return MNL_CB_OK;
	qdisc_labels(tcm);
	if (!prometheus_row_is_new())
		return MNL_CB_OK;
	nl_index_nest(attrs[TCA_STATS2], stats, TCA_STATS_MAX);
	/* As tc does. */
	if (tcm->tcm_info != 1)
		qdisc_number("refcnt", tcm->tcm_info, METRIC_GAUGE);
	qdisc_params(k, attrs[TCA_OPTIONS]);
	qdisc_common(stats);
	qdisc_counters(k, stats[TCA_STATS_APP]);
	return MNL_CB_OK;
}

void metrics_qdisc(void)
{
	struct nl_request request;
	struct nl_refusal why;
	bool up = false;

	prometheus_source("qdisc", "qdisc", "tc -s qdisc");
	if (!nl_socket_open(NETLINK_ROUTE)) {
		nl_begin(&request, RTM_GETQDISC, 1, sizeof(struct tcmsg));
		up = nl_exchange(&request.n, sizeof(struct tcmsg),
				 qdisc_on_message, NULL, &why) >= 0;
	}
	prometheus_source_end(up);
}
