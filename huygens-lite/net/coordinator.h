/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The coordinator: hosts report the edges of a window, the network effect turns
 * them into corrections, and the coordinator sends these to the hosts.
 *
 * It has no memory that another coordinator would miss: what must go on, the
 * common time, comes with the reports, in which each host tells its correction.
 *
 * Pure.
 */
#ifndef HUYGENS_COORDINATOR_H
#define HUYGENS_COORDINATOR_H

#include <stdbool.h>
#include <stdint.h>

#include "../algo/edge.h"
#include "../algo/network.h"
#include "count.h"
#include "schedule.h"
#include "membership.h"
#include "wire.h"

/**
 * struct coordinator_report - a host's report of itself
 * @known: it was received
 * @window: of which window
 * @tracked: @line and @timeline count
 * @joins: the host joins the mesh: what common time it has says nothing
 * @std_ns: standard deviation of @line
 * @skew_ppb: that of its drift
 * @has_utc: @utc counts
 * @timeline: to which common time @line leads
 * @line: its correction, by what it knew before
 * @utc: correction that makes UTC of its local time
 * @utc_error_ns: bound of the error of that
 * @leap: UTC in that common time
 * @utc_step: a leap second that its kernel announces
 * @utc_tai: TAI less UTC, s, as its kernel was told; 0: it was not
 * @upper: epoch of the upper mesh, whose common time takes the place of UTC; 0: none does
 * @has_upper_utc: the next one counts
 * @upper_utc_ns: how far that common time may be from UTC
 */
struct coordinator_report {
	bool		known;
	uint64_t	window;
	bool		tracked;
	bool		joins;
	bool		has_utc;
	uint32_t	timeline;
	double		std_ns;
	double		skew_ppb;
	struct line	line;
	struct line	utc;
	double		utc_error_ns;
	struct leap	leap;
	int8_t		utc_step;
	uint16_t	utc_tai;
	uint32_t	upper;
	bool		has_upper_utc;
	double		upper_utc_ns;
};

/**
 * struct coordinator_edge - an owner's report of an edge
 * @known: it was received
 * @window: of which window
 * @at_ns: owner's local time in its middle
 * @reported: the edge
 * @solved: it was part of the last solution
 * @fit: what became of it there
 */
struct coordinator_edge {
	bool			known;
	uint64_t		window;
	int64_t			at_ns;
	struct wire_edge	reported;
	bool			solved;
	struct network_fit	fit;
};

/**
 * struct coordinator - all of it
 * @conf: the configuration
 * @membership: hosts and edges
 * @session: of this daemon
 * @report: by index of the host
 * @edge: by index of the edge
 * @measured: edges of the window that is solved
 * @which: index of each of these
 * @fit: their fates
 * @prior: of hosts
 * @host: the solution
 * @memory: of the solver
 * @solved: there is a solution, of @window
 * @window: number
 * @timeline: of the common time, its last bit follows from all reports
 * @leap: UTC in it
 * @has_leapt: a leap second that nobody announced was taken, in the window @leapt
 * @leapt: its number
 * @result: of the solver
 * @joined: of each host: an edge of it was measured in the window that is solved
 * @upper: epoch of the upper mesh that most hosts report for it; 0: none
 * @upper_was: the same of the last window in which it was known, also to the coordinator before
 * @utcs: hosts that report UTC, or the common time of @upper, for it, at most UTC_MOST
 * @utc: each, that with the least error first
 * @has_utc: @utc_miss_ns and @utc_error_ns count
 * @utc_miss_ns: UTC, or the common time of @upper, less the solution's common time
 * @utc_error_ns: how far the solution's common time may be from that
 * @schedule_ns: the solution's instant by the schedule; 0: not known
 * @schedule_ppb: how much faster than the common time the schedule runs
 * @count: what happened
 */
struct coordinator {
	const struct huygens_conf	*conf;
	const struct membership		*membership;
	uint32_t			session;
	struct coordinator_report	*report;
	struct coordinator_edge		*edge;
	struct network_edge		*measured;
	uint32_t			*which;
	struct network_fit		*fit;
	struct datum_prior		*prior;
	struct network_host		*host;
	void				*memory;
	bool				solved;
	uint64_t			window;
	uint32_t			timeline;
	struct leap			leap;
	bool				has_leapt;
	uint64_t			leapt;
	struct network_result		result;
	bool				*joined;
	uint32_t			upper;
	uint32_t			upper_was;
	uint32_t			utcs;
	struct datum_utc		utc[UTC_MOST];
	bool				has_utc;
	int64_t				utc_miss_ns;
	double				utc_error_ns;
	int64_t				schedule_ns;
	double				schedule_ppb;
	struct count			*count;
};

/**
 * coordinator_make() - space for all hosts and edges
 * @c: filled; coordinator_free() it
 * @conf: the configuration
 * @membership: hosts
 * @session: of this daemon: it names common times that begin
 * @count: what happens
 *
 * Return: 0, or -1 without memory.
 */
int coordinator_make(struct coordinator *c, const struct huygens_conf *conf,
		     const struct membership *membership, uint32_t session,
		     struct count *count);

/**
 * coordinator_report() - a host reports
 * @c: the coordinator
 * @from: index of the host
 * @joins: it joins the mesh (struct coordinator_report)
 * @edges: its report, or a part of it
 *
 * An edge that is not in the graph is left out.
 */
void coordinator_report(struct coordinator *c, uint32_t from, bool joins,
			const struct wire_edges *edges);

/**
 * coordinator_follow() - space for other hosts and edges, with what is known of those that stay
 * @c: filled; coordinator_free() it
 * @from: the coordinator so far, which stays as it is
 * @membership: the other hosts
 *
 * Return: 0, or -1 without memory.
 */
int coordinator_follow(struct coordinator *c, const struct coordinator *from,
		       const struct membership *membership);

/**
 * coordinator_solve() - corrections of all hosts
 * @c: the coordinator
 * @window: of which edges and hosts have reported
 * @schedule: the schedule, which tells hosts when the next windows are
 * @term: of this coordinator
 *
 * Return: true if there is a solution.
 */
bool coordinator_solve(struct coordinator *c, uint64_t window,
		       const struct schedule *schedule, uint64_t term);

/**
 * coordinator_message() - fill the message to a host
 * @c: the coordinator, with a solution
 * @to: index of the host
 * @term: of this coordinator
 * @message: filled: all hosts if one message holds them, else this one
 */
void coordinator_message(const struct coordinator *c, uint32_t to, uint64_t term,
			 struct wire_message *message);

/**
 * coordinator_free() - return its memory
 * @c: the coordinator
 */
void coordinator_free(struct coordinator *c);

#endif /* HUYGENS_COORDINATOR_H */
