// SPDX-License-Identifier: GPL-2.0
/* labnic: arrivals. */
#include <linux/etherdevice.h>
#include <linux/if_vlan.h>

#include "labnic.h"

/*
 * Make a frame's page array its own, if GRO may change it.  What TCP sends
 * is a clone of a packet of its retransmission queue, and a bridge forwards
 * it as it is; a router copies the header, and the array with it.
 *
 * Return: whether the frame may be merged.
 */
static bool labnic_owned(struct sk_buff *skb)
{
	return !(skb->dev->features & NETIF_F_GRO) || !skb_unclone(skb, GFP_ATOMIC);
}

/*
 * Hand one frame to the stack as a NIC would have made it: without traces of
 * the sender.  A checksum that the sender left to the NIC stays marked
 * CHECKSUM_PARTIAL: known to be right and filled in by its reader, as
 * virtio and veth do; any other is for the stack to verify.
 */
static void labnic_receive(struct labnic_port *port, struct sk_buff *skb)
{
	struct net_device *dev = port->dev;
	u32 len = skb->len;

	if (unlikely(labnic_control_is(skb))) {
		port->stats.rx_control_packets++;
		port->stats.rx_control_bytes += len;
	}
	if (unlikely(len > dev->mtu + ETH_HLEN + VLAN_HLEN)) {
		port->stats.rx_drop_oversize++;
		consume_skb(skb);
		return;
	}
	labnic_phc_received(port, skb, labnic_cb(skb)->passed_ns);
	skb_scrub_packet(skb, true);
	/* The next port's, or stamps would count as the previous hop's. */
	skb->napi_id = 0;
	skb_clear_hash(skb);
	skb->priority = 0;
	skb_set_queue_mapping(skb, 0);
	if (skb->ip_summed != CHECKSUM_PARTIAL)
		skb->ip_summed = CHECKSUM_NONE;
	skb->protocol = eth_type_trans(skb, dev);
	port->stats.rx_packets++;
	port->stats.rx_bytes += len;
	onramp_hook_rx(skb, dev, 0);
	if (!labnic_owned(skb))
		netif_receive_skb(skb);
	else if (napi_gro_receive(&port->napi, skb) < GRO_HELD)
		port->stats.rx_gro_merged++;
}

/* PAUSE that a poll of this very time found before the MAC's timer. */
static bool labnic_receive_pause(struct labnic_port *port, struct labnic_port *peer,
				 struct sk_buff *skb, u64 now_ns)
{
	u32 quanta = labnic_cb(skb)->quanta;

	if (likely(labnic_cb(skb)->quanta == LABNIC_NO_PAUSE))
		return false;
	labnic_pause_taken(port, peer, quanta, skb->len, now_ns);
	consume_skb(skb);
	return true;
}

/**
 * labnic_rx() - deliver the frames that have arrived
 * @port: port
 * @now_ns: time of the poll
 * @budget: greatest number of frames
 *
 * Context: the port's poll.
 * Return: number of frames delivered.
 */
int labnic_rx(struct labnic_port *port, u64 now_ns, int budget)
{
	struct net_device *peer = rcu_dereference_bh(port->peer);
	struct sk_buff_head batch;
	struct sk_buff *skb;
	u32 n;

	if (!peer)
		return 0;
	__skb_queue_head_init(&batch);
	n = labnic_flight_take(netdev_priv(peer), now_ns, budget, &batch);
	while ((skb = __skb_dequeue(&batch)))
		if (!labnic_receive_pause(port, netdev_priv(peer), skb, now_ns))
			labnic_receive(port, skb);
	return n;
}
