// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of a burst as datagrams: they take the time on a wire that the
 * burst takes, and no call gets more than it may.
 */
#include "../../../selftests/lib/tap.h"
#include "../bursts/cut.h"
#include "../labnic_uapi.h"

/* Wire bytes of what is sent of a payload, and the frames that are shorter than one can be. */
static u32 wire_bytes(u32 payload, u32 *too_short)
{
	u32 sum = 0;

	while (payload) {
		u32 call = min_t(u32, payload, CUT_CALL), left = call;

		while (left) {
			u32 some = min_t(u32, left, CUT_PAYLOAD);

			*too_short += some < CUT_LEAST;
			sum += labnic_wire_bytes(CUT_HEADERS + some);
			left -= some;
		}
		payload -= call;
	}
	return sum;
}

static void cut__takes_the_time(void)
{
	u32 bytes, wrong = 0, too_short = 0;

	for (bytes = LABNIC_WIRE_MIN; bytes <= LABNIC_CROSS_BURST_MAX; bytes++) {
		u32 rest = bytes % CUT_WIRE, want = bytes;

		if (rest && rest < LABNIC_WIRE_MIN)
			want += LABNIC_WIRE_MIN - rest;
		wrong += wire_bytes(cut_payload(bytes), &too_short) != want;
	}
	tap_ok(!wrong, "cut: bursts take their time, and at most a shortest frame more");
	tap_ok(!too_short, "cut: no frame is padded");
}

static void cut__frames(void)
{
	tap_ok(CUT_WIRE == 1538 && CUT_LEAST == 18 &&
	       labnic_wire_bytes(CUT_HEADERS + CUT_LEAST) == LABNIC_WIRE_MIN,
	       "cut: frames of MTU 1500, and the shortest");
	tap_ok(CUT_CALL <= 65507 && CUT_CALL % CUT_PAYLOAD == 0,
	       "cut: a call's payload is what UDP takes, in whole frames");
	tap_ok(cut_payload(CUT_WIRE) == CUT_PAYLOAD && cut_payload(LABNIC_WIRE_MIN) == CUT_LEAST &&
	       cut_payload(CUT_WIRE + 1) == CUT_PAYLOAD + CUT_LEAST,
	       "cut: one frame, the shortest, and one more byte");
}

int main(void)
{
	cut__takes_the_time();
	cut__frames();
	return tap_done();
}
