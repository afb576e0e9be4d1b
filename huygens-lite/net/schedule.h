/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When windows begin and end: the time that they are counted in, as a line over
 * this host's local time.
 *
 * The coordinator's schedule is its own local time and a constant, and does not
 * change when the reference does, so numbers of windows go on through changes
 * of the reference and of the coordinator.  Others learn the schedule from its
 * HELLOs, late by the delay of a packet, and then exactly, from solutions: the
 * instant of a solution is expressed in both times.  The error that remains is the
 * drift times some us, which is negligible.
 *
 * Pure.
 */
#ifndef HUYGENS_SCHEDULE_H
#define HUYGENS_SCHEDULE_H

#include <stdbool.h>
#include <stdint.h>

#include "../algo/line.h"

/**
 * struct schedule - windows
 * @window_ns: length of one, above 0
 * @known: the rest counts
 * @line: schedule = local + line
 */
struct schedule {
	int64_t		window_ns;
	bool		known;
	struct line	line;
};

/**
 * schedule_receive() - the coordinator's schedule, from its HELLO
 * @schedule: the schedule
 * @now_ns: local time when the HELLO came
 * @sent_ns: the schedule's time when it was sent
 *
 * A schedule that is known stands unless it is wrong by a sixteenth of a window.
 *
 * Return: true if the schedule is another now.
 */
bool schedule_receive(struct schedule *schedule, int64_t now_ns, int64_t sent_ns);

/**
 * schedule_set() - the schedule, exactly
 * @schedule: the schedule
 * @at_ns: an instant, local time
 * @sent_ns: the schedule's time then
 * @drift_ppb: how much faster than local time the schedule runs
 */
void schedule_set(struct schedule *schedule, int64_t at_ns, int64_t sent_ns,
		  double drift_ppb);

/**
 * schedule_now() - the schedule's time
 * @schedule: a schedule that is known
 * @local_ns: local time
 *
 * Return: the schedule's time, never below 0.
 */
int64_t schedule_now(const struct schedule *schedule, int64_t local_ns);

/**
 * schedule_window() - which window it is
 * @schedule: a schedule that is known
 * @local_ns: local time
 *
 * Return: number of the window.
 */
uint64_t schedule_window(const struct schedule *schedule, int64_t local_ns);

/**
 * schedule_local() - when it is
 * @schedule: a schedule that is known
 * @schedule_ns: the schedule's time
 *
 * Return: local time.
 */
int64_t schedule_local(const struct schedule *schedule, int64_t schedule_ns);

/**
 * schedule_end() - end of a window
 * @schedule: a schedule that is known
 * @window: its number, at most that of a window now
 *
 * Return: local time.
 */
int64_t schedule_end(const struct schedule *schedule, uint64_t window);

/**
 * schedule_middle() - middle of a window
 * @schedule: a schedule that is known
 * @window: same
 *
 * Return: local time.
 */
int64_t schedule_middle(const struct schedule *schedule, uint64_t window);

#endif /* HUYGENS_SCHEDULE_H */
