/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The envelopes of an edge's last windows, and their unions.
 *
 * Under full buffers few samples of a window find no queue, often none in one of the
 * directions.  Since two clocks' drift turns slowly, a line fits the samples of several
 * windows nearly as well as those of one.  A sample that found no queue is then needed
 * once in all of these, in each direction.
 */
#ifndef HUYGENS_EDGE_HISTORY_H
#define HUYGENS_EDGE_HISTORY_H

#include "envelope.h"

/* Windows that are kept: 24 KB. */
#define EDGE_HISTORY_WINDOWS	12

/**
 * struct edge_history_window - envelopes of a window
 * @at_ns: its middle, in the owner's local time
 * @forward: from the owner to the other
 * @backward: from the other to the owner
 */
struct edge_history_window {
	int64_t at_ns;
	struct envelope forward;
	struct envelope backward;
};

/**
 * struct edge_history - the last windows of an edge; zero it to begin
 * @windows: how many are known
 * @newest: index of the newest in @window, if there is one
 * @window: a ring of them
 */
struct edge_history {
	uint32_t windows;
	uint32_t newest;
	struct edge_history_window window[EDGE_HISTORY_WINDOWS];
};

/**
 * edge_history_add() - take a window
 * @history: the history; the oldest window makes space
 * @forward: envelope from the owner to the other
 * @backward: envelope from the other to the owner
 * @at_ns: middle of the window, in the owner's local time, within +-LINE_MOST_NS
 */
void edge_history_add(struct edge_history *history, const struct envelope *forward,
		      const struct envelope *backward, int64_t at_ns);

/**
 * edge_history_window() - a window
 * @history: the history
 * @ago: 0: the newest; less than @history->windows
 *
 * Return: the window.
 */
const struct edge_history_window *edge_history_window(const struct edge_history *history,
						      uint32_t ago);

/**
 * edge_history_join() - add windows to a union of newer ones
 * @history: the history
 * @ago: the newest of them
 * @until: the first that is not added; at most @history->windows
 * @forward: envelope of the newer ones, becomes that of all
 * @backward: same
 */
void edge_history_join(const struct edge_history *history, uint32_t ago, uint32_t until,
		       struct envelope *forward, struct envelope *backward);

/**
 * edge_history_within() - count the newest windows that lie within a time
 * @history: the history
 * @ns: from a window's middle to that of the newest, at most
 *
 * Return: how many; those before one that is older, or later than the one after it, do
 * not count.
 */
uint32_t edge_history_within(const struct edge_history *history, int64_t ns);

#endif /* HUYGENS_EDGE_HISTORY_H */
