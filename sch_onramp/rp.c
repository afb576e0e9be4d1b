// SPDX-License-Identifier: GPL-2.0
/*
 * Reaction points: the flows, the CNMs that are accepted, and the flows that have one.
 * FECN's part of them is in rp_rd.c.
 *
 * 802.1Qau knows no authentication.  A CNM is accepted if it is to the device's own address,
 * about a flow that was sent here lately, and that sent enough since the last one.
 */
#include <linux/etherdevice.h>
#include <linux/if_arp.h>
#include <linux/mm.h>
#include <linux/netfilter_netdev.h>
#include <linux/random.h>
#include <linux/rtnetlink.h>

#include "sch_onramp.h"
#include "rp_trace.h"

/* Entries of flows that were sent lately: of 4 of them, 16 bytes each. */
#define ONRAMPQ_RP_FLOWS_LOG	11
/* A tick of these entries is 2^20 ns. */
#define ONRAMPQ_RP_TICK_LOG	20
/* How long a flow that was sent is one that was lately: 100 ms. */
#define ONRAMPQ_RP_RECENT	(100000000U >> ONRAMPQ_RP_TICK_LOG)
/* A flow of FECN's that sent nothing for so long has no reaction point any more. */
#define ONRAMPQ_RP_IDLE_NS	NSEC_PER_SEC
/* Reaction points that a CNM looks at for one that has ended. */
#define ONRAMPQ_RP_LOOKS	64U
/* A flow of FECN's has a reaction point once it sent so much. */
#define ONRAMPQ_RP_FLOW_BYTES	4200U
/* At most one CNM counts for so many bytes that the flow sent. */
#define ONRAMPQ_RP_CNM_BYTES	15000U

static u32 onrampq_rp_tick(u64 now)
{
	return now >> ONRAMPQ_RP_TICK_LOG;
}

/* The first bytes of a packet that leaves; RDs have no flow. */
static bool onrampq_rp_flow(const struct sk_buff *skb, struct l2_flow *flow)
{
	u8 copy[L2_FLOW_BYTES];
	u32 len = skb->len;

	if (unlikely(skb->protocol == htons(FECN_RD_TYPE)))
		return false;

	if (likely(skb_headlen(skb) == len || skb_headlen(skb) >= L2_FLOW_BYTES))
		return l2_flow_of_frame(skb->data, skb_headlen(skb), flow);
	len = min_t(u32, len, sizeof(copy));
	return !skb_copy_bits(skb, 0, copy, len) && l2_flow_of_frame(copy, len, flow);
}

static u64 onrampq_rp_hash(const struct onrampq_rp *rp, const struct l2_flow *flow)
{
	return siphash(flow, sizeof(*flow), &rp->key);
}

static struct qcn_flow *onrampq_rp_bucket(struct onrampq_rp *rp, u64 hash)
{
	return qcn_flows_bucket(rp->flows, ONRAMPQ_RP_FLOWS_LOG, hash);
}

/* The reaction point that an entry names, if that is still its. */
static struct onrampq_point *onrampq_rp_point(struct onrampq_rp *rp, const struct qcn_flow *f)
{
	struct onrampq_point *point;

	if (likely(!f->point))
		return NULL;
	point = &rp->point[f->point % rp->max];
	return point->id == f->point ? point : NULL;
}

static void onrampq_rp_trace(const struct onrampq_rp *rp, const struct onrampq_point *point,
			     enum onrampq_rp_cause cause, u32 qntz_fb)
{
	trace_onramp_rp_rate(rp->sch, point - rp->point + 1, &point->vars, cause, qntz_fb);
}

static void onrampq_rp_release(struct onrampq_rp *rp, struct onrampq_point *point)
{
	qcn_rp_release(&point->vars);
	onrampq_rp_trace(rp, point, ONRAMPQ_RP_RELEASED, 0);
	point->id = 0;
	point->free = rp->free;
	rp->free = point - rp->point;
	rp->used--;
	rp->count.rp_released++;
}

/* Bring a reaction point up to date. */
static void onrampq_rp_advance(struct onrampq_rp *rp, struct onrampq_point *point, u64 now)
{
	u64 was_bps = point->vars.cur_bps;

	if (rp->kind == ONRAMP_RP_FECN)
		return;
	qcn_rp_advance(&rp->conf.qcn, &point->vars, &rp->law, now);
	if (point->vars.cur_bps != was_bps)
		onrampq_rp_trace(rp, point, ONRAMPQ_RP_TIMER, 0);
}

/* Is a flow back at its highest rate, or, of FECN's, not sent any more? */
static bool onrampq_rp_is_over(const struct onrampq_rp *rp, const struct onrampq_point *point,
			       u64 now)
{
	if (rp->kind == ONRAMP_RP_FECN)
		return now > point->vars.sent_ns + ONRAMPQ_RP_IDLE_NS;
	return qcn_rp_is_recovered(&rp->conf.qcn, &point->vars);
}

/* One that is over, and for which nothing waits, ends. */
static void onrampq_rp_look(struct onrampq_rp *rp, struct onrampq_point *point, u64 now)
{
	/* If it is not in use, queued has another meaning. */
	if (!point->id || point->queued)
		return;
	onrampq_rp_advance(rp, point, now);
	if (onrampq_rp_is_over(rp, point, now))
		onrampq_rp_release(rp, point);
}

bool onrampq_rp_read(struct onrampq_rp *rp, u32 minor, u64 now, struct onrampq_point *copy)
{
	struct onrampq_point *point = &rp->point[minor - 1];

	spin_lock_bh(&rp->lock);
	onrampq_rp_look(rp, point, now);
	if (point->id)
		onrampq_rp_advance(rp, point, now);
	*copy = *point;
	spin_unlock_bh(&rp->lock);
	return copy->id;
}

/* Each packet looks at one, so that none stays for long whose flow has ended. */
static void onrampq_rp_sweep(struct onrampq_rp *rp, u64 now)
{
	if (likely(!rp->used))
		return;
	onrampq_rp_look(rp, &rp->point[rp->next], now);
	if (++rp->next == rp->max)
		rp->next = 0;
}

/* A CNM without a free one looks at several, so that its cost is bounded. */
static struct onrampq_point *onrampq_rp_free(struct onrampq_rp *rp, u64 now)
{
	struct onrampq_point *point;
	u32 looks;

	for (looks = 0; rp->free == rp->max && looks < ONRAMPQ_RP_LOOKS; looks++)
		onrampq_rp_sweep(rp, now);
	if (rp->free == rp->max)
		return NULL;
	point = &rp->point[rp->free];
	rp->free = point->free;
	rp->used++;
	return point;
}

/* A flow without a reaction point gets one; if all are in use it shares one. */
static struct onrampq_point *onrampq_rp_take(struct onrampq_rp *rp, struct qcn_flow *f,
					     const struct l2_flow *flow, u64 hash, u64 now)
{
	struct onrampq_point *point = onrampq_rp_free(rp, now);

	if (unlikely(!point)) {
		point = &rp->point[reciprocal_scale(hash, rp->max)];
		point->shared++;
		rp->count.rp_shared++;
	} else {
		rp->last_id = qcn_flow_point_id(rp->last_id, rp->max, point - rp->point);
		*point = (struct onrampq_point){ .flow = *flow, .id = rp->last_id };
	}
	f->point = point->id;
	return point;
}

/* A flow of FECN's gets a reaction point once it sent more than a little. */
static struct onrampq_point *onrampq_rp_admit(struct onrampq_rp *rp, struct qcn_flow *f,
					      const struct l2_flow *flow, u32 len, u64 hash,
					      u64 now)
{
	struct onrampq_point *point;

	if (rp->kind != ONRAMP_RP_FECN || !l2_is_station(flow->da))
		return NULL;
	f->bytes += min(len, ONRAMPQ_RP_FLOW_BYTES);
	if (f->bytes < ONRAMPQ_RP_FLOW_BYTES)
		return NULL;
	f->bytes = 0;
	point = onrampq_rp_take(rp, f, flow, hash, now);
	if (!qcn_rp_is_limited(&point->vars))
		onrampq_rd_start(rp, point);
	return point;
}

u16 onrampq_rp_packet(struct onrampq_rp *rp, const struct sk_buff *skb, u64 now)
{
	struct onrampq_point *point;
	struct l2_flow flow;
	struct qcn_flow *f;
	u16 number = 0;
	u64 hash;

	if (!onrampq_rp_flow(skb, &flow))
		return 0;
	hash = onrampq_rp_hash(rp, &flow);
	spin_lock(&rp->lock);
	onrampq_rp_sweep(rp, now);
	f = qcn_flows_sent(onrampq_rp_bucket(rp, hash), qcn_flow_tag(hash), onrampq_rp_tick(now));
	point = onrampq_rp_point(rp, f);
	if (likely(!point)) {
		f->point = 0;
		point = onrampq_rp_admit(rp, f, &flow, qdisc_pkt_len(skb), hash, now);
	}
	if (unlikely(point)) {
		point->queued++;
		number = point - rp->point + 1;
	}
	spin_unlock(&rp->lock);
	return number;
}

u64 onrampq_rp_next(struct onrampq_rp *rp, u16 number, u64 now)
{
	struct onrampq_point *point = &rp->point[number - 1];
	u64 next_ns;

	spin_lock(&rp->lock);
	onrampq_rp_advance(rp, point, now);
	next_ns = qcn_rp_next_ns(&point->vars);
	/* The timer raises the rate, or an answer does, of which there may be one each period. */
	if (next_ns > now)
		next_ns = min(next_ns, rp->kind == ONRAMP_RP_FECN ?
			      now + rp->conf.fecn.period_ns : point->vars.time_up_ns);
	spin_unlock(&rp->lock);
	return next_ns;
}

static u32 onrampq_rp_segments(const struct sk_buff *skb)
{
	return skb_is_gso(skb) ? max_t(u32, skb_shinfo(skb)->gso_segs, 1) : 1;
}

static void onrampq_rp_charge(struct onrampq_rp *rp, struct onrampq_point *point,
			      const struct sk_buff *skb, u64 now)
{
	u32 len = qdisc_pkt_len(skb), segments = onrampq_rp_segments(skb);
	u64 was_bps;

	if (rp->kind == ONRAMP_RP_FECN) {
		qcn_rp_pace(&rp->conf.qcn, &point->vars, len, segments, now);
		onrampq_rd_sent(rp, point, skb, now);
		return;
	}
	onrampq_rp_advance(rp, point, now);
	was_bps = point->vars.cur_bps;
	qcn_rp_on_send(&rp->conf.qcn, &point->vars, &rp->law, len, segments, now);
	if (point->vars.cur_bps != was_bps)
		onrampq_rp_trace(rp, point, ONRAMPQ_RP_BYTES, 0);
}

void onrampq_rp_sent(struct onrampq_rp *rp, u16 number, const struct sk_buff *skb, u64 now)
{
	struct onrampq_point *point = &rp->point[number - 1];

	spin_lock(&rp->lock);
	onrampq_rp_charge(rp, point, skb, now);
	point->since_bytes += qdisc_pkt_len(skb);
	point->tx_bytes += qdisc_pkt_len(skb);
	point->tx_packets++;
	point->queued--;
	spin_unlock(&rp->lock);
}

void onrampq_rp_dropped(struct onrampq_rp *rp, u16 number)
{
	spin_lock(&rp->lock);
	rp->point[number - 1].queued--;
	spin_unlock(&rp->lock);
}

/* A CNM about a flow.  Return: false if it is not one that was sent here lately. */
static bool onrampq_rp_on_cnm(struct onrampq_rp *rp, const struct l2_flow *flow, u32 qntz_fb,
			      u64 now)
{
	u64 hash = onrampq_rp_hash(rp, flow);
	struct onrampq_point *point;
	struct qcn_flow *f;

	f = qcn_flows_find(onrampq_rp_bucket(rp, hash), qcn_flow_tag(hash));
	if (!f)
		return false;
	point = onrampq_rp_point(rp, f);
	if (rp->kind == ONRAMP_RP_FECN) {
		if (point && rp->conf.hot)
			onrampq_rd_hot(rp, point, now);
		return point && rp->conf.hot;
	}
	if (!point && !qcn_flow_is_recent(f, onrampq_rp_tick(now), ONRAMPQ_RP_RECENT))
		return false;
	if (!point)
		point = onrampq_rp_take(rp, f, flow, hash, now);
	if (qcn_rp_is_limited(&point->vars) && point->since_bytes < ONRAMPQ_RP_CNM_BYTES) {
		rp->count.cnms_early++;
		return true;
	}
	onrampq_rp_advance(rp, point, now);
	qcn_rp_on_cnm(&rp->conf.qcn, &point->vars, &rp->law, qntz_fb, now);
	point->since_bytes = 0;
	point->cnms++;
	onrampq_rp_trace(rp, point, ONRAMPQ_RP_CNM, qntz_fb);
	return true;
}

static void onrampq_rp_count(struct onrampq_rp *rp, u64 *counter)
{
	spin_lock(&rp->lock);
	(*counter)++;
	spin_unlock(&rp->lock);
}

/* Are CNMs of that sender accepted? */
static bool onrampq_rp_accepts(struct onrampq_rp *rp, const struct sk_buff *skb)
{
	u64 sender = ether_addr_to_u64(eth_hdr(skb)->h_source);
	bool found;
	u32 i;

	spin_lock(&rp->lock);
	found = !rp->nr_from;
	for (i = 0; i < rp->nr_from && !found; i++)
		found = rp->from[i] == sender;
	spin_unlock(&rp->lock);
	return found;
}

/* The VLAN tag of a received frame is kept separately. */
static unsigned int onrampq_rp_receive(struct onrampq_rp *rp, const struct sk_buff *skb)
{
	u32 len = min_t(u32, skb->len, L2_CNM_MAX_BYTES - ETH_HLEN);
	const struct net_device *dev = qdisc_dev(rp->sch);
	u8 bytes[L2_CNM_MAX_BYTES];
	struct l2_flow flow;
	struct l2_header h;
	struct l2_cnm cnm;
	bool known;

	if (!ether_addr_equal(eth_hdr(skb)->h_dest, dev->dev_addr)) {
		onrampq_rp_count(rp, &rp->count.cnms_foreign);
		return NF_ACCEPT;
	}
	if (!onrampq_rp_accepts(rp, skb)) {
		onrampq_rp_count(rp, &rp->count.cnms_refused);
		return NF_ACCEPT;
	}
	memcpy(bytes, skb_mac_header(skb), ETH_HLEN);
	if (skb_copy_bits(skb, 0, bytes + ETH_HLEN, len) ||
	    l2_cnm_parse(bytes, ETH_HLEN + len, &h, &cnm)) {
		onrampq_rp_count(rp, &rp->count.cnms_bad);
		return NF_DROP;
	}
	known = l2_flow_parse(cnm.msdu, cnm.msdu_bytes, cnm.da, &flow);
	spin_lock(&rp->lock);
	known = known && onrampq_rp_on_cnm(rp, &flow, cnm.qntz_fb, onrampq_now(rp->sch));
	if (!known)
		rp->count.cnms_unknown++;
	spin_unlock(&rp->lock);
	return known ? NF_DROP : NF_ACCEPT;
}

/* Which frames are these reaction points'? */
static bool onrampq_rp_receives(const struct onrampq_rp *rp, __be16 type)
{
	return type == htons(L2_TYPE_CNM) ||
	       (type == htons(FECN_RD_TYPE) && rp->kind == ONRAMP_RP_FECN);
}

static unsigned int onrampq_rp_ingress(void *priv, struct sk_buff *skb,
				       const struct nf_hook_state *state)
{
	struct onrampq_rp *rp = priv;
	unsigned int verdict;

	if (likely(!onrampq_rp_receives(rp, skb->protocol)))
		return NF_ACCEPT;
	/* A packet that waited in a queue of netfilter's comes in a process. */
	local_bh_disable();
	verdict = skb->protocol == htons(L2_TYPE_CNM) ? onrampq_rp_receive(rp, skb) :
							onrampq_rd_receive(rp, skb);
	local_bh_enable();
	return verdict;
}

/* A rate at which flows start: the device's speed, if nobody gave another. */
static u64 onrampq_rp_max_bps(struct net_device *dev, const struct onramp_settings *s)
{
	const struct param_info *info = onramp_param_info(ONRAMP_P_RP_MAX_RATE_BPS);
	struct ethtool_link_ksettings link = {};
	u64 bps = s->value[ONRAMP_P_RP_MAX_RATE_BPS];

	if (!(s->given & ONRAMP_BIT(RP_MAX_RATE_BPS)) && !compat_link_settings(dev, &link) &&
	    (s32)link.base.speed > 0)
		bps = clamp_t(u64, link.base.speed * 1000000ULL, info->least, info->most);
	return max(bps, s->value[ONRAMP_P_RP_MIN_RATE_BPS]);
}

void onrampq_rp_conf(struct Qdisc *sch, const struct onramp_settings *s,
		     struct onrampq_rp_conf *conf)
{
	u32 reflect = s->value[ONRAMP_P_RD_REFLECT];

	/* The settings were checked. */
	onramp_settings_rp(s, &conf->qcn);
	conf->qcn.max_bps = onrampq_rp_max_bps(qdisc_dev(sch), s);
	onramp_settings_rd(s, &conf->qcn, &conf->fecn);
	conf->reflect_ns = reflect ? NSEC_PER_SEC / reflect : 0;
	conf->hot = s->value[ONRAMP_P_RD_HOT];
}

void onrampq_rp_set(struct onrampq_rp *rp, const struct onrampq_rp_conf *conf,
		    const struct onramp_settings *s)
{
	u32 i;

	spin_lock_bh(&rp->lock);
	rp->conf = *conf;
	rp->nr_from = 0;
	for (i = 0; i < ONRAMP_CNM_FROM; i++)
		if (s->value[ONRAMP_P_CNM_FROM0 + i])
			rp->from[rp->nr_from++] = s->value[ONRAMP_P_CNM_FROM0 + i];
	spin_unlock_bh(&rp->lock);
}

void onrampq_rp_reset(struct onrampq_rp *rp)
{
	struct onrampq_point *point;

	spin_lock_bh(&rp->lock);
	for (point = rp->point; point < rp->point + rp->max; point++)
		if (point->id)
			onrampq_rp_release(rp, point);
	spin_unlock_bh(&rp->lock);
}

static int onrampq_rp_hook(struct onrampq_rp *rp, struct netlink_ext_ack *extack)
{
	struct net_device *dev = qdisc_dev(rp->sch);
	int err;

	rp->hook = (struct nf_hook_ops){
		.hook = onrampq_rp_ingress,
		.dev = dev,
		.priv = rp,
		.pf = NFPROTO_NETDEV,
		.hooknum = NF_NETDEV_INGRESS,
		.priority = INT_MIN,
	};
	err = compat_ingress_hook(dev_net(dev), &rp->hook);
	if (err == -EOPNOTSUPP)
		NL_SET_ERR_MSG(extack,
			       "CNMs and RDs cannot be received: the kernel has no CONFIG_NETFILTER_INGRESS");
	return err;
}

static void onrampq_rp_free_memory(struct onrampq_rp *rp)
{
	kvfree(rp->flows);
	kvfree(rp);
}

static struct onrampq_rp *onrampq_rp_alloc(u32 max)
{
	struct onrampq_rp *rp;
	u32 i;

	rp = kvzalloc(struct_size(rp, point, max), GFP_KERNEL);
	if (!rp)
		return NULL;
	rp->flows = kvcalloc(QCN_FLOW_WAYS << ONRAMPQ_RP_FLOWS_LOG, sizeof(*rp->flows),
			     GFP_KERNEL);
	if (!rp->flows) {
		kvfree(rp);
		return NULL;
	}
	spin_lock_init(&rp->lock);
	rp->max = max;
	for (i = 0; i < max; i++)
		rp->point[i].free = i + 1;
	get_random_bytes(&rp->key, sizeof(rp->key));
	return rp;
}

struct onrampq_rp *onrampq_rp_create(struct Qdisc *sch, u8 kind, u32 max,
				     struct netlink_ext_ack *extack)
{
	struct onrampq_rp *rp;
	int err;

	if (qdisc_dev(sch)->type != ARPHRD_ETHER) {
		NL_SET_ERR_MSG(extack, "rp needs an Ethernet device");
		return ERR_PTR(-EOPNOTSUPP);
	}
	rp = onrampq_rp_alloc(max);
	if (!rp)
		return ERR_PTR(-ENOMEM);
	rp->sch = sch;
	rp->kind = kind;
	err = onrampq_rp_hook(rp, extack);
	if (!err)
		return rp;
	onrampq_rp_free_memory(rp);
	return ERR_PTR(err);
}

/*
 * Counters that outlast reaction points.  While one set of them replaces another both see CNMs and
 * RDs, so one that the first passes on may count twice.
 */
static void onrampq_rp_add(const struct onrampq_rp *rp, struct tc_onramp_xstats *st)
{
	st->cnms += rp->law.cnms;
	st->cnms_bad += rp->count.cnms_bad;
	st->cnms_foreign += rp->count.cnms_foreign;
	st->cnms_unknown += rp->count.cnms_unknown;
	st->cnms_early += rp->count.cnms_early;
	st->cnms_refused += rp->count.cnms_refused;
	st->rp_shared += rp->count.rp_shared;
	st->rp_released += rp->count.rp_released;
	st->rp_recoveries += rp->law.recoveries;
	st->rp_increases += rp->law.increases;
	st->rp_hyper_increases += rp->law.hyper_increases;
	st->rds += rp->count.rds;
	st->rds_answered += rp->count.rds_answered;
	st->rds_unknown += rp->count.rds_unknown;
	st->rds_late += rp->count.rds_late;
	st->rds_bad += rp->count.rds_bad;
	st->rds_unanswered += rp->count.rds_unanswered;
	st->rds_hot += rp->count.rds_hot;
	st->rds_reflected += rp->count.rds_reflected;
	st->rds_limited += rp->count.rds_limited;
	st->rds_failed += rp->count.rds_failed;
}

void onrampq_rp_destroy(struct onrampq_rp *rp, struct tc_onramp_xstats *st)
{
	if (!rp)
		return;
	compat_ingress_unhook(dev_net(qdisc_dev(rp->sch)), &rp->hook);
	synchronize_net();
	onrampq_rp_add(rp, st);
	onrampq_rp_free_memory(rp);
}

void onrampq_rp_stats(struct onrampq_rp *rp, struct tc_onramp_xstats *st)
{
	spin_lock_bh(&rp->lock);
	st->reaction_points = rp->used;
	onrampq_rp_add(rp, st);
	spin_unlock_bh(&rp->lock);
}
