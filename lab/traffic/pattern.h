/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When packets of a flow at a constant mean rate are sent (cc=cbr)
 *
 * Pure: integers, and a stream of random numbers.
 */
#ifndef FLOWGEN_PATTERN_H
#define FLOWGEN_PATTERN_H

#include "rng.h"
#include "types.h"

/* Mean time for which onoff sends. */
#define PATTERN_ON_NS	10000000

/* Bernoulli and onoff: the line is at most so many times as fast. */
#define PATTERN_SPAN	1000

/**
 * enum pattern_kind - distribution of the time between packets
 * @PATTERN_CBR: all equal
 * @PATTERN_BERNOULLI: each packet time of the line has one with the same probability
 * @PATTERN_ONOFF: at the line's rate for a time, then none for a time; both are
 *	distributed as Pareto's with shape 1.5, the first with mean PATTERN_ON_NS
 */
enum pattern_kind { PATTERN_CBR, PATTERN_BERNOULLI, PATTERN_ONOFF };

/**
 * struct pattern - the times of one flow
 * @kind: enum pattern_kind
 * @rate_bps: mean rate
 * @line_bps: rate of the sender's link; with PATTERN_CBR not read
 * @rest: what times were rounded down by, in 1/rate ns
 * @on_ns: what is left of the time for which it sends
 * @rng: random numbers
 */
struct pattern {
	enum pattern_kind kind;
	u64 rate_bps;
	u64 line_bps;
	u64 rest;
	u64 on_ns;
	struct rng rng;
};

/**
 * pattern_init() - begin
 * @p: receives it
 * @kind: enum pattern_kind
 * @rate_bps: mean rate, 1000 to 10^13
 * @line_bps: of the link; not below @rate_bps, and at most PATTERN_SPAN times it
 * @seed: the run's
 * @flow: the flow's id
 *
 * Return: ns until the first packet.
 */
u64 pattern_init(struct pattern *p, enum pattern_kind kind, u64 rate_bps, u64 line_bps,
		 u64 seed, u64 flow);

/**
 * pattern_next() - from the start of a send to that of the next
 * @p: pattern
 * @wire_bytes: bytes of wire time of this send, below 2^20
 *
 * Return: ns, rounded down; the rest is carried over.
 */
u64 pattern_next(struct pattern *p, u64 wire_bytes);

/**
 * pattern_pareto_ns() - a time that is distributed as Pareto's with shape 1.5
 * @mean_ns: its mean, below 2^40
 * @uniform: any value; all are as likely
 *
 * Return: ns, from a third of the mean on.
 */
u64 pattern_pareto_ns(u64 mean_ns, u32 uniform);

#endif
