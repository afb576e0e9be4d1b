// SPDX-License-Identifier: GPL-2.0
/*
 * The free constants of offsets and drifts.
 */
#include <math.h>

#include "gauge.h"
#include "sort.h"

/* The line on which the gauge's host should be, or NULL. */
static const struct line *gauge_wanted(const struct gauge *g, uint32_t hosts,
				       const bool *reached)
{
	static const struct line itself;

	if (g->kind == GAUGE_MEAN || g->host >= hosts || !reached[g->host])
		return NULL;
	if (g->kind == GAUGE_HOST)
		return &itself;
	return g->utc_known ? &g->utc : NULL;
}

bool gauge_is_known(const struct gauge *g, const bool *reached, uint32_t h)
{
	return reached[h] && g->prior && g->prior[h].known;
}

static int64_t gauge_limited(int64_t x, int64_t most)
{
	return x > most ? most : x < -most ? -most : x;
}

static double gauge_limited_ppb(double x, double most)
{
	return x > most ? most : x < -most ? -most : x;
}

/* From where a host is solved to where a line puts it. */
static int64_t gauge_miss_ns(const struct line *wanted, const struct line *line)
{
	return gauge_limited(line_at(wanted, line->at_ns) - line->offset_ns,
			     LINE_MOST_NS);
}

static int64_t gauge_mean_ns(uint32_t hosts, const bool *reached,
			     const struct line *line)
{
	__int128 sum = 0;
	uint32_t n = 0;
	uint32_t h;

	for (h = 0; h < hosts; h++) {
		if (reached[h]) {
			sum += line[h].offset_ns;
			n++;
		}
	}
	return n ? -(int64_t)(sum / n) : 0;
}

static bool gauge_lower(const struct gauge_vote *a, const struct gauge_vote *b)
{
	return a->value < b->value;
}

static bool gauge_lighter(const struct gauge_vote *a, const struct gauge_vote *b)
{
	return a->weight < b->weight;
}

SORT_DEFINE(gauge_by_value, struct gauge_vote, gauge_lower)
SORT_DEFINE(gauge_by_weight, struct gauge_vote, gauge_lighter)

/*
 * The vote in the middle of all weights.  No quarter of the hosts weighs more
 * than the rest let it: who lies may say that it is as sure as it likes.
 */
static struct gauge_vote gauge_median(struct gauge_vote *vote, uint32_t votes)
{
	double most, half = 0, sum = 0;
	uint32_t n;

	gauge_by_weight(vote, votes);
	most = vote[3 * (votes - 1) / 4].weight;
	gauge_by_value(vote, votes);
	for (n = 0; n < votes; n++)
		half += fmin(vote[n].weight, most) / 2;
	for (n = 0; n + 1 < votes; n++) {
		sum += fmin(vote[n].weight, most);
		if (sum > half)
			break;
	}
	return vote[n];
}

/*
 * From the median to the mean, in which each vote is as far away at most as it
 * and the median allow for: a clock that was stepped unnoticed, or lies, must
 * not pull all others.  @unit is one of the values for the weights.
 */
static int64_t gauge_middle(struct gauge_vote *vote, uint32_t votes, double unit)
{
	struct gauge_vote median = gauge_median(vote, votes);
	double sum = 0, weights = 0;
	uint32_t n;

	for (n = 0; n < votes; n++) {
		double off = (double)(vote[n].value - median.value);
		double most = GAUGE_SIGMAS * unit * sqrt(1 / vote[n].weight +
							 1 / median.weight);

		sum += vote[n].weight * gauge_limited_ppb(off, most);
		weights += vote[n].weight;
	}
	return median.value + (weights > 0 ? line_round(sum / weights) : 0);
}

/* Of what all say together. */
static double gauge_std(const struct gauge_vote *vote, uint32_t votes)
{
	double sum = 0;
	uint32_t n;

	for (n = 0; n < votes; n++)
		sum += vote[n].weight;
	return 1 / sqrt(sum);
}

/* By which part of what is allowed the reference is approached. */
static double gauge_trust(const struct gauge *g, uint32_t hosts,
			  const bool *reached, const double *weight)
{
	double most = 0;
	uint32_t h;

	if (g->kind == GAUGE_MEAN || g->host >= hosts || !reached[g->host])
		return 1;
	for (h = 0; h < hosts; h++) {
		if (reached[h] && weight[h] > most)
			most = weight[h];
	}
	return weight[g->host] < GAUGE_WELL * most ?
	       weight[g->host] / (GAUGE_WELL * most) : 1;
}

int64_t gauge_offset_ns(const struct gauge *g, uint32_t hosts,
			const bool *reached, const double *weight,
			const struct line *line, struct gauge_vote *scratch)
{
	const struct line *wanted = gauge_wanted(g, hosts, reached);
	double most = g->follow_ppb * g->window_ns / 1e9 *
		      gauge_trust(g, hosts, reached, weight);
	int64_t shift, miss;
	uint32_t n = 0;
	uint32_t h;

	miss = wanted ? gauge_miss_ns(wanted, &line[g->host]) :
			gauge_mean_ns(hosts, reached, line);
	for (h = 0; h < hosts; h++) {
		if (gauge_is_known(g, reached, h))
			scratch[n++] = (struct gauge_vote){
				gauge_miss_ns(&g->prior[h].line, &line[h]), weight[h],
			};
	}
	if (!n)
		return miss;
	shift = gauge_middle(scratch, n, 1);
	if (wanted)
		shift += gauge_limited(miss - shift, line_round(most));
	return shift;
}

static double gauge_mean_ppb(uint32_t hosts, const bool *reached,
			     const struct line *line)
{
	double sum = 0;
	uint32_t n = 0;
	uint32_t h;

	for (h = 0; h < hosts; h++) {
		if (reached[h]) {
			sum += line[h].drift_ppb;
			n++;
		}
	}
	return n ? -sum / n : 0;
}

double gauge_drift_ppb(const struct gauge *g, uint32_t hosts,
		       const bool *reached, const double *weight,
		       const struct line *line, struct gauge_vote *scratch)
{
	const struct line *wanted = gauge_wanted(g, hosts, reached);
	double most = g->kind == GAUGE_HOST ? g->follow_ppb : GAUGE_TURN_PPB;
	double shift, miss;
	uint32_t n = 0;
	uint32_t h;

	miss = wanted ? wanted->drift_ppb - line[g->host].drift_ppb :
			gauge_mean_ppb(hosts, reached, line);
	for (h = 0; h < hosts; h++) {
		if (gauge_is_known(g, reached, h))
			scratch[n++] = (struct gauge_vote){
				line_round((g->prior[h].line.drift_ppb - line[h].drift_ppb) *
					   GAUGE_DRIFT_UNIT), weight[h],
			};
	}
	if (!n)
		return miss;
	shift = gauge_middle(scratch, n, GAUGE_DRIFT_UNIT) / GAUGE_DRIFT_UNIT;
	most = fmax(most * gauge_trust(g, hosts, reached, weight),
		    gauge_std(scratch, n));
	return shift + gauge_limited_ppb(miss - shift, most);
}
