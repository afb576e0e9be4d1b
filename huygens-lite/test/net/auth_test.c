// SPDX-License-Identifier: GPL-2.0
/*
 * Signatures: one bit, another key or another receiver and it is broken; a message
 * is taken once.  And the file of keys.
 */
#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../selftests/lib/tap.h"
#include "../../daemon/keyfile.h"
#include "../../net/transport.h"

static const uint8_t one[] = "one key of twenty by";
static const uint8_t two[] = "another one of twent";

static struct auth_keys keys_of(uint32_t id, const uint8_t *key)
{
	struct auth_keys keys = { 0 };

	auth_add_key(&keys, id, key, 20);
	return keys;
}

static void signatures(void)
{
	struct auth_keys mine = keys_of(3, one), other = keys_of(3, two);
	struct auth_keys far = keys_of(4, one), both = keys_of(9, two);
	struct auth_stamp stamp = { .session = 77, .counter = 1ull << 40 }, got;
	uint8_t message[64 + AUTH_BYTES] = "a payload...";
	size_t len, i;
	int wrong = 0;

	len = auth_sign(&mine, 12, &stamp, message, 64);
	tap_ok(len == 96 && !auth_check(&mine, 12, message, len, &got) &&
	       got.session == 77 && got.counter == 1ull << 40,
	       "what was signed is good");
	auth_add_key(&both, 3, one, 20);
	tap_ok(!auth_check(&both, 12, message, len, &got),
	       "a second key is accepted as well");
	for (i = 0; i < len * 8; i++) {
		message[i / 8] ^= 1 << i % 8;
		wrong += auth_check(&mine, 12, message, len, &got) == AUTH_GOOD;
		message[i / 8] ^= 1 << i % 8;
	}
	tap_ok(!wrong, "each bit counts");
	tap_ok(auth_check(&mine, 13, message, len, &got) == AUTH_FORGED,
	       "not for another receiver");
	tap_ok(auth_check(&other, 12, message, len, &got) == AUTH_FORGED,
	       "not with another key of the number");
	tap_ok(auth_check(&far, 12, message, len, &got) == AUTH_UNKNOWN_KEY,
	       "not with a number that is not known");
	tap_ok(auth_check(&mine, 12, message, len - 1, &got),
	       "not with a byte less");
	tap_ok(auth_check(&mine, 12, message, 31, &got) == AUTH_MISSING,
	       "not where no trailer fits");
	tap_ok(auth_check(&mine, 12, message, 0, &got) == AUTH_MISSING,
	       "not of nothing");
	tap_ok(!auth_add_key(&mine, 3, two, 20), "no second key of a number");
	tap_ok(!auth_add_key(&mine, 5, two, 15), "no key of 15 bytes");
	tap_ok(!auth_add_key(&mine, 5, two, 65), "no key of 65 bytes");
	for (i = 10; i < 17; i++)
		wrong += !auth_add_key(&mine, i, one, 20);
	tap_ok(!wrong && !auth_add_key(&mine, 17, one, 20), "no ninth key");
}

static bool admit(struct auth_memory *memory, uint32_t session,
		  uint64_t counter, bool silent)
{
	struct auth_stamp stamp = { .session = session, .counter = counter };

	return auth_admit(memory, &stamp, silent) == AUTH_GOOD;
}

static void replays(void)
{
	struct auth_memory m = { 0 };
	uint64_t i;
	int wrong = 0;

	tap_ok(admit(&m, 5, 100, false), "the first one is new");
	tap_ok(!admit(&m, 5, 100, false), "not twice");
	tap_ok(!admit(&m, 5, 99, false) && !admit(&m, 5, 37, false),
	       "nothing from before the first one");
	tap_ok(admit(&m, 5, 102, false) && admit(&m, 5, 101, false),
	       "one may be overtaken");
	tap_ok(!admit(&m, 5, 101, false), "but not come twice then");
	tap_ok(admit(&m, 5, 102 + 63, false) && !admit(&m, 5, 102, false),
	       "what was taken is remembered at the window's end");
	tap_ok(admit(&m, 5, 103, false), "and what was not is taken there");
	tap_ok(!admit(&m, 5, 102 + 63 - 64, false), "one before it is too old");
	tap_ok(!admit(&m, 5, 0, false), "counter 0 is too old");
	tap_ok(admit(&m, 5, 1 << 20, false) && !admit(&m, 5, 165, false),
	       "a jump forgets all before");
	tap_ok(!admit(&m, 4, 1 << 21, false), "a session of before is not taken");
	tap_ok(!admit(&m, 4, UINT64_MAX, false), "whatever its counter");
	tap_ok(admit(&m, 6, 2, false) && !admit(&m, 6, 1, false),
	       "one that is later is, from what comes first on");
	tap_ok(!admit(&m, 5, 1 << 22, false), "and ends the one before");
	tap_ok(admit(&m, 3, 1, true), "a clock that went back is, after silence");
	tap_ok(!admit(&m, 3, 1, true), "but nothing twice");
	tap_ok(admit(&m, 5, 100, false) && admit(&m, 3, 1, true) &&
	       admit(&m, 5, 100, false) && admit(&m, 3, 1, true),
	       "messages of two sessions can each be replayed after the other");
	for (i = 2; i < 1000; i++)
		wrong += !admit(&m, 3, i, false) || admit(&m, 3, i, false);
	tap_ok(!wrong, "each of a thousand once");
	tap_ok(admit(&m, 3, UINT64_MAX, false) && !admit(&m, 3, UINT64_MAX, false) &&
	       !admit(&m, 3, 5, false), "nothing wraps");
}

/**
 * struct line_of - messages that a transport sends
 * @len: of the last datagram
 * @bytes: they
 */
struct line_of {
	size_t	len;
	uint8_t	bytes[TRANSPORT_BYTES];
};

static int line_send(void *data, uint32_t to, const void *bytes, size_t len)
{
	struct line_of *line = data;
	(void)to;

	memcpy(line->bytes, bytes, len);
	line->len = len;
	return 0;
}

/* Each datagram is counted once. */
static bool counted(struct count *count, uint64_t *what)
{
	static const struct count none;
	bool good = count->received == 1 && *what == 1;

	count->received = 0;
	*what = 0;
	good &= !memcmp(count, &none, sizeof(none));
	*count = none;
	return good;
}

/* Which host the last datagram is taken of, if it comes from @from. */
static uint32_t opens(struct transport *transport, const struct conf_peer *from,
		      const struct line_of *line, int64_t raw_ns)
{
	struct wire_message got;

	return transport_open(transport, &from->address, line->bytes, line->len, raw_ns,
			      &got);
}

/* Two hosts; what one says to the other is taken once, and from nobody else. */
static void posts(void)
{
	static const struct transport_ops ops = { .send = line_send };
	static struct conf_peer peers[2] = { { .id = 7 }, { .id = 9 } };
	struct membership memberships[2] = { { .hosts = 2, .host = peers, .self = 0 },
					 { .hosts = 2, .host = peers, .self = 1 } };
	struct wire_message hello = { .type = WIRE_HELLO,
		.hello = { .stamps = WIRE_SOFTWARE, .window_ns = 1 } };
	struct transport_host hosts[2][2] = { 0 };
	struct count count[2] = { 0 };
	struct transport transport[2] = { 0 };
	struct line_of line;
	int i;

	for (i = 0; i < 2; i++) {
		peers[i].address.in.sin_family = AF_INET;
		peers[i].address.in.sin_addr.s_addr = htonl(0x0a000001 + i);
		transport[i] = (struct transport){
			     .membership = &memberships[i], .keys = keys_of(3, one),
			     .stamp.session = 5, .dead_ns = 1000, .host = hosts[i],
			     .count = &count[i], .ops = &ops, .data = &line };
	}
	transport[0].keys.count = 0;
	transport_send(&transport[0], 1, &hello);
	tap_ok(opens(&transport[1], &peers[0], &line, 0) == MEMBERSHIP_NONE &&
	       count[1].bad_unsigned == 1, "unsigned: refused, and counted");
	transport[0].keys = keys_of(3, two);
	transport_send(&transport[0], 1, &hello);
	tap_ok(opens(&transport[1], &peers[0], &line, 0) == MEMBERSHIP_NONE &&
	       count[1].bad_auth == 1, "another key: refused, and counted");
	transport[0].keys = keys_of(4, one);
	transport_send(&transport[0], 1, &hello);
	tap_ok(opens(&transport[1], &peers[0], &line, 0) == MEMBERSHIP_NONE &&
	       count[1].bad_key == 1, "an unknown key: refused, and counted");
	tap_ok(!hosts[1][0].received, "none of them is a sign of life");
	transport[0].keys = keys_of(3, one);
	transport_send(&transport[0], 1, &hello);
	tap_ok(opens(&transport[1], &peers[1], &line, 0) == MEMBERSHIP_NONE &&
	       count[1].bad_address == 1, "signed, from another address: refused, and counted");
	tap_ok(!opens(&transport[1], &peers[0], &line, 0), "signed: taken");
	tap_ok(opens(&transport[1], &peers[0], &line, 0) == MEMBERSHIP_NONE &&
	       count[1].bad_replay == 1, "again: refused, and counted");
	tap_ok(opens(&transport[1], &peers[0], &line, 5000) == MEMBERSHIP_NONE &&
	       count[1].bad_replay == 2, "and when its sender is dead");
	tap_ok(transport_is_alive(&transport[1], 0, 1000) &&
	       !transport_is_alive(&transport[1], 0, 5000),
	       "of which it is no sign of life");
	tap_ok(opens(&transport[0], &peers[1], &line, 0) == MEMBERSHIP_NONE &&
	       count[0].bad_auth == 1, "sent back: refused, and counted");
}

/* All is wrong with a datagram, and mended from the first that is looked at on. */
static void order(void)
{
	static struct conf_peer peers[2] = { { .id = 7 }, { .id = 9 } };
	struct membership membership = { .hosts = 2, .host = peers, .self = 1 };
	struct wire_message hello = { .type = WIRE_HELLO, .from = 99,
		.hello = { .stamps = WIRE_SOFTWARE, .window_ns = 1 } };
	struct auth_keys good = keys_of(3, one), other = keys_of(3, two);
	struct auth_stamp stamp = { .session = 5, .counter = 1 };
	struct transport_host hosts[2] = { 0 };
	struct count count = { 0 };
	struct transport transport = { .membership = &membership, .keys = good, .dead_ns = 1000,
				       .host = hosts, .count = &count };
	struct line_of line;
	size_t len;

	peers[0].address.in.sin_family = AF_INET;
	peers[0].address.in.sin_addr.s_addr = htonl(0x0a000001);
	peers[1].address.in.sin_family = AF_INET;
	len = wire_write(&hello, line.bytes);
	line.bytes[0] ^= 1;
	line.len = auth_sign(&other, 9, &stamp, line.bytes, len);
	opens(&transport, &peers[1], &line, 0);
	tap_ok(counted(&count, &count.bad_auth), "the trailer is checked first");
	line.len = auth_sign(&good, 9, &stamp, line.bytes, len);
	opens(&transport, &peers[1], &line, 0);
	tap_ok(counted(&count, &count.bad_form), "then the form");
	line.bytes[0] ^= 1;
	line.len = auth_sign(&good, 9, &stamp, line.bytes, len);
	opens(&transport, &peers[1], &line, 0);
	tap_ok(counted(&count, &count.bad_host), "then whose it is");
	hello.from = 7;
	len = wire_write(&hello, line.bytes);
	line.len = auth_sign(&good, 9, &stamp, line.bytes, len);
	hosts[0].memory = (struct auth_memory){ true, 5, 1, 1 };
	opens(&transport, &peers[1], &line, 0);
	tap_ok(counted(&count, &count.bad_address), "then where it comes from");
	opens(&transport, &peers[0], &line, 0);
	tap_ok(counted(&count, &count.bad_replay), "and then whether it was taken before");
}

/* As anybody else computes it. */
static void tags(void)
{
	static const uint8_t want[16] = {
		0xe5, 0x1b, 0x35, 0x15, 0x1d, 0xf8, 0x3a, 0xe0,
		0x0c, 0x9f, 0xdc, 0xac, 0xa5, 0x4b, 0x0f, 0x11,
	};
	struct auth_keys keys = keys_of(3, one);
	struct auth_stamp stamp = { .session = 77, .counter = 1ull << 40 };
	uint8_t message[64 + AUTH_BYTES] = "what is said";

	auth_sign(&keys, 12, &stamp, message, 64);
	tap_ok(!memcmp(message + 64 + 16, want, sizeof(want)),
	       "the tag is half an HMAC-SHA256");
}

static int parse(struct auth_keys *keys, const char *text)
{
	char *copy = strdup(text), why[256] = "";
	int ret = keyfile_parse(keys, "keys", copy, why, sizeof(why));

	if (ret && strncmp(why, "keys:", 5))
		ret = 99;
	free(copy);
	return ret;
}

static void keyfiles(void)
{
	static const char *const bad[] = {
		"", "\n\n# nothing\n", "1\n", "1 SHA256\n", "1 SHA256 short\n",
		"1 MD5 0123456789abcdef0123\n", "0 SHA256 0123456789abcdef0123\n",
		"x SHA256 0123456789abcdef0123\n", "-1 SHA256 0123456789abcdef0123\n",
		"1x SHA256 0123456789abcdef0123\n",
		"4294967296 SHA256 0123456789abcdef0123\n",
		"99999999999999999999 SHA256 0123456789abcdef0123\n",
		"1 SHA256 HEX:0123456789abcdef0123456789abcde\n",
		"1 SHA256 HEX:0123456789abcdef0123456789abcdeg\n",
		"1 SHA256 HEX:0123456789abcdef\n", "1 SHA256 HEX:\n",
		"1 SHA256 0123456789abcdef0123 more\n",
		"1 SHA256 0123456789abcdef0123\n1 SHA256 0123456789abcdef9999\n",
	};
	struct auth_keys keys;
	char name[] = "/tmp/huygens-keys-XXXXXX", why[256], ninth[1024] = "";
	int fd = mkstemp(name), i;

	tap_ok(!parse(&keys, "# keys\n 7 SHA256 HEX:00112233445566778899aabbCCDDEEFF\n"
		      "\n2 sha256 0123456789abcdef\n") && keys.count == 2 &&
	       keys.id[0] == 7 && keys.id[1] == 2, "two keys, the first one signs");
	tap_ok(!parse(&keys, "\357\273\2777 SHA256 0123456789abcdef\r\n"
		      "2 SHA256 0123456789abcdef\r\n") &&
	       keys.count == 2 && keys.id[0] == 7,
	       "a byte order mark, and lines that end in CR LF");
	tap_ok(parse(&keys, "7 SHA256 0123456789abcdef\n"
		     "\357\273\2772 SHA256 0123456789abcdef\n") == -1,
	       "no keys: a mark that is not at the beginning");
	for (i = 0; i < (int)(sizeof(bad) / sizeof(*bad)); i++)
		tap_ok(parse(&keys, bad[i]) == -1, "no keys: %.*s",
		       (int)strcspn(bad[i], "\n"), bad[i]);
	for (i = 1; i < 10; i++)
		sprintf(ninth + strlen(ninth), "%d SHA256 0123456789abcdef\n", i);
	tap_ok(parse(&keys, ninth) == -1, "not nine keys");
	if (fd < 0 || write(fd, "1 SHA256 0123456789abcdef\n", 26) != 26)
		return;
	fchmod(fd, 0644);
	tap_ok(keyfile_read(&keys, name, "", why, sizeof(why)) && strstr(why, name),
	       "a file for others is refused");
	fchmod(fd, 0640);
	tap_ok(!keyfile_read(&keys, name, "", why, sizeof(why)) && keys.count == 1,
	       "one for owner and group is read");
	tap_ok(!keyfile_read(&keys, "", "", why, sizeof(why)) && !keys.count,
	       "no file, no keys");
	if (pwrite(fd, "\377\3761\0 \0S\0", 8, 0) != 8)
		return;
	tap_ok(keyfile_read(&keys, name, "", why, sizeof(why)) && strstr(why, ":1: it is UTF-16"),
	       "one of UTF-16 is refused by that name");
	unlink(name);
	tap_ok(keyfile_read(&keys, name, "", why, sizeof(why)) && strstr(why, name),
	       "a file that is not there is named");
	close(fd);
}

int main(void)
{
	signatures();
	replays();
	posts();
	order();
	tags();
	keyfiles();
	return tap_done();
}
