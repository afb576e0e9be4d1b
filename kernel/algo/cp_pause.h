/* SPDX-License-Identifier: GPL-2.0 */
/*
 * PAUSE, at both ends of a link: when a port sends one, and what it does with one.
 *
 * Sources: N. Chrysos et al., section III, for the thresholds: Qhigh (STOP) is xoff, Qlow (GO)
 * is xon; IEEE 802.3 annex 31B for the quanta of 512 bit times.  That a PAUSE is repeated at
 * half its time, and the watchdog, are this project's, see docs/decisions/0077-qcn-sources.md.
 *
 * A port that is paused for 400 ms without a break is taken for one whose other end is
 * broken: for 2 s PAUSE does not count and what would wait is dropped, so that the
 * congestion does not spread.
 *
 * Times are of a monotone clock and below 2^62; they may run back between CPUs.
 */
#ifndef SHARPRAMP_ALGO_CP_PAUSE_H
#define SHARPRAMP_ALGO_CP_PAUSE_H

#include "port.h"

#define PAUSE_QUANTA_MAX 65535U
/* Paused for so long without a break, for so long it does not count, ns. */
#define PAUSE_STORM_AFTER_NS 400000000ULL
#define PAUSE_STORM_NS 2000000000ULL

/**
 * pause_quanta_ns() - how long some quanta are
 * @quanta: at most PAUSE_QUANTA_MAX
 * @rate_bps: of the link, not 0
 *
 * Return: ns.
 */
static inline u64 pause_quanta_ns(u32 quanta, u64 rate_bps)
{
	return div64_u64(quanta * 512000000000ULL, rate_bps);
}

/**
 * struct pause_tx_params - when a port sends PAUSE
 * @xoff_bytes: at that length or above it
 * @xon_bytes: it is ended at that length or below it; below @xoff_bytes
 * @pause_ns: how long one lasts
 */
struct pause_tx_params {
	u32 xoff_bytes;
	u32 xon_bytes;
	u64 pause_ns;
};

/**
 * struct pause_tx - state of a sender of PAUSE; all zero at the start
 * @refresh_ns: when it is repeated; valid if @paused
 * @paused: the other end is paused
 */
struct pause_tx {
	u64 refresh_ns;
	bool paused;
};

/**
 * enum pause_frame - what is to be sent now
 * @PAUSE_FRAME_NONE: nothing
 * @PAUSE_FRAME_XOFF: PAUSE, with its quanta
 * @PAUSE_FRAME_XON: PAUSE with 0 quanta, which ends it
 */
enum pause_frame {
	PAUSE_FRAME_NONE,
	PAUSE_FRAME_XOFF,
	PAUSE_FRAME_XON,
};

/**
 * pause_tx_update() - the buffer's length changed, or the time to repeat has come
 * @p: parameters
 * @v: state
 * @q_bytes: the buffer's length
 * @now_ns: time
 *
 * Return: what is to be sent.
 */
static inline enum pause_frame pause_tx_update(const struct pause_tx_params *p,
					       struct pause_tx *v, u32 q_bytes, u64 now_ns)
{
	if (v->paused && q_bytes <= p->xon_bytes) {
		v->paused = false;
		return PAUSE_FRAME_XON;
	}
	if (v->paused ? now_ns < v->refresh_ns : q_bytes < p->xoff_bytes)
		return PAUSE_FRAME_NONE;
	v->paused = true;
	v->refresh_ns = now_ns + p->pause_ns / 2;
	return PAUSE_FRAME_XOFF;
}

/**
 * struct pause_rx - state of a receiver of PAUSE; all zero at the start
 * @since_ns: when the PAUSE that lasts began; valid before @until_ns
 * @until_ns: when it ends
 * @storm_ns: until then PAUSE does not count
 */
struct pause_rx {
	u64 since_ns;
	u64 until_ns;
	u64 storm_ns;
};

/**
 * struct pause_stats - what the algorithm counts
 * @storms: how often the watchdog took the other end for broken
 */
struct pause_stats {
	u64 storms;
};

/**
 * pause_rx_frame() - a PAUSE came
 * @v: state
 * @pause_ns: how long it lasts; 0: it ends what lasts
 * @now_ns: time
 */
static inline void pause_rx_frame(struct pause_rx *v, u64 pause_ns, u64 now_ns)
{
	if (now_ns < v->storm_ns)
		return;
	if (now_ns >= v->until_ns)
		v->since_ns = now_ns;
	v->until_ns = now_ns + pause_ns;
}

/**
 * enum pause_verdict - what becomes of a frame that is to be sent
 * @PAUSE_SEND: it is sent
 * @PAUSE_WAIT: it waits until pause_rx_next_ns()
 * @PAUSE_DROP: the other end is broken: it is dropped
 */
enum pause_verdict {
	PAUSE_SEND,
	PAUSE_WAIT,
	PAUSE_DROP,
};

/**
 * pause_rx_check() - may a frame be sent?
 * @v: state
 * @s: counters
 * @now_ns: time
 *
 * Return: what becomes of it.
 */
static inline enum pause_verdict pause_rx_check(struct pause_rx *v, struct pause_stats *s,
						u64 now_ns)
{
	if (now_ns < v->storm_ns)
		return PAUSE_DROP;
	if (now_ns >= v->until_ns)
		return PAUSE_SEND;
	if (now_ns < v->since_ns + PAUSE_STORM_AFTER_NS)
		return PAUSE_WAIT;
	v->storm_ns = now_ns + PAUSE_STORM_NS;
	v->until_ns = 0;
	s->storms++;
	return PAUSE_DROP;
}

/**
 * pause_rx_next_ns() - when a frame that waits is to be looked at again
 * @v: state, after a PAUSE_WAIT
 *
 * Return: the end of the PAUSE, or when the watchdog acts.
 */
static inline u64 pause_rx_next_ns(const struct pause_rx *v)
{
	return min(v->until_ns, v->since_ns + PAUSE_STORM_AFTER_NS);
}

#endif /* SHARPRAMP_ALGO_CP_PAUSE_H */
