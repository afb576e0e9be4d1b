// SPDX-License-Identifier: GPL-2.0
/*
 * Two levels: cells, each a mesh, and an upper mesh of three hosts of each cell, from which
 * the cells take their time.  Hosts of different cells are compared by what they say of
 * themselves, with the daemon's own messages at both levels.
 *
 *	upper mesh	0.1 0.2 0.3	1.1 1.2 1.3	2.1 2.2 2.3	3.1 3.2 3.3
 *	cells		0.0 ... 0.7	1.0 ... 1.7	2.0 ... 2.7	3.0 ... 3.7
 */
#include "fleet_test.h"

#define CELLS	4
#define HOSTS	8	/* of a cell */
/* Those in the upper mesh: after the first, which coordinates the cell. */
#define LINKS	3
#define STEP_NS	(100 * FLEET_MS)
#define NEAR_LEVELS_NS	13000

/**
 * struct lie - what a link's line has that its daemon of the upper mesh did not write
 * @ns: added to the common time
 * @epochs: added to the epoch
 * @leap_day: if not 0, before it a second is inserted
 * @has_utc: UTC, with an error of 1 us
 */
struct lie {
	int64_t		ns;
	uint32_t	epochs;
	uint32_t	leap_day;
	bool		has_utc;
};

/**
 * struct levels - both
 * @upper: the upper mesh
 * @cell: the cells
 * @clock: what a cell's host reads of its daemon of the upper mesh
 * @lie: what is wrong with that
 */
struct levels {
	struct fleet		*upper;
	struct fleet		*cell[CELLS];
	struct upper_clock	clock[CELLS][LINKS];
	struct lie		lie[CELLS][LINKS];
};

static struct fleet_host *upper_host(const struct levels *l, uint32_t cell, uint32_t link)
{
	return &l->upper->host[cell * LINKS + link];
}

static struct fleet_host *cell_link(const struct levels *l, uint32_t cell, uint32_t link)
{
	return &l->cell[cell]->host[1 + link];
}

/*
 * Bounds of cells are without asymmetry, as near to the errors as they can be.  Ways to the links
 * of the third cell are longer by @far_ns than those back, in the upper mesh.
 */
static struct levels *levels_make(const char *upper, const char *reference, int64_t far_ns)
{
	struct levels *l = calloc(1, sizeof(*l));
	char conf[200];
	uint32_t c, i;

	snprintf(conf, sizeof(conf), "[mesh]\ndegree = 2\n[coordinator]\n%s", upper);
	l->upper = fleet_make(CELLS * LINKS, conf, 17, false);
	snprintf(conf, sizeof(conf),
		 "%s[mesh]\ndegree = 2\nmax_asymmetry = 0\n[coordinator]\n%s",
		 strstr(reference, "upper:2") ? "[node]\nupper_line = /line\n" : "", reference);
	for (c = 0; c < CELLS; c++) {
		l->cell[c] = fleet_make(HOSTS, conf, 20 + c, false);
		for (i = 0; i < LINKS; i++) {
			struct fleet_host *host = cell_link(l, c, i), *above = upper_host(l, c, i);

			host->upper = &l->clock[c][i];
			above->offset_ns = host->offset_ns;
			above->drift = host->drift;
			above->far_ns = c == 2 ? far_ns : 0;
			restart(above);
		}
	}
	return l;
}

static void levels_free(struct levels *l)
{
	uint32_t c;

	for (c = 0; c < CELLS; c++)
		fleet_free(l->cell[c]);
	fleet_free(l->upper);
	free(l);
}

/* The file that a daemon writes. */
static struct huygens_line line_of(struct fleet_host *h)
{
	const struct host_clock *host_clock = &h->mesh.host_clock;
	struct clock_line now = fleet_clock_line(h);
	double utc_ns = host_clock_utc_error(host_clock, now.local_ns);
	struct slew_value slew = slew_at(&host_clock->slew, now.local_ns);

	if (h->dead || !host_clock_is_valid(host_clock))
		return (struct huygens_line){ .flags = 0 };
	return (struct huygens_line){
		.flags = HUYGENS_LINE_VALID | (isfinite(utc_ns) ? HUYGENS_LINE_UTC : 0),
		.raw_ns = now.raw_ns,
		.until_ns = now.raw_ns + 5 * FLEET_S,
		.common_ns = now.local_ns + slew.x_ns,
		.drift = slew.drift_ppb / 1e9,
		.error_ns = (int64_t)ceil(slew.bound_ns) + 1,
		.asymmetry_ns = (int64_t)ceil(host_clock->asymmetry_ns),
		.utc_error_ns = isfinite(utc_ns) ? (int64_t)ceil(utc_ns) : 0,
		.epoch = wire_timeline(host_clock->timeline),
		.utc_s = host_clock->leap.seconds,
		.leap = host_clock->leap.step,
		.leap_day = host_clock->leap.day,
		.tai_s = host_clock->leap.tai,
	};
}

static void line_lies(struct huygens_line *line, const struct lie *lie)
{
	line->common_ns += lie->ns;
	line->epoch += lie->epochs;
	if (lie->leap_day) {
		line->leap = 1;
		line->leap_day = lie->leap_day;
	}
	if (lie->has_utc) {
		line->flags |= HUYGENS_LINE_UTC;
		line->utc_error_ns = 1000;
	}
}

static void levels_read(struct levels *l)
{
	uint32_t c, i;

	for (c = 0; c < CELLS; c++)
		for (i = 0; i < LINKS; i++) {
			struct fleet_host *above = upper_host(l, c, i);
			struct huygens_line line = line_of(above);

			line_lies(&line, &l->lie[c][i]);
			upper_clock_take(&l->clock[c][i], &line,
					 fleet_raw(above, l->upper->now_ns), 0);
		}
}

static void levels_step(struct levels *l)
{
	uint32_t c;

	fleet_pass(l->upper, STEP_NS);
	levels_read(l);
	for (c = 0; c < CELLS; c++)
		fleet_pass(l->cell[c], STEP_NS);
}

static void levels_pass(struct levels *l, int64_t ns)
{
	for (; ns > 0; ns -= STEP_NS)
		levels_step(l);
}

/* Bound of the error that a host states, to its own mesh and to the upper one. */
static double own_bound(const struct fleet_host *h)
{
	int64_t local_ns = fleet_local(h, h->fleet->now_ns);

	return slew_at(&h->mesh.host_clock.slew, local_ns).bound_ns +
	       h->mesh.host_clock.asymmetry_ns;
}

static double upper_error(const struct fleet_host *h)
{
	return host_clock_upper_error(&h->mesh.host_clock, fleet_local(h, h->fleet->now_ns));
}

/**
 * struct looks - pairs of hosts of different cells, at all looks
 * @pairs: how many
 * @broken: of them, those that are further apart than they state together
 * @bare: those that are further apart than their own meshes' bounds
 * @blind: those of which one states nothing, or has another upper mesh
 * @apart_ns: the most that two were apart
 * @bound_ns: the most that two stated
 */
struct looks {
	uint32_t	pairs;
	uint32_t	broken;
	uint32_t	bare;
	uint32_t	blind;
	int64_t		apart_ns;
	double		bound_ns;
};

static void look_at(struct looks *looks, const struct fleet_host *a, const struct fleet_host *b)
{
	int64_t apart_ns = fleet_common(a) - fleet_common(b);
	double own_ns = own_bound(a) + own_bound(b);
	double bound_ns = own_ns + upper_error(a) + upper_error(b);

	apart_ns = llabs(apart_ns);
	looks->pairs++;
	looks->broken += (double)apart_ns > bound_ns;
	looks->bare += (double)apart_ns > own_ns;
	looks->blind += !isfinite(bound_ns) ||
			a->mesh.host_clock.upper != b->mesh.host_clock.upper;
	looks->apart_ns = apart_ns > looks->apart_ns ? apart_ns : looks->apart_ns;
	looks->bound_ns = fmax(looks->bound_ns, bound_ns);
}

/* All hosts of two cells that live. */
static void look_at_cells(struct looks *looks, const struct fleet *a, const struct fleet *b)
{
	uint32_t i, j;

	for (i = 0; i < HOSTS; i++)
		for (j = 0; j < HOSTS; j++)
			if (!a->host[i].dead && !b->host[j].dead)
				look_at(looks, &a->host[i], &b->host[j]);
}

static struct looks levels_look(struct levels *l, int64_t ns)
{
	struct looks looks = { 0 };
	uint32_t a, b;

	for (; ns > 0; ns -= STEP_NS) {
		levels_step(l);
		for (a = 0; a < CELLS; a++)
			for (b = a + 1; b < CELLS; b++)
				look_at_cells(&looks, l->cell[a], l->cell[b]);
	}
	return looks;
}

/* Lines that were withdrawn, of hosts that live. */
static uint32_t withdrawn(const struct levels *l)
{
	uint32_t lost = 0, c, i;

	for (c = 0; c < CELLS; c++)
		for (i = 0; i < HOSTS; i++)
			lost += l->cell[c]->host[i].dead ? 0 : l->cell[c]->host[i].lost;
	return lost;
}

static bool all_locked(const struct levels *l)
{
	uint32_t c;

	for (c = 0; c < CELLS; c++)
		if (!fleet_is_locked(l->cell[c], 0, HOSTS))
			return false;
	return true;
}

static void remark_looks(const struct looks *looks)
{
	tap_remark("%u pairs, %u broken, %u beyond own bounds, %u blind; %lld ns apart, %.0f said",
		   looks->pairs, looks->broken, looks->bare, looks->blind,
		   (long long)looks->apart_ns, looks->bound_ns);
}

static bool holds(const struct looks *looks)
{
	remark_looks(looks);
	return looks->pairs && !looks->broken && !looks->blind;
}

/* A host dies: its daemons of both levels. */
static void kill_link(struct levels *l, uint32_t cell, uint32_t link)
{
	cell_link(l, cell, link)->dead = true;
	upper_host(l, cell, link)->dead = true;
}

static void deaths(struct levels *l)
{
	uint32_t upper = l->cell[3]->host[0].mesh.host_clock.upper;
	struct looks looks;

	tap_ok(upper_host(l, 0, 0)->mesh.verdict.self,
	       "the first host of the upper mesh coordinates it");
	kill_link(l, 0, 0);
	looks = levels_look(l, 8 * FLEET_S);
	tap_ok(holds(&looks) && !withdrawn(l) && all_locked(l) && looks.apart_ns < NEAR_LEVELS_NS,
	       "the upper mesh's coordinator dies, a cell's link: bounds hold, no line is withdrawn");
	tap_ok(upper_host(l, 0, 1)->mesh.verdict.self, "another host coordinates it");
	kill_link(l, 1, 1);
	l->cell[2]->host[0].dead = true;
	looks = levels_look(l, 8 * FLEET_S);
	tap_ok(holds(&looks) && !withdrawn(l) && all_locked(l) && looks.apart_ns < NEAR_LEVELS_NS,
	       "a link of a second cell, and the coordinator of a third: the same");
	tap_ok(l->cell[3]->host[0].mesh.host_clock.upper == upper,
	       "and it is the same upper mesh");
}

/* A cell whose links are all gone, and come back. */
static void cut_off(struct levels *l)
{
	double before = upper_error(&l->cell[3]->host[0]), lost;
	struct looks looks;
	uint32_t i;

	for (i = 0; i < LINKS; i++)
		kill_link(l, 3, i);
	looks = levels_look(l, 12 * FLEET_S);
	lost = upper_error(&l->cell[3]->host[0]);
	tap_ok(holds(&looks) && !withdrawn(l) && lost > before + 15000 &&
	       own_bound(&l->cell[3]->host[0]) < 10000,
	       "a cell without links: its error to the upper mesh grows, and its own bound does not");
	for (i = 0; i < LINKS; i++) {
		restart(cell_link(l, 3, i));
		restart(upper_host(l, 3, i));
	}
	levels_pass(l, 10 * FLEET_S);
	tap_ok(upper_error(&l->cell[3]->host[0]) < lost / 2, "they are back: it is small again");
}

/* One of a cell's three links shows another time, and UTC. */
static void liar(struct levels *l)
{
	struct looks looks;

	l->lie[1][0] = (struct lie){ .ns = FLEET_MS, .has_utc = true };
	upper_clock_forget(&l->clock[1][0]);
	restart(cell_link(l, 1, 1));
	restart(upper_host(l, 1, 1));
	levels_pass(l, 5 * FLEET_S);
	looks = levels_look(l, 6 * FLEET_S);
	tap_ok(holds(&looks) && looks.apart_ns < NEAR_LEVELS_NS,
	       "a link that is wrong by 1 ms, of three: bounds hold");
	tap_ok(isinf(host_clock_utc_error(&l->cell[1]->host[5].mesh.host_clock, 0)),
	       "and UTC that it alone knows is not known in the cell");
	l->lie[1][0] = (struct lie){ 0 };
}

/* Two links are left of two cells, and do not agree: neither is more than half of them. */
static void disagree(void)
{
	struct levels *l = levels_make("reference = mean\n", "reference = upper:20,30,40\n", 0);
	const struct host_clock *one = &l->cell[0]->host[5].mesh.host_clock;
	const struct host_clock *other = &l->cell[1]->host[5].mesh.host_clock;

	kill_link(l, 0, 2);
	kill_link(l, 1, 2);
	l->lie[0][0].epochs = 1;
	levels_pass(l, 12 * FLEET_S);
	tap_ok(host_clock_is_valid(one) && !one->upper && other->upper,
	       "two links with two epochs state nothing");
	l->lie[0][0].epochs = 0;
	l->lie[1][0].leap_day = 10043;
	l->lie[1][1].leap_day = 10227;
	levels_pass(l, 5 * FLEET_S);
	tap_ok(one->upper && one->upper == other->upper, "control: with one epoch they do");
	tap_ok(!other->leap.step && !other->leap.day,
	       "two links with two leap seconds: none is known");
	l->lie[1][1].leap_day = 10043;
	levels_pass(l, 3 * FLEET_S);
	tap_ok(other->leap.step == 1 && other->leap.day == 10043,
	       "control: with the same it is");
	levels_free(l);
}

static void two_levels(void)
{
	struct levels *l = levels_make("reference = mean\n", "reference = upper:20,30,40\n", 20000);
	struct looks looks;

	levels_pass(l, 15 * FLEET_S);
	tap_ok(all_locked(l), "all hosts of four cells are locked");
	looks = levels_look(l, 10 * FLEET_S);
	tap_ok(holds(&looks), "hosts of different cells are within what they state, at all looks");
	tap_ok(looks.apart_ns > 8000 && looks.apart_ns < NEAR_LEVELS_NS,
	       "one cell is off by half of an asymmetry of 20 us, which the upper part has");
	tap_ok(looks.bare > looks.pairs / 3,
	       "control: without that part bounds do not hold between cells");
	tap_ok(isinf(host_clock_utc_error(&l->cell[0]->host[5].mesh.host_clock, 0)),
	       "an upper mesh without UTC brings none");
	deaths(l);
	cut_off(l);
	liar(l);
	levels_free(l);
}

static void without_upper(void)
{
	struct levels *l = levels_make("reference = mean\n", "reference = mean\n", 0);
	int64_t before_ns, after_ns;
	struct looks looks;

	levels_pass(l, 10 * FLEET_S);
	looks = levels_look(l, FLEET_S);
	before_ns = looks.apart_ns;
	tap_ok(all_locked(l) && looks.blind == looks.pairs,
	       "control: cells without an upper mesh state nothing");
	levels_pass(l, 5 * FLEET_S);
	looks = levels_look(l, FLEET_S);
	after_ns = looks.apart_ns;
	remark_looks(&looks);
	tap_ok(before_ns > FLEET_MS && llabs(after_ns - before_ns) > 10000, "and drift apart");
	levels_free(l);
}

/* The upper mesh has UTC, of one host whose clock is wrong by up to 5 ms, and a leap second. */
static void of_utc(void)
{
	struct levels *l = levels_make("reference = utc:10\n", "reference = upper:all\n", 0);
	const struct host_clock *host_clock = &l->cell[2]->host[5].mesh.host_clock;
	struct fleet_host *source = upper_host(l, 0, 0);
	struct looks looks;
	double utc_ns;
	uint32_t c, i;

	for (c = 0; c < CELLS; c++)
		for (i = 0; i < LINKS; i++)
			snprintf(cell_link(l, c, i)->conf.upper_line, CONF_PATH_MAX, "/line");
	source->has_utc = true;
	/* The last day of June 1997 is day 10042, counted from 1970. */
	source->utc_ns = (10042 * 86400LL + 80000) * FLEET_S -
			 fleet_local(source, l->upper->now_ns);
	source->utc_error_ns = 5e6;
	source->utc_step = 1;
	source->utc_tai = 30;
	levels_pass(l, 15 * FLEET_S);
	looks = levels_look(l, 5 * FLEET_S);
	utc_ns = host_clock_utc_error(host_clock, fleet_local(&l->cell[2]->host[5],
							      l->upper->now_ns));
	tap_ok(holds(&looks) && looks.bound_ns < 200000,
	       "with UTC: bounds between cells do not have its error");
	tap_ok(utc_ns > 5e6 && utc_ns < 5.2e6, "which the error of UTC has");
	tap_ok(host_clock->leap.step == 1 && host_clock->leap.day == 10043 &&
	       host_clock->leap.tai == 30,
	       "a leap second, and TAI, are known in the cells");
	levels_free(l);
}

/* All daemons of the upper mesh are started anew, an hour later by their clocks. */
static void another_upper(struct levels *l)
{
	uint32_t c, i;

	for (c = 0; c < CELLS; c++)
		for (i = 0; i < LINKS; i++) {
			upper_host(l, c, i)->offset_ns += 3600 * FLEET_S;
			upper_host(l, c, i)->session++;
			restart(upper_host(l, c, i));
		}
}

/* With @dies a cell's coordinator dies just before: its successor has seen one epoch only. */
static void another_time(bool dies)
{
	struct levels *l = levels_make("reference = mean\n", "reference = upper:20,30,40\n", 0);
	const struct host_clock *host_clock = &l->cell[0]->host[1].mesh.host_clock;
	uint32_t before, timeline;
	struct looks looks;

	levels_pass(l, 15 * FLEET_S);
	before = host_clock->upper;
	timeline = wire_timeline(host_clock->timeline);
	l->cell[0]->host[0].dead = dies;
	another_upper(l);
	levels_pass(l, 20 * FLEET_S);
	looks = levels_look(l, 4 * FLEET_S);
	tap_ok(host_clock->upper != before && wire_timeline(host_clock->timeline) != timeline &&
	       holds(&looks) && looks.apart_ns < NEAR_LEVELS_NS,
	       "an upper mesh that began anew%s: so do the cells, once",
	       dies ? ", and the coordinator of a cell dies" : "");
	timeline = wire_timeline(host_clock->timeline);
	levels_pass(l, 5 * FLEET_S);
	tap_ok(wire_timeline(host_clock->timeline) == timeline, "and not again");
	levels_free(l);
}

int main(void)
{
	two_levels();
	without_upper();
	of_utc();
	another_time(false);
	another_time(true);
	disagree();
	return tap_done();
}
