// SPDX-License-Identifier: GPL-2.0
/*
 * The list of members, the graph and the keys change while the mesh runs: each host reads its
 * files when its turn comes, in any order, and nobody is without a line meanwhile.
 *
 * The control is what was done before there were changes: each host is started anew.
 */
#include "fleet_change.h"

#define ALL(n)	((1u << (n)) - 1)
#define NOBODY_JOINS	FLEET_MOST

/* Indices of the bits of @members in an order of the seed. */
static uint32_t shuffle(uint32_t members, uint64_t seed, uint32_t *order)
{
	uint32_t count = 0, i, k, other;

	for (i = 0; i < FLEET_MOST; i++)
		if (members >> i & 1)
			order[count++] = i;
	for (i = count; i > 1; i--) {
		k = prng_next(&seed) % i;
		other = order[k];
		order[k] = order[i - 1];
		order[i - 1] = other;
	}
	return count;
}

/* Looks, each half a second, at which one of @members has no line, or another common time. */
static uint32_t loose(struct fleet *f, uint32_t members, uint32_t timeline, uint32_t seconds)
{
	uint32_t bad = 0, i, k;

	for (k = 0; k < 2 * seconds; k++) {
		fleet_pass(f, 500 * FLEET_MS);
		for (i = 0; i < f->hosts; i++) {
			const struct host_clock *clock = &f->host[i].mesh.host_clock;

			if (members >> i & 1 && !f->host[i].dead)
				bad += clock->state.phase != STATE_LOCKED ||
				       wire_timeline(clock->timeline) != timeline;
		}
	}
	return bad;
}

static uint32_t timeline_of(const struct fleet *f, uint32_t index)
{
	return wire_timeline(f->host[index].mesh.host_clock.timeline);
}

/* Hosts of @members have one list, without a change, and are near each other. */
static bool settled(const struct fleet *f, uint32_t members)
{
	const struct mesh *first = NULL;
	int64_t low = INT64_MAX, high = INT64_MIN, common;
	uint32_t i;

	for (i = 0; i < f->hosts; i++) {
		const struct mesh *mesh = &f->host[i].mesh;

		if (!(members >> i & 1))
			continue;
		first = first ? first : mesh;
		common = fleet_common(&f->host[i]);
		low = common < low ? common : low;
		high = common > high ? common : high;
		if (mesh->change.pending || mesh->change.own.list != first->change.own.list ||
		    mesh->verdict.id != first->verdict.id ||
		    mesh->membership.hosts != mesh->list.hosts ||
		    mesh->host_clock.state.phase != STATE_LOCKED)
			return false;
	}
	return near(high - low, NEAR_NS);
}

enum way { BY_RELOAD, BY_RESTART };

/*
 * From one list to another, each of @from that stays in a random order, a second apart; those
 * that are new begin when @first of the others have had their turn.  The looks at which one of
 * those that stay was not in the mesh.
 */
static uint32_t roll(struct fleet *f, uint32_t from, uint32_t to, const char *more, uint64_t seed,
		     uint32_t first, enum way way)
{
	uint32_t order[FLEET_MOST], count = shuffle(from & to, seed, order), bad = 0, i, k;
	uint32_t timeline = timeline_of(f, order[0]);

	for (k = 0; k <= count; k++) {
		for (i = 0; i < FLEET_MOST && k == first; i++)
			if ((to & ~from) >> i & 1)
				enter(f, i, to, more);
		if (k < count && way == BY_RELOAD)
			read_anew(&f->host[order[k]], to, more);
		else if (k < count)
			enter(f, order[k], to, more);
		bad += loose(f, from & to, timeline, 1);
	}
	for (i = 0; i < FLEET_MOST; i++)
		if ((from & ~to) >> i & 1)
			f->host[i].dead = true;
	return bad + loose(f, from & to, timeline, 15);
}

static uint32_t withdrawn(const struct fleet *f, uint32_t members)
{
	uint32_t lost = 0, i;

	for (i = 0; i < f->hosts; i++)
		lost += members >> i & 1 ? f->host[i].lost : 0;
	return lost;
}

/* A host joins: last, or with the lowest id, which is going to coordinate. */
static void joining(void)
{
	uint32_t seed, bad = 0, lost = 0, unsettled = 0;
	struct fleet *f;

	for (seed = 1; seed < 7; seed++) {
		uint32_t out = seed % 2 ? 5 : 0, from = ALL(6) & ~(1u << out);

		f = begin(6, from, "", 100 + seed);
		bad += roll(f, from, ALL(6), "", seed, seed % 6, BY_RELOAD);
		lost += withdrawn(f, from);
		if (!settled(f, ALL(6)) || !all_follow(f, 10)) {
			unsettled++;
			remark_state(f);
		}
		fleet_free(f);
	}
	tap_ok(!bad && !lost && !unsettled,
	       "a host joins, whenever it begins, and nobody is without a line: %u, %u, %u", bad,
	       lost, unsettled);
	f = begin(6, ALL(5), "", 101);
	bad = roll(f, ALL(5), ALL(6), "", 1, 1, BY_RESTART);
	check(bad, f, "but if each is started anew instead, somebody is");
	fleet_free(f);
}

/* Two join two, before anybody knows them, one of them with the lowest id. */
static void newcomers(void)
{
	struct fleet *f = begin(4, 6, "", 7);
	uint32_t timeline = timeline_of(f, 1), bad;

	enter(f, 0, ALL(4), "");
	enter(f, 3, ALL(4), "");
	bad = loose(f, 6, timeline, 10);
	bad += roll(f, 6, ALL(4), "", 3, NOBODY_JOINS, BY_RELOAD);
	check(!bad && settled(f, ALL(4)) && all_follow(f, 10), f,
	      "two that began with their own time join two others");
	check(timeline_of(f, 0) == timeline && timeline_of(f, 3) == timeline, f,
	      "and have theirs");
	fleet_free(f);
}

/* A host leaves: any, and the coordinator, which is stopped before the others know, or after. */
static void leaving(void)
{
	uint32_t seed, bad = 0, unsettled = 0, left;
	struct fleet *f;

	for (seed = 1; seed < 7; seed++) {
		left = seed % 3 ? 0 : 4;
		f = begin(6, ALL(6), "", 200 + seed);
		if (seed % 2) {
			f->host[left].dead = true;
			fleet_pass(f, 8 * FLEET_S);
		}
		bad += roll(f, ALL(6), ALL(6) & ~(1u << left), "", seed, NOBODY_JOINS, BY_RELOAD);
		if (!settled(f, ALL(6) & ~(1u << left))) {
			unsettled++;
			remark_state(f);
		}
		unsettled += withdrawn(f, ALL(6) & ~(1u << left));
		fleet_free(f);
	}
	tap_ok(!unsettled, "a host leaves, the coordinator too: %u, held over %u", unsettled, bad);

	/* It goes on with the old list, and the others go over to theirs without it. */
	f = begin(5, ALL(5), "", 207);
	for (left = 1; left < 5; left++)
		read_anew(&f->host[left], 30, "");
	fleet_pass(f, 20 * FLEET_S);
	check(settled(f, 30) && f->host[0].mesh.verdict.self && !withdrawn(f, 30), f,
	      "a coordinator that leaves and is not stopped is left behind");
	fleet_free(f);
}

/* Another degree and seed is another graph: few edges are in both. */
static void regraphing(void)
{
	struct fleet *f = begin(14, ALL(14), "degree = 2\nseed = 1", 8);
	uint32_t bad = roll(f, ALL(14), ALL(14), "degree = 3\nseed = 2", 5, NOBODY_JOINS,
			    BY_RELOAD);

	check(!bad && settled(f, ALL(14)) && !withdrawn(f, ALL(14)), f,
	      "another degree and seed, one after the other, splits nothing");
	check(f->host[3].mesh.membership.neighbours == 6, f, "and has as many neighbours");
	fleet_free(f);
	f = begin(14, ALL(14), "degree = 2\nseed = 1", 8);
	read_anew(&f->host[4], ALL(14), "degree = 3\nseed = 2");
	check(f->host[4].mesh.membership.neighbours > 6 && f->host[4].mesh.change.pending, f,
	      "a host probes its neighbours of both graphs");
	fleet_pass(f, 5 * FLEET_S);
	read_anew(&f->host[4], ALL(14), "degree = 2\nseed = 1");
	check(f->host[4].mesh.membership.neighbours == 4 && !f->host[4].mesh.change.pending &&
	      f->host[4].events[MESH_REVERTED] == 1, f, "until its files are what they were");
	fleet_free(f);
}

static void add_key(struct auth_keys *keys, uint32_t number, char fill)
{
	char key[32];

	memset(key, fill, sizeof(key));
	if (!auth_add_key(keys, number, key, sizeof(key)))
		abort();
}

/* A mesh whose messages are signed with key 1. */
static struct fleet *begin_signed(uint32_t hosts, uint64_t seed)
{
	struct fleet *f = fleet_make(hosts, "", seed, false);
	uint32_t i;

	add_key(&f->keys, 1, 'a');
	for (i = 0; i < hosts; i++)
		enter(f, i, ALL(hosts), "");
	fleet_pass(f, 15 * FLEET_S);
	return f;
}

static uint64_t refused(const struct fleet *f)
{
	uint64_t sum = 0;
	uint32_t i;

	for (i = 0; i < f->hosts; i++)
		sum += f->host[i].mesh.count.bad_key + f->host[i].mesh.count.bad_auth;
	return sum;
}

/* The new key in the place of the old one, on one host after the other. */
static void keys(void)
{
	struct auth_keys new = { 0 };
	uint32_t order[FLEET_MOST], bad = 0, seed, k, few = 0;
	struct conf_error error;
	uint64_t unread = 0;
	struct fleet *f;

	add_key(&new, 2, 'b');
	for (seed = 1; seed < 4; seed++) {
		f = begin_signed(5, 300 + seed);
		shuffle(ALL(5), seed, order);
		for (k = 0; k < 5; k++) {
			bad += reload(&f->host[order[k]], ALL(5), "", &new, &error) != 0;
			few += f->host[order[k]].mesh.transport.keys.count != 2;
			bad += loose(f, ALL(5), timeline_of(f, 0), 1);
		}
		bad += loose(f, ALL(5), timeline_of(f, 0), 40);
		unread += refused(f);
		for (k = 0; k < 5; k++)
			few += f->host[k].mesh.transport.keys.count != 1 ||
			       f->host[k].mesh.transport.keys.id[0] != 2;
		bad += !settled(f, ALL(5));
		fleet_free(f);
	}
	tap_ok(!bad && !unread,
	       "a new key replaces the old one, and no message is refused: %u, %llu",
	       bad, (unsigned long long)unread);
	tap_ok(!few, "both are accepted until all have it, and the old one not for ever");

	f = begin_signed(5, 304);
	f->keys = new;
	enter(f, 2, ALL(5), "");
	fleet_pass(f, 10 * FLEET_S);
	check(refused(f) > 100 && !settled(f, ALL(5)), f,
	      "a host that is started anew with another key is refused");
	fleet_free(f);
}

/* The coordinator dies when half of the hosts have read the files, and while they take them up. */
static void deaths(void)
{
	uint32_t seed, unsettled = 0, others = 0, k, timeline, order[FLEET_MOST];
	struct fleet *f;

	for (seed = 1; seed < 9; seed++) {
		f = begin(6, ALL(5), "", 400 + seed);
		timeline = timeline_of(f, 2);
		shuffle(ALL(5), seed, order);
		enter(f, 5, ALL(6), "");
		for (k = 0; k < 5; k++) {
			if (seed < 5 && k == seed)
				f->host[0].dead = true;
			if (!f->host[order[k]].dead)
				read_anew(&f->host[order[k]], ALL(6), "");
			fleet_pass(f, 300 * FLEET_MS);
		}
		/* It has told nobody, one, or some. */
		for (k = 0; seed >= 5 && f->host[0].mesh.change.pending && k < 10000; k++)
			fleet_pass(f, FLEET_MS);
		fleet_pass(f, (seed % 4) * 20000);
		f->host[0].dead = true;
		fleet_pass(f, 20 * FLEET_S);
		unsettled += f->host[1].mesh.change.pending || f->host[5].mesh.change.pending ||
			     !all_follow(f, 20) || !agree(f, 1, 6) || withdrawn(f, ALL(5) & ~1u);
		for (k = 1; k < 6; k++)
			others += timeline_of(f, k) != timeline;
		enter(f, 0, ALL(6), "");
		fleet_pass(f, 20 * FLEET_S);
		unsettled += !settled(f, ALL(6)) || !all_follow(f, 10);
		fleet_free(f);
	}
	tap_ok(!unsettled,
	       "a coordinator that dies in mid-change is replaced, and the change goes on: %u",
	       unsettled);
	tap_ok(!others, "with the same common time: %u", others);
}

/* One host never reads the files, whether it coordinates or not. */
static void stragglers(uint32_t left, const char *what)
{
	static const char more[] = "transition = 20s";
	struct fleet *f = begin(6, ALL(5), more, 9);
	uint32_t timeline = timeline_of(f, 2), bad, i;

	for (i = 0; i < 5; i++)
		if (i != left)
			read_anew(&f->host[i], ALL(6), more);
	enter(f, 5, ALL(6), more);
	bad = loose(f, ALL(5), timeline, 15);
	check(!bad && f->host[2].mesh.change.pending, f, what);
	fleet_pass(f, 30 * FLEET_S);
	check(settled(f, ALL(6) & ~(1u << left)) && !withdrawn(f, ALL(5) & ~(1u << left)), f,
	      "for as long as transition: then the others go on without it");
	check(f->host[left ? 0 : 1].events[MESH_EXPIRED] == 1 &&
	      f->host[left].mesh.count.bad_membership, f, "and say so");
	read_anew(&f->host[left], ALL(6), more);
	fleet_pass(f, 25 * FLEET_S);
	check(settled(f, ALL(6)) && all_follow(f, 10) && timeline_of(f, left) == timeline, f,
	      "until it has read them");
	fleet_free(f);
}

/* A host is started anew with the new files, while others have the old ones. */
static void reboots(void)
{
	uint32_t seed, bad = 0, order[FLEET_MOST], k, i, timeline;
	struct fleet *f;

	for (seed = 1; seed < 6; seed++) {
		f = begin(6, ALL(5), "", 500 + seed);
		timeline = timeline_of(f, 2);
		shuffle(ALL(5), seed, order);
		for (k = 0; k < 5; k++) {
			if (k == seed % 5)
				enter(f, order[k], ALL(6), "");
			else
				read_anew(&f->host[order[k]], ALL(6), "");
			fleet_pass(f, 2 * FLEET_S);
		}
		enter(f, 5, ALL(6), "");
		fleet_pass(f, 20 * FLEET_S);
		bad += !settled(f, ALL(6)) || !all_follow(f, 10);
		for (i = 0; i < 6; i++)
			bad += timeline_of(f, i) != timeline;
		fleet_free(f);
	}
	tap_ok(!bad, "one is started anew with the new files, in the middle of it: %u", bad);
}

static bool is_refused(struct fleet_host *h, const char *text, const struct auth_keys *keys,
		       const char *why)
{
	const struct mesh_now now = fleet_now(h);
	struct change was = h->mesh.change;
	uint32_t hosts = h->mesh.membership.hosts;
	struct conf_error error = { "accepted" };
	struct huygens_conf next;
	bool refused = conf_parse(&next, "file", text, strlen(text), &error) ||
		       mesh_change(&h->mesh, &next, keys, &now, "file", &error);

	conf_free(&next);
	if (!strstr(error.text, why))
		tap_remark("%s", error.text);
	return refused && strstr(error.text, why) && !memcmp(&was, &h->mesh.change, sizeof(was)) &&
	       h->mesh.membership.hosts == hosts;
}

/* What a host does not read, and changes nothing. */
static void refusals(void)
{
	struct fleet *f = begin_signed(3, 10);
	struct fleet_host *h = &f->host[1];
	struct auth_keys other = { 0 }, many = { 0 };
	struct conf_error error;
	uint32_t i;

	add_key(&other, 1, 'z');
	for (i = 0; i < AUTH_KEYS_MAX; i++)
		add_key(&many, 10 + i, 'a' + i);
	check(is_refused(h, "\n[mesh]\npeers = 10=10.0.0.1 20=10.0.0.2 30=10.0.0.9\n", &f->keys,
			 "file:3: [mesh] peers: host 30 (10.0.0.9) has another address"), f,
	      "an id that would be another host is refused");
	check(is_refused(h, "[mesh]\npeers = 10=10.0.0.1 20=10.0.0.2 30=10.0.0.3\n", &other,
			 "key 1 is another one than before: a new key needs a new number"), f,
	      "and the number of a key that would be another key");
	check(is_refused(h, "[mesh]\npeers = 10=10.0.0.1 20=10.0.0.2 30=10.0.0.3\n", &many,
			 "there are more than 8 keys with those that are in use"), f,
	      "and more keys than there is space for with those of now");
	check(!reload(h, 3, "", &f->keys, &error) && h->mesh.change.pending, f,
	      "a host is removed from the list");
	check(is_refused(h, "[mesh]\npeers = 10=10.0.0.1 20=10.0.0.2 30=10.0.0.9\n", &f->keys,
			 "the change that removed it is not complete"), f,
	      "its id is not given to another one at once");
	check(!reload(h, 7, "", &f->keys, &error) && !h->mesh.change.pending &&
	      h->mesh.membership.hosts == 3, f, "but it may come back");
	fleet_free(f);
}

static struct wire_message told(const struct fleet_host *h, uint32_t list, uint32_t files)
{
	return (struct wire_message){ .type = WIRE_HELLO, .hello = {
		.flags = WIRE_HELLO_CHANGED, .stamps = WIRE_SOFTWARE, .leader = 0,
		.membership = list, .files = files, .window_ns = h->conf.window_ns } };
}

/* What does not make a host take up its new list. */
static void liars(void)
{
	struct fleet *f = begin(6, ALL(5), "", 11);
	struct fleet_host *h = &f->host[3];
	const struct change *change = &h->mesh.change;
	struct wire_message m;
	uint32_t old = change->own.list;

	m = told(h, old ^ 1, change->own.files ^ 1);
	deliver(h, 1, &m);
	check(change->own.list == old && !change->pending, f,
	      "no message begins a change: files do");
	read_anew(h, ALL(4) | 1 << 5, "");
	m = told(h, change->next ^ 1, change->own.files);
	deliver(h, 1, &m);
	check(change->pending, f, "a host with another list does not end it");
	m = told(h, change->next, change->own.files ^ 1);
	deliver(h, 1, &m);
	check(change->pending, f, "nor with other files");
	m = told(h, change->next, change->own.files);
	m.hello.flags = WIRE_HELLO_LEADER;
	deliver(h, 1, &m);
	check(change->pending, f, "nor if it began with them");
	m.hello.flags = WIRE_HELLO_CHANGED;
	deliver(h, 4, &m);
	check(change->pending, f, "nor a host that leaves");
	deliver_from(h, 60, &h->mesh.membership.host[5].address, &m, 0);
	check(change->pending && h->mesh.membership.host[5].id == 60, f, "nor one that joins");
	fleet_pass(f, 10 * FLEET_S);
	check(change->pending && change->own.list == old && h->mesh.verdict.id == 10 &&
	      h->mesh.host_clock.state.phase == STATE_LOCKED, f,
	      "alone with its new list it follows the others");
	deliver(h, 1, &m);
	check(!change->pending && change->own.list == m.hello.membership, f,
	      "one that stays, and took it up, ends it");
	fleet_free(f);
}

/*
 * Three members, and five that join before the change, but for one look; or after it, so that
 * the new graph has hardly an edge between hosts that live.
 */
static void many_join(bool before)
{
	struct fleet *f = begin(8, 0x07, "degree = 2\n", 22);
	uint32_t timeline = timeline_of(f, 0), bad = 0, i;

	if (before)
		for (i = 3; i < 8; i++)
			enter(f, i, 0xff, "degree = 2\n");
	for (i = 0; i < 3; i++) {
		read_anew(&f->host[i], 0xff, "degree = 2\n");
		bad += loose(f, 0x07, timeline, 1);
	}
	bad += loose(f, 0x07, timeline, 10);
	if (!before)
		for (i = 3; i < 8; i++)
			enter(f, i, 0xff, "degree = 2\n");
	bad += loose(f, 0x07, timeline, 15);
	tap_remark("%s: %u looks without line or common time", before ? "before" : "after", bad);
	check(settled(f, 0xff) && timeline_of(f, 7) == timeline && (before ? bad <= 1 : bad > 1), f,
	      before ? "five that join three, and live when these read the files: all go on" :
		       "five that live later: neighbours are missing until then, and all have one time");
	fleet_free(f);
}

int main(void)
{
	many_join(false);
	many_join(true);
	joining();
	newcomers();
	leaving();
	regraphing();
	keys();
	deaths();
	stragglers(3, "a host that has not read the files holds the change open");
	stragglers(0, "the coordinator as well");
	reboots();
	refusals();
	liars();
	return tap_done();
}
