/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A NIC's clock for the kernel's family onramp, which then uses the timestamps
 * of the NIC: a line from the NIC's clock to CLOCK_REALTIME, and how long a
 * packet takes from the driver to the wire.
 */
#ifndef HUYGENS_DEVICE_H
#define HUYGENS_DEVICE_H

#include <stdbool.h>
#include <stdint.h>

#include "../net/clock.h"
#include "../net/socket.h"

/**
 * struct device - what is known of it
 * @epoch: counts steps of its clock, from 1
 * @published: the kernel has a line
 * @has_bias: @bias_ns counts
 * @bias_ns: least time from the driver's stamp to the NIC's, lately
 * @fresh_ns: same, of the time since the last line; INT64_MAX: nothing yet
 * @driver: the latest stamp of the driver's
 */
struct device {
	uint32_t	epoch;
	bool		published;
	bool		has_bias;
	int64_t		bias_ns;
	int64_t		fresh_ns;
	struct socket_stamp driver;
};

/**
 * device_begin() - begin
 * @device: filled
 */
void device_begin(struct device *device);

/**
 * device_stamp() - a stamp of a datagram that was sent: the driver's, and then,
 * in a message of its own, the NIC's
 * @device: what is known
 * @clock: local time, the NIC's
 * @stamp: either of them
 */
void device_stamp(struct device *device, const struct local_clock *clock,
		  const struct socket_stamp *stamp);

/**
 * device_stepped() - the NIC's clock was
 * @device: another epoch
 */
void device_stepped(struct device *device);

/**
 * device_publish() - tell the kernel
 * @device: what is known
 * @clock: local time, the NIC's
 * @valid_ns: for how long the line may be used
 *
 * If the NIC's clock has just begun or was stepped, its rate is not known well,
 * and the kernel shall have no line until it is.
 *
 * Context: the output publishes, so its netlink socket is open; CAP_NET_ADMIN.
 * Return: 0, or -1 if there is none or the kernel did not take it; the next may be
 * taken.
 */
int device_publish(struct device *device, const struct local_clock *clock,
		   int64_t valid_ns);

/**
 * device_forget() - the kernel shall not use the line any more
 * @device: what is known
 * @ifindex: of the device
 */
void device_forget(struct device *device, int ifindex);

#endif /* HUYGENS_DEVICE_H */
