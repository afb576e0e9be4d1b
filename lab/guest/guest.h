/* SPDX-License-Identifier: GPL-2.0 */
/* guest.h - mounts, randomness, modules, sysctls, kernel warnings */
#ifndef GUEST_GUEST_H
#define GUEST_GUEST_H

#include "topology.h"

#define NETNS_DIR "/run/netns"

void guest_mount(void);
void guest_random(void);
void guest_load(const struct topo_step *step);
void guest_sysctl(unsigned int line, const char *key, const char *value);
void guest_warnings(void);

#endif /* GUEST_GUEST_H */
