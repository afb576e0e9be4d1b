// SPDX-License-Identifier: GPL-2.0
/*
 * benchflow: TCP packets of many flows, for benchdev's bench0.
 *
 * pktgen makes no TCP, which is what On-Ramp holds.  A line written to the
 * parameter run says what happens, and is over when the write is:
 *
 *	KIND LAPS PACKETS FLOWS
 *
 * In each lap PACKETS packets, of FLOWS flows in turn, each flow's in sequence,
 * are made and
 *
 *	open	sent to the device, which takes them as they come
 *	fill	sent to the device, which is stopped, and let go when all came
 *	new	likewise, and no lap has a flow that was there before
 *	receive	received by the device, one at a time, and thrown away behind the
 *		tracepoints
 *
 * Frames have 60 bytes, so that the qdisc is what is timed, or are full if they
 * are received, so that there is something to acknowledge.
 *
 * ns then holds two times for each lap: of all packets to come, and of all to
 * leave, 0 where they leave as they come.  A packet has no socket, so that
 * qdiscs tell flows apart by the packet's hash, which it brings, as a socket's
 * does.
 */
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/netdevice.h>
#include <linux/rtnetlink.h>
#include <linux/tcp.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/sch_generic.h>

#include "benchflow.h"

#define BENCHFLOW_LAPS	64	/* kept; each takes at most 42 bytes to print */
#define BENCHFLOW_BATCH	64	/* packets between two looks at softirqs */
#define BENCHFLOW_SHORT	6	/* bytes of payload */
#define BENCHFLOW_FULL	1448
#define BENCHFLOW_PORTS	50000	/* flows of an address */
/* Odd, so that no two of a million flows have all of their last 20 bits alike. */
#define BENCHFLOW_HASH	0x9e3779b1U

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
 * struct benchflow_run - what is asked for
 * @kind: what happens
 * @laps: how often
 * @packets: of each lap
 * @flows: that they are of
 */
struct benchflow_run {
	enum benchflow_kind	kind;
	unsigned int		laps;
	unsigned int		packets;
	unsigned int		flows;
};

/* One writer at a time: parameters have a lock. */
static u64 benchflow_ns[BENCHFLOW_LAPS][2];
static unsigned int benchflow_laps;
/* Packets that each flow had; sequence numbers only grow. */
static u32 benchflow_turn;
/* Flows that were, none of which is new again. */
static u32 benchflow_used;

/* ECT(0), so that it can be marked. */
static void benchflow_put_ip(struct sk_buff *skb, u32 flow, u32 bytes)
{
	struct iphdr *ip;

	skb_set_network_header(skb, skb->len);
	ip = skb_put_zero(skb, sizeof(*ip));
	ip->version = 4;
	ip->ihl = sizeof(*ip) / 4;
	ip->tos = INET_ECN_ECT_0;
	ip->tot_len = htons(sizeof(*ip) + sizeof(struct tcphdr) + bytes);
	ip->ttl = 64;
	ip->protocol = IPPROTO_TCP;
	ip->saddr = htonl(0xc6120001 + flow / BENCHFLOW_PORTS);
	ip->daddr = htonl(0xc0000201);
	ip_send_check(ip);
}

static void benchflow_put_tcp(struct sk_buff *skb, u32 flow, u32 turn,
			      u32 bytes)
{
	struct tcphdr *tcp;

	skb_set_transport_header(skb, skb->len);
	tcp = skb_put_zero(skb, sizeof(*tcp) + bytes);
	tcp->source = htons(1024 + flow % BENCHFLOW_PORTS);
	tcp->dest = htons(5001);
	tcp->seq = htonl(turn * bytes);
	tcp->doff = sizeof(*tcp) / 4;
	tcp->ack = 1;
}

static struct sk_buff *benchflow_make(struct net_device *dev, u32 flow,
				      u32 turn, u32 bytes)
{
	struct ethhdr *eth;
	struct sk_buff *skb;

	skb = alloc_skb(LL_MAX_HEADER + sizeof(*eth) + sizeof(struct iphdr) +
			sizeof(struct tcphdr) + bytes, GFP_ATOMIC);

	if (!skb)
		return NULL;
	skb_reserve(skb, LL_MAX_HEADER);
	skb_reset_mac_header(skb);
	eth = skb_put(skb, sizeof(*eth));
	memcpy(eth->h_dest, dev->dev_addr, ETH_ALEN);
	memcpy(eth->h_source, dev->dev_addr, ETH_ALEN);
	eth->h_proto = htons(ETH_P_IP);
	benchflow_put_ip(skb, flow, bytes);
	benchflow_put_tcp(skb, flow, turn, bytes);
	skb->protocol = htons(ETH_P_IP);
	skb->dev = dev;
	skb_set_hash(skb, flow * BENCHFLOW_HASH, PKT_HASH_TYPE_L4);
	return skb;
}

/**
 * benchflow_packet() - a short packet, as it goes to a qdisc
 * @dev: the device
 * @flow: its number
 * @turn: how many the flow had before
 *
 * Context: BH off.
 * Return: the packet; NULL without memory.
 */
struct sk_buff *benchflow_packet(struct net_device *dev, u32 flow, u32 turn)
{
	return benchflow_make(dev, flow, turn, BENCHFLOW_SHORT);
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

/* The stack consumes the packet. */
static int benchflow_pass(struct net_device *dev, enum benchflow_kind kind,
			  struct sk_buff *skb)
{
	if (kind != BENCHFLOW_RECEIVE) {
		int err = dev_queue_xmit(skb);

		return net_xmit_eval(err) ? -ENOBUFS : 0;
	}
	skb->protocol = eth_type_trans(skb, dev);
	netif_receive_skb(skb);
	return 0;
}

/* Return: 0, or why a packet did not get to where it belongs. */
static int benchflow_come(struct net_device *dev,
			  const struct benchflow_run *run, u32 first)
{
	bool receive = run->kind == BENCHFLOW_RECEIVE;
	u32 bytes = receive ? BENCHFLOW_FULL : BENCHFLOW_SHORT;
	unsigned int batch = receive ? 1 : BENCHFLOW_BATCH;
	unsigned int i;
	int err = 0;

	local_bh_disable();
	for (i = 0; i < run->packets && !err; i++) {
		struct sk_buff *skb;

		skb = benchflow_make(dev, first + i % run->flows,
				     benchflow_turn + i / run->flows, bytes);
		err = skb ? benchflow_pass(dev, run->kind, skb) : -ENOMEM;
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

static int benchflow_lap(struct net_device *dev,
			 const struct benchflow_run *run, u64 *ns)
{
	bool waits = run->kind == BENCHFLOW_FILL || run->kind == BENCHFLOW_NEW;
	struct netdev_queue *txq = netdev_get_tx_queue(dev, 0);
	u32 first = run->kind == BENCHFLOW_NEW ? benchflow_used : 0;
	u64 begin_ns, come_ns;
	int err;

	if (waits)
		netif_tx_stop_queue(txq);
	begin_ns = ktime_get_ns();
	err = benchflow_come(dev, run, first);
	come_ns = ktime_get_ns();
	ns[0] = come_ns - begin_ns;
	ns[1] = 0;
	if (waits) {
		benchflow_leave(txq);
		ns[1] = ktime_get_ns() - come_ns;
	}
	benchflow_turn += DIV_ROUND_UP(run->packets, run->flows);
	benchflow_used = max(benchflow_used, first + run->flows);
	return err;
}

static int benchflow_parse(const char *text, struct benchflow_run *run)
{
	char word[16];
	int kind;

	if (sscanf(text, "%15s %u %u %u", word, &run->laps, &run->packets,
		   &run->flows) != 4)
		return -EINVAL;
	kind = match_string(benchflow_kinds, ARRAY_SIZE(benchflow_kinds), word);
	if (kind < 0 || !run->laps || run->laps > BENCHFLOW_LAPS ||
	    !run->packets || !run->flows)
		return -EINVAL;
	run->kind = kind;
	return 0;
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
	for (i = 0; i < run.laps && !err; i++)
		err = benchflow_lap(dev, &run, benchflow_ns[i]);
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
MODULE_PARM_DESC(run, "KIND LAPS PACKETS FLOWS: see the source");

static const struct kernel_param_ops benchflow_ns_ops = {
	.get = benchflow_ns_get,
};
module_param_cb(ns, &benchflow_ns_ops, NULL, 0444);
MODULE_PARM_DESC(ns, "of each lap, ns that its packets took to come, and to leave");

/* What the device receives ends here, behind the tracepoints. */
static rx_handler_result_t benchflow_end(struct sk_buff **pskb)
{
	consume_skb(*pskb);
	return RX_HANDLER_CONSUMED;
}

static int __init benchflow_init(void)
{
	struct net_device *dev = benchflow_dev();
	int err;

	if (!dev)
		return -ENODEV;
	rtnl_lock();
	err = netdev_rx_handler_register(dev, benchflow_end, NULL);
	rtnl_unlock();
	dev_put(dev);
	return err;
}

static void __exit benchflow_exit(void)
{
	struct net_device *dev = benchflow_dev();

	if (!dev)
		return;
	rtnl_lock();
	netdev_rx_handler_unregister(dev);
	rtnl_unlock();
	dev_put(dev);
}

module_init(benchflow_init);
module_exit(benchflow_exit);
MODULE_DESCRIPTION("TCP packets of many flows, to time qdiscs by");
MODULE_LICENSE("GPL");
