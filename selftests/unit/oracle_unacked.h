/* SPDX-License-Identifier: GPL-2.0 */
/* Whether anybody acks a path, by a model that keeps all its packets and OR-ACKs and checks all of them each time. */
#ifndef SHARPRAMP_ORACLE_SILENCE_H
#define SHARPRAMP_ORACLE_SILENCE_H

#include "port.h"

/* Constants as documented, not those of the tested header. */
#define ORACLE_SILENCE_HALF_NS	500000000ULL
#define ORACLE_SILENCE_TEN	10
#define ORACLE_SILENCE_LONGEST	400

/**
 * struct oracle_unacked - all that happened on a path; all zero at the start
 * @n: events
 * @at: when each was
 * @is_ack: an OR-ACK; else a packet
 */
struct oracle_unacked {
	u32 n;
	u64 at[ORACLE_SILENCE_LONGEST];
	bool is_ack[ORACLE_SILENCE_LONGEST];
};

/* When the latest of the OR-ACKs came, 0 if none; and the event after the last of them. */
static inline u64 oracle_unacked_on_ack(const struct oracle_unacked *o, u32 *next)
{
	u64 acked_ns = 0;
	u32 i;

	*next = 0;
	for (i = 0; i < o->n; i++) {
		if (!o->is_ack[i])
			continue;
		acked_ns = max(acked_ns, o->at[i]);
		*next = i + 1;
	}
	return acked_ns;
}

/**
 * oracle_unacked_is_unacked() - is the path unacked after all that happened?
 * @o: what happened
 *
 * Return: what the algorithm must return.
 */
static inline bool oracle_unacked_is_unacked(const struct oracle_unacked *o)
{
	u64 tenth_ns = 0, acked_ns;
	u32 counted = 0, i;

	acked_ns = oracle_unacked_on_ack(o, &i);
	for (; i < o->n; i++) {
		if (acked_ns && o->at[i] < acked_ns + ORACLE_SILENCE_HALF_NS)
			continue;
		if (++counted == ORACLE_SILENCE_TEN)
			tenth_ns = o->at[i];
		if (counted > ORACLE_SILENCE_TEN && o->at[i] >= tenth_ns + ORACLE_SILENCE_HALF_NS)
			return true;
	}
	return false;
}

#endif /* SHARPRAMP_ORACLE_SILENCE_H */
