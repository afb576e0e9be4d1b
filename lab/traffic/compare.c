// SPDX-License-Identifier: GPL-2.0
/*
 * Two runs compared: flowgen compare BEFORE AFTER
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "compare.h"
#include "options.h"
#include "page.h"
#include "parse.h"
#include "report.h"

/**
 * struct arguments - the command line
 * @path: the two files
 * @n: how many there are
 * @page: file of the page, or NULL
 */
struct arguments {
	const char *path[2];
	u32 n;
	const char *page;
};

void compare_help(FILE *f)
{
	fputs("  flowgen compare BEFORE AFTER [--page FILE]    two files of --flows\n", f);
}

/* An argument that is not --page, nor its value. */
static int read_path(struct arguments *a, const char *text)
{
	if (!strncmp(text, "--", 2))
		return complain(NULL, "compare: there is no option '%s' (see --help)", text);
	if (a->n == 2)
		return complain(NULL, "compare: '%s' is a third file", text);
	a->path[a->n++] = text;
	return 0;
}

static int read_arguments(struct arguments *a, int argc, char **argv)
{
	int i;

	for (i = 1; i < argc; i++) {
		if (!strcmp(argv[i], "--page")) {
			if (++i == argc)
				return complain(NULL, "--page: FILE is missing");
			a->page = argv[i];
		} else if (!strncmp(argv[i], "--page=", 7)) {
			a->page = argv[i] + 7;
		} else if (read_path(a, argv[i])) {
			return -1;
		}
	}
	if (a->n < 2)
		return complain(NULL, "compare: %s is missing", a->n ? "AFTER" : "BEFORE");
	if (a->page && !*a->page)
		return complain(NULL, "--page: the value is empty");
	if (report_is_stdout(a->page))
		return complain(NULL, "--page: a file, and not standard output");
	if (!strcmp(a->path[0], "-") && !strcmp(a->path[1], "-"))
		return complain(NULL, "compare: only one file can be standard input");
	return 0;
}

/* Values of a class; of runs that are paired only flows that ended in both. */
static u32 take_values(const struct comparison *c, u32 run, enum outcome_class class, u64 *value)
{
	const struct result *r = &c->run[run], *other = &c->run[!run];
	u32 i, n = 0;

	for (i = 0; i < r->n; i++) {
		if (!outcome_is_in(r->list[i].size, class) || r->list[i].fct_ns < 0)
			continue;
		if (!c->paired || other->list[i].fct_ns >= 0)
			value[n++] = r->list[i].fct_ns;
	}
	return n;
}

static int compare_class(struct comparison *c, enum outcome_class class)
{
	struct sample sample[2] = { 0 };
	u64 *value[2];
	int ret = -1;
	u32 k;

	for (k = 0; k < 2; k++) {
		if (outcome_figures(c->run[k].list, c->run[k].n, class, &c->figures[k][class]))
			return -1;
		value[k] = calloc((size_t)c->run[k].n + 1, sizeof(*value[k]));
	}
	if (!value[0] || !value[1]) {
		complain(NULL, "out of memory");
	} else {
		for (k = 0; k < 2; k++)
			sample[k] = (struct sample){ value[k], take_values(c, k, class, value[k]) };
		ret = bootstrap_ratio(sample, c->paired, outcome_names[class], c->intervals[class]);
	}
	free(value[0]);
	free(value[1]);
	return ret;
}

static void print_interval(const struct interval *x)
{
	if (x->low > 0)
		printf("%10.3f (%.3f to %.3f)", x->ratio, x->low, x->high);
	else if (x->ratio > 0)
		printf("%10.3f %-16s", x->ratio, "");
}

static void print_row(const struct comparison *c, enum outcome_class class)
{
	const struct outcome_figures *a = &c->figures[0][class], *b = &c->figures[1][class];

	if (!a->n && !b->n && !a->lost && !b->lost)
		return;
	printf("%-16s%9" PRIu32 "%9" PRIu32, outcome_names[class], a->n, b->n);
	print_interval(&c->intervals[class][STATISTIC_MEAN]);
	print_interval(&c->intervals[class][STATISTIC_P99]);
	putchar('\n');
}

static void print_comparison(const struct comparison *c)
{
	const struct outcome_figures *a = &c->figures[0][OUTCOME_ALL];
	const struct outcome_figures *b = &c->figures[1][OUTCOME_ALL];
	enum outcome_class class;

	printf("%-16s%9s%9s%10s %-16s%10s %-16s\n", "completion time", "before", "after", "mean",
	       "after/before", "p99", "after/before");
	for (class = 0; class < OUTCOME_CLASSES; class++)
		print_row(c, class);
	puts(c->paired ? "The files have the same flows, which are compared one by one." :
	     "The files have different flows. The same seed and groups in both make intervals smaller.");
	if (a->lost || b->lost)
		printf("Flows that did not end: %" PRIu32 " before, %" PRIu32 " after.\n", a->lost,
		       b->lost);
}

int compare_main(int argc, char **argv)
{
	struct arguments a = { 0 };
	struct comparison c = { 0 };
	enum outcome_class class;
	int ret = EXIT_REFUSED;

	if (read_arguments(&a, argc, argv))
		return EXIT_REFUSED;
	memcpy(c.path, a.path, sizeof(c.path));
	if (!result_read(&c.run[0], a.path[0]) && !result_read(&c.run[1], a.path[1])) {
		c.paired = result_is_paired(&c.run[0], &c.run[1]);
		ret = 0;
		for (class = 0; class < OUTCOME_CLASSES && !ret; class++)
			ret = compare_class(&c, class) ? EXIT_RUN : 0;
		if (!ret)
			print_comparison(&c);
		if (!ret && a.page && page_write(a.page, &c))
			ret = EXIT_RUN;
	}
	result_free(&c.run[0]);
	result_free(&c.run[1]);
	return ret;
}
