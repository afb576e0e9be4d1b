/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A study: settings x conditions x seeds, the same flows for all by seed.
 *
 * The loss of a setting in a condition is how much worse it is than the best template there,
 * the oracle: e^d - 1 for a difference d of mean J.
 */
#ifndef ACC_TRAIN_STUDY_H
#define ACC_TRAIN_STUDY_H

#include <stdint.h>

#include "../../lib/json_write.h"
#include "condition.h"
#include "episode.h"
#include "setting.h"

/**
 * struct study - what is compared, and the results
 * @settings: settings
 * @condition: conditions
 * @conditions: how many
 * @workloads: sizes of flows
 * @rtt_ns: shortest and longest RTT
 * @duration_ns: of an episode
 * @times: when policies decide
 * @first_seed: the first seed
 * @seeds: how many
 * @processes: at a time
 * @result: by setting, condition, seed; filled
 */
struct study {
	const struct settings *settings;
	const struct condition *condition;
	uint32_t conditions;
	const struct workloads *workloads;
	uint64_t rtt_ns[2];
	uint64_t duration_ns;
	struct episode_times times;
	uint64_t first_seed;
	uint32_t seeds;
	uint32_t processes;
	struct episode_result *result;
};

/**
 * struct study_reward - does a reward lead to low costs in a condition?
 * @rho: rank correlation of rewards and -J over the templates, -1 to 1
 * @pick: the template of the highest reward
 * @regret: loss of that
 */
struct study_reward {
	double rho;
	uint32_t pick;
	double regret;
};

/**
 * study_run() - run all episodes
 * @s: the study; study_free() frees its results
 *
 * Return: 0, or -1 after a message.
 */
int study_run(struct study *s);

/**
 * study_free() - free results
 * @s: the study
 */
void study_free(struct study *s);

/**
 * study_best() - the best template of a condition
 * @s: a study that was run
 * @condition: which
 *
 * Return: its place among the settings.
 */
uint32_t study_best(const struct study *s, uint32_t condition);

/**
 * study_best_single() - the template that is best over all conditions
 * @s: a study that was run
 *
 * Return: its place among the settings.
 */
uint32_t study_best_single(const struct study *s);

/**
 * study_loss() - loss of a setting in a condition
 * @s: a study that was run
 * @setting: which
 * @condition: which
 *
 * Return: 0 for the oracle, 0.1: 10 % worse.
 */
double study_loss(const struct study *s, uint32_t setting, uint32_t condition);

/**
 * study_mean_loss() - its loss over all conditions, from the mean of J
 * @s: a study that was run
 * @setting: which
 *
 * Return: as study_loss().
 */
double study_mean_loss(const struct study *s, uint32_t setting);

/**
 * study_worst_loss() - its loss in the condition where that is largest
 * @s: a study that was run
 * @setting: which
 *
 * Return: as study_loss().
 */
double study_worst_loss(const struct study *s, uint32_t setting);

/**
 * study_spread() - how much the templates of a condition differ
 * @s: a study that was run
 * @condition: which
 *
 * Return: loss of the worst.
 */
double study_spread(const struct study *s, uint32_t condition);

/**
 * study_reward() - where a reward leads
 * @s: a study that was run
 * @condition: which
 * @form: which reward
 *
 * Return: that.
 */
struct study_reward study_reward(const struct study *s, uint32_t condition, enum reward form);

/**
 * study_print() - settings and their losses, the best first
 * @s: a study that was run
 */
void study_print(const struct study *s);

/**
 * study_json() - the same, with each episode's numbers
 * @s: a study that was run
 * @w: an object that is open
 */
void study_json(const struct study *s, struct json_writer *w);

#endif /* ACC_TRAIN_STUDY_H */
