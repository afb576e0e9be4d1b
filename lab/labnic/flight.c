// SPDX-License-Identifier: GPL-2.0
/* labnic: frames on the way to the peer, and their buffers' parting from the ring. */
#include <net/sock.h>
#include <net/tcp.h>

#include "labnic.h"

/* When the peer's software has a frame that is there at a time: never before an earlier one. */
static u64 labnic_flight_arrive(struct labnic_port *port, struct labnic_port *peer,
				u64 there_ns)
{
	u64 late_ns = labnic_late_draw(&peer->late_rx, &peer->random_rx);

	port->arrived_ns = max(port->arrived_ns, there_ns + late_ns);
	return port->arrived_ns;
}

/**
 * labnic_flight_time() - give a frame its times on the wire and at the peer
 * @port: the sending port, its tx_lock held
 * @peer: the other end
 * @skb: the frame; its descriptor's times become those of this frame
 * @ready_ns: from when on it may begin
 */
void labnic_flight_time(struct labnic_port *port, struct labnic_port *peer,
			struct sk_buff *skb, u64 ready_ns)
{
	struct labnic_cb *cb = labnic_cb(skb);
	struct labnic_desc *desc = cb->desc;
	u64 end_ns, sent_ns;

	cb->begin_ns = max(ready_ns, port->wire.end_ns);
	end_ns = labnic_wire_send(&port->wire, ready_ns, labnic_wire_bytes(skb->len));
	sent_ns = cb->begin_ns + labnic_wire_preamble_ns(&port->wire);
	cb->arrive_ns = labnic_flight_arrive(port, peer, end_ns + port->config.delay);
	cb->passed_ns = sent_ns + port->config.delay;
	if (!desc)
		return;
	desc->end_ns = end_ns;
	desc->sent_ns = sent_ns;
}

/**
 * labnic_flight_detach() - the buffer passes to the receiver
 * @skb: the frame
 *
 * If it has not been completed yet its
 * socket must not hear of that before the completion, so the descriptor
 * takes the accounting over; that works where the destructor looks at nothing
 * but socket and size.  Another one runs at once.
 *
 * Context: the sending port's tx_lock.
 */
void labnic_flight_detach(struct sk_buff *skb)
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
		labnic_flight_detach(skb);
		__skb_queue_tail(to, skb);
		n++;
	}
	spin_unlock(&port->tx_lock);
	return n;
}

/**
 * labnic_flight_next() - when is the next arrival to be reported?
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
	port->pause_armed = false;
	while ((skb = __skb_dequeue(&port->flight))) {
		labnic_flight_detach(skb);
		port->stats.tx_drop_link_down++;
		consume_skb(skb);
	}
	spin_unlock_bh(&port->tx_lock);
}
