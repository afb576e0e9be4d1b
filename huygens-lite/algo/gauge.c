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

int64_t gauge_miss_ns(const struct line *wanted, const struct line *line)
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
 * No quarter of the hosts weighs more than the rest let it: who lies may say
 * that it is as sure as it likes.
 */
static double gauge_most(struct gauge_vote *vote, uint32_t votes)
{
	gauge_by_weight(vote, votes);
	return vote[3 * (votes - 1) / 4].weight;
}

/* The vote in the middle of all weights of @most at most. */
static int64_t gauge_median(struct gauge_vote *vote, uint32_t votes, double most)
{
	double sum = 0, part = 0;
	uint32_t n;

	gauge_by_value(vote, votes);
	for (n = 0; n < votes; n++)
		sum += fmin(vote[n].weight, most);
	for (n = 0; n + 1 < votes; n++) {
		part += fmin(vote[n].weight, most);
		if (part > sum / 2)
			break;
	}
	return vote[n].value;
}

/*
 * From the median to the mean, in which each vote is as far away at most as it
 * and one of the others allow for: a clock that was stepped unnoticed, or lies,
 * must not pull all others.  That these are many says little: a queue that stands
 * between the best known hosts and the others puts all of them off alike.
 * @unit is one of the values for the weights, @moved by how much the mean would
 * be elsewhere if nobody were too far.
 */
static int64_t gauge_middle(struct gauge_vote *vote, uint32_t votes, double unit,
			    double *moved)
{
	double most = gauge_most(vote, votes), sum = 0, over = 0, weights = 0;
	int64_t median = gauge_median(vote, votes, most);
	uint32_t n;

	for (n = 0; n < votes; n++) {
		double off = (double)(vote[n].value - median);
		double far = GAUGE_SIGMAS * unit * sqrt(1 / vote[n].weight + 1 / most);
		double kept = fmax(fmin(off, far), -far);

		sum += vote[n].weight * kept;
		over += vote[n].weight * (off - kept);
		weights += vote[n].weight;
	}
	*moved = weights > 0 ? fabs(over) / weights : 0;
	return median + (weights > 0 ? line_round(sum / weights) : 0);
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

int64_t gauge_offset_ns(const struct gauge *g, uint32_t hosts,
			const bool *reached, const double *weight,
			const struct line *line, struct gauge_vote *scratch,
			double *moved)
{
	const struct line *wanted = gauge_wanted(g, hosts, reached);
	int64_t shift, miss, follow;
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
	*moved = 0;
	if (!n)
		return miss;
	shift = gauge_middle(scratch, n, 1, moved);
	if (!wanted)
		return shift;
	follow = gauge_limited(miss - shift,
			       line_round(g->follow_ppb * g->window_ns / 1e9));
	*moved += fabs((double)follow);
	return shift + follow;
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
		       const struct line *line, struct gauge_vote *scratch,
		       double *moved)
{
	const struct line *wanted = gauge_wanted(g, hosts, reached);
	double most = g->kind == GAUGE_HOST ? g->follow_ppb : GAUGE_TURN_PPB;
	double shift, miss, follow;
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
	*moved = 0;
	if (!n)
		return miss;
	shift = gauge_middle(scratch, n, GAUGE_DRIFT_UNIT, moved) / GAUGE_DRIFT_UNIT;
	most = fmax(most, gauge_std(scratch, n));
	follow = gauge_limited_ppb(miss - shift, most);
	*moved = *moved / GAUGE_DRIFT_UNIT + fabs(follow);
	return shift + follow;
}
