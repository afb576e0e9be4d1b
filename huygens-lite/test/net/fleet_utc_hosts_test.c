// SPDX-License-Identifier: GPL-2.0
/*
 * Several hosts that report UTC: which of them count, what follows when one is lost,
 * wrong or alone, and what readings of UTC tell hosts of each other.
 */
#include "fleet_test.h"

#define HOSTS	6

/* Hosts 1, 2 and 3 report UTC, or will. */
static struct fleet *utc_mesh(const char *more)
{
	char conf[160];

	snprintf(conf, sizeof(conf), "%s[coordinator]\nreference = utc:20,30,40\n", more);
	return fleet_make(HOSTS, conf, 3, false);
}

/* UTC, as true time is here, which a host's clock shows with an error. */
static void show_utc(struct fleet *f, uint32_t host, int64_t off_ns, double error_ns)
{
	struct fleet_host *h = &f->host[host];

	h->drift = 0;
	h->has_utc = true;
	h->utc_ns = off_ns - h->offset_ns;
	h->utc_error_ns = error_ns;
	restart(h);
}

static int64_t off_utc(const struct fleet *f, uint32_t host)
{
	return fleet_common(&f->host[host]) - f->now_ns;
}

static bool at_utc(const struct fleet *f, int64_t ns)
{
	uint32_t i;

	for (i = 0; i < f->hosts; i++)
		if (!f->host[i].dead && llabs(off_utc(f, i)) > ns) {
			tap_remark("host %u: %lld ns", i, (long long)off_utc(f, i));
			return false;
		}
	return true;
}

static bool same_time(const struct fleet *f, uint32_t timeline)
{
	uint32_t i;

	for (i = 0; i < f->hosts; i++)
		if (!f->host[i].dead &&
		    wire_timeline(f->host[i].mesh.host_clock.timeline) != timeline)
			return false;
	return true;
}

static uint32_t time_of(const struct fleet *f, uint32_t host)
{
	return wire_timeline(f->host[host].mesh.host_clock.timeline);
}

static double utc_error(const struct fleet *f, uint32_t host)
{
	const struct fleet_host *h = &f->host[host];

	return host_clock_utc_error(&h->mesh.host_clock, fleet_local(h, f->now_ns));
}

static uint64_t disagreed(const struct fleet *f)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < f->hosts; i++)
		sum += f->host[i].mesh.count.utc_disagreed;
	return sum;
}

/* They are lost one after the other, and come back. */
static void failover(void)
{
	struct fleet *f = utc_mesh("");
	uint32_t timeline;
	double lost;

	show_utc(f, 1, 0, 2000);
	show_utc(f, 2, 0, 2500);
	show_utc(f, 3, 0, 3000);
	fleet_pass(f, 20 * FLEET_S);
	timeline = time_of(f, 5);
	check(fleet_is_locked(f, 0, HOSTS) && at_utc(f, 5000) && f->host[5].mesh.reference == 20, f,
	      "three hosts report UTC, and errors are counted from the best");
	f->host[1].dead = true;
	fleet_pass(f, 20 * FLEET_S);
	check(same_time(f, timeline) && at_utc(f, 5000) && f->host[5].mesh.reference == 30 &&
	      !f->host[5].lost, f, "the best dies: the next, with the same common time");
	f->host[2].has_utc = false;
	fleet_pass(f, 20 * FLEET_S);
	check(same_time(f, timeline) && at_utc(f, 5000) && f->host[5].mesh.reference == 40, f,
	      "the second does not know UTC any more: the third");
	f->host[3].has_utc = false;
	fleet_pass(f, 5 * FLEET_S);
	lost = utc_error(f, 5);
	fleet_pass(f, 20 * FLEET_S);
	check(same_time(f, timeline) && utc_error(f, 5) > lost + 20000 &&
	      !f->host[5].mesh.reference, f,
	      "none does: the common time goes on, and the error of UTC grows");
	f->host[2].has_utc = true;
	restart(&f->host[1]);
	fleet_pass(f, 20 * FLEET_S);
	check(same_time(f, timeline) && at_utc(f, 5000) && f->host[5].mesh.reference == 20 &&
	      utc_error(f, 5) < lost, f, "two are back");
	tap_ok(!disagreed(f), "and at no time did any disagree");
	fleet_free(f);
}

/* One is wrong by far more than it says. */
static void liars(void)
{
	struct fleet *f = utc_mesh("");
	uint32_t timeline;
	double before;

	show_utc(f, 1, 0, 2000);
	show_utc(f, 2, 0, 2000);
	show_utc(f, 3, 0, 2000);
	fleet_pass(f, 20 * FLEET_S);
	timeline = time_of(f, 5);
	before = utc_error(f, 5);
	f->host[1].utc_ns += 20 * FLEET_MS;
	f->host[1].utc_error_ns = 10;
	fleet_pass(f, 40 * FLEET_S);
	check(at_utc(f, 5000) && same_time(f, timeline) && !disagreed(f), f,
	      "one of three is re-steered by 20 ms: the two others are followed");
	check(agree(f, 0, HOSTS) && utc_error(f, 5) < 2 * before, f,
	      "it moves no host's clock, not even its own, and no bound");
	f->host[2].has_utc = false;
	fleet_pass(f, 20 * FLEET_S);
	check(disagreed(f) > 5 && at_utc(f, 50000) && utc_error(f, 5) > before + 20000, f,
	      "one of two: neither, and the error of UTC grows");
	f->host[3].has_utc = false;
	fleet_pass(f, 20 * FLEET_S);
	check(same_time(f, timeline) && off_utc(f, 5) > 10000 && f->host[5].mesh.reference == 20, f,
	      "alone it is believed, and turned to at utc_slew");
	fleet_free(f);

	f = utc_mesh("[mesh]\nmax_asymmetry = 50%\n");
	show_utc(f, 1, 3 * FLEET_S, 1000);
	show_utc(f, 2, 0, 1000);
	fleet_pass(f, 20 * FLEET_S);
	check(disagreed(f) > 5 && isinf(utc_error(f, 5)) && fleet_is_locked(f, 0, HOSTS), f,
	      "two that disagree from the beginning: the mean, and UTC is not known");
	show_utc(f, 3, 0, 1000);
	fleet_pass(f, 20 * FLEET_S);
	check(at_utc(f, 5000) && fleet_is_locked(f, 0, HOSTS), f,
	      "a third decides, and the mesh begins anew at UTC");
	fleet_free(f);
}

/* Both step, the one a window after the other. */
static void leap_second(void)
{
	struct fleet *f = utc_mesh("");
	uint32_t timeline, i;

	for (i = 1; i < 4; i++)
		show_utc(f, i, 1483228800 * FLEET_S - 15 * FLEET_S - f->now_ns, 2000);
	fleet_pass(f, 15 * FLEET_S);
	timeline = time_of(f, 5);
	for (i = 1; i < 4; i++) {
		f->host[i].utc_ns -= FLEET_S;
		invalidate(&f->host[i], 0);
		fleet_pass(f, 700 * FLEET_MS);
	}
	fleet_pass(f, 10 * FLEET_S);
	check(same_time(f, timeline) && agree(f, 0, HOSTS) && !f->host[5].lost &&
	      llabs(fleet_utc_of(&f->host[5]) - fleet_local(&f->host[2], f->now_ns) -
		    f->host[2].utc_ns) < 20000,
	      f, "three that leap one after the other, unannounced: the common time goes on");
	fleet_free(f);
}

static struct fleet *phc_mesh(const char *more, bool all)
{
	char conf[160];
	struct fleet *f;
	uint32_t i;

	snprintf(conf, sizeof(conf), "%s[coordinator]\nreference = utc:all\n", more);
	f = fleet_make(HOSTS, conf, 5, false);
	for (i = 0; i < HOSTS; i++) {
		snprintf(f->host[i].conf.phc, CONF_PATH_MAX, "/dev/ptp0");
		if (all || !i)
			show_utc(f, i, 0, 500);
	}
	return f;
}

/* Common view: no queue is between a host and its clock device. */
static int64_t under_load(bool all, double *bound_ns)
{
	struct fleet *f = phc_mesh("", all);
	int64_t worst_ns = 0;
	uint32_t i, k;

	*bound_ns = 0;
	f->queue_ns = 2 * FLEET_MS;
	fleet_pass(f, 5 * FLEET_S);
	for (k = 0; k < 20; k++) {
		int64_t spread_ns;

		fleet_pass(f, FLEET_S);
		spread_ns = fleet_spread(f, 0, HOSTS);
		worst_ns = spread_ns < 0 ? INT64_MAX : spread_ns > worst_ns ? spread_ns : worst_ns;
		for (i = 0; i < HOSTS; i++)
			*bound_ns = fmax(*bound_ns, slew_at(&f->host[i].mesh.host_clock.slew,
							    fleet_local(&f->host[i],
									f->now_ns)).bound_ns);
	}
	fleet_free(f);
	return worst_ns;
}

static void common_view(void)
{
	double bound_ns, alone_ns;
	int64_t worst_ns = under_load(true, &bound_ns);
	int64_t apart_ns = under_load(false, &alone_ns);

	tap_ok(worst_ns < 5000 && bound_ns < 20000,
	       "with queues of 2 ms hosts that all read UTC are %lld ns apart, within %.0f ns",
	       (long long)worst_ns, bound_ns);
	tap_ok(apart_ns > 5 * worst_ns && alone_ns > 5 * bound_ns,
	       "if one does, %lld ns, within %.0f ns", (long long)apart_ns, alone_ns);
}

/* Ways to half of the hosts are 300 us longer than back, which the mesh cannot see. */
static void asymmetric(void)
{
	struct fleet *f = phc_mesh("", true);
	uint32_t i;

	for (i = HOSTS / 2; i < HOSTS; i++)
		f->host[i].far_ns = 300000;
	fleet_pass(f, 30 * FLEET_S);
	check(fleet_spread(f, 0, HOSTS) > 100000 && !disagreed(f) && at_utc(f, 160000), f,
	      "hosts that are off by an asymmetry do not disagree about UTC, as it is in their errors");
	fleet_free(f);
	f = phc_mesh("[mesh]\nmax_asymmetry = 0\n", true);
	for (i = HOSTS / 2; i < HOSTS; i++)
		f->host[i].far_ns = 300000;
	fleet_pass(f, 30 * FLEET_S);
	check(disagreed(f) > 5, f, "unless max_asymmetry is 0");
	fleet_free(f);
}

/* The error of UTC is utc_error plus that of reading the clock. */
static void reading_error(void)
{
	struct fleet *f = utc_mesh("");
	uint32_t i;

	for (i = 0; i < HOSTS; i++)
		f->host[i].conf.utc_error_ns = 1000;
	show_utc(f, 1, 0, 16e9);
	f->host[1].utc_read_ns = 400000;
	fleet_pass(f, 20 * FLEET_S);
	check(utc_error(f, 5) > 401000 && utc_error(f, 5) < 421000, f,
	      "the error of reading is added to utc_error, which replaces that of the clock");
	fleet_free(f);
}

/* A host that is not named, and one whose edges do not count. */
static void strangers(void)
{
	struct fleet *f = utc_mesh("");

	show_utc(f, 4, FLEET_S, 1);
	fleet_pass(f, 20 * FLEET_S);
	check(isinf(utc_error(f, 5)) && !f->host[5].mesh.reference, f,
	      "a host that reference does not name reports nothing");
	f->host[1].mesh.has_invalid = true;
	f->host[1].mesh.invalid = UINT64_MAX;
	f->host[1].has_utc = true;
	fleet_pass(f, 10 * FLEET_S);
	check(isinf(utc_error(f, 5)), f, "nor does UTC count to which no edge leads");
	fleet_free(f);
}

int main(void)
{
	failover();
	liars();
	leap_second();
	common_view();
	asymmetric();
	reading_error();
	strangers();
	return tap_done();
}
