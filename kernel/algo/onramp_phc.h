/* SPDX-License-Identifier: GPL-2.0 */
/*
 * On-Ramp: is a NIC's stamp plausible, and when was that?
 *
 * Source: Liu et al., "Breaking the Transience-Equilibrium Nexus: A New
 * Approach to Datacenter Packet Transport", NSDI 2021, section 3.3, 1: where
 * NICs have a clock (PHC), it takes the stamps.  The paper keeps that clock in
 * time with all others; here somebody publishes, again and again, a line from
 * it to the host's wall clock with a bound on its error, for a time.
 *
 * A clock can be stepped, by its owner or by a reset, and then the line is
 * wrong though it is not stale.  A packet was stamped before it is seen,
 * and not long before: a stamp outside of that is not used.  So a wrong
 * one is never later than the truth by more than the error and the time from
 * NIC to stack, nor earlier by more than the error and @window_ns.
 *
 *   stamp                                        by the wall clock
 *   ------------------------------------------   -----------------
 *   newest that is plausible                     now + error
 *   oldest                                       now - window - error
 */
#ifndef SHARPRAMP_ALGO_ONRAMP_PHC_H
#define SHARPRAMP_ALGO_ONRAMP_PHC_H

#include "onramp_line.h"
#include "port.h"

/**
 * enum onramp_phc_verdict - what became of a stamp
 * @ONRAMP_PHC_GOOD: it is plausible
 * @ONRAMP_PHC_MISSING: the packet has none
 * @ONRAMP_PHC_STALE: there is no line, or none any more
 * @ONRAMP_PHC_IMPLAUSIBLE: it cannot be
 * @ONRAMP_PHC_VERDICTS: how many there are
 */
enum onramp_phc_verdict {
	ONRAMP_PHC_GOOD,
	ONRAMP_PHC_MISSING,
	ONRAMP_PHC_STALE,
	ONRAMP_PHC_IMPLAUSIBLE,
	ONRAMP_PHC_VERDICTS,
};

/**
 * struct onramp_phc - what was published of a NIC's clock
 * @line: from it to the wall clock
 * @until_ns: when it is stale, by the clock of schedules
 * @window_ns: how long a packet may take from NIC to stack
 * @bias_ns: how long a packet takes from the tap where its Tx stamp is taken to
 *	the wire; may be negative, for clocks err
 * @error_ns: bound of the line
 * @epoch: another one: the line before was not continued, a clock was stepped
 */
struct onramp_phc {
	struct onramp_line	line;
	u64			until_ns;
	u64			window_ns;
	s64			bias_ns;
	u32			error_ns;
	u32			epoch;
};

/**
 * onramp_phc_is_good() - may a line be used now?
 * @phc: what was published, or NULL
 * @now_ns: clock of schedules
 *
 * Return: false if there is none, or it is stale.
 */
static inline bool onramp_phc_is_good(const struct onramp_phc *phc, u64 now_ns)
{
	return phc && now_ns < phc->until_ns;
}

/**
 * onramp_phc_read() - when a packet passed a NIC
 * @phc: what was published, or NULL
 * @stamp_ns: the NIC's stamp; 0: none
 * @now_ns: clock of schedules
 * @seen_ns: when the packet was seen, by the wall clock, below 2^62
 * @wall_ns: filled with ONRAMP_PHC_GOOD
 *
 * Return: ONRAMP_PHC_GOOD, or why the stamp is not used.
 */
static inline enum onramp_phc_verdict
onramp_phc_read(const struct onramp_phc *phc, s64 stamp_ns, u64 now_ns,
		u64 seen_ns, u64 *wall_ns)
{
	s64 passed_ns, age_ns;

	if (!stamp_ns)
		return ONRAMP_PHC_MISSING;
	if (!onramp_phc_is_good(phc, now_ns))
		return ONRAMP_PHC_STALE;
	if (!onramp_line_map(&phc->line, stamp_ns, &passed_ns))
		return ONRAMP_PHC_IMPLAUSIBLE;
	age_ns = (s64)seen_ns - passed_ns;
	if (age_ns < -(s64)phc->error_ns ||
	    age_ns > (s64)(phc->window_ns + phc->error_ns))
		return ONRAMP_PHC_IMPLAUSIBLE;
	*wall_ns = passed_ns;
	return ONRAMP_PHC_GOOD;
}

/**
 * onramp_phc_follows() - may a line take the place of another?
 * @was: the one that is there, or NULL
 * @next: the next
 * @now_ns: clock of schedules
 *
 * One that is stale is followed by any, and so is one of another epoch.
 *
 * Return: false if they are further apart than their errors together allow.
 */
static inline bool onramp_phc_follows(const struct onramp_phc *was,
				      const struct onramp_phc *next, u64 now_ns)
{
	if (!onramp_phc_is_good(was, now_ns) || was->epoch != next->epoch)
		return true;
	return !onramp_line_apart(&was->line, &next->line,
				  (u64)was->error_ns + next->error_ns);
}

#endif /* SHARPRAMP_ALGO_ONRAMP_PHC_H */
