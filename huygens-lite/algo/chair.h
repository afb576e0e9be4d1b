/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Who is coordinator: of the configured
 * candidates the lowest id that lives.  Candidates say HELLO every 500 ms and
 * are dead after 3 s of silence.
 *
 * One that lives sits on until a lower one has taken the chair, so that there
 * is no time without.  Each taking has an epoch of its own, later than any
 * that was heard.  What a coordinator says carries its epoch, and is fenced off where a
 * later one is known.  Of two with the same epoch the lower id holds.
 *
 * Who has just begun knows no epoch, and must not believe any: a false one far
 * ahead of the others' would fence it off from them.  So a first one from afar
 * waits until it has listened, and the lowest of what was heard counts.
 *
 * Hosts may all the same know epochs so far apart that neither believes the
 * other's: who heard a lie, or two halves of which one began anew while they did
 * not hear each other.  The age of the lowest candidate that lives counts then:
 * it will hold the chair, so a lie of it can do no more than that.
 */
#ifndef HUYGENS_CHAIR_H
#define HUYGENS_CHAIR_H

#include <stdbool.h>
#include <stdint.h>

#define CHAIR_CANDIDATES	16
#define CHAIR_HELLO_NS		500000000LL
#define CHAIR_DEAD_NS		3000000000LL

/*
 * An epoch grows by 1 with each taking, and goes round: after the greatest
 * comes 1, so that the chair can be taken after any that was, and the one of
 * that taking be believed as any other.  Of two that differ by less than half
 * the round the later is the one that is reached by growing.
 *
 * One that is further ahead of what is known than CHAIR_EPOCH_JUMP, or of 0
 * where nothing is, is a lie or of another age, and would fence off everybody.
 */
#define CHAIR_EPOCH_BITS	62
#define CHAIR_EPOCH_MOST	((1ULL << CHAIR_EPOCH_BITS) - 1)
#define CHAIR_EPOCH_JUMP	1048576
/* So many silences long the lowest says nothing but another age: it counts. */
#define CHAIR_ASTRAY		2

/**
 * struct chair_candidate - one who may be coordinator
 * @id: the host's
 * @alive: heard lately
 * @heard_ns: local time of its last HELLO
 * @epoch: that it said then, 0: none
 * @holder: who holds that
 * @afar: it was of another age, and all since @afar_ns were
 * @afar_ns: local time of the first such
 */
struct chair_candidate {
	uint32_t id;
	bool alive;
	int64_t heard_ns;
	uint64_t epoch;
	uint32_t holder;
	bool afar;
	int64_t afar_ns;
};

/**
 * struct chair_verdict - who is coordinator
 * @known: somebody is
 * @id: who
 * @self: it is this host
 * @epoch: its epoch
 * @changed: any of these is other than before
 */
struct chair_verdict {
	bool known;
	uint32_t id;
	bool self;
	uint64_t epoch;
	bool changed;
};

/**
 * struct chair - who is coordinator, as this host sees it
 * @self: this host's id
 * @candidates: how many there are
 * @candidate: by growing id
 * @dead_ns: silence after which a candidate is dead: CHAIR_DEAD_NS unless it is
 *	set to something else, at any time
 * @began_ns: local time of chair_begin(); nobody takes the chair before it
 *	has listened for @dead_ns
 * @epoch: latest epoch heard or taken, 1 to CHAIR_EPOCH_MOST, 0: none
 * @holder: who said @epoch
 * @sitting: this host is coordinator, with @epoch
 * @claim: lowest epoch from afar that was heard before any was known, 0: none
 * @claimant: who was said to hold it
 * @said: the last verdict
 */
struct chair {
	uint32_t self;
	uint32_t candidates;
	struct chair_candidate candidate[CHAIR_CANDIDATES];
	int64_t dead_ns;
	int64_t began_ns;
	uint64_t epoch;
	uint32_t holder;
	bool sitting;
	uint64_t claim;
	uint32_t claimant;
	struct chair_verdict said;
};

/**
 * struct chair_hello - what a host says of itself
 * @id: its id
 * @sitting: it is coordinator
 * @epoch: latest epoch that it knows
 * @holder: who holds that
 */
struct chair_hello {
	uint32_t id;
	bool sitting;
	uint64_t epoch;
	uint32_t holder;
};

/**
 * chair_begin() - begin to listen
 * @chair: gets its first state
 * @self: this host's id, a candidate's or not
 * @id: the candidates' ids, all different, in any order
 * @ids: how many, 1 to CHAIR_CANDIDATES
 * @now_ns: local time
 *
 * Return: 0; -1 if @ids is out of range or two ids are equal: @chair is left
 * alone then.
 */
int chair_begin(struct chair *chair, uint32_t self, const uint32_t *id,
		uint32_t ids, int64_t now_ns);

/**
 * chair_hear() - a host said HELLO
 * @chair: the state
 * @hello: what it said, any numbers
 * @now_ns: local time
 *
 * Everybody's epoch is learned; only candidates can be coordinator.  One that
 * says an epoch from afar is not believed yet, but lives.
 *
 * Return: false if it was not believed: this host itself, a holder that is no
 * candidate, or an epoch that cannot be, or not yet.
 */
bool chair_hear(struct chair *chair, const struct chair_hello *hello,
		int64_t now_ns);

/**
 * chair_tick() - who is coordinator now
 * @chair: the state
 * @now_ns: local time; to be called once every CHAIR_HELLO_NS at least
 *
 * Return: the verdict.
 */
struct chair_verdict chair_tick(struct chair *chair, int64_t now_ns);

/**
 * chair_hello() - what this host has to say
 * @chair: the state
 *
 * Return: its HELLO; a host that is no candidate says it too, so that one who
 * comes back learns the epoch.
 */
struct chair_hello chair_hello(const struct chair *chair);

/**
 * chair_accepts() - may this coordinator be listened to
 * @chair: the state; learns of a later epoch, as of a HELLO's
 * @id: who says to be coordinator
 * @epoch: the epoch that it says, any number
 *
 * Return: false if it is stale, no candidate, or cannot be.
 */
bool chair_accepts(struct chair *chair, uint32_t id, uint64_t epoch);

#endif /* HUYGENS_CHAIR_H */
