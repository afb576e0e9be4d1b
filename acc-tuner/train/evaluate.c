// SPDX-License-Identifier: GPL-2.0
/*
 * Evaluation of a network.
 */
#include <stdio.h>

#include "evaluate.h"

#define EVALUATE_SEED	1

/* The last layer's weights and biases, negated: the worst action has the highest value. */
static void evaluate_negate(const struct net *n, struct net *negated)
{
	int i;

	*negated = *n;
	for (i = NET_PARAMS - NET_LAYER(NET_H3, NET_OUT); i < NET_PARAMS; i++)
		negated->w[i] = -n->w[i];
}

static void evaluate_permute(uint32_t *permutation)
{
	struct prng prng;
	uint32_t i, j, moved;

	prng_seed(&prng, EVALUATE_SEED);
	for (i = 0; i < TEMPLATE_NR; i++)
		permutation[i] = i;
	for (i = TEMPLATE_NR - 1; i; i--) {
		j = prng_below(&prng, i + 1);
		moved = permutation[i];
		permutation[i] = permutation[j];
		permutation[j] = moved;
	}
}

/* Actions of the network in all conditions. */
static void evaluate_observe(const struct study *s, struct controls *c)
{
	uint32_t runs = s->conditions * s->seeds, i, a;

	for (i = 0; i < runs; i++)
		for (a = 0; a < TEMPLATE_NR; a++)
			c->taken[a] += s->result[i].taken[a];
	for (a = 1; a < TEMPLATE_NR; a++)
		if (c->taken[a] > c->taken[c->modal])
			c->modal = a;
}

/* Its features, on the mean of short and long RTTs: frozen features must not tell which. */
static int evaluate_means(const struct study *s, struct controls *c)
{
	static const uint64_t rtt_ns[][2] = { { 8000, 8000 }, { 70000, 210000 } };
	uint32_t runs = s->conditions * s->seeds, i, a, n;
	double sum[FEATURE_NR] = { 0 };
	uint64_t seen = 0;

	for (n = 0; n < ARRAY_SIZE(rtt_ns); n++) {
		struct study means = *s;

		means.rtt_ns[0] = rtt_ns[n][0];
		means.rtt_ns[1] = rtt_ns[n][1];
		if (study_run(&means))
			return -1;
		for (i = 0; i < runs; i++) {
			for (a = 0; a < FEATURE_NR; a++)
				sum[a] += means.result[i].seen[a];
			seen += means.result[i].decisions;
		}
		study_free(&means);
	}
	for (a = 0; a < FEATURE_NR; a++)
		c->mean[a] = seen ? (float)(sum[a] / (double)seen) : 0.0f;
	return 0;
}

static int evaluate_first(struct study *s, struct settings *settings, const struct policy *policy,
			  struct controls *c)
{
	settings_add(settings, "network", SETTING_LEARNED, policy);
	s->settings = settings;
	if (study_run(s))
		return -1;
	evaluate_observe(s, c);
	study_free(s);
	return evaluate_means(s, c);
}

static void evaluate_controls(struct settings *settings, const struct policy *policy,
			      const struct controls *c)
{
	struct policy spoiled = *policy;
	uint32_t a;

	spoiled.net = &c->negated;
	settings_add(settings, "control: negated values", SETTING_CONTROL, &spoiled);
	spoiled = *policy;
	spoiled.kind = POLICY_PERMUTED;
	spoiled.permutation = c->permutation;
	settings_add(settings, "control: permuted templates", SETTING_CONTROL, &spoiled);
	spoiled.kind = POLICY_FROZEN;
	spoiled.mean = c->mean;
	settings_add(settings, "control: frozen features", SETTING_CONTROL, &spoiled);
	spoiled.kind = POLICY_HISTOGRAM;
	for (a = 0; a < TEMPLATE_NR; a++)
		spoiled.taken[a] = c->taken[a];
	prng_seed(&spoiled.prng, EVALUATE_SEED);
	settings_add(settings, "control: its actions by chance", SETTING_CONTROL, &spoiled);
}

int evaluate_settings(struct study *s, struct settings *settings, const struct model *m,
		      struct controls *c)
{
	const struct policy policy = { .kind = POLICY_NET, .net = &m->net,
				       .template = m->template, .reward = m->reward };

	*c = (struct controls){};
	*settings = (struct settings){};
	if (evaluate_first(s, settings, &policy, c))
		return -1;
	evaluate_negate(&m->net, &c->negated);
	evaluate_permute(c->permutation);
	settings_begin(settings, m->template);
	settings_add(settings, "network", SETTING_LEARNED, &policy);
	evaluate_controls(settings, &policy, c);
	return 0;
}

static uint32_t evaluate_find(const struct study *s, enum setting_kind kind)
{
	uint32_t i = 0;

	while (s->settings->at[i].kind != kind)
		i++;
	return i;
}

static const char *evaluate_text(double gain)
{
	if (gain > EVALUATE_TIE)
		return "is better than";
	return gain < -EVALUATE_TIE ? "is worse than" : "ties with";
}

/* Gain of the network over a setting. */
static double evaluate_gain(const struct study *s, uint32_t setting)
{
	double network = study_mean_loss(s, evaluate_find(s, SETTING_LEARNED));

	return (study_mean_loss(s, setting) - network) / (1 + network);
}

void evaluate_print(const struct study *s, const struct model *m, const struct controls *c)
{
	const struct setting *at = s->settings->at;
	uint32_t best = study_best_single(s), rule = evaluate_find(s, SETTING_RULE), i;
	uint64_t all = 0;

	for (i = 0; i < s->conditions; i++)
		printf("C%u %s\n", i + 1, s->condition[i].name);
	putchar('\n');
	study_print(s);
	for (i = 0; i < TEMPLATE_NR; i++)
		all += c->taken[i];
	printf("\nModel: %s\n", m->provenance);
	printf("Its most frequent template is %s, %.0f %% of its decisions.\n",
	       at[c->modal].name, all ? 100 * (double)c->taken[c->modal] / (double)all : 0);
	printf("It %s one good static ramp, %s (%+.1f %%).\n",
	       evaluate_text(evaluate_gain(s, best)), at[best].name,
	       100 * evaluate_gain(s, best));
	printf("It %s the rule that follows (%+.1f %%).\n", evaluate_text(evaluate_gain(s, rule)),
	       100 * evaluate_gain(s, rule));
	printf("It %s its most frequent template alone (%+.1f %%).\n",
	       evaluate_text(evaluate_gain(s, c->modal)), 100 * evaluate_gain(s, c->modal));
	for (i = 0; i < s->settings->count; i++)
		if (at[i].kind == SETTING_CONTROL)
			printf("It %s %s (%+.1f %%).\n", evaluate_text(evaluate_gain(s, i)),
			       at[i].name, 100 * evaluate_gain(s, i));
}

void evaluate_json(const struct study *s, const struct model *m)
{
	struct json_writer w = { .to = stdout, .spaced = true };

	json_open(&w, NULL, '{');
	json_string(&w, "provenance", m->provenance);
	json_string(&w, "best_single", s->settings->at[study_best_single(s)].name);
	study_json(s, &w);
	json_close(&w, '}');
	putchar('\n');
}
