// SPDX-License-Identifier: GPL-2.0
/*
 * Adam.
 */
#include <math.h>
#include <string.h>

#include "adam.h"

void adam_init(struct adam *a)
{
	memset(a, 0, sizeof(*a));
	a->power1 = 1.0f;
	a->power2 = 1.0f;
}

float adam_limit(struct net *gradient, float most)
{
	float squares = 0.0f, norm;
	int i;

	for (i = 0; i < NET_PARAMS; i++)
		squares += gradient->w[i] * gradient->w[i];
	norm = sqrtf(squares);
	if (norm <= most)
		return norm;
	for (i = 0; i < NET_PARAMS; i++)
		gradient->w[i] *= most / norm;
	return norm;
}

void adam_step(struct adam *a, struct net *n, const struct net *gradient, float rate)
{
	int i;

	a->power1 *= ADAM_BETA1;
	a->power2 *= ADAM_BETA2;
	for (i = 0; i < NET_PARAMS; i++) {
		float g = gradient->w[i];
		float mean = ADAM_BETA1 * a->mean.w[i] + (1.0f - ADAM_BETA1) * g;
		float square = ADAM_BETA2 * a->square.w[i] + (1.0f - ADAM_BETA2) * g * g;

		a->mean.w[i] = mean;
		a->square.w[i] = square;
		n->w[i] -= rate * (mean / (1.0f - a->power1)) /
			   (sqrtf(square / (1.0f - a->power2)) + ADAM_EPSILON);
	}
}
