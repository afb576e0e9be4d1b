// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration: from a file to a struct, whole or not at all.
 */
#include <string.h>

#include "check.h"
#include "key.h"

int conf_parse(struct acc_conf *conf, const char *path, const char *text, size_t len,
	       struct conf_error *error)
{
	int lines[KEYS_MAX];

	memset(conf, 0, sizeof(*conf));
	return conf_table_parse(&acc_table, conf, path, text, len, lines, error) ||
	       check(conf, path, lines, error) ? -1 : 0;
}

static int conf_load(struct acc_conf *conf, const char *path, int *lines, struct conf_error *error)
{
	memset(conf, 0, sizeof(*conf));
	return conf_table_read(&acc_table, conf, path, lines, error) ||
	       check(conf, path, lines, error) ? -1 : 0;
}

int conf_read(struct acc_conf *conf, const char *path, struct conf_error *error)
{
	int lines[KEYS_MAX];

	return conf_load(conf, path, lines, error);
}

int conf_reload(struct acc_conf *next, const struct acc_conf *was, const char *path,
		struct conf_error *error)
{
	const struct conf_key *key;
	int lines[KEYS_MAX];

	if (conf_load(next, path, lines, error))
		return -1;
	key = conf_table_restart(&acc_table, was, next);
	if (!key)
		return 0;
	return conf_refuse(error, path, lines[key - acc_table.keys],
			   "[%s] %s: another value needs a restart", key->section, key->name);
}

void conf_help(FILE *out)
{
	conf_table_print(&acc_table, out);
}

bool conf_is_named(const struct conf_queue *item, const char *name, const char *alternatives)
{
	if (!*item->dev || !strcmp(item->dev, name))
		return true;
	for (; alternatives && *alternatives; alternatives += strlen(alternatives) + 1)
		if (!strcmp(item->dev, alternatives))
			return true;
	return false;
}

uint64_t conf_rate_bps(const struct acc_conf *conf, const char *name, const char *alternatives,
		       uint32_t handle)
{
	uint64_t bps = 0;
	size_t i;

	for (i = 0; i < conf->n_rates; i++) {
		const struct conf_rate *rate = &conf->rates[i];

		if (!conf_is_named(&rate->queue, name, alternatives))
			continue;
		if (rate->queue.handle == handle)
			return rate->bps;
		if (rate->queue.handle == CONF_ANY_HANDLE)
			bps = rate->bps;
	}
	return bps;
}
