// SPDX-License-Identifier: GPL-2.0
/*
 * Changes of qdiscs.
 */
#include <errno.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "../../lib/netlink_socket.h"
#include "change.h"

/* Serials of lib/netlink.c count up from 1. */
#define CHANGE_SERIAL	0x80000000U

static uint32_t change_serial = CHANGE_SERIAL;

size_t change_put(void *buffer, const struct change *c, uint32_t serial)
{
	struct nlmsghdr *n;
	struct tcmsg *tcm;

	memset(buffer, 0, CHANGE_BYTES);
	n = mnl_nlmsg_put_header(buffer);
	n->nlmsg_type = RTM_NEWQDISC;
	n->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK;
	n->nlmsg_seq = serial;
	tcm = mnl_nlmsg_put_extra_header(n, sizeof(*tcm));
	tcm->tcm_family = AF_UNSPEC;
	tcm->tcm_ifindex = c->ifindex;
	tcm->tcm_parent = c->parent;
	tcm->tcm_handle = c->handle;
	mnl_attr_put_strz(n, TCA_KIND, "ecnsharp");
	settings_put(n, &c->request);
	return n->nlmsg_len;
}

/* libmnl's takes a length from 2^31 on for a negative one, which is never too long. */
static bool change_is_whole(const struct nlmsghdr *n, int left)
{
	return mnl_nlmsg_ok(n, left) && n->nlmsg_len <= (uint32_t)left;
}

size_t change_acknowledge(const void *data, size_t len, struct change *c, size_t n, uint32_t serial)
{
	const struct nlmsghdr *nlh = data;
	int left = len;
	size_t count = 0;

	for (; change_is_whole(nlh, left); nlh = mnl_nlmsg_next(nlh, &left)) {
		const struct nlmsgerr *err = mnl_nlmsg_get_payload(nlh);
		uint32_t place = nlh->nlmsg_seq - serial;

		if (nlh->nlmsg_type != NLMSG_ERROR || place >= n || c[place].error >= 0 ||
		    nlh->nlmsg_len < NLMSG_HDRLEN + sizeof(*err))
			continue;
		/* Below 0 is not answered, whatever the kernel says. */
		c[place].error = err->error > 0 || err->error == INT32_MIN ? EPROTO : -err->error;
		count++;
	}
	return count;
}

int change_send(struct change *c, size_t n)
{
	static char out[CHANGE_MAX * CHANGE_BYTES], in[NL_SOCKET_BYTES];
	uint32_t serial = change_serial;
	size_t bytes = 0, answered = 0, i;
	ssize_t len;

	for (i = 0; i < n; i++) {
		c[i].error = -1;
		bytes += NLMSG_ALIGN(change_put(out + bytes, &c[i], serial + i));
	}
	change_serial += n;
	if (change_serial < CHANGE_SERIAL)
		change_serial = CHANGE_SERIAL;
	if (!n)
		return 0;
	if (nl_socket_send(out, bytes))
		return -1;
	while (answered < n) {
		len = nl_socket_receive(in);
		if (len < 0)
			return -1;
		answered += change_acknowledge(in, len, c, n, serial);
	}
	return 0;
}
