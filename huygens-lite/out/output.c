// SPDX-License-Identifier: GPL-2.0
/*
 * Where the clock goes: which driver, and what all have in common.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "driver.h"
#include "line_file.h"

#define OUTPUT_DRIFT_MAX	(1.0 / 1024)
/* At which another program may turn CLOCK_REALTIME: what the kernel lets a frequency be. */
#define OUTPUT_RATE_PPB		500000

/* It takes lines, and that is all. */
const struct output_driver output_none = { .open = NULL };

static const struct output_driver *const output_drivers[] = {
	[CONF_MODE_PUBLISH] = &output_publish,
	[CONF_MODE_STEER] = &output_steer,
	[CONF_MODE_SOCK] = &output_sock,
	[CONF_MODE_NONE] = &output_none,
};

void output_reload(struct output *out, const struct huygens_conf *conf)
{
	out->limits.step_ns = conf->step_ns;
	out->limits.step_updates = conf->step_updates;
	out->limits.max_slew_ppb = conf->max_slew_ppb;
	out->limits.window_ns = conf->window_ns;
	out->limits.max_error_ns = conf->max_error_ns;
	out->limits.force = conf->force;
	out->limits.compare = conf->compare;
	memcpy(out->limits.sock, conf->sock, sizeof(out->limits.sock));
}

/* Files for applications, in any mode. */
static int output_open_files(struct output *out, const struct huygens_conf *conf, char *why,
			     size_t size)
{
	if (*conf->line_file && line_file_open(&out->line_file, conf->line_file, why, size))
		return -1;
	if (*conf->clockbound && clockbound_open(&out->clockbound, conf->clockbound, why, size))
		return -1;
	return 0;
}

void output_refresh(struct output *out)
{
	const struct output_line *line = out->has_line ? &out->line : NULL;
	int64_t rate_ppb = OUTPUT_RATE_PPB;

	if (!out->clockbound.segment.map)
		return;
	if (line && out->driver->rate_ppb)
		rate_ppb = out->driver->rate_ppb(out, line);
	clockbound_write(&out->clockbound, line, rate_ppb);
}

void output_disruption(struct output *out, uint64_t marker)
{
	out->clockbound.has_marker = true;
	out->clockbound.marker = marker;
	output_refresh(out);
}

/* NULL: there is none any more. */
static void output_to_files(struct output *out, const struct output_line *line)
{
	out->has_line = line;
	if (line)
		out->line = *line;
	if (out->line_file.map)
		line_file_write(&out->line_file, line);
	output_refresh(out);
}

struct output *output_open(const struct huygens_conf *conf, char *why,
			   size_t size)
{
	struct output *out = calloc(1, sizeof(*out));

	if (!out) {
		snprintf(why, size, "output: no memory");
		return NULL;
	}
	out->fd = -1;
	out->line_file = SEGMENT_CLOSED;
	out->clockbound.segment = SEGMENT_CLOSED;
	out->driver = output_drivers[conf->mode];
	if ((conf->mode == CONF_MODE_STEER || conf->mode == CONF_MODE_SOCK) &&
	    conf_is_reference(conf))
		out->driver = &output_none;
	output_reload(out, conf);
	if (!output_open_files(out, conf, why, size) &&
	    (!out->driver->open || !out->driver->open(out, why, size)))
		return out;
	output_close(out);
	return NULL;
}

void driver_withdraw(struct output *out)
{
	if (!out->published)
		return;
	out->published = 0;
	out->stats.withdrawn++;
	if (out->driver->lost)
		out->driver->lost(out);
}

static int output_to_driver(struct output *out, const struct output_line *line, char *why,
			    size_t size)
{
	if (out->driver->blind &&
	    driver_max_error_ns(line, line->raw_ns) > out->limits.max_error_ns) {
		driver_withdraw(out);
		return 0;
	}
	if (out->driver->line && out->driver->line(out, line, why, size)) {
		out->stats.failed++;
		return -1;
	}
	out->published = 1;
	return 0;
}

int output_line(struct output *out, const struct output_line *line, char *why,
		size_t size)
{
	int ret;

	out->stats.lines++;
	if (!line->epoch || line->error_ns < 1 || line->asymmetry_ns < 0 || line->skew_ppb < 0 ||
	    line->valid_ns < 1 ||
	    !(line->drift > -OUTPUT_DRIFT_MAX && line->drift < OUTPUT_DRIFT_MAX)) {
		out->stats.failed++;
		output_lost(out);
		return fail(why, size, "output: the line is out of range");
	}
	ret = output_to_driver(out, line, why, size);
	/* Behind it: the driver may step the clock, or turn it. */
	output_to_files(out, line);
	return ret;
}

int output_fd(const struct output *out)
{
	return out->fd;
}

void output_work(struct output *out)
{
	if (out->driver->work)
		out->driver->work(out);
}

void output_lost(struct output *out)
{
	driver_withdraw(out);
	output_to_files(out, NULL);
}

void output_stats(const struct output *out, struct output_stats *stats)
{
	*stats = out->stats;
}

void output_close(struct output *out)
{
	if (!out)
		return;
	output_lost(out);
	if (out->driver->close)
		out->driver->close(out);
	segment_close(&out->line_file);
	segment_close(&out->clockbound.segment);
	free(out);
}
