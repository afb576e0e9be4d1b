// SPDX-License-Identifier: GPL-2.0
/* collect.c - figures of ports and namespaces into the result folder */
#include <errno.h>
#include <string.h>

#include "child.h"
#include "collect.h"
#include "netns.h"
#include "port.h"
#include "run.h"

static FILE *create(unsigned int line, const char *name, const char *suffix)
{
	char path[TOPO_NAME_MAX + 64];
	FILE *file;

	snprintf(path, sizeof(path), RESULT_DIR "/%s%s", name, suffix);
	file = fopen(path, "w");
	if (!file)
		fail(line, "%s: %s", path, strerror(errno));
	return file;
}

static void finish(unsigned int line, FILE *file)
{
	if (ferror(file) | fclose(file))
		fail(line, "cannot write a result: %s", strerror(errno));
}

/* Lines "name value" of what ethtool -S shows. */
static void collect_ethtool(const struct topo_step *step)
{
	struct port_counters counters;
	unsigned int i;
	FILE *file;

	port_read(&counters, step->line, step->dev);
	file = create(step->line, step->text, ".ethtool");
	for (i = 0; i < counters.n; i++)
		fprintf(file, "%.*s %llu\n", ETH_GSTRING_LEN,
			(char *)&counters.names->data[i * ETH_GSTRING_LEN],
			(unsigned long long)counters.values->data[i]);
	finish(step->line, file);
	port_free(&counters);
}

/* Copy /proc/net/labnic/DEV/WHAT; what is empty leaves no file. */
static void collect_proc(const struct topo_step *step, const char *what)
{
	char path[80], suffix[32], text[16384];
	FILE *from, *to = NULL;
	size_t len;

	snprintf(path, sizeof(path), "/proc/net/labnic/%s/%s", step->dev, what);
	from = fopen(path, "r");
	if (!from)
		fail(step->line, "%s: %s", path, strerror(errno));
	snprintf(suffix, sizeof(suffix), ".%s", what);
	while ((len = fread(text, 1, sizeof(text), from))) {
		if (!to)
			to = create(step->line, step->text, suffix);
		fwrite(text, 1, len, to);
	}
	fclose(from);
	if (to)
		finish(step->line, to);
}

/**
 * collect_port() - write a port's figures
 * @step: collect directive
 */
void collect_port(const struct topo_step *step)
{
	char path[TOPO_NAME_MAX + 64];
	char *const argv[] = { "tc", "-s", "-j", "qdisc", "show", "dev",
			 (char *)step->dev, NULL };

	netns_enter(step->ns);
	collect_ethtool(step);
	collect_proc(step, "histogram");
	collect_proc(step, "trace");
	netns_leave();
	snprintf(path, sizeof(path), RESULT_DIR "/%s.tc.json", step->text);
	child_output(step->line, step->ns, argv, path);
}

/*
 * The kernel's tables have a line of names and a line of values for each group:
 * make a line "GroupName value" for each that is not 0.
 */
static void copy_table(const char *path, FILE *to)
{
	char names[16384], values[16384];
	FILE *from = fopen(path, "r");

	if (!from)
		fail(0, "%s: %s", path, strerror(errno));
	while (fgets(names, sizeof(names), from) &&
	       fgets(values, sizeof(values), from)) {
		char *n, *v, *save_n, *save_v, *group;

		group = strtok_r(names, ":\n ", &save_n);
		strtok_r(values, ":\n ", &save_v);
		while ((n = strtok_r(NULL, "\n ", &save_n)) &&
		       (v = strtok_r(NULL, "\n ", &save_v)))
			if (strcmp(v, "0"))
				fprintf(to, "%s%s %s\n", group, n, v);
	}
	fclose(from);
}

/**
 * collect_counters() - write the protocol counters of every namespace
 * @topo: the topology script
 */
void collect_counters(const struct topo *topo)
{
	char name[TOPO_NAME_MAX + 16];
	unsigned int ns;
	FILE *file;

	for (ns = 1; ns < topo->n_ns; ns++) {
		netns_enter(ns);
		snprintf(name, sizeof(name), "netstat-%s", topo->ns[ns]);
		file = create(0, name, ".txt");
		copy_table("/proc/net/snmp", file);
		copy_table("/proc/net/netstat", file);
		finish(0, file);
		netns_leave();
	}
}
