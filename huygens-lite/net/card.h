/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A network card that stamps packets, and its clock.
 */
#ifndef HUYGENS_CARD_H
#define HUYGENS_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../conf/conf.h"

/**
 * struct card - one
 * @fd: its clock, or -1
 * @ifindex: of the device
 * @link: name of the device
 */
struct card {
	int	fd;
	int	ifindex;
	char	link[IF_NAMESIZE];
};

/**
 * card_find() - the device that has an address
 * @address: this host's; the port does not count
 * @link: filled
 *
 * Return: 0, or -1 if none has.
 */
int card_find(const union conf_address *address, char link[IF_NAMESIZE]);

/**
 * card_is_vrf() - is a device a VRF, that is a routing table of its own?
 * @link: name of the device
 *
 * Return: true if it is.
 */
bool card_is_vrf(const char *link);

/**
 * card_open() - have a device stamp all packets, and open its clock
 * @card: filled
 * @link: name of the device
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Context: CAP_NET_ADMIN, unless the device is set so already.
 * Return: 0, or -1 if the card does not stamp, or not for us.
 */
int card_open(struct card *card, const char *link, char *why, size_t size);

/**
 * card_look() - what the card's clock shows, and the system's
 * @card: the card
 * @card_ns: filled
 * @real_ns: filled: CLOCK_REALTIME at that time
 *
 * Return: by how much that can be wrong, ns, or -1 with errno.
 */
int64_t card_look(const struct card *card, int64_t *card_ns, int64_t *real_ns);

/**
 * card_close() - close; the device goes on stamping
 * @card: the card
 */
void card_close(struct card *card);

#endif /* HUYGENS_CARD_H */
