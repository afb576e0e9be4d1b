// SPDX-License-Identifier: GPL-2.0
/*
 * serve - a control socket with known answers, until standard input ends
 *
 *	serve SOCKET [HOSTS]
 *
 * HOSTS makes so many hosts, for answers that no socket's buffer holds.
 */
#include <math.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../lib/control.h"
#include "../../../lib/fail.h"
#include "../../ctl/status.h"

static struct status_host *hosts;
static size_t n_hosts;
static int requests;
static struct control *control;

static void fill(struct status *status, void *data)
{
	static const struct status_peer peers[] = {
		{ .id = 2, .name = "web2", .address = "10.0.0.2:31900", .out = 1, .alive = 1, .stamps = "software", .sent = 100,
		  .received = 98, .accepted = 70, .lost_stamps = 1, .tolerance_ns = 2000, .age_ns = 12345678 },
		{ .id = 300, .name = "a\"b\\c", .address = "[fd00::3]:31900", .in = 1, .tolerance_ns = STATUS_UNKNOWN,
		  .age_ns = STATUS_UNKNOWN },
	};
	static const struct status_edge edges[] = {
		{ .i = 1, .j = 2, .valid = 1, .stamps = "mixed", .window = 7, .theta_ns = -1234, .drift_ppb = 10.5, .delay_sum_ns = 6000, .weight = 1e-5,
		  .residual_ns = 3, .points_ij = 140, .points_ji = 139 },
		{ .i = 1, .j = 3, .why = "few", .theta_ns = STATUS_UNKNOWN, .drift_ppb = NAN, .delay_sum_ns = STATUS_UNKNOWN,
		  .residual_ns = STATUS_UNKNOWN, .weight = INFINITY },
	};
	static const struct status_counter counters[] = {
		{ "probes_sent", 18446744073709551615ULL, "probes sent" },
		{ "stamps_lost", 0, "Tx stamps lost" },
	};
	static const char *const states[] = { "init", "acquire", "locked" };

	(void)data;
	status->tracking = (struct status_tracking){
		.id = 1, .name = "web1", .state = states[requests < 3 ? requests : 2], .reference = "utc 3", .mode = "publish",
		.coordinator = 2, .term = 5, .window = 1234567890123, .age_ns = 2100000000, .offset_ns = -123456789,
		.last_change_ns = 12, .rms_change_ns = 15, .drift_ppb = -12345.678, .skew_ppb = NAN, .error_ns = 830,
		.asymmetry_ns = 6500, .utc_error_ns = 1200000, .upper_epoch = 77, .upper_error_ns = 900, .leap = "insert", .tai_s = 37,
		.delay_sum_ns = 99996, .remaining_ns = STATUS_UNKNOWN, .stamps = "software", .hosts = 3, .hosts_known = 4,
		.list = "89abcdef", .hosts_differ = 2,
	};
	requests++;
	status->peers = peers;
	status->n_peers = 2;
	status->edges = edges;
	status->n_edges = 2;
	status->hosts = hosts;
	status->n_hosts = n_hosts;
	status->coordinating = n_hosts > 0;
	status->counters = counters;
	status->n_counters = 2;
}

static bool is_root(void *data)
{
	(void)data;
	return control_asker_is_root(control);
}

/* Its state is that of the beginning. */
static int act(enum status_action action, void *data, char *why_not, size_t size)
{
	(void)data;
	if (action == STATUS_RELOAD)
		return fail(why_not, size, "f:3: [mesh] degree: \"x\" is not 1 to 64");
	requests = 0;
	return 0;
}

int main(int argc, char **argv)
{
	struct pollfd fds[2] = { { .events = POLLIN }, { .fd = 0, .events = POLLIN } };
	struct status_source source = { .fill = fill, .is_root = is_root, .act = act };
	char why[256];
	size_t i;

	if (argc < 2)
		return 2;
	n_hosts = argc > 2 ? strtoul(argv[2], NULL, 10) : 0;
	hosts = calloc(n_hosts + 1, sizeof(*hosts));
	for (i = 0; i < n_hosts; i++) {
		hosts[i] = (struct status_host){ .id = i + 1, .state = "solved", .edges = 10, .std_ns = 20, .error_ns = 100 };
		snprintf(hosts[i].name, sizeof(hosts[i].name), "host%zu", i + 1);
	}
	control = control_open(argv[1], "huygens-lite", status_answer, &source, why,
			       sizeof(why));
	if (!control) {
		puts(why);
		free(hosts);
		return 1;
	}
	puts("ready");
	fflush(stdout);
	fds[0].fd = control_fd(control);
	while (poll(fds, 2, -1) > 0 && !fds[1].revents)
		control_work(control);
	control_close(control);
	free(hosts);
	return 0;
}
