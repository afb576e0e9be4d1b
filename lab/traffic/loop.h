/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The event loop and the clock
 */
#ifndef FLOWGEN_LOOP_H
#define FLOWGEN_LOOP_H

#include <sys/epoll.h>

#include "types.h"

/**
 * struct watch - a file descriptor in the loop; embed it
 * @fd: descriptor, owned
 * @ready: called with the EPOLL* bits that are set
 * @release: called once after loop_retire(), when no event can name it any more
 * @next: used by the loop
 * @prev: used by the loop
 */
struct watch {
	int fd;
	void (*ready)(struct watch *w, u32 events);
	void (*release)(struct watch *w);
	struct watch *next;
	struct watch *prev;
};

/**
 * loop_open() - make the loop
 *
 * Return: 0, or -1 after a message.
 */
int loop_open(void);

/**
 * loop_add() - watch a descriptor
 * @w: watch, its members set
 * @events: EPOLL* bits
 *
 * Return: 0, or -1 with errno set.
 */
int loop_add(struct watch *w, u32 events);

/**
 * loop_change() - watch for other events, and report at once those that are true
 * @w: watch
 * @events: EPOLL* bits
 */
void loop_change(struct watch *w, u32 events);

/**
 * loop_retire() - close the descriptor and release the watch after this round
 * @w: watch; events still queued for it are dropped
 */
void loop_retire(struct watch *w);

/**
 * loop_run() - serve events until loop_stop()
 *
 * Return: 0, or -1 after a message.
 */
int loop_run(void);

/**
 * loop_stop() - let loop_run() return after this round
 */
void loop_stop(void);

/**
 * timer_open() - make a timer on CLOCK_MONOTONIC
 * @w: watch with @ready and @release set
 *
 * Return: 0, or -1 after a message.
 */
int timer_open(struct watch *w);

/**
 * timer_at() - let a timer fire once
 * @w: timer
 * @ns: absolute time; a time gone by fires at once, UINT64_MAX never
 */
void timer_at(struct watch *w, u64 ns);

/**
 * timer_after() - let a timer fire once
 * @w: timer
 * @ns: from now, above 0
 */
void timer_after(struct watch *w, u64 ns);

/**
 * clock_now() - read CLOCK_MONOTONIC
 *
 * In the lab each reading costs virtual time: read it only where it is used.
 *
 * Return: ns since boot.
 */
u64 clock_now(void);

#endif
