// SPDX-License-Identifier: GPL-2.0
/*
 * The tuner of a queue, by observations that are written down.
 */
#include <stdlib.h>
#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "tuner.h"

#define MS	1000000ULL
#define RATE	10000000000ULL

static const struct template own = { 200000, 200000, 1000000 };
static const struct tuner_limits wide = { 1000, 1000000, 1 };
static struct tuner_params params;
static struct tuner tuner;
static struct net net;
static uint64_t now;

/* An interval of 1 ms: how full the link was, which part was marked, and the mean delay, us. */
static struct tuner_sample sample(uint32_t percent, uint32_t marked, uint32_t delay_us)
{
	/* A reward that stays the same is an idle queue's. */
	const uint64_t packets = RATE / 8 * MS / 1000000000 / 1524 * percent / 100 + now / MS % 2;
	struct tuner_sample x = {
		.x = {
			.length_ns = MS,
			.rate_bps = RATE,
			.tx_packets = packets,
			.tx_bytes = packets * 1500,
			.marked_packets = packets * marked / 100,
			.marked_bytes = packets * marked / 100 * 1500,
			.backlog_byte_us = RATE / 8000000 * delay_us * 1000,
		},
		.now_ns = now += MS,
		/* No block of chance is static. */
		.random = UINT32_MAX,
	};

	return x;
}

static enum tuner_action step(struct tuner_sample x)
{
	enum tuner_action action = tuner_on_interval(&params, &tuner, &x);

	tuner_applied(&tuner, action);
	return action;
}

static void begin(enum tuner_policy policy, bool tune)
{
	memset(&params, 0, sizeof(params));
	memset(&tuner, 0, sizeof(tuner));
	params.tune = tune;
	params.policy = policy;
	params.net = &net;
	params.guard = (struct guard_params){ 100000, 600000 * MS, 86400000 * MS };
	template_fill(TEMPLATE_RAMP20, params.template);
	now = 0;
	tuner_begin(&params, &tuner, &own, &wide);
}

/* Past the first intervals, whose delay is the static one. */
static void warm(void)
{
	int i;

	for (i = 0; i < 3; i++)
		step(sample(60, 10, 50));
}

/* The same, and a static delay of 50 us that is known. */
static void known(void)
{
	warm();
	tuner.guard.static_delay = (struct guard_mean){ 50000, GUARD_DELAY_SPAN };
}

static void test_start(void)
{
	int i, kept = 0;

	begin(TUNER_FOLLOW, true);
	for (i = 0; i < 2; i++)
		kept += step(sample(50, 10, 50)) == TUNER_KEEP && tuner.state == TUNER_STARTING;
	tap_ok(kept == 2, "it begins with intervals that are only seen");
	tap_ok(step(sample(50, 10, 50)) == TUNER_SET && tuner.state == TUNER_TUNED && tuner.is_tuned &&
	       tuner.in_force.kmax_ns == FOLLOW_BEGIN_NS * 110 / 100, "with the third it is tuned");
	tap_ok(step(sample(99, 10, 250)) == TUNER_SET && tuner.in_force.kmax_ns < FOLLOW_BEGIN_NS * 110 / 100,
	       "a full link lowers the ramp");
	tap_ok(step(sample(50, 0, 50)) == TUNER_KEEP, "no mark, no change");
	tap_ok(tuner.count.changes == 2 && tuner.count.decisions == 3, "decisions and changes are counted");
}

static void test_observe(void)
{
	int i, kept = 0;

	begin(TUNER_FOLLOW, false);
	for (i = 0; i < 1000; i++)
		kept += step(sample(50, 10, 50)) == TUNER_KEEP && tuner.state == TUNER_OBSERVED;
	tap_ok(kept == 1000 && !tuner.count.changes && !tuner.is_tuned, "mode observe changes nothing");
	tap_ok(tuner.count.decisions == 998 && tuner.wanted.kmax_ns == FOLLOW_MOST_NS,
	       "and says what it would have chosen");
	tap_ok(!tuner.count.fallback[GUARD_MARKS], "the guard has nothing to do");
}

static void test_limits(void)
{
	const struct tuner_limits narrow = { 20000, 100000, 500000 };
	const struct tuner_limits middle = { 10000, 300000, 500000 };
	const struct tuner_limits none = { 2000, 3000, 1000000 };
	struct net_trace trace;
	uint32_t best;

	begin(TUNER_FOLLOW, true);
	tuner_begin(&params, &tuner, &own, &narrow);
	warm();
	tap_ok(tuner.in_force.kmin_ns == 20000 && tuner.in_force.kmax_ns == 100000 && tuner.count.clamped == 1,
	       "the rule's choice is within the limits");

	begin(TUNER_DDQN, true);
	tap_ok(tuner.allowed == (1U << TEMPLATE_NR) - 1, "wide limits allow all templates");
	warm();
	net_forward(&net, tuner.window.value, &trace);
	best = net_best(trace.out, tuner.allowed);
	tap_ok(tuner.is_tuned && !memcmp(&tuner.in_force.kmin_ns, &params.template[best].kmin_ns, 16) &&
	       !tuner.count.masked, "the network's choice is in force");
	tuner_begin(&params, &tuner, &own, &middle);
	warm();
	tap_ok(tuner.is_tuned && tuner.in_force.kmin_ns >= 10000 && tuner.in_force.kmax_ns <= 300000 &&
	       tuner.in_force.pmax_ppm >= 500000,
	       "a template outside of the limits is not chosen (%ju, %ju)", (uintmax_t)tuner.in_force.kmin_ns,
	       (uintmax_t)tuner.in_force.kmax_ns);
	tuner_begin(&params, &tuner, &own, &none);
	warm();
	tap_ok(!tuner.allowed && !tuner.is_tuned && tuner.state == TUNER_STATIC,
	       "without a template within the limits it stays static");
}

static void test_triggers(void)
{
	struct tuner_sample x;
	int i;

	begin(TUNER_FOLLOW, true);
	warm();
	x = sample(50, 10, 50);
	x.drops = 1;
	tap_ok(step(x) == TUNER_RESTORE && tuner.state == TUNER_HOLDOFF && tuner.count.fallback[GUARD_DROPS] == 1 &&
	       tuner.in_force.kmax_ns == own.kmax_ns, "a drop: back to its own thresholds, at once");
	x = sample(50, 10, 50);
	x.drops = 1;
	step(x);
	tap_ok(tuner.count.fallback[GUARD_DROPS] == 1, "a drop under them is not the tuner's");
	now += 599997 * MS;
	tap_ok(step(sample(50, 10, 50)) == TUNER_KEEP && tuner.state == TUNER_HOLDOFF, "hold-off lasts");
	step(sample(50, 10, 50));
	tap_ok(step(sample(50, 10, 50)) == TUNER_SET && tuner.state == TUNER_TUNED, "and ends");

	begin(TUNER_FOLLOW, true);
	warm();
	for (i = 0; i < 3; i++)
		step(sample(40, 100, 50));
	tap_ok(tuner.state == TUNER_HOLDOFF && tuner.count.fallback[GUARD_MARKS] == 1, "all marked, and idle");
	begin(TUNER_FOLLOW, true);
	known();
	for (i = 0; i < 300; i++)
		step(sample(99, 10, 500));
	tap_ok(tuner.state == TUNER_HOLDOFF && tuner.count.fallback[GUARD_DELAY] == 1, "a multiple of the delay");
	begin(TUNER_FOLLOW, true);
	known();
	for (i = 0; i < 300; i++)
		step(sample(99, 10, 150));
	tap_ok(tuner.state == TUNER_TUNED, "less than that is no trigger");
}

static void test_comparison(void)
{
	uint64_t state = 1;
	int i;

	begin(TUNER_FOLLOW, true);
	params.guard.share_ppm = 500000;
	for (i = 0; i < 30000 && tuner.state != TUNER_HOLDOFF; i++) {
		/* Whatever is chosen, it is worse: the link is less full. */
		struct tuner_sample x = sample(tuner.is_tuned ? 60 : 80, 10, 50);

		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		x.random = state >> 32;
		step(x);
	}
	tap_ok(tuner.count.fallback[GUARD_COMPARISON] == 1 && !tuner.is_tuned,
	       "slow harm is found by comparison, after %d intervals", i);
	tap_ok(tuner.count.tuned_intervals > 500 && tuner.count.static_intervals > 500 &&
	       tuner.tuned_sum / tuner.count.tuned_intervals < tuner.static_sum / tuner.count.static_intervals,
	       "both arms are summed");
	begin(TUNER_FOLLOW, true);
	params.guard.share_ppm = 500000;
	for (i = 0; i < 30000 && tuner.state != TUNER_HOLDOFF; i++) {
		struct tuner_sample x = sample(tuner.is_tuned ? 80 : 60, 10, 50);

		state = state * 6364136223846793005ULL + 1442695040888963407ULL;
		x.random = state >> 32;
		step(x);
	}
	tap_ok(!tuner.count.fallback[GUARD_COMPARISON], "what is better stays");
}

static void test_late_idle(void)
{
	struct tuner_sample x;
	struct template was;

	begin(TUNER_FOLLOW, true);
	warm();
	was = tuner.in_force;
	x = sample(50, 10, 50);
	x.late = true;
	tap_ok(step(x) == TUNER_KEEP && tuner.count.late == 1 && tuner.in_force.kmax_ns == was.kmax_ns,
	       "nothing is chosen in a late interval");
	x.drops = 1;
	tap_ok(step(x) == TUNER_RESTORE, "but a drop in it counts");
	begin(TUNER_FOLLOW, true);
	warm();
	was = tuner.in_force;
	/* A threshold that is too low: the queue is short since its packets are marked. */
	tap_ok(step(sample(70, 10, 2)) == TUNER_SET && tuner.in_force.kmax_ns > was.kmax_ns &&
	       !tuner.count.idle_skipped,
	       "the rule raises a ramp whose marks keep the queue below kmin");
	begin(TUNER_DDQN, true);
	warm();
	x = sample(1, 0, 0);
	was = tuner.in_force;
	tap_ok(step(x) == TUNER_KEEP && tuner.count.idle_skipped == 1 && tuner.in_force.kmax_ns == was.kmax_ns,
	       "nothing is chosen for an idle queue");
}

static void test_wishes(void)
{
	const struct template theirs = { 5000, 5000, 1000000 };

	begin(TUNER_FOLLOW, true);
	warm();
	tap_ok(tuner_hold(&tuner) == TUNER_RESTORE && tuner.state == TUNER_HELD, "it is held");
	tuner_applied(&tuner, TUNER_RESTORE);
	tap_ok(step(sample(50, 10, 50)) == TUNER_KEEP && tuner.state == TUNER_HELD && !tuner.is_tuned,
	       "and stays so");
	tap_ok(tuner_hold(&tuner) == TUNER_KEEP, "twice is once");
	tuner_begin(&params, &tuner, &own, &wide);
	tap_ok(tuner.state == TUNER_STARTING && tuner.count.changes == 2, "resumed it begins anew; counters stay");

	warm();
	tuner_yield(&tuner, &theirs);
	tap_ok(tuner.state == TUNER_FOREIGN && tuner.own.kmax_ns == 5000 && tuner.count.foreign == 1,
	       "another's thresholds are its own");
	tap_ok(step(sample(50, 10, 50)) == TUNER_KEEP && tuner_hold(&tuner) == TUNER_KEEP &&
	       tuner.state == TUNER_FOREIGN, "and are left alone");
}

static void test_learning(void)
{
	static struct transition transitions[1000];
	static struct agent agent;
	uint32_t i;

	begin(TUNER_DDQN, true);
	agent_params_online(&params.learn, 20000);
	agent_init(&agent, &params.learn, transitions, 1000, 1);
	params.agent = &agent;
	warm();
	for (i = 0; i < 50; i++)
		step(sample(50 + i % 7, 10, 60 + i));
	tap_ok(agent.replay.count >= 45 && agent.replay.count <= 51, "transitions are remembered (%u)",
	       agent.replay.count);
	i = agent.replay.count - 1;
	tap_ok(!memcmp(transitions[i].state + FEATURE_NR, transitions[i].next,
		       sizeof(float) * (FEATURE_STATE - FEATURE_NR)),
	       "what followed is the state moved on by an interval");
	tuner_hold(&tuner);
	i = agent.replay.count;
	step(sample(50, 10, 250));
	step(sample(50, 10, 250));
	tap_ok(agent.replay.count == i, "what is static teaches nothing");
}

static void test_numbers(void)
{
	const struct template last = { 100000, 900000, 1000000 };
	uint32_t i, wrong = 0;

	begin(TUNER_DDQN, true);
	for (i = 0; i < TEMPLATE_NR; i++)
		wrong += tuner_place(&params, &params.template[i]) != i;
	tap_ok(!wrong, "each template is at its place");
	tap_ok(tuner_place(&params, &(struct template){ 100, 100, 1000000 }) == 0 &&
	       tuner_place(&params, &last) == TEMPLATE_NR - 1, "lower and higher ones are the first and the last");
	tap_ok(tuner_kmax_most_ns(1000, RATE) == 600000 && tuner_kmax_most_ns(10000, RATE) == 1000000 &&
	       tuner_kmax_most_ns(1, 1000000000000) == TEMPLATE_LEAST_NS && tuner_kmax_most_ns(1000000, 1000) == 1000000,
	       "kmax is half of the buffer's time at most");
	for (i = 0; i < TUNER_STATES; i++)
		wrong += !*tuner_state_name(i);
	tap_ok(!wrong, "states have names");
}

int main(void)
{
	struct prng prng;

	prng_seed(&prng, 1);
	net_init(&net, &prng);
	test_start();
	test_observe();
	test_limits();
	test_triggers();
	test_comparison();
	test_late_idle();
	test_wishes();
	test_learning();
	test_numbers();
	return tap_done();
}
