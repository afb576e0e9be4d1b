// SPDX-License-Identifier: GPL-2.0
/*
 * cost - what an interval of 48 queues takes of the daemon itself, without the kernel
 *
 *	cost [anew]
 *
 * interval() is called INTERVALS times, for a program that counts its instructions: cost.sh.
 * With "anew" settings are read from each message, although they are those of the one before.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fleet.h"
#include "messages.h"

#define QUEUES		48
#define INTERVALS	60
#define MS		1000000ULL
#define MAJOR		0x10000U

static struct message messages[QUEUES];
static struct ecnsharp_settings settings[QUEUES];
static struct tc_ecnsharp_xstats stats[QUEUES];
static struct record record[QUEUES + 1];
static struct record_device device;
static struct tree tree;
static struct acc_conf conf;
static struct fleet fleet;
static struct prng prng;
static uint64_t now = 1000 * MS;

/* Cost of a dump; a tool counts from its first instruction to its last. */
static __attribute__((noinline, noclone)) void
interval(int (*read)(const struct nlmsghdr *n, struct record *r))
{
	size_t i;

	for (i = 0; i < QUEUES; i++)
		read((const struct nlmsghdr *)messages[i].bytes, &record[i + 1]);
	fleet_on_dump(&fleet, &tree, now, false, &prng);
}

/* With the attributes that the kernel writes, in its order; those of older programs are last. */
static void compose(size_t i)
{
	static const struct tc_stats legacy;
	static const char basic[16], queue[20];
	struct nlattr *nest;
	struct nlmsghdr *n;

	n = message_tc(&messages[i], RTM_NEWQDISC, 3, (i + 2) * MAJOR, MAJOR + i + 1, "ecnsharp");
	settings_put(n, &settings[i]);
	mnl_attr_put_u8(n, TCA_HW_OFFLOAD, 0);
	nest = mnl_attr_nest_start(n, TCA_STATS2);
	mnl_attr_put(n, TCA_STATS_BASIC, sizeof(basic), basic);
	mnl_attr_put(n, TCA_STATS_QUEUE, sizeof(queue), queue);
	mnl_attr_put(n, TCA_STATS_APP, sizeof(stats[i]), &stats[i]);
	mnl_attr_nest_end(n, nest);
	mnl_attr_put(n, TCA_STATS, sizeof(legacy), &legacy);
	mnl_attr_put(n, TCA_XSTATS, sizeof(stats[i]), &stats[i]);
}

/* Every other interval a packet leaves each queue, in which some wait. */
static void grow(size_t i, uint64_t packets)
{
	stats[i].stamp_ns = now;
	stats[i].tx_packets += packets;
	stats[i].tx_bytes += packets * 106;
	stats[i].backlog_byte_us += 1000 * 5000;
}

static void change(void)
{
	struct change c[QUEUES];
	size_t n = fleet_changes(&fleet, c, QUEUES), i;

	for (i = 0; i < n; i++)
		c[i].error = settings_expect(&settings[c[i].handle / MAJOR - 2], &c[i].request);
	fleet_changed(&fleet, c, n);
}

static int begin(void)
{
	static const char text[] = "[queues]\nrate = eth1=1gbit\n[tuner]\nmode = tune\n"
				   "[limits]\nshare = 0\n";
	struct conf_error error;
	size_t i;

	if (conf_parse(&conf, "cost", text, sizeof(text) - 1, &error)) {
		fprintf(stderr, "%s\n", error.text);
		return -1;
	}
	device = (struct record_device){ .ifindex = 3, .name = "eth1", .is_running = true };
	record[0] = (struct record){ .ifindex = 3, .handle = MAJOR, .parent = TC_H_ROOT,
				     .kind = RECORD_SHARE };
	tree = (struct tree){ .record = record, .records = QUEUES + 1, .device = &device,
			      .devices = 1 };
	for (i = 0; i < QUEUES; i++) {
		ecnsharp_settings_default(&settings[i]);
		grow(i, 0);
		compose(i);
		record_parse((const struct nlmsghdr *)messages[i].bytes, &record[i + 1]);
	}
	fleet_begin(&fleet, &conf);
	fleet_configure(&fleet, NULL);
	fleet_look(&fleet, &tree);
	return fleet.queues == QUEUES ? 0 : -1;
}

int main(int argc, char **argv)
{
	bool anew = argc > 1 && !strcmp(argv[1], "anew");
	size_t i, round;

	if (begin())
		return 1;
	for (round = 0; round < INTERVALS; round++) {
		now += MS;
		for (i = 0; i < QUEUES; i++) {
			grow(i, round % 2);
			compose(i);
		}
		interval(anew ? record_parse : record_update);
		change();
	}
	printf("%d intervals, %ju decisions, %ju changes\n", INTERVALS,
	       (uintmax_t)fleet.queue[0].tuner.count.decisions,
	       (uintmax_t)fleet.queue[0].tuner.count.changes);
	return 0;
}
