/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A parameter of a table (kernel/algo/NAME_params.h) on netlink.
 */
#ifndef SHARPRAMP_PARAM_NL_H
#define SHARPRAMP_PARAM_NL_H

#include <net/netlink.h>

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

#endif /* SHARPRAMP_PARAM_NL_H */
