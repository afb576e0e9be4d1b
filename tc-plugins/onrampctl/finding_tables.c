// SPDX-License-Identifier: GPL-2.0
/*
 * Why flows are not held: tables of keys that differ from the peers', and tables of flows and
 * paths that are full.
 */
#include "finding.h"

/* As much as a flow and its path take at first, and more. */
#define TABLES_FLOW_BYTES	16384

#define COUNT(n)	(finding_count(n).text)

/* How many there are, and one of them. */
static size_t tables_groups(const struct facts *f, bool require,
			    const struct facts_group **one)
{
	size_t i, n = 0;

	for (i = 0; i < f->nr_groups; i++) {
		if (require && !f->groups[i].require)
			continue;
		*one = &f->groups[i];
		n++;
	}
	return n;
}

/* Counters do not name the group: a person has to look at the list. */
static void tables_show_keys(struct finding *x)
{
	finding_command(x, "onrampctl keys show");
}

/*
 * Accepting unsigned OR-ACKs would correct it for forgers, too.  The peer
 * lacks the key, or knows not that this host has it.
 */
static void tables_key_missing(const struct finding_check *at)
{
	const struct facts_paths *paths = &at->f->paths;
	const struct facts_ends *ends = paths->unacked.n ? &paths->unacked :
							  &paths->all;
	const struct facts_group *group = NULL;
	size_t groups = tables_groups(at->f, true, &group);
	bool is_known = groups == 1 && ends->n;
	struct finding *x;

	if (!at->f->core.not_signed || !finding_is_refused(at->f) || !groups)
		return;
	x = finding_add(at, is_known ? "the peer" : NULL,
			"%s OR-ACKs were dropped because they are unsigned: a peer has no key for this host; if all peers have one, the OR-ACKs are forged.",
			COUNT(at->f->core.not_signed));
	if (is_known)
		finding_command(x,
				"onrampctl keys add group %u id %u file key%u; onrampctl keys peers add group %u prefix %s",
				group->group, group->signs, group->signs,
				group->group, ends->saddr);
	else
		tables_show_keys(x);
}

static void tables_key_unknown(const struct finding_check *at)
{
	const struct facts_ends *ends = &at->f->paths.all;
	const struct facts_group *group = NULL;
	size_t groups = tables_groups(at->f, false, &group);
	const char *host = ends->n ? ends->daddr : "the receiver";
	struct finding *x;

	if (!at->f->core.unknown_key || !finding_is_refused(at->f) || !groups)
		return;
	x = finding_add(at, groups == 1 ? host : NULL,
			"%s OR-ACKs were dropped because they are signed with an unknown key: a peer rotated too early, or the OR-ACKs are forged.",
			COUNT(at->f->core.unknown_key));
	if (groups == 1)
		finding_command(x, "onrampctl keys rotate group %u id %u",
				group->group, group->signs);
	else
		tables_show_keys(x);
}

/* The other key makes space. */
static void tables_new_key(struct finding *x, const struct facts_group *group)
{
	uint32_t id = (group->signs + 1) % 256;

	if (group->other >= 0)
		finding_command(x, "onrampctl keys del group %u id %d && ",
				group->group, group->other);
	finding_command(x, "onrampctl keys add group %u id %u file key%u",
			group->group, id, id);
}

static void tables_key_differs(const struct finding_check *at)
{
	const struct facts_group *group = NULL;
	size_t groups = tables_groups(at->f, false, &group);
	struct finding *x;

	if (!at->f->core.forged || !finding_is_refused(at->f) || !groups)
		return;
	x = finding_add(at, NULL,
			"%s OR-ACKs had a wrong tag: a peer has a different key with the same number, or the OR-ACKs are forged; add a new key from one file on all hosts, then rotate to it.",
			COUNT(at->f->core.forged));
	if (groups == 1)
		tables_new_key(x, group);
	else
		tables_show_keys(x);
}

/* A flow that gets no path does not try the table of flows. */
static bool tables_lacks_paths(const struct facts *f)
{
	return f->max_paths && f->paths_now >= f->max_paths;
}

/* Where there are peers, flows to others have half of the memory. */
static bool tables_lacks_memory(const struct facts *f)
{
	uint64_t most = f->max_memory;

	if (f->nr_peers || f->nr_groups)
		most /= 2;
	return f->max_memory && f->flows_now < f->max_flows &&
	       f->memory_now + TABLES_FLOW_BYTES > most;
}

/* An old failure is over if the table has space now. */
static bool tables_are_full(const struct facts *f)
{
	return f->core.flows_failed &&
	       (!f->still || tables_lacks_paths(f) || tables_lacks_memory(f) ||
		f->flows_now >= f->max_flows);
}

/* Twice as much, if the kernel takes more at all. */
static void tables_grow(const struct finding_check *at, const char *what,
			uint64_t max, uint64_t range_max, const char *why)
{
	struct finding *x;

	if (max >= range_max)
		return;
	x = finding_add(at, NULL, "%s flows are not held because %s.",
			COUNT(at->f->core.flows_failed), why);
	finding_command(x, "onrampctl limits set %s %s", what,
			COUNT(max > range_max / 2 ? range_max : max * 2));
}

static void tables_grow_table(const struct finding_check *at,
			      const char *table, uint64_t max)
{
	char why[64];

	snprintf(why, sizeof(why), "the table of %s %s was full", COUNT(max),
		 table);
	tables_grow(at, table, max, ONRAMP_RANGE_TABLE_MAX, why);
}

static void tables_flows_full(const struct finding_check *at)
{
	if (tables_are_full(at->f) && !tables_lacks_paths(at->f) &&
	    !tables_lacks_memory(at->f))
		tables_grow_table(at, "flows", at->f->max_flows);
}

static void tables_memory_full(const struct finding_check *at)
{
	if (tables_are_full(at->f) && !tables_lacks_paths(at->f) &&
	    tables_lacks_memory(at->f))
		tables_grow(at, "memory", at->f->max_memory,
			    ONRAMP_RANGE_MEMORY_MAX,
			    "the memory limit was reached; with peers, flows to other hosts have half of it");
}

static void tables_paths_full(const struct finding_check *at)
{
	if (tables_are_full(at->f) && tables_lacks_paths(at->f))
		tables_grow_table(at, "paths", at->f->max_paths);
}

#define RULE(id, severity, scope, check) \
	{ id, FINDING_##severity, FINDING_##scope, tables_##check }

#define RULE(id, severity, scope, check) \
	{ id, FINDING_##severity, FINDING_##scope, tables_##check }

const struct finding_rule finding_tables[] = {
	RULE("key-missing", ERROR, HOST, key_missing),
	RULE("key-unknown", ERROR, HOST, key_unknown),
	RULE("key-differs", ERROR, HOST, key_differs),
	RULE("flows-full", WARNING, HOST, flows_full),
	RULE("paths-full", WARNING, HOST, paths_full),
	RULE("memory-full", WARNING, HOST, memory_full),
	{ 0 }
};
