// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes and counters to output.
 */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <libmnl/libmnl.h>
#include <linux/onramp.h>

#include "../../lib/onramp_genl.h"
#include "../attr.h"
#include "out.h"
#include "show.h"
#include "names.h"

#define SHOW(id, json, people, what, exported) {	\
	.attr = ONRAMP_A_##id,				\
	.key = json,					\
	.name = people,					\
	.range = { .kind = VALUE_##what },		\
	.metric = METRIC_##exported,			\
}

#define SHOW_NAME(id, json, array, exported) {		\
	.attr = ONRAMP_A_##id,				\
	.key = json,					\
	.name = json,					\
	.range = NAMES_RANGE(array),			\
	.metric = METRIC_##exported,			\
}

const struct show_field show_clock[] = {
	SHOW_NAME(CLOCK_ID, "clock", names_clock, GAUGE),
	SHOW(CLOCK_STATE, "usable", "usable", FLAG, GAUGE),
	SHOW(CLOCK_ERROR, "error_ns", "error", TIME, GAUGE),
	SHOW(CLOCK_VALID, "valid_ns", "valid", TIME, GAUGE),
	SHOW(CLOCK_EPOCH, "epoch", "epoch", COUNT, GAUGE),
	SHOW_NAME(CLOCK_BASE, "base", names_base, GAUGE),
	SHOW(CLOCK_REF, "ref_ns", "ref", OFFSET, GAUGE),
	SHOW(CLOCK_OFFSET, "offset_ns", "offset", OFFSET, GAUGE),
	SHOW(CLOCK_DRIFT, "drift_ppb", "drift", DRIFT, GAUGE),
	{ 0 }
};

const struct show_field show_flow[] = {
	SHOW(SADDR, "saddr", "source", ADDRESS, NONE),
	SHOW(SPORT, "sport", "port", PORT, NONE),
	SHOW(DADDR, "daddr", "destination", ADDRESS, NONE),
	SHOW(DPORT, "dport", "port", PORT, NONE),
	SHOW(DSCP, "dscp", "dscp", COUNT, NONE),
	SHOW(SCOPE, "scope", "scope", DEVICE, NONE),
	SHOW(IFINDEX, "dev", "dev", DEVICE, NONE),
	SHOW(OWD, "owd_ns", "owd", OFFSET, NONE),
	SHOW(OWD_AGE, "owd_age_ns", "age", TIME, NONE),
	SHOW(ERROR, "error_ns", "error", TIME, NONE),
	SHOW(THRESHOLD, "threshold_ns", "threshold", TIME, NONE),
	SHOW(BETA, "beta", "beta", SHARE, NONE),
	SHOW(HOLD, "hold_ns", "hold", TIME, NONE),
	SHOW(HOLD_TOTAL, "hold_total_ns", "held", TIME, NONE),
	SHOW(HOLDS, "holds", "holds", COUNT, NONE),
	SHOW(SAMPLES, "samples", "samples", COUNT, NONE),
	SHOW(RECORDS, "records", "records", COUNT, NONE),
	SHOW_NAME(STAMP_TX, "stamp_tx", names_stamp, NONE),
	SHOW_NAME(STAMP_RX, "stamp_rx", names_stamp, NONE),
	SHOW_NAME(STATE, "state", names_state, NONE),
	{ 0 }
};

const struct show_field show_path[] = {
	SHOW(SADDR, "saddr", "source", ADDRESS, LABEL),
	SHOW(DADDR, "daddr", "destination", ADDRESS, LABEL),
	SHOW(DSCP, "dscp", "dscp", COUNT, LABEL),
	SHOW(SCOPE, "scope", "scope", DEVICE, LABEL),
	SHOW(OWD, "owd_ns", "owd", OFFSET, GAUGE),
	SHOW(OWD_AGE, "owd_age_ns", "age", TIME, GAUGE),
	SHOW(BASE, "base_ns", "base", OFFSET, GAUGE),
	SHOW(ERROR, "error_ns", "error", TIME, GAUGE),
	SHOW(THRESHOLD, "threshold_ns", "threshold", TIME, GAUGE),
	SHOW(BETA, "beta", "beta", SHARE, GAUGE),
	SHOW(HOLD_TOTAL, "hold_total_ns", "held", TIME, COUNTER),
	SHOW(HOLDS, "holds", "holds", COUNT, COUNTER),
	SHOW(SAMPLES, "samples", "samples", COUNT, COUNTER),
	SHOW_NAME(STATE, "state", names_state, GAUGE),
	{ 0 }
};

const struct show_field show_core[] = {
	SHOW(FLOWS, "flows_now", "flows_now", COUNT, GAUGE),
	SHOW(MAX_FLOWS, "max_flows", "max_flows", COUNT, GAUGE),
	SHOW(PATHS, "paths_now", "paths_now", COUNT, GAUGE),
	SHOW(MAX_PATHS, "max_paths", "max_paths", COUNT, GAUGE),
	SHOW(MEMORY, "memory_bytes", "memory_bytes", COUNT, GAUGE),
	SHOW(MAX_MEMORY, "max_memory_bytes", "max_memory_bytes", COUNT, GAUGE),
	SHOW(FLOWS_EVICTED, "flows_evicted", "flows_evicted", COUNT, COUNTER),
	SHOW_NAME(FOLLOW, "follow", names_follow, GAUGE),
	SHOW(NOT_FOLLOWED, "not_followed", "not_followed", COUNT, COUNTER),
	SHOW(ACKS, "acks", "acks", COUNT, COUNTER),
	SHOW(ACKS_BAD, "acks_bad", "acks_bad", COUNT, COUNTER),
	SHOW(ACKS_UNKNOWN_PEER, "acks_unknown_peer", "acks_unknown_peer", COUNT, COUNTER),
	SHOW(ACKS_UNKNOWN_FLOW, "acks_unknown_flow", "acks_unknown_flow", COUNT, COUNTER),
	SHOW(ACKS_FORWARDED, "acks_forwarded", "acks_forwarded", COUNT, COUNTER),
	SHOW(ACKS_SIGNED, "acks_signed", "acks_signed", COUNT, COUNTER),
	SHOW(ACKS_UNSIGNED, "acks_unsigned", "acks_unsigned", COUNT, COUNTER),
	SHOW(ACKS_UNKNOWN_KEY, "acks_unknown_key", "acks_unknown_key", COUNT,
	     COUNTER),
	SHOW(ACKS_FORGED, "acks_forged", "acks_forged", COUNT, COUNTER),
	SHOW(ACKS_REPLAYED, "acks_replayed", "acks_replayed", COUNT, COUNTER),
	SHOW(ACKS_STALE, "acks_stale", "acks_stale", COUNT, COUNTER),
	SHOW_NAME(HOLDING, "holding", names_switch, GAUGE),
	SHOW(HOLDING_WHY, "holding_why", "holding_why", TEXT, NONE),
	{ 0 }
};

/* The switch of the namespace. */
const struct show_field show_holding[] = {
	SHOW_NAME(HOLDING, "holding", names_switch, NONE),
	SHOW(HOLDING_WHY, "why", "why", TEXT, NONE),
	{ 0 }
};

const struct show_field show_acker[] = {
	SHOW(ACKER_EVERY, "every", "every", COUNT, GAUGE),
	SHOW(ACKER_DELAY, "delay_ns", "delay", TIME, GAUGE),
	SHOW(ACKER_IDLE, "idle_ns", "idle", TIME, GAUGE),
	SHOW(ACKER_RATE, "rate", "rate", COUNT, GAUGE),
	SHOW(ACKER_MAX_FLOWS, "max_flows", "max_flows", COUNT, GAUGE),
	{ 0 }
};

/* How long a prefix is, is an attribute of its own. */
const struct show_field show_peer[] = {
	SHOW(PREFIX, "prefix", "prefix", PREFIX, NONE),
	{ 0 }
};

const struct show_field show_key[] = {
	SHOW(GROUP, "group", "group", COUNT, NONE),
	SHOW(PREFIX, "prefix", "prefix", PREFIX, NONE),
	SHOW(KEY_ID, "signs", "signs", COUNT, NONE),
	SHOW(KEY_OTHER, "other", "other", COUNT, NONE),
	SHOW(KEY_REQUIRE, "require", "require", FLAG, NONE),
	{ 0 }
};

const struct show_field show_device[] = {
	SHOW(IFINDEX, "dev", "dev", DEVICE, NONE),
	{ 0 }
};

/* Where a device's stamps come from. */
const struct show_field show_source[] = {
	SHOW(IFINDEX, "dev", "dev", DEVICE, NONE),
	SHOW(HOOK, "hook", "hook", FLAG, NONE),
	SHOW_NAME(STAMP_WANTED_TX, "wanted_tx", names_wanted, NONE),
	SHOW_NAME(STAMP_TX, "stamp_tx", names_stamp, NONE),
	SHOW_NAME(STAMP_WANTED_RX, "wanted_rx", names_wanted, NONE),
	SHOW_NAME(STAMP_RX, "stamp_rx", names_stamp, NONE),
	{ 0 }
};

/* The hardware clock of a device. */
const struct show_field show_phc[] = {
	SHOW(IFINDEX, "dev", "dev", DEVICE, LABEL),
	SHOW(PHC, "phc", "phc", FLAG, GAUGE),
	SHOW(CLOCK_STATE, "usable", "usable", FLAG, GAUGE),
	SHOW(CLOCK_ERROR, "error_ns", "error", TIME, GAUGE),
	SHOW(CLOCK_VALID, "valid_ns", "valid", TIME, GAUGE),
	SHOW(CLOCK_EPOCH, "epoch", "epoch", COUNT, GAUGE),
	SHOW(CLOCK_REF, "ref_ns", "ref", OFFSET, GAUGE),
	SHOW(CLOCK_OFFSET, "offset_ns", "offset", OFFSET, GAUGE),
	SHOW(CLOCK_DRIFT, "drift_ppb", "drift", DRIFT, GAUGE),
	SHOW(PHC_BIAS, "bias_ns", "bias", OFFSET, GAUGE),
	SHOW(PHC_WINDOW, "window_ns", "window", TIME, GAUGE),
	SHOW(PHC_TX_GOOD, "tx_good", "tx_good", COUNT, COUNTER),
	SHOW(PHC_TX_STALE, "tx_stale", "tx_stale", COUNT, COUNTER),
	SHOW(PHC_RX_GOOD, "rx_good", "rx_good", COUNT, COUNTER),
	SHOW(PHC_RX_MISSING, "rx_missing", "rx_missing", COUNT, COUNTER),
	SHOW(PHC_RX_STALE, "rx_stale", "rx_stale", COUNT, COUNTER),
	SHOW(PHC_RX_IMPLAUSIBLE, "rx_implausible", "rx_implausible", COUNT, COUNTER),
	{ 0 }
};

const struct show_field show_event[] = {
	SHOW_NAME(EVENT, "event", names_event, NONE),
	{ 0 }
};

#define SHOW_MEMBER(type, member, people, what, exported) {	\
	.offset = offsetof(struct type, member),		\
	.key = #member,						\
	.name = people,						\
	.range = { .kind = VALUE_##what },			\
	.metric = METRIC_##exported,				\
}

#define SHOW_STAT(member, exported) \
	SHOW_MEMBER(onramp_stats, member, #member, COUNT, exported)
#define SHOW_ACKED(member, exported) \
	SHOW_MEMBER(onramp_acker_stats, member, #member, COUNT, exported)

const struct show_counter show_core_counters[] = {
	SHOW_STAT(samples, COUNTER),
	SHOW_STAT(holds, COUNTER),
	SHOW_STAT(holds_bounded, COUNTER),
	SHOW_STAT(holds_new, COUNTER),
	SHOW_STAT(holds_observed, COUNTER),
	SHOW_MEMBER(onramp_stats, hold_ns, "hold", TIME, COUNTER),
	SHOW_STAT(no_clock, COUNTER),
	SHOW_STAT(uncertain, COUNTER),
	SHOW_STAT(negative, COUNTER),
	SHOW_STAT(too_long, COUNTER),
	SHOW_STAT(below_base, COUNTER),
	SHOW_STAT(suspect, COUNTER),
	SHOW_STAT(suspicions, COUNTER),
	SHOW_STAT(retransmitted, COUNTER),
	SHOW_STAT(unmatched, COUNTER),
	SHOW_STAT(records, COUNTER),
	SHOW_STAT(records_evicted, COUNTER),
	SHOW_STAT(records_failed, COUNTER),
	SHOW_STAT(flows, COUNTER),
	SHOW_STAT(flows_failed, COUNTER),
	SHOW_STAT(gso_unknown_rate, COUNTER),
	SHOW_STAT(not_tcp, COUNTER),
	SHOW_MEMBER(onramp_stats, nic_backlog_ns, "nic_backlog", TIME, GAUGE),
	SHOW_MEMBER(onramp_stats, owd_ns, "owd", OFFSET, GAUGE),
	SHOW_MEMBER(onramp_stats, threshold_ns, "threshold", TIME, GAUGE),
	SHOW_MEMBER(onramp_stats, base_ns, "base", OFFSET, GAUGE),
	SHOW_STAT(unacked, COUNTER),
	SHOW_STAT(unacked_paths, COUNTER),
	SHOW_STAT(holds_off, COUNTER),
	{ 0 }
};

const struct show_counter show_acker_counters[] = {
	SHOW_ACKED(packets, COUNTER),
	SHOW_ACKED(not_peer, COUNTER),
	SHOW_ACKED(not_ours, COUNTER),
	SHOW_ACKED(entries, COUNTER),
	SHOW_ACKED(entries_first, COUNTER),
	SHOW_ACKED(entries_every, COUNTER),
	SHOW_ACKED(entries_last, COUNTER),
	SHOW_ACKED(datagrams, COUNTER),
	SHOW_ACKED(send_failed, COUNTER),
	SHOW_ACKED(rate_limited, COUNTER),
	SHOW_ACKED(backed_off, COUNTER),
	SHOW_ACKED(flows_failed, COUNTER),
	SHOW_ACKED(flows_evicted, COUNTER),
	SHOW_ACKED(flows, GAUGE),
	SHOW_ACKED(unearned, COUNTER),
	{ 0 }
};

static bool show_address(const struct nlattr *attr, struct value *v)
{
	uint16_t len = mnl_attr_get_payload_len(attr);

	if (len != 4 && len != 16)
		return false;
	v->address_len = len;
	memcpy(v->address, mnl_attr_get_payload(attr), len);
	return true;
}

static bool show_prefix(const struct nlattr **attrs, const struct nlattr *attr,
			struct value *v)
{
	const struct nlattr *len = attrs[ONRAMP_A_PREFIX_LEN];

	if (!len || mnl_attr_validate(len, MNL_TYPE_U8))
		return false;
	v->prefix_len = mnl_attr_get_u8(len);
	return show_address(attr, v);
}

bool show_read(const struct nlattr **attrs, const struct show_field *field,
	       struct value *v)
{
	const struct nlattr *attr = attrs[field->attr];

	memset(v, 0, sizeof(*v));
	if (!attr)
		return false;
	switch (field->range.kind) {
	case VALUE_ADDRESS:
		return show_address(attr, v);
	case VALUE_PREFIX:
		return show_prefix(attrs, attr, v);
	case VALUE_TEXT:
		v->text = mnl_attr_get_payload(attr);
		return !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING);
	default:
		/* Both sides of netlink have the same attributes. */
		return attr_get((const struct rtattr *)attr, &v->number);
	}
}

static void show_value(const char *key, const char *name,
		       const struct value_range *range, const struct value *v)
{
	out_cell(key, name, value_for_people(range, v).text,
		 value_for_json(range, v).text);
}

void show_fields(const struct nlattr **attrs, const struct show_field *fields)
{
	struct value v;

	for (; fields->key; fields++) {
		if (show_read(attrs, fields, &v))
			show_value(fields->key, fields->name, &fields->range,
				   &v);
		else
			out_cell(fields->key, fields->name, NULL, NULL);
	}
}

bool show_counter_read(const struct nlattr *attr,
		       const struct show_counter *counter, struct value *v)
{
	size_t len = attr ? mnl_attr_get_payload_len(attr) : 0;

	memset(v, 0, sizeof(*v));
	if (counter->offset + sizeof(v->number) > len)
		return false;
	memcpy(&v->number, (const char *)mnl_attr_get_payload(attr) +
			   counter->offset, sizeof(v->number));
	v->given = counter->metric != METRIC_GAUGE ||
		   v->number != ONRAMP_NS_NONE;
	return v->given;
}

void show_counters(const struct nlattr *attr,
		   const struct show_counter *counter)
{
	struct value v;

	for (; counter->key; counter++) {
		if (show_counter_read(attr, counter, &v))
			show_value(counter->key, counter->name,
				   &counter->range, &v);
		else
			out_cell(counter->key, counter->name, NULL, NULL);
	}
}
