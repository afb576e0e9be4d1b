// SPDX-License-Identifier: GPL-2.0
/*
 * accounting.c - packet accounting: what every port sent, received and dropped
 *
 * Counters are read once no traffic is left, so that no frame is under way: then frames in are
 * frames delivered plus frames dropped, link by link and switch by switch.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "accounting.h"
#include "netns.h"
#include "port.h"
#include "run.h"

/* Longer than a frame takes through any lab; shorter than what wakes idle connections. */
#define QUIET_NS 20000000
/* Connections that were cut off retransmit for long, at growing intervals. */
#define EBB_NS 5000000000ULL

/* What is done for one end of a link, in its namespace; @line is the link's. */
typedef void each_port(unsigned int line, const struct topo_end *port, void *arg);

static void visit_ports(const struct topo *topo, each_port *fn, void *arg)
{
	size_t i;
	int end;

	for (i = 0; i < topo->n_steps; i++) {
		const struct topo_step *step = &topo->step[i];

		for (end = 0; step->kind == TOPO_LINK && end < 2; end++) {
			netns_enter(step->end[end].ns);
			fn(step->line, &step->end[end], arg);
			netns_leave();
		}
	}
}

static void add_traffic(unsigned int line, const struct topo_end *port, void *arg)
{
	struct port_counters counters;
	uint64_t *sum = arg;

	port_read(&counters, line, port->dev);
	*sum += port_counter(&counters, "tx_packets") + port_counter(&counters, "rx_packets");
	port_free(&counters);
}

static uint64_t traffic(const struct topo *topo)
{
	uint64_t sum = 0;

	visit_ports(topo, add_traffic, &sum);
	return sum;
}

/**
 * accounting_wait() - wait until nothing moves on any link
 * @topo: the topology script
 *
 * Gives up after some seconds: what then still moves shows in the accounting.
 */
void accounting_wait(const struct topo *topo)
{
	const struct timespec quiet = { .tv_nsec = QUIET_NS };
	uint64_t until = now_ns() + EBB_NS, before, after;

	after = traffic(topo);
	do {
		before = after;
		nanosleep(&quiet, NULL);
		after = traffic(topo);
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
 * struct accounting - output of the packet accounting
 * @topo: the topology script
 * @to: the file
 */
struct accounting {
	const struct topo *topo;
	FILE *to;
};

static void write_port(unsigned int line, const struct topo_end *port, void *arg)
{
	const struct accounting *accounting = arg;
	const struct topo *topo = accounting->topo;
	const char *ns = topo->ns[port->ns];
	struct port_counters counters;
	const struct topo_end *peer;
	unsigned int i;

	topo_find_end(topo, port->ns, port->dev, &peer);
	fprintf(accounting->to, "%s %s peer %s %s\n", ns, port->dev, topo->ns[peer->ns], peer->dev);
	port_read(&counters, line, port->dev);
	for (i = 0; i < counters.n; i++)
		fprintf(accounting->to, "%s %s %.*s %llu\n", ns, port->dev, ETH_GSTRING_LEN,
			(char *)&counters.names->data[i * ETH_GSTRING_LEN],
			(unsigned long long)counters.values->data[i]);
	port_free(&counters);
	copy_drops(ns, port->dev, accounting->to);
}

/**
 * accounting_write() - write the counters and drops of all ports
 * @topo: the topology script
 */
void accounting_write(const struct topo *topo)
{
	struct accounting accounting = { .topo = topo, .to = fopen(RESULT_DIR "/accounting", "w") };

	if (!accounting.to)
		fail(0, RESULT_DIR "/accounting: %s", strerror(errno));
	visit_ports(topo, write_port, &accounting);
	if (ferror(accounting.to) | fclose(accounting.to))
		fail(0, "cannot write the packet accounting: %s", strerror(errno));
}
