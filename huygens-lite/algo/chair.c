// SPDX-License-Identifier: GPL-2.0
/*
 * Election by the lowest id that lives, and the fence of epochs.
 */
#include "chair.h"
#include "sort.h"

static bool chair_before(const struct chair_candidate *a,
			 const struct chair_candidate *b)
{
	return a->id < b->id;
}

SORT_DEFINE(chair_sort, struct chair_candidate, chair_before)

int chair_begin(struct chair *chair, uint32_t self, const uint32_t *id,
		uint32_t ids, int64_t now_ns)
{
	struct chair c = {
		.self = self,
		.candidates = ids,
		.dead_ns = CHAIR_DEAD_NS,
		.began_ns = now_ns,
	};
	uint32_t n;

	if (!ids || ids > CHAIR_CANDIDATES)
		return -1;
	for (n = 0; n < ids; n++)
		c.candidate[n].id = id[n];
	chair_sort(c.candidate, ids);
	for (n = 1; n < ids; n++) {
		if (c.candidate[n].id == c.candidate[n - 1].id)
			return -1;
	}
	*chair = c;
	return 0;
}

static struct chair_candidate *chair_find(struct chair *chair, uint32_t id)
{
	uint32_t n;

	for (n = 0; n < chair->candidates; n++) {
		if (chair->candidate[n].id == id)
			return &chair->candidate[n];
	}
	return NULL;
}

/* How far an epoch is ahead of the one that is known; they go round. */
static int64_t chair_ahead(const struct chair *chair, uint64_t epoch)
{
	const int left = 64 - CHAIR_EPOCH_BITS;

	return (int64_t)((epoch - chair->epoch) << left) / (1 << left);
}

/* An epoch that is not from afar ahead; none is always possible. */
static bool chair_may_be(const struct chair *chair, uint64_t epoch)
{
	if (!chair->epoch)
		return epoch <= CHAIR_EPOCH_JUMP;
	return !epoch || (epoch <= CHAIR_EPOCH_MOST &&
			  chair_ahead(chair, epoch) <= CHAIR_EPOCH_JUMP);
}

/* Neither from afar nor long over. */
static bool chair_is_near(const struct chair *chair, uint64_t epoch)
{
	return chair_may_be(chair, epoch) &&
	       chair_ahead(chair, epoch) >= -CHAIR_EPOCH_JUMP;
}

/* A later epoch counts; of the same the lower id.  False if it cannot be. */
static bool chair_learn(struct chair *chair, uint64_t epoch, uint32_t holder)
{
	int64_t ahead = chair_ahead(chair, epoch);

	if (!chair_may_be(chair, epoch))
		return false;
	if (!epoch || ahead < 0 || (!ahead && holder >= chair->holder))
		return true;
	chair->epoch = epoch;
	chair->holder = holder;
	chair->sitting = false;
	return true;
}

/* A first epoch from afar: the lowest counts, when listening is over. */
static void chair_claim(struct chair *chair, uint64_t epoch, uint32_t holder)
{
	if (chair->epoch || (chair->claim && epoch >= chair->claim))
		return;
	chair->claim = epoch;
	chair->claimant = holder;
}

/* A candidate lives; since when is what it says of another age? */
static void chair_note(const struct chair *chair, struct chair_candidate *who,
		       const struct chair_hello *hello, int64_t now_ns)
{
	bool afar = chair->epoch && hello->epoch &&
		    !chair_is_near(chair, hello->epoch);

	if (afar && !who->afar)
		who->afar_ns = now_ns;
	who->afar = afar;
	who->alive = true;
	who->heard_ns = now_ns;
	who->epoch = hello->epoch;
	who->holder = hello->holder;
}

bool chair_hear(struct chair *chair, const struct chair_hello *hello,
		int64_t now_ns)
{
	struct chair_candidate *who = chair_find(chair, hello->id);
	bool believed;

	if (hello->id == chair->self || hello->epoch > CHAIR_EPOCH_MOST ||
	    (hello->epoch && !chair_find(chair, hello->holder)))
		return false;
	believed = chair_learn(chair, hello->epoch, hello->holder);
	if (!believed)
		chair_claim(chair, hello->epoch, hello->holder);
	if (who)
		chair_note(chair, who, hello, now_ns);
	return believed;
}

static void chair_bury(struct chair *chair, int64_t now_ns)
{
	uint32_t n;

	for (n = 0; n < chair->candidates; n++) {
		struct chair_candidate *c = &chair->candidate[n];

		if (c->alive && now_ns - c->heard_ns > chair->dead_ns) {
			c->alive = false;
			c->afar = false;
		}
	}
}

static bool chair_has_listened(const struct chair *chair, int64_t now_ns)
{
	return now_ns - chair->began_ns >= chair->dead_ns;
}

static void chair_believe(struct chair *chair, int64_t now_ns)
{
	if (chair->epoch || !chair->claim || !chair_has_listened(chair, now_ns))
		return;
	chair->epoch = chair->claim;
	chair->holder = chair->claimant;
}

/* The lowest candidate that lives, NULL: there is none, or it is this host. */
static const struct chair_candidate *chair_lowest(const struct chair *chair)
{
	uint32_t n;

	for (n = 0; n < chair->candidates; n++) {
		if (chair->candidate[n].id == chair->self)
			return NULL;
		if (chair->candidate[n].alive)
			return &chair->candidate[n];
	}
	return NULL;
}

/* The lowest is of another age for long: this host's is given up for it. */
static void chair_follow(struct chair *chair, int64_t now_ns)
{
	const struct chair_candidate *lowest = chair_lowest(chair);
	uint32_t n;

	if (!lowest || !lowest->afar ||
	    now_ns - lowest->afar_ns <= CHAIR_ASTRAY * chair->dead_ns)
		return;
	chair->epoch = lowest->epoch;
	chair->holder = lowest->holder;
	chair->sitting = false;
	for (n = 0; n < chair->candidates; n++)
		chair->candidate[n].afar = false;
}

/* This host is a candidate, has listened, and none lower lives. */
static bool chair_is_lowest(struct chair *chair, int64_t now_ns)
{
	return chair_has_listened(chair, now_ns) && !chair_lowest(chair) &&
	       chair_find(chair, chair->self);
}

static void chair_take(struct chair *chair)
{
	chair->epoch = chair->epoch < CHAIR_EPOCH_MOST ? chair->epoch + 1 : 1;
	chair->holder = chair->self;
	chair->sitting = true;
}

static struct chair_verdict chair_say(struct chair *chair)
{
	const struct chair_candidate *holder = chair_find(chair, chair->holder);
	struct chair_verdict v = { 0 };

	v.known = chair->sitting || (chair->epoch && holder && holder->alive);
	if (v.known) {
		v.id = chair->holder;
		v.self = chair->sitting;
		v.epoch = chair->epoch;
	}
	v.changed = v.known != chair->said.known || v.id != chair->said.id ||
		    v.self != chair->said.self || v.epoch != chair->said.epoch;
	chair->said = v;
	return v;
}

struct chair_verdict chair_tick(struct chair *chair, int64_t now_ns)
{
	chair_bury(chair, now_ns);
	chair_believe(chair, now_ns);
	chair_follow(chair, now_ns);
	if (!chair->sitting && chair_is_lowest(chair, now_ns))
		chair_take(chair);
	return chair_say(chair);
}

struct chair_hello chair_hello(const struct chair *chair)
{
	return (struct chair_hello){
		.id = chair->self,
		.sitting = chair->sitting,
		.epoch = chair->epoch,
		.holder = chair->holder,
	};
}

bool chair_accepts(struct chair *chair, uint32_t id, uint64_t epoch)
{
	if (!epoch || !chair_find(chair, id) ||
	    (id == chair->self && !chair->sitting) ||
	    !chair_learn(chair, epoch, id))
		return false;
	return epoch == chair->epoch && id == chair->holder;
}
