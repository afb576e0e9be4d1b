// SPDX-License-Identifier: GPL-2.0
/*
 * References, UTC above all, and the names of common times.
 */
#include "fleet_test.h"

/* Host 1 measures UTC, or will. */
static struct fleet *utc_mesh(const char *more)
{
	char conf[100];

	snprintf(conf, sizeof(conf), "%s[coordinator]\nreference = utc:20", more);
	return fleet_make(6, conf, 3, false);
}

static void references(void)
{
	struct fleet *f = fleet_make(5, "[coordinator]\nreference = 30", 9, false);
	int64_t off;

	fleet_pass(f, 16 * FLEET_S);
	off = fleet_common(&f->host[4]) - fleet_local(&f->host[2], f->now_ns);
	check(fleet_is_locked(f, 0, 5) && llabs(off) < NEAR_NS, f,
	      "the common time is the reference's");
	f->host[2].dead = true;
	fleet_pass(f, 10 * FLEET_S);
	off = fleet_common(&f->host[4]) - fleet_local(&f->host[2], f->now_ns);
	check(near(fleet_spread(f, 0, 5), NEAR_NS) && llabs(off) < 50000, f,
	      "and goes on when that is dead");
	fleet_free(f);

	f = fleet_make(5, "[coordinator]\nreference = utc:20", 10, false);
	f->host[1].has_utc = true;
	f->host[1].utc_ns = 123456789;
	fleet_pass(f, 20 * FLEET_S);
	off = fleet_common(&f->host[4]) - fleet_local(&f->host[1], f->now_ns) -
	      123456789;
	check(fleet_is_locked(f, 0, 5) && llabs(off) < 20000, f,
	      "the common time is UTC as a host measures it");
	fleet_free(f);
}

/* UTC is corrected, the mesh turns there by utc_slew, and one host does not hear. */
static void follows_utc(void)
{
	struct fleet *f = utc_mesh("");
	struct fleet_host *deaf = &f->host[5];
	const struct slew *slew = &deaf->mesh.host_clock.slew;
	uint32_t i, bad;

	for (i = 0; i < 6; i++) {
		struct fleet_host *h = &f->host[i];

		h->drift /= 2.5;
		h->conf.window_ns = 2 * FLEET_S;
		h->conf.interval_ns = 20 * FLEET_MS;
		h->has_utc = i == 1;
		restart(h);
	}
	fleet_pass(f, 120 * FLEET_S);
	check(fleet_is_locked(f, 0, 6), f, "a mesh with UTC is locked");
	deaf->side = 1;
	f->host[1].utc_ns += 2 * FLEET_MS;
	fleet_pass(f, 10 * FLEET_S);
	bad = broken(f, 5, 4, 60);
	check(deaf->mesh.host_clock.state.alarm == STATE_SILENT && !bad, f,
	      "a host that holds over while the others turn is within its bound");
	check(llabs(fleet_common(deaf) - fleet_common(&f->host[4])) > 50000, f, "which they are");
	deaf->side = 0;
	fleet_pass(f, 20 * FLEET_S);
	check(fleet_is_locked(f, 0, 6) && !slew->suspicion_ns &&
	      slew->growth.most_ppb == deaf->mesh.host_clock.most_ppb, f,
	      "and with a window that is over");
	fleet_free(f);
}

static int64_t off_utc(const struct fleet *f, uint32_t host)
{
	const struct fleet_host *utc = &f->host[1];

	return fleet_utc_of(&f->host[host]) - fleet_local(utc, f->now_ns) - utc->utc_ns;
}

static bool at_utc(const struct fleet *f)
{
	return llabs(off_utc(f, 4)) < 20000;
}

static double utc_error(const struct fleet *f, uint32_t host)
{
	const struct fleet_host *h = &f->host[host];

	return host_clock_utc_error(&h->mesh.host_clock, fleet_local(h, f->now_ns));
}

/* Instants at which UTC was outside of the bounds of a host: of the mesh's alone, and of both. */
static void outside(struct fleet *f, uint32_t host, uint32_t seconds, uint32_t *mesh,
		    uint32_t *both)
{
	const struct fleet_host *h = &f->host[host];

	for (*mesh = *both = 0; seconds--;) {
		double bound, off;

		fleet_pass(f, FLEET_S);
		off = (double)llabs(off_utc(f, host));
		bound = slew_at(&h->mesh.host_clock.slew, fleet_local(h, f->now_ns)).bound_ns +
			h->mesh.host_clock.asymmetry_ns;
		*mesh += off > bound;
		*both += off > bound + utc_error(f, host);
	}
}

/* UTC is moved by more than the mesh follows at once: the error says so, on each host. */
static void error_of_utc(void)
{
	struct fleet *f = utc_mesh("[mesh]\nmax_asymmetry = 50%\n");
	uint32_t mesh, both, i, known = 0;
	double before, later;

	f->host[1].utc_error_ns = 700;
	fleet_pass(f, 12 * FLEET_S);
	check(isinf(utc_error(f, 0)) && isinf(utc_error(f, 1)), f,
	      "while UTC is not known no host knows how far it is");
	f->host[1].has_utc = true;
	fleet_pass(f, 20 * FLEET_S);
	for (i = 0; i < 6; i++)
		known += utc_error(f, i) > 700 && utc_error(f, i) < 20000;
	check(known == 6, f, "then all know, with what the reference's own clock may be wrong");
	f->host[1].utc_ns += 500000;
	outside(f, 4, 20, &mesh, &both);
	check(mesh > 15 && !both, f, "an error of UTC of 500 us is in that bound, and in no other");
	f->host[1].has_utc = false;
	before = utc_error(f, 4);
	fleet_pass(f, 20 * FLEET_S);
	later = utc_error(f, 4) - before;
	check(fabs(later - 20 * 2000) < 3000, f,
	      "while UTC is lost it grows by error_growth and utc_slew, 2 ppm");
	invalidate(&f->host[4], FLEET_S);
	check(isinf(utc_error(f, 4)), f, "a host that begins anew does not know");
	fleet_free(f);
}

/* The operator knows better than the kernel of the reference. */
static void error_as_configured(void)
{
	struct fleet *f = utc_mesh("");
	double kernel;

	f->host[1].has_utc = true;
	f->host[1].utc_error_ns = 16e9;
	fleet_pass(f, 20 * FLEET_S);
	kernel = utc_error(f, 4);
	f->host[1].conf.utc_error_ns = 100;
	fleet_pass(f, 2 * FLEET_S);
	check(kernel > 16e9 && utc_error(f, 4) < 20000, f,
	      "utc_error replaces what the kernel says");
	fleet_free(f);
}

static bool same_time(const struct fleet *f, uint32_t first, uint32_t timeline)
{
	for (; first < f->hosts; first++)
		if (wire_timeline(f->host[first].mesh.host_clock.timeline) != timeline)
			return false;
	return true;
}

static uint32_t time_of(const struct fleet *f, uint32_t host)
{
	return wire_timeline(f->host[host].mesh.host_clock.timeline);
}

/* The discipliner of UTC is ready after the mesh: the mesh begins anew, once. */
static void late_utc(void)
{
	struct fleet *f = utc_mesh("");
	uint32_t timeline;

	f->host[1].utc_ns = 3 * FLEET_S;
	fleet_pass(f, 15 * FLEET_S);
	timeline = time_of(f, 4);
	check(fleet_is_locked(f, 0, 6) && llabs(off_utc(f, 4)) > FLEET_S &&
	      same_time(f, 0, timeline), f, "a mesh whose UTC is not known yet begins at the mean");
	f->host[1].has_utc = true;
	fleet_pass(f, 10 * FLEET_S);
	check(fleet_is_locked(f, 0, 6) && at_utc(f) && near(fleet_spread(f, 0, 6), NEAR_NS), f,
	      "and is at UTC some windows after it is");
	check(!same_time(f, 0, timeline) && same_time(f, 0, time_of(f, 4)), f,
	      "by another common time, on all hosts");

	timeline = time_of(f, 4);
	f->host[0].dead = true;
	fleet_pass(f, 15 * FLEET_S);
	check(all_follow(f, 20) && same_time(f, 1, timeline) && llabs(off_utc(f, 4)) < 50000, f,
	      "a coordinator that takes over goes on with it");
	f->host[1].has_utc = false;
	f->host[1].utc_ns += 700000;
	fleet_pass(f, 60 * FLEET_S);
	f->host[1].has_utc = true;
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, 1, timeline) && fleet_is_locked(f, 1, 6), f,
	      "and UTC that is lost for a minute is no new one");
	f->host[1].has_utc = false;
	f->host[1].utc_ns += 5 * FLEET_MS;
	fleet_pass(f, 20 * FLEET_S);
	f->host[1].has_utc = true;
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, 1, timeline) && !f->host[4].lost && llabs(off_utc(f, 4)) > FLEET_MS, f,
	      "nor if it is further away than step then: it is turned to");
	restart(&f->host[0]);
	fleet_pass(f, 10 * FLEET_S);
	check(all_follow(f, 10) && same_time(f, 0, timeline), f,
	      "with each coordinator, even one that has just begun");
	fleet_free(f);
}

/* Cases that are not a reason to start over. */
static void near_utc(void)
{
	struct fleet *f = utc_mesh("[output]\nstep = 0\n");
	struct wire_message m;
	uint32_t timeline, i;

	f->host[1].utc_ns = 3 * FLEET_S;
	fleet_pass(f, 15 * FLEET_S);
	timeline = time_of(f, 4);
	f->host[1].has_utc = true;
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, 0, timeline) && llabs(off_utc(f, 4)) > FLEET_S, f,
	      "step = 0: UTC that comes late is turned to");
	fleet_free(f);

	f = utc_mesh("");
	fleet_pass(f, 15 * FLEET_S);
	timeline = time_of(f, 4);
	f->host[1].utc_ns = off_utc(f, 4) + 800000;
	f->host[1].has_utc = true;
	/* Not all hear at once that there is UTC. */
	f->loss_ppm = 600000;
	fleet_pass(f, 5 * FLEET_S);
	f->loss_ppm = 0;
	fleet_pass(f, 5 * FLEET_S);
	check(same_time(f, 0, timeline) && fleet_is_locked(f, 0, 6) &&
	      f->host[4].mesh.host_clock.slew.epoch == 1, f,
	      "UTC that comes late, nearer than step, is turned to");
	f->host[1].utc_ns += 10 * FLEET_MS;
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, 0, timeline) && !f->host[4].lost, f, "and then it was known");
	for (i = 1; i < 6; i++) {
		m = solution_for(&f->host[i], WIRE_TIMELINE_NO_UTC, FLEET_S);
		deliver(&f->host[i], 0, &m);
	}
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, 0, timeline) && fleet_is_locked(f, 0, 6), f,
	      "a common time that has no name with UTC is none");
	fleet_free(f);

	/* Host 1 tells UTC, but no edge of it counts. */
	f = utc_mesh("");
	f->host[1].utc_ns = -3 * FLEET_S;
	fleet_pass(f, 15 * FLEET_S);
	timeline = time_of(f, 4);
	f->host[1].has_utc = true;
	f->host[1].mesh.has_invalid = true;
	f->host[1].mesh.invalid = UINT64_MAX;
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, 2, timeline) && !f->host[4].lost, f,
	      "nor is a mean begun where no edge leads to UTC");
	f->host[1].mesh.invalid = 0;
	fleet_pass(f, 10 * FLEET_S);
	check(!same_time(f, 0, timeline) && same_time(f, 0, time_of(f, 4)) && at_utc(f), f,
	      "but UTC, as soon as one does");
	fleet_free(f);
}

/* Greatest difference between hosts whose common times have one name. */
static int64_t same_name_apart(const struct fleet *f)
{
	int64_t apart, worst = 0;
	uint32_t i, j;

	for (i = 0; i < f->hosts; i++) {
		for (j = 0; j < i; j++) {
			if (fleet_common(&f->host[i]) == INT64_MIN ||
			    fleet_common(&f->host[j]) == INT64_MIN ||
			    time_of(f, i) != time_of(f, j))
				continue;
			apart = llabs(fleet_common(&f->host[i]) - fleet_common(&f->host[j]));
			worst = apart > worst ? apart : worst;
		}
	}
	return worst;
}

/* For three seconds no window of hosts @first to @end counts; the worst that is seen. */
static int64_t ruined_meanwhile(struct fleet *f, uint32_t first, uint32_t end)
{
	int64_t apart, worst = 0;
	uint32_t i;
	int k;

	for (k = 0; k < 30; k++) {
		for (i = first; i < end; i++)
			invalidate(&f->host[i], 0);
		fleet_pass(f, 100 * FLEET_MS);
		apart = same_name_apart(f);
		worst = apart > worst ? apart : worst;
	}
	return worst;
}

/*
 * Most hosts have a common time, and none of them is in a window's solution: that
 * leads elsewhere, and must not be reported as theirs.
 */
static void names(void)
{
	struct fleet *f = fleet_make(5, "[coordinator]\nreference = utc:10\n", 7, false);
	uint32_t timeline, i;
	int64_t apart;

	fleet_pass(f, 12 * FLEET_S);
	timeline = time_of(f, 4);
	f->host[0].has_utc = true;
	f->host[0].utc_ns = 5 * FLEET_S;
	apart = ruined_meanwhile(f, 2, 5);
	check(apart <= NEAR_NS && time_of(f, 0) != timeline && time_of(f, 1) == time_of(f, 0) &&
	      time_of(f, 4) == timeline, f,
	      "two hosts that leap to UTC while three hear nothing keep the new time's name");
	check(f->host[1].mesh.host_clock.slew.epoch == 2, f, "which they leap to once");
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, 0, time_of(f, 4)) && time_of(f, 4) != timeline && agree(f, 0, 5), f,
	      "and then all five have one at UTC");
	fleet_free(f);

	f = fleet_make(5, "", 7, false);
	fleet_pass(f, 12 * FLEET_S);
	timeline = time_of(f, 0);
	for (i = 3; i < 5; i++) {
		f->host[i].offset_ns += 3 * FLEET_S;
		restart(&f->host[i]);
	}
	apart = ruined_meanwhile(f, 0, 3);
	check(apart <= NEAR_NS && time_of(f, 0) == timeline && time_of(f, 3) != timeline &&
	      time_of(f, 4) == time_of(f, 3), f,
	      "two that begin while three hear nothing begin a time with a name of its own");
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, 0, timeline) && agree(f, 0, 5), f, "until the three are back");
	fleet_free(f);
}

/* The epochs of two halves that begin at once and never reached each other. */
static void own_names(void)
{
	uint32_t same = 0, names[2], i;
	struct fleet *f;
	uint64_t seed;

	for (seed = 1; seed < 7; seed++) {
		f = fleet_make(4, "", seed, false);
		for (i = 0; i < 4; i++) {
			f->host[i].offset_ns = 0;
			f->host[i].side = i > 1;
			f->host[i].drift = 0;
		}
		fleet_pass(f, 12 * FLEET_S);
		same += !time_of(f, 0) || !time_of(f, 2) || time_of(f, 0) == time_of(f, 2) ||
			f->host[0].mesh.verdict.term != f->host[2].mesh.verdict.term;
		fleet_free(f);
	}
	tap_ok(!same, "two halves with the same windows and terms have names of their own: %u",
	       same);
	for (i = 0; i < 2; i++) {
		f = fleet_make(2, "", 1, false);
			f->host[0].session = i;
		restart(&f->host[0]);
		fleet_pass(f, 12 * FLEET_S);
		names[i] = time_of(f, 1);
		fleet_free(f);
	}
	tap_ok(names[0] && names[1] && names[0] != names[1],
	       "and so has what a coordinator begins when it begins itself");
}

int main(void)
{
	references();
	follows_utc();
	error_of_utc();
	error_as_configured();
	late_utc();
	near_utc();
	names();
	own_names();
	return tap_done();
}
