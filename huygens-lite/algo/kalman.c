// SPDX-License-Identifier: GPL-2.0
/*
 * A Kalman filter of offset (ns), drift (ppb = ns a second) and ramp (ppb a second).
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

/**
 * struct kalman_step - what becomes of the states in a time
 * @s: the time, s
 * @offset_ramp: the offset has grown by so much of the ramp, s^2
 * @drift_ramp: the drift by so much, s
 * @keep: share of the ramp that is left
 *
 * A ramp decays, since another follows: exactly exp(-s / ramp_s), of which this is the
 * approximation that is exact for short times and needs no exp(), which machines compute
 * differently.
 */
struct kalman_step {
	double s;
	double offset_ramp;
	double drift_ramp;
	double keep;
};

static struct kalman_step kalman_step(const struct kalman *p, int64_t now_ns,
				      const struct kalman_clock *clock)
{
	double s = kalman_seconds(p, now_ns);
	double ramps = s / clock->ramp_s;

	return (struct kalman_step){
		.s = s,
		.offset_ramp = s * s / 2 / (1 + ramps / 3),
		.drift_ramp = s / (1 + ramps / 2),
		.keep = 1 / (1 + ramps),
	};
}

static void kalman_shift(struct kalman *p, double ns)
{
	double moved = p->fraction_ns + ns;
	int64_t whole = line_round(moved);

	p->line.offset_ns += whole;
	p->fraction_ns = moved - (double)whole;
}

/* var = F var F', where F is 1, s, offset_ramp; 0, 1, drift_ramp; 0, 0, keep. */
static void kalman_spread(struct kalman *p, const struct kalman_step *step)
{
	const double f[KALMAN_STATES][KALMAN_STATES] = {
		{ 1, step->s, step->offset_ramp },
		{ 0, 1, step->drift_ramp },
		{ 0, 0, step->keep },
	};
	double half[KALMAN_STATES][KALMAN_STATES] = { 0 };
	int i, j, k;

	for (i = 0; i < KALMAN_STATES; i++)
		for (j = 0; j < KALMAN_STATES; j++)
			for (k = i; k < KALMAN_STATES; k++)
				half[i][j] += f[i][k] * p->var[k][j];
	for (i = 0; i < KALMAN_STATES; i++) {
		for (j = 0; j < KALMAN_STATES; j++) {
			p->var[i][j] = 0;
			for (k = j; k < KALMAN_STATES; k++)
				p->var[i][j] += half[i][k] * f[j][k];
		}
	}
}

static void kalman_add(struct kalman *p, enum kalman_state i, enum kalman_state j, double var)
{
	p->var[i][j] += var;
	if (i != j)
		p->var[j][i] += var;
}

/*
 * The drift walks at random, and so does the ramp, but for its decay: the spread of a ramp
 * that is not measured ends at @ramp_ppb.
 */
static void kalman_walk(struct kalman *p, const struct kalman_step *step,
			const struct kalman_clock *clock)
{
	double s = step->s;
	double walk = clock->walk_ppb * clock->walk_ppb * s;
	double ramp = clock->ramp_ppb * clock->ramp_ppb;
	double turn = 2 * ramp * fmin(s / clock->ramp_s, 1);

	kalman_add(p, KALMAN_OFFSET, KALMAN_OFFSET, s * s * (walk / 3 + s * s * turn / 20));
	kalman_add(p, KALMAN_OFFSET, KALMAN_DRIFT, s * (walk / 2 + s * s * turn / 8));
	kalman_add(p, KALMAN_OFFSET, KALMAN_RAMP, s * s * turn / 6);
	kalman_add(p, KALMAN_DRIFT, KALMAN_DRIFT, walk + s * s * turn / 3);
	kalman_add(p, KALMAN_DRIFT, KALMAN_RAMP, s * turn / 2);
	kalman_add(p, KALMAN_RAMP, KALMAN_RAMP, ramp * (1 - step->keep * step->keep));
}

static void kalman_advance(struct kalman *p, int64_t now_ns, const struct kalman_clock *clock)
{
	struct kalman_step step = kalman_step(p, now_ns, clock);

	kalman_shift(p, line_grown(&p->line, now_ns) + step.offset_ramp * p->ramp_ppb);
	p->line.drift_ppb += step.drift_ramp * p->ramp_ppb;
	p->ramp_ppb *= step.keep;
	p->line.at_ns = now_ns;
	kalman_spread(p, &step);
	kalman_walk(p, &step, clock);
}

/* A state was measured: by @off more than it was predicted. */
static void kalman_correct(struct kalman *p, enum kalman_state state, double off, double std)
{
	double sum = p->var[state][state] + std * std;
	double gain[KALMAN_STATES], row[KALMAN_STATES];
	int i, j;

	for (i = 0; i < KALMAN_STATES; i++) {
		gain[i] = p->var[i][state] / sum;
		row[i] = p->var[state][i];
	}
	kalman_shift(p, gain[KALMAN_OFFSET] * off);
	p->line.drift_ppb += gain[KALMAN_DRIFT] * off;
	p->ramp_ppb += gain[KALMAN_RAMP] * off;
	for (i = 0; i < KALMAN_STATES; i++)
		for (j = 0; j < KALMAN_STATES; j++)
			p->var[i][j] -= gain[i] * row[j];
}

/* The first window's offset is taken as it is; a drift and a ramp may be known from before. */
static void kalman_begin(struct kalman *p, const struct kalman_measurement *m,
			 const struct kalman_clock *clock)
{
	double r = fmax(m->std_ns, KALMAN_LEAST_NS);

	p->known = true;
	p->line.at_ns = m->line.at_ns;
	p->line.offset_ns = m->line.offset_ns;
	p->fraction_ns = 0;
	p->var[KALMAN_OFFSET][KALMAN_OFFSET] = r * r;
	p->var[KALMAN_OFFSET][KALMAN_DRIFT] = 0;
	p->var[KALMAN_DRIFT][KALMAN_OFFSET] = 0;
	p->var[KALMAN_OFFSET][KALMAN_RAMP] = 0;
	p->var[KALMAN_RAMP][KALMAN_OFFSET] = 0;
	if (!(p->var[KALMAN_DRIFT][KALMAN_DRIFT] > 0))
		p->var[KALMAN_DRIFT][KALMAN_DRIFT] =
			KALMAN_DRIFT_UNKNOWN_PPB * KALMAN_DRIFT_UNKNOWN_PPB;
	if (!(p->var[KALMAN_RAMP][KALMAN_RAMP] > 0))
		p->var[KALMAN_RAMP][KALMAN_RAMP] = clock->ramp_ppb * clock->ramp_ppb;
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
	p->var[KALMAN_DRIFT][KALMAN_DRIFT] = std_ppb * std_ppb;
}

bool kalman_update(struct kalman *p, const struct kalman_measurement *m,
		   const struct kalman_clock *clock)
{
	double off_ns;

	if (!kalman_is_sane(m) || (p->known && m->line.at_ns <= p->line.at_ns))
		return false;
	if (p->known) {
		kalman_advance(p, m->line.at_ns, clock);
		off_ns = (double)(m->line.offset_ns - p->line.offset_ns) - p->fraction_ns;
		kalman_correct(p, KALMAN_OFFSET, off_ns, fmax(m->std_ns, KALMAN_LEAST_NS));
	} else {
		kalman_begin(p, m, clock);
	}
	if (!m->keep_drift)
		kalman_correct(p, KALMAN_DRIFT, m->line.drift_ppb - p->line.drift_ppb,
			       fmax(m->std_ppb, KALMAN_LEAST_PPB));
	return true;
}

void kalman_widen(struct kalman *p, double std_ns, double std_ppb)
{
	if (!p->known)
		return;
	kalman_add(p, KALMAN_OFFSET, KALMAN_OFFSET, std_ns * std_ns);
	kalman_add(p, KALMAN_DRIFT, KALMAN_DRIFT, std_ppb * std_ppb);
}

void kalman_forget(struct kalman *p)
{
	p->known = false;
}

struct kalman kalman_at(const struct kalman *p, int64_t now_ns,
			const struct kalman_clock *clock)
{
	struct kalman then = *p;

	if (now_ns > p->line.at_ns)
		kalman_advance(&then, now_ns, clock);
	return then;
}

struct line kalman_tangent(const struct kalman *p, int64_t now_ns,
			   const struct kalman_clock *clock)
{
	struct line line = kalman_at(p, now_ns, clock).line;

	line.offset_ns = line_at(&line, p->line.at_ns);
	line.at_ns = p->line.at_ns;
	return line;
}

double kalman_std_ns(const struct kalman *p)
{
	return p->known ? sqrt(fmax(p->var[KALMAN_OFFSET][KALMAN_OFFSET], 0)) : 0;
}

double kalman_drift_std_ppb(const struct kalman *p)
{
	return sqrt(fmax(p->var[KALMAN_DRIFT][KALMAN_DRIFT], 0));
}

double kalman_bound_ns(const struct kalman *p, double std_ns, double bias_ns,
		       double known_ns)
{
	return fmin(kalman_window_ns(fmax(kalman_std_ns(p), std_ns), bias_ns), known_ns);
}
