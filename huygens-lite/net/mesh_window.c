// SPDX-License-Identifier: GPL-2.0
/*
 * Windows of a host of the mesh: the work on a window that is over, and its solution.
 */
#include <math.h>
#include <stdlib.h>

#include "../algo/fallback.h"
#include "budget.h"
#include "mesh_private.h"

/* Maximum age of a solution, in windows. */
#define MESH_OLD_WINDOWS	3

/*
 * The echoes of a pair are in the next two, which are jittered; stamps and
 * datagrams may wait for 10 ms each until somebody looks.
 */
static int64_t mesh_settle(const struct mesh *mesh)
{
	return mesh_min(3 * mesh->prober.interval_ns + 30 * MESH_MS,
			mesh->conf->window_ns / 2);
}

/* Hosts report one after the other, so that the coordinator's socket holds it. */
static int64_t mesh_turn(const struct mesh *mesh)
{
	if (mesh->phase != MESH_REPORT && mesh->phase != MESH_REPORT_AGAIN)
		return 0;
	return mesh_hop(mesh) / 2 * mesh->membership.self / mesh->membership.hosts;
}

static uint32_t mesh_leader(const struct mesh *mesh)
{
	return mesh->verdict.known ?
		membership_index(&mesh->membership, mesh->verdict.id) : MEMBERSHIP_NONE;
}

static bool mesh_is_invalid(const struct mesh *mesh)
{
	return mesh->has_invalid && mesh->window <= mesh->invalid;
}

/* Stamps of another kind: what was measured by those before is another edge's. */
static void mesh_restamp(struct mesh *mesh, const struct mesh_now *now)
{
	mesh_invalidate(mesh, now, 0);
	agent_forget(&mesh->agent);
}

void mesh_fall_back(struct mesh *mesh, const struct mesh_now *now,
		    const char *why)
{
	bool was_nics = mesh->stamps == WIRE_HARDWARE;

	mesh->count.fallbacks++;
	mesh->ops->fall_back(mesh->data, why);
	mesh->stamps = WIRE_SOFTWARE;
	mesh_restamp(mesh, now);
	/* The system's clock runs tens of ppm faster than the NIC's, or slower. */
	if (was_nics)
		host_clock_forget(&mesh->host_clock, now->local_ns);
	mesh->ops->line(mesh->data);
}

/* Counts of stamps in the window that is over. */
static struct mesh_timestamps mesh_take_timestamps(struct mesh *mesh)
{
	struct mesh_timestamps was = mesh->timestamps_before, now;

	mesh->timestamps.come = mesh->prober.stamped;
	now = mesh->timestamps;
	mesh->timestamps_before = now;
	return (struct mesh_timestamps){
		.sent = now.sent - was.sent,
		.left = now.left - was.left,
		.come = now.come - was.come,
		.received = now.received - was.received,
		.bare = now.bare - was.bare,
	};
}

/*
 * A driver without Tx stamps is one that stamps nothing, while what comes tells
 * that the link is up.  It may stamp again: netvsc's does when the device below
 * it is taken away.
 */
static void mesh_judge_driver(struct mesh *mesh, const struct mesh_now *now,
			      const struct mesh_timestamps *timestamps)
{
	bool lacking = timestamps->sent >= FALLBACK_LEAST &&
		      timestamps->received >= FALLBACK_LEAST && !timestamps->left;
	bool speaks = timestamps->sent >= FALLBACK_LEAST &&
		      timestamps->left >= timestamps->sent / 2;

	if (mesh->handing ? !speaks : !lacking)
		return;
	mesh->handing = lacking;
	mesh->ops->driver(mesh->data, !mesh->handing);
	mesh_restamp(mesh, now);
}

/* Another program that sets the NIC loses the one kind of stamps, or the other. */
static void mesh_judge_nic(struct mesh *mesh, const struct mesh_now *now,
			   const struct mesh_timestamps *timestamps)
{
	if (mesh->stamps == WIRE_HARDWARE && fallback_due(timestamps->left, timestamps->come))
		mesh_fall_back(mesh, now, "loses timestamps of sent packets");
	else if (!mesh_is_invalid(mesh) &&
		 fallback_due(timestamps->received, timestamps->received - timestamps->bare))
		mesh_fall_back(mesh, now, "does not timestamp received packets");
}

static void mesh_close(struct mesh *mesh, const struct mesh_now *now)
{
	struct mesh_timestamps timestamps = mesh_take_timestamps(mesh);
	enum wire_stamps stamps = mesh->stamps;

	mesh_burst_window(mesh, now);
	if (stamps != WIRE_SOFTWARE)
		mesh_judge_nic(mesh, now, &timestamps);
	if (stamps != WIRE_HARDWARE)
		mesh_judge_driver(mesh, now, &timestamps);
	if (mesh_is_invalid(mesh)) {
		mesh->count.windows_invalid++;
		return;
	}
	agent_close(&mesh->agent, mesh->window, mesh->stamps);
	agent_send(&mesh->agent, mesh->window, mesh_send, mesh);
}

void mesh_report_utc(const struct mesh_utc *utc, int64_t utc_error_ns, struct wire_edges *head)
{
	head->flags |= WIRE_EDGES_UTC;
	head->utc_ns = line_at(&utc->line, head->middle_ns);
	head->utc_ppb = utc->line.drift_ppb;
	head->utc_error_ns = utc->read_ns + (utc_error_ns ? (double)utc_error_ns : utc->error_ns);
	if (!utc->upper) {
		head->utc_step = utc->step;
		head->utc_tai = utc->tai;
		return;
	}
	head->upper = utc->upper;
	head->leap = utc->leap;
	if (isfinite(utc->upper_utc_ns)) {
		head->flags |= WIRE_EDGES_UPPER_UTC;
		head->upper_utc_ns = utc->upper_utc_ns;
	}
}

static void mesh_report(struct mesh *mesh)
{
	struct wire_edges head = { .window = mesh->window,
				   .term = mesh->verdict.term };
	uint32_t leader = mesh_leader(mesh);
	struct mesh_utc utc;

	if (leader == MEMBERSHIP_NONE || (mesh->verdict.self && !mesh->is_candidate))
		return;
	head.middle_ns = schedule_middle(&mesh->schedule, mesh->window);
	host_clock_report(&mesh->host_clock, &head);
	if (conf_has_utc(mesh->conf) && mesh->ops->utc(mesh->data, &utc))
		mesh_report_utc(&utc, mesh->conf->utc_error_ns, &head);
	agent_report(&mesh->agent, leader, &head, mesh_send, mesh);
}

static const struct wire_row *mesh_row(const struct mesh *mesh,
				       const struct wire_solution *solution)
{
	uint32_t id = mesh->membership.host[mesh->membership.self].id;
	int i;

	for (i = 0; i < solution->count; i++)
		if (solution->row[i].id == id)
			return &solution->row[i];
	return NULL;
}

/* A solution is of a window lately, and its instant as well. */
static bool mesh_is_fresh(const struct mesh *mesh, const struct mesh_now *now,
			  const struct wire_solution *solution,
			  const struct wire_row *row)
{
	uint64_t current = schedule_window(&mesh->schedule, now->local_ns);
	int64_t old_ns = MESH_OLD_WINDOWS * mesh->conf->window_ns;

	if (solution->window > current ||
	    solution->window + MESH_OLD_WINDOWS < current)
		return false;
	return !(row->flags & WIRE_ROW_SOLVED) ||
	       (row->at_ns <= now->local_ns &&
		row->at_ns >= now->local_ns - old_ns);
}

/* Solutions make the schedule exact; another schedule comes with a HELLO. */
static bool mesh_fits_schedule(const struct mesh *mesh,
			       const struct wire_solution *solution,
			       const struct wire_row *row)
{
	int64_t off_ns;

	if (!(row->flags & WIRE_ROW_SOLVED) || solution->schedule_ns <= 0)
		return false;
	off_ns = solution->schedule_ns - schedule_now(&mesh->schedule, row->at_ns);
	return llabs(off_ns) <= mesh->conf->window_ns / 4;
}

void mesh_solution(struct mesh *mesh, const struct mesh_now *now,
		   const struct wire_solution *solution, bool own)
{
	const struct wire_row *row = mesh_row(mesh, solution);

	if (!row || solution->window <= mesh->host_clock.window)
		return;
	if (!mesh_is_fresh(mesh, now, solution, row)) {
		mesh->count.bad_window++;
		return;
	}
	mesh->hosts = solution->hosts;
	mesh->reference = solution->reference;
	if (host_clock_update(&mesh->host_clock, now->local_ns, solution, row))
		mesh->count.solutions++;
	else
		mesh->count.solutions_ignored++;
	if (!own && mesh_fits_schedule(mesh, solution, row))
		schedule_set(&mesh->schedule, row->at_ns, solution->schedule_ns,
			     solution->schedule_ppb + row->drift_ppb);
	mesh->ops->line(mesh->data);
	mesh->ops->solved(mesh->data);
}

static void mesh_solve(struct mesh *mesh, const struct mesh_now *now)
{
	struct wire_message message;

	/* A successor has it from the solutions of the coordinator before (decision 0033). */
	if (mesh->host_clock.upper)
		mesh->coordinator.upper_was = mesh->host_clock.upper;
	if (!mesh->verdict.self ||
	    !coordinator_solve(&mesh->coordinator, mesh->window, &mesh->schedule,
			       mesh->verdict.term))
		return;
	mesh->next_to_send = 0;
	mesh->repeats = budget_repeats(mesh->membership.hosts) ? 2 : 1;
	mesh_distribute(mesh, now);
	coordinator_message(&mesh->coordinator, mesh->membership.self,
			    mesh->verdict.term, &message);
	mesh_solution(mesh, now, &message.solution, true);
}

void mesh_work(struct mesh *mesh, const struct mesh_now *now)
{
	bool invalid = mesh_is_invalid(mesh);

	switch (mesh->phase) {
	case MESH_CLOSE:
		mesh_close(mesh, now);
		break;
	case MESH_ENVELOPES:
		if (!invalid)
			agent_send(&mesh->agent, mesh->window, mesh_send, mesh);
		break;
	case MESH_REPORT:
	case MESH_REPORT_AGAIN:
		if (!invalid)
			agent_solve(&mesh->agent, mesh->window,
				    schedule_middle(&mesh->schedule, mesh->window),
				    mesh->stamps);
		mesh_report(mesh);
		break;
	default:
		agent_count(&mesh->agent, mesh->window);
		mesh_solve(mesh, now);
		break;
	}
	if (++mesh->phase == MESH_PHASES) {
		mesh->phase = MESH_CLOSE;
		mesh->window++;
	}
}

/* Local time of the next piece of work. */
int64_t mesh_work_due(const struct mesh *mesh)
{
	return schedule_end(&mesh->schedule, mesh->window) + mesh_settle(mesh) +
	       mesh->phase * mesh_hop(mesh) / 2 + mesh_turn(mesh);
}

/* After a pause, or with another schedule, what is over is over. */
void mesh_catch_up(struct mesh *mesh, const struct mesh_now *now)
{
	uint64_t window = schedule_window(&mesh->schedule, now->local_ns);

	if (window > mesh->window + 2 || window + 2 < mesh->window)
		mesh_replan(mesh, now);
}
