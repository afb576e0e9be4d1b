// SPDX-License-Identifier: GPL-2.0
/*
 * The envelopes of an edge's last windows.
 */
#include "edge_history.h"

void edge_history_add(struct edge_history *history, const struct envelope *forward,
		      const struct envelope *backward, int64_t at_ns)
{
	history->newest = (history->newest + 1) % EDGE_HISTORY_WINDOWS;
	history->window[history->newest] = (struct edge_history_window){
		.at_ns = at_ns, .forward = *forward, .backward = *backward,
	};
	if (history->windows < EDGE_HISTORY_WINDOWS)
		history->windows++;
}

const struct edge_history_window *edge_history_window(const struct edge_history *history,
						      uint32_t ago)
{
	return &history->window[(history->newest + EDGE_HISTORY_WINDOWS - ago) %
				EDGE_HISTORY_WINDOWS];
}

void edge_history_join(const struct edge_history *history, uint32_t ago, uint32_t until,
		       struct envelope *forward, struct envelope *backward)
{
	for (; ago < until; ago++) {
		const struct edge_history_window *window = edge_history_window(history, ago);

		envelope_join(forward, &window->forward);
		envelope_join(backward, &window->backward);
	}
}

uint32_t edge_history_within(const struct edge_history *history, int64_t ns)
{
	int64_t newest_ns = history->window[history->newest].at_ns;
	int64_t after_ns = newest_ns;
	uint32_t n;

	for (n = 1; n < history->windows; n++) {
		int64_t at_ns = edge_history_window(history, n)->at_ns;

		if (at_ns >= after_ns || newest_ns - at_ns > ns)
			break;
		after_ns = at_ns;
	}
	return history->windows ? n : 0;
}
