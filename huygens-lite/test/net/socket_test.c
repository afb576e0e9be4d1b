// SPDX-License-Identifier: GPL-2.0
/*
 * The socket of the mesh on a machine of the test's own: which stamps are the
 * NIC's, and in which VRF it is bound.  The C library's functions are here.
 */
#include <errno.h>
#include <fcntl.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/errqueue.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>

#include "../../../selftests/lib/tap.h"
#include "../../net/socket.h"

#define SOCKETS	1024

/**
 * struct machine - all that there is
 * @flags: of the last request for SO_TIMESTAMPING
 * @pktinfo: the device of sent packets was requested
 * @allow_data: of net.core.tstamp_allow_data; NULL: there is no such file
 * @home: VRF that has the address; NULL: the main table has it; "": none has
 * @device: to which a socket is bound, by file descriptor
 * @deny: errno with which none may be
 * @busy: errno with which the address may not be bound with its port
 * @later: index of a device that came after the NIC was opened; 0: none did
 * @queries: of the kernel whether there is a device
 * @head: alignment
 * @control: control messages of what comes next
 * @len: their length
 */
static struct machine {
	int		flags;
	bool		pktinfo;
	const char	*allow_data;
	const char	*home;
	char		device[SOCKETS][IF_NAMESIZE];
	int		deny;
	int		busy;
	int		later;
	int		queries;
	union {
		struct cmsghdr	head;
		char		control[256];
	};
	size_t		len;
} machine;

static char why[256];
static const union conf_address at4 = { .in = { .sin_family = AF_INET, .sin_port = 1 } };
static const union conf_address at6 = { .in6 = { .sin6_family = AF_INET6, .sin6_port = 1 } };
static struct nic_port ports[] = {
	{ 1, NIC_UNTOLD }, { 3, NIC_OWN }, { 4, NIC_OWN }, { 5, NIC_OTHER }, { 9, NIC_OWN },
};

static const struct nic nic = { .phc.fd = -1, .ifindex = 3, .n_ports = 5, .ports = ports };
static const struct nic receiving = {
	.phc.fd = -1, .use = NIC_RECEIVED, .ifindex = 3, .n_ports = 5, .ports = ports,
};

int open(const char *path, int flags, ...)
{
	int fd;

	(void)flags;
	errno = ENOENT;
	if (strcmp(path, "/proc/sys/net/core/tstamp_allow_data") || !machine.allow_data)
		return -1;
	fd = memfd_create("value", MFD_CLOEXEC);
	if (pwrite(fd, machine.allow_data, strlen(machine.allow_data), 0) < 0)
		return -1;
	return fd;
}

int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
	if (level == SOL_SOCKET && name == SO_TIMESTAMPING)
		memcpy(&machine.flags, value, sizeof(machine.flags));
	if ((level == IPPROTO_IP && name == IP_PKTINFO) ||
	    (level == IPPROTO_IPV6 && name == IPV6_RECVPKTINFO))
		machine.pktinfo = true;
	if (level != SOL_SOCKET || name != SO_BINDTODEVICE)
		return 0;
	errno = machine.deny;
	if (errno)
		return -1;
	memset(machine.device[fd], 0, IF_NAMESIZE);
	memcpy(machine.device[fd], value, len);
	return 0;
}

int bind(int fd, const struct sockaddr *at, socklen_t len)
{
	const char *home = machine.home ? machine.home : "";
	bool here = !strcmp(machine.device[fd], home) && !(machine.home && !*home);

	(void)len;
	errno = !here ? EADDRNOTAVAIL : ((const struct sockaddr_in *)at)->sin_port ?
		machine.busy : 0;
	return errno ? -1 : 0;
}

struct if_nameindex *if_nameindex(void)
{
	static char names[][IF_NAMESIZE] = { "lo", "eth0", "amber", "blue" };
	static struct if_nameindex all[] = {
		{ 1, names[0] }, { 2, names[1] }, { 3, names[2] }, { 4, names[3] }, { 0, NULL },
	};

	return all;
}

void if_freenameindex(struct if_nameindex *all)
{
	(void)all;
}

int ioctl(int fd, unsigned long request, ...)
{
	struct ethtool_drvinfo *info;
	struct ifreq *ifr;
	va_list args;

	(void)fd;
	va_start(args, request);
	ifr = va_arg(args, void *);
	va_end(args);
	if (request == SIOCGIFNAME) {
		machine.queries++;
		errno = ENODEV;
		return machine.later && ifr->ifr_ifindex == machine.later ? 0 : -1;
	}
	info = (void *)ifr->ifr_data;
	errno = EOPNOTSUPP;
	if (request != SIOCETHTOOL || info->cmd != ETHTOOL_GDRVINFO || !strcmp(ifr->ifr_name, "lo"))
		return -1;
	memcpy(info->driver, strcmp(ifr->ifr_name, "eth0") ? "vrf" : "eth", 4);
	return 0;
}

int recvmmsg(int fd, struct mmsghdr *msg, unsigned int n, int flags, struct timespec *timeout)
{
	(void)fd;
	(void)n;
	(void)flags;
	(void)timeout;
	memcpy(msg->msg_hdr.msg_control, machine.control, machine.len);
	msg->msg_hdr.msg_controllen = machine.len;
	msg->msg_len = 0;
	return 1;
}

static void begin(void)
{
	memset(&machine, 0, sizeof(machine));
}

static void add(int level, int type, const void *data, size_t len)
{
	struct cmsghdr *c = (void *)(machine.control + machine.len);

	c->cmsg_level = level;
	c->cmsg_type = type;
	c->cmsg_len = CMSG_LEN(len);
	memcpy(CMSG_DATA(c), data, len);
	machine.len += CMSG_SPACE(len);
}

/* Both stamps, in the order in which the kernel tells them. */
static void stamp(int64_t soft, int64_t hard)
{
	struct scm_timestamping stamps = {
		.ts = { { .tv_nsec = soft }, { 0 }, { .tv_nsec = hard } },
	};

	machine.len = 0;
	add(SOL_SOCKET, SO_TIMESTAMPING, &stamps, sizeof(stamps));
}

static void came_by(uint32_t device)
{
	struct scm_ts_pktinfo info = { .if_index = device, .pkt_length = 300 };

	add(SOL_SOCKET, SCM_TIMESTAMPING_PKTINFO, &info, sizeof(info));
}

/* The device of an address, which is what IP_PKTINFO says of what comes. */
static void is_of(unsigned int device, bool v6)
{
	struct in_pktinfo info = { .ipi_ifindex = (int)device };
	struct in6_pktinfo info6 = { .ipi6_ifindex = device };

	if (v6)
		add(SOL_IPV6, IPV6_PKTINFO, &info6, sizeof(info6));
	else
		add(SOL_IP, IP_PKTINFO, &info, sizeof(info));
}

static void has_key(uint32_t key, bool v6)
{
	struct sock_extended_err error = { .ee_origin = SO_EE_ORIGIN_TIMESTAMPING, .ee_data = key };

	add(v6 ? SOL_IPV6 : SOL_IP, v6 ? IPV6_RECVERR : IP_RECVERR, &error, sizeof(error));
}

static bool opens(struct mesh_socket *s, const union conf_address *at, const struct nic *stamps)
{
	bool opened = !socket_open(s, at, 0, stamps, why, sizeof(why));

	if (!opened)
		tap_remark("%s", why);
	return opened;
}

static bool refuses(struct mesh_socket *s, const union conf_address *at, const char *expected)
{
	return socket_open(s, at, 0, NULL, why, sizeof(why)) &&
	       !strncmp(why, "cannot bind this host's address", 31) && strstr(why, expected);
}

static void asks(void)
{
	static const char *const data[] = { NULL, "1\n", "0\n" };
	struct mesh_socket s;
	size_t i;

	begin();
	tap_ok(opens(&s, &at4, NULL) && machine.flags & SOF_TIMESTAMPING_OPT_TSONLY &&
	       !(machine.flags & SOF_TIMESTAMPING_OPT_PKTINFO) && !machine.pktinfo,
	       "software stamps are of no device");
	socket_close(&s);
	for (i = 0; i < sizeof(data) / sizeof(*data); i++) {
		const union conf_address *at = i % 2 ? &at6 : &at4;
		bool whole = i < 2;

		begin();
		machine.allow_data = data[i];
		tap_ok(opens(&s, at, &nic) && machine.flags & SOF_TIMESTAMPING_OPT_PKTINFO &&
		       !(machine.flags & SOF_TIMESTAMPING_OPT_TSONLY) == whole &&
		       machine.pktinfo == whole,
		       "the NIC's: the device is requested, tstamp_allow_data %.1s",
		       data[i] ? data[i] : "not there");
		socket_renumber(&s);
		tap_ok(!(machine.flags & SOF_TIMESTAMPING_OPT_TSONLY) == whole,
		       "and still after numbers begin anew");
		socket_close(&s);
	}
	begin();
	tap_ok(opens(&s, &at4, &receiving) && machine.flags & SOF_TIMESTAMPING_RX_HARDWARE &&
	       machine.flags & SOF_TIMESTAMPING_OPT_PKTINFO &&
	       machine.flags & SOF_TIMESTAMPING_OPT_TSONLY && !machine.pktinfo,
	       "the NIC's of what comes alone: what is sent does not come back");
	socket_close(&s);
}

static void owners(void)
{
	static const struct {
		unsigned int	device;
		bool		own;
	} by[] = { { 3, true }, { 4, true }, { 9, true }, { 5, false }, { 8, false }, { 1, true },
		   { 77, true }, { 0, true } };
	static struct socket_packet packet[SOCKET_BATCH];
	static struct socket_stamp sent[SOCKET_BATCH];
	struct mesh_socket s;
	size_t i;
	int v6;

	begin();
	machine.later = 8;
	opens(&s, &at4, &nic);
	for (i = 0; i < sizeof(by) / sizeof(*by); i++) {
		s.foreign = 0;
		stamp(11, 22);
		came_by(by[i].device);
		is_of(by[i].own ? 5 : 3, false);
		tap_ok(socket_receive(&s, packet) == 1 && packet->soft == 11 &&
		       packet->hard == (by[i].own ? 22 : SOCKET_NO_STAMP) &&
		       s.foreign == (by[i].own ? 0 : by[i].device),
		       "what came by device %u has %s stamp of the NIC's", by[i].device,
		       by[i].own ? "a" : "no");
		for (v6 = 0; v6 < 2; v6++) {
			s.foreign = 0;
			stamp(0, 22);
			is_of(by[i].device, v6);
			has_key(7, v6);
			tap_ok(socket_stamps(&s, sent) == 1 && sent->key == 7 &&
			       sent->hard == (by[i].own ? 22 : SOCKET_NO_STAMP) &&
			       s.foreign == (by[i].own ? 0 : by[i].device),
			       "nor what left by it, IPv%c", v6 ? '6' : '4');
		}
	}
	/* One that is of no device of this namespace, until it is. */
	stamp(11, 22);
	came_by(77);
	machine.queries = 0;
	tap_ok(socket_receive(&s, packet) == 1 && packet->hard == 22 && machine.queries == 1,
	       "a device that is not here is queried");
	machine.later = 77;
	tap_ok(socket_receive(&s, packet) == 1 && packet->hard == SOCKET_NO_STAMP &&
	       s.foreign == 77, "each time, so that it is another's when it came");
	stamp(11, 22);
	came_by(3);
	machine.queries = 0;
	tap_ok(socket_receive(&s, packet) == 1 && packet->hard == 22 && !machine.queries,
	       "for the NIC's own nothing is queried");
	stamp(11, 0);
	came_by(5);
	s.foreign = 0;
	tap_ok(socket_receive(&s, packet) == 1 && packet->soft == 11 && !s.foreign,
	       "without a stamp of hardware there is none to refuse");
	socket_close(&s);
}

static void vrfs(void)
{
	const union conf_address *const at[] = { &at4, &at6 };
	struct mesh_socket s;
	int i;

	for (i = 0; i < 2; i++) {
		begin();
		tap_ok(opens(&s, at[i], NULL) && !*s.vrf && !*machine.device[s.fd],
		       "an address of the main table: no VRF");
		socket_close(&s);
		begin();
		machine.home = "blue";
		tap_ok(opens(&s, at[i], NULL) && !strcmp(s.vrf, "blue") &&
		       !strcmp(machine.device[s.fd], "blue"), "one of a VRF: bound there");
		socket_close(&s);
		begin();
		machine.home = "";
		tap_ok(refuses(&s, at[i], "Cannot assign requested address") && s.fd == -1,
		       "refused: one that none has");
		begin();
		machine.home = "eth0";
		tap_ok(refuses(&s, at[i], "Cannot assign requested address"),
		       "refused: a device that is no VRF");
		begin();
		machine.home = "blue";
		machine.busy = EADDRINUSE;
		tap_ok(refuses(&s, at[i], "Address already in use") && strstr(why, "in VRF blue:"),
		       "refused: a port that is taken there, and it says where");
		begin();
		machine.busy = EADDRINUSE;
		tap_ok(refuses(&s, at[i], "Address already in use") && !strstr(why, "VRF"),
		       "refused: one that is taken here");
		begin();
		machine.home = "blue";
		machine.deny = EPERM;
		tap_ok(refuses(&s, at[i], "Cannot assign requested address"),
		       "refused: a kernel that lets nobody in");
	}
}

int main(void)
{
	asks();
	owners();
	vrfs();
	return tap_done();
}
