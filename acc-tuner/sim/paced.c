// SPDX-License-Identifier: GPL-2.0
/*
 * A sender that DCQCN paces.
 */
#include "packet.h"
#include "paced.h"

void paced_begin(struct paced *s, const struct dcqcn_params *p, uint64_t now_ns)
{
	*s = (struct paced){ .paid_ns = now_ns };
	dcqcn_init(p, &s->rp);
}

uint32_t paced_burst(struct paced *s, const struct dcqcn_params *p, uint64_t now_ns)
{
	uint64_t fit;

	dcqcn_advance(p, &s->rp, &s->stats, now_ns);
	fit = s->rp.cur_bps / 8 * PACED_BURST_NS / NSEC_PER_SEC / PACKET_PAYLOAD;
	if (fit > PACED_BURST)
		return PACED_BURST;
	return fit ? fit : 1;
}

void paced_on_sent(struct paced *s, const struct dcqcn_params *p, uint64_t wire_bytes,
		   uint64_t now_ns)
{
	s->paid_ns = now_ns;
	s->owed = wire_bytes * 8 * NSEC_PER_SEC;
	dcqcn_on_sent(p, &s->rp, &s->stats, wire_bytes);
}

uint64_t paced_next_ns(const struct paced *s, const struct dcqcn_params *p)
{
	struct dcqcn_stats uncounted = { 0 };
	struct dcqcn_vars future = s->rp;
	u64 owed = s->owed;

	return dcqcn_pay(p, &future, &uncounted, &owed, s->paid_ns, UINT64_MAX);
}

void paced_on_cnp(struct paced *s, const struct dcqcn_params *p, uint64_t now_ns)
{
	u64 owed = s->owed;

	if (now_ns > s->paid_ns) {
		dcqcn_pay(p, &s->rp, &s->stats, &owed, s->paid_ns, now_ns);
		s->owed = owed;
		s->paid_ns = now_ns;
	}
	dcqcn_on_cnp(p, &s->rp, &s->stats, now_ns);
}
