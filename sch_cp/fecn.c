// SPDX-License-Identifier: GPL-2.0
/*
 * Law fecn: the rate that an output advertises, in the rate discovery (RD) frames that leave.
 *
 * There is no timer: an interval ends when a frame comes after it, an RD frame leaves, or
 * the statistics are read.
 */
#include <linux/if_vlan.h>

#include "cp.h"
#include "cp_trace.h"

/* Preamble, FCS and gap of a frame on the wire. */
#define CP_WIRE_BYTES	24U

/**
 * cp_fecn_advance() - end the intervals that are over
 * @q: the port, of law fecn
 *
 * Context: root lock.
 */
void cp_fecn_advance(struct cp_port *q)
{
	struct cp_fecn *f = &q->fecn;

	if (likely(!fecn_cp_advance(&f->params, &f->vars, q->counted, cp_now(q))))
		return;
	trace_cp_advertise(q->sch, f->vars.rate_kbps, f->vars.arrival_kbps, q->counted);
}

/**
 * cp_fecn_charge() - a frame came, to be queued or to be dropped
 * @q: the port, of law fecn
 * @len: its bytes
 *
 * Context: root lock; the frame does not count in the queue yet.
 */
void cp_fecn_charge(struct cp_port *q, u32 len)
{
	cp_fecn_advance(q);
	fecn_cp_charge(&q->fecn.vars, len + q->fecn.frame_bytes);
}

/* May a frame be an RD?  Its outer VLAN tag may be in its data. */
static bool cp_fecn_is_candidate(const struct sk_buff *skb)
{
	return skb->protocol == htons(FECN_RD_TYPE) || eth_type_vlan(skb->protocol);
}

/* Write the rate into an RD, whose body begins at that byte. */
static void cp_fecn_write(struct cp_port *q, struct sk_buff *skb, u32 body)
{
	u8 cpid[L2_CPID_BYTES] = {};

	if (skb_ensure_writable(skb, body + FECN_RD_BYTES)) {
		q->fecn.rds_failed++;
		return;
	}
	cp_fecn_advance(q);
	l2_put_bytes(cpid, q->mac, L2_ADDRESS_BYTES);
	if (fecn_rd_pass(skb->data + body, q->fecn.vars.rate_kbps, q->counted, cpid))
		q->fecn.rds_written++;
}

/**
 * cp_fecn_pass() - a frame leaves
 * @q: the port, of law fecn
 * @skb: the frame, which is in no queue any more
 *
 * An RD on its way to a destination gets the port's rate, if that is the least yet; all other
 * frames stay as they are.
 *
 * Context: root lock.
 */
void cp_fecn_pass(struct cp_port *q, struct sk_buff *skb)
{
	u8 bytes[FECN_RD_MAX_BYTES];
	u32 len = min_t(u32, skb->len, sizeof(bytes));
	struct fecn_rd rd;
	u32 body;

	if (likely(!cp_fecn_is_candidate(skb)) || skb_copy_bits(skb, 0, bytes, len))
		return;
	switch (fecn_rd_parse(bytes, len, &rd, &body)) {
	case L2_OK:
		if (rd.is_back)
			return;
		q->fecn.rds++;
		cp_fecn_write(q, skb, body);
		return;
	case L2_OTHER:
		return;
	default:
		q->fecn.rds_bad++;
	}
}

/**
 * cp_fecn_set() - settings, or the device's speed, changed
 * @q: the port
 * @s: settings
 *
 * Context: root lock; RTNL.
 */
void cp_fecn_set(struct cp_port *q, const struct cp_settings *s)
{
	bool was = q->advertising;
	struct cp_fecn *f = &q->fecn;

	if (was)
		cp_fecn_advance(q);
	q->advertising = s->value[CP_P_LAW] == CP_LAW_FECN;
	if (!q->advertising)
		return;
	/* A rate that was configured counts frames as the qdisc layer does. */
	f->frame_bytes = q->rate_bps ? 0 : CP_WIRE_BYTES;
	cp_fecn_params_make(s, q->rate_bps ? q->rate_bps : q->link_bps, &f->params);
	if (was)
		fecn_cp_change(&f->params, &f->vars, cp_now(q));
	else
		fecn_cp_start(&f->params, &f->vars, cp_now(q));
}
