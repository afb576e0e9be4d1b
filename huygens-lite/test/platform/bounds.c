// SPDX-License-Identifier: GPL-2.0
/*
 * bounds - files for applications, by the clocks of this machine, until standard input ends
 *
 *	bounds LINE_FILE CLOCKBOUND
 *
 * Each line of standard input is a command, and is answered by "ok":
 *
 *	line OFFSET ERROR ASYMMETRY UTC		the common time is OFFSET ns ahead of CLOCK_REALTIME
 *	marker N				a disruption of the virtual machine
 *	lost					there is no line any more
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "../../out/output.h"
#include "../../out/system.h"

static int command(struct output *out, const char *text)
{
	struct output_line line = { .skew_ppb = 100, .utc_skew_ppb = 1000, .epoch = 7,
				    .valid_ns = 5000000000 };
	char why[256];
	uint64_t marker;
	int64_t offset_ns;

	if (sscanf(text, "line %" SCNd64 " %" SCNd64 " %" SCNd64 " %" SCNd64, &offset_ns,
		   &line.error_ns, &line.asymmetry_ns, &line.utc_error_ns) == 4) {
		system_pair(&line.raw_ns, &line.common_ns);
		line.common_ns += offset_ns;
		return output_line(out, &line, why, sizeof(why));
	}
	if (sscanf(text, "marker %" SCNu64, &marker) == 1) {
		output_disruption(out, marker);
		return 0;
	}
	if (strcmp(text, "lost\n"))
		return -1;
	output_lost(out);
	return 0;
}

int main(int argc, char **argv)
{
	struct conf_peer peers[2] = { { .id = 1 }, { .id = 2 } };
	struct huygens_conf conf = { .mode = CONF_MODE_NONE, .peers = peers, .n_peers = 2 };
	struct output *out;
	char why[256], text[256];

	if (argc != 3)
		return 2;
	snprintf(conf.line_file, sizeof(conf.line_file), "%s", argv[1]);
	snprintf(conf.clockbound, sizeof(conf.clockbound), "%s", argv[2]);
	out = output_open(&conf, why, sizeof(why));
	if (!out) {
		puts(why);
		return 1;
	}
	do {
		puts("ok");
		fflush(stdout);
	} while (fgets(text, sizeof(text), stdin) && !command(out, text));
	output_close(out);
	return 0;
}
