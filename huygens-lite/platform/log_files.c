// SPDX-License-Identifier: GPL-2.0
/*
 * The log files.  A head is repeated now and then, as in chrony's, so that any
 * screen of a file can be read.
 */
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/log.h"
#include "log_files.h"
#include "writer.h"

/* Lines from one head to the next, as chrony's logbanner. */
#define LOG_BANNER	32
/* Bytes that may wait for the disk, of each file; a window always may. */
#define LOG_WAITING	(1 << 20)
#define LOG_PATH	(CONF_PATH_MAX + 32)

/** enum log_file - the files */
enum log_file { LOG_TRACKING, LOG_MEASUREMENTS, LOG_STATISTICS, LOG_FILES };

/**
 * struct log_form - what a file looks like
 * @name: of the file
 * @head: above its columns
 */
static const struct log_form {
	const char *name;
	const char *head;
} log_forms[LOG_FILES] = {
	[LOG_TRACKING] = {
		"tracking.log",
		"   Date (UTC) Time        Window State     Coord      Offset   Change ns  Freq ppb  Skew ppb   Error ns       Middle raw ns    Common less raw ns"
	},
	[LOG_MEASUREMENTS] = { "measurements.log",
		"   Date (UTC) Time        Window  Peer  Sent  Recv Accpt  Lost    Tol ns" },
	[LOG_STATISTICS] = {
		"statistics.log",
		"   Date (UTC) Time        Window     I     J Valid        Offset  Freq ppb DelSum ns    Residual There  Back"
	},
};

/**
 * struct log_text - lines that wait for the disk, all of a window or none
 * @bytes: the lines; NULL: there are none
 * @len: bytes
 */
struct log_text {
	char	*bytes;
	size_t	len;
};

/* The files, and under the writer's lock, too, what waits for them. */
static FILE *log_files[LOG_FILES];
static struct log_text log_waiting[LOG_FILES];
static FILE *log_window[LOG_FILES];	/* in memory: the lines of this window */
static unsigned int log_lines[LOG_FILES];
static unsigned int log_dropped;	/* windows, since the disk last kept up */
static char log_made[CONF_PATH_MAX];	/* the folder, if it was made here */

static void log_close_all(FILE *files[LOG_FILES])
{
	int i;

	for (i = 0; i < LOG_FILES; i++) {
		if (files[i])
			fclose(files[i]);
		files[i] = NULL;
	}
}

int log_files_open(const struct huygens_conf *conf, char *why, size_t size)
{
	const int wanted[LOG_FILES] = {
		[LOG_TRACKING] = conf->tracking,
		[LOG_MEASUREMENTS] = conf->measurements,
		[LOG_STATISTICS] = conf->statistics,
	};
	FILE *files[LOG_FILES] = { NULL };
	char path[LOG_PATH];
	int i;

	if ((conf->tracking || conf->measurements || conf->statistics) &&
	    !mkdir(conf->log_dir, 0750))
		memcpy(log_made, conf->log_dir, sizeof(log_made));
	for (i = 0; i < LOG_FILES; i++) {
		if (!wanted[i])
			continue;
		snprintf(path, sizeof(path), "%s/%s", conf->log_dir, log_forms[i].name);
		files[i] = log_append(path);
		if (files[i])
			continue;
		snprintf(why, size, "[log] directory: %s: %s", path,
			 errno == ELOOP || errno == EMLINK || errno == ENXIO ?
			 "it is a symbolic link or not a regular file" : strerror(errno));
		log_close_all(files);
		return -1;
	}
	writer_lock();
	log_close_all(log_files);
	memcpy(log_files, files, sizeof(files));
	writer_unlock();
	memset(log_lines, 0, sizeof(log_lines));
	log_start("huygens-lite", (enum log_level)conf->level);
	return 0;
}

void log_files_give(uid_t uid, gid_t gid)
{
	int i;

	for (i = 0; i < LOG_FILES; i++)
		if (log_files[i])
			(void)!fchown(fileno(log_files[i]), uid, gid);
	if (*log_made)
		(void)!lchown(log_made, uid, gid);
}

void log_files_close(void)
{
	log_close_all(log_files);
}

/* Begin a line of a file; NULL if it is not kept. */
static FILE *log_begin(enum log_file which, int64_t utc_ns, uint64_t window)
{
	FILE *file = log_window[which];
	time_t s = utc_ns / 1000000000;
	char date[32];
	struct tm tm;

	if (!file)
		return NULL;
	if (!(log_lines[which]++ % LOG_BANNER)) {
		int n = strlen(log_forms[which].head);

		while (n--)
			fputc('=', file);
		fprintf(file, "\n%s\n", log_forms[which].head);
	}
	if (!gmtime_r(&s, &tm) || !strftime(date, sizeof(date), "%F %T", &tm))
		snprintf(date, sizeof(date), "-");
	fprintf(file, "%s %12" PRIu64, date, window);
	return file;
}

static void log_time(FILE *file, int width, int64_t ns)
{
	if (ns == STATUS_UNKNOWN)
		fprintf(file, " %*s", width, "-");
	else
		fprintf(file, " %*" PRId64, width, ns);
}

static void log_ppb(FILE *file, int width, double ppb)
{
	if (isfinite(ppb))
		fprintf(file, " %*.3f", width, ppb);
	else
		fprintf(file, " %*s", width, "-");
}

static void log_tracking(int64_t utc_ns, const struct status_tracking *t)
{
	FILE *file = log_begin(LOG_TRACKING, utc_ns, t->window);

	if (!file)
		return;
	fprintf(file, " %-8s %6" PRIu32, t->state, t->coordinator);
	log_time(file, 11, t->offset_ns);
	log_time(file, 11, t->last_change_ns);
	log_ppb(file, 9, t->drift_ppb);
	log_ppb(file, 9, t->skew_ppb);
	log_time(file, 10, t->error_ns);
	log_time(file, 19, t->middle_raw_ns);
	log_time(file, 21, t->middle_ns == STATUS_UNKNOWN ? STATUS_UNKNOWN :
		 t->middle_ns - t->middle_raw_ns);
	fputc('\n', file);
}

static void log_peer(int64_t utc_ns, uint64_t window, const struct status_peer *p)
{
	FILE *file = log_begin(LOG_MEASUREMENTS, utc_ns, window);

	if (!file)
		return;
	fprintf(file, " %5" PRIu32 " %5" PRIu32 " %5" PRIu32 " %5" PRIu32 " %5" PRIu32,
		p->id, p->sent, p->received, p->accepted, p->lost_stamps);
	log_time(file, 9, p->tolerance_ns);
	fputc('\n', file);
}

static void log_edge(int64_t utc_ns, const struct status_edge *e)
{
	FILE *file = log_begin(LOG_STATISTICS, utc_ns, e->window);

	if (!file)
		return;
	fprintf(file, " %5" PRIu32 " %5" PRIu32 " %5s", e->i, e->j,
		e->valid ? "yes" : e->why ? e->why : "no");
	log_time(file, 13, e->theta_ns);
	log_ppb(file, 9, e->drift_ppb);
	log_time(file, 9, e->delay_sum_ns);
	log_time(file, 11, e->residual_ns);
	fprintf(file, " %5" PRIu32 " %5" PRIu32 "\n", e->points_ij, e->points_ji);
}

/* A descriptor of the job's own: the file may be closed meanwhile. */
static int log_take(enum log_file which, struct log_text *text)
{
	int fd = -1;

	writer_lock();
	*text = log_waiting[which];
	log_waiting[which] = (struct log_text){ NULL };
	if (log_files[which] && text->len)
		fd = dup(fileno(log_files[which]));
	writer_unlock();
	return fd;
}

static int log_write_all(int fd, const struct log_text *text)
{
	size_t done = 0;
	ssize_t n;

	for (; done < text->len; done += n) {
		n = write(fd, text->bytes + done, text->len - done);
		if (n < 0 && errno == EINTR)
			n = 0;
		if (n < 0)
			return -1;
	}
	return 0;
}

static void log_write(void)
{
	static bool failed;
	struct log_text text;
	int fd, i;

	for (i = 0; i < LOG_FILES; i++) {
		fd = log_take(i, &text);
		if (fd >= 0) {
			bool fails = log_write_all(fd, &text);

			if (fails && !failed)
				log_message(LOG_LEVEL_WARNING, "%s: %s",
					    log_forms[i].name, strerror(errno));
			failed = fails;
			close(fd);
		}
		free(text.bytes);
	}
}

static struct writer_job log_job = { .run = log_write };

/* Whether there is space for the lines of this window behind those that wait. */
static bool log_fits(const struct log_text lines[LOG_FILES])
{
	int i;

	for (i = 0; i < LOG_FILES; i++)
		if (log_waiting[i].len && log_waiting[i].len + lines[i].len > LOG_WAITING)
			return false;
	return true;
}

/* Behind those that wait; without memory for both the lines are lost. */
static void log_append_text(struct log_text *waiting, const struct log_text *lines)
{
	char *bytes = lines->len ? realloc(waiting->bytes, waiting->len + lines->len) : NULL;

	if (!bytes)
		return;
	memcpy(bytes + waiting->len, lines->bytes, lines->len);
	waiting->bytes = bytes;
	waiting->len += lines->len;
}

static void log_put(const struct log_text lines[LOG_FILES])
{
	unsigned int dropped = log_dropped;
	bool fits;
	int i;

	writer_lock();
	fits = log_fits(lines);
	for (i = 0; fits && i < LOG_FILES; i++)
		log_append_text(&log_waiting[i], &lines[i]);
	writer_unlock();
	log_dropped = fits ? 0 : dropped + 1;
	if (fits && dropped)
		log_message(LOG_LEVEL_WARNING,
			    "[log] directory: %u windows were not logged: the disk did not answer",
			    dropped);
	else if (!fits && !dropped)
		log_message(LOG_LEVEL_WARNING,
			    "[log] directory: the disk does not answer: windows are not logged");
	if (fits)
		writer_wake(&log_job);
}

void log_files_window(int64_t utc_ns, const struct status *status)
{
	struct log_text lines[LOG_FILES] = { { NULL } };
	size_t i;

	for (i = 0; i < LOG_FILES; i++)
		if (log_files[i])
			log_window[i] = open_memstream(&lines[i].bytes, &lines[i].len);
	log_tracking(utc_ns, &status->tracking);
	for (i = 0; i < status->n_peers; i++)
		log_peer(utc_ns, status->tracking.window, &status->peers[i]);
	for (i = 0; i < status->n_edges; i++)
		log_edge(utc_ns, &status->edges[i]);
	log_close_all(log_window);
	log_put(lines);
	for (i = 0; i < LOG_FILES; i++)
		free(lines[i].bytes);
}
