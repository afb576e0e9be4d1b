// SPDX-License-Identifier: GPL-2.0
/*
 * User and capabilities.
 */
#include <errno.h>
#include <grp.h>
#include <libgen.h>
#include <linux/capability.h>
#include <pwd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "log.h"
#include "privilege.h"

#define PRIVILEGE_BIT(capability)	(1ULL << (capability))

static int privilege_fail(char *why, size_t size, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

static int privilege_fail(char *why, size_t size, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	vsnprintf(why, size, format, args);
	va_end(args);
	return -1;
}

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

/* What is held as @effective and as @permitted; -1 and errno if it fails. */
static int privilege_set(unsigned long long keep)
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

static unsigned long long privilege_held(void)
{
	struct __user_cap_header_struct header = {
		.version = _LINUX_CAPABILITY_VERSION_3,
	};
	struct __user_cap_data_struct data[2] = { { 0 } };

	if (syscall(SYS_capget, &header, data))
		return 0;
	return data[0].permitted | (unsigned long long)data[1].permitted << 32;
}

static int privilege_set_user(const struct passwd *pw)
{
	return initgroups(pw->pw_name, pw->pw_gid) ||
	       setresgid(pw->pw_gid, pw->pw_gid, pw->pw_gid) ||
	       setresuid(pw->pw_uid, pw->pw_uid, pw->pw_uid) ? -1 : 0;
}

/* A folder that is not there is made, and is the user's; others stay theirs. */
static void privilege_give_folder(const char *folder, const struct passwd *pw)
{
	if (!mkdir(folder, 0750) && pw)
		(void)!lchown(folder, pw->pw_uid, pw->pw_gid);
}

static void privilege_give(const struct huygens_conf *conf, const struct passwd *pw)
{
	char path[CONF_PATH_MAX];

	if (*conf->drift_file) {
		memcpy(path, conf->drift_file, sizeof(path));
		privilege_give_folder(dirname(path), pw);
	}
	if (!pw)
		return;
	log_give(pw->pw_uid, pw->pw_gid);
	/* Not what a link leads to that the user put there. */
	(void)!lchown(conf->control, pw->pw_uid, pw->pw_gid);
}

/* In a user namespace others may not be mapped: then root stays, who is none. */
static int privilege_become(const struct huygens_conf *conf, bool test, char *why,
			    size_t size)
{
	const struct passwd *pw = NULL;
	int initial = privilege_is_initial();

	if (!geteuid() && *conf->user) {
		pw = getpwnam(conf->user);
		if (!pw && initial)
			return privilege_fail(why, size,
					      "[security] user: user %s does not exist: run useradd --system %s, or set user = none",
					      conf->user, conf->user);
	}
	if (!test)
		privilege_give(conf, pw);
	if (!pw)
		return 0;
	if (prctl(PR_SET_KEEPCAPS, !test, 0, 0, 0) || (privilege_set_user(pw) && initial))
		return privilege_fail(why, size, "[security] user: cannot become %s: %s",
				      conf->user, strerror(errno));
	return 0;
}

int privilege_test(const struct huygens_conf *conf, char *why, size_t size)
{
	return privilege_become(conf, true, why, size);
}

static unsigned long long privilege_needed(const struct huygens_conf *conf,
					   int hardware)
{
	unsigned long long need = 0;

	if (conf->mode == CONF_MODE_PUBLISH || hardware)
		need |= PRIVILEGE_BIT(CAP_NET_ADMIN);
	if (conf->mode == CONF_MODE_STEER)
		need |= PRIVILEGE_BIT(CAP_SYS_TIME);
	return need;
}

/*
 * chronyd's socket is root's, and nobody else may write to it.  Who has a way
 * round that, by group or by who started it, needs no capability.
 */
static unsigned long long privilege_useful(const struct huygens_conf *conf)
{
	return conf->mode == CONF_MODE_SOCK ? PRIVILEGE_BIT(CAP_DAC_OVERRIDE) : 0;
}

/* Those that no program started by this one could get; without CAP_SETPCAP
 * they are whoever's started this one.
 */
static void privilege_bound(unsigned long long keep)
{
	int capability;

	for (capability = 0; capability < 64; capability++)
		if (!(keep & PRIVILEGE_BIT(capability)) &&
		    prctl(PR_CAPBSET_READ, capability, 0, 0, 0) == 1)
			prctl(PR_CAPBSET_DROP, capability, 0, 0, 0);
	prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0);
}

int privilege_drop(const struct huygens_conf *conf, int hardware, char *why,
		   size_t size)
{
	unsigned long long need = privilege_needed(conf, hardware);
	unsigned long long held = privilege_held(), missing = need & ~held;

	if (missing)
		return privilege_fail(why, size,
				      "%s is missing, which %s needs: start the daemon as root or with systemd",
				      missing & PRIVILEGE_BIT(CAP_SYS_TIME) ?
				      "CAP_SYS_TIME" : "CAP_NET_ADMIN",
				      missing & PRIVILEGE_BIT(CAP_SYS_TIME) ?
				      "[output] mode = steer" : conf->mode == CONF_MODE_PUBLISH ?
				      "[output] mode = publish" : "a NIC's clock");
	need |= privilege_useful(conf) & held;
	privilege_bound(need);
	if (privilege_become(conf, false, why, size))
		return -1;
	if (privilege_set(need))
		return privilege_fail(why, size, "cannot drop capabilities: %s",
				      strerror(errno));
	if (prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0))
		return privilege_fail(why, size, "cannot set no_new_privs: %s",
				      strerror(errno));
	return 0;
}
