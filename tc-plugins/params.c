// SPDX-License-Identifier: GPL-2.0
/*
 * Parameters and counters of a qdisc, by tables.
 */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "attr.h"
#include "params.h"
#include "parse.h"
#include "print.h"
#include "tc_plugin.h"

/* Longest name of a parameter or of one of its values, with its end. */
#define PARAM_NAME_MAX	48

/**
 * struct param_unit - how the values of a unit are read and written
 * @unit: as in the list
 * @what: what a value is, for the user
 * @parse: word to number
 * @word: number to word
 */
struct param_unit {
	const char *unit;
	const char *what;
	enum parse_result (*parse)(const char *text, uint64_t *value);
	struct print_word (*word)(uint64_t value);
};

static const struct param_unit param_units[] = {
	{ "packets", "a number of packets", parse_count, print_count_word },
	{ "bytes", "a size such as 80kb", parse_size_bytes, print_size_word },
	{ "ns", "a time such as 85us", parse_time_ns, print_time_word },
	{ "ns or auto", "a time such as 85us or auto", parse_time_or_auto,
	  print_time_or_auto_word },
	{ "bit/s", "a rate such as 10gbit", parse_rate_bps, print_rate_word },
	{ "millionths", "a number such as 0.17 or 17%", parse_fraction_ppm,
	  print_fraction_word },
	{ "1/g", "a fraction such as 1/16", parse_part, print_part_word },
	{ "buckets", "a number", parse_number, print_number_word },
	{ "bands", "a number", parse_number, print_number_word },
	{ "mask", "a number", parse_number, print_number_word },
};

/* NULL for a parameter whose values are words. */
static const struct param_unit *param_unit_of(const struct param *p)
{
	size_t i;

	for (i = 0; i < ARRAY_SIZE(param_units); i++)
		if (!strcmp(param_units[i].unit, p->unit))
			return &param_units[i];
	return NULL;
}

static bool param_stands_alone(const struct param *p)
{
	return *p->unit == '[';
}

/* Two bits for each of a list of small numbers. */
static bool param_is_crumbs(const struct param *p)
{
	return !strcmp(p->unit, "crumbs");
}

#define PARAM_CRUMBS	16

/*
 * The word for @value out of a list such as "(reno, cubic, dctcp)", which
 * begins with that for the least value.  False if the list has none: a newer
 * kernel may know more.
 */
static bool param_choice(const struct param *p, uint64_t value,
			 char word[PARAM_NAME_MAX])
{
	const char *list = p->unit;
	uint64_t at = p->least;
	int length;

	if (value < at)
		return false;
	for (list += strspn(list, "([, "); *list;
	     list += strspn(list, ")], ")) {
		length = strcspn(list, ",)]");
		if (at++ == value) {
			snprintf(word, PARAM_NAME_MAX, "%.*s", length, list);
			return true;
		}
		list += length;
	}
	return false;
}

/* Is @text one of the words? */
static bool param_value_of(const struct param *p, const char *text,
			   uint64_t *value)
{
	char word[PARAM_NAME_MAX];

	/* No further than there are words, however wide the range is. */
	for (*value = p->least;
	     *value <= p->most && param_choice(p, *value, word); ++*value)
		if (!strcmp(word, text))
			return true;
	return false;
}

int param_find(const struct param_kind *k, const char *word)
{
	uint64_t value;
	int i;

	for (i = 0; i < k->count; i++) {
		const struct param *p = &k->param[i];

		if (param_stands_alone(p) ? param_value_of(p, word, &value) :
					    !strcmp(p->name, word))
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

int param_words(const struct param_kind *k, int id)
{
	const struct param *p = &k->param[id];

	if (param_stands_alone(p))
		return 0;
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

	snprintf(why, sizeof(why), "%s%s between %s and %s", fault, what,
		 unit->word(p->least).text, unit->word(p->most).text);
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
	case PARSE_MALFORMED:
		return param_refuse_number(k, id, text, "not ", unit->what);
	case PARSE_INEXACT:
		return param_refuse_number(k, id, text,
					   "not a whole number of ",
					   unit->unit);
	case PARSE_OK:
		/* What the kernel would say has no units a user could paste. */
		if (value >= p->least && value <= p->most) {
			param_store(v, id, value);
			return 0;
		}
		break;
	case PARSE_TOO_LARGE:
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

int param_parse(const struct param_kind *k, int id, int argc, char **argv,
		struct param_values v)
{
	const struct param *p = &k->param[id];
	int words = param_words(k, id);
	int i;

	if (!words)
		return param_set_choice(k, id, argv[0], v) ? -1 : 1;
	if (argc <= words) {
		if (words == 1)
			fprintf(stderr, "%s: %s needs a value\n", k->kind,
				p->name);
		else
			fprintf(stderr, "%s: %s needs %d values\n", k->kind,
				p->name, words);
		return -1;
	}
	if (param_is_crumbs(p))
		return param_set_crumbs(k, id, argv + 1, v) ? -1 : 1 + words;
	for (i = 0; i < words; i++)
		if (param_set(k, id + i, argv[1 + i], v))
			return -1;
	return 1 + words;
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
				param_store(v, id, value);
}

static void param_json_key(const struct param *p, char key[PARAM_NAME_MAX])
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

static void param_crumbs_word(uint64_t value, char word[PARAM_NAME_MAX])
{
	int i;

	for (i = 0; i < PARAM_CRUMBS; i++) {
		word[2 * i] = '0' + (value >> (2 * i) & 3);
		word[2 * i + 1] = i < PARAM_CRUMBS - 1 ? ' ' : 0;
	}
}

/* @name is NULL for the second and further values of a name. */
static void param_print_one(const struct param *p, const char *name,
			    uint64_t value)
{
	const struct param_unit *unit = param_unit_of(p);
	char key[PARAM_NAME_MAX];
	char word[PARAM_NAME_MAX];

	param_json_key(p, key);
	if (unit) {
		print_value(key, name, value, unit->word(value).text);
	} else if (param_is_switch(p)) {
		print_switch(key, name, value != 0);
	} else {
		if (param_is_crumbs(p))
			param_crumbs_word(value, word);
		else if (!param_choice(p, value, word))
			snprintf(word, sizeof(word), "%" PRIu64, value);
		print_choice(key, param_stands_alone(p) ? NULL : name, word);
	}
}

void param_print(const struct param_kind *k, struct param_values v)
{
	const char *last = "";
	int id;

	for (id = 0; id < k->count; id++) {
		const struct param *p = &k->param[id];

		if (!(*v.given >> id & 1))
			continue;
		param_print_one(p, strcmp(last, p->name) ? p->name : NULL,
				v.value[id]);
		last = p->name;
	}
}

static void param_print_counter(const struct param_counter *c, uint64_t value)
{
	const char *name = c->name ? c->name : c->key;
	bool negative = c->is_signed && (int64_t)value < 0;
	struct print_word word;

	if (c->is_time)
		word = print_time_word(negative ? -value : value);
	else
		word = print_number_word(value);
	print_counter(c->key, name, value, negative, word.text);
}

void param_print_counters(const struct param_counter *counter, size_t count,
			  struct rtattr *xstats)
{
	bool line_begins = true;
	size_t length, i;

	if (!xstats)
		return;
	length = RTA_PAYLOAD(xstats);
	for (i = 0; i < count; i++) {
		const struct param_counter *c = &counter[i];
		uint64_t value;

		if (c->offset + sizeof(value) > length)
			continue;
		memcpy(&value, (char *)RTA_DATA(xstats) + c->offset,
		       sizeof(value));
		if (line_begins) {
			if (i)
				print_nl();
			print_text("  ");
		}
		param_print_counter(c, value);
		line_begins = c->ends_line;
	}
}
