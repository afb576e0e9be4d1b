// SPDX-License-Identifier: GPL-2.0
/*
 * The outputs that tell others the time: the kernel, in whatever time namespace,
 * and chrony.
 */
#include "out_world.h"

/* Settings that no output accepts. */
static void test_lines(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_NONE);
	struct output *out = opened(&conf);
	const struct output_line good = line_now();
	struct output_line line = good;
	struct output_stats stats;

	tap_ok(takes(out, &line) && output_fd(out) == -1, "none: takes a line");
	line.epoch = 0;
	tap_ok(refuses(out, &line, ""), "refused: no epoch");
	line = good;
	line.error_ns = 0;
	tap_ok(refuses(out, &line, ""), "refused: no error");
	line = good;
	line.asymmetry_ns = -1;
	tap_ok(refuses(out, &line, ""), "refused: an asymmetry below 0");
	line = good;
	line.skew_ppb = -1;
	tap_ok(refuses(out, &line, ""), "refused: a bound that shrinks");
	line = good;
	line.valid_ns = 0;
	tap_ok(refuses(out, &line, ""), "refused: a line that may not be used");
	line = good;
	line.drift = NAN;
	tap_ok(refuses(out, &line, ""), "refused: a drift that is no number");
	line.drift = -1.0 / 1024;
	tap_ok(refuses(out, &line, ""), "refused: a drift of a thousandth");
	output_stats(out, &stats);
	tap_ok(stats.lines == 8 && stats.failed == 7, "all are counted");
	output_close(out);
	output_close(NULL);
}

/* Did the kernel receive exactly the request to forget the line?  Counts anew. */
static bool withdrawn(void)
{
	bool good = kernel.requests == 1 && sent_u64(ONRAMP_A_CLOCK_ID) == ONRAMP_CLOCK_PUBLISHED &&
		    sent(ONRAMP_A_CLOCK_ERROR) && !sent_u64(ONRAMP_A_CLOCK_ERROR) &&
		    !sent(ONRAMP_A_CLOCK_REF);

	kernel.requests = 0;
	return good;
}

/* A line is published, and requests are counted from here on. */
static struct output_line published_anew(struct output *out)
{
	struct output_line line = line_now();

	takes(out, &line);
	kernel.requests = 0;
	return line;
}

/* INT64_MIN: the text is refused. */
static bool timens_says(const char *text, int64_t ahead_ns)
{
	char path[300];
	int64_t ns = 1;
	FILE *file;
	int ret;

	snprintf(path, sizeof(path), "%s/timens", folder);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
	ret = timens_read(path, &ns);
	unlink(path);
	return ahead_ns == INT64_MIN ? ret == -1 && errno == EINVAL : !ret && ns == ahead_ns;
}

/* A time namespace: what it adds to our clocks the kernel's own does not have. */
static void test_timens(void)
{
	static const struct {
		const char *name, *text;
		int64_t ahead_ns;
	} offsets[] = {
		{ "the first", "monotonic           0         0\nboottime            0         0\n", 0 },
		{ "ahead", "monotonic  86400 5\nboottime 7 0\n", 86400 * S + 5 },
		{ "behind, in another order", "boottime 7 0\nmonotonic -10 999999999\n",
		  -10 * S + 999999999 },
		{ "refused: an empty file", "", INT64_MIN },
		{ "refused: another clock only", "boottime 7 0\n", INT64_MIN },
		{ "refused: half an offset", "monotonic 1\n", INT64_MIN },
		{ "refused: too many ns", "monotonic 1 1000000000\n", INT64_MIN },
		{ "refused: no such offset", "monotonic 4611686019 0\n", INT64_MIN },
	};
	struct huygens_conf conf = configuration(CONF_MODE_PUBLISH);
	struct output_line line;
	struct output *out;
	int64_t ns = 1;
	size_t i;

	for (i = 0; i < sizeof(offsets) / sizeof(*offsets); i++)
		tap_ok(timens_says(offsets[i].text, offsets[i].ahead_ns), "time namespace: %s",
		       offsets[i].name);
	tap_ok(!timens_read("/nonexistent", &ns) && !ns, "time namespace: a kernel that has none");

	machine.raw_ns = 1000 * S;
	machine.unknown = EACCES;
	tap_ok(!opened(&conf) && strstr(why, "/proc/self/timens_offsets: Permission denied"),
	       "publish: refused: what a time namespace adds is not known");
	machine.unknown = 0;
	machine.ahead_ns = -300 * S - 7;
	kernel.requests = 0;
	out = opened(&conf);
	line = line_now();
	tap_ok(takes(out, &line) && sent_u64(ONRAMP_A_CLOCK_REF) == 1300 * S + 7 &&
	       sent_u64(ONRAMP_A_CLOCK_REF) + sent_u64(ONRAMP_A_CLOCK_OFFSET) == (uint64_t)line.common_ns &&
	       sent_u64(ONRAMP_A_CLOCK_ERROR) - 1300 <= 1,
	       "publish: in a time namespace the line is on the kernel's clock");
	output_close(out);
	machine.ahead_ns = 0;
	kernel.requests = 0;
}

/* The epoch and bound that the kernel receives for a line whose upper mesh is number @upper. */
static bool publishes(enum conf_compare compare, uint32_t upper, uint32_t epoch, uint64_t error_ns)
{
	struct huygens_conf conf = configuration(CONF_MODE_PUBLISH);
	struct output_line line = line_now();
	struct output *out;
	bool good;

	conf.compare = compare;
	out = opened(&conf);
	line.upper = upper;
	line.upper_error_ns = 3000;
	line.utc_skew_ppb = 2000;
	good = takes(out, &line) && sent_u64(ONRAMP_A_CLOCK_EPOCH) == epoch &&
	       sent_u64(ONRAMP_A_CLOCK_ERROR) - error_ns <= 1;
	output_close(out);
	return good;
}

static void test_compare(void)
{
	machine.raw_ns = 1000 * S;
	/* 800 ns, and 100 ppb for 5 s; and 3000 ns, and 2000 ppb for 5 s. */
	tap_ok(publishes(CONF_COMPARE_MESH, 0, 7, 1300), "publish: the mesh's epoch and bound");
	tap_ok(publishes(CONF_COMPARE_MESH, 99, 7, 1300), "publish: below an upper mesh, too");
	tap_ok(publishes(CONF_COMPARE_UPPER, 99, 99, 14300),
	       "publish: the upper mesh's epoch, with what the common time may be from it");
	tap_ok(publishes(CONF_COMPARE_UPPER, 0, 7, 1300), "publish: the mesh's while that is not known");
	kernel.requests = 0;
}

static void test_publish(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_PUBLISH);
	struct output_line line = line_now();
	struct output *out;

	kernel.family = 40;
	kernel.missing = 1;
	machine.raw_ns = 1000 * S;
	out = opened(&conf);
	tap_ok(out != NULL, "publish: opens without the module");
	line = line_now();
	tap_ok(refuses(out, &line, "modprobe onramp") && !kernel.requests,
	       "publish: a line without the module: says modprobe");
	kernel.missing = 0;
	tap_ok(takes(out, &line) && kernel.requests == 1, "publish: the module is there now");
	tap_ok(sent_u64(ONRAMP_A_CLOCK_ID) == ONRAMP_CLOCK_PUBLISHED &&
	       sent_u64(ONRAMP_A_CLOCK_BASE) == ONRAMP_BASE_MONOTONIC_RAW &&
	       sent_u64(ONRAMP_A_CLOCK_OFFSET) == 1700000000 * S &&
	       sent_u64(ONRAMP_A_CLOCK_REF) == 1000 * S &&
	       sent_u64(ONRAMP_A_CLOCK_DRIFT) == 85899 &&
	       sent_u64(ONRAMP_A_CLOCK_VALID) == 5 * S && sent_u64(ONRAMP_A_CLOCK_EPOCH) == 7,
	       "publish: the line on the raw clock, drift in 2^-32");
	/* 5 s at 100 ppb, rounded up. */
	tap_ok(sent_u64(ONRAMP_A_CLOCK_ERROR) - 1300 <= 1,
	       "publish: the bound is that of the line's last ns");
	line.asymmetry_ns = 60000;
	tap_ok(takes(out, &line) && sent_u64(ONRAMP_A_CLOCK_ERROR) - 1300 <= 1,
	       "publish: On-Ramp's bound has no asymmetry");
	line.asymmetry_ns = 0;
	line.valid_ns = 2 * S;
	tap_ok(takes(out, &line) && sent_u64(ONRAMP_A_CLOCK_VALID) == 2 * S &&
	       sent_u64(ONRAMP_A_CLOCK_ERROR) - 1000 <= 1, "publish: a line may be valid for less, its bound with it");
	line = line_now();
	line.drift = -20e-6;
	takes(out, &line);
	tap_ok((int64_t)sent_u64(ONRAMP_A_CLOCK_DRIFT) == -85899, "publish: a drift below 0");
	kernel.family = 41;
	kernel.requests = 0;
	tap_ok(takes(out, &line) && kernel.requests == 2 &&
	       kernel.request.n.nlmsg_type == 41, "publish: a module loaded again has another number");
	kernel.refuse = ERANGE;
	kernel.text = "clock ref: must be within 600 s";
	kernel.requests = 0;
	tap_ok(refuses(out, &line, "within 600 s") && kernel.requests == 1,
	       "publish: the kernel's refusal with its message, and not tried twice");
	kernel.refuse = EPERM;
	kernel.text = NULL;
	tap_ok(refuses(out, &line, "CAP_NET_ADMIN"), "publish: without rights: says which");
	kernel.refuse = 0;
	tap_ok(kernel.requests == 2, "publish: what the kernel refuses withdraws nothing");
	kernel.requests = 0;
	line = line_now();
	line.error_ns = S + 1;
	tap_ok(refuses(out, &line, "above 1 s") && withdrawn(),
	       "publish: a bound above 1 s is not sent, and the kernel forgets the line before");
	line.error_ns = INT64_MAX;
	line.skew_ppb = INT64_MAX;
	tap_ok(refuses(out, &line, "") && !kernel.requests,
	       "publish: nor one beyond all bounds; there is nothing to forget now");
	line = published_anew(out);
	line.drift = 0.0009765624;
	tap_ok(refuses(out, &line, "976 ppm") && withdrawn(),
	       "publish: nor a drift that the kernel has no bits for");
	line = published_anew(out);
	line.drift = 0.001;
	tap_ok(refuses(out, &line, "") && withdrawn(), "publish: nor one that no clock has");
	published_anew(out);
	output_lost(out);
	tap_ok(withdrawn(), "publish: lost: the kernel forgets the line");
	kernel.requests = 1;
	output_lost(out);
	tap_ok(kernel.requests == 1, "publish: what is lost is lost once");
	line = line_now();
	takes(out, &line);
	output_close(out);
	tap_ok(kernel.requests == 3 && kernel.closed, "publish: withdrawn at the end");
}

static void test_sock(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_SOCK);
	struct output *out = opened(&conf);
	struct output_line line;
	struct output_stats stats;
	struct sample sample;
	int fd;

	machine.raw_ns = 1000 * S;
	machine.off_ns = -250e3 + 1234;
	line = line_now();
	tap_ok(refuses(out, &line, "add refclock SOCK"),
	       "sock: without chronyd: says what it needs");
	fd = chronyd_socket(&conf);
	tap_ok(takes(out, &line), "sock: chronyd may start later");
	tap_ok(recv(fd, &sample, sizeof(sample), 0) == sizeof(sample) && sample.magic == 0x534f434b &&
	       !sample.pulse && !sample.leap && sample.tv.tv_sec == 1700001000 - 1 && sample.tv.tv_usec == 999751,
	       "sock: a sample as chrony takes it");
	/* The clock is 248.766 us behind the line. */
	tap_ok(fabs(sample.offset - 248766e-9) < 1e-9, "sock: offset is true time less the clock");
	if (fabs(sample.offset - 248766e-9) >= 1e-9)
		tap_remark("%.12f", sample.offset);
	output_lost(out);
	tap_ok(recv(fd, &sample, sizeof(sample), 0) == -1, "sock: what is lost is silent");
	line.error_ns = MS;
	tap_ok(takes(out, &line) && recv(fd, &sample, sizeof(sample), 0) == sizeof(sample),
	       "sock: a bound of max_error is sent");
	line.error_ns = MS + 1;
	tap_ok(takes(out, &line) && recv(fd, &sample, sizeof(sample), 0) == -1,
	       "sock: one above is not");
	line.error_ns = MS - 10;
	line.asymmetry_ns = 10;
	tap_ok(takes(out, &line) && recv(fd, &sample, sizeof(sample), 0) == sizeof(sample),
	       "sock: nor is one that asymmetry takes to max_error withheld");
	line.asymmetry_ns = 11;
	tap_ok(takes(out, &line) && recv(fd, &sample, sizeof(sample), 0) == -1,
	       "sock: but one that it takes above");
	line.asymmetry_ns = 0;
	line.error_ns = MS + 1;
	takes(out, &line);
	output_stats(out, &stats);
	tap_ok(stats.withdrawn == 3 && stats.failed == 1, "sock: which is no failure, and withdrawn once each time");
	conf.max_error_ns = 2 * MS;
	output_reload(out, &conf);
	tap_ok(takes(out, &line) && recv(fd, &sample, sizeof(sample), 0) == sizeof(sample),
	       "sock: until max_error is above it");
	close(fd);
	tap_ok(refuses(out, &line, "refused"), "sock: chronyd is gone");
	unlink(conf.sock);
	output_close(out);
}

static void tests(void)
{
	test_lines();
	test_publish();
	test_timens();
	test_compare();
	test_sock();
}

int main(void)
{
	return run(tests);
}
