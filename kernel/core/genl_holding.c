// SPDX-License-Identifier: GPL-2.0
/*
 * The switch that turns holding off in a whole namespace, whatever its qdiscs
 * say, and on again.  It outlives them.
 */
#include <linux/ctype.h>

#include "genl.h"

/* Whoever reads it has a terminal. */
static bool onramp_holding_is_printable(const struct nlattr *why)
{
	const char *c;

	for (c = nla_data(why); *c; c++)
		if (!isascii(*c) || !isprint(*c))
			return false;
	return true;
}

/*
 * Nobody may set a pause by the old word after all were ended.  Not expedited: that
 * would interrupt all CPUs, and any tenant may ask for this as often as he likes.
 * None but his own requests wait meanwhile.
 */
static void onramp_holding_end(struct onramp_net *on)
{
	synchronize_rcu();
	onramp_flow_each(on, onramp_flow_release, NULL);
}

/**
 * onramp_holding_set_doit() - ONRAMP_CMD_HOLDING_SET
 * @skb: the request
 * @info: same
 *
 * Context: onramp_net.change; may sleep.
 * Return: 0 or -EINVAL, and then nothing was changed.
 */
int onramp_holding_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	struct onramp_net *on = onramp_net_of(genl_info_net(info));
	struct nlattr *why = info->attrs[ONRAMP_A_HOLDING_WHY];
	bool was_off = on->switched_off;

	if (GENL_REQ_ATTR_CHECK(info, ONRAMP_A_HOLDING)) {
		NL_SET_ERR_MSG(info->extack, "hold: on or off must be given");
		return -EINVAL;
	}
	if (why && !onramp_holding_is_printable(why)) {
		NL_SET_ERR_MSG_ATTR(info->extack, why,
				    "hold: the reason must be printable ASCII");
		return -EINVAL;
	}
	strscpy(on->switched_why, why ? nla_data(why) : "",
		sizeof(on->switched_why));
	WRITE_ONCE(on->switched_off,
		   !nla_get_u8(info->attrs[ONRAMP_A_HOLDING]));
	if (on->switched_off && !was_off)
		onramp_holding_end(on);
	onramp_genl_holding_event(on);
	return 0;
}
