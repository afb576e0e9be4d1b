// SPDX-License-Identifier: GPL-2.0
/*
 * acc-train: the gate, training and evaluation of acc-tuner's networks, in a model of a port.
 */
#include <stdio.h>

#include "../../lib/save.h"
#include "../../lib/stdout.h"
#include "evaluate.h"
#include "gate.h"
#include "jobs.h"
#include "learn.h"
#include "options.h"

static struct study study_of(const struct options *o, const struct workloads *w)
{
	return (struct study) {
		.condition = o->unseen ? condition_unseen : condition_gate,
		.conditions = o->unseen ? condition_unseen_nr : condition_gate_nr,
		.workloads = w,
		.rtt_ns = { o->rtt_ns[0], o->rtt_ns[1] },
		.duration_ns = o->duration_ns,
		.times = { o->interval_ns, o->delay_ns },
		.first_seed = o->seed,
		.seeds = o->seeds,
		.processes = o->jobs,
	};
}

static int run_gate(const struct options *o, const struct workloads *w)
{
	struct study s = study_of(o, w);
	struct template t[TEMPLATE_NR];
	static struct settings settings;

	template_fill(o->set, t);
	settings_begin(&settings, t);
	s.settings = &settings;
	if (study_run(&s))
		return 1;
	if (o->json)
		gate_json(&s);
	else
		gate_print(&s);
	study_free(&s);
	return 0;
}

/**
 * struct sim_jobs - several trainings, of one seed each
 * @o: options
 * @w: sizes of flows
 */
struct sim_jobs {
	const struct options *o;
	const struct workloads *w;
};

static void run_sim_job(uint32_t i, void *result, const void *context)
{
	const struct sim_jobs *j = context;
	const struct learn p = {
		.seed = j->o->seed + i,
		.steps = j->o->steps,
		.interval_ns = j->o->interval_ns,
		.reward = j->o->reward,
		.set = j->o->set,
		.shuffle = j->o->shuffle,
		.workloads = j->w,
		.talks = i == 0,
	};

	learn_run(&p, result);
}

static int run_sim_write(const struct options *o, const struct learned *l, uint64_t seed)
{
	static struct model m;
	char why[300];

	m = (struct model){ .reward = o->reward, .interval_ns = o->interval_ns, .net = l->net };
	template_fill(o->set, m.template);
	snprintf(m.provenance, sizeof(m.provenance),
		 "acc-train sim --seed %llu --seeds %llu --steps %llu --reward %s --templates %s%s; "
		 "best: seed %llu after %llu decisions, validation J %.4f",
		 (unsigned long long)o->seed, (unsigned long long)o->seeds,
		 (unsigned long long)o->steps, reward_text(o->reward),
		 o->set == TEMPLATE_PAPER20 ? "paper20" : "ramp20", o->shuffle ? " --shuffle" : "",
		 (unsigned long long)seed, (unsigned long long)l->steps, l->cost);
	if (model_write(&m, o->file, why, sizeof(why))) {
		fprintf(stderr, "acc-train: %s\n", why);
		return 1;
	}
	printf("%s: %s\n", o->file, m.provenance);
	return 0;
}

static int run_sim(const struct options *o, const struct workloads *w)
{
	const struct sim_jobs context = { o, w };
	const struct jobs j = { "trainings", o->seeds, o->jobs, sizeof(struct learned),
				run_sim_job, &context };
	struct learned *l;
	uint32_t best = 0, i;
	char why[300];
	int status;

	if (save_check(o->file, why, sizeof(why))) {
		fprintf(stderr, "acc-train: %s\n", why);
		return 1;
	}
	l = jobs_run(&j);
	if (!l)
		return 1;
	for (i = 0; i < o->seeds; i++) {
		printf("seed %llu: J %.4f after %llu decisions, %.0f s of virtual time\n",
		       (unsigned long long)(o->seed + i), l[i].cost,
		       (unsigned long long)l[i].steps, (double)l[i].virtual_ns / 1e9);
		if (l[i].cost < l[best].cost)
			best = i;
	}
	status = run_sim_write(o, &l[best], o->seed + best);
	jobs_free(&j, l);
	return status;
}

static int run_evaluate(const struct options *o, const struct workloads *w)
{
	struct study s = study_of(o, w);
	static struct settings settings;
	static struct controls controls;
	static struct model m;
	char why[300];

	if (model_read(&m, o->file, why, sizeof(why))) {
		fprintf(stderr, "acc-train: %s\n", why);
		return 1;
	}
	if (o->delay_ns > m.interval_ns) {
		fprintf(stderr, "acc-train: --delay is above the interval of %s\n", o->file);
		return 1;
	}
	s.times.interval_ns = m.interval_ns;
	if (evaluate_settings(&s, &settings, &m, &controls) || study_run(&s))
		return 1;
	if (o->json)
		evaluate_json(&s, &m);
	else
		evaluate_print(&s, &m, &controls);
	study_free(&s);
	return 0;
}

int main(int argc, char **argv)
{
	static int (*const run[])(const struct options *o, const struct workloads *w) = {
		[COMMAND_GATE] = run_gate,
		[COMMAND_SIM] = run_sim,
		[COMMAND_EVALUATE] = run_evaluate,
	};
	struct workloads w = { 0 };
	struct options o;
	int status = 1;

	options_read(&o, argc, argv);
	if (!workloads_read(&w, o.workloads))
		status = run[o.command](&o, &w);
	workloads_free(&w);
	return stdout_flush("acc-train") ? 1 : status;
}
