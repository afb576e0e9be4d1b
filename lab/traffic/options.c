// SPDX-License-Identifier: GPL-2.0
/*
 * The command line
 *
 * One table describes the options: the parser, the refusals and the help are
 * made from it.
 */
#include <string.h>

#include "cdf.h"
#include "options.h"
#include "report.h"

#define LAB	(1U << MODE_LAB)
#define TO	(1U << MODE_TO)
#define SERVE	(1U << MODE_SERVE)
#define DRY	(1U << MODE_DRY_RUN)
#define ANY	(LAB | TO | SERVE | DRY)

/**
 * enum form - argument of an option
 * @FORM_MODE: nothing; it selects a mode
 * @FORM_TEXT: a text
 * @FORM_LIST: a text, and it may be repeated
 * @FORM_NUMBER: a number in a range
 */
enum form { FORM_MODE, FORM_TEXT, FORM_LIST, FORM_NUMBER };

/**
 * struct option_desc - one option
 * @name: with its dashes
 * @arg: name of its argument in the help
 * @form: form of its argument
 * @modes: modes that have it; of FORM_MODE: the mode it selects
 * @offset: of its value in struct options
 * @range: numbers it accepts
 * @standard: value if not given
 * @help: one line
 */
struct option_desc {
	const char *name;
	const char *arg;
	enum form form;
	unsigned int modes;
	size_t offset;
	struct range range;
	u64 standard;
	const char *help;
};

#define FIELD(f)	offsetof(struct options, f)
#define NONE		{ QUANTITY_TEXT, 0, 0 }

static const struct option_desc table[] = {
	{ "--help", NULL, FORM_MODE, MODE_HELP, 0, NONE, 0,
	  "list of all options and keys" },
	{ "--version", NULL, FORM_MODE, MODE_VERSION, 0, NONE, 0,
	  "version of the program" },
	{ "--dry-run", NULL, FORM_MODE, MODE_DRY_RUN, 0, NONE, 0,
	  "output of the flows as CSV, without opening a socket" },
	{ "--serve", NULL, FORM_MODE, MODE_SERVE, 0, NONE, 0,
	  "server for requesters on other hosts, until a signal" },
	{ "--to", "ADDR:PORT", FORM_LIST, TO | DRY, FIELD(to), NONE, 0,
	  "address of a server to request flows from; may be repeated" },
	{ "--traffic", "FILE", FORM_TEXT, LAB | TO | DRY, FIELD(traffic), NONE, 0,
	  "file of hosts and groups" },
	{ "--group", "GROUP", FORM_LIST, LAB | TO | DRY, FIELD(groups), NONE, 0,
	  "group as in the file, 'NAME KEY=VALUE ...'; may be repeated" },
	{ "--seed", "N", FORM_NUMBER, LAB | TO | DRY, FIELD(seed),
	  { QUANTITY_COUNT, 0, UINT64_MAX }, 1,
	  "seed of all random streams (1)" },
	{ "--epoch", "NS", FORM_NUMBER, LAB | TO, FIELD(epoch),
	  { QUANTITY_TIME, 1, INT64_MAX / 2 }, 0,
	  "CLOCK_MONOTONIC at time 0 of the flows (10 ms after set-up)" },
	{ "--give-up", "SECONDS", FORM_NUMBER, LAB | TO, FIELD(give_up),
	  { QUANTITY_COUNT, 1, 86400 }, 60,
	  "time after the last start at which the run ends at the latest (60)" },
	{ "--netns", "FOLDER", FORM_TEXT, LAB, FIELD(netns), NONE, 0,
	  "directory of the hosts' network namespaces, FOLDER/NAME" },
	{ "--port", "PORT", FORM_NUMBER, LAB | DRY, FIELD(port),
	  { QUANTITY_COUNT, 1, 65000 }, DEFAULT_PORT,
	  "base port of the hosts' servers (5000)" },
	{ "--lowat", "BYTES", FORM_NUMBER, LAB | TO, FIELD(lowat),
	  { QUANTITY_BYTES, 1, 1000000000 }, 512000,
	  "bytes that must arrive before a receiver wakes up (512k)" },
	{ "--flows", "FILE", FORM_TEXT, LAB | TO, FIELD(flows), NONE, 0,
	  "output file of the flows, CSV; - is standard output" },
	{ "--summary", "FILE", FORM_TEXT, LAB | TO | SERVE, FIELD(summary), NONE, 0,
	  "output file of the totals, JSON, or -" },
	{ "--series", "FILE", FORM_TEXT, LAB | TO, FIELD(series), NONE, 0,
	  "output file of the bytes that each group received, every --step, or -" },
	{ "--step", "NS", FORM_NUMBER, LAB | TO, FIELD(step),
	  { QUANTITY_TIME, NSEC_PER_USEC, 1000 * NSEC_PER_SEC }, 10 * NSEC_PER_MSEC,
	  "time from one point of --series to the next (10ms)" },
	{ "--progress", "FILE", FORM_TEXT, LAB | TO, FIELD(progress), NONE, 0,
	  "file that has 'ns done total', rewritten every 20 ms" },
	{ "--listen", "ADDR:PORT", FORM_TEXT, SERVE, FIELD(listen), NONE, 0,
	  "address to listen on (0.0.0.0:5000; [::]:5000 is both families)" },
	{ "--max-size", "BYTES", FORM_NUMBER, SERVE, FIELD(max_size),
	  { QUANTITY_BYTES, 1, FLOW_SIZE_MAX }, 100000000000ULL,
	  "maximum size of a flow that is served (100g)" },
	{ "--max-conns", "N", FORM_NUMBER, SERVE, FIELD(max_conns),
	  { QUANTITY_COUNT, 1, 1000000 }, 10000,
	  "maximum number of connections at a time (10000)" },
	{ "--request-timeout", "SECONDS", FORM_NUMBER, SERVE, FIELD(request_timeout),
	  { QUANTITY_COUNT, 1, 3600 }, 10,
	  "time in which a request must be complete (10)" },
	{ "--idle-timeout", "SECONDS", FORM_NUMBER, SERVE, FIELD(idle_timeout),
	  { QUANTITY_COUNT, 1, 86400 }, 300,
	  "maximum time between requests, or without progress (300)" },
};

static const char *const mode_names[] = {
	[MODE_LAB] = "hosts in this process",
	[MODE_TO] = "--to",
	[MODE_SERVE] = "--serve",
	[MODE_DRY_RUN] = "--dry-run",
	[MODE_HELP] = "--help",
	[MODE_VERSION] = "--version",
};

static void *field(struct options *o, const struct option_desc *d)
{
	return (char *)o + d->offset;
}

/* The description of "--name" or "--name=value". */
static const struct option_desc *find_option(const char *arg)
{
	size_t i, len = strcspn(arg, "=");

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (strlen(table[i].name) == len && !strncmp(table[i].name, arg, len))
			return &table[i];
	return NULL;
}

static int take_value(struct options *o, const struct option_desc *d, const char *value)
{
	struct text_list *list = field(o, d);

	if (!*value)
		return complain(NULL, "%s: the value is empty", d->name);
	switch (d->form) {
	case FORM_LIST:
		if (list->n == LIST_MAX)
			return complain(NULL, "%s: given more than %d times", d->name, LIST_MAX);
		list->text[list->n++] = value;
		return 0;
	case FORM_NUMBER:
		return parse_number(NULL, d->name, value, &d->range, field(o, d));
	default:
		*(const char **)field(o, d) = value;
		return 0;
	}
}

static int take_mode(struct options *o, const struct option_desc *d, const char *value,
		     bool *chosen)
{
	if (value)
		return complain(NULL, "%s takes no value", d->name);
	if (*chosen && o->mode != d->modes)
		return complain(NULL, "%s and %s exclude each other", mode_names[o->mode], d->name);
	o->mode = d->modes;
	*chosen = true;
	return 0;
}

static int check_modes(struct options *o, u32 given)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (given & 1U << i && table[i].form != FORM_MODE &&
		    !(table[i].modes & 1U << o->mode))
			return complain(NULL, "%s: not with %s", table[i].name,
					mode_names[o->mode]);
	if (report_is_stdout(o->flows) + report_is_stdout(o->summary) +
	    report_is_stdout(o->series) > 1)
		return complain(NULL, "only one of --flows, --summary and --series can be -");
	if (report_is_stdout(o->progress))
		return complain(NULL, "--progress: a file, and not standard output");
	if (o->mode == MODE_TO && !o->traffic && !o->groups.n)
		return complain(NULL, "--to needs --traffic or --group");
	if ((o->mode == MODE_LAB || o->mode == MODE_DRY_RUN) && !o->traffic && !o->to.n)
		return complain(NULL, "--traffic is missing (see flowgen --help)");
	return 0;
}

int options_parse(struct options *o, int argc, char **argv)
{
	const struct option_desc *d;
	bool chosen = false;
	const char *value;
	u32 given = 0;
	size_t i;
	int n;

	memset(o, 0, sizeof(*o));
	o->listen = "0.0.0.0:5000";
	for (i = 0; i < ARRAY_SIZE(table); i++)
		if (table[i].form == FORM_NUMBER)
			*(u64 *)field(o, &table[i]) = table[i].standard;
	for (n = 1; n < argc; n++) {
		d = find_option(argv[n]);
		if (!d)
			return complain(NULL, "there is no option '%s' (see flowgen --help)",
					argv[n]);
		if (given & 1U << (d - table) && d->form != FORM_LIST)
			return complain(NULL, "%s is given twice", d->name);
		given |= 1U << (d - table);
		value = strchr(argv[n], '=');
		value = value ? value + 1 : NULL;
		if (d->form == FORM_MODE) {
			if (take_mode(o, d, value, &chosen))
				return -1;
			continue;
		}
		if (!value && ++n == argc)
			return complain(NULL, "%s: %s is missing", d->name, d->arg);
		if (take_value(o, d, value ? value : argv[n]))
			return -1;
	}
	if (!chosen && o->to.n)
		o->mode = MODE_TO;
	return o->mode == MODE_HELP || o->mode == MODE_VERSION ? 0 : check_modes(o, given);
}

void options_print(FILE *f)
{
	char range[64];
	size_t i;

	for (i = 0; i < ARRAY_SIZE(table); i++) {
		const struct option_desc *d = &table[i];

		fprintf(f, "  %s%s%s\n      %s", d->name, d->arg ? " " : "",
			d->arg ? d->arg : "", d->help);
		if (d->form == FORM_NUMBER)
			fprintf(f, ", %s", format_range(&d->range, range, sizeof(range)));
		fputc('\n', f);
	}
}
