// SPDX-License-Identifier: GPL-2.0
/*
 * Drift file, readiness, log.
 */
#include <fcntl.h>
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#include "../../../lib/log.h"
#include "../../../lib/notify.h"
#include "../../../selftests/lib/tap.h"
#include "../../platform/drift.h"
#include "../../platform/drift_writer.h"
#include "../../platform/log_files.h"
#include "../../platform/writer.h"

static char folder[] = "/tmp/huygens-platform.XXXXXX";
static char path[128];
static char why[256];

static const char *below(const char *name)
{
	snprintf(path, sizeof(path), "%s/%s", folder, name);
	return path;
}

static void write_file(const char *name, const char *text, size_t len)
{
	FILE *file = fopen(below(name), "w");

	fwrite(text, 1, len, file);
	fclose(file);
}

static const char *read_file(const char *name)
{
	static char text[1 << 21];
	FILE *file = fopen(below(name), "r");
	size_t n = file ? fread(text, 1, sizeof(text) - 1, file) : 0;

	if (file)
		fclose(file);
	text[n] = '\0';
	return text;
}

static void test_drift(void)
{
	static const char *const bad[] = {
		"", "\n", "1.5\n", "1.5 0.1", "1.5 0.1\n\n", "1.5 0.1 3\n", "x 0.1\n", "1.5 x\n", "nan 0.1\n", "1.5 nan\n",
		"inf 0.1\n", "1000.1 0.1\n", "-1000.1 0.1\n", "1.5 -0.1\n", "1.5 1000.1\n", "1.5 1e300\n", "1,5 0.1\n",
	};
	double drift = 42, skew = 43;
	size_t i;

	tap_ok(drift_read("", &drift, &skew, why, sizeof(why)) == -1 && !*why, "drift: no file is wanted");
	tap_ok(drift_read(below("drift"), &drift, &skew, why, sizeof(why)) == -1 && !*why, "drift: there is none yet");
	tap_ok(drift_read(folder, &drift, &skew, why, sizeof(why)) == -1 && strstr(why, "Is a directory"), "drift: a folder");
	for (i = 0; i < sizeof(bad) / sizeof(bad[0]); i++) {
		write_file("drift", bad[i], strlen(bad[i]));
		tap_ok(drift_read(below("drift"), &drift, &skew, why, sizeof(why)) == -1 &&
		       strstr(why, "drift: not two numbers, a drift within 1000 ppm and its skew: ignored") &&
		       drift == 42 && skew == 43, "drift: refused: \"%.*s\"", (int)strcspn(bad[i], "\n"), bad[i]);
	}
	write_file("drift", "1.5 0.1\n\0", 9);
	tap_ok(drift_read(below("drift"), &drift, &skew, why, sizeof(why)) == -1, "drift: refused: a zero");
	tap_ok(!drift_write(below("drift"), -12.345678, 0.01, why, sizeof(why)) &&
	       !drift_read(below("drift"), &drift, &skew, why, sizeof(why)) &&
	       fabs(drift + 12.345678) < 1e-9 && fabs(skew - 0.01) < 1e-9, "drift: what is written is read");
	tap_ok(drift_write(below("drift"), NAN, 0.01, why, sizeof(why)) == -1 && strstr(why, "implausible") &&
	       drift_write(below("drift"), 1e6, 0.01, why, sizeof(why)) == -1 &&
	       drift_write(below("drift"), 1, -1, why, sizeof(why)) == -1 &&
	       strstr(read_file("drift"), "-12.345678"), "drift: absurd ones are not, and the old one stays");
	tap_ok(access(below("drift.part"), F_OK), "drift: no half file is left");
	mkdir(below("drift.part"), 0755);
	tap_ok(drift_write(below("drift"), 1, 1, why, sizeof(why)) == -1 && strstr(read_file("drift"), "-12.345678"),
	       "drift: what cannot be written leaves the old one");
	rmdir(below("drift.part"));
	tap_ok(symlink("/dev/null", below("drift.part")) == 0 && drift_write(below("drift"), 1, 1, why, sizeof(why)) == -1,
	       "drift: a link in its place is not followed");
	tap_ok(drift_write("/nowhere/drift", 1, 1, why, sizeof(why)) == -1 && strstr(why, "/nowhere/drift: No such file"),
	       "drift: no folder: says so");
	tap_ok(!drift_write("", 1, 1, why, sizeof(why)), "drift: none is written if none is wanted");
}

/* A disk that does not answer is a pipe without a reader: the drift's writer waits. */
static void test_keeper(void)
{
	char file[128], text[64] = "";
	double drift = 0, skew = 0;
	int fd, i;

	drift_writer_open("");
	tap_ok(!writer_begin(why, sizeof(why)), "keeper: nothing is to be kept");
	drift_writer_put(1, 1);
	writer_end();
	snprintf(file, sizeof(file), "%s", below("kept"));
	drift_writer_open(file);
	tap_ok(!writer_begin(why, sizeof(why)), "keeper: begins");
	drift_writer_put(-1.5, 0.25);
	writer_end();
	tap_ok(!drift_read(file, &drift, &skew, why, sizeof(why)) && drift == -1.5 && skew == 0.25,
	       "keeper: its end waits for what was kept");
	drift_writer_put(9, 9);
	tap_ok(!drift_read(file, &drift, &skew, why, sizeof(why)) && drift == -1.5, "keeper: nothing is kept after it");

	/* A join of this one would block for ever; the signal is the end of the test then. */
	alarm(120);
	if (mkfifo(below("kept.part"), 0600) || writer_begin(why, sizeof(why)))
		return;
	for (i = 1; i <= 3; i++)
		drift_writer_put(i, 0.5);
	tap_ok(1, "keeper: a disk that lets wait is not waited for");
	tap_ok(!drift_read(file, &drift, &skew, why, sizeof(why)) && drift == -1.5, "keeper: and what was there is there");
	fd = open(below("kept.part"), O_RDONLY);
	tap_ok(read(fd, text, sizeof(text) - 1) > 0 && strstr(text, ".000000             0.500000"), "keeper: it writes what was queued when it can");
	unlink(below("kept.part"));
	close(fd);
	drift_writer_put(4, 0.5);
	writer_end();
	tap_ok(!drift_read(file, &drift, &skew, why, sizeof(why)) && drift == 4, "keeper: and the latest is what is kept");
	alarm(0);
}

static const char *received(int fd)
{
	static char text[1024];
	ssize_t n = recv(fd, text, sizeof(text) - 1, MSG_DONTWAIT);

	text[n < 0 ? 0 : n] = '\0';
	return text;
}

static void test_notify_at(const char *name, int abstract)
{
	struct sockaddr_un at = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM, 0);
	char full[120];

	snprintf(full, sizeof(full), abstract ? "@%s%s" : "%s/%s", folder, name);
	strcpy(at.sun_path, full);
	if (abstract)
		*at.sun_path = '\0';
	if (bind(fd, (struct sockaddr *)&at, offsetof(struct sockaddr_un, sun_path) + strlen(full)))
		perror("bind");
	setenv("NOTIFY_SOCKET", full, 1);
	notify_open();
	notify_ready();
	tap_ok(!strcmp(received(fd), "READY=1"), "notify: ready, %s", abstract ? "abstract" : "a path");
	notify_reloading();
	tap_ok(!strncmp(received(fd), "RELOADING=1\nMONOTONIC_USEC=", 27), "notify: reloading");
	notify_status("locked, %d hosts\nREADY=0", 3);
	tap_ok(!strcmp(received(fd), "STATUS=locked, 3 hosts"), "notify: a status is one line");
	notify_stopping();
	tap_ok(!strcmp(received(fd), "STOPPING=1"), "notify: stopping");
	unsetenv("NOTIFY_SOCKET");
	notify_open();
	notify_ready();
	tap_ok(!*received(fd), "notify: without a socket nothing is sent");
	setenv("NOTIFY_SOCKET", "relative", 1);
	notify_open();
	notify_ready();
	tap_ok(!*received(fd), "notify: a name that is no path is nobody");
	unsetenv("NOTIFY_SOCKET");
	close(fd);
}

static struct status window(void)
{
	static const struct status_peer peers[] = {
		{ .id = 2, .sent = 100, .received = 98, .accepted = 70, .lost_stamps = 1, .tolerance_ns = 2000 },
		{ .id = 3, .tolerance_ns = STATUS_UNKNOWN },
	};
	static const struct status_edge edges[] = {
		{ .i = 1, .j = 2, .valid = 1, .theta_ns = -1234, .drift_ppb = 10.5, .delay_sum_ns = 6000, .residual_ns = STATUS_UNKNOWN,
		  .points_ij = 140, .points_ji = 139 },
		{ .i = 1, .j = 3, .why = "few", .theta_ns = STATUS_UNKNOWN, .drift_ppb = NAN, .delay_sum_ns = STATUS_UNKNOWN,
		  .residual_ns = STATUS_UNKNOWN },
	};

	return (struct status){
		.tracking = { .state = "locked", .coordinator = 1, .window = 77, .offset_ns = -5, .last_change_ns = 3,
			      .drift_ppb = -12.3456, .skew_ppb = NAN, .error_ns = 800, .middle_raw_ns = 5000000000, .middle_ns = 1700000000123456789 },
		.peers = peers, .n_peers = 2, .edges = edges, .n_edges = 2,
	};
}

static int lines(const char *text)
{
	int n = 0;

	for (; *text; text++)
		n += *text == '\n';
	return n;
}

static void test_log(void)
{
	struct huygens_conf conf = { .level = LOG_LEVEL_INFO, .tracking = 1 };
	static const char *const kinds[] = { "a link", "another name of a file", "a pipe" };
	struct status status = window();
	char other[128];
	int i;

	snprintf(conf.log_dir, sizeof(conf.log_dir), "%s", folder);
	tap_ok(!log_files_open(&conf, why, sizeof(why)), "log: opens");
	log_files_window(1700000000123456789, &status);
	tap_ok(strstr(read_file("tracking.log"),
		      "\n2023-11-14 22:13:20           77 locked        1          -5           3   -12.346         -        800          5000000000   1699999995123456789\n"),
	       "log: a line a window");
	tap_ok(access(below("measurements.log"), F_OK) && access(below("statistics.log"), F_OK), "log: no other files");
	status.tracking.middle_raw_ns = status.tracking.middle_ns = STATUS_UNKNOWN;
	log_files_window(1700000000123456789, &status);
	tap_ok(strstr(read_file("tracking.log"), "        800                   -                     -\n"),
	       "log: a window that is not accepted has no middle");
	for (i = 0; i < 31; i++)
		log_files_window(1700000000123456789, &status);
	tap_ok(lines(read_file("tracking.log")) == 33 + 2 * 2, "log: a head every 32 lines");

	/* logrotate: it moves the file away, then sends SIGHUP. */
	rename(below("tracking.log"), "/tmp/huygens-moved");
	log_files_window(0, &status);
	tap_ok(access(below("tracking.log"), F_OK), "log: a file moved away is written on");
	conf.measurements = conf.statistics = 1;
	tap_ok(!log_files_open(&conf, why, sizeof(why)), "log: begins anew");
	log_files_window(1700000000123456789, &status);
	tap_ok(lines(read_file("tracking.log")) == 3, "log: in a new file");
	tap_ok(strstr(read_file("measurements.log"), "           77     2   100    98    70     1      2000\n") &&
	       strstr(read_file("measurements.log"), "           77     3     0     0     0     0         -\n"),
	       "log: a line a peer; what is not known is a dash");
	tap_ok(strstr(read_file("statistics.log"), "     1     2   yes         -1234    10.500      6000           -   140   139\n") &&
	       strstr(read_file("statistics.log"), "     1     3   few             -         -         -           -     0     0\n"),
	       "log: a line an edge, with why it is not valid");
	unlink("/tmp/huygens-moved");

	snprintf(conf.log_dir, sizeof(conf.log_dir), "/nowhere/log");
	tap_ok(log_files_open(&conf, why, sizeof(why)) == -1 && strstr(why, "[log] directory: /nowhere/log/tracking.log: No such file"),
	       "log: refused: no folder");
	log_files_window(0, &status);
	tap_ok(lines(read_file("tracking.log")) == 4, "log: and the files are those that were");
	log_files_close();
	log_files_window(0, &status);
	tap_ok(lines(read_file("tracking.log")) == 4, "log: closed");
	snprintf(conf.log_dir, sizeof(conf.log_dir), "%s/new", folder);
	tap_ok(!log_files_open(&conf, why, sizeof(why)) && !access(below("new/tracking.log"), F_OK),
	       "log: a folder that is not there is made");
	log_files_close();

	write_file("other", "theirs", 6);
	snprintf(other, sizeof(other), "%s", below("other"));
	for (i = 0; i < 3; i++) {
		unlink(below("new/tracking.log"));
		tap_ok(!(i == 0 ? symlink(other, path) : i == 1 ? link(other, path) : mkfifo(path, 0600)) &&
		       log_files_open(&conf, why, sizeof(why)) == -1 && strstr(why, "it is a symbolic link or not a regular file") &&
		       !strcmp(read_file("other"), "theirs"), "log: refused: %s", kinds[i]);
	}
	unlink(below("new/tracking.log"));
	unlink(below("other"));
}

/*
 * The files of [log] while the disk does not answer: the drift's, a pipe without a
 * reader, is what the thread waits for, so their lines wait behind it.
 */
static void test_log_stalled(void)
{
	struct huygens_conf conf = { .level = LOG_LEVEL_ERROR, .tracking = 1 };
	enum { WINDOWS = 20000 };
	struct status status = window();
	char file[128], text[64];
	int fd, i, most, n;

	snprintf(conf.log_dir, sizeof(conf.log_dir), "%s", folder);
	snprintf(file, sizeof(file), "%s", below("stalled"));
	unlink(below("tracking.log"));
	drift_writer_open(file);
	/* A call that waited would wait for ever; the signal is the end of the test then. */
	alarm(120);
	if (mkfifo(below("stalled.part"), 0600) || log_files_open(&conf, why, sizeof(why)) || writer_begin(why, sizeof(why)))
		return;
	drift_writer_put(1, 0.5);
	for (i = 0; i < 10; i++)
		log_files_window(1700000000123456789, &status);
	tap_ok(!lines(read_file("tracking.log")), "stalled: a window is logged without waiting for the disk");
	rename(below("tracking.log"), below("moved.log"));
	tap_ok(!log_files_open(&conf, why, sizeof(why)), "stalled: nor is SIGHUP waited for");
	for (; i < WINDOWS; i++)
		log_files_window(1700000000123456789, &status);
	fd = open(below("stalled.part"), O_RDONLY);
	while (read(fd, text, sizeof(text)) > 0)
		;
	unlink(below("stalled.part"));
	close(fd);
	writer_end();
	alarm(0);
	n = lines(read_file("tracking.log"));
	most = (1 << 20) / 100;
	tap_ok(n > most / 2 && n < most, "stalled: 1 MiB of lines waited for it, the windows after that are lost: %d lines", n);
	n = strlen(read_file("tracking.log"));
	tap_ok(n && read_file("tracking.log")[n - 1] == '\n', "stalled: the last line is whole");
	tap_ok(!lines(read_file("moved.log")), "stalled: what waited is in the new file");
	log_files_window(1700000000123456789, &status);
	tap_ok((int)strlen(read_file("tracking.log")) > n, "stalled: the next window is logged");
	log_files_close();
	unlink(below("moved.log"));
	unlink(below("tracking.log"));
	unlink(below("stalled"));
}

/* Format of a message; the level is the first thing of it. */
static const char *logged(enum log_level level, enum log_level limit, const char *journal)
{
	struct huygens_conf conf = { .level = limit };
	FILE *file;
	int keep = dup(2), fd;

	if (journal)
		setenv("JOURNAL_STREAM", journal, 1);
	else
		unsetenv("JOURNAL_STREAM");
	log_files_open(&conf, why, sizeof(why));
	file = fopen(below("logged"), "w");
	fd = fileno(file);
	fflush(stderr);
	dup2(fd, 2);
	log_message(level, "%d peers", 3);
	fflush(stderr);
	dup2(keep, 2);
	close(keep);
	fclose(file);
	unsetenv("JOURNAL_STREAM");
	return read_file("logged");
}

static void test_log_message(void)
{
	tap_ok(!strcmp(logged(LOG_LEVEL_WARNING, LOG_LEVEL_INFO, NULL), "huygens-lite: 3 peers\n"), "say: to a terminal");
	tap_ok(!strcmp(logged(LOG_LEVEL_WARNING, LOG_LEVEL_INFO, "8:1"), "<4>3 peers\n"), "say: to the journal, with its level");
	tap_ok(!*logged(LOG_LEVEL_DEBUG, LOG_LEVEL_INFO, NULL), "say: not below the level");
	tap_ok(*logged(LOG_LEVEL_DEBUG, LOG_LEVEL_DEBUG, NULL), "say: at the level");
	tap_ok(!*logged(LOG_LEVEL_WARNING, LOG_LEVEL_ERROR, NULL), "say: a warning is no error");
}

int main(void)
{
	char command[64];

	if (!mkdtemp(folder))
		return 1;
	test_drift();
	test_keeper();
	test_notify_at("notify", 0);
	test_notify_at("notify", 1);
	test_log();
	test_log_stalled();
	test_log_message();
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return tap_done() | (system(command) != 0);
}
