// SPDX-License-Identifier: GPL-2.0
/*
 * The system calls of the event loop.  What is not here kills the process, so
 * that a fault that becomes an attacker's cannot become more.
 *
 * Left out with intent: whatever starts programs or threads, changes who this
 * is or what files allow, attaches to others, signals them or limits them, or
 * makes sockets that see what is not for this host or set its network up.
 */
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/netlink.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <seccomp.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "privilege.h"

#define CONFINE_N(a)	(sizeof(a) / sizeof((a)[0]))

/*
 * As words, because a name that an architecture does not have is no error; the
 * last lines of each kind are what 32 bit and other architectures have instead.
 */
static const char *const confine_calls[] = {
	/* time */
	"adjtimex", "clock_getres", "clock_gettime", "clock_gettime64",
	"clock_nanosleep", "gettimeofday", "nanosleep", "time",
	"timerfd_create", "timerfd_gettime", "timerfd_settime",
	"clock_getres_time64", "clock_nanosleep_time64",
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
	"access", "close", "dup", "faccessat", "faccessat2", "fdatasync",
	"fstat", "fsync", "getdents64", "lseek", "lstat", "mkdir", "mkdirat", "newfstatat", "open",
	"openat", "pread64", "pwrite64", "read", "readlink", "readlinkat", "readv",
	"rename", "renameat", "renameat2", "stat", "statx", "umask", "unlink",
	"unlinkat", "write", "writev",
	"_llseek", "fstat64", "fstatat64", "lstat64", "stat64",
	/* memory and what the C library needs */
	"brk", "exit", "exit_group", "futex", "getcpu", "getegid", "geteuid",
	"getgid", "getpid", "getrandom", "getrusage", "gettid", "getuid", "madvise",
	"membarrier", "mmap", "mprotect", "mremap", "munmap",
	"restart_syscall", "rseq", "rt_sigaction", "rt_sigprocmask", "rt_sigreturn",
	"sched_getaffinity", "sched_yield", "sigaltstack", "sigreturn", "sysinfo",
	"uname",
	"futex_time64", "getegid32", "geteuid32", "getgid32", "getuid32", "mmap2",
	"sigprocmask", "ugetrlimit",
};

/*
 * Such arguments are of 32 bits in the kernel, and what a C library leaves in the
 * upper half of the register is its own affair: musl's ioctl() takes an int, so
 * that a request with the top bit set comes sign-extended.
 */
#define CONFINE_INT	0xffffffffULL

/**
 * struct confine_one - a call of which one argument must have a value
 * @call: its name
 * @arg: which; of 32 bits
 * @value: of it
 */
struct confine_one {
	const char	*call;
	unsigned int	arg;
	uint64_t	value;
};

/*
 * Not a NIC's clock, which who may write to its device may set.  What is set
 * of this one is behind a pointer; that takes CAP_SYS_TIME.
 *
 * An owner of a file descriptor would be sent signals.
 */
static const struct confine_one confine_ones[] = {
	{ "clock_adjtime", 0, CLOCK_REALTIME }, { "clock_adjtime64", 0, CLOCK_REALTIME },
	{ "fcntl", 1, F_DUPFD_CLOEXEC }, { "fcntl64", 1, F_DUPFD_CLOEXEC },
	{ "fcntl", 1, F_GETFD }, { "fcntl64", 1, F_GETFD },
	{ "fcntl", 1, F_GETFL }, { "fcntl64", 1, F_GETFL },
	{ "fcntl", 1, F_SETFD }, { "fcntl64", 1, F_SETFD },
	{ "fcntl", 1, F_SETFL }, { "fcntl64", 1, F_SETFL },
	{ "ioctl", 1, FIONREAD }, { "ioctl", 1, PTP_CLOCK_GETCAPS },
	{ "ioctl", 1, PTP_SYS_OFFSET }, { "ioctl", 1, PTP_SYS_OFFSET_EXTENDED },
	{ "ioctl", 1, PTP_SYS_OFFSET_PRECISE },
	/* Whether there is a device with an index. */
	{ "ioctl", 1, SIOCGIFNAME },
	/* Its own. */
	{ "prlimit64", 0, 0 },
};

/*
 * The mesh's is there already.  Where socketcall() makes them their kind is
 * behind a pointer, and libseccomp lets all pass.
 */
static const int confine_sockets[][3] = {
	{ AF_UNIX, SOCK_DGRAM, 0 },
	{ AF_UNIX, SOCK_STREAM, 0 },
	{ AF_NETLINK, SOCK_RAW, NETLINK_GENERIC },
};

/* Flags of a socket's kind. */
#define CONFINE_FLAGS	(SOCK_CLOEXEC | SOCK_NONBLOCK)

/*
 * A C library's streams ask for the terminal that they write to, each in its way;
 * "it is none" does no harm.
 */
static const unsigned int confine_terminal[] = {
	TCGETS, TIOCGWINSZ,
#ifdef TCGETS2
	TCGETS2,
#endif
};

static int confine_allow_one(scmp_filter_ctx filter, const char *name, unsigned int arg,
			     uint64_t value)
{
	int call = seccomp_syscall_resolve_name(name);

	return call == __NR_SCMP_ERROR ? 0 :
	       seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1,
				SCMP_CMP(arg, SCMP_CMP_MASKED_EQ, CONFINE_INT,
					 value & CONFINE_INT));
}

static int confine_allow_socket(scmp_filter_ctx filter, const int socket[3])
{
	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 3,
				SCMP_A0(SCMP_CMP_MASKED_EQ, CONFINE_INT, socket[0]),
				SCMP_A1(SCMP_CMP_MASKED_EQ, CONFINE_INT & ~CONFINE_FLAGS,
					socket[1]),
				SCMP_A2(SCMP_CMP_MASKED_EQ, CONFINE_INT, socket[2]));
}

static int confine_no_terminal(scmp_filter_ctx filter)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < CONFINE_N(confine_terminal); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 1,
				       SCMP_A1(SCMP_CMP_MASKED_EQ, CONFINE_INT,
					       confine_terminal[i]));
	return err;
}

static int confine_allow(scmp_filter_ctx filter)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < CONFINE_N(confine_calls); i++) {
		int call = seccomp_syscall_resolve_name(confine_calls[i]);

		if (call != __NR_SCMP_ERROR)
			err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
	}
	for (i = 0; !err && i < CONFINE_N(confine_ones); i++)
		err = confine_allow_one(filter, confine_ones[i].call, confine_ones[i].arg,
					confine_ones[i].value);
	for (i = 0; !err && i < CONFINE_N(confine_sockets); i++)
		err = confine_allow_socket(filter, confine_sockets[i]);
	/* abort() signals this process, musl's by the thread alone. */
	if (!err)
		err = confine_allow_one(filter, "tgkill", 0, getpid());
	if (!err)
		err = confine_allow_one(filter, "tkill", 0, getpid());
	return err ? err : confine_no_terminal(filter);
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
	/* The drift writer's thread as well. */
	if (!err)
		err = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	if (!err)
		err = seccomp_load(filter);
	if (filter)
		seccomp_release(filter);
	if (!err)
		return 0;
	snprintf(why, size, "[security] seccomp: %s: if the kernel lacks seccomp, set seccomp = no",
		 strerror(-err));
	return -1;
}
