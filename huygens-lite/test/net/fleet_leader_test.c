// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts elect a coordinator, follow one that others follow, and go on without it.
 */
#include "fleet_test.h"

static void lives(void)
{
	struct fleet *f = fleet_make(8, "", 1, false);
	uint64_t window, epoch;
	uint32_t timeline;
	int64_t step;

	fleet_pass(f, 2 * FLEET_S);
	check(!f->host[0].mesh.schedule.known && !f->host[7].mesh.count.probes, f,
	      "nobody leads, or probes, before it has listened");
	fleet_pass(f, 13 * FLEET_S);
	check(all_follow(f, 10), f, "the lowest coordinates");
	check(fleet_is_locked(f, 0, 8), f, "eight hosts are locked");
	check(near(fleet_spread(f, 0, 8), NEAR_NS), f, "and have a common time");
	check(!f->host[3].mesh.count.bad_window && !f->host[3].mesh.count.bad_role &&
	      !f->host[3].mesh.count.bad_form, f, "nothing was refused");

	window = f->host[5].mesh.window;
	epoch = f->host[5].mesh.verdict.term;
	timeline = f->host[5].mesh.host_clock.timeline;
	step = fleet_common(&f->host[5]) - f->now_ns;
	f->host[0].dead = true;
	fleet_pass(f, 10 * FLEET_S);
	check(all_follow(f, 20) && f->host[5].mesh.verdict.term > epoch, f,
	      "the coordinator dies, and is replaced by a later epoch");
	check(agree(f, 1, 8), f, "its successor goes on");
	step -= fleet_common(&f->host[5]) - f->now_ns;
	check(f->host[5].mesh.host_clock.timeline == timeline &&
	      llabs(step) < 100000, f, "with the same common time");
	check(f->host[5].mesh.window >= window + 18 && f->host[5].mesh.window <= window + 21, f,
	      "and the same count of windows");

	/* It has received nothing for ten seconds, and takes itself for the leader. */
	fleet_wake(&f->host[0]);
	fleet_pass(f, 700 * FLEET_MS);
	check(f->host[5].mesh.verdict.term > epoch, f, "it wakes with an epoch that is over");
	fleet_pass(f, 10 * FLEET_S);
	check(all_follow(f, 10) && f->host[5].mesh.verdict.term >= epoch + 2, f,
	      "and leads in a later term");
	check(agree(f, 0, 8) && f->host[0].mesh.host_clock.timeline == timeline, f,
	      "with the same common time");
	fleet_free(f);
}

/* Nobody is left without a line while nobody coordinates, whenever it begins. */
static void heirs(void)
{
	struct fleet *f;
	uint32_t phase, i, lost = 0, others = 0, timeline;
	bool locked = true, grows = true;

	for (phase = 0; phase < 10; phase++) {
		f = fleet_make(4, "[coordinator]\ndead = 4s", 20 + phase, false);
		fleet_pass(f, 11 * FLEET_S + phase * 50 * FLEET_MS);
		timeline = f->host[3].mesh.host_clock.timeline;
		f->host[0].dead = true;
		/* Beyond three windows without a result: they hold over. */
		fleet_pass(f, 3 * FLEET_S);
		for (i = 1; i < 4; i++) {
			const struct fleet_host *h = &f->host[i];
			int64_t now_ns = fleet_local(h, f->now_ns);

			locked &= h->mesh.host_clock.state.phase == STATE_HOLDOVER &&
				  h->mesh.host_clock.state.alarm == STATE_SILENT;
			grows &= slew_at(&h->mesh.host_clock.slew, now_ns).bound_ns >
				 slew_at(&h->mesh.host_clock.slew, now_ns - FLEET_S).bound_ns;
		}
		fleet_pass(f, 4 * FLEET_S);
		f->host[0].published = false;
		restart(&f->host[0]);
		fleet_pass(f, 8 * FLEET_S);
		locked &= fleet_is_locked(f, 0, 4);
		for (i = 0; i < 4; i++) {
			lost += f->host[i].lost;
			others += f->host[i].mesh.host_clock.timeline != timeline;
		}
		fleet_free(f);
	}
	tap_ok(locked && grows,
	       "without a coordinator hosts hold over with a growing bound, and lock again");
	tap_ok(!lost && !others,
	       "and no line is withdrawn, nor another time begun: %u, %u", lost, others);
}

/* All messages of a coordinator of an earlier term are refused. */
static void fenced(void)
{
	struct fleet *f = fleet_make(4, "", 2, false);
	struct fleet_host *h = &f->host[3];
	struct count *count = &h->mesh.count;
	struct wire_message m;
	uint64_t stale, bad;
	int64_t common;

	fleet_pass(f, 12 * FLEET_S);
	f->host[0].dead = true;
	fleet_pass(f, 8 * FLEET_S);
	common = fleet_common(h);
	m = (struct wire_message){ .type = WIRE_SOLUTION, .solution = {
		.count = 1, .parts = 1, .term = 1, .window = h->mesh.window,
		.timeline = 77, .hosts = 4,
		.row = { { .id = 40, .flags = WIRE_ROW_SOLVED,
			   .at_ns = fleet_now(h).local_ns, .offset_ns = 12345678 } } } };
	stale = count->stale;
	deliver(h, 0, &m);
	check(count->stale == stale + 1 && fleet_common(h) == common, f,
	      "a stale coordinator's solution is refused, and counted");
	m.solution.term = h->mesh.verdict.term;
	deliver(h, 2, &m);
	check(fleet_common(h) == common, f, "and one of a host that is not the leader");
	m.solution.window = h->mesh.window + 9;
	bad = count->bad_window;
	deliver(h, 1, &m);
	check(count->bad_window == bad + 1 && fleet_common(h) == common, f,
	      "and one of a window to come");
	m.solution.window = h->mesh.host_clock.window + 1;
	m.solution.row[0].at_ns += FLEET_S;
	deliver(h, 1, &m);
	check(count->bad_window == bad + 2 && fleet_common(h) == common, f,
	      "and one of an instant to come");
	m.solution.row[0].id = 41;
	deliver(h, 1, &m);
	check(fleet_common(h) == common, f, "and one without this host");
	fleet_free(f);
}

static void partition(void)
{
	struct fleet *f = fleet_make(8, "", 7, false);

	fleet_pass(f, 12 * FLEET_S);
	set_side(f, 4, 1);
	fleet_pass(f, 12 * FLEET_S);
	check(agree(f, 0, 4) && f->host[1].mesh.verdict.id == 10, f,
	      "cut in two, the coordinator's half goes on");
	check(agree(f, 4, 8) && f->host[6].mesh.verdict.id == 50, f,
	      "and so does the other, with another");
	set_side(f, 4, 0);
	fleet_pass(f, 14 * FLEET_S);
	check(all_follow(f, 10) && agree(f, 0, 8), f, "healed, they are one again");
	fleet_free(f);
}

#define NOBODY	FLEET_MOST

/* How often hosts other than @but have seen another coordinator. */
static uint64_t changes(const struct fleet *f, uint32_t but)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < f->hosts; i++)
		sum += i == but ? 0 : f->host[i].mesh.count.coordinator_changes;
	return sum;
}

static uint32_t solved_between(const struct fleet *f, uint32_t first, uint32_t end)
{
	const struct coordinator *c = &f->host[0].mesh.coordinator;
	uint32_t e, solved = 0;

	for (e = 0; e < c->membership->edges; e++)
		solved += c->membership->edge[e].i >= first && c->membership->edge[e].j < end &&
			  c->edge[e].solved;
	return solved;
}

/*
 * Two halves that never reached each other count windows by clocks apart, and the
 * one that counts those of the lower has to count others; its clocks were stepped
 * before, or not.
 */
static void partitions(int64_t apart_s, bool invalid, const char *what)
{
	struct fleet *f = fleet_make(8, "", 7, false);
	uint32_t i;

	set_side(f, 4, 1);
	for (i = 4; i < 8; i++) {
		f->host[i].offset_ns += apart_s * FLEET_S;
		restart(&f->host[i]);
	}
	fleet_pass(f, 12 * FLEET_S);
	check(fleet_is_locked(f, 0, 4) && fleet_is_locked(f, 4, 8) &&
	      f->host[0].mesh.verdict.id == 10 && f->host[4].mesh.verdict.id == 50 &&
	      llabs((int64_t)(f->host[4].mesh.window - f->host[0].mesh.window)) >=
		      llabs(apart_s) / 4, f,
	      "cut in two from the start, each half has windows of its own");
	for (i = 4; i < 8 && invalid; i++)
		invalidate(&f->host[i], 0);
	fleet_pass(f, 3 * FLEET_S);
	set_side(f, 4, 0);
	fleet_pass(f, 15 * FLEET_S);
	check(all_follow(f, 10) && agree(f, 0, 8) && solved_between(f, 4, 8) == 6 &&
	      solved_between(f, 0, 8) == 28, f, what);
	fleet_free(f);
}

/* One host begins anew with another file: it neither coordinates others nor fences them. */
static void misfit(uint32_t odd, bool knows_time)
{
	struct fleet *f = fleet_make(6, "", 3, false);
	struct fleet_host *h = &f->host[odd], *other = &f->host[odd ? 0 : 1];
	uint64_t before;
	uint32_t loose = 0, k;

	fleet_pass(f, 12 * FLEET_S);
	h->conf.seed = 2;
	/* By NTP it knows what time it is, so that its windows are open here. */
	if (knows_time)
		h->offset_ns += fleet_local(other, f->now_ns) - fleet_local(h, f->now_ns);
	restart(h);
	fleet_pass(f, 15 * FLEET_S);
	before = changes(f, odd);
	for (k = 0; k < 60; k++) {
		fleet_pass(f, 500 * FLEET_MS);
		loose += !fleet_is_locked(f, 0, odd) || !fleet_is_locked(f, odd + 1, 6);
	}
	check(changes(f, odd) == before && !loose, f, "five hosts bear a sixth with another file");
	check(other->mesh.count.bad_membership, f, "and their coordinator counts what it says");

	/* With theirs it is one of them. */
	h->conf.seed = other->conf.seed;
	restart(h);
	fleet_pass(f, 15 * FLEET_S);
	check(all_follow(f, 10) && agree(f, 0, 6), f, "until it has theirs");
	fleet_free(f);
}

/* Neighbours to which a host has a burst. */
static uint32_t bursts(const struct fleet *f, uint32_t i)
{
	return f->host[i].mesh.prober.bursts;
}

/* As root asks; windows are of 500 ms. */
static void asked_for(struct fleet *f, struct fleet_host *h)
{
	struct mesh_now now = fleet_now(h);

	mesh_burst(&h->mesh, &now);
	check(bursts(f, h->index) == 3, f, "a burst that root asks for begins at once");
	fleet_pass(f, 5 * FLEET_S);
	check(bursts(f, h->index) == 3 && bursts(f, 0) == 1 && agree(f, 0, 4), f,
	      "it goes on though the clock is known well, and neighbours take part");
	fleet_pass(f, 3 * FLEET_S);
	check(!bursts(f, h->index) && !bursts(f, 0), f, "and ends after 12 windows");
}

/* Hosts whose clocks are not known well send more probes, and so do their neighbours to them. */
static void bursting(void)
{
	struct fleet *f = fleet_make(4, "", 30, false);
	uint64_t probes, most;
	int i;

	fleet_pass(f, 4 * FLEET_S);
	check(bursts(f, 0) == 3 && bursts(f, 2) == 3, f,
	      "hosts begin with bursts to all neighbours");
	probes = f->host[2].mesh.prober.probes;
	fleet_pass(f, FLEET_S);
	most = f->host[2].mesh.prober.probes - probes;
	fleet_pass(f, 15 * FLEET_S);
	check(agree(f, 0, 4) && !bursts(f, 0) && !bursts(f, 1) && !bursts(f, 2) &&
	      !bursts(f, 3), f, "and end them when they are known well");
	probes = f->host[2].mesh.prober.probes;
	fleet_pass(f, FLEET_S);
	probes = f->host[2].mesh.prober.probes - probes;
	check(most > 3 * probes / 2 && probes > 500 && !f->host[2].mesh.count.pairs_full, f,
	      "a burst has twice as many probes as 10 ms, all of which are taken");
	restart(&f->host[3]);
	fleet_pass(f, 300 * FLEET_MS);
	check(bursts(f, 3) == 3 && bursts(f, 1) == 1 && bursts(f, 2) == 1, f,
	      "one that begins has bursts of all, which have none to each other");
	fleet_pass(f, 15 * FLEET_S);
	check(agree(f, 0, 4) && !bursts(f, 1) && !bursts(f, 3), f, "and they end");
	asked_for(f, &f->host[2]);
	for (i = 0; i < 4; i++) {
		f->host[i].conf.burst_interval_ns = FLEET_S;
		mesh_reload(&f->host[i].mesh, &f->host[i].conf);
	}
	check(f->host[2].mesh.prober.burst_ns == 10 * FLEET_MS, f,
	      "a longer interval is none of bursts");
	fleet_free(f);
	f = fleet_make(4, "", 31, false);
	f->queue_ns = FLEET_MS;
	fleet_pass(f, 25 * FLEET_S);
	check(bursts(f, 2) == 3, f, "while all packets wait bursts go on");
	fleet_pass(f, 25 * FLEET_S);
	check(!bursts(f, 0) && !bursts(f, 2), f, "but not for ever");
	fleet_free(f);
}

static void settings(void)
{
	struct fleet *f = fleet_make(4, "[mesh]\ncoded = no", 12, false);
	uint64_t pairs;
	int i;

	fleet_pass(f, 12 * FLEET_S);
	check(fleet_is_locked(f, 0, 4) && near(fleet_spread(f, 0, 4), 2 * NEAR_NS),
	      f, "single probes will do");
	fleet_free(f);
	f = fleet_make(4, "", 18, false);
	fleet_pass(f, 8 * FLEET_S);
	pairs = f->host[2].mesh.count.pairs;
	for (i = 0; i < 4; i++) {
		f->host[i].conf.interval_ns = 3 * FLEET_MS;
		mesh_reload(&f->host[i].mesh, &f->host[i].conf);
	}
	fleet_pass(f, 8 * FLEET_S);
	check(f->host[2].mesh.count.pairs > 3 * pairs && !f->host[2].mesh.count.pairs_full &&
	      fleet_is_locked(f, 0, 4), f, "a shorter interval loses no pairs");
	fleet_free(f);
	f = fleet_make(2, "", 13, false);
	fleet_pass(f, 12 * FLEET_S);
	check(agree(f, 0, 2), f, "two hosts will do");
	f->host[0].dead = true;
	fleet_pass(f, 20 * FLEET_S);
	check(f->host[1].mesh.verdict.self &&
	      f->host[1].mesh.host_clock.state.phase != STATE_LOCKED, f, "one alone holds over");
	fleet_free(f);
	f = fleet_make(6, "[coordinator]\ncandidates = 40 50", 14, false);
	fleet_pass(f, 12 * FLEET_S);
	check(all_follow(f, 40) && agree(f, 0, 6), f, "only candidates coordinate");
	f->host[3].dead = true;
	f->host[4].dead = true;
	fleet_pass(f, 8 * FLEET_S);
	check(f->host[0].mesh.host_clock.state.phase == STATE_HOLDOVER &&
	      near(fleet_spread(f, 0, 6), 100000), f, "without any the others hold over");
	fleet_free(f);
}

static void reload_dead(struct fleet *f, uint32_t first, int64_t dead_ns)
{
	uint32_t i;

	for (i = first; i < f->hosts; i++) {
		f->host[i].conf.dead_ns = dead_ns;
		mesh_reload(&f->host[i].mesh, &f->host[i].conf);
	}
}

/* State before another `dead` continues after it. */
static void patience(void)
{
	struct fleet *f;
	uint64_t seed, term, before, changed = 0;

	for (seed = 1; seed < 7; seed++) {
		f = fleet_make(5, "", seed, false);
		fleet_pass(f, 12 * FLEET_S);
		before = changes(f, NOBODY);
		reload_dead(f, 0, 1500 * FLEET_MS);
		fleet_pass(f, 4 * FLEET_S);
		changed += changes(f, NOBODY) - before;
		fleet_free(f);
	}
	tap_ok(!changed, "a shorter dead, reloaded, changes no coordinator: %llu",
	       (unsigned long long)changed);

	f = fleet_make(5, "", 6, false);
	fleet_pass(f, 12 * FLEET_S);
	term = f->host[2].mesh.verdict.term;
	f->host[0].dead = true;
	reload_dead(f, 1, 6 * FLEET_S);
	fleet_pass(f, 5 * FLEET_S);
	check(all_follow(f, 10) && f->host[2].mesh.verdict.term == term, f,
	      "with a longer one the coordinator is missed as long");
	fleet_pass(f, 3 * FLEET_S);
	check(all_follow(f, 20) && f->host[2].mesh.verdict.term == term + 1, f, "and no longer");
	reload_dead(f, 1, 1500 * FLEET_MS);
	f->host[1].dead = true;
	fleet_pass(f, 3 * FLEET_S);
	check(all_follow(f, 30), f, "with a shorter one its successor is missed sooner");
	fleet_free(f);
}

/* Above 256 hosts most hear each fourth HELLO, and two of those in `dead` may be lost. */
static void rarely_greeted(void)
{
	struct fleet *f = fleet_make(4, "[coordinator]\ncandidates = 10", 4, false);
	struct fleet_host *leader = &f->host[0];
	uint64_t before;

	fleet_pass(f, 12 * FLEET_S);
	before = changes(f, 0);
	leader->conf.hello_ns = 60 * FLEET_S;
	fleet_pass(f, 20 * FLEET_S);
	check(all_follow(f, 10) && changes(f, 0) == before && fleet_is_locked(f, 1, 4), f,
	      "solutions are signs of life of the coordinator");
	leader->dead = true;
	fleet_pass(f, 5 * FLEET_S);
	leader->dead = false;
	check(!f->host[1].mesh.verdict.known && !f->host[3].mesh.verdict.known, f,
	      "and without either it is missed");
	fleet_free(f);
}

int main(void)
{
	lives();
	heirs();
	fenced();
	partition();
	partitions(3600, false, "healed, the half that was ahead counts back, with all its edges");
	partitions(3600, true, "whose clocks were stepped while it was ahead as well");
	partitions(2, false, "counts back by one window");
	partitions(-3600, true, "and the half that was behind counts on");
	misfit(0, false);
	misfit(3, true);
	bursting();
	settings();
	patience();
	rarely_greeted();
	return tap_done();
}
