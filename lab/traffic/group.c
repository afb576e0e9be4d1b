// SPDX-License-Identifier: GPL-2.0
/*
 * Groups of flows
 *
 * One table describes the keys of a group: the parser, the refusals and the
 * help are made from it.
 */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#include "datagram.h"
#include "group.h"
#include "host.h"
#include "pattern.h"

#define P	(1U << KIND_POISSON)
#define Q	(1U << KIND_QUERY)
#define L	(1U << KIND_LONG)
#define C	(1U << KIND_CLOSED)
#define ANY	(P | Q | L | C)

/* A group of tens of millions of flows would not fit the lab's memory. */
#define FLOWS_MAX	100000

/* Where the files of flow sizes are installed. */
#ifndef FLOWGEN_WORKLOADS
#define FLOWGEN_WORKLOADS	"/usr/share/sharpramp/workloads"
#endif

#define SIZES	{ QUANTITY_BYTES, 1, FLOW_SIZE_MAX }
#define TIMES	{ QUANTITY_TIME, 0, TIME_MAX }

const char *const cc_names[CC_COUNT] = { "cubic", "dctcp", "bbr", "reno", "dcqcn", "cbr" };

static const char *const kind_names[] = { "poisson", "query", "long", "closed", NULL };
static const char *const cc_choices[] = { "cubic", "dctcp", "bbr", "reno", "dcqcn", "cbr", NULL };
static const char *const delack_choices[] = { "on", "off", NULL };
static const char *const conn_choices[] = { "new", "pool", NULL };
static const char *const rp_choices[] = { "paper", "ns3", "cloud", NULL };
static const char *const pattern_choices[] = { "cbr", "bernoulli", "onoff", NULL };
static const char *const full_choices[] = { "wait", "drop", NULL };
static const char *const ports_choices[] = { "any", "flow", NULL };
static const char *const spacing_choices[] = { "fixed", "poisson", NULL };
static const char *const pick_choices[] = { "turns", "random", NULL };

/**
 * struct key - one key of a group
 * @name: as written before '='
 * @kinds: kinds that have it
 * @required: kinds that must be given it
 * @offset: of its u64 in struct group, or 0 for those read by hand
 * @range: numbers it accepts, if @choices is NULL
 * @choices: choices it accepts, NULL-terminated; the value is their index
 * @standard: value if not given
 * @help: one line
 */
struct key {
	const char *name;
	unsigned int kinds;
	unsigned int required;
	size_t offset;
	struct range range;
	const char *const *choices;
	u64 standard;
	const char *help;
};

#define FIELD(f)	offsetof(struct group, f)
#define TEXT		{ QUANTITY_TEXT, 0, 0 }

static const struct key keys[] = {
	{ "kind", ANY, ANY, 0, TEXT, kind_names, 0,
	  "pattern of arrivals" },
	{ "senders", ANY, 0, 0, TEXT, NULL, 0,
	  "hosts that send the data: NAME,NAME,... or 'all' (with --to: all of --to)" },
	{ "receivers", ANY, 0, 0, TEXT, NULL, 0,
	  "hosts that request and receive it (with --to: this host)" },
	{ "cc", ANY, 0, FIELD(cc), TEXT, cc_choices, CC_CUBIC,
	  "congestion control of both ends (cubic)" },
	{ "dscp", ANY, 0, FIELD(dscp), { QUANTITY_COUNT, 0, 63 }, NULL, 0,
	  "DSCP of both directions (0)" },
	{ "demote", ANY, 0, 0, TEXT, NULL, 0,
	  "numbers of sent bytes after which the DSCP changes" },
	{ "conn", P | Q | C, 0, FIELD(pool), TEXT, conn_choices, 0,
	  "connection of a flow: a new one, or one of a pool (new)" },
	{ "delack", ANY, 0, FIELD(delack_off), TEXT, delack_choices, 0,
	  "delayed acknowledgements of receivers (on)" },
	{ "ports", ANY, 0, FIELD(flow_ports), TEXT, ports_choices, 0,
	  "receivers' ports (over UDP: senders'): any, or by the flow's id (any)" },
	{ "cdf", P, P, 0, TEXT, NULL, 0,
	  "file of the flow sizes, or websearch, datamining, fbhadoop, alistorage, googlerpc" },
	{ "largest", P, 0, FIELD(largest), SIZES, NULL, FLOW_SIZE_MAX,
	  "maximum flow size; larger ones are replaced by it (1000g)" },
	{ "rate", P | L, P, FIELD(rate), { QUANTITY_RATE, 1000, 10000000000000ULL }, NULL, 0,
	  "capacity that the load refers to [P]; rate of a flow (cc=cbr), or its limit (TCP) [L]" },
	{ "load", P, P, FIELD(load), { QUANTITY_FRACTION, 1, PPM - 1 }, NULL, 0,
	  "offered payload as a fraction of the rate" },
	{ "from", P | L | C, 0, FIELD(from), TIMES, NULL, 0,
	  "start of arrivals, or of the workers, after the epoch (0)" },
	{ "until", ANY, P | C, FIELD(until), TIMES, NULL, 0,
	  "end of arrivals, queries or requests, or of endless flows" },
	{ "at", Q, 0, FIELD(at), TIMES, NULL, 0,
	  "start of the first query after the epoch (0)" },
	{ "flows", Q | L, Q, FIELD(flows), { QUANTITY_COUNT, 1, FLOWS_MAX }, NULL, 1,
	  "concurrent flows of each query; number of long flows (1)" },
	{ "depth", C, C, FIELD(depth), { QUANTITY_COUNT, 1, FLOWS_MAX }, NULL, 0,
	  "number of workers, each with one request at a time" },
	{ "lo", Q | C, Q | C, FIELD(lo), SIZES, NULL, 0,
	  "minimum flow size" },
	{ "hi", Q | C, Q | C, FIELD(hi), SIZES, NULL, 0,
	  "maximum flow size" },
	{ "period", Q, 0, FIELD(period), { QUANTITY_TIME, 1, TIME_MAX }, NULL, 0,
	  "time from one query to the next" },
	{ "spacing", Q, 0, FIELD(poisson), TEXT, spacing_choices, 0,
	  "distribution of the time between queries; poisson needs until (fixed)" },
	{ "pick", Q, 0, FIELD(pick), TEXT, pick_choices, 0,
	  "selection of a query's senders: in turns, or at random (turns)" },
	{ "count", Q | C, C, FIELD(count), { QUANTITY_COUNT, 1, FLOWS_MAX }, NULL, 1,
	  "number of queries (1); maximum requests of a worker" },
	{ "jitter", Q, 0, FIELD(jitter), TIMES, NULL, 0,
	  "maximum delay of a flow after the start of its query (0)" },
	{ "size", L, 0, FIELD(size), SIZES, NULL, 0,
	  "size of the long flows, in place of until" },
	{ "line", ANY, 0, FIELD(line), { QUANTITY_RATE, DCQCN_LINE_MIN, DCQCN_LINE_MAX }, NULL, 0,
	  "rate of the senders' links; needed by cc=dcqcn, and by cc=cbr but with pattern=cbr" },
	{ "rp", ANY, 0, FIELD(rp), TEXT, rp_choices, DCQCN_PAPER,
	  "constants of the reaction point, with cc=dcqcn (paper)" },
	{ "burst", ANY, 0, FIELD(burst), { QUANTITY_COUNT, 1, BURST_MAX }, NULL, 8,
	  "maximum packets sent at once, with cc=dcqcn (8) and cc=cbr (1)" },
	{ "pattern", L, 0, FIELD(pattern), TEXT, pattern_choices, PATTERN_CBR,
	  "distribution of the time between packets, with cc=cbr (cbr)" },
	{ "full", L, 0, FIELD(drop), TEXT, full_choices, 0,
	  "with cc=cbr, where the sender's host has no space: wait, or drop (wait)" },
};

static_assert(ARRAY_SIZE(keys) <= 32, "given keys are bits of a u32");

static int parse_choice(const struct place *at, const struct key *key, const char *text,
			u64 *value)
{
	char all[128] = "";
	size_t i, len = 0;

	for (i = 0; key->choices[i]; i++) {
		if (!strcmp(key->choices[i], text)) {
			*value = i;
			return 0;
		}
		len += snprintf(all + len, sizeof(all) - len, "%s%s", i ? ", " : "",
				key->choices[i]);
	}
	return complain(at, "%s: '%s' is not one of %s", key->name, text, all);
}

/*
 * A name without a dot or a slash is that of an installed file.  A relative path is
 * relative to the folder of the file that names it.
 */
static int parse_cdf(const struct place *at, const char *text, struct cdf *cdf)
{
	const char *slash = at->file ? strrchr(at->file, '/') : NULL;
	int folder = *text != '/' && slash ? slash + 1 - at->file : 0;
	char *path;
	int ret;

	if (text[strcspn(text, "./")])
		ret = asprintf(&path, "%.*s%s", folder, folder ? at->file : "", text);
	else
		ret = asprintf(&path, "%s/%s.cdf", FLOWGEN_WORKLOADS, text);
	if (ret < 0)
		return complain(at, "out of memory");
	ret = cdf_load(cdf, path);
	free(path);
	return ret;
}

static int parse_key(struct traffic *t, const struct place *at, struct group *g,
		     const struct key *key, char *text)
{
	u64 kind;

	if (!strcmp(key->name, "kind")) {
		if (parse_choice(at, key, text, &kind))
			return -1;
		g->kind = kind;
		return 0;
	}
	if (!strcmp(key->name, "senders"))
		return hosts_parse(t, at, key->name, text, &g->senders);
	if (!strcmp(key->name, "receivers"))
		return hosts_parse(t, at, key->name, text, &g->receivers);
	if (!strcmp(key->name, "cdf"))
		return parse_cdf(at, text, &g->cdf);
	if (!strcmp(key->name, "demote"))
		return demotions_parse(at, key->name, text, &g->demotions);
	if (key->choices)
		return parse_choice(at, key, text, (u64 *)((char *)g + key->offset));
	return parse_number(at, key->name, text, &key->range,
			    (u64 *)((char *)g + key->offset));
}

/* Is there, for every receiver, a sender that is another host? */
static int check_ends(const struct place *at, const struct group *g)
{
	u32 i;

	if (!g->senders.n || !g->receivers.n)
		return complain(at, "group '%s': %s= is missing", g->name,
				g->senders.n ? "receivers" : "senders");
	for (i = 0; g->senders.n == 1 && i < g->receivers.n; i++)
		if (g->receivers.index[i] == g->senders.index[0])
			return complain(at,
					"group '%s': the only sender of a receiver is the receiver itself",
					g->name);
	return 0;
}

static bool was_given(u32 given, const char *name)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (!strcmp(keys[i].name, name))
			return given & 1U << i;
	return false;
}

/* How many queries there are, and when. */
static int check_queries(const struct place *at, const struct group *g, u32 given)
{
	bool until = was_given(given, "until");
	u64 last = g->at;

	if (until && was_given(given, "count"))
		return complain(at, "group '%s': count= and until= exclude each other", g->name);
	if (until && g->until <= g->at)
		return complain(at, "group '%s': until= must be after at=", g->name);
	if (g->poisson && !until)
		return complain(at, "group '%s': spacing=poisson needs until=", g->name);
	if ((until || g->count > 1) && !g->period)
		return complain(at, "group '%s': %s needs period=", g->name,
				until ? "until=" : "count= above 1");
	if (g->count > 1 && (__builtin_mul_overflow(g->period, g->count - 1, &last) ||
			     __builtin_add_overflow(last, g->at, &last) || last > TIME_MAX))
		return complain(at, "group '%s': the last query starts later than a day",
				g->name);
	return 0;
}

static int check_group(const struct place *at, const struct group *g, u32 given)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		if (given & 1U << i && !(keys[i].kinds & 1U << g->kind))
			return complain(at, "group '%s': %s= is not for kind=%s", g->name,
					keys[i].name, kind_names[g->kind]);
		if (!(given & 1U << i) && keys[i].required & 1U << g->kind)
			return complain(at, "group '%s': %s= is missing", g->name, keys[i].name);
	}
	if (g->kind == KIND_LONG && was_given(given, "size") == was_given(given, "until"))
		return complain(at, "group '%s': either size= or until= is required", g->name);
	if (was_given(given, "until") && g->until <= g->from)
		return complain(at, "group '%s': until= must be after from=", g->name);
	if (g->hi < g->lo)
		return complain(at, "group '%s': hi= must not be below lo=", g->name);
	if (g->kind == KIND_QUERY && check_queries(at, g, given))
		return -1;
	return check_ends(at, g);
}

/* Keys of flows over UDP, each with the congestion controls that have it. */
static int check_own_keys(const struct place *at, const struct group *g, u32 given)
{
	static const struct {
		const char *name;
		u32 ccs;
		const char *text;
	} own[] = {
		{ "line", 1U << CC_DCQCN | 1U << CC_CBR, "cc=dcqcn and cc=cbr" },
		{ "rp", 1U << CC_DCQCN, "cc=dcqcn" },
		{ "burst", 1U << CC_DCQCN | 1U << CC_CBR, "cc=dcqcn and cc=cbr" },
		{ "pattern", 1U << CC_CBR, "cc=cbr" },
		{ "full", 1U << CC_CBR, "cc=cbr" },
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(own); i++)
		if (was_given(given, own[i].name) && !(own[i].ccs & 1U << g->cc))
			return complain(at, "group '%s': %s= is only for %s", g->name, own[i].name,
					own[i].text);
	if (g->kind == KIND_LONG && g->cc == CC_DCQCN && g->rate)
		return complain(at, "group '%s': rate= is not for cc=dcqcn", g->name);
	return 0;
}

/* Keys of a group whose flows use UDP. */
static int check_rated(const struct place *at, const struct traffic *t, const struct group *g)
{
	const char *cc = cc_names[g->cc];

	if (hosts_are_remote(t))
		return complain(at, "group '%s': cc=%s: not with --to, both ends must be here",
				g->name, cc);
	if (g->pool || g->delack_off || g->demotions.n)
		return complain(at, "group '%s': %s is not for cc=%s", g->name, g->pool ?
				"conn=pool" : g->delack_off ? "delack=off" : "demote=", cc);
	return 0;
}

static int check_cbr(const struct place *at, struct group *g, u32 given)
{
	if (g->kind != KIND_LONG || g->size)
		return complain(at, "group '%s': cc=cbr is for kind=long with until=", g->name);
	if (!g->rate)
		return complain(at, "group '%s': cc=cbr needs rate=", g->name);
	if (!was_given(given, "burst"))
		g->burst = 1;
	if (g->pattern == PATTERN_CBR)
		return 0;
	if (!g->line)
		return complain(at, "group '%s': pattern=%s needs line=", g->name,
				pattern_choices[g->pattern]);
	if (g->rate > g->line || g->line / PATTERN_SPAN > g->rate)
		return complain(at, "group '%s': rate= must be line= / %d to line=", g->name,
				PATTERN_SPAN);
	return 0;
}

/* Check a group whose flows may use UDP, and derive DCQCN's constants from its keys. */
static int check_udp(const struct place *at, const struct traffic *t, struct group *g, u32 given)
{
	if (check_own_keys(at, g, given))
		return -1;
	if (g->kind == KIND_LONG && g->rate && hosts_are_remote(t))
		return complain(at, "group '%s': rate= of kind=long: not with --to", g->name);
	if (!cc_is_rated(g->cc))
		return 0;
	if (g->cc == CC_DCQCN && !g->line)
		return complain(at, "group '%s': cc=dcqcn needs line=", g->name);
	if (check_rated(at, t, g))
		return -1;
	if (g->cc == CC_CBR)
		return check_cbr(at, g, given);
	dcqcn_set_params(&g->dcqcn, g->rp, g->line);
	return 0;
}

static struct group *new_group(struct traffic *t, const struct place *at, const char *name)
{
	struct group *grown;
	size_t i;

	if (!name_is_valid(name)) {
		name_refuse(at, "group", name);
		return NULL;
	}
	for (i = 0; i < t->groups; i++) {
		if (!strcmp(t->group[i].name, name)) {
			complain(at, "group '%s' is given twice", name);
			return NULL;
		}
	}
	if (t->groups == GROUPS_MAX) {
		complain(at, "more than %d groups", GROUPS_MAX);
		return NULL;
	}
	grown = realloc(t->group, (t->groups + 1) * sizeof(*grown));
	if (!grown) {
		complain(at, "out of memory");
		return NULL;
	}
	t->group = grown;
	grown += t->groups++;
	memset(grown, 0, sizeof(*grown));
	memcpy(grown->name, name, strlen(name) + 1);
	for (i = 0; i < ARRAY_SIZE(keys); i++)
		if (keys[i].offset)
			*(u64 *)((char *)grown + keys[i].offset) = keys[i].standard;
	return grown;
}

int group_parse(struct traffic *t, const struct place *at, char *text)
{
	char *token, *value, *save = NULL, *name = strtok_r(text, " \t", &save);
	struct group *g;
	u32 given = 0;
	size_t i;

	if (!name)
		return complain(at, "group: the name is missing");
	g = new_group(t, at, name);
	if (!g)
		return -1;
	while ((token = strtok_r(NULL, " \t", &save))) {
		value = strchr(token, '=');
		if (!value)
			return complain(at, "group '%s': '%s' is not KEY=VALUE", name, token);
		*value++ = '\0';
		for (i = 0; i < ARRAY_SIZE(keys) && strcmp(keys[i].name, token); i++)
			;
		if (i == ARRAY_SIZE(keys))
			return complain(at, "group '%s': there is no key '%s'", name, token);
		if (given & 1U << i)
			return complain(at, "group '%s': %s= is given twice", name, token);
		given |= 1U << i;
		if (parse_key(t, at, g, &keys[i], value))
			return -1;
	}
	if (hosts_are_remote(t) && !g->senders.n &&
	    hosts_all(t, at, "senders", &g->senders, true))
		return -1;
	if (hosts_are_remote(t) && !g->receivers.n &&
	    hosts_all(t, at, "receivers", &g->receivers, false))
		return -1;
	if (check_group(at, g, given))
		return -1;
	if (g->cdf.n)
		cdf_cap(&g->cdf, g->largest);
	return check_udp(at, t, g, given);
}

/* Placeholder of a value that is neither a choice nor a number. */
static const char *text_form(const char *name)
{
	if (!strcmp(name, "cdf"))
		return "FILE";
	return strcmp(name, "demote") ? "HOSTS" : "BYTES:DSCP,...";
}

void traffic_print_keys(FILE *f)
{
	char range[64];
	size_t i, j;

	for (i = 0; i < ARRAY_SIZE(keys); i++) {
		const struct key *k = &keys[i];

		fprintf(f, "  %s=", k->name);
		for (j = 0; k->choices && k->choices[j]; j++)
			fprintf(f, "%s%s", j ? "|" : "", k->choices[j]);
		if (!k->choices && k->range.quantity != QUANTITY_TEXT)
			fprintf(f, "%s", format_range(&k->range, range, sizeof(range)));
		else if (!k->choices)
			fputs(text_form(k->name), f);
		fprintf(f, "\n      %s [%s%s%s%s]%s\n", k->help,
			k->kinds & P ? "P" : "", k->kinds & Q ? "Q" : "",
			k->kinds & L ? "L" : "", k->kinds & C ? "C" : "",
			k->required == k->kinds ? ", required" : "");
	}
}
