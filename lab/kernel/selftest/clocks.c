// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks of network namespaces compared with true time, to the ns; TAP.
 *
 * A read of a clock takes COST ns of virtual time, and everything else takes none. A read
 * of CLOCK_MONOTONIC, which is true time, therefore tells the time of the next read, and
 * every value can be checked exactly. Expected values are computed here in integers,
 * by the definitions of clock_adjtime() and of net/osc.h.
 */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <linux/capability.h>
#include <linux/errqueue.h>
#include <linux/net_tstamp.h>
#include <sched.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>

#include "../../../selftests/lib/tap.h"

#define COST 1
#define S 1000000000LL
#define CLOCK "/proc/thread-self/net/clock"

static int64_t base;		/* true CLOCK_REALTIME minus CLOCK_MONOTONIC */
static int root;

static void die(const char *what)
{
	printf("Bail out! %s: %s\n", what, strerror(errno));
	exit(1);
}

static void same(int64_t got, int64_t want, const char *what)
{
	tap_ok(got == want, "%s", what);
	if (got != want)
		printf("# %lld instead of %lld\n", (long long)got, (long long)want);
}

/* A value computed from several rates may be rounded differently. */
static void near(int64_t got, int64_t want, int64_t by, const char *what)
{
	tap_ok(llabs(got - want) <= by, "%s", what);
	if (llabs(got - want) > by)
		printf("# %lld instead of %lld\n", (long long)got, (long long)want);
}

static int64_t now(clockid_t clock)
{
	struct timespec ts;

	if (clock_gettime(clock, &ts))
		die("clock_gettime");
	return ts.tv_sec * S + ts.tv_nsec;
}

/* How far CLOCK_REALTIME is ahead of true time, and at what time. */
static int64_t error(int64_t *at)
{
	int64_t mono = now(CLOCK_MONOTONIC);

	if (at)
		*at = mono + COST;
	return now(CLOCK_REALTIME) - base - mono - COST;
}

static void sleep_until(clockid_t clock, int64_t ns)
{
	struct timespec ts = { .tv_sec = ns / S, .tv_nsec = ns % S };

	if (clock_nanosleep(clock, TIMER_ABSTIME, &ts, NULL))
		die("clock_nanosleep");
}

/* Write a line of settings; true time at which they hold, or -errno. */
static int64_t put(const char *line)
{
	int64_t mono, ret;
	int fd;

	fd = open(CLOCK, O_WRONLY);
	if (fd < 0)
		die(CLOCK);
	mono = now(CLOCK_MONOTONIC);
	ret = write(fd, line, strlen(line)) < 0 ? -errno : mono + COST;
	close(fd);
	return ret;
}

/* A line of the clock's file. */
static int64_t get(const char *name)
{
	char line[128], key[64];
	long long value;
	FILE *file = fopen(CLOCK, "r");

	if (!file)
		die(CLOCK);
	while (fgets(line, sizeof(line), file))
		if (sscanf(line, "%63s %lld", key, &value) == 2 && !strcmp(key, name)) {
			fclose(file);
			return value;
		}
	die(name);
	return 0;
}

static int own_net(void)
{
	return open("/proc/thread-self/ns/net", O_RDONLY | O_CLOEXEC);
}

static int make_net(void)
{
	if (unshare(CLONE_NEWNET))
		die("unshare");
	return own_net();
}

static void enter(int net)
{
	if (setns(net, CLONE_NEWNET))
		die("setns");
}

static int adjust(struct timex *tx)
{
	int state = clock_adjtime(CLOCK_REALTIME, tx);

	if (state < 0)
		die("clock_adjtime");
	return state;
}

/* Each namespace has its own; nobody touches truth. */
static void apart(void)
{
	int64_t at_a, at_b, at, ahead;
	int a, b;

	a = make_net();
	same(error(NULL), 0, "a new namespace has true time");
	same(get("error_ns"), 0, "and its file says so");
	at_a = put("offset 1000000 rate 20000\n");
	same(error(&at), 1000000, "an offset holds at once");
	b = make_net();
	at_b = put("rate -100000 offset -500");
	sleep_until(CLOCK_MONOTONIC, at_b + 10 * S);
	ahead = error(&at);
	near(ahead, -500 - (at - at_b) / 10000, 1, "a clock 100 ppm slow");
	enter(a);
	ahead = error(&at);
	near(ahead, 1000000 + (at - at_a) / 50000, 1, "another 20 ppm fast");
	enter(root);
	same(error(NULL), 0, "the initial namespace has true time still");
	enter(b);
	sleep_until(CLOCK_REALTIME, base + at_b + 11 * S);
	near(now(CLOCK_MONOTONIC) - at_b - COST, 11 * S, 1, "timers are on true time");
	at = now(CLOCK_MONOTONIC) + COST;
	near(now(CLOCK_MONOTONIC_RAW) - at, -(at - at_b) / 10000, 1,
	     "CLOCK_MONOTONIC_RAW has the rate and not the offset");
	at = now(CLOCK_MONOTONIC) + COST;
	near(now(CLOCK_TAI) - base - at, -500 - (at - at_b) / 10000, 1, "CLOCK_TAI has both");
	enter(root);
}

static void daily(void)
{
	struct timespec ts;
	struct timeval tv;
	int64_t at;

	make_net();
	put("offset 5000000000000");
	at = now(CLOCK_MONOTONIC) + COST;
	gettimeofday(&tv, NULL);
	same(tv.tv_sec * 1000000LL + tv.tv_usec, (base + at + 5000 * S) / 1000, "gettimeofday()");
	at = now(CLOCK_MONOTONIC) + COST;
	same(syscall(SYS_time, NULL), (base + at) / S + 5000, "time()");
	same(now(CLOCK_REALTIME_COARSE) / S - now(CLOCK_REALTIME) / S, 0, "CLOCK_REALTIME_COARSE");
	ts = (struct timespec) { .tv_sec = 1800000000, .tv_nsec = 7 };
	clock_settime(CLOCK_REALTIME, &ts);
	same(now(CLOCK_REALTIME), 1800000000 * S + 7 + COST, "clock_settime() is exact");
	tv = (struct timeval) { .tv_sec = 1700000000, .tv_usec = 5 };
	settimeofday(&tv, NULL);
	same(now(CLOCK_REALTIME), 1700000000 * S + 5000 + COST, "settimeofday() is exact");
	enter(root);
	same(error(NULL), 0, "and for the own namespace alone");
}

static void frequency(void)
{
	struct timex tx = { .modes = ADJ_FREQUENCY, .freq = -20 * 65536 };
	int64_t from, at, ahead;

	make_net();
	from = put("rate 20000 offset 0");
	at = now(CLOCK_MONOTONIC) + COST;
	adjust(&tx);
	sleep_until(CLOCK_MONOTONIC, from + 1000 * S);
	ahead = error(&at);
	near(ahead, -400, 2, "20 ppm less of 20 ppm more are 400 ns in 1000 s");
	tx = (struct timex) { .modes = ADJ_FREQUENCY | ADJ_TICK, .freq = 65536 * 500, .tick = 10100 };
	at = now(CLOCK_MONOTONIC) + COST;
	adjust(&tx);
	ahead = error(NULL);
	sleep_until(CLOCK_MONOTONIC, at + S);
	/* 1 % and 500 ppm of 1 s, of a second that is 20 ppm longer */
	near(error(NULL) - ahead, 10500000 + 20000 + 210, 2, "tick and frequency add up");
	tx = (struct timex) { .modes = ADJ_TICK, .tick = 12000 };
	tap_ok(clock_adjtime(CLOCK_REALTIME, &tx) < 0 && errno == EINVAL, "a tick out of range is refused");
	enter(root);
}

static void injection(void)
{
	struct timex tx = { .modes = ADJ_SETOFFSET | ADJ_NANO,
			    .time = { .tv_sec = -2, .tv_usec = 999999000 } };

	make_net();
	adjust(&tx);
	same(error(NULL), -1000001000, "ADJ_SETOFFSET");
	tx = (struct timex) { .modes = ADJ_TAI, .constant = 37 };
	adjust(&tx);
	same(now(CLOCK_TAI) - now(CLOCK_REALTIME), 37 * S - COST, "ADJ_TAI");
	tx = (struct timex) { .modes = ADJ_STATUS | ADJ_MAXERROR | ADJ_ESTERROR | ADJ_MICRO,
			      .maxerror = 1000, .esterror = 30 };
	same(adjust(&tx), TIME_OK, "a clock whose STA_UNSYNC was cleared is synchronised");
	sleep_until(CLOCK_MONOTONIC, now(CLOCK_MONOTONIC) + 10 * S);
	tx = (struct timex) { };
	adjust(&tx);
	tap_ok(tx.maxerror == 6000 && tx.esterror == 30 && tx.tai == 37 && tx.tick == 10000,
	       "the maximal error grows by 500 us/s");
	tx = (struct timex) { .modes = ADJ_SETOFFSET | ADJ_NANO, .time = { .tv_sec = 1 } };
	same(adjust(&tx), TIME_ERROR, "one that was shifted is not");
	tx = (struct timex) { .modes = ADJ_SETOFFSET, .time = { .tv_sec = -4000000000 } };
	tap_ok(clock_adjtime(CLOCK_REALTIME, &tx) < 0 && errno == EINVAL, "a time before 1970 is refused");
	same(error(NULL), -1000001000 + S, "and changes nothing");
	enter(root);
}

static void slewing(void)
{
	struct timex tx = { .modes = ADJ_STATUS | ADJ_NANO, .status = STA_PLL };
	struct timeval delta = { .tv_usec = 1250 }, left;
	int64_t from;

	make_net();
	put("offset 0");
	from = now(CLOCK_MONOTONIC) + COST;
	adjtime(&delta, NULL);
	sleep_until(CLOCK_MONOTONIC, from + S / 2 - COST);
	near(error(NULL), 250000, 1, "adjtime() slews by 500 us/s");
	sleep_until(CLOCK_MONOTONIC, from + 2 * S);
	adjtime(NULL, &left);
	same(left.tv_usec, 0, "the rest is in the second that runs");
	sleep_until(CLOCK_MONOTONIC, from + 5 * S);
	near(error(NULL), 1250000, 1, "and stops when it is done");
	tx = (struct timex) { .modes = ADJ_STATUS | ADJ_NANO | ADJ_TIMECONST, .status = STA_PLL };
	adjust(&tx);
	tx = (struct timex) { .modes = ADJ_OFFSET, .offset = -1000000 };
	from = now(CLOCK_MONOTONIC) + COST;
	adjust(&tx);
	sleep_until(CLOCK_MONOTONIC, from + S - COST);
	near(error(NULL), 1250000 - 250000, 1, "the loop slews a quarter of an offset in a second");
	sleep_until(CLOCK_MONOTONIC, from + 2 * S - COST);
	near(error(NULL), 1250000 - 437500, 1, "and a quarter of the rest in the next");
	sleep_until(CLOCK_MONOTONIC, from + 100 * S);
	near(error(NULL), 250000, 10, "until it is gone");
	tx = (struct timex) { };
	adjust(&tx);
	same(tx.freq, 0, "the first offset says nothing of the frequency");
	tx = (struct timex) { .modes = ADJ_OFFSET, .offset = 1000000 };
	adjust(&tx);
	/* at most 2^3 s; 1 ms * 8 s / 2^8 s^2 */
	near(tx.freq, 1000 * 8 * 65536LL / 256, 1, "the next one moves it");
	enter(root);
}

static void steps(void)
{
	char line[100];
	int64_t from;

	make_net();
	from = now(CLOCK_MONOTONIC) + 3 * S;
	snprintf(line, sizeof(line), "step -2000000 at %lld\n", (long long)from);
	put(line);
	same(get("step"), -2000000, "a step waits in the file");
	/* The sleep's end and error()'s reads are a few ns later. */
	sleep_until(CLOCK_MONOTONIC, from - 20 * COST);
	same(error(NULL), 0, "and comes no sooner");
	sleep_until(CLOCK_MONOTONIC, from);
	same(error(NULL), -2000000, "than it should");
	enter(root);
}

/* Two clocks have the same random walk. One is read often, and both must agree. */
static void wander(void)
{
	int a, b, i;
	int64_t ahead, at;

	a = make_net();
	put("wander 5000 seed 42 ramp 10");
	b = make_net();
	put("wander 5000 seed 42 ramp 10");
	for (i = 0; i < 5000; i++)
		error(NULL);
	at = now(CLOCK_MONOTONIC) + 20 * S;
	for (i = 1; i <= 100; i++) {
		sleep_until(CLOCK_MONOTONIC, at - 20 * S + i * S / 5);
		now(CLOCK_REALTIME);
	}
	ahead = get("error_ns");
	enter(a);
	near(get("error_ns"), ahead, 2, "a walk does not depend on who looks");
	tap_ok(llabs(ahead) > 100, "and it walks (%lld ns)", (long long)ahead);
	enter(root);
	(void)b;
}

static void refusals(void)
{
	static const struct {
		const char *line;
		int err;
	} bad[] = {
		{ "\n", EINVAL }, { "offset", EINVAL }, { "offset 1 colour 2", EINVAL },
		{ "offset 5 rate 10000001", ERANGE }, { "offset 5 wander -1", ERANGE },
		{ "offset 5\nrate 5\n", EINVAL }, { "offset 5 step 5", EINVAL },
		{ "step 5 at 1 offset 5", ERANGE }, { "offset 5 offset 6", EINVAL },
	};
	struct __user_cap_header_struct head = { .version = _LINUX_CAPABILITY_VERSION_3 };
	struct __user_cap_data_struct caps[2], fewer[2];
	struct timex tx = { .modes = ADJ_FREQUENCY, .freq = 65536 };
	size_t i;

	make_net();
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		tap_ok(put(bad[i].line) == -bad[i].err, "line %zu is refused", i);
	tap_ok(put("offset 1\n") > 0, "a line alone");
	same(error(NULL), 1, "what was refused changed nothing");
	syscall(SYS_capget, &head, caps);
	memcpy(fewer, caps, sizeof(caps));
	fewer[CAP_TO_INDEX(CAP_SYS_TIME)].effective &= ~CAP_TO_MASK(CAP_SYS_TIME);
	syscall(SYS_capset, &head, fewer);
	same(put("offset 5"), -EPERM, "without CAP_SYS_TIME no settings");
	tap_ok(clock_adjtime(CLOCK_REALTIME, &tx) < 0 && errno == EPERM, "and no adjustment");
	syscall(SYS_capset, &head, caps);
	same(error(NULL), 1, "either");
	enter(root);
}

/* The stamp in a message's control data: of the kind of SO_TIMESTAMPING or SO_TIMESTAMPNS. */
static int64_t receive(int fd, int flags)
{
	char data[64], control[512];
	struct iovec iov = { data, sizeof(data) };
	struct msghdr msg = { .msg_iov = &iov, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *c;
	struct timespec *ts;

	if (recvmsg(fd, &msg, flags) < 0)
		return -errno;
	for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		if (c->cmsg_level != SOL_SOCKET ||
		    (c->cmsg_type != SO_TIMESTAMPING && c->cmsg_type != SO_TIMESTAMPNS))
			continue;
		ts = (struct timespec *)CMSG_DATA(c);
		return ts->tv_sec * S + ts->tv_nsec;
	}
	return 0;
}

static int udp(const char *addr, const char *peer)
{
	struct sockaddr_in sin = { .sin_family = AF_INET, .sin_port = htons(7) };
	int fd = socket(AF_INET, SOCK_DGRAM, 0);

	inet_aton(addr, &sin.sin_addr);
	if (bind(fd, (void *)&sin, sizeof(sin)))
		die("bind");
	inet_aton(peer, &sin.sin_addr);
	if (connect(fd, (void *)&sin, sizeof(sin)))
		die("connect");
	return fd;
}

/* veth between the namespaces `near` and `far`, which the script has made. */
static void stamps(void)
{
	int flags = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE |
		    SOF_TIMESTAMPING_OPT_TSONLY;
	int a = open("/run/netns/near", O_RDONLY), b = open("/run/netns/far", O_RDONLY);
	int from, to, one = 1;
	int64_t mono;

	if (a < 0 || b < 0)
		die("namespaces near and far");
	enter(a);
	put("offset 1000000");
	from = udp("10.0.0.1", "10.0.0.2");
	setsockopt(from, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof(flags));
	enter(b);
	put("offset -3000");
	to = udp("10.0.0.2", "10.0.0.1");
	setsockopt(to, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one));
	enter(root);
	mono = now(CLOCK_MONOTONIC);
	if (send(from, "x", 1, 0) != 1)
		die("send");
	same(receive(to, 0) - base - mono, -3000, "a packet received is stamped by its device's clock");
	same(receive(from, MSG_ERRQUEUE) - base - mono, 1000000, "one sent by its sender's");
}

int main(void)
{
	prctl(PR_SET_TIMERSLACK, 1);
	root = own_net();
	sleep_until(CLOCK_MONOTONIC, S);
	base = now(CLOCK_MONOTONIC) + COST;
	base = now(CLOCK_REALTIME) - base;
	apart();
	daily();
	frequency();
	injection();
	slewing();
	steps();
	wander();
	refusals();
	stamps();
	tap_done();
	return 0;
}
