/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The UDP socket of the mesh, and the stamps of what goes through it.
 *
 * Software stamps are CLOCK_REALTIME, hardware stamps the clock of the NIC.
 * Tx stamps come back through the error queue, numbered by the kernel in the
 * order in which stamped datagrams were sent (SOF_TIMESTAMPING_OPT_ID).
 */
#ifndef HUYGENS_SOCKET_H
#define HUYGENS_SOCKET_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../conf/conf.h"
#include "nic.h"

/* More than any message, so that one that is too long is seen to be. */
#define SOCKET_BYTES	1500
/* Datagrams, or stamps, that are read at a time. */
#define SOCKET_BATCH	32
/* There is no stamp. */
#define SOCKET_NO_STAMP	INT64_MIN

/**
 * struct mesh_socket - the socket
 * @fd: file descriptor
 * @nic: whose stamps count, too; NULL: no NIC's do
 * @whole: what was sent comes back with its stamps
 * @foreign: device of the latest stamp that was another NIC's; 0: there was none
 * @queried: device of the latest stamp of this batch; 0: unknown
 * @refused: that device's clock is another than the NIC's
 * @key: number that the kernel gives the next stamped datagram
 * @vrf: in which the address is; empty: in none
 */
struct mesh_socket {
	int		fd;
	const struct nic *nic;
	bool		whole;
	unsigned int	foreign;
	unsigned int	queried;
	bool		refused;
	uint32_t	key;
	char		vrf[IF_NAMESIZE];
};

/**
 * struct socket_packet - a datagram that came
 * @from: its sender
 * @len: its length, SOCKET_BYTES if it was longer
 * @soft: software stamp, ns, or SOCKET_NO_STAMP
 * @hard: the NIC's stamp, ns, or SOCKET_NO_STAMP: another NIC's is none
 * @data: the datagram
 */
struct socket_packet {
	union conf_address	from;
	size_t			len;
	int64_t			soft;
	int64_t			hard;
	uint8_t			data[SOCKET_BYTES];
};

/**
 * struct socket_stamp - of a datagram that was sent
 * @key: its number
 * @soft: as above
 * @hard: as above; each comes in a message of its own
 */
struct socket_stamp {
	uint32_t	key;
	int64_t		soft;
	int64_t		hard;
};

/**
 * socket_open() - open and bind
 * @s: filled
 * @self: address and port of this host
 * @dscp: of what is sent
 * @nic: ask for stamps of the hardware, too, of which this NIC's count, as it is used;
 *	lives as long as the socket; NULL: do not
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * An address that the main routing table does not have is looked for in VRFs.
 *
 * Return: 0 or -1.
 */
int socket_open(struct mesh_socket *s, const union conf_address *self,
		unsigned int dscp, const struct nic *nic, char *why,
		size_t size);

/**
 * socket_send() - send a datagram
 * @s: the socket
 * @to: to whom
 * @data: the datagram
 * @len: its length
 *
 * Return: 0 or -1 with errno.
 */
int socket_send(struct mesh_socket *s, const union conf_address *to,
		const void *data, size_t len);

/**
 * socket_send_stamped() - send a datagram whose stamps will come back
 * @s: the socket
 * @to: to whom
 * @data: the datagram
 * @len: its length
 * @key: filled with its number
 *
 * Return: 0; -1 with errno: it was not sent, and numbers of stamps are to be
 * begun anew by socket_renumber().
 */
int socket_send_stamped(struct mesh_socket *s, const union conf_address *to,
			const void *data, size_t len, uint32_t *key);

/**
 * socket_renumber() - have the kernel number stamps from 0 again
 * @s: the socket
 *
 * Stamps of before that are still to come have numbers that mean something else
 * then; they are older than what they seem to be of.
 */
void socket_renumber(struct mesh_socket *s);

/**
 * socket_receive() - receive a datagram
 * @s: the socket
 * @packet: SOCKET_BATCH of them, filled
 *
 * Return: how many; 0: nothing is there.
 */
int socket_receive(struct mesh_socket *s, struct socket_packet *packet);

/**
 * socket_stamps() - stamps of what was sent
 * @s: the socket
 * @stamp: SOCKET_BATCH of them, filled
 *
 * Return: how many; 0: nothing is there.
 */
int socket_stamps(struct mesh_socket *s, struct socket_stamp *stamp);

/**
 * socket_close() - close
 * @s: the socket
 */
void socket_close(struct mesh_socket *s);

#endif /* HUYGENS_SOCKET_H */
