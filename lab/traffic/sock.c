// SPDX-License-Identifier: GPL-2.0
/*
 * Sockets, and the network namespaces they live in
 */
#include <errno.h>
#include <fcntl.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "flows.h"
#include "sock.h"

/*
 * tcp_info grows at its end. After tcpi_snd_wnd come tcpi_rcv_wnd and
 * tcpi_rehash (6.2) and tcpi_total_rto, 16 bits (6.7), which the headers we
 * are built with may lack.
 */
#define TOTAL_RTO_OFFSET	(offsetof(struct tcp_info, tcpi_snd_wnd) + 3 * sizeof(u32))

/* Range of source ports with ports=flow. */
#define FLOW_PORTS_FIRST	10000
#define FLOW_PORTS		50000

static int *netns_fds;
static u32 netns_current = UINT32_MAX;

int netns_open(const char *folder, const struct traffic *t)
{
	char path[4096];
	u32 i;

	if (!folder)
		return 0;
	netns_fds = calloc(t->hosts, sizeof(*netns_fds));
	if (!netns_fds)
		return complain(NULL, "out of memory");
	for (i = 0; i < t->hosts; i++) {
		snprintf(path, sizeof(path), "%s/%s", folder, t->host[i].netns);
		netns_fds[i] = open(path, O_RDONLY | O_CLOEXEC);
		if (netns_fds[i] < 0)
			return complain(NULL, "host '%s': %s: %s", t->host[i].name, path,
					strerror(errno));
	}
	return 0;
}

int netns_enter(u32 host)
{
	if (!netns_fds || host == netns_current)
		return 0;
	if (setns(netns_fds[host], CLONE_NEWNET))
		return complain(NULL, "cannot enter a network namespace: %s", strerror(errno));
	netns_current = host;
	return 0;
}

int sock_set_cc(int fd, enum cc cc)
{
	return setsockopt(fd, IPPROTO_TCP, TCP_CONGESTION, cc_names[cc], strlen(cc_names[cc]));
}

const char *sock_cc_error(enum cc cc, int error)
{
	static char text[128];

	if (error == ENOENT)
		snprintf(text, sizeof(text), "it is not loaded: modprobe tcp_%s", cc_names[cc]);
	else if (error == EPERM)
		snprintf(text, sizeof(text),
			 "net.ipv4.tcp_allowed_congestion_control does not name it: %s",
			 strerror(error));
	else
		return strerror(error);
	return text;
}

/* A socket of IPv6 sends over IPv4 where its peer's address is a mapped one. */
static int set_tos(int fd, int family, int tos)
{
	if (family == AF_INET6 &&
	    setsockopt(fd, IPPROTO_IPV6, IPV6_TCLASS, &tos, sizeof(tos)))
		return -1;
	return setsockopt(fd, IPPROTO_IP, IP_TOS, &tos, sizeof(tos));
}

int sock_set_dscp(int fd, int family, unsigned int dscp)
{
	return set_tos(fd, family, dscp << 2);	/* the kernel keeps TCP's ECN bits */
}

int sock_set_ect(int fd, int family, unsigned int dscp)
{
	return set_tos(fd, family, dscp << 2 | 2);
}

void sock_allow_tentative(int fd, int family)
{
	int one = 1;

	if (family == AF_INET6)
		setsockopt(fd, IPPROTO_IPV6, IPV6_FREEBIND, &one, sizeof(one));
}

/* One of the kernel's byte counts of a socket, or 0 if it cannot be read. */
static u32 ask_bytes(int fd, unsigned long what)
{
	int bytes;

	return ioctl(fd, what, &bytes) || bytes < 0 ? 0 : bytes;
}

u32 sock_unsent(int fd)
{
	return ask_bytes(fd, SIOCOUTQNSD);
}

void sock_writable_unsent(int fd, bool none)
{
	u32 value = none ? 1 : 0;	/* 0: as the host has it */

	setsockopt(fd, IPPROTO_TCP, TCP_NOTSENT_LOWAT, &value, sizeof(value));
}

u32 sock_waiting(int fd)
{
	return ask_bytes(fd, SIOCINQ);
}

unsigned int sock_flow_port(u64 id)
{
	return FLOW_PORTS_FIRST + id % FLOW_PORTS;
}

int sock_bind(int fd, int family, unsigned int port)
{
	struct sockaddr_storage any = { .ss_family = family }, address;
	socklen_t len = sock_with_port(&address, &any, port);
	int one = 1;

	/* The port may still be that of a connection in TIME_WAIT. */
	if (setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)))
		return -1;
	return bind(fd, (struct sockaddr *)&address, len);
}

void sock_set_lowat(int fd, u32 bytes)
{
	int value = bytes;

	setsockopt(fd, SOL_SOCKET, SO_RCVLOWAT, &value, sizeof(value));
}

void sock_quickack(int fd)
{
	int one = 1;

	setsockopt(fd, IPPROTO_TCP, TCP_QUICKACK, &one, sizeof(one));
}

void sock_set_pace(int fd, u64 bps)
{
	u64 rate = bps / 8;

	setsockopt(fd, SOL_SOCKET, SO_MAX_PACING_RATE, &rate, sizeof(rate));
}

void sock_discard(int fd)
{
	struct msghdr msg = { 0 };

	while (recvmsg(fd, &msg, MSG_DONTWAIT | MSG_ERRQUEUE) >= 0)
		;
	recv(fd, NULL, 0, MSG_DONTWAIT | MSG_TRUNC);
}

void sock_reset_on_close(int fd)
{
	struct linger linger = { .l_onoff = 1, .l_linger = 0 };

	setsockopt(fd, SOL_SOCKET, SO_LINGER, &linger, sizeof(linger));
}

int sock_read_figures(int fd, struct sock_figures *figures)
{
	union {
		struct tcp_info info;
		u8 bytes[512];
	} u;
	socklen_t len = sizeof(u);
	u16 timeouts;

	memset(&u, 0, sizeof(u));
	if (getsockopt(fd, IPPROTO_TCP, TCP_INFO, &u, &len))
		return -1;
	figures->retrans = u.info.tcpi_total_retrans;
	figures->delivered_ce = u.info.tcpi_delivered_ce;
	figures->min_rtt_us = u.info.tcpi_min_rtt;
	figures->timeouts = UNKNOWN;
	if (len >= TOTAL_RTO_OFFSET + sizeof(timeouts)) {
		memcpy(&timeouts, u.bytes + TOTAL_RTO_OFFSET, sizeof(timeouts));
		figures->timeouts = timeouts;
	}
	return 0;
}

/* The port of an address, in network order, and the address's length. */
static in_port_t *port_of(struct sockaddr_storage *address, socklen_t *len)
{
	struct sockaddr_in6 *v6 = (struct sockaddr_in6 *)address;
	struct sockaddr_in *v4 = (struct sockaddr_in *)address;

	*len = address->ss_family == AF_INET6 ? sizeof(*v6) : sizeof(*v4);
	return address->ss_family == AF_INET6 ? &v6->sin6_port : &v4->sin_port;
}

socklen_t sock_with_port(struct sockaddr_storage *to, const struct sockaddr_storage *from,
			 unsigned int add)
{
	in_port_t *port;
	socklen_t len;

	*to = *from;
	port = port_of(to, &len);
	*port = htons(ntohs(*port) + add);
	return len;
}

socklen_t sock_at_port(struct sockaddr_storage *to, const struct sockaddr_storage *from,
		       unsigned int port)
{
	socklen_t len;

	*to = *from;
	*port_of(to, &len) = htons(port);
	return len;
}
