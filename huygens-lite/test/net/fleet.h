/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Many hosts in one process: each a struct mesh with a clock of its own, and a
 * network between them that is a queue of events.  Time is simulated, chance is
 * seeded: a run is the same each time.
 */
#ifndef HUYGENS_FLEET_H
#define HUYGENS_FLEET_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../algo/prng.h"
#include "../../net/mesh.h"
#include "../../net/upper_clock.h"

#define FLEET_MOST	16
#define FLEET_MS	1000000LL
#define FLEET_S		1000000000LL
#define FLEET_DELAY_NS	10000
#define FLEET_NOISE_NS	3000

enum fleet_kind { FLEET_RUN, FLEET_STAMP, FLEET_PACKET };

/**
 * struct fleet_event - something happens to a host
 * @at_ns: true time
 * @order: of equal times
 * @kind: what
 * @from: its sender
 * @to: to whom
 * @key: of a stamp
 * @tx_ns: of a stamp, true time; WIRE_NO_TIME: software's alone
 * @len: of a datagram
 * @bytes: of a datagram
 */
struct fleet_event {
	int64_t		at_ns;
	uint64_t	order;
	enum fleet_kind	kind;
	uint32_t	from;
	uint32_t	to;
	uint32_t	key;
	int64_t		tx_ns;
	size_t		len;
	uint8_t		*bytes;
};

struct fleet;

/**
 * struct fleet_host - one
 * @fleet: where it is
 * @index: which
 * @address: from which it sends
 * @conf: its configuration
 * @mesh: it
 * @offset_ns: local time less raw
 * @drift: of raw time, a ratio
 * @nic: of local time over it, while that is a NIC's, a ratio
 * @session: of its daemon
 * @key: next number of a stamp
 * @dead: it does nothing and receives nothing
 * @deaf_ppm: stamps that its NIC loses
 * @blind: its NIC, or else its driver, stamps nothing that comes
 * @mute: its driver stamps nothing that is sent
 * @unplugged: nothing leaves it, and the kernel does not say so
 * @lies_ns: to the host of index n it tells Tx stamps late by n times that
 * @early_ns: so long before a packet leaves is its stamp, as software's are
 * @late_ns: and so long after it came
 * @far_ns: every way to it is longer by that than the way back
 * @side: hosts of different sides do not hear each other
 * @utc_ns: REALTIME less local time, if @has_utc
 * @has_utc: somebody disciplines it
 * @utc_error_ns: bound that somebody tells
 * @utc_read_ns: bound of reading it
 * @utc_step: leap second that its kernel announces
 * @utc_tai: TAI less UTC, as its kernel was told
 * @upper: time of an upper mesh, which it reports instead; NULL: there is none
 * @spent_ns: true time since its turn began
 * @run_ns: true time of its next turn
 * @fallbacks: times that the mesh wanted software stamps
 * @why: the last time
 * @changes: times that the driver began to stamp, or ceased
 * @behinds: times that the others were suddenly ahead
 * @events: times that each happened to the host's files
 * @lines: times that there was a new line
 * @lost: times that a line was withdrawn
 * @published: there is a line
 */
struct fleet_host {
	struct fleet		*fleet;
	uint32_t		index;
	union conf_address	address;
	struct huygens_conf	conf;
	struct mesh		mesh;
	int64_t			offset_ns;
	double			drift;
	double			nic;
	uint32_t		session;
	uint32_t		key;
	bool			dead;
	uint32_t		deaf_ppm;
	bool			blind;
	bool			mute;
	bool			unplugged;
	int64_t			lies_ns;
	int64_t			early_ns;
	int64_t			late_ns;
	int64_t			far_ns;
	int			side;
	int64_t			utc_ns;
	bool			has_utc;
	double			utc_error_ns;
	double			utc_read_ns;
	int8_t			utc_step;
	uint16_t		utc_tai;
	const struct upper_clock	*upper;
	int64_t			spent_ns;
	int64_t			run_ns;
	unsigned int		fallbacks;
	const char		*why;
	unsigned int		changes;
	unsigned int		behinds;
	unsigned int		events[MESH_TAKEN + 1];
	unsigned int		lines;
	unsigned int		lost;
	bool			published;
};

/**
 * struct fleet - all of it
 * @hosts: how many
 * @host: they
 * @now_ns: true time
 * @chance: state
 * @loss_ppm: of datagrams
 * @queue_ns: the longest queue before any host
 * @keys: of hosts that begin from now on
 * @orders: events so far
 * @events: that are to come
 * @capacity: for events
 * @event: heap
 */
struct fleet {
	uint32_t		hosts;
	struct fleet_host	host[FLEET_MOST];
	int64_t			now_ns;
	uint64_t		chance;
	uint32_t		loss_ppm;
	int64_t			queue_ns;
	struct auth_keys	keys;
	uint64_t		orders;
	size_t			events;
	size_t			capacity;
	struct fleet_event	*event;
};

static int64_t fleet_raw(const struct fleet_host *h, int64_t true_ns)
{
	return true_ns + (int64_t)llround(h->drift * (double)true_ns);
}

static int64_t fleet_local(const struct fleet_host *h, int64_t true_ns)
{
	return fleet_raw(h, true_ns) + h->offset_ns +
	       (int64_t)llround(h->nic * (double)true_ns);
}

static bool fleet_is_before(const struct fleet_event *a,
			    const struct fleet_event *b)
{
	return a->at_ns < b->at_ns ||
	       (a->at_ns == b->at_ns && a->order < b->order);
}

static void fleet_swap(struct fleet *f, size_t a, size_t b)
{
	struct fleet_event e = f->event[a];

	f->event[a] = f->event[b];
	f->event[b] = e;
}

static void fleet_push(struct fleet *f, struct fleet_event e)
{
	size_t i = f->events++;

	if (f->events > f->capacity) {
		f->capacity = 2 * f->events + 64;
		f->event = realloc(f->event, f->capacity * sizeof(*f->event));
		if (!f->event)
			abort();
	}
	e.order = f->orders++;
	f->event[i] = e;
	for (; i && fleet_is_before(&f->event[i], &f->event[(i - 1) / 2]);
	     i = (i - 1) / 2)
		fleet_swap(f, i, (i - 1) / 2);
}

static struct fleet_event fleet_pop(struct fleet *f)
{
	struct fleet_event first = f->event[0];
	size_t i = 0, least;

	f->event[0] = f->event[--f->events];
	for (;;) {
		least = i;
		if (2 * i + 1 < f->events &&
		    fleet_is_before(&f->event[2 * i + 1], &f->event[least]))
			least = 2 * i + 1;
		if (2 * i + 2 < f->events &&
		    fleet_is_before(&f->event[2 * i + 2], &f->event[least]))
			least = 2 * i + 2;
		if (least == i)
			return first;
		fleet_swap(f, i, least);
		i = least;
	}
}

static double fleet_uniform(struct fleet *f)
{
	return (double)(prng_next(&f->chance) >> 11) / (double)(1ULL << 53);
}

/* Never below FLEET_DELAY_NS; now and then much more. */
static int64_t fleet_delay(struct fleet *f)
{
	double noise = -log(1 - fleet_uniform(f)) * FLEET_NOISE_NS;

	if (fleet_uniform(f) < 0.02)
		noise += 100000 * fleet_uniform(f);
	if (f->queue_ns)
		noise += (double)f->queue_ns * fleet_uniform(f);
	return FLEET_DELAY_NS + (int64_t)noise;
}

/* Lists of members change, and with them indices: hosts of the fleet are told apart by id. */
static uint32_t fleet_index(const struct fleet_host *h, uint32_t index)
{
	return h->mesh.membership.host[index].id / 10 - 1;
}

static int fleet_carry(struct fleet_host *h, uint32_t to, const void *bytes, size_t len)
{
	struct fleet *f = h->fleet;
	struct fleet_event e = { .kind = FLEET_PACKET, .from = h->index,
				 .to = to, .len = len };

	h->spent_ns += 1000;
	if (h->unplugged)
		return 0;
	if (fleet_uniform(f) * 1e6 < f->loss_ppm || h->side != f->host[to].side)
		return 0;
	e.bytes = malloc(len);
	memcpy(e.bytes, bytes, len);
	e.at_ns = f->now_ns + h->spent_ns + fleet_delay(f) + f->host[to].far_ns;
	fleet_push(f, e);
	return 0;
}

static int fleet_send(void *data, uint32_t to, const void *bytes, size_t len)
{
	return fleet_carry(data, fleet_index(data, to), bytes, len);
}

static int fleet_probe(void *data, uint32_t to, const void *bytes, size_t len,
		       uint32_t *key, int64_t *left_ns)
{
	struct fleet_host *h = data;
	struct fleet *f = h->fleet;
	struct fleet_event e = { .kind = FLEET_STAMP, .to = h->index };

	to = fleet_index(h, to);
	*key = h->key++;
	*left_ns = f->now_ns + h->spent_ns;
	e.key = *key;
	e.tx_ns = *left_ns + h->lies_ns * to - h->early_ns;
	e.at_ns = *left_ns + 20000;
	if (fleet_uniform(f) * 1e6 < h->deaf_ppm)
		e.tx_ns = WIRE_NO_TIME;
	if (!h->unplugged && !h->mute)
		fleet_push(f, e);
	return fleet_carry(h, to, bytes, len);
}

static void fleet_space(void *data, int64_t ns)
{
	struct fleet_host *h = data;

	h->spent_ns += ns;
}

static struct clock_line fleet_clock_line(const struct fleet_host *h)
{
	int64_t now_ns = h->fleet->now_ns;

	return (struct clock_line){ .raw_ns = fleet_raw(h, now_ns),
				    .local_ns = fleet_local(h, now_ns), .drift = h->nic };
}

static bool fleet_utc(void *data, struct mesh_utc *utc)
{
	struct fleet_host *h = data;
	struct clock_line local = fleet_clock_line(h);

	if (h->upper)
		return upper_clock_read(h->upper, &local, utc);
	*utc = (struct mesh_utc){
		.line = { .at_ns = fleet_local(h, h->fleet->now_ns), .offset_ns = h->utc_ns },
		.error_ns = h->utc_error_ns,
		.read_ns = h->utc_read_ns,
		.step = h->utc_step,
		.tai = h->utc_tai,
	};
	return h->has_utc;
}

static void fleet_line(void *data)
{
	struct fleet_host *h = data;

	bool good = host_clock_is_valid(&h->mesh.host_clock);

	h->lines++;
	h->lost += h->published && !good;
	h->published = good;
}

static void fleet_solved(void *data)
{
	(void)data;
}

static int64_t fleet_handed(void *data, int64_t left_ns)
{
	return fleet_local(data, left_ns);
}

static void fleet_driver(void *data, bool stamps)
{
	struct fleet_host *h = data;

	(void)stamps;
	h->changes++;
}

static void fleet_behind(void *data, int64_t ns)
{
	struct fleet_host *h = data;

	(void)ns;
	h->behinds++;
}

static void fleet_changed(void *data, enum mesh_event event)
{
	struct fleet_host *h = data;

	h->events[event]++;
}

static void fleet_fall_back(void *data, const char *why)
{
	struct fleet_host *h = data;

	h->fallbacks++;
	h->why = why;
	h->offset_ns += (int64_t)llround(h->nic * (double)h->fleet->now_ns);
	h->nic = 0;
}

static const struct mesh_ops fleet_ops = {
	.transport = { .send = fleet_send, .probe = fleet_probe },
	.space = fleet_space,
	.utc = fleet_utc,
	.line = fleet_line,
	.solved = fleet_solved,
	.fall_back = fleet_fall_back,
	.handed = fleet_handed,
	.driver = fleet_driver,
	.behind = fleet_behind,
	.changed = fleet_changed,
};

static struct mesh_now fleet_now(struct fleet_host *h)
{
	int64_t t = h->fleet->now_ns;

	return (struct mesh_now){ fleet_raw(h, t), fleet_local(h, t) };
}

static void fleet_run_host(struct fleet_host *h)
{
	struct mesh_now now = fleet_now(h);
	struct fleet_event e = { .kind = FLEET_RUN, .to = h->index };
	int64_t next_ns;

	h->spent_ns = 0;
	next_ns = mesh_run(&h->mesh, &now);
	e.at_ns = h->fleet->now_ns + (next_ns - now.raw_ns);
	if (e.at_ns <= h->fleet->now_ns)
		e.at_ns = h->fleet->now_ns + 1000;
	if (e.at_ns < h->run_ns || h->run_ns <= h->fleet->now_ns) {
		h->run_ns = e.at_ns;
		fleet_push(h->fleet, e);
	}
}

static void fleet_happen(struct fleet *f, struct fleet_event *e)
{
	struct fleet_host *h = &f->host[e->to];
	struct mesh_now now;

	f->now_ns = e->at_ns;
	if (h->dead)
		return;
	h->spent_ns = 0;
	now = fleet_now(h);
	if (e->kind == FLEET_STAMP)
		mesh_left(&h->mesh);
	if (e->kind == FLEET_STAMP && e->tx_ns != WIRE_NO_TIME &&
	    !h->mesh.handing)
		mesh_stamp(&h->mesh, e->key, fleet_local(h, e->tx_ns));
	if (e->kind == FLEET_PACKET)
		mesh_receive(&h->mesh, &now, &f->host[e->from].address, e->bytes, e->len,
			     h->blind && h->mesh.stamps != WIRE_SOFTWARE ? WIRE_NO_TIME :
			     fleet_local(h, e->at_ns + h->late_ns));
	fleet_run_host(h);
}

static inline void fleet_pass(struct fleet *f, int64_t ns)
{
	int64_t end_ns = f->now_ns + ns;

	while (f->events && f->event[0].at_ns <= end_ns) {
		struct fleet_event e = fleet_pop(f);

		fleet_happen(f, &e);
		free(e.bytes);
	}
	f->now_ns = end_ns;
}

static inline void fleet_wake(struct fleet_host *h)
{
	h->dead = false;
	h->run_ns = 0;
	fleet_run_host(h);
}

static inline int fleet_start(struct fleet *f, struct fleet_host *h, enum wire_stamps stamps)
{
	struct mesh_begin begin = {
		.conf = &h->conf, .keys = &f->keys, .seed = h->index, .session = h->session,
		.stamps = stamps, .ops = &fleet_ops, .data = h,
	};
	struct mesh_now now;

	h->fleet = f;
	now = fleet_now(h);
	if (mesh_make(&h->mesh, &begin, &now))
		return -1;
	fleet_wake(h);
	return 0;
}

/* Hosts up to a second and 100 ppm apart; @more is added to the configuration. */
static inline struct fleet *fleet_make(uint32_t hosts, const char *more,
				       uint64_t seed, bool hardware)
{
	struct fleet *f = calloc(1, sizeof(*f));
	char text[4096];
	struct conf_error error;
	uint32_t i;
	int at;

	f->hosts = hosts;
	f->chance = seed;
	f->now_ns = 1000 * FLEET_S;
	at = snprintf(text, sizeof(text),
		      "%s\n[mesh]\nwindow = 500ms\ninterval = 10ms\npeers =", more);
	for (i = 0; i < hosts; i++)
		at += snprintf(text + at, sizeof(text) - at, " %u=10.0.0.%u",
			       10 * (i + 1), i + 1);
	for (i = 0; i < hosts; i++) {
		struct fleet_host *h = &f->host[i];

		h->index = i;
		h->offset_ns = (int64_t)((fleet_uniform(f) - 0.5) * 2e9);
		h->drift = (fleet_uniform(f) - 0.5) / 1e4;
		if (conf_parse(&h->conf, "fleet", text, strlen(text), &error)) {
			printf("# %s\n", error.text);
			exit(2);
		}
		h->conf.self = i;
		h->address = h->conf.peers[i].address;
	}
	for (i = 0; i < hosts; i++)
		if (fleet_start(f, &f->host[i], hardware ? WIRE_HARDWARE : WIRE_SOFTWARE))
			exit(2);
	return f;
}

static inline void fleet_free(struct fleet *f)
{
	uint32_t i;

	while (f->events) {
		struct fleet_event e = fleet_pop(f);

		free(e.bytes);
	}
	for (i = 0; i < f->hosts; i++) {
		mesh_free(&f->host[i].mesh);
		conf_free(&f->host[i].conf);
	}
	free(f->event);
	free(f);
}

/* The common time that a host has now; INT64_MIN: none. */
static inline int64_t fleet_common(const struct fleet_host *h)
{
	int64_t local_ns = fleet_local(h, h->fleet->now_ns);

	if (h->dead || !host_clock_is_valid(&h->mesh.host_clock))
		return INT64_MIN;
	return local_ns + slew_at(&h->mesh.host_clock.slew, local_ns).x_ns;
}

/* The bound that it states of that now. */
static inline double fleet_bound(const struct fleet_host *h)
{
	return slew_at(&h->mesh.host_clock.slew, fleet_local(h, h->fleet->now_ns)).bound_ns;
}

/* UTC as a host has it now. */
static inline int64_t fleet_utc_of(const struct fleet_host *h)
{
	int64_t common_ns = fleet_common(h);

	return common_ns == INT64_MIN ? common_ns :
	       common_ns - leap_ahead_ns(&h->mesh.host_clock.leap, common_ns);
}

/* Greatest difference of hosts' common times from host @first on; -1: one has none. */
static inline int64_t fleet_spread(const struct fleet *f, uint32_t first, uint32_t end)
{
	int64_t low = INT64_MAX, high = INT64_MIN;
	uint32_t i;

	for (i = first; i < end; i++) {
		int64_t common = fleet_common(&f->host[i]);

		if (f->host[i].dead)
			continue;
		if (common == INT64_MIN)
			return -1;
		low = common < low ? common : low;
		high = common > high ? common : high;
	}
	return high - low;
}

static inline bool fleet_is_locked(const struct fleet *f, uint32_t first, uint32_t end)
{
	uint32_t i;

	for (i = first; i < end; i++)
		if (!f->host[i].dead &&
		    f->host[i].mesh.host_clock.state.phase != STATE_LOCKED)
			return false;
	return true;
}

#endif /* HUYGENS_FLEET_H */
