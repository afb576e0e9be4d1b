// SPDX-License-Identifier: GPL-2.0
/*
 * Hardware clocks and timestamps of labnic compared with true time; TAP.
 *
 *	stamps NS NS ADDR SIZE	packets from the first namespace's eth0 to ADDR in the other
 *	stamps cut NS ADDR	the link goes down under packets whose stamps are waited for
 *	stamps port NS NS ADDR	as the first, through a switch: the port that the kernel names
 *
 * All NICs have a clock. A read of a clock takes 1 ns of virtual time, and everything
 * else takes none, so the time of a packet is known exactly.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/timex.h>
#include <unistd.h>

#include "../../../selftests/lib/tap.h"
#include "../../guest/instant.h"

#define COST 1
#define FD_TO_CLOCKID(fd) ((~(clockid_t)(fd) << 3) | 3)
#define PORT 9

static int64_t base;		/* true CLOCK_REALTIME minus CLOCK_MONOTONIC */
static unsigned int came_by;	/* the device of the last stamp, as the kernel says */

static void die(const char *what)
{
	tap_ok(false, "%s: %s", what, strerror(errno));
	exit(1);
}

static void near(int64_t got, int64_t want, int64_t by, const char *what)
{
	tap_ok(llabs(got - want) <= by, "%s", what);
	if (llabs(got - want) > by)
		printf("# %lld instead of %lld\n", (long long)got, (long long)want);
}

static void enter(const char *name)
{
	char path[100];
	int fd;

	snprintf(path, sizeof(path), "/run/netns/%s", name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0 || setns(fd, CLONE_NEWNET))
		die(path);
	close(fd);
}

/* An ioctl for eth0 of the namespace that was entered. */
static int ask(unsigned long request, void *data)
{
	struct ifreq ifr = { .ifr_name = "eth0", .ifr_data = data };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), ret;

	ret = ioctl(fd, request, &ifr);
	close(fd);
	return ret;
}

/* Open the clock of eth0, by the number that ethtool -T shows. */
static clockid_t open_phc(void)
{
	struct ethtool_ts_info info = { .cmd = ETHTOOL_GET_TS_INFO };
	char path[32];
	int fd;

	if (ask(SIOCETHTOOL, &info))
		die("ethtool -T");
	tap_ok(info.so_timestamping == 0x5f && info.tx_types == 3 && info.rx_filters == 3,
	       "ethtool -T names the stack's stamps and the NIC's");
	snprintf(path, sizeof(path), "/dev/ptp%d", info.phc_index);
	fd = open(path, O_RDWR);
	if (fd < 0)
		die(path);
	return FD_TO_CLOCKID(fd);
}

/* How far a clock is ahead of true time. */
static int64_t ahead(clockid_t clock)
{
	int64_t mono = instant_now(CLOCK_MONOTONIC);

	return instant_now(clock) - base - mono - COST;
}

static void config(int tx_type, int rx_filter, int want)
{
	struct hwtstamp_config c = { .tx_type = tx_type, .rx_filter = rx_filter };
	int err = ask(SIOCSHWTSTAMP, &c) ? errno : 0;

	tap_ok(err == want, "SIOCSHWTSTAMP tx_type=%d rx_filter=%d: %s", tx_type, rx_filter,
	       want ? "refused" : "set");
	if (!want)
		tap_ok(c.rx_filter == (rx_filter ? HWTSTAMP_FILTER_ALL : HWTSTAMP_FILTER_NONE),
		       "and all frames or none are stamped");
}

/* Step, frequency and set, as a PTP daemon does them, and the values that the kernel reports. */
static void discipline(clockid_t phc)
{
	struct timex tx = { .modes = ADJ_SETOFFSET | ADJ_NANO, .time = { .tv_usec = 5000 } };
	struct ptp_clock_caps caps;
	struct timespec ts;
	int64_t before, at;

	before = ahead(phc);
	if (clock_adjtime(phc, &tx) < 0)
		die("clock_adjtime");
	near(ahead(phc), before + 5000, 1, "a clock is shifted");
	ts = (struct timespec) { .tv_sec = 1000, .tv_nsec = 3 };
	if (clock_settime(phc, &ts))
		die("clock_settime");
	at = instant_now(phc);
	near(at, 1000 * INSTANT_S + 3 + COST, 1, "and set");
	tx = (struct timex) { .modes = ADJ_FREQUENCY, .freq = 100 * 65536 };
	if (clock_adjtime(phc, &tx) < 0)
		die("clock_adjtime");
	before = ahead(phc);
	instant_wait(instant_now(CLOCK_MONOTONIC) + INSTANT_S);
	/* 100 ppm of a second, and the oscillator's 20 */
	near(ahead(phc) - before, 120002, 3, "and made faster than its oscillator");
	tx = (struct timex) { .modes = ADJ_FREQUENCY, .freq = 200000LL * 65536 };
	tap_ok(clock_adjtime(phc, &tx) < 0 && errno == ERANGE, "by 100000 ppm at most");
	if (ioctl(~(phc >> 3), PTP_CLOCK_GETCAPS, &caps))
		die("PTP_CLOCK_GETCAPS");
	near(caps.max_adj, 100000000, 0, "as it says");
}

static int udp(const char *addr)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(PORT) };
	int flags = SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE |
		    SOF_TIMESTAMPING_RAW_HARDWARE | SOF_TIMESTAMPING_OPT_TSONLY |
		    SOF_TIMESTAMPING_OPT_PKTINFO;
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof(flags));
	if (addr && inet_aton(addr, &sin.sin_addr) && connect(fd, (void *)&sin, sizeof(sin)))
		die("connect");
	if (!addr && bind(fd, (void *)&sin, sizeof(sin)))
		die("bind");
	return fd;
}

/* The hardware's stamp of what is received, 0 if it has none, -1 after a second of nothing. */
static int64_t stamp(int fd, int flags)
{
	char data[65536], control[512];
	struct iovec iov = { data, sizeof(data) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct pollfd p = { .fd = fd, .events = flags ? 0 : POLLIN };
	int64_t stamped = 0;
	struct cmsghdr *c;

	came_by = 0;
	if (poll(&p, 1, 1000) < 1 || recvmsg(fd, &msg, flags | MSG_DONTWAIT) < 0)
		return -1;
	for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c))
		if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SO_TIMESTAMPING) {
			struct timespec *ts = (struct timespec *)CMSG_DATA(c);

			stamped = ts[2].tv_sec * INSTANT_S + ts[2].tv_nsec;
		} else if (c->cmsg_level == SOL_SOCKET &&
			   c->cmsg_type == SCM_TIMESTAMPING_PKTINFO) {
			came_by = ((struct scm_ts_pktinfo *)CMSG_DATA(c))->if_index;
		}
	return stamped;
}

static void link_up(bool up)
{
	struct ifreq ifr = { .ifr_name = "eth0" };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	ioctl(fd, SIOCGIFFLAGS, &ifr);
	ifr.ifr_flags = up ? ifr.ifr_flags | IFF_UP : ifr.ifr_flags & ~IFF_UP;
	if (ioctl(fd, SIOCSIFFLAGS, &ifr))
		die("SIOCSIFFLAGS");
	close(fd);
}

/* At 1 Mbit/s most of twenty packets are in the ring when the link goes. */
static int cut(const char *ns, const char *addr)
{
	int fd, i, stamped = 0;

	enter(ns);
	config(HWTSTAMP_TX_ON, HWTSTAMP_FILTER_NONE, 0);
	fd = udp(addr);
	for (i = 0; i < 20; i++)
		send(fd, (char [1400]) { }, 1400, 0);
	instant_wait(instant_now(CLOCK_MONOTONIC) + 30000000);
	link_up(false);
	while (stamp(fd, MSG_ERRQUEUE) > 0)
		stamped++;
	tap_ok(stamped == 2, "%d frames had left within 30 ms, and have stamps", stamped);
	link_up(true);
	close(fd);
	return 0;
}

/* The switch's ports have NAPI ids, too, and its packets are those that were sent. */
static int port(const char *sender, const char *receiver, const char *addr)
{
	unsigned int ifindex;
	int from, to;

	enter(receiver);
	config(HWTSTAMP_TX_OFF, HWTSTAMP_FILTER_ALL, 0);
	ifindex = if_nametoindex("eth0");
	to = udp(NULL);
	enter(sender);
	from = udp(addr);
	send(from, "", 1, 0);
	tap_ok(stamp(to, 0) > 0, "a packet by a switch has a stamp");
	tap_ok(came_by == ifindex, "of the device that it came by: %u of %u", came_by, ifindex);
	close(from);
	close(to);
	return 0;
}

int main(int argc, char **argv)
{
	size_t size = argc == 5 ? atoi(argv[4]) : 0;
	int64_t mono, sent, got, off_a, off_b;
	clockid_t a, b;
	char data[65536] = "";
	int from, to;

	if (argc == 4 && !strcmp(argv[1], "cut"))
		return cut(argv[2], argv[3]);
	if (argc == 5 && !strcmp(argv[1], "port"))
		return port(argv[2], argv[3], argv[4]);
	if (argc != 5)
		return 2;
	prctl(PR_SET_TIMERSLACK, 1);
	mono = instant_now(CLOCK_MONOTONIC) + COST;
	base = instant_now(CLOCK_REALTIME) - mono;
	enter(argv[2]);
	b = open_phc();
	config(HWTSTAMP_TX_OFF, HWTSTAMP_FILTER_PTP_V2_EVENT, 0);
	config(HWTSTAMP_TX_ONESTEP_SYNC, HWTSTAMP_FILTER_NONE, ERANGE);
	to = udp(NULL);
	enter(argv[1]);
	a = open_phc();
	config(HWTSTAMP_TX_ON, HWTSTAMP_FILTER_NONE, 0);
	from = udp(argv[3]);
	near(ahead(b), -700, 0, "an offset");
	/* The first packet finds the way. */
	instant_wait(instant_now(CLOCK_MONOTONIC) + INSTANT_S / 100);
	mono = instant_now(CLOCK_MONOTONIC);
	if (send(from, data, size, 0) != (ssize_t)size)
		die("send");
	sent = stamp(from, MSG_ERRQUEUE);
	got = stamp(to, 0);
	off_a = ahead(a);
	off_b = ahead(b);
	/* The preamble's 6.4 ns, and a delay of 5 us whatever the size. */
	near(sent - base - mono - off_a, 6, 1, "a frame sent is stamped when its preamble is out");
	near(got - base - mono - off_b, 6 + 5000, 1, "one received, the propagation later");
	config(HWTSTAMP_TX_OFF, HWTSTAMP_FILTER_NONE, 0);
	send(from, data, size, 0);
	tap_ok(stamp(from, MSG_ERRQUEUE) == -1, "no stamp when none is wanted");
	tap_ok(stamp(to, 0) > 0, "but the receiver's");
	discipline(a);
	return 0;
}
