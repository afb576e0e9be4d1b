// SPDX-License-Identifier: GPL-2.0
/* labnic: the transmit rings and the completion of their descriptors. */
#include <linux/skbuff.h>
#include <linux/slab.h>

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

/**
 * labnic_rings_due() - when does the oldest descriptor end whose completion
 *	must be notified?
 * @port: port, its tx_lock held
 *
 * Nobody waits for that of a forwarded frame while there is space in the ring:
 * such ones are completed along with a later event, and cost no interrupt.
 *
 * Return: ns of CLOCK_MONOTONIC, or U64_MAX if there is none.
 */
u64 labnic_rings_due(const struct labnic_port *port)
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
 * labnic_tx_next() - when is the next completion to be reported?
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
	port->arrived_ns = 0;
	port->held_until_ns = 0;
	spin_unlock_bh(&port->tx_lock);
}
