/* SPDX-License-Identifier: GPL-2.0 */
/*
 * An edge over many windows: what the earlier ones taught of its slope and of
 * its least delay sum makes the next one's line better, and tells how good it is.
 *
 * Two clocks' drift turns slowly, by some ppb in a window, while a window under
 * load may tell it to tens of ppm only: its clean samples are few and of one
 * short time.  A slope that is known makes one clean sample of each direction
 * enough.
 *
 * Under full buffers even one is often missing.  So a line is fitted to the union of the last
 * windows as well, of as many as make the sum of its bias and its standard deviation
 * least.  Two clocks that ramp leave a line of a time T by up to A T^2 / 8, where A is
 * EDGE_FILTER_RAMP_PPB, which limits how many these are.
 */
#ifndef HUYGENS_EDGE_FILTER_H
#define HUYGENS_EDGE_FILTER_H

#include "edge.h"
#include "edge_history.h"
#include "delay_sum.h"
#include "kalman.h"

/* Standard deviations that are added to an edge's own: stamps' resolution. */
#define EDGE_FILTER_SIGMA_SOFTWARE_NS	50.0
#define EDGE_FILTER_SIGMA_HARDWARE_NS	4.0

/* By what stamps make delays differ of samples that found no queue. */
#define EDGE_FILTER_NEAR_NS			2500.0

/* And the extra spread of the lowest, of a NIC's stamps. */
#define EDGE_FILTER_CLOSE_HARDWARE_NS	50.0

/* The drift between two clocks, each KALMAN_HOST_CLOCK: 2^0.5 times as much. */
#define EDGE_FILTER_CLOCKS	((struct kalman_clock){ 4.25, 7.1, 50 })

/* Change of it in a second, at most: each ramps by 5 ppb/s. */
#define EDGE_FILTER_RAMP_PPB	10.0

/**
 * struct edge_filter - what earlier windows taught; zero it to begin
 * @delay_sum: of the delay sum
 * @theta: of theta and its slope, over the owner's local time
 * @history: the last windows
 * @since: windows since the one, or the union, that was clean last
 */
struct edge_filter {
	struct delay_sum delay_sum;
	struct kalman theta;
	struct edge_history history;
	uint32_t since;
};

/**
 * struct edge_filter_error - what an edge's line is worth
 * @windows: of so many windows the samples are, 1 or more
 * @sigma_ns: standard deviation of its theta, above 0; times the root of @windows, since so
 *	many lines share the samples and are averaged as if they did not
 * @sigma_ppb: that of its drift, likewise
 * @bias_ns: how far theta may be off beyond that: a queue that never emptied,
 *	clean samples of one short time; 0 or more.  It is a limit, but where a
 *	queue stands the error is all of it: the weight is
 *	1 / (sigma_ns^2 + bias_ns^2)
 */
struct edge_filter_error {
	uint32_t windows;
	double sigma_ns;
	double sigma_ppb;
	double bias_ns;
};

/**
 * struct edge_filter_window - a window's samples of an edge
 * @forward: envelope from the owner to the other
 * @backward: envelope from the other to the owner
 * @at_ns: middle of the window, in the owner's local time
 * @window_ns: its length, above 0
 * @hardware: stamps of either end are a NIC's
 * @mixed: those of the other are software's, whose Tx stamp is early and whose Rx
 *	stamp late by other times: no queue, always there, and seen by nobody
 * @asymmetry_ns: known delay forward - delay backward
 * @drift_most_ppb: a greater drift is not accepted
 */
struct edge_filter_window {
	const struct envelope *forward;
	const struct envelope *backward;
	int64_t at_ns;
	int64_t window_ns;
	bool hardware;
	bool mixed;
	int64_t asymmetry_ns;
	double drift_most_ppb;
};

/**
 * edge_filter_update() - fit a window's line, weigh it, and learn of it
 * @m: the memory
 * @c: the window
 * @worth: gets what the line is worth; left alone unless it is EDGE_VALID
 *
 * A window that is not EDGE_VALID by itself changes nothing.
 *
 * Return: the line, of this window or of a union of it and those before.
 */
struct edge_fit edge_filter_update(struct edge_filter *m, const struct edge_filter_window *c,
				   struct edge_filter_error *worth);

#endif /* HUYGENS_EDGE_FILTER_H */
