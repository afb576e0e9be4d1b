// SPDX-License-Identifier: GPL-2.0
/*
 * The gate.
 */
#include <stdio.h>

#include "gate.h"

/**
 * struct gate_count - conditions
 * @differ: whose templates differ
 * @led: of those, where a reward leads to low costs, by enum reward
 */
struct gate_count {
	uint32_t differ;
	uint32_t led[REWARD_NR];
};

static bool gate_leads(const struct study_reward *r)
{
	return r->rho >= GATE_RHO && r->regret <= GATE_REGRET;
}

static struct gate_count gate_count(const struct study *s)
{
	struct gate_count n = { 0 };
	uint32_t c;
	uint32_t form;

	for (c = 0; c < s->conditions; c++) {
		if (study_spread(s, c) < GATE_SPREAD)
			continue;
		n.differ++;
		for (form = 0; form < REWARD_NR; form++) {
			struct study_reward r = study_reward(s, c, form);

			n.led[form] += gate_leads(&r);
		}
	}
	return n;
}

static void gate_print_condition(const struct study *s, uint32_t c)
{
	const struct setting *at = s->settings->at;
	uint32_t form;

	printf("C%u %-24s %6.1f  %-16s", c + 1, s->condition[c].name, 100 * study_spread(s, c),
	       at[study_best(s, c)].name);
	for (form = 0; form < REWARD_NR; form++) {
		struct study_reward r = study_reward(s, c, form);

		printf(" %5.2f %6.1f  %-16s", r.rho, 100 * r.regret, at[r.pick].name);
	}
	putchar('\n');
}

static void gate_print_reward(const struct gate_count *n, enum reward form)
{
	printf("The reward %s leads to low costs in %u of %u conditions: %s.\n", reward_text(form),
	       n->led[form], n->differ,
	       3 * n->led[form] >= 2 * n->differ ? "good enough" : "not good enough");
}

static void gate_print_verdict(const struct study *s)
{
	uint32_t best = study_best_single(s), i, rule = 0, form;
	double loss = study_mean_loss(s, best);
	struct gate_count n = gate_count(s);

	for (i = 0; i < s->settings->count; i++)
		if (s->settings->at[i].kind == SETTING_RULE)
			rule = i;
	printf("\nTemplates differ by %.0f %% or more in %u of %u conditions.\n", 100 * GATE_SPREAD,
	       n.differ, s->conditions);
	for (form = 0; form < REWARD_NR; form++)
		gate_print_reward(&n, form);
	printf("The best single template is %s: %.1f %% from the oracle, %.1f %% at worst.\n",
	       s->settings->at[best].name, 100 * loss, 100 * study_worst_loss(s, best));
	printf("The rule that follows is %.1f %% from it, %.1f %% at worst.\n",
	       100 * study_mean_loss(s, rule), 100 * study_worst_loss(s, rule));
	printf("An ideal choice per condition would win %.1f %% over one static template: %s.\n",
	       100 * (1 - 1 / (1 + loss)), loss <= GATE_STATIC ?
	       "nothing worth learning, advise the static template or the rule" :
	       "there is something to learn");
}

void gate_print(const struct study *s)
{
	uint32_t c, form;

	puts("Rewards and costs over 20 templates.  Spread: of the worst template to the best, %.");
	puts("Rho: rank correlation of the reward with -J; regret: loss of its pick, %.\n");
	printf("%-27s %6s  %-16s", "condition", "spread", "best template");
	for (form = 0; form < REWARD_NR; form++)
		printf(" %5s %6s  %-16s", reward_text(form), "regret", "pick");
	putchar('\n');
	for (c = 0; c < s->conditions; c++)
		gate_print_condition(s, c);
	putchar('\n');
	study_print(s);
	gate_print_verdict(s);
}

static void gate_json_reward(const struct study *s, uint32_t c, enum reward form,
			     struct json_writer *w)
{
	struct study_reward r = study_reward(s, c, form);

	json_open(w, reward_text(form), '{');
	json_real(w, "rho", r.rho);
	json_string(w, "pick", s->settings->at[r.pick].name);
	json_real(w, "regret", r.regret);
	json_value(w, "leads", gate_leads(&r) ? "true" : "false");
	json_close(w, '}');
}

void gate_json(const struct study *s)
{
	struct json_writer w = { .to = stdout, .spaced = true };
	uint32_t c, form;

	json_open(&w, NULL, '{');
	json_open(&w, "conditions", '[');
	for (c = 0; c < s->conditions; c++) {
		json_open(&w, NULL, '{');
		json_string(&w, "name", s->condition[c].name);
		json_real(&w, "spread", study_spread(s, c));
		json_string(&w, "best", s->settings->at[study_best(s, c)].name);
		for (form = 0; form < REWARD_NR; form++)
			gate_json_reward(s, c, form, &w);
		json_close(&w, '}');
	}
	json_close(&w, ']');
	json_string(&w, "best_single", s->settings->at[study_best_single(s)].name);
	study_json(s, &w);
	json_close(&w, '}');
	putchar('\n');
}
