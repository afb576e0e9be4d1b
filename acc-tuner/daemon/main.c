// SPDX-License-Identifier: GPL-2.0
/*
 * acc-tuner - tune the ECN thresholds of queues
 */
#include <getopt.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "../../lib/stdout.h"
#include "conf.h"
#include "engine.h"

#define MAIN_CONF	"/etc/acc-tuner.conf"
#define MAIN_WHY	512

static const char main_usage[] =
	"Usage: acc-tuner [-f FILE] [-t]\n"
	"\n"
	"  -f, --file FILE      configuration, default " MAIN_CONF "\n"
	"  -t, --test           check the configuration and exit\n"
	"  -k, --help-keys      list the keys of the configuration\n"
	"  -V, --version        print the version\n"
	"  -h, --help           print this text\n";

static int main_test(const char *path)
{
	char why[MAIN_WHY];

	if (!engine_check(path, why, sizeof(why)))
		return 0;
	fprintf(stderr, "acc-tuner: %s\n", why);
	return 1;
}

static int main_run(const char *path)
{
	struct engine *engine;
	char why[MAIN_WHY];
	int ret;

	/* Intervals are of some 100 us. */
	prctl(PR_SET_TIMERSLACK, 1);
	engine = engine_open(path, why, sizeof(why));
	if (!engine) {
		fprintf(stderr, "acc-tuner: %s\n", why);
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
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL },
	};
	const char *path = MAIN_CONF;
	int opt, test = 0;

	while ((opt = getopt_long(argc, argv, "f:tkVh", longs, NULL)) != -1) {
		switch (opt) {
		case 'f':
			path = optarg;
			break;
		case 't':
			test = 1;
			break;
		case 'k':
			conf_help(stdout);
			return stdout_flush("acc-tuner") ? 1 : 0;
		case 'V':
			puts("acc-tuner (sharpramp) " PROGRAM_VERSION);
			return stdout_flush("acc-tuner") ? 1 : 0;
		case 'h':
			fputs(main_usage, stdout);
			return stdout_flush("acc-tuner") ? 1 : 0;
		default:
			fputs("see acc-tuner --help\n", stderr);
			return 2;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "acc-tuner: unexpected argument %s: see acc-tuner --help\n",
			argv[optind]);
		return 2;
	}
	return test ? main_test(path) : main_run(path);
}
