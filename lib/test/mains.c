// SPDX-License-Identifier: GPL-2.0
/*
 * The command line of a daemon.
 */
#include <sys/prctl.h>

#include "../../selftests/lib/tap.h"
#include "../daemon_main.h"
#include "output.h"

#define USAGE_FIRST \
	"Usage: tried [-f FILE] [-t]\n\n" \
	"  -f, --file FILE      configuration, default /etc/tried.conf\n" \
	"  -t, --test           check the configuration and exit\n"
#define USAGE_BEGIN USAGE_FIRST USAGE_KEYS
#define USAGE_KEYS \
	"  -k, --help-keys      list the keys of the configuration\n"
#define USAGE_END \
	"  -V, --version        print the version\n" \
	"  -h, --help           print this text\n"

/**
 * struct engine - a daemon of the test
 * @ran: it ran
 */
struct engine {
	int ran;
};

static void help_keys(FILE *out)
{
	fputs("keys\n", out);
}

static int test_start(const struct daemon_start *start, char *why, size_t size)
{
	printf("check %s%s%s\n", start->path, start->as ? " as " : "", start->as ? start->as : "");
	if (strcmp(start->path, "bad")) {
		if (!strcmp(start->path, "good"))
			snprintf(why, size, "it is good");
		return 0;
	}
	snprintf(why, size, "it is bad");
	return -1;
}

static struct engine *start_engine(const struct daemon_start *start, char *why, size_t size)
{
	static struct engine engine;

	printf("open %s, slack %d%s%s\n", start->path, prctl(PR_GET_TIMERSLACK),
	       start->data ? ", " : "", start->data ? (const char *)start->data : "");
	snprintf(why, size, "it does not open");
	return strcmp(start->path, "bad") ? &engine : NULL;
}

static int run(struct engine *engine)
{
	engine->ran++;
	puts("run");
	return 7;
}

static void end(struct engine *engine)
{
	printf("close %d\n", engine->ran);
}

static int debug(char *arg, void *data)
{
	snprintf(data, 16, "%s", arg);
	return strcmp(arg, "wrong") ? 0 : daemon_main_wrong("tried", "--debug:", arg);
}

static struct daemon_program program = {
	.name = "tried",
	.version = "1.2",
	.path = "/etc/tried.conf",
	.help_keys = help_keys,
	.check = test_start,
	.open = start_engine,
	.run = run,
	.close = end,
};

static int call(void *data)
{
	char *argv[8] = { "tried" }, *arguments = data;
	int argc = 1;

	while ((argv[argc] = strsep(&arguments, " ")))
		argc++;
	return daemon_main(&program, argc, argv);
}

static int call_full(void *data)
{
	(void)!freopen("/dev/full", "w", stdout);
	return call(data);
}

static void expect(const char *line, int status, const char *out, const char *err)
{
	char arguments[64];
	struct output o;

	snprintf(arguments, sizeof(arguments), "%s", line);
	o = output_of(call, arguments);
	tap_ok(output_is(&o, status, out, err), "tried %s", line);
}

int main(void)
{
	static char set[16], arguments[8] = "-k";
	struct output o;

	expect("-h", 0, USAGE_BEGIN USAGE_END, "");
	expect("--version", 0, "tried (sharpramp) 1.2\n", "");
	expect("-k", 0, "keys\n", "");
	o = output_of(call_full, arguments);
	tap_ok(output_is(&o, 1, "", "tried: standard output: No space left on device\n"),
	       "a full disk is reported");
	expect("-t", 0, "check /etc/tried.conf\n", "");
	expect("-t -f good", 0, "check good\nit is good\n", "");
	expect("-f bad --test", 1, "check bad\n", "tried: it is bad\n");
	expect("-f good", 7, "open good, slack 1\nrun\nclose 1\n", "");
	expect("-f bad", 1, "open bad, slack 1\n", "tried: it does not open\n");
	expect("-t good", 2, "", "tried: unexpected argument good: see tried --help\n");
	expect("-x", 2, "", "see tried --help\n");
	expect("-f", 2, "", "see tried --help\n");
	expect("--files=good", 2, "", "see tried --help\n");
	expect("-d a", 2, "", "see tried --help\n");
	expect("--debug a", 2, "", "see tried --help\n");
	expect("-t -a 3", 2, "", "see tried --help\n");
	expect("-t --as 3", 2, "", "see tried --help\n");
	program.as_usage = "  -a, --as ID          as this one\n";
	expect("-h", 0,
	       USAGE_FIRST "  -a, --as ID          as this one\n" USAGE_KEYS USAGE_END, "");
	expect("-t -a 3 -f good", 0, "check good as 3\nit is good\n", "");
	expect("--as=3 -t", 0, "check /etc/tried.conf as 3\n", "");
	expect("--as 3 -f bad -t", 1, "check bad as 3\n", "tried: it is bad\n");
	expect("-a 3 -f good", 2, "", "tried: --as is only for --test, not 3: see tried --help\n");
	expect("-t -a", 2, "", "see tried --help\n");
	program.as_usage = NULL;
	program.debug = debug;
	program.debug_data = set;
	program.debug_usage = "  -d, --debug WORD     worse\n";
	expect("-h", 0, USAGE_BEGIN "  -d, --debug WORD     worse\n" USAGE_END, "");
	expect("-d a -f good", 7, "open good, slack 1, a\nrun\nclose 1\n", "");
	expect("--debug=b -t", 0, "check /etc/tried.conf\n", "");
	expect("-d wrong -f good", 2, "", "tried: --debug: wrong: see tried --help\n");
	return tap_done();
}
