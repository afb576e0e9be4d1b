/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp's algorithms as tables, numbered throughout: of a flow, packets that leave
 * and reports of them -> hold, beta and A(t); of a path, delays -> validity, base
 * and T.  User space's unit tests and KUnit run the same rows.
 *
 * Unless a case says otherwise: final algorithm, g 1/16, max_hold 5 ms, beta 1; T is
 * 50 us, or margin 10 us and error bounds up to 100 us.
 */
#ifndef SHARPRAMP_ONRAMP_VECTORS_H
#define SHARPRAMP_ONRAMP_VECTORS_H

#include "onramp.h"
#include "onramp_path.h"

#define O_US(x)		((x) * 1000LL)
#define O_MS(x)		((x) * 1000000LL)
#define O_PACKETS	8

/**
 * struct onramp_vector - a packet that leaves, or the report of one
 * @nr: its number, unique in this file
 * @now_ns: time
 * @packet: which, below O_PACKETS
 * @report: of its arrival; otherwise it leaves
 * @owd_ns: what is reported
 * @threshold_ns: T
 * @hold_ns: what the algorithm must decide; it is carried out
 * @bounded: by max_hold
 * @beta_q16: afterwards
 * @total_ns: A(@now_ns)
 */
struct onramp_vector {
	u32 nr;
	u64 now_ns;
	u32 packet;
	bool report;
	s64 owd_ns;
	u64 threshold_ns;
	u64 hold_ns;
	bool bounded;
	u32 beta_q16;
	u64 total_ns;
};

/**
 * struct onramp_case - the story of a flow
 * @name: of the test
 * @params: in force throughout
 * @beta_q16: at the start
 * @vector: what happens
 * @nr_vectors: how much
 */
struct onramp_case {
	const char *name;
	struct onramp_params params;
	u32 beta_q16;
	const struct onramp_vector *vector;
	u32 nr_vectors;
};

/**
 * struct onramp_path_vector - a report on a path
 * @nr: its number, unique in this file
 * @r: the report
 * @held_for_ns: the path was held for so long from the last report on
 * @validity: what the judge must say
 * @suspect: afterwards
 * @base_ns: afterwards; -1 if there must be none
 * @threshold_ns: T, afterwards; 0 if there is no base
 */
struct onramp_path_vector {
	u32 nr;
	struct onramp_report r;
	u64 held_for_ns;
	enum onramp_validity validity;
	bool suspect;
	s64 base_ns;
	u64 threshold_ns;
};

/**
 * struct onramp_path_case - the story of a path
 * @name: of the test
 * @params: in force throughout
 * @vector: what happens
 * @nr_vectors: how much
 */
struct onramp_path_case {
	const char *name;
	struct onramp_path_params params;
	const struct onramp_path_vector *vector;
	u32 nr_vectors;
};

#define O_VECTORS(n)							       \
	.name = #n, .vector = onramp_vectors_##n,			       \
	.nr_vectors = sizeof(onramp_vectors_##n) / sizeof(onramp_vectors_##n[0])
#define O_SEND(nr, now, packet, beta, total)				       \
	{ nr, now, packet, false, 0, 0, 0, false, beta, total }
#define O_ACK(nr, now, packet, owd, t, hold, beta, total)		       \
	{ nr, now, packet, true, owd, t, hold, false, beta, total }
#define O_ACK_BOUNDED(nr, now, packet, owd, t, hold, beta, total)	       \
	{ nr, now, packet, true, owd, t, hold, true, beta, total }
#define O_ONE		ONRAMP_BETA_ONE
#define O_FAR		(1ULL << 62)

/* Two packets show the same queue: together they require one hold, not two. */
static const struct onramp_vector onramp_vectors_final[] = {
	O_SEND(1, O_US(0), 0, O_ONE, 0),
	O_SEND(2, O_US(10), 1, O_ONE, 0),
	O_SEND(3, O_US(20), 2, O_ONE, 0),
	O_ACK(4, O_US(100), 0, O_US(100), O_US(50), O_US(50), O_ONE, 0),
	O_ACK(5, O_US(110), 1, O_US(100), O_US(50), O_US(40), O_ONE, O_US(10)),
	O_ACK(6, O_US(150), 2, O_US(100), O_US(50), 0, O_ONE, O_US(50)),
	O_SEND(7, O_US(150), 3, O_ONE, O_US(50)),
	O_ACK(8, O_US(250), 3, O_US(50), O_US(50), 0, O_ONE, O_US(50)),
};

/* The strawman holds anew for what the hold in flight has already done. */
static const struct onramp_vector onramp_vectors_strawman[] = {
	O_SEND(11, O_US(0), 0, O_ONE, 0),
	O_SEND(12, O_US(10), 1, O_ONE, 0),
	O_SEND(13, O_US(20), 2, O_ONE, 0),
	O_ACK(14, O_US(100), 0, O_US(100), O_US(50), O_US(50), O_ONE, 0),
	O_ACK(15, O_US(110), 1, O_US(100), O_US(50), O_US(50), O_ONE, O_US(10)),
	O_ACK(16, O_US(150), 2, O_US(100), O_US(50), O_US(50), O_ONE, O_US(50)),
	O_SEND(17, O_US(200), 3, O_ONE, O_US(100)),
	O_SEND(18, O_US(250), 4, O_ONE, O_US(100)),
};

/* A smaller delay shortens a hold; one at T leaves it; one below T, too. */
static const struct onramp_vector onramp_vectors_shortened[] = {
	O_SEND(21, O_US(0), 0, O_ONE, 0),
	O_SEND(22, O_US(1), 1, O_ONE, 0),
	O_SEND(23, O_US(2), 2, O_ONE, 0),
	O_SEND(24, O_US(3), 3, O_ONE, 0),
	O_ACK(25, O_US(200), 0, O_US(150), O_US(50), O_US(100), O_ONE, 0),
	O_ACK(26, O_US(210), 1, O_US(75), O_US(50), O_US(15), O_ONE, O_US(10)),
	O_ACK(27, O_US(215), 2, O_US(65), O_US(50), 0, O_ONE, O_US(15)),
	O_ACK(28, O_US(220), 3, O_US(1), O_US(50), 0, O_ONE, O_US(20)),
	O_SEND(29, O_US(225), 4, O_ONE, O_US(25)),
	O_SEND(30, O_US(400), 5, O_ONE, O_US(25)),
};

/* 40 us of hold took 20 us off the delay: beta goes 1/16 of the way to 1/2. */
static const struct onramp_vector onramp_vectors_beta_falls[] = {
	O_SEND(31, O_US(0), 0, O_ONE, 0),
	O_ACK(32, O_US(100), 0, O_US(90), O_US(50), O_US(40), O_ONE, 0),
	O_SEND(33, O_US(140), 1, O_ONE, O_US(40)),
	O_ACK(34, O_US(240), 1, O_US(70), O_US(50), O_US(20), 63488, O_US(40)),
	O_SEND(35, O_US(240), 2, 63488, O_US(40)),
	/* A rise in spite of 20 us of hold counts as 0. */
	O_SEND(36, O_US(260), 3, 63488, O_US(60)),
	O_ACK(37, O_US(340), 2, O_US(50), O_US(50), 0, 63488, O_US(60)),
	O_ACK(38, O_US(360), 3, O_US(60), O_US(50), O_US(10), 59520, O_US(60)),
	/* Fell by more than the hold: counts as 1. */
	O_SEND(39, O_US(370), 4, 59520, O_US(70)),
	O_ACK(40, O_US(470), 4, O_US(20), O_US(50), 0, 59896, O_US(70)),
};

/* The same, weighted: holds of 40, 20 and 10 us are 4/5, 2/5 and 1/5 of T. */
static const struct onramp_vector onramp_vectors_weighted[] = {
	O_SEND(91, O_US(0), 0, O_ONE, 0),
	O_ACK(92, O_US(100), 0, O_US(90), O_US(50), O_US(40), O_ONE, 0),
	O_SEND(93, O_US(140), 1, O_ONE, O_US(40)),
	O_ACK(94, O_US(240), 1, O_US(70), O_US(50), O_US(20), 63898, O_US(40)),
	O_SEND(95, O_US(240), 2, 63898, O_US(40)),
	O_SEND(96, O_US(260), 3, 63898, O_US(60)),
	O_ACK(97, O_US(340), 2, O_US(50), O_US(50), 0, 63898, O_US(60)),
	O_ACK(98, O_US(360), 3, O_US(60), O_US(50), O_US(10), 62301, O_US(60)),
	O_SEND(99, O_US(370), 4, 62301, O_US(70)),
	O_ACK(100, O_US(470), 4, O_US(20), O_US(50), 0, 62341, O_US(70)),
};

/* The path's beta is used, here a half: 20 us instead of 40. */
static const struct onramp_vector onramp_vectors_half[] = {
	O_SEND(41, O_US(0), 0, O_ONE / 2, 0),
	O_SEND(42, O_US(1), 1, O_ONE / 2, 0),
	O_ACK(43, O_US(100), 0, O_US(150), O_US(50), O_US(100), O_ONE / 2, 0),
	O_ACK(44, O_US(140), 1, O_US(150), O_US(50), O_US(80), O_ONE / 2, O_US(40)),
};

/* With g = 1, beta is what was measured last, here 5 of 20 us. */
static const struct onramp_vector onramp_vectors_g_one[] = {
	O_SEND(51, O_US(0), 0, O_ONE, 0),
	O_ACK(52, O_US(100), 0, O_US(70), O_US(50), O_US(20), O_ONE, 0),
	O_SEND(53, O_US(120), 1, O_ONE, O_US(20)),
	O_ACK(54, O_US(220), 1, O_US(65), O_US(50), O_US(15), O_ONE / 4, O_US(20)),
};

/* Behind a later one: no measurement, and the later one stays the last. */
static const struct onramp_vector onramp_vectors_late[] = {
	O_SEND(61, O_US(0), 0, O_ONE, 0),
	O_SEND(62, O_US(10), 1, O_ONE, 0),
	O_ACK(63, O_US(100), 0, O_US(90), O_US(50), O_US(40), O_ONE, 0),
	O_SEND(64, O_US(150), 2, O_ONE, O_US(40)),
	O_ACK(65, O_US(250), 2, O_US(50), O_US(50), 0, O_ONE, O_US(40)),
	O_ACK(66, O_US(260), 1, O_US(500), O_US(50), O_US(410), O_ONE, O_US(40)),
	O_SEND(67, O_US(270), 3, O_ONE, O_US(50)),
	O_ACK(68, O_US(370), 3, O_US(50), O_US(50), 0, 61440, O_US(150)),
};

/* Never longer than max_hold; exactly as long is not bounded. */
static const struct onramp_vector onramp_vectors_bounded[] = {
	O_SEND(71, O_US(0), 0, O_ONE, 0),
	O_ACK(72, O_MS(10), 0, O_MS(5) + O_US(50), O_US(50), O_MS(5), O_ONE, 0),
	O_SEND(73, O_MS(20), 1, O_ONE, O_MS(5)),
	O_ACK_BOUNDED(74, O_MS(30), 1, O_MS(5) + O_US(50) + 1, O_US(50), O_MS(5), 61440, O_MS(5)),
	O_SEND(75, O_MS(60), 2, 61440, O_MS(10)),
	O_ACK_BOUNDED(76, O_MS(70), 2, S64_MAX, O_US(50), O_MS(5), 57600, O_MS(10)),
	O_SEND(77, O_MS(80), 3, 57600, O_MS(15)),
};

/* 40 days of hold, behind and in flight; a negative delay holds nothing. */
static const struct onramp_vector onramp_vectors_long[] = {
	O_SEND(81, 0, 0, O_ONE, 0),
	O_SEND(82, 1, 1, O_ONE, 0),
	O_ACK(83, 2, 0, O_FAR, 0, O_FAR, O_ONE, 0),
	O_ACK(84, 2 + (1ULL << 52), 1, O_FAR, 0, O_FAR - (1ULL << 52), O_ONE, 1ULL << 52),
	O_SEND(85, 2 + (1ULL << 52), 2, O_ONE, 1ULL << 52),
	O_ACK(86, 3 + (1ULL << 52), 2, O_FAR - (1ULL << 51), 0,
	      O_FAR - (1ULL << 51), 63488, 1 + (1ULL << 52)),
	O_ACK(87, 4 + (1ULL << 52), 0, -1, 0, 0, 63488, 2 + (1ULL << 52)),
};

#define O_PARAMS(law, gain, max_hold)					       \
	.params = { law, gain, max_hold }, .beta_q16 = ONRAMP_BETA_ONE

static const struct onramp_case onramp_cases[] = {
	{ O_VECTORS(final), O_PARAMS(ONRAMP_FINAL, 16, O_MS(5)) },
	{ O_VECTORS(strawman), O_PARAMS(ONRAMP_STRAWMAN, 16, O_MS(5)) },
	{ O_VECTORS(shortened), O_PARAMS(ONRAMP_FINAL, 16, O_MS(5)) },
	{ O_VECTORS(beta_falls), O_PARAMS(ONRAMP_FINAL, 16, O_MS(5)) },
	{ O_VECTORS(weighted), O_PARAMS(ONRAMP_WEIGHTED, 16, O_MS(5)) },
	{ O_VECTORS(half), .params = { ONRAMP_FINAL, 16, O_MS(5) }, .beta_q16 = O_ONE / 2 },
	{ O_VECTORS(g_one), O_PARAMS(ONRAMP_FINAL, 1, O_MS(5)) },
	{ O_VECTORS(late), O_PARAMS(ONRAMP_FINAL, 16, O_MS(5)) },
	{ O_VECTORS(bounded), O_PARAMS(ONRAMP_FINAL, 16, O_MS(5)) },
	{ O_VECTORS(long), O_PARAMS(ONRAMP_FINAL, 16, O_FAR) },
};

#define ONRAMP_NR_CASES (sizeof(onramp_cases) / sizeof(onramp_cases[0]))

#define O_REPORT(now, owd, error, epoch)				       \
	{ O_MS(now), O_MS(now) - O_US(900), owd, error, epoch, true }
#define O_GOOD(nr, now, owd, error, base)				       \
	{ nr, O_REPORT(now, owd, error, 1), 0, ONRAMP_VALID, false, base,      \
	  (base) + 2 * (error) + O_US(10) }

/* The lowest delay is the base; it rises with the error bound only. */
static const struct onramp_path_vector onramp_vectors_base[] = {
	O_GOOD(101, 1, O_US(30), O_US(1), O_US(30)),
	O_GOOD(102, 2, O_US(20), O_US(1), O_US(20)),
	O_GOOD(103, 3, O_US(40), O_US(1), O_US(20)),
	O_GOOD(104, 4, O_US(40), O_US(6), O_US(25)),
	O_GOOD(105, 5, O_US(40), O_US(2), O_US(25)),
	O_GOOD(106, 6, O_US(40), O_US(6), O_US(25)),
	O_GOOD(107, 7, O_US(24), O_US(6), O_US(24)),
	O_GOOD(108, 60000, O_US(40), O_US(6), O_US(24)),
};

/* Impossible delays change nothing. */
static const struct onramp_path_vector onramp_vectors_impossible[] = {
	{ 111, { O_MS(1), O_US(900), O_US(10), 0, 1, false }, 0, ONRAMP_NO_CLOCK, false, -1, 0 },
	{ 112, O_REPORT(2, O_US(10), O_US(100) + 1, 1), 0, ONRAMP_UNCERTAIN, false, -1, 0 },
	{ 113, O_REPORT(3, -1, 0, 1), 0, ONRAMP_NEGATIVE, false, -1, 0 },
	{ 114, O_REPORT(4, O_US(900) + 1, 0, 1), 0, ONRAMP_TOO_LONG, false, -1, 0 },
	{ 115, O_REPORT(5, O_US(900), O_US(100), 1), 0, ONRAMP_VALID, false, O_US(900), O_US(1110) },
	{ 116, O_REPORT(6, -1, O_US(100), 1), 0, ONRAMP_NEGATIVE, false, O_US(900), O_US(1110) },
	{ 117, O_REPORT(7, 0, O_US(100), 1), 0, ONRAMP_VALID, false, 0, O_US(210) },
};

/* Another epoch begins anew, with the base and with the bound. */
static const struct onramp_path_vector onramp_vectors_epoch[] = {
	O_GOOD(121, 1, O_US(20), O_US(50), O_US(20)),
	{ 122, O_REPORT(2, O_US(500), O_US(1), 2), 0, ONRAMP_VALID, false, O_US(500), O_US(512) },
	{ 123, O_REPORT(3, O_US(600), O_US(3), 2), 0, ONRAMP_VALID, false, O_US(502), O_US(518) },
};

/* A base falls freely for a second; then a fall by more than the bound is a step. */
static const struct onramp_path_vector onramp_vectors_below[] = {
	O_GOOD(131, 1, O_US(100), O_US(1), O_US(100)),
	O_GOOD(132, 1000, O_US(90), O_US(1), O_US(90)),
	O_GOOD(133, 1999, O_US(88), O_US(1), O_US(88)),
	O_GOOD(134, 2999, O_US(87), O_US(1), O_US(87)),
	{ 135, O_REPORT(3001, O_US(86) - 1, O_US(1), 1), 0, ONRAMP_BELOW_BASE, true, O_US(86) - 1, O_US(98) - 1 },
	{ 136, O_REPORT(3002, O_US(95), O_US(1), 1), 0, ONRAMP_SUSPECT, true, O_US(86) - 1, O_US(98) - 1 },
	{ 137, O_REPORT(3050, O_US(80), O_US(1), 1), 0, ONRAMP_SUSPECT, true, O_US(80), O_US(92) },
	O_GOOD(138, 3051, O_US(95), O_US(1), O_US(80)),
};

/* The clock was stepped: in vain through two windows, cleared by a new base. */
static const struct onramp_path_vector onramp_vectors_vain[] = {
	O_GOOD(141, 1, O_US(20), O_US(1), O_US(20)),
	{ 142, O_REPORT(51, O_US(60), O_US(1), 1), O_MS(40), ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 143, O_REPORT(100, O_US(61), O_US(1), 1), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 144, O_REPORT(101, O_US(60), O_US(1), 1), 0, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 145, O_REPORT(150, O_US(59), O_US(1), 1), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 146, O_REPORT(151, O_US(60), O_US(1), 1), 0, ONRAMP_SUSPECT, true, O_US(60), O_US(72) },
	{ 147, O_REPORT(200, O_US(58), O_US(1), 1), 0, ONRAMP_SUSPECT, true, O_US(58), O_US(70) },
	O_GOOD(148, 201, O_US(58), O_US(1), O_US(58)),
};

/* With a given T, what clears is a delay that is not above it. */
static const struct onramp_path_vector onramp_vectors_given[] = {
	{ 151, O_REPORT(1, O_US(40), O_US(1), 1), 0, ONRAMP_VALID, false, O_US(40), O_US(50) },
	{ 152, O_REPORT(51, O_US(90), O_US(1), 1), 1, ONRAMP_VALID, false, O_US(40), O_US(50) },
	{ 153, O_REPORT(101, O_US(90), O_US(1), 1), 1, ONRAMP_VALID, false, O_US(40), O_US(50) },
	{ 154, O_REPORT(151, O_US(90), O_US(1), 1), 1, ONRAMP_SUSPECT, true, O_US(90), O_US(50) },
	{ 155, O_REPORT(700, O_US(51), O_US(10), 1), 0, ONRAMP_SUSPECT, true, O_US(51), O_US(50) },
	{ 156, O_REPORT(701, O_US(50), O_US(10), 1), 0, ONRAMP_VALID, false, O_US(50), O_US(50) },
};

/* A window without a hold is not in vain; nor is one with a delay at T. */
static const struct onramp_path_vector onramp_vectors_not_in_vain[] = {
	O_GOOD(161, 1, O_US(20), O_US(1), O_US(20)),
	O_GOOD(162, 51, O_US(99), O_US(1), O_US(20)),
	O_GOOD(163, 101, O_US(99), O_US(1), O_US(20)),
	{ 164, O_REPORT(151, O_US(99), O_US(1), 1), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 165, O_REPORT(160, O_US(32), O_US(1), 1), 0, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 166, O_REPORT(201, O_US(99), O_US(1), 1), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 167, O_REPORT(251, O_US(99), O_US(1), 1), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 168, O_REPORT(301, O_US(99), O_US(1), 1), 1, ONRAMP_SUSPECT, true, O_US(99), O_US(111) },
};

#define O_RTT(now, owd, rtt)						       \
	{ O_MS(now), O_MS(now) - (rtt), owd, O_US(1), 1, true }

/* A queue lengthens the feedback RTT as it does the delay; twice the bound is allowed. */
static const struct onramp_path_vector onramp_vectors_explained[] = {
	O_GOOD(171, 1, O_US(20), O_US(1), O_US(20)),
	{ 172, O_RTT(51, O_US(99), O_US(977)), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 173, O_RTT(101, O_US(99), O_US(977)), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 174, O_RTT(151, O_US(99), O_US(977)), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 175, O_RTT(201, O_US(99), O_US(977) - 1), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 176, O_RTT(251, O_US(99), O_US(977) - 1), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 177, O_RTT(301, O_US(99), O_US(977)), 1, ONRAMP_SUSPECT, true, O_US(99), O_US(111) },
};

/* Stepped by 100 us, with a queue of 300: the new base is without the queue. */
static const struct onramp_path_vector onramp_vectors_stepped[] = {
	O_GOOD(181, 1, O_US(20), O_US(1), O_US(20)),
	{ 182, O_RTT(51, O_US(420), O_US(1200)), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 183, O_RTT(101, O_US(420), O_US(1200)), 1, ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 184, O_RTT(151, O_US(420), O_US(1250)), 1, ONRAMP_SUSPECT, true, O_US(420), O_US(432) },
	{ 185, O_RTT(160, O_US(430), O_US(1210)), 1, ONRAMP_SUSPECT, true, O_US(420), O_US(432) },
	{ 186, O_RTT(201, O_US(410), O_US(1300)), 0, ONRAMP_VALID, false, O_US(120), O_US(132) },
	/* Nothing of this is left for the next window. */
	{ 187, O_RTT(251, O_US(140), O_US(920)), 1, ONRAMP_VALID, false, O_US(120), O_US(132) },
};

#define O_WAIT(nr, now, owd)						       \
	{ nr, O_RTT(now, owd, (owd) + O_US(880)), O_MS(26), ONRAMP_VALID,	\
	  false, O_US(20), O_US(32) }
#define O_WAIT_4(nr, now, owd)						       \
	O_WAIT(nr, now, owd), O_WAIT((nr) + 1, (now) + 50, owd),	       \
	O_WAIT((nr) + 2, (now) + 100, owd), O_WAIT((nr) + 3, (now) + 150, owd)
#define O_WAIT_20(nr, now, owd)						       \
	O_WAIT_4(nr, now, owd), O_WAIT_4((nr) + 4, (now) + 200, owd),	       \
	O_WAIT_4((nr) + 8, (now) + 400, owd), O_WAIT_4((nr) + 12, (now) + 600, owd), \
	O_WAIT_4((nr) + 16, (now) + 800, owd)

/* A longer way, there and back: in vain for two seconds, then a new base. */
static const struct onramp_path_vector onramp_vectors_route[] = {
	O_GOOD(201, 1, O_US(20), O_US(1), O_US(20)),
	O_WAIT(202, 51, O_US(99)),
	O_WAIT_20(203, 101, O_US(88)),
	O_WAIT_4(223, 1101, O_US(110)),
	O_WAIT_4(227, 1301, O_US(99)),
	O_WAIT_4(231, 1501, O_US(99)),
	O_WAIT_4(235, 1701, O_US(99)),
	O_WAIT(239, 1901, O_US(99)),
	O_WAIT(240, 1951, O_US(99)),
	O_WAIT(241, 2001, O_US(99)),
	{ 242, O_RTT(2051, O_US(99), O_US(999)), O_MS(26), ONRAMP_SUSPECT, true, O_US(99), O_US(111) },
	{ 243, O_RTT(2101, O_US(100), O_US(990)), 0, ONRAMP_VALID, false, O_US(99), O_US(111) },
};

#define O_REST(nr, now, owd)						       \
	{ nr, O_RTT(now, owd, (owd) + O_US(880)), 0, ONRAMP_SUSPECT, true,    \
	  O_US(20), O_US(32) }
/* Its first, with the window that was held in vain. */
#define O_FALLS(nr, now, owd)						       \
	{ nr, O_RTT(now, owd, (owd) + O_US(880)), O_MS(26), ONRAMP_SUSPECT, true, \
	  O_US(20), O_US(32) }
#define O_REST_4(nr, now, owd)						       \
	O_REST(nr, now, owd), O_REST((nr) + 1, (now) + 50, owd),	       \
	O_REST((nr) + 2, (now) + 100, owd), O_REST((nr) + 3, (now) + 150, owd)
#define O_REST_20(nr, now, owd)						       \
	O_REST_4(nr, now, owd), O_REST_4((nr) + 4, (now) + 200, owd),	       \
	O_REST_4((nr) + 8, (now) + 400, owd), O_REST_4((nr) + 12, (now) + 600, owd), \
	O_REST_4((nr) + 16, (now) + 800, owd)

/* Half of the time is not more than half of it; what comes next is the first. */
static const struct onramp_path_vector onramp_vectors_half_held[] = {
	O_GOOD(251, 1, O_US(20), O_US(1), O_US(20)),
	O_WAIT_20(252, 51, O_US(99)),
	O_WAIT_4(272, 1051, O_US(99)),
	O_GOOD(276, 1251, O_US(32), O_US(1), O_US(20)),
	{ 277, O_RTT(1301, O_US(105), O_US(985)), O_MS(25), ONRAMP_VALID, false, O_US(20), O_US(32) },
	{ 278, O_RTT(1351, O_US(105), O_US(985)), O_MS(25), ONRAMP_VALID, false, O_US(20), O_US(32) },
	O_WAIT_20(279, 1401, O_US(115)),
	O_WAIT_4(299, 2401, O_US(115)),
	O_WAIT_4(303, 2601, O_US(115)),
	O_WAIT_4(307, 2801, O_US(115)),
	O_WAIT_4(311, 3001, O_US(115)),
	O_WAIT(315, 3201, O_US(115)),
	O_WAIT(316, 3251, O_US(115)),
	O_WAIT(317, 3301, O_US(115)),
	{ 318, O_RTT(3351, O_US(115), O_US(995)), O_MS(26), ONRAMP_SUSPECT, true, O_US(115), O_US(127) },
};

/*
 * A queue that others keep up is a route only if it is steady for two seconds;
 * if it is not, the path backs off for as long, and is tried for a window.
 */
static const struct onramp_path_vector onramp_vectors_queue[] = {
	O_GOOD(321, 1, O_US(20), O_US(1), O_US(20)),
	O_WAIT_20(322, 51, O_US(99)),
	O_WAIT_20(342, 1051, O_US(110) + 1),
	O_FALLS(362, 2051, O_US(110) + 1),
	O_REST_20(363, 2101, O_US(110) + 1),
	O_REST_4(383, 3101, O_US(110) + 1),
	O_REST_4(387, 3301, O_US(110) + 1),
	O_REST_4(391, 3501, O_US(110) + 1),
	O_REST_4(395, 3701, O_US(110) + 1),
	O_REST(399, 3901, O_US(110) + 1),
	O_REST(400, 3951, O_US(110) + 1),
	O_REST(401, 4001, O_US(110) + 1),
	O_WAIT(402, 4051, O_US(99)),
	O_FALLS(403, 4101, O_US(99)),
	/* A delay that is not above T wakes it, and ends the suspicion. */
	O_REST(404, 4151, O_US(32) + 1),
	O_GOOD(405, 4160, O_US(32), O_US(1), O_US(20)),
	O_WAIT_20(406, 4201, O_US(99)),
	O_WAIT_20(426, 5201, O_US(88) - 1),
	O_FALLS(446, 6201, O_US(99)),
};

#define O_BACK(nr, now, back, held_for, is)				       \
	{ nr, O_RTT(now, O_US(99), O_US(99) + (back)), held_for,		       \
	  (is) ? ONRAMP_SUSPECT : ONRAMP_VALID, is, O_US(20), O_US(32) }

/* Something waits on the way back: five windows; but not if it is no more than the bound. */
static const struct onramp_path_vector onramp_vectors_hidden[] = {
	O_GOOD(451, 1, O_US(20), O_US(1), O_US(20)),
	O_BACK(452, 51, O_US(882) + 1, O_MS(26), false),
	O_BACK(453, 101, O_US(882) + 1, O_MS(26), false),
	O_BACK(454, 151, O_US(882) + 1, O_MS(26), false),
	O_BACK(455, 201, O_US(882), O_MS(26), false),
	O_BACK(456, 251, O_US(882) + 1, O_MS(26), false),
	/* Windows that are held for half of the time do not count. */
	O_BACK(457, 301, O_US(882) + 1, O_MS(25), false),
	O_BACK(458, 351, O_US(882) + 1, O_MS(26), false),
	O_BACK(459, 401, O_US(990), O_MS(26), true),
	/* While it backs off, what tells of a clock counts, though nothing is held. */
	O_BACK(460, 451, O_US(878), 0, true),
	O_BACK(461, 501, O_US(878) - 1, 0, true),
	O_BACK(462, 551, O_US(878) - 1, 0, true),
	{ 463, O_RTT(601, O_US(99), O_US(979)), 0, ONRAMP_SUSPECT, true, O_US(99), O_US(111) },
	/* The RTT's base is that of the windows that showed it, not of this one. */
	{ 464, O_RTT(651, O_US(99), O_US(979)), 0, ONRAMP_VALID, false, O_US(22) + 1, O_US(34) + 1 },
};

#define O_MOVES(nr, now, far)						       \
	O_WAIT(nr, now, O_US(62)),					       \
	{ (nr) + 1, O_RTT((now) + 1, far, (far) + O_US(880)), O_MS(26),       \
	  ONRAMP_VALID, false, O_US(20), O_US(32) }
#define O_MOVES_4(nr, now, far)						       \
	O_MOVES(nr, now, far), O_MOVES((nr) + 2, (now) + 50, far),	       \
	O_MOVES((nr) + 4, (now) + 100, far), O_MOVES((nr) + 6, (now) + 150, far)
#define O_MOVES_20(nr, now, far)					       \
	O_MOVES_4(nr, now, far), O_MOVES_4((nr) + 8, (now) + 200, far),	       \
	O_MOVES_4((nr) + 16, (now) + 400, far), O_MOVES_4((nr) + 24, (now) + 600, far), \
	O_MOVES_4((nr) + 32, (now) + 800, far)

/* 30 us stand and 45 is the mean, so the rest moves: a queue, and no suspicion. */
static const struct onramp_path_vector onramp_vectors_moves[] = {
	O_GOOD(501, 1, O_US(20), O_US(1), O_US(20)),
	O_WAIT_20(502, 51, O_US(90)),
	O_MOVES_20(522, 1051, O_US(92)),
	/* Twenty windows lower as many points as twenty have added. */
	O_WAIT_20(562, 2051, O_US(90)),
	O_WAIT_4(582, 3051, O_US(90)),
	O_WAIT_4(586, 3251, O_US(70)),
	O_WAIT_4(590, 3451, O_US(90)),
	O_WAIT_4(594, 3651, O_US(70)),
	O_WAIT(598, 3851, O_US(90)),
	O_WAIT(599, 3901, O_US(90)),
	O_WAIT(600, 3951, O_US(90)),
	O_WAIT(601, 4001, O_US(90)),
	O_FALLS(602, 4051, O_US(90)),
};

/* A nanosecond less, and they stand. */
static const struct onramp_path_vector onramp_vectors_stands[] = {
	O_GOOD(611, 1, O_US(20), O_US(1), O_US(20)),
	O_WAIT(612, 51, O_US(90)),
	O_MOVES_20(613, 101, O_US(92) - 1),
	O_WAIT_4(653, 1101, O_US(90)),
	O_WAIT_4(657, 1301, O_US(90)),
	O_WAIT_4(661, 1501, O_US(90)),
	O_WAIT_4(665, 1701, O_US(90)),
	O_WAIT(669, 1901, O_US(90)),
	O_WAIT(670, 1951, O_US(90)),
	O_WAIT(671, 2001, O_US(90)),
	O_FALLS(672, 2051, O_US(90)),
};

#define O_SHORT(nr, now, held_for)						       \
	{ nr, O_RTT(now, O_US(99), O_US(979)), held_for, ONRAMP_VALID, false,	  \
	  O_US(20), O_US(32) }
#define O_LONG(nr, now)							       \
	{ nr, O_RTT(now, O_US(99), O_US(99) - 1), 0, ONRAMP_TOO_LONG, false,  \
	  O_US(20), O_US(32) }

/* A delay longer than the elapsed time counts for its own window if the path was held at all. */
static const struct onramp_path_vector onramp_vectors_longer[] = {
	O_GOOD(691, 1, O_US(20), O_US(1), O_US(20)),
	O_SHORT(692, 51, 1),
	O_LONG(693, 52),
	O_SHORT(694, 101, 1),
	O_LONG(695, 102),
	O_SHORT(696, 151, 1),
	O_LONG(697, 152),
	O_SHORT(698, 201, 1),
	O_LONG(699, 202),
	/* Not if it was not held, nor if none was longer. */
	O_SHORT(700, 251, 0),
	O_LONG(701, 252),
	O_SHORT(702, 301, 1),
	O_SHORT(703, 351, 1),
	O_LONG(704, 352),
	{ 705, O_RTT(401, O_US(99), O_US(979)), 1, ONRAMP_SUSPECT, true, O_US(20), O_US(32) },
};

static const struct onramp_path_case onramp_path_cases[] = {
	{ O_VECTORS(base), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(impossible), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(epoch), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(below), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(vain), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(given), .params = { O_US(50), O_US(10), O_US(100) } },
	{ O_VECTORS(not_in_vain), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(explained), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(stepped), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(route), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(half_held), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(queue), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(hidden), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(moves), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(stands), .params = { 0, O_US(10), O_US(100) } },
	{ O_VECTORS(longer), .params = { 0, O_US(10), O_US(100) } },
};

#define ONRAMP_NR_PATH_CASES (sizeof(onramp_path_cases) / sizeof(onramp_path_cases[0]))

static inline const char *onramp_vector_differs(const struct onramp_vector *want,
						const struct onramp_decision *d,
						const struct onramp_vars *v,
						u64 total_ns)
{
	if (total_ns != want->total_ns)
		return "A(now)";
	if (v->beta_q16 != want->beta_q16)
		return "beta";
	if (d->hold_ns != want->hold_ns)
		return "hold_ns";
	if (d->bounded != want->bounded)
		return "bounded";
	return NULL;
}

/**
 * onramp_case_run() - a flow lives through a case
 * @c: the case
 * @failed: written: the row that went wrong, if any
 *
 * Return: what was wrong; NULL if nothing.
 */
static inline const char *onramp_case_run(const struct onramp_case *c,
					  const struct onramp_vector **failed)
{
	struct onramp_sample sent[O_PACKETS] = {};
	struct onramp_hold hold = {};
	struct onramp_vars v = {};
	const char *what;
	u32 i;

	onramp_vars_init(&v, c->beta_q16);
	for (i = 0; i < c->nr_vectors; i++) {
		const struct onramp_vector *w = &c->vector[i];
		u64 total_ns = onramp_hold_total(&hold, w->now_ns);
		struct onramp_sample *x = &sent[w->packet];
		struct onramp_decision d = {};

		if (w->report) {
			x->owd_ns = w->owd_ns;
			x->threshold_ns = w->threshold_ns;
			x->total_now_ns = total_ns;
			d = onramp_on_sample(&c->params, &v, x);
		} else {
			x->tx_ns = w->now_ns;
			x->total_ns = total_ns;
		}
		if (d.hold_ns)
			onramp_hold_set(&hold, w->now_ns, w->now_ns + d.hold_ns);
		what = onramp_vector_differs(w, &d, &v, total_ns);
		if (what) {
			*failed = w;
			return what;
		}
	}
	return NULL;
}

static inline const char *
onramp_path_vector_differs(const struct onramp_path_case *c,
			   const struct onramp_path_vector *want,
			   const struct onramp_path_vars *v, enum onramp_validity validity)
{
	if (validity != want->validity)
		return "validity";
	if (v->suspect != want->suspect)
		return "suspect";
	if (v->has_base != (want->base_ns >= 0))
		return "has_base";
	if (v->has_base && v->base_ns != want->base_ns)
		return "base_ns";
	if (v->has_base && onramp_path_threshold(&c->params, v, want->r.error_ns) !=
	    want->threshold_ns)
		return "T";
	return NULL;
}

/**
 * onramp_path_case_run() - a path lives through a case
 * @c: the case
 * @failed: written: the row that went wrong, if any
 *
 * Return: what was wrong; NULL if nothing.
 */
static inline const char *
onramp_path_case_run(const struct onramp_path_case *c,
		     const struct onramp_path_vector **failed)
{
	struct onramp_path_vars v = {};
	enum onramp_validity validity;
	u64 last_ns = 0;
	const char *what;
	u32 i;

	for (i = 0; i < c->nr_vectors; i++) {
		const struct onramp_path_vector *w = &c->vector[i];

		if (w->held_for_ns)
			onramp_path_hold(&v, last_ns, last_ns + w->held_for_ns);
		validity = onramp_path_judge(&c->params, &v, &w->r);
		last_ns = w->r.now_ns;
		what = onramp_path_vector_differs(c, w, &v, validity);
		if (what) {
			*failed = w;
			return what;
		}
	}
	return NULL;
}

#endif /* SHARPRAMP_ONRAMP_VECTORS_H */
