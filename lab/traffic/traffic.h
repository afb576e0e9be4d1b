/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The traffic to make: hosts, and groups of flows between them
 */
#ifndef FLOWGEN_TRAFFIC_H
#define FLOWGEN_TRAFFIC_H

#include <stdio.h>
#include <sys/socket.h>

#include "cdf.h"
#include "dcqcn.h"
#include "demotion.h"
#include "parse.h"
#include "types.h"

#define HOSTS_MAX	4096
#define GROUPS_MAX	256
#define NAME_MAX_LEN	63

/* Times lie within a day, so that Q16 nanoseconds fit 63 bits. */
#define TIME_MAX	(86400 * NSEC_PER_SEC)

enum kind { KIND_POISSON, KIND_QUERY, KIND_LONG, KIND_CLOSED };

/*
 * The congestion controls; a server listens on its port plus this number. The last
 * two are this program's own, over UDP, and share a port; those before them are TCP's.
 */
enum cc { CC_CUBIC, CC_DCTCP, CC_BBR, CC_RENO, CC_DCQCN, CC_CBR, CC_COUNT };

/* Names of enum cc, for setsockopt(TCP_CONGESTION) and in the traffic file. */
extern const char *const cc_names[CC_COUNT];

/**
 * struct host - one end of flows
 * @name: as in the traffic file
 * @address: where its server listens, and whence it sends; the port is the base port
 * @sink: where flows over UDP come to it
 * @netns: name of its network namespace in the folder of --netns
 * @remote: its server runs in another process (--to)
 */
struct host {
	char name[NAME_MAX_LEN + 1];
	struct sockaddr_storage address;
	struct sockaddr_storage sink;
	char netns[NAME_MAX_LEN + 1];
	bool remote;
};

/**
 * struct host_list - hosts in the order given
 * @index: indices into the traffic's hosts
 * @n: how many
 */
struct host_list {
	u32 *index;
	u32 n;
};

/**
 * struct group - flows that share their options
 * @name: as in the traffic file
 * @kind: pattern of arrivals
 * @senders: servers, which send the data
 * @receivers: requesters, which receive it
 * @cc: congestion control of both ends
 * @dscp: codepoint of both directions, 0 to 63
 * @demotions: changes of the codepoint that the senders make as they send
 * @pool: use persistent connections
 * @flow_ports: connections have the ports of their first flow's id, over UDP the senders'
 * @delack_off: ask for immediate acknowledgements at the receivers
 * @cdf: flow sizes (poisson)
 * @largest: none of them is larger, bytes (poisson)
 * @rate: capacity that the load is relative to, bit/s (poisson); of a long flow the rate
 *	(cc=cbr), or what its sender is paced at, at most, 0: anything (TCP)
 * @load: offered payload in millionths of @rate (poisson)
 * @from: first arrivals, ns after the epoch (poisson, long, closed)
 * @until: end of arrivals, queries or requests, or of endless flows, ns after the epoch
 * @at: first query, ns after the epoch (query)
 * @flows: flows of a query, or number of long flows
 * @depth: workers, each with one request at a time (closed)
 * @lo: least size, bytes (query, closed)
 * @hi: largest size, bytes (query, closed)
 * @period: from one query to the next, ns; with @poisson the mean (query)
 * @poisson: from one query to the next is random, exponential (query)
 * @pick: the senders of each query are drawn anew (query)
 * @count: number of queries, if @until is 0 (query), or most requests of a worker (closed)
 * @jitter: each flow starts up to this much later, ns (query)
 * @size: bytes of each flow, 0 for endless (long)
 * @line: rate of the senders' links, bit/s (cc=dcqcn, cc=cbr)
 * @rp: enum dcqcn_set (cc=dcqcn)
 * @burst: packets sent at once (cc=dcqcn, cc=cbr)
 * @pattern: enum pattern_kind (cc=cbr)
 * @drop: go on where the host has no space, and do not wait (cc=cbr)
 * @dcqcn: what @line and @rp make (cc=dcqcn)
 */
struct group {
	char name[NAME_MAX_LEN + 1];
	enum kind kind;
	struct host_list senders;
	struct host_list receivers;
	u64 cc;
	u64 dscp;
	struct demotions demotions;
	u64 pool;
	u64 flow_ports;
	u64 delack_off;
	struct cdf cdf;
	u64 largest;
	u64 rate;
	u64 load;
	u64 from;
	u64 until;
	u64 at;
	u64 flows;
	u64 depth;
	u64 lo;
	u64 hi;
	u64 period;
	u64 poisson;
	u64 pick;
	u64 count;
	u64 jitter;
	u64 size;
	u64 line;
	u64 rp;
	u64 burst;
	u64 pattern;
	u64 drop;
	struct dcqcn_params dcqcn;
};

/**
 * struct traffic - everything the traffic file and --group say
 * @host: hosts
 * @hosts: number of hosts
 * @group: groups
 * @groups: number of groups
 */
struct traffic {
	struct host *host;
	u32 hosts;
	struct group *group;
	u32 groups;
};

/**
 * traffic_add_remote() - add the hosts that --to describes
 * @t: traffic
 * @to: text "ADDR:PORT"
 *
 * The first call adds the host "here", each adds a host "to1", "to2", ...:
 * the senders of groups that name none.
 *
 * Return: 0, or -1 after a message.
 */
int traffic_add_remote(struct traffic *t, const char *to);

/**
 * traffic_load() - read a traffic file
 * @t: traffic
 * @path: file
 * @port: base port of the hosts' servers
 *
 * Return: 0, or -1 after a message with the line.
 */
int traffic_load(struct traffic *t, const char *path, unsigned int port);

/**
 * traffic_add_group() - read one group from the command line
 * @t: traffic
 * @text: "NAME KEY=VALUE ...", as after "group" in a file
 *
 * Return: 0, or -1 after a message.
 */
int traffic_add_group(struct traffic *t, const char *text);

/**
 * traffic_uses() - does any group use a congestion control?
 * @t: traffic
 * @cc: which
 */
bool traffic_uses(const struct traffic *t, enum cc cc);

/**
 * cc_is_rated() - does a congestion control run over UDP?
 * @cc: which
 *
 * Return: true if its flows are sent unasked, by datagrams.
 */
static inline bool cc_is_rated(u64 cc)
{
	return cc == CC_DCQCN || cc == CC_CBR;
}

/**
 * traffic_free() - release everything
 * @t: traffic
 */
void traffic_free(struct traffic *t);

/**
 * traffic_print_keys() - describe the keys of a group
 * @f: where to
 */
void traffic_print_keys(FILE *f);

#endif
