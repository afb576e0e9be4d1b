// SPDX-License-Identifier: GPL-2.0
/*
 * The kernel's tables.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/rtnetlink.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../lib/fail.h"
#include "../../lib/netlink.h"
#include "../../lib/netlink_socket.h"
#include "scan.h"

#define SCAN_MEGABIT	1000000ULL
/* At a time: the rest is read next. */
#define SCAN_NEWS	64

static int scan_on_qdisc(const struct nlmsghdr *n, void *data)
{
	struct scan *s = data;

	if (s->tree.records == SCAN_RECORDS)
		s->overflow = true;
	else if (!record_update(n, &s->record[s->tree.records]))
		s->tree.records++;
	return MNL_CB_OK;
}

static int scan_on_class(const struct nlmsghdr *n, void *data)
{
	struct scan *s = data;

	if (s->tree.classes == SCAN_CLASSES)
		s->overflow = true;
	else if (!record_parse_class(n, &s->class[s->tree.classes]))
		s->tree.classes++;
	return MNL_CB_OK;
}

static int scan_on_device(const struct nlmsghdr *n, void *data)
{
	struct scan *s = data;

	if (s->tree.devices == SCAN_DEVICES)
		s->overflow = true;
	else if (!record_parse_device(n, &s->device[s->tree.devices]))
		s->tree.devices++;
	return MNL_CB_OK;
}

/* ETHTOOL_GSET's struct: its newer sister has the same rate and needs two calls. */
static uint64_t scan_rate(int fd, const char *name)
{
	struct ethtool_cmd cmd = { .cmd = ETHTOOL_GSET };
	struct ifreq ifr = { .ifr_data = (char *)&cmd };
	uint32_t speed;

	memcpy(ifr.ifr_name, name, strnlen(name, IF_NAMESIZE - 1));
	if (fd < 0 || ioctl(fd, SIOCETHTOOL, &ifr))
		return 0;
	speed = ethtool_cmd_speed(&cmd);
	return speed == (uint32_t)SPEED_UNKNOWN ? 0 : speed * SCAN_MEGABIT;
}

/* Not the socket of dumps, so that no news is among their answers. */
static int scan_open_links(void)
{
	const struct sockaddr_nl all = { .nl_family = AF_NETLINK, .nl_groups = RTMGRP_LINK };
	int fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC | SOCK_NONBLOCK, NETLINK_ROUTE);

	if (fd < 0 || !bind(fd, (const struct sockaddr *)&all, sizeof(all)))
		return fd;
	close(fd);
	return -1;
}

struct scan *scan_open(char *why, size_t size)
{
	struct scan *s = calloc(1, sizeof(*s));

	if (!s) {
		fail(why, size, "no memory");
		return NULL;
	}
	s->tree.record = s->record;
	s->tree.class = s->class;
	s->tree.device = s->device;
	s->ethtool = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	s->links = scan_open_links();
	if (s->links >= 0 && !nl_socket_open(NETLINK_ROUTE))
		return s;
	fail(why, size, "cannot open a netlink socket: %s", strerror(errno));
	scan_close(s);
	return NULL;
}

static int scan_dump(struct scan *s, uint16_t type, size_t header, uint32_t ifindex, mnl_cb_t reply,
		     char *why, size_t size)
{
	struct nl_refusal refusal = { 0 };
	struct nl_request request;
	void *head = nl_begin(&request, type, 1, header);
	int ret;

	if (type != RTM_GETLINK)
		((struct tcmsg *)head)->tcm_ifindex = ifindex;
	ret = nl_exchange(&request.n, header, reply, s, &refusal);
	if (ret < 0)
		return fail(why, size, "cannot read the kernel's tables: %s%s%s",
			    strerror(refusal.error), *refusal.text ? ": " : "", refusal.text);
	return ret;
}

int scan_qdiscs(struct scan *s, char *why, size_t size)
{
	s->tree.records = 0;
	return scan_dump(s, RTM_GETQDISC, sizeof(struct tcmsg), 0, scan_on_qdisc, why, size);
}

static bool scan_has_htb(const struct scan *s, uint32_t ifindex)
{
	size_t i;

	for (i = 0; i < s->tree.records; i++)
		if (s->record[i].ifindex == ifindex && s->record[i].kind == RECORD_HTB)
			return true;
	return false;
}

/* A device that has just gone has no classes: the next scan does not find it. */
static void scan_classes(struct scan *s)
{
	char why[TREE_TEXT];
	size_t i;

	s->tree.classes = 0;
	for (i = 0; i < s->tree.devices; i++)
		if (scan_has_htb(s, s->device[i].ifindex))
			scan_dump(s, RTM_GETTCLASS, sizeof(struct tcmsg), s->device[i].ifindex,
				  scan_on_class, why, sizeof(why));
}

int scan_devices(struct scan *s, char *why, size_t size)
{
	size_t i;

	s->tree.devices = 0;
	if (scan_dump(s, RTM_GETLINK, sizeof(struct ifinfomsg), 0, scan_on_device, why, size) < 0)
		return -1;
	for (i = 0; i < s->tree.devices; i++)
		s->device[i].rate_bps = scan_rate(s->ethtool, s->device[i].name);
	scan_classes(s);
	return 0;
}

/* A full buffer only shows that something changed, which is all that is needed. */
void scan_links(struct scan *s)
{
	char news[8192];
	int most;

	for (most = 0; most < SCAN_NEWS; most++)
		if (recv(s->links, news, sizeof(news), 0) < 0 && errno != ENOBUFS)
			break;
}

void scan_close(struct scan *s)
{
	if (!s)
		return;
	nl_socket_close();
	if (s->ethtool >= 0)
		close(s->ethtool);
	if (s->links >= 0)
		close(s->links);
	free(s);
}
