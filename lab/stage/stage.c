// SPDX-License-Identifier: GPL-2.0
/*
 * stage.c - /init of the lab's guest: build what the plan says, run it, write
 * what came of it, power off
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "books.h"
#include "child.h"
#include "clock.h"
#include "collect.h"
#include "guest.h"
#include "net.h"
#include "netns.h"
#include "pcap.h"
#include "plan.h"
#include "run.h"

static void write_progress(void)
{
	char text[64];

	snprintf(text, sizeof(text), "%llu 0 0\n",
		 (unsigned long long)now_ns());
	write_text(0, RUN_DIR "/progress", text);
}

static void sleep_until(const struct plan_step *step, uint64_t when)
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

/* Done one after the other as the plan has them; collect comes at the end. */
static void take_step(const struct plan *plan, const struct plan_step *step)
{
	uint64_t deadline = plan->epoch + plan->deadline;

	switch (step->kind) {
	case PLAN_MODULE:
		guest_load(step);
		return guest_random();
	case PLAN_NS:
		netns_create(plan, step);
		net_open(step->ns);
		return net_up_lo(step->ns, step->line);
	case PLAN_LINK:
		return net_link(step);
	case PLAN_ADDR:
		return net_addr(plan, step);
	case PLAN_ROUTE:
		return net_route(step);
	case PLAN_NEIGH:
		return net_neigh(step);
	case PLAN_SYSCTL:
		netns_enter(step->ns);
		guest_sysctl(step->line, step->text, step->value);
		return netns_leave();
	case PLAN_CLOCK:
		return clock_set(plan, step);
	case PLAN_EXEC:
		return child_exec(step, step->ns, deadline);
	case PLAN_FLOWGEN:
		return child_exec(step, PLAN_NS_ROOT, deadline);
	case PLAN_SPAWN:
		return child_spawn(step);
	case PLAN_WATCH:
		return net_watch(plan, step);
	case PLAN_PCAP:
		return pcap_start(step);
	case PLAN_WAIT:
		return sleep_until(step, plan->epoch + step->from);
	case PLAN_EPOCH:
		if (now_ns() >= plan->epoch)
			fail(step->line, "building took until %llu ns, past the epoch",
			     (unsigned long long)now_ns());
		return guest_random();
	case PLAN_DEADLINE:
	case PLAN_COLLECT:
	case PLAN_KINDS:
		return;
	}
}

static void write_summary(const struct plan *plan, uint64_t built, uint64_t ran)
{
	char text[256];

	snprintf(text, sizeof(text),
		 "{\"epoch_ns\": %llu, \"built_ns\": %llu, \"ran_ns\": %llu, \"finished_ns\": %llu}\n",
		 (unsigned long long)plan->epoch, (unsigned long long)built,
		 (unsigned long long)ran, (unsigned long long)now_ns());
	write_text(0, RESULT_DIR "/stage.json", text);
}

/* Building ends where the epoch is named, or with the last step. */
static void carry_out(const struct plan *plan)
{
	uint64_t built = 0, ran;
	size_t i;

	for (i = 0; i < plan->n_steps; i++) {
		take_step(plan, &plan->step[i]);
		if (plan->step[i].kind == PLAN_EPOCH) {
			built = now_ns();
			write_progress();
		}
	}
	ran = now_ns();
	child_end();
	books_wait(plan);
	for (i = 0; i < plan->n_steps; i++)
		if (plan->step[i].kind == PLAN_COLLECT)
			collect_port(&plan->step[i]);
	collect_counters(plan);
	books_write(plan);
	write_summary(plan, built ? built : ran, ran);
}

int main(void)
{
	struct plan plan;
	FILE *file;

	if (getpid() != 1) {
		fprintf(stderr, "stage: only works as process 1 of a lab's guest\n");
		return 2;
	}
	guest_mount();
	file = fopen(RUN_DIR "/plan", "r");
	if (!file)
		fail(0, "plan: %s", strerror(errno));
	if (!plan_read(&plan, file))
		fail(0, "%s", plan.error);
	fclose(file);
	write_progress();
	child_setup();
	netns_start(plan.n_ns);
	net_open(PLAN_NS_ROOT);
	guest_random();
	carry_out(&plan);
	guest_warnings();
	write_progress();
	succeed();
}
