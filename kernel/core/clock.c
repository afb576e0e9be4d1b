// SPDX-License-Identifier: GPL-2.0
/*
 * The common time of a host: its system clock with a bound that somebody
 * vouches for, or a line over one of its clocks that a daemon publishes.
 */
#include <linux/module.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include "core.h"

static_assert(ONRAMP_RANGE_DRIFT_MAX < ONRAMP_LINE_DRIFT);

/**
 * onramp_clock_base_ns() - one of a host's clocks
 * @net: the host
 * @base: enum onramp_clock_base
 *
 * Context: any but NMI.
 * Return: its time, ns.
 */
u64 onramp_clock_base_ns(const struct net *net, u32 base)
{
	switch (base) {
	case ONRAMP_BASE_MONOTONIC_RAW:
		return compat_net_raw_ns(net);
	case ONRAMP_BASE_TAI:
		return compat_net_tai_ns(net);
	default:
		return onramp_wall(net);
	}
}

/**
 * onramp_clock_left_ns() - how long a line may still be used
 * @line: the line
 * @now_ns: onramp_now(), just read
 *
 * Once the machine was suspended it may not: its base may have stopped meanwhile,
 * as onramp_now() has, and its daemon does not run yet.
 *
 * Context: any but NMI.
 * Return: ns; 0 or less: it may not.
 */
s64 onramp_clock_left_ns(const struct onramp_clock_line *line, u64 now_ns)
{
	return line->asleep_ns == compat_asleep_ns() ?
		(s64)(line->until_ns - now_ns) : 0;
}

/**
 * onramp_clock_map() - the common time of now, by a line
 * @net: the host
 * @line: the line
 * @now_ns: onramp_now(), just read
 * @c: filled; @c->ok is false if the line must not be used
 *
 * Context: any but NMI.
 * Return: ns since the epoch of the clock.
 */
u64 onramp_clock_map(const struct net *net,
		     const struct onramp_clock_line *line, u64 now_ns,
		     struct onramp_clock *c)
{
	u64 base_ns = onramp_clock_base_ns(net, line->base);
	s64 common_ns = base_ns + line->map.offset_ns;
	bool good = onramp_line_map(&line->map, base_ns, &common_ns);

	*c = (struct onramp_clock){
		.id = ONRAMP_CLOCK_PUBLISHED,
		.epoch = line->epoch,
		.error_ns = line->error_ns,
		.ok = good && onramp_clock_left_ns(line, now_ns) > 0,
	};
	return common_ns;
}

static u64 onramp_clock_published(struct onramp_net *on, u64 now_ns,
				  struct onramp_clock *c)
{
	const struct onramp_clock_line *line;
	u64 ns = 0;

	*c = (struct onramp_clock){ .id = ONRAMP_CLOCK_PUBLISHED };
	rcu_read_lock();
	line = rcu_dereference(on->line);
	if (line)
		ns = onramp_clock_map(on->net, line, now_ns, c);
	rcu_read_unlock();
	return ns;
}

static u64 onramp_clock_system(struct onramp_net *on, u64 now_ns, u64 error_ns,
			       struct onramp_clock *c)
{
	*c = (struct onramp_clock){
		.id = ONRAMP_CLOCK_SYSTEM,
		.error_ns = min_t(u64, error_ns, U32_MAX - 1),
		.ok = error_ns,
	};
	return compat_net_real_at(on->net, now_ns);
}

/*
 * How long ago a stamp was taken.  With any base of the published clock,
 * it runs as the wall clock does for so short a time.
 */
static u64 onramp_clock_age(const struct onramp_net *on,
			    const struct onramp_timestamp *ts)
{
	if (!ts || !ts->wall_ns)
		return 0;
	return onramp_wall(on->net) - ts->wall_ns;
}

/* A stamp errs as its clock does, and as it was taken. */
static void onramp_clock_blur(struct onramp_clock *c,
			      const struct onramp_timestamp *ts)
{
	if (ts && c->ok)
		c->error_ns = min_t(u64, (u64)c->error_ns + ts->error_ns,
				    U32_MAX - 1);
}

/**
 * onramp_clock_read() - the common time of a stamp, by a given clock
 * @on: the namespace
 * @id: enum onramp_clock_id
 * @system_error_ns: bound, for ONRAMP_CLOCK_SYSTEM; 0: none
 * @ts: the stamp; NULL: now
 * @now_ns: onramp_now(), just read
 * @c: filled
 *
 * Context: any.
 * Return: ns since the epoch of the clock; not to be used if not @c->ok.
 */
u64 onramp_clock_read(struct onramp_net *on, u32 id, u64 system_error_ns,
		      const struct onramp_timestamp *ts, u64 now_ns,
		      struct onramp_clock *c)
{
	u64 ns;

	if (id == ONRAMP_CLOCK_PUBLISHED)
		ns = onramp_clock_published(on, now_ns, c);
	else
		ns = onramp_clock_system(on, now_ns, system_error_ns, c);
	onramp_clock_blur(c, ts);
	/*
	 * Last: an interrupt that comes between the two readings makes the stamp
	 * of a packet that leaves earlier, and its delay longer.  A shorter one
	 * would be the path's base from then on.
	 */
	return ns - onramp_clock_age(on, ts);
}

u64 onramp_clock_stamp(const struct net *net,
		       const struct onramp_timestamp *ts, u64 *now_ns,
		       struct onramp_clock *c)
{
	struct onramp_net *on = onramp_net_of_packet(net);
	/* First, so that what comes between makes a delay longer here, too. */
	u64 age_ns = onramp_clock_age(on, ts);
	u64 ns;

	*now_ns = onramp_now(net);
	ns = onramp_clock_published(on, *now_ns, c);
	if (!c->ok)
		ns = onramp_clock_system(on, *now_ns,
					 READ_ONCE(on->system_error_ns), c);
	onramp_clock_blur(c, ts);
	return ns - age_ns;
}
EXPORT_SYMBOL_GPL(onramp_clock_stamp);

/**
 * onramp_clock_publish() - a new line, in place of the one before
 * @on: the namespace
 * @line: allocated; @line->until_ns and @line->asleep_ns are set here
 * @valid_ns: how long it may be used
 *
 * Context: onramp_net.change.
 */
void onramp_clock_publish(struct onramp_net *on,
			  struct onramp_clock_line *line, u64 valid_ns)
{
	struct onramp_clock_line *was;

	line->until_ns = onramp_now(on->net) + valid_ns;
	line->asleep_ns = compat_asleep_ns();
	was = rcu_replace_pointer(on->line, line,
				  lockdep_is_held(&on->change));
	if (was)
		kfree_rcu(was, rcu);
	mod_delayed_work(compat_system_wq(), &on->stale, nsecs_to_jiffies(valid_ns) + 1);
}

/**
 * onramp_clock_forget() - no line any more
 * @on: the namespace
 *
 * Context: onramp_net.change; may sleep.
 */
void onramp_clock_forget(struct onramp_net *on)
{
	struct onramp_clock_line *was;

	/* First, or it would report a forgotten line as stale. */
	cancel_delayed_work_sync(&on->stale);
	was = rcu_replace_pointer(on->line, NULL,
				  lockdep_is_held(&on->change));
	if (was)
		kfree_rcu(was, rcu);
}
