// SPDX-License-Identifier: GPL-2.0
/*
 * feed - tell chronyd a time that is ahead of this machine's, until standard input ends
 *
 *	feed SOCKET AHEAD_NS PERIOD_MS
 */
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../out/output.h"
#include "../../out/system.h"

int main(int argc, char **argv)
{
	static struct conf_peer peers[] = { { .id = 1 }, { .id = 2 } };
	struct huygens_conf conf = { .mode = CONF_MODE_SOCK, .peers = peers, .n_peers = 2,
				     .max_error_ns = 1000000 };
	struct pollfd end = { .fd = 0, .events = POLLIN };
	char why[256];
	struct output *out;

	if (argc != 4)
		return 2;
	snprintf(conf.sock, sizeof(conf.sock), "%s", argv[1]);
	out = output_open(&conf, why, sizeof(why));
	while (out && !poll(&end, 1, atoi(argv[3]))) {
		struct output_line line = { .error_ns = 100, .valid_ns = 1000000000, .epoch = 1 };

		system_pair(&line.raw_ns, &line.common_ns);
		line.common_ns += atoll(argv[2]);
		/* It is refused until chronyd is there. */
		output_line(out, &line, why, sizeof(why));
	}
	output_close(out);
	return 0;
}
