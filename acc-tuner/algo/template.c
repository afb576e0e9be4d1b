// SPDX-License-Identifier: GPL-2.0
/*
 * The published sets of templates, and their order.
 */
#include "template.h"

#define TEMPLATE_US(us)	((uint64_t)((us) * 1000))

uint64_t template_half_ns(const struct template *t)
{
	if (2 * (uint64_t)t->pmax_ppm < TEMPLATE_ONE_PPM)
		return t->kmax_ns;
	return t->kmin_ns + (t->kmax_ns - t->kmin_ns) * (TEMPLATE_ONE_PPM / 2) / t->pmax_ppm;
}

bool template_before(const struct template *a, const struct template *b)
{
	uint64_t half_a = template_half_ns(a), half_b = template_half_ns(b);

	if (half_a != half_b)
		return half_a < half_b;
	if (a->kmin_ns != b->kmin_ns)
		return a->kmin_ns < b->kmin_ns;
	return a->pmax_ppm < b->pmax_ppm;
}

bool template_is_valid(const struct template *t)
{
	return t->kmin_ns >= TEMPLATE_LEAST_NS && t->kmin_ns <= t->kmax_ns &&
	       t->kmax_ns <= TEMPLATE_MOST_NS && t->pmax_ppm >= 1 &&
	       t->pmax_ppm <= TEMPLATE_ONE_PPM;
}

static void template_fill_paper(struct template *t)
{
	uint32_t n;

	for (n = 0; n < TEMPLATE_LEVELS; n++) {
		uint64_t level = template_level_ns(n);

		*t++ = (struct template){ level, level, TEMPLATE_ONE_PPM };
		*t++ = (struct template){ level, 4 * level, TEMPLATE_ONE_PPM / 10 };
	}
}

static void template_fill_ramps(struct template *t)
{
	static const struct template ramp[TEMPLATE_NR] = {
		{ TEMPLATE_US(6.5), TEMPLATE_US(6.5), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(13), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(26), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(52), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(75), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(105), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(150), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(210), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(300), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(420), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(600), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(840), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(6.5), TEMPLATE_US(52), 300000 },
		{ TEMPLATE_US(6.5), TEMPLATE_US(105), 300000 },
		{ TEMPLATE_US(6.5), TEMPLATE_US(210), 300000 },
		{ TEMPLATE_US(6.5), TEMPLATE_US(420), 300000 },
		{ TEMPLATE_US(26), TEMPLATE_US(210), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(26), TEMPLATE_US(420), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(26), TEMPLATE_US(840), TEMPLATE_ONE_PPM },
		{ TEMPLATE_US(13), TEMPLATE_US(13), TEMPLATE_ONE_PPM },
	};
	uint32_t i;

	for (i = 0; i < TEMPLATE_NR; i++)
		t[i] = ramp[i];
}

static void template_sort(struct template *t)
{
	uint32_t i, j;

	for (i = 1; i < TEMPLATE_NR; i++) {
		struct template moved = t[i];

		for (j = i; j && template_before(&moved, &t[j - 1]); j--)
			t[j] = t[j - 1];
		t[j] = moved;
	}
}

void template_fill(enum template_set set, struct template *t)
{
	if (set == TEMPLATE_PAPER20)
		template_fill_paper(t);
	else
		template_fill_ramps(t);
	template_sort(t);
}
