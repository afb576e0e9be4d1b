// SPDX-License-Identifier: GPL-2.0
/*
 * accctl - show and control a running acc-tuner, and restore what a killed one left
 */
#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/client.h"
#include "../../lib/stdout.h"
#include "instance.h"
#include "restore.h"

#define ARRAY_SIZE(a)	(sizeof(a) / sizeof((a)[0]))

#define CTL_SOCKET	"/run/acc-tuner/control"
#define CTL_SAVED	"/run/acc-tuner/saved"
#define CTL_WHY		512

/**
 * struct ctl - what the command line asks for
 * @client: -j and -s
 * @saved: -f
 */
struct ctl {
	struct client	client;
	const char		*saved;
};

/**
 * struct ctl_command - a command
 * @name: its name
 * @queue: it is for one queue
 * @what: description
 * @run: runs it; NULL: the daemon answers
 */
struct ctl_command {
	const char	*name;
	bool		queue;
	const char	*what;
	int		(*run)(const struct ctl *ctl);
};

static int ctl_restore(const struct ctl *ctl);

static const struct ctl_command ctl_commands[] = {
	{ "queues", false, "queues, their thresholds and how busy they are", NULL },
	{ "compare", false, "rewards of tuned and of static blocks", NULL },
	{ "explain", true, "what the network sees of a queue, and expects of each template", NULL },
	{ "hold", true, "static thresholds until resumed", NULL },
	{ "resume", true, "tuning of a queue that is held or that another changed", NULL },
	{ "restore", false, "own settings of queues that a killed daemon left tuned", ctl_restore },
	{ "stats", false, "counters", NULL },
	{ .name = NULL },
};

/* Return: the exit status. */
static int ctl_end(void)
{
	return stdout_flush("accctl") ? 1 : 0;
}

static int ctl_help(void)
{
	const struct ctl_command *c;

	printf("Usage: accctl [-j] [-s SOCKET] COMMAND [QUEUE]\n\n");
	for (c = ctl_commands; c->name; c++)
		printf("  %-8s%-6s        %s\n", c->name, c->queue ? "QUEUE" : "", c->what);
	printf("\n  -j, --json            JSON output\n"
	       "  -s, --socket SOCKET   control socket, default " CTL_SOCKET "\n"
	       "  -f, --saved FILE      file that restore reads, default " CTL_SAVED "\n"
	       "  -V, --version         print the version\n"
	       "  -h, --help            print this text\n");
	return ctl_end();
}

static int ctl_version(void)
{
	puts("accctl (sharpramp) " PROGRAM_VERSION);
	return ctl_end();
}

static int ctl_ask(const struct client *c, const char *name, const char *queue)
{
	char request[CLIENT_REQUEST];

	if (snprintf(request, sizeof(request), "%s%s%s", name, queue ? " " : "",
		     queue ? queue : "") >= (int)sizeof(request))
		return client_wrong(c, "there is no queue", queue);
	return client_show(c, request);
}

static void ctl_tell(const struct saved_queue *q, enum restore_verdict verdict, int error,
		     void *data)
{
	char line[RESTORE_LINE];

	(void)data;
	printf("%s\n", restore_line(q, verdict, error, line));
}

static int ctl_fail(const char *why)
{
	fflush(stdout);
	fprintf(stderr, "accctl: restore: %s\n", why);
	return 1;
}

/* The file is written if a queue was settled: a caller without rights may not write. */
static int ctl_restore_all(struct scan *scan, struct saved *saved, const char *path)
{
	size_t before = saved->count;
	struct restore_count count;
	char why[CTL_WHY];

	if (restore_all(scan, saved, ctl_tell, NULL, &count, why, sizeof(why)) ||
	    (saved->count < before && saved_write(saved, path, why, sizeof(why))))
		return ctl_fail(why);
	if (!count.failed)
		return ctl_end();
	snprintf(why, sizeof(why), "%u of %zu queues cannot be changed back%s", count.failed,
		 before, count.forbidden ? ": it needs CAP_NET_ADMIN: run it as root" : "");
	return ctl_fail(why);
}

static int ctl_restore(const struct ctl *ctl)
{
	static struct saved saved;
	struct scan *scan;
	char why[CTL_WHY];
	int ret;

	if (instance_claim(why, sizeof(why)) < 0 ||
	    saved_read(&saved, ctl->saved, why, sizeof(why)))
		return ctl_fail(why);
	if (!saved.count) {
		printf("%s %s: no queue was left tuned\n", ctl->saved,
		       access(ctl->saved, F_OK) ? "is not there" : "has none");
		return ctl_end();
	}
	scan = scan_open(why, sizeof(why));
	if (!scan)
		return ctl_fail(why);
	ret = ctl_restore_all(scan, &saved, ctl->saved);
	scan_close(scan);
	return ret;
}

static int ctl_command(const struct ctl *ctl, char **arguments)
{
	const char *names[ARRAY_SIZE(ctl_commands)];
	const struct ctl_command *c;
	size_t n;
	int i;

	for (n = 0; n < ARRAY_SIZE(names); n++)
		names[n] = ctl_commands[n].name;
	i = client_command(&ctl->client, names, arguments[0]);
	if (i < 0)
		return 2;
	c = &ctl_commands[i];
	if (c->queue && (!arguments[1] || !*arguments[1] || strpbrk(arguments[1], "\n ")))
		return client_wrong(&ctl->client, "a queue such as eth1/10: is missing behind",
				    c->name);
	if (arguments[1] && arguments[c->queue ? 2 : 1])
		return client_wrong(&ctl->client, "unexpected argument",
				    arguments[c->queue ? 2 : 1]);
	if (ctl->client.json && (c->run || !strcmp(c->name, "hold") || !strcmp(c->name, "resume")))
		return client_wrong(&ctl->client, "there is no JSON of", c->name);
	if (c->run)
		return c->run(ctl);
	return ctl_ask(&ctl->client, c->name, c->queue ? arguments[1] : NULL);
}

int main(int argc, char **argv)
{
	static const struct option options[] = {
		{ "json", no_argument, NULL, 'j' },
		{ "socket", required_argument, NULL, 's' },
		{ "saved", required_argument, NULL, 'f' },
		{ "version", no_argument, NULL, 'V' },
		{ "help", no_argument, NULL, 'h' },
		{ NULL, 0, NULL, 0 },
	};
	struct ctl ctl = {
		.client = { "accctl", "acc-tuner", "acc-tuner", CTL_SOCKET, false },
		.saved = CTL_SAVED,
	};
	int option;

	while ((option = getopt_long(argc, argv, "js:f:Vh", options, NULL)) >= 0) {
		if (option == 'j')
			ctl.client.json = true;
		else if (option == 's')
			ctl.client.socket = optarg;
		else if (option == 'f')
			ctl.saved = optarg;
		else if (option == 'V')
			return ctl_version();
		else if (option == 'h')
			return ctl_help();
		else
			return 2;
	}
	return ctl_command(&ctl, argv + optind);
}
