// SPDX-License-Identifier: GPL-2.0
/* The bytes of a request. */
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "draft.h"

/**
 * draft_add() - one more attribute
 * @draft: the request
 * @type: its type
 *
 * Return: it, without a value; the last one again if there is no room.
 */
struct draft_piece *draft_add(struct draft *draft, uint16_t type)
{
	struct draft_piece *piece;

	if (draft->count < DRAFT_PIECES)
		draft->count++;
	piece = &draft->pieces[draft->count - 1];
	memset(piece, 0, sizeof(*piece));
	piece->type = type;
	return piece;
}

/**
 * draft_remove() - one less
 * @draft: the request
 * @at: which
 */
void draft_remove(struct draft *draft, size_t at)
{
	draft->count--;
	memmove(&draft->pieces[at], &draft->pieces[at + 1],
		(draft->count - at) * sizeof(draft->pieces[0]));
}

static void draft_pieces(const struct draft *draft, struct nlmsghdr *head)
{
	size_t i;

	for (i = 0; i < draft->count; i++) {
		const struct draft_piece *piece = &draft->pieces[i];
		struct nlattr *attr = mnl_nlmsg_get_payload_tail(head);

		mnl_attr_put(head, piece->type, piece->bytes, piece->value);
		if (piece->lie)
			attr->nla_len = piece->lie;
	}
}

static void draft_genl(const struct draft *draft, struct nlmsghdr *head)
{
	struct genlmsghdr *genl = mnl_nlmsg_put_extra_header(head, sizeof(*genl));

	genl->cmd = draft->cmd;
	genl->version = draft->version;
	genl->reserved = draft->reserved;
	draft_pieces(draft, head);
}

static void draft_tc(const struct draft *draft, struct nlmsghdr *head)
{
	struct tcmsg *tc = mnl_nlmsg_put_extra_header(head, sizeof(*tc));
	struct nlattr *options;

	tc->tcm_family = draft->family;
	tc->tcm_ifindex = draft->ifindex;
	tc->tcm_handle = draft->handle;
	tc->tcm_parent = draft->parent;
	if (*draft->kind)
		mnl_attr_put_strz(head, TCA_KIND, draft->kind);
	if (!draft->options)
		return;
	options = mnl_attr_nest_start(head, TCA_OPTIONS);
	draft_pieces(draft, head);
	mnl_attr_nest_end(head, options);
	if (!draft->nested)
		options->nla_type &= NLA_TYPE_MASK;
}

/**
 * draft_write() - make bytes of it
 * @draft: the request
 * @seq: its number
 * @out: DRAFT_MESSAGE bytes, which are cleared
 *
 * Return: how many to send.
 */
size_t draft_write(const struct draft *draft, uint32_t seq, void *out)
{
	struct nlmsghdr *head;
	size_t bytes;

	memset(out, 0, DRAFT_MESSAGE);
	head = mnl_nlmsg_put_header(out);
	head->nlmsg_type = draft->type;
	head->nlmsg_flags = draft->flags;
	head->nlmsg_seq = seq;
	if (draft->command->language == LANGUAGE_GENL)
		draft_genl(draft, head);
	else
		draft_tc(draft, head);
	bytes = head->nlmsg_len;
	head->nlmsg_len += draft->lie;
	return bytes > draft->cut ? bytes - draft->cut : 1;
}
