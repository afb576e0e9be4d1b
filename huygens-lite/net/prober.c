// SPDX-License-Identifier: GPL-2.0
/*
 * When a pair of probes goes to whom, and what its stamps were.
 */
#include <string.h>

#include "../algo/prng.h"
#include "prober.h"

static void prober_clear(struct prober_pair *pair, uint32_t number)
{
	pair->number = number;
	pair->probes = 0;
	pair->tx[0] = WIRE_NO_TIME;
	pair->tx[1] = WIRE_NO_TIME;
}

void prober_begin(struct prober *prober, uint64_t seed, int64_t now_ns)
{
	uint32_t i;

	prober->random = seed;
	for (i = 0; i < prober->neighbours; i++)
		prober->neighbour[i].due_ns = now_ns +
			prng_next(&prober->random) % prober->interval_ns;
}

static int64_t prober_interval(const struct prober *prober,
			       const struct prober_neighbour *neighbour)
{
	return neighbour->burst ? prober->burst_ns : prober->interval_ns;
}

void prober_burst(struct prober *prober, uint32_t place, bool burst, int64_t now_ns)
{
	struct prober_neighbour *neighbour = &prober->neighbour[place];

	if (neighbour->burst == burst)
		return;
	neighbour->burst = burst;
	if (!burst) {
		prober->bursts--;
		return;
	}
	prober->bursts++;
	if (neighbour->due_ns > now_ns + prober->burst_ns)
		neighbour->due_ns = now_ns + prng_next(&prober->random) % prober->burst_ns;
}

int64_t prober_least_ns(const struct prober *prober)
{
	return prober->bursts ? prober->burst_ns : prober->interval_ns;
}

uint32_t prober_next(const struct prober *prober)
{
	uint32_t first = 0, i;

	for (i = 1; i < prober->neighbours; i++)
		if (prober->neighbour[i].due_ns <
		    prober->neighbour[first].due_ns)
			first = i;
	return first;
}

static struct prober_pair *prober_find(struct prober_neighbour *neighbour,
				       uint32_t number)
{
	struct prober_pair *pair = &neighbour->pair[number % PROBER_PAIRS];

	return number && pair->number == number ? pair : NULL;
}

/* The oldest pair makes space; what it still waits for is lost. */
static void prober_retire(struct prober_neighbour *neighbour,
			  struct prober_pair *pair)
{
	uint32_t i;

	for (i = 0; i < pair->probes; i++)
		neighbour->lost += pair->tx[i] == WIRE_NO_TIME;
}

void prober_pair(struct prober *prober, uint32_t place, int64_t now_ns)
{
	struct prober_neighbour *neighbour = &prober->neighbour[place];
	int64_t interval_ns = prober_interval(prober, neighbour);
	int64_t jitter_ns = interval_ns / 5;
	struct prober_pair *pair;

	neighbour->due_ns += interval_ns;
	if (neighbour->due_ns < now_ns)
		neighbour->due_ns = now_ns + interval_ns;
	if (jitter_ns)
		neighbour->due_ns += (int64_t)(prng_next(&prober->random) %
					       (2 * jitter_ns)) - jitter_ns;
	neighbour->sent++;
	if (!++neighbour->number)
		neighbour->number = 1;
	pair = &neighbour->pair[neighbour->number % PROBER_PAIRS];
	prober_retire(neighbour, pair);
	prober_clear(pair, neighbour->number);
}

static void prober_echo(struct prober_neighbour *neighbour, uint32_t number,
			struct wire_echo *echo)
{
	const struct prober_pair *pair = prober_find(neighbour, number);

	echo->pair = pair ? number : 0;
	echo->tx[0] = pair ? pair->tx[0] : WIRE_NO_TIME;
	echo->tx[1] = pair ? pair->tx[1] : WIRE_NO_TIME;
}

void prober_fill(const struct prober *prober, uint32_t place, uint8_t index,
		 struct wire_probe *probe)
{
	struct prober_neighbour *neighbour = &prober->neighbour[place];
	int i;

	probe->index = index;
	probe->pair = neighbour->number;
	for (i = 0; i < WIRE_ECHOES; i++)
		prober_echo(neighbour, neighbour->number - 1 - i,
			    &probe->echo[i]);
}

void prober_sent(struct prober *prober, uint32_t place, uint8_t index,
		 uint32_t key, int64_t left_ns)
{
	struct prober_neighbour *neighbour = &prober->neighbour[place];
	struct prober_pair *pair = prober_find(neighbour, neighbour->number);

	pair->probes = index + 1;
	prober->probes++;
	prober->flight[key % PROBER_FLYING] = (struct prober_flight){
		.key = key, .place = place, .number = neighbour->number,
		.index = index, .left_ns = left_ns, .flying = true,
	};
}

const struct prober_flight *prober_flies(const struct prober *prober,
					 uint32_t key)
{
	const struct prober_flight *flight =
		&prober->flight[key % PROBER_FLYING];

	return flight->flying && flight->key == key ? flight : NULL;
}

bool prober_stamp(struct prober *prober, uint32_t key, int64_t tx_ns)
{
	struct prober_flight *flight = &prober->flight[key % PROBER_FLYING];
	struct prober_pair *pair;

	if (!prober_flies(prober, key)) {
		prober->odd++;
		return false;
	}
	flight->flying = false;
	prober->stamped++;
	pair = prober_find(&prober->neighbour[flight->place], flight->number);
	if (pair)
		pair->tx[flight->index] = tx_ns;
	return true;
}

void prober_forget(struct prober *prober)
{
	uint32_t i, k;

	for (i = 0; i < PROBER_FLYING; i++)
		prober->flight[i].flying = false;
	for (i = 0; i < prober->neighbours; i++)
		for (k = 0; k < PROBER_PAIRS; k++)
			prober_clear(&prober->neighbour[i].pair[k], 0);
}
