/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Flows that were sent lately, and their reaction points: a cache of fixed size.
 *
 * A CNM is accepted if it is about a flow that this host sent (docs/security.md).  A bucket has
 * the last flows of those that share some bits of a keyed hash; other bits of it are their tag.
 * Neither bits nor collisions are known to others, so that no flow can be pushed out by sending
 * few others.  A flow that is limited stays as long as there is one in its bucket that is not.
 *
 * This is not part of 802.1Qau, which does not discuss trust.
 */
#ifndef SHARPRAMP_ALGO_QCN_FLOWS_H
#define SHARPRAMP_ALGO_QCN_FLOWS_H

#include "port.h"

#define QCN_FLOW_WAYS 4U

/**
 * struct qcn_flow - a flow that was sent
 * @tag: of its hash; 0: there is none
 * @seen: when it was sent last, in ticks, which wrap
 * @point: its reaction point; 0: none
 * @bytes: that it sent since it came here, or had a reaction point, in the caller's keeping
 */
struct qcn_flow {
	u32 tag;
	u32 seen;
	u32 point;
	u32 bytes;
};

/**
 * qcn_flows_bucket() - where a flow is, or would be
 * @flows: QCN_FLOW_WAYS << @log of them
 * @log: log2 of the buckets, at most 30
 * @hash: of the flow
 *
 * Return: QCN_FLOW_WAYS flows.
 */
static inline struct qcn_flow *qcn_flows_bucket(struct qcn_flow *flows, u32 log, u64 hash)
{
	return flows + QCN_FLOW_WAYS * (hash & ((1U << log) - 1));
}

/**
 * qcn_flow_tag() - the tag of a flow
 * @hash: of the flow
 *
 * Return: the tag; never 0.
 */
static inline u32 qcn_flow_tag(u64 hash)
{
	return hash >> 32 | 1;
}

/**
 * qcn_flows_find() - find a flow
 * @bucket: of qcn_flows_bucket()
 * @tag: its tag
 *
 * Return: the flow; NULL if it is not there.
 */
static inline struct qcn_flow *qcn_flows_find(struct qcn_flow *bucket, u32 tag)
{
	u32 i;

	for (i = 0; i < QCN_FLOW_WAYS; i++)
		if (bucket[i].tag == tag)
			return &bucket[i];
	return NULL;
}

/**
 * qcn_flow_point_id() - name a reaction point
 * @last: the name given last; 0: none yet
 * @max: reaction points, 1 to 4096
 * @place: of this one, below @max
 *
 * Names grow, so that a flow knows whether its reaction point is another's now; after 2^32 they
 * begin again.
 *
 * Return: the name, of which @place is the rest by @max; never 0.
 */
static inline u32 qcn_flow_point_id(u32 last, u32 max, u32 place)
{
	u32 id = last - last % max + place;

	if (id > last)
		return id;
	return id > U32_MAX - max ? max + place : id + max;
}

/* Is @a less worth keeping than @b? */
static inline bool qcn_flow_goes_before(const struct qcn_flow *a, const struct qcn_flow *b, u32 now)
{
	if (!a->tag || !b->tag)
		return b->tag;
	if (!a->point != !b->point)
		return !a->point;
	return now - a->seen > now - b->seen;
}

/**
 * qcn_flows_sent() - a flow is sent
 * @bucket: of qcn_flows_bucket()
 * @tag: its tag
 * @now: ticks
 *
 * A flow that is not there takes the place of none; else that of the one sent longest ago
 * without a reaction point; else that of the one sent longest ago.
 *
 * Return: the flow.
 */
static inline struct qcn_flow *qcn_flows_sent(struct qcn_flow *bucket, u32 tag, u32 now)
{
	struct qcn_flow *f = qcn_flows_find(bucket, tag);
	u32 i;

	if (!f) {
		f = bucket;
		for (i = 1; i < QCN_FLOW_WAYS; i++)
			if (qcn_flow_goes_before(&bucket[i], f, now))
				f = &bucket[i];
		f->tag = tag;
		f->point = 0;
		f->bytes = 0;
	}
	f->seen = now;
	return f;
}

/**
 * qcn_flow_is_recent() - was a flow sent lately?
 * @f: the flow
 * @now: ticks
 * @most: ticks that are not longer ago than lately
 *
 * Return: true if so.
 */
static inline bool qcn_flow_is_recent(const struct qcn_flow *f, u32 now, u32 most)
{
	/* The two clocks are one, read by different processors: it may be ahead by some. */
	return now - f->seen <= most || f->seen - now <= most;
}

#endif /* SHARPRAMP_ALGO_QCN_FLOWS_H */
