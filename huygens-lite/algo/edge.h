/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The line of greatest margin between the two envelopes of an edge: the
 * difference of two clocks and its drift (Geng et al. 2018, the support vector
 * machine; our method is exact, since there are but two parameters).
 *
 * For a slope beta the forward envelope's residuals are delay - beta t and the
 * backward envelope's delay + beta t.  The margin is half the sum of the means
 * over the lowest ceil(nu n) of each, of the lowest alone if nu is 0; it is
 * concave in beta, and bisection on its derivative finds the top.  So no slope
 * of an earlier window is needed; where one is known, only slopes near it are
 * searched, since the clean samples of a window under load may be too few, or
 * too near to each other in time, to tell one.
 *
 * nu is 0 for software stamps: their Tx is before the wire and their Rx after
 * it, so no sample can lie beyond the truth.  A NIC's can, by some ns.
 */
#ifndef HUYGENS_EDGE_H
#define HUYGENS_EDGE_H

#include "direction.h"

#define EDGE_NU_HARDWARE_PPM	10000

/* Slopes that are searched, and those that are accepted. */
#define EDGE_SEARCH_PPB		1000000.0
#define EDGE_DRIFT_MOST_PPB	300000.0

/* Samples that a direction needs. */
#define EDGE_SAMPLES_LEAST	20

/**
 * enum edge_verdict - what came out
 * @EDGE_VALID: a line
 * @EDGE_FEW_FORWARD: less than EDGE_SAMPLES_LEAST from the owner
 * @EDGE_FEW_BACKWARD: less to the owner
 * @EDGE_FAR: times are not within a day of the middle, or delays of each other
 * @EDGE_CROSSED: the envelopes overlap: no line parts them, a clock was stepped
 * @EDGE_DRIFT: the drift is beyond EDGE_DRIFT_MOST_PPB or at the end of the
 *	search
 */
enum edge_verdict {
	EDGE_VALID,
	EDGE_FEW_FORWARD,
	EDGE_FEW_BACKWARD,
	EDGE_FAR,
	EDGE_CROSSED,
	EDGE_DRIFT,
};

/**
 * struct edge_params - how to fit
 * @nu_ppm: part of the samples that may lie beyond the line, 0 to 500,000
 * @asymmetry_ns: known delay forward - delay backward; half is taken off
 * @slope_ppb: middle of the slopes that are searched
 * @within_ppb: how far from it they are; 0: all within EDGE_SEARCH_PPB of 0
 * @noise_ns: margins that differ by less are as good, and the one of the slope
 *	nearest to @slope_ppb is taken; not if @within_ppb is 0
 */
struct edge_params {
	uint32_t nu_ppm;
	int64_t asymmetry_ns;
	double slope_ppb;
	double within_ppb;
	double noise_ns;
};

/**
 * struct edge_fit - the line, and how good it is
 * @verdict: the rest is 0 unless EDGE_VALID
 * @at_ns: middle, in the owner's local time, as configured
 * @theta_ns: clock of the other - clock of the owner, then
 * @drift_ppb: how fast that grows, as these samples alone tell
 * @slope_ppb: of the line, the same unless a slope is known
 * @delay_sum_ns: sum of the least delays, 0 or more; the truth of a hard margin
 *	lies within half of it
 * @noise_ns: standard deviation of @theta_ns from the spacing of the lowest
 *	samples: of n samples with density l at their floor the lowest is off
 *	by 1/(l n), and so far apart are the next
 * @forward: samples from the owner
 * @backward: samples to it
 */
struct edge_fit {
	enum edge_verdict verdict;
	int64_t at_ns;
	int64_t theta_ns;
	double drift_ppb;
	double slope_ppb;
	double delay_sum_ns;
	double noise_ns;
	uint32_t forward;
	uint32_t backward;
};

/**
 * edge_solve() - fit the line of an edge in a window
 * @p: how
 * @forward: envelope from the owner to the other
 * @backward: envelope from the other to the owner
 * @at_ns: middle of the window, in the owner's local time, within
 *	+-LINE_MOST_NS
 *
 * Clouds may come from the wire: any numbers in them are survived.
 *
 * Return: the fit.
 */
struct edge_fit edge_solve(const struct edge_params *p,
			   const struct envelope *forward,
			   const struct envelope *backward, int64_t at_ns);

/**
 * struct edge_reach - how far the truth may be from a fit
 * @offset_ns: from its theta, 0 or more
 * @slope_ppb: from its slope, 0 or more
 */
struct edge_reach {
	double offset_ns;
	double slope_ppb;
};

/**
 * edge_reach() - find the other lines that the envelopes allow
 * @p: as of the fit
 * @forward: same
 * @backward: same
 * @fit: the fit, which is EDGE_VALID
 * @excess_ns: by how much the fit's margin may be too wide: what its delay sum is above
 *	the least that can be; 0 or more
 * @noise_ns: by how much margins may be off by noise, 0 or more
 *
 * A line that leaves all of the least delay sum, and so has at least the margin of
 * the fit less @excess_ns and @noise_ns, may be the truth.  Under load the lines that may are
 * many: a queue that never emptied leaves a space between the envelopes, and clean
 * samples of a short time let a line turn about them.
 *
 * Return: how far they are.
 */
struct edge_reach edge_reach(const struct edge_params *p,
			     const struct envelope *forward,
			     const struct envelope *backward,
			     const struct edge_fit *fit, double excess_ns,
			     double noise_ns);

/**
 * struct edge_floor - the lowest samples of a direction
 * @ns: the residual that the margin ends at, above the fit's theta; INFINITY if times or
 *	delays are further than a day from the fit's
 * @dense: samples crowd there (direction_is_dense())
 */
struct edge_floor {
	double ns;
	bool dense;
};

/**
 * edge_floor() - where an envelope's lowest samples lie along a line, and how densely
 * @p: as of the fit
 * @envelope: of a direction, at least one point
 * @backward: the envelope is from the other to the owner
 * @fit: the line, which is EDGE_VALID; of these samples, and perhaps of others
 * @near_ns: by what stamps make delays differ that are equal, above 0
 *
 * Return: the floor.
 */
struct edge_floor edge_floor(const struct edge_params *p, const struct envelope *envelope,
			     bool backward, const struct edge_fit *fit, double near_ns);

/**
 * edge_verdict_name() - name of a verdict
 * @verdict: any
 *
 * Return: "valid", "few-forward", "few-backward", "far", "crossed", "drift".
 */
const char *edge_verdict_name(enum edge_verdict verdict);

#endif /* HUYGENS_EDGE_H */
