/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Hosts of the traffic, and lists of them
 */
#ifndef FLOWGEN_HOST_H
#define FLOWGEN_HOST_H

#include "traffic.h"

/**
 * name_is_valid() - check the name of a host or group
 * @name: name, which goes into CSV and JSON as it is
 *
 * Return: true if it has 1 to NAME_MAX_LEN letters, digits, '_', '.' and '-', and begins
 * with a letter, a digit or '_'.
 */
bool name_is_valid(const char *name);

/**
 * name_refuse() - print that a name is not valid
 * @at: place, for the message
 * @what: kind of the name, for the message
 * @name: name
 *
 * Return: always -1.
 */
int name_refuse(const struct place *at, const char *what, const char *name);

/**
 * host_parse() - add a host
 * @t: traffic
 * @at: place, for messages
 * @text: "NAME addr=ADDRESS [sink=ADDRESS] [netns=NAME]", changed
 * @port: port of an address without a port
 *
 * Return: 0, or -1 after a message.
 */
int host_parse(struct traffic *t, const struct place *at, char *text, unsigned int port);

/**
 * hosts_are_remote() - check whether the senders are on other machines
 * @t: traffic
 *
 * Return: true with --to.
 */
bool hosts_are_remote(const struct traffic *t);

/**
 * hosts_all() - add all hosts to a list
 * @t: traffic
 * @at: place, for messages
 * @key: key of the list, for messages
 * @list: list
 * @remote: add the remote hosts only, or the local ones only
 *
 * Return: 0, or -1 after a message.
 */
int hosts_all(struct traffic *t, const struct place *at, const char *key,
	      struct host_list *list, bool remote);

/**
 * hosts_parse() - read a list of hosts
 * @t: traffic
 * @at: place, for messages
 * @key: key of the list, for messages; the list of "senders" has remote hosts with --to
 * @text: "NAME,NAME,..." or "all", changed
 * @list: list
 *
 * Return: 0, or -1 after a message.
 */
int hosts_parse(struct traffic *t, const struct place *at, const char *key,
		char *text, struct host_list *list);

#endif
