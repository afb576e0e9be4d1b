/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attributes and counters to output.
 */
#ifndef SHARPRAMP_ONRAMPCTL_SHOW_H
#define SHARPRAMP_ONRAMPCTL_SHOW_H

#include <linux/netlink.h>

#include "prometheus.h"
#include "value.h"

/**
 * struct show_field - an attribute, as it is shown
 * @attr: enum onramp_attr
 * @key: its key in JSON; with the unit, if it has one
 * @name: what people call it
 * @range: its kind and names
 * @metric: how onrampctl metrics exports it
 */
struct show_field {
	uint16_t		attr;
	const char		*key;
	const char		*name;
	struct value_range	range;
	enum metric_kind	metric;
};

/**
 * struct show_counter - a member of a struct of counters
 * @offset: where it is
 * @key: its name in JSON
 * @name: for people
 * @range: its kind
 * @metric: how onrampctl metrics exports it
 */
struct show_counter {
	size_t			offset;
	const char		*key;
	const char		*name;
	struct value_range	range;
	enum metric_kind	metric;
};

/* Each ends with a field without a key. */
extern const struct show_field show_clock[];
extern const struct show_field show_flow[];
extern const struct show_field show_path[];
extern const struct show_field show_core[];
extern const struct show_field show_holding[];
extern const struct show_field show_acker[];
extern const struct show_field show_peer[];
extern const struct show_field show_key[];
extern const struct show_field show_device[];
extern const struct show_field show_source[];
extern const struct show_field show_phc[];
extern const struct show_field show_event[];

/* Members of struct onramp_stats and struct onramp_acker_stats, likewise. */
extern const struct show_counter show_core_counters[];
extern const struct show_counter show_acker_counters[];

/**
 * show_read() - read an attribute
 * @attrs: by number
 * @field: which, and how
 * @v: filled if it is there and is as long as its kind may be
 *
 * Return: whether it is.
 */
bool show_read(const struct nlattr **attrs, const struct show_field *field,
	       struct value *v);

/**
 * show_fields() - print attributes, each as a cell
 * @attrs: by number
 * @fields: which
 */
void show_fields(const struct nlattr **attrs, const struct show_field *fields);

/**
 * show_counter_read() - read a counter
 * @attr: the struct, or as much of it as the kernel knows; NULL for nothing
 * @counter: which
 * @v: filled
 *
 * Return: false if an older kernel does not have it, or its value is not known.
 */
bool show_counter_read(const struct nlattr *attr,
		       const struct show_counter *counter, struct value *v);

/**
 * show_counters() - print a struct of counters
 * @attr: it, or as much of it as the kernel knows; NULL for nothing
 * @counter: its members
 */
void show_counters(const struct nlattr *attr,
		   const struct show_counter *counter);

#endif /* SHARPRAMP_ONRAMPCTL_SHOW_H */
