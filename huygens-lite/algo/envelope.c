// SPDX-License-Identifier: GPL-2.0
/*
 * Nested hulls from below, by Andrew's monotone chain.  Products of times are
 * 124 bits, so what lies below what is decided exactly.
 */
#include "envelope.h"
#include "sort.h"

/* By time, of equal times the lowest first. */
static bool envelope_before(const struct sample *a, const struct sample *b)
{
	return a->at_ns != b->at_ns ? a->at_ns < b->at_ns :
				      a->delay_ns < b->delay_ns;
}

SORT_DEFINE(envelope_sort, struct sample, envelope_before)

/* Does @b lie below the line from @a to @c? */
static bool envelope_below(const struct sample *a, const struct sample *b,
			   const struct sample *c)
{
	return (__int128)(b->delay_ns - a->delay_ns) * (c->at_ns - a->at_ns) <
	       (__int128)(c->delay_ns - a->delay_ns) * (b->at_ns - a->at_ns);
}

/* The lower hull of sorted samples, as indices; of equal times the lowest. */
static uint32_t envelope_hull(const struct sample *s, uint32_t n, uint16_t *hull)
{
	uint32_t points = 0;
	uint32_t at;

	for (at = 0; at < n; at++) {
		if (points && s[at].at_ns == s[hull[points - 1]].at_ns)
			continue;
		while (points > 1 && !envelope_below(&s[hull[points - 2]],
						     &s[hull[points - 1]], &s[at]))
			points--;
		hull[points++] = at;
	}
	return points;
}

/* Take the hull out, keep the order; returns how many are left. */
static uint32_t envelope_peel(struct sample *s, uint32_t n, const uint16_t *hull,
			      uint32_t points)
{
	uint32_t left = 0;
	uint32_t next = 0;
	uint32_t at;

	for (at = 0; at < n; at++) {
		if (next < points && hull[next] == at)
			next++;
		else
			s[left++] = s[at];
	}
	return left;
}

/* Both ends, and evenly between them. */
static void envelope_thin(const struct sample *s, const uint16_t *hull,
			  uint32_t points, struct envelope *envelope)
{
	uint32_t n;

	for (n = 0; n < ENVELOPE_POINTS; n++)
		envelope->point[n] = s[hull[n * (points - 1) / (ENVELOPE_POINTS - 1)]];
	envelope->points = ENVELOPE_POINTS;
}

/* Add a hull; false if it does not fit. */
static bool envelope_add(struct envelope *envelope, const struct sample *s,
			 const uint16_t *hull, uint32_t points)
{
	bool thin = !envelope->hulls && points > ENVELOPE_POINTS;
	uint32_t n;

	if (!thin && envelope->points + points > ENVELOPE_POINTS)
		return false;
	if (thin)
		envelope_thin(s, hull, points, envelope);
	for (n = 0; !thin && n < points; n++)
		envelope->point[envelope->points++] = s[hull[n]];
	envelope->hulls++;
	return true;
}

/* Hulls of samples, which come back in another order; @envelope->samples is set. */
static void envelope_fill(struct envelope *envelope, struct sample *sample, uint32_t points)
{
	uint16_t hull[ENVELOPE_SAMPLES];
	uint32_t left, on;

	envelope->hulls = 0;
	envelope->points = 0;
	envelope_sort(sample, points);
	for (left = points; left; left = envelope_peel(sample, left, hull, on)) {
		on = envelope_hull(sample, left, hull);
		if (!envelope_add(envelope, sample, hull, on) ||
		    envelope->hulls * 20 >= envelope->samples)
			break;
	}
	envelope_sort(envelope->point, envelope->points);
}

void envelope_make(struct sample *sample, uint32_t samples, struct envelope *envelope)
{
	envelope->samples = samples > ENVELOPE_SAMPLES ? ENVELOPE_SAMPLES : samples;
	envelope_fill(envelope, sample, envelope->samples);
}

void envelope_join(struct envelope *envelope, const struct envelope *other)
{
	struct sample both[2 * ENVELOPE_POINTS];
	uint32_t points = 0;
	uint32_t n;

	for (n = 0; n < envelope->points; n++)
		both[points++] = envelope->point[n];
	for (n = 0; n < other->points; n++)
		both[points++] = other->point[n];
	if (__builtin_add_overflow(envelope->samples, other->samples, &envelope->samples))
		envelope->samples = UINT32_MAX;
	envelope_fill(envelope, both, points);
}
