/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A snapshot of a host of the mesh, for huygensctl and the logs.
 */
#ifndef HUYGENS_REPORT_H
#define HUYGENS_REPORT_H

#include "../ctl/status.h"
#include "../net/mesh.h"

/**
 * struct report - space for the lists of a snapshot; without memory there is none
 * @peers: neighbours
 * @edges: of this host, or all
 * @hosts: of the solution
 * @counters: and those of the output
 * @sent: of each neighbour, pairs when the window before ended
 * @lost: same, stamps lost
 * @sent_now: in the last window
 * @lost_now: same
 */
struct report {
	struct status_peer	*peers;
	struct status_edge	*edges;
	struct status_host	*hosts;
	struct status_counter	*counters;
	uint64_t		*sent;
	uint64_t		*lost;
	uint32_t		*sent_now;
	uint32_t		*lost_now;
};

/**
 * struct report_output - what the output adds
 * @lines: lines that it took
 * @failed: of them, refused by the other side
 * @steps: of the system's clock
 * @withdrawn: times that there was no line any more
 * @remaining_ns: still to be slewed, or STATUS_UNKNOWN
 */
struct report_output {
	uint64_t	lines;
	uint64_t	failed;
	uint64_t	steps;
	uint64_t	withdrawn;
	int64_t		remaining_ns;
};

/**
 * report_make() - space
 * @report: filled; report_free() it
 * @mesh: of which
 *
 * Return: 0, or -1 without memory.
 */
int report_make(struct report *report, const struct mesh *mesh);

/**
 * report_window() - a window is through
 * @report: notes what was sent in it
 * @mesh: of which
 */
void report_window(struct report *report, const struct mesh *mesh);

/**
 * report_fill() - a snapshot
 * @report: space for its lists
 * @mesh: of which
 * @now: time
 * @output: what the output adds
 * @status: filled
 */
void report_fill(struct report *report, struct mesh *mesh,
		 const struct mesh_now *now, const struct report_output *output,
		 struct status *status);

/**
 * report_stamps() - name of a kind of stamps, as status.h has it
 * @stamps: enum wire_stamps, or 0
 *
 * Return: the name; NULL: none.
 */
const char *report_stamps(uint8_t stamps);

/**
 * report_free() - return its memory
 * @report: the report
 */
void report_free(struct report *report);

#endif /* HUYGENS_REPORT_H */
