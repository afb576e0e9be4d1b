// SPDX-License-Identifier: GPL-2.0
/*
 * Files that applications read: the line, by the header that is installed for them, and the
 * shared memory of ClockBound.
 */
#include <fcntl.h>
#include <pthread.h>
#include <sys/mman.h>

#include "../../include/huygens_line.h"
#include "../../out/clockbound.h"
#include "out_world.h"

static char line_path[64], bound_path[64];

static struct huygens_conf files(enum conf_mode mode)
{
	struct huygens_conf conf = configuration(mode);

	machine.raw_ns = BEGIN_NS + 1;
	machine.off_ns = 0;
	machine.asleep_ns = 7 * S;
	snprintf(line_path, sizeof(line_path), "%s/line", folder);
	snprintf(bound_path, sizeof(bound_path), "%s/bound", folder);
	snprintf(conf.line_file, sizeof(conf.line_file), "%s", line_path);
	snprintf(conf.clockbound, sizeof(conf.clockbound), "%s", bound_path);
	conf.reference = CONF_REFERENCE_UTC;
	return conf;
}

/* A line that CLOCK_REALTIME is 250 ns ahead of. */
static struct output_line line_utc(void)
{
	struct output_line line = line_now();

	line.common_ns -= 250;
	line.asymmetry_ns = 6000;
	line.utc_error_ns = 40000;
	line.utc_skew_ppb = 2000;
	line.drift = 0;
	return line;
}

/* The time of the file after @after_ns; or the error. */
static int at(const struct huygens_reader *reader, int64_t after_ns, int64_t slept_ns,
	      struct huygens_time *now)
{
	struct huygens_line line;

	return huygens_copy(reader, &line) ? :
	       huygens_at(&line, machine.raw_ns + after_ns, machine.asleep_ns + slept_ns, now);
}

static void test_line(void)
{
	struct huygens_conf conf = files(CONF_MODE_NONE);
	struct output *out = opened(&conf);
	struct output_line line = line_utc();
	struct huygens_reader reader;
	struct huygens_time now;
	struct stat st;

	tap_ok(!huygens_open(&reader, line_path), "line: the file is there from the beginning");
	tap_ok(!stat(line_path, &st) && (st.st_mode & 0777) == 0644, "line: everybody may read it");
	tap_ok(at(&reader, 0, 0, &now) == -ENODATA, "line: and says that there is no time");
	takes(out, &line);
	tap_ok(!at(&reader, 0, 0, &now) && now.ns == line.common_ns && now.epoch == 7 && !now.holdover,
	       "line: the common time at the reference");
	tap_ok(now.error_ns == 800 + 6000 + 1, "line: its error has asymmetry");
	tap_ok(now.utc_error_ns == 800 + 6000 + 1 + 40000 + 1, "line: and that of UTC the error");
	tap_ok(!now.upper_epoch && now.upper_error_ns == -1, "line: without an upper mesh");
	line.upper = 99;
	line.upper_error_ns = 3000;
	takes(out, &line);
	tap_ok(!at(&reader, 2 * S, 0, &now) && now.upper_epoch == 99 && now.epoch == 7 &&
	       now.upper_error_ns == now.error_ns + 3000 + 4000 + 1, "line: with one, 2 s later");
	tap_ok(reader.line->size == 120 && reader.line->version == 1, "line: readers of 112 bytes go on");
	line.drift = 20e-6;
	line.holdover = true;
	takes(out, &line);
	tap_ok(!at(&reader, 2 * S, 0, &now) && now.ns == line.common_ns + 2 * S + 40000 && now.holdover,
	       "line: 2 s later, with drift and holdover");
	tap_ok(now.error_ns == 800 + 200 + 6000 + 1, "line: errors have grown");
	tap_ok(now.utc_error_ns == now.error_ns + 40000 + 4000 + 1, "line: that of UTC faster");
	tap_ok(!at(&reader, -2 * S, 0, &now) && now.error_ns == 800 + 200 + 6000 + 1,
	       "line: before the reference, too");
	line.utc_error_ns = -1;
	takes(out, &line);
	tap_ok(!at(&reader, 0, 0, &now) && now.utc_error_ns == -1, "line: without UTC");
	tap_ok(!at(&reader, 5 * S, 0, &now) && at(&reader, 5 * S + 1, 0, &now) == -ESTALE,
	       "line: refused when it has expired");
	tap_ok(!at(&reader, 0, HUYGENS_LINE_ASLEEP_NS, &now) &&
	       at(&reader, 0, HUYGENS_LINE_ASLEEP_NS + 1, &now) == -ESTALE,
	       "line: refused when the machine was suspended");
	line.error_ns = 0;
	output_line(out, &line, why, sizeof(why));
	tap_ok(at(&reader, 0, 0, &now) == -ENODATA, "line: a line out of range is no time");
	line = line_utc();
	takes(out, &line);
	output_lost(out);
	tap_ok(at(&reader, 0, 0, &now) == -ENODATA, "line: withdrawn");
	takes(out, &line);
	output_close(out);
	tap_ok(at(&reader, 0, 0, &now) == -ENODATA, "line: a daemon that ends withdraws it");
	out = opened(&conf);
	takes(out, &line);
	tap_ok(!at(&reader, 0, 0, &now), "line: one that starts again goes on in the same file");
	output_close(out);
	huygens_close(&reader);
}

/* A daemon that stopped while it wrote. */
static void test_half(void)
{
	struct huygens_conf conf = files(CONF_MODE_NONE);
	struct output *out = opened(&conf);
	struct output_line line = line_utc();
	int fd = open(line_path, O_RDWR);
	struct huygens_reader reader;
	struct huygens_line half, copy;
	struct huygens_time now;

	takes(out, &line);
	output_close(out);
	if (read(fd, &half, sizeof(half)) != sizeof(half) || huygens_open(&reader, line_path))
		abort();
	half.sequence |= 1;
	if (pwrite(fd, &half, sizeof(half), 0) != sizeof(half))
		abort();
	tap_ok(huygens_copy(&reader, &copy) == -EAGAIN, "line: refused if it was not written whole");
	out = opened(&conf);
	takes(out, &line);
	tap_ok(!at(&reader, 0, 0, &now), "line: the next daemon mends it");
	output_close(out);
	huygens_close(&reader);
	close(fd);
}

static struct segment shared;
static bool stop;

/* Lines each of whose numbers is the same. */
static void *write_lines(void *data)
{
	struct huygens_line *file = shared.map;
	uint32_t sequence = file->sequence & ~1u;
	int64_t n;
	(void)data;

	for (n = 1; !__atomic_load_n(&stop, __ATOMIC_RELAXED); n++) {
		__atomic_store_n(&file->sequence, ++sequence, __ATOMIC_RELAXED);
		__atomic_thread_fence(__ATOMIC_RELEASE);
		file->raw_ns = n;
		file->common_ns = n;
		file->utc_error_ns = n;
		__atomic_store_n(&file->sequence, ++sequence, __ATOMIC_RELEASE);
	}
	return NULL;
}

static void test_threads(void)
{
	uint32_t good = 0, mixed = 0, busy = 0, i;
	struct huygens_reader reader;
	struct huygens_line line;
	pthread_t thread;

	files(CONF_MODE_NONE);
	if (segment_open(&shared, line_path, sizeof(line), why, sizeof(why)) ||
	    huygens_open(&reader, line_path) || pthread_create(&thread, NULL, write_lines, NULL))
		abort();
	for (i = 0; i < 20000; i++) {
		if (huygens_copy(&reader, &line))
			busy++;
		else if (line.raw_ns == line.common_ns && line.raw_ns == line.utc_error_ns)
			good++;
		else
			mixed++;
	}
	__atomic_store_n(&stop, true, __ATOMIC_RELAXED);
	pthread_join(thread, NULL);
	tap_ok(good && !mixed, "line: no reader sees parts of two lines: %u, %u busy", good, busy);
	huygens_close(&reader);
	segment_close(&shared);
}

static void test_refused(void)
{
	static const char *const text[] = { "no folder", "a folder", "a link", "a FIFO" };
	struct huygens_conf conf = files(CONF_MODE_NONE);
	struct output *out = opened(&conf), *other;
	struct huygens_reader reader;
	char path[128];
	size_t i;

	other = opened(&conf);
	tap_ok(!other && strstr(why, "another daemon writes this file"), "refused: two daemons");
	output_close(out);
	for (i = 0; i < sizeof(text) / sizeof(*text); i++) {
		snprintf(path, sizeof(path), "%s/bad%zu%s", folder, i, i ? "" : "/line");
		if ((i == 1 && mkdir(path, 0700)) || (i == 2 && symlink(line_path, path)) ||
		    (i == 3 && mkfifo(path, 0600)))
			abort();
		snprintf(conf.line_file, sizeof(conf.line_file), "%s", path);
		tap_ok(!opened(&conf) && strstr(why, path), "refused: %s: %s", text[i], why);
		if (i == 1)
			rmdir(path);
		else
			unlink(path);
	}
	snprintf(path, sizeof(path), "%s/text", folder);
	close(open(path, O_CREAT | O_WRONLY, 0600));
	tap_ok(huygens_open(&reader, path) == -EPROTO, "reader: refused: an empty file");
	unlink(path);
	tap_ok(huygens_open(&reader, path) == -ENOENT, "reader: refused: no file");
	tap_ok(huygens_open(&reader, bound_path) == -EPROTO, "reader: refused: a file of ClockBound");
}

static struct clockbound_shm bound(void)
{
	struct clockbound_shm shm = { .size = 0 };
	int fd = open(bound_path, O_RDONLY);

	if (read(fd, &shm, sizeof(shm)) != sizeof(shm))
		shm.size = 0;
	close(fd);
	return shm;
}

static int64_t ns_of(struct clockbound_time t)
{
	return t.s * S + t.ns;
}

static void test_clockbound(void)
{
	struct huygens_conf conf = files(CONF_MODE_NONE);
	struct output_line line = line_utc();
	struct clockbound_shm was, shm;
	struct output *out;
	int i, zeros = 0;

	unlink(bound_path);
	out = opened(&conf);
	shm = bound();
	tap_ok(shm.magic[0] == 0x414d5a4e && shm.magic[1] == 0x43420200 && shm.size == 80 &&
	       shm.version == 2 && shm.generation == 2 && shm.status == CLOCKBOUND_UNKNOWN,
	       "clockbound: version 2, unknown at first");
	machine.raw_ns = BEGIN_NS + 5 * MS;
	line = line_utc();
	takes(out, &line);
	shm = bound();
	tap_ok(shm.generation == 4 && shm.status == CLOCKBOUND_SYNCHRONIZED && !shm.has_marker,
	       "clockbound: synchronised with UTC");
	tap_ok(ns_of(shm.as_of) == BEGIN_NS + 4 * MS && ns_of(shm.void_after) == BEGIN_NS + 4 * MS + 5 * S,
	       "clockbound: as of the last tick, and void when the line is");
	tap_ok(shm.drift_ppb == 100 + 2000 + 500000, "clockbound: another program may turn the clock");
	/* 250 ns from the line, 800 of error, 6 us of asymmetry, 40 us of UTC, and a tick. */
	tap_ok(shm.bound_ns == 250 + 800 + 6000 + 40000 + 502100LL * 4 / 1000 + 1,
	       "clockbound: the bound is the sum: %lld", (long long)shm.bound_ns);
	machine.raw_ns += 100 * MS;
	machine.off_ns = 3e6;
	output_refresh(out);
	shm = bound();
	tap_ok(shm.generation == 6 && ns_of(shm.as_of) == BEGIN_NS + 104 * MS &&
	       shm.bound_ns > 3000000 + 46000 && shm.bound_ns < 3000000 + 50000,
	       "clockbound: CLOCK_REALTIME that another program moved is looked at");
	machine.off_ns = 0;
	line = line_utc();
	line.holdover = true;
	takes(out, &line);
	tap_ok(bound().status == CLOCKBOUND_FREE_RUNNING, "clockbound: free running in holdover");
	line.utc_error_ns = -1;
	takes(out, &line);
	was = bound();
	tap_ok(was.status == CLOCKBOUND_UNKNOWN && !was.bound_ns, "clockbound: unknown without UTC");
	line = line_utc();
	takes(out, &line);
	output_disruption(out, 9);
	shm = bound();
	tap_ok(shm.has_marker == 1 && shm.marker == 9, "clockbound: a disruption has a marker");
	output_lost(out);
	shm = bound();
	tap_ok(shm.status == CLOCKBOUND_UNKNOWN && shm.marker == 9, "clockbound: unknown when it is lost");
	for (i = 0; i < 32768; i++) {
		output_refresh(out);
		zeros += !bound().generation || bound().generation % 2;
	}
	tap_ok(!zeros, "clockbound: no generation is 0 or odd when it was written");
	takes(out, &line);
	output_close(out);
	tap_ok(bound().status == CLOCKBOUND_UNKNOWN, "clockbound: unknown when the daemon ends");
	was = bound();
	out = opened(&conf);
	tap_ok(bound().generation > was.generation, "clockbound: a daemon that starts goes on counting");
	output_close(out);
}

/* The daemon turns the clock itself, so it knows how fast. */
static void test_steered(void)
{
	struct huygens_conf conf = files(CONF_MODE_STEER);
	struct output_line line;
	struct output_stats stats;
	struct output *out;

	conf.force = 1;
	machine.off_ns = 0;
	machine.timex.freq = 0;
	out = opened(&conf);
	line = line_utc();
	line.common_ns = EPOCH_NS + machine.raw_ns;
	takes(out, &line);
	tap_ok(bound().drift_ppb == 100 + 2000 + 1, "steer, clockbound: a clock that is right is not turned");
	line.common_ns += 50000;
	takes(out, &line);
	output_stats(out, &stats);
	tap_ok(stats.frequency_ppb > 1000 && bound().drift_ppb == 100 + 2000 + 1 + stats.frequency_ppb,
	       "steer, clockbound: one that is turned may be turned for ever: %lld ppb",
	       (long long)stats.frequency_ppb);
	tap_ok(bound().bound_ns > 50000 + 46000, "steer, clockbound: what is still to be slewed is in the bound");
	output_close(out);
}

/* The published file has lines that the mode's driver does not accept. */
static void test_modes(void)
{
	struct huygens_conf conf = files(CONF_MODE_SOCK);
	struct output_line line = line_utc();
	struct output *out = opened(&conf);
	struct huygens_reader reader;
	struct huygens_time now;

	line.error_ns = 2 * conf.max_error_ns;
	tap_ok(takes(out, &line) && !huygens_open(&reader, line_path) && !at(&reader, 0, 0, &now) &&
	       now.error_ns > 2 * conf.max_error_ns, "sock: a line above max_error is in the file");
	tap_ok(bound().status == CLOCKBOUND_SYNCHRONIZED, "sock: and in ClockBound's");
	output_close(out);
	kernel.missing = 1;
	conf.mode = CONF_MODE_PUBLISH;
	out = opened(&conf);
	line = line_utc();
	tap_ok(refuses(out, &line, "modprobe onramp") && !at(&reader, 0, 0, &now),
	       "publish: so is a line that a kernel without the module refuses");
	kernel.missing = 0;
	output_close(out);
	huygens_close(&reader);
}

static void tests(void)
{
	test_line();
	test_half();
	test_threads();
	test_refused();
	test_clockbound();
	test_steered();
	test_modes();
	unlink(line_path);
	unlink(bound_path);
}

int main(void)
{
	return run(tests);
}
