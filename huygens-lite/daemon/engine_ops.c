// SPDX-License-Identifier: GPL-2.0
/*
 * Operations that the mesh calls, and snapshots for huygensctl and the log files.
 */
#include <time.h>

#include "../../lib/log.h"
#include "../../lib/notify.h"
#include "../platform/log_files.h"
#include "engine_private.h"

/* Maximum turns of the wait between two probes. */
#define ENGINE_TURNS		1024

static int engine_send(void *data, uint32_t to, const void *bytes, size_t len)
{
	struct engine *engine = data;

	return socket_send(&engine->socket,
			   &engine->mesh.membership.host[to].address, bytes, len);
}

static int engine_probe(void *data, uint32_t to, const void *bytes, size_t len,
			uint32_t *key, int64_t *left_ns)
{
	struct engine *engine = data;

	*left_ns = engine_read(CLOCK_REALTIME);
	if (!socket_send_stamped(&engine->socket,
				 &engine->mesh.membership.host[to].address, bytes,
				 len, key))
		return 0;
	socket_renumber(&engine->socket);
	return -1;
}

/* The clock decides, but a clock that stands still does not hold us up. */
static void engine_space(void *data, int64_t ns)
{
	int64_t end = engine_read(CLOCK_MONOTONIC) + ns;
	int turns;
	(void)data;

	for (turns = 0; turns < ENGINE_TURNS; turns++)
		if (engine_read(CLOCK_MONOTONIC) >= end)
			return;
}

static bool engine_utc(void *data, struct mesh_utc *utc)
{
	struct engine *engine = data;
	struct clock_line local;

	*utc = (struct mesh_utc){ 0 };
	if (*engine->conf.upper_line) {
		local = clock_line(&engine->clock);
		return upper_clock_read(&engine->upper, &local, utc);
	}
	/* What the mesh said itself is no news of UTC. */
	if (!conf_is_follower(&engine->conf))
		clock_leap(&utc->step, &utc->tai);
	if (*engine->conf.phc)
		return utc_clock_read(&engine->utc_clock, &engine->clock, &utc->line,
				      &utc->read_ns);
	engine_sample(engine);
	return clock_utc(&engine->clock, &utc->line, &utc->error_ns);
}

static void engine_report(struct engine *engine, struct status *status)
{
	struct report_output output = { .remaining_ns = STATUS_UNKNOWN };
	struct mesh_now now = engine_now(engine);
	struct output_stats stats;

	output_stats(engine->output, &stats);
	output.lines = stats.lines;
	output.failed = stats.failed;
	output.steps = stats.steps;
	output.withdrawn = stats.withdrawn;
	if (engine->conf.mode == CONF_MODE_STEER ||
	    engine->conf.mode == CONF_MODE_SOCK)
		output.remaining_ns = stats.remaining_ns;
	report_fill(&engine->report, &engine->mesh, &now, &output, status);
}

void engine_fill(struct status *status, void *data)
{
	engine_report(data, status);
}

bool engine_asker_is_root(void *data)
{
	const struct engine *engine = data;

	return control_asker_is_root(engine->daemon.control);
}

static void engine_reset(struct engine *engine)
{
	struct mesh_now now = engine_now(engine);

	log_message(LOG_LEVEL_WARNING, "reset by root: synchronisation starts over");
	utc_clock_forget(&engine->utc_clock);
	upper_clock_forget(&engine->upper);
	mesh_reset(&engine->mesh, &now);
}

static void engine_burst(struct engine *engine)
{
	struct mesh_now now = engine_now(engine);

	log_message(LOG_LEVEL_INFO, "burst of probes by root, for %d windows", MESH_BURST_MORE);
	mesh_burst(&engine->mesh, &now);
}

int engine_act(enum status_action action, void *data, char *why, size_t size)
{
	struct engine *engine = data;
	int ret = 0;

	switch (action) {
	case STATUS_RESET:
		engine_reset(engine);
		break;
	case STATUS_RELOAD:
		notify_reloading();
		ret = engine_reload(engine, why, size);
		notify_ready();
		break;
	case STATUS_BURST:
		engine_burst(engine);
		break;
	case STATUS_ACTIONS:
		break;
	}
	return ret;
}

/*
 * The window's middle by raw time, and the common time that it alone gives: none
 * if it was not taken.
 */
static void engine_middle(const struct engine *engine,
			  struct status_tracking *tracking)
{
	const struct host_clock *host_clock = &engine->mesh.host_clock;
	struct clock_line line = clock_line(&engine->clock);
	double back_ns = (double)(line.local_ns - host_clock->at_ns);

	tracking->middle_raw_ns = STATUS_UNKNOWN;
	tracking->middle_ns = STATUS_UNKNOWN;
	if (!host_clock->taken)
		return;
	tracking->middle_raw_ns = line.raw_ns -
				  line_round(back_ns / (1 + line.drift));
	tracking->middle_ns = host_clock->at_ns + host_clock->offset_ns;
}

/* Log the epoch, which onrampctl shows: the first as information, another as a warning. */
static void engine_log_epoch(struct engine *engine)
{
	uint32_t before = engine->epoch, timeline = engine->mesh.host_clock.timeline;

	if (!timeline || wire_timeline(timeline) == before)
		return;
	engine->epoch = wire_timeline(timeline);
	if (before)
		log_message(LOG_LEVEL_WARNING,
			    "new common time: epoch %u replaces %u; times of different epochs cannot be compared",
			    engine->epoch, before);
	else
		log_message(LOG_LEVEL_INFO, "common time of epoch %u", engine->epoch);
}

/* A window in which no report of UTC arrived is no change. */
static void engine_log_reference(struct engine *engine)
{
	bool has_upper = engine->conf.reference == CONF_REFERENCE_UPPER;
	const char *what = has_upper ? "the upper mesh's time" : "UTC";
	uint32_t reference = engine->mesh.reference;

	if (!conf_takes_time(&engine->conf) || !reference ||
	    reference == engine->reference)
		return;
	if (engine->reference)
		log_message(LOG_LEVEL_INFO, "%s counts most from host %u, before from host %u",
			    what, reference, engine->reference);
	else
		log_message(LOG_LEVEL_INFO, "%s counts most from host %u", what, reference);
	engine->reference = reference;
}

/* A leap second that is announced; one that is counted; and an announcement that is gone. */
static void engine_log_leap(struct engine *engine)
{
	const struct leap *leap = &engine->mesh.host_clock.leap, *was = &engine->leap;

	if (leap->step && leap->step != was->step)
		log_message(LOG_LEVEL_INFO,
			    "a leap second is announced for the end of this day: %s",
			    leap->step > 0 ? "inserted" : "deleted");
	else if (leap->seconds != was->seconds)
		log_message(LOG_LEVEL_INFO,
			    "the common time is ahead of UTC by %d s of leap seconds",
			    leap->seconds);
	else if (was->step && !leap->step)
		log_message(LOG_LEVEL_WARNING, "the announcement of a leap second is withdrawn");
	engine->leap = *leap;
}

static void engine_solved(void *data)
{
	struct engine *engine = data;
	const struct mesh *mesh = &engine->mesh;
	int64_t at_ns = schedule_middle(&mesh->schedule, mesh->host_clock.window);
	struct status status = { 0 };

	engine_log_epoch(engine);
	engine_log_reference(engine);
	engine_log_leap(engine);
	report_window(&engine->report, mesh);
	engine_report(engine, &status);
	engine_middle(engine, &status.tracking);
	log_files_window(at_ns + slew_at(&mesh->host_clock.slew, at_ns).x_ns, &status);
	notify_status("%s, offset %lld ns, error %lld ns",
		      status.tracking.state,
		      (long long)status.tracking.offset_ns,
		      (long long)status.tracking.error_ns);
	if (!engine->ready && engine->mesh.host_clock.state.phase == STATE_LOCKED) {
		engine->ready = true;
		log_message(LOG_LEVEL_INFO, "locked, error bound %lld ns",
			    (long long)status.tracking.error_ns);
	}
}

static void engine_drop_nic(void *data, const char *why)
{
	struct engine *engine = data;

	if (engine_publishes_device(engine))
		device_forget(&engine->device, engine->clock.nic.ifindex);
	clock_fall_back(&engine->clock);
	log_message(LOG_LEVEL_WARNING, "%s %s: changing to software timestamps",
		    engine->clock.nic.link, why);
	if (engine->socket.foreign)
		log_message(LOG_LEVEL_WARNING,
			    "timestamps come from the device with index %u, which has another clock",
			    engine->socket.foreign);
}

static int64_t engine_handed(void *data, int64_t left_ns)
{
	struct engine *engine = data;

	if (engine_sample(engine))
		return WIRE_NO_TIME;
	return engine_tx(engine, clock_of_soft(&engine->clock, left_ns));
}

static void engine_driver(void *data, bool stamps)
{
	(void)data;
	if (stamps)
		log_message(LOG_LEVEL_INFO,
			    "the driver takes software timestamps of sent packets");
	else
		log_message(LOG_LEVEL_WARNING,
			    "the driver does not timestamp sent packets: Tx timestamps are taken some us early, when the kernel receives the probe");
}

static void engine_behind(void *data, int64_t ns)
{
	(void)data;
	log_message(LOG_LEVEL_WARNING,
		    "the clocks of most hosts are suddenly %.3f s ahead, as after a pause of this machine: synchronisation starts over",
		    (double)ns / ENGINE_NS);
}

static void engine_log_change(const struct mesh *mesh, enum mesh_event event)
{
	switch (event) {
	case MESH_UNCHANGED:
		break;
	case MESH_PENDING:
		log_message(LOG_LEVEL_INFO,
			    "change of peers or keys begins: list %08x, and %08x until it is complete",
			    mesh->next.checksum, mesh->list.checksum);
		break;
	case MESH_REVERTED:
		log_message(LOG_LEVEL_INFO, "change of peers or keys is withdrawn: list %08x",
			    mesh->list.checksum);
		break;
	case MESH_EXPIRED:
		log_message(LOG_LEVEL_WARNING,
			    "hosts have had other lists of peers or keys for longer than [mesh] transition: they are left behind");
		break;
	case MESH_TAKEN:
		log_message(LOG_LEVEL_INFO, "change of peers or keys is complete: list %08x",
			    mesh->list.checksum);
		break;
	}
}

static void engine_changed(void *data, enum mesh_event event)
{
	struct engine *engine = data;

	engine_log_change(&engine->mesh, event);
	if (event == MESH_EXPIRED)
		return;
	report_free(&engine->report);
	if (report_make(&engine->report, &engine->mesh))
		log_message(LOG_LEVEL_WARNING, "no memory for lists of hosts in huygensctl");
}

const struct mesh_ops engine_ops = {
	.transport = { .send = engine_send, .probe = engine_probe },
	.space = engine_space,
	.utc = engine_utc,
	.line = engine_line,
	.solved = engine_solved,
	.fall_back = engine_drop_nic,
	.handed = engine_handed,
	.driver = engine_driver,
	.behind = engine_behind,
	.changed = engine_changed,
};
