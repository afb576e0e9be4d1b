// SPDX-License-Identifier: GPL-2.0
/*
 * Settings: whatever a queue had, a ramp of the tuner can be recognised and taken back.  -s
 * SEED repeats, -n is the number of random settings.
 */
#include <linux/pkt_sch_ecnsharp.h>
#include <string.h>

#include "options.h"
#include "random.h"
#include "settings.h"

static uint64_t chance;

static uint64_t within(enum ecnsharp_param id)
{
	const struct param_info *info = ecnsharp_param_info(id);

	return info->least + random_below(&chance, info->most - info->least + 1);
}

/* Requests of chance, as a user would send them one after the other; some are refused. */
static void any_settings(struct ecnsharp_settings *s)
{
	uint32_t steps = random_below(&chance, 6), step, i;

	ecnsharp_settings_default(s);
	for (step = 0; step < steps; step++) {
		struct ecnsharp_settings request = { 0 };

		for (i = random_below(&chance, 6) + 1; i; i--) {
			uint32_t id = random_below(&chance, ECNSHARP_NR_PARAMS);

			ecnsharp_set(&request, id, within(id));
		}
		/* Combinations would be rare by chance alone. */
		if (!random_below(&chance, 3)) {
			ecnsharp_set(&request, ECNSHARP_RTT_AVG_NS, 1000);
			ecnsharp_set(&request, ECNSHARP_RTT_TAIL_NS, within(ECNSHARP_RTT_TAIL_NS));
		}
		if (!random_below(&chance, 3)) {
			ecnsharp_set(&request, ECNSHARP_SIGNAL, ECNSHARP_LENGTH);
			ecnsharp_set(&request, ECNSHARP_RATE_BPS, within(ECNSHARP_RATE_BPS));
		}
		settings_expect(s, &request);
	}
}

static struct template any_template(void)
{
	struct template t[TEMPLATE_NR];

	template_fill(random_below(&chance, 2), t);
	return t[random_below(&chance, TEMPLATE_NR)];
}

static bool is_wrong(const struct ecnsharp_settings *own)
{
	struct ecnsharp_settings now = *own, request;
	struct template t = any_template();
	int changes;

	for (changes = 0; changes < 2; changes++) {
		settings_ramp(&now, &t, &request);
		if (settings_expect(&now, &request) || !settings_is_tuned(&now, own))
			return true;
		t = any_template();
	}
	return settings_expect(&now, own) || !settings_is_same(&now, own);
}

static void test_rounds(uint64_t count)
{
	uint32_t wrong = 0, rules = 0, lengths = 0, ramps = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		struct ecnsharp_settings own;

		any_settings(&own);
		wrong += is_wrong(&own);
		rules += ecnsharp_is_given(&own, ECNSHARP_GIVEN_RULE);
		lengths += own.value[ECNSHARP_SIGNAL] == ECNSHARP_LENGTH;
		ramps += ecnsharp_is_given(&own, ECNSHARP_GIVEN_RAMP);
	}
	tap_ok(!wrong, "any settings come back after ramps of the tuner (%u of %ju wrong)", wrong,
	       (uintmax_t)count);
	tap_ok(rules > count / 100 && lengths > count / 100 && ramps > count / 1000,
	       "rules, lengths and ramps were among them (%u, %u, %u)", rules, lengths, ramps);
}

/* Any other change than a ramp is not the tuner's. */
static void test_foreign(uint64_t count)
{
	uint32_t taken = 0, tried = 0;
	uint64_t i;

	for (i = 0; i < count; i++) {
		const struct template t = any_template();
		struct ecnsharp_settings own, now, request = { 0 };
		uint32_t id = random_below(&chance, ECNSHARP_NR_PARAMS);

		any_settings(&own);
		now = own;
		settings_ramp(&now, &t, &request);
		settings_expect(&now, &request);
		memset(&request, 0, sizeof(request));
		ecnsharp_set(&request, id, within(id));
		if (ECNSHARP_GIVEN_RAMP >> id & 1 || settings_expect(&now, &request))
			continue;
		/* A value that was there already changes nothing. */
		if (own.value[id] == request.value[id] && own.given >> id & 1)
			continue;
		tried++;
		taken += settings_is_tuned(&now, &own);
	}
	tap_ok(!taken && tried > count / 4, "another's change is recognised (%u of %u not)", taken,
	       tried);
}

static void test_template(void)
{
	struct ecnsharp_settings s, request = { 0 };
	struct template t;

	ecnsharp_settings_default(&s);
	t = settings_template(&s);
	tap_ok(t.kmin_ns == 200000 && t.kmax_ns == 200000 && t.pmax_ppm == 1000000, "a step");
	ecnsharp_set(&request, ECNSHARP_RTT_AVG_NS, 100000);
	ecnsharp_set(&request, ECNSHARP_RTT_TAIL_NS, 200000);
	ecnsharp_set(&request, ECNSHARP_TRANSPORT, ECNSHARP_DCTCP);
	settings_expect(&s, &request);
	t = settings_template(&s);
	tap_ok(t.kmin_ns == 34000 && t.kmax_ns == 34000, "a rule");
	settings_ramp(&s, &(struct template){ 6500, 210000, 300000 }, &request);
	tap_ok(request.given == (ECNSHARP_GIVEN_RAMP_NS | ECNSHARP_BIT(PMAX_PPM)) &&
	       request.value[ECNSHARP_KMAX_NS] == 210000 && request.value[ECNSHARP_PMAX_PPM] == 300000,
	       "a change has kmin, kmax and pmax, and nothing else");
	settings_expect(&s, &request);
	t = settings_template(&s);
	tap_ok(t.kmin_ns == 6500 && t.kmax_ns == 210000 && t.pmax_ppm == 300000, "a ramp");

	ecnsharp_settings_default(&s);
	memset(&request, 0, sizeof(request));
	ecnsharp_set(&request, ECNSHARP_SIGNAL, ECNSHARP_LENGTH);
	ecnsharp_set(&request, ECNSHARP_RATE_BPS, 10000000000);
	settings_expect(&s, &request);
	settings_ramp(&s, &(struct template){ 6400, 208000, 1000000 }, &request);
	tap_ok(request.given == (ECNSHARP_GIVEN_RAMP_BYTES | ECNSHARP_BIT(PMAX_PPM)) &&
	       request.value[ECNSHARP_KMIN_BYTES] == 8000 && request.value[ECNSHARP_KMAX_BYTES] == 260000,
	       "in bytes with signal length");
	settings_expect(&s, &request);
	t = settings_template(&s);
	tap_ok(t.kmin_ns == 6400 && t.kmax_ns == 208000, "and back in time");
	s.value[ECNSHARP_RATE_BPS] = 100000000000000;
	settings_ramp(&s, &(struct template){ 100, 100000000, 1 }, &request);
	tap_ok(request.value[ECNSHARP_KMAX_BYTES] <= 2147483647, "the highest rate and level fit");
}

int main(int argc, char **argv)
{
	struct options options = options_read(argc, argv, 100000, "settings");

	chance = options.seed;
	test_template();
	test_rounds(options.n);
	test_foreign(options.n);
	return tap_done();
}
