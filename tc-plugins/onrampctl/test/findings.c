// SPDX-License-Identifier: GPL-2.0
/*
 * What the doctor finds, as TAP: nothing of a host that is well, and of one
 * that is well but for one fact exactly that, with the command that mends it;
 * and nothing of what is only near to it.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <string.h>
#include <linux/onramp_wire.h>
#include <linux/pkt_sched.h>

#include "../finding.h"
#include "../../../selftests/lib/tap.h"

#define MS	1000000ULL
#define US	1000ULL
#define GBIT	1000000000ULL

/**
 * struct host - facts, and room for their lists
 * @f: the facts
 * @devs: eth0 sends and receives; eth1 is a switch's port; lo, and more that
 *	may come
 * @qdiscs: onramp on eth0, ecnsharp on eth1, and two more that may come
 */
struct host {
	struct facts		f;
	struct facts_dev	devs[6];
	struct facts_qdisc	qdiscs[4];
	struct value		peers[1];
	struct facts_group	groups[2];
};

#define ONRAMP(h)	(&(h)->qdiscs[0].onramp)
#define ECN(h)		(&(h)->qdiscs[1].ecnsharp)
#define ETH0(h)		(&(h)->devs[0])
#define ETH1(h)		(&(h)->devs[1])

static struct value net(const char *address, int len)
{
	struct value v = { .given = true, .address_len = 4, .prefix_len = len };

	inet_pton(AF_INET, address, v.address);
	return v;
}

static struct facts_ends ends(const char *daddr)
{
	struct facts_ends e = { .n = 1, .saddr = "10.0.0.1" };

	snprintf(e.daddr, sizeof(e.daddr), "%s", daddr);
	return e;
}

static struct facts_dev device(uint32_t ifindex, const char *name)
{
	struct facts_dev dev = {
		.ifindex = ifindex,
		.root = "fq",
		.up = true,
		.hardware = true,
		.bql = true,
		.gso = true,
		.queues = 1,
		.mtu = 1500,
		.gso_max = 14336,
		.bps = 10 * GBIT,
		.n = { .bytes = 2000000, .rx_bytes = 1000000,
		       .tx_bytes = 1000000 },
	};

	snprintf(dev.name, sizeof(dev.name), "%s", name);
	return dev;
}

static void sender(struct host *h)
{
	struct facts_qdisc *q = &h->qdiscs[0];

	*q = (struct facts_qdisc){
		.ifindex = 2,
		.handle = 0x10000,
		.parent = TC_H_ROOT,
		.kind = "onramp",
		.onramp = {
			.mode = ONRAMP_MODE_HOLD,
			.clock = ONRAMP_CLOCK_SYSTEM,
			.error_ns = 1 * US,
			.max_error_ns = 100 * US,
			.margin_ns = 10 * US,
			.base_ns = 9 * US,
			.learned = true,
			.nic_backlog_ns = 3 * US,
			.measured = 7,
			.recorded = 5000,
			.n = { .packets = 800, .records = 700, .samples = 90,
			       .unmatched = 2 },
		},
	};
	h->devs[0].stamp_tx = ONRAMP_STAMP_TRACEPOINT;
	h->f.core = (struct facts_core_counts){ .records = 700, .acks = 80 };
	h->f.paths.all = ends("10.0.0.2");
	h->f.paths.in[ONRAMP_STATE_VALID] = ends("10.0.0.2");
	h->f.paths.error_ns = 2 * US;
}

static void receiver(struct host *h)
{
	h->devs[0].acked = true;
	h->devs[0].stamp_rx = ONRAMP_STAMP_TRACEPOINT;
	h->devs[0].net = net("10.0.0.0", 24);
	h->f.ack = (struct facts_acker_counts){ .packets = 600, .not_peer = 20,
						.entries = 70 };
	h->f.ack_rate = 1000000;
	h->f.ack_max_flows = 16384;
	h->f.flows_now = 100;
	h->f.max_flows = 65536;
	h->f.paths_now = 10;
	h->f.max_paths = 16384;
	h->f.memory_now = 1000000;
	h->f.max_memory = 268435456;
	h->peers[0] = net("10.0.0.0", 24);
	h->f.nr_peers = 1;
}

static void marker(struct host *h)
{
	h->qdiscs[1] = (struct facts_qdisc){
		.ifindex = 3,
		.handle = 0x20000,
		.parent = TC_H_ROOT,
		.kind = "ecnsharp",
		.ecnsharp = {
			.ins_target_ns = 200 * US,
			.pst_target_ns = 85 * US,
			.longest_ns = 300 * US,
			.n = { .packets = 1000, .bytes = 1000000, .marks = 12,
			       .nonect = 300 },
		},
	};
}

static void well(struct host *h)
{
	memset(h, 0, sizeof(*h));
	h->f.onramp = true;
	h->f.acker = true;
	h->f.clock = (struct facts_clock){ ONRAMP_CLOCK_SYSTEM, true, 1 * US };
	h->devs[0] = device(2, "eth0");
	h->devs[1] = device(3, "eth1");
	h->devs[2] = device(1, "lo");
	h->devs[2].loopback = true;
	h->f.devs = h->devs;
	h->f.nr_devs = 3;
	h->f.qdiscs = h->qdiscs;
	h->f.nr_qdiscs = 2;
	h->f.peers = h->peers;
	h->f.groups = h->groups;
	h->groups[0] = (struct facts_group){ 7, 5, 6, true };
	h->f.nr_groups = 1;
	sender(h);
	receiver(h);
	marker(h);
}

/* Ways to be ill */

static void module_absent(struct host *h)
{
	h->f.onramp = false;
	h->f.absent = true;
	h->f.acker = false;
	h->f.nr_qdiscs = 0;
}

static void kernel_untried(struct host *h)
{
	h->f.untried = true;
}

static void wrong_qdisc(struct host *h)
{
	h->f.nr_qdiscs = 0;
	h->devs[0].acked = false;
	h->f.acker = false;
}

static void wrong_qdisc_line(struct host *h)
{
	wrong_qdisc(h);
	h->f.clock.id = ONRAMP_CLOCK_PUBLISHED;
}

static void wrong_qdisc_scope(struct host *h)
{
	wrong_qdisc(h);
	h->f.scope = 3;
	h->devs[1].queues = 4;
	snprintf(h->devs[1].name, IFNAMSIZ, "e$h");
}

static void wrong_device(struct host *h)
{
	h->f.core.acks = 0;
	h->f.core.strange = 100;
	h->f.nr_qdiscs = 1;
	h->devs[1].n.tx_bytes = 2000000;
}

static void queue_without(struct host *h)
{
	h->qdiscs[0].parent = 0x80010001;
	h->qdiscs[2] = (struct facts_qdisc){
		.ifindex = 2, .handle = 0x80010000, .parent = TC_H_ROOT,
		.kind = "mq",
	};
	h->qdiscs[3] = (struct facts_qdisc){
		.ifindex = 2, .parent = 0x80010002, .kind = "fq",
	};
	h->f.nr_qdiscs = 4;
}

static void mode_off(struct host *h)
{
	ONRAMP(h)->mode = ONRAMP_MODE_OFF;
}

static void mode_off_mq(struct host *h)
{
	queue_without(h);
	h->qdiscs[3] = h->qdiscs[0];
	h->qdiscs[3].parent = 0x80010002;
	h->qdiscs[0].onramp.mode = ONRAMP_MODE_OFF;
	h->qdiscs[3].onramp.mode = ONRAMP_MODE_OFF;
}

static void mode_off_child(struct host *h)
{
	mode_off(h);
	h->qdiscs[0].parent = 0x1000a;
	h->qdiscs[0].handle = 0;
}

static void held_off(struct host *h)
{
	h->f.held_off = true;
	snprintf(h->f.held_off_why, sizeof(h->f.held_off_why), "drill");
}

static void mode_observe(struct host *h)
{
	ONRAMP(h)->mode = ONRAMP_MODE_OBSERVE;
}

static void no_clock(struct host *h)
{
	ONRAMP(h)->clock = ONRAMP_CLOCK_PUBLISHED;
	ONRAMP(h)->error_ns = 0;
}

static void clock_stale(struct host *h)
{
	no_clock(h);
	h->f.clock.id = ONRAMP_CLOCK_PUBLISHED;
	h->f.clock.usable = false;
}

static void uncertain(struct host *h)
{
	ONRAMP(h)->error_ns = 150 * US;
	h->f.paths.error_ns = 0;
}

static void uncertain_peer(struct host *h)
{
	h->f.paths.in[ONRAMP_STATE_UNCERTAIN] = ends("10.0.0.3");
	h->f.paths.uncertain_ns = 123456;
}

static void own_line(struct host *h)
{
	ONRAMP(h)->clock = ONRAMP_CLOCK_PUBLISHED;
	h->f.clock.id = ONRAMP_CLOCK_PUBLISHED;
}

static void peer_no_clock(struct host *h)
{
	h->f.paths.in[ONRAMP_STATE_NO_CLOCK] = ends("10.0.0.3");
}

/* Another device's onramp is off: its clock is only the default. */
static void off_too(struct host *h)
{
	h->qdiscs[2] = h->qdiscs[0];
	h->qdiscs[2].ifindex = 3;
	h->qdiscs[2].onramp.mode = ONRAMP_MODE_OFF;
	h->qdiscs[2].onramp.clock = ONRAMP_CLOCK_PUBLISHED;
	h->f.nr_qdiscs = 3;
	h->f.scope = 2;
}

static void peer_no_clock_off(struct host *h)
{
	peer_no_clock(h);
	off_too(h);
}

static void peer_no_line(struct host *h)
{
	peer_no_clock(h);
	own_line(h);
}

static void peer_publishes(struct host *h)
{
	peer_no_clock(h);
	h->f.clock.id = ONRAMP_CLOCK_PUBLISHED;
}

static void peer_published(struct host *h)
{
	peer_publishes(h);
	h->f.clock.usable = false;
}

static void negative(struct host *h)
{
	h->f.paths.in[ONRAMP_STATE_NEGATIVE] = ends("10.0.0.3");
}

static void too_long(struct host *h)
{
	h->f.paths.in[ONRAMP_STATE_TOO_LONG] = ends("10.0.0.3");
}

static void stale_stamps(struct host *h)
{
	h->f.core.stale = 3;
}

static void suspect(struct host *h)
{
	h->f.paths.in[ONRAMP_STATE_SUSPECT] = ends("10.0.0.3");
}

static void negative_line(struct host *h)
{
	own_line(h);
	negative(h);
}

static void too_long_line(struct host *h)
{
	own_line(h);
	too_long(h);
}

static void stale_stamps_line(struct host *h)
{
	own_line(h);
	stale_stamps(h);
}

static void suspect_line(struct host *h)
{
	own_line(h);
	suspect(h);
}

static void threshold_low(struct host *h)
{
	ONRAMP(h)->threshold_ns = 9 * US;
	h->f.paths.in[ONRAMP_STATE_SUSPECT] = ends("10.0.0.2");
}

static void unlearned(struct host *h)
{
	ONRAMP(h)->n.samples = 0;
	ONRAMP(h)->n.unmatched = 0;
	h->f.paths.silent = ends("10.0.0.4");
}

static void path_silent(struct host *h)
{
	h->f.paths.in[ONRAMP_STATE_UNACKED] = ends("10.0.0.5");
}

static void unlearned_silent(struct host *h)
{
	unlearned(h);
	path_silent(h);
}

/* What is dropped for its key was heard. */
static void silent_of_keys(struct host *h)
{
	path_silent(h);
	h->f.core.stale = 5;
}

static void no_stamps(struct host *h)
{
	h->devs[0].stamp_tx = ONRAMP_STAMP_NONE;
}

static void no_records(struct host *h)
{
	ONRAMP(h)->recorded = 0;
	ONRAMP(h)->n.records = 0;
}

static void no_acks(struct host *h)
{
	h->f.core.acks = 0;
	ONRAMP(h)->n.samples = 0;
	ONRAMP(h)->n.unmatched = 0;
	h->f.paths.in[ONRAMP_STATE_VALID].n = 0;
	h->f.paths.silent = ends("10.0.0.2");
}

static void records_lost(struct host *h)
{
	ONRAMP(h)->n.unmatched = 91;
}

static void records_lost_no_gso(struct host *h)
{
	records_lost(h);
	h->devs[0].gso = false;
}

static void not_tcp(struct host *h)
{
	ONRAMP(h)->n.records = 0;
	ONRAMP(h)->measured = 0;
	ONRAMP(h)->recorded = 0;
	ONRAMP(h)->n.not_tcp = 80;
}

static void gso_burst(struct host *h)
{
	h->devs[0].gso_max = 65536;
}

static void gso_burst_given(struct host *h)
{
	gso_burst(h);
	ONRAMP(h)->threshold_ns = 49 * US;
}

static void gso_burst_slow(struct host *h)
{
	ONRAMP(h)->link_bps = GBIT;
}

static void rate_unknown(struct host *h)
{
	h->devs[0].bps = 0;
	ONRAMP(h)->n.gso_unknown_rate = 1;
}

static void nic_backlog(struct host *h)
{
	ONRAMP(h)->nic_backlog_ns = 15 * US;
}

static void no_bql(struct host *h)
{
	h->devs[0].bql = false;
}

static void key_missing(struct host *h)
{
	h->f.core.not_signed = 4;
}

static void key_missing_silent(struct host *h)
{
	key_missing(h);
	h->f.paths.silent = ends("10.0.0.4");
	snprintf(h->f.paths.silent.saddr, INET6_ADDRSTRLEN, "10.0.0.9");
}

static void key_missing_one_requires(struct host *h)
{
	key_missing(h);
	h->groups[1] = (struct facts_group){ 3, 9, -1, false };
	h->f.nr_groups = 2;
}

static void key_missing_of_two(struct host *h)
{
	key_missing_one_requires(h);
	h->groups[1].require = true;
}

static void key_missing_no_path(struct host *h)
{
	key_missing(h);
	h->f.paths.all.n = 0;
}

/* Nothing moves, and nothing that was taken outweighs what was refused. */
static void key_missing_ever(struct host *h)
{
	h->f.still = true;
	h->f.core.acks = 9;
	h->f.core.not_signed = 5;
	h->f.core.stale = 5;
}

static void key_unknown(struct host *h)
{
	h->f.core.unknown_key = 4;
}

static void key_unknown_of_two(struct host *h)
{
	key_missing_one_requires(h);
	h->f.core.not_signed = 0;
	key_unknown(h);
}

static void key_differs(struct host *h)
{
	h->f.core.forged = 4;
}

static void key_differs_alone(struct host *h)
{
	key_differs(h);
	h->groups[0].other = -1;
	h->groups[0].signs = 255;
}

static void key_differs_of_two(struct host *h)
{
	key_unknown_of_two(h);
	h->f.core.unknown_key = 0;
	key_differs(h);
}

static void flows_full(struct host *h)
{
	h->f.core.flows_failed = 1;
}

static void flows_full_ever(struct host *h)
{
	flows_full(h);
	h->f.still = true;
	h->f.flows_now = 65536;
}

/* Flows are at their limit, too, and not the first to be. */
static void paths_full(struct host *h)
{
	flows_full(h);
	h->f.flows_now = 65536;
	h->f.paths_now = 16384;
}

static void paths_full_lowered(struct host *h)
{
	paths_full(h);
	h->f.still = true;
	h->f.max_paths = 600000;
	h->f.paths_now = 700000;
}

/* Flows that are not of peers have half of it. */
static void memory_full(struct host *h)
{
	flows_full(h);
	h->f.memory_now = 134217728 - 2000;
}

static void memory_full_groups(struct host *h)
{
	memory_full(h);
	h->f.nr_peers = 0;
	h->f.acker = false;
}

static void memory_full_ever(struct host *h)
{
	memory_full(h);
	h->f.still = true;
}

/* Without peers all flows have all of it. */
static void memory_full_no_peers(struct host *h)
{
	memory_full_groups(h);
	h->f.nr_groups = 0;
	h->f.memory_now = 268435456;
}

static void memory_half_no_peers(struct host *h)
{
	memory_full_no_peers(h);
	h->f.memory_now /= 2;
}

/* Another table is full, too. */
static void memory_full_paths(struct host *h)
{
	memory_full(h);
	h->f.paths_now = 16384;
}

static void memory_full_to_most(struct host *h)
{
	memory_full(h);
	h->f.max_memory = ONRAMP_RANGE_MEMORY_MAX - 1;
	h->f.memory_now = h->f.max_memory;
}

static void acker_absent(struct host *h)
{
	h->f.acker = false;
	h->devs[0].acked = false;
	h->f.nr_peers = 0;
}

static void acker_unattached(struct host *h)
{
	h->devs[0].acked = false;
	h->devs[0].n.tx_bytes++;
}

/* The second device is a bond with the first below it, and counts both ways. */
static void acker_bond(struct host *h)
{
	h->devs[0].acked = false;
	h->devs[1].passed = true;
	h->devs[1].n.tx_bytes = h->devs[0].n.tx_bytes + 1;
}

/* One more device. */
static struct facts_dev *more(struct host *h, const char *name)
{
	struct facts_dev *dev = &h->devs[h->f.nr_devs++];

	*dev = device(h->f.nr_devs, name);
	return dev;
}

/* eth0 and eth2 are links of a bond, which has eth0's address; eth0 is acked. */
static struct facts_dev *bond(struct host *h)
{
	struct facts_dev *eth2 = more(h, "eth2"), *bond0 = more(h, "bond0");

	bond0->passed = true;
	bond0->net = h->devs[0].net;
	h->devs[0].net.given = false;
	h->devs[0].master = bond0->ifindex;
	eth2->master = bond0->ifindex;
	return bond0;
}

static void card_unattached(struct host *h)
{
	bond(h);
}

static void link_without(struct host *h)
{
	bond(h)->bond = true;
	h->devs[3].acked = true;
	h->devs[3].stamp_rx = ONRAMP_STAMP_TRACEPOINT;
}

/* What an older module took, and what an acker beside the way sees. */
static void card_unattached_above(struct host *h)
{
	struct facts_dev *bond0 = bond(h);

	bond0->acked = true;
	bond0->stamp_rx = ONRAMP_STAMP_TRACEPOINT;
	h->devs[0].acked = false;
	h->devs[3].master = 0;
	h->devs[3].acked = true;
	h->devs[3].stamp_rx = ONRAMP_STAMP_TRACEPOINT;
}

static void card_unattached_none(struct host *h)
{
	card_unattached_above(h);
	h->devs[3].acked = false;
	h->devs[3].n.tx_bytes = 5000000;
	h->devs[4].acked = false;
}

/* The address is on a VLAN of the bond, and of the other family. */
static void card_unattached_vlan(struct host *h)
{
	struct facts_dev *bond0 = bond(h), *vlan = more(h, "bond0.7");

	vlan->passed = true;
	vlan->below = bond0->ifindex;
	vlan->net = net("192.0.2.0", 24);
	vlan->other_net = bond0->net;
	bond0->net.given = false;
}

static void card_unattached_asked(struct host *h)
{
	card_unattached_vlan(h);
	h->f.scope = h->devs[5].ifindex;
}

/* A VLAN of a bridge, of which no port is acked. */
static void card_unattached_bridge(struct host *h)
{
	struct facts_dev *bridge = bond(h), *vlan = more(h, "br0.7");

	snprintf(bridge->name, IFNAMSIZ, "br0");
	bridge->passed = false;
	h->devs[0].master = 0;
	vlan->passed = true;
	vlan->below = bridge->ifindex;
	vlan->net = bridge->net;
	h->peers[0] = net("10.0.0.3", 32);
}

static void card_away(struct host *h)
{
	struct facts_dev *macvlan = more(h, "macvlan0");

	macvlan->passed = true;
	macvlan->away = true;
	macvlan->net = h->devs[0].net;
}

static void peers_empty(struct host *h)
{
	h->f.nr_peers = 0;
}

static void peers_empty_far(struct host *h)
{
	h->f.nr_peers = 0;
	h->f.unlisted = net("192.0.2.9", 32);
}

static void peer_not_listed(struct host *h)
{
	h->f.ack.not_peer = h->f.ack.packets;
	h->f.unlisted = net("10.0.0.9", 32);
}

static void acker_no_clock(struct host *h)
{
	h->f.clock = (struct facts_clock){ .id = ONRAMP_CLOCK_SYSTEM };
}

static void acker_stale(struct host *h)
{
	h->f.clock.id = ONRAMP_CLOCK_PUBLISHED;
	h->f.clock.usable = false;
}

static void acker_no_line(struct host *h)
{
	acker_no_clock(h);
	no_clock(h);
}

static void acker_no_clock_off(struct host *h)
{
	acker_no_clock(h);
	off_too(h);
}

static void acker_unseen(struct host *h)
{
	h->devs[0].stamp_rx = ONRAMP_STAMP_NONE;
}

static void acker_forwards(struct host *h)
{
	h->f.ack.entries = 0;
	h->f.ack.not_ours = 500;
}

static void peer_refuses(struct host *h)
{
	h->f.ack.backed_off = 30;
}

static void acker_rate(struct host *h)
{
	h->f.ack.rate_limited = 30;
}

static void acker_rate_most(struct host *h)
{
	acker_rate(h);
	h->f.ack_rate = 9000000;
}

static void acker_full(struct host *h)
{
	h->f.ack.flows_evicted = 30;
}

static void lro(struct host *h)
{
	h->devs[0].lro = true;
}

static void gro_hw(struct host *h)
{
	h->devs[0].gro_hw = true;
}

static void unmarked(struct host *h)
{
	ECN(h)->n.marks = 0;
	ECN(h)->longest_ns = 5 * US;
}

static void ecn_offload(struct host *h)
{
	unmarked(h);
	ETH1(h)->tc_offload = true;
	ETH1(h)->n.tx_bytes = 5000000;
}

static void ecn_direction(struct host *h)
{
	unmarked(h);
	ETH1(h)->n.rx_bytes = 20000000;
	ETH0(h)->n.tx_bytes = 20000000;
}

static void ecn_direction_host(struct host *h)
{
	unmarked(h);
	ETH1(h)->n.rx_bytes = 20000000;
}

static void ecn_not_ect(struct host *h)
{
	unmarked(h);
	ECN(h)->n.nonect = 1000;
}

static void ecn_not_ect_queue(struct host *h)
{
	ECN(h)->n.marks = 0;
	ECN(h)->n.nonect_due = 1;
}

static void ecn_gso(struct host *h)
{
	unmarked(h);
	ECN(h)->n.bytes = 20000000;
	ETH1(h)->n.rx_bytes = 0;
}

static void ecn_ring(struct host *h)
{
	unmarked(h);
	ETH1(h)->bql = false;
}

static void ecn_no_queue(struct host *h)
{
	unmarked(h);
}

/* Nothing is sent, so nobody knows of the driver. */
static void ecn_ring_still(struct host *h)
{
	ecn_ring(h);
	ETH1(h)->still = true;
}

static void ecn_no_queue_child(struct host *h)
{
	unmarked(h);
	h->qdiscs[1].parent = 0x10001;
}

static void ecn_below(struct host *h)
{
	unmarked(h);
	ECN(h)->longest_ns = 40 * US;
}

/* Ways to be well, though it looks ill */

static void gso_fits(struct host *h)
{
	h->devs[0].gso_max = 17408;
}

static void gso_off(struct host *h)
{
	gso_burst(h);
	h->devs[0].gso = false;
}

static void few_packets(struct host *h)
{
	no_acks(h);
	ONRAMP(h)->n.records = 9;
	h->f.core.records = 9;
}

static void some_strange(struct host *h)
{
	h->f.core.strange = 79;
}

static void some_strangers(struct host *h)
{
	h->f.ack.not_peer = 599;
	h->f.unlisted = net("192.0.2.9", 32);
}

static void some_unmatched(struct host *h)
{
	ONRAMP(h)->n.unmatched = 90;
}

static void only_acks(struct host *h)
{
	not_tcp(h);
	ONRAMP(h)->n.not_tcp = 79;
}

static void some_not_tcp(struct host *h)
{
	ONRAMP(h)->n.not_tcp = 1000;
}

static void no_tcp_now(struct host *h)
{
	not_tcp(h);
	ONRAMP(h)->recorded = 1;
}

static void probes(struct host *h)
{
	not_tcp(h);
	h->f.clock.id = ONRAMP_CLOCK_PUBLISHED;
	ONRAMP(h)->clock = ONRAMP_CLOCK_PUBLISHED;
}

static void at_the_bound(struct host *h)
{
	ONRAMP(h)->error_ns = 100 * US;
}

static void comp_on(struct host *h)
{
	nic_backlog(h);
	ONRAMP(h)->nic_comp = true;
}

static void virtual_card(struct host *h)
{
	no_bql(h);
	h->devs[0].hardware = false;
}

static void no_bql_still(struct host *h)
{
	no_bql(h);
	h->devs[0].still = true;
}

static void no_bql_unsent(struct host *h)
{
	no_bql(h);
	h->devs[0].n.tx_bytes = 0;
}

/* One datagram that anybody may have made. */
static void old_refusals(struct host *h)
{
	h->f.still = true;
	h->f.core.not_signed = 1;
	h->f.core.unknown_key = 1;
	h->f.core.forged = 1;
	h->f.core.stale = 1;
}

static void old_refusals_as_many(struct host *h)
{
	old_refusals(h);
	h->f.core.forged = 77;
}

static void old_refusals_untaken(struct host *h)
{
	old_refusals(h);
	h->f.core.acks = 0;
	h->f.core.forged = 6;
}

static void not_signed_no_more(struct host *h)
{
	key_missing(h);
	h->groups[0].require = false;
}

static void refused_no_group(struct host *h)
{
	key_differs(h);
	key_unknown(h);
	key_missing(h);
	h->f.nr_groups = 0;
}

static void paths_just_fit(struct host *h)
{
	h->f.paths_now = 16384;
	h->f.flows_now = 65536;
}

static void memory_just_fits(struct host *h)
{
	h->f.memory_now = 268435456;
}

static void memory_failed_long_ago(struct host *h)
{
	memory_full_ever(h);
	h->f.memory_now = 100000000;
}

static void memory_full_at_most(struct host *h)
{
	memory_full(h);
	h->f.max_memory = ONRAMP_RANGE_MEMORY_MAX;
	h->f.memory_now = h->f.max_memory;
}

static void failed_long_ago(struct host *h)
{
	flows_full(h);
	h->f.still = true;
	h->f.flows_now = 65535;
	h->f.paths_now = 16383;
}

static void idle(struct host *h)
{
	memset(&h->f.core, 0, sizeof(h->f.core));
	memset(&h->f.ack, 0, sizeof(h->f.ack));
	memset(&h->f.paths, 0, sizeof(h->f.paths));
	memset(&ONRAMP(h)->n, 0, sizeof(ONRAMP(h)->n));
	memset(&ECN(h)->n, 0, sizeof(ECN(h)->n));
	memset(&h->devs[0].n, 0, sizeof(h->devs[0].n));
	memset(&h->devs[1].n, 0, sizeof(h->devs[1].n));
	ONRAMP(h)->measured = 0;
	ONRAMP(h)->recorded = 0;
	ONRAMP(h)->learned = false;
	ECN(h)->longest_ns = 0;
}

static void threshold_fits(struct host *h)
{
	ONRAMP(h)->threshold_ns = 50 * US;
}

static void marked(struct host *h)
{
	unmarked(h);
	ECN(h)->n.marks = 1;
}

static void both_ways(struct host *h)
{
	ecn_direction(h);
	h->qdiscs[2] = h->qdiscs[1];
	h->qdiscs[2].ifindex = 4;
	h->qdiscs[2].ecnsharp.n.marks = 1;
	h->f.nr_qdiscs = 3;
}

static void marks_soon(struct host *h)
{
	unmarked(h);
	ECN(h)->longest_ns = 85 * US;
}

static void only_marks(struct host *h)
{
	h->f.onramp = false;
	h->f.absent = true;
	h->f.acker = false;
	h->qdiscs[0] = h->qdiscs[1];
	h->f.nr_qdiscs = 1;
	h->devs[0].acked = false;
}

static void cards_attached(struct host *h)
{
	bond(h);
	h->devs[3].acked = true;
	h->devs[3].stamp_rx = ONRAMP_STAMP_TRACEPOINT;
}

/* One link is down. */
static void link_down(struct host *h)
{
	link_without(h);
	h->devs[3].up = false;
}

/* Ports of a VRF. */
static void links_of_none(struct host *h)
{
	link_without(h);
	h->devs[4].bond = false;
}

static void bond_elsewhere(struct host *h)
{
	bond(h)->net = net("192.0.2.0", 24);
}

static void bond_down(struct host *h)
{
	bond(h)->up = false;
}

static void bond_not_asked(struct host *h)
{
	bond(h);
	h->f.scope = 2;
}

static void bridge_port(struct host *h)
{
	card_unattached_bridge(h);
	h->devs[0].master = h->devs[4].ifindex;
}

/* A loop, which no kernel has. */
static void stack_loops(struct host *h)
{
	struct facts_dev *vlan = more(h, "a"), *other = more(h, "b");

	vlan->passed = true;
	other->passed = true;
	vlan->net = h->devs[0].net;
	vlan->below = other->ifindex;
	other->below = vlan->ifindex;
	other->master = vlan->ifindex;
}

static void other_device(struct host *h)
{
	mode_off(h);
	h->f.scope = 3;
}

static void full_at_most(struct host *h)
{
	flows_full(h);
	h->f.max_flows = ONRAMP_RANGE_TABLE_MAX;
}

static void paths_full_at_most(struct host *h)
{
	flows_full(h);
	h->f.max_paths = ONRAMP_RANGE_TABLE_MAX;
	h->f.paths_now = ONRAMP_RANGE_TABLE_MAX;
}

/**
 * struct test - a way to be ill, or well
 * @name: what is the matter
 * @make: makes it so
 * @id: what must be found; NULL: nothing
 * @dev: of which device
 * @host: where it is mended
 * @command: how
 * @also: what must be found behind it; NULL: nothing
 */
struct test {
	const char	*name;
	void (*make)(struct host *h);
	const char	*id;
	const char	*dev;
	const char	*host;
	const char	*command;
	const char	*also;
};

#define TESTS	(sizeof(tests) / sizeof(*tests))
#define RESTART	"systemctl restart huygens-lite"
#define CHANGE	"tc qdisc change dev eth0 root onramp "

static const struct test tests[] = {
	{ "no module", module_absent, "module-absent", "", "",
	  "modprobe -a sch_onramp onramp_acker" },
	{ "a kernel that nobody tried", kernel_untried, "kernel-untried", "",
	  "", "journalctl -k -p warning" },
	{ "another qdisc", wrong_qdisc, "wrong-qdisc", "eth0", "",
	  "tc qdisc replace dev eth0 root onramp mode hold clock system error 2us" },
	{ "another qdisc, many queues, a name that a shell misreads",
	  wrong_qdisc_scope, "wrong-qdisc", "e$h", "",
	  "onramp-mq 'e$h' mode hold clock system error 2us" },
	{ "flows leave elsewhere", wrong_device, "wrong-device", "eth1", "",
	  "tc qdisc replace dev eth1 root onramp mode hold clock system error 2us" },
	{ "a queue without", queue_without, "queue-without", "eth0", "",
	  "onramp-mq eth0" },
	{ "mode off", mode_off, "mode-off", "eth0", "", CHANGE "mode hold" },
	{ "mode off, each queue", mode_off_mq, "mode-off", "eth0", "",
	  "onramp-mq eth0 mode hold" },
	{ "mode off, below a class, by itself", mode_off_child, "mode-off",
	  "eth0", "",
	  "tc qdisc replace dev eth0 parent 1:a onramp mode hold" },
	{ "holding switched off", held_off, "held-off", "", "",
	  "onrampctl hold on" },
	{ "mode observe", mode_observe, "mode-observe", "eth0", "",
	  CHANGE "mode hold" },
	{ "another qdisc where a clock is published", wrong_qdisc_line,
	  "wrong-qdisc", "eth0", "",
	  "tc qdisc replace dev eth0 root onramp mode hold clock published" },
	{ "no published clock", no_clock, "no-clock", "eth0", "", RESTART },
	{ "a stale clock", clock_stale, "clock-stale", "eth0", "", RESTART,
	  "acker-no-clock" },
	{ "an uncertain clock", uncertain, "clock-uncertain", "eth0", "",
	  CHANGE "max_error 150us" },
	{ "a peer's uncertain clock", uncertain_peer, "clock-uncertain", "eth0",
	  "", CHANGE "max_error 123.456us" },
	{ "a peer without a clock", peer_no_clock, "peer-no-clock", "",
	  "10.0.0.3", "onrampctl clock set system error 2us" },
	{ "a peer without a clock, an onramp that is off",
	  peer_no_clock_off, "peer-no-clock", "", "10.0.0.3",
	  "onrampctl clock set system error 2us" },
	{ "a peer without the published clock", peer_no_line,
	  "peer-no-clock", "", "10.0.0.3", RESTART },
	{ "the system's clock where one is published", peer_publishes,
	  "peer-no-clock", "eth0", "", CHANGE "clock published" },
	{ "the system's clock where one was published", peer_published,
	  "peer-no-clock", "eth0", "",
	  RESTART " && " CHANGE "clock published", "acker-no-clock" },
	{ "negative delays", negative, "clocks-differ", "", "",
	  "chronyc tracking" },
	{ "impossible delays", too_long, "clocks-differ", "", "",
	  "chronyc tracking" },
	{ "stamps of another time", stale_stamps, "clocks-differ", "", "",
	  "chronyc tracking" },
	{ "a suspect path", suspect, "path-suspect", "", "",
	  "chronyc tracking" },
	{ "negative delays by a published clock", negative_line,
	  "clocks-differ", "", "", "huygensctl tracking" },
	{ "impossible delays by a published clock", too_long_line,
	  "clocks-differ", "", "", "huygensctl tracking" },
	{ "stamps of another time by a published clock", stale_stamps_line,
	  "clocks-differ", "", "", "huygensctl tracking" },
	{ "a suspect path by a published clock", suspect_line,
	  "path-suspect", "", "", "huygensctl tracking" },
	{ "a threshold below the base", threshold_low, "threshold-low", "eth0",
	  "", CHANGE "threshold auto" },
	{ "a silent path", path_silent, "path-unacked", "", "10.0.0.5",
	  "onrampctl peers add 10.0.0.1" },
	{ "nothing learned", unlearned, "threshold-unlearned", "eth0",
	  "10.0.0.4", "onrampctl peers add 10.0.0.1" },
	{ "nothing learned of a silent path", unlearned_silent,
	  "threshold-unlearned", "eth0", "10.0.0.4",
	  "onrampctl peers add 10.0.0.1" },
	{ "a path silent for stamps of another time", silent_of_keys,
	  "clocks-differ", "", "", "chronyc tracking" },
	{ "no stamps", no_stamps, "no-stamps", "eth0", "",
	  "onrampctl stamps set dev eth0 tx qdisc" },
	{ "no records", no_records, "no-stamps", "eth0", "",
	  "onrampctl stamps set dev eth0 tx qdisc" },
	{ "no OR-ACKs", no_acks, "no-acks", "", "10.0.0.2",
	  "onrampctl peers add 10.0.0.1" },
	{ "no OR-ACKs, but a few refused long ago", old_refusals_untaken,
	  "no-acks", "", "10.0.0.2", "onrampctl peers add 10.0.0.1" },
	{ "OR-ACKs too late", records_lost, "records-lost", "eth0", "",
	  CHANGE "record_idle 10s" },
	{ "too many packets", records_lost_no_gso, "records-lost", "eth0", "",
	  "ethtool -K eth0 gso on tso on" },
	{ "no TCP", not_tcp, "not-tcp", "eth0", "",
	  "tc qdisc replace dev eth0 root fq" },
	{ "large GSO packets", gso_burst, "gso-burst", "eth0", "",
	  "ip link set dev eth0 gso_max_size 17408" },
	{ "large for a threshold", gso_burst_given, "gso-burst", "eth0", "",
	  "ip link set dev eth0 gso_max_size 49664" },
	{ "large for a slow link", gso_burst_slow, "gso-burst", "eth0", "",
	  "ip link set dev eth0 gso_max_size 3000" },
	{ "unknown speed", rate_unknown, "rate-unknown", "eth0", "",
	  CHANGE "link_rate 10gbit" },
	{ "a full card", nic_backlog, "nic-backlog", "eth0", "",
	  CHANGE "nic_comp on" },
	{ "no byte queue limits", no_bql, "no-bql", "eth0", "",
	  "ethtool -G eth0 tx 256" },
	{ "not signed", key_missing, "key-missing", "", "the peer",
	  "onrampctl keys add group 7 id 5 file key5; onrampctl keys peers add group 7 prefix 10.0.0.1",
	},
	{ "not signed, and a path that nobody acks", key_missing_silent,
	  "key-missing", "", "the peer",
	  "onrampctl keys add group 7 id 5 file key5; onrampctl keys peers add group 7 prefix 10.0.0.9",
	},
	{ "not signed, as one group requires", key_missing_one_requires,
	  "key-missing", "", "the peer",
	  "onrampctl keys add group 7 id 5 file key5; onrampctl keys peers add group 7 prefix 10.0.0.1",
	},
	{ "not signed, as two groups require", key_missing_of_two,
	  "key-missing", "", "", "onrampctl keys show" },
	{ "not signed, and no path any more", key_missing_no_path,
	  "key-missing", "", "", "onrampctl keys show" },
	{ "most not signed, ever", key_missing_ever, "clocks-differ", "", "",
	  "chronyc tracking", "key-missing" },
	{ "another key", key_unknown, "key-unknown", "", "10.0.0.2",
	  "onrampctl keys rotate group 7 id 5" },
	{ "another key, of one of two groups", key_unknown_of_two,
	  "key-unknown", "", "", "onrampctl keys show" },
	{ "a wrong key", key_differs, "key-differs", "", "",
	  "onrampctl keys del group 7 id 6 && onrampctl keys add group 7 id 6 file key6" },
	{ "a wrong key, the last number", key_differs_alone, "key-differs", "",
	  "", "onrampctl keys add group 7 id 0 file key0" },
	{ "a wrong key, of one of two groups", key_differs_of_two,
	  "key-differs", "", "", "onrampctl keys show" },
	{ "too many flows", flows_full, "flows-full", "", "",
	  "onrampctl limits set flows 131072" },
	{ "too many flows, still there", flows_full_ever, "flows-full", "", "",
	  "onrampctl limits set flows 131072" },
	{ "too many paths", paths_full, "paths-full", "", "",
	  "onrampctl limits set paths 32768" },
	{ "too many paths for a lower limit, up to the most",
	  paths_full_lowered, "paths-full", "", "",
	  "onrampctl limits set paths 1048576" },
	{ "too little memory for flows to others than peers", memory_full,
	  "memory-full", "", "", "onrampctl limits set memory 536870912" },
	{ "too little memory, still", memory_full_ever, "memory-full", "", "",
	  "onrampctl limits set memory 536870912" },
	{ "too little memory, peers being those with keys", memory_full_groups,
	  "memory-full", "", "", "onrampctl limits set memory 536870912",
	  "acker-absent" },
	{ "too little memory, without peers", memory_full_no_peers,
	  "memory-full", "", "", "onrampctl limits set memory 536870912",
	  "acker-absent" },
	{ "half of the memory, without peers", memory_half_no_peers,
	  "flows-full", "", "", "onrampctl limits set flows 131072",
	  "acker-absent" },
	{ "too little memory, up to the most", memory_full_to_most,
	  "memory-full", "", "", "onrampctl limits set memory 1099511627776" },
	{ "too many paths and too little memory", memory_full_paths,
	  "paths-full", "", "", "onrampctl limits set paths 32768" },
	{ "no acker", acker_absent, "acker-absent", "", "",
	  "modprobe onramp_acker" },
	{ "no device to ack", acker_unattached, "acker-unattached", "eth0", "",
	  "onrampctl acker dev add eth0" },
	{ "no card of a bond to ack", acker_bond, "acker-unattached", "eth0",
	  "", "onrampctl acker dev add eth0" },
	{ "onramp on one link of a bond", link_without, "link-without", "eth2",
	  "",
	  "tc qdisc replace dev eth2 root onramp mode hold clock system error 2us"
	},
	{ "one link of a bond to ack", card_unattached, "card-unattached",
	  "eth2", "", "onrampctl acker dev add eth2" },
	{ "a bond to ack, and a card beside it", card_unattached_above,
	  "card-unattached", "eth0", "", "onrampctl acker dev add eth0" },
	{ "nothing to ack, the busiest card being another",
	  card_unattached_none, "card-unattached", "eth0", "",
	  "onrampctl acker dev add eth0" },
	{ "one link below a bond's VLAN to ack", card_unattached_vlan,
	  "card-unattached", "eth2", "", "onrampctl acker dev add eth2" },
	{ "that VLAN is asked about", card_unattached_asked, "wrong-qdisc",
	  "bond0.7", "",
	  "tc qdisc replace dev bond0.7 root onramp mode hold clock system error 2us",
	  "card-unattached" },
	{ "a bridge below a VLAN to ack", card_unattached_bridge,
	  "card-unattached", "br0", "", "onrampctl acker dev add br0" },
	{ "a macvlan of another namespace's card", card_away, "card-away",
	  "macvlan0", "", "ip -d link show dev macvlan0" },
	{ "no peers", peers_empty, "peers-empty", "", "",
	  "onrampctl peers add 10.0.0.0/24" },
	{ "no peers, and one far away", peers_empty_far, "peers-empty", "", "",
	  "onrampctl peers add 192.0.2.9/32" },
	{ "only strangers", peer_not_listed, "peer-not-listed", "", "",
	  "onrampctl peers add 10.0.0.0/24" },
	{ "an acker without a clock", acker_no_clock, "acker-no-clock", "", "",
	  "onrampctl clock set system error 2us" },
	{ "an acker with a stale clock", acker_stale, "acker-no-clock", "", "",
	  RESTART },
	{ "an acker without a clock, an onramp that wants one",
	  acker_no_line, "no-clock", "eth0", "", RESTART, "acker-no-clock" },
	{ "an acker without a clock, an onramp that is off",
	  acker_no_clock_off, "acker-no-clock", "", "",
	  "onrampctl clock set system error 2us" },
	{ "an acker that sees nothing", acker_unseen, "acker-unseen", "eth0",
	  "", "onrampctl stamps set dev eth0 rx auto" },
	{ "forwarded", acker_forwards, "acker-forwards", "eth0", "",
	  "onrampctl acker dev del eth0" },
	{ "refused", peer_refuses, "peer-refuses", "", "the sender",
	  "onrampctl doctor" },
	{ "too many OR-ACKs", acker_rate, "acker-rate", "", "",
	  "onrampctl acker set rate 2000000" },
	{ "too many, up to the most", acker_rate_most, "acker-rate", "", "",
	  "onrampctl acker set rate 10000000" },
	{ "too many flows to ack", acker_full, "acker-full", "", "",
	  "onrampctl acker set max_flows 32768" },
	{ "LRO", lro, "lro", "eth0", "", "ethtool -K eth0 lro off" },
	{ "hardware GRO", gro_hw, "lro", "eth0", "",
	  "ethtool -K eth0 rx-gro-hw off" },
	{ "offloaded", ecn_offload, "ecn-offload", "eth1", "",
	  "ethtool -K eth1 hw-tc-offload off" },
	{ "the way back", ecn_direction, "ecn-direction", "eth1", "",
	  "tc qdisc replace dev eth0 root ecnsharp" },
	{ "the way in", ecn_direction_host, "ecn-direction", "eth1", "",
	  "ip link add ifb-ecn type ifb && ip link set ifb-ecn up && tc qdisc add dev eth1 handle ffff: ingress && tc filter add dev eth1 parent ffff: matchall action mirred egress redirect dev ifb-ecn && tc qdisc replace dev ifb-ecn root ecnsharp",
	},
	{ "nothing is ECT", ecn_not_ect, "ecn-not-ect", "eth1", "the senders",
	  "sysctl -w net.ipv4.tcp_ecn=1" },
	{ "what waits is not ECT", ecn_not_ect_queue, "ecn-not-ect", "eth1",
	  "the senders", "sysctl -w net.ipv4.tcp_ecn=1" },
	{ "a queue inside packets", ecn_gso, "ecn-gso", "eth1", "",
	  "tc qdisc change dev eth1 root ecnsharp split_gso on" },
	{ "a queue inside the card", ecn_ring, "ecn-ring", "eth1", "",
	  "ethtool -G eth1 tx 64" },
	{ "never a queue", ecn_no_queue, "ecn-no-queue", "eth1", "",
	  "tc qdisc replace dev eth1 root handle ec: tbf rate 9.5Gbit burst 128kb latency 10ms && tc qdisc add dev eth1 parent ec:1 ecnsharp",
	},
	{ "never a queue, and nothing known of the card", ecn_ring_still,
	  "ecn-no-queue", "eth1", "",
	  "tc qdisc replace dev eth1 root handle ec: tbf rate 9.5Gbit burst 128kb latency 10ms && tc qdisc add dev eth1 parent ec:1 ecnsharp",
	},
	{ "never a queue below a shaper", ecn_no_queue_child, "ecn-no-queue",
	  "eth1", "", "tc -s qdisc show dev eth1" },
	{ "a short queue", ecn_below, "ecn-below", "eth1", "",
	  "tc qdisc change dev eth1 root ecnsharp ins_target 20.001us pst_target 10.001us" },
	{ "GSO packets that fit", gso_fits },
	{ "large GSO packets where there are none", gso_off },
	{ "a few packets, not acked yet", few_packets },
	{ "fewer strange OR-ACKs than others", some_strange },
	{ "nearly only strangers", some_strangers },
	{ "as many late OR-ACKs as others", some_unmatched },
	{ "other protocols beside TCP", some_not_tcp },
	{ "OR-ACKs, and no TCP of its own", only_acks },
	{ "TCP that is silent while other protocols are not", no_tcp_now },
	{ "a daemon's probes, and no TCP yet", probes },
	{ "a clock at its bound", at_the_bound },
	{ "a full card that is taken out", comp_on },
	{ "no byte queue limits where there is no card", virtual_card },
	{ "no limits of a card where nothing passes", no_bql_still },
	{ "no limits of a card that sends nothing", no_bql_unsent },
	{ "one of each refused, long ago", old_refusals },
	{ "as many refused as taken, long ago", old_refusals_as_many },
	{ "not signed, as was required once", not_signed_no_more },
	{ "refused, and no group is left", refused_no_group },
	{ "full tables, in which all have room", paths_just_fit },
	{ "tables that were full long ago", failed_long_ago },
	{ "nothing happens", idle },
	{ "a threshold that is given", threshold_fits },
	{ "one mark", marked },
	{ "ecnsharp on the way back, too", both_ways },
	{ "a queue that is long enough, not marked yet", marks_soon },
	{ "only ecnsharp, and no module onramp", only_marks },
	{ "both links of a bond to ack", cards_attached },
	{ "a link of a bond, down, without onramp", link_down },
	{ "a port of a VRF without onramp", links_of_none },
	{ "a bond where no peers are", bond_elsewhere },
	{ "a bond that is down", bond_down },
	{ "another link is asked about", bond_not_asked },
	{ "a bridge's port to ack, below a VLAN", bridge_port },
	{ "devices below each other", stack_loops },
	{ "another device is asked about", other_device },
	{ "a published clock that is there", own_line },
	{ "a table that cannot grow", full_at_most },
	{ "a table of paths that cannot grow", paths_full_at_most },
	{ "memory that is just full", memory_just_fits },
	{ "memory that was full long ago", memory_failed_long_ago },
	{ "memory that cannot grow", memory_full_at_most },
};

static void tell(const struct findings *found)
{
	size_t i;

	for (i = 0; i < found->n; i++)
		tap_remark("%s %s at '%s': %s: %s", found->list[i].dev,
			   found->list[i].id, found->list[i].host,
			   found->list[i].what, found->list[i].command);
}

static bool is_as_told(const struct test *test, const struct findings *found)
{
	const struct finding *x = found->list;

	if (!test->id)
		return !found->n;
	if (test->also && (found->n < 2 || strcmp(x[1].id, test->also)))
		return false;
	return found->n == 1 + !!test->also && !strcmp(x->id, test->id) &&
	       !strcmp(x->dev, test->dev) && !strcmp(x->host, test->host) &&
	       !strcmp(x->command, test->command) &&
	       x->what[strlen(x->what) - 1] == '.';
}

static void run(const struct test *test)
{
	struct findings found = { 0 };
	struct host h;

	well(&h);
	test->make(&h);
	finding_all(&h.f, &found);
	if (!tap_ok(is_as_told(test, &found), "%s: %s", test->name,
		    test->id ? test->id : "nothing"))
		tell(&found);
	finding_free(&found);
}

/* A finding that nothing provokes is none. */
static void covered(const struct finding_rule *rule)
{
	size_t i;

	for (; rule->id; rule++) {
		for (i = 0; i < TESTS; i++)
			if (tests[i].id && !strcmp(tests[i].id, rule->id))
				break;
		tap_ok(i < TESTS,
		       "%s has a test", rule->id);
	}
}

static void nothing(struct host *h)
{
}

/* Only who has the system's clock may have ptp4l. */
static void names_pmc(void (*make)(struct host *h), bool names)
{
	struct findings found = { 0 };
	struct host h;

	well(&h);
	make(&h);
	finding_all(&h.f, &found);
	if (!tap_ok(found.n && names == !!strstr(found.list->what, "pmc"),
		    "%s: pmc is %snamed", found.n ? found.list->id : "none",
		    names ? "" : "not "))
		tell(&found);
	finding_free(&found);
}

static void of_ptp4l(void)
{
	names_pmc(negative, true);
	names_pmc(too_long, true);
	names_pmc(stale_stamps, true);
	names_pmc(suspect, true);
	names_pmc(negative_line, false);
	names_pmc(suspect_line, false);
}

static void worst_first(void)
{
	struct findings found = { 0 };
	struct host h;

	well(&h);
	lro(&h);
	mode_observe(&h);
	no_clock(&h);
	finding_all(&h.f, &found);
	if (!tap_ok(found.n == 3 && !strcmp(found.list[0].id, "no-clock") &&
		    !strcmp(found.list[1].id, "lro") &&
		    !strcmp(found.list[2].id, "mode-observe"),
		    "of several the worst is told first"))
		tell(&found);
	finding_free(&found);
}

static void since(void)
{
	struct host before, now;

	well(&before);
	well(&now);
	now.f.core.records += 5;
	now.f.core.acks += 1;
	now.qdiscs[0].onramp.n.packets += 4;
	now.qdiscs[0].onramp.n.samples += 3;
	now.qdiscs[1].ecnsharp.n.packets -= 1;
	now.devs[0].n.bytes += 10;
	now.devs[0].n.rx_bytes += 10;
	facts_since(&now.f, &before.f);
	tap_ok(now.f.core.records == 5 && now.f.core.acks == 1 &&
	       ONRAMP(&now)->n.packets == 4 && ONRAMP(&now)->n.samples == 3 &&
	       !ONRAMP(&now)->n.records && ETH0(&now)->n.rx_bytes == 10 &&
	       !ETH0(&now)->n.tx_bytes && !now.f.still && !ETH0(&now)->still,
	       "of counters that moved, what happened meanwhile is left");
	tap_ok(now.f.ack.packets == 600 && ETH1(&now)->n.tx_bytes == 1000000 &&
	       ETH1(&now)->still,
	       "of those that stood still, all");
	tap_ok(ECN(&now)->n.packets == 999 && ECN(&now)->n.marks == 12,
	       "of those that began anew, all");
	well(&now);
	now.qdiscs[0].handle = 0x50000;
	now.qdiscs[0].onramp.n.packets += 1;
	facts_since(&now.f, &before.f);
	tap_ok(ONRAMP(&now)->n.packets == 801, "of a new qdisc, all");
	tap_ok(now.f.still && now.f.core.records == 700,
	       "of what stood still it is known");
	well(&now);
	now.f.core.forged += 2;
	facts_since(&now.f, &before.f);
	tap_ok(!now.f.still && !now.f.core.records && now.f.core.forged == 2,
	       "any counter that moved will do");
	well(&now);
	now.f.core.records -= 1;
	facts_since(&now.f, &before.f);
	tap_ok(now.f.still && now.f.core.records == 699,
	       "what began anew is of all time, too");
}

#define PATHS	5

/* What two looks at some paths come to: the first ends of each state. */
static void looked(struct facts *f, const struct facts_path *first, size_t n,
		   const struct facts_path *second)
{
	struct facts_path were[PATHS], are[PATHS];
	struct facts before = { 0 };

	memcpy(were, first, n * sizeof(*first));
	memcpy(are, second, PATHS * sizeof(*second));
	before.paths.list = were;
	before.paths.n = n;
	memset(f, 0, sizeof(*f));
	f->paths.list = are;
	f->paths.n = PATHS;
	facts_since(f, &before);
	f->paths.list = NULL;
}

#define IN(f, state, ends, address) \
	((f)->paths.in[ONRAMP_STATE_##state].n == (ends) && \
	 !strcmp((f)->paths.in[ONRAMP_STATE_##state].daddr, address))

static void paths_since(void)
{
	/* Not in order; one of IPv6, and a class of another. */
	static const struct facts_path first[PATHS] = {
		{ { { 10, 0, 0, 1 }, { 10, 0, 0, 9 }, 4 },
		  ONRAMP_STATE_NO_CLOCK, 90 },
		{ { { 10, 0, 0, 1 }, { 10, 0, 0, 3 }, 4 },
		  ONRAMP_STATE_NO_CLOCK, 30, 7000 },
		{ { { 10, 0, 0, 1 }, { 10, 0, 0, 3 }, 4, 8 },
		  ONRAMP_STATE_VALID, 50, 5000 },
		{ { { 10, 0, 0, 1 }, { 10, 0, 0, 4 }, 4 },
		  ONRAMP_STATE_UNACKED, 0 },
		{ { { 1 }, { 2 }, 16 }, ONRAMP_STATE_NEGATIVE, 60 },
	};
	struct facts_path second[PATHS];
	struct facts f;

	memcpy(second, first, sizeof(first));
	second[2].samples++;
	looked(&f, first, PATHS, second);
	tap_ok(IN(&f, VALID, 1, "10.0.0.3") && IN(&f, NO_CLOCK, 0, "") &&
	       IN(&f, NEGATIVE, 0, ""),
	       "where a path is measured the others' states are past");
	tap_ok(IN(&f, UNACKED, 1, "10.0.0.4") && f.paths.all.n == PATHS &&
	       f.paths.silent.n == 1 && f.paths.error_ns == 7000,
	       "but silent ones are told, and all are there");
	second[1].samples++;
	second[4].samples++;
	looked(&f, first, PATHS, second);
	tap_ok(IN(&f, NO_CLOCK, 1, "10.0.0.3") && IN(&f, NEGATIVE, 1, "200::"),
	       "each path that is measured tells its state");
	looked(&f, first, PATHS, first);
	tap_ok(IN(&f, NO_CLOCK, 2, "10.0.0.9") && IN(&f, NEGATIVE, 1, "200::") &&
	       IN(&f, VALID, 1, "10.0.0.3"),
	       "where none is, all do");
	second[0].samples = 2;
	looked(&f, first, PATHS, second);
	tap_ok(IN(&f, NO_CLOCK, 2, "10.0.0.9"),
	       "a path that began anew was measured");
	memcpy(second, first, sizeof(first));
	looked(&f, first, 4, second);
	tap_ok(IN(&f, NEGATIVE, 1, "200::") && IN(&f, NO_CLOCK, 0, ""),
	       "so was one that is new");
	second[4].samples = 0;
	looked(&f, first, 4, second);
	tap_ok(IN(&f, NO_CLOCK, 2, "10.0.0.9"),
	       "but not one that is new and has no samples");
	looked(&f, first, 0, first);
	tap_ok(IN(&f, NO_CLOCK, 2, "10.0.0.9") && IN(&f, NEGATIVE, 1, "200::"),
	       "without an earlier look at paths all tell");
	second[4].state = FACTS_STATES;
	second[3].state = -1;
	looked(&f, first, PATHS, second);
	tap_ok(f.paths.silent.n == 1 && IN(&f, UNACKED, 0, "") &&
	       IN(&f, NEGATIVE, 0, "") && f.paths.all.n == PATHS,
	       "a state of tomorrow, and none, are nobody's");
}

static void misses(void)
{
	struct facts f = { 0 };
	int i;

	for (i = 0; i < 2 * FACTS_UNREAD_MAX; i++)
		facts_miss(&f, "much", EPERM);
	tap_ok(f.nr_unread == FACTS_UNREAD_MAX,
	       "what cannot be read is bounded");
}

int main(void)
{
	static const struct test healthy = { "a host that is well", nothing };
	size_t i;

	run(&healthy);
	for (i = 0; i < TESTS; i++)
		run(&tests[i]);
	covered(finding_sender);
	covered(finding_receiver);
	covered(finding_marker);
	of_ptp4l();
	worst_first();
	since();
	paths_since();
	misses();
	return tap_done();
}
