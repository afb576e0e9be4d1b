// SPDX-License-Identifier: GPL-2.0
/* child.c - other programs: run and waited for, or in the background */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "child.h"
#include "netns.h"
#include "run.h"

#define OUTPUT "/run/output"
#define ERRORS "/run/errors"
#define LOG RESULT_DIR "/exec.log"

/* How long a program may take that the epoch does not bound: an hour, ns. */
#define LONGEST 3600000000000ULL
/* How long one may take to end after the request to: a second, ns. */
#define PARTING 1000000000ULL

/* Those in the background: id, line that started it, is its exit status that of this program? */
static struct spawned {
	pid_t pid;
	unsigned int line;
	bool must_succeed;
} *spawned;
static size_t n_spawned;

/**
 * child_setup() - get ready to wait for children with a timeout
 */
void child_setup(void)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	sigprocmask(SIG_BLOCK, &set, NULL);
}

/* In the child: own streams, no blocked signals, then the program. */
static noreturn void become(char *const *argv, const char *out, const char *err)
{
	sigset_t none;
	int fd;

	sigemptyset(&none);
	sigprocmask(SIG_SETMASK, &none, NULL);
	fd = open("/dev/null", O_RDONLY);
	dup2(fd, 0);
	fd = open(out, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	dup2(fd, 1);
	if (strcmp(out, err))
		fd = open(err, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
	dup2(fd, 2);
	execvp(argv[0], argv);
	fprintf(stderr, "cannot run %s: %s\n", argv[0], strerror(errno));
	_exit(127);
}

/**
 * child_fork() - fork into a namespace
 * @step: directive to blame
 * @ns: index of the namespace
 *
 * Return: the child's id, or 0 in the child.
 */
pid_t child_fork(const struct topo_step *step, unsigned int ns)
{
	pid_t pid = fork();

	if (pid < 0)
		fail(step->line, "cannot fork: %s", strerror(errno));
	if (!pid)
		netns_enter(ns);
	return pid;
}

/* Wait for one child until a time; false: it still runs. Reaps others, too. */
static bool wait_until(pid_t pid, uint64_t until, int *status)
{
	struct timespec left;
	sigset_t set;
	uint64_t now;

	sigemptyset(&set);
	sigaddset(&set, SIGCHLD);
	while (waitpid(pid, status, WNOHANG) != pid) {
		now = now_ns();
		if (now >= until)
			return false;
		left.tv_sec = (until - now) / 1000000000;
		left.tv_nsec = (until - now) % 1000000000;
		sigtimedwait(&set, NULL, &left);
	}
	return true;
}

/* The first bytes of what a program complained, on one line. */
static const char *complaint(void)
{
	static char text[512];
	FILE *file = fopen(ERRORS, "r");
	size_t i, len = 0;

	if (file) {
		len = fread(text, 1, sizeof(text) - 1, file);
		fclose(file);
	}
	while (len && (unsigned char)text[len - 1] <= ' ')
		len--;
	text[len] = 0;
	for (i = 0; i < len; i++)
		if ((unsigned char)text[i] < ' ')
			text[i] = ' ';
	return text;
}

static void check(unsigned int line, const char *name, int status)
{
	if (WIFSIGNALED(status))
		fail(line, "%s was ended by signal %d: %s", name,
		     WTERMSIG(status), complaint());
	if (WEXITSTATUS(status))
		fail(line, "%s failed (%d): %s", name, WEXITSTATUS(status),
		     complaint());
}

/* Exit status of flowgen if flows did not end: the results have them. */
#define FLOWGEN_LOST	3

/* A program's output goes to the log, under the line that called it. */
static void log_output(unsigned int line, char *const *argv)
{
	FILE *from = fopen(OUTPUT, "r"), *to;
	char text[4096];
	size_t len;

	if (!from)
		return;
	len = fread(text, 1, sizeof(text), from);
	if (len) {
		to = fopen(LOG, "a");
		if (!to)
			fail(line, "%s: %s", LOG, strerror(errno));
		fprintf(to, "# topology:%u: %s\n", line, argv[0]);
		for (; len; len = fread(text, 1, sizeof(text), from))
			fwrite(text, 1, len, to);
		fclose(to);
	}
	fclose(from);
}

/**
 * child_exec() - run a program and wait for it
 * @step: exec or flowgen directive
 * @ns: index of the namespace to run it in
 * @until: when to give it up, ns of CLOCK_MONOTONIC
 */
void child_exec(const struct topo_step *step, unsigned int ns, uint64_t until)
{
	pid_t pid = child_fork(step, ns);
	int status;

	if (!pid)
		become(step->argv, OUTPUT, ERRORS);
	if (!wait_until(pid, until, &status))
		fail(step->line, "%s still runs at the deadline, %llu ns",
		     step->argv[0], (unsigned long long)until);
	log_output(step->line, step->argv);
	if (step->kind != TOPO_FLOWGEN || WEXITSTATUS(status) != FLOWGEN_LOST)
		check(step->line, step->argv[0], status);
}

/**
 * child_output() - run a program and keep what it says
 * @line: line of the topology script to blame
 * @ns: index of the namespace to run it in
 * @argv: program and arguments
 * @path: where its output goes
 */
void child_output(unsigned int line, unsigned int ns, char *const *argv,
		  const char *path)
{
	const struct topo_step step = { .line = line };
	pid_t pid = child_fork(&step, ns);
	int status;

	if (!pid)
		become(argv, path, ERRORS);
	if (!wait_until(pid, now_ns() + LONGEST, &status))
		fail(line, "%s does not end", argv[0]);
	check(line, argv[0], status);
}

/**
 * child_adopt() - have child_end() end a child
 * @pid: the child
 * @line: line of the topology script that it is for
 * @must_succeed: it fails the run if it fails after the request to end
 */
void child_adopt(pid_t pid, unsigned int line, bool must_succeed)
{
	spawned = realloc(spawned, (n_spawned + 1) * sizeof(*spawned));
	if (!spawned)
		fail(line, "out of memory");
	spawned[n_spawned++] = (struct spawned) {
		.pid = pid, .line = line, .must_succeed = must_succeed,
	};
}

/**
 * child_spawn() - run a program in the background
 * @step: spawn directive; what it says goes to result/spawn-LINE.log
 */
void child_spawn(const struct topo_step *step)
{
	pid_t pid = child_fork(step, step->ns);
	char path[64];

	if (!pid) {
		snprintf(path, sizeof(path), RESULT_DIR "/spawn-%u.log",
			 step->line);
		become(step->argv, path, path);
	}
	child_adopt(pid, step->line, false);
}

static void end_one(const struct spawned *s)
{
	int status;

	if (waitpid(s->pid, &status, WNOHANG) == s->pid) {
		if (status)
			fail(s->line, "the program had ended with status %#x before the run's end",
			     status);
		return;
	}
	kill(s->pid, SIGTERM);
	if (!wait_until(s->pid, now_ns() + PARTING, &status)) {
		kill(s->pid, SIGKILL);
		waitpid(s->pid, &status, 0);
	}
	if (status && s->must_succeed)
		fail(s->line, "failed with status %#x at the run's end",
		     status);
}

/**
 * child_end() - end whatever was spawned
 *
 * One that has failed before fails the run.
 */
void child_end(void)
{
	size_t i;

	for (i = 0; i < n_spawned; i++)
		end_one(&spawned[i]);
}
