// SPDX-License-Identifier: GPL-2.0
/*
 * huygens-lite - keep the clocks of a cluster together
 */
#include <getopt.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "../../lib/log.h"
#include "../../lib/stdout.h"
#include "../../lib/units.h"
#include "engine.h"

#define MAIN_CONF	"/etc/huygens-lite.conf"

static const char main_usage[] =
	"Usage: huygens-lite [-f FILE] [-t]\n"
	"\n"
	"  -f, --file FILE      configuration, default " MAIN_CONF "\n"
	"  -t, --test           check the configuration and exit\n"
	"  -k, --help-keys      list the keys of the configuration\n"
	"  -d, --debug KEY=VALUE[,...]\n"
	"                       simulate clock errors, for tests: time_offset=TIME,\n"
	"                       drift=RATE, step=TIME, step_at=TIME, loss=RATE\n"
	"  -V, --version        print the version\n"
	"  -h, --help           print this text\n";

static int main_wrong(const char *what, const char *arg)
{
	fprintf(stderr, "huygens-lite: %s %s: see huygens-lite --help\n", what,
		arg);
	return 2;
}

/**
 * struct main_knob - of --debug
 * @name: as it is written
 * @unit: of its value
 * @value: of it
 */
struct main_knob {
	const char	*name;
	enum unit_kind	unit;
	int64_t		value;
};

enum { MAIN_OFFSET, MAIN_DRIFT, MAIN_STEP, MAIN_STEP_AT, MAIN_LOSS, MAIN_KNOBS };

static int main_turn(struct main_knob *knob, const char *arg)
{
	const char *value = strchr(arg, '=');
	int i;

	for (i = 0; value && i < MAIN_KNOBS; i++)
		if (strlen(knob[i].name) == (size_t)(value - arg) &&
		    !strncmp(arg, knob[i].name, value - arg))
			return unit_parse_signed(knob[i].unit, value + 1,
					   &knob[i].value);
	return -1;
}

static int main_debug(struct engine_options *options, char *list)
{
	struct main_knob knob[MAIN_KNOBS] = {
		[MAIN_OFFSET] = { "time_offset", UNIT_TIME, 0 },
		[MAIN_DRIFT] = { "drift", UNIT_PPB, 0 },
		[MAIN_STEP] = { "step", UNIT_TIME, 0 },
		[MAIN_STEP_AT] = { "step_at", UNIT_TIME, 0 },
		[MAIN_LOSS] = { "loss", UNIT_PPB, 0 },
	};
	char *arg;

	while ((arg = strsep(&list, ",")))
		if (main_turn(knob, arg))
			return main_wrong("--debug: unknown key or bad value:", arg);
	options->debug.offset_ns = knob[MAIN_OFFSET].value;
	options->debug.drift_ppb = (double)knob[MAIN_DRIFT].value;
	options->debug.step_ns = knob[MAIN_STEP].value;
	options->debug.step_at_ns = knob[MAIN_STEP_AT].value;
	options->loss_ppm = knob[MAIN_LOSS].value / 1000;
	return 0;
}

static int main_test(const struct engine_options *options)
{
	char why[512];

	if (!engine_check(options, why, sizeof(why)))
		return 0;
	fprintf(stderr, "huygens-lite: %s\n", why);
	return 1;
}

static int main_run(const struct engine_options *options)
{
	struct engine *engine;
	char why[512];
	int ret;

	/* Timers of the mesh are of some us. */
	prctl(PR_SET_TIMERSLACK, 1);
	engine = engine_open(options, why, sizeof(why));
	if (!engine) {
		fprintf(stderr, "huygens-lite: %s\n", why);
		return 1;
	}
	ret = engine_run(engine);
	engine_close(engine);
	return ret;
}

int main(int argc, char **argv)
{
	static const struct option longs[] = {
		{ "file", required_argument, NULL, 'f' },
		{ "test", no_argument, NULL, 't' },
		{ "help-keys", no_argument, NULL, 'k' },
		{ "debug", required_argument, NULL, 'd' },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL },
	};
	struct engine_options options = { .path = MAIN_CONF };
	int opt, test = 0;

	while ((opt = getopt_long(argc, argv, "f:tkd:Vh", longs, NULL)) != -1) {
		switch (opt) {
		case 'f':
			options.path = optarg;
			break;
		case 't':
			test = 1;
			break;
		case 'k':
			conf_help(stdout);
			return stdout_flush("huygens-lite") ? 1 : 0;
		case 'd':
			if (main_debug(&options, optarg))
				return 2;
			break;
		case 'V':
			puts("huygens-lite (sharpramp) " PROGRAM_VERSION);
			return stdout_flush("huygens-lite") ? 1 : 0;
		case 'h':
			fputs(main_usage, stdout);
			return stdout_flush("huygens-lite") ? 1 : 0;
		default:
			fputs("see huygens-lite --help\n", stderr);
			return 2;
		}
	}
	if (optind < argc)
		return main_wrong("unexpected argument", argv[optind]);
	return test ? main_test(&options) : main_run(&options);
}
