/* SPDX-License-Identifier: GPL-2.0 */
/* One input, done to the kernel and judged. */
#ifndef FUZZ_TRIAL_H
#define FUZZ_TRIAL_H

#include "input.h"
#include "talk.h"

void trial_begin(void);
uint16_t trial_family(void);
struct talk trial(const struct input *input, uint32_t number, const char **why);
void trial_end(void);

#endif /* FUZZ_TRIAL_H */
