// SPDX-License-Identifier: GPL-2.0
/*
 * A sender's window under DCTCP.
 */
#include "dctcp.h"

void dctcp_init(struct dctcp *d)
{
	*d = (struct dctcp) {
		.cwnd = DCTCP_INITIAL,
		.ssthresh = UINT32_MAX,
		.alpha = DCTCP_ONE,
	};
}

static void dctcp_estimate(struct dctcp *d, bool marked)
{
	uint64_t part;

	d->window_acked++;
	d->window_marked += marked;
	if (d->acked < d->window_end)
		return;
	part = ((uint64_t)d->window_marked * (DCTCP_ONE >> DCTCP_G_SHIFT)) / d->window_acked;
	/* A value too small to lose a sixteenth of itself becomes 0 at once. */
	d->alpha -= d->alpha >> DCTCP_G_SHIFT ? d->alpha >> DCTCP_G_SHIFT : d->alpha;
	d->alpha += part;
	if (d->alpha > DCTCP_ONE)
		d->alpha = DCTCP_ONE;
	d->window_end = d->sent;
	d->window_acked = 0;
	d->window_marked = 0;
}

static void dctcp_reduce(struct dctcp *d, uint32_t to)
{
	d->ssthresh = to > DCTCP_LEAST ? to : DCTCP_LEAST;
	d->reducing = true;
	d->reduce_end = d->sent;
	d->prior = d->cwnd;
	d->reduced = 0;
}

/* On the way from the prior window to ssthresh, a step for each acknowledgment. */
static void dctcp_fall(struct dctcp *d)
{
	uint64_t fall;

	if (d->acked >= d->reduce_end) {
		d->cwnd = d->ssthresh;
		d->reducing = false;
		return;
	}
	if (d->prior <= d->ssthresh || ++d->reduced > d->prior)
		return;
	fall = (uint64_t)(d->prior - d->ssthresh) * d->reduced / d->prior;
	d->cwnd = d->prior - fall;
}

static void dctcp_grow(struct dctcp *d)
{
	if (d->cwnd < d->ssthresh) {
		d->cwnd++;
		return;
	}
	if (++d->grown >= d->cwnd) {
		d->grown = 0;
		d->cwnd++;
	}
}

void dctcp_on_ack(struct dctcp *d, bool marked, bool limited)
{
	d->acked++;
	dctcp_estimate(d, marked);
	if (d->reducing)
		dctcp_fall(d);
	if (d->reducing)
		return;
	if (marked)
		dctcp_reduce(d, d->cwnd - (uint64_t)d->cwnd * d->alpha / (2 * DCTCP_ONE));
	else if (limited)
		dctcp_grow(d);
}

void dctcp_on_loss(struct dctcp *d, bool timeout)
{
	if (timeout) {
		dctcp_reduce(d, d->cwnd / 2);
		d->reducing = false;
		d->cwnd = 1;
	} else if (!d->reducing) {
		dctcp_reduce(d, d->cwnd / 2);
	}
}

void dctcp_on_idle(struct dctcp *d, uint64_t idle_ns)
{
	for (; idle_ns > DCTCP_RTO_NS && d->cwnd > DCTCP_INITIAL; idle_ns -= DCTCP_RTO_NS) {
		if (d->ssthresh < d->cwnd * 3 / 4)
			d->ssthresh = d->cwnd * 3 / 4;
		d->cwnd /= 2;
		if (d->cwnd < DCTCP_INITIAL)
			d->cwnd = DCTCP_INITIAL;
	}
}
