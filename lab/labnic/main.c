// SPDX-License-Identifier: GPL-2.0
/* labnic: module entry and exit. */
#include <linux/module.h>
#include <net/rtnetlink.h>

#include "labnic.h"

static int __init labnic_module_init(void)
{
	int err;

	err = labnic_proc_init();
	if (err)
		return err;
	err = labnic_drops_init();
	if (err)
		goto err_proc;
	err = rtnl_link_register(&labnic_link_ops);
	if (err)
		goto err_drops;
	return 0;

err_drops:
	labnic_drops_exit();
err_proc:
	labnic_proc_exit();
	return err;
}

/* Unregistering the kind deletes every pair. */
static void __exit labnic_module_exit(void)
{
	rtnl_link_unregister(&labnic_link_ops);
	labnic_drops_exit();
	labnic_proc_exit();
}

module_init(labnic_module_init);
module_exit(labnic_module_exit);
MODULE_DESCRIPTION("NIC for a lab in virtual time");
MODULE_LICENSE("GPL");
MODULE_ALIAS_RTNL_LINK(LABNIC_KIND);
