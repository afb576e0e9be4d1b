/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: when a receiver owes a sender an OR-ACK, and when it may send one.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, section 4.1: "typically,
 * 1 OR-ACK is sent for every 10 MTUs": for each packet with a byte on a grid of about as
 * many bytes, see onramp_grid.h.  That alone would leave a sender blind at the start of a
 * flow and for what comes after its last byte on the grid, so the first packet of a burst
 * is acked at once, and the last shortly after.  This does not apply just after a packet on
 * the grid: the last of a burst then says little more than that packet did, and would cost
 * each packet a timestamp, since any may be the last.  Nor does it apply while a peer sends more
 * packets than it remembers (onramp_pick.h): it remembers those on the grid, which are as many
 * as the paper has, and hardly any other, so that an OR-ACK for one would tell it nothing.
 *
 * An owed ack is sent only if it cannot do harm: at most so many datagrams a
 * second, never more bytes to a peer than data came from it, and none for a
 * while to a peer whose port is unreachable.
 *
 * Times are of a monotone clock and below 2^63.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_DUE_H
#define SHARPRAMP_ALGO_ONRAMP_DUE_H

#include "onramp_grid.h"
#include "onramp_pick.h"

/*
 * For this time after a packet on the grid, or for idle_ns if that is shorter, the last packet
 * of a burst is not acked.
 */
#define ONRAMP_DUE_FRESH_NS 100000ULL

/*
 * A path is dense when so many packets on the grid came in excess of those that a sender of
 * ONRAMP_PICK_RATE has: with 10 MTUs, as many bytes as ONRAMP_PICK_BURST packets.  It is dense
 * for as long after them as it takes to send another ONRAMP_DENSE_MORE at that rate.
 */
#define ONRAMP_DENSE_GRIDS 6ULL
#define ONRAMP_DENSE_MORE 4ULL

/* How far a namespace may be ahead of its rate. */
#define ONRAMP_RATE_BURST_NS 10000000ULL
/* Bytes of a peer that were not acked are forgotten above this. */
#define ONRAMP_BUDGET_BYTES 1048576ULL
#define ONRAMP_BACKOFF_MIN_NS 1000000000ULL
#define ONRAMP_BACKOFF_MAX_NS 64000000000ULL

/**
 * struct onramp_due_params - what the user configures
 * @every: MTUs of payload between two OR-ACKs, about, 1 to 1000
 * @delay_ns: a packet is the last of a burst if no other follows so soon
 * @idle_ns: a packet begins a burst if none came for so long
 */
struct onramp_due_params {
	u32 every;
	u64 delay_ns;
	u64 idle_ns;
};

/**
 * struct onramp_due_vars - state of one flow; all zero at the start
 * @last_ns: when its last packet came, if @seen
 * @fresh_ns: until then only packets on the grid are acked
 * @seen: there was one
 * @waiting: the last packet was not acked, and will be if no other comes
 */
struct onramp_due_vars {
	u64 last_ns;
	u64 fresh_ns;
	bool seen;
	bool waiting;
};

/**
 * enum onramp_due - is an OR-ACK owed, and why
 * @ONRAMP_DUE_NOT: no
 * @ONRAMP_DUE_FIRST: the first packet of the flow or after idleness
 * @ONRAMP_DUE_EVERY: a byte is on the grid
 * @ONRAMP_DUE_LAST: no other packet came
 */
enum onramp_due {
	ONRAMP_DUE_NOT = 0,
	ONRAMP_DUE_FIRST = 1,
	ONRAMP_DUE_EVERY = 2,
	ONRAMP_DUE_LAST = 3,
};

/**
 * onramp_due_grid() - the grid of a device
 * @p: parameters
 * @mtu: the device's, 1 to 2^32 - 1
 *
 * Return: for onramp_grid_has().
 */
static inline u32 onramp_due_grid(const struct onramp_due_params *p, u32 mtu)
{
	return onramp_grid_of((u64)p->every * mtu);
}

/**
 * struct onramp_dense - is a path dense?  All zero at the start
 * @used_ns: up to when, at the rate of a sender that remembers all
 */
struct onramp_dense {
	u64 used_ns;
};

/* Time from one packet on the grid to the next of a sender of ONRAMP_PICK_RATE, at most 20 ms. */
static inline u64 onramp_dense_gap(const struct onramp_due_params *p)
{
	return p->every * ONRAMP_PICK_GAP_NS;
}

/**
 * onramp_dense_on_grid() - a packet on the grid came
 * @p: parameters
 * @d: of its path
 * @now_ns: when
 */
static inline void onramp_dense_on_grid(const struct onramp_due_params *p, struct onramp_dense *d,
					u64 now_ns)
{
	u64 gap_ns = onramp_dense_gap(p);
	u64 most_ns = now_ns + (ONRAMP_DENSE_GRIDS + ONRAMP_DENSE_MORE) * gap_ns;

	d->used_ns = min(max(d->used_ns, now_ns) + gap_ns, most_ns);
}

/**
 * onramp_dense_until() - until when a path is dense, if no other packet comes
 * @p: parameters
 * @d: of the path
 *
 * Return: time, ns; one that is past if it is not.
 */
static inline u64 onramp_dense_until(const struct onramp_due_params *p,
				     const struct onramp_dense *d)
{
	u64 free_ns = ONRAMP_DENSE_GRIDS * onramp_dense_gap(p);

	return d->used_ns > free_ns ? d->used_ns - free_ns : 0;
}

/**
 * onramp_due_fresh() - until when a packet on the grid is all that is acked of a flow
 * @p: parameters
 * @now_ns: when it came
 *
 * A packet before that time never begins a burst, whatever came between.
 *
 * Return: time, ns.
 */
static inline u64 onramp_due_fresh(const struct onramp_due_params *p, u64 now_ns)
{
	return now_ns + min(p->idle_ns, ONRAMP_DUE_FRESH_NS);
}

/**
 * onramp_due_on_packet() - a data packet came
 * @p: parameters
 * @v: state
 * @now_ns: when, not before any earlier
 * @seq: sequence number of its first byte
 * @payload: its bytes, at least 1
 * @grid: of the device that it came by
 * @dense: its path is: only packets on the grid are acked
 *
 * Return: whether this packet is to be acked, now.
 */
static inline enum onramp_due
onramp_due_on_packet(const struct onramp_due_params *p,
		     struct onramp_due_vars *v, u64 now_ns, u32 seq, u32 payload,
		     u32 grid, bool dense)
{
	enum onramp_due due = ONRAMP_DUE_NOT;

	if (!dense && (!v->seen || now_ns - v->last_ns >= p->idle_ns)) {
		due = ONRAMP_DUE_FIRST;
	} else if (onramp_grid_has(seq, payload, grid)) {
		due = ONRAMP_DUE_EVERY;
		v->fresh_ns = onramp_due_fresh(p, now_ns);
	}
	v->seen = true;
	v->last_ns = now_ns;
	v->waiting = due == ONRAMP_DUE_NOT && !dense && now_ns >= v->fresh_ns;
	return due;
}

/**
 * onramp_due_idle() - from when on a flow is certainly idle
 * @p: parameters
 * @v: state; packets that came before @fresh_ns may be missing in it
 *
 * Return: time, ns.
 */
static inline u64 onramp_due_idle(const struct onramp_due_params *p,
				  const struct onramp_due_vars *v)
{
	return max(v->last_ns, v->fresh_ns) + p->idle_ns;
}

/**
 * onramp_due_at() - when the last packet becomes the last of a burst
 * @p: parameters
 * @v: state; its last packet was not acked
 *
 * The flow whose packet came first of two is due first, whatever the
 * parameters: a list in the order of arrival is in the order of this.
 *
 * Return: time, ns.
 */
static inline u64 onramp_due_at(const struct onramp_due_params *p,
				const struct onramp_due_vars *v)
{
	return v->last_ns + p->delay_ns;
}

/**
 * onramp_due_on_time() - time passed without a packet
 * @p: parameters
 * @v: state
 * @now_ns: time
 *
 * Return: ONRAMP_DUE_LAST if the last packet is to be acked, now, else
 * ONRAMP_DUE_NOT.
 */
static inline enum onramp_due
onramp_due_on_time(const struct onramp_due_params *p,
		   struct onramp_due_vars *v, u64 now_ns)
{
	if (!v->waiting || now_ns < onramp_due_at(p, v))
		return ONRAMP_DUE_NOT;
	v->waiting = false;
	return ONRAMP_DUE_LAST;
}

/**
 * struct onramp_rate - how much of a rate was used; all zero at the start
 * @used_ns: up to when, at that rate
 */
struct onramp_rate {
	u64 used_ns;
};

/**
 * onramp_rate_take() - one datagram more
 * @r: what was used
 * @now_ns: time
 * @per_s: datagrams a second, at least 1
 *
 * In any time t no more than 1 + (t + ONRAMP_RATE_BURST_NS) x @per_s are let go.
 *
 * Return: true if it may be sent.
 */
static inline bool onramp_rate_take(struct onramp_rate *r, u64 now_ns,
				    u32 per_s)
{
	u64 used_ns = max(r->used_ns, now_ns);

	if (used_ns - now_ns > ONRAMP_RATE_BURST_NS)
		return false;
	r->used_ns = used_ns + div_u64(1000000000ULL + per_s - 1, per_s);
	return true;
}

/**
 * onramp_budget_earn() - data came from a peer
 * @budget: bytes that may be sent to it
 * @bytes: of payload
 */
static inline void onramp_budget_earn(u64 *budget, u32 bytes)
{
	*budget = min(*budget + bytes, ONRAMP_BUDGET_BYTES);
}

/**
 * onramp_budget_spend() - send to a peer, if it sent as much
 * @budget: bytes that may be sent to it
 * @bytes: of IP and all above
 *
 * Return: true if they may be sent.
 */
static inline bool onramp_budget_spend(u64 *budget, u32 bytes)
{
	if (*budget < bytes)
		return false;
	*budget -= bytes;
	return true;
}

/**
 * struct onramp_backoff - nothing is sent to a peer; all zero at the start
 * @until_ns: when it ends
 * @length_ns: how long it was
 */
struct onramp_backoff {
	u64 until_ns;
	u64 length_ns;
};

/**
 * onramp_backoff_is_on() - is nothing to be sent?
 * @b: state
 * @now_ns: time
 *
 * Return: true while it backs off.
 */
static inline bool onramp_backoff_is_on(const struct onramp_backoff *b,
					u64 now_ns)
{
	return now_ns < b->until_ns;
}

/**
 * onramp_backoff_on_refusal() - the peer's port is unreachable
 * @b: state
 * @now_ns: time
 *
 * During a back-off that is an answer to what was sent before.  Soon after one
 * it is twice as long; if the peer listened for as long as it had lasted, it
 * starts again from ONRAMP_BACKOFF_MIN_NS.
 *
 * Return: true if this began a back-off.
 */
static inline bool onramp_backoff_on_refusal(struct onramp_backoff *b,
					     u64 now_ns)
{
	if (onramp_backoff_is_on(b, now_ns))
		return false;
	if (now_ns - b->until_ns >= b->length_ns)
		b->length_ns = ONRAMP_BACKOFF_MIN_NS;
	else
		b->length_ns = min(b->length_ns * 2, ONRAMP_BACKOFF_MAX_NS);
	b->until_ns = now_ns + b->length_ns;
	return true;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_DUE_H */
