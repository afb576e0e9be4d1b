// SPDX-License-Identifier: GPL-2.0
/*
 * Codepoints that change as a flow is sent
 */
#include <endian.h>
#include <string.h>

#include "cdf.h"
#include "demotion.h"

#define DSCP_SHIFT	56
#define AT_MASK		((1ULL << DSCP_SHIFT) - 1)

static const struct range sizes = { QUANTITY_BYTES, 1, FLOW_SIZE_MAX };
static const struct range codepoints = { QUANTITY_COUNT, 0, 63 };

/* Bytes before the last change so far, below which no other may lie. */
static u64 last_at(const struct demotions *d)
{
	return d->n ? d->step[d->n - 1].at : 0;
}

int demotions_parse(const struct place *at, const char *name, char *text,
		    struct demotions *d)
{
	struct demotion step;
	char *token, *dscp;

	d->n = 0;
	while ((token = strsep(&text, ","))) {
		dscp = strchr(token, ':');
		if (!dscp)
			return complain(at, "%s: '%s' is not BYTES:DSCP", name, token);
		*dscp++ = '\0';
		if (parse_number(at, name, token, &sizes, &step.at) ||
		    parse_number(at, name, dscp, &codepoints, &step.dscp))
			return -1;
		if (d->n == DEMOTIONS_MAX)
			return complain(at, "%s: more than %d changes", name, DEMOTIONS_MAX);
		if (step.at <= last_at(d))
			return complain(at, "%s: '%s' must be above the bytes before it",
					name, token);
		d->step[d->n++] = step;
	}
	return 0;
}

void demotions_pack(const struct demotions *d, u8 *wire)
{
	u64 packed;
	u8 i;

	for (i = 0; i < d->n; i++) {
		packed = htobe64(d->step[i].dscp << DSCP_SHIFT | d->step[i].at);
		memcpy(wire + i * DEMOTION_BYTES, &packed, sizeof(packed));
	}
}

int demotions_unpack(struct demotions *d, u8 n, const u8 *wire)
{
	struct demotion step;
	u64 packed;

	for (d->n = 0; d->n < n; d->n++) {
		memcpy(&packed, wire + d->n * DEMOTION_BYTES, sizeof(packed));
		packed = be64toh(packed);
		step.at = packed & AT_MASK;
		step.dscp = packed >> DSCP_SHIFT;
		if (step.at <= last_at(d) || step.at > sizes.max || step.dscp > codepoints.max)
			return -1;
		d->step[d->n] = step;
	}
	return 0;
}
