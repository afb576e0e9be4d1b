/* SPDX-License-Identifier: GPL-2.0 */
/*
 * ECN# once more, too simple to be wrong: transcribed from the paper line by
 * line, and written before the algorithm that it judges was read.  Nothing here is
 * fast, shared with the algorithm, or meant for anything but tests.
 *
 * Source: Zhang, Bai, Chen, "Enabling ECN for Datacenter Networks with RTT
 * Variations", IEEE TCC 2022: Algorithm 1 (persistent marking), section 3.2
 * (instantaneous marking), 3.4 (rule of thumb), 3.5 (length signal, ramp).
 *
 * Four rules are the interface's, not the paper's: times are whole ns, so that
 * pst_interval / marking_count is rounded down; probabilities are whole
 * multiples of 2^-32, likewise; a packet that leaves an empty queue behind ends
 * what was observed, as if one with no sojourn time had followed it; a mark may
 * have both causes.
 */
#ifndef SHARPRAMP_ORACLE_H
#define SHARPRAMP_ORACLE_H

#include <stdbool.h>
#include <stdint.h>

/* How the instantaneous signal marks. */
enum oracle_instantaneous {
	ORACLE_INS_OFF,
	ORACLE_INS_CUT_OFF,	/* above ins_target: always */
	ORACLE_INS_RAMP,	/* from kmin to kmax: with probability 0..pmax */
};

/**
 * struct oracle_config - Table 2's "Configuration Parameters" and section 3.5
 * @pst_target: ns
 * @pst_interval: ns
 * @ins_target: ns
 * @instantaneous: enum oracle_instantaneous
 * @persistent: Algorithm 1 marks
 * @length: the signal is the queue's length, not the sojourn time
 * @rate: bit/s, what the length is divided by
 * @kmin: ns, or bytes with @length
 * @kmax: ns, or bytes with @length
 * @pmax_q32: probability at kmax, in units of 2^-32
 */
struct oracle_config {
	uint64_t pst_target;
	uint64_t pst_interval;
	uint64_t ins_target;
	enum oracle_instantaneous instantaneous;
	bool persistent;
	bool length;
	uint64_t rate;
	uint64_t kmin;
	uint64_t kmax;
	uint64_t pmax_q32;
};

/**
 * struct oracle_state - Table 2's "Variables"
 * @marking_state: if ECN# has marked packets
 * @marking_count: number of marked packets
 * @marking_next: the next marking time, ns
 * @above: the paper's "first_above_time != 0", apart so that 0 is a time too
 * @first_above_time: when the sojourn time started to exceed pst_target, ns
 */
struct oracle_state {
	bool marking_state;
	uint64_t marking_count;
	uint64_t marking_next;
	bool above;
	uint64_t first_above_time;
};

/* One packet, as the dequeue sees it. */
struct oracle_packet {
	uint64_t now;		/* ns */
	uint64_t sojourn;	/* ns */
	uint64_t backlog;	/* bytes left behind */
	uint32_t random;	/* uniform, for the ramp */
};

/* Verdict, by cause. */
struct oracle_verdict {
	bool instantaneous;
	bool persistent;
};

struct oracle_verdict horrible_ecnsharp(const struct oracle_config *config,
					struct oracle_state *state,
					const struct oracle_packet *pkt);
uint64_t horrible_length_ns(uint64_t backlog, uint64_t rate);
bool horrible_ramp(uint64_t signal, uint64_t kmin, uint64_t kmax,
		   uint64_t pmax_q32, uint32_t random);

/* Section 3.4: lambda_millionths is lambda, exact to 1e-6. */
uint64_t horrible_rule_ins_target(uint64_t lambda_millionths, uint64_t rtt_tail);
uint64_t horrible_rule_pst_target(uint64_t lambda_millionths, uint64_t rtt_avg);
uint64_t horrible_rule_pst_interval(uint64_t rtt_tail);

#endif /* SHARPRAMP_ORACLE_H */
