// SPDX-License-Identifier: GPL-2.0
/*
 * A receiver's flow, its peer's budget and back-off, and its namespace's rate,
 * at times on and around those that decide: OR-ACKs are due when somebody who
 * keeps all packets says so, and what is let go is never more than is allowed.
 * Anything else aborts.
 *
 *   head        1 byte: MTU in 64 bytes; 2 bytes: datagrams a second
 *   operation   1 byte: modulo 8 what, next 3 bits: by how much time moves, 64
 *		 added: bytes beside the budget
 *   time        0 to 5 bytes
 *   bytes, or parameters: 2 to 7 bytes
 *
 * What is missing at the end is 0.
 */
#include <stdlib.h>

#include "bytes.h"
#include "oracle_due.h"

#define SECOND		1000000000ULL
#define LATEST_NS	(1ULL << 61)
#define STEPS		1000

/**
 * struct receiver - all that an algorithm of it keeps, and what was let go
 * @p: parameters
 * @v: of a flow
 * @oracle: of the same flow
 * @backoff: towards its peer
 * @budget: of its peer
 * @earned: by the peer, ever
 * @spent: on the peer, ever
 * @rate: of the namespace
 * @sent: datagrams let go by the rate
 * @per_s: the rate
 * @mtu: of the device
 * @seq: sequence number of the next packet of the flow
 * @now_ns: time
 */
struct receiver {
	struct onramp_due_params p;
	struct onramp_due_vars v;
	struct oracle_due oracle;
	struct onramp_backoff backoff;
	u64 budget;
	u64 earned;
	u64 spent;
	struct onramp_rate rate;
	u64 sent;
	u32 per_s;
	u32 mtu;
	u32 seq;
	u64 now_ns;
};

static struct receiver r;

static void require(bool good)
{
	if (!good)
		abort();
}

static void take_now(struct bytes *b, unsigned int form)
{
	unsigned int beside = take(b, 1);
	u64 next_ns = r.now_ns;

	switch (form) {
	case 0:
		next_ns = around(onramp_due_at(&r.p, &r.v), beside);
		break;
	case 1:
		next_ns = around(r.v.last_ns + r.p.idle_ns, beside);
		break;
	case 2:
		next_ns = around(r.backoff.until_ns, beside);
		break;
	case 3:
		next_ns = around(r.backoff.until_ns + r.backoff.length_ns, beside);
		break;
	case 4:
		next_ns = around(r.rate.used_ns - ONRAMP_RATE_BURST_NS, beside);
		break;
	case 5:
		next_ns = around(r.v.fresh_ns, beside);
		break;
	case 6:
		next_ns += take(b, 4);
		break;
	default:
		next_ns += beside;
		break;
	}
	if (next_ns >= r.now_ns && next_ns < LATEST_NS)
		r.now_ns = next_ns;
}

static void packet(u32 payload)
{
	enum onramp_due due;

	if (r.oracle.n == ORACLE_DUE_LONGEST)
		return;
	due = oracle_due_on_packet(&r.oracle, &r.p, r.now_ns, r.seq, payload, r.mtu);
	require(onramp_due_on_packet(&r.p, &r.v, r.now_ns, r.seq, payload, onramp_due_grid(&r.p, r.mtu)) == due);
	require(r.v.waiting == !r.oracle.packet[r.oracle.n - 1].acked);
	onramp_budget_earn(&r.budget, payload);
	r.earned += payload;
	r.seq += payload;
}

static void spend(u32 bytes)
{
	u64 before = r.budget;
	bool may = onramp_budget_spend(&r.budget, bytes);

	require(may == (before >= bytes) && r.budget == before - (may ? bytes : 0));
	r.spent += may ? bytes : 0;
	require(r.spent <= r.earned && r.budget <= ONRAMP_BUDGET_BYTES);
}

/* No datagram may come sooner after all before it than the rate has it. */
static void send_one(void)
{
	u64 cost_ns = SECOND / r.per_s + !!(SECOND % r.per_s);

	r.sent += onramp_rate_take(&r.rate, r.now_ns, r.per_s);
	require(r.sent <= 1 + (r.now_ns + ONRAMP_RATE_BURST_NS) / cost_ns);
}

static void refusal(void)
{
	struct onramp_backoff before = r.backoff;
	bool on = onramp_backoff_is_on(&before, r.now_ns);

	require(onramp_backoff_on_refusal(&r.backoff, r.now_ns) == !on);
	if (on) {
		require(r.backoff.until_ns == before.until_ns && r.backoff.length_ns == before.length_ns);
		return;
	}
	require(onramp_backoff_is_on(&r.backoff, r.now_ns));
	require(r.backoff.until_ns - r.now_ns == r.backoff.length_ns);
	if (r.now_ns - before.until_ns >= before.length_ns)
		require(r.backoff.length_ns == SECOND);
	else
		require(r.backoff.length_ns == (before.length_ns == 64 * SECOND ? 1 : 2) * before.length_ns);
}

static void step(struct bytes *b)
{
	unsigned int operation = take(b, 1);

	take_now(b, operation / 8 % 8);
	switch (operation % 8) {
	case 0:
		r.p.every = 1 + take(b, 2) % 1000;
		r.p.delay_ns = 1000 + take(b, 3);
		r.p.idle_ns = 10000 + take(b, 4);
		break;
	case 1:
		require(onramp_due_on_time(&r.p, &r.v, r.now_ns) == oracle_due_on_time(&r.oracle, &r.p, r.now_ns));
		break;
	case 2:
		spend(operation & 64 ? around(r.budget, 1 + operation / 128) : take(b, 2));
		break;
	case 3:
		send_one();
		break;
	case 4:
		refusal();
		break;
	default:
		packet(1 + take(b, 2));
		break;
	}
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: bytes, read as above
 * @size: how many
 *
 * Return: 0; does not return if an algorithm is broken.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .end = data + size };
	unsigned int n;

	r = (struct receiver){
		.p = { .every = 10, .delay_ns = 20000, .idle_ns = 100000 },
		.mtu = 68 + take(&b, 1) * 64,
		.per_s = 1 + take(&b, 2) * 150,
	};
	for (n = 0; n < STEPS && b.at < b.end; n++)
		step(&b);
	return 0;
}
