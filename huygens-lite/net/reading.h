/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Two of the kernel's clocks, read together.
 */
#ifndef HUYGENS_READING_H
#define HUYGENS_READING_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

/* Off the line by more than this, a clock was stepped. */
#define READING_STEP_NS		10000
/*
 * How much faster a clock may suddenly be: the most that adjtimex() takes as a
 * frequency.  By its ticks it takes 10 %, and chronyd slews by 83333 ppm unless it
 * is configured otherwise: that is a step at each sample, until it is over.
 */
#define READING_TURN_PPB		500000.0

/**
 * struct reading - a clock less another, which local time is derived from
 * @at_ns: when, by that other
 * @off_ns: by how much the clock is ahead
 * @half_ns: by how much that can be wrong
 */
struct reading {
	int64_t	at_ns;
	int64_t	off_ns;
	int64_t	half_ns;
};

/**
 * reading_now() - read a clock
 * @id: the clock
 *
 * Return: ns.
 */
int64_t reading_now(clockid_t id);

/**
 * reading_take() - read a clock between two readings of another
 * @by: the other
 * @of: the clock
 *
 * The shortest of some counts, so none that something is in the middle of.
 *
 * Return: both.
 */
struct reading reading_take(clockid_t by, clockid_t of);

/**
 * reading_is_off() - was a clock stepped?
 * @off_ns: how far it is off the line of its last readings
 * @after_ns: time since the last one, 0 or more
 * @unsure_ns: bound of the error of both readings
 *
 * Return: true if no change of its rate explains it.
 */
bool reading_is_off(double off_ns, int64_t after_ns, int64_t unsure_ns);

#endif /* HUYGENS_READING_H */
