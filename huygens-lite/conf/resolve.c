// SPDX-License-Identifier: GPL-2.0
/*
 * Host names in the list of peers: to addresses, once, as a daemon starts.
 */
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "key.h"
#include "list.h"

int conf_lookup(const char *host, sa_family_t family, union conf_address *address,
		const char **why)
{
	const struct addrinfo hints = { .ai_family = family, .ai_socktype = SOCK_DGRAM };
	struct addrinfo *found = NULL;
	int error = getaddrinfo(host, NULL, &hints, &found);

	if (error) {
		*why = gai_strerror(error);
		return error == EAI_NONAME || error == EAI_NODATA || error == EAI_ADDRFAMILY ?
		       CONF_LOOKUP_NONE : CONF_LOOKUP_FAILED;
	}
	memset(address, 0, sizeof(*address));
	memcpy(address, found->ai_addr, family == AF_INET ? sizeof(address->in) :
							   sizeof(address->in6));
	freeaddrinfo(found);
	return CONF_LOOKUP_FOUND;
}

/* The family of the addresses that are written as such; AF_UNSPEC: all are names. */
static sa_family_t resolve_family(const struct huygens_conf *conf)
{
	size_t i;

	for (i = 0; i < conf->n_peers; i++)
		if (!*conf->peers[i].host)
			return conf->peers[i].address.sa.sa_family;
	return AF_UNSPEC;
}

/* A host that is not known differs from a server that does not answer: one is the file's fault. */
static int resolve_refuse(const struct conf_peer *peer, sa_family_t family, int result,
			  const char *why, struct conf_error *error)
{
	const char *kind = family == AF_INET ? "IPv4" : "IPv6";

	if (result == CONF_LOOKUP_NONE)
		return conf_refuse(error, "[mesh] peers", 0,
				   "host name \"%s\" has no %s address: %s", peer->host, kind, why);
	return conf_refuse(error, "[mesh] peers", 0,
			   "host name \"%s\" could not be looked up, which says nothing of the name: %s",
			   peer->host, why);
}

/* Return: as the lookup that went worst. */
static int resolve_as(struct huygens_conf *conf, sa_family_t family, conf_lookup_fn lookup,
		      struct conf_error *error)
{
	union conf_address address;
	const char *bad, *why = "";
	int result;
	size_t i;

	for (i = 0; i < conf->n_peers; i++) {
		struct conf_peer *peer = &conf->peers[i];

		if (!*peer->host)
			continue;
		result = lookup(peer->host, family, &address, &why);
		if (result != CONF_LOOKUP_FOUND) {
			resolve_refuse(peer, family, result, why, error);
			return result;
		}
		bad = list_bad_address(&address);
		if (bad) {
			conf_refuse(error, "[mesh] peers", 0, "host name \"%s\": its address %s",
				    peer->host, bad);
			return CONF_LOOKUP_FAILED;
		}
		/* The port is at the same place in both. */
		address.in.sin_port = htons(conf->port);
		peer->address = address;
	}
	return CONF_LOOKUP_FOUND;
}

/* Two hosts may have been given the same address by two names. */
static int resolve_twins(const struct huygens_conf *conf, struct conf_error *error)
{
	size_t i, j;

	for (i = 0; i < conf->n_peers; i++) {
		const struct conf_peer *one = &conf->peers[i];

		for (j = 0; *one->host && j < conf->n_peers; j++)
			if (i != j && !memcmp(&one->address, &conf->peers[j].address,
					      sizeof(one->address)))
				return conf_refuse(error, "[mesh] peers", 0,
						   "host name \"%s\" has the same address as %s",
						   one->host, conf->peers[j].name);
	}
	return 0;
}

int conf_resolve(struct huygens_conf *conf, conf_lookup_fn lookup, struct conf_error *error)
{
	sa_family_t family = resolve_family(conf);
	int result;

	if (family != AF_UNSPEC) {
		result = resolve_as(conf, family, lookup, error);
	} else {
		result = resolve_as(conf, AF_INET, lookup, error);
		/* Not all have IPv4; perhaps all have IPv6. */
		if (result == CONF_LOOKUP_NONE)
			result = resolve_as(conf, AF_INET6, lookup, error);
	}
	return result == CONF_LOOKUP_FOUND ? resolve_twins(conf, error) : -1;
}

void conf_keep_resolved(struct huygens_conf *conf, const struct huygens_conf *was)
{
	size_t i;

	for (i = 0; i < conf->n_peers; i++) {
		struct conf_peer *peer = &conf->peers[i];
		const struct conf_peer *before = conf_find(was, peer->id);

		if (*peer->host && before && !strcmp(peer->host, before->host))
			peer->address = before->address;
	}
}
