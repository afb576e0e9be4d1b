// SPDX-License-Identifier: GPL-2.0
/*
 * The UDP socket of the mesh, and the stamps of what goes through it.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>

#include "nic.h"
#include "socket.h"

#define SOCKET_NS	1000000000LL
/* A flood must not cost the stamps of packets that came before it. */
#define SOCKET_BUFFER	(4 << 20)
#define SOCKET_CONTROL	256
#define SOCKET_ALLOW_DATA	"/proc/sys/net/core/tstamp_allow_data"

/* An administrator may want that stamps come without the datagram. */
static bool socket_may_have_data(void)
{
	int fd = open(SOCKET_ALLOW_DATA, O_RDONLY | O_CLOEXEC);
	char value = '1';

	if (fd < 0)
		return true;
	if (read(fd, &value, 1) != 1)
		value = '1';
	close(fd);
	return value != '0';
}

/*
 * Requests to the kernel; each datagram has its own request for a Tx stamp.  The
 * stamp of a received datagram names its device; that of a sent one only if the
 * datagram comes back with its stamp, as IP_PKTINFO.
 */
static int socket_flags(const struct mesh_socket *s)
{
	int flags = SOF_TIMESTAMPING_RX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE |
		    SOF_TIMESTAMPING_OPT_ID;

	if (s->nic)
		flags |= SOF_TIMESTAMPING_RX_HARDWARE |
			 SOF_TIMESTAMPING_RAW_HARDWARE |
			 SOF_TIMESTAMPING_OPT_TX_SWHW |
			 SOF_TIMESTAMPING_OPT_PKTINFO | SOF_TIMESTAMPING_OPT_CMSG;
	return s->whole ? flags : flags | SOF_TIMESTAMPING_OPT_TSONLY;
}

static int socket_ask_device(const struct mesh_socket *s, int family)
{
	int one = 1;

	if (!s->whole)
		return 0;
	if (family == AF_INET6)
		return setsockopt(s->fd, IPPROTO_IPV6, IPV6_RECVPKTINFO, &one,
				  sizeof(one));
	return setsockopt(s->fd, IPPROTO_IP, IP_PKTINFO, &one, sizeof(one));
}

static int socket_ask_stamps(const struct mesh_socket *s, int flags)
{
	return setsockopt(s->fd, SOL_SOCKET, SO_TIMESTAMPING, &flags,
			  sizeof(flags));
}

static socklen_t socket_size(const union conf_address *address)
{
	return address->sa.sa_family == AF_INET6 ? sizeof(address->in6) :
						    sizeof(address->in);
}

static int socket_set_dscp(const struct mesh_socket *s, int family,
			   unsigned int dscp)
{
	int tos = dscp << 2;

	if (family == AF_INET6)
		return setsockopt(s->fd, IPPROTO_IPV6, IPV6_TCLASS, &tos,
				  sizeof(tos));
	return setsockopt(s->fd, IPPROTO_IP, IP_TOS, &tos, sizeof(tos));
}

static int socket_bind_device(int fd, const char *link)
{
	return setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, link, strlen(link));
}

/* Is the address in this VRF?  A socket that was bound to one device is bound to it for good. */
static bool socket_is_in(const union conf_address *self, const char *vrf)
{
	union conf_address any_port = *self;
	int fd = socket(self->sa.sa_family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	bool found;

	/* The port is at the same place in both. */
	any_port.in.sin_port = 0;
	found = fd >= 0 && !socket_bind_device(fd, vrf) &&
		!bind(fd, &any_port.sa, socket_size(&any_port));
	if (fd >= 0)
		close(fd);
	return found;
}

/* Return: false if no VRF has the address. */
static bool socket_find_vrf(struct mesh_socket *s, const union conf_address *self)
{
	struct if_nameindex *all = if_nameindex(), *one;

	for (one = all; one && one->if_name && !*s->vrf; one++)
		if (nic_is_vrf(one->if_name) && socket_is_in(self, one->if_name))
			snprintf(s->vrf, sizeof(s->vrf), "%s", one->if_name);
	if (all)
		if_freenameindex(all);
	return *s->vrf;
}

static int socket_bind(struct mesh_socket *s, const union conf_address *self)
{
	if (!bind(s->fd, &self->sa, socket_size(self)))
		return 0;
	if (errno != EADDRNOTAVAIL)
		return -1;
	if (!socket_find_vrf(s, self)) {
		errno = EADDRNOTAVAIL;
		return -1;
	}
	return socket_bind_device(s->fd, s->vrf) ||
	       bind(s->fd, &self->sa, socket_size(self)) ? -1 : 0;
}

int socket_open(struct mesh_socket *s, const union conf_address *self,
		unsigned int dscp, const struct nic *nic, char *why,
		size_t size)
{
	int bytes = SOCKET_BUFFER, one = 1, family = self->sa.sa_family;

	*s = (struct mesh_socket){
		.nic = nic,
		.whole = nic && nic->use == NIC_BOTH && socket_may_have_data(),
	};
	s->fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	if (s->fd < 0) {
		snprintf(why, size, "cannot create a socket: %s", strerror(errno));
		return -1;
	}
	/* Above the system's limit if we may. */
	if (setsockopt(s->fd, SOL_SOCKET, SO_RCVBUFFORCE, &bytes, sizeof(bytes)))
		setsockopt(s->fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof(bytes));
	if (setsockopt(s->fd, SOL_SOCKET, SO_SNDBUFFORCE, &bytes, sizeof(bytes)))
		setsockopt(s->fd, SOL_SOCKET, SO_SNDBUF, &bytes, sizeof(bytes));
	if (family == AF_INET6)
		setsockopt(s->fd, IPPROTO_IPV6, IPV6_V6ONLY, &one, sizeof(one));
	if (socket_set_dscp(s, family, dscp) ||
	    socket_ask_device(s, family) ||
	    socket_ask_stamps(s, socket_flags(s))) {
		snprintf(why, size, "cannot set socket options: %s",
			 strerror(errno));
	} else if (socket_bind(s, self)) {
		snprintf(why, size, "cannot bind this host's address%s%s: %s",
			 *s->vrf ? " in VRF " : "", s->vrf, strerror(errno));
	} else {
		return 0;
	}
	socket_close(s);
	return -1;
}

int socket_send(struct mesh_socket *s, const union conf_address *to,
		const void *data, size_t len)
{
	return sendto(s->fd, data, len, 0, &to->sa, socket_size(to)) < 0 ? -1 :
									  0;
}

int socket_send_stamped(struct mesh_socket *s, const union conf_address *to,
			const void *data, size_t len, uint32_t *key)
{
	union {
		struct cmsghdr	head;
		char		space[CMSG_SPACE(sizeof(uint32_t))];
	} control = { .head = { .cmsg_level = SOL_SOCKET,
				.cmsg_type = SO_TIMESTAMPING,
				.cmsg_len = CMSG_LEN(sizeof(uint32_t)) } };
	struct iovec iov = { .iov_base = (void *)data, .iov_len = len };
	struct msghdr msg = { .msg_name = (void *)to,
			      .msg_namelen = socket_size(to),
			      .msg_iov = &iov, .msg_iovlen = 1,
			      .msg_control = &control,
			      .msg_controllen = sizeof(control) };
	uint32_t wanted = SOF_TIMESTAMPING_TX_SOFTWARE;

	if (s->nic && s->nic->use == NIC_BOTH)
		wanted |= SOF_TIMESTAMPING_TX_HARDWARE;
	memcpy(CMSG_DATA(&control.head), &wanted, sizeof(wanted));
	if (sendmsg(s->fd, &msg, 0) < 0)
		return -1;
	*key = s->key++;
	return 0;
}

void socket_renumber(struct mesh_socket *s)
{
	int flags = socket_flags(s);

	socket_ask_stamps(s, flags & ~(SOF_TIMESTAMPING_OPT_ID |
				       SOF_TIMESTAMPING_OPT_TSONLY));
	socket_ask_stamps(s, flags);
	s->key = 0;
}

static int64_t socket_time(const struct timespec *ts)
{
	if (!ts->tv_sec && !ts->tv_nsec)
		return SOCKET_NO_STAMP;
	return ts->tv_sec * SOCKET_NS + ts->tv_nsec;
}

static bool socket_has_device(const struct mesh_socket *s, unsigned int ifindex)
{
	struct ifreq ifr = { .ifr_ifindex = (int)ifindex };

	return !ioctl(s->fd, SIOCGIFNAME, &ifr);
}

static bool socket_ask_foreign(const struct mesh_socket *s, unsigned int ifindex)
{
	switch (nic_owner(s->nic, ifindex)) {
	case NIC_OTHER:
		return true;
	case NIC_LATER:
		/* Or it is another namespace's, whose device is below one of this namespace. */
		return socket_has_device(s, ifindex);
	default:
		return false;
	}
}

/* Most of a batch are of one device, for which the kernel is queried once. */
static bool socket_is_foreign(struct mesh_socket *s, unsigned int ifindex)
{
	if (s->queried != ifindex) {
		s->queried = ifindex;
		s->refused = socket_ask_foreign(s, ifindex);
	}
	return s->refused;
}

/* The device that took a stamp of what was sent, or what came; 0: unknown. */
static unsigned int socket_device(const struct cmsghdr *c, bool sent)
{
	struct scm_ts_pktinfo came;
	struct in6_pktinfo left6;
	struct in_pktinfo left;

	if (!sent && c->cmsg_level == SOL_SOCKET &&
	    c->cmsg_type == SCM_TIMESTAMPING_PKTINFO) {
		memcpy(&came, CMSG_DATA(c), sizeof(came));
		return came.if_index;
	}
	if (sent && c->cmsg_level == SOL_IP && c->cmsg_type == IP_PKTINFO) {
		memcpy(&left, CMSG_DATA(c), sizeof(left));
		return left.ipi_ifindex;
	}
	if (sent && c->cmsg_level == SOL_IPV6 && c->cmsg_type == IPV6_PKTINFO) {
		memcpy(&left6, CMSG_DATA(c), sizeof(left6));
		return left6.ipi6_ifindex;
	}
	return 0;
}

/* All control messages of a datagram, or of a stamp: @key may be NULL. */
static void socket_control(struct mesh_socket *s, struct msghdr *msg,
			   int64_t *soft, int64_t *hard, uint32_t *key)
{
	struct scm_timestamping stamps;
	struct sock_extended_err error;
	unsigned int device = 0, reported;
	struct cmsghdr *c;

	*soft = SOCKET_NO_STAMP;
	*hard = SOCKET_NO_STAMP;
	for (c = CMSG_FIRSTHDR(msg); c; c = CMSG_NXTHDR(msg, c)) {
		if (c->cmsg_level == SOL_SOCKET &&
		    c->cmsg_type == SO_TIMESTAMPING) {
			memcpy(&stamps, CMSG_DATA(c), sizeof(stamps));
			*soft = socket_time(&stamps.ts[0]);
			*hard = socket_time(&stamps.ts[2]);
		} else if (key && ((c->cmsg_level == SOL_IP &&
				    c->cmsg_type == IP_RECVERR) ||
				   (c->cmsg_level == SOL_IPV6 &&
				    c->cmsg_type == IPV6_RECVERR))) {
			memcpy(&error, CMSG_DATA(c), sizeof(error));
			if (error.ee_origin == SO_EE_ORIGIN_TIMESTAMPING)
				*key = error.ee_data;
		}
		reported = socket_device(c, key);
		device = reported ? reported : device;
	}
	if (s->nic && *hard != SOCKET_NO_STAMP && socket_is_foreign(s, device)) {
		s->foreign = device;
		*hard = SOCKET_NO_STAMP;
	}
}

int socket_receive(struct mesh_socket *s, struct socket_packet *packet)
{
	char control[SOCKET_BATCH][SOCKET_CONTROL];
	struct mmsghdr msg[SOCKET_BATCH] = { 0 };
	struct iovec iov[SOCKET_BATCH];
	int count, i;

	for (i = 0; i < SOCKET_BATCH; i++) {
		iov[i].iov_base = packet[i].data;
		iov[i].iov_len = sizeof(packet[i].data);
		msg[i].msg_hdr.msg_iov = &iov[i];
		msg[i].msg_hdr.msg_iovlen = 1;
		msg[i].msg_hdr.msg_name = &packet[i].from;
		msg[i].msg_hdr.msg_namelen = sizeof(packet[i].from);
		msg[i].msg_hdr.msg_control = control[i];
		msg[i].msg_hdr.msg_controllen = sizeof(control[i]);
	}
	count = recvmmsg(s->fd, msg, SOCKET_BATCH, MSG_DONTWAIT, NULL);
	s->queried = 0;
	for (i = 0; i < count; i++) {
		packet[i].len = msg[i].msg_len;
		socket_control(s, &msg[i].msg_hdr, &packet[i].soft,
			       &packet[i].hard, NULL);
	}
	return count > 0 ? count : 0;
}

int socket_stamps(struct mesh_socket *s, struct socket_stamp *stamp)
{
	char control[SOCKET_BATCH][SOCKET_CONTROL];
	struct mmsghdr msg[SOCKET_BATCH] = { 0 };
	int count, i;

	for (i = 0; i < SOCKET_BATCH; i++) {
		msg[i].msg_hdr.msg_control = control[i];
		msg[i].msg_hdr.msg_controllen = sizeof(control[i]);
	}
	count = recvmmsg(s->fd, msg, SOCKET_BATCH,
			 MSG_ERRQUEUE | MSG_DONTWAIT, NULL);
	s->queried = 0;
	for (i = 0; i < count; i++) {
		stamp[i].key = 0;
		socket_control(s, &msg[i].msg_hdr, &stamp[i].soft,
			       &stamp[i].hard, &stamp[i].key);
	}
	return count > 0 ? count : 0;
}

void socket_close(struct mesh_socket *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}
