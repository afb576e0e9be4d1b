// SPDX-License-Identifier: GPL-2.0
/*
 * The daemon's answers to accctl, and its messages.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/fail.h"
#include "../../lib/log.h"
#include "../../lib/units.h"
#include "engine_private.h"

#define ENGINE_PPM	1e6

static double engine_parts(uint32_t parts)
{
	return (double)parts / FEATURE_ONE;
}

static double engine_mean(double sum, uint64_t count)
{
	return count ? sum / (double)count : NAN;
}

static double engine_difference(const struct guard_vars *v)
{
	double sum = 0;
	uint32_t i;

	for (i = 0; i < v->pairs; i++)
		sum += v->difference[i];
	return v->pairs ? sum / v->pairs : NAN;
}

static void engine_fill_template(const struct template *t, int64_t *kmin_ns, int64_t *kmax_ns,
				 double *pmax)
{
	*kmin_ns = t->kmin_ns;
	*kmax_ns = t->kmax_ns;
	*pmax = t->pmax_ppm / ENGINE_PPM;
}

static void engine_fill_queue(const struct engine *engine, const struct fleet_queue *q,
			      struct status_queue *s)
{
	const struct tuner *t = &q->tuner;

	memset(s, 0, sizeof(*s));
	tree_name(q->dev, q->group, s->name);
	s->state = tuner_state_name(t->state);
	snprintf(s->rate, sizeof(s->rate), "%s", unit_format_rate(q->rate_bps).text);
	s->rate_bps = q->rate_bps;
	s->members = q->members;
	engine_fill_template(&t->in_force, &s->kmin_ns, &s->kmax_ns, &s->pmax);
	engine_fill_template(&t->own, &s->own_kmin_ns, &s->own_kmax_ns, &s->own_pmax);
	engine_fill_template(&t->wanted, &s->wanted_kmin_ns, &s->wanted_kmax_ns, &s->wanted_pmax);
	s->place = tuner_place(&engine->fleet.params, &t->in_force);
	s->utilisation = engine_parts(t->seen.utilisation);
	s->delay_ns = t->seen.delay_ns;
	s->marked = engine_parts(t->seen.marked_fraction);
	s->reward = (double)t->seen.reward;
	s->count = t->count;
	s->tuned_reward = engine_mean(t->tuned_sum, t->count.tuned_intervals);
	s->static_reward = engine_mean(t->static_sum, t->count.static_intervals);
	s->difference = engine_difference(&t->guard);
	s->pairs = t->guard.pairs;
}

static void engine_fill_refused(const struct fleet_refused *r, struct status_queue *s)
{
	memset(s, 0, sizeof(*s));
	memcpy(s->name, r->name, sizeof(s->name));
	s->state = tree_verdict_name(r->verdict);
	memcpy(s->why, r->why, sizeof(s->why));
	s->kmin_ns = FIELD_UNKNOWN;
	s->kmax_ns = FIELD_UNKNOWN;
	s->own_kmin_ns = FIELD_UNKNOWN;
	s->own_kmax_ns = FIELD_UNKNOWN;
	s->wanted_kmin_ns = FIELD_UNKNOWN;
	s->wanted_kmax_ns = FIELD_UNKNOWN;
	s->delay_ns = FIELD_UNKNOWN;
	s->pmax = NAN;
	s->own_pmax = NAN;
	s->wanted_pmax = NAN;
	s->utilisation = NAN;
	s->marked = NAN;
	s->reward = NAN;
	s->tuned_reward = NAN;
	s->static_reward = NAN;
	s->difference = NAN;
}

void engine_fill(struct status *s, void *data)
{
	static const char *const modes[] = { "observe", "tune" };
	static const char *const policies[] = { "follow", "ddqn", "static" };
	struct engine *engine = data;
	const struct fleet *f = &engine->fleet;
	size_t i;

	for (i = 0; i < f->queues; i++)
		engine_fill_queue(engine, &f->queue[i], &engine->rows[i]);
	for (i = 0; i < f->n_refused; i++)
		engine_fill_refused(&f->refused[i], &engine->rows[f->queues + i]);
	s->queue = engine->rows;
	s->queues = f->queues + f->n_refused;
	s->daemon.count = engine->count;
	s->daemon.mode = modes[engine->conf.mode];
	s->daemon.policy = policies[engine->conf.policy];
	if (engine->has_model) {
		snprintf(s->daemon.model, sizeof(s->daemon.model), "%s", engine->model.provenance);
		snprintf(s->daemon.model_sha256, sizeof(s->daemon.model_sha256), "%s",
			 engine->model.sha256);
	}
	s->daemon.queues = f->queues;
	s->daemon.refused = f->n_refused;
}

int engine_explain(const char *queue, struct status_explain *e, void *data)
{
	struct engine *engine = data;
	const struct tuner_params *p = &engine->fleet.params;
	const struct fleet_queue *q = fleet_find(&engine->fleet, queue);
	const struct net *net = p->agent ? &p->agent->net : p->net;
	struct net_trace trace;
	uint32_t i;

	if (!q)
		return -1;
	tree_name(q->dev, q->group, e->queue);
	e->state = tuner_state_name(q->tuner.state);
	for (i = 0; i < FEATURE_STATE; i++)
		e->feature[i] = (double)q->tuner.window.value[i];
	if (net)
		net_forward(net, q->tuner.window.value, &trace);
	for (i = 0; i < TEMPLATE_NR; i++) {
		struct status_choice *c = &e->choice[i];

		*c = (struct status_choice){ .place = i };
		c->value = net ? (double)trace.out[i] : NAN;
		engine_fill_template(&p->template[i], &c->kmin_ns, &c->kmax_ns, &c->pmax);
		c->allowed = q->tuner.allowed >> i & 1;
		c->best = net && q->tuner.allowed && net_best(trace.out, q->tuner.allowed) == i;
		c->in_force = tuner_place(p, &q->tuner.in_force) == i;
	}
	return 0;
}

int engine_act(const char *verb, const char *queue, char *why, size_t size, void *data)
{
	struct engine *engine = data;
	struct fleet_queue *q = fleet_find(&engine->fleet, queue);

	if (!q)
		return fail(why, size, "there is no queue %s: accctl queues lists them", queue);
	if (engine->conf.mode != CONF_MODE_TUNE)
		return fail(why, size, "[tuner] mode is observe: no queue is tuned");
	if (!strcmp(verb, "hold"))
		fleet_hold(&engine->fleet, q);
	else if (tuner_is_waiting(&q->tuner))
		fleet_resume(&engine->fleet, q);
	else
		return fail(why, size, "%s is %s, and needs no resume", queue,
			    tuner_state_name(q->tuner.state));
	return 0;
}

static void engine_log_opened(const struct engine *engine, const struct fleet_queue *q,
			      const char *name)
{
	const struct tuner_limits *l = &q->tuner.limits;

	log_message(LOG_LEVEL_INFO, "%s: %s, kmin from %s, kmax up to %s", name,
		    unit_format_rate(q->rate_bps).text,
		    unit_format_time(l->kmin_least_ns).text,
		    unit_format_time(l->kmax_most_ns).text);
	if (q->gso_ns > l->kmin_least_ns)
		log_message(LOG_LEVEL_INFO,
			    "%s: a packet before segmentation takes up to %s, and a lower kmin marks within it: split_gso on, or [limits] kmin_least",
			    name, unit_format_time(q->gso_ns).text);
	if (engine->fleet.params.policy == TUNER_DDQN && !q->tuner.allowed)
		log_message(LOG_LEVEL_WARNING, "%s: no template of the model is within [limits]",
			    name);
}

void engine_log_event(enum fleet_event event, const struct fleet_queue *q, int error, void *data)
{
	char name[TREE_NAME];

	tree_name(q->dev, q->group, name);
	switch (event) {
	case FLEET_OPENED:
		engine_log_opened(data, q, name);
		break;
	case FLEET_CLOSED:
		log_message(LOG_LEVEL_INFO, "%s: closed", name);
		break;
	case FLEET_RATE:
		log_message(LOG_LEVEL_INFO, "%s: its rate is %s now", name,
			    unit_format_rate(q->rate_bps).text);
		break;
	case FLEET_CHANGED:
		log_message(LOG_LEVEL_WARNING,
			    "%s: another program changed it; it stays so until accctl resume %s",
			    name, name);
		break;
	case FLEET_FALLBACK:
		log_message(LOG_LEVEL_WARNING,
			    "%s: %s: tuning did harm; own settings until the hold-off ends",
			    name, tuner_fallback_name(&q->tuner));
		break;
	case FLEET_REFUSED:
		log_message(LOG_LEVEL_ERROR, "%s: the kernel refuses a change: %s", name,
			    strerror(error));
		break;
	}
}
