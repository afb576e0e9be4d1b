/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Whether the virtual machine was paused, migrated or restored from a snapshot: its
 * counter, and with it all of the kernel's clocks, is another one then, and nothing
 * in the guest shows it.  The hypervisor tells it in the page of the vmclock device
 * (UAPI.13), by a number that is another after each disruption.
 *
 * The time of that page is not used: this host's time is the mesh's.
 */
#ifndef HUYGENS_VMCLOCK_H
#define HUYGENS_VMCLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Bytes that a page has at least, and at most: a region of memory. */
#define VMCLOCK_LEAST	104
#define VMCLOCK_MOST	65536

/**
 * struct vmclock - what was seen last
 * @fd: the page, or -1
 * @marker: of the counter
 * @generation: of the machine's snapshots; 0 where it is unknown
 */
struct vmclock {
	int		fd;
	uint64_t	marker;
	uint64_t	generation;
};

/**
 * vmclock_open() - begin to watch
 * @vmclock: filled
 * @path: of the device
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0, or -1 with errno if there is none, or its page is not what is known
 * here: EINVAL.
 */
int vmclock_open(struct vmclock *vmclock, const char *path, char *why,
		 size_t size);

/**
 * vmclock_sample() - was it disrupted, since the last sample
 * @vmclock: open, or closed
 *
 * Return: true if it was; false if not, or the page cannot be read.
 */
bool vmclock_sample(struct vmclock *vmclock);

/**
 * vmclock_close() - end
 * @vmclock: open, or closed
 */
void vmclock_close(struct vmclock *vmclock);

#endif /* HUYGENS_VMCLOCK_H */
