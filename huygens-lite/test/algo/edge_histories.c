// SPDX-License-Identifier: GPL-2.0
/*
 * Unions of envelopes, and the windows that a history keeps.  The oracle of a union is
 * the envelope of all samples at once, and that of a history is a list of all windows
 * that there ever were.  -s SEED repeats, -n is the number of rounds.
 */
#include <stdlib.h>
#include <string.h>

#include "edge_history.h"
#include "options.h"
#include "random.h"

#define S		1000000000LL
#define EACH		100
#define WINDOWS		40

/* Samples of a window that is @window seconds from 0, with a floor that tilts. */
static void window_samples(uint64_t *seed, int64_t window, int64_t tilt, struct sample *s)
{
	int k;

	for (k = 0; k < EACH; k++) {
		int64_t at_ns = window * S + (int64_t)random_below(seed, S);

		s[k] = (struct sample){ at_ns, at_ns / S * tilt + 1000 + (int64_t)random_below(seed, 100000) };
	}
}

/* The lowest of samples along a slope; times are in s. */
static int64_t lowest(const struct sample *s, uint32_t n, int64_t slope)
{
	int64_t least = INT64_MAX;
	uint32_t k;

	for (k = 0; k < n; k++) {
		int64_t height = s[k].delay_ns * 1000 - s[k].at_ns / 1000000 * slope;

		least = height < least ? height : least;
	}
	return least;
}

static bool same_floor(const struct envelope *c, const struct sample *all, uint32_t n)
{
	int64_t slope;

	for (slope = -30000; slope <= 30000; slope += 1500)
		if (lowest(c->point, c->points, slope) != lowest(all, n, slope))
			return false;
	return true;
}

static bool in_order(const struct envelope *c)
{
	uint32_t n;

	for (n = 1; n < c->points; n++)
		if (c->point[n].at_ns < c->point[n - 1].at_ns)
			return false;
	return c->points && c->points <= ENVELOPE_POINTS && c->hulls;
}

static void unions(struct options o)
{
	static struct sample all[12 * EACH];
	bool floors = true, order = true, counts = true, either = true;
	unsigned long round;

	for (round = 0; round < o.n; round++) {
		int64_t windows = 2 + random_below(&o.seed, 11), w;
		int64_t tilt = (int64_t)random_below(&o.seed, 40001) - 20000;
		struct envelope joined = { 0 }, other_way = { 0 }, each[12];
		struct sample copy[EACH];

		for (w = 0; w < windows; w++) {
			window_samples(&o.seed, w, tilt, &all[w * EACH]);
			memcpy(copy, &all[w * EACH], sizeof(copy));
			envelope_make(copy, EACH, &each[w]);
		}
		for (w = 0; w < windows; w++) {
			envelope_join(&joined, &each[w]);
			envelope_join(&other_way, &each[windows - 1 - w]);
		}
		floors &= same_floor(&joined, all, windows * EACH);
		order &= in_order(&joined);
		counts &= joined.samples == windows * EACH;
		either &= joined.points && same_floor(&other_way, joined.point, joined.points);
	}
	tap_ok(floors, "envelope_join__the_floor_of_each_slope_is_that_of_all_samples");
	tap_ok(order, "envelope_join__points_are_in_order_and_fit");
	tap_ok(counts, "envelope_join__it_stands_for_the_samples_of_all");
	tap_ok(either, "envelope_join__in_whatever_order_they_are_added");
}

static void special_unions(void)
{
	struct envelope none = { 0 }, one = { .samples = 1, .hulls = 1, .points = 1, .point = { { 5, -7 } } };
	struct envelope c = one, many = { .samples = UINT32_MAX, .hulls = 1, .points = 1, .point = { { 6, 7 } } };
	struct envelope valley[2] = { { .samples = 64 }, { .samples = 64 } };
	int64_t n;

	envelope_join(&c, &none);
	tap_ok(!memcmp(&c, &one, sizeof(c)), "envelope_join__nothing_adds_nothing");
	c = none;
	envelope_join(&c, &one);
	tap_ok(!memcmp(&c, &one, sizeof(c)), "envelope_join__to_nothing");
	envelope_join(&c, &many);
	tap_ok(c.samples == UINT32_MAX && c.points == 2, "envelope_join__numbers_of_samples_do_not_overflow");
	for (n = 0; n < 2 * ENVELOPE_POINTS; n++) {
		struct envelope *half = &valley[n / ENVELOPE_POINTS];

		half->point[half->points++] = (struct sample){ n, (n - 64) * (n - 64) };
	}
	envelope_join(&valley[0], &valley[1]);
	tap_ok(valley[0].points == ENVELOPE_POINTS && !valley[0].point[0].at_ns &&
	       valley[0].point[ENVELOPE_POINTS - 1].at_ns == 127, "envelope_join__a_long_hull_is_thinned_and_keeps_its_ends");
	c = (struct envelope){ .samples = 2, .hulls = 1, .points = 2,
			       .point = { { LINE_MOST_NS, LINE_MOST_NS }, { -LINE_MOST_NS, -LINE_MOST_NS } } };
	envelope_join(&c, &one);
	tap_ok(c.points == 3 && c.point[0].at_ns == -LINE_MOST_NS, "envelope_join__points_of_a_message_in_any_order");
}

/* A window that can be told from others: one point each way, all of them on a hull. */
static struct envelope mark(int64_t number, bool backward)
{
	return (struct envelope){ .samples = 1, .hulls = 1, .points = 1, .point = { { number * 2 * S, number * number + backward } } };
}

static void history_add(struct edge_history *h, int64_t number)
{
	struct envelope forward = mark(number, false), backward = mark(number, true);

	edge_history_add(h, &forward, &backward, number * 2 * S);
}

static bool has(const struct edge_history *h, uint32_t ago, int64_t number)
{
	const struct edge_history_window *w = edge_history_window(h, ago);

	return w->at_ns == number * 2 * S && w->forward.point[0].delay_ns == number * number &&
	       w->backward.point[0].delay_ns == number * number + 1;
}

static void histories(void)
{
	static struct edge_history h;
	struct envelope forward, backward;
	bool newest = true;
	int64_t n, ago;

	tap_ok(!edge_history_within(&h, S), "edge_history__begins_empty");
	for (n = 1; n <= WINDOWS; n++) {
		history_add(&h, n);
		for (ago = 0; ago < h.windows; ago++)
			newest &= has(&h, ago, n - ago);
		newest &= h.windows == (n < EDGE_HISTORY_WINDOWS ? n : EDGE_HISTORY_WINDOWS);
	}
	tap_ok(newest, "edge_history__keeps_the_newest_and_each_where_it_was");
	tap_ok(edge_history_within(&h, 100 * S) == EDGE_HISTORY_WINDOWS, "edge_history__all_lie_within_a_long_time");
	tap_ok(edge_history_within(&h, 4 * S) == 3 && edge_history_within(&h, 4 * S - 1) == 2 &&
	       edge_history_within(&h, 0) == 1, "edge_history__of_the_newest_those_within_a_time");
	forward = mark(WINDOWS, false);
	backward = mark(WINDOWS, true);
	edge_history_join(&h, 1, 3, &forward, &backward);
	tap_ok(forward.samples == 3 && forward.points == 3 && forward.point[0].at_ns == (WINDOWS - 2) * 2 * S &&
	       backward.points == 3 && backward.point[0].delay_ns == (WINDOWS - 2) * (WINDOWS - 2) + 1, "edge_history_join__adds_those_that_are_asked_for");
	edge_history_join(&h, 3, 3, &forward, &backward);
	tap_ok(forward.samples == 3, "edge_history_join__of_none");
	history_add(&h, WINDOWS + 5);
	tap_ok(edge_history_within(&h, 8 * S) == 1 && edge_history_within(&h, 10 * S) == 2, "edge_history__a_gap_takes_time");
	history_add(&h, 3);
	tap_ok(edge_history_within(&h, 100 * S) == 1, "edge_history__times_that_fell_back_do_not_count");
	history_add(&h, 3);
	tap_ok(edge_history_within(&h, 100 * S) == 1, "edge_history__nor_the_same_once_more");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 60, "random unions");

	unions(o);
	special_unions();
	histories();
	return tap_done();
}
