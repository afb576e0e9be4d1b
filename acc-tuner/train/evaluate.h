/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Evaluation of a network: with all settings of the gate, and with controls that must be
 * worse, or what the network does is not what its numbers come from.
 */
#ifndef ACC_TRAIN_EVALUATE_H
#define ACC_TRAIN_EVALUATE_H

#include "model.h"
#include "study.h"

/* Within this the network and another setting tie. */
#define EVALUATE_TIE	0.02

/**
 * struct controls - what the controls need
 * @negated: the network, its values negated
 * @permutation: the place that is set for each that is chosen
 * @mean: of each feature, as the network saw them with RTTs of 8 us and of 70 to 210 us
 * @taken: how often it took each action
 * @modal: the action that it took most often
 */
struct controls {
	struct net negated;
	uint32_t permutation[TEMPLATE_NR];
	float mean[FEATURE_NR];
	uint64_t taken[TEMPLATE_NR];
	uint32_t modal;
};

/**
 * evaluate_settings() - all settings, the network, and its controls
 * @s: a study without settings, otherwise complete; gets @settings
 * @settings: filled
 * @m: the model
 * @c: filled
 *
 * Runs the network alone, for what the controls need.
 *
 * Return: 0, or -1 after a message.
 */
int evaluate_settings(struct study *s, struct settings *settings, const struct model *m,
		      struct controls *c);

/**
 * evaluate_print() - the table, and what it means
 * @s: a study that was run
 * @m: the model
 * @c: its controls
 */
void evaluate_print(const struct study *s, const struct model *m, const struct controls *c);

/**
 * evaluate_json() - the same as JSON, on standard output
 * @s: a study that was run
 * @m: the model
 */
void evaluate_json(const struct study *s, const struct model *m);

#endif /* ACC_TRAIN_EVALUATE_H */
