/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: the tag of an OR-ACK, see docs/wire.md.
 *
 * Source: Aumasson, Bernstein, "SipHash: a fast short-input PRF", INDOCRYPT
 * 2012, sections 2.1 to 2.4: SipHash-2-4.  The hashed bytes lie in two places,
 * addresses and datagram, and a kernel's stack has no space for a copy of both;
 * so it is written here once more, a word at a time, and selftests/kunit holds
 * it against the kernel's own.
 *
 *   in the paper          here
 *   k0, k1                the key's bytes, each half little endian
 *   v0 .. v3              v[0] .. v[3]
 *   m_i                   words of addresses, then of the datagram
 *   b mod 256             onramp_mac_tail()
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_MAC_H
#define SHARPRAMP_ALGO_ONRAMP_MAC_H

#include "onramp_wire.h"
#include "port.h"

#define ONRAMP_MAC_KEY_BYTES 16
/* The datagram's source address, then its destination address. */
#define ONRAMP_MAC_ADDRESS_BYTES 32

/**
 * struct onramp_mac_state - SipHash between two words
 * @v: v0 to v3
 */
struct onramp_mac_state {
	u64 v[4];
};

static inline u64 onramp_mac_rotate(u64 x, u32 bits)
{
	return x << bits | x >> (64 - bits);
}

/* Up to 8 bytes, the first the lowest. */
static inline u64 onramp_mac_u64(const u8 *at, size_t bytes)
{
	u64 word = 0;
	size_t i;

	for (i = 0; i < bytes; i++)
		word |= (u64)at[i] << 8 * i;
	return word;
}

static inline void onramp_mac_round(struct onramp_mac_state *s)
{
	u64 *v = s->v;

	v[0] += v[1];
	v[2] += v[3];
	v[1] = onramp_mac_rotate(v[1], 13) ^ v[0];
	v[3] = onramp_mac_rotate(v[3], 16) ^ v[2];
	v[0] = onramp_mac_rotate(v[0], 32);
	v[2] += v[1];
	v[0] += v[3];
	v[1] = onramp_mac_rotate(v[1], 17) ^ v[2];
	v[3] = onramp_mac_rotate(v[3], 21) ^ v[0];
	v[2] = onramp_mac_rotate(v[2], 32);
}

static inline void onramp_mac_begin(struct onramp_mac_state *s, const u8 *key)
{
	u64 k0 = onramp_mac_u64(key, 8);
	u64 k1 = onramp_mac_u64(key + 8, 8);

	s->v[0] = k0 ^ 0x736f6d6570736575ULL;
	s->v[1] = k1 ^ 0x646f72616e646f6dULL;
	s->v[2] = k0 ^ 0x6c7967656e657261ULL;
	s->v[3] = k1 ^ 0x7465646279746573ULL;
}

static inline void onramp_mac_absorb(struct onramp_mac_state *s, u64 word)
{
	s->v[3] ^= word;
	onramp_mac_round(s);
	onramp_mac_round(s);
	s->v[0] ^= word;
}

/* The whole words of some bytes. */
static inline void onramp_mac_update(struct onramp_mac_state *s, const u8 *data,
				     size_t len)
{
	for (; len >= 8; data += 8, len -= 8)
		onramp_mac_absorb(s, onramp_mac_u64(data, 8));
}

/* The bytes that are left, and how many there were in all. */
static inline u64 onramp_mac_tail(const u8 *data, size_t len, size_t before)
{
	size_t whole = len / 8 * 8;

	return onramp_mac_u64(data + whole, len - whole) |
	       (u64)(before + len) << 56;
}

static inline u64 onramp_mac_end(struct onramp_mac_state *s)
{
	s->v[2] ^= 0xff;
	onramp_mac_round(s);
	onramp_mac_round(s);
	onramp_mac_round(s);
	onramp_mac_round(s);
	return s->v[0] ^ s->v[1] ^ s->v[2] ^ s->v[3];
}

/**
 * onramp_mac_siphash() - SipHash-2-4 of two runs of bytes as if they were one
 * @key: ONRAMP_MAC_KEY_BYTES
 * @first: the first run
 * @first_len: its bytes, a multiple of 8
 * @data: the second
 * @len: its bytes
 *
 * Return: the hash as a number, as the paper has it.
 */
static inline u64 onramp_mac_siphash(const u8 *key, const u8 *first,
				     size_t first_len, const u8 *data,
				     size_t len)
{
	struct onramp_mac_state s;

	onramp_mac_begin(&s, key);
	onramp_mac_update(&s, first, first_len);
	onramp_mac_update(&s, data, len);
	onramp_mac_absorb(&s, onramp_mac_tail(data, len, first_len));
	return onramp_mac_end(&s);
}

/**
 * onramp_mac_sign() - write the trailer of a datagram
 * @key: ONRAMP_MAC_KEY_BYTES
 * @id: which key
 * @addresses: ONRAMP_MAC_ADDRESS_BYTES: source and destination of the datagram,
 *	IPv4 as ::ffff:a.b.c.d
 * @data: the UDP payload; header, with has_mac, and entries are written
 * @count: how many entries
 *
 * Return: bytes of UDP payload.
 */
static inline size_t onramp_mac_sign(const u8 *key, u8 id, const u8 *addresses,
				     u8 *data, u32 count)
{
	u8 *tag = onramp_wire_put_mac(data, count, id);

	onramp_wire_put64(tag, onramp_mac_siphash(key, addresses,
						  ONRAMP_MAC_ADDRESS_BYTES,
						  data, tag - data));
	return onramp_wire_bytes(count, true);
}

/**
 * onramp_mac_is_good() - is a datagram signed with the key?
 * @key: ONRAMP_MAC_KEY_BYTES
 * @addresses: as in onramp_mac_sign()
 * @view: from onramp_wire_parse(), with a trailer; its key is @key
 *
 * Takes as long for a tag that is nearly right as for any other: the compare is
 * of whole words, without a branch before all of it is done.
 *
 * Return: true if he has.
 */
static inline bool onramp_mac_is_good(const u8 *key, const u8 *addresses,
				      const struct onramp_wire_view *view)
{
	const u8 *data = view->entries - ONRAMP_WIRE_HEADER_BYTES;
	u64 tag = onramp_mac_siphash(key, addresses, ONRAMP_MAC_ADDRESS_BYTES,
				     data, view->signed_bytes);

	return !(tag ^ view->mac_tag);
}

#endif /* SHARPRAMP_ALGO_ONRAMP_MAC_H */
