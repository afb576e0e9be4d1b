// SPDX-License-Identifier: GPL-2.0
/*
 * Congestion points: is there congestion, whose frame is it, and how is its sender notified?
 */
#include <linux/mm.h>
#include <linux/random.h>

#include "cp.h"
#include "cp_trace.h"
#include "skb_ecn.h"

static u32 cp_slot(const struct cp_point *point, const struct sk_buff *skb)
{
	return point->at == CP_AT_INPUT ? cp_cb(skb)->slot_in : cp_cb(skb)->slot_out;
}

static void cp_slot_set(const struct cp_point *point, struct sk_buff *skb, u32 slot)
{
	if (point->at == CP_AT_INPUT)
		cp_cb(skb)->slot_in = slot;
	else
		cp_cb(skb)->slot_out = slot;
}

/**
 * cp_point_add() - a frame counts in a congestion point's queue
 * @point: the congestion point
 * @skb: the frame; it gets a slot if there is one free
 *
 * Context: the point's lock.
 */
void cp_point_add(struct cp_point *point, struct sk_buff *skb)
{
	u32 hash, slot = CP_NO_SLOT;

	if (unlikely(point->sampling)) {
		hash = point->sample == CP_SAMPLE_LARGEST ? skb_get_hash(skb) : 0;
		slot = cp_occupancy_add(&point->occupancy, skb, qdisc_pkt_len(skb), hash);
	}
	cp_slot_set(point, skb, slot);
}

/**
 * cp_point_remove() - a frame loses its slot, if it has one
 * @point: the congestion point
 * @skb: the frame, which counts there
 *
 * Context: the point's lock.
 */
void cp_point_remove(struct cp_point *point, struct sk_buff *skb)
{
	u32 slot = cp_slot(point, skb);
	struct sk_buff *moved;

	if (likely(!cp_occupancy_has(&point->occupancy, slot, skb)))
		return;
	moved = cp_occupancy_remove(&point->occupancy, slot);
	if (moved)
		cp_slot_set(point, moved, slot);
	cp_slot_set(point, skb, CP_NO_SLOT);
}

/* Is there congestion of which a sender is to be notified? */
static bool cp_point_verdict(struct cp_point *point, u32 q_bytes, u32 len,
			     struct qcn_feedback *f)
{
	struct qcn_cp_frame x = { .q_bytes = q_bytes, .len = len };
	s64 sample_bytes = point->vars.sample_bytes;

	if (point->law == CP_LAW_STEP)
		return cp_step_on_arrival(point->k_bytes, q_bytes);
	if (unlikely(sample_bytes < len && point->qcn.sample_table))
		x.random = get_random_u32();
	*f = qcn_cp_on_arrival(&point->qcn, &point->vars, &x);
	if (unlikely(sample_bytes < len))
		point->qntz_fb = f->qntz_fb;
	return f->qntz_fb;
}

/* The one that arrives if none has a slot: they came before sample was changed. */
static struct sk_buff *cp_point_culprit(struct cp_point *point, struct sk_buff *skb)
{
	u32 slot = CP_NO_SLOT;

	if (point->sample == CP_SAMPLE_RANDOM)
		slot = cp_occupancy_random(&point->occupancy, get_random_u32());
	else if (point->sample == CP_SAMPLE_LARGEST)
		slot = cp_occupancy_largest(&point->occupancy);
	return slot == CP_NO_SLOT ? skb : point->occupancy.slots[slot].frame;
}

static void cp_point_mark(struct cp_point *point, struct cp_voq *voq, struct sk_buff *culprit)
{
	enum skb_ecn ecn = skb_ecn_read(culprit);

	if (ecn == SKB_ECN_CE) {
		point->stats.ce_seen++;
	} else if (!(ecn & SKB_ECN_ECT)) {
		point->stats.nonect_seen++;
	} else if (!skb_ecn_set_ce(culprit)) {
		point->stats.mark_failed++;
	} else {
		point->stats.marks++;
		voq->marks++;
	}
}

/* A frame that was routed here, and not bridged, does not have its sender's address. */
static bool cp_point_routed(const struct cp_voq *voq, const struct sk_buff *culprit)
{
	const struct net_device *dev = qdisc_dev(voq->port->sch);

	/* While the address is changed a CNM may be sent for a frame that has the old one. */
	return data_race(ether_addr_equal(eth_hdr(culprit)->h_source, dev->dev_addr));
}

static void cp_point_notify(struct cp_point *point, struct cp_voq *voq, const u8 *mac,
			    struct sk_buff *culprit, const struct qcn_feedback *f)
{
	struct cp_input *in = voq->input;
	struct cp_tags tags;
	struct sk_buff *cnm;
	bool no_source;

	if (!in || !in->sch) {
		point->stats.no_source++;
		return;
	}
	if (cp_point_routed(voq, culprit)) {
		point->stats.not_bridged++;
		return;
	}
	if (!cp_vlan_tags(qdisc_dev(voq->port->sch), culprit, &tags)) {
		point->stats.no_vlan++;
		return;
	}
	cnm = cp_control_cnm(culprit, &tags, point, mac, f, &no_source);
	if (no_source) {
		point->stats.no_source++;
	} else if (!cnm || !cp_control_send(in, cnm)) {
		point->stats.control_failed++;
	} else {
		point->stats.cnms++;
		voq->cnms++;
	}
}

/* Under the lock of the input that the culprit came by, if there is one. */
static void cp_point_signal(struct cp_point *point, const u8 *mac, struct sk_buff *culprit,
			    u32 q_bytes, const struct qcn_feedback *f)
{
	struct cp_voq *voq = cp_cb(culprit)->voq;

	voq->culprits++;
	trace_cp_culprit(voq->port->sch, culprit, voq->input ? voq->input->ifindex : 0,
			 point->at, point->signal, q_bytes, f->qntz_fb);
	if (point->signal == CP_SIGNAL_ECN)
		cp_point_mark(point, voq, culprit);
	else
		cp_point_notify(point, voq, mac, culprit, f);
}

/**
 * cp_point_sample_input() - a frame came to an input's congestion point
 * @in: the input
 * @skb: the frame, which has its slot
 *
 * Context: the input's lock.
 */
void cp_point_sample_input(struct cp_input *in, struct sk_buff *skb)
{
	struct cp_point *point = &in->point;
	struct qcn_feedback f = {};

	if (!cp_point_verdict(point, in->bytes, qdisc_pkt_len(skb), &f))
		return;
	point->stats.verdicts++;
	cp_point_signal(point, in->mac, cp_point_culprit(point, skb), in->bytes, &f);
}

/**
 * cp_point_sample_output() - a frame came to an output's congestion point
 * @q: the output
 * @skb: the frame, which has its slot
 *
 * Context: root lock, no input's lock.
 */
void cp_point_sample_output(struct cp_port *q, struct sk_buff *skb)
{
	struct cp_point *point = &q->point;
	struct qcn_feedback f = {};
	struct sk_buff *culprit;
	struct cp_input *in;

	if (!cp_point_verdict(point, q->counted, qdisc_pkt_len(skb), &f))
		return;
	point->stats.verdicts++;
	culprit = cp_point_culprit(point, skb);
	in = cp_cb(culprit)->voq->input;
	if (in) {
		spin_lock(&in->lock);
		cp_point_signal(point, q->mac, culprit, q->counted, &f);
		spin_unlock(&in->lock);
	} else {
		cp_point_signal(point, q->mac, culprit, q->counted, &f);
	}
}

/* Looks the congestion point of that side for culprits?  Law fecn does for hot spots only. */
static bool cp_point_is_at(const struct cp_settings *s, u8 at)
{
	u64 law = s->value[CP_P_LAW];

	return (cp_law_names_culprit(law) || s->value[CP_P_HOT]) && s->value[CP_P_AT] == at;
}

/* How many slots a congestion point needs; 0 if it does not sample its queue. */
static u32 cp_point_slots(const struct cp_settings *s, u8 at)
{
	u32 bytes = s->value[at == CP_AT_INPUT ? CP_P_BUFFER : CP_P_LIMIT];

	if (!cp_point_is_at(s, at) || s->value[CP_P_SAMPLE] == CP_SAMPLE_ARRIVAL)
		return 0;
	return min_t(u32, bytes / L2_MIN_BYTES + 1, CP_SLOTS_MAX);
}

/**
 * cp_point_resamples() - do new settings need other slots?
 * @was: settings in force
 * @s: new ones
 * @at: CP_AT_*, the congestion point's side
 *
 * Return: true if they do.
 */
bool cp_point_resamples(const struct cp_settings *was, const struct cp_settings *s, u8 at)
{
	u32 slots = cp_point_slots(s, at);

	return slots != cp_point_slots(was, at) ||
	       (slots && s->value[CP_P_SAMPLE] != was->value[CP_P_SAMPLE]);
}

/**
 * cp_point_alloc() - memory of slots
 * @occupancy: gets it
 * @s: settings
 * @at: CP_AT_*, the congestion point's side
 *
 * Context: may sleep.
 * Return: 0 or -ENOMEM.
 */
int cp_point_alloc(struct cp_occupancy *occupancy, const struct cp_settings *s, u8 at)
{
	u32 slots = cp_point_slots(s, at);
	bool complete;

	*occupancy = (struct cp_occupancy){ .size = slots };
	if (!slots)
		return 0;
	occupancy->slots = kvmalloc_array(slots, sizeof(*occupancy->slots), GFP_KERNEL_ACCOUNT);
	if (s->value[CP_P_SAMPLE] == CP_SAMPLE_RANDOM) {
		occupancy->sums = kvzalloc(struct_size(occupancy->sums, block, cp_blocks(slots)),
					   GFP_KERNEL_ACCOUNT);
		complete = occupancy->sums;
	} else {
		occupancy->links = kvmalloc_array(slots, sizeof(*occupancy->links),
						  GFP_KERNEL_ACCOUNT);
		occupancy->flows = kvmalloc(sizeof(*occupancy->flows), GFP_KERNEL_ACCOUNT);
		complete = occupancy->links && occupancy->flows;
		if (complete)
			cp_flows_init(occupancy->flows);
	}
	if (occupancy->slots && complete)
		return 0;
	cp_point_free(occupancy);
	return -ENOMEM;
}

/**
 * cp_point_free() - give up memory of slots
 * @occupancy: what has it; no congestion point uses it
 *
 * Context: may sleep.
 */
void cp_point_free(struct cp_occupancy *occupancy)
{
	kvfree(occupancy->slots);
	kvfree(occupancy->sums);
	kvfree(occupancy->links);
	kvfree(occupancy->flows);
	*occupancy = (struct cp_occupancy){};
}

/**
 * cp_point_swap() - have a congestion point use other slots
 * @point: the congestion point
 * @occupancy: the slots, all free; those that were in use are here afterwards
 *
 * Frames that wait have no slot then: one whose slot is not its own has none.  So this takes
 * the same time whatever waits.
 *
 * Context: the point's lock.
 */
void cp_point_swap(struct cp_point *point, struct cp_occupancy *occupancy)
{
	swap(point->occupancy, *occupancy);
	point->sampling = point->occupancy.size;
}

/**
 * cp_point_set() - put a congestion point in force
 * @point: the congestion point; cp_point_swap() gave it its slots
 * @s: settings
 * @at: CP_AT_*, its side
 *
 * Context: the point's lock.
 */
void cp_point_set(struct cp_point *point, const struct cp_settings *s, u8 at)
{
	point->at = at;
	point->sample = s->value[CP_P_SAMPLE];
	point->signal = s->value[CP_P_SIGNAL];
	point->header_octets = s->value[CP_P_HEADER_OCTETS];
	point->k_bytes = s->value[CP_P_K];
	if (s->value[CP_P_HOT])
		cp_hot_params_make(s, &point->qcn);
	else
		cp_qcn_params_make(s, &point->qcn);
	point->law = cp_point_is_at(s, at) ? s->value[CP_P_LAW] : CP_LAW_NONE;
	if (point->law == CP_LAW_NONE)
		point->vars = (struct qcn_cp_vars){};
	point->vars.sample_bytes = min_t(s64, point->vars.sample_bytes,
					 s->value[CP_P_SAMPLE_BASE]);
}
