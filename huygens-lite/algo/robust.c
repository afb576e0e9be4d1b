// SPDX-License-Identifier: GPL-2.0
/*
 * Scale and weights.
 */
#include <math.h>

#include "robust.h"
#include "sort.h"

#define ROBUST_MAD	1.4826

/* Weights are within 10^-6 to 10^6 of the unit's. */
#define ROBUST_SPREAD	1e6

/* Residuals of a fit are smaller than errors: it follows them. */
static double robust_freedom(uint32_t edges, uint32_t rows)
{
	return edges >= rows ? edges - rows + 1 : 0;
}

double robust_scale(const double *residual, const double *std, uint32_t edges,
		    uint32_t rows, double *scratch)
{
	double freedom = robust_freedom(edges, rows);
	double scale;
	uint32_t e;

	for (e = 0; e < edges; e++)
		scratch[e] = fabs(residual[e]) / std[e];
	sort_numbers(scratch, edges);
	scale = ROBUST_MAD * (scratch[(edges - 1) / 2] + scratch[edges / 2]) / 2;
	if (freedom > 0)
		scale *= sqrt(edges / freedom);
	return scale > ROBUST_SCALE_LEAST ? scale : ROBUST_SCALE_LEAST;
}

void robust_weigh(const double *residual, const double *std, uint32_t edges,
		  double scale, double unit, double *weight)
{
	uint32_t e;

	for (e = 0; e < edges; e++) {
		double most = ROBUST_HUBER * scale * std[e];
		double w = unit * unit / (std[e] * std[e]);

		if (fabs(residual[e]) > most)
			w *= most / fabs(residual[e]);
		weight[e] = fmin(fmax(w, 1 / ROBUST_SPREAD), ROBUST_SPREAD);
	}
}

double robust_unit(const double *std, uint32_t edges)
{
	double least = std[0], most = std[0];
	uint32_t e;

	for (e = 1; e < edges; e++) {
		least = fmin(least, std[e]);
		most = fmax(most, std[e]);
	}
	return fmin(sqrt(least) * sqrt(most), least * sqrt(ROBUST_SPREAD));
}

double robust_sigma(const double *residual, const double *weight, double unit,
		    uint32_t edges, uint32_t rows)
{
	double freedom = robust_freedom(edges, rows);
	double sum = 0;
	uint32_t e;

	for (e = 0; e < edges; e++)
		sum += weight[e] * residual[e] * residual[e];
	return freedom > 0 ? sqrt(sum / freedom) / unit : 1;
}
