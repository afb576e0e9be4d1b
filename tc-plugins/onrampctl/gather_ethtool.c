// SPDX-License-Identifier: GPL-2.0
/*
 * Facts of ethtool's netlink family: speeds and features.
 */
#include <string.h>
#include <linux/ethtool.h>
#include <linux/ethtool_netlink.h>
#include <linux/genetlink.h>

#include "../../lib/genl.h"
#include "gather.h"

/* Common to all messages below. */
#define GATHER_HEADER	1

/* The device that an answer is about. */
static struct facts_dev *gather_dev(const struct facts *f,
				    const struct nlattr *header)
{
	const struct nlattr *attrs[ETHTOOL_A_HEADER_MAX + 1];
	const struct nlattr *index;

	nl_index_nest(header, attrs, ETHTOOL_A_HEADER_MAX);
	index = attrs[ETHTOOL_A_HEADER_DEV_INDEX];
	if (!index || mnl_attr_validate(index, MNL_TYPE_U32))
		return NULL;
	return facts_dev(f, mnl_attr_get_u32(index));
}

static void gather_feature(struct facts_dev *dev, const char *name)
{
	if (!strcmp(name, "rx-lro"))
		dev->lro = true;
	else if (!strcmp(name, "rx-gro-hw"))
		dev->gro_hw = true;
	else if (!strcmp(name, "rx-gro"))
		dev->gro = true;
	else if (!strcmp(name, "hw-tc-offload"))
		dev->tc_offload = true;
	else if (!strcmp(name, "tx-generic-segmentation") ||
		 !strcmp(name, "tx-tcp-segmentation"))
		dev->gso = true;
}

static int gather_on_features(const struct nlmsghdr *n, void *data)
{
	const struct nlattr *attrs[ETHTOOL_A_FEATURES_MAX + 1];
	const struct nlattr *set[ETHTOOL_A_BITSET_MAX + 1];
	const struct nlattr *bit[ETHTOOL_A_BITSET_BIT_MAX + 1];
	const struct nlattr *nest, *name;
	struct facts_dev *dev;

	nl_index_message(n, GENL_HDRLEN, attrs, ETHTOOL_A_FEATURES_MAX);
	dev = gather_dev(data, attrs[ETHTOOL_A_FEATURES_HEADER]);
	nl_index_nest(attrs[ETHTOOL_A_FEATURES_ACTIVE], set,
		      ETHTOOL_A_BITSET_MAX);
	if (!dev || !set[ETHTOOL_A_BITSET_BITS])
		return MNL_CB_OK;
	mnl_attr_for_each_nested(nest, set[ETHTOOL_A_BITSET_BITS]) {
		nl_index_nest(nest, bit, ETHTOOL_A_BITSET_BIT_MAX);
		name = bit[ETHTOOL_A_BITSET_BIT_NAME];
		if (name && !mnl_attr_validate(name, MNL_TYPE_NUL_STRING))
			gather_feature(dev, mnl_attr_get_str(name));
	}
	return MNL_CB_OK;
}

static int gather_on_modes(const struct nlmsghdr *n, void *data)
{
	const struct nlattr *attrs[ETHTOOL_A_LINKMODES_MAX + 1];
	const struct nlattr *speed;
	struct facts_dev *dev;

	nl_index_message(n, GENL_HDRLEN, attrs, ETHTOOL_A_LINKMODES_MAX);
	dev = gather_dev(data, attrs[ETHTOOL_A_LINKMODES_HEADER]);
	speed = attrs[ETHTOOL_A_LINKMODES_SPEED];
	if (dev && speed && !mnl_attr_validate(speed, MNL_TYPE_U32) &&
	    mnl_attr_get_u32(speed) != (uint32_t)SPEED_UNKNOWN)
		dev->bps = mnl_attr_get_u32(speed) * 1000000ULL;
	return MNL_CB_OK;
}

static int gather_ask(struct facts *f, uint16_t family, uint8_t cmd,
		      mnl_cb_t reply, struct nl_refusal *why)
{
	struct nl_request request;

	genl_header(&request, family, cmd, ETHTOOL_GENL_VERSION, 1);
	/* The kernel wants it, if only to be empty. */
	mnl_attr_nest_end(&request.n,
			  mnl_attr_nest_start(&request.n, GATHER_HEADER));
	return nl_exchange(&request.n, GENL_HDRLEN, reply, f, why) < 0;
}

void gather_ethtool(struct facts *f)
{
	struct nl_refusal why = { 0 };
	struct genl_family family;

	if (genl_resolve(ETHTOOL_GENL_NAME, NULL, &family, &why) ||
	    gather_ask(f, family.id, ETHTOOL_MSG_FEATURES_GET,
		       gather_on_features, &why))
		facts_miss(f, "features of devices", why.error);
	else if (gather_ask(f, family.id, ETHTOOL_MSG_LINKMODES_GET,
			    gather_on_modes, &why))
		facts_miss(f, "speeds of links", why.error);
}
