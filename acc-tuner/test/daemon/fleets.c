// SPDX-License-Identifier: GPL-2.0
/*
 * The queues of a namespace, with a kernel that is a few arrays: qdiscs whose settings
 * changes change, by the kernel's own code, and whose counters grow.
 */
#include <errno.h>
#include <linux/pkt_sched.h>
#include <stdlib.h>
#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "fleet.h"
#include "restore.h"

#define MOST	80
#define MS	1000000ULL

static struct record record[MOST];
static struct record_device device[2];
static struct tree tree;
static struct acc_conf conf;
static struct fleet fleet;
static struct prng prng;
static uint64_t now;
static uint32_t changes, refused, events[FLEET_REFUSED + 1];
static int refusal;

static void on_event(enum fleet_event event, const struct fleet_queue *q, int error, void *data)
{
	(void)q;
	(void)error;
	(void)data;
	events[event]++;
}

static struct record *find(uint32_t ifindex, uint32_t handle)
{
	size_t i;

	for (i = 0; i < tree.records; i++)
		if (record[i].ifindex == ifindex && record[i].handle == handle)
			return &record[i];
	return NULL;
}

static struct record *add(uint32_t ifindex, uint32_t handle, uint32_t parent, enum record_kind kind)
{
	struct record *r = &record[tree.records++];

	memset(r, 0, sizeof(*r));
	r->ifindex = ifindex;
	r->handle = handle;
	r->parent = parent;
	r->kind = kind;
	r->is_whole = kind == RECORD_ECNSHARP;
	r->stats.stamp_ns = now + 1;
	ecnsharp_settings_default(&r->settings);
	return r;
}

static void drop(struct record *r)
{
	*r = record[--tree.records];
}

/* Busy, and some packets are marked. */
static void traffic(void)
{
	size_t i;

	now += MS;
	for (i = 0; i < tree.records; i++) {
		struct tc_ecnsharp_xstats *s = &record[i].stats;
		uint64_t packets = 80 + now / MS % 2;

		s->tx_packets += packets;
		s->tx_bytes += packets * 1500;
		s->ins_marks += packets / 10;
		s->marked_bytes += packets / 10 * 1500;
		s->backlog_byte_us += 50 * 1000 * 1250;
		s->stamp_ns = now + 1;
	}
}

/* As the kernel does it. */
static void carry_out(struct change *c)
{
	struct record *r = find(c->ifindex, c->handle);

	changes++;
	c->error = refusal ? refusal : !r ? ENOENT : settings_expect(&r->settings, &c->request) ? EINVAL : 0;
	refused += !!c->error;
}

static void apply(size_t most)
{
	struct change c[MOST];
	size_t n = fleet_changes(&fleet, c, most), i;

	for (i = 0; i < n; i++)
		carry_out(&c[i]);
	fleet_changed(&fleet, c, n);
}

static void interval(void)
{
	traffic();
	fleet_on_dump(&fleet, &tree, now, false, &prng);
	if (fleet_wants_scan(&fleet))
		fleet_look(&fleet, &tree);
	apply(MOST);
}

static void intervals(int n)
{
	while (n--)
		interval();
}

/* Past the intervals that are only seen, and the changes after them. */
static void warm(void)
{
	intervals(8);
}

static void begin(const char *text)
{
	struct conf_error error;

	if (conf_parse(&conf, "f", text, strlen(text), &error))
		tap_ok(false, "%s", error.text);
	device[0] = (struct record_device){ 3, "eth1", true, 65536, 10000000000, "" };
	device[1] = (struct record_device){ 4, "eth2", true, 65536, 10000000000, "" };
	tree = (struct tree){ record, 0, NULL, 0, device, 2 };
	now = 1000 * MS;
	changes = 0;
	refused = 0;
	refusal = 0;
	memset(events, 0, sizeof(events));
	prng_seed(&prng, 1);
	memset(&fleet, 0, sizeof(fleet));
	fleet_begin(&fleet, &conf);
	fleet_configure(&fleet, NULL);
	fleet.event = on_event;
}

#define TUNE	"[tuner]\nmode = tune\n[limits]\nshare = 0\n"

static const struct tuner *only(void)
{
	return &fleet.queue[0].tuner;
}

static bool is_tuned(const struct record *r)
{
	return r->settings.given & ECNSHARP_GIVEN_RAMP;
}

static void test_observe(void)
{
	begin("");
	add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	intervals(300);
	tap_ok(fleet.queues == 1 && only()->state == TUNER_OBSERVED && only()->count.decisions > 200 && !changes &&
	       !fleet.saved.count, "mode observe: nothing is changed or saved");
}

static void test_tune(void)
{
	struct record *r;
	struct saved_queue *own;

	begin(TUNE);
	r = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	warm();
	tap_ok(fleet.queues == 1 && events[FLEET_OPENED] == 1 && only()->state == TUNER_TUNED && is_tuned(r),
	       "mode tune: it is tuned");
	own = saved_find(&fleet.saved, 3, 0x100000);
	tap_ok(own && fleet.is_saved_changed && own->settings.value[ECNSHARP_INS_TARGET_NS] == 200000 &&
	       !strcmp(own->dev, "eth1"), "its own settings were saved");
	tap_ok(restore_judge(&tree, own) == RESTORE_CHANGE && r->settings.value[ECNSHARP_LIMIT] == 10000 &&
	       r->settings.value[ECNSHARP_PST_TARGET_NS] == 85000, "a ramp is all that is changed");
	fleet_hold(&fleet, &fleet.queue[0]);
	apply(MOST);
	tap_ok(only()->state == TUNER_HELD && settings_is_same(&r->settings, &own->settings),
	       "held: its own settings, exactly");
	intervals(300);
	tap_ok(only()->state == TUNER_HELD && !is_tuned(r), "until it is resumed");
	fleet_resume(&fleet, &fleet.queue[0]);
	interval();
	tap_ok(only()->state == TUNER_STARTING && !is_tuned(r), "resumed: static first");
	warm();
	tap_ok(is_tuned(r), "and tuned again");
	tap_ok(fleet_find(&fleet, "eth1") == &fleet.queue[0] && fleet_find(&fleet, "eth1/10:") == &fleet.queue[0] &&
	       !fleet_find(&fleet, "eth1/11:") && !fleet_find(&fleet, "eth"), "it has a name");
}

static void test_foreign(void)
{
	struct ecnsharp_settings request = { 0 }, theirs;
	struct record *r;
	uint32_t before;

	begin(TUNE);
	r = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	warm();
	ecnsharp_set(&request, ECNSHARP_INS_TARGET_NS, 77000);
	settings_expect(&r->settings, &request);
	theirs = r->settings;
	before = changes;
	interval();
	tap_ok(only()->state == TUNER_FOREIGN && events[FLEET_CHANGED] == 1 && !fleet.saved.count,
	       "another's change is noticed in the next interval, and what was saved is forgotten");
	intervals(500);
	tap_ok(changes == before && settings_is_same(&r->settings, &theirs), "and never overwritten");
	fleet_hold(&fleet, &fleet.queue[0]);
	tap_ok(only()->state == TUNER_FOREIGN, "hold changes nothing");
	fleet_resume(&fleet, &fleet.queue[0]);
	warm();
	tap_ok(is_tuned(r) && saved_find(&fleet.saved, 3, 0x100000)->settings.value[ECNSHARP_INS_TARGET_NS] == 77000,
	       "resumed it is tuned, and their settings are its own");
	/* Only the ramp is another: the same as the tuner's but not what was sent. */
	r->settings.value[ECNSHARP_KMAX_NS]++;
	interval();
	tap_ok(only()->state == TUNER_FOREIGN, "another ramp is noticed as well");
	r->settings.value[ECNSHARP_LIMIT] = 5;
	interval();
	tap_ok(only()->state == TUNER_FOREIGN && only()->count.foreign == 3, "and the next one is counted");
}

static void test_generations(void)
{
	struct record *r;

	begin(TUNE);
	r = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	warm();
	drop(r);
	interval();
	tap_ok(!fleet.queues && !fleet.members && !fleet.saved.count && events[FLEET_CLOSED] == 1 && !refused,
	       "a qdisc that is gone is closed");
	r = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	intervals(4);
	tap_ok(fleet.queues == 1 && only()->state != TUNER_TUNED && !is_tuned(r), "back again it is static first");
	warm();
	tap_ok(is_tuned(r), "then tuned");
	/* Deleted and added again between two dumps. */
	drop(r);
	r = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	r->settings.value[ECNSHARP_LIMIT] = 77;
	interval();
	tap_ok(!is_tuned(r) && events[FLEET_CLOSED] == 2 && !events[FLEET_CHANGED],
	       "counters that fall are another qdisc's");
	warm();
	tap_ok(is_tuned(r) && saved_find(&fleet.saved, 3, 0x100000)->settings.value[ECNSHARP_LIMIT] == 77,
	       "which is tuned with its own settings");
	drop(r);
	add(3, 0x200000, TC_H_ROOT, RECORD_ECNSHARP);
	intervals(3);
	tap_ok(fleet.queues == 1 && fleet_find(&fleet, "eth1/20:") && !fleet_find(&fleet, "eth1/10:"),
	       "another handle is another queue");
}

static void test_devices(void)
{
	struct record *r;

	begin(TUNE "[queues]\nqueues = eth1\n");
	r = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	warm();
	device[0].is_running = false;
	fleet_look(&fleet, &tree);
	apply(MOST);
	tap_ok(!fleet.queues && !is_tuned(r) && fleet.n_refused == 1 && fleet.refused[0].verdict == TREE_DOWN,
	       "a device that is down: its own settings");
	device[0].is_running = true;
	fleet_look(&fleet, &tree);
	warm();
	tap_ok(is_tuned(r) && events[FLEET_OPENED] == 2, "up again it is tuned");
	device[0].rate_bps = 5000000000;
	fleet_look(&fleet, &tree);
	apply(MOST);
	tap_ok(events[FLEET_RATE] == 1 && !is_tuned(r) && only()->state == TUNER_STARTING,
	       "another rate: static first");
	warm();
	tap_ok(is_tuned(r) && fleet.queue[0].rate_bps == 5000000000, "then tuned by it");
	memcpy(device[0].name, "lan", 4);
	fleet_look(&fleet, &tree);
	apply(MOST);
	tap_ok(!fleet.queues && !is_tuned(r), "renamed, and not named: its own settings");
	memcpy(device[0].name, "eth1", 5);
	fleet_look(&fleet, &tree);
	r->settings.value[ECNSHARP_BYPASS] = 1;
	interval();
	fleet_look(&fleet, &tree);
	apply(MOST);
	tap_ok(!fleet.queues && fleet.n_refused == 1 && fleet.refused[0].verdict == TREE_BYPASS,
	       "bypass on: refused (%s)", fleet.refused[0].why);
}

/* The device is down, has another name, and is up again. */
static void flap(void)
{
	device[0].is_running = false;
	fleet_look(&fleet, &tree);
	intervals(3);
	memcpy(device[0].name, "eth7", 5);
	fleet_look(&fleet, &tree);
	device[0].is_running = true;
	fleet_look(&fleet, &tree);
	intervals(300);
}

static void test_flap(void)
{
	struct ecnsharp_settings request = { 0 };
	struct record *r;

	begin(TUNE);
	r = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	warm();
	fleet_hold(&fleet, &fleet.queue[0]);
	apply(MOST);
	flap();
	tap_ok(fleet.queues == 1 && only()->state == TUNER_HELD && !is_tuned(r) &&
	       !fleet.n_refused && fleet_find(&fleet, "eth7/10:"),
	       "a held queue is held after its device was down and renamed");
	fleet_resume(&fleet, &fleet.queue[0]);
	warm();
	tap_ok(only()->state == TUNER_TUNED && is_tuned(r), "and is tuned when it is resumed");
	request.given = 1ULL << ECNSHARP_LIMIT;
	request.value[ECNSHARP_LIMIT] = 77;
	settings_expect(&r->settings, &request);
	interval();
	changes = 0;
	flap();
	tap_ok(only()->state == TUNER_FOREIGN && !changes &&
	       r->settings.value[ECNSHARP_LIMIT] == 77,
	       "a queue that another changed stays so, too");
	device[0].is_running = false;
	fleet_resume(&fleet, &fleet.queue[0]);
	fleet_look(&fleet, &tree);
	tap_ok(!fleet.queues && fleet.n_refused == 1,
	       "one that is resumed while it is down is refused");
	device[0].is_running = true;
	fleet_look(&fleet, &tree);
	warm();
	device[0].rate_bps = 5000000000;
	fleet_look(&fleet, &tree);
	fleet_hold(&fleet, &fleet.queue[0]);
	apply(MOST);
	intervals(300);
	tap_ok(only()->state == TUNER_HELD && !only()->is_tuned,
	       "one that is held as it is about to begin anew is held");
}

static void test_mq(void)
{
	struct record *leaf[4];
	uint32_t i, tuned = 0, same = 0;

	begin(TUNE);
	add(3, 0x10000, TC_H_ROOT, RECORD_MQ);
	for (i = 0; i < 4; i++)
		leaf[i] = add(3, 0x100000 + (i << 16), 0x10001 + i, RECORD_ECNSHARP);
	warm();
	for (i = 0; i < 4; i++) {
		tuned += is_tuned(leaf[i]);
		same += settings_is_same(&leaf[i]->settings, &leaf[0]->settings);
	}
	tap_ok(fleet.queues == 1 && fleet.members == 4 && tuned == 4 && same == 4 && fleet.saved.count == 4,
	       "leaves of mq are one queue, and changed alike");
	tap_ok(fleet_find(&fleet, "eth1/1:") && only()->seen.delay_ns == 200000,
	       "observed as a sum (%ju ns)", (uintmax_t)only()->seen.delay_ns);
	leaf[2]->settings.value[ECNSHARP_LIMIT] = 5;
	interval();
	tap_ok(only()->state == TUNER_FOREIGN && !is_tuned(leaf[0]) && !is_tuned(leaf[1]) && is_tuned(leaf[2]) &&
	       !is_tuned(leaf[3]), "another changed a leaf: it stays, the others get their own settings");
	fleet_resume(&fleet, &fleet.queue[0]);
	warm();
	tap_ok(is_tuned(leaf[0]) && fleet.saved.count == 4, "resumed");
	leaf[3]->parent = 0x20001;
	interval();
	tap_ok(!is_tuned(leaf[0]) && !is_tuned(leaf[1]), "a leaf is gone: the others get their own settings");
	warm();
	tap_ok(is_tuned(leaf[0]) && fleet.queue[leaf[0] - record > 4].members >= 3, "and are tuned again");
}

static void test_budget(void)
{
	uint32_t i, turn, tuned = 0, least = UINT32_MAX, most = 0;

	begin(TUNE);
	for (i = 0; i < 40; i++)
		add(3, (i + 1) << 16, TC_H_ROOT, RECORD_ECNSHARP);
	intervals(2);
	for (turn = 0; turn < GUARD_BLOCK + 200; turn++) {
		traffic();
		fleet_on_dump(&fleet, &tree, now, false, &prng);
		apply(8);
	}
	for (i = 0; i < fleet.queues; i++) {
		const uint64_t n = fleet.queue[i].tuner.count.changes;

		tuned += is_tuned(&record[i]);
		least = n < least ? n : least;
		most = n > most ? n : most;
	}
	tap_ok(tuned == 40 && changes <= 8 * turn, "with a budget of 8 all 40 are tuned");
	tap_ok(least && most <= least + 2, "in turns (%u to %u changes)", least, most);
}

static void test_refusals(void)
{
	struct record *r;

	begin(TUNE);
	r = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	refusal = EPERM;
	warm();
	intervals(50);
	tap_ok(!is_tuned(r) && refused > 50 && events[FLEET_REFUSED] == 1 && only()->count.failed == refused &&
	       !only()->is_tuned, "what the kernel refuses is reported once, and counted");
	refusal = 0;
	interval();
	tap_ok(is_tuned(r) && only()->is_tuned, "and tried again");
}

static void test_silence(void)
{
	struct change c[MOST];
	size_t n;

	begin(TUNE);
	add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	warm();
	/* No answer, and it was done. */
	traffic();
	fleet_on_dump(&fleet, &tree, now, false, &prng);
	n = fleet_changes(&fleet, c, MOST);
	carry_out(&c[0]);
	c[0].error = -1;
	fleet_changed(&fleet, c, n);
	interval();
	tap_ok(n == 1 && only()->state == TUNER_TUNED && !events[FLEET_CHANGED],
	       "a change without an answer is not another's");
	/* No answer, and it was not done. */
	traffic();
	fleet_on_dump(&fleet, &tree, now, false, &prng);
	n = fleet_changes(&fleet, c, MOST);
	c[0].error = -1;
	fleet_changed(&fleet, c, n);
	interval();
	tap_ok(n == 1 && only()->state == TUNER_TUNED && !events[FLEET_CHANGED], "nor is one that was not done");
}

static void test_restart(void)
{
	struct record *one, *two;

	begin(TUNE);
	one = add(3, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	two = add(4, 0x100000, TC_H_ROOT, RECORD_ECNSHARP);
	warm();
	fleet_hold(&fleet, fleet_find(&fleet, "eth2"));
	apply(MOST);
	conf.policy = CONF_POLICY_STATIC;
	fleet_configure(&fleet, NULL);
	fleet_restart(&fleet);
	apply(MOST);
	tap_ok(!is_tuned(one) && fleet_find(&fleet, "eth1")->tuner.state == TUNER_STARTING &&
	       fleet_find(&fleet, "eth2")->tuner.state == TUNER_HELD, "another configuration: all begin anew, but those that are held");
	warm();
	tap_ok(!is_tuned(one) && fleet_find(&fleet, "eth1")->tuner.state == TUNER_STATIC, "policy static changes nothing");
	snprintf(conf.queues[0].dev, sizeof(conf.queues[0].dev), "eth2");
	fleet_look(&fleet, &tree);
	apply(MOST);
	tap_ok(fleet.queues == 1 && fleet_find(&fleet, "eth2") && !is_tuned(two), "what is not named any more is closed");
}

/* A function of the sanitizer; GCC has no header for it. */
int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void *memory, size_t size),
					      void (*on_free)(const volatile void *memory));

static uint32_t allocations;

static void on_malloc(const volatile void *memory, size_t size)
{
	(void)memory;
	(void)size;
	allocations++;
}

static void on_free(const volatile void *memory)
{
	(void)memory;
}

/* Tuned by the rule, or by a network that learns. */
static void heap_is_silent(const char *policy, const struct model *model, struct agent *agent)
{
	static const uint32_t all = (1U << TEMPLATE_NR) - 1;
	uint32_t was, i;

	begin(TUNE);
	conf.learn = !!agent;
	conf.policy = model ? CONF_POLICY_DDQN : CONF_POLICY_FOLLOW;
	fleet.agent = agent;
	fleet_configure(&fleet, model);
	for (i = 0; i < 48; i++)
		add(3, (i + 1) << 16, TC_H_ROOT, RECORD_ECNSHARP);
	warm();
	was = changes;
	allocations = 0;
	for (i = 0; i < 1000; i++) {
		interval();
		if (agent && i % 100 == 0)
			agent_learn(agent, &fleet.params.learn, all);
	}
	tap_ok(!allocations && changes > was + 400, "48 queues, %s, 1000 intervals, %u changes: no allocation (%u)",
	       policy, changes - was, allocations);
}

static void test_heap(void)
{
	static struct transition transitions[1000];
	static struct model model;
	static struct agent agent;
	struct agent_params params;
	void *volatile memory;

	__sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
	memory = malloc(1);
	free(memory);
	tap_ok(allocations == 1, "allocations are counted");
	heap_is_silent("policy follow", NULL, NULL);
	template_fill(TEMPLATE_RAMP20, model.template);
	agent_params_online(&params, 20000);
	agent_init(&agent, &params, transitions, 1000, 1);
	model.net = agent.net;
	heap_is_silent("policy ddqn that learns", &model, &agent);
	tap_ok(agent.updates == 10, "it learned");
}

int main(void)
{
	test_observe();
	test_tune();
	test_foreign();
	test_generations();
	test_devices();
	test_flap();
	test_mq();
	test_budget();
	test_refusals();
	test_silence();
	test_restart();
	test_heap();
	return tap_done();
}
