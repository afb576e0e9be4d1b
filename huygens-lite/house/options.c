// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of huygens-lite.
 */
#include <getopt.h>
#include <stdio.h>

#include "../conf/conf.h"
#include "options.h"

static const char options_usage[] =
	"Usage: huygens-lite [-f FILE] [-c]\n"
	"\n"
	"Synchronise this host's clock with those of its peers.  It stays in the\n"
	"foreground; huygensctl asks how it is.\n"
	"\n"
	"  -f, --file FILE   configuration, " OPTIONS_FILE "\n"
	"  -c, --check       only check it\n"
	"      --help-keys   its keys, what they take, their defaults\n"
	"  -h, --help        this text\n";

static int options_check(const char *path)
{
	struct huygens_conf conf;
	struct conf_error error;
	int bad = conf_read(&conf, path, &error);

	if (bad)
		fprintf(stderr, "huygens-lite: %s\n", error.text);
	else
		printf("%s: %zu peers\n", path, conf.n_peers);
	conf_free(&conf);
	return bad ? 1 : 0;
}

int options_read(int argc, char **argv, const char **path)
{
	static const struct option options[] = {
		{ "file", required_argument, NULL, 'f' },
		{ "check", no_argument, NULL, 'c' },
		{ "help-keys", no_argument, NULL, 'k' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	int option, check = 0;

	*path = OPTIONS_FILE;
	while ((option = getopt_long(argc, argv, "f:ch", options, NULL)) >= 0) {
		switch (option) {
		case 'f':
			*path = optarg;
			break;
		case 'c':
			check = 1;
			break;
		case 'k':
			conf_help(stdout);
			return fflush(stdout) ? 1 : 0;
		case 'h':
			return fputs(options_usage, stdout) < 0;
		default:
			return 2;
		}
	}
	if (optind < argc) {
		fprintf(stderr, "huygens-lite: what is %s? see huygens-lite --help\n",
			argv[optind]);
		return 2;
	}
	return check ? options_check(*path) : OPTIONS_BEGIN;
}
