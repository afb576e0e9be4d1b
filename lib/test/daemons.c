// SPDX-License-Identifier: GPL-2.0
/*
 * A running daemon: signals, timer, control socket, descriptors of its own.
 */
#include <errno.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <time.h>

#include "../../selftests/lib/tap.h"
#include "../daemon.h"
#include "../notify.h"
#include "output.h"

#define DAEMONS_NS	1000000000LL

static char folder[64], path[128];

/**
 * struct seen - what a daemon did
 * @requests: it answered
 * @reloads: signals to reload
 * @expired: how often the timer expired
 * @own: events of its own descriptor
 * @answered: events after requests
 * @fd: its own descriptor
 */
struct seen {
	int		requests;
	int		reloads;
	uint64_t	expired;
	int		own;
	int		answered;
	int		fd;
};

static void answer(FILE *out, char *line, void *data)
{
	struct seen *seen = data;

	seen->requests++;
	fprintf(out, "ok\n%s\n", line);
}

static void reload(void *data)
{
	((struct seen *)data)->reloads++;
}

static void timer(uint64_t times, void *data)
{
	((struct seen *)data)->expired += times;
}

static void serve(uint32_t source, void *data)
{
	struct seen *seen = data;
	char byte;

	if (source == DAEMON_CONTROL)
		seen->answered++;
	else if (source == DAEMON_OWN && read(seen->fd, &byte, 1) == 1)
		seen->own++;
}

static const struct daemon_ops ops = {
	.reload = reload,
	.timer = timer,
	.serve = serve,
};

static const struct daemon_ops without_timer = {
	.reload = reload,
	.serve = serve,
};

/* Return: the service manager's socket, without waiting. */
static int listen_as_manager(void)
{
	struct sockaddr_un address = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	snprintf(address.sun_path, sizeof(address.sun_path), "%.90s/notify", folder);
	setenv("NOTIFY_SOCKET", address.sun_path, 1);
	return bind(fd, (struct sockaddr *)&address, sizeof(address)) ? -1 : fd;
}

/* Return: true if the next notification has this line. */
static bool is_notified(int fd, const char *line)
{
	char text[256];
	ssize_t n = recv(fd, text, sizeof(text) - 1, 0);

	text[n < 0 ? 0 : n] = '\0';
	return strstr(text, line);
}

static void test_signals(struct daemon *d, struct seen *seen)
{
	int manager = listen_as_manager();
	char byte;

	notify_open();
	kill(getpid(), SIGHUP);
	tap_ok(!daemon_wait(d, &ops) && seen->reloads == 1 && !d->stop, "SIGHUP reloads");
	tap_ok(is_notified(manager, "RELOADING=1"), "the service manager learns that it does");
	tap_ok(is_notified(manager, "READY=1"), "and when it has");
	tap_ok(recv(manager, &byte, 1, 0) < 0, "and nothing else");
	kill(getpid(), SIGPIPE);
	kill(getpid(), SIGINT);
	tap_ok(!daemon_wait(d, &ops) && d->stop && seen->reloads == 1,
	       "SIGINT stops, SIGPIPE does nothing");
	d->stop = false;
	kill(getpid(), SIGHUP);
	kill(getpid(), SIGTERM);
	tap_ok(!daemon_wait(d, &ops) && d->stop && seen->reloads == 2,
	       "of two signals none is lost");
	d->stop = false;
	close(manager);
}

/* How many notifications that the daemon works come from these calls. */
static int alive(const char *usec, const char *pid)
{
	static const int64_t at_ns[] = {
		5000, 5001, 10000004999, 10000005000, 10000005001, 99000000000,
	};
	int manager = listen_as_manager(), n = 0;
	char socket_path[64];
	size_t i;

	snprintf(socket_path, sizeof(socket_path), "%.40s/notify", folder);
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
	if (usec)
		setenv("WATCHDOG_USEC", usec, 1);
	if (pid)
		setenv("WATCHDOG_PID", pid, 1);
	notify_open();
	for (i = 0; i < sizeof(at_ns) / sizeof(*at_ns); i++)
		notify_alive(at_ns[i]);
	while (is_notified(manager, "WATCHDOG=1"))
		n++;
	close(manager);
	unlink(socket_path);
	return n;
}

static void test_watchdog(void)
{
	char self[32];

	snprintf(self, sizeof(self), "%d", getpid());
	tap_ok(alive("30000000", self) == 3,
	       "the manager learns at a third of its limit that it works");
	tap_ok(alive("30000000", NULL) == 3, "without a process id, too");
	tap_ok(!alive(NULL, self), "but not without a limit");
	tap_ok(!alive("30000000", "1"), "nor for another process");
	tap_ok(!alive("30s", self) && !alive("", self) && !alive("-1", self) && !alive("0", self),
	       "nor with a limit that is none");
	unsetenv("WATCHDOG_USEC");
	unsetenv("WATCHDOG_PID");
}

static int64_t now_ns(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * DAEMONS_NS + now.tv_nsec;
}

static void test_timer(struct daemon *d, struct seen *seen)
{
	const struct timespec pause = { 0, 20000000 };
	int64_t start_ns = now_ns();

	daemon_set_timer(d, 10000000, 0);
	tap_ok(!daemon_wait(d, &ops) && seen->expired == 1 && now_ns() - start_ns >= 10000000,
	       "the timer expires, and not before its time");
	daemon_set_timer(d, 1, 1000000);
	nanosleep(&pause, NULL);
	tap_ok(!daemon_wait(d, &ops) && seen->expired >= 20,
	       "intervals that were missed are counted");
	daemon_set_timer(d, -5, 0);
	seen->expired = 0;
	tap_ok(!daemon_wait(d, &ops) && seen->expired == 1, "a time in the past is now");
	daemon_set_timer(d, 1, 0);
	seen->expired = 0;
	tap_ok(!daemon_wait(d, &without_timer) && !seen->expired,
	       "a daemon need not serve the timer");
}

static int request(void *data)
{
	char *text;

	(void)data;
	if (control_request(path, "peers\n", &text) || !text)
		return 1;
	fputs(text, stdout);
	free(text);
	return 0;
}

static int stays_at(void *data)
{
	struct daemon other = DAEMON_CLOSED("other", data);
	char why[256] = "";
	int ret = daemon_open(&other, path, answer, NULL, why, sizeof(why));

	fputs(why, stderr);
	daemon_close(&other);
	return !!ret;
}

/* The daemon serves in this process until the client, another one, is answered. */
static void test_control(struct daemon *d, struct seen *seen)
{
	struct output o;
	int status = -1;
	pid_t pid;

	fflush(NULL);
	pid = fork();
	if (!pid)
		_exit(request(NULL));
	while (!waitpid(pid, &status, WNOHANG)) {
		daemon_set_timer(d, 10000000, 0);
		if (daemon_wait(d, &ops))
			break;
	}
	tap_ok(WIFEXITED(status) && !WEXITSTATUS(status) && seen->requests == 1 && seen->answered,
	       "a request is answered, which the daemon learns");
	o = output_of(stays_at, seen);
	tap_ok(output_is(&o, 1, "", "another other is using it"),
	       "no other gets its control socket");
}

static void test_own(struct daemon *d, struct seen *seen)
{
	char why[256] = "";
	int fd[2];

	if (pipe(fd))
		return;
	seen->fd = fd[0];
	tap_ok(!daemon_watch(d, -1, DAEMON_OWN, why, sizeof(why)) && !*why,
	       "no descriptor is nothing to wait for");
	tap_ok(!daemon_watch(d, fd[0], DAEMON_OWN, why, sizeof(why)) &&
	       write(fd[1], "", 1) == 1 && !daemon_wait(d, &ops) && seen->own == 1,
	       "a descriptor of its own is served");
	tap_ok(daemon_watch(d, fd[0], DAEMON_OWN, why, sizeof(why)) && strstr(why, "File exists"),
	       "the same twice is refused");
	close(fd[0]);
	close(fd[1]);
}

static void test_closed(struct daemon *d)
{
	struct daemon never = DAEMON_CLOSED("never", NULL);
	char why[256] = "";

	daemon_close(d);
	tap_ok(access(path, F_OK) && errno == ENOENT, "the control socket's name goes with it");
	daemon_close(d);
	daemon_close(&never);
	tap_ok(daemon_open(&never, "/nonexistent/control", answer, NULL, why, sizeof(why)) &&
	       strstr(why, "/nonexistent") && never.epoll < 0, "no control socket, no daemon");
	daemon_close(&never);
}

int main(void)
{
	struct seen seen = { .fd = -1 };
	struct daemon d = DAEMON_CLOSED("tried", &seen);
	char why[256];

	unsetenv("NOTIFY_SOCKET");
	unsetenv("WATCHDOG_USEC");
	snprintf(folder, sizeof(folder), "/tmp/daemons.XXXXXX");
	if (!mkdtemp(folder))
		return 1;
	test_watchdog();
	unsetenv("NOTIFY_SOCKET");
	notify_open();
	snprintf(path, sizeof(path), "%s/control", folder);
	if (tap_ok(!daemon_open(&d, path, answer, &seen, why, sizeof(why)), "it opens")) {
		test_signals(&d, &seen);
		test_timer(&d, &seen);
		test_control(&d, &seen);
		test_own(&d, &seen);
		test_closed(&d);
	}
	snprintf(path, sizeof(path), "%s/notify", folder);
	unlink(path);
	rmdir(folder);
	return tap_done();
}
