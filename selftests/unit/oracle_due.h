/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When an OR-ACK is due, by a model that remembers every packet of a flow and goes through all of them each time; and when a path
 * is dense, by one that goes through all of its packets on the grid.
 */
#ifndef SHARPRAMP_ORACLE_DUE_H
#define SHARPRAMP_ORACLE_DUE_H

#include "onramp_due.h"

#define ORACLE_DUE_LONGEST	400

/**
 * struct oracle_due_packet - a packet
 * @at_ns: when it came
 * @on_grid: it was acked for that
 * @acked: it was, or never will be
 */
struct oracle_due_packet {
	u64 at_ns;
	bool on_grid;
	bool acked;
};

/**
 * struct oracle_due - all packets of a flow; all zero at the start
 * @n: how many
 * @idle_ns: the setting as each came
 * @packet: which
 */
struct oracle_due {
	u32 n;
	u64 idle_ns[ORACLE_DUE_LONGEST];
	struct oracle_due_packet packet[ORACLE_DUE_LONGEST];
};

/**
 * oracle_due_on_packet() - a packet came
 * @o: those before it, less than ORACLE_DUE_LONGEST
 * @p: parameters
 * @now_ns: when
 * @seq: of its first byte
 * @payload: its bytes
 * @mtu: of the device
 * @dense: its path is
 *
 * Return: what the algorithm must return.
 */
static inline enum onramp_due
oracle_due_on_packet(struct oracle_due *o, const struct onramp_due_params *p, u64 now_ns, u32 seq, u32 payload, u32 mtu,
		     bool dense)
{
	struct oracle_due_packet *last = &o->packet[o->n++];
	enum onramp_due due = ONRAMP_DUE_NOT;
	u64 grid = 1, bytes = (u64)mtu * p->every, at = (u64)seq + (1ULL << 32);
	u32 i;

	o->idle_ns[o->n - 1] = p->idle_ns;
	*last = (struct oracle_due_packet){ .at_ns = now_ns };
	/* The next larger one, unless that before it is nearer. */
	while (grid < bytes)
		grid *= 2;
	if (bytes - grid / 2 < grid - bytes)
		grid /= 2;
	if ((at + payload - 1) / grid != (at - 1) / grid)
		due = ONRAMP_DUE_EVERY;
	if ((o->n == 1 || now_ns - last[-1].at_ns >= p->idle_ns) && !dense)
		due = ONRAMP_DUE_FIRST;
	last->on_grid = due == ONRAMP_DUE_EVERY;
	last->acked = due != ONRAMP_DUE_NOT || dense;
	for (i = o->n - 1; i--;) {
		if (!o->packet[i].on_grid)
			continue;
		last->acked |= now_ns - o->packet[i].at_ns < 100000 && now_ns - o->packet[i].at_ns < o->idle_ns[i];
		break;
	}
	return due;
}

/**
 * oracle_due_on_time() - time passed without a packet
 * @o: all packets
 * @p: parameters
 * @now_ns: time
 *
 * Return: what the algorithm must return.
 */
static inline enum onramp_due
oracle_due_on_time(struct oracle_due *o, const struct onramp_due_params *p, u64 now_ns)
{
	struct oracle_due_packet *last = o->n ? &o->packet[o->n - 1] : NULL;

	if (!last || last->acked || now_ns - last->at_ns < p->delay_ns)
		return ONRAMP_DUE_NOT;
	last->acked = true;
	return ONRAMP_DUE_LAST;
}

/**
 * oracle_dense() - is a path dense?
 * @at_ns: when its packets on the grid came
 * @n: how many
 * @every: MTUs between two of them
 * @now_ns: time, not before any of them
 *
 * Packets of so many MTUs arrive in a queue, which serves 50,000 of them a second, and has at most ten grids at a time: more are
 * lost. The path is dense while more than six wait.
 *
 * Return: true if it is.
 */
static inline bool oracle_dense(const u64 *at_ns, u32 n, u32 every, u64 now_ns)
{
	const u64 unit_ns = every * 20000ULL;
	u64 work_ns = 0, gone_ns;
	u32 i;

	for (i = 0; i < n; i++) {
		work_ns += unit_ns;
		if (work_ns > 10 * unit_ns)
			work_ns = 10 * unit_ns;
		gone_ns = (i + 1 < n ? at_ns[i + 1] : now_ns) - at_ns[i];
		work_ns -= gone_ns < work_ns ? gone_ns : work_ns;
	}
	return work_ns > 6 * unit_ns;
}

#endif /* SHARPRAMP_ORACLE_DUE_H */
