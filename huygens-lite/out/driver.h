/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Parts of an output: one driver a mode.
 */
#ifndef HUYGENS_DRIVER_H
#define HUYGENS_DRIVER_H

#include "../../lib/fail.h"
#include "clockbound.h"
#include "output.h"

/**
 * struct output_limits - what drivers need of [output], named as there
 * @step_ns: offset that may be stepped
 * @step_updates: so many first ones may
 * @max_slew_ppb: how fast an offset is removed
 * @window_ns: from one line to the next
 * @max_error_ns: above it no line goes to an output that does not receive its bound
 * @force: despite another discipliner, too
 * @compare: enum conf_compare
 * @sock: path of chrony's socket
 */
struct output_limits {
	int64_t	step_ns;
	int64_t	step_updates;
	int64_t	max_slew_ppb;
	int64_t	window_ns;
	int64_t	max_error_ns;
	int	force;
	int	compare;
	char	sock[CONF_PATH_MAX];
};

/**
 * struct output - an output that is open
 * @driver: of its mode
 * @limits: of [output]
 * @stats: what it did
 * @fd: of the driver; -1: none
 * @published: a line was published, and not withdrawn
 * @line_file: [output] line_file, or closed
 * @clockbound: [output] clockbound, or closed
 * @has_line: @line counts
 * @line: the last one, for @clockbound
 * @state: of the driver
 */
struct output {
	const struct output_driver	*driver;
	struct output_limits		limits;
	struct output_stats		stats;
	int				fd;
	int				published;
	struct segment			line_file;
	struct clockbound		clockbound;
	bool				has_line;
	struct output_line		line;
	void				*state;
};

/**
 * struct output_driver - a mode; functions as in output.h, and may be NULL
 * @open: 0 or -1
 * @line: 0 or -1
 * @work: do what @fd was readable for
 * @lost: withdraw what was published
 * @close: free @state
 * @blind: the receiver gets no bound, and takes every line as exact
 * @rate_ppb: by how much the rate of CLOCK_REALTIME may differ from a line's; NULL: another
 *	program disciplines it
 */
struct output_driver {
	int	(*open)(struct output *out, char *why, size_t size);
	int	(*line)(struct output *out, const struct output_line *line,
			char *why, size_t size);
	void	(*work)(struct output *out);
	void	(*lost)(struct output *out);
	void	(*close)(struct output *out);
	bool	blind;
	int64_t	(*rate_ppb)(const struct output *out, const struct output_line *line);
};

extern const struct output_driver output_publish;
extern const struct output_driver output_steer;
extern const struct output_driver output_sock;
extern const struct output_driver output_none;

/**
 * driver_common_ns() - the common time that a line has at an instant
 * @line: the line
 * @raw_ns: the instant
 *
 * Return: ns since 1970.
 */
int64_t driver_common_ns(const struct output_line *line, int64_t raw_ns);

/**
 * driver_utc_ns() - UTC that a line has at an instant
 * @line: the line
 * @raw_ns: the instant
 *
 * Return: ns since 1970, as CLOCK_REALTIME counts them.
 */
int64_t driver_utc_ns(const struct output_line *line, int64_t raw_ns);

/**
 * driver_missing_ns() - by how much CLOCK_REALTIME is behind that
 * @line: the line
 * @raw_ns: the instant
 * @real_ns: CLOCK_REALTIME then
 *
 * A leap second that is close may have been there and not here, or the other way round: the
 * kernel takes it at its own midnight, and it is no error of its clock.
 *
 * Return: ns.
 */
int64_t driver_missing_ns(const struct output_line *line, int64_t raw_ns, int64_t real_ns);

/**
 * driver_error_ns() - and the bound of its error, as if directions did not differ
 * @line: the line
 * @raw_ns: the instant
 *
 * Return: ns, at least 1.
 */
int64_t driver_error_ns(const struct output_line *line, int64_t raw_ns);

/**
 * driver_max_error_ns() - and the bound of its error, which applications get
 * @line: the line
 * @raw_ns: the instant
 *
 * Return: ns, at least 1.
 */
int64_t driver_max_error_ns(const struct output_line *line, int64_t raw_ns);

/**
 * driver_utc_error_ns() - and how far it may be from UTC
 * @line: the line, with UTC
 * @raw_ns: the instant
 *
 * Return: ns.
 */
int64_t driver_utc_error_ns(const struct output_line *line, int64_t raw_ns);

/**
 * driver_upper_error_ns() - and how far it may be from that of the upper mesh
 * @line: the line, with an upper mesh
 * @raw_ns: the instant
 *
 * Return: ns.
 */
int64_t driver_upper_error_ns(const struct output_line *line, int64_t raw_ns);

/**
 * driver_withdraw() - withdraw the line from the driver, and from nobody else
 * @out: the output
 */
void driver_withdraw(struct output *out);

#endif /* HUYGENS_DRIVER_H */
