/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clocks and a network of which the truth is known, for the tests: hosts with
 * offset, drift and wander; ports whose queues are loaded by bursts; stamps
 * with the noise of software or of a NIC.  Seeded.
 */
#ifndef HUYGENS_TEST_WORLD_H
#define HUYGENS_TEST_WORLD_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "random.h"

#define WORLD_HOSTS	64

/**
 * struct world_port - what packets wait in
 * @load: share of its time that is taken
 * @flows: by flows of many sizes, which keep the buffer full; else by bursts
 * @most_ns: buffer
 * @queue_ns: what it has to send, at @queue_at_ns
 * @queue_at_ns: when that was
 * @burst_at_ns: when the next burst or flow comes
 */
struct world_port {
	double load;
	bool flows;
	double most_ns;
	double queue_ns;
	double queue_at_ns;
	double burst_at_ns;
};

/**
 * struct world_host - a clock, and the ports from the host and towards it
 * @x_ns: correction, now
 * @drift_ppb: its growth, now
 * @ramp_ppb: growth of @drift_ppb, a second
 * @from: the host's own NIC
 * @to: the switch's
 */
struct world_host {
	double x_ns;
	double drift_ppb;
	double ramp_ppb;
	struct world_port from;
	struct world_port to;
};

/**
 * struct world - the whole
 * @seed: of random.h
 * @hardware: stamps of a NIC
 * @wire_ns: a way without queues
 * @wander_ppb: random walk of drifts, a root second
 * @now_ns: true time
 * @hosts: how many
 * @host: the hosts
 */
struct world {
	uint64_t seed;
	bool hardware;
	double wire_ns;
	double wander_ppb;
	double now_ns;
	uint32_t hosts;
	struct world_host host[WORLD_HOSTS];
};

/* Burst: 64 KB at 1 Gbit/s. */
#define WORLD_BURST_NS	524288.0
#define WORLD_WIRE_NS	2000.0

/*
 * Flows at 1 Gbit/s, of 10 KB to 30 MB: few of them most of the bytes.  Buffers
 * are 1 MB, and what a NIC takes of its queue, 128 KB.
 */
#define WORLD_FLOW_LEAST_NS	8e4
#define WORLD_FLOW_MOST_NS	2.4e8
#define WORLD_FLOW_TAIL		0.4
#define WORLD_BUFFER_NS		8e6
#define WORLD_RING_NS		1e6

static inline double world_uniform(uint64_t *seed)
{
	return ((random_u64(seed) >> 11) + 0.5) / 9007199254740992.0;
}

static inline double world_normal(uint64_t *seed)
{
	double r = sqrt(-2 * log(world_uniform(seed)));

	return r * cos(2 * M_PI * world_uniform(seed));
}

/* @median_ns is exp(mu). */
static inline double world_lognormal(uint64_t *seed, double median_ns, double sigma)
{
	return median_ns * exp(sigma * world_normal(seed));
}

/* From Tx stamp to wire; a NIC's may also come after the wire. */
static inline double world_tx_ns(struct world *w)
{
	if (!w->hardware)
		return 500 + world_lognormal(&w->seed, 300, 0.6);
	if (world_uniform(&w->seed) < 0.005)
		return -50 * world_uniform(&w->seed);
	return 4 * world_normal(&w->seed);
}

/* From wire to Rx stamp. */
static inline double world_rx_ns(struct world *w)
{
	double ns;

	if (w->hardware)
		return 4 * world_normal(&w->seed);
	ns = 3000 + world_lognormal(&w->seed, 1000, 0.6);
	if (world_uniform(&w->seed) < 0.01)
		ns += 50000 * world_uniform(&w->seed);
	return ns;
}

/* A bounded Pareto, by its inverse. */
static inline double world_flow_ns(uint64_t *seed)
{
	double least = pow(WORLD_FLOW_LEAST_NS / WORLD_FLOW_MOST_NS, WORLD_FLOW_TAIL);
	double u = world_uniform(seed);

	return WORLD_FLOW_LEAST_NS * pow(1 - u * (1 - least), -1 / WORLD_FLOW_TAIL);
}

static inline double world_flow_mean_ns(void)
{
	double ratio = WORLD_FLOW_LEAST_NS / WORLD_FLOW_MOST_NS;
	double a = WORLD_FLOW_TAIL;

	return WORLD_FLOW_LEAST_NS * a / (a - 1) * (1 - pow(ratio, a - 1)) / (1 - pow(ratio, a));
}

/* Wait in a port of what comes at @at_ns, which does not fall. */
static inline double world_wait_ns(struct world *w, struct world_port *p, double at_ns)
{
	double mean = p->flows ? world_flow_mean_ns() : WORLD_BURST_NS;
	double wait;

	if (p->load <= 0)
		return 0;
	while (p->burst_at_ns <= at_ns) {
		p->queue_ns = fmax(p->queue_ns - (p->burst_at_ns - p->queue_at_ns), 0) +
			      (p->flows ? world_flow_ns(&w->seed) : WORLD_BURST_NS);
		p->queue_at_ns = p->burst_at_ns;
		p->burst_at_ns -= log(world_uniform(&w->seed)) * mean / p->load;
	}
	wait = fmax(p->queue_ns - (at_ns - p->queue_at_ns), 0);
	/* The senders' packets in flight vary below the buffer; the rest waits there. */
	return p->flows ? fmin(wait, p->most_ns * (0.5 + 0.5 * world_uniform(&w->seed))) : wait;
}

/* Time of the clock of @h at a true time near now. */
static inline double world_local_ns(const struct world *w, uint32_t h, double at_ns)
{
	const struct world_host *c = &w->host[h];
	double s = (at_ns - w->now_ns) / 1e9;

	return at_ns - c->x_ns - c->drift_ppb * s - c->ramp_ppb * s * s / 2;
}

/* Time passes, in steps that are small against a window. */
static inline void world_pass(struct world *w, double ns)
{
	uint32_t h;

	for (h = 0; h < w->hosts; h++) {
		struct world_host *c = &w->host[h];
		double s = ns / 1e9;

		c->x_ns += c->drift_ppb * s + c->ramp_ppb * s * s / 2;
		c->drift_ppb += c->ramp_ppb * s +
				w->wander_ppb * sqrt(s) * world_normal(&w->seed);
	}
	w->now_ns += ns;
}

#endif /* HUYGENS_TEST_WORLD_H */
