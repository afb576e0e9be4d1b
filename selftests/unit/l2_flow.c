// SPDX-License-Identifier: GPL-2.0
/*
 * The flow of a frame and of a CNM about it, the cache of flows that were sent, and names of
 * reaction points: by hand, every length cut, and random ones against a second way.
 */
#include <linux/if_ether.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "l2_flow.h"
#include "l2_flow_vectors.h"
#include "options.h"
#include "qcn_flows.h"
#include "random.h"

static_assert(L2_TYPE_IPV4 == ETH_P_IP && L2_TYPE_IPV6 == ETH_P_IPV6, "IP");
static_assert(L2_TYPE_LEAST == ETH_P_802_3_MIN, "EtherTypes");
static_assert(sizeof(struct qcn_flow) * QCN_FLOW_WAYS == 64, "a bucket is a cache line");

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

/* In memory of its own size, so that a sanitizer sees more. */
static bool flow_of(const u8 *frame, size_t len, struct l2_flow *flow)
{
	u8 *copy = malloc(len ? len : 1);
	bool known;

	memcpy(copy, frame, len);
	memset(flow, 0xa5, sizeof(*flow));
	known = l2_flow_of_frame(copy, len, flow);
	free(copy);
	return known;
}

static bool untouched(const struct l2_flow *flow)
{
	const u8 *at = (const u8 *)flow;
	size_t i;

	for (i = 0; i < sizeof(*flow); i++)
		if (at[i] != 0xa5)
			return false;
	return true;
}

/* At each length: not known, or the same. */
static bool told_test(const struct l2_flow_vector *t)
{
	struct l2_flow flow;
	struct l2_header h;
	u8 frame[L2_FLOW_FRAME_MAX] = {};
	size_t len = l2_flow_bytes(t->frame, frame), cut;
	bool good, known;

	good = flow_of(frame, len, &flow) == t->known;
	good = good && (t->known ? !memcmp(&flow, &t->flow, sizeof(flow)) : untouched(&flow));
	if (l2_header_parse(frame, len, &h))
		return good;
	for (cut = 0; cut <= len; cut++) {
		known = flow_of(frame, cut, &flow);
		good = good && known == (t->known && cut >= h.bytes + t->least);
		good = good && (known ? !memcmp(&flow, &t->flow, sizeof(flow)) : untouched(&flow));
	}
	return good;
}

/* Random frames that are often IP: a CNM about one names the flow that the frame has. */
static void random_test(u64 seed, unsigned long n)
{
	static const u8 port[6] = { 2, 1 }, cpid[8];
	static const u16 types[] = { 0x800, 0x86dd, 0x8100, 0x88a8, 0x22e9, 0x806, 0x22e7, 0x100 };
	const struct l2_cnm cnm = { .cpid = cpid, .qntz_fb = 1 };
	unsigned long i, both = 0, none = 0;
	bool good = true;

	for (i = 0; i < n && good; i++) {
		u8 frame[160], out[L2_CNM_MAX_BYTES];
		struct l2_flow sent, told;
		struct l2_header h;
		struct l2_cnm got;
		size_t len = 14 + random_u64(&seed) % 140, at, out_len;
		bool known, read;

		for (at = 0; at < len; at++)
			frame[at] = random_u64(&seed);
		frame[0] &= 0xfe;
		frame[6] = 2;
		for (at = 12; at + 2 <= len && at < 26; at += 4)
			l2_put16(frame + at, types[random_u64(&seed) % ARRAY_SIZE(types)]);
		for (at = 14; at < len && at < 28; at += 4)
			frame[at] = (random_u64(&seed) & 1 ? 0x40 : 0x60) | (random_u64(&seed) % 9);
		out_len = l2_cnm_put(out, port, frame, len, &cnm, L2_CNM_MSDU_MAX);
		known = flow_of(frame, len, &sent);
		if (!out_len) {
			good = !known;
			none++;
			continue;
		}
		/* All zeros is no destination, and is no CNM's either. */
		good = l2_cnm_parse(out, out_len, &h, &got) == L2_OK;
		read = good && l2_flow_parse(got.msdu, got.msdu_bytes, got.da, &told);
		good = good && read == known;
		if (known)
			good = good && !memcmp(&sent, &told, sizeof(sent));
		both += known;
	}
	tap_ok(good && both > n / 20 && none, "l2_flow__cnm_names_the_flow_of_its_frame");
	tap_remark("%lu of %lu frames have a flow, %lu no CNM", both, n, none);
}

static void cache_test(void)
{
	struct qcn_flow bucket[QCN_FLOW_WAYS] = {}, *f;
	u32 i;

	tap_ok(!qcn_flows_find(bucket, 1), "qcn_flows_find__empty");
	for (i = 0; i < QCN_FLOW_WAYS; i++)
		qcn_flows_sent(bucket, 2 * i + 1, 100 + i);
	for (i = 0; i < QCN_FLOW_WAYS; i++)
		if (!qcn_flows_find(bucket, 2 * i + 1))
			break;
	tap_ok(i == QCN_FLOW_WAYS, "qcn_flows_sent__all_ways");
	f = qcn_flows_sent(bucket, 1, 200);
	tap_ok(f == qcn_flows_find(bucket, 1) && f->seen == 200, "qcn_flows_sent__again");
	qcn_flows_sent(bucket, 99, 201);
	tap_ok(!qcn_flows_find(bucket, 3) && qcn_flows_find(bucket, 1),
	       "qcn_flows_sent__oldest_goes");
	qcn_flows_find(bucket, 5)->point = 7;
	qcn_flows_sent(bucket, 101, 202);
	tap_ok(qcn_flows_find(bucket, 5) && !qcn_flows_find(bucket, 7),
	       "qcn_flows_sent__limited_stays");
	for (i = 0; i < QCN_FLOW_WAYS; i++)
		bucket[i].point = 1 + i;
	f = qcn_flows_sent(bucket, 103, 203);
	tap_ok(!qcn_flows_find(bucket, 5) && !f->point, "qcn_flows_sent__all_limited_oldest_goes");
	memset(bucket, 0, sizeof(bucket));
	for (i = 0; i < QCN_FLOW_WAYS; i++)
		qcn_flows_sent(bucket, 2 * i + 1, U32_MAX - 1 + i);
	qcn_flows_sent(bucket, 99, 5);
	tap_ok(!qcn_flows_find(bucket, 1) && qcn_flows_find(bucket, 3),
	       "qcn_flows_sent__ticks_wrap");
	tap_ok(qcn_flow_is_recent(qcn_flows_find(bucket, 3), 94, 95) &&
	       !qcn_flow_is_recent(qcn_flows_find(bucket, 3), 95, 95) &&
	       qcn_flow_is_recent(qcn_flows_find(bucket, 99), 4, 95), "qcn_flow_is_recent");
	tap_ok(qcn_flow_tag(0) == 1 && qcn_flow_tag(6ULL << 32) == 7 && qcn_flow_tag(U64_MAX) ==
	       U32_MAX, "qcn_flow_tag__never_0");
}

/* Against a list in which nothing is in buckets but by hash, and all is compared. */
static void cache_random_test(u64 seed, unsigned long n)
{
	struct qcn_flow flows[QCN_FLOW_WAYS << 1] = {};
	u32 last[64] = {}, now = 0;
	unsigned long i, hits = 0;
	bool good = true;

	for (i = 0; i < n && good; i++) {
		u32 flow = random_u64(&seed) % 64, other, newer = 0;
		u64 hash = (u64)(flow | 1) << 32 | flow % 2;
		bool there;

		flow = (flow | 1) - 1 + flow % 2;
		now += 1 + random_u64(&seed) % 3;
		for (other = flow % 2; other < 64; other += 2)
			newer += other != flow && last[other] > last[flow];
		there = qcn_flows_find(qcn_flows_bucket(flows, 1, hash), qcn_flow_tag(hash));
		/* Without reaction points it is plain: the last ways stay. */
		good = there == (last[flow] && newer < QCN_FLOW_WAYS);
		hits += there;
		qcn_flows_sent(qcn_flows_bucket(flows, 1, hash), qcn_flow_tag(hash), now);
		last[flow] = now;
	}
	tap_ok(good && hits, "qcn_flows_sent__random");
}

static void ids_test(void)
{
	static const u32 most[] = { 1, 2, 3, 100, 4095, 4096 };
	bool good = true;
	u32 i, j, last, id, place;

	for (i = 0; i < ARRAY_SIZE(most); i++) {
		u32 max = most[i];

		for (last = 0, j = 0; j < 10000; j++, last = id) {
			place = j * 7 % max;
			id = qcn_flow_point_id(last, max, place);
			good = good && id > last && id <= last + max && id % max == place;
		}
		for (j = 0; j < 3 * max; j++) {
			place = j % max;
			id = qcn_flow_point_id(U32_MAX - j, max, place);
			good = good && id && id % max == place && id != U32_MAX - j;
		}
	}
	tap_ok(good, "qcn_flow_point_id");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 200000, "inputs, twice");
	u32 i;

	for (i = 0; i < L2_FLOW_VECTORS; i++)
		tap_ok(told_test(&l2_flow_vectors[i]), "l2_flow__%s", l2_flow_vectors[i].name);
	random_test(o.seed, o.n);
	cache_test();
	cache_random_test(o.seed, o.n);
	ids_test();
	return tap_done();
}
