// SPDX-License-Identifier: GPL-2.0
/*
 * A program that asks a daemon, and its messages.
 */
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>

#include "../../selftests/lib/tap.h"
#include "../client.h"
#include "output.h"

static char folder[64], path[128];

static struct client client = { "askctl", "askd", "askers", path, false };

/* The request itself, in capitals what the test wants otherwise. */
static void answer(FILE *out, char *line, void *data)
{
	(void)data;
	if (!strcmp(line, "WRONG"))
		fprintf(out, "error it is wrong\n");
	else if (!strcmp(line, "ODD"))
		fprintf(out, "neither\n");
	else if (strcmp(line, "NOTHING"))
		fprintf(out, "ok\n%s\n", line);
}

/* In a process of its own, whose end closes the socket; it begins to listen before this returns. */
static pid_t serve(void)
{
	struct pollfd wait = { .events = POLLIN };
	struct control *control;
	int ready[2];
	char why[256];
	pid_t pid;

	if (pipe(ready))
		return -1;
	pid = fork();
	close(ready[pid ? 1 : 0]);
	if (pid) {
		pid = read(ready[0], why, 1) == 1 ? pid : -1;
		close(ready[0]);
		return pid;
	}
	control = control_open(path, "askd", answer, NULL, why, sizeof(why));
	if (!control || write(ready[1], "", 1) != 1)
		_exit(1);
	wait.fd = control_fd(control);
	while (poll(&wait, 1, -1) > 0)
		control_work(control);
	_exit(0);
}

static int show(void *data)
{
	return client_show(&client, data);
}

static int ask_quietly(void *data)
{
	char *text = client_request(&client, data, true);

	free(text);
	return !text;
}

static int print_full(void *data)
{
	(void)!freopen("/dev/full", "w", stdout);
	return client_print(&client, data);
}

static int wrong(void *data)
{
	return client_wrong(&client, "unexpected argument", data);
}

static const char *const commands[] = { "stats", "statsall", "resume", "restore", NULL };

/* The status is the command's place; 99: none. */
static int command(void *data)
{
	int i = client_command(&client, commands, data);

	return i < 0 ? 99 : i;
}

static const struct {
	const char *text;
	int place;
	const char *complaint;
	const char *name;
} named[] = {
	{ "restore", 3, "", "a command by its name" },
	{ "resu", 2, "", "by a beginning of its own" },
	{ "stats", 0, "", "by its name, which another begins with" },
	{ "res", 99, "askctl: ambiguous command res: resume restore: see askctl --help\n",
	  "a beginning of two is refused, with both" },
	{ "stat", 99, "askctl: ambiguous command stat: stats statsall: see askctl --help\n",
	  "so is one of a name and a longer one" },
	{ "restored", 99, "askctl: unknown command restored: see askctl --help\n",
	  "a name and more is refused" },
	{ "Stats", 99, "askctl: unknown command Stats: see askctl --help\n",
	  "another case is refused" },
	{ "", 99, "askctl: a command is missing: see askctl --help\n",
	  "nothing is a beginning of no command" },
	{ NULL, 99, "askctl: a command is missing: see askctl --help\n", "no command" },
};

static void test_commands(void)
{
	size_t i;

	for (i = 0; i < sizeof(named) / sizeof(*named); i++) {
		struct output o = output_of(command, (void *)named[i].text);

		tap_ok(output_is(&o, named[i].place, "", named[i].complaint), "%s", named[i].name);
	}
}

static void test_answers(void)
{
	char longest[CLIENT_REQUEST], whole[CONTROL_LINE];
	struct output o = output_of(show, "peers");

	tap_ok(output_is(&o, 0, "peers\n", ""), "an answer is printed without its first line");
	client.json = true;
	o = output_of(show, "peers");
	tap_ok(output_is(&o, 0, "peers json\n", ""), "JSON is requested");
	client.json = false;
	memset(longest, 'x', sizeof(longest) - 1);
	longest[sizeof(longest) - 1] = '\0';
	snprintf(whole, sizeof(whole), "%s json\n", longest);
	client.json = true;
	o = output_of(show, longest);
	tap_ok(output_is(&o, 0, whole, ""), "the longest request is whole");
	client.json = false;
	o = output_of(show, "WRONG");
	tap_ok(output_is(&o, 1, "", "askctl: it is wrong\n"), "a refusal goes to standard error");
	o = output_of(show, "ODD");
	tap_ok(output_is(&o, 1, "", ": askd does not answer\n"),
	       "another answer is none");
	o = output_of(show, "NOTHING");
	tap_ok(output_is(&o, 1, "", ": askd does not answer\n"), "no answer");
	o = output_of(ask_quietly, "peers");
	tap_ok(output_is(&o, 0, "", ""), "a quiet request is answered");
	o = output_of(ask_quietly, "WRONG");
	tap_ok(output_is(&o, 1, "", ""), "a quiet one explains no refusal");
	o = output_of(ask_quietly, "NOTHING");
	tap_ok(output_is(&o, 1, "", ""), "nor that there is no answer");
}

static void test_absent(void)
{
	char longer[256];
	struct output o = output_of(show, "peers");

	tap_ok(output_is(&o, 1, "", "check that askd is running: systemctl status askd\n"),
	       "nobody listens");
	o = output_of(ask_quietly, "peers");
	tap_ok(output_is(&o, 1, "", ""), "which a quiet request does not explain");
	unlink(path);
	o = output_of(show, "peers");
	tap_ok(output_is(&o, 1, "", "No such file or directory: check that askd is running"),
	       "there is no socket");
	snprintf(longer, sizeof(longer), "%s/%0120d", folder, 0);
	client.socket = longer;
	o = output_of(show, "peers");
	tap_ok(output_is(&o, 1, "", "set the socket with -s\n"), "the path is too long");
	client.socket = path;
}

/* Root may connect to each socket. */
static int show_as_other(void *data)
{
	return setgid(65534) || setuid(65534) ? 99 : show(data);
}

static void test_rights(void)
{
	struct output o;

	if (geteuid()) {
		tap_ok(true, "another user # SKIP needs root");
		return;
	}
	chmod(folder, 0755);
	o = output_of(show_as_other, "peers");
	tap_ok(output_is(&o, 1, "", "root, or membership in the group askers, is needed\n"),
	       "another user may not ask");
}

static void test_messages(void)
{
	struct output o = output_of(wrong, "x");

	tap_ok(output_is(&o, 2, "", "askctl: unexpected argument x: see askctl --help\n"),
	       "a wrong argument");
	o = output_of(wrong, NULL);
	tap_ok(output_is(&o, 2, "", "askctl: unexpected argument: see askctl --help\n"),
	       "a fault without an argument");
	o = output_of(print_full, "text\n");
	tap_ok(output_is(&o, 1, "", "askctl: standard output: No space left on device\n"),
	       "a full disk is reported");
}

int main(void)
{
	pid_t pid;

	snprintf(folder, sizeof(folder), "/tmp/clients.XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	snprintf(path, sizeof(path), "%s/control", folder);
	test_commands();
	pid = serve();
	if (!tap_ok(pid > 0, "a daemon listens"))
		return tap_done();
	test_answers();
	test_rights();
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	test_absent();
	test_messages();
	rmdir(folder);
	return tap_done();
}
