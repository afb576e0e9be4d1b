// SPDX-License-Identifier: GPL-2.0
/*
 * rights - give up rights as the daemon does, then try something
 *
 *	rights drop MODE USER [hardware]   drop, print what /proc/self/status says, and what the kernel
 *					   returns for a step of the clock
 *	rights confine CALL...             confine, try each call; dies of the first that is forbidden
 *
 * MODE is publish, steer, sock or none.
 */
#include <asm/termbits.h>
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/ethtool.h>
#include <linux/netlink.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <netinet/in.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/timerfd.h>
#include <sys/timex.h>
#include <sys/un.h>
#include <time.h>
#include <unistd.h>

#include "../../platform/drift_writer.h"
#include "../../platform/writer.h"
#include "../../platform/rights.h"

static char why[256];
/* Another process; to query its identity is forbidden, too. */
static pid_t other;

static void rights_status(void)
{
	FILE *file = fopen("/proc/self/status", "r");
	char line[256];

	while (fgets(line, sizeof(line), file))
		if (!strncmp(line, "Cap", 3) || !strncmp(line, "NoNewPrivs", 10) ||
		    !strncmp(line, "Uid", 3) || !strncmp(line, "Gid", 3) || !strncmp(line, "Groups", 6))
			fputs(line, stdout);
	fclose(file);
}

/*
 * May the clock be stepped?  The kernel says so before it looks by how much,
 * and so much it is never stepped by.
 */
static void rights_step(void)
{
	struct timex timex = { .modes = ADJ_SETOFFSET | ADJ_NANO, .time.tv_usec = -1 };

	errno = 0;
	clock_adjtime(CLOCK_REALTIME, &timex);
	printf("Step:\t%s\n", strerrorname_np(errno));
}

static int command_drop(char **arguments)
{
	static const char *const modes[] = { "publish", "steer", "sock", "none" };
	struct huygens_conf conf = { .seccomp = 0 };

	while (strcmp(modes[conf.mode], arguments[0]))
		conf.mode++;
	if (strcmp(arguments[1], "none"))
		snprintf(conf.user, sizeof(conf.user), "%s", arguments[1]);
	if (getenv("DRIFT"))
		snprintf(conf.drift_file, sizeof(conf.drift_file), "%s", getenv("DRIFT"));
	snprintf(conf.control, sizeof(conf.control), "%s", getenv("CONTROL") ?: "/nowhere/control");
	if (rights_drop(&conf, !!arguments[2], why, sizeof(why))) {
		printf("%s\n", why);
		return 1;
	}
	rights_status();
	rights_step();
	return 0;
}

/* All that a daemon does from one window to the next. */
static void work(void)
{
	struct epoll_event event = { .events = EPOLLIN };
	struct itimerspec when = { .it_value = { 0, 1000 } };
	struct timex timex = { .modes = 0 };
	char path[32], moved[64];
	struct rlimit limit;
	int fd, poll;
	FILE *file;

	free(malloc(64 << 20));
	fd = timerfd_create(CLOCK_MONOTONIC, TFD_NONBLOCK);
	poll = epoll_create1(0);
	epoll_ctl(poll, EPOLL_CTL_ADD, fd, &event);
	timerfd_settime(fd, 0, &when, NULL);
	epoll_wait(poll, &event, 1, 1000);
	close(fd);
	close(socket(AF_NETLINK, SOCK_RAW | SOCK_CLOEXEC, NETLINK_GENERIC));
	close(socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
	close(socket(AF_UNIX, SOCK_STREAM, 0));
	adjtimex(&timex);
	clock_adjtime(CLOCK_REALTIME, &timex);
	closedir(opendir("/proc"));
	/* Calls of the C library by itself. */
	raise(SIGURG);
	getrlimit(RLIMIT_NOFILE, &limit);
	snprintf(path, sizeof(path), "/tmp/huygens-rights.%d", getpid());
	snprintf(moved, sizeof(moved), "%s.moved", path);
	file = fopen(path, "w");
	fprintf(file, "%ld\n", (long)time(NULL));
	fflush(file);
	fsync(fileno(file));
	fclose(file);
	rename(path, moved);
	unlink(moved);
	puts("worked");
}

/* As a C library whose ioctl() takes an int leaves it in a register: sign-extended. */
static long as_int(unsigned int request)
{
	return (int)request;
}

/* Calls of musl for the same: a NIC's clock, streams that query a window, abort()'s signal. */
static void musl(void)
{
	static const unsigned int looks[] = {
		PTP_SYS_OFFSET_EXTENDED, PTP_SYS_OFFSET_PRECISE, PTP_CLOCK_GETCAPS, FIONREAD,
		SIOCGIFNAME,
	}, terminals[] = { TCGETS, TCGETS2, TIOCGWINSZ };
	const long above = 0x5a5a5a5aL << 32;
	struct ptp_sys_offset_extended look = { .n_samples = 1 };
	int fd = open("/dev/null", O_RDONLY | O_CLOEXEC), good = 1;
	size_t i;

	for (i = 0; i < sizeof(looks) / sizeof(*looks); i++) {
		syscall(SYS_ioctl, fd, as_int(looks[i]), &look);
		syscall(SYS_ioctl, fd, above | looks[i], &look);
	}
	for (i = 0; i < sizeof(terminals) / sizeof(*terminals); i++)
		good = good && syscall(SYS_ioctl, fd, as_int(terminals[i]), &look) == -1 && errno == ENOTTY;
	close(syscall(SYS_socket, above | AF_UNIX, above | SOCK_DGRAM | SOCK_CLOEXEC, above));
	syscall(SYS_fcntl, fd, above | F_GETFD, 0);
	signal(SIGURG, SIG_IGN);
	syscall(SYS_tkill, getpid(), SIGURG);
	close(fd);
	if (good)
		puts("worked");
}

static void call_exec(void)
{
	execl("/bin/true", "true", NULL);
}

static void call_fork(void)
{
	if (!fork())
		_exit(0);
}

static void call_thread(void)
{
	syscall(SYS_clone3, NULL, 0);
}

static void call_packet(void)
{
	socket(AF_PACKET, SOCK_RAW, 0);
}

static void call_rawinet(void)
{
	socket(AF_INET, SOCK_RAW | SOCK_CLOEXEC, IPPROTO_ICMP);
}

static void call_rawinet6(void)
{
	socket(AF_INET6, SOCK_RAW | SOCK_NONBLOCK, IPPROTO_ICMPV6);
}

static void call_tcp(void)
{
	socket(AF_INET, SOCK_STREAM, 0);
}

static void call_rtnetlink(void)
{
	socket(AF_NETLINK, SOCK_RAW, NETLINK_ROUTE);
}

static void call_ethtool(void)
{
	struct ifreq ifr = { .ifr_name = "nosuchlink" };

	ioctl(0, SIOCETHTOOL, &ifr);
}

static void call_bpf(void)
{
	syscall(SYS_bpf, 0, NULL, 0);
}

static void call_ptrace(void)
{
	ptrace(PTRACE_TRACEME, 0, NULL, NULL);
}

static void call_setuid(void)
{
	syscall(SYS_setuid, getuid());
}

static void call_chmod(void)
{
	chmod("/nowhere", 0);
}

static void call_chown(void)
{
	syscall(SYS_chown, "/nowhere", 0, 0);
}

static void call_mount(void)
{
	mount("none", "/nowhere", "tmpfs", 0, NULL);
}

static void call_unshare(void)
{
	unshare(0);
}

static void call_kill(void)
{
	kill(getpid(), 0);
}

static void call_tgkill(void)
{
	syscall(SYS_tgkill, other, other, 0);
}

static void call_owner(void)
{
	fcntl(0, F_SETOWN, other);
}

static void call_prlimit(void)
{
	struct rlimit limit;

	prlimit(other, RLIMIT_NOFILE, NULL, &limit);
}

static void call_settime(void)
{
	syscall(SYS_clock_settime, CLOCK_REALTIME, NULL);
}

/* A NIC's: of a file descriptor, which need not be one. */
static void call_setcard(void)
{
	struct timex timex = { .modes = 0 };

	clock_adjtime((clockid_t)(~0U << 3 | 3), &timex);
}

static void call_module(void)
{
	syscall(SYS_init_module, NULL, 0, "");
}

/* Bits above the kernel's 32 let nothing else pass. */
static void call_ethtool_int(void)
{
	struct ifreq ifr = { .ifr_name = "nosuchlink" };

	syscall(SYS_ioctl, 0, as_int(SIOCETHTOOL), &ifr);
}

static void call_ethtool_above(void)
{
	struct ifreq ifr = { .ifr_name = "nosuchlink" };

	syscall(SYS_ioctl, 0, 1L << 32 | SIOCETHTOOL, &ifr);
}

static void call_extts(void)
{
	struct ptp_extts_request request = { .index = 0 };

	syscall(SYS_ioctl, 0, as_int(PTP_EXTTS_REQUEST), &request);
}

static void call_winsize(void)
{
	struct winsize size = { .ws_row = 24 };

	syscall(SYS_ioctl, 0, as_int(TIOCSWINSZ), &size);
}

static void call_packet_above(void)
{
	syscall(SYS_socket, 1L << 32 | AF_PACKET, SOCK_RAW, 0);
}

static void call_tkill(void)
{
	syscall(SYS_tkill, other, 0);
}

static void call_tiocsti(void)
{
	ioctl(0, TIOCSTI, "x");
}

static void call_prctl(void)
{
	prctl(PR_SET_DUMPABLE, 1);
}

static void call_reboot(void)
{
	syscall(SYS_reboot, 0, 0, 0, NULL);
}

static void call_keyctl(void)
{
	syscall(SYS_keyctl, 0, 0, 0, 0, 0);
}

static void call_userfault(void)
{
	syscall(SYS_userfaultfd, 0);
}

static void call_uring(void)
{
	syscall(SYS_io_uring_setup, 0, NULL);
}

static void call_route(void)
{
	ioctl(0, SIOCADDRT, NULL);
}

static void call_open_by_handle(void)
{
	syscall(SYS_open_by_handle_at, -1, NULL, 0);
}

static void call_abort(void)
{
	abort();
}

static const struct {
	const char *name;
	void (*call)(void);
} may[] = {
	{ "work", work }, { "musl", musl }, { "abort", call_abort },
}, calls[] = {
	{ "exec", call_exec }, { "fork", call_fork }, { "thread", call_thread }, { "packet", call_packet },
	{ "rawinet", call_rawinet }, { "rawinet6", call_rawinet6 }, { "tcp", call_tcp }, { "rtnetlink", call_rtnetlink },
	{ "ethtool", call_ethtool }, { "ethtool_int", call_ethtool_int }, { "ethtool_above", call_ethtool_above },
	{ "extts", call_extts }, { "winsize", call_winsize }, { "packet_above", call_packet_above }, { "tkill", call_tkill }, { "bpf", call_bpf }, { "ptrace", call_ptrace }, { "setuid", call_setuid },
	{ "chmod", call_chmod }, { "chown", call_chown }, { "mount", call_mount }, { "unshare", call_unshare },
	{ "kill", call_kill }, { "tgkill", call_tgkill }, { "owner", call_owner }, { "prlimit", call_prlimit },
	{ "settime", call_settime }, { "setcard", call_setcard }, { "module", call_module }, { "tiocsti", call_tiocsti },
	{ "prctl", call_prctl }, { "reboot", call_reboot }, { "keyctl", call_keyctl }, { "userfault", call_userfault },
	{ "uring", call_uring }, { "route", call_route }, { "open_by_handle", call_open_by_handle },
};

#define N(a)	(sizeof(a) / sizeof((a)[0]))

static int command_confine(char **arguments)
{
	struct huygens_conf conf = { .seccomp = !getenv("SECCOMP_NO") };
	size_t i;

	other = getppid();
	drift_writer_open(getenv("DRIFT") ?: "");
	if (writer_begin(why, sizeof(why)) || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) || rights_confine(&conf, why, sizeof(why))) {
		printf("%s\n", why);
		return 1;
	}
	for (; *arguments; arguments++) {
		for (i = 0; i < N(may); i++)
			if (!strcmp(*arguments, may[i].name))
				may[i].call();
		for (i = 0; i < N(calls); i++)
			if (!strcmp(*arguments, calls[i].name))
				calls[i].call();
		fflush(stdout);
	}
	drift_writer_put(12.5, 0.5);
	writer_end();
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "calls")) {
		for (size_t i = 0; i < N(calls); i++)
			puts(calls[i].name);
		return 0;
	}
	if (argc >= 4 && !strcmp(argv[1], "drop"))
		return command_drop(argv + 2);
	if (argc >= 3 && !strcmp(argv[1], "confine"))
		return command_confine(argv + 2);
	fprintf(stderr, "usage: rights drop MODE USER [hardware] | confine CALL...\n");
	return 2;
}
