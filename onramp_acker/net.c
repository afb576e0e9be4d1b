// SPDX-License-Identifier: GPL-2.0
/*
 * Where a namespace's part is found.
 */
#include <net/net_namespace.h>
#include <net/netns/generic.h>

#include "acker.h"

unsigned int acker_net_id __read_mostly;

/**
 * acker_net_of() - what there is for a namespace
 * @net: the namespace
 *
 * Context: any, until the namespace's devices are gone.
 * Return: never NULL.
 */
struct acker_net *acker_net_of(const struct net *net)
{
	return net_generic(net, acker_net_id);
}
