/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots of the daemon's state, which it fills on request, and their output
 * formats: columns for people and JSON for programs.
 *
 * A number that is not known is STATUS_UNKNOWN, or NAN: "-", and null.
 */
#ifndef HUYGENS_STATUS_H
#define HUYGENS_STATUS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../lib/field.h"
#include "../algo/edge_history.h"

/* Windows of the action burst, as text: as many as a line may be of. */
#define STATUS_TEXT_OF(number)	#number
#define STATUS_TEXT(number)	STATUS_TEXT_OF(number)
#define STATUS_BURST_WINDOWS	STATUS_TEXT(EDGE_HISTORY_WINDOWS)

#define STATUS_UNKNOWN	FIELD_UNKNOWN
#define STATUS_NAME_MAX	80	/* of a host, with its zero */

/**
 * struct status_tracking - how this host keeps time
 * @id: this host
 * @name: same
 * @state: "init", "acquire", "locked", "holdover" or "unsync", as algo/state.h has it
 * @reference: "mean", "host 3", "utc 3" or "upper 3"
 * @mode: [output] mode
 * @coordinator: id; 0: none
 * @term: of the coordinator
 * @window: number of the last window that was solved
 * @age_ns: since the middle of the last one that was accepted
 * @offset_ns: the correction of the local clock now
 * @last_change_ns: by how much the last solution changed it
 * @rms_change_ns: of the latest windows
 * @drift_ppb: the correction's slope: how much the local clock is too slow
 * @skew_ppb: how sure that is
 * @error_ns: bound of the error now, as if directions of a path did not differ
 * @asymmetry_ns: what directions that differ may add to it, by [mesh] max_asymmetry
 * @utc_error_ns: how far the common time may be from UTC
 * @upper_epoch: of the upper mesh; 0: there is none, or it is not known
 * @upper_error_ns: how far the common time may be from that of the upper mesh
 * @leap: leap second at the end of the day of UTC: "none", "insert" or "delete"; NULL: not known
 * @tai_s: TAI less UTC; 0: not known
 * @middle_raw_ns: middle of @window, CLOCK_MONOTONIC_RAW; for the log, unknown
 *	if it was not accepted
 * @middle_ns: the common time then, as that window alone has it; same
 * @delay_sum_ns: median of the delay sums of this host's edges
 * @remaining_ns: what the system's clock has still to be slewed (steer)
 * @stamps: "software", "hardware" or "hardware-receive"
 * @hosts: in the solution, this one too
 * @hosts_known: in the list of members, and in the next one while it changes
 * @list: checksum of the list in force
 * @next_list: that of the list that is pending; NULL: no change is
 * @next_text: its text
 * @hosts_differ: hosts whose HELLO tells that they have read other files than this one
 */
struct status_tracking {
	uint32_t	id;
	char		name[STATUS_NAME_MAX];
	const char	*state;
	char		reference[16];
	const char	*mode;
	uint32_t	coordinator;
	uint64_t	term;
	uint64_t	window;
	int64_t		age_ns;
	int64_t		offset_ns;
	int64_t		last_change_ns;
	int64_t		rms_change_ns;
	double		drift_ppb;
	double		skew_ppb;
	int64_t		error_ns;
	int64_t		asymmetry_ns;
	int64_t		utc_error_ns;
	uint32_t	upper_epoch;
	int64_t		upper_error_ns;
	const char	*leap;
	uint32_t	tai_s;
	int64_t		middle_raw_ns;
	int64_t		middle_ns;
	int64_t		delay_sum_ns;
	int64_t		remaining_ns;
	const char	*stamps;
	uint32_t	hosts;
	uint32_t	hosts_known;
	char		list[12];
	const char	*next_list;
	char		next_text[12];
	uint32_t	hosts_differ;
};

/**
 * struct status_peer - a neighbour, seen from this host
 * @id: its id
 * @name: for people
 * @address: numeric, with the port
 * @out: this host probes it
 * @in: it probes this host
 * @alive: a message arrived within [coordinator] dead
 * @stamps: kind of its stamps, "software", "hardware" or "hardware-receive";
 *	NULL: no message yet
 * @sent: pairs sent to it in the last window
 * @received: pairs received from it in the last window
 * @accepted: of them, accepted by the pair filter
 * @lost_stamps: Tx stamps lost in the last window
 * @tolerance_ns: maximum change of spacing in the last window
 * @age_ns: since its last message
 */
struct status_peer {
	uint32_t	id;
	char		name[STATUS_NAME_MAX];
	char		address[64];
	int		out;
	int		in;
	int		alive;
	const char	*stamps;
	uint32_t	sent;
	uint32_t	received;
	uint32_t	accepted;
	uint32_t	lost_stamps;
	int64_t		tolerance_ns;
	int64_t		age_ns;
};

/**
 * struct status_edge - a pair of hosts; the coordinator knows all, others theirs
 * @i: the smaller id, which owns it
 * @j: the other
 * @valid: used
 * @why: if not, the name of the reason
 * @stamps: "software", "hardware", or "mixed": those of either end are a NIC's,
 *	and the edge is as good as software's; NULL: not known
 * @window: of this measurement
 * @theta_ns: clock j less clock i, in the middle of the window
 * @drift_ppb: its slope
 * @delay_sum_ns: sum of the least one-way delays
 * @weight: 1/ns^2
 * @residual_ns: what the solution leaves over; unknown to all but the coordinator
 * @points_ij: accepted samples from i to j
 * @points_ji: and back
 */
struct status_edge {
	uint32_t	i;
	uint32_t	j;
	int		valid;
	const char	*why;
	const char	*stamps;
	uint64_t	window;
	int64_t		theta_ns;
	double		drift_ppb;
	int64_t		delay_sum_ns;
	double		weight;
	int64_t		residual_ns;
	uint32_t	points_ij;
	uint32_t	points_ji;
};

/**
 * struct status_host - a host of the solution; only the coordinator knows them
 * @id: its id
 * @name: for people
 * @state: "solved", "cut off" or "dead"
 * @differs: it has read other files than the coordinator
 * @edges: valid ones
 * @outliers: of its edges, those the solution drops
 * @offset_ns: its correction in the middle of the window
 * @drift_ppb: slope of it
 * @std_ns: its standard deviation by the network effect
 * @error_ns: bound
 */
struct status_host {
	uint32_t	id;
	char		name[STATUS_NAME_MAX];
	const char	*state;
	int		differs;
	uint32_t	edges;
	uint32_t	outliers;
	int64_t		offset_ns;
	double		drift_ppb;
	int64_t		std_ns;
	int64_t		error_ns;
};

/**
 * struct status_counter - one counter, which never falls
 * @name: key in JSON: lower case, with its unit
 * @value: since the daemon began
 * @what: what it counts, for people
 */
struct status_counter {
	const char	*name;
	uint64_t	value;
	const char	*what;
};

/**
 * struct status - all of it; what lists point to is the daemon's
 * @tracking: how this host keeps time
 * @peers: its neighbours
 * @n_peers: how many
 * @edges: pairs of hosts
 * @n_edges: how many
 * @hosts: of the solution
 * @n_hosts: how many; 0 if this host is not the coordinator
 * @counters: stats
 * @n_counters: how many
 * @coordinating: this host is the coordinator
 */
struct status {
	struct status_tracking		tracking;
	const struct status_peer	*peers;
	size_t				n_peers;
	const struct status_edge	*edges;
	size_t				n_edges;
	const struct status_host	*hosts;
	size_t				n_hosts;
	const struct status_counter	*counters;
	size_t				n_counters;
	int				coordinating;
};

/**
 * typedef status_fill_fn - fill a snapshot
 * @status: zero; filled.  Its lists must last until the next call
 * @data: the daemon's
 */
typedef void (*status_fill_fn)(struct status *status, void *data);

/** enum status_action - what root may have the daemon do */
enum status_action {
	STATUS_RESET,	/* begin synchronisation anew */
	STATUS_RELOAD,	/* read the configuration and the file of keys again */
	STATUS_BURST,	/* probe at the shorter interval for some windows */
	STATUS_ACTIONS,
};

/**
 * struct status_source - the daemon, for requests
 * @fill: fills a snapshot; called for each request for one
 * @is_root: is the client that asks root?
 * @act: does it; 0, or -1 and a reason
 * @data: for these
 */
struct status_source {
	status_fill_fn	fill;
	bool		(*is_root)(void *data);
	int		(*act)(enum status_action action, void *data, char *why, size_t size);
	void		*data;
};

/**
 * status_answer() - answer a request of huygensctl
 * @out: where the answer is written
 * @line: the request, which is changed
 * @source: struct status_source
 */
void status_answer(FILE *out, char *line, void *source);

/**
 * status_is() - test the name of a snapshot
 * @what: "tracking", "peers", "edges", "hosts", "stats" or "sync"
 *
 * Return: 1 or 0.
 */
int status_is(const char *what);

/**
 * status_print() - one snapshot
 * @out: where to
 * @what: status_is()
 * @status: the snapshot
 * @json: as JSON
 *
 * "sync" is for huygensctl waitsync: one line, the state, and @error_ns.
 */
void status_print(FILE *out, const char *what, const struct status *status,
		  int json);

#endif /* HUYGENS_STATUS_H */
