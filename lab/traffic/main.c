// SPDX-License-Identifier: GPL-2.0
/*
 * Flowgen: the order of things
 *
 * Everything is read and checked before anything is opened, everything is
 * opened before the first flow starts, and everything is reported after the
 * last one has ended.
 */
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/signalfd.h>

#include "client.h"
#include "compare.h"
#include "loop.h"
#include "options.h"
#include "outcome.h"
#include "report.h"
#include "series.h"
#include "server.h"
#include "sink.h"
#include "sock.h"

/* From set-up to time 0 of the flows, when no epoch is given. */
#define LEAD_NS		(10 * NSEC_PER_MSEC)

/* Descriptors other than those of connections: standard ones, loop, listeners, a file. */
#define SPARE_FDS	16

/* More than any run has; the kernel's own default of what root may ask for (fs.nr_open). */
#define ENOUGH_FDS	1048576

static void print_help(void)
{
	puts("flowgen - generate flows and measure their completion times\n\n"
	     "  flowgen --traffic FILE [--netns FOLDER] ...   all hosts in this process\n"
	     "  flowgen --serve [--listen ADDR:PORT] ...      a server on a real host\n"
	     "  flowgen --to ADDR:PORT --group GROUP ...      a requester on a real host\n"
	     "  flowgen --dry-run --traffic FILE ...          the flows only");
	compare_help(stdout);
	puts("\nOptions:");
	options_print(stdout);
	puts("\nThe traffic file has lines 'host NAME addr=ADDRESS [sink=ADDRESS]\n"
	     "[netns=NAME]' and 'group NAME KEY=VALUE ...'; '#' starts a comment.\n"
	     "Keys of a group, by its kind [P: poisson, Q: query, L: long,\n"
	     "C: closed]:");
	traffic_print_keys(stdout);
}

/* As many descriptors as we may have, or as are enough; tell how many. */
static u64 raise_fd_limit(void)
{
	struct rlimit limit = { ENOUGH_FDS, ENOUGH_FDS };

	/* Root may pass its limit. */
	if (!setrlimit(RLIMIT_NOFILE, &limit))
		return ENOUGH_FDS;
	if (getrlimit(RLIMIT_NOFILE, &limit))
		return 1024;
	limit.rlim_cur = limit.rlim_max;
	setrlimit(RLIMIT_NOFILE, &limit);
	return limit.rlim_cur;
}

static void signal_ready(struct watch *w, u32 events)
{
	(void)w;
	(void)events;
	loop_stop();
}

/* SIGINT and SIGTERM end the run in good order. */
static int catch_signals(void)
{
	static struct watch watch = { .ready = signal_ready };
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	watch.fd = signalfd(-1, &set, SFD_CLOEXEC);
	if (watch.fd < 0 || loop_add(&watch, EPOLLIN))
		return complain(NULL, "signals: %s", strerror(errno));
	return 0;
}

static int load_traffic(struct traffic *t, const struct options *o)
{
	size_t i;

	for (i = 0; i < o->to.n; i++)
		if (traffic_add_remote(t, o->to.text[i]))
			return -1;
	if (o->traffic && traffic_load(t, o->traffic, o->port))
		return -1;
	for (i = 0; i < o->groups.n; i++)
		if (traffic_add_group(t, o->groups.text[i]))
			return -1;
	if (!t->groups)
		return complain(&(struct place){ .file = o->traffic }, "there is no group");
	return 0;
}

/* One listener for each (sender, cc) that a group uses. */
static int listen_as(const struct traffic *t, u32 host, u32 ccs)
{
	u32 cc;

	for (cc = 0; cc < CC_DCQCN; cc++) {
		if (!(ccs & 1U << cc))
			continue;
		if (netns_enter(host))
			return -1;
		if (server_listen(&t->host[host].address, cc))
			return complain(NULL, "host '%s': cannot listen with cc=%s: %s",
					t->host[host].name, cc_names[cc], sock_cc_error(cc, errno));
	}
	return 0;
}

/* Flows over UDP are sent unasked: it is their receivers that listen. */
static int listen_rated(const struct traffic *t)
{
	bool *wanted = calloc(t->hosts, sizeof(*wanted));
	u32 i, j;
	int ret = 0;

	if (!wanted)
		return complain(NULL, "out of memory");
	for (i = 0; i < t->groups; i++)
		for (j = 0; cc_is_rated(t->group[i].cc) && j < t->group[i].receivers.n; j++)
			wanted[t->group[i].receivers.index[j]] = true;
	for (i = 0; i < t->hosts && !ret; i++) {
		if (!wanted[i])
			continue;
		ret = netns_enter(i);
		if (!ret && sink_listen(i, &t->host[i].sink))
			ret = complain(NULL, "host '%s': cannot listen for datagrams: %s",
				       t->host[i].name, strerror(errno));
	}
	free(wanted);
	return ret;
}

static int listen_all(const struct traffic *t)
{
	u32 *ccs = calloc(t->hosts, sizeof(*ccs));
	u32 i, j;
	int ret = 0;

	if (!ccs)
		return complain(NULL, "out of memory");
	for (i = 0; i < t->groups; i++)
		for (j = 0; j < t->group[i].senders.n; j++)
			ccs[t->group[i].senders.index[j]] |= 1U << t->group[i].cc;
	for (i = 0; i < t->hosts && !ret; i++)
		if (!t->host[i].remote)
			ret = listen_as(t, i, ccs[i]);
	free(ccs);
	return ret;
}

/* A receiver must have its group's congestion control before flows start. */
static int check_receivers(const struct traffic *t)
{
	u32 i, j;

	for (i = 0; i < t->groups; i++) {
		const struct group *g = &t->group[i];
		int family = t->host[g->senders.index[0]].address.ss_family;

		if (cc_is_rated(g->cc))
			continue;
		for (j = 0; j < g->receivers.n; j++) {
			if (netns_enter(g->receivers.index[j]))
				return -1;
			if (client_check_cc(family, g->cc))
				return complain(NULL, "group '%s': host '%s' cannot use cc=%s: %s",
						g->name, t->host[g->receivers.index[j]].name,
						cc_names[g->cc], sock_cc_error(g->cc, errno));
		}
	}
	return 0;
}

static int open_run(const struct options *o, const struct traffic *t, struct flows *flows)
{
	struct server_limits trusted = { .max_size = FLOW_SIZE_MAX, .max_conns = UINT64_MAX };
	struct client_job job = {
		.flows = flows,
		.traffic = t,
		.seed = o->seed,
		.give_up = o->give_up * NSEC_PER_SEC,
		.lowat = o->lowat,
		.local = o->mode == MODE_LAB,
	};
	u64 now;

	trusted.max_files = raise_fd_limit();
	if (loop_open() || catch_signals() || netns_open(o->netns, t) ||
	    server_open(&trusted, flows, client_drained) || listen_all(t) ||
	    listen_rated(t) || check_receivers(t) || progress_open(o->progress))
		return -1;
	now = clock_now();
	job.epoch = o->epoch ? o->epoch : now + LEAD_NS;
	if (job.epoch < now)
		return complain(NULL, "--epoch: it was %" PRIu64 " ns ago when all was set up",
				now - job.epoch);
	return client_open(&job) || series_open(o->series, o->step, job.epoch, t) ? -1 : 0;
}

/* All is printed: 0, or the exit code after a message. */
static int end_output(void)
{
	if (ferror(stdout) || fflush(stdout)) {
		complain(NULL, "cannot write: %s", strerror(errno));
		return EXIT_RUN;
	}
	return 0;
}

/* Standard output is a program's input: people read the table elsewhere. */
static bool writes_stdout(const struct options *o)
{
	return report_is_stdout(o->flows) || report_is_stdout(o->summary) ||
	       report_is_stdout(o->series);
}

static int run(const struct options *o, const struct traffic *t, struct flows *flows)
{
	const struct client_counts *counts = client_get_counts();
	bool lost;
	int ret;

	if (open_run(o, t, flows) || loop_run())
		return EXIT_RUN;
	server_settle();
	ret = progress_close();
	lost = counts->ended < counts->planned || counts->failed;
	if (lost)
		complain(NULL, "of %" PRIu32 " flows, %" PRIu32 " did not begin, %" PRIu32
			 " began and did not end, %" PRIu32 " failed", counts->planned,
			 counts->planned - counts->begun, counts->begun - counts->ended,
			 counts->failed);
	if (series_close())
		ret = -1;
	if (o->flows && report_flows(o->flows, flows, t))
		ret = -1;
	if (o->summary && report_summary(o->summary, flows, t, o->seed))
		ret = -1;
	if (outcome_print(writes_stdout(o) ? stderr : stdout, flows, t) || end_output())
		ret = -1;
	if (ret)
		return EXIT_RUN;
	return lost ? EXIT_FLOWS : 0;
}

/* Listen with every congestion control that this kernel has. */
static int listen_serve(const struct sockaddr_storage *address)
{
	u32 cc, n = 0;

	for (cc = 0; cc < CC_DCQCN; cc++) {
		if (!server_listen(address, cc)) {
			n++;
			continue;
		}
		if (errno != ENOENT && errno != EPERM)
			return complain(NULL, "--listen: cc=%s: %s", cc_names[cc], strerror(errno));
		complain(NULL, "cc=%s is not served: %s", cc_names[cc], sock_cc_error(cc, errno));
	}
	return n ? 0 : -1;
}

static int serve(const struct options *o)
{
	struct server_limits limits = {
		.max_size = o->max_size,
		.max_conns = o->max_conns,
		.request_s = o->request_timeout,
		.idle_s = o->idle_timeout,
	};
	const struct server_counts *counts = server_get_counts();
	struct sockaddr_storage address;

	if (parse_address(NULL, "--listen", o->listen, 0, &address))
		return EXIT_REFUSED;
	limits.max_files = raise_fd_limit();
	if (limits.max_conns + SPARE_FDS > limits.max_files) {
		limits.max_conns = 1;
		if (limits.max_files > SPARE_FDS)
			limits.max_conns = limits.max_files - SPARE_FDS;
		limits.few_files = true;
		complain(NULL, "--max-conns: %" PRIu64 ", not %" PRIu64
			 ", as ulimit -n is %" PRIu64,
			 limits.max_conns, o->max_conns, limits.max_files);
	}
	if (loop_open() || catch_signals() || server_open(&limits, NULL, NULL) ||
	    listen_serve(&address) || loop_run())
		return EXIT_RUN;
	complain(NULL, "served %" PRIu64 " requests on %" PRIu64 " connections, %" PRIu64
		 " bytes; %" PRIu64 " bad requests, %" PRIu64 " timeouts, %" PRIu64
		 " turned away, %" PRIu64 " of them for want of open files",
		 counts->requests, counts->accepted, counts->bytes, counts->bad_requests,
		 counts->timed_out, counts->turned_away, counts->no_files);
	return o->summary && report_server(o->summary, counts) ? EXIT_RUN : 0;
}

int main(int argc, char **argv)
{
	struct traffic traffic = { 0 };
	struct options o;
	struct flows flows = { 0 };
	int ret;

	if (argc > 1 && !strcmp(argv[1], "compare")) {
		ret = compare_main(argc - 1, argv + 1);
		return end_output() ? EXIT_RUN : ret;
	}
	if (options_parse(&o, argc, argv))
		return EXIT_REFUSED;
	if (o.mode == MODE_HELP) {
		print_help();
		return end_output();
	}
	if (o.mode == MODE_VERSION) {
		puts("flowgen (sharpramp) " FLOWGEN_VERSION);
		return end_output();
	}
	if (o.mode == MODE_SERVE)
		return serve(&o);
	if (load_traffic(&traffic, &o) || flows_build(&flows, &traffic, o.seed)) {
		ret = EXIT_REFUSED;
	} else if (o.mode == MODE_DRY_RUN) {
		flows_print(&flows, &traffic, stdout);
		ret = end_output();
	} else {
		ret = run(&o, &traffic, &flows);
	}
	flows_free(&flows);
	traffic_free(&traffic);
	return ret;
}
