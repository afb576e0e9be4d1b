/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The algorithm and its oracle side by side: whatever is done, is done to both, and
 * what comes out is compared.  For tests on random input and for the fuzzer.
 */
#ifndef SHARPRAMP_PAIR_H
#define SHARPRAMP_PAIR_H

#include "ecnsharp.h"
#include "oracle_params.h"

/**
 * struct pair - both, and what they disagreed on
 * @settings: of the algorithm
 * @params: of the algorithm
 * @vars: of the algorithm
 * @stats: of the algorithm
 * @expected: settings of the oracle
 * @config: parameters of the oracle
 * @state: of the oracle
 * @episodes: counted next to the oracle
 * @saturated: counted next to the oracle
 * @marks: marks of either kind so far, so that a test can tell that it tested
 * @calm: packets at which nothing was to happen, likewise
 * @trouble: empty, or what was wrong first
 */
struct pair {
	struct ecnsharp_settings settings;
	struct ecnsharp_params params;
	struct ecnsharp_vars vars;
	struct ecnsharp_stats stats;
	struct oracle_params expected;
	struct oracle_config config;
	struct oracle_state state;
	uint64_t episodes;
	uint64_t saturated;
	uint64_t marks[4];
	uint64_t calm;
	char trouble[256];
};

/**
 * struct pair_request - a request, before anybody has checked a value
 * @length: how many parameters it names, one perhaps twice
 * @id: enum ecnsharp_param
 * @value: anything
 */
struct pair_request {
	unsigned int length;
	uint8_t id[8];
	uint64_t value[8];
};

void pair_start(struct pair *pair);
bool pair_request(struct pair *pair, const struct pair_request *request);
bool pair_dequeue(struct pair *pair, const struct oracle_packet *pkt);

#endif /* SHARPRAMP_PAIR_H */
