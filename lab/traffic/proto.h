/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The request, the only message there is
 *
 * The requester connects, sends one request of REQUEST_BYTES, and receives
 * exactly as many bytes as it requested. With REQUEST_KEEP it may then send
 * another one on the same connection, else it closes. An endless answer ends
 * when the requester shuts its side down. A request whose codepoint is to
 * change on the way is longer: it says so in its first REQUEST_BYTES.
 */
#ifndef FLOWGEN_PROTO_H
#define FLOWGEN_PROTO_H

#include "demotion.h"
#include "types.h"

#define REQUEST_BYTES	24
#define REQUEST_MAX	(REQUEST_BYTES + DEMOTIONS_MAX * DEMOTION_BYTES)

#define REQUEST_KEEP	0x01	/* another request may follow */
#define REQUEST_ENDLESS	0x02	/* send until requested to stop; the size is 0 */

/**
 * struct request - what the requester asks for
 * @flow: id of the flow, for the requester's own use
 * @size: bytes to send, 1 to FLOW_SIZE_MAX; 0 if endless
 * @dscp: codepoint to send them with, 0 to 63
 * @flags: REQUEST_* bits; KEEP and ENDLESS exclude each other
 * @demotions: changes of the codepoint as they are sent
 */
struct request {
	u64 flow;
	u64 size;
	u8 dscp;
	u8 flags;
	struct demotions demotions;
};

/**
 * request_pack() - write a request as it is sent
 * @r: request
 * @wire: REQUEST_MAX bytes
 *
 * Return: its length.
 */
size_t request_pack(const struct request *r, u8 *wire);

/**
 * request_length() - tell how long a request is
 * @wire: what has come of it
 * @got: bytes of it
 *
 * Return: its length, as far as @got tells: at most REQUEST_MAX.
 */
size_t request_length(const u8 *wire, size_t got);

/**
 * request_unpack() - read a request as it came; trusts nothing
 * @r: receives it
 * @wire: request_length() bytes
 * @max: largest size that is served
 *
 * Return: 0, or -1 if it is not a valid request.
 */
int request_unpack(struct request *r, const u8 *wire, u64 max);

#endif
