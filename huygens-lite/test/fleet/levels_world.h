/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A fleet on two levels: cells, each a mesh, and an upper mesh of some hosts of each cell, the
 * links; or one mesh.  Edges are simulated, between clocks whose drift wanders; reports,
 * solutions, corrections, bounds and the reading of the upper mesh's line are the daemon's.
 */
#ifndef HUYGENS_TEST_FLEET_LEVELS_WORLD_H
#define HUYGENS_TEST_FLEET_LEVELS_WORLD_H

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common.h"
#include "mesh.h"
#include "upper_clock.h"

/* A solution arrives so long after the end of its window, and the line is read so often. */
#define SOLVED_NS	300000000LL
#define READ_NS		100000000LL
/* Windows without a solution when a coordinator dies: [coordinator] dead, 3 s. */
#define SILENT		2
/* Wander of drift, ppb in the root of a second. */
#define WANDER_PPB	1.0
#define BEGIN_NS	1000000000000LL
/*
 * Between cells a path has more hops.  Its samples leave more open, and an edge is wrong by up to
 * that, always by the same.
 */
#define UPPER_BIAS_NS	5000.0
/* As huygens-lite.conf(5) has it, so that a link sends less than 3 Mbit/s with both daemons. */
#define UPPER	"interval = 50ms\n"
#define S_NS		1e9

/**
 * struct oscillator - the clock of a host, which its daemons share
 * @at_ns: true time of the last change
 * @off_ns: clock less true time then
 * @ppb: how much too fast it is
 */
struct oscillator {
	int64_t	at_ns;
	int64_t	off_ns;
	double	ppb;
};

/**
 * struct member - a host of one mesh
 * @oscillator: its clock
 * @clock: its correction
 * @upper: the upper mesh's line, if it is a link of a cell
 * @dead: it does nothing
 */
struct member {
	struct oscillator		*oscillator;
	struct host_clock	clock;
	struct upper_clock	*upper;
	bool			dead;
};

/**
 * struct level - one mesh
 * @conf: of all of its hosts
 * @membership: hosts and edges, as the coordinator has them
 * @coordinator: of the mesh
 * @count: same
 * @member: its hosts
 * @bias_ns: by which each edge is wrong at most, always by the same
 * @silent: windows that nobody will solve
 * @lost: lines that were withdrawn
 */
struct level {
	struct huygens_conf	conf;
	struct membership	membership;
	struct coordinator	coordinator;
	struct count		count;
	struct member		*member;
	double			bias_ns;
	uint32_t		silent;
	uint32_t		lost;
};

/**
 * struct world - all of it
 * @cells: how many; 0: one mesh
 * @hosts: of a cell
 * @links: of a cell
 * @asymmetry_ppm: [mesh] max_asymmetry
 * @cut: cells do not take the time of the upper mesh
 * @cell: they, or the only mesh
 * @upper: the upper mesh
 * @oscillator: clocks of all hosts
 * @line: the upper mesh's line of all links
 * @now_ns: true time
 * @seed: of random.h
 */
struct world {
	uint32_t		cells, hosts, links;
	int64_t			asymmetry_ppm;
	bool			cut;
	struct level		*cell;
	struct level		upper;
	struct oscillator		*oscillator;
	struct upper_clock	*line;
	int64_t			now_ns;
	uint64_t		seed;
};

static inline uint32_t meshes(const struct world *w)
{
	return w->cells ? w->cells : 1;
}

static inline void no_memory(void)
{
	fprintf(stderr, "levels: no memory\n");
	exit(1);
}

static inline void *zeros(size_t n, size_t size)
{
	void *memory = calloc(n, size);

	if (!memory)
		no_memory();
	return memory;
}

static inline int64_t local_at(const struct oscillator *t, int64_t true_ns)
{
	return true_ns + t->off_ns + llround(t->ppb * (double)(true_ns - t->at_ns) / S_NS);
}

static inline void oscillators_go_on(struct world *w)
{
	uint32_t h;

	for (h = 0; h < meshes(w) * w->hosts; h++) {
		struct oscillator *t = &w->oscillator[h];

		t->off_ns = local_at(t, w->now_ns) - w->now_ns;
		t->at_ns = w->now_ns;
		t->ppb += WANDER_PPB * sqrt(WINDOW_NS / S_NS) * normal(&w->seed);
	}
}

static inline void level_coordinate(struct level *l, uint32_t self)
{
	const struct member_list none = { 0 };
	struct member_list list;

	coordinator_free(&l->coordinator);
	membership_free(&l->membership);
	if (member_list_make(&list, &l->conf) || membership_make(&l->membership, &list, &none, self + 1) ||
	    coordinator_make(&l->coordinator, &l->conf, &l->membership, self, &l->count))
		no_memory();
	member_list_free(&list);
}

/* Ids are 1 and following; all else is by default. */
static inline void level_make(struct level *l, uint32_t hosts, const char *more, int64_t asymmetry_ppm)
{
	struct conf_error error;
	char text[200];
	uint32_t h;

	snprintf(text, sizeof(text), "[mesh]\npeers = 10.0.0.1 10.0.0.2\n%s", more);
	if (conf_parse(&l->conf, "levels", text, strlen(text), &error)) {
		fprintf(stderr, "%s\n", error.text);
		exit(1);
	}
	free(l->conf.peers);
	l->conf.max_asymmetry_ppm = asymmetry_ppm;
	l->conf.n_peers = hosts;
	l->conf.peers = zeros(hosts, sizeof(*l->conf.peers));
	l->member = zeros(hosts, sizeof(*l->member));
	for (h = 0; h < hosts; h++)
		l->conf.peers[h].id = h + 1;
	level_coordinate(l, 0);
}

static inline void member_begin(struct world *w, struct level *l, uint32_t h, struct oscillator *oscillator)
{
	l->member[h].oscillator = oscillator;
	host_clock_begin(&l->member[h].clock, &l->conf, local_at(oscillator, w->now_ns));
}

/* The first host coordinates its cell, and those after it are its links. */
static inline void world_link(struct world *w, uint32_t cell, uint32_t link)
{
	struct member *s = &w->cell[cell].member[link + 1];
	uint32_t h = cell * w->links + link;

	member_begin(w, &w->upper, h, s->oscillator);
	s->upper = w->cut ? NULL : &w->line[h];
}

/* Clocks up to a second and 50 ppm off. */
static inline void world_make(struct world *w)
{
	const char *reference = w->cells && !w->cut ? "[coordinator]\nreference = upper:all\n" : "";
	uint32_t c, h;

	w->now_ns = BEGIN_NS;
	w->cell = zeros(meshes(w), sizeof(*w->cell));
	w->oscillator = zeros(meshes(w) * w->hosts, sizeof(*w->oscillator));
	w->line = zeros(w->cells * w->links + 1, sizeof(*w->line));
	if (w->cells)
		level_make(&w->upper, w->cells * w->links, UPPER, w->asymmetry_ppm);
	w->upper.bias_ns = UPPER_BIAS_NS;
	for (c = 0; c < meshes(w); c++) {
		level_make(&w->cell[c], w->hosts, reference, w->asymmetry_ppm);
		for (h = 0; h < w->hosts; h++) {
			struct oscillator *t = &w->oscillator[c * w->hosts + h];

			*t = (struct oscillator){ w->now_ns, llround((uniform(&w->seed) - 0.5) * 2e9), 0 };
			t->ppb = (uniform(&w->seed) - 0.5) * 1e5;
			member_begin(w, &w->cell[c], h, t);
		}
		for (h = 0; h < w->links && w->cells; h++)
			world_link(w, c, h);
	}
}

static inline void level_free(struct level *l)
{
	coordinator_free(&l->coordinator);
	membership_free(&l->membership);
	conf_free(&l->conf);
	free(l->member);
}

static inline void world_free(struct world *w)
{
	uint32_t c;

	for (c = 0; c < meshes(w); c++)
		level_free(&w->cell[c]);
	level_free(&w->upper);
	free(w->cell);
	free(w->oscillator);
	free(w->line);
}

/* Edge of the two clocks at a true time. */
static inline struct wire_edge measured(struct world *w, const struct level *l, const struct graph_edge *edge,
				 int64_t true_ns)
{
	const struct oscillator *i = l->member[edge->i].oscillator, *j = l->member[edge->j].oscillator;
	uint64_t its = (uint64_t)edge->i << 32 | edge->j;
	double off_ns = l->bias_ns * (2 * uniform(&its) - 1) + NOISE_NS * normal(&w->seed);

	return (struct wire_edge){
		.peer = l->conf.peers[edge->j].id,
		.theta_ns = local_at(j, true_ns) - local_at(i, true_ns) + llround(off_ns),
		.drift_ppb = (j->ppb - i->ppb) / (1 + i->ppb / 1e9) + NOISE_PPB * normal(&w->seed),
		.delay_sum_ns = 10000,
		.sigma_ns = NOISE_NS,
		.sigma_ppb = NOISE_PPB,
		.bias_ns = l->bias_ns,
		.out = 200,
		.in = 200,
	};
}

static inline struct clock_line line_of(const struct oscillator *t, int64_t true_ns)
{
	return (struct clock_line){ .raw_ns = local_at(t, true_ns), .local_ns = local_at(t, true_ns) };
}

static inline struct wire_edges head_of(const struct member *s, uint64_t window, int64_t middle_ns, int64_t now_ns)
{
	struct wire_edges head = { .window = window, .term = 1, .middle_ns = local_at(s->oscillator, middle_ns) };
	struct clock_line line = line_of(s->oscillator, now_ns);
	struct mesh_utc utc;

	host_clock_report(&s->clock, &head);
	if (s->upper && upper_clock_read(s->upper, &line, &utc))
		mesh_report_utc(&utc, 0, &head);
	return head;
}

static inline void level_send(struct level *l, uint32_t from, struct wire_message *message)
{
	static struct wire_message read;
	uint8_t bytes[WIRE_MAX_BYTES];
	size_t len = wire_write(message, bytes);

	if (wire_parse(bytes, len, &read) == WIRE_GOOD)
		coordinator_report(&l->coordinator, from, false, &read.edges);
	message->edges.count = 0;
}

static inline void level_report(struct world *w, struct level *l, uint64_t window, int64_t middle_ns)
{
	uint32_t h, e = 0;

	for (h = 0; h < l->membership.hosts; h++) {
		struct wire_message m = { .type = WIRE_EDGE, .from = l->conf.peers[h].id };

		m.edges = head_of(&l->member[h], window, middle_ns, w->now_ns);
		for (; e < l->membership.edges && l->membership.edge[e].i == h; e++) {
			struct wire_edge edge = measured(w, l, &l->membership.edge[e], middle_ns);

			if (l->member[h].dead || l->member[l->membership.edge[e].j].dead)
				continue;
			m.edges.edge[m.edges.count++] = edge;
			if (m.edges.count == WIRE_EDGES_MAX)
				level_send(l, h, &m);
		}
		if (!l->member[h].dead)
			level_send(l, h, &m);
	}
}

static inline void level_tell(struct world *w, struct level *l)
{
	static struct wire_message message, read;
	uint8_t bytes[WIRE_MAX_BYTES];
	uint32_t h;

	for (h = 0; h < l->membership.hosts; h++) {
		struct member *s = &l->member[h];
		uint32_t row = l->membership.hosts > WIRE_ROWS_MAX ? 0 : h;
		bool was = host_clock_is_valid(&s->clock);

		if (s->dead)
			continue;
		coordinator_message(&l->coordinator, h, 1, &message);
		message.from = 1;
		if (wire_parse(bytes, wire_write(&message, bytes), &read) == WIRE_GOOD)
			host_clock_update(&s->clock, local_at(s->oscillator, w->now_ns), &read.solution,
					  &read.solution.row[row]);
		l->lost += was && !host_clock_is_valid(&s->clock);
	}
}

/* Return: ms to solve. */
static inline double level_window(struct world *w, struct level *l, uint64_t window)
{
	const struct schedule schedule = { .window_ns = WINDOW_NS, .known = true };
	int64_t middle_ns = BEGIN_NS + (int64_t)window * WINDOW_NS + WINDOW_NS / 2;
	double before_ms;
	uint32_t h;

	for (h = 0; h < l->membership.hosts; h++)
		if (!l->member[h].dead)
			host_clock_tick(&l->member[h].clock, local_at(l->member[h].oscillator, w->now_ns));
	if (l->silent) {
		l->silent--;
		return 0;
	}
	level_report(w, l, window, middle_ns);
	before_ms = cpu_ms();
	coordinator_solve(&l->coordinator, window, &schedule, 1);
	before_ms = cpu_ms() - before_ms;
	level_tell(w, l);
	return before_ms;
}

/* The file that the daemon of the upper mesh writes. */
static inline struct huygens_line file_of(const struct member *s, int64_t true_ns)
{
	int64_t local_ns = local_at(s->oscillator, true_ns);
	struct slew_value slew = slew_at(&s->clock.slew, local_ns);

	if (s->dead || !host_clock_is_valid(&s->clock))
		return (struct huygens_line){ .flags = 0 };
	return (struct huygens_line){
		.flags = HUYGENS_LINE_VALID,
		.raw_ns = local_ns,
		.until_ns = local_ns + 5000000000LL,
		.common_ns = local_ns + slew.x_ns,
		.drift = slew.drift_ppb / 1e9,
		.error_ns = line_round(ceil(slew.bound_ns)) + 1,
		.asymmetry_ns = line_round(ceil(s->clock.asymmetry_ns)),
		.epoch = wire_timeline(s->clock.timeline),
	};
}

/* Time passes until @until_ns, and links read their lines. */
static inline void world_pass(struct world *w, int64_t until_ns)
{
	uint32_t i;

	for (; w->cells && w->now_ns + READ_NS <= until_ns; w->now_ns += READ_NS)
		for (i = 0; i < w->cells * w->links; i++) {
			const struct member *s = &w->upper.member[i];
			struct huygens_line line = file_of(s, w->now_ns + READ_NS);

			upper_clock_take(&w->line[i], &line, local_at(s->oscillator, w->now_ns + READ_NS), 0);
		}
	w->now_ns = until_ns;
}

/* A link dies, with its daemons of both meshes; if it coordinated, another does, later. */
static inline void world_kill(struct world *w, uint32_t link)
{
	w->upper.member[link].dead = true;
	w->cell[link / w->links].member[link % w->links + 1].dead = true;
	if (w->upper.membership.self != link)
		return;
	w->upper.silent = SILENT;
	level_coordinate(&w->upper, link + 1);
}

#endif /* HUYGENS_TEST_FLEET_LEVELS_WORLD_H */
