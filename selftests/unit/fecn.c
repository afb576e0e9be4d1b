// SPDX-License-Identifier: GPL-2.0
/*
 * FECN: the congestion point's rate, the reaction point, and RD messages. Vectors, the paper's
 * criterion of stability, random input compared with real numbers, and frames written by hand.
 */
#include <float.h>
#include <math.h>

#include "fecn_vectors.h"
#include "fecn_wire.h"
#include "frames.h"
#include "options.h"
#include "random.h"

static_assert(LDBL_MANT_DIG >= 64, "long double is too short");
static_assert(FECN_RD_MAX_BYTES == 68, "longest RD");

typedef long double real;

/* Congestion point */

static void vectors_test(void)
{
	u32 failed = 0;
	const char *wrong = fecn_vectors_run(&failed);

	if (!tap_ok(!wrong, "fecn_cp__vectors"))
		tap_remark("%u: %s", failed, wrong ? wrong : "");
}

/* Section IV.A: "the hyperbolic function is very close to the linear control". */
static void line_test(void)
{
	struct fecn_cp_params p = FECN_DEFAULTS, line = FECN_DEFAULTS;
	real off, most = 0;
	u32 q;

	line.stages = 1;
	line.k_ppm = 60000;
	for (q = p.qeq_bytes; q <= 150000; q += 1500) {
		off = fabsl((real)fecn_cp_control(&p, q) - fecn_cp_control(&line, q));
		most = off > most ? off : most;
	}
	tap_ok(most / FECN_ONE > 0.02L && most / FECN_ONE < 0.036L,
	       "fecn_cp_control__near_the_line_of_figure_4");
	tap_remark("%.4Lf", most / FECN_ONE);
}

/*
 * Section IV.A, the fluid model: q(i+1) = q(i) + alpha (f(q) - 1), where flows send what was
 * advertised.  It is stable if K = alpha k / Qeq < 2, and with a moving average of weight w if
 * w < 4 / (2 + K).  The slope below the set point is made the same by a, and the disturbance
 * is small, so that f is a line.  Return: how far the queue is from the set point at the end.
 */
static real fluid_end(real k, u32 weight)
{
	struct fecn_cp_params p = FECN_DEFAULTS;
	real alpha = (real)p.capacity_kbps * p.interval_ns / 8e6L, n = 100, q, away = 0;
	u32 i, rate;

	p.a_milli = 1038;
	p.stages = 1;
	p.k_ppm = 36608;	/* (a - 1) / a */
	p.gamma_milli = 1000;
	p.weight = weight;
	p.qeq_bytes = alpha * p.k_ppm / 1000000 / k;
	rate = p.capacity_kbps / n;
	q = p.qeq_bytes + 500;
	for (i = 0; i < 80; i++) {
		rate = fecn_cp_step(&p, rate, (u64)(n * rate), q > 0 ? (u32)q : 0);
		q += alpha * (n * rate / p.capacity_kbps - 1);
		away = i < 70 ? 0 : fmaxl(away, fabsl(q - p.qeq_bytes));
	}
	return away;
}

/* Where it does not converge, the distance depends on the length of a long double. */
static void stability_test(void)
{
	real stable = fluid_end(1.9L, FECN_WEIGHT_ONE), unstable = fluid_end(2.1L, FECN_WEIGHT_ONE);

	tap_ok(stable < 250, "fecn_cp_step__converges_at_1.9");
	tap_ok(unstable > 1000, "fecn_cp_step__does_not_converge_at_2.1");
	tap_remark("bytes from the set point: %.0Lf", stable);
	/* The bound is 683. */
	stable = fluid_end(4, 614);
	unstable = fluid_end(4, 748);
	tap_ok(stable < 250, "fecn_cp_step__converges_at_4_with_a_weight_of_0.6");
	tap_ok(unstable > 1000, "fecn_cp_step__does_not_converge_at_4_with_a_weight_of_0.73");
	tap_remark("bytes from the set point: %.0Lf", stable);
}

static real oracle_control(const struct fecn_cp_params *p, u32 q)
{
	real qeq = p->qeq_bytes, sum = 0, from, to, f;
	u32 n;

	if (q <= p->qeq_bytes)
		return floorl(p->a_milli * qeq * 65536 / ((p->a_milli - 1000.0L) * q + 1000 * qeq));
	if (!p->stages) {
		f = floorl(p->b_milli * qeq * 65536 / ((p->b_milli - 1000.0L) * q + 1000 * qeq));
	} else {
		for (n = 1; n <= p->stages; n++) {
			from = n * qeq;
			to = n < p->stages ? fminl(q, (n + 1) * qeq) : q;
			if (to > from)
				sum += n * (to - from) * p->k_ppm;
		}
		f = sum >= 1000000 * qeq ? 0 : 65536 - ceill(sum * 1024 / (15625 * qeq));
	}
	return fmaxl(f, floorl(p->c_milli * 65536 / 1000.0L));
}

static real oracle_step(const struct fecn_cp_params *p, real rate, real arrival, u32 q)
{
	real c = p->capacity_kbps, x, least = floorl(c / 4096);

	if (arrival == 0) {
		x = fminl(c, 2 * rate);
	} else {
		if (q > p->qeq_bytes)
			c = floorl(c * p->gamma_milli / 1000);
		x = fminl(floorl(c * oracle_control(p, q) / arrival), 64 * 65536);
		x = floorl(rate * x / 65536);
	}
	x = floorl((rate * (1024 - p->weight) + x * p->weight) / 1024);
	return fminl(fmaxl(x, fmaxl(least, 1)), p->capacity_kbps);
}

static u32 up_to(u64 *seed, u32 most)
{
	return random_scale(seed) % ((u64)most + 1);
}

static struct fecn_cp_params random_params(u64 *seed)
{
	return (struct fecn_cp_params){
		.interval_ns = 100000 + up_to(seed, 999900000),
		.capacity_kbps = 1 + up_to(seed, FECN_KBPS_MAX - 1),
		.qeq_bytes = 1 + up_to(seed, FECN_BYTES_MAX - 1),
		.a_milli = 1000 + up_to(seed, 1000),
		.b_milli = 1001 + up_to(seed, 999),
		.c_milli = 1 + up_to(seed, 999),
		.gamma_milli = 1 + up_to(seed, 999),
		.stages = random_below(seed, 2) ? random_below(seed, 17) : 0,
		.k_ppm = 1 + up_to(seed, 999999),
		.weight = 1 + up_to(seed, 1023),
		.flows = 1 + up_to(seed, 999999),
	};
}

/* Every interval for itself: the first has what came, the others have nothing. */
static const char *advance_differs(const struct fecn_cp_params *p, struct fecn_cp_vars *v, u32 q,
				   u64 now)
{
	u64 over = now < v->end_ns ? 0 : (now - v->end_ns) / p->interval_ns + 1;
	real arrival = floorl(fminl(v->bytes, 1ULL << 40) * 8000000 / p->interval_ns);
	real rate = v->rate_kbps;
	u32 n, steps = fecn_cp_advance(p, v, q, now);

	if (steps != min(over, 11ULL))
		return "steps";
	for (n = 0; n < steps; n++)
		rate = oracle_step(p, rate, n ? 0 : arrival, q);
	if (rate != v->rate_kbps)
		return "rate after an interval";
	return steps && v->bytes ? "bytes" : NULL;
}

static void random_test(u64 seed, unsigned long n)
{
	struct fecn_cp_params p = {};
	struct fecn_cp_vars v = {};
	unsigned long i, slower = 0;
	const char *wrong = NULL;
	u64 now = 0, arrival;
	u32 q, rate;

	for (i = 0; i < n && !wrong; i++) {
		if (i % 64 == 0) {
			p = random_params(&seed);
			now = random_below(&seed, 1ULL << 60);
			fecn_cp_start(&p, &v, now);
		}
		q = random_below(&seed, 2) ? up_to(&seed, FECN_BYTES_MAX) :
		    random_below(&seed, min(8ULL * p.qeq_bytes, 1ULL << 31));
		arrival = random_below(&seed, 8) ? random_below(&seed, 4ULL * p.capacity_kbps + 2) :
			  random_scale(&seed) >> 4;
		if (fecn_cp_control(&p, q) != oracle_control(&p, q))
			wrong = "f(q)";
		rate = fecn_cp_step(&p, v.rate_kbps, arrival, q);
		slower += rate < v.rate_kbps;
		if (rate != oracle_step(&p, v.rate_kbps, arrival, q))
			wrong = "step";
		v.rate_kbps = rate;
		now += random_below(&seed, 3) ? random_below(&seed, p.interval_ns) :
		       random_below(&seed, 16) * p.interval_ns;
		if (!wrong)
			wrong = advance_differs(&p, &v, q, now);
		if (random_below(&seed, 4))
			fecn_cp_charge(&v, up_to(&seed, 65535));
	}
	if (!tap_ok(!wrong, "fecn_cp__agrees_with_real_numbers"))
		tap_remark("%lu: %s", i, wrong ? wrong : "");
	tap_ok(wrong || (slower > n / 16 && slower < n - n / 16), "input__of_all_loads");
}

/* Arrivals count in the interval in which they arrived; intervals without arrivals are empty. */
static void advance_test(void)
{
	struct fecn_cp_params p = FECN_DEFAULTS;
	struct fecn_cp_vars v;
	bool good;

	p.weight = FECN_WEIGHT_ONE;
	fecn_cp_start(&p, &v, 5000);
	tap_ok(v.rate_kbps == 200000 && v.end_ns == 1005000, "fecn_cp_start");
	/* 2,500,000 bytes a ms are twice the capacity. */
	fecn_cp_charge(&v, 2499999);
	good = !fecn_cp_advance(&p, &v, 24000, 1004999);
	fecn_cp_charge(&v, 1);
	good = good && fecn_cp_advance(&p, &v, 24000, 1005000) == 1;
	tap_ok(good && v.rate_kbps == 100000 && v.end_ns == 2005000 && !v.bytes,
	       "fecn_cp_advance__at_the_end_of_an_interval");
	fecn_cp_charge(&v, 2500000);
	good = fecn_cp_advance(&p, &v, 24000, 4005000 - 1) == 2;
	tap_ok(good && v.rate_kbps == 100000 && v.end_ns == 4005000,
	       "fecn_cp_advance__an_empty_interval_doubles");
	good = fecn_cp_advance(&p, &v, 0, 1ULL << 61) == 11;
	tap_ok(good && v.rate_kbps == p.capacity_kbps && v.end_ns > 1ULL << 61,
	       "fecn_cp_advance__many_empty_intervals");
	v.bytes = U64_MAX;
	good = fecn_cp_advance(&p, &v, 0, v.end_ns) == 1;
	tap_ok(good && v.rate_kbps == p.capacity_kbps / FECN_FLOOR,
	       "fecn_cp_advance__more_bytes_than_can_be");
	p.flows = 1000000;
	fecn_cp_start(&p, &v, 0);
	tap_ok(v.rate_kbps == 2441, "fecn_cp_start__not_below_the_floor");
}

/* Reaction point */

static const struct fecn_rp_params rp = { 1000000, 10000000, 1000, 200000 };

static void rp_due_test(void)
{
	struct fecn_rp_vars v;
	u32 i, halved = 0;
	bool good;

	fecn_rp_start(&rp, &v);
	good = v.cur_kbps == 200000 && fecn_rp_is_due(&rp, &v, 0);
	fecn_rp_on_sent(&rp, &v, 100, 7);
	tap_ok(good && !fecn_rp_is_due(&rp, &v, 1000006) && fecn_rp_is_due(&rp, &v, 1000007),
	       "fecn_rp_is_due__once_a_period");
	fecn_rp_on_answer(&rp, &v, 100, 200000, 8);
	for (i = 1; i < 6; i++)
		halved += fecn_rp_on_sent(&rp, &v, 100 + i, i * 1000000);
	good = !halved && v.cur_kbps == 200000;
	tap_ok(good && fecn_rp_on_sent(&rp, &v, 106, 6000000) && v.cur_kbps == 100000,
	       "fecn_rp_on_sent__after_five_without_an_answer_half");
	for (i = 7; i < 64; i++)
		halved += fecn_rp_on_sent(&rp, &v, 100 + i, i * 1000000);
	tap_ok(halved == 11 && v.cur_kbps == rp.min_kbps,
	       "fecn_rp_on_sent__again_each_five_and_not_below_the_least");
	good = !fecn_rp_on_sent(&rp, &v, 164, 64000000) && v.cur_kbps == rp.min_kbps;
	good = good && fecn_rp_on_sent(&rp, &v, 165, 65000000);
	tap_ok(good && v.cur_kbps == rp.initial_kbps,
	       "fecn_rp_on_sent__after_64_without_an_answer_as_a_new_flow");
	for (i = 66, halved = 0; i < 200; i++)
		halved += fecn_rp_on_sent(&rp, &v, 100 + i, i * 1000000);
	tap_ok(!halved && v.cur_kbps == rp.initial_kbps,
	       "fecn_rp_on_sent__a_flow_that_never_had_an_answer_keeps_its_rate");
	good = fecn_rp_on_answer(&rp, &v, 299, 50000, 200000000) == FECN_RP_TAKEN;
	for (i = 200; i < 205; i++)
		halved += fecn_rp_on_sent(&rp, &v, 100 + i, i * 1000000);
	tap_ok(good && !halved && fecn_rp_on_sent(&rp, &v, 305, 205000000) && v.cur_kbps == 25000,
	       "fecn_rp_on_sent__halves_again_after_an_answer");
}

/**
 * struct answer - an answer, and what becomes of it
 * @name: of the test
 * @nonce: its
 * @ns: when it comes
 * @kbps: its rate
 * @verdict: expected
 * @cur_kbps: the rate after it
 */
struct answer {
	const char *name;
	u32 nonce;
	u64 ns;
	u32 kbps;
	enum fecn_rp_verdict verdict;
	u32 cur_kbps;
};

/* RDs 101 to 112 were sent at 1 to 12 ms. */
static const struct answer answers[] = {
	{ "nobody_sent", 113, 13000000, 5000, FECN_RP_UNKNOWN, 200000 },
	{ "the_ninth_last", 104, 13000000, 5000, FECN_RP_UNKNOWN, 200000 },
	{ "the_eighth_last", 105, 13000000, 5000, FECN_RP_TAKEN, 5000 },
	{ "repeated", 105, 13000000, 6000, FECN_RP_REPEATED, 5000 },
	{ "up_at_once", 107, 13000000, 9000000, FECN_RP_TAKEN, 9000000 },
	{ "one_overtaken", 106, 13000000, 5000, FECN_RP_REPEATED, 9000000 },
	{ "no_congestion_point", 108, 13000000, FECN_RP_KBPS_NONE, FECN_RP_TAKEN, 10000000 },
	{ "zero", 109, 13000000, 0, FECN_RP_TAKEN, 1000 },
	{ "more_than_the_most", 110, 13000000, 10000001, FECN_RP_TAKEN, 10000000 },
	{ "a_second_old", 111, 1011000000, 7000, FECN_RP_TAKEN, 7000 },
	{ "older_than_a_second", 112, 1012000001, 8000, FECN_RP_LATE, 7000 },
	{ "late_is_not_taken_later", 112, 1012000000, 8000, FECN_RP_TAKEN, 8000 },
};

static void rp_answer_test(void)
{
	struct fecn_rp_vars v;
	enum fecn_rp_verdict verdict;
	u32 i;

	fecn_rp_start(&rp, &v);
	tap_ok(fecn_rp_on_answer(&rp, &v, 0, 5000, 1) == FECN_RP_UNKNOWN && v.cur_kbps == 200000,
	       "fecn_rp_on_answer__before_the_first");
	for (i = 1; i <= 12; i++)
		fecn_rp_on_sent(&rp, &v, 100 + i, i * 1000000);
	v.cur_kbps = 200000;
	for (i = 0; i < sizeof(answers) / sizeof(answers[0]); i++) {
		verdict = fecn_rp_on_answer(&rp, &v, answers[i].nonce, answers[i].kbps,
					    answers[i].ns);
		if (!tap_ok(verdict == answers[i].verdict && v.cur_kbps == answers[i].cur_kbps,
			    "fecn_rp_on_answer__%s", answers[i].name))
			tap_remark("verdict %u, %u kbit/s", verdict, v.cur_kbps);
	}
	for (i = 0; i < 5; i++)
		fecn_rp_on_sent(&rp, &v, 200 + i, 1100000000 + i);
	tap_ok(v.cur_kbps == 8000, "fecn_rp_on_answer__counts_anew_from_an_answer");
}

static void rp_hot_test(void)
{
	struct fecn_rp_vars v;
	bool good;

	fecn_rp_start(&rp, &v);
	good = fecn_rp_on_hot(&rp, &v, 1000) && v.cur_kbps == 100000;
	tap_ok(good && !fecn_rp_on_hot(&rp, &v, 1000999) && v.cur_kbps == 100000,
	       "fecn_rp_on_hot__once_a_period");
	v.cur_kbps = rp.min_kbps;
	tap_ok(fecn_rp_on_hot(&rp, &v, 1001000) && v.cur_kbps == rp.min_kbps,
	       "fecn_rp_on_hot__not_below_the_least");
	fecn_rp_on_sent(&rp, &v, 1, 2000000);
	fecn_rp_on_answer(&rp, &v, 1, 3000000, 2000000);
	tap_ok(v.cur_kbps == 3000000, "fecn_rp_on_answer__after_a_hot_spot");
}

/* RD messages */

static const u8 cpid[] = { 2, 0, 0, 0, 0, 0x99, 0, 1 };

#define CPID		"0200000000990001"
#define RD_FIXED	"46455244 01 01 0003 12345678 9abcdef0 0102030405060708"
#define RD_BODY		RD_FIXED "000186a0 00005dc0" CPID "000000000000"
#define RD		TO FROM "8100 6064 88b5" RD_BODY

static const struct fecn_rd rd_good = {
	.tx_ns = 0x0102030405060708ULL,
	.index = 0x12345678,
	.nonce = 0x9abcdef0,
	.kbps = 100000,
	.q_bytes = 24000,
	.cpid = { 2, 0, 0, 0, 0, 0x99, 0, 1 },
	.hops = 3,
};

static bool same_rd(const struct fecn_rd *a, const struct fecn_rd *b)
{
	return a->tx_ns == b->tx_ns && a->index == b->index && a->nonce == b->nonce &&
	       a->kbps == b->kbps && a->q_bytes == b->q_bytes && a->hops == b->hops &&
	       a->is_back == b->is_back && !memcmp(a->cpid, b->cpid, sizeof(a->cpid));
}

/**
 * struct put - a flow's frame, and its RD
 * @name: of the test
 * @frame: the flow's
 * @rd: expected; NULL: none
 */
struct put {
	const char *name;
	const char *frame;
	const char *rd;
};

static const struct put puts_[] = {
	{ "untagged", TO FROM "0800 4500", TO FROM "88b5" RD_BODY },
	{ "vlan", TO FROM "8100 6064 0800 4500", RD },
	{ "two_vlans", TO FROM "88a8 0001 8100 0002 0800",
	  TO FROM "88a8 0001 8100 0002 88b5" RD_BODY },
	{ "without_the_cn_tag", TO FROM "8100 6064 22e9 beef 0800", RD },
	{ "to_a_group", GROUP FROM "0800 4500", NULL },
	{ "to_nobody", NOBODY FROM "0800 4500", NULL },
	{ "from_a_group", TO GROUP "0800 4500", NULL },
	{ "short", TO FROM "08", NULL },
	{ "empty", "", NULL },
};

static void rd_put_test(void)
{
	u8 out[FECN_RD_MAX_BYTES];
	struct frame f, want;
	size_t len, at;
	bool good;
	u32 i;

	for (i = 0; i < sizeof(puts_) / sizeof(puts_[0]); i++) {
		f = frame_of(puts_[i].frame);
		want = frame_of(puts_[i].rd ? puts_[i].rd : "");
		memset(out, 0xa5, sizeof(out));
		len = fecn_rd_put(out, f.at, f.len, &rd_good);
		good = len == want.len && !memcmp(out, want.at, len);
		for (at = len; at < sizeof(out); at++)
			good = good && out[at] == 0xa5;
		if (!tap_ok(good, "fecn_rd_put__%s", puts_[i].name))
			tap_remark("%zu bytes", len);
		free(f.at);
		free(want.at);
	}
}

/**
 * struct change - of a good RD
 * @name: of the test
 * @at: where; a length with @value -1
 * @value: of the byte there
 * @fault: what is wrong then
 */
struct change {
	const char *name;
	int at;
	int value;
	enum l2_fault fault;
};

/* With a VLAN tag the RD begins at 18. */
#define BODY	18

static const struct change changes[] = {
	{ "good", 0, 2, L2_OK },
	{ "another_type", 17, 0xb6, L2_OTHER },
	{ "another_magic", BODY, 0x47, L2_OTHER },
	{ "another_magic_at_its_end", BODY + 3, 0x45, L2_OTHER },
	{ "version_0", BODY + 4, 0, L2_BAD_VERSION },
	{ "version_2", BODY + 4, 2, L2_BAD_VERSION },
	{ "no_flag", BODY + 5, 0, L2_BAD_OPCODE },
	{ "both_flags", BODY + 5, 3, L2_BAD_OPCODE },
	{ "another_flag", BODY + 5, 5, L2_BAD_OPCODE },
	{ "to_a_group", 0, 3, L2_BAD_ADDRESS },
	{ "from_a_group", 6, 3, L2_BAD_ADDRESS },
	{ "reserved_bytes", BODY + 45, 0xff, L2_OK },
	{ "cut", BODY + 45, -1, L2_SHORT },
	{ "body_cut", BODY, -1, L2_SHORT },
	{ "type_cut", BODY - 1, -1, L2_SHORT },
};

static void rd_parse_test(void)
{
	struct fecn_rd rd, before;
	struct frame f, cut;
	enum l2_fault fault;
	u32 i, body;
	bool good;

	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		f = frame_of(RD);
		if (changes[i].value >= 0)
			f.at[changes[i].at] = changes[i].value;
		cut = frame_copy(f.at, changes[i].value < 0 ? (size_t)changes[i].at : f.len);
		memset(&rd, 0xa5, sizeof(rd));
		before = rd;
		body = 7;
		fault = fecn_rd_parse(cut.at, cut.len, &rd, &body);
		good = fault ? !memcmp(&rd, &before, sizeof(rd)) && body == 7 :
		       same_rd(&rd, &rd_good) && body == BODY;
		if (!tap_ok(good && fault == changes[i].fault, "fecn_rd_parse__%s",
			    changes[i].name))
			tap_remark("fault %u", fault);
		free(f.at);
		free(cut.at);
	}
	f = frame_of(TO FROM "22e9 0001 88b5" RD_BODY);
	tap_ok(fecn_rd_parse(f.at, f.len, &rd, &body) == L2_OTHER, "fecn_rd_parse__cn_tag");
	free(f.at);
}

static void rd_pass_test(void)
{
	static const u8 mine[] = { 2, 0, 0, 0, 0, 0x77, 0, 0 };
	struct frame f = frame_of(RD), back = frame_of(FROM TO "8100 6064 88b5" RD_BODY);
	struct fecn_rd rd;
	bool good;
	u32 body;

	good = !fecn_rd_pass(f.at + BODY, 100000, 1, mine);
	fecn_rd_parse(f.at, f.len, &rd, &body);
	tap_ok(good && rd.hops == 4 && rd.kbps == 100000 && rd.q_bytes == 24000 &&
	       !memcmp(rd.cpid, cpid, sizeof(cpid)), "fecn_rd_pass__not_less");
	good = fecn_rd_pass(f.at + BODY, 99999, 1, mine);
	fecn_rd_parse(f.at, f.len, &rd, &body);
	tap_ok(good && rd.hops == 5 && rd.kbps == 99999 && rd.q_bytes == 1 &&
	       !memcmp(rd.cpid, mine, sizeof(mine)), "fecn_rd_pass__the_least_and_whose");
	f.at[BODY + 6] = 0xff;
	f.at[BODY + 7] = 0xff;
	fecn_rd_pass(f.at + BODY, U32_MAX, 0, mine);
	fecn_rd_parse(f.at, f.len, &rd, &body);
	tap_ok(rd.hops == 0xffff && rd.kbps == 99999, "fecn_rd_pass__no_more_hops");
	free(f.at);
	f = frame_of(RD);
	fecn_rd_reflect(f.at, BODY);
	back.at[BODY + 5] = FECN_RD_BACK;
	tap_ok(!memcmp(f.at, back.at, f.len) && !fecn_rd_parse(f.at, f.len, &rd, &body) &&
	       rd.is_back, "fecn_rd_reflect");
	free(f.at);
	free(back.at);
}

/* Frames read from any bytes are written as they were, except padding and reserved bytes. */
static void rd_random_test(u64 seed, unsigned long n)
{
	unsigned long i, reads = 0;
	u8 out[FECN_RD_MAX_BYTES];
	struct fecn_rd rd, again;
	struct frame good = frame_of(RD), f;
	u32 body, changed, at;
	bool same = true;

	for (i = 0; i < n && same; i++) {
		f = frame_copy(good.at, random_below(&seed, 8) ? good.len :
			       random_below(&seed, good.len));
		for (changed = random_below(&seed, 4); changed && f.len; changed--) {
			at = random_below(&seed, f.len);
			f.at[at] = random_u64(&seed);
		}
		if (!fecn_rd_parse(f.at, f.len, &rd, &body)) {
			reads++;
			same = fecn_rd_put(out, f.at, f.len, &rd) == f.len &&
			       !fecn_rd_parse(out, f.len, &again, &body) && same_rd(&rd, &again) &&
			       !memcmp(out, f.at, body + 40);
		}
		free(f.at);
	}
	tap_ok(same && reads > n / 4 && reads < n, "fecn_rd__read_and_written");
	free(good.at);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100000, "rounds");

	vectors_test();
	line_test();
	stability_test();
	advance_test();
	random_test(o.seed, o.n);
	rp_due_test();
	rp_answer_test();
	rp_hot_test();
	rd_put_test();
	rd_parse_test();
	rd_pass_test();
	rd_random_test(o.seed, o.n);
	return tap_done();
}
