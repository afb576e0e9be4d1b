// SPDX-License-Identifier: GPL-2.0
/*
 * The free constants of offsets and drifts.
 */
#include <math.h>

#include "datum.h"
#include "sort.h"

bool datum_is_known(const struct datum *g, const bool *reached, uint32_t h)
{
	return reached[h] && g->prior && g->prior[h].known;
}

static int64_t datum_limited(int64_t x, int64_t most)
{
	return x > most ? most : x < -most ? -most : x;
}

static double datum_limited_ppb(double x, double most)
{
	return x > most ? most : x < -most ? -most : x;
}

int64_t datum_miss_ns(const struct line *wanted, const struct line *line)
{
	return datum_limited(line_at(wanted, line->at_ns) - line->offset_ns,
			     LINE_MOST_NS);
}

static int64_t datum_mean_ns(uint32_t hosts, const bool *reached,
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

static bool datum_lower(const struct datum_sample *a, const struct datum_sample *b)
{
	return a->value < b->value;
}

static bool datum_lighter(const struct datum_sample *a, const struct datum_sample *b)
{
	return a->weight < b->weight;
}

SORT_DEFINE(datum_by_value, struct datum_sample, datum_lower)
SORT_DEFINE(datum_by_weight, struct datum_sample, datum_lighter)

/*
 * No quarter of the hosts weighs more than the rest let it: a liar may report
 * that it is as sure as it likes.
 */
static double datum_most(struct datum_sample *sample, uint32_t samples)
{
	datum_by_weight(sample, samples);
	return sample[3 * (samples - 1) / 4].weight;
}

/* The estimate in the middle of all weights of @most at most. */
static int64_t datum_median(struct datum_sample *sample, uint32_t samples, double most)
{
	double sum = 0, partial = 0;
	uint32_t n;

	datum_by_value(sample, samples);
	for (n = 0; n < samples; n++)
		sum += fmin(sample[n].weight, most);
	for (n = 0; n + 1 < samples; n++) {
		partial += fmin(sample[n].weight, most);
		if (partial > sum / 2)
			break;
	}
	return sample[n].value;
}

/*
 * From the median to the mean, in which each estimate is as far away at most as it
 * and one of the others allow for: a clock that was stepped unnoticed, or lies,
 * must not pull all others.  That these are many says little: a queue that stands
 * between the best known hosts and the others puts all of them off alike.
 * @unit is one of the values for the weights, @moved by how much the mean would
 * be elsewhere if nobody were too far.
 */
static int64_t datum_middle(struct datum_sample *sample, uint32_t samples, double unit,
			    double *moved)
{
	double most = datum_most(sample, samples), sum = 0, over = 0, weights = 0;
	int64_t median = datum_median(sample, samples, most);
	uint32_t n;

	for (n = 0; n < samples; n++) {
		double off = (double)(sample[n].value - median);
		double far = DATUM_SIGMAS * unit * sqrt(1 / sample[n].weight + 1 / most);
		double kept = fmax(fmin(off, far), -far);

		sum += sample[n].weight * kept;
		over += sample[n].weight * (off - kept);
		weights += sample[n].weight;
	}
	*moved = weights > 0 ? fabs(over) / weights : 0;
	return median + (weights > 0 ? line_round(sum / weights) : 0);
}

/* Standard deviation of all samples together. */
static double datum_std(const struct datum_sample *sample, uint32_t samples)
{
	double sum = 0;
	uint32_t n;

	for (n = 0; n < samples; n++)
		sum += sample[n].weight;
	return 1 / sqrt(sum);
}

static bool datum_has_host(const struct datum *g, uint32_t hosts, const bool *reached)
{
	return g->kind == DATUM_HOST && g->host < hosts && reached[g->host];
}

static bool datum_utc_ns(const struct datum *g, uint32_t hosts, const bool *reached,
			 const double *bound_ns, const struct line *line, int64_t *miss_ns)
{
	struct utc_view view[UTC_MOST], agreed;
	uint32_t n = 0, i;

	for (i = 0; i < g->utcs && n < UTC_MOST; i++) {
		const struct datum_utc *utc = &g->utc[i];

		if (utc->host < hosts && reached[utc->host])
			view[n++] = datum_view(utc, &line[utc->host], bound_ns[utc->host]);
	}
	if (g->kind != DATUM_UTC || !utc_agree(view, n, &agreed))
		return false;
	*miss_ns = agreed.miss_ns;
	return true;
}

/* By how much the host, or UTC, is elsewhere; false: there is none. */
static bool datum_wanted_ns(const struct datum *g, uint32_t hosts, const bool *reached,
			    const double *bound_ns, const struct line *line, int64_t *miss_ns)
{
	static const struct line itself;

	if (!datum_has_host(g, hosts, reached))
		return datum_utc_ns(g, hosts, reached, bound_ns, line, miss_ns);
	*miss_ns = datum_miss_ns(&itself, &line[g->host]);
	return true;
}

int64_t datum_offset_ns(const struct datum *g, uint32_t hosts,
			const bool *reached, const double *weight,
			const double *bound_ns, const struct line *line,
			struct datum_sample *scratch, double *moved)
{
	int64_t shift, miss, approach;
	bool wanted = datum_wanted_ns(g, hosts, reached, bound_ns, line, &miss);
	uint32_t n = 0;
	uint32_t h;

	if (!wanted)
		miss = datum_mean_ns(hosts, reached, line);
	for (h = 0; h < hosts; h++) {
		if (datum_is_known(g, reached, h))
			scratch[n++] = (struct datum_sample){
				datum_miss_ns(&g->prior[h].line, &line[h]), weight[h],
			};
	}
	*moved = 0;
	if (!n)
		return miss;
	shift = datum_middle(scratch, n, 1, moved);
	if (!wanted)
		return shift;
	approach = datum_limited(miss - shift,
				 line_round(g->slew_ppb * g->window_ns / 1e9));
	*moved += fabs((double)approach);
	return shift + approach;
}

static double datum_mean_ppb(uint32_t hosts, const bool *reached,
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

/* The rate of UTC in the middle of what hosts report, which few that are wrong do not move. */
static bool datum_utc_ppb(const struct datum *g, uint32_t hosts, const bool *reached,
			  const struct line *line, double *miss_ppb)
{
	struct datum_sample sample[UTC_MOST];
	uint32_t n = 0, i;

	for (i = 0; i < g->utcs && n < UTC_MOST; i++) {
		const struct datum_utc *utc = &g->utc[i];
		double error_ns = fmax(utc->error_ns, 1);

		if (utc->host < hosts && reached[utc->host])
			sample[n++] = (struct datum_sample){
				line_round((utc->line.drift_ppb - line[utc->host].drift_ppb) *
					   DATUM_DRIFT_UNIT), 1 / (error_ns * error_ns),
			};
	}
	if (g->kind != DATUM_UTC || !n)
		return false;
	*miss_ppb = datum_median(sample, n, INFINITY) / DATUM_DRIFT_UNIT;
	return true;
}

static bool datum_wanted_ppb(const struct datum *g, uint32_t hosts, const bool *reached,
			     const struct line *line, double *miss_ppb)
{
	if (!datum_has_host(g, hosts, reached))
		return datum_utc_ppb(g, hosts, reached, line, miss_ppb);
	*miss_ppb = -line[g->host].drift_ppb;
	return true;
}

double datum_drift_ppb(const struct datum *g, uint32_t hosts,
		       const bool *reached, const double *weight,
		       const struct line *line, struct datum_sample *scratch,
		       double *moved)
{
	double most = g->kind == DATUM_HOST ? g->slew_ppb : DATUM_TURN_PPB;
	double shift, miss, approach;
	uint32_t n = 0;
	uint32_t h;

	if (!datum_wanted_ppb(g, hosts, reached, line, &miss))
		miss = datum_mean_ppb(hosts, reached, line);
	for (h = 0; h < hosts; h++) {
		if (datum_is_known(g, reached, h))
			scratch[n++] = (struct datum_sample){
				line_round((g->prior[h].line.drift_ppb - line[h].drift_ppb) *
					   DATUM_DRIFT_UNIT), weight[h],
			};
	}
	*moved = 0;
	if (!n)
		return miss;
	shift = datum_middle(scratch, n, DATUM_DRIFT_UNIT, moved) / DATUM_DRIFT_UNIT;
	most = fmax(most, datum_std(scratch, n));
	approach = datum_limited_ppb(miss - shift, most);
	*moved = *moved / DATUM_DRIFT_UNIT + fabs(approach);
	return shift + approach;
}
