// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of control frames: which frames are counted apart, and which pause a MAC.
 * Frames are built by hand, not by the header under test.
 */
#include <string.h>

#include "../../../selftests/unit/random.h"
#include "../../../selftests/lib/tap.h"
#include "../control.h"

static const u8 good[60] = {
	0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7, 0x88, 0x08, 0, 1, 0x12, 0x34,
};

static void control_type__ethertypes(void)
{
	static const struct {
		u16 type[3];
		bool control;
	} table[] = {
		{ { 0x0800 }, false }, { { 0x86dd }, false }, { { 0x0806 }, false },
		{ { 0x8808 }, true }, { { 0x22e7 }, true }, { { 0x88b5 }, true },
		{ { 0x22e8 }, false }, { { 0x88b6 }, false },
		{ { 0x8100, 0, 0x0800 }, false }, { { 0x8100, 5, 0x22e7 }, true },
		{ { 0x88a8, 5, 0x88b5 }, true }, { { 0x22e9, 1, 0x0800 }, false },
	};
	u8 frame[60] = { 2, 0, 0, 0, 0, 1, 2, 0, 0, 0, 0, 2 };
	bool ok = true;
	size_t i, j;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		for (j = 0; j < 3; j++) {
			frame[12 + 2 * j] = table[i].type[j] >> 8;
			frame[13 + 2 * j] = table[i].type[j] & 255;
		}
		ok &= labnic_control_type(frame, sizeof(frame)) == table[i].control;
	}
	tap_ok(ok, "control_type: EtherTypes, also behind tags");
	tap_ok(!labnic_control_type(good, 13) && labnic_control_type(good, 14),
	       "control_type: a frame without EtherType is none");
}

static void control_quanta__pause_only(void)
{
	u8 bad[60];
	bool ok = true;
	int i;

	tap_ok(labnic_control_quanta(good, 60) == 0x1234, "control_quanta: a PAUSE frame");
	memcpy(bad, good, 60);
	bad[16] = 0;
	bad[17] = 0;
	tap_ok(labnic_control_quanta(bad, 60) == 0, "control_quanta: the end of a pause");
	/* Any other destination, a group as source, another type or opcode. */
	for (i = 0; i < 16; i++) {
		memcpy(bad, good, 60);
		bad[i] ^= 1;
		if (i < 6 || i == 6 || i >= 12)
			ok &= labnic_control_quanta(bad, 60) == LABNIC_NO_PAUSE;
		else
			ok &= labnic_control_quanta(bad, 60) == 0x1234;
	}
	tap_ok(ok, "control_quanta: one bit off before the quanta is no PAUSE, but in the source");
	memcpy(bad, good, 60);
	bad[14] = 1;
	tap_ok(labnic_control_quanta(bad, 60) == LABNIC_NO_PAUSE && labnic_control_type(bad, 60),
	       "control_quanta: PFC is for the software");
	ok = true;
	for (i = 0; i < 18; i++)
		ok &= labnic_control_quanta(good, i) == LABNIC_NO_PAUSE;
	tap_ok(ok && labnic_control_quanta(good, 18) == 0x1234,
	       "control_quanta: a frame that is cut off is none");
}

static void control__anything(void)
{
	u64 random = 1;
	bool ok = true;
	int n;

	for (n = 0; n < 200000; n++) {
		u8 frame[60];
		u32 len = random_u64(&random) % 61;
		s32 quanta;
		u32 i;

		for (i = 0; i < len; i++)
			frame[i] = random_u64(&random);
		/* Half of them nearly right. */
		for (i = 0; n & 1 && i < len && i < 16; i++)
			frame[i] = good[i] ^ (random_u64(&random) % 40 == 0);
		quanta = labnic_control_quanta(frame, len);
		ok &= quanta >= LABNIC_NO_PAUSE && quanta <= 65535;
		ok &= quanta == LABNIC_NO_PAUSE || labnic_control_type(frame, len);
	}
	tap_ok(ok, "control: random frames, within their bytes; what pauses is a control frame");
}

int main(void)
{
	control_type__ethertypes();
	control_quanta__pause_only();
	control__anything();
	return tap_done();
}
