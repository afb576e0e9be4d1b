// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family.  Its requests come from genl.c as it is
 * registered: those who answer them need the family.
 */
#include <linux/module.h>

#include "genl.h"

static const struct genl_multicast_group onramp_genl_groups[] = {
	{ .name = ONRAMP_GENL_MONITOR },
};

struct genl_family onramp_genl_family __ro_after_init = {
	.name = ONRAMP_GENL_NAME,
	.version = ONRAMP_GENL_VERSION,
	.netnsok = true,
	.module = THIS_MODULE,
	.mcgrps = onramp_genl_groups,
	.n_mcgrps = ARRAY_SIZE(onramp_genl_groups),
};
EXPORT_SYMBOL_GPL(onramp_genl_family);

int onramp_genl_limit_check(struct sk_buff *skb, struct genl_info *info,
			    const struct nlattr *limit, u32 most)
{
	if (!limit || nla_get_u32(limit) <= most ||
	    netlink_capable(skb, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, limit,
			    "limits: above the default only with CAP_NET_ADMIN in the initial user namespace");
	return -EPERM;
}
EXPORT_SYMBOL_GPL(onramp_genl_limit_check);
