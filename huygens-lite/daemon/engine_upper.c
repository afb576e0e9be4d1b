// SPDX-License-Identifier: GPL-2.0
/*
 * The line of the upper mesh, which another daemon on this host writes.
 */
#include <string.h>

#include "../../lib/log.h"
#include "engine_private.h"

static bool engine_has_upper(const struct engine *engine)
{
	return *engine->conf.upper_line && conf_has_utc(&engine->conf);
}

/* A daemon that was restarted makes a new file, and the old one expires. */
static int engine_open_upper(struct engine *engine)
{
	int64_t now_ns = reading_now(CLOCK_MONOTONIC_RAW);

	if (engine->upper_reader.line)
		return 0;
	if (now_ns < engine->upper_ns)
		return engine->upper_error;
	engine->upper_ns = now_ns + ENGINE_UPPER_NS;
	return huygens_open(&engine->upper_reader, engine->conf.upper_line);
}

void engine_close_upper(struct engine *engine)
{
	if (engine->upper_reader.line)
		huygens_close(&engine->upper_reader);
}

/* Lately: those of a daemon that died while it wrote do not last. */
static bool engine_has_read_upper(const struct engine *engine)
{
	int64_t now_ns = reading_now(CLOCK_MONOTONIC_RAW);

	return engine->upper.epoch && now_ns - engine->upper.line.at_ns < ENGINE_UPPER_NS;
}

/*
 * No reading, as the daemon writes the line, is no error.
 *
 * Return: 0, or a negative errno.
 */
static int engine_read_upper(struct engine *engine)
{
	int error = engine_open_upper(engine);
	struct huygens_line line;
	int64_t raw_ns, asleep_ns;

	if (!error)
		error = huygens_copy(&engine->upper_reader, &line);
	if (error == -EAGAIN && engine_has_read_upper(engine))
		return 0;
	if (!error) {
		raw_ns = reading_now(CLOCK_MONOTONIC_RAW);
		asleep_ns = reading_now(CLOCK_BOOTTIME) - reading_now(CLOCK_MONOTONIC);
		error = upper_clock_take(&engine->upper, &line, raw_ns, asleep_ns);
	}
	if (error) {
		upper_clock_forget(&engine->upper);
		engine_close_upper(engine);
	}
	return error;
}

static const char *engine_why_upper(int error)
{
	switch (error) {
	case -ENODATA:
		return "the upper mesh is not synchronised on this host";
	case -ESTALE:
		return "the line has expired: the daemon of the upper mesh does not run";
	case -EPROTO:
		return "not a line file of this version";
	case -ERANGE:
		return "a line that the daemon does not write";
	default:
		return strerror(-error);
	}
}

void engine_sample_upper(struct engine *engine)
{
	int error;

	if (!engine_has_upper(engine))
		return;
	error = engine_read_upper(engine);
	if (error && error != engine->upper_error)
		log_message(LOG_LEVEL_WARNING,
			    "[node] upper_line: %s: %s: this host does not report it",
			    engine->conf.upper_line, engine_why_upper(error));
	else if (!error && (engine->upper_error || engine->upper.epoch != engine->upper_epoch))
		log_message(LOG_LEVEL_INFO, "%s is read: upper mesh's common time of epoch %u",
			    engine->conf.upper_line, engine->upper.epoch);
	engine->upper_error = error;
	engine->upper_epoch = error ? 0 : engine->upper.epoch;
}
