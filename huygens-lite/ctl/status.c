// SPDX-License-Identifier: GPL-2.0
/*
 * The output formats of a snapshot: tables of fields, and their printers.
 */
#include <inttypes.h>
#include <string.h>

#include "../../lib/field.h"
#include "status.h"

#define T(f)	offsetof(struct status_tracking, f)
static const struct field status_tracking_fields[] = {
	{ "id", "Host", FIELD_COUNT, T(id) },
	{ "name", "Name", FIELD_TEXT, T(name) },
	{ "state", "State", FIELD_STRING, T(state) },
	{ "reference", "Reference", FIELD_TEXT, T(reference) },
	{ "coordinator", "Coordinator", FIELD_COUNT, T(coordinator) },
	{ "term", "Term", FIELD_LONG, T(term) },
	{ "window", "Window", FIELD_LONG, T(window) },
	{ "age_ns", "Window age", FIELD_TIME, T(age_ns) },
	{ "offset_ns", "Correction", FIELD_SIGNED, T(offset_ns) },
	{ "last_change_ns", "Last offset", FIELD_SIGNED, T(last_change_ns) },
	{ "rms_change_ns", "RMS offset", FIELD_TIME, T(rms_change_ns) },
	{ "drift_ppb", "Frequency", FIELD_PPB, T(drift_ppb) },
	{ "skew_ppb", "Skew", FIELD_PPB, T(skew_ppb) },
	{ "error_ns", "Error bound", FIELD_TIME, T(error_ns) },
	{ "asymmetry_ns", "Asymmetry", FIELD_TIME, T(asymmetry_ns) },
	{ "utc_error_ns", "UTC error", FIELD_TIME, T(utc_error_ns) },
	{ "upper_epoch", "Upper epoch", FIELD_COUNT, T(upper_epoch) },
	{ "upper_error_ns", "Upper error", FIELD_TIME, T(upper_error_ns) },
	{ "leap", "Leap second", FIELD_STRING, T(leap) },
	{ "tai_s", "TAI-UTC (s)", FIELD_COUNT, T(tai_s) },
	{ "delay_sum_ns", "Delay sum", FIELD_TIME, T(delay_sum_ns) },
	{ "mode", "Output", FIELD_STRING, T(mode) },
	{ "remaining_ns", "Remaining", FIELD_SIGNED, T(remaining_ns) },
	{ "stamps", "Stamps", FIELD_STRING, T(stamps) },
	{ "hosts", "Hosts", FIELD_COUNT, T(hosts) },
	{ "hosts_known", "Hosts known", FIELD_COUNT, T(hosts_known) },
	{ "list", "List", FIELD_TEXT, T(list) },
	{ "next_list", "Next list", FIELD_STRING, T(next_list) },
	{ "hosts_differ", "Hosts differing", FIELD_COUNT, T(hosts_differ) },
	{ .key = NULL },
};

#define P(f)	offsetof(struct status_peer, f)
static const struct field status_peer_fields[] = {
	{ "id", "Id", FIELD_COUNT, P(id) },
	{ "name", "Name", FIELD_TEXT, P(name) },
	{ "address", NULL, FIELD_TEXT, P(address) },
	{ "alive", "Alive", FIELD_YESNO, P(alive) },
	{ "out", "Out", FIELD_YESNO, P(out) },
	{ "in", "In", FIELD_YESNO, P(in) },
	{ "stamps", "Stamps", FIELD_STRING, P(stamps) },
	{ "sent", "Sent", FIELD_COUNT, P(sent) },
	{ "received", "Received", FIELD_COUNT, P(received) },
	{ "accepted", "Accepted", FIELD_COUNT, P(accepted) },
	{ "lost_stamps", "Lost", FIELD_COUNT, P(lost_stamps) },
	{ "tolerance_ns", "Tolerance", FIELD_TIME, P(tolerance_ns) },
	{ "age_ns", "LastRx", FIELD_TIME, P(age_ns) },
	{ .key = NULL },
};

#define E(f)	offsetof(struct status_edge, f)
static const struct field status_edge_fields[] = {
	{ "i", "I", FIELD_COUNT, E(i) },
	{ "j", "J", FIELD_COUNT, E(j) },
	{ "valid", "Valid", FIELD_YESNO, E(valid) },
	{ "why", "Why", FIELD_STRING, E(why) },
	{ "stamps", "Stamps", FIELD_STRING, E(stamps) },
	{ "window", NULL, FIELD_LONG, E(window) },
	{ "theta_ns", "Offset", FIELD_SIGNED, E(theta_ns) },
	{ "drift_ppb", "Frequency", FIELD_PPB, E(drift_ppb) },
	{ "delay_sum_ns", "DelaySum", FIELD_TIME, E(delay_sum_ns) },
	{ "weight", "Weight", FIELD_REAL, E(weight) },
	{ "residual_ns", "Residual", FIELD_SIGNED, E(residual_ns) },
	{ "points_ij", "There", FIELD_COUNT, E(points_ij) },
	{ "points_ji", "Back", FIELD_COUNT, E(points_ji) },
	{ .key = NULL },
};

#define H(f)	offsetof(struct status_host, f)
static const struct field status_host_fields[] = {
	{ "id", "Id", FIELD_COUNT, H(id) },
	{ "name", "Name", FIELD_TEXT, H(name) },
	{ "state", "State", FIELD_STRING, H(state) },
	{ "differs", "Differs", FIELD_YESNO, H(differs) },
	{ "edges", "Edges", FIELD_COUNT, H(edges) },
	{ "outliers", "Outliers", FIELD_COUNT, H(outliers) },
	{ "offset_ns", "Correction", FIELD_SIGNED, H(offset_ns) },
	{ "drift_ppb", "Frequency", FIELD_PPB, H(drift_ppb) },
	{ "std_ns", "Std", FIELD_TIME, H(std_ns) },
	{ "error_ns", "Error", FIELD_TIME, H(error_ns) },
	{ .key = NULL },
};

static struct json_writer status_writer(FILE *out)
{
	return (struct json_writer){ .to = out, .spaced = true };
}

static void status_print_tracking(FILE *out, const struct status *status, int json)
{
	const struct field *field = status_tracking_fields;
	struct json_writer w = status_writer(out);
	char text[FIELD_MAX];

	if (json) {
		field_object(&w, field, &status->tracking);
		fputc('\n', out);
		return;
	}
	for (; field->key; field++)
		fprintf(out, "%-15s : %s\n", field->title,
			field_text(field, &status->tracking, text));
}

static void status_print_peers(FILE *out, const struct status *status, int json)
{
	(json ? field_list : field_table)(out, status_peer_fields, status->peers,
					    status->n_peers, sizeof(*status->peers));
}

static void status_print_edges(FILE *out, const struct status *status, int json)
{
	(json ? field_list : field_table)(out, status_edge_fields, status->edges,
					    status->n_edges, sizeof(*status->edges));
}

static void status_print_hosts(FILE *out, const struct status *status, int json)
{
	if (json || status->coordinating)
		(json ? field_list : field_table)(out, status_host_fields, status->hosts,
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
	struct json_writer w = status_writer(out);
	size_t i;

	if (!json) {
		for (i = 0; i < status->n_counters; i++)
			fprintf(out, "%-24s %12" PRIu64 "  %s\n", status->counters[i].name,
				status->counters[i].value, status->counters[i].what);
		return;
	}
	json_open(&w, NULL, '{');
	for (i = 0; i < status->n_counters; i++)
		json_unsigned(&w, status->counters[i].name, status->counters[i].value);
	json_close(&w, '}');
	fputc('\n', out);
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

/**
 * struct status_act - a request that acts, for root
 * @what: the request, and the key of its answer in JSON
 * @done: what was done, for people
 */
static const struct status_act {
	const char *what;
	const char *done;
} status_acts[STATUS_ACTIONS] = {
	[STATUS_RESET] = { "reset", "synchronisation starts over" },
	[STATUS_RELOAD] = { "reload", "configuration reloaded" },
	[STATUS_BURST] = { "burst",
			   "probes at burst_interval for " STATUS_BURST_WINDOWS " windows" },
};

/* Return: enum status_action, or STATUS_ACTIONS. */
static enum status_action status_find_act(const char *what)
{
	int i = 0;

	while (i < STATUS_ACTIONS && strcmp(status_acts[i].what, what))
		i++;
	return i;
}

static void status_act(FILE *out, const struct status_source *source, enum status_action action,
		       bool json)
{
	const struct status_act *act = &status_acts[action];
	struct json_writer w = status_writer(out);
	char why[256] = "";

	if (!source->is_root(source->data)) {
		fprintf(out, "error %s: only root may do this\n", act->what);
		return;
	}
	if (source->act(action, source->data, why, sizeof(why))) {
		fprintf(out, "error %s: %s\n", act->what, why);
		return;
	}
	fputs("ok\n", out);
	if (!json) {
		fprintf(out, "%s\n", act->done);
		return;
	}
	json_open(&w, NULL, '{');
	json_value(&w, act->what, "true");
	json_close(&w, '}');
	fputc('\n', out);
}

void status_answer(FILE *out, char *line, void *data)
{
	const struct status_source *source = data;
	struct status status = { .n_peers = 0 };
	char *json = strchr(line, ' ');

	if (json)
		*json++ = '\0';
	if (json && strcmp(json, "json")) {
		fprintf(out, "error \"%s\" is not \"json\"\n", json);
	} else if (status_find_act(line) < STATUS_ACTIONS) {
		status_act(out, source, status_find_act(line), json);
	} else if (!status_is(line)) {
		fprintf(out, "error unknown request \"%s\": use %s\n", line,
			"tracking, peers, edges, hosts, stats, reset, reload or burst");
	} else {
		source->fill(&status, source->data);
		fputs("ok\n", out);
		status_print(out, line, &status, !!json);
	}
}
