// SPDX-License-Identifier: GPL-2.0
/*
 * keys - what huygens-lite --help-keys prints; with a file, whether it is one
 *
 *	keys [FILE]
 */
#include "../../conf/conf.h"

int main(int argc, char **argv)
{
	struct huygens_conf conf;
	struct conf_error error;
	int bad = 0;

	if (argc < 2) {
		conf_help(stdout);
		return 0;
	}
	bad = conf_read(&conf, argv[1], &error);
	if (bad)
		puts(error.text);
	conf_free(&conf);
	return bad ? 1 : 0;
}
