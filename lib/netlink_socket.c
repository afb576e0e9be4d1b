// SPDX-License-Identifier: GPL-2.0
/*
 * The netlink socket of a program.
 */
#include <errno.h>
#include <libmnl/libmnl.h>

#include "netlink_socket.h"

static struct mnl_socket *nl_socket;

static void nl_socket_option(int option)
{
	int on = 1;

	/* A kernel without the option explains less. */
	mnl_socket_setsockopt(nl_socket, option, &on, sizeof(on));
}

int nl_socket_open(int bus)
{
	nl_socket_close();
	nl_socket = mnl_socket_open(bus);
	if (!nl_socket)
		return -1;
	if (mnl_socket_bind(nl_socket, 0, MNL_SOCKET_AUTOPID) < 0) {
		nl_socket_close();
		return -1;
	}
	nl_socket_option(NETLINK_EXT_ACK);
	nl_socket_option(NETLINK_CAP_ACK);
	return 0;
}

int nl_socket_join(uint32_t group)
{
	return mnl_socket_setsockopt(nl_socket, NETLINK_ADD_MEMBERSHIP,
				     &group, sizeof(group));
}

int nl_socket_send(const void *request, size_t len)
{
	if (!nl_socket) {
		errno = ENOTCONN;
		return -1;
	}
	return mnl_socket_sendto(nl_socket, request, len) < 0 ? -1 : 0;
}

ssize_t nl_socket_receive(void *buffer)
{
	return mnl_socket_recvfrom(nl_socket, buffer, NL_SOCKET_BYTES);
}

uint32_t nl_socket_port(void)
{
	return mnl_socket_get_portid(nl_socket);
}

void nl_socket_close(void)
{
	if (nl_socket)
		mnl_socket_close(nl_socket);
	nl_socket = NULL;
}
