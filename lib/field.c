// SPDX-License-Identifier: GPL-2.0
/*
 * Fields of a daemon's snapshot.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "field.h"

static const char *field_string(const char *string, char *text)
{
	snprintf(text, FIELD_MAX, "%s", string && *string ? string : "-");
	return text;
}

/* Four digits and a unit, as chronyc has it. */
static const char *field_time(int64_t ns, int sign, char *text)
{
	static const struct {
		double size;
		const char *name;
	} units[] = { { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" } };
	const char *form = sign ? "%+.*f%s" : "%.*f%s";
	double value = (double)ns;
	size_t i = 0;

	if (ns == FIELD_UNKNOWN)
		return field_string(NULL, text);
	if (fabs(value) < 9999.5) {
		snprintf(text, FIELD_MAX, sign ? "%+" PRId64 "ns" : "%" PRId64 "ns", ns);
		return text;
	}
	while (i < 2 && fabs(value) >= 9999.5 * units[i].size)
		i++;
	value /= units[i].size;
	snprintf(text, FIELD_MAX, form, fabs(value) < 99.995 ? 2 :
					fabs(value) < 999.95 ? 1 : 0,
		 value, units[i].name);
	return text;
}

static const char *field_real(double value, const char *form, char *text)
{
	if (!isfinite(value))
		return field_string(NULL, text);
	snprintf(text, FIELD_MAX, form, value);
	return text;
}

const char *field_text(const struct field *field, const void *row,
		       char text[FIELD_MAX])
{
	const void *at = (const char *)row + field->at;

	switch (field->kind) {
	case FIELD_COUNT:
		snprintf(text, FIELD_MAX, "%" PRIu32, *(const uint32_t *)at);
		return text;
	case FIELD_LONG:
		snprintf(text, FIELD_MAX, "%" PRIu64, *(const uint64_t *)at);
		return text;
	case FIELD_TIME:
		return field_time(*(const int64_t *)at, 0, text);
	case FIELD_SIGNED:
		return field_time(*(const int64_t *)at, 1, text);
	case FIELD_PPB:
		return field_real(*(const double *)at, "%+.3fppb", text);
	case FIELD_REAL:
		return field_real(*(const double *)at, "%.3g", text);
	case FIELD_TEXT:
		return field_string(at, text);
	case FIELD_STRING:
		return field_string(*(const char *const *)at, text);
	case FIELD_YESNO:
		return field_string(*(const int *)at ? "yes" : "no", text);
	}
	return field_string(NULL, text);
}

void field_json(struct json_writer *w, const struct field *field, const void *row)
{
	const void *at = (const char *)row + field->at;

	switch (field->kind) {
	case FIELD_COUNT:
		json_unsigned(w, field->key, *(const uint32_t *)at);
		break;
	case FIELD_LONG:
		json_unsigned(w, field->key, *(const uint64_t *)at);
		break;
	case FIELD_TIME:
	case FIELD_SIGNED:
		if (*(const int64_t *)at == FIELD_UNKNOWN)
			json_value(w, field->key, NULL);
		else
			json_signed(w, field->key, *(const int64_t *)at);
		break;
	case FIELD_PPB:
	case FIELD_REAL:
		json_real(w, field->key, *(const double *)at);
		break;
	case FIELD_TEXT:
		json_string(w, field->key, at);
		break;
	case FIELD_STRING:
		json_string(w, field->key, *(const char *const *)at);
		break;
	case FIELD_YESNO:
		json_value(w, field->key, *(const int *)at ? "true" : "false");
		break;
	}
}

void field_object(struct json_writer *w, const struct field *field, const void *row)
{
	json_open(w, NULL, '{');
	for (; field->key; field++)
		field_json(w, field, row);
	json_close(w, '}');
}

void field_list(FILE *out, const struct field *fields, const void *rows, size_t n, size_t size)
{
	struct json_writer w = { .to = out, .spaced = true };
	size_t i;

	json_open(&w, NULL, '[');
	for (i = 0; i < n; i++)
		field_object(&w, fields, (const char *)rows + i * size);
	json_close(&w, ']');
	fputc('\n', out);
}

void field_table(FILE *out, const struct field *fields, const void *rows, size_t n, size_t size)
{
	int width[FIELD_COLUMNS_MAX], w, c;
	char text[FIELD_MAX];
	size_t i;

	for (c = 0; fields[c].key; c++) {
		width[c] = fields[c].title ? (int)strlen(fields[c].title) : 0;
		for (i = 0; fields[c].title && i < n; i++) {
			w = strlen(field_text(&fields[c], (const char *)rows + i * size, text));
			width[c] = w > width[c] ? w : width[c];
		}
	}
	for (i = 0; i <= n; i++) {
		const char *between = "";

		for (c = 0; fields[c].key; c++) {
			const struct field *field = &fields[c];

			if (!field->title)
				continue;
			if (i)
				field_text(field, (const char *)rows + (i - 1) * size, text);
			fprintf(out, "%s%*s", between,
				field->kind == FIELD_TEXT ? -width[c] : width[c],
				i ? text : field->title);
			between = "  ";
		}
		fputc('\n', out);
	}
}
