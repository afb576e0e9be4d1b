/* SPDX-License-Identifier: GPL-2.0 WITH Linux-syscall-note */
/*
 * OR-ACK, version 1: a receiver's report to a sender about its packets.
 *
 * A UDP datagram to ONRAMP_PORT: a header, one to ONRAMP_WIRE_ENTRIES entries,
 * and, with ONRAMP_WIRE_MAC, a trailer.  Big endian, no padding.  Its addresses
 * are those of the data packets, swapped, and it has their DSCP; the ports are
 * in the entries, from the data packets as they were, not swapped.
 *
 * One entry is 36 bytes of payload and 78 bytes of Ethernet frame, the paper's
 * number (On-Ramp, NSDI 2021, section 4.1).
 */
#ifndef _UAPI_LINUX_ONRAMP_WIRE_H
#define _UAPI_LINUX_ONRAMP_WIRE_H

#include <linux/types.h>

/* Destination and source port; not registered with IANA. */
#define ONRAMP_PORT		31901

#define ONRAMP_WIRE_VERSION	1
#define ONRAMP_WIRE_ENTRIES	64

/* struct onramp_wire_header.flags; a receiver ignores a datagram with others. */
#define ONRAMP_WIRE_MAC		0x01	/* a struct onramp_wire_mac follows */
#define ONRAMP_WIRE_NO_CLOCK	0x02	/* the receiver's clock is not to be used */

/**
 * enum onramp_clock_id - what the stamps count
 * @ONRAMP_CLOCK_SYSTEM: CLOCK_REALTIME, disciplined by something else
 * @ONRAMP_CLOCK_PUBLISHED: the common time that a daemon publishes
 */
enum onramp_clock_id {
	ONRAMP_CLOCK_SYSTEM = 1,
	ONRAMP_CLOCK_PUBLISHED = 2,
};

/**
 * enum onramp_stamp - where a stamp was taken
 * @ONRAMP_STAMP_NONE: there is none; in a setting the best that there is
 * @ONRAMP_STAMP_TRACEPOINT: between driver and stack
 * @ONRAMP_STAMP_DRIVER: in a patched driver
 * @ONRAMP_STAMP_HARDWARE: by the NIC
 * @ONRAMP_STAMP_QDISC: as the packet left the qdisc; only of Tx
 */
enum onramp_stamp {
	ONRAMP_STAMP_NONE = 0,
	ONRAMP_STAMP_TRACEPOINT = 1,
	ONRAMP_STAMP_DRIVER = 2,
	ONRAMP_STAMP_HARDWARE = 3,
	ONRAMP_STAMP_QDISC = 4,
};

/**
 * struct onramp_wire_header - 16 bytes
 * @version: ONRAMP_WIRE_VERSION
 * @flags: ONRAMP_WIRE_*
 * @count: entries that follow, 1 to ONRAMP_WIRE_ENTRIES
 * @clock_id: enum onramp_clock_id
 * @clock_epoch: stamps can be compared within one; 0 with ONRAMP_CLOCK_SYSTEM
 * @clock_error_ns: the receiver's bound on the error of its clock
 * @serial: counts datagrams of these addresses and DSCP, against replay
 */
struct onramp_wire_header {
	__u8	version;
	__u8	flags;
	__u8	count;
	__u8	clock_id;
	__be32	clock_epoch;
	__be32	clock_error_ns;
	__be32	serial;
};

/**
 * struct onramp_wire_entry - one data packet, 20 bytes
 * @sport: source port of the data packet
 * @dport: destination port of the data packet
 * @seq: TCP sequence number of its first byte
 * @len: bytes of payload, at least 1
 * @proto: 6, TCP
 * @stamp: enum onramp_stamp, where @rx was taken
 * @rx_hi: when it came, ns of the clock of the header, upper half
 * @rx_lo: and lower; halves, so that the struct needs no alignment to 8
 */
struct onramp_wire_entry {
	__be16	sport;
	__be16	dport;
	__be32	seq;
	__be16	len;
	__u8	proto;
	__u8	stamp;
	__be32	rx_hi;
	__be32	rx_lo;
};

/**
 * struct onramp_wire_mac - 12 bytes
 * @key: which key
 * @reserved: 0
 * @tag: SipHash-2-4 over the addresses and all that comes before it
 */
struct onramp_wire_mac {
	__u8	key;
	__u8	reserved[3];
	__u8	tag[8];
};

#endif /* _UAPI_LINUX_ONRAMP_WIRE_H */
