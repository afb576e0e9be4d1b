// SPDX-License-Identifier: GPL-2.0
/*
 * acc-tuner - tune the ECN thresholds of queues
 */
#include "../../lib/daemon_main.h"
#include "conf.h"
#include "engine.h"

int main(int argc, char **argv)
{
	static const struct daemon_program program = {
		.name = "acc-tuner",
		.version = PROGRAM_VERSION,
		.path = "/etc/acc-tuner.conf",
		.help_keys = conf_help,
		.check = engine_check,
		.open = engine_open,
		.run = engine_run,
		.close = engine_close,
	};

	return daemon_main(&program, argc, argv);
}
