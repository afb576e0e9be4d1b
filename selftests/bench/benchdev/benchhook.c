// SPDX-License-Identifier: GPL-2.0
/*
 * benchhook: what a driver's hooks cost.
 *
 * While it is loaded bench0 counts as a device whose driver calls the hooks of
 * onramp_hook.ko, though only this module does: a line WAY LAPS CALLS, written
 * to the parameter run, calls the hook of a way (tx, of short packets, or rx, of
 * full ones) for so many packets of benchflow's first flow, each in sequence, as
 * often.  ns then holds two times for each lap: with the hook, and of the same
 * loop without it.  What softirqs make of what came is not in it.
 */
#include <linux/etherdevice.h>
#include <linux/ktime.h>
#include <linux/module.h>
#include <linux/moduleparam.h>
#include <linux/tcp.h>

#include "benchflow.h"
#include "onramp_hook.h"

#define BENCHHOOK_LAPS	64

static u64 benchhook_ns[BENCHHOOK_LAPS][2];
static unsigned int benchhook_laps;
/* Sequence numbers only grow, from one run to the next, too; beyond benchflow's. */
static u32 benchhook_seq = 0x20000000;

/**
 * struct benchhook_run - a requested measurement
 * @way: ONRAMP_HOOK_TX or ONRAMP_HOOK_RX
 * @bytes: of a packet's payload
 * @laps: how often
 * @calls: of each lap
 */
struct benchhook_run {
	enum onramp_hook_way	way;
	u32			bytes;
	unsigned int		laps;
	unsigned int		calls;
};

/* Context: BH off. */
static noinline u64 benchhook_lap(struct sk_buff *skb,
				  const struct benchhook_run *run, bool hook)
{
	bool tx = hook && run->way == ONRAMP_HOOK_TX;
	bool rx = hook && run->way == ONRAMP_HOOK_RX;
	u64 begin_ns = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < run->calls; i++) {
		benchhook_seq += run->bytes;
		WRITE_ONCE(tcp_hdr(skb)->seq, htonl(benchhook_seq));
		if (tx)
			onramp_hook_tx(skb, skb->dev, 0);
		if (rx)
			onramp_hook_rx(skb, skb->dev, 0);
	}
	return ktime_get_ns() - begin_ns;
}

static int benchhook_parse(const char *text, struct benchhook_run *run)
{
	char way[4];

	if (sscanf(text, "%3s %u %u", way, &run->laps, &run->calls) != 3 ||
	    !run->laps || run->laps > BENCHHOOK_LAPS || !run->calls)
		return -EINVAL;
	if (!strcmp(way, "tx")) {
		run->way = ONRAMP_HOOK_TX;
		run->bytes = BENCHFLOW_SHORT;
	} else if (!strcmp(way, "rx")) {
		run->way = ONRAMP_HOOK_RX;
		run->bytes = BENCHFLOW_FULL;
	} else {
		return -EINVAL;
	}
	return 0;
}

static int benchhook_run_set(const char *val, const struct kernel_param *kp)
{
	struct benchhook_run run;
	struct net_device *dev;
	struct sk_buff *skb;
	unsigned int i;
	int err;

	err = benchhook_parse(val, &run);
	if (err)
		return err;
	dev = benchflow_dev();
	if (!dev)
		return -ENODEV;
	local_bh_disable();
	skb = benchflow_packet(dev, 0, run.bytes);
	/* A driver gives the stack what is behind the header. */
	if (skb && run.way == ONRAMP_HOOK_RX)
		skb->protocol = eth_type_trans(skb, dev);
	for (i = 0; skb && i < run.laps; i++) {
		benchhook_ns[i][0] = benchhook_lap(skb, &run, true);
		benchhook_ns[i][1] = benchhook_lap(skb, &run, false);
	}
	local_bh_enable();
	benchhook_laps = skb ? run.laps : 0;
	err = skb ? 0 : -ENOMEM;
	kfree_skb(skb);
	dev_put(dev);
	return err;
}

static int benchhook_ns_get(char *buffer, const struct kernel_param *kp)
{
	unsigned int i;
	int len = 0;

	for (i = 0; i < benchhook_laps; i++)
		len += sysfs_emit_at(buffer, len, "%llu %llu ",
				     benchhook_ns[i][0], benchhook_ns[i][1]);
	return len + sysfs_emit_at(buffer, len, "\n");
}

static const struct kernel_param_ops benchhook_run_ops = {
	.set = benchhook_run_set,
};
module_param_cb(run, &benchhook_run_ops, NULL, 0200);
MODULE_PARM_DESC(run, "WAY LAPS CALLS: see the source");

static const struct kernel_param_ops benchhook_ns_ops = {
	.get = benchhook_ns_get,
};
module_param_cb(ns, &benchhook_ns_ops, NULL, 0444);
MODULE_PARM_DESC(ns, "of each lap, ns with the hook, and without");

static int __init benchhook_init(void)
{
	struct net_device *dev = benchflow_dev();

	if (!dev)
		return -ENODEV;
	onramp_hook_register(dev);
	dev_put(dev);
	return 0;
}

static void __exit benchhook_exit(void)
{
}

module_init(benchhook_init);
module_exit(benchhook_exit);
MODULE_DESCRIPTION("Times the hooks that drivers call");
MODULE_LICENSE("GPL");
