// SPDX-License-Identifier: GPL-2.0
/*
 * Network devices by their names and alternative names, in a network namespace of
 * the test's own.
 */
#include <errno.h>
#include <sched.h>
#include <string.h>
#include <linux/if_link.h>
#include <linux/rtnetlink.h>

#include "../../selftests/lib/tap.h"
#include "../device.h"
#include "../netlink.h"
#include "../netlink_socket.h"

/* The longest name, and one byte more. */
#define LONGEST	(DEVICE_NAME_MAX - 1)

static char longest[LONGEST + 1], longer[LONGEST + 2];

/* Gives the loopback device an alternative name. */
static int add_name(const char *name)
{
	struct nl_request request;
	struct nl_refusal why;
	struct nlattr *names;
	struct ifinfomsg *info;
	int failed;

	if (nl_socket_open(NETLINK_ROUTE))
		return -1;
	info = nl_begin(&request, RTM_NEWLINKPROP, 0, sizeof(*info));
	request.n.nlmsg_flags |= NLM_F_CREATE | NLM_F_EXCL | NLM_F_APPEND;
	info->ifi_index = 1;
	names = mnl_attr_nest_start(&request.n, IFLA_PROP_LIST);
	mnl_attr_put_strz(&request.n, IFLA_ALT_IFNAME, name);
	mnl_attr_nest_end(&request.n, names);
	failed = nl_exchange(&request.n, sizeof(*info), NULL, NULL, &why);
	nl_socket_close();
	return failed;
}

/* Results of device_name(). */
static bool named(const char *name, unsigned int ifindex, const char *own)
{
	char written[IF_NAMESIZE] = "before";

	if (device_name(name, written) == ifindex && !strcmp(written, own))
		return true;
	tap_remark("\"%s\": \"%s\"", name, written);
	return false;
}

int main(void)
{
	memset(longest, 'n', LONGEST);
	memset(longer, 'n', LONGEST + 1);
	if (unshare(CLONE_NEWUSER | CLONE_NEWNET)) {
		printf("1..0 # SKIP no namespaces: %s\n", strerror(errno));
		return 0;
	}
	if (!tap_ok(!add_name("alternative") && !add_name("more.than.15.characters") &&
		    !add_name(longest), "the loopback device has alternative names"))
		return tap_done();
	tap_ok(device_index("lo") == 1 && named("lo", 1, "lo"), "a device by its name");
	tap_ok(named("alternative", 1, "lo"), "by a name that fits system calls");
	tap_ok(named("more.than.15.characters", 1, "lo"), "by a longer name");
	tap_ok(named(longest, 1, "lo"), "by the longest name");
	tap_ok(named(longer, 0, "nnnnnnnnnnnnnnn") &&
	       named("other.than.15.characters", 0, "other.than.15.c") &&
	       named("none", 0, "none") && named("", 0, ""), "no device has another name");
	tap_ok(nl_socket_send("", 0) == -1 && errno == ENOTCONN, "no socket is left open");
	return tap_done();
}
