// SPDX-License-Identifier: GPL-2.0
/*
 * What a daemon waits for: a timer, signals, and descriptors of its own.
 */
#include <errno.h>
#include <signal.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <unistd.h>

#include "events.h"
#include "fail.h"
#include "log.h"

/* Of one wait; more come with the next. */
#define EVENTS_MOST	8

static int events_fail(char *why, size_t size)
{
	return fail(why, size, "cannot create event loop: %s", strerror(errno));
}

int events_open(struct events *e, char *why, size_t size)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	e->signal = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
	e->timer = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK | TFD_CLOEXEC);
	e->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (e->signal < 0 || e->timer < 0 || e->epoll < 0)
		return events_fail(why, size);
	if (events_watch(e, e->timer, EVENTS_TIMER, why, size))
		return -1;
	return events_watch(e, e->signal, EVENTS_SIGNAL, why, size);
}

int events_watch(struct events *e, int fd, uint32_t source, char *why, size_t size)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = source };

	if (fd < 0 || !epoll_ctl(e->epoll, EPOLL_CTL_ADD, fd, &event))
		return 0;
	return events_fail(why, size);
}

int events_wait(struct events *e, events_serve_fn serve, void *data)
{
	struct epoll_event event[EVENTS_MOST];
	int count = epoll_wait(e->epoll, event, EVENTS_MOST, -1);
	int i;

	if (count < 0 && errno != EINTR) {
		log_message(LOG_LEVEL_ERROR, "epoll: %s", strerror(errno));
		return -1;
	}
	for (i = 0; i < count; i++)
		serve(event[i].data.u32, data);
	return 0;
}

uint64_t events_expired(struct events *e)
{
	uint64_t times;

	return read(e->timer, &times, sizeof(times)) == sizeof(times) ? times : 0;
}

enum events_wish events_signal(struct events *e)
{
	struct signalfd_siginfo info;

	if (read(e->signal, &info, sizeof(info)) != sizeof(info))
		return EVENTS_NOTHING;
	return info.ssi_signo == SIGHUP ? EVENTS_RELOAD : EVENTS_STOP;
}

static void events_close_fd(int *fd)
{
	if (*fd >= 0)
		close(*fd);
	*fd = -1;
}

void events_close(struct events *e)
{
	events_close_fd(&e->epoll);
	events_close_fd(&e->timer);
	events_close_fd(&e->signal);
}
