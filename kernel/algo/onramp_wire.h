/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: OR-ACK datagrams, read and written byte by byte, see docs/wire.md.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, section 4.1, for what an
 * OR-ACK is; the bytes are this project's, and those of <linux/onramp_wire.h>.  Its
 * numbers are repeated here because an algorithm includes nothing; selftests/unit fails
 * if they differ.
 *
 * Nothing is trusted and nothing is guessed: a datagram that is not exactly of
 * version 1 is refused whole, with the first thing that is wrong with it; an
 * entry is refused alone.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_WIRE_H
#define SHARPRAMP_ALGO_ONRAMP_WIRE_H

#include "port.h"

#define ONRAMP_WIRE_V1 1
#define ONRAMP_WIRE_MAX_COUNT 64

#define ONRAMP_WIRE_HEADER_BYTES 16
#define ONRAMP_WIRE_ENTRY_BYTES 20
#define ONRAMP_WIRE_MAC_BYTES 12
/* The longest datagram. */
#define ONRAMP_WIRE_MAX_BYTES						\
	(ONRAMP_WIRE_HEADER_BYTES + ONRAMP_WIRE_MAC_BYTES +		\
	 ONRAMP_WIRE_MAX_COUNT * ONRAMP_WIRE_ENTRY_BYTES)

#define ONRAMP_WIRE_FLAG_MAC 0x01
#define ONRAMP_WIRE_FLAG_NO_CLOCK 0x02

#define ONRAMP_WIRE_SYSTEM 1
#define ONRAMP_WIRE_PUBLISHED 2
#define ONRAMP_WIRE_TCP 6
#define ONRAMP_WIRE_MAX_STAMP 3

/**
 * enum onramp_wire_fault - what is wrong with a datagram or an entry
 * @ONRAMP_WIRE_OK: nothing
 * @ONRAMP_WIRE_SHORT: no space for a header
 * @ONRAMP_WIRE_BAD_VERSION: another version
 * @ONRAMP_WIRE_BAD_FLAGS: flags that are not known
 * @ONRAMP_WIRE_BAD_COUNT: no entry, or more than ONRAMP_WIRE_MAX_COUNT
 * @ONRAMP_WIRE_BAD_CLOCK: a clock that is not known
 * @ONRAMP_WIRE_BAD_EPOCH: an epoch with the system's clock, none with another
 * @ONRAMP_WIRE_BAD_LENGTH: not the bytes that count and flags announce
 * @ONRAMP_WIRE_BAD_RESERVED: a reserved byte is not 0
 * @ONRAMP_WIRE_NO_ENTRY: there is no entry of that number
 * @ONRAMP_WIRE_BAD_LEN: an entry of a packet without payload
 * @ONRAMP_WIRE_BAD_PROTO: an entry of something other than TCP
 * @ONRAMP_WIRE_BAD_STAMP: a stamp from where no receiver takes one
 * @ONRAMP_WIRE_BAD_TIME: a stamp that is negative as a signed number
 * @ONRAMP_WIRE_FAULTS: how many there are
 */
enum onramp_wire_fault {
	ONRAMP_WIRE_OK = 0,
	ONRAMP_WIRE_SHORT = 1,
	ONRAMP_WIRE_BAD_VERSION = 2,
	ONRAMP_WIRE_BAD_FLAGS = 3,
	ONRAMP_WIRE_BAD_COUNT = 4,
	ONRAMP_WIRE_BAD_CLOCK = 5,
	ONRAMP_WIRE_BAD_EPOCH = 6,
	ONRAMP_WIRE_BAD_LENGTH = 7,
	ONRAMP_WIRE_BAD_RESERVED = 8,
	ONRAMP_WIRE_NO_ENTRY = 9,
	ONRAMP_WIRE_BAD_LEN = 10,
	ONRAMP_WIRE_BAD_PROTO = 11,
	ONRAMP_WIRE_BAD_STAMP = 12,
	ONRAMP_WIRE_BAD_TIME = 13,
	ONRAMP_WIRE_FAULTS = 14,
};

/**
 * struct onramp_wire_head - header of a datagram, host order
 * @clock_epoch: stamps can be compared within one
 * @clock_error_ns: the receiver's bound on the error of its clock
 * @serial: counts datagrams of these addresses and DSCP
 * @count: entries, 1 to ONRAMP_WIRE_MAX_COUNT
 * @clock_id: ONRAMP_WIRE_SYSTEM or ONRAMP_WIRE_PUBLISHED
 * @no_clock: the stamps are not to be used
 * @has_mac: a trailer follows the entries
 */
struct onramp_wire_head {
	u32 clock_epoch;
	u32 clock_error_ns;
	u32 serial;
	u8 count;
	u8 clock_id;
	bool no_clock;
	bool has_mac;
};

/**
 * struct onramp_wire_view - a datagram that was found to be well formed
 * @head: its header
 * @entries: where its entries begin; the datagram's own bytes
 * @signed_bytes: how many of its bytes the tag covers; with @head.has_mac
 * @mac_tag: the tag; with @head.has_mac
 * @mac_key: which key; with @head.has_mac
 */
struct onramp_wire_view {
	struct onramp_wire_head head;
	const u8 *entries;
	size_t signed_bytes;
	u64 mac_tag;
	u8 mac_key;
};

/**
 * struct onramp_wire_item - an entry, host order
 * @rx_ns: when the packet came, ns of the clock of the header, below 2^63
 * @seq: TCP sequence number of its first byte of payload
 * @sport: source port of the data packet
 * @dport: destination port of the data packet
 * @len: bytes of payload, at least 1
 * @stamp: enum onramp_stamp, where @rx_ns was taken
 */
struct onramp_wire_item {
	u64 rx_ns;
	u32 seq;
	u16 sport;
	u16 dport;
	u16 len;
	u8 stamp;
};

static inline u16 onramp_wire_get16(const u8 *at)
{
	return (u16)at[0] << 8 | at[1];
}

static inline u32 onramp_wire_get32(const u8 *at)
{
	return (u32)onramp_wire_get16(at) << 16 | onramp_wire_get16(at + 2);
}

static inline u64 onramp_wire_get64(const u8 *at)
{
	return (u64)onramp_wire_get32(at) << 32 | onramp_wire_get32(at + 4);
}

static inline void onramp_wire_put16(u8 *at, u16 value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static inline void onramp_wire_put32(u8 *at, u32 value)
{
	onramp_wire_put16(at, value >> 16);
	onramp_wire_put16(at + 2, value);
}

/**
 * onramp_wire_put64() - write a number, the highest byte first
 * @at: 8 bytes
 * @value: the number
 */
static inline void onramp_wire_put64(u8 *at, u64 value)
{
	onramp_wire_put32(at, value >> 32);
	onramp_wire_put32(at + 4, value);
}

/**
 * onramp_wire_bytes() - how long a datagram is
 * @count: entries, 0 to 255
 * @has_mac: with a trailer
 *
 * Return: bytes of UDP payload.
 */
static inline size_t onramp_wire_bytes(u32 count, bool has_mac)
{
	return ONRAMP_WIRE_HEADER_BYTES + count * ONRAMP_WIRE_ENTRY_BYTES +
	       (has_mac ? ONRAMP_WIRE_MAC_BYTES : 0);
}

/* The header, but for the length that it announces. */
static inline enum onramp_wire_fault
onramp_wire_check_head(const u8 *data)
{
	bool published, has_epoch;

	if (data[0] != ONRAMP_WIRE_V1)
		return ONRAMP_WIRE_BAD_VERSION;
	if (data[1] & ~(ONRAMP_WIRE_FLAG_MAC | ONRAMP_WIRE_FLAG_NO_CLOCK))
		return ONRAMP_WIRE_BAD_FLAGS;
	if (!data[2] || data[2] > ONRAMP_WIRE_MAX_COUNT)
		return ONRAMP_WIRE_BAD_COUNT;
	if (data[3] != ONRAMP_WIRE_SYSTEM && data[3] != ONRAMP_WIRE_PUBLISHED)
		return ONRAMP_WIRE_BAD_CLOCK;
	published = data[3] == ONRAMP_WIRE_PUBLISHED;
	has_epoch = onramp_wire_get32(data + 4);
	if (has_epoch != published)
		return ONRAMP_WIRE_BAD_EPOCH;
	return ONRAMP_WIRE_OK;
}

/**
 * onramp_wire_parse() - read a datagram up to its entries
 * @data: the UDP payload; no alignment is needed
 * @len: its bytes
 * @view: filled if ONRAMP_WIRE_OK is returned, else left alone; it points into
 *	@data
 *
 * The tag of a trailer is read, not checked: that takes the key.
 *
 * Return: ONRAMP_WIRE_OK, or the first thing that is wrong.
 */
static inline enum onramp_wire_fault
onramp_wire_parse(const u8 *data, size_t len, struct onramp_wire_view *view)
{
	enum onramp_wire_fault fault;
	const u8 *mac;
	bool has_mac;

	if (len < ONRAMP_WIRE_HEADER_BYTES)
		return ONRAMP_WIRE_SHORT;
	fault = onramp_wire_check_head(data);
	if (fault)
		return fault;
	has_mac = data[1] & ONRAMP_WIRE_FLAG_MAC;
	if (len != onramp_wire_bytes(data[2], has_mac))
		return ONRAMP_WIRE_BAD_LENGTH;
	mac = data + onramp_wire_bytes(data[2], false);
	if (has_mac && (mac[1] || mac[2] || mac[3]))
		return ONRAMP_WIRE_BAD_RESERVED;

	*view = (struct onramp_wire_view){
		.head = {
			.count = data[2],
			.clock_id = data[3],
			.clock_epoch = onramp_wire_get32(data + 4),
			.clock_error_ns = onramp_wire_get32(data + 8),
			.serial = onramp_wire_get32(data + 12),
			.no_clock = data[1] & ONRAMP_WIRE_FLAG_NO_CLOCK,
			.has_mac = has_mac,
		},
		.entries = data + ONRAMP_WIRE_HEADER_BYTES,
	};
	if (has_mac) {
		view->signed_bytes = len - 8;
		view->mac_key = mac[0];
		view->mac_tag = onramp_wire_get64(mac + 4);
	}
	return ONRAMP_WIRE_OK;
}

/**
 * onramp_wire_entry() - read an entry
 * @view: from onramp_wire_parse()
 * @i: which, from 0
 * @item: filled if ONRAMP_WIRE_OK is returned, else left alone
 *
 * Return: ONRAMP_WIRE_OK, or what is wrong with this entry; others may be good.
 */
static inline enum onramp_wire_fault
onramp_wire_entry(const struct onramp_wire_view *view, u32 i,
		  struct onramp_wire_item *item)
{
	const u8 *at;

	if (i >= view->head.count)
		return ONRAMP_WIRE_NO_ENTRY;
	at = view->entries + i * ONRAMP_WIRE_ENTRY_BYTES;
	if (!onramp_wire_get16(at + 8))
		return ONRAMP_WIRE_BAD_LEN;
	if (at[10] != ONRAMP_WIRE_TCP)
		return ONRAMP_WIRE_BAD_PROTO;
	if (!at[11] || at[11] > ONRAMP_WIRE_MAX_STAMP)
		return ONRAMP_WIRE_BAD_STAMP;
	if (at[12] & 0x80)
		return ONRAMP_WIRE_BAD_TIME;

	*item = (struct onramp_wire_item){
		.sport = onramp_wire_get16(at),
		.dport = onramp_wire_get16(at + 2),
		.seq = onramp_wire_get32(at + 4),
		.len = onramp_wire_get16(at + 8),
		.stamp = at[11],
		.rx_ns = onramp_wire_get64(at + 12),
	};
	return ONRAMP_WIRE_OK;
}

/**
 * onramp_wire_put_head() - write the header of a datagram
 * @data: the UDP payload; ONRAMP_WIRE_HEADER_BYTES are written
 * @head: its header, as in struct onramp_wire_head
 */
static inline void onramp_wire_put_head(u8 *data,
					const struct onramp_wire_head *head)
{
	data[0] = ONRAMP_WIRE_V1;
	data[1] = (head->has_mac ? ONRAMP_WIRE_FLAG_MAC : 0) |
		  (head->no_clock ? ONRAMP_WIRE_FLAG_NO_CLOCK : 0);
	data[2] = head->count;
	data[3] = head->clock_id;
	onramp_wire_put32(data + 4, head->clock_epoch);
	onramp_wire_put32(data + 8, head->clock_error_ns);
	onramp_wire_put32(data + 12, head->serial);
}

/**
 * onramp_wire_put_entry() - write an entry
 * @data: the UDP payload; has space for entry @i
 * @i: which, from 0
 * @item: the packet; as struct onramp_wire_item has it
 */
static inline void onramp_wire_put_entry(u8 *data, u32 i,
					 const struct onramp_wire_item *item)
{
	u8 *at = data + onramp_wire_bytes(i, false);

	onramp_wire_put16(at, item->sport);
	onramp_wire_put16(at + 2, item->dport);
	onramp_wire_put32(at + 4, item->seq);
	onramp_wire_put16(at + 8, item->len);
	at[10] = ONRAMP_WIRE_TCP;
	at[11] = item->stamp;
	onramp_wire_put64(at + 12, item->rx_ns);
}

/**
 * onramp_wire_put_mac() - write the trailer, but for its tag
 * @data: the UDP payload; header and entries are written
 * @count: how many entries
 * @key: which key
 *
 * Return: where the tag goes, with onramp_wire_put64(); it covers all bytes
 * before.
 */
static inline u8 *onramp_wire_put_mac(u8 *data, u32 count, u8 key)
{
	u8 *at = data + onramp_wire_bytes(count, false);

	onramp_wire_put32(at, (u32)key << 24);
	return at + 4;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_WIRE_H */
