// SPDX-License-Identifier: GPL-2.0
/*
 * Ask labnic over rtnetlink for things it must refuse, print its message, and
 * for the edges of what it accepts.  Runs in a lab's guest as root; TAP.
 */
#include <errno.h>
#include <inttypes.h>
#include <libmnl/libmnl.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>
#include <net/if.h>
#include <stdlib.h>
#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "../labnic_uapi.h"

static struct mnl_socket *nl;
static char message[256];

/* Send, return the errno of the answer and keep the kernel's message. */
static int talk(struct nlmsghdr *msg)
{
	_Alignas(NLMSG_ALIGNTO) char reply[8192] = { 0 };
	const struct nlmsghdr *got = (struct nlmsghdr *)reply;
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(got);
	const struct nlattr *attr;

	message[0] = 0;
	msg->nlmsg_flags |= NLM_F_REQUEST | NLM_F_ACK;
	if (mnl_socket_sendto(nl, msg, msg->nlmsg_len) < 0 ||
	    mnl_socket_recvfrom(nl, reply, sizeof(reply)) < 0 ||
	    got->nlmsg_type != NLMSG_ERROR) {
		printf("Bail out! netlink: %s\n", strerror(errno));
		exit(1);
	}
	if (got->nlmsg_flags & NLM_F_ACK_TLVS)
		mnl_attr_for_each(attr, got, sizeof(*err))
			if (mnl_attr_get_type(attr) == NLMSGERR_ATTR_MSG)
				snprintf(message, sizeof(message), "%s",
					 mnl_attr_get_str(attr));
	return -err->error;
}

static struct nlmsghdr *link_message(char *buffer, int type, int flags,
				     const char *name)
{
	struct nlmsghdr *msg = mnl_nlmsg_put_header(buffer);

	msg->nlmsg_type = type;
	msg->nlmsg_flags = flags;
	mnl_nlmsg_put_extra_header(msg, sizeof(struct ifinfomsg));
	mnl_attr_put_strz(msg, IFLA_IFNAME, name);
	return msg;
}

/* A request: one attribute, for the first end or for the peer. */
struct wish {
	int attr;
	uint64_t value;
	bool peer;
	bool narrow;	/* send a u32 where a u64 belongs */
	int index;	/* of the peer; 0: any */
};

static void put_wish(struct nlmsghdr *msg, const struct wish *wish)
{
	struct nlattr *data = mnl_attr_nest_start(msg, IFLA_INFO_DATA);

	if (wish->narrow)
		mnl_attr_put_u32(msg, wish->attr, wish->value);
	else
		mnl_attr_put_u64(msg, wish->attr, wish->value);
	mnl_attr_nest_end(msg, data);
}

static int create(const struct wish *wish)
{
	_Alignas(NLMSG_ALIGNTO) char buffer[8192];
	struct nlattr *info, *data, *peer, *inner;
	struct ifinfomsg *head;
	struct nlmsghdr *msg;

	msg = link_message(buffer, RTM_NEWLINK, NLM_F_CREATE | NLM_F_EXCL, "x");
	info = mnl_attr_nest_start(msg, IFLA_LINKINFO);
	mnl_attr_put_strz(msg, IFLA_INFO_KIND, LABNIC_KIND);
	if (wish->peer) {
		data = mnl_attr_nest_start(msg, IFLA_INFO_DATA);
		peer = mnl_attr_nest_start(msg, IFLA_LABNIC_PEER);
		head = mnl_nlmsg_put_extra_header(msg, sizeof(*head));
		head->ifi_index = wish->index;
		inner = mnl_attr_nest_start(msg, IFLA_LINKINFO);
		put_wish(msg, wish);
		mnl_attr_nest_end(msg, inner);
		mnl_attr_nest_end(msg, peer);
		mnl_attr_nest_end(msg, data);
	} else {
		put_wish(msg, wish);
	}
	mnl_attr_nest_end(msg, info);
	return talk(msg);
}

static int change(uint64_t from, uint64_t until, int other)
{
	_Alignas(NLMSG_ALIGNTO) char buffer[8192];
	struct nlattr *info, *data;
	struct nlmsghdr *msg;

	msg = link_message(buffer, RTM_NEWLINK, 0, "x");
	info = mnl_attr_nest_start(msg, IFLA_LINKINFO);
	mnl_attr_put_strz(msg, IFLA_INFO_KIND, LABNIC_KIND);
	data = mnl_attr_nest_start(msg, IFLA_INFO_DATA);
	if (from != UINT64_MAX)
		mnl_attr_put_u64(msg, IFLA_LABNIC_WINDOW_FROM, from);
	if (until != UINT64_MAX)
		mnl_attr_put_u64(msg, IFLA_LABNIC_WINDOW_UNTIL, until);
	if (other)
		mnl_attr_put_u64(msg, other, 5000000);
	mnl_attr_nest_end(msg, data);
	mnl_attr_nest_end(msg, info);
	return talk(msg);
}

static int delete(void)
{
	_Alignas(NLMSG_ALIGNTO) char buffer[8192];

	return talk(link_message(buffer, RTM_DELLINK, 0, "x"));
}

/* Refused by a message with the range, and nothing is left behind. */
static void refuse_value(const char *name, int attr, uint64_t value,
			 uint64_t min, uint64_t max)
{
	struct wish wish = { .attr = attr, .value = value };
	char expected[128];
	int i, err;

	snprintf(expected, sizeof(expected),
		 "labnic: %s must be %" PRIu64 " to %" PRIu64, name, min, max);
	for (i = 0; i < 2; i++) {
		wish.peer = i;
		err = create(&wish);
		if (!tap_ok(err == ERANGE && !strcmp(message, expected),
			    "refused: %s=%" PRIu64 " of %s", name, value,
			    i ? "the peer" : "the port"))
			tap_remark("error %d, '%s'", err, message);
	}
	tap_ok(!if_nametoindex("x") && !if_nametoindex("labnic0"),
	       "refused: nothing is left");
}

static void accept_value(const char *name, int attr, uint64_t value)
{
	const struct wish wish = { .attr = attr, .value = value };
	int err = create(&wish);

	if (!tap_ok(!err && if_nametoindex("x") && !delete() &&
		    !if_nametoindex("x") && !if_nametoindex("labnic0"),
		    "accepted: %s=%" PRIu64 ", deleted with its peer", name,
		    value))
		tap_remark("error %d, '%s'", err, message);
}

/* The table itself says the ranges; its edges are what is tried. */
static void ranges(void)
{
	static const struct {
		const char *name;
		int attr;
		uint64_t min;
		uint64_t max;
	} table[] = {
#define LABNIC_P(NAME, name, min, max, host, sw) \
		{ #name, IFLA_LABNIC_##NAME, min, max },
		LABNIC_PARAMS(LABNIC_P)
#undef LABNIC_P
		{ "profile", IFLA_LABNIC_PROFILE, 0, 1 },
	};
	size_t i;

	for (i = 0; i < sizeof(table) / sizeof(*table); i++) {
		accept_value(table[i].name, table[i].attr, table[i].min);
		accept_value(table[i].name, table[i].attr, table[i].max);
		if (table[i].min)
			refuse_value(table[i].name, table[i].attr,
				     table[i].min - 1, table[i].min,
				     table[i].max);
		if (table[i].max != UINT64_MAX)
			refuse_value(table[i].name, table[i].attr,
				     table[i].max + 1, table[i].min,
				     table[i].max);
	}
}

static void widths(void)
{
	const struct wish wish = {
		.attr = IFLA_LABNIC_RATE, .value = 10000000, .narrow = true,
	};
	int err = create(&wish);

	tap_ok(err == ERANGE || err == EINVAL, "refused: an attribute too short");
}

static void indices(void)
{
	struct wish wish = {
		.attr = IFLA_LABNIC_TSO, .value = 1, .peer = true, .index = 77,
	};

	tap_ok(!create(&wish) && if_nametoindex("labnic0") == 77 && !delete(),
	       "accepted: a peer of index 77");
	wish.index = if_nametoindex("lo");
	tap_ok(create(&wish) == EBUSY && !if_nametoindex("x"),
	       "refused: a peer of an index that another device has");
	wish.index = -1;
	tap_ok(create(&wish) == EINVAL && !if_nametoindex("x"),
	       "refused: a peer of a negative index");
}

static void windows(void)
{
	const struct wish wish = { .attr = IFLA_LABNIC_TSO, .value = 1 };

	tap_ok(!create(&wish), "a port to change");
	tap_ok(change(5, 5, 0) == EINVAL &&
	       !strcmp(message, "labnic: window: until must be after from"),
	       "refused: an empty window");
	tap_ok(change(5, UINT64_MAX, 0) == EINVAL &&
	       strstr(message, "window needs both"), "refused: half a window");
	tap_ok(change(5, 6, IFLA_LABNIC_RATE) == EOPNOTSUPP &&
	       strstr(message, "fixed when the pair is made"),
	       "refused: another rate for a living port");
	tap_ok(!change(5, 6, 0) && !change(7, 8, 0),
	       "accepted: a window, and another");
	tap_ok(!delete(), "delete a watched port");
}

int main(void)
{
	int one = 1;

	nl = mnl_socket_open(NETLINK_ROUTE);
	if (!nl || mnl_socket_bind(nl, 0, MNL_SOCKET_AUTOPID) < 0) {
		printf("Bail out! netlink: %s\n", strerror(errno));
		return 1;
	}
	mnl_socket_setsockopt(nl, NETLINK_EXT_ACK, &one, sizeof(one));
	mnl_socket_setsockopt(nl, NETLINK_CAP_ACK, &one, sizeof(one));
	ranges();
	widths();
	indices();
	windows();
	return tap_done();
}
