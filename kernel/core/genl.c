// SPDX-License-Identifier: GPL-2.0
/*
 * The requests of the generic netlink family: what each may have, and which function
 * answers it.
 *
 * Those of a namespace are not parallel: onramp_net.change keeps them apart.  A
 * number out of its range is refused by its policy, which netlink sends along
 * with the attribute's place; whatever no policy can express is refused by the functions that
 * answer.
 */
#include "genl.h"

/* Not const: before 6.12 netlink wants it so. */
static struct netlink_range_validation onramp_range_error = {
	.max = ONRAMP_RANGE_ERROR_MAX_NS,
};

static struct netlink_range_validation_signed onramp_range_drift = {
	.min = -ONRAMP_RANGE_DRIFT_MAX,
	.max = ONRAMP_RANGE_DRIFT_MAX,
};

static struct netlink_range_validation onramp_range_valid = {
	.max = ONRAMP_RANGE_VALID_MAX_NS,
};

static struct netlink_range_validation onramp_range_epoch = {
	.min = 1,
	.max = U32_MAX,
};

static struct netlink_range_validation onramp_range_table = {
	.min = 1,
	.max = ONRAMP_RANGE_TABLE_MAX,
};

static struct netlink_range_validation onramp_range_memory = {
	.min = ONRAMP_RANGE_MEMORY_MIN,
	.max = ONRAMP_RANGE_MEMORY_MAX,
};

static struct netlink_range_validation onramp_range_delay = {
	.min = ONRAMP_RANGE_DELAY_MIN_NS,
	.max = ONRAMP_RANGE_DELAY_MAX_NS,
};

static struct netlink_range_validation onramp_range_idle = {
	.min = ONRAMP_RANGE_IDLE_MIN_NS,
	.max = ONRAMP_RANGE_IDLE_MAX_NS,
};

static struct netlink_range_validation onramp_range_rate = {
	.min = 1,
	.max = ONRAMP_RANGE_RATE_MAX,
};

static struct netlink_range_validation onramp_range_ifindex = {
	.min = 1,
	.max = S32_MAX,
};

static struct netlink_range_validation onramp_range_group = {
	.min = 1,
	.max = ONRAMP_RANGE_GROUP_MAX,
};

static struct netlink_range_validation_signed onramp_range_bias = {
	.min = -ONRAMP_RANGE_BIAS_MAX_NS,
	.max = ONRAMP_RANGE_BIAS_MAX_NS,
};

static struct netlink_range_validation onramp_range_window = {
	.min = ONRAMP_RANGE_WINDOW_MIN_NS,
	.max = ONRAMP_RANGE_WINDOW_MAX_NS,
};

static const struct nla_policy onramp_clock_policy[] = {
	[ONRAMP_A_CLOCK_ID] = NLA_POLICY_RANGE(NLA_U8, ONRAMP_CLOCK_SYSTEM,
					       ONRAMP_CLOCK_PUBLISHED),
	[ONRAMP_A_CLOCK_ERROR] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_error),
	[ONRAMP_A_CLOCK_BASE] = NLA_POLICY_RANGE(NLA_U8, ONRAMP_BASE_REALTIME,
						 ONRAMP_BASE_TAI),
	[ONRAMP_A_CLOCK_OFFSET] = { .type = NLA_S64 },
	[ONRAMP_A_CLOCK_DRIFT] =
		NLA_POLICY_FULL_RANGE_SIGNED(NLA_S64, &onramp_range_drift),
	[ONRAMP_A_CLOCK_REF] = { .type = NLA_S64 },
	[ONRAMP_A_CLOCK_VALID] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_valid),
	[ONRAMP_A_CLOCK_EPOCH] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_epoch),
};

static const struct nla_policy onramp_limits_policy[] = {
	[ONRAMP_A_MAX_FLOWS] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_table),
	[ONRAMP_A_MAX_PATHS] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_table),
	[ONRAMP_A_MAX_MEMORY] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_memory),
	[ONRAMP_A_FOLLOW] = NLA_POLICY_MAX(NLA_U8, ONRAMP_FOLLOW_KEYS),
};

static const struct nla_policy onramp_acker_policy[] = {
	[ONRAMP_A_ACKER_EVERY] = NLA_POLICY_RANGE(NLA_U32, 1,
						  ONRAMP_RANGE_EVERY_MAX),
	[ONRAMP_A_ACKER_DELAY] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_delay),
	[ONRAMP_A_ACKER_IDLE] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_idle),
	[ONRAMP_A_ACKER_RATE] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_rate),
	[ONRAMP_A_ACKER_MAX_FLOWS] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_table),
};

static const struct nla_policy onramp_ifindex_policy[] = {
	[ONRAMP_A_IFINDEX] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_ifindex),
};

static const struct nla_policy onramp_prefix_policy[] = {
	[ONRAMP_A_PREFIX] = NLA_POLICY_RANGE(NLA_BINARY, 4, 16),
	[ONRAMP_A_PREFIX_LEN] = NLA_POLICY_MAX(NLA_U8, 128),
};

static const struct nla_policy onramp_device_policy[] = {
	[ONRAMP_A_IFINDEX] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_ifindex),
	[ONRAMP_A_STAMP_WANTED_TX] = NLA_POLICY_MAX(NLA_U8, ONRAMP_STAMP_QDISC),
	[ONRAMP_A_STAMP_WANTED_RX] = NLA_POLICY_MAX(NLA_U8, ONRAMP_STAMP_QDISC),
};

static const struct nla_policy onramp_key_policy[] = {
	[ONRAMP_A_GROUP] = NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_group),
	[ONRAMP_A_KEY] = NLA_POLICY_RANGE(NLA_BINARY, 16, 16),
	[ONRAMP_A_KEY_ID] = { .type = NLA_U8 },
};

static const struct nla_policy onramp_key_id_policy[] = {
	[ONRAMP_A_GROUP] = NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_group),
	[ONRAMP_A_KEY_ID] = { .type = NLA_U8 },
};

static const struct nla_policy onramp_key_set_policy[] = {
	[ONRAMP_A_GROUP] = NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_group),
	[ONRAMP_A_KEY_REQUIRE] = NLA_POLICY_MAX(NLA_U8, 1),
};

static const struct nla_policy onramp_key_peer_policy[] = {
	[ONRAMP_A_PREFIX] = NLA_POLICY_RANGE(NLA_BINARY, 4, 16),
	[ONRAMP_A_PREFIX_LEN] = NLA_POLICY_MAX(NLA_U8, 128),
	[ONRAMP_A_GROUP] = NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_group),
};

static const struct nla_policy onramp_phc_policy[] = {
	[ONRAMP_A_IFINDEX] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_ifindex),
	[ONRAMP_A_CLOCK_ERROR] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_error),
	[ONRAMP_A_CLOCK_OFFSET] = { .type = NLA_S64 },
	[ONRAMP_A_CLOCK_DRIFT] =
		NLA_POLICY_FULL_RANGE_SIGNED(NLA_S64, &onramp_range_drift),
	[ONRAMP_A_CLOCK_REF] = { .type = NLA_S64 },
	[ONRAMP_A_CLOCK_VALID] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_valid),
	[ONRAMP_A_CLOCK_EPOCH] =
		NLA_POLICY_FULL_RANGE(NLA_U32, &onramp_range_epoch),
	[ONRAMP_A_PHC_BIAS] =
		NLA_POLICY_FULL_RANGE_SIGNED(NLA_S64, &onramp_range_bias),
	[ONRAMP_A_PHC_WINDOW] =
		NLA_POLICY_FULL_RANGE(NLA_U64, &onramp_range_window),
};

static const struct nla_policy onramp_holding_policy[] = {
	[ONRAMP_A_HOLDING] = NLA_POLICY_MAX(NLA_U8, 1),
	[ONRAMP_A_HOLDING_WHY] = { .type = NLA_NUL_STRING,
				   .len = ONRAMP_RANGE_WHY_MAX },
};

#define ONRAMP_POLICY(table)						\
	.policy = table, .maxattr = ARRAY_SIZE(table) - 1

static const struct genl_ops onramp_genl_ops[] = {
	{
		.cmd = ONRAMP_CMD_CLOCK_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_clock_set_doit,
		ONRAMP_POLICY(onramp_clock_policy),
	},
	{
		.cmd = ONRAMP_CMD_CLOCK_GET,
		.doit = onramp_clock_get_doit,
	},
	{
		.cmd = ONRAMP_CMD_FLOW_GET,
		.start = onramp_flow_dump_start,
		.dumpit = onramp_flow_dumpit,
		.done = onramp_dump_done,
	},
	{
		.cmd = ONRAMP_CMD_PATH_GET,
		.start = onramp_path_dump_start,
		.dumpit = onramp_path_dumpit,
		.done = onramp_dump_done,
	},
	{
		.cmd = ONRAMP_CMD_STATS_GET,
		.doit = onramp_stats_get_doit,
	},
	{
		.cmd = ONRAMP_CMD_LIMITS_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_limits_set_doit,
		ONRAMP_POLICY(onramp_limits_policy),
	},
	{
		.cmd = ONRAMP_CMD_ACKER_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_genl_acker_doit,
		ONRAMP_POLICY(onramp_acker_policy),
	},
	{
		.cmd = ONRAMP_CMD_ACKER_GET,
		.doit = onramp_genl_acker_doit,
	},
	{
		.cmd = ONRAMP_CMD_ACKER_DEV_ADD,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_genl_acker_doit,
		ONRAMP_POLICY(onramp_ifindex_policy),
	},
	{
		.cmd = ONRAMP_CMD_ACKER_DEV_DEL,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_genl_acker_doit,
		ONRAMP_POLICY(onramp_ifindex_policy),
	},
	{
		.cmd = ONRAMP_CMD_ACKER_DEV_GET,
		.dumpit = onramp_genl_acker_dumpit,
	},
	{
		.cmd = ONRAMP_CMD_PEER_ADD,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_peer_add_doit,
		ONRAMP_POLICY(onramp_prefix_policy),
	},
	{
		.cmd = ONRAMP_CMD_PEER_DEL,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_peer_del_doit,
		ONRAMP_POLICY(onramp_prefix_policy),
	},
	{
		.cmd = ONRAMP_CMD_PEER_GET,
		.dumpit = onramp_peer_dumpit,
	},
	{
		.cmd = ONRAMP_CMD_DEV_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_device_set_doit,
		ONRAMP_POLICY(onramp_device_policy),
	},
	{
		.cmd = ONRAMP_CMD_DEV_GET,
		.dumpit = onramp_device_dumpit,
	},
	{
		.cmd = ONRAMP_CMD_KEY_ADD,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_key_add_doit,
		ONRAMP_POLICY(onramp_key_policy),
	},
	{
		.cmd = ONRAMP_CMD_KEY_ROTATE,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_key_rotate_doit,
		ONRAMP_POLICY(onramp_key_id_policy),
	},
	{
		.cmd = ONRAMP_CMD_KEY_DEL,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_key_del_doit,
		ONRAMP_POLICY(onramp_key_id_policy),
	},
	{
		.cmd = ONRAMP_CMD_KEY_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_key_set_doit,
		ONRAMP_POLICY(onramp_key_set_policy),
	},
	{
		.cmd = ONRAMP_CMD_KEY_PEER_ADD,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_key_peer_add_doit,
		ONRAMP_POLICY(onramp_key_peer_policy),
	},
	{
		.cmd = ONRAMP_CMD_KEY_PEER_DEL,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_key_peer_del_doit,
		ONRAMP_POLICY(onramp_key_peer_policy),
	},
	{
		.cmd = ONRAMP_CMD_KEY_GET,
		.dumpit = onramp_key_dumpit,
	},
	{
		.cmd = ONRAMP_CMD_PHC_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_phc_set_doit,
		ONRAMP_POLICY(onramp_phc_policy),
	},
	{
		.cmd = ONRAMP_CMD_PHC_DEL,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_phc_del_doit,
		ONRAMP_POLICY(onramp_ifindex_policy),
	},
	{
		.cmd = ONRAMP_CMD_HOLDING_SET,
		.flags = GENL_UNS_ADMIN_PERM,
		.doit = onramp_holding_set_doit,
		ONRAMP_POLICY(onramp_holding_policy),
	},
};

/**
 * onramp_genl_init() - the module comes
 *
 * Return: 0 or an error.
 */
int __init onramp_genl_init(void)
{
	onramp_genl_family.ops = onramp_genl_ops;
	onramp_genl_family.n_ops = ARRAY_SIZE(onramp_genl_ops);
	return genl_register_family(&onramp_genl_family);
}

/**
 * onramp_genl_exit() - the module goes
 */
void onramp_genl_exit(void)
{
	genl_unregister_family(&onramp_genl_family);
}
