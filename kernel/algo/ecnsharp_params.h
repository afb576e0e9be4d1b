/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ECN#: its parameters, their ranges, and the rules by which they combine.
 *
 * Source: Zhang, Bai, Chen, "Enabling ECN for Datacenter Networks with RTT
 * Variations", IEEE TCC 2022 (doi 10.1109/TCC.2022.3204988); section 3.4 for
 * the rule of thumb, 3.5 for the length signal and the marking ramp.
 *
 *   in the paper              here
 *   ins_target, T (Eq. 2)     ins_target_ns = lambda x rtt_tail
 *   pst_interval              pst_interval_ns = rtt_tail ("around one RTT")
 *   pst_target                pst_target_ns = lambda x rtt_avg
 *   lambda (Eq. 1)            lambda_ppm, or a transport's name
 *   K, C (Eq. 1)              rate_bps x ins_target_ns / 8e9
 *   Kmin, Kmax                kmin, kmax in the signal's unit
 *
 * The user's configuration is a struct ecnsharp_settings, a set of values with a
 * bit for each that was given.  The algorithm reads for every packet the
 * struct ecnsharp_params made from it.
 */
#ifndef SHARPRAMP_ALGO_ECNSHARP_PARAMS_H
#define SHARPRAMP_ALGO_ECNSHARP_PARAMS_H

#include "param_info.h"

/*
 * Every parameter, once: X(ID, name in tc, bits on the wire, least, most,
 * unit).  The netlink policy, the tc plugin's checks and their messages come
 * from this table; ID is the attribute's name behind TCA_ECNSHARP_.
 *
 * No time is above 1 s, no size above 2^31 - 1 bytes, no rate below 1 kbit/s:
 * with these no product in this directory can overflow 64 bits.
 */
#define ECNSHARP_PARAMETERS(X)						       \
	X(LIMIT, "limit", 32, 1, 1000000, "packets")			       \
	X(MEMORY_LIMIT, "memory_limit", 32, 65536, 2147483647, "bytes")	       \
	X(INS_TARGET_NS, "ins_target", 64, 1, 1000000000, "ns")		       \
	X(PST_TARGET_NS, "pst_target", 64, 1, 1000000000, "ns")		       \
	X(PST_INTERVAL_NS, "pst_interval", 64, 1000, 1000000000, "ns")	       \
	X(RTT_AVG_NS, "rtt_avg", 64, 1000, 1000000000, "ns")		       \
	X(RTT_TAIL_NS, "rtt_tail", 64, 1000, 1000000000, "ns")		       \
	X(LAMBDA_PPM, "lambda", 32, 1000, 10000000, "millionths")	       \
	X(TRANSPORT, "transport", 8, 1, 3, "(reno, cubic, dctcp)")	       \
	X(SIGNAL, "signal", 8, 0, 1, "(sojourn, length)")		       \
	X(RATE_BPS, "rate", 64, 1000, 100000000000000, "bit/s")		       \
	X(KMIN_NS, "kmin", 64, 0, 1000000000, "ns")			       \
	X(KMAX_NS, "kmax", 64, 0, 1000000000, "ns")			       \
	X(KMIN_BYTES, "kmin", 32, 0, 2147483647, "bytes")		       \
	X(KMAX_BYTES, "kmax", 32, 0, 2147483647, "bytes")		       \
	X(PMAX_PPM, "pmax", 32, 1, 1000000, "millionths")		       \
	X(INSTANTANEOUS, "instantaneous", 8, 0, 1, "(off, on)")		       \
	X(PERSISTENT, "persistent", 8, 0, 1, "(off, on)")		       \
	X(NONECT, "nonect", 8, 0, 1, "(pass, drop)")			       \
	X(SPLIT_GSO, "split_gso", 8, 0, 1, "(off, on)")			       \
	X(BYPASS, "bypass", 8, 0, 1, "(off, on)")

/** enum ecnsharp_param - index of a parameter in struct ecnsharp_settings */
enum ecnsharp_param {
#define ECNSHARP_X(id, name, bits, least, most, unit) ECNSHARP_##id,
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
	ECNSHARP_NR_PARAMS
};

/**
 * ecnsharp_param_info() - the row of a parameter
 * @id: its index
 *
 * Return: the row; NULL if there is no such parameter.
 */
static inline const struct param_info *ecnsharp_param_info(u32 id)
{
	static const struct param_info info[] = {
#define ECNSHARP_X(id, name, bits, least, most, unit) \
		[ECNSHARP_##id] = PARAM_INFO(name, bits, least, most, 0, unit),
		ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
	};

	return id < ECNSHARP_NR_PARAMS ? &info[id] : NULL;
}

/**
 * struct ecnsharp_settings - what the user configured
 * @given: bit n is set if parameter n has a value
 * @value: by enum ecnsharp_param; 0 where not given
 */
struct ecnsharp_settings {
	u64 given;
	u64 value[ECNSHARP_NR_PARAMS];
};

#define ECNSHARP_BIT(id)	(1ULL << ECNSHARP_##id)

/* Groups of parameters that set the same thing in different ways. */
#define ECNSHARP_GIVEN_TARGETS	(ECNSHARP_BIT(INS_TARGET_NS) | \
				 ECNSHARP_BIT(PST_TARGET_NS) | \
				 ECNSHARP_BIT(PST_INTERVAL_NS))
#define ECNSHARP_GIVEN_LAMBDA	(ECNSHARP_BIT(LAMBDA_PPM) | \
				 ECNSHARP_BIT(TRANSPORT))
#define ECNSHARP_GIVEN_RTT	(ECNSHARP_BIT(RTT_AVG_NS) | \
				 ECNSHARP_BIT(RTT_TAIL_NS))
#define ECNSHARP_GIVEN_RULE	(ECNSHARP_GIVEN_RTT | ECNSHARP_GIVEN_LAMBDA)
#define ECNSHARP_GIVEN_RAMP_NS	(ECNSHARP_BIT(KMIN_NS) | ECNSHARP_BIT(KMAX_NS))
#define ECNSHARP_GIVEN_RAMP_BYTES (ECNSHARP_BIT(KMIN_BYTES) | \
				   ECNSHARP_BIT(KMAX_BYTES))
#define ECNSHARP_GIVEN_RAMP	(ECNSHARP_GIVEN_RAMP_NS | \
				 ECNSHARP_GIVEN_RAMP_BYTES | \
				 ECNSHARP_BIT(PMAX_PPM))

/* Values of SIGNAL, NONECT and TRANSPORT, as on the wire. */
enum { ECNSHARP_SOJOURN, ECNSHARP_LENGTH };
enum { ECNSHARP_PASS, ECNSHARP_DROP };
enum { ECNSHARP_RENO = 1, ECNSHARP_CUBIC, ECNSHARP_DCTCP };

/**
 * enum ecnsharp_ins - how the instantaneous signal marks
 * @ECNSHARP_INS_OFF: never
 * @ECNSHARP_INS_STEP: always above ins_target
 * @ECNSHARP_INS_RAMP: with a probability that grows between kmin and kmax
 */
enum ecnsharp_ins {
	ECNSHARP_INS_OFF,
	ECNSHARP_INS_STEP,
	ECNSHARP_INS_RAMP,
};

/**
 * struct ecnsharp_params - what the algorithm reads; made by ecnsharp_params_make()
 * @ins_target_ns: cut-off of the step
 * @pst_target_ns: level above which a queue counts as persistent
 * @pst_interval_ns: how long it must stay there, and the first marking gap
 * @kmin: foot of the ramp, in ns (sojourn) or bytes (length), at most 2^31
 * @kmax: top of the ramp, likewise, not below @kmin
 * @pmax_q32: probability at the top of the ramp, 2^32 is 1
 * @rate_bps: drain rate for the length signal, bit/s
 * @ins: enum ecnsharp_ins
 * @length: the signal is the backlog, not the sojourn time
 * @persistent: the persistent signal marks
 */
struct ecnsharp_params {
	u64 ins_target_ns;
	u64 pst_target_ns;
	u64 pst_interval_ns;
	u64 kmin;
	u64 kmax;
	u64 pmax_q32;
	u64 rate_bps;
	u8 ins;
	bool length;
	bool persistent;
};

/*
 * Why a set of parameters is refused, X(ID, message).  Values out of range
 * have their message in ecnsharp_param_info().
 */
#define ECNSHARP_REFUSALS(X)						       \
	X(TARGETS_AND_RULE,						       \
	  "rtt_avg, rtt_tail, lambda, transport exclude ins_target, pst_target, pst_interval") \
	X(LAMBDA_AND_TRANSPORT,						       \
	  "transport names a lambda: give one or the other")		       \
	X(INS_TARGET_AND_RAMP,						       \
	  "kmin, kmax and pmax replace ins_target: give one or the other")     \
	X(RTT_INCOMPLETE, "rtt_avg and rtt_tail go together")		       \
	X(RTT_ORDER, "rtt_avg must not be above rtt_tail")		       \
	X(RULE_RANGE,							       \
	  "lambda x rtt is out of the range of ins_target and pst_target: 1 to 1000000000 ns") \
	X(RAMP_INCOMPLETE, "kmin, kmax and pmax go together")		       \
	X(RAMP_ORDER, "kmin must not be above kmax")			       \
	X(RAMP_WANTS_TIME,						       \
	  "kmin and kmax must be times with signal sojourn")		       \
	X(RAMP_WANTS_BYTES,						       \
	  "kmin and kmax must be sizes with signal length")		       \
	X(RATE_MISSING, "signal length needs a rate")			       \
	X(RATE_EXTRA, "rate goes with signal length")			       \
	X(BOTH_OFF, "instantaneous and persistent must not both be off")       \
	X(BYPASS_AND_SPLIT,						       \
	  "bypass and split_gso must not both be on: what passes is not segmented")

/** enum ecnsharp_refusal - 0, or why a set of parameters is refused */
enum ecnsharp_refusal {
	ECNSHARP_ACCEPTED,
#define ECNSHARP_X(id, text) ECNSHARP_REFUSE_##id,
	ECNSHARP_REFUSALS(ECNSHARP_X)
#undef ECNSHARP_X
	ECNSHARP_NR_REFUSALS
};

/**
 * ecnsharp_refusal_text() - the message for a refused set of parameters
 * @why: what ecnsharp_settings_apply() returned
 *
 * Return: a message for the user; NULL for ECNSHARP_ACCEPTED.
 */
static inline const char *ecnsharp_refusal_text(enum ecnsharp_refusal why)
{
	static const char *const text[] = {
		NULL,
#define ECNSHARP_X(id, names) names,
		ECNSHARP_REFUSALS(ECNSHARP_X)
#undef ECNSHARP_X
	};

	return (u32)why < ECNSHARP_NR_REFUSALS ? text[why] : NULL;
}

/**
 * ecnsharp_is_given() - was one of some parameters given?
 * @s: settings
 * @any: bits, by enum ecnsharp_param
 *
 * Return: true if at least one was.
 */
static inline bool ecnsharp_is_given(const struct ecnsharp_settings *s, u64 any)
{
	return s->given & any;
}

/**
 * ecnsharp_set() - give a parameter a value
 * @s: the settings
 * @id: which parameter
 * @value: within the range of its row, or it is refused
 *
 * Return: NULL, or the message that refuses the value.
 */
static inline const char *ecnsharp_set(struct ecnsharp_settings *s,
				       enum ecnsharp_param id, u64 value)
{
	return params_set(ecnsharp_param_info, id, value, &s->given, s->value);
}

static inline void ecnsharp_unset(struct ecnsharp_settings *s, u64 which)
{
	params_unset(ecnsharp_param_info, which, &s->given, s->value);
}

/* Values of @more replace those of @s. */
static inline void ecnsharp_add(struct ecnsharp_settings *s,
				const struct ecnsharp_settings *more)
{
	params_add(ECNSHARP_NR_PARAMS, &s->given, s->value, more->given, more->value);
}

/**
 * ecnsharp_settings_default() - the defaults
 * @s: written
 *
 * The paper's testbed (section 5.2): base RTTs of 70 to 210 us.  As times
 * they suit 10 and 100 Gbit/s alike (Eq. 2 has no C in it).  The limits hold
 * 12 ms of 1500-byte packets at 10 Gbit/s and 1.2 ms at 100 Gbit/s, six times
 * ins_target; memory_limit bounds what GSO packets make of that.
 */
static inline void ecnsharp_settings_default(struct ecnsharp_settings *s)
{
	ecnsharp_unset(s, U64_MAX);
	ecnsharp_set(s, ECNSHARP_LIMIT, 10000);
	ecnsharp_set(s, ECNSHARP_MEMORY_LIMIT, 32 << 20);
	ecnsharp_set(s, ECNSHARP_INS_TARGET_NS, 200000);
	ecnsharp_set(s, ECNSHARP_PST_TARGET_NS, 85000);
	ecnsharp_set(s, ECNSHARP_PST_INTERVAL_NS, 200000);
	ecnsharp_set(s, ECNSHARP_SIGNAL, ECNSHARP_SOJOURN);
	ecnsharp_set(s, ECNSHARP_INSTANTANEOUS, 1);
	ecnsharp_set(s, ECNSHARP_PERSISTENT, 1);
	ecnsharp_set(s, ECNSHARP_NONECT, ECNSHARP_PASS);
	ecnsharp_set(s, ECNSHARP_SPLIT_GSO, 0);
	ecnsharp_set(s, ECNSHARP_BYPASS, 0);
}

/**
 * ecnsharp_lambda_ppm() - the lambda that a set of parameters implies
 * @s: the settings
 *
 * A window that is cut to b times its size keeps the link busy if
 * b x (C x RTT + K) >= C x RTT, so lambda = K / (C x RTT) = (1 - b) / b: 1 for
 * Reno, 3/7 for CUBIC's 0.7.  DCTCP's 0.17 is the theory that section 2.1
 * quotes.  The paper's own testbed runs DCTCP at 1 (ins_target 200 us for a
 * tail RTT of 200 us), hence 1 is the default.
 *
 * Return: lambda in millionths.
 */
static inline u32 ecnsharp_lambda_ppm(const struct ecnsharp_settings *s)
{
	if (ecnsharp_is_given(s, ECNSHARP_BIT(LAMBDA_PPM)))
		return s->value[ECNSHARP_LAMBDA_PPM];

	switch (s->value[ECNSHARP_TRANSPORT]) {
	case ECNSHARP_CUBIC:
		return 428571;
	case ECNSHARP_DCTCP:
		return 170000;
	default:
		return 1000000;
	}
}

/* At most 1e9 x 1e7, below 2^54. */
static inline u64 ecnsharp_lambda_rtt_ns(const struct ecnsharp_settings *s,
					 enum ecnsharp_param rtt)
{
	return div_u64(s->value[rtt] * ecnsharp_lambda_ppm(s), 1000000);
}

/**
 * ecnsharp_target_ns() - value of a target, given or derived
 * @s: the settings
 * @id: INS_TARGET_NS, PST_TARGET_NS or PST_INTERVAL_NS
 *
 * Return: the target in ns; by the rule of thumb of section 3.4 if the RTTs
 * were given; 0 if it is neither given nor derived.
 */
static inline u64 ecnsharp_target_ns(const struct ecnsharp_settings *s,
				     enum ecnsharp_param id)
{
	if (!ecnsharp_is_given(s, ECNSHARP_GIVEN_RTT))
		return s->value[id];

	switch (id) {
	case ECNSHARP_INS_TARGET_NS:
		return ecnsharp_lambda_rtt_ns(s, ECNSHARP_RTT_TAIL_NS);
	case ECNSHARP_PST_TARGET_NS:
		return ecnsharp_lambda_rtt_ns(s, ECNSHARP_RTT_AVG_NS);
	default:
		return s->value[ECNSHARP_RTT_TAIL_NS];
	}
}

/**
 * ecnsharp_settings_derived() - what the rule of thumb makes of the settings
 * @s: the settings
 * @derived: written: the targets, and lambda, as far as nobody gave them
 *
 * Empty if no RTTs were given.  Values that a ramp replaces are not derived.  Nothing
 * is in both, so that configured values can be distinguished from derived ones.
 */
static inline void
ecnsharp_settings_derived(const struct ecnsharp_settings *s,
			  struct ecnsharp_settings *derived)
{
	u32 id;

	ecnsharp_unset(derived, U64_MAX);
	if (!ecnsharp_is_given(s, ECNSHARP_GIVEN_RTT))
		return;

	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		if (ECNSHARP_GIVEN_TARGETS >> id & 1)
			ecnsharp_set(derived, id, ecnsharp_target_ns(s, id));
	ecnsharp_set(derived, ECNSHARP_LAMBDA_PPM, ecnsharp_lambda_ppm(s));
	ecnsharp_unset(derived, s->given);
	if (ecnsharp_is_given(s, ECNSHARP_GIVEN_RAMP))
		ecnsharp_unset(derived, ECNSHARP_BIT(INS_TARGET_NS));
}

/* Parameters given twice in one request. */
static inline enum ecnsharp_refusal
ecnsharp_request_check(const struct ecnsharp_settings *req)
{
	if (ecnsharp_is_given(req, ECNSHARP_GIVEN_TARGETS) &&
	    ecnsharp_is_given(req, ECNSHARP_GIVEN_RULE))
		return ECNSHARP_REFUSE_TARGETS_AND_RULE;
	if ((req->given & ECNSHARP_GIVEN_LAMBDA) == ECNSHARP_GIVEN_LAMBDA)
		return ECNSHARP_REFUSE_LAMBDA_AND_TRANSPORT;
	if (ecnsharp_is_given(req, ECNSHARP_BIT(INS_TARGET_NS)) &&
	    ecnsharp_is_given(req, ECNSHARP_GIVEN_RAMP))
		return ECNSHARP_REFUSE_INS_TARGET_AND_RAMP;
	return ECNSHARP_ACCEPTED;
}

/*
 * Before new parameters are added, take out those that they replace.  A
 * target named on top of derived ones makes the other two plain numbers.
 */
static inline void ecnsharp_settings_yield(struct ecnsharp_settings *s,
					   const struct ecnsharp_settings *req)
{
	struct ecnsharp_settings derived;

	if (ecnsharp_is_given(req, ECNSHARP_GIVEN_TARGETS) &&
	    ecnsharp_is_given(s, ECNSHARP_GIVEN_RTT)) {
		ecnsharp_settings_derived(s, &derived);
		ecnsharp_unset(&derived, ECNSHARP_GIVEN_LAMBDA);
		ecnsharp_unset(s, ECNSHARP_GIVEN_RULE);
		ecnsharp_add(s, &derived);
	}
	if (ecnsharp_is_given(req, ECNSHARP_GIVEN_RULE))
		ecnsharp_unset(s, ECNSHARP_GIVEN_TARGETS);
	if (ecnsharp_is_given(req, ECNSHARP_GIVEN_LAMBDA))
		ecnsharp_unset(s, ECNSHARP_GIVEN_LAMBDA);
	/* The rule sets ins_target too, unless a ramp comes with it. */
	if (ecnsharp_is_given(req, ECNSHARP_GIVEN_RAMP))
		ecnsharp_unset(s, ECNSHARP_BIT(INS_TARGET_NS));
	else if (ecnsharp_is_given(req, ECNSHARP_BIT(INS_TARGET_NS) |
				   ECNSHARP_GIVEN_RULE))
		ecnsharp_unset(s, ECNSHARP_GIVEN_RAMP);
	if (ecnsharp_is_given(req, ECNSHARP_GIVEN_RAMP_NS))
		ecnsharp_unset(s, ECNSHARP_GIVEN_RAMP_BYTES);
	if (ecnsharp_is_given(req, ECNSHARP_GIVEN_RAMP_BYTES))
		ecnsharp_unset(s, ECNSHARP_GIVEN_RAMP_NS);
	if (ecnsharp_is_given(req, ECNSHARP_BIT(SIGNAL)) &&
	    req->value[ECNSHARP_SIGNAL] == ECNSHARP_SOJOURN)
		ecnsharp_unset(s, ECNSHARP_BIT(RATE_BPS));
}

static inline enum ecnsharp_refusal
ecnsharp_ramp_check(const struct ecnsharp_settings *s)
{
	bool length = s->value[ECNSHARP_SIGNAL] == ECNSHARP_LENGTH;
	u64 want = length ? ECNSHARP_GIVEN_RAMP_BYTES : ECNSHARP_GIVEN_RAMP_NS;

	if (!ecnsharp_is_given(s, ECNSHARP_GIVEN_RAMP))
		return ECNSHARP_ACCEPTED;
	if (length && ecnsharp_is_given(s, ECNSHARP_GIVEN_RAMP_NS))
		return ECNSHARP_REFUSE_RAMP_WANTS_BYTES;
	if (!length && ecnsharp_is_given(s, ECNSHARP_GIVEN_RAMP_BYTES))
		return ECNSHARP_REFUSE_RAMP_WANTS_TIME;
	want |= ECNSHARP_BIT(PMAX_PPM);
	if ((s->given & want) != want)
		return ECNSHARP_REFUSE_RAMP_INCOMPLETE;
	if (s->value[ECNSHARP_KMIN_NS] > s->value[ECNSHARP_KMAX_NS] ||
	    s->value[ECNSHARP_KMIN_BYTES] > s->value[ECNSHARP_KMAX_BYTES])
		return ECNSHARP_REFUSE_RAMP_ORDER;
	return ECNSHARP_ACCEPTED;
}

static inline enum ecnsharp_refusal
ecnsharp_rule_check(const struct ecnsharp_settings *s)
{
	const u64 most = ecnsharp_param_info(ECNSHARP_INS_TARGET_NS)->most;

	if (!ecnsharp_is_given(s, ECNSHARP_GIVEN_RULE))
		return ECNSHARP_ACCEPTED;
	if ((s->given & ECNSHARP_GIVEN_RTT) != ECNSHARP_GIVEN_RTT)
		return ECNSHARP_REFUSE_RTT_INCOMPLETE;
	if (s->value[ECNSHARP_RTT_AVG_NS] > s->value[ECNSHARP_RTT_TAIL_NS])
		return ECNSHARP_REFUSE_RTT_ORDER;
	/* The tail bounds the average, and no product is below 1 ns. */
	if (ecnsharp_target_ns(s, ECNSHARP_INS_TARGET_NS) > most)
		return ECNSHARP_REFUSE_RULE_RANGE;
	return ECNSHARP_ACCEPTED;
}

/* Do the settings, as a whole, make sense? */
static inline enum ecnsharp_refusal
ecnsharp_settings_check(const struct ecnsharp_settings *s)
{
	bool length = s->value[ECNSHARP_SIGNAL] == ECNSHARP_LENGTH;
	enum ecnsharp_refusal why;

	if (length && !ecnsharp_is_given(s, ECNSHARP_BIT(RATE_BPS)))
		return ECNSHARP_REFUSE_RATE_MISSING;
	if (!length && ecnsharp_is_given(s, ECNSHARP_BIT(RATE_BPS)))
		return ECNSHARP_REFUSE_RATE_EXTRA;
	if (!s->value[ECNSHARP_INSTANTANEOUS] && !s->value[ECNSHARP_PERSISTENT])
		return ECNSHARP_REFUSE_BOTH_OFF;
	if (s->value[ECNSHARP_BYPASS] && s->value[ECNSHARP_SPLIT_GSO])
		return ECNSHARP_REFUSE_BYPASS_AND_SPLIT;
	why = ecnsharp_ramp_check(s);
	return why ? why : ecnsharp_rule_check(s);
}

/**
 * ecnsharp_settings_apply() - change settings by a request
 * @s: the settings in force; untouched if the request is refused
 * @req: the request, every value already within its own range
 *
 * Within one request nothing may be given twice.  From one request to the
 * next the last value holds: targets replace the rule that derived them and
 * the reverse, ins_target, named or derived, replaces the ramp and the
 * reverse.  A ramp in the same request as the rule leaves the rule the
 * persistent targets.
 *
 * Return: ECNSHARP_ACCEPTED, or why not.
 */
static inline enum ecnsharp_refusal
ecnsharp_settings_apply(struct ecnsharp_settings *s,
			const struct ecnsharp_settings *req)
{
	struct ecnsharp_settings next = *s;
	enum ecnsharp_refusal why;

	why = ecnsharp_request_check(req);
	if (why)
		return why;
	ecnsharp_settings_yield(&next, req);
	ecnsharp_add(&next, req);
	why = ecnsharp_settings_check(&next);
	if (why)
		return why;
	*s = next;
	return ECNSHARP_ACCEPTED;
}

/**
 * ecnsharp_params_make() - what the algorithm reads, from what the user configured
 * @s: settings that ecnsharp_settings_apply() accepted
 * @p: written
 */
static inline void ecnsharp_params_make(const struct ecnsharp_settings *s,
					struct ecnsharp_params *p)
{
	bool length = s->value[ECNSHARP_SIGNAL] == ECNSHARP_LENGTH;
	bool ramp = ecnsharp_is_given(s, ECNSHARP_GIVEN_RAMP);

	p->ins_target_ns = ecnsharp_target_ns(s, ECNSHARP_INS_TARGET_NS);
	p->pst_target_ns = ecnsharp_target_ns(s, ECNSHARP_PST_TARGET_NS);
	p->pst_interval_ns = ecnsharp_target_ns(s, ECNSHARP_PST_INTERVAL_NS);
	p->kmin = s->value[length ? ECNSHARP_KMIN_BYTES : ECNSHARP_KMIN_NS];
	p->kmax = s->value[length ? ECNSHARP_KMAX_BYTES : ECNSHARP_KMAX_NS];
	p->pmax_q32 = div_u64(s->value[ECNSHARP_PMAX_PPM] << 32, 1000000);
	p->rate_bps = s->value[ECNSHARP_RATE_BPS];
	p->ins = !s->value[ECNSHARP_INSTANTANEOUS] ? ECNSHARP_INS_OFF :
		 ramp ? ECNSHARP_INS_RAMP : ECNSHARP_INS_STEP;
	p->length = length;
	p->persistent = s->value[ECNSHARP_PERSISTENT];
}

#endif /* SHARPRAMP_ALGO_ECNSHARP_PARAMS_H */
