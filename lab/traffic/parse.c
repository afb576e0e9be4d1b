// SPDX-License-Identifier: GPL-2.0
/*
 * Values on the command line and in the traffic file
 */
#include <arpa/inet.h>
#include <ctype.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "parse.h"

/**
 * struct suffix - a unit that may follow a number
 * @text: as written
 * @factor: what it multiplies by
 */
struct suffix {
	const char *text;
	u64 factor;
};

/* Largest first, as format_range() takes the first that divides. */
static const struct suffix time_suffixes[] = {
	{ "s", NSEC_PER_SEC },
	{ "ms", NSEC_PER_MSEC },
	{ "us", NSEC_PER_USEC },
	{ "ns", 1 },
	{ "", 1 },
	{ NULL, 0 }
};

static const struct suffix byte_suffixes[] = {
	{ "g", 1000000000 },
	{ "m", 1000000 },
	{ "k", 1000 },
	{ "", 1 },
	{ NULL, 0 }
};

static const struct suffix rate_suffixes[] = {
	{ "gbit", 1000000000 },
	{ "mbit", 1000000 },
	{ "kbit", 1000 },
	{ "bit", 1 },
	{ "", 1 },
	{ NULL, 0 }
};

static const struct suffix no_suffixes[] = {
	{ "", 1 },
	{ NULL, 0 }
};

static const struct {
	const struct suffix *suffixes;
	const char *what;
} units[] = {
	[UNIT_COUNT] = { no_suffixes, "a whole number" },
	[UNIT_TIME] = { time_suffixes, "a time (a whole number with ns, us, ms or s)" },
	[UNIT_BYTES] = { byte_suffixes, "a number of bytes (with k, m or g)" },
	[UNIT_RATE] = { rate_suffixes, "a rate (bit/s, with bit, kbit, mbit or gbit)" },
	[UNIT_FRACTION] = { no_suffixes, "a decimal fraction of at most six places" },
	[UNIT_TEXT] = { no_suffixes, "a text" },
};

int complain(const struct place *at, const char *format, ...)
{
	va_list args;

	fputs("flowgen: ", stderr);
	if (at && at->file)
		fprintf(stderr, "%s:%u: ", at->file, at->line);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return -1;
}

/* Append one decimal digit; false when the sum leaves 64 bits. */
static bool append_digit(u64 *value, char digit)
{
	return !__builtin_mul_overflow(*value, 10, value) &&
	       !__builtin_add_overflow(*value, (u64)(digit - '0'), value);
}

int parse_decimal(const char *text, unsigned int places, u64 *value)
{
	unsigned int seen = 0;
	bool any = false;
	u64 sum = 0;

	for (; isdigit((unsigned char)*text); text++, any = true)
		if (!append_digit(&sum, *text))
			return -1;
	if (*text == '.') {
		for (text++; isdigit((unsigned char)*text); text++, seen++, any = true)
			if (seen == places || !append_digit(&sum, *text))
				return -1;
	}
	if (*text || !any)
		return -1;
	for (; seen < places; seen++)
		if (!append_digit(&sum, '0'))
			return -1;
	*value = sum;
	return 0;
}

/* Digits followed by one of @suffixes. 1: too large for 64 bits. */
static int parse_scaled(const char *text, const struct suffix *suffixes, u64 *value)
{
	bool fits = true;
	u64 sum = 0;

	if (!isdigit((unsigned char)*text))
		return -1;
	for (; isdigit((unsigned char)*text); text++)
		fits = fits && append_digit(&sum, *text);
	for (; suffixes->text; suffixes++) {
		if (strcmp(text, suffixes->text))
			continue;
		if (!fits || __builtin_mul_overflow(sum, suffixes->factor, value))
			return 1;
		return 0;
	}
	return -1;
}

static void format_number(enum unit unit, u64 value, char *text, size_t size)
{
	const struct suffix *s = units[unit].suffixes;

	if (unit == UNIT_FRACTION) {
		snprintf(text, size, "%llu.%06llu", (unsigned long long)(value / PPM),
			 (unsigned long long)(value % PPM));
		return;
	}
	while (value % s->factor || (!value && *s->text))
		s++;
	snprintf(text, size, "%llu%s", (unsigned long long)(value / s->factor), s->text);
}

const char *format_range(const struct range *range, char *text, size_t size)
{
	char min[28], max[28];

	format_number(range->unit, range->min, min, sizeof(min));
	format_number(range->unit, range->max, max, sizeof(max));
	snprintf(text, size, "%s to %s", min, max);
	return text;
}

int parse_number(const struct place *at, const char *name, const char *text,
		 const struct range *range, u64 *value)
{
	u64 number = 0;
	char limits[64];
	int ret;

	if (range->unit == UNIT_FRACTION)
		ret = parse_decimal(text, 6, &number);
	else
		ret = parse_scaled(text, units[range->unit].suffixes, &number);
	format_range(range, limits, sizeof(limits));
	if (ret < 0)
		return complain(at, "%s: '%s' is not %s in the range %s", name, text,
				units[range->unit].what, limits);
	if (ret > 0 || number < range->min || number > range->max)
		return complain(at, "%s: '%s' is outside the range %s", name, text, limits);
	*value = number;
	return 0;
}

static int fill_address(const char *host, u64 port, struct sockaddr_storage *address)
{
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
	struct sockaddr_in *v4 = (struct sockaddr_in *)address;

	memset(address, 0, sizeof(*address));
	if (inet_pton(AF_INET, host, &v4->sin_addr) == 1) {
		v4->sin_family = AF_INET;
		v4->sin_port = htons(port);
		return 0;
	}
	if (inet_pton(AF_INET6, host, &v6->sin6_addr) == 1) {
		v6->sin6_family = AF_INET6;
		v6->sin6_port = htons(port);
		return 0;
	}
	return -1;
}

/* The device of a zone: its index, or 0. */
static u32 zone_index(const char *zone)
{
	u32 index = if_nametoindex(zone);
	u64 number;

	if (!index && !parse_scaled(zone, no_suffixes, &number) && number <= INT32_MAX)
		return number;
	return index;
}

/* An address of the command line has a zone if it is link-local, and only then. */
static int fill_zone(const struct place *at, const char *name, const char *text,
		     const char *zone, struct sockaddr_storage *address)
{
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
	bool local = v6->sin6_family == AF_INET6 && IN6_IS_ADDR_LINKLOCAL(&v6->sin6_addr);

	if (at && at->file)
		return zone ? complain(at, "%s: '%s': only --to and --listen take a zone", name,
				       text) : 0;
	if (zone && !local)
		return complain(at, "%s: '%s' has a zone, but is not link-local", name, text);
	if (!zone && local)
		return complain(at, "%s: '%s' is link-local: it lacks its zone, %%DEVICE", name,
				text);
	if (!zone)
		return 0;
	v6->sin6_scope_id = zone_index(zone);
	if (!v6->sin6_scope_id)
		return complain(at, "%s: '%s': there is no device '%s'", name, text, zone);
	return 0;
}

int parse_address(const struct place *at, const char *name, const char *text,
		  unsigned int port, struct sockaddr_storage *address)
{
	static const struct range ports = { UNIT_COUNT, 1, 65535 };
	const char *colon = strrchr(text, ':');
	const char *end = text + strlen(text);
	const char *start = text;
	u64 number = port;
	char host[64], *zone;

	if (*text == '[') {
		start++;
		end = strchr(text, ']');
		if (!end || (end[1] && end[1] != ':'))
			return complain(at, "%s: '%s' is not [ADDR]:PORT", name, text);
		colon = end[1] ? end + 1 : NULL;
	} else if (colon && strchr(text, ':') != colon) {
		colon = NULL;	/* several colons: a bare IPv6 address */
	} else if (colon) {
		end = colon;
	}
	if (!colon && !port)
		return complain(at, "%s: '%s' lacks its port (ADDR:PORT or [ADDR]:PORT)",
				name, text);
	if (colon && parse_number(at, name, colon + 1, &ports, &number))
		return -1;
	if ((size_t)(end - start) >= sizeof(host))
		return complain(at, "%s: '%s' is too long for an address", name, text);
	memcpy(host, start, end - start);
	host[end - start] = '\0';
	zone = strchr(host, '%');
	if (zone)
		*zone++ = '\0';
	if (fill_address(host, number, address))
		return complain(at, "%s: '%s' is not a numeric IPv4 or IPv6 address",
				name, text);
	return fill_zone(at, name, text, zone, address);
}

char *parse_text_start(const struct place *at, char *line)
{
	if (at->line != 1)
		return line;
	if (!strncmp(line, "\xff\xfe", 2) || !strncmp(line, "\xfe\xff", 2)) {
		complain(at, "the text is UTF-16, not UTF-8");
		return NULL;
	}
	return strncmp(line, "\xef\xbb\xbf", 3) ? line : line + 3;
}
