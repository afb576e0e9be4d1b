// SPDX-License-Identifier: GPL-2.0
/*
 * Completion times by size class
 */
#include <inttypes.h>
#include <stdlib.h>

#include "outcome.h"
#include "parse.h"

#define SHORT_BYTES	100000
#define LARGE_BYTES	10000000

const char *const outcome_names[OUTCOME_CLASSES] = {
	[OUTCOME_SHORT] = "up to 100 kB",
	[OUTCOME_MIDDLE] = "100 kB to 10 MB",
	[OUTCOME_LARGE] = "10 MB and more",
	[OUTCOME_ALL] = "all",
};

bool outcome_is_in(u64 size, enum outcome_class class)
{
	switch (class) {
	case OUTCOME_SHORT:
		return size <= SHORT_BYTES;
	case OUTCOME_MIDDLE:
		return size > SHORT_BYTES && size < LARGE_BYTES;
	case OUTCOME_LARGE:
		return size >= LARGE_BYTES;
	default:
		return true;
	}
}

u32 outcome_rank(u32 n, u32 percent)
{
	u64 rank = ((u64)n * percent + 99) / 100;

	return rank ? rank - 1 : 0;
}

int outcome_compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static void figures_of(const struct outcome *list, u32 n, enum outcome_class class,
		       struct outcome_figures *figures, double *value)
{
	u32 i, known = 0;

	for (i = 0; i < n; i++) {
		if (!outcome_is_in(list[i].size, class))
			continue;
		if (list[i].fct_ns < 0) {
			figures->lost++;
			continue;
		}
		value[figures->n++] = list[i].fct_ns;
		figures->mean_ns += list[i].fct_ns;
	}
	if (!figures->n)
		return;
	figures->mean_ns /= figures->n;
	qsort(value, figures->n, sizeof(*value), outcome_compare);
	figures->p50_ns = value[outcome_rank(figures->n, 50)];
	figures->p99_ns = value[outcome_rank(figures->n, 99)];
	for (i = 0; i < n; i++)
		if (outcome_is_in(list[i].size, class) && list[i].fct_ns >= 0 && list[i].ideal_ns)
			value[known++] = (double)list[i].fct_ns / list[i].ideal_ns;
	if (!known)
		return;
	qsort(value, known, sizeof(*value), outcome_compare);
	figures->slowdown_p50 = value[outcome_rank(known, 50)];
	figures->slowdown_p99 = value[outcome_rank(known, 99)];
}

int outcome_figures(const struct outcome *list, u32 n, enum outcome_class class,
		    struct outcome_figures *figures)
{
	double *value = calloc((size_t)n + 1, sizeof(*value));

	if (!value)
		return complain(NULL, "out of memory");
	*figures = (struct outcome_figures){ 0 };
	figures_of(list, n, class, figures, value);
	free(value);
	return 0;
}

/* The rate of the link to one receiver, bit/s; 0: no group names it. */
static u64 link_rate(const struct traffic *t)
{
	u64 rate, most = 0;
	u32 i;

	for (i = 0; i < t->groups; i++) {
		const struct group *g = &t->group[i];

		rate = g->line;
		if (g->kind == KIND_POISSON && g->receivers.n)
			rate = g->rate / g->receivers.n;
		if (rate > most)
			most = rate;
	}
	return most;
}

static u64 ideal_ns(const struct flow *f, u32 rtt_us, u64 rate)
{
	u64 frames = (f->size + OUTCOME_PAYLOAD - 1) / OUTCOME_PAYLOAD;
	u64 trips = f->reused ? 1 : 2;

	if (rtt_us == UNKNOWN || !rate)
		return 0;
	return trips * rtt_us * NSEC_PER_USEC +
	       (u64)((u128)(f->size + frames * OUTCOME_OVERHEAD) * 8 * NSEC_PER_SEC / rate);
}

/* The least round trip of each two hosts, by sender and receiver. */
static u32 *least_rtts(const struct flows *flows, const struct traffic *t)
{
	size_t pairs = (size_t)t->hosts * t->hosts, pair;
	u32 *least = malloc((pairs ? pairs : 1) * sizeof(*least));
	u32 i;

	if (!least)
		return NULL;
	for (pair = 0; pair < pairs; pair++)
		least[pair] = UNKNOWN;
	for (i = 0; i < flows->n; i++) {
		const struct flow *f = &flows->flow[i];

		pair = (size_t)f->sender * t->hosts + f->receiver;
		if (f->min_rtt_us < least[pair])
			least[pair] = f->min_rtt_us;
	}
	return least;
}

static u32 collect(const struct flows *flows, const struct traffic *t, const u32 *least,
		   struct outcome *list)
{
	u64 rate = link_rate(t);
	u32 i, n = 0;

	for (i = 0; i < flows->n; i++) {
		const struct flow *f = &flows->flow[i];

		if (!f->size || (f->chained && !f->begun))
			continue;
		list[n++] = (struct outcome){
			.size = f->size,
			.fct_ns = f->end == END_DONE ? f->ended - f->started : -1,
			.ideal_ns = ideal_ns(f, least[(size_t)f->sender * t->hosts + f->receiver],
					     rate),
		};
	}
	return n;
}

static void print_figures(FILE *f, const char *name, const struct outcome_figures *figures)
{
	fprintf(f, "%-16s%10" PRIu32 "%10" PRIu32, name, figures->n, figures->lost);
	if (figures->n)
		fprintf(f, "%12.0f%12.0f%12.0f", figures->mean_ns / 1e3, figures->p50_ns / 1e3,
			figures->p99_ns / 1e3);
	if (figures->slowdown_p50 > 0)
		fprintf(f, "%10.2f%10.2f", figures->slowdown_p50, figures->slowdown_p99);
	fputc('\n', f);
}

static int print_table(FILE *f, const struct outcome *list, u32 n)
{
	struct outcome_figures figures;
	enum outcome_class class;

	fprintf(f, "%-16s%10s%10s%12s%12s%12s%10s%10s\n", "completion time", "ended", "not ended",
		"mean us", "p50 us", "p99 us", "p50 slow", "p99 slow");
	for (class = 0; class < OUTCOME_CLASSES; class++) {
		if (outcome_figures(list, n, class, &figures))
			return -1;
		if (figures.n || figures.lost)
			print_figures(f, outcome_names[class], &figures);
	}
	return 0;
}

int outcome_print(FILE *f, const struct flows *flows, const struct traffic *t)
{
	struct outcome *list = calloc((size_t)flows->n + 1, sizeof(*list));
	u32 *least = least_rtts(flows, t);
	int ret = -1;
	u32 n;

	if (!list || !least) {
		complain(NULL, "out of memory");
	} else {
		n = collect(flows, t, least, list);
		ret = n ? print_table(f, list, n) : 0;
	}
	free(least);
	free(list);
	return ret;
}
