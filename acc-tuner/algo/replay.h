/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The replay memory: transitions to learn from, the last ones that there were.
 *
 * Source: Yan et al., SIGCOMM 2021, section 3.4, Algorithm 1: local replay memory D.
 */
#ifndef ACC_REPLAY_H
#define ACC_REPLAY_H

#include <stdint.h>

#include "feature.h"
#include "prng.h"

/**
 * struct transition - an experience
 * @state: features before the action
 * @next: features after it
 * @action: place of the template
 * @reward: of the interval with it
 */
struct transition {
	float state[FEATURE_STATE];
	float next[FEATURE_STATE];
	uint32_t action;
	float reward;
};

/**
 * struct replay - the memory, a ring
 * @at: transitions, @capacity of them
 * @capacity: above 0
 * @count: how many there are
 * @place: of the next one
 */
struct replay {
	struct transition *at;
	uint32_t capacity;
	uint32_t count;
	uint32_t place;
};

/**
 * replay_init() - an empty memory
 * @r: filled
 * @at: space for the transitions
 * @capacity: how many, above 0
 */
static inline void replay_init(struct replay *r, struct transition *at, uint32_t capacity)
{
	*r = (struct replay){ .at = at, .capacity = capacity };
}

/**
 * replay_push() - remember a transition; of a full memory the oldest goes
 * @r: the memory
 * @t: the transition
 */
static inline void replay_push(struct replay *r, const struct transition *t)
{
	r->at[r->place] = *t;
	r->place = r->place + 1 == r->capacity ? 0 : r->place + 1;
	if (r->count < r->capacity)
		r->count++;
}

/**
 * replay_pick() - one of the transitions, each as likely as any other
 * @r: the memory, which has one at least
 * @prng: where chance comes from
 *
 * Return: the transition.
 */
static inline const struct transition *replay_pick(const struct replay *r, struct prng *prng)
{
	return &r->at[prng_below(prng, r->count)];
}

#endif /* ACC_REPLAY_H */
