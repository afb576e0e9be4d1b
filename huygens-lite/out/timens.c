// SPDX-License-Identifier: GPL-2.0
/*
 * Offset that a time namespace adds to the monotonic clocks.
 */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "timens.h"

#define TIMENS_S_NS	1000000000LL
/* The kernel takes no offset beyond KTIME_SEC_MAX / 2: 146 years. */
#define TIMENS_MOST_S	4611686018LL

static int timens_parse(const char *line, int64_t *ahead_ns)
{
	long long s, ns;
	char name[16];

	/* By name, or by number as in kernels before 5.7. */
	if (sscanf(line, "%15s %lld %lld", name, &s, &ns) != 3 ||
	    (strcmp(name, "monotonic") && strcmp(name, "1")) ||
	    s > TIMENS_MOST_S || s < -TIMENS_MOST_S || ns < 0 || ns >= TIMENS_S_NS)
		return -1;
	*ahead_ns = s * TIMENS_S_NS + ns;
	return 0;
}

int timens_read(const char *path, int64_t *ahead_ns)
{
	FILE *file = fopen(path, "re");
	char line[128];
	int ret = -1;

	*ahead_ns = 0;
	if (!file)
		return errno == ENOENT ? 0 : -1;
	while (ret && fgets(line, sizeof(line), file))
		ret = timens_parse(line, ahead_ns);
	fclose(file);
	if (ret)
		errno = EINVAL;
	return ret;
}
