// SPDX-License-Identifier: GPL-2.0
/*
 * Output files of a run
 *
 * Nothing here depends on the wall clock or on the machine: two equal runs
 * in virtual time write equal files.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../lib/json_write.h"
#include "client.h"
#include "loop.h"
#include "report.h"

#define PROGRESS_NS	(20 * NSEC_PER_MSEC)

/* A terminal is written to once in so many times. */
#define TERMINAL_EVERY	50

static const char *const end_names[] = {
	[END_NONE] = "unfinished",
	[END_DONE] = "done",
	[END_STOPPED] = "stopped",
	[END_FAILED] = "failed",
};

static struct {
	int fd;
	bool terminal;
	bool failed;
	unsigned int turn;
	struct watch timer;
} progress = { .fd = -1 };

bool report_is_stdout(const char *path)
{
	return path && !strcmp(path, "-");
}

int report_close(FILE *f, const char *path)
{
	bool bad = ferror(f), is_file;
	struct stat st;

	is_file = f != stdout && !fstat(fileno(f), &st) && S_ISREG(st.st_mode);
	if (!(f == stdout ? fflush(f) : fclose(f)) && !bad)
		return 0;
	complain(NULL, "%s: cannot write: %s", path, strerror(errno));
	/* A part would be taken for the whole. */
	if (is_file)
		unlink(path);
	return -1;
}

FILE *report_open(const char *path)
{
	FILE *f = report_is_stdout(path) ? stdout : fopen(path, "we");

	if (!f)
		complain(NULL, "%s: %s", path, strerror(errno));
	return f;
}

/* A figure that is not known is an empty field. */
static void print_known(FILE *f, u32 value)
{
	if (value != UNKNOWN)
		fprintf(f, "%" PRIu32, value);
	fputc(',', f);
}

static void print_flow(FILE *f, u32 id, const struct flow *flow, const struct traffic *t)
{
	bool measured = flow->end == END_DONE || flow->end == END_STOPPED;

	fprintf(f, "%" PRIu32 ",%s,%s,%s,%" PRIu64 ",%" PRId64 ",", id,
		t->group[flow->group].name, t->host[flow->sender].name,
		t->host[flow->receiver].name, flow->size, flow->started);
	if (measured)
		fprintf(f, "%" PRId64, flow->ended - flow->started);
	fprintf(f, ",%s,", flow->reused ? "reuse" : "new");
	print_known(f, flow->retrans);
	print_known(f, flow->timeouts);
	print_known(f, flow->delivered_ce);
	print_known(f, flow->min_rtt_us);
	fprintf(f, "%" PRIu64 ",%" PRIu32 ",%s\n", flow->bytes, flow->query,
		end_names[flow->end]);
}

int report_flows(const char *path, const struct flows *flows, const struct traffic *t)
{
	FILE *f = report_open(path);
	u32 id;

	if (!f)
		return -1;
	fputs("id,group,sender,receiver,size_bytes,start_ns,fct_ns,conn,retrans,timeouts,", f);
	fputs("delivered_ce,min_rtt_us,bytes,query,end\n", f);
	for (id = 0; id < flows->n; id++)
		if (flows->flow[id].begun)
			print_flow(f, id, &flows->flow[id], t);
	return report_close(f, path);
}

/* Totals of one group, or of all. */
struct totals {
	u64 planned;
	u64 end[ARRAY_SIZE(end_names)];
	u64 bytes;
	u64 reused;
	u64 retrans;
	u64 timeouts;
	u64 delivered_ce;
	u64 cnps;
	u64 offered;
	u64 accepted;
	s64 last;
};

static void totals_add(struct totals *sum, const struct flow *f)
{
	/* Drawn for a worker whose time was over before. */
	if (f->chained && !f->begun)
		return;
	sum->planned++;
	sum->end[f->end]++;
	sum->bytes += f->bytes;
	sum->reused += f->reused;
	sum->retrans += f->retrans == UNKNOWN ? 0 : f->retrans;
	sum->timeouts += f->timeouts == UNKNOWN ? 0 : f->timeouts;
	sum->delivered_ce += f->delivered_ce == UNKNOWN ? 0 : f->delivered_ce;
	sum->cnps += f->cnps;
	sum->offered += f->offered;
	sum->accepted += f->accepted;
	if (f->end != END_NONE && f->ended > sum->last)
		sum->last = f->ended;
}

static void totals_write(struct json_writer *w, const struct totals *sum)
{
	json_unsigned(w, "flows", sum->planned);
	json_unsigned(w, "done", sum->end[END_DONE]);
	json_unsigned(w, "stopped", sum->end[END_STOPPED]);
	json_unsigned(w, "failed", sum->end[END_FAILED]);
	json_unsigned(w, "unfinished", sum->end[END_NONE]);
	json_unsigned(w, "bytes", sum->bytes);
	json_unsigned(w, "reused", sum->reused);
	json_unsigned(w, "retransmits", sum->retrans);
	json_unsigned(w, "timeouts", sum->timeouts);
	json_unsigned(w, "delivered_ce", sum->delivered_ce);
	json_unsigned(w, "cnps", sum->cnps);
	json_signed(w, "last_end_ns", sum->last);
}

static void group_write(struct json_writer *w, const struct group *g, const struct totals *sum)
{
	json_open(w, NULL, '{');
	json_string(w, "name", g->name);
	json_string(w, "cc", cc_names[g->cc]);
	totals_write(w, sum);
	if (g->cc == CC_CBR) {
		json_unsigned(w, "offered_bytes", sum->offered);
		json_unsigned(w, "accepted_bytes", sum->accepted);
	}
	if (g->kind == KIND_POISSON)
		json_unsigned(w, "cdf_mean_bytes", (u64)(cdf_sum2(&g->cdf) / (2 * CDF_ONE)));
	json_close(w, '}');
}

int report_summary(const char *path, const struct flows *flows, const struct traffic *t, u64 seed)
{
	struct totals *sums = calloc(t->groups + 1, sizeof(*sums));
	struct json_writer w = { .spaced = true };
	u32 i;

	if (!sums)
		return complain(NULL, "out of memory");
	w.to = report_open(path);
	if (!w.to) {
		free(sums);
		return -1;
	}
	for (i = 0; i < flows->n; i++) {
		totals_add(&sums[flows->flow[i].group], &flows->flow[i]);
		totals_add(&sums[t->groups], &flows->flow[i]);
	}
	json_open(&w, NULL, '{');
	json_unsigned(&w, "seed", seed);
	totals_write(&w, &sums[t->groups]);
	json_open(&w, "groups", '[');
	for (i = 0; i < t->groups; i++)
		group_write(&w, &t->group[i], &sums[i]);
	json_close(&w, ']');
	json_close(&w, '}');
	fputc('\n', w.to);
	free(sums);
	return report_close(w.to, path);
}

int report_server(const char *path, const struct server_counts *counts)
{
	struct json_writer w = { .to = report_open(path), .spaced = true };

	if (!w.to)
		return -1;
	json_open(&w, NULL, '{');
	json_unsigned(&w, "accepted", counts->accepted);
	json_unsigned(&w, "turned_away", counts->turned_away);
	json_unsigned(&w, "requests", counts->requests);
	json_unsigned(&w, "bad_requests", counts->bad_requests);
	json_unsigned(&w, "timed_out", counts->timed_out);
	json_unsigned(&w, "bytes", counts->bytes);
	json_unsigned(&w, "no_files", counts->no_files);
	json_close(&w, '}');
	fputc('\n', w.to);
	return report_close(w.to, path);
}

static void progress_write(void)
{
	const struct client_counts *counts = client_get_counts();
	char line[64];
	int len;

	if (progress.fd >= 0) {
		/* The numbers only grow, so the line never gets shorter. */
		len = snprintf(line, sizeof(line), "%" PRIu64 " %" PRIu32 " %" PRIu32 "\n",
			       clock_now(), counts->ended, counts->begun);
		if (pwrite(progress.fd, line, len, 0) != len) {
			complain(NULL, "progress: cannot write: %s", strerror(errno));
			close(progress.fd);
			progress.fd = -1;
			progress.failed = true;
		}
	}
	if (progress.terminal && !(progress.turn++ % TERMINAL_EVERY))
		fprintf(stderr, "\rflowgen: %" PRIu32 " of %" PRIu32 " flows ended ",
			counts->ended, counts->begun);
}

static void progress_ready(struct watch *w, u32 events)
{
	(void)events;
	timer_after(w, PROGRESS_NS);
	progress_write();
}

int progress_open(const char *path)
{
	progress.terminal = isatty(STDERR_FILENO);
	if (path) {
		progress.fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
		if (progress.fd < 0)
			return complain(NULL, "%s: %s", path, strerror(errno));
	}
	if (!path && !progress.terminal)
		return 0;
	progress.timer.ready = progress_ready;
	if (timer_open(&progress.timer))
		return -1;
	timer_after(&progress.timer, PROGRESS_NS);
	return 0;
}

int progress_close(void)
{
	progress.turn = 0;
	progress_write();
	if (progress.terminal)
		fputc('\n', stderr);
	if (progress.fd >= 0)
		close(progress.fd);
	return progress.failed ? -1 : 0;
}
