// SPDX-License-Identifier: GPL-2.0
/*
 * A change of the list of members or of the keys.
 */
#include "change.h"

void change_begin(struct change *change, const struct change_files *own, int64_t now_ns)
{
	*change = (struct change){ .own = *own, .next = own->list, .led_ns = now_ns };
}

void change_read(struct change *change, uint32_t files, uint32_t next, bool pending,
		 int64_t now_ns)
{
	change->own.files = files;
	change->next = next;
	change->pending = pending;
	change->since_ns = now_ns;
}

enum change_relation change_relate(const struct change *change,
				   const struct change_files *other)
{
	if (other->list == change->own.list)
		return CHANGE_SAME;
	if (other->files != change->own.files)
		return CHANGE_OTHER;
	if (!change->pending)
		return CHANGE_BEHIND;
	return other->list == change->next ? CHANGE_AHEAD : CHANGE_OTHER;
}

bool change_is_told(const struct change *change, const struct change_files *other,
		    bool changed)
{
	return change->pending && changed && other->list == change->next &&
	       other->files == change->own.files;
}

enum change_step change_tick(struct change *change, const struct change_counts *counts, bool led,
			     const struct change_times *times, int64_t now_ns)
{
	int64_t pending_ns = now_ns - change->since_ns;

	if (led)
		change->led_ns = now_ns;
	if (change->announced && now_ns - change->taken_ns >= CHANGE_ANNOUNCED * times->dead_ns)
		change->announced = false;
	/* Who has just taken it up is ahead of most, for a moment. */
	change->joins = !change->pending && !change->announced && counts->behind &&
			counts->behind >= counts->same;
	if (!change->pending || pending_ns < CHANGE_WINDOWS * times->window_ns)
		return CHANGE_STAY;
	if (counts->closes && (!counts->held || pending_ns >= times->transition_ns))
		return CHANGE_CLOSE;
	/* Those that could close are gone, and there is no mesh that this host would leave. */
	if (now_ns - change->led_ns >= CHANGE_UNLED * times->dead_ns)
		return CHANGE_TAKE;
	return CHANGE_STAY;
}

void change_take(struct change *change, bool announce, int64_t now_ns)
{
	change->own.list = change->next;
	change->pending = false;
	change->announced = announce;
	change->taken_ns = now_ns;
}
