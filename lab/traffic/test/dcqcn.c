// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of DCQCN's algorithm, built with sanitizers
 *
 * The oracle is the paper's text, event by event and in doubles; the algorithm must
 * agree with it whenever and however seldom it is queried.
 */
#include <math.h>
#include <string.h>

#include "../dcqcn.h"
#include "../rng.h"
#include "tap.h"

#define LINE	10000000000ULL

/* A flow's reaction point with its constants. */
struct rp {
	struct dcqcn_params p;
	struct dcqcn_vars v;
	struct dcqcn_stats s;
};

static void rp_init(struct rp *r)
{
	memset(r, 0, sizeof(*r));
	dcqcn_set_params(&r->p, DCQCN_PAPER, LINE);
	dcqcn_init(&r->p, &r->v);
}

static void test_start(void)
{
	struct rp r;
	u64 owed;

	rp_init(&r);
	dcqcn_advance(&r.p, &r.v, &r.s, 1000 * NSEC_PER_SEC);
	dcqcn_on_sent(&r.p, &r.v, &r.s, UINT64_MAX);
	tap_ok(r.v.cur_bps == LINE && !r.s.fast && !r.s.additive && !r.s.hyper,
	       "a flow without notifications stays at line rate");
	tap_ok(r.v.alpha == DCQCN_ALPHA_ONE, "and its alpha at 1");
	owed = 1250 * 8 * NSEC_PER_SEC;
	tap_ok(dcqcn_pay(&r.p, &r.v, &r.s, &owed, 7, UINT64_MAX) == 1007 && !owed,
	       "1250 bytes take 1 us at 10 Gbit/s");
}

static void test_cnp(void)
{
	struct rp r;

	rp_init(&r);
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 1000);
	tap_ok(r.v.cur_bps == LINE / 2 && r.v.tgt_bps == LINE,
	       "the first CNP halves the rate and keeps the target");
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 51000);
	tap_ok(r.v.cur_bps == LINE / 4 && r.v.tgt_bps == LINE / 2,
	       "the next halves it again, and the target is the rate before");
	while (r.s.cnps < 100)
		dcqcn_on_cnp(&r.p, &r.v, &r.s, 1000 + r.s.cnps * 50000);
	tap_ok(r.v.cur_bps == r.p.min_bps, "no CNP cuts it below the least");
	tap_ok(r.v.alpha == DCQCN_ALPHA_ONE, "alpha does not pass 1");
}

static void test_alpha(void)
{
	bool near = true, monotone = true;
	double expect = 1;
	struct rp r;
	u64 last;
	u32 n;

	rp_init(&r);
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 0);
	dcqcn_advance(&r.p, &r.v, &r.s, r.p.alpha_ns - 1);
	tap_ok(r.v.alpha == DCQCN_ALPHA_ONE, "alpha does not decay within K");
	for (n = 1; n <= 1000; n++) {
		last = r.v.alpha;
		dcqcn_advance(&r.p, &r.v, &r.s, n * r.p.alpha_ns);
		expect *= 255 / 256.0;
		near &= fabs(r.v.alpha / (double)DCQCN_ALPHA_ONE - expect) < 0.0001;
		monotone &= r.v.alpha < last;
	}
	tap_ok(near && monotone, "without CNPs alpha is (1 - g)^n after n times K");
	dcqcn_advance(&r.p, &r.v, &r.s, NSEC_PER_SEC);
	tap_ok(!r.v.alpha, "and comes to 0");
	last = r.v.cur_bps;
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 2 * NSEC_PER_SEC);
	tap_ok(r.v.cur_bps == last && r.v.alpha == DCQCN_ALPHA_ONE / 256,
	       "a CNP that surprises cuts by alpha from before, then alpha is g");
}

/* Timer alone: fast recovery halves the distance, then steps of R_AI. */
static void test_phases(void)
{
	u64 half = LINE / 4, tgt = LINE / 2;
	bool fast = true;
	struct rp r;
	u32 n;

	rp_init(&r);
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 0);
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 0);
	for (n = 1; n < r.p.recovery; n++) {
		dcqcn_advance(&r.p, &r.v, &r.s, n * r.p.timer_ns);
		half /= 2;
		fast &= r.v.cur_bps == tgt - half && r.v.tgt_bps == tgt && r.s.fast == n;
	}
	tap_ok(fast && n == 5, "fast recovery: each of 4 steps halves the way to the target");
	dcqcn_advance(&r.p, &r.v, &r.s, 5 * r.p.timer_ns);
	tap_ok(r.s.additive == 1 && r.v.tgt_bps == tgt + r.p.ai_bps,
	       "then the target grows by R_AI a step");
	dcqcn_advance(&r.p, &r.v, &r.s, 9 * r.p.timer_ns);
	tap_ok(r.s.additive == 5 && !r.s.hyper && r.v.tgt_bps == tgt + 5 * r.p.ai_bps,
	       "and no faster as long as the bytes' stage is low");
	dcqcn_on_sent(&r.p, &r.v, &r.s, 4 * r.p.bytes);
	tap_ok(r.v.byte_stage == 4 && r.s.additive == 9 && !r.s.hyper,
	       "the byte counter's stages count too");
	dcqcn_on_sent(&r.p, &r.v, &r.s, r.p.bytes);
	tap_ok(r.s.hyper == 1 && r.v.tgt_bps == tgt + 9 * r.p.ai_bps + r.p.hai_bps,
	       "with both stages at F the target grows by R_HAI");
	dcqcn_on_sent(&r.p, &r.v, &r.s, r.p.bytes / 2);
	tap_ok(r.s.hyper == 2 && r.v.tgt_bps == tgt + 9 * r.p.ai_bps + 3 * r.p.hai_bps,
	       "then half as many bytes make a step, of twice that");
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 9 * r.p.timer_ns + 1);
	tap_ok(!r.v.byte_stage && !r.v.time_stage && r.v.bytes_left == r.p.bytes &&
	       r.v.timer_at == 10 * r.p.timer_ns + 1, "a CNP begins it all again");
}

static void test_release(void)
{
	struct dcqcn_stats before;
	struct rp r;

	rp_init(&r);
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 0);
	dcqcn_advance(&r.p, &r.v, &r.s, NSEC_PER_SEC);
	tap_ok(r.v.cur_bps == LINE && !r.v.limited, "left alone the rate comes back to the line's");
	before = r.s;
	dcqcn_advance(&r.p, &r.v, &r.s, 100 * NSEC_PER_SEC);
	dcqcn_on_sent(&r.p, &r.v, &r.s, 10 * r.p.bytes);
	tap_ok(!memcmp(&before, &r.s, sizeof(before)), "and nothing is counted any more");
	dcqcn_on_cnp(&r.p, &r.v, &r.s, 100 * NSEC_PER_SEC);
	tap_ok(r.v.limited && r.v.tgt_bps == LINE, "until the next CNP");
}

/* Bits sent, summed microsecond by microsecond: the oracle of dcqcn_pay(). */
static double paid(struct rp r, u64 from, u64 until)
{
	double sum = 0;
	u64 t;

	for (t = from; t < until; t += 1000) {
		dcqcn_advance(&r.p, &r.v, &r.s, t);
		sum += r.v.cur_bps * (until - t < 1000 ? until - t : 1000.0);
	}
	return sum;
}

/* A random debt of a flow that was cut, paid at once and in two parts. */
static bool pays(struct rng *rng)
{
	u64 debt = (1 + rng_below(rng, 70000)) * 8 * NSEC_PER_SEC, owed = debt, half, end;
	struct rp r, later;
	u32 i;

	rp_init(&r);
	for (i = rng_below(rng, 12); i; i--)
		dcqcn_on_cnp(&r.p, &r.v, &r.s, 0);
	later = r;
	end = dcqcn_pay(&later.p, &later.v, &later.s, &owed, 0, UINT64_MAX);
	if (owed || fabs(paid(r, 0, end) - debt) > 0.01 * debt + 1000.0 * LINE)
		return false;
	owed = debt;
	half = end / 2;
	if (dcqcn_pay(&r.p, &r.v, &r.s, &owed, 0, half) != half || (half && owed == debt))
		return false;
	half = dcqcn_pay(&r.p, &r.v, &r.s, &owed, half, UINT64_MAX);
	return !owed && half + 1 >= end && half <= end + 1;
}

static void test_pay(void)
{
	u64 owed = 1538 * 8 * NSEC_PER_SEC, gap;
	u32 wrong = 0, i;
	struct rng rng;
	struct rp r;

	rng_seed(&rng, 1, "test", "pay");
	for (i = 0; i < 10000; i++)
		wrong += !pays(&rng);
	tap_ok(!wrong, "debts are paid at the rate as it grows (%u of 10000 are not)", wrong);
	rp_init(&r);
	for (i = 0; i < 12; i++)
		dcqcn_on_cnp(&r.p, &r.v, &r.s, 0);
	gap = owed / r.v.cur_bps;
	tap_ok(dcqcn_pay(&r.p, &r.v, &r.s, &owed, 0, UINT64_MAX) < gap / 2,
	       "a packet sent at the least rate does not hold the next for as long as it lasts");
}

static void test_np(void)
{
	struct dcqcn_np np = { 0 };
	u32 given = 0;
	struct rp r;
	u64 t;

	rp_init(&r);
	tap_ok(dcqcn_on_mark(&r.p, &np, 7), "the first mark is reported at once");
	for (t = 8; t < 7 + r.p.cnp_ns; t++)
		given += dcqcn_on_mark(&r.p, &np, t);
	tap_ok(!given, "none of those within 50 us of it");
	for (; t < 7 + 10 * r.p.cnp_ns; t += r.p.cnp_ns)
		given += dcqcn_on_mark(&r.p, &np, t);
	tap_ok(given == 9, "then one in each 50 us");
}

static void test_sets(void)
{
	struct dcqcn_params p;

	dcqcn_set_params(&p, DCQCN_NS3, 40000000000ULL);
	tap_ok(p.ai_bps == 40000000 && p.hai_bps == 200000000 && p.bytes == 300000000 &&
	       p.timer_ns == 60000, "ns3: at its own 40 Gbit/s as published");
	dcqcn_set_params(&p, DCQCN_CLOUD, 25000000000ULL);
	tap_ok(p.ai_bps == 5000000 && p.hai_bps == 50000000 && p.min_bps == 250000000 &&
	       p.timer_ns == 300000 && p.recovery == 1 && p.bytes == UINT64_MAX,
	       "cloud: at its own 25 Gbit/s as published");
	dcqcn_set_params(&p, DCQCN_PAPER, 10000000000ULL);
	tap_ok(p.ai_bps == 10000000 && p.bytes == 10000000 && p.timer_ns == 55000,
	       "paper: a quarter of its 40 Mbit/s at 10 Gbit/s");
}

/* The text, event by event. */
struct oracle {
	double rc, rt, alpha, line, min, ai, hai, g;
	double byte_count, bytes;
	u64 timer, alpha_timer, timer_ns, alpha_ns;
	u32 t, bc, f;
	bool running;
};

static void oracle_init(struct oracle *o, const struct dcqcn_params *p)
{
	*o = (struct oracle) {
		.rc = p->line_bps, .rt = p->line_bps, .alpha = 1, .line = p->line_bps,
		.min = p->min_bps, .ai = p->ai_bps, .hai = p->hai_bps,
		.g = pow(2, -(int)p->g_shift),
		.bytes = p->bytes, .timer_ns = p->timer_ns, .alpha_ns = p->alpha_ns,
		.alpha_timer = UINT64_MAX, .f = p->recovery,
	};
}

static void oracle_increase(struct oracle *o)
{
	u32 least = o->t < o->bc ? o->t : o->bc, most = o->t < o->bc ? o->bc : o->t;

	if (least >= o->f)
		o->rt += o->hai * (least - o->f + 1);
	else if (most >= o->f)
		o->rt += o->ai;
	o->rc = (o->rt + o->rc) / 2;
	if (o->rc >= o->line) {
		o->rc = o->line;
		o->running = false;
	}
}

static bool oracle_hyper(const struct oracle *o)
{
	return o->t >= o->f && o->bc >= o->f;
}

/* Time passes: one event after the other. */
static void oracle_until(struct oracle *o, u64 now)
{
	for (;;) {
		if (o->alpha_timer <= now && (!o->running || o->alpha_timer <= o->timer)) {
			o->alpha *= 1 - o->g;
			o->alpha_timer += o->alpha_ns;
		} else if (o->running && o->timer <= now) {
			o->t++;
			o->timer += oracle_hyper(o) ? o->timer_ns / 2 : o->timer_ns;
			oracle_increase(o);
		} else {
			return;
		}
	}
}

static void oracle_sent(struct oracle *o, double bytes)
{
	o->byte_count -= o->running ? bytes : 0;
	while (o->running && o->byte_count <= 0) {
		o->bc++;
		o->byte_count += oracle_hyper(o) ? floor(o->bytes / 2) : o->bytes;
		oracle_increase(o);
	}
}

static void oracle_cnp(struct oracle *o, u64 now)
{
	o->rt = o->rc;
	o->rc *= 1 - o->alpha / 2;
	if (o->rc < o->min)
		o->rc = o->min;
	o->alpha = (1 - o->g) * o->alpha + o->g;
	o->t = 0;
	o->bc = 0;
	o->byte_count = o->bytes;
	o->timer = now + o->timer_ns;
	o->alpha_timer = now + o->alpha_ns;
	o->running = true;
}

static void random_params(struct dcqcn_params *p, struct rng *r)
{
	u64 line = DCQCN_LINE_MIN << rng_below(r, 19);

	dcqcn_set_params(p, rng_below(r, 3), line);
	if (rng_below(r, 2))
		return;
	p->bytes = 2 + rng_below(r, 1000000);
	p->timer_ns = 2 + rng_below(r, 200000);
	p->alpha_ns = 1 + rng_below(r, 200000);
	p->g_shift = 1 + rng_below(r, 10);
	p->recovery = rng_below(r, 8);
}

static bool rp_sane(const struct rp *r)
{
	return r->v.cur_bps >= r->p.min_bps && r->v.cur_bps <= r->p.line_bps &&
	       r->v.alpha <= DCQCN_ALPHA_ONE && (r->v.limited || r->v.cur_bps == r->p.line_bps);
}

static bool rp_near(const struct rp *r, const struct oracle *o)
{
	return fabs(r->v.cur_bps - o->rc) <= 0.001 * o->rc + 100 &&
	       fabs(r->v.alpha / (double)DCQCN_ALPHA_ONE - o->alpha) < 0.001;
}

/* One random life of a flow; @lazy is not queried where nothing happens. */
static void live(struct rng *r, u32 *wrong, u32 *unlike, u32 *insane)
{
	struct rp eager = { 0 }, lazy;
	struct oracle o;
	u64 now = 0;
	u32 i, bytes;

	random_params(&eager.p, r);
	dcqcn_init(&eager.p, &eager.v);
	lazy = eager;
	oracle_init(&o, &eager.p);
	for (i = 0; i < 300; i++) {
		now += rng_below(r, 1ULL << rng_below(r, 20));
		dcqcn_advance(&eager.p, &eager.v, &eager.s, now);
		oracle_until(&o, now);
		switch (rng_below(r, 8)) {
		case 0:
			dcqcn_on_cnp(&eager.p, &eager.v, &eager.s, now);
			dcqcn_on_cnp(&lazy.p, &lazy.v, &lazy.s, now);
			oracle_cnp(&o, now);
			break;
		case 1:
		case 2:
			bytes = 1 + rng_below(r, 70000);
			dcqcn_advance(&lazy.p, &lazy.v, &lazy.s, now);
			dcqcn_on_sent(&eager.p, &eager.v, &eager.s, bytes);
			dcqcn_on_sent(&lazy.p, &lazy.v, &lazy.s, bytes);
			oracle_sent(&o, bytes);
			break;
		}
		*insane += !rp_sane(&eager);
		*wrong += !rp_near(&eager, &o);
	}
	dcqcn_advance(&lazy.p, &lazy.v, &lazy.s, now);
	*unlike += memcmp(&eager.v, &lazy.v, sizeof(lazy.v)) ||
		   memcmp(&eager.s, &lazy.s, sizeof(lazy.s));
}

static void test_random(void)
{
	u32 wrong = 0, unlike = 0, insane = 0, i;
	struct rng r;

	rng_seed(&r, 1, "test", "dcqcn");
	for (i = 0; i < 3000; i++)
		live(&r, &wrong, &unlike, &insane);
	tap_ok(!insane, "random lives: rate and alpha stay in their bounds (%u do not)", insane);
	tap_ok(!unlike, "random lives: queried seldom it agrees with queried often (%u do not)",
	       unlike);
	tap_ok(!wrong, "random lives: as the paper's text has it (%u of 900000 do not)", wrong);
}

/*
 * Two flows, one link, a queue as a fluid, marked as the paper has it: the second
 * starts 5 ms after the first. Returns the first's share of the last fifth.
 */
static double share_of_first(void)
{
	struct dcqcn_np np[2] = { 0 };
	struct rp flow[2];
	double queue = 0, got[2] = { 0 }, sent, p;
	struct rng r;
	u64 t, i;

	rng_seed(&r, 1, "test", "share");
	for (i = 0; i < 2; i++)
		rp_init(&flow[i]);
	for (t = 0; t < 500000; t++) {
		for (i = 0; i < 2 && (!i || t >= 5000); i++) {
			struct rp *f = &flow[i];

			dcqcn_advance(&f->p, &f->v, &f->s, t * 1000);
			sent = f->v.cur_bps / 8e6;
			dcqcn_on_sent(&f->p, &f->v, &f->s, sent);
			queue += sent;
			got[i] += t >= 400000 ? sent : 0;
			p = queue < 5000 ? 0 : queue > 200000 ? 1 : (queue - 5000) / 195000 * 0.01;
			/* so many packets in a microsecond */
			if (rng_below(&r, 1000000) < p * sent / 1500 * 1e6 &&
			    dcqcn_on_mark(&f->p, &np[i], t * 1000))
				dcqcn_on_cnp(&f->p, &f->v, &f->s, t * 1000);
		}
		queue = queue > LINE / 8e6 ? queue - LINE / 8e6 : 0;
	}
	return got[0] / (got[0] + got[1]);
}

static void test_fair(void)
{
	double share = share_of_first();

	tap_ok(fabs(share - 0.5) < 0.05, "two flows come to equal shares, %.3f", share);
}

int main(void)
{
	test_start();
	test_cnp();
	test_alpha();
	test_phases();
	test_release();
	test_pay();
	test_np();
	test_sets();
	test_random();
	test_fair();
	return tap_done();
}
