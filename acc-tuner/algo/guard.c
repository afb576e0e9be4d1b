// SPDX-License-Identifier: GPL-2.0
/*
 * The guard of a tuned queue.
 */
#include "guard.h"

void guard_begin(const struct guard_params *p, struct guard_vars *v)
{
	*v = (struct guard_vars){ .holdoff_ns = p->holdoff_ns };
}

/* Blocks of a round: 1 / share; where that is not whole, one more by chance. */
static uint32_t guard_round(const struct guard_params *p, uint32_t random)
{
	uint32_t rest = 1000000 % p->share_ppm;

	return 1000000 / p->share_ppm +
	       ((uint64_t)(random & 0xffff) * p->share_ppm >> 16 < rest);
}

/* A block begins. One of each round is static, each with the same probability. */
static void guard_block(const struct guard_params *p, struct guard_vars *v, uint32_t random)
{
	v->position = 0;
	v->is_static = false;
	if (!p->share_ppm)
		return;
	if (!v->left) {
		v->left = guard_round(p, random);
		v->due = true;
	}
	v->is_static = v->due && !((uint64_t)random * v->left >> 32);
	if (v->is_static)
		v->due = false;
	v->left--;
}

static void guard_forget_pairs(struct guard_vars *v)
{
	v->tuned = (struct guard_sum){};
	v->fixed = (struct guard_sum){};
	v->pairs = 0;
	v->next = 0;
	v->left = 0;
}

static void guard_fall(const struct guard_params *p, struct guard_vars *v, uint64_t now_ns)
{
	if (v->until_ns && now_ns - v->until_ns >= p->holdoff_most_ns)
		v->holdoff_ns = p->holdoff_ns;
	v->holding = true;
	v->is_static = true;
	v->until_ns = now_ns + v->holdoff_ns;
	v->holdoff_ns *= 2;
	if (v->holdoff_ns > p->holdoff_most_ns)
		v->holdoff_ns = p->holdoff_most_ns;
	v->marked_run = 0;
	v->tuned_delay = (struct guard_mean){};
	guard_forget_pairs(v);
}

static void guard_note(struct guard_mean *mean, const struct guard_interval *x)
{
	if (x->utilisation < GUARD_UTILISATION)
		return;
	if (mean->count < GUARD_DELAY_SPAN)
		mean->count++;
	mean->ns += ((double)x->delay_ns - mean->ns) / mean->count;
}

void guard_note_static(struct guard_vars *v, const struct guard_interval *x)
{
	guard_note(&v->static_delay, x);
}

static bool guard_is_marked(const struct guard_interval *x)
{
	return x->marked_fraction > GUARD_MARKED && x->utilisation < GUARD_UTILISATION;
}

static bool guard_is_delayed(const struct guard_vars *v)
{
	if (v->static_delay.count < GUARD_DELAY_SPAN || v->tuned_delay.count < GUARD_DELAY_SPAN)
		return false;
	return v->tuned_delay.ns >= GUARD_DELAY_LEAST_NS &&
	       v->tuned_delay.ns > GUARD_DELAY_FACTOR * v->static_delay.ns;
}

/* The triggers; an interval under the static setting ends what the marks' counted. */
static enum guard_verdict guard_trigger(struct guard_vars *v, const struct guard_interval *x)
{
	if (v->is_static) {
		v->marked_run = 0;
		return GUARD_KEEP;
	}
	v->marked_run = guard_is_marked(x) ? v->marked_run + 1 : 0;
	if (x->drops)
		return GUARD_DROPS;
	if (v->marked_run >= GUARD_MARKED_RUN)
		return GUARD_MARKS;
	if (guard_is_delayed(v))
		return GUARD_DELAY;
	return GUARD_KEEP;
}

bool guard_is_worse(const struct guard_vars *v)
{
	const double n = v->pairs;
	double mean = 0, squares = 0;
	uint32_t i;

	if (v->pairs < GUARD_PAIRS_LEAST)
		return false;
	for (i = 0; i < v->pairs; i++)
		mean += v->difference[i];
	mean /= n;
	for (i = 0; i < v->pairs; i++)
		squares += (v->difference[i] - mean) * (v->difference[i] - mean);

	/* mean < -3 SE sqrt(GUARD_PAIRS / n) without a root; SE^2 = squares / (n - 1) / n */
	return mean < 0 && mean * mean > 9 * GUARD_PAIRS / n * squares / (n - 1) / n;
}

static void guard_pair(struct guard_vars *v)
{
	if (!v->tuned.count || !v->fixed.count)
		return;
	v->difference[v->next] = v->tuned.sum / v->tuned.count - v->fixed.sum / v->fixed.count;
	v->next = (v->next + 1) % GUARD_PAIRS;
	if (v->pairs < GUARD_PAIRS)
		v->pairs++;
	v->tuned = (struct guard_sum){};
	v->fixed = (struct guard_sum){};
}

static void guard_count(struct guard_vars *v, const struct guard_interval *x)
{
	struct guard_sum *arm = v->is_static ? &v->fixed : &v->tuned;

	if (v->position < GUARD_SKIP)
		return;
	guard_note(v->is_static ? &v->static_delay : &v->tuned_delay, x);
	arm->sum += (double)x->reward;
	arm->count++;
}

static enum guard_verdict guard_compare(const struct guard_params *p, struct guard_vars *v,
					const struct guard_interval *x)
{
	guard_count(v, x);
	if (++v->position < GUARD_BLOCK)
		return GUARD_KEEP;
	if (!v->left)
		guard_pair(v);
	guard_block(p, v, x->random);
	if (!guard_is_worse(v))
		return GUARD_KEEP;
	return GUARD_COMPARISON;
}

enum guard_verdict guard_on_interval(const struct guard_params *p, struct guard_vars *v,
				     const struct guard_interval *x)
{
	enum guard_verdict verdict;

	if (v->holding) {
		guard_note_static(v, x);
		if (x->now_ns < v->until_ns)
			return GUARD_KEEP;
		v->holding = false;
		guard_block(p, v, x->random);
		return GUARD_KEEP;
	}
	verdict = guard_trigger(v, x);
	if (verdict == GUARD_KEEP)
		verdict = guard_compare(p, v, x);
	if (verdict != GUARD_KEEP)
		guard_fall(p, v, x->now_ns);
	return verdict;
}
