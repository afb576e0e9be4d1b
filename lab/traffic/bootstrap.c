// SPDX-License-Identifier: GPL-2.0
/*
 * Intervals of the ratio of two samples' means and percentiles
 *
 * A resample is kept as a count for each rank of its sample, so that its percentile is
 * found without sorting.
 */
#include <stdlib.h>
#include <string.h>

#include "bootstrap.h"
#include "outcome.h"
#include "parse.h"
#include "rng.h"

/* Resamples: the most, the least, and values that are drawn for all of them in between. */
#define ROUNDS_MOST	2000
#define ROUNDS_LEAST	200
#define DRAWS		50000000ULL

/**
 * struct ranked - a sample that is resampled
 * @n: number of values
 * @sorted: values in ascending order
 * @rank: place of each value of the sample there
 * @count: how often each of @sorted was drawn
 */
struct ranked {
	u32 n;
	u64 *sorted;
	u32 *rank;
	u32 *count;
};

/* A value and where it was. */
struct placed {
	u64 value;
	u32 place;
};

static int compare_placed(const void *a, const void *b)
{
	const struct placed *x = a, *y = b;

	return (x->value > y->value) - (x->value < y->value);
}

static void ranked_free(struct ranked *r)
{
	free(r->sorted);
	free(r->rank);
	free(r->count);
}

static int ranked_make(struct ranked *r, const struct sample *sample)
{
	struct placed *placed = calloc((size_t)sample->n + 1, sizeof(*placed));
	u32 i;

	r->n = sample->n;
	r->sorted = calloc((size_t)r->n + 1, sizeof(*r->sorted));
	r->rank = calloc((size_t)r->n + 1, sizeof(*r->rank));
	r->count = calloc((size_t)r->n + 1, sizeof(*r->count));
	if (!placed || !r->sorted || !r->rank || !r->count) {
		free(placed);
		return complain(NULL, "out of memory");
	}
	for (i = 0; i < r->n; i++)
		placed[i] = (struct placed){ sample->value[i], i };
	qsort(placed, r->n, sizeof(*placed), compare_placed);
	for (i = 0; i < r->n; i++) {
		r->sorted[i] = placed[i].value;
		r->rank[placed[i].place] = i;
	}
	free(placed);
	return 0;
}

static void ranked_statistics(const struct ranked *r, double value[STATISTICS])
{
	u32 above = r->n - outcome_rank(r->n, 99), i = r->n, drawn = 0;
	double sum = 0;

	while (drawn < above)
		drawn += r->count[--i];
	value[STATISTIC_P99] = r->sorted[i];
	for (i = 0; i < r->n; i++)
		sum += (double)r->sorted[i] * r->count[i];
	value[STATISTIC_MEAN] = sum / r->n;
}

static void resample(struct ranked ranked[2], bool paired, struct rng *rng)
{
	u32 i, k, place;

	for (k = 0; k < 2; k++)
		memset(ranked[k].count, 0, ranked[k].n * sizeof(*ranked[k].count));
	for (i = 0; i < ranked[0].n; i++) {
		place = rng_below(rng, ranked[0].n);
		ranked[0].count[ranked[0].rank[place]]++;
		if (paired)
			ranked[1].count[ranked[1].rank[place]]++;
	}
	for (i = 0; !paired && i < ranked[1].n; i++)
		ranked[1].count[rng_below(rng, ranked[1].n)]++;
}

static void ratios(const struct ranked ranked[2], double ratio[STATISTICS])
{
	double before[STATISTICS], after[STATISTICS];
	u32 s;

	ranked_statistics(&ranked[0], before);
	ranked_statistics(&ranked[1], after);
	for (s = 0; s < STATISTICS; s++)
		ratio[s] = before[s] > 0 ? after[s] / before[s] : 0;
}

static int intervals_make(struct ranked ranked[2], bool paired, const char *name,
			  struct interval intervals[STATISTICS])
{
	u64 values = (u64)ranked[0].n + (paired ? 0 : ranked[1].n), rounds = DRAWS / values;
	double ratio[STATISTICS], *drawn;
	struct rng rng;
	u64 i, s;

	if (rounds > ROUNDS_MOST)
		rounds = ROUNDS_MOST;
	if (rounds < ROUNDS_LEAST)
		rounds = ROUNDS_LEAST;
	drawn = calloc(rounds * STATISTICS, sizeof(*drawn));
	if (!drawn)
		return complain(NULL, "out of memory");
	rng_seed(&rng, 1, name, "bootstrap");
	for (i = 0; i < rounds; i++) {
		resample(ranked, paired, &rng);
		ratios(ranked, ratio);
		for (s = 0; s < STATISTICS; s++)
			drawn[s * rounds + i] = ratio[s];
	}
	for (s = 0; s < STATISTICS; s++) {
		qsort(drawn + s * rounds, rounds, sizeof(*drawn), outcome_compare);
		intervals[s].low = drawn[s * rounds + rounds * 25 / 1000];
		intervals[s].high = drawn[s * rounds + rounds - 1 - rounds * 25 / 1000];
	}
	free(drawn);
	return 0;
}

int bootstrap_ratio(const struct sample sample[2], bool paired, const char *name,
		    struct interval intervals[STATISTICS])
{
	struct ranked ranked[2] = { 0 };
	double ratio[STATISTICS];
	u32 i, k, s;
	int ret = 0;

	memset(intervals, 0, STATISTICS * sizeof(*intervals));
	if (!sample[0].n || !sample[1].n)
		return 0;
	if (ranked_make(&ranked[0], &sample[0]) || ranked_make(&ranked[1], &sample[1]))
		ret = -1;
	for (k = 0; k < 2 && !ret; k++)
		for (i = 0; i < ranked[k].n; i++)
			ranked[k].count[i] = 1;
	if (!ret) {
		ratios(ranked, ratio);
		for (s = 0; s < STATISTICS; s++)
			intervals[s].ratio = ratio[s];
	}
	if (!ret && sample[0].n >= BOOTSTRAP_LEAST && sample[1].n >= BOOTSTRAP_LEAST)
		ret = intervals_make(ranked, paired, name, intervals);
	ranked_free(&ranked[0]);
	ranked_free(&ranked[1]);
	return ret;
}
