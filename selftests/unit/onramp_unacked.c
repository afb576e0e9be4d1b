// SPDX-License-Identifier: GPL-2.0
/*
 * Whether anybody acks a path: the rule by hand, and then compared with an oracle that
 * keeps all packets and OR-ACKs of a path and asks all of them each time.
 */
#include <string.h>

#include "onramp_unacked.h"
#include "options.h"
#include "oracle_unacked.h"
#include "random.h"
#include "../lib/tap.h"

#define MS	1000000ULL
#define HALF	ORACLE_SILENCE_HALF_NS

/**
 * struct step - packets or an OR-ACK, and what must become of the path
 * @name: of the test
 * @packets: so many leave; 0: an OR-ACK comes
 * @now_ns: when
 * @changes: the last packet makes it unacked, or the OR-ACK finds it so
 * @unacked: it is, after
 */
struct step {
	const char *name;
	u32 packets;
	u64 now_ns;
	bool changes;
	bool unacked;
};

static const struct step steps[] = {
	{ "nine packets of a new path", 9, 1, false, false },
	{ "the tenth, long after", 1, 10 * HALF, false, false },
	{ "ten more at once", 10, 10 * HALF, false, false },
	{ "one that is too early by 1 ns", 1, 11 * HALF - 1, false, false },
	{ "time runs back", 1, 10 * HALF - 1, false, false },
	{ "half a second after the tenth", 1, 11 * HALF, true, true },
	{ "the next does not make it unacked again", 1, 12 * HALF, false, true },
	{ "an OR-ACK ends it", 0, 13 * HALF, true, false },
	{ "another finds nothing to end", 0, 13 * HALF, false, false },
	{ "what leaves within half a second is not counted", 100, 14 * HALF - 1, false, false },
	{ "from then on it is", 10, 14 * HALF, false, false },
	{ "an OR-ACK forgets what was counted", 0, 15 * HALF - 1, false, false },
	{ "one that read the clock earlier came no later", 0, 13 * HALF, false, false },
	{ "so what leaves is not counted yet", 100, 16 * HALF - 2, false, false },
	{ "nine are not enough", 9, 16 * HALF - 1, false, false },
	{ "nor is the tenth, half a second later", 1, 17 * HALF, false, false },
	{ "an OR-ACK of a path that was not unacked", 0, 100 * HALF, false, false },
	{ "after a long idle time ten packets at once", 10, 1000 * HALF, false, false },
	{ "and the eleventh right behind", 1, 1000 * HALF + 1, false, false },
	{ "and the eleventh after half a second", 1, 1001 * HALF, true, true },
	{ "time that runs back ends nothing", 1, 1000 * HALF, false, true },
};

static void steps_test(void)
{
	struct onramp_unacked v = {};
	u32 i, j;

	for (i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		const struct step *x = &steps[i];
		bool turned = false, early = false;

		for (j = 0; j < x->packets; j++) {
			early = early || turned;
			turned = onramp_unacked_on_packet(&v, x->now_ns);
		}
		if (!x->packets)
			turned = onramp_unacked_on_ack(&v, x->now_ns);
		if (!tap_ok(turned == x->changes && v.unacked == x->unacked && !early, "unacked__%s", x->name))
			tap_remark("changes %d, unacked %d", turned, v.unacked);
	}
}

static u64 story_step(u64 *seed)
{
	switch (random_below(seed, 4)) {
	case 0:
		return random_below(seed, 3);
	case 1:
		return HALF - 1 + random_below(seed, 3);
	case 2:
		return random_below(seed, 2 * HALF);
	default:
		return random_below(seed, HALF / 5);
	}
}

/* Return: how often the path became unacked; -1 if the algorithm and the oracle disagree. */
static int story_tell(u64 *seed)
{
	u32 acks = random_below(seed, 60);
	struct onramp_unacked v = {};
	struct oracle_unacked t = {};
	u64 now_ns = 1;
	int changes = 0;

	while (t.n < ORACLE_SILENCE_LONGEST) {
		u64 back_ns = random_below(seed, 20) ? 0 : random_below(seed, min(now_ns, 2 * MS));
		bool was = v.unacked, turned;

		now_ns += story_step(seed);
		t.at[t.n] = now_ns - back_ns;
		t.is_ack[t.n] = acks && !random_below(seed, acks);
		if (t.is_ack[t.n])
			turned = onramp_unacked_on_ack(&v, t.at[t.n]);
		else
			turned = onramp_unacked_on_packet(&v, t.at[t.n]);
		t.n++;
		if (v.unacked != oracle_unacked_is_unacked(&t) || turned != (was != v.unacked))
			return -1;
		changes += turned && v.unacked;
	}
	return changes;
}

static void story_test(u64 seed, unsigned long n)
{
	unsigned long i, wrong = 0, unacked = 0, never = 0;

	for (i = 0; i < n; i++) {
		int changes = story_tell(&seed);

		wrong += changes < 0;
		unacked += changes > 1;
		never += !changes;
	}
	tap_ok(!wrong, "unacked__as_who_remembers_everything");
	tap_ok(unacked > n / 10 && never > n / 100, "unacked__some_paths_become_unacked_again_and_some_never");
	tap_remark("%lu wrong, %lu unacked more than once, %lu never, of %lu", wrong, unacked, never, n);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 2000, "paths");

	steps_test();
	story_test(o.seed, o.n);
	return tap_done();
}
