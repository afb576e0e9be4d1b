/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Sources of metrics.  Each adds its samples and whether it answered.
 */
#ifndef SHARPRAMP_ONRAMPCTL_METRICS_H
#define SHARPRAMP_ONRAMPCTL_METRICS_H

/** metrics_qdisc() - parameters and counters of the qdiscs onramp and ecnsharp */
void metrics_qdisc(void);

/** metrics_daemons() - collect the metrics of huygens-lite and acc-tuner, by their programs */
void metrics_daemons(void);

#endif /* SHARPRAMP_ONRAMPCTL_METRICS_H */
