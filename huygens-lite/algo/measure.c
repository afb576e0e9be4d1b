// SPDX-License-Identifier: GPL-2.0
/*
 * An edge over many windows.
 */
#include <math.h>

#include "measure.h"

/* An offset that is off by s at random makes a drift off by s sqrt(12) / W. */
#define MEASURE_SQRT12	3.4641016151377544

/* Standard deviations that are allowed for; slopes are searched at least so far. */
#define MEASURE_SIGMAS		4.0
#define MEASURE_LEAST_PPB	20.0

/* A slope is at the end of those that are searched from this part of the way on. */
#define MEASURE_PRESSED		0.98

/* A theta further than that from what is foretold is of a clock that stepped. */
#define MEASURE_STEP_NS		10000.0

/* An edge is as good as its worse end. */
static bool measure_is_fine(const struct measure_clouds *c)
{
	return c->hardware && !c->mixed;
}

static double measure_own_ns(const struct measure_clouds *c)
{
	return measure_is_fine(c) ? MEASURE_SIGMA_HARDWARE_NS : MEASURE_SIGMA_SOFTWARE_NS;
}

/* Does the window bear witness of the least gap? */
static bool measure_is_clean(const struct edge_params *p,
			     const struct measure_clouds *c,
			     const struct edge_fit *fit)
{
	return (!measure_is_fine(c) || fit->noise_ns <= MEASURE_CLOSE_HARDWARE_NS) &&
	       edge_is_clean(p, c->forward, c->backward, fit, MEASURE_NEAR_NS);
}

static double measure_std_ppb(const struct measure *m, int64_t at_ns)
{
	double s = (double)(at_ns - m->theta.line.at_ns) / 1e9;
	double walk = MEASURE_WANDER_PPB * MEASURE_WANDER_PPB * fmax(s, 0);

	return sqrt(m->theta.var_drift + walk);
}

/* Only slopes that may be are searched. */
static struct edge_params measure_params(const struct measure *m,
					 const struct measure_clouds *c)
{
	struct edge_params p = {
		.nu_ppm = c->hardware ? EDGE_NU_HARDWARE_PPM : 0,
		.asymmetry_ns = c->asymmetry_ns,
	};

	if (!m->theta.known)
		return p;
	p.noise_ns = measure_own_ns(c);
	p.slope_ppb = m->theta.line.drift_ppb;
	p.within_ppb = MEASURE_LEAST_PPB +
		       MEASURE_SIGMAS * measure_std_ppb(m, c->at_ns);
	return p;
}

/* Does the line agree with those before? */
static bool measure_agrees(const struct measure *m, const struct edge_fit *fit)
{
	double std_ns, off_ns;

	if (!m->theta.known)
		return true;
	if (fit->verdict != EDGE_VALID || fit->at_ns <= m->theta.line.at_ns)
		return false;
	std_ns = predict_std_ns(&m->theta, fit->at_ns, MEASURE_WANDER_PPB);
	off_ns = fabs((double)(fit->theta_ns - line_at(&m->theta.line, fit->at_ns)));
	return off_ns <= fit->gap_ns / 2 + PREDICT_SIGMAS * std_ns + MEASURE_STEP_NS;
}

static double measure_sigma_ns(const struct measure_clouds *c,
			       const struct edge_fit *fit)
{
	double own = measure_own_ns(c);

	return sqrt(own * own + fit->noise_ns * fit->noise_ns);
}

static struct measure_worth measure_worth(const struct edge_params *p,
					  const struct measure_clouds *c,
					  const struct edge_fit *fit, double room_ns)
{
	double sigma_ns = measure_sigma_ns(c, fit);
	double noise_ppb = sigma_ns * MEASURE_SQRT12 / ((double)c->window_ns / 1e9);
	struct edge_reach reach = edge_reach(p, c->forward, c->backward, fit, room_ns,
					     MEASURE_SIGMAS * sigma_ns);

	return (struct measure_worth){
		.sigma_ns = sigma_ns,
		.sigma_ppb = fmax(noise_ppb, reach.slope_ppb / 2),
		/* What the least gap is made of lies on one way, who knows which. */
		.bias_ns = reach.offset_ns +
			   (c->mixed ? (fit->gap_ns - room_ns) / 2 : 0),
	};
}

/*
 * Where slopes were searched near the one that is known, a drift is as bad as
 * that was wide, so hardly learned of again.
 */
static void measure_learn(struct measure *m, const struct edge_fit *fit,
			  const struct measure_worth *worth)
{
	struct predict_measured measured = {
		.line = { fit->at_ns, fit->theta_ns, fit->drift_ppb },
		.std_ns = sqrt(worth->sigma_ns * worth->sigma_ns +
			       worth->bias_ns * worth->bias_ns),
		.std_ppb = worth->sigma_ppb,
	};

	predict_update(&m->theta, &measured, MEASURE_WANDER_PPB);
}

/*
 * A slope that presses against the end of those that are searched: do the
 * samples by themselves rule out all that are?
 */
static bool measure_is_pressed(const struct gap *gap,
			       const struct edge_params *p,
			       const struct measure_clouds *c,
			       const struct edge_fit *near)
{
	struct edge_params freely = { p->nu_ppm, p->asymmetry_ns, 0, 0, 0 };
	struct edge_reach reach;
	struct edge_fit fit;

	if (!(p->within_ppb > 0) ||
	    fabs(near->drift_ppb - p->slope_ppb) < MEASURE_PRESSED * p->within_ppb)
		return false;
	fit = edge_solve(&freely, c->forward, c->backward, c->at_ns);
	if (fit.verdict != EDGE_VALID)
		return false;
	reach = edge_reach(&freely, c->forward, c->backward, &fit,
			   gap_room_ns(gap, fit.gap_ns, measure_is_fine(c)),
			   MEASURE_SIGMAS * measure_sigma_ns(c, &fit));
	return fabs(fit.slope_ppb - p->slope_ppb) > reach.slope_ppb + p->within_ppb;
}

struct edge_fit measure_edge(struct measure *m, const struct measure_clouds *c,
			     struct measure_worth *worth)
{
	struct edge_params p = measure_params(m, c);
	struct edge_fit fit = edge_solve(&p, c->forward, c->backward, c->at_ns);
	struct measure before = *m;
	double room_ns;

	if (!measure_agrees(m, &fit) || measure_is_pressed(&m->gap, &p, c, &fit)) {
		*m = (struct measure){ 0 };
		p = measure_params(m, c);
		fit = edge_solve(&p, c->forward, c->backward, c->at_ns);
	}
	if (fit.verdict == EDGE_VALID && fabs(fit.drift_ppb) > c->drift_most_ppb)
		fit.verdict = EDGE_DRIFT;
	if (fit.verdict != EDGE_VALID) {
		*m = before;
		return fit;
	}
	gap_note(&m->gap, c->at_ns, fit.gap_ns,
		 measure_is_clean(&p, c, &fit));
	room_ns = gap_room_ns(&m->gap, fit.gap_ns, measure_is_fine(c));
	*worth = measure_worth(&p, c, &fit, room_ns);
	measure_learn(m, &fit, worth);
	return fit;
}
