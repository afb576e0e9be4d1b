// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of a daemon.
 */
#include <getopt.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>

#include "daemon_main.h"
#include "stdout.h"

#define MAIN_WHY	512
/* Options, and the end of their list. */
#define MAIN_OPTIONS	8

static void main_usage(const struct daemon_program *p)
{
	printf("Usage: %s [-f FILE] [-t]\n\n", p->name);
	printf("  -f, --file FILE      configuration, default %s\n", p->path);
	fputs("  -t, --test           check the configuration and exit\n", stdout);
	if (p->as_usage)
		fputs(p->as_usage, stdout);
	fputs("  -k, --help-keys      list the keys of the configuration\n", stdout);
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
	char why[MAIN_WHY] = "";

	if (p->check(start, why, sizeof(why)))
		return main_fail(p, why);
	if (*why)
		puts(why);
	return main_end(p);
}

/* All options; a daemon has not all of them. */
static const char *main_options(const struct daemon_program *p, struct option longs[MAIN_OPTIONS])
{
	static const struct option common[] = {
		{ "file", required_argument, NULL, 'f' },
		{ "test", no_argument, NULL, 't' },
		{ "help-keys", no_argument, NULL, 'k' },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
	};
	size_t n = sizeof(common) / sizeof(*common);

	memset(longs, 0, MAIN_OPTIONS * sizeof(*longs));
	memcpy(longs, common, sizeof(common));
	if (p->as_usage)
		longs[n++] = (struct option){ "as", required_argument, NULL, 'a' };
	if (p->debug)
		longs[n++] = (struct option){ "debug", required_argument, NULL, 'd' };
	if (p->as_usage)
		return p->debug ? "f:tkVha:d:" : "f:tkVha:";
	return p->debug ? "f:tkVhd:" : "f:tkVh";
}

int daemon_main(const struct daemon_program *p, int argc, char **argv)
{
	struct option longs[MAIN_OPTIONS];
	const char *letters = main_options(p, longs);
	struct daemon_start start = { .path = p->path, .data = p->debug_data };
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
		case 'a':
			start.as = optarg;
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
	if (start.as && !test)
		return daemon_main_wrong(p->name, "--as is only for --test, not", start.as);
	return test ? main_test(p, &start) : main_run(p, &start);
}
