// SPDX-License-Identifier: GPL-2.0
/*
 * The delay of a segment: what a GSO packet and the NIC's backlog add to it, and
 * what On-Ramp's algorithm makes of a delay with the backlog and of one without.
 */
#include "onramp.h"
#include "onramp_delay.h"
#include "options.h"
#include "random.h"
#include "../lib/tap.h"

#define US	1000LL
#define GBIT	1000000000ULL
#define TX	(1700000000ULL * 1000000000ULL)
/* 12 us at 10 Gbit/s. */
#define BACKLOG	15000

/**
 * struct delay_case - a segment and its delay
 * @name: of the test
 * @offset: of its first byte in a GSO packet of three segments of 1448 and 90
 * @backlog_bytes: before the packet
 * @rx_ns: when it came, less TX
 * @bps: of the link
 * @nic_comp: is the backlog taken out?
 * @want: its delay
 */
struct delay_case {
	const char *name;
	u32 offset;
	u32 backlog_bytes;
	s64 rx_ns;
	u64 bps;
	bool nic_comp;
	struct onramp_delay want;
};

static const struct delay_case cases[] = {
	{ "rx less tx", 0, 0, 50 * US, 10 * GBIT, false, { 50 * US, 0, 0, false } },
	{ "clocks that err", 0, 0, -3 * US, 10 * GBIT, false, { -3 * US, 0, 0, false } },
	{ "the NIC's backlog is in it", 0, BACKLOG, 50 * US, 10 * GBIT, false, { 50 * US, 0, 0, false } },
	{ "nic_comp takes it out", 0, BACKLOG, 50 * US, 10 * GBIT, true, { 38 * US, 0, 0, false } },
	{ "on a slower link more of it", 0, BACKLOG, 150 * US, GBIT, true, { 30 * US, 0, 0, false } },
	{ "though it is more than all", 0, BACKLOG, 10 * US, 10 * GBIT, true, { -2 * US, 0, 0, false } },
	{ "not if the speed is not known", 0, BACKLOG, 50 * US, 0, true, { 50 * US, 0, 0, false } },
	{ "an empty NIC adds nothing", 0, 0, 50 * US, 10 * GBIT, true, { 50 * US, 0, 0, false } },
	{ "the second segment left later", 1448, 0, 50 * US, 8 * GBIT, false, { 50 * US - 1538, 1538, 0, false } },
	{ "the third one later still, behind a backlog", 2896, 8000, 50 * US, 8 * GBIT, true,
	  { 50 * US - 2 * 1538 - 8000, 2 * 1538, 0, false } },
	{ "a link of unknown speed", 2896, BACKLOG, 50 * US, 0, true, { 50 * US, 0, 2460, true } },
};

static void cases_test(void)
{
	u32 i;

	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct delay_case *c = &cases[i];
		const struct onramp_record x = {
			.common_ns = TX,
			.seq = 0xfffffff0u,
			.len = 3 * 1448,
			.backlog_bytes = c->backlog_bytes,
			.segment_bytes = 1448,
			.header_bytes = 90,
		};
		struct onramp_delay d;

		d = onramp_delay_of(&x, x.seq + c->offset, TX + c->rx_ns, c->bps, c->nic_comp);
		if (!tap_ok(d.owd_ns == c->want.owd_ns && d.later_ns == c->want.later_ns &&
			    d.margin_ns == c->want.margin_ns && d.no_rate == c->want.no_rate, "delay__%s", c->name))
			tap_remark("%" PRId64 ", %" PRIu64 " later, margin %" PRIu64, d.owd_ns, d.later_ns, d.margin_ns);
	}
}

/* A host whose own NIC holds 12 us of a delay that is 8 us above T. */
static void algo_test(void)
{
	const struct onramp_params p = { .law = ONRAMP_STRAWMAN, .gain = 16, .max_hold_ns = 5000 * US };
	const struct onramp_record x = { .tx_ns = 7, .common_ns = TX, .len = 1000, .backlog_bytes = BACKLOG };
	struct onramp_sample s = { .tx_ns = 7, .threshold_ns = 30 * US };
	struct onramp_vars v = {};
	u64 hold_ns[2];
	int comp;

	for (comp = 0; comp < 2; comp++) {
		s.owd_ns = onramp_delay_of(&x, x.seq, TX + 38 * US, 10 * GBIT, comp).owd_ns;
		hold_ns[comp] = onramp_judge(&p, &v, &s).hold_ns;
	}
	tap_ok(hold_ns[0] == 8 * US && hold_ns[1] == 0, "delay__a_hold_for_the_backlog_of_the_own_NIC_and_none_without");
}

static void link_test(u64 seed, unsigned long n)
{
	bool good = true, bounded = true;

	tap_ok(onramp_link_ns(0, 1) == 0 && onramp_link_ns(1, 8 * GBIT) == 1 && onramp_link_ns(1, 9 * GBIT) == 0,
	       "delay__ns_are_rounded_down");
	while (n--) {
		u64 bytes = random_scale(&seed), bps = 1 + random_scale(&seed) / 2;
		u64 ns = onramp_link_ns(bytes, bps), counted = min(bytes, 1ULL << 30);
		long double exact = (long double)counted * 8e9L / bps;

		good = good && (long double)ns <= exact && (long double)ns + 1 > exact;
		bounded = bounded && onramp_link_ns(bytes, bps) <= onramp_link_ns(1ULL << 30, bps);
	}
	tap_ok(good, "delay__as_long_as_a_link_takes");
	tap_ok(bounded, "delay__no_more_than_for_1_GiB");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100000, "links");

	cases_test();
	algo_test();
	link_test(o.seed, o.n);
	return tap_done();
}
