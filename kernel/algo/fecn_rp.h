/* SPDX-License-Identifier: GPL-2.0 */
/*
 * FECN's reaction point: a source that sends rate discovery (RD) messages along its flow's
 * path, and sends at the rate that comes back.
 *
 * Source: J. Jiang, R. Jain, forward explicit congestion notification, queue control, section
 * III.A: "increase their rate to the received feedback immediately".  When a message is sent,
 * which answers are accepted, and what happens without one are choices of this project, see
 * docs/decisions/0078-fecn-sources.md.
 *
 * An RD leaves ahead of a data packet, so there is no timer, and a flow that sends nothing asks
 * for nothing.  Times are of a monotone clock, below 2^62.
 */
#ifndef SHARPRAMP_ALGO_FECN_RP_H
#define SHARPRAMP_ALGO_FECN_RP_H

#include "port.h"

/* RDs that may be unanswered at a time; an answer to an older one comes too late. */
#define FECN_RP_RDS 8U
#define FECN_RP_AGE_NS 1000000000ULL
/* After so many RDs in a row without an answer the rate is halved. */
#define FECN_RP_UNANSWERED 5U
/* After so many, whatever was answered before counts no more. */
#define FECN_RP_FORGET 64U
/* The rate of an RD that passed no congestion point. */
#define FECN_RP_KBPS_NONE 0xffffffffU

/**
 * struct fecn_rp_params - what the algorithm reads
 * @period_ns: an RD is sent so often at most, 100000 to 10^9
 * @max_kbps: highest rate, not below @min_kbps
 * @min_kbps: lowest rate, at least 1
 * @initial_kbps: rate before the first answer, between the two
 */
struct fecn_rp_params {
	u64 period_ns;
	u32 max_kbps;
	u32 min_kbps;
	u32 initial_kbps;
};

/**
 * struct fecn_rp_rd - an RD that was sent
 * @ns: when
 * @nonce: its number, which an answer has to have
 */
struct fecn_rp_rd {
	u64 ns;
	u32 nonce;
};

/**
 * struct fecn_rp_vars - state of a reaction point; all zero but @cur_kbps at the start
 * @cur_kbps: rate
 * @unanswered: RDs since the last answer, or since the rate was halved
 * @sent: RDs
 * @answered: that many RDs had been sent when that was which was answered last
 * @hot_ns: until then no further hot-spot message counts
 * @rd: the last that were sent, by number modulo FECN_RP_RDS
 */
struct fecn_rp_vars {
	u32 cur_kbps;
	u32 unanswered;
	u64 sent;
	u64 answered;
	u64 hot_ns;
	struct fecn_rp_rd rd[FECN_RP_RDS];
};

/**
 * enum fecn_rp_verdict - what becomes of an answer
 * @FECN_RP_TAKEN: the rate was taken
 * @FECN_RP_UNKNOWN: no RD of the last had this nonce
 * @FECN_RP_LATE: the RD is too old
 * @FECN_RP_REPEATED: it, or a later one, was answered before
 */
enum fecn_rp_verdict {
	FECN_RP_TAKEN = 0,
	FECN_RP_UNKNOWN = 1,
	FECN_RP_LATE = 2,
	FECN_RP_REPEATED = 3,
};

/**
 * fecn_rp_start() - a flow begins
 * @p: parameters
 * @v: state, written
 */
static inline void fecn_rp_start(const struct fecn_rp_params *p, struct fecn_rp_vars *v)
{
	*v = (struct fecn_rp_vars){ .cur_kbps = p->initial_kbps };
}

/**
 * fecn_rp_is_due() - is an RD to be sent ahead of a data packet?
 * @p: parameters
 * @v: state
 * @now_ns: time
 *
 * Return: true if none was sent for a period.
 */
static inline bool fecn_rp_is_due(const struct fecn_rp_params *p, const struct fecn_rp_vars *v,
				  u64 now_ns)
{
	return !v->sent || now_ns >= v->rd[(v->sent - 1) % FECN_RP_RDS].ns + p->period_ns;
}

/**
 * fecn_rp_on_sent() - an RD leaves
 * @p: parameters
 * @v: state
 * @nonce: its number, which is known only where the RD was seen
 * @now_ns: time
 *
 * A flow that never had an answer may go to where nothing reflects RDs: it keeps its rate, and
 * one that had none for long gets the rate of a new flow.
 *
 * Return: true if so many were not answered that the rate was changed.
 */
static inline bool fecn_rp_on_sent(const struct fecn_rp_params *p, struct fecn_rp_vars *v,
				   u32 nonce, u64 now_ns)
{
	bool halved = v->answered && v->unanswered == FECN_RP_UNANSWERED;
	bool forgotten = v->answered && v->sent - v->answered >= FECN_RP_FORGET;

	if (forgotten) {
		v->cur_kbps = p->initial_kbps;
		v->answered = 0;
	} else if (halved) {
		v->cur_kbps = max(v->cur_kbps / 2, p->min_kbps);
		v->unanswered = 0;
	}
	v->unanswered++;
	v->rd[v->sent++ % FECN_RP_RDS] = (struct fecn_rp_rd){ .ns = now_ns, .nonce = nonce };
	return halved || forgotten;
}

/**
 * fecn_rp_on_answer() - an RD came back
 * @p: parameters
 * @v: state
 * @nonce: its number
 * @kbps: its rate; FECN_RP_KBPS_NONE: no congestion point was on its way
 * @now_ns: time
 *
 * Return: FECN_RP_TAKEN, or why nothing changed.
 */
static inline enum fecn_rp_verdict fecn_rp_on_answer(const struct fecn_rp_params *p,
						     struct fecn_rp_vars *v, u32 nonce, u32 kbps,
						     u64 now_ns)
{
	u64 number, oldest = v->sent > FECN_RP_RDS ? v->sent - FECN_RP_RDS : 0;

	for (number = v->sent; number > oldest; number--)
		if (v->rd[(number - 1) % FECN_RP_RDS].nonce == nonce)
			break;
	if (number == oldest)
		return FECN_RP_UNKNOWN;
	if (number <= v->answered)
		return FECN_RP_REPEATED;
	if (now_ns > v->rd[(number - 1) % FECN_RP_RDS].ns + FECN_RP_AGE_NS)
		return FECN_RP_LATE;
	v->answered = number;
	v->unanswered = 0;
	v->cur_kbps = min(max(kbps, p->min_kbps), p->max_kbps);
	return FECN_RP_TAKEN;
}

/**
 * fecn_rp_on_hot() - a congestion point that the flow passes is a hot spot (section III.B)
 * @p: parameters
 * @v: state
 * @now_ns: time
 *
 * Such messages cut some flows too far, as the paper says, so one counts a period.
 *
 * Return: true if the rate was halved, until the next answer.
 */
static inline bool fecn_rp_on_hot(const struct fecn_rp_params *p, struct fecn_rp_vars *v,
				  u64 now_ns)
{
	if (now_ns < v->hot_ns)
		return false;
	v->hot_ns = now_ns + p->period_ns;
	v->cur_kbps = max(v->cur_kbps / 2, p->min_kbps);
	return true;
}

#endif /* SHARPRAMP_ALGO_FECN_RP_H */
