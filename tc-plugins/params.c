// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters and counters of a qdisc, by tables.
 */
#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <linux/onramp.h>

#include "attr.h"
#include "params.h"
#include "../lib/units.h"

/**
 * struct param_unit - how the values of a unit are read and written
 * @unit: as in the list
 * @what: what a value is, for the user
 * @parse: text to number
 * @format: number to text
 */
struct param_unit {
	const char *unit;
	const char *what;
	enum unit_result (*parse)(const char *text, uint64_t *value);
	struct unit_text (*format)(uint64_t value);
};

static enum unit_result param_parse_signed(const char *text, uint64_t *value)
{
	bool minus = *text == '-';
	enum unit_result result = unit_parse_number(text + minus, value);

	if (result == UNIT_OK && *value > INT64_MAX)
		return UNIT_TOO_LARGE;
	if (minus)
		*value = -*value;
	return result;
}

static struct unit_text param_format_signed(uint64_t value)
{
	struct unit_text out;

	snprintf(out.text, sizeof(out.text), "%" PRId64, (int64_t)value);
	return out;
}

static const struct param_unit param_units[] = {
	{ "packets", "a number of packets", unit_parse_count, unit_format_count },
	{ "bytes", "a size such as 80kb", unit_parse_size, unit_format_size },
	{ "ns", "a time such as 85us", unit_parse_time, unit_format_time },
	{ "ns or auto", "a time such as 85us or auto", unit_parse_time_or_auto,
	  unit_format_time_or_auto },
	{ "bit/s", "a rate such as 10gbit", unit_parse_rate, unit_format_rate },
	{ "millionths", "a number such as 0.17 or 17%", unit_parse_fraction,
	  unit_format_fraction },
	{ "1/g", "a fraction such as 1/16", unit_parse_part, unit_format_part },
	{ "buckets", "a number", unit_parse_number, unit_format_number },
	{ "RDs/s", "a number", unit_parse_number, unit_format_number },
	{ "flows", "a number", unit_parse_number, unit_format_number },
	{ "bands", "a number", unit_parse_number, unit_format_number },
	{ "mask", "a number", unit_parse_number, unit_format_number },
	{ "reaction points", "a number", unit_parse_number, unit_format_number },
	{ "stages", "a number", unit_parse_number, unit_format_number },
	{ "binary digits", "a number", unit_parse_number, unit_format_number },
	{ "percent", "a number of percent", unit_parse_number, unit_format_number },
	{ "(mask of priorities)", "a number", unit_parse_number, unit_format_number },
	{ "(512 bit times)", "a number", unit_parse_number, unit_format_number },
	{ "(exponent of 2)", "a number", param_parse_signed, param_format_signed },
};

static bool param_in_range(const struct param *p, uint64_t value)
{
	return (int64_t)value >= p->least && (int64_t)value <= p->most;
}

/* NULL for a parameter whose values are names. */
static const struct param_unit *param_unit_of(const struct param *p)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(param_units); i++)
		if (!strcmp(param_units[i].unit, p->unit))
			return &param_units[i];
	return NULL;
}

bool param_stands_alone(const struct param *p)
{
	return *p->unit == '[';
}

/* Two bits for each of a list of small numbers. */
static bool param_is_crumbs(const struct param *p)
{
	return !strcmp(p->unit, "crumbs");
}

#define PARAM_CRUMBS	16

bool param_is_address(const struct param *p)
{
	return !strcmp(p->unit, "link-layer address");
}

/*
 * The choice for @value out of a list such as "(reno, cubic, dctcp)", which
 * begins with that for the least value.  False if the list has none: a newer
 * kernel may know more.
 */
static bool param_choice(const struct param *p, uint64_t value,
			 char choice[PARAM_NAME_MAX])
{
	const char *list = p->unit;
	uint64_t at = p->least;
	int length;

	for (list += strspn(list, "([, "); *list;
	     list += strspn(list, ")], ")) {
		length = strcspn(list, ",)]");
		if (at++ == value) {
			snprintf(choice, PARAM_NAME_MAX, "%.*s", length, list);
			return true;
		}
		list += length;
	}
	return false;
}

/* Is @text one of the names? */
static bool param_value_of(const struct param *p, const char *text,
			   uint64_t *value)
{
	char choice[PARAM_NAME_MAX];

	/* No further than there are names, however wide the range is. */
	for (*value = p->least;
	     param_in_range(p, *value) && param_choice(p, *value, choice); ++*value)
		if (!strcmp(choice, text))
			return true;
	return false;
}

int param_find(const struct param_kind *k, const char *argument)
{
	uint64_t value;
	int i;

	for (i = 0; i < k->count; i++) {
		const struct param *p = &k->param[i];

		if (param_stands_alone(p) ? param_value_of(p, argument, &value) :
					    !strcmp(p->name, argument))
			return i;
	}
	return -1;
}

/* Rows of one name from @id on. */
static int param_rows(const struct param_kind *k, int id)
{
	int n = 1;

	while (id + n < k->count &&
	       !strcmp(k->param[id + n].name, k->param[id].name))
		n++;
	return n;
}

int param_arguments(const struct param_kind *k, int id)
{
	const struct param *p = &k->param[id];

	if (param_stands_alone(p))
		return 0;
	if (param_is_address(p))
		return 1;
	return param_is_crumbs(p) ? PARAM_CRUMBS : param_rows(k, id);
}

int param_refuse(const struct param_kind *k, const char *name, const char *text,
		 const char *why)
{
	fprintf(stderr, "%s: %s \"%s\": %s\n", k->kind, name, text, why);
	return -1;
}

static void param_store(struct param_values v, int id, uint64_t value)
{
	*v.given |= 1ULL << id;
	v.value[id] = value;
}

static int param_set_choice(const struct param_kind *k, int id,
			    const char *text, struct param_values v)
{
	const struct param *p = &k->param[id];
	char why[80];
	uint64_t value;

	if (param_value_of(p, text, &value)) {
		param_store(v, id, value);
		return 0;
	}
	snprintf(why, sizeof(why), "not one of %s", p->unit);
	return param_refuse(k, p->name, text, why);
}

/* "not a time such as 85us between 1ns and 1s" */
static int param_refuse_number(const struct param_kind *k, int id,
			       const char *text, const char *fault,
			       const char *what)
{
	const struct param *p = &k->param[id];
	const struct param_unit *unit = param_unit_of(p);
	char why[160];

	if (unit->parse == unit_parse_time_or_auto && !p->least)
		snprintf(why, sizeof(why), "must be auto, or %s to %s",
			 unit->format(1).text, unit->format(p->most).text);
	else
		snprintf(why, sizeof(why), "%s%s between %s and %s", fault, what,
			 unit->format(p->least).text, unit->format(p->most).text);
	return param_refuse(k, p->name, text, why);
}

int param_set(const struct param_kind *k, int id, const char *text,
	      struct param_values v)
{
	const struct param *p = &k->param[id];
	const struct param_unit *unit = param_unit_of(p);
	uint64_t value;

	if (!unit)
		return param_set_choice(k, id, text, v);
	switch (unit->parse(text, &value)) {
	case UNIT_MALFORMED:
		return param_refuse_number(k, id, text, "not ", unit->what);
	case UNIT_INEXACT:
		return param_refuse_number(k, id, text,
					   "not a whole number of ",
					   unit->unit);
	case UNIT_OK:
		/* The kernel's message would have no units. */
		if (param_in_range(p, value)) {
			param_store(v, id, value);
			return 0;
		}
		break;
	case UNIT_TOO_LARGE:
		break;
	}
	return param_refuse_number(k, id, text, "out of range: not", "");
}

static int param_set_crumbs(const struct param_kind *k, int id, char **argv,
			    struct param_values v)
{
	const struct param *p = &k->param[id];
	uint64_t value = 0;
	int i;

	for (i = 0; i < PARAM_CRUMBS; i++) {
		if (argv[i][0] < '0' || argv[i][0] > '2' || argv[i][1])
			return param_refuse(k, p->name, argv[i],
					    "not a band between 0 and 2");
		value |= (uint64_t)(argv[i][0] - '0') << (2 * i);
	}
	param_store(v, id, value);
	return 0;
}

/* Six octets of two digits each.  Return: what follows them; NULL if that is no address. */
static const char *param_address(const char *text, uint64_t *value)
{
	int octet, digit;

	*value = 0;
	for (octet = 0; octet < 6; octet++) {
		if (octet && *text++ != ':')
			return NULL;
		for (digit = 0; digit < 2; digit++, text++) {
			if (!isxdigit((unsigned char)*text))
				return NULL;
			*value = *value << 4 | (isdigit((unsigned char)*text) ? *text - '0' :
						tolower((unsigned char)*text) - 'a' + 10);
		}
	}
	return text;
}

/* All rows get a value: those that are not used 0. */
static int param_set_addresses(const struct param_kind *k, int id, const char *text,
			       struct param_values v)
{
	int rows = param_rows(k, id), used = 0, i;
	const char *at = text;
	char why[64];
	uint64_t value;

	for (i = 0; i < rows; i++)
		param_store(v, id + i, 0);
	if (!strcmp(text, "any"))
		return 0;
	for (; at; at = *at == ',' ? at + 1 : NULL) {
		at = param_address(at, &value);
		if (!at || !value || (*at && *at != ','))
			return param_refuse(k, k->param[id].name, text,
					    "not any, or addresses such as 02:00:00:00:00:01 with commas between them");
		if (used == rows) {
			snprintf(why, sizeof(why), "out of range: not 1 to %d addresses", rows);
			return param_refuse(k, k->param[id].name, text, why);
		}
		param_store(v, id + used++, value);
	}
	return 0;
}

static void param_address_text(uint64_t a, char text[PARAM_NAME_MAX])
{
	snprintf(text, PARAM_NAME_MAX, "%02x:%02x:%02x:%02x:%02x:%02x", (int)(a >> 40 & 255),
		 (int)(a >> 32 & 255), (int)(a >> 24 & 255), (int)(a >> 16 & 255),
		 (int)(a >> 8 & 255), (int)(a & 255));
}

int param_addresses(const struct param_kind *k, int id, struct param_values v,
		    char text[PARAM_ADDRESSES_MAX])
{
	int end = id + param_rows(k, id);
	char one[PARAM_NAME_MAX];
	size_t length = 0;

	snprintf(text, PARAM_ADDRESSES_MAX, "any");
	for (; id < end; id++) {
		if (!(*v.given >> id & 1) || !v.value[id])
			continue;
		param_address_text(v.value[id], one);
		length += snprintf(text + length, PARAM_ADDRESSES_MAX - length, "%s%s",
				   length ? "," : "", one);
	}
	return end;
}

int param_parse(const struct param_kind *k, int id, int argc, char **argv,
		struct param_values v)
{
	const struct param *p = &k->param[id];
	int arguments = param_arguments(k, id);
	int i;

	if (!arguments)
		return param_set_choice(k, id, argv[0], v) ? -1 : 1;
	if (argc <= arguments) {
		if (arguments == 1)
			fprintf(stderr, "%s: %s needs a value\n", k->kind,
				p->name);
		else
			fprintf(stderr, "%s: %s needs %d values\n", k->kind,
				p->name, arguments);
		return -1;
	}
	if (param_is_crumbs(p))
		return param_set_crumbs(k, id, argv + 1, v) ? -1 : 1 + arguments;
	if (param_is_address(p))
		return param_set_addresses(k, id, argv[1], v) ? -1 : 1 + arguments;
	for (i = 0; i < arguments; i++)
		if (param_set(k, id + i, argv[1 + i], v))
			return -1;
	return 1 + arguments;
}

int param_parse_all(const struct param_kind *k, int argc, char **argv,
		    struct param_values v, void (*usage)(void))
{
	int id, taken;

	for (; argc > 0; argc -= taken, argv += taken) {
		id = param_find(k, argv[0]);
		if (id < 0) {
			if (strcmp(argv[0], "help"))
				fprintf(stderr, "%s: \"%s\" is not a parameter\n", k->kind,
					argv[0]);
			usage();
			return -1;
		}
		/* A name may be given once, and one of the values that stand alone. */
		if (*v.given >> id & 1)
			return param_refuse(k, k->param[id].name,
					    argv[param_arguments(k, id) && argc > 1],
					    "given twice");
		taken = param_parse(k, id, argc, argv, v);
		if (taken < 0)
			return -1;
	}
	return 0;
}

int param_append(const struct param_kind *k, struct nlmsghdr *n,
		 struct param_values v)
{
	struct rtattr *nest = attr_nest(n, TCA_OPTIONS);
	bool fits = nest;
	int id;

	for (id = 0; fits && id < k->count; id++)
		if (*v.given >> id & 1)
			fits = attr_put(n, k->param[id].attr,
					k->param[id].bits, v.value[id]);
	if (!fits) {
		fprintf(stderr, "%s: the request is full\n", k->kind);
		return -1;
	}
	attr_nest_end(n, nest);
	return 0;
}

void param_read(const struct param_kind *k, struct rtattr *nest,
		struct param_values v)
{
	int left = RTA_PAYLOAD(nest);
	struct rtattr *attr;
	uint64_t value;
	int id;

	for (attr = RTA_DATA(nest); RTA_OK(attr, left);
	     attr = RTA_NEXT(attr, left))
		for (id = 0; id < k->count; id++)
			if (k->param[id].attr == attr_type(attr) &&
			    attr_get(attr, &value))
				param_store(v, id, k->param[id].least < 0 ?
					    (uint64_t)(int8_t)value : value);
}

void param_key(const struct param *p, char key[PARAM_NAME_MAX])
{
	const char *text = p->id;
	int i;

	for (i = 0; text[i] && i < PARAM_NAME_MAX - 1; i++)
		key[i] = text[i] >= 'A' && text[i] <= 'Z' ?
			 text[i] - 'A' + 'a' : text[i];
	key[i] = 0;
}

static bool param_is_switch(const struct param *p)
{
	return !strcmp(p->unit, "(off, on)");
}

static void param_crumbs_text(uint64_t value, char text[PARAM_NAME_MAX])
{
	int i;

	for (i = 0; i < PARAM_CRUMBS; i++) {
		text[2 * i] = '0' + (value >> (2 * i) & 3);
		text[2 * i + 1] = i < PARAM_CRUMBS - 1 ? ' ' : 0;
	}
}

enum param_shape param_write(const struct param *p, uint64_t value,
			     char text[PARAM_NAME_MAX])
{
	const struct param_unit *unit = param_unit_of(p);

	if (unit) {
		snprintf(text, PARAM_NAME_MAX, "%s", unit->format(value).text);
		return p->least < 0 ? PARAM_SIGNED : PARAM_NUMBER;
	}
	if (param_is_switch(p)) {
		snprintf(text, PARAM_NAME_MAX, "%s", value ? "on" : "off");
		return PARAM_SWITCH;
	}
	if (param_is_crumbs(p))
		param_crumbs_text(value, text);
	else if (param_is_address(p) && value)
		param_address_text(value, text);
	else if (param_is_address(p))
		snprintf(text, PARAM_NAME_MAX, "any");
	else if (!param_choice(p, value, text))
		snprintf(text, PARAM_NAME_MAX, "%" PRIu64, value);
	return PARAM_CHOICE;
}

bool param_counter_read(const struct param_counter *c, const void *xstats,
			size_t length, uint64_t *value)
{
	size_t size = (c->buckets ? c->buckets : 1) * sizeof(*value);

	if (c->offset + size > length)
		return false;
	memcpy(value, (const char *)xstats + c->offset, size);
	return !c->is_gauge || *value != ONRAMP_NS_NONE;
}
