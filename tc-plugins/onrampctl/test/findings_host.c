// SPDX-License-Identifier: GPL-2.0
/*
 * Findings of doctor, as TAP: nothing of a host that is well, and of one
 * that is well but for one fact exactly that, with the command that mends it;
 * and nothing of what is only near to it.
 */
#include "findings.h"

struct host h;

struct value net(const char *address, int len)
{
	struct value v = { .given = true, .address_len = 4, .prefix_len = len };

	inet_pton(AF_INET, address, v.address);
	return v;
}

struct facts_ends ends(const char *daddr)
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
		.n = { .bytes = 2000000, .rx_bytes = 1000000, .tx_bytes = 1000000 },
	};

	snprintf(dev.name, sizeof(dev.name), "%s", name);
	return dev;
}

static void well_sender(void)
{
	h.qdiscs[0] = (struct facts_qdisc){
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
			.n = { .packets = 800, .records = 700, .samples = 90, .unmatched = 2 },
		},
	};
	eth0->stamp_tx = ONRAMP_STAMP_TRACEPOINT;
	h.f.core = (struct facts_core_counts){ .records = 700, .acks = 80 };
	h.f.paths.all = ends("10.0.0.2");
	h.f.paths.in[ONRAMP_STATE_VALID] = ends("10.0.0.2");
	h.f.paths.error_ns = 2 * US;
}

static void well_receiver(void)
{
	eth0->acked = true;
	eth0->stamp_rx = ONRAMP_STAMP_TRACEPOINT;
	eth0->net = net("10.0.0.0", 24);
	h.f.ack = (struct facts_acker_counts){ .packets = 600, .not_peer = 20, .entries = 70 };
	h.f.ack_rate = 1000000;
	h.f.ack_max_flows = 16384;
	h.f.flows_now = 100;
	h.f.max_flows = 65536;
	h.f.paths_now = 10;
	h.f.max_paths = 16384;
	h.f.memory_now = 1000000;
	h.f.max_memory = 268435456;
	h.peers[0] = net("10.0.0.0", 24);
	h.f.nr_peers = 1;
}

static void well_marker(void)
{
	h.qdiscs[1] = (struct facts_qdisc){
		.ifindex = 3,
		.handle = 0x20000,
		.parent = TC_H_ROOT,
		.kind = "ecnsharp",
		.ecnsharp = {
			.ins_target_ns = 200 * US,
			.pst_target_ns = 85 * US,
			.longest_ns = 300 * US,
			.n = { .packets = 1000, .bytes = 1000000, .marks = 12, .nonect = 300 },
		},
	};
}

void well(void)
{
	memset(&h, 0, offsetof(struct host, found));
	h.f.onramp = true;
	h.f.acker = true;
	h.f.clock = (struct facts_clock){ ONRAMP_CLOCK_SYSTEM, true, 1 * US };
	h.devs[0] = device(2, "eth0");
	h.devs[1] = device(3, "eth1");
	h.devs[2] = device(1, "lo");
	h.devs[2].loopback = true;
	h.f.devs = h.devs;
	h.f.nr_devs = 3;
	h.f.qdiscs = h.qdiscs;
	h.f.nr_qdiscs = 2;
	h.f.peers = h.peers;
	h.f.groups = h.groups;
	h.groups[0] = (struct facts_group){ 7, 5, 6, true };
	h.f.nr_groups = 1;
	well_sender();
	well_receiver();
	well_marker();
}

struct facts_dev *more(const char *name)
{
	struct facts_dev *dev = &h.devs[h.f.nr_devs++];

	*dev = device(h.f.nr_devs, name);
	return dev;
}

struct facts_dev *bond(void)
{
	struct facts_dev *eth2 = more("eth2"), *bond0 = more("bond0");

	bond0->passed = true;
	bond0->net = eth0->net;
	eth0->net.given = false;
	eth0->master = bond0->ifindex;
	eth2->master = bond0->ifindex;
	return bond0;
}

void ack_eth2(void)
{
	h.devs[3].acked = true;
	h.devs[3].stamp_rx = ONRAMP_STAMP_TRACEPOINT;
}

void bond_vlan(void)
{
	struct facts_dev *bond0 = bond(), *vlan = more("bond0.7");

	vlan->passed = true;
	vlan->below = bond0->ifindex;
	vlan->net = net("192.0.2.0", 24);
	vlan->other_net = bond0->net;
	bond0->net.given = false;
}

void published(void)
{
	onramp->clock = ONRAMP_CLOCK_PUBLISHED;
	h.f.clock.id = ONRAMP_CLOCK_PUBLISHED;
}

void no_clock(void)
{
	onramp->clock = ONRAMP_CLOCK_PUBLISHED;
	onramp->error_ns = 0;
}

void off_too(void)
{
	h.qdiscs[2] = h.qdiscs[0];
	h.qdiscs[2].ifindex = 3;
	h.qdiscs[2].onramp.mode = ONRAMP_MODE_OFF;
	h.qdiscs[2].onramp.clock = ONRAMP_CLOCK_PUBLISHED;
	h.f.nr_qdiscs = 3;
	h.f.scope = 2;
}

static bool is_finding(const struct finding *x, const char *id, const char *dev,
		       const char *host, const char *command)
{
	return !strcmp(x->id, id) && !strcmp(x->dev, dev) && !strcmp(x->host, host) &&
	       !strcmp(x->command, command) && x->what[strlen(x->what) - 1] == '.';
}

void tell(const struct findings *found)
{
	size_t i;

	for (i = 0; i < found->n; i++)
		tap_remark("%s %s at '%s': %s: %s", found->list[i].dev, found->list[i].id,
			   found->list[i].host, found->list[i].what, found->list[i].command);
}

void ill_also(const char *name, const char *id, const char *dev, const char *host,
	      const char *command, const char *also)
{
	struct findings found = { 0 };
	bool good;

	finding_all(&h.f, &found);
	good = found.n == 1 + !!also && is_finding(found.list, id, dev, host, command) &&
	       (!also || !strcmp(found.list[1].id, also));
	if (!tap_ok(good, "%s: %s", name, id))
		tell(&found);
	finding_free(&found);
	h.found[h.nr_found++] = id;
	well();
}

void ill(const char *name, const char *id, const char *dev, const char *host, const char *command)
{
	ill_also(name, id, dev, host, command, NULL);
}

void fine(const char *name)
{
	struct findings found = { 0 };

	finding_all(&h.f, &found);
	if (!tap_ok(!found.n, "%s: nothing", name))
		tell(&found);
	finding_free(&found);
	well();
}

/* Each rule has a test by which it finds something. */
static void all_covered(const struct finding_rule *rule)
{
	size_t i;

	for (; rule->id; rule++) {
		for (i = 0; i < h.nr_found && strcmp(h.found[i], rule->id); i++)
			;
		tap_ok(i < h.nr_found, "%s has a test", rule->id);
	}
}

int main(void)
{
	well();
	sender_tests();
	table_tests();
	receiver_tests();
	marker_tests();
	port_tests();
	point_tests();
	tuner_tests();
	all_covered(finding_sender);
	all_covered(finding_tables);
	all_covered(finding_receiver);
	all_covered(finding_marker);
	all_covered(finding_port);
	all_covered(finding_point);
	all_covered(finding_tuner);
	facts_tests();
	return tap_done();
}
