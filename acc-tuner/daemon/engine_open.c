// SPDX-License-Identifier: GPL-2.0
/*
 * Start and end of the daemon: configuration, model, sockets, privileges.
 */
#include <stdio.h>
#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

#include "../../lib/fail.h"
#include "../../lib/log.h"
#include "../../lib/units.h"
#include "engine_private.h"
#include "instance.h"
#include "rights.h"

#define ENGINE_LEARNED	"learned.accm"

/* A model knows only the interval and the reward that it was trained with. */
static int engine_check_model(const struct acc_conf *conf, const struct model *model, char *why,
			      size_t size)
{
	if ((uint64_t)conf->interval_ns != model->interval_ns)
		return fail(why, size, "[tuner] interval: %s is not that of %s, %s",
			    unit_format_signed(UNIT_TIME, conf->interval_ns).text, conf->model,
			    unit_format_signed(UNIT_TIME, model->interval_ns).text);
	if ((uint64_t)conf->reward != model->reward)
		return fail(why, size, "[tuner] reward: %s is not that of %s, %s",
			    reward_text(conf->reward), conf->model, reward_text(model->reward));
	return 0;
}

int engine_load(struct acc_conf *conf, const struct acc_conf *was, struct model *model,
		const char *path, char *why, size_t size)
{
	struct conf_error error;

	if (was ? conf_reload(conf, was, path, &error) : conf_read(conf, path, &error))
		return fail(why, size, "%s", error.text);
	if (conf->policy != CONF_POLICY_DDQN)
		return 0;
	if (model_read(model, conf->model, why, size))
		return -1;
	return engine_check_model(conf, model, why, size);
}

int engine_check(const struct daemon_start *start, char *why, size_t size)
{
	static struct acc_conf conf;
	static struct model model;

	return engine_load(&conf, NULL, &model, start->path, why, size);
}

static void engine_learned_path(const struct engine *engine, char path[CONF_PATH_MAX * 2])
{
	snprintf(path, CONF_PATH_MAX * 2, "%s/" ENGINE_LEARNED, engine->conf.state);
}

static bool engine_is_same_kind(const struct model *a, const struct model *b)
{
	size_t i;

	for (i = 0; i < TEMPLATE_NR; i++)
		if (template_before(&a->template[i], &b->template[i]) ||
		    template_before(&b->template[i], &a->template[i]))
			return false;
	return a->interval_ns == b->interval_ns && a->reward == b->reward;
}

/* Earlier learning continues if it is of the same kind as the model. */
static void engine_read_learned(struct engine *engine)
{
	static struct model learned;
	char path[CONF_PATH_MAX * 2], why[ENGINE_WHY];

	engine_learned_path(engine, path);
	if (access(path, F_OK))
		return;
	if (model_read(&learned, path, why, sizeof(why)))
		log_message(LOG_LEVEL_WARNING, "%s: begins from [tuner] model", why);
	else if (!engine_is_same_kind(&learned, &engine->model))
		log_message(LOG_LEVEL_WARNING, "%s: of another kind than [tuner] model", path);
	else
		engine->model.net = learned.net;
}

void engine_write_learned(struct engine *engine)
{
	static struct model learned;
	char path[CONF_PATH_MAX * 2], why[ENGINE_WHY];

	if (!engine->learning || !engine->learning->agent.updates)
		return;
	learned = engine->model;
	learned.net = engine->learning->agent.net;
	engine_learned_path(engine, path);
	if (model_write(&learned, path, why, sizeof(why)))
		log_message(LOG_LEVEL_WARNING, "%s", why);
}

static int engine_open_learning(struct engine *engine, char *why, size_t size)
{
	struct agent_params params;
	uint64_t seed;

	if (!engine->conf.learn)
		return 0;
	engine->learning = calloc(1, sizeof(*engine->learning));
	if (!engine->learning)
		return fail(why, size, "no memory");
	engine->learning->given = engine->model.net;
	engine_read_learned(engine);
	agent_params_online(&params, engine->conf.explore_ppm);
	seed = (uint64_t)prng_next(&engine->prng) << 32 | prng_next(&engine->prng);
	agent_init(&engine->learning->agent, &params, engine->learning->transitions, ENGINE_REPLAY,
		   seed);
	agent_load(&engine->learning->agent, &engine->model.net);
	engine->fleet.agent = &engine->learning->agent;
	engine->learned_ns = engine_now() + ENGINE_LEARNED_NS;
	return 0;
}

/* Blocks of the comparison must not be static on all machines at the same time. */
static void engine_open_chance(struct engine *engine)
{
	uint64_t seed;

	if (getrandom(&seed, sizeof(seed), 0) != sizeof(seed))
		seed = engine_now();
	prng_seed(&engine->prng, seed);
}

static void engine_tell_restored(const struct saved_queue *q, enum restore_verdict verdict,
				 int error, void *data)
{
	char line[RESTORE_LINE];

	(void)data;
	log_message(verdict == RESTORE_FAILED ? LOG_LEVEL_ERROR : LOG_LEVEL_INFO, "%s",
		    restore_line(q, verdict, error, line));
}

int engine_restore(struct engine *engine, char *why, size_t size)
{
	struct saved *saved = &engine->fleet.saved;
	struct restore_count count;

	if (!saved->count)
		return 0;
	if (restore_all(engine->scan, saved, engine_tell_restored, engine, &count, why, size) ||
	    saved_write(saved, engine->conf.saved, why, size))
		return -1;
	return count.failed;
}

/* A daemon before this one was killed, and nobody restored what it had tuned. */
static int engine_open_saved(struct engine *engine, char *why, size_t size)
{
	struct saved *saved = &engine->fleet.saved;
	int failed;

	if (saved_read(saved, engine->conf.saved, why, size))
		return -1;
	if (!saved->count)
		return 0;
	if (engine->conf.mode != CONF_MODE_TUNE) {
		log_message(LOG_LEVEL_WARNING, "%s: %zu queues are still tuned: accctl restore",
			    engine->conf.saved, saved->count);
		saved->count = 0;
		return 0;
	}
	failed = engine_restore(engine, why, size);
	if (failed > 0)
		return fail(why, size, "%s: a queue that is still tuned cannot be changed back",
			    engine->conf.saved);
	return failed;
}

static int engine_open_all(struct engine *engine, char *why, size_t size)
{
	if (engine_load(&engine->conf, NULL, &engine->model, engine->path, why, size))
		return -1;
	engine->has_model = engine->conf.policy == CONF_POLICY_DDQN;
	log_start("acc-tuner", engine->conf.level);
	engine_open_chance(engine);
	engine->name = instance_claim(why, size);
	if (engine->name < 0)
		return -1;
	engine->scan = scan_open(why, size);
	if (!engine->scan)
		return -1;
	fleet_begin(&engine->fleet, &engine->conf);
	engine->fleet.event = engine_log_event;
	engine->fleet.data = engine;
	engine->source = (struct status_source){ engine_fill, engine_explain, engine_act, engine };
	if (daemon_open(&engine->daemon, engine->conf.control, status_answer, &engine->source,
			why, size) ||
	    daemon_watch(&engine->daemon, engine->scan->links, ENGINE_LINKS, why, size) ||
	    rights_drop(&engine->conf, why, size) ||
	    engine_open_saved(engine, why, size) || engine_open_learning(engine, why, size) ||
	    rights_confine(&engine->conf, why, size))
		return -1;
	fleet_configure(&engine->fleet, engine->has_model ? &engine->model : NULL);
	return 0;
}

struct engine *engine_open(const struct daemon_start *start, char *why, size_t size)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine) {
		fail(why, size, "no memory");
		return NULL;
	}
	engine->path = start->path;
	engine->name = -1;
	engine->daemon = DAEMON_CLOSED("acc-tuner", engine);
	if (!engine_open_all(engine, why, size))
		return engine;
	engine_close(engine);
	return NULL;
}

void engine_close(struct engine *engine)
{
	if (!engine)
		return;
	daemon_close(&engine->daemon);
	scan_close(engine->scan);
	if (engine->name >= 0)
		close(engine->name);
	free(engine->learning);
	free(engine);
}
