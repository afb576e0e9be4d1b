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
 * enum card_owner - whose clock the hardware's stamps of a device are
 * @CARD_OWN: the card's
 * @CARD_OTHER: another card's
 * @CARD_UNTOLD: a device that has no such stamps, so it is not meant: an index is
 *	that of the namespace in which the card is, as below a container's macvlan;
 *	or the kernel does not know the device, as with a driver without NAPI
 * @CARD_LATER: it was not there when the card was opened
 */
enum card_owner {
	CARD_OWN,
	CARD_OTHER,
	CARD_UNTOLD,
	CARD_LATER,
};

/**
 * struct card_port - a device that was there when the card was opened
 * @ifindex: its index
 * @owner: whose clock its stamps are
 */
struct card_port {
	unsigned int	ifindex;
	enum card_owner	owner;
};

/**
 * struct card - one
 * @fd: its clock, or -1
 * @ifindex: of the device
 * @link: name of the device
 * @n_ports: devices of this namespace
 * @ports: each, allocated; NULL: not known
 */
struct card {
	int			fd;
	int			ifindex;
	char			link[IF_NAMESIZE];
	size_t			n_ports;
	struct card_port	*ports;
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
 * card_owner() - whose clock a device's stamps are
 * @card: the card, as it was opened
 * @ifindex: the device's index, as the kernel tells it with a stamp; 0: it does not
 *
 * By another port, or after a failover, packets go through another card.
 *
 * Return: whose.
 */
enum card_owner card_owner(const struct card *card, unsigned int ifindex);

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
