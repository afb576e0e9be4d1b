// SPDX-License-Identifier: GPL-2.0
/*
 * Control frames, PAUSE and CNMs: they are built, and wait for the port that they leave by.
 */
#include <linux/if_vlan.h>

#include "cp.h"
#include "skb_frame.h"

/* All of a frame that a CNM needs. */
#define CP_COPY_BYTES	(L2_HEADER_MAX_BYTES + L2_CNM_MSDU_MAX)
/* With tags that are not in its data. */
#define CP_COPY_MAX	(CP_COPY_BYTES + CP_TAGS_MAX * VLAN_HLEN)

/**
 * cp_control_pause() - build a PAUSE, or a PFC frame where some priorities only count
 * @in: the input that sends it
 * @xon: it ends what was paused
 *
 * Context: the input's lock; allocates atomically.
 * Return: the frame; NULL without memory.
 */
struct sk_buff *cp_control_pause(const struct cp_input *in, bool xon)
{
	u8 priorities = xon ? in->paused_cnpv : in->cnpv;
	struct l2_pause pause = {
		.is_pfc = priorities != 0xff,
		.priorities = priorities,
	};
	u8 bytes[L2_MIN_BYTES];
	u32 i;

	for (i = 0; i < L2_PRIORITIES; i++)
		pause.quanta[i] = xon ? 0 : in->quanta;
	l2_pause_put(bytes, in->mac, &pause);
	return skb_frame(bytes, sizeof(bytes), qdisc_dev(in->sch));
}

/* The first bytes of a frame, with tags that are not in its data.  Return: how many. */
static u32 cp_control_copy(const struct sk_buff *skb, const struct cp_tags *tags, u8 *bytes)
{
	u32 len = min_t(u32, skb->len, CP_COPY_BYTES);
	u8 *at = bytes;
	u32 addresses = 2 * ETH_ALEN, i;

	if (len < ETH_HLEN || skb_copy_bits(skb, 0, at, addresses))
		return 0;
	at += addresses;
	for (i = 0; i < tags->count; i++) {
		l2_put16(at, tags->tag[i].type);
		l2_put16(at + 2, tags->tag[i].tci);
		at += VLAN_HLEN;
	}
	if (skb_copy_bits(skb, addresses, at, len - addresses))
		return 0;
	return at + len - addresses - bytes;
}

/**
 * cp_control_cnm() - build the CNM for a frame
 * @culprit: the frame, of an input
 * @tags: VLAN tags that its sender uses, but for those in its data
 * @point: the congestion point
 * @mac: address of its port
 * @f: what it says
 * @no_source: set if the culprit has no sender that a CNM reaches
 *
 * Context: the input's lock; allocates atomically.
 * Return: the CNM; NULL if no sender can be reached, or without memory.
 */
struct sk_buff *cp_control_cnm(const struct sk_buff *culprit, const struct cp_tags *tags,
			       const struct cp_point *point, const u8 *mac,
			       const struct qcn_feedback *f, bool *no_source)
{
	u8 cpid[L2_CPID_BYTES] = { [L2_CPID_BYTES - 1] = point->at == CP_AT_INPUT };
	const struct l2_cnm cnm = {
		.cpid = cpid,
		.qntz_fb = f->qntz_fb,
		.q_offset = l2_cnm_units(f->q_offset_bytes),
		.q_delta = l2_cnm_units(f->q_delta_bytes),
		.priority = cp_class(culprit),
	};
	const struct cp_input *in = cp_cb(culprit)->voq->input;
	u8 copy[CP_COPY_MAX], bytes[L2_CNM_MAX_BYTES];
	size_t len = cp_control_copy(culprit, tags, copy);

	l2_put_bytes(cpid, mac, L2_ADDRESS_BYTES);
	len = l2_cnm_put(bytes, in->mac, copy, len, &cnm, point->header_octets);
	*no_source = !len;
	return len ? skb_frame(bytes, len, qdisc_dev(in->sch)) : NULL;
}

/**
 * cp_control_update_pending() - an input's control frames, or its PAUSE, changed
 * @in: the input
 *
 * Context: its lock.
 */
void cp_control_update_pending(struct cp_input *in)
{
	u8 pending = in->next_frame || !skb_queue_empty(&in->cnms) ? CP_PENDING_FRAME : 0;

	if (in->pause.paused)
		pending |= CP_PENDING_REFRESH;
	WRITE_ONCE(in->pending, pending);
}

/* Is a qdisc in use?  It is not while its device is down, or has no carrier. */
static bool cp_control_in_use(const struct Qdisc *sch)
{
	return rcu_access_pointer(sch->dev_queue->qdisc) == sch;
}

/**
 * cp_control_schedule() - have a port dequeue
 * @sch: its qdisc
 *
 * A qdisc that is not in use must not be scheduled: the code that takes it out of use
 * waits for readers after that, and then for what they have scheduled.
 *
 * Context: any but NMI; the qdisc is not freed meanwhile.
 */
void cp_control_schedule(struct Qdisc *sch)
{
	rcu_read_lock();
	if (cp_control_in_use(sch))
		__netif_schedule(sch);
	rcu_read_unlock();
}

/**
 * cp_control_kick() - have a port send what waits at its input
 * @in: the input
 *
 * Context: the input's lock.
 */
void cp_control_kick(struct cp_input *in)
{
	cp_control_update_pending(in);
	if (in->sch)
		cp_control_schedule(in->sch);
}

/**
 * cp_control_send() - have a CNM leave
 * @in: the input that it leaves by
 * @cnm: the CNM
 *
 * A port that is down sends none: what it had would be old once it is up.  The code that takes
 * its qdisc out of use resets it after that, so that none is left there.
 *
 * Context: the input's lock; the input's port is there.
 * Return: false if too many wait or the port is down; it is freed then.
 */
bool cp_control_send(struct cp_input *in, struct sk_buff *cnm)
{
	if (skb_queue_len(&in->cnms) >= CP_CNMS_MAX || !cp_control_in_use(in->sch)) {
		kfree_skb(cnm);
		return false;
	}
	__skb_queue_tail(&in->cnms, cnm);
	cp_control_kick(in);
	return true;
}
