// SPDX-License-Identifier: GPL-2.0
/*
 * User and capabilities of a daemon.
 */
#include <errno.h>
#include <grp.h>
#include <libgen.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fail.h"
#include "privilege.h"

/* All ids are their own outside: this is the machine's user namespace. */
static int privilege_is_initial(void)
{
	unsigned long inside = 1, outside = 1, count = 0;
	FILE *map = fopen("/proc/self/uid_map", "re");

	if (!map)
		return 1;
	if (fscanf(map, "%lu %lu %lu", &inside, &outside, &count) != 3)
		count = 0;
	fclose(map);
	return !inside && !outside && count == 4294967295UL;
}

/* Set the effective and the permitted capabilities; -1 and errno if it fails. */
static int privilege_set(uint64_t keep)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	data[0].effective = keep;
	data[0].permitted = keep;
	data[1].effective = keep >> 32;
	data[1].permitted = keep >> 32;
	return syscall(SYS_capset, &header, data);
}

uint64_t privilege_held(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (syscall(SYS_capget, &header, data))
		return 0;
	return data[0].permitted | (uint64_t)data[1].permitted << 32;
}

static int privilege_set_user(const struct passwd *pw)
{
	return initgroups(pw->pw_name, pw->pw_gid) ||
	       setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) ||
	       setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) ? -1 : 0;
}

void privilege_give_directory(const char *file, const struct passwd *pw)
{
	char *copy = strdup(file), *directory = copy ? dirname(copy) : NULL;

	if (directory && !mkdir(directory, 0750) && pw)
		(void)!lchown(directory, pw->pw_uid, pw->pw_gid);
	free(copy);
}

/*
 * In a user namespace the user may not be mapped: then root stays, without rights outside.
 * Without @give no capability is kept.
 */
static int privilege_become(const char *user, privilege_give_fn give, void *data, char *why,
			    size_t size)
{
	const struct passwd *pw = NULL;
	int initial = privilege_is_initial();

	if (!geteuid() && *user) {
		pw = getpwnam(user);
		if (!pw && initial)
			return fail(why, size,
				    "[security] user: user %s does not exist: run useradd --system %s, or set user = none",
				    user, user);
	}
	if (give)
		give(pw, data);
	if (!pw)
		return 0;
	if (prctl(PR_SET_KEEPCAPS, !!give, 0, 0, 0) || (privilege_set_user(pw) && initial))
		return fail(why, size, "[security] user: cannot become %s: %s",
			    user, strerror(errno));
	return 0;
}

/* Without CAP_SETPCAP the bounding set stays that of the parent. */
static void privilege_bound(uint64_t keep)
{
	int capability;

	for (capability = 0; capability < 64; capability++)
		if (!(keep & PRIVILEGE_BIT(capability)) &&
		    prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1)
			prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

static int privilege_keep(uint64_t keep, char *why, size_t size)
{
	if (privilege_set(keep))
		return fail(why, size, "cannot drop capabilities: %s", strerror(errno));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return fail(why, size, "cannot set no_new_privs: %s", strerror(errno));
	return 0;
}

int privilege_drop(const char *user, uint64_t keep, privilege_give_fn give, void *data,
		   char *why, size_t size)
{
	privilege_bound(keep);
	return privilege_become(user, give, data, why, size) || privilege_keep(keep, why, size) ?
	       -1 : 0;
}

int privilege_test(const char *user, char *why, size_t size)
{
	return privilege_become(user, NULL, NULL, why, size);
}
