// SPDX-License-Identifier: GPL-2.0
/*
 * A Kalman filter of offset (ns) and drift (ppb = ns a second).
 */
#include <math.h>

#include "kalman.h"

/* Stamps are whole ns, so no offset is better known than this. */
#define KALMAN_LEAST_NS	0.3
#define KALMAN_LEAST_PPB	0.1

/* Limits of a solution. */
#define KALMAN_DRIFT_MOST_PPB	1000000.0
#define KALMAN_STD_MOST	1e9

static double kalman_seconds(const struct kalman *p, int64_t now_ns)
{
	return (double)(now_ns - p->line.at_ns) / 1e9;
}

/* The drift walks at random: in @s seconds by @wander_ppb sqrt(@s). */
static void kalman_advance(struct kalman *p, int64_t now_ns, double wander_ppb)
{
	double s = kalman_seconds(p, now_ns);
	double walk = wander_ppb * wander_ppb * s;
	double moved = p->fraction_ns + line_grown(&p->line, now_ns);
	int64_t whole = line_round(moved);

	p->var_offset += 2 * s * p->covar + s * s * p->var_drift +
			 s * s * walk / 3;
	p->covar += s * p->var_drift + s * walk / 2;
	p->var_drift += walk;
	p->line.offset_ns += whole;
	p->fraction_ns = moved - (double)whole;
	p->line.at_ns = now_ns;
}

static void kalman_offset(struct kalman *p, const struct kalman_measurement *m)
{
	double r = fmax(m->std_ns, KALMAN_LEAST_NS);
	double off = (double)(m->line.offset_ns - p->line.offset_ns) - p->fraction_ns;
	double sum = p->var_offset + r * r;
	double gain = p->var_offset / sum;
	double moved = p->fraction_ns + gain * off;
	int64_t whole = line_round(moved);

	p->line.offset_ns += whole;
	p->fraction_ns = moved - (double)whole;
	p->line.drift_ppb += p->covar / sum * off;
	p->var_drift -= p->covar * p->covar / sum;
	p->covar *= 1 - gain;
	p->var_offset *= 1 - gain;
}

static void kalman_drifts(struct kalman *p, const struct kalman_measurement *m)
{
	double r = fmax(m->std_ppb, KALMAN_LEAST_PPB);
	double off = m->line.drift_ppb - p->line.drift_ppb;
	double sum = p->var_drift + r * r;
	double gain = p->var_drift / sum;
	double moved = p->fraction_ns + p->covar / sum * off;
	int64_t whole = line_round(moved);

	p->line.offset_ns += whole;
	p->fraction_ns = moved - (double)whole;
	p->line.drift_ppb += gain * off;
	p->var_offset -= p->covar * p->covar / sum;
	p->covar *= 1 - gain;
	p->var_drift *= 1 - gain;
}

/* The first window's offset is taken as it is. */
static void kalman_begin(struct kalman *p, const struct kalman_measurement *m)
{
	double r = fmax(m->std_ns, KALMAN_LEAST_NS);

	p->known = true;
	p->line.at_ns = m->line.at_ns;
	p->line.offset_ns = m->line.offset_ns;
	p->fraction_ns = 0;
	p->var_offset = r * r;
	p->covar = 0;
	if (!(p->var_drift > 0))
		p->var_drift = KALMAN_DRIFT_UNKNOWN_PPB * KALMAN_DRIFT_UNKNOWN_PPB;
}

static bool kalman_within(double x, double least, double most)
{
	return x >= least && x <= most;
}

static bool kalman_is_sane(const struct kalman_measurement *m)
{
	const struct line *line = &m->line;

	return line->at_ns <= LINE_MOST_NS && line->at_ns >= -LINE_MOST_NS &&
	       line->offset_ns <= LINE_MOST_NS && line->offset_ns >= -LINE_MOST_NS &&
	       kalman_within(line->drift_ppb, -KALMAN_DRIFT_MOST_PPB,
			     KALMAN_DRIFT_MOST_PPB) &&
	       kalman_within(m->std_ns, 0, KALMAN_STD_MOST) &&
	       kalman_within(m->std_ppb, 0, KALMAN_STD_MOST);
}

void kalman_drift(struct kalman *p, double drift_ppb, double std_ppb)
{
	p->line.drift_ppb = drift_ppb;
	p->var_drift = std_ppb * std_ppb;
}

bool kalman_update(struct kalman *p, const struct kalman_measurement *m,
		   double wander_ppb)
{
	if (!kalman_is_sane(m) || (p->known && m->line.at_ns <= p->line.at_ns))
		return false;
	if (p->known) {
		kalman_advance(p, m->line.at_ns, wander_ppb);
		kalman_offset(p, m);
	} else {
		kalman_begin(p, m);
	}
	if (!m->keep_drift)
		kalman_drifts(p, m);
	return true;
}

void kalman_widen(struct kalman *p, double std_ns, double std_ppb)
{
	if (!p->known)
		return;
	p->var_offset += std_ns * std_ns;
	p->var_drift += std_ppb * std_ppb;
}

void kalman_forget(struct kalman *p)
{
	p->known = false;
}

double kalman_std_ns(const struct kalman *p, int64_t now_ns, double wander_ppb)
{
	struct kalman then = *p;

	if (!p->known)
		return 0;
	kalman_advance(&then, now_ns, wander_ppb);
	return sqrt(fmax(then.var_offset, 0));
}

double kalman_bound_ns(const struct kalman *p, double std_ns, double bias_ns,
		       double known_ns)
{
	double own = sqrt(fmax(p->var_offset, 0));

	return fmin(kalman_window_ns(fmax(own, std_ns), bias_ns), known_ns);
}
