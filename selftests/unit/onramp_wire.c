// SPDX-License-Identifier: GPL-2.0
/*
 * Datagrams: the vectors of docs/wire.md, every length cut and every byte
 * changed, and random ones written and read again.
 */
#include <linux/onramp_wire.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onramp_wire.h"
#include "onramp_wire_text.h"
#include "options.h"
#include "random.h"
#include "../lib/tap.h"

#define VECTORS	"../../docs/wire.md"

/* One interface, written down twice. */
static_assert(ONRAMP_WIRE_V1 == ONRAMP_WIRE_VERSION, "version");
static_assert(ONRAMP_WIRE_MAX_COUNT == ONRAMP_WIRE_ENTRIES, "count");
static_assert(ONRAMP_WIRE_FLAG_MAC == ONRAMP_WIRE_MAC, "flag");
static_assert(ONRAMP_WIRE_FLAG_NO_CLOCK == ONRAMP_WIRE_NO_CLOCK, "flag");
static_assert(ONRAMP_WIRE_SYSTEM == ONRAMP_CLOCK_SYSTEM, "clock");
static_assert(ONRAMP_WIRE_PUBLISHED == ONRAMP_CLOCK_PUBLISHED, "clock");
static_assert(ONRAMP_WIRE_MAX_STAMP == ONRAMP_STAMP_HARDWARE, "stamp");
static_assert(sizeof(struct onramp_wire_header) == ONRAMP_WIRE_HEADER_BYTES, "header");
static_assert(sizeof(struct onramp_wire_entry) == ONRAMP_WIRE_ENTRY_BYTES, "entry");
static_assert(sizeof(struct onramp_wire_mac) == ONRAMP_WIRE_MAC_BYTES, "trailer");
static_assert(offsetof(struct onramp_wire_header, count) == 2, "header");
static_assert(offsetof(struct onramp_wire_header, clock_epoch) == 4, "header");
static_assert(offsetof(struct onramp_wire_header, clock_error_ns) == 8, "header");
static_assert(offsetof(struct onramp_wire_header, serial) == 12, "header");
static_assert(offsetof(struct onramp_wire_entry, dport) == 2, "entry");
static_assert(offsetof(struct onramp_wire_entry, seq) == 4, "entry");
static_assert(offsetof(struct onramp_wire_entry, len) == 8, "entry");
static_assert(offsetof(struct onramp_wire_entry, proto) == 10, "entry");
static_assert(offsetof(struct onramp_wire_entry, stamp) == 11, "entry");
static_assert(offsetof(struct onramp_wire_entry, rx_hi) == 12, "entry");
static_assert(offsetof(struct onramp_wire_entry, rx_lo) == 16, "entry");
static_assert(offsetof(struct onramp_wire_mac, tag) == 4, "trailer");

/* Write what was read. An entry that was refused has no fields to write. */
static bool rewrites(const u8 *data, size_t len)
{
	u8 out[ONRAMP_WIRE_MAX_BYTES];
	struct onramp_wire_view view;
	struct onramp_wire_item item;
	u32 i;

	if (onramp_wire_parse(data, len, &view))
		return true;
	onramp_wire_put_head(out, &view.head);
	for (i = 0; i < view.head.count; i++) {
		if (onramp_wire_entry(&view, i, &item))
			memcpy(out + onramp_wire_bytes(i, false),
			       data + onramp_wire_bytes(i, false), ONRAMP_WIRE_ENTRY_BYTES);
		else
			onramp_wire_put_entry(out, i, &item);
	}
	if (view.head.has_mac)
		onramp_wire_put64(onramp_wire_put_mac(out, i, view.mac_key), view.mac_tag);
	return len == onramp_wire_bytes(i, view.head.has_mac) && !memcmp(out, data, len);
}

/**
 * struct vector - one of docs/wire.md
 * @name: the rest of its first line
 * @data: its bytes, in memory of just that size, so that a sanitizer sees more
 * @len: how many
 * @expected: the lines after
 */
struct vector {
	char name[128];
	u8 *data;
	size_t len;
	struct text expected;
};

static void vector_bytes(struct vector *v, const char *line)
{
	unsigned int byte;
	int n;

	while (sscanf(line, " %2x%n", &byte, &n) == 1) {
		v->data = realloc(v->data, v->len + 1);
		v->data[v->len++] = byte;
		line += n;
	}
	if (*line != '\n') {
		fprintf(stderr, "%s: '%s' are no bytes\n", v->name, line);
		exit(2);
	}
}

static void vector_test(struct vector *v)
{
	struct text got = {};

	append_datagram(&got, v->data, v->len);
	if (!tap_ok(!strcmp(got.at, v->expected.at), "vector: %s", v->name))
		tap_remark("read as %s", got.at);
	tap_ok(rewrites(v->data, v->len), "vector, written again: %s", v->name);
	free(v->data);
}

static void vectors_test(const char *path)
{
	FILE *file = fopen(path, "r");
	struct vector v = {};
	bool inside = false;
	char line[512];
	int n = 0;

	if (!file) {
		perror(path);
		exit(2);
	}
	while (fgets(line, sizeof(line), file)) {
		if (!inside) {
			inside = !strcmp(line, "```vectors\n");
			continue;
		}
		if (*line == '`' || *line == '\n') {
			if (*v.name)
				vector_test(&v);
			n += *v.name;
			memset(&v, 0, sizeof(v));
			inside = *line == '\n';
		} else if (sscanf(line, "vector %127[^\n]", v.name) == 1) {
			n++;
		} else if (*line == '=') {
			append(&v.expected, "%s", line);
		} else {
			vector_bytes(&v, line);
		}
	}
	fclose(file);
	tap_ok(n > 0, "there are vectors");
}

static u8 *copy_of(const u8 *data, size_t len)
{
	u8 *copy = malloc(len ? len : 1);

	if (len)
		memcpy(copy, data, len);
	return copy;
}

static size_t random_datagram(u64 *seed, u8 *data, struct onramp_wire_head *head,
			      struct onramp_wire_item *items)
{
	u32 i;

	*head = (struct onramp_wire_head){
		.clock_error_ns = random_scale(seed),
		.serial = random_scale(seed),
		.count = 1 + random_below(seed, ONRAMP_WIRE_MAX_COUNT),
		.clock_id = 1 + random_below(seed, 2),
		.no_clock = random_below(seed, 2),
		.has_mac = random_below(seed, 2),
	};
	if (head->clock_id == ONRAMP_WIRE_PUBLISHED)
		head->clock_epoch = 1 + random_below(seed, U32_MAX);
	onramp_wire_put_head(data, head);
	for (i = 0; i < head->count; i++) {
		items[i] = (struct onramp_wire_item){
			.rx_ns = random_scale(seed) >> 1,
			.seq = random_u64(seed),
			.sport = random_u64(seed),
			.dport = random_u64(seed),
			.len = 1 + random_below(seed, 65535),
			.stamp = 1 + random_below(seed, 3),
		};
		onramp_wire_put_entry(data, i, &items[i]);
	}
	if (head->has_mac) {
		u64 key_id = random_u64(seed);

		onramp_wire_put64(onramp_wire_put_mac(data, i, key_id), random_u64(seed));
	}
	return onramp_wire_bytes(i, head->has_mac);
}

static bool same_head(const struct onramp_wire_head *a, const struct onramp_wire_head *b)
{
	return a->clock_epoch == b->clock_epoch &&
	       a->clock_error_ns == b->clock_error_ns &&
	       a->serial == b->serial && a->count == b->count &&
	       a->clock_id == b->clock_id && a->no_clock == b->no_clock && a->has_mac == b->has_mac;
}

static bool same_item(const struct onramp_wire_item *a, const struct onramp_wire_item *b)
{
	return a->rx_ns == b->rx_ns && a->seq == b->seq && a->sport == b->sport &&
	       a->dport == b->dport && a->len == b->len && a->stamp == b->stamp;
}

/* Written datagrams are read, from any alignment. */
static bool reads_back(const u8 *data, size_t len,
		       const struct onramp_wire_head *head,
		       const struct onramp_wire_item *items, unsigned int shift)
{
	u8 *copy = malloc(len + shift);
	struct onramp_wire_view view;
	struct onramp_wire_item item;
	bool good;
	u32 i;

	memcpy(copy + shift, data, len);
	good = !onramp_wire_parse(copy + shift, len, &view) && same_head(&view.head, head);
	for (i = 0; good && i < head->count; i++)
		good = !onramp_wire_entry(&view, i, &item) && same_item(&item, &items[i]);
	good = good && onramp_wire_entry(&view, i, &item) == ONRAMP_WIRE_NO_ENTRY &&
	       onramp_wire_entry(&view, U32_MAX, &item) == ONRAMP_WIRE_NO_ENTRY;
	free(copy);
	return good;
}

/* No other length of the same bytes is a datagram. */
static bool refuses_lengths(const u8 *data, size_t len)
{
	struct onramp_wire_view view;
	bool good = true;
	size_t cut;
	u8 *copy;

	for (cut = 0; cut < len; cut++) {
		copy = copy_of(data, cut);
		good = good && onramp_wire_parse(copy, cut, &view) ==
			(cut < ONRAMP_WIRE_HEADER_BYTES ? ONRAMP_WIRE_SHORT :
			 ONRAMP_WIRE_BAD_LENGTH);
		free(copy);
	}
	copy = calloc(1, len + 1500);
	memcpy(copy, data, len);
	for (cut = len + 1; cut <= len + 1500; cut++)
		good = good && onramp_wire_parse(copy, cut, &view) == ONRAMP_WIRE_BAD_LENGTH;
	free(copy);
	return good;
}

static void random_test(u64 seed, unsigned long n)
{
	struct onramp_wire_item items[ONRAMP_WIRE_MAX_COUNT];
	bool back = true, lengths = true, again = true;
	u8 data[ONRAMP_WIRE_MAX_BYTES];
	struct onramp_wire_head head;
	size_t len;

	while (n--) {
		len = random_datagram(&seed, data, &head, items);
		back = back && reads_back(data, len, &head, items, n % 8);
		again = again && rewrites(data, len);
		if (n % 64 == 0)
			lengths = lengths && refuses_lengths(data, len);
	}
	tap_ok(back, "what is written is read, at any alignment");
	tap_ok(again, "what is read is written");
	tap_ok(lengths, "no other length is read");
}

/* May byte @at of a datagram of one entry have this value?  Flags and reserved bytes are known. */
static bool may_be(unsigned int at, unsigned int value, bool is_signed)
{
	if (at == 1)
		return (value & ~2u) == is_signed;
	if (at < 4)
		return value == 1;
	return (at >= 8 && (at < 37 || at > 39)) || value == 0;
}

static bool entry_may_be(unsigned int at, unsigned int value)
{
	return (at != 24 || value) && (at != 26 || value == 6) &&
	       (at != 27 || (value >= 1 && value <= 3)) && (at != 28 || value < 128);
}

/* Each value of each byte of a datagram with one entry, against the page's terms. */
static void bytes_test(bool is_signed)
{
	u8 data[ONRAMP_WIRE_HEADER_BYTES + ONRAMP_WIRE_ENTRY_BYTES + ONRAMP_WIRE_MAC_BYTES];
	const struct onramp_wire_head head = { .count = 1, .clock_id = 1, .has_mac = is_signed };
	const struct onramp_wire_item item = { .len = 256, .stamp = 1 };
	const size_t len = onramp_wire_bytes(1, is_signed);
	enum onramp_wire_fault whole, entry;
	struct onramp_wire_view view = {};
	struct onramp_wire_item got;
	bool good = true, good_entry = true;
	unsigned int at, value;

	for (at = 0; at < len; at++) {
		for (value = 0; value < 256; value++) {
			onramp_wire_put_head(data, &head);
			onramp_wire_put_entry(data, 0, &item);
			if (is_signed)
				onramp_wire_put64(onramp_wire_put_mac(data, 1, 7), 8);
			data[at] = value;
			whole = onramp_wire_parse(data, len, &view);
			good = good && (whole == ONRAMP_WIRE_OK) == may_be(at, value, is_signed);
			if (whole)
				continue;
			entry = onramp_wire_entry(&view, 0, &got);
			good_entry = good_entry && (entry == ONRAMP_WIRE_OK) == entry_may_be(at, value);
		}
	}
	tap_ok(good, "each value of each byte of a header%s", is_signed ? ", and of a trailer" : "");
	tap_ok(good_entry, "each value of each byte of an entry%s", is_signed ? ", signed" : "");
}

/* A refusal writes nothing. */
static void untouched_test(void)
{
	u8 data[ONRAMP_WIRE_HEADER_BYTES + ONRAMP_WIRE_ENTRY_BYTES] = {
		1, 0, 1, 1,
	};
	struct onramp_wire_view view, view_before;
	struct onramp_wire_item item, item_before;

	memset(&view, 0xa5, sizeof(view));
	memset(&item, 0x5a, sizeof(item));
	view_before = view;
	item_before = item;
	onramp_wire_parse(data, sizeof(data) - 1, &view);
	tap_ok(!memcmp(&view, &view_before, sizeof(view)), "a datagram refused leaves the view");
	onramp_wire_parse(data, sizeof(data), &view);
	onramp_wire_entry(&view, 0, &item);
	tap_ok(!memcmp(&item, &item_before, sizeof(item)), "an entry refused leaves the item");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 4000, "datagrams");

	vectors_test(VECTORS);
	random_test(o.seed, o.n);
	bytes_test(false);
	bytes_test(true);
	untouched_test();
	return tap_done();
}
