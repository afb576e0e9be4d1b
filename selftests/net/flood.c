// SPDX-License-Identifier: GPL-2.0
/*
 * What somebody may send to On-Ramp who means no good, made of what is really
 * sent.
 *
 *   flood DEV MS PER_MS SEED [KIND...]
 *
 * Says "listening" when it does.  For MS milliseconds: listens to what leaves by
 * DEV, keeps the latest OR-ACKs and TCP packets with payload, and sends PER_MS
 * frames each millisecond by DEV, each a copy of one of these that was spoiled in
 * the next of the KINDs, or of all.  Then says of each kind what it is to be
 * counted as, and how many were sent: "KIND CLASS COUNT".  A kind that does not
 * exist in the family of what it is made from, such as IPv6 options of an IPv4
 * packet, is passed over.
 *
 * Classes of OR-ACKs, at the sender of the data:
 *   taken    of a live flow, and whole
 *   bad      to the port of OR-ACKs, but none, or its checksum is wrong
 *   stray    of no flow there, but for an address of the host
 *   strange  with no entry that could be of a flow
 *   none     nothing that is looked at
 * Classes of data, at the receiver:
 *   peer       a packet with payload for this host, from inside the allow-list
 *   outsider   same, from outside
 *   elsewhere  same, from inside, for another host
 *   refusal    the peer says that it does not listen
 *   none       nothing that is looked at
 *
 * For a given SEED what is done to the copies is always the same.
 */
#define _GNU_SOURCE		/* sendmmsg() */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <netpacket/packet.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#define FLOOD_PORT	31901	/* ONRAMP_PORT */
#define FLOOD_HEADER	16	/* bytes of an OR-ACK before its entries */
#define FLOOD_ENTRY	20
#define FLOOD_MOST	64	/* entries */

#define FLOOD_ETHER	14
#define FLOOD_FRAME	2048
#define FLOOD_LONGEST	1514
#define FLOOD_KEPT	32	/* frames to make others from */
#define FLOOD_BATCH	256

static uint64_t flood_state;

/* xorshift64*, M. Vigna 2014 */
static uint32_t flood_random(void)
{
	flood_state ^= flood_state >> 12;
	flood_state ^= flood_state << 25;
	flood_state ^= flood_state >> 27;
	return flood_state * 0x2545f4914f6cdd1dULL >> 32;
}

static uint32_t flood_below(uint32_t most)
{
	return flood_random() % most;
}

static void flood_fill(uint8_t *at, int len)
{
	while (len--)
		*at++ = flood_random();
}

static void flood_put16(uint8_t *at, uint16_t value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static void flood_put32(uint8_t *at, uint32_t value)
{
	flood_put16(at, value >> 16);
	flood_put16(at + 2, value);
}

static uint16_t flood_get16(const uint8_t *at)
{
	return at[0] << 8 | at[1];
}

static uint32_t flood_get32(const uint8_t *at)
{
	return (uint32_t)flood_get16(at) << 16 | flood_get16(at + 2);
}

/**
 * struct flood_frame - a packet, from its Ethernet header on
 * @data: its bytes
 * @len: how many there are
 * @six: IPv6
 * @l4: where UDP or TCP begins
 * @payload: where their payload begins
 */
struct flood_frame {
	uint8_t	data[FLOOD_FRAME];
	int	len;
	bool	six;
	int	l4;
	int	payload;
};

static uint8_t *flood_ip(struct flood_frame *f)
{
	return f->data + FLOOD_ETHER;
}

static uint8_t *flood_l4(struct flood_frame *f)
{
	return f->data + f->l4;
}

static uint8_t *flood_wire(struct flood_frame *f)
{
	return f->data + f->payload;
}

static uint8_t *flood_entry(struct flood_frame *f, int i)
{
	return flood_wire(f) + FLOOD_HEADER + i * FLOOD_ENTRY;
}

static int flood_count(struct flood_frame *f)
{
	return flood_wire(f)[2];
}

static uint8_t flood_proto(struct flood_frame *f)
{
	return f->six ? flood_ip(f)[6] : flood_ip(f)[9];
}

/* Returns false if it is neither an OR-ACK nor TCP with payload. */
static bool flood_parse(struct flood_frame *f)
{
	uint16_t kind = flood_get16(f->data + 12);
	uint8_t *ip = flood_ip(f);

	if (kind != 0x0800 && kind != 0x86dd)
		return false;
	f->six = kind == 0x86dd;
	f->l4 = FLOOD_ETHER + (f->six ? 40 : (ip[0] & 15) * 4);
	if (flood_proto(f) == IPPROTO_UDP) {
		f->payload = f->l4 + 8;
		return f->len >= f->payload + FLOOD_HEADER + FLOOD_ENTRY &&
		       flood_get16(flood_l4(f) + 2) == FLOOD_PORT;
	}
	if (flood_proto(f) != IPPROTO_TCP || f->len < f->l4 + 20)
		return false;
	f->payload = f->l4 + (flood_l4(f)[12] >> 4) * 4;
	return f->payload < f->len;
}

/* Checksums and lengths, made good again. */

static uint32_t flood_sum(const uint8_t *at, int len, uint32_t sum)
{
	for (; len > 1; at += 2, len -= 2)
		sum += flood_get16(at);
	return len ? sum + (at[0] << 8) : sum;
}

static uint16_t flood_fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static void flood_mend_ip(struct flood_frame *f)
{
	uint8_t *ip = flood_ip(f);

	if (f->six) {
		flood_put16(ip + 4, f->len - FLOOD_ETHER - 40);
		return;
	}
	flood_put16(ip + 2, f->len - FLOOD_ETHER);
	flood_put16(ip + 10, 0);
	flood_put16(ip + 10, flood_fold(flood_sum(ip, f->l4 - FLOOD_ETHER, 0)));
}

/* The field at @at of what begins at @f->l4; with the addresses if @pseudo. */
static void flood_mend_sum(struct flood_frame *f, int at, uint8_t proto, bool pseudo)
{
	uint8_t *ip = flood_ip(f), *l4 = flood_l4(f);
	int len = f->len - f->l4;
	uint32_t sum = 0;
	uint16_t folded;

	if (pseudo)
		sum = flood_sum(f->six ? ip + 8 : ip + 12, f->six ? 32 : 8, proto + len);
	flood_put16(l4 + at, 0);
	folded = flood_fold(flood_sum(l4, len, sum));
	flood_put16(l4 + at, folded ? folded : 0xffff);
}

static void flood_mend(struct flood_frame *f)
{
	uint8_t proto = flood_proto(f);

	flood_mend_ip(f);
	if (proto == IPPROTO_UDP)
		flood_put16(flood_l4(f) + 4, f->len - f->l4);
	flood_mend_sum(f, proto == IPPROTO_UDP ? 6 : 16, proto, true);
}

/* Room for @len bytes at an offset; what is there moves back, and over the edge. */
static void flood_insert(struct flood_frame *f, int at, int len)
{
	if (f->len > FLOOD_LONGEST - len)
		f->len = FLOOD_LONGEST - len;
	memmove(f->data + at + len, f->data + at, f->len - at);
	f->len += len;
}

static bool flood_tag(struct flood_frame *f, uint16_t id)
{
	flood_mend(f);
	flood_insert(f, 12, 4);
	flood_put16(f->data + 12, 0x8100);
	flood_put16(f->data + 14, id);
	return true;
}

/* An extension header of eight bytes before what is there. */
static bool flood_extend(struct flood_frame *f, uint8_t kind, uint16_t word)
{
	uint8_t *ip = flood_ip(f);

	flood_insert(f, FLOOD_ETHER + 40, 8);
	memset(ip + 40, 0, 8);
	ip[40] = ip[6];
	flood_put16(ip + 42, word);
	ip[6] = kind;
	flood_put16(ip + 4, f->len - FLOOD_ETHER - 40);
	return true;
}

static uint8_t *flood_source(struct flood_frame *f)
{
	return flood_ip(f) + (f->six ? 8 : 12);
}

/*
 * An address of a network that is for tests, 198.18.0.0/15 or 2001:db8::/32: in
 * one half who sends, in the other who is sent @to.  To whom data were sent, a path
 * is known for ten minutes, and by IPv4 they are few enough to be met again.
 */
static void flood_foreign(struct flood_frame *f, uint8_t *address, bool to)
{
	flood_fill(address, f->six ? 16 : 4);
	if (f->six)
		memcpy(address, to ? "\x20\x01\x0d\xb8\1" : "\x20\x01\x0d\xb8", 5);
	else
		memcpy(address, to ? "\xc6\x13" : "\xc6\x12", 2);
}

/* OR-ACKs.  Each returns false if there is no such thing of this frame. */

static bool flood_replay(struct flood_frame *f)
{
	flood_mend(f);
	return true;
}

static bool flood_old_seq(struct flood_frame *f)
{
	uint8_t *seq = flood_entry(f, flood_below(flood_count(f))) + 4;

	flood_put32(seq, flood_get32(seq) - flood_random());
	return flood_replay(f);
}

static bool flood_old_epoch(struct flood_frame *f)
{
	flood_wire(f)[3] = 2;
	flood_put32(flood_wire(f) + 4, flood_random() | 1);
	return flood_replay(f);
}

static bool flood_any_time(struct flood_frame *f)
{
	uint8_t *rx = flood_entry(f, flood_below(flood_count(f))) + 12;

	/* Any time at all, or one that is off by less than a second. */
	if (flood_random() & 1)
		flood_fill(rx, 8);
	else
		flood_put32(rx + 4, flood_get32(rx + 4) + (int32_t)flood_random() / 4);
	rx[0] &= 0x7f;
	return flood_replay(f);
}

static bool flood_any_error(struct flood_frame *f)
{
	flood_put32(flood_wire(f) + 8, flood_random() >> flood_below(32));
	return flood_replay(f);
}

static bool flood_any_length(struct flood_frame *f)
{
	flood_put16(flood_entry(f, 0) + 8, 1 + flood_below(0xffff));
	return flood_replay(f);
}

static bool flood_no_clock(struct flood_frame *f)
{
	flood_wire(f)[1] |= 2;
	return flood_replay(f);
}

static bool flood_trailer(struct flood_frame *f)
{
	flood_wire(f)[1] |= 1;
	flood_fill(f->data + f->len, 12);
	memset(f->data + f->len + 1, 0, 3);
	f->len += 12;
	return flood_replay(f);
}

static void flood_repeat(struct flood_frame *f, int count)
{
	int i;

	for (i = flood_count(f); i < count; i++)
		memcpy(flood_entry(f, i), flood_entry(f, 0), FLOOD_ENTRY);
	flood_wire(f)[2] = count;
	f->len = f->payload + FLOOD_HEADER + count * FLOOD_ENTRY;
}

static bool flood_full(struct flood_frame *f)
{
	flood_repeat(f, FLOOD_MOST);
	return flood_replay(f);
}

static void flood_spoil_entry(uint8_t *entry)
{
	switch (flood_below(4)) {
	case 0:
		flood_put16(entry + 8, 0);
		break;
	case 1:
		entry[10] = 7 + flood_below(249);
		break;
	case 2:
		entry[11] = flood_random() & 1 ? 0 : 5 + flood_below(251);
		break;
	default:
		entry[12] |= 0x80;
		break;
	}
}

static bool flood_one_good(struct flood_frame *f)
{
	int i;

	flood_repeat(f, 20);
	for (i = 0; i < 19; i++)
		flood_spoil_entry(flood_entry(f, i));
	memcpy(flood_entry(f, 19) + 8, "\0\1\6\1\0", 5);
	return flood_replay(f);
}

static bool flood_any_source_port(struct flood_frame *f)
{
	flood_put16(flood_l4(f), flood_random());
	return flood_replay(f);
}

static bool flood_options(struct flood_frame *f)
{
	uint8_t *ip = flood_ip(f);

	if (f->six)
		return false;
	flood_insert(f, FLOOD_ETHER + 20, 4);
	memset(ip + 20, 1, 4);
	ip[0]++;
	f->l4 += 4;
	f->payload += 4;
	return flood_replay(f);
}

static bool flood_padded(struct flood_frame *f)
{
	int len = 1 + flood_below(100);

	flood_mend(f);
	flood_fill(f->data + f->len, len);
	f->len += len;
	return true;
}

static bool flood_priority_tag(struct flood_frame *f)
{
	return flood_tag(f, flood_below(8) << 13);
}

static bool flood_version(struct flood_frame *f)
{
	flood_wire(f)[0] = 2 + flood_below(255);
	return flood_replay(f);
}

static bool flood_flags(struct flood_frame *f)
{
	flood_wire(f)[1] |= 4 << flood_below(6);
	return flood_replay(f);
}

/* Every count but the right one. */
static bool flood_counts(struct flood_frame *f)
{
	flood_wire(f)[2] += 1 + flood_below(255);
	return flood_replay(f);
}

static bool flood_clock(struct flood_frame *f)
{
	flood_wire(f)[3] = flood_random() & 1 ? 0 : 3 + flood_below(253);
	return flood_replay(f);
}

static bool flood_epoch(struct flood_frame *f)
{
	bool published = flood_random() & 1;

	flood_wire(f)[3] = 1 + published;
	flood_put32(flood_wire(f) + 4, published ? 0 : flood_random() | 1);
	return flood_replay(f);
}

static bool flood_reserved(struct flood_frame *f)
{
	flood_trailer(f);
	f->data[f->len - 11 + flood_below(3)] |= 1 << flood_below(8);
	return flood_replay(f);
}

/* Every length, one after the other. */
static bool flood_cut(struct flood_frame *f)
{
	static unsigned int next;

	f->len = f->payload + next++ % (f->len - f->payload);
	return flood_replay(f);
}

static bool flood_jumbo(struct flood_frame *f)
{
	bool whole = flood_random() & 1;

	/* More than fits into any OR-ACK, or fewer entries than announced. */
	flood_repeat(f, whole ? 70 : 1 + flood_below(FLOOD_MOST - 1));
	flood_wire(f)[2] = whole ? FLOOD_MOST : FLOOD_MOST + flood_below(192);
	return flood_replay(f);
}

static bool flood_noise(struct flood_frame *f)
{
	f->len = f->payload + flood_below(1400);
	flood_fill(flood_wire(f), f->len - f->payload);
	flood_wire(f)[0] &= ~1;
	if (f->len == f->payload)
		f->len++;
	return flood_replay(f);
}

static bool flood_checksum(struct flood_frame *f)
{
	flood_mend(f);
	flood_l4(f)[6] ^= 1 << flood_below(8);
	/* That would say that there is none. */
	if (!flood_get16(flood_l4(f) + 6))
		flood_l4(f)[7] = 1;
	return true;
}

static bool flood_no_checksum(struct flood_frame *f)
{
	flood_mend(f);
	flood_put16(flood_l4(f) + 6, 0);
	return true;
}

/* UDP's length is another than IP's. */
static bool flood_udp_length(struct flood_frame *f)
{
	int len = f->len - f->l4;

	flood_mend(f);
	flood_put16(flood_l4(f) + 4, len + 1 + flood_below(0xffff));
	return true;
}

static bool flood_ports(struct flood_frame *f)
{
	int i;

	/* From 1 to 1023 nobody connects. */
	for (i = 0; i < flood_count(f); i++)
		flood_put16(flood_entry(f, i), 1 + flood_below(1023));
	return flood_replay(f);
}

static bool flood_address(struct flood_frame *f)
{
	flood_foreign(f, flood_source(f), false);
	return flood_replay(f);
}

static bool flood_all_bad(struct flood_frame *f)
{
	int i;

	flood_repeat(f, 1 + flood_below(FLOOD_MOST));
	for (i = 0; i < flood_count(f); i++)
		flood_spoil_entry(flood_entry(f, i));
	return flood_replay(f);
}

static bool flood_fragment(struct flood_frame *f)
{
	uint16_t where = flood_below(3) ? 8 * flood_below(200) | 1 : 1;

	flood_mend(f);
	if (f->six)
		return flood_extend(f, IPPROTO_FRAGMENT, where);
	flood_put16(flood_ip(f) + 6, where >> 3 | 0x2000);
	flood_mend_ip(f);
	return true;
}

static bool flood_other_tag(struct flood_frame *f)
{
	return flood_tag(f, 100 + flood_below(3000));
}

static bool flood_other_port(struct flood_frame *f)
{
	flood_put16(flood_l4(f) + 2, FLOOD_PORT + 1);
	return flood_replay(f);
}

static bool flood_bad_ip(struct flood_frame *f)
{
	uint8_t *ip = flood_ip(f);

	flood_mend(f);
	/* Who looks at data does not look at IP's checksum. */
	switch (flood_below(f->six ? 2 : flood_proto(f) == IPPROTO_TCP ? 3 : 4)) {
	case 0:
		ip[0] = 0x70 | (ip[0] & 15);
		break;
	case 1:
		flood_put16(ip + (f->six ? 4 : 2), 0x7fff);
		break;
	case 2:
		ip[0] = 0x40 | flood_below(5);
		break;
	default:
		ip[10] ^= 1 << flood_below(8);
		break;
	}
	return true;
}

static bool flood_extension(struct flood_frame *f)
{
	flood_mend(f);
	return f->six && flood_extend(f, IPPROTO_HOPOPTS, 0x0104);
}

/* Data. */

static bool flood_flows(struct flood_frame *f)
{
	flood_put16(flood_l4(f), 1 + flood_below(1023));
	flood_fill(flood_l4(f) + 4, 4);
	flood_l4(f)[13] = TH_ACK;
	return flood_replay(f);
}

static bool flood_any_flags(struct flood_frame *f)
{
	flood_put16(flood_l4(f), 1 + flood_below(1023));
	flood_fill(flood_l4(f) + 13, 1);
	return flood_replay(f);
}

static bool flood_dscp(struct flood_frame *f)
{
	uint8_t *ip = flood_ip(f);
	uint8_t dsfield = flood_random();

	if (f->six) {
		ip[0] = 0x60 | dsfield >> 4;
		ip[1] = dsfield << 4;
	} else {
		ip[1] = dsfield;
	}
	return flood_replay(f);
}

static bool flood_elsewhere(struct flood_frame *f)
{
	flood_foreign(f, flood_source(f) + (f->six ? 16 : 4), true);
	/* A flow of its own: one that is known is not asked again. */
	flood_put16(flood_l4(f), 1 + flood_below(1023));
	return flood_replay(f);
}

static bool flood_no_payload(struct flood_frame *f)
{
	f->len = f->payload;
	return flood_replay(f);
}

static bool flood_offset(struct flood_frame *f)
{
	uint8_t words = flood_below(5);

	f->len = f->l4 + 20 + flood_below(16);
	if (flood_random() & 1)
		words = 10 + flood_below(6);
	flood_l4(f)[12] = words << 4;
	return flood_replay(f);
}

static bool flood_tcp_cut(struct flood_frame *f)
{
	static unsigned int next;
	bool short_ip = flood_random() & 1;

	/* Below what IP says; or IP says it, and TCP's header is cut. */
	flood_mend(f);
	if (short_ip)
		f->len = FLOOD_ETHER + 1 + next++ % (f->len - FLOOD_ETHER - 1);
	else
		f->len = f->l4 + next++ % 20;
	if (!short_ip)
		flood_mend_ip(f);
	return true;
}

static bool flood_chain(struct flood_frame *f)
{
	uint8_t *ip = flood_ip(f);
	int i;

	flood_mend(f);
	if (!f->six)
		return false;
	/* More headers than are read, or one longer than the packet. */
	for (i = 0; i < 5; i++)
		flood_extend(f, IPPROTO_DSTOPTS, 0x0104);
	if (flood_random() & 1)
		ip[41 + 8 * flood_below(5)] = 255;
	return true;
}

/* "Port unreachable" of an OR-ACK to who sent this data, as he would say it. */
static bool flood_unreachable(struct flood_frame *f)
{
	uint8_t *ip = flood_ip(f), *icmp = flood_l4(f), *quoted = icmp + 8;
	int size = f->six ? 16 : 4;

	if (f->l4 != FLOOD_ETHER + (f->six ? 40 : 20))
		return false;
	memset(icmp, 0, 8);
	icmp[0] = f->six ? 1 : 3;
	icmp[1] = f->six ? 4 : 3;
	memcpy(quoted, ip, f->l4 - FLOOD_ETHER);
	memcpy(quoted + (f->six ? 8 : 12), flood_source(f) + size, size);
	memcpy(quoted + (f->six ? 24 : 16), flood_source(f), size);
	quoted[f->six ? 6 : 9] = IPPROTO_UDP;
	ip[f->six ? 6 : 9] = f->six ? IPPROTO_ICMPV6 : IPPROTO_ICMP;
	quoted += f->l4 - FLOOD_ETHER;
	flood_put16(quoted, FLOOD_PORT);
	flood_put16(quoted + 2, FLOOD_PORT);
	flood_put32(quoted + 4, 44 << 16);
	f->len = quoted + 8 - f->data;
	return true;
}

static bool flood_mend_icmp(struct flood_frame *f)
{
	flood_mend_ip(f);
	flood_mend_sum(f, 2, IPPROTO_ICMPV6, f->six);
	return true;
}

static bool flood_refusal(struct flood_frame *f)
{
	return flood_unreachable(f) && flood_mend_icmp(f);
}

/* Of a router, of another code, of other ports, cut, or with a wrong checksum. */
static bool flood_forged_refusal(struct flood_frame *f)
{
	static unsigned int next;

	if (!flood_unreachable(f))
		return false;
	switch (next++ % 5) {
	case 0:
		flood_foreign(f, flood_source(f), false);
		break;
	case 1:
		flood_l4(f)[1] ^= 1 + flood_below(3);
		break;
	case 2:
		f->data[f->len - 8 + 2 * flood_below(2)] ^= 0x80;
		break;
	case 3:
		f->len = f->l4 + next % (f->len - f->l4 - 8);
		if (f->len < f->l4 + 4)
			f->len = f->l4 + 4;
		break;
	default:
		flood_mend_icmp(f);
		flood_l4(f)[2] ^= 0x10;
		return true;
	}
	return flood_mend_icmp(f);
}

/**
 * struct flood_kind - a way to spoil a frame
 * @name: its name
 * @class: what the spoiled ones are to be counted as
 * @proto: IPPROTO_UDP: of an OR-ACK, IPPROTO_TCP: of data
 * @make: does it; false if it cannot
 * @sent: how many
 */
struct flood_kind {
	const char	*name;
	const char	*class;
	uint8_t		proto;
	bool		(*make)(struct flood_frame *f);
	unsigned long	sent;
};

static struct flood_kind flood_kinds[] = {
	{ "replay", "taken", IPPROTO_UDP, flood_replay, 0 },
	{ "old-sequence", "taken", IPPROTO_UDP, flood_old_seq, 0 },
	{ "old-epoch", "taken", IPPROTO_UDP, flood_old_epoch, 0 },
	{ "any-time", "taken", IPPROTO_UDP, flood_any_time, 0 },
	{ "any-error", "taken", IPPROTO_UDP, flood_any_error, 0 },
	{ "any-length", "taken", IPPROTO_UDP, flood_any_length, 0 },
	{ "no-clock", "taken", IPPROTO_UDP, flood_no_clock, 0 },
	{ "trailer", "taken", IPPROTO_UDP, flood_trailer, 0 },
	{ "full", "taken", IPPROTO_UDP, flood_full, 0 },
	{ "one-good-entry", "taken", IPPROTO_UDP, flood_one_good, 0 },
	{ "any-source-port", "taken", IPPROTO_UDP, flood_any_source_port, 0 },
	{ "ip-options", "taken", IPPROTO_UDP, flood_options, 0 },
	{ "padded", "taken", IPPROTO_UDP, flood_padded, 0 },
	{ "priority-tag", "taken", IPPROTO_UDP, flood_priority_tag, 0 },
	{ "version", "bad", IPPROTO_UDP, flood_version, 0 },
	{ "flags", "bad", IPPROTO_UDP, flood_flags, 0 },
	{ "count", "bad", IPPROTO_UDP, flood_counts, 0 },
	{ "clock-id", "bad", IPPROTO_UDP, flood_clock, 0 },
	{ "epoch", "bad", IPPROTO_UDP, flood_epoch, 0 },
	{ "reserved", "bad", IPPROTO_UDP, flood_reserved, 0 },
	{ "cut", "bad", IPPROTO_UDP, flood_cut, 0 },
	{ "jumbo", "bad", IPPROTO_UDP, flood_jumbo, 0 },
	{ "noise", "bad", IPPROTO_UDP, flood_noise, 0 },
	{ "checksum", "bad", IPPROTO_UDP, flood_checksum, 0 },
	{ "no-checksum", "bad", IPPROTO_UDP, flood_no_checksum, 0 },
	{ "udp-length", "bad", IPPROTO_UDP, flood_udp_length, 0 },
	{ "ports", "stray", IPPROTO_UDP, flood_ports, 0 },
	{ "address", "stray", IPPROTO_UDP, flood_address, 0 },
	{ "no-good-entry", "strange", IPPROTO_UDP, flood_all_bad, 0 },
	{ "fragment", "none", IPPROTO_UDP, flood_fragment, 0 },
	{ "other-tag", "none", IPPROTO_UDP, flood_other_tag, 0 },
	{ "other-port", "none", IPPROTO_UDP, flood_other_port, 0 },
	{ "bad-ip", "none", IPPROTO_UDP, flood_bad_ip, 0 },
	{ "extension", "none", IPPROTO_UDP, flood_extension, 0 },
	{ "data-replay", "peer", IPPROTO_TCP, flood_replay, 0 },
	{ "data-flows", "peer", IPPROTO_TCP, flood_flows, 0 },
	{ "data-flags", "peer", IPPROTO_TCP, flood_any_flags, 0 },
	{ "data-dscp", "peer", IPPROTO_TCP, flood_dscp, 0 },
	{ "data-options", "peer", IPPROTO_TCP, flood_options, 0 },
	{ "data-extension", "peer", IPPROTO_TCP, flood_extension, 0 },
	{ "data-outsider", "outsider", IPPROTO_TCP, flood_address, 0 },
	{ "data-elsewhere", "elsewhere", IPPROTO_TCP, flood_elsewhere, 0 },
	{ "data-empty", "none", IPPROTO_TCP, flood_no_payload, 0 },
	{ "data-offset", "none", IPPROTO_TCP, flood_offset, 0 },
	{ "data-cut", "none", IPPROTO_TCP, flood_tcp_cut, 0 },
	{ "data-chain", "none", IPPROTO_TCP, flood_chain, 0 },
	{ "data-fragment", "none", IPPROTO_TCP, flood_fragment, 0 },
	{ "data-bad-ip", "none", IPPROTO_TCP, flood_bad_ip, 0 },
	{ "refusal", "refusal", IPPROTO_TCP, flood_refusal, 0 },
	{ "forged-refusal", "none", IPPROTO_TCP, flood_forged_refusal, 0 },
};

#define FLOOD_KINDS ((int)(sizeof(flood_kinds) / sizeof(flood_kinds[0])))

/**
 * struct flood_store - the latest frames of a protocol
 * @kept: they, in a ring
 * @seen: how many there were
 */
struct flood_store {
	struct flood_frame	kept[FLOOD_KEPT];
	unsigned long		seen;
};

static struct flood_store flood_acks, flood_data;

static struct flood_store *flood_store_of(uint8_t proto)
{
	return proto == IPPROTO_UDP ? &flood_acks : &flood_data;
}

/* What has left meanwhile; what this socket sends it does not hear. */
static void flood_listen(int fd)
{
	struct sockaddr_ll from;
	socklen_t size = sizeof(from);
	struct flood_frame f;

	for (;;) {
		struct flood_store *store;

		f.len = recvfrom(fd, f.data, sizeof(f.data), MSG_DONTWAIT | MSG_TRUNC,
				 (struct sockaddr *)&from, &size);
		if (f.len < 0)
			return;
		/* GSO packets are longer than a frame that can be sent. */
		if (from.sll_pkttype != PACKET_OUTGOING || f.len > FLOOD_LONGEST ||
		    !flood_parse(&f))
			continue;
		store = flood_store_of(flood_proto(&f));
		store->kept[store->seen++ % FLOOD_KEPT] = f;
	}
}

/* A spoiled copy; NULL if there is nothing that it could be made from. */
static struct flood_kind *flood_make(struct flood_kind **kinds, int count, int *next,
				     struct flood_frame *f)
{
	int tries;

	for (tries = 0; tries < count; tries++) {
		struct flood_kind *kind = kinds[(*next)++ % count];
		struct flood_store *store = flood_store_of(kind->proto);
		unsigned long most = store->seen < FLOOD_KEPT ? store->seen : FLOOD_KEPT;

		if (!most)
			continue;
		*f = store->kept[flood_below(most)];
		if (kind->make(f))
			return kind;
	}
	return NULL;
}

static int flood_send(int fd, struct flood_kind **kinds, int count, int frames)
{
	static struct flood_frame made[FLOOD_BATCH];
	static struct flood_kind *kind[FLOOD_BATCH];
	struct mmsghdr messages[FLOOD_BATCH] = {};
	struct iovec parts[FLOOD_BATCH];
	static int next;
	int i, n, sent = 0;

	for (n = 0; n < frames; n++) {
		kind[n] = flood_make(kinds, count, &next, &made[n]);
		if (!kind[n])
			break;
		parts[n] = (struct iovec){ made[n].data, made[n].len };
		messages[n].msg_hdr.msg_iov = &parts[n];
		messages[n].msg_hdr.msg_iovlen = 1;
	}
	while (sent < n) {
		int done = sendmmsg(fd, messages + sent, n - sent, 0);

		/* A device that is down now may be up again soon. */
		if (done < 0 && (errno == ENETDOWN || errno == ENXIO))
			return 0;
		if (done <= 0) {
			fprintf(stderr, "flood: %s of %d bytes: %s\n", kind[sent]->name,
				made[sent].len, strerror(errno));
			return 2;
		}
		for (i = sent; i < sent + done; i++)
			kind[i]->sent++;
		sent += done;
	}
	return 0;
}

static int flood_run(int fd, struct flood_kind **kinds, int count, long ms, int per_ms)
{
	const struct timespec tick = { .tv_nsec = 1000000 };
	int status = 0;

	while (ms-- && !status) {
		flood_listen(fd);
		status = flood_send(fd, kinds, count, per_ms);
		nanosleep(&tick, NULL);
	}
	return status;
}

static int flood_open(const char *dev)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(0x0003) };
	int fd = socket(AF_PACKET, SOCK_RAW, 0), size = 1 << 24;

	at.sll_ifindex = if_nametoindex(dev);
	if (fd < 0 || !at.sll_ifindex || bind(fd, (struct sockaddr *)&at, sizeof(at))) {
		fprintf(stderr, "flood: %s: %s\n", dev, strerror(errno));
		return -1;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	return fd;
}

static long flood_number(const char *text, long least, long most)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*text && !*end && value >= least && value <= most)
		return value;
	fprintf(stderr, "flood: %s: not a number from %ld to %ld\n", text, least, most);
	exit(2);
}

static struct flood_kind *flood_kind_of(const char *name)
{
	int i;

	for (i = 0; i < FLOOD_KINDS; i++)
		if (!strcmp(flood_kinds[i].name, name))
			return &flood_kinds[i];
	fprintf(stderr, "flood: there is no kind %s\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	struct flood_kind *kinds[256];
	int i, count, per_ms, status;
	long ms;
	int fd;

	if (argc < 5 || argc > 256) {
		fputs("Usage: flood DEV MS PER_MS SEED [KIND...]\n", stderr);
		return 2;
	}
	ms = flood_number(argv[2], 1, 1000000);
	per_ms = flood_number(argv[3], 1, FLOOD_BATCH);
	flood_state = flood_number(argv[4], 1, 1000000000);
	count = argc > 5 ? argc - 5 : FLOOD_KINDS;
	for (i = 0; i < count; i++)
		kinds[i] = argc > 5 ? flood_kind_of(argv[5 + i]) : &flood_kinds[i];
	fd = flood_open(argv[1]);
	if (fd < 0)
		return 2;
	puts("listening");
	fflush(stdout);
	status = flood_run(fd, kinds, count, ms, per_ms);
	for (i = 0; i < count; i++)
		printf("%s %s %lu\n", kinds[i]->name, kinds[i]->class, kinds[i]->sent);
	return status;
}
