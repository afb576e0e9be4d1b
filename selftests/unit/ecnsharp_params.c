// SPDX-License-Identifier: GPL-2.0
/*
 * The parameters: their ranges, the rules by which they combine, and random
 * sequences of requests against the oracle.  -s sets the seed, -n the number
 * of random requests.
 */
#include <inttypes.h>
#include <string.h>

#include "options.h"
#include "pair.h"
#include "random.h"
#include "../lib/tap.h"

/* Ranges */

struct range {
	enum ecnsharp_param id;
	const char *name;
	u64 least;
	u64 most;
	u8 bits;
};

/* Given again by hand: a slip in the table of the algorithm must not pass itself. */
static const struct range ranges[] = {
	{ ECNSHARP_LIMIT, "limit", 1, 1000000, 32 },
	{ ECNSHARP_MEMORY_LIMIT, "memory_limit", 65536, 2147483647, 32 },
	{ ECNSHARP_INS_TARGET_NS, "ins_target", 1, 1000000000, 64 },
	{ ECNSHARP_PST_TARGET_NS, "pst_target", 1, 1000000000, 64 },
	{ ECNSHARP_PST_INTERVAL_NS, "pst_interval", 1000, 1000000000, 64 },
	{ ECNSHARP_RTT_AVG_NS, "rtt_avg", 1000, 1000000000, 64 },
	{ ECNSHARP_RTT_TAIL_NS, "rtt_tail", 1000, 1000000000, 64 },
	{ ECNSHARP_LAMBDA_PPM, "lambda", 1000, 10000000, 32 },
	{ ECNSHARP_TRANSPORT, "transport", 1, 3, 8 },
	{ ECNSHARP_SIGNAL, "signal", 0, 1, 8 },
	{ ECNSHARP_RATE_BPS, "rate", 1000, 100000000000000ULL, 64 },
	{ ECNSHARP_KMIN_NS, "kmin", 0, 1000000000, 64 },
	{ ECNSHARP_KMAX_NS, "kmax", 0, 1000000000, 64 },
	{ ECNSHARP_KMIN_BYTES, "kmin", 0, 2147483647, 32 },
	{ ECNSHARP_KMAX_BYTES, "kmax", 0, 2147483647, 32 },
	{ ECNSHARP_PMAX_PPM, "pmax", 1, 1000000, 32 },
	{ ECNSHARP_INSTANTANEOUS, "instantaneous", 0, 1, 8 },
	{ ECNSHARP_PERSISTENT, "persistent", 0, 1, 8 },
	{ ECNSHARP_NONECT, "nonect", 0, 1, 8 },
	{ ECNSHARP_SPLIT_GSO, "split_gso", 0, 1, 8 },
	{ ECNSHARP_BYPASS, "bypass", 0, 1, 8 },
};

#define NR_RANGES	(sizeof(ranges) / sizeof(ranges[0]))

static bool accepts(enum ecnsharp_param id, u64 value)
{
	struct ecnsharp_settings s = { 0 };

	return !ecnsharp_set(&s, id, value) && s.given == 1ULL << id &&
	       s.value[id] == value;
}

/* A refusal names the parameter and both ends, and leaves no trace. */
static bool refuses(const struct range *r, u64 value)
{
	const struct ecnsharp_settings before = { .given = 0 };
	struct ecnsharp_settings s = before;
	char least[32], most[32];
	const char *message;

	snprintf(least, sizeof(least), " %" PRIu64 " ", r->least);
	snprintf(most, sizeof(most), " %" PRIu64 " ", r->most);
	message = ecnsharp_set(&s, r->id, value);
	return message && !memcmp(&s, &before, sizeof(s)) &&
	       !strncmp(message, r->name, strlen(r->name)) &&
	       strstr(message, least) && strstr(message, most);
}

static void range_test(const struct range *r)
{
	const struct param_info *info = ecnsharp_param_info(r->id);

	tap_ok(!strcmp(info->name, r->name) && info->bits == r->bits &&
	       info->least == (s64)r->least && info->most == (s64)r->most,
	       "ecnsharp_param_info__%s_%" PRIu64 "_to_%" PRIu64, r->name,
	       r->least, r->most);
	tap_ok(r->bits == 64 || r->most < 1ULL << r->bits,
	       "ecnsharp_param_info__%s_fits_%u_bits", r->name, r->bits);
	tap_ok(accepts(r->id, r->least) && accepts(r->id, r->most),
	       "ecnsharp_set__%s_both_ends", r->name);
	tap_ok((r->least == 0 || refuses(r, r->least - 1)) &&
	       (r->least == 0 || refuses(r, 0)) &&
	       refuses(r, r->most + 1) && refuses(r, UINT64_MAX),
	       "ecnsharp_set__%s_just_outside", r->name);
}

static void ranges_test(void)
{
	u32 i;

	tap_ok(NR_RANGES == ECNSHARP_NR_PARAMS, "ecnsharp_param_info__all_known");
	for (i = 0; i < NR_RANGES; i++)
		range_test(&ranges[i]);
	tap_ok(!ecnsharp_param_info(ECNSHARP_NR_PARAMS) &&
	       !ecnsharp_param_info(UINT32_MAX), "ecnsharp_param_info__no_more");
}

/* Combinations */

/* { parameter, value }, ended by { 0, 0 }: no limit of 0 exists. */
struct setting {
	enum ecnsharp_param id;
	u64 value;
};

#define W(id, value)	{ ECNSHARP_##id, value }
#define NR_SETTINGS	7

#define TESTBED_RULE	W(RTT_AVG_NS, 137000), W(RTT_TAIL_NS, 220000)
#define RAMP_NS		W(KMIN_NS, 50000), W(KMAX_NS, 150000), W(PMAX_PPM, 100000)
#define RAMP_BYTES	W(KMIN_BYTES, 5000), W(KMAX_BYTES, 200000), W(PMAX_PPM, 10000)
#define LENGTH		W(SIGNAL, ECNSHARP_LENGTH), W(RATE_BPS, 10000000000ULL)

/**
 * struct combination - up to three requests, and what becomes of the last
 * @name: of the test
 * @request: to the defaults, one after the other; all but the last accepted
 * @why: what the last one is refused for
 */
struct combination {
	const char *name;
	struct setting request[3][NR_SETTINGS];
	enum ecnsharp_refusal why;
};

#define ROW(name, why, ...)	{ #name, { __VA_ARGS__ }, ECNSHARP_##why }

static const struct combination combinations[] = {
	ROW(targets_and_rtt, REFUSE_TARGETS_AND_RULE, { W(INS_TARGET_NS, 1), TESTBED_RULE }),
	ROW(pst_target_and_lambda, REFUSE_TARGETS_AND_RULE,
	    { TESTBED_RULE }, { W(PST_TARGET_NS, 1), W(LAMBDA_PPM, 1000000) }),
	ROW(pst_interval_and_transport, REFUSE_TARGETS_AND_RULE,
	    { TESTBED_RULE }, { W(PST_INTERVAL_NS, 1000), W(TRANSPORT, 1) }),
	ROW(lambda_and_transport, REFUSE_LAMBDA_AND_TRANSPORT,
	    { TESTBED_RULE, W(LAMBDA_PPM, 1000000), W(TRANSPORT, 1) }),
	ROW(ins_target_and_ramp, REFUSE_INS_TARGET_AND_RAMP, { W(INS_TARGET_NS, 200000), RAMP_NS }),
	ROW(ins_target_and_pmax, REFUSE_INS_TARGET_AND_RAMP,
	    { W(INS_TARGET_NS, 1), W(PMAX_PPM, 1) }),
	ROW(rtt_avg_alone, REFUSE_RTT_INCOMPLETE, { W(RTT_AVG_NS, 137000) }),
	ROW(rtt_tail_alone, REFUSE_RTT_INCOMPLETE, { W(RTT_TAIL_NS, 220000) }),
	ROW(lambda_alone, REFUSE_RTT_INCOMPLETE, { W(LAMBDA_PPM, 1000000) }),
	ROW(transport_alone, REFUSE_RTT_INCOMPLETE, { W(TRANSPORT, ECNSHARP_DCTCP) }),
	ROW(rtt_avg_above_tail, REFUSE_RTT_ORDER,
	    { W(RTT_AVG_NS, 220001), W(RTT_TAIL_NS, 220000) }),
	ROW(rtt_avg_above_old_tail, REFUSE_RTT_ORDER, { TESTBED_RULE }, { W(RTT_AVG_NS, 220001) }),
	ROW(rtt_avg_equals_tail, ACCEPTED, { W(RTT_AVG_NS, 220000), W(RTT_TAIL_NS, 220000) }),
	ROW(rule_too_large, REFUSE_RULE_RANGE,
	    { W(RTT_AVG_NS, 1000), W(RTT_TAIL_NS, 100000010), W(LAMBDA_PPM, 10000000) }),
	ROW(rule_largest, ACCEPTED,
	    { W(RTT_AVG_NS, 1000), W(RTT_TAIL_NS, 100000000), W(LAMBDA_PPM, 10000000) }),
	ROW(rule_smallest, ACCEPTED,
	    { W(RTT_AVG_NS, 1000), W(RTT_TAIL_NS, 1000), W(LAMBDA_PPM, 1000) }),
	ROW(lambda_makes_rule_too_large, REFUSE_RULE_RANGE,
	    { W(RTT_AVG_NS, 1000), W(RTT_TAIL_NS, 1000000000) }, { W(LAMBDA_PPM, 1000001) }),
	ROW(ramp_without_kmin, REFUSE_RAMP_INCOMPLETE, { W(KMAX_NS, 1), W(PMAX_PPM, 1) }),
	ROW(ramp_without_kmax, REFUSE_RAMP_INCOMPLETE, { W(KMIN_NS, 1), W(PMAX_PPM, 1) }),
	ROW(ramp_without_pmax, REFUSE_RAMP_INCOMPLETE, { W(KMIN_NS, 1), W(KMAX_NS, 1) }),
	ROW(pmax_alone, REFUSE_RAMP_INCOMPLETE, { W(PMAX_PPM, 1) }),
	ROW(pmax_of_a_ramp, ACCEPTED, { RAMP_NS }, { W(PMAX_PPM, 1) }),
	ROW(ramp_order, REFUSE_RAMP_ORDER,
	    { W(KMIN_NS, 150001), W(KMAX_NS, 150000), W(PMAX_PPM, 1) }),
	ROW(ramp_order_bytes, REFUSE_RAMP_ORDER,
	    { LENGTH, W(KMIN_BYTES, 5001), W(KMAX_BYTES, 5000), W(PMAX_PPM, 1) }),
	ROW(ramp_order_of_old_kmax, REFUSE_RAMP_ORDER, { RAMP_NS }, { W(KMIN_NS, 150001) }),
	ROW(ramp_kmin_equals_kmax, ACCEPTED, { RAMP_NS }, { W(KMIN_NS, 150000) }),
	ROW(sojourn_ramp_in_bytes, REFUSE_RAMP_WANTS_TIME, { RAMP_BYTES }),
	ROW(length_ramp_in_ns, REFUSE_RAMP_WANTS_BYTES, { LENGTH, RAMP_NS }),
	ROW(ramp_in_both, REFUSE_RAMP_WANTS_TIME,
	    { RAMP_NS, W(KMIN_BYTES, 5000), W(KMAX_BYTES, 200000) }),
	ROW(length_with_old_ramp_in_ns, REFUSE_RAMP_WANTS_BYTES, { RAMP_NS }, { LENGTH }),
	ROW(sojourn_with_old_ramp_in_bytes, REFUSE_RAMP_WANTS_TIME,
	    { LENGTH, RAMP_BYTES }, { W(SIGNAL, ECNSHARP_SOJOURN) }),
	ROW(length_and_ramp_in_bytes, ACCEPTED, { RAMP_NS }, { LENGTH, RAMP_BYTES }),
	ROW(sojourn_and_ramp_in_ns, ACCEPTED,
	    { LENGTH, RAMP_BYTES }, { W(SIGNAL, ECNSHARP_SOJOURN), RAMP_NS }),
	ROW(length_without_rate, REFUSE_RATE_MISSING, { W(SIGNAL, ECNSHARP_LENGTH) }),
	ROW(rate_without_length, REFUSE_RATE_EXTRA, { W(RATE_BPS, 1000) }),
	ROW(rate_with_sojourn, REFUSE_RATE_EXTRA,
	    { W(SIGNAL, ECNSHARP_SOJOURN), W(RATE_BPS, 1000) }),
	ROW(rate_of_length, ACCEPTED, { LENGTH }, { W(RATE_BPS, 1000) }),
	ROW(back_to_sojourn, ACCEPTED, { LENGTH }, { W(SIGNAL, ECNSHARP_SOJOURN) }),
	ROW(rate_is_forgotten, REFUSE_RATE_MISSING,
	    { LENGTH }, { W(SIGNAL, ECNSHARP_SOJOURN) }, { W(SIGNAL, ECNSHARP_LENGTH) }),
	ROW(both_off, REFUSE_BOTH_OFF, { W(INSTANTANEOUS, 0), W(PERSISTENT, 0) }),
	ROW(second_off, REFUSE_BOTH_OFF, { W(INSTANTANEOUS, 0) }, { W(PERSISTENT, 0) }),
	ROW(bypass_and_split, REFUSE_BYPASS_AND_SPLIT, { W(BYPASS, 1), W(SPLIT_GSO, 1) }),
	ROW(bypass_while_split, REFUSE_BYPASS_AND_SPLIT, { W(SPLIT_GSO, 1) }, { W(BYPASS, 1) }),
	ROW(split_while_bypass, REFUSE_BYPASS_AND_SPLIT, { W(BYPASS, 1) }, { W(SPLIT_GSO, 1) }),
	ROW(bypass_in_place_of_split, ACCEPTED,
	    { W(SPLIT_GSO, 1) }, { W(BYPASS, 1), W(SPLIT_GSO, 0) }),
	ROW(bypass_on, ACCEPTED, { W(BYPASS, 1) }),
	ROW(instantaneous_off, ACCEPTED, { W(INSTANTANEOUS, 0) }),
	ROW(persistent_off, ACCEPTED, { W(PERSISTENT, 0) }),
	ROW(the_other_off, ACCEPTED,
	    { W(PERSISTENT, 0) }, { W(INSTANTANEOUS, 0), W(PERSISTENT, 1) }),
	ROW(ramp_then_pst_target, ACCEPTED, { RAMP_NS }, { W(PST_TARGET_NS, 1) }),
	ROW(rule_then_ramp_then_pst_target, ACCEPTED,
	    { TESTBED_RULE }, { RAMP_NS }, { W(PST_TARGET_NS, 1) }),
};

#define NR_COMBINATIONS	(sizeof(combinations) / sizeof(combinations[0]))

static struct pair_request make_request(const struct setting *setting)
{
	struct pair_request r = { 0 };

	for (; r.length < NR_SETTINGS && (setting->id || setting->value); setting++) {
		r.id[r.length] = setting->id;
		r.value[r.length++] = setting->value;
	}
	return r;
}

static enum ecnsharp_refusal ask(struct ecnsharp_settings *s,
				 const struct pair_request *r)
{
	struct ecnsharp_settings req = { 0 };
	u32 i;

	for (i = 0; i < r->length; i++)
		if (ecnsharp_set(&req, r->id[i], r->value[i]))
			return ECNSHARP_NR_REFUSALS;
	return ecnsharp_settings_apply(s, &req);
}

/* Tried twice, with the algorithm alone and with the pair, which compares the outcome. */
static void combination_test(const struct combination *c)
{
	enum ecnsharp_refusal why = ECNSHARP_ACCEPTED;
	struct ecnsharp_settings s, before;
	struct pair_request r;
	bool agree = true;
	struct pair pair;
	u32 i;

	pair_start(&pair);
	ecnsharp_settings_default(&s);
	for (i = 0; i < 3 && !why && agree; i++) {
		r = make_request(c->request[i]);
		if (!r.length)
			break;
		before = s;
		why = ask(&s, &r);
		agree = pair_request(&pair, &r);
	}
	if (!tap_ok(why == c->why && agree &&
		    (i == 3 || !make_request(c->request[i]).length) &&
		    (!why || !memcmp(&s, &before, sizeof(s))),
		    "ecnsharp_settings_apply__%s", c->name))
		tap_remark("refusal %u, should be %u; %s", why, c->why, pair.trouble);
}

static void combinations_test(void)
{
	u32 covered = 0, i;

	for (i = 0; i < NR_COMBINATIONS; i++) {
		combination_test(&combinations[i]);
		covered |= 1u << combinations[i].why;
	}
	tap_ok(covered == (1u << ECNSHARP_NR_REFUSALS) - 1,
	       "ecnsharp_settings_apply__every_refusal_and_acceptance");
}

static void refusal_texts_test(void)
{
	bool good = !ecnsharp_refusal_text(ECNSHARP_ACCEPTED) &&
		    !ecnsharp_refusal_text(ECNSHARP_NR_REFUSALS);
	const char *a, *b;
	u32 i, j;

	for (i = 1; i < ECNSHARP_NR_REFUSALS; i++) {
		a = ecnsharp_refusal_text(i);
		good = good && a && *a;
		for (j = 1; j < i && good; j++) {
			b = ecnsharp_refusal_text(j);
			good = strcmp(a, b);
		}
	}
	tap_ok(good, "ecnsharp_refusal_text__one_each");
}

/* Input of the algorithm */

/**
 * struct outcome - what becomes of requests
 * @name: of the test
 * @request: to the defaults, one after the other, all accepted
 * @want: what the algorithm must read in the end
 */
struct outcome {
	const char *name;
	struct setting request[3][NR_SETTINGS];
	struct ecnsharp_params want;
};

#define TARGETS(ins, pst, interval)					       \
	.ins_target_ns = (ins), .pst_target_ns = (pst),			       \
	.pst_interval_ns = (interval)
#define STEP		.ins = ECNSHARP_INS_STEP
#define RAMP(lo, hi, p)	.ins = ECNSHARP_INS_RAMP, .kmin = (lo), .kmax = (hi),  \
			.pmax_q32 = (p)
#define ON		.persistent = true

static const struct outcome outcomes[] = {
	{ "default", { { { 0, 0 } } }, { TARGETS(200000, 85000, 200000), STEP, ON } },
	{ "targets", { { W(INS_TARGET_NS, 1), W(PST_TARGET_NS, 2),
			 W(PST_INTERVAL_NS, 1003) } },
	  { TARGETS(1, 2, 1003), STEP, ON } },
	{ "rule_lambda_1_by_default", { { TESTBED_RULE } },
	  { TARGETS(220000, 137000, 220000), STEP, ON } },
	{ "rule_reno", { { TESTBED_RULE, W(TRANSPORT, ECNSHARP_RENO) } },
	  { TARGETS(220000, 137000, 220000), STEP, ON } },
	{ "rule_cubic", { { TESTBED_RULE, W(TRANSPORT, ECNSHARP_CUBIC) } },
	  { TARGETS(94285, 58714, 220000), STEP, ON } },
	{ "rule_dctcp", { { TESTBED_RULE, W(TRANSPORT, ECNSHARP_DCTCP) } },
	  { TARGETS(37400, 23290, 220000), STEP, ON } },
	{ "rule_lambda", { { TESTBED_RULE, W(LAMBDA_PPM, 500001) } },
	  { TARGETS(110000, 68500, 220000), STEP, ON } },
	{ "rule_rtt_changes", { { TESTBED_RULE, W(LAMBDA_PPM, 500000) },
				{ W(RTT_AVG_NS, 100000) } },
	  { TARGETS(110000, 50000, 220000), STEP, ON } },
	{ "transport_replaces_lambda", { { TESTBED_RULE, W(LAMBDA_PPM, 500000) },
					 { W(TRANSPORT, ECNSHARP_DCTCP) } },
	  { TARGETS(37400, 23290, 220000), STEP, ON } },
	{ "lambda_replaces_transport", { { TESTBED_RULE, W(TRANSPORT, ECNSHARP_DCTCP) },
					 { W(LAMBDA_PPM, 500000) } },
	  { TARGETS(110000, 68500, 220000), STEP, ON } },
	{ "a_target_keeps_derived_ones",
	  { { TESTBED_RULE, W(TRANSPORT, ECNSHARP_DCTCP) },
	    { W(PST_TARGET_NS, 20000) } },
	  { TARGETS(37400, 20000, 220000), STEP, ON } },
	{ "ramp_ns", { { RAMP_NS } },
	  { .pst_target_ns = 85000, .pst_interval_ns = 200000,
	    RAMP(50000, 150000, 429496729), ON } },
	{ "ramp_bytes", { { LENGTH, RAMP_BYTES } },
	  { .pst_target_ns = 85000, .pst_interval_ns = 200000, .length = true,
	    .rate_bps = 10000000000ULL, RAMP(5000, 200000, 42949672), ON } },
	{ "ramp_pmax_1", { { RAMP_NS }, { W(PMAX_PPM, 1000000) } },
	  { .pst_target_ns = 85000, .pst_interval_ns = 200000,
	    RAMP(50000, 150000, 4294967296ULL), ON } },
	{ "ins_target_replaces_ramp", { { RAMP_NS }, { W(INS_TARGET_NS, 7) } },
	  { TARGETS(7, 85000, 200000), STEP, ON } },
	{ "rule_replaces_ramp", { { RAMP_NS }, { TESTBED_RULE } },
	  { TARGETS(220000, 137000, 220000), STEP, ON } },
	{ "rule_replaces_ramp_in_bytes",
	  { { LENGTH, RAMP_BYTES }, { TESTBED_RULE } },
	  { TARGETS(220000, 137000, 220000), STEP, ON, .length = true,
	    .rate_bps = 10000000000ULL } },
	{ "rtt_avg_replaces_ramp",
	  { { TESTBED_RULE }, { RAMP_NS }, { W(RTT_AVG_NS, 100000) } },
	  { TARGETS(220000, 100000, 220000), STEP, ON } },
	{ "lambda_replaces_ramp",
	  { { TESTBED_RULE }, { RAMP_NS }, { W(LAMBDA_PPM, 500000) } },
	  { TARGETS(110000, 68500, 220000), STEP, ON } },
	{ "rule_beside_ramp", { { TESTBED_RULE, RAMP_NS } },
	  { TARGETS(220000, 137000, 220000), RAMP(50000, 150000, 429496729), ON } },
	{ "rule_beside_pmax_keeps_ramp",
	  { { RAMP_NS }, { TESTBED_RULE, W(PMAX_PPM, 1000000) } },
	  { TARGETS(220000, 137000, 220000),
	    RAMP(50000, 150000, 4294967296ULL), ON } },
	{ "pst_target_keeps_ramp", { { RAMP_NS }, { W(PST_TARGET_NS, 7) } },
	  { .pst_target_ns = 7, .pst_interval_ns = 200000,
	    RAMP(50000, 150000, 429496729), ON } },
	{ "length", { { LENGTH } },
	  { TARGETS(200000, 85000, 200000), STEP, ON, .length = true,
	    .rate_bps = 10000000000ULL } },
	{ "sojourn_again", { { LENGTH }, { W(SIGNAL, ECNSHARP_SOJOURN) } },
	  { TARGETS(200000, 85000, 200000), STEP, ON } },
	{ "instantaneous_off", { { W(INSTANTANEOUS, 0) } },
	  { TARGETS(200000, 85000, 200000), .ins = ECNSHARP_INS_OFF, ON } },
	{ "instantaneous_off_over_ramp", { { RAMP_NS }, { W(INSTANTANEOUS, 0) } },
	  { .pst_target_ns = 85000, .pst_interval_ns = 200000, .kmin = 50000,
	    .kmax = 150000, .pmax_q32 = 429496729,
	    .ins = ECNSHARP_INS_OFF, ON } },
	{ "persistent_off", { { W(PERSISTENT, 0) } },
	  { TARGETS(200000, 85000, 200000), STEP } },
};

#define NR_OUTCOMES	(sizeof(outcomes) / sizeof(outcomes[0]))

static bool same_params(const struct ecnsharp_params *a,
			const struct ecnsharp_params *b)
{
	return a->ins_target_ns == b->ins_target_ns &&
	       a->pst_target_ns == b->pst_target_ns &&
	       a->pst_interval_ns == b->pst_interval_ns &&
	       a->kmin == b->kmin && a->kmax == b->kmax &&
	       a->pmax_q32 == b->pmax_q32 && a->rate_bps == b->rate_bps &&
	       a->ins == b->ins && a->length == b->length &&
	       a->persistent == b->persistent;
}

static void outcome_test(const struct outcome *o)
{
	struct ecnsharp_settings s;
	struct ecnsharp_params p;
	struct pair_request r;
	bool accepted = true;
	u32 i;

	ecnsharp_settings_default(&s);
	for (i = 0; i < 3; i++) {
		r = make_request(o->request[i]);
		accepted = accepted && !ask(&s, &r);
	}
	ecnsharp_params_make(&s, &p);
	tap_ok(accepted && same_params(&p, &o->want), "ecnsharp_params_make__%s",
	       o->name);
	tap_ok(ecnsharp_wants_random(&p) == (o->want.ins == ECNSHARP_INS_RAMP),
	       "ecnsharp_wants_random__%s", o->name);
}

static void outcomes_test(void)
{
	u32 i;

	for (i = 0; i < NR_OUTCOMES; i++)
		outcome_test(&outcomes[i]);
}

/* Values that show adds */

/**
 * struct derivation - what is shown that nobody gave
 * @name: of the test
 * @request: to the defaults, accepted
 * @want: derived, and nothing else
 */
struct derivation {
	const char *name;
	struct setting request[NR_SETTINGS];
	struct setting want[NR_SETTINGS];
};

static const struct derivation derivations[] = {
	{ "nothing_without_rtts", { W(PST_TARGET_NS, 1) }, { { 0, 0 } } },
	{ "lambda_by_default", { TESTBED_RULE },
	  { W(INS_TARGET_NS, 220000), W(PST_TARGET_NS, 137000),
	    W(PST_INTERVAL_NS, 220000), W(LAMBDA_PPM, 1000000) } },
	{ "lambda_of_a_transport", { TESTBED_RULE, W(TRANSPORT, ECNSHARP_CUBIC) },
	  { W(INS_TARGET_NS, 94285), W(PST_TARGET_NS, 58714),
	    W(PST_INTERVAL_NS, 220000), W(LAMBDA_PPM, 428571) } },
	{ "no_lambda_that_was_given", { TESTBED_RULE, W(LAMBDA_PPM, 1000000) },
	  { W(INS_TARGET_NS, 220000), W(PST_TARGET_NS, 137000),
	    W(PST_INTERVAL_NS, 220000) } },
	{ "no_ins_target_under_a_ramp", { TESTBED_RULE, RAMP_NS },
	  { W(PST_TARGET_NS, 137000), W(PST_INTERVAL_NS, 220000),
	    W(LAMBDA_PPM, 1000000) } },
};

#define NR_DERIVATIONS	(sizeof(derivations) / sizeof(derivations[0]))

static void derivation_test(const struct derivation *d)
{
	struct pair_request request = make_request(d->request);
	struct pair_request want = make_request(d->want);
	struct ecnsharp_settings s, derived, all = { 0 };
	u32 i;

	for (i = 0; i < want.length; i++)
		ecnsharp_set(&all, want.id[i], want.value[i]);
	ecnsharp_settings_default(&s);
	tap_ok(!ask(&s, &request) &&
	       (ecnsharp_settings_derived(&s, &derived), true) &&
	       !memcmp(&derived, &all, sizeof(all)),
	       "ecnsharp_settings_derived__%s", d->name);
}

static void derivations_test(void)
{
	u32 i;

	for (i = 0; i < NR_DERIVATIONS; i++)
		derivation_test(&derivations[i]);
}

/* Random requests, one on top of the other */

static u64 random_value(u64 *seed, const struct param_info *info)
{
	u64 span = info->most - info->least + 1;

	switch (random_below(seed, 16)) {
	case 0:
		return info->least;
	case 1:
		return info->most;
	case 2:
		return info->most + 1;
	case 3:
		return info->least - 1;
	case 4:
		return random_scale(seed);
	case 5 ... 9:
		return info->least + random_below(seed, span);
	default:
		return info->least + random_scale(seed) % span;
	}
}

/* Mostly neighbours in the table, which are the ones that belong together. */
static void random_request(u64 *seed, struct pair_request *r)
{
	u32 id = random_below(seed, ECNSHARP_NR_PARAMS);

	r->length = 0;
	do {
		r->id[r->length] = id;
		r->value[r->length] = random_value(seed, ecnsharp_param_info(id));
		r->length++;
		id = (id + 1 + (random_below(seed, 4) ? 0 :
		      random_below(seed, ECNSHARP_NR_PARAMS))) % ECNSHARP_NR_PARAMS;
	} while (r->length < 8 && random_below(seed, 3));
}

static void random_test(u64 seed, unsigned long requests)
{
	struct ecnsharp_settings before;
	struct pair_request request;
	unsigned long i, changed = 0;
	struct pair pair;
	bool agree = true;

	pair_start(&pair);
	for (i = 0; i < requests && agree; i++) {
		if (random_below(&seed, 64) == 0)
			pair_start(&pair);
		random_request(&seed, &request);
		before = pair.settings;
		agree = pair_request(&pair, &request);
		changed += !!memcmp(&before, &pair.settings, sizeof(before));
	}
	if (!tap_ok(agree, "ecnsharp_settings_apply__agrees_with_the_oracle"))
		tap_remark("request %lu: %s", i, pair.trouble);
	if (!tap_ok(!agree || changed > requests / 20,
		    "input__is_not_always_refused"))
		tap_remark("%lu of %lu requests changed anything", changed, requests);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 300000, "requests");

	ranges_test();
	combinations_test();
	refusal_texts_test();
	outcomes_test();
	derivations_test();
	random_test(o.seed, o.n);
	return tap_done();
}
