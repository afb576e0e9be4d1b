// SPDX-License-Identifier: GPL-2.0
/* labnic: transmission, from the stack onto the wire. */
#include <linux/if_ether.h>
#include <net/gso.h>

#include "labnic.h"
#include "random.h"

/*
 * Cut a TSO buffer as the NIC does.  Its socket is kept out of the segments:
 * it is notified when the descriptor completes, by the buffer that was cut.
 */
static struct sk_buff *labnic_segment(struct sk_buff *skb,
				      netdev_features_t features)
{
	void (*destructor)(struct sk_buff *skb) = skb->destructor;
	struct sock *sk = skb->sk;
	struct sk_buff *segs;

	skb->destructor = NULL;
	skb->sk = NULL;
	segs = skb_gso_segment(skb, features & ~NETIF_F_GSO_MASK);
	skb->destructor = destructor;
	skb->sk = sk;
	return IS_ERR(segs) ? NULL : segs;
}

/**
 * labnic_tx_attach() - begin what is drawn for frames of a port that is being
 *	registered
 * @port: port whose config is final
 */
void labnic_tx_attach(struct labnic_port *port)
{
	const struct labnic_config *config = &port->config;
	struct labnic_late late = {
		.sigma = config->late_sigma,
		.odd = config->late_odd,
		.odd_ns = config->late_odd_ns,
	};

	port->late_rx = late;
	port->late_rx.least_ns = config->rx_late;
	port->late_rx.median_ns = config->rx_spread;
	port->late_tx = late;
	port->late_tx.least_ns = config->tx_late;
	port->late_tx.median_ns = config->tx_spread;
	port->random_rx = labnic_random_seed(config->seed, port->number,
					     LABNIC_DRAW_RX);
	port->random_tx = labnic_random_seed(config->seed, port->number,
					     LABNIC_DRAW_TX);
	labnic_cross_init(&port->cross, config->rate, config->cross,
			  config->cross_burst, config->cross_limit,
			  labnic_random_seed(config->seed, port->number,
					     LABNIC_DRAW_CROSS));
}

/* Give one frame its wire time, from now_ns on, and let it fly. */
static void labnic_launch(struct labnic_port *port, struct labnic_port *peer,
			  struct sk_buff *skb, u64 now_ns,
			  struct labnic_desc *desc)
{
	labnic_cb(skb)->desc = desc;
	labnic_flight_time(port, peer, skb, max(now_ns, port->held_until_ns));
	port->stats.tx_wire_busy_ns += desc->end_ns - labnic_cb(skb)->begin_ns;
	port->stats.tx_wire_bytes += labnic_wire_bytes(skb->len);
	desc->bytes += skb->len;
	desc->pkts++;
	if (desc->own)
		labnic_cb(skb)->desc = NULL;
	if (unlikely(labnic_control_is(skb))) {
		port->stats.tx_control_packets++;
		port->stats.tx_control_bytes += skb->len;
	}
	__skb_queue_tail(&port->flight, skb);
	labnic_pause_launched(port, peer, skb);
}

/*
 * Fill the next descriptor; @segs is @skb itself unless it was cut.  What came
 * to the wire before goes first, and the software is as late as it is.
 */
static struct labnic_desc *labnic_fill(struct labnic_port *port,
				       struct labnic_port *peer,
				       struct labnic_ring *ring,
				       struct sk_buff *skb,
				       struct sk_buff *segs,
				       struct sk_buff *stamp, u64 now_ns)
{
	struct labnic_desc *desc = &ring->desc[ring->head];
	u64 start_ns = now_ns + labnic_late_draw(&port->late_tx, &port->random_tx);

	port->stats.tx_cross_bytes += labnic_cross_pass(&port->cross, &port->wire,
							now_ns);
	*desc = (struct labnic_desc) { .skb = skb, .own = segs != skb,
				       .stamp = stamp };
	desc->awaited = desc->own || port->config.bql || skb->destructor ||
			stamp;
	ring->awaited += desc->awaited;
	while (segs) {
		struct sk_buff *next = segs->next;

		skb_mark_not_on_list(segs);
		labnic_launch(port, peer, segs, start_ns, desc);
		segs = next;
	}
	ring->head = labnic_ring_after(ring, ring->head);
	ring->used++;
	port->ring_pkts += desc->pkts;
	port->ring_bytes += desc->bytes;
	port->stats.tx_packets += desc->pkts;
	port->stats.tx_bytes += desc->bytes;
	if (desc->own) {
		port->stats.tx_tso_buffers++;
		port->stats.tx_tso_segments += desc->pkts;
	}
	return desc;
}

/*
 * Wake the ends for what was launched, unless something older was already
 * waiting: then its interrupt is armed, or its poll is running and will arm
 * the next.
 */
static void labnic_announce(struct labnic_port *port, struct labnic_port *peer,
			    u64 due_before_ns, u32 flying_before)
{
	u32 rx_frames = READ_ONCE(peer->config.rx_frames);
	u32 flying = skb_queue_len(&port->flight);
	u64 due_ns = labnic_rings_due(port);

	if (due_ns < due_before_ns)
		labnic_irq_kick(port, due_ns + READ_ONCE(port->config.tx_ns));
	if (!flying_before || (flying_before < rx_frames && flying >= rx_frames))
		labnic_irq_kick(peer,
				labnic_flight_next(port,
						   READ_ONCE(peer->config.rx_ns),
						   rx_frames));
}

/* All under tx_lock that a transmission does. */
static void labnic_xmit_locked(struct labnic_port *port,
			       struct labnic_port *peer,
			       struct netdev_queue *txq, struct sk_buff *skb,
			       struct sk_buff *segs, struct sk_buff *stamp,
			       u64 now_ns)
{
	struct labnic_ring *ring = &port->rings[skb_get_queue_mapping(skb)];
	u32 flying = skb_queue_len(&port->flight);
	u64 due_ns = labnic_rings_due(port);
	struct labnic_desc *desc;

	if (port->window)
		labnic_queue_begin(port, now_ns);
	desc = labnic_fill(port, peer, ring, skb, segs, stamp, now_ns);
	if (port->config.bql)
		netdev_tx_sent_queue(txq, desc->bytes);
	if (ring->used == ring->size) {
		netif_tx_stop_queue(txq);
		ring->stopped = true;
		port->stats.tx_ring_stops++;
	}
	if (port->window)
		labnic_queue_end(port, now_ns);
	labnic_announce(port, peer, due_ns, flying);
}

/**
 * labnic_xmit() - ndo_start_xmit
 * @skb: buffer, linear or with fragments, perhaps TSO
 * @dev: device
 *
 * Context: softirqs off, transmit lock of the queue held.
 * Return: NETDEV_TX_OK, or NETDEV_TX_BUSY if the stack ignored that the queue
 *	was stopped.
 */
netdev_tx_t labnic_xmit(struct sk_buff *skb, struct net_device *dev)
{
	struct netdev_queue *txq = skb_get_tx_queue(dev, skb);
	struct labnic_port *port = netdev_priv(dev);
	struct labnic_ring *ring = &port->rings[skb_get_queue_mapping(skb)];
	struct net_device *peer = rcu_dereference_bh(port->peer);
	struct sk_buff *segs = skb, *stamp;
	u64 now_ns = ktime_get_ns();

	if (unlikely(READ_ONCE(ring->stopped))) {
		netif_tx_stop_queue(txq);
		port->stats.tx_ring_busy++;
		return NETDEV_TX_BUSY;
	}
	onramp_hook_tx(skb, dev, 0);
	if (skb_is_gso(skb))
		segs = labnic_segment(skb, dev->features);
	stamp = labnic_phc_wants(port, skb);
	skb_tx_timestamp(skb);
	spin_lock(&port->tx_lock);
	labnic_tx_catch_up(port, now_ns);
	if (unlikely(!segs)) {
		port->stats.tx_drop_no_memory++;
	} else if (unlikely(!peer || !labnic_is_up(port) ||
			    !labnic_is_up(netdev_priv(peer)))) {
		port->stats.tx_drop_no_carrier++;
	} else {
		labnic_xmit_locked(port, netdev_priv(peer), txq, skb, segs,
				   stamp, now_ns);
		spin_unlock(&port->tx_lock);
		return NETDEV_TX_OK;
	}
	spin_unlock(&port->tx_lock);
	/* Consumed: counted above, so not among the stack's drops as well. */
	dev_consume_skb_any(stamp);	/* takes NULL */
	if (segs != skb)
		kfree_skb_list_reason(segs, SKB_CONSUMED);	/* takes NULL */
	dev_consume_skb_any(skb);
	return NETDEV_TX_OK;
}
