/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two runs compared: flowgen compare BEFORE AFTER
 */
#ifndef FLOWGEN_COMPARE_H
#define FLOWGEN_COMPARE_H

#include "bootstrap.h"
#include "result.h"

/**
 * struct comparison - two runs, and what their size classes have
 * @path: their files
 * @run: their flows
 * @paired: both have the same flows
 * @figures: figures of each class of each run
 * @intervals: ratios of the second run to the first, by class
 */
struct comparison {
	const char *path[2];
	struct result run[2];
	bool paired;
	struct outcome_figures figures[2][OUTCOME_CLASSES];
	struct interval intervals[OUTCOME_CLASSES][STATISTICS];
};

/**
 * compare_help() - describe the command
 * @f: where to
 */
void compare_help(FILE *f);

/**
 * compare_main() - the command compare
 * @argc: number of arguments
 * @argv: arguments, of which the first is "compare"
 *
 * Return: exit status: 0; 1 if the page cannot be written; 2 if the command line or a
 * file is refused.
 */
int compare_main(int argc, char **argv);

#endif
