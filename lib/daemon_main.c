// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of a daemon.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <sys/prctl.h>

#include "daemon_main.h"
#include "stdout.h"

#define MAIN_WHY	512

static void main_usage(const struct daemon_program *p)
{
	printf("Usage: %s [-f FILE] [-t]\n\n", p->name);
	printf("  -f, --file FILE      configuration, default %s\n", p->path);
	fputs("  -t, --test           check the configuration and exit\n"
	      "  -k, --help-keys      list the keys of the configuration\n", stdout);
	if (p->debug)
		fputs(p->debug_usage, stdout);
	fputs("  -V, --version        print the version\n"
	      "  -h, --help           print this text\n", stdout);
}

int daemon_main_wrong(const char *name, const char *what, const char *arg)
{
	fprintf(stderr, "%s: %s %s: see %s --help\n", name, what, arg, name);
	return 2;
}

static int main_fail(const struct daemon_program *p, const char *why)
{
	fprintf(stderr, "%s: %s\n", p->name, why);
	return 1;
}

static int main_end(const struct daemon_program *p)
{
	return stdout_flush(p->name) ? 1 : 0;
}

static int main_run(const struct daemon_program *p, const struct daemon_start *start)
{
	struct engine *engine;
	char why[MAIN_WHY];
	int ret;

	/* Timers are of some us. */
	prctl(PR_SET_TIMERSLACK, 1);
	engine = p->open(start, why, sizeof(why));
	if (!engine)
		return main_fail(p, why);
	ret = p->run(engine);
	p->close(engine);
	return ret;
}

static int main_test(const struct daemon_program *p, const struct daemon_start *start)
{
	char why[MAIN_WHY];

	return p->check(start, why, sizeof(why)) ? main_fail(p, why) : 0;
}

int daemon_main(const struct daemon_program *p, int argc, char **argv)
{
	const struct option longs[] = {
		{ "file", required_argument, NULL, 'f' },
		{ "test", no_argument, NULL, 't' },
		{ "help-keys", no_argument, NULL, 'k' },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ p->debug ? "debug" : NULL, required_argument, NULL, 'd' },
		{ NULL },
	};
	struct daemon_start start = { p->path, p->debug_data };
	const char *letters = p->debug ? "f:tkVhd:" : "f:tkVh";
	bool test = false;
	int opt, ret;

	while ((opt = getopt_long(argc, argv, letters, longs, NULL)) != -1) {
		switch (opt) {
		case 'f':
			start.path = optarg;
			break;
		case 't':
			test = true;
			break;
		case 'k':
			p->help_keys(stdout);
			return main_end(p);
		case 'V':
			printf("%s (sharpramp) %s\n", p->name, p->version);
			return main_end(p);
		case 'h':
			main_usage(p);
			return main_end(p);
		case 'd':
			ret = p->debug(optarg, p->debug_data);
			if (ret)
				return ret;
			break;
		default:
			fprintf(stderr, "see %s --help\n", p->name);
			return 2;
		}
	}
	if (optind < argc)
		return daemon_main_wrong(p->name, "unexpected argument", argv[optind]);
	return test ? main_test(p, &start) : main_run(p, &start);
}
