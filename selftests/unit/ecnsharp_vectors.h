/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The algorithm as tables of (now, sojourn, backlog, random) -> verdict and what the
 * algorithm remembers afterwards, numbered throughout.  User space's unit tests and
 * KUnit run the same rows.
 *
 * Unless a case says otherwise: ins_target 200 us, pst_target 85 us,
 * pst_interval 200 us, the paper's testbed.
 */
#ifndef SHARPRAMP_ECNSHARP_VECTORS_H
#define SHARPRAMP_ECNSHARP_VECTORS_H

#include "ecnsharp.h"

/**
 * struct ecnsharp_vector - one packet and what it must lead to
 * @nr: its number, unique in this file
 * @x: the packet: now_ns, sojourn_ns, backlog_bytes, random
 * @verdict: what the algorithm must return
 * @vars: what the algorithm must remember; @vars.first_above_ns only counts with
 *	@vars.is_above, @vars.next_ns only with @vars.marking
 * @stats: counters since the case began
 */
struct ecnsharp_vector {
	u32 nr;
	struct ecnsharp_sample x;
	enum ecnsharp_verdict verdict;
	struct ecnsharp_vars vars;
	struct ecnsharp_stats stats;
};

/**
 * struct ecnsharp_case - a sequence of vectors
 * @name: of the test
 * @params: in force throughout
 * @start: state before the first packet
 * @vector: the packets
 * @nr_vectors: how many
 */
struct ecnsharp_case {
	const char *name;
	struct ecnsharp_params params;
	struct ecnsharp_vars start;
	const struct ecnsharp_vector *vector;
	u32 nr_vectors;
};

#define ECNSHARP_VECTORS(n)						       \
	.name = #n, .vector = ecnsharp_vectors_##n,			       \
	.nr_vectors = sizeof(ecnsharp_vectors_##n) / sizeof(ecnsharp_vectors_##n[0])

#define V_NONE		ECNSHARP_MARK_NONE
#define V_INS		ECNSHARP_MARK_INS
#define V_PST		ECNSHARP_MARK_PST
#define V_BOTH		ECNSHARP_MARK_BOTH
#define V(nr, now, sojourn, backlog, random, verdict, above, marks, episodes,  \
	  saturated)							       \
	{ nr, { now, sojourn, backlog, random }, verdict, { above, marks },    \
	  { episodes, saturated } }
#define V_FAR		(1ULL << 62)
#define V_BELOW		.is_above = false
#define V_ABOVE(t)	.is_above = true, .first_above_ns = (t)
#define V_IDLE		.marking = false, .count = 0
#define V_DUE(n, t)	.marking = true, .count = (n), .next_ns = (t)

/*
 * V(nr, now, sojourn, backlog, random, verdict, above since when, count of marks
 *   and next due, episodes, saturated)
 */

/* The cut-off: only above ins_target, and no memory. */
static const struct ecnsharp_vector ecnsharp_vectors_ins_strict[] = {
	V(1, 1000, 0, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(2, 2000, 199999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(3, 3000, 200000, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(4, 4000, 200001, 150000, 0, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(5, 5000, 1000000000, 150000, 0, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(6, 6000, 200000, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(7, 7000, 1, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
};

/* At pst_target a queue counts as persistent, 1 ns below it does not. */
static const struct ecnsharp_vector ecnsharp_vectors_pst_level_strict[] = {
	V(8, 1000, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(9, 301000, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(10, 302000, 85000, 150000, 0, V_NONE, V_ABOVE(302000), V_IDLE, 0, 0),
	V(11, 502000, 85000, 150000, 0, V_NONE, V_ABOVE(302000), V_IDLE, 0, 0),
	V(12, 502001, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(13, 502002, 85000, 150000, 0, V_NONE, V_ABOVE(502002), V_IDLE, 0, 0),
	V(14, 702002, 85000, 150000, 0, V_NONE, V_ABOVE(502002), V_IDLE, 0, 0),
	V(15, 702003, 85000, 150000, 0, V_PST, V_ABOVE(502002), V_DUE(1, 902003), 1, 0),
};

/* Exactly one interval above is not yet longer than one. */
static const struct ecnsharp_vector ecnsharp_vectors_pst_interval_strict[] = {
	V(16, 5000, 90000, 150000, 0, V_NONE, V_ABOVE(5000), V_IDLE, 0, 0),
	V(17, 105000, 90000, 150000, 0, V_NONE, V_ABOVE(5000), V_IDLE, 0, 0),
	V(18, 204999, 90000, 150000, 0, V_NONE, V_ABOVE(5000), V_IDLE, 0, 0),
	V(19, 205000, 90000, 150000, 0, V_NONE, V_ABOVE(5000), V_IDLE, 0, 0),
	V(20, 205001, 90000, 150000, 0, V_PST, V_ABOVE(5000), V_DUE(1, 405001), 1, 0),
	V(21, 205002, 90000, 150000, 0, V_NONE, V_ABOVE(5000), V_DUE(1, 405001), 1, 0),
};

/* At marking_next not yet; then it moves on from its own time, not from now. */
static const struct ecnsharp_vector ecnsharp_vectors_pst_due_strict[] = {
	V(22, 1000, 100000, 150000, 0, V_NONE, V_ABOVE(1000), V_IDLE, 0, 0),
	V(23, 201001, 100000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(1, 401001), 1, 0),
	V(24, 401000, 100000, 150000, 0, V_NONE, V_ABOVE(1000), V_DUE(1, 401001), 1, 0),
	V(25, 401001, 100000, 150000, 0, V_NONE, V_ABOVE(1000), V_DUE(1, 401001), 1, 0),
	V(26, 401002, 100000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(2, 501001), 1, 0),
	V(27, 401003, 100000, 150000, 0, V_NONE, V_ABOVE(1000), V_DUE(2, 501001), 1, 0),
	V(28, 501001, 100000, 150000, 0, V_NONE, V_ABOVE(1000), V_DUE(2, 501001), 1, 0),
	V(29, 520000, 100000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(3, 567667), 1, 0),
	V(30, 567667, 100000, 150000, 0, V_NONE, V_ABOVE(1000), V_DUE(3, 567667), 1, 0),
	V(31, 567668, 100000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(4, 617667), 1, 0),
	V(32, 567669, 100000, 150000, 0, V_NONE, V_ABOVE(1000), V_DUE(4, 617667), 1, 0),
};

/* Time 0 is a time like any other, though the paper uses it for "never". */
static const struct ecnsharp_vector ecnsharp_vectors_pst_start_at_zero[] = {
	V(33, 0, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(34, 200000, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(35, 200001, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
};

/* After a gap one packet each is marked until the schedule has caught up. */
static const struct ecnsharp_vector ecnsharp_vectors_pst_late[] = {
	V(36, 0, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(37, 200001, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(38, 800000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(2, 500001), 1, 1),
	V(39, 801000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(3, 566667), 1, 2),
	V(40, 802000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(4, 616667), 1, 3),
	V(41, 803000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(5, 656667), 1, 4),
	V(42, 804000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(6, 690000), 1, 5),
	V(43, 805000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(7, 718571), 1, 6),
	V(44, 806000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(8, 743571), 1, 7),
	V(45, 807000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(9, 765793), 1, 8),
	V(46, 808000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(10, 785793), 1, 9),
	V(47, 809000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(11, 803974), 1, 10),
	V(48, 810000, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(12, 820640), 1, 10),
	V(49, 811000, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(12, 820640), 1, 10),
	V(50, 812000, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(12, 820640), 1, 10),
	V(51, 813000, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(12, 820640), 1, 10),
};

/*
 * Nine intervals of a queue that never falls: from the mark whose gap is less
 * than a packet every packet is marked.
 */
static const struct ecnsharp_vector ecnsharp_vectors_pst_saturation[] = {
	V(52, 0, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(53, 1000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(54, 2000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(55, 3000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(56, 4000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(57, 5000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(1, 9000), 1, 0),
	V(58, 6000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(1, 9000), 1, 0),
	V(59, 7000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(1, 9000), 1, 0),
	V(60, 8000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(1, 9000), 1, 0),
	V(61, 9000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(1, 9000), 1, 0),
	V(62, 10000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(2, 11000), 1, 0),
	V(63, 11000, 3000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(2, 11000), 1, 0),
	V(64, 12000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(3, 12333), 1, 0),
	V(65, 13000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(4, 13333), 1, 0),
	V(66, 14000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(5, 14133), 1, 0),
	V(67, 15000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(6, 14799), 1, 1),
	V(68, 16000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(7, 15370), 1, 2),
	V(69, 17000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(8, 15870), 1, 3),
	V(70, 18000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(9, 16314), 1, 4),
	V(71, 19000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(10, 16714), 1, 5),
	V(72, 20000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(11, 17077), 1, 6),
	V(73, 21000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(12, 17410), 1, 7),
	V(74, 22000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(13, 17717), 1, 8),
	V(75, 23000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(14, 18002), 1, 9),
	V(76, 24000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(15, 18268), 1, 10),
	V(77, 25000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(16, 18518), 1, 11),
	V(78, 26000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(17, 18753), 1, 12),
	V(79, 27000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(18, 18975), 1, 13),
	V(80, 28000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(19, 19185), 1, 14),
	V(81, 29000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(20, 19385), 1, 15),
	V(82, 30000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(21, 19575), 1, 16),
	V(83, 31000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(22, 19756), 1, 17),
	V(84, 32000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(23, 19929), 1, 18),
	V(85, 33000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(24, 20095), 1, 19),
	V(86, 34000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(25, 20255), 1, 20),
	V(87, 35000, 3000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(26, 20408), 1, 21),
};

/*
 * One packet below the target ends the episode; the next one waits a whole
 * interval and counts from 1.
 */
static const struct ecnsharp_vector ecnsharp_vectors_pst_reset[] = {
	V(88, 0, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(89, 200001, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(90, 400002, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(2, 500001), 1, 0),
	V(91, 500002, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(3, 566667), 1, 0),
	V(92, 500003, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 1, 0),
	V(93, 500004, 100000, 150000, 0, V_NONE, V_ABOVE(500004), V_IDLE, 1, 0),
	V(94, 600000, 100000, 150000, 0, V_NONE, V_ABOVE(500004), V_IDLE, 1, 0),
	V(95, 700004, 100000, 150000, 0, V_NONE, V_ABOVE(500004), V_IDLE, 1, 0),
	V(96, 700005, 100000, 150000, 0, V_PST, V_ABOVE(500004), V_DUE(1, 900005), 2, 0),
	V(97, 900004, 100000, 150000, 0, V_NONE, V_ABOVE(500004), V_DUE(1, 900005), 2, 0),
	V(98, 900005, 100000, 150000, 0, V_NONE, V_ABOVE(500004), V_DUE(1, 900005), 2, 0),
	V(99, 900006, 100000, 150000, 0, V_PST, V_ABOVE(500004), V_DUE(2, 1000005), 2, 0),
};

/* A packet below the target while the interval runs starts it again. */
static const struct ecnsharp_vector ecnsharp_vectors_pst_reset_before[] = {
	V(100, 0, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(101, 199999, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(102, 200000, 0, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(103, 200001, 100000, 150000, 0, V_NONE, V_ABOVE(200001), V_IDLE, 0, 0),
	V(104, 400001, 100000, 150000, 0, V_NONE, V_ABOVE(200001), V_IDLE, 0, 0),
	V(105, 400002, 100000, 150000, 0, V_PST, V_ABOVE(200001), V_DUE(1, 600002), 1, 0),
};

/* Below the target again and again: never persistent, however long. */
static const struct ecnsharp_vector ecnsharp_vectors_pst_below_between[] = {
	V(106, 0, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(107, 150000, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(108, 300000, 100000, 150000, 0, V_NONE, V_ABOVE(300000), V_IDLE, 0, 0),
	V(109, 450000, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(110, 600000, 100000, 150000, 0, V_NONE, V_ABOVE(600000), V_IDLE, 0, 0),
	V(111, 750000, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(112, 900000, 100000, 150000, 0, V_NONE, V_ABOVE(900000), V_IDLE, 0, 0),
	V(113, 1050000, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
};

/*
 * The count stops at its largest value, and the gap at 0: every packet is
 * marked.
 */
static const struct ecnsharp_vector ecnsharp_vectors_pst_count_edge[] = {
	V(114, 10000001, 100000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(U32_MAX, 10000000), 0, 1),
	V(115, 10000002, 100000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(U32_MAX, 10000000), 0, 2),
	V(116, 10000003, 100000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(U32_MAX, 10000000), 0, 3),
	V(117, 10000003, 100000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(U32_MAX, 10000000), 0, 4),
	V(118, 10000004, 84999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 4),
	V(119, 10000005, 100000, 150000, 0, V_NONE, V_ABOVE(10000005), V_IDLE, 0, 4),
};

/* More marks than ns in the interval: the due time stands still. */
static const struct ecnsharp_vector ecnsharp_vectors_pst_gap_zero[] = {
	V(120, 1000000, 3000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(1000, 999999), 0, 1),
	V(121, 1000001, 3000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(1001, 999999), 0, 2),
	V(122, 1000001, 3000, 150000, 0, V_PST, V_ABOVE(1000), V_DUE(1002, 999999), 0, 3),
};

/*
 * A packet that leaves nothing behind ends what was observed, high as its own
 * sojourn may be.
 */
static const struct ecnsharp_vector ecnsharp_vectors_empty_ends_observation[] = {
	V(123, 0, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(124, 200000, 100000, 0, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(125, 200001, 100000, 150000, 0, V_NONE, V_ABOVE(200001), V_IDLE, 0, 0),
	V(126, 400001, 100000, 150000, 0, V_NONE, V_ABOVE(200001), V_IDLE, 0, 0),
	V(127, 400002, 100000, 150000, 0, V_PST, V_ABOVE(200001), V_DUE(1, 600002), 1, 0),
};

/* It is still judged itself: the queue was persistent until it left. */
static const struct ecnsharp_vector ecnsharp_vectors_empty_ends_episode[] = {
	V(128, 0, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(129, 200001, 100000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(130, 400002, 100000, 0, 0, V_PST, V_BELOW, V_IDLE, 1, 0),
	V(131, 400003, 100000, 150000, 0, V_NONE, V_ABOVE(400003), V_IDLE, 1, 0),
	V(132, 600003, 100000, 150000, 0, V_NONE, V_ABOVE(400003), V_IDLE, 1, 0),
	V(133, 600004, 100000, 150000, 0, V_PST, V_ABOVE(400003), V_DUE(1, 800004), 2, 0),
};

/* The mark that begins an episode may be the one that ends it. */
static const struct ecnsharp_vector ecnsharp_vectors_empty_first_mark[] = {
	V(134, 0, 100000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(135, 200001, 100000, 0, 0, V_PST, V_BELOW, V_IDLE, 1, 0),
	V(136, 200002, 100000, 150000, 0, V_NONE, V_ABOVE(200002), V_IDLE, 1, 0),
	V(137, 400002, 100000, 150000, 0, V_NONE, V_ABOVE(200002), V_IDLE, 1, 0),
	V(138, 400003, 100000, 1, 0, V_PST, V_ABOVE(200002), V_DUE(1, 600003), 2, 0),
};

/* An empty queue does not excuse from the instantaneous mark. */
static const struct ecnsharp_vector ecnsharp_vectors_empty_instantaneous[] = {
	V(139, 0, 200001, 0, 0, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(140, 1, 200000, 0, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(141, 2, 200001, 1, 0, V_INS, V_ABOVE(2), V_IDLE, 0, 0),
};

/* Instantaneous and persistent in one packet are one verdict. */
static const struct ecnsharp_vector ecnsharp_vectors_both_causes[] = {
	V(142, 0, 250000, 150000, 0, V_INS, V_ABOVE(0), V_IDLE, 0, 0),
	V(143, 200001, 250000, 150000, 0, V_BOTH, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(144, 300000, 250000, 150000, 0, V_INS, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(145, 400002, 200000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(2, 500001), 1, 0),
	V(146, 500002, 200001, 150000, 0, V_BOTH, V_ABOVE(0), V_DUE(3, 566667), 1, 0),
	V(147, 500003, 200000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(3, 566667), 1, 0),
};

/* Persistent off is TCN: the state machine does not move. */
static const struct ecnsharp_vector ecnsharp_vectors_pst_off[] = {
	V(148, 0, 250000, 150000, 0, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(149, 1000000, 100000, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(150, 2000000, 250000, 150000, 0, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(151, 3000000, 250000, 0, 0, V_INS, V_BELOW, V_IDLE, 0, 0),
};

/* Instantaneous off: only Algorithm 1. */
static const struct ecnsharp_vector ecnsharp_vectors_ins_off[] = {
	V(152, 0, 1000000000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(153, 200000, 1000000000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(154, 200001, 1000000000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(155, 200002, 1000000000, 150000, 0, V_NONE, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
};

/* At kmin never, at kmax with pmax, above it always. */
static const struct ecnsharp_vector ecnsharp_vectors_ramp_edges[] = {
	V(156, 0, 0, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(157, 1, 50000, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(158, 2, 50001, 150000, 0, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(159, 3, 50001, 150000, 10736, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(160, 4, 50001, 150000, 10737, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(161, 5, 100000, 150000, 536870911, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(162, 6, 100000, 150000, 536870912, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(163, 7, 149999, 150000, 1073731085, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(164, 8, 149999, 150000, 1073731086, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(165, 9, 150000, 150000, 1073741823, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(166, 10, 150000, 150000, 1073741824, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(167, 11, 150001, 150000, U32_MAX, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(168, 12, 1000000000, 150000, U32_MAX, V_INS, V_BELOW, V_IDLE, 0, 0),
};

/* kmin equal to kmax is a cut-off. */
static const struct ecnsharp_vector ecnsharp_vectors_ramp_step[] = {
	V(169, 0, 99999, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(170, 1, 100000, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(171, 2, 100001, 150000, U32_MAX, V_INS, V_BELOW, V_IDLE, 0, 0),
};

/* pmax 1 marks at kmax whatever the chance, kmin 0 not at 0. */
static const struct ecnsharp_vector ecnsharp_vectors_ramp_one[] = {
	V(172, 0, 0, 150000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(173, 1, 1, 150000, 3, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(174, 2, 1, 150000, 4, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(175, 3, 500000000, 150000, 2147483647, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(176, 4, 500000000, 150000, 2147483648U, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(177, 5, 999999999, 150000, 4294967290U, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(178, 6, 999999999, 150000, 4294967291U, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(179, 7, 1000000000, 150000, U32_MAX, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(180, 8, 1000000001, 150000, U32_MAX, V_INS, V_BELOW, V_IDLE, 0, 0),
};

/* The least pmax, one in a million. */
static const struct ecnsharp_vector ecnsharp_vectors_ramp_least[] = {
	V(181, 0, 0, 2147483647, 4293, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(182, 1, 0, 2147483647, 4294, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(183, 2, 0, 2147483648U, U32_MAX, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(184, 3, 0, U32_MAX, U32_MAX, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(185, 4, 0, 500112, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(186, 5, 0, 500113, 0, V_INS, V_BELOW, V_IDLE, 0, 0),
	V(187, 6, 0, 500113, 1, V_NONE, V_BELOW, V_IDLE, 0, 0),
};

/* With the length signal the ramp is in bytes; the targets stay times. */
static const struct ecnsharp_vector ecnsharp_vectors_ramp_bytes[] = {
	V(188, 0, 9, 100000, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(189, 1, 9, 250000, 1073741823, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(190, 2, 9, 250000, 1073741824, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(191, 3, 9, 400000, 2147483647, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(192, 4, 9, 400000, 2147483648U, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(193, 5, 9, 400001, U32_MAX, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(194, 200000, 0, 106250, 2147483648U, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(195, 200001, 0, 106250, 2147483648U, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(196, 200002, 0, 106249, 2147483648U, V_NONE, V_BELOW, V_IDLE, 0, 0),
};

/* Persistent marking with the ramp is unchanged. */
static const struct ecnsharp_vector ecnsharp_vectors_ramp_and_pst[] = {
	V(197, 0, 90000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(198, 200000, 90000, 150000, 0, V_NONE, V_ABOVE(0), V_IDLE, 0, 0),
	V(199, 200001, 90000, 150000, 0, V_PST, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(200, 200002, 300000, 150000, 429496728, V_INS, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(201, 400001, 90000, 150000, U32_MAX, V_NONE, V_ABOVE(0), V_DUE(1, 400001), 1, 0),
	V(202, 400002, 300001, 150000, U32_MAX, V_BOTH, V_ABOVE(0), V_DUE(2, 500001), 1, 0),
	V(203, 400003, 84999, 150000, U32_MAX, V_NONE, V_BELOW, V_IDLE, 1, 0),
};

/*
 * At 10 Gbit/s 250000 bytes are 200 us, 106250 are 85; the sojourn is not
 * looked at.
 */
static const struct ecnsharp_vector ecnsharp_vectors_length_strict[] = {
	V(204, 0, U32_MAX, 106249, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(205, 1, U32_MAX, 250000, 0, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(206, 2, 0, 250001, 0, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(207, 200001, U32_MAX, 106250, 0, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(208, 200002, 0, 106250, 0, V_PST, V_ABOVE(1), V_DUE(1, 400002), 1, 0),
	V(209, 200003, 0, 106249, 0, V_NONE, V_BELOW, V_IDLE, 1, 0),
};

/* At 3 bit/ns 1 byte is 2.67 ns and 2 are 5.33: rounded down. */
static const struct ecnsharp_vector ecnsharp_vectors_length_rounds_down[] = {
	V(210, 0, 0, 1, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(211, 1, 0, 2, 0, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(212, 2, 0, 1, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(213, 3, 0, 3, 0, V_INS, V_ABOVE(3), V_IDLE, 0, 0),
};

/*
 * The largest backlog at the slowest rate does not overflow; more counts as
 * that.
 */
static const struct ecnsharp_vector ecnsharp_vectors_length_largest[] = {
	V(214, 0, 0, 124, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(215, 1, 0, 125, 0, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(216, 2, 0, 126, 0, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(217, 3, 0, 2147483647, 0, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(218, 4, 0, 2147483648U, 0, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(219, 5, 0, 2305843010U, 0, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(220, 200002, 0, U32_MAX, 0, V_BOTH, V_ABOVE(1), V_DUE(1, 400002), 1, 0),
	V(221, 200003, 0, 0, 0, V_NONE, V_BELOW, V_IDLE, 1, 0),
};

/* At 100 Tbit/s 12500 bytes are 1 ns. */
static const struct ecnsharp_vector ecnsharp_vectors_length_fastest[] = {
	V(222, 0, 0, 12499, 0, V_NONE, V_BELOW, V_IDLE, 0, 0),
	V(223, 1, 0, 12500, 0, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(224, 2, 0, 25000, 0, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(225, 3, 0, 2147483647, 0, V_INS, V_ABOVE(1), V_IDLE, 0, 0),
	V(226, 1001, 0, 12500, 0, V_NONE, V_ABOVE(1), V_IDLE, 0, 0),
	V(227, 1002, 0, 12500, 0, V_PST, V_ABOVE(1), V_DUE(1, 2002), 1, 0),
};

/* Far from zero the sums still fit. */
static const struct ecnsharp_vector ecnsharp_vectors_late_clock[] = {
	V(228, V_FAR, 100000, 150000, 0, V_NONE, V_ABOVE(V_FAR), V_IDLE, 0, 0),
	V(229, V_FAR + 200000, 100000, 150000, 0, V_NONE, V_ABOVE(V_FAR), V_IDLE, 0, 0),
	V(230, V_FAR + 200001, 100000, 150000, 0, V_PST, V_ABOVE(V_FAR), V_DUE(1, V_FAR + 400001), 1, 0),
	V(231, V_FAR + 400001, 100000, 150000, 0, V_NONE, V_ABOVE(V_FAR), V_DUE(1, V_FAR + 400001), 1, 0),
	V(232, V_FAR + 400002, 100000, 150000, 0, V_PST, V_ABOVE(V_FAR), V_DUE(2, V_FAR + 500001), 1, 0),
};

#define C_PARAMS(instantaneous, both, ins_ns, pst_ns, interval_ns)		       \
	.ins = ECNSHARP_INS_##instantaneous, .persistent = (both), .ins_target_ns = (ins_ns), \
	.pst_target_ns = (pst_ns), .pst_interval_ns = (interval_ns)
#define C_TESTBED	C_PARAMS(STEP, true, 200000, 85000, 200000)

static const struct ecnsharp_case ecnsharp_cases[] = {
	{ ECNSHARP_VECTORS(ins_strict),
	  .params = { C_PARAMS(STEP, false, 200000, 85000, 200000) } },
	{ ECNSHARP_VECTORS(pst_level_strict),
	  .params = { C_PARAMS(OFF, true, 200000, 85000, 200000) } },
	{ ECNSHARP_VECTORS(pst_interval_strict), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(pst_due_strict), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(pst_start_at_zero), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(pst_late), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(pst_saturation), .params = { C_PARAMS(STEP, true, 10000, 2000, 4000) } },
	{ ECNSHARP_VECTORS(pst_reset), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(pst_reset_before), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(pst_below_between), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(pst_count_edge), .params = { C_TESTBED },
	  .start = { .is_above = true, .first_above_ns = 1000,
		     .marking = true, .count = 4294967294U, .next_ns = 10000000 } },
	{ ECNSHARP_VECTORS(pst_gap_zero), .params = { C_PARAMS(STEP, true, 200000, 2000, 1000) },
	  .start = { .is_above = true, .first_above_ns = 1000,
		     .marking = true, .count = 999, .next_ns = 999998 } },
	{ ECNSHARP_VECTORS(empty_ends_observation), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(empty_ends_episode), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(empty_first_mark), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(empty_instantaneous), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(both_causes), .params = { C_TESTBED } },
	{ ECNSHARP_VECTORS(pst_off), .params = { C_PARAMS(STEP, false, 200000, 85000, 200000) } },
	{ ECNSHARP_VECTORS(ins_off), .params = { C_PARAMS(OFF, true, 200000, 85000, 200000) } },
	{ ECNSHARP_VECTORS(ramp_edges), .params = { C_PARAMS(RAMP, false, 0, 85000, 200000),
		.kmin = 50000, .kmax = 150000, .pmax_q32 = 1073741824 } },
	{ ECNSHARP_VECTORS(ramp_step), .params = { C_PARAMS(RAMP, false, 0, 85000, 200000),
		.kmin = 100000, .kmax = 100000, .pmax_q32 = 4294967296ULL } },
	{ ECNSHARP_VECTORS(ramp_one), .params = { C_PARAMS(RAMP, false, 0, 85000, 200000),
		.kmax = 1000000000, .pmax_q32 = 4294967296ULL } },
	{ ECNSHARP_VECTORS(ramp_least), .params = { C_PARAMS(RAMP, false, 0, 85000, 200000),
		.kmax = 2147483647, .pmax_q32 = 4294,
		.rate_bps = 10000000000ULL, .length = true } },
	{ ECNSHARP_VECTORS(ramp_bytes), .params = { C_PARAMS(RAMP, true, 0, 85000, 200000),
		.kmin = 100000, .kmax = 400000,
		.pmax_q32 = 2147483648U, .rate_bps = 10000000000ULL, .length = true } },
	{ ECNSHARP_VECTORS(ramp_and_pst), .params = { C_PARAMS(RAMP, true, 0, 85000, 200000),
		.kmin = 90000, .kmax = 300000, .pmax_q32 = 429496729 } },
	{ ECNSHARP_VECTORS(length_strict), .params = { C_PARAMS(STEP, true, 200000, 85000, 200000),
		.rate_bps = 10000000000ULL, .length = true } },
	{ ECNSHARP_VECTORS(length_rounds_down),
	  .params = { C_PARAMS(STEP, true, 2, 3, 1000), .rate_bps = 3000000000U, .length = true } },
	{ ECNSHARP_VECTORS(length_largest),
	  .params = { C_PARAMS(STEP, true, 1000000000, 1000000000, 200000),
		.rate_bps = 1000, .length = true } },
	{ ECNSHARP_VECTORS(length_fastest), .params = { C_PARAMS(STEP, true, 1, 1, 1000),
		.rate_bps = 100000000000000ULL, .length = true } },
	{ ECNSHARP_VECTORS(late_clock), .params = { C_TESTBED } },
};

#undef V_NONE
#undef V_INS
#undef V_PST
#undef V_BOTH
#undef V_FAR
#undef V_BELOW
#undef V_ABOVE
#undef V_IDLE
#undef V_DUE
#undef V
#undef C_PARAMS
#undef C_TESTBED
#undef ECNSHARP_VECTORS

#define ECNSHARP_NR_CASES \
	((u32)(sizeof(ecnsharp_cases) / sizeof(ecnsharp_cases[0])))

/* Return: NULL, or the name of what differs from what a vector wants. */
static inline const char *ecnsharp_vector_differs(const struct ecnsharp_vector *want,
						  enum ecnsharp_verdict verdict,
						  const struct ecnsharp_vars *v,
						  const struct ecnsharp_stats *s)
{
	if (verdict != want->verdict)
		return "verdict";
	if (v->is_above != want->vars.is_above)
		return "is_above";
	if (v->is_above && v->first_above_ns != want->vars.first_above_ns)
		return "first_above_ns";
	if (v->marking != want->vars.marking)
		return "marking";
	if (v->count != want->vars.count)
		return "count";
	if (v->marking && v->next_ns != want->vars.next_ns)
		return "next_ns";
	if (s->pst_episodes != want->stats.pst_episodes)
		return "pst_episodes";
	if (s->pst_saturated != want->stats.pst_saturated)
		return "pst_saturated";
	return NULL;
}

/**
 * ecnsharp_case_run() - show the algorithm every packet of a case
 * @c: the case
 * @failed: set to the first vector that came out otherwise
 *
 * Return: NULL, or the name of what differed there.
 */
static inline const char *ecnsharp_case_run(const struct ecnsharp_case *c,
					    const struct ecnsharp_vector **failed)
{
	struct ecnsharp_vars vars = c->start;
	struct ecnsharp_stats stats = { 0 };
	enum ecnsharp_verdict verdict;
	const char *what;
	u32 i;

	for (i = 0; i < c->nr_vectors; i++) {
		verdict = ecnsharp_on_dequeue(&c->params, &vars, &stats,
					      &c->vector[i].x);
		what = ecnsharp_vector_differs(&c->vector[i], verdict, &vars,
					       &stats);
		if (what) {
			*failed = &c->vector[i];
			return what;
		}
	}
	return NULL;
}

#endif /* SHARPRAMP_ECNSHARP_VECTORS_H */
