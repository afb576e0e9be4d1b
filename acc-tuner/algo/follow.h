/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A rule without learning that follows the traffic: the ramp's top rises while the link
 * is not full although packets are marked, and falls slowly while it is full.
 *
 * Own choice, not in the paper: what a network learns must be compared with this.  A mark
 * while the link is not full made a sender slower than the link allows; while the link is
 * full, a lower ramp shortens the queue and costs nothing.  It decides in each interval;
 * an idle queue (idle.h) has no marks, and keeps its ramp.
 */
#ifndef ACC_FOLLOW_H
#define ACC_FOLLOW_H

#include "feature.h"
#include "template.h"

#define FOLLOW_KMIN_NS		6500ULL
#define FOLLOW_LEAST_NS		13000ULL
#define FOLLOW_MOST_NS		840000ULL
#define FOLLOW_BEGIN_NS		210000ULL

/* From this utilisation on the link counts as full: 0.97. */
#define FOLLOW_FULL		(FEATURE_ONE * 97 / 100)

/* Steps up and down, in hundredths. */
#define FOLLOW_RISE		110
#define FOLLOW_FALL		98

/**
 * struct follow - state of the rule
 * @kmax_ns: top of the ramp, FOLLOW_LEAST_NS to FOLLOW_MOST_NS
 */
struct follow {
	uint64_t kmax_ns;
};

/**
 * follow_begin() - the rule begins
 * @f: filled
 */
void follow_begin(struct follow *f);

/**
 * follow_on_interval() - an interval is over
 * @f: state
 * @x: the interval
 *
 * Return: the setting for the next one.
 */
struct template follow_on_interval(struct follow *f, const struct feature_interval *x);

#endif /* ACC_FOLLOW_H */
