/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A clock device, /dev/ptpN: a NIC's clock, or the one that a hypervisor offers.
 */
#ifndef HUYGENS_PHC_H
#define HUYGENS_PHC_H

#include <stddef.h>
#include <stdint.h>

/**
 * enum phc_method - how a device is read together with CLOCK_REALTIME
 * @PHC_PRECISE: by the hardware, both at one instant
 * @PHC_EXTENDED: by the driver, between two readings of CLOCK_REALTIME
 * @PHC_BASIC: by the kernel, likewise but further apart
 * @PHC_METHODS: how many there are
 */
enum phc_method {
	PHC_PRECISE,
	PHC_EXTENDED,
	PHC_BASIC,
	PHC_METHODS,
};

/**
 * struct phc - one
 * @fd: the device, or -1
 * @method: the first that it has
 * @last: the last that is tried
 */
struct phc {
	int		fd;
	enum phc_method	method;
	enum phc_method	last;
};

/**
 * phc_open() - open a device, and read it
 * @phc: filled
 * @path: of the device
 * @first: method to be tried first
 * @last: and last, which is not better
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0, or -1 with errno if it cannot be opened or read.
 */
int phc_open(struct phc *phc, const char *path, enum phc_method first, enum phc_method last,
	     char *why, size_t size);

/**
 * phc_sample() - read the device and the system's clock
 * @phc: open
 * @phc_ns: filled
 * @real_ns: filled: CLOCK_REALTIME at that time
 *
 * The shortest of some readings counts.
 *
 * Return: by how much that can be wrong, ns, 0 or more, or -1 with errno.
 */
int64_t phc_sample(struct phc *phc, int64_t *phc_ns, int64_t *real_ns);

/**
 * phc_method_name() - name of a method, for people
 * @method: which
 *
 * Return: "precise", "extended" or "basic".
 */
const char *phc_method_name(enum phc_method method);

/**
 * phc_close() - close
 * @phc: open, or closed
 */
void phc_close(struct phc *phc);

#endif /* HUYGENS_PHC_H */
