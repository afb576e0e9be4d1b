// SPDX-License-Identifier: GPL-2.0
/*
 * Every key of the configuration: the one place for ranges and defaults.
 */
#include "../../lib/log.h"
#include "../algo/template.h"
#include "../model/model.h"
#include "key.h"
#include "list.h"

#define CONF_STRUCT	struct acc_conf
#include "../../lib/conf_rows.h"

static const struct conf_key acc_keys[] = {
	{ "queues", "queues", FORM(list_queues), TO(CONF_QUEUES_MAX), LIVE, .fallback = "*",
	  .what = "Queues to tune, if they are of kind ecnsharp" },
	{ "queues", "rate", FORM(list_rates), TO(CONF_RATES_MAX), LIVE, .zero = "auto",
	  .fallback = "auto",
	  .what = "Rates of queues; others have the rate of their tbf, htb class or device" },

	{ "tuner", "mode", CHOICE(mode, "observe tune"), .fallback = "observe",
	  .what = "Change of thresholds, or observation only" },
	{ "tuner", "policy", CHOICE(policy, "follow ddqn static"), LIVE, .fallback = "follow",
	  .what = "Choice of thresholds: by a rule, by a network, or none" },
	{ "tuner", "model", PATH(model), LIVE, .zero = "none", .fallback = "none",
	  .what = "File of the network for policy ddqn" },
	{ "tuner", "interval", TIME(interval_ns), FROM(MODEL_INTERVAL_LEAST_NS),
	  TO(MODEL_INTERVAL_MOST_NS), LIVE, .fallback = "1ms",
	  .what = "Time between decisions, that of the model" },
	{ "tuner", "reward", CHOICE(reward, "marks paper busy"), LIVE, .fallback = "marks",
	  .what = "Form of the reward, that of the model" },
	{ "tuner", "learn", CHOICE(learn, YESNO), .fallback = "no",
	  .what = "Training of the network while it is used" },
	{ "tuner", "explore", FORM(list_explore), LIVE, .fallback = "2%",
	  .what = "Part of the decisions that are made by chance, for training" },
	{ "tuner", "budget", COUNT(budget), FROM(1), TO(1024), LIVE, .fallback = "32",
	  .what = "Maximum number of queues that are changed in an interval" },

	{ "limits", "kmin_least", TIME(kmin_least_ns), FROM(TEMPLATE_LEAST_NS),
	  TO(TEMPLATE_MOST_NS), LIVE, .fallback = "1us",
	  .what = "Minimum of kmin" },
	{ "limits", "kmax_most", TIME(kmax_most_ns), FROM(TEMPLATE_LEAST_NS),
	  TO(TEMPLATE_MOST_NS), LIVE, .zero = "auto", .fallback = "auto",
	  .what = "Maximum of kmax; auto is half of the time that a full queue takes, up to 1ms" },
	{ "limits", "pmax_least", FORM(list_pmax), LIVE, .fallback = "1%",
	  .what = "Minimum of pmax" },
	{ "limits", "share", FORM(list_share), LIVE, .fallback = "10%",
	  .what = "Part of the time with static thresholds, for comparison" },
	{ "limits", "holdoff", TIME(holdoff_ns), FROM(S), TO(86400 * S), LIVE, .fallback = "10min",
	  .what = "Time with static thresholds after they proved better" },

	{ "security", "user", NAME(user), .zero = "none", .fallback = "acc-tuner",
	  .what = "User that the daemon runs as if it is started as root" },
	{ "security", "seccomp", CHOICE(seccomp, YESNO), .fallback = "yes",
	  .what = "Restriction to the system calls that the daemon needs" },
	{ "security", "control", SOCK(control), .fallback = "/run/acc-tuner/control",
	  .what = "Control socket for accctl" },
	{ "security", "saved", PATH(saved), .fallback = "/run/acc-tuner/saved",
	  .what = "File with the static thresholds of queues that are tuned" },
	{ "security", "state", PATH(state), .fallback = "/var/lib/acc-tuner",
	  .what = "Directory of the network that learns" },

	{ "log", "level", CHOICE(level, LOG_LEVELS), LIVE, .fallback = "info",
	  .what = "Minimum severity of logged messages" },
};

#define KEYS_N		(sizeof(acc_keys) / sizeof(*acc_keys))

_Static_assert(KEYS_N <= KEYS_MAX, "as many as conf_parse() has lines for");

const struct conf_table acc_table = {
	.program = "acc-tuner",
	.keys = acc_keys,
	.n = KEYS_N,
};
