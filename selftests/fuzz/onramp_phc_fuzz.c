// SPDX-License-Identifier: GPL-2.0
/*
 * Lines between clocks of any numbers, and a NIC's stamps on and around what is
 * plausible: a line gives what its formula does in 128 bits, what is valid is
 * within its bound, and a line that follows another agrees with it there.
 * Anything else aborts.
 *
 *   each line   form (1 byte), reference and offset (3 or 8 bytes each), drift (4 bytes)
 *   each of     error (2 bytes), window (4 bytes), when it ends (1 byte), epoch (1 byte)
 *   readings    what (1 byte): the stamp's and the clocks' forms; 0 to 8 bytes each
 *
 * What is missing at the end is 0.
 */
#include <stdlib.h>

#include "bytes.h"
#include "onramp_phc.h"
#include "oracle_line.h"

/* The ranges of what may be published: kernel/include/uapi/linux/onramp.h. */
#define LONGEST_WINDOW	100000000ULL
#define SPAN		1099511627776LL
#define DRIFT		4194304
#define WALL		(1ULL << 62)
#define S64_MIN		(-S64_MAX - 1)

static void require(bool good)
{
	if (!good)
		abort();
}

/* Anything, a part of a second, or the ends of what there is. */
static s64 take_ns(struct bytes *b, unsigned int form)
{
	switch (form % 4) {
	case 0:
		return take(b, 3);
	case 1:
		return -(s64)take(b, 3);
	case 2:
		return form & 4 ? S64_MIN + (s64)take(b, 3) : S64_MAX - (s64)take(b, 3);
	default:
		return take(b, 8);
	}
}

static struct onramp_phc take_phc(struct bytes *b)
{
	unsigned int form = take(b, 1);

	return (struct onramp_phc){
		.line.ref_ns = take_ns(b, form),
		.line.offset_ns = take_ns(b, form / 8),
		.line.drift = (s64)(take(b, 4) % (2 * DRIFT - 1)) - (DRIFT - 1),
		.error_ns = take(b, 2),
		.window_ns = 1000 + take(b, 4) % (LONGEST_WINDOW - 999),
		.until_ns = take(b, 1),
		.epoch = take(b, 1) % 2,
	};
}

static bool map(const struct onramp_line *line, s64 one_ns, s64 *other_ns)
{
	s64 ours = -7, theirs = -7;
	bool good = onramp_line_map(line, one_ns, &ours);

	require(good == oracle_line_map(line, one_ns, &theirs) && ours == theirs);
	*other_ns = ours;
	return good;
}

/* On and around where a line ends, its reference, or anything. */
static s64 take_stamp(struct bytes *b, const struct onramp_line *line, unsigned int form)
{
	u64 ref_ns = line->ref_ns;

	switch (form % 4) {
	case 0:
		return ref_ns + SPAN + (int)(form / 4 % 3) - 1;
	case 1:
		return ref_ns - SPAN + (int)(form / 4 % 3) - 1;
	case 2:
		return ref_ns + take(b, 5);
	default:
		return take_ns(b, form / 4);
	}
}

static void reading(struct bytes *b, const struct onramp_phc *phc)
{
	unsigned int form = take(b, 1);
	s64 stamp_ns = take_stamp(b, &phc->line, form), passed_ns;
	bool mapped = map(&phc->line, stamp_ns, &passed_ns);
	u64 now_ns = take(b, 1), wall_ns = 7, seen_ns;
	enum onramp_phc_verdict verdict;
	s64 age_ns;

	seen_ns = mapped ? passed_ns : 0;
	if (form & 64)
		seen_ns = around(seen_ns + phc->window_ns + phc->error_ns, form);
	else if (form & 128)
		seen_ns = around(seen_ns > phc->error_ns ? seen_ns - phc->error_ns : 0, form);
	else
		seen_ns += take(b, 4);
	seen_ns %= WALL;
	age_ns = (s64)seen_ns - passed_ns;

	verdict = onramp_phc_read(phc, stamp_ns, now_ns, seen_ns, &wall_ns);
	if (!stamp_ns)
		require(verdict == ONRAMP_PHC_MISSING);
	else if (now_ns >= phc->until_ns)
		require(verdict == ONRAMP_PHC_STALE);
	else if (!mapped || age_ns < -(s64)phc->error_ns || age_ns > (s64)phc->window_ns + phc->error_ns)
		require(verdict == ONRAMP_PHC_IMPLAUSIBLE);
	else
		require(verdict == ONRAMP_PHC_GOOD && wall_ns == (u64)passed_ns);
	require(verdict == ONRAMP_PHC_GOOD || wall_ns == 7);
}

static void follows(const struct onramp_phc *was, const struct onramp_phc *next, u64 now_ns)
{
	s64 by_was, by_next;
	__int128 apart;
	bool good = now_ns >= was->until_ns || was->epoch != next->epoch;

	if (!good && map(&was->line, next->line.ref_ns, &by_was) && map(&next->line, next->line.ref_ns, &by_next)) {
		apart = (__int128)by_was - by_next;
		good = (apart < 0 ? -apart : apart) <= (__int128)was->error_ns + next->error_ns;
	}
	require(onramp_phc_follows(was, next, now_ns) == good);
	require(onramp_phc_follows(NULL, next, now_ns));
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: bytes, read as above
 * @size: how many
 *
 * Return: 0; does not return if a line or a stamp is not what it must be.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .end = data + size };
	struct onramp_phc was, next;

	while (b.at < b.end) {
		was = take_phc(&b);
		next = take_phc(&b);
		/* Most lines go on where the one before them was. */
		if (take(&b, 1) % 4) {
			next.line.ref_ns = was.line.ref_ns;
			next.line.offset_ns = was.line.offset_ns ^ (s64)take(&b, 1);
		}
		follows(&was, &next, take(&b, 1));
		reading(&b, &was);
		reading(&b, &next);
	}
	return 0;
}
