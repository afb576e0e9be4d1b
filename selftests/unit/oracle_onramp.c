// SPDX-License-Identifier: GPL-2.0
/* On-Ramp's algorithms as the paper prints them; the rules of a path are in oracle_path.c. */
#include "oracle_onramp.h"

/**
 * horrible_holds_replace() - a hold in place of what lasts (equations 2, 4)
 * @p: the holds
 * @flow: whose
 * @now: ns, monotone
 * @t_next: when it ends, ns; nothing is set unless that lies ahead
 *
 * An earlier hold of this flow ends at this time.
 */
void horrible_holds_replace(struct horrible_holds *p, unsigned int flow,
			    uint64_t now, uint64_t t_next)
{
	unsigned int i;

	for (i = 0; i < p->n; i++)
		if (p->at[i].flow == flow && p->at[i].end > now)
			p->at[i].end = now;
	if (t_next <= now)
		return;
	horrible_check_length(p->n);
	p->at[p->n].flow = flow;
	p->at[p->n].begin = now;
	p->at[p->n++].end = t_next;
}

/**
 * horrible_holds_between() - time in which at least one hold was asserted
 * @p: the holds, in the order of their beginnings
 * @from: ns
 * @to: ns
 *
 * Return: ns of the union of all holds between @from and @to.
 */
uint64_t horrible_holds_between(const struct horrible_holds *p,
				uint64_t from, uint64_t to)
{
	uint64_t begin, end, sum = 0;
	unsigned int i;

	for (i = 0; i < p->n; i++) {
		begin = p->at[i].begin > from ? p->at[i].begin : from;
		end = p->at[i].end < to ? p->at[i].end : to;
		if (end > begin) {
			sum += end - begin;
			from = end;
		}
	}
	return sum;
}

/**
 * horrible_beta_m() - what a hold between black and green took off the delay
 * @f: the flow
 * @green: the packet
 *
 * Return: beta_m, 0 to 1; below 0 if there is nothing to measure.
 */
long double horrible_beta_m(const struct horrible_flow *f,
			    const struct horrible_green *green)
{
	long double beta_m;
	uint64_t p_bg;

	if (!f->has_black || f->black_tx >= green->tx)
		return -1;
	p_bg = horrible_holds_between(&f->holds, f->black_tx, green->tx);
	if (!p_bg)
		return -1;
	beta_m = ((long double)f->black_owd - (long double)green->owd) / p_bg;
	if (beta_m < 0)
		return 0;
	return beta_m > 1 ? 1 : beta_m;
}

/**
 * horrible_weight() - how much of beta_m goes into beta, in addition to g
 * @algo: parameters
 * @f: the flow
 * @green: the packet
 *
 * Return: 0 to 1; there is a beta_m.
 */
long double horrible_weight(const struct horrible_algo *algo,
			    const struct horrible_flow *f,
			    const struct horrible_green *green)
{
	uint64_t p_bg;

	if (!algo->weighted)
		return 1;
	p_bg = horrible_holds_between(&f->holds, f->black_tx, green->tx);
	return p_bg < green->t ? (long double)p_bg / green->t : 1;
}

/**
 * horrible_learn() - equation 3; green is the black packet of the next
 * @algo: parameters
 * @f: the flow
 * @green: the packet
 */
void horrible_learn(const struct horrible_algo *algo, struct horrible_flow *f,
		    const struct horrible_green *green)
{
	long double beta_m = horrible_beta_m(f, green);

	if (f->has_black && f->black_tx >= green->tx)
		return;
	if (beta_m >= 0) {
		long double g = algo->g * horrible_weight(algo, f, green);

		f->beta = (1 - g) * f->beta + g * beta_m;
	}
	f->has_black = true;
	f->black_owd = green->owd;
	f->black_tx = green->tx;
}

/**
 * horrible_excess() - what is above T
 * @algo: parameters
 * @f: the flow
 * @green: the packet
 *
 * Return: ns, O - T (equation 2) or O - T - beta P (equation 4).
 */
long double horrible_excess(const struct horrible_algo *algo,
			    const struct horrible_flow *f,
			    const struct horrible_green *green)
{
	long double excess = (long double)green->owd - (long double)green->t;

	if (!algo->strawman)
		excess -= f->beta * horrible_holds_between(&f->holds,
							   green->tx,
							   green->now);
	return excess;
}

/**
 * horrible_hold() - equation 2 or 4
 * @algo: parameters
 * @f: the flow
 * @green: the packet
 *
 * Return: t_next - now, ns; 0 if t_next stays.
 */
long double horrible_hold(const struct horrible_algo *algo,
			  const struct horrible_flow *f,
			  const struct horrible_green *green)
{
	long double excess = horrible_excess(algo, f, green);

	if (excess <= 0)
		return 0;
	return excess > algo->max_hold ? (long double)algo->max_hold : excess;
}
