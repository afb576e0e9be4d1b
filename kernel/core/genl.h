/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Definitions that the files of the netlink family share.  genl.c names the requests and
 * which function answers them; all others are below it.
 */
#ifndef SHARPRAMP_ONRAMP_GENL_H
#define SHARPRAMP_ONRAMP_GENL_H

#include <net/genetlink.h>

#include "core.h"

/* genl_message.c */
int onramp_put_u64(struct sk_buff *skb, int type, u64 value);
int onramp_put_s64(struct sk_buff *skb, int type, s64 value);
int onramp_put_line(struct sk_buff *skb, const struct onramp_line *line,
		    s64 left_ns, u32 epoch);
int onramp_put_clock(struct sk_buff *skb, struct onramp_net *on);
int onramp_put_holding(struct sk_buff *skb, struct onramp_net *on);
int onramp_put_flow(struct sk_buff *skb, struct onramp_net *on, void *object);
int onramp_put_path(struct sk_buff *skb, struct onramp_net *on, void *object);
int onramp_genl_answer(struct genl_info *info,
		       int (*put)(struct sk_buff *skb, struct onramp_net *on));

/* acker.c */
int onramp_genl_acker_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_genl_acker_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

/* genl_clock.c */
int onramp_clock_get_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_clock_set_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_put_phc(struct sk_buff *skb, struct net_device *dev,
		   const struct onramp_device *device, u64 now_ns);
int onramp_phc_set_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_phc_del_doit(struct sk_buff *skb, struct genl_info *info);

/* genl_state.c */
int onramp_holding_set_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_flow_dump_start(struct netlink_callback *cb);
int onramp_path_dump_start(struct netlink_callback *cb);
int onramp_flow_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int onramp_path_dumpit(struct sk_buff *skb, struct netlink_callback *cb);
int onramp_dump_done(struct netlink_callback *cb);
int onramp_stats_get_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_limits_set_doit(struct sk_buff *skb, struct genl_info *info);

/* genl_device.c */
int onramp_device_set_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_device_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

/* genl_key.c */
int onramp_key_add_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_key_rotate_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_key_del_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_key_set_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_key_peer_add_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_key_peer_del_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_key_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

/* genl_peer.c */
int onramp_peer_add_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_peer_del_doit(struct sk_buff *skb, struct genl_info *info);
int onramp_peer_dumpit(struct sk_buff *skb, struct netlink_callback *cb);

#endif /* SHARPRAMP_ONRAMP_GENL_H */
