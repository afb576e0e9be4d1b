/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp's algorithms and their oracle side by side: whatever is done, is done to
 * both, and what comes out is compared.  For tests on random input and for the
 * fuzzer.
 *
 * Tolerances: A(t) and every verdict of a path are exact.  A step of beta is
 * rounded twice, to 2^-16 when it is measured and when it is averaged, so that
 * it is off by at most 1/2 + g, and by 1/(2g) + 1 after any number of steps, in
 * units of 2^-16.  A hold is off by less than a nanosecond for the beta in use.
 */
#ifndef SHARPRAMP_PAIR_ONRAMP_H
#define SHARPRAMP_PAIR_ONRAMP_H

#include "onramp.h"
#include "onramp_path.h"
#include "oracle_onramp.h"

/**
 * struct onramp_sent - what a sender remembers of a packet
 * @tx_ns: when it left
 * @total_ns: A(@tx_ns)
 */
struct onramp_sent {
	u64 tx_ns;
	u64 total_ns;
};

/**
 * struct onramp_pair - both algorithms of a flow
 * @params: of the algorithm
 * @vars: of the algorithm
 * @hold: bookkeeping of the algorithm
 * @algo: parameters of the oracle
 * @flow: the oracle's
 * @hold_ns: what the algorithm decided last
 * @holds: how often it held
 * @bounded: how often max_hold bounded it
 * @measured: how often beta was
 * @late: reports behind one that left later
 * @trouble: what was wrong first
 */
struct onramp_pair {
	struct onramp_params params;
	struct onramp_vars vars;
	struct onramp_hold hold;
	struct horrible_algo algo;
	struct horrible_flow flow;
	u64 hold_ns;
	u64 holds;
	u64 bounded;
	u64 measured;
	u64 late;
	char trouble[256];
};

void onramp_pair_start(struct onramp_pair *pair, u32 beta_q16);
void onramp_pair_params(struct onramp_pair *pair, u32 law, u32 gain,
			u64 max_hold_ns);
bool onramp_pair_hold(struct onramp_pair *pair, u64 now_ns, u64 t_next_ns);
bool onramp_pair_send(struct onramp_pair *pair, u64 now_ns,
		      struct onramp_sent *sent);
bool onramp_pair_report(struct onramp_pair *pair, u64 now_ns,
			const struct onramp_sent *sent, s64 owd_ns,
			u64 threshold_ns);

/* A path of the pair has so many flows. */
#define ONRAMP_PAIR_FLOWS 4

/**
 * struct onramp_path_pair - both judges of a path
 * @params: of the rules
 * @vars: of the rules
 * @t_next_ns: when the hold of each flow ends
 * @oracle: every report
 * @validities: verdicts so far, by kind
 * @cleared: how often it ceased to be suspect
 * @clocks: how often it became so since its clock was
 * @routes: and since its route was
 * @backoffs: how often it backed off
 * @backed_off: and ended by itself
 * @woken: or was woken by a delay that is not above T
 * @trouble: what was wrong first
 */
struct onramp_path_pair {
	struct onramp_path_params params;
	struct onramp_path_vars vars;
	u64 t_next_ns[ONRAMP_PAIR_FLOWS];
	struct horrible_path oracle;
	u64 validities[ONRAMP_VALIDITIES];
	u64 cleared;
	u64 clocks;
	u64 routes;
	u64 backoffs;
	u64 backed_off;
	u64 woken;
	char trouble[256];
};

void onramp_path_pair_start(struct onramp_path_pair *pair,
			    const struct onramp_path_params *params);
bool onramp_path_pair_hold(struct onramp_path_pair *pair, unsigned int flow,
			   u64 now_ns, u64 t_next_ns);
bool onramp_path_pair_report(struct onramp_path_pair *pair,
			     const struct onramp_report *r);

#endif /* SHARPRAMP_PAIR_ONRAMP_H */
