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
static uint32_t genl_serial;

/**
 * struct genl_exchange - a request that waits for its answers
 * @request: the request
 * @reply: whom to tell
 * @data: for @reply
 * @why: where to write a refusal
 * @interrupted: the kernel's tables changed while they were dumped
 */
struct genl_exchange {
	const struct nlmsghdr	*request;
	genl_reply_fn		reply;
	void			*data;
	struct genl_refusal	*why;
	int			interrupted;
};

/* What does not fit into a table is of a newer kernel. */
static void genl_index(const void *payload, size_t len,
		       const struct nlattr **attrs, uint16_t max)
{
	const struct nlattr *attr;

	memset(attrs, 0, sizeof(*attrs) * (max + 1));
	mnl_attr_for_each_payload(payload, len)
		if (mnl_attr_get_type(attr) <= max)
			attrs[mnl_attr_get_type(attr)] = attr;
}

static void genl_index_message(const struct nlmsghdr *n,
			       const struct nlattr **attrs, uint16_t max)
{
	size_t len = mnl_nlmsg_get_payload_len(n);

	if (len < GENL_HDRLEN)
		len = GENL_HDRLEN;
	genl_index(mnl_nlmsg_get_payload_offset(n, GENL_HDRLEN),
		   len - GENL_HDRLEN, attrs, max);
}

void genl_parse_nest(const struct nlattr *nest, const struct nlattr **attrs)
{
	genl_index(mnl_attr_get_payload(nest), mnl_attr_get_payload_len(nest),
		   attrs, ONRAMP_A_MAX);
}

static int genl_fail(struct genl_refusal *why, int error, const char *text)
{
	memset(why, 0, sizeof(*why));
	why->error = error;
	snprintf(why->text, sizeof(why->text), "%s", text);
	return -1;
}

/* The attribute of a request that lies at an offset of it; 0 if none does. */
static uint16_t genl_attr_at(const struct nlmsghdr *request, uint32_t offset)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, request, GENL_HDRLEN)
		if ((const char *)attr == (const char *)request + offset)
			return mnl_attr_get_type(attr);
	return 0;
}

static void genl_explain(struct genl_exchange *x, const void *payload,
			 size_t len)
{
	const struct nlattr *attrs[NLMSGERR_ATTR_MAX + 1];
	const struct nlattr *attr;

	genl_index(payload, len, attrs, NLMSGERR_ATTR_MAX);
	attr = attrs[NLMSGERR_ATTR_MSG];
	if (attr && !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
		snprintf(x->why->text, sizeof(x->why->text), "%s",
			 mnl_attr_get_str(attr));
	attr = attrs[NLMSGERR_ATTR_OFFS];
	if (attr && !mnl_attr_validate(attr, MNL_TYPE_U32))
		x->why->attr = genl_attr_at(x->request, mnl_attr_get_u32(attr));
	attr = attrs[NLMSGERR_ATTR_MISS_TYPE];
	if (attr && !mnl_attr_validate(attr, MNL_TYPE_U32)) {
		x->why->attr = mnl_attr_get_u32(attr);
		x->why->missing = 1;
	}
}

/* An acknowledgment: of a request, or with an error number, a refusal. */
static int genl_on_error(const struct nlmsghdr *n, void *data)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(n);
	size_t len = mnl_nlmsg_get_payload_len(n);
	struct genl_exchange *x = data;
	size_t skip = sizeof(*err);

	if (len < sizeof(*err)) {
		genl_fail(x->why, EBADMSG, "");
		return MNL_CB_ERROR;
	}
	if (!err->error)
		return MNL_CB_STOP;
	genl_fail(x->why, -err->error, "");
	/* An older kernel repeats the whole request first. */
	if (!(n->nlmsg_flags & NLM_F_CAPPED) &&
	    err->msg.nlmsg_len >= sizeof(err->msg))
		skip += MNL_ALIGN(err->msg.nlmsg_len) - sizeof(err->msg);
	if (n->nlmsg_flags & NLM_F_ACK_TLVS && skip < len)
		genl_explain(x, (const char *)err + skip, len - skip);
	return MNL_CB_ERROR;
}

/* The end of a dump, which may end in an error. */
static int genl_on_done(const struct nlmsghdr *n, void *data)
{
	const int *error = mnl_nlmsg_get_payload(n);
	size_t len = mnl_nlmsg_get_payload_len(n);
	struct genl_exchange *x = data;

	if (len < sizeof(*error) || *error >= 0)
		return MNL_CB_STOP;
	genl_fail(x->why, -*error, "");
	if (n->nlmsg_flags & NLM_F_ACK_TLVS)
		genl_explain(x, error + 1, len - sizeof(*error));
	return MNL_CB_ERROR;
}

static int genl_on_reply(const struct nlmsghdr *n, void *data)
{
	const struct genlmsghdr *g = mnl_nlmsg_get_payload(n);
	const struct nlattr *attrs[ONRAMP_A_MAX + 1];
	struct genl_exchange *x = data;

	if (n->nlmsg_type != genl_family ||
	    mnl_nlmsg_get_payload_len(n) < GENL_HDRLEN || !x->reply)
		return MNL_CB_OK;
	genl_index_message(n, attrs, ONRAMP_A_MAX);
	x->reply(g->cmd, attrs, x->data);
	return MNL_CB_OK;
}

static mnl_cb_t genl_control[] = {
	[NLMSG_ERROR] = genl_on_error,
	[NLMSG_DONE] = genl_on_done,
};

/* libmnl gives up where the flag is; what is told is true all the same. */
static void genl_note_interrupted(struct genl_exchange *x, char *room,
				  size_t len)
{
	struct nlmsghdr *n = (struct nlmsghdr *)room;
	int left = len;

	for (; mnl_nlmsg_ok(n, left); n = mnl_nlmsg_next(n, &left)) {
		if (n->nlmsg_flags & NLM_F_DUMP_INTR)
			x->interrupted = 1;
		n->nlmsg_flags &= ~NLM_F_DUMP_INTR;
	}
}

static int genl_exchange(struct genl_exchange *x, struct nlmsghdr *request,
			 mnl_cb_t reply)
{
	static char room[LINK_ROOM];
	ssize_t len;
	int status;

	request->nlmsg_seq = ++genl_serial;
	x->request = request;
	if (link_send(request, request->nlmsg_len))
		return genl_fail(x->why, errno, "cannot send to the kernel");
	do {
		len = link_receive(room);
		if (len < 0)
			return genl_fail(x->why, errno,
					 "cannot hear the kernel");
		genl_note_interrupted(x, room, len);
		x->why->error = 0;
		status = mnl_cb_run2(room, len, genl_serial, link_port(), reply,
				     x, genl_control,
				     MNL_ARRAY_SIZE(genl_control));
		if (status < 0 && !x->why->error)
			return genl_fail(x->why, errno,
					 "the kernel's answer is garbled");
	} while (status > 0);
	return status;
}

static void genl_find_group(const struct nlattr *groups)
{
	const struct nlattr *attrs[CTRL_ATTR_MCAST_GRP_MAX + 1];
	const struct nlattr *group, *name, *id;

	mnl_attr_for_each_nested(group, groups) {
		genl_index(mnl_attr_get_payload(group),
			   mnl_attr_get_payload_len(group), attrs,
			   CTRL_ATTR_MCAST_GRP_MAX);
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

	genl_index_message(n, attrs, CTRL_ATTR_MAX);
	id = attrs[CTRL_ATTR_FAMILY_ID];
	if (id && !mnl_attr_validate(id, MNL_TYPE_U16))
		genl_family = mnl_attr_get_u16(id);
	if (attrs[CTRL_ATTR_MCAST_GROUPS])
		genl_find_group(attrs[CTRL_ATTR_MCAST_GROUPS]);
	return MNL_CB_OK;
}

static void genl_header(struct genl_request *request, uint16_t type,
			uint8_t cmd, uint8_t version, int dump)
{
	struct genlmsghdr *g;

	memset(request, 0, sizeof(*request));
	mnl_nlmsg_put_header(request);
	request->n.nlmsg_type = type;
	request->n.nlmsg_flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP :
							  NLM_F_ACK);
	g = mnl_nlmsg_put_extra_header(&request->n, sizeof(*g));
	g->cmd = cmd;
	g->version = version;
}

int genl_open(struct genl_refusal *why)
{
	struct genl_exchange x = { .why = why };
	struct genl_request request;

	if (link_open())
		return genl_fail(why, errno, "no netlink socket");
	genl_header(&request, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1, 0);
	mnl_attr_put_strz(&request.n, CTRL_ATTR_FAMILY_NAME, ONRAMP_GENL_NAME);
	if (genl_exchange(&x, &request.n, genl_on_family))
		return -1;
	if (!genl_family)
		return genl_fail(why, EBADMSG, "the family has no number");
	return 0;
}

void genl_begin(struct genl_request *request, uint8_t cmd, int dump)
{
	genl_header(request, genl_family, cmd, ONRAMP_GENL_VERSION, dump);
}

void genl_put(struct genl_request *request, uint16_t attr, const void *data,
	      size_t len)
{
	mnl_attr_put_check(&request->n, sizeof(request->room), attr, len, data);
}

int genl_ask(struct genl_request *request, genl_reply_fn reply, void *data,
	     struct genl_refusal *why)
{
	struct genl_exchange x = { .reply = reply, .data = data, .why = why };

	if (genl_exchange(&x, &request->n, genl_on_reply))
		return -1;
	if (x.interrupted)
		fprintf(stderr, "onrampctl: changes meanwhile: some may be missing, or twice\n");
	return 0;
}

void genl_listen(genl_reply_fn event, void (*lost)(void *data), void *data,
		 struct genl_refusal *why)
{
	struct genl_exchange x = { .reply = event, .data = data, .why = why };
	static char room[LINK_ROOM];
	ssize_t len;

	if (!genl_group) {
		genl_fail(why, ENOENT,
			  "the kernel has no group " ONRAMP_GENL_MONITOR);
		return;
	}
	if (link_join(genl_group)) {
		genl_fail(why, errno, "cannot listen");
		return;
	}
	for (;;) {
		len = link_receive(room);
		if (len >= 0) {
			mnl_cb_run2(room, len, 0, 0, genl_on_reply, &x,
				    genl_control, MNL_ARRAY_SIZE(genl_control));
		} else if (errno == ENOBUFS) {
			lost(data);
		} else {
			genl_fail(why, errno, "cannot hear the kernel");
			return;
		}
	}
}
