/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Settings that are compared: templates, published ones, rules, networks; each a policy with
 * a name.
 */
#ifndef ACC_TRAIN_SETTING_H
#define ACC_TRAIN_SETTING_H

#include <stdbool.h>
#include <stdint.h>

#include "policy.h"

#define SETTING_MOST	64

/**
 * enum setting_kind - what a setting is compared as
 * @SETTING_TEMPLATE: one of those that a network chooses from
 * @SETTING_PUBLISHED: static, of a paper or a vendor
 * @SETTING_RULE: follow
 * @SETTING_LEARNED: a network
 * @SETTING_CONTROL: a network that was spoiled
 */
enum setting_kind {
	SETTING_TEMPLATE,
	SETTING_PUBLISHED,
	SETTING_RULE,
	SETTING_LEARNED,
	SETTING_CONTROL,
};

/**
 * struct setting - a setting
 * @name: as tables have it
 * @kind: what it is compared as
 * @policy: which decides
 */
struct setting {
	char name[40];
	enum setting_kind kind;
	struct policy policy;
};

/**
 * struct settings - those of a comparison
 * @at: settings, templates first
 * @count: how many
 * @template: the templates
 */
struct settings {
	struct setting at[SETTING_MOST];
	uint32_t count;
	struct template template[TEMPLATE_NR];
};

/**
 * settings_begin() - templates, published settings, and the rule that follows
 * @s: filled
 * @t: TEMPLATE_NR templates, sorted
 */
void settings_begin(struct settings *s, const struct template *t);

/**
 * settings_add() - one more
 * @s: settings, fewer than SETTING_MOST
 * @name: its name
 * @kind: what it is compared as
 * @policy: which decides
 */
void settings_add(struct settings *s, const char *name, enum setting_kind kind,
		  const struct policy *policy);

/**
 * setting_kind_text() - name of a kind
 * @kind: the kind
 *
 * Return: its name.
 */
const char *setting_kind_text(enum setting_kind kind);

#endif /* ACC_TRAIN_SETTING_H */
