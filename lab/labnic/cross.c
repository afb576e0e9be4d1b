// SPDX-License-Identifier: GPL-2.0
/* Cross traffic without packets, see cross.h. */
#include "cross.h"
#include "random.h"

#define LABNIC_NS_PER_S 1000000000ULL
#define LABNIC_CROSS_LOOK 4096ULL

/*
 * An exponential number of mean 1, in 2^-32, by comparisons alone: von Neumann,
 * "Various techniques used in connection with random digits" (1951).  A run of
 * falling uniform numbers of odd length ends it, and each one of even length
 * before adds 1.
 */
static u64 labnic_cross_exponential(u64 *random)
{
	u64 whole = 0;

	for (;;) {
		u32 first = labnic_random(random), last = first;
		unsigned int length = 0;
		u32 next;

		do {
			length++;
			next = labnic_random(random);
			if (next >= last)
				break;
			last = next;
		} while (true);
		if (length & 1)
			return (whole << 32) + first;
		whole++;
	}
}

/* Mean times such a number; a mean below 2^31, and at most 64 times as much. */
static u64 labnic_cross_drawn(u64 mean, u64 *random)
{
	u64 drawn = min(labnic_cross_exponential(random), 64ULL << 32);

	return mean * (drawn >> 32) + (mean * (drawn & U32_MAX) >> 32);
}

static u64 labnic_cross_gap(struct labnic_cross *cross, u64 at_ns)
{
	return at_ns + 1 + labnic_cross_drawn(cross->gap_ns, &cross->random);
}

/**
 * labnic_cross_init() - bursts from now on
 * @cross: to set up
 * @rate_bps: of the wire, 10^6 to 4 * 10^11
 * @permille: load of the wire by what comes, below 1000; 0: no bursts
 * @burst: mean bytes of a burst, 84 to LABNIC_CROSS_BURST_MAX
 * @limit: bytes that may wait, to 10^9
 * @random: state of a generator
 */
void labnic_cross_init(struct labnic_cross *cross, u64 rate_bps, u64 permille,
		       u64 burst, u64 limit, u64 random)
{
	u64 burst_ns;

	*cross = (struct labnic_cross){ .burst = burst, .random = random };
	cross->limit_ns = div64_u64(limit * 8 * LABNIC_NS_PER_S, rate_bps);
	if (!permille)
		return;
	burst_ns = div64_u64(burst * 8 * LABNIC_NS_PER_S, rate_bps);
	cross->gap_ns = div64_u64(burst_ns * 1000, permille) ?: 1;
}

/**
 * labnic_cross_pass() - put on the wire what has come
 * @cross: bursts
 * @wire: the wire
 * @now_ns: the time, not before that of the last call
 *
 * The first call begins, with an empty wire.  Where nothing was sent for long,
 * what came LABNIC_CROSS_LOOK mean gaps ago has left its queue, and is let be.
 *
 * Return: bytes that were put on the wire.
 */
u64 labnic_cross_pass(struct labnic_cross *cross, struct labnic_wire *wire,
		      u64 now_ns)
{
	u64 passed = 0, look_ns;

	if (!cross->gap_ns)
		return 0;
	if (!cross->next_ns)
		cross->next_ns = labnic_cross_gap(cross, now_ns);
	look_ns = min(now_ns, LABNIC_CROSS_LOOK * cross->gap_ns);
	cross->next_ns = max(cross->next_ns, now_ns - look_ns);
	while (cross->next_ns <= now_ns) {
		u64 bytes = labnic_cross_drawn(cross->burst, &cross->random);

		bytes = max_t(u64, bytes, LABNIC_WIRE_MIN);
		bytes = min_t(u64, bytes, LABNIC_CROSS_BURST_MAX);
		if (wire->end_ns < cross->next_ns + cross->limit_ns) {
			labnic_wire_send(wire, cross->next_ns, bytes);
			passed += bytes;
		}
		cross->next_ns = labnic_cross_gap(cross, cross->next_ns);
	}
	return passed;
}
