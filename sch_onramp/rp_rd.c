// SPDX-License-Identifier: GPL-2.0
/*
 * FECN's rate discovery (RD) frames: those that a flow sends, their answers, and those of others,
 * which are reflected.
 *
 * An RD leaves ahead of a packet of its flow, so there is no timer.  An answer is accepted by the
 * number of its reaction point and a random nonce.  One frame is sent for each that is reflected,
 * of the same length, to its source address, and not more than a limit in a second.
 */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>
#include <linux/netfilter.h>
#include <linux/random.h>

#include "sch_onramp.h"
#include "rp_trace.h"
#include "skb_frame.h"

/* A flow sends so much for each RD, of which 84 bytes on the wire are 2 %. */
#define ONRAMPQ_RD_BYTES	4200U
/* So many may be reflected at once. */
#define ONRAMPQ_RD_BURST	1024U

/* A rate changed. */
static void onrampq_rd_rate(struct onrampq_rp *rp, struct onrampq_point *point,
			    enum onrampq_rp_cause cause)
{
	point->vars.cur_bps = point->fecn.cur_kbps * 1000ULL;
	trace_onramp_rp_rate(rp->sch, point - rp->point + 1, &point->vars, cause, 0);
}

void onrampq_rd_start(struct onrampq_rp *rp, struct onrampq_point *point)
{
	fecn_rp_start(&rp->conf.fecn, &point->fecn);
	point->vars.cur_bps = point->fecn.cur_kbps * 1000ULL;
	/* It sent enough before. */
	point->since_bytes = ONRAMPQ_RD_BYTES;
}

/* The tag of a packet that is not in its data. */
static void onrampq_rd_copy_tag(struct sk_buff *rd, const struct sk_buff *skb)
{
	if (skb_vlan_tag_present(skb))
		__vlan_hwaccel_put_tag(rd, skb->vlan_proto, skb_vlan_tag_get(skb));
}

/* An RD of a packet's flow. */
static struct sk_buff *onrampq_rd_build(struct onrampq_rp *rp, const struct sk_buff *skb,
					const struct fecn_rd *rd)
{
	u8 head[L2_HEADER_MAX_BYTES], bytes[FECN_RD_MAX_BYTES];
	u32 len = min_t(u32, skb->len, sizeof(head));
	struct sk_buff *frame;

	if (skb_copy_bits(skb, 0, head, len))
		return NULL;
	len = fecn_rd_put(bytes, head, len, rd);
	frame = len ? skb_frame(bytes, len, qdisc_dev(rp->sch)) : NULL;
	if (!frame)
		return NULL;
	onrampq_rd_copy_tag(frame, skb);
	frame->priority = skb->priority;
	skb_set_queue_mapping(frame, skb_get_queue_mapping(skb));
	return frame;
}

void onrampq_rd_sent(struct onrampq_rp *rp, struct onrampq_point *point,
		     const struct sk_buff *skb, u64 now)
{
	struct fecn_rd rd = { .index = point - rp->point + 1, .tx_ns = now,
			      .kbps = FECN_RP_KBPS_NONE };

	if (point->since_bytes < ONRAMPQ_RD_BYTES || WARN_ON_ONCE(rp->rd) ||
	    !fecn_rp_is_due(&rp->conf.fecn, &point->fecn, now))
		return;
	rd.nonce = get_random_u32();
	rp->rd = onrampq_rd_build(rp, skb, &rd);
	if (!rp->rd) {
		rp->count.rds_failed++;
		return;
	}
	point->since_bytes = 0;
	point->rds++;
	rp->count.rds++;
	if (!fecn_rp_on_sent(&rp->conf.fecn, &point->fecn, rd.nonce, now))
		return;
	rp->count.rds_unanswered++;
	onrampq_rd_rate(rp, point, ONRAMPQ_RP_UNANSWERED);
}

void onrampq_rd_hot(struct onrampq_rp *rp, struct onrampq_point *point, u64 now)
{
	if (!fecn_rp_on_hot(&rp->conf.fecn, &point->fecn, now)) {
		rp->count.cnms_early++;
		return;
	}
	rp->law.cnms++;
	point->cnms++;
	rp->count.rds_hot++;
	onrampq_rd_rate(rp, point, ONRAMPQ_RP_HOT);
}

/* Return: false if no RD of these reaction points has this answer. */
static bool onrampq_rd_answer(struct onrampq_rp *rp, const struct fecn_rd *rd, u64 now)
{
	struct onrampq_point *point;

	if (!rd->index || rd->index > rp->max)
		return false;
	point = &rp->point[rd->index - 1];
	if (!point->id)
		return false;
	switch (fecn_rp_on_answer(&rp->conf.fecn, &point->fecn, rd->nonce, rd->kbps, now)) {
	case FECN_RP_UNKNOWN:
		return false;
	case FECN_RP_TAKEN:
		break;
	default:
		rp->count.rds_late++;
		return true;
	}
	rp->count.rds_answered++;
	point->rds_answered++;
	point->hops = rd->hops;
	point->hop_bytes = rd->q_bytes;
	memcpy(point->hop, rd->cpid, sizeof(point->hop));
	onrampq_rd_rate(rp, point, ONRAMPQ_RP_ANSWER);
	return true;
}

/* May one more be reflected? */
static bool onrampq_rd_is_allowed(struct onrampq_rp *rp, u64 now)
{
	u64 next_ns = max(rp->reflected_ns, now);

	if (!rp->conf.reflect_ns || next_ns - now > ONRAMPQ_RD_BURST * (u64)rp->conf.reflect_ns) {
		rp->count.rds_limited++;
		return false;
	}
	rp->reflected_ns = next_ns + rp->conf.reflect_ns;
	return true;
}

/* Send an RD of another back, of which that many bytes are known. */
static void onrampq_rd_reflect(struct onrampq_rp *rp, const struct sk_buff *skb, u8 *bytes,
			       u32 body)
{
	struct sk_buff *back;

	fecn_rd_reflect(bytes, body);
	back = skb_frame(bytes, body + FECN_RD_BYTES, qdisc_dev(rp->sch));
	spin_lock(&rp->lock);
	if (back)
		rp->count.rds_reflected++;
	else
		rp->count.rds_failed++;
	spin_unlock(&rp->lock);
	if (!back)
		return;
	onrampq_rd_copy_tag(back, skb);
	/* It may be queued by this qdisc, whose lock is not held. */
	dev_queue_xmit(back);
}

/* Return: NF_ACCEPT, or NF_DROP, with where its RD begins if it is to be reflected. */
static unsigned int onrampq_rd_judge(struct onrampq_rp *rp, const u8 *bytes, u32 len,
				     u32 *reflected)
{
	const u8 *own = qdisc_dev(rp->sch)->dev_addr;
	u64 now = onrampq_now(rp->sch);
	struct fecn_rd rd;
	u32 body;

	*reflected = 0;
	switch (fecn_rd_parse(bytes, len, &rd, &body)) {
	case L2_OK:
		break;
	case L2_OTHER:
		return NF_ACCEPT;
	default:
		rp->count.rds_bad++;
		return NF_DROP;
	}
	if (rd.is_back) {
		if (onrampq_rd_answer(rp, &rd, now))
			return NF_DROP;
		rp->count.rds_unknown++;
		return NF_ACCEPT;
	}
	if (!ether_addr_equal(bytes + ETH_ALEN, own) && onrampq_rd_is_allowed(rp, now))
		*reflected = body;
	return NF_DROP;
}

unsigned int onrampq_rd_receive(struct onrampq_rp *rp, const struct sk_buff *skb)
{
	u32 body, len = min_t(u32, skb->len, FECN_RD_MAX_BYTES - ETH_HLEN);
	u8 bytes[FECN_RD_MAX_BYTES];
	unsigned int verdict;

	if (!ether_addr_equal(eth_hdr(skb)->h_dest, qdisc_dev(rp->sch)->dev_addr))
		return NF_ACCEPT;
	memcpy(bytes, skb_mac_header(skb), ETH_HLEN);
	if (skb_copy_bits(skb, 0, bytes + ETH_HLEN, len))
		return NF_DROP;
	spin_lock(&rp->lock);
	verdict = onrampq_rd_judge(rp, bytes, ETH_HLEN + len, &body);
	spin_unlock(&rp->lock);
	if (body)
		onrampq_rd_reflect(rp, skb, bytes, body);
	return verdict;
}
