// SPDX-License-Identifier: GPL-2.0
/*
 * Facts of the family "onramp".
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <linux/onramp_wire.h>

#include "gather.h"
#include "request.h"
#include "show.h"

static uint64_t gather_number(const struct nlattr **attrs, uint16_t attr)
{
	const struct show_field field = {
		.attr = attr,
		.range = { .kind = VALUE_COUNT },
	};
	struct value v;

	return show_read(attrs, &field, &v) ? v.number : 0;
}

/* Return: bytes of it; 0 if it is not an address. */
static uint8_t gather_address(const struct nlattr **attrs, uint16_t attr,
			      uint8_t *address)
{
	const struct show_field field = {
		.attr = attr,
		.range = { .kind = VALUE_ADDRESS },
	};
	struct value v;

	if (!show_read(attrs, &field, &v))
		return 0;
	memcpy(address, v.address, sizeof(v.address));
	return v.address_len;
}

static void gather_text(const struct nlattr **attrs, uint16_t attr, char *text,
			size_t size)
{
	const struct show_field field = {
		.attr = attr,
		.range = { .kind = VALUE_TEXT },
	};
	struct value v;

	if (show_read(attrs, &field, &v))
		snprintf(text, size, "%s", v.text);
}

static void gather_on_clock(uint8_t cmd, const struct nlattr **attrs,
			    void *data)
{
	struct facts *f = data;

	f->clock.id = gather_number(attrs, ONRAMP_A_CLOCK_ID);
	f->clock.usable = gather_number(attrs, ONRAMP_A_CLOCK_STATE);
	f->clock.error_ns = gather_number(attrs, ONRAMP_A_CLOCK_ERROR);
}

static void gather_on_stats(uint8_t cmd, const struct nlattr **attrs,
			    void *data)
{
	struct facts *f = data;
	struct onramp_stats st;

	nl_struct(attrs[ONRAMP_A_STATS], &st, sizeof(st));
	f->flows_now = gather_number(attrs, ONRAMP_A_FLOWS);
	f->max_flows = gather_number(attrs, ONRAMP_A_MAX_FLOWS);
	f->paths_now = gather_number(attrs, ONRAMP_A_PATHS);
	f->max_paths = gather_number(attrs, ONRAMP_A_MAX_PATHS);
	f->memory_now = gather_number(attrs, ONRAMP_A_MEMORY);
	f->max_memory = gather_number(attrs, ONRAMP_A_MAX_MEMORY);
	f->held_off = attrs[ONRAMP_A_HOLDING] &&
		      !gather_number(attrs, ONRAMP_A_HOLDING);
	gather_text(attrs, ONRAMP_A_HOLDING_WHY, f->held_off_why,
		    sizeof(f->held_off_why));
	f->core.records = st.records;
	f->core.flows_failed = st.flows_failed;
	f->core.acks = gather_number(attrs, ONRAMP_A_ACKS);
	f->core.unknown_peer = gather_number(attrs, ONRAMP_A_ACKS_UNKNOWN_PEER);
	f->core.not_signed = gather_number(attrs, ONRAMP_A_ACKS_UNSIGNED);
	f->core.unknown_key = gather_number(attrs, ONRAMP_A_ACKS_UNKNOWN_KEY);
	f->core.forged = gather_number(attrs, ONRAMP_A_ACKS_FORGED);
	f->core.stale = gather_number(attrs, ONRAMP_A_ACKS_STALE);
}

static void gather_on_acker(uint8_t cmd, const struct nlattr **attrs,
			    void *data)
{
	struct onramp_acker_stats st;
	struct facts *f = data;

	nl_struct(attrs[ONRAMP_A_ACKER_STATS], &st, sizeof(st));
	f->ack_rate = gather_number(attrs, ONRAMP_A_ACKER_RATE);
	f->ack_max_flows = gather_number(attrs, ONRAMP_A_ACKER_MAX_FLOWS);
	f->ack.packets = st.packets;
	f->ack.not_peer = st.not_peer;
	f->ack.not_ours = st.not_ours;
	f->ack.entries = st.entries;
	f->ack.backed_off = st.backed_off;
	f->ack.rate_limited = st.rate_limited;
	f->ack.flows_evicted = st.flows_evicted;
}

static void gather_on_peer(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	struct facts *f = data;
	struct value v;

	if (!show_read(attrs, show_peer, &v))
		return;
	v.given = true;
	f->peers = facts_grow(f->peers, &f->nr_peers, sizeof(*f->peers));
	f->peers[f->nr_peers - 1] = v;
}

static void gather_on_acked(uint8_t cmd, const struct nlattr **attrs,
			    void *data)
{
	struct facts_dev *dev = facts_dev(data, gather_number(attrs,
							      ONRAMP_A_IFINDEX));

	if (dev)
		dev->acked = true;
}

static void gather_on_stamps(uint8_t cmd, const struct nlattr **attrs,
			     void *data)
{
	struct facts_dev *dev = facts_dev(data, gather_number(attrs,
							      ONRAMP_A_IFINDEX));

	if (!dev)
		return;
	dev->stamp_tx = gather_number(attrs, ONRAMP_A_STAMP_TX);
	dev->stamp_rx = gather_number(attrs, ONRAMP_A_STAMP_RX);
}

/* The kernel reports a group once for each of its prefixes. */
static void gather_on_group(uint8_t cmd, const struct nlattr **attrs,
			    void *data)
{
	uint32_t group = gather_number(attrs, ONRAMP_A_GROUP);
	struct facts_group *g;
	struct facts *f = data;
	size_t i;

	for (i = 0; i < f->nr_groups; i++)
		if (f->groups[i].group == group)
			return;
	f->groups = facts_grow(f->groups, &f->nr_groups, sizeof(*f->groups));
	g = &f->groups[f->nr_groups - 1];
	g->group = group;
	g->signs = gather_number(attrs, ONRAMP_A_KEY_ID);
	g->other = attrs[ONRAMP_A_KEY_OTHER] ?
		   (int)gather_number(attrs, ONRAMP_A_KEY_OTHER) : -1;
	g->require = gather_number(attrs, ONRAMP_A_KEY_REQUIRE);
}

static void gather_on_path(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	const struct nlattr *path[ONRAMP_A_MAX + 1];
	struct facts_paths *paths = &((struct facts *)data)->paths;
	struct facts_path_key key;
	struct facts_path *p;

	if (!attrs[ONRAMP_A_PATH])
		return;
	onramp_parse_nest(attrs[ONRAMP_A_PATH], path);
	memset(&key, 0, sizeof(key));
	key.address_len = gather_address(path, ONRAMP_A_SADDR, key.saddr);
	if (!key.address_len ||
	    gather_address(path, ONRAMP_A_DADDR, key.daddr) != key.address_len)
		return;
	key.dscp = gather_number(path, ONRAMP_A_DSCP);
	key.scope = gather_number(path, ONRAMP_A_SCOPE);
	paths->list = facts_grow(paths->list, &paths->n, sizeof(*paths->list));
	p = &paths->list[paths->n - 1];
	p->key = key;
	p->samples = gather_number(path, ONRAMP_A_SAMPLES);
	p->state = path[ONRAMP_A_STATE] ?
		   (int)gather_number(path, ONRAMP_A_STATE) : -1;
	p->error_ns = gather_number(path, ONRAMP_A_ERROR);
}

/* Only flows have the bound of a delay that was too uncertain for their path. */
static void gather_on_flow(uint8_t cmd, const struct nlattr **attrs, void *data)
{
	const struct nlattr *flow[ONRAMP_A_MAX + 1];
	struct facts_paths *p = &((struct facts *)data)->paths;
	uint64_t error_ns;

	if (!attrs[ONRAMP_A_FLOW])
		return;
	onramp_parse_nest(attrs[ONRAMP_A_FLOW], flow);
	error_ns = gather_number(flow, ONRAMP_A_ERROR);
	if (flow[ONRAMP_A_STATE] && error_ns > p->uncertain_ns &&
	    gather_number(flow, ONRAMP_A_STATE) == ONRAMP_STATE_UNCERTAIN)
		p->uncertain_ns = error_ns;
}

/**
 * struct gather_query - a request, and the function that receives the answers
 * @what: its name
 * @cmd: enum onramp_cmd
 * @dump: there may be many
 * @acker: only where the acker is
 * @reply: receives each
 */
struct gather_query {
	const char	*what;
	uint8_t		cmd;
	bool		dump;
	bool		acker;
	onramp_reply_fn	reply;
};

static const struct gather_query gather_queries[] = {
	{ "clock", ONRAMP_CMD_CLOCK_GET, false, false, gather_on_clock },
	{ "stats", ONRAMP_CMD_STATS_GET, false, false, gather_on_stats },
	{ "stamps", ONRAMP_CMD_DEV_GET, true, false, gather_on_stamps },
	{ "paths", ONRAMP_CMD_PATH_GET, true, false, gather_on_path },
	{ "flows", ONRAMP_CMD_FLOW_GET, true, false, gather_on_flow },
	{ "keys", ONRAMP_CMD_KEY_GET, true, false, gather_on_group },
	{ "peers", ONRAMP_CMD_PEER_GET, true, false, gather_on_peer },
	{ "devices of the acker", ONRAMP_CMD_ACKER_DEV_GET, true, true,
	  gather_on_acked },
	{ 0 }
};

static int gather_ask(struct facts *f, uint8_t cmd, bool dump,
		      onramp_reply_fn reply, struct nl_refusal *why)
{
	struct nl_request request;

	onramp_begin(&request, cmd, dump);
	return request_send(&request, reply, f, why);
}

void gather_onramp(struct facts *f)
{
	const struct gather_query *question;
	struct nl_refusal why = { 0 };

	if (onramp_open(&why)) {
		f->absent = why.error == ENOENT;
		if (!f->absent)
			facts_miss(f, "onramp", why.error);
		return;
	}
	f->onramp = true;
	f->acker = !gather_ask(f, ONRAMP_CMD_ACKER_GET, false, gather_on_acker,
			       &why);
	if (!f->acker && why.error != EOPNOTSUPP)
		facts_miss(f, "acker", why.error);
	for (question = gather_queries; question->what; question++)
		if ((f->acker || !question->acker) &&
		    gather_ask(f, question->cmd, question->dump,
			       question->reply, &why))
			facts_miss(f, question->what, why.error);
}
