// SPDX-License-Identifier: GPL-2.0
/*
 * Rules between keys.  The message of a rule names both.
 */
#include <inttypes.h>
#include <string.h>

#include "../../lib/units.h"
#include "../algo/graph.h"
#include "check.h"
#include "key.h"

/* Some of 100 pairs a window are rejected; at least 20 must remain. */
#define CHECK_PAIRS_MIN		40
/* Maximum rate of a host, bit/s, and size of a probe on IPv6 and Ethernet, bytes. */
#define CHECK_RATE_MAX		3000000
#define CHECK_PROBE_BYTES	(64 + 8 + 40 + 38)
/* A HELLO may be lost, and the next as well. */
#define CHECK_HELLOS_MIN	3
/* The middle of such a window is among the readings of an upper mesh (net/upper_clock.h). */
#define CHECK_UPPER_WINDOW	3000000000LL

/**
 * struct checking - what all rules read
 * @conf: the configuration
 * @path: of the file
 * @lines: where keys were given
 * @error: filled
 */
struct checking {
	const struct huygens_conf	*conf;
	const char			*path;
	const int			*lines;
	struct conf_error		*error;
};

static int check_line(const struct checking *c, const char *section,
		      const char *name)
{
	return conf_table_line(&huygens_table, c->lines, section, name);
}

static int check_is_peer(const struct checking *c, const char *section,
			 const char *name, uint32_t id)
{
	if (conf_find(c->conf, id))
		return 0;
	return conf_refuse(c->error, c->path, check_line(c, section, name),
			   "[%s] %s: %u is missing in [mesh] peers", section, name, id);
}

static int check_ids(const struct checking *c)
{
	const struct huygens_conf *conf = c->conf;
	size_t i;

	if (conf->id && check_is_peer(c, "node", "id", conf->id))
		return -1;
	if (conf->reference == CONF_REFERENCE_HOST &&
	    check_is_peer(c, "coordinator", "reference", conf->reference_id))
		return -1;
	for (i = 0; i < conf->n_utc_hosts; i++)
		if (check_is_peer(c, "coordinator", "reference", conf->utc_hosts[i]))
			return -1;
	for (i = 0; i < conf->n_candidates; i++)
		if (check_is_peer(c, "coordinator", "candidates", conf->candidates[i]))
			return -1;
	for (i = 0; i < conf->n_asymmetries; i++)
		if (check_is_peer(c, "mesh", "asymmetry", conf->asymmetries[i].from) ||
		    check_is_peer(c, "mesh", "asymmetry", conf->asymmetries[i].to))
			return -1;
	return 0;
}

static int check_times(const struct checking *c)
{
	const struct huygens_conf *conf = c->conf;

	if (conf->window_ns / conf->interval_ns < CHECK_PAIRS_MIN)
		return conf_refuse(c->error, c->path, check_line(c, "mesh", "interval"),
				   "[mesh] interval: %s gives less than %d pairs in a window of %s",
				   unit_format_signed(UNIT_TIME, conf->interval_ns).text,
				   CHECK_PAIRS_MIN,
				   unit_format_signed(UNIT_TIME, conf->window_ns).text);
	if (conf->dead_ns / conf->hello_ns < CHECK_HELLOS_MIN)
		return conf_refuse(c->error, c->path, check_line(c, "coordinator", "dead"),
				   "[coordinator] dead: %s is less than %d times hello, %s",
				   unit_format_signed(UNIT_TIME, conf->dead_ns).text,
				   CHECK_HELLOS_MIN,
				   unit_format_signed(UNIT_TIME, conf->hello_ns).text);
	if (conf->mode == CONF_MODE_PUBLISH && conf->valid_ns < 2 * conf->window_ns)
		return conf_refuse(c->error, c->path, check_line(c, "output", "valid"),
				   "[output] valid: %s is less than two windows of %s",
				   unit_format_signed(UNIT_TIME, conf->valid_ns).text,
				   unit_format_signed(UNIT_TIME, conf->window_ns).text);
	return 0;
}

static int check_rate(const struct checking *c)
{
	const struct huygens_conf *conf = c->conf;
	uint32_t probed = graph_neighbours(conf->n_peers, conf->degree);
	int64_t bps = (int64_t)probed * 2 * CHECK_PROBE_BYTES * 8 * 1000000000 /
		      conf->interval_ns;

	if (bps <= CHECK_RATE_MAX)
		return 0;
	return conf_refuse(c->error, c->path, check_line(c, "mesh", "interval"),
			   "[mesh] interval: %s with %" PRIu32 " neighbours is %" PRId64
			   " bit/s of probes, at most %d",
			   unit_format_signed(UNIT_TIME, conf->interval_ns).text, probed, bps,
			   CHECK_RATE_MAX);
}

static int check_files(const struct checking *c)
{
	const struct huygens_conf *conf = c->conf;

	if (*conf->clockbound && !conf_takes_time(conf))
		return conf_refuse(c->error, c->path, check_line(c, "output", "clockbound"),
				   "[output] clockbound: its clients need UTC: set [coordinator] reference to utc:ID");
	if (*conf->clockbound && !strcmp(conf->clockbound, conf->line_file))
		return conf_refuse(c->error, c->path, check_line(c, "output", "clockbound"),
				   "[output] clockbound: %s is line_file, too",
				   conf->clockbound);
	return 0;
}

/* A clock device is read without its error, which another program or the cloud knows. */
static int check_phc(const struct checking *c)
{
	const struct huygens_conf *conf = c->conf;

	if (!*conf->phc)
		return 0;
	if (conf->reference != CONF_REFERENCE_UTC)
		return conf_refuse(c->error, c->path, check_line(c, "node", "phc"),
				   "[node] phc: UTC is not used: set [coordinator] reference to utc:all or utc:ID");
	if (!conf->utc_error_ns)
		return conf_refuse(c->error, c->path, check_line(c, "node", "phc"),
				   "[node] phc: the device does not report its error: set [coordinator] utc_error, 1ns to 1s");
	return 0;
}

/* The upper mesh's line has its own error. */
static int check_upper(const struct checking *c)
{
	const struct huygens_conf *conf = c->conf;
	bool has_upper = conf->reference == CONF_REFERENCE_UPPER;

	if (*conf->upper_line && !has_upper)
		return conf_refuse(c->error, c->path, check_line(c, "node", "upper_line"),
				   "[node] upper_line: it is not used: set [coordinator] reference to upper:all or upper:ID");
	if (has_upper && conf->n_utc_hosts && !*conf->upper_line)
		return conf_refuse(c->error, c->path, check_line(c, "coordinator", "reference"),
				   "[coordinator] reference: upper:ID needs [node] upper_line");
	if (*conf->upper_line && !strcmp(conf->upper_line, conf->line_file))
		return conf_refuse(c->error, c->path, check_line(c, "node", "upper_line"),
				   "[node] upper_line: %s is line_file of this mesh",
				   conf->upper_line);
	if (has_upper && conf->utc_error_ns)
		return conf_refuse(c->error, c->path, check_line(c, "coordinator", "utc_error"),
				   "[coordinator] utc_error: the upper mesh reports its error: set it there");
	if (has_upper && conf->window_ns > CHECK_UPPER_WINDOW)
		return conf_refuse(c->error, c->path, check_line(c, "mesh", "window"),
				   "[mesh] window: %s is above %s, the maximum below an upper mesh",
				   unit_format_signed(UNIT_TIME, conf->window_ns).text,
				   unit_format_signed(UNIT_TIME, CHECK_UPPER_WINDOW).text);
	if (conf->compare == CONF_COMPARE_UPPER && !has_upper)
		return conf_refuse(c->error, c->path, check_line(c, "output", "compare"),
				   "[output] compare: there is no upper mesh: set [coordinator] reference to upper:all or upper:ID");
	return 0;
}

int check(const struct huygens_conf *conf, const char *path, const int *lines,
	  struct conf_error *error)
{
	const struct checking c = { conf, path, lines, error };

	return check_ids(&c) || check_times(&c) || check_rate(&c) || check_files(&c) ||
	       check_phc(&c) || check_upper(&c) ? -1 : 0;
}
