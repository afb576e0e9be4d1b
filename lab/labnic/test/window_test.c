// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of labnic's queue window: which frame pays for which time, and random
 * events against an oracle that looks at every single ns.
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../../../selftests/unit/random.h"
#include "../../../selftests/lib/tap.h"
#include "../window.h"

enum { BINS = 8, SAMPLES = 4 };

static u64 bins[BINS];
static struct labnic_sample samples[SAMPLES];

static struct labnic_window window(u64 from, u64 until, u64 sample)
{
	memset(bins, 0, sizeof(bins));
	return (struct labnic_window) {
		.from_ns = from, .until_ns = until, .nbins = BINS,
		.bins = bins, .sample_ns = sample, .trace = samples,
		.trace_size = SAMPLES,
	};
}

/* An event that finds and leaves these lengths, 100 bytes a packet. */
static void event(struct labnic_window *w, u64 now, u32 found, u32 left)
{
	labnic_window_advance(w, now, found, found * 100);
	labnic_window_settle(w, now, left, left * 100);
}

static void advance__constant_length(void)
{
	struct labnic_window w = window(100, 200, 0);

	event(&w, 100, 0, 3);
	event(&w, 150, 3, 3);
	event(&w, 201, 3, 0);
	tap_ok(bins[3] == 100 && w.pkts_ns == 300 && w.bytes_ns == 30000 &&
	       w.max_pkts == 3 && w.max_bytes == 300,
	       "advance: a constant length is exact");
}

static void advance__clips_to_the_window(void)
{
	struct labnic_window w = window(100, 200, 0);

	event(&w, 10, 0, 2);
	event(&w, 99, 2, 2);
	tap_ok(!w.pkts_ns && !w.max_pkts, "advance: nothing before the window");
	event(&w, 500, 2, 2);
	tap_ok(bins[2] == 100 && w.pkts_ns == 200,
	       "advance: one interval across the whole window");
	event(&w, 600, 7, 7);
	tap_ok(bins[2] == 100 && !bins[7] && w.max_pkts == 2,
	       "advance: nothing after the window");
}

static void advance__shares_what_nobody_saw(void)
{
	struct labnic_window w = window(0, 1000, 0);

	event(&w, 0, 0, 2);
	event(&w, 11, 4, 3);
	tap_ok(bins[2] == 6 && bins[4] == 5 && w.pkts_ns == 6 * 2 + 5 * 4,
	       "advance: half to the length left, half to that found");
	event(&w, 12, 5, 5);
	tap_ok(bins[3] == 1 && !bins[5], "advance: a single ns to the length left");
}

static void advance__overflow_bin(void)
{
	struct labnic_window w = window(0, 1000, 0);

	event(&w, 0, 0, 5000);
	event(&w, 10, 5000, 0);
	tap_ok(bins[BINS - 1] == 10 && w.pkts_ns == 50000 && w.max_pkts == 5000,
	       "advance: lengths beyond the bins go to the last");
}

static void advance__late_event(void)
{
	struct labnic_window w = window(0, 1000, 0);

	event(&w, 0, 0, 1);
	event(&w, 100, 1, 1);
	event(&w, 50, 1, 2);
	event(&w, 110, 2, 2);
	tap_ok(bins[1] == 100 && bins[2] == 10,
	       "advance: an event before the last counts as the last");
}

static void depart__counts_in_the_window(void)
{
	struct labnic_window w = window(100, 200, 0);

	labnic_window_depart(&w, 99, 1, 10);
	labnic_window_depart(&w, 100, 2, 20);
	labnic_window_depart(&w, 199, 4, 40);
	labnic_window_depart(&w, 200, 8, 80);
	tap_ok(w.departed_pkts == 6 && w.departed_bytes == 60,
	       "depart: from is in the window, until is not");
}

static void settle__trace(void)
{
	struct labnic_window w = window(100, 1000, 50);
	u64 now;

	for (now = 90; now < 1000; now += 10)
		event(&w, now, 1, now / 10);
	tap_ok(w.trace_len == SAMPLES && samples[0].at_ns == 100 &&
	       samples[1].at_ns == 150 && samples[3].at_ns == 250 &&
	       samples[3].pkts == 25 && samples[3].bytes == 2500,
	       "settle: a sample each period");
	tap_ok(w.trace_lost == 14, "settle: what finds no space is counted");
}

/* Events at random times that see every change: the result must be exact. */
static bool random_round(u64 *random)
{
	struct labnic_window w = window(random_below(random, 300),
					400 + random_below(random, 500), 0);
	u64 now = 0, ns, want[BINS] = { 0 }, integral = 0;
	u32 len = 0, most = 0;

	while (now < 1200) {
		u64 next = now + random_below(random, 40);
		u32 left = random_below(random, 2 * BINS);

		for (ns = now; ns < next; ns++) {
			if (ns < w.from_ns || ns >= w.until_ns)
				continue;
			want[len < BINS ? len : BINS - 1]++;
			integral += len;
			most = len > most ? len : most;
		}
		event(&w, next, len, left);
		len = left;
		now = next;
	}
	return !memcmp(want, bins, sizeof(bins)) && w.pkts_ns == integral &&
	       w.bytes_ns == 100 * integral && w.max_pkts == most;
}

static void random_events(u64 seed)
{
	u64 random = seed;
	bool ok = true;
	int i;

	for (i = 0; ok && i < 10000; i++)
		ok = random_round(&random);
	tap_ok(ok, "random events as the oracle, %d rounds", i);
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;

	tap_remark("seed %" PRIu64, seed);
	advance__constant_length();
	advance__clips_to_the_window();
	advance__shares_what_nobody_saw();
	advance__overflow_bin();
	advance__late_event();
	depart__counts_in_the_window();
	settle__trace();
	random_events(seed);
	return tap_done();
}
