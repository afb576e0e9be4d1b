// SPDX-License-Identifier: GPL-2.0
/*
 * One list of members.
 */
#include <stdlib.h>
#include <string.h>

#include "member_list.h"

/* FNV-1a, of numbers. */
#define MEMBER_LIST_BASIS	2166136261u
#define MEMBER_LIST_PRIME	16777619u

static uint32_t member_list_hash(uint32_t hash, uint64_t value)
{
	int i;

	for (i = 0; i < 8; i++, value >>= 8)
		hash = (hash ^ (value & 0xff)) * MEMBER_LIST_PRIME;
	return hash;
}

static uint32_t member_list_checksum(const struct member_list *list)
{
	uint32_t hash = MEMBER_LIST_BASIS, i;

	hash = member_list_hash(hash, list->degree);
	hash = member_list_hash(hash, list->seed);
	for (i = 0; i < list->hosts; i++)
		hash = member_list_hash(hash, list->host[i].id);
	for (i = 0; i < list->candidates; i++)
		hash = member_list_hash(hash, list->candidate[i]);
	return hash;
}

bool member_list_is_candidate(const struct huygens_conf *conf, size_t index)
{
	size_t i;

	for (i = 0; i < conf->n_candidates; i++)
		if (conf->candidates[i] == conf->peers[index].id)
			return true;
	return !conf->n_candidates && index < ELECTION_CANDIDATES;
}

int member_list_make(struct member_list *list, const struct huygens_conf *conf)
{
	size_t i;

	*list = (struct member_list){ .degree = conf->degree, .seed = conf->seed };
	list->host = calloc(conf->n_peers, sizeof(*list->host));
	if (!list->host)
		return -1;
	list->hosts = conf->n_peers;
	memcpy(list->host, conf->peers, conf->n_peers * sizeof(*list->host));
	for (i = 0; i < conf->n_peers; i++)
		if (member_list_is_candidate(conf, i))
			list->candidate[list->candidates++] = conf->peers[i].id;
	list->checksum = member_list_checksum(list);
	return 0;
}

static int member_list_by_id(const void *key, const void *element)
{
	const struct conf_peer *peer = element;
	const uint32_t *id = key;

	return *id < peer->id ? -1 : *id > peer->id;
}

const struct conf_peer *member_list_find(const struct member_list *list, uint32_t id)
{
	if (!list->hosts)
		return NULL;
	return bsearch(&id, list->host, list->hosts, sizeof(*list->host), member_list_by_id);
}

bool member_list_may_lead(const struct member_list *list, uint32_t id)
{
	uint32_t i;

	for (i = 0; i < list->candidates; i++)
		if (list->candidate[i] == id)
			return true;
	return false;
}

uint32_t member_list_digest(const struct member_list *list, const struct auth_keys *keys)
{
	uint32_t hash = member_list_hash(MEMBER_LIST_BASIS, list->checksum);
	unsigned int i;

	for (i = 0; i < keys->count; i++)
		hash = member_list_hash(hash, keys->id[i]);
	return hash;
}

bool member_list_is_same(const struct member_list *a, const struct member_list *b)
{
	uint32_t i;

	if (a->hosts != b->hosts || a->checksum != b->checksum)
		return false;
	for (i = 0; i < a->hosts; i++)
		if (a->host[i].id != b->host[i].id ||
		    memcmp(&a->host[i].address, &b->host[i].address,
			   sizeof(a->host[i].address)) ||
		    strcmp(a->host[i].name, b->host[i].name))
			return false;
	return true;
}

void member_list_free(struct member_list *list)
{
	free(list->host);
	*list = (struct member_list){ 0 };
}
