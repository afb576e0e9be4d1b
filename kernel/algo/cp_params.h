/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of the qdisc cp, their ranges, and the rules by which they combine.
 *
 * Sources: N. Chrysos et al., section III for buffer (150 KB), Qhigh, Qlow and the sample
 * interval; IEEE8021-CN-MIB for qeq (ieee8021CnCpQueueSizeSetPoint), w
 * (ieee8021CnCpFeedbackWeight, an exponent of 2), sample_base (ieee8021CnCpMinSampleBase) and
 * header_octets (ieee8021CnCpMinHeaderOctets, 0 there: a reaction point without CN-TAGs needs
 * ports).
 *
 *   in the paper     here
 *   Qeq              qeq, 60000 there; the MIB's default is in force
 *   Is               sample_base; with sample_table off at all times
 *   Qhigh, Qlow      xoff, xon
 *
 * Law fecn: J. Jiang, R. Jain, see fecn_cp.h; its Qeq is 24000.
 *
 *   in the paper     here
 *   T                interval
 *   a, b, c          a, b, c
 *   gamma            gamma
 *   n, k             stages, slope
 *   N0               flows
 */
#ifndef SHARPRAMP_ALGO_CP_PARAMS_H
#define SHARPRAMP_ALGO_CP_PARAMS_H

#include "fecn_cp.h"
#include "param_info.h"
#include "qcn_cp.h"

/*
 * Every parameter, once: X(ID, name in tc, bits on the wire, least, most, default, unit).
 * The width of one that may be negative is that of a signed number.  law and k have no
 * default: 0 is none given.
 */
#define CP_PARAMETERS(X)							       \
	X(LAW, "law", 8, 1, 4, 0, "(none, qcn, step, fecn)")			       \
	X(AT, "at", 8, 0, 1, 0, "(output, input)")				       \
	X(SAMPLE, "sample", 8, 0, 2, 0, "(arrival, random, largest)")		       \
	X(SIGNAL, "signal", 8, 0, 1, 0, "(cnm, ecn)")				       \
	X(SERVICE, "service", 8, 0, 1, 0, "(fifo, rr)")				       \
	X(QEQ, "qeq", 32, 100, 2147483647, 26000, "bytes")			       \
	X(W, "w", 8, -10, 10, 1, "(exponent of 2)")				       \
	X(SAMPLE_BASE, "sample_base", 32, 10000, 2147483647, 150000, "bytes")	       \
	X(SAMPLE_TABLE, "sample_table", 8, 0, 1, 1, "(off, on)")		       \
	X(K, "k", 32, 1, 2147483647, 0, "bytes")				       \
	X(HEADER_OCTETS, "header_octets", 8, 0, 64, 64, "bytes")		       \
	X(BUFFER, "buffer", 32, 10000, 2147483647, 150000, "bytes")		       \
	X(LIMIT, "limit", 32, 10000, 2147483647, 33554432, "bytes")		       \
	X(PAUSE, "pause", 8, 0, 2, 0, "(off, input, output)")			       \
	X(XOFF, "xoff", 32, 1, 2147483647, 110000, "bytes")			       \
	X(XON, "xon", 32, 0, 2147483647, 44000, "bytes")			       \
	X(QUANTA, "quanta", 32, 1, 65535, 65535, "(512 bit times)")		       \
	X(CNPV, "cnpv", 8, 1, 255, 255, "(mask of priorities)")			       \
	X(RATE_BPS, "rate", 64, 0, 400000000000, 0, "bit/s")			       \
	X(DEFENSE, "defense", 8, 0, 1, 0, "(interior, edge)")			       \
	X(INTERVAL_NS, "interval", 64, 100000, 1000000000, 1000000, "ns")	       \
	X(A, "a", 32, 1000000, 2000000, 1002000, "millionths")			       \
	X(B, "b", 32, 1001000, 2000000, 1100000, "millionths")			       \
	X(C, "c", 32, 1000, 1000000, 100000, "millionths")			       \
	X(GAMMA, "gamma", 32, 1000, 1000000, 990000, "millionths")		       \
	X(STAGES, "stages", 32, 0, 16, 0, "stages")				       \
	X(SLOPE, "slope", 32, 1, 1000000, 2000, "millionths")			       \
	X(WEIGHT, "weight", 32, 1000, 1000000, 500000, "millionths")		       \
	X(FLOWS, "flows", 32, 1, 1000000, 50, "flows")				       \
	X(HOT, "hot", 32, 0, 2147483647, 0, "bytes")

/** enum cp_param - index of a parameter in struct cp_settings */
enum cp_param {
#define CP_X(id, name, bits, least, most, preset, unit) CP_P_##id,
	CP_PARAMETERS(CP_X)
#undef CP_X
	CP_NR_PARAMS
};

/* Values of names, as on the wire. */
enum { CP_LAW_NONE = 1, CP_LAW_QCN, CP_LAW_STEP, CP_LAW_FECN };
enum { CP_AT_OUTPUT, CP_AT_INPUT };
enum { CP_SAMPLE_ARRIVAL, CP_SAMPLE_RANDOM, CP_SAMPLE_LARGEST };
enum { CP_SIGNAL_CNM, CP_SIGNAL_ECN };
enum { CP_SERVICE_FIFO, CP_SERVICE_RR };
enum { CP_PAUSE_OFF, CP_PAUSE_INPUT, CP_PAUSE_OUTPUT };
enum { CP_DEFENSE_INTERIOR, CP_DEFENSE_EDGE };

/**
 * cp_param_info() - the row of a parameter
 * @id: its index
 *
 * Return: the row; NULL if there is no such parameter.
 */
static inline const struct param_info *cp_param_info(u32 id)
{
	static const struct param_info info[] = {
#define CP_X(id, name, bits, least, most, preset, unit) \
		[CP_P_##id] = PARAM_INFO(name, bits, least, most, preset, unit),
		CP_PARAMETERS(CP_X)
#undef CP_X
	};

	return id < CP_NR_PARAMS ? &info[id] : NULL;
}

/* Why a set of parameters is refused: X(ID, message). */
#define CP_REFUSALS(X)								       \
	X(LAW_MISSING, "law is missing: one of none, qcn, step, fecn")	       \
	X(K_MISSING, "law step needs k")					       \
	X(K_EXTRA, "k needs law step")						       \
	X(QCN_EXTRA, "w, sample_base and sample_table need law qcn")		       \
	X(QEQ_EXTRA, "qeq needs law qcn or fecn")				       \
	X(FECN_EXTRA,								       \
	  "interval, a, b, c, gamma, stages, slope, weight, flows and hot need law fecn") \
	X(SLOPE_EXTRA, "slope needs stages, 1 or more")				       \
	X(LAW_EXTRA, "at, sample and signal need law qcn or step")		       \
	X(CNM_EXTRA, "header_octets needs law qcn with signal cnm, or hot")	       \
	X(STEP_CNM, "law step has no feedback for a CNM: it needs signal ecn")	       \
	X(QEQ_BUFFER, "qeq must be below buffer with at input")			       \
	X(K_BUFFER, "k must be below buffer with at input")			       \
	X(DECIMALS, "a, b, c and gamma have three decimals at most")		       \
	X(QEQ_LIMIT, "qeq must be below limit with law fecn")			       \
	X(HOT_QEQ, "hot must be 0, or above qeq")				       \
	X(HOT_LIMIT, "hot must be below limit")					       \
	X(PAUSE_EXTRA, "xoff, xon and quanta need pause input or output")	       \
	X(XON_XOFF, "xon must be below xoff")					       \
	X(XOFF_BUFFER, "xoff must be below buffer with pause input")		       \
	X(XOFF_LIMIT, "xoff must be below limit with pause output")

/** enum cp_refusal - why a set of parameters is refused */
enum cp_refusal {
	CP_ACCEPTED,
#define CP_X(id, text) CP_REFUSE_##id,
	CP_REFUSALS(CP_X)
#undef CP_X
	CP_NR_REFUSALS
};

/**
 * cp_refusal_text() - the message for a refused set of parameters
 * @why: what cp_settings_apply() returned
 *
 * Return: a message for the user; NULL for CP_ACCEPTED.
 */
static inline const char *cp_refusal_text(enum cp_refusal why)
{
	static const char *const text[] = {
		NULL,
#define CP_X(id, names) names,
		CP_REFUSALS(CP_X)
#undef CP_X
	};

	return (u32)why < CP_NR_REFUSALS ? text[why] : NULL;
}

/**
 * struct cp_settings - what the user configured
 * @given: bit n is set if parameter n was given
 * @value: by enum cp_param, w in two's complement; the default where not given
 */
struct cp_settings {
	u64 given;
	u64 value[CP_NR_PARAMS];
};

#define CP_BIT(id)	(1ULL << CP_P_##id)

/* Parameters that only one law or some laws use. */
#define CP_GIVEN_QCN	(CP_BIT(W) | CP_BIT(SAMPLE_BASE) | CP_BIT(SAMPLE_TABLE))
#define CP_GIVEN_FECN	(CP_BIT(INTERVAL_NS) | CP_BIT(A) | CP_BIT(B) | CP_BIT(C) |     \
			 CP_BIT(GAMMA) | CP_BIT(STAGES) | CP_BIT(SLOPE) |	       \
			 CP_BIT(WEIGHT) | CP_BIT(FLOWS) | CP_BIT(HOT))
#define CP_GIVEN_LAW	(CP_BIT(AT) | CP_BIT(SAMPLE) | CP_BIT(SIGNAL))
#define CP_GIVEN_PAUSE	(CP_BIT(XOFF) | CP_BIT(XON) | CP_BIT(QUANTA))

/**
 * cp_settings_default() - nothing was given
 * @s: written; not valid before a law is given
 */
static inline void cp_settings_default(struct cp_settings *s)
{
	params_unset(cp_param_info, U64_MAX, &s->given, s->value);
}

/**
 * cp_set() - give a parameter a value
 * @s: the settings
 * @id: which parameter
 * @value: within the range of its row, or it is refused
 *
 * Return: NULL, or the message that refuses the value.
 */
static inline const char *cp_set(struct cp_settings *s, enum cp_param id, u64 value)
{
	return params_set(cp_param_info, id, value, &s->given, s->value);
}

/**
 * cp_law_names_culprit() - does a law name culprits?
 * @law: CP_LAW_*
 *
 * Return: true if so; then at, sample and signal are settings of it.
 */
static inline bool cp_law_names_culprit(u64 law)
{
	return law == CP_LAW_QCN || law == CP_LAW_STEP;
}

/* The options that were given go with the law. */
static inline enum cp_refusal cp_law_check_extra(const struct cp_settings *s)
{
	bool cnm = s->value[CP_P_SIGNAL] == CP_SIGNAL_CNM;
	u64 law = s->value[CP_P_LAW];

	if (law != CP_LAW_QCN && s->given & CP_GIVEN_QCN)
		return CP_REFUSE_QCN_EXTRA;
	if (law != CP_LAW_QCN && law != CP_LAW_FECN && s->given & CP_BIT(QEQ))
		return CP_REFUSE_QEQ_EXTRA;
	if (law != CP_LAW_FECN && s->given & CP_GIVEN_FECN)
		return CP_REFUSE_FECN_EXTRA;
	if (law != CP_LAW_STEP && s->given & CP_BIT(K))
		return CP_REFUSE_K_EXTRA;
	if (!cp_law_names_culprit(law) && s->given & CP_GIVEN_LAW)
		return CP_REFUSE_LAW_EXTRA;
	if (s->given & CP_BIT(HEADER_OCTETS) && (law != CP_LAW_QCN || !cnm) &&
	    !s->value[CP_P_HOT])
		return CP_REFUSE_CNM_EXTRA;
	return CP_ACCEPTED;
}

static inline enum cp_refusal cp_fecn_check(const struct cp_settings *s)
{
	const u64 *v = s->value;

	if (s->given & CP_BIT(SLOPE) && !v[CP_P_STAGES])
		return CP_REFUSE_SLOPE_EXTRA;
	if ((u32)v[CP_P_A] % 1000 || (u32)v[CP_P_B] % 1000 || (u32)v[CP_P_C] % 1000 ||
	    (u32)v[CP_P_GAMMA] % 1000)
		return CP_REFUSE_DECIMALS;
	if (v[CP_P_QEQ] >= v[CP_P_LIMIT])
		return CP_REFUSE_QEQ_LIMIT;
	if (v[CP_P_HOT] && v[CP_P_HOT] <= v[CP_P_QEQ])
		return CP_REFUSE_HOT_QEQ;
	if (v[CP_P_HOT] >= v[CP_P_LIMIT])
		return CP_REFUSE_HOT_LIMIT;
	return CP_ACCEPTED;
}

static inline enum cp_refusal cp_law_check(const struct cp_settings *s)
{
	bool input = s->value[CP_P_AT] == CP_AT_INPUT;
	u64 law = s->value[CP_P_LAW];
	enum cp_refusal why;

	if (!law)
		return CP_REFUSE_LAW_MISSING;
	why = cp_law_check_extra(s);
	if (why)
		return why;
	if (law == CP_LAW_FECN)
		return cp_fecn_check(s);
	if (law == CP_LAW_STEP && !(s->given & CP_BIT(K)))
		return CP_REFUSE_K_MISSING;
	if (law == CP_LAW_STEP && s->value[CP_P_SIGNAL] != CP_SIGNAL_ECN)
		return CP_REFUSE_STEP_CNM;
	if (law == CP_LAW_QCN && input && s->value[CP_P_QEQ] >= s->value[CP_P_BUFFER])
		return CP_REFUSE_QEQ_BUFFER;
	if (law == CP_LAW_STEP && input && s->value[CP_P_K] >= s->value[CP_P_BUFFER])
		return CP_REFUSE_K_BUFFER;
	return CP_ACCEPTED;
}

static inline enum cp_refusal cp_pause_check(const struct cp_settings *s)
{
	u64 pause = s->value[CP_P_PAUSE];

	if (pause == CP_PAUSE_OFF)
		return s->given & CP_GIVEN_PAUSE ? CP_REFUSE_PAUSE_EXTRA : CP_ACCEPTED;
	if (s->value[CP_P_XON] >= s->value[CP_P_XOFF])
		return CP_REFUSE_XON_XOFF;
	if (pause == CP_PAUSE_INPUT && s->value[CP_P_XOFF] >= s->value[CP_P_BUFFER])
		return CP_REFUSE_XOFF_BUFFER;
	if (pause == CP_PAUSE_OUTPUT && s->value[CP_P_XOFF] >= s->value[CP_P_LIMIT])
		return CP_REFUSE_XOFF_LIMIT;
	return CP_ACCEPTED;
}

/* Forget what was given before and is of no use with another law, signal or pause. */
static inline void cp_settings_forget(struct cp_settings *s, u64 which)
{
	params_unset(cp_param_info, which, &s->given, s->value);
}

/* The options that end with another law. */
static inline u64 cp_settings_ended_by_law(u64 law)
{
	u64 ended = 0;

	if (law != CP_LAW_QCN)
		ended |= CP_GIVEN_QCN | CP_BIT(HEADER_OCTETS);
	if (law != CP_LAW_QCN && law != CP_LAW_FECN)
		ended |= CP_BIT(QEQ);
	if (law != CP_LAW_STEP)
		ended |= CP_BIT(K);
	if (law != CP_LAW_FECN)
		ended |= CP_GIVEN_FECN;
	if (!cp_law_names_culprit(law))
		ended |= CP_GIVEN_LAW;
	return ended;
}

static inline void cp_settings_yield(struct cp_settings *s, const struct cp_settings *req)
{
	u64 law = req->value[CP_P_LAW];

	if (req->given & CP_BIT(LAW) && law != s->value[CP_P_LAW])
		cp_settings_forget(s, cp_settings_ended_by_law(law));
	if (req->given & CP_BIT(SIGNAL) && req->value[CP_P_SIGNAL] == CP_SIGNAL_ECN)
		cp_settings_forget(s, CP_BIT(HEADER_OCTETS));
	if (req->given & CP_BIT(HOT) && !req->value[CP_P_HOT])
		cp_settings_forget(s, CP_BIT(HEADER_OCTETS));
	if (req->given & CP_BIT(STAGES) && !req->value[CP_P_STAGES])
		cp_settings_forget(s, CP_BIT(SLOPE));
	if (req->given & CP_BIT(PAUSE) && req->value[CP_P_PAUSE] == CP_PAUSE_OFF)
		cp_settings_forget(s, CP_GIVEN_PAUSE);
}

/**
 * cp_settings_apply() - change settings by a request
 * @s: the settings in force; untouched if the request is refused
 * @req: the request, every value already within its own range
 *
 * From one request to the next the last value holds; another law, signal or pause ends what was
 * given for the one before.
 *
 * Return: CP_ACCEPTED, or why not.
 */
static inline enum cp_refusal cp_settings_apply(struct cp_settings *s,
						const struct cp_settings *req)
{
	struct cp_settings next = *s;
	enum cp_refusal why;

	cp_settings_yield(&next, req);
	params_add(CP_NR_PARAMS, &next.given, next.value, req->given, req->value);
	why = cp_law_check(&next);
	if (!why)
		why = cp_pause_check(&next);
	if (!why)
		*s = next;
	return why;
}

/**
 * cp_qcn_params_make() - what qcn_cp.h reads, from what the user configured
 * @s: settings that cp_settings_apply() accepted
 * @p: written
 */
static inline void cp_qcn_params_make(const struct cp_settings *s, struct qcn_cp_params *p)
{
	p->qeq_bytes = s->value[CP_P_QEQ];
	p->sample_base = s->value[CP_P_SAMPLE_BASE];
	p->w_q10 = qcn_cp_w_q10(s->value[CP_P_W]);
	p->sample_table = s->value[CP_P_SAMPLE_TABLE];
}

/**
 * cp_hot_params_make() - what qcn_cp.h reads for hot-spot messages: CNMs above a length
 * @s: settings that cp_settings_apply() accepted
 * @p: written
 */
static inline void cp_hot_params_make(const struct cp_settings *s, struct qcn_cp_params *p)
{
	cp_qcn_params_make(s, p);
	p->qeq_bytes = s->value[CP_P_HOT];
	p->w_q10 = 0;
}

/**
 * cp_fecn_params_make() - what fecn_cp.h reads, from what the user configured
 * @s: settings that cp_settings_apply() accepted
 * @capacity_bps: of the port
 * @p: written
 */
static inline void cp_fecn_params_make(const struct cp_settings *s, u64 capacity_bps,
				       struct fecn_cp_params *p)
{
	const u64 *v = s->value;
	u32 weight = div_u64(v[CP_P_WEIGHT] * FECN_WEIGHT_ONE, 1000000);

	*p = (struct fecn_cp_params){
		.interval_ns = v[CP_P_INTERVAL_NS],
		.capacity_kbps = min_t(u64, max_t(u64, div_u64(capacity_bps, 1000), 1),
				       FECN_KBPS_MAX),
		.qeq_bytes = v[CP_P_QEQ],
		.a_milli = (u32)v[CP_P_A] / 1000,
		.b_milli = (u32)v[CP_P_B] / 1000,
		.c_milli = (u32)v[CP_P_C] / 1000,
		.gamma_milli = (u32)v[CP_P_GAMMA] / 1000,
		.stages = v[CP_P_STAGES],
		.k_ppm = v[CP_P_SLOPE],
		.weight = max(weight, 1U),
		.flows = v[CP_P_FLOWS],
	};
}

/**
 * cp_rate_ns() - how long a frame takes at a rate
 * @len: bytes, at most 2^31 - 1
 * @rate_bps: not 0
 *
 * Return: ns, rounded down.
 */
static inline u64 cp_rate_ns(u32 len, u64 rate_bps)
{
	return div64_u64(len * 8000000000ULL, rate_bps);
}

#endif /* SHARPRAMP_ALGO_CP_PARAMS_H */
