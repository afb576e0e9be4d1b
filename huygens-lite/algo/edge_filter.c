// SPDX-License-Identifier: GPL-2.0
/*
 * An edge over many windows.
 */
#include <math.h>

#include "edge_filter.h"

/* An offset that is off by s at random makes a drift off by s sqrt(12) / W. */
#define EDGE_FILTER_SQRT12	3.4641016151377544

/* Standard deviations that are allowed for; slopes are searched at least so far. */
#define EDGE_FILTER_SIGMAS		4.0
#define EDGE_FILTER_LEAST_PPB	20.0

/* A slope is at the end of those that are searched from this part of the way on. */
#define EDGE_FILTER_PRESSED		0.98

/* A theta further than that from what is predicted is of a clock that stepped. */
#define EDGE_FILTER_STEP_NS		10000.0

/* An edge is as good as its worse end. */
static bool edge_filter_is_fine(const struct edge_filter_window *c)
{
	return c->hardware && !c->mixed;
}

static double edge_filter_own_ns(const struct edge_filter_window *c)
{
	return edge_filter_is_fine(c) ? EDGE_FILTER_SIGMA_HARDWARE_NS :
					EDGE_FILTER_SIGMA_SOFTWARE_NS;
}

/* Does the window show the least delay sum? */
static bool edge_filter_is_clean(const struct edge_params *p,
				 const struct edge_filter_window *c,
				 const struct edge_fit *fit)
{
	return (!edge_filter_is_fine(c) || fit->noise_ns <= EDGE_FILTER_CLOSE_HARDWARE_NS) &&
	       edge_is_clean(p, c->forward, c->backward, fit, EDGE_FILTER_NEAR_NS);
}

static double edge_filter_std_ppb(const struct edge_filter *m, int64_t at_ns)
{
	double s = (double)(at_ns - m->theta.line.at_ns) / 1e9;
	double walk = EDGE_FILTER_WANDER_PPB * EDGE_FILTER_WANDER_PPB * fmax(s, 0);

	return sqrt(m->theta.var_drift + walk);
}

/* Only slopes that may be are searched. */
static struct edge_params edge_filter_params(const struct edge_filter *m,
					     const struct edge_filter_window *c)
{
	struct edge_params p = {
		.nu_ppm = c->hardware ? EDGE_NU_HARDWARE_PPM : 0,
		.asymmetry_ns = c->asymmetry_ns,
	};

	if (!m->theta.known)
		return p;
	p.noise_ns = edge_filter_own_ns(c);
	p.slope_ppb = m->theta.line.drift_ppb;
	p.within_ppb = EDGE_FILTER_LEAST_PPB +
		       EDGE_FILTER_SIGMAS * edge_filter_std_ppb(m, c->at_ns);
	return p;
}

/* Does the line agree with those before? */
static bool edge_filter_agrees(const struct edge_filter *m, const struct edge_fit *fit)
{
	double std_ns, off_ns;

	if (!m->theta.known)
		return true;
	if (fit->verdict != EDGE_VALID || fit->at_ns <= m->theta.line.at_ns)
		return false;
	std_ns = kalman_std_ns(&m->theta, fit->at_ns, EDGE_FILTER_WANDER_PPB);
	off_ns = fabs((double)(fit->theta_ns - line_at(&m->theta.line, fit->at_ns)));
	return off_ns <= fit->delay_sum_ns / 2 + KALMAN_SIGMAS * std_ns + EDGE_FILTER_STEP_NS;
}

static double edge_filter_sigma_ns(const struct edge_filter_window *c,
				   const struct edge_fit *fit)
{
	double own = edge_filter_own_ns(c);

	return sqrt(own * own + fit->noise_ns * fit->noise_ns);
}

static struct edge_filter_error edge_filter_error(const struct edge_params *p,
						  const struct edge_filter_window *c,
						  const struct edge_fit *fit, double excess_ns)
{
	double sigma_ns = edge_filter_sigma_ns(c, fit);
	double noise_ppb = sigma_ns * EDGE_FILTER_SQRT12 / ((double)c->window_ns / 1e9);
	struct edge_reach reach = edge_reach(p, c->forward, c->backward, fit, excess_ns,
					     EDGE_FILTER_SIGMAS * sigma_ns);

	return (struct edge_filter_error){
		.sigma_ns = sigma_ns,
		.sigma_ppb = fmax(noise_ppb, reach.slope_ppb / 2),
		/* The least delay sum may lie on either way; which one is unknown. */
		.bias_ns = reach.offset_ns +
			   (c->mixed ? (fit->delay_sum_ns - excess_ns) / 2 : 0),
	};
}

/*
 * Where slopes were searched near the one that is known, a drift is as bad as
 * that was wide, so hardly learned of again.
 */
static void edge_filter_learn(struct edge_filter *m, const struct edge_fit *fit,
			      const struct edge_filter_error *worth)
{
	struct kalman_measurement measured = {
		.line = { fit->at_ns, fit->theta_ns, fit->drift_ppb },
		.std_ns = sqrt(worth->sigma_ns * worth->sigma_ns +
			       worth->bias_ns * worth->bias_ns),
		.std_ppb = worth->sigma_ppb,
	};

	kalman_update(&m->theta, &measured, EDGE_FILTER_WANDER_PPB);
}

/*
 * A slope that presses against the end of those that are searched: do the
 * samples by themselves rule out all that are?
 */
static bool edge_filter_is_pressed(const struct delay_sum *delay_sum,
				   const struct edge_params *p,
				   const struct edge_filter_window *c,
				   const struct edge_fit *near)
{
	struct edge_params freely = { p->nu_ppm, p->asymmetry_ns, 0, 0, 0 };
	struct edge_reach reach;
	struct edge_fit fit;

	if (!(p->within_ppb > 0) ||
	    fabs(near->drift_ppb - p->slope_ppb) < EDGE_FILTER_PRESSED * p->within_ppb)
		return false;
	fit = edge_solve(&freely, c->forward, c->backward, c->at_ns);
	if (fit.verdict != EDGE_VALID)
		return false;
	reach = edge_reach(&freely, c->forward, c->backward, &fit,
			   delay_sum_excess_ns(delay_sum, fit.delay_sum_ns, edge_filter_is_fine(c)),
			   EDGE_FILTER_SIGMAS * edge_filter_sigma_ns(c, &fit));
	return fabs(fit.slope_ppb - p->slope_ppb) > reach.slope_ppb + p->within_ppb;
}

struct edge_fit edge_filter_update(struct edge_filter *m, const struct edge_filter_window *c,
				   struct edge_filter_error *worth)
{
	struct edge_params p = edge_filter_params(m, c);
	struct edge_fit fit = edge_solve(&p, c->forward, c->backward, c->at_ns);
	struct edge_filter before = *m;
	double excess_ns;

	if (!edge_filter_agrees(m, &fit) || edge_filter_is_pressed(&m->delay_sum, &p, c, &fit)) {
		*m = (struct edge_filter){ 0 };
		p = edge_filter_params(m, c);
		fit = edge_solve(&p, c->forward, c->backward, c->at_ns);
	}
	if (fit.verdict == EDGE_VALID && fabs(fit.drift_ppb) > c->drift_most_ppb)
		fit.verdict = EDGE_DRIFT;
	if (fit.verdict != EDGE_VALID) {
		*m = before;
		return fit;
	}
	delay_sum_note(&m->delay_sum, c->at_ns, fit.delay_sum_ns,
		       edge_filter_is_clean(&p, c, &fit));
	excess_ns = delay_sum_excess_ns(&m->delay_sum, fit.delay_sum_ns, edge_filter_is_fine(c));
	*worth = edge_filter_error(&p, c, &fit, excess_ns);
	edge_filter_learn(m, &fit, worth);
	return fit;
}
