// SPDX-License-Identifier: GPL-2.0
/*
 * The event loop of the daemon: one thread that sleeps until an interval is over, or a
 * signal or a client needs service.
 */
#include <errno.h>
#include <string.h>
#include <time.h>

#include "../../lib/log.h"
#include "../../lib/notify.h"
#include "engine_private.h"

uint64_t engine_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * ENGINE_NS + now.tv_nsec;
}

void engine_set_interval(struct engine *engine)
{
	daemon_set_timer(&engine->daemon, engine->conf.interval_ns, engine->conf.interval_ns);
	engine->last_ns = engine_now();
	engine->length_ns = 0;
}

/* An error that lasts is logged once. */
static void engine_fail(struct engine *engine, const char *why)
{
	if (!engine->is_failing)
		log_message(LOG_LEVEL_ERROR, "%s", why);
	engine->is_failing = true;
	engine->has_failed = true;
}

static void engine_tell_refused(const struct fleet *f)
{
	size_t i;

	for (i = 0; i < f->n_refused; i++)
		log_message(LOG_LEVEL_WARNING, "%s is not tuned: %s", f->refused[i].name,
			    f->refused[i].why);
}

static void engine_tell_missing(const struct engine *engine)
{
	const struct acc_conf *conf = &engine->conf;
	char why[TREE_TEXT];
	size_t i = 0;

	while ((i = tree_missing(&engine->scan->tree, conf, i, why)) < conf->n_queues) {
		log_message(LOG_LEVEL_WARNING, "[queues] queues: %s", why);
		i++;
	}
}

/* The refused queues as a number, so that a change is logged. */
static uint64_t engine_refused_sum(const struct fleet *f)
{
	uint64_t sum = 1;
	const char *at;
	size_t i;

	for (i = 0; i < f->n_refused; i++) {
		for (at = f->refused[i].name; *at; at++)
			sum = sum * 1099511628211ULL + (unsigned char)*at;
		sum = sum * 1099511628211ULL + f->refused[i].verdict;
	}
	return sum;
}

static void engine_scan(struct engine *engine, uint64_t now_ns)
{
	uint64_t logged = engine->logged;
	char why[ENGINE_WHY];

	engine->scanned_ns = now_ns;
	engine->scan_ns = now_ns + ENGINE_SCAN_NS;
	engine->count.searches++;
	if (scan_devices(engine->scan, why, sizeof(why))) {
		engine_fail(engine, why);
		return;
	}
	fleet_look(&engine->fleet, &engine->scan->tree);
	engine->logged = engine_refused_sum(&engine->fleet);
	if (engine->logged != logged)
		engine_tell_refused(&engine->fleet);
	if (!logged)
		engine_tell_missing(engine);
	if (engine->scan->overflow)
		log_message(LOG_LEVEL_WARNING, "there are more qdiscs, classes or devices than %d",
			    SCAN_DEVICES);
	engine->scan->overflow = false;
}

/* Before the first change of a queue its own settings are in the file. */
static int engine_save(struct engine *engine)
{
	struct fleet *f = &engine->fleet;
	char why[ENGINE_WHY];

	if (!f->is_saved_changed)
		return 0;
	if (saved_write(&f->saved, engine->conf.saved, why, sizeof(why))) {
		engine_fail(engine, why);
		return -1;
	}
	f->is_saved_changed = false;
	return 0;
}

/* Return: true if all was done. */
static bool engine_send(struct engine *engine, struct change *c, size_t n)
{
	bool good = true;
	size_t i;

	if (engine_save(engine)) {
		for (i = 0; i < n; i++)
			c[i].error = EIO;
	} else if (change_send(c, n)) {
		engine_fail(engine, strerror(errno));
	}
	for (i = 0; i < n; i++)
		good &= !c[i].error;
	fleet_changed(&engine->fleet, c, n);
	return good;
}

void engine_change(struct engine *engine)
{
	struct change change[CHANGE_MAX];
	size_t left = engine->conf.budget, n;

	while (left) {
		n = fleet_changes(&engine->fleet, change, left < CHANGE_MAX ? left : CHANGE_MAX);
		/* A refused change is tried again in the next interval. */
		if (!n || !engine_send(engine, change, n))
			break;
		left -= n;
	}
	engine_save(engine);
}

static void engine_learn(struct engine *engine, uint64_t now_ns)
{
	const uint32_t all = (1U << TEMPLATE_NR) - 1;

	if (!engine->learning || engine->count.ticks % ENGINE_LEARN_EVERY)
		return;
	agent_learn(&engine->learning->agent, &engine->fleet.params.learn, all);
	engine->count.updates = engine->learning->agent.updates;
	if (now_ns < engine->learned_ns)
		return;
	engine->learned_ns = now_ns + ENGINE_LEARNED_NS;
	engine_write_learned(engine);
}

/*
 * A longer interval than usual is late.  With more queues than an interval has time for all
 * are longer: the one before is the measure then, so that something is decided at all.
 */
static bool engine_is_late(struct engine *engine, uint64_t now_ns)
{
	uint64_t length_ns = now_ns - engine->last_ns, usual_ns = engine->conf.interval_ns;

	if (usual_ns < engine->length_ns)
		usual_ns = engine->length_ns;
	engine->last_ns = now_ns;
	engine->length_ns = length_ns;
	return length_ns > usual_ns + usual_ns / 2;
}

/* An interval is over; @times is more than 1 if others went by unseen. */
static void engine_tick(uint64_t times, void *data)
{
	struct engine *engine = data;
	uint64_t now_ns = engine_now();
	bool late = engine_is_late(engine, now_ns);
	char why[ENGINE_WHY];
	int ret;

	engine->count.ticks++;
	engine->count.overruns += times - 1;
	engine->has_failed = false;
	ret = scan_qdiscs(engine->scan, why, sizeof(why));
	if (ret < 0) {
		engine->count.failed_dumps++;
		engine_fail(engine, why);
		return;
	}
	/* A qdisc may be missing in it: nothing is concluded. */
	if (ret > 0) {
		engine->count.interrupted++;
		return;
	}
	fleet_on_dump(&engine->fleet, &engine->scan->tree, now_ns, late, &engine->prng);
	if (fleet_wants_scan(&engine->fleet) || now_ns >= engine->scan_ns)
		engine_scan(engine, now_ns);
	engine_change(engine);
	engine_learn(engine, now_ns);
	engine->is_failing = engine->has_failed;
}

/* Another network than before is learned from; what was learned from the same one is kept. */
static void engine_take_model(struct engine *engine, const struct model *model)
{
	struct engine_learning *learning = engine->learning;

	engine->model = *model;
	if (!learning || !memcmp(&learning->given, &model->net, sizeof(model->net)))
		return;
	learning->given = model->net;
	agent_load(&learning->agent, &model->net);
}

/* Whole, with its model, or not at all. */
static void engine_reload(void *data)
{
	struct engine *engine = data;
	static struct acc_conf next;
	static struct model model;
	char why[ENGINE_WHY];

	if (engine_load(&next, &engine->conf, &model, engine->path, why, sizeof(why))) {
		log_message(LOG_LEVEL_ERROR, "configuration not reloaded: %s", why);
	} else {
		engine->conf = next;
		engine->has_model = next.policy == CONF_POLICY_DDQN;
		if (engine->has_model)
			engine_take_model(engine, &model);
		log_start("acc-tuner", engine->conf.level);
		fleet_configure(&engine->fleet, engine->has_model ? &engine->model : NULL);
		fleet_restart(&engine->fleet);
		engine->scan_ns = 0;
		engine->logged = 0;
		engine_set_interval(engine);
		log_message(LOG_LEVEL_INFO, "reloaded %s", engine->path);
	}
}

static void engine_serve(uint32_t source, void *data)
{
	struct engine *engine = data;

	if (source == ENGINE_LINKS) {
		/* Its speed may be another, it may be down, or have another name. */
		scan_links(engine->scan);
		if (engine->scan_ns > engine->scanned_ns + ENGINE_SCAN_LEAST_NS)
			engine->scan_ns = engine->scanned_ns + ENGINE_SCAN_LEAST_NS;
	} else {
		/* A queue that is to be held, or resumed, is so at once. */
		engine_change(engine);
	}
}

static const struct daemon_ops engine_daemon_ops = {
	.reload = engine_reload,
	.timer = engine_tick,
	.serve = engine_serve,
};

static int engine_finish(struct engine *engine)
{
	char why[ENGINE_WHY];
	int failed;

	notify_stopping();
	engine_write_learned(engine);
	if (engine->conf.mode != CONF_MODE_TUNE)
		return 0;
	failed = engine_restore(engine, why, sizeof(why));
	if (!failed)
		return 0;
	log_message(LOG_LEVEL_ERROR, "%s", failed < 0 ? why :
		    "not all queues have their own settings again: accctl restore");
	return 1;
}

int engine_run(struct engine *engine)
{
	notify_ready();
	engine_set_interval(engine);
	while (!engine->daemon.stop)
		if (daemon_wait(&engine->daemon, &engine_daemon_ops))
			break;
	return engine_finish(engine) || !engine->daemon.stop;
}
