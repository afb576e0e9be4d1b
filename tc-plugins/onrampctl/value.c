// SPDX-License-Identifier: GPL-2.0
/*
 * Kinds of values.
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <inttypes.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/device.h"
#include "../../lib/json_write.h"
#include "../../lib/units.h"
#include "key.h"
#include "value.h"

#define VALUE_PPM	1000000ULL
#define VALUE_PPT	(VALUE_PPM * VALUE_PPM)	/* in 1 */

/* A larger drift is not a clock's; and 2^32 times it fits 64 bits. */
#define VALUE_PPT_MAX	(VALUE_PPT / 1000)

static struct value_text value_format(const char *format, const char *text)
{
	struct value_text out;

	snprintf(out.text, sizeof(out.text), format, text);
	return out;
}

static int value_refuse(const char *format, const char *text,
			struct value_why *why)
{
	snprintf(why->text, sizeof(why->text), format, text);
	return -1;
}

/* 2^-32 is 232.8 x 10^-12: each unit has a shown of its own, and reads back. */
static uint64_t value_drift_to_ppt(uint64_t units)
{
	uint64_t whole = units >> 32, part = (units & UINT32_MAX) * VALUE_PPM;

	return whole * VALUE_PPT + (part >> 32) * VALUE_PPM +
	       (((part & UINT32_MAX) * VALUE_PPM + (1ULL << 31)) >> 32);
}

static uint64_t value_drift_from_ppt(uint64_t ppt)
{
	return ((ppt << 32) + VALUE_PPT / 2) / VALUE_PPT;
}

static bool value_is_signed(enum value_kind kind)
{
	return kind == VALUE_OFFSET || kind == VALUE_DRIFT;
}

static bool value_is_within(const struct value_range *range, bool minus,
			    uint64_t size, uint64_t *number)
{
	if (!value_is_signed(range->kind)) {
		*number = size;
		return size >= range->least && size <= range->most;
	}
	if (size > INT64_MAX)
		return false;
	*number = minus ? -size : size;
	return (int64_t)*number >= (int64_t)range->least &&
	       (int64_t)*number <= (int64_t)range->most;
}

static enum unit_result value_parse_size(enum value_kind kind,
					 const char *text, uint64_t *size)
{
	enum unit_result result;

	switch (kind) {
	case VALUE_TIME:
	case VALUE_OFFSET:
		return unit_parse_time(text, size);
	case VALUE_DRIFT:
		result = unit_parse_drift(text, size);
		if (result == UNIT_OK && *size > VALUE_PPT_MAX)
			return UNIT_TOO_LARGE;
		*size = value_drift_from_ppt(*size);
		return result;
	default:
		return unit_parse_count(text, size);
	}
}

static const char *value_what(enum value_kind kind)
{
	switch (kind) {
	case VALUE_TIME:
		return "not a time such as 85us: %s";
	case VALUE_OFFSET:
		return "not a time such as 85us or -85us: %s";
	case VALUE_DRIFT:
		return "not a drift such as 12.5ppb: %s";
	default:
		return "not a number: %s";
	}
}

static int value_parse_number(const struct value_range *range, const char *text,
			      struct value *v, struct value_why *why)
{
	bool minus = value_is_signed(range->kind) && *text == '-';
	struct value_text allowed = value_range_text(range);
	uint64_t size = 0;

	switch (value_parse_size(range->kind, text + minus, &size)) {
	case UNIT_MALFORMED:
		return value_refuse(value_what(range->kind), allowed.text, why);
	case UNIT_INEXACT:
		return value_refuse(range->kind == VALUE_COUNT ?
				    "not a whole number: %s" :
				    range->kind == VALUE_DRIFT ?
				    "finer than 0.001ppb: %s" :
				    "finer than 1ns: %s", allowed.text, why);
	case UNIT_OK:
		if (value_is_within(range, minus, size, &v->number))
			return 0;
		break;
	case UNIT_TOO_LARGE:
		break;
	}
	return value_refuse("out of range: %s", allowed.text, why);
}

static int value_parse_name(const struct value_range *range, const char *text,
			    struct value *v, struct value_why *why)
{
	struct value_text allowed = value_range_text(range);
	size_t i;

	for (i = 0; i < range->nr_names; i++) {
		if (range->names[i] && !strcmp(range->names[i], text)) {
			v->number = i;
			return 0;
		}
	}
	return value_refuse("not one of %s", allowed.text, why);
}

/* The first bit behind the prefix that is set, or the length of the address. */
static int value_host_bit(const struct value *v)
{
	int i;

	for (i = v->prefix_len; i < v->address_len * 8; i++)
		if (v->address[i / 8] & 0x80 >> i % 8)
			break;
	return i;
}

static int value_parse_prefix(const char *text, struct value *v,
			      struct value_why *why)
{
	char address[INET6_ADDRSTRLEN];
	const char *slash = strchr(text, '/');
	size_t len = slash ? (size_t)(slash - text) : strlen(text);
	uint64_t bits;

	if (len >= sizeof(address))
		return value_refuse("not %s", "an IPv4 or IPv6 prefix", why);
	memcpy(address, text, len);
	address[len] = 0;
	if (inet_pton(AF_INET, address, v->address) == 1)
		v->address_len = 4;
	else if (inet_pton(AF_INET6, address, v->address) == 1)
		v->address_len = 16;
	else
		return value_refuse("not %s", "an IPv4 or IPv6 prefix such as 10.0.0.0/8",
				    why);
	bits = v->address_len * 8;
	if (slash && (strspn(slash + 1, "0123456789") != strlen(slash + 1) ||
		      unit_parse_count(slash + 1, &bits) != UNIT_OK ||
		      bits > v->address_len * 8))
		return value_refuse("length out of range: 0 to %s",
				    v->address_len == 4 ? "32" : "128", why);
	v->prefix_len = bits;
	if (value_host_bit(v) < v->address_len * 8)
		return value_refuse("bits beyond the prefix length are set%s", "",
				    why);
	return 0;
}

static int value_parse_device(const char *text, struct value *v,
			      struct value_why *why)
{
	v->number = device_index(text);
	if (!v->number)
		return value_refuse("no such device in this network namespace%s",
				    "", why);
	return 0;
}

static int value_parse_key(const char *text, struct value *v,
			   struct value_why *why)
{
	const char *wrong = key_from_file(text, v->address);

	v->address_len = KEY_BYTES;
	return wrong ? value_refuse("%s", wrong, why) : 0;
}

static int value_parse_text(const struct value_range *range, const char *text,
			    struct value *v, struct value_why *why)
{
	struct value_text allowed = value_range_text(range);
	const char *c;

	for (c = text; *c; c++)
		if (!isascii(*c) || !isprint(*c))
			return value_refuse("not printable ASCII: %s",
					    allowed.text, why);
	if (c == text || (size_t)(c - text) > range->most)
		return value_refuse("out of range: %s", allowed.text, why);
	v->text = text;
	return 0;
}

int value_parse(const struct value_range *range, const char *text,
		struct value *v, struct value_why *why)
{
	struct value read = { .given = true };
	int status;

	switch (range->kind) {
	case VALUE_NAME:
		status = value_parse_name(range, text, &read, why);
		break;
	case VALUE_PREFIX:
		status = value_parse_prefix(text, &read, why);
		break;
	case VALUE_DEVICE:
		status = value_parse_device(text, &read, why);
		break;
	case VALUE_KEY:
		status = value_parse_key(text, &read, why);
		break;
	case VALUE_TEXT:
		status = value_parse_text(range, text, &read, why);
		break;
	case VALUE_FILE:
		read.text = text;
		status = *text ? 0 : value_refuse("the name is empty%s", "", why);
		break;
	default:
		status = value_parse_number(range, text, &read, why);
	}
	if (!status)
		*v = read;
	return status;
}

static struct value_text value_number_text(enum value_kind kind,
					   uint64_t number)
{
	bool minus = value_is_signed(kind) && (int64_t)number < 0;
	uint64_t size = minus ? -number : number;
	struct unit_text shown;

	switch (kind) {
	case VALUE_TIME:
	case VALUE_OFFSET:
		shown = unit_format_time(size);
		break;
	case VALUE_DRIFT:
		shown = unit_format_drift(value_drift_to_ppt(size));
		break;
	case VALUE_SHARE:
		shown = unit_format_fraction(size * 1000000 / 65536);
		break;
	default:
		snprintf(shown.text, sizeof(shown.text), "%" PRIu64, size);
	}
	return value_format(minus ? "-%s" : "%s", shown.text);
}

static struct value_text value_names_text(const struct value_range *range)
{
	struct value_text out = { "" };
	size_t i, len = 0;

	for (i = 0; i < range->nr_names; i++)
		if (range->names[i])
			len += snprintf(out.text + len, sizeof(out.text) - len,
					"%s%s", len ? "|" : "",
					range->names[i]);
	return out;
}

struct value_text value_range_text(const struct value_range *range)
{
	struct value_text least, most, out;

	switch (range->kind) {
	case VALUE_NAME:
		return value_names_text(range);
	case VALUE_TEXT:
		snprintf(out.text, sizeof(out.text),
			 "1 to %" PRIu64 " characters", range->most);
		return out;
	case VALUE_COUNT:
	case VALUE_TIME:
	case VALUE_OFFSET:
	case VALUE_DRIFT:
		break;
	default:
		return (struct value_text){ "" };
	}
	least = value_number_text(range->kind, range->least);
	most = value_number_text(range->kind, range->most);
	snprintf(out.text, sizeof(out.text), "%.40s to %.40s", least.text,
		 most.text);
	return out;
}

static struct value_text value_address_text(const struct value *v, bool prefix)
{
	struct value_text out;
	size_t len;

	inet_ntop(v->address_len == 4 ? AF_INET : AF_INET6, v->address,
		  out.text, sizeof(out.text));
	len = strlen(out.text);
	if (prefix)
		snprintf(out.text + len, sizeof(out.text) - len, "/%u",
			 v->prefix_len);
	return out;
}

static struct value_text value_device_text(uint64_t ifindex)
{
	char name[IF_NAMESIZE];

	if (ifindex <= UINT32_MAX && if_indextoname(ifindex, name))
		return value_format("%s", name);
	/* The name that ip(8) prints for a device that it cannot find. */
	snprintf(name, sizeof(name), "if%" PRIu32, (uint32_t)ifindex);
	return value_format("%s", name);
}

struct value_text value_for_people(const struct value_range *range,
				   const struct value *v)
{
	switch (range->kind) {
	case VALUE_NAME:
		if (v->number < range->nr_names && range->names[v->number])
			return value_format("%s", range->names[v->number]);
		return value_number_text(VALUE_COUNT, v->number);
	case VALUE_FLAG:
		return value_format("%s", v->number ? "yes" : "no");
	case VALUE_ADDRESS:
	case VALUE_PREFIX:
		return value_address_text(v, range->kind == VALUE_PREFIX);
	case VALUE_DEVICE:
		return value_device_text(v->number);
	case VALUE_PORT:
		return value_number_text(VALUE_COUNT, ntohs(v->number));
	case VALUE_TEXT:
	case VALUE_FILE:
		return value_format("%s", v->text);
	default:
		return value_number_text(range->kind, v->number);
	}
}

/* A device's name may have almost any byte in it. */
static struct value_text value_quoted(const char *text)
{
	struct value_text out;

	json_quote(text, out.text, sizeof(out.text));
	return out;
}

struct value_text value_for_json(const struct value_range *range,
				 const struct value *v)
{
	struct value_text people = value_for_people(range, v);
	char number[24];

	switch (range->kind) {
	case VALUE_TIME:
		snprintf(number, sizeof(number), "%" PRIu64, v->number);
		return value_format("%s", number);
	case VALUE_OFFSET:
		snprintf(number, sizeof(number), "%" PRId64,
			 (int64_t)v->number);
		return value_format("%s", number);
	case VALUE_DRIFT:
		people.text[strcspn(people.text, "p")] = 0;
		return people;
	case VALUE_FLAG:
		return value_format("%s", v->number ? "true" : "false");
	case VALUE_COUNT:
	case VALUE_SHARE:
	case VALUE_PORT:
		return people;
	default:
		return value_quoted(people.text);
	}
}

bool value_contains(const struct value *prefix, const struct value *address)
{
	struct value both = *address;
	int i;

	if (prefix->address_len != address->address_len)
		return false;
	for (i = 0; i < address->address_len; i++)
		both.address[i] ^= prefix->address[i];
	/* Differences must lie behind the prefix. */
	for (i = 0; i < prefix->prefix_len; i++)
		if (both.address[i / 8] & 0x80 >> i % 8)
			return false;
	return true;
}
