// SPDX-License-Identifier: GPL-2.0
/*
 * The socket that a flow over UDP is sent by
 */
#include <errno.h>
#include <linux/net_tstamp.h>
#include <netinet/in.h>
#include <netinet/udp.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "datagram.h"
#include "outlet.h"
#include "sock.h"

ssize_t outlet_send(int fd, void *packets, size_t len, u64 departs)
{
	struct iovec iov = { .iov_base = packets, .iov_len = len };
	union {
		struct cmsghdr header;
		u8 bytes[CMSG_SPACE(sizeof(u64))];
	} control = { 0 };
	struct msghdr msg = {
		.msg_iov = &iov,
		.msg_iovlen = 1,
		.msg_control = &control,
		.msg_controllen = sizeof(control),
	};

	control.header.cmsg_level = SOL_SOCKET;
	control.header.cmsg_type = SCM_TXTIME;
	control.header.cmsg_len = CMSG_LEN(sizeof(departs));
	memcpy(CMSG_DATA(&control.header), &departs, sizeof(departs));
	return sendmsg(fd, &msg, MSG_DONTWAIT | MSG_NOSIGNAL);
}

static int set_options(int fd, int family, u64 dscp, const struct outlet *outlet)
{
	int segment = DATAGRAM_BYTES + datagram_payload(family), sndbuf = outlet->sndbuf, one = 1;
	struct sock_txtime txtime = { .clockid = CLOCK_MONOTONIC };
	bool six = family == AF_INET6;

	sock_allow_tentative(fd, family);
	if (outlet->ect ? sock_set_ect(fd, family, dscp) : sock_set_dscp(fd, family, dscp))
		return -1;
	if (outlet->drops && setsockopt(fd, six ? IPPROTO_IPV6 : IPPROTO_IP,
					six ? IPV6_RECVERR : IP_RECVERR, &one, sizeof(one)))
		return -1;
	/* The limit of others is for root to pass. */
	if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &sndbuf, sizeof(sndbuf)) &&
	    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &sndbuf, sizeof(sndbuf)))
		return -1;
	if (setsockopt(fd, SOL_SOCKET, SO_TXTIME, &txtime, sizeof(txtime)))
		return -1;
	return setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof(segment));
}

static int connect_ends(int fd, const struct flows *flows, const struct traffic *t,
			const struct flow *f)
{
	const struct group *g = &t->group[f->group];
	struct sockaddr_storage at;
	socklen_t len;

	len = sock_at_port(&at, &t->host[f->sender].address,
			   g->flow_ports ? sock_flow_port(f - flows->flow) : 0);
	if (bind(fd, (struct sockaddr *)&at, len))
		return -1;
	len = sock_with_port(&at, &t->host[f->receiver].sink, CC_DCQCN);
	return connect(fd, (struct sockaddr *)&at, len);
}

int outlet_open(struct watch *w, const struct flows *flows, const struct traffic *t,
		const struct flow *f, const struct outlet *outlet)
{
	int error, family = t->host[f->receiver].sink.ss_family;

	if (netns_enter(f->sender))
		return -1;
	w->fd = socket(family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (w->fd < 0)
		return -1;
	if (!set_options(w->fd, family, t->group[f->group].dscp, outlet) &&
	    !connect_ends(w->fd, flows, t, f) && !loop_add(w, EPOLLIN))
		return 0;
	error = errno;
	close(w->fd);
	errno = error;
	return -1;
}
