/* SPDX-License-Identifier: GPL-2.0 */
/*
 * What a daemon waits for: a timer, signals, and descriptors of its own.
 */
#ifndef SHARPRAMP_LIB_EVENTS_H
#define SHARPRAMP_LIB_EVENTS_H

#include <stddef.h>
#include <stdint.h>

/** enum events_source - source of an event; a daemon's own are EVENTS_OWN and up */
enum events_source {
	EVENTS_TIMER,
	EVENTS_SIGNAL,
	EVENTS_OWN,
};

/** enum events_wish - what a signal asks for */
enum events_wish {
	EVENTS_NOTHING,
	EVENTS_RELOAD,	/* SIGHUP */
	EVENTS_STOP,	/* SIGINT, SIGTERM */
};

/**
 * struct events - what is waited for
 * @epoll: all of it; -1: closed, as the rest
 * @timer: timerfd of CLOCK_MONOTONIC, for timerfd_settime()
 * @signal: signalfd
 */
struct events {
	int	epoll;
	int	timer;
	int	signal;
};

#define EVENTS_CLOSED	((struct events){ -1, -1, -1 })

/**
 * typedef events_serve_fn - an event came
 * @source: where
 * @data: the daemon's
 */
typedef void (*events_serve_fn)(uint32_t source, void *data);

/**
 * events_open() - wait for the timer and for signals
 * @e: filled
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * SIGHUP, SIGINT and SIGTERM are blocked from now on, and SIGPIPE is ignored.
 *
 * Return: 0 or -1; events_close() in both cases.
 */
int events_open(struct events *e, char *why, size_t size);

/**
 * events_watch() - wait for a descriptor to become readable, too
 * @e: what is waited for
 * @fd: the descriptor; negative: nothing is done
 * @source: what its events are called, from EVENTS_OWN on
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int events_watch(struct events *e, int fd, uint32_t source, char *why, size_t size);

/**
 * events_wait() - wait, and serve what came
 * @e: what is waited for
 * @serve: called for each event
 * @data: for @serve
 *
 * Return: 0, or -1 if it cannot wait any more, which is logged.
 */
int events_wait(struct events *e, events_serve_fn serve, void *data);

/**
 * events_expired() - how often the timer expired since the last call
 * @e: what is waited for
 *
 * Return: how often.
 */
uint64_t events_expired(struct events *e);

/**
 * events_signal() - take the next signal
 * @e: what is waited for
 *
 * Return: what it asks for; EVENTS_NOTHING: there is none.
 */
enum events_wish events_signal(struct events *e);

/**
 * events_close() - wait no more
 * @e: what was waited for, or EVENTS_CLOSED
 */
void events_close(struct events *e);

#endif /* SHARPRAMP_LIB_EVENTS_H */
