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
	if (!err && path)
		err = onramp_put_path(skb, on, path);
	else if (!err)
		err = event == ONRAMP_EVENT_HOLDING ?
		      onramp_put_holding(skb, on) : onramp_put_clock(skb, on);
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

/**
 * onramp_genl_holding_event() - tell the monitors that holding was switched
 * @on: the namespace
 *
 * Context: onramp_net.change.
 */
void onramp_genl_holding_event(struct onramp_net *on)
{
	onramp_genl_event(on, ONRAMP_EVENT_HOLDING, NULL);
}

/**
 * onramp_genl_stale_work() - tell that the published clock is stale, once
 * @work: onramp_net.stale
 */
void onramp_genl_stale_work(struct work_struct *work)
{
	struct onramp_net *on = container_of(to_delayed_work(work),
					     struct onramp_net, stale);
	const struct onramp_clock_line *line;
	s64 left_ns = 0;

	rcu_read_lock();
	line = rcu_dereference(on->line);
	if (line)
		left_ns = onramp_clock_left_ns(line, onramp_now(on->net));
	rcu_read_unlock();
	if (left_ns > 0)
		queue_delayed_work(compat_system_wq(), &on->stale,
				   nsecs_to_jiffies(left_ns) + 1);
	else
		onramp_genl_clock_event(on, ONRAMP_EVENT_CLOCK_LOST);
}
