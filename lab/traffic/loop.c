// SPDX-License-Identifier: GPL-2.0
/*
 * The event loop and the clock
 *
 * Timers are edge-triggered timerfds that are never read, as setting one again
 * clears it: in the lab a system call costs some ten microseconds of wall time.
 * So they fire once; the kernel repeats a timerfd only when it is read.
 */
#include <errno.h>
#include <string.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "loop.h"
#include "parse.h"

/* One round of events; more in one go mean fewer returns from the kernel. */
#define EVENTS	256

static int epoll_fd = -1;
static bool stopped;
static struct watch *watched;	/* all of them, so that a lost one is seen as a leak */
static struct watch *retired;

int loop_open(void)
{
	epoll_fd = epoll_create1(EPOLL_CLOEXEC);
	return epoll_fd < 0 ? complain(NULL, "epoll: %s", strerror(errno)) : 0;
}

int loop_add(struct watch *w, u32 events)
{
	struct epoll_event ev = { .events = events, .data.ptr = w };

	if (epoll_ctl(epoll_fd, EPOLL_CTL_ADD, w->fd, &ev))
		return -1;
	w->prev = NULL;
	w->next = watched;
	if (watched)
		watched->prev = w;
	watched = w;
	return 0;
}

void loop_change(struct watch *w, u32 events)
{
	struct epoll_event ev = { .events = events, .data.ptr = w };

	/* Cannot fail: the descriptor is open and in the set. */
	epoll_ctl(epoll_fd, EPOLL_CTL_MOD, w->fd, &ev);
}

void loop_retire(struct watch *w)
{
	close(w->fd);
	w->ready = NULL;
	if (w->prev)
		w->prev->next = w->next;
	else
		watched = w->next;
	if (w->next)
		w->next->prev = w->prev;
	w->next = retired;
	retired = w;
}

static void release_retired(void)
{
	struct watch *w;

	while ((w = retired)) {
		retired = w->next;
		w->release(w);
	}
}

int loop_run(void)
{
	struct epoll_event ev[EVENTS];
	struct watch *w;
	int i, n;

	while (!stopped) {
		n = epoll_wait(epoll_fd, ev, EVENTS, -1);
		if (n < 0 && errno != EINTR)
			return complain(NULL, "epoll: %s", strerror(errno));
		for (i = 0; i < n; i++) {
			w = ev[i].data.ptr;
			if (w->ready)
				w->ready(w, ev[i].events);
		}
		release_retired();
	}
	return 0;
}

void loop_stop(void)
{
	stopped = true;
}

int timer_open(struct watch *w)
{
	w->fd = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
	if (w->fd < 0 || loop_add(w, EPOLLIN | EPOLLET))
		return complain(NULL, "timer: %s", strerror(errno));
	return 0;
}

static struct timespec to_timespec(u64 ns)
{
	return (struct timespec){ .tv_sec = ns / NSEC_PER_SEC, .tv_nsec = ns % NSEC_PER_SEC };
}

void timer_at(struct watch *w, u64 ns)
{
	struct itimerspec when = { .it_value = to_timespec(ns ? ns : 1) };

	if (ns == UINT64_MAX)
		memset(&when, 0, sizeof(when));
	timerfd_settime(w->fd, TFD_TIMER_ABSTIME, &when, NULL);
}

void timer_after(struct watch *w, u64 ns)
{
	struct itimerspec when = { .it_value = to_timespec(ns) };

	timerfd_settime(w->fd, 0, &when, NULL);
}

u64 clock_now(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * NSEC_PER_SEC + now.tv_nsec;
}
