// SPDX-License-Identifier: GPL-2.0
/*
 * Hosts that lie, messages that are forged or replayed, and numbers at their limits.
 */
#include "fleet_test.h"

static struct wire_message hello_for(const struct fleet_host *h, uint64_t term,
				     uint32_t leader, int64_t schedule_ns)
{
	return (struct wire_message){ .type = WIRE_HELLO, .hello = {
		.flags = WIRE_HELLO_FLAGS, .stamps = WIRE_SOFTWARE, .term = term,
		.leader = leader, .membership = h->mesh.list.checksum,
		.window_ns = h->conf.window_ns, .schedule_ns = schedule_ns } };
}

/* Messages that are well formed, and not for this host to hear. */
static void refusals(void)
{
	struct fleet *f = fleet_make(4, "", 3, false);
	struct fleet_host *h = &f->host[1];
	struct count *count = &h->mesh.count;
	const union conf_address *address[3];
	union conf_address mismatched;
	struct wire_message m;
	uint64_t role, window, bad;
	uint32_t i;

	fleet_pass(f, 10 * FLEET_S);
	window = schedule_window(&h->mesh.schedule, fleet_local(h, f->now_ns));
	role = count->bad_role;
	m = (struct wire_message){ .type = WIRE_EDGE, .edges = { .window = window, .term = 1 } };
	deliver(h, 2, &m);
	check(count->bad_role == role + 1, f, "a report to a host that is no coordinator");
	m = (struct wire_message){ .type = WIRE_ENVELOPE,
		.envelope = { .stamps = WIRE_SOFTWARE, .count = 1, .window = window } };
	deliver(h, 0, &m);
	check(count->bad_role == role + 2, f, "an envelope of the edge's owner");
	bad = count->bad_window;
	m.envelope.window = window + 1;
	deliver(h, 2, &m);
	m.envelope.window = window - 2;
	deliver(h, 2, &m);
	check(count->bad_window == bad + 2, f, "envelopes of windows not open");
	m = (struct wire_message){ .type = WIRE_PROBE,
		.probe = { .stamps = WIRE_SOFTWARE, .pair = 1, .window = window + 2,
			   .echo = { { 0, { WIRE_NO_TIME, WIRE_NO_TIME } },
				     { 0, { WIRE_NO_TIME, WIRE_NO_TIME } } } } };
	deliver(h, 2, &m);
	m.probe.window = 0;
	deliver(h, 2, &m);
	check(count->bad_window == bad + 4, f, "probes of windows not open");
	bad = count->bad_membership;
	m = (struct wire_message){ .type = WIRE_HELLO,
		.hello = { .flags = WIRE_HELLO_LEADER | WIRE_HELLO_ALIGNED,
			   .stamps = WIRE_SOFTWARE, .term = 1000, .leader = 10,
			   .membership = h->mesh.list.checksum ^ 1,
			   .window_ns = h->conf.window_ns, .schedule_ns = 5 } };
	deliver(h, 0, &m);
	m.hello.membership ^= 1;
	m.hello.window_ns++;
	deliver(h, 0, &m);
	check(count->bad_membership == bad + 2 && h->mesh.verdict.term < 1000, f,
	      "HELLOs of another membership, or other windows");
	role = count->bad_role;
	m = (struct wire_message){ .type = WIRE_EDGE, .edges = { .window = window, .term = 1 } };
	deliver(h, 0, &m);
	check(count->bad_membership == bad + 3 && count->bad_role == role, f,
	      "and a report from its sender, for any receiver");

	for (i = 0; i < 3; i++)
		address[i] = &h->mesh.membership.host[i].address;
	m = hello_for(h, 1000, 10, 5);
	deliver_from(h, 99, address[0], &m, 0);
	deliver_from(h, 20, address[1], &m, 0);
	check(count->bad_host == 2, f, "messages of nobody, and of oneself");
	mismatched = *address[0];
	mismatched.in.sin_port ^= 1;
	deliver_from(h, 10, &mismatched, &m, 0);
	deliver_from(h, 10, address[2], &m, 0);
	check(count->bad_address == 2, f, "messages from another port, or address");
	deliver_from(h, 10, address[2], &m, 1);
	check(count->bad_form == 1, f, "and malformed ones");
	fleet_free(f);
}

/* A neighbour that sends pairs without end has its capacity in the window, and no more. */
static void pairs_without_end(void)
{
	struct fleet *f = fleet_make(4, "", 3, false);
	struct fleet_host *h = &f->host[1];
	struct wire_message m = { .type = WIRE_PROBE, .probe = {
		.stamps = WIRE_SOFTWARE, .pair = 1 << 20,
		.echo[1] = { 0, { WIRE_NO_TIME, WIRE_NO_TIME } } } };
	struct wire_probe *probe = &m.probe;
	uint64_t pairs, full;
	int i;

	fleet_pass(f, 12 * FLEET_S);
	pairs = h->mesh.agent.capacity;
	full = h->mesh.count.pairs_full;
	probe->window = schedule_window(&h->mesh.schedule, fleet_local(h, f->now_ns));
	for (i = 0; i < 1000; i++, probe->pair++) {
		probe->echo[0] = (struct wire_echo){ probe->pair - 1, { 1, 2 } };
		probe->index = 0;
		deliver(h, 2, &m);
		probe->index = 1;
		deliver(h, 2, &m);
	}
	fleet_pass(f, FLEET_S);
	check(!full && h->mesh.count.pairs_full >= 998 - pairs &&
	      h->mesh.count.pairs_full < 1100, f,
	      "pairs that a neighbour sends beyond its capacity are counted");
	fleet_pass(f, 10 * FLEET_S);
	check(agree(f, 0, 4), f, "and are all that is left of them");
	fleet_free(f);
}

/* Effects that a lying coordinator can have, and no other host. */
static void impostor(void)
{
	struct fleet *f = fleet_make(4, "", 15, false);
	struct fleet_host *h = &f->host[3];
	struct wire_message m;
	struct line schedule;
	uint64_t ignored, term;
	double known;
	int64_t common;
	int i;

	fleet_pass(f, 12 * FLEET_S);
	common = fleet_common(h);
	known = pow(kalman_std_ns(&h->mesh.host_clock.kalman), 2);
	ignored = h->mesh.count.solutions_ignored;
	m = solution_for(h, h->mesh.host_clock.timeline, FLEET_S);
	m.solution.frame_ns = 1000;
	deliver(h, 0, &m);
	check(!h->mesh.host_clock.taken && h->mesh.host_clock.window == m.solution.window &&
	      h->mesh.host_clock.at_ns < m.solution.row[0].at_ns, f,
	      "of a window that is not accepted nothing is kept but its number");
	check(h->mesh.count.solutions_ignored == ignored + 1 && fleet_common(h) == common, f,
	      "the coordinator cannot move the common time by more than max_change");
	check(slew_at(&h->mesh.host_clock.slew, fleet_local(h, f->now_ns)).bound_ns > 1e9, f,
	      "and the bound covers the reported value");
	check(fabs(pow(kalman_std_ns(&h->mesh.host_clock.kalman), 2) - known - 1e6) < 1, f,
	      "what the common time moved for others is doubted here too");
	fleet_pass(f, 3 * FLEET_S);
	common = fleet_common(h);
	m = solution_for(h, 77, FLEET_S);
	deliver(h, 0, &m);
	check(h->mesh.host_clock.taken && h->mesh.host_clock.at_ns == m.solution.row[0].at_ns &&
	      h->mesh.host_clock.offset_ns == m.solution.row[0].offset_ns, f,
	      "of one that is, the correction that it alone has");
	check(near(llabs(fleet_common(h) - common - FLEET_S), NEAR_NS) &&
	      h->mesh.host_clock.timeline == 77, f, "but it can begin another, anywhere");
	fleet_pass(f, 10 * FLEET_S);
	check(agree(f, 0, 4), f, "which is over with its next solution");

	schedule = h->mesh.schedule.line;
	m = hello_for(h, h->mesh.verdict.term, 10, WIRE_TIME_MAX);
	deliver(h, 1, &m);
	check(!memcmp(&schedule, &h->mesh.schedule.line, sizeof(schedule)), f,
	      "a host that does not coordinate sets no windows");
	deliver(h, 0, &m);
	fleet_pass(f, 100 * FLEET_MS);
	m.hello.schedule_ns = -WIRE_TIME_MAX;
	deliver(h, 0, &m);
	fleet_pass(f, 10 * FLEET_S);
	check(agree(f, 0, 4), f, "windows of another century last until the next HELLO");

	term = h->mesh.verdict.term;
	m = hello_for(h, term + ELECTION_TERM_JUMP + 1, 20, 0);
	deliver(h, 1, &m);
	check(h->mesh.election.term == term, f, "a term far ahead is not accepted");
	m.hello.term = term + 1000;
	deliver(h, 1, &m);
	check(h->mesh.election.term == term + 1000, f, "one that may be is");
	fleet_pass(f, 10 * FLEET_S);
	check(all_follow(f, 10) && h->mesh.verdict.term > term + 1000 && agree(f, 0, 4), f,
	      "and the lowest leads with one above");

	restart(h);
	m.hello.term = ELECTION_TERM_MOST;
	deliver(h, 1, &m);
	fleet_pass(f, 15 * FLEET_S);
	check(agree(f, 0, 4), f, "nor by a host that has just begun");
	mesh_free(&h->mesh);
	h->side = 1;
	fleet_start(f, h, WIRE_SOFTWARE);
	m.hello.term = ELECTION_TERM_MOST / 2;
	deliver(h, 1, &m);
	fleet_pass(f, 8 * FLEET_S);
	check(h->mesh.election.term == m.hello.term + 1, f,
	      "but by a host that receives nothing else");
	h->side = 0;
	fleet_pass(f, 20 * FLEET_S);
	check(agree(f, 0, 4), f, "until it does");
	fleet_free(f);

	f = fleet_make(4, "", 17, false);
	m.hello.term = ELECTION_TERM_MOST - 1;
	for (i = 0; i < 4; i++)
		deliver(&f->host[i], i ? 0 : 1, &m);
	fleet_pass(f, 15 * FLEET_S);
	check(all_follow(f, 10) && f->host[3].mesh.verdict.term == ELECTION_TERM_MOST &&
	      agree(f, 0, 4), f, "where all have, the lowest leads with the next one");
	restart(&f->host[3]);
	fleet_pass(f, 10 * FLEET_S);
	check(all_follow(f, 10) && f->host[0].mesh.verdict.term == ELECTION_TERM_MOST &&
	      agree(f, 0, 4), f, "a later host joins, and takes nothing");
	restart(&f->host[0]);
	fleet_pass(f, 10 * FLEET_S);
	check(all_follow(f, 10) && f->host[3].mesh.verdict.term == 1 && agree(f, 0, 4), f,
	      "and after the greatest term comes 1");
	fleet_free(f);
}

/**
 * struct tape - a datagram that somebody recorded
 * @from: index of its sender
 * @to: to whom
 * @len: of it
 * @bytes: of it
 */
struct tape {
	uint32_t	from;
	uint32_t	to;
	size_t		len;
	uint8_t		bytes[TRANSPORT_BYTES];
};

/* The next one of its kind. */
static struct tape record(struct fleet *f, uint32_t from, uint32_t to, uint8_t type)
{
	struct tape tape = { .from = from, .to = to };
	struct wire_message m;
	size_t i;

	for (;;) {
		for (i = 0; i < f->events; i++) {
			const struct fleet_event *e = &f->event[i];

			if (e->kind != FLEET_PACKET || e->from != from || e->to != to ||
			    wire_parse(e->bytes, e->len - AUTH_BYTES, &m) || m.type != type)
				continue;
			tape.len = e->len;
			memcpy(tape.bytes, e->bytes, e->len);
			return tape;
		}
		if (!f->events)
			abort();
		fleet_pass(f, f->event[0].at_ns - f->now_ns);
	}
}

/* Is it taken? */
static bool play(struct fleet *f, const struct tape *tape)
{
	struct fleet_host *h = &f->host[tape->to];
	struct mesh_now now = fleet_now(h);
	uint64_t before = h->mesh.count.bad_replay;

	mesh_receive(&h->mesh, &now, &h->mesh.membership.host[tape->from].address,
		     tape->bytes, tape->len, now.local_ns);
	return h->mesh.count.bad_replay == before;
}

static void begin_anew(struct fleet *f, uint32_t index)
{
	f->host[index].session++;
	restart(&f->host[index]);
}

/* Hosts with a key, locked. */
static struct fleet *signed_mesh(uint64_t seed)
{
	struct fleet *f = fleet_make(4, "", seed, false);
	uint32_t i;

	auth_add_key(&f->keys, 1, "sixteen bytes or", 16);
	for (i = 0; i < 4; i++)
		begin_anew(f, i);
	fleet_pass(f, 12 * FLEET_S);
	return f;
}

/* Does host @of regard host @peer as alive? */
static bool regards_alive(const struct fleet *f, uint32_t of, uint32_t peer)
{
	const struct fleet_host *h = &f->host[of];

	return transport_is_alive(&h->mesh.transport, peer, fleet_raw(h, f->now_ns));
}

/* How many windows behind the first host's another counts. */
static int64_t windows_behind(const struct fleet *f, uint32_t index)
{
	const struct fleet_host *a = &f->host[0], *b = &f->host[index];

	return schedule_window(&a->mesh.schedule, fleet_local(a, f->now_ns)) -
	       schedule_window(&b->mesh.schedule, fleet_local(b, f->now_ns));
}

/* Replays of recorded messages of hosts with keys. */
static void replayed(void)
{
	struct fleet *f = signed_mesh(19);
	struct tape hello, solution, report, later;
	struct fleet_host *h = &f->host[3];
	struct count *leader = &f->host[0].mesh.count;
	bool taken = false;
	uint64_t bad;
	uint32_t i;

	check(agree(f, 0, 4), f, "hosts with keys are locked");
	hello = record(f, 0, 3, WIRE_HELLO);
	solution = record(f, 0, 3, WIRE_SOLUTION);
	report = record(f, 1, 0, WIRE_EDGE);
	fleet_pass(f, FLEET_S);
	for (i = 0; i < 100; i++)
		taken |= play(f, &hello) | play(f, &solution) | play(f, &report);
	check(!taken, f, "nothing that was recorded is taken while all live");

	fleet_pass(f, 20 * FLEET_S);
	later = record(f, 0, 3, WIRE_HELLO);
	h->side = 1;
	fleet_pass(f, FLEET_MS);
	begin_anew(f, 3);
	check(play(f, &hello) && regards_alive(f, 3, 0) && windows_behind(f, 3) > 30, f,
	      "a host that has just begun learns that the sender lives, and its windows");
	check(!play(f, &hello), f, "but nothing twice");
	bad = h->mesh.count.bad_window;
	check(play(f, &solution) && h->mesh.count.bad_window == bad + 1 &&
	      !h->mesh.count.solutions && fleet_common(h) == INT64_MIN, f,
	      "a solution of then is of no open window");
	check(play(f, &later), f, "a later HELLO that was recorded is one more");
	h->side = 0;
	fleet_pass(f, FLEET_S);
	check(!windows_behind(f, 3), f, "until the coordinator's next one");
	fleet_pass(f, 10 * FLEET_S);
	check(agree(f, 0, 4), f, "and then it is locked, as all are");
	begin_anew(f, 3);
	record(f, 0, 3, WIRE_HELLO);
	fleet_pass(f, FLEET_MS);
	check(!play(f, &hello) && !play(f, &solution) && !play(f, &later), f,
	      "after the sender's next message nothing is taken");

	/* Host 1 begins anew, and dies. */
	fleet_pass(f, 10 * FLEET_S);
	begin_anew(f, 1);
	fleet_pass(f, 10 * FLEET_S);
	check(!play(f, &report), f, "nor messages of an earlier session, while it lives");
	later = record(f, 1, 0, WIRE_EDGE);
	fleet_pass(f, FLEET_S);
	f->host[1].dead = true;
	fleet_pass(f, 10 * FLEET_S);
	check(!play(f, &later) && !regards_alive(f, 0, 1), f,
	      "nor messages of the last one, when it is dead: they are no sign of life");
	bad = leader->bad_window;
	check(play(f, &report) && leader->bad_window == bad + 1 && regards_alive(f, 0, 1), f,
	      "a report of the session before is, of no open window, and says that it lives");
	check(play(f, &later), f, "and then one of the last is taken once more");
	fleet_pass(f, 10 * FLEET_S);
	check(!regards_alive(f, 0, 1) &&
	      all_follow(f, 10) && agree(f, 0, 4), f, "which harms nobody");
	begin_anew(f, 1);
	fleet_pass(f, 10 * FLEET_S);
	check(agree(f, 0, 4) &&
	      !play(f, &report) && !play(f, &later), f, "and is over when it begins");
	fleet_free(f);
}

#define UNDEAD_HELLOS	12

/* The coordinator dies, and its messages of an earlier session are replayed in time. */
static void undead(void)
{
	struct tape *tape = calloc(3 * UNDEAD_HELLOS, sizeof(*tape));
	struct fleet *f = signed_mesh(20);
	uint32_t replayed[3] = { 0 }, i, k;

	for (k = 0; k < UNDEAD_HELLOS; k++) {
		for (i = 0; i < 3; i++)
			tape[3 * k + i] = record(f, 0, i + 1, WIRE_HELLO);
		fleet_pass(f, 100 * FLEET_MS);
	}
	begin_anew(f, 0);
	fleet_pass(f, 12 * FLEET_S);
	check(all_follow(f, 10) && fleet_is_locked(f, 0, 4), f,
	      "a coordinator that began anew is one again");
	record(f, 0, 1, WIRE_HELLO);
	fleet_pass(f, FLEET_MS);
	f->host[0].dead = true;
	for (k = 0; k < 1000; k++) {
		for (i = 0; i < 3; i++)
			if ((k % 100 == 0 || !replayed[i]) && replayed[i] < UNDEAD_HELLOS)
				replayed[i] += play(f, &tape[3 * replayed[i] + i]);
		fleet_pass(f, 10 * FLEET_MS);
	}
	check(replayed[0] > 4 && all_follow(f, 10), f,
	      "a dead host is not replaced while HELLOs of an earlier session are replayed");
	fleet_pass(f, 8 * FLEET_S);
	check(all_follow(f, 20) && fleet_is_locked(f, 1, 4), f, "and is when there are no more");
	fleet_free(f);
	free(tape);
}

/* All that a message can say at most, from host 1 to the others. */
static void shout(struct fleet *f, int64_t time, double size)
{
	struct fleet_host *leader = &f->host[0], *peer = &f->host[2];
	uint64_t window = schedule_window(&leader->mesh.schedule, fleet_local(leader, f->now_ns));
	double drift = time < 0 ? -WIRE_DRIFT_MAX : WIRE_DRIFT_MAX;
	struct wire_edge edge = { 30, 0, time, drift, size, size, size, size, ~0u, ~0u };
	struct wire_message m = { .type = WIRE_EDGE, .edges = {
		.count = 2, .flags = WIRE_EDGES_FLAGS, .window = window,
		.term = leader->mesh.verdict.term, .middle_ns = time,
		.correction_ns = time, .std_ns = size, .drift_ppb = drift, .skew_ppb = size,
		.utc_ns = -time, .utc_ppb = drift,
		.timeline = leader->mesh.host_clock.timeline, .edge = { edge, edge } } };
	int i;

	m.edges.edge[1].peer = 40;
	m.edges.edge[1].drift_ppb = 0;
	m.edges.edge[1].theta_ns = -time;
	deliver(leader, 1, &m);
	m.edges.window--;
	deliver(leader, 1, &m);
	m = (struct wire_message){ .type = WIRE_PROBE, .probe = {
		.stamps = WIRE_HARDWARE, .pair = ~0u, .window = window,
		.echo = { { 1, { time, -time } }, { ~0u, { time, time } } } } };
	deliver(peer, 1, &m);
	m.probe.index = 1;
	m.probe.echo[0] = (struct wire_echo){ ~0u, { -time, time } };
	deliver(peer, 1, &m);
	m = (struct wire_message){ .type = WIRE_ENVELOPE, .envelope = {
		.stamps = WIRE_HARDWARE, .count = WIRE_POINTS_MAX, .window = window,
		.pairs = ~0u, .samples = ~0u, .hulls = ~0u } };
	for (i = 0; i < WIRE_POINTS_MAX; i++)
		m.envelope.point[i] = (struct wire_point){ i % 2 ? time : -time, time };
	deliver(leader, 1, &m);
}

/* Numbers at their limits affect only their sender. */
static void limits(void)
{
	struct fleet *f = fleet_make(4, "[coordinator]\nreference = utc:20", 16, false);
	struct count *leader = &f->host[0].mesh.count, *peer = &f->host[2].mesh.count;
	int64_t apart, worst = 0;
	uint64_t sent, answers = 0;
	int i;

	fleet_pass(f, 12 * FLEET_S);
	for (i = 0; i < 500; i++) {
		sent = leader->sent + peer->sent;
		shout(f, i % 2 ? WIRE_TIME_MAX : -WIRE_TIME_MAX, i % 3 ? WIRE_SPAN_MAX : 0);
		answers += leader->sent + peer->sent - sent;
		fleet_pass(f, 10 * FLEET_MS);
		apart = llabs(fleet_common(&f->host[0]) - fleet_common(&f->host[3]));
		worst = apart > worst ? apart : worst;
	}
	check(!leader->bad_form && !leader->bad_window && !peer->bad_form, f,
	      "absurd numbers that may be are taken");
	check(!answers, f, "and nothing is answered");
	check(near(worst, 2 * NEAR_NS), f, "absurd numbers of one host do not part the others");
	fleet_pass(f, 15 * FLEET_S);
	check(agree(f, 0, 4), f, "and leave nothing behind");
	fleet_free(f);
}

static void liar(void)
{
	struct fleet *f = fleet_make(8, "", 8, false);
	const struct coordinator *c;
	uint32_t e, named = 0, wrong = 0;

	fleet_pass(f, 10 * FLEET_S);
	f->host[5].lies_ns = 20000;
	fleet_pass(f, 8 * FLEET_S);
	c = &f->host[0].mesh.coordinator;
	for (e = 0; e < c->membership->edges; e++) {
		bool its = c->membership->edge[e].i == 5 || c->membership->edge[e].j == 5;
		bool out = c->edge[e].solved && c->edge[e].fit.fate == NETWORK_OUTLIER;

		named += its && (out || !c->edge[e].solved);
		wrong += !its && out;
	}
	check(named >= 3 && wrong <= 1, f, "edges of a host that lies are left out");
	f->host[5].dead = true;
	check(near(fleet_spread(f, 0, 8), 2 * NEAR_NS), f, "the others do not follow it");
	fleet_free(f);
}

int main(void)
{
	refusals();
	pairs_without_end();
	impostor();
	replayed();
	undead();
	limits();
	liar();
	return tap_done();
}
