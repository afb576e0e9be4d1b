/* SPDX-License-Identifier: GPL-2.0 */
/*
 * When a pair of probes goes to whom, and what its stamps were: they come after
 * a probe has left, so they travel with the two pairs that follow it (On-Ramp
 * 3.3).
 *
 * Without side effects: chance is seeded, time an argument, and the sender reports the outcome.
 */
#ifndef HUYGENS_PROBER_H
#define HUYGENS_PROBER_H

#include <stdbool.h>
#include <stdint.h>

#include "wire.h"

/* Pairs of a neighbour whose stamps are waited for. */
#define PROBER_PAIRS	4
/* Probes on their way to their stamp; a power of two. */
#define PROBER_FLYING	4096

/**
 * struct prober_pair - a pair that was sent
 * @number: of the pair, from 1; 0: none
 * @probes: that were sent of it
 * @tx: local time, or WIRE_NO_TIME
 */
struct prober_pair {
	uint32_t	number;
	uint32_t	probes;
	int64_t		tx[2];
};

/**
 * struct prober_neighbour - one whom this host probes
 * @burst: pairs are sent at the shorter interval
 * @due_ns: local time of the next pair
 * @number: of the latest pair
 * @pair: the latest, by number modulo PROBER_PAIRS
 * @sent: pairs, ever
 * @lost: probes whose stamp never came, ever
 */
struct prober_neighbour {
	bool			burst;
	int64_t			due_ns;
	uint32_t		number;
	struct prober_pair	pair[PROBER_PAIRS];
	uint64_t		sent;
	uint64_t		lost;
};

/**
 * struct prober_flight - a probe that waits for its stamp
 * @key: number that the kernel gave it
 * @place: of the neighbour
 * @number: of the pair
 * @index: in the pair
 * @left_ns: no later than when it left, by the clock of software stamps
 * @flying: its stamp has not come
 */
struct prober_flight {
	uint32_t	key;
	uint32_t	place;
	uint32_t	number;
	uint8_t		index;
	int64_t		left_ns;
	bool		flying;
};

/**
 * struct prober - all of them
 * @neighbours: how many
 * @neighbour: they
 * @interval_ns: between pairs to a neighbour, above 0
 * @burst_ns: the same during a burst, above 0 and at most @interval_ns
 * @bursts: neighbours with a burst
 * @random: state of the generator
 * @probes: sent with a stamp requested, ever
 * @stamped: stamps that came, ever
 * @odd: stamps of nothing that flies, ever
 * @lost_before: probes whose stamp never came, to hosts that are no neighbours any more
 * @flight: by key modulo PROBER_FLYING
 */
struct prober {
	uint32_t		neighbours;
	struct prober_neighbour	*neighbour;
	int64_t			interval_ns;
	int64_t			burst_ns;
	uint32_t		bursts;
	uint64_t		random;
	uint64_t		probes;
	uint64_t		stamped;
	uint64_t		odd;
	uint64_t		lost_before;
	struct prober_flight	flight[PROBER_FLYING];
};

/**
 * prober_begin() - begin, each neighbour at a random time within an interval
 * @prober: the prober; @neighbours, @interval_ns, @burst_ns and @neighbour are set, the last zero
 * @seed: any
 * @now_ns: local time
 */
void prober_begin(struct prober *prober, uint64_t seed, int64_t now_ns);

/**
 * prober_burst() - begin a burst, or end it
 * @prober: the prober
 * @place: of the neighbour
 * @burst: which
 * @now_ns: local time
 *
 * If nothing changes, the schedule stays.  A pair that is due later than the shorter interval
 * is due within that interval.
 */
void prober_burst(struct prober *prober, uint32_t place, bool burst, int64_t now_ns);

/**
 * prober_least_ns() - the shortest interval that is in use
 * @prober: the prober
 *
 * Return: ns.
 */
int64_t prober_least_ns(const struct prober *prober);

/**
 * prober_next() - find the next neighbour to probe
 * @prober: the prober, with at least one neighbour
 *
 * Return: place of the neighbour that is due first.
 */
uint32_t prober_next(const struct prober *prober);

/**
 * prober_pair() - begin a pair
 * @prober: the prober
 * @place: of the neighbour
 * @now_ns: local time
 *
 * The next one is due an interval after this one was, give or take a fifth.  A
 * prober that is late by more than an interval leaves out what it missed.
 */
void prober_pair(struct prober *prober, uint32_t place, int64_t now_ns);

/**
 * prober_fill() - a probe of the pair that has begun
 * @prober: the prober
 * @place: of the neighbour
 * @index: 0 or 1
 * @probe: filled, but for window and kind of stamps
 */
void prober_fill(const struct prober *prober, uint32_t place, uint8_t index,
		 struct wire_probe *probe);

/**
 * prober_sent() - it was sent, and a stamp requested
 * @prober: the prober
 * @place: of the neighbour
 * @index: 0 or 1
 * @key: number that the kernel gives its stamp
 * @left_ns: the clock of software stamps, before it was sent
 */
void prober_sent(struct prober *prober, uint32_t place, uint8_t index,
		 uint32_t key, int64_t left_ns);

/**
 * prober_flies() - find the pair of a stamp
 * @prober: the prober
 * @key: that came with it
 *
 * Return: the flight, or NULL if nothing waits for it.
 */
const struct prober_flight *prober_flies(const struct prober *prober,
					 uint32_t key);

/**
 * prober_stamp() - the stamp of a probe came
 * @prober: the prober
 * @key: that came with it
 * @tx_ns: local time
 *
 * Return: false if nothing waits for it.
 */
bool prober_stamp(struct prober *prober, uint32_t key, int64_t tx_ns);

/**
 * prober_forget() - stamps so far do not count: the clock was stepped, or they
 * can no longer be distinguished
 * @prober: the prober
 */
void prober_forget(struct prober *prober);

#endif /* HUYGENS_PROBER_H */
