/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Groups of flows
 */
#ifndef FLOWGEN_GROUP_H
#define FLOWGEN_GROUP_H

#include "traffic.h"

/**
 * group_parse() - add a group
 * @t: traffic, with the hosts that the group names
 * @at: place, for messages
 * @text: "NAME KEY=VALUE ...", changed
 *
 * Return: 0, or -1 after a message.
 */
int group_parse(struct traffic *t, const struct place *at, char *text);

#endif
