// SPDX-License-Identifier: GPL-2.0
/*
 * Leap seconds in a mesh: announced by kernels and not, with hosts that say something else,
 * and the coordinator lost meanwhile.  The common time is never stepped.
 */
#include "../../daemon/report.h"
#include "fleet_test.h"

/* The month that begins with 2017, before which a second was inserted. */
#define MONTH_S		1483228800

/* Host 1 measures UTC; with more, hosts 2 and 3 as well.  Their clocks are of one rate. */
static struct fleet *leap_mesh(const char *reference)
{
	struct fleet *f;
	char conf[100];
	uint32_t i;

	snprintf(conf, sizeof(conf), "[coordinator]\nreference = %s", reference);
	f = fleet_make(6, conf, 3, false);
	for (i = 0; i < f->hosts; i++) {
		f->host[i].drift = 0;
		restart(&f->host[i]);
	}
	return f;
}

/* A host's UTC is put so that a month begins in so long, and TAI is known. */
static void begin_month(struct fleet *f, uint32_t host, int64_t in_ns)
{
	struct fleet_host *h = &f->host[host];

	h->utc_ns = MONTH_S * FLEET_S - in_ns - fleet_local(h, f->now_ns);
	h->has_utc = true;
	h->utc_tai = 36;
}

/* As engine_sample() has it: a step of CLOCK_REALTIME voids a window. */
static void step_utc(struct fleet *f, uint32_t host, int64_t ns)
{
	f->host[host].utc_ns += ns;
	invalidate(&f->host[host], 0);
}

/* How far a host's UTC is from that of host 1, whose clock is right. */
static double off_utc(const struct fleet *f, uint32_t host)
{
	const struct fleet_host *utc = &f->host[1];

	return (double)llabs(fleet_utc_of(&f->host[host]) - fleet_local(utc, f->now_ns) -
			     utc->utc_ns);
}

static double bound_utc(const struct fleet *f, uint32_t host)
{
	const struct fleet_host *h = &f->host[host];
	int64_t local_ns = fleet_local(h, f->now_ns);

	return slew_at(&h->mesh.host_clock.slew, local_ns).bound_ns +
	       h->mesh.host_clock.asymmetry_ns +
	       host_clock_utc_error(&h->mesh.host_clock, local_ns);
}

/* For how long in that time UTC is outside of the bounds of any host that lives, ms. */
static uint32_t outside_ms(struct fleet *f, uint32_t ms)
{
	uint32_t outside = 0, at, i;

	for (at = 0; at < ms; at += 100) {
		bool bad = false;

		fleet_pass(f, 100 * FLEET_MS);
		for (i = 0; i < f->hosts; i++)
			bad |= !f->host[i].dead && off_utc(f, i) > bound_utc(f, i);
		outside += bad ? 100 : 0;
	}
	return outside;
}

/* All hosts that live have one common time, and never lost it. */
static bool goes_on(const struct fleet *f, uint32_t timeline)
{
	uint32_t i;

	for (i = 0; i < f->hosts; i++) {
		const struct fleet_host *h = &f->host[i];

		if (!h->dead && (h->lost || wire_timeline(h->mesh.host_clock.timeline) != timeline))
			return false;
	}
	return fleet_is_locked(f, 0, f->hosts);
}

/* Do all hosts that live know this of leap seconds? */
static bool all_know(const struct fleet *f, int seconds, int step, int tai)
{
	bool good = true;
	uint32_t i;

	for (i = 0; i < f->hosts; i++) {
		const struct fleet_host *h = &f->host[i];
		const struct leap *leap = &h->mesh.host_clock.leap;

		if (h->dead || (leap->seconds == seconds && leap->step == step &&
				leap_utc_tai(leap, fleet_common(h)) == tai))
			continue;
		tap_remark("host %u: %d s, step %d, TAI %d", i, leap->seconds, leap->step,
			   leap_utc_tai(leap, fleet_common(h)));
		good = false;
	}
	return good;
}

/* Leap seconds as huygensctl prints them, "-" if nothing is known. */
static const char *shown(struct fleet *f, uint32_t host)
{
	const struct report_output output = { .remaining_ns = STATUS_UNKNOWN };
	struct fleet_host *h = &f->host[host];
	struct mesh_now now = fleet_now(h);
	struct status status = { 0 };
	struct report report;

	if (report_make(&report, &h->mesh))
		return NULL;
	report_fill(&report, &h->mesh, &now, &output, &status);
	report_free(&report);
	return status.tracking.leap ? status.tracking.leap : "-";
}

static uint32_t time_of(const struct fleet *f, uint32_t host)
{
	return wire_timeline(f->host[host].mesh.host_clock.timeline);
}

/*
 * @step is done at the end of a month, 20 s from now, @told before or not; returns for how
 * long UTC is outside of bounds in the 65 s from just before it.
 */
static uint32_t leaps(struct fleet *f, int step, bool told)
{
	f->host[1].utc_step = told ? step : 0;
	/* The kernel's step is 1 ms late, at which nobody looks. */
	fleet_pass(f, (step < 0 ? 19 : 20) * FLEET_S + FLEET_MS);
	f->host[1].utc_tai += step;
	step_utc(f, 1, -step * FLEET_S);
	return outside_ms(f, 65000);
}

static void in_time(int step)
{
	struct fleet *f = leap_mesh("utc:20");
	uint32_t timeline, outside;

	begin_month(f, 1, 40 * FLEET_S);
	fleet_pass(f, 20 * FLEET_S);
	timeline = time_of(f, 4);
	outside = leaps(f, step, true);
	check(!outside && goes_on(f, timeline), f,
	      step > 0 ? "announced: a second inserted is in no bound's way, and steps no mesh" :
			 "announced: nor is one that is deleted");
	check(all_know(f, step, 0, 36 + step), f, "and all hosts have counted it");
	fleet_free(f);
}

static void late(void)
{
	struct fleet *f = leap_mesh("utc:20");
	uint32_t timeline;

	begin_month(f, 1, 20 * FLEET_S);
	fleet_pass(f, 12 * FLEET_S);
	check(all_know(f, 0, 0, 36), f, "without an announcement there is none to come");
	timeline = time_of(f, 4);
	f->host[1].utc_step = 1;
	fleet_pass(f, 2 * FLEET_S);
	check(all_know(f, 0, 1, 36), f, "announced: all know it two seconds later");
	check(!strcmp(shown(f, 4), "insert"), f, "and print it");
	f->host[1].has_utc = false;
	fleet_pass(f, 6 * FLEET_S + FLEET_MS);
	step_utc(f, 1, -FLEET_S);
	check(all_know(f, 0, 1, 37) && !outside_ms(f, 65000) && goes_on(f, timeline), f,
	      "and it is right on all hosts without UTC");
	check(!strcmp(shown(f, 4), "none"), f, "which print none from midnight on");
	f->host[1].utc_tai = 37;
	f->host[1].has_utc = true;
	fleet_pass(f, 5 * FLEET_S);
	check(all_know(f, 1, 0, 37) && goes_on(f, timeline) && off_utc(f, 4) < 100000, f,
	      "and when that comes back");
	fleet_free(f);
}

/* A mesh without UTC. */
static void mean(void)
{
	struct fleet *f = leap_mesh("mean");

	fleet_pass(f, 5 * FLEET_S);
	check(fleet_is_locked(f, 0, 6) && !strcmp(shown(f, 4), "-"), f,
	      "without UTC nothing is known of leap seconds");
	fleet_free(f);
}

/* The control: the same without an announcement. */
static void control(void)
{
	struct fleet *f = leap_mesh("utc:20");
	uint32_t timeline, outside;

	begin_month(f, 1, 40 * FLEET_S);
	fleet_pass(f, 20 * FLEET_S);
	timeline = time_of(f, 4);
	outside = leaps(f, 1, false);
	tap_remark("outside for %u ms", outside);
	check(outside > 0 && outside <= 1500 && goes_on(f, timeline), f,
	      "unannounced: UTC is outside of bounds for three windows at most, the mesh goes on");
	check(all_know(f, 1, 0, 37), f, "and all hosts have counted it");
	step_utc(f, 1, FLEET_S);
	fleet_pass(f, 10 * FLEET_S);
	check(all_know(f, 1, 0, 37) && off_utc(f, 4) > 5e8, f,
	      "there is none an instant after another");
	fleet_free(f);
}

/* The kernel knows neither TAI nor leap seconds until its clock is stepped. */
static void untold(void)
{
	struct fleet *f = leap_mesh("utc:20");

	begin_month(f, 1, 20 * FLEET_S);
	f->host[1].utc_tai = 0;
	fleet_pass(f, 20 * FLEET_S + FLEET_MS);
	check(all_know(f, 0, 0, 0), f, "a kernel that was told nothing: TAI is not known");
	step_utc(f, 1, -FLEET_S);
	fleet_pass(f, 10 * FLEET_S);
	check(all_know(f, 1, 0, 0) && off_utc(f, 4) < 100000, f,
	      "the second is counted all the same");
	f->host[1].utc_tai = 37;
	fleet_pass(f, 5 * FLEET_S);
	check(all_know(f, 1, 0, 37), f, "and TAI known when the kernel is told");
	fleet_free(f);
}

/* Steps that are none, and announcements that are not. */
static void none(void)
{
	static const struct {
		int64_t month_in_s;
		int64_t step_ns;
		const char *name;
	} steps[] = {
		{ 15, -FLEET_S - 40 * FLEET_MS,
		  "a step of UTC that is no second is no leap second" },
		{ 15, 2 * FLEET_S, "nor are two" },
		{ 15, -500 * FLEET_MS, "nor is half of one" },
		{ -5 * 86400, -FLEET_S, "nor is a second within a month" },
	};
	struct fleet *f;
	uint32_t timeline;
	size_t i;

	for (i = 0; i < sizeof(steps) / sizeof(*steps); i++) {
		f = leap_mesh("utc:20");
		begin_month(f, 1, steps[i].month_in_s * FLEET_S);
		f->host[1].utc_step = i == 3;
		fleet_pass(f, 15 * FLEET_S);
		timeline = time_of(f, 4);
		step_utc(f, 1, steps[i].step_ns);
		fleet_pass(f, 10 * FLEET_S);
		check(all_know(f, 0, 0, 36) && goes_on(f, timeline) && off_utc(f, 4) > 2.5e8, f,
		      steps[i].name);
		fleet_free(f);
	}
	f = leap_mesh("utc:20");
	begin_month(f, 1, 100 * FLEET_S);
	f->host[1].utc_step = 1;
	fleet_pass(f, 15 * FLEET_S);
	check(all_know(f, 0, 1, 36), f, "announced");
	f->host[1].utc_step = 0;
	fleet_pass(f, 5 * FLEET_S);
	check(all_know(f, 0, 0, 36), f, "and withdrawn");
	fleet_free(f);

	/* All that report UTC announce one that is not done. */
	f = leap_mesh("utc:20");
	begin_month(f, 1, 15 * FLEET_S);
	f->host[1].utc_step = 1;
	fleet_pass(f, 20 * FLEET_S);
	timeline = time_of(f, 4);
	check(off_utc(f, 4) > 9e8, f, "announced, and not done: UTC is a second off");
	fleet_pass(f, 65 * FLEET_S);
	check(all_know(f, 0, 0, 36) && off_utc(f, 4) < 100000 && goes_on(f, timeline), f,
	      "until a minute after it, and the mesh goes on");
	fleet_free(f);
}

/* Three hosts with UTC, of which one says something else. */
static void minority(void)
{
	struct fleet *f = leap_mesh("utc:20,30,40");
	uint32_t timeline, i;

	for (i = 1; i < 4; i++) {
		begin_month(f, i, 20 * FLEET_S);
		f->host[i].utc_error_ns = 1000;
		f->host[i].utc_step = i == 3 ? -1 : 1;
		f->host[i].utc_tai = i == 3 ? 999 : 36;
	}
	fleet_pass(f, 20 * FLEET_S + FLEET_MS);
	timeline = time_of(f, 4);
	check(all_know(f, 0, 1, 37), f, "of three what two announce, and TAI as two have it");
	/* Their kernels step one after the other, and the third not at all. */
	step_utc(f, 1, -FLEET_S);
	f->host[1].utc_tai++;
	check(!outside_ms(f, 3000), f, "one has taken it, another has not yet");
	step_utc(f, 2, -FLEET_S);
	f->host[2].utc_tai++;
	check(!outside_ms(f, 65000) && goes_on(f, timeline) && all_know(f, 1, 0, 37), f,
	      "and both have, while the third never does");
	fleet_free(f);
}

/* The coordinator dies with the leap second, and another goes on with what hosts report. */
static void successor(void)
{
	struct fleet *f = leap_mesh("utc:20");
	uint32_t timeline, i;

	begin_month(f, 1, 20 * FLEET_S);
	f->host[1].utc_step = 1;
	fleet_pass(f, 20 * FLEET_S + FLEET_MS);
	timeline = time_of(f, 4);
	f->host[0].dead = true;
	step_utc(f, 1, -FLEET_S);
	f->host[1].utc_tai++;
	check(!outside_ms(f, 65000) && all_follow(f, 20) && time_of(f, 4) == timeline &&
	      all_know(f, 1, 0, 37), f, "a coordinator that dies at the leap second");
	restart(&f->host[0]);
	fleet_pass(f, 10 * FLEET_S);
	check(all_follow(f, 10) && all_know(f, 1, 0, 37) && time_of(f, 0) == timeline, f,
	      "and one that begins learns what all others know");
	/* One host lies of what it knows. */
	f->host[5].mesh.host_clock.leap = (struct leap){ 99, 999, 0, 0 };
	f->host[0].dead = true;
	fleet_pass(f, 10 * FLEET_S);
	check(all_follow(f, 20) && all_know(f, 1, 0, 37), f,
	      "of which one that lies changes nothing");
	for (i = 0; i < 6; i++)
		restart(&f->host[i]);
	fleet_pass(f, 15 * FLEET_S);
	check(all_know(f, 0, 0, 37) && off_utc(f, 4) < 100000, f,
	      "a mesh that starts anew is at UTC");
	fleet_free(f);
}

int main(void)
{
	in_time(1);
	in_time(-1);
	late();
	mean();
	control();
	untold();
	none();
	minority();
	successor();
	return tap_done();
}
