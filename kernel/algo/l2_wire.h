/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Frames of congestion control at layer 2, read and written byte by byte: congestion
 * notification messages (CNM), CN-TAGs, PAUSE and PFC.
 *
 * Sources: a vendor's public description of CNMs, IEEE's public list of EtherTypes, IEEE 802.3
 * annexes 31B and 31D, see docs/decisions/0077-qcn-sources.md.
 *
 *   CNM, after addresses, VLAN tags and CN-TAG of the culprit's frame, 24 bytes and the MSDU:
 *
 *    0  version, 4 bits, 0; reserved, 6 bits; quantized feedback, 6 bits
 *    2  congestion point identifier (CPID), 8 bytes
 *   10  cnmQOffset, s16, in 64 bytes: the queue, less its set point
 *   12  cnmQDelta, s16, in 64 bytes: the queue, less what it was at the last sample
 *   14  priority of the culprit's frame: 3 bits; reserved, 13 bits
 *   16  destination address of the culprit's frame
 *   22  bytes of the MSDU, 0 to 64
 *   24  the first bytes of the MSDU of the culprit's frame, from its EtherType on
 *
 * Nothing is trusted: what is not exactly such a frame is refused whole, with the first thing
 * that is wrong with it.  Reserved bits are sent as 0 and ignored when received, as everywhere
 * in IEEE 802; padding, too.
 */
#ifndef SHARPRAMP_ALGO_L2_WIRE_H
#define SHARPRAMP_ALGO_L2_WIRE_H

#include "port.h"

#define L2_ADDRESS_BYTES 6U
/* The shortest frame without its FCS: shorter ones are padded. */
#define L2_MIN_BYTES 60U

/* EtherTypes. */
#define L2_TYPE_CNM 0x22e7
#define L2_TYPE_CN_TAG 0x22e9
#define L2_TYPE_VLAN 0x8100
#define L2_TYPE_SERVICE_VLAN 0x88a8
#define L2_TYPE_MAC_CONTROL 0x8808

#define L2_TAG_BYTES 4U
/* Two VLAN tags, then a CN-TAG. */
#define L2_VLAN_TAGS_MAX 2U
/* Addresses, all tags, an EtherType. */
#define L2_HEADER_MAX_BYTES (2 * L2_ADDRESS_BYTES + (L2_VLAN_TAGS_MAX + 1) * L2_TAG_BYTES + 2)

#define L2_CNM_BYTES 24U
#define L2_CNM_MSDU_MAX 64U
#define L2_CNM_QNTZ_FB_MAX 63U
#define L2_CNM_UNIT_BYTES 64
#define L2_CPID_BYTES 8U
/* The longest frame. */
#define L2_CNM_MAX_BYTES (L2_HEADER_MAX_BYTES + L2_CNM_BYTES + L2_CNM_MSDU_MAX)

#define L2_OPCODE_PAUSE 0x0001
#define L2_OPCODE_PFC 0x0101
#define L2_PRIORITIES 8U

/**
 * enum l2_fault - what is wrong with a frame
 * @L2_OK: nothing
 * @L2_SHORT: it ends too early
 * @L2_OTHER: another EtherType
 * @L2_BAD_ADDRESS: an address that no such frame has
 * @L2_BAD_OPCODE: MAC control other than PAUSE and PFC
 * @L2_BAD_VERSION: a CNM of another version
 * @L2_BAD_FEEDBACK: a CNM without feedback
 * @L2_BAD_MSDU: more MSDU than the frame or a CNM has
 * @L2_FAULTS: how many there are
 */
enum l2_fault {
	L2_OK = 0,
	L2_SHORT = 1,
	L2_OTHER = 2,
	L2_BAD_ADDRESS = 3,
	L2_BAD_OPCODE = 4,
	L2_BAD_VERSION = 5,
	L2_BAD_FEEDBACK = 6,
	L2_BAD_MSDU = 7,
	L2_FAULTS = 8,
};

/**
 * struct l2_header - up to the EtherType of a frame's payload
 * @bytes: addresses and tags; there the EtherType is
 * @type: that EtherType
 * @tci: of the outer VLAN tag; with @has_vlan
 * @rpid: of the CN-TAG; with @has_cn_tag
 * @has_vlan: there is a VLAN tag
 * @has_cn_tag: there is a CN-TAG
 */
struct l2_header {
	u32 bytes;
	u16 type;
	u16 tci;
	u16 rpid;
	bool has_vlan;
	bool has_cn_tag;
};

/**
 * struct l2_cnm - a CNM, host order
 * @cpid: which congestion point
 * @da: destination address of the culprit's frame
 * @msdu: its MSDU; when read, in the CNM's own bytes
 * @msdu_bytes: how much of it, at most L2_CNM_MSDU_MAX
 * @q_offset: cnmQOffset, in L2_CNM_UNIT_BYTES
 * @q_delta: cnmQDelta, likewise
 * @qntz_fb: 1 to L2_CNM_QNTZ_FB_MAX
 * @priority: of the culprit's frame, 0 to 7
 */
struct l2_cnm {
	const u8 *cpid;
	const u8 *da;
	const u8 *msdu;
	u16 msdu_bytes;
	s16 q_offset;
	s16 q_delta;
	u8 qntz_fb;
	u8 priority;
};

/**
 * struct l2_pause - a PAUSE or PFC frame
 * @quanta: a priority's, of 512 bit times; those of PAUSE are all the same
 * @priorities: bit n: that of priority n counts
 * @is_pfc: PFC, and not PAUSE
 */
struct l2_pause {
	u16 quanta[L2_PRIORITIES];
	u8 priorities;
	bool is_pfc;
};

/**
 * l2_get16() - read a number as the wire has it
 * @at: two bytes
 *
 * Return: the number.
 */
static inline u16 l2_get16(const u8 *at)
{
	return (u16)at[0] << 8 | at[1];
}

/**
 * l2_put16() - write a number as the wire has it
 * @at: two bytes
 * @value: the number
 */
static inline void l2_put16(u8 *at, u16 value)
{
	at[0] = value >> 8;
	at[1] = value & 0xff;
}

/**
 * l2_put_bytes() - copy bytes
 * @at: written
 * @from: read
 * @bytes: how many
 *
 * Return: the byte behind the last that was written.
 */
static inline u8 *l2_put_bytes(u8 *at, const u8 *from, u32 bytes)
{
	while (bytes--)
		*at++ = *from++;
	return at;
}

/**
 * l2_put_zero() - write zeros
 * @at: written, if it is before @end
 * @end: behind the last
 *
 * Return: the byte behind the last that was written.
 */
static inline u8 *l2_put_zero(u8 *at, const u8 *end)
{
	while (at < end)
		*at++ = 0;
	return at;
}

static inline bool l2_is_group(const u8 *address)
{
	return address[0] & 1;
}

static inline bool l2_is_zero(const u8 *address)
{
	return !(address[0] | address[1] | address[2] | address[3] | address[4] | address[5]);
}

/**
 * l2_is_station() - may an address be a device's?
 * @address: six bytes
 *
 * Return: false for a group's, and for none.
 */
static inline bool l2_is_station(const u8 *address)
{
	return !l2_is_group(address) && !l2_is_zero(address);
}

/**
 * l2_is_vlan() - is an EtherType that of a VLAN tag?
 * @type: the EtherType
 *
 * Return: true for 802.1Q and 802.1ad.
 */
static inline bool l2_is_vlan(u16 type)
{
	return type == L2_TYPE_VLAN || type == L2_TYPE_SERVICE_VLAN;
}

/**
 * l2_header_parse() - read a frame up to its EtherType
 * @frame: the frame, from its destination address on
 * @len: its bytes
 * @h: written if L2_OK is returned
 *
 * Two VLAN tags at most, then a CN-TAG at most; what follows is the EtherType.
 *
 * Return: L2_OK or L2_SHORT.
 */
static inline enum l2_fault l2_header_parse(const u8 *frame, size_t len, struct l2_header *h)
{
	struct l2_header got = { .bytes = 2 * L2_ADDRESS_BYTES };
	u32 vlans = 0;

	for (;;) {
		if (len < got.bytes + 2)
			return L2_SHORT;
		got.type = l2_get16(frame + got.bytes);
		if (got.has_cn_tag || (got.type != L2_TYPE_CN_TAG &&
				       (!l2_is_vlan(got.type) || vlans == L2_VLAN_TAGS_MAX)))
			break;
		if (len < got.bytes + L2_TAG_BYTES)
			return L2_SHORT;
		if (got.type == L2_TYPE_CN_TAG) {
			got.has_cn_tag = true;
			got.rpid = l2_get16(frame + got.bytes + 2);
		} else if (!vlans++) {
			got.has_vlan = true;
			got.tci = l2_get16(frame + got.bytes + 2);
		}
		got.bytes += L2_TAG_BYTES;
	}
	*h = got;
	return L2_OK;
}

/**
 * l2_cn_tag_put() - write a CN-TAG
 * @at: L2_TAG_BYTES, where the EtherType was
 * @rpid: which reaction point
 */
static inline void l2_cn_tag_put(u8 *at, u16 rpid)
{
	l2_put16(at, L2_TYPE_CN_TAG);
	l2_put16(at + 2, rpid);
}

/**
 * l2_cnm_units() - a number of bytes as a CNM has it
 * @bytes: any
 *
 * Return: in L2_CNM_UNIT_BYTES, rounded towards 0; the nearest that fits.
 */
static inline s16 l2_cnm_units(s32 bytes)
{
	s32 units = bytes / L2_CNM_UNIT_BYTES;

	return units > 32767 ? 32767 : units < -32768 ? -32768 : units;
}

/**
 * l2_cnm_put() - write the CNM for a frame, padded
 * @out: L2_CNM_MAX_BYTES
 * @sa: address of the port that it leaves by
 * @frame: the culprit's frame, from its destination address on
 * @len: its bytes, or the first of them; L2_HEADER_MAX_BYTES + L2_CNM_MSDU_MAX are enough
 * @cnm: what it says; @da, @msdu and @msdu_bytes are not read
 * @msdu_max: bytes of the frame's MSDU that it has at most, up to L2_CNM_MSDU_MAX
 *
 * No notification is made for a frame without a source address, a CNM or MAC control.
 *
 * Return: bytes written; 0: there is no destination, and nothing was written.
 */
static inline size_t l2_cnm_put(u8 *out, const u8 *sa, const u8 *frame, size_t len,
				const struct l2_cnm *cnm, u32 msdu_max)
{
	struct l2_header h;
	u32 msdu_bytes;
	u8 *at;

	if (l2_header_parse(frame, len, &h) || !l2_is_station(frame + L2_ADDRESS_BYTES) ||
	    h.type == L2_TYPE_CNM || h.type == L2_TYPE_MAC_CONTROL)
		return 0;
	msdu_bytes = min_t(size_t, len - h.bytes, min(msdu_max, L2_CNM_MSDU_MAX));
	at = l2_put_bytes(out, frame + L2_ADDRESS_BYTES, L2_ADDRESS_BYTES);
	at = l2_put_bytes(at, sa, L2_ADDRESS_BYTES);
	at = l2_put_bytes(at, frame + 2 * L2_ADDRESS_BYTES, h.bytes - 2 * L2_ADDRESS_BYTES);
	l2_put16(at, L2_TYPE_CNM);
	l2_put16(at + 2, cnm->qntz_fb & L2_CNM_QNTZ_FB_MAX);
	at = l2_put_bytes(at + 4, cnm->cpid, L2_CPID_BYTES);
	l2_put16(at, cnm->q_offset);
	l2_put16(at + 2, cnm->q_delta);
	l2_put16(at + 4, (cnm->priority & 7) << 13);
	at = l2_put_bytes(at + 6, frame, L2_ADDRESS_BYTES);
	l2_put16(at, msdu_bytes);
	at = l2_put_bytes(at + 2, frame + h.bytes, msdu_bytes);
	return l2_put_zero(at, out + L2_MIN_BYTES) - out;
}

/**
 * l2_cnm_parse() - read a CNM
 * @frame: the frame, from its destination address on; no alignment is needed
 * @len: its bytes
 * @h: written if L2_OK is returned
 * @cnm: likewise; it points into @frame
 *
 * Return: L2_OK, or the first thing that is wrong.
 */
static inline enum l2_fault l2_cnm_parse(const u8 *frame, size_t len, struct l2_header *h,
					 struct l2_cnm *cnm)
{
	struct l2_header got;
	const u8 *at;
	u32 msdu_bytes;

	if (l2_header_parse(frame, len, &got))
		return L2_SHORT;
	if (got.type != L2_TYPE_CNM)
		return L2_OTHER;
	if (!l2_is_station(frame) || !l2_is_station(frame + L2_ADDRESS_BYTES))
		return L2_BAD_ADDRESS;
	if (len < got.bytes + 2 + L2_CNM_BYTES)
		return L2_SHORT;
	at = frame + got.bytes + 2;
	msdu_bytes = l2_get16(at + 22);
	if (at[0] >> 4)
		return L2_BAD_VERSION;
	if (!(at[1] & L2_CNM_QNTZ_FB_MAX))
		return L2_BAD_FEEDBACK;
	if (msdu_bytes > L2_CNM_MSDU_MAX || msdu_bytes > len - got.bytes - 2 - L2_CNM_BYTES)
		return L2_BAD_MSDU;
	*h = got;
	*cnm = (struct l2_cnm){
		.qntz_fb = at[1] & L2_CNM_QNTZ_FB_MAX,
		.cpid = at + 2,
		.q_offset = l2_get16(at + 10),
		.q_delta = l2_get16(at + 12),
		.priority = at[14] >> 5,
		.da = at + 16,
		.msdu_bytes = msdu_bytes,
		.msdu = at + 24,
	};
	return L2_OK;
}

/* 01-80-C2-00-00-01: no bridge forwards it. */
static inline bool l2_is_pause_address(const u8 *address)
{
	return l2_get16(address) == 0x0180 && l2_get16(address + 2) == 0xc200 &&
	       l2_get16(address + 4) == 0x0001;
}

/**
 * l2_pause_put() - write a PAUSE or PFC frame, padded
 * @out: L2_MIN_BYTES
 * @sa: address of the port that it leaves by
 * @pause: what it says; PAUSE has the quanta of priority 0
 */
static inline void l2_pause_put(u8 *out, const u8 *sa, const struct l2_pause *pause)
{
	u32 i;

	l2_put16(out, 0x0180);
	l2_put16(out + 2, 0xc200);
	l2_put16(out + 4, 0x0001);
	l2_put_zero(l2_put_bytes(out + 6, sa, L2_ADDRESS_BYTES), out + L2_MIN_BYTES);
	l2_put16(out + 12, L2_TYPE_MAC_CONTROL);
	if (!pause->is_pfc) {
		l2_put16(out + 14, L2_OPCODE_PAUSE);
		l2_put16(out + 16, pause->quanta[0]);
		return;
	}
	l2_put16(out + 14, L2_OPCODE_PFC);
	l2_put16(out + 16, pause->priorities);
	for (i = 0; i < L2_PRIORITIES; i++)
		if (pause->priorities >> i & 1)
			l2_put16(out + 18 + 2 * i, pause->quanta[i]);
}

/* Priorities that a PFC frame does not name have 0 quanta. */
static inline void l2_pause_read(const u8 *frame, bool is_pfc, struct l2_pause *pause)
{
	u32 i;

	pause->is_pfc = is_pfc;
	pause->priorities = is_pfc ? frame[17] : 0xff;
	for (i = 0; i < L2_PRIORITIES; i++)
		pause->quanta[i] = !is_pfc ? l2_get16(frame + 16) :
				   pause->priorities >> i & 1 ? l2_get16(frame + 18 + 2 * i) : 0;
}

/**
 * l2_pause_parse() - read a PAUSE or PFC frame
 * @frame: the frame, from its destination address on; no alignment is needed
 * @len: its bytes
 * @pause: written if L2_OK is returned
 *
 * Return: L2_OK, or the first thing that is wrong.
 */
static inline enum l2_fault l2_pause_parse(const u8 *frame, size_t len, struct l2_pause *pause)
{
	bool is_pfc;

	if (len < 2 * L2_ADDRESS_BYTES + 2)
		return L2_SHORT;
	if (l2_get16(frame + 12) != L2_TYPE_MAC_CONTROL)
		return L2_OTHER;
	if (!l2_is_pause_address(frame) || !l2_is_station(frame + L2_ADDRESS_BYTES))
		return L2_BAD_ADDRESS;
	if (len < 16)
		return L2_SHORT;
	is_pfc = l2_get16(frame + 14) == L2_OPCODE_PFC;
	if (!is_pfc && l2_get16(frame + 14) != L2_OPCODE_PAUSE)
		return L2_BAD_OPCODE;
	if (len < (is_pfc ? 18 + 2 * L2_PRIORITIES : 18))
		return L2_SHORT;
	l2_pause_read(frame, is_pfc, pause);
	return L2_OK;
}

#endif /* SHARPRAMP_ALGO_L2_WIRE_H */
