/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Names of the interface's numbers.
 */
#ifndef SHARPRAMP_ONRAMPCTL_NAMES_H
#define SHARPRAMP_ONRAMPCTL_NAMES_H

#include <linux/onramp.h>
#include <linux/onramp_wire.h>

static const char *const names_clock[] = {
	[ONRAMP_CLOCK_SYSTEM] = "system",
	[ONRAMP_CLOCK_PUBLISHED] = "published",
};

static const char *const names_base[] = {
	[ONRAMP_BASE_REALTIME] = "realtime",
	[ONRAMP_BASE_MONOTONIC_RAW] = "raw",
	[ONRAMP_BASE_TAI] = "tai",
};

static const char *const names_stamp[] = {
	[ONRAMP_STAMP_NONE] = "none",
	[ONRAMP_STAMP_TRACEPOINT] = "tracepoint",
	[ONRAMP_STAMP_DRIVER] = "driver",
	[ONRAMP_STAMP_HARDWARE] = "hardware",
	[ONRAMP_STAMP_QDISC] = "qdisc",
};

static const char *const names_state[] = {
	[ONRAMP_STATE_VALID] = "valid",
	[ONRAMP_STATE_NO_CLOCK] = "no_clock",
	[ONRAMP_STATE_UNCERTAIN] = "uncertain",
	[ONRAMP_STATE_NEGATIVE] = "negative",
	[ONRAMP_STATE_TOO_LONG] = "too_long",
	[ONRAMP_STATE_BELOW_BASE] = "below_base",
	[ONRAMP_STATE_SUSPECT] = "suspect",
	[ONRAMP_STATE_UNACKED] = "unacked",
	[ONRAMP_STATE_SWITCHED_OFF] = "switched_off",
};

static const char *const names_event[] = {
	[ONRAMP_EVENT_CLOCK] = "clock",
	[ONRAMP_EVENT_CLOCK_LOST] = "clock_lost",
	[ONRAMP_EVENT_SUSPECT] = "suspect",
	[ONRAMP_EVENT_CLEARED] = "cleared",
	[ONRAMP_EVENT_UNACKED] = "unacked",
	[ONRAMP_EVENT_ACKED] = "acked",
	[ONRAMP_EVENT_HOLDING] = "holding",
};

/* Values of a setting. */
static const char *const names_wanted[] = {
	[ONRAMP_STAMP_NONE] = "auto",
	[ONRAMP_STAMP_TRACEPOINT] = "tracepoint",
	[ONRAMP_STAMP_DRIVER] = "driver",
	[ONRAMP_STAMP_HARDWARE] = "hardware",
	[ONRAMP_STAMP_QDISC] = "qdisc",
};

static const char *const names_switch[] = { "off", "on" };

static const char *const names_require[] = { "no", "yes" };

static const char *const names_follow[] = { "all", "peers", "keys" };

#define NAMES_COUNT(array)	(sizeof(array) / sizeof((array)[0]))

/* A struct value_range of one of them. */
#define NAMES_RANGE(array) {				\
	.kind = VALUE_NAME,				\
	.names = array,					\
	.nr_names = NAMES_COUNT(array),			\
}

#endif /* SHARPRAMP_ONRAMPCTL_NAMES_H */
