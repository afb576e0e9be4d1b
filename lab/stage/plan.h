/* SPDX-License-Identifier: GPL-2.0 */
/*
 * plan.h - what the guest of a lab is to build and to run
 *
 * The grammar is described in plan.md.  Parsing checks all that can be checked
 * without doing it: numbers and their ranges, names, order of definition.
 */
#ifndef STAGE_PLAN_H
#define STAGE_PLAN_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../kernel/files/include/net/osc.h"
#include "../labnic/labnic_uapi.h"

#define PLAN_NS_ROOT		0	/* index of "-", the initial namespace */
#define PLAN_NAME_MAX		63
#define PLAN_NS_MAX		4096
#define PLAN_LINE_MAX		65536
#define PLAN_DIRECTIVES_MAX	100000
#define PLAN_HOPS_MAX		64
#define PLAN_TIME_MAX		86400000000000ULL	/* a day, in ns */
#define PLAN_SNAP_MIN		64
#define PLAN_SNAP_MAX		262144

/**
 * enum plan_kind - directives
 * @PLAN_MODULE: load a kernel module
 * @PLAN_NS: make a network namespace
 * @PLAN_LINK: make a labnic pair
 * @PLAN_ADDR: give an interface an address
 * @PLAN_ROUTE: add a route
 * @PLAN_NEIGH: add a permanent neighbour
 * @PLAN_SYSCTL: write a sysctl
 * @PLAN_CLOCK: set a host's clock, or that of a card
 * @PLAN_EXEC: run a program and wait for it
 * @PLAN_EPOCH: say when the run begins
 * @PLAN_DEADLINE: say when the run is given up
 * @PLAN_WATCH: gather queue statistics of a port
 * @PLAN_PCAP: record the packets of a port
 * @PLAN_SPAWN: run a program beside the run
 * @PLAN_WAIT: sleep
 * @PLAN_FLOWGEN: run the traffic tool and wait for it
 * @PLAN_COLLECT: write a port's figures at the end
 * @PLAN_KINDS: number of kinds
 */
enum plan_kind {
	PLAN_MODULE,
	PLAN_NS,
	PLAN_LINK,
	PLAN_ADDR,
	PLAN_ROUTE,
	PLAN_NEIGH,
	PLAN_SYSCTL,
	PLAN_CLOCK,
	PLAN_EXEC,
	PLAN_EPOCH,
	PLAN_DEADLINE,
	PLAN_WATCH,
	PLAN_PCAP,
	PLAN_SPAWN,
	PLAN_WAIT,
	PLAN_FLOWGEN,
	PLAN_COLLECT,
	PLAN_KINDS,
};

/**
 * struct plan_address - an IPv4 or IPv6 address or prefix
 * @family: AF_INET or AF_INET6
 * @bytes: network order, 4 or 16 of them
 * @plen: length of the prefix
 */
struct plan_address {
	int family;
	uint8_t bytes[16];
	unsigned int plen;
};

/**
 * struct plan_end - one end of a link
 * @ns: index of its namespace
 * @dev: name of its interface
 * @mac: its MAC address
 * @mtu: its MTU, 0: the default
 * @queues: number of transmit queues, 0: the default
 * @given: bit n is set if attribute n of enum labnic_attr is given
 * @value: values of these attributes
 */
struct plan_end {
	unsigned int ns;
	char dev[IFNAMSIZ];
	uint8_t mac[6];
	unsigned int mtu;
	unsigned int queues;
	uint64_t given;
	uint64_t value[IFLA_LABNIC_MAX + 1];
};

/**
 * struct plan_hop - a next hop of a route
 * @via: gateway
 * @dev: interface
 */
struct plan_hop {
	struct plan_address via;
	char dev[IFNAMSIZ];
};

/**
 * struct plan_step - one directive; unused members are zero
 * @kind: which
 * @line: line of the plan, from 1
 * @ns: index of the namespace
 * @dev: interface; of a clock empty for the system's
 * @address: address or prefix
 * @end: the two ends of a link
 * @mac: neighbour's address
 * @hop: next hops of a route
 * @nhops: number of @hop
 * @initcwnd: initial window of a route's connections, segments, 0: the default
 * @quickack: a route's connections do not delay acknowledgments
 * @text: module file, sysctl key, file or name for results
 * @clock: settings of a clock, times after the epoch
 * @value: sysctl value, module parameters
 * @argv: program and arguments, ended by NULL
 * @from: window, epoch, deadline or wait, ns
 * @until: end of the window, ns after the epoch
 * @sample: trace period, ns
 * @snap: most bytes of a packet that are recorded
 */
struct plan_step {
	enum plan_kind kind;
	unsigned int line;
	unsigned int ns;
	char dev[IFNAMSIZ];
	struct plan_address address;
	struct plan_end *end;
	uint8_t mac[6];
	struct plan_hop *hop;
	unsigned int nhops;
	uint64_t initcwnd;
	uint64_t quickack;
	char *text;
	struct osc_setting *clock;
	char *value;
	char **argv;
	uint64_t from;
	uint64_t until;
	uint64_t sample;
	uint64_t snap;
};

/**
 * struct plan - a whole plan
 * @ns: names of the namespaces, the first is "-"
 * @n_ns: how many
 * @step: directives in the order of the file
 * @n_steps: how many
 * @epoch: ns of CLOCK_MONOTONIC, 0 if there is none
 * @deadline: ns after the epoch
 * @error: what is wrong, with the line's number, after plan_read() failed
 */
struct plan {
	char (*ns)[PLAN_NAME_MAX + 1];
	unsigned int n_ns;
	struct plan_step *step;
	size_t n_steps;
	uint64_t epoch;
	uint64_t deadline;
	char error[256];
};

bool plan_read(struct plan *plan, FILE *file);
void plan_free(struct plan *plan);
const struct plan_end *plan_find_end(const struct plan *plan, unsigned int ns,
				     const char *dev,
				     const struct plan_end **other);

#endif /* STAGE_PLAN_H */
