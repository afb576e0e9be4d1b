// SPDX-License-Identifier: GPL-2.0
/* The rules of an On-Ramp path, written from their description: base delay, threshold, suspicion, back-off. */
#include "oracle_onramp.h"

/* The first entry that counts: where the epoch began. */
static unsigned int horrible_path_epoch(const struct horrible_path *path)
{
	unsigned int i = path->n;

	while (i > 0)
		if (path->at[--i].restart)
			return i;
	return 0;
}

/* Is the epoch not that of the last possible report? */
static bool horrible_path_is_other_epoch(const struct horrible_path *path,
					 const struct horrible_entry *e)
{
	unsigned int i = path->n;

	while (i > 0)
		if (path->at[--i].possible)
			return path->at[i].epoch != e->epoch;
	return false;
}

/* The last entry with which the path became suspect in this epoch, or -1. */
static int horrible_path_suspicion(const struct horrible_path *path)
{
	int i, first = horrible_path_epoch(path);

	for (i = path->n - 1; i >= first; i--)
		if (path->at[i].suspected)
			return i;
	return -1;
}

/* Did it become suspect in this epoch, and was not cleared since? */
static bool horrible_path_is_relearned(const struct horrible_path *path)
{
	int i = horrible_path_suspicion(path);

	if (i < 0)
		return false;
	for (; i < (int)path->n; i++)
		if (path->at[i].cleared)
			return false;
	return true;
}

/* Did it back off in this epoch, and nothing woke it since? */
static bool horrible_path_is_backed_off(const struct horrible_path *path)
{
	int i, first = horrible_path_epoch(path);

	for (i = path->n - 1; i >= first; i--) {
		if (path->at[i].woken || path->at[i].suspected)
			return false;
		if (path->at[i].backs_off)
			return true;
	}
	return false;
}

/**
 * horrible_path_is_suspect() - is nothing held on it?
 * @path: the path
 *
 * Return: true if it learns anew what it is, or backs off.
 */
bool horrible_path_is_suspect(const struct horrible_path *path)
{
	return horrible_path_is_relearned(path) || horrible_path_is_backed_off(path);
}

/**
 * horrible_path_base() - the lowest delay since epoch or suspicion began
 * @path: the path
 * @base: ns, written if there is one
 * @error: a bound in addition to those that were reported, ns
 *
 * Each delay counts as much higher as the highest bound of this epoch has
 * risen since.
 *
 * Return: is there one?
 */
bool horrible_path_base(const struct horrible_path *path, int64_t *base,
			uint64_t error)
{
	int suspicion = horrible_path_suspicion(path);
	uint64_t highest = 0;
	bool found = false;
	unsigned int i;

	for (i = horrible_path_epoch(path); i < path->n; i++) {
		const struct horrible_entry *e = &path->at[i];

		if ((int)i == suspicion)
			found = false;
		if (!e->possible)
			continue;
		if (e->error > highest) {
			if (found)
				*base += e->error - highest;
			highest = e->error;
		}
		if (!found || e->owd < *base)
			*base = e->owd;
		if (e->cleared && e->rtt_base < *base)
			*base = e->rtt_base > 0 ? e->rtt_base : 0;
		found = true;
	}
	if (found && error > highest)
		*base += error - highest;
	return found;
}

/**
 * horrible_path_threshold() - T
 * @path: the path; has a base, or a threshold is given
 * @error: bound of both clocks, ns
 *
 * Return: ns.
 */
uint64_t horrible_path_threshold(const struct horrible_path *path,
				 uint64_t error)
{
	int64_t base = 0;

	if (path->threshold)
		return path->threshold;
	horrible_path_base(path, &base, 0);
	return base + 2 * error + path->margin;
}

/* Has the base held for a while? */
static bool horrible_path_is_settled(const struct horrible_path *path,
				     uint64_t now)
{
	unsigned int i = path->n;

	while (i > horrible_path_epoch(path))
		if (path->at[--i].fell)
			return now - path->at[i].now >= path->settled;
	return false;
}

/* From departure to report, ns. */
static int64_t horrible_rtt(const struct horrible_entry *e)
{
	return e->now - e->tx;
}

/*
 * The highest of what each delay from entry @first up to, not with, entry @end
 * leaves if all of its feedback RTT above the shortest was queue.
 */
static int64_t horrible_path_rtt_base(const struct horrible_path *path,
				      unsigned int first, unsigned int end)
{
	int64_t shortest = INT64_MAX, below, highest = INT64_MIN;
	unsigned int i;

	for (i = horrible_path_epoch(path); i < path->n; i++) {
		if (path->at[i].rerouted)
			shortest = INT64_MAX;
		if (path->at[i].possible && horrible_rtt(&path->at[i]) < shortest)
			shortest = horrible_rtt(&path->at[i]);
	}
	for (i = first; i < end; i++) {
		const struct horrible_entry *e = &path->at[i];

		if (!e->possible)
			continue;
		below = e->owd - (horrible_rtt(e) - shortest);
		if (below > highest)
			highest = below;
	}
	return highest;
}

/* A delay as it is summed up. */
static long double horrible_summed(const struct horrible_path *path, int64_t owd)
{
	return owd < path->sum_longest ? owd : path->sum_longest;
}

/* Is the lowest delay above T by more than two thirds of what all are? */
static bool horrible_path_stands(const struct horrible_path *path,
				 const struct horrible_entry *e, unsigned int first)
{
	long double t = horrible_path_threshold(path, e->error), above = 0;
	unsigned int i, reports = 0;

	for (i = first; i < path->n - 1; i++) {
		if (!path->at[i].watched)
			continue;
		above += horrible_summed(path, path->at[i].owd) - t;
		reports++;
	}
	return 3 * (horrible_summed(path, e->lowest) - t) * reports > 2 * above;
}

/* Evaluate the window that begins with entry @first and ends with @e. */
static void horrible_path_window(const struct horrible_path *path,
				 struct horrible_entry *e, unsigned int first)
{
	uint64_t held = horrible_holds_between(&path->held, path->at[first].now,
					       e->now);
	bool any = false, impossible = false;
	int64_t base = 0, rtt_base;
	unsigned int i;

	for (i = first; i < path->n - 1; i++) {
		if (path->at[i].validity == HORRIBLE_TOO_LONG)
			impossible = true;
		if (!path->at[i].watched)
			continue;
		if (!any || path->at[i].owd < e->lowest)
			e->lowest = path->at[i].owd;
		any = true;
	}
	e->reached = !any || (uint64_t)e->lowest <=
			     horrible_path_threshold(path, e->error);
	if (e->reached)
		return;
	horrible_path_base(path, &base, 0);
	rtt_base = horrible_path_rtt_base(path, first + !path->at[first].watched,
					   path->n - 1);
	e->tells_clock = (held || e->slept) && rtt_base > base + 2 * (int64_t)e->error;
	e->tells_route = !e->slept && 2 * held > e->now - path->at[first].now;
	e->like = path->margin + e->error;
	if ((!e->slept && held && impossible) ||
	    (e->tells_route && rtt_base < base - 2 * (int64_t)e->error))
		e->vain = path->suspicion_hidden;
	else if (e->tells_route)
		e->vain = horrible_path_stands(path, e, first) ? 1 : -1;
}

/* Suspicion, with the last window's. */
static int horrible_path_vain(const struct horrible_path *path)
{
	unsigned int i;
	int vain = 0;

	for (i = horrible_path_epoch(path); i < path->n; i++) {
		const struct horrible_entry *e = &path->at[i];

		if (e->suspected || (e->ends && e->reached && !e->slept))
			vain = 0;
		else if (e->ends && vain + e->vain > 0)
			vain += e->vain;
		else if (e->ends)
			vain = 0;
		if (e->backs_off)
			vain = path->suspicion_max - 1;
	}
	return vain;
}

/* How many windows has it backed off for, with the last? */
static unsigned int horrible_path_backed_off(const struct horrible_path *path)
{
	int i = path->n - 1;
	unsigned int n = 0;

	for (; !path->at[i].backs_off; i--)
		n += path->at[i].ends;
	return n;
}

/* How many windows up to the last tell of a clock? */
static unsigned int horrible_path_clock_windows(const struct horrible_path *path)
{
	int i, first = horrible_path_epoch(path);
	unsigned int n = 0;

	for (i = path->n - 1; i >= first && !path->at[i].suspected; i--) {
		if (!path->at[i].ends)
			continue;
		if (!path->at[i].tells_clock)
			break;
		n++;
	}
	return n;
}

/* The first entry in the windows up to the last that tell of a clock. */
static unsigned int horrible_path_clock_since(const struct horrible_path *path)
{
	int i, first = horrible_path_epoch(path);

	for (i = path->n - 1; i >= first; i--)
		if (path->at[i].opens && !path->at[i].tells_clock)
			break;
	return i + !path->at[i].watched;
}

/* How many up to the last tell of a route, and are like the first of them? */
static unsigned int horrible_path_route_windows(const struct horrible_path *path)
{
	unsigned int i, n = 0;
	int64_t first = 0;

	for (i = horrible_path_epoch(path); i < path->n; i++) {
		const struct horrible_entry *e = &path->at[i];

		if (e->suspected || (e->ends && !e->slept && !e->tells_route))
			n = 0;
		if (!e->ends || e->slept || !e->tells_route || e->suspected)
			continue;
		if (n && llabs(e->lowest - first) > e->like)
			n = 0;
		if (!n++)
			first = e->lowest;
	}
	return n;
}

/* Was the path held in vain for too long, with the window that @e ends? */
static bool horrible_path_count_windows(const struct horrible_path *path,
					struct horrible_entry *e)
{
	int first = path->n - 1;

	e->watched = true;
	while (first >= (int)horrible_path_epoch(path) && !path->at[first].opens)
		first--;
	if (first < (int)horrible_path_epoch(path)) {
		e->opens = true;
		return false;
	}
	if (e->now - path->at[first].now < path->window)
		return false;
	e->slept = horrible_path_is_backed_off(path);
	e->opens = true;
	e->ends = true;
	horrible_path_window(path, e, first);
	if (horrible_path_clock_windows(path) >= path->clock_windows) {
		e->since = horrible_path_clock_since(path);
		return true;
	}
	e->rerouted = horrible_path_route_windows(path) >= path->route_windows;
	if (e->slept)
		e->woken = horrible_path_backed_off(path) >= path->backoff_windows;
	else
		e->backs_off = !e->rerouted && horrible_path_vain(path) >= path->suspicion_max;
	return e->rerouted;
}

/* Was a suspect path given reason enough to trust it again? */
static bool horrible_path_shown(const struct horrible_path *path,
				const struct horrible_entry *e)
{
	int suspicion = horrible_path_suspicion(path);

	if (path->threshold)
		return (uint64_t)e->owd <= path->threshold;
	return e->now - path->at[suspicion].now >= path->relearn;
}

/* No delay is valid any more, and the base begins anew with this delay. */
static void horrible_path_suspect(struct horrible_entry *e)
{
	e->suspected = true;
	e->fell = true;
	e->opens = false;
	e->watched = false;
}

/* Is it lower than the base by more than the bound? */
static bool horrible_path_falls(const struct horrible_entry *e, int64_t base)
{
	return base - e->owd > (int64_t)e->error;
}

static enum horrible_validity horrible_path_validity(struct horrible_path *path,
						     struct horrible_entry *e)
{
	bool suspect, has_base, settled;
	int64_t base, risen;

	if (!e->clock_ok)
		return HORRIBLE_NO_CLOCK;
	if (e->error > path->max_error)
		return HORRIBLE_UNCERTAIN;
	if (e->owd < 0)
		return HORRIBLE_NEGATIVE;
	if (e->now < e->tx || (uint64_t)e->owd > e->now - e->tx)
		return HORRIBLE_TOO_LONG;

	e->restart = horrible_path_is_other_epoch(path, e);
	suspect = horrible_path_is_relearned(path);
	settled = horrible_path_is_settled(path, e->now);
	has_base = horrible_path_base(path, &base, 0);
	horrible_path_base(path, &risen, e->error);
	e->possible = true;
	e->fell = !has_base || horrible_path_falls(e, risen);
	if (has_base && settled && horrible_path_falls(e, base)) {
		horrible_path_suspect(e);
		return HORRIBLE_BELOW_BASE;
	}
	if (suspect) {
		e->cleared = horrible_path_shown(path, e);
		e->opens = e->cleared;
		e->rtt_base = horrible_path_rtt_base(path,
						      path->at[horrible_path_suspicion(path)].since,
						      path->n);
		return e->cleared ? HORRIBLE_BELIEVED : HORRIBLE_SUSPECT;
	}
	if (horrible_path_count_windows(path, e)) {
		horrible_path_suspect(e);
		return HORRIBLE_SUSPECT;
	}
	if (!horrible_path_is_backed_off(path))
		return HORRIBLE_BELIEVED;
	e->woken = (uint64_t)e->owd <= horrible_path_threshold(path, e->error);
	if (!e->woken)
		return HORRIBLE_SUSPECT;
	return HORRIBLE_BELIEVED;
}

/**
 * horrible_path_report() - may this delay hold a flow?
 * @path: the path
 * @report: the delay and its clock; the rest of it is not read
 *
 * Return: the verdict.
 */
enum horrible_validity horrible_path_report(struct horrible_path *path,
					    const struct horrible_entry *report)
{
	struct horrible_entry *e = &path->at[path->n];

	horrible_check_length(path->n++);
	*e = (struct horrible_entry){
		.since = path->n - 1,
		.now = report->now, .tx = report->tx, .owd = report->owd,
		.error = report->error, .epoch = report->epoch,
		.clock_ok = report->clock_ok,
	};
	e->validity = horrible_path_validity(path, e);
	return e->validity;
}

/**
 * horrible_path_is_fresh() - is there a valid delay that is young enough?
 * @path: the path
 * @now: ns
 * @fresh: how old it may be, ns
 *
 * Return: true if so, and the path is not suspect.
 */
bool horrible_path_is_fresh(const struct horrible_path *path, uint64_t now,
			    uint64_t fresh)
{
	unsigned int i;

	if (horrible_path_is_suspect(path))
		return false;
	for (i = horrible_path_epoch(path); i < path->n; i++)
		if (path->at[i].validity == HORRIBLE_BELIEVED &&
		    (path->at[i].now >= now || now - path->at[i].now <= fresh))
			return true;
	return false;
}
