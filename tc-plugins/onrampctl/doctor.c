// SPDX-License-Identifier: GPL-2.0
/*
 * onrampctl doctor: why nothing is held, acked or marked.
 */
#include <stdio.h>
#include <string.h>

#include "../../lib/json_write.h"
#include "finding.h"
#include "gather.h"
#include "host.h"
#include "out.h"
#include "run.h"
#include "value.h"

/* Default of the time for which counters are watched. */
#define DOCTOR_WATCH_NS	1000000000ULL

/* State that could not be read is reported like a finding. */
static const struct finding_rule doctor_unread = { "unread", FINDING_NOTE };

static const char *const doctor_severity[] = {
	[FINDING_ERROR] = "error",
	[FINDING_WARNING] = "warning",
	[FINDING_NOTE] = "note",
};

static void doctor_cell(const char *key, const char *text)
{
	char json[2 * FINDING_COMMAND_MAX];

	json_quote(text, json, sizeof(json));
	out_cell(key, key, NULL, *text ? json : NULL);
}

static void doctor_print_json(const struct findings *found)
{
	const struct finding *x;

	for (x = found->list; x < found->list + found->n; x++) {
		out_row();
		doctor_cell("id", x->id);
		doctor_cell("severity", doctor_severity[x->severity]);
		doctor_cell("dev", x->dev);
		doctor_cell("host", x->host);
		doctor_cell("what", x->what);
		doctor_cell("command", x->command);
	}
}

static void doctor_print(const struct findings *found)
{
	const struct finding *x;

	for (x = found->list; x < found->list + found->n; x++) {
		printf("%s: %s%s%s: %s\n    ", doctor_severity[x->severity],
		       x->dev, *x->dev ? ": " : "", x->id, x->what);
		if (*x->host)
			printf("at %s: ", x->host);
		printf("%s\n", x->command);
	}
	if (!found->n)
		puts("No problem was found.");
}

static void doctor_report_unread(const struct facts *f, struct findings *found)
{
	struct finding_check at = { .rule = &doctor_unread, .out = found };
	size_t i;

	for (i = 0; i < f->nr_unread; i++) {
		struct finding *x;

		x = finding_add(&at, NULL,
				"Could not read %s: %s. Findings that depend on this are missing.",
				f->unread[i].what,
				strerror(f->unread[i].error));
		finding_command(x, "sudo onrampctl doctor");
	}
}

static int doctor_gather(struct facts *f)
{
	struct nl_refusal why = { 0 };

	if (!gather(f, &why))
		return 0;
	fprintf(stderr, "onrampctl: doctor: %s%s%s\n", why.text,
		*why.text ? ": " : "", strerror(why.error));
	return -1;
}

/* Gather twice, and keep what happened in between. */
static int doctor_watch(struct facts *f, uint64_t watch_ns)
{
	struct facts before = { 0 };
	int status = doctor_gather(&before);

	if (!status) {
		host_sleep(watch_ns);
		status = doctor_gather(f);
	}
	if (!status)
		facts_since(f, &before);
	facts_free(&before);
	return status;
}

int run_doctor(const struct command *command, const struct value *values,
	       bool json)
{
	struct facts f = { .scope = values[0].number };
	struct findings found = { 0 };
	int status;

	if (doctor_watch(&f, values[1].given ? values[1].number :
					       DOCTOR_WATCH_NS)) {
		facts_free(&f);
		return RUN_UNKNOWN;
	}
	finding_all(&f, &found);
	doctor_report_unread(&f, &found);
	status = found.n ? RUN_FOUND : RUN_OK;
	out_begin(json, json ? OUT_TABLE : OUT_LINE);
	if (json)
		doctor_print_json(&found);
	else
		doctor_print(&found);
	if (out_end())
		status = RUN_UNKNOWN;
	finding_free(&found);
	facts_free(&f);
	return status;
}
