// SPDX-License-Identifier: GPL-2.0
/*
 * A Kalman filter of offset (ns) and drift (ppb = ns a second).
 */
#include <math.h>

#include "predict.h"

/* Stamps are whole ns, so no offset is better known than this. */
#define PREDICT_LEAST_NS	0.3
#define PREDICT_LEAST_PPB	0.1

/* What a solution may say. */
#define PREDICT_DRIFT_MOST_PPB	1000000.0
#define PREDICT_STD_MOST	1e9

static double predict_seconds(const struct predict *p, int64_t now_ns)
{
	return (double)(now_ns - p->line.at_ns) / 1e9;
}

/* The drift walks at random: in @s seconds by @wander_ppb sqrt(@s). */
static void predict_advance(struct predict *p, int64_t now_ns, double wander_ppb)
{
	double s = predict_seconds(p, now_ns);
	double walk = wander_ppb * wander_ppb * s;
	double moved = p->rest_ns + line_grown(&p->line, now_ns);
	int64_t whole = line_round(moved);

	p->var_offset += 2 * s * p->covar + s * s * p->var_drift +
			 s * s * walk / 3;
	p->covar += s * p->var_drift + s * walk / 2;
	p->var_drift += walk;
	p->line.offset_ns += whole;
	p->rest_ns = moved - (double)whole;
	p->line.at_ns = now_ns;
}

static void predict_offset(struct predict *p, const struct predict_measured *m)
{
	double r = fmax(m->std_ns, PREDICT_LEAST_NS);
	double off = (double)(m->line.offset_ns - p->line.offset_ns) - p->rest_ns;
	double sum = p->var_offset + r * r;
	double gain = p->var_offset / sum;
	double moved = p->rest_ns + gain * off;
	int64_t whole = line_round(moved);

	p->line.offset_ns += whole;
	p->rest_ns = moved - (double)whole;
	p->line.drift_ppb += p->covar / sum * off;
	p->var_drift -= p->covar * p->covar / sum;
	p->covar *= 1 - gain;
	p->var_offset *= 1 - gain;
}

static void predict_drifts(struct predict *p, const struct predict_measured *m)
{
	double r = fmax(m->std_ppb, PREDICT_LEAST_PPB);
	double off = m->line.drift_ppb - p->line.drift_ppb;
	double sum = p->var_drift + r * r;
	double gain = p->var_drift / sum;
	double moved = p->rest_ns + p->covar / sum * off;
	int64_t whole = line_round(moved);

	p->line.offset_ns += whole;
	p->rest_ns = moved - (double)whole;
	p->line.drift_ppb += gain * off;
	p->var_offset -= p->covar * p->covar / sum;
	p->covar *= 1 - gain;
	p->var_drift *= 1 - gain;
}

/* The first window's offset is taken as it is. */
static void predict_begin(struct predict *p, const struct predict_measured *m)
{
	double r = fmax(m->std_ns, PREDICT_LEAST_NS);

	p->known = true;
	p->line.at_ns = m->line.at_ns;
	p->line.offset_ns = m->line.offset_ns;
	p->rest_ns = 0;
	p->var_offset = r * r;
	p->covar = 0;
	if (!(p->var_drift > 0))
		p->var_drift = PREDICT_DRIFT_UNKNOWN_PPB * PREDICT_DRIFT_UNKNOWN_PPB;
}

static bool predict_within(double x, double least, double most)
{
	return x >= least && x <= most;
}

static bool predict_is_sane(const struct predict_measured *m)
{
	const struct line *line = &m->line;

	return line->at_ns <= LINE_MOST_NS && line->at_ns >= -LINE_MOST_NS &&
	       line->offset_ns <= LINE_MOST_NS && line->offset_ns >= -LINE_MOST_NS &&
	       predict_within(line->drift_ppb, -PREDICT_DRIFT_MOST_PPB,
			      PREDICT_DRIFT_MOST_PPB) &&
	       predict_within(m->std_ns, 0, PREDICT_STD_MOST) &&
	       predict_within(m->std_ppb, 0, PREDICT_STD_MOST);
}

void predict_drift(struct predict *p, double drift_ppb, double std_ppb)
{
	p->line.drift_ppb = drift_ppb;
	p->var_drift = std_ppb * std_ppb;
}

bool predict_update(struct predict *p, const struct predict_measured *m,
		    double wander_ppb)
{
	if (!predict_is_sane(m) || (p->known && m->line.at_ns <= p->line.at_ns))
		return false;
	if (p->known) {
		predict_advance(p, m->line.at_ns, wander_ppb);
		predict_offset(p, m);
	} else {
		predict_begin(p, m);
	}
	if (!m->keep_drift)
		predict_drifts(p, m);
	return true;
}

void predict_widen(struct predict *p, double std_ns, double std_ppb)
{
	if (!p->known)
		return;
	p->var_offset += std_ns * std_ns;
	p->var_drift += std_ppb * std_ppb;
}

void predict_forget(struct predict *p)
{
	p->known = false;
}

double predict_std_ns(const struct predict *p, int64_t now_ns, double wander_ppb)
{
	struct predict then = *p;

	if (!p->known)
		return 0;
	predict_advance(&then, now_ns, wander_ppb);
	return sqrt(fmax(then.var_offset, 0));
}

double predict_bound_ns(const struct predict *p, double std_ns, double bias_ns,
			double known_ns)
{
	double own = sqrt(fmax(p->var_offset, 0));

	return fmin(predict_window_ns(fmax(own, std_ns), bias_ns), known_ns);
}
