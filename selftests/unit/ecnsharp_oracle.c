// SPDX-License-Identifier: GPL-2.0
/*
 * The algorithm against its oracle on random input: changes of parameters, packets
 * around every threshold, jumps of time, idle gaps.  The seed is printed, and
 * -s repeats it; -n is the number of steps.
 */
#include <inttypes.h>

#include "options.h"
#include "pair.h"
#include "random.h"
#include "../lib/tap.h"

/* Values near which something changes, and some that nobody expects. */
static u64 random_near(u64 *seed, u64 what)
{
	u64 off = random_below(seed, 3);

	return random_below(seed, 2) ? what + off : what - (off < what ? off : what);
}

static u64 random_value(u64 *seed, const struct param_info *info)
{
	static const u64 usual[] = {
		85000, 100000, 137000, 200000, 240000, 10000, 1000, 1250, 150000,
	};
	u64 span = info->most - info->least + 1;

	switch (random_below(seed, 8)) {
	case 0:
		return random_near(seed, info->least);
	case 1:
		return random_near(seed, info->most);
	case 2:
		return info->least + random_below(seed, span);
	case 3:
		return info->least + random_scale(seed) % span;
	default:
		if (info->most < 10)
			return info->least + random_below(seed, span);
		if (info->most == 100000000000000ULL)
			return 10000000000ULL;
		return usual[random_below(seed, 9)];
	}
}

/* Whole families at once, or hardly a request would be accepted. */
static void random_request(u64 *seed, struct pair_request *r)
{
	static const struct {
		u8 n, id[5];
	} family[] = {
		{ 1, { ECNSHARP_INS_TARGET_NS } },
		{ 1, { ECNSHARP_PST_TARGET_NS } },
		{ 1, { ECNSHARP_PST_INTERVAL_NS } },
		{ 3, { ECNSHARP_INS_TARGET_NS, ECNSHARP_PST_TARGET_NS,
		       ECNSHARP_PST_INTERVAL_NS } },
		{ 2, { ECNSHARP_RTT_AVG_NS, ECNSHARP_RTT_TAIL_NS } },
		{ 3, { ECNSHARP_RTT_AVG_NS, ECNSHARP_RTT_TAIL_NS,
		       ECNSHARP_LAMBDA_PPM } },
		{ 3, { ECNSHARP_RTT_AVG_NS, ECNSHARP_RTT_TAIL_NS,
		       ECNSHARP_TRANSPORT } },
		{ 3, { ECNSHARP_KMIN_NS, ECNSHARP_KMAX_NS, ECNSHARP_PMAX_PPM } },
		{ 5, { ECNSHARP_KMIN_BYTES, ECNSHARP_KMAX_BYTES,
		       ECNSHARP_PMAX_PPM, ECNSHARP_SIGNAL, ECNSHARP_RATE_BPS } },
		{ 2, { ECNSHARP_SIGNAL, ECNSHARP_RATE_BPS } },
		{ 1, { ECNSHARP_SIGNAL } },
		{ 1, { ECNSHARP_INSTANTANEOUS } },
		{ 1, { ECNSHARP_PERSISTENT } },
	};
	u32 pick = random_below(seed, 16);
	u32 i;

	r->length = 0;
	if (pick < 13) {
		for (i = 0; i < family[pick].n; i++)
			r->id[r->length++] = family[pick].id[i];
	}
	while (r->length < 8 && random_below(seed, 8) == 0)
		r->id[r->length++] = random_below(seed, ECNSHARP_NR_PARAMS);
	if (!r->length)
		r->id[r->length++] = random_below(seed, ECNSHARP_NR_PARAMS);
	for (i = 0; i < r->length; i++)
		r->value[i] = random_value(seed, ecnsharp_param_info(r->id[i]));
}

/* Where time goes: mostly a packet on, sometimes to where a mark is due. */
static u64 random_step(u64 *seed, const struct pair *p, u64 now)
{
	u64 due = now;

	switch (random_below(seed, 64)) {
	case 0:
		due = p->state.first_above_time + p->config.pst_interval;
		due = random_near(seed, due);
		return due > now ? due : now;
	case 1:
	case 2:
		due = random_near(seed, p->state.marking_next);
		return due > now ? due : now;
	case 3:
		return now + p->config.pst_interval * random_below(seed, 9);
	case 4:
		return now + random_scale(seed) % 10000000000ULL;
	case 5:
		return now;
	default:
		return now + 1 + random_below(seed, 2500);
	}
}

static u64 random_sojourn(u64 *seed, const struct pair *p)
{
	switch (random_below(seed, 512)) {
	case 0:
		return random_scale(seed);
	case 1:
		return random_near(seed, p->config.pst_target);
	case 2:
		return random_below(seed, p->config.pst_target + 1);
	case 3:
		return 0;
	case 4 ... 80:
		return random_near(seed, p->config.ins_target);
	case 81 ... 100:
		return random_near(seed, p->config.kmin);
	case 101 ... 120:
		return random_near(seed, p->config.kmax);
	case 121 ... 140:
		return p->config.kmin +
		       random_below(seed, p->config.kmax - p->config.kmin + 1);
	case 141 ... 200:
		return p->config.pst_target + random_scale(seed) % 1000000;
	default:
		return p->config.pst_target + random_below(seed, 3);
	}
}

/* A backlog that drains in about @sojourn; approximate, so that both sides of a threshold occur. */
static u64 random_backlog(u64 *seed, const struct pair *p, u64 sojourn)
{
	u64 bytes;

	switch (random_below(seed, 512)) {
	case 0:
		return 0;
	case 1:
		return random_scale(seed) & 0x7fffffff;
	case 2 ... 40:
		return random_near(seed, p->config.kmin) & 0x7fffffff;
	case 41 ... 80:
		return random_near(seed, p->config.kmax) & 0x7fffffff;
	}
	if (!p->config.length)
		return 1 + random_below(seed, 2000000);
	if (sojourn > 1000000000)
		sojourn = 1000000000;
	bytes = (u64)((double)sojourn * (double)p->config.rate / 8e9);
	bytes = random_near(seed, bytes ? bytes : 1);
	return bytes > 0x7fffffff ? 0x7fffffff : bytes;
}

static void run(u64 seed, unsigned long steps)
{
	struct oracle_packet pkt = { 0 };
	struct pair_request request;
	unsigned long i, changes = 0;
	struct pair pair;
	bool agree = true;

	pair_start(&pair);
	pkt.now = random_below(&seed, 2) ? 0 : random_scale(&seed) >> 2;
	for (i = 0; i < steps && agree; i++) {
		if (random_below(&seed, 400) == 0) {
			random_request(&seed, &request);
			agree = pair_request(&pair, &request);
			changes++;
			continue;
		}
		pkt.now = random_step(&seed, &pair, pkt.now);
		pkt.sojourn = random_sojourn(&seed, &pair);
		pkt.backlog = random_backlog(&seed, &pair, pkt.sojourn);
		pkt.random = random_u64(&seed);
		agree = pair_dequeue(&pair, &pkt);
	}
	if (!tap_ok(agree, "ecnsharp__agrees_with_the_oracle"))
		tap_remark("step %lu: %s", i, pair.trouble);
	tap_remark("%lu changes; packets by verdict: none %" PRIu64
		   ", instantaneous %" PRIu64 ", persistent %" PRIu64
		   ", both %" PRIu64 "; %" PRIu64 " episodes, %" PRIu64
		   " marks saturated", changes, pair.marks[0], pair.marks[1],
		   pair.marks[2], pair.marks[3], pair.episodes, pair.saturated);
	if (steps >= 100000)
		tap_ok(pair.marks[0] && pair.marks[1] && pair.marks[2] &&
		       pair.marks[3] && pair.episodes && pair.saturated &&
		       pair.calm,
		       "input__reaches_every_verdict");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 2000000, "steps");

	run(o.seed, o.n);
	return tap_done();
}
