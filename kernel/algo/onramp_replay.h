/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: is a signed OR-ACK taken for the first time?
 *
 * The serial number alone cannot tell: it begins anywhere when a receiver
 * forgets a path, which costs it nothing otherwise, and it wraps.  Its stamps
 * can: they are of common time, so they grow, and what is far from our own
 * clock is of no use anyway.  So
 *
 *   - a datagram whose newest stamp is further than ONRAMP_REPLAY_NS from our
 *     clock is refused: no serial number wraps in that time;
 *   - one whose serial is up to 63 ahead of the highest, or in the window of
 *     the 64 below and not seen, is taken: order does not matter that far;
 *   - any other is taken only if it is newer than all that were taken, which no
 *     copy can be.  The window begins again with it, and what is not newer than
 *     what was taken until then is refused from now on.
 *
 * So nothing is taken twice for a path, whatever order it comes in, and what
 * comes in its own order is taken, whatever its serial.  A flow that goes to
 * another path, with a window of its own, must take no records along.  The
 * window is like that of IPsec (RFC 4303, 3.4.3), which has no clock and never
 * begins again.
 *
 * To be called only for what is authentic, and whose clock is this host's: same clock,
 * same epoch.
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_REPLAY_H
#define SHARPRAMP_ALGO_ONRAMP_REPLAY_H

#include "port.h"

/* An acker sends 10^7 datagrams a second at most; x 63 x 2 s is below 2^32. */
#define ONRAMP_REPLAY_NS 1000000000LL
#define ONRAMP_REPLAY_WINDOW 64

/**
 * enum onramp_replay_verdict - may a datagram be taken?
 * @ONRAMP_REPLAY_NEW: yes, and it was noted
 * @ONRAMP_REPLAY_STALE: its stamps are too far from our clock
 * @ONRAMP_REPLAY_SEEN: it was taken before
 * @ONRAMP_REPLAY_OLD: nobody remembers whether it was
 * @ONRAMP_REPLAY_VERDICTS: how many there are
 */
enum onramp_replay_verdict {
	ONRAMP_REPLAY_NEW = 0,
	ONRAMP_REPLAY_STALE = 1,
	ONRAMP_REPLAY_SEEN = 2,
	ONRAMP_REPLAY_OLD = 3,
	ONRAMP_REPLAY_VERDICTS = 4,
};

/**
 * struct onramp_replay - what was taken; all zero at the start
 * @seen: bit i: serial number @top - i was taken
 * @newest_ns: newest stamp of all that were taken
 * @floor_ns: @newest_ns as the window began again; 0: it did not
 * @top: highest serial number
 * @epoch: of the stamps
 * @started: something was taken
 */
struct onramp_replay {
	u64 seen;
	u64 newest_ns;
	u64 floor_ns;
	u32 top;
	u32 epoch;
	bool started;
};

/**
 * struct onramp_replay_mark - what identifies a datagram
 * @stamp_ns: its newest stamp, below 2^63
 * @serial: its serial number
 * @epoch: of its clock, which is this host's
 */
struct onramp_replay_mark {
	u64 stamp_ns;
	u32 serial;
	u32 epoch;
};

static inline void onramp_replay_begin(struct onramp_replay *w,
				       const struct onramp_replay_mark *m,
				       u64 floor_ns)
{
	*w = (struct onramp_replay){
		.seen = 1,
		.newest_ns = m->stamp_ns,
		.floor_ns = floor_ns,
		.top = m->serial,
		.epoch = m->epoch,
		.started = true,
	};
}

/* Newer than all, or refused. */
static inline enum onramp_replay_verdict
onramp_replay_again(struct onramp_replay *w, const struct onramp_replay_mark *m,
		    enum onramp_replay_verdict otherwise)
{
	if (m->stamp_ns <= w->newest_ns)
		return otherwise;
	onramp_replay_begin(w, m, w->newest_ns);
	return ONRAMP_REPLAY_NEW;
}

/* A serial number near the highest. */
static inline void onramp_replay_note(struct onramp_replay *w,
				      const struct onramp_replay_mark *m,
				      u32 ahead, u32 behind)
{
	if (ahead < ONRAMP_REPLAY_WINDOW) {
		w->seen = w->seen << ahead | 1;
		w->top = m->serial;
	} else {
		w->seen |= 1ULL << behind;
	}
	w->newest_ns = max(w->newest_ns, m->stamp_ns);
}

/**
 * onramp_replay_check() - take a datagram, once
 * @w: what was taken on its path
 * @m: the datagram, authentic
 * @now_ns: our clock, that of the datagram's stamps
 *
 * Return: ONRAMP_REPLAY_NEW, or why it must not be taken; @w is as before then.
 */
static inline enum onramp_replay_verdict
onramp_replay_check(struct onramp_replay *w, const struct onramp_replay_mark *m,
		    u64 now_ns)
{
	s64 off_ns = m->stamp_ns - now_ns;
	u32 ahead = m->serial - w->top;
	u32 behind = w->top - m->serial;

	if (off_ns < -ONRAMP_REPLAY_NS || off_ns > ONRAMP_REPLAY_NS)
		return ONRAMP_REPLAY_STALE;
	if (!w->started || w->epoch != m->epoch) {
		onramp_replay_begin(w, m, 0);
		return ONRAMP_REPLAY_NEW;
	}
	if (m->stamp_ns <= w->floor_ns)
		return ONRAMP_REPLAY_OLD;
	if (ahead >= ONRAMP_REPLAY_WINDOW && behind >= ONRAMP_REPLAY_WINDOW)
		return onramp_replay_again(w, m, ONRAMP_REPLAY_OLD);
	if (behind < ONRAMP_REPLAY_WINDOW && w->seen >> behind & 1)
		return onramp_replay_again(w, m, ONRAMP_REPLAY_SEEN);
	onramp_replay_note(w, m, ahead, behind);
	return ONRAMP_REPLAY_NEW;
}

#endif /* SHARPRAMP_ALGO_ONRAMP_REPLAY_H */
