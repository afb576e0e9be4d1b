// SPDX-License-Identifier: GPL-2.0
/*
 * Requests over netlink, and their answers.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "netlink.h"
#include "netlink_socket.h"

static uint32_t nl_serial;

/**
 * struct nl_pending - a request that waits for its answers
 * @request: the request
 * @header: bytes of the family's header in it
 * @reply: called for each answer
 * @data: for @reply
 * @why: where to write a refusal
 * @interrupted: the kernel's tables changed while they were dumped
 */
struct nl_pending {
	const struct nlmsghdr	*request;
	size_t			header;
	mnl_cb_t		reply;
	void			*data;
	struct nl_refusal	*why;
	int			interrupted;
};

int nl_fail(struct nl_refusal *why, int error, const char *text)
{
	memset(why, 0, sizeof(*why));
	why->error = error;
	snprintf(why->text, sizeof(why->text), "%s", text);
	return -1;
}

void *nl_begin(struct nl_request *request, uint16_t type, int dump,
	       size_t header)
{
	memset(request, 0, sizeof(*request));
	mnl_nlmsg_put_header(request);
	request->n.nlmsg_type = type;
	request->n.nlmsg_flags = NLM_F_REQUEST | (dump ? NLM_F_DUMP :
							 NLM_F_ACK);
	return mnl_nlmsg_put_extra_header(&request->n, header);
}

void nl_index(const void *payload, size_t len, const struct nlattr **attrs,
	      uint16_t max)
{
	const struct nlattr *attr = payload;

	memset(attrs, 0, sizeof(*attrs) * (max + 1));
	/* By hand: four calls of the library for each attribute are most of what a dump takes. */
	while (len >= sizeof(*attr) && attr->nla_len >= sizeof(*attr) && attr->nla_len <= len) {
		uint16_t type = attr->nla_type & NLA_TYPE_MASK;
		size_t step = MNL_ALIGN(attr->nla_len);

		if (type <= max)
			attrs[type] = attr;
		if (step >= len)
			return;
		len -= step;
		attr = (const struct nlattr *)((const char *)attr + step);
	}
}

void nl_index_nest(const struct nlattr *nest, const struct nlattr **attrs,
		   uint16_t max)
{
	if (nest)
		nl_index(mnl_attr_get_payload(nest),
			 mnl_attr_get_payload_len(nest), attrs, max);
	else
		memset(attrs, 0, sizeof(*attrs) * (max + 1));
}

void nl_index_message(const struct nlmsghdr *n, size_t header,
		      const struct nlattr **attrs, uint16_t max)
{
	size_t len = mnl_nlmsg_get_payload_len(n), skip = MNL_ALIGN(header);

	nl_index(mnl_nlmsg_get_payload_offset(n, header),
		 len < skip ? 0 : len - skip, attrs, max);
}

void nl_struct(const struct nlattr *attr, void *to, size_t size)
{
	size_t len = attr ? mnl_attr_get_payload_len(attr) : 0;

	memset(to, 0, size);
	if (len)
		memcpy(to, mnl_attr_get_payload(attr), len < size ? len : size);
}

/* The attribute of a request that lies at an offset of it; 0 if none does. */
static uint16_t nl_attr_at(const struct nl_pending *x, uint32_t offset)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, x->request, x->header)
		if ((const char *)attr == (const char *)x->request + offset)
			return mnl_attr_get_type(attr);
	return 0;
}

static void nl_explain(struct nl_pending *x, const void *payload, size_t len)
{
	const struct nlattr *attrs[NLMSGERR_ATTR_MAX + 1];
	const struct nlattr *attr;

	nl_index(payload, len, attrs, NLMSGERR_ATTR_MAX);
	attr = attrs[NLMSGERR_ATTR_MSG];
	if (attr && !mnl_attr_validate(attr, MNL_TYPE_NUL_STRING))
		snprintf(x->why->text, sizeof(x->why->text), "%s",
			 mnl_attr_get_str(attr));
	attr = attrs[NLMSGERR_ATTR_OFFS];
	if (attr && !mnl_attr_validate(attr, MNL_TYPE_U32))
		x->why->attr = nl_attr_at(x, mnl_attr_get_u32(attr));
	attr = attrs[NLMSGERR_ATTR_MISS_TYPE];
	if (attr && !mnl_attr_validate(attr, MNL_TYPE_U32)) {
		x->why->attr = mnl_attr_get_u32(attr);
		x->why->missing = 1;
	}
}

/* An acknowledgment: of a request, or with an error number, a refusal. */
static int nl_on_error(const struct nlmsghdr *n, void *data)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(n);
	size_t len = mnl_nlmsg_get_payload_len(n);
	struct nl_pending *x = data;
	size_t skip = sizeof(*err);

	if (len < sizeof(*err)) {
		nl_fail(x->why, EBADMSG, "");
		return MNL_CB_ERROR;
	}
	if (!err->error)
		return MNL_CB_STOP;
	nl_fail(x->why, -err->error, "");
	/* An older kernel repeats the whole request first. */
	if (!(n->nlmsg_flags & NLM_F_CAPPED) &&
	    err->msg.nlmsg_len >= sizeof(err->msg))
		skip += MNL_ALIGN(err->msg.nlmsg_len) - sizeof(err->msg);
	if (n->nlmsg_flags & NLM_F_ACK_TLVS && skip < len)
		nl_explain(x, (const char *)err + skip, len - skip);
	return MNL_CB_ERROR;
}

/* The end of a dump, which may end in an error. */
static int nl_on_done(const struct nlmsghdr *n, void *data)
{
	const int *error = mnl_nlmsg_get_payload(n);
	size_t len = mnl_nlmsg_get_payload_len(n);
	struct nl_pending *x = data;

	if (len < sizeof(*error) || *error >= 0)
		return MNL_CB_STOP;
	nl_fail(x->why, -*error, "");
	if (n->nlmsg_flags & NLM_F_ACK_TLVS)
		nl_explain(x, error + 1, len - sizeof(*error));
	return MNL_CB_ERROR;
}

static int nl_on_reply(const struct nlmsghdr *n, void *data)
{
	struct nl_pending *x = data;

	return x->reply ? x->reply(n, x->data) : MNL_CB_OK;
}

static mnl_cb_t nl_control[] = {
	[NLMSG_ERROR] = nl_on_error,
	[NLMSG_DONE] = nl_on_done,
};

/* libmnl stops at a message with the flag, although its content is valid. */
static void nl_note_interrupted(struct nl_pending *x, char *buffer, size_t len)
{
	struct nlmsghdr *n = (struct nlmsghdr *)buffer;
	int left = len;

	for (; mnl_nlmsg_ok(n, left); n = mnl_nlmsg_next(n, &left)) {
		if (n->nlmsg_flags & NLM_F_DUMP_INTR)
			x->interrupted = 1;
		n->nlmsg_flags &= ~NLM_F_DUMP_INTR;
	}
}

static int nl_wait(struct nl_pending *x)
{
	static char buffer[NL_SOCKET_BYTES];
	ssize_t len;
	int status;

	do {
		len = nl_socket_receive(buffer);
		if (len < 0)
			return nl_fail(x->why, errno, "cannot receive from the kernel");
		nl_note_interrupted(x, buffer, len);
		x->why->error = 0;
		status = mnl_cb_run2(buffer, len, nl_serial, nl_socket_port(),
				     nl_on_reply, x, nl_control,
				     MNL_ARRAY_SIZE(nl_control));
		if (status < 0 && !x->why->error)
			return nl_fail(x->why, errno,
				       "the kernel's answer is garbled");
	} while (status > 0);
	return status ? status : x->interrupted;
}

int nl_exchange(struct nlmsghdr *request, size_t header, mnl_cb_t reply,
		void *data, struct nl_refusal *why)
{
	struct nl_pending x = {
		.request = request,
		.header = header,
		.reply = reply,
		.data = data,
		.why = why,
	};

	request->nlmsg_seq = ++nl_serial;
	if (nl_socket_send(request, request->nlmsg_len))
		return nl_fail(why, errno, "cannot send to the kernel");
	return nl_wait(&x);
}
