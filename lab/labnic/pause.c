// SPDX-License-Identifier: GPL-2.0
/*
 * labnic: PAUSE.
 *
 * A MAC with pause=1 takes a PAUSE frame when it is there, not when the port's poll comes
 * to it: a timer of its own runs while one is on the way.  Then frames of the port that
 * have not begun get new times: they begin when the pause ends, and when it is ended early
 * by a frame with 0 quanta, at once.  That needs frames whose times follow from their
 * lengths alone, so whatever draws a frame's time, or occupies the wire without frames, is
 * refused with it.  Frames that the port itself pauses its peer by are held like all others.
 */
#include "labnic.h"
#include "../../kernel/algo/cp_pause.h"

/**
 * labnic_control_is() - is this a control frame?
 * @skb: frame; its data begins with the Ethernet header, or behind that
 *
 * Return: true if it is.
 */
bool labnic_control_is(const struct sk_buff *skb)
{
	int at = skb_mac_header_was_set(skb) ? min(skb_mac_offset(skb), 0) : 0;
	u8 copy[L2_HEADER_MAX_BYTES];
	const u8 *frame;
	u32 len;

	len = min_t(u32, skb->len - at, sizeof(copy));
	frame = skb_header_pointer(skb, at, len, copy);
	return frame && labnic_control_type(frame, len);
}

/**
 * labnic_pause_conflict() - what does not go together with pause=1
 * @config: parameters of a port
 * @peer: those of the other end
 *
 * Return: name of a parameter that must be 0, or NULL.
 */
const char *labnic_pause_conflict(const struct labnic_config *config,
				  const struct labnic_config *peer)
{
	const struct {
		const char *name;
		u64 value;
	} conflicts[] = {
		{ "tso", config->tso },
		{ "gso", config->gso },
		{ "cross", config->cross },
		{ "tx_late", config->tx_late },
		{ "tx_spread", config->tx_spread },
		{ "rx_late", peer->rx_late },
		{ "rx_spread", peer->rx_spread },
		{ "late_odd", config->late_odd | peer->late_odd },
	};
	u32 i;

	for (i = 0; config->pause && i < ARRAY_SIZE(conflicts); i++)
		if (conflicts[i].value)
			return conflicts[i].name;
	return NULL;
}

static s32 labnic_pause_quanta(const struct labnic_port *peer, const struct sk_buff *skb)
{
	u8 copy[L2_MIN_BYTES];
	const u8 *frame;
	u32 len = min_t(u32, skb->len, sizeof(copy));

	if (!peer->config.pause)
		return LABNIC_NO_PAUSE;
	frame = skb_header_pointer(skb, 0, len, copy);
	return frame ? labnic_control_quanta(frame, len) : LABNIC_NO_PAUSE;
}

/* The first PAUSE frame on the way, or NULL. */
static struct sk_buff *labnic_pause_first(struct labnic_port *port)
{
	struct sk_buff *skb;

	skb_queue_walk(&port->flight, skb)
		if (labnic_cb(skb)->quanta != LABNIC_NO_PAUSE)
			return skb;
	return NULL;
}

/* Have the peer's MAC look when the next PAUSE frame is there; tx_lock held. */
static void labnic_pause_arm(struct labnic_port *port, struct labnic_port *peer)
{
	struct sk_buff *skb = labnic_pause_first(port);

	port->pause_armed = skb;
	if (skb)
		hrtimer_start(&peer->pause_timer, ns_to_ktime(labnic_cb(skb)->arrive_ns),
			      HRTIMER_MODE_ABS_PINNED_SOFT);
}

/**
 * labnic_pause_launched() - a frame is on the way
 * @port: the sending port, its tx_lock held
 * @peer: the other end
 * @skb: the frame, the last on the flight list
 */
void labnic_pause_launched(struct labnic_port *port, struct labnic_port *peer,
			   struct sk_buff *skb)
{
	labnic_cb(skb)->quanta = labnic_pause_quanta(peer, skb);
	if (labnic_cb(skb)->quanta != LABNIC_NO_PAUSE && !port->pause_armed)
		labnic_pause_arm(port, peer);
}

/*
 * Time anew what has not begun.  One frame at most is on the wire: frames that have ended
 * are not on the list any more, or are before it.
 */
static void labnic_pause_retime(struct labnic_port *port, struct labnic_port *peer,
				u64 now_ns)
{
	u64 ready_ns = max(now_ns, port->held_until_ns);
	struct sk_buff *skb;

	labnic_wire_init(&port->wire, port->config.rate);
	port->arrived_ns = 0;
	skb_queue_walk(&port->flight, skb) {
		if (labnic_cb(skb)->begin_ns > now_ns) {
			labnic_flight_time(port, peer, skb, ready_ns);
			continue;
		}
		port->arrived_ns = labnic_cb(skb)->arrive_ns;
		port->wire.end_ns = port->arrived_ns - port->config.delay;
	}
	labnic_pause_arm(port, peer);
}

/**
 * labnic_pause_settle() - bring tx_held_ns up to date
 * @port: port, its tx_lock held
 * @now_ns: the time
 */
void labnic_pause_settle(struct labnic_port *port, u64 now_ns)
{
	u64 until_ns = min(now_ns, port->held_until_ns);

	if (until_ns > port->held_from_ns)
		port->stats.tx_held_ns += until_ns - port->held_from_ns;
	port->held_from_ns = now_ns;
}

/**
 * labnic_pause_taken() - the MAC takes a PAUSE frame
 * @port: the port
 * @peer: the other end
 * @quanta: for how long
 * @len: bytes of the frame
 * @now_ns: the time
 *
 * Context: softirq, no lock held.
 */
void labnic_pause_taken(struct labnic_port *port, struct labnic_port *peer,
			u32 quanta, u32 len, u64 now_ns)
{
	u64 due_ns;

	port->stats.rx_packets++;
	port->stats.rx_bytes += len;
	port->stats.rx_control_packets++;
	port->stats.rx_control_bytes += len;
	port->stats.rx_pause++;
	spin_lock(&port->tx_lock);
	labnic_pause_settle(port, now_ns);
	port->held_until_ns = now_ns + pause_quanta_ns(quanta, port->config.rate);
	labnic_pause_retime(port, peer, now_ns);
	due_ns = labnic_rings_due(port);
	if (due_ns != U64_MAX)
		labnic_irq_kick(port, due_ns + READ_ONCE(port->config.tx_ns));
	if (!skb_queue_empty(&port->flight))
		labnic_irq_kick(peer, labnic_flight_next(port, READ_ONCE(peer->config.rx_ns),
							 READ_ONCE(peer->config.rx_frames)));
	spin_unlock(&port->tx_lock);
}

/* Take the next PAUSE frame that is there off the flight list; true if there was one. */
static bool labnic_pause_take(struct labnic_port *peer, struct labnic_port *port, u64 now_ns,
			      u32 *quanta, u32 *len)
{
	struct sk_buff *skb;

	spin_lock(&peer->tx_lock);
	skb = labnic_pause_first(peer);
	if (!skb || labnic_cb(skb)->arrive_ns > now_ns) {
		labnic_pause_arm(peer, port);
		spin_unlock(&peer->tx_lock);
		return false;
	}
	__skb_unlink(skb, &peer->flight);
	labnic_flight_detach(skb);
	spin_unlock(&peer->tx_lock);
	*quanta = labnic_cb(skb)->quanta;
	*len = skb->len;
	consume_skb(skb);
	return true;
}

static enum hrtimer_restart labnic_pause_due(struct hrtimer *timer)
{
	struct labnic_port *port = container_of(timer, struct labnic_port, pause_timer);
	struct net_device *peer;
	u32 quanta, len;
	u64 now_ns = ktime_get_ns();

	rcu_read_lock();
	peer = rcu_dereference(port->peer);
	while (peer && labnic_is_up(port) &&
	       labnic_pause_take(netdev_priv(peer), port, now_ns, &quanta, &len))
		labnic_pause_taken(port, netdev_priv(peer), quanta, len, now_ns);
	rcu_read_unlock();
	return HRTIMER_NORESTART;
}

/**
 * labnic_pause_setup() - make the timer of a new port
 * @port: port
 */
void labnic_pause_setup(struct labnic_port *port)
{
	hrtimer_init(&port->pause_timer, CLOCK_MONOTONIC, HRTIMER_MODE_ABS_PINNED_SOFT);
	port->pause_timer.function = labnic_pause_due;
}

/**
 * labnic_pause_stop() - end it
 * @port: port that is being stopped, its poll is off
 */
void labnic_pause_stop(struct labnic_port *port)
{
	hrtimer_cancel(&port->pause_timer);
}
