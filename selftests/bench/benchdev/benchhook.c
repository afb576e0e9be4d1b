// SPDX-License-Identifier: GPL-2.0
/*
 * benchhook: what a driver's hook costs.
 *
 * While it is loaded bench0 counts as a device whose driver calls the hooks of
 * onramp_hook.ko, though only this module does: a line LAPS CALLS, written to
 * the parameter run, calls the hook for so many packets of benchflow's first
 * flow, each in sequence, as often.  ns then holds two times for each lap: with
 * the hook, and of the same loop without it.
 */
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

/* Context: BH off. */
static noinline u64 benchhook_lap(struct sk_buff *skb, unsigned int calls,
				  bool hook)
{
	u64 begin_ns = ktime_get_ns();
	unsigned int i;

	for (i = 0; i < calls; i++) {
		WRITE_ONCE(tcp_hdr(skb)->seq, htonl(benchhook_seq += 6));
		if (hook)
			onramp_hook_tx(skb, skb->dev, 0);
	}
	return ktime_get_ns() - begin_ns;
}

static int benchhook_run_set(const char *val, const struct kernel_param *kp)
{
	struct net_device *dev = benchflow_dev();
	unsigned int laps, calls, i;
	struct sk_buff *skb;
	int err = -EINVAL;

	if (!dev)
		return -ENODEV;
	if (sscanf(val, "%u %u", &laps, &calls) != 2 || !laps || !calls ||
	    laps > BENCHHOOK_LAPS)
		goto put;
	local_bh_disable();
	skb = benchflow_packet(dev, 0, 0);
	err = skb ? 0 : -ENOMEM;
	for (i = 0; skb && i < laps; i++) {
		benchhook_ns[i][0] = benchhook_lap(skb, calls, true);
		benchhook_ns[i][1] = benchhook_lap(skb, calls, false);
	}
	local_bh_enable();
	kfree_skb(skb);
	benchhook_laps = err ? 0 : laps;
put:
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
MODULE_PARM_DESC(run, "LAPS CALLS");

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
