// SPDX-License-Identifier: GPL-2.0
/*
 * A configuration of any bytes: what is accepted keeps the ranges of its table,
 * what is refused says why in a message that can be printed.  Anything else aborts.
 */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../../huygens-lite/conf/conf.h"
#include "../../huygens-lite/conf/key.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(int good)
{
	if (!good)
		abort();
}

static void look_number(const struct huygens_conf *conf, const struct conf_key *key)
{
	int64_t value = *(const int64_t *)((const char *)conf + key->offset);

	require((!value && key->zero) || (value >= key->least && value <= key->most));
}

static void look_text(const struct huygens_conf *conf, const struct conf_key *key)
{
	const char *text = (const char *)conf + key->offset;

	require((int64_t)strlen(text) <= key->most);
	require(*text ? key->kind == CONF_KEY_NAME || *text == '/' : key->zero != NULL);
}

/* A host name has no address until it is looked up; all others have one, of one family. */
static void look_peers(const struct huygens_conf *conf)
{
	sa_family_t family = AF_UNSPEC;
	size_t i;

	require(conf->n_peers >= 2 && conf->n_peers <= CONF_PEERS_MAX);
	for (i = 0; i < conf->n_peers; i++) {
		const struct conf_peer *peer = &conf->peers[i];

		require(peer->id >= 1 && peer->id <= CONF_ID_MAX && *peer->name);
		require(!i || peer->id > conf->peers[i - 1].id);
		require(!*peer->host == (peer->address.sa.sa_family != AF_UNSPEC));
		require(*peer->host || family == AF_UNSPEC || peer->address.sa.sa_family == family);
		if (!*peer->host)
			family = peer->address.sa.sa_family;
		require(ntohs(peer->address.in.sin_port) == conf->port);
		require(conf_find(conf, peer->id) == peer);
	}
}

/* Named once each, and what a device's stamps are off by is within 1 ms. */
static void look_links(const struct huygens_conf *conf)
{
	size_t i, j;

	require(conf->n_links <= CONF_LINKS_MAX);
	for (i = 0; i < conf->n_links; i++) {
		const struct conf_link *link = &conf->links[i];

		require(*link->name && strlen(link->name) < DEVICE_NAME_MAX && !strchr(link->name, '/'));
		require(llabs(link->tx_comp_ns) <= 1000000 && llabs(link->rx_comp_ns) <= 1000000);
		require(link->has_comp || (!link->tx_comp_ns && !link->rx_comp_ns));
		for (j = 0; j < i; j++)
			require(strcmp(link->name, conf->links[j].name));
	}
}

static void look_ids(const struct huygens_conf *conf)
{
	size_t i;

	for (i = 0; i < conf->n_candidates; i++)
		require(conf_find(conf, conf->candidates[i]) != NULL);
	for (i = 0; i < conf->n_asymmetries; i++)
		require(conf_find(conf, conf->asymmetries[i].from) &&
			conf_find(conf, conf->asymmetries[i].to) &&
			conf->asymmetries[i].from != conf->asymmetries[i].to);
	require(!conf->id || conf_find(conf, conf->id));
	require(conf->reference != CONF_REFERENCE_HOST ||
		conf_find(conf, conf->reference_id));
	require(!conf->n_utc_hosts || conf_takes_time(conf));
	for (i = 0; i < conf->n_utc_hosts; i++)
		require(conf_find(conf, conf->utc_hosts[i]) &&
			(!i || conf->utc_hosts[i - 1] < conf->utc_hosts[i]));
	require(!*conf->phc || (conf->reference == CONF_REFERENCE_UTC && conf->utc_error_ns));
	require(!*conf->upper_line || (conf->reference == CONF_REFERENCE_UPPER && !conf->utc_error_ns));
	require(conf->compare == CONF_COMPARE_MESH || conf->reference == CONF_REFERENCE_UPPER);
}

static void look(const struct huygens_conf *conf)
{
	size_t i;

	for (i = 0; i < huygens_table.n; i++) {
		const struct conf_key *key = &huygens_table.keys[i];

		if (key->kind <= CONF_KEY_PPB)
			look_number(conf, key);
		else if (key->kind == CONF_KEY_NAME || key->kind == CONF_KEY_PATH)
			look_text(conf, key);
	}
	look_peers(conf);
	look_links(conf);
	look_ids(conf);
}

static void look_refusal(const struct conf_error *error)
{
	const char *at = error->text;

	require(!strncmp(at, "f:", 2) && at[2]);
	for (; *at; at++)
		require(isprint((unsigned char)*at) || (unsigned char)*at >= 0x80 ||
			strchr("\t\r\n", *at));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	union conf_address local = { .in = { .sin_family = AF_INET, .sin_addr = { 0x0100000a } } };
	struct conf_error error = { "" };
	struct huygens_conf conf;

	if (conf_parse(&conf, "f", (const char *)data, size, &error)) {
		look_refusal(&error);
	} else {
		look(&conf);
		if (!conf_identify(&conf, &local, 1, &error))
			require(conf.self < conf.n_peers);
	}
	conf_free(&conf);
	return 0;
}
