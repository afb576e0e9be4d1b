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
 *	gso	as fill, of packets of 45 segments, whose payload all share
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
 *
 * A path on which nobody acks is not what On-Ramp is for.  So two packets of
 * each path, of a flow of its own, leave before the lap, and the device receives
 * their OR-ACKs: one before packets come, the other before they leave.  Neither
 * is in the times.  Their clock is the system's, or with the parameter epoch
 * that epoch of a published one that does not differ from it.
 */
#include <linux/delay.h>
#include <linux/etherdevice.h>
#include <linux/ip.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/netdevice.h>
#include <linux/onramp_wire.h>
#include <linux/rtnetlink.h>
#include <linux/sched.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <net/checksum.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/net_namespace.h>
#include <net/sch_generic.h>

#include "benchflow.h"

#define BENCHFLOW_LAPS	64	/* kept; each takes at most 42 bytes to print */
#define BENCHFLOW_BATCH	64	/* packets between two looks at softirqs */
#define BENCHFLOW_GSO	(45 * BENCHFLOW_FULL)	/* bytes of payload */
#define BENCHFLOW_ORDER	get_order(BENCHFLOW_GSO)
#define BENCHFLOW_PORTS	50000	/* flows of an address, from port 1024 on */
#define BENCHFLOW_PROBE	1023	/* the port of what is acked */
#define BENCHFLOW_PROBES	2	/* of a lap and path */
/*
 * Odd, so that no two of a million flows, and no probe of a path, have all of
 * their last 20 bits alike, which are what qdiscs look at.
 */
#define BENCHFLOW_HASH	0x9e3779b1U
#define BENCHFLOW_FLOWS	1000000	/* that are told apart at a time */

/**
 * enum benchflow_kind - see above
 * @BENCHFLOW_OPEN: they leave as they come
 * @BENCHFLOW_FILL: they wait for each other
 * @BENCHFLOW_NEW: likewise, of new flows
 * @BENCHFLOW_SEGMENTS: likewise, of old ones and large packets
 * @BENCHFLOW_RECEIVE: they come from the device
 */
enum benchflow_kind {
	BENCHFLOW_OPEN,
	BENCHFLOW_FILL,
	BENCHFLOW_NEW,
	BENCHFLOW_SEGMENTS,
	BENCHFLOW_RECEIVE,
};

static const char *const benchflow_kinds[] = {
	[BENCHFLOW_OPEN] = "open",
	[BENCHFLOW_FILL] = "fill",
	[BENCHFLOW_NEW] = "new",
	[BENCHFLOW_SEGMENTS] = "gso",
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

/**
 * struct benchflow_at - a packet of a flow
 * @path: number of its source address
 * @sport: source port
 * @dport: destination port
 * @hash: what qdiscs tell its flow by
 * @seq: sequence number of its first byte
 * @bytes: of payload; BENCHFLOW_GSO: in segments
 */
struct benchflow_at {
	u32	path;
	u16	sport;
	u16	dport;
	u32	hash;
	u32	seq;
	u32	bytes;
};

/* One writer at a time: parameters have a lock. */
static u64 benchflow_ns[BENCHFLOW_LAPS][2];
static unsigned int benchflow_laps;
/* Packets that each flow had; sequence numbers only grow. */
static u32 benchflow_turn, benchflow_turn_gso, benchflow_turn_probe;
/*
 * Where large packets go to: another connection in each run.  So many bytes go
 * by other qdiscs between two runs of one that remembers the flow that what
 * comes next could lie before what it saw last.
 */
static u16 benchflow_port_gso = 5002;
/* Flows that were, none of which is new again. */
static u32 benchflow_used;
static unsigned int benchflow_epoch;
/* The payload of packets in segments. */
static struct page *benchflow_page;

static __be32 benchflow_source(u32 path)
{
	return htonl(0xc6120001 + path);
}

static struct sk_buff *benchflow_frame(struct net_device *dev, u32 bytes)
{
	struct sk_buff *skb;
	struct ethhdr *eth;

	skb = alloc_skb(LL_MAX_HEADER + sizeof(*eth) + bytes, GFP_ATOMIC);
	if (!skb)
		return NULL;
	skb_reserve(skb, LL_MAX_HEADER);
	skb_reset_mac_header(skb);
	eth = skb_put(skb, sizeof(*eth));
	memcpy(eth->h_dest, dev->dev_addr, ETH_ALEN);
	memcpy(eth->h_source, dev->dev_addr, ETH_ALEN);
	eth->h_proto = htons(ETH_P_IP);
	skb->protocol = htons(ETH_P_IP);
	skb->dev = dev;
	return skb;
}

static struct iphdr *benchflow_put_ip(struct sk_buff *skb, u8 protocol,
				      u32 bytes)
{
	struct iphdr *ip;

	skb_set_network_header(skb, skb->len);
	ip = skb_put_zero(skb, sizeof(*ip));
	ip->version = 4;
	ip->ihl = sizeof(*ip) / 4;
	ip->tot_len = htons(sizeof(*ip) + bytes);
	ip->ttl = 64;
	ip->protocol = protocol;
	skb_set_transport_header(skb, skb->len);
	return ip;
}

static void benchflow_put_tcp(struct sk_buff *skb, const struct benchflow_at *at,
			      u32 linear)
{
	struct tcphdr *tcp = skb_put_zero(skb, sizeof(*tcp) + linear);

	tcp->source = htons(at->sport);
	tcp->dest = htons(at->dport);
	tcp->seq = htonl(at->seq);
	tcp->doff = sizeof(*tcp) / 4;
	tcp->ack = 1;
}

/* As TCP gives it to a device that segments and computes checksums. */
static void benchflow_put_segments(struct sk_buff *skb)
{
	get_page(benchflow_page);
	skb_add_rx_frag(skb, 0, benchflow_page, 0, BENCHFLOW_GSO,
			BENCHFLOW_GSO);
	skb_shinfo(skb)->gso_type = SKB_GSO_TCPV4;
	skb_shinfo(skb)->gso_size = BENCHFLOW_FULL;
	skb_shinfo(skb)->gso_segs = BENCHFLOW_GSO / BENCHFLOW_FULL;
	skb->ip_summed = CHECKSUM_PARTIAL;
	skb->csum_start = skb_transport_header(skb) - skb->head;
	skb->csum_offset = offsetof(struct tcphdr, check);
}

static struct sk_buff *benchflow_make(struct net_device *dev,
				      const struct benchflow_at *at)
{
	u32 linear = at->bytes == BENCHFLOW_GSO ? 0 : at->bytes;
	struct sk_buff *skb;
	struct iphdr *ip;

	skb = benchflow_frame(dev, sizeof(*ip) + sizeof(struct tcphdr) + linear);
	if (!skb)
		return NULL;
	ip = benchflow_put_ip(skb, IPPROTO_TCP,
			      sizeof(struct tcphdr) + at->bytes);
	/* So that it can be marked. */
	ip->tos = INET_ECN_ECT_0;
	ip->saddr = benchflow_source(at->path);
	ip->daddr = htonl(0xc0000201);
	ip_send_check(ip);
	benchflow_put_tcp(skb, at, linear);
	if (!linear)
		benchflow_put_segments(skb);
	skb_set_hash(skb, at->hash, PKT_HASH_TYPE_L4);
	return skb;
}

static struct benchflow_at benchflow_at(u32 flow, u32 turn, u32 bytes)
{
	return (struct benchflow_at){
		.path = flow / BENCHFLOW_PORTS,
		.sport = 1024 + flow % BENCHFLOW_PORTS,
		.dport = bytes == BENCHFLOW_GSO ? benchflow_port_gso : 5001,
		.hash = flow % BENCHFLOW_FLOWS * BENCHFLOW_HASH,
		.seq = turn * bytes,
		.bytes = bytes,
	};
}

/**
 * benchflow_packet() - a packet, as it goes to a qdisc
 * @dev: the device
 * @flow: its number
 * @turn: how many the flow had before, of as many bytes
 * @bytes: of payload, BENCHFLOW_SHORT or BENCHFLOW_FULL
 *
 * Context: BH off.
 * Return: the packet; NULL without memory.
 */
struct sk_buff *benchflow_packet(struct net_device *dev, u32 flow, u32 turn,
				 u32 bytes)
{
	struct benchflow_at at = benchflow_at(flow, turn, bytes);

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

/* Probes of a path: packets of a flow that has no others. */
static struct benchflow_at benchflow_probe_at(u32 path, u32 which)
{
	return (struct benchflow_at){
		.path = path,
		.sport = BENCHFLOW_PROBE,
		.dport = 5001,
		.hash = (BENCHFLOW_FLOWS + path) * BENCHFLOW_HASH,
		.seq = (benchflow_turn_probe + which) * BENCHFLOW_SHORT,
		.bytes = BENCHFLOW_SHORT,
	};
}

/* Checksums are said to be good; a receiver wants one. */
static void benchflow_put_udp(struct sk_buff *skb, u32 bytes)
{
	struct udphdr *udp = skb_put_zero(skb, sizeof(*udp));

	udp->source = htons(ONRAMP_PORT);
	udp->dest = htons(ONRAMP_PORT);
	udp->len = htons(sizeof(*udp) + bytes);
	udp->check = CSUM_MANGLED_0;
	skb->ip_summed = CHECKSUM_UNNECESSARY;
}

static void benchflow_put_orack(struct sk_buff *skb,
				const struct benchflow_at *at, u64 ns)
{
	const struct onramp_wire_header header = {
		.version = ONRAMP_WIRE_VERSION,
		.count = 1,
		.clock_id = benchflow_epoch ? ONRAMP_CLOCK_PUBLISHED :
					      ONRAMP_CLOCK_SYSTEM,
		.clock_epoch = htonl(benchflow_epoch),
		.clock_error_ns = htonl(NSEC_PER_USEC),
		.serial = htonl(at->seq),
	};
	const struct onramp_wire_entry entry = {
		.sport = htons(at->sport),
		.dport = htons(at->dport),
		.seq = htonl(at->seq),
		.len = htons(at->bytes),
		.proto = IPPROTO_TCP,
		.stamp = ONRAMP_STAMP_TRACEPOINT,
		.rx_hi = htonl(upper_32_bits(ns)),
		.rx_lo = htonl(lower_32_bits(ns)),
	};

	skb_put_data(skb, &header, sizeof(header));
	skb_put_data(skb, &entry, sizeof(entry));
}

/* Return: the OR-ACK of a packet that came at @ns, or NULL without memory. */
static struct sk_buff *benchflow_orack(struct net_device *dev,
				       const struct benchflow_at *at, u64 ns)
{
	u32 bytes = sizeof(struct onramp_wire_header) +
		    sizeof(struct onramp_wire_entry);
	u32 udp = sizeof(struct udphdr) + bytes;
	struct sk_buff *skb;
	struct iphdr *ip;

	skb = benchflow_frame(dev, sizeof(*ip) + udp);
	if (!skb)
		return NULL;
	ip = benchflow_put_ip(skb, IPPROTO_UDP, udp);
	ip->saddr = htonl(0xc0000201);
	ip->daddr = benchflow_source(at->path);
	ip_send_check(ip);
	benchflow_put_udp(skb, bytes);
	benchflow_put_orack(skb, at, ns);
	return skb;
}

/**
 * struct benchflow_paths - the paths of a lap, and when their probes came
 * @first: the first one's number
 * @last: and the last one's
 * @ns: of each round of probes, wall clock
 */
struct benchflow_paths {
	u32	first;
	u32	last;
	u64	ns[BENCHFLOW_PROBES];
};

/* The device takes what comes, and there the packets' way is over. */
static int benchflow_probe(struct net_device *dev, struct benchflow_paths *paths)
{
	u32 which, path;
	int err = 0;

	local_bh_disable();
	for (which = 0; which < BENCHFLOW_PROBES && !err; which++) {
		for (path = paths->first; path <= paths->last && !err; path++) {
			struct benchflow_at at = benchflow_probe_at(path, which);
			struct sk_buff *skb = benchflow_make(dev, &at);

			err = skb ? benchflow_pass(dev, BENCHFLOW_OPEN, skb) :
				    -ENOMEM;
		}
		paths->ns[which] = ktime_get_real_ns();
	}
	local_bh_enable();
	return err;
}

/* OR-ACKs of a round of probes come. */
static int benchflow_hear(struct net_device *dev,
			  const struct benchflow_paths *paths, u32 which)
{
	int err = 0;
	u32 path;

	local_bh_disable();
	for (path = paths->first; path <= paths->last && !err; path++) {
		struct benchflow_at at = benchflow_probe_at(path, which);
		struct sk_buff *skb = benchflow_orack(dev, &at,
						      paths->ns[which]);

		err = skb ? benchflow_pass(dev, BENCHFLOW_RECEIVE, skb) :
			    -ENOMEM;
	}
	local_bh_enable();
	return err;
}

/* How many packets the flows of such a lap had, and how large they are. */
static u32 *benchflow_turns(enum benchflow_kind kind, u32 *bytes)
{
	switch (kind) {
	case BENCHFLOW_RECEIVE:
		*bytes = BENCHFLOW_FULL;
		return &benchflow_turn;
	case BENCHFLOW_SEGMENTS:
		*bytes = BENCHFLOW_GSO;
		return &benchflow_turn_gso;
	default:
		*bytes = BENCHFLOW_SHORT;
		return &benchflow_turn;
	}
}

/* Return: 0, or why a packet did not get to where it belongs. */
static int benchflow_come(struct net_device *dev,
			  const struct benchflow_run *run, u32 first)
{
	unsigned int batch = run->kind == BENCHFLOW_RECEIVE ? 1 : BENCHFLOW_BATCH;
	u32 bytes, turn = *benchflow_turns(run->kind, &bytes);
	unsigned int i;
	int err = 0;

	local_bh_disable();
	for (i = 0; i < run->packets && !err; i++) {
		struct benchflow_at at;
		struct sk_buff *skb;

		at = benchflow_at(first + i % run->flows, turn + i / run->flows,
				  bytes);
		skb = benchflow_make(dev, &at);
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

static void benchflow_count(const struct benchflow_run *run, u32 first)
{
	u32 bytes;

	*benchflow_turns(run->kind, &bytes) +=
		DIV_ROUND_UP(run->packets, run->flows);
	benchflow_turn_probe += BENCHFLOW_PROBES;
	benchflow_used = max(benchflow_used, first + run->flows);
}

/* Packets that are to leave: those that wait, and those that do not. */
static int benchflow_leaving(struct net_device *dev,
			     const struct benchflow_run *run, u32 first, u64 *ns)
{
	struct netdev_queue *txq = netdev_get_tx_queue(dev, 0);
	struct benchflow_paths paths = {
		.first = first / BENCHFLOW_PORTS,
		.last = (first + run->flows - 1) / BENCHFLOW_PORTS,
	};
	u64 begin_ns;
	int err;

	err = benchflow_probe(dev, &paths) ?: benchflow_hear(dev, &paths, 0);
	if (err)
		return err;
	if (run->kind != BENCHFLOW_OPEN)
		netif_tx_stop_queue(txq);
	begin_ns = ktime_get_ns();
	err = benchflow_come(dev, run, first);
	ns[0] = ktime_get_ns() - begin_ns;
	err = benchflow_hear(dev, &paths, 1) ?: err;
	if (run->kind == BENCHFLOW_OPEN)
		return err;
	begin_ns = ktime_get_ns();
	benchflow_leave(txq);
	ns[1] = ktime_get_ns() - begin_ns;
	return err;
}

static int benchflow_lap(struct net_device *dev,
			 const struct benchflow_run *run, u64 *ns)
{
	u32 first = run->kind == BENCHFLOW_NEW ? benchflow_used : 0;
	u64 begin_ns;
	int err;

	ns[1] = 0;
	if (run->kind == BENCHFLOW_RECEIVE) {
		begin_ns = ktime_get_ns();
		err = benchflow_come(dev, run, first);
		ns[0] = ktime_get_ns() - begin_ns;
	} else {
		err = benchflow_leaving(dev, run, first, ns);
	}
	benchflow_count(run, first);
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
	if (run.kind == BENCHFLOW_SEGMENTS)
		benchflow_port_gso++;
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
MODULE_PARM_DESC(run, "KIND LAPS PACKETS FLOWS: see the source");

static const struct kernel_param_ops benchflow_ns_ops = {
	.get = benchflow_ns_get,
};
module_param_cb(ns, &benchflow_ns_ops, NULL, 0444);
MODULE_PARM_DESC(ns, "of each lap, ns that its packets took to come, and to leave");

module_param_named(epoch, benchflow_epoch, uint, 0644);
MODULE_PARM_DESC(epoch, "of OR-ACKs' clock; 0: the system's");

/* Data that the device receives ends here, behind the tracepoints. */
static rx_handler_result_t benchflow_end(struct sk_buff **pskb)
{
	if (ip_hdr(*pskb)->protocol == IPPROTO_UDP)
		return RX_HANDLER_PASS;
	consume_skb(*pskb);
	return RX_HANDLER_CONSUMED;
}

static int __init benchflow_init(void)
{
	struct net_device *dev = benchflow_dev();
	int err;

	if (!dev)
		return -ENODEV;
	benchflow_page = alloc_pages(GFP_KERNEL | __GFP_COMP | __GFP_ZERO,
				     BENCHFLOW_ORDER);
	if (!benchflow_page) {
		dev_put(dev);
		return -ENOMEM;
	}
	rtnl_lock();
	err = netdev_rx_handler_register(dev, benchflow_end, NULL);
	rtnl_unlock();
	dev_put(dev);
	if (err)
		__free_pages(benchflow_page, BENCHFLOW_ORDER);
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
	put_page(benchflow_page);
}

module_init(benchflow_init);
module_exit(benchflow_exit);
MODULE_DESCRIPTION("TCP packets of many flows, to time qdiscs by");
MODULE_LICENSE("GPL");
