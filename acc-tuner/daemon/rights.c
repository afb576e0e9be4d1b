// SPDX-License-Identifier: GPL-2.0
/*
 * Rights of the daemon.
 */
#include <linux/capability.h>
#include <linux/netlink.h>
#include <linux/sockios.h>
#include <stdio.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../../lib/fail.h"
#include "../../lib/privilege.h"
#include "../../lib/syscall_filter.h"
#include "rights.h"

#define RIGHTS_N(a)	(sizeof(a) / sizeof((a)[0]))

static void rights_give(const struct passwd *pw, void *data)
{
	const struct acc_conf *conf = data;
	char file[CONF_PATH_MAX + 8];

	privilege_give_directory(conf->saved, pw);
	snprintf(file, sizeof(file), "%s/model", conf->state);
	privilege_give_directory(file, pw);
	if (!pw)
		return;
	/* Not the target of a link that the user put there. */
	(void)!lchown(conf->control, pw->pw_uid, pw->pw_gid);
	(void)!lchown(conf->saved, pw->pw_uid, pw->pw_gid);
}

int rights_drop(const struct acc_conf *conf, char *why, size_t size)
{
	uint64_t need = conf->mode == CONF_MODE_TUNE ? PRIVILEGE_BIT(CAP_NET_ADMIN) : 0;

	if (need & ~privilege_held())
		return fail(why, size,
			    "CAP_NET_ADMIN is missing, which [tuner] mode = tune needs: start the daemon as root or with systemd");
	return privilege_drop(conf->user, need, rights_give, (void *)conf, why, size);
}

/* Rates of links; its other subcommands need CAP_NET_ADMIN. */
static const struct syscall_arg rights_args[] = {
	{ "ioctl", 1, SIOCETHTOOL },
};

/* The sockets of rtnetlink are open already; answers of accctl need none. */
static const struct syscall_socket rights_sockets[] = {
	{ AF_UNIX, SOCK_STREAM, 0 },
};

int rights_confine(const struct acc_conf *conf, char *why, size_t size)
{
	static const struct syscall_filter filter = {
		.args = rights_args,
		.n_args = RIGHTS_N(rights_args),
		.sockets = rights_sockets,
		.n_sockets = RIGHTS_N(rights_sockets),
	};

	return conf->seccomp ? syscall_filter_load(&filter, why, size) : 0;
}
