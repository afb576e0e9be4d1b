// SPDX-License-Identifier: GPL-2.0
/*
 * To the kernel: the line, on CLOCK_MONOTONIC_RAW, to the family "onramp" of
 * this network namespace.
 *
 * The kernel reads its own clock, which a time namespace shows us with an offset.
 *
 * The kernel's bound does not grow.  So it receives the greatest that the bound
 * becomes while the line is valid.
 */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <linux/onramp_wire.h>

#include "../../lib/netlink_socket.h"
#include "../../lib/onramp_genl.h"
#include "driver.h"
#include "system.h"

/**
 * struct publish - an output that is open
 * @ahead_ns: CLOCK_MONOTONIC_RAW of this time namespace less the kernel's
 */
struct publish {
	int64_t	ahead_ns;
};

#define PUBLISH_ERROR_MAX_NS	1000000000
#define PUBLISH_DRIFT_UNIT	4294967296.0	/* 2^32 */
#define PUBLISH_DRIFT_MAX	4194303		/* of these */

/*
 * Without the family there is no socket either: what was sent to family 0 would
 * be acknowledged.
 */
static int publish_connect(struct nl_refusal *why)
{
	if (!onramp_open(why))
		return 0;
	nl_socket_close();
	return -1;
}

/* Once more with a new number: a module that was loaded again has another one. */
static int publish_send(struct nl_request *request, int first,
			struct nl_refusal *why)
{
	struct nl_request again = *request;

	if (!onramp_exchange(request, NULL, NULL, why))
		return 0;
	if (!first || (why->error != ENOENT && why->error != ENOTCONN &&
		       why->error != EOPNOTSUPP))
		return -1;
	if (publish_connect(why))
		return -1;
	onramp_begin(request, ONRAMP_CMD_CLOCK_SET, 0);
	again.n.nlmsg_type = request->n.nlmsg_type;
	*request = again;
	return publish_send(request, 0, why);
}

static int publish_explain(const struct nl_refusal *refusal, char *why,
			   size_t size)
{
	if (*refusal->text)
		return fail(why, size, "publish: the kernel: %s", refusal->text);
	switch (refusal->error) {
	case ENOENT:
		return fail(why, size,
				   "publish: the kernel module onramp is not loaded: run modprobe onramp");
	case EPERM:
		return fail(why, size,
				   "publish: CAP_NET_ADMIN is missing in this network namespace");
	default:
		return fail(why, size, "publish: %s", strerror(refusal->error));
	}
}

static void publish_put_u8(struct nl_request *request, uint16_t attr, uint8_t x)
{
	genl_put(request, attr, &x, sizeof(x));
}

static void publish_put_u32(struct nl_request *request, uint16_t attr, uint32_t x)
{
	genl_put(request, attr, &x, sizeof(x));
}

static void publish_put_u64(struct nl_request *request, uint16_t attr, uint64_t x)
{
	genl_put(request, attr, &x, sizeof(x));
}

/* Without the module now: it may be loaded later, and each line looks. */
static int publish_open(struct output *out, char *why, size_t size)
{
	struct publish *publish = calloc(1, sizeof(*publish));
	struct nl_refusal refusal;

	out->state = publish;
	if (!publish)
		return fail(why, size, "publish: no memory");
	if (system_raw_ahead(&publish->ahead_ns))
		return fail(why, size,
				   "publish: the offset of this time namespace is unknown: /proc/self/timens_offsets: %s",
				   strerror(errno));
	if (publish_connect(&refusal) && refusal.error != ENOENT)
		return publish_explain(&refusal, why, size);
	return 0;
}

static int publish_fits(double drift, int64_t error_ns, char *why, size_t size)
{
	if (error_ns > PUBLISH_ERROR_MAX_NS)
		return fail(why, size,
				   "publish: the error bound, %lld ns, is above 1 s",
				   (long long)error_ns);
	if (!(fabs(drift) <= PUBLISH_DRIFT_MAX))
		return fail(why, size, "publish: the drift is above 976 ppm");
	return 0;
}

/*
 * Times of different epochs are not compared.  With the upper mesh's epoch those of hosts of
 * different meshes are, as far as each is that of the upper mesh.
 */
static uint32_t publish_epoch(const struct output *out, const struct output_line *line,
			      int64_t until_ns, int64_t *error_ns)
{
	*error_ns = driver_error_ns(line, until_ns);
	if (out->limits.compare != CONF_COMPARE_UPPER || !line->upper)
		return line->epoch;
	*error_ns += driver_upper_error_ns(line, until_ns);
	return line->upper;
}

static int publish_line(struct output *out, const struct output_line *line,
			char *why, size_t size)
{
	const struct publish *publish = out->state;
	int64_t kernel_ns = line->raw_ns - publish->ahead_ns;
	struct nl_refusal refusal;
	struct nl_request request;
	int64_t raw_ns, real_ns, error_ns;
	double drift = rint(line->drift * PUBLISH_DRIFT_UNIT);
	uint32_t epoch;

	system_pair(&raw_ns, &real_ns);
	epoch = publish_epoch(out, line, raw_ns + line->valid_ns, &error_ns);
	if (publish_fits(drift, error_ns, why, size)) {
		/* The line before promises what does not hold any more. */
		driver_withdraw(out);
		return -1;
	}
	onramp_begin(&request, ONRAMP_CMD_CLOCK_SET, 0);
	publish_put_u8(&request, ONRAMP_A_CLOCK_ID, ONRAMP_CLOCK_PUBLISHED);
	publish_put_u32(&request, ONRAMP_A_CLOCK_ERROR, error_ns);
	publish_put_u8(&request, ONRAMP_A_CLOCK_BASE, ONRAMP_BASE_MONOTONIC_RAW);
	publish_put_u64(&request, ONRAMP_A_CLOCK_OFFSET, line->common_ns - kernel_ns);
	publish_put_u64(&request, ONRAMP_A_CLOCK_DRIFT, (int64_t)drift);
	publish_put_u64(&request, ONRAMP_A_CLOCK_REF, kernel_ns);
	publish_put_u64(&request, ONRAMP_A_CLOCK_VALID, line->valid_ns);
	publish_put_u32(&request, ONRAMP_A_CLOCK_EPOCH, epoch);
	if (publish_send(&request, 1, &refusal))
		return publish_explain(&refusal, why, size);
	return 0;
}

static void publish_lost(struct output *out)
{
	struct nl_refusal refusal;
	struct nl_request request;

	(void)out;
	onramp_begin(&request, ONRAMP_CMD_CLOCK_SET, 0);
	publish_put_u8(&request, ONRAMP_A_CLOCK_ID, ONRAMP_CLOCK_PUBLISHED);
	publish_put_u32(&request, ONRAMP_A_CLOCK_ERROR, 0);
	/* If that fails the line becomes stale by itself. */
	publish_send(&request, 1, &refusal);
}

static void publish_close(struct output *out)
{
	nl_socket_close();
	free(out->state);
}

const struct output_driver output_publish = {
	.open = publish_open,
	.line = publish_line,
	.lost = publish_lost,
	.close = publish_close,
};
