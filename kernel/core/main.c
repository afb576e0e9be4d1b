// SPDX-License-Identifier: GPL-2.0
/*
 * The module and its part of each network namespace: what comes in which
 * order, and goes in the other.
 */
#include <linux/module.h>
#include <linux/percpu.h>

#include "core.h"

COMPAT_UNTRIED_PARAM();

static int __net_init onramp_net_init(struct net *net)
{
	struct onramp_net *on = onramp_net_of(net);
	int err;

	on->net = net;
	mutex_init(&on->change);
	spin_lock_init(&on->lock);
	INIT_LIST_HEAD(&on->flow_list);
	INIT_LIST_HEAD(&on->path_list);
	INIT_LIST_HEAD(&on->unknown_flows);
	xa_init_flags(&on->devices, XA_FLAGS_ACCOUNT);
	INIT_LIST_HEAD(&on->ports);
	xa_init_flags(&on->port_ids, XA_FLAGS_ALLOC1 | XA_FLAGS_ACCOUNT);
	xa_init_flags(&on->attached, XA_FLAGS_ACCOUNT);
	INIT_DELAYED_WORK(&on->age.work, onramp_flow_age_work);
	INIT_DELAYED_WORK(&on->stale, onramp_genl_stale_work);
	on->max_flows = ONRAMP_MAX_FLOWS_DEFAULT;
	on->max_paths = ONRAMP_MAX_PATHS_DEFAULT;
	on->max_memory = ONRAMP_MAX_MEMORY_DEFAULT;
	on->peers_serial = 1;
	on->keys_serial = 1;
	on->unfollowed = alloc_percpu_gfp(u64, GFP_KERNEL_ACCOUNT);
	if (!on->unfollowed)
		return -ENOMEM;
	err = rhashtable_init(&on->flows, &onramp_flow_table);
	if (err)
		goto unfollowed;
	err = rhashtable_init(&on->paths, &onramp_path_table);
	if (err)
		goto flows;
	return 0;
flows:
	rhashtable_destroy(&on->flows);
unfollowed:
	free_percpu(on->unfollowed);
	return err;
}

/*
 * Devices and their qdiscs went before, so there are no ports, and no packet
 * looks for a flow.  OR-ACKs that were being received are done: the core waits
 * between taking a namespace off the list and this.
 */
static void __net_exit onramp_net_exit(struct net *net)
{
	struct onramp_net *on = onramp_net_of(net);

	cancel_delayed_work_sync(&on->age.work);
	/* No request runs any more; these are called with the lock all the same. */
	mutex_lock(&on->change);
	onramp_clock_forget(on);
	onramp_keyring_replace(on, NULL);
	onramp_peers_replace(on, NULL);
	mutex_unlock(&on->change);
	onramp_flow_forget_all(on);
	onramp_path_forget_all(on);
	xa_destroy(&on->devices);
	rhashtable_destroy(&on->flows);
	rhashtable_destroy(&on->paths);
	xa_destroy(&on->attached);
	free_percpu(on->unfollowed);
}

static struct pernet_operations onramp_net_ops = {
	.init = onramp_net_init,
	.exit = onramp_net_exit,
	.id = &onramp_net_id,
	.size = sizeof(struct onramp_net),
};

static int __init onramp_init(void)
{
	int err = onramp_taps_init();

	if (err)
		return err;
	untried = compat_warn_untried(KBUILD_MODNAME);
	err = register_pernet_subsys(&onramp_net_ops);
	if (err)
		return err;
	err = onramp_device_init();
	if (err)
		goto net;
	err = onramp_genl_init();
	if (err)
		goto device;
	return 0;
device:
	onramp_device_exit();
net:
	unregister_pernet_subsys(&onramp_net_ops);
	return err;
}

/*
 * Users of the exports hold the module, so there are no ports and no
 * acker, and nobody needs the taps.  They may be open still, and look at the state of
 * a packet's namespace, so they are closed before that is freed.  Memory freed by RCU is
 * waited for, since ageing and kicks of others end before.
 */
static void __exit onramp_exit(void)
{
	onramp_genl_exit();
	onramp_device_exit();
	onramp_taps_exit();
	unregister_pernet_subsys(&onramp_net_ops);
	rcu_barrier();
}

module_init(onramp_init);
module_exit(onramp_exit);

MODULE_DESCRIPTION("On-Ramp: flows, paths and the controller");
MODULE_LICENSE("GPL");
