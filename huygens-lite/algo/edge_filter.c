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

/* Unions that are tried: of so many windows. */
#define EDGE_FILTER_UNIONS	6

static const uint32_t edge_filter_unions[EDGE_FILTER_UNIONS] = {
	1, 2, 3, 5, 8, EDGE_HISTORY_WINDOWS,
};

/* A theta further than that from what is predicted is of a clock that stepped. */
#define EDGE_FILTER_STEP_NS		10000.0

/**
 * struct edge_filter_line - the line of a union of windows
 * @windows: how many; 1: the newest alone
 * @forward: their envelope
 * @backward: same
 * @window: the union as one window, which is as long as all of them
 * @fit: the line
 * @curved_ns: by how much clocks that ramp may leave it
 * @turned_ppb: by how much their drift may differ from its slope at the newest window
 * @error: what it is worth by itself
 */
struct edge_filter_line {
	uint32_t windows;
	struct envelope forward;
	struct envelope backward;
	struct edge_filter_window window;
	struct edge_fit fit;
	double curved_ns;
	double turned_ppb;
	struct edge_filter_error error;
};

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

/* Only slopes that may be are searched. */
static struct edge_params edge_filter_params(const struct kalman *theta,
					     const struct edge_filter_window *c)
{
	struct edge_params p = {
		.nu_ppm = c->hardware ? EDGE_NU_HARDWARE_PPM : 0,
		.asymmetry_ns = c->asymmetry_ns,
	};
	struct kalman now;

	if (!theta->known)
		return p;
	now = kalman_at(theta, c->at_ns, &EDGE_FILTER_CLOCKS);
	p.noise_ns = edge_filter_own_ns(c);
	p.slope_ppb = now.line.drift_ppb;
	p.within_ppb = EDGE_FILTER_LEAST_PPB + EDGE_FILTER_SIGMAS * kalman_drift_std_ppb(&now);
	return p;
}

/* Does the line agree with those before? */
static bool edge_filter_agrees(const struct edge_filter *m, const struct edge_fit *fit)
{
	struct kalman now;
	double off_ns;

	if (!m->theta.known)
		return true;
	if (fit->verdict != EDGE_VALID || fit->at_ns <= m->theta.line.at_ns)
		return false;
	now = kalman_at(&m->theta, fit->at_ns, &EDGE_FILTER_CLOCKS);
	off_ns = fabs((double)(fit->theta_ns - now.line.offset_ns));
	return off_ns <= fit->delay_sum_ns / 2 + KALMAN_SIGMAS * kalman_std_ns(&now) +
			 EDGE_FILTER_STEP_NS;
}

static double edge_filter_sigma_ns(const struct edge_filter_window *c,
				   const struct edge_fit *fit)
{
	double own = edge_filter_own_ns(c);

	return sqrt(own * own + fit->noise_ns * fit->noise_ns);
}

/* The error of a line, given the least delay sum seen so far. */
static struct edge_filter_error edge_filter_error(const struct edge_filter *m,
						  const struct edge_filter_line *line)
{
	const struct edge_filter_window *c = &line->window;
	struct edge_params p = edge_filter_params(&m->theta, c);
	double excess_ns = delay_sum_excess_ns(&m->delay_sum, line->fit.delay_sum_ns,
					       edge_filter_is_fine(c));
	double sigma_ns = edge_filter_sigma_ns(c, &line->fit);
	double noise_ppb = sigma_ns * EDGE_FILTER_SQRT12 / ((double)c->window_ns / 1e9);
	struct edge_reach reach = edge_reach(&p, c->forward, c->backward, &line->fit, excess_ns,
					     EDGE_FILTER_SIGMAS * sigma_ns);

	return (struct edge_filter_error){
		.windows = line->windows,
		.sigma_ns = sigma_ns,
		.sigma_ppb = fmax(noise_ppb, reach.slope_ppb / 2) + line->turned_ppb,
		/* The least delay sum may lie on either way; which one is unknown. */
		.bias_ns = reach.offset_ns + line->curved_ns +
			   (c->mixed ? (line->fit.delay_sum_ns - excess_ns) / 2 : 0),
	};
}

/*
 * Where slopes were searched near the one that is known, a drift is as bad as
 * that was wide, so hardly learned of again.
 */
static void edge_filter_learn(struct edge_filter *m, const struct edge_filter_line *line)
{
	const struct edge_filter_error *error = &line->error;
	struct kalman_measurement measured = {
		.line = { line->fit.at_ns, line->fit.theta_ns, line->fit.drift_ppb },
		.std_ns = sqrt((error->sigma_ns * error->sigma_ns +
				error->bias_ns * error->bias_ns) * line->windows),
		.std_ppb = error->sigma_ppb * sqrt(line->windows),
	};

	kalman_update(&m->theta, &measured, &EDGE_FILTER_CLOCKS);
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

/* The line of the window alone; @anew: it contradicts all that is known. */
static struct edge_fit edge_filter_alone(const struct edge_filter *m,
					 const struct edge_filter_window *c, bool *anew)
{
	static const struct kalman nothing;
	struct edge_params p = edge_filter_params(&m->theta, c);
	struct edge_fit fit = edge_solve(&p, c->forward, c->backward, c->at_ns);

	*anew = !edge_filter_agrees(m, &fit) ||
		edge_filter_is_pressed(&m->delay_sum, &p, c, &fit);
	if (*anew) {
		p = edge_filter_params(&nothing, c);
		fit = edge_solve(&p, c->forward, c->backward, c->at_ns);
	}
	if (fit.verdict == EDGE_VALID && fabs(fit.drift_ppb) > c->drift_most_ppb)
		fit.verdict = EDGE_DRIFT;
	return fit;
}

/*
 * A union of more windows than @fewer.  The more stamps of a NIC there are, the more of them lie
 * beyond the truth, so those of a union are taken for software's.
 */
static void edge_filter_join(const struct edge_filter *m, const struct edge_filter_window *c,
			     const struct edge_filter_line *fewer, struct edge_filter_line *line)
{
	int64_t oldest_ns = edge_history_window(&m->history, line->windows - 1)->at_ns;
	double longer_s = (double)(c->at_ns - oldest_ns) / 1e9;
	double s = (double)c->window_ns / 1e9;

	line->forward = fewer->forward;
	line->backward = fewer->backward;
	edge_history_join(&m->history, fewer->windows, line->windows, &line->forward,
			  &line->backward);
	line->window = *c;
	line->window.forward = &line->forward;
	line->window.backward = &line->backward;
	line->window.window_ns = c->window_ns + (c->at_ns - oldest_ns);
	line->window.hardware = false;
	line->curved_ns = EDGE_FILTER_RAMP_PPB * longer_s * (longer_s + 2 * s) / 8;
	line->turned_ppb = EDGE_FILTER_RAMP_PPB * longer_s / 2;
}

/* Is there a line of the union? */
static bool edge_filter_fits(const struct edge_filter *m, struct edge_filter_line *line)
{
	const struct edge_filter_window *c = &line->window;
	struct edge_params p = edge_filter_params(&m->theta, c);

	line->fit = edge_solve(&p, c->forward, c->backward, c->at_ns);
	if (line->fit.verdict != EDGE_VALID || fabs(line->fit.drift_ppb) > c->drift_most_ppb)
		return false;
	line->error = edge_filter_error(m, line);
	return true;
}

static double edge_filter_total_ns(const struct edge_filter_line *line)
{
	return line->error.bias_ns + line->error.sigma_ns;
}

/* The index of the best line; @line[0], of the newest window, is there. */
static uint32_t edge_filter_choose(const struct edge_filter *m,
				   const struct edge_filter_window *c,
				   struct edge_filter_line *line)
{
	uint32_t windows = edge_history_within(&m->history,
					       EDGE_HISTORY_WINDOWS * c->window_ns);
	uint32_t best = 0, n;

	for (n = 1; n < EDGE_FILTER_UNIONS && edge_filter_unions[n] <= windows; n++) {
		line[n].windows = edge_filter_unions[n];
		edge_filter_join(m, c, &line[n - 1], &line[n]);
		if (line[n].curved_ns >= edge_filter_total_ns(&line[best]))
			break;
		if (edge_filter_fits(m, &line[n]) &&
		    edge_filter_total_ns(&line[n]) < edge_filter_total_ns(&line[best]))
			best = n;
	}
	return best;
}

/* Did samples of a direction find no queue?  The floor's are compared with their own window's. */
static bool edge_filter_has_floor(const struct edge_filter *m, const struct edge_filter_line *line,
				  bool backward)
{
	struct edge_params p = edge_filter_params(&m->theta, &line->window);
	struct edge_floor least = { .ns = INFINITY };
	uint32_t ago;

	for (ago = 0; ago < line->windows; ago++) {
		const struct edge_history_window *w = edge_history_window(&m->history, ago);
		struct edge_floor floor = edge_floor(&p, backward ? &w->backward : &w->forward,
						     backward, &line->fit, EDGE_FILTER_NEAR_NS);

		if (floor.ns < least.ns)
			least = floor;
	}
	return least.dense;
}

/* Is the line an independent observation of the least delay sum?  Each window counts once. */
static bool edge_filter_is_observation(struct edge_filter *m, const struct edge_filter_line *line)
{
	m->since++;
	if (m->since < line->windows ||
	    (edge_filter_is_fine(&line->window) &&
	     line->fit.noise_ns > EDGE_FILTER_CLOSE_HARDWARE_NS) ||
	    !edge_filter_has_floor(m, line, false) || !edge_filter_has_floor(m, line, true))
		return false;
	m->since = 0;
	return true;
}

struct edge_fit edge_filter_update(struct edge_filter *m, const struct edge_filter_window *c,
				   struct edge_filter_error *worth)
{
	struct edge_filter_line line[EDGE_FILTER_UNIONS], *best;
	bool anew;

	line[0] = (struct edge_filter_line){ .windows = 1, .window = *c };
	line[0].fit = edge_filter_alone(m, c, &anew);
	if (line[0].fit.verdict != EDGE_VALID)
		return line[0].fit;
	if (anew)
		*m = (struct edge_filter){ 0 };
	edge_history_add(&m->history, c->forward, c->backward, c->at_ns);
	line[0].forward = *c->forward;
	line[0].backward = *c->backward;
	line[0].error = edge_filter_error(m, &line[0]);
	best = &line[edge_filter_choose(m, c, line)];
	delay_sum_note(&m->delay_sum, c->at_ns, best->fit.delay_sum_ns,
		       edge_filter_is_observation(m, best));
	best->error = edge_filter_error(m, best);
	edge_filter_learn(m, best);
	*worth = best->error;
	worth->sigma_ns *= sqrt(best->windows);
	worth->sigma_ppb *= sqrt(best->windows);
	return best->fit;
}
