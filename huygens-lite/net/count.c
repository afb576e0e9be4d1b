// SPDX-License-Identifier: GPL-2.0
/*
 * Counters.
 */
#include "count.h"

const struct count_entry count_entries[COUNT_ENTRIES] = {
#define COUNT_ENTRY(name, what) { #name, what, offsetof(struct count, name) },
	COUNT_TABLE(COUNT_ENTRY)
};
