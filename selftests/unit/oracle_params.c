// SPDX-License-Identifier: GPL-2.0
/* What a request does to the settings in force, one rule at a time. */
#include "oracle_params.h"

#define GIVEN(words, id)		((words)->given[ECNSHARP_##id])
#define VALUE(words, id)	((words)->value[ECNSHARP_##id])
#define WRONG(id)		(1u << ECNSHARP_REFUSE_##id)

/**
 * oracle_say() - give a parameter a value
 * @words: written
 * @id: which parameter
 * @value: taken as it is
 */
void oracle_say(struct oracle_words *words, enum ecnsharp_param id,
		uint64_t value)
{
	words->given[id] = true;
	words->value[id] = value;
}

static void oracle_forget(struct oracle_words *words, enum ecnsharp_param id)
{
	words->given[id] = false;
	words->value[id] = 0;
}

/**
 * oracle_defaults() - what holds before anybody spoke
 * @words: written
 */
void oracle_defaults(struct oracle_words *words)
{
	*words = (struct oracle_words){ 0 };
	oracle_say(words, ECNSHARP_LIMIT, 10000);
	oracle_say(words, ECNSHARP_MEMORY_LIMIT, 33554432);
	oracle_say(words, ECNSHARP_INS_TARGET_NS, 200000);
	oracle_say(words, ECNSHARP_PST_TARGET_NS, 85000);
	oracle_say(words, ECNSHARP_PST_INTERVAL_NS, 200000);
	oracle_say(words, ECNSHARP_SIGNAL, 0);
	oracle_say(words, ECNSHARP_INSTANTANEOUS, 1);
	oracle_say(words, ECNSHARP_PERSISTENT, 1);
	oracle_say(words, ECNSHARP_NONECT, 0);
	oracle_say(words, ECNSHARP_SPLIT_GSO, 0);
	oracle_say(words, ECNSHARP_BYPASS, 0);
}

static bool oracle_says_target(const struct oracle_words *w)
{
	return GIVEN(w, INS_TARGET_NS) || GIVEN(w, PST_TARGET_NS) ||
	       GIVEN(w, PST_INTERVAL_NS);
}

static bool oracle_says_rtt(const struct oracle_words *w)
{
	return GIVEN(w, RTT_AVG_NS) || GIVEN(w, RTT_TAIL_NS);
}

static bool oracle_says_rule(const struct oracle_words *w)
{
	return oracle_says_rtt(w) || GIVEN(w, LAMBDA_PPM) || GIVEN(w, TRANSPORT);
}

static bool oracle_says_ramp(const struct oracle_words *w)
{
	return GIVEN(w, KMIN_NS) || GIVEN(w, KMAX_NS) || GIVEN(w, KMIN_BYTES) ||
	       GIVEN(w, KMAX_BYTES) || GIVEN(w, PMAX_PPM);
}

/* Millionths: reno 1, cubic 3/7, dctcp 0.17, 1 by default. */
static uint64_t oracle_lambda(const struct oracle_words *w)
{
	static const uint64_t by_transport[] = { 1000000, 1000000, 428571, 170000 };

	if (GIVEN(w, LAMBDA_PPM))
		return VALUE(w, LAMBDA_PPM);
	return by_transport[VALUE(w, TRANSPORT)];
}

static uint64_t oracle_ins_target(const struct oracle_words *w)
{
	return oracle_says_rtt(w) ?
	       horrible_rule_ins_target(oracle_lambda(w), VALUE(w, RTT_TAIL_NS)) :
	       VALUE(w, INS_TARGET_NS);
}

static uint64_t oracle_pst_target(const struct oracle_words *w)
{
	return oracle_says_rtt(w) ?
	       horrible_rule_pst_target(oracle_lambda(w), VALUE(w, RTT_AVG_NS)) :
	       VALUE(w, PST_TARGET_NS);
}

static uint64_t oracle_pst_interval(const struct oracle_words *w)
{
	return oracle_says_rtt(w) ?
	       horrible_rule_pst_interval(VALUE(w, RTT_TAIL_NS)) :
	       VALUE(w, PST_INTERVAL_NS);
}

/**
 * oracle_derived() - what follows from the RTTs and was not given
 * @words: settings in force
 * @derived: written; nothing if no RTTs were given
 */
void oracle_derived(const struct oracle_words *words,
		    struct oracle_words *derived)
{
	*derived = (struct oracle_words){ 0 };
	if (!oracle_says_rtt(words))
		return;
	if (!oracle_says_ramp(words))
		oracle_say(derived, ECNSHARP_INS_TARGET_NS,
			   oracle_ins_target(words));
	oracle_say(derived, ECNSHARP_PST_TARGET_NS, oracle_pst_target(words));
	oracle_say(derived, ECNSHARP_PST_INTERVAL_NS,
		   oracle_pst_interval(words));
	if (!GIVEN(words, LAMBDA_PPM))
		oracle_say(derived, ECNSHARP_LAMBDA_PPM, oracle_lambda(words));
}

/* One request may not say the same thing twice. */
static uint32_t oracle_contradictions(const struct oracle_words *r)
{
	uint32_t wrong = 0;

	if (oracle_says_target(r) && oracle_says_rule(r))
		wrong |= WRONG(TARGETS_AND_RULE);
	if (GIVEN(r, LAMBDA_PPM) && GIVEN(r, TRANSPORT))
		wrong |= WRONG(LAMBDA_AND_TRANSPORT);
	if (GIVEN(r, INS_TARGET_NS) && oracle_says_ramp(r))
		wrong |= WRONG(INS_TARGET_AND_RAMP);
	return wrong;
}

/* A target on top of the rule: what the rule had derived is now plain. */
static void oracle_end_rule(struct oracle_words *w)
{
	const struct oracle_words was = *w;

	if (!oracle_says_ramp(w))
		oracle_say(w, ECNSHARP_INS_TARGET_NS, oracle_ins_target(&was));
	oracle_say(w, ECNSHARP_PST_TARGET_NS, oracle_pst_target(&was));
	oracle_say(w, ECNSHARP_PST_INTERVAL_NS, oracle_pst_interval(&was));
	oracle_forget(w, ECNSHARP_RTT_AVG_NS);
	oracle_forget(w, ECNSHARP_RTT_TAIL_NS);
	oracle_forget(w, ECNSHARP_LAMBDA_PPM);
	oracle_forget(w, ECNSHARP_TRANSPORT);
}

static void oracle_end_ramp_ns(struct oracle_words *w)
{
	oracle_forget(w, ECNSHARP_KMIN_NS);
	oracle_forget(w, ECNSHARP_KMAX_NS);
}

static void oracle_end_ramp_bytes(struct oracle_words *w)
{
	oracle_forget(w, ECNSHARP_KMIN_BYTES);
	oracle_forget(w, ECNSHARP_KMAX_BYTES);
}

static void oracle_end_ramp(struct oracle_words *w)
{
	oracle_end_ramp_ns(w);
	oracle_end_ramp_bytes(w);
	oracle_forget(w, ECNSHARP_PMAX_PPM);
}

/* From one request to the next the last word holds. */
static void oracle_replace(struct oracle_words *w, const struct oracle_words *r)
{
	if (oracle_says_target(r) && oracle_says_rtt(w))
		oracle_end_rule(w);
	if (oracle_says_rule(r)) {
		oracle_forget(w, ECNSHARP_INS_TARGET_NS);
		oracle_forget(w, ECNSHARP_PST_TARGET_NS);
		oracle_forget(w, ECNSHARP_PST_INTERVAL_NS);
	}
	if (GIVEN(r, LAMBDA_PPM))
		oracle_forget(w, ECNSHARP_TRANSPORT);
	if (GIVEN(r, TRANSPORT))
		oracle_forget(w, ECNSHARP_LAMBDA_PPM);
	if (GIVEN(r, INS_TARGET_NS))
		oracle_end_ramp(w);
	if (oracle_says_rule(r) && !oracle_says_ramp(r))
		oracle_end_ramp(w);
	if (oracle_says_ramp(r))
		oracle_forget(w, ECNSHARP_INS_TARGET_NS);
	if (GIVEN(r, KMIN_NS) || GIVEN(r, KMAX_NS))
		oracle_end_ramp_bytes(w);
	if (GIVEN(r, KMIN_BYTES) || GIVEN(r, KMAX_BYTES))
		oracle_end_ramp_ns(w);
	if (GIVEN(r, SIGNAL) && VALUE(r, SIGNAL) == 0)
		oracle_forget(w, ECNSHARP_RATE_BPS);
}

static uint32_t oracle_wrong_rule(const struct oracle_words *w)
{
	uint32_t wrong = 0;

	if (!oracle_says_rule(w))
		return 0;
	if (!GIVEN(w, RTT_AVG_NS) || !GIVEN(w, RTT_TAIL_NS))
		return WRONG(RTT_INCOMPLETE);
	if (VALUE(w, RTT_AVG_NS) > VALUE(w, RTT_TAIL_NS))
		wrong |= WRONG(RTT_ORDER);
	if (oracle_ins_target(w) < 1 || oracle_ins_target(w) > 1000000000 ||
	    oracle_pst_target(w) < 1 || oracle_pst_target(w) > 1000000000)
		wrong |= WRONG(RULE_RANGE);
	return wrong;
}

static uint32_t oracle_wrong_ramp(const struct oracle_words *w)
{
	bool length = VALUE(w, SIGNAL) == 1;
	uint32_t wrong = 0;

	if (!oracle_says_ramp(w))
		return 0;
	if (length && (GIVEN(w, KMIN_NS) || GIVEN(w, KMAX_NS)))
		wrong |= WRONG(RAMP_WANTS_BYTES);
	if (!length && (GIVEN(w, KMIN_BYTES) || GIVEN(w, KMAX_BYTES)))
		wrong |= WRONG(RAMP_WANTS_TIME);
	if (!GIVEN(w, PMAX_PPM) ||
	    !(length ? GIVEN(w, KMIN_BYTES) : GIVEN(w, KMIN_NS)) ||
	    !(length ? GIVEN(w, KMAX_BYTES) : GIVEN(w, KMAX_NS)))
		wrong |= WRONG(RAMP_INCOMPLETE);
	if (VALUE(w, KMIN_NS) > VALUE(w, KMAX_NS) ||
	    VALUE(w, KMIN_BYTES) > VALUE(w, KMAX_BYTES))
		wrong |= WRONG(RAMP_ORDER);
	return wrong;
}

static uint32_t oracle_wrong(const struct oracle_words *w)
{
	bool length = VALUE(w, SIGNAL) == 1;
	uint32_t wrong = oracle_wrong_rule(w) | oracle_wrong_ramp(w);

	if (length && !GIVEN(w, RATE_BPS))
		wrong |= WRONG(RATE_MISSING);
	if (!length && GIVEN(w, RATE_BPS))
		wrong |= WRONG(RATE_EXTRA);
	if (!VALUE(w, INSTANTANEOUS) && !VALUE(w, PERSISTENT))
		wrong |= WRONG(BOTH_OFF);
	if (VALUE(w, BYPASS) && VALUE(w, SPLIT_GSO))
		wrong |= WRONG(BYPASS_AND_SPLIT);
	return wrong;
}

/**
 * horrible_request() - change settings by a request
 * @words: the settings in force; changed only if nothing is wrong
 * @request: parameters to set, every value within its range
 *
 * Return: all that is wrong, bit n for enum ecnsharp_refusal n; 0 if nothing.
 */
uint32_t horrible_request(struct oracle_words *words,
			  const struct oracle_words *request)
{
	struct oracle_words next = *words;
	uint32_t wrong;
	int id;

	wrong = oracle_contradictions(request);
	if (wrong)
		return wrong;
	oracle_replace(&next, request);
	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		if (request->given[id])
			oracle_say(&next, id, request->value[id]);
	wrong = oracle_wrong(&next);
	if (!wrong)
		*words = next;
	return wrong;
}

/**
 * horrible_config() - what settings mean to the algorithm's oracle
 * @words: settings in force
 * @config: written
 */
void horrible_config(const struct oracle_words *words,
		     struct oracle_config *config)
{
	bool length = VALUE(words, SIGNAL) == 1;

	config->ins_target = oracle_ins_target(words);
	config->pst_target = oracle_pst_target(words);
	config->pst_interval = oracle_pst_interval(words);
	config->persistent = VALUE(words, PERSISTENT);
	config->length = length;
	config->rate = VALUE(words, RATE_BPS);
	config->kmin = length ? VALUE(words, KMIN_BYTES) : VALUE(words, KMIN_NS);
	config->kmax = length ? VALUE(words, KMAX_BYTES) : VALUE(words, KMAX_NS);
	config->pmax_q32 = VALUE(words, PMAX_PPM) * 4294967296ULL / 1000000;
	config->instantaneous = ORACLE_INS_CUT_OFF;
	if (oracle_says_ramp(words))
		config->instantaneous = ORACLE_INS_RAMP;
	if (!VALUE(words, INSTANTANEOUS))
		config->instantaneous = ORACLE_INS_OFF;
}
