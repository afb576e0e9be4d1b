// SPDX-License-Identifier: GPL-2.0
/*
 * One field of a snapshot.
 */
#include <inttypes.h>
#include <math.h>
#include <string.h>

#include "cell.h"
#include "status.h"

static const char *cell_word(const char *word, char *text)
{
	snprintf(text, CELL_MAX, "%s", word && *word ? word : "-");
	return text;
}

/* Four digits and a unit, as chronyc has it. */
static const char *cell_time(int64_t ns, int sign, char *text)
{
	static const struct {
		double size;
		const char *name;
	} units[] = { { 1e3, "us" }, { 1e6, "ms" }, { 1e9, "s" } };
	const char *form = sign ? "%+.*f%s" : "%.*f%s";
	double value = (double)ns;
	size_t i = 0;

	if (ns == STATUS_UNKNOWN)
		return cell_word(NULL, text);
	if (fabs(value) < 9999.5) {
		snprintf(text, CELL_MAX, sign ? "%+" PRId64 "ns" : "%" PRId64 "ns", ns);
		return text;
	}
	while (i < 2 && fabs(value) >= 9999.5 * units[i].size)
		i++;
	value /= units[i].size;
	snprintf(text, CELL_MAX, form, fabs(value) < 99.995 ? 2 :
				       fabs(value) < 999.95 ? 1 : 0,
		 value, units[i].name);
	return text;
}

static const char *cell_real(double value, const char *form, char *text)
{
	if (!isfinite(value))
		return cell_word(NULL, text);
	snprintf(text, CELL_MAX, form, value);
	return text;
}

const char *cell_text(const struct cell *cell, const void *row,
		      char text[CELL_MAX])
{
	const void *at = (const char *)row + cell->at;

	switch (cell->kind) {
	case CELL_COUNT:
		snprintf(text, CELL_MAX, "%" PRIu32, *(const uint32_t *)at);
		return text;
	case CELL_LONG:
		snprintf(text, CELL_MAX, "%" PRIu64, *(const uint64_t *)at);
		return text;
	case CELL_TIME:
		return cell_time(*(const int64_t *)at, 0, text);
	case CELL_SIGNED:
		return cell_time(*(const int64_t *)at, 1, text);
	case CELL_PPB:
		return cell_real(*(const double *)at, "%+.3fppb", text);
	case CELL_REAL:
		return cell_real(*(const double *)at, "%.3g", text);
	case CELL_TEXT:
		return cell_word(at, text);
	case CELL_WORD:
		return cell_word(*(const char *const *)at, text);
	case CELL_YESNO:
		return cell_word(*(const int *)at ? "yes" : "no", text);
	}
	return cell_word(NULL, text);
}

void cell_quote(FILE *out, const char *text)
{
	fputc('"', out);
	for (; *text; text++) {
		unsigned char c = *text;

		if (c == '"' || c == '\\')
			fprintf(out, "\\%c", c);
		else if (c < ' ' || c > '~')
			fprintf(out, "\\u%04x", c);
		else
			fputc(c, out);
	}
	fputc('"', out);
}

static void cell_json_word(FILE *out, const char *word)
{
	if (word)
		cell_quote(out, word);
	else
		fputs("null", out);
}

static void cell_json_time(FILE *out, int64_t ns)
{
	if (ns == STATUS_UNKNOWN)
		fputs("null", out);
	else
		fprintf(out, "%" PRId64, ns);
}

static void cell_json_real(FILE *out, double value)
{
	if (isfinite(value))
		fprintf(out, "%.17g", value);
	else
		fputs("null", out);
}

void cell_json(FILE *out, const struct cell *cell, const void *row)
{
	const void *at = (const char *)row + cell->at;

	cell_quote(out, cell->key);
	fputs(": ", out);
	switch (cell->kind) {
	case CELL_COUNT:
		fprintf(out, "%" PRIu32, *(const uint32_t *)at);
		break;
	case CELL_LONG:
		fprintf(out, "%" PRIu64, *(const uint64_t *)at);
		break;
	case CELL_TIME:
	case CELL_SIGNED:
		cell_json_time(out, *(const int64_t *)at);
		break;
	case CELL_PPB:
	case CELL_REAL:
		cell_json_real(out, *(const double *)at);
		break;
	case CELL_TEXT:
		cell_json_word(out, at);
		break;
	case CELL_WORD:
		cell_json_word(out, *(const char *const *)at);
		break;
	case CELL_YESNO:
		fputs(*(const int *)at ? "true" : "false", out);
		break;
	}
}
