/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Templates: the twenty settings that the agent chooses from.
 *
 * Source: Yan et al., SIGCOMM 2021, section 3.3, Action and equation (1),
 * E(n) = 20 x 2^n KB at 25 Gbit/s for n = 0..9.  Here levels are times, so that they
 * hold at any rate: 20 KB are 6.4 us at 25 Gbit/s.  The paper does not say which
 * settings its templates are.  The network's size, 30 KB, leaves space for 20 of them.
 *
 *   set        settings
 *   paper20    n = 0..9, each as a step at E(n), and as a ramp from E(n) to 4 E(n) with pmax 10 %
 *   ramp20     ramps with pmax 1 from 6.5 us to twelve levels, four with pmax 30 %, three
 *              from 26 us, and a step at 13 us
 *
 * Templates are sorted by the level at which half of the packets are marked.  The agent
 * sees the place of the one in force, which in another order would be noise to it.
 */
#ifndef ACC_TEMPLATE_H
#define ACC_TEMPLATE_H

#include <stdbool.h>
#include <stdint.h>

#define TEMPLATE_NR	20

/* Probability 1. */
#define TEMPLATE_ONE_PPM	1000000U

/* E(0), and how many levels there are. */
#define TEMPLATE_LEVEL_NS	6400ULL
#define TEMPLATE_LEVELS		10

/* Ranges of a template's numbers; those of kernel/algo/ecnsharp_params.h are wider. */
#define TEMPLATE_LEAST_NS	100ULL
#define TEMPLATE_MOST_NS	100000000ULL

/**
 * struct template - a setting of a queue
 * @kmin_ns: level up to which nothing is marked
 * @kmax_ns: level above which everything is
 * @pmax_ppm: probability at @kmax_ns, 1 to TEMPLATE_ONE_PPM
 */
struct template {
	uint64_t kmin_ns;
	uint64_t kmax_ns;
	uint32_t pmax_ppm;
};

/**
 * enum template_set - published sets
 * @TEMPLATE_RAMP20: steep ramps; the default
 * @TEMPLATE_PAPER20: of the paper's levels
 */
enum template_set { TEMPLATE_RAMP20, TEMPLATE_PAPER20 };

/**
 * template_level_ns() - the paper's levels
 * @n: 0 to TEMPLATE_LEVELS - 1
 *
 * Return: E(n) as a time.
 */
static inline uint64_t template_level_ns(uint32_t n)
{
	return TEMPLATE_LEVEL_NS << n;
}

/**
 * template_half_ns() - level by which templates are sorted
 * @t: a template
 *
 * Return: the level at which half of the packets are marked.
 */
uint64_t template_half_ns(const struct template *t);

/**
 * template_before() - the order of templates
 * @a: a template
 * @b: another one
 *
 * Templates that mark half of the packets at the same level are in the order of kmin,
 * then of pmax.
 *
 * Return: true if @a comes before @b.
 */
bool template_before(const struct template *a, const struct template *b);

/**
 * template_is_valid() - are its numbers in range?
 * @t: a template
 *
 * Return: true if they are.
 */
bool template_is_valid(const struct template *t);

/**
 * template_fill() - a published set, sorted
 * @set: which
 * @t: filled: TEMPLATE_NR templates
 */
void template_fill(enum template_set set, struct template *t);

#endif /* ACC_TEMPLATE_H */
