// SPDX-License-Identifier: GPL-2.0
/*
 * A page about two runs, with a figure
 */
#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "page.h"
#include "parse.h"
#include "report.h"

/* A distribution is drawn through so many points. */
#define POINTS	400

static const char style[] =
	":root { color-scheme: light dark; --page: #ffffff; --ink: #1f2328; --line: #d0d7de }\n"
	"body { margin: 0 auto; max-width: 46rem; padding: 1rem; background: var(--page); "
	"color: var(--ink); font: 1rem/1.5 system-ui, sans-serif }\n"
	"table { border-collapse: collapse; width: 100%; font-size: .9rem }\n"
	"th, td { text-align: right; padding: .4rem .5rem; border-bottom: 1px solid var(--line) }\n"
	"th:first-child, td:first-child { text-align: left }\n"
	"figure { margin: 0 } figure svg { display: block; width: 100%; height: auto; "
	"background: #ffffff }\n"
	"@media (prefers-color-scheme: dark) { :root { --page: #0d1117; --ink: #e6edf3; "
	"--line: #30363d } }\n";

static void put_text(FILE *f, const char *text)
{
	for (; *text; text++) {
		if (*text == '<')
			fputs("&lt;", f);
		else if (*text == '&')
			fputs("&amp;", f);
		else
			fputc(*text, f);
	}
}

static void put_interval(FILE *f, const struct interval *x)
{
	if (x->low > 0)
		fprintf(f, "<td>%.3f (%.3f to %.3f)</td>", x->ratio, x->low, x->high);
	else if (x->ratio > 0)
		fprintf(f, "<td>%.3f</td>", x->ratio);
	else
		fputs("<td></td>", f);
}

static void put_ms(FILE *f, const struct outcome_figures *figures, double ns)
{
	if (figures->n)
		fprintf(f, "<td>%.3f</td>", ns / 1e6);
	else
		fputs("<td></td>", f);
}

static void put_row(FILE *f, const struct comparison *c, enum outcome_class class)
{
	const struct outcome_figures *a = &c->figures[0][class], *b = &c->figures[1][class];

	fprintf(f, "<tr><td>%s</td><td>%" PRIu32 "</td><td>%" PRIu32 "</td>", outcome_names[class],
		a->n, b->n);
	put_ms(f, a, a->mean_ns);
	put_ms(f, b, b->mean_ns);
	put_interval(f, &c->intervals[class][STATISTIC_MEAN]);
	put_ms(f, a, a->p99_ns);
	put_ms(f, b, b->p99_ns);
	put_interval(f, &c->intervals[class][STATISTIC_P99]);
	fputs("</tr>\n", f);
}

static void put_table(FILE *f, const struct comparison *c)
{
	static const char *const heads[] = {
		"flows", "before", "after", "mean, ms, before", "after", "after/before",
		"p99, ms, before", "after", "after/before",
	};
	enum outcome_class class;
	u32 i;

	fputs("<table><thead><tr>", f);
	for (i = 0; i < ARRAY_SIZE(heads); i++)
		fprintf(f, "<th>%s</th>", heads[i]);
	fputs("</tr></thead>\n", f);
	for (class = 0; class < OUTCOME_CLASSES; class++)
		if (c->figures[0][class].n || c->figures[1][class].n)
			put_row(f, c, class);
	fputs("</table>\n", f);
}

/* A block of gnuplot data: completion times in ms, and the part of flows up to each. */
static int put_distribution(FILE *f, const struct result *r, enum outcome_class class, u32 run)
{
	double *value = calloc((size_t)r->n + 1, sizeof(*value));
	u32 i, n = 0;

	if (!value)
		return complain(NULL, "out of memory");
	for (i = 0; i < r->n; i++)
		if (outcome_is_in(r->list[i].size, class) && r->list[i].fct_ns >= 0)
			value[n++] = r->list[i].fct_ns;
	qsort(value, n, sizeof(*value), outcome_compare);
	fprintf(f, "$run%" PRIu32 " << EOD\n", run);
	for (i = 1; n && i <= POINTS; i++) {
		u32 place = ((u64)n * i + POINTS - 1) / POINTS;

		fprintf(f, "%.6g %.6g\n", value[place - 1] / 1e6, (double)i / POINTS);
	}
	fputs("EOD\n", f);
	free(value);
	return 0;
}

static int put_script(FILE *f, const struct comparison *c, enum outcome_class class)
{
	fputs("set terminal svg size 520,340 font 'sans-serif,15' noenhanced\n"
	      "set border 3 lc rgb '#1f2328'\n"
	      "set tics nomirror\n"
	      "set grid ytics lc rgb '#d0d7de' lt 1 lw 1\n"
	      "set key tmargin left horizontal reverse Left samplen 1.5 width 1\n"
	      "set logscale x\n"
	      "set yrange [0:1]\n"
	      "set xlabel 'completion time, ms'\n"
	      "set ylabel 'part of the flows'\n", f);
	if (put_distribution(f, &c->run[0], class, 0) || put_distribution(f, &c->run[1], class, 1))
		return -1;
	fputs("plot $run0 with lines lw 2.5 lc rgb '#8c959f' title 'before', \\\n", f);
	fputs("$run1 with lines lw 2.5 lc rgb '#0969da' title 'after'\n", f);
	return 0;
}

/* Write gnuplot's drawing of a script, from its <svg tag on. */
static int put_drawing(FILE *f, const char *script)
{
	char command[64], *line = NULL;
	bool inside = false;
	size_t space = 0;
	FILE *drawing;

	snprintf(command, sizeof(command), "gnuplot %s", script);
	drawing = popen(command, "re");
	if (!drawing)
		return complain(NULL, "--page: gnuplot: %s", strerror(errno));
	while (getline(&line, &space, drawing) >= 0) {
		inside = inside || strstr(line, "<svg");
		if (inside)
			fputs(line, f);
	}
	free(line);
	if (pclose(drawing) || !inside)
		return complain(NULL, "--page: gnuplot cannot draw it (package gnuplot-nox)");
	return 0;
}

static int put_figure(FILE *f, const struct comparison *c, enum outcome_class class)
{
	char script[] = "/tmp/flowgen-XXXXXX";
	int fd = mkstemp(script), ret;
	FILE *to;

	if (fd < 0)
		return complain(NULL, "%s: %s", script, strerror(errno));
	to = fdopen(fd, "w");
	ret = to ? put_script(to, c, class) : complain(NULL, "%s: %s", script, strerror(errno));
	if (to && report_close(to, script))
		ret = -1;
	fprintf(f, "<figure><h2>%s</h2>\n",
		class == OUTCOME_ALL ? "All flows" : "Flows up to 100 kB");
	if (!ret)
		ret = put_drawing(f, script);
	fputs("</figure>\n", f);
	unlink(script);
	return ret;
}

static int put_page(FILE *f, const struct comparison *c)
{
	static const enum outcome_class drawn[] = { OUTCOME_SHORT, OUTCOME_ALL };
	u32 i;

	fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n", f);
	fputs("<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n", f);
	fprintf(f, "<title>Flow completion times</title>\n<style>\n%s</style>\n</head>\n", style);
	fputs("<body>\n<h1>Flow completion times</h1>\n<p>", f);
	put_text(f, c->path[0]);
	fputs(" (before) and ", f);
	put_text(f, c->path[1]);
	fputs(" (after). Intervals are those of 95 % of resamples. ", f);
	fputs(c->paired ? "The files have the same flows, which are compared one by one.</p>\n" :
	      "The files have different flows.</p>\n", f);
	put_table(f, c);
	for (i = 0; i < ARRAY_SIZE(drawn); i++)
		if (c->figures[0][drawn[i]].n && c->figures[1][drawn[i]].n &&
		    put_figure(f, c, drawn[i]))
			return -1;
	fputs("</body>\n</html>\n", f);
	return 0;
}

int page_write(const char *path, const struct comparison *c)
{
	char *text = NULL;
	size_t len = 0;
	FILE *memory = open_memstream(&text, &len), *f;
	int ret;

	if (!memory)
		return complain(NULL, "out of memory");
	ret = put_page(memory, c);
	if (fclose(memory))
		ret = complain(NULL, "out of memory");
	f = ret ? NULL : report_open(path);
	if (f) {
		fwrite(text, 1, len, f);
		ret = report_close(f, path);
	}
	free(text);
	return f ? ret : -1;
}
