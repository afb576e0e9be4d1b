// SPDX-License-Identifier: GPL-2.0
/*
 * The command line.
 */
#include <getopt.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/stdout.h"
#include "../../lib/units.h"
#include "jobs.h"
#include "model.h"
#include "options.h"
#include "scenario.h"

#ifndef PROGRAM_VERSION
#define PROGRAM_VERSION	"unknown"
#endif

#ifndef ACC_WORKLOADS
#define ACC_WORKLOADS	"/usr/share/sharpramp/workloads"
#endif

static const char options_help[] =
	"usage: acc-train gate [OPTION...]\n"
	"       acc-train sim [OPTION...] -o FILE\n"
	"       acc-train evaluate [OPTION...] FILE\n"
	"\n"
	"gate       compare settings in the model of a port: is there anything to learn?\n"
	"sim        train a network in the model, and write it to FILE\n"
	"evaluate   compare the network of FILE with all settings, and with controls\n"
	"\n"
	"  --seed N          first seed (1), 1 to 1000000\n"
	"  --seeds N         how many seeds (2), 1 to 100; sim keeps the best in validation\n"
	"  --jobs N          processes at a time (1), 1 to 64\n"
	"  --duration TIME   gate, evaluate: of a run (2s), 10ms to 100s\n"
	"  --interval TIME   gate, sim: between decisions (1ms), 500us to 100ms\n"
	"  --delay TIME      evaluate: from a decision until the port has its setting (0ns),\n"
	"                    0ns to the file's interval\n"
	"  --rtt MIN-MAX     gate, evaluate: base RTTs (70us-210us), 5us to 100ms\n"
	"  --templates SET   gate, sim: ramp20 or paper20 (ramp20)\n"
	"  --reward FORM     sim: marks, paper or busy (marks)\n"
	"  --steps N         sim: decisions (250000), 1000 to 10000000\n"
	"  --shuffle         sim: a control, learns from rewards of other times\n"
	"  --unseen          evaluate: in conditions that training never has\n"
	"  --workloads DIR   sizes of flows\n"
	"  -o, --output FILE sim: the model file\n"
	"  -j, --json        gate, evaluate: output as JSON\n"
	"  -V, --version     version of the program\n"
	"  -h, --help        this text\n";

__attribute__((noreturn, format(printf, 1, 2)))
static void options_refuse(const char *format, ...)
{
	va_list args;

	fputs("acc-train: ", stderr);
	va_start(args, format);
	vfprintf(stderr, format, args);
	va_end(args);
	fputs(" (acc-train --help)\n", stderr);
	exit(2);
}

__attribute__((noreturn))
static void options_tell(const char *text)
{
	fputs(text, stdout);
	exit(stdout_flush("acc-train") ? 1 : 0);
}

/**
 * struct number - an option with a number
 * @name: its name
 * @parse: reads it
 * @format: writes it, for refusals
 * @least: least value
 * @most: largest value
 */
struct number {
	const char *name;
	enum unit_result (*parse)(const char *text, uint64_t *value);
	struct unit_text (*format)(uint64_t value);
	uint64_t least;
	uint64_t most;
};

enum { SEED, SEEDS, JOBS, DURATION, INTERVAL, DELAY, STEPS, RTT, OTHERS };

static const struct number numbers[] = {
	[SEED] = { "seed", unit_parse_number, unit_format_number, 1, 1000000 },
	[SEEDS] = { "seeds", unit_parse_number, unit_format_number, 1, 100 },
	[JOBS] = { "jobs", unit_parse_number, unit_format_number, 1, JOBS_MOST },
	[DURATION] = { "duration", unit_parse_time, unit_format_time, 10000000, 100000000000ULL },
	[INTERVAL] = { "interval", unit_parse_time, unit_format_time, MODEL_INTERVAL_LEAST_NS,
		       MODEL_INTERVAL_MOST_NS },
	[DELAY] = { "delay", unit_parse_time, unit_format_time, 0, MODEL_INTERVAL_MOST_NS },
	[STEPS] = { "steps", unit_parse_number, unit_format_number, 1000, 10000000 },
	[RTT] = { "rtt", unit_parse_time, unit_format_time, 5000, SCENARIO_RTT_MOST_NS },
};

static const struct option options_table[] = {
	{ "seed", required_argument, NULL, SEED },
	{ "seeds", required_argument, NULL, SEEDS },
	{ "jobs", required_argument, NULL, JOBS },
	{ "duration", required_argument, NULL, DURATION },
	{ "interval", required_argument, NULL, INTERVAL },
	{ "delay", required_argument, NULL, DELAY },
	{ "steps", required_argument, NULL, STEPS },
	{ "rtt", required_argument, NULL, RTT },
	{ "templates", required_argument, NULL, 't' },
	{ "reward", required_argument, NULL, 'r' },
	{ "workloads", required_argument, NULL, 'w' },
	{ "output", required_argument, NULL, 'o' },
	{ "json", no_argument, NULL, 'j' },
	{ "shuffle", no_argument, NULL, 's' },
	{ "unseen", no_argument, NULL, 'u' },
	{ "version", no_argument, NULL, 'V' },
	{ "help", no_argument, NULL, 'h' },
	{ 0 },
};

static const char *const command_names[] = {
	[COMMAND_GATE] = "gate",
	[COMMAND_SIM] = "sim",
	[COMMAND_EVALUATE] = "evaluate",
};

#define GATE		(1U << COMMAND_GATE)
#define SIM		(1U << COMMAND_SIM)
#define EVALUATE	(1U << COMMAND_EVALUATE)

/* Options that only some commands have. */
static const struct {
	int option;
	unsigned int commands;
} options_own[] = {
	{ DURATION, GATE | EVALUATE }, { INTERVAL, GATE | SIM }, { DELAY, EVALUATE },
	{ STEPS, SIM }, { RTT, GATE | EVALUATE }, { 't', GATE | SIM }, { 'r', SIM },
	{ 'o', SIM }, { 'j', GATE | EVALUATE }, { 's', SIM }, { 'u', EVALUATE },
};

static void options_belong(enum command command, int option)
{
	const struct option *o = options_table;
	size_t i;

	for (i = 0; i < sizeof(options_own) / sizeof(*options_own); i++) {
		if (options_own[i].option != option || options_own[i].commands & 1U << command)
			continue;
		while (o->val != option)
			o++;
		options_refuse("%s has no option --%s", command_names[command], o->name);
	}
}

static uint64_t options_number(int which, const char *text)
{
	const struct number *n = &numbers[which];
	uint64_t value = 0;

	if (n->parse(text, &value) != UNIT_OK || value < n->least || value > n->most)
		options_refuse("--%s: '%s' is not from %s to %s", n->name, text,
			       n->format(n->least).text, n->format(n->most).text);
	return value;
}

static void options_rtt(const char *text, uint64_t rtt_ns[2])
{
	char least[64];
	const char *dash = strchr(text, '-');
	size_t length = dash ? (size_t)(dash - text) : strlen(text);

	if (length >= sizeof(least))
		options_refuse("--rtt: '%s' is not MIN-MAX", text);
	memcpy(least, text, length);
	least[length] = '\0';
	rtt_ns[0] = options_number(RTT, least);
	rtt_ns[1] = dash ? options_number(RTT, dash + 1) : rtt_ns[0];
	if (rtt_ns[0] > rtt_ns[1])
		options_refuse("--rtt: '%s' runs backwards", text);
}

static int options_set(const char *text)
{
	if (!strcmp(text, "ramp20"))
		return TEMPLATE_RAMP20;
	if (strcmp(text, "paper20"))
		options_refuse("--templates: '%s' is neither ramp20 nor paper20", text);
	return TEMPLATE_PAPER20;
}

static int options_reward(const char *text)
{
	int form = 0;

	while (form < REWARD_NR && strcmp(text, reward_text(form)))
		form++;
	if (form == REWARD_NR)
		options_refuse("--reward: '%s' is not marks, paper or busy", text);
	return form;
}

static void options_command(struct options *o, const char *argument)
{
	int i;

	for (i = COMMAND_GATE; i <= COMMAND_EVALUATE; i++)
		if (argument && !strcmp(argument, command_names[i])) {
			o->command = i;
			return;
		}
	if (argument && (!strcmp(argument, "--help") || !strcmp(argument, "-h")))
		options_tell(options_help);
	if (argument && (!strcmp(argument, "--version") || !strcmp(argument, "-V")))
		options_tell("acc-train (sharpramp) " PROGRAM_VERSION "\n");
	if (argument)
		options_refuse("'%s' is not gate, sim or evaluate", argument);
	options_refuse("gate, sim or evaluate must be given");
}

static void options_take(struct options *o, int option)
{
	switch (option) {
	case SEED:
		o->seed = options_number(SEED, optarg);
		break;
	case SEEDS:
		o->seeds = options_number(SEEDS, optarg);
		break;
	case JOBS:
		o->jobs = options_number(JOBS, optarg);
		break;
	case DURATION:
		o->duration_ns = options_number(DURATION, optarg);
		break;
	case INTERVAL:
		o->interval_ns = options_number(INTERVAL, optarg);
		break;
	case DELAY:
		o->delay_ns = options_number(DELAY, optarg);
		break;
	case STEPS:
		o->steps = options_number(STEPS, optarg);
		break;
	case RTT:
		options_rtt(optarg, o->rtt_ns);
		break;
	case 't':
		o->set = options_set(optarg);
		break;
	case 'r':
		o->reward = options_reward(optarg);
		break;
	case 'w':
		o->workloads = optarg;
		break;
	case 'o':
		o->file = optarg;
		break;
	case 'j':
		o->json = true;
		break;
	case 's':
		o->shuffle = true;
		break;
	case 'u':
		o->unseen = true;
		break;
	case 'h':
		options_tell(options_help);
	case 'V':
		options_tell("acc-train (sharpramp) " PROGRAM_VERSION "\n");
	default:
		fputs("Try 'acc-train --help'.\n", stderr);
		exit(2);
	}
}

static void options_check(struct options *o, int argc, char **argv)
{
	if (o->command == COMMAND_EVALUATE && optind < argc)
		o->file = argv[optind++];
	if (optind < argc)
		options_refuse("'%s' is not an option", argv[optind]);
	if (o->command != COMMAND_GATE && !o->file)
		options_refuse(o->command == COMMAND_SIM ? "-o FILE must be given" :
			       "the model file must be given");
	if (o->command == COMMAND_GATE && o->interval_ns > o->duration_ns)
		options_refuse("--interval must not be above --duration");
}

void options_read(struct options *o, int argc, char **argv)
{
	int option;

	*o = (struct options) {
		.seed = 1, .seeds = 2, .jobs = 1, .duration_ns = 2000000000, .steps = 250000,
		.interval_ns = 1000000, .rtt_ns = { 70000, 210000 }, .workloads = ACC_WORKLOADS,
	};
	options_command(o, argv[1]);
	argc--;
	argv++;
	while ((option = getopt_long(argc, argv, "o:jVh", options_table, NULL)) != -1) {
		options_belong(o->command, option);
		options_take(o, option);
	}
	options_check(o, argc, argv);
}
