/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network namespace to be maltreated, with four devices:
 *
 *   dummy            a qdisc at its root
 *   dummy [prio]     qdiscs in its classes
 *   labnic == labnic 1 Mbit/s, so that packets wait, with a hardware clock
 */
#ifndef FUZZ_WORLD_H
#define FUZZ_WORLD_H

#include "input.h"

/**
 * enum world_door - what a socket speaks
 * @DOOR_ROUTE: rtnetlink
 * @DOOR_GENERIC: generic netlink
 */
enum world_door {
	DOOR_ROUTE,
	DOOR_GENERIC,
	DOORS,
};

/**
 * struct world - a namespace
 * @namespace: a file that is it
 * @own: by which its devices come and go: where inputs are sent, answers may wait that nobody heard
 * @sockets: to the kernel
 * @packets: for packets
 * @sent: how many were
 */
struct world {
	int namespace;
	int own;
	int sockets[DOORS][SPEAKERS];
	int packets;
	uint32_t sent;
};

void world_begin(struct world *world);
void world_end(struct world *world);
bool world_gone(void);
void world_say(const struct world *world, enum world_door door, enum input_speaker speaker,
	       const void *message, size_t bytes);
void world_reopen(struct world *world, enum world_door door, enum input_speaker speaker);
void world_replug(struct world *world, int ifindex);
void world_packet(struct world *world, int ifindex);
uint16_t world_family(const struct world *world);

#endif /* FUZZ_WORLD_H */
