// SPDX-License-Identifier: GPL-2.0
/*
 * A change of files, step by step: relations, who ends it and when; and keys of two files.
 */
#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "../../net/auth.h"
#include "../../net/change.h"

#define MS	1000000LL
#define S	1000000000LL

static const struct change_times times = { 500 * MS, 3 * S, 60 * S };

static struct change pending(void)
{
	const struct change_files own = { 1, 10 };
	struct change change;

	change_begin(&change, &own, 100 * S);
	change_read(&change, 20, 2, true, 100 * S);
	return change;
}

static enum change_relation relation(const struct change *change, uint32_t list, uint32_t files)
{
	const struct change_files other = { list, files };

	return change_relate(change, &other);
}

static void relations(void)
{
	struct change old = pending(), new = pending();

	change_take(&new, true, 110 * S);
	tap_ok(relation(&old, 1, 10) == CHANGE_SAME && relation(&old, 1, 20) == CHANGE_SAME &&
	       relation(&old, 1, 99) == CHANGE_SAME, "the same list in force, whatever is read");
	tap_ok(relation(&old, 2, 20) == CHANGE_AHEAD, "what is pending here is in force there");
	tap_ok(relation(&old, 2, 99) == CHANGE_OTHER, "but not with other files");
	tap_ok(relation(&old, 3, 20) == CHANGE_OTHER, "nor with a third list");
	tap_ok(relation(&new, 1, 20) == CHANGE_BEHIND, "what is in force here is pending there");
	tap_ok(relation(&new, 1, 10) == CHANGE_OTHER, "a host that has not read it is another's");
	tap_ok(relation(&new, 2, 20) == CHANGE_SAME, "and one that took it up as well, not");
}

static void telling(void)
{
	struct change change = pending();
	const struct change_files good = { 2, 20 }, list = { 3, 20 }, files = { 2, 21 };

	tap_ok(!change_is_told(&change, &good, false),
	       "a host that began with the list tells nothing");
	tap_ok(!change_is_told(&change, &list, true) && !change_is_told(&change, &files, true),
	       "nor one with another list, or other files");
	tap_ok(change_is_told(&change, &good, true), "one that took it up does");
	change_take(&change, false, 101 * S);
	tap_ok(!change_is_told(&change, &good, true), "once");
}

static enum change_step step(struct change *change, struct change_counts counts, bool led,
			     int64_t at_ns)
{
	return change_tick(change, &counts, led, &times, at_ns);
}

static void steps(void)
{
	const struct change_counts first = { .closes = true };
	const struct change_counts held = { .closes = true, .held = true };
	const struct change_counts other = { .same = 3 };
	struct change change = pending();

	tap_ok(step(&change, first, true, 102 * S - 1) == CHANGE_STAY, "four windows are measured");
	tap_ok(step(&change, other, true, 102 * S) == CHANGE_STAY, "another candidate closes it");
	tap_ok(step(&change, held, true, 102 * S) == CHANGE_STAY,
	       "a host that lacks it holds it open");
	tap_ok(step(&change, first, true, 102 * S) == CHANGE_CLOSE,
	       "nobody lacks it: it is closed");
	tap_ok(step(&change, held, true, 160 * S - 1) == CHANGE_STAY &&
	       step(&change, held, true, 160 * S) == CHANGE_CLOSE, "nor is it held open for ever");
	tap_ok(step(&change, other, true, 3600 * S) == CHANGE_STAY, "a led host waits to be told");
	tap_ok(step(&change, other, false, 3612 * S - 1) == CHANGE_STAY &&
	       step(&change, other, false, 3612 * S) == CHANGE_TAKE,
	       "without a coordinator not for ever");
	change_take(&change, true, 3612 * S);
	tap_ok(step(&change, first, true, 3613 * S) == CHANGE_STAY && !change.pending &&
	       change.own.list == 2, "then it is in force");
	step(&change, first, true, 3642 * S - 1);
	tap_ok(change.announced, "which is said for a while");
	step(&change, first, true, 3642 * S);
	tap_ok(!change.announced, "and no longer");
}

static void joining(void)
{
	const struct change_files own = { 2, 20 };
	struct change change;

	change_begin(&change, &own, 100 * S);
	step(&change, (struct change_counts){ .same = 3 }, true, 101 * S);
	tap_ok(!change.joins, "a host of a mesh joins none");
	step(&change, (struct change_counts){ .same = 3, .behind = 2 }, true, 101 * S);
	tap_ok(!change.joins, "though a few be behind it");
	step(&change, (struct change_counts){ .same = 2, .behind = 2 }, true, 101 * S);
	tap_ok(change.joins, "if most are, it does");
	step(&change, (struct change_counts){ .same = 0 }, true, 102 * S);
	tap_ok(!change.joins, "until none is");
	change = pending();
	change_take(&change, true, 101 * S);
	step(&change, (struct change_counts){ .behind = 4 }, true, 102 * S);
	tap_ok(!change.joins, "one that took a list up first waits for the others");
	change_read(&change, 30, 3, true, 103 * S);
	change.announced = false;
	step(&change, (struct change_counts){ .behind = 4 }, true, 104 * S);
	tap_ok(!change.joins, "nor does one whose own change is pending");
}

static void joined_keys(void)
{
	struct auth_keys old = { 0 }, new = { 0 }, other = { 0 }, both;
	struct auth_stamp stamp = { .key = 2, .session = 1, .counter = 1 }, got;
	uint8_t message[8 + AUTH_BYTES] = { 0 };
	uint32_t i;

	auth_add_key(&old, 1, "first key of the mesh", 21);
	auth_add_key(&old, 2, "other key of the mesh", 21);
	auth_add_key(&new, 3, "third key of the mesh", 21);
	auth_add_key(&new, 2, "other key of the mesh", 21);
	auth_add_key(&other, 2, "first key of the mesh", 21);
	tap_ok(!auth_join(&both, &old, &new) && both.count == 3 && both.id[0] == 1 &&
	       both.id[1] == 2 && both.id[2] == 3, "keys of two files, each once");
	auth_sign(&both, 9, &stamp, message, 8);
	tap_ok(!auth_check(&new, 9, message, sizeof(message), &got) && got.key == 2,
	       "a host signs with the key that another has");
	stamp.key = 77;
	auth_sign(&both, 9, &stamp, message, 8);
	tap_ok(!auth_check(&old, 9, message, sizeof(message), &got) && got.key == 1 &&
	       auth_check(&new, 9, message, sizeof(message), &got) == AUTH_UNKNOWN_KEY,
	       "or with the first");
	tap_ok(auth_join(&both, &old, &other) == 2, "a number with another key is named");
	for (i = 0; i < AUTH_KEYS_MAX - 2; i++)
		auth_add_key(&other, 10 + i, "first key of the mesh", 21);
	other.id[0] = 99;
	tap_ok(auth_join(&both, &old, &other) == -1, "nine keys are too many");
	tap_ok(!auth_join(&both, &old, &old) && both.count == 2, "the same twice is the same");
}

int main(void)
{
	relations();
	telling();
	steps();
	joining();
	joined_keys();
	return tap_done();
}
