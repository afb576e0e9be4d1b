// SPDX-License-Identifier: GPL-2.0
/*
 * huygensctl - show the state of a running huygens-lite
 */
#include <getopt.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../lib/client.h"
#include "../../lib/json_write.h"
#include "../../lib/units.h"
#include "status.h"

#define CTL_SOCKET	"/run/huygens-lite/control"
#define CTL_INTERVAL_NS	1000000000LL

static const char ctl_usage[] =
	"Usage: huygensctl [-j] [-s SOCKET] COMMAND\n"
	"\n"
	"  tracking                      state of this host's clock\n"
	"  peers                         neighbours of this host\n"
	"  edges                         pairs of hosts; the coordinator knows all of them\n"
	"  hosts                         all hosts, on the coordinator only\n"
	"  stats                         counters\n"
	"  reset                         forget all measurements and start over; root only\n"
	"  reload                        read the configuration and the keys again; root only\n"
	"  burst                         probe at burst_interval for " STATUS_BURST_WINDOWS
	" windows; root only\n"
	"  waitsync [MAX_ERR [TRIES]]    wait until this host is synchronised within MAX_ERR,\n"
	"                                such as 10us; at most TRIES times, 0 for no limit\n"
	"\n"
	"  -j, --json                    JSON output\n"
	"  -s, --socket SOCKET           control socket, default " CTL_SOCKET "\n"
	"  -i, --interval TIME           interval between tries, default 1s\n"
	"  -V, --version                 print the version\n"
	"  -h, --help                    print this text\n";

/**
 * struct ctl - what the command line asks for
 * @client: -j and -s
 * @interval_ns: -i
 */
struct ctl {
	struct client	client;
	int64_t			interval_ns;
};

/**
 * struct ctl_try - what a try of waitsync learned
 * @n: its number
 * @state: of the daemon; empty: no answer
 * @error_ns: error bound; INT64_MIN: not known
 */
struct ctl_try {
	int64_t	n;
	char	state[16];
	int64_t	error_ns;
};

/* An object on a line of its own. */
static void ctl_print_json(const struct ctl_try *t)
{
	struct json_writer w = { .to = stdout, .spaced = true };

	json_open(&w, NULL, '{');
	json_signed(&w, "try", t->n);
	if (*t->state)
		json_string(&w, "state", t->state);
	else
		json_value(&w, "state", "null");
	if (t->error_ns == INT64_MIN)
		json_value(&w, "error_ns", "null");
	else
		json_signed(&w, "error_ns", t->error_ns);
	json_close(&w, '}');
	putchar('\n');
}

static void ctl_print_text(const struct ctl_try *t)
{
	if (!*t->state)
		printf("try: %" PRId64 ", no answer\n", t->n);
	else if (t->error_ns == INT64_MIN)
		printf("try: %" PRId64 ", state: %s\n", t->n, t->state);
	else
		printf("try: %" PRId64 ", state: %s, error: %.9f\n", t->n, t->state,
		       (double)t->error_ns / 1e9);
}

/* Return: true if the host is synchronised to @max_ns; 0: to anything. */
static bool ctl_is_synchronised(const struct ctl *ctl, int64_t max_ns, int64_t n)
{
	struct ctl_try try = { .n = n, .error_ns = INT64_MIN };
	struct client ask = ctl->client;
	bool good = false;
	char *answer;

	ask.json = false;
	/* The reason that nobody answers, and the remedy, are printed once. */
	answer = client_request(&ask, "sync", n > 1);
	if (answer && sscanf(answer, "%15s %" SCNd64, try.state, &try.error_ns) == 2)
		good = (!strcmp(try.state, "locked") || !strcmp(try.state, "holdover")) &&
		       (!max_ns || (try.error_ns >= 0 && try.error_ns <= max_ns));
	free(answer);
	(ctl->client.json ? ctl_print_json : ctl_print_text)(&try);
	/* The exit status says whether it is, not whether there is space for this. */
	fflush(stdout);
	return good;
}

static int ctl_waitsync(const struct ctl *ctl, char **args)
{
	struct timespec pause = { ctl->interval_ns / 1000000000,
				  ctl->interval_ns % 1000000000 };
	int64_t max_ns = 0, tries = 0, n;

	if (args[0] && (unit_parse_signed(UNIT_TIME, args[0], &max_ns) || max_ns < 0))
		return client_wrong(&ctl->client,
					    "waitsync: MAX_ERR must be a time such as 10us, not",
					    args[0]);
	if (args[0] && args[1] &&
	    (unit_parse_signed(UNIT_COUNT, args[1], &tries) || tries < 0))
		return client_wrong(&ctl->client,
					    "waitsync: TRIES must be a number from 0 up, not",
					    args[1]);
	if (args[0] && args[1] && args[2])
		return client_wrong(&ctl->client, "waitsync: unexpected argument", args[2]);
	for (n = 1;; n++) {
		if (ctl_is_synchronised(ctl, max_ns, n))
			return 0;
		if (n == tries)
			return 1;
		nanosleep(&pause, NULL);
	}
}

static int ctl_command(const struct ctl *ctl, char **args)
{
	static const char *const commands[] = {
		"tracking", "peers", "edges", "hosts", "stats", "reset", "reload", "burst",
		"waitsync", NULL,
	};
	int i = client_command(&ctl->client, commands, args[0]);

	if (i < 0)
		return 2;
	if (!strcmp(commands[i], "waitsync"))
		return ctl_waitsync(ctl, args + 1);
	if (args[1])
		return client_wrong(&ctl->client, "unexpected argument", args[1]);
	return client_show(&ctl->client, commands[i]);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "socket", required_argument, NULL, 's' },
		{ "interval", required_argument, NULL, 'i' },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct ctl ctl = {
		.client = { "huygensctl", "huygens-lite", "huygens", CTL_SOCKET, false },
		.interval_ns = CTL_INTERVAL_NS,
	};
	int option;

	while ((option = getopt_long(argc, argv, "js:i:Vh", options, NULL)) >= 0) {
		if (option == 'j')
			ctl.client.json = true;
		else if (option == 's')
			ctl.client.socket = optarg;
		else if (option == 'V')
			return client_print(&ctl.client,
					    "huygensctl (sharpramp) " PROGRAM_VERSION "\n");
		else if (option == 'h')
			return client_print(&ctl.client, ctl_usage);
		else if (option != 'i')
			return 2;
		else if (unit_parse_signed(UNIT_TIME, optarg, &ctl.interval_ns) ||
			 ctl.interval_ns <= 0 || ctl.interval_ns > 3600000000000)
			return client_wrong(&ctl.client,
						    "-i must be a time above 0 and up to 60min, not",
						    optarg);
	}
	return ctl_command(&ctl, argv + optind);
}
