/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Election of the coordinator: the leader is the configured candidate with the
 * lowest id that is alive.  Candidates send a HELLO every 500 ms and count as
 * dead after 3 s without one.
 *
 * An incumbent leads on until a candidate with a lower id has begun a term, so
 * that there is no time without a leader.  Each term has a number that is later
 * than any that was received.  Messages of a leader carry its term and are refused
 * where a later term is known.  If two leaders have the same term, the lower id
 * leads.
 *
 * A host that has just begun knows no term and must not accept any: a false one
 * far ahead of the others' would keep it from hearing them.  A first term from
 * far ahead waits until the host has listened; the lowest that was received counts.
 *
 * Hosts may know terms so far apart that neither accepts the other's, after a
 * false message or a partition of which one half was restarted.  The term of the
 * lowest candidate that is alive counts then.  That candidate is going to lead,
 * so a false term of it gains nothing.
 */
#ifndef HUYGENS_ELECTION_H
#define HUYGENS_ELECTION_H

#include <stdbool.h>
#include <stdint.h>

#define ELECTION_CANDIDATES	16
#define ELECTION_HELLO_NS	500000000LL
#define ELECTION_DEAD_NS	3000000000LL

/*
 * Terms count up by 1 and wrap: 1 follows the greatest, so that a term can
 * follow any other and be accepted.  If two terms differ by less than half the
 * range, the later is the one that is reached by counting up.
 *
 * A term further ahead of the known one than ELECTION_TERM_JUMP, or of 0 where
 * none is known, is false or of another mesh, and would exclude all hosts.
 */
#define ELECTION_TERM_BITS	62
#define ELECTION_TERM_MOST	((1ULL << ELECTION_TERM_BITS) - 1)
#define ELECTION_TERM_JUMP	1048576
/* Multiples of dead_ns after which a lowest candidate's distant term counts. */
#define ELECTION_ASTRAY		2

/**
 * struct election_candidate - a host that may be coordinator
 * @id: its id
 * @alive: a message arrived lately
 * @received_ns: local time of its last HELLO
 * @term: of that HELLO, 0: none
 * @leader: host that leads @term
 * @afar: its term was out of range, and all since @afar_ns were
 * @afar_ns: local time of the first such
 */
struct election_candidate {
	uint32_t id;
	bool alive;
	int64_t received_ns;
	uint64_t term;
	uint32_t leader;
	bool afar;
	int64_t afar_ns;
};

/**
 * struct election_verdict - the leader
 * @known: there is one
 * @id: its id
 * @self: it is this host
 * @term: its term
 * @changed: any of these is other than before
 */
struct election_verdict {
	bool known;
	uint32_t id;
	bool self;
	uint64_t term;
	bool changed;
};

/**
 * struct election - the election as this host sees it
 * @self: this host's id
 * @candidates: how many there are
 * @candidate: by growing id
 * @dead_ns: time without a HELLO after which a candidate is dead: ELECTION_DEAD_NS unless it is
 *	set to something else, at any time
 * @began_ns: local time of election_begin(); this host does not lead before it
 *	has listened for @dead_ns
 * @term: latest term received or begun, 1 to ELECTION_TERM_MOST, 0: none
 * @leader: host that leads @term
 * @leading: this host is the leader, with @term
 * @claim: lowest term from far ahead received before any was known, 0: none
 * @claimant: host that leads @claim
 * @last: the last verdict
 */
struct election {
	uint32_t self;
	uint32_t candidates;
	struct election_candidate candidate[ELECTION_CANDIDATES];
	int64_t dead_ns;
	int64_t began_ns;
	uint64_t term;
	uint32_t leader;
	bool leading;
	uint64_t claim;
	uint32_t claimant;
	struct election_verdict last;
};

/**
 * struct election_hello - content of a HELLO
 * @id: the host's id
 * @leading: it is the leader
 * @term: latest term that it knows
 * @leader: host that leads @term
 */
struct election_hello {
	uint32_t id;
	bool leading;
	uint64_t term;
	uint32_t leader;
};

/**
 * election_begin() - begin to listen
 * @election: gets its first state
 * @self: this host's id, a candidate's or not
 * @id: the candidates' ids, all different, in any order
 * @ids: how many, 1 to ELECTION_CANDIDATES
 * @now_ns: local time
 *
 * Return: 0; -1 if @ids is out of range or two ids are equal: @election is left
 * alone then.
 */
int election_begin(struct election *election, uint32_t self, const uint32_t *id,
		   uint32_t ids, int64_t now_ns);

/**
 * election_listen() - begin to listen again: this host does not lead until it has
 * @election: the state, which keeps the known term
 * @now_ns: local time
 */
void election_listen(struct election *election, int64_t now_ns);

/**
 * election_replace() - other candidates
 * @election: the state, which is kept of those that stay; a leader that stays leads on, any
 *	other host listens first, as it has not heard the new ones
 * @id: the candidates' ids, all different, in any order
 * @ids: how many, 1 to ELECTION_CANDIDATES
 * @now_ns: local time
 *
 * Return: 0; -1 if @ids is out of range or two ids are equal: @election is left alone then.
 */
int election_replace(struct election *election, const uint32_t *id, uint32_t ids,
		     int64_t now_ns);

/**
 * election_hear() - a HELLO came
 * @election: the state
 * @hello: the HELLO, any numbers
 * @now_ns: local time
 *
 * Terms are learned of all hosts; only candidates can lead.  A candidate whose
 * term is too far ahead is alive, but the term is not accepted yet.
 *
 * Return: false if the HELLO was not accepted: it is of this host itself, its
 * leader is not a candidate, or its term is impossible, or not accepted yet.
 */
bool election_hear(struct election *election, const struct election_hello *hello,
		   int64_t now_ns);

/**
 * election_tick() - elect
 * @election: the state
 * @now_ns: local time; to be called once every ELECTION_HELLO_NS at least
 *
 * Return: the verdict.
 */
struct election_verdict election_tick(struct election *election, int64_t now_ns);

/**
 * election_hello() - the HELLO of this host
 * @election: the state
 *
 * Return: the HELLO; hosts that are not candidates send it too, so that a host
 * that comes back learns the term.
 */
struct election_hello election_hello(const struct election *election);

/**
 * election_accepts() - is this the leader?
 * @election: the state; learns a later term, as from a HELLO
 * @id: host that claims to lead
 * @term: its term, any number
 *
 * Return: false if the term is stale or impossible, or the host is not a candidate.
 */
bool election_accepts(struct election *election, uint32_t id, uint64_t term);

#endif /* HUYGENS_ELECTION_H */
