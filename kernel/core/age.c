// SPDX-License-Identifier: GPL-2.0
/*
 * When ageing runs, and when it sleeps.
 *
 * A pass visits all flows and paths once, a batch at a time, and notes when
 * the first of them can be forgotten; the next pass begins then.  A thing in use
 * is not due at any time, so if nothing else is there, ageing sleeps.  Code
 * that makes something, or ends its use, wakes it when that is done: a wake during a
 * pass, which may have visited the thing already, makes another pass follow.
 */
#include "core.h"

/* The least between two passes, and until what woke ageing is visited. */
#define ONRAMP_AGE_JIFFIES (HZ / 4)

/**
 * onramp_age_wake() - something may be due in a while
 * @on: the namespace
 *
 * Context: any.
 */
void onramp_age_wake(struct onramp_net *on)
{
	struct onramp_age *age = &on->age;

	/* A full barrier, also if it was set: see onramp_age_begin(). */
	if (!test_and_set_bit(0, &age->woken))
		mod_delayed_work(compat_system_wq(), &age->work, ONRAMP_AGE_JIFFIES);
}

/**
 * onramp_age_begin() - a batch begins, and maybe a pass
 * @on: the namespace
 *
 * Context: ageing.
 */
void onramp_age_begin(struct onramp_net *on)
{
	struct onramp_age *age = &on->age;

	if (age->flows || age->paths)
		return;
	clear_bit(0, &age->woken);
	/* Before anything is visited: see onramp_age_wake(). */
	smp_mb__after_atomic();
	age->flows = atomic_read(&on->flows.nelems);
	age->paths = atomic_read(&on->paths.nelems);
	age->due_ns = U64_MAX;
}

/**
 * onramp_age_due() - something that was visited can be forgotten
 * @on: the namespace
 * @due_ns: when; U64_MAX: not before somebody wakes ageing
 *
 * Context: ageing.
 */
void onramp_age_due(struct onramp_net *on, u64 due_ns)
{
	on->age.due_ns = min(on->age.due_ns, due_ns);
}

/**
 * onramp_age_end() - a batch is over: go on at once, in a while, or sleep
 * @on: the namespace
 * @now_ns: time
 *
 * The work that a wake queued may have been a batch of the pass that is over,
 * so the next pass is not left to it; queued twice it runs once.
 *
 * Context: ageing.
 */
void onramp_age_end(struct onramp_net *on, u64 now_ns)
{
	struct onramp_age *age = &on->age;
	unsigned long wait = ONRAMP_AGE_JIFFIES;

	if (age->flows || age->paths) {
		wait = 1;
	} else if (!test_bit(0, &age->woken)) {
		if (age->due_ns == U64_MAX)
			return;
		if (age->due_ns > now_ns)
			wait = max(wait,
				   nsecs_to_jiffies(age->due_ns - now_ns) + 1);
	}
	queue_delayed_work(compat_system_wq(), &age->work, wait);
}
