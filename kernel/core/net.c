// SPDX-License-Identifier: GPL-2.0
/*
 * A network namespace: where core's part of it is found, and what the namespaces of
 * tenants may take together.
 */
#include <linux/atomic.h>
#include <linux/module.h>
#include <linux/user_namespace.h>

#include "core.h"

unsigned int onramp_net_id __read_mostly;

/*
 * Bounds on what is remembered for tenants, all of them together: users that are root
 * in a user namespace, and in as many network namespaces as they make.
 *
 * A flow, its records and its path are charged to nobody for the most part, since
 * packets make them in softirq: see peers.c.  Limits are of one network namespace;
 * without this, a user with a thousand of those had a thousand times as much.  The
 * host's own namespaces have their limits alone.
 */

static atomic_t onramp_budget_used[ONRAMP_BUDGETS];

static unsigned int onramp_budget_most[ONRAMP_BUDGETS] = {
	[ONRAMP_BUDGET_FLOWS] = ONRAMP_MAX_FLOWS_DEFAULT,
	[ONRAMP_BUDGET_PATHS] = ONRAMP_MAX_PATHS_DEFAULT,
	[ONRAMP_BUDGET_ACKED] = ONRAMP_MAX_ACKED_DEFAULT,
};

module_param_named(tenant_flows, onramp_budget_most[ONRAMP_BUDGET_FLOWS], uint,
		   0644);
MODULE_PARM_DESC(tenant_flows, "flows remembered for all user namespaces but the first");
module_param_named(tenant_paths, onramp_budget_most[ONRAMP_BUDGET_PATHS], uint,
		   0644);
MODULE_PARM_DESC(tenant_paths, "paths, likewise");
module_param_named(tenant_acked_flows, onramp_budget_most[ONRAMP_BUDGET_ACKED],
		   uint, 0644);
MODULE_PARM_DESC(tenant_acked_flows, "flows of their ackers, likewise");

static bool onramp_budget_is_for(const struct net *net)
{
	return net->user_ns != &init_user_ns;
}

bool onramp_budget_take(const struct net *net, enum onramp_budget what)
{
	atomic_t *used = &onramp_budget_used[what];

	if (likely(!onramp_budget_is_for(net)))
		return true;
	if (atomic_inc_return(used) <= READ_ONCE(onramp_budget_most[what]))
		return true;
	atomic_dec(used);
	return false;
}
EXPORT_SYMBOL_GPL(onramp_budget_take);

void onramp_budget_give(const struct net *net, enum onramp_budget what)
{
	if (unlikely(onramp_budget_is_for(net)))
		atomic_dec(&onramp_budget_used[what]);
}
EXPORT_SYMBOL_GPL(onramp_budget_give);
