/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC that stamps packets, and its clock.
 */
#ifndef HUYGENS_NIC_H
#define HUYGENS_NIC_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../conf/conf.h"
#include "phc.h"

/**
 * enum nic_owner - whose clock the hardware's stamps of a device are
 * @NIC_OWN: the NIC's
 * @NIC_OTHER: another NIC's
 * @NIC_UNTOLD: a device that has no such stamps, so it is not meant: an index is
 *	that of the namespace in which the NIC is, as below a container's macvlan;
 *	or the kernel does not know the device, as with a driver without NAPI
 * @NIC_LATER: it was not there when the NIC was opened
 */
enum nic_owner {
	NIC_OWN,
	NIC_OTHER,
	NIC_UNTOLD,
	NIC_LATER,
};

/**
 * enum nic_use - which stamps of a NIC are used
 * @NIC_BOTH: of packets that are sent, and that come
 * @NIC_RECEIVED: of packets that come; its driver may have no others, as Google's gve
 */
enum nic_use {
	NIC_BOTH,
	NIC_RECEIVED,
};

/**
 * struct nic_port - a device that was there when the NIC was opened
 * @ifindex: its index
 * @owner: whose clock its stamps are
 */
struct nic_port {
	unsigned int	ifindex;
	enum nic_owner	owner;
};

/**
 * struct nic - one
 * @phc: its clock
 * @use: which stamps are used
 * @ifindex: of the device
 * @link: name of the device
 * @n_ports: devices of this namespace
 * @ports: each, allocated; NULL: not known
 */
struct nic {
	struct phc	phc;
	enum nic_use	use;
	int		ifindex;
	char		link[IF_NAMESIZE];
	size_t		n_ports;
	struct nic_port	*ports;
};

/**
 * nic_find() - the device that has an address
 * @address: this host's; the port does not count
 * @link: filled
 *
 * Return: 0, or -1 if none has.
 */
int nic_find(const union conf_address *address, char link[IF_NAMESIZE]);

/**
 * nic_is_vrf() - is a device a VRF, that is a routing table of its own?
 * @link: name of the device
 *
 * Return: true if it is.
 */
bool nic_is_vrf(const char *link);

/**
 * nic_open() - have a device stamp all packets, and open its clock
 * @nic: filled
 * @link: name of the device
 * @use: which stamps are used; with NIC_RECEIVED it goes on to stamp what is sent, or not,
 *	as it is configured
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Context: CAP_NET_ADMIN, unless the device is set so already.
 * Return: 0, or -1 if the NIC does not stamp, or not for us.
 */
int nic_open(struct nic *nic, const char *link, enum nic_use use, char *why, size_t size);

/**
 * nic_owner() - find the device whose clock stamps a device's packets
 * @nic: the NIC, as it was opened
 * @ifindex: the device's index, as the kernel tells it with a stamp; 0: it does not
 *
 * By another port, or after a failover, packets go through another NIC.
 *
 * Return: whose.
 */
enum nic_owner nic_owner(const struct nic *nic, unsigned int ifindex);

/**
 * nic_sample() - read the NIC's clock and the system's
 * @nic: the NIC
 * @nic_ns: filled
 * @real_ns: filled: CLOCK_REALTIME at that time
 *
 * Return: by how much that can be wrong, ns, or -1 with errno.
 */
int64_t nic_sample(struct nic *nic, int64_t *nic_ns, int64_t *real_ns);

/**
 * nic_close() - close; the device goes on stamping
 * @nic: the NIC
 */
void nic_close(struct nic *nic);

#endif /* HUYGENS_NIC_H */
