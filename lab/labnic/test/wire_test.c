// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of labnic's wire: a table of single frames, and random traffic
 * against an oracle in exact rational numbers (128 bit).
 */
#include <inttypes.h>
#include <stdlib.h>

#include "../../../selftests/unit/random.h"
#include "../../../selftests/lib/tap.h"
#include "../wire.h"

static void wire_bytes__overhead_and_minimum(void)
{
	static const u32 table[][2] = {
		/* frame, wire */
		{ 0, 84 }, { 14, 84 }, { 59, 84 }, { 60, 84 }, { 61, 85 },
		{ 98, 122 }, { 1514, 1538 }, { 1518, 1542 }, { 9014, 9038 },
	};
	bool ok = true;
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++)
		ok &= labnic_wire_bytes(table[i][0]) == table[i][1];
	tap_ok(ok, "wire_bytes: 24 bytes of overhead, at least 84");
}

static void wire_send__idle_wire(void)
{
	static const struct {
		u64 rate_bps;
		u32 bytes;
		u64 ns;
	} table[] = {
		{ 10000000000, 1538, 1230 },	/* 1230.4 */
		{ 10000000000, 84, 67 },	/* 67.2 */
		{ 1000000000, 1538, 12304 },
		{ 100000000000, 1538, 123 },	/* 123.04 */
		{ 400000000000, 84, 1 },	/* 1.68 */
		{ 1000000, 1538, 12304000 },
		{ 1000000, 65559, 524472000 },
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		struct labnic_wire wire;
		u64 end;

		labnic_wire_init(&wire, table[i].rate_bps);
		end = labnic_wire_send(&wire, 5000000000, table[i].bytes);
		if (!tap_ok(end == 5000000000 + table[i].ns,
			    "wire_send: %" PRIu32 " bytes at %" PRIu64 " bit/s",
			    table[i].bytes, table[i].rate_bps))
			tap_remark("got %" PRIu64 " ns", end - 5000000000);
	}
}

static void wire_send__carries_the_rest(void)
{
	struct labnic_wire wire;
	u64 end = 0;
	int i;

	labnic_wire_init(&wire, 10000000000);
	for (i = 0; i < 10; i++)
		end = labnic_wire_send(&wire, 0, 1538);
	tap_ok(end == 12304, "wire_send: ten frames of 1230.4 ns take 12304 ns");
	end = labnic_wire_send(&wire, 12304, 1538);
	tap_ok(end == 12304 + 1230, "wire_send: handed over at the very end");
	end = labnic_wire_send(&wire, 12304 + 1231, 1538);
	tap_ok(end == 12304 + 1231 + 1230,
	       "wire_send: an idle ns forgets the rest");
}

/*
 * The oracle: the exact end in units of 1/rate ns.  A frame that is handed over
 * in the ns in which the wire falls idle starts at the exact end.
 */
static bool random_round(u64 *random, u64 rate_bps)
{
	unsigned __int128 end = 0;
	struct labnic_wire wire;
	u64 now = 0;
	int i;

	labnic_wire_init(&wire, rate_bps);
	for (i = 0; i < 1000; i++) {
		u32 bytes = 84 + random_below(random, 9000);
		u64 got;

		now += random_below(random, 2) ? 0 :
		       random_below(random, 1 + 2 * 9000ULL * 8000000000 / rate_bps);
		if (now > (u64)(end / rate_bps))
			end = (unsigned __int128)now * rate_bps;
		end += (unsigned __int128)bytes * 8 * 1000000000;
		got = labnic_wire_send(&wire, now, bytes);
		if (got != (u64)(end / rate_bps)) {
			tap_remark("frame %d: %" PRIu64 " instead of %" PRIu64,
				   i, got, (u64)(end / rate_bps));
			return false;
		}
	}
	return true;
}

static void wire_send__random(u64 seed)
{
	u64 random = seed;
	bool ok = true;
	int i;

	for (i = 0; ok && i < 1000; i++)
		ok = random_round(&random, 1000000 +
				  random_below(&random, i % 2 ? 399999000000 :
					       1000000000));
	tap_ok(ok, "wire_send: a million random frames as the oracle");
}

int main(int argc, char **argv)
{
	u64 seed = argc > 1 ? strtoull(argv[1], NULL, 0) : 1;

	tap_remark("seed %" PRIu64, seed);
	wire_bytes__overhead_and_minimum();
	wire_send__idle_wire();
	wire_send__carries_the_rest();
	wire_send__random(seed);
	return tap_done();
}
