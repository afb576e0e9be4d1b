/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Which packets of a flow are remembered, by a model that counts in 64 bits, looks at
 * every byte and keeps when each was remembered.
 */
#ifndef SHARPRAMP_ORACLE_PICK_H
#define SHARPRAMP_ORACLE_PICK_H

#include "port.h"

/* Constants as documented, not those of the tested header. */
#define ORACLE_PICK_LARGE	16384
#define ORACLE_PICK_GAP_NS	20000ULL
#define ORACLE_PICK_BURST	64ULL
#define ORACLE_PICK_LONGEST	1024

/**
 * struct oracle_pick - all that was sent, and what was remembered; all zero at the start
 * @end: behind the last byte that was sent, in 64 bits; valid if @any
 * @any: something was sent
 * @n: packets that were remembered, each as often as it counts
 * @at: when
 */
struct oracle_pick {
	u64 end;
	bool any;
	u32 n;
	u64 at[ORACLE_PICK_LONGEST];
};

/* Byte by byte. */
static inline bool oracle_pick_on_grid(u64 at, u32 len, u32 grid)
{
	u64 byte;

	for (byte = at; byte < at + len; byte++)
		if (!(byte % grid))
			return true;
	return false;
}

/*
 * How much of the bucket is full: each packet fills 1 of it, and 1 leaves each gap.  More
 * than the burst never is in it.
 */
static inline u64 oracle_pick_full_ns(const struct oracle_pick *o, u64 now_ns)
{
	const u64 most_ns = ORACLE_PICK_BURST * ORACLE_PICK_GAP_NS;
	u64 full_ns = 0, last_ns = 0;
	u32 i;

	for (i = 0; i < o->n; i++) {
		u64 gone_ns = o->at[i] - last_ns;

		full_ns = full_ns > gone_ns ? full_ns - gone_ns : 0;
		full_ns = full_ns + ORACLE_PICK_GAP_NS > most_ns ? most_ns : full_ns + ORACLE_PICK_GAP_NS;
		last_ns = o->at[i];
	}
	return full_ns > now_ns - last_ns ? full_ns - (now_ns - last_ns) : 0;
}

/**
 * oracle_pick_packet() - a packet is sent
 * @o: what was
 * @grid: as in onramp_pick_packet()
 * @at: of its first byte, in 64 bits
 * @len: bytes
 * @is_new: as in onramp_pick_packet()
 * @must: same
 * @now_ns: same; none is before the last
 *
 * Return: true if it is remembered.
 */
static inline bool oracle_pick_packet(struct oracle_pick *o, u32 grid, u64 at, u32 len,
				      bool is_new, bool must, u64 now_ns)
{
	u32 count = is_new ? 4 : 1;

	if (!grid)
		return true;
	if (!must && len < ORACLE_PICK_LARGE && !oracle_pick_on_grid(at, len, grid) &&
	    oracle_pick_full_ns(o, now_ns) + count * ORACLE_PICK_GAP_NS > ORACLE_PICK_BURST * ORACLE_PICK_GAP_NS)
		return false;
	while (count--)
		o->at[o->n++] = now_ns;
	return true;
}

/**
 * oracle_pick_again() - was some of a packet sent before?
 * @o: what was
 * @at: of its first byte, in 64 bits
 * @len: bytes
 *
 * Return: true if it was.
 */
static inline bool oracle_pick_again(struct oracle_pick *o, u64 at, u32 len)
{
	bool again = o->any && at < o->end;

	o->end = o->any && o->end > at + len ? o->end : at + len;
	o->any = true;
	return again;
}

#endif /* SHARPRAMP_ORACLE_PICK_H */
