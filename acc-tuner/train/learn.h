/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Training in the model: an agent decides interval by interval while conditions change, and
 * learns from what follows.
 *
 * An idle queue gets no decision, and what happens meanwhile is not remembered.  At times the
 * network is validated: its mean J in LEARN_VALIDATION scenarios that training does not have;
 * the best one is kept.
 */
#ifndef ACC_TRAIN_LEARN_H
#define ACC_TRAIN_LEARN_H

#include <stdbool.h>
#include <stdint.h>

#include "condition.h"
#include "model.h"

#define LEARN_REPLAY		50000
#define LEARN_VALIDATION	16
#define LEARN_VALIDATION_SEED	101
#define LEARN_CHECKS		10
/* A shorter training is validated at its end only. */
#define LEARN_CHECKS_FROM	100000

/**
 * struct learn - what is to be learned
 * @seed: of chance
 * @steps: decisions, 1000 or more
 * @interval_ns: from one decision to the next
 * @reward: form of the reward
 * @set: templates
 * @shuffle: a control: rewards of other times
 * @workloads: sizes of flows
 * @talks: tell progress
 */
struct learn {
	uint64_t seed;
	uint64_t steps;
	uint64_t interval_ns;
	enum reward reward;
	enum template_set set;
	bool shuffle;
	const struct workloads *workloads;
	bool talks;
};

/**
 * struct learned - what was learned
 * @net: the network that was best in validation
 * @cost: its mean J there
 * @steps: after how many decisions it was
 * @virtual_ns: virtual time of the whole training
 */
struct learned {
	struct net net;
	double cost;
	uint64_t steps;
	uint64_t virtual_ns;
};

/**
 * learn_run() - train
 * @p: what is to be learned
 * @l: filled
 */
void learn_run(const struct learn *p, struct learned *l);

#endif /* ACC_TRAIN_LEARN_H */
