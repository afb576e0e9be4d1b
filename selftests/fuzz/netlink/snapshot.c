// SPDX-License-Identifier: GPL-2.0
/* All that a namespace was told. */
#include <err.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/netlink.h>
#include <linux/onramp.h>
#include <linux/onramp_wire.h>
#include <linux/rtnetlink.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "snapshot.h"
#include "talk.h"

/* Ahead of its bytes. What is no attribute has type 0. */
struct snapshot_piece {
	uint16_t asked, type;
	uint32_t bytes;
};

/**
 * snapshot_add() - one piece more
 * @snapshot: to what; @snapshot->asked says what it is of
 * @type: its attribute; 0: none
 * @data: the piece
 * @bytes: of @data
 */
void snapshot_add(struct snapshot *snapshot, uint16_t type, const void *data, size_t bytes)
{
	struct snapshot_piece piece = {
		.asked = snapshot->asked,
		.type = type,
		.bytes = bytes,
	};

	if (snapshot->bytes + sizeof(piece) + bytes > SNAPSHOT_BYTES)
		errx(2, "a namespace was told more than a snapshot has room for");
	memcpy(snapshot->data + snapshot->bytes, &piece, sizeof(piece));
	memcpy(snapshot->data + snapshot->bytes + sizeof(piece), data, bytes);
	snapshot->bytes += sizeof(piece) + bytes;
}

static void snapshot_add_attr(struct snapshot *snapshot, const struct nlattr *attr)
{
	snapshot_add(snapshot, mnl_attr_get_type(attr), attr, attr->nla_len);
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
		ONRAMP_A_PHC_RX_MISSING, ONRAMP_A_PHC_RX_STALE, ONRAMP_A_PHC_RX_IMPLAUSIBLE,
		ONRAMP_A_STAMP_TX,	 ONRAMP_A_STAMP_RX,
	};
	size_t i;

	for (i = 0; i < ARRAY_SIZE(moving); i++)
		if (moving[i] == type)
			return true;
	return false;
}

static uint64_t snapshot_now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000000000ULL + now.tv_nsec;
}

/* Nothing may be left of one that is told: time passes as the kernel answers, too. */
static void snapshot_note_clock(struct snapshot *snapshot, const struct nlattr *attr)
{
	if (snapshot->asked != ONRAMP_CMD_CLOCK_GET)
		return;
	if (mnl_attr_get_type(attr) == ONRAMP_A_CLOCK_ID)
		snapshot->clock = mnl_attr_get_u8(attr);
	if (mnl_attr_get_type(attr) == ONRAMP_A_CLOCK_VALID)
		snapshot->until_ns = snapshot_now_ns() + mnl_attr_get_u64(attr);
}

static void snapshot_genl(const struct nlmsghdr *message, void *data)
{
	struct nlattr *attr;

	snapshot_add(data, 0, mnl_nlmsg_get_payload(message), GENL_HDRLEN);
	mnl_attr_for_each(attr, message, GENL_HDRLEN) {
		snapshot_note_clock(data, attr);
		if (!snapshot_moves(mnl_attr_get_type(attr)))
			snapshot_add_attr(data, attr);
	}
}

/* Of a qdisc its place, without how often it is referred to, kind and options. */
static void snapshot_tc(const struct nlmsghdr *message, void *data)
{
	struct tcmsg tc = *(const struct tcmsg *)mnl_nlmsg_get_payload(message);
	struct nlattr *attr;

	tc.tcm_info = 0;
	snapshot_add(data, 0, &tc, sizeof(tc));
	mnl_attr_for_each(attr, message, sizeof(tc)) {
		if (mnl_attr_get_type(attr) == TCA_KIND || mnl_attr_get_type(attr) == TCA_OPTIONS)
			snapshot_add_attr(data, attr);
	}
}

static void snapshot_ask(const struct world *world, enum world_door door, uint16_t type,
			 uint8_t cmd, uint16_t flags, struct snapshot *snapshot)
{
	char room[64] = {};
	struct nlmsghdr *message = mnl_nlmsg_put_header(room);
	struct genlmsghdr *genl;
	struct talk said;

	snapshot->asked = door == DOOR_ROUTE ? type : cmd;
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
	snapshot->clock = 0;
	snapshot->until_ns = 0;
	snapshot_ask(world, DOOR_ROUTE, RTM_GETQDISC, 0, NLM_F_DUMP, snapshot);
	for (i = 0; i < sizeof(dumps); i++)
		snapshot_ask(world, DOOR_GENERIC, family, dumps[i], NLM_F_DUMP, snapshot);
	for (i = 0; i < sizeof(single); i++)
		snapshot_ask(world, DOOR_GENERIC, family, single[i], 0, snapshot);
}

/**
 * snapshot_clock_ended() - has a published clock become stale between the two?
 * @before: one
 * @after: the other, just taken
 *
 * Then the system's is told in its place, and nobody changed anything.
 *
 * Return: true if it has.
 */
bool snapshot_clock_ended(const struct snapshot *before, const struct snapshot *after)
{
	return before->clock == ONRAMP_CLOCK_PUBLISHED && after->clock == ONRAMP_CLOCK_SYSTEM &&
	       snapshot_now_ns() >= before->until_ns;
}

static struct snapshot_piece snapshot_piece(const struct snapshot *snapshot, size_t at)
{
	struct snapshot_piece piece = {};

	if (at < snapshot->bytes)
		memcpy(&piece, snapshot->data + at, sizeof(piece));
	return piece;
}

/**
 * snapshot_differs() - in what do two of them differ?
 * @one: one
 * @other: another
 *
 * Return: the first piece that only one of them has, in words that the next call overwrites;
 * or NULL.
 */
const char *snapshot_differs(const struct snapshot *one, const struct snapshot *other)
{
	struct snapshot_piece piece;
	static char words[80];
	size_t at, bytes;

	for (at = 0; at < one->bytes || at < other->bytes; at += bytes) {
		piece = snapshot_piece(one, at);
		bytes = sizeof(piece) + piece.bytes;
		if (memcmp(one->data + at, other->data + at, bytes))
			break;
	}
	if (at == one->bytes && at == other->bytes)
		return NULL;
	if (!piece.asked)
		piece = snapshot_piece(other, at);
	snprintf(words, sizeof(words), "what command %u tells, attribute %u", piece.asked,
		 piece.type);
	return words;
}
