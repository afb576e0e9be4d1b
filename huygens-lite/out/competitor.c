// SPDX-License-Identifier: GPL-2.0
/*
 * Other programs that discipline the clock, by the names of processes.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "competitor.h"

/* The kernel keeps 15 characters of a name. */
#define COMPETITOR_COMM	15

static const char *const competitors[] = {
	"chronyd", "ntpd", "ntpd-rs", "ntp-daemon", "openntpd", "systemd-timesyncd",
	"ptp4l", "phc2sys", "ts2phc", "sptp", "ptpd", "ptpd2", "timemaster", NULL,
};

static const char *competitor_of(const char *comm)
{
	size_t i;

	for (i = 0; competitors[i]; i++)
		if (strlen(comm) == strnlen(competitors[i], COMPETITOR_COMM) &&
		    !strncmp(comm, competitors[i], COMPETITOR_COMM))
			return competitors[i];
	return NULL;
}

/* The name of a process if it is a competing daemon, else NULL. */
static const char *competitor_at(const char *proc, const char *pid)
{
	char path[512], comm[64] = "";
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s/comm", proc, pid);
	file = fopen(path, "re");
	if (!file)
		return NULL;
	if (fgets(comm, sizeof(comm), file))
		comm[strcspn(comm, "\n")] = '\0';
	fclose(file);
	return competitor_of(comm);
}

int competitor_find(const char *proc, char *name, size_t size)
{
	const char *found = NULL;
	struct dirent *entry;
	DIR *folder = opendir(proc);

	if (!folder)
		return 0;
	while (!found && (entry = readdir(folder))) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		found = competitor_at(proc, entry->d_name);
		if (found)
			snprintf(name, size, "%s (process %.20s)", found, entry->d_name);
	}
	closedir(folder);
	return !!found;
}
