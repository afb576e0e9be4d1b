// SPDX-License-Identifier: GPL-2.0
/* All that a namespace was told. */
#include <err.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/onramp.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "snapshot.h"
#include "talk.h"

static void snapshot_add(struct snapshot *snapshot, const void *data, size_t bytes)
{
	if (snapshot->bytes + bytes > SNAPSHOT_BYTES)
		errx(2, "a namespace was told more than a snapshot has room for");
	memcpy(snapshot->data + snapshot->bytes, data, bytes);
	snapshot->bytes += bytes;
}

/*
 * Counters, and what follows from the time: a clock is stale by itself, and stamps
 * are a card's no more when its line is.
 */
static bool snapshot_moves(uint16_t type)
{
	static const uint16_t moving[] = {
		ONRAMP_A_CLOCK_VALID,	 ONRAMP_A_CLOCK_STATE,	ONRAMP_A_STATS,
		ONRAMP_A_FLOWS,		 ONRAMP_A_PATHS,	ONRAMP_A_ACKER_STATS,
		ONRAMP_A_PHC_TX_GOOD,	 ONRAMP_A_PHC_TX_STALE, ONRAMP_A_PHC_RX_GOOD,
		ONRAMP_A_PHC_RX_MISSING, ONRAMP_A_PHC_RX_STALE, ONRAMP_A_PHC_RX_DOUBTED,
		ONRAMP_A_STAMP_TX,	 ONRAMP_A_STAMP_RX,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(moving); i++)
		if (moving[i] == type)
			return true;
	return false;
}

static void snapshot_genl(const struct nlmsghdr *message, void *data)
{
	struct nlattr *attr;

	snapshot_add(data, mnl_nlmsg_get_payload(message), GENL_HDRLEN);
	mnl_attr_for_each(attr, message, GENL_HDRLEN) {
		if (!snapshot_moves(mnl_attr_get_type(attr)))
			snapshot_add(data, attr, attr->nla_len);
	}
}

/* Of a qdisc its place, without how often it is referred to, kind and options. */
static void snapshot_tc(const struct nlmsghdr *message, void *data)
{
	struct tcmsg tc = *(const struct tcmsg *)mnl_nlmsg_get_payload(message);
	struct nlattr *attr;

	tc.tcm_info = 0;
	snapshot_add(data, &tc, sizeof(tc));
	mnl_attr_for_each(attr, message, sizeof(tc)) {
		if (mnl_attr_get_type(attr) == TCA_KIND || mnl_attr_get_type(attr) == TCA_OPTIONS)
			snapshot_add(data, attr, attr->nla_len);
	}
}

static void snapshot_ask(const struct world *world, enum world_door door, uint16_t type,
			 uint8_t cmd, uint16_t flags, struct snapshot *snapshot)
{
	char room[64] = {};
	struct nlmsghdr *message = mnl_nlmsg_put_header(room);
	struct genlmsghdr *genl;
	struct talk said;

	message->nlmsg_type = type;
	message->nlmsg_flags = NLM_F_REQUEST | NLM_F_ACK | flags;
	if (door == DOOR_ROUTE) {
		mnl_nlmsg_put_extra_header(message, sizeof(struct tcmsg));
	} else {
		genl = mnl_nlmsg_put_extra_header(message, GENL_HDRLEN);
		genl->cmd = cmd;
	}
	said = talk(world->sockets[door][SPEAKER_PLAIN], message, message->nlmsg_len,
		    message->nlmsg_seq, door == DOOR_ROUTE ? snapshot_tc : snapshot_genl, snapshot);
	if (!said.heard || said.error)
		errx(2, "command %u for a snapshot: %s", cmd, strerror(said.error));
}

/**
 * snapshot_take() - ask for all of it
 * @world: the namespace
 * @snapshot: written
 */
void snapshot_take(const struct world *world, struct snapshot *snapshot)
{
	static const uint8_t dumps[] = {
		ONRAMP_CMD_ACKER_DEV_GET,
		ONRAMP_CMD_PEER_GET,
		ONRAMP_CMD_DEV_GET,
		ONRAMP_CMD_KEY_GET,
	};
	static const uint8_t single[] = {
		ONRAMP_CMD_CLOCK_GET,
		ONRAMP_CMD_STATS_GET,
		ONRAMP_CMD_ACKER_GET,
	};
	uint16_t family = world_family(world);
	size_t i;

	snapshot->bytes = 0;
	snapshot_ask(world, DOOR_ROUTE, RTM_GETQDISC, 0, NLM_F_DUMP, snapshot);
	for (i = 0; i < sizeof(dumps); i++)
		snapshot_ask(world, DOOR_GENERIC, family, dumps[i], NLM_F_DUMP, snapshot);
	for (i = 0; i < sizeof(single); i++)
		snapshot_ask(world, DOOR_GENERIC, family, single[i], 0, snapshot);
}

/**
 * snapshot_is() - are two of them equal?
 * @one: one
 * @other: another
 *
 * Return: true if they are.
 */
bool snapshot_is(const struct snapshot *one, const struct snapshot *other)
{
	return one->bytes == other->bytes && !memcmp(one->data, other->data, one->bytes);
}
