// SPDX-License-Identifier: GPL-2.0
/*
 * A hard-margin edge against libsvm's support vector machine.
 *
 * libsvm maximises the distance of the points from the line, not the vertical
 * one.  The two are the same line where it is nearly level, as here: a drift of
 * at most 50 ns a second, gaps of 6,000 ns, and seconds that count four times
 * half a gap; unless two lines are nearly as good as each other, when libsvm may
 * take the leveller one.  So margins are compared, and most lines.  liblinear would not do: it also penalises where the line stands.
 * -s SEED repeats, -n is the number of edges.
 */
#include <stdlib.h>
#include <string.h>
#include <libsvm/svm.h>

#include "options.h"
#include "oracle.h"
#include "world.h"

#define EACH		25
#define SECOND		4.0

static void quiet(const char *text)
{
	(void)text;
}

/* The line of libsvm: offset at the middle, and slope; @scale ns are 1. */
static double machine(const struct oracle *o, double scale, double *slope)
{
	static struct svm_node node[2 * EACH][3], *x[2 * EACH], middle[3];
	static double y[2 * EACH];
	struct svm_problem problem = { 2 * EACH, y, x };
	struct svm_parameter p = {
		.svm_type = C_SVC, .kernel_type = LINEAR, .C = 1e4, .eps = 1e-7, .cache_size = 16,
	};
	double weight[2] = { 0, 0 }, theta;
	struct svm_model *model;
	int way, k, v;

	for (way = 0; way < 2; way++) {
		for (k = 0; k < EACH; k++) {
			int n = way * EACH + k;

			node[n][0] = (struct svm_node){ 1, o->t[way][k] * SECOND };
			node[n][1] = (struct svm_node){ 2, (way ? -o->d[way][k] : o->d[way][k]) / scale };
			node[n][2] = (struct svm_node){ -1, 0 };
			x[n] = node[n];
			y[n] = way ? -1 : 1;
		}
	}
	memset(middle, 0, sizeof(middle));
	model = svm_train(&problem, &p);
	for (v = 0; v < model->l; v++) {
		weight[0] += model->sv_coef[0][v] * model->SV[v][0].value;
		weight[1] += model->sv_coef[0][v] * model->SV[v][1].value;
	}
	theta = model->rho[0] / weight[1] * scale;
	*slope = -weight[0] / weight[1] * SECOND * scale;
	svm_free_and_destroy_model(&model);
	return theta;
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 40, "edges");
	double least = 1, most = 0, slope, off;
	unsigned long n, same = 0;

	svm_set_print_string_function(quiet);
	for (n = 0; n < o.n; n++) {
		double drift = (world_uniform(&o.seed) - 0.5) * 100;
		struct edge_params p = { 0 };
		static struct oracle oracle;
		struct envelope envelope[2];
		struct edge_fit fit;
		int way, k;

		for (way = 0; way < 2; way++) {
			struct sample s[EACH];

			oracle.n[way] = EACH;
			for (k = 0; k < EACH; k++) {
				int64_t t = k * 80000000LL - 960000000LL + (int64_t)random_below(&o.seed, 40000000);
				int64_t d = 3000 - 1000 * log(world_uniform(&o.seed)) + (way ? -1 : 1) * drift * t / 1e9;

				s[k] = (struct sample){ t, d };
				oracle.t[way][k] = t / 1e9;
				oracle.d[way][k] = d;
			}
			envelope_make(s, EACH, &envelope[way]);
		}
		fit = edge_solve(&p, &envelope[0], &envelope[1], 0);
		off = fabs(machine(&oracle, fit.delay_sum_ns / 2, &slope) - fit.theta_ns);
		same += off < 1;
		least = fmin(least, oracle_margin(&oracle, slope) / fit.delay_sum_ns);
		most = fmax(most, oracle_margin(&oracle, slope) / fit.delay_sum_ns);
	}
	tap_remark("margins are %.6f to %.6f of these, %lu of %lu lines are within 1 ns",
		   least, most, same, o.n);
	tap_ok(most < 1 + 1e-9, "edge__no_margin_of_libsvm_is_greater");
	tap_ok(least > 0.999, "edge__nor_much_smaller");
	tap_ok(same >= 0.9 * o.n, "edge__and_most_lines_are_the_same");
	return tap_done();
}
