/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QCN's reaction point: the rate of a flow that congestion points tell of congestion.
 *
 * Source: IEEE 802.1Qau as far as it could be read, see docs/decisions/0077-qcn-sources.md;
 * names and defaults of parameters are those of IEEE8021-CN-MIB, see qcn_rp_params.h.
 *
 *   in 802.1Qau                here
 *   rpCurrentRate              cur_bps
 *   rpTargetRate               tgt_bps
 *   rpByteStage, rpTimeStage   byte_stage, time_stage
 *   rpByteCount                left_bytes
 *   rpWhile                    time_up_ns - now
 *
 * CNM:         tgt = cur if the byte counter was up since the last CNM, stages = 0,
 *              cur is cut by QntzFb / 2^rpgGd, at most to rpgMinDecFac of it
 * byte counter or timer up: its stage grows by one, then
 *
 *   larger stage < rpgThreshold    fast recovery    tgt stays
 *   smaller stage < rpgThreshold   active increase  tgt += rpgAiRate
 *   else                           hyper increase   tgt += rpgHaiRate (smaller - threshold + 1)
 *
 *              and cur = (cur + tgt) / 2; at stage 1 of either a tgt above 10 cur becomes
 *              tgt / 8 instead.  Counter and timer are halved once their own stage has
 *              reached rpgThreshold.
 *
 * There is no timer: a caller that reads the rate first lets time pass, qcn_rp_advance().  All
 * times are of a monotone clock, below 2^62; one before the last counts as the last.
 */
#ifndef SHARPRAMP_ALGO_QCN_RP_H
#define SHARPRAMP_ALGO_QCN_RP_H

#include "port.h"

/* Rates fit 39 bits: 400 Gbit/s. */
#define QCN_RP_RATE_MAX 400000000000ULL
/* Stages count no further. */
#define QCN_RP_STAGE_MAX 65535U
/* Events at once; a flow that slept through more is back at its highest rate. */
#define QCN_RP_EVENTS_MAX 64U
/* Bytes of a segment on the wire beyond its frame: preamble, FCS, gap. */
#define QCN_RP_SEGMENT_BYTES 24U

/**
 * struct qcn_rp_params - what the algorithm reads; within the ranges of QCN_RP_PARAMETERS
 * @max_bps: rate at which a flow starts, rpgMaxRate; not below @min_bps
 * @min_bps: rate below which none is cut, rpgMinRate
 * @ai_bps: step of active increase, rpgAiRate
 * @hai_bps: step of hyper increase, rpgHaiRate
 * @time_ns: timer, rpgTimeReset
 * @bytes: byte counter, rpgByteReset
 * @threshold: stages of fast recovery, rpgThreshold
 * @gd: minus the binary logarithm of Gd, rpgGd
 * @min_dec_percent: what a cut leaves at least, rpgMinDecFac
 * @late_ns: a packet that leaves so much too late at most costs no rate, below 2^32: how late
 *	the caller's timer may be
 */
struct qcn_rp_params {
	u64 max_bps;
	u64 min_bps;
	u64 ai_bps;
	u64 hai_bps;
	u64 time_ns;
	u32 bytes;
	u32 threshold;
	u32 gd;
	u32 min_dec_percent;
	u64 late_ns;
};

/**
 * struct qcn_rp_vars - state of a reaction point; all zero at the start
 * @cur_bps: rate; 0: not limited, no CNM came yet
 * @tgt_bps: rate that fast recovery returns to, may exceed @qcn_rp_params.max_bps
 * @left_bytes: until the byte counter is up
 * @time_up_ns: when the timer is
 * @sent_ns: when the last packet left, as paced
 * @sent_bytes: its length on the wire
 * @byte_stage: how often the byte counter was up since the last CNM
 * @time_stage: how often the timer was
 */
struct qcn_rp_vars {
	u64 cur_bps;
	u64 tgt_bps;
	s64 left_bytes;
	u64 time_up_ns;
	u64 sent_ns;
	u32 sent_bytes;
	u32 byte_stage;
	u32 time_stage;
};

/**
 * struct qcn_rp_stats - what the algorithm counts
 * @cnms: CNMs that cut the rate
 * @recoveries: events in fast recovery
 * @increases: events in active increase
 * @hyper_increases: events in hyper increase
 */
struct qcn_rp_stats {
	u64 cnms;
	u64 recoveries;
	u64 increases;
	u64 hyper_increases;
};

/**
 * qcn_rp_is_limited() - does a reaction point limit its flow?
 * @v: state
 *
 * Return: true from the first CNM on until qcn_rp_release().
 */
static inline bool qcn_rp_is_limited(const struct qcn_rp_vars *v)
{
	return v->cur_bps;
}

/**
 * qcn_rp_release() - the flow is no longer limited
 * @v: state
 */
static inline void qcn_rp_release(struct qcn_rp_vars *v)
{
	*v = (struct qcn_rp_vars){};
}

/* The amount that an event adds to the target. */
static inline u64 qcn_rp_increase(const struct qcn_rp_params *p, const struct qcn_rp_vars *v,
				  struct qcn_rp_stats *s)
{
	u32 larger = max(v->byte_stage, v->time_stage);
	u32 smaller = min(v->byte_stage, v->time_stage);

	if (larger < p->threshold) {
		s->recoveries++;
		return 0;
	}
	if (smaller < p->threshold) {
		s->increases++;
		return p->ai_bps;
	}
	s->hyper_increases++;
	/* Below 2^39 x 2^16. */
	return p->hai_bps * (smaller - p->threshold + 1);
}

/* The byte counter or the timer is up; its stage has grown. */
static inline void qcn_rp_event(const struct qcn_rp_params *p, struct qcn_rp_vars *v,
				struct qcn_rp_stats *s)
{
	u64 increase = qcn_rp_increase(p, v, s);

	if ((v->byte_stage == 1 || v->time_stage == 1) && v->tgt_bps > 10 * v->cur_bps)
		v->tgt_bps /= 8;
	else
		v->tgt_bps = min(v->tgt_bps + increase, 2 * p->max_bps);
	v->cur_bps = min((v->cur_bps + v->tgt_bps) / 2, p->max_bps);
}

/* Halved once the own stage has reached the threshold. */
static inline bool qcn_rp_is_half(const struct qcn_rp_params *p, u32 stage)
{
	return stage >= p->threshold;
}

/**
 * qcn_rp_advance() - let time pass
 * @p: parameters
 * @v: state
 * @s: counters
 * @now_ns: time
 */
static inline void qcn_rp_advance(const struct qcn_rp_params *p, struct qcn_rp_vars *v,
				  struct qcn_rp_stats *s, u64 now_ns)
{
	u32 events;

	if (!qcn_rp_is_limited(v))
		return;
	for (events = 0; now_ns >= v->time_up_ns; events++) {
		if (events == QCN_RP_EVENTS_MAX) {
			v->cur_bps = p->max_bps;
			v->tgt_bps = p->max_bps;
			v->time_up_ns = now_ns + p->time_ns / 2;
			return;
		}
		v->time_stage = min(v->time_stage + 1, QCN_RP_STAGE_MAX);
		qcn_rp_event(p, v, s);
		v->time_up_ns += qcn_rp_is_half(p, v->time_stage) ? p->time_ns / 2 : p->time_ns;
	}
}

/**
 * qcn_rp_on_cnm() - a congestion notification message came for the flow
 * @p: parameters
 * @v: state; qcn_rp_advance() was called
 * @s: counters
 * @qntz_fb: its feedback
 * @now_ns: time
 *
 * Return: true if the rate was cut; false, and nothing changed, if @qntz_fb is none.
 */
static inline bool qcn_rp_on_cnm(const struct qcn_rp_params *p, struct qcn_rp_vars *v,
				 struct qcn_rp_stats *s, u32 qntz_fb, u64 now_ns)
{
	u32 one = 1U << p->gd, left;

	if (!qntz_fb || qntz_fb > 63)
		return false;
	if (!qcn_rp_is_limited(v)) {
		v->cur_bps = p->max_bps;
		v->tgt_bps = p->max_bps;
		v->left_bytes = p->bytes;
	}
	if (v->byte_stage) {
		v->tgt_bps = v->cur_bps;
		v->left_bytes = p->bytes;
	}
	v->byte_stage = 0;
	v->time_stage = 0;
	v->time_up_ns = now_ns + p->time_ns;
	/* In percent of 2^gd: below 2^23, times a rate below 2^62. */
	left = max(one > qntz_fb ? 100 * (one - qntz_fb) : 0, p->min_dec_percent * one);
	v->cur_bps = max(div_u64(v->cur_bps * left, 100 * one), p->min_bps);
	s->cnms++;
	return true;
}

/**
 * qcn_rp_next_ns() - when the next packet may leave
 * @v: state; qcn_rp_advance() was called
 *
 * A cut or an increase counts from the last departure on.
 *
 * Return: time; 0 if the flow is not limited.
 */
static inline u64 qcn_rp_next_ns(const struct qcn_rp_vars *v)
{
	if (!qcn_rp_is_limited(v) || !v->sent_bytes)
		return 0;
	return v->sent_ns + div64_u64(v->sent_bytes * 8000000000ULL, v->cur_bps);
}

/*
 * When a packet counts as sent: when it was due, if it is a little late.  A flow that was idle
 * is ahead by as much.
 */
static inline u64 qcn_rp_departure(const struct qcn_rp_params *p, const struct qcn_rp_vars *v,
				   u64 now_ns)
{
	return max(qcn_rp_next_ns(v), now_ns - min(now_ns, p->late_ns));
}

/**
 * qcn_rp_pace() - a packet leaves, of a flow whose rate is another law's
 * @p: parameters; @p->late_ns is read
 * @v: state
 * @len: bytes with the MAC header, at most 2^24
 * @segments: frames that it becomes, at most 2^16
 * @now_ns: time
 */
static inline void qcn_rp_pace(const struct qcn_rp_params *p, struct qcn_rp_vars *v, u32 len,
			       u32 segments, u64 now_ns)
{
	v->sent_ns = qcn_rp_departure(p, v, now_ns);
	v->sent_bytes = len + QCN_RP_SEGMENT_BYTES * segments;
}

/**
 * qcn_rp_on_send() - a packet leaves
 * @p: parameters
 * @v: state; qcn_rp_advance() was called
 * @s: counters
 * @len: bytes with the MAC header, at most 2^24
 * @segments: frames that it becomes, at most 2^16
 * @now_ns: time
 */
static inline void qcn_rp_on_send(const struct qcn_rp_params *p, struct qcn_rp_vars *v,
				  struct qcn_rp_stats *s, u32 len, u32 segments, u64 now_ns)
{
	u32 events;

	if (!qcn_rp_is_limited(v))
		return;
	qcn_rp_pace(p, v, len, segments, now_ns);
	v->left_bytes -= len;
	for (events = 0; v->left_bytes <= 0 && events < QCN_RP_EVENTS_MAX; events++) {
		v->byte_stage = min(v->byte_stage + 1, QCN_RP_STAGE_MAX);
		qcn_rp_event(p, v, s);
		v->left_bytes += qcn_rp_is_half(p, v->byte_stage) ? p->bytes / 2 : p->bytes;
	}
	v->left_bytes = max_t(s64, v->left_bytes, 1);
}

/**
 * qcn_rp_is_recovered() - is the flow back at its highest rate?
 * @p: parameters
 * @v: state; qcn_rp_advance() was called
 *
 * Return: true if so; it may be released when none of its packets waits.
 */
static inline bool qcn_rp_is_recovered(const struct qcn_rp_params *p, const struct qcn_rp_vars *v)
{
	return v->cur_bps >= p->max_bps;
}

#endif /* SHARPRAMP_ALGO_QCN_RP_H */
