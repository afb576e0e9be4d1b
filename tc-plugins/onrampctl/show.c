// SPDX-License-Identifier: GPL-2.0
/*
 * Attributes and counters to output.
 */
#include <inttypes.h>
#include <stddef.h>
#include <string.h>
#include <libmnl/libmnl.h>
#include <linux/onramp.h>

#include "../attr.h"
#include "genl.h"
#include "out.h"
#include "show.h"
#include "words.h"

#define SHOW(id, json, people, what) {		\
	.attr = ONRAMP_A_##id,			\
	.key = json,				\
	.name = people,				\
	.range = { .kind = VALUE_##what },	\
}

#define SHOW_WORD(id, json, array) {		\
	.attr = ONRAMP_A_##id,			\
	.key = json,				\
	.name = json,				\
	.range = WORDS_RANGE(array),		\
}

const struct show_field show_clock[] = {
	SHOW_WORD(CLOCK_ID, "clock", words_clock),
	SHOW(CLOCK_STATE, "usable", "usable", FLAG),
	SHOW(CLOCK_ERROR, "error_ns", "error", TIME),
	SHOW(CLOCK_VALID, "valid_ns", "valid", TIME),
	SHOW(CLOCK_EPOCH, "epoch", "epoch", COUNT),
	SHOW_WORD(CLOCK_BASE, "base", words_base),
	SHOW(CLOCK_REF, "ref_ns", "ref", OFFSET),
	SHOW(CLOCK_OFFSET, "offset_ns", "offset", OFFSET),
	SHOW(CLOCK_DRIFT, "drift_ppb", "drift", DRIFT),
	{ 0 }
};

const struct show_field show_flow[] = {
	SHOW(SADDR, "saddr", "source", ADDRESS),
	SHOW(SPORT, "sport", "port", PORT),
	SHOW(DADDR, "daddr", "destination", ADDRESS),
	SHOW(DPORT, "dport", "port", PORT),
	SHOW(DSCP, "dscp", "dscp", COUNT),
	SHOW(SCOPE, "scope", "scope", DEVICE),
	SHOW(IFINDEX, "dev", "dev", DEVICE),
	SHOW(OWD, "owd_ns", "owd", OFFSET),
	SHOW(OWD_AGE, "owd_age_ns", "age", TIME),
	SHOW(ERROR, "error_ns", "error", TIME),
	SHOW(THRESHOLD, "threshold_ns", "threshold", TIME),
	SHOW(BETA, "beta", "beta", SHARE),
	SHOW(HOLD, "hold_ns", "hold", TIME),
	SHOW(HOLD_TOTAL, "hold_total_ns", "held", TIME),
	SHOW(HOLDS, "holds", "holds", COUNT),
	SHOW(SAMPLES, "samples", "samples", COUNT),
	SHOW(RECORDS, "records", "records", COUNT),
	SHOW_WORD(STAMP_TX, "stamp_tx", words_stamp),
	SHOW_WORD(STAMP_RX, "stamp_rx", words_stamp),
	SHOW_WORD(STATE, "state", words_state),
	{ 0 }
};

const struct show_field show_path[] = {
	SHOW(SADDR, "saddr", "source", ADDRESS),
	SHOW(DADDR, "daddr", "destination", ADDRESS),
	SHOW(DSCP, "dscp", "dscp", COUNT),
	SHOW(SCOPE, "scope", "scope", DEVICE),
	SHOW(OWD, "owd_ns", "owd", OFFSET),
	SHOW(OWD_AGE, "owd_age_ns", "age", TIME),
	SHOW(BASE, "base_ns", "base", OFFSET),
	SHOW(ERROR, "error_ns", "error", TIME),
	SHOW(THRESHOLD, "threshold_ns", "threshold", TIME),
	SHOW(BETA, "beta", "beta", SHARE),
	SHOW(HOLD_TOTAL, "hold_total_ns", "held", TIME),
	SHOW(HOLDS, "holds", "holds", COUNT),
	SHOW(SAMPLES, "samples", "samples", COUNT),
	SHOW_WORD(STATE, "state", words_state),
	{ 0 }
};

const struct show_field show_core[] = {
	SHOW(FLOWS, "flows_now", "flows_now", COUNT),
	SHOW(MAX_FLOWS, "max_flows", "max_flows", COUNT),
	SHOW(PATHS, "paths_now", "paths_now", COUNT),
	SHOW(MAX_PATHS, "max_paths", "max_paths", COUNT),
	SHOW(MEMORY, "memory_bytes", "memory_bytes", COUNT),
	SHOW(MAX_MEMORY, "max_memory_bytes", "max_memory_bytes", COUNT),
	SHOW(FLOWS_EVICTED, "flows_evicted", "flows_evicted", COUNT),
	SHOW_WORD(FOLLOW, "follow", words_follow),
	SHOW(NOT_FOLLOWED, "not_followed", "not_followed", COUNT),
	SHOW(ACKS, "acks", "acks", COUNT),
	SHOW(ACKS_BAD, "acks_bad", "acks_bad", COUNT),
	SHOW(ACKS_UNKNOWN_PEER, "acks_unknown_peer", "acks_unknown_peer", COUNT),
	SHOW(ACKS_UNKNOWN_FLOW, "acks_unknown_flow", "acks_unknown_flow", COUNT),
	SHOW(ACKS_FORWARDED, "acks_forwarded", "acks_forwarded", COUNT),
	SHOW(ACKS_SIGNED, "acks_signed", "acks_signed", COUNT),
	SHOW(ACKS_UNSIGNED, "acks_unsigned", "acks_unsigned", COUNT),
	SHOW(ACKS_UNKNOWN_KEY, "acks_unknown_key", "acks_unknown_key", COUNT),
	SHOW(ACKS_FORGED, "acks_forged", "acks_forged", COUNT),
	SHOW(ACKS_REPLAYED, "acks_replayed", "acks_replayed", COUNT),
	SHOW(ACKS_STALE, "acks_stale", "acks_stale", COUNT),
	SHOW_WORD(HOLDING, "holding", words_switch),
	SHOW(HOLDING_WHY, "holding_why", "holding_why", TEXT),
	{ 0 }
};

/* The switch of the namespace. */
const struct show_field show_holding[] = {
	SHOW_WORD(HOLDING, "holding", words_switch),
	SHOW(HOLDING_WHY, "why", "why", TEXT),
	{ 0 }
};

const struct show_field show_acker[] = {
	SHOW(ACKER_EVERY, "every", "every", COUNT),
	SHOW(ACKER_DELAY, "delay_ns", "delay", TIME),
	SHOW(ACKER_IDLE, "idle_ns", "idle", TIME),
	SHOW(ACKER_RATE, "rate", "rate", COUNT),
	SHOW(ACKER_MAX_FLOWS, "max_flows", "max_flows", COUNT),
	{ 0 }
};

/* How long a prefix is, is an attribute of its own. */
const struct show_field show_peer[] = {
	SHOW(PREFIX, "prefix", "prefix", PREFIX),
	{ 0 }
};

const struct show_field show_key[] = {
	SHOW(GROUP, "group", "group", COUNT),
	SHOW(PREFIX, "prefix", "prefix", PREFIX),
	SHOW(KEY_ID, "signs", "signs", COUNT),
	SHOW(KEY_OTHER, "other", "other", COUNT),
	SHOW(KEY_REQUIRE, "require", "require", FLAG),
	{ 0 }
};

const struct show_field show_device[] = {
	SHOW(IFINDEX, "dev", "dev", DEVICE),
	{ 0 }
};

/* Where a device's stamps come from. */
const struct show_field show_source[] = {
	SHOW(IFINDEX, "dev", "dev", DEVICE),
	SHOW(HOOK, "hook", "hook", FLAG),
	SHOW_WORD(STAMP_WANTED_TX, "wanted_tx", words_wanted),
	SHOW_WORD(STAMP_TX, "stamp_tx", words_stamp),
	SHOW_WORD(STAMP_WANTED_RX, "wanted_rx", words_wanted),
	SHOW_WORD(STAMP_RX, "stamp_rx", words_stamp),
	{ 0 }
};

/* The hardware clock of a device. */
const struct show_field show_phc[] = {
	SHOW(IFINDEX, "dev", "dev", DEVICE),
	SHOW(PHC, "phc", "phc", FLAG),
	SHOW(CLOCK_STATE, "usable", "usable", FLAG),
	SHOW(CLOCK_ERROR, "error_ns", "error", TIME),
	SHOW(CLOCK_VALID, "valid_ns", "valid", TIME),
	SHOW(CLOCK_EPOCH, "epoch", "epoch", COUNT),
	SHOW(CLOCK_REF, "ref_ns", "ref", OFFSET),
	SHOW(CLOCK_OFFSET, "offset_ns", "offset", OFFSET),
	SHOW(CLOCK_DRIFT, "drift_ppb", "drift", DRIFT),
	SHOW(PHC_BIAS, "bias_ns", "bias", OFFSET),
	SHOW(PHC_WINDOW, "window_ns", "window", TIME),
	SHOW(PHC_TX_GOOD, "tx_good", "tx_good", COUNT),
	SHOW(PHC_TX_STALE, "tx_stale", "tx_stale", COUNT),
	SHOW(PHC_RX_GOOD, "rx_good", "rx_good", COUNT),
	SHOW(PHC_RX_MISSING, "rx_missing", "rx_missing", COUNT),
	SHOW(PHC_RX_STALE, "rx_stale", "rx_stale", COUNT),
	SHOW(PHC_RX_IMPLAUSIBLE, "rx_implausible", "rx_implausible", COUNT),
	{ 0 }
};

const struct show_field show_event[] = {
	SHOW_WORD(EVENT, "event", words_event),
	{ 0 }
};

/**
 * struct show_counter - a member of a struct of counters
 * @offset: where it is
 * @key: its name in JSON
 * @name: for people
 * @range: its kind
 */
struct show_counter {
	size_t			offset;
	const char		*key;
	const char		*name;
	struct value_range	range;
};

#define SHOW_MEMBER(type, member, people, what) {	\
	.offset = offsetof(struct type, member),	\
	.key = #member,					\
	.name = people,					\
	.range = { .kind = VALUE_##what },		\
}

#define SHOW_STAT(member) SHOW_MEMBER(onramp_stats, member, #member, COUNT)
#define SHOW_ACKED(member) \
	SHOW_MEMBER(onramp_acker_stats, member, #member, COUNT)

static const struct show_counter show_stats_counters[] = {
	SHOW_STAT(samples),
	SHOW_STAT(holds),
	SHOW_STAT(holds_bounded),
	SHOW_STAT(holds_new),
	SHOW_STAT(holds_observed),
	SHOW_MEMBER(onramp_stats, hold_ns, "hold", TIME),
	SHOW_STAT(no_clock),
	SHOW_STAT(uncertain),
	SHOW_STAT(negative),
	SHOW_STAT(too_long),
	SHOW_STAT(below_base),
	SHOW_STAT(suspect),
	SHOW_STAT(suspicions),
	SHOW_STAT(retransmitted),
	SHOW_STAT(unmatched),
	SHOW_STAT(records),
	SHOW_STAT(records_evicted),
	SHOW_STAT(records_failed),
	SHOW_STAT(flows),
	SHOW_STAT(flows_failed),
	SHOW_STAT(gso_unknown_rate),
	SHOW_STAT(not_tcp),
	SHOW_MEMBER(onramp_stats, nic_backlog_ns, "nic_backlog", TIME),
	SHOW_MEMBER(onramp_stats, owd_ns, "owd", OFFSET),
	SHOW_MEMBER(onramp_stats, threshold_ns, "threshold", TIME),
	SHOW_MEMBER(onramp_stats, base_ns, "base", OFFSET),
	SHOW_STAT(unacked),
	SHOW_STAT(unacked_paths),
	SHOW_STAT(holds_off),
	{ 0 }
};

static const struct show_counter show_acker_counters[] = {
	SHOW_ACKED(packets),
	SHOW_ACKED(not_peer),
	SHOW_ACKED(not_ours),
	SHOW_ACKED(entries),
	SHOW_ACKED(entries_first),
	SHOW_ACKED(entries_every),
	SHOW_ACKED(entries_last),
	SHOW_ACKED(datagrams),
	SHOW_ACKED(send_failed),
	SHOW_ACKED(rate_limited),
	SHOW_ACKED(backed_off),
	SHOW_ACKED(flows_failed),
	SHOW_ACKED(flows_evicted),
	SHOW_ACKED(flows),
	SHOW_ACKED(unearned),
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

static void show_counters(const struct nlattr *attr,
			  const struct show_counter *counter)
{
	size_t len = attr ? mnl_attr_get_payload_len(attr) : 0;
	struct value v = { .given = true };

	for (; counter->key; counter++) {
		if (counter->offset + sizeof(v.number) > len) {
			out_cell(counter->key, counter->name, NULL, NULL);
			continue;
		}
		memcpy(&v.number, (const char *)mnl_attr_get_payload(attr) +
				  counter->offset, sizeof(v.number));
		show_value(counter->key, counter->name, &counter->range, &v);
	}
}

void show_stats(const struct nlattr *attr)
{
	show_counters(attr, show_stats_counters);
}

void show_acker_stats(const struct nlattr *attr)
{
	show_counters(attr, show_acker_counters);
}
