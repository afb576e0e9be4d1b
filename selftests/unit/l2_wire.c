// SPDX-License-Identifier: GPL-2.0
/*
 * CNM, CN-TAG, PAUSE and PFC: frames written by hand, every length cut, every byte changed,
 * and random ones written and read again. Each frame is in memory of its own size, so that a
 * sanitizer sees more.
 */
#include <linux/if_ether.h>
#include <stdlib.h>
#include <string.h>

#include "frames.h"
#include "l2_wire.h"
#include "options.h"
#include "random.h"

static_assert(L2_TYPE_VLAN == ETH_P_8021Q && L2_TYPE_SERVICE_VLAN == ETH_P_8021AD, "VLAN");
static_assert(L2_TYPE_MAC_CONTROL == ETH_P_PAUSE, "MAC control");
static_assert(L2_MIN_BYTES == ETH_ZLEN && L2_ADDRESS_BYTES == ETH_ALEN, "lengths");
static_assert(L2_CNM_MAX_BYTES == 114, "longest CNM");

static const u8 port[] = { 2, 0, 0, 0, 0, 0x99 };
static const u8 cpid[] = { 2, 0, 0, 0, 0, 0x99, 0, 1 };

#define CPID	"0200000000990001"
#define MSDU_62	"0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f" \
		"2122232425262728292a2b2c2d2e2f303132333435363738393a3b3c3d3e3f"

/**
 * struct written - a culprit's frame, and its CNM
 * @name: of the test
 * @culprit: the frame
 * @msdu_max: most of it
 * @cnm: that must be; NULL: none
 */
struct written {
	const char *name;
	const char *culprit;
	u32 msdu_max;
	const char *cnm;
};

/* Feedback 42, offset 500 x 64, change -3 x 64, priority 5; padding is not written here. */
#define CNM		"22e7 002a" CPID "01f4 fffd a000" TO

static const struct written writes[] = {
	{ "untagged", TO FROM "0800 4500001c", 64, FROM PORT CNM "0006 0800 4500001c" },
	{ "vlan_and_cn_tag", TO FROM "8100 6064 22e9 beef 0800 45000102", 64,
	  FROM PORT "8100 6064 22e9 beef" CNM "0006 0800 45000102" },
	{ "two_vlans", TO FROM "88a8 0001 8100 0fff 86dd 60", 64,
	  FROM PORT "88a8 0001 8100 0fff" CNM "0003 86dd 60" },
	{ "third_vlan_is_msdu", TO FROM "8100 0001 8100 0002 8100 0003 0800", 64,
	  FROM PORT "8100 0001 8100 0002" CNM "0006 8100 0003 0800" },
	{ "second_cn_tag_is_msdu", TO FROM "22e9 0001 22e9 0002", 64,
	  FROM PORT "22e9 0001" CNM "0004 22e9 0002" },
	{ "no_msdu", TO FROM "0800 4500", 0, FROM PORT CNM "0000" },
	{ "some_msdu", TO FROM "0800 4500", 3, FROM PORT CNM "0003 0800 45" },
	{ "longest", TO FROM "8100 0001 8100 0002 22e9 0003 0800" MSDU_62 "ee", 64,
	  FROM PORT "8100 0001 8100 0002 22e9 0003" CNM "0040 0800" MSDU_62 },
	{ "from_a_group", TO GROUP "0800 4500", 64, NULL },
	{ "from_nobody", TO NOBODY "0800 4500", 64, NULL },
	{ "of_a_cnm", TO FROM "8100 0001 22e7 0001", 64, NULL },
	{ "of_mac_control", TO FROM "8808 0001 ffff", 64, NULL },
	{ "short", TO FROM "08", 64, NULL },
	{ "short_tag", TO FROM "8100 00", 64, NULL },
	{ "nothing_after_a_tag", TO FROM "8100 0001", 64, NULL },
	{ "empty", "", 64, NULL },
};

static void writes_test(void)
{
	const struct l2_cnm cnm = {
		.cpid = cpid, .qntz_fb = 42, .priority = 5, .q_offset = 500, .q_delta = -3
	};
	u8 out[L2_CNM_MAX_BYTES];
	struct frame f, want;
	size_t len, at;
	bool good;
	u32 i;

	for (i = 0; i < sizeof(writes) / sizeof(writes[0]); i++) {
		f = frame_of(writes[i].culprit);
		want = frame_of(writes[i].cnm ? writes[i].cnm : "");
		memset(out, 0xa5, sizeof(out));
		len = l2_cnm_put(out, port, f.at, f.len, &cnm, writes[i].msdu_max);
		good = len == (writes[i].cnm ? max(want.len, L2_MIN_BYTES) : 0) &&
		       !memcmp(out, want.at, want.len);
		for (at = want.len; at < sizeof(out); at++)
			good = good && out[at] == (at < len ? 0 : 0xa5);
		if (!tap_ok(good, "l2_cnm_put__%s", writes[i].name))
			tap_remark("%zu bytes", len);
		free(f.at);
		free(want.at);
	}
}

static void units_test(void)
{
	static const s32 units[][2] = {
		{ 0, 0 }, { 63, 0 }, { -63, 0 }, { 64, 1 }, { -64, -1 }, { 127, 1 },
		{ 2097151, 32767 }, { INT32_MAX, 32767 }, { -2097216, -32768 },
		{ INT32_MIN, -32768 },
	};
	bool good = true;
	u32 i;

	for (i = 0; i < sizeof(units) / sizeof(units[0]); i++)
		good = good && l2_cnm_units(units[i][0]) == units[i][1];
	tap_ok(good, "l2_cnm_units");
}

/**
 * struct change - of a good CNM
 * @name: of the test
 * @at: where; a length with @value -1
 * @value: of the byte there
 * @fault: what is wrong then
 */
struct change {
	const char *name;
	int at;
	int value;
	enum l2_fault fault;
};

/* With a VLAN tag and a CN-TAG, so its PDU begins at 22; 2 bytes of MSDU, 68 more. */
#define CNM_PDU		22
#define CNM_GOOD	FROM PORT "8100 6064 22e9 beef" CNM "0002 0800" MSDU_62 "000000000000"

static const struct change changes[] = {
	{ "good", 0, 2, L2_OK },
	{ "version_1", CNM_PDU, 0x10, L2_BAD_VERSION },
	{ "version_8", CNM_PDU, 0x80, L2_BAD_VERSION },
	{ "reserved_bits", CNM_PDU, 0x0f, L2_OK },
	{ "reserved_bits_of_feedback", CNM_PDU + 1, 0xea, L2_OK },
	{ "no_feedback", CNM_PDU + 1, 0xc0, L2_BAD_FEEDBACK },
	{ "reserved_bits_of_priority", CNM_PDU + 14, 0xbf, L2_OK },
	{ "longest_msdu", CNM_PDU + 23, 64, L2_OK },
	{ "more_msdu_than_may_be", CNM_PDU + 23, 65, L2_BAD_MSDU },
	{ "much_more_msdu_than_may_be", CNM_PDU + 22, 1, L2_BAD_MSDU },
	{ "without_padding", CNM_PDU + 26, -1, L2_OK },
	{ "msdu_cut", CNM_PDU + 25, -1, L2_BAD_MSDU },
	{ "pdu_cut", CNM_PDU + 23, -1, L2_SHORT },
	{ "type_cut", CNM_PDU - 1, -1, L2_SHORT },
	{ "tag_cut", 15, -1, L2_SHORT },
	{ "another_type", 21, 0xe8, L2_OTHER },
	{ "to_a_group", 0, 3, L2_BAD_ADDRESS },
	{ "from_a_group", 6, 3, L2_BAD_ADDRESS },
};

static void changes_test(void)
{
	struct l2_header h, h_before;
	struct l2_cnm cnm, before;
	struct frame f, cut;
	enum l2_fault fault;
	bool good;
	u32 i;

	for (i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		f = frame_of(CNM_GOOD);
		if (changes[i].value >= 0)
			f.at[changes[i].at] = changes[i].value;
		cut = frame_copy(f.at, changes[i].value < 0 ? (size_t)changes[i].at : f.len);
		memset(&cnm, 0xa5, sizeof(cnm));
		memset(&h, 0xa5, sizeof(h));
		before = cnm;
		h_before = h;
		fault = l2_cnm_parse(cut.at, cut.len, &h, &cnm);
		if (fault)
			good = !memcmp(&cnm, &before, sizeof(cnm)) &&
			       !memcmp(&h, &h_before, sizeof(h));
		else
			good = h.has_vlan && h.tci == 0x6064 && h.has_cn_tag && h.rpid == 0xbeef &&
			       h.bytes == 20 && cnm.qntz_fb == 42 && !memcmp(cnm.cpid, cpid, 8) &&
			       cnm.q_offset == 500 && cnm.q_delta == -3 && cnm.priority == 5 &&
			       cnm.da[5] == 0xb2 && cnm.msdu_bytes == cut.at[CNM_PDU + 23] &&
			       cnm.msdu == cut.at + CNM_PDU + 24;
		if (!tap_ok(good && fault == changes[i].fault, "l2_cnm_parse__%s", changes[i].name))
			tap_remark("fault %u", fault);
		free(f.at);
		free(cut.at);
	}
}

/**
 * struct paused - a PAUSE or PFC frame
 * @name: of the test
 * @frame: it
 * @fault: what is wrong with it
 * @pause: what it says
 */
struct paused {
	const char *name;
	const char *frame;
	enum l2_fault fault;
	struct l2_pause pause;
};

#define ALL(quanta)	{ quanta, quanta, quanta, quanta, quanta, quanta, quanta, quanta }
#define TO_LINK		"0180c2000001"
#define XOFF		"8808 0001 ffff"
#define PFC_ALL		"0001 0002 0003 0004 0005 0006 0007 0008"

/* Those that are good, but for one with reserved bits, are written as they are, and padded. */
static const struct paused pauses[] = {
	{ "xoff", TO_LINK PORT XOFF, L2_OK, { ALL(0xffff), 0xff, false } },
	{ "xon", TO_LINK PORT "8808 0001 0000", L2_OK, { ALL(0), 0xff, false } },
	{ "pfc", TO_LINK PORT "8808 0101 0009 1234 0000 0000 ffff 0000 0000 0000 0000", L2_OK,
	  { { 0x1234, 0, 0, 0xffff, 0, 0, 0, 0 }, 9, true } },
	{ "pfc_all", TO_LINK PORT "8808 0101 00ff" PFC_ALL, L2_OK,
	  { { 1, 2, 3, 4, 5, 6, 7, 8 }, 0xff, true } },
	{ "reserved_bits", TO_LINK PORT "8808 0101 ff01" PFC_ALL, L2_OK, { { 1 }, 1, true } },
	{ "shortest", TO_LINK PORT "8808 0001 0001", L2_OK, { ALL(1), 0xff, false } },
	{ "short", TO_LINK PORT "8808 0001 00", L2_SHORT, {} },
	{ "short_pfc", TO_LINK PORT "8808 0101 00ff 0001 0002 0003 0004 0005 0006 0007 00",
	  L2_SHORT, {} },
	{ "no_opcode", TO_LINK PORT "8808 00", L2_SHORT, {} },
	{ "no_type", TO_LINK PORT "88", L2_SHORT, {} },
	{ "another_type", TO_LINK PORT "8809 0001 ffff", L2_OTHER, {} },
	{ "another_opcode", TO_LINK PORT "8808 0002 ffff", L2_BAD_OPCODE, {} },
	{ "to_a_station", TO PORT XOFF, L2_BAD_ADDRESS, {} },
	{ "to_another_group", "0180c2000000" PORT XOFF, L2_BAD_ADDRESS, {} },
	{ "from_a_group", TO_LINK GROUP XOFF, L2_BAD_ADDRESS, {} },
	{ "from_nobody", TO_LINK NOBODY XOFF, L2_BAD_ADDRESS, {} },
};

static bool same_pause(const struct l2_pause *a, const struct l2_pause *b)
{
	return !memcmp(a->quanta, b->quanta, sizeof(a->quanta)) && a->priorities == b->priorities &&
	       a->is_pfc == b->is_pfc;
}

static void pauses_test(void)
{
	struct l2_pause pause, before;
	enum l2_fault fault;
	struct frame f;
	u8 out[L2_MIN_BYTES];
	size_t at;
	bool good;
	u32 i;

	for (i = 0; i < sizeof(pauses) / sizeof(pauses[0]); i++) {
		f = frame_of(pauses[i].frame);
		memset(&pause, 0xa5, sizeof(pause));
		before = pause;
		fault = l2_pause_parse(f.at, f.len, &pause);
		good = fault == pauses[i].fault &&
		       same_pause(&pause, fault ? &before : &pauses[i].pause);
		if (!tap_ok(good, "l2_pause_parse__%s", pauses[i].name))
			tap_remark("fault %u", fault);
		if (!fault && !(pause.is_pfc && f.at[16])) {
			l2_pause_put(out, port, &pauses[i].pause);
			good = !memcmp(out, f.at, f.len);
			for (at = f.len; at < sizeof(out); at++)
				good = good && !out[at];
			tap_ok(good, "l2_pause_put__%s", pauses[i].name);
		}
		free(f.at);
	}
}

static void cn_tag_test(void)
{
	struct frame f = frame_of(TO FROM "88a8 0001 8100 0002 0000 0000 0800");
	struct l2_header h;

	l2_cn_tag_put(f.at + 20, 0x1234);
	tap_ok(!l2_header_parse(f.at, f.len, &h) && h.has_cn_tag && h.rpid == 0x1234 &&
	       h.bytes == 24 && h.type == 0x0800 && h.has_vlan && h.tci == 1, "l2_cn_tag_put");
	free(f.at);
}

/* A frame of random bytes with tags and types that matter here and there. */
static struct frame random_frame(u64 *seed)
{
	static const u16 types[] = { 0x0800,	     L2_TYPE_VLAN, L2_TYPE_SERVICE_VLAN,
				     L2_TYPE_CN_TAG, L2_TYPE_CNM,  L2_TYPE_MAC_CONTROL };
	struct frame f = { NULL, random_below(seed, 130) };
	size_t i;

	f.at = malloc(f.len + 1);
	for (i = 0; i < f.len; i++)
		f.at[i] = random_u64(seed);
	f.at = realloc(f.at, f.len ? f.len : 1);
	for (i = 12; i + 2 <= f.len && random_below(seed, 8); i += 4)
		l2_put16(f.at + i, types[random_below(seed, 6)]);
	if (f.len > 17 && random_below(seed, 2))
		memcpy(f.at, "\x01\x80\xc2\0\0\1\2\0\0\0\0\1\x88\x08", 14);
	if (f.len > 17 && random_below(seed, 2))
		l2_put16(f.at + 14, random_below(seed, 2) ? L2_OPCODE_PAUSE : L2_OPCODE_PFC);
	return f;
}

/* Written frames are read; values that are read keep their ranges, and are written the same. */
static const char *random_check(struct frame f, u64 *seed)
{
	const struct l2_cnm cnm = { .cpid = cpid,
				    .qntz_fb = 1 + random_below(seed, 63),
				    .priority = random_below(seed, 8),
				    .q_offset = random_u64(seed),
				    .q_delta = random_u64(seed) };
	u8 out[L2_CNM_MAX_BYTES], again[L2_MIN_BYTES];
	size_t len = l2_cnm_put(out, port, f.at, f.len, &cnm, random_below(seed, 70));
	struct l2_pause pause, pause_again;
	struct l2_header h, culprit;
	struct l2_cnm got;

	if (len &&
	    (l2_cnm_parse(out, len, &h, &got) || len < L2_MIN_BYTES || len > L2_CNM_MAX_BYTES ||
	     l2_header_parse(f.at, f.len, &culprit) || h.bytes != culprit.bytes ||
	     h.rpid != culprit.rpid || got.qntz_fb != cnm.qntz_fb || got.priority != cnm.priority ||
	     got.q_offset != cnm.q_offset || got.q_delta != cnm.q_delta ||
	     memcmp(out, f.at + 6, 6) || memcmp(got.da, f.at, 6) ||
	     memcmp(got.msdu, f.at + h.bytes, got.msdu_bytes)))
		return "a CNM that was written";
	if (!l2_cnm_parse(f.at, f.len, &h, &got) &&
	    (got.msdu + got.msdu_bytes > f.at + f.len || !got.qntz_fb || got.qntz_fb > 63 ||
	     got.msdu_bytes > 64 || got.priority > 7))
		return "a CNM of any bytes";
	if (!l2_pause_parse(f.at, f.len, &pause)) {
		l2_pause_put(again, f.at + 6, &pause);
		if (l2_pause_parse(again, sizeof(again), &pause_again) ||
		    !same_pause(&pause, &pause_again))
			return "PAUSE that was read";
	}
	return NULL;
}

static void random_test(u64 seed, unsigned long n)
{
	const char *wrong = NULL;
	struct frame f;
	unsigned long i;

	for (i = 0; i < n && !wrong; i++) {
		f = random_frame(&seed);
		wrong = random_check(f, &seed);
		free(f.at);
	}
	if (!tap_ok(!wrong, "l2_wire__random_frames"))
		tap_remark("frame %lu: %s", i, wrong);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100000, "frames");

	writes_test();
	units_test();
	changes_test();
	pauses_test();
	cn_tag_test();
	random_test(o.seed, o.n);
	return tap_done();
}
