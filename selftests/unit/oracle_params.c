// SPDX-License-Identifier: GPL-2.0
/* Effect of a request on the settings in force, one rule at a time. */
#include "oracle_params.h"

#define GIVEN(params, id)		((params)->given[ECNSHARP_##id])
#define VALUE(params, id)	((params)->value[ECNSHARP_##id])
#define WRONG(id)		(1u << ECNSHARP_REFUSE_##id)

/**
 * oracle_give() - give a parameter a value
 * @params: written
 * @id: which parameter
 * @value: taken as it is
 */
void oracle_set(struct oracle_params *params, enum ecnsharp_param id,
		uint64_t value)
{
	params->given[id] = true;
	params->value[id] = value;
}

static void oracle_forget(struct oracle_params *params, enum ecnsharp_param id)
{
	params->given[id] = false;
	params->value[id] = 0;
}

/**
 * oracle_defaults() - what holds before anybody spoke
 * @params: written
 */
void oracle_defaults(struct oracle_params *params)
{
	*params = (struct oracle_params){ 0 };
	oracle_set(params, ECNSHARP_LIMIT, 10000);
	oracle_set(params, ECNSHARP_MEMORY_LIMIT, 33554432);
	oracle_set(params, ECNSHARP_INS_TARGET_NS, 200000);
	oracle_set(params, ECNSHARP_PST_TARGET_NS, 85000);
	oracle_set(params, ECNSHARP_PST_INTERVAL_NS, 200000);
	oracle_set(params, ECNSHARP_SIGNAL, 0);
	oracle_set(params, ECNSHARP_INSTANTANEOUS, 1);
	oracle_set(params, ECNSHARP_PERSISTENT, 1);
	oracle_set(params, ECNSHARP_NONECT, 0);
	oracle_set(params, ECNSHARP_SPLIT_GSO, 0);
	oracle_set(params, ECNSHARP_BYPASS, 0);
}

static bool oracle_has_target(const struct oracle_params *w)
{
	return GIVEN(w, INS_TARGET_NS) || GIVEN(w, PST_TARGET_NS) ||
	       GIVEN(w, PST_INTERVAL_NS);
}

static bool oracle_has_rtt(const struct oracle_params *w)
{
	return GIVEN(w, RTT_AVG_NS) || GIVEN(w, RTT_TAIL_NS);
}

static bool oracle_has_rule(const struct oracle_params *w)
{
	return oracle_has_rtt(w) || GIVEN(w, LAMBDA_PPM) || GIVEN(w, TRANSPORT);
}

static bool oracle_has_ramp(const struct oracle_params *w)
{
	return GIVEN(w, KMIN_NS) || GIVEN(w, KMAX_NS) || GIVEN(w, KMIN_BYTES) ||
	       GIVEN(w, KMAX_BYTES) || GIVEN(w, PMAX_PPM);
}

/* Millionths: reno 1, cubic 3/7, dctcp 0.17, 1 by default. */
static uint64_t oracle_lambda(const struct oracle_params *w)
{
	static const uint64_t by_transport[] = { 1000000, 1000000, 428571, 170000 };

	if (GIVEN(w, LAMBDA_PPM))
		return VALUE(w, LAMBDA_PPM);
	return by_transport[VALUE(w, TRANSPORT)];
}

static uint64_t oracle_ins_target(const struct oracle_params *w)
{
	return oracle_has_rtt(w) ?
	       horrible_rule_ins_target(oracle_lambda(w), VALUE(w, RTT_TAIL_NS)) :
	       VALUE(w, INS_TARGET_NS);
}

static uint64_t oracle_pst_target(const struct oracle_params *w)
{
	return oracle_has_rtt(w) ?
	       horrible_rule_pst_target(oracle_lambda(w), VALUE(w, RTT_AVG_NS)) :
	       VALUE(w, PST_TARGET_NS);
}

static uint64_t oracle_pst_interval(const struct oracle_params *w)
{
	return oracle_has_rtt(w) ?
	       horrible_rule_pst_interval(VALUE(w, RTT_TAIL_NS)) :
	       VALUE(w, PST_INTERVAL_NS);
}

/**
 * oracle_derived() - what follows from the RTTs and was not given
 * @params: settings in force
 * @derived: written; nothing if no RTTs were given
 */
void oracle_derived(const struct oracle_params *params,
		    struct oracle_params *derived)
{
	*derived = (struct oracle_params){ 0 };
	if (!oracle_has_rtt(params))
		return;
	if (!oracle_has_ramp(params))
		oracle_set(derived, ECNSHARP_INS_TARGET_NS,
			   oracle_ins_target(params));
	oracle_set(derived, ECNSHARP_PST_TARGET_NS, oracle_pst_target(params));
	oracle_set(derived, ECNSHARP_PST_INTERVAL_NS,
		   oracle_pst_interval(params));
	if (!GIVEN(params, LAMBDA_PPM))
		oracle_set(derived, ECNSHARP_LAMBDA_PPM, oracle_lambda(params));
}

/* One request may not say the same thing twice. */
static uint32_t oracle_contradictions(const struct oracle_params *r)
{
	uint32_t wrong = 0;

	if (oracle_has_target(r) && oracle_has_rule(r))
		wrong |= WRONG(TARGETS_AND_RULE);
	if (GIVEN(r, LAMBDA_PPM) && GIVEN(r, TRANSPORT))
		wrong |= WRONG(LAMBDA_AND_TRANSPORT);
	if (GIVEN(r, INS_TARGET_NS) && oracle_has_ramp(r))
		wrong |= WRONG(INS_TARGET_AND_RAMP);
	return wrong;
}

/* A target on top of the rule: what the rule had derived is now plain. */
static void oracle_end_rule(struct oracle_params *w)
{
	const struct oracle_params was = *w;

	if (!oracle_has_ramp(w))
		oracle_set(w, ECNSHARP_INS_TARGET_NS, oracle_ins_target(&was));
	oracle_set(w, ECNSHARP_PST_TARGET_NS, oracle_pst_target(&was));
	oracle_set(w, ECNSHARP_PST_INTERVAL_NS, oracle_pst_interval(&was));
	oracle_forget(w, ECNSHARP_RTT_AVG_NS);
	oracle_forget(w, ECNSHARP_RTT_TAIL_NS);
	oracle_forget(w, ECNSHARP_LAMBDA_PPM);
	oracle_forget(w, ECNSHARP_TRANSPORT);
}

static void oracle_end_ramp_ns(struct oracle_params *w)
{
	oracle_forget(w, ECNSHARP_KMIN_NS);
	oracle_forget(w, ECNSHARP_KMAX_NS);
}

static void oracle_end_ramp_bytes(struct oracle_params *w)
{
	oracle_forget(w, ECNSHARP_KMIN_BYTES);
	oracle_forget(w, ECNSHARP_KMAX_BYTES);
}

static void oracle_end_ramp(struct oracle_params *w)
{
	oracle_end_ramp_ns(w);
	oracle_end_ramp_bytes(w);
	oracle_forget(w, ECNSHARP_PMAX_PPM);
}

/* From one request to the next the last setting holds. */
static void oracle_replace(struct oracle_params *w, const struct oracle_params *r)
{
	if (oracle_has_target(r) && oracle_has_rtt(w))
		oracle_end_rule(w);
	if (oracle_has_rule(r)) {
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
	if (oracle_has_rule(r) && !oracle_has_ramp(r))
		oracle_end_ramp(w);
	if (oracle_has_ramp(r))
		oracle_forget(w, ECNSHARP_INS_TARGET_NS);
	if (GIVEN(r, KMIN_NS) || GIVEN(r, KMAX_NS))
		oracle_end_ramp_bytes(w);
	if (GIVEN(r, KMIN_BYTES) || GIVEN(r, KMAX_BYTES))
		oracle_end_ramp_ns(w);
	if (GIVEN(r, SIGNAL) && VALUE(r, SIGNAL) == 0)
		oracle_forget(w, ECNSHARP_RATE_BPS);
}

static uint32_t oracle_wrong_rule(const struct oracle_params *w)
{
	uint32_t wrong = 0;

	if (!oracle_has_rule(w))
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

static uint32_t oracle_wrong_ramp(const struct oracle_params *w)
{
	bool length = VALUE(w, SIGNAL) == 1;
	uint32_t wrong = 0;

	if (!oracle_has_ramp(w))
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

static uint32_t oracle_wrong(const struct oracle_params *w)
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
 * @params: the settings in force; changed only if nothing is wrong
 * @request: parameters to set, every value within its range
 *
 * Return: all that is wrong, bit n for enum ecnsharp_refusal n; 0 if nothing.
 */
uint32_t horrible_request(struct oracle_params *params,
			  const struct oracle_params *request)
{
	struct oracle_params next = *params;
	uint32_t wrong;
	int id;

	wrong = oracle_contradictions(request);
	if (wrong)
		return wrong;
	oracle_replace(&next, request);
	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		if (request->given[id])
			oracle_set(&next, id, request->value[id]);
	wrong = oracle_wrong(&next);
	if (!wrong)
		*params = next;
	return wrong;
}

/**
 * horrible_config() - what settings mean to the algorithm's oracle
 * @params: settings in force
 * @config: written
 */
void horrible_config(const struct oracle_params *params,
		     struct oracle_config *config)
{
	bool length = VALUE(params, SIGNAL) == 1;

	config->ins_target = oracle_ins_target(params);
	config->pst_target = oracle_pst_target(params);
	config->pst_interval = oracle_pst_interval(params);
	config->persistent = VALUE(params, PERSISTENT);
	config->length = length;
	config->rate = VALUE(params, RATE_BPS);
	config->kmin = length ? VALUE(params, KMIN_BYTES) : VALUE(params, KMIN_NS);
	config->kmax = length ? VALUE(params, KMAX_BYTES) : VALUE(params, KMAX_NS);
	config->pmax_q32 = VALUE(params, PMAX_PPM) * 4294967296ULL / 1000000;
	config->instantaneous = ORACLE_INS_CUT_OFF;
	if (oracle_has_ramp(params))
		config->instantaneous = ORACLE_INS_RAMP;
	if (!VALUE(params, INSTANTANEOUS))
		config->instantaneous = ORACLE_INS_OFF;
}
