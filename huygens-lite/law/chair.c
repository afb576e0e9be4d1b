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

/* Is what others say of the age that this host knows? */
static void chair_compare(struct chair *chair, uint64_t epoch, int64_t now_ns)
{
	if (!chair->epoch || !epoch)
		return;
	if (chair_is_near(chair, epoch)) {
		chair->astray = false;
	} else if (!chair->astray) {
		chair->astray = true;
		chair->astray_ns = now_ns;
	}
}

/* A later epoch counts; of the same the lower id.  False if it cannot be. */
static bool chair_learn(struct chair *chair, uint64_t epoch, uint32_t holder,
			int64_t now_ns)
{
	int64_t ahead = chair_ahead(chair, epoch);

	chair_compare(chair, epoch, now_ns);
	if (!chair_may_be(chair, epoch))
		return false;
	if (!epoch || ahead < 0 || (!ahead && holder >= chair->holder))
		return true;
	chair->epoch = epoch;
	chair->holder = holder;
	chair->sitting = false;
	return true;
}

/*
 * A first epoch from afar: the lowest of them counts, when listening is over.
 * False if it is none.
 */
static bool chair_claim(struct chair *chair, uint64_t epoch, uint32_t holder)
{
	if (chair->epoch || epoch > CHAIR_EPOCH_MOST)
		return false;
	if (!chair->claim || epoch < chair->claim) {
		chair->claim = epoch;
		chair->claimant = holder;
	}
	return true;
}

bool chair_hear(struct chair *chair, const struct chair_hello *hello,
		int64_t now_ns)
{
	struct chair_candidate *who = chair_find(chair, hello->id);
	bool believed;

	if (hello->id == chair->self ||
	    (hello->epoch && !chair_find(chair, hello->holder)))
		return false;
	believed = chair_learn(chair, hello->epoch, hello->holder, now_ns);
	if (!believed && !chair_claim(chair, hello->epoch, hello->holder))
		return false;
	if (who) {
		who->alive = true;
		who->heard_ns = now_ns;
	}
	return believed;
}

static void chair_bury(struct chair *chair, int64_t now_ns)
{
	uint32_t n;

	for (n = 0; n < chair->candidates; n++) {
		struct chair_candidate *c = &chair->candidate[n];

		if (c->alive && now_ns - c->heard_ns > chair->dead_ns)
			c->alive = false;
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

/* All others are of another age: what is known is forgotten. */
static void chair_repent(struct chair *chair, int64_t now_ns)
{
	if (!chair->astray || now_ns - chair->astray_ns <= CHAIR_ASTRAY * chair->dead_ns)
		return;
	chair->epoch = 0;
	chair->sitting = false;
	chair->claim = 0;
	chair->astray = false;
	chair->began_ns = now_ns;
}

/* This host is a candidate, has listened, and none lower lives. */
static bool chair_is_lowest(const struct chair *chair, int64_t now_ns)
{
	uint32_t n;

	if (!chair_has_listened(chair, now_ns))
		return false;
	for (n = 0; n < chair->candidates; n++) {
		if (chair->candidate[n].id == chair->self)
			return true;
		if (chair->candidate[n].alive)
			return false;
	}
	return false;
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
	chair_repent(chair, now_ns);
	chair_believe(chair, now_ns);
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

bool chair_accepts(struct chair *chair, uint32_t id, uint64_t epoch,
		   int64_t now_ns)
{
	if (!epoch || !chair_find(chair, id) ||
	    (id == chair->self && !chair->sitting) ||
	    !chair_learn(chair, epoch, id, now_ns))
		return false;
	return epoch == chair->epoch && id == chair->holder;
}
