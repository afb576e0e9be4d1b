/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The command line
 */
#ifndef FLOWGEN_OPTIONS_H
#define FLOWGEN_OPTIONS_H

#include <stdio.h>

#include "parse.h"
#include "types.h"

/* Exit codes: the run's, that of a refusal before it, and of flows that failed or did not end. */
#define EXIT_RUN	1
#define EXIT_REFUSED	2
#define EXIT_FLOWS	3

#define DEFAULT_PORT	5000

/* A --to or --group for each of at most this many. */
#define LIST_MAX	256

/**
 * enum mode - role of this process
 * @MODE_LAB: servers and requesters of all hosts
 * @MODE_TO: the requester of flows from servers elsewhere
 * @MODE_SERVE: a server for requesters elsewhere
 * @MODE_DRY_RUN: print the flows and end
 * @MODE_HELP: print the help and end
 * @MODE_VERSION: print the version and end
 */
enum mode { MODE_LAB, MODE_TO, MODE_SERVE, MODE_DRY_RUN, MODE_HELP, MODE_VERSION };

/**
 * struct text_list - texts of an option that may be repeated
 * @text: texts
 * @n: how many
 */
struct text_list {
	const char *text[LIST_MAX];
	size_t n;
};

/**
 * struct options - the command line, checked
 * @mode: role of this process
 * @traffic: traffic file, or NULL
 * @groups: groups given on the command line
 * @to: servers elsewhere
 * @seed: seed of all random streams
 * @epoch: ns of CLOCK_MONOTONIC, or 0: as soon as everything is set up
 * @give_up: seconds after the last planned event
 * @netns: folder of the hosts' network namespaces, or NULL
 * @port: base port of the hosts' servers
 * @lowat: bytes that must arrive before a receiver wakes up
 * @flows: file for the flows, or NULL
 * @summary: file for the summary, or NULL
 * @series: file for the time series, or NULL
 * @step: ns from one point of it to the next
 * @progress: file for the progress, or NULL
 * @listen: where to listen
 * @max_size: maximum size of a flow that is served, bytes
 * @max_conns: connections served at a time
 * @request_timeout: seconds a request may take
 * @idle_timeout: seconds without progress
 */
struct options {
	enum mode mode;
	const char *traffic;
	struct text_list groups;
	struct text_list to;
	u64 seed;
	u64 epoch;
	u64 give_up;
	const char *netns;
	u64 port;
	u64 lowat;
	const char *flows;
	const char *summary;
	const char *series;
	u64 step;
	const char *progress;
	const char *listen;
	u64 max_size;
	u64 max_conns;
	u64 request_timeout;
	u64 idle_timeout;
};

/**
 * options_parse() - read and check the command line
 * @o: receives it
 * @argc: as main() got it
 * @argv: as main() got it; the texts are not copied
 *
 * Return: 0, or -1 after a message.
 */
int options_parse(struct options *o, int argc, char **argv);

/**
 * options_print() - describe the command line
 * @f: where to
 */
void options_print(FILE *f);

#endif
