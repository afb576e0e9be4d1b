// SPDX-License-Identifier: GPL-2.0
/* The algorithm and its oracle side by side. */
#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "pair.h"

static bool __attribute__((format(printf, 2, 3)))
pair_trouble(struct pair *pair, const char *text, ...)
{
	va_list args;

	va_start(args, text);
	vsnprintf(pair->trouble, sizeof(pair->trouble), text, args);
	va_end(args);
	return false;
}

/**
 * pair_start() - both as they are when nothing has happened yet
 * @pair: written
 */
void pair_start(struct pair *pair)
{
	memset(pair, 0, sizeof(*pair));
	ecnsharp_settings_default(&pair->settings);
	ecnsharp_params_make(&pair->settings, &pair->params);
	oracle_defaults(&pair->expected);
	horrible_config(&pair->expected, &pair->config);
}

/* Are these the same settings? */
static bool pair_agrees(struct pair *pair, const char *what,
			const struct ecnsharp_settings *s,
			const struct oracle_params *expected)
{
	int id;

	for (id = 0; id < ECNSHARP_NR_PARAMS; id++) {
		if ((s->given >> id & 1) != expected->given[id])
			return pair_trouble(pair, "%s is %s for one only",
					    ecnsharp_param_info(id)->name,
					    what);
		if (s->value[id] != expected->value[id])
			return pair_trouble(pair, "%s is %s as %" PRIu64
					    ", should be %" PRIu64,
					    ecnsharp_param_info(id)->name, what,
					    s->value[id], expected->value[id]);
	}
	return true;
}

/* Do both remember and show the same? */
static bool pair_settings_agree(struct pair *pair)
{
	struct ecnsharp_settings derived;
	struct oracle_params expected;

	ecnsharp_settings_derived(&pair->settings, &derived);
	oracle_derived(&pair->expected, &expected);
	return pair_agrees(pair, "given", &pair->settings, &pair->expected) &&
	       pair_agrees(pair, "derived", &derived, &expected);
}

/* The output of show, given to a new instance, must make the same algorithm. */
static bool pair_can_be_pasted(struct pair *pair)
{
	struct ecnsharp_settings again;
	struct ecnsharp_params params;
	enum ecnsharp_refusal why;

	ecnsharp_settings_default(&again);
	why = ecnsharp_settings_apply(&again, &pair->settings);
	if (why)
		return pair_trouble(pair, "settings refused when pasted: %s",
				    ecnsharp_refusal_text(why));
	memset(&params, 0, sizeof(params));
	ecnsharp_params_make(&again, &params);
	if (again.given != pair->settings.given ||
	    memcmp(again.value, pair->settings.value, sizeof(again.value)) ||
	    memcmp(&params, &pair->params, sizeof(params)))
		return pair_trouble(pair, "settings differ when pasted");
	return true;
}

/* Fill both requests; values out of range must be refused, and stay out. */
static bool pair_fill(struct pair *pair, const struct pair_request *request,
		      struct ecnsharp_settings *req, struct oracle_params *expected)
{
	const struct param_info *info;
	struct ecnsharp_settings before;
	const char *refusal;
	unsigned int i;
	bool in_range;

	memset(req, 0, sizeof(*req));
	memset(expected, 0, sizeof(*expected));
	for (i = 0; i < request->length; i++) {
		info = ecnsharp_param_info(request->id[i]);
		in_range = (s64)request->value[i] >= info->least &&
			   (s64)request->value[i] <= info->most;
		before = *req;
		refusal = ecnsharp_set(req, request->id[i], request->value[i]);
		if (in_range == !!refusal)
			return pair_trouble(pair, "%s %" PRIu64 " %s", info->name,
					    request->value[i],
					    refusal ? "refused" : "accepted");
		if (in_range)
			oracle_set(expected, request->id[i], request->value[i]);
		else if (memcmp(&before, req, sizeof(before)))
			return pair_trouble(pair, "refused %s left a trace",
					    info->name);
	}
	return true;
}

/**
 * pair_request() - ask both for a change
 * @pair: both
 * @request: what for; parameters out of their range are left out
 *
 * Return: true if both did the same; otherwise @pair->trouble says what not.
 */
bool pair_request(struct pair *pair, const struct pair_request *request)
{
	const struct ecnsharp_settings before = pair->settings;
	struct ecnsharp_settings req;
	struct oracle_params expected;
	enum ecnsharp_refusal why;
	uint32_t wrong;

	if (!pair_fill(pair, request, &req, &expected))
		return false;
	why = ecnsharp_settings_apply(&pair->settings, &req);
	wrong = horrible_request(&pair->expected, &expected);
	if (!why != !wrong || (why && !(wrong >> why & 1)))
		return pair_trouble(pair, "refusal %u (%s), should be of 0x%x", why,
				    why ? ecnsharp_refusal_text(why) : "none",
				    wrong);
	if (why)
		return memcmp(&before, &pair->settings, sizeof(before)) ?
		       pair_trouble(pair, "a refused request changed something") :
		       true;

	memset(&pair->params, 0, sizeof(pair->params));
	ecnsharp_params_make(&pair->settings, &pair->params);
	horrible_config(&pair->expected, &pair->config);
	if (ecnsharp_wants_random(&pair->params) !=
	    (pair->config.instantaneous == ORACLE_INS_RAMP))
		return pair_trouble(pair, "wants_random");
	return pair_settings_agree(pair) && pair_can_be_pasted(pair);
}

static bool pair_states_agree(struct pair *pair)
{
	const struct ecnsharp_vars *v = &pair->vars;
	const struct oracle_state *o = &pair->state;
	uint64_t count = o->marking_state ? o->marking_count : 0;

	if (v->is_above != o->above)
		return pair_trouble(pair, "is_above %d", v->is_above);
	if (o->above && v->first_above_ns != o->first_above_time)
		return pair_trouble(pair, "first_above_ns %" PRIu64 ", should be %" PRIu64,
				    v->first_above_ns, o->first_above_time);
	if (v->marking != o->marking_state)
		return pair_trouble(pair, "marking %d", v->marking);
	if (v->count != (count > UINT32_MAX ? UINT32_MAX : count))
		return pair_trouble(pair, "count %u, should be %" PRIu64, v->count,
				    count);
	if (v->marking && v->next_ns != o->marking_next)
		return pair_trouble(pair, "next_ns %" PRIu64 ", should be %" PRIu64,
				    v->next_ns, o->marking_next);
	if (v->marking && !v->is_above)
		return pair_trouble(pair, "an episode below the target");
	if (pair->stats.pst_episodes != pair->episodes)
		return pair_trouble(pair, "pst_episodes %" PRIu64 ", should be %" PRIu64,
				    pair->stats.pst_episodes, pair->episodes);
	if (pair->stats.pst_saturated != pair->saturated)
		return pair_trouble(pair, "pst_saturated %" PRIu64 ", should be %" PRIu64,
				    pair->stats.pst_saturated, pair->saturated);
	return true;
}

/**
 * pair_dequeue() - show both the same packet
 * @pair: both
 * @pkt: the packet; @pkt->backlog below 2^32
 *
 * Return: true if both agree; otherwise @pair->trouble says what not.
 */
bool pair_dequeue(struct pair *pair, const struct oracle_packet *pkt)
{
	const struct ecnsharp_sample x = {
		.now_ns = pkt->now,
		.sojourn_ns = pkt->sojourn,
		.backlog_bytes = pkt->backlog,
		.random = pkt->random,
	};
	bool calm = ecnsharp_is_calm(&pair->params, &pair->vars,
				     ecnsharp_level_ns(&pair->params, &x));
	const struct ecnsharp_stats stats_was = pair->stats;
	const struct ecnsharp_vars vars_was = pair->vars;
	bool was_marking = pair->state.marking_state;
	enum ecnsharp_verdict verdict;
	struct oracle_verdict want;

	verdict = ecnsharp_on_dequeue(&pair->params, &pair->vars, &pair->stats, &x);
	want = horrible_ecnsharp(&pair->config, &pair->state, pkt);
	if (want.persistent && !was_marking)
		pair->episodes++;
	if (want.persistent && was_marking && pkt->now > pair->state.marking_next)
		pair->saturated++;
	if (verdict != (want.instantaneous ? 1u : 0u) + (want.persistent ? 2u : 0u))
		return pair_trouble(pair, "verdict %u at %" PRIu64
				    " ns, should be instantaneous %d, persistent %d",
				    verdict, pkt->now, want.instantaneous,
				    want.persistent);
	if (calm && (verdict || memcmp(&vars_was, &pair->vars, sizeof(vars_was)) ||
		     memcmp(&stats_was, &pair->stats, sizeof(stats_was))))
		return pair_trouble(pair, "verdict %u or another state of a packet that is calm",
				    verdict);
	pair->calm += calm;
	pair->marks[verdict]++;
	return pair_states_agree(pair);
}
