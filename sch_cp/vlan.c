// SPDX-License-Identifier: GPL-2.0
/*
 * VLAN tags of CNMs: those that the culprit's sender uses, which are not always those that
 * the culprit has in the queue of its output.
 *
 * A bridge with vlan_filtering removes the tag of an untagged VLAN at a port and adds that of a
 * tagged one.  A VLAN device that is a port of the bridge removes its own tag from what comes,
 * and adds it to what leaves.  So the VLAN is found at the output and looked up at the input.
 */
#include <linux/if_bridge.h>
#include <linux/if_vlan.h>

#include "cp.h"

/* A frame without a tag in the queue left by an untagged VLAN: that of its PVID. */
static bool cp_vlan_untagged(const struct net_device *port, u16 *vid)
{
	struct bridge_vlan_info info;

	return !br_vlan_get_pvid_rcu(port, vid) && !br_vlan_get_info_rcu(port, *vid, &info) &&
	       info.flags & BRIDGE_VLAN_INFO_UNTAGGED;
}

/* From the tags at an output to those at an input.  Return: false if they are not known. */
static bool cp_vlan_translate(const struct net_device *bridge, const struct net_device *out,
			      const struct net_device *by, u32 prio, struct cp_tags *tags)
{
	struct bridge_vlan_info info;
	u16 type, vid;

	if (br_vlan_get_proto(bridge, &type))
		return false;
	if (tags->count && tags->tag[0].type == type) {
		vid = tags->tag[0].tci & VLAN_VID_MASK;
		prio = tags->tag[0].tci & ~VLAN_VID_MASK;
		cp_tags_pop(tags);
	} else if (!cp_vlan_untagged(out, &vid)) {
		return false;
	}
	if (br_vlan_get_info_rcu(by, vid, &info))
		return false;
	if (!(info.flags & BRIDGE_VLAN_INFO_UNTAGGED))
		cp_tags_push(tags, type, prio | vid);
	return true;
}

/* The bridge's port by which a frame leaves: a device, or the VLAN of it whose tag it has. */
static const struct net_device *cp_vlan_port(struct net_device *dev,
					     const struct net_device *bridge, struct cp_tags *tags)
{
	if (netdev_master_upper_dev_get_rcu(dev) == bridge)
		return dev;
	if (!tags->count)
		return NULL;
	dev = __vlan_find_dev_deep_rcu(dev, htons(tags->tag[0].type),
				       tags->tag[0].tci & VLAN_VID_MASK);
	if (!dev || netdev_master_upper_dev_get_rcu(dev) != bridge)
		return NULL;
	cp_tags_pop(tags);
	return dev;
}

static bool cp_vlan_sender(struct net_device *out, struct net_device *by, u32 prio,
			   struct cp_tags *tags)
{
	const struct net_device *bridge = netdev_master_upper_dev_get_rcu(by), *port;

	if (!bridge || !netif_is_bridge_master(bridge))
		return true;
	port = cp_vlan_port(out, bridge, tags);
	if (!port)
		return true;
	if (br_vlan_enabled(bridge) && !cp_vlan_translate(bridge, port, by, prio, tags))
		return false;
	if (is_vlan_dev(by))
		cp_tags_push(tags, ntohs(vlan_dev_vlan_proto(by)), prio | vlan_dev_vlan_id(by));
	return true;
}

/**
 * cp_vlan_tags() - which tags the sender of a frame uses
 * @out: the device whose queue it is in
 * @skb: the frame
 * @tags: those that are not in its data
 *
 * Where no bridge forwarded it they are those that it has.
 *
 * Context: any but NMI; the frame's headers do not change meanwhile.
 * Return: false if its sender's VLAN is not known.
 */
bool cp_vlan_tags(struct net_device *out, const struct sk_buff *skb, struct cp_tags *tags)
{
	u32 prio = cp_class(skb) << VLAN_PRIO_SHIFT;
	struct net_device *by;
	bool known = true;

	tags->count = 0;
	if (skb_vlan_tag_present(skb))
		cp_tags_push(tags, ntohs(skb->vlan_proto), skb_vlan_tag_get(skb));
	rcu_read_lock();
	by = dev_get_by_index_rcu(dev_net(out), skb->skb_iif);
	if (by)
		known = cp_vlan_sender(out, by, prio, tags);
	rcu_read_unlock();
	return known;
}
