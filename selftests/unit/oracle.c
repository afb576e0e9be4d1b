// SPDX-License-Identifier: GPL-2.0
/*
 * ECN# as the paper prints it.  The numbers on the right are the lines of
 * Algorithm 1.
 */

#include "oracle.h"

static bool horrible_is_persistent_queue_buildups(const struct oracle_config *config,
						  struct oracle_state *state,
						  uint64_t now,
						  uint64_t sojourn) /* 21 */
{
	if (sojourn < config->pst_target) {			/* 22 */
		state->above = false;				/* 23 */
		return false;					/* 24 */
	}							/* 25 */
	if (!state->above) {					/* 26 */
		state->above = true;				/* 27 */
		state->first_above_time = now;
		return false;					/* 28 */
	} else if (now > state->first_above_time + config->pst_interval) { /* 29 */
		return true;					/* 30 */
	} else {						/* 31 */
		return false;					/* 32 */
	}							/* 33 */
}

static bool horrible_should_persistent_mark(const struct oracle_config *config,
					    struct oracle_state *state,
					    uint64_t now,
					    uint64_t sojourn)	/* 1 */
{
	bool detected;

	detected = horrible_is_persistent_queue_buildups(config, state, now,
							 sojourn); /* 2 */
	if (state->marking_state == true) {			/* 3 */
		if (detected == false) {			/* 4 */
			state->marking_state = false;		/* 5 */
			return false;				/* 6 */
		} else if (now > state->marking_next) {		/* 7 */
			state->marking_count++;			/* 8 */
			state->marking_next += config->pst_interval /
					       state->marking_count; /* 9 */
			return true;				/* 10 */
		}						/* 11 */
	} else {						/* 12 */
		if (detected == true) {				/* 13 */
			state->marking_state = true;		/* 14 */
			state->marking_count = 1;		/* 15 */
			state->marking_next = now + config->pst_interval; /* 16 */
			return true;				/* 17 */
		}						/* 18 */
	}
	return false;						/* 19 */
}								/* 20 */

/**
 * horrible_length_ns() - time to drain a backlog, section 3.5
 * @backlog: bytes, below 2^60
 * @rate: bit/s, 1 to 1e18
 *
 * Return: backlog * 8 / rate in ns, rounded down: the whole seconds, then nine
 * decimal digits by hand, so that nothing can overflow on the way.
 */
uint64_t horrible_length_ns(uint64_t backlog, uint64_t rate)
{
	uint64_t quotient = backlog * 8 / rate;
	uint64_t rest = backlog * 8 % rate;
	int digit;

	for (digit = 0; digit < 9; digit++) {
		rest *= 10;
		quotient = quotient * 10 + rest / rate;
		rest %= rate;
	}
	return quotient;
}

/**
 * horrible_ramp() - DCQCN's marking probability against a random number
 * @signal: where the queue is, in the unit of @kmin and @kmax
 * @kmin: foot of the ramp
 * @kmax: its top, at most 2^31 above @kmin
 * @pmax_q32: probability at the top, in units of 2^-32, at most 2^32
 * @random: uniform
 *
 * Return: true if random is one of the first p x 2^32 numbers, where
 * p = pmax * (signal - kmin) / (kmax - kmin); a last one that is not wholly
 * below p x 2^32 does not count.
 */
bool horrible_ramp(uint64_t signal, uint64_t kmin, uint64_t kmax,
		   uint64_t pmax_q32, uint32_t random)
{
	if (signal > kmax)
		return true;
	if (signal <= kmin)
		return false;
	return ((uint64_t)random + 1) * (kmax - kmin) <= pmax_q32 * (signal - kmin);
}

/**
 * horrible_ecnsharp() - both conditions of section 3.2
 * @config: parameters
 * @state: variables
 * @pkt: the packet that leaves the queue
 *
 * Return: which conditions decide to mark it.
 */
struct oracle_verdict horrible_ecnsharp(const struct oracle_config *config,
					struct oracle_state *state,
					const struct oracle_packet *pkt)
{
	struct oracle_verdict verdict = { false, false };
	uint64_t time = pkt->sojourn;
	uint64_t position;

	if (config->length)
		time = horrible_length_ns(pkt->backlog, config->rate);
	position = config->length ? pkt->backlog : pkt->sojourn;

	if (config->instantaneous == ORACLE_INS_CUT_OFF)
		verdict.instantaneous = time > config->ins_target;
	if (config->instantaneous == ORACLE_INS_RAMP)
		verdict.instantaneous = horrible_ramp(position, config->kmin,
						      config->kmax,
						      config->pmax_q32,
						      pkt->random);
	if (config->persistent)
		verdict.persistent =
			horrible_should_persistent_mark(config, state, pkt->now,
							time);
	if (!pkt->backlog)
		horrible_should_persistent_mark(config, state, pkt->now, 0);
	return verdict;
}

/* Section 3.4: lambda times the tail RTT (Equation 2), rounded down. */
uint64_t horrible_rule_ins_target(uint64_t lambda_millionths, uint64_t rtt_tail)
{
	return lambda_millionths * rtt_tail / 1000000;
}

/* Section 3.4: lambda times the average RTT, rounded down. */
uint64_t horrible_rule_pst_target(uint64_t lambda_millionths, uint64_t rtt_avg)
{
	return lambda_millionths * rtt_avg / 1000000;
}

/* Section 3.4: "around the high percentile RTT". */
uint64_t horrible_rule_pst_interval(uint64_t rtt_tail)
{
	return rtt_tail;
}
