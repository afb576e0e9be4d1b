/* SPDX-License-Identifier: GPL-2.0 */
/* child.h - other programs: run and waited for, or in the background */
#ifndef GUEST_CHILD_H
#define GUEST_CHILD_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

#include "topology.h"

void child_setup(void);
void child_exec(const struct topo_step *step, unsigned int ns, uint64_t until);
void child_spawn(const struct topo_step *step);
pid_t child_fork(const struct topo_step *step, unsigned int ns);
void child_adopt(pid_t pid, unsigned int line, bool must_succeed);
void child_end(void);
void child_output(unsigned int line, unsigned int ns, char *const *argv,
		  const char *path);

#endif /* GUEST_CHILD_H */
