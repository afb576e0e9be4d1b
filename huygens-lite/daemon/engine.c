// SPDX-License-Identifier: GPL-2.0
/*
 * The event loop of the daemon: one thread that sleeps until a datagram, a timestamp, a
 * timer, a signal or a client needs service.  Another writes files, see writer.h.
 */
#include <math.h>
#include <string.h>

#include "../../lib/log.h"
#include "../../lib/notify.h"
#include "../platform/drift_writer.h"
#include "../platform/writer.h"
#include "engine_private.h"

static void engine_write_drift(struct engine *engine)
{
	const struct kalman *kalman = &engine->mesh.host_clock.kalman;

	if (engine->clock.hardware || !host_clock_is_valid(&engine->mesh.host_clock))
		return;
	drift_writer_put(kalman->line.drift_ppb / 1e3,
			 kalman_drift_std_ppb(kalman) / 1e3);
}

/* Do what is due; returns raw time of what is due next. */
static int64_t engine_due(struct engine *engine)
{
	struct mesh_now now = engine_now(engine);
	int64_t next_ns;

	if (engine->sample_ns <= now.raw_ns) {
		engine->sample_ns = now.raw_ns + ENGINE_SAMPLE_NS;
		engine_sample_all(engine);
		output_refresh(engine->output);
		now = engine_now(engine);
	}
	if (engine->socket_ns <= now.raw_ns) {
		engine->socket_ns = now.raw_ns + engine_socket_ns(engine);
		/* Stamps first: data may bring the next turn of a pair. */
		engine_stamps(engine);
		engine_packets(engine);
		now = engine_now(engine);
	}
	next_ns = mesh_run(&engine->mesh, &now);
	if (engine->line_ns <= now.raw_ns)
		engine_line(engine);
	if (engine->device_ns <= now.raw_ns) {
		engine->device_ns = now.raw_ns + ENGINE_DEVICE_NS;
		if (engine_publishes_device(engine))
			device_publish(&engine->device, &engine->clock,
				       engine->conf.valid_ns);
	}
	if (engine->drift_ns <= now.raw_ns) {
		engine->drift_ns = now.raw_ns + ENGINE_DRIFT_NS;
		engine_write_drift(engine);
	}
	if (engine->sample_ns < next_ns)
		next_ns = engine->sample_ns;
	if (engine->socket_ns < next_ns)
		next_ns = engine->socket_ns;
	return engine->line_ns < next_ns ? engine->line_ns : next_ns;
}

static void engine_set_timer(struct engine *engine, int64_t next_ns)
{
	daemon_set_timer(&engine->daemon, next_ns - engine_read(CLOCK_MONOTONIC_RAW), 0);
}

/* SIGHUP. */
static void engine_hang_up(void *data)
{
	char why[256];

	engine_reload(data, why, sizeof(why));
}

static void engine_serve(uint32_t source, void *data)
{
	struct engine *engine = data;

	if (source == ENGINE_OUTPUT)
		output_work(engine->output);
}

static const struct daemon_ops engine_daemon_ops = {
	.reload = engine_hang_up,
	.serve = engine_serve,
};

int engine_run(struct engine *engine)
{
	notify_ready();
	while (!engine->daemon.stop) {
		engine_set_timer(engine, engine_due(engine));
		if (daemon_wait(&engine->daemon, &engine_daemon_ops))
			return 1;
	}
	notify_stopping();
	engine_write_drift(engine);
	writer_end();
	return 0;
}
