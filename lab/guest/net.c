// SPDX-License-Identifier: GPL-2.0
/* net.c - links, addresses, routes and neighbours, over rtnetlink */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/if_addr.h>
#include <linux/if_bridge.h>
#include <linux/if_link.h>
#include <linux/neighbour.h>
#include <linux/rtnetlink.h>
#include <stdlib.h>
#include <string.h>

#include "net.h"
#include "netns.h"
#include "run.h"

enum { BUFFER_BYTES = 65536 };

static struct mnl_socket *sockets[TOPO_NS_MAX];
static _Alignas(NLMSG_ALIGNTO) char buffer[BUFFER_BYTES];
static unsigned int sequence;

/**
 * net_open() - open the netlink socket of a namespace
 * @ns: its index
 */
void net_open(unsigned int ns)
{
	struct mnl_socket *nl;
	int one = 1;

	netns_enter(ns);
	nl = mnl_socket_open2(NETLINK_ROUTE, SOCK_CLOEXEC);
	netns_leave();
	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0)
		fail(0, "netlink: %s", strerror(errno));
	mnl_socket_setsockopt(nl, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(nl, NETLINK_CAP_ACK, &one, sizeof(one));
	sockets[ns] = nl;
}

static struct nlmsghdr *begin(int type, int flags)
{
	struct nlmsghdr *msg = mnl_nlmsg_put_header(buffer);

	msg->nlmsg_type = type;
	msg->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	msg->nlmsg_seq = ++sequence;
	return msg;
}

/* The kernel's message about an error, or "" if it has none. */
static const char *kernel_message(const struct nlmsghdr *msg)
{
	const struct nlattr *attr;

	if (!(msg->nlmsg_flags & NLM_F_ACK_TLVS))
		return "";
	mnl_attr_for_each(attr, msg, sizeof(struct nlmsgerr)) {
		if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG &&
		    !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
			return mnl_attr_get_str(attr);
	}
	return "";
}

/*
 * Send a request and wait for its acknowledgment; an answer before it goes
 * to @answer.
 */
static void talk(unsigned int ns, unsigned int line, struct nlmsghdr *msg,
		 void (*answer)(const struct nlmsghdr *msg, void *data),
		 void *data)
{
	static _Alignas(NLMSG_ALIGNTO) char reply[BUFFER_BYTES];
	struct mnl_socket *nl = sockets[ns];

	if (mnl_socket_sendto(nl, msg, msg->nlmsg_len) < 0)
		fail(line, "netlink: %s", strerror(errno));
	for (;;) {
		ssize_t len = mnl_socket_recvfrom(nl, reply, sizeof(reply));
		const struct nlmsghdr *got = (struct nlmsghdr *)reply;
		int left = len;

		if (len < 0)
			fail(line, "netlink: %s", strerror(errno));
		for (; mnl_nlmsg_ok(got, left); got = mnl_nlmsg_next(got, &left)) {
			const struct nlmsgerr *err = mnl_nlmsg_get_payload(got);
			const char *message;

			if (got->nlmsg_type != NLMSG_ERROR) {
				if (answer)
					answer(got, data);
				continue;
			}
			if (!err->error)
				return;
			message = kernel_message(got);
			fail(line, "%s%s%s", strerror(-err->error),
			     *message ? ": " : "", message);
		}
	}
}

static void set_up(unsigned int ns, unsigned int line, unsigned int ifindex)
{
	struct nlmsghdr *msg = begin(RTM_NEWLINK, 0);
	struct ifinfomsg *info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));

	info->ifi_index = ifindex;
	info->ifi_flags = IFF_UP;
	info->ifi_change = IFF_UP;
	talk(ns, line, msg, NULL, NULL);
}

/**
 * net_up_lo() - set the loopback up
 * @ns: index of the namespace
 * @line: line of the topology script to blame
 */
void net_up_lo(unsigned int ns, unsigned int line)
{
	set_up(ns, line, 1);
}

static void take_ifindex(const struct nlmsghdr *msg, void *data)
{
	const struct ifinfomsg *info = mnl_nlmsg_get_payload(msg);

	*(unsigned int *)data = info->ifi_index;
}

static unsigned int ifindex_of(unsigned int ns, unsigned int line,
			       const char *dev)
{
	struct nlmsghdr *msg = begin(RTM_GETLINK, 0);
	unsigned int ifindex = 0;

	mnl_nlmsg_put_extra_header(msg, sizeof(struct ifinfomsg));
	mnl_attr_put_strz(msg, IFLA_IFNAME, dev);
	talk(ns, line, msg, take_ifindex, &ifindex);
	return ifindex;
}

/* What both ends of a pair have, after their struct ifinfomsg. */
static void put_end(struct nlmsghdr *msg, const struct topo_end *end)
{
	mnl_attr_put_strz(msg, IFLA_IFNAME, end->dev);
	mnl_attr_put_u32(msg, IFLA_NET_NS_FD, netns_fd(end->ns));
	mnl_attr_put(msg, IFLA_ADDRESS, sizeof(end->mac), end->mac);
	if (end->mtu)
		mnl_attr_put_u32(msg, IFLA_MTU, end->mtu);
	if (end->queues)
		mnl_attr_put_u32(msg, IFLA_NUM_TX_QUEUES, end->queues);
}

/* IFLA_LINKINFO of one end; that of the first holds the whole second end. */
static void put_info(struct nlmsghdr *msg, const struct topo_end *end,
		     const struct topo_end *peer)
{
	struct nlattr *info = mnl_attr_nest_start(msg, IFLA_LINKINFO);
	struct nlattr *data, *nest;
	struct ifinfomsg *flags;
	int attr;

	mnl_attr_put_strz(msg, IFLA_INFO_KIND, LABNIC_KIND);
	data = mnl_attr_nest_start(msg, IFLA_INFO_DATA);
	for (attr = 0; attr <= IFLA_LABNIC_MAX; attr++)
		if (end->given & 1ULL << attr)
			mnl_attr_put_u64(msg, attr, end->value[attr]);
	if (peer) {
		nest = mnl_attr_nest_start(msg, IFLA_LABNIC_PEER);
		flags = mnl_nlmsg_put_extra_header(msg, sizeof(*flags));
		flags->ifi_flags = IFF_UP;
		flags->ifi_change = IFF_UP;
		put_end(msg, peer);
		put_info(msg, peer, NULL);
		mnl_attr_nest_end(msg, nest);
	}
	mnl_attr_nest_end(msg, data);
	mnl_attr_nest_end(msg, info);
}

/**
 * net_link() - make a labnic pair, both ends up
 * @step: link directive
 */
void net_link(const struct topo_step *step)
{
	struct nlmsghdr *msg = begin(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
	struct ifinfomsg *info = mnl_nlmsg_put_extra_header(msg, sizeof(*info));

	info->ifi_flags = IFF_UP;
	info->ifi_change = IFF_UP;
	put_end(msg, &step->end[0]);
	put_info(msg, &step->end[0], &step->end[1]);
	talk(TOPO_NS_ROOT, step->line, msg, NULL, NULL);
}

/* A bridge that sends nothing by itself. */
static void add_bridge(const struct topo_step *step)
{
	struct nlmsghdr *msg = begin(RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(msg, sizeof(*ifi));
	struct nlattr *info, *data;

	ifi->ifi_flags = IFF_UP;
	ifi->ifi_change = IFF_UP;
	mnl_attr_put_strz(msg, IFLA_IFNAME, step->dev);
	info = mnl_attr_nest_start(msg, IFLA_LINKINFO);
	mnl_attr_put_strz(msg, IFLA_INFO_KIND, "bridge");
	data = mnl_attr_nest_start(msg, IFLA_INFO_DATA);
	mnl_attr_put_u32(msg, IFLA_BR_STP_STATE, 0);
	mnl_attr_put_u8(msg, IFLA_BR_MCAST_SNOOPING, 0);
	mnl_attr_nest_end(msg, data);
	mnl_attr_nest_end(msg, info);
	talk(step->ns, step->line, msg, NULL, NULL);
}

static void add_port(const struct topo_step *step, unsigned int port,
		     unsigned int bridge)
{
	struct nlmsghdr *msg = begin(RTM_NEWLINK, 0);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(msg, sizeof(*ifi));

	ifi->ifi_index = port;
	mnl_attr_put_u32(msg, IFLA_MASTER, bridge);
	talk(step->ns, step->line, msg, NULL, NULL);
}

/* It neither learns nor floods. */
static void still_port(const struct topo_step *step, unsigned int port)
{
	static const int off[] = { IFLA_BRPORT_LEARNING, IFLA_BRPORT_UNICAST_FLOOD,
				   IFLA_BRPORT_MCAST_FLOOD, IFLA_BRPORT_BCAST_FLOOD };
	struct nlmsghdr *msg = begin(RTM_NEWLINK, 0);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(msg, sizeof(*ifi));
	struct nlattr *info, *data;
	size_t i;

	ifi->ifi_index = port;
	info = mnl_attr_nest_start(msg, IFLA_LINKINFO);
	mnl_attr_put_strz(msg, IFLA_INFO_SLAVE_KIND, "bridge");
	data = mnl_attr_nest_start(msg, IFLA_INFO_SLAVE_DATA);
	for (i = 0; i < sizeof(off) / sizeof(*off); i++)
		mnl_attr_put_u8(msg, off[i], 0);
	mnl_attr_nest_end(msg, data);
	mnl_attr_nest_end(msg, info);
	talk(step->ns, step->line, msg, NULL, NULL);
}

/* Frames for this address leave by this port. */
static void add_fdb(const struct topo_step *step, unsigned int port,
		    const uint8_t *mac)
{
	struct nlmsghdr *msg = begin(RTM_NEWNEIGH, NLM_F_CREATE | NLM_F_EXCL);
	struct ndmsg *nd = mnl_nlmsg_put_extra_header(msg, sizeof(*nd));

	nd->ndm_family = AF_BRIDGE;
	nd->ndm_ifindex = port;
	nd->ndm_state = NUD_NOARP | NUD_REACHABLE;
	nd->ndm_flags = NTF_MASTER;
	mnl_attr_put(msg, NDA_LLADDR, 6, mac);
	talk(step->ns, step->line, msg, NULL, NULL);
}

/**
 * net_bridge() - make a bridge of ports
 * @topo: the topology script
 * @step: bridge directive
 *
 * It knows the address at the other end of each port's link, and learns none.
 */
void net_bridge(const struct topo *topo, const struct topo_step *step)
{
	unsigned int bridge, port, i;
	const struct topo_end *host;

	add_bridge(step);
	bridge = ifindex_of(step->ns, step->line, step->dev);
	for (i = 0; step->argv[i]; i++) {
		port = ifindex_of(step->ns, step->line, step->argv[i]);
		add_port(step, port, bridge);
		still_port(step, port);
		topo_find_end(topo, step->ns, step->argv[i], &host);
		add_fdb(step, port, host->mac);
	}
}

static size_t address_bytes(const struct topo_address *address)
{
	return address->family == AF_INET6 ? 16 : 4;
}

static void put_address(struct nlmsghdr *msg, int attr,
			const struct topo_address *address)
{
	mnl_attr_put(msg, attr, address_bytes(address), address->bytes);
}

static void add_neigh(unsigned int ns, unsigned int line, const char *dev,
		      const struct topo_address *address, const uint8_t *mac)
{
	unsigned int ifindex = ifindex_of(ns, line, dev);
	struct nlmsghdr *msg = begin(RTM_NEWNEIGH, NLM_F_CREATE |
				     NLM_F_REPLACE);
	struct ndmsg *nd = mnl_nlmsg_put_extra_header(msg, sizeof(*nd));

	nd->ndm_family = address->family;
	nd->ndm_ifindex = ifindex;
	nd->ndm_state = NUD_PERMANENT;
	put_address(msg, NDA_DST, address);
	mnl_attr_put(msg, NDA_LLADDR, 6, mac);
	talk(ns, line, msg, NULL, NULL);
}

/**
 * net_neigh() - add a permanent neighbour
 * @step: neigh directive
 */
void net_neigh(const struct topo_step *step)
{
	add_neigh(step->ns, step->line, step->dev, &step->address, step->mac);
}

/**
 * net_addr() - give an interface an address
 * @topo: the topology script
 * @step: addr directive
 *
 * The other end of the interface's link learns it as a permanent neighbour, so
 * that nobody asks during the run.
 */
void net_addr(const struct topo *topo, const struct topo_step *step)
{
	unsigned int ifindex = ifindex_of(step->ns, step->line, step->dev);
	struct nlmsghdr *msg = begin(RTM_NEWADDR, NLM_F_CREATE | NLM_F_EXCL);
	struct ifaddrmsg *ifa = mnl_nlmsg_put_extra_header(msg, sizeof(*ifa));
	const struct topo_end *end, *other;

	ifa->ifa_family = step->address.family;
	ifa->ifa_prefixlen = step->address.plen;
	ifa->ifa_flags = IFA_F_NODAD;
	ifa->ifa_index = ifindex;
	put_address(msg, IFA_LOCAL, &step->address);
	put_address(msg, IFA_ADDRESS, &step->address);
	talk(step->ns, step->line, msg, NULL, NULL);

	end = topo_find_end(topo, step->ns, step->dev, &other);
	if (end)
		add_neigh(other->ns, step->line, other->dev, &step->address,
			  end->mac);
}

static void put_hops(struct nlmsghdr *msg, const struct topo_step *step)
{
	struct nlattr *nest = mnl_attr_nest_start(msg, RTA_MULTIPATH);
	unsigned int i;

	for (i = 0; i < step->nhops; i++) {
		const struct topo_hop *hop = &step->hop[i];
		struct rtnexthop *next;

		next = mnl_nlmsg_put_extra_header(msg, sizeof(*next));
		next->rtnh_ifindex = if_nametoindex(hop->dev);
		put_address(msg, RTA_GATEWAY, &hop->via);
		next->rtnh_len = (char *)mnl_nlmsg_get_payload_tail(msg) -
				 (char *)next;
		if (!next->rtnh_ifindex)
			fail(step->line, "no interface %s", hop->dev);
	}
	mnl_attr_nest_end(msg, nest);
}

static void put_metrics(struct nlmsghdr *msg, const struct topo_step *step)
{
	struct nlattr *nest;

	if (!step->initcwnd && !step->quickack)
		return;
	nest = mnl_attr_nest_start(msg, RTA_METRICS);
	if (step->initcwnd)
		mnl_attr_put_u32(msg, RTAX_INITCWND, step->initcwnd);
	if (step->quickack)
		mnl_attr_put_u32(msg, RTAX_QUICKACK, 1);
	mnl_attr_nest_end(msg, nest);
}

/**
 * net_route() - add a route, over several next hops if there are several
 * @step: route directive
 */
void net_route(const struct topo_step *step)
{
	struct nlmsghdr *msg = begin(RTM_NEWROUTE, NLM_F_CREATE | NLM_F_EXCL);
	struct rtmsg *rtm = mnl_nlmsg_put_extra_header(msg, sizeof(*rtm));

	rtm->rtm_family = step->address.family;
	rtm->rtm_dst_len = step->address.plen;
	rtm->rtm_table = RT_TABLE_MAIN;
	rtm->rtm_protocol = RTPROT_STATIC;
	rtm->rtm_scope = RT_SCOPE_UNIVERSE;
	rtm->rtm_type = RTN_UNICAST;
	put_address(msg, RTA_DST, &step->address);
	put_metrics(msg, step);
	netns_enter(step->ns);
	put_hops(msg, step);
	netns_leave();
	talk(step->ns, step->line, msg, NULL, NULL);
}

/**
 * net_watch() - gather queue statistics of a port in a window
 * @topo: the topology script
 * @step: watch directive
 */
void net_watch(const struct topo *topo, const struct topo_step *step)
{
	unsigned int ifindex = ifindex_of(step->ns, step->line, step->dev);
	struct nlmsghdr *msg = begin(RTM_NEWLINK, 0);
	struct ifinfomsg *ifi = mnl_nlmsg_put_extra_header(msg, sizeof(*ifi));
	struct nlattr *info, *data;

	ifi->ifi_index = ifindex;
	info = mnl_attr_nest_start(msg, IFLA_LINKINFO);
	mnl_attr_put_strz(msg, IFLA_INFO_KIND, LABNIC_KIND);
	data = mnl_attr_nest_start(msg, IFLA_INFO_DATA);
	mnl_attr_put_u64(msg, IFLA_LABNIC_WINDOW_FROM,
			 topo->epoch + step->from);
	mnl_attr_put_u64(msg, IFLA_LABNIC_WINDOW_UNTIL,
			 topo->epoch + step->until);
	mnl_attr_put_u64(msg, IFLA_LABNIC_WINDOW_SAMPLE, step->sample);
	mnl_attr_nest_end(msg, data);
	mnl_attr_nest_end(msg, info);
	talk(step->ns, step->line, msg, NULL, NULL);
}
