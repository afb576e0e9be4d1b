// SPDX-License-Identifier: GPL-2.0
/*
 * benchflow: TCP packets of many flows, for benchdev's bench0.
 *
 * pktgen makes no TCP, which is what On-Ramp holds.  A line written to the
 * parameter run says what happens, and is over when the write is:
 *
 *	KIND LAPS PACKETS FLOWS BYTES FAMILY PEER
 *
 * In each lap PACKETS packets, of FLOWS flows in turn, each flow's in sequence,
 * are made and
 *
 *	open	sent to the device, which takes them as they come
 *	fill	sent to the device, which is stopped, and let go when all came
 *	new	likewise, and no lap has a flow that was there before
 *	receive	received by the device, one at a time, each flow's together, and
 *		thrown away behind the tracepoints
 *
 * Each has BYTES of payload; with more than 1448 it is in segments of as many,
 * whose payload all packets share.  FAMILY is 4 or 6, of IP.
 *
 * ns then holds two times for each lap: of all packets to come, and of all to
 * leave, 0 where they leave as they come.  A packet has no socket, so that
 * qdiscs tell flows apart by the packet's hash, which it brings, as a socket's
 * does.
 *
 * A path on which nobody acks is not what On-Ramp is for.  So two packets of
 * each path, of a flow of its own, leave before the lap, and the device receives
 * their OR-ACKs: one before packets come, the other before they leave.  Neither
 * is in the times.  Their clock is the system's, or with the parameter epoch
 * that epoch of a published one that does not differ from it.  PEER says more:
 *
 *	grid	all receivers have the sender's grid
 *	none	the first flow's has another: it reports packets off the grid
 *	held	a flow of another path is held during the lap: OR-ACKs say that
 *		its packets took BENCHFLOW_LATE_NS
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <net/net_namespace.h>
#include <net/sch_generic.h>

#include "benchflow.h"

#define BENCHFLOW_LAPS	64	/* kept; each takes at most 42 bytes to print */
#define BENCHFLOW_BATCH	64	/* packets between two looks at softirqs */
#define BENCHFLOW_PORTS	50000	/* flows of an address, from port 1024 on */
#define BENCHFLOW_PROBE	1023	/* the port of what is acked */
#define BENCHFLOW_PROBES	3	/* at most, of a lap and path */
#define BENCHFLOW_LATE_NS	(20 * NSEC_PER_MSEC)
#define BENCHFLOW_GRID	16384	/* sch_onramp's default of remember */

/**
 * enum benchflow_kind - see above
 * @BENCHFLOW_OPEN: they leave as they come
 * @BENCHFLOW_FILL: they wait for each other
 * @BENCHFLOW_NEW: likewise, of new flows
 * @BENCHFLOW_RECEIVE: they come from the device
 */
enum benchflow_kind {
	BENCHFLOW_OPEN,
	BENCHFLOW_FILL,
	BENCHFLOW_NEW,
	BENCHFLOW_RECEIVE,
};

static const char *const benchflow_kinds[] = {
	[BENCHFLOW_OPEN] = "open",
	[BENCHFLOW_FILL] = "fill",
	[BENCHFLOW_NEW] = "new",
	[BENCHFLOW_RECEIVE] = "receive",
};

/**
 * enum benchflow_peer - see above
 * @BENCHFLOW_PEER_GRID: as the sender expects it
 * @BENCHFLOW_PEER_NONE: without its grid
 * @BENCHFLOW_PEER_HELD: likewise, and another's packets are late
 */
enum benchflow_peer {
	BENCHFLOW_PEER_GRID,
	BENCHFLOW_PEER_NONE,
	BENCHFLOW_PEER_HELD,
};

static const char *const benchflow_peers[] = {
	[BENCHFLOW_PEER_GRID] = "grid",
	[BENCHFLOW_PEER_NONE] = "none",
	[BENCHFLOW_PEER_HELD] = "held",
};

/**
 * struct benchflow_run - a requested measurement
 * @kind: what happens
 * @peer: and at the receivers
 * @laps: how often
 * @packets: of each lap
 * @flows: that they are of
 * @bytes: of payload of a packet
 * @ipv6: which IP
 * @dport: port that they go to
 */
struct benchflow_run {
	enum benchflow_kind	kind;
	enum benchflow_peer	peer;
	unsigned int		laps;
	unsigned int		packets;
	unsigned int		flows;
	u32			bytes;
	bool			ipv6;
	u16			dport;
};

/* One writer at a time: parameters have a lock. */
static u64 benchflow_ns[BENCHFLOW_LAPS][2];
static unsigned int benchflow_laps;
/* Bytes that each flow had, and packets of each path's probes; both only grow. */
static u32 benchflow_seq, benchflow_probed;
/*
 * The last port of a run whose flows are not met again: because so many bytes
 * go by other qdiscs between two runs of one that remembers the flow that what
 * comes next could lie before what it saw last, or because a flow remembers
 * what its receiver is.
 */
static u16 benchflow_port = 5001;
/* Flows that were, none of which is new again. */
static u32 benchflow_used;
static unsigned int benchflow_epoch;

/**
 * benchflow_packet() - a packet of the first flow
 * @dev: the device
 * @seq: sequence number of its first byte
 * @bytes: of payload, BENCHFLOW_SHORT or BENCHFLOW_FULL
 *
 * Context: any.
 * Return: the packet; NULL without memory.
 */
struct sk_buff *benchflow_packet(struct net_device *dev, u32 seq, u32 bytes)
{
	const struct benchflow_at at = {
		.sport = 1024,
		.dport = 5001,
		.seq = seq,
		.bytes = bytes,
	};

	return benchflow_make(dev, &at);
}
EXPORT_SYMBOL_GPL(benchflow_packet);

/**
 * benchflow_dev() - the device that all of this is about
 *
 * Return: a reference, or NULL.
 */
struct net_device *benchflow_dev(void)
{
	return dev_get_by_name(&init_net, "bench0");
}
EXPORT_SYMBOL_GPL(benchflow_dev);

/* Marks of the timed part, for cache_lines.c: these instructions change nothing. */
static __always_inline void benchflow_begin(u64 *ns)
{
	asm volatile("xchg %%bx, %%bx" ::: "memory");
	*ns = ktime_get_ns();
}

static __always_inline void benchflow_end(u64 *ns)
{
	*ns = ktime_get_ns() - *ns;
	asm volatile("xchg %%cx, %%cx" ::: "memory");
}

/* The stack consumes the packet. */
static int benchflow_pass(struct net_device *dev, enum benchflow_kind kind,
			  struct sk_buff *skb)
{
	if (!skb)
		return -ENOMEM;
	if (kind != BENCHFLOW_RECEIVE) {
		int err = dev_queue_xmit(skb);

		return net_xmit_eval(err) ? -ENOBUFS : 0;
	}
	skb->protocol = eth_type_trans(skb, dev);
	netif_receive_skb(skb);
	return 0;
}

/* Packet @turn of a flow, in this lap. */
static struct benchflow_at benchflow_at(const struct benchflow_run *run, u32 flow,
					u32 turn)
{
	return (struct benchflow_at){
		.path = flow / BENCHFLOW_PORTS,
		.sport = 1024 + flow % BENCHFLOW_PORTS,
		.dport = run->dport,
		.hash = flow % BENCHFLOW_FLOWS * BENCHFLOW_HASH,
		.seq = benchflow_seq + turn * run->bytes,
		.bytes = run->bytes,
		.ipv6 = run->ipv6,
	};
}

/*
 * Probes of a path: packets of a flow that has no others, each with a byte on
 * the grid, so that it is remembered whatever else is sent.
 */
static struct benchflow_at benchflow_probe_at(const struct benchflow_run *run,
					      u32 path, u32 which)
{
	return (struct benchflow_at){
		.path = path,
		.sport = BENCHFLOW_PROBE,
		.dport = 5001,
		.hash = (BENCHFLOW_FLOWS + path) * BENCHFLOW_HASH,
		.seq = (benchflow_probed + which) * BENCHFLOW_GRID,
		.bytes = BENCHFLOW_SHORT,
		.ipv6 = run->ipv6,
	};
}

/* The device receives the OR-ACK of a packet that came at @ns. */
static int benchflow_ack(struct net_device *dev, const struct benchflow_at *at,
			 u64 ns)
{
	return benchflow_pass(dev, BENCHFLOW_RECEIVE,
			      benchflow_orack(dev, at, ns, benchflow_epoch));
}

/**
 * struct benchflow_paths - paths that are probed, and when their probes came
 * @first: the first one's number
 * @last: and the last one's
 * @late_ns: after they did, each stamped as if it came so much later
 * @ns: of each round of probes, wall clock
 */
struct benchflow_paths {
	u32	first;
	u32	last;
	u64	late_ns;
	u64	ns[BENCHFLOW_PROBES];
};

/* The device takes what comes, and there the packets' way is over. */
static int benchflow_probe(struct net_device *dev, const struct benchflow_run *run,
			   struct benchflow_paths *paths, u32 rounds)
{
	u32 which, path;
	int err = 0;

	local_bh_disable();
	for (which = 0; which < rounds && !err; which++) {
		for (path = paths->first; path <= paths->last && !err; path++) {
			struct benchflow_at at;

			at = benchflow_probe_at(run, path, which);
			err = benchflow_pass(dev, BENCHFLOW_OPEN,
					     benchflow_make(dev, &at));
		}
		paths->ns[which] = ktime_get_real_ns();
	}
	local_bh_enable();
	return err;
}

/* OR-ACKs of a round of probes come. */
static int benchflow_acks(struct net_device *dev, const struct benchflow_run *run,
			  const struct benchflow_paths *paths, u32 which)
{
	int err = 0;
	u32 path;

	local_bh_disable();
	for (path = paths->first; path <= paths->last && !err; path++) {
		struct benchflow_at at = benchflow_probe_at(run, path, which);

		err = benchflow_ack(dev, &at, paths->ns[which] + paths->late_ns);
	}
	local_bh_enable();
	return err;
}

/* Three packets of another path: one comes at once, and the others late. */
static int benchflow_late(struct net_device *dev, const struct benchflow_run *run,
			  struct benchflow_paths *held)
{
	int err;

	err = benchflow_probe(dev, run, held, 3) ?:
	      benchflow_acks(dev, run, held, 0);
	held->late_ns = BENCHFLOW_LATE_NS;
	fsleep(div_u64(held->late_ns, NSEC_PER_USEC));
	return err;
}

/* A receiver without the grid reports three packets of the first flow, far apart. */
static int benchflow_off_grid(struct net_device *dev,
			      const struct benchflow_run *run, u32 first)
{
	struct benchflow_at at = benchflow_at(run, first, 0);
	u64 now_ns = ktime_get_real_ns();
	u32 base = round_down(at.seq, BENCHFLOW_GRID) + 8;
	unsigned int i;
	int err = 0;

	at.bytes = BENCHFLOW_SHORT;
	local_bh_disable();
	for (i = 0; i < 3 && !err; i++) {
		at.seq = base - (9 - 3 * i) * BENCHFLOW_GRID;
		err = benchflow_ack(dev, &at, now_ns);
	}
	local_bh_enable();
	return err;
}

/* Return: 0, or why a packet did not get to where it belongs. */
static int benchflow_come(struct net_device *dev,
			  const struct benchflow_run *run, u32 first)
{
	unsigned int batch = run->kind == BENCHFLOW_RECEIVE ? 1 : BENCHFLOW_BATCH;
	u32 turns = DIV_ROUND_UP(run->packets, run->flows);
	unsigned int i;
	int err = 0;

	local_bh_disable();
	for (i = 0; i < run->packets && !err; i++) {
		struct benchflow_at at;

		if (run->kind == BENCHFLOW_RECEIVE)
			at = benchflow_at(run, first + i / turns, i % turns);
		else
			at = benchflow_at(run, first + i % run->flows, i / run->flows);
		err = benchflow_pass(dev, run->kind, benchflow_make(dev, &at));
		if (i % batch == batch - 1) {
			local_bh_enable();
			local_bh_disable();
		}
	}
	local_bh_enable();
	return err;
}

/* All that wait leave before the bottom halves are on again. */
static void benchflow_leave(struct netdev_queue *txq)
{
	local_bh_disable();
	netif_tx_wake_queue(txq);
	local_bh_enable();
}

static void benchflow_count(const struct benchflow_run *run, u32 first)
{
	benchflow_seq += DIV_ROUND_UP(run->packets, run->flows) * run->bytes;
	benchflow_probed += BENCHFLOW_PROBES;
	benchflow_used = max(benchflow_used, first + run->flows);
}

/* Return: 0, or why packets did not come or leave. */
static int benchflow_timed(struct net_device *dev, const struct benchflow_run *run,
			   u32 first, const struct benchflow_paths *paths,
			   const struct benchflow_paths *held, u64 *ns)
{
	struct netdev_queue *txq = netdev_get_tx_queue(dev, 0);
	bool late = run->peer == BENCHFLOW_PEER_HELD;
	int err;

	if (run->kind != BENCHFLOW_OPEN)
		netif_tx_stop_queue(txq);
	err = late ? benchflow_acks(dev, run, held, 1) : 0;
	benchflow_begin(&ns[0]);
	err = err ?: benchflow_come(dev, run, first);
	benchflow_end(&ns[0]);
	err = benchflow_acks(dev, run, paths, 1) ?: err;
	if (run->kind == BENCHFLOW_OPEN)
		return err;
	if (late)
		err = benchflow_acks(dev, run, held, 2) ?: err;
	benchflow_begin(&ns[1]);
	benchflow_leave(txq);
	benchflow_end(&ns[1]);
	return err;
}

/* Packets that are to leave: those that wait, and those that do not. */
static int benchflow_leaving(struct net_device *dev,
			     const struct benchflow_run *run, u32 first, u64 *ns)
{
	struct benchflow_paths paths = {
		.first = first / BENCHFLOW_PORTS,
		.last = (first + run->flows - 1) / BENCHFLOW_PORTS,
	};
	struct benchflow_paths held = {
		.first = paths.last + 1,
		.last = paths.last + 1,
	};
	int err = 0;

	if (run->peer == BENCHFLOW_PEER_HELD)
		err = benchflow_late(dev, run, &held);
	err = err ?: benchflow_probe(dev, run, &paths, 2) ?:
		     benchflow_acks(dev, run, &paths, 0);
	if (!err && run->peer == BENCHFLOW_PEER_NONE)
		err = benchflow_off_grid(dev, run, first);
	return err ?: benchflow_timed(dev, run, first, &paths, &held, ns);
}

static int benchflow_lap(struct net_device *dev,
			 const struct benchflow_run *run, u64 *ns)
{
	u32 first = run->kind == BENCHFLOW_NEW ? benchflow_used : 0;
	int err;

	ns[1] = 0;
	if (run->kind == BENCHFLOW_RECEIVE) {
		benchflow_begin(&ns[0]);
		err = benchflow_come(dev, run, first);
		benchflow_end(&ns[0]);
	} else {
		err = benchflow_leaving(dev, run, first, ns);
	}
	benchflow_count(run, first);
	return err;
}

static bool benchflow_is_valid(const struct benchflow_run *run, unsigned int family)
{
	if (!run->laps || run->laps > BENCHFLOW_LAPS || !run->packets || !run->flows ||
	    (family != 4 && family != 6))
		return false;
	if (run->bytes > BENCHFLOW_FULL)
		return run->bytes <= BENCHFLOW_LARGE && !(run->bytes % BENCHFLOW_FULL);
	return run->bytes;
}

static int benchflow_parse(const char *text, struct benchflow_run *run)
{
	char kind[16], peer[16];
	unsigned int family;
	int which, at;

	if (sscanf(text, "%15s %u %u %u %u %u %15s", kind, &run->laps, &run->packets,
		   &run->flows, &run->bytes, &family, peer) != 7)
		return -EINVAL;
	which = match_string(benchflow_kinds, ARRAY_SIZE(benchflow_kinds), kind);
	at = match_string(benchflow_peers, ARRAY_SIZE(benchflow_peers), peer);
	if (which < 0 || at < 0 || !benchflow_is_valid(run, family))
		return -EINVAL;
	run->kind = which;
	run->peer = at;
	run->ipv6 = family == 6;
	run->dport = 5001;
	if (run->bytes > BENCHFLOW_FULL || run->peer == BENCHFLOW_PEER_NONE)
		run->dport = ++benchflow_port;
	return 0;
}

/*
 * Hash tables grow in a work that needs the CPU, and until they have, a look-up
 * walks through all that they are to become: flows that were new get the time
 * for it that they have elsewhere.
 */
static void benchflow_rest(const struct benchflow_run *run, unsigned int lap)
{
	if (!lap)
		msleep(20 + run->flows / 1000);
	else if (run->kind == BENCHFLOW_NEW)
		schedule_timeout_uninterruptible(1);
}

static int benchflow_run_set(const char *val, const struct kernel_param *kp)
{
	struct benchflow_run run;
	struct net_device *dev;
	unsigned int i;
	int err;

	err = benchflow_parse(val, &run);
	if (err)
		return err;
	dev = benchflow_dev();
	if (!dev)
		return -ENODEV;
	for (i = 0; i < run.laps && !err; i++) {
		err = benchflow_lap(dev, &run, benchflow_ns[i]);
		benchflow_rest(&run, i);
	}
	benchflow_laps = i;
	dev_put(dev);
	return err;
}

static int benchflow_ns_get(char *buffer, const struct kernel_param *kp)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < benchflow_laps; i++)
		len += sysfs_emit_at(buffer, len, "%llu %llu ",
				     benchflow_ns[i][0], benchflow_ns[i][1]);
	return len + sysfs_emit_at(buffer, len, "\n");
}

static const struct kernel_param_ops benchflow_run_ops = {
	.set = benchflow_run_set,
};
module_param_cb(run, &benchflow_run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "KIND LAPS PACKETS FLOWS BYTES FAMILY PEER: see the source");

static const struct kernel_param_ops benchflow_ns_ops = {
	.get = benchflow_ns_get,
};
module_param_cb(ns, &benchflow_ns_ops, NULL, 0444);
MODULE_PARM_DESC(ns, "of each lap, ns that its packets took to come, and to leave");

module_param_named(epoch, benchflow_epoch, uint, 0644);
MODULE_PARM_DESC(epoch, "of OR-ACKs' clock; 0: the system's");

/* Data that the device receives ends here, behind the tracepoints. */
static rx_handler_result_t benchflow_take(struct sk_buff **pskb)
{
	struct sk_buff *skb = *pskb;
	u8 protocol = skb->protocol == htons(ETH_P_IPV6) ? ipv6_hdr(skb)->nexthdr :
							   ip_hdr(skb)->protocol;

	if (protocol == IPPROTO_UDP)
		return RX_HANDLER_PASS;
	consume_skb(skb);
	return RX_HANDLER_CONSUMED;
}

static int __init benchflow_init(void)
{
	struct net_device *dev = benchflow_dev();
	int err;

	if (!dev)
		return -ENODEV;
	err = benchflow_page_alloc();
	if (err) {
		dev_put(dev);
		return err;
	}
	rtnl_lock();
	err = netdev_rx_handler_register(dev, benchflow_take, NULL);
	rtnl_unlock();
	dev_put(dev);
	if (err)
		benchflow_page_free();
	return err;
}

static void __exit benchflow_exit(void)
{
	struct net_device *dev = benchflow_dev();

	if (dev) {
		rtnl_lock();
		netdev_rx_handler_unregister(dev);
		rtnl_unlock();
		dev_put(dev);
	}
	benchflow_page_free();
}

module_init(benchflow_init);
module_exit(benchflow_exit);
MODULE_DESCRIPTION("TCP packets of many flows, to time qdiscs by");
MODULE_LICENSE("GPL");
