/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Vectors of FECN's congestion point and reaction point, for the unit tests and KUnit: by hand
 * from the formulas, not from the code.
 */
#ifndef SHARPRAMP_FECN_VECTORS_H
#define SHARPRAMP_FECN_VECTORS_H

#include "fecn_cp.h"
#include "fecn_rp.h"

/* The paper's, with the stages of its table II, an average of half, and N0 = 50. */
#define FECN_DEFAULTS {					\
	.interval_ns = 1000000,				\
	.capacity_kbps = 10000000,			\
	.qeq_bytes = 24000,				\
	.a_milli = 1002,				\
	.b_milli = 1100,				\
	.c_milli = 100,					\
	.gamma_milli = 990,				\
	.k_ppm = 2000,					\
	.weight = FECN_WEIGHT_ONE / 2,			\
	.flows = 50,					\
}

/**
 * struct fecn_control_vector - a value of f(q)
 * @stages: 0: hyperbola
 * @k_ppm: of the first stage
 * @q: the queue
 * @f: in 65536ths
 */
struct fecn_control_vector {
	u32 stages;
	u32 k_ppm;
	u32 q;
	u32 f;
};

/* The line with k = 0.06 is what the paper has next to its figure 4. */
static const struct fecn_control_vector fecn_control_vectors[] = {
	{ 0, 0, 0, 65667 },
	{ 0, 0, 12000, 65601 },
	{ 0, 0, 24000, 65536 },
	{ 0, 0, 24001, 65535 },
	{ 0, 0, 48000, 60074 },
	{ 0, 0, 120000, 48059 },
	{ 0, 0, 135000, 46137 },
	{ 0, 0, 150000, 44362 },
	{ 0, 0, 2400000, 6553 },
	{ 1, 60000, 24000, 65536 },
	{ 1, 60000, 48000, 61603 },
	{ 1, 60000, 120000, 49807 },
	{ 1, 60000, 24000 * 16, 6553 },
	{ 3, 2000, 12000, 65601 },
	{ 3, 2000, 48000, 65404 },
	{ 3, 2000, 72000, 65142 },
	{ 3, 2000, 96000, 64749 },
	{ 3, 2000, 120000, 64356 },
	{ 1, 1000000, 48000, 6553 },
	{ 16, 1000000, 2147483647, 6553 },
};

#define FECN_CONTROL_VECTORS (sizeof(fecn_control_vectors) / sizeof(fecn_control_vectors[0]))

/**
 * struct fecn_step_vector - a step of the rate, without gamma's effect below the set point
 * @rate: before it, kbit/s
 * @arrival: of the interval, kbit/s
 * @q: the queue
 * @half: the rate after it, with a weight of half
 * @whole: with a weight of 1
 */
struct fecn_step_vector {
	u32 rate;
	u32 arrival;
	u32 q;
	u32 half;
	u32 whole;
};

static const struct fecn_step_vector fecn_step_vectors[] = {
	{ 100000, 12000000, 24000, 91666, 83332 },
	{ 100000, 10000000, 120000, 86299, 72598 },
	{ 100000, 20000000, 150000, 66753, 33506 },
	{ 100000, 5000000, 0, 150199, 200399 },
	{ 200000, 0, 0, 300000, 400000 },
	{ 9000000, 0, 0, 9500000, 10000000 },
	/* The floor, C / 4096, and what a step multiplies by at most. */
	{ 3000, 20000000, 150000, 2441, 2441 },
	{ 3000, 1, 0, 97500, 192000 },
	{ 1000000, 1, 0, 10000000, 10000000 },
};

#define FECN_STEP_VECTORS (sizeof(fecn_step_vectors) / sizeof(fecn_step_vectors[0]))

/**
 * fecn_vectors_run() - run all
 * @failed: which, if one does
 *
 * Return: NULL, or what is wrong.
 */
static inline const char *fecn_vectors_run(u32 *failed)
{
	struct fecn_cp_params p = FECN_DEFAULTS;
	u32 *i = failed;

	for (*i = 0; *i < FECN_CONTROL_VECTORS; ++*i) {
		const struct fecn_control_vector *c = &fecn_control_vectors[*i];

		p.stages = c->stages;
		p.k_ppm = c->k_ppm;
		if (fecn_cp_control(&p, c->q) != c->f)
			return "f(q)";
	}
	p = (struct fecn_cp_params)FECN_DEFAULTS;
	for (*i = 0; *i < FECN_STEP_VECTORS; ++*i) {
		const struct fecn_step_vector *c = &fecn_step_vectors[*i];

		p.weight = FECN_WEIGHT_ONE / 2;
		if (fecn_cp_step(&p, c->rate, c->arrival, c->q) != c->half)
			return "rate, with a weight of half";
		p.weight = FECN_WEIGHT_ONE;
		if (fecn_cp_step(&p, c->rate, c->arrival, c->q) != c->whole)
			return "rate, with a weight of 1";
	}
	return NULL;
}

#endif /* SHARPRAMP_FECN_VECTORS_H */
