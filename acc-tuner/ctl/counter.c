// SPDX-License-Identifier: GPL-2.0
/*
 * Counters of a queue and of the daemon.
 */
#include "counter.h"

#define D(f)	offsetof(struct daemon_counters, f), false
#define Q(f)	offsetof(struct queue_counters, f), true
static const struct counter counters[] = {
	{ "ticks", "Intervals of the daemon", D(ticks) },
	{ "overruns", "Intervals of the daemon that were not in time", D(overruns) },
	{ "interrupted", "Dumps during which the kernel's tables changed", D(interrupted) },
	{ "failed_dumps", "Dumps that the kernel refused", D(failed_dumps) },
	{ "searches", "Searches for queues", D(searches) },
	{ "updates", "Updates of the network that learns", D(updates) },
	{ "intervals", "Intervals that were observed", Q(intervals) },
	{ "decisions", "Choices of the policy", Q(decisions) },
	{ "changes", "Changes of thresholds", Q(changes) },
	{ "clamped", "Choices of the rule outside of the limits", Q(clamped) },
	{ "masked", "Choices of the network outside of the limits", Q(masked) },
	{ "late", "Intervals that were too long to choose in", Q(late) },
	{ "idle_skipped", "Intervals without an inference, on an idle queue", Q(idle_skipped) },
	{ "fallback_drops", "Fallbacks to static thresholds: drops", Q(fallback[GUARD_DROPS]) },
	{ "fallback_marks", "Fallbacks: all marked, and the link not used",
	  Q(fallback[GUARD_MARKS]) },
	{ "fallback_delay", "Fallbacks: a multiple of the static delay", Q(fallback[GUARD_DELAY]) },
	{ "fallback_comparison", "Fallbacks: static thresholds proved better",
	  Q(fallback[GUARD_COMPARISON]) },
	{ "foreign", "Changes by others", Q(foreign) },
	{ "failed", "Changes that the kernel refused", Q(failed) },
	{ "compare_tuned", "Intervals of tuned blocks that were compared", Q(tuned_intervals) },
	{ "compare_static", "Intervals of static blocks that were compared", Q(static_intervals) },
};

const struct counter *counter_at(size_t place)
{
	return place < sizeof(counters) / sizeof(*counters) ? &counters[place] : NULL;
}

uint64_t counter_value(const struct counter *c, const void *values)
{
	return *(const uint64_t *)((const char *)values + c->at);
}
