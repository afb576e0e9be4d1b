// SPDX-License-Identifier: GPL-2.0
/*
 * bursts - the law of labnic's cross traffic, by datagrams that there are
 *
 *	bursts PORT FROM UNTIL RATE PERMILLE BURST SEED ADDRESS ...
 *
 * From FROM to UNTIL, ns of CLOCK_MONOTONIC, bursts come as a Poisson process
 * that loads a link of RATE bit/s by PERMILLE thousandths.  Their sizes are
 * distributed exponentially with a mean of BURST bytes on the wire, overhead
 * included.  Each goes to one of the ADDRESSes, IPv4, as full frames of an MTU
 * of 1500 and a last one for the rest.  Nothing is waited for and nothing sent
 * again: what finds no room in a queue is lost.  What others send to PORT is
 * thrown away by the kernel; with a PERMILLE of 0 that is all.
 *
 * Says at the end how many bursts, datagrams and bytes on the wire were sent,
 * and how many bursts the host's own queue had no room for.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/filter.h>
#include <netinet/udp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "../labnic/labnic_uapi.h"
#include "../traffic/rng.h"

#define NS_PER_S	1000000000ULL
/* Of a full frame: what is in it, and what IP, UDP, Ethernet and the wire add. */
#define PAYLOAD		1472
#define EXTRA		(28 + 14 + 24)
#define WIRE_MIN	84
/* As many full frames as a datagram of IPv4 can be cut into. */
#define FRAMES_MOST	44
/* More than a host's queue takes: what waits is to be lost there, not here. */
#define SNDBUF		(64 << 20)
#define HOSTS_MOST	256

/**
 * struct law - what was asked for
 * @port: of all
 * @from: ns
 * @until: ns
 * @rate: bit/s
 * @permille: of it
 * @burst: mean bytes on the wire
 * @seed: of the random stream
 * @to: addresses
 * @nr: how many
 */
struct law {
	u64 port;
	u64 from;
	u64 until;
	u64 rate;
	u64 permille;
	u64 burst;
	u64 seed;
	struct sockaddr_in to[HOSTS_MOST];
	size_t nr;
};

/**
 * struct sent - what was
 * @bursts: all of them
 * @datagrams: frames
 * @bytes: on the wire
 * @lost: bursts that found no room in the host's own queue, or not for all
 */
struct sent {
	u64 bursts;
	u64 datagrams;
	u64 bytes;
	u64 lost;
};

/* Return: false after a message. */
static bool read_number(const char *name, const char *text, u64 least, u64 most,
			u64 *value)
{
	char *end;

	errno = 0;
	*value = strtoull(text, &end, 10);
	if (!errno && end != text && !*end && *text != '-' &&
	    *value >= least && *value <= most)
		return true;
	fprintf(stderr, "bursts: %s: '%s' is not a number from %llu to %llu\n",
		name, text, (unsigned long long)least, (unsigned long long)most);
	return false;
}

static bool read_addresses(struct law *law, char **texts, size_t nr)
{
	size_t i;

	if (nr > HOSTS_MOST) {
		fprintf(stderr, "bursts: %zu ADDRESSes, at most %d\n", nr, HOSTS_MOST);
		return false;
	}
	for (i = 0; i < nr; i++) {
		law->to[i].sin_family = AF_INET;
		law->to[i].sin_port = htons(law->port);
		if (inet_pton(AF_INET, texts[i], &law->to[i].sin_addr) != 1) {
			fprintf(stderr, "bursts: '%s' is no IPv4 address\n", texts[i]);
			return false;
		}
	}
	law->nr = nr;
	return true;
}

static bool read_law(struct law *law, int argc, char **argv)
{
	if (argc < 9) {
		fputs("usage: bursts PORT FROM UNTIL RATE PERMILLE BURST SEED ADDRESS ...\n",
		      stderr);
		return false;
	}
	return read_number("PORT", argv[1], 1, 65535, &law->port) &&
	       read_number("FROM", argv[2], 0, INT64_MAX, &law->from) &&
	       read_number("UNTIL", argv[3], law->from, INT64_MAX, &law->until) &&
	       read_number("RATE", argv[4], 1000000, 400000000000ULL, &law->rate) &&
	       read_number("PERMILLE", argv[5], 0, 999, &law->permille) &&
	       read_number("BURST", argv[6], WIRE_MIN, LABNIC_CROSS_BURST_MAX, &law->burst) &&
	       read_number("SEED", argv[7], 0, UINT64_MAX, &law->seed) &&
	       read_addresses(law, argv + 8, argc - 8);
}

/* A socket to send by, whose own datagrams nobody reads.  Return: it, or -1. */
static int open_port(u64 port)
{
	static struct sock_filter nothing = BPF_STMT(BPF_RET | BPF_K, 0);
	const struct sock_fprog filter = { .len = 1, .filter = &nothing };
	const struct sockaddr_in here = { .sin_family = AF_INET, .sin_port = htons(port) };
	const int room = SNDBUF, segment = PAYLOAD;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter, sizeof(filter)) ||
	    (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &room, sizeof(room)) &&
	     setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &room, sizeof(room))) ||
	    setsockopt(fd, IPPROTO_UDP, UDP_SEGMENT, &segment, sizeof(segment)) ||
	    bind(fd, (const struct sockaddr *)&here, sizeof(here))) {
		perror("bursts: socket");
		return -1;
	}
	return fd;
}

static void wait_until(u64 ns)
{
	const struct timespec at = { ns / NS_PER_S, ns % NS_PER_S };

	while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL) == EINTR)
		;
}

/* Mean times an exponential number, in integers that are the same everywhere. */
static u64 draw(struct rng *random, u64 mean)
{
	return (u128)mean * rng_exp_q32(random) >> 32;
}

/* Return: false if the host's queue has no room. */
static bool send_some(int fd, const struct sockaddr_in *to, u32 bytes)
{
	static u8 zeros[FRAMES_MOST * PAYLOAD];

	return sendto(fd, zeros, bytes, 0, (const struct sockaddr *)to, sizeof(*to)) >= 0;
}

/* Return: false if not all of it was sent. */
static bool send_burst(int fd, const struct sockaddr_in *to, u64 wire, struct sent *sent)
{
	u64 full = wire / (PAYLOAD + EXTRA), rest = wire % (PAYLOAD + EXTRA);

	while (full) {
		u64 frames = full < FRAMES_MOST ? full : FRAMES_MOST;

		if (!send_some(fd, to, frames * PAYLOAD))
			return false;
		sent->datagrams += frames;
		sent->bytes += frames * (PAYLOAD + EXTRA);
		full -= frames;
	}
	if (rest < WIRE_MIN)
		return true;
	if (!send_some(fd, to, rest - EXTRA))
		return false;
	sent->datagrams++;
	sent->bytes += rest;
	return true;
}

static void run(const struct law *law, int fd, struct sent *sent)
{
	u64 gap_ns = law->burst * 8 * NS_PER_S / law->rate * 1000 / law->permille;
	struct rng gaps, sizes, whom;
	u64 at = law->from;

	rng_seed(&gaps, law->seed, "bursts", "gap");
	rng_seed(&sizes, law->seed, "bursts", "size");
	rng_seed(&whom, law->seed, "bursts", "to");
	while ((at += 1 + draw(&gaps, gap_ns)) < law->until) {
		u64 wire = draw(&sizes, law->burst);

		wire = wire < WIRE_MIN ? WIRE_MIN : wire;
		wire = wire > LABNIC_CROSS_BURST_MAX ? LABNIC_CROSS_BURST_MAX : wire;
		wait_until(at);
		sent->bursts++;
		sent->lost += !send_burst(fd, &law->to[rng_below(&whom, law->nr)], wire, sent);
	}
}

int main(int argc, char **argv)
{
	struct sent sent = { 0 };
	static struct law law;
	int fd;

	if (!read_law(&law, argc, argv))
		return 2;
	fd = open_port(law.port);
	if (fd < 0)
		return 1;
	if (law.permille)
		run(&law, fd, &sent);
	else
		wait_until(law.until);
	printf("bursts %llu datagrams %llu bytes %llu lost %llu\n", (unsigned long long)sent.bursts,
	       (unsigned long long)sent.datagrams, (unsigned long long)sent.bytes, (unsigned long long)sent.lost);
	return 0;
}
