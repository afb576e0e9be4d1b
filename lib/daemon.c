// SPDX-License-Identifier: GPL-2.0
/*
 * A running daemon.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "daemon.h"
#include "fail.h"
#include "log.h"
#include "notify.h"

/* At a time; what is left comes next. */
#define DAEMON_EVENTS	8
#define DAEMON_NS	1000000000LL

static int daemon_fail(char *why, size_t size)
{
	return fail(why, size, "cannot create event loop: %s", strerror(errno));
}

static int daemon_open_events(struct daemon *d, char *why, size_t size)
{
	sigset_t set;

	sigemptyset(&set);
	sigaddset(&set, SIGHUP);
	sigaddset(&set, SIGINT);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_BLOCK, &set, NULL);
	signal(SIGPIPE, SIG_IGN);
	d->epoll = epoll_create1(EPOLL_CLOEXEC);
	d->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	d->signal = signalfd(-1, &set, SFD_CLOEXEC | SFD_NONBLOCK);
	if (d->epoll < 0 || d->timer < 0 || d->signal < 0)
		return daemon_fail(why, size);
	return 0;
}

int daemon_open(struct daemon *d, const char *path, control_answer_fn answer, void *answer_data,
		char *why, size_t size)
{
	d->control = control_open(path, d->name, answer, answer_data, why, size);
	if (!d->control)
		return -1;
	notify_open();
	return daemon_open_events(d, why, size) ||
	       daemon_watch(d, d->timer, DAEMON_TIMER, why, size) ||
	       daemon_watch(d, d->signal, DAEMON_SIGNAL, why, size) ||
	       daemon_watch(d, control_fd(d->control), DAEMON_CONTROL, why, size) ? -1 : 0;
}

int daemon_watch(struct daemon *d, int fd, uint32_t source, char *why, size_t size)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = source };

	if (fd < 0 || !epoll_ctl(d->epoll, EPOLL_CTL_ADD, fd, &event))
		return 0;
	return daemon_fail(why, size);
}

void daemon_set_timer(struct daemon *d, int64_t after_ns, int64_t every_ns)
{
	struct itimerspec at = { .it_interval = { every_ns / DAEMON_NS, every_ns % DAEMON_NS } };

	/* 0 would stop it. */
	if (after_ns < 1)
		after_ns = 1;
	at.it_value = (struct timespec){ after_ns / DAEMON_NS, after_ns % DAEMON_NS };
	timerfd_settime(d->timer, 0, &at, NULL);
}

static void daemon_on_timer(struct daemon *d, const struct daemon_ops *ops)
{
	uint64_t times;

	if (read(d->timer, &times, sizeof(times)) == sizeof(times) && ops->timer)
		ops->timer(times, d->data);
}

static void daemon_on_signal(struct daemon *d, const struct daemon_ops *ops)
{
	struct signalfd_siginfo info;

	while (read(d->signal, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo != SIGHUP) {
			d->stop = true;
			continue;
		}
		notify_reloading();
		ops->reload(d->data);
		notify_ready();
	}
}

static void daemon_serve(struct daemon *d, const struct daemon_ops *ops, uint32_t source)
{
	switch (source) {
	case DAEMON_TIMER:
		daemon_on_timer(d, ops);
		return;
	case DAEMON_SIGNAL:
		daemon_on_signal(d, ops);
		return;
	case DAEMON_CONTROL:
		control_work(d->control);
		break;
	}
	ops->serve(source, d->data);
}

int daemon_wait(struct daemon *d, const struct daemon_ops *ops)
{
	struct epoll_event event[DAEMON_EVENTS];
	int count = epoll_wait(d->epoll, event, DAEMON_EVENTS, -1);
	struct timespec now;
	int i;

	if (count < 0 && errno != EINTR) {
		log_message(LOG_LEVEL_ERROR, "epoll: %s", strerror(errno));
		return -1;
	}
	for (i = 0; i < count; i++)
		daemon_serve(d, ops, event[i].data.u32);
	clock_gettime(CLOCK_MONOTONIC, &now);
	notify_alive(now.tv_sec * DAEMON_NS + now.tv_nsec);
	return 0;
}

static void daemon_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void daemon_close(struct daemon *d)
{
	control_close(d->control);
	d->control = NULL;
	daemon_close_fd(&d->epoll);
	daemon_close_fd(&d->timer);
	daemon_close_fd(&d->signal);
}
