/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Vectors of QCN's congestion point and reaction point, for the unit tests and KUnit: by hand
 * from the formulas, not from the code.
 */
#ifndef SHARPRAMP_QCN_VECTORS_H
#define SHARPRAMP_QCN_VECTORS_H

#include "qcn_cp.h"
#include "qcn_rp.h"

/**
 * struct qcn_cp_vector - one sample
 * @q: the queue
 * @q_old: at the last sample
 * @qeq: set point
 * @w: exponent of the weight
 * @qntz_fb: the expected notification
 * @interval: bytes until the next sample, less 15 %
 */
struct qcn_cp_vector {
	u32 q;
	u32 q_old;
	u32 qeq;
	s32 w;
	u32 qntz_fb;
	u32 interval;
};

static const struct qcn_cp_vector qcn_cp_vectors[] = {
	{ 60000, 60000, 60000, 1, 0, 127500 },
	{ 62000, 61000, 60000, 1, 0, 127500 },
	{ 64761, 64761, 60000, 1, 0, 127500 },
	{ 64762, 64762, 60000, 1, 1, 127500 },
	{ 100000, 60000, 60000, 1, 25, 31875 },
	{ 110000, 110000, 60000, 1, 10, 63750 },
	{ 150000, 0, 60000, 1, 63, 15725 },
	{ 24000, 0, 26000, 1, 22, 42500 },
	{ 0, 0, 26000, 1, 0, 127500 },
	/* A queue that falls fast is not congested, however long it is. */
	{ 100000, 200000, 60000, 1, 0, 127500 },
	{ 120000, 60000, 60000, 0, 42, 21250 },
	{ 180000, 60000, 60000, -10, 63, 15725 },
	{ 2147483647, 0, 100, 10, 63, 15725 },
	{ 0, 2147483647, 2147483647, 10, 0, 127500 },
	/* 45 x 64 at the largest product that is not cut. */
	{ 2147483647, 0, 2147483647, 10, 31, 31875 },
};

#define QCN_CP_VECTORS	(sizeof(qcn_cp_vectors) / sizeof(qcn_cp_vectors[0]))

/**
 * qcn_cp_vector_run() - run one
 * @c: which
 *
 * Return: NULL, or what is wrong.
 */
static inline const char *qcn_cp_vector_run(const struct qcn_cp_vector *c)
{
	const struct qcn_cp_params p = { c->qeq, 150000, qcn_cp_w_q10(c->w), true };
	struct qcn_cp_vars v = { .q_old_bytes = c->q_old };
	struct qcn_cp_frame x = { .q_bytes = c->q, .len = 1 };
	struct qcn_feedback f = qcn_cp_on_arrival(&p, &v, &x);

	if (f.qntz_fb != c->qntz_fb)
		return "quantized feedback";
	if (f.q_offset_bytes != (s64)c->q - c->qeq || f.q_delta_bytes != (s64)c->q - c->q_old)
		return "offset or change of the queue";
	if (v.q_old_bytes != c->q || v.sample_bytes != c->interval)
		return "next sample";
	x.len = c->interval;
	if (qcn_cp_on_arrival(&p, &v, &x).qntz_fb || v.sample_bytes || v.q_old_bytes != c->q)
		return "sampled too early";
	return NULL;
}

/* Events of a reaction point. */
enum qcn_rp_op { QCN_RP_NEW, QCN_RP_CNM, QCN_RP_SEND, QCN_RP_TIME };

/**
 * struct qcn_rp_vector - one thing that happens
 * @op: a new one with a gd and target 10 Gbit/s, a CNM, bytes are sent, or ms pass
 * @value: gd, feedback, bytes or ms
 * @cur_bps: rate after it; of a new one: before it
 * @tgt_bps: target, likewise
 */
struct qcn_rp_vector {
	enum qcn_rp_op op;
	u32 value;
	u64 cur_bps;
	u64 tgt_bps;
};

#define G	1000000000ULL
#define M	1000000ULL

static const struct qcn_rp_vector qcn_rp_vectors[] = {
	/* Fast recovery by bytes, then active increase, at half the bytes. */
	{ QCN_RP_NEW, 7, 0, 0 },
	{ QCN_RP_CNM, 0, 0, 0 },
	{ QCN_RP_CNM, 64, 0, 0 },
	{ QCN_RP_CNM, 63, 5078125000, 10 * G },
	{ QCN_RP_SEND, 149999, 5078125000, 10 * G },
	{ QCN_RP_SEND, 1, 7539062500, 10 * G },
	{ QCN_RP_SEND, 150000, 8769531250, 10 * G },
	{ QCN_RP_SEND, 150000, 9384765625, 10 * G },
	{ QCN_RP_SEND, 150000, 9692382812, 10 * G },
	{ QCN_RP_SEND, 150000, 9848691406, 10005 * M },
	{ QCN_RP_SEND, 74999, 9848691406, 10005 * M },
	{ QCN_RP_SEND, 1, 9929345703, 10010 * M },
	/* Its target is the rate now, and the byte counter anew. */
	{ QCN_RP_CNM, 1, 9851772689, 9929345703 },
	{ QCN_RP_SEND, 149999, 9851772689, 9929345703 },
	{ QCN_RP_SEND, 1, 9890559196, 9929345703 },
	/* More bytes than the counter has: each event counts. */
	{ QCN_RP_SEND, 300000, 9919649076, 9929345703 },
	/* A second CNM before the byte counter was up leaves the target. */
	{ QCN_RP_NEW, 7, 0, 0 },
	{ QCN_RP_CNM, 32, 7500 * M, 10 * G },
	{ QCN_RP_SEND, 75000, 7500 * M, 10 * G },
	{ QCN_RP_CNM, 32, 5625 * M, 10 * G },
	{ QCN_RP_SEND, 75000, 7812500000, 10 * G },
	/* By time, halved once its stage is 5; hyper increase needs both stages. */
	{ QCN_RP_NEW, 7, 0, 0 },
	{ QCN_RP_CNM, 64 - 1, 5078125000, 10 * G },
	{ QCN_RP_TIME, 14, 5078125000, 10 * G },
	{ QCN_RP_TIME, 1, 7539062500, 10 * G },
	{ QCN_RP_TIME, 45, 9692382812, 10 * G },
	{ QCN_RP_TIME, 15, 9848691406, 10005 * M },
	{ QCN_RP_TIME, 7, 9848691406, 10005 * M },
	{ QCN_RP_TIME, 1, 9929345703, 10010 * M },
	{ QCN_RP_SEND, 600000, 10 * G, 10030 * M },
	{ QCN_RP_SEND, 150000, 10 * G, 10080 * M },
	{ QCN_RP_SEND, 75000, 10 * G, 10180 * M },
	/* A target far above the rate, at stage 1. */
	{ QCN_RP_NEW, 7, 900 * M, 10 * G },
	{ QCN_RP_SEND, 150000, 1075 * M, 1250 * M },
	{ QCN_RP_NEW, 7, 1 * G, 10 * G },
	{ QCN_RP_SEND, 150000, 5500 * M, 10 * G },
	/* A cut leaves half at least, and the least rate. */
	{ QCN_RP_NEW, 6, 0, 0 },
	{ QCN_RP_CNM, 63, 5 * G, 10 * G },
	{ QCN_RP_NEW, 7, 9 * M, 9 * M },
	{ QCN_RP_CNM, 63, 5 * M, 9 * M },
	{ QCN_RP_NEW, 1, 0, 0 },
	{ QCN_RP_CNM, 63, 5 * G, 10 * G },
	/* Slept through more events than are made up for. */
	{ QCN_RP_NEW, 7, 9 * M, 9 * M },
	{ QCN_RP_TIME, 5 * 15 + 59 * 15 / 2 + 1, 304 * M, 309 * M },
	{ QCN_RP_NEW, 7, 9 * M, 9 * M },
	{ QCN_RP_TIME, 1000, 10 * G, 10 * G },
};

#define QCN_RP_VECTORS	(sizeof(qcn_rp_vectors) / sizeof(qcn_rp_vectors[0]))

#undef G
#undef M

/**
 * qcn_rp_vectors_run() - run all
 * @failed: set to the number of the first that is wrong
 *
 * Return: NULL, or what is wrong.
 */
static inline const char *qcn_rp_vectors_run(u32 *failed)
{
	struct qcn_rp_params p = {
		10000000000ULL, 5000000, 5000000, 50000000, 15000000, 150000, 5, 7, 50, 0,
	};
	struct qcn_rp_stats s = {};
	struct qcn_rp_vars v = {};
	const struct qcn_rp_vector *c;
	u64 now_ns = 1;
	u32 i;

	for (i = 0; i < QCN_RP_VECTORS; i++) {
		c = &qcn_rp_vectors[i];
		*failed = i;
		if (c->op == QCN_RP_NEW) {
			p.gd = c->value;
			v = (struct qcn_rp_vars){ .cur_bps = c->cur_bps, .tgt_bps = c->tgt_bps,
						  .left_bytes = p.bytes,
						  .time_up_ns = now_ns + p.time_ns };
		} else if (c->op == QCN_RP_TIME) {
			now_ns += c->value * 1000000ULL;
		}
		qcn_rp_advance(&p, &v, &s, now_ns);
		if (c->op == QCN_RP_CNM &&
		    qcn_rp_on_cnm(&p, &v, &s, c->value, now_ns) != (c->value > 0 && c->value < 64))
			return "verdict";
		if (c->op == QCN_RP_SEND)
			qcn_rp_on_send(&p, &v, &s, c->value, 1, now_ns);
		if (v.cur_bps != c->cur_bps)
			return "rate";
		if (v.tgt_bps != c->tgt_bps)
			return "target";
		if (qcn_rp_is_limited(&v) != !!c->cur_bps)
			return "limited";
	}
	return NULL;
}

#endif /* SHARPRAMP_QCN_VECTORS_H */
