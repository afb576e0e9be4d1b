// SPDX-License-Identifier: GPL-2.0
/*
 * Election of the lowest id that is alive, and terms.
 */
#include "election.h"
#include "sort.h"

static bool election_before(const struct election_candidate *a,
			    const struct election_candidate *b)
{
	return a->id < b->id;
}

SORT_DEFINE(election_sort, struct election_candidate, election_before)

int election_begin(struct election *election, uint32_t self, const uint32_t *id,
		   uint32_t ids, int64_t now_ns)
{
	struct election c = {
		.self = self,
		.candidates = ids,
		.dead_ns = ELECTION_DEAD_NS,
		.began_ns = now_ns,
	};
	uint32_t n;

	if (!ids || ids > ELECTION_CANDIDATES)
		return -1;
	for (n = 0; n < ids; n++)
		c.candidate[n].id = id[n];
	election_sort(c.candidate, ids);
	for (n = 1; n < ids; n++) {
		if (c.candidate[n].id == c.candidate[n - 1].id)
			return -1;
	}
	*election = c;
	return 0;
}

static struct election_candidate *election_find(struct election *election, uint32_t id)
{
	uint32_t n;

	for (n = 0; n < election->candidates; n++) {
		if (election->candidate[n].id == id)
			return &election->candidate[n];
	}
	return NULL;
}

void election_listen(struct election *election, int64_t now_ns)
{
	election->began_ns = now_ns;
	election->leading = false;
}

int election_replace(struct election *election, const uint32_t *id, uint32_t ids,
		     int64_t now_ns)
{
	struct election next;
	uint32_t n;

	if (election_begin(&next, election->self, id, ids, now_ns))
		return -1;
	for (n = 0; n < ids; n++) {
		const struct election_candidate *known =
			election_find(election, next.candidate[n].id);

		if (known)
			next.candidate[n] = *known;
	}
	for (n = 0; n < ids; n++)
		election->candidate[n] = next.candidate[n];
	election->candidates = ids;
	if (!election->leading || !election_find(election, election->self))
		election_listen(election, now_ns);
	return 0;
}

/* Distance of a term ahead of the known one; terms wrap. */
static int64_t election_ahead(const struct election *election, uint64_t term)
{
	const int left = 64 - ELECTION_TERM_BITS;

	return (int64_t)((term - election->term) << left) / (1 << left);
}

/* A term that is not too far ahead; none is always possible. */
static bool election_may_be(const struct election *election, uint64_t term)
{
	if (!election->term)
		return term <= ELECTION_TERM_JUMP;
	return !term || (term <= ELECTION_TERM_MOST &&
			 election_ahead(election, term) <= ELECTION_TERM_JUMP);
}

/* Neither too far ahead nor too far back. */
static bool election_is_near(const struct election *election, uint64_t term)
{
	return election_may_be(election, term) &&
	       election_ahead(election, term) >= -ELECTION_TERM_JUMP;
}

/* A later term counts; of the same the lower id.  False if it is impossible. */
static bool election_learn(struct election *election, uint64_t term, uint32_t leader)
{
	int64_t ahead = election_ahead(election, term);

	if (!election_may_be(election, term))
		return false;
	if (!term || ahead < 0 || (!ahead && leader >= election->leader))
		return true;
	election->term = term;
	election->leader = leader;
	election->leading = false;
	return true;
}

/* A first term from far ahead: the lowest counts, when listening is over. */
static void election_claim(struct election *election, uint64_t term, uint32_t leader)
{
	if (election->term || (election->claim && term >= election->claim))
		return;
	election->claim = term;
	election->claimant = leader;
}

/* A candidate is alive; note since when its term is out of range. */
static void election_note(const struct election *election, struct election_candidate *candidate,
			  const struct election_hello *hello, int64_t now_ns)
{
	bool afar = election->term && hello->term &&
		    !election_is_near(election, hello->term);

	if (afar && !candidate->afar)
		candidate->afar_ns = now_ns;
	candidate->afar = afar;
	candidate->alive = true;
	candidate->received_ns = now_ns;
	candidate->term = hello->term;
	candidate->leader = hello->leader;
}

bool election_hear(struct election *election, const struct election_hello *hello,
		   int64_t now_ns)
{
	struct election_candidate *candidate = election_find(election, hello->id);
	bool accepted;

	if (hello->id == election->self || hello->term > ELECTION_TERM_MOST ||
	    (hello->term && !election_find(election, hello->leader)))
		return false;
	accepted = election_learn(election, hello->term, hello->leader);
	if (!accepted)
		election_claim(election, hello->term, hello->leader);
	if (candidate)
		election_note(election, candidate, hello, now_ns);
	return accepted;
}

static void election_expire(struct election *election, int64_t now_ns)
{
	uint32_t n;

	for (n = 0; n < election->candidates; n++) {
		struct election_candidate *c = &election->candidate[n];

		if (c->alive && now_ns - c->received_ns > election->dead_ns) {
			c->alive = false;
			c->afar = false;
		}
	}
}

static bool election_has_listened(const struct election *election, int64_t now_ns)
{
	return now_ns - election->began_ns >= election->dead_ns;
}

static void election_accept_claim(struct election *election, int64_t now_ns)
{
	if (election->term || !election->claim || !election_has_listened(election, now_ns))
		return;
	election->term = election->claim;
	election->leader = election->claimant;
}

/* The lowest candidate that is alive; NULL: none, or this host. */
static const struct election_candidate *election_lowest(const struct election *election)
{
	uint32_t n;

	for (n = 0; n < election->candidates; n++) {
		if (election->candidate[n].id == election->self)
			return NULL;
		if (election->candidate[n].alive)
			return &election->candidate[n];
	}
	return NULL;
}

/* The lowest candidate's term was out of range for long: adopt it. */
static void election_adopt(struct election *election, int64_t now_ns)
{
	const struct election_candidate *lowest = election_lowest(election);
	uint32_t n;

	if (!lowest || !lowest->afar ||
	    now_ns - lowest->afar_ns <= ELECTION_ASTRAY * election->dead_ns)
		return;
	election->term = lowest->term;
	election->leader = lowest->leader;
	election->leading = false;
	for (n = 0; n < election->candidates; n++)
		election->candidate[n].afar = false;
}

/* This host is a candidate, has listened, and no lower one is alive. */
static bool election_is_lowest(struct election *election, int64_t now_ns)
{
	return election_has_listened(election, now_ns) && !election_lowest(election) &&
	       election_find(election, election->self);
}

static void election_lead(struct election *election)
{
	election->term = election->term < ELECTION_TERM_MOST ? election->term + 1 : 1;
	election->leader = election->self;
	election->leading = true;
}

static struct election_verdict election_report(struct election *election)
{
	const struct election_candidate *leader = election_find(election, election->leader);
	struct election_verdict v = { 0 };

	v.known = election->leading || (election->term && leader && leader->alive);
	if (v.known) {
		v.id = election->leader;
		v.self = election->leading;
		v.term = election->term;
	}
	v.changed = v.known != election->last.known || v.id != election->last.id ||
		    v.self != election->last.self || v.term != election->last.term;
	election->last = v;
	return v;
}

struct election_verdict election_tick(struct election *election, int64_t now_ns)
{
	election_expire(election, now_ns);
	election_accept_claim(election, now_ns);
	election_adopt(election, now_ns);
	if (!election->leading && election_is_lowest(election, now_ns))
		election_lead(election);
	return election_report(election);
}

struct election_hello election_hello(const struct election *election)
{
	return (struct election_hello){
		.id = election->self,
		.leading = election->leading,
		.term = election->term,
		.leader = election->leader,
	};
}

bool election_accepts(struct election *election, uint32_t id, uint64_t term)
{
	if (!term || !election_find(election, id) ||
	    (id == election->self && !election->leading) ||
	    !election_learn(election, term, id))
		return false;
	return term == election->term && id == election->leader;
}
