// SPDX-License-Identifier: GPL-2.0
/*
 * acc-train: the gate, training and evaluation of acc-tuner's networks, in a model of a port.
 */
#include "../../lib/stdout.h"
#include "gate.h"
#include "options.h"

static int run_gate(const struct options *o, const struct workloads *w)
{
	struct template t[TEMPLATE_NR];
	struct settings settings;
	struct study s = {
		.settings = &settings,
		.condition = condition_gate,
		.conditions = condition_gate_nr,
		.workloads = w,
		.rtt_ns = { o->rtt_ns[0], o->rtt_ns[1] },
		.duration_ns = o->duration_ns,
		.interval_ns = o->interval_ns,
		.first_seed = o->seed,
		.seeds = o->seeds,
		.processes = o->jobs,
	};

	template_fill(o->set, t);
	settings_begin(&settings, t);
	if (study_run(&s))
		return 1;
	if (o->json)
		gate_json(&s);
	else
		gate_print(&s);
	study_free(&s);
	return 0;
}

int main(int argc, char **argv)
{
	struct workloads w = { 0 };
	struct options o;
	int status = 1;

	options_read(&o, argc, argv);
	if (workloads_read(&w, o.workloads))
		return 1;
	if (o.command == COMMAND_GATE)
		status = run_gate(&o, &w);
	workloads_free(&w);
	return stdout_flush("acc-train") ? 1 : status;
}
