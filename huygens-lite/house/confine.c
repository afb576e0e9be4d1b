// SPDX-License-Identifier: GPL-2.0
/*
 * The system calls of the event loop.  What is not here kills the process, so
 * that a fault that becomes an attacker's cannot become more.
 *
 * Left out with intent: whatever starts programs or threads, changes who this
 * is or what files allow, attaches to others, or makes sockets that see what is
 * not for this host.
 */
#include <errno.h>
#include <linux/ethtool.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>

#include "privilege.h"

/*
 * As words, because a name that an architecture does not have is no error; the
 * last lines of each kind are what 32 bit and other architectures have instead.
 */
static const char *const confine_calls[] = {
	/* time */
	"adjtimex", "clock_adjtime", "clock_getres", "clock_gettime",
	"clock_gettime64", "clock_nanosleep", "gettimeofday", "nanosleep", "time",
	"timerfd_create", "timerfd_gettime", "timerfd_settime",
	"clock_adjtime64", "clock_getres_time64", "clock_nanosleep_time64",
	"timerfd_gettime64", "timerfd_settime64",
	/* waiting */
	"epoll_create1", "epoll_ctl", "epoll_pwait", "epoll_pwait2", "epoll_wait",
	"poll", "ppoll", "pselect6", "select", "signalfd4", "eventfd2",
	"_newselect", "ppoll_time64", "pselect6_time64",
	/* sockets; which ones is below */
	"accept", "accept4", "bind", "connect", "getpeername", "getsockname",
	"getsockopt", "listen", "recvfrom", "recvmmsg", "recvmsg", "sendmmsg",
	"sendmsg", "sendto", "setsockopt", "shutdown",
	"recv", "recvmmsg_time64", "send",
	/* files: the configuration, keys, drift, logs */
	"access", "close", "dup", "faccessat", "faccessat2", "fcntl", "fdatasync",
	"fstat", "fsync", "getdents64", "lseek", "lstat", "mkdir", "mkdirat", "newfstatat", "open",
	"openat", "pread64", "pwrite64", "read", "readlink", "readlinkat", "readv",
	"rename", "renameat", "renameat2", "stat", "statx", "umask", "unlink",
	"unlinkat", "write", "writev",
	"_llseek", "fcntl64", "fstat64", "fstatat64", "lstat64", "stat64",
	/* memory and what the C library needs */
	"brk", "exit", "exit_group", "futex", "getcpu", "getegid", "geteuid",
	"getgid", "getpid", "getrandom", "getrusage", "gettid", "getuid", "madvise",
	"membarrier", "mmap", "mprotect", "mremap", "munmap", "prlimit64",
	"restart_syscall", "rseq", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
	"sched_getaffinity", "sched_yield", "sigaltstack", "sigreturn", "sysinfo",
	"tgkill", "uname",
	"futex_time64", "getegid32", "geteuid32", "getgid32", "getuid32", "mmap2",
	"sigprocmask", "ugetrlimit",
};

static const int confine_families[] = { AF_UNIX, AF_INET, AF_INET6, AF_NETLINK };

static const unsigned long confine_ioctls[] = {
	FIONREAD, PTP_CLOCK_GETCAPS, PTP_SYS_OFFSET, PTP_SYS_OFFSET_EXTENDED,
	PTP_SYS_OFFSET_PRECISE, SIOCETHTOOL, SIOCGHWTSTAMP, SIOCGIFFLAGS,
	SIOCGIFINDEX, SIOCGIFNAME, SIOCSHWTSTAMP,
};

#define CONFINE_N(a)	(sizeof(a) / sizeof((a)[0]))

static int confine_allow(scmp_filter_ctx filter)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < CONFINE_N(confine_calls); i++) {
		int call = seccomp_syscall_resolve_name(confine_calls[i]);

		if (call != __NR_SCMP_ERROR)
			err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
	}
	for (i = 0; !err && i < CONFINE_N(confine_families); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 1,
				       SCMP_A0(SCMP_CMP_EQ, confine_families[i]));
	for (i = 0; !err && i < CONFINE_N(confine_ioctls); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(ioctl), 1,
				       SCMP_A1(SCMP_CMP_EQ, confine_ioctls[i]));
	/* stdio asks whether it writes to a terminal; "no" does no harm. */
	if (!err)
		err = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 1,
				       SCMP_A1(SCMP_CMP_EQ, TCGETS));
	return err;
}

int privilege_confine(const struct huygens_conf *conf, char *why, size_t size)
{
	scmp_filter_ctx filter;
	int err = -ENOMEM;

	if (!conf->seccomp)
		return 0;
	filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	if (filter)
		err = confine_allow(filter);
	if (!err)
		err = seccomp_load(filter);
	if (filter)
		seccomp_release(filter);
	if (!err)
		return 0;
	snprintf(why, size, "[security] seccomp: %s: a kernel without it needs seccomp = no",
		 strerror(-err));
	return -1;
}
