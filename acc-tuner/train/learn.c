// SPDX-License-Identifier: GPL-2.0
/*
 * Training in the model.
 */
#include <stdlib.h>

#include "episode.h"
#include "learn.h"
#include "progress.h"

#define LEARN_ALL	((1U << TEMPLATE_NR) - 1)
#define LEARN_PAST	64

/**
 * struct learner - a training that runs
 * @p: what is to be learned
 * @template: templates, sorted
 * @params: constants of the agent
 * @agent: the agent
 * @prng: chance of conditions and of shuffled rewards
 * @window: what the agent sees
 * @present: place of the template in force
 * @idle: is the queue idle?
 * @step: decisions so far
 * @past: rewards of other times, for @p->shuffle
 * @progress: what was reported
 */
struct learner {
	const struct learn *p;
	struct template template[TEMPLATE_NR];
	struct agent_params params;
	struct agent agent;
	struct prng prng;
	struct feature_window window;
	uint32_t present;
	struct idle idle;
	uint64_t step;
	float past[LEARN_PAST];
	struct progress progress;
};

static double learn_validate(const struct learner *l)
{
	struct policy policy = { .kind = POLICY_NET, .net = &l->agent.net,
				 .template = l->template, .reward = l->p->reward };
	const struct episode_times times = { .interval_ns = l->p->interval_ns };
	struct prng prng;
	int64_t sum = 0;
	int i;

	prng_seed(&prng, LEARN_VALIDATION_SEED);
	for (i = 0; i < LEARN_VALIDATION; i++) {
		struct scenario x = condition_draw(&prng, l->p->workloads);
		struct episode_result r;

		episode_run(&x, &times, &policy, &r);
		sum += r.cost;
	}
	return (double)sum / 4294967296.0 / LEARN_VALIDATION;
}

static void learn_check(struct learner *l, struct learned *best)
{
	uint64_t every = l->p->steps;
	double cost;

	if (every >= LEARN_CHECKS_FROM)
		every /= LEARN_CHECKS;
	if (l->step % every)
		return;
	cost = learn_validate(l);
	if (best->steps && cost >= best->cost)
		return;
	best->net = l->agent.net;
	best->cost = cost;
	best->steps = l->step;
}

/* The control gets the reward of another time, whatever the action was. */
static float learn_reward(struct learner *l, float real)
{
	float other = l->past[prng_below(&l->prng, LEARN_PAST)];

	if (!l->p->shuffle)
		return real;
	l->past[prng_below(&l->prng, LEARN_PAST)] = real;
	return other;
}

/* An interval with the template in force. */
static float learn_interval(struct learner *l, struct sim *s, struct bottleneck_count *past)
{
	const struct template *t = &l->template[l->present];
	struct bottleneck_count now;
	struct feature_interval x;
	float gain;

	bottleneck_set(&s->port, t);
	sim_run(s, s->now_ns + l->p->interval_ns);
	now = bottleneck_read(&s->port, s->now_ns);
	x = episode_interval(&now, past, l->p->interval_ns, s->scenario.rate_bps);
	gain = reward(l->p->reward, &x);
	feature_push(&l->window, &x, l->present, TEMPLATE_NR - 1);
	idle_on_interval(&l->idle, feature_delay_ns(&x), t->kmin_ns, gain);
	return gain;
}

static void learn_decide(struct learner *l, struct sim *s, struct bottleneck_count *past)
{
	struct transition x;
	uint32_t i;

	for (i = 0; i < FEATURE_STATE; i++)
		x.state[i] = l->window.value[i];
	l->present = agent_act(&l->agent, &l->params, x.state, l->present, LEARN_ALL);
	x.action = l->present;
	x.reward = learn_reward(l, learn_interval(l, s, past));
	for (i = 0; i < FEATURE_STATE; i++)
		x.next[i] = l->window.value[i];
	replay_push(&l->agent.replay, &x);
	agent_learn(&l->agent, &l->params, LEARN_ALL);
	l->step++;
	if (l->p->talks)
		progress_tell(&l->progress, l->step, l->p->steps);
}

/* Under one condition. */
static void learn_phase(struct learner *l, struct learned *best)
{
	const struct scenario x = condition_draw(&l->prng, l->p->workloads);
	struct bottleneck_count past = { 0 };
	struct sim s;

	episode_open(&s, &x);
	while (s.now_ns + l->p->interval_ns <= x.duration_ns && l->step < l->p->steps) {
		if (l->idle.idle || !feature_is_full(&l->window)) {
			learn_interval(l, &s, &past);
			continue;
		}
		learn_decide(l, &s, &past);
		learn_check(l, best);
	}
	best->virtual_ns += s.now_ns;
	sim_close(&s);
}

void learn_run(const struct learn *p, struct learned *best)
{
	struct transition *transitions = calloc(LEARN_REPLAY, sizeof(*transitions));
	struct learner *l = calloc(1, sizeof(*l));

	if (!transitions || !l) {
		fputs("acc-train: out of memory\n", stderr);
		exit(1);
	}
	*best = (struct learned){};
	l->p = p;
	l->present = POLICY_FIRST;
	l->progress = progress_begin("training");
	template_fill(p->set, l->template);
	prng_seed(&l->prng, p->seed);
	agent_params_offline(&l->params, p->steps);
	agent_init(&l->agent, &l->params, transitions, LEARN_REPLAY, p->seed);
	while (l->step < p->steps)
		learn_phase(l, best);
	free(l);
	free(transitions);
}
