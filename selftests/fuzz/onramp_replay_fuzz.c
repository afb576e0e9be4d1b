// SPDX-License-Identifier: GPL-2.0
/*
 * Datagrams with serial numbers and stamps on and around what is in force, and
 * copies of those that were there before: the window says what somebody who
 * keeps them all says, takes none twice, and is left as it was by what it
 * refuses.  Anything else aborts.
 *
 *   operation   1 byte: modulo 4 whose stamp, next 3 bits whose serial, 32
 *		 added: a copy, 64: our clock goes on, 128: another epoch
 *   what it is beside, or how far: 1 to 4 bytes for each
 *
 * What is missing at the end is 0.
 */
#include <stdlib.h>
#include <string.h>

#include "bytes.h"
#include "oracle_replay.h"

#define NOW	1700000000000000000ULL
#define FAR	ORACLE_REPLAY_FAR_NS
#define STEPS	1000

/**
 * struct story - a window, its oracle, and what was offered
 * @w: the window
 * @oracle: who keeps all
 * @now_ns: our clock
 * @epoch: of the clock
 * @n: datagrams offered
 * @offered: which
 * @taken: it was
 */
struct story {
	struct onramp_replay w;
	struct oracle_replay oracle;
	u64 now_ns;
	u32 epoch;
	u32 n;
	struct onramp_replay_mark offered[STEPS];
	bool taken[STEPS];
};

static struct story story;

static void require(bool good)
{
	if (!good)
		abort();
}

static u64 take_stamp(struct bytes *b, const struct story *t, unsigned int form)
{
	unsigned int beside = take(b, 1);

	switch (form) {
	case 0:
		return around(t->w.newest_ns, beside);
	case 1:
		return around(t->w.floor_ns, beside);
	case 2:
		return around(beside & 128 ? t->now_ns - FAR : t->now_ns + FAR, beside);
	default:
		return t->now_ns - take(b, 4);
	}
}

static u32 take_serial(struct bytes *b, const struct story *t, unsigned int form)
{
	unsigned int beside = take(b, 1);

	switch (form) {
	case 0:
		return t->w.top + 1;
	case 1:
		return t->w.top + ONRAMP_REPLAY_WINDOW + (int)(beside % 3) - 1;
	case 2:
		return t->w.top - ONRAMP_REPLAY_WINDOW + (int)(beside % 3) - 1;
	case 3:
		return t->w.top - beside % ONRAMP_REPLAY_WINDOW;
	case 4:
		return t->w.top + beside % ONRAMP_REPLAY_WINDOW;
	case 5:
		return t->w.top + 0x80000000 + (int)(beside % 3) - 1;
	default:
		return take(b, 4);
	}
}

/* One that was offered in this epoch: those of others are not the window's business. */
static bool is_copy(const struct story *t, const struct onramp_replay_mark *m)
{
	u32 i;

	for (i = 0; i < t->n; i++)
		if (t->taken[i] && t->offered[i].epoch == m->epoch && t->offered[i].serial == m->serial &&
		    t->offered[i].stamp_ns == m->stamp_ns)
			return true;
	return false;
}

static void step(struct story *t, struct bytes *b)
{
	unsigned int operation = take(b, 1);
	struct onramp_replay_mark *m = &t->offered[t->n];
	struct onramp_replay before = t->w;
	enum onramp_replay_verdict verdict;
	bool copy;

	if (operation & 64)
		t->now_ns += take(b, 4);
	t->epoch += operation >> 7;
	*m = (struct onramp_replay_mark){ .epoch = t->epoch };
	if (operation & 32 && t->n) {
		m->serial = t->offered[take(b, 2) % t->n].serial;
		m->stamp_ns = t->offered[take(b, 2) % t->n].stamp_ns;
	} else {
		m->stamp_ns = take_stamp(b, t, operation % 4);
		m->serial = take_serial(b, t, operation / 4 % 8);
	}
	copy = is_copy(t, m);
	verdict = onramp_replay_check(&t->w, m, t->now_ns);
	require(verdict == oracle_replay_check(&t->oracle, m, t->now_ns));
	t->taken[t->n++] = verdict == ONRAMP_REPLAY_NEW;
	if (verdict == ONRAMP_REPLAY_NEW)
		require(!copy && t->w.newest_ns >= m->stamp_ns && t->w.seen);
	else
		require(!memcmp(&before, &t->w, sizeof(before)));
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: bytes, read as above
 * @size: how many
 *
 * Return: 0; does not return if something is wrong with the window.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .end = data + size };

	memset(&story, 0, sizeof(story));
	story.now_ns = NOW;
	while (story.n < STEPS && b.at < b.end)
		step(&story, &b);
	return 0;
}
