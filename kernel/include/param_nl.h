/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A parameter of a table (kernel/algo/NAME_params.h) on netlink.
 */
#ifndef SHARPRAMP_PARAM_NL_H
#define SHARPRAMP_PARAM_NL_H

#include <linux/bitops.h>
#include <net/netlink.h>

#include "compat/compat.h"
#include "algo/param_info.h"

/**
 * param_get() - the value of an attribute whose width the policy has checked
 * @attr: the attribute
 * @bits: 8, 32 or 64
 *
 * Return: the value.
 */
static inline u64 param_get(const struct nlattr *attr, u8 bits)
{
	switch (bits) {
	case 8:
		return nla_get_u8(attr);
	case 32:
		return nla_get_u32(attr);
	default:
		return nla_get_u64(attr);
	}
}

/**
 * param_put() - append an attribute to a dump
 * @skb: the message
 * @attr: type of the attribute
 * @bits: 8, 32 or 64
 * @value: fits @bits
 * @pad: attribute for the alignment of 64 bits
 *
 * Return: 0 or -EMSGSIZE.
 */
static inline int param_put(struct sk_buff *skb, int attr, u8 bits, u64 value,
			    int pad)
{
	switch (bits) {
	case 8:
		return nla_put_u8(skb, attr, value);
	case 32:
		return nla_put_u32(skb, attr, value);
	default:
		return nla_put_u64_64bit(skb, attr, value, pad);
	}
}

/**
 * struct param_nl - a table of parameters and its attributes
 * @table: the table
 * @attr: type of each parameter's attribute
 * @policy: by type of attribute; it may leave ranges to the table
 * @max_attr: the highest type
 * @pad: attribute for the alignment of 64 bits
 */
struct param_nl {
	param_table		 table;
	const u8		 *attr;
	const struct nla_policy	 *policy;
	int			 max_attr;
	int			 pad;
};

/* "integer out of range" does not help: name the parameter and the range. */
static inline void param_nl_explain(const struct param_nl *nl, int err,
				    struct netlink_ext_ack *extack)
{
	const struct param_info *info;
	u32 id;

	if (err != -ERANGE || !extack || !extack->bad_attr)
		return;
	for (id = 0; (info = nl->table(id)); id++)
		if (nl->attr[id] == nla_type(extack->bad_attr))
			compat_extack_set(extack, info->refusal);
}

/**
 * param_nl_parse() - read what was given; how it fits together is judged later
 * @nl: the table
 * @tb: attributes, @max_attr + 1 of them
 * @opt: nest of the attributes
 * @given: bits of the request
 * @values: its values
 * @extack: gets the message of a refusal
 *
 * Return: 0 or a negative error.
 */
static inline int param_nl_parse(const struct param_nl *nl, struct nlattr **tb, struct nlattr *opt,
				 u64 *given, u64 *values, struct netlink_ext_ack *extack)
{
	const struct param_info *info;
	u32 id;
	int err;

	err = nla_parse_nested(tb, nl->max_attr, opt, nl->policy, extack);
	if (err < 0) {
		param_nl_explain(nl, err, extack);
		return err;
	}
	for (id = 0; (info = nl->table(id)); id++) {
		const struct nlattr *attr = tb[nl->attr[id]];
		const char *refusal;
		u64 value;

		if (!attr)
			continue;
		value = param_get(attr, info->bits);
		if (info->least < 0)
			value = sign_extend64(value, info->bits - 1);
		refusal = params_set(nl->table, id, value, given, values);
		if (refusal) {
			NL_SET_BAD_ATTR(extack, attr);
			compat_extack_set(extack, refusal);
			return -ERANGE;
		}
	}
	return 0;
}

/**
 * param_nl_put() - append what was given to a dump, so that it can be sent back as it is
 * @nl: the table
 * @skb: the message
 * @given: bits of the settings
 * @values: their values
 *
 * Return: 0 or -EMSGSIZE.
 */
static inline int param_nl_put(const struct param_nl *nl, struct sk_buff *skb, u64 given,
			       const u64 *values)
{
	const struct param_info *info;
	u32 id;

	for (id = 0; (info = nl->table(id)); id++)
		if (given >> id & 1 &&
		    param_put(skb, nl->attr[id], info->bits, values[id], nl->pad))
			return -EMSGSIZE;
	return 0;
}

#endif /* SHARPRAMP_PARAM_NL_H */
