// SPDX-License-Identifier: GPL-2.0
/*
 * Network devices by name.  if_nametoindex() takes alternative names, too, but no
 * name longer than IFNAMSIZ.
 */
#include <stdio.h>
#include <string.h>
#include <net/if.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "device.h"
#include "netlink.h"
#include "netlink_socket.h"

static int device_on_link(const struct nlmsghdr *n, void *data)
{
	const struct ifinfomsg *info = mnl_nlmsg_get_payload(n);
	unsigned int *ifindex = data;

	if (n->nlmsg_type == RTM_NEWLINK &&
	    mnl_nlmsg_get_payload_len(n) >= sizeof(*info))
		*ifindex = info->ifi_index;
	return MNL_CB_OK;
}

static unsigned int device_by_long_name(const char *name)
{
	struct nl_request request;
	unsigned int ifindex = 0;
	struct nl_refusal why;
	int failed;

	if (strlen(name) >= DEVICE_NAME_MAX || nl_socket_open(NETLINK_ROUTE))
		return 0;
	nl_begin(&request, RTM_GETLINK, 0, sizeof(struct ifinfomsg));
	mnl_attr_put_strz(&request.n, IFLA_ALT_IFNAME, name);
	failed = nl_exchange(&request.n, sizeof(struct ifinfomsg), device_on_link,
			     &ifindex, &why);
	nl_socket_close();
	return failed ? 0 : ifindex;
}

unsigned int device_index(const char *name)
{
	return strlen(name) < IFNAMSIZ ? if_nametoindex(name) :
					 device_by_long_name(name);
}

unsigned int device_name(const char *name, char own[IF_NAMESIZE])
{
	unsigned int ifindex = device_index(name);

	if (!ifindex || !if_indextoname(ifindex, own))
		snprintf(own, IF_NAMESIZE, "%.*s", IF_NAMESIZE - 1, name);
	return ifindex;
}
