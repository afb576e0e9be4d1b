// SPDX-License-Identifier: GPL-2.0
/*
 * Rights of the daemon.
 */
#include <linux/capability.h>
#include <linux/netlink.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/fail.h"
#include "../../lib/privilege.h"
#include "../../lib/syscall_filter.h"
#include "log_files.h"
#include "rights.h"

#define RIGHTS_N(a)	(sizeof(a) / sizeof((a)[0]))

static void rights_give(const struct passwd *pw, void *data)
{
	const struct huygens_conf *conf = data;

	if (*conf->drift_file)
		privilege_give_directory(conf->drift_file, pw);
	if (!pw)
		return;
	log_files_give(pw->pw_uid, pw->pw_gid);
	/* Not the target of a link that the user put there. */
	(void)!lchown(conf->control, pw->pw_uid, pw->pw_gid);
}

int rights_test(const struct huygens_conf *conf, char *why, size_t size)
{
	return privilege_test(conf->user, why, size);
}

static uint64_t rights_needed(const struct huygens_conf *conf, int hardware)
{
	uint64_t need = 0;

	if (conf->mode == CONF_MODE_PUBLISH || hardware)
		need |= PRIVILEGE_BIT(CAP_NET_ADMIN);
	if (conf->mode == CONF_MODE_STEER)
		need |= PRIVILEGE_BIT(CAP_SYS_TIME);
	return need;
}

/*
 * chronyd's socket is root's, and no other user may write to it.  A daemon that
 * can, by its group or by its parent's choice, needs no capability.
 */
static uint64_t rights_useful(const struct huygens_conf *conf)
{
	return conf->mode == CONF_MODE_SOCK ? PRIVILEGE_BIT(CAP_DAC_OVERRIDE) : 0;
}

int rights_drop(const struct huygens_conf *conf, int hardware, char *why,
		size_t size)
{
	uint64_t need = rights_needed(conf, hardware);
	uint64_t held = privilege_held(), missing = need & ~held;

	if (missing)
		return fail(why, size,
			    "%s is missing, which %s needs: start the daemon as root or with systemd",
			    missing & PRIVILEGE_BIT(CAP_SYS_TIME) ?
			    "CAP_SYS_TIME" : "CAP_NET_ADMIN",
			    missing & PRIVILEGE_BIT(CAP_SYS_TIME) ?
			    "[output] mode = steer" : conf->mode == CONF_MODE_PUBLISH ?
			    "[output] mode = publish" : "a NIC's clock");
	need |= rights_useful(conf) & held;
	return privilege_drop(conf->user, need, rights_give, (void *)conf, why, size);
}

/*
 * Not a NIC's clock, which a program that may write to its device may set.  The
 * changes of this one are behind a pointer; they need CAP_SYS_TIME.
 */
static const struct syscall_arg rights_args[] = {
	{ "clock_adjtime", 0, CLOCK_REALTIME }, { "clock_adjtime64", 0, CLOCK_REALTIME },
	{ "ioctl", 1, PTP_CLOCK_GETCAPS }, { "ioctl", 1, PTP_SYS_OFFSET },
	{ "ioctl", 1, PTP_SYS_OFFSET_EXTENDED }, { "ioctl", 1, PTP_SYS_OFFSET_PRECISE },
	/* Whether there is a device with an index. */
	{ "ioctl", 1, SIOCGIFNAME },
};

/* The mesh's socket is open already. */
static const struct syscall_socket rights_sockets[] = {
	{ AF_UNIX, SOCK_DGRAM, 0 },
	{ AF_UNIX, SOCK_STREAM, 0 },
	{ AF_NETLINK, SOCK_RAW, NETLINK_GENERIC },
};

int rights_confine(const struct huygens_conf *conf, char *why, size_t size)
{
	static const struct syscall_filter filter = {
		.args = rights_args,
		.n_args = RIGHTS_N(rights_args),
		.sockets = rights_sockets,
		.n_sockets = RIGHTS_N(rights_sockets),
	};

	return conf->seccomp ? syscall_filter_load(&filter, why, size) : 0;
}
