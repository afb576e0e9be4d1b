// SPDX-License-Identifier: GPL-2.0
/*
 * The table of commands.
 */
#include "command.h"
#include "run.h"
#include "words.h"

/* The range of a number that the interface has a width for, and no more. */
#define TABLE_S64_MIN	((uint64_t)INT64_MIN)
#define TABLE_SECOND	1000000000ULL

#define TABLE_NUMBER(word, value, id, width, what_kind, lo, hi, text) {	\
	.name = word,							\
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

#define TABLE_OPTIONAL(word, value, id, width, what_kind, lo, hi, text) { \
	.name = word,							\
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
	.what = "only what goes to these addresses",			\
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
		.what = "IPv4 or IPv6, ADDRESS/LENGTH or an address",	\
	},								\
}

#define TABLE_GROUP							\
	TABLE_NUMBER("group", "N", GROUP, 32, COUNT, 1,			\
		     ONRAMP_RANGE_GROUP_MAX, "peers with keys in common")

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
		.what = "IPv4 or IPv6, ADDRESS/LENGTH or an address",	\
	},								\
}

#define TABLE_SWITCH(way, number, text) {				\
	.words = way,							\
	.cmd = ONRAMP_CMD_HOLDING_SET,					\
	.says = ONRAMP_A_HOLDING,					\
	.said = number,							\
	.params = {							\
		TABLE_OPTIONAL(NULL, "REASON", HOLDING_WHY, 0, TEXT,	\
			       1, ONRAMP_RANGE_WHY_MAX,			\
			       "what others are told, a word or in quotes"), \
	},								\
	.run = run_set,							\
	.what = text,							\
}

const struct command commands[] = {
	{
		.words = "clock show",
		.cmd = ONRAMP_CMD_CLOCK_GET,
		.run = run_clock_show,
		.what = "the clock that one-way delays are measured with",
	}, {
		.words = "clock set system",
		.cmd = ONRAMP_CMD_CLOCK_SET,
		.says = ONRAMP_A_CLOCK_ID,
		.said = ONRAMP_CLOCK_SYSTEM,
		.params = {
			TABLE_NUMBER("error", "TIME", CLOCK_ERROR, 32, TIME,
				     1, ONRAMP_RANGE_ERROR_MAX_NS,
				     "bound on the error of CLOCK_REALTIME"),
		},
		.run = run_set,
		.what = "something disciplines CLOCK_REALTIME",
	}, {
		.words = "clock set published",
		.cmd = ONRAMP_CMD_CLOCK_SET,
		.says = ONRAMP_A_CLOCK_ID,
		.said = ONRAMP_CLOCK_PUBLISHED,
		.params = {
			TABLE_NUMBER("offset", "TIME", CLOCK_OFFSET, 64, OFFSET,
				     TABLE_S64_MIN, INT64_MAX,
				     "common time at ref, minus ref"),
			TABLE_NUMBER("drift", "PPB", CLOCK_DRIFT, 64, DRIFT,
				     -(uint64_t)ONRAMP_RANGE_DRIFT_MAX,
				     ONRAMP_RANGE_DRIFT_MAX,
				     "how much faster common time runs"),
			TABLE_NUMBER("error", "TIME", CLOCK_ERROR, 32, TIME,
				     1, ONRAMP_RANGE_ERROR_MAX_NS,
				     "bound on the error"),
			TABLE_NUMBER("valid", "TIME", CLOCK_VALID, 64, TIME,
				     1, ONRAMP_RANGE_VALID_MAX_NS,
				     "from now on; then it is stale"),
			TABLE_NUMBER("epoch", "N", CLOCK_EPOCH, 32, COUNT,
				     1, UINT32_MAX,
				     "times of other epochs are not compared"),
			{
				.name = "base",
				.attr = ONRAMP_A_CLOCK_BASE,
				.bits = 8,
				.range = WORDS_RANGE(words_base),
				.what = "which clock the line maps",
			},
			TABLE_NUMBER("ref", "TIME", CLOCK_REF, 64, OFFSET,
				     TABLE_S64_MIN, INT64_MAX,
				     "time of the base clock, within 600s of now"),
		},
		.run = run_set,
		.what = "common = base + offset + drift x (base - ref)",
	}, {
		.words = "clock clear",
		.cmd = ONRAMP_CMD_CLOCK_SET,
		.params = {
			{
				.operand = "CLOCK",
				.optional = true,
				.range = WORDS_RANGE(words_clock),
				.what = "only this one",
			},
		},
		.run = run_clock_clear,
		.what = "forget what was said of a clock, or of both",
	}, {
		.words = "hold show",
		.cmd = ONRAMP_CMD_STATS_GET,
		.run = run_hold_show,
		.what = "is holding switched off in this network namespace, and why",
	},
	TABLE_SWITCH("hold off", 0,
		     "hold nothing, whatever qdiscs say; go on measuring"),
	TABLE_SWITCH("hold on", 1, "hold what qdiscs say"),
	{
		.words = "acker show",
		.cmd = ONRAMP_CMD_ACKER_GET,
		.run = run_acker_show,
		.what = "settings, devices and counters of the receiver's side",
	}, {
		.words = "acker set",
		.cmd = ONRAMP_CMD_ACKER_SET,
		.any = true,
		.params = {
			TABLE_OPTIONAL("every", "N", ACKER_EVERY, 32, COUNT,
				       1, ONRAMP_RANGE_EVERY_MAX,
				       "MTUs of payload from OR-ACK to OR-ACK"),
			TABLE_OPTIONAL("delay", "TIME", ACKER_DELAY, 64, TIME,
				       ONRAMP_RANGE_DELAY_MIN_NS,
				       ONRAMP_RANGE_DELAY_MAX_NS,
				       "for the last packet of a burst"),
			TABLE_OPTIONAL("idle", "TIME", ACKER_IDLE, 64, TIME,
				       ONRAMP_RANGE_IDLE_MIN_NS,
				       ONRAMP_RANGE_IDLE_MAX_NS,
				       "after which a flow counts as new"),
			TABLE_OPTIONAL("rate", "N", ACKER_RATE, 32, COUNT,
				       1, ONRAMP_RANGE_RATE_MAX,
				       "datagrams a second at most"),
			TABLE_OPTIONAL("max_flows", "N", ACKER_MAX_FLOWS, 32,
				       COUNT, 1, ONRAMP_RANGE_TABLE_MAX,
				       "flows that are followed at most"),
		},
		.run = run_set,
		.what = "what is not named stays",
	}, {
		.words = "acker dev add",
		.cmd = ONRAMP_CMD_ACKER_DEV_ADD,
		.params = TABLE_DEVICE,
		.run = run_set,
		.what = "ack what this device receives",
	}, {
		.words = "acker dev del",
		.cmd = ONRAMP_CMD_ACKER_DEV_DEL,
		.params = TABLE_DEVICE,
		.run = run_set,
		.what = "and no longer",
	}, {
		.words = "peers show",
		.cmd = ONRAMP_CMD_PEER_GET,
		.run = run_peers_show,
		.what = "whose data is acked; nobody's, if there is none",
	}, {
		.words = "peers add",
		.cmd = ONRAMP_CMD_PEER_ADD,
		.params = TABLE_PREFIX,
		.run = run_set,
		.what = "ack data that comes from there",
	}, {
		.words = "peers del",
		.cmd = ONRAMP_CMD_PEER_DEL,
		.params = TABLE_PREFIX,
		.run = run_set,
		.what = "and no longer",
	}, {
		.words = "keys show",
		.cmd = ONRAMP_CMD_KEY_GET,
		.run = run_keys_show,
		.what = "groups, their peers, and the numbers of their keys",
	}, {
		.words = "keys add",
		.cmd = ONRAMP_CMD_KEY_ADD,
		.params = {
			TABLE_GROUP,
			TABLE_KEY_ID,
			{
				.name = "file",
				.operand = "FILE",
				.attr = ONRAMP_A_KEY,
				.range = { .kind = VALUE_KEY },
				.what = "32 hexadecimal digits; - is standard input",
			},
		},
		.run = run_set,
		.what = "one more key, of two; a group's first one signs",
	}, {
		.words = "keys rotate",
		.cmd = ONRAMP_CMD_KEY_ROTATE,
		.params = { TABLE_GROUP, TABLE_KEY_ID },
		.run = run_set,
		.what = "sign with this key; the other one stays good",
	}, {
		.words = "keys del",
		.cmd = ONRAMP_CMD_KEY_DEL,
		.params = {
			TABLE_GROUP,
			TABLE_OPTIONAL("id", "N", KEY_ID, 8, COUNT, 0, 255,
				       "the key that does not sign"),
		},
		.run = run_set,
		.what = "forget a key; without id the whole group",
	}, {
		.words = "keys set",
		.cmd = ONRAMP_CMD_KEY_SET,
		.params = {
			TABLE_GROUP,
			{
				.name = "require",
				.attr = ONRAMP_A_KEY_REQUIRE,
				.bits = 8,
				.range = WORDS_RANGE(words_require),
				.what = "drop what is not signed",
			},
		},
		.run = run_set,
		.what = "what is asked of a group's peers",
	}, {
		.words = "keys peers add",
		.cmd = ONRAMP_CMD_KEY_PEER_ADD,
		.params = TABLE_GROUP_PREFIX,
		.run = run_set,
		.what = "sign what goes there, verify what comes from there",
	}, {
		.words = "keys peers del",
		.cmd = ONRAMP_CMD_KEY_PEER_DEL,
		.params = TABLE_GROUP_PREFIX,
		.run = run_set,
		.what = "and no longer",
	}, {
		.words = "flows show",
		.cmd = ONRAMP_CMD_FLOW_GET,
		.params = {
			TABLE_PEER_FILTER,
			{
				.name = "dev",
				.operand = "DEV",
				.optional = true,
				.range = { .kind = VALUE_DEVICE },
				.what = "only what leaves by this device",
			},
		},
		.run = run_flows_show,
		.what = "flows that this host sends",
	}, {
		.words = "paths show",
		.cmd = ONRAMP_CMD_PATH_GET,
		.params = { TABLE_PEER_FILTER },
		.run = run_paths_show,
		.what = "paths, by addresses and DSCP",
	}, {
		.words = "stats show",
		.cmd = ONRAMP_CMD_STATS_GET,
		.run = run_stats_show,
		.what = "counters and limits of this network namespace",
	}, {
		.words = "limits set",
		.cmd = ONRAMP_CMD_LIMITS_SET,
		.any = true,
		.params = {
			TABLE_OPTIONAL("flows", "N", MAX_FLOWS, 32, COUNT,
				       1, ONRAMP_RANGE_TABLE_MAX,
				       "flows that are remembered at most"),
			TABLE_OPTIONAL("paths", "N", MAX_PATHS, 32, COUNT,
				       1, ONRAMP_RANGE_TABLE_MAX,
				       "paths that are remembered at most"),
		},
		.run = run_set,
		.what = "what is not named stays",
	}, {
		.words = "stamps show",
		.cmd = ONRAMP_CMD_DEV_GET,
		.run = run_stamps_show,
		.what = "where the stamps of devices' packets come from",
	}, {
		.words = "stamps set",
		.cmd = ONRAMP_CMD_DEV_SET,
		.params = {
			TABLE_DEVICE_NAMED,
			{
				.name = "tx",
				.attr = ONRAMP_A_STAMP_WANTED_TX,
				.bits = 8,
				.optional = true,
				.range = WORDS_RANGE(words_wanted),
				.what = "of what leaves",
			}, {
				.name = "rx",
				.attr = ONRAMP_A_STAMP_WANTED_RX,
				.bits = 8,
				.optional = true,
				.range = WORDS_RANGE(words_wanted),
				.what = "of what comes",
			},
		},
		.run = run_set,
		.what = "auto is the driver, if it has the hook, else tracepoint",
	}, {
		.words = "phc show",
		.cmd = ONRAMP_CMD_DEV_GET,
		.run = run_phc_show,
		.what = "hardware clocks of devices, and what became of their stamps",
	}, {
		.words = "phc set",
		.cmd = ONRAMP_CMD_PHC_SET,
		.params = {
			TABLE_DEVICE_NAMED,
			TABLE_NUMBER("offset", "TIME", CLOCK_OFFSET, 64, OFFSET,
				     TABLE_S64_MIN, INT64_MAX,
				     "CLOCK_REALTIME at ref, minus ref"),
			TABLE_NUMBER("drift", "PPB", CLOCK_DRIFT, 64, DRIFT,
				     -(uint64_t)ONRAMP_RANGE_DRIFT_MAX,
				     ONRAMP_RANGE_DRIFT_MAX,
				     "how much faster CLOCK_REALTIME runs"),
			TABLE_NUMBER("error", "TIME", CLOCK_ERROR, 32, TIME,
				     1, ONRAMP_RANGE_ERROR_MAX_NS,
				     "bound on the error of the line"),
			TABLE_NUMBER("valid", "TIME", CLOCK_VALID, 64, TIME,
				     1, ONRAMP_RANGE_VALID_MAX_NS,
				     "from now on; then it is stale"),
			TABLE_NUMBER("epoch", "N", CLOCK_EPOCH, 32, COUNT,
				     1, UINT32_MAX,
				     "another one after a clock was stepped"),
			TABLE_NUMBER("ref", "TIME", CLOCK_REF, 64, OFFSET,
				     0, INT64_MAX,
				     "time of the hardware clock"),
			TABLE_OPTIONAL("bias", "TIME", PHC_BIAS, 64, OFFSET,
				       -(uint64_t)ONRAMP_RANGE_BIAS_MAX_NS,
				       ONRAMP_RANGE_BIAS_MAX_NS,
				       "what leaves: from the stamp to the wire"),
			TABLE_OPTIONAL("window", "TIME", PHC_WINDOW, 64, TIME,
				       ONRAMP_RANGE_WINDOW_MIN_NS,
				       ONRAMP_RANGE_WINDOW_MAX_NS,
				       "what comes: from the wire to the stack at most"),
		},
		.run = run_set,
		.what = "CLOCK_REALTIME = phc + offset + drift x (phc - ref)",
	}, {
		.words = "phc clear",
		.cmd = ONRAMP_CMD_PHC_DEL,
		.params = { TABLE_DEVICE_NAMED },
		.run = run_set,
		.what = "forget that line",
	}, {
		.words = "doctor",
		.misread = RUN_KERNEL,
		.params = {
			{
				.name = "dev",
				.operand = "DEV",
				.optional = true,
				.range = { .kind = VALUE_DEVICE },
				.what = "only of this device",
			},
			TABLE_OPTIONAL("watch", "TIME", UNSPEC, 64, TIME,
				       0, TABLE_SECOND * 3600,
				       "how long counters are watched"),
		},
		.run = run_doctor,
		.what = "why nothing is held, acked or marked, and what mends it",
	}, {
		.words = "top",
		.cmd = ONRAMP_CMD_PATH_GET,
		.params = {
			TABLE_OPTIONAL("-n", "N", UNSPEC, 32, COUNT,
				       1, UINT32_MAX, "so often, then end"),
			TABLE_OPTIONAL("-i", "TIME", UNSPEC, 64, TIME,
				       TABLE_SECOND / 100, TABLE_SECOND * 3600,
				       "from one to the next"),
		},
		.run = run_top,
		.what = "live paths, those that are held longest first",
	}, {
		.words = "monitor",
		.cmd = ONRAMP_CMD_EVENT,
		.run = run_monitor,
		.what = "tell clocks set and lost, paths suspect and cleared, holding switched",
	},
	{ 0 }
};
