// SPDX-License-Identifier: GPL-2.0
/*
 * What makes the inputs and what judges does what it says, as TAP; no kernel is asked.
 */
#include <inttypes.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/onramp_wire.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/tap.h"
#include "input.h"
#include "klog.h"
#include "random.h"
#include "snapshot.h"
#include "value.h"

#define INPUTS 100000
#define VALUES 2000
#define FAMILY 0x20

static uint64_t read_number(const struct grammar_attribute *attribute,
			    const struct draft_piece *piece)
{
	uint64_t number = 0;

	memcpy(&number, piece->value, grammar_width(attribute->form));
	return number;
}

static bool is_in_range(const struct grammar_attribute *attribute, const struct draft_piece *piece)
{
	uint64_t number = read_number(attribute, piece);

	switch (attribute->form) {
	case FORM_S64:
		return (int64_t)number >= (int64_t)attribute->least &&
		       (int64_t)number <= (int64_t)attribute->most;
	case FORM_BYTES:
		return piece->bytes >= attribute->least && piece->bytes <= attribute->most;
	case FORM_STRING:
		return piece->bytes && !piece->value[piece->bytes - 1] &&
		       strlen((const char *)piece->value) == piece->bytes - 1U &&
		       piece->bytes - 1U <= attribute->most;
	case FORM_NEST:
		return true;
	default:
		return number >= attribute->least && number <= attribute->most;
	}
}

static bool is_wide(const struct grammar_attribute *attribute, const struct draft_piece *piece)
{
	return !grammar_width(attribute->form) || piece->bytes == grammar_width(attribute->form);
}

/* Each kind of value of an attribute, many times. Return: what is wrong, or NULL. */
static const char *values_of(const struct grammar_attribute *attribute)
{
	static struct draft_piece piece;
	uint64_t seed = attribute->type, i, ends = 0;

	for (i = 0; i < VALUES; i++) {
		value_good(&seed, attribute, &piece);
		if (!is_in_range(attribute, &piece) || !is_wide(attribute, &piece))
			return "a good value";
		value_edge(&seed, attribute, &piece);
		if (!is_in_range(attribute, &piece))
			return "a value at an end";
		if (grammar_width(attribute->form)) {
			ends |= read_number(attribute, &piece) == attribute->least ? 1 : 2;
			if (value_outside(&seed, attribute, &piece) ==
				    is_in_range(attribute, &piece) ||
			    !is_wide(attribute, &piece))
				return "a value outside";
		}
		value_width(&seed, attribute, &piece);
		if (attribute->form != FORM_NEST &&
		    (grammar_width(attribute->form) ? is_wide(attribute, &piece)
						    : is_in_range(attribute, &piece)))
			return "a value of another length";
	}
	return grammar_width(attribute->form) && attribute->least != attribute->most && ends != 3
		       ? "one end is never there"
		       : NULL;
}

static void test_values(void)
{
	size_t i, n;

	for (i = 0; i < LANGUAGES; i++) {
		bool good = true;

		for (n = 0; n < grammars[i].count; n++) {
			const char *why = values_of(&grammars[i].attributes[n]);

			if (why)
				printf("# %s: %s\n", grammars[i].attributes[n].name, why);
			good = good && !why;
		}
		printf("# %s\n", grammars[i].name);
		tap_ok(good, "values are in the range, at its ends, outside, or of another length");
	}
}

static void test_deep(void)
{
	static struct draft_piece piece;
	uint64_t seed = 1, i;
	uint16_t deepest = 0;
	bool good = true;

	for (i = 0; i < VALUES; i++) {
		const struct nlattr *attr = (void *)piece.value;
		uint16_t left;

		piece.type = 7;
		value_deep(&seed, &piece);
		deepest = piece.bytes > deepest ? piece.bytes : deepest;
		for (left = piece.bytes; left; left -= NLA_HDRLEN, attr++)
			good = good && attr->nla_len == left &&
			       attr->nla_type == (7 | NLA_F_NESTED);
	}
	tap_ok(good && deepest > DRAFT_VALUE / 2,
	       "nests are in nests, and none ends behind the one around it");
}

static struct input *made(uint64_t seed, uint64_t number)
{
	static struct input inputs[3];
	static unsigned int next;
	struct input *input = &inputs[next++ % 3];

	memset(input, 0xa5, sizeof(*input));
	input_make(seed, number, FAMILY, input);
	return input;
}

static void test_same(void)
{
	uint64_t number, same = 0, others = 0;

	for (number = 0; number < 3000; number++) {
		const struct input *one = made(5, number), *again;

		made(6, 3000 - number);
		one = made(5, number);
		again = made(5, number);
		same += one->bytes == again->bytes &&
			!memcmp(one, again, offsetof(struct input, message) + one->bytes);
		again = made(6, number);
		others += one->bytes != again->bytes ||
			  memcmp(one->message, again->message, one->bytes);
	}
	tap_ok(same == number,
	       "the same seed and number make the same input, whatever was made between");
	tap_ok(others > number * 9 / 10, "another seed makes others");
}

/* Take a message of ours apart. Return: its attributes, the number of each type in @count. */
static bool read_attributes(const struct input *input, uint8_t count[GRAMMAR_TYPES])
{
	const struct nlmsghdr *message = (const void *)input->message;
	const struct nlattr *attr, *inner;
	size_t head =
		input->command->language == LANGUAGE_GENL ? GENL_HDRLEN : sizeof(struct tcmsg);
	size_t bytes = 0;

	memset(count, 0, GRAMMAR_TYPES);
	if (!mnl_nlmsg_ok(message, input->bytes) || message->nlmsg_len != input->bytes)
		return false;
	mnl_attr_for_each(attr, message, head) {
		bytes += MNL_ALIGN(attr->nla_len);
		if (input->command->language == LANGUAGE_GENL) {
			count[mnl_attr_get_type(attr)]++;
		} else if (mnl_attr_get_type(attr) == TCA_OPTIONS) {
			mnl_attr_for_each_nested(inner, attr)
				count[mnl_attr_get_type(inner)]++;
		}
	}
	return NLMSG_HDRLEN + MNL_ALIGN(head) + bytes == input->bytes;
}

/* Has an input that nobody spoilt all it needs, once, and nothing that it does not take? */
static bool is_good(const struct input *input)
{
	static uint8_t count[GRAMMAR_TYPES];
	const struct grammar_command *command = input->command;
	size_t takes = grammar_takes(command), n, type;

	if (!read_attributes(input, count))
		return false;
	for (n = 0; n < takes; n++) {
		if (count[command->takes[n]] > 1 ||
		    (n < command->needed && !count[command->takes[n]]))
			return false;
		count[command->takes[n]] = 0;
	}
	for (type = 0; type < GRAMMAR_TYPES; type++)
		if (count[type])
			return false;
	return true;
}

/* What an input has of a mutation that can be seen. */
static bool is_spoilt(const struct input *input)
{
	static uint8_t count[GRAMMAR_TYPES];
	const struct grammar_command *command = input->command;
	size_t n;

	switch (input->mutation) {
	case MUTATION_MISSING:
		if (!read_attributes(input, count) || !command->needed)
			return command->needed == 0;
		for (n = 0; n < command->needed; n++)
			if (!count[command->takes[n]])
				return true;
		return false;
	case MUTATION_DOUBLED:
		return read_attributes(input, count) && count[input->attribute->type] == 2;
	case MUTATION_TRUNCATED:
		return !read_attributes(input, count) || !is_good(input);
	case MUTATION_STRAY:
	case MUTATION_UNKNOWN:
		return !is_good(input);
	default:
		return true;
	}
}

static void test_inputs(void)
{
	static uint8_t met[64][MUTATIONS], spoken[64][1024];
	uint64_t number, bad = 0, whole = 0, refused = 0, speakers[SPEAKERS] = {}, truncated = 0,
			 cut = 0;
	bool all = true, every = true;
	size_t row, n;

	for (number = 0; number < INPUTS; number++) {
		const struct input *input = made(1, number);

		row = input->command - grammar_commands;
		met[row][input->mutation] = 1;
		speakers[input->speaker]++;
		if (input->attribute)
			spoken[row][input->attribute->type] = 1;
		bad += input->mutation == MUTATION_NONE && !is_good(input);
		if (input->mutation == MUTATION_TRUNCATED) {
			truncated++;
			cut += is_spoilt(input);
		} else {
			whole += !is_spoilt(input);
		}
		refused += input->must_refuse &&
			   (input->mutation < MUTATION_OUTSIDE || input->mutation > MUTATION_DEEP);
	}
	for (row = 0; row < grammar_commands_count; row++) {
		bool takes = grammar_takes(&grammar_commands[row]);

		for (n = 0; n < MUTATIONS; n++)
			all = all && (met[row][n] ||
				      (!takes && n >= MUTATION_EDGE && n <= MUTATION_DOUBLED));
		for (n = 0; n < grammar_takes(&grammar_commands[row]); n++)
			every = every && spoken[row][grammar_commands[row].takes[n]];
	}
	tap_ok(!bad, "what is not spoilt has what it needs, and nothing else");
	tap_ok(!whole, "what is spoilt is");
	tap_ok(truncated && cut > truncated / 2, "most of what is cut lacks something");
	tap_ok(!refused, "only what is surely wrong must be refused");
	tap_ok(all, "each command is spoilt in each way");
	tap_ok(every, "and in each of its attributes");
	tap_ok(speakers[0] && speakers[1] && speakers[2], "all speak");
}

static const char *seen(const struct snapshot *one, const struct snapshot *other)
{
	const char *words = snapshot_differs(one, other);

	return words ? words : "nothing";
}

static void test_snapshots(void)
{
	static struct snapshot one, other;

	one.asked = 2;
	snapshot_add(&one, 0, "head", 4);
	snapshot_add(&one, 7, "value", 5);
	other = one;
	tap_ok(!strcmp(seen(&one, &other), "nothing"), "equal snapshots differ in nothing");
	other.data[other.bytes - 1] ^= 1;
	tap_ok(!strcmp(seen(&one, &other), "what command 2 tells, attribute 7"),
	       "a byte is seen, and of what");
	other = one;
	other.asked = 5;
	snapshot_add(&other, 9, "more", 4);
	tap_ok(!strcmp(seen(&one, &other), "what command 5 tells, attribute 9"),
	       "one that says more is, too");
	tap_ok(!strcmp(seen(&other, &one), "what command 5 tells, attribute 9"),
	       "and one that says less");
	one.clock = ONRAMP_CLOCK_PUBLISHED;
	other.clock = ONRAMP_CLOCK_SYSTEM;
	tap_ok(snapshot_clock_ended(&one, &other),
	       "a clock that has become stale is nobody's change");
	one.until_ns = UINT64_MAX;
	tap_ok(!snapshot_clock_ended(&one, &other), "one that is not stale is somebody's");
	one.until_ns = 0;
	tap_ok(!snapshot_clock_ended(&other, &one), "nor does one begin by itself");
}

/* As the kernel has them in /dev/kmsg. */
static void test_complaints(void)
{
	static const char *const complaints[] = {
		"4,1,1,-;BUG: KASAN: slab-use-after-free in hello_uaf+0x61/0xa0",
		"4,1,1,-;WARNING: possible circular locking dependency detected",
		"4,1,1,-;UBSAN: shift-out-of-bounds in hello.c:3:9",
		"4,1,1,-;ODEBUG: free active (active state 0) object: 61 object type: timer_list",
		"4,1,1,-;kmemleak: Cannot allocate a kmemleak_object structure",
		"6,1,1,-;kmemleak: Kernel memory leak detector disabled",
	};
	size_t i, heard = 0;

	for (i = 0; i < ARRAY_SIZE(complaints); i++)
		heard += klog_is_complaint(complaints[i]);
	tap_ok(heard == i, "the kernel's complaints are heard, and that a detector is off");
	tap_ok(!klog_is_complaint("6,1,1,-;kmemleak: Kernel memory leak detector initialized"),
	       "that it is on is none");
}

int main(void)
{
	test_values();
	test_deep();
	test_same();
	test_inputs();
	test_snapshots();
	test_complaints();
	return tap_done();
}
