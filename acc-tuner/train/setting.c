// SPDX-License-Identifier: GPL-2.0
/*
 * Settings.
 */
#include <stdio.h>

#include "../../lab/traffic/types.h"
#include "setting.h"

/*
 * Published settings, as times.  SECN0 to SECN2 and the storage vendor's are those that ACC's
 * authors compare with (section 5.2): 4.5 kB to 400 kB at 25 and 100 Gbit/s.  The last two are
 * from a vendor's guide for RoCE.
 */
static const struct {
	const char *name;
	struct template t;
} setting_published[] = {
	{ "SECN0: 5.8 us step", { 5800, 5800, 1000000 } },
	{ "SECN1: 1.6/64 us 1 %", { 1600, 64000, 10000 } },
	{ "SECN1 as printed: 4/160 us 1 %", { 4000, 160000, 10000 } },
	{ "SECN2: 32/128 us 20 %", { 32000, 128000, 200000 } },
	{ "vendor, storage: 9.6/86 us 10 %", { 9600, 86000, 100000 } },
	{ "vendor's guide: 2.2/48 us 30 %", { 2200, 48000, 300000 } },
	{ "vendor's guide: 2.2/64 us 10 %", { 2200, 64000, 100000 } },
	{ "step at 64 us", { 64000, 64000, 1000000 } },
	{ "step at 210 us", { 210000, 210000, 1000000 } },
};

void settings_add(struct settings *s, const char *name, enum setting_kind kind,
		  const struct policy *policy)
{
	struct setting *new = &s->at[s->count++];

	*new = (struct setting){ .kind = kind, .policy = *policy };
	snprintf(new->name, sizeof(new->name), "%s", name);
}

static void settings_add_static(struct settings *s, const char *name, enum setting_kind kind,
				const struct template *t)
{
	settings_add(s, name, kind, &(struct policy){ .kind = POLICY_STATIC, .fixed = *t });
}

void settings_begin(struct settings *s, const struct template *t)
{
	const struct policy rule = { .kind = POLICY_FOLLOW };
	uint32_t i;

	*s = (struct settings){};
	for (i = 0; i < TEMPLATE_NR; i++) {
		char name[40];

		s->template[i] = t[i];
		snprintf(name, sizeof(name), "%g/%g us %u %%", (double)t[i].kmin_ns / 1000,
			 (double)t[i].kmax_ns / 1000, t[i].pmax_ppm / 10000);
		settings_add_static(s, name, SETTING_TEMPLATE, &t[i]);
	}
	for (i = 0; i < ARRAY_SIZE(setting_published); i++)
		settings_add_static(s, setting_published[i].name, SETTING_PUBLISHED,
				    &setting_published[i].t);
	settings_add(s, "follow", SETTING_RULE, &rule);
}

const char *setting_kind_text(enum setting_kind kind)
{
	static const char *const text[] = {
		"template", "published", "rule", "learned", "control",
	};

	return text[kind];
}
