/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Settings of an ecnsharp qdisc: as attributes of TCA_OPTIONS, and as a template.
 *
 * A change is predicted by the kernel's own code, kernel/algo/ecnsharp_params.h, so that
 * the settings that a dump must show after it are known.
 */
#ifndef ACC_SETTINGS_H
#define ACC_SETTINGS_H

#include <libmnl/libmnl.h>

#include "ecnsharp_params.h"
#include "template.h"

/* Attributes of all parameters, with their headers. */
#define SETTINGS_BYTES_MAX	(ECNSHARP_NR_PARAMS * 12 + 4)

/**
 * settings_attr() - attribute of a parameter
 * @id: which
 *
 * Return: enum tca_ecnsharp.
 */
uint16_t settings_attr(enum ecnsharp_param id);

/**
 * settings_find() - the parameter of an attribute
 * @attr: enum tca_ecnsharp
 *
 * Return: enum ecnsharp_param, or ECNSHARP_NR_PARAMS if it has none.
 */
uint32_t settings_find(uint64_t attr);

/**
 * settings_parse() - read the attributes of a dump
 * @nest: TCA_OPTIONS
 * @s: filled; attributes of a newer kernel, and derived values, are left out
 *
 * Return: 0, or -1 if a value has a wrong size or is out of its range.
 */
int settings_parse(const struct nlattr *nest, struct ecnsharp_settings *s);

/**
 * settings_put() - write settings as TCA_OPTIONS
 * @n: message that has space for SETTINGS_BYTES_MAX
 * @s: settings; only what is given is written
 */
void settings_put(struct nlmsghdr *n, const struct ecnsharp_settings *s);

/**
 * settings_is_same() - compare settings
 * @a: settings
 * @b: other ones
 *
 * Return: true if the same is given with the same values.
 */
bool settings_is_same(const struct ecnsharp_settings *a, const struct ecnsharp_settings *b);

/**
 * settings_ramp() - the request that sets a template
 * @s: settings in force: their signal says whether the ramp is in time or in bytes
 * @t: the template
 * @request: filled
 */
void settings_ramp(const struct ecnsharp_settings *s, const struct template *t,
		   struct ecnsharp_settings *request);

/**
 * settings_expect() - settings after a request
 * @s: settings in force; changed
 * @request: the request
 *
 * Return: 0, or -1 if the kernel would refuse it.
 */
int settings_expect(struct ecnsharp_settings *s, const struct ecnsharp_settings *request);

/**
 * settings_is_tuned() - do settings differ from others by a ramp only?
 * @s: settings
 * @own: the settings before any ramp of this program
 *
 * Return: true if setting their ramp makes @own the same as @s.
 */
bool settings_is_tuned(const struct ecnsharp_settings *s, const struct ecnsharp_settings *own);

/**
 * settings_template() - the marking that settings describe
 * @s: settings
 *
 * Return: the ramp, or the step as one; levels in bytes as times.
 */
struct template settings_template(const struct ecnsharp_settings *s);

#endif /* ACC_SETTINGS_H */
