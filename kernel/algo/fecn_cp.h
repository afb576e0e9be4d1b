/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FECN's congestion point: the one rate that a port advertises to all flows that share it.
 *
 * Source: J. Jiang, R. Jain, forward explicit congestion notification, queue control: section
 * IV for the rate and equation 1 for the hyperbola, IV.B for gamma, IV.D for stages; the moving
 * average that IV.A names without a weight, N0 and the limits are choices of this project, see
 * docs/decisions/0078-fecn-sources.md.
 *
 *   in the paper        here
 *   T                   interval_ns
 *   C                   capacity_kbps
 *   Ai                  arrival_kbps, of an interval
 *   qi                  q_bytes, at its end
 *   Qeq                 qeq_bytes
 *   a, b, c             a_milli, b_milli, c_milli
 *   k                   k_ppm, of the first stage
 *   f(q)                fecn_cp_control(), in 65536ths
 *   N0                  flows
 *   ri                  rate_kbps
 *
 *   rate(i+1) = rate(i) x C f(q) / A, averaged with the last by a weight
 *
 * There is no timer: a caller that charges a frame or reads the rate first lets time pass,
 * fecn_cp_advance().  Times are of a monotone clock, below 2^62.
 */
#ifndef SHARPRAMP_ALGO_FECN_CP_H
#define SHARPRAMP_ALGO_FECN_CP_H

#include "port.h"

/* Rates fit 29 bits: 400 Gbit/s. */
#define FECN_KBPS_MAX 400000000U
/* Queues are not longer than that, bytes. */
#define FECN_BYTES_MAX 2147483647U
#define FECN_STAGES_MAX 16U
/* 1, in the fractions of f(q) and of what a step multiplies by. */
#define FECN_ONE 65536U
/* A step multiplies the rate by so much at most. */
#define FECN_GROWTH_MAX 64U
/* Intervals without a frame that count, one after the other. */
#define FECN_IDLE_MAX 10U
/* The rate does not fall below this part of the capacity. */
#define FECN_FLOOR 4096U
/* The weight of the moving average is in parts of this. */
#define FECN_WEIGHT_ONE 1024U

/**
 * struct fecn_cp_params - what the algorithm reads
 * @interval_ns: T, 100000 to 10^9
 * @capacity_kbps: C, 1 to FECN_KBPS_MAX
 * @qeq_bytes: set point of the queue, 1 to FECN_BYTES_MAX
 * @a_milli: hyperbola below the set point, in 1000ths, 1000 to 2000
 * @b_milli: hyperbola above it, in 1000ths, 1001 to 2000
 * @c_milli: f(q) is not below this, in 1000ths, 1 to 1000
 * @gamma_milli: part of the capacity that counts above the set point, in 1000ths, 1 to 1000
 * @stages: linear stages above the set point, 0 to FECN_STAGES_MAX; 0: the hyperbola
 * @k_ppm: slope of the first stage, in millionths a set point, 1 to 10^6; stage n has n times that
 * @weight: of a new rate in the moving average, 1 to FECN_WEIGHT_ONE
 * @flows: N0, 1 to 10^6: the first rate is a share of so many
 */
struct fecn_cp_params {
	u32 interval_ns;
	u32 capacity_kbps;
	u32 qeq_bytes;
	u32 a_milli;
	u32 b_milli;
	u32 c_milli;
	u32 gamma_milli;
	u32 stages;
	u32 k_ppm;
	u32 weight;
	u32 flows;
};

/**
 * struct fecn_cp_vars - state of the algorithm
 * @end_ns: when the interval ends
 * @bytes: that came in it
 * @arrival_kbps: load of the last interval, A
 * @rate_kbps: the rate that is advertised
 * @used_kbps: the rate that was advertised in the last interval
 */
struct fecn_cp_vars {
	u64 end_ns;
	u64 bytes;
	u64 arrival_kbps;
	u32 rate_kbps;
	u32 used_kbps;
};

static inline u32 fecn_cp_clamp(const struct fecn_cp_params *p, u64 kbps)
{
	u32 least = max(p->capacity_kbps / FECN_FLOOR, 1U);

	return min_t(u64, max_t(u64, kbps, least), p->capacity_kbps);
}

/**
 * fecn_cp_start() - the first interval begins
 * @p: parameters
 * @v: state, written
 * @now_ns: time
 */
static inline void fecn_cp_start(const struct fecn_cp_params *p, struct fecn_cp_vars *v, u64 now_ns)
{
	v->end_ns = now_ns + p->interval_ns;
	v->bytes = 0;
	v->arrival_kbps = 0;
	v->rate_kbps = fecn_cp_clamp(p, p->capacity_kbps / p->flows);
	v->used_kbps = v->rate_kbps;
}

/**
 * fecn_cp_change() - other parameters are in force
 * @p: the new ones
 * @v: state; fecn_cp_advance() was called with those before
 * @now_ns: time
 *
 * The rate goes on from where it is, within the new limits.
 */
static inline void fecn_cp_change(const struct fecn_cp_params *p, struct fecn_cp_vars *v,
				  u64 now_ns)
{
	v->rate_kbps = fecn_cp_clamp(p, v->rate_kbps);
	v->end_ns = min(v->end_ns, now_ns + p->interval_ns);
}

/**
 * fecn_cp_flows() - the effective number of flows, N = A / r of the last interval
 * @v: state
 *
 * Return: to the nearest.
 */
static inline u64 fecn_cp_flows(const struct fecn_cp_vars *v)
{
	return div_u64(v->arrival_kbps + v->used_kbps / 2, max(v->used_kbps, 1U));
}

/* x Qeq / ((x - 1) q + Qeq), x in 1000ths: below 2^58 over below 2^43. */
static inline u32 fecn_cp_hyperbola(const struct fecn_cp_params *p, u32 x_milli, u32 q_bytes)
{
	return div64_u64((u64)x_milli * p->qeq_bytes * FECN_ONE,
			 (u64)(x_milli - 1000) * q_bytes + 1000ULL * p->qeq_bytes);
}

/*
 * 1 - the sum over stages n of n k times the part of q in stage n, in set points.  The last
 * stage has no end.
 */
static inline u32 fecn_cp_stages(const struct fecn_cp_params *p, u32 q_bytes)
{
	u64 above = q_bytes - p->qeq_bytes, sum = 0, part;
	u32 n;

	for (n = 1; n <= p->stages && above; n++) {
		part = n < p->stages ? min_t(u64, above, p->qeq_bytes) : above;
		sum += (u64)n * p->k_ppm * part;	/* below 2^56 in all */
		above -= part;
	}
	if (sum >= 1000000ULL * p->qeq_bytes)
		return 0;
	/* sum / (10^6 Qeq), where 10^6 = 64 x 15625: below 2^61 over below 2^45; rounded up. */
	return FECN_ONE - div64_u64(sum * (FECN_ONE / 64) + 15625ULL * p->qeq_bytes - 1,
				    15625ULL * p->qeq_bytes);
}

/**
 * fecn_cp_control() - the queue control function f(q)
 * @p: parameters
 * @q_bytes: the queue, at most FECN_BYTES_MAX
 *
 * Return: f(q) in 65536ths, rounded down.
 */
static inline u32 fecn_cp_control(const struct fecn_cp_params *p, u32 q_bytes)
{
	u32 f;

	if (q_bytes <= p->qeq_bytes)
		return fecn_cp_hyperbola(p, p->a_milli, q_bytes);
	f = p->stages ? fecn_cp_stages(p, q_bytes) : fecn_cp_hyperbola(p, p->b_milli, q_bytes);
	return max(f, p->c_milli * FECN_ONE / 1000);
}

/* The rate of flows that sent so much in the last interval at the last rate. */
static inline u64 fecn_cp_share(const struct fecn_cp_params *p, u32 rate_kbps, u64 arrival_kbps,
				u32 q_bytes)
{
	u64 capacity = p->capacity_kbps, growth;

	if (!arrival_kbps)
		return min(capacity, 2ULL * rate_kbps);
	if (q_bytes > p->qeq_bytes)
		capacity = div_u64(capacity * p->gamma_milli, 1000);
	/* C f(q) / A: below 2^46. */
	growth = min_t(u64, div64_u64(capacity * fecn_cp_control(p, q_bytes), arrival_kbps),
		       FECN_GROWTH_MAX * FECN_ONE);
	return rate_kbps * growth / FECN_ONE;
}

/**
 * fecn_cp_step() - an interval is over
 * @p: parameters
 * @rate_kbps: what was advertised in it
 * @arrival_kbps: what came in it, at most 2^60
 * @q_bytes: the queue at its end, at most FECN_BYTES_MAX
 *
 * Return: the rate for the next.
 */
static inline u32 fecn_cp_step(const struct fecn_cp_params *p, u32 rate_kbps, u64 arrival_kbps,
			       u32 q_bytes)
{
	/* Below 2^29 x 2^6. */
	u64 share = fecn_cp_share(p, rate_kbps, arrival_kbps, q_bytes);

	return fecn_cp_clamp(p, (rate_kbps * (u64)(FECN_WEIGHT_ONE - p->weight) +
				 share * p->weight) / FECN_WEIGHT_ONE);
}

/**
 * fecn_cp_advance() - let time pass
 * @p: parameters
 * @v: state
 * @q_bytes: the queue without what comes now, at most FECN_BYTES_MAX
 * @now_ns: time
 *
 * If several intervals are over, the first has all that came since the last call, the
 * others had nothing.
 *
 * Return: how many steps the rate took; 0: the interval goes on.
 */
static inline u32 fecn_cp_advance(const struct fecn_cp_params *p, struct fecn_cp_vars *v,
				  u32 q_bytes, u64 now_ns)
{
	u64 over, arrival;
	u32 steps;

	if (now_ns < v->end_ns)
		return 0;
	over = div_u64(now_ns - v->end_ns, p->interval_ns);
	/* Bytes of an interval at FECN_KBPS_MAX fit 36 bits; more than 40 are not accepted. */
	arrival = div_u64(min_t(u64, v->bytes, 1ULL << 40) * 8000000, p->interval_ns);
	v->arrival_kbps = arrival;
	v->used_kbps = v->rate_kbps;
	v->rate_kbps = fecn_cp_step(p, v->rate_kbps, arrival, q_bytes);
	for (steps = 1; steps <= over && steps <= FECN_IDLE_MAX; steps++) {
		v->arrival_kbps = 0;
		v->used_kbps = v->rate_kbps;
		v->rate_kbps = fecn_cp_step(p, v->rate_kbps, 0, q_bytes);
	}
	v->bytes = 0;
	v->end_ns += (over + 1) * p->interval_ns;
	return steps;
}

/**
 * fecn_cp_charge() - a frame came
 * @v: state; fecn_cp_advance() was called
 * @len: its bytes
 */
static inline void fecn_cp_charge(struct fecn_cp_vars *v, u32 len)
{
	v->bytes += len;
}

#endif /* SHARPRAMP_ALGO_FECN_CP_H */
