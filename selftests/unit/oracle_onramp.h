/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp once more, too simple to be wrong: nothing is summed up, every hold
 * and every report is kept, and each question is answered from all of them.
 * Written from the paper before the algorithm that it judges was read.
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021: equations 2 (strawman),
 * 3 (beta) and 4 (final) of section 3; the rules of a path are not the paper's,
 * but those at the head of kernel/algo/onramp_path.h.
 *
 * Equations are in real numbers: the 64 bits of mantissa that long double has
 * on x86 keep a nanosecond in 292 years.
 *
 * Where neither the paper nor that head decides, the interface does:
 *   - a packet that left before the last black one, but is reported after it,
 *     is not black for the next, so that no hold is measured twice;
 *   - a report that is not possible changes nothing, not even the epoch;
 *   - a window begins with the first report, with the one that ends another,
 *     which is counted in the new one, and with a suspicion's end; what is
 *     reported to a suspect path is not counted; a suspicion forgets all windows;
 *   - where a window ends, bound, base, T and shortest feedback RTT are those of then,
 *     the report that ends it included;
 *   - what tells of a clock goes before what tells of a route;
 *   - a delay fell if it is lower by more than the error bound.
 */
#ifndef SHARPRAMP_ORACLE_ONRAMP_H
#define SHARPRAMP_ORACLE_ONRAMP_H

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

/* No test has a longer history. */
#define HORRIBLE_LONGEST 2048

/**
 * horrible_check_length() - abort on a history that is too long: a mistake of the test
 * @n: entries before the next one
 */
static inline void horrible_check_length(unsigned int n)
{
	if (n >= HORRIBLE_LONGEST)
		abort();
}

/* One hold of flow number @flow: from @begin up to @end, ns. */
struct horrible_interval {
	unsigned int flow;
	uint64_t begin;
	uint64_t end;
};

/**
 * struct horrible_holds - the holds of a flow, or of all flows of a path
 * @n: how many
 * @at: each of them, in the order in which they were set
 */
struct horrible_holds {
	unsigned int n;
	struct horrible_interval at[HORRIBLE_LONGEST];
};

void horrible_holds_replace(struct horrible_holds *p, unsigned int flow,
			    uint64_t now, uint64_t t_next);
uint64_t horrible_holds_between(const struct horrible_holds *p,
				uint64_t from, uint64_t to);

/**
 * struct horrible_algo - what the equations depend on
 * @strawman: equation 2, not 4
 * @weighted: beta_m counts for P_BG / T, at most 1
 * @g: gain of equation 3
 * @max_hold: ns
 */
struct horrible_algo {
	bool strawman;
	bool weighted;
	long double g;
	uint64_t max_hold;
};

/**
 * struct horrible_flow - all that is known of a flow
 * @holds: every one
 * @beta: of equation 3
 * @has_black: a packet was reported before
 * @black_owd: its delay, ns
 * @black_tx: when it left, ns
 */
struct horrible_flow {
	struct horrible_holds holds;
	long double beta;
	bool has_black;
	int64_t black_owd;
	uint64_t black_tx;
};

/* The green packet: sent at @tx, reported at @now, delay @owd, threshold @t. */
struct horrible_green {
	uint64_t now;
	uint64_t tx;
	int64_t owd;
	uint64_t t;
};

long double horrible_weight(const struct horrible_algo *algo,
			    const struct horrible_flow *f,
			    const struct horrible_green *green);
long double horrible_beta_m(const struct horrible_flow *f,
			    const struct horrible_green *green);
void horrible_learn(const struct horrible_algo *algo, struct horrible_flow *f,
		    const struct horrible_green *green);
long double horrible_excess(const struct horrible_algo *algo,
			    const struct horrible_flow *f,
			    const struct horrible_green *green);
long double horrible_hold(const struct horrible_algo *algo,
			  const struct horrible_flow *f,
			  const struct horrible_green *green);

/* Whether a delay may hold a flow, in the order of enum onramp_validity. */
enum horrible_validity {
	HORRIBLE_BELIEVED,
	HORRIBLE_NO_CLOCK,
	HORRIBLE_UNCERTAIN,
	HORRIBLE_NEGATIVE,
	HORRIBLE_TOO_LONG,
	HORRIBLE_BELOW_BASE,
	HORRIBLE_SUSPECT,
};

/**
 * struct horrible_entry - a report, and what came of it
 * @now: when, ns
 * @tx: when the packet left, ns
 * @owd: its delay, ns
 * @error: bound of both clocks, ns
 * @epoch: of the clock
 * @clock_ok: the clocks are known
 * @validity: the verdict
 * @possible: its delay was taken into the base
 * @watched: and counts in its window
 * @fell: and lowered it by more than @error, or was the first in it
 * @restart: nothing before it counts: another epoch
 * @opens: a window begins here
 * @ends: and another ends
 * @tells_clock: that was in vain, and the feedback RTT does not explain it
 * @tells_route: that was in vain, and the path held for more than half of it
 * @slept: the path backed off in that window
 * @vain: by how much that raises the suspicion
 * @reached: a delay was not above T in it, which ends the suspicion
 * @backs_off: the path backs off from here
 * @woken: and did so until here
 * @since: where what made it suspect began, an entry
 * @lowest: the lowest delay of that window, ns
 * @like: two windows of a route differ by less than this, ns
 * @suspected: the path became suspect with it
 * @rerouted: and RTTs begin anew with it
 * @cleared: the path ceased to be suspect with it
 * @rtt_base: which of that time, ns
 */
struct horrible_entry {
	uint64_t now;
	uint64_t tx;
	int64_t owd;
	uint64_t error;
	uint32_t epoch;
	bool clock_ok;
	enum horrible_validity validity;
	bool possible;
	bool watched;
	bool fell;
	bool restart;
	bool opens;
	bool ends;
	bool tells_clock;
	bool tells_route;
	bool slept;
	int vain;
	bool reached;
	bool backs_off;
	bool woken;
	unsigned int since;
	int64_t lowest;
	int64_t like;
	bool suspected;
	bool rerouted;
	bool cleared;
	int64_t rtt_base;
};

/**
 * struct horrible_path - every report and every hold of a path
 * @threshold: given, or 0, ns
 * @margin: of the automatic one, ns
 * @max_error: ns
 * @window: ns
 * @clock_windows: so many make a clock suspect
 * @route_windows: and so many a route
 * @suspicion_max: so much suspicion and it backs off
 * @suspicion_hidden: for a window in which something waited on the way back, or delays
 *	were longer than had passed
 * @backoff_windows: for so many windows
 * @sum_longest: a delay that is longer counts as this in a sum, ns
 * @relearn: ns
 * @settled: ns
 * @n: reports so far
 * @at: each of them
 * @held: holds of all flows
 */
struct horrible_path {
	uint64_t threshold;
	uint64_t margin;
	uint64_t max_error;
	uint64_t window;
	unsigned int clock_windows;
	unsigned int route_windows;
	int suspicion_max;
	int suspicion_hidden;
	unsigned int backoff_windows;
	int64_t sum_longest;
	uint64_t relearn;
	uint64_t settled;
	unsigned int n;
	struct horrible_entry at[HORRIBLE_LONGEST];
	struct horrible_holds held;
};

enum horrible_validity horrible_path_report(struct horrible_path *path,
					    const struct horrible_entry *report);
bool horrible_path_is_suspect(const struct horrible_path *path);
bool horrible_path_base(const struct horrible_path *path, int64_t *base,
			uint64_t error);
uint64_t horrible_path_threshold(const struct horrible_path *path,
				 uint64_t error);
bool horrible_path_is_fresh(const struct horrible_path *path, uint64_t now,
			    uint64_t fresh);

#endif /* SHARPRAMP_ORACLE_ONRAMP_H */
