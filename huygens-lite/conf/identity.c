// SPDX-License-Identifier: GPL-2.0
/*
 * The peer that this host is, and the changes that a running daemon accepts.
 */
#include <arpa/inet.h>
#include <ifaddrs.h>
#include <stdlib.h>
#include <string.h>

#include "conf.h"
#include "key.h"

static int identity_same(const union conf_address *a, const union conf_address *b)
{
	if (a->sa.sa_family != b->sa.sa_family)
		return 0;
	if (a->sa.sa_family == AF_INET)
		return a->in.sin_addr.s_addr == b->in.sin_addr.s_addr;
	return !memcmp(&a->in6.sin6_addr, &b->in6.sin6_addr,
		       sizeof(a->in6.sin6_addr));
}

static int identity_is_local(const struct conf_peer *peer,
			     const union conf_address *local, size_t n_local)
{
	size_t i;

	for (i = 0; i < n_local; i++)
		if (identity_same(&peer->address, &local[i]))
			return 1;
	return 0;
}

int conf_identify(struct huygens_conf *conf, const union conf_address *local,
		  size_t n_local, struct conf_error *error)
{
	const struct conf_peer *found = conf->id ? conf_find(conf, conf->id) : NULL;
	size_t i;

	for (i = 0; !conf->id && i < conf->n_peers; i++) {
		const struct conf_peer *peer = &conf->peers[i];

		if (!identity_is_local(peer, local, n_local))
			continue;
		if (found)
			return conf_refuse(error, "[mesh] peers", 0,
					   "this host has the addresses of both %s and %s: set [node] id",
					   found->name, peer->name);
		found = peer;
	}
	if (!found)
		return conf_refuse(error, "[mesh] peers", 0,
				   "no peer has an address of this host: add one, or set [node] id");
	conf->self = found - conf->peers;
	return 0;
}

size_t conf_local(union conf_address **local)
{
	struct ifaddrs *all = NULL, *at;
	size_t n = 0;

	*local = NULL;
	if (getifaddrs(&all))
		return 0;
	for (at = all; at; at = at->ifa_next)
		n++;
	*local = n ? calloc(n, sizeof(**local)) : NULL;
	n = 0;
	for (at = *local ? all : NULL; at; at = at->ifa_next) {
		int family = at->ifa_addr ? at->ifa_addr->sa_family : AF_UNSPEC;

		if (family == AF_INET)
			memcpy(&(*local)[n++], at->ifa_addr, sizeof((*local)->in));
		else if (family == AF_INET6)
			memcpy(&(*local)[n++], at->ifa_addr, sizeof((*local)->in6));
	}
	freeifaddrs(all);
	return n;
}

/* This process may look up no names: they take seconds, and files that are closed to it. */
static int identity_resolved(const struct huygens_conf *next, const char *path,
			     struct conf_error *error)
{
	size_t i;

	for (i = 0; i < next->n_peers; i++)
		if (next->peers[i].address.sa.sa_family == AF_UNSPEC)
			return conf_refuse(error, path, next->peers_line,
					   "[mesh] peers: host name \"%s\" is new, and names are looked up at start only: give an address, ADDRESS/NAME",
					   next->peers[i].host);
	return 0;
}

static int identity_may_follow(const struct huygens_conf *was,
			       const struct huygens_conf *next, const char *path,
			       struct conf_error *error)
{
	const struct conf_key *key = conf_table_restart(&huygens_table, was, next);
	const struct conf_peer *old = &was->peers[was->self], *self = &next->peers[next->self];

	if (key)
		return conf_refuse(error, path, 0,
				   "[%s] %s: a change needs a restart",
				   key->section, key->name);
	if (old->id != self->id || !identity_same(&old->address, &self->address))
		return conf_refuse(error, path, next->peers_line,
				   "[mesh] peers: this host would have another id or address: a change needs a restart");
	return 0;
}

int conf_reload(struct huygens_conf *next, const struct huygens_conf *was, const char *path,
		const union conf_address *local, size_t n_local, struct conf_error *error)
{
	if (conf_read(next, path, error))
		return -1;
	conf_keep_resolved(next, was);
	return identity_resolved(next, path, error) ||
	       conf_identify(next, local, n_local, error) ||
	       identity_may_follow(was, next, path, error) ? -1 : 0;
}
