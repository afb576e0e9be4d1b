/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QCN's reaction point: its parameters and their ranges.
 *
 * The names are the members of the kernel's struct ieee_qcn, and of IEEE8021-CN-MIB the
 * objects ieee8021CnRpPortPriMaxRps and ieee8021CnRpg*, which also has the defaults; units are
 * ns, bytes and bit/s.  Where the MIB has no range, and that of rppp_max_rps, it is this project's.
 */
#ifndef SHARPRAMP_ALGO_QCN_RP_PARAMS_H
#define SHARPRAMP_ALGO_QCN_RP_PARAMS_H

#include "param_info.h"
#include "qcn_rp.h"

/*
 * Every parameter, once: ROW(X, ID, name in tc, bits on the wire, least, most, default, unit).
 * The default of rpg_max_rate is for a device of unknown speed.
 */
#define QCN_RP_ROWS(ROW, X)								\
	ROW(X, MAX_RPS, "rppp_max_rps", 32, 1, 4096, 100, "reaction points")		\
	ROW(X, TIME_RESET_NS, "rpg_time_reset", 64, 100000, 1000000000, 15000000, "ns")	\
	ROW(X, BYTE_RESET, "rpg_byte_reset", 32, 10000, 2147483647, 150000, "bytes")	\
	ROW(X, THRESHOLD, "rpg_threshold", 32, 1, 1000, 5, "stages")			\
	ROW(X, MAX_RATE_BPS, "rpg_max_rate", 64, 1000000, 400000000000, 10000000000, "bit/s") \
	ROW(X, AI_RATE_BPS, "rpg_ai_rate", 64, 1000, 400000000000, 5000000, "bit/s")	\
	ROW(X, HAI_RATE_BPS, "rpg_hai_rate", 64, 1000, 400000000000, 50000000, "bit/s")	\
	ROW(X, GD, "rpg_gd", 8, 1, 16, 7, "binary digits")				\
	ROW(X, MIN_DEC_FAC, "rpg_min_dec_fac", 8, 1, 100, 50, "percent")		\
	ROW(X, MIN_RATE_BPS, "rpg_min_rate", 64, 1000, 400000000000, 5000000, "bit/s")

#define QCN_RP_ROW(X, ...) X(__VA_ARGS__)
/* Likewise X(ID, ...), alone. */
#define QCN_RP_PARAMETERS(X) QCN_RP_ROWS(QCN_RP_ROW, X)

/** enum qcn_rp_param - index of a parameter in struct qcn_rp_settings */
enum qcn_rp_param {
#define QCN_RP_X(id, name, bits, least, most, preset, unit) QCN_RP_##id,
	QCN_RP_PARAMETERS(QCN_RP_X)
#undef QCN_RP_X
	QCN_RP_NR_PARAMS
};

/**
 * qcn_rp_param_info() - the row of a parameter
 * @id: its index
 *
 * Return: the row; NULL if there is no such parameter.
 */
static inline const struct param_info *qcn_rp_param_info(u32 id)
{
	static const struct param_info info[] = {
#define QCN_RP_X(id, name, bits, least, most, preset, unit) \
		[QCN_RP_##id] = PARAM_INFO(name, bits, least, most, preset, unit),
		QCN_RP_PARAMETERS(QCN_RP_X)
#undef QCN_RP_X
	};

	return id < QCN_RP_NR_PARAMS ? &info[id] : NULL;
}

/**
 * struct qcn_rp_settings - what the user configured
 * @given: bit n is set if parameter n was given
 * @value: by enum qcn_rp_param; the default where not given
 */
struct qcn_rp_settings {
	u64 given;
	u64 value[QCN_RP_NR_PARAMS];
};

/**
 * qcn_rp_settings_default() - the defaults
 * @s: written
 */
static inline void qcn_rp_settings_default(struct qcn_rp_settings *s)
{
	params_unset(qcn_rp_param_info, U64_MAX, &s->given, s->value);
}

/**
 * qcn_rp_set() - give a parameter a value
 * @s: the settings
 * @id: which parameter
 * @value: within the range of its row, or it is refused
 *
 * Return: NULL, or the message that refuses the value.
 */
static inline const char *qcn_rp_set(struct qcn_rp_settings *s, enum qcn_rp_param id, u64 value)
{
	return params_set(qcn_rp_param_info, id, value, &s->given, s->value);
}

/**
 * qcn_rp_params_make() - what the algorithm reads, from what the user configured
 * @s: settings, each within its range
 * @p: written if NULL is returned
 *
 * Return: NULL, or the message that refuses the settings as a whole.
 */
static inline const char *qcn_rp_params_make(const struct qcn_rp_settings *s,
					     struct qcn_rp_params *p)
{
	if (s->value[QCN_RP_MIN_RATE_BPS] > s->value[QCN_RP_MAX_RATE_BPS])
		return "rpg_min_rate must not be above rpg_max_rate";
	p->max_bps = s->value[QCN_RP_MAX_RATE_BPS];
	p->min_bps = s->value[QCN_RP_MIN_RATE_BPS];
	p->ai_bps = s->value[QCN_RP_AI_RATE_BPS];
	p->hai_bps = s->value[QCN_RP_HAI_RATE_BPS];
	p->time_ns = s->value[QCN_RP_TIME_RESET_NS];
	p->bytes = s->value[QCN_RP_BYTE_RESET];
	p->threshold = s->value[QCN_RP_THRESHOLD];
	p->gd = s->value[QCN_RP_GD];
	p->min_dec_percent = s->value[QCN_RP_MIN_DEC_FAC];
	p->late_ns = 0;
	return NULL;
}

#endif /* SHARPRAMP_ALGO_QCN_RP_PARAMS_H */
