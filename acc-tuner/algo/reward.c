// SPDX-License-Identifier: GPL-2.0
/*
 * Rewards.
 */
#include "reward.h"
#include "template.h"

uint32_t reward_delay(uint64_t delay_ns)
{
	uint32_t n = 0;

	while (n < TEMPLATE_LEVELS && template_level_ns(n) < delay_ns)
		n++;
	return TEMPLATE_LEVELS - n;
}

const char *reward_text(enum reward form)
{
	static const char *const text[REWARD_NR] = { "marks", "paper", "busy" };

	return text[form];
}

static float reward_parts(uint32_t parts)
{
	return (float)parts / (float)FEATURE_ONE;
}

float reward(enum reward form, const struct feature_interval *x)
{
	float utilisation = reward_parts(feature_utilisation(x));
	float delay = (float)reward_delay(feature_delay_ns(x)) / 10.0f;
	float value = REWARD_WEIGHT_TX * utilisation + REWARD_WEIGHT_DELAY * delay;

	if (form == REWARD_BUSY) {
		bool waits = feature_delay_ns(x) > REWARD_BUSY_NS;

		return REWARD_BUSY_TX * (waits ? utilisation : 1.0f) + REWARD_BUSY_DELAY * delay;
	}
	if (form == REWARD_PAPER)
		return value;
	return value - REWARD_WEIGHT_MARKS * reward_parts(feature_marked_fraction(x)) *
		       (1.0f - utilisation);
}
