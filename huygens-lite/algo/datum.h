/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The reference.  Edges give differences only; a constant for all offsets and one
 * for all drifts are free, and are chosen here.
 *
 *  host	the reference is a host's local clock, its x is 0
 *  mean	the reference is the mean of the clocks (as in Firefly)
 *  utc		hosts whose clock another program keeps report their x; those that
 *		agree count (utc.h)
 *
 * A reference must not jump when hosts come and go, or when its host dies,
 * restarts or is stepped.  So where there are priors, of the last solution, the
 * constants are those that leave the known hosts, in a robust mean, where
 * the priors put them, and the reference is approached from there, at most by
 * 1 ppm.  In quiet times that is more than it moves, and its x is 0 at once.
 *
 * Under load some hosts are known well in a window and some badly, if queues
 * stood before them; and some were before.  So hosts have weights in that mean,
 * and a rate that nobody knows is as free as nobody knows it.
 *
 * The common time moves with the constants; a host that goes on as before does not move
 * with it, so all learn by how much it may have (struct network_result).
 */
#ifndef HUYGENS_DATUM_H
#define HUYGENS_DATUM_H

#include <stdbool.h>
#include <stdint.h>

#include "line.h"
#include "utc.h"

/*
 * By how much the mesh runs faster or slower to meet its reference, and by how
 * much its rate turns in a window to that of UTC or of the mean.
 */
#define DATUM_SLEW_PPB	1000.0
#define DATUM_TURN_PPB		10.0

/* Drifts are compared in ppb / 1024. */
#define DATUM_DRIFT_UNIT	1024.0

/* Standard deviations that a estimate may be from the median. */
#define DATUM_SIGMAS		3.0

/**
 * enum datum_kind - what the reference is
 * @DATUM_HOST: a host's local clock
 * @DATUM_MEAN: the mean
 * @DATUM_UTC: UTC as hosts report it
 */
enum datum_kind {
	DATUM_HOST,
	DATUM_MEAN,
	DATUM_UTC,
};

/**
 * struct datum_prior - a host's last correction
 * @known: there is one; a host that was stepped or restarted has none
 * @line: the correction
 * @std_ns: standard deviation of its offset, 0 or more
 * @std_ppb: that of its drift, 0 or more
 */
struct datum_prior {
	bool known;
	struct line line;
	double std_ns;
	double std_ppb;
};

/**
 * struct datum_utc - a host that reports UTC
 * @host: its index
 * @line: correction of it that makes UTC of its local clock
 * @error_ns: bound of the error of that, 0 or more
 */
struct datum_utc {
	uint32_t host;
	struct line line;
	double error_ns;
};

/**
 * struct datum - what the reference is, and what was before
 * @kind: which
 * @host: index of the reference's host, from which errors are counted; not for
 *	DATUM_MEAN
 * @utcs: DATUM_UTC: hosts that report UTC, 0 to UTC_MOST
 * @utc: each
 * @slew_ppb: by how much the mesh runs faster or slower to meet the
 *	reference, 0 or more; DATUM_SLEW_PPB
 * @window_ns: time between solutions, above 0
 * @prior: of each host, or NULL if nothing is known of any
 */
struct datum {
	enum datum_kind kind;
	uint32_t host;
	uint32_t utcs;
	const struct datum_utc *utc;
	double slew_ppb;
	int64_t window_ns;
	const struct datum_prior *prior;
};

/**
 * struct datum_sample - where a host would have the constant
 * @value: ns, or ppb / DATUM_DRIFT_UNIT
 * @weight: of the host
 */
struct datum_sample {
	int64_t value;
	double weight;
};

/**
 * datum_is_known() - does a host have a prior?
 * @g: the datum
 * @reached: which hosts are solved
 * @h: host
 *
 * Return: true if it is solved and has one.
 */
bool datum_is_known(const struct datum *g, const bool *reached, uint32_t h);

/**
 * datum_miss_ns() - how far it is from where a host is solved to where it should be
 * @wanted: the line on which it should be
 * @line: its solution
 *
 * Return: ns, within +-LINE_MOST_NS.
 */
int64_t datum_miss_ns(const struct line *wanted, const struct line *line);

/**
 * datum_view() - UTC as a host shows it, compared with a common time
 * @utc: the host's report
 * @line: its correction in the common time
 * @bound_ns: bound of the error of that
 *
 * A host's claim is as wrong as its clock and its correction together.
 *
 * Return: the view.
 */
static inline struct utc_view datum_view(const struct datum_utc *utc, const struct line *line,
					 double bound_ns)
{
	return (struct utc_view){ datum_miss_ns(&utc->line, line), utc->error_ns + bound_ns };
}

/**
 * datum_offset_ns() - the constant for all offsets
 * @g: the datum
 * @hosts: how many
 * @reached: which of them are solved
 * @weight: of each host that is, 1 / variance of what it says of the constant
 * @bound_ns: of each host that is, bound of the error of its solution; DATUM_UTC alone
 * @line: the solution, with any datum, at one instant; its local times do not
 *	depend on the datum
 * @scratch: space for @hosts
 * @moved: gets by how much it is off the mean of what hosts say, ns, 0 or more:
 *	to meet the reference, or since some are too far from the others
 *
 * Return: what to add to all offsets.
 */
int64_t datum_offset_ns(const struct datum *g, uint32_t hosts,
			const bool *reached, const double *weight,
			const double *bound_ns, const struct line *line,
			struct datum_sample *scratch, double *moved);

/**
 * datum_drift_ppb() - the constant for all drifts
 * @g: the datum
 * @hosts: how many
 * @reached: which of them are solved
 * @weight: of each host that is, 1 / variance of what it says of the constant
 * @line: the solution, with any datum
 * @scratch: space for @hosts
 * @moved: likewise, ppb
 *
 * Return: what to add to all drifts.
 */
double datum_drift_ppb(const struct datum *g, uint32_t hosts,
		       const bool *reached, const double *weight,
		       const struct line *line, struct datum_sample *scratch,
		       double *moved);

#endif /* HUYGENS_DATUM_H */
