// SPDX-License-Identifier: GPL-2.0
/*
 * The table of commands.
 */
#include "command.h"
#include "run.h"
#include "names.h"

/* The range of a number that the interface has a width for, and no more. */
#define TABLE_S64_MIN	((uint64_t)INT64_MIN)
#define TABLE_SECOND	1000000000ULL

#define TABLE_NUMBER(keyword, value, id, width, what_kind, lo, hi, text) {	\
	.name = keyword,						\
	.operand = value,						\
	.attr = ONRAMP_A_##id,						\
	.bits = width,							\
	.range = {							\
		.kind = VALUE_##what_kind,				\
		.least = lo,						\
		.most = hi,						\
	},								\
	.what = text,							\
}

#define TABLE_OPTIONAL(keyword, value, id, width, what_kind, lo, hi, text) { \
	.name = keyword,						\
	.operand = value,						\
	.attr = ONRAMP_A_##id,						\
	.bits = width,							\
	.optional = true,						\
	.range = {							\
		.kind = VALUE_##what_kind,				\
		.least = lo,						\
		.most = hi,						\
	},								\
	.what = text,							\
}

#define TABLE_PEER_FILTER {						\
	.name = "peer",							\
	.operand = "PREFIX",						\
	.optional = true,						\
	.range = { .kind = VALUE_PREFIX },				\
	.what = "destination addresses to show",			\
}

#define TABLE_DEVICE {							\
	{								\
		.operand = "DEV",					\
		.attr = ONRAMP_A_IFINDEX,				\
		.bits = 32,						\
		.range = { .kind = VALUE_DEVICE },			\
		.what = "network device",				\
	},								\
}

#define TABLE_DEVICE_NAMED {						\
	.name = "dev",							\
	.operand = "DEV",						\
	.attr = ONRAMP_A_IFINDEX,					\
	.bits = 32,							\
	.range = { .kind = VALUE_DEVICE },				\
	.what = "network device",					\
}

#define TABLE_PREFIX {							\
	{								\
		.operand = "PREFIX",					\
		.attr = ONRAMP_A_PREFIX,				\
		.range = { .kind = VALUE_PREFIX },			\
		.what = "IPv4 or IPv6 address, or ADDRESS/LENGTH",	\
	},								\
}

#define TABLE_GROUP							\
	TABLE_NUMBER("group", "N", GROUP, 32, COUNT, 1,			\
		     ONRAMP_RANGE_GROUP_MAX, "group of peers that share keys")

#define TABLE_KEY_ID							\
	TABLE_NUMBER("id", "N", KEY_ID, 8, COUNT, 0, 255,		\
		     "number of the key in OR-ACKs")

#define TABLE_GROUP_PREFIX {						\
	TABLE_GROUP,							\
	{								\
		.name = "prefix",					\
		.operand = "PREFIX",					\
		.attr = ONRAMP_A_PREFIX,				\
		.range = { .kind = VALUE_PREFIX },			\
		.what = "IPv4 or IPv6 address, or ADDRESS/LENGTH",	\
	},								\
}

#define TABLE_SWITCH(way, number, text) {				\
	.path = way,							\
	.cmd = ONRAMP_CMD_HOLDING_SET,					\
	.fixed = ONRAMP_A_HOLDING,					\
	.fixed_value = number,							\
	.params = {							\
		TABLE_OPTIONAL(NULL, "REASON", HOLDING_WHY, 0, TEXT,	\
			       1, ONRAMP_RANGE_WHY_MAX,			\
			       "reason to show to other users"), \
	},								\
	.run = run_set,							\
	.what = text,							\
}

const struct command commands[] = {
	{
		.path = "clock show",
		.cmd = ONRAMP_CMD_CLOCK_GET,
		.run = run_clock_show,
		.what = "clock used to measure one-way delays",
	}, {
		.path = "clock set system",
		.cmd = ONRAMP_CMD_CLOCK_SET,
		.fixed = ONRAMP_A_CLOCK_ID,
		.fixed_value = ONRAMP_CLOCK_SYSTEM,
		.params = {
			TABLE_NUMBER("error", "TIME", CLOCK_ERROR, 32, TIME,
				     1, ONRAMP_RANGE_ERROR_MAX_NS,
				     "error bound of CLOCK_REALTIME"),
		},
		.run = run_set,
		.what =
			"declare the error bound of CLOCK_REALTIME, which another program synchronises",
	}, {
		.path = "clock set published",
		.cmd = ONRAMP_CMD_CLOCK_SET,
		.fixed = ONRAMP_A_CLOCK_ID,
		.fixed_value = ONRAMP_CLOCK_PUBLISHED,
		.params = {
			TABLE_NUMBER("offset", "TIME", CLOCK_OFFSET, 64, OFFSET,
				     TABLE_S64_MIN, INT64_MAX,
				     "common time minus base clock, at ref"),
			TABLE_NUMBER("drift", "PPB", CLOCK_DRIFT, 64, DRIFT,
				     -(uint64_t)ONRAMP_RANGE_DRIFT_MAX,
				     ONRAMP_RANGE_DRIFT_MAX,
				     "rate difference between common time and the base clock"),
			TABLE_NUMBER("error", "TIME", CLOCK_ERROR, 32, TIME,
				     1, ONRAMP_RANGE_ERROR_MAX_NS,
				     "error bound of the line"),
			TABLE_NUMBER("valid", "TIME", CLOCK_VALID, 64, TIME,
				     1, ONRAMP_RANGE_VALID_MAX_NS,
				     "validity from now on; then the line is stale"),
			TABLE_NUMBER("epoch", "N", CLOCK_EPOCH, 32, COUNT,
				     1, UINT32_MAX,
				     "epoch; times of different epochs are not compared"),
			{
				.name = "base",
				.attr = ONRAMP_A_CLOCK_BASE,
				.bits = 8,
				.range = NAMES_RANGE(names_base),
				.what = "base clock of the line",
			},
			TABLE_NUMBER("ref", "TIME", CLOCK_REF, 64, OFFSET,
				     TABLE_S64_MIN, INT64_MAX,
				     "time of the base clock, within 600s of now"),
		},
		.run = run_set,
		.what = "common = base + offset + drift x (base - ref)",
	}, {
		.path = "clock clear",
		.cmd = ONRAMP_CMD_CLOCK_SET,
		.params = {
			{
				.operand = "CLOCK",
				.optional = true,
				.range = NAMES_RANGE(names_clock),
				.what = "clock to clear; both by default",
			},
		},
		.run = run_clock_clear,
		.what = "withdraw the bound of CLOCK_REALTIME, the published line, or both",
	}, {
		.path = "hold show",
		.cmd = ONRAMP_CMD_STATS_GET,
		.run = run_hold_show,
		.what = "show whether holding is switched off in this network namespace, and why",
	},
	TABLE_SWITCH("hold off", 0,
		     "switch holding off in all qdiscs; delays are still measured"),
	TABLE_SWITCH("hold on", 1, "switch holding on again"),
	{
		.path = "acker show",
		.cmd = ONRAMP_CMD_ACKER_GET,
		.run = run_acker_show,
		.what = "parameters, devices and counters of the acker",
	}, {
		.path = "acker set",
		.cmd = ONRAMP_CMD_ACKER_SET,
		.any = true,
		.params = {
			TABLE_OPTIONAL("every", "N", ACKER_EVERY, 32, COUNT,
				       1, ONRAMP_RANGE_EVERY_MAX,
				       "approximate payload between two OR-ACKs, in MTUs"),
			TABLE_OPTIONAL("delay", "TIME", ACKER_DELAY, 64, TIME,
				       ONRAMP_RANGE_DELAY_MIN_NS,
				       ONRAMP_RANGE_DELAY_MAX_NS,
				       "time after which a burst's last packet is acknowledged"),
			TABLE_OPTIONAL("idle", "TIME", ACKER_IDLE, 64, TIME,
				       ONRAMP_RANGE_IDLE_MIN_NS,
				       ONRAMP_RANGE_IDLE_MAX_NS,
				       "idle time after which a flow counts as new"),
			TABLE_OPTIONAL("rate", "N", ACKER_RATE, 32, COUNT,
				       1, ONRAMP_RANGE_RATE_MAX,
				       "maximum OR-ACK datagrams per second"),
			TABLE_OPTIONAL("max_flows", "N", ACKER_MAX_FLOWS, 32,
				       COUNT, 1, ONRAMP_RANGE_TABLE_MAX,
				       "maximum tracked flows"),
		},
		.run = run_set,
		.what = "change parameters of the acker; others keep their value",
	}, {
		.path = "acker dev add",
		.cmd = ONRAMP_CMD_ACKER_DEV_ADD,
		.params = TABLE_DEVICE,
		.run = run_set,
		.what = "acknowledge data that this device receives",
	}, {
		.path = "acker dev del",
		.cmd = ONRAMP_CMD_ACKER_DEV_DEL,
		.params = TABLE_DEVICE,
		.run = run_set,
		.what = "stop acknowledging data that this device receives",
	}, {
		.path = "peers show",
		.cmd = ONRAMP_CMD_PEER_GET,
		.run = run_peers_show,
		.what = "prefixes whose data is acknowledged; none at first",
	}, {
		.path = "peers add",
		.cmd = ONRAMP_CMD_PEER_ADD,
		.params = TABLE_PREFIX,
		.run = run_set,
		.what = "acknowledge data from this prefix",
	}, {
		.path = "peers del",
		.cmd = ONRAMP_CMD_PEER_DEL,
		.params = TABLE_PREFIX,
		.run = run_set,
		.what = "stop acknowledging data from this prefix",
	}, {
		.path = "keys show",
		.cmd = ONRAMP_CMD_KEY_GET,
		.run = run_keys_show,
		.what = "groups, their peers, and the numbers of their keys",
	}, {
		.path = "keys add",
		.cmd = ONRAMP_CMD_KEY_ADD,
		.params = {
			TABLE_GROUP,
			TABLE_KEY_ID,
			{
				.name = "file",
				.operand = "FILE",
				.attr = ONRAMP_A_KEY,
				.range = { .kind = VALUE_KEY },
				.what = "file with 32 hexadecimal digits; - is standard input",
			},
		},
		.run = run_set,
		.what = "add a key; a group has at most two, and its first one signs",
	}, {
		.path = "keys rotate",
		.cmd = ONRAMP_CMD_KEY_ROTATE,
		.params = { TABLE_GROUP, TABLE_KEY_ID },
		.run = run_set,
		.what = "sign with this key; the other one stays valid",
	}, {
		.path = "keys del",
		.cmd = ONRAMP_CMD_KEY_DEL,
		.params = {
			TABLE_GROUP,
			TABLE_OPTIONAL("id", "N", KEY_ID, 8, COUNT, 0, 255,
				       "key to delete, which must not be the one that signs"),
		},
		.run = run_set,
		.what = "delete a key; without id, the whole group",
	}, {
		.path = "keys set",
		.cmd = ONRAMP_CMD_KEY_SET,
		.params = {
			TABLE_GROUP,
			{
				.name = "require",
				.attr = ONRAMP_A_KEY_REQUIRE,
				.bits = 8,
				.range = NAMES_RANGE(names_require),
				.what = "whether unsigned OR-ACKs are dropped",
			},
		},
		.run = run_set,
		.what = "require signed OR-ACKs of a group's peers, or accept unsigned ones",
	}, {
		.path = "keys peers add",
		.cmd = ONRAMP_CMD_KEY_PEER_ADD,
		.params = TABLE_GROUP_PREFIX,
		.run = run_set,
		.what = "sign OR-ACKs to this prefix, and verify OR-ACKs from it",
	}, {
		.path = "keys peers del",
		.cmd = ONRAMP_CMD_KEY_PEER_DEL,
		.params = TABLE_GROUP_PREFIX,
		.run = run_set,
		.what = "stop signing and verifying for this prefix",
	}, {
		.path = "flows show",
		.cmd = ONRAMP_CMD_FLOW_GET,
		.params = {
			TABLE_PEER_FILTER,
			{
				.name = "dev",
				.operand = "DEV",
				.optional = true,
				.range = { .kind = VALUE_DEVICE },
				.what = "output device to show",
			},
		},
		.run = run_flows_show,
		.what = "measured flows of this host",
	}, {
		.path = "paths show",
		.cmd = ONRAMP_CMD_PATH_GET,
		.params = { TABLE_PEER_FILTER },
		.run = run_paths_show,
		.what = "paths, by addresses and DSCP",
	}, {
		.path = "stats show",
		.cmd = ONRAMP_CMD_STATS_GET,
		.run = run_stats_show,
		.what = "counters and limits of this network namespace",
	}, {
		.path = "limits set",
		.cmd = ONRAMP_CMD_LIMITS_SET,
		.any = true,
		.params = {
			TABLE_OPTIONAL("flows", "N", MAX_FLOWS, 32, COUNT,
				       1, ONRAMP_RANGE_TABLE_MAX,
				       "maximum flows in the table"),
			TABLE_OPTIONAL("paths", "N", MAX_PATHS, 32, COUNT,
				       1, ONRAMP_RANGE_TABLE_MAX,
				       "maximum paths in the table"),
			TABLE_OPTIONAL("memory", "BYTES", MAX_MEMORY, 64, COUNT,
				       ONRAMP_RANGE_MEMORY_MIN,
				       ONRAMP_RANGE_MEMORY_MAX,
				       "maximum bytes of flows, records and paths"),
			{
				.name = "follow",
				.attr = ONRAMP_A_FOLLOW,
				.bits = 8,
				.optional = true,
				.range = NAMES_RANGE(names_follow),
				.what = "flows that are measured and held",
			},
		},
		.run = run_set,
		.what = "change limits; others keep their value",
	}, {
		.path = "stamps show",
		.cmd = ONRAMP_CMD_DEV_GET,
		.run = run_stamps_show,
		.what = "timestamp sources of devices",
	}, {
		.path = "stamps set",
		.cmd = ONRAMP_CMD_DEV_SET,
		.params = {
			TABLE_DEVICE_NAMED,
			{
				.name = "tx",
				.attr = ONRAMP_A_STAMP_WANTED_TX,
				.bits = 8,
				.optional = true,
				.range = NAMES_RANGE(names_wanted),
				.what = "timestamp source of sent packets",
			}, {
				.name = "rx",
				.attr = ONRAMP_A_STAMP_WANTED_RX,
				.bits = 8,
				.optional = true,
				.range = NAMES_RANGE(names_wanted),
				.what = "timestamp source of received packets",
			},
		},
		.run = run_set,
		.what =
			"set timestamp sources; auto is the driver if it calls onramp_hook, else the tracepoint",
	}, {
		.path = "phc show",
		.cmd = ONRAMP_CMD_DEV_GET,
		.run = run_phc_show,
		.what = "hardware clocks of devices, and counters of their timestamps",
	}, {
		.path = "phc set",
		.cmd = ONRAMP_CMD_PHC_SET,
		.params = {
			TABLE_DEVICE_NAMED,
			TABLE_NUMBER("offset", "TIME", CLOCK_OFFSET, 64, OFFSET,
				     TABLE_S64_MIN, INT64_MAX,
				     "CLOCK_REALTIME minus hardware clock, at ref"),
			TABLE_NUMBER("drift", "PPB", CLOCK_DRIFT, 64, DRIFT,
				     -(uint64_t)ONRAMP_RANGE_DRIFT_MAX,
				     ONRAMP_RANGE_DRIFT_MAX,
				     "rate difference of CLOCK_REALTIME and the hardware clock"),
			TABLE_NUMBER("error", "TIME", CLOCK_ERROR, 32, TIME,
				     1, ONRAMP_RANGE_ERROR_MAX_NS,
				     "error bound of the line"),
			TABLE_NUMBER("valid", "TIME", CLOCK_VALID, 64, TIME,
				     1, ONRAMP_RANGE_VALID_MAX_NS,
				     "validity from now on; then the line is stale"),
			TABLE_NUMBER("epoch", "N", CLOCK_EPOCH, 32, COUNT,
				     1, UINT32_MAX,
				     "epoch; a new one after a clock was stepped"),
			TABLE_NUMBER("ref", "TIME", CLOCK_REF, 64, OFFSET,
				     0, INT64_MAX,
				     "time of the hardware clock"),
			TABLE_OPTIONAL("bias", "TIME", PHC_BIAS, 64, OFFSET,
				       -(uint64_t)ONRAMP_RANGE_BIAS_MAX_NS,
				       ONRAMP_RANGE_BIAS_MAX_NS,
				       "time of a sent packet from its timestamp to the wire"),
			TABLE_OPTIONAL("window", "TIME", PHC_WINDOW, 64, TIME,
				       ONRAMP_RANGE_WINDOW_MIN_NS,
				       ONRAMP_RANGE_WINDOW_MAX_NS,
				       "maximum time of a received packet from wire to stack"),
		},
		.run = run_set,
		.what = "CLOCK_REALTIME = phc + offset + drift x (phc - ref)",
	}, {
		.path = "phc clear",
		.cmd = ONRAMP_CMD_PHC_DEL,
		.params = { TABLE_DEVICE_NAMED },
		.run = run_set,
		.what = "withdraw the line",
	}, {
		.path = "doctor",
		.params = {
			{
				.name = "dev",
				.operand = "DEV",
				.optional = true,
				.range = { .kind = VALUE_DEVICE },
				.what = "device to examine",
			},
			TABLE_OPTIONAL("watch", "TIME", UNSPEC, 64, TIME,
				       0, TABLE_SECOND * 3600,
				       "time for which counters are watched"),
		},
		.run = run_doctor,
		.what = "find out why nothing is held, acknowledged or marked, and what to do",
	}, {
		.path = "top",
		.cmd = ONRAMP_CMD_PATH_GET,
		.params = {
			TABLE_OPTIONAL("-n", "N", UNSPEC, 32, COUNT,
				       1, UINT32_MAX, "number of updates"),
			TABLE_OPTIONAL("-i", "TIME", UNSPEC, 64, TIME,
				       TABLE_SECOND / 100, TABLE_SECOND * 3600,
				       "interval between updates"),
		},
		.run = run_top,
		.what = "live paths, those with the longest holds first",
	}, {
		.path = "monitor",
		.cmd = ONRAMP_CMD_EVENT,
		.run = run_monitor,
		.what = "print events: clocks, suspect and unacknowledged paths, holding",
	}, {
		.path = "metrics",
		.params = {
			{
				.name = "file",
				.operand = "FILE",
				.optional = true,
				.range = { .kind = VALUE_FILE },
				.what = "file to replace; standard output by default",
			},
			TABLE_OPTIONAL("paths", "N", UNSPEC, 32, COUNT,
				       0, 999999,
				       "maximum paths to export; 100 by default"),
		},
		.run = run_metrics,
		.what = "counters and parameters in Prometheus' text format",
	},
	{ 0 }
};
