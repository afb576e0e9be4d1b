// SPDX-License-Identifier: GPL-2.0
/*
 * Frames, CNMs, departures and PAUSEs, at times and of sizes on and around those that decide:
 * congestion point, reaction point, occupancy sampling and PAUSE do as the oracle does.
 * Anything else aborts.
 *
 *   parameters  27 bytes
 *   operation   1 byte: lowest 3 bits: which; the rest: beside what, or how much
 *   numbers     0 to 8 bytes
 *
 * What is missing at the end is 0.
 */
#include "bytes.h"
#include "oracle_qcn.h"

static void require(const char *differs)
{
	if (differs)
		abort();
}

/* Parameters in their ranges. */
static void start(struct bytes *b, struct pair_cp *cp, struct pair_rp *rp, struct pair_pause *pause,
		  struct pair_occupancy *o)
{
	unsigned int form = take(b, 1);

	pair_cp_start(cp, 1 + take(b, 4) % QCN_CP_BYTES_MAX, 1 + take(b, 4) % QCN_CP_BYTES_MAX,
		      (int)(take(b, 1) % 21) - 10, form & 1);
	*rp = (struct pair_rp){};
	rp->p.max_bps = 1000000 + take(b, 5) % (QCN_RP_RATE_MAX - 999999);
	rp->p.min_bps = form & 2 ? 5000000 % rp->p.max_bps + 1000 : rp->p.max_bps;
	rp->p.ai_bps = form & 4 ? 5000000 : QCN_RP_RATE_MAX;
	rp->p.hai_bps = form & 8 ? 50000000 : QCN_RP_RATE_MAX;
	rp->p.time_ns = 100000 + take(b, 4) % 999900001;
	rp->p.bytes = 10000 + take(b, 3);
	rp->p.threshold = 1 + take(b, 1);
	rp->p.gd = 1 + take(b, 1) % 16;
	rp->p.min_dec_percent = 1 + take(b, 1) % 100;
	rp->p.min_bps = min(rp->p.min_bps, rp->p.max_bps);
	*pause = (struct pair_pause){ .p = { 110000, 44000, form & 16 ? 3355392 : 1 } };
	pair_occupancy_start(o, form & 32 ? ORACLE_FRAMES : 3);
}

static u64 take_now(struct bytes *b, const struct pair_rp *rp, const struct pair_pause *pause,
		    u64 now, unsigned int form)
{
	const u64 due[] = { rp->v.time_up_ns, pause->send.refresh_ns, pause->to, pause->storm_to,
			    pause->from + PAUSE_STORM_AFTER_NS };

	if (form % 8 < 5)
		return max(now, around(due[form % 8], form / 8));
	return now + take(b, form % 8 == 5 ? 2 : 4);
}

static void frame_test(struct bytes *b, struct pair_cp *cp, struct pair_pause *pause, u64 now,
		       unsigned int form)
{
	u32 q = take(b, 4) % (QCN_CP_BYTES_MAX + 1ULL), len = take(b, 2);

	if (form & 1)
		q = min(around(cp->p.qeq_bytes, form / 2), (uint64_t)QCN_CP_BYTES_MAX);
	if (form & 8)
		len = min(around(cp->v.sample_bytes, form / 16), (uint64_t)QCN_CP_BYTES_MAX);
	require(pair_cp_arrival(cp, q, len, form * 0x1010101U));
	require(pair_pause_queue(pause, q, now));
}

static void occupancy_test(struct bytes *b, struct pair_occupancy *o, unsigned int form)
{
	if (form & 1)
		require(pair_occupancy_remove(o, take(b, 1)));
	else
		require(pair_occupancy_add(o, take(b, 2), form / 2));
	if (form & 4)
		require(pair_occupancy_differ(o));
	else
		require(pair_occupancy_sample(o, form & 8 ? 0 : form * 0x10305071U));
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: bytes, read as above
 * @size: how many
 *
 * Return: 0; does not return if algorithm and oracle disagree.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .end = data + size };
	static struct pair_occupancy o;
	struct pair_pause pause;
	struct pair_cp cp;
	struct pair_rp rp;
	unsigned int operations = 0;
	u64 now = 1;

	start(&b, &cp, &rp, &pause, &o);
	/* The oracle counts all units each time. */
	while (b.at < b.end && operations++ < 256) {
		unsigned int operation = take(&b, 1), form = operation / 8;

		switch (operation % 8) {
		case 0:
			now = min(take_now(&b, &rp, &pause, now, form), 1ULL << 60);
			break;
		case 1:
		case 2:
			frame_test(&b, &cp, &pause, now, form);
			break;
		case 3:
			require(pair_rp_do(&rp, take(&b, 1), 0, 0, now));
			break;
		case 4:
			require(pair_rp_do(&rp, 0, take(&b, 3), 1 + form, now));
			break;
		case 5:
			if (form == 31)
				require(pair_rp_release(&rp));
			else
				require(pair_rp_do(&rp, 0, min(rp.v.left_bytes, 1 << 24), 1, now));
			break;
		case 6:
			pair_pause_frame(&pause, form & 1 ? take(&b, 4) : 3355392, now);
			require(pair_pause_check(&pause, now));
			break;
		default:
			occupancy_test(&b, &o, form);
		}
	}
	return 0;
}
