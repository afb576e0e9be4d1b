// SPDX-License-Identifier: GPL-2.0
/*
 * Settings of an ecnsharp qdisc.
 */
#include <linux/pkt_sch_ecnsharp.h>
#include <linux/rtnetlink.h>
#include <string.h>

#include "../../lib/netlink.h"
#include "settings.h"

#define SETTINGS_NS	8000000000ULL
#define SETTINGS_PPM	1000000ULL

static const uint16_t settings_attrs[ECNSHARP_NR_PARAMS] = {
#define ECNSHARP_X(id, name, bits, lo, hi, unit)			       \
	[ECNSHARP_##id] = TCA_ECNSHARP_##id,
	ECNSHARP_PARAMETERS(ECNSHARP_X)
#undef ECNSHARP_X
};

uint16_t settings_attr(enum ecnsharp_param id)
{
	return settings_attrs[id];
}

uint32_t settings_find(uint64_t attr)
{
	uint32_t id = 0;

	while (id < ECNSHARP_NR_PARAMS && settings_attrs[id] != attr)
		id++;
	return id;
}

/* Return: 0, or -1 if the attribute is not as wide as its parameter. */
static int settings_value(const struct nlattr *attr, uint32_t bits, uint64_t *value)
{
	if (mnl_attr_get_payload_len(attr) != bits / 8)
		return -1;
	if (bits == 8)
		*value = mnl_attr_get_u8(attr);
	else if (bits == 32)
		*value = mnl_attr_get_u32(attr);
	else
		*value = mnl_attr_get_u64(attr);
	return 0;
}

int settings_parse(const struct nlattr *nest, struct ecnsharp_settings *s)
{
	const struct nlattr *attrs[TCA_ECNSHARP_MAX + 1];
	uint32_t id;

	memset(s, 0, sizeof(*s));
	nl_index_nest(nest, attrs, TCA_ECNSHARP_MAX);
	for (id = 0; id < ECNSHARP_NR_PARAMS; id++) {
		const struct nlattr *attr = attrs[settings_attrs[id]];
		uint64_t value;

		if (!attr)
			continue;
		if (settings_value(attr, ecnsharp_param_info(id)->bits, &value) ||
		    ecnsharp_set(s, id, value))
			return -1;
	}
	return 0;
}

void settings_put(struct nlmsghdr *n, const struct ecnsharp_settings *s)
{
	struct nlattr *nest = mnl_attr_nest_start(n, TCA_OPTIONS);
	uint32_t id;

	for (id = 0; id < ECNSHARP_NR_PARAMS; id++) {
		uint64_t value = s->value[id];

		if (!ecnsharp_is_given(s, 1ULL << id))
			continue;
		if (ecnsharp_param_info(id)->bits == 8)
			mnl_attr_put_u8(n, settings_attrs[id], value);
		else if (ecnsharp_param_info(id)->bits == 32)
			mnl_attr_put_u32(n, settings_attrs[id], value);
		else
			mnl_attr_put_u64(n, settings_attrs[id], value);
	}
	mnl_attr_nest_end(n, nest);
}

bool settings_is_same(const struct ecnsharp_settings *a, const struct ecnsharp_settings *b)
{
	return a->given == b->given && !memcmp(a->value, b->value, sizeof(a->value));
}

static bool settings_is_length(const struct ecnsharp_settings *s)
{
	return s->value[ECNSHARP_SIGNAL] == ECNSHARP_LENGTH;
}

/* At most 10^8 ns x 10^14 bit/s / 8 x 10^9, and below 2^31 after it. */
static uint64_t settings_bytes(const struct ecnsharp_settings *s, uint64_t ns)
{
	__uint128_t bytes = (__uint128_t)ns * s->value[ECNSHARP_RATE_BPS] / SETTINGS_NS;
	uint64_t most = ecnsharp_param_info(ECNSHARP_KMAX_BYTES)->most;

	return bytes < most ? (uint64_t)bytes : most;
}

static uint64_t settings_time(const struct ecnsharp_settings *s, uint64_t bytes)
{
	uint64_t bps = s->value[ECNSHARP_RATE_BPS];

	return bps ? bytes * SETTINGS_NS / bps : 0;
}

static void settings_give(struct ecnsharp_settings *s, enum ecnsharp_param id, uint64_t value)
{
	s->given |= 1ULL << id;
	s->value[id] = value;
}

void settings_ramp(const struct ecnsharp_settings *s, const struct template *t,
		   struct ecnsharp_settings *request)
{
	memset(request, 0, sizeof(*request));
	if (settings_is_length(s)) {
		settings_give(request, ECNSHARP_KMIN_BYTES, settings_bytes(s, t->kmin_ns));
		settings_give(request, ECNSHARP_KMAX_BYTES, settings_bytes(s, t->kmax_ns));
	} else {
		settings_give(request, ECNSHARP_KMIN_NS, t->kmin_ns);
		settings_give(request, ECNSHARP_KMAX_NS, t->kmax_ns);
	}
	settings_give(request, ECNSHARP_PMAX_PPM, t->pmax_ppm);
}

int settings_expect(struct ecnsharp_settings *s, const struct ecnsharp_settings *request)
{
	return ecnsharp_settings_apply(s, request) ? -1 : 0;
}

bool settings_is_tuned(const struct ecnsharp_settings *s, const struct ecnsharp_settings *own)
{
	struct ecnsharp_settings ramp = *s, expected = *own;
	uint32_t id;

	ramp.given &= ECNSHARP_GIVEN_RAMP;
	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		if (!(ramp.given >> id & 1))
			ramp.value[id] = 0;
	return ramp.given && !settings_expect(&expected, &ramp) && settings_is_same(s, &expected);
}

struct template settings_template(const struct ecnsharp_settings *s)
{
	struct ecnsharp_params p;

	ecnsharp_params_make(s, &p);
	if (p.ins != ECNSHARP_INS_RAMP)
		return (struct template){ p.ins_target_ns, p.ins_target_ns, SETTINGS_PPM };
	if (p.length)
		return (struct template){ settings_time(s, p.kmin), settings_time(s, p.kmax),
					  s->value[ECNSHARP_PMAX_PPM] };
	return (struct template){ p.kmin, p.kmax, s->value[ECNSHARP_PMAX_PPM] };
}
