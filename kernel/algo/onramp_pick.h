/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: which of the packets that a flow sends are remembered until the receiver
 * reports when they came.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New Approach to
 * Datacenter Packet Transport", NSDI 2021, section 4.1, remembers all, and has one in
 * about 10 MTU reported.  To remember a packet costs more than to queue it, so where
 * there are many only those are remembered that will be reported: those with a byte
 * whose sequence number is a multiple of the grid, which both ends compute.  And those
 * that cost little: large ones, which stand for many segments, and all of them up to
 * ONRAMP_PICK_RATE a second, since the first and the last of a burst are reported, too.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_PICK_H
#define SHARPRAMP_ALGO_ONRAMP_PICK_H

#include "onramp_grid.h"
#include "onramp_ring.h"

/*
 * Bytes of payload of a packet that is always remembered: as many segments as a receiver
 * with an MTU of 1500 reports one of.  To remember each of 4 KB costs a third of fq's time.
 */
#define ONRAMP_PICK_LARGE 16384U

/*
 * Packets a second that are remembered in any case, and how many of them at once: twice as
 * many a second as the paper's workloads have with 10 Gbit/s.
 */
#define ONRAMP_PICK_RATE 50000ULL
#define ONRAMP_PICK_BURST 64ULL
#define ONRAMP_PICK_GAP_NS (1000000000ULL / ONRAMP_PICK_RATE)

/* The first packet of a flow counts as so many, since the flow is made for it. */
#define ONRAMP_PICK_NEW 4U

/**
 * struct onramp_pick - how much of the rate was used; all zero at the start
 * @used_ns: up to when, at that rate
 */
struct onramp_pick {
	u64 used_ns;
};

/**
 * onramp_pick_again() - was some of a packet sent before?
 * @end: sequence number behind all that was sent; moved
 * @seq: of the packet's first byte
 * @len: bytes of payload, below 2^31
 *
 * Return: true if it was; false also if it lies so far back that it is of another
 * connection.
 */
static inline bool onramp_pick_again(u32 *end, u32 seq, u32 len)
{
	s32 ahead = seq - *end;
	bool again = ahead < 0 && ahead >= -(s32)ONRAMP_RING_REACH;

	if (!again || (s32)(seq + len - *end) > 0)
		*end = seq + len;
	return again;
}

/**
 * onramp_pick_take() - use some of the rate
 * @p: what was used
 * @count: packets, at most ONRAMP_PICK_BURST
 * @now_ns: time
 * @must: the packet is remembered in any case
 *
 * Return: true if the packet is remembered.
 */
static inline bool onramp_pick_take(struct onramp_pick *p, u32 count, u64 now_ns, bool must)
{
	u64 used_ns = max(p->used_ns, now_ns) + count * ONRAMP_PICK_GAP_NS;
	u64 most_ns = now_ns + ONRAMP_PICK_BURST * ONRAMP_PICK_GAP_NS;

	if (!must && used_ns > most_ns)
		return false;
	p->used_ns = min(used_ns, most_ns);
	return true;
}

/**
 * onramp_pick_packet() - is a packet remembered?
 * @p: what was used of the rate
 * @grid: a power of two; 0: all are
 * @seq: sequence number of its first byte
 * @len: bytes of payload, at least 1
 * @is_new: a flow must be made for it
 * @must: it is for another reason: it was sent before, or is the first after a hold
 * @now_ns: time
 *
 * Return: true if so.
 */
static inline bool onramp_pick_packet(struct onramp_pick *p, u32 grid, u32 seq, u32 len,
				      bool is_new, bool must, u64 now_ns)
{
	if (!grid)
		return true;
	must |= len >= ONRAMP_PICK_LARGE || onramp_grid_has(seq, len, grid);
	return onramp_pick_take(p, is_new ? ONRAMP_PICK_NEW : 1, now_ns, must);
}

/* So many grids without a report on it, twice, and the receiver has another grid. */
#define ONRAMP_PICK_STRETCH 2U
#define ONRAMP_PICK_STRETCHES 2U

/**
 * struct onramp_pick_reports - does a flow's receiver have the grid?  All zero at the start
 * @from: sequence number at which the stretch began; valid if @any
 * @any: something was reported that was not remembered
 * @stretches: without a report on the grid
 */
struct onramp_pick_reports {
	u32 from;
	bool any;
	u8 stretches;
};

/**
 * onramp_pick_on_report() - a packet is reported
 * @r: what was
 * @grid: the sender's, not 0
 * @seq: sequence number of its first byte
 * @len: bytes of payload, at least 1
 * @matched: it is remembered
 *
 * A receiver without the grid, or with a finer one, reports hardly any packet that is
 * remembered where many are sent.
 *
 * Return: true if all packets of the flow are to be remembered from now on.
 */
static inline bool onramp_pick_on_report(struct onramp_pick_reports *r, u32 grid, u32 seq,
					 u32 len, bool matched)
{
	if (onramp_grid_has(seq, len, grid)) {
		*r = (struct onramp_pick_reports){};
		return false;
	}
	if (matched)
		return false;
	if (!r->any) {
		r->any = true;
		r->from = seq;
	} else if (seq - r->from > ONRAMP_PICK_STRETCH * grid) {
		r->from = seq;
		r->stretches++;
	}
	return r->stretches >= ONRAMP_PICK_STRETCHES;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_PICK_H */
