// SPDX-License-Identifier: GPL-2.0
/*
 * Why acc-tuner does not run, or does not tune a queue, as the doctor finds it.
 */
#include "findings.h"

/* A daemon that tunes eth1's ecnsharp. */
static struct facts_tuner_queue *tuner(const char *state)
{
	struct facts_tuner *t = &h.f.tuner;

	h.tuned[0] = (struct facts_tuner_queue){
		.name = "eth1/2:", .own_kmax_ns = 200 * US, .wanted_kmax_ns = 390 * US,
	};
	snprintf(h.tuned[0].state, sizeof(h.tuned[0].state), "%s", state);
	*t = (struct facts_tuner){
		.configured = true, .claimed = true, .saved = true,
		.queues = h.tuned, .nr_queues = 1, .n = { .ticks = 1000, .overruns = 100 },
	};
	return &h.tuned[0];
}

static void refuse(const char *state, const char *why)
{
	snprintf(tuner(state)->why, sizeof(h.tuned[0].why), "%s", why);
}

static void run_tests(void)
{
	h.f.tuner = (struct facts_tuner){ .configured = true };
	ill("configured, and not running", "acc-stopped", "", "",
	    "systemctl enable --now acc-tuner");
	h.f.tuner = (struct facts_tuner){ .configured = true, .refused = "x.accm: damaged" };
	ill("a model that is refused", "acc-refused", "", "", "acc-tuner --test");
	h.f.tuner = (struct facts_tuner){ .refused = "x.accm: damaged" };
	fine("it is refused, and not configured");
	h.f.tuner = (struct facts_tuner){ .saved = true };
	ill("killed", "acc-left", "", "", "accctl restore");
	h.f.tuner = (struct facts_tuner){ .configured = true, .saved = true };
	ill_also("killed, and configured", "acc-left", "", "", "accctl restore", "acc-stopped");
	h.f.tuner = (struct facts_tuner){ .claimed = true, .deaf = true, .configured = true };
	ill("one that is not the unit's", "acc-deaf", "", "", "pgrep -a acc-tuner");
	tuner("tuned");
	h.f.tuner.n.overruns = 101;
	ill("more than a tenth is skipped", "acc-late", "", "", "accctl stats");
	tuner("tuned");
	h.f.tuner.n = (struct facts_tuner_counts){ 99, 99 };
	fine("too few intervals to judge");
}

static void queue_tests(void)
{
	static const char *const good[] = { "tuned", "static", "starting", "observed" };
	size_t i;

	for (i = 0; i < sizeof(good) / sizeof(*good); i++) {
		tuner(good[i]);
		fine(good[i]);
	}
	tuner("held");
	ill("held", "acc-held", "eth1", "", "accctl resume eth1/2:");
	tuner("foreign");
	ill("changed by another", "acc-foreign", "eth1", "", "accctl resume eth1/2:");
	tuner("holdoff");
	ill("tuning did harm", "acc-harm", "eth1", "", "accctl compare");
	tuner("observed")->wanted_kmax_ns = 400 * US;
	ill("observed, twice its kmax", "acc-observes", "eth1", "", "accctl queues");
	tuner("observed")->wanted_kmax_ns = 100 * US;
	ill("observed, half its kmax", "acc-observes", "eth1", "", "accctl queues");
	tuner("observed")->wanted_kmax_ns = 0;
	fine("observed, without a choice");
	tuner("tuned")->wanted_kmax_ns = 400 * US;
	fine("tuned, and about to change");
	memcpy(tuner("held")->name, "e;th/2:", sizeof("e;th/2:"));
	ill("a name that a shell would misread", "acc-held", "", "", "accctl resume 'e;th/2:'");
	tuner("held");
	h.f.scope = 2;
	fine("a queue of another device");
}

static void refusal_tests(void)
{
	refuse("bypass",
	       "packets that pass it are not counted: tc qdisc change dev eth1 root handle 2: ecnsharp bypass off");
	ill("an ecnsharp that is refused", "acc-unfit", "eth1", "",
	    "tc qdisc change dev eth1 root handle 2: ecnsharp bypass off");
	refuse("red",
	       "each change of red empties its queue: tc qdisc replace dev eth1 root ecnsharp");
	ill("red", "acc-unfit", "eth1", "", "tc qdisc replace dev eth1 root ecnsharp");
	refuse("no-rate", "its rate is not known: [queues] rate = eth1/2:=RATE");
	ill("no rate", "acc-unfit", "eth1", "", "accctl queues");
	refuse("old", "its kernel module is older than acc-tuner");
	ill("an old module", "acc-unfit", "eth1", "", "accctl queues");
	refuse("down", "the device is down or has no carrier");
	fine("a device that is down");
}

void tuner_tests(void)
{
	run_tests();
	queue_tests();
	refusal_tests();
}
