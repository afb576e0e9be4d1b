/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions that the files of onramp.ko share.
 *
 * Locks, outermost first; all but the first three are taken with BH off:
 *   onramp_net.change  requests by netlink, and what they alone set
 *   RTNL               devices, ports, parameters, the acker's devices
 *   onramp_taps_lock  users of each tap
 *   a root qdisc lock  attachments (the qdisc's; core only runs under it)
 *   onramp_net.lock    lists of flows and paths: coming, ageing, going
 *   onramp_flow.lock   ring, holds, algorithm and attachments of a flow
 *   onramp_path.lock   leaf
 *
 * Flows and paths are found under RCU and freed after a grace period.  A flow
 * may be removed by code that holds onramp_net.lock and its own, which sets @dead,
 * and code that found it in the meantime sees that once it has the lock.  One that
 * is attached is removed only to make space, or since it is not followed any more,
 * and is freed when its last attachment is gone.  A path is counted: one for being
 * in the table, one for each of its flows.
 *
 * A port goes when none of its attachments is left, so code that has a
 * flow's lock and finds an attachment there may use its port.
 *
 * Each file uses only those that Kbuild, and this header, have before it.
 */
#ifndef SHARPRAMP_ONRAMP_CORE_PRIVATE_H
#define SHARPRAMP_ONRAMP_CORE_PRIVATE_H

#include "device.h"
#include "flow.h"
#include "net.h"

/* Times of 64 bits are read without a lock, as struct onramp_flow.t_next_ns. */
static_assert(BITS_PER_LONG == 64);

/* genl_message.c */
void onramp_genl_path_event(struct onramp_net *on, struct onramp_path *path,
			    enum onramp_event event);
void onramp_genl_clock_event(struct onramp_net *on, enum onramp_event event);
void onramp_genl_holding_event(struct onramp_net *on);
void onramp_genl_stale_work(struct work_struct *work);

/* genl.c */
int onramp_genl_init(void);
void onramp_genl_exit(void);

#endif /* SHARPRAMP_ONRAMP_CORE_PRIVATE_H */
