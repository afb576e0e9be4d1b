// SPDX-License-Identifier: GPL-2.0
/*
 * Prefixes of addresses, as requests and dumps have them.
 */
#include <linux/module.h>
#include <net/ipv6.h>

#include "core.h"

bool onramp_prefix_covers(const struct onramp_prefix *prefix,
			  const struct in6_addr *addr)
{
	return prefix->v4 == ipv6_addr_v4mapped(addr) &&
	       ipv6_prefix_equal(addr, &prefix->addr, prefix->len);
}
EXPORT_SYMBOL_GPL(onramp_prefix_covers);

bool onramp_prefix_is(const struct onramp_prefix *a,
		      const struct onramp_prefix *b)
{
	return a->len == b->len && a->v4 == b->v4 &&
	       ipv6_addr_equal(&a->addr, &b->addr);
}
EXPORT_SYMBOL_GPL(onramp_prefix_is);

int onramp_genl_refuse(struct genl_info *info, const struct nlattr *attr,
		       int err, const char *why)
{
	compat_extack_say(info->extack, why);
	if (attr)
		NL_SET_BAD_ATTR(info->extack, attr);
	return err;
}
EXPORT_SYMBOL_GPL(onramp_genl_refuse);

/* Are the bits behind a prefix 0? */
static bool onramp_prefix_is_exact(const struct onramp_prefix *prefix)
{
	struct in6_addr masked;

	ipv6_addr_prefix(&masked, &prefix->addr, prefix->len);
	return ipv6_addr_equal(&masked, &prefix->addr);
}

int onramp_prefix_parse(struct genl_info *info, struct onramp_prefix *prefix)
{
	const struct nlattr *addr = info->attrs[ONRAMP_A_PREFIX];
	const struct nlattr *len = info->attrs[ONRAMP_A_PREFIX_LEN];

	if (!addr)
		return onramp_genl_refuse(info, NULL, -EINVAL,
					  "prefix is missing");
	if (!len)
		return onramp_genl_refuse(info, NULL, -EINVAL,
					  "prefix_len is missing");
	if (nla_len(addr) != 4 && nla_len(addr) != 16)
		return onramp_genl_refuse(info, addr, -EINVAL,
					  "prefix must be 4 or 16 bytes");
	*prefix = (struct onramp_prefix){ .v4 = nla_len(addr) == 4 };
	if (prefix->v4)
		ipv6_addr_set_v4mapped(nla_get_in_addr(addr), &prefix->addr);
	else
		prefix->addr = nla_get_in6_addr(addr);
	if (!prefix->v4 && ipv6_addr_v4mapped(&prefix->addr))
		return onramp_genl_refuse(info, addr, -EINVAL,
					  "prefix: an IPv4 address has 4 bytes");
	if (nla_get_u8(len) > 8 * nla_len(addr))
		return onramp_genl_refuse(info, len, -ERANGE, prefix->v4 ?
					  "prefix_len must be 0 to 32" :
					  "prefix_len must be 0 to 128");
	prefix->len = nla_get_u8(len) + (prefix->v4 ? 96 : 0);
	if (!onramp_prefix_is_exact(prefix))
		return onramp_genl_refuse(info, addr, -EINVAL,
					  "prefix: bits beyond prefix_len must be 0");
	return 0;
}
EXPORT_SYMBOL_GPL(onramp_prefix_parse);

int onramp_prefix_put(struct sk_buff *skb, const struct onramp_prefix *prefix)
{
	int err;

	if (prefix->v4)
		err = nla_put_in_addr(skb, ONRAMP_A_PREFIX,
				      prefix->addr.s6_addr32[3]);
	else
		err = nla_put_in6_addr(skb, ONRAMP_A_PREFIX, &prefix->addr);
	return err ?: nla_put_u8(skb, ONRAMP_A_PREFIX_LEN,
				 prefix->len - (prefix->v4 ? 96 : 0));
}
EXPORT_SYMBOL_GPL(onramp_prefix_put);
