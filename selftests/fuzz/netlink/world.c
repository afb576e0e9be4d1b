// SPDX-License-Identifier: GPL-2.0
/* A network namespace to be maltreated. */
#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/capability.h>
#include <linux/genetlink.h>
#include <linux/if_ether.h>
#include <linux/if_link.h>
#include <linux/if_packet.h>
#include <linux/netlink.h>
#include <linux/onramp.h>
#include <linux/pkt_sched.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "labnic_uapi.h"
#include "talk.h"
#include "world.h"

/* Packets keep the namespace of their socket: at a low maxrate one leaves a second, of some 170. */
#define WORLD_PATIENCE_S 300

static int world_home = -1;

static void world_enter(int namespace)
{
	if (setns(namespace, CLONE_NEWNET))
		err(2, "setns");
}

/* CAP_NET_ADMIN, for what this process does next. */
static void world_power(bool on)
{
	struct __user_cap_header_struct head = {.version = _LINUX_CAPABILITY_VERSION_3};
	struct __user_cap_data_struct caps[2];

	if (syscall(SYS_capget, &head, caps))
		err(2, "capget");
	caps[0].effective &= ~(1U << CAP_NET_ADMIN);
	if (on)
		caps[0].effective |= 1U << CAP_NET_ADMIN;
	if (syscall(SYS_capset, &head, caps))
		err(2, "capset");
}

static int world_socket(enum world_door door, enum input_speaker speaker)
{
	struct sockaddr_nl any = {.nl_family = AF_NETLINK};
	int on = 1, fd;

	if (speaker == SPEAKER_POWERLESS)
		world_power(false);
	fd = socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC,
		    door == DOOR_ROUTE ? NETLINK_ROUTE : NETLINK_GENERIC);
	if (fd < 0 || bind(fd, (void *)&any, sizeof(any)))
		err(2, "netlink");
	if (speaker == SPEAKER_POWERLESS)
		world_power(true);
	if (speaker == SPEAKER_STRICT) {
		setsockopt(fd, SOL_NETLINK, NETLINK_GET_STRICT_CHK, &on, sizeof(on));
		setsockopt(fd, SOL_NETLINK, NETLINK_EXT_ACK, &on, sizeof(on));
		setsockopt(fd, SOL_NETLINK, NETLINK_CAP_ACK, &on, sizeof(on));
	}
	return fd;
}

/* A request that must do. */
static void world_ask(const struct world *world, struct nlmsghdr *message)
{
	struct talk said;

	message->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	said = talk(world->own, message, message->nlmsg_len, message->nlmsg_seq, NULL, NULL);
	if (!said.heard || said.error)
		errx(2, "a namespace is not made: message of type %u: %s", message->nlmsg_type,
		     strerror(said.error));
}

static struct nlmsghdr *world_link(void *room, uint16_t type, int ifindex)
{
	struct nlmsghdr *message = mnl_nlmsg_put_header(room);
	struct ifinfomsg *info;

	message->nlmsg_type = type;
	info = mnl_nlmsg_put_extra_header(message, sizeof(*info));
	info->ifi_index = ifindex;
	if (type == RTM_NEWLINK)
		*info = (struct ifinfomsg){
			.ifi_index = ifindex, .ifi_flags = IFF_UP, .ifi_change = IFF_UP};
	return message;
}

static void world_add_dummy(const struct world *world, int ifindex)
{
	char room[1024] = {};
	struct nlmsghdr *message = world_link(room, RTM_NEWLINK, ifindex);
	struct nlattr *nest;

	message->nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
	nest = mnl_attr_nest_start(message, IFLA_LINKINFO);
	mnl_attr_put_strz(message, IFLA_INFO_KIND, "dummy");
	mnl_attr_nest_end(message, nest);
	world_ask(world, message);
}

static void world_add_prio(const struct world *world, int ifindex)
{
	static const struct tc_prio_qopt prio = {.bands = 3};
	char room[1024] = {};
	struct nlmsghdr *message = mnl_nlmsg_put_header(room);
	struct tcmsg *tc;

	message->nlmsg_type = RTM_NEWQDISC;
	message->nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
	tc = mnl_nlmsg_put_extra_header(message, sizeof(*tc));
	tc->tcm_ifindex = ifindex;
	tc->tcm_handle = 0x10000;
	tc->tcm_parent = TC_H_ROOT;
	mnl_attr_put_strz(message, TCA_KIND, "prio");
	mnl_attr_put(message, TCA_OPTIONS, sizeof(prio), &prio);
	world_ask(world, message);
}

static void world_put_labnic(struct nlmsghdr *message)
{
	mnl_attr_put_u64(message, IFLA_LABNIC_RATE, 1000000);
	mnl_attr_put_u64(message, IFLA_LABNIC_RING, 1);
	mnl_attr_put_u64(message, IFLA_LABNIC_PHC, 1);
}

/* The attributes of the other end are nested as those of this one. */
static void world_put_peer(struct nlmsghdr *message)
{
	struct nlattr *peer = mnl_attr_nest_start(message, IFLA_LABNIC_PEER), *info, *data;
	struct ifinfomsg *head = mnl_nlmsg_get_payload_tail(message);

	*head = (struct ifinfomsg){
		.ifi_index = GRAMMAR_IFINDEX_PEER,
		.ifi_flags = IFF_UP,
		.ifi_change = IFF_UP,
	};
	message->nlmsg_len += MNL_ALIGN(sizeof(*head));
	info = mnl_attr_nest_start(message, IFLA_LINKINFO);
	data = mnl_attr_nest_start(message, IFLA_INFO_DATA);
	world_put_labnic(message);
	mnl_attr_nest_end(message, data);
	mnl_attr_nest_end(message, info);
	mnl_attr_nest_end(message, peer);
}

static void world_add_slow(const struct world *world)
{
	char room[1024] = {};
	struct nlmsghdr *message = world_link(room, RTM_NEWLINK, GRAMMAR_IFINDEX_SLOW);
	struct nlattr *info, *data;

	message->nlmsg_flags = NLM_F_CREATE | NLM_F_EXCL;
	info = mnl_attr_nest_start(message, IFLA_LINKINFO);
	mnl_attr_put_strz(message, IFLA_INFO_KIND, LABNIC_KIND);
	data = mnl_attr_nest_start(message, IFLA_INFO_DATA);
	world_put_labnic(message);
	world_put_peer(message);
	mnl_attr_nest_end(message, data);
	mnl_attr_nest_end(message, info);
	world_ask(world, message);
}

static void world_plug(const struct world *world, int ifindex)
{
	if (ifindex == GRAMMAR_IFINDEX_SLOW)
		world_add_slow(world);
	else
		world_add_dummy(world, ifindex);
	if (ifindex == GRAMMAR_IFINDEX_PRIO)
		world_add_prio(world, ifindex);
}

/**
 * world_begin() - make a namespace
 * @world: written
 */
void world_begin(struct world *world)
{
	char name[IF_NAMESIZE];
	int door, speaker, ifindex;

	if (world_home < 0)
		world_home = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	if (unshare(CLONE_NEWNET))
		err(2, "unshare");
	world->namespace = open("/proc/self/ns/net", O_RDONLY | O_CLOEXEC);
	for (door = 0; door < DOORS; door++)
		for (speaker = 0; speaker < SPEAKERS; speaker++)
			world->sockets[door][speaker] = world_socket(door, speaker);
	world->own = world_socket(DOOR_ROUTE, SPEAKER_PLAIN);
	world->packets = socket(AF_PACKET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
	if (world->namespace < 0 || world->packets < 0)
		err(2, "a namespace is not made");
	world->sent = 0;
	for (ifindex = GRAMMAR_IFINDEX_DUMMY; ifindex <= GRAMMAR_IFINDEX_SLOW; ifindex++)
		world_plug(world, ifindex);
	for (ifindex = GRAMMAR_IFINDEX_DUMMY; ifindex <= GRAMMAR_IFINDEX_PEER; ifindex++)
		if (!if_indextoname(ifindex, name))
			err(2, "a namespace has no device %d", ifindex);
	world_enter(world_home);
}

/**
 * world_say() - send a request whose answer nobody waits for
 * @world: the namespace
 * @door: by which socket
 * @speaker: same
 * @message: the request
 * @bytes: its length
 */
void world_say(const struct world *world, enum world_door door, enum input_speaker speaker,
	       const void *message, size_t bytes)
{
	if (send(world->sockets[door][speaker], message, bytes, 0) < 0)
		err(2, "a request is not sent");
}

static void world_begin_dump(const struct world *world, enum world_door door,
			     enum input_speaker speaker)
{
	bool route = door == DOOR_ROUTE;
	char room[64] = {};
	struct nlmsghdr *message = mnl_nlmsg_put_header(room);
	struct genlmsghdr *genl;

	message->nlmsg_flags = NLM_F_REQUEST | NLM_F_DUMP;
	message->nlmsg_type = route ? RTM_GETQDISC : world_family(world);
	genl = mnl_nlmsg_put_extra_header(message, route ? sizeof(struct tcmsg) : GENL_HDRLEN);
	if (!route)
		genl->cmd = ONRAMP_CMD_DEV_GET;
	world_say(world, door, speaker, message, message->nlmsg_len);
}

/**
 * world_end() - let it go, while it is asked for dumps
 * @world: the namespace; the kernel takes it apart when it has time
 */
void world_end(struct world *world)
{
	int door, speaker;

	for (door = 0; door < DOORS; door++)
		for (speaker = 0; speaker < SPEAKERS; speaker++)
			world_begin_dump(world, door, speaker);
	for (door = 0; door < DOORS; door++)
		for (speaker = 0; speaker < SPEAKERS; speaker++)
			close(world->sockets[door][speaker]);
	close(world->own);
	close(world->packets);
	close(world->namespace);
}

/* How many qdiscs of a kind there are, in whatever namespace; 0 without the module. */
static unsigned long world_uses(const char *path)
{
	FILE *file = fopen(path, "re");
	unsigned long count = 0;

	if (!file)
		return 0;
	if (fscanf(file, "%lu", &count) != 1)
		errx(2, "%s is no number", path);
	fclose(file);
	return count;
}

static bool world_has_qdiscs(void)
{
	return world_uses("/sys/module/sch_ecnsharp/refcnt") ||
	       world_uses("/sys/module/sch_onramp/refcnt");
}

/**
 * world_gone() - wait until namespaces that were let go took their qdiscs along
 *
 * Return: false if they did not.
 */
bool world_gone(void)
{
	int seconds;

	for (seconds = 0; world_has_qdiscs() && seconds < WORLD_PATIENCE_S; seconds++)
		sleep(1);
	return !world_has_qdiscs();
}

/**
 * world_reopen() - close a socket, whatever waits there, and open another one
 * @world: the namespace
 * @door: which
 * @speaker: same
 */
void world_reopen(struct world *world, enum world_door door, enum input_speaker speaker)
{
	int *fd = &world->sockets[door][speaker];

	close(*fd);
	world_enter(world->namespace);
	*fd = world_socket(door, speaker);
	world_enter(world_home);
}

/**
 * world_replug() - delete a device, and with it its qdiscs; make it again
 * @world: the namespace
 * @ifindex: the device
 */
void world_replug(struct world *world, int ifindex)
{
	char room[1024] = {};

	world_ask(world, world_link(room, RTM_DELLINK, ifindex));
	world_plug(world, ifindex);
}

/**
 * world_packet() - send TCP data
 * @world: the namespace
 * @ifindex: by which device
 *
 * Of one of four flows.  A device that is busy or gone is no error.
 */
void world_packet(struct world *world, int ifindex)
{
	struct sockaddr_ll to = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_IP),
		.sll_ifindex = ifindex,
		.sll_halen = ETH_ALEN,
		.sll_addr = {2, 0, 0, 0, 0, 1},
	};
	uint8_t packet[600] = {
		0x45,
		2,
		sizeof(packet) >> 8,
		sizeof(packet) & 255,
		0,
		0,
		0,
		0,
		64,
		IPPROTO_TCP,
		0,
		0,
		10,
		0,
		0,
		1,
		10,
		0,
		0,
		2,
		0,
		5,
		0,
		6,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
		0x50,
		0x10,
	};
	uint32_t seq = htonl(world->sent * sizeof(packet));

	packet[21] += world->sent++ % 4;
	memcpy(packet + 24, &seq, sizeof(seq));
	if (sendto(world->packets, packet, sizeof(packet), MSG_DONTWAIT, (void *)&to, sizeof(to)) <
		    0 &&
	    errno != ENOBUFS && errno != ENETDOWN && errno != EAGAIN && errno != ENXIO)
		err(2, "a packet is not sent");
}

static void world_take_family(const struct nlmsghdr *message, void *data)
{
	struct nlattr *attr;

	mnl_attr_for_each(attr, message, GENL_HDRLEN) {
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			*(uint16_t *)data = mnl_attr_get_u16(attr);
	}
}

/**
 * world_family() - the number of the generic netlink family
 * @world: a namespace
 *
 * Return: it; asked for once.
 */
uint16_t world_family(const struct world *world)
{
	static uint16_t family;
	char room[128] = {};
	struct nlmsghdr *message = mnl_nlmsg_put_header(room);
	struct genlmsghdr *genl;

	if (family)
		return family;
	message->nlmsg_type = GENL_ID_CTRL;
	message->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	genl = mnl_nlmsg_put_extra_header(message, GENL_HDRLEN);
	genl->cmd = CTRL_CMD_GETFAMILY;
	mnl_attr_put_strz(message, CTRL_ATTR_FAMILY_NAME, ONRAMP_GENL_NAME);
	talk(world->sockets[DOOR_GENERIC][SPEAKER_PLAIN], message, message->nlmsg_len,
	     message->nlmsg_seq, world_take_family, &family);
	if (!family)
		errx(2, "there is no family " ONRAMP_GENL_NAME);
	return family;
}
