/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QCN, occupancy sampling and PAUSE once more: written from the paper and the rules, in real
 * numbers where the algorithms have shifts and products, and from all that happened where
 * they keep a state.  Each function does the same to both and tells what differs: for tests on
 * random input and for the fuzzer.
 *
 * Real numbers have 64 bits of mantissa at least, and no product here needs more: a quotient
 * is rounded to a whole number only if it is one.
 */
#ifndef SHARPRAMP_ORACLE_QCN_H
#define SHARPRAMP_ORACLE_QCN_H

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cp_occupancy.h"
#include "cp_pause.h"
#include "qcn_cp.h"
#include "qcn_rp.h"

static_assert(LDBL_MANT_DIG >= 64, "long double is too short");

typedef long double real;

/* Congestion point */

/**
 * struct pair_cp - a congestion point, twice
 * @p: parameters
 * @v: of the algorithm
 * @w: exponent
 * @arrived: bytes since the last sample
 * @interval: bytes that may arrive without one
 * @q_old: the queue at it
 * @notified: samples with feedback
 */
struct pair_cp {
	struct qcn_cp_params p;
	struct qcn_cp_vars v;
	int w;
	real arrived;
	real interval;
	real q_old;
	unsigned long notified;
};

static inline void pair_cp_start(struct pair_cp *c, u32 qeq, u32 base, int w, bool table)
{
	*c = (struct pair_cp){ .w = w, .p = { qeq, base, qcn_cp_w_q10(w), table } };
}

/* Section I: Fb = Qoff + w Qdelta; 6 bits of it. */
static inline u32 oracle_cp_quantize(const struct pair_cp *c, real q)
{
	real w = powl(2, c->w), qeq = c->p.qeq_bytes;
	real fb = (q - qeq) + w * (q - c->q_old);

	return fb <= 0 ? 0 : floorl(63 * fminl(fb, qeq * (2 * w + 1)) / (qeq * (2 * w + 1)));
}

static inline const char *pair_cp_arrival(struct pair_cp *c, u32 q, u32 len, u32 random)
{
	static const real kilobytes[] = { 150, 75, 50, 37.5, 30, 25, 21.5, 18.5 };
	struct qcn_cp_frame x = { q, len, random };
	struct qcn_feedback f = qcn_cp_on_arrival(&c->p, &c->v, &x);
	real interval = c->p.sample_base;
	u32 want;

	c->arrived += len;
	if (c->arrived <= c->interval)
		return f.qntz_fb || c->v.sample_bytes != c->interval - c->arrived ? "sampled early"
										  : NULL;
	want = oracle_cp_quantize(c, q);
	if (f.qntz_fb != want)
		return "quantized feedback";
	if (f.q_offset_bytes != (real)q - c->p.qeq_bytes || f.q_delta_bytes != q - c->q_old)
		return "offset or change of the queue";
	if (c->p.sample_table)
		interval = kilobytes[want / 8] / 150 * c->p.sample_base *
			   (0.85L + 0.30L * random / 4294967296.0L);
	if (c->v.sample_bytes > interval || c->v.sample_bytes < interval - 4)
		return "interval";
	c->interval = c->v.sample_bytes;
	c->arrived = 0;
	c->q_old = q;
	c->notified += !!want;
	return NULL;
}

/* Reaction point */

/**
 * struct pair_rp - a reaction point, twice
 * @p: parameters
 * @v: of the algorithm
 * @s: of the algorithm
 * @limited: a CNM came
 * @cur: rate
 * @tgt: target
 * @bytes: sent since the byte counter began
 * @of_bytes: at so many it is up
 * @began: when the timer began
 * @of_time: after so long it is up
 * @stage: of bytes, of time
 * @sent_at: when the last packet left
 * @sent: its bytes on the wire
 * @events: by phase: fast recovery, active, hyper
 * @cnms: that cut
 */
struct pair_rp {
	struct qcn_rp_params p;
	struct qcn_rp_vars v;
	struct qcn_rp_stats s;
	bool limited;
	real cur;
	real tgt;
	real bytes;
	real of_bytes;
	u64 began;
	u64 of_time;
	unsigned int stage[2];
	u64 sent_at;
	real sent;
	u64 events[3];
	u64 cnms;
};

static inline void oracle_rp_event(struct pair_rp *r, int which)
{
	unsigned int low, passed = 0, i;

	if (r->stage[which] < 65535)
		r->stage[which]++;
	for (i = 0; i < 2; i++)
		passed += r->stage[i] >= r->p.threshold;
	low = r->stage[0] < r->stage[1] ? r->stage[0] : r->stage[1];
	r->events[passed]++;
	if (r->tgt / r->cur > 10 && (r->stage[0] == 1 || r->stage[1] == 1))
		r->tgt = floorl(r->tgt / 8);
	else if (passed == 2)
		r->tgt += (real)r->p.hai_bps * (low + 1 - r->p.threshold);
	else if (passed == 1)
		r->tgt += r->p.ai_bps;
	r->tgt = fminl(r->tgt, 2.0L * r->p.max_bps);
	r->cur = fminl(floorl(r->cur / 2 + r->tgt / 2), r->p.max_bps);
}

static inline void oracle_rp_time(struct pair_rp *r, u64 now)
{
	int events = 0;

	while (r->limited && now >= r->began + r->of_time) {
		if (events++ == 64) {
			r->cur = r->p.max_bps;
			r->tgt = r->p.max_bps;
			r->began = now;
			r->of_time = r->p.time_ns / 2;
			break;
		}
		r->began += r->of_time;
		oracle_rp_event(r, 1);
		r->of_time = r->stage[1] >= r->p.threshold ? r->p.time_ns / 2 : r->p.time_ns;
	}
}

static inline real oracle_rp_next(const struct pair_rp *r)
{
	return r->limited && r->sent > 0 ? r->sent_at + floorl(r->sent * 8e9L / r->cur) : 0;
}

static inline bool oracle_rp_cnm(struct pair_rp *r, u32 fb, u64 now)
{
	real keep;

	if (fb < 1 || fb > 63)
		return false;
	if (!r->limited) {
		r->limited = true;
		r->cur = r->p.max_bps;
		r->tgt = r->p.max_bps;
		r->bytes = 0;
		r->of_bytes = r->p.bytes;
	} else if (r->stage[0]) {
		r->tgt = r->cur;
		r->bytes = 0;
		r->of_bytes = r->p.bytes;
	}
	r->stage[0] = 0;
	r->stage[1] = 0;
	r->began = now;
	r->of_time = r->p.time_ns;
	keep = fmaxl(100 - 100 * fb * powl(2, -(int)r->p.gd), r->p.min_dec_percent);
	r->cur = fmaxl(floorl(r->cur * keep / 100), r->p.min_bps);
	r->cnms++;
	return true;
}

static inline void oracle_rp_send(struct pair_rp *r, u32 len, u32 segments, u64 now)
{
	int events = 0;

	if (!r->limited)
		return;
	r->sent_at = fmaxl(oracle_rp_next(r), fmaxl((real)now - r->p.late_ns, 0));
	r->sent = len + 24.0L * segments;
	r->bytes += len;
	while (r->bytes >= r->of_bytes && events++ < 64) {
		r->bytes -= r->of_bytes;
		oracle_rp_event(r, 0);
		r->of_bytes = r->stage[0] >= r->p.threshold ? r->p.bytes / 2 : r->p.bytes;
	}
	r->bytes = fminl(r->bytes, r->of_bytes - 1);
}

static inline const char *pair_rp_differ(const struct pair_rp *r)
{
	if (qcn_rp_is_limited(&r->v) != r->limited)
		return "limited";
	if (!r->limited)
		return qcn_rp_next_ns(&r->v) ? "paced" : NULL;
	if (r->v.cur_bps != r->cur || r->v.tgt_bps != r->tgt)
		return "rate or target";
	if (r->v.byte_stage != r->stage[0] || r->v.time_stage != r->stage[1])
		return "stage";
	if (r->v.left_bytes != r->of_bytes - r->bytes || r->v.time_up_ns != r->began + r->of_time)
		return "byte counter or timer";
	if (qcn_rp_next_ns(&r->v) != oracle_rp_next(r))
		return "departure";
	if (qcn_rp_is_recovered(&r->p, &r->v) != (r->cur == r->p.max_bps))
		return "recovered";
	if (r->s.recoveries != r->events[0] || r->s.increases != r->events[1] ||
	    r->s.hyper_increases != r->events[2] || r->s.cnms != r->cnms)
		return "counters";
	return NULL;
}

/* Anything: feedback of a CNM, or bytes that leave, or neither; at some time. */
static inline const char *pair_rp_do(struct pair_rp *r, u32 fb, u32 len, u32 segments, u64 now)
{
	const struct qcn_rp_vars before = r->v;

	qcn_rp_advance(&r->p, &r->v, &r->s, now);
	oracle_rp_time(r, now);
	if (!r->limited && memcmp(&before, &r->v, sizeof(before)))
		return "changed without a CNM";
	if (fb && qcn_rp_on_cnm(&r->p, &r->v, &r->s, fb, now) != oracle_rp_cnm(r, fb, now))
		return "verdict of a CNM";
	if (len) {
		qcn_rp_on_send(&r->p, &r->v, &r->s, len, segments, now);
		oracle_rp_send(r, len, segments, now);
	}
	return pair_rp_differ(r);
}

/* Released, and as new but for what was counted. */
static inline const char *pair_rp_release(struct pair_rp *r)
{
	struct pair_rp fresh = { .p = r->p, .s = r->s, .cnms = r->cnms };

	memcpy(fresh.events, r->events, sizeof(fresh.events));
	qcn_rp_release(&r->v);
	fresh.v = r->v;
	*r = fresh;
	return pair_rp_differ(r);
}

/* Occupancy */

/* More than a group of blocks holds. */
#define ORACLE_FRAMES	4500

/**
 * struct oracle_frame - a frame in a buffer
 * @at: index of its slot, as the caller of the algorithm notes it
 * @len: bytes
 * @flow: its hash
 */
struct oracle_frame {
	u32 at;
	u32 len;
	u32 flow;
};

/**
 * struct pair_occupancy - a buffer, twice
 * @o: of the algorithm
 * @slots: its memory, as the next four
 * @links: a slot's neighbours
 * @flows: units by bucket
 * @sums: units by block
 * @block: the end of @sums
 * @frames: memory of the frames in it
 * @in: the frames that are in it, in any order
 * @n: how many
 */
struct pair_occupancy {
	struct cp_occupancy o;
	struct cp_slot slots[ORACLE_FRAMES];
	struct cp_link links[ORACLE_FRAMES];
	struct cp_flows flows;
	struct {
		struct cp_sums sums;
		u32 block[(ORACLE_FRAMES + CP_BLOCK - 1) / CP_BLOCK];
	};
	struct oracle_frame frames[ORACLE_FRAMES];
	struct oracle_frame *in[ORACLE_FRAMES];
	u32 n;
};

static inline void pair_occupancy_start(struct pair_occupancy *c, u32 size)
{
	u32 i;

	memset(c, 0, sizeof(*c));
	c->o = (struct cp_occupancy){
		.slots = c->slots, .links = c->links, .flows = &c->flows, .sums = &c->sums,
		.size = size
	};
	cp_flows_init(&c->flows);
	for (i = 0; i < ORACLE_FRAMES; i++)
		c->in[i] = &c->frames[i];
}

static inline u32 oracle_units(u32 len)
{
	return len ? ceill(len / 64.0L) : 1;
}

static inline const char *pair_occupancy_add(struct pair_occupancy *c, u32 len, u32 flow)
{
	struct oracle_frame *frame = c->in[c->n % ORACLE_FRAMES];
	u32 at;

	if (c->n == c->o.size)
		return cp_occupancy_add(&c->o, c, len, flow) != CP_NO_SLOT ? "added beyond the end"
									   : NULL;
	at = cp_occupancy_add(&c->o, frame, len, flow);
	if (at != c->n)
		return "index of a slot";
	*frame = (struct oracle_frame){ at, len, flow };
	c->n++;
	return NULL;
}

static inline const char *pair_occupancy_remove(struct pair_occupancy *c, u32 which)
{
	struct oracle_frame *gone, *moved;
	u32 at;

	if (!c->n)
		return NULL;
	which %= c->n--;
	gone = c->in[which];
	at = gone->at;
	c->in[which] = c->in[c->n];
	c->in[c->n] = gone;
	moved = cp_occupancy_remove(&c->o, at);
	if (moved)
		moved->at = at;
	return NULL;
}

/* The ring of each bucket has its frames, each once, and its cursor. */
static inline const char *pair_occupancy_rings(const struct pair_occupancy *c)
{
	u32 frames[CP_BUCKETS] = {}, i, at;

	for (i = 0; i < c->n; i++) {
		at = c->links[i].next;
		if (at >= c->n || c->links[at].prev != i ||
		    c->slots[at].bucket != c->slots[i].bucket)
			return "ring";
		frames[c->slots[i].bucket]++;
	}
	for (i = 0; i < CP_BUCKETS; i++) {
		at = c->flows.cursor[i];
		for (; frames[i]; frames[i]--, at = c->links[at].next)
			if (at >= c->n || c->slots[at].bucket != i ||
			    (frames[i] > 1 && c->links[at].next == c->flows.cursor[i]))
				return "cursor";
	}
	return NULL;
}

/* Blocks and groups have what their slots have. */
static inline const char *pair_occupancy_blocks(const struct pair_occupancy *c)
{
	u32 group[CP_GROUPS] = {}, block[(ORACLE_FRAMES + CP_BLOCK - 1) / CP_BLOCK] = {}, i;

	for (i = 0; i < c->n; i++) {
		block[i / 64] += c->slots[i].units;
		group[i / 4096] += c->slots[i].units;
	}
	return memcmp(group, c->sums.group, sizeof(group)) ||
	       memcmp(block, c->block, sizeof(block)) ? "blocks" : NULL;
}

/* Each frame is in its slot, and sums are those of the frames. */
static inline const char *pair_occupancy_differ(const struct pair_occupancy *c)
{
	u32 sums[CP_BUCKETS] = {}, units = 0, i;

	if (c->o.count != c->n)
		return "count";
	for (i = 0; i < c->n; i++) {
		const struct cp_slot *slot = &c->o.slots[c->in[i]->at];

		if (c->in[i]->at >= c->n || slot->frame != c->in[i] ||
		    slot->units != oracle_units(c->in[i]->len) ||
		    slot->bucket != c->in[i]->flow % 1024)
			return "slot";
		sums[slot->bucket] += slot->units;
		units += slot->units;
		if (slot->units > c->o.longest)
			return "longest";
	}
	if (units != c->o.units || memcmp(sums, c->flows.units, sizeof(sums)) ||
	    (!c->n && c->o.longest))
		return "sums";
	return pair_occupancy_blocks(c) ? : pair_occupancy_rings(c);
}

/* A culprit of either kind is in the buffer; that with most has most. */
static inline const char *pair_occupancy_sample(struct pair_occupancy *c, u32 random)
{
	u32 any = cp_occupancy_random(&c->o, random), most = cp_occupancy_largest(&c->o);
	u32 i;

	if (!c->n)
		return any != CP_NO_SLOT || most != CP_NO_SLOT ? "a culprit of nothing" : NULL;
	if (any >= c->n || most >= c->n)
		return "no culprit";
	for (i = 0; i < c->n; i++)
		if (c->flows.units[c->slots[i].bucket] > c->flows.units[c->slots[most].bucket])
			return "another has more";
	return NULL;
}

/* PAUSE */

/**
 * struct pair_pause - sender and receiver, twice
 * @p: parameters of the sender
 * @send: of the algorithm
 * @obey: of the algorithm
 * @s: of the algorithm
 * @on: the other end was paused by the last that was sent
 * @xoff_at: when that was
 * @from: of a PAUSE: when it came
 * @to: when it ends
 * @any: one counts
 * @storm_to: they do not count until then
 * @storms: how often
 */
struct pair_pause {
	struct pause_tx_params p;
	struct pause_tx send;
	struct pause_rx obey;
	struct pause_stats s;
	bool on;
	u64 xoff_at;
	u64 from;
	u64 to;
	bool any;
	u64 storm_to;
	u64 storms;
};

static inline const char *pair_pause_queue(struct pair_pause *c, u32 q, u64 now)
{
	enum pause_frame want = PAUSE_FRAME_NONE, got;
	bool on = q >= c->p.xoff_bytes || (c->on && q > c->p.xon_bytes);

	if (on && !(c->on && now < c->xoff_at + c->p.pause_ns / 2))
		want = PAUSE_FRAME_XOFF;
	else if (!on && c->on)
		want = PAUSE_FRAME_XON;
	if (want == PAUSE_FRAME_XOFF)
		c->xoff_at = now;
	c->on = on;
	got = pause_tx_update(&c->p, &c->send, q, now);
	return got == want ? NULL : "PAUSE that is sent";
}

static inline void pair_pause_frame(struct pair_pause *c, u64 pause_ns, u64 now)
{
	pause_rx_frame(&c->obey, pause_ns, now);
	if (now < c->storm_to)
		return;
	/* The first after a break. */
	if (!c->any || now >= c->to)
		c->from = now;
	c->any = true;
	c->to = now + pause_ns;
}

static inline const char *pair_pause_check(struct pair_pause *c, u64 now)
{
	enum pause_verdict want = PAUSE_SEND, got = pause_rx_check(&c->obey, &c->s, now);

	if (now < c->storm_to) {
		want = PAUSE_DROP;
	} else if (c->any && now < c->to && now >= c->from + 400000000) {
		want = PAUSE_DROP;
		c->storm_to = now + 2000000000;
		c->any = false;
		c->storms++;
	} else if (c->any && now < c->to) {
		want = PAUSE_WAIT;
		if (pause_rx_next_ns(&c->obey) !=
		    (c->to < c->from + 400000000 ? c->to : c->from + 400000000))
			return "time of the next look";
	}
	if (got != want)
		return "verdict of PAUSE";
	return c->s.storms == c->storms ? NULL : "storms";
}

#endif /* SHARPRAMP_ORACLE_QCN_H */
