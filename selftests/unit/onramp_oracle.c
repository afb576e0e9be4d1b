// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp's algorithms against their oracle on random input: histories of flows, with
 * holds that overlap, shorten and end each other and reports out of order; and
 * histories of paths, with clocks that are stepped, drift and fail.  The seed
 * is printed, and -s repeats it; -n is the number of histories of each kind.
 */
#include <inttypes.h>

#include "options.h"
#include "pair_onramp.h"
#include "random.h"
#include "../lib/tap.h"

#define SENT		32
#define NR(x)		(sizeof(x) / sizeof((x)[0]))
#define US		1000ULL
#define MS		1000000ULL

/* A little below, equal, a little above; never below 0. */
static u64 random_near(u64 *seed, u64 what)
{
	u64 off = random_below(seed, 3);

	return random_below(seed, 2) ? what + off : what - (off < what ? off : what);
}

/* Most are small, and few have more than 40 bits. */
static u64 random_shrunk(u64 *seed)
{
	u64 bits = random_scale(seed);

	return bits >> random_below(seed, 40) >> 14;
}

/* Mostly the time between packets, sometimes days. */
static u64 random_step(u64 *seed, const struct onramp_pair *pair, u64 now)
{
	u64 t_next = random_near(seed, pair->hold.t_next_ns);

	switch (random_below(seed, 16)) {
	case 0:
		return 0;
	case 1:
		return t_next > now ? t_next - now : 1;
	case 2:
		return random_below(seed, 10 * MS);
	case 3:
		return random_shrunk(seed);
	default:
		return random_below(seed, 100 * US);
	}
}

/* On and around where something changes; at most 2^63 - 2^40, or below 0. */
static s64 random_owd(u64 *seed, const struct onramp_pair *pair, u64 now,
		      const struct onramp_sent *sent, u64 threshold)
{
	u64 hold = onramp_hold_total(&pair->hold, now) - sent->total_ns;
	u64 beta_hold = (u64)((long double)hold * pair->vars.beta_q16 / ONRAMP_BETA_ONE);
	u64 most = (1ULL << 63) - (1ULL << 40);
	u64 owd;

	switch (random_below(seed, 12)) {
	case 0:
		return -(s64)(random_scale(seed) >> 24);
	case 1:
		owd = random_near(seed, threshold);
		break;
	case 2 ... 4:
		owd = random_near(seed, threshold + beta_hold);
		break;
	case 5:
		owd = random_near(seed, threshold + beta_hold + pair->params.max_hold_ns);
		break;
	case 6:
		owd = most - random_below(seed, 3);
		break;
	case 7:
		owd = random_scale(seed) >> 1;
		break;
	default:
		owd = threshold + random_below(seed, 200 * US);
		break;
	}
	return owd > most ? most : owd;
}

static u64 random_threshold(u64 *seed)
{
	switch (random_below(seed, 8)) {
	case 0:
		return random_scale(seed) >> 1;
	case 1:
		return 0;
	default:
		return 15 * US + random_below(seed, 150 * US);
	}
}

static void random_params(u64 *seed, struct onramp_pair *pair)
{
	static const u32 gains[] = { 1, 2, 3, 15, 16, 16, 16, 64, 1023, 1024 };
	static const u64 holds[] = {
		1, 1 * US, 5 * MS, 5 * MS, 5 * MS, 1000 * MS, 1ULL << 50,
	};

	u64 hold_ns = holds[random_below(seed, NR(holds))];
	u32 gain = gains[random_below(seed, NR(gains))];

	onramp_pair_params(pair, (u32[]){ ONRAMP_FINAL, ONRAMP_WEIGHTED, ONRAMP_STRAWMAN }[random_below(seed, 15) / 7], gain, hold_ns);
}

static bool flow_step(u64 *seed, struct onramp_pair *pair, u64 now,
		      struct onramp_sent *sent, u64 *nr_sent)
{
	struct onramp_sent *one;
	u64 pick, threshold;

	pick = random_below(seed, 16);
	if (pick < 6 || !*nr_sent)
		return onramp_pair_send(pair, now, &sent[(*nr_sent)++ % SENT]);
	if (pick == 6 && random_below(seed, 4) == 0)
		random_params(seed, pair);
	if (pick == 7)
		return onramp_pair_hold(pair, now, random_near(seed, now + random_shrunk(seed)));
	if (pick == 8)
		return onramp_pair_hold(pair, now, now - random_below(seed, now + 1));

	pick = *nr_sent > SENT ? random_below(seed, SENT) : random_below(seed, *nr_sent);
	if (random_below(seed, 4))
		pick = (*nr_sent - 1) % SENT;
	one = &sent[pick];
	threshold = random_threshold(seed);
	return onramp_pair_report(pair, now, one,
				  random_owd(seed, pair, now, one, threshold), threshold);
}

static void flows(u64 seed, unsigned long histories, struct onramp_pair *pair)
{
	static const u64 begins[] = { 0, 1, 12345678901234ULL, 1ULL << 61, (1ULL << 63) - (1ULL << 56) };
	struct onramp_sent sent[SENT];
	bool agree = true;
	u64 now, nr_sent;
	unsigned long i;
	int step = 0;

	for (i = 0; i < histories && agree; i++) {
		onramp_pair_start(pair, random_below(&seed, 3) ? ONRAMP_BETA_ONE :
				  random_below(&seed, ONRAMP_BETA_ONE + 1));
		random_params(&seed, pair);
		now = begins[random_below(&seed, NR(begins))];
		nr_sent = 0;
		for (step = 0; step < 400 && agree; step++) {
			now += random_step(&seed, pair, now);
			if (now >> 63)
				break;
			agree = flow_step(&seed, pair, now, sent, &nr_sent);
		}
	}
	if (!tap_ok(agree, "onramp__agrees_with_the_oracle"))
		tap_remark("history %lu, step %d: %s", i - 1, step - 1, pair->trouble);
	tap_remark("%" PRIu64 " holds, %" PRIu64 " bounded; beta measured %" PRIu64
		   " times; %" PRIu64 " reports out of order",
		   pair->holds, pair->bounded, pair->measured, pair->late);
	if (histories >= 100)
		tap_ok(pair->holds && pair->bounded && pair->measured && pair->late,
		       "input__reaches_every_branch_of_the_algorithm");
}

/**
 * struct path_state - what a path is like at the moment
 * @delay: without a queue, ns
 * @offset: of the clocks, ns
 * @queue: ns
 * @error: bound, ns
 * @epoch: of the clock
 * @held: share of the time that is held, of 16
 * @back: way back, by the sender's clock, ns
 * @calm: how seldom it changes
 */
struct path_state {
	u64 delay;
	s64 offset;
	u64 queue;
	u64 error;
	u32 epoch;
	u32 held;
	u64 back;
	u32 calm;
};

static void path_state_change(u64 *seed, struct path_state *w)
{
	static const u64 errors[] = { 0, 1 * US, 2 * US, 5 * US, 100 * US, 101 * US };

	switch (random_below(seed, 17)) {
	case 0:
		w->epoch++;
		w->offset = 0;
		break;
	case 1:
		w->offset = (s64)random_below(seed, 200 * US) - (s64)(100 * US);
		break;
	case 2:
		w->error = errors[random_below(seed, NR(errors))];
		break;
	case 3 ... 7:
		w->held = random_below(seed, 17);
		break;
	case 8:
		w->queue = random_below(seed, 2) ? 0 : 100 * US;
		break;
	case 9:
		w->error++;
		break;
	case 10:
		w->back = 20 * US + (random_below(seed, 2) ? random_below(seed, 200 * US) : 0);
		break;
	default:
		w->queue = 50 * US + random_below(seed, 20 * US);
		break;
	}
}

static u64 path_state_step(u64 *seed)
{
	switch (random_below(seed, 64)) {
	case 1:
		return random_near(seed, 50 * MS);
	case 2:
		return random_near(seed, 1000 * MS);
	case 3:
		return random_below(seed, 3000 * MS);
	case 4:
		return 0;
	default:
		return random_below(seed, 40 * MS);
	}
}

/* How long ago did a packet leave whose delay is @owd? */
static u64 path_rtt(u64 *seed, const struct onramp_path_pair *pair, const struct path_state *w, s64 owd)
{
	u64 rtt = w->delay + w->queue + w->back;

	switch (random_below(seed, w->calm)) {
	case 0:
		return random_near(seed, owd > 0 ? owd : 0);
	case 1:
		/* On the edge of what the rtt explains. */
		rtt = random_below(seed, 2) ? 2 * w->error : -2 * w->error;
		rtt = random_near(seed, owd + pair->vars.rtt_ns - pair->vars.base_ns + rtt);
		break;
	case 2 ... 5:
		rtt += random_below(seed, 100 * US);
		break;
	case 6:
		rtt = owd + w->back;
		break;
	}
	return owd > (s64)rtt && random_below(seed, 8) ? (u64)owd : rtt;
}

static bool path_step(u64 *seed, struct onramp_path_pair *pair, struct path_state *w, u64 *now)
{
	u64 step = path_state_step(seed), hold;
	struct onramp_report r;
	s64 owd;

	if (random_below(seed, w->calm) == 0)
		path_state_change(seed, w);
	if (w->held && !onramp_path_pair_hold(pair, 0, *now, *now + step * w->held / 16 +
					      random_below(seed, 3) - 1))
		return false;
	/* Other flows of the path are also held: longer, shorter, or not at all. */
	if (random_below(seed, 4) == 0) {
		hold = random_below(seed, 2) ? random_below(seed, 5 * MS) : 0;
		if (!onramp_path_pair_hold(pair, random_below(seed, ONRAMP_PAIR_FLOWS), *now, *now + hold))
			return false;
	}
	*now += step;

	owd = (s64)(w->delay + w->queue) + w->offset;
	switch (random_below(seed, 2 * w->calm)) {
	case 0:
		owd = -owd;
		break;
	case 1:
		owd = random_near(seed, onramp_path_threshold(&pair->params, &pair->vars, w->error));
		break;
	case 2:
		owd = random_near(seed, pair->vars.base_ns);
		break;
	case 3:
		owd = (s64)random_near(seed, pair->vars.base_ns) - (s64)w->error;
		break;
	case 4:
		owd = w->error + pair->params.margin_ns;
		owd = random_below(seed, 2) ? owd : -owd;
		owd += (s64)random_near(seed, pair->vars.alike_min_ns);
		break;
	case 5 ... 30:
		owd += random_below(seed, 5 * US);
		break;
	}
	r = (struct onramp_report){
		.now_ns = *now,
		.tx_ns = *now - path_rtt(seed, pair, w, owd),
		.owd_ns = owd,
		.error_ns = w->error,
		.epoch = w->epoch,
		.clock_ok = random_below(seed, 64) != 0,
	};
	return onramp_path_pair_report(pair, &r);
}

static void paths(u64 seed, unsigned long histories, struct onramp_path_pair *pair)
{
	static const u32 calms[] = { 32, 400, 4000 };
	struct onramp_path_params params;
	struct path_state w;
	bool agree = true;
	unsigned long i;
	int step = 0;
	u64 now;

	for (i = 0; i < histories && agree; i++) {
		w = (struct path_state){
			.delay = 10 * US + random_below(&seed, 100 * US),
			.error = random_below(&seed, 3 * US),
			.epoch = random_below(&seed, 2),
			.back = 20 * US + random_below(&seed, 300 * US),
			.calm = calms[random_below(&seed, NR(calms))],
			.held = 12,
		};
		params = (struct onramp_path_params){
			.threshold_ns = random_below(&seed, 2) ? 0 : w.delay + 30 * US,
			.margin_ns = random_below(&seed, 50 * US),
			.max_error_ns = random_below(&seed, 8) ? 100 * US : 2 * US,
		};
		now = 1000 * MS + (random_below(&seed, 2) ? 0 : random_scale(&seed) >> 2);
		onramp_path_pair_start(pair, &params);
		for (step = 0; step < 400 && agree; step++) {
			/* The route of some stable paths becomes longer. */
			if (step == 50 && w.calm == 4000)
				w.delay += 60 * US;
			agree = path_step(&seed, pair, &w, &now);
		}
	}
	if (!tap_ok(agree, "onramp_path__agrees_with_the_oracle"))
		tap_remark("history %lu, step %d: %s", i - 1, step - 1, pair->trouble);
	tap_remark("validities: %" PRIu64 " valid, %" PRIu64 " no clock, %" PRIu64
		   " uncertain, %" PRIu64 " negative, %" PRIu64 " too long, %" PRIu64
		   " below base, %" PRIu64 " suspect; cleared %" PRIu64 "; clocks %" PRIu64
		   ", routes %" PRIu64 "; back-offs %" PRIu64 ", of them to the end %" PRIu64
		   ", woken %" PRIu64,
		   pair->validities[0], pair->validities[1], pair->validities[2], pair->validities[3],
		   pair->validities[4], pair->validities[5], pair->validities[6], pair->cleared,
		   pair->clocks, pair->routes, pair->backoffs, pair->backed_off, pair->woken);
	for (step = 0, agree = true; step < ONRAMP_VALIDITIES; step++)
		agree = agree && pair->validities[step];
	if (histories >= 100)
		tap_ok(agree && pair->cleared && pair->clocks && pair->routes && pair->backed_off && pair->woken,
		       "input__reaches_every_validity");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 200, "histories");
	static struct onramp_path_pair path;
	static struct onramp_pair flow;

	flows(o.seed, o.n, &flow);
	paths(o.seed, o.n, &path);
	return tap_done();
}
