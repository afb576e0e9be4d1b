// SPDX-License-Identifier: GPL-2.0
/*
 * Reload of the configuration and of the file of keys, by SIGHUP or huygensctl: all of it is
 * put in force, or nothing.
 */
#include <stdio.h>
#include <string.h>

#include "../../lib/log.h"
#include "../platform/log_files.h"
#include "engine_private.h"
#include "keyfile.h"

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
