// SPDX-License-Identifier: GPL-2.0
/*
 * init.c - /init of the lab's guest: build what the topology script says, run it, write
 * what came of it, power off
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "accounting.h"
#include "child.h"
#include "clock.h"
#include "collect.h"
#include "guest.h"
#include "net.h"
#include "netns.h"
#include "pcap.h"
#include "topology.h"
#include "run.h"

static void write_progress(void)
{
	char text[64];

	snprintf(text, sizeof(text), "%llu 0 0\n",
		 (unsigned long long)now_ns());
	write_text(0, RUN_DIR "/progress", text);
}

static void sleep_until(const struct topo_step *step, uint64_t when)
{
	struct timespec ts = {
		.tv_sec = when / 1000000000, .tv_nsec = when % 1000000000,
	};

	if (now_ns() > when)
		fail(step->line, "%llu ns has passed already, now is %llu ns",
		     (unsigned long long)when, (unsigned long long)now_ns());
	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL))
		;
}

/* Done one after the other in the order of the topology script; collect comes at the end. */
static void take_step(const struct topo *topo, const struct topo_step *step)
{
	uint64_t deadline = topo->epoch + topo->deadline;

	switch (step->kind) {
	case TOPO_MODULE:
		guest_load(step);
		return guest_random();
	case TOPO_NS:
		netns_create(topo, step);
		net_open(step->ns);
		return net_up_lo(step->ns, step->line);
	case TOPO_LINK:
		return net_link(step);
	case TOPO_BRIDGE:
		return net_bridge(topo, step);
	case TOPO_ADDR:
		return net_addr(topo, step);
	case TOPO_ROUTE:
		return net_route(step);
	case TOPO_NEIGH:
		return net_neigh(step);
	case TOPO_SYSCTL:
		netns_enter(step->ns);
		guest_sysctl(step->line, step->text, step->value);
		return netns_leave();
	case TOPO_CLOCK:
		return clock_set(topo, step);
	case TOPO_EXEC:
		return child_exec(step, step->ns, deadline);
	case TOPO_FLOWGEN:
		return child_exec(step, TOPO_NS_ROOT, deadline);
	case TOPO_SPAWN:
		return child_spawn(step);
	case TOPO_WATCH:
		return net_watch(topo, step);
	case TOPO_PCAP:
		return pcap_start(step);
	case TOPO_WAIT:
		return sleep_until(step, topo->epoch + step->from);
	case TOPO_EPOCH:
		if (now_ns() >= topo->epoch)
			fail(step->line, "building took until %llu ns, past the epoch",
			     (unsigned long long)now_ns());
		return guest_random();
	case TOPO_DEADLINE:
	case TOPO_COLLECT:
	case TOPO_KINDS:
		return;
	}
}

static void write_summary(const struct topo *topo, uint64_t built, uint64_t ran)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "{\"epoch_ns\": %llu, \"built_ns\": %llu, \"ran_ns\": %llu, \"finished_ns\": %llu}\n",
		 (unsigned long long)topo->epoch, (unsigned long long)built,
		 (unsigned long long)ran, (unsigned long long)now_ns());
	write_text(0, RESULT_DIR "/init.json", text);
}

/* Building ends where the epoch is named, or with the last step. */
static void carry_out(const struct topo *topo)
{
	uint64_t built = 0, ran;
	size_t i;

	for (i = 0; i < topo->n_steps; i++) {
		take_step(topo, &topo->step[i]);
		if (topo->step[i].kind == TOPO_EPOCH) {
			built = now_ns();
			write_progress();
		}
	}
	ran = now_ns();
	child_end();
	accounting_wait(topo);
	for (i = 0; i < topo->n_steps; i++)
		if (topo->step[i].kind == TOPO_COLLECT)
			collect_port(&topo->step[i]);
	collect_counters(topo);
	accounting_write(topo);
	write_summary(topo, built ? built : ran, ran);
}

int main(void)
{
	struct topo topo;
	FILE *file;

	if (getpid() != 1) {
		fprintf(stderr, "init: only works as process 1 of a lab's guest\n");
		return 2;
	}
	guest_mount();
	file = fopen(RUN_DIR "/topology", "r");
	if (!file)
		fail(0, "topology: %s", strerror(errno));
	if (!topo_read(&topo, file))
		fail(0, "%s", topo.error);
	fclose(file);
	write_progress();
	child_setup();
	netns_start(topo.n_ns);
	net_open(TOPO_NS_ROOT);
	guest_random();
	carry_out(&topo);
	guest_warnings();
	write_progress();
	succeed();
}
