/* SPDX-License-Identifier: GPL-2.0 */
/* The kinds of frames that flood.c sends: what each changes in a frame, and as what it is counted. */
#ifndef SHARPRAMP_FLOOD_KINDS_H
#define SHARPRAMP_FLOOD_KINDS_H

#include "flood_frame.h"

static bool flood_tag(struct flood_frame *f, uint16_t id)
{
	flood_mend(f);
	flood_insert(f, 12, 4);
	flood_put16(f->data + 12, 0x8100);
	flood_put16(f->data + 14, id);
	return true;
}

/* An extension header of eight bytes before what is there. */
static bool flood_extend(struct flood_frame *f, uint8_t kind, uint16_t bits)
{
	uint8_t *ip = flood_ip(f);

	flood_insert(f, FLOOD_ETHER + 40, 8);
	memset(ip + 40, 0, 8);
	ip[40] = ip[6];
	flood_put16(ip + 42, bits);
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
 * one half the sender, in the other the receiver @to.  To whom data were sent, a path
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
	/* The check of data does not look at IP's checksum. */
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
	/* A flow of its own: a known one is not looked up again. */
	flood_put16(flood_l4(f), 1 + flood_below(1023));
	return flood_replay(f);
}

/* Without a FIN: where this overtakes what was heard, the flow would end before its last bytes. */
static bool flood_no_payload(struct flood_frame *f)
{
	f->len = f->payload;
	flood_l4(f)[13] &= ~FLOOD_FIN;
	return flood_replay(f);
}

static bool flood_offset(struct flood_frame *f)
{
	uint8_t length = flood_below(5);

	f->len = f->l4 + 20 + flood_below(16);
	if (flood_random() & 1)
		length = 10 + flood_below(6);
	flood_l4(f)[12] = length << 4;
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

/* "Port unreachable" of an OR-ACK to the sender of this data, in its name. */
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

/* An ICMP error that must be ignored: of a router, of another code, of other ports, truncated, or with a wrong checksum. */
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
	{ "ports", "unknown-flow", IPPROTO_UDP, flood_ports, 0 },
	{ "address", "unknown-flow", IPPROTO_UDP, flood_address, 0 },
	{ "no-good-entry", "unknown-peer", IPPROTO_UDP, flood_all_bad, 0 },
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

#endif /* SHARPRAMP_FLOOD_KINDS_H */
