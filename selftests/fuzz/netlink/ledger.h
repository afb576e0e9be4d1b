/* SPDX-License-Identifier: GPL-2.0 */
/* How requests ended: numbers for reports. */
#ifndef FUZZ_LEDGER_H
#define FUZZ_LEDGER_H

#include "input.h"
#include "talk.h"

void ledger_count(const struct input *input, const struct talk *said);
unsigned int ledger_report(unsigned int number, unsigned int *failed);

#endif /* FUZZ_LEDGER_H */
