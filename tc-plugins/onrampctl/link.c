// SPDX-License-Identifier: GPL-2.0
/*
 * The socket.
 */
#include <errno.h>
#include <libmnl/libmnl.h>

#include "link.h"

static struct mnl_socket *link_socket;

static void link_option(int option)
{
	int on = 1;

	/* A kernel that does not know it explains less, no more. */
	mnl_socket_setsockopt(link_socket, option, &on, sizeof(on));
}

int link_open(int bus)
{
	link_close();
	link_socket = mnl_socket_open(bus);
	if (!link_socket)
		return -1;
	if (mnl_socket_bind(link_socket, 0, MNL_SOCKET_AUTOPID) < 0) {
		link_close();
		return -1;
	}
	link_option(NETLINK_EXT_ACK);
	link_option(NETLINK_CAP_ACK);
	return 0;
}

int link_join(uint32_t group)
{
	return mnl_socket_setsockopt(link_socket, NETLINK_ADD_MEMBERSHIP,
				     &group, sizeof(group));
}

int link_send(const void *request, size_t len)
{
	if (!link_socket) {
		errno = ENOTCONN;
		return -1;
	}
	return mnl_socket_sendto(link_socket, request, len) < 0 ? -1 : 0;
}

ssize_t link_receive(void *room)
{
	return mnl_socket_recvfrom(link_socket, room, LINK_ROOM);
}

uint32_t link_port(void)
{
	return mnl_socket_get_portid(link_socket);
}

void link_close(void)
{
	if (link_socket)
		mnl_socket_close(link_socket);
	link_socket = NULL;
}
