// SPDX-License-Identifier: GPL-2.0
/*
 * Senders of the model: DCTCP's window, DCQCN's pace.
 */
#include "../../../selftests/lib/tap.h"
#include "dctcp.h"
#include "packet.h"
#include "paced.h"

/* A round trip: all that the window allows is sent, the first @marked of them are marked. */
static void round_trip(struct dctcp *d, uint32_t marked)
{
	uint32_t n = d->cwnd, i;

	d->sent += n;
	for (i = 0; i < n; i++)
		dctcp_on_ack(d, i < marked, true);
}

static void test_growth(void)
{
	struct dctcp d;

	dctcp_init(&d);
	round_trip(&d, 0);
	tap_ok(d.cwnd == 20, "below ssthresh the window doubles in a round trip");
	d.ssthresh = 20;
	round_trip(&d, 0);
	tap_ok(d.cwnd == 21, "above it grows by a segment");
	d.sent += 21;
	dctcp_on_ack(&d, false, false);
	tap_ok(d.cwnd == 21 && d.grown == 0, "a window that is not used does not grow");
}

static void test_marks(void)
{
	struct dctcp d;
	int i;

	dctcp_init(&d);
	d.cwnd = 100;
	d.ssthresh = 100;
	round_trip(&d, 1);
	/* The mark is in the first acknowledgment; the reduction ends with the next round. */
	d.sent++;
	dctcp_on_ack(&d, false, true);
	tap_ok(d.cwnd == 50, "the first mark of a new connection halves the window");
	for (i = 0; i < 200; i++) {
		d.cwnd = 100;
		round_trip(&d, 0);
	}
	tap_ok(d.alpha == 0, "without marks the estimate falls to 0");
	d.sent += 100;
	d.window_end = d.sent;
	for (i = 0; i < 40000; i++) {
		d.cwnd = 100;
		d.reducing = false;
		d.sent++;
		dctcp_on_ack(&d, i % 4 == 0, true);
	}
	if (!tap_ok(d.alpha > 240 && d.alpha <= 272, "of a quarter marked it comes to a quarter"))
		tap_remark("%u of 1024", d.alpha);
	dctcp_init(&d);
	d.cwnd = 100;
	d.alpha = 256;
	d.window_end = 1000000;
	d.sent = 100;
	dctcp_on_ack(&d, true, true);
	tap_ok(d.ssthresh == 88 && d.reducing, "the window is cut by half of the estimate");
	for (i = 0; i < 98; i++)
		dctcp_on_ack(&d, true, true);
	tap_ok(d.ssthresh == 88, "once a round trip, however many marks there are");
}

static void test_losses(void)
{
	struct dctcp d;

	dctcp_init(&d);
	d.cwnd = 100;
	d.sent = 100;
	dctcp_on_loss(&d, false);
	dctcp_on_loss(&d, false);
	tap_ok(d.ssthresh == 50 && d.reducing, "a loss halves the window, once a round trip");
	dctcp_on_loss(&d, true);
	tap_ok(d.cwnd == 1 && !d.reducing, "a timeout leaves one segment");
	d.cwnd = 80;
	d.ssthresh = 10;
	dctcp_on_idle(&d, 11000000);
	tap_ok(d.cwnd == 20 && d.ssthresh == 60, "an idle time halves it each 5 ms");
	d.cwnd = 15;
	dctcp_on_idle(&d, 1000000000);
	tap_ok(d.cwnd == DCTCP_INITIAL, "down to that of a new connection");
}

static void test_pace(void)
{
	uint64_t now = 1000, wire = PACKET_PAYLOAD + PACKET_HEADERS + PACKET_OVERHEAD;
	struct dcqcn_params p;
	struct paced s;
	uint32_t n;

	dcqcn_set_params(&p, DCQCN_PAPER, 10000000000ULL);
	paced_begin(&s, &p, now);
	n = paced_burst(&s, &p, now);
	tap_ok(n == PACED_BURST, "a flow begins with a whole burst");
	paced_on_sent(&s, &p, n * wire, now);
	tap_ok(paced_next_ns(&s, &p) == now + n * wire * 8 / 10, "at line rate");
	paced_on_cnp(&s, &p, now);
	tap_ok(s.rp.cur_bps == 5000000000ULL && s.stats.cnps == 1,
	       "a notification halves the rate at first");
	tap_ok(paced_next_ns(&s, &p) == now + 2 * n * wire * 8 / 10,
	       "what was not paid yet is paid at the new rate");
	paced_on_cnp(&s, &p, now + n * wire * 8 / 10);
	tap_ok(paced_next_ns(&s, &p) > now + 2 * n * wire * 8 / 10 &&
	       paced_next_ns(&s, &p) < now + 4 * n * wire * 8 / 10,
	       "and after another one, half way, the other half at a lower one");
	s.rp.cur_bps = p.min_bps;
	s.rp.timer_at = UINT64_MAX;
	tap_ok(paced_burst(&s, &p, now) == 1, "a slow flow sends single packets");
}

int main(void)
{
	test_growth();
	test_marks();
	test_losses();
	test_pace();
	return tap_done();
}
