/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The parameters' oracle: what a request does to the settings in force, written
 * one rule at a time, and what the settings mean to the algorithm's oracle.  Of the
 * code under test it knows only the numbers of parameters and refusals.
 */
#ifndef SHARPRAMP_ORACLE_PARAMS_H
#define SHARPRAMP_ORACLE_PARAMS_H

#include "ecnsharp_params.h"
#include "oracle.h"

/**
 * struct oracle_params - parameters that were given
 * @given: by enum ecnsharp_param
 * @value: likewise; 0 where nothing was given
 */
struct oracle_params {
	bool given[ECNSHARP_NR_PARAMS];
	uint64_t value[ECNSHARP_NR_PARAMS];
};

void oracle_set(struct oracle_params *params, enum ecnsharp_param id,
		uint64_t value);
void oracle_defaults(struct oracle_params *params);
void oracle_derived(const struct oracle_params *params,
		    struct oracle_params *derived);
uint32_t horrible_request(struct oracle_params *params,
			  const struct oracle_params *request);
void horrible_config(const struct oracle_params *params,
		     struct oracle_config *config);

#endif /* SHARPRAMP_ORACLE_PARAMS_H */
