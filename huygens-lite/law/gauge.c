// SPDX-License-Identifier: GPL-2.0
/*
 * The free constants of offsets and drifts.
 */
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

static bool gauge_is_known(const struct gauge *g, const bool *reached, uint32_t h)
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

/* Medians: a clock that was stepped unnoticed must not pull all others. */
int64_t gauge_offset_ns(const struct gauge *g, uint32_t hosts,
			const bool *reached, const struct line *line,
			int64_t *scratch)
{
	const struct line *wanted = gauge_wanted(g, hosts, reached);
	int64_t shift, miss;
	uint32_t n = 0;
	uint32_t h;

	miss = wanted ? gauge_miss_ns(wanted, &line[g->host]) :
			gauge_mean_ns(hosts, reached, line);
	for (h = 0; h < hosts; h++) {
		if (gauge_is_known(g, reached, h))
			scratch[n++] = gauge_miss_ns(&g->prior[h].line, &line[h]);
	}
	if (!n)
		return miss;
	sort_ns(scratch, n);
	shift = scratch[n / 2];
	if (wanted)
		shift += gauge_limited(miss - shift,
				       line_round(g->follow_ppb * g->window_ns / 1e9));
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
		       const bool *reached, const struct line *line,
		       double *scratch)
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
			scratch[n++] = g->prior[h].line.drift_ppb -
				       line[h].drift_ppb;
	}
	if (!n)
		return miss;
	sort_numbers(scratch, n);
	shift = scratch[n / 2];
	return shift + gauge_limited_ppb(miss - shift, most);
}
