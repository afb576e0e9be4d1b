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
#include "../platform/log_files.h"
#include "../platform/writer.h"
#include "engine_private.h"
#include "keyfile.h"

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

/* By now this process is its user, whom nothing but the file's owner can be. */
static int engine_reread_keys(const struct engine *engine, struct auth_keys *keys,
			      struct conf_error *error)
{
	return keyfile_read(keys, engine->conf.key_file, "", error->text, sizeof(error->text));
}

/* All of the files, or nothing of them. */
static int engine_reread(struct engine *engine, struct conf_error *error)
{
	const struct mesh_now now = engine_now(engine);
	struct huygens_conf next;
	struct auth_keys keys;
	int ret;

	ret = conf_reload(&next, &engine->conf, engine->path, engine->local, engine->n_local,
			  error) ||
	      mesh_check(&next, engine->path, error) ||
	      engine_reread_keys(engine, &keys, error) ||
	      mesh_change(&engine->mesh, &next, &keys, &now, engine->path, error) ? -1 : 0;
	explicit_bzero(&keys, sizeof(keys));
	if (ret) {
		conf_free(&next);
		return -1;
	}
	conf_free(&engine->conf);
	engine->conf = next;
	return 0;
}

int engine_reload(struct engine *engine, char *why, size_t size)
{
	struct conf_error error;
	char log_why[256];
	int ret = engine_reread(engine, &error);

	if (ret) {
		log_message(LOG_LEVEL_ERROR, "configuration not reloaded: %s", error.text);
		snprintf(why, size, "%s", error.text);
	} else {
		mesh_reload(&engine->mesh, &engine->conf);
		output_reload(engine->output, &engine->conf);
		log_message(LOG_LEVEL_INFO, "reloaded %s", engine->path);
	}
	if (log_files_open(&engine->conf, log_why, sizeof(log_why)))
		log_message(LOG_LEVEL_WARNING, "%s", log_why);
	return ret;
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
