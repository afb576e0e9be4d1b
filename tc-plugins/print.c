// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters and counters to tc's output.
 */
#include <stddef.h>

#include "print.h"
#include "tc_plugin.h"

static void print_named(const char *name, const char *word)
{
	if (name)
		print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ", name);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ", word);
}

void print_value(const char *key, const char *name, uint64_t value,
		 const char *word)
{
	print_color_u64(PRINT_JSON, COLOR_NONE, key, NULL, value);
	print_named(name, word);
}

void print_counter(const char *key, const char *name, uint64_t value,
		   bool negative, const char *word)
{
	if (!negative) {
		print_value(key, name, value, word);
		return;
	}
	print_color_s64(PRINT_JSON, COLOR_NONE, key, NULL, (int64_t)value);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s ", name);
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "-%s ", word);
}

void print_choice(const char *key, const char *name, const char *word)
{
	print_color_string(PRINT_JSON, COLOR_NONE, key, NULL, word);
	print_named(name, word);
}

void print_switch(const char *key, const char *name, int on)
{
	print_color_bool(PRINT_JSON, COLOR_NONE, key, NULL, on);
	print_named(name, on ? "on" : "off");
}

void print_text(const char *text)
{
	print_color_string(PRINT_FP, COLOR_NONE, NULL, "%s", text);
}
