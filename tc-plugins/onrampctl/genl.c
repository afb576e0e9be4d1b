// SPDX-License-Identifier: GPL-2.0
/*
 * Requests to the family "onramp", what comes back, and why if nothing does.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "genl.h"
#include "link.h"

static uint16_t genl_family;
static uint32_t genl_group;

/**
 * struct genl_receiver - function that receives answers
 * @reply: called for each; NULL: none
 * @data: for @reply
 */
struct genl_receiver {
	genl_reply_fn	reply;
	void		*data;
};

void genl_parse_nest(const struct nlattr *nest, const struct nlattr **attrs)
{
	nl_index_nest(nest, attrs, ONRAMP_A_MAX);
}

static int genl_on_reply(const struct nlmsghdr *n, void *data)
{
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(n);
	const struct nlattr *attrs[ONRAMP_A_MAX + 1];
	struct genl_receiver *answers = data;

	if (n->nlmsg_type != genl_family ||
	    mnl_nlmsg_get_payload_len(n) < GENL_HDRLEN || !answers->reply)
		return MNL_CB_OK;
	nl_index_message(n, GENL_HDRLEN, attrs, ONRAMP_A_MAX);
	answers->reply(g->cmd, attrs, answers->data);
	return MNL_CB_OK;
}

static void genl_find_group(const struct nlattr *groups)
{
	const struct nlattr *attrs[CTRL_ATTR_MCAST_GRP_MAX + 1];
	const struct nlattr *group, *name, *id;

	mnl_attr_for_each_nested(group, groups) {
		nl_index_nest(group, attrs, CTRL_ATTR_MCAST_GRP_MAX);
		name = attrs[CTRL_ATTR_MCAST_GRP_NAME];
		id = attrs[CTRL_ATTR_MCAST_GRP_ID];
		if (name && id && !mnl_attr_validate(id, MNL_TYPE_U32) &&
		    !mnl_attr_validate(name, MNL_TYPE_NUL_STRING) &&
		    !strcmp(mnl_attr_get_str(name), ONRAMP_GENL_MONITOR))
			genl_group = mnl_attr_get_u32(id);
	}
}

static int genl_on_family(const struct nlmsghdr *n, void *data)
{
	const struct nlattr *attrs[CTRL_ATTR_MAX + 1];
	const struct nlattr *id;
	uint16_t *family = data;

	nl_index_message(n, GENL_HDRLEN, attrs, CTRL_ATTR_MAX);
	id = attrs[CTRL_ATTR_FAMILY_ID];
	if (id && !mnl_attr_validate(id, MNL_TYPE_U16))
		*family = mnl_attr_get_u16(id);
	if (attrs[CTRL_ATTR_MCAST_GROUPS])
		genl_find_group(attrs[CTRL_ATTR_MCAST_GROUPS]);
	return MNL_CB_OK;
}

void genl_header(struct nl_request *request, uint16_t family, uint8_t cmd,
		 uint8_t version, int dump)
{
	struct genlmsghdr *g = nl_begin(request, family, dump, sizeof(*g));

	g->cmd = cmd;
	g->version = version;
}

int genl_resolve(const char *name, uint16_t *family, struct nl_refusal *why)
{
	struct nl_request request;

	*family = 0;
	genl_header(&request, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1, 0);
	mnl_attr_put_strz(&request.n, CTRL_ATTR_FAMILY_NAME, name);
	if (nl_exchange(&request.n, GENL_HDRLEN, genl_on_family, family,
			why) < 0)
		return -1;
	if (!*family)
		return nl_fail(why, EBADMSG, "the family has no number");
	return 0;
}

int genl_open(struct nl_refusal *why)
{
	if (link_open(NETLINK_GENERIC))
		return nl_fail(why, errno, "no netlink socket");
	return genl_resolve(ONRAMP_GENL_NAME, &genl_family, why);
}

void genl_begin(struct nl_request *request, uint8_t cmd, int dump)
{
	genl_header(request, genl_family, cmd, ONRAMP_GENL_VERSION, dump);
}

void genl_put(struct nl_request *request, uint16_t attr, const void *data,
	      size_t len)
{
	mnl_attr_put_check(&request->n, sizeof(request->room), attr, len, data);
}

int genl_exchange(struct nl_request *request, genl_reply_fn reply, void *data,
		  struct nl_refusal *why)
{
	struct genl_receiver answers = { .reply = reply, .data = data };

	return nl_exchange(&request->n, GENL_HDRLEN, genl_on_reply, &answers,
			   why);
}

int genl_ask(struct nl_request *request, genl_reply_fn reply, void *data,
	     struct nl_refusal *why)
{
	int status = genl_exchange(request, reply, data, why);

	if (status > 0)
		fprintf(stderr,
			"onrampctl: the state changed while it was read: entries may be missing or duplicate\n");
	return status < 0 ? -1 : 0;
}

void genl_listen(genl_reply_fn event, void (*lost)(void *data), void *data,
		 struct nl_refusal *why)
{
	struct genl_receiver answers = { .reply = event, .data = data };
	static char room[LINK_ROOM];
	ssize_t len;

	if (!genl_group) {
		nl_fail(why, ENOENT,
			"the kernel has no group " ONRAMP_GENL_MONITOR);
		return;
	}
	if (link_join(genl_group)) {
		nl_fail(why, errno, "cannot listen");
		return;
	}
	for (;;) {
		len = link_receive(room);
		if (len >= 0) {
			mnl_cb_run(room, len, 0, 0, genl_on_reply, &answers);
		} else if (errno == ENOBUFS) {
			lost(data);
		} else {
			nl_fail(why, errno, "cannot receive from the kernel");
			return;
		}
	}
}
