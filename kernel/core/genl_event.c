// SPDX-License-Identifier: GPL-2.0
/*
 * What group monitor is told.
 */
#include "genl.h"

static void onramp_genl_event(struct onramp_net *on, enum onramp_event event,
			      struct onramp_path *path)
{
	struct sk_buff *skb = nlmsg_new(NLMSG_DEFAULT_SIZE, GFP_ATOMIC);
	void *head;
	int err;

	if (!skb)
		return;
	head = genlmsg_put(skb, 0, 0, &onramp_genl_family, 0, ONRAMP_CMD_EVENT);
	err = !head || nla_put_u8(skb, ONRAMP_A_EVENT, event);
	if (!err)
		err = path ? onramp_put_path(skb, on, path) :
			     onramp_put_clock(skb, on);
	if (err) {
		nlmsg_free(skb);
		return;
	}
	genlmsg_end(skb, head);
	genlmsg_multicast_netns(&onramp_genl_family, on->net, skb, 0, 0,
				GFP_ATOMIC);
}

/**
 * onramp_genl_path_event() - tell the monitors of a path
 * @on: the namespace
 * @path: the path
 * @event: what happened to it
 *
 * Context: RCU; no lock of ours.
 */
void onramp_genl_path_event(struct onramp_net *on, struct onramp_path *path,
			    enum onramp_event event)
{
	onramp_genl_event(on, event, path);
}

/**
 * onramp_genl_clock_event() - tell the monitors of the clock
 * @on: the namespace
 * @event: what happened to it
 */
void onramp_genl_clock_event(struct onramp_net *on, enum onramp_event event)
{
	onramp_genl_event(on, event, NULL);
}
