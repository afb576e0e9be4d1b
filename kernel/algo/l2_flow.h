/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The flow of a frame, as a CNM tells it: by the first bytes of the frame, from its EtherType
 * on, and its destination address.
 *
 * The sender of a frame and the reader of a CNM about it use the same function, on the
 * same bytes, so that both have the same flow, or none.  VLAN tags and CN-TAGs are not part of
 * it: bridges add and remove them.
 */
#ifndef SHARPRAMP_ALGO_L2_FLOW_H
#define SHARPRAMP_ALGO_L2_FLOW_H

#include "l2_wire.h"

#define L2_TYPE_IPV4 0x0800
#define L2_TYPE_IPV6 0x86dd
/* Below it there is the length of a frame, and not its EtherType. */
#define L2_TYPE_LEAST 0x0600
/* Bytes of a frame, from its destination address on, that suffice to read its flow. */
#define L2_FLOW_BYTES (L2_HEADER_MAX_BYTES + L2_CNM_MSDU_MAX)

#define L2_IPV4_BYTES 20U
#define L2_IPV6_BYTES 40U
#define L2_IPV4_FRAGMENT 0x3fff

/**
 * struct l2_flow - a flow; it is hashed and compared as bytes, and has no padding
 * @saddr: source address of IP, of IPv4 mapped as ::ffff:0:0/96; 0 of other protocols
 * @daddr: likewise the destination
 * @da: destination address of its frames
 * @type: EtherType; 0 of frames that have none
 * @sport: source port, if there is one and the packet is not a fragment
 * @dport: likewise the destination
 * @proto: protocol above IPv4, next header of IPv6
 * @unused: 0
 */
struct l2_flow {
	u8 saddr[16];
	u8 daddr[16];
	u8 da[L2_ADDRESS_BYTES];
	u16 type;
	u16 sport;
	u16 dport;
	u8 proto;
	u8 unused[3];
};

static_assert(sizeof(struct l2_flow) == 48, "no padding, which a hash would read");

/* TCP, UDP, DCCP, SCTP and UDP-Lite. */
static inline bool l2_proto_has_ports(u8 proto)
{
	return proto == 6 || proto == 17 || proto == 33 || proto == 132 || proto == 136;
}

static inline bool l2_flow_ports(const u8 *at, size_t len, struct l2_flow *f)
{
	if (!l2_proto_has_ports(f->proto))
		return true;
	if (len < 4)
		return false;
	f->sport = l2_get16(at);
	f->dport = l2_get16(at + 2);
	return true;
}

static inline void l2_flow_mapped(u8 *at, const u8 *address)
{
	at[10] = 0xff;
	at[11] = 0xff;
	l2_put_bytes(at + 12, address, 4);
}

static inline bool l2_flow_ipv4(const u8 *ip, size_t len, struct l2_flow *f)
{
	size_t header;

	if (len < L2_IPV4_BYTES)
		return false;
	header = 4 * (ip[0] & 15);
	if (ip[0] >> 4 != 4 || header < L2_IPV4_BYTES)
		return false;
	l2_flow_mapped(f->saddr, ip + 12);
	l2_flow_mapped(f->daddr, ip + 16);
	f->proto = ip[9];
	if (l2_get16(ip + 6) & L2_IPV4_FRAGMENT)
		return true;
	return l2_flow_ports(ip + header, len > header ? len - header : 0, f);
}

static inline bool l2_flow_ipv6(const u8 *ip, size_t len, struct l2_flow *f)
{
	if (len < L2_IPV6_BYTES || ip[0] >> 4 != 6)
		return false;
	l2_put_bytes(f->saddr, ip + 8, 16);
	l2_put_bytes(f->daddr, ip + 24, 16);
	f->proto = ip[6];
	return l2_flow_ports(ip + L2_IPV6_BYTES, len - L2_IPV6_BYTES, f);
}

/**
 * l2_flow_parse() - the flow of a frame, by its first bytes
 * @msdu: from its EtherType on, behind all tags; what is beyond L2_CNM_MSDU_MAX is not read
 * @len: bytes of it
 * @da: destination address of the frame
 * @flow: written if true is returned
 *
 * Return: false if the flow cannot be known: it is IP whose header, or ports, are not all there.
 */
static inline bool l2_flow_parse(const u8 *msdu, size_t len, const u8 *da, struct l2_flow *flow)
{
	struct l2_flow f = {};
	bool known = true;

	len = min_t(size_t, len, L2_CNM_MSDU_MAX);
	if (len < 2)
		return false;
	f.type = l2_get16(msdu);
	if (f.type < L2_TYPE_LEAST)
		f.type = 0;
	l2_put_bytes(f.da, da, L2_ADDRESS_BYTES);
	if (f.type == L2_TYPE_IPV4)
		known = l2_flow_ipv4(msdu + 2, len - 2, &f);
	else if (f.type == L2_TYPE_IPV6)
		known = l2_flow_ipv6(msdu + 2, len - 2, &f);
	if (known)
		*flow = f;
	return known;
}

/**
 * l2_flow_of_frame() - the flow of a frame that is sent
 * @frame: the frame, from its destination address on
 * @len: its bytes; L2_FLOW_BYTES are enough
 * @flow: written if true is returned
 *
 * Return: false if it has none that a CNM could tell: it is one itself, MAC control, or the
 *	flow cannot be known.
 */
static inline bool l2_flow_of_frame(const u8 *frame, size_t len, struct l2_flow *flow)
{
	struct l2_header h;

	if (l2_header_parse(frame, len, &h) || h.type == L2_TYPE_CNM ||
	    h.type == L2_TYPE_MAC_CONTROL)
		return false;
	return l2_flow_parse(frame + h.bytes, len - h.bytes, frame, flow);
}

#endif /* SHARPRAMP_ALGO_L2_FLOW_H */
