/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line of acc-train.
 */
#ifndef ACC_TRAIN_OPTIONS_H
#define ACC_TRAIN_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

#include "reward.h"
#include "template.h"

/**
 * enum command - what is to be done
 * @COMMAND_GATE: the gate
 * @COMMAND_SIM: train in the model
 * @COMMAND_EVALUATE: evaluate a model file
 */
enum command { COMMAND_GATE, COMMAND_SIM, COMMAND_EVALUATE };

/**
 * struct options - what was given, or its default
 * @command: what is to be done
 * @seed: first seed
 * @seeds: how many
 * @jobs: processes at a time
 * @duration_ns: of an episode
 * @interval_ns: from one decision to the next
 * @delay_ns: from a decision until it is in force
 * @rtt_ns: shortest and longest RTT
 * @steps: decisions of training
 * @reward: form of the reward
 * @set: templates
 * @json: output as JSON
 * @shuffle: train with the rewards of other times
 * @unseen: evaluate in conditions that training never has
 * @workloads: folder of the distributions
 * @file: the model file
 */
struct options {
	enum command command;
	uint64_t seed;
	uint64_t seeds;
	uint64_t jobs;
	uint64_t duration_ns;
	uint64_t interval_ns;
	uint64_t delay_ns;
	uint64_t rtt_ns[2];
	uint64_t steps;
	enum reward reward;
	enum template_set set;
	bool json;
	bool shuffle;
	bool unseen;
	const char *workloads;
	const char *file;
};

/**
 * options_read() - read the command line
 * @o: filled
 * @argc: of main()
 * @argv: of main()
 *
 * Ends the program after --help, --version, and with status 2 after a message on what is
 * wrong.
 */
void options_read(struct options *o, int argc, char **argv);

#endif /* ACC_TRAIN_OPTIONS_H */
