/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The request, the only message there is
 *
 * The requester connects, sends one request of REQUEST_BYTES, and receives
 * exactly as many bytes as it asked for. With REQUEST_KEEP it may then send
 * another one on the same connection, else it closes. An endless answer ends
 * when the requester shuts its side down.
 */
#ifndef FLOWGEN_PROTO_H
#define FLOWGEN_PROTO_H

#include "types.h"

#define REQUEST_BYTES	24

#define REQUEST_KEEP	0x01	/* another request may follow */
#define REQUEST_ENDLESS	0x02	/* send until told to stop; the size is 0 */

/**
 * struct request - what the requester asks for
 * @flow: id of the flow, for the requester's own use
 * @size: bytes to send, 1 to FLOW_SIZE_MAX; 0 if endless
 * @dscp: codepoint to send them with, 0 to 63
 * @flags: REQUEST_* bits; KEEP and ENDLESS exclude each other
 */
struct request {
	u64 flow;
	u64 size;
	u8 dscp;
	u8 flags;
};

/**
 * request_pack() - write a request as it is sent
 * @r: request
 * @wire: REQUEST_BYTES bytes
 */
void request_pack(const struct request *r, u8 *wire);

/**
 * request_unpack() - read a request as it came; trusts nothing
 * @r: receives it
 * @wire: REQUEST_BYTES bytes
 * @max: largest size that is served
 *
 * Return: 0, or -1 if it is not a valid request.
 */
int request_unpack(struct request *r, const u8 *wire, u64 max);

#endif
