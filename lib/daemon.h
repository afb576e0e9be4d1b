/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A running daemon, which is one thread: its timer, signals, control socket and descriptors of
 * its own.
 */
#ifndef SHARPRAMP_LIB_DAEMON_H
#define SHARPRAMP_LIB_DAEMON_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "control.h"

/** enum daemon_source - source of an event; a daemon's own are DAEMON_OWN and up */
enum daemon_source {
	DAEMON_TIMER,
	DAEMON_SIGNAL,
	DAEMON_CONTROL,
	DAEMON_OWN,
};

/**
 * struct daemon_ops - functions of one daemon, which get the @data of struct daemon
 * @reload: SIGHUP came: reads the configuration again; the service manager is notified before
 *	and after it
 * @timer: the timer expired, @times since the last call; NULL: nothing is done
 * @serve: an event of @source came, DAEMON_OWN or up; or DAEMON_CONTROL: requests were answered
 */
struct daemon_ops {
	void			(*reload)(void *data);
	void			(*timer)(uint64_t times, void *data);
	void			(*serve)(uint32_t source, void *data);
};

/**
 * struct daemon - a daemon
 * @name: its name, for messages
 * @data: for the functions of struct daemon_ops
 * @control: its control socket; NULL: closed
 * @epoll: what is waited for; -1: closed, as the next two
 * @timer: timerfd of CLOCK_MONOTONIC
 * @signal: signalfd
 * @stop: SIGINT or SIGTERM came
 */
struct daemon {
	const char		*name;
	void			*data;
	struct control		*control;
	int			epoll;
	int			timer;
	int			signal;
	bool			stop;
};

/* A daemon that is not open; daemon_close() may be called. */
#define DAEMON_CLOSED(n, d) \
	((struct daemon){ .name = (n), .data = (d), \
			  .epoll = -1, .timer = -1, .signal = -1 })

/**
 * daemon_open() - begin to wait for signals, and for requests at the control socket
 * @d: DAEMON_CLOSED()
 * @path: of the control socket
 * @answer: answers a request
 * @answer_data: for @answer
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Call before privileges are dropped.  SIGHUP, SIGINT and SIGTERM are blocked from now on, and
 * SIGPIPE is ignored.  The service manager's socket is opened, too: notify_open().
 *
 * Return: 0 or -1; daemon_close() in both cases.
 */
int daemon_open(struct daemon *d, const char *path, control_answer_fn answer, void *answer_data,
		char *why, size_t size);

/**
 * daemon_watch() - wait for a descriptor to become readable, too
 * @d: the daemon, open
 * @fd: the descriptor; negative: nothing is done
 * @source: source of its events, from DAEMON_OWN on
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int daemon_watch(struct daemon *d, int fd, uint32_t source, char *why, size_t size);

/**
 * daemon_set_timer() - set when the timer expires
 * @d: the daemon, open
 * @after_ns: from now; below 1 counts as 1
 * @every_ns: and at this interval after that; 0: once
 */
void daemon_set_timer(struct daemon *d, int64_t after_ns, int64_t every_ns);

/**
 * daemon_wait() - wait, and serve what came
 * @d: the daemon, open
 * @ops: its functions
 *
 * The caller calls it until @d->stop.
 *
 * Return: 0, or -1 if it cannot wait any more, which is logged.
 */
int daemon_wait(struct daemon *d, const struct daemon_ops *ops);

/**
 * daemon_close() - close the control socket, and wait no more
 * @d: the daemon, open or DAEMON_CLOSED()
 */
void daemon_close(struct daemon *d);

#endif /* SHARPRAMP_LIB_DAEMON_H */
