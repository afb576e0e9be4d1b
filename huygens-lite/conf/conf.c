// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration: from a file to a struct, whole or not at all.
 */
#include <stdlib.h>
#include <string.h>

#include "check.h"
#include "key.h"

/* Values are good, each by itself. */
static int conf_finish(struct huygens_conf *conf, const char *path, const int *lines,
		       struct conf_error *error)
{
	size_t i;

	_Static_assert(offsetof(struct sockaddr_in, sin_port) ==
		       offsetof(struct sockaddr_in6, sin6_port),
		       "a port is at the same place in both");
	conf->peers_line = conf_table_line(&huygens_table, lines, "mesh", "peers");
	if (check(conf, path, lines, error))
		return -1;
	for (i = 0; i < conf->n_peers; i++)
		/* The port is at the same place in both. */
		conf->peers[i].address.in.sin_port = htons(conf->port);
	return 0;
}

int conf_parse(struct huygens_conf *conf, const char *path, const char *text,
	       size_t len, struct conf_error *error)
{
	int lines[KEYS_MAX];

	memset(conf, 0, sizeof(*conf));
	return conf_table_parse(&huygens_table, conf, path, text, len, lines, error) ||
	       conf_finish(conf, path, lines, error) ? -1 : 0;
}

int conf_read(struct huygens_conf *conf, const char *path,
	      struct conf_error *error)
{
	int lines[KEYS_MAX];

	memset(conf, 0, sizeof(*conf));
	return conf_table_read(&huygens_table, conf, path, lines, error) ||
	       conf_finish(conf, path, lines, error) ? -1 : 0;
}

const struct conf_peer *conf_find(const struct huygens_conf *conf, uint32_t id)
{
	size_t low = 0, high = conf->n_peers;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (conf->peers[middle].id < id)
			low = middle + 1;
		else
			high = middle;
	}
	return low < conf->n_peers && conf->peers[low].id == id ?
	       &conf->peers[low] : NULL;
}

bool conf_takes_time(const struct huygens_conf *conf)
{
	return conf->reference == CONF_REFERENCE_UTC || conf->reference == CONF_REFERENCE_UPPER;
}

bool conf_has_utc(const struct huygens_conf *conf)
{
	uint32_t id = conf->peers[conf->self].id;
	size_t i;

	if (!conf_takes_time(conf))
		return false;
	for (i = 0; i < conf->n_utc_hosts; i++)
		if (conf->utc_hosts[i] == id)
			return true;
	return !conf->n_utc_hosts && (*conf->phc || *conf->upper_line);
}

bool conf_is_reference(const struct huygens_conf *conf)
{
	return conf->reference == CONF_REFERENCE_UTC && conf_has_utc(conf) && !*conf->phc;
}

bool conf_is_follower(const struct huygens_conf *conf)
{
	return (conf->mode == CONF_MODE_STEER || conf->mode == CONF_MODE_SOCK) &&
	       !conf_is_reference(conf);
}

void conf_free(struct huygens_conf *conf)
{
	free(conf->peers);
	free(conf->candidates);
	free(conf->utc_hosts);
	free(conf->asymmetries);
	memset(conf, 0, sizeof(*conf));
}

void conf_help(FILE *out)
{
	conf_table_print(&huygens_table, out);
}
