// SPDX-License-Identifier: GPL-2.0
/*
 * The system calls of a daemon's event loop.  Any other kills the process, which
 * limits what an attacker can do with a fault.
 *
 * Left out with intent: calls that start programs or threads, change the user or
 * the rights of files, attach to, signal or limit other processes, or make
 * sockets that receive packets of others or configure the network.
 */
#include <asm/termbits.h>
#include <errno.h>
#include <fcntl.h>
#include <seccomp.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "fail.h"
#include "syscall_filter.h"

#define FILTER_N(a)	(sizeof(a) / sizeof((a)[0]))

/*
 * As names, because a name that an architecture does not have is no error; the
 * last lines of each kind are what 32 bit and other architectures have instead.
 */
static const char *const filter_calls[] = {
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
	/* sockets; socket() itself is below */
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
 * Such arguments have 32 bits in the kernel; a C library may leave anything in the
 * upper half of the register: musl's ioctl() takes an int, so that a request with
 * the top bit set comes sign-extended.
 */
#define FILTER_INT	0xffffffffULL

/* An owner of a file descriptor would be sent signals. */
static const struct syscall_arg filter_args[] = {
	{ "fcntl", 1, F_DUPFD_CLOEXEC }, { "fcntl64", 1, F_DUPFD_CLOEXEC },
	{ "fcntl", 1, F_GETFD }, { "fcntl64", 1, F_GETFD },
	{ "fcntl", 1, F_GETFL }, { "fcntl64", 1, F_GETFL },
	{ "fcntl", 1, F_SETFD }, { "fcntl64", 1, F_SETFD },
	{ "fcntl", 1, F_SETFL }, { "fcntl64", 1, F_SETFL },
	{ "ioctl", 1, FIONREAD },
	/* Its own. */
	{ "prlimit64", 0, 0 },
};

/* Flags of a socket's kind. */
#define FILTER_FLAGS	(SOCK_CLOEXEC | SOCK_NONBLOCK)

/*
 * A C library's streams request the terminal that they write to, each in its way;
 * the answer that there is none does no harm.
 */
static const unsigned int filter_terminal[] = {
	TCGETS, TIOCGWINSZ,
#ifdef TCGETS2
	TCGETS2,
#endif
};

static int filter_allow_one(scmp_filter_ctx filter, const char *name, unsigned int arg,
			    uint64_t value)
{
	int call = seccomp_syscall_resolve_name(name);

	return call == __NR_SCMP_ERROR ? 0 :
	       seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 1,
				SCMP_CMP(arg, SCMP_CMP_MASKED_EQ, FILTER_INT,
					 value & FILTER_INT));
}

static int filter_allow_args(scmp_filter_ctx filter, const struct syscall_arg *args,
			     size_t n)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < n; i++)
		err = filter_allow_one(filter, args[i].call, args[i].arg, args[i].value);
	return err;
}

/*
 * Where socketcall() makes them the arguments are behind a pointer, and
 * libseccomp lets all pass.
 */
static int filter_allow_socket(scmp_filter_ctx filter, const struct syscall_socket *socket)
{
	return seccomp_rule_add(filter, SCMP_ACT_ALLOW, SCMP_SYS(socket), 3,
				SCMP_A0(SCMP_CMP_MASKED_EQ, FILTER_INT, socket->family),
				SCMP_A1(SCMP_CMP_MASKED_EQ, FILTER_INT & ~FILTER_FLAGS,
					socket->type),
				SCMP_A2(SCMP_CMP_MASKED_EQ, FILTER_INT, socket->protocol));
}

static int filter_no_terminal(scmp_filter_ctx filter)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < FILTER_N(filter_terminal); i++)
		err = seccomp_rule_add(filter, SCMP_ACT_ERRNO(ENOTTY), SCMP_SYS(ioctl), 1,
				       SCMP_A1(SCMP_CMP_MASKED_EQ, FILTER_INT,
					       filter_terminal[i]));
	return err;
}

static int filter_allow(scmp_filter_ctx filter, const struct syscall_filter *own)
{
	size_t i;
	int err = 0;

	for (i = 0; !err && i < FILTER_N(filter_calls); i++) {
		int call = seccomp_syscall_resolve_name(filter_calls[i]);

		if (call != __NR_SCMP_ERROR)
			err = seccomp_rule_add(filter, SCMP_ACT_ALLOW, call, 0);
	}
	if (!err)
		err = filter_allow_args(filter, filter_args, FILTER_N(filter_args));
	if (!err)
		err = filter_allow_args(filter, own->args, own->n_args);
	for (i = 0; !err && i < own->n_sockets; i++)
		err = filter_allow_socket(filter, &own->sockets[i]);
	/* abort() signals this process, musl's by the thread alone. */
	if (!err)
		err = filter_allow_one(filter, "tgkill", 0, getpid());
	if (!err)
		err = filter_allow_one(filter, "tkill", 0, getpid());
	return err ? err : filter_no_terminal(filter);
}

int syscall_filter_load(const struct syscall_filter *own, char *why, size_t size)
{
	scmp_filter_ctx filter = seccomp_init(SCMP_ACT_KILL_PROCESS);
	int err = -ENOMEM;

	if (filter)
		err = filter_allow(filter, own);
	/* Other threads as well. */
	if (!err)
		err = seccomp_attr_set(filter, SCMP_FLTATR_CTL_TSYNC, 1);
	if (!err)
		err = seccomp_load(filter);
	if (filter)
		seccomp_release(filter);
	if (!err)
		return 0;
	return fail(why, size,
		    "[security] seccomp: %s: if the kernel lacks seccomp, set seccomp = no",
		    strerror(-err));
}
