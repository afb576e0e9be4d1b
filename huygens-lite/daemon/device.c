// SPDX-License-Identifier: GPL-2.0
/*
 * A NIC's clock for the kernel's family onramp.
 */
#include <errno.h>
#include <math.h>

#include "../../lib/onramp_genl.h"
#include "device.h"

#define DEVICE_DRIFT_UNIT	4294967296.0	/* 2^32 */
/* Errors of whole ns, and of a clock that wanders. */
#define DEVICE_SLACK_NS		20
#define DEVICE_WANDER_PPB	20.0
/* The rate that fewer readings give, 100 ms apart, is off by more than that. */
#define DEVICE_READINGS		8

void device_begin(struct device *device)
{
	*device = (struct device){ .epoch = 1, .fresh_ns = INT64_MAX };
}

/* CLOCK_REALTIME at a time of the NIC's clock. */
static int64_t device_real(const struct local_clock *clock, int64_t nic_ns)
{
	const struct clock_real *real = &clock->real;
	int64_t raw_ns = phc_line_raw(&clock->phc, nic_ns);

	return raw_ns + real->last.off_ns +
	       line_round(real->slope * (double)(raw_ns - real->last.at_ns));
}

void device_stamp(struct device *device, const struct local_clock *clock,
		  const struct socket_stamp *stamp)
{
	int64_t bias_ns;

	if (stamp->soft != SOCKET_NO_STAMP)
		device->driver = *stamp;
	if (stamp->hard == SOCKET_NO_STAMP || !device->driver.soft ||
	    device->driver.key != stamp->key)
		return;
	bias_ns = device_real(clock, stamp->hard) - device->driver.soft;
	if (bias_ns < device->fresh_ns)
		device->fresh_ns = bias_ns;
}

void device_stepped(struct device *device)
{
	if (!++device->epoch)
		device->epoch = 1;
	device->has_bias = false;
	device->fresh_ns = INT64_MAX;
}

static void device_take_bias(struct device *device)
{
	if (device->fresh_ns <= ONRAMP_RANGE_BIAS_MAX_NS &&
	    device->fresh_ns >= -ONRAMP_RANGE_BIAS_MAX_NS) {
		device->has_bias = true;
		device->bias_ns = device->fresh_ns;
	}
	device->fresh_ns = INT64_MAX;
}

static void device_put_u32(struct nl_request *request, uint16_t attr, uint32_t x)
{
	genl_put(request, attr, &x, sizeof(x));
}

static void device_put_u64(struct nl_request *request, uint16_t attr, uint64_t x)
{
	genl_put(request, attr, &x, sizeof(x));
}

void device_forget(struct device *device, int ifindex)
{
	struct nl_refusal refusal;
	struct nl_request request;

	if (!device->published)
		return;
	device->published = false;
	onramp_begin(&request, ONRAMP_CMD_PHC_DEL, 0);
	device_put_u32(&request, ONRAMP_A_IFINDEX, ifindex);
	onramp_exchange(&request, NULL, NULL, &refusal);
}

int device_publish(struct device *device, const struct local_clock *clock,
		   int64_t valid_ns)
{
	const struct phc_line *nic = &clock->phc;
	int64_t nic_ns = nic->at_ns + nic->off_ns;
	int64_t real_ns = device_real(clock, nic_ns);
	/* REALTIME over the NIC's clock, both over raw. */
	double drift = (1 + clock->real.slope) / (1 + nic->slope) - 1;
	double error = (double)nic->error_ns + DEVICE_SLACK_NS +
		       (DEVICE_WANDER_PPB / 1e9 + nic->skew) * (double)valid_ns;
	struct nl_refusal refusal;
	struct nl_request request;

	device_take_bias(device);
	if (nic->readings < DEVICE_READINGS) {
		device_forget(device, clock->nic.ifindex);
		return -1;
	}
	onramp_begin(&request, ONRAMP_CMD_PHC_SET, 0);
	device_put_u32(&request, ONRAMP_A_IFINDEX, clock->nic.ifindex);
	device_put_u32(&request, ONRAMP_A_CLOCK_ERROR, (uint32_t)error);
	device_put_u64(&request, ONRAMP_A_CLOCK_OFFSET, real_ns - nic_ns);
	device_put_u64(&request, ONRAMP_A_CLOCK_DRIFT,
		       (int64_t)rint(drift * DEVICE_DRIFT_UNIT));
	device_put_u64(&request, ONRAMP_A_CLOCK_REF, nic_ns);
	device_put_u64(&request, ONRAMP_A_CLOCK_VALID, valid_ns);
	device_put_u32(&request, ONRAMP_A_CLOCK_EPOCH, device->epoch);
	if (device->has_bias)
		device_put_u64(&request, ONRAMP_A_PHC_BIAS, device->bias_ns);
	if (onramp_exchange(&request, NULL, NULL, &refusal)) {
		/* REALTIME was turned: what follows is another line. */
		if (refusal.error == ERANGE)
			device_stepped(device);
		return -1;
	}
	device->published = true;
	return 0;
}
