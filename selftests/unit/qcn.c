// SPDX-License-Identifier: GPL-2.0
/*
 * QCN: congestion point, reaction point, occupancy sampling and PAUSE. Vectors, random input
 * compared with the oracle, how often a flow is sampled, and the tables of parameters.
 */
#include <stdio.h>

#include "cp_params.h"
#include "options.h"
#include "oracle_qcn.h"
#include "qcn_rp_params.h"
#include "qcn_vectors.h"
#include "random.h"

static void agree(const char *what, const char *differs, unsigned long i)
{
	tap_ok(!differs, "%s", what);
	if (differs)
		tap_remark("%lu: %s", i, differs);
}

static void vectors_test(void)
{
	const char *wrong;
	u32 i;

	for (i = 0; i < QCN_CP_VECTORS; i++) {
		wrong = qcn_cp_vector_run(&qcn_cp_vectors[i]);
		if (!tap_ok(!wrong, "qcn_cp_on_arrival__vector_%u", i))
			tap_remark("%s", wrong);
	}
	wrong = qcn_rp_vectors_run(&i);
	agree("qcn_rp__vectors", wrong, i);
	tap_ok(!cp_step_on_arrival(60000, 60000) && cp_step_on_arrival(60000, 60001),
	       "cp_step_on_arrival__above_k");
	tap_ok(pause_quanta_ns(65535, 10000000000ULL) == 3355392 &&
		       pause_quanta_ns(1, 400000000000ULL) == 1 &&
		       pause_quanta_ns(65535, 1000) == 33553920000000ULL && !pause_quanta_ns(0, 1),
	       "pause_quanta_ns");
}

/* A number up to a limit, of any size. */
static u32 up_to(u64 *seed, u32 most)
{
	return random_scale(seed) % ((u64)most + 1);
}

static void cp_test(u64 seed, unsigned long n)
{
	unsigned long i, notified = 0;
	const char *differs = NULL;
	struct pair_cp c = {};
	u32 q, len, base;
	bool table;
	int w;

	for (i = 0; i < n && !differs; i++) {
		if (i % 128 == 0) {
			notified += i ? c.notified : 0;
			base = 1 + up_to(&seed, QCN_CP_BYTES_MAX - 1);
			w = (int)random_below(&seed, 21) - 10;
			table = random_below(&seed, 4);
			pair_cp_start(&c, 1 + up_to(&seed, QCN_CP_BYTES_MAX - 1), base, w, table);
		}
		/* Near the set point, or anywhere; a frame, or as much as makes a sample. */
		q = random_below(&seed, 2) ? up_to(&seed, QCN_CP_BYTES_MAX) :
		    random_below(&seed, min(4ULL * c.p.qeq_bytes, 1ULL << 31));
		len = random_below(&seed, 2) ? up_to(&seed, 65535) :
		      min_t(s64, c.v.sample_bytes + random_below(&seed, 3), QCN_CP_BYTES_MAX);
		differs = pair_cp_arrival(&c, q, len, random_u64(&seed));
	}
	agree("qcn_cp_on_arrival__agrees_with_the_oracle", differs, i);
	tap_ok(differs || notified > n / 16, "input__has_feedback");
}

static void rp_start(struct pair_rp *r, u64 *seed)
{
	*r = (struct pair_rp){};
	r->p.max_bps = 1000000 + random_scale(seed) % (QCN_RP_RATE_MAX - 999999);
	r->p.ai_bps = 1000 + random_scale(seed) % (QCN_RP_RATE_MAX - 999);
	r->p.hai_bps = 1000 + random_scale(seed) % (QCN_RP_RATE_MAX - 999);
	r->p.time_ns = 100000 + random_scale(seed) % 999900001;
	r->p.bytes = 10000 + up_to(seed, 2147473647);
	r->p.threshold = 1 + random_below(seed, random_below(seed, 4) ? 6 : 1000);
	r->p.gd = random_below(seed, 2) ? 7 : 1 + random_below(seed, 16);
	r->p.min_dec_percent = 1 + random_below(seed, 100);
	r->p.late_ns = random_below(seed, 2) ? up_to(seed, 4294967295U) : 0;
	r->p.min_bps = 1000 + random_scale(seed) % (r->p.max_bps - 999);
}

static void rp_test(u64 seed, unsigned long n)
{
	const char *differs = NULL;
	u64 now = 0, hyper = 0;
	struct pair_rp r = {};
	unsigned long i;
	u32 fb, len, segments;

	for (i = 0; i < n && !differs; i++) {
		if (i % 256 == 0) {
			hyper += i ? r.s.hyper_increases : 0;
			now = random_below(&seed, i % 512 ? 1ULL << 60 : 1ULL << 20);
			rp_start(&r, &seed);
		}
		fb = random_below(&seed, 24) ? 0 : random_below(&seed, 70);
		len = random_below(&seed, 3) ? random_below(&seed, 1 << 24) :
		      up_to(&seed, r.p.bytes % (1 << 24));
		/* On, before and after the timer; rarely back, or asleep. */
		if (random_below(&seed, 2))
			now += random_below(&seed, r.p.time_ns);
		else if (r.limited && random_below(&seed, 2))
			now = r.v.time_up_ns + random_below(&seed, 3) - 1;
		else if (random_below(&seed, 64))
			now += random_below(&seed, 100000);
		else if (random_below(&seed, 2))
			now += 40 * r.p.time_ns;
		else
			now -= random_below(&seed, min(now, 1000000ULL) + 1);
		segments = 1 + random_below(&seed, 64);
		if (random_below(&seed, 512))
			differs = pair_rp_do(&r, fb, random_below(&seed, 4) ? len : 0, segments, now);
		else
			differs = pair_rp_release(&r);
	}
	agree("qcn_rp__agrees_with_the_oracle", differs, i);
	tap_ok(differs || hyper > n / 64, "input__has_hyper_increases");
}

static void occupancy_test(u64 seed, unsigned long n)
{
	static struct pair_occupancy c;
	const char *differs = NULL;
	unsigned long i;
	u32 fill = 1;

	for (i = 0; i < n && !differs; i++) {
		if (i % 4096 == 0) {
			pair_occupancy_start(&c, random_below(&seed, 257));
			fill = 1 + random_below(&seed, 3);
		}
		if (random_below(&seed, 4) >= fill)
			differs = pair_occupancy_remove(&c, random_u64(&seed));
		else
			differs = pair_occupancy_add(&c, up_to(&seed, 65535),
						     random_u64(&seed) % 1030);
		if (!differs && i % 64 == 0)
			differs = pair_occupancy_differ(&c);
		if (!differs && i % 64 == 1)
			differs = pair_occupancy_sample(&c, up_to(&seed, U32_MAX));
	}
	agree("cp_occupancy__agrees_with_the_oracle", differs, i);
}

/**
 * struct mix - frames of two flows in a buffer
 * @name: of the test
 * @frames: how many, a flow
 * @len: how long, a flow
 */
struct mix {
	const char *name;
	u32 frames[2];
	u32 len[2];
};

/* The last is one that random slots hardly ever hit, so that the array is searched. */
static const struct mix mixes[] = {
	{ "alike", { 40, 40 }, { 1522, 1522 } },
	{ "few_and_many", { 5, 95 }, { 1522, 1522 } },
	{ "short_and_long", { 100, 40 }, { 64, 1522 } },
	{ "a_byte_into_a_unit", { 50, 50 }, { 64, 65 } },
	{ "one_large", { 200, 1 }, { 64, 6400 } },
	{ "one_that_is_nearly_all", { 250, 1 }, { 1, 65536 } },
	{ "one_that_was_larger", { 60, 60 }, { 64, 128 } },
};

/* P(n) = q_n / q within four standard deviations, and of the frames of a flow each is found. */
static void share_test(const struct mix *m, u64 *seed, unsigned long n)
{
	real units[2], share, deviation;
	static struct pair_occupancy c;
	static bool found[ORACLE_FRAMES];
	unsigned long hits = 0, i;
	u32 flow, at;

	pair_occupancy_start(&c, ORACLE_FRAMES);
	memset(found, 0, sizeof(found));
	for (flow = 0; flow < 2; flow++) {
		units[flow] = (real)m->frames[flow] * oracle_units(m->len[flow]);
		for (i = 0; i < m->frames[flow]; i++)
			pair_occupancy_add(&c, m->len[flow], flow);
	}
	if (m == &mixes[6]) {
		pair_occupancy_add(&c, 1 << 24, 2);
		pair_occupancy_remove(&c, c.n - 1);
	}
	for (i = 0; i < n; i++) {
		at = cp_occupancy_random(&c.o, random_u64(seed));
		hits += c.slots[at].bucket;
		found[at] = true;
	}
	share = units[1] / (units[0] + units[1]);
	deviation = sqrtl(n * share * (1 - share));
	if (!tap_ok(fabsl(hits - n * share) <= 4 * deviation, "cp_occupancy_random__%s", m->name))
		tap_remark("%lu of %lu, not %.0Lf", hits, n, n * share);
	for (at = 0; at < c.n && found[at]; at++)
		;
	tap_ok(at == c.n, "cp_occupancy_random__%s_each_frame", m->name);
}

/* cp_occupancy_largest() returns a frame of the flow with the most units; on a tie, of the lower bucket. */
static void largest_test(void)
{
	static struct pair_occupancy c;
	bool found[8] = {}, good = true;
	u32 i, at;

	pair_occupancy_start(&c, 8);
	for (i = 0; i < 8; i++)
		pair_occupancy_add(&c, i % 2 ? 128 : 64, i % 2 ? 7 : 1030);
	for (i = 0; i < 4; i++)
		found[cp_occupancy_largest(&c.o)] = true;
	for (at = 0; at < 8; at++)
		good = good && found[at] == at % 2;
	tap_ok(good, "cp_occupancy_largest__each_frame_of_the_flow");
	for (i = 0; i < 12; i++)
		good = good && cp_occupancy_at_unit(&c.o, i) == i / 3 * 2 + (i % 3 > 0);
	tap_ok(good, "cp_occupancy_at_unit");
	tap_ok(cp_occupancy_has(&c.o, 7, c.slots[7].frame) &&
	       !cp_occupancy_has(&c.o, 6, c.slots[7].frame) &&
	       !cp_occupancy_has(&c.o, 8, c.slots[8].frame), "cp_occupancy_has");
	tap_ok(cp_occupancy_add(&c.o, &c, 64, 9) == CP_NO_SLOT && c.o.count == 8 && !c.flows.units[9],
	       "cp_occupancy_add__no_slot");
	pair_occupancy_remove(&c, 7);
	pair_occupancy_remove(&c, 5);
	tap_ok(c.slots[cp_occupancy_largest(&c.o)].bucket == 6, "cp_occupancy_largest__tie");
	tap_ok(cp_units(0) == 1 && cp_units(64) == 1 && cp_units(65) == 2, "cp_units");
	tap_ok(cp_units(U32_MAX) == 1 << 26, "cp_units__largest");
}

/* cp_occupancy_at() finds the frame of each unit, in a buffer of several groups of blocks, filled and half emptied. */
static void at_unit_test(u64 seed)
{
	static struct pair_occupancy c;
	const char *differs;
	u32 i, unit, at = 0;

	pair_occupancy_start(&c, ORACLE_FRAMES);
	for (i = 0; i < ORACLE_FRAMES; i++)
		pair_occupancy_add(&c, up_to(&seed, 200), random_u64(&seed));
	for (i = 0; i < ORACLE_FRAMES / 20; i++)
		pair_occupancy_remove(&c, random_u64(&seed));
	differs = pair_occupancy_differ(&c);
	for (unit = 0; unit < c.o.units && !differs; at++)
		for (i = 0; i < c.slots[at].units && !differs; i++)
			if (cp_occupancy_at_unit(&c.o, unit++) != at)
				differs = "frame of a unit";
	agree("cp_occupancy_at_unit__of_many_blocks", differs, unit);
}

/* When something is due: a PAUSE again, the watchdog, the end of a PAUSE or a storm. */
static u64 pause_time(const struct pair_pause *c, u64 now, u32 which)
{
	u64 due = which == 0 ? c->send.refresh_ns :
		  which == 1 ? c->from + PAUSE_STORM_AFTER_NS : max(c->to, c->storm_to);

	return max(now, due);
}

static void pause_test(u64 seed, unsigned long n)
{
	struct pair_pause c = {};
	const char *differs = NULL;
	unsigned long i;
	u64 now = 1, pause_ns;
	u32 q;

	for (i = 0; i < n && !differs; i++) {
		if (i % 4096 == 0) {
			c = (struct pair_pause){ .p.xoff_bytes = 1 + up_to(&seed, 200000) };
			c.p.xon_bytes = random_below(&seed, c.p.xoff_bytes);
			c.p.pause_ns = random_below(&seed, 3) ? 3355392 : random_scale(&seed) >> 24;
		}
		if (random_below(&seed, 3)) {
			now += random_below(&seed, c.p.pause_ns + 2);
		} else {
			now = pause_time(&c, now, random_below(&seed, 3));
			now += random_below(&seed, 3) - 1;
		}
		q = random_below(&seed, 4) ? random_below(&seed, 220000) :
		    random_below(&seed, 2) ? c.p.xoff_bytes - random_below(&seed, 2) :
		    c.p.xon_bytes + random_below(&seed, 2);
		pause_ns = random_below(&seed, 32) ? c.p.pause_ns << random_below(&seed, 9) : 0;
		if (random_below(&seed, 3))
			pair_pause_frame(&c, pause_ns, now);
		differs = pair_pause_queue(&c, q, now);
		if (!differs)
			differs = pair_pause_check(&c, now);
	}
	agree("pause__agrees_with_the_oracle", differs, i);
}

/* A refusal that names the parameter and its range; used with both tables of parameters. */
static bool range_is(const char *name, const char *refusal, long long least, long long most)
{
	char want[128];
	int n = snprintf(want, sizeof(want), "%s is out of range: %lld to %lld ", name, least,
			 most);

	return refusal && !strncmp(refusal, want, n) && refusal[n];
}

static void table_test(param_table table, u32 count)
{
	const struct param_info *info;
	const char *below, *above;
	u64 given = 0, value[64];
	s64 widest;
	bool good;
	u32 id;

	params_unset(table, U64_MAX, &given, value);
	for (id = 0; (info = table(id)); id++) {
		widest = info->bits == 8 ? (info->least < 0 ? 127 : 255) :
			 info->bits == 32 ? U32_MAX : S64_MAX;
		good = (s64)value[id] == info->preset && info->most <= widest;
		good = good && !params_set(table, id, info->least, &given, value) &&
		       (s64)value[id] == info->least;
		good = good && !params_set(table, id, info->most, &given, value) &&
		       given >> id & 1;
		below = params_set(table, id, info->least - 1, &given, value);
		above = params_set(table, id, info->most + 1, &given, value);
		good = good && range_is(info->name, below, info->least, info->most) &&
		       range_is(info->name, above, info->least, info->most) &&
		       (s64)value[id] == info->most;
		tap_ok(good, "params_set__%s", info->name);
	}
	tap_ok(id == count && !table(U32_MAX), "param_info__no_such_parameter");
}

static void ranges_test(void)
{
	table_test(cp_param_info, CP_NR_PARAMS);
	table_test(qcn_rp_param_info, QCN_RP_NR_PARAMS);
}

/* The id one higher, so that 0 ends a list. */
struct setting {
	u8 id;
	s64 value;
};

/**
 * struct request - two requests, one after the other
 * @name: of the test
 * @why: of the last
 * @setting: of the first
 * @next: of the second; none: the first is judged
 */
struct request {
	const char *name;
	enum cp_refusal why;
	struct setting setting[8];
	struct setting next[4];
};

#define W(id, value)	{ CP_P_##id + 1, value }
#define NONE		W(LAW, CP_LAW_NONE)
#define QCN		W(LAW, CP_LAW_QCN)
#define FECN		W(LAW, CP_LAW_FECN)
#define STEP		W(LAW, CP_LAW_STEP), W(K, 60000), ECN
#define ECN		W(SIGNAL, CP_SIGNAL_ECN)
#define INPUT		W(AT, CP_AT_INPUT)
#define PAUSE(at)	W(PAUSE, CP_PAUSE_##at)
#define REFUSE(id)	CP_REFUSE_##id

/* The first three are the design's commands. */
static const struct request requests[] = {
	{ "standard", CP_ACCEPTED, { QCN, W(AT, CP_AT_OUTPUT), W(SERVICE, CP_SERVICE_FIFO) }, {} },
	{ "paper", CP_ACCEPTED,
	  { QCN, INPUT, W(SAMPLE, CP_SAMPLE_RANDOM), W(QEQ, 60000), PAUSE(INPUT) },
	  { W(BUFFER, 150000), W(XOFF, 110000), W(XON, 44000) } },
	{ "step", CP_ACCEPTED, { STEP, INPUT, W(SAMPLE, CP_SAMPLE_LARGEST) }, {} },
	{ "none", CP_ACCEPTED, { NONE, PAUSE(OUTPUT) }, {} },
	{ "no_law", REFUSE(LAW_MISSING), { W(QEQ, 60000) }, {} },
	{ "step_without_k", REFUSE(K_MISSING), { W(LAW, CP_LAW_STEP), ECN }, {} },
	{ "step_by_cnm", REFUSE(STEP_CNM), { W(LAW, CP_LAW_STEP), W(K, 60000) }, {} },
	{ "k_of_qcn", REFUSE(K_EXTRA), { QCN, W(K, 60000) }, {} },
	{ "qeq_of_step", REFUSE(QEQ_EXTRA), { STEP, W(QEQ, 60000) }, {} },
	{ "qeq_of_none", REFUSE(QEQ_EXTRA), { NONE, W(QEQ, 60000) }, {} },
	{ "w_of_fecn", REFUSE(QCN_EXTRA), { FECN, W(W, 1) }, {} },
	{ "at_of_fecn", REFUSE(LAW_EXTRA), { FECN, W(AT, 0) }, {} },
	{ "k_of_fecn", REFUSE(K_EXTRA), { FECN, W(K, 60000) }, {} },
	{ "interval_of_qcn", REFUSE(FECN_EXTRA), { QCN, W(INTERVAL_NS, 1000000) }, {} },
	{ "a_of_step", REFUSE(FECN_EXTRA), { STEP, W(A, 1002000) }, {} },
	{ "flows_of_none", REFUSE(FECN_EXTRA), { NONE, W(FLOWS, 50) }, {} },
	{ "hot_of_qcn", REFUSE(FECN_EXTRA), { QCN, W(HOT, 0) }, {} },
	{ "slope_without_stages", REFUSE(SLOPE_EXTRA), { FECN, W(SLOPE, 2000) }, {} },
	{ "a_of_four_decimals", REFUSE(DECIMALS), { FECN, W(A, 1002100) }, {} },
	{ "b_of_four_decimals", REFUSE(DECIMALS), { FECN, W(B, 1100500) }, {} },
	{ "c_of_six_decimals", REFUSE(DECIMALS), { FECN, W(C, 100001) }, {} },
	{ "gamma_of_six_decimals", REFUSE(DECIMALS), { FECN, W(GAMMA, 990001) }, {} },
	{ "qeq_is_limit", REFUSE(QEQ_LIMIT), { FECN, W(QEQ, 50000), W(LIMIT, 50000) }, {} },
	{ "limit_is_qeq", REFUSE(QEQ_LIMIT), { FECN }, { W(LIMIT, 26000) } },
	{ "hot_is_qeq", REFUSE(HOT_QEQ), { FECN, W(HOT, 26000) }, {} },
	{ "hot_is_limit", REFUSE(HOT_LIMIT), { FECN, W(HOT, 60000), W(LIMIT, 60000) }, {} },
	{ "header_without_hot", REFUSE(CNM_EXTRA), { FECN, W(HEADER_OCTETS, 1) }, {} },
	{ "hot_and_header", CP_ACCEPTED, { FECN, W(HOT, 60000), W(HEADER_OCTETS, 26) }, {} },
	{ "stages_and_slope", CP_ACCEPTED, { FECN, W(STAGES, 3), W(SLOPE, 2000) }, {} },
	{ "table_of_none", REFUSE(QCN_EXTRA), { NONE, W(SAMPLE_TABLE, 1) }, {} },
	{ "sample_of_none", REFUSE(LAW_EXTRA), { NONE, W(SAMPLE, 1) }, {} },
	{ "header_of_ecn", REFUSE(CNM_EXTRA), { QCN, ECN, W(HEADER_OCTETS, 1) }, {} },
	{ "header_of_step", REFUSE(CNM_EXTRA), { STEP }, { W(HEADER_OCTETS, 1) } },
	{ "qeq_is_buffer", REFUSE(QEQ_BUFFER), { QCN, INPUT, W(QEQ, 150000) }, {} },
	{ "qeq_is_buffer_at_output", CP_ACCEPTED, { QCN, W(QEQ, 150000) }, {} },
	{ "buffer_is_qeq", REFUSE(QEQ_BUFFER), { QCN, INPUT }, { W(BUFFER, 26000) } },
	{ "k_is_buffer", REFUSE(K_BUFFER), { STEP, INPUT, W(BUFFER, 60000) }, {} },
	{ "k_is_buffer_at_output", CP_ACCEPTED, { STEP, W(BUFFER, 60000) }, {} },
	{ "xoff_without_pause", REFUSE(PAUSE_EXTRA), { QCN, W(XOFF, 110000) }, {} },
	{ "quanta_without_pause", REFUSE(PAUSE_EXTRA), { QCN, W(QUANTA, 1) }, {} },
	{ "xon_is_xoff", REFUSE(XON_XOFF), { QCN, PAUSE(INPUT) }, { W(XON, 110000) } },
	{ "xoff_is_buffer", REFUSE(XOFF_BUFFER), { QCN, PAUSE(INPUT), W(XOFF, 150000) }, {} },
	{ "xoff_is_limit", REFUSE(XOFF_LIMIT), { QCN, PAUSE(OUTPUT), W(LIMIT, 110000) }, {} },
	{ "xoff_above_buffer_at_output", CP_ACCEPTED, { QCN, PAUSE(OUTPUT), W(XOFF, 150000) }, {} },
	/* From one request to the next. */
	{ "step_after_qcn", CP_ACCEPTED, { QCN, W(QEQ, 60000), W(HEADER_OCTETS, 1) }, { STEP } },
	{ "qcn_after_step", CP_ACCEPTED, { STEP }, { QCN } },
	{ "none_after_qcn", CP_ACCEPTED, { QCN, INPUT, W(W, -10), W(HEADER_OCTETS, 1) }, { NONE } },
	{ "none_after_step", CP_ACCEPTED, { STEP }, { NONE } },
	{ "ecn_after_header", CP_ACCEPTED, { QCN, W(HEADER_OCTETS, 1) }, { ECN } },
	{ "fecn_after_qcn", CP_ACCEPTED,
	  { QCN, INPUT, W(W, 2), W(QEQ, 60000), W(HEADER_OCTETS, 1) }, { FECN } },
	{ "qcn_after_fecn", CP_ACCEPTED, { FECN, W(A, 1000000), W(QEQ, 60000) }, { QCN } },
	{ "step_after_fecn", CP_ACCEPTED, { FECN, W(GAMMA, 1000000), W(QEQ, 60000) }, { STEP } },
	{ "fecn_again", CP_ACCEPTED, { FECN, W(HOT, 60000), W(HEADER_OCTETS, 26) }, { FECN } },
	{ "hot_off", CP_ACCEPTED, { FECN, W(HOT, 60000), W(HEADER_OCTETS, 26) }, { W(HOT, 0) } },
	{ "stages_off", CP_ACCEPTED, { FECN, W(STAGES, 2), W(SLOPE, 9) }, { W(STAGES, 0) } },
	{ "pause_off", CP_ACCEPTED, { QCN, PAUSE(INPUT), W(XOFF, 100000) }, { PAUSE(OFF) } },
	{ "pause_again", REFUSE(XON_XOFF), { QCN, PAUSE(INPUT), W(XOFF, 45000) },
	  { PAUSE(OUTPUT), W(XON, 45000) } },
};

static enum cp_refusal ask(struct cp_settings *s, const struct setting *setting)
{
	struct cp_settings req = {};

	for (; setting->id; setting++)
		if (cp_set(&req, setting->id - 1, setting->value))
			return CP_NR_REFUSALS;
	return cp_settings_apply(s, &req);
}

/* Parameters that were not given have their defaults. */
static bool has_defaults(const struct cp_settings *s)
{
	u32 id;

	for (id = 0; id < CP_NR_PARAMS; id++)
		if (!(s->given >> id & 1) && (s64)s->value[id] != cp_param_info(id)->preset)
			return false;
	return true;
}

static void requests_test(void)
{
	const struct request *r;
	struct cp_settings s, before;
	enum cp_refusal why;
	u32 i, seen = 0;
	bool good;

	for (i = 0; i < sizeof(requests) / sizeof(requests[0]); i++) {
		r = &requests[i];
		cp_settings_default(&s);
		before = s;
		why = ask(&s, r->setting);
		if (r->next->id && !why) {
			before = s;
			why = ask(&s, r->next);
		}
		good = why == r->why && has_defaults(&s);
		good = good && (!why || !memcmp(&s, &before, sizeof(s)));
		if (!tap_ok(good, "cp_settings_apply__%s", r->name))
			tap_remark("%s", why ? cp_refusal_text(why) : "accepted");
		seen |= 1U << r->why;
	}
	tap_ok(seen == (1U << CP_NR_REFUSALS) - 1, "cp_settings_apply__each_refusal");
	for (i = 1; i < CP_NR_REFUSALS && *cp_refusal_text(i); i++)
		;
	tap_ok(i == CP_NR_REFUSALS && !cp_refusal_text(0) && !cp_refusal_text(i),
	       "cp_refusal_text");
}

static void params_test(void)
{
	const struct qcn_rp_params want = {
		10000000000ULL, 5000000, 5000000, 50000000, 15000000, 150000, 5, 7, 50, 0,
	};
	struct qcn_rp_params rp = {};
	struct qcn_rp_settings r;
	struct qcn_cp_params cp;
	struct cp_settings s;

	qcn_rp_settings_default(&r);
	tap_ok(!qcn_rp_params_make(&r, &rp) && !memcmp(&rp, &want, sizeof(rp)),
	       "qcn_rp_params_make__default");
	qcn_rp_set(&r, QCN_RP_MIN_RATE_BPS, 10000000001ULL);
	tap_ok(qcn_rp_params_make(&r, &rp) && !memcmp(&rp, &want, sizeof(rp)),
	       "qcn_rp_params_make__refused");
	qcn_rp_set(&r, QCN_RP_MIN_RATE_BPS, 10000000000ULL);
	tap_ok(!qcn_rp_params_make(&r, &rp) && rp.min_bps == rp.max_bps,
	       "qcn_rp_params_make__one_rate");
	cp_settings_default(&s);
	cp_qcn_params_make(&s, &cp);
	tap_ok(cp.qeq_bytes == 26000 && cp.sample_base == 150000 && cp.w_q10 == 2048 &&
	       cp.sample_table, "cp_qcn_params_make");
	tap_ok(cp_rate_ns(1500, 1000000000) == 12000 && cp_rate_ns(49, 400000000000ULL) == 0 &&
	       cp_rate_ns(50, 400000000000ULL) == 1 && cp_rate_ns(9000, 1) == 72000000000000ULL &&
	       cp_rate_ns(2147483647, 1) == 17179869176000000000ULL, "cp_rate_ns");
}

/* The first that fails is enough. */
static void (*const random_tests[])(u64 seed, unsigned long n) = {
	cp_test, rp_test, occupancy_test, pause_test,
};

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 250000, "inputs, four times");
	u64 seed = o.seed;
	u32 i;

	vectors_test();
	largest_test();
	at_unit_test(o.seed);
	ranges_test();
	requests_test();
	params_test();
	for (i = 0; i < sizeof(mixes) / sizeof(mixes[0]); i++)
		share_test(&mixes[i], &seed, 40000);
	for (i = 0; i < sizeof(random_tests) / sizeof(random_tests[0]) && !tap_failed; i++)
		random_tests[i](o.seed, o.n);
	return tap_done();
}
