// SPDX-License-Identifier: GPL-2.0
/*
 * Devices: where the stamps of their packets come from.
 */
#include <linux/rtnetlink.h>
#include <net/sock.h>

#include "genl.h"

static const int onramp_wanted_attr[ONRAMP_HOOK_WAYS] = {
	[ONRAMP_HOOK_TX] = ONRAMP_A_STAMP_WANTED_TX,
	[ONRAMP_HOOK_RX] = ONRAMP_A_STAMP_WANTED_RX,
};

static const int onramp_stamp_attr[ONRAMP_HOOK_WAYS] = {
	[ONRAMP_HOOK_TX] = ONRAMP_A_STAMP_TX,
	[ONRAMP_HOOK_RX] = ONRAMP_A_STAMP_RX,
};

static int onramp_device_check(struct net_device *dev,
			       const struct genl_info *info)
{
	int way, err;

	for (way = 0; way < ONRAMP_HOOK_WAYS; way++) {
		const struct nlattr *attr = info->attrs[onramp_wanted_attr[way]];

		if (!attr)
			continue;
		err = onramp_device_can(dev, way, nla_get_u8(attr),
					info->extack);
		if (err) {
			NL_SET_BAD_ATTR(info->extack, attr);
			return err;
		}
	}
	return 0;
}

/* All that was requested, or nothing. */
static int onramp_device_apply(struct onramp_device *device,
			       struct genl_info *info)
{
	u8 was = device->wanted[ONRAMP_HOOK_TX];
	int way, err = 0;

	for (way = 0; way < ONRAMP_HOOK_WAYS && !err; way++) {
		const struct nlattr *attr = info->attrs[onramp_wanted_attr[way]];

		if (attr)
			err = onramp_device_want(device, way, nla_get_u8(attr));
	}
	if (err) {
		NL_SET_ERR_MSG(info->extack,
			       "the taps where stamps are taken do not open");
		onramp_device_want(device, ONRAMP_HOOK_TX, was);
	}
	return err;
}

/* Context: RTNL. */
static int onramp_device_change(struct net *net, struct genl_info *info)
{
	const struct nlattr *attr = info->attrs[ONRAMP_A_IFINDEX];
	struct onramp_device *device;
	struct net_device *dev;
	int err;

	dev = __dev_get_by_index(net, nla_get_u32(attr));
	if (!dev) {
		NL_SET_ERR_MSG_ATTR(info->extack, attr,
				    "ifindex: there is no such device");
		return -ENODEV;
	}
	err = onramp_device_check(dev, info);
	if (err)
		return err;
	device = onramp_device_get(dev);
	if (!device)
		return -ENOMEM;
	err = onramp_device_apply(device, info);
	onramp_device_put(device);
	return err;
}

/**
 * onramp_device_set_doit() - configure where a device's stamps come from
 * @skb: the request
 * @info: same
 *
 * Return: 0 or an error; then nothing was changed.
 */
int onramp_device_set_doit(struct sk_buff *skb, struct genl_info *info)
{
	int err;

	if (GENL_REQ_ATTR_CHECK(info, ONRAMP_A_IFINDEX)) {
		NL_SET_ERR_MSG(info->extack, "ifindex is missing");
		return -EINVAL;
	}
	if (!info->attrs[ONRAMP_A_STAMP_WANTED_TX] &&
	    !info->attrs[ONRAMP_A_STAMP_WANTED_RX]) {
		NL_SET_ERR_MSG(info->extack,
			       "stamps: tx or rx must be given");
		return -EINVAL;
	}
	rtnl_lock();
	err = onramp_device_change(genl_info_net(info), info);
	rtnl_unlock();
	return err;
}

/* Where packets are seen, or, where that is the time that counts, the NIC. */
static u8 onramp_device_source(const struct onramp_device *device,
			       enum onramp_hook_way way, u64 now_ns)
{
	if (device->stamp[way] && onramp_phc_is_used(device, way, now_ns))
		return ONRAMP_STAMP_HARDWARE;
	return device->stamp[way];
}

/* Time is read once, so that stamps are not of a clock that is reported as stale. */
static int onramp_put_device(struct sk_buff *skb, struct net_device *dev)
{
	const struct onramp_device *device = onramp_device_find(dev);
	u64 now_ns = onramp_now(dev_net(dev));
	int way;

	if (nla_put_u32(skb, ONRAMP_A_IFINDEX, dev->ifindex) ||
	    nla_put_u8(skb, ONRAMP_A_HOOK, onramp_hook_has(dev)))
		return -EMSGSIZE;
	for (way = 0; way < ONRAMP_HOOK_WAYS; way++) {
		u8 wanted = device ? device->wanted[way] : ONRAMP_STAMP_NONE;
		u8 stamp = device ? onramp_device_source(device, way, now_ns) :
				    ONRAMP_STAMP_NONE;

		if (nla_put_u8(skb, onramp_wanted_attr[way], wanted) ||
		    nla_put_u8(skb, onramp_stamp_attr[way], stamp))
			return -EMSGSIZE;
	}
	return onramp_put_phc(skb, dev, device, now_ns);
}

static int onramp_device_dump_one(struct sk_buff *skb,
				  struct netlink_callback *cb,
				  struct net_device *dev)
{
	void *head = onramp_dump_begin(skb, cb, ONRAMP_CMD_DEV_GET);

	if (!head)
		return -EMSGSIZE;
	if (onramp_put_device(skb, dev)) {
		genlmsg_cancel(skb, head);
		return -EMSGSIZE;
	}
	genlmsg_end(skb, head);
	return 0;
}

/*
 * The place in the list that a dump goes on behind.  cb->args[0] is the ifindex of the last
 * device, args[1] how many there were: if the last one is gone, which cost more than one walk
 * over those before it, their number finds about where it was, and cb->seq has changed.
 */
static struct net_device *onramp_device_resume(struct net *net,
					       const struct netlink_callback *cb)
{
	struct net_device *dev = NULL, *next;
	long n = cb->args[1];

	if (n)
		dev = __dev_get_by_index(net, cb->args[0]);
	if (dev)
		return dev;
	dev = net_device_entry(&net->dev_base_head);
	for_each_netdev(net, next) {
		if (!n)
			break;
		n -= !(next->flags & IFF_LOOPBACK);
		dev = next;
	}
	return dev;
}

/**
 * onramp_device_dumpit() - all devices of the namespace but loopback
 * @skb: filled
 * @cb: the dump
 *
 * Return: bytes filled; 0: that was all.
 */
int onramp_device_dumpit(struct sk_buff *skb, struct netlink_callback *cb)
{
	struct net *net = sock_net(skb->sk);
	struct net_device *dev;

	rtnl_lock();
	cb->seq = net->dev_base_seq;
	dev = onramp_device_resume(net, cb);
	for_each_netdev_continue(net, dev) {
		if (dev->flags & IFF_LOOPBACK)
			continue;
		if (onramp_device_dump_one(skb, cb, dev))
			break;
		cb->args[0] = dev->ifindex;
		cb->args[1]++;
	}
	rtnl_unlock();
	return skb->len;
}
