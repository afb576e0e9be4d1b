// SPDX-License-Identifier: GPL-2.0
/*
 * Tags: SipHash's own vectors, the signed ones of docs/wire.md, and random
 * datagrams with each bit of them, of the addresses and of the key changed.
 */
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "onramp_mac.h"
#include "onramp_mac_vectors.h"
#include "options.h"
#include "random.h"
#include "../lib/tap.h"

#define VECTORS	"../../docs/wire.md"

/**
 * struct sealed - a datagram, a key and addresses
 * @key: the key
 * @addresses: source and destination
 * @data: bytes
 * @len: how many
 */
struct sealed {
	u8 key[ONRAMP_MAC_KEY_BYTES];
	u8 addresses[ONRAMP_MAC_ADDRESS_BYTES];
	u8 data[ONRAMP_WIRE_MAX_BYTES];
	size_t len;
};

static const char *sealed_verdict(const struct sealed *s)
{
	struct onramp_wire_view view;
	const char *verdict;
	u8 *data = malloc(s->len);

	/* In memory of just that size, so that a sanitizer sees more. */
	memcpy(data, s->data, s->len);
	switch (onramp_wire_parse(data, s->len, &view)) {
	case ONRAMP_WIRE_OK:
		if (!view.head.has_mac)
			verdict = "=> unsigned\n";
		else if (onramp_mac_is_good(s->key, s->addresses, &view))
			verdict = "=> good\n";
		else
			verdict = "=> forged\n";
		break;
	case ONRAMP_WIRE_BAD_LENGTH:
		verdict = "=> refused: length\n";
		break;
	default:
		verdict = "=> refused\n";
	}
	free(data);
	return verdict;
}

static size_t read_bytes(const char *line, u8 *out, size_t size)
{
	unsigned int byte;
	size_t len = 0;
	int n;

	while (len < size && sscanf(line, " %2x%n", &byte, &n) == 1) {
		out[len++] = byte;
		line += n;
	}
	if (*line != '\n') {
		fprintf(stderr, "'%s' are no bytes\n", line);
		exit(2);
	}
	return len;
}

static void read_address(const char *text, u8 *out)
{
	static const u8 mapped[12] = { [10] = 0xff, [11] = 0xff };

	memcpy(out, mapped, sizeof(mapped));
	if (inet_pton(AF_INET, text, out + 12) != 1 &&
	    inet_pton(AF_INET6, text, out) != 1) {
		fprintf(stderr, "'%s' is no address\n", text);
		exit(2);
	}
}

/* One line of a vector; what it is called, if that is what the line says. */
static void read_line(struct sealed *s, char *name, const char *line)
{
	char from[64], to[64];

	if (sscanf(line, "signed %127[^\n]", name) == 1) {
		memset(s, 0, sizeof(*s));
	} else if (!strncmp(line, "    key ", 8)) {
		read_bytes(line + 8, s->key, sizeof(s->key));
	} else if (sscanf(line, " from %63s to %63s", from, to) == 2) {
		read_address(from, s->addresses);
		read_address(to, s->addresses + 16);
	} else if (*line != '\n') {
		s->len += read_bytes(line, s->data + s->len, sizeof(s->data) - s->len);
	}
}

static void vectors_test(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512], name[128];
	bool inside = false;
	struct sealed s;
	int n = 0;

	if (!file) {
		perror(path);
		exit(2);
	}
	while (fgets(line, sizeof(line), file)) {
		if (!inside) {
			inside = !strcmp(line, "```signed\n");
		} else if (*line == '`') {
			inside = false;
		} else if (*line == '=') {
			n++;
			if (!tap_ok(!strcmp(line, sealed_verdict(&s)), "signed: %s", name))
				tap_remark("read as %s", sealed_verdict(&s));
		} else {
			read_line(&s, name, line);
		}
	}
	fclose(file);
	tap_ok(n > 0, "there are signed vectors");
}

static void siphash_test(void)
{
	bool good = true;
	u32 len;

	for (len = 0; len < ONRAMP_MAC_VECTORS; len++)
		good = onramp_mac_vector_run(len) && good;
	tap_ok(good, "SipHash-2-4's published vectors, cut anywhere");
}

static void random_fill(u64 *seed, u8 *out, size_t len)
{
	while (len--)
		*out++ = random_u64(seed);
}

static void random_sealed(u64 *seed, struct sealed *s)
{
	struct onramp_wire_head head = {
		.clock_error_ns = random_u64(seed),
		.serial = random_u64(seed),
		.count = 1 + random_below(seed, ONRAMP_WIRE_MAX_COUNT),
		.clock_id = ONRAMP_WIRE_SYSTEM,
		.has_mac = true,
	};
	u32 i;

	random_fill(seed, s->key, sizeof(s->key));
	random_fill(seed, s->addresses, sizeof(s->addresses));
	onramp_wire_put_head(s->data, &head);
	for (i = 0; i < head.count; i++) {
		const struct onramp_wire_item item = {
			.rx_ns = random_u64(seed) >> 1,
			.seq = random_u64(seed),
			.len = 1,
			.stamp = 1,
		};

		onramp_wire_put_entry(s->data, i, &item);
	}
	s->len = onramp_mac_sign(s->key, random_u64(seed), s->addresses, s->data, i);
}

/* Is it still taken with a bit changed?  The bit is changed back. */
static bool survives(struct sealed *s, u8 *at, u32 bit)
{
	bool good;

	at[bit / 8] ^= 1 << bit % 8;
	good = !strcmp(sealed_verdict(s), "=> good\n");
	at[bit / 8] ^= 1 << bit % 8;
	return good;
}

static void random_test(u64 seed, unsigned long n)
{
	bool good = true, data = false, addresses = false, key = false;
	bool swapped = false;
	struct sealed s, turned;
	u32 bit;

	while (n--) {
		random_sealed(&seed, &s);
		good = good && !strcmp(sealed_verdict(&s), "=> good\n");
		turned = s;
		memcpy(turned.addresses, s.addresses + 16, 16);
		memcpy(turned.addresses + 16, s.addresses, 16);
		swapped = swapped || !strcmp(sealed_verdict(&turned), "=> good\n");
		for (bit = 0; bit < s.len * 8; bit += 1 + random_below(&seed, n % 16 ? 64 : 1))
			data = data || survives(&s, s.data, bit);
		for (bit = 0; bit < sizeof(s.addresses) * 8; bit++)
			addresses = addresses || survives(&s, s.addresses, bit);
		for (bit = 0; bit < sizeof(s.key) * 8; bit++)
			key = key || survives(&s, s.key, bit);
	}
	tap_ok(good, "what is signed is good");
	tap_ok(!data, "no bit of a datagram can be changed");
	tap_ok(!addresses, "nor of its addresses");
	tap_ok(!swapped, "nor can they be swapped");
	tap_ok(!key, "no other key signed it");
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 60, "datagrams");

	siphash_test();
	vectors_test(VECTORS);
	random_test(o.seed, o.n);
	return tap_done();
}
