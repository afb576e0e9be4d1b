// SPDX-License-Identifier: GPL-2.0
/*
 * The traffic file: hosts, and groups of flows between them
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "group.h"
#include "host.h"

int traffic_add_group(struct traffic *t, const char *text)
{
	struct place at = { NULL, 0 };
	char *copy = strdup(text);
	int ret;

	if (!copy)
		return complain(NULL, "out of memory");
	ret = group_parse(t, &at, copy);
	free(copy);
	return ret;
}

static int parse_line(struct traffic *t, const struct place *at, char *line,
		      unsigned int port)
{
	size_t len;

	line[strcspn(line, "#\r\n")] = '\0';
	line += strspn(line, " \t");
	len = strcspn(line, " \t");
	if (!len)
		return 0;
	if (len == 4 && !strncmp(line, "host", len)) {
		if (hosts_are_remote(t))
			return complain(at, "host: not with --to");
		return host_parse(t, at, line + len, port);
	}
	if (len == 5 && !strncmp(line, "group", len))
		return group_parse(t, at, line + len);
	return complain(at, "a line starts with host or group, not '%.*s'", (int)len, line);
}

int traffic_load(struct traffic *t, const char *path, unsigned int port)
{
	struct place at = { path, 0 };
	FILE *f = fopen(path, "re");
	char *line = NULL, *start;
	size_t size = 0;
	int ret = 0;

	if (!f)
		return complain(NULL, "%s: %s", path, strerror(errno));
	errno = 0;
	while (!ret && getline(&line, &size, f) > 0) {
		at.line++;
		start = parse_text_start(&at, line);
		ret = start ? parse_line(t, &at, start, port) : -1;
	}
	if (!ret && ferror(f))
		ret = complain(&at, "cannot read: %s", strerror(errno));
	free(line);
	fclose(f);
	return ret;
}

bool traffic_uses(const struct traffic *t, enum cc cc)
{
	u32 i;

	for (i = 0; i < t->groups; i++)
		if (t->group[i].cc == cc)
			return true;
	return false;
}

void traffic_free(struct traffic *t)
{
	u32 i;

	for (i = 0; i < t->groups; i++) {
		cdf_free(&t->group[i].cdf);
		free(t->group[i].senders.index);
		free(t->group[i].receivers.index);
	}
	free(t->group);
	free(t->host);
	memset(t, 0, sizeof(*t));
}
