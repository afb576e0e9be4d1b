// SPDX-License-Identifier: GPL-2.0
/*
 * Bytes drive On-Ramp's algorithms and their oracle side by side: a flow whose
 * packets leave, are reported, and are held, and a path that is reported on
 * and held; times and delays lie on and around whatever is in force.  Any
 * disagreement aborts.
 *
 *   head        1 byte: is T given?  1 byte each: margin, max_error in us
 *   operation   1 byte: modulo 8 what to do, divided by 8 with which packet
 *   time        form (1 byte), for some forms 1 to 5 bytes more
 *   delay       likewise
 *   clock       of a report on the path: bound (1 byte), epoch and state (1 byte)
 *
 * What is missing at the end is 0.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"
#include "pair_onramp.h"

#define PACKETS		32
/* No sum can wrap, and no difference of delays: 2^61 ns are 73 years. */
#define LATEST_NS	(1ULL << 61)
#define LONGEST_OWD	(1ULL << 62)
/* The oracle's history is bounded; so is what an input does. */
#define STEPS		1000

static struct onramp_pair flow;
static struct onramp_path_pair path;

static uint64_t take_now(struct bytes *b, uint64_t now)
{
	unsigned int form = take(b, 1);
	uint64_t next = now;

	switch (form % 8) {
	case 0:
		next = around(flow.hold.t_next_ns, form / 8);
		break;
	case 1:
		next = around(path.vars.window_ns + 50000000, form / 8);
		break;
	case 2:
		next = around(path.vars.base_at_ns + 1000000000, form / 8);
		break;
	case 3:
		next = around(path.vars.suspect_ns + 50000000, form / 8);
		break;
	case 4:
		next = now + take(b, 2);
		break;
	case 5:
		next = now + take(b, 3);
		break;
	case 6:
		next = now + take(b, form / 8 ? 4 : 6);
		break;
	default:
		next = now + form / 8;
		break;
	}
	return next < now || next > LATEST_NS ? now : next;
}

static uint64_t take_t(struct bytes *b)
{
	unsigned int form = take(b, 1);

	if (form == 255)
		return take(b, 8) % LONGEST_OWD;
	return form * 1000;
}

static int64_t take_owd(struct bytes *b, uint64_t t, uint64_t hold)
{
	unsigned int form = take(b, 1);
	uint64_t beta_hold = (uint64_t)((long double)hold * flow.vars.beta_q16 / ONRAMP_BETA_ONE);
	uint64_t owd;

	switch (form % 8) {
	case 0:
		owd = around(t, form / 8);
		break;
	case 1:
		owd = around(t + beta_hold, form / 8);
		break;
	case 2:
		owd = around(t + beta_hold + flow.params.max_hold_ns, form / 8);
		break;
	case 3:
		return -(int64_t)take(b, 4);
	case 4:
		owd = take(b, 8);
		break;
	default:
		owd = t + take(b, 2);
		break;
	}
	return owd % LONGEST_OWD;
}

static void take_params(struct bytes *b)
{
	unsigned int form = take(b, 1);

	onramp_pair_params(&flow, form & 1, 1 + take(b, 2) % 1024,
			   1 + take(b, 1 + form / 2 % 6));
}

static int64_t take_path_owd(struct bytes *b, uint64_t error)
{
	uint64_t t = onramp_path_threshold(&path.params, &path.vars, error);
	unsigned int form = take(b, 1);

	switch (form % 8) {
	case 0:
		return around(t, form / 8);
	case 1:
		return (int64_t)around(path.vars.base_ns, form / 8);
	case 2:
		return (int64_t)around(path.vars.base_ns, form / 8) - (int64_t)error;
	case 3:
		return (int64_t)around(path.vars.alike_min_ns, form / 8) +
		       ((form & 8 ? 1 : -1)) * (int64_t)(error + path.params.margin_ns);
	case 4:
		return (int8_t)take(b, 1);
	default:
		return take(b, 1 + form / 8 % 3);
	}
}

static bool path_report(struct bytes *b, uint64_t now)
{
	uint64_t bound = take(b, 1);
	unsigned int clock = take(b, 1);
	struct onramp_report r = {
		.now_ns = now,
		.error_ns = bound * 1000,
		.epoch = clock / 64,
		.clock_ok = clock % 16 != 15,
	};

	r.owd_ns = take_path_owd(b, r.error_ns);
	r.tx_ns = now - 20000000;
	if (clock / 16 % 4 == 3 && r.owd_ns > 0)
		r.tx_ns = around(now - (uint64_t)r.owd_ns, clock % 16);
	return onramp_path_pair_report(&path, &r);
}

static bool step(struct bytes *b, unsigned int operation, uint64_t now,
		 struct onramp_sent *sent)
{
	struct onramp_sent *one = &sent[operation / 8 % PACKETS];
	uint64_t t;

	switch (operation % 8) {
	case 0:
		return onramp_pair_send(&flow, now, one);
	case 1:
		return onramp_pair_hold(&flow, now, around(now + take(b, 3), operation / 8));
	case 2:
		take_params(b);
		return true;
	case 3:
		return onramp_path_pair_hold(&path, operation / 8 % ONRAMP_PAIR_FLOWS, now, now + take(b, 4));
	case 4:
	case 5:
		return path_report(b, now);
	default:
		t = take_t(b);
		return onramp_pair_report(&flow, now, one,
					  take_owd(b, t, onramp_hold_total(&flow.hold, now) -
						   one->total_ns), t);
	}
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: bytes, read as above
 * @size: how many
 *
 * Return: 0; does not return if algorithm and oracle disagree.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .end = data + size };
	struct onramp_sent sent[PACKETS] = { 0 };
	uint64_t now = 1000000000;
	struct onramp_path_params params;
	unsigned int operation, nr;

	params.threshold_ns = take(&b, 1) % 128 * 1000;
	params.margin_ns = take(&b, 1) * 1000;
	params.max_error_ns = take(&b, 1) * 1000;
	onramp_pair_start(&flow, ONRAMP_BETA_ONE);
	onramp_path_pair_start(&path, &params);
	for (nr = 0; nr < STEPS && b.at < b.end; nr++) {
		operation = take(&b, 1);
		now = take_now(&b, now);
		if (!step(&b, operation, now, sent)) {
			fprintf(stderr, "step %u: %s%s\n", nr, flow.trouble, path.trouble);
			abort();
		}
	}
	return 0;
}
