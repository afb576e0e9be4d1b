// SPDX-License-Identifier: GPL-2.0
/*
 * OR-ACKs that are refused for their keys, and tables that are full, as the
 * doctor finds them.
 */
#include "findings.h"

/* Another group of keys has its number and its key, and requires nothing. */
static void two_groups(void)
{
	h.groups[1] = (struct facts_group){ 3, 9, -1, false };
	h.f.nr_groups = 2;
}

#define ADD_KEY(peer) \
	"onrampctl keys add group 7 id 5 file key5;" \
	" onrampctl keys peers add group 7 prefix " peer

static void not_signed(void)
{
	h.f.core.not_signed = 4;
	ill("not signed", "key-missing", "", "the peer", ADD_KEY("10.0.0.1"));

	h.f.core.not_signed = 4;
	h.f.paths.unacked = ends("10.0.0.4");
	snprintf(h.f.paths.unacked.saddr, INET6_ADDRSTRLEN, "10.0.0.9");
	ill("not signed, and a path that nobody acks", "key-missing", "", "the peer",
	    ADD_KEY("10.0.0.9"));

	h.f.core.not_signed = 4;
	two_groups();
	ill("not signed, as one group requires", "key-missing", "", "the peer",
	    ADD_KEY("10.0.0.1"));

	h.f.core.not_signed = 4;
	two_groups();
	h.groups[1].require = true;
	ill("not signed, as two groups require", "key-missing", "", "", "onrampctl keys show");

	h.f.core.not_signed = 4;
	h.f.paths.all.n = 0;
	ill("not signed, and no path any more", "key-missing", "", "", "onrampctl keys show");

	/* Nothing moves, and nothing that was taken outweighs what was refused. */
	h.f.still = true;
	h.f.core.acks = 9;
	h.f.core.not_signed = 5;
	h.f.core.stale = 5;
	ill_also("most not signed, ever", "clocks-differ", "", "", "chronyc tracking",
		 "key-missing");

	h.f.core.not_signed = 4;
	h.groups[0].require = false;
	fine("not signed, as was required once");
}

static void wrong_keys(void)
{
	h.f.core.unknown_key = 4;
	ill("another key", "key-unknown", "", "10.0.0.2", "onrampctl keys rotate group 7 id 5");

	h.f.core.unknown_key = 4;
	two_groups();
	ill("another key, of one of two groups", "key-unknown", "", "", "onrampctl keys show");

	h.f.core.forged = 4;
	ill("a wrong key", "key-differs", "", "",
	    "onrampctl keys del group 7 id 6 && onrampctl keys add group 7 id 6 file key6");

	h.f.core.forged = 4;
	h.groups[0].other = -1;
	h.groups[0].signs = 255;
	ill("a wrong key, the last number", "key-differs", "", "",
	    "onrampctl keys add group 7 id 0 file key0");

	h.f.core.forged = 4;
	two_groups();
	ill("a wrong key, of one of two groups", "key-differs", "", "", "onrampctl keys show");

	h.f.core.forged = 4;
	h.f.core.unknown_key = 4;
	h.f.core.not_signed = 4;
	h.f.nr_groups = 0;
	fine("refused, and no group is left");
}

/* One datagram of each kind, which anybody may have made. */
static void refused_once(void)
{
	h.f.still = true;
	h.f.core.not_signed = 1;
	h.f.core.unknown_key = 1;
	h.f.core.forged = 1;
	h.f.core.stale = 1;
}

static void refused_long_ago(void)
{
	refused_once();
	fine("one of each refused, long ago");

	refused_once();
	h.f.core.forged = 77;
	fine("as many refused as taken, long ago");

	refused_once();
	h.f.core.acks = 0;
	h.f.core.forged = 6;
	ill("no OR-ACKs, but a few refused long ago", "no-acks", "", "10.0.0.2",
	    "onrampctl peers add 10.0.0.1");
}

static void flows_full(void)
{
	h.f.core.flows_failed = 1;
	ill("too many flows", "flows-full", "", "", "onrampctl limits set flows 131072");

	h.f.core.flows_failed = 1;
	h.f.still = true;
	h.f.flows_now = 65536;
	ill("too many flows, still there", "flows-full", "", "",
	    "onrampctl limits set flows 131072");

	h.f.core.flows_failed = 1;
	h.f.max_flows = ONRAMP_RANGE_TABLE_MAX;
	fine("a table that cannot grow");

	h.f.paths_now = 16384;
	h.f.flows_now = 65536;
	fine("full tables, in which all have space");

	h.f.core.flows_failed = 1;
	h.f.still = true;
	h.f.flows_now = 65535;
	h.f.paths_now = 16383;
	fine("tables that were full long ago");
}

static void paths_full(void)
{
	/* Flows are at their limit, too, and not the first to be. */
	h.f.core.flows_failed = 1;
	h.f.flows_now = 65536;
	h.f.paths_now = 16384;
	ill("too many paths", "paths-full", "", "", "onrampctl limits set paths 32768");

	h.f.core.flows_failed = 1;
	h.f.flows_now = 65536;
	h.f.still = true;
	h.f.max_paths = 600000;
	h.f.paths_now = 700000;
	ill("too many paths for a lower limit, up to the most", "paths-full", "", "",
	    "onrampctl limits set paths 1048576");

	h.f.core.flows_failed = 1;
	h.f.max_paths = ONRAMP_RANGE_TABLE_MAX;
	h.f.paths_now = ONRAMP_RANGE_TABLE_MAX;
	fine("a table of paths that cannot grow");
}

/* Flows that are not of peers have half of the memory. */
static void memory_fails(void)
{
	h.f.core.flows_failed = 1;
	h.f.memory_now = 134217728 - 2000;
}

/* Without peers all flows have all of it. */
static void memory_fails_all(void)
{
	h.f.core.flows_failed = 1;
	h.f.memory_now = 268435456;
	h.f.nr_peers = 0;
	h.f.acker = false;
	h.f.nr_groups = 0;
}

static void memory_full(void)
{
	memory_fails();
	ill("too little memory for flows to others than peers", "memory-full", "", "",
	    "onrampctl limits set memory 536870912");

	memory_fails();
	h.f.still = true;
	ill("too little memory, still", "memory-full", "", "",
	    "onrampctl limits set memory 536870912");

	memory_fails();
	h.f.nr_peers = 0;
	h.f.acker = false;
	ill_also("too little memory, peers being those with keys", "memory-full", "", "",
		 "onrampctl limits set memory 536870912", "acker-absent");

	memory_fails_all();
	ill_also("too little memory, without peers", "memory-full", "", "",
		 "onrampctl limits set memory 536870912", "acker-absent");

	memory_fails_all();
	h.f.memory_now /= 2;
	ill_also("half of the memory, without peers", "flows-full", "", "",
		 "onrampctl limits set flows 131072", "acker-absent");

	memory_fails();
	h.f.max_memory = ONRAMP_RANGE_MEMORY_MAX - 1;
	h.f.memory_now = h.f.max_memory;
	ill("too little memory, up to the most", "memory-full", "", "",
	    "onrampctl limits set memory 1099511627776");

	memory_fails();
	h.f.paths_now = 16384;
	ill("too many paths and too little memory", "paths-full", "", "",
	    "onrampctl limits set paths 32768");
}

static void memory_fits(void)
{
	h.f.memory_now = 268435456;
	fine("memory that is just full");

	memory_fails();
	h.f.still = true;
	h.f.memory_now = 100000000;
	fine("memory that was full long ago");

	memory_fails();
	h.f.max_memory = ONRAMP_RANGE_MEMORY_MAX;
	h.f.memory_now = h.f.max_memory;
	fine("memory that cannot grow");
}

void table_tests(void)
{
	not_signed();
	wrong_keys();
	refused_long_ago();
	flows_full();
	paths_full();
	memory_full();
	memory_fits();
}
