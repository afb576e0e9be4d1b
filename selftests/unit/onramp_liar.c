// SPDX-License-Identifier: GPL-2.0
/*
 * A receiver that has the key and lies: what it can do to the flows towards
 * itself, which are all that it can touch.
 *
 * A flow always has a packet to send, and sends as fast as the link lets it, 16
 * packets a round trip, unless it is held.  Every 20 us the receiver reports a
 * packet of the last second, which one and with which delay is the lie; it knows
 * all that the sender knows.  What is bound is the time that a packet which
 * could leave is held.
 *
 * -n is the length of each run in milliseconds, -s the seed.
 */
#include <inttypes.h>
#include <string.h>

#include "onramp.h"
#include "onramp_path.h"
#include "options.h"
#include "random.h"
#include "../lib/tap.h"

#define US		1000ULL
#define MS		1000000ULL
#define START_NS	(10000 * MS)
#define TICK_NS		(2 * US)
#define TICKS_A_LIE	10
#define RTT_NS		(40 * US)
#define BASE_NS		(20 * US)
#define ERROR_NS	US
#define MARGIN_NS	(10 * US)
#define WINDOW		16
#define REMEMBERED	1024
#define MEMORY_NS	(1000 * MS)

/**
 * struct sent - a packet that is remembered
 * @tx_ns: when it left
 * @total_ns: A then
 */
struct sent {
	u64 tx_ns;
	u64 total_ns;
};

/**
 * struct prey - the flow
 * @seed: of the lies
 * @now_ns: time
 * @packet: what left, the latest REMEMBERED
 * @n: how many left
 * @able_ns: since when one more could leave, but for the hold
 * @waited_ns: the longest that one was held
 * @hold: bookkeeping
 * @vars: of the algorithm
 * @path: its own
 */
struct prey {
	u64 seed;
	u64 now_ns;
	struct sent packet[REMEMBERED];
	u64 n;
	u64 able_ns;
	u64 waited_ns;
	struct onramp_hold hold;
	struct onramp_vars vars;
	struct onramp_path_vars path;
};

/**
 * struct lie - which packet is reported, with which delay
 * @x: the packet
 * @owd_ns: the delay
 */
struct lie {
	const struct sent *x;
	u64 owd_ns;
};

/* The packet that left @back before the latest, or the oldest that is remembered. */
static const struct sent *prey_packet(const struct prey *f, u64 back)
{
	u64 kept = min(f->n, (u64)REMEMBERED), i = back < kept ? back : kept - 1;

	while (i && f->now_ns - f->packet[(f->n - 1 - i) % REMEMBERED].tx_ns > MEMORY_NS)
		i--;
	return &f->packet[(f->n - 1 - i) % REMEMBERED];
}

/* The latest packet of the round trip before waited until just now. */
static struct lie lie_latest(struct prey *f)
{
	const struct sent *x = prey_packet(f, WINDOW);

	return (struct lie){ x, f->now_ns - x->tx_ns };
}

/* And so did the oldest. */
static struct lie lie_oldest(struct prey *f)
{
	const struct sent *x = prey_packet(f, REMEMBERED);

	return (struct lie){ x, f->now_ns - x->tx_ns };
}

/* A delay that falls from window to window, as if holding helped. */
static struct lie lie_falling(struct prey *f)
{
	const struct sent *x = prey_packet(f, REMEMBERED);
	u64 windows = (f->now_ns - START_NS) / ONRAMP_WINDOW_NS;
	u64 owd_ns = 400 * MS - windows % 1000 * 30 * US;

	return (struct lie){ x, min(owd_ns, f->now_ns - x->tx_ns) };
}

/* The truth now and then, so that no window is in vain. */
static struct lie lie_seldom(struct prey *f)
{
	if (!random_below(&f->seed, 100))
		return (struct lie){ prey_packet(f, 0), BASE_NS };
	return lie_oldest(f);
}

static struct lie lie_random(struct prey *f)
{
	const struct sent *x = prey_packet(f, random_below(&f->seed, REMEMBERED));

	return (struct lie){ x, random_below(&f->seed, f->now_ns - x->tx_ns + MS) };
}

/**
 * struct liar - a receiver
 * @name: of the test
 * @lie: what it says now
 */
struct liar {
	const char *name;
	struct lie (*lie)(struct prey *f);
};

static const struct liar liars[] = {
	{ "the_last_round_trip", lie_latest },
	{ "the_oldest_packet", lie_oldest },
	{ "a_delay_that_falls", lie_falling },
	{ "the_truth_now_and_then", lie_seldom },
	{ "anything", lie_random },
};

static void prey_report(struct prey *f, const struct onramp_params *algo,
			const struct lie *l, bool bounded)
{
	const struct onramp_path_params p = { .margin_ns = MARGIN_NS, .max_error_ns = 100 * US };
	const struct onramp_report r = {
		.now_ns = f->now_ns,
		.tx_ns = l->x->tx_ns,
		.owd_ns = l->owd_ns,
		.error_ns = ERROR_NS,
		.epoch = 1,
		.clock_ok = true,
	};
	struct onramp_sample x = {
		.owd_ns = r.owd_ns,
		.tx_ns = l->x->tx_ns,
		.total_ns = l->x->total_ns,
		.total_now_ns = onramp_hold_total(&f->hold, f->now_ns),
	};
	struct onramp_decision d;
	u64 t_next_ns;

	if (onramp_path_judge(&p, &f->path, &r) != ONRAMP_VALID)
		return;
	x.threshold_ns = onramp_path_threshold(&p, &f->path, ERROR_NS);
	d = onramp_on_sample(algo, &f->vars, &x);
	if (!d.hold_ns)
		return;
	t_next_ns = f->now_ns + d.hold_ns;
	if (bounded)
		t_next_ns = onramp_hold_until(&f->hold, f->now_ns, d.hold_ns,
					      algo->max_hold_ns);
	onramp_hold_set(&f->hold, f->now_ns, t_next_ns);
	onramp_path_hold(&f->path, f->now_ns, t_next_ns);
}

/* TCP's own acknowledgements come, whatever On-Ramp receives. */
static bool prey_is_able(const struct prey *f)
{
	if (f->n < WINDOW)
		return true;
	return f->now_ns - f->packet[(f->n - WINDOW) % REMEMBERED].tx_ns >= RTT_NS;
}

static void prey_send(struct prey *f)
{
	if (!prey_is_able(f)) {
		f->able_ns = f->now_ns + TICK_NS;
		return;
	}
	f->waited_ns = max(f->waited_ns, f->now_ns - f->able_ns);
	if (f->now_ns < f->hold.t_next_ns)
		return;
	f->packet[f->n++ % REMEMBERED] = (struct sent){
		.tx_ns = f->now_ns,
		.total_ns = onramp_hold_total(&f->hold, f->now_ns),
	};
	onramp_hold_on_packet(&f->hold);
	f->able_ns = f->now_ns + TICK_NS;
}

static struct prey prey;

static void hunt(const struct liar *liar, const struct onramp_params *algo,
		 u64 seed, u64 ms, bool bounded)
{
	struct prey *f = &prey;
	u64 tick;

	memset(f, 0, sizeof(*f));
	f->seed = seed;
	f->now_ns = START_NS;
	f->able_ns = START_NS;
	onramp_vars_init(&f->vars, ONRAMP_BETA_ONE);
	for (tick = 0; f->now_ns < START_NS + ms * MS; tick++) {
		prey_send(f);
		/* The truth until the path is known. */
		if (f->now_ns - START_NS < 10 * MS) {
			if (f->now_ns - prey_packet(f, 10)->tx_ns >= BASE_NS)
				prey_report(f, algo, &(struct lie){ prey_packet(f, 10), BASE_NS }, bounded);
		} else if (tick % TICKS_A_LIE == 0) {
			struct lie l = liar->lie(f);

			prey_report(f, algo, &l, bounded);
		}
		f->now_ns += TICK_NS;
	}
}

/* How long a packet is held at most, and so how many leave at least. */
static void bound(u64 seed, u64 ms, u32 law, u64 max_hold_ns)
{
	const struct onramp_params params = { law, 16, max_hold_ns };
	u64 least = ms * MS / (max_hold_ns + RTT_NS + TICK_NS);
	u64 free_ns, worst_ns = 0, held_ns = 0;
	u32 i;

	for (i = 0; i < sizeof(liars) / sizeof(liars[0]); i++) {
		hunt(&liars[i], &params, seed, ms, false);
		free_ns = prey.waited_ns;
		worst_ns = max(worst_ns, free_ns);
		hunt(&liars[i], &params, seed, ms, true);
		held_ns = max(held_ns, onramp_hold_total(&prey.hold, prey.now_ns));
		tap_remark("%s, max_hold %" PRIu64 " us, law %u: %" PRIu64 " packets, at least %" PRIu64
			   "; held for %" PRIu64 " us at most, without the bound %" PRIu64 " us",
			   liars[i].name, max_hold_ns / 1000, law, prey.n, least,
			   prey.waited_ns / 1000, free_ns / 1000);
		tap_ok(prey.waited_ns <= max_hold_ns + TICK_NS && prey.n >= least,
		       "liar__%s__max_hold_%" PRIu64 "_us_law_%u", liars[i].name, max_hold_ns / 1000, law);
	}
	/* And it is reached: a packet that leaves can be followed by another hold. */
	tap_ok(held_ns > ms * MS / 2, "liar__one_of_them_holds_the_flow_most_of_the_time__max_hold_%" PRIu64 "_us_law_%u",
	       max_hold_ns / 1000, law);
	tap_ok(worst_ns > 10 * max_hold_ns || worst_ns > MEMORY_NS / 2,
	       "liar__without_the_bound_one_of_them_stalls_the_flow__max_hold_%" PRIu64 "_us_law_%u",
	       max_hold_ns / 1000, law);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 1500, "milliseconds");
	static const u64 holds[] = { MS, 5 * MS, 50 * MS };
	u32 i;

	for (i = 0; i < sizeof(holds) / sizeof(holds[0]); i++) {
		bound(o.seed, o.n, ONRAMP_FINAL, holds[i]);
		bound(o.seed, o.n, ONRAMP_WEIGHTED, holds[i]);
		bound(o.seed, o.n, ONRAMP_STRAWMAN, holds[i]);
	}
	return tap_done();
}
