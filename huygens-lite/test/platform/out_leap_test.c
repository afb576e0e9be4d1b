// SPDX-License-Identifier: GPL-2.0
/*
 * Leap seconds in all outputs: chronyd and the kernel are told, files have UTC and TAI, and the
 * bound holds while clocks step at other instants.
 */
#include <fcntl.h>
#include <sys/timex.h>

#include "../../include/huygens_line.h"
#include "../../out/clockbound.h"
#include "../../out/driver.h"
#include "out_world.h"

/* 2017-01-01, before which a second was inserted. */
#define MONTH	17167
#define DAY_NS	(86400 * S)

/* A line whose UTC is @before_ns before that day, with CLOCK_REALTIME there too. */
static struct output_line line_before(int64_t before_ns, int step)
{
	struct output_line line = line_now();
	int64_t utc_ns = MONTH * DAY_NS - before_ns;

	/* The common time has counted two seconds that UTC has not. */
	line.leap = (struct leap){ 2, 34, step, step ? MONTH : 0 };
	line.common_ns = utc_ns + 2 * S;
	line.drift = 0;
	line.utc_error_ns = 40000;
	machine.off_ns = (double)(utc_ns - EPOCH_NS - machine.raw_ns);
	return line;
}

/* The kernel's step, and the line of an instant @after_ns later. */
static struct output_line line_after(const struct output_line *before, int64_t after_ns, int64_t step_ns)
{
	struct output_line line = *before;

	machine.raw_ns += after_ns;
	machine.off_ns += (double)step_ns;
	line.raw_ns += after_ns;
	line.common_ns += after_ns;
	return line;
}

static struct sample sampled(struct output *out, int fd, const struct output_line *line)
{
	struct sample sample = { .leap = -1 };

	if (!takes(out, line) || recv(fd, &sample, sizeof(sample), 0) != sizeof(sample))
		sample.leap = -1;
	return sample;
}

static void test_sock(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_SOCK);
	struct output *out = opened(&conf);
	int fd = chronyd_socket(&conf);
	struct output_line line;
	struct sample sample;

	machine.raw_ns = BEGIN_NS;
	line = line_before(10 * S, 0);
	sample = sampled(out, fd, &line);
	tap_ok(!sample.leap && fabs(sample.offset) < 1e-6, "sock: UTC is not the common time, and no leap");
	line = line_before(DAY_NS + S, 1);
	tap_ok(!sampled(out, fd, &line).leap, "sock: a leap second of tomorrow is none yet");
	line = line_before(10 * S, 1);
	sample = sampled(out, fd, &line);
	tap_ok(sample.leap == 1 && fabs(sample.offset) < 1e-6, "sock: today a second is inserted");
	line = line_before(10 * S, -1);
	tap_ok(sampled(out, fd, &line).leap == 2, "sock: or deleted, as chrony numbers them");
	line = line_before(10 * S, 1);
	line = line_after(&line, 10 * S + 20 * MS, 0);
	sample = sampled(out, fd, &line);
	tap_ok(!sample.leap && fabs(sample.offset) < 1e-6,
	       "sock: a kernel that has not taken it is no second off: %f", sample.offset);
	line = line_after(&line, 20 * MS, -S);
	sample = sampled(out, fd, &line);
	tap_ok(fabs(sample.offset) < 1e-6, "sock: nor is one that has: %f", sample.offset);
	line = line_after(&line, 61 * S, S);
	sample = sampled(out, fd, &line);
	tap_ok(!sample.leap && fabs(sample.offset + 1) < 1e-6,
	       "sock: but one that has not a minute later: %f", sample.offset);
	close(fd);
	unlink(conf.sock);
	output_close(out);
}

static bool told(int status, int tai)
{
	if (machine.timex.status == status && machine.timex.tai == tai)
		return true;
	tap_remark("status %#x, TAI %d", machine.timex.status, machine.timex.tai);
	return false;
}

static void test_steer(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	struct output_line line;
	struct output *out;

	machine.timex = (struct timex){ .tick = 10000 };
	machine.raw_ns = BEGIN_NS;
	conf.force = true;
	out = opened(&conf);
	line = line_before(3600 * S, 0);
	line.leap.tai = 0;
	tap_ok(takes(out, &line) && told(0, 0), "steer: TAI that is not known is not told");
	line.leap.tai = 34;
	tap_ok(takes(out, &line) && told(0, 36), "steer: TAI less UTC is told");
	line.leap = (struct leap){ 2, 34, 1, MONTH };
	tap_ok(takes(out, &line) && told(STA_INS, 36), "steer: the kernel inserts a second");
	line.leap.step = -1;
	tap_ok(takes(out, &line) && told(STA_DEL, 36), "steer: or deletes one");
	line.leap = (struct leap){ 2, 34, 0, 0 };
	tap_ok(takes(out, &line) && told(0, 36), "steer: or does not, if it is withdrawn");
	line = line_before(10 * S, 1);
	tap_ok(takes(out, &line) && told(STA_INS, 36), "steer: 10 s before");
	/* The kernel's own step of both. */
	machine.timex.tai = 37;
	line = line_after(&line, 11 * S + 20 * MS, -S);
	machine.steps = 0;
	tap_ok(takes(out, &line) && told(0, 37) && !machine.steps &&
	       labs(machine.timex.freq) < 100000 && machine.timex.maxerror < 100,
	       "steer: after it the kernel is not told again, and its clock is right: %ld us",
	       machine.timex.maxerror);
	line = line_after(&line, 61 * S, 0);
	machine.timex.tai = 12;
	tap_ok(takes(out, &line) && told(0, 37), "steer: a minute later TAI is told again");
	output_lost(out);
	tap_ok(machine.timex.status == STA_UNSYNC, "steer: lost: nothing is announced");
	output_close(out);
	conf.mode = CONF_MODE_STEER;
	machine.timex.tai = 5;
	out = opened(&conf);
	line = line_now();
	tap_ok(takes(out, &line) && told(0, 5), "steer: without UTC the kernel is told nothing");
	output_close(out);
}

static struct huygens_time time_at(const struct huygens_reader *reader, int64_t after_ns)
{
	struct huygens_time now = { 0 };
	struct huygens_line line;

	if (huygens_copy(reader, &line) || huygens_at(&line, machine.raw_ns + after_ns, 0, &now))
		now.ns = 0;
	return now;
}

static void test_files(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_NONE);
	struct huygens_reader reader;
	struct output_line line;
	struct huygens_time now;
	struct clockbound_shm shm = { 0 };
	struct output *out;
	int64_t quiet_ns;
	int step, wrong = 0, i, fd;

	machine.raw_ns = BEGIN_NS;
	machine.asleep_ns = 0;
	conf.reference = CONF_REFERENCE_UTC;
	snprintf(conf.line_file, sizeof(conf.line_file), "%s/line", folder);
	snprintf(conf.clockbound, sizeof(conf.clockbound), "%s/bound", folder);
	out = opened(&conf);
	huygens_open(&reader, conf.line_file);
	for (step = -1; step <= 1; step++) {
		line = line_before(3 * S, step);
		line.valid_ns = 10 * S;
		takes(out, &line);
		for (i = 0; i < 24; i++) {
			int64_t raw_ns = machine.raw_ns + i * 250 * MS;

			now = time_at(&reader, i * 250 * MS);
			wrong += now.ns != driver_common_ns(&line, raw_ns) ||
				 now.utc_ns != driver_utc_ns(&line, raw_ns) ||
				 now.tai_ns != now.ns + 34 * S;
		}
	}
	tap_ok(!wrong, "line: its reader has UTC and TAI as the daemon has, over a leap second: %d wrong",
	       wrong);
	now = time_at(&reader, 3 * S);
	tap_ok(now.utc_ns == MONTH * DAY_NS - S, "line: 23:59:60 is 23:59:59 once more");
	line.leap.tai = 0;
	takes(out, &line);
	tap_ok(!time_at(&reader, 0).tai_ns, "line: TAI that is not known is 0");

	fd = open(conf.clockbound, O_RDONLY);
	(void)!pread(fd, &shm, sizeof(shm), 0);
	quiet_ns = shm.bound_ns;
	line = line_after(&line, S + 500 * MS, 0);
	takes(out, &line);
	(void)!pread(fd, &shm, sizeof(shm), 0);
	tap_ok(quiet_ns < MS && shm.bound_ns > S && shm.bound_ns < S + MS,
	       "clockbound: 1.5 s before it the bound has a second: %lld", (long long)shm.bound_ns);
	line = line_after(&line, 4 * S, -S);
	takes(out, &line);
	(void)!pread(fd, &shm, sizeof(shm), 0);
	tap_ok(shm.bound_ns < MS, "clockbound: 2.5 s after it not, as the kernel has taken it");
	line = line_after(&line, S, S);
	takes(out, &line);
	(void)!pread(fd, &shm, sizeof(shm), 0);
	tap_ok(shm.bound_ns > S, "clockbound: and of a kernel that has not, it has");
	close(fd);
	huygens_close(&reader);
	output_close(out);
}

static void tests(void)
{
	test_sock();
	test_steer();
	test_files();
}

int main(void)
{
	return run(tests);
}
