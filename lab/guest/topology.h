/* SPDX-License-Identifier: GPL-2.0 */
/*
 * topology.h - what the guest of a lab is to build and to run
 *
 * The grammar is described in topology.md.  Parsing checks all that can be checked
 * without doing it: numbers and their ranges, names, order of definition.
 */
#ifndef GUEST_TOPOLOGY_H
#define GUEST_TOPOLOGY_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../kernel/files/include/net/osc.h"
#include "../labnic/labnic_uapi.h"

#define TOPO_NS_ROOT		0	/* index of "-", the initial namespace */
#define TOPO_NAME_MAX		63
#define TOPO_NS_MAX		4096
#define TOPO_LINE_MAX		65536
#define TOPO_DIRECTIVES_MAX	100000
#define TOPO_HOPS_MAX		64
#define TOPO_TIME_MAX		86400000000000ULL	/* a day, in ns */
#define TOPO_SNAP_MIN		64
#define TOPO_SNAP_MAX		262144

/**
 * enum topo_kind - directives
 * @TOPO_MODULE: load a kernel module
 * @TOPO_NS: make a network namespace
 * @TOPO_LINK: make a labnic pair
 * @TOPO_BRIDGE: make a bridge of ports
 * @TOPO_ADDR: give an interface an address
 * @TOPO_ROUTE: add a route
 * @TOPO_NEIGH: add a permanent neighbour
 * @TOPO_SYSCTL: write a sysctl
 * @TOPO_CLOCK: set a host's clock, or that of a NIC
 * @TOPO_EXEC: run a program and wait for it
 * @TOPO_EPOCH: say when the run begins
 * @TOPO_DEADLINE: say when the run is given up
 * @TOPO_WATCH: gather queue statistics of a port
 * @TOPO_PCAP: record the packets of a port
 * @TOPO_SPAWN: run a program in the background
 * @TOPO_WAIT: sleep
 * @TOPO_FLOWGEN: run the traffic tool and wait for it
 * @TOPO_COLLECT: write a port's figures at the end
 * @TOPO_KINDS: number of kinds
 */
enum topo_kind {
	TOPO_MODULE,
	TOPO_NS,
	TOPO_LINK,
	TOPO_BRIDGE,
	TOPO_ADDR,
	TOPO_ROUTE,
	TOPO_NEIGH,
	TOPO_SYSCTL,
	TOPO_CLOCK,
	TOPO_EXEC,
	TOPO_EPOCH,
	TOPO_DEADLINE,
	TOPO_WATCH,
	TOPO_PCAP,
	TOPO_SPAWN,
	TOPO_WAIT,
	TOPO_FLOWGEN,
	TOPO_COLLECT,
	TOPO_KINDS,
};

/**
 * struct topo_address - an IPv4 or IPv6 address or prefix
 * @family: AF_INET or AF_INET6
 * @bytes: network order, 4 or 16 of them
 * @plen: length of the prefix
 */
struct topo_address {
	int family;
	uint8_t bytes[16];
	unsigned int plen;
};

/**
 * struct topo_end - one end of a link
 * @ns: index of its namespace
 * @dev: name of its interface
 * @mac: its MAC address
 * @mtu: its MTU, 0: the default
 * @queues: number of transmit queues, 0: the default
 * @given: bit n is set if attribute n of enum labnic_attr is given
 * @value: values of these attributes
 */
struct topo_end {
	unsigned int ns;
	char dev[IFNAMSIZ];
	uint8_t mac[6];
	unsigned int mtu;
	unsigned int queues;
	uint64_t given;
	uint64_t value[IFLA_LABNIC_MAX + 1];
};

/**
 * struct topo_hop - a next hop of a route
 * @via: gateway
 * @dev: interface
 */
struct topo_hop {
	struct topo_address via;
	char dev[IFNAMSIZ];
};

/**
 * struct topo_step - one directive; unused members are zero
 * @kind: which
 * @line: line of the topology script, from 1
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
 * @argv: program and arguments, or ports of a bridge, ended by NULL
 * @from: window, epoch, deadline or wait, ns
 * @until: end of the window, ns after the epoch
 * @sample: trace period, ns
 * @snap: most bytes of a packet that are recorded
 */
struct topo_step {
	enum topo_kind kind;
	unsigned int line;
	unsigned int ns;
	char dev[IFNAMSIZ];
	struct topo_address address;
	struct topo_end *end;
	uint8_t mac[6];
	struct topo_hop *hop;
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
 * struct topo - a whole topo
 * @ns: names of the namespaces, the first is "-"
 * @n_ns: how many
 * @step: directives in the order of the file
 * @n_steps: how many
 * @epoch: ns of CLOCK_MONOTONIC, 0 if there is none
 * @deadline: ns after the epoch
 * @error: what is wrong, with the line's number, after topo_read() failed
 */
struct topo {
	char (*ns)[TOPO_NAME_MAX + 1];
	unsigned int n_ns;
	struct topo_step *step;
	size_t n_steps;
	uint64_t epoch;
	uint64_t deadline;
	char error[256];
};

bool topo_read(struct topo *topo, FILE *file);
void topo_free(struct topo *topo);
const struct topo_end *topo_find_end(const struct topo *topo, unsigned int ns,
				     const char *dev,
				     const struct topo_end **other);

#endif /* GUEST_TOPOLOGY_H */
