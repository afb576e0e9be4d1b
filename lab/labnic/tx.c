// SPDX-License-Identifier: GPL-2.0
/* labnic: the transmit ring, the wire and the completion of descriptors. */
#include <linux/if_ether.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <net/gso.h>
#include <net/sock.h>
#include <net/tcp.h>

#include "labnic.h"

/**
 * labnic_rings_alloc() - make the transmit rings of a port
 * @port: port whose config is final
 *
 * Return: 0 or -ENOMEM, then nothing is left allocated.
 */
int labnic_rings_alloc(struct labnic_port *port)
{
	unsigned int i, n = port->dev->num_tx_queues;

	port->rings = kvcalloc(n, sizeof(*port->rings), GFP_KERNEL);
	if (!port->rings)
		return -ENOMEM;
	for (i = 0; i < n; i++) {
		struct labnic_ring *ring = &port->rings[i];

		ring->size = port->config.ring;
		ring->desc = kvcalloc(ring->size, sizeof(*ring->desc),
				      GFP_KERNEL);
		if (!ring->desc) {
			labnic_rings_free(port);
			return -ENOMEM;
		}
	}
	return 0;
}

/**
 * labnic_rings_free() - undo labnic_rings_alloc()
 * @port: port whose rings are empty; without rings nothing happens
 */
void labnic_rings_free(struct labnic_port *port)
{
	unsigned int i;

	if (!port->rings)
		return;
	for (i = 0; i < port->dev->num_tx_queues; i++)
		kvfree(port->rings[i].desc);
	kvfree(port->rings);
	port->rings = NULL;
}

static u32 labnic_ring_after(const struct labnic_ring *ring, u32 index)
{
	return index + 1 == ring->size ? 0 : index + 1;
}

/*
 * Cut a TSO buffer as the card does.  Its socket is kept out of the segments:
 * it is told when the descriptor completes, by the buffer that was cut.
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

/* Give one frame its wire time and let it fly. */
static void labnic_launch(struct labnic_port *port, struct sk_buff *skb,
			  u64 now_ns, struct labnic_desc *desc)
{
	u32 wire_bytes = labnic_wire_bytes(skb->len);
	u64 start_ns = max(now_ns, port->wire.end_ns);
	u64 end_ns = labnic_wire_send(&port->wire, now_ns, wire_bytes);

	port->stats.tx_wire_busy_ns += end_ns - start_ns;
	port->stats.tx_wire_bytes += wire_bytes;
	desc->end_ns = end_ns;
	desc->sent_ns = start_ns + labnic_wire_preamble_ns(&port->wire);
	desc->bytes += skb->len;
	desc->pkts++;
	labnic_cb(skb)->arrive_ns = end_ns + port->config.delay;
	labnic_cb(skb)->passed_ns = desc->sent_ns + port->config.delay;
	labnic_cb(skb)->desc = desc->own ? NULL : desc;
	__skb_queue_tail(&port->flight, skb);
}

/* Fill the next descriptor; @segs is @skb itself unless it was cut. */
static struct labnic_desc *labnic_fill(struct labnic_port *port,
				       struct labnic_ring *ring,
				       struct sk_buff *skb,
				       struct sk_buff *segs,
				       struct sk_buff *stamp, u64 now_ns)
{
	struct labnic_desc *desc = &ring->desc[ring->head];

	*desc = (struct labnic_desc) { .skb = skb, .own = segs != skb,
				       .stamp = stamp };
	desc->awaited = desc->own || port->config.bql || skb->destructor ||
			stamp;
	ring->awaited += desc->awaited;
	while (segs) {
		struct sk_buff *next = segs->next;

		skb_mark_not_on_list(segs);
		labnic_launch(port, segs, now_ns, desc);
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

/* Tell the buffer's socket that it has left; free what the ring owns alone. */
static void labnic_release(struct labnic_port *port, struct labnic_desc *desc,
			   int budget)
{
	if (desc->own) {
		napi_consume_skb(desc->skb, budget);
	} else if (desc->skb) {
		labnic_cb(desc->skb)->desc = NULL;
		skb_orphan(desc->skb);
	} else if (desc->sk) {
		port->token.sk = desc->sk;
		port->token.destructor = desc->destructor;
		port->token.truesize = desc->truesize;
		skb_orphan(&port->token);
	}
	desc->skb = NULL;
	desc->sk = NULL;
}

/* The ring with the oldest descriptor, NULL if all are empty. */
static struct labnic_ring *labnic_rings_oldest(const struct labnic_port *port)
{
	struct labnic_ring *oldest = NULL;
	u64 end_ns = U64_MAX;
	unsigned int i;

	for (i = 0; port->ring_pkts && i < port->dev->num_tx_queues; i++) {
		struct labnic_ring *ring = &port->rings[i];

		if (!ring->used || ring->desc[ring->tail].end_ns >= end_ns)
			continue;
		oldest = ring;
		end_ns = ring->desc[ring->tail].end_ns;
	}
	return oldest;
}

/*
 * Complete the oldest descriptor of a ring.  The window sees it at the time
 * at which it ended, or at its own last event if that came later, not at that
 * of the poll.
 */
static void labnic_complete(struct labnic_port *port, struct labnic_ring *ring,
			    int budget)
{
	struct labnic_desc *desc = &ring->desc[ring->tail];

	if (port->window)
		labnic_queue_begin(port, desc->end_ns);
	if (desc->stamp)
		labnic_phc_sent(port, desc->stamp, desc->sent_ns);
	labnic_release(port, desc, budget);
	ring->tail = labnic_ring_after(ring, ring->tail);
	ring->used--;
	ring->awaited -= desc->awaited;
	ring->done_pkts += desc->pkts;
	ring->done_bytes += desc->bytes;
	port->ring_pkts -= desc->pkts;
	port->ring_bytes -= desc->bytes;
	if (port->window) {
		labnic_window_depart(port->window, desc->end_ns, desc->pkts,
				     desc->bytes);
		labnic_queue_end(port, desc->end_ns);
	}
}

/* Tell the stack what of one queue is done. */
static void labnic_report(struct labnic_port *port, u32 queue)
{
	struct netdev_queue *txq = netdev_get_tx_queue(port->dev, queue);
	struct labnic_ring *ring = &port->rings[queue];

	if (port->config.bql)
		netdev_tx_completed_queue(txq, ring->done_pkts,
					  ring->done_bytes);
	ring->done_pkts = 0;
	ring->done_bytes = 0;
	/* As drivers do, wait for a quarter of the ring before waking. */
	if (!ring->stopped ||
	    ring->size - ring->used < max(ring->size / 4, 1u))
		return;
	ring->stopped = false;
	netif_tx_wake_queue(txq);
}

/* Complete every descriptor whose frames have ended; tx_lock held. */
static void labnic_clean(struct labnic_port *port, u64 now_ns, int budget)
{
	struct labnic_ring *ring;
	unsigned int i;

	while ((ring = labnic_rings_oldest(port)) &&
	       ring->desc[ring->tail].end_ns <= now_ns)
		labnic_complete(port, ring, budget);
	for (i = 0; i < port->dev->num_tx_queues; i++)
		if (port->rings[i].done_pkts)
			labnic_report(port, i);
}

/**
 * labnic_tx_clean() - complete every descriptor whose frames have ended
 * @port: port
 * @now_ns: time of the poll
 * @budget: NAPI budget, for napi_consume_skb()
 *
 * Context: the port's poll.
 */
void labnic_tx_clean(struct labnic_port *port, u64 now_ns, int budget)
{
	spin_lock(&port->tx_lock);
	labnic_clean(port, now_ns, budget);
	spin_unlock(&port->tx_lock);
}

/*
 * When does the oldest descriptor end whose completion must be told?  Nobody
 * waits for that of a forwarded frame while there is room in the ring: such
 * ones are completed along with a later event, and cost no interrupt.
 * U64_MAX: none.
 */
static u64 labnic_rings_due(const struct labnic_port *port)
{
	u64 due_ns = U64_MAX;
	unsigned int i;

	for (i = 0; port->ring_pkts && i < port->dev->num_tx_queues; i++) {
		const struct labnic_ring *ring = &port->rings[i];

		if (ring->used && (ring->awaited || ring->stopped))
			due_ns = min(due_ns, ring->desc[ring->tail].end_ns);
	}
	return due_ns;
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
	desc = labnic_fill(port, ring, skb, segs, stamp, now_ns);
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
 * labnic_tx_catch_up() - complete what has ended and costs no interrupt
 * @port: port, its tx_lock held
 * @now_ns: the time
 *
 * What is awaited is left to the interrupt and its coalescing.
 *
 * Context: softirqs off.
 */
void labnic_tx_catch_up(struct labnic_port *port, u64 now_ns)
{
	if (labnic_rings_due(port) == U64_MAX)
		labnic_clean(port, now_ns, 0);
}

/**
 * labnic_tx_next() - when is the next completion to be told?
 * @port: port
 *
 * Context: softirq.
 * Return: ns of CLOCK_MONOTONIC, coalescing included, or U64_MAX if none is
 *	awaited.
 */
u64 labnic_tx_next(struct labnic_port *port)
{
	u64 due_ns;

	spin_lock(&port->tx_lock);
	due_ns = labnic_rings_due(port);
	spin_unlock(&port->tx_lock);
	return due_ns == U64_MAX ? due_ns : due_ns + READ_ONCE(port->config.tx_ns);
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

/*
 * The buffer passes to the receiver.  If it has not been completed yet its
 * socket must not hear of that before the completion, so the descriptor
 * takes the accounting over; that works where the destructor looks at nothing
 * but socket and size.  Another one runs at once.
 */
static void labnic_detach(struct sk_buff *skb)
{
	struct labnic_desc *desc = labnic_cb(skb)->desc;

	if (!desc)
		return;
	desc->skb = NULL;
	if (skb->sk && (skb->destructor == sock_wfree ||
			(sk_fullsock(skb->sk) && sk_is_tcp(skb->sk)))) {
		desc->sk = skb->sk;
		desc->destructor = skb->destructor;
		desc->truesize = skb->truesize;
		skb->sk = NULL;
		skb->destructor = NULL;
	}
	skb_orphan(skb);
}

/**
 * labnic_flight_take() - take what has arrived
 * @port: the sending port
 * @now_ns: time of the poll
 * @limit: greatest number of frames to take
 * @to: where to append them
 *
 * Context: the receiving port's poll.
 * Return: number of frames taken.
 */
u32 labnic_flight_take(struct labnic_port *port, u64 now_ns, u32 limit,
		       struct sk_buff_head *to)
{
	struct sk_buff *skb;
	u32 n = 0;

	spin_lock(&port->tx_lock);
	while (n < limit && (skb = skb_peek(&port->flight)) &&
	       labnic_cb(skb)->arrive_ns <= now_ns) {
		__skb_unlink(skb, &port->flight);
		labnic_detach(skb);
		__skb_queue_tail(to, skb);
		n++;
	}
	spin_unlock(&port->tx_lock);
	return n;
}

/**
 * labnic_flight_next() - when is the next arrival to be told?
 * @port: the sending port, its tx_lock held
 * @rx_ns: the receiver's coalescing time
 * @rx_frames: number of waiting frames that end it early, 0: none
 *
 * Return: ns of CLOCK_MONOTONIC or U64_MAX if nothing is on the way.
 */
u64 labnic_flight_next(struct labnic_port *port, u64 rx_ns, u32 rx_frames)
{
	u64 next_ns = U64_MAX;
	struct sk_buff *skb;
	u32 n = 0;

	skb = skb_peek(&port->flight);
	if (!skb)
		return next_ns;
	next_ns = labnic_cb(skb)->arrive_ns + rx_ns;
	if (!rx_frames || skb_queue_len(&port->flight) < rx_frames)
		return next_ns;
	skb_queue_walk(&port->flight, skb) {
		if (++n == rx_frames)
			return min(next_ns, labnic_cb(skb)->arrive_ns);
		if (labnic_cb(skb)->arrive_ns >= next_ns)
			break;
	}
	return next_ns;
}

/**
 * labnic_flight_cut() - lose what is on the way to the peer
 * @port: the sending port
 */
void labnic_flight_cut(struct labnic_port *port)
{
	struct sk_buff *skb;

	spin_lock_bh(&port->tx_lock);
	while ((skb = __skb_dequeue(&port->flight))) {
		labnic_detach(skb);
		port->stats.tx_drop_link_down++;
		consume_skb(skb);
	}
	spin_unlock_bh(&port->tx_lock);
}

/**
 * labnic_tx_cut() - empty rings and wire of a port that goes down
 * @port: port whose queues are stopped for good and whose poll is off
 */
void labnic_tx_cut(struct labnic_port *port)
{
	unsigned int i;

	labnic_flight_cut(port);
	spin_lock_bh(&port->tx_lock);
	for (i = 0; i < port->dev->num_tx_queues; i++) {
		struct labnic_ring *ring = &port->rings[i];

		while (ring->used) {
			dev_consume_skb_any(ring->desc[ring->tail].stamp);
			labnic_release(port, &ring->desc[ring->tail], 0);
			ring->tail = labnic_ring_after(ring, ring->tail);
			ring->used--;
		}
		ring->awaited = 0;
		ring->stopped = false;
		netdev_tx_reset_queue(netdev_get_tx_queue(port->dev, i));
	}
	port->ring_pkts = 0;
	port->ring_bytes = 0;
	labnic_wire_init(&port->wire, port->config.rate);
	spin_unlock_bh(&port->tx_lock);
}
