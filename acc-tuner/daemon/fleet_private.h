/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The queues of a namespace, for the files fleet*.c only.
 */
#ifndef ACC_FLEET_PRIVATE_H
#define ACC_FLEET_PRIVATE_H

#include "fleet.h"

/**
 * fleet_tell() - tell what happened
 * @f: the fleet
 * @event: what
 * @q: to which queue
 * @error: errno of FLEET_REFUSED, else 0
 */
void fleet_tell(const struct fleet *f, enum fleet_event event, const struct fleet_queue *q,
		int error);

/**
 * fleet_is_own() - does a queue have its own settings?
 * @f: the fleet
 * @q: the queue
 *
 * Return: true if all its members do, as far as is known.
 */
bool fleet_is_own(const struct fleet *f, const struct fleet_queue *q);

/**
 * fleet_forget() - a qdisc's own settings are not kept any more
 * @f: the fleet
 * @m: the qdisc
 */
void fleet_forget(struct fleet *f, struct fleet_member *m);

/**
 * fleet_lose() - a qdisc is gone; what is left of its queue ends
 * @f: the fleet
 * @m: the qdisc
 */
void fleet_lose(struct fleet *f, struct fleet_member *m);

/**
 * fleet_end() - a queue gets its own settings, and then something else
 * @f: the fleet
 * @q: the queue
 * @after: what comes then
 */
void fleet_end(struct fleet *f, struct fleet_queue *q, enum fleet_after after);

/**
 * fleet_settle() - what was to come when queues have their own settings
 * @f: the fleet
 */
void fleet_settle(struct fleet *f);

#endif /* ACC_FLEET_PRIVATE_H */
