// SPDX-License-Identifier: GPL-2.0
/* netns.c - network namespaces, one a host or switch */
#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <unistd.h>

#include "guest.h"
#include "netns.h"
#include "run.h"

static int *fds;

static int open_own(void)
{
	return open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
}

/**
 * netns_start() - get ready to make namespaces
 * @n: number of namespaces of the topology script, with the initial one
 */
void netns_start(unsigned int n)
{
	fds = calloc(n, sizeof(*fds));
	if (!fds)
		fail(0, "out of memory");
	fds[TOPO_NS_ROOT] = open_own();
	if (fds[TOPO_NS_ROOT] < 0)
		fail(0, "no network namespaces: %s", strerror(errno));
}

/* Bind the namespace where `ip netns` looks for it. */
static void publish(const char *name, unsigned int line)
{
	char path[sizeof(NETNS_DIR) + TOPO_NAME_MAX + 1];
	int fd;

	snprintf(path, sizeof(path), NETNS_DIR "/%s", name);
	fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0444);
	if (fd < 0)
		fail(line, "%s: %s", path, strerror(errno));
	close(fd);
	if (mount("/proc/self/ns/net", path, NULL, MS_BIND, NULL))
		fail(line, "cannot mount %s: %s", path, strerror(errno));
}

static bool topo_has_ipv6(const struct topo *topo)
{
	size_t i;

	for (i = 0; i < topo->n_steps; i++)
		if (topo->step[i].kind == TOPO_ADDR &&
		    topo->step[i].address.family == AF_INET6)
			return true;
	return false;
}

/*
 * IPv6 must not send unrequested packets: its random delays would shift
 * everything else.  Written before there is an interface; the sysctl
 * directives of the topology script come later and win.
 */
static void quiet_ipv6(const struct topo *topo, unsigned int line)
{
	static const char *const sysctl[][2] = {
		{ "autoconf", "0" },
		{ "accept_ra", "0" },
		{ "router_solicitations", "0" },
		{ "accept_dad", "0" },
		{ "dad_transmits", "0" },
		{ "addr_gen_mode", "1" },
		{ "mldv1_unsolicited_report_interval", "10" },
		{ "mldv2_unsolicited_report_interval", "10" },
	};
	char key[80];
	size_t i;

	if (access("/proc/sys/net/ipv6", F_OK))
		return;
	if (!topo_has_ipv6(topo)) {
		guest_sysctl(line, "net.ipv6.conf.default.disable_ipv6", "1");
		return;
	}
	for (i = 0; i < sizeof(sysctl) / sizeof(*sysctl); i++) {
		snprintf(key, sizeof(key), "net.ipv6.conf.default.%s",
			 sysctl[i][0]);
		guest_sysctl(line, key, sysctl[i][1]);
	}
}

/**
 * netns_create() - make a namespace
 * @topo: the topology script
 * @step: ns directive
 */
void netns_create(const struct topo *topo, const struct topo_step *step)
{
	if (unshare(CLONE_NEWNET))
		fail(step->line, "cannot make a namespace: %s",
		     strerror(errno));
	fds[step->ns] = open_own();
	publish(topo->ns[step->ns], step->line);
	quiet_ipv6(topo, step->line);
	netns_leave();
}

/**
 * netns_fd() - the open file of a namespace
 * @ns: its index
 *
 * Return: the file descriptor.
 */
int netns_fd(unsigned int ns)
{
	return fds[ns];
}

/**
 * netns_enter() - work in a namespace until netns_leave()
 * @ns: its index
 */
void netns_enter(unsigned int ns)
{
	if (ns != TOPO_NS_ROOT && setns(fds[ns], CLONE_NEWNET))
		fail(0, "cannot enter namespace %u: %s", ns, strerror(errno));
}

/**
 * netns_leave() - go back to the initial namespace
 */
void netns_leave(void)
{
	if (setns(fds[TOPO_NS_ROOT], CLONE_NEWNET))
		fail(0, "cannot leave a namespace: %s", strerror(errno));
}
