/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When windows begin and end: the time that they are counted in, as a line over
 * this host's local time.
 *
 * The coordinator's plan is its own local time and a constant, and does not
 * change when the reference does, so numbers of windows go on through changes
 * of the reference and of the coordinator.  Others learn the plan from its
 * HELLOs, late by the delay of a packet, and then exactly, from solutions: the
 * instant of a solution is expressed in both times.  What remains is the drift times
 * an error of some us: nothing.
 *
 * Pure.
 */
#ifndef HUYGENS_PLAN_H
#define HUYGENS_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "../algo/line.h"

/**
 * struct plan - windows
 * @window_ns: length of one, above 0
 * @known: the rest counts
 * @line: plan = local + line
 */
struct plan {
	int64_t		window_ns;
	bool		known;
	struct line	line;
};

/**
 * plan_hear() - the coordinator's plan, from its HELLO
 * @plan: the plan
 * @now_ns: local time when the HELLO came
 * @sent_ns: the plan's time when it was sent
 *
 * A plan that is known stands unless it is wrong by a sixteenth of a window.
 *
 * Return: true if the plan is another now.
 */
bool plan_hear(struct plan *plan, int64_t now_ns, int64_t sent_ns);

/**
 * plan_set() - the plan, exactly
 * @plan: the plan
 * @at_ns: an instant, local time
 * @sent_ns: the plan's time then
 * @drift_ppb: how much faster than local time the plan runs
 */
void plan_set(struct plan *plan, int64_t at_ns, int64_t sent_ns,
	      double drift_ppb);

/**
 * plan_now() - the plan's time
 * @plan: a plan that is known
 * @local_ns: local time
 *
 * Return: the plan's time, never below 0.
 */
int64_t plan_now(const struct plan *plan, int64_t local_ns);

/**
 * plan_window() - which window it is
 * @plan: a plan that is known
 * @local_ns: local time
 *
 * Return: number of the window.
 */
uint64_t plan_window(const struct plan *plan, int64_t local_ns);

/**
 * plan_local() - when it is
 * @plan: a plan that is known
 * @plan_ns: the plan's time
 *
 * Return: local time.
 */
int64_t plan_local(const struct plan *plan, int64_t plan_ns);

/**
 * plan_end() - end of a window
 * @plan: a plan that is known
 * @window: its number, at most that of a window now
 *
 * Return: local time.
 */
int64_t plan_end(const struct plan *plan, uint64_t window);

/**
 * plan_middle() - middle of a window
 * @plan: a plan that is known
 * @window: same
 *
 * Return: local time.
 */
int64_t plan_middle(const struct plan *plan, uint64_t window);

#endif /* HUYGENS_PLAN_H */
