/* SPDX-License-Identifier: GPL-2.0 */
/* guest.h - mounts, randomness, modules, sysctls, kernel warnings */
#ifndef STAGE_GUEST_H
#define STAGE_GUEST_H

#include "plan.h"

#define NETNS_DIR "/run/netns"

void guest_mount(void);
void guest_random(void);
void guest_load(const struct plan_step *step);
void guest_sysctl(unsigned int line, const char *key, const char *value);
void guest_warnings(void);

#endif /* STAGE_GUEST_H */
