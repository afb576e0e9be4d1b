/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of onramp_hook.ko: to a driver, two places where On-Ramp sees a
 * packet closer to the wire than the stack's tracepoints; to onramp.ko, to
 * listen there.
 *
 * A driver depends on onramp_hook.ko alone, and a hook that nobody listens to
 * is a NOP in it.
 */
#ifndef SHARPRAMP_ONRAMP_HOOK_H
#define SHARPRAMP_ONRAMP_HOOK_H

#include <linux/compiler.h>
#include <linux/jump_label.h>
#include <linux/types.h>

struct net_device;
struct sk_buff;

/**
 * enum onramp_hook_way - where in a driver
 * @ONRAMP_HOOK_TX: a packet goes to the device
 * @ONRAMP_HOOK_RX: a packet goes to the stack, before GRO
 * @ONRAMP_HOOK_WAYS: how many there are
 */
enum onramp_hook_way {
	ONRAMP_HOOK_TX,
	ONRAMP_HOOK_RX,
	ONRAMP_HOOK_WAYS,
};

/**
 * struct onramp_hook_ops - functions of the listener
 * @packet: a packet passes; BH off, RCU; it is only to be read.  @wall_ns is
 *	when, in ns of the clock that compat_net_real_ns() reads for the
 *	device's namespace, or 0: now
 */
struct onramp_hook_ops {
	void (*packet)(const struct sk_buff *skb, const struct net_device *dev,
		       u64 wall_ns);
};

DECLARE_STATIC_KEY_FALSE(onramp_hook_tx_on);
DECLARE_STATIC_KEY_FALSE(onramp_hook_rx_on);

void onramp_hook_call(enum onramp_hook_way way, const struct sk_buff *skb,
		      const struct net_device *dev, u64 wall_ns);
void onramp_hook_call_frags(struct sk_buff *skb, const struct net_device *dev,
			    u64 wall_ns);

/* For drivers */

void onramp_hook_register(const struct net_device *dev);

/**
 * onramp_hook_tx() - a packet goes to the device
 * @skb: the packet, at its MAC header, while it is still the driver's
 * @dev: the device
 * @wall_ns: when, by the host's wall clock; 0: now
 *
 * Called once for each packet, as late as there is one, for a GSO packet once
 * for all of it.
 * Context: ndo_start_xmit().
 */
static __always_inline void onramp_hook_tx(const struct sk_buff *skb,
					   const struct net_device *dev,
					   u64 wall_ns)
{
	if (static_branch_unlikely(&onramp_hook_tx_on))
		onramp_hook_call(ONRAMP_HOOK_TX, skb, dev, wall_ns);
}

/**
 * onramp_hook_rx() - a packet goes to the stack
 * @skb: the packet, as it is given to napi_gro_receive() and its kin
 * @dev: the device
 * @wall_ns: when it came, by the host's wall clock; 0: now
 *
 * Context: softirq, or as netif_rx().
 */
static __always_inline void onramp_hook_rx(const struct sk_buff *skb,
					   const struct net_device *dev,
					   u64 wall_ns)
{
	if (static_branch_unlikely(&onramp_hook_rx_on))
		onramp_hook_call(ONRAMP_HOOK_RX, skb, dev, wall_ns);
}

/**
 * onramp_hook_rx_frags() - a packet without a linear part goes to the stack
 * @skb: the packet, as napi_gro_frags() will take it from napi_get_frags()
 * @dev: the device
 * @wall_ns: when it came, by the host's wall clock; 0: now
 *
 * Context: softirq.
 */
static __always_inline void onramp_hook_rx_frags(struct sk_buff *skb,
						 const struct net_device *dev,
						 u64 wall_ns)
{
	if (static_branch_unlikely(&onramp_hook_rx_on))
		onramp_hook_call_frags(skb, dev, wall_ns);
}

/* For onramp.ko */

bool onramp_hook_has(const struct net_device *dev);
int onramp_hook_open(enum onramp_hook_way way,
		     const struct onramp_hook_ops *ops);
void onramp_hook_close(enum onramp_hook_way way);

#endif /* SHARPRAMP_ONRAMP_HOOK_H */
