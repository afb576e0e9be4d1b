/* SPDX-License-Identifier: GPL-2.0 */
/*
 * QCN's congestion point: when congestion is notified, and how strongly.
 *
 * Sources: N. Chrysos et al., quantized congestion notification with congestion points at
 * inputs and occupancy sampling, section I.A for Fb and IV.B for what triggers a sample;
 * IEEE 802.1Qau for the quantization and the table of sample intervals, as far as it could
 * be read, see docs/decisions/0077-qcn-sources.md.
 *
 *   in the paper, 802.1Qau     here
 *   Q(t), cpQLen               q_bytes, with the frame that arrives
 *   Qeq, cpQSp                 qeq_bytes
 *   Qold, cpQLenOld            q_old_bytes
 *   Qoff = Q - Qeq             q_offset_bytes
 *   Qdelta = Q - Qold          q_delta_bytes
 *   w, cpW = 2^exponent        w_q10, in 1024ths
 *   Fb = Qoff + w Qdelta       qcn_cp_fb(); positive means congested
 *   QntzFb, 0 to 63            qntz_fb
 *   Is, cpSampleBase           sample_base
 *
 * The verdict asks for one sender's notification; cp_occupancy.h selects the sender.
 */
#ifndef SHARPRAMP_ALGO_QCN_CP_H
#define SHARPRAMP_ALGO_QCN_CP_H

#include "port.h"

/* The strongest feedback, 6 bits. */
#define QCN_QNTZ_FB_MAX 63U
/* Queues are not longer than that, bytes. */
#define QCN_CP_BYTES_MAX 2147483647U
/* Exponents of w, either way. */
#define QCN_CP_W_MAX 10

/**
 * struct qcn_cp_params - what the algorithm reads
 * @qeq_bytes: set point of the queue, 1 to QCN_CP_BYTES_MAX
 * @sample_base: bytes between samples without congestion, 1 to QCN_CP_BYTES_MAX
 * @w_q10: weight of the change of the queue, 1024 is 1; 1 to 2^20
 * @sample_table: samples are more frequent the stronger the feedback, and jittered
 */
struct qcn_cp_params {
	u32 qeq_bytes;
	u32 sample_base;
	u32 w_q10;
	bool sample_table;
};

/**
 * struct qcn_cp_vars - state of the algorithm; all zero at the start
 * @sample_bytes: bytes until the next sample, which is taken below 0
 * @q_old_bytes: the queue at the last sample
 */
struct qcn_cp_vars {
	s64 sample_bytes;
	u32 q_old_bytes;
};

/**
 * struct qcn_cp_frame - a frame that arrives
 * @q_bytes: the queue with it, at most QCN_CP_BYTES_MAX
 * @len: its length in bytes, at most QCN_CP_BYTES_MAX
 * @random: 32 random bits; only read with @sample_table
 */
struct qcn_cp_frame {
	u32 q_bytes;
	u32 len;
	u32 random;
};

/**
 * struct qcn_feedback - the notification to the culprit
 * @q_offset_bytes: Q - Qeq
 * @q_delta_bytes: Q - Qold
 * @qntz_fb: 1 to QCN_QNTZ_FB_MAX; 0: no notification
 */
struct qcn_feedback {
	s32 q_offset_bytes;
	s32 q_delta_bytes;
	u8 qntz_fb;
};

/**
 * qcn_cp_w_q10() - the weight that an exponent stands for
 * @exponent: -QCN_CP_W_MAX to QCN_CP_W_MAX, as in the MIB
 *
 * Return: 2^@exponent, in 1024ths.
 */
static inline u32 qcn_cp_w_q10(s32 exponent)
{
	return 1U << (QCN_CP_W_MAX + exponent);
}

/* Below 2^53 in size: a length times 2^21 at most. */
static inline s64 qcn_cp_fb(const struct qcn_cp_params *p, s32 q_offset_bytes, s32 q_delta_bytes)
{
	return (s64)q_offset_bytes * 1024 + (s64)q_delta_bytes * p->w_q10;
}

/*
 * In 63rds, rounded down, of what a queue has that reached twice its set point at once:
 * below 2^59.
 */
static inline u32 qcn_cp_quantize(const struct qcn_cp_params *p, s64 fb)
{
	u64 most = (u64)p->qeq_bytes * (2 * (u64)p->w_q10 + 1024);

	if (fb <= 0)
		return 0;
	return div64_u64(min_t(u64, fb, most) * QCN_QNTZ_FB_MAX, most);
}

/**
 * qcn_cp_interval() - bytes until the next sample
 * @p: parameters
 * @qntz_fb: feedback of this one
 * @random: 32 random bits
 *
 * A table of 802.1Qau, for an interval of 150 kB without congestion, 15 % up or down.
 *
 * Return: bytes, at least 0.
 */
static inline u32 qcn_cp_interval(const struct qcn_cp_params *p, u32 qntz_fb, u32 random)
{
	static const u32 table[] = { 150000, 75000, 50000, 37500, 30000, 25000, 21500, 18500 };
	u64 mean;

	if (!p->sample_table)
		return p->sample_base;
	/* Below 2^49. */
	mean = div_u64((u64)p->sample_base * table[qntz_fb >> 3], 150000);
	/* 85 % to 115 %: at most 1.15 x 2^31. */
	return div_u64(mean * 85, 100) + (div_u64(mean * 30, 100) * random >> 32);
}

/**
 * qcn_cp_on_arrival() - a frame arrives
 * @p: parameters
 * @v: state
 * @x: the frame
 *
 * Return: the notification to the culprit, if @qntz_fb is not 0.
 */
static inline struct qcn_feedback qcn_cp_on_arrival(const struct qcn_cp_params *p,
						    struct qcn_cp_vars *v,
						    const struct qcn_cp_frame *x)
{
	struct qcn_feedback f = {};

	v->sample_bytes -= x->len;
	if (v->sample_bytes >= 0)
		return f;
	f.q_offset_bytes = (s32)x->q_bytes - (s32)p->qeq_bytes;
	f.q_delta_bytes = (s32)x->q_bytes - (s32)v->q_old_bytes;
	f.qntz_fb = qcn_cp_quantize(p, qcn_cp_fb(p, f.q_offset_bytes, f.q_delta_bytes));
	v->q_old_bytes = x->q_bytes;
	v->sample_bytes = qcn_cp_interval(p, f.qntz_fb, x->random);
	return f;
}

/**
 * cp_step_on_arrival() - step marking, as DCTCP's: is the queue above a threshold?
 * @k_bytes: the threshold
 * @q_bytes: the queue with the frame that arrives
 *
 * Return: true if one sender is to be notified.
 */
static inline bool cp_step_on_arrival(u32 k_bytes, u32 q_bytes)
{
	return q_bytes > k_bytes;
}

#endif /* SHARPRAMP_ALGO_QCN_CP_H */
