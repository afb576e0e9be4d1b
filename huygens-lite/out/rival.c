// SPDX-License-Identifier: GPL-2.0
/*
 * Other programs that discipline the clock, by the names of processes.
 */
#include <ctype.h>
#include <dirent.h>
#include <stdio.h>
#include <string.h>

#include "rival.h"

/* The kernel keeps 15 characters of a name. */
#define RIVAL_COMM	15

static const char *const rivals[] = {
	"chronyd", "ntpd", "ntpd-rs", "ntp-daemon", "openntpd", "systemd-timesyncd",
	"ptp4l", "phc2sys", "ts2phc", "sptp", "ptpd", "ptpd2", "timemaster", NULL,
};

static const char *rival_of(const char *comm)
{
	size_t i;

	for (i = 0; rivals[i]; i++)
		if (strlen(comm) == strnlen(rivals[i], RIVAL_COMM) &&
		    !strncmp(comm, rivals[i], RIVAL_COMM))
			return rivals[i];
	return NULL;
}

/* The name of a process if it is a rival, else NULL. */
static const char *rival_at(const char *proc, const char *pid)
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
	return rival_of(comm);
}

int rival_find(const char *proc, char *name, size_t size)
{
	const char *found = NULL;
	struct dirent *entry;
	DIR *folder = opendir(proc);

	if (!folder)
		return 0;
	while (!found && (entry = readdir(folder))) {
		if (!isdigit((unsigned char)*entry->d_name))
			continue;
		found = rival_at(proc, entry->d_name);
		if (found)
			snprintf(name, size, "%s (process %.20s)", found, entry->d_name);
	}
	closedir(folder);
	return !!found;
}
