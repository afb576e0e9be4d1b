// SPDX-License-Identifier: GPL-2.0
/*
 * The output that disciplines CLOCK_REALTIME, and others that do the same.
 */
#include "out_world.h"

/* The first line of a window that counts. */
static struct output_line truth(int64_t offset_ns, double ppb)
{
	static uint32_t windows;

	return (struct output_line){
		.raw_ns = machine.raw_ns,
		.common_ns = EPOCH_NS + machine.raw_ns + offset_ns +
			     llround((double)(machine.raw_ns - BEGIN_NS) * ppb * 1e-9),
		.drift = ppb * 1e-9,
		.error_ns = 800,
		.skew_ppb = 100,
		.valid_ns = 5 * S,
		.epoch = 1,
		.updates = ++windows,
	};
}

static void machine_reset(double off_ns)
{
	memset(&machine, 0, sizeof(machine));
	machine.timex.tick = 10000;
	machine.timex.status = STA_UNSYNC | STA_PLL;
	machine.raw_ns = BEGIN_NS;
	machine.off_ns = off_ns;
}

/* Windows of a clock that is steered; returns the greatest error of the last half. */
static double steer(struct output *out, int windows, double ppb)
{
	double worst = 0;
	int i, ms;

	for (i = 0; i < windows; i++) {
		struct output_line line = truth(0, ppb);

		if (!takes(out, &line))
			return -1;
		for (ms = 0; ms < 2000; ms++) {
			double error;

			machine_run(MS);
			if (machine.timer_ns && machine.raw_ns >= machine.timer_ns)
				output_work(out);
			error = fabs((double)(machine.raw_ns - BEGIN_NS) * ppb * 1e-9 - machine.off_ns);
			if (i >= windows / 2 && error > worst)
				worst = error;
		}
	}
	return worst;
}

/* The kernel's two errors, of a clock that is on the line. */
static void test_errors(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	struct output_line line;
	struct output *out;

	machine_reset(0);
	conf.force = 1;
	out = opened(&conf);
	line = truth(0, 0);
	line.error_ns = 2500;
	takes(out, &line);
	tap_ok(machine.timex.esterror == 3 && machine.timex.maxerror == 3,
	       "steer: errors are those of the line, in us, rounded up");
	line.asymmetry_ns = 7000;
	takes(out, &line);
	tap_ok(machine.timex.esterror == 3 && machine.timex.maxerror == 10,
	       "steer: the maximum error has asymmetry, too");
	line.asymmetry_ns = INT64_MAX;
	takes(out, &line);
	tap_ok(machine.timex.maxerror == 16000000, "steer: a maximum error without limit is the greatest");
	output_close(out);
}

static void test_steer(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	struct output_stats stats;
	struct output_line line;
	struct output *out;
	double worst;
	int i, refused = 0;

	machine_reset(0);
	machine.denied = EPERM;
	conf.force = 1;
	tap_ok(!opened(&conf) && strstr(why, "CAP_SYS_TIME is missing"),
	       "steer: refused without rights: says which");
	machine.denied = 0;

	/* Another program may steer the clock of the machine of this test. */
	out = opened(&conf);
	tap_ok(out && output_fd(out) >= 0 && machine.timex.status == STA_UNSYNC && machine.timex.tick == 10000,
	       "steer: the kernel's own loops are off");
	worst = steer(out, 20, 30000);
	if (!tap_ok(worst >= 0 && worst < 1000, "steer: 30 ppm are learned at once, the rest is below 1 us"))
		tap_remark("%g %s", worst, why);
	tap_ok(!machine.steps && !(machine.timex.status & STA_UNSYNC), "steer: no step, and synchronised");
	output_close(out);

	machine_reset(-0.75e9);
	out = opened(&conf);
	worst = steer(out, 10, -20000);
	tap_ok(machine.steps == 1 && worst >= 0 && worst < 1000, "steer: 0.75 s behind: one step");
	machine.off_ns -= 5e6;
	worst = steer(out, 60, -20000);
	if (!tap_ok(machine.steps == 1 && worst >= 0 && worst < 1000, "steer: 5 ms later are slewed, not stepped"))
		tap_remark("%d steps, %g", machine.steps, worst);
	output_stats(out, &stats);
	tap_ok(stats.steps == 1, "steer: steps are counted");
	output_close(out);

	machine_reset(0.75e9 + 0.3e9);
	out = opened(&conf);
	worst = steer(out, 10, 0);
	tap_ok(machine.steps == 1 && worst >= 0 && worst < 1000, "steer: ahead by more than a second: a step back");
	output_close(out);

	/* A repeated line in a window, and the line of a poor one, use up no step. */
	machine_reset(0);
	out = opened(&conf);
	for (i = 0; i < 9; i++) {
		line = truth(i < 8 ? 0 : 5 * MS, 0);
		line.updates = i < 2 ? i + 1 : 2;
		takes(out, &line);
		machine_run(MS);
	}
	tap_ok(machine.steps == 1, "steer: the third window may step, after however many lines");
	machine.off_ns = 0;
	for (i = 0; i < 2; i++) {
		line = truth(0, 0);
		line.updates = 3;
		takes(out, &line);
		machine_run(MS);
	}
	line = truth(5 * MS, 0);
	tap_ok(takes(out, &line) && machine.steps == 1, "steer: the fourth may not");
	output_close(out);

	/* Nor does a line that the kernel refused; it counts when it is published again. */
	machine_reset(0);
	out = opened(&conf);
	machine.denied = EPERM;
	for (i = 0; i < 5; i++) {
		line = truth(0, 0);
		refused += refuses(out, &line, "");
	}
	machine.denied = 0;
	line = truth(5 * MS, 0);
	tap_ok(refused == 5 && takes(out, &line) && machine.steps == 1,
	       "steer: after five windows whose lines were refused the next may step");
	machine.off_ns = 0;
	for (i = 0; i < 4; i++) {
		machine.denied = i % 2 ? 0 : EPERM;
		line = i % 2 ? line : truth(0, 0);
		refused += refuses(out, &line, "");
	}
	line = truth(5 * MS, 0);
	tap_ok(refused == 7 && takes(out, &line) && machine.steps == 1,
	       "steer: two that were refused first and taken then were the last that may");
	output_close(out);

	conf.step_ns = 0;
	machine_reset(-2e6);
	out = opened(&conf);
	worst = steer(out, 40, 0);
	tap_ok(!machine.steps && worst >= 0 && worst < 1000, "steer: step = 0 never steps");

	machine.timex.freq += 100 * 65536;
	line = truth(0, 0);
	tap_ok(takes(out, &line), "steer: with force it tolerates another discipliner");
	machine.timex.status = 0;
	output_lost(out);
	tap_ok(machine.timex.status & STA_UNSYNC, "steer: lost: the clock says so");
	output_close(out);
}

/* The track as the daemon tells it. */
static struct output_line line_of(const struct slew *slew)
{
	struct slew_value now = slew_at(slew, machine.raw_ns);

	return (struct output_line){
		.raw_ns = machine.raw_ns,
		.common_ns = EPOCH_NS + machine.raw_ns + now.x_ns,
		.drift = now.drift_ppb * 1e-9,
		.slew = (now.drift_ppb - slew->line.drift_ppb) * 1e-9,
		.error_ns = 800,
		.skew_ppb = 100,
		.valid_ns = 5 * S,
		.epoch = 1,
		.updates = 10 + (uint32_t)(machine.raw_ns / (2 * S)),
	};
}

/* A window is 100 us off, and CLOCK_REALTIME 300 us: by how much it is turned beyond its drift, ppm. */
static double turned_ppm(int64_t max_slew_ppb, int64_t *missing_ns)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	struct slew_target aim = { .line = { BEGIN_NS, 0, 10000 }, .bound_ns = 300, .meet_ns = SLEW_MEET_NS,
				   .slew_most_ppb = SLEW_MOST_PPB };
	struct slew slew = { 0 };
	struct output *out;
	double worst = 0;
	int ms;

	conf.max_slew_ppb = max_slew_ppb;
	conf.force = 1;
	machine_reset(0);
	out = opened(&conf);
	slew_step(&slew, &aim);
	for (ms = 0; ms < 600000; ms += 2) {
		struct output_line line = line_of(&slew);

		if (ms == 10000) {
			machine.off_ns -= 300e3;
			aim.line = (struct line){ machine.raw_ns, slew_at(&slew, machine.raw_ns).x_ns + 100000, 10000 };
			slew_to(&slew, machine.raw_ns, &aim);
			line = line_of(&slew);
		}
		if (ms % 100 == 0 && !takes(out, &line))
			return -1;
		machine_run(2 * MS);
		if (machine.timer_ns && machine.raw_ns >= machine.timer_ns)
			output_work(out);
		worst = fmax(worst, fabs((double)machine.timex.freq / 65536 - 10));
	}
	*missing_ns = slew_at(&slew, machine.raw_ns).x_ns - llround(machine.off_ns);
	output_close(out);
	return worst;
}

static void test_max_slew(void)
{
	int64_t missing_ns;
	double ppm = turned_ppm(1000, &missing_ns);

	if (!tap_ok(ppm > 0.99 && ppm < 1.01 && llabs(missing_ns) < 100,
		    "steer: max_slew = 1ppm is kept, whether the clock is off or the common time is turned"))
		tap_remark("%g ppm, missing %lld ns", ppm, (long long)missing_ns);
	ppm = turned_ppm(500000, &missing_ns);
	tap_ok(ppm > 200 && ppm < 490.01 && llabs(missing_ns) < 100, "steer: where it is 500ppm they go together");
}

/* Number of lines refused, out of @lines; another program changes the clock's frequency before each @each-th. */
static int refused_of(struct output *out, int lines, int each)
{
	int i, refused = 0;

	for (i = 0; i < lines; i++) {
		struct output_line line = truth(0, 0);

		if (each && i % each == 0)
			machine.timex.freq += (i / each % 2 ? -50 : 50) * 65536;
		refused += refuses(out, &line, "");
		machine_run(MS);
	}
	return refused;
}

/* A process that has the name of a discipliner. */
static pid_t competitor_begin(const char *name)
{
	char seen[64];
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		for (;;)
			pause();
	}
	while (!competitor_find("/proc", seen, sizeof(seen)))
		usleep(1000);
	return pid;
}

/* Needs a machine without another discipliner, or says which it found. */
static void test_meddling(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	char competitor[64];
	struct output_line line;
	struct output *out;
	pid_t pid;
	int refused;

	if (competitor_find("/proc", competitor, sizeof(competitor))) {
		tap_ok(!opened(&conf) && strstr(why, competitor), "steer: refused next to %s", competitor);
		return;
	}
	machine_reset(0);
	out = opened(&conf);
	line = truth(0, 0);
	tap_ok(takes(out, &line), "steer: alone");
	machine.timex.freq += 100 * 65536;
	tap_ok(refuses(out, &line, "another program changed the clock's frequency") &&
	       machine.timex.freq == 100 * 65536, "steer: refused, and nothing set, if another turns the clock");
	tap_ok(refused_of(out, 9, 0) == 9 && machine.timex.freq == 100 * 65536, "steer: for ten lines");
	tap_ok(!refused_of(out, 1, 0) && machine.timex.freq != 100 * 65536, "steer: then it goes on");
	refused = refused_of(out, 80, 8);
	if (!tap_ok(refused == 80, "steer: all are refused while another turns the clock now and then"))
		tap_remark("%d of 80", refused);
	tap_ok(refused_of(out, 10, 0) == 2, "steer: two more, then ten went by without");
	machine.timex.tick = 10010;
	tap_ok(refused_of(out, 12, 0) == 12, "steer: or its tick, as long as that is another");
	machine.timex.tick = 10000;
	refused_of(out, 10, 0);
	machine.timex.freq += 30;
	tap_ok(!refused_of(out, 1, 0), "steer: what the kernel rounds is no other");

	/* A slew is under way. */
	line = truth(100000, 0);
	takes(out, &line);
	machine.timex.freq = -70 * 65536;
	machine.timex.status = 0;
	output_work(out);
	output_lost(out);
	tap_ok(machine.timex.freq == -70 * 65536 && !machine.timex.status && !machine.timer_ns,
	       "steer: nor is another's clock touched when a slew ends, or the line is lost");
	pid = competitor_begin("sptp");
	tap_ok(refused_of(out, 20, 0) == 20 && strstr(why, "sptp"), "steer: refused while a competing daemon runs, which is named");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_ok(refused_of(out, 20, 0) == 10 && machine.timex.freq != -70 * 65536, "steer: and ten lines more");
	output_close(out);
}

/* On the host that brings UTC the clock is kept by somebody else. */
static void test_utc_host(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	struct output_line line;
	struct output *out;

	machine_reset(5e6);
	conf.reference = CONF_REFERENCE_UTC;
	conf.self = 1;
	out = opened(&conf);
	line = truth(0, 0);
	tap_ok(out && takes(out, &line) && !machine.steps && !machine.timex.freq,
	       "the host that brings UTC steers nothing");
	output_close(out);
	snprintf(conf.phc, sizeof(conf.phc), "/dev/ptp0");
	out = opened(&conf);
	line = truth(0, 0);
	tap_ok(out && takes(out, &line) && machine.steps == 1,
	       "unless it takes UTC from a clock device: its own clock follows the mesh");
	output_close(out);
}

static void comm(const char *pid, const char *name)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, pid);
	mkdir(path, 0755);
	strcat(path, "/comm");
	file = fopen(path, "w");
	fprintf(file, "%s\n", name);
	fclose(file);
}

static void test_rivals(void)
{
	static const struct {
		const char *comm, *found;
	} names[] = {
		{ "chronyd", "chronyd (process 77)" }, { "ntpd", "ntpd (process 77)" },
		{ "systemd-timesyn", "systemd-timesyncd (process 77)" }, { "ptp4l", "ptp4l (process 77)" },
		{ "phc2sys", "phc2sys (process 77)" }, { "openntpd", "openntpd (process 77)" },
		{ "chronyc", NULL }, { "chrony", NULL }, { "systemd-timedat", NULL }, { "bash", NULL }, { "", NULL },
		{ "huygens-lite", NULL },
	};
	char name[64];
	size_t i;

	comm("12", "init");
	comm("self", "chronyd");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int found;

		comm("77", names[i].comm);
		found = competitor_find(folder, name, sizeof(name));
		tap_ok(names[i].found ? found && !strcmp(name, names[i].found) : !found,
		       "%s is %s", names[i].comm, names[i].found ? "a competitor, and named" : "none");
	}
	tap_ok(!competitor_find("/nowhere", name, sizeof(name)), "without procfs there is nobody to see");
}

static void tests(void)
{
	test_errors();
	test_steer();
	test_max_slew();
	test_meddling();
	test_utc_host();
	test_rivals();
}

int main(void)
{
	return run(tests);
}
