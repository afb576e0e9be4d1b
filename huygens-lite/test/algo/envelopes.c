// SPDX-License-Identifier: GPL-2.0
/*
 * Pair filter and envelopes: which pairs are kept, and that an envelope has the lowest
 * samples for every slope.  -s SEED repeats, -n is the number of rounds.
 */
#include <stdlib.h>
#include <string.h>

#include "envelope.h"
#include "pair_filter.h"
#include "options.h"
#include "random.h"

#define SAMPLES	120

/* A pair whose delays are @a and @b. */
static struct pair_filter_pair pair_of(int64_t at, int64_t a, int64_t b)
{
	return (struct pair_filter_pair){ { at, at + 10000 }, { at + a, at + 10000 + b } };
}

static void filter_keeps_spacing(void)
{
	struct pair_filter_params p = pair_filter_defaults(false);
	struct pair_filter_pair pair[100];
	struct sample sample[200];
	struct pair_filter_result r;
	int64_t scratch[100];
	int n;

	for (n = 0; n < 100; n++)
		pair[n] = pair_of(n * 1000000, 5000, n < 60 ? 5000 + n % 2 * -20 * n + n * 10 : 90000);
	r = pair_filter_apply(&p, pair, 100, true, scratch, sample);
	tap_ok(r.eps_ns == 2000 && r.accepted == 60 && r.rejected == 40 && r.samples == 120,
	       "pair_filter__the_least_tolerance_keeps_what_is_near");
	tap_ok(sample[2].at_ns == 1000000 && sample[3].at_ns == 1010000 && sample[3].delay_ns == 4990,
	       "pair_filter__both_probes_by_the_senders_time");
	pair_filter_apply(&p, pair, 100, false, scratch, sample);
	tap_ok(sample[2].at_ns == 1005000 && sample[2].delay_ns == 5000,
	       "pair_filter__both_probes_by_the_receivers_time");
	p.least_ns = 300;
	r = pair_filter_apply(&p, pair, 100, true, scratch, sample);
	tap_ok(r.eps_ns == 300 && r.accepted == 31, "pair_filter__the_tolerance_is_inclusive");
	p.least_ns = 0;
	r = pair_filter_apply(&p, pair, 100, true, scratch, sample);
	tap_ok(r.eps_ns == 240 && r.accepted == 25, "pair_filter__a_quarter_is_kept");
	r = pair_filter_apply(&p, pair, 40, true, scratch, sample);
	tap_ok(r.eps_ns == 190 && r.accepted == 20, "pair_filter__twenty_are_kept");
	r = pair_filter_apply(&p, pair, 7, true, scratch, sample);
	tap_ok(r.accepted == 7 && !r.rejected, "pair_filter__fewer_are_all_kept");
	r = pair_filter_apply(&p, pair, 0, true, scratch, sample);
	tap_ok(!r.accepted && !r.samples && !r.rejected, "pair_filter__nothing_of_nothing");
	p.coded = false;
	r = pair_filter_apply(&p, pair, 100, true, scratch, sample);
	tap_ok(r.accepted == 100, "pair_filter__off_keeps_all");
	p = pair_filter_defaults(true);
	tap_ok(p.least_ns == 200 && p.coded, "pair_filter__hardware_is_stricter");
}

static void filter_survives(void)
{
	static const int64_t far[] = {
		INT64_MIN, INT64_MAX, 0, LINE_MOST_NS, -LINE_MOST_NS, LINE_MOST_NS + 1, -1,
	};
	struct pair_filter_params p = pair_filter_defaults(false);
	struct sample sample[200];
	struct pair_filter_pair pair[98];
	struct pair_filter_result r;
	int64_t scratch[98];
	bool within = true;
	uint32_t n;

	for (n = 0; n < 98; n++)
		pair[n] = (struct pair_filter_pair){ { far[n % 7], far[n / 7 % 7] },
						     { far[n / 14 % 7], far[n * 3 % 7] } };
	r = pair_filter_apply(&p, pair, 98, true, scratch, sample);
	tap_ok(r.absurd && r.accepted + r.rejected + r.absurd == 98, "pair_filter__absurd_times_are_counted");
	for (n = 0; n < r.samples; n++)
		within &= llabs(sample[n].delay_ns) <= LINE_MOST_NS && llabs(sample[n].at_ns) <= LINE_MOST_NS;
	tap_ok(within, "pair_filter__absurd_times_make_no_samples");
}

static int64_t height(const struct sample *s, int64_t slope)
{
	return s->delay_ns - slope * s->at_ns;
}

/* The @m lowest of @s for a slope, as heights: by sorting all of them. */
static void lowest(const struct sample *s, uint32_t n, int64_t slope, uint32_t m, int64_t *low)
{
	uint32_t k, at;

	for (k = 0; k < m; k++)
		low[k] = INT64_MAX;
	for (k = 0; k < n; k++) {
		int64_t h = height(&s[k], slope);

		for (at = 0; at < m; at++) {
			if (h < low[at]) {
				int64_t swap = low[at];

				low[at] = h;
				h = swap;
			}
		}
	}
}

static bool subset(const struct sample *s, uint32_t n, const struct envelope *c)
{
	bool taken[SAMPLES] = { false };
	uint32_t p, k;

	for (p = 0; p < c->points; p++) {
		for (k = 0; k < n; k++) {
			if (!taken[k] && !memcmp(&s[k], &c->point[p], sizeof(*s)))
				break;
		}
		if (k == n || (p && c->point[p].at_ns < c->point[p - 1].at_ns))
			return false;
		taken[k] = true;
	}
	return true;
}

/* For random integer slopes and those between all pairs. */
static bool has_the_lowest(const struct sample *s, uint32_t n, const struct envelope *c)
{
	uint32_t m = c->hulls < n ? c->hulls : n;
	int64_t all[SAMPLES], of_envelope[SAMPLES];
	uint32_t a, b;

	for (a = 0; a < n; a++) {
		for (b = a + 1; b < n; b += 7) {
			int64_t run = s[b].at_ns - s[a].at_ns;
			int64_t slope = run ? (s[b].delay_ns - s[a].delay_ns) / run : 0;

			lowest(s, n, slope, m, all);
			lowest(c->point, c->points, slope, m, of_envelope);
			if (memcmp(all, of_envelope, m * sizeof(*all)))
				return false;
		}
	}
	return true;
}

static void random_envelopes(struct options o)
{
	struct sample s[SAMPLES], copy[SAMPLES];
	bool sub = true, low = true, five = true;
	struct envelope c;
	unsigned long round;
	uint32_t n, k;

	for (round = 0; round < o.n; round++) {
		uint64_t times = 1 + random_below(&o.seed, 400);
		uint64_t heights = 1 + random_below(&o.seed, round % 3 ? 1000 : 5);

		n = random_below(&o.seed, SAMPLES) + 1;
		for (k = 0; k < n; k++) {
			s[k].at_ns = random_below(&o.seed, times);
			s[k].delay_ns = random_below(&o.seed, heights) + s[k].at_ns * (int64_t)(round % 5);
		}
		memcpy(copy, s, sizeof(s));
		envelope_make(copy, n, &c);
		sub &= c.samples == n && c.points && c.hulls && subset(s, n, &c);
		low &= has_the_lowest(s, n, &c);
		five &= c.hulls * 20 >= n || c.points > ENVELOPE_POINTS / 4;
	}
	tap_ok(sub, "envelope__points_are_samples_in_order");
	tap_ok(low, "envelope__the_lowest_of_each_slope_are_there");
	tap_ok(five, "envelope__five_percent_if_there_is_space");
}

static void special_envelopes(void)
{
	static struct sample s[ENVELOPE_SAMPLES + 1];
	struct envelope c;
	int64_t n;

	envelope_make(s, 0, &c);
	tap_ok(!c.samples && !c.points && !c.hulls, "envelope__nothing_of_nothing");
	s[0] = (struct sample){ LINE_MOST_NS, -LINE_MOST_NS };
	s[1] = (struct sample){ -LINE_MOST_NS, LINE_MOST_NS };
	s[2] = (struct sample){ 0, LINE_MOST_NS };
	envelope_make(s, 3, &c);
	tap_ok(c.points == 2 && c.point[0].at_ns == -LINE_MOST_NS, "envelope__extremes_are_compared_exactly");
	s[0] = (struct sample){ -LINE_MOST_NS, LINE_MOST_NS };
	s[1] = (struct sample){ 0, -LINE_MOST_NS / 2 };
	s[2] = (struct sample){ LINE_MOST_NS, LINE_MOST_NS };
	envelope_make(s, 3, &c);
	tap_ok(c.points == 3, "envelope__extremes_of_a_valley");
	for (n = 0; n < 1000; n++)
		s[n] = (struct sample){ n, (n - 500) * (n - 500) };
	envelope_make(s, 1000, &c);
	tap_ok(c.points == ENVELOPE_POINTS && c.hulls == 1 && !c.point[0].at_ns &&
	       c.point[ENVELOPE_POINTS - 1].at_ns == 999, "envelope__a_long_hull_is_thinned_and_keeps_its_ends");
	for (n = 0; n < 1000; n++)
		s[n] = (struct sample){ n, (n - 500) * (n - 500) - (n % 999 ? 0 : 1000000000) };
	envelope_make(s, 1000, &c);
	tap_ok(c.points == 2 && c.hulls == 1 && c.point[0].delay_ns < 0, "envelope__a_later_hull_is_whole_or_left_out");
	for (n = 0; n <= ENVELOPE_SAMPLES; n++)
		s[n] = (struct sample){ n, n == ENVELOPE_SAMPLES ? -1 : 0 };
	envelope_make(s, ENVELOPE_SAMPLES + 1, &c);
	tap_ok(c.samples == ENVELOPE_SAMPLES, "envelope__more_than_there_is_space_for_are_left_out");
	for (n = 0; n < 50; n++)
		s[n] = (struct sample){ 7, n };
	envelope_make(s, 50, &c);
	tap_ok(c.points == 3 && c.hulls == 3 && c.point[0].delay_ns == 0 && c.point[2].delay_ns == 2,
	       "envelope__of_equal_times_the_lowest");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 60, "random envelopes");

	filter_keeps_spacing();
	filter_survives();
	random_envelopes(o);
	special_envelopes();
	return tap_done();
}
