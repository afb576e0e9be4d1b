// SPDX-License-Identifier: GPL-2.0
/*
 * Requests over generic netlink.
 */
#include <errno.h>
#include <string.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>

#include "genl.h"

/**
 * struct genl_search - a family that is being looked for
 * @group: name of the multicast group; NULL: none
 * @family: filled
 */
struct genl_search {
	const char		*group;
	struct genl_family	*family;
};

static void genl_find_group(struct genl_search *search,
			    const struct nlattr *groups)
{
	const struct nlattr *attrs[CTRL_ATTR_MCAST_GRP_MAX + 1];
	const struct nlattr *group, *name, *id;

	mnl_attr_for_each_nested(group, groups) {
		nl_index_nest(group, attrs, CTRL_ATTR_MCAST_GRP_MAX);
		name = attrs[CTRL_ATTR_MCAST_GRP_NAME];
		id = attrs[CTRL_ATTR_MCAST_GRP_ID];
		if (name && id && !mnl_attr_validate(id, MNL_TYPE_U32) &&
		    !mnl_attr_validate(name, MNL_TYPE_NUL_STRING) &&
		    !strcmp(mnl_attr_get_str(name), search->group))
			search->family->group = mnl_attr_get_u32(id);
	}
}

static int genl_on_family(const struct nlmsghdr *n, void *data)
{
	const struct nlattr *attrs[CTRL_ATTR_MAX + 1];
	struct genl_search *search = data;
	const struct nlattr *id;

	nl_index_message(n, GENL_HDRLEN, attrs, CTRL_ATTR_MAX);
	id = attrs[CTRL_ATTR_FAMILY_ID];
	if (id && !mnl_attr_validate(id, MNL_TYPE_U16))
		search->family->id = mnl_attr_get_u16(id);
	if (attrs[CTRL_ATTR_MCAST_GROUPS] && search->group)
		genl_find_group(search, attrs[CTRL_ATTR_MCAST_GROUPS]);
	return MNL_CB_OK;
}

void genl_header(struct nl_request *request, uint16_t family, uint8_t cmd,
		 uint8_t version, int dump)
{
	struct genlmsghdr *g = nl_begin(request, family, dump, sizeof(*g));

	g->cmd = cmd;
	g->version = version;
}

int genl_resolve(const char *name, const char *group,
		 struct genl_family *family, struct nl_refusal *why)
{
	struct genl_search search = { .group = group, .family = family };
	struct nl_request request;

	memset(family, 0, sizeof(*family));
	genl_header(&request, GENL_ID_CTRL, CTRL_CMD_GETFAMILY, 1, 0);
	mnl_attr_put_strz(&request.n, CTRL_ATTR_FAMILY_NAME, name);
	if (nl_exchange(&request.n, GENL_HDRLEN, genl_on_family, &search,
			why) < 0)
		return -1;
	if (!family->id)
		return nl_fail(why, EBADMSG, "the family has no number");
	return 0;
}

void genl_put(struct nl_request *request, uint16_t attr, const void *data,
	      size_t len)
{
	mnl_attr_put_check(&request->n, sizeof(request->buffer), attr, len,
			   data);
}
