// SPDX-License-Identifier: GPL-2.0
/*
 * Studies: the runs, and what follows from their results.
 */
#include <math.h>

#include "jobs.h"
#include "rank.h"
#include "study.h"

#define STUDY_Q32	4294967296.0

static const struct episode_result *study_at(const struct study *s, uint32_t setting,
					     uint32_t condition, uint32_t seed)
{
	return &s->result[(setting * s->conditions + condition) * s->seeds + seed];
}

static void study_episode(uint32_t i, void *result, const void *context)
{
	const struct study *s = context;
	uint32_t setting = i / s->seeds / s->conditions;
	const struct condition *c = &s->condition[i / s->seeds % s->conditions];
	struct policy policy = s->settings->at[setting].policy;
	struct scenario x = condition_scenario(c, s->workloads, s->rtt_ns, s->duration_ns,
					       s->first_seed + i % s->seeds);

	episode_run(&x, &s->times, &policy, result);
}

static struct jobs study_jobs(const struct study *s)
{
	return (struct jobs) {
		.what = "runs",
		.count = s->settings->count * s->conditions * s->seeds,
		.processes = s->processes,
		.size = sizeof(struct episode_result),
		.run = study_episode,
		.context = s,
	};
}

int study_run(struct study *s)
{
	struct jobs jobs = study_jobs(s);

	s->result = jobs_run(&jobs);
	return s->result ? 0 : -1;
}

void study_free(struct study *s)
{
	struct jobs jobs = study_jobs(s);

	jobs_free(&jobs, s->result);
	s->result = NULL;
}

/* Mean J over seeds. */
static double study_cost(const struct study *s, uint32_t setting, uint32_t condition)
{
	int64_t sum = 0;
	uint32_t i;

	for (i = 0; i < s->seeds; i++)
		sum += study_at(s, setting, condition, i)->cost;
	return (double)sum / STUDY_Q32 / s->seeds;
}

static double study_reward_mean(const struct study *s, uint32_t setting, uint32_t condition,
				enum reward form)
{
	double sum = 0;
	uint32_t i;

	for (i = 0; i < s->seeds; i++)
		sum += study_at(s, setting, condition, i)->reward[form];
	return sum / s->seeds;
}

uint32_t study_best(const struct study *s, uint32_t condition)
{
	uint32_t best = 0, i;

	for (i = 1; i < TEMPLATE_NR; i++)
		if (study_cost(s, i, condition) < study_cost(s, best, condition))
			best = i;
	return best;
}

/* Mean of J above the oracle's. */
static double study_excess(const struct study *s, uint32_t setting)
{
	double sum = 0;
	uint32_t c;

	for (c = 0; c < s->conditions; c++)
		sum += study_cost(s, setting, c) - study_cost(s, study_best(s, c), c);
	return sum / s->conditions;
}

uint32_t study_best_single(const struct study *s)
{
	uint32_t best = 0, i;

	for (i = 1; i < TEMPLATE_NR; i++)
		if (study_excess(s, i) < study_excess(s, best))
			best = i;
	return best;
}

double study_loss(const struct study *s, uint32_t setting, uint32_t condition)
{
	return exp(study_cost(s, setting, condition) -
		   study_cost(s, study_best(s, condition), condition)) - 1;
}

double study_mean_loss(const struct study *s, uint32_t setting)
{
	return exp(study_excess(s, setting)) - 1;
}

double study_worst_loss(const struct study *s, uint32_t setting)
{
	double worst = -1;
	uint32_t c;

	for (c = 0; c < s->conditions; c++)
		if (study_loss(s, setting, c) > worst)
			worst = study_loss(s, setting, c);
	return worst;
}

double study_spread(const struct study *s, uint32_t condition)
{
	double worst = 0;
	uint32_t i;

	for (i = 0; i < TEMPLATE_NR; i++)
		if (study_loss(s, i, condition) > worst)
			worst = study_loss(s, i, condition);
	return worst;
}

struct study_reward study_reward(const struct study *s, uint32_t condition, enum reward form)
{
	double rewards[TEMPLATE_NR], gains[TEMPLATE_NR];
	struct study_reward r = { 0 };
	uint32_t i;

	for (i = 0; i < TEMPLATE_NR; i++) {
		rewards[i] = study_reward_mean(s, i, condition, form);
		gains[i] = -study_cost(s, i, condition);
		if (rewards[i] > rewards[r.pick])
			r.pick = i;
	}
	r.rho = rank_correlation(rewards, gains, TEMPLATE_NR);
	r.regret = study_loss(s, r.pick, condition);
	return r;
}

/* Logarithm of a time relative to another setting's; 0 where one has no such flows. */
static double study_change(const struct episode_result *a, const struct episode_result *b,
			   bool large, bool endless)
{
	uint64_t over = a->short_ns, under = b->short_ns;

	if (large) {
		over = endless ? b->endless_bps : a->large_ns;
		under = endless ? a->endless_bps : b->large_ns;
	}
	return over && under ? log((double)over / (double)under) : 0;
}

/* Geometric mean over conditions and seeds of a time relative to another setting's. */
static double study_ratio(const struct study *s, uint32_t setting, uint32_t base, bool large)
{
	double sum = 0;
	uint32_t c, i, n = 0;

	for (c = 0; c < s->conditions; c++)
		for (i = 0; i < s->seeds; i++) {
			const struct episode_result *a = study_at(s, setting, c, i);
			const struct episode_result *b = study_at(s, base, c, i);
			double change = study_change(a, b, large, s->condition[c].endless);

			sum += change;
			n += change != 0;
		}
	return n ? exp(sum / n) : 1;
}

static void study_print_setting(const struct study *s, uint32_t i, uint32_t base)
{
	uint64_t drops = 0, unfinished = 0;
	uint32_t c, seed;

	printf("%-32s %6.1f %6.1f %6.3f %6.3f ", s->settings->at[i].name,
	       100 * study_mean_loss(s, i), 100 * study_worst_loss(s, i),
	       study_ratio(s, i, base, false), study_ratio(s, i, base, true));
	for (c = 0; c < s->conditions; c++) {
		printf(" %6.1f", 100 * study_loss(s, i, c));
		for (seed = 0; seed < s->seeds; seed++) {
			drops += study_at(s, i, c, seed)->drops;
			unfinished += study_at(s, i, c, seed)->unfinished;
		}
	}
	if (drops || unfinished)
		printf("  %llu drops, %llu unfinished", (unsigned long long)drops,
		       (unsigned long long)unfinished);
	putchar('\n');
}

void study_print(const struct study *s)
{
	bool printed[SETTING_MOST] = { false };
	uint32_t base = study_best_single(s), n, i, best;

	puts("Settings, the best first.  Loss: % above the best template of each condition, by J.");
	printf("Short, large: mean time of flows relative to %s; of\n", s->settings->at[base].name);
	puts("endless flows goodput in the place of time.  C1 to Cn: loss in each condition, %.\n");
	printf("%-32s %6s %6s %6s %6s ", "setting", "loss", "worst", "short", "large");
	for (i = 0; i < s->conditions; i++)
		printf("     C%u", i + 1);
	putchar('\n');
	for (n = 0; n < s->settings->count; n++) {
		best = SETTING_MOST;
		for (i = 0; i < s->settings->count; i++)
			if (!printed[i] && (best == SETTING_MOST ||
					    study_excess(s, i) < study_excess(s, best)))
				best = i;
		printed[best] = true;
		study_print_setting(s, best, base);
	}
}

static void study_json_episode(const struct episode_result *r, uint64_t seed,
			       struct json_writer *w)
{
	json_open(w, NULL, '{');
	json_unsigned(w, "seed", seed);
	json_real(w, "cost", (double)r->cost / STUDY_Q32);
	json_real(w, "reward_paper", r->reward[REWARD_PAPER]);
	json_real(w, "reward_marks", r->reward[REWARD_MARKS]);
	json_real(w, "reward_busy", r->reward[REWARD_BUSY]);
	json_unsigned(w, "short_ns", r->short_ns);
	json_unsigned(w, "large_ns", r->large_ns);
	json_unsigned(w, "all_ns", r->all_ns);
	json_unsigned(w, "endless_bps", r->endless_bps);
	json_unsigned(w, "delay_ns", r->delay_ns);
	json_real(w, "utilisation", r->utilisation / (double)FEATURE_ONE);
	json_real(w, "marked", r->marked / (double)FEATURE_ONE);
	json_unsigned(w, "flows", r->flows);
	json_unsigned(w, "unfinished", r->unfinished);
	json_unsigned(w, "drops", r->drops);
	json_unsigned(w, "changes", r->changes);
	json_close(w, '}');
}

void study_json(const struct study *s, struct json_writer *w)
{
	uint32_t i, c, seed;

	json_open(w, "settings", '[');
	for (i = 0; i < s->settings->count; i++) {
		json_open(w, NULL, '{');
		json_string(w, "name", s->settings->at[i].name);
		json_string(w, "kind", setting_kind_text(s->settings->at[i].kind));
		json_real(w, "loss", study_mean_loss(s, i));
		json_real(w, "worst_loss", study_worst_loss(s, i));
		json_open(w, "conditions", '[');
		for (c = 0; c < s->conditions; c++) {
			json_open(w, NULL, '{');
			json_string(w, "name", s->condition[c].name);
			json_real(w, "loss", study_loss(s, i, c));
			json_open(w, "episodes", '[');
			for (seed = 0; seed < s->seeds; seed++)
				study_json_episode(study_at(s, i, c, seed),
						   s->first_seed + seed, w);
			json_close(w, ']');
			json_close(w, '}');
		}
		json_close(w, ']');
		json_close(w, '}');
	}
	json_close(w, ']');
}
