// SPDX-License-Identifier: GPL-2.0
/*
 * UDP packets with chosen ECN codepoints, and what became of them.
 *
 *   udp send ADDRESS COUNT SIZE CODEPOINTS [SEGMENT | forever]
 *   udp receive COUNT
 *
 * send: COUNT packets of SIZE bytes of payload for every codepoint in the argument
 * CODEPOINTS, one after the other: 0 not-ECT, 1 ECT(1), 2 ECT(0), 3 CE.  With
 * SEGMENT each is one buffer that the kernel cuts into segments of so many
 * bytes; "forever" repeats until it is killed.
 * receive: over IPv4 and IPv6; says "ready", waits for COUNT packets, a minute
 * at most, prints how many had which codepoint.  The status is 1 if fewer came,
 * or if more did within a moment.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#define UDP_PORT	4711
#define UDP_GSO		103		/* UDP_SEGMENT, level SOL_UDP */
#define UDP_LEVEL	17
#define UDP_PAYLOAD	65536
#define UDP_BUFFER	(64 << 20)
#define UDP_GIVE_UP_MS	60000
#define UDP_LINGER_MS	200		/* to see whether more come than there should */

static char udp_payload[UDP_PAYLOAD];

static int udp_fail(const char *what)
{
	fprintf(stderr, "udp: %s: %s\n", what, strerror(errno));
	return 2;
}

static long udp_number(const char *text, long least, long most)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*text && !*end && value >= least && value <= most)
		return value;
	fprintf(stderr, "udp: %s: not a number from %ld to %ld\n", text, least, most);
	exit(2);
}

/* Where to send to; @v4.sin_family is the family of either. */
union udp_address {
	struct sockaddr_in v4;
	struct sockaddr_in6 v6;
};

static bool udp_resolve(const char *text, union udp_address *to)
{
	memset(to, 0, sizeof(*to));
	if (strchr(text, ':')) {
		to->v6.sin6_family = AF_INET6;
		to->v6.sin6_port = htons(UDP_PORT);
		return inet_pton(AF_INET6, text, &to->v6.sin6_addr) == 1;
	}
	to->v4.sin_family = AF_INET;
	to->v4.sin_port = htons(UDP_PORT);
	return inet_pton(AF_INET, text, &to->v4.sin_addr) == 1;
}

/* The socket is not connected, so that "port unreachable" does not get in the way. */
static int udp_send_round(int fd, const union udp_address *to, long count, size_t size,
			  const char *codepoints, bool forever)
{
	bool six = to->v4.sin_family == AF_INET6;
	socklen_t length = six ? sizeof(to->v6) : sizeof(to->v4);

	for (; *codepoints; codepoints++) {
		int tos = *codepoints - '0';
		long i;

		if (setsockopt(fd, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_TCLASS : IP_TOS,
			       &tos, sizeof(tos)))
			return udp_fail("codepoint");
		for (i = 0; i < count; i++)
			if (sendto(fd, udp_payload, size, 0, (const void *)to, length) < 0 && !forever)
				return udp_fail("send");
	}
	return 0;
}

static int udp_send(int argc, char **argv)
{
	bool forever = argc > 4 && !strcmp(argv[4], "forever");
	int fd, status, segment = 0;
	union udp_address to;
	long count, size;

	count = udp_number(argv[1], 1, 1000000);
	size = udp_number(argv[2], 1, 65507);
	if (argv[3][strspn(argv[3], "0123")]) {
		fprintf(stderr, "udp: %s: codepoints are 0 to 3\n", argv[3]);
		return 2;
	}
	if (!udp_resolve(argv[0], &to)) {
		fprintf(stderr, "udp: %s: no address\n", argv[0]);
		return 2;
	}
	fd = socket(to.v4.sin_family, SOCK_DGRAM, 0);
	if (fd < 0)
		return udp_fail("socket");
	if (argc > 4 && !forever) {
		segment = udp_number(argv[4], 1, 65507);
		if (setsockopt(fd, UDP_LEVEL, UDP_GSO, &segment, sizeof(segment)))
			return udp_fail("UDP_SEGMENT");
	}
	do {
		status = udp_send_round(fd, &to, count, size, argv[3], forever);
	} while (forever && !status);
	return status;
}

/* Two sockets: one of IPv6 that also takes IPv4 does not tell the latter's codepoint. */
static int udp_bind(bool six)
{
	struct sockaddr_in6 at6 = { .sin6_family = AF_INET6, .sin6_port = htons(UDP_PORT) };
	struct sockaddr_in at = { .sin_family = AF_INET, .sin_port = htons(UDP_PORT) };
	int fd = socket(six ? AF_INET6 : AF_INET, SOCK_DGRAM, 0);
	int on = 1, buffer = UDP_BUFFER;

	if (fd < 0)
		return -1;
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &buffer, sizeof(buffer));
	if (six) {
		setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &on, sizeof(on));
		setsockopt(fd, IPPROTO_IPV6, IPV6_RECVTCLASS, &on, sizeof(on));
		return bind(fd, (void *)&at6, sizeof(at6)) ? -1 : fd;
	}
	setsockopt(fd, IPPROTO_IP, IP_RECVTOS, &on, sizeof(on));
	return bind(fd, (void *)&at, sizeof(at)) ? -1 : fd;
}

/* Codepoint of one packet, -1 if there is none to read. */
static int udp_take(int fd)
{
	char control[256];
	struct iovec data = { udp_payload, sizeof(udp_payload) };
	struct msghdr msg = { .msg_iov = &data, .msg_iovlen = 1, .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct cmsghdr *c;

	if (recvmsg(fd, &msg, MSG_DONTWAIT) < 0)
		return -1;
	for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS)
			return *(uint8_t *)CMSG_DATA(c) & 3;
		if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS)
			return *(int *)CMSG_DATA(c) & 3;
	}
	return -1;
}

static long udp_now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int udp_receive(long count)
{
	struct pollfd fds[2] = { { .events = POLLIN }, { .events = POLLIN } };
	long seen[4] = { 0 }, sum = 0, until = udp_now_ms() + UDP_GIVE_UP_MS;
	int i, codepoint;

	for (i = 0; i < 2; i++) {
		fds[i].fd = udp_bind(i);
		if (fds[i].fd < 0)
			return udp_fail("bind");
	}
	puts("ready");
	fflush(stdout);
	for (;;) {
		long wait = sum >= count ? UDP_LINGER_MS : until - udp_now_ms();

		if (wait <= 0 || poll(fds, 2, wait) <= 0)
			break;
		for (i = 0; i < 2; i++) {
			while ((codepoint = udp_take(fds[i].fd)) >= 0) {
				seen[codepoint]++;
				sum++;
			}
		}
	}
	printf("received=%ld\nnot_ect=%ld\nect1=%ld\nect0=%ld\nce=%ld\n", sum, seen[0], seen[1],
	       seen[2], seen[3]);
	return sum != count;
}

int main(int argc, char **argv)
{
	if (argc >= 6 && argc <= 7 && !strcmp(argv[1], "send"))
		return udp_send(argc - 2, argv + 2);
	if (argc == 3 && !strcmp(argv[1], "receive"))
		return udp_receive(udp_number(argv[2], 0, 10000000));
	fputs("Usage: udp send ADDRESS COUNT SIZE CODEPOINTS [SEGMENT | forever]\n"
	      "       udp receive COUNT\n", stderr);
	return 2;
}
