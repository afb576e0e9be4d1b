// SPDX-License-Identifier: GPL-2.0
/*
 * truth - how wrong hosts' clocks are, and the common time that they have of a
 * daemon, again and again
 *
 *	truth FILE FROM EVERY UNTIL HOST ...
 *
 * From FROM to UNTIL, ns of CLOCK_MONOTONIC, which is true time, each EVERY ns a
 * line for each host, a namespace, to FILE:
 *
 *	TRUE HOST REAL RAW [COMMON BOUND LEFT EPOCH]
 *
 * TRUE is the time; REAL and RAW by how much the host's CLOCK_REALTIME and
 * CLOCK_MONOTONIC_RAW are ahead of the truth; COMMON by how much the common time
 * is, that the kernel has of a published line which may be used, BOUND what
 * is its error bound, LEFT how long it may be used still.  All in ns.
 *
 * The line is queried by generic netlink and reckoned as the kernel does, from
 * the clock that it is over.  A read of a clock costs 1 ns of virtual time, all
 * else none.
 */
#include <fcntl.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../../kernel/algo/onramp_line.h"
#include "../../kernel/include/uapi/linux/onramp.h"
#include "../../kernel/include/uapi/linux/onramp_wire.h"
#include "instant.h"

/**
 * struct host - one of them
 * @name: its namespace
 * @ns: that one's file
 * @nl: generic netlink there
 */
struct host {
	const char *name;
	int ns;
	struct mnl_socket *nl;
};

/**
 * struct published - a line of common time
 * @usable: there is one, and it may be used
 * @base: enum onramp_clock_base
 * @line: from that clock
 * @bound_ns: of its error
 * @left_ns: how long it may be used still
 * @epoch: its epoch
 */
struct published {
	bool usable;
	uint8_t base;
	struct onramp_line line;
	uint32_t bound_ns;
	uint64_t left_ns;
	uint32_t epoch;
};

static uint16_t family;		/* 0: the kernel has none */
static int64_t real_ns;		/* true CLOCK_REALTIME less CLOCK_MONOTONIC */
static int64_t raw_ns;		/* true CLOCK_MONOTONIC_RAW less the same */

/* A clock's time at the true time of the last read of the true one. */
static int64_t shown(clockid_t clock, int64_t *true_ns)
{
	*true_ns = instant_now(CLOCK_MONOTONIC);
	return instant_now(clock) - 1;
}

static struct nlmsghdr *request(char *buffer, uint16_t type, uint8_t command,
				uint8_t version)
{
	struct nlmsghdr *msg = mnl_nlmsg_put_header(buffer);
	struct genlmsghdr *genl;

	msg->nlmsg_type = type;
	msg->nlmsg_flags = NLM_F_REQUEST;
	genl = mnl_nlmsg_put_extra_header(msg, sizeof(*genl));
	genl->cmd = command;
	genl->version = version;
	return msg;
}

/* Ask and hear the answer; false: it was refused. */
static bool ask(struct mnl_socket *nl, struct nlmsghdr *msg, char *buffer,
		size_t size)
{
	const struct nlmsghdr *got = (void *)buffer;

	if (mnl_socket_sendto(nl, msg, msg->nlmsg_len) < 0 ||
	    mnl_socket_recvfrom(nl, buffer, size) < 0)
		err(1, "netlink");
	return got->nlmsg_type != NLMSG_ERROR;
}

static uint16_t find_family(struct mnl_socket *nl)
{
	_Alignas(NLMSG_ALIGNTO) char buffer[8192];
	struct nlmsghdr *msg = request(buffer, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1);
	const struct nlattr *attr;

	mnl_attr_put_strz(msg, CTRL_ATTR_FAMILY_NAME, ONRAMP_GENL_NAME);
	if (!ask(nl, msg, buffer, sizeof(buffer)))
		return 0;
	mnl_attr_for_each(attr, (struct nlmsghdr *)buffer, sizeof(struct genlmsghdr))
		if (mnl_attr_get_type(attr) == CTRL_ATTR_FAMILY_ID)
			return mnl_attr_get_u16(attr);
	return 0;
}

static void read_attr(struct published *p, const struct nlattr *attr)
{
	switch (mnl_attr_get_type(attr)) {
	case ONRAMP_A_CLOCK_ID:
		p->usable &= mnl_attr_get_u8(attr) == ONRAMP_CLOCK_PUBLISHED;
		break;
	case ONRAMP_A_CLOCK_STATE:
		p->usable &= mnl_attr_get_u8(attr);
		break;
	case ONRAMP_A_CLOCK_ERROR:
		p->bound_ns = mnl_attr_get_u32(attr);
		break;
	case ONRAMP_A_CLOCK_BASE:
		p->base = mnl_attr_get_u8(attr);
		break;
	case ONRAMP_A_CLOCK_OFFSET:
		p->line.offset_ns = mnl_attr_get_u64(attr);
		break;
	case ONRAMP_A_CLOCK_DRIFT:
		p->line.drift = mnl_attr_get_u64(attr);
		break;
	case ONRAMP_A_CLOCK_REF:
		p->line.ref_ns = mnl_attr_get_u64(attr);
		break;
	case ONRAMP_A_CLOCK_VALID:
		p->left_ns = mnl_attr_get_u64(attr);
		break;
	case ONRAMP_A_CLOCK_EPOCH:
		p->epoch = mnl_attr_get_u32(attr);
		break;
	}
}

static struct published published(const struct host *host)
{
	_Alignas(NLMSG_ALIGNTO) char buffer[8192];
	struct published p = { .usable = family };
	const struct nlattr *attr;

	if (!family)
		return p;
	p.usable = ask(host->nl, request(buffer, family, ONRAMP_CMD_CLOCK_GET,
					 ONRAMP_GENL_VERSION), buffer, sizeof(buffer));
	mnl_attr_for_each(attr, (struct nlmsghdr *)buffer, sizeof(struct genlmsghdr))
		if (p.usable)
			read_attr(&p, attr);
	return p;
}

static void print_published(const struct published *p)
{
	static const clockid_t clocks[] = {
		[ONRAMP_BASE_REALTIME] = CLOCK_REALTIME,
		[ONRAMP_BASE_MONOTONIC_RAW] = CLOCK_MONOTONIC_RAW,
		[ONRAMP_BASE_TAI] = CLOCK_TAI,
	};
	int64_t true_ns, common_ns, base_ns = shown(clocks[p->base], &true_ns);

	if (!onramp_line_map(&p->line, base_ns, &common_ns))
		return;
	printf(" %lld %u %llu %u", (long long)(common_ns - true_ns - real_ns),
	       p->bound_ns, (unsigned long long)p->left_ns, p->epoch);
}

static void sample(const struct host *host)
{
	int64_t real_at, raw_at, real, raw;
	struct published p;

	if (setns(host->ns, CLONE_NEWNET))
		err(1, "%s", host->name);
	real = shown(CLOCK_REALTIME, &real_at);
	raw = shown(CLOCK_MONOTONIC_RAW, &raw_at);
	p = published(host);
	printf("%lld %s %lld %lld", (long long)real_at, host->name,
	       (long long)(real - real_at - real_ns), (long long)(raw - raw_at - raw_ns));
	if (p.usable)
		print_published(&p);
	putchar('\n');
}

static void open_host(struct host *host, const char *name)
{
	char path[100];

	host->name = name;
	snprintf(path, sizeof(path), "/run/netns/%s", name);
	host->ns = open(path, O_RDONLY | O_CLOEXEC);
	if (host->ns < 0 || setns(host->ns, CLONE_NEWNET))
		err(1, "%s", path);
	host->nl = mnl_socket_open(NETLINK_GENERIC);
	if (!host->nl || mnl_socket_bind(host->nl, 0, MNL_SOCKET_AUTOPID))
		err(1, "netlink");
}

int main(int argc, char **argv)
{
	int64_t at = argc > 5 ? atoll(argv[2]) : 0;
	int64_t every = argc > 5 ? atoll(argv[3]) : 0;
	int64_t until = argc > 5 ? atoll(argv[4]) : 0;
	int64_t true_ns, raw;
	struct host *host;
	int i;

	if (at <= 0 || every <= 0 || until <= 0) {
		fprintf(stderr, "usage: truth FILE FROM EVERY UNTIL HOST ...\n");
		return 2;
	}
	/* The initial namespace's clocks are true. */
	real_ns = shown(CLOCK_REALTIME, &true_ns) - true_ns;
	raw = shown(CLOCK_MONOTONIC_RAW, &true_ns);
	raw_ns = raw - true_ns;
	host = calloc(argc, sizeof(*host));
	if (!host)
		err(1, "memory");
	if (!freopen(argv[1], "w", stdout))
		err(1, "%s", argv[1]);
	for (i = 5; i < argc; i++)
		open_host(&host[i], argv[i]);
	family = find_family(host[5].nl);
	for (; at < until; at += every) {
		instant_wait(at);
		for (i = 5; i < argc; i++)
			sample(&host[i]);
	}
	free(host);
	if (fclose(stdout))
		err(1, "%s", argv[1]);
	return 0;
}
