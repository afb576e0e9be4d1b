/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters of sch_onramp, their ranges, and the rules by which they
 * combine.  The first part is that of the kernel's fq, see tc-fq(8), the second
 * On-Ramp's: Liu et al., NSDI 2021; the last the reaction point's, qcn_rp_params.h.
 *
 *   in the paper              here
 *   g (Eq. 3)                 gain, g = 1 / gain
 *   T (5.1.4)                 threshold_ns; 0: base + 2 x error + margin_ns
 *   sigma (7.1)               error_ns, a bound and not a deviation
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_PARAMS_H
#define SHARPRAMP_ALGO_ONRAMP_PARAMS_H

#include "fecn_rp.h"
#include "param_info.h"
#include "qcn_rp_params.h"

#define ONRAMP_BANDS		3
#define ONRAMP_PRIORITIES	16

/*
 * Every parameter, once: X(ID, name in tc, bits on the wire, least, most,
 * unit).  The netlink policy, the tc plugin's checks and their messages come
 * from this table; ID is the attribute's name behind TCA_ONRAMP_.  Names in
 * round brackets are values, in square brackets they stand alone, without the
 * name.  Rows that share a name are the values that follow it, in their order.
 *
 * fq counts times in us in 32 bits: its values fit here.
 */
#define ONRAMP_CNM_FROM_ROW(X, n)					       \
	X(CNM_FROM##n, "cnm_from", 64, 0, 281474976710655, "link-layer address")
#define ONRAMP_CNM_FROM_ROWS(X)						       \
	ONRAMP_CNM_FROM_ROW(X, 0) ONRAMP_CNM_FROM_ROW(X, 1)		       \
	ONRAMP_CNM_FROM_ROW(X, 2) ONRAMP_CNM_FROM_ROW(X, 3)		       \
	ONRAMP_CNM_FROM_ROW(X, 4) ONRAMP_CNM_FROM_ROW(X, 5)		       \
	ONRAMP_CNM_FROM_ROW(X, 6) ONRAMP_CNM_FROM_ROW(X, 7)
#define ONRAMP_OWN_PARAMETERS(X)					       \
	X(LIMIT, "limit", 32, 1, 4294967295, "packets")			       \
	X(FLOW_LIMIT, "flow_limit", 32, 1, 4294967295, "packets")	       \
	X(BUCKETS, "buckets", 32, 2, 262144, "buckets")			       \
	X(QUANTUM, "quantum", 32, 256, 1048576, "bytes")		       \
	X(INITIAL_QUANTUM, "initial_quantum", 32, 0, 1048576, "bytes")	       \
	X(MAXRATE_BPS, "maxrate", 64, 0, 100000000000000, "bit/s")	       \
	X(LOW_RATE_THRESHOLD_BPS, "low_rate_threshold", 64, 0,		       \
	  100000000000000, "bit/s")					       \
	X(PACING, "pacing", 8, 0, 1, "[nopacing, pacing]")		       \
	X(REFILL_DELAY_NS, "refill_delay", 64, 0, 4294967295000, "ns")	       \
	X(ORPHAN_MASK, "orphan_mask", 32, 0, 4294967295, "mask")	       \
	X(TIMER_SLACK_NS, "timer_slack", 64, 0, 4294967295, "ns")	       \
	X(CE_THRESHOLD_NS, "ce_threshold", 64, 0, 4294967295000, "ns")	       \
	X(HORIZON_NS, "horizon", 64, 0, 4294967295000, "ns")		       \
	X(HORIZON_DROP, "horizon_drop", 8, 0, 1, "[horizon_cap, horizon_drop]") \
	X(BANDS, "bands", 8, 3, 3, "bands")				       \
	X(PRIOMAP, "priomap", 32, 0, 2863311530, "crumbs")		       \
	X(WEIGHT0, "weights", 32, 16384, 2147483647, "bytes")		       \
	X(WEIGHT1, "weights", 32, 16384, 2147483647, "bytes")		       \
	X(WEIGHT2, "weights", 32, 16384, 2147483647, "bytes")		       \
	X(MODE, "mode", 8, 0, 2, "(off, observe, hold)")		       \
	X(LAW, "law", 8, 0, 2, "(final, strawman, weighted)")		       \
	X(GAIN, "g", 32, 1, 1024, "1/g")				       \
	X(MAX_HOLD_NS, "max_hold", 64, 1000, 1000000000, "ns")		       \
	X(THRESHOLD_NS, "threshold", 64, 0, 1000000000, "ns or auto")	       \
	X(MARGIN_NS, "margin", 64, 0, 1000000000, "ns")			       \
	X(CLOCK, "clock", 8, 1, 2, "(system, published)")		       \
	X(ERROR_NS, "error", 64, 1, 1000000000, "ns")			       \
	X(MAX_ERROR_NS, "max_error", 64, 1, 1000000000, "ns")		       \
	X(PATH_FRESH_NS, "path_fresh", 64, 0, 1000000000, "ns")		       \
	X(RECORD_IDLE_NS, "record_idle", 64, 1000000, 60000000000, "ns")       \
	X(NIC_COMP, "nic_comp", 8, 0, 1, "(off, on)")			       \
	X(LINK_RATE_BPS, "link_rate", 64, 0, 100000000000000, "bit/s")	       \
	X(REMEMBER, "remember", 32, 0, 1048576, "bytes")		       \
	X(SOJOURN_HIST, "sojourn_hist", 8, 0, 1, "(off, on)")		       \
	X(RP, "rp", 8, 0, 2, "(off, qcn, fecn)")			       \
	ONRAMP_CNM_FROM_ROWS(X)

/* Those of FECN's reaction point: ROW(X, ID, name, bits, least, most, default, unit). */
#define ONRAMP_RD_ROWS(ROW, X)							       \
	ROW(X, PERIOD_NS, "rd_period", 64, 100000, 1000000000, 1000000, "ns")	       \
	ROW(X, INITIAL_BPS, "rd_initial", 64, 1000000, 400000000000, 400000000000, "bit/s") \
	ROW(X, REFLECT, "rd_reflect", 32, 0, 1000000, 200000, "RDs/s")		       \
	ROW(X, HOT, "rd_hot", 8, 0, 1, 0, "(off, on)")

#define ONRAMP_RP_ROW(X, id, name, bits, lo, hi, preset, unit)		       \
	X(RP_##id, name, bits, lo, hi, unit)
#define ONRAMP_RD_ROW(X, id, name, bits, lo, hi, preset, unit)		       \
	X(RD_##id, name, bits, lo, hi, unit)
#define ONRAMP_RD_INFO(X, id, name, bits, lo, hi, preset, unit)	       \
	[ONRAMP_P_RD_##id] = PARAM_INFO(name, bits, lo, hi, preset, unit),
#define ONRAMP_PARAMETERS(X)						       \
	ONRAMP_OWN_PARAMETERS(X)					       \
	ONRAMP_RD_ROWS(ONRAMP_RD_ROW, X)				       \
	QCN_RP_ROWS(ONRAMP_RP_ROW, X)

/** enum onramp_param - index of a parameter in struct onramp_settings */
enum onramp_param {
#define ONRAMP_X(id, name, bits, lo, hi, unit) ONRAMP_P_##id,
	ONRAMP_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X
	ONRAMP_NR_PARAMS
};

/**
 * onramp_param_info() - the row of a parameter
 * @id: its index
 *
 * Return: the row; NULL if there is no such parameter.
 */
static inline const struct param_info *onramp_param_info(u32 id)
{
	static const struct param_info info[] = {
#define ONRAMP_X(id, name, bits, lo, hi, unit) \
		[ONRAMP_P_##id] = PARAM_INFO(name, bits, lo, hi, 0, unit),
		ONRAMP_OWN_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X
		ONRAMP_RD_ROWS(ONRAMP_RD_INFO, ONRAMP_X)
#define ONRAMP_X(id, name, bits, lo, hi, preset, unit) \
		[ONRAMP_P_RP_##id] = PARAM_INFO(name, bits, lo, hi, preset, unit),
		QCN_RP_PARAMETERS(ONRAMP_X)
#undef ONRAMP_X
	};

	return id < ONRAMP_NR_PARAMS ? &info[id] : NULL;
}

/**
 * struct onramp_settings - what the user configured
 * @given: bit n is set if parameter n has a value
 * @value: by enum onramp_param; 0 where not given
 */
struct onramp_settings {
	u64 given;
	u64 value[ONRAMP_NR_PARAMS];
};

#define ONRAMP_BIT(id)	(1ULL << ONRAMP_P_##id)

/* The reaction point's are the last, in the order of enum qcn_rp_param. */
#define ONRAMP_P_RP_FIRST	ONRAMP_P_RP_MAX_RPS
#define ONRAMP_RP_BITS		(((1ULL << QCN_RP_NR_PARAMS) - 1) << ONRAMP_P_RP_FIRST)
/* Those that both kinds of reaction points have. */
#define ONRAMP_RP_SHARED_BITS	(ONRAMP_BIT(RP_MAX_RPS) | ONRAMP_BIT(RP_MAX_RATE_BPS) | \
				 ONRAMP_BIT(RP_MIN_RATE_BPS))
#define ONRAMP_RP_QCN_BITS	(ONRAMP_RP_BITS & ~ONRAMP_RP_SHARED_BITS)
#define ONRAMP_RP_FECN_BITS	(ONRAMP_BIT(RD_PERIOD_NS) | ONRAMP_BIT(RD_INITIAL_BPS) | \
				 ONRAMP_BIT(RD_REFLECT) | ONRAMP_BIT(RD_HOT))
static_assert(ONRAMP_P_RP_FIRST + QCN_RP_NR_PARAMS == ONRAMP_NR_PARAMS);
static_assert(ONRAMP_NR_PARAMS <= 64);

/* Senders whose CNMs are accepted, each a 48 bit number; 0: none. */
#define ONRAMP_CNM_FROM		8
#define ONRAMP_CNM_FROM_BITS	(((1ULL << ONRAMP_CNM_FROM) - 1) << ONRAMP_P_CNM_FROM0)
static_assert(ONRAMP_P_CNM_FROM0 + ONRAMP_CNM_FROM == ONRAMP_P_RD_PERIOD_NS);
/* The bit of a group address, which no sender has. */
#define ONRAMP_GROUP_BIT	0x10000000000ULL

/* Values of rp. */
#define ONRAMP_RP_OFF	0
#define ONRAMP_RP_QCN	1
#define ONRAMP_RP_FECN	2

/*
 * Why a set of parameters is refused, X(ID, message).  Values out of range
 * have their message in onramp_param_info().
 */
#define ONRAMP_REFUSALS(X)						       \
	X(BUCKETS, "buckets must be a power of 2")			       \
	X(REMEMBER, "remember must be a power of 2, or 0")		       \
	X(PRIOMAP, "priomap: there are bands 0, 1 and 2")		       \
	X(ERROR_MISSING, "clock system needs an error, the bound of its clock") \
	X(ERROR_EXTRA, "error goes with clock system")			       \
	X(RP_OFF, "rppp_max_rps and rpg_... need rp qcn or fecn, rd_... need rp fecn") \
	X(CNM_FROM_OFF, "cnm_from needs rp qcn or fecn")			       \
	X(CNM_FROM_GROUP, "cnm_from: the address of a group is no sender's")   \
	X(RP_FECN, "with rp fecn, rpg_... are rpg_max_rate and rpg_min_rate only") \
	X(RP_QCN, "rd_... need rp fecn")				       \
	X(RP_RATES, "rpg_min_rate must not be above rpg_max_rate")	       \
	X(RD_INITIAL, "rd_initial must not be below rpg_min_rate")

/** enum onramp_refusal - 0, or why a set of parameters is refused */
enum onramp_refusal {
	ONRAMP_ACCEPTED,
#define ONRAMP_X(id, text) ONRAMP_REFUSE_##id,
	ONRAMP_REFUSALS(ONRAMP_X)
#undef ONRAMP_X
	ONRAMP_NR_REFUSALS
};

/**
 * onramp_refusal_text() - the message for a refused set of parameters
 * @why: what onramp_settings_apply() returned
 *
 * Return: a message for the user; NULL for ONRAMP_ACCEPTED.
 */
static inline const char *onramp_refusal_text(enum onramp_refusal why)
{
	static const char *const text[] = {
		NULL,
#define ONRAMP_X(id, names) names,
		ONRAMP_REFUSALS(ONRAMP_X)
#undef ONRAMP_X
	};

	return (u32)why < ONRAMP_NR_REFUSALS ? text[why] : NULL;
}

/**
 * onramp_set() - give a parameter a value
 * @s: the settings
 * @id: which parameter
 * @value: within the range of its row, or it is refused
 *
 * Return: NULL, or the message that refuses the value.
 */
static inline const char *onramp_set(struct onramp_settings *s,
				     enum onramp_param id, u64 value)
{
	return params_set(onramp_param_info, id, value, &s->given, s->value);
}

/**
 * onramp_priomap_band() - the band of a priority
 * @priomap: the parameter: two bits a priority, the lowest first
 * @priority: 0 to ONRAMP_PRIORITIES - 1
 *
 * Return: 0 to 3; 3 is refused by onramp_settings_apply().
 */
static inline u32 onramp_priomap_band(u32 priomap, u32 priority)
{
	return priomap >> (2 * priority) & 3;
}

/* 1 2 2 2 1 2 0 0 1 1 1 1 1 1 1 1, as in pfifo_fast and fq */
#define ONRAMP_PRIOMAP_DEFAULT	0x555509a9

/**
 * onramp_settings_default() - the defaults
 * @s: written
 * @mtu: the device's, with its headers, bytes
 * @is_virtual: this is a virtual machine, whose stamps err by what its host
 *	does meanwhile
 *
 * fq's own, but for the last part: section 5.1 for g and, on bare metal, the
 * margin; the algorithm is the weighted one, which alone keeps a link as busy as fq
 * does.
 */
static inline void onramp_settings_default(struct onramp_settings *s, u32 mtu,
					   bool is_virtual)
{
	const u64 most = 1 << 20;
	u64 frame = mtu > most ? most : max(mtu, 1U);

	params_unset(onramp_param_info, U64_MAX, &s->given, s->value);
	onramp_set(s, ONRAMP_P_LIMIT, 10000);
	onramp_set(s, ONRAMP_P_FLOW_LIMIT, 100);
	onramp_set(s, ONRAMP_P_BUCKETS, 1024);
	onramp_set(s, ONRAMP_P_QUANTUM,
		   frame < 128 ? 256 : min(2 * frame, most));
	onramp_set(s, ONRAMP_P_INITIAL_QUANTUM, min(10 * frame, most));
	onramp_set(s, ONRAMP_P_LOW_RATE_THRESHOLD_BPS, 550000);
	onramp_set(s, ONRAMP_P_PACING, 1);
	onramp_set(s, ONRAMP_P_REFILL_DELAY_NS, 40000000);
	onramp_set(s, ONRAMP_P_ORPHAN_MASK, 65535);
	onramp_set(s, ONRAMP_P_TIMER_SLACK_NS, 10000);
	onramp_set(s, ONRAMP_P_HORIZON_NS, 10000000000ULL);
	onramp_set(s, ONRAMP_P_HORIZON_DROP, 1);
	onramp_set(s, ONRAMP_P_BANDS, ONRAMP_BANDS);
	onramp_set(s, ONRAMP_P_PRIOMAP, ONRAMP_PRIOMAP_DEFAULT);
	onramp_set(s, ONRAMP_P_WEIGHT0, 9 << 16);
	onramp_set(s, ONRAMP_P_WEIGHT1, 3 << 16);
	onramp_set(s, ONRAMP_P_WEIGHT2, 1 << 16);

	onramp_set(s, ONRAMP_P_MODE, 0);
	onramp_set(s, ONRAMP_P_LAW, 2);
	onramp_set(s, ONRAMP_P_GAIN, 16);
	onramp_set(s, ONRAMP_P_MAX_HOLD_NS, 5000000);
	onramp_set(s, ONRAMP_P_THRESHOLD_NS, 0);
	onramp_set(s, ONRAMP_P_MARGIN_NS, is_virtual ? 50000 : 10000);
	onramp_set(s, ONRAMP_P_CLOCK, 2);
	onramp_set(s, ONRAMP_P_MAX_ERROR_NS, 100000);
	onramp_set(s, ONRAMP_P_PATH_FRESH_NS, 1000000);
	onramp_set(s, ONRAMP_P_RECORD_IDLE_NS, 1000000000);
	onramp_set(s, ONRAMP_P_NIC_COMP, 0);
	onramp_set(s, ONRAMP_P_LINK_RATE_BPS, 0);
	onramp_set(s, ONRAMP_P_REMEMBER, 16384);
	onramp_set(s, ONRAMP_P_SOJOURN_HIST, 0);
	onramp_set(s, ONRAMP_P_RP, ONRAMP_RP_OFF);
}

/**
 * onramp_settings_rp() - what a reaction point reads
 * @s: settings
 * @p: written if NULL is returned
 *
 * Return: NULL, or the message that refuses the settings as a whole.
 */
static inline const char *onramp_settings_rp(const struct onramp_settings *s,
					     struct qcn_rp_params *p)
{
	struct qcn_rp_settings rp = { .given = s->given >> ONRAMP_P_RP_FIRST };
	const char *refusal;
	u32 id;

	for (id = 0; id < QCN_RP_NR_PARAMS; id++)
		rp.value[id] = s->value[ONRAMP_P_RP_FIRST + id];
	refusal = qcn_rp_params_make(&rp, p);
	if (!refusal)
		p->late_ns = s->value[ONRAMP_P_TIMER_SLACK_NS];
	return refusal;
}

static inline bool onramp_cnm_from_group(const struct onramp_settings *s)
{
	u32 i;

	for (i = 0; i < ONRAMP_CNM_FROM; i++)
		if (s->value[ONRAMP_P_CNM_FROM0 + i] & ONRAMP_GROUP_BIT)
			return true;
	return false;
}

/**
 * onramp_settings_rd() - what FECN's reaction point reads
 * @s: settings
 * @rp: of onramp_settings_rp(), with the highest rate in force
 * @p: written
 */
static inline void onramp_settings_rd(const struct onramp_settings *s,
				      const struct qcn_rp_params *rp, struct fecn_rp_params *p)
{
	p->period_ns = s->value[ONRAMP_P_RD_PERIOD_NS];
	p->max_kbps = div_u64(rp->max_bps, 1000);
	p->min_kbps = div_u64(rp->min_bps, 1000);
	p->initial_kbps = min_t(u64, div_u64(s->value[ONRAMP_P_RD_INITIAL_BPS], 1000),
				p->max_kbps);
}

/* The options that were given go with the kind of reaction point. */
static inline enum onramp_refusal onramp_rp_check(const struct onramp_settings *s)
{
	u64 kind = s->value[ONRAMP_P_RP];
	struct qcn_rp_params rp;

	if (kind == ONRAMP_RP_OFF && s->given & (ONRAMP_RP_BITS | ONRAMP_RP_FECN_BITS))
		return ONRAMP_REFUSE_RP_OFF;
	if (kind == ONRAMP_RP_OFF && s->given & ONRAMP_CNM_FROM_BITS)
		return ONRAMP_REFUSE_CNM_FROM_OFF;
	if (onramp_cnm_from_group(s))
		return ONRAMP_REFUSE_CNM_FROM_GROUP;
	if (kind == ONRAMP_RP_FECN && s->given & ONRAMP_RP_QCN_BITS)
		return ONRAMP_REFUSE_RP_FECN;
	if (kind == ONRAMP_RP_QCN && s->given & ONRAMP_RP_FECN_BITS)
		return ONRAMP_REFUSE_RP_QCN;
	if (onramp_settings_rp(s, &rp))
		return ONRAMP_REFUSE_RP_RATES;
	if (s->value[ONRAMP_P_RD_INITIAL_BPS] < rp.min_bps)
		return ONRAMP_REFUSE_RD_INITIAL;
	return ONRAMP_ACCEPTED;
}

/* Do the settings, as a whole, make sense? */
static inline enum onramp_refusal
onramp_settings_check(const struct onramp_settings *s)
{
	bool published = s->value[ONRAMP_P_CLOCK] == 2;
	bool error = s->given & ONRAMP_BIT(ERROR_NS);
	u64 buckets = s->value[ONRAMP_P_BUCKETS];
	u64 remember = s->value[ONRAMP_P_REMEMBER];
	u32 priority;

	if (buckets & (buckets - 1))
		return ONRAMP_REFUSE_BUCKETS;
	if (remember & (remember - 1))
		return ONRAMP_REFUSE_REMEMBER;
	for (priority = 0; priority < ONRAMP_PRIORITIES; priority++)
		if (onramp_priomap_band(s->value[ONRAMP_P_PRIOMAP],
					priority) >= ONRAMP_BANDS)
			return ONRAMP_REFUSE_PRIOMAP;
	if (!published && !error)
		return ONRAMP_REFUSE_ERROR_MISSING;
	if (published && error)
		return ONRAMP_REFUSE_ERROR_EXTRA;
	return onramp_rp_check(s);
}

/* Forget what another kind of reaction point does not have. */
static inline void onramp_rp_yield(struct onramp_settings *s, u64 kind)
{
	if (kind == ONRAMP_RP_OFF)
		params_unset(onramp_param_info, ONRAMP_RP_BITS | ONRAMP_CNM_FROM_BITS,
			     &s->given, s->value);
	if (kind == ONRAMP_RP_FECN)
		params_unset(onramp_param_info, ONRAMP_RP_QCN_BITS, &s->given, s->value);
	if (kind != ONRAMP_RP_FECN)
		params_unset(onramp_param_info, ONRAMP_RP_FECN_BITS, &s->given, s->value);
}

/**
 * onramp_settings_apply() - change settings by a request
 * @s: the settings in force; untouched if the request is refused
 * @req: the request, every value already within its own range
 *
 * The published clock brings its own error: one given for the system's goes.  So do the
 * reaction point's parameters with rp off.
 *
 * Return: ONRAMP_ACCEPTED, or why not.
 */
static inline enum onramp_refusal
onramp_settings_apply(struct onramp_settings *s,
		      const struct onramp_settings *req)
{
	struct onramp_settings next = *s;
	enum onramp_refusal why;

	if (req->given & ONRAMP_BIT(CLOCK) &&
	    req->value[ONRAMP_P_CLOCK] == 2)
		params_unset(onramp_param_info, ONRAMP_BIT(ERROR_NS), &next.given, next.value);
	if (req->given & ONRAMP_BIT(RP))
		onramp_rp_yield(&next, req->value[ONRAMP_P_RP]);
	params_add(ONRAMP_NR_PARAMS, &next.given, next.value, req->given, req->value);
	why = onramp_settings_check(&next);
	if (!why)
		*s = next;
	return why;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_PARAMS_H */
