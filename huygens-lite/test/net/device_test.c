// SPDX-License-Identifier: GPL-2.0
/*
 * Lines of a NIC's clock as published to the kernel, against the clocks themselves.
 */
#include <stdlib.h>

#include "../../../selftests/lib/tap.h"
#include "../../../lib/onramp_genl.h"
#include "../../daemon/device.h"
#include "machine.h"

#define VALID_NS	(5 * S)
#define NO_BIAS		INT64_MAX

static const struct clock_debug as_it_is;
static struct local_clock local;
static struct device device;

/* The kernel's side: the latest request, by attributes. */
static struct {
	int		queries;
	int		refuse;
	uint8_t		cmd;
	size_t		len[ONRAMP_A_MAX + 1];
	uint64_t	value[ONRAMP_A_MAX + 1];
} kernel;

void onramp_begin(struct nl_request *request, uint8_t cmd, int dump)
{
	(void)request;
	(void)dump;
	memset(kernel.len, 0, sizeof(kernel.len));
	memset(kernel.value, 0, sizeof(kernel.value));
	kernel.cmd = cmd;
}

void genl_put(struct nl_request *request, uint16_t attr, const void *data,
	      size_t len)
{
	(void)request;
	kernel.len[attr] = len;
	memcpy(&kernel.value[attr], data, len);
}

int onramp_exchange(struct nl_request *request, onramp_reply_fn reply,
		    void *data, struct nl_refusal *why)
{
	(void)request;
	(void)reply;
	(void)data;
	kernel.queries++;
	why->error = kernel.refuse;
	return kernel.refuse ? -1 : 0;
}

static int64_t published(enum onramp_attr attr)
{
	return kernel.value[attr];
}

/* As the engine: every 100 ms. */
static void looks(int count)
{
	while (count--) {
		machine.raw_ns += 100 * MS;
		if (clock_sample_nic(&local) == 1)
			device_stepped(&device);
	}
}

static void begin(double nic_ppb, double real_ppb)
{
	struct nic nic;
	char why[64];

	if (local.nic.ports)
		nic_close(&local.nic);
	machine_begin();
	machine_turn(&machine.phc, nic_ppb);
	machine_turn(&machine.real, real_ppb);
	nic_open(&nic, MACHINE_LINK, NIC_BOTH, why, sizeof(why));
	clock_begin(&local, &nic, &as_it_is);
	device_begin(&device);
	memset(&kernel, 0, sizeof(kernel));
	looks(40);
}

static int tell(void)
{
	return device_publish(&device, &local, VALID_NS);
}

/* By how much the published line is off now, as the kernel reads it (onramp_phc.h). */
static int64_t line_error(void)
{
	int64_t nic_ns = machine_shows(&machine.phc);
	double since = (double)(nic_ns - published(ONRAMP_A_CLOCK_REF));

	return nic_ns + published(ONRAMP_A_CLOCK_OFFSET) +
	       llround((double)published(ONRAMP_A_CLOCK_DRIFT) / 4294967296.0 * since) -
	       machine_shows(&machine.real);
}

static void lines(void)
{
	static const struct {
		double nic, real;
	} ppb[] = {
		{ 0, 0 }, { 50000, 0 }, { -50000, 0 }, { 0, 30000 },
		{ 0, -30000 }, { 50000, -30000 }, { -50000, 300000 },
	};
	int64_t now_ns;
	size_t i;

	for (i = 0; i < sizeof(ppb) / sizeof(*ppb); i++) {
		int64_t later_ns, most_ns;

		begin(ppb[i].nic, ppb[i].real);
		tap_ok(!tell() && kernel.cmd == ONRAMP_CMD_PHC_SET &&
		       published(ONRAMP_A_IFINDEX) == MACHINE_INDEX,
		       "NIC %+.0f ppb, REALTIME %+.0f: a line is published", ppb[i].nic,
		       ppb[i].real);
		most_ns = published(ONRAMP_A_CLOCK_ERROR);
		now_ns = line_error();
		machine.raw_ns += VALID_NS - 100 * MS;
		later_ns = line_error();
		tap_ok(llabs(now_ns) <= most_ns && llabs(later_ns) <= most_ns,
		       "and is true, now by %lld ns and at its end by %lld of %lld",
		       (long long)now_ns, (long long)later_ns, (long long)most_ns);
		tap_ok(most_ns < 250, "which says something");
		tap_ok(llabs(published(ONRAMP_A_CLOCK_REF) - machine_shows(&machine.phc) +
			     VALID_NS) < S,
		       "it begins where the NIC's clock is");
	}
	tap_ok(published(ONRAMP_A_CLOCK_VALID) == VALID_NS && published(ONRAMP_A_CLOCK_EPOCH) == 1,
	       "valid for the configured time, of the first epoch");
	tap_ok(kernel.len[ONRAMP_A_IFINDEX] == 4 && kernel.len[ONRAMP_A_CLOCK_ERROR] == 4 &&
	       kernel.len[ONRAMP_A_CLOCK_EPOCH] == 4 && kernel.len[ONRAMP_A_CLOCK_OFFSET] == 8 &&
	       kernel.len[ONRAMP_A_CLOCK_DRIFT] == 8 && kernel.len[ONRAMP_A_CLOCK_REF] == 8 &&
	       kernel.len[ONRAMP_A_CLOCK_VALID] == 8, "in the sizes that the family has");
	begin(0, 0);
	tell();
	now_ns = published(ONRAMP_A_CLOCK_ERROR);
	device_publish(&device, &local, 100 * VALID_NS);
	tap_ok(published(ONRAMP_A_CLOCK_ERROR) - now_ns == 9900,
	       "a line that is valid for longer is less sure, by 20 ppb");
}

/* ptp4l has just turned the NIC's clock: the line still has the rate of before. */
static void steered(void)
{
	static const double ppb[] = { 1000, -1000, 5000, -20000 };
	size_t i;

	for (i = 0; i < sizeof(ppb) / sizeof(*ppb); i++) {
		bool covered = true;
		int k;

		begin(20000, 0);
		machine_turn(&machine.phc, 20000 + ppb[i]);
		for (k = 0; k < 20; k++) {
			looks(2);
			tell();
			covered &= llabs(line_error()) <= published(ONRAMP_A_CLOCK_ERROR);
			machine.raw_ns += VALID_NS - 100 * MS;
			covered &= llabs(line_error()) <= published(ONRAMP_A_CLOCK_ERROR);
			machine.raw_ns -= VALID_NS - 100 * MS;
		}
		tap_ok(covered, "a NIC turned by %+.0f ppb: lines are true to their end",
		       ppb[i]);
		looks(20);
		tell();
		tap_ok(published(ONRAMP_A_CLOCK_ERROR) < 250,
		       "and say something when they have followed: %lld ns",
		       (long long)published(ONRAMP_A_CLOCK_ERROR));
	}
}

/* A datagram leaves: the driver's stamp, and the NIC's so much later. */
static void leaves(uint32_t key, int64_t later_ns)
{
	struct socket_stamp soft = { .key = key, .hard = SOCKET_NO_STAMP };
	struct socket_stamp hard = { .key = key, .soft = SOCKET_NO_STAMP };

	machine.raw_ns += 10 * MS;
	soft.soft = machine_shows(&machine.real);
	machine.raw_ns += later_ns;
	hard.hard = machine_shows(&machine.phc);
	device_stamp(&device, &local, &soft);
	device_stamp(&device, &local, &hard);
}

static bool bias_is(int64_t ns)
{
	tell();
	if (kernel.len[ONRAMP_A_PHC_BIAS] != (ns == NO_BIAS ? 0 : 8))
		return false;
	return ns == NO_BIAS || llabs(published(ONRAMP_A_PHC_BIAS) - ns) <= 5;
}

static void biases(void)
{
	struct socket_stamp stamp = { .key = 9, .soft = SOCKET_NO_STAMP };

	begin(50000, -30000);
	tap_ok(bias_is(NO_BIAS), "bias: none without stamps");
	stamp.hard = machine_shows(&machine.phc);
	device_stamp(&device, &local, &stamp);
	tap_ok(bias_is(NO_BIAS), "bias: none of a NIC's stamp alone");
	leaves(1, 700);
	leaves(2, 400);
	leaves(3, 900);
	tap_ok(bias_is(400), "bias: the least, from the driver to the NIC");
	tap_ok(bias_is(400), "bias: kept while nothing is sent");
	leaves(4, 600);
	tap_ok(bias_is(600), "bias: the least of what was sent since the last line");
	leaves(5, 800);
	stamp.key = 6;
	stamp.hard = machine_shows(&machine.phc) - 700;
	device_stamp(&device, &local, &stamp);
	tap_ok(bias_is(800), "bias: not between stamps of two datagrams");
	leaves(7, MS + 1000);
	tap_ok(bias_is(800), "bias: refused: more than the kernel takes");
	leaves(8, -MS - 1000);
	tap_ok(bias_is(800), "bias: refused: less than it takes");
	leaves(9, -100);
	tap_ok(bias_is(-100), "bias: below 0 is taken");
	leaves(10, 300);
	looks(20);
	machine.phc.ahead_ns += MS;
	leaves(11, 200);
	looks(1);
	tap_ok(tell() == -1 && kernel.cmd == ONRAMP_CMD_PHC_DEL, "after a step there is no line");
	looks(6);
	tap_ok(tell() == -1, "until the clock was looked at some times");
	looks(1);
	tap_ok(bias_is(NO_BIAS) && kernel.cmd == ONRAMP_CMD_PHC_SET,
	       "bias: forgotten with a step of the clock, what came meanwhile too");
	tap_ok(published(ONRAMP_A_CLOCK_EPOCH) == 2, "epoch: a step begins another");
	leaves(12, 500);
	tap_ok(bias_is(500), "bias: learned again");
	tap_ok(llabs(line_error()) <= published(ONRAMP_A_CLOCK_ERROR),
	       "the line is where the clock is now");
}

static void counted(void)
{
	begin(0, 0);
	kernel.refuse = ENOENT;
	tap_ok(tell() == -1 && device.epoch == 1, "epoch: no module: the same epoch");
	kernel.refuse = EPERM;
	tap_ok(tell() == -1 && device.epoch == 1, "epoch: not for us: the same epoch");
	device_forget(&device, MACHINE_INDEX);
	tap_ok(kernel.queries == 2, "nothing was published, so nothing is withdrawn");
	kernel.refuse = 0;
	leaves(1, 400);
	tap_ok(!tell() && published(ONRAMP_A_CLOCK_EPOCH) == 1, "epoch: the first");
	kernel.refuse = ERANGE;
	tap_ok(tell() == -1, "epoch: the kernel finds that the line does not go on");
	kernel.refuse = 0;
	tap_ok(!tell() && published(ONRAMP_A_CLOCK_EPOCH) == 2 && !kernel.len[ONRAMP_A_PHC_BIAS],
	       "epoch: so another begins, without a bias");
	device.epoch = UINT32_MAX;
	device_stepped(&device);
	tap_ok(!tell() && published(ONRAMP_A_CLOCK_EPOCH) == 1, "epoch: 0 is none");
	device_forget(&device, MACHINE_INDEX);
	tap_ok(kernel.cmd == ONRAMP_CMD_PHC_DEL && published(ONRAMP_A_IFINDEX) == MACHINE_INDEX &&
	       kernel.len[ONRAMP_A_IFINDEX] == 4, "the published line is withdrawn");
	kernel.queries = 0;
	device_forget(&device, MACHINE_INDEX);
	tap_ok(!kernel.queries, "once");
}

int main(void)
{
	lines();
	steered();
	biases();
	counted();
	return tap_done();
}
