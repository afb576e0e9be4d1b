/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Conditions: the traffic of episodes, by name for the gate and the evaluation, by chance for
 * training.
 */
#ifndef ACC_TRAIN_CONDITION_H
#define ACC_TRAIN_CONDITION_H

#include <stdint.h>

#include "prng.h"
#include "scenario.h"

/* Common to all: one rate, seven senders, and the laboratory's buffers. */
#define CONDITION_RATE		10000000000ULL
#define CONDITION_SENDERS	7
#define CONDITION_BUFFER	2000
#define CONDITION_BUFFER_PACED	40000

/**
 * struct condition - a condition
 * @name: as tables have it
 * @cc: congestion control
 * @workload: which sizes, enum workload
 * @load_ppm: load
 * @endless: flows that last
 */
struct condition {
	const char *name;
	enum scenario_cc cc;
	uint32_t workload;
	uint32_t load_ppm;
	uint32_t endless;
};

/** enum workload - distributions of flow sizes, by the names of their files */
enum workload { WORKLOAD_WEBSEARCH, WORKLOAD_DATAMINING, WORKLOAD_NR };

/**
 * struct workloads - the distributions
 * @sizes: each, by enum workload
 */
struct workloads {
	struct cdf sizes[WORKLOAD_NR];
};

/** condition_gate - those of the gate */
extern const struct condition condition_gate[];

/** condition_gate_nr - how many */
extern const uint32_t condition_gate_nr;

/** condition_unseen - those of the evaluation that training never has */
extern const struct condition condition_unseen[];

/** condition_unseen_nr - how many */
extern const uint32_t condition_unseen_nr;

/**
 * workloads_read() - read the distributions
 * @w: filled
 * @folder: where their files are
 *
 * Return: 0, or -1 after a message.
 */
int workloads_read(struct workloads *w, const char *folder);

/**
 * workloads_free() - free the distributions
 * @w: of workloads_read()
 */
void workloads_free(struct workloads *w);

/**
 * condition_scenario() - a condition's scenario
 * @c: the condition
 * @w: sizes
 * @rtt_ns: shortest and longest RTT
 * @duration_ns: how long it lasts
 * @seed: its seed
 *
 * Return: the scenario.
 */
struct scenario condition_scenario(const struct condition *c, const struct workloads *w,
				   const uint64_t rtt_ns[2], uint64_t duration_ns, uint64_t seed);

/**
 * condition_draw() - a scenario of training
 * @prng: chance
 * @w: sizes
 *
 * Web search at 30 to 90 %, without 0.65 and 0.85, which are for the evaluation; or endless
 * flows with it; or flows that begin together.  RTTs from 10 to 500 us, 0.1 to 0.5 s.
 *
 * Return: the scenario.
 */
struct scenario condition_draw(struct prng *prng, const struct workloads *w);

#endif /* ACC_TRAIN_CONDITION_H */
