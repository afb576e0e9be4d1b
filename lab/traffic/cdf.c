// SPDX-License-Identifier: GPL-2.0
/*
 * Flow-size distributions
 *
 * A size is drawn by inversion: a uniform number picks a segment of the
 * cumulative distribution and the size is linear in it, all in integers. The
 * number has 24 bits below the file's nine decimals, so that even a segment
 * of 0.1 % and 1 TB has steps of less than a packet.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../lib/units.h"
#include "cdf.h"
#include "parse.h"

#define CDF_FINE_BITS	24

/* Split "SIZE PROBABILITY" and append the point, checking it against the last. */
static int cdf_add_line(struct cdf *cdf, const struct place *at, char *line)
{
	static const struct range sizes = { QUANTITY_COUNT, 0, FLOW_SIZE_MAX };
	const struct cdf_point *last = cdf->n ? &cdf->point[cdf->n - 1] : NULL;
	struct cdf_point new;
	char *size, *p, *save;

	line[strcspn(line, "#\r\n")] = '\0';
	size = strtok_r(line, " \t", &save);
	if (!size)
		return 0;
	p = strtok_r(NULL, " \t", &save);
	if (!p || strtok_r(NULL, " \t", &save))
		return complain(at, "a line must be SIZE PROBABILITY");
	if (cdf->n == CDF_POINTS_MAX)
		return complain(at, "more than %d points", CDF_POINTS_MAX);
	if (parse_number(at, "size", size, &sizes, &new.size))
		return -1;
	if (unit_parse_probability(p, &new.p) != UNIT_OK || new.p > CDF_ONE)
		return complain(at, "probability: '%s' is not 0 to 1 in at most nine places", p);
	if (last && (new.size < last->size || new.p < last->p))
		return complain(at, "%s falls from the line before",
				new.size < last->size ? "size" : "probability");
	if (last && new.size == last->size && new.p == last->p)
		return complain(at, "the point is given twice");
	cdf->point[cdf->n++] = new;
	return 0;
}

static int cdf_read(struct cdf *cdf, FILE *f, const char *path)
{
	struct place at = { path, 0 };
	char line[256], *start;

	while (fgets(line, sizeof(line), f)) {
		at.line++;
		start = parse_text_start(&at, line);
		if (!start)
			return -1;
		/* Comments may be of any length; numbers never are. */
		if (!strpbrk(line, "#\n") && !feof(f))
			return complain(&at, "the line has more than %zu bytes, or a zero byte",
					sizeof(line) - 2);
		if (!strchr(line, '\n')) {
			int c;

			do
				c = fgetc(f);
			while (c != '\n' && c != EOF);
		}
		if (cdf_add_line(cdf, &at, start))
			return -1;
	}
	if (ferror(f))
		return complain(&at, "cannot read: %s", strerror(errno));
	if (!cdf->n)
		return complain(&at, "no point in the file");
	if (cdf->point[cdf->n - 1].p != CDF_ONE)
		return complain(&at, "the last probability must be 1");
	if (!cdf->point[cdf->n - 1].size)
		return complain(&at, "the largest size must be at least 1");
	return 0;
}

int cdf_load(struct cdf *cdf, const char *path)
{
	FILE *f = fopen(path, "re");
	int ret;

	cdf->n = 0;
	cdf->point = NULL;
	if (!f)
		return complain(NULL, "%s: %s", path, strerror(errno));
	/* one more for cdf_cap() */
	cdf->point = calloc(CDF_POINTS_MAX + 1, sizeof(*cdf->point));
	if (!cdf->point)
		ret = complain(NULL, "out of memory");
	else
		ret = cdf_read(cdf, f, path);
	fclose(f);
	if (ret)
		cdf_free(cdf);
	return ret;
}

void cdf_free(struct cdf *cdf)
{
	free(cdf->point);
	cdf->point = NULL;
	cdf->n = 0;
}

/* The segment that crosses the limit ends there; what lay above becomes a step. */
void cdf_cap(struct cdf *cdf, u64 largest)
{
	struct cdf_point end = { largest, 0 };
	const struct cdf_point *a, *b;
	size_t i = 0;

	while (i < cdf->n && cdf->point[i].size <= largest)
		i++;
	if (i == cdf->n)
		return;
	if (i) {
		a = &cdf->point[i - 1];
		b = &cdf->point[i];
		end.p = a->p + (u64)((u128)(b->p - a->p) * (largest - a->size) /
				     (b->size - a->size));
		cdf->point[i++] = end;
	}
	cdf->point[i] = (struct cdf_point){ largest, CDF_ONE };
	cdf->n = i + 1;
}

u128 cdf_sum2(const struct cdf *cdf)
{
	u128 sum = (u128)2 * cdf->point[0].size * cdf->point[0].p;
	size_t i;

	for (i = 1; i < cdf->n; i++)
		sum += (u128)(cdf->point[i].p - cdf->point[i - 1].p) *
		       (cdf->point[i].size + cdf->point[i - 1].size);
	return sum;
}

u64 cdf_draw(const struct cdf *cdf, struct rng *r)
{
	u64 u = rng_below(r, CDF_ONE << CDF_FINE_BITS);
	const struct cdf_point *a, *b = cdf->point;
	u64 width, into, size;

	while (u >= b->p << CDF_FINE_BITS)
		b++;	/* ends: the last point's p is above every u */
	if (b == cdf->point) {
		size = b->size;
	} else {
		a = b - 1;
		width = (b->p - a->p) << CDF_FINE_BITS;
		into = u - (a->p << CDF_FINE_BITS);
		size = a->size + (u64)(((u128)(b->size - a->size) * into + width / 2) / width);
	}
	return size ? size : 1;
}
