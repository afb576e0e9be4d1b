/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FECN's rate discovery (RD) messages, read and written byte by byte.
 *
 * No standard and no paper has their format.  This one has the EtherType for local
 * experiments; see docs/decisions/0078-fecn-sources.md.  An RD has the addresses and the VLAN
 * tag of its flow, so that it takes the flow's path.
 *
 *    0  "FERD", 4 bytes
 *    4  version, u8, 1
 *    5  flags, u8: 1 it goes forward, 2 it goes back; the others 0
 *    6  congestion points that it passed, u16
 *    8  number of the reaction point, u32
 *   12  nonce, u32
 *   16  when it was sent, u64, ns; of the sender's clock, for the sender alone
 *   24  the least rate of those, u32, kbit/s; 0xffffffff: none
 *   28  bytes of the queue there, u32
 *   32  its congestion point identifier (CPID), 8 bytes
 *   40  0, 6 bytes
 *
 * Numbers are in network byte order.  Any other frame is refused whole.
 * Padding is ignored.
 */
#ifndef SHARPRAMP_ALGO_FECN_WIRE_H
#define SHARPRAMP_ALGO_FECN_WIRE_H

#include "l2_wire.h"

#define FECN_RD_TYPE 0x88b5
#define FECN_RD_BYTES 46U
#define FECN_RD_MAGIC 0x46455244U
#define FECN_RD_VERSION 1
#define FECN_RD_FORWARD 1
#define FECN_RD_BACK 2
/* The longest frame: an RD has no CN-TAG. */
#define FECN_RD_MAX_BYTES (2 * L2_ADDRESS_BYTES + L2_VLAN_TAGS_MAX * L2_TAG_BYTES + 2 + \
			   FECN_RD_BYTES)

/**
 * struct fecn_rd - an RD, host order
 * @tx_ns: when it was sent
 * @index: number of the reaction point
 * @nonce: of this RD
 * @kbps: the least rate; U32_MAX: none
 * @q_bytes: the queue of that congestion point
 * @cpid: which one
 * @hops: how many it passed
 * @is_back: it was reflected
 */
struct fecn_rd {
	u64 tx_ns;
	u32 index;
	u32 nonce;
	u32 kbps;
	u32 q_bytes;
	u8 cpid[L2_CPID_BYTES];
	u16 hops;
	bool is_back;
};

static inline u32 fecn_get32(const u8 *at)
{
	return (u32)l2_get16(at) << 16 | l2_get16(at + 2);
}

static inline void fecn_put32(u8 *at, u32 value)
{
	l2_put16(at, value >> 16);
	l2_put16(at + 2, value & 0xffff);
}

/**
 * fecn_rd_put() - write the RD of a flow
 * @out: FECN_RD_MAX_BYTES
 * @frame: a frame of the flow, from its destination address on
 * @len: its bytes, or the first L2_HEADER_MAX_BYTES of them
 * @rd: the RD
 *
 * Return: bytes written; 0: the frame ends too early, or an address is not a station's.
 */
static inline size_t fecn_rd_put(u8 *out, const u8 *frame, size_t len, const struct fecn_rd *rd)
{
	struct l2_header h;
	u32 tags;
	u8 *at;

	if (l2_header_parse(frame, len, &h) || !l2_is_station(frame) ||
	    !l2_is_station(frame + L2_ADDRESS_BYTES))
		return 0;
	tags = h.bytes - 2 * L2_ADDRESS_BYTES - (h.has_cn_tag ? L2_TAG_BYTES : 0);
	at = l2_put_bytes(out, frame, 2 * L2_ADDRESS_BYTES + tags);
	l2_put16(at, FECN_RD_TYPE);
	at += 2;
	fecn_put32(at, FECN_RD_MAGIC);
	at[4] = FECN_RD_VERSION;
	at[5] = rd->is_back ? FECN_RD_BACK : FECN_RD_FORWARD;
	l2_put16(at + 6, rd->hops);
	fecn_put32(at + 8, rd->index);
	fecn_put32(at + 12, rd->nonce);
	fecn_put32(at + 16, rd->tx_ns >> 32);
	fecn_put32(at + 20, rd->tx_ns & U32_MAX);
	fecn_put32(at + 24, rd->kbps);
	fecn_put32(at + 28, rd->q_bytes);
	l2_put_bytes(at + 32, rd->cpid, L2_CPID_BYTES);
	return l2_put_zero(at + 40, at + FECN_RD_BYTES) - out;
}

static inline void fecn_rd_read(const u8 *at, struct fecn_rd *rd)
{
	*rd = (struct fecn_rd){
		.is_back = at[5] == FECN_RD_BACK,
		.hops = l2_get16(at + 6),
		.index = fecn_get32(at + 8),
		.nonce = fecn_get32(at + 12),
		.tx_ns = (u64)fecn_get32(at + 16) << 32 | fecn_get32(at + 20),
		.kbps = fecn_get32(at + 24),
		.q_bytes = fecn_get32(at + 28),
	};
	l2_put_bytes(rd->cpid, at + 32, L2_CPID_BYTES);
}

/**
 * fecn_rd_parse() - read an RD
 * @frame: the frame, from its destination address on; no alignment is needed
 * @len: its bytes
 * @rd: written if L2_OK is returned
 * @body: likewise: where the RD begins in the frame
 *
 * Return: L2_OK, or the first thing that is wrong: L2_BAD_OPCODE are flags that no RD has.
 */
static inline enum l2_fault fecn_rd_parse(const u8 *frame, size_t len, struct fecn_rd *rd,
					  u32 *body)
{
	struct l2_header h;
	const u8 *at;

	if (l2_header_parse(frame, len, &h))
		return L2_SHORT;
	if (h.type != FECN_RD_TYPE || h.has_cn_tag)
		return L2_OTHER;
	if (!l2_is_station(frame) || !l2_is_station(frame + L2_ADDRESS_BYTES))
		return L2_BAD_ADDRESS;
	if (len < h.bytes + 2 + FECN_RD_BYTES)
		return L2_SHORT;
	at = frame + h.bytes + 2;
	/* The EtherType is anybody's, so another magic is another protocol. */
	if (fecn_get32(at) != FECN_RD_MAGIC)
		return L2_OTHER;
	if (at[4] != FECN_RD_VERSION)
		return L2_BAD_VERSION;
	if (at[5] != FECN_RD_FORWARD && at[5] != FECN_RD_BACK)
		return L2_BAD_OPCODE;
	fecn_rd_read(at, rd);
	*body = h.bytes + 2;
	return L2_OK;
}

/**
 * fecn_rd_pass() - an RD passes a congestion point
 * @body: its FECN_RD_BYTES, which are written
 * @kbps: the rate that this one advertises
 * @q_bytes: its queue
 * @cpid: its identifier
 *
 * Return: true if this rate is the least yet, which replaces the one before.
 */
static inline bool fecn_rd_pass(u8 *body, u32 kbps, u32 q_bytes, const u8 *cpid)
{
	u16 hops = l2_get16(body + 6);

	l2_put16(body + 6, hops == 0xffff ? hops : hops + 1);
	if (kbps >= fecn_get32(body + 24))
		return false;
	fecn_put32(body + 24, kbps);
	fecn_put32(body + 28, q_bytes);
	l2_put_bytes(body + 32, cpid, L2_CPID_BYTES);
	return true;
}

/**
 * fecn_rd_reflect() - make an RD that goes forward one that goes back
 * @frame: the frame, from its destination address on, of which fecn_rd_parse() returned L2_OK
 * @body: its content
 */
static inline void fecn_rd_reflect(u8 *frame, u32 body)
{
	u8 da[L2_ADDRESS_BYTES];

	l2_put_bytes(da, frame, L2_ADDRESS_BYTES);
	l2_put_bytes(frame, frame + L2_ADDRESS_BYTES, L2_ADDRESS_BYTES);
	l2_put_bytes(frame + L2_ADDRESS_BYTES, da, L2_ADDRESS_BYTES);
	frame[body + 5] = FECN_RD_BACK;
}

#endif /* SHARPRAMP_ALGO_FECN_WIRE_H */
