// SPDX-License-Identifier: GPL-2.0
/*
 * pairs - what pairs of probes meet between hosts, by the true time
 *
 *	pairs FILE PORT FROM EVERY UNTIL HOST=ADDRESS HOST=ADDRESS ...
 *
 * From FROM to UNTIL, ns of CLOCK_MONOTONIC, which is true time, each EVERY ns a
 * pair of datagrams goes from each host, a namespace, to each other, one right
 * after the other, spread evenly over that time.  For each that comes a line to FILE:
 *
 *	SENT FROM TO PAIR DELAY
 *
 * SENT is when it was handed over, DELAY how long it took until it could be read,
 * in ns; both of a pair have the same number.  A read of the clock costs 1 ns of
 * virtual time, all else none.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "instant.h"

/* As many bytes as a probe of huygens-lite has, about. */
#define PAIRS_BYTES	128

/**
 * struct host - one of them
 * @name: its namespace
 * @address: where it is probed
 */
struct host {
	const char *name;
	struct sockaddr_in address;
};

/**
 * struct probe - one datagram
 * @sent_ns: when it was handed over
 * @pair: number of its pair
 * @from: index of its sender
 * @rest: to be as long as a probe is
 */
struct probe {
	int64_t sent_ns;
	uint32_t pair;
	uint32_t from;
	char rest[PAIRS_BYTES - 16];
};

static struct host *host;
static struct pollfd *socks;
static uint32_t n_hosts;

static void open_host(uint32_t index, char *argument, uint16_t port)
{
	char *address = strchr(argument, '=');
	struct host *h = &host[index];
	char path[100];
	int ns;

	if (!address)
		errx(2, "'%s' is not HOST=ADDRESS", argument);
	*address++ = '\0';
	h->name = argument;
	h->address.sin_family = AF_INET;
	h->address.sin_port = htons(port);
	if (!inet_aton(address, &h->address.sin_addr))
		errx(2, "'%s' is no address", address);
	snprintf(path, sizeof(path), "/run/netns/%s", h->name);
	ns = open(path, O_RDONLY | O_CLOEXEC);
	if (ns < 0 || setns(ns, CLONE_NEWNET))
		err(1, "%s", path);
	close(ns);
	socks[index].fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
	socks[index].events = POLLIN;
	if (socks[index].fd < 0 ||
	    bind(socks[index].fd, (struct sockaddr *)&h->address, sizeof(h->address)))
		err(1, "%s: socket", h->name);
}

static void read_all(uint32_t to)
{
	struct probe probe;
	ssize_t size;

	while ((size = recv(socks[to].fd, &probe, sizeof(probe), 0)) >= 0) {
		int64_t now_ns = instant_now();

		if (size != sizeof(probe) || probe.from >= n_hosts)
			errx(1, "%s: what came is no probe", host[to].name);
		printf("%lld %s %s %u %lld\n", (long long)probe.sent_ns,
		       host[probe.from].name, host[to].name, probe.pair,
		       (long long)(now_ns - probe.sent_ns));
	}
	if (errno != EAGAIN)
		err(1, "%s: receive", host[to].name);
}

/* Read what comes until it is time for something else. */
static void read_until(int64_t at_ns)
{
	for (;;) {
		int64_t left_ns = at_ns - instant_now();
		struct timespec ts = instant_spec(left_ns > 0 ? left_ns : 0);
		uint32_t i;

		if (ppoll(socks, n_hosts, &ts, NULL) < 0)
			err(1, "poll");
		for (i = 0; i < n_hosts; i++)
			if (socks[i].revents)
				read_all(i);
		if (left_ns <= 0)
			return;
	}
}

static void send_pair(uint32_t from, uint32_t to, uint32_t pair)
{
	struct probe probe = { .pair = pair, .from = from };
	int i;

	for (i = 0; i < 2; i++) {
		probe.sent_ns = instant_now();
		if (sendto(socks[from].fd, &probe, sizeof(probe), 0,
			   (struct sockaddr *)&host[to].address,
			   sizeof(host[to].address)) != sizeof(probe))
			err(1, "%s: send", host[from].name);
	}
}

int main(int argc, char **argv)
{
	int64_t from = argc > 7 ? atoll(argv[3]) : 0;
	int64_t every = argc > 7 ? atoll(argv[4]) : 0;
	int64_t until = argc > 7 ? atoll(argv[5]) : 0;
	uint32_t i, pair, ways;
	int64_t at;

	if (from <= 0 || every <= 0 || until <= 0) {
		fprintf(stderr,
			"usage: pairs FILE PORT FROM EVERY UNTIL HOST=ADDRESS HOST=ADDRESS ...\n");
		return 2;
	}
	n_hosts = argc - 6;
	ways = n_hosts * (n_hosts - 1);
	host = calloc(n_hosts, sizeof(*host));
	socks = calloc(n_hosts, sizeof(*socks));
	if (!host || !socks)
		err(1, "memory");
	if (!freopen(argv[1], "w", stdout))
		err(1, "%s", argv[1]);
	for (i = 0; i < n_hosts; i++)
		open_host(i, argv[6 + i], atoi(argv[2]));
	instant_begin();
	for (pair = 0; (at = from + every * pair / ways) < until; pair++) {
		uint32_t one = pair % ways / (n_hosts - 1);
		uint32_t other = pair % ways % (n_hosts - 1);

		read_until(at);
		send_pair(one, other + (other >= one), pair);
	}
	/* Receive the pairs that are still in flight; the run lasts longer. */
	read_until(until + INSTANT_S / 10);
	if (fclose(stdout))
		err(1, "%s", argv[1]);
	free(socks);
	free(host);
	return 0;
}
