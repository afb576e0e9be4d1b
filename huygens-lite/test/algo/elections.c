// SPDX-License-Identifier: GPL-2.0
/*
 * Election: candidates that hear each other, or do not; which is coordinator at
 * which time, and whose messages count.  -s SEED repeats, -n is the number of
 * random histories.
 */
#include "election.h"
#include "options.h"
#include "random.h"

#define HOSTS	7
#define CANDIDATES 4
#define TICK	ELECTION_HELLO_NS
#define SECOND	(1000000000LL / TICK)

/**
 * struct town - hosts that may be coordinators, and some that may not
 * @election: of each
 * @up: it runs
 * @direction: hosts hear those of their side
 * @now: ticks, each half a second
 */
struct town {
	struct election election[HOSTS];
	bool up[HOSTS];
	int direction[HOSTS];
	int64_t now;
};

/* Candidates are 10, 20, 30 and 40; others 50, 60, 70. */
static uint32_t id_of(uint32_t host)
{
	return 10 * (host + 1);
}

static void start(struct town *t, uint32_t host)
{
	static const uint32_t id[CANDIDATES] = { 30, 10, 40, 20 };

	election_begin(&t->election[host], id_of(host), id, CANDIDATES, t->now * TICK);
	t->up[host] = true;
}

static struct town town(void)
{
	struct town t = { .now = 100 };
	uint32_t h;

	for (h = 0; h < HOSTS; h++)
		start(&t, h);
	return t;
}

static void pass(struct town *t, int64_t ticks)
{
	uint32_t a, b;

	for (; ticks > 0; ticks--, t->now++) {
		for (a = 0; a < HOSTS; a++) {
			struct election_hello hello = election_hello(&t->election[a]);

			for (b = 0; t->up[a] && b < HOSTS; b++) {
				if (a != b && t->up[b] && t->direction[a] == t->direction[b])
					election_hear(&t->election[b], &hello, t->now * TICK);
			}
		}
		for (a = 0; a < HOSTS; a++) {
			if (t->up[a])
				election_tick(&t->election[a], t->now * TICK);
		}
	}
}

/* Everybody on a side knows @host as coordinator, and only it thinks so of itself. */
static bool rules(struct town *t, uint32_t host)
{
	uint32_t h;

	for (h = 0; h < HOSTS; h++) {
		struct election_verdict v = t->election[h].last;

		if (!t->up[h] || t->direction[h] != t->direction[host])
			continue;
		if (!v.known || v.id != id_of(host) || v.self != (h == host) ||
		    v.term != t->election[host].term)
			return false;
	}
	return true;
}

static uint32_t leading(const struct town *t)
{
	uint32_t n = 0, h;

	for (h = 0; h < HOSTS; h++)
		n += t->up[h] && t->election[h].leading;
	return n;
}

/* @host receives a solution. */
static bool accepts(struct town *t, uint32_t host, uint32_t id, uint64_t term)
{
	return election_accepts(&t->election[host], id, term);
}

static void elections(void)
{
	struct town t = town();
	uint64_t term;

	pass(&t, 3 * SECOND - 1);
	tap_ok(!leading(&t) && !t.election[3].last.known, "election__nobody_before_3_seconds");
	pass(&t, 3);
	tap_ok(rules(&t, 0) && leading(&t) == 1, "election__the_lowest_id_at_first");
	term = t.election[0].term;
	t.up[0] = false;
	pass(&t, 3 * SECOND);
	tap_ok(!leading(&t), "election__nobody_replaces_one_who_may_live");
	pass(&t, 3);
	tap_ok(rules(&t, 1) && t.election[1].term > term, "election__a_dead_one_is_replaced");
	t.up[1] = false;
	t.up[2] = false;
	pass(&t, 3 * SECOND + 3);
	tap_ok(rules(&t, 3), "election__and_again");
	t.up[3] = false;
	pass(&t, 10 * SECOND);
	tap_ok(!leading(&t) && !t.election[5].last.known, "election__nobody_but_candidates");
	start(&t, 2);
	pass(&t, 3 * SECOND + 3);
	tap_ok(rules(&t, 2) && t.election[2].term > t.election[3].term, "election__others_tell_a_new_one_the_term");
}

static void returns(void)
{
	struct town t = town();
	bool always = true;
	int k;

	pass(&t, 4 * SECOND);
	t.up[0] = false;
	pass(&t, 4 * SECOND);
	start(&t, 0);
	for (k = 0; k < 8 * SECOND; k++) {
		pass(&t, 1);
		always &= leading(&t) >= 1;
	}
	tap_ok(rules(&t, 0), "election__the_lowest_takes_it_when_it_returns");
	tap_ok(always, "election__with_no_time_without");
}

static void fences(void)
{
	struct town t = town();
	uint64_t stale;
	uint32_t h;
	bool fenced = true, accepted = true;

	pass(&t, 4 * SECOND);
	stale = t.election[0].term;
	t.direction[0] = 1;
	pass(&t, 4 * SECOND);
	tap_ok(rules(&t, 1) && leading(&t) == 2, "election__split_each_side_has_one");
	for (h = 1; h < HOSTS; h++) {
		fenced &= !accepts(&t, h, 10, stale);
		accepted &= accepts(&t, h, 20, t.election[1].term);
	}
	tap_ok(fenced, "election__a_stale_one_is_fenced");
	tap_ok(accepted, "election__the_new_one_is_listened_to");
	t.direction[0] = 0;
	pass(&t, 4);
	tap_ok(rules(&t, 0) && leading(&t) == 1, "election__healed_the_lowest_holds");
	tap_ok(!accepts(&t, 4, 20, t.election[1].term - 1), "election__and_the_other_is_fenced");
}

/* Two take the same epoch, each where it does not hear the other. */
static void ties(void)
{
	struct town t = town();

	pass(&t, 4 * SECOND);
	t.up[0] = false;
	t.direction[2] = t.direction[5] = 1;
	pass(&t, 4 * SECOND);
	tap_ok(t.election[1].term == t.election[2].term && leading(&t) == 2, "election__two_of_the_same_term");
	tap_ok(accepts(&t, 5, 20, t.election[1].term) && !accepts(&t, 5, 30, t.election[1].term),
	       "election__the_lower_holds_it");
	t.direction[2] = t.direction[5] = 0;
	pass(&t, 2);
	tap_ok(rules(&t, 1) && leading(&t) == 1, "election__healed_the_lower_goes_on");
}

static void refusals(void)
{
	static const uint32_t same[] = { 1, 2, 1 }, ids[] = { 3, 1, 2 };
	uint32_t many[ELECTION_CANDIDATES + 1];
	struct election c = { .self = 77 };
	struct election_hello hello;
	uint32_t n;

	for (n = 0; n <= ELECTION_CANDIDATES; n++)
		many[n] = n;
	tap_ok(election_begin(&c, 1, ids, 0, 0) == -1 && c.self == 77, "election__no_candidates");
	tap_ok(election_begin(&c, 1, same, 3, 0) == -1 && c.self == 77, "election__a_candidate_twice");
	tap_ok(election_begin(&c, 1, many, ELECTION_CANDIDATES + 1, 0) == -1, "election__too_many_candidates");
	tap_ok(!election_begin(&c, 1, many, ELECTION_CANDIDATES, 0), "election__as_many_as_can_be");
	election_begin(&c, 2, ids, 3, 0);
	hello = (struct election_hello){ .id = 2, .term = 9, .leader = 1 };
	tap_ok(!election_hear(&c, &hello, 0) && !c.term, "election__its_own_hello");
	hello = (struct election_hello){ .id = 3, .term = 9, .leader = 4 };
	tap_ok(!election_hear(&c, &hello, 0) && !c.term, "election__a_holder_that_is_no_candidate");
	hello = (struct election_hello){ .id = 3, .term = ELECTION_TERM_MOST + 1, .leader = 3 };
	tap_ok(!election_hear(&c, &hello, 0) && !c.term, "election__a_term_that_cannot_be");
	hello.term = ELECTION_TERM_JUMP + 1;
	tap_ok(!election_hear(&c, &hello, 0) && !c.term && !election_accepts(&c, 3, hello.term), "election__a_first_one_from_afar");
	hello.term = 5;
	tap_ok(election_hear(&c, &hello, 0) && c.term == 5, "election__one_that_can");
	hello.term = 5 + ELECTION_TERM_JUMP + 1;
	tap_ok(!election_hear(&c, &hello, 0) && c.term == 5, "election__a_term_too_far_ahead");
	hello.term = ELECTION_TERM_MOST + 1 + 6;
	tap_ok(!election_hear(&c, &hello, 0) && c.term == 5, "election__one_a_round_ahead");
	tap_ok(!election_accepts(&c, 3, 5 + ELECTION_TERM_JUMP + 1) && !election_accepts(&c, 3, hello.term) && !election_accepts(&c, 3, UINT64_MAX),
	       "election__nor_in_a_solution");
	tap_ok(!election_accepts(&c, 4, 6) && c.term == 5, "election__a_solution_of_no_candidate");
	tap_ok(!election_accepts(&c, 3, 0), "election__a_solution_without_term");
	tap_ok(!election_accepts(&c, 2, 6) && c.term == 5, "election__a_solution_in_its_own_name");
	tap_ok(election_accepts(&c, 3, 5 + ELECTION_TERM_JUMP), "election__the_greatest_jump");
	tap_ok(!election_accepts(&c, 3, 5), "election__then_older_ones_are_stale");
	election_begin(&c, 77, ids, 3, 0);
	hello.term = ELECTION_TERM_MOST + 1;
	election_hear(&c, &hello, 0);
	tap_ok(!election_tick(&c, ELECTION_DEAD_NS).known && !c.term, "election__what_cannot_be_is_not_accepted_later_either");
	c.term = ELECTION_TERM_MOST / 2 + 2;
	hello.term = 0;
	tap_ok(election_hear(&c, &hello, 0) && c.term == ELECTION_TERM_MOST / 2 + 2, "election__none_can_always_be");
}

static void tell(struct town *t, uint32_t to, uint32_t id, uint64_t term)
{
	struct election_hello hello = { .id = id, .term = term, .leader = id };

	election_hear(&t->election[to], &hello, t->now * TICK);
}

static void log_message(struct town *t, uint32_t to, uint64_t term)
{
	tell(t, to, 40, term);
}

/* Terms that a host accepts that has just begun, and how it comes back. */
static void beginners(void)
{
	const uint64_t far = 1ULL << 40;
	struct town t = town();
	uint32_t h;

	pass(&t, 4 * SECOND);
	start(&t, 5);
	log_message(&t, 5, far);
	tap_ok(!t.election[5].term, "election__a_first_term_from_afar_waits");
	pass(&t, 4 * SECOND);
	tap_ok(rules(&t, 0) && t.election[5].term == t.election[0].term, "election__and_a_near_one_counts");

	/* No other host is received. */
	t.direction[5] = 1;
	start(&t, 5);
	log_message(&t, 5, far + 7);
	log_message(&t, 5, far);
	log_message(&t, 5, far + 9);
	pass(&t, 3 * SECOND);
	tap_ok(!t.election[5].term, "election__while_it_listens");
	pass(&t, 1);
	tap_ok(t.election[5].term == far, "election__then_the_lowest_is_accepted");
	t.direction[5] = 0;
	pass(&t, 6 * SECOND);
	tap_ok(t.election[5].term == far, "election__the_others_are_not_accepted_at_once");
	for (h = 0; h < 5; h++)
		log_message(&t, h, far);
	pass(&t, 4 * SECOND);
	tap_ok(rules(&t, 0) && t.election[5].term == t.election[0].term, "election__but_when_the_lowest_says_nothing_else");

	/* A mesh of that age, whose newcomers know it from the others. */
	t = town();
	for (h = 0; h < HOSTS; h++)
		log_message(&t, h, far);
	pass(&t, 8 * SECOND);
	tap_ok(rules(&t, 0) && t.election[0].term == far + 1, "election__where_all_heard_it_the_next_is_above");
	start(&t, 5);
	pass(&t, 4 * SECOND);
	tap_ok(rules(&t, 0), "election__newcomers_learn_what_all_say");
	start(&t, 3);
	pass(&t, 4 * SECOND);
	tap_ok(rules(&t, 0) && t.election[0].term == far + 1, "election__and_candidates_take_nothing");
	for (h = 0; h < 20; h++) {
		log_message(&t, 5, 1);
		log_message(&t, 6, ELECTION_TERM_MOST);
		pass(&t, 1);
	}
	tap_ok(rules(&t, 0) && t.election[5].term == far + 1, "election__whose_lowest_is_of_its_age_stays");
}

/* All hosts have a term that no beginner accepts. */
static struct town old_town(void)
{
	struct town t = town();
	uint32_t h;

	for (h = 0; h < HOSTS; h++)
		log_message(&t, h, 1ULL << 40);
	pass(&t, 8 * SECOND);
	return t;
}

/* Two halves that do not hear each other; @lowest is in the one that begins anew. */
static bool halves_join(bool lowest)
{
	struct town t = old_town();
	bool apart;
	uint32_t h;

	for (h = 0; h < HOSTS; h++)
		t.direction[h] = (h % 2 == 0) == lowest;
	for (h = 0; h < HOSTS; h++) {
		if (t.direction[h])
			start(&t, h);
	}
	pass(&t, 4 * SECOND);
	for (h = 0; h < HOSTS; h++)
		t.direction[h] = 0;
	pass(&t, 6 * SECOND);
	apart = leading(&t) == 2;
	pass(&t, SECOND);
	return apart && rules(&t, 0) && leading(&t) == 1;
}

/* The lowest host sends for some seconds to one host only, which began with @term. */
static bool stays(int64_t afar_s, int64_t silent_s, bool near)
{
	struct town t = old_town();
	uint64_t term = t.election[5].term;
	int64_t k;

	t.direction[5] = 1;
	pass(&t, 4 * SECOND);
	for (k = 0; k < 2 * afar_s * SECOND; k++) {
		if (k == afar_s * SECOND)
			pass(&t, silent_s * SECOND);
		if (near)
			tell(&t, 5, 10, term);
		tell(&t, 5, 10, 3);
		pass(&t, 1);
	}
	return t.election[5].term == term;
}

/* Whose epochs are too far apart to be accepted. */
static void ages(void)
{
	struct town t = old_town();
	uint32_t k;

	tap_ok(halves_join(false), "election__a_half_that_began_anew_joins_the_lowest");
	tap_ok(halves_join(true), "election__and_the_other_half_it_if_the_lowest_is_there");
	tap_ok(stays(6, 0, true), "election__one_near_term_of_the_lowest_is_enough_to_stay");
	tap_ok(stays(3, 4, false), "election__a_silence_that_buries_it_too");
	tap_ok(!stays(4, 1, false), "election__a_shorter_one_is_not");
	for (k = 0; k < 20 * SECOND; k++) {
		tell(&t, 2, 30, 3);
		tell(&t, 2, 40, 3);
		tell(&t, 0, 20, 3);
		pass(&t, 1);
	}
	tap_ok(rules(&t, 0), "election__others_than_the_lowest_say_what_they_like");
}

/* @host begins anew: does it find the coordinator, and take nothing from it? */
static bool joins(struct town *t, uint32_t host)
{
	uint64_t term = t->election[0].term;

	start(t, host);
	pass(t, 4 * SECOND);
	return rules(t, 0) && (!host || t->election[0].term == term);
}

/* A lie that all accepted when they began, and a later host. */
static void lies(void)
{
	static const uint64_t lie[] = { 1ULL << 40, ELECTION_TERM_MOST / 2, ELECTION_TERM_MOST / 2 + 1, ELECTION_TERM_MOST - 1,
					ELECTION_TERM_MOST };
	bool beyond = true, after = true, together = true, alive = true;
	uint32_t n, h;

	for (n = 0; n < sizeof(lie) / sizeof(*lie); n++) {
		struct town t = town();

		for (h = 0; h < HOSTS; h++)
			log_message(&t, h, lie[n]);
		pass(&t, 4 * SECOND);
		beyond &= rules(&t, 0) && t.election[0].term == (lie[n] < ELECTION_TERM_MOST ? lie[n] + 1 : 1);
		for (h = 0; h < HOSTS; h++)
			after &= joins(&t, h);
		start(&t, 2);
		together &= joins(&t, 3);
		start(&t, 5);
		together &= joins(&t, 1);
		/* The coordinator dies while a lower one listens, which knows no epoch yet. */
		t.up[0] = false;
		pass(&t, 4 * SECOND);
		start(&t, 0);
		t.up[1] = false;
		for (h = 0; h < 4 * SECOND; h++) {
			pass(&t, 1);
			alive &= !t.election[2].leading;
		}
		alive &= rules(&t, 0);
	}
	tap_ok(beyond, "election__beyond_a_lie_that_all_believe_there_is_a_term");
	tap_ok(after, "election__and_who_begins_after_it_joins");
	tap_ok(together, "election__and_so_do_two_together");
	tap_ok(alive, "election__who_knows_no_term_yet_lives");
}

/* Epochs go round, in 2^62 steps; the first may be any. */
static bool grew(uint64_t was, uint64_t is)
{
	return !was || (is - was) % (1ULL << 62) < 1ULL << 61;
}

/* A host dies, returns, or goes to another side. */
static void befall(struct town *t, uint64_t *random, uint32_t h, uint32_t directions, uint64_t *term)
{
	switch (random_below(random, 4)) {
	case 0:
		t->up[h] = false;
		break;
	case 1:
		if (!t->up[h]) {
			start(t, h);
			term[h] = 0;
		}
		break;
	default:
		t->direction[h] = random_below(random, directions);
		break;
	}
}

/*
 * Hosts die, return, split and heal at random; then 8 quiet seconds: one coordinator a side, the lowest.  Every other
 * history is of one side that began with a lie, so that epochs go round in it.
 */
static void random_towns(struct options o)
{
	bool one = true, grows = true;
	unsigned long round;
	uint32_t k, h;

	for (round = 0; round < o.n; round++) {
		struct town t = town();
		uint64_t term[HOSTS] = { 0 };

		for (h = 0; round % 2 && h < HOSTS; h++)
			log_message(&t, h, ELECTION_TERM_MOST - 4);
		for (k = 0; k < 40; k++) {
			befall(&t, &o.seed, random_below(&o.seed, HOSTS), 2 - round % 2, term);
			pass(&t, random_below(&o.seed, 12));
			for (h = 0; h < HOSTS; h++) {
				grows &= grew(term[h], t.election[h].term);
				term[h] = t.election[h].term;
			}
		}
		pass(&t, 8 * SECOND);
		for (k = 0; k < 2; k++) {
			for (h = 0; h < CANDIDATES && !(t.up[h] && t.direction[h] == (int)k);)
				h++;
			one &= h == CANDIDATES || rules(&t, h);
		}
	}
	tap_ok(one, "election__whatever_happened_the_lowest_holds_in_the_end");
	tap_ok(grows, "election__terms_never_fall");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 100, "random histories");

	elections();
	returns();
	fences();
	ties();
	refusals();
	beginners();
	ages();
	lies();
	random_towns(o);
	return tap_done();
}
