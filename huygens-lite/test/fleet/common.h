/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common parts of simulated fleets: chance, what a coordinator costs, and medians.
 */
#ifndef HUYGENS_TEST_FLEET_COMMON_H
#define HUYGENS_TEST_FLEET_COMMON_H

#include <stdlib.h>
#include <time.h>

#include "coordinator.h"
#include "random.h"

#define WINDOW_NS	2000000000LL
#define HELLO_NS	500000000LL
/* A host reports in two phases of a window (mesh.h), and again in the second. */
#define REPORTED	2
/* UDP, IPv4, Ethernet with its check. */
#define HEADS		46
#define NOISE_NS	100.0
#define NOISE_PPB	60.0

static inline double uniform(uint64_t *seed)
{
	return (random_u64(seed) >> 11) / 9007199254740992.0;
}

/* Twelve uniform ones are as good as a normal one. */
static inline double normal(uint64_t *seed)
{
	double sum = -6;
	int n;

	for (n = 0; n < 12; n++)
		sum += uniform(seed);
	return sum;
}

static inline double cpu_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
	return now.tv_sec * 1e3 + now.tv_nsec / 1e6;
}

static inline int by_size(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return x < y ? -1 : x > y;
}

/* The value that so many of a hundred are below; 0 of none.  They are sorted. */
static inline double percentile(double *x, size_t n, double percent)
{
	size_t at = (size_t)((double)n * percent / 100);

	qsort(x, n, sizeof(*x), by_size);
	return n ? x[at < n ? at : n - 1] : 0;
}

static inline double mbps(size_t bytes)
{
	return bytes * 8 / (WINDOW_NS / 1e9) / 1e6;
}

/* Tables and buffers of a coordinator. */
static inline size_t coordinator_bytes(const struct coordinator *c)
{
	size_t hosts = c->membership->hosts, edges = c->membership->edges + hosts;

	return hosts * (sizeof(*c->report) + sizeof(*c->prior) + sizeof(*c->host) + sizeof(*c->joined)) +
	       edges * (sizeof(*c->edge) + sizeof(*c->measured) + sizeof(*c->which) + sizeof(*c->fit)) +
	       c->membership->edges * sizeof(*c->membership->edge) +
	       network_bytes(hosts, edges, NETWORK_DENSE);
}

#endif /* HUYGENS_TEST_FLEET_COMMON_H */
