// SPDX-License-Identifier: GPL-2.0
/*
 * Inputs: what came by a port and waits for any, and the PAUSE that its neighbour gets.
 */
#include <linux/idr.h>
#include <linux/slab.h>

#include "cp.h"
#include "cp_trace.h"

/* A PAUSE for which there was no memory is tried again after that. */
#define CP_RETRY_NS	1000000ULL

/**
 * cp_input_find() - the input of a device
 * @cn: its namespace's
 * @ifindex: the device
 *
 * Context: RCU or RTNL.
 * Return: the input, which may be about to go; NULL if the device is none.
 */
struct cp_input *cp_input_find(const struct cp_net *cn, int ifindex)
{
	struct cp_input *in;

	hlist_for_each_entry_rcu(in, &cn->inputs[ifindex % CP_INPUT_BUCKETS], node,
				 lockdep_rtnl_is_held())
		if (in->ifindex == ifindex)
			return in;
	return NULL;
}

/**
 * cp_input_create() - make a port an input; nobody finds it yet
 * @q: the port
 *
 * Context: RTNL; may sleep.
 * Return: the input, with one reference, or an error.
 */
struct cp_input *cp_input_create(struct cp_port *q)
{
	struct cp_input *in = kzalloc(sizeof(*in), GFP_KERNEL_ACCOUNT);
	int minor;

	if (!in)
		return ERR_PTR(-ENOMEM);
	minor = ida_alloc_range(&q->net->minors, TC_CP_CLASS_FOREIGN + 1, TC_H_MIN_MASK - 1,
				GFP_KERNEL);
	if (minor < 0) {
		kfree(in);
		return ERR_PTR(minor);
	}
	refcount_set(&in->refs, 1);
	spin_lock_init(&in->lock);
	__skb_queue_head_init(&in->cnms);
	in->minor = minor;
	in->net = q->net;
	in->sch = q->sch;
	in->ifindex = qdisc_dev(q->sch)->ifindex;
	in->point.law = CP_LAW_NONE;
	return in;
}

/**
 * cp_input_put() - one reference less
 * @in: the input
 *
 * Context: any but NMI; not the input's lock.
 */
void cp_input_put(struct cp_input *in)
{
	if (!refcount_dec_and_test(&in->refs))
		return;
	WARN_ON_ONCE(in->bytes || in->pause_requests || in->point.occupancy.size);
	ida_free(&in->net->minors, in->minor);
	kfree_rcu(in, rcu);
}

/* The level that decides about PAUSE: an output that needs it counts as a full buffer. */
static u32 cp_input_level(const struct cp_input *in)
{
	if (in->pause_requests)
		return U32_MAX;
	return in->pause_input ? in->bytes : 0;
}

/* The level changed, or the time to repeat has come. */
static void cp_input_step(struct cp_input *in, u64 now)
{
	bool paused = in->pause.paused;

	switch (pause_tx_update(&in->limits, &in->pause, cp_input_level(in), now)) {
	case PAUSE_FRAME_XOFF:
		if (!paused)
			in->pausing_since_ns = now;
		if (in->next_frame != CP_NEXT_XOFF)
			in->next_frame = paused ? CP_NEXT_REFRESH : CP_NEXT_XOFF;
		break;
	case PAUSE_FRAME_XON:
		/* Another port's clock may have been read before the lock was taken. */
		if (now > in->pausing_since_ns)
			in->pausing_ns += now - in->pausing_since_ns;
		in->next_frame = CP_NEXT_XON;
		break;
	default:
		break;
	}
}

/* The level changed, which nearly always decides nothing. */
static void cp_input_pause(struct cp_port *q, struct cp_input *in)
{
	u32 level = cp_input_level(in);

	/* While paused frames are a second reason to repeat it: a reset stops the timer. */
	if (likely(in->pause.paused ? level > in->limits.xon_bytes &&
		   cp_now(q) < in->pause.refresh_ns : level < in->limits.xoff_bytes))
		return;
	cp_input_step(in, cp_now(q));
	cp_control_kick(in);
}

/**
 * cp_input_charge() - account for a frame that came, if it counts
 * @q: the port that it waits for
 * @voq: where it counts, an input's
 * @skb: the frame
 *
 * Context: root lock.
 * Return: false if the buffer is full: nothing is accounted for.
 */
bool cp_input_charge(struct cp_port *q, struct cp_voq *voq, struct sk_buff *skb)
{
	struct cp_input *in = voq->input;
	u32 len = qdisc_pkt_len(skb);
	bool fits = true;

	spin_lock(&in->lock);
	if (unlikely(!(in->cnpv & BIT(cp_class(skb))))) {
		q->count.outside++;
	} else if (unlikely((u64)in->bytes + len > in->buffer)) {
		fits = false;
	} else {
		in->bytes += len;
		in->max_bytes = max(in->max_bytes, in->bytes);
		voq->counted += len;
		cp_point_add(&in->point, skb);
		if (in->point.law != CP_LAW_NONE)
			cp_point_sample_input(in, skb);
		cp_input_pause(q, in);
	}
	spin_unlock(&in->lock);
	return fits;
}

/**
 * cp_input_uncharge() - a frame waits no longer
 * @q: the port that it waited for
 * @voq: where it counted, an input's
 * @skb: the frame; nobody else has it from here on
 *
 * Context: root lock.
 */
void cp_input_uncharge(struct cp_port *q, struct cp_voq *voq, struct sk_buff *skb)
{
	struct cp_input *in = voq->input;
	u32 len = qdisc_pkt_len(skb);

	spin_lock(&in->lock);
	if (likely(cp_cb(skb)->slot_in != CP_OUTSIDE)) {
		in->bytes -= len;
		voq->counted -= len;
		cp_point_remove(&in->point, skb);
		cp_input_pause(q, in);
	}
	spin_unlock(&in->lock);
}

/**
 * cp_input_request_pause() - an output wants an input paused, or no longer
 * @q: the output
 * @in: the input
 * @hold: does it?
 *
 * Context: root lock.
 */
void cp_input_request_pause(struct cp_port *q, struct cp_input *in, bool hold)
{
	spin_lock(&in->lock);
	if (hold)
		in->pause_requests++;
	else
		in->pause_requests--;
	cp_input_pause(q, in);
	spin_unlock(&in->lock);
}

/* Build the PAUSE that is due.  Return: NULL without memory: it stays due. */
static struct sk_buff *cp_input_build(struct cp_port *q, struct cp_input *in)
{
	bool xon = in->next_frame == CP_NEXT_XON;
	struct sk_buff *skb = cp_control_pause(in, xon);

	if (!skb) {
		in->control_failed++;
		q->wake_ns = min(q->wake_ns, cp_now(q) + CP_RETRY_NS);
		return NULL;
	}
	in->paused_cnpv = xon ? 0 : in->paused_cnpv | in->cnpv;
	if (xon)
		in->xon_tx++;
	else if (in->next_frame == CP_NEXT_REFRESH)
		in->refresh_tx++;
	else
		in->xoff_tx++;
	in->next_frame = CP_NEXT_NONE;
	trace_cp_pause_tx(q->sch, in->cnpv, xon ? 0 : in->quanta);
	return skb;
}

/**
 * cp_input_control() - the next control frame that leaves by a port
 * @q: the port
 *
 * Context: root lock.
 * Return: PAUSE before CNMs; NULL if there is none.
 */
struct sk_buff *cp_input_control(struct cp_port *q)
{
	struct cp_input *in = q->input;
	struct sk_buff *skb = NULL;

	spin_lock(&in->lock);
	if (in->pause.paused && cp_now(q) >= in->pause.refresh_ns)
		cp_input_step(in, cp_now(q));
	if (in->next_frame)
		skb = cp_input_build(q, in);
	if (!skb) {
		skb = __skb_dequeue(&in->cnms);
		if (skb)
			in->cnm_tx++;
	}
	q->refresh_ns = in->pause.refresh_ns;
	cp_control_update_pending(in);
	spin_unlock(&in->lock);
	return skb;
}

/**
 * cp_input_set() - put new settings of an input in force, but for its congestion point
 * @q: the port
 * @s: settings
 *
 * Context: root lock.
 */
void cp_input_set(struct cp_port *q, const struct cp_settings *s)
{
	struct cp_input *in = q->input;
	u32 quanta = s->value[CP_P_QUANTA];

	spin_lock(&in->lock);
	in->cnpv = s->value[CP_P_CNPV];
	in->buffer = s->value[CP_P_BUFFER];
	in->pause_input = s->value[CP_P_PAUSE] == CP_PAUSE_INPUT;
	in->quanta = quanta;
	in->limits.xoff_bytes = s->value[CP_P_XOFF];
	in->limits.xon_bytes = s->value[CP_P_XON];
	in->limits.pause_ns = max(pause_quanta_ns(quanta, q->link_bps),
				  2 * CP_REFRESH_LEAST_NS);
	ether_addr_copy(in->mac, q->mac);
	cp_input_pause(q, in);
	spin_unlock(&in->lock);
}

/**
 * cp_input_purge() - drop the CNMs that wait at an input
 * @in: the input
 *
 * Context: BH disabled.
 */
void cp_input_purge(struct cp_input *in)
{
	struct sk_buff *skb;

	spin_lock(&in->lock);
	while ((skb = __skb_dequeue(&in->cnms))) {
		kfree_skb(skb);
		in->control_failed++;
	}
	cp_control_update_pending(in);
	spin_unlock(&in->lock);
}

/**
 * cp_input_orphan() - the port of an input is gone
 * @in: the input
 * @occupancy: empty; gets the slots of its congestion point
 *
 * Context: BH disabled.
 */
void cp_input_orphan(struct cp_input *in, struct cp_occupancy *occupancy)
{
	spin_lock(&in->lock);
	in->sch = NULL;
	in->point.law = CP_LAW_NONE;
	cp_point_swap(&in->point, occupancy);
	spin_unlock(&in->lock);
}
