// SPDX-License-Identifier: GPL-2.0
/*
 * Lost messages and stamps, NICs and drivers that fail, clocks that are stepped.
 */
#include "../../algo/fallback.h"
#include "../../daemon/report.h"
#include "fleet_test.h"

static void losses(void)
{
	struct fleet *f = fleet_make(6, "", 4, false);
	uint64_t lost;

	f->loss_ppm = 300000;
	fleet_pass(f, 25 * FLEET_S);
	check(fleet_is_locked(f, 0, 6) && near(fleet_spread(f, 0, 6), 2 * NEAR_NS),
	      f, "30 % of all that is sent is lost: locked");
	fleet_free(f);

	f = fleet_make(4, "", 5, true);
	fleet_pass(f, 10 * FLEET_S);
	check(fleet_is_locked(f, 0, 4) && !f->host[2].fallbacks, f,
	      "hosts with hardware stamps are locked");
	f->host[2].deaf_ppm = 300000;
	fleet_pass(f, 5 * FLEET_S);
	mesh_count(&f->host[2].mesh);
	lost = f->host[2].mesh.count.stamps_lost;
	check(!f->host[2].fallbacks && lost > 100, f,
	      "three of ten stamps lost are counted, and borne");
	f->host[2].deaf_ppm = 700000;
	fleet_pass(f, 5 * FLEET_S);
	check(f->host[2].fallbacks == 1 && f->host[2].mesh.stamps == WIRE_SOFTWARE, f,
	      "seven of ten: back to software, once");
	f->host[2].deaf_ppm = 0;
	fleet_pass(f, 8 * FLEET_S);
	check(fleet_is_locked(f, 0, 4) && f->host[2].mesh.count.windows_invalid, f,
	      "which costs a window");
	fleet_free(f);
}

/* A switch boots: nothing of two hosts leaves, no stamp comes, of either kind. */
static void unplugged(void)
{
	struct fleet *f = fleet_make(4, "", 5, true);
	struct fleet_host *h = &f->host[2];
	uint32_t i;

	fleet_pass(f, 10 * FLEET_S);
	h->unplugged = true;
	f->host[3].unplugged = true;
	fleet_pass(f, 3 * FLEET_S);
	check(h->mesh.prober.stamped < h->mesh.prober.probes - FALLBACK_LEAST, f,
	      "without a carrier no stamps come");
	h->unplugged = false;
	f->host[3].unplugged = false;
	fleet_pass(f, 10 * FLEET_S);
	for (i = 0; i < 4; i++)
		check(!f->host[i].fallbacks && f->host[i].mesh.stamps == WIRE_HARDWARE, f,
		      "and with one the NIC's do, as before");
	check(agree(f, 0, 4), f, "and all are locked again");
	h->deaf_ppm = 1000000;
	fleet_pass(f, 2 * FLEET_S);
	check(h->fallbacks == 1, f, "a NIC that stamps nothing of what leaves is given up");
	fleet_free(f);
}

/* Another program sets the NIC's filter: what comes has no stamp any more. */
static void blinded(void)
{
	struct fleet *f = fleet_make(4, "", 5, true);
	struct fleet_host *h = &f->host[2];
	uint32_t i;

	fleet_pass(f, 10 * FLEET_S);
	h->blind = true;
	fleet_pass(f, 2 * FLEET_S);
	check(h->fallbacks == 1 && h->mesh.stamps == WIRE_SOFTWARE &&
	      strstr(h->why, "received packets"), f,
	      "a NIC that stamps nothing of what comes is given up, once");
	fleet_pass(f, 10 * FLEET_S);
	for (i = 0; i < 4; i++)
		check(f->host[i].fallbacks == (i == 2), f, "by whom it is");
	check(agree(f, 0, 4), f, "and its host is locked again, without a restart");
	fleet_free(f);

	/* A clock that is stepped voids stamps, and says nothing of the NIC. */
	f = fleet_make(4, "", 6, true);
	h = &f->host[2];
	fleet_pass(f, 10 * FLEET_S);
	for (i = 0; i < 20; i++) {
		h->blind = true;
		invalidate(h, 0);
		fleet_pass(f, FLEET_S / 10);
	}
	h->blind = false;
	fleet_pass(f, 10 * FLEET_S);
	check(!h->fallbacks && h->mesh.stamps == WIRE_HARDWARE && fleet_is_locked(f, 0, 4), f,
	      "a clock that is stepped takes no NIC away");
	fleet_free(f);
}

/* The machine is suspended: the raw clock stops, and local time is corrected by nearly as much. */
static void suspended(void)
{
	static const int64_t off_ns[] = { 0, 400000000, -FLEET_S };
	struct fleet *f = fleet_make(4, "", 9, false);
	struct fleet_host *h = &f->host[0];
	struct mesh_now now;
	unsigned int lost;
	size_t i;

	fleet_pass(f, 12 * FLEET_S);
	check(fleet_is_locked(f, 0, 4) && h->mesh.verdict.self, f, "four hosts are locked");
	for (i = 0; i < sizeof(off_ns) / sizeof(*off_ns); i++) {
		h->dead = true;
		fleet_pass(f, 30 * FLEET_S);
		h->offset_ns += off_ns[i];
		h->dead = false;
		lost = h->lost;
		now = fleet_now(h);
		mesh_wake(&h->mesh, &now, 0);
		check(fleet_common(h) == INT64_MIN && h->lost == lost + 1, f,
		      "awake, it has no line at once");
		fleet_wake(h);
		fleet_pass(f, 15 * FLEET_S);
		check(agree(f, 0, 4), f, "and is locked again");
	}
	fleet_free(f);
}

/* A virtual machine is paused, its clocks with it, and nobody tells. */
static void halted(uint32_t hosts, uint32_t index, int64_t by_ns)
{
	struct fleet *f = fleet_make(hosts, "", 9, false);
	struct fleet_host *h = &f->host[index];
	unsigned int others = 0;
	int64_t gone_ns = 0;
	uint32_t i;

	fleet_pass(f, 12 * FLEET_S);
	check(fleet_is_locked(f, 0, hosts), f, "hosts are locked");
	h->offset_ns -= by_ns;
	while (!h->behinds && gone_ns < FLEET_S) {
		fleet_pass(f, 10 * FLEET_MS);
		gone_ns += 10 * FLEET_MS;
	}
	for (i = 0; i < hosts; i++)
		others += i == index ? 0 : f->host[i].behinds;
	check(h->behinds == 1 && h->lost && fleet_common(h) == INT64_MIN, f,
	      "one that was paused has no line within a second");
	check(!others, f, "the others have");
	fleet_pass(f, 20 * FLEET_S);
	check(h->behinds == 1 && agree(f, 0, hosts), f, "and is locked again");
	fleet_free(f);
}

/* One of four jumps forward: the others know that it is not they. */
static void hurried(void)
{
	struct fleet *f = fleet_make(4, "", 9, false);
	unsigned int all = 0;
	uint32_t i;

	fleet_pass(f, 12 * FLEET_S);
	f->host[2].offset_ns += FLEET_S;
	fleet_pass(f, 3 * FLEET_S);
	for (i = 0; i < 4; i++)
		all += f->host[i].behinds;
	check(!all, f, "nobody is behind one that jumped forward");
	fleet_free(f);
}

/* The driver has no software stamps of what is sent. */
static void muted(void)
{
	struct fleet *f = fleet_make(4, "", 7, false);
	struct fleet_host *h = &f->host[1];
	uint32_t i;

	h->mute = true;
	f->host[3].mute = true;
	fleet_pass(f, 12 * FLEET_S);
	check(fleet_is_locked(f, 0, 4) && near(fleet_spread(f, 0, 4), 2 * NEAR_NS), f,
	      "a driver without Tx stamps: locked, by when probes are given to the kernel");
	for (i = 0; i < 4; i++)
		check(f->host[i].changes == (i == 1 || i == 3) &&
		      f->host[i].mesh.handing == (i == 1 || i == 3) &&
		      !f->host[i].mesh.count.stamps_early == !f->host[i].mesh.handing, f,
		      "hosts with such a driver log it once");
	h->mute = false;
	fleet_pass(f, 10 * FLEET_S);
	check(!h->mesh.handing && h->changes == 2 && fleet_is_locked(f, 0, 4), f,
	      "one that stamps again is used");
	h->unplugged = true;
	h->side = 1;
	fleet_pass(f, 3 * FLEET_S);
	h->unplugged = false;
	h->side = 0;
	fleet_pass(f, 10 * FLEET_S);
	check(!h->mesh.handing && h->changes == 2 && fleet_is_locked(f, 0, 4), f,
	      "a link that is down says nothing of the driver");
	fleet_free(f);

	/* No other host is there: nothing arrives, so nothing is logged. */
	f = fleet_make(3, "", 8, false);
	for (i = 0; i < 3; i++)
		f->host[i].unplugged = true;
	fleet_pass(f, 5 * FLEET_S);
	check(!f->host[0].changes && !f->host[0].mesh.handing, f,
	      "nor does a host that receives nothing");
	fleet_free(f);
}

/* A NIC is given up: local time goes on at another rate, in its window and after. */
static void other_rate(double ppm)
{
	struct fleet *f = fleet_make(5, "", 7, true);
	struct fleet_host *h = &f->host[3];
	uint32_t timeline;

	h->nic = ppm / 1e6;
	restart(h);
	fleet_pass(f, 20 * FLEET_S);
	timeline = h->mesh.host_clock.timeline;
	check(agree(f, 0, 5), f, "a host by a NIC's clock is locked");
	h->deaf_ppm = 900000;
	while (!h->fallbacks)
		fleet_pass(f, FLEET_MS);
	h->deaf_ppm = 0;
	check(fleet_common(h) == INT64_MIN && h->lost == 1 && !h->mesh.host_clock.kalman.known &&
	      !kalman_drift_std_ppb(&h->mesh.host_clock.kalman), f,
	      "given up, it leaves no line behind, nor a drift that would not hold");
	fleet_pass(f, 1500 * FLEET_MS);
	check(fleet_common(h) != INT64_MIN, f, "the window after next has one");
	check(!broken(f, 3, 0, 20), f, "whose bound holds");
	check(fleet_is_locked(f, 0, 5) && h->mesh.host_clock.timeline == timeline &&
	      h->lost == 1, f, "and it is locked again, to the same common time");
	fleet_free(f);
}

/* Do edges say which stamps they have: @stamps, but those of host @soft, which are mixed? */
static bool says_of(struct fleet_host *h, const char *stamps, uint32_t soft)
{
	const struct report_output output = { .remaining_ns = STATUS_UNKNOWN };
	struct mesh_now now = fleet_now(h);
	struct status status = { 0 };
	struct report report;
	bool good;
	size_t i;

	if (report_make(&report, &h->mesh))
		return false;
	report_fill(&report, &h->mesh, &now, &output, &status);
	good = status.n_edges > 0;
	for (i = 0; i < status.n_edges; i++) {
		const struct status_edge *e = &status.edges[i];

		good &= e->stamps && !strcmp(e->stamps, e->i == soft || e->j == soft ?
							"mixed" : stamps);
	}
	report_free(&report);
	return good;
}

static bool says_mixed(struct fleet_host *h, uint32_t soft)
{
	return says_of(h, "hardware", soft);
}

static bool says(struct fleet_host *h, const char *stamps)
{
	return says_of(h, stamps, 0);
}

/* A host whose stamps are software's, among NICs: it is off, and says by how much. */
static void mixture(void)
{
	struct fleet *f = fleet_make(6, "", 3, true);
	struct fleet_host *soft = &f->host[3];
	uint32_t held = 0, close = 0, looks = 0, i;
	double bound[6], worst = 0;

	soft->early_ns = 800;
	soft->late_ns = 4000;
	for (i = 0; i < 6; i++) {
		struct fleet_host *h = &f->host[i];

		mesh_free(&h->mesh);
		h->conf.window_ns = 2 * FLEET_S;
		h->conf.interval_ns = 20 * FLEET_MS;
		h->drift = 0;
		fleet_start(f, h, h == soft ? WIRE_SOFTWARE : WIRE_HARDWARE);
	}
	fleet_pass(f, 40 * FLEET_S);
	check(fleet_is_locked(f, 0, 6), f, "a host with software's stamps is locked among NICs");
	for (; looks < 20; looks++) {
		double off;

		fleet_pass(f, 2 * FLEET_S);
		for (i = 0; i < 6; i++)
			bound[i] = slew_at(&f->host[i].mesh.host_clock.slew,
					   fleet_local(&f->host[i], f->now_ns)).bound_ns;
		off = (double)llabs(fleet_common(soft) - fleet_common(&f->host[1]));
		held += off <= bound[3] + bound[1];
		close += bound[1] < NEAR_NS && bound[5] < NEAR_NS;
		worst = off > worst ? off : worst;
	}
	tap_remark("off by %.0f ns at most, bounds %.0f and %.0f", worst, bound[3], bound[1]);
	check(worst > 1000 && held == looks, f, "what it is off by lies within its bound");
	check(close == looks, f, "which the NICs' are none the wider for");
	check(says_mixed(&f->host[0], 40) && says_mixed(&f->host[1], 40) &&
	      says_mixed(soft, 40), f, "and its edges are shown as mixed on each of their hosts");
	fleet_free(f);
}

/*
 * NICs of which all stamp what comes, and software what is sent: readings of the NIC's
 * clock of a host are wrong by up to 2 us either way.  Returns looks of 20 at which no host
 * is further from the others than its bound and so much of its readings' error.
 */
static uint32_t receivers_hold(struct fleet *f, double share)
{
	uint32_t held = 0, looks, i;

	for (looks = 0; looks < 20; looks++) {
		double least = INFINITY, most = -INFINITY;

		fleet_pass(f, 2 * FLEET_S);
		for (i = 0; i < f->hosts; i++) {
			const struct fleet_host *h = &f->host[i];
			double bound = slew_at(&h->mesh.host_clock.slew,
					       fleet_local(h, f->now_ns)).bound_ns +
				       share * (double)llabs(h->late_ns);
			double common = (double)(fleet_common(h) - f->now_ns);

			/* Ranges of true time by each; all have an instant of it. */
			most = fmax(most, common - bound);
			least = fmin(least, common + bound);
		}
		held += most <= least;
	}
	return held;
}

static void receivers(void)
{
	static const int64_t wrong_ns[] = { 2000, -2000, 1500, -700, 2000, -1800 };
	struct fleet *f = fleet_make(6, "", 3, false);
	struct fleet_host *h = &f->host[2];
	uint32_t held, without, i;
	unsigned int lost;

	for (i = 0; i < 6; i++) {
		mesh_free(&f->host[i].mesh);
		f->host[i].conf.window_ns = 2 * FLEET_S;
		f->host[i].conf.interval_ns = 20 * FLEET_MS;
		f->host[i].early_ns = 800;
		f->host[i].late_ns = wrong_ns[i];
		fleet_start(f, &f->host[i], WIRE_HARDWARE_RECEIVE);
	}
	fleet_pass(f, 40 * FLEET_S);
	check(fleet_is_locked(f, 0, 6), f, "hosts with NICs that stamp what comes are locked");
	held = receivers_hold(f, 0.5);
	without = receivers_hold(f, 0);
	tap_remark("held %u of 20, without the readings' error %u", held, without);
	check(held == 20, f, "with half of what readings are wrong by all bounds hold");
	check(without < 10, f, "and without it they do not");
	check(says(&f->host[0], "hardware-receive") && says(&f->host[1], "hardware-receive"), f,
	      "and their edges are shown as such");
	lost = h->lost;
	h->blind = true;
	fleet_pass(f, 4 * FLEET_S);
	check(h->fallbacks == 1 && h->mesh.stamps == WIRE_SOFTWARE &&
	      strstr(h->why, "received packets") && h->lost == lost && fleet_common(h) != INT64_MIN,
	      f, "one that loses them takes software's, and keeps its line");
	h->late_ns = 4000;
	fleet_pass(f, 40 * FLEET_S);
	check(fleet_is_locked(f, 0, 6) && receivers_hold(f, 0.5) == 20, f,
	      "its edges are mixed then, and bounds hold");
	f->host[1].mute = true;
	fleet_pass(f, 4 * FLEET_S);
	check(f->host[1].mesh.handing && f->host[1].mesh.stamps == WIRE_HARDWARE_RECEIVE, f,
	      "a driver that stamps nothing that is sent is no fault of the NIC");
	fleet_free(f);
}

static void steps(void)
{
	struct fleet *f = fleet_make(5, "", 6, false);
	struct fleet_host *h = &f->host[3];
	int64_t others;

	fleet_pass(f, 12 * FLEET_S);
	invalidate(h, 0);
	fleet_pass(f, 3 * FLEET_S);
	check(h->mesh.count.windows_invalid >= 1 && h->mesh.count.windows_invalid <= 2 &&
	      agree(f, 0, 5), f, "a step of another clock costs windows, and no lock");
	others = fleet_common(&f->host[1]) - f->now_ns;
	h->offset_ns += 40 * FLEET_MS;
	invalidate(h, 40 * FLEET_MS);
	check(fleet_common(h) == INT64_MIN && h->mesh.schedule.known, f,
	      "local time is stepped: no common time, but the schedule goes on");
	fleet_pass(f, 8 * FLEET_S);
	check(agree(f, 0, 5), f, "then it is locked again");
	check(llabs(fleet_common(&f->host[1]) - f->now_ns - others) < 500000, f,
	      "and the others did not move");

	/* The coordinator's own: windows must not move under the others. */
	h = &f->host[0];
	h->offset_ns -= 900 * FLEET_MS;
	invalidate(h, -900 * FLEET_MS);
	fleet_pass(f, 8 * FLEET_S);
	check(agree(f, 0, 5) && !f->host[2].mesh.count.windows_invalid, f,
	      "the coordinator's clock may be stepped as well");
	fleet_free(f);
}

/* A clock runs faster by so many ppm from now on, as a NIC's that another program steers. */
static void turn(struct fleet_host *h, double ppm)
{
	h->nic += ppm / 1e6;
	h->offset_ns -= (int64_t)llround(ppm / 1e6 * (double)h->fleet->now_ns);
}

/* Instants, ten a second, at which a host and one more are further apart than both their bounds. */
static uint32_t broken_at(struct fleet *f, uint32_t a, uint32_t b, int64_t ns)
{
	const struct fleet_host *one = &f->host[a], *other = &f->host[b];
	uint32_t bad = 0;

	for (; ns > 0; ns -= FLEET_S / 10) {
		fleet_pass(f, FLEET_S / 10);
		bad += (double)llabs(fleet_common(one) - fleet_common(other)) >
		       fleet_bound(one) + fleet_bound(other);
	}
	return bad;
}

/*
 * A rate steps and stays, as of a machine that is migrated or a NIC's clock that is steered.
 * Within a window nobody can know; after @windows of 0.5 s and the time to solve the bound holds.
 */
static void turned(uint32_t hosts, bool hardware, double ppm, uint32_t windows)
{
	struct fleet *f = fleet_make(hosts, "", 9, hardware);
	struct fleet_host *h = &f->host[hosts - 1];
	uint32_t at_first, later, others;

	fleet_pass(f, 30 * FLEET_S);
	check(agree(f, 0, hosts), f, "hosts are locked");
	turn(h, ppm);
	at_first = broken_at(f, hosts - 1, 0, FLEET_S / 2);
	check(at_first > 0, f, "the rate of one steps: it is off by more than its bound says");
	fleet_pass(f, windows * FLEET_S / 2);
	later = broken_at(f, hosts - 1, 0, 20 * FLEET_S);
	check(!later, f, "then the bound holds");
	turn(h, -ppm);
	others = hosts > 2 ? broken_at(f, 0, 1, 10 * FLEET_S) : 0;
	check(!others, f, "a step back: the bounds of the others hold all the time");
	fleet_pass(f, 10 * FLEET_S);
	tap_remark("%u of 5, then %u of 200, of the others %u", at_first, later, others);
	check(agree(f, 0, hosts), f, "and all agree as before");
	fleet_free(f);
}

/* A host begins with a drift file; as its clock was turned since then, it is wrong by 100 ppm. */
static void drift_file(void)
{
	static const double skew[] = { 50000, KALMAN_DRIFT_FILE_PPB, 10, 0 };
	struct fleet *f = fleet_make(5, "", 13, false);
	struct fleet_host *h = &f->host[3];
	struct mesh *mesh = &h->mesh;
	bool floor = true;
	double drift;
	int i;

	fleet_pass(f, 15 * FLEET_S);
	drift = mesh->host_clock.kalman.line.drift_ppb;
	for (i = 0; i < 4; i++) {
		restart(h);
		host_clock_drift(&mesh->host_clock, drift + 100000, skew[i]);
		floor &= kalman_drift_std_ppb(&mesh->host_clock.kalman) == fmax(skew[i], 1000);
	}
	tap_ok(floor, "a drift file's drift is as good as it says, and not better than 1 ppm");
	restart(h);
	host_clock_drift(&mesh->host_clock, drift + 100000, 50000);
	check(!broken(f, 3, 2, 40) && fleet_is_locked(f, 0, 5), f,
	      "one that says that it is not gives no bound that does not hold");
	fleet_free(f);
}

static void repeats(void)
{
	int64_t common[2];
	int i;

	for (i = 0; i < 2; i++) {
		struct fleet *f = fleet_make(4, "", 11, false);

		fleet_pass(f, 10 * FLEET_S);
		common[i] = fleet_common(&f->host[2]);
		fleet_free(f);
	}
	tap_ok(common[0] == common[1], "a run is the same each time");
}

/* As huygensctl reset: a host forgets, and is back with the others, by their common time. */
static void resets(void)
{
	struct fleet *f = fleet_make(5, "", 21, false);
	struct fleet_host *h = &f->host[3];
	struct mesh_now now;
	uint32_t timeline, i;

	fleet_pass(f, 15 * FLEET_S);
	timeline = h->mesh.host_clock.timeline;
	now = fleet_now(h);
	mesh_reset(&h->mesh, &now);
	check(h->lost == 1 && !host_clock_is_valid(&h->mesh.host_clock), f,
	      "a host that is reset withdraws its line");
	for (i = 0; i < 5; i++)
		if (i != 3 && f->host[i].lost)
			break;
	check(i == 5 && fleet_is_locked(f, 0, 3), f, "alone");
	fleet_pass(f, 10 * FLEET_S);
	check(agree(f, 0, 5) && h->mesh.host_clock.timeline == timeline &&
	      !h->mesh.count.clock_steps, f,
	      "and has the same common time 10 s later, without a step of a clock");
	now = fleet_now(&f->host[0]);
	mesh_reset(&f->host[0].mesh, &now);
	fleet_pass(f, 10 * FLEET_S);
	check(agree(f, 0, 5) && all_follow(f, 10) && h->mesh.host_clock.timeline == timeline, f,
	      "so has the coordinator");
	restart(h);
	now = fleet_now(h);
	mesh_reset(&h->mesh, &now);
	fleet_pass(f, 10 * FLEET_S);
	check(agree(f, 0, 5), f, "and one that knew nothing yet");
	fleet_free(f);
}

int main(void)
{
	losses();
	unplugged();
	blinded();
	suspended();
	halted(4, 2, 20 * FLEET_MS);
	halted(4, 2, 300 * FLEET_MS);
	halted(4, 3, 30 * FLEET_S);
	halted(4, 0, 50 * FLEET_MS);
	halted(8, 5, 3 * FLEET_S);
	halted(2, 1, 3 * FLEET_S);
	hurried();
	muted();
	other_rate(-30);
	other_rate(60);
	mixture();
	receivers();
	steps();
	turned(4, false, 30, 2);
	turned(4, false, -80, 2);
	turned(4, false, 5, 2);
	turned(2, false, 30, 2);
	turned(4, true, 30, 4);
	turned(8, true, -60, 4);
	drift_file();
	repeats();
	resets();
	return tap_done();
}
