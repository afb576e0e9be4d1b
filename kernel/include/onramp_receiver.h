/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Interface of onramp.ko for onramp_acker: packets that come, OR-ACKs and their
 * keys, peers, memory for tenants, requests of the generic netlink family.
 */
#ifndef SHARPRAMP_ONRAMP_RECEIVER_H
#define SHARPRAMP_ONRAMP_RECEIVER_H

#include <net/genetlink.h>

#include "onramp_core.h"

struct nf_hook_state;
struct onramp_device;
struct onramp_peers;

/**
 * onramp_phc_rx() - when a packet that comes passed the NIC
 * @device: by which
 * @skb: the packet
 * @ts: when it passes the tap
 * @own: space for an answer
 *
 * Counts what became of the stamp, so it is called for packets that are acked.
 *
 * Context: a tap: RCU.
 * Return: @ts, or @own.
 */
const struct onramp_timestamp *onramp_phc_rx(struct onramp_device *device,
					     const struct sk_buff *skb,
					     const struct onramp_timestamp *ts,
					     struct onramp_timestamp *own);

/**
 * struct onramp_acker_ops - what the acker gives to core
 * @owner: the module
 * @skip: need nothing be known of a packet that came in, seen at this tap?  Called before
 *	@data, with what was given for a device of its namespace; the packet may be of one
 *	that is not attached; softirqs off
 * @data: a TCP packet with payload came in, before GRO; softirq, RCU, the
 *	packet is not to be changed; called for every device of every namespace
 *	in which onramp_acker_attach() was called for it, with what was given
 *	there; the scope of its tuple is the acker's; onramp_phc_rx() gives
 *	the time of @ts
 * @peers: a namespace has another list of peers, which onramp_peers_place() has
 *	already; may sleep
 * @doit: an ONRAMP_CMD_ACKER_* request of the genl family
 * @dumpit: same, dumps
 */
struct onramp_acker_ops {
	struct module	*owner;
	bool (*skip)(void *acker, const struct sk_buff *skb, enum onramp_stamp tap);
	void (*data)(void *acker, const struct sk_buff *skb,
		     struct onramp_packet *p,
		     struct onramp_device *device,
		     const struct onramp_timestamp *ts);
	void (*peers)(struct net *net);
	int (*doit)(struct sk_buff *skb, struct genl_info *info);
	int (*dumpit)(struct sk_buff *skb, struct netlink_callback *cb);
};

/**
 * onramp_acker_register() - the acker comes; core has one at most
 * @ops: stays until onramp_acker_unregister()
 *
 * Context: may sleep.
 * Return: 0 or -EBUSY.
 */
int onramp_acker_register(const struct onramp_acker_ops *ops);

/**
 * onramp_acker_unregister() - the acker goes; when this returns none of its
 *	functions runs
 * @ops: as registered
 *
 * Context: may sleep.
 */
void onramp_acker_unregister(const struct onramp_acker_ops *ops);

/**
 * onramp_acker_attach() - tap what a device receives, or no longer
 * @dev: the device
 * @acker: for onramp_acker_ops.data, as long as the namespace lives; NULL: no
 *	longer
 *
 * Forgotten when the device goes or changes its namespace.
 * Context: RTNL; may sleep.
 * Return: 0, -ENOMEM, or of registering tracepoints.
 */
int onramp_acker_attach(struct net_device *dev, void *acker);

/**
 * onramp_acker_is_attached() - is what a device receives tapped?
 * @dev: the device
 *
 * Context: RTNL.
 * Return: what onramp_acker_attach() last set, or false.
 */
bool onramp_acker_is_attached(const struct net_device *dev);

/**
 * onramp_acker_next() - the devices of a namespace that are attached, in order
 * @net: the namespace
 * @after: ifindex of the one before; 0: the first is requested
 *
 * Takes no longer where there are more devices, attached or not.
 *
 * Context: RTNL.
 * Return: the next greater ifindex, or 0 if there is none.
 */
int onramp_acker_next(const struct net *net, int after);

/**
 * struct onramp_unreachable - somebody has no onramp
 * @by: sender, to whom an OR-ACK was sent
 * @to: its sender
 * @dsfield: of the OR-ACK
 */
struct onramp_unreachable {
	struct in6_addr by;
	struct in6_addr to;
	u8		dsfield;
};

/**
 * onramp_unreachable_read() - does somebody answer an OR-ACK with "port unreachable"?
 * @skb: a packet of IPv4 or IPv6
 * @state: of the hook where it is
 * @answer: written if so
 *
 * Only that host itself is trusted, not a router on the way.
 * Context: a netfilter hook.
 * Return: true if it is that.
 */
bool onramp_unreachable_read(struct sk_buff *skb,
			     const struct nf_hook_state *state,
			     struct onramp_unreachable *answer);

/**
 * struct onramp_prefix - addresses that have a beginning in common
 * @addr: as in struct onramp_tuple; what is beyond @len is 0
 * @len: bits, of the 128
 * @v4: of IPv4; a prefix never covers addresses of the other family
 */
struct onramp_prefix {
	struct in6_addr	addr;
	u8		len;
	bool		v4;
};

/* Prefixes on a list of peers; each adds little to a look-up. */
#define ONRAMP_MAX_PEERS 256

/**
 * onramp_peers_place() - where the list of peers of a namespace is
 * @net: the namespace
 *
 * Context: any, as long as the module is loaded and the namespace lives.
 * Return: what is to be read under RCU: the list, or NULL if nobody is on it.
 */
struct onramp_peers __rcu *const *onramp_peers_place(const struct net *net);

/**
 * onramp_prefix_covers() - is an address one of a prefix?
 * @prefix: the prefix
 * @addr: the address
 *
 * Return: true if it is.
 */
bool onramp_prefix_covers(const struct onramp_prefix *prefix,
			  const struct in6_addr *addr);

/**
 * onramp_prefix_is() - are two prefixes the same?
 * @a: one
 * @b: the other
 *
 * Return: true if they are.
 */
bool onramp_prefix_is(const struct onramp_prefix *a,
		      const struct onramp_prefix *b);

/**
 * onramp_prefix_parse() - the prefix of a request
 * @info: the request
 * @prefix: filled if 0 is returned
 *
 * Return: 0, or -EINVAL or -ERANGE, which is explained.
 */
int onramp_prefix_parse(struct genl_info *info, struct onramp_prefix *prefix);

/**
 * onramp_prefix_put() - a prefix into a message
 * @skb: the message
 * @prefix: the prefix
 *
 * Return: 0 or -EMSGSIZE.
 */
int onramp_prefix_put(struct sk_buff *skb, const struct onramp_prefix *prefix);

/**
 * onramp_dump_begin() - one message of a dump
 * @skb: of the dump
 * @cb: the dump; its seq identifies the state that is dumped, and is not 0
 * @cmd: enum onramp_cmd
 *
 * If messages before it had another state it is marked (NLM_F_DUMP_INTR).
 * Return: for genlmsg_end() or genlmsg_cancel(); NULL if there is no space.
 */
void *onramp_dump_begin(struct sk_buff *skb, struct netlink_callback *cb,
			u8 cmd);

/**
 * onramp_genl_refuse() - refuse a request
 * @info: the request
 * @attr: which attribute is to blame; NULL if one is missing, or none
 * @err: error number
 * @why: a string that lives as long as the module
 *
 * Return: @err.
 */
int onramp_genl_refuse(struct genl_info *info, const struct nlattr *attr,
		       int err, const char *why);

/**
 * onramp_key_signs() - are OR-ACKs to a peer signed?
 * @net: the host
 * @peer: the peer
 *
 * Context: any. The result may change at once.
 * Return: true if they are.
 */
bool onramp_key_signs(const struct net *net, const struct in6_addr *peer);

/**
 * onramp_key_sign() - write the trailer of an OR-ACK
 * @net: the host
 * @self: its source address
 * @peer: its destination address
 * @data: the UDP payload; header, with ONRAMP_WIRE_MAC, and entries are
 *	written, and there is space for a trailer
 * @count: how many entries
 *
 * Context: any.
 * Return: bytes of UDP payload, or 0 if there is no key for the peer, and then
 * nothing was written.
 */
size_t onramp_key_sign(const struct net *net, const struct in6_addr *self,
		       const struct in6_addr *peer, u8 *data, u32 count);

extern struct genl_family onramp_genl_family;

/* Flows that a namespace's acker remembers by default. */
#define ONRAMP_MAX_ACKED_DEFAULT 16384

/**
 * enum onramp_budget - what is bounded for all tenants together
 * @ONRAMP_BUDGET_FLOWS: core's flows, with their records
 * @ONRAMP_BUDGET_PATHS: core's paths
 * @ONRAMP_BUDGET_ACKED: the acker's flows, with their paths
 * @ONRAMP_BUDGETS: how many there are
 */
enum onramp_budget {
	ONRAMP_BUDGET_FLOWS,
	ONRAMP_BUDGET_PATHS,
	ONRAMP_BUDGET_ACKED,
	ONRAMP_BUDGETS,
};

/**
 * onramp_budget_take() - is there space for one more?
 * @net: whose it would be; of the host's own there always is
 * @what: of what
 *
 * Context: any.
 * Return: true if so, and it is taken until onramp_budget_give().
 */
bool onramp_budget_take(const struct net *net, enum onramp_budget what);

/**
 * onramp_budget_give() - there is one less
 * @net: as it was taken
 * @what: same
 *
 * Context: any.
 */
void onramp_budget_give(const struct net *net, enum onramp_budget what);

/**
 * onramp_genl_limit_check() - may the requester remember so much?
 * @skb: the request
 * @info: same
 * @limit: u32 or u64 that was given, or NULL
 * @most: what everybody may
 *
 * Memory of flows and paths is charged to nobody, so that the administrator of a user
 * namespace alone must do with the default.
 *
 * Context: a request of the family.
 * Return: 0, or -EPERM, and then the request has an explanation.
 */
int onramp_genl_limit_check(struct sk_buff *skb, struct genl_info *info,
			    const struct nlattr *limit, u32 most);

#endif /* SHARPRAMP_ONRAMP_RECEIVER_H */
