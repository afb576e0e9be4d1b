// SPDX-License-Identifier: GPL-2.0
/*
 * When an OR-ACK is due, against an oracle that remembers every packet and goes
 * through all of them each time, and when it may be sent, against what must
 * hold for any series of sends.
 */
#include <inttypes.h>
#include <string.h>

#include "onramp_due.h"
#include "options.h"
#include "oracle_due.h"
#include "random.h"
#include "../lib/tap.h"

#define US	1000ULL
#define MS	1000000ULL
#define SECOND	1000000000ULL

static const struct onramp_due_params usual = {
	.every = 10, .delay_ns = 20 * US, .idle_ns = 100 * US,
};

/* Behind what was sent of the flow of examples. */
static u32 end = 1;

/* A flow of packets at fixed gaps, and how often which cause came. */
static void flow(struct onramp_due_vars *v, u64 *now_ns, u32 n, u32 payload,
		 u64 gap_ns, u32 count[4])
{
	memset(count, 0, 4 * sizeof(*count));
	while (n--) {
		*now_ns += gap_ns;
		count[onramp_due_on_time(&usual, v, *now_ns)]++;
		count[onramp_due_on_packet(&usual, v, *now_ns, end, payload, onramp_due_grid(&usual, 1500), false)]++;
		end += payload;
	}
}

static void examples_test(void)
{
	struct onramp_due_vars v = {};
	u64 now_ns = 5;
	u32 count[4];

	flow(&v, &now_ns, 1, 1448, 0, count);
	tap_ok(count[ONRAMP_DUE_FIRST] == 1 && !v.waiting, "the first packet is acked");
	flow(&v, &now_ns, 10, 1448, US, count);
	tap_ok(!count[ONRAMP_DUE_EVERY] && v.waiting, "11 segments do not reach 16384");
	flow(&v, &now_ns, 1, 1448, US, count);
	tap_ok(count[ONRAMP_DUE_EVERY] == 1 && !v.waiting, "12 do");
	flow(&v, &now_ns, 1, 1, 50 * US, count);
	tap_ok(count[ONRAMP_DUE_NOT] == 2 && !v.waiting, "just after it none is the last");
	flow(&v, &now_ns, 1, 1, 50 * US, count);
	tap_ok(onramp_due_at(&usual, &v) == now_ns + 20 * US &&
	       onramp_due_on_time(&usual, &v, now_ns + 20 * US - 1) == ONRAMP_DUE_NOT &&
	       onramp_due_on_time(&usual, &v, now_ns + 20 * US) == ONRAMP_DUE_LAST,
	       "the last of a burst is acked when its delay has passed");
	tap_ok(onramp_due_on_time(&usual, &v, now_ns + SECOND) == ONRAMP_DUE_NOT,
	       "and once only");
	flow(&v, &now_ns, 1, 1, 100 * US - 1, count);
	tap_ok(!count[ONRAMP_DUE_FIRST], "not quite idle");
	flow(&v, &now_ns, 1, 1, 100 * US, count);
	tap_ok(count[ONRAMP_DUE_FIRST] == 1, "the first after idleness is acked");
	flow(&v, &now_ns, 16384, 1, US, count);
	tap_ok(count[ONRAMP_DUE_EVERY] == 1, "bytes count, not packets");
	flow(&v, &now_ns, 2, 65000, US, count);
	tap_ok(count[ONRAMP_DUE_EVERY] == 2, "a packet that is long enough is acked by itself");

	v = (struct onramp_due_vars){};
	now_ns = 0;
	tap_ok(onramp_due_on_packet(&usual, &v, 0, 1, 1, onramp_due_grid(&usual, 1500), false) == ONRAMP_DUE_FIRST,
	       "time 0 is a time");
}

/* A path gets packets on the grid at fixed gaps.  Return: how many until it is dense, at most 100. */
static u32 until_dense(struct onramp_dense *d, u64 *now_ns, u64 gap_ns)
{
	u32 n;

	for (n = 1; n < 100; n++) {
		*now_ns += gap_ns;
		onramp_dense_on_grid(&usual, d, *now_ns);
		if (*now_ns < onramp_dense_until(&usual, d))
			break;
	}
	return n;
}

static void dense_test(void)
{
	struct onramp_due_vars v = {};
	struct onramp_dense d = {};
	u32 grid = onramp_due_grid(&usual, 1500);
	u64 now_ns = SECOND, until_ns;

	tap_ok(onramp_dense_until(&usual, &d) == 0, "a path that is new is not dense");
	tap_ok(until_dense(&d, &now_ns, 200 * US) == 100, "nor is one of a sender that remembers all");
	d = (struct onramp_dense){};
	tap_ok(until_dense(&d, &now_ns, 199 * US) == 100, "nor soon one of a sender that remembers nearly all");
	d = (struct onramp_dense){};
	tap_ok(until_dense(&d, &now_ns, 0) == 7, "one of a sender that remembers few is with the seventh at once");
	d = (struct onramp_dense){};
	tap_ok(until_dense(&d, &now_ns, 100 * US) == 12, "with the twelfth at twice the rate");
	now_ns += SECOND;
	tap_ok(until_dense(&d, &now_ns, 0) == 7, "what was long ago does not count");
	until_dense(&d, &now_ns, 0);
	while (onramp_dense_until(&usual, &d) < now_ns + 800 * US)
		onramp_dense_on_grid(&usual, &d, now_ns);
	onramp_dense_on_grid(&usual, &d, now_ns);
	until_ns = onramp_dense_until(&usual, &d);
	tap_ok(until_ns == now_ns + 800 * US, "it is for four grids at most after the last");

	tap_ok(onramp_due_on_packet(&usual, &v, now_ns, 1, 1448, grid, true) == ONRAMP_DUE_NOT && !v.waiting,
	       "there the first packet of a flow is not acked, nor is it as the last");
	now_ns += SECOND;
	tap_ok(onramp_due_on_packet(&usual, &v, now_ns, 16384, 1448, grid, true) == ONRAMP_DUE_EVERY,
	       "those on the grid are, after idleness, too");
	now_ns += SECOND;
	tap_ok(onramp_due_on_packet(&usual, &v, now_ns, 20000, 1448, grid, false) == ONRAMP_DUE_FIRST,
	       "what comes when it is not dense any more is as ever");
}

/* As the sender's: its rate and its burst, in packets of an MTU. */
static void dense_is_the_senders(void)
{
	struct onramp_dense d = {};
	u64 now_ns = SECOND, grids = 0, packets = 0;
	struct onramp_pick pick = {};

	while (now_ns >= onramp_dense_until(&usual, &d)) {
		onramp_dense_on_grid(&usual, &d, now_ns);
		grids++;
	}
	while (onramp_pick_take(&pick, 1, now_ns, false))
		packets++;
	tap_ok(grids * usual.every >= packets && (grids - 1) * usual.every < packets,
	       "a path is dense when a sender's rate is used up");
}

static bool random_dense(u64 *seed)
{
	struct onramp_due_params p = usual;
	u64 at_ns[100], soon_ns, now_ns = random_scale(seed) >> 3;
	struct onramp_dense d = {};
	u32 n = 0;

	p.every = 1 + random_below(seed, 1000);
	while (n < 100) {
		now_ns += random_below(seed, 2 * onramp_dense_gap(&p));
		soon_ns = onramp_dense_until(&p, &d) + random_below(seed, 3);
		if (random_below(seed, 4) == 0)
			now_ns = max(now_ns + 1, soon_ns) - 1;
		if ((now_ns < onramp_dense_until(&p, &d)) != oracle_dense(at_ns, n, p.every, now_ns))
			return false;
		if (random_below(seed, 3)) {
			at_ns[n++] = now_ns;
			onramp_dense_on_grid(&p, &d, now_ns);
		}
	}
	return true;
}

static bool random_flow(u64 *seed)
{
	struct onramp_due_params p = usual;
	struct onramp_due_vars v = {};
	struct oracle_due o = {};
	u64 soon_ns, now_ns = random_scale(seed) >> 3;
	u32 mtu = 68 + random_below(seed, 9000);
	u32 payload, seq = random_u64(seed);
	bool dense;

	while (o.n < ORACLE_DUE_LONGEST) {
		if (random_below(seed, 50) == 0) {
			p.every = 1 + random_below(seed, 1000);
			p.delay_ns = US + random_scale(seed) % (100 * MS);
			p.idle_ns = 10 * US + random_scale(seed) % (10 * SECOND);
		} else if (random_below(seed, 50) == 0) {
			p = usual;
		}
		switch (random_below(seed, 7)) {
		case 0:
			now_ns += random_scale(seed) % SECOND;
			break;
		case 1:
			now_ns += p.idle_ns - 1 + random_below(seed, 3);
			break;
		case 2:
			now_ns += p.delay_ns - 1 + random_below(seed, 3);
			break;
		case 3:
			soon_ns = v.fresh_ns + random_below(seed, 3);
			now_ns = max(now_ns + 1, soon_ns) - 1;
			break;
		default:
			now_ns += random_below(seed, US);
			break;
		}
		if (onramp_due_on_time(&p, &v, now_ns) != oracle_due_on_time(&o, &p, now_ns))
			return false;
		payload = 1 + random_scale(seed) % 65535;
		dense = random_below(seed, 5) == 0;
		if (onramp_due_on_packet(&p, &v, now_ns, seq, payload, onramp_due_grid(&p, mtu), dense) !=
		    oracle_due_on_packet(&o, &p, now_ns, seq, payload, mtu, dense))
			return false;
		seq += payload;
		if (v.waiting && onramp_due_at(&p, &v) != now_ns + p.delay_ns)
			return false;
	}
	return true;
}

#define EVENTS	400

/* A bucket that fills, where the algorithm has a time that was used up. */
static bool random_rate(u64 *seed)
{
	u32 per_s = 1 + random_scale(seed) % 10000000;
	u64 cost_ns = SECOND / per_s + (SECOND % per_s != 0);
	u64 level_ns = ONRAMP_RATE_BURST_NS + cost_ns;
	u64 now_ns = random_scale(seed) >> 3, gap_ns, start_ns = now_ns, sent = 0;
	struct onramp_rate r = {};
	bool may;
	int i;

	for (i = 0; i < EVENTS; i++) {
		gap_ns = random_below(seed, 3) ? random_below(seed, cost_ns) :
			 random_scale(seed) % SECOND;
		/* To when the next is just let go, or not yet. */
		if (random_below(seed, 4) == 0 && r.used_ns > now_ns + ONRAMP_RATE_BURST_NS)
			gap_ns = r.used_ns - ONRAMP_RATE_BURST_NS - now_ns - random_below(seed, 2);
		now_ns += gap_ns;
		level_ns = min(level_ns + gap_ns, ONRAMP_RATE_BURST_NS + cost_ns);
		may = level_ns >= cost_ns;
		if (may)
			level_ns -= cost_ns;
		if (onramp_rate_take(&r, now_ns, per_s) != may)
			return false;
		sent += may;
		if (sent > 1 + (now_ns - start_ns + ONRAMP_RATE_BURST_NS) / cost_ns)
			return false;
	}
	return true;
}

static bool random_budget(u64 *seed)
{
	u64 budget = 0, in = 0, out = 0;
	u32 bytes;
	int i;

	for (i = 0; i < EVENTS; i++) {
		bytes = random_scale(seed) % 65536;
		if (random_below(seed, 2)) {
			onramp_budget_earn(&budget, bytes);
			in += bytes;
		} else if (onramp_budget_spend(&budget, bytes)) {
			out += bytes;
		} else if (in - out >= bytes && in < ONRAMP_BUDGET_BYTES) {
			return false;
		}
		if (out > in || budget > ONRAMP_BUDGET_BYTES)
			return false;
	}
	return true;
}

static void budget_test(void)
{
	u64 budget = 0;

	tap_ok(!onramp_budget_spend(&budget, 1), "nothing is sent for nothing");
	onramp_budget_earn(&budget, 64);
	tap_ok(!onramp_budget_spend(&budget, 65) && onramp_budget_spend(&budget, 64) &&
	       !budget, "as much as came, and no more");
	onramp_budget_earn(&budget, U32_MAX);
	tap_ok(budget == ONRAMP_BUDGET_BYTES, "a long flow does not save without end");
}

static void backoff_test(void)
{
	struct onramp_backoff b = {};
	u64 now_ns = 7 * SECOND, length_ns = SECOND;
	bool good = true;
	int i;

	tap_ok(!onramp_backoff_is_on(&b, 0) && !onramp_backoff_is_on(&b, now_ns),
	       "no back-off at the start");
	for (i = 0; i < 10; i++) {
		good = good && onramp_backoff_on_refusal(&b, now_ns) &&
		       b.until_ns - now_ns == length_ns &&
		       !onramp_backoff_on_refusal(&b, now_ns + length_ns - 1) &&
		       onramp_backoff_is_on(&b, now_ns + length_ns - 1) &&
		       !onramp_backoff_is_on(&b, now_ns + length_ns);
		now_ns += 2 * length_ns - 1;
		length_ns = min(2 * length_ns, 64 * SECOND);
	}
	tap_ok(good, "each back-off is twice as long, up to 64 s");
	now_ns = b.until_ns + b.length_ns;
	tap_ok(onramp_backoff_on_refusal(&b, now_ns) && b.length_ns == SECOND,
	       "a peer that listened is forgiven");
	b = (struct onramp_backoff){};
	tap_ok(onramp_backoff_on_refusal(&b, 0) && b.until_ns == SECOND,
	       "at time 0, too");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 3000, "flows");
	bool due = true, dense = true, rate = true, budget = true;
	unsigned long i;

	examples_test();
	dense_test();
	dense_is_the_senders();
	for (i = 0; i < o.n; i++) {
		due = due && random_flow(&o.seed);
		dense = dense && random_dense(&o.seed);
		rate = rate && random_rate(&o.seed);
		budget = budget && random_budget(&o.seed);
	}
	tap_ok(due, "due as the oracle says");
	tap_ok(dense, "dense as a queue that is served at the rate");
	tap_ok(rate, "let go as a bucket lets go, and never above the rate");
	tap_ok(budget, "never more bytes out than in");
	budget_test();
	backoff_test();
	return tap_done();
}
