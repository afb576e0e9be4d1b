/* SPDX-License-Identifier: GPL-2.0 */
/* Datagrams accepted once, by a model that keeps all accepted ones; and whether its memory and the algorithm agree. */
#ifndef SHARPRAMP_ORACLE_REPLAY_H
#define SHARPRAMP_ORACLE_REPLAY_H

#include "onramp_replay.h"

/* Half as far as stamps may be off, and how far serial numbers: of the rule, not of the header. */
#define ORACLE_REPLAY_FAR_NS	1000000000LL
#define ORACLE_REPLAY_NEAR	64
#define ORACLE_REPLAY_LONGEST	1024

/**
 * struct oracle_replay - what was taken; all zero at the start
 * @n: datagrams that were, of the latest epoch
 * @since: how many of them before the order of now began
 * @taken: which
 */
struct oracle_replay {
	u32 n;
	u32 since;
	struct onramp_replay_mark taken[ORACLE_REPLAY_LONGEST];
};

static inline u64 oracle_replay_newest(const struct oracle_replay *o, u32 n)
{
	u64 newest_ns = 0;

	while (n--)
		newest_ns = max(newest_ns, o->taken[n].stamp_ns);
	return newest_ns;
}

/* The furthest serial number of the order of now. */
static inline u32 oracle_replay_top(const struct oracle_replay *o)
{
	u32 top = o->taken[o->since].serial, i;

	for (i = o->since; i < o->n; i++)
		if ((s32)(o->taken[i].serial - top) > 0)
			top = o->taken[i].serial;
	return top;
}

static inline bool oracle_replay_was(const struct oracle_replay *o, u32 serial)
{
	u32 i;

	for (i = o->since; i < o->n; i++)
		if (o->taken[i].serial == serial)
			return true;
	return false;
}

static inline enum onramp_replay_verdict
oracle_replay_begin(struct oracle_replay *o, const struct onramp_replay_mark *m)
{
	o->since = o->n;
	o->taken[o->n++] = *m;
	return ONRAMP_REPLAY_NEW;
}

/**
 * oracle_replay_check() - take a datagram, once
 * @o: what was taken, less than ORACLE_REPLAY_LONGEST
 * @m: the datagram
 * @now_ns: our clock
 *
 * Return: what the algorithm must return.
 */
static inline enum onramp_replay_verdict
oracle_replay_check(struct oracle_replay *o, const struct onramp_replay_mark *m, u64 now_ns)
{
	enum onramp_replay_verdict otherwise = ONRAMP_REPLAY_OLD;
	s64 far;

	if (m->stamp_ns + ORACLE_REPLAY_FAR_NS < now_ns || m->stamp_ns > now_ns + ORACLE_REPLAY_FAR_NS)
		return ONRAMP_REPLAY_STALE;
	if (!o->n || o->taken[o->n - 1].epoch != m->epoch) {
		o->n = 0;
		return oracle_replay_begin(o, m);
	}
	if (m->stamp_ns <= oracle_replay_newest(o, o->since))
		return ONRAMP_REPLAY_OLD;
	far = (s32)(m->serial - oracle_replay_top(o));
	if (far > -ORACLE_REPLAY_NEAR && far < ORACLE_REPLAY_NEAR) {
		if (!oracle_replay_was(o, m->serial)) {
			o->taken[o->n++] = *m;
			return ONRAMP_REPLAY_NEW;
		}
		otherwise = ONRAMP_REPLAY_SEEN;
	}
	return m->stamp_ns > oracle_replay_newest(o, o->n) ? oracle_replay_begin(o, m) : otherwise;
}

#endif /* SHARPRAMP_ORACLE_REPLAY_H */
