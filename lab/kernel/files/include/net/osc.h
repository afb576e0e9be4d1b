/* SPDX-License-Identifier: GPL-2.0 */
/*
 * osc.h - clocks that are wrong in a known way
 *
 * Pure arithmetics: true time is an argument, nothing is read from a clock, and
 * what a clock shows is a function of its settings, of what its owner did to it
 * at which times, and of true time; never of how often it was looked at.
 *
 *     true time --> oscillator --> dial
 *
 * The oscillator (struct osc) is the hardware: a counter that is fast or slow by
 * a rate, a ramp of the rate, and a random walk of the rate, and that nobody can
 * correct.  The dial (struct osc_dial) is what a driver or a time daemon makes
 * of it: set, shifted, made faster or slower.  Times and errors are s128 in
 * units of 2^-64 ns; rates are s64 in units of 2^-64 (ns a ns).
 *
 * The walk changes the rate at multiples of OSC_GRID_NS of true time by
 * independent steps, each a hash of seed and place, nearly Gaussian (the sum of
 * four uniform numbers): W ppb per root second make a standard deviation of
 * W * sqrt(t) after t seconds.
 *
 * Used by the lab kernel (net_clock.c), by labnic's hardware clocks, and in
 * user space by the tests and by the check of the lab's plans.  A caller
 * serialises what it does to one clock, reading included.
 */
#ifndef _NET_OSC_H
#define _NET_OSC_H

#ifdef __KERNEL__
#include <linux/ctype.h>
#include <linux/errno.h>
#include <linux/kernel.h>
#include <linux/limits.h>
#include <linux/string.h>
#include <linux/types.h>
#else
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include "../../../../../kernel/algo/port.h"
#define s128 __int128
#endif

#define OSC_NS_PER_S	1000000000LL
#define OSC_GRID_NS	10000000LL	/* true time between steps of the walk */
#define OSC_POINTS	16		/* places of the walk that are remembered */
#define OSC_STEPS	16		/* steps that a clock can have in all */
#define OSC_TEXT_MAX	2048		/* bytes of osc_show(), with its end */
#define OSC_ONE		((s128)1 << 64)	/* a nanosecond */

/**
 * OSC_KEYS() - what can be said of a clock
 * @K: macro called as K(NAME, name, min, max)
 *
 * offset: ns from true time to which the clock is set; rate: ppb by which the
 * oscillator is fast; wander: ppb per root second; ramp: ppb a second; seed: of
 * the walk; step and at: ns by which the clock steps, and ns of
 * CLOCK_MONOTONIC, which is true time, at which it does.
 */
#define OSC_KEYS(K)							\
	K(OFFSET, offset, -1000000000000000LL, 1000000000000000LL)	\
	K(RATE, rate, -10000000LL, 10000000LL)				\
	K(WANDER, wander, 0LL, 100000LL)				\
	K(RAMP, ramp, -10000LL, 10000LL)				\
	K(SEED, seed, 0LL, 9223372036854775807LL)			\
	K(STEP, step, -1000000000000000LL, 1000000000000000LL)		\
	K(AT, at, 1LL, 864000000000000LL)

enum osc_key {
#define OSC_K(NAME, name, min, max) OSC_##NAME,
	OSC_KEYS(OSC_K)
#undef OSC_K
	OSC_N
};

/**
 * struct osc_range - what is known of a key, see OSC_KEYS()
 * @name: its name
 * @min: least value
 * @max: greatest value
 */
struct osc_range {
	const char *name;
	s64 min;
	s64 max;
};

/**
 * osc_range() - name and range of a key
 * @key: below OSC_N
 *
 * Return: they.
 */
static inline const struct osc_range *osc_range(unsigned int key)
{
	static const struct osc_range range[] = {
#define OSC_K(NAME, name, min, max) { #name, min, max },
		OSC_KEYS(OSC_K)
#undef OSC_K
	};

	return &range[key];
}

/**
 * struct osc_setting - what was said of a clock
 * @given: bit n is set if key n was said
 * @value: of these
 */
struct osc_setting {
	u32 given;
	s64 value[OSC_N];
};

/**
 * struct osc_point - the walk at a multiple of OSC_GRID_NS
 * @k: which multiple; 0: this is none
 * @rate: of the walk from there to the next
 * @error: what the walk has made of the time until there
 */
struct osc_point {
	s64 k;
	s64 rate;
	s128 error;
};

/**
 * struct osc - an oscillator; all zero is a perfect one
 * @since_ns: true time of the last settings
 * @error: at that time
 * @rate: at that time
 * @slope: of the rate, in units of 2^-96 a ns
 * @stride: of the walk, in units of the rate for each unit of its noise
 * @value: settings as they were given
 * @point: the last places of the walk that were passed
 */
struct osc {
	s64 since_ns;
	s128 error;
	s64 rate;
	s64 slope;
	s64 stride;
	s64 value[OSC_N];
	struct osc_point point[OSC_POINTS];
};

/**
 * struct osc_leg - a time in which nobody touched a dial
 * @from_ns: true time of its begin
 * @count: the oscillator's then
 * @shown: the dial's then
 * @adjust: by how much the dial is faster than the oscillator
 */
struct osc_leg {
	s64 from_ns;
	s128 count;
	s128 shown;
	s64 adjust;
};

/**
 * struct osc_dial - an oscillator and what shows it
 * @osc: the oscillator
 * @leg: the present, and for times just past the one before
 * @step_ns: steps, by how much
 * @step_at: and when, ns of true time
 * @n_steps: number of steps
 */
struct osc_dial {
	struct osc osc;
	struct osc_leg leg[2];
	s64 step_ns[OSC_STEPS];
	s64 step_at[OSC_STEPS];
	unsigned int n_steps;
};

/**
 * osc_round() - a time in whole ns
 * @time: time or error
 *
 * Return: ns, to the nearest.
 */
static inline s64 osc_round(s128 time)
{
	return (time + OSC_ONE / 2) >> 64;
}

/**
 * osc_rate_ppb() - a rate that is said in ppb
 * @ppb: below 2^63 / 10^9
 *
 * The constant is 2^92 / 10^9.
 *
 * Return: the rate in units of 2^-64.
 */
static inline s64 osc_rate_ppb(s64 ppb)
{
	return (s128)ppb * 4951760157141521100LL >> 28;
}

/**
 * osc_rate_ppm16() - a rate as clock_adjtime() and PTP drivers say it
 * @scaled: ppm * 2^16, below 2^33
 *
 * The constant is 2^80 / 10^6.
 *
 * Return: the rate in units of 2^-64.
 */
static inline s64 osc_rate_ppm16(s64 scaled)
{
	return (s128)scaled * 1208925819614629175LL >> 32;
}

/*
 * Noise of a place of the walk: the finalizer of splitmix64 (public domain, Vigna
 * 2015) over seed and place, as four 16 bit numbers.
 */
static inline s64 osc_noise(u64 seed, s64 k)
{
	u64 z = seed * 0xd1342543de82ef95ULL + (u64)k * 0x9e3779b97f4a7c15ULL;

	z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
	z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
	z ^= z >> 31;
	return (s64)((z & 0xffff) + (z >> 16 & 0xffff) + (z >> 32 & 0xffff) +
		     (z >> 48)) - 131070;
}

/*
 * The place of the walk at or before a true time: from the nearest that is
 * remembered, or from the settings, where the walk begins with nothing.
 */
static inline struct osc_point osc_walk(struct osc *osc, s64 true_ns)
{
	s64 first = osc->since_ns / OSC_GRID_NS, last = true_ns / OSC_GRID_NS;
	struct osc_point at = { .k = first };
	int i;

	if (!osc->stride || last <= first)
		return (struct osc_point) { .k = last };
	for (i = 0; i < OSC_POINTS; i++)
		if (osc->point[i].k > at.k && osc->point[i].k <= last)
			at = osc->point[i];
	while (at.k < last) {
		at.error += (s128)at.rate * OSC_GRID_NS;
		at.k++;
		at.rate += osc->stride *
			   osc_noise(osc->value[OSC_SEED], at.k);
		osc->point[at.k % OSC_POINTS] = at;
	}
	return at;
}

/**
 * osc_rate() - how fast an oscillator is
 * @osc: oscillator
 * @true_ns: true time
 *
 * Return: rate above the true one.
 */
static inline s64 osc_rate(struct osc *osc, s64 true_ns)
{
	return osc->rate + osc_walk(osc, true_ns).rate +
	       (s64)((s128)osc->slope * (true_ns - osc->since_ns) >> 32);
}

/**
 * osc_error() - how far an oscillator is ahead
 * @osc: oscillator
 * @true_ns: true time, 0 to 10^15; cheap if it is near the last one asked for
 *
 * Return: its count minus true time.
 */
static inline s128 osc_error(struct osc *osc, s64 true_ns)
{
	struct osc_point at = osc_walk(osc, true_ns);
	s64 ns = true_ns - osc->since_ns;
	s128 ramped = ((s128)osc->slope * ns >> 32) * ns >> 1;

	return osc->error + (s128)osc->rate * ns + ramped + at.error +
	       (s128)at.rate * (true_ns - at.k * OSC_GRID_NS);
}

/**
 * osc_tune() - change an oscillator; its count goes on from where it is
 * @osc: oscillator
 * @true_ns: true time, not before the last change
 * @setting: rate, wander, ramp and seed are taken from there
 *
 * Whatever is not given stays: without a rate that of now, walk and ramp
 * included.
 */
static inline void osc_tune(struct osc *osc, s64 true_ns,
			    const struct osc_setting *setting)
{
	s128 error = osc_error(osc, true_ns);
	s64 rate = osc_rate(osc, true_ns);
	int key;

	for (key = 0; key < OSC_N; key++)
		if (setting->given & 1U << key)
			osc->value[key] = setting->value[key];
	if (setting->given & 1U << OSC_RATE)
		rate = osc_rate_ppb(setting->value[OSC_RATE]);
	osc->since_ns = true_ns;
	osc->error = error;
	osc->rate = rate;
	/* 2^96 / 10^18; 2^64 / 10^9 * sqrt(0.01) / sqrt((2^32 - 1) / 3) */
	osc->slope = osc->value[OSC_RAMP] * 79228162514LL;
	osc->stride = osc->value[OSC_WANDER] * 48753LL;
	memset(osc->point, 0, sizeof(osc->point));
}

static inline s128 osc_count(struct osc *osc, s64 true_ns)
{
	return true_ns * OSC_ONE + osc_error(osc, true_ns);
}

/**
 * osc_dial_read() - what a dial shows
 * @dial: dial
 * @true_ns: true time, at most OSC_GRID_NS * OSC_POINTS before the last asked for
 *	if it is to be cheap; before the last but one touch it is what the dial
 *	would have shown without any earlier ones
 *
 * Return: the time it shows.
 */
static inline s128 osc_dial_read(struct osc_dial *dial, s64 true_ns)
{
	const struct osc_leg *leg = &dial->leg[true_ns < dial->leg[0].from_ns];
	s128 ns = osc_count(&dial->osc, true_ns) - leg->count;
	s128 shown = leg->shown + ns;
	unsigned int i;

	/* 2^-16 ns are enough here, and leave room for a rate of any size. */
	shown += (ns >> 48) * leg->adjust >> 16;
	for (i = 0; i < dial->n_steps; i++)
		if (dial->step_at[i] > leg->from_ns &&
		    dial->step_at[i] <= true_ns)
			shown += dial->step_ns[i] * OSC_ONE;
	return shown;
}

/**
 * osc_dial_touch() - set a dial and its rate
 * @dial: dial
 * @true_ns: true time, not before the last touch
 * @shown: what it shows then
 * @adjust: by how much it is faster than its oscillator from then on
 */
static inline void osc_dial_touch(struct osc_dial *dial, s64 true_ns,
				  s128 shown, s64 adjust)
{
	dial->leg[1] = dial->leg[0];
	dial->leg[0] = (struct osc_leg) {
		.from_ns = true_ns,
		.count = osc_count(&dial->osc, true_ns),
		.shown = shown,
		.adjust = adjust,
	};
}

/**
 * osc_dial_init() - a perfect oscillator and a dial that shows a time
 * @dial: where
 * @true_ns: true time
 * @shown_ns: what it shows then
 */
static inline void osc_dial_init(struct osc_dial *dial, s64 true_ns,
				 s64 shown_ns)
{
	memset(dial, 0, sizeof(*dial));
	osc_dial_touch(dial, true_ns, shown_ns * OSC_ONE, 0);
	dial->leg[1] = dial->leg[0];
}

/**
 * osc_dial_set() - set a dial, its rate stays
 * @dial: dial
 * @true_ns: true time
 * @shown_ns: what it shows then
 */
static inline void osc_dial_set(struct osc_dial *dial, s64 true_ns,
				s64 shown_ns)
{
	osc_dial_touch(dial, true_ns, shown_ns * OSC_ONE, dial->leg[0].adjust);
}

/**
 * osc_dial_shift() - shift a dial, its rate stays
 * @dial: dial
 * @true_ns: true time
 * @ns: how far
 */
static inline void osc_dial_shift(struct osc_dial *dial, s64 true_ns, s64 ns)
{
	osc_dial_touch(dial, true_ns,
		       osc_dial_read(dial, true_ns) + ns * OSC_ONE,
		       dial->leg[0].adjust);
}

/**
 * osc_dial_adjust() - make a dial faster or slower than its oscillator
 * @dial: dial
 * @true_ns: true time
 * @adjust: rate
 */
static inline void osc_dial_adjust(struct osc_dial *dial, s64 true_ns,
				   s64 adjust)
{
	osc_dial_touch(dial, true_ns, osc_dial_read(dial, true_ns), adjust);
}

/**
 * osc_dial_apply() - change a clock as a line of settings says
 * @dial: dial and oscillator
 * @true_ns: true time
 * @real_ns: the same as the dial should show it
 * @setting: from osc_parse()
 *
 * Return: 0; -ERANGE if the step is not ahead, -ENOSPC if there are OSC_STEPS
 *	already; then nothing has changed.
 */
static inline int osc_dial_apply(struct osc_dial *dial, s64 true_ns,
				 s64 real_ns, const struct osc_setting *setting)
{
	if (setting->given & 1U << OSC_STEP) {
		if (setting->value[OSC_AT] <= true_ns)
			return -ERANGE;
		if (dial->n_steps == OSC_STEPS)
			return -ENOSPC;
		dial->step_ns[dial->n_steps] = setting->value[OSC_STEP];
		dial->step_at[dial->n_steps] = setting->value[OSC_AT];
		dial->n_steps++;
	}
	if (setting->given & (1U << OSC_RATE | 1U << OSC_WANDER |
			      1U << OSC_RAMP | 1U << OSC_SEED))
		osc_tune(&dial->osc, true_ns, setting);
	if (setting->given & 1U << OSC_OFFSET)
		osc_dial_set(dial, true_ns,
			     real_ns + setting->value[OSC_OFFSET]);
	return 0;
}

/* A number from @min to @max; @text is moved behind it. */
static inline int osc_parse_number(const char **text, s64 min, s64 max,
				   s64 *value)
{
	bool negative = **text == '-';
	u64 number = 0;
	int digits;

	*text += negative;
	for (digits = 0; isdigit((unsigned char)**text); digits++, ++*text) {
		if (number > S64_MAX / 10)
			return -ERANGE;
		number = number * 10 + (**text - '0');
		if (number > S64_MAX)
			return -ERANGE;
	}
	*value = negative ? -(s64)number : (s64)number;
	if (!digits)
		return -EINVAL;
	return *value < min || *value > max ? -ERANGE : 0;
}

/* KEY NUMBER, of a key that was not said before. */
static inline int osc_parse_pair(const char **text, struct osc_setting *setting)
{
	const char *word = *text;
	size_t len = strcspn(word, " ");
	int key;

	*text += len;
	*text += strspn(*text, " ");
	for (key = 0; key < OSC_N; key++) {
		const struct osc_range *r = osc_range(key);

		if (strlen(r->name) != len || strncmp(word, r->name, len))
			continue;
		if (setting->given & 1U << key)
			return -EINVAL;
		setting->given |= 1U << key;
		return osc_parse_number(text, r->min, r->max,
					&setting->value[key]);
	}
	return -EINVAL;
}

/**
 * osc_parse() - read a line of settings
 * @text: "KEY NUMBER ..." of OSC_KEYS(), each at most once, step and at
 *	together, parted by blanks, perhaps with a line feed at the end
 * @setting: filled in
 *
 * Return: 0; -EINVAL if it is no such line, -ERANGE if a number is out of range;
 *	then @setting is of no use.
 */
static inline int osc_parse(const char *text, struct osc_setting *setting)
{
	int err;

	memset(setting, 0, sizeof(*setting));
	text += strspn(text, " ");
	while (*text && *text != '\n') {
		err = osc_parse_pair(&text, setting);
		if (err)
			return err;
		if (*text && *text != ' ' && *text != '\n')
			return -EINVAL;
		text += strspn(text, " ");
	}
	if ((*text == '\n' && text[1]) || !setting->given ||
	    !(setting->given & 1U << OSC_STEP) !=
	    !(setting->given & 1U << OSC_AT))
		return -EINVAL;
	return 0;
}

/**
 * osc_show() - describe a clock, in lines "name value"
 * @buf: where to
 * @size: its size, OSC_TEXT_MAX is enough
 * @dial: dial and oscillator
 * @true_ns: true time
 * @real_ns: the same as a right dial shows it
 *
 * Return: length of the text.
 */
static inline size_t osc_show(char *buf, size_t size, struct osc_dial *dial,
			      s64 true_ns, s64 real_ns)
{
	s64 shown = osc_round(osc_dial_read(dial, true_ns));
	const s64 *value = dial->osc.value;
	const s128 ppt = 1000000000000LL;
	unsigned int i;
	size_t len;

	len = snprintf(buf, size,
		       "mono_ns %lld\ntrue_ns %lld\nclock_ns %lld\nerror_ns %lld\n"
		       "rate_ppb %lld\nwander_ppb %lld\nramp_ppb %lld\nseed %lld\n"
		       "oscillator_ppt %lld\nadjust_ppt %lld\n",
		       (long long)true_ns, (long long)real_ns,
		       (long long)shown, (long long)(shown - real_ns),
		       (long long)value[OSC_RATE],
		       (long long)value[OSC_WANDER],
		       (long long)value[OSC_RAMP], (long long)value[OSC_SEED],
		       (long long)osc_round(osc_rate(&dial->osc, true_ns) * ppt),
		       (long long)osc_round(dial->leg[0].adjust * ppt));
	for (i = 0; i < dial->n_steps && len < size; i++)
		len += snprintf(buf + len, size - len, "step %lld at %lld\n",
				(long long)dial->step_ns[i],
				(long long)dial->step_at[i]);
	return len < size ? len : size - 1;
}

#endif /* _NET_OSC_H */
