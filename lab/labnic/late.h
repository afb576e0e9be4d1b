/* SPDX-License-Identifier: GPL-2.0 */
/*
 * How late a host's software is: between what it does and the wire when it
 * sends, between the wire and what it does when it receives.
 *
 *     least + median x e^(sigma z) + now and then something more
 *
 * with z nearly normal, so that the middle term is nearly lognormal.  A stamp
 * that software takes is right, but of another time than that of the wire: that
 * is what makes software's stamps worse than a NIC's.
 *
 * Pure integers; a kernel has no libm.
 */
#ifndef LABNIC_LATE_H
#define LABNIC_LATE_H

#include "../../kernel/algo/port.h"
#include "labnic_uapi.h"

/**
 * struct labnic_late - a model; all zero: software takes no time
 * @least_ns: what it takes at least, to LABNIC_LATE_MAX_NS
 * @median_ns: of the lognormal term, to LABNIC_LATE_MAX_NS; 0: there is none
 * @sigma: deviation of its logarithm, thousandths, to LABNIC_LATE_SIGMA_MAX
 * @odd: how many of a thousand take more
 * @odd_ns: most that these take more, uniform from 0, to LABNIC_LATE_ODD_MAX_NS
 */
struct labnic_late {
	u32 least_ns;
	u32 median_ns;
	u32 sigma;
	u32 odd;
	u32 odd_ns;
};

u64 labnic_late_draw(const struct labnic_late *late, u64 *random);

#endif /* LABNIC_LATE_H */
