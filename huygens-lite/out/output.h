/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Where the clock goes: to the kernel's onramp family, into CLOCK_REALTIME, to
 * chrony's refclock socket, or nowhere.
 *
 * The daemon tells of each new piece of the slewed correction as a line over
 * CLOCK_MONOTONIC_RAW, which no other program can turn.
 */
#ifndef HUYGENS_OUTPUT_H
#define HUYGENS_OUTPUT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../conf/conf.h"
#include "../algo/leap.h"

/**
 * struct output_line - the common time as a line over the raw clock
 *
 *	common(raw) = @common_ns + (raw - @raw_ns) x (1 + @drift)
 *
 * @raw_ns: CLOCK_MONOTONIC_RAW at the reference
 * @common_ns: the common time then, ns since 1970
 * @drift: by how much the common time is faster, a ratio; |@drift| < 2^-10
 * @slew: of @drift, what it is turned by to meet a new line; 0: nothing
 * @error_ns: bound of the error at the reference, at least 1, as if both directions of
 *	every path had the same delay
 * @asymmetry_ns: what directions that differ may add to it, 0 or more; the kernel, which
 *	compares delays with such delays, does not receive it
 * @utc_error_ns: how far the common time may be from UTC at the reference; below 0: not known
 * @upper: epoch of the upper mesh's common time; 0: there is none, or it is not known
 * @upper_error_ns: how far the common time may be from that at the reference
 * @skew_ppb: how fast the bound grows while the line is valid, 0 or more
 * @utc_skew_ppb: how fast @utc_error_ns and @upper_error_ns grow
 * @holdover: no solution arrives, or none with UTC or the upper mesh
 * @valid_ns: how long it may be used, above 0
 * @epoch: of the common time, at least 1: equal on all hosts that share it, and
 *	another when it was not continued
 * @leap: UTC in the common time; zero without UTC: then it is taken for UTC
 * @updates: windows that counted so far; as many as when the last line was taken:
 *	it is published again, or its window was poor
 */
struct output_line {
	int64_t		raw_ns;
	int64_t		common_ns;
	double		drift;
	double		slew;
	int64_t		error_ns;
	int64_t		asymmetry_ns;
	int64_t		utc_error_ns;
	uint32_t	upper;
	int64_t		upper_error_ns;
	int64_t		skew_ppb;
	int64_t		utc_skew_ppb;
	bool		holdover;
	int64_t		valid_ns;
	uint32_t	epoch;
	struct leap	leap;
	uint32_t	updates;
};

struct output;

/**
 * output_open() - begin
 * @conf: the configuration; its [output] is copied
 * @why: filled if it fails: what to do about it
 * @size: bytes of @why
 *
 * Before privileges are dropped.  Mode steer is refused next to another program
 * that disciplines the clock, which is named, unless [output] force, and lines
 * are refused while another turns the clock.  On the
 * host that brings UTC to the others the clock is already kept: there steer and
 * sock are as none, so that all hosts can have one configuration.
 *
 * Return: the output, or NULL.
 */
struct output *output_open(const struct huygens_conf *conf, char *why,
			   size_t size);

/**
 * output_line() - a new line, as good as it is now
 * @out: the output
 * @line: the line; it holds from now on
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * The kernel receives the bound with the line, and judges; chronyd does not, so a
 * line whose bound, with what directions that differ may add, is above [output] max_error is
 * withheld from it, as is none.
 * A line that cannot be, or that the kernel has no numbers for (a bound above 1 s),
 * is refused, and the one before withdrawn: it says what does not hold any more.
 * If the other side refuses a line, the line before stays in force.
 *
 * Return: 0 or -1; the next line may do better.
 */
int output_line(struct output *out, const struct output_line *line, char *why,
		size_t size);

/**
 * output_fd() - file descriptor to poll, readable when output_work() has work
 * @out: the output
 *
 * Return: a file descriptor; -1: there is none.
 */
int output_fd(const struct output *out);

/**
 * output_work() - do it: a slew has come to its end
 * @out: the output
 */
void output_work(struct output *out);

/**
 * output_refresh() - CLOCK_REALTIME may be elsewhere: clients of ClockBound get a bound of now
 * @out: the output
 *
 * Programs that discipline CLOCK_REALTIME do not tell, so it is looked at often.
 */
void output_refresh(struct output *out);

/**
 * output_disruption() - the last disruption of the virtual machine, for clients of ClockBound
 * @out: the output
 * @marker: as the hypervisor counts it
 */
void output_disruption(struct output *out, uint64_t marker);

/**
 * output_lost() - there is no line any more
 * @out: the output
 *
 * The published line is withdrawn: the kernel forgets it, the system's clock is
 * unsynchronised and keeps its frequency.
 */
void output_lost(struct output *out);

/**
 * output_reload() - limits of a new configuration
 * @out: the output
 * @conf: the configuration, of the same mode
 */
void output_reload(struct output *out, const struct huygens_conf *conf);

/**
 * struct output_stats - what an output did; counters never fall
 * @lines: lines taken
 * @failed: of them, those that the other side refused
 * @steps: of the system's clock
 * @withdrawn: times that there was a line and then none any more
 * @remaining_ns: of the system's clock, still to be slewed (steer, sock)
 * @frequency_ppb: of the system's clock, as set (steer)
 */
struct output_stats {
	uint64_t	lines;
	uint64_t	failed;
	uint64_t	steps;
	uint64_t	withdrawn;
	int64_t		remaining_ns;
	int64_t		frequency_ppb;
};

/**
 * output_stats() - statistics of an output
 * @out: the output
 * @stats: filled
 */
void output_stats(const struct output *out, struct output_stats *stats);

/**
 * output_close() - end
 * @out: the output, or NULL
 *
 * A published line is withdrawn; a steered clock keeps its frequency, and a
 * slew under way ends.
 */
void output_close(struct output *out);

#endif /* HUYGENS_OUTPUT_H */
