// SPDX-License-Identifier: GPL-2.0
/*
 * On-Ramp in a closed loop: a toy of flows that share one link, each with its
 * own path and T automatic.
 *
 *	host 0 --+
 *	  ...    +-- link, 10 Gbit/s, FIFO, 1 MB --> receiver, OR-ACK each packet
 *	host n --+	  20 us each way, back more where packets wait
 *
 * The window of a flow grows by a packet a round trip when it is used up, from
 * what a longer way back takes on, and is halved by a loss: without On-Ramp the
 * queue is as long as the buffer.  A packet leaves when the window, the hold
 * and the pacing allow, with 0 to 1 us of the host's noise.  Pacing is as TCP
 * does it under a fair queue: at 1.2 windows a smoothed round trip, which
 * includes the hold.  The clocks are wrong by up to 0.5 us.
 *
 * Cases that the laboratory does not have: a step of clocks that the way back hides all the
 * time, and a route that becomes longer.  Other trouble with clocks, and what the
 * algorithms make of two flows and of twelve: selftests/lab/clocks.py and the
 * acceptance criteria.  -s is the seed.
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
#define WIRE_NS		1200ULL		/* 1500 bytes */
#define DELAY_NS	(20 * US)
#define QUEUE_NS	(800 * US)	/* 1 MB */
#define START_NS	(1000 * MS)
#define MOST_FLOWS	2
#define FLYING		4096

/**
 * struct toy_packet - on its way
 * @flow: whose
 * @made_ns: when TCP handed it down
 * @tx_ns: when it left the host
 * @total_ns: A(@tx_ns)
 * @rx_ns: when the receiver has it
 * @ack_ns: when the sender knows
 */
struct toy_packet {
	u32 flow;
	u64 made_ns;
	u64 tx_ns;
	u64 total_ns;
	u64 rx_ns;
	u64 ack_ns;
};

/**
 * struct toy_flow - a sender
 * @start_ns: when it begins
 * @ready_ns: when pacing lets the next packet go
 * @made_ns: when TCP handed that down
 * @window: packets
 * @srtt_ns: smoothed round trip
 * @flying: packets on their way
 * @hold: bookkeeping
 * @vars: of the algorithm
 * @path: its own
 * @sent: packets
 */
struct toy_flow {
	u64 start_ns;
	u64 ready_ns;
	u64 made_ns;
	double window;
	double srtt_ns;
	u32 flying;
	struct onramp_hold hold;
	struct onramp_vars vars;
	struct onramp_path_vars path;
	u64 sent;
};

/**
 * struct toy_config - what is to be shown
 * @law: enum onramp_law
 * @hold: otherwise On-Ramp only observes
 * @flows: 1 to MOST_FLOWS
 * @apart_ns: between the beginnings of two
 * @measure_ns: when measurement begins
 * @end_ns: of the run
 * @step_ns: when all receivers' clocks are stepped, if not 0
 * @step_by_ns: by how much
 * @margin_ns: of T
 * @wait_ns: what waits on the way back, from 300 ms on
 * @wait_varies: between half as much and one and a half times, in 320 ms
 * @route_ns: by how much the way is longer when clocks would be stepped
 * @others_ns: what a queue of others adds at most, another in each 50 ms
 */
struct toy_config {
	u32 law;
	bool hold;
	u32 flows;
	u64 apart_ns;
	u64 measure_ns;
	u64 end_ns;
	u64 step_ns;
	s64 step_by_ns;
	u64 margin_ns;
	u64 wait_ns;
	bool wait_varies;
	u64 route_ns;
	u64 others_ns;
};

/**
 * struct toy - the link, and its users
 * @c: what is to be shown
 * @seed: of the noise
 * @now_ns: time
 * @link_ns: when the link has sent what is queued
 * @flow: senders
 * @packet: on their way, in the order in which they arrive
 * @first: of @packet
 * @last: behind the last one
 * @busy_ns: time that the link was busy since measurement began
 * @queue_ns: sum of the queue that packets saw then
 * @packets: how many
 * @drops: lost
 * @suspects: how often a path became suspect since then
 */
struct toy {
	struct toy_config c;
	u64 seed;
	u64 now_ns;
	u64 link_ns;
	struct toy_flow flow[MOST_FLOWS];
	struct toy_packet packet[FLYING];
	u32 first;
	u32 last;
	u64 busy_ns;
	double queue_ns;
	u64 packets;
	u64 drops;
	u64 suspects;
};

static struct toy toy;

static const struct onramp_path_params *toy_path_params(const struct toy *t)
{
	static struct onramp_path_params p;

	p = (struct onramp_path_params){ .margin_ns = t->c.margin_ns, .max_error_ns = 100 * US };
	return &p;
}

/* By how much the receivers' clocks are ahead. */
static s64 toy_ahead(const struct toy *t)
{
	return t->c.step_ns && t->now_ns >= t->c.step_ns ? t->c.step_by_ns : 0;
}

/* Bounds of both clocks together. */
#define ERROR_NS	US

static u64 toy_t(const struct toy *t, const struct toy_flow *f)
{
	return onramp_path_threshold(toy_path_params(t), &f->path, ERROR_NS);
}

/* Wait on the way back. */
static u64 toy_wait(const struct toy *t)
{
	u64 wait = t->c.wait_ns, phase = t->now_ns / US % 320000;

	if (t->now_ns <= START_NS + 300 * MS)
		return 0;
	if (!t->c.wait_varies)
		return wait;
	return wait / 2 + wait * (phase < 310000 ? phase : (320000 - phase) * 31) / 310000;
}

/* How much longer is the way, and its queue? */
static u64 toy_longer(const struct toy *t)
{
	u64 draw = t->now_ns / (50 * MS) * 0x9e3779b97f4a7c15ULL >> 33;

	return (t->c.others_ns ? draw % t->c.others_ns : 0) +
	       (t->now_ns >= t->c.step_ns ? t->c.route_ns : 0);
}

static void toy_send(struct toy *t, u32 i)
{
	struct toy_flow *f = &t->flow[i];
	double gap = f->srtt_ns / f->window / 1.2;
	u64 made = f->made_ns > f->start_ns ? f->made_ns : f->start_ns;
	u64 arrival = t->now_ns;
	struct toy_packet *p;

	f->ready_ns = t->now_ns + (gap > WIRE_NS ? (u64)gap : WIRE_NS) + random_below(&t->seed, US);
	f->made_ns = t->now_ns;
	if (t->link_ns < arrival)
		t->link_ns = arrival;
	if (t->link_ns - arrival > QUEUE_NS) {
		t->drops++;
		f->window = f->window > 2 ? f->window / 2 : 1;
		f->ready_ns += 2 * DELAY_NS;
		return;
	}
	if (t->now_ns >= t->c.measure_ns) {
		t->queue_ns += t->link_ns - arrival;
		t->packets++;
		t->busy_ns += WIRE_NS;
	}
	t->link_ns += WIRE_NS;
	p = &t->packet[t->last++ % FLYING];
	*p = (struct toy_packet){
		.flow = i,
		.made_ns = made,
		.tx_ns = t->now_ns,
		.total_ns = onramp_hold_total(&f->hold, t->now_ns),
		.rx_ns = t->link_ns + DELAY_NS + toy_longer(t),
		.ack_ns = t->link_ns + 2 * DELAY_NS + toy_longer(t) + toy_wait(t),
	};
	f->flying++;
	f->sent++;
}

static void toy_ack(struct toy *t)
{
	const struct onramp_params params = { t->c.law, 16, 5 * MS };
	const struct toy_packet *p = &t->packet[t->first++ % FLYING];
	struct toy_flow *f = &t->flow[p->flow];
	const struct onramp_report r = {
		.now_ns = t->now_ns,
		.tx_ns = p->tx_ns,
		.owd_ns = (s64)(p->rx_ns - p->tx_ns + random_below(&t->seed, US) - US / 2) + toy_ahead(t),
		.error_ns = ERROR_NS,
		.epoch = 1,
		.clock_ok = true,
	};
	struct onramp_sample x = {
		.owd_ns = r.owd_ns,
		.tx_ns = p->tx_ns,
		.total_ns = p->total_ns,
		.total_now_ns = onramp_hold_total(&f->hold, t->now_ns),
	};
	bool was_suspect = f->path.suspect;
	struct onramp_decision d = {};

	if (f->flying + 1 > f->window) {
		f->window += 1 / f->window;
		if (f->made_ns < t->now_ns)
			f->made_ns = t->now_ns;
	}
	f->flying--;
	f->srtt_ns += ((double)(t->now_ns - p->made_ns) - f->srtt_ns) / 8;
	if (onramp_path_judge(toy_path_params(t), &f->path, &r) == ONRAMP_VALID) {
		x.threshold_ns = toy_t(t, f);
		d = onramp_on_sample(&params, &f->vars, &x);
	}
	t->suspects += !was_suspect && f->path.suspect && t->now_ns >= t->c.measure_ns;
	if (d.hold_ns && t->c.hold) {
		onramp_hold_set(&f->hold, t->now_ns, t->now_ns + d.hold_ns);
		onramp_path_hold(&f->path, t->now_ns, t->now_ns + d.hold_ns);
	}
}

/* When a flow can send; far away if only an acknowledgement will tell. */
static u64 toy_due(const struct toy_flow *f)
{
	u64 due = f->ready_ns;

	if (f->flying >= f->window)
		return U64_MAX;
	if (f->hold.t_next_ns > due)
		due = f->hold.t_next_ns;
	return f->start_ns > due ? f->start_ns : due;
}

/*
 * The flow that can send before @next, the next acknowledgement; or none.  Only
 * the flow that did something last can have changed its mind.
 */
static u32 toy_first(const u64 *due, u32 flows, u64 *next)
{
	u32 i, next_flow = flows;

	for (i = 0; i < flows; i++) {
		if (due[i] < *next) {
			*next = due[i];
			next_flow = i;
		}
	}
	return next_flow;
}

static void toy_run(struct toy *t, const struct toy_config *c, u64 seed)
{
	u64 due[MOST_FLOWS], next;
	u32 i, next_flow;

	memset(t, 0, sizeof(*t));
	t->c = *c;
	t->seed = seed;
	for (i = 0; i < c->flows; i++) {
		t->flow[i].start_ns = START_NS + i * c->apart_ns;
		t->flow[i].window = 10;
		t->flow[i].srtt_ns = 2 * DELAY_NS + WIRE_NS;
		onramp_vars_init(&t->flow[i].vars, ONRAMP_BETA_ONE);
		due[i] = toy_due(&t->flow[i]);
	}
	for (;;) {
		next = t->first == t->last ? U64_MAX : t->packet[t->first % FLYING].ack_ns;
		next_flow = toy_first(due, c->flows, &next);
		if (next > t->now_ns)
			t->now_ns = next;
		if (t->now_ns >= c->end_ns)
			return;
		if (next_flow < c->flows) {
			toy_send(t, next_flow);
		} else {
			next_flow = t->packet[t->first % FLYING].flow;
			toy_ack(t);
		}
		due[next_flow] = toy_due(&t->flow[next_flow]);
	}
}

static double toy_utilisation(const struct toy *t)
{
	return (double)t->busy_ns / (double)(t->c.end_ns - t->c.measure_ns);
}

/* The mean of what packets found, us. */
static double toy_queue(const struct toy *t)
{
	return t->queue_ns / (double)t->packets / 1e3;
}

static void toy_remark(const struct toy *t, const char *what)
{
	u64 least = U64_MAX, most = 0;
	u32 i;

	for (i = 0; i < t->c.flows; i++) {
		least = toy_t(t, &t->flow[i]) < least ? toy_t(t, &t->flow[i]) : least;
		most = toy_t(t, &t->flow[i]) > most ? toy_t(t, &t->flow[i]) : most;
	}
	tap_remark("%s, %u flows: utilisation %.4f, queue %.1f us, T %.1f to %.1f us, beta %.2f, %"
		   PRIu64 " drops, %" PRIu64 " suspicions", what, t->c.flows, toy_utilisation(t),
		   toy_queue(t), (double)least / 1e3, (double)most / 1e3,
		   t->flow[0].vars.beta_q16 / 65536.0, t->drops, t->suspects);
}

/**
 * struct toy_trouble - a clock that is stepped, or a route that becomes longer
 * @step_us: the one
 * @route_us: or the other
 * @wait_us: while so much waits on the way back
 * @varies: half to one and a half times that
 * @others_us: and others' queue adds up to so much
 * @margin_us: of T
 * @within_ms: when throughput is back
 * @enough: of it as without the trouble
 */
struct toy_trouble {
	s64 step_us;
	u64 route_us;
	u64 wait_us;
	bool varies;
	u64 others_us;
	u64 margin_us;
	u64 within_ms;
	double enough;
};

/*
 * Whatever hides it, the link is as busy again in the second after, and in the
 * one after that.  T need not be right again, so it may back off.
 */
static void hidden(u64 seed, const struct toy_trouble *x)
{
	struct toy_config c = {
		.hold = true, .law = ONRAMP_WEIGHTED, .flows = 2, .apart_ns = 10 * MS,
		.margin_ns = x->margin_us * US, .wait_ns = x->wait_us * US,
		.wait_varies = x->varies, .others_ns = x->others_us * US,
		.measure_ns = START_NS + (1200 + x->within_ms) * MS,
		.end_ns = START_NS + (3200 + x->within_ms) * MS,
	};
	double whole;

	toy_run(&toy, &c, seed);
	whole = toy_utilisation(&toy);
	c.step_ns = START_NS + 1200 * MS;
	c.step_by_ns = x->step_us * (s64)US;
	c.route_ns = x->route_us * US;
	toy_run(&toy, &c, seed);
	toy_remark(&toy, "hidden");
	if (!tap_ok(toy_utilisation(&toy) >= x->enough * whole,
		    "loop__step_%d_route_%d_wait_%d%s_others_%d_margin_%d_us_is_back_after_%d_ms", (int)x->step_us,
		    (int)x->route_us, (int)x->wait_us, x->varies ? "_varies" : "", (int)x->others_us,
		    (int)x->margin_us, (int)x->within_ms))
		tap_remark("without it utilisation is %.4f", whole);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 1, "rounds");
	/* The first FEW are one of each kind; all are tried with FULL in the environment. */
	enum { FEW_TROUBLES = 6 };
	static const struct toy_trouble troubles[] = {
		{ 100, 0, 150, false, 0, 30, 1000, 0.95 }, { 1000, 0, 1100, false, 40, 130, 1000, 0.95 },
		{ 500, 0, 600, true, 40, 130, 1000, 0.95 },
		/* Some of its delays are impossible, so that holds come and go. */
		{ 1000, 0, 1100, true, 0, 130, 1000, 0.9 },
		{ 0, 200, 400, true, 40, 30, 1000, 0.95 },
		/* With nothing on the way back it may be a queue for as long as two seconds. */
		{ 0, 200, 0, false, 0, 30, 2200, 0.95 },
		/* More of the same kinds. */
		{ 0, 200, 0, false, 60, 10, 2500, 0.95 }, { 0, 200, 400, false, 0, 30, 1000, 0.95 },
		{ 200, 0, 250, false, 0, 130, 1000, 0.95 },
		{ 500, 0, 600, false, 0, 130, 1000, 0.95 }, { 1000, 0, 1100, false, 0, 130, 1000, 0.95 },
		{ 100, 0, 150, false, 40, 30, 1000, 0.95 }, { 200, 0, 250, false, 40, 130, 1000, 0.95 },
		{ 300, 0, 600, false, 40, 10, 1000, 0.95 },
		{ 100, 0, 150, true, 40, 30, 1000, 0.95 }, { 200, 0, 250, true, 0, 130, 1000, 0.95 },
		{ 300, 0, 600, true, 40, 10, 1000, 0.95 },
		{ 500, 0, 400, true, 0, 130, 1000, 0.95 }, { 1000, 0, 800, true, 100, 130, 1000, 0.95 },
		{ 200, 0, 150, true, 40, 50, 1000, 0.95 },
	};
	const u32 all_troubles = sizeof(troubles) / sizeof(troubles[0]);
	u32 i;

	for (i = 0; i < (o.full ? all_troubles : FEW_TROUBLES); i++)
		hidden(o.seed, &troubles[i]);
	return tap_done();
}
