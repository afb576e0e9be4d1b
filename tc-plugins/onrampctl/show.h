/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Attributes and counters to output.
 */
#ifndef SHARPRAMP_ONRAMPCTL_SHOW_H
#define SHARPRAMP_ONRAMPCTL_SHOW_H

#include <linux/netlink.h>

#include "value.h"

/**
 * struct show_field - an attribute, as it is shown
 * @attr: enum onramp_attr
 * @key: its key in JSON; with the unit, if it has one
 * @name: what people call it
 * @range: its kind and words
 */
struct show_field {
	uint16_t		attr;
	const char		*key;
	const char		*name;
	struct value_range	range;
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
 * show_stats() - print struct onramp_stats
 * @attr: it, or as much of it as the kernel knows; NULL for nothing
 */
void show_stats(const struct nlattr *attr);

/**
 * show_acker_stats() - print struct onramp_acker_stats
 * @attr: it, or as much of it as the kernel knows; NULL for nothing
 */
void show_acker_stats(const struct nlattr *attr);

#endif /* SHARPRAMP_ONRAMPCTL_SHOW_H */
