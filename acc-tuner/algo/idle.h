/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Idle queues, for which a network does not decide.
 *
 * Source: Yan et al., SIGCOMM 2021, section 4.2: a queue is idle if it is shorter than
 * Kmin, or if its reward did not change for three intervals; it is busy again when it is
 * longer than Kmin.  The authors save a tenth of the processor by it.
 *
 * An inference is what this saves.  A rule decides in each interval (follow.h): a queue may
 * be shorter than kmin since its thresholds are too low, and then they have to rise.
 *
 * The network follows the paper's text.  That a queue with marks is never idle
 * was tried in the model of a port (docs/acc.md), the same network with both: its loss
 * falls from 3.5 to 2.6 % with RTTs of 70 to 210 us and from 3.6 to 2.3 % in conditions that it
 * was not trained in, and grows from 3.2 to 4.5 % with 8 us.
 * A network that was trained so is no better in validation (J 12.967, and 12.965 without).
 */
#ifndef ACC_IDLE_H
#define ACC_IDLE_H

#include <stdbool.h>
#include <stdint.h>

/* Intervals in a row with the same reward that make a queue idle. */
#define IDLE_SAME	3

/**
 * struct idle - what is known of a queue; zeroed at first: busy
 * @reward: of the last interval
 * @same: intervals before it, in a row, whose reward was the same, at most IDLE_SAME
 * @idle: it is idle
 */
struct idle {
	float reward;
	uint32_t same;
	bool idle;
};

/**
 * idle_on_interval() - an interval is over
 * @p: the queue
 * @delay_ns: mean delay
 * @kmin_ns: kmin in force
 * @reward: of the interval
 *
 * A queue that is idle because its reward stays the same is busy again when the reward
 * changes while the queue is longer than kmin.  (By the paper's text alone it would be
 * busy at once, as long as it is longer than that.)
 *
 * Return: true if the queue is idle.
 */
bool idle_on_interval(struct idle *p, uint64_t delay_ns, uint64_t kmin_ns, float reward);

#endif /* ACC_IDLE_H */
