// SPDX-License-Identifier: GPL-2.0
/*
 * A namespace's part of the acker, and routes: by which way a path's peer gets
 * reports, and whether it may.
 */
#include <linux/inetdevice.h>
#include <net/addrconf.h>
#include <net/ip6_route.h>
#include <net/l3mdev.h>
#include <net/net_namespace.h>
#include <net/route.h>

#include "acker.h"

unsigned int acker_net_id __read_mostly;

/**
 * acker_has() - is an address one of a device?
 * @dev: the device
 * @addr: the address
 *
 * Context: RCU.
 * Return: true if it is, and may be used.
 */
bool acker_has(struct net_device *dev, const struct in6_addr *addr)
{
	const struct in_device *in_dev = __in_dev_get_rcu(dev);
	const struct in_ifaddr *ifa;

	if (!ipv6_addr_v4mapped(addr))
		return ipv6_mod_enabled() &&
		       ipv6_chk_addr_and_flags(dev_net(dev), addr, dev, false,
					       1, IFA_F_TENTATIVE);
	if (!in_dev)
		return false;
	in_dev_for_each_ifa_rcu(ifa, in_dev) {
		if (ifa->ifa_local == addr->s6_addr32[3])
			return true;
	}
	return false;
}

/**
 * acker_some_has() - may an address be one of some device?
 * @net: the namespace of the devices, whatever VRFs they are in
 * @addr: the address
 *
 * IPv6 has no exported table with the addresses of all VRFs.
 *
 * Context: RCU.
 * Return: false if acker_has() is false for each of them; always true for IPv6.
 */
bool acker_some_has(struct net *net, const struct in6_addr *addr)
{
	return !ipv6_addr_v4mapped(addr) ||
	       __ip_dev_find(net, addr->s6_addr32[3], false);
}

/**
 * acker_is_ours() - is an address one of this host, or of a VRF of it?
 * @net: the host
 * @dev: the device by which IP gets what comes to it
 * @addr: the address
 *
 * Context: RCU.
 * Return: true if it is, and may be used.
 */
bool acker_is_ours(struct net *net, struct net_device *dev,
		   const struct in6_addr *addr)
{
	int type;

	if (ipv6_addr_v4mapped(addr))
		return inet_addr_type_dev_table(net, dev, addr->s6_addr32[3]) ==
		       RTN_LOCAL;
	type = ipv6_addr_type(addr);
	/* Addresses of other VRFs than the device's are not tried. */
	return !(type & IPV6_ADDR_MULTICAST) && ipv6_mod_enabled() &&
	       ipv6_chk_addr_and_flags(net, addr, dev,
				       !(type & IPV6_ADDR_LINKLOCAL), 1,
				       IFA_F_TENTATIVE);
}

/* The DSCP's route from our address, which must be one, to the peer's. */
static struct dst_entry *acker_route4(struct net *net,
				      const struct acker_path *path,
				      struct net_device *dev)
{
	bool local = ipv4_is_linklocal_169(path->pair.peer.s6_addr32[3]);
	struct flowi4 fl4 = {
		.flowi4_oif = local ? dev->ifindex :
				      l3mdev_master_ifindex_rcu(dev),
		.flowi4_proto = IPPROTO_UDP,
		.saddr = path->pair.self.s6_addr32[3],
		.daddr = path->pair.peer.s6_addr32[3],
		.fl4_sport = htons(ONRAMP_PORT),
		.fl4_dport = htons(ONRAMP_PORT),
	};
	struct rtable *rt;

	if (!acker_is_ours(net, dev, &path->pair.self))
		return ERR_PTR(-EADDRNOTAVAIL);
	compat_flowi4_set_dsfield(&fl4, path->dsfield);
	rt = ip_route_output_key(net, &fl4);
	if (IS_ERR(rt))
		return ERR_CAST(rt);
	if (rt->rt_flags & (RTCF_BROADCAST | RTCF_MULTICAST)) {
		ip_rt_put(rt);
		return ERR_PTR(-EACCES);
	}
	return &rt->dst;
}

static struct dst_entry *acker_route6(struct net *net, struct acker_path *path,
				      struct net_device *dev)
{
	bool local = ipv6_addr_type(&path->pair.peer) & IPV6_ADDR_LINKLOCAL;
	struct flowi6 fl6 = {
		.flowi6_oif = local ? dev->ifindex :
				      l3mdev_master_ifindex_rcu(dev),
		.flowi6_proto = IPPROTO_UDP,
		.saddr = path->pair.self,
		.daddr = path->pair.peer,
		.flowlabel = ip6_make_flowinfo(path->dsfield, 0),
		.fl6_sport = htons(ONRAMP_PORT),
		.fl6_dport = htons(ONRAMP_PORT),
	};
	struct dst_entry *dst;

	if (!acker_is_ours(net, dev, &fl6.saddr))
		return ERR_PTR(-EADDRNOTAVAIL);
	if (ipv6_addr_is_multicast(&fl6.daddr) || ipv6_addr_any(&fl6.daddr))
		return ERR_PTR(-EACCES);
	/* Checks IPsec's policies, as ip_route_output_key() does. */
	dst = ip6_dst_lookup_flow(net, NULL, &fl6, NULL);
	if (IS_ERR(dst))
		return dst;
	path->cookie = rt6_get_cookie(container_of(dst, struct rt6_info, dst));
	return dst;
}

static struct dst_entry *acker_route(struct net *net, struct acker_path *path)
{
	struct net_device *dev = dev_get_by_index_rcu(net, path->ifindex);

	if (!dev)
		return ERR_PTR(-ENODEV);
	if (ipv6_addr_v4mapped(&path->pair.self))
		return acker_route4(net, path, dev);
	/* With ipv6.disable=1 there are no tables to look into. */
	if (ipv6_mod_enabled())
		return acker_route6(net, path, dev);
	return ERR_PTR(-EAFNOSUPPORT);
}

/**
 * acker_path_route() - the route of a path, looked up if it is not known any more
 * @a: the namespace
 * @path: the path
 *
 * Context: @a->lock held, RCU.
 * Return: the route, not counted for the caller; or NULL; counted.
 */
struct dst_entry *acker_path_route(struct acker_net *a,
				   struct acker_path *path)
{
	struct dst_entry *dst = path->dst;

	if (dst && dst_check(dst, path->cookie))
		return dst;
	dst_release(dst);
	path->dst = NULL;
	dst = acker_route(a->net, path);
	if (IS_ERR(dst)) {
		if (PTR_ERR(dst) == -EADDRNOTAVAIL)
			a->stats.not_ours++;
		else
			a->stats.send_failed++;
		return NULL;
	}
	path->dst = dst;
	return dst;
}
