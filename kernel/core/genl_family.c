// SPDX-License-Identifier: GPL-2.0
/*
 * The generic netlink family.  Its requests come from genl.c as it is
 * registered: those who answer them need the family.
 *
 * Without parallel_ops requests would have the lock that all such families of the
 * machine share, and a tenant's that waits, for RCU or for RTNL, would hold up
 * everybody's.  So those of a namespace have a lock of their own, onramp_net.change,
 * for as long as they run; dumps take it where they read what it protects.
 *
 * A namespace stays while it has a request or a dump: the socket that asked has it.
 * The module stays, too: of requests, genl_unregister_family() waits for those that
 * run, and a dump has the module from when it begins.
 */
#include <linux/module.h>

#include "genl.h"

static const struct genl_multicast_group onramp_genl_groups[] = {
	{ .name = ONRAMP_GENL_MONITOR },
};

static int onramp_genl_begin(const struct compat_genl_ops *ops,
			     struct sk_buff *skb, struct genl_info *info)
{
	mutex_lock(&onramp_net_of(genl_info_net(info))->change);
	return 0;
}

static void onramp_genl_end(const struct compat_genl_ops *ops,
			    struct sk_buff *skb, struct genl_info *info)
{
	mutex_unlock(&onramp_net_of(genl_info_net(info))->change);
}

struct genl_family onramp_genl_family __ro_after_init = {
	.name = ONRAMP_GENL_NAME,
	.version = ONRAMP_GENL_VERSION,
	.netnsok = true,
	.parallel_ops = true,
	.pre_doit = onramp_genl_begin,
	.post_doit = onramp_genl_end,
	.module = THIS_MODULE,
	.mcgrps = onramp_genl_groups,
	.n_mcgrps = ARRAY_SIZE(onramp_genl_groups),
};
EXPORT_SYMBOL_GPL(onramp_genl_family);

int onramp_genl_limit_check(struct sk_buff *skb, struct genl_info *info,
			    const struct nlattr *limit, u32 most)
{
	u64 value;

	if (!limit)
		return 0;
	value = nla_len(limit) == sizeof(u64) ? nla_get_u64(limit) :
						nla_get_u32(limit);
	if (value <= most || netlink_capable(skb, CAP_NET_ADMIN))
		return 0;
	NL_SET_ERR_MSG_ATTR(info->extack, limit,
			    "limits: above the default only with CAP_NET_ADMIN in the initial user namespace");
	return -EPERM;
}
EXPORT_SYMBOL_GPL(onramp_genl_limit_check);
