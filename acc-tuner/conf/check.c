// SPDX-License-Identifier: GPL-2.0
/*
 * Rules between keys.  The message of a rule names both.
 */
#include "../../lib/units.h"
#include "check.h"
#include "key.h"

/**
 * struct checking - what all rules read
 * @conf: the configuration
 * @path: of the file
 * @lines: where keys were given
 * @error: filled
 */
struct checking {
	const struct acc_conf	*conf;
	const char		*path;
	const int		*lines;
	struct conf_error	*error;
};

static int check_line(const struct checking *c, const char *section, const char *name)
{
	return conf_table_line(&acc_table, c->lines, section, name);
}

static int check_model(const struct checking *c)
{
	if (c->conf->policy == CONF_POLICY_DDQN && !*c->conf->model)
		return conf_refuse(c->error, c->path, check_line(c, "tuner", "policy"),
				   "[tuner] policy: ddqn needs a file in [tuner] model");
	if (c->conf->learn && c->conf->policy != CONF_POLICY_DDQN)
		return conf_refuse(c->error, c->path, check_line(c, "tuner", "learn"),
				   "[tuner] learn: yes needs [tuner] policy = ddqn");
	if (c->conf->learn && c->conf->mode != CONF_MODE_TUNE)
		return conf_refuse(c->error, c->path, check_line(c, "tuner", "learn"),
				   "[tuner] learn: yes needs [tuner] mode = tune");
	return 0;
}

static int check_limits(const struct checking *c)
{
	if (!c->conf->kmax_most_ns || c->conf->kmin_least_ns <= c->conf->kmax_most_ns)
		return 0;
	return conf_refuse(c->error, c->path, check_line(c, "limits", "kmax_most"),
			   "[limits] kmax_most: %s is below kmin_least, %s",
			   unit_format_signed(UNIT_TIME, c->conf->kmax_most_ns).text,
			   unit_format_signed(UNIT_TIME, c->conf->kmin_least_ns).text);
}

int check(const struct acc_conf *conf, const char *path, const int *lines,
	  struct conf_error *error)
{
	const struct checking c = { conf, path, lines, error };

	return check_model(&c) || check_limits(&c) ? -1 : 0;
}
