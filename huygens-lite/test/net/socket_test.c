// SPDX-License-Identifier: GPL-2.0
/*
 * The socket of the mesh on a machine of the test's own: in which VRF it is
 * bound.  The C library's functions are here.
 */
#include <errno.h>
#include <net/if.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <linux/ethtool.h>
#include <linux/sockios.h>

#include "../../../selftests/unit/tap.h"
#include "../../net/socket.h"

#define SOCKETS	1024

/**
 * struct machine - all that there is
 * @home: VRF that has the address; NULL: the main table has it; "": none has
 * @device: to which a socket is bound, by file descriptor
 * @deny: errno with which none may be
 * @busy: errno with which the address may not be bound with its port
 */
static struct machine {
	const char	*home;
	char		device[SOCKETS][IF_NAMESIZE];
	int		deny;
	int		busy;
} machine;

static char why[256];
static const union conf_address at4 = { .in = { .sin_family = AF_INET, .sin_port = 1 } };
static const union conf_address at6 = { .in6 = { .sin6_family = AF_INET6, .sin6_port = 1 } };

int setsockopt(int fd, int level, int name, const void *value, socklen_t len)
{
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
	info = (void *)ifr->ifr_data;
	errno = EOPNOTSUPP;
	if (request != SIOCETHTOOL || info->cmd != ETHTOOL_GDRVINFO || !strcmp(ifr->ifr_name, "lo"))
		return -1;
	memcpy(info->driver, strcmp(ifr->ifr_name, "eth0") ? "vrf" : "eth", 4);
	return 0;
}

static void begin(void)
{
	memset(&machine, 0, sizeof(machine));
}

static bool opens(struct mesh_socket *s, const union conf_address *at)
{
	bool opened = !socket_open(s, at, 0, false, why, sizeof(why));

	if (!opened)
		tap_remark("%s", why);
	return opened;
}

static bool refuses(struct mesh_socket *s, const union conf_address *at, const char *words)
{
	return socket_open(s, at, 0, false, why, sizeof(why)) &&
	       !strncmp(why, "cannot bind this host's address", 31) && strstr(why, words);
}

static void vrfs(void)
{
	const union conf_address *const at[] = { &at4, &at6 };
	struct mesh_socket s;
	int i;

	for (i = 0; i < 2; i++) {
		begin();
		tap_ok(opens(&s, at[i]) && !*s.vrf && !*machine.device[s.fd],
		       "an address of the main table: no VRF");
		socket_close(&s);
		begin();
		machine.home = "blue";
		tap_ok(opens(&s, at[i]) && !strcmp(s.vrf, "blue") &&
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
	vrfs();
	return tap_done();
}
