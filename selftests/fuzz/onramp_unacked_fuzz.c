// SPDX-License-Identifier: GPL-2.0
/*
 * Packets and OR-ACKs of a path, at times on and around those that decide, some
 * of which run back: the path is unacked when an oracle that keeps them all says
 * so, and says that it turned when it did.  Anything else aborts.
 *
 *   operation   1 byte: lowest bit: an OR-ACK; next 3: by how much time moves;
 *		 the rest: beside what, or how many packets at once
 *   time        0 to 4 bytes
 *
 * What is missing at the end is 0.
 */
#include <stdlib.h>

#include "bytes.h"
#include "onramp_unacked.h"
#include "oracle_unacked.h"

#define HALF	ORACLE_SILENCE_HALF_NS
#define LATEST	(1ULL << 61)
/* The oracle asks all of them each time, and ten and half a second are what decides. */
#define EVENTS	128

static u64 take_now(struct bytes *b, const struct onramp_unacked *v, u64 now_ns, unsigned int operation)
{
	unsigned int form = operation / 2 % 8, beside = operation / 16;
	u64 next_ns = now_ns;

	switch (form) {
	case 0:
		next_ns = around(v->acked_ns + HALF, beside);
		break;
	case 1:
		next_ns = around(v->full_ns + HALF, beside);
		break;
	case 2:
		next_ns = now_ns + take(b, 4);
		break;
	case 3:
		/* Another CPU, whose clock was read before. */
		next_ns = now_ns - take(b, 2);
		break;
	case 4:
		next_ns = now_ns + (take(b, 1) << 52);
		break;
	default:
		break;
	}
	return next_ns && next_ns < LATEST ? next_ns : now_ns;
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: bytes, read as above
 * @size: how many
 *
 * Return: 0; does not return if algorithm and oracle disagree.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .end = data + size };
	struct oracle_unacked oracle = {};
	struct onramp_unacked v = {};
	u64 now_ns = 1;

	while (oracle.n < EVENTS && b.at < b.end) {
		unsigned int operation = take(&b, 1);
		unsigned int again = operation / 2 % 8 == 7 ? operation / 16 : 0;
		bool was, turned;

		now_ns = take_now(&b, &v, now_ns, operation);
		do {
			was = v.unacked;
			oracle.at[oracle.n] = now_ns;
			oracle.is_ack[oracle.n++] = operation & 1;
			turned = operation & 1 ? onramp_unacked_on_ack(&v, now_ns) :
						 onramp_unacked_on_packet(&v, now_ns);
			if (v.unacked != oracle_unacked_is_unacked(&oracle) || turned != (was != v.unacked))
				abort();
		} while (again-- && oracle.n < EVENTS);
	}
	return 0;
}
