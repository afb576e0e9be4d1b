// SPDX-License-Identifier: GPL-2.0
/*
 * The tuner of a queue.
 */
#include <string.h>

#include "tuner.h"

#define TUNER_BITS_NS		8000000000ULL
#define TUNER_PACKET_BYTES	1500
#define TUNER_KMAX_MOST_NS	1000000ULL

static bool tuner_is_within(const struct tuner_limits *l, const struct template *t)
{
	return t->kmin_ns >= l->kmin_least_ns && t->kmax_ns <= l->kmax_most_ns &&
	       t->pmax_ppm >= l->pmax_least_ppm;
}

static uint32_t tuner_allowed(const struct tuner_params *p, const struct tuner_limits *l)
{
	uint32_t allowed = 0, i;

	for (i = 0; i < TEMPLATE_NR; i++)
		if (tuner_is_within(l, &p->template[i]))
			allowed |= 1U << i;
	return allowed;
}

void tuner_begin(const struct tuner_params *p, struct tuner *t, const struct template *own,
		 const struct tuner_limits *limits)
{
	const struct tuner was = *t;

	memset(t, 0, sizeof(*t));
	t->count = was.count;
	t->tuned_sum = was.tuned_sum;
	t->static_sum = was.static_sum;
	t->limits = *limits;
	t->allowed = tuner_allowed(p, limits);
	t->own = *own;
	t->in_force = *own;
	t->wanted = *own;
	t->state = p->tune ? TUNER_STARTING : TUNER_OBSERVED;
	follow_begin(&t->follow);
	guard_begin(&p->guard, &t->guard);
}

static bool tuner_is_same(const struct template *a, const struct template *b)
{
	return a->kmin_ns == b->kmin_ns && a->kmax_ns == b->kmax_ns && a->pmax_ppm == b->pmax_ppm;
}

static uint64_t tuner_distance(uint64_t a, uint64_t b)
{
	return a < b ? b - a : a - b;
}

uint32_t tuner_place(const struct tuner_params *p, const struct template *t)
{
	uint64_t half = template_half_ns(t), least = UINT64_MAX;
	uint32_t place = 0, i;

	for (i = 0; i < TEMPLATE_NR; i++) {
		uint64_t distance = tuner_distance(template_half_ns(&p->template[i]), half);

		if (tuner_is_same(&p->template[i], t))
			return i;
		if (distance < least) {
			least = distance;
			place = i;
		}
	}
	return place;
}

/* Thresholds in force are rarely others than in the interval before. */
static uint32_t tuner_place_in_force(const struct tuner_params *p, struct tuner *t)
{
	if (!t->has_place || !tuner_is_same(&t->placed, &t->in_force)) {
		t->placed = t->in_force;
		t->place = tuner_place(p, &t->in_force);
		t->has_place = true;
	}
	return t->place;
}

static void tuner_see(const struct tuner_params *p, struct tuner *t, const struct tuner_sample *x)
{
	t->count.intervals++;
	t->seen = (struct tuner_seen){
		.delay_ns = feature_delay_ns(&x->x),
		.utilisation = feature_utilisation(&x->x),
		.marked_fraction = feature_marked_fraction(&x->x),
		.reward = reward(p->reward, &x->x),
	};
	feature_push(&t->window, &x->x, tuner_place_in_force(p, t), TEMPLATE_NR - 1);
}

/* The guard's counts are also kept here, permanently. */
static void tuner_compare(struct tuner *t)
{
	if (t->guard.holding || t->guard.position < GUARD_SKIP)
		return;
	if (t->guard.is_static) {
		t->static_sum += (double)t->seen.reward;
		t->count.static_intervals++;
	} else {
		t->tuned_sum += (double)t->seen.reward;
		t->count.tuned_intervals++;
	}
}

static void tuner_guard(const struct tuner_params *p, struct tuner *t, const struct tuner_sample *x)
{
	const struct guard_interval interval = {
		.now_ns = x->now_ns,
		.drops = t->is_tuned ? x->drops : 0,
		.delay_ns = t->seen.delay_ns,
		.utilisation = t->seen.utilisation,
		.marked_fraction = t->seen.marked_fraction,
		.reward = t->seen.reward,
		.random = x->random,
	};
	enum guard_verdict verdict;

	if (!feature_is_full(&t->window)) {
		guard_note_static(&t->guard, &interval);
		return;
	}
	tuner_compare(t);
	verdict = guard_on_interval(&p->guard, &t->guard, &interval);
	if (verdict == GUARD_KEEP)
		return;
	t->count.fallback[verdict]++;
	t->verdict = verdict;
}

/* The interval that is over tells what the last choice was worth. */
static void tuner_remember(const struct tuner_params *p, struct tuner *t)
{
	if (!t->has_last)
		return;
	t->has_last = false;
	t->last.reward = t->seen.reward;
	memcpy(t->last.next, t->window.value, sizeof(t->last.next));
	replay_push(&p->agent->replay, &t->last);
}

static uint64_t tuner_between(uint64_t value, uint64_t least, uint64_t most)
{
	if (value < least)
		return least;
	return value > most ? most : value;
}

/* Return: true if it was outside of the limits. */
static bool tuner_clamp(const struct tuner_limits *l, struct template *t)
{
	const struct template was = *t;

	t->kmin_ns = tuner_between(t->kmin_ns, l->kmin_least_ns, l->kmax_most_ns);
	t->kmax_ns = tuner_between(t->kmax_ns, t->kmin_ns, l->kmax_most_ns);
	if (t->pmax_ppm < l->pmax_least_ppm)
		t->pmax_ppm = l->pmax_least_ppm;
	return !tuner_is_same(&was, t);
}

static void tuner_follow(struct tuner *t, const struct tuner_sample *x)
{
	t->wanted = follow_on_interval(&t->follow, &x->x);
	if (tuner_clamp(&t->limits, &t->wanted))
		t->count.clamped++;
}

static void tuner_network(const struct tuner_params *p, struct tuner *t)
{
	const uint32_t all = (1U << TEMPLATE_NR) - 1;
	struct net_trace trace;
	uint32_t place;

	if (p->agent) {
		place = agent_act(p->agent, &p->learn, t->window.value,
				  tuner_place_in_force(p, t), t->allowed);
		memcpy(t->last.state, t->window.value, sizeof(t->last.state));
		t->last.action = place;
		t->has_last = true;
	} else {
		net_forward(p->net, t->window.value, &trace);
		place = net_best(trace.out, t->allowed);
		t->count.masked += place != net_best(trace.out, all);
	}
	t->wanted = p->template[place];
}

/* Return: false if there is nothing to choose. */
static bool tuner_choose(const struct tuner_params *p, struct tuner *t,
			 const struct tuner_sample *x)
{
	if (p->policy == TUNER_FIXED || (p->policy == TUNER_DDQN && !t->allowed))
		return false;
	if (p->policy == TUNER_DDQN && t->idle.idle) {
		t->count.idle_skipped++;
		return false;
	}
	t->count.decisions++;
	if (p->policy == TUNER_FOLLOW)
		tuner_follow(t, x);
	else
		tuner_network(p, t);
	return true;
}

static enum tuner_action tuner_static(struct tuner *t, enum tuner_state state)
{
	t->state = state;
	t->has_last = false;
	return t->is_tuned ? TUNER_RESTORE : TUNER_KEEP;
}

/* The guard has no objection: the policy chooses. */
static enum tuner_action tuner_tune(const struct tuner_params *p, struct tuner *t,
				    const struct tuner_sample *x)
{
	t->state = TUNER_TUNED;
	if (!tuner_choose(p, t, x) || tuner_is_same(&t->wanted, &t->in_force))
		return TUNER_KEEP;
	return TUNER_SET;
}

static enum tuner_action tuner_decide(const struct tuner_params *p, struct tuner *t,
				      const struct tuner_sample *x)
{
	if (t->guard.holding)
		return tuner_static(t, TUNER_HOLDOFF);
	if (t->guard.is_static || p->policy == TUNER_FIXED ||
	    (p->policy == TUNER_DDQN && !t->allowed))
		return tuner_static(t, TUNER_STATIC);
	if (x->late) {
		t->has_last = false;
		return TUNER_KEEP;
	}
	return tuner_tune(p, t, x);
}

/*
 * A queue that is shorter than kmin is idle.  Its own kmin may be far above all that the
 * policy chooses from, so while that is in force the least of these counts.
 */
static void tuner_rest(struct tuner *t)
{
	uint64_t kmin_ns = t->in_force.kmin_ns;

	if (!t->is_tuned && kmin_ns > FOLLOW_KMIN_NS)
		kmin_ns = FOLLOW_KMIN_NS;
	idle_on_interval(&t->idle, t->seen.delay_ns, kmin_ns, t->seen.reward);
}

enum tuner_action tuner_on_interval(const struct tuner_params *p, struct tuner *t,
				    const struct tuner_sample *x)
{
	tuner_see(p, t, x);
	t->count.late += x->late;
	tuner_rest(t);
	if (p->agent)
		tuner_remember(p, t);
	if (tuner_is_waiting(t))
		return TUNER_KEEP;
	if (!p->tune) {
		if (feature_is_full(&t->window) && !x->late)
			tuner_choose(p, t, x);
		return TUNER_KEEP;
	}
	tuner_guard(p, t, x);
	return feature_is_full(&t->window) ? tuner_decide(p, t, x) : TUNER_KEEP;
}

void tuner_applied(struct tuner *t, enum tuner_action action)
{
	if (action == TUNER_KEEP)
		return;
	t->count.changes++;
	t->is_tuned = action == TUNER_SET;
	t->in_force = t->is_tuned ? t->wanted : t->own;
}

enum tuner_action tuner_hold(struct tuner *t)
{
	/* The tuner does not hold a queue that another program changed. */
	if (t->state == TUNER_FOREIGN)
		return TUNER_KEEP;
	return tuner_static(t, TUNER_HELD);
}

void tuner_yield(struct tuner *t, const struct template *own)
{
	t->count.foreign++;
	t->own = *own;
	t->in_force = *own;
	t->is_tuned = false;
	t->has_last = false;
	t->state = TUNER_FOREIGN;
}

uint64_t tuner_kmax_most_ns(uint64_t limit, uint64_t rate_bps)
{
	uint64_t half = (__uint128_t)limit * TUNER_PACKET_BYTES * TUNER_BITS_NS / rate_bps / 2;

	if (half > TUNER_KMAX_MOST_NS)
		return TUNER_KMAX_MOST_NS;
	return half < TEMPLATE_LEAST_NS ? TEMPLATE_LEAST_NS : half;
}

const char *tuner_state_name(enum tuner_state state)
{
	static const char *const name[TUNER_STATES] = {
		[TUNER_STARTING] = "starting", [TUNER_STATIC] = "static",
		[TUNER_TUNED] = "tuned", [TUNER_HOLDOFF] = "holdoff", [TUNER_HELD] = "held",
		[TUNER_FOREIGN] = "foreign", [TUNER_OBSERVED] = "observed",
	};

	return name[state];
}

const char *tuner_fallback_name(const struct tuner *t)
{
	static const char *const name[GUARD_NR] = {
		[GUARD_KEEP] = "no cause",
		[GUARD_DROPS] = "packets were dropped",
		[GUARD_MARKS] = "nearly all was marked, and the link not used",
		[GUARD_DELAY] = "a multiple of the static delay",
		[GUARD_COMPARISON] = "static thresholds proved better",
	};

	return name[t->verdict];
}
