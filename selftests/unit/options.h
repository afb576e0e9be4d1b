/* SPDX-License-Identifier: GPL-2.0 */
/* The options of the tests on random input: -s SEED, -n HOW MANY; FULL in the environment. */
#ifndef SHARPRAMP_OPTIONS_H
#define SHARPRAMP_OPTIONS_H

#include <inttypes.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "../lib/tap.h"

/**
 * struct options - what a run on random input depends on
 * @seed: of random.h, 1 by default
 * @n: how many rounds
 * @full: all cases, and ten times as many rounds
 */
struct options {
	uint64_t seed;
	unsigned long n;
	bool full;
};

/**
 * options_read() - read the options, and remark what they came to
 * @argc: of main()
 * @argv: of main()
 * @n: rounds by default; with FULL in the environment ten times as many
 * @what: what a round is, in the plural and in lower case
 *
 * Return: the options; ends the program with status 2 if they make no sense.
 */
static inline struct options options_read(int argc, char **argv,
					  unsigned long n, const char *what)
{
	bool full = getenv("FULL");
	struct options o = { .seed = 1, .n = full ? 10 * n : n, .full = full };
	char *end = "";
	int opt;

	while ((opt = getopt(argc, argv, "s:n:")) != -1 && !*end) {
		if (opt == 's')
			o.seed = strtoull(optarg, &end, 0);
		else if (opt == 'n')
			o.n = strtoul(optarg, &end, 0);
		else
			break;
	}
	if (opt != -1 || *end || optind < argc) {
		fprintf(stderr, "usage: %s [-s SEED] [-n NUMBER], of %s\n",
			argv[0], what);
		exit(2);
	}
	tap_remark("seed %" PRIu64 ", %lu %s", o.seed, o.n, what);
	return o;
}

#endif /* SHARPRAMP_OPTIONS_H */
