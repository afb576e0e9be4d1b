/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames and their flows, by hand; the unit test and the KUnit test run the same.
 */
#ifndef SHARPRAMP_UNIT_L2_FLOW_VECTORS_H
#define SHARPRAMP_UNIT_L2_FLOW_VECTORS_H

#include "l2_flow.h"

#define TO	"0200000000b2"
#define FROM	"0200000000a1"
#define HOSTS4	"0a000001 0a000002"
#define IPV4	"0800 45000054 00010000 4011 0000" HOSTS4
#define PREFIX6	"20010db80000000000000000"
#define HOSTS6	PREFIX6 "00000001" PREFIX6 "00000002"
#define IPV6	"86dd 60000000 0014 06 40" HOSTS6
#define NOPS	"01010101"
#define NOPS_40	NOPS NOPS NOPS NOPS NOPS NOPS NOPS NOPS NOPS NOPS
#define PORTS	"1388 0009"

/* Length of the longest frame below. */
#define L2_FLOW_FRAME_MAX	128

/**
 * struct l2_flow_vector - a frame, and the flow that it has
 * @name: of the test
 * @frame: the frame, in hexadecimal
 * @known: it has one
 * @flow: it
 * @least: bytes of the MSDU from which it is known
 */
struct l2_flow_vector {
	const char *name;
	const char *frame;
	bool known;
	struct l2_flow flow;
	u32 least;
};

#define DA		{ 2, 0, 0, 0, 0, 0xb2 }
#define SADDR4		{ [10] = 0xff, 0xff, 10, 0, 0, 1 }
#define DADDR4		{ [10] = 0xff, 0xff, 10, 0, 0, 2 }
#define SADDR6		{ 0x20, 1, 0xd, 0xb8, [15] = 1 }
#define DADDR6		{ 0x20, 1, 0xd, 0xb8, [15] = 2 }
#define FLOW4(p, s, d)	{ SADDR4, DADDR4, DA, 0x800, s, d, p, {} }
#define FLOW6(p, s, d)	{ SADDR6, DADDR6, DA, 0x86dd, s, d, p, {} }
#define FLOW2(t)	{ .da = DA, .type = t }

static const struct l2_flow_vector l2_flow_vectors[] = {
	{ "udp4", TO FROM IPV4 "1388 0009 0000 0000", true, FLOW4(17, 5000, 9), 26 },
	{ "vlan", TO FROM "8100 6007" IPV4 "1388 0009", true, FLOW4(17, 5000, 9), 26 },
	{ "two_vlans_and_cn_tag", TO FROM "88a8 0001 8100 0002 22e9 beef" IPV4 "1388 0009", true,
	  FLOW4(17, 5000, 9), 26 },
	{ "tcp6", TO FROM IPV6 "0050 c000", true, FLOW6(6, 80, 0xc000), 46 },
	{ "sctp", TO FROM "0800 45000054 00010000 4084 0000" HOSTS4 "0001 0002", true,
	  FLOW4(132, 1, 2), 26 },
	{ "icmp", TO FROM "0800 45000054 00010000 4001 0000" HOSTS4 "0800 1234", true,
	  FLOW4(1, 0, 0), 22 },
	{ "first_fragment", TO FROM "0800 45000054 00012000 4011 0000" HOSTS4 PORTS, true,
	  FLOW4(17, 0, 0), 22 },
	{ "last_fragment", TO FROM "0800 45000054 00010001 4011 0000" HOSTS4 PORTS, true,
	  FLOW4(17, 0, 0), 22 },
	{ "dont_fragment", TO FROM "0800 45000054 00014000 4011 0000" HOSTS4 PORTS, true,
	  FLOW4(17, 5000, 9), 26 },
	{ "ipv4_options", TO FROM "0800 46000054 00010000 4011 0000" HOSTS4 NOPS PORTS, true,
	  FLOW4(17, 5000, 9), 30 },
	{ "most_ipv4_options",
	  TO FROM "0800 4f000054 00010000 4011 0000" HOSTS4 NOPS_40 PORTS, false, {}, 0 },
	{ "ipv6_extension",
	  TO FROM "86dd 60000000 0014 00 40" HOSTS6 "0600 0000", true, FLOW6(0, 0, 0), 42 },
	{ "short_ipv4_header",
	  TO FROM "0800 44000054 00010000 4011 0000" HOSTS4 PORTS, false, {}, 0 },
	{ "ipv4_of_version_6",
	  TO FROM "0800 65000054 00010000 4011 0000" HOSTS4 PORTS, false, {}, 0 },
	{ "ipv6_of_version_4",
	  TO FROM "86dd 40000000 0014 06 40" HOSTS6 "0050 c000", false, {}, 0 },
	{ "arp", TO FROM "0806 0001", true, FLOW2(0x806), 2 },
	{ "rocev1", TO FROM "8915 1234", true, FLOW2(0x8915), 2 },
	{ "length", TO FROM "0026 4242", true, FLOW2(0), 2 },
	{ "cnm", TO FROM "22e7 0001", false, {}, 0 },
	{ "mac_control", TO FROM "8808 0001", false, {}, 0 },
	{ "tagged_cnm", TO FROM "22e9 0001 22e7 0001", false, {}, 0 },
	{ "no_type", TO FROM "08", false, {}, 0 },
};

#undef TO
#undef FROM
#undef HOSTS4
#undef IPV4
#undef PREFIX6
#undef HOSTS6
#undef IPV6
#undef NOPS
#undef NOPS_40
#undef PORTS
#undef DA
#undef SADDR4
#undef DADDR4
#undef SADDR6
#undef DADDR6
#undef FLOW4
#undef FLOW6
#undef FLOW2

#define L2_FLOW_VECTORS	(sizeof(l2_flow_vectors) / sizeof(l2_flow_vectors[0]))

static inline u8 l2_flow_digit(char c)
{
	return c <= '9' ? c - '0' : c - 'a' + 10;
}

/**
 * l2_flow_bytes() - read a frame
 * @hex: pairs of lower-case digits, with spaces between some
 * @at: gets the bytes; of L2_FLOW_FRAME_MAX
 *
 * Return: how many there are.
 */
static inline size_t l2_flow_bytes(const char *hex, u8 *at)
{
	size_t len = 0;

	for (; *hex; hex++) {
		if (*hex == ' ')
			continue;
		at[len++] = l2_flow_digit(hex[0]) << 4 | l2_flow_digit(hex[1]);
		hex++;
	}
	return len;
}

#endif /* SHARPRAMP_UNIT_L2_FLOW_VECTORS_H */
