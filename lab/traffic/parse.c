// SPDX-License-Identifier: GPL-2.0
/*
 * Values on the command line and in the traffic file
 */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netdb.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/units.h"
#include "parse.h"

#ifdef FLOWGEN_NETLINK
#include "../../lib/device.h"
#else
/* Without netlink a device is found by names of up to 15 characters only. */
#define device_index	if_nametoindex
#endif

static enum unit_result parse_text(const char *text, u64 *value)
{
	(void)text;
	(void)value;
	return UNIT_MALFORMED;
}

static const struct {
	enum unit_result (*parse)(const char *text, u64 *value);
	struct unit_text (*format)(u64 value);
	const char *description;
} quantities[] = {
	[QUANTITY_COUNT] = { unit_parse_number, unit_format_number, "a whole number" },
	[QUANTITY_TIME] = { unit_parse_time_or_ns, unit_format_time,
			    "a time (a number with ns, us, ms or s)" },
	[QUANTITY_BYTES] = { unit_parse_bytes, unit_format_bytes,
			     "a number of bytes (with k, m or g)" },
	[QUANTITY_RATE] = { unit_parse_rate, unit_format_rate,
			    "a rate (bit/s, with bit, kbit, mbit or gbit)" },
	[QUANTITY_FRACTION] = { unit_parse_fraction, unit_format_fraction,
				"a decimal fraction of at most six places" },
	[QUANTITY_TEXT] = { parse_text, unit_format_number, "a text" },
};

int complain(const struct place *at, const char *format, ...)
{
	va_list args;

	fputs("flowgen: ", stderr);
	if (at && at->file && at->line)
		fprintf(stderr, "%s:%u: ", at->file, at->line);
	else if (at && at->file)
		fprintf(stderr, "%s: ", at->file);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputc('\n', stderr);
	return -1;
}

const char *format_range(const struct range *range, char *text, size_t size)
{
	struct unit_text min = quantities[range->quantity].format(range->min);
	struct unit_text max = quantities[range->quantity].format(range->max);

	snprintf(text, size, "%s to %s", min.text, max.text);
	return text;
}

int parse_number(const struct place *at, const char *name, const char *text,
		 const struct range *range, u64 *value)
{
	enum unit_result result;
	u64 number = 0;
	char limits[64];

	result = quantities[range->quantity].parse(text, &number);
	format_range(range, limits, sizeof(limits));
	if (result == UNIT_MALFORMED || result == UNIT_INEXACT)
		return complain(at, "%s: '%s' is not %s in the range %s", name, text,
				quantities[range->quantity].description, limits);
	if (result != UNIT_OK || number < range->min || number > range->max)
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

#ifdef FLOWGEN_STATIC
/* The resolver of a static program would load shared libraries. */
static int look_up(const char *host, u64 port, struct sockaddr_storage *address)
{
	(void)host;
	(void)port;
	(void)address;
	return EAI_NONAME;
}
#else
static int look_up(const char *host, u64 port, struct sockaddr_storage *address)
{
	const struct addrinfo hints = { .ai_socktype = SOCK_STREAM, .ai_flags = AI_ADDRCONFIG };
	struct addrinfo *found;
	int error = getaddrinfo(host, NULL, &hints, &found);

	if (error)
		return error;
	memcpy(address, found->ai_addr, found->ai_addrlen);
	freeaddrinfo(found);
	if (address->ss_family == AF_INET6)
		((struct sockaddr_in6 *)address)->sin6_port = htons(port);
	else
		((struct sockaddr_in *)address)->sin_port = htons(port);
	return 0;
}
#endif

/* Names are resolved on the command line only, and a mistyped address is not taken for a name. */
static int fill_host(const struct place *at, const char *name, const char *text, const char *host,
		     u64 port, struct sockaddr_storage *address)
{
	bool numeric = !host[strspn(host, "0123456789.:")];
	int error;

	if (!fill_address(host, port, address))
		return 0;
	if ((at && at->file) || numeric)
		return complain(at, "%s: '%s' is not a numeric IPv4 or IPv6 address", name, text);
	error = look_up(host, port, address);
	if (error == EAI_SYSTEM)
		return complain(at, "%s: '%s': %s", name, text, strerror(errno));
	if (error)
		return complain(at, "%s: '%s': %s", name, text, gai_strerror(error));
	return 0;
}

/* The device of a zone: its index, or 0. */
static u32 zone_index(const char *zone)
{
	u32 index = device_index(zone);
	u64 number;

	if (!index && unit_parse_number(zone, &number) == UNIT_OK && number <= INT32_MAX)
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
	static const struct range ports = { QUANTITY_COUNT, 1, 65535 };
	const char *colon = strrchr(text, ':');
	const char *end = text + strlen(text);
	const char *start = text;
	u64 number = port;
	char host[256], *zone;

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
	if (fill_host(at, name, text, host, number, address))
		return -1;
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
