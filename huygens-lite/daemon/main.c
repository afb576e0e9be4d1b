// SPDX-License-Identifier: GPL-2.0
/*
 * huygens-lite - keep the clocks of a cluster together
 */
#include <string.h>

#include "../../lib/daemon_main.h"
#include "../../lib/units.h"
#include "engine.h"

#define MAIN_NAME	"huygens-lite"

static const char main_debug_usage[] =
	"  -d, --debug KEY=VALUE[,...]\n"
	"                       simulate clock errors, for tests: time_offset=TIME,\n"
	"                       drift=RATE, step=TIME, step_at=TIME, loss=RATE\n";

static const char main_as_usage[] =
	"  -a, --as ID          check as host ID, on any machine, without its keys\n";

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

static int main_debug(char *list, void *data)
{
	struct engine_debug *debug = data;
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
			return daemon_main_wrong(MAIN_NAME,
						 "--debug: unknown key or bad value:", arg);
	debug->clock.offset_ns = knob[MAIN_OFFSET].value;
	debug->clock.drift_ppb = (double)knob[MAIN_DRIFT].value;
	debug->clock.step_ns = knob[MAIN_STEP].value;
	debug->clock.step_at_ns = knob[MAIN_STEP_AT].value;
	debug->loss_ppm = knob[MAIN_LOSS].value / 1000;
	return 0;
}

int main(int argc, char **argv)
{
	static struct engine_debug debug;
	static const struct daemon_program program = {
		.name = MAIN_NAME,
		.version = PROGRAM_VERSION,
		.path = "/etc/huygens-lite.conf",
		.help_keys = conf_help,
		.check = engine_check,
		.open = engine_open,
		.run = engine_run,
		.close = engine_close,
		.as_usage = main_as_usage,
		.debug = main_debug,
		.debug_data = &debug,
		.debug_usage = main_debug_usage,
	};

	return daemon_main(&program, argc, argv);
}
