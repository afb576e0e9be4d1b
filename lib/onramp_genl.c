// SPDX-License-Identifier: GPL-2.0
/*
 * Requests to the generic netlink family "onramp", their answers and its events.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "netlink_socket.h"
#include "onramp_genl.h"

static struct genl_family onramp_family;

/**
 * struct onramp_receiver - function that receives answers
 * @reply: called for each; NULL: none
 * @data: for @reply
 */
struct onramp_receiver {
	onramp_reply_fn	reply;
	void		*data;
};

void onramp_parse_nest(const struct nlattr *nest, const struct nlattr **attrs)
{
	nl_index_nest(nest, attrs, ONRAMP_A_MAX);
}

static int onramp_on_reply(const struct nlmsghdr *n, void *data)
{
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(n);
	const struct nlattr *attrs[ONRAMP_A_MAX + 1];
	struct onramp_receiver *receiver = data;

	if (n->nlmsg_type != onramp_family.id ||
	    mnl_nlmsg_get_payload_len(n) < GENL_HDRLEN || !receiver->reply)
		return MNL_CB_OK;
	nl_index_message(n, GENL_HDRLEN, attrs, ONRAMP_A_MAX);
	receiver->reply(g->cmd, attrs, receiver->data);
	return MNL_CB_OK;
}

int onramp_open(struct nl_refusal *why)
{
	if (nl_socket_open(NETLINK_GENERIC))
		return nl_fail(why, errno, "no netlink socket");
	return genl_resolve(ONRAMP_GENL_NAME, ONRAMP_GENL_MONITOR,
			    &onramp_family, why);
}

void onramp_begin(struct nl_request *request, uint8_t cmd, int dump)
{
	genl_header(request, onramp_family.id, cmd, ONRAMP_GENL_VERSION, dump);
}

int onramp_exchange(struct nl_request *request, onramp_reply_fn reply,
		    void *data, struct nl_refusal *why)
{
	struct onramp_receiver receiver = { .reply = reply, .data = data };

	return nl_exchange(&request->n, GENL_HDRLEN, onramp_on_reply, &receiver,
			   why);
}

void onramp_listen(onramp_reply_fn event, void (*lost)(void *data), void *data,
		   struct nl_refusal *why)
{
	struct onramp_receiver receiver = { .reply = event, .data = data };
	static char buffer[NL_SOCKET_BYTES];
	ssize_t len;

	if (!onramp_family.group) {
		nl_fail(why, ENOENT,
			"the kernel has no group " ONRAMP_GENL_MONITOR);
		return;
	}
	if (nl_socket_join(onramp_family.group)) {
		nl_fail(why, errno, "cannot listen");
		return;
	}
	for (;;) {
		len = nl_socket_receive(buffer);
		if (len >= 0) {
			mnl_cb_run(buffer, len, 0, 0, onramp_on_reply, &receiver);
		} else if (errno == ENOBUFS) {
			lost(data);
		} else {
			nl_fail(why, errno, "cannot receive from the kernel");
			return;
		}
	}
}
