// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts of the traffic, and lists of them
 */
#include <stdlib.h>
#include <string.h>

#include "host.h"

bool name_is_valid(const char *name)
{
	static const char allowed[] =
		"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_.-";
	size_t len = strspn(name, allowed);

	return len && !name[len] && len <= NAME_MAX_LEN && name[0] != '.' && name[0] != '-';
}

int name_refuse(const struct place *at, const char *what, const char *name)
{
	return complain(at, "%s '%s': a name has 1 to %d letters, digits, '_', '.', '-'",
			what, name, NAME_MAX_LEN);
}

static struct host *find_host(struct traffic *t, const char *name)
{
	u32 i;

	for (i = 0; i < t->hosts; i++)
		if (!strcmp(t->host[i].name, name))
			return &t->host[i];
	return NULL;
}

static struct host *new_host(struct traffic *t, const struct place *at, const char *name)
{
	struct host *grown;

	if (!name_is_valid(name) || !strcmp(name, "all")) {
		name_refuse(at, "host", name);
		return NULL;
	}
	if (find_host(t, name)) {
		complain(at, "host '%s' is given twice", name);
		return NULL;
	}
	if (t->hosts == HOSTS_MAX) {
		complain(at, "more than %d hosts", HOSTS_MAX);
		return NULL;
	}
	grown = realloc(t->host, (t->hosts + 1) * sizeof(*grown));
	if (!grown) {
		complain(at, "out of memory");
		return NULL;
	}
	t->host = grown;
	grown += t->hosts++;
	memset(grown, 0, sizeof(*grown));
	memcpy(grown->name, name, strlen(name) + 1);
	memcpy(grown->netns, name, strlen(name) + 1);
	return grown;
}

int traffic_add_remote(struct traffic *t, const char *to)
{
	struct host *host;
	char name[16];

	if (!t->hosts && !new_host(t, NULL, "here"))
		return -1;
	snprintf(name, sizeof(name), "to%u", t->hosts);
	host = new_host(t, NULL, name);
	if (!host)
		return -1;
	host->remote = true;
	return parse_address(NULL, "--to", to, 0, &host->address);
}

int host_parse(struct traffic *t, const struct place *at, char *text, unsigned int port)
{
	char *token, *save = NULL, *name = strtok_r(text, " \t", &save);
	bool have_addr = false, have_sink = false, have_netns = false;
	struct host *host;

	if (!name)
		return complain(at, "host: the name is missing");
	host = new_host(t, at, name);
	if (!host)
		return -1;
	while ((token = strtok_r(NULL, " \t", &save))) {
		if (!strncmp(token, "addr=", 5) && !have_addr) {
			have_addr = true;
			if (parse_address(at, "addr", token + 5, port, &host->address))
				return -1;
		} else if (!strncmp(token, "sink=", 5) && !have_sink) {
			have_sink = true;
			if (parse_address(at, "sink", token + 5, port, &host->sink))
				return -1;
		} else if (!strncmp(token, "netns=", 6) && !have_netns) {
			have_netns = true;
			if (!name_is_valid(token + 6))
				return name_refuse(at, "netns", token + 6);
			memcpy(host->netns, token + 6, strlen(token + 6) + 1);
		} else {
			return complain(at,
					"host '%s': '%s' is not addr=, sink= or netns=, or is given twice",
					name, token);
		}
	}
	if (!have_addr)
		return complain(at, "host '%s': addr= is missing", name);
	if (!have_sink)
		host->sink = host->address;
	if (host->sink.ss_family != host->address.ss_family)
		return complain(at, "host '%s': sink= and addr= are of different address families",
				name);
	return 0;
}

static int list_append(struct host_list *list, const struct place *at, const char *key,
		       u32 index)
{
	u32 *grown;
	u32 i;

	for (i = 0; i < list->n; i++)
		if (list->index[i] == index)
			return complain(at, "%s: a host is given twice", key);
	grown = realloc(list->index, (list->n + 1) * sizeof(*grown));
	if (!grown)
		return complain(at, "out of memory");
	list->index = grown;
	grown[list->n++] = index;
	return 0;
}

int hosts_all(struct traffic *t, const struct place *at, const char *key,
	      struct host_list *list, bool remote)
{
	u32 i;

	for (i = 0; i < t->hosts; i++)
		if (t->host[i].remote == remote && list_append(list, at, key, i))
			return -1;
	return 0;
}

bool hosts_are_remote(const struct traffic *t)
{
	return t->hosts > 1 && t->host[1].remote;
}

int hosts_parse(struct traffic *t, const struct place *at, const char *key,
		char *text, struct host_list *list)
{
	bool remote = hosts_are_remote(t) && !strcmp(key, "senders");
	struct host *host;
	char *name;

	if (!strcmp(text, "all"))
		return hosts_all(t, at, key, list, remote);
	while ((name = strsep(&text, ","))) {
		host = find_host(t, name);
		if (!host)
			return complain(at, "%s: there is no host '%s' above this line", key, name);
		if (host->remote != remote)
			return complain(at,
					"%s: senders are to1, to2, ... and the receiver is here",
					key);
		if (list_append(list, at, key, host - t->host))
			return -1;
	}
	return 0;
}
