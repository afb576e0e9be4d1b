// SPDX-License-Identifier: GPL-2.0
/*
 * books.c - the books of a run: what every port sent, received and dropped
 *
 * They are opened once the traffic has ebbed, so that no frame is under way: then frames in are
 * frames delivered plus frames dropped, link by link and switch by switch.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "books.h"
#include "netns.h"
#include "port.h"
#include "run.h"

/* Longer than a frame takes through any lab; shorter than what wakes idle connections. */
#define QUIET_NS 20000000
/* Connections that were cut off retransmit for long, at growing intervals. */
#define EBB_NS 5000000000ULL

/* What is done for one end of a link, in its namespace; @line is the link's. */
typedef void each_port(unsigned int line, const struct plan_end *port, void *arg);

static void visit_ports(const struct plan *plan, each_port *fn, void *arg)
{
	size_t i;
	int end;

	for (i = 0; i < plan->n_steps; i++) {
		const struct plan_step *step = &plan->step[i];

		for (end = 0; step->kind == PLAN_LINK && end < 2; end++) {
			netns_enter(step->end[end].ns);
			fn(step->line, &step->end[end], arg);
			netns_leave();
		}
	}
}

static void add_traffic(unsigned int line, const struct plan_end *port, void *arg)
{
	struct port_counters counters;
	uint64_t *sum = arg;

	port_read(&counters, line, port->dev);
	*sum += port_counter(&counters, "tx_packets") + port_counter(&counters, "rx_packets");
	port_free(&counters);
}

static uint64_t traffic(const struct plan *plan)
{
	uint64_t sum = 0;

	visit_ports(plan, add_traffic, &sum);
	return sum;
}

/**
 * books_wait() - wait until nothing moves on any link
 * @plan: the plan
 *
 * Gives up after some seconds: what then still moves shows in the books.
 */
void books_wait(const struct plan *plan)
{
	const struct timespec quiet = { .tv_nsec = QUIET_NS };
	uint64_t until = now_ns() + EBB_NS, before, after;

	after = traffic(plan);
	do {
		before = after;
		nanosleep(&quiet, NULL);
		after = traffic(plan);
	} while (after != before && now_ns() < until);
}

static void copy_drops(const char *ns, const char *dev, FILE *to)
{
	char path[80], line[256];
	FILE *from;

	snprintf(path, sizeof(path), "/proc/net/labnic/%s/drops", dev);
	from = fopen(path, "r");
	if (!from)
		fail(0, "%s: %s", path, strerror(errno));
	while (fgets(line, sizeof(line), from))
		fprintf(to, "%s %s drop %s", ns, dev, line);
	fclose(from);
}

/**
 * struct books - where the books are written, and who they are about
 * @plan: the plan
 * @to: the file
 */
struct books {
	const struct plan *plan;
	FILE *to;
};

static void write_port(unsigned int line, const struct plan_end *port, void *arg)
{
	const struct books *books = arg;
	const struct plan *plan = books->plan;
	const char *ns = plan->ns[port->ns];
	struct port_counters counters;
	const struct plan_end *peer;
	unsigned int i;

	plan_find_end(plan, port->ns, port->dev, &peer);
	fprintf(books->to, "%s %s peer %s %s\n", ns, port->dev, plan->ns[peer->ns], peer->dev);
	port_read(&counters, line, port->dev);
	for (i = 0; i < counters.n; i++)
		fprintf(books->to, "%s %s %.*s %llu\n", ns, port->dev, ETH_GSTRING_LEN,
			(char *)&counters.names->data[i * ETH_GSTRING_LEN],
			(unsigned long long)counters.values->data[i]);
	port_free(&counters);
	copy_drops(ns, port->dev, books->to);
}

/**
 * books_write() - write the counters and drops of all ports
 * @plan: the plan
 */
void books_write(const struct plan *plan)
{
	struct books books = { .plan = plan, .to = fopen(RESULT_DIR "/books", "w") };

	if (!books.to)
		fail(0, RESULT_DIR "/books: %s", strerror(errno));
	visit_ports(plan, write_port, &books);
	if (ferror(books.to) | fclose(books.to))
		fail(0, "cannot write the books: %s", strerror(errno));
}
