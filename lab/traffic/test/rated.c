// SPDX-License-Identifier: GPL-2.0
/*
 * Unit tests of the datagrams and of the schedule, built with sanitizers
 */
#include <string.h>
#include <sys/socket.h>

#include "../schedule.h"
#include "../cdf.h"
#include "../datagram.h"
#include "../loop.h"
#include "../rng.h"
#include "tap.h"

#define DRAWS	1000000
#define TASKS	1000

static void test_datagram(void)
{
	struct datagram in = { DATAGRAM_NACK, 0x0102030405060708, 0x1122334455667788 }, out;
	u8 wire[DATAGRAM_BYTES];

	datagram_pack(&in, wire);
	tap_ok(!datagram_unpack(&out, wire, sizeof(wire)) && out.kind == in.kind &&
	       out.flow == in.flow && out.packet == in.packet, "what is packed is unpacked");
	tap_ok(datagram_unpack(&out, wire, sizeof(wire) - 1) == -1, "a short one is refused");
	tap_ok(datagram_unpack(&out, wire, sizeof(wire) + 1) == -1, "a NACK with more too");
	in.kind = DATAGRAM_DATA;
	datagram_pack(&in, wire);
	tap_ok(datagram_unpack(&out, wire, sizeof(wire)) == -1, "and DATA without any");
	in.kind = DATAGRAM_CNP;
	datagram_pack(&in, wire);
	tap_ok(datagram_unpack(&out, wire, sizeof(wire)) == -1, "and a CNP that names a packet");
}

static void test_damaged(void)
{
	u32 taken = 0, wrong = 0, i;
	u8 wire[DATAGRAM_BYTES];
	struct datagram d;
	struct rng r;

	rng_seed(&r, 1, "test", "datagram");
	for (i = 0; i < DRAWS; i++) {
		size_t len = rng_below(&r, 60);
		u32 flips = 1 + rng_below(&r, 3);

		d.kind = rng_below(&r, DATAGRAM_KINDS);
		d.flow = rng_next(&r);
		d.packet = rng_next(&r) >> rng_below(&r, 64);
		datagram_pack(&d, wire);
		while (flips--)
			wire[rng_below(&r, DATAGRAM_BYTES)] ^= 1 << rng_below(&r, 8);
		if (datagram_unpack(&d, wire, len))
			continue;
		taken++;
		wrong += memcmp(wire, "fgd1", 4) || d.kind >= DATAGRAM_KINDS || wire[5] ||
			 wire[6] || wire[7] || len < DATAGRAM_BYTES ||
			 (d.kind == DATAGRAM_DATA) == (len == DATAGRAM_BYTES);
	}
	tap_ok(taken > DRAWS / 100 && !wrong,
	       "%u of %u damaged ones are taken, none that is invalid", taken, DRAWS);
}

static bool adds_up(u64 size, u32 payload)
{
	u64 packets = datagram_packets(size, payload), last = packets - 1;
	u32 length = datagram_length(size, payload, last);

	return last * payload + length - DATAGRAM_BYTES == size && length > DATAGRAM_BYTES &&
	       length <= DATAGRAM_BYTES + payload &&
	       (!last || datagram_length(size, payload, 0) == DATAGRAM_BYTES + payload);
}

static void test_sizes(void)
{
	u32 four = datagram_payload(AF_INET), six = datagram_payload(AF_INET6), wrong = 0, i;
	struct rng r;

	tap_ok(four == 1448 && six == 1428, "payload of a packet: %u and %u bytes", four, six);
	rng_seed(&r, 1, "test", "sizes");
	for (i = 0; i < DRAWS; i++)
		wrong += !adds_up(1 + rng_below(&r, FLOW_SIZE_MAX >> rng_below(&r, 39)), four);
	for (i = 1; i < 5 * six; i++)
		wrong += !adds_up(i, six);
	tap_ok(!wrong, "the packets of a flow make up its size");
	tap_ok(datagram_packets(0, four) == UINT64_MAX &&
	       datagram_length(0, four, UINT64_MAX - 1) == DATAGRAM_BYTES + four,
	       "endless: always full");
	tap_ok(datagram_wire_bytes(1, DATAGRAM_BYTES + four, AF_INET) == 1538 &&
	       datagram_wire_bytes(2, 2 * (DATAGRAM_BYTES + six), AF_INET6) == 2 * 1538,
	       "a full packet takes 1538 bytes of the wire");
}

static struct {
	struct task task[TASKS];
	u32 done[TASKS];
	u64 last;
	u32 disorder;
	u32 n;
} run;

static void task_due(struct task *t, u64 now)
{
	size_t i = t - run.task;

	run.disorder += t->at < run.last || now < t->at || t->place;
	run.last = t->at;
	run.done[i]++;
	run.n++;
	/* Every tenth comes again. */
	if (i % 10 == 0 && run.done[i] == 1)
		schedule_set(t, t->at + 500000);
	if (run.n == TASKS / 10 * 9)
		loop_stop();
}

/* In each 10 tasks one runs twice, one is moved, and two are cancelled, one of them twice. */
static void test_schedule(void)
{
	u64 start = clock_now();
	u32 wrong = 0, i;
	struct rng r;

	rng_seed(&r, 1, "test", "schedule");
	for (i = 0; i < TASKS; i++) {
		run.task[i].due = task_due;
		schedule_set(&run.task[i], start + rng_below(&r, 2000000));
	}
	for (i = 0; i < TASKS; i++) {
		if (i % 10 == 1)
			schedule_set(&run.task[i], start + rng_below(&r, 2000000));
		if (i % 10 == 2 || i % 10 == 3)
			schedule_drop(&run.task[i]);
		if (i % 10 == 3)
			schedule_drop(&run.task[i]);
	}
	tap_ok(!loop_run(), "the schedule's loop ends");
	for (i = 0; i < TASKS; i++)
		wrong += run.done[i] != (i % 10 == 0 ? 2 : i % 10 == 2 || i % 10 == 3 ? 0 : 1);
	tap_ok(!wrong, "every task is done as often as it is set (%u are not)", wrong);
	tap_ok(!run.disorder, "in the order of their times, and none earlier (%u are not)",
	       run.disorder);
}

int main(void)
{
	test_datagram();
	test_damaged();
	test_sizes();
	if (loop_open() || schedule_open(TASKS))
		return 1;
	test_schedule();
	return tap_done();
}
