// SPDX-License-Identifier: GPL-2.0
/*
 * The two voices of a snapshot: tables of fields, and who prints them.
 */
#include <inttypes.h>
#include <string.h>

#include "cell.h"
#include "status.h"

#define COLUMNS_MAX	16

#define T(f)	offsetof(struct status_tracking, f)
static const struct cell status_tracking_cells[] = {
	{ "id", "Host", CELL_COUNT, T(id) },
	{ "name", "Name", CELL_TEXT, T(name) },
	{ "state", "State", CELL_WORD, T(state) },
	{ "reference", "Reference", CELL_TEXT, T(reference) },
	{ "coordinator", "Coordinator", CELL_COUNT, T(coordinator) },
	{ "epoch", "Epoch", CELL_LONG, T(epoch) },
	{ "window", "Window", CELL_LONG, T(window) },
	{ "age_ns", "Window age", CELL_TIME, T(age_ns) },
	{ "offset_ns", "Correction", CELL_SIGNED, T(offset_ns) },
	{ "last_change_ns", "Last offset", CELL_SIGNED, T(last_change_ns) },
	{ "rms_change_ns", "RMS offset", CELL_TIME, T(rms_change_ns) },
	{ "drift_ppb", "Frequency", CELL_PPB, T(drift_ppb) },
	{ "skew_ppb", "Skew", CELL_PPB, T(skew_ppb) },
	{ "error_ns", "Error bound", CELL_TIME, T(error_ns) },
	{ "gap_ns", "Gap", CELL_TIME, T(gap_ns) },
	{ "mode", "Output", CELL_WORD, T(mode) },
	{ "remaining_ns", "Remaining", CELL_SIGNED, T(remaining_ns) },
	{ "stamps", "Stamps", CELL_WORD, T(stamps) },
	{ "hosts", "Hosts", CELL_COUNT, T(hosts) },
	{ "hosts_known", "Hosts known", CELL_COUNT, T(hosts_known) },
	{ .key = NULL },
};

#define P(f)	offsetof(struct status_peer, f)
static const struct cell status_peer_cells[] = {
	{ "id", "Id", CELL_COUNT, P(id) },
	{ "name", "Name", CELL_TEXT, P(name) },
	{ "address", NULL, CELL_TEXT, P(address) },
	{ "alive", "Alive", CELL_YESNO, P(alive) },
	{ "out", "Out", CELL_YESNO, P(out) },
	{ "in", "In", CELL_YESNO, P(in) },
	{ "stamps", "Stamps", CELL_WORD, P(stamps) },
	{ "sent", "Sent", CELL_COUNT, P(sent) },
	{ "received", "Received", CELL_COUNT, P(received) },
	{ "pure", "Pure", CELL_COUNT, P(pure) },
	{ "lost_stamps", "Lost", CELL_COUNT, P(lost_stamps) },
	{ "guard_ns", "Guard", CELL_TIME, P(guard_ns) },
	{ "age_ns", "LastRx", CELL_TIME, P(age_ns) },
	{ .key = NULL },
};

#define E(f)	offsetof(struct status_edge, f)
static const struct cell status_edge_cells[] = {
	{ "i", "I", CELL_COUNT, E(i) },
	{ "j", "J", CELL_COUNT, E(j) },
	{ "valid", "Valid", CELL_YESNO, E(valid) },
	{ "why", "Why", CELL_WORD, E(why) },
	{ "stamps", "Stamps", CELL_WORD, E(stamps) },
	{ "window", NULL, CELL_LONG, E(window) },
	{ "theta_ns", "Offset", CELL_SIGNED, E(theta_ns) },
	{ "drift_ppb", "Frequency", CELL_PPB, E(drift_ppb) },
	{ "gap_ns", "Gap", CELL_TIME, E(gap_ns) },
	{ "weight", "Weight", CELL_REAL, E(weight) },
	{ "residual_ns", "Residual", CELL_SIGNED, E(residual_ns) },
	{ "points_ij", "There", CELL_COUNT, E(points_ij) },
	{ "points_ji", "Back", CELL_COUNT, E(points_ji) },
	{ .key = NULL },
};

#define H(f)	offsetof(struct status_host, f)
static const struct cell status_host_cells[] = {
	{ "id", "Id", CELL_COUNT, H(id) },
	{ "name", "Name", CELL_TEXT, H(name) },
	{ "state", "State", CELL_WORD, H(state) },
	{ "edges", "Edges", CELL_COUNT, H(edges) },
	{ "outliers", "Outliers", CELL_COUNT, H(outliers) },
	{ "offset_ns", "Correction", CELL_SIGNED, H(offset_ns) },
	{ "drift_ppb", "Frequency", CELL_PPB, H(drift_ppb) },
	{ "std_ns", "Std", CELL_TIME, H(std_ns) },
	{ "error_ns", "Error", CELL_TIME, H(error_ns) },
	{ .key = NULL },
};

static void status_object(FILE *out, const struct cell *cell, const void *row)
{
	const char *before = "{ ";

	for (; cell->key; cell++, before = ", ") {
		fputs(before, out);
		cell_json(out, cell, row);
	}
	fputs(" }", out);
}

/* A list: an object a line. */
static void status_list(FILE *out, const struct cell *cells, const void *rows,
			size_t n, size_t size)
{
	size_t i;

	fputs("[", out);
	for (i = 0; i < n; i++) {
		fputs(i ? ",\n  " : "\n  ", out);
		status_object(out, cells, (const char *)rows + i * size);
	}
	fputs(n ? "\n]\n" : "]\n", out);
}

/* Columns as wide as what is in them. */
static void status_table(FILE *out, const struct cell *cells, const void *rows,
			 size_t n, size_t size)
{
	int width[COLUMNS_MAX], w, c;
	char text[CELL_MAX];
	size_t i;

	for (c = 0; cells[c].key; c++) {
		width[c] = cells[c].title ? (int)strlen(cells[c].title) : 0;
		for (i = 0; cells[c].title && i < n; i++) {
			w = strlen(cell_text(&cells[c], (const char *)rows + i * size, text));
			width[c] = w > width[c] ? w : width[c];
		}
	}
	for (i = 0; i <= n; i++) {
		const char *between = "";

		for (c = 0; cells[c].key; c++) {
			const struct cell *cell = &cells[c];

			if (!cell->title)
				continue;
			if (i)
				cell_text(cell, (const char *)rows + (i - 1) * size, text);
			fprintf(out, "%s%*s", between,
				cell->kind == CELL_TEXT ? -width[c] : width[c],
				i ? text : cell->title);
			between = "  ";
		}
		fputc('\n', out);
	}
}

static void status_print_tracking(FILE *out, const struct status *status, int json)
{
	const struct cell *cell = status_tracking_cells;
	char text[CELL_MAX];

	if (json) {
		status_object(out, cell, &status->tracking);
		fputc('\n', out);
		return;
	}
	for (; cell->key; cell++)
		fprintf(out, "%-15s : %s\n", cell->title,
			cell_text(cell, &status->tracking, text));
}

static void status_print_peers(FILE *out, const struct status *status, int json)
{
	(json ? status_list : status_table)(out, status_peer_cells, status->peers,
					    status->n_peers, sizeof(*status->peers));
}

static void status_print_edges(FILE *out, const struct status *status, int json)
{
	(json ? status_list : status_table)(out, status_edge_cells, status->edges,
					    status->n_edges, sizeof(*status->edges));
}

static void status_print_hosts(FILE *out, const struct status *status, int json)
{
	if (json || status->coordinating)
		(json ? status_list : status_table)(out, status_host_cells, status->hosts,
						    status->n_hosts,
						    sizeof(*status->hosts));
	else
		fprintf(out,
			"Only the coordinator, host %" PRIu32
			", knows all hosts: run this command there.\n",
			status->tracking.coordinator);
}

static void status_print_stats(FILE *out, const struct status *status, int json)
{
	const char *before = "{ ";
	size_t i;

	for (i = 0; i < status->n_counters; i++, before = ", ") {
		const struct status_counter *counter = &status->counters[i];

		if (!json) {
			fprintf(out, "%-24s %12" PRIu64 "  %s\n", counter->name,
				counter->value, counter->what);
			continue;
		}
		fputs(before, out);
		cell_quote(out, counter->name);
		fprintf(out, ": %" PRIu64, counter->value);
	}
	if (json)
		fputs(status->n_counters ? " }\n" : "{ }\n", out);
}

static void status_print_sync(FILE *out, const struct status *status, int json)
{
	(void)json;
	fprintf(out, "%s %" PRId64 "\n", status->tracking.state,
		status->tracking.error_ns);
}

static const struct status_thing {
	const char *what;
	void (*print)(FILE *out, const struct status *status, int json);
} status_things[] = {
	{ "tracking", status_print_tracking },
	{ "peers", status_print_peers },
	{ "edges", status_print_edges },
	{ "hosts", status_print_hosts },
	{ "stats", status_print_stats },
	{ "sync", status_print_sync },
	{ NULL, NULL },
};

static const struct status_thing *status_find(const char *what)
{
	const struct status_thing *thing = status_things;

	while (thing->what && strcmp(thing->what, what))
		thing++;
	return thing->what ? thing : NULL;
}

int status_is(const char *what)
{
	return !!status_find(what);
}

void status_print(FILE *out, const char *what, const struct status *status,
		  int json)
{
	status_find(what)->print(out, status, json);
}
