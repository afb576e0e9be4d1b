/* SPDX-License-Identifier: GPL-2.0 */
/*
 * One list of members: what all hosts of a mesh must have in common.  A reload brings another
 * one, and for some time both are used (change.h).
 */
#ifndef HUYGENS_MEMBER_LIST_H
#define HUYGENS_MEMBER_LIST_H

#include <stdbool.h>
#include <stdint.h>

#include "../algo/election.h"
#include "../conf/conf.h"
#include "auth.h"

/**
 * struct member_list - hosts, and what makes the graph of them
 * @hosts: how many; 0: there is no list
 * @host: copies of the configuration's peers, by ascending id
 * @degree: [mesh] degree
 * @seed: [mesh] seed
 * @candidates: how many
 * @candidate: ids that may coordinate, by ascending id
 * @checksum: equal where all of this is
 */
struct member_list {
	uint32_t		hosts;
	struct conf_peer	*host;
	int64_t			degree;
	int64_t			seed;
	uint32_t		candidates;
	uint32_t		candidate[ELECTION_CANDIDATES];
	uint32_t		checksum;
};

/**
 * member_list_is_candidate() - may a host of a configuration coordinate?
 * @conf: a configuration
 * @index: index of the host in @conf->peers
 *
 * Candidates are as configured, or all; of more than the election takes the lowest.
 *
 * Return: true if it may.
 */
bool member_list_is_candidate(const struct huygens_conf *conf, size_t index);

/**
 * member_list_make() - the list of a configuration
 * @list: filled; member_list_free() it
 * @conf: a configuration, which need not live as long
 *
 * Return: 0, or -1 without memory.
 */
int member_list_make(struct member_list *list, const struct huygens_conf *conf);

/**
 * member_list_find() - a host by id
 * @list: a list, or none
 * @id: any
 *
 * Return: the host, or NULL.
 */
const struct conf_peer *member_list_find(const struct member_list *list, uint32_t id);

/**
 * member_list_may_lead() - may a host coordinate?
 * @list: a list, or none
 * @id: any
 *
 * Return: true if it is a candidate.
 */
bool member_list_may_lead(const struct member_list *list, uint32_t id);

/**
 * member_list_digest() - what a host's files say
 * @list: of the configuration
 * @keys: of the file of keys
 *
 * Return: equal where the lists and the numbers of the keys are, in their order.
 */
uint32_t member_list_digest(const struct member_list *list, const struct auth_keys *keys);

/**
 * member_list_is_same() - are all hosts the same, by their names as well?
 * @a: a list
 * @b: another
 *
 * Return: true if they are, with all that makes the graph of them.
 */
bool member_list_is_same(const struct member_list *a, const struct member_list *b);

/**
 * member_list_free() - return its memory
 * @list: the list; none afterwards
 */
void member_list_free(struct member_list *list);

#endif /* HUYGENS_MEMBER_LIST_H */
