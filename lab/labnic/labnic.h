/* SPDX-License-Identifier: GPL-2.0 */
/*
 * labnic: a NIC for a lab in virtual time.
 *
 * A pair of ports is a full duplex link.  The sender computes in
 * ndo_start_xmit() when each frame leaves the wire (wire.h) and puts it on
 * its flight list, where it stays until the receiver's poll takes it at or
 * after end + delay.  The descriptor stays in the transmit ring until the
 * sender's poll finds that its last frame has ended.  Both polls are one NAPI
 * instance a port, woken by the port's only interrupt: one hrtimer, armed for
 * the earlier of the next transmit completion and the next arrival.
 *
 *     xmit -> ring --(end)--> completion: BQL, wake, socket memory    tx.c, ring.c
 *          |     <--(PAUSE)-- what has not begun begins later         pause.c
 *          `-> flight --(end + delay)--> peer's poll -> GRO -> stack  flight.c, rx.c
 *     timer -> napi_schedule -> poll: completions, then arrivals      irq.c, poll.c
 *
 * Locks: tx_lock covers a port's wire, rings, flight list and window, and is
 * taken by the port's own xmit and poll and by its peer's poll.  irq_lock covers
 * the timer's state, is taken in hard interrupts, and nests inside tx_lock.  The
 * peer pointer is RCU, written under RTNL.
 *
 * Each file uses only those that Kbuild, and this header, have before it.
 */
#ifndef LABNIC_H
#define LABNIC_H

#include <linux/hrtimer.h>
#include <linux/netdevice.h>
#include <linux/skbuff.h>
#include <linux/spinlock.h>
#include <linux/types.h>

#include "control.h"
#include "cross.h"
#include "drops.h"
#include "labnic_uapi.h"
#include "late.h"
#include "onramp_hook.h"
#include "phc.h"
#include "window.h"
#include "wire.h"

/**
 * struct labnic_config - a port's parameters, ranges in labnic_uapi.h
 *
 * The members have the names and units of LABNIC_PARAMS().
 */
struct labnic_config {
#define LABNIC_P(NAME, name, min, max, host, sw) u64 name;
	LABNIC_PARAMS(LABNIC_P)
#undef LABNIC_P
};

/*
 * Counters of a port, all u64 and only growing.  The tx_ ones and those of the
 * first line of drops are written under tx_lock, the others by the poll.
 * Packets are frames on the wire: a TSO buffer counts as its segments.
 */
#define LABNIC_STATS(S)							\
	S(tx_packets)							\
	S(tx_bytes)							\
	S(tx_wire_bytes)						\
	S(tx_wire_busy_ns)						\
	S(tx_cross_bytes)						\
	S(tx_tso_buffers)						\
	S(tx_tso_segments)						\
	S(tx_ring_stops)						\
	S(tx_ring_busy)							\
	S(tx_drop_no_carrier)						\
	S(tx_drop_no_memory)						\
	S(tx_drop_link_down)						\
	S(tx_control_packets)						\
	S(tx_control_bytes)						\
	S(tx_held_ns)							\
	S(rx_packets)							\
	S(rx_bytes)							\
	S(rx_gro_merged)						\
	S(rx_drop_oversize)						\
	S(rx_control_packets)						\
	S(rx_control_bytes)						\
	S(rx_pause)							\
	S(interrupts)							\
	S(polls)

/**
 * struct labnic_stats - see LABNIC_STATS()
 *
 * tx_wire_bytes counts preamble, check sequence and gap too, and so does
 * tx_cross_bytes of the bursts that occupied the wire; tx_ring_busy
 * counts NETDEV_TX_BUSY, which the stack should never see; tx_drop_link_down
 * counts frames that were on the wire when an end went down; the control ones
 * count frames of control.h among those of tx_packets and rx_packets, rx_pause
 * the PAUSE frames among these that were obeyed, and tx_held_ns the time for that.
 */
struct labnic_stats {
#define LABNIC_S(name) u64 name;
	LABNIC_STATS(LABNIC_S)
#undef LABNIC_S
};

/**
 * struct labnic_desc - a transmit descriptor
 * @skb: the buffer to release at completion, or NULL when the receiver has it
 * @end_ns: when the last frame of the buffer is out
 * @bytes: bytes of all its frames
 * @pkts: number of its frames
 * @own: the buffer was cut into segments: @skb belongs to the ring alone
 * @awaited: somebody waits for its completion: a socket or BQL
 * @sk: socket to be notified at completion when @skb is NULL, or NULL
 * @destructor: how to tell it
 * @truesize: memory to give back to it
 * @stamp: clone whose socket waits for the hardware's stamp, or NULL
 * @sent_ns: when the last frame of the buffer passed the stamp's point
 */
struct labnic_desc {
	struct sk_buff *skb;
	u64 end_ns;
	u32 bytes;
	u32 pkts;
	bool own;
	bool awaited;
	struct sock *sk;
	void (*destructor)(struct sk_buff *skb);
	unsigned int truesize;
	struct sk_buff *stamp;
	u64 sent_ns;
};

/**
 * struct labnic_ring - the transmit ring of one queue
 * @desc: the descriptors
 * @head: index of the next to fill
 * @tail: index of the oldest filled
 * @used: number filled
 * @size: number of descriptors
 * @awaited: number filled whose completion somebody waits for
 * @done_pkts: completed frames not reported to the stack yet
 * @done_bytes: completed bytes not reported to the stack yet
 * @stopped: the queue was stopped because the ring was full
 */
struct labnic_ring {
	struct labnic_desc *desc;
	u32 head;
	u32 tail;
	u32 used;
	u32 size;
	u32 awaited;
	u32 done_pkts;
	u32 done_bytes;
	bool stopped;
};

/**
 * struct labnic_port - private data of a labnic device
 *
 * @dev: the device
 * @peer: the other end, NULL once the pair is being deleted
 * @config: parameters; the coalescing ones change under RTNL, with WRITE_ONCE
 * @number: running number of the port since the module was loaded
 *
 * @tx_lock: see above
 * @wire: the direction away from this port
 * @cross: what else occupies it
 * @late_tx: how late the software here is when it sends
 * @random_tx: state of the generator of that
 * @late_rx: how late it is when it receives; the peer's tx_lock covers it
 * @random_rx: same of that
 * @arrived_ns: when the peer has the last frame
 * @held_until_ns: before that no frame begins, 0: PAUSE was never obeyed
 * @held_from_ns: from when on tx_held_ns does not count yet
 * @pause_armed: the peer's pause timer is running
 * @rings: one a transmit queue
 * @flight: frames on the way to the peer, in order of arrival
 * @ring_pkts: frames in all rings
 * @ring_bytes: bytes in all rings
 * @window: queue statistics, NULL unless configured
 * @token: stands in for a buffer that has gone when its socket is notified
 *
 * @pause_timer: a PAUSE frame is here
 *
 * @napi: the poll
 * @irq_lock: see above
 * @timer: the interrupt
 * @timer_ns: when it fires, if @armed
 * @jitter_ns: extra time drawn for the wakeup that is armed
 * @armed: the timer is running
 * @polling: the poll will run and arm the timer itself
 * @up: between ndo_open and ndo_stop
 * @random: state of the generator of jitter
 *
 * @phc: the hardware clock
 *
 * @stats: counters
 * @drops: what the stack dropped here
 * @proc: directory in /proc/net/labnic
 */
struct labnic_port {
	struct net_device *dev;
	struct net_device __rcu *peer;
	struct labnic_config config;
	u32 number;

	/* covers all down to token */
	spinlock_t tx_lock ____cacheline_aligned_in_smp;
	struct labnic_wire wire;
	struct labnic_cross cross;
	struct labnic_late late_tx;
	u64 random_tx;
	u64 arrived_ns;
	u64 held_until_ns;
	u64 held_from_ns;
	bool pause_armed;
	struct labnic_ring *rings;
	struct sk_buff_head flight;
	u32 ring_pkts;
	u32 ring_bytes;
	struct labnic_window *window;
	struct sk_buff token;

	struct hrtimer pause_timer;

	struct napi_struct napi ____cacheline_aligned_in_smp;
	/* covers all down to random */
	spinlock_t irq_lock;
	struct hrtimer timer;
	u64 timer_ns;
	u32 jitter_ns;
	bool armed;
	bool polling;
	bool up;
	u64 random;

	struct labnic_phc phc;

	/* covered by the peer's tx_lock */
	struct labnic_late late_rx;
	u64 random_rx;

	struct labnic_stats stats;
	struct labnic_drops drops;
	struct proc_dir_entry *proc;
};

/**
 * struct labnic_cb - what a frame on the flight list carries in its skb->cb
 * @arrive_ns: when the receiver may have it
 * @passed_ns: when it passes the stamp's point there
 * @begin_ns: when its preamble begins
 * @desc: the descriptor that refers to it, NULL if none does any more
 * @quanta: of a PAUSE frame to a MAC that obeys, else LABNIC_NO_PAUSE
 */
struct labnic_cb {
	u64 arrive_ns;
	u64 passed_ns;
	u64 begin_ns;
	struct labnic_desc *desc;
	s32 quanta;
};

/* What comes after an index of a ring. */
static inline u32 labnic_ring_after(const struct labnic_ring *ring, u32 index)
{
	return index + 1 == ring->size ? 0 : index + 1;
}

static inline struct labnic_cb *labnic_cb(struct sk_buff *skb)
{
	BUILD_BUG_ON(sizeof(struct labnic_cb) > sizeof(skb->cb));
	return (struct labnic_cb *)skb->cb;
}

/* irq.c: the interrupt */
void labnic_irq_setup(struct labnic_port *port);
void labnic_irq_attach(struct labnic_port *port);
void labnic_irq_open(struct labnic_port *port);
void labnic_irq_stop(struct labnic_port *port);
bool labnic_is_up(const struct labnic_port *port);
void labnic_irq_kick(struct labnic_port *port, u64 when_ns);
void labnic_irq_unmask(struct labnic_port *port);

/* flight.c: frames on the way */
void labnic_flight_time(struct labnic_port *port, struct labnic_port *peer,
			struct sk_buff *skb, u64 ready_ns);
void labnic_flight_detach(struct sk_buff *skb);
void labnic_flight_cut(struct labnic_port *port);
u32 labnic_flight_take(struct labnic_port *port, u64 now_ns, u32 limit,
		       struct sk_buff_head *to);
u64 labnic_flight_next(struct labnic_port *port, u64 rx_ns, u32 rx_frames);

/* queue.c: ring and queue discipline as a window sees them */
void labnic_queue_begin(struct labnic_port *port, u64 now_ns);
void labnic_queue_end(struct labnic_port *port, u64 now_ns);

/* ring.c: rings, completion */
int labnic_rings_alloc(struct labnic_port *port);
void labnic_rings_free(struct labnic_port *port);
u64 labnic_rings_due(const struct labnic_port *port);
void labnic_tx_clean(struct labnic_port *port, u64 now_ns, int budget);
void labnic_tx_catch_up(struct labnic_port *port, u64 now_ns);
u64 labnic_tx_next(struct labnic_port *port);
void labnic_tx_cut(struct labnic_port *port);

/* pause.c: PAUSE */
const char *labnic_pause_conflict(const struct labnic_config *config,
				  const struct labnic_config *peer);
void labnic_pause_setup(struct labnic_port *port);
void labnic_pause_launched(struct labnic_port *port, struct labnic_port *peer,
			   struct sk_buff *skb);
void labnic_pause_taken(struct labnic_port *port, struct labnic_port *peer,
			u32 quanta, u32 len, u64 now_ns);
void labnic_pause_settle(struct labnic_port *port, u64 now_ns);
void labnic_pause_stop(struct labnic_port *port);

/* tx.c: transmission */
void labnic_tx_attach(struct labnic_port *port);
netdev_tx_t labnic_xmit(struct sk_buff *skb, struct net_device *dev);

/* watch.c: windows */
int labnic_queue_watch(struct labnic_port *port, u64 from_ns, u64 until_ns,
		       u64 sample_ns, struct netlink_ext_ack *extack);
void labnic_queue_unwatch(struct labnic_port *port);
struct labnic_window *labnic_queue_get(struct labnic_port *port);
void labnic_queue_put(struct labnic_window *window);

/* rx.c: arrivals */
int labnic_rx(struct labnic_port *port, u64 now_ns, int budget);

/* poll.c: the poll */
void labnic_poll_attach(struct labnic_port *port);

/* ethtool.c */
extern const struct ethtool_ops labnic_ethtool_ops;

/* netdev.c: the device and its life */
void labnic_setup(struct net_device *dev);
void labnic_features(struct net_device *dev);

/* rtnl.c: netlink */
extern struct rtnl_link_ops labnic_link_ops;

/* proc.c: /proc/net/labnic */
int labnic_proc_init(void);
void labnic_proc_exit(void);

#endif /* LABNIC_H */
