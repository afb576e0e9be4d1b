// SPDX-License-Identifier: GPL-2.0
/*
 * Host names in the list of peers: a resolver of the test's own, and what a reload keeps.
 */
#include <arpa/inet.h>
#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "../../conf/conf.h"

static struct huygens_conf conf;
static struct conf_error error;
static int lookups;

/* Names and addresses of the test's resolver. */
static const struct known {
	const char *host, *ip, *ip6;
} known[] = {
	{ "web1", "10.0.0.1", "fd00::1" },
	{ "web2.example.com", "10.0.0.2", "fd00::2" },
	{ "web3", "10.0.0.3", NULL },
	{ "six", NULL, "fd00::6" },
	{ "alias", "10.0.0.1", "fd00::1" },
	{ "many", "224.0.0.1", "ff02::1" },
};

static int look_up(const char *host, sa_family_t family, union conf_address *address,
		   const char **why)
{
	size_t i;

	lookups++;
	*why = "no such name";
	if (!strcmp(host, "slow")) {
		*why = "the server does not answer";
		return CONF_LOOKUP_FAILED;
	}
	memset(address, 0, sizeof(*address));
	address->sa.sa_family = family;
	for (i = 0; i < sizeof(known) / sizeof(*known); i++) {
		const char *ip = family == AF_INET ? known[i].ip : known[i].ip6;

		if (!strcmp(host, known[i].host) && ip)
			return inet_pton(family, ip, family == AF_INET ?
					 (void *)&address->in.sin_addr :
					 (void *)&address->in6.sin6_addr) == 1 ?
			       CONF_LOOKUP_FOUND : CONF_LOOKUP_FAILED;
	}
	return CONF_LOOKUP_NONE;
}

static int read_peers(const char *peers)
{
	char text[256];

	conf_free(&conf);
	snprintf(text, sizeof(text), "[mesh]\npeers = %s\n", peers);
	return conf_parse(&conf, "f", text, strlen(text), &error);
}

static int resolved(const char *peers)
{
	lookups = 0;
	*error.text = '\0';
	return read_peers(peers) || conf_resolve(&conf, look_up, &error);
}

static int is(size_t i, const char *address)
{
	char text[INET6_ADDRSTRLEN] = "";
	const union conf_address *a = &conf.peers[i].address;

	inet_ntop(a->sa.sa_family, a->sa.sa_family == AF_INET ? (void *)&a->in.sin_addr :
		  (void *)&a->in6.sin6_addr, text, sizeof(text));
	return !strcmp(text, address) && ntohs(a->in.sin_port) == 31900;
}

static void good(void)
{
	tap_ok(!resolved("10.0.0.9 10.0.0.8") && !lookups, "addresses are not looked up");
	tap_ok(!resolved("10.0.0.9 web1 web2.example.com/two") && is(1, "10.0.0.1") && is(2, "10.0.0.2"),
	       "names among addresses: %s", error.text);
	tap_ok(!strcmp(conf.peers[1].name, "web1") && !strcmp(conf.peers[2].name, "two"),
	       "a host without a name is called as its host name");
	tap_ok(!resolved("fd00::9 web1 six") && is(1, "fd00::1") && is(2, "fd00::6"),
	       "among IPv6 addresses they are IPv6: %s", error.text);
	tap_ok(!resolved("web1 web2.example.com") && is(0, "10.0.0.1") && lookups == 2,
	       "names alone are IPv4");
	tap_ok(!resolved("web1 six") && is(0, "fd00::1") && is(1, "fd00::6"),
	       "or IPv6 if one of them has no IPv4");
	tap_ok(!resolved("7=web1/a 9=web3/b") && conf.peers[1].id == 9 && is(1, "10.0.0.3"),
	       "with ids and names");
}

static void bad(void)
{
	static const struct {
		const char *peers, *message;
	} refused[] = {
		{ "10.0.0.9 nobody", "[mesh] peers: host name \"nobody\" has no IPv4 address: no such name" },
		{ "fd00::9 web3", "host name \"web3\" has no IPv6 address" },
		{ "web3 six", "host name \"web3\" has no IPv6 address" },
		{ "web1 slow", "host name \"slow\" could not be looked up, which says nothing of the name: the server does not answer" },
		{ "web1 alias", "host name \"web1\" has the same address as alias" },
		{ "10.0.0.1 web1", "host name \"web1\" has the same address as 10.0.0.1" },
		{ "10.0.0.1 many", "host name \"many\": its address is a multicast or reserved address" },
	};
	static const char *const unread[] = {
		"10.0.0.1 web..com", "10.0.0.1 .web", "10.0.0.1 -web", "10.0.0.1 web-", "10.0.0.1 web_1",
		"10.0.0.1 10.0.0", "10.0.0.1 10.0.0.256", "10.0.0.1 web.1", "10.0.0.1 1web", "10.0.0.1 web.",
		"10.0.0.1 a-.b", "10.0.0.1 a.-b", "10.0.0.1 fd00::g", "10.0.0.1 "
		"a23456789a23456789a23456789a23456789a23456789a23456789a23456789a23456789a2345678",
	};
	size_t i;

	for (i = 0; i < sizeof(refused) / sizeof(*refused); i++)
		if (!tap_ok(resolved(refused[i].peers) && strstr(error.text, refused[i].message),
			    "refused: %s", refused[i].peers))
			tap_remark("%s", error.text);
	for (i = 0; i < sizeof(unread) / sizeof(*unread); i++)
		if (!tap_ok(read_peers(unread[i]) && strstr(error.text, "nor a host name"),
			    "no host name: %s", unread[i]))
			tap_remark("%s", error.text);
	tap_ok(read_peers("web1/a web1/b") && strstr(error.text, "same address as another"),
	       "refused: one name twice");
	tap_ok(read_peers("web1 10.0.0.1 fd00::1") && strstr(error.text, "address family"),
	       "refused: addresses of two families among names");
}

/* The system's resolver: a name that does not exist, and one that cannot be resolved now, are different results. */
static void system_resolver(void)
{
	union conf_address address;
	const char *why = NULL;

	tap_ok(conf_lookup("localhost", AF_INET, &address, &why) == CONF_LOOKUP_FOUND &&
	       address.in.sin_addr.s_addr == htonl(INADDR_LOOPBACK), "the system knows localhost");
	tap_ok(conf_lookup("nobody.invalid", AF_INET, &address, &why) != CONF_LOOKUP_FOUND && why && *why,
	       "and not nobody.invalid: %s", why);
}

static void kept(void)
{
	struct huygens_conf was;

	resolved("10.0.0.9 web1 web3");
	was = conf;
	conf = (struct huygens_conf){ 0 };
	read_peers("10.0.0.9 web1 web3");
	conf_keep_resolved(&conf, &was);
	tap_ok(is(1, "10.0.0.1") && is(2, "10.0.0.3"), "a reload keeps the addresses of names");
	read_peers("10.0.0.9 web3 web1");
	conf_keep_resolved(&conf, &was);
	tap_ok(conf.peers[1].address.sa.sa_family == AF_UNSPEC, "but not those of a host that has another name now");
	conf_free(&was);
	conf_free(&conf);
}

int main(void)
{
	good();
	bad();
	system_resolver();
	kept();
	return tap_done();
}
