// SPDX-License-Identifier: GPL-2.0
/*
 * bursts - labnic's cross traffic, made of packets
 *
 *	bursts sink PORT
 *	bursts send PORT FROM UNTIL RATE LOAD BURST LIMIT SEED NUMBER ADDRESS ...
 *
 * send: from FROM to UNTIL, ns of CLOCK_MONOTONIC, bursts come by the model of
 * labnic's (../cross.h, the same code): a Poisson process of LOAD thousandths of
 * a wire of RATE bit/s, of BURST bytes in the mean, lost whole if LIMIT bytes
 * wait on that wire.  When one comes its datagrams are handed over at once, to
 * one of the addresses, drawn anew.  Nothing that comes back slows it: what a
 * wire cannot take yet waits where packets wait.  SEED and NUMBER are as a
 * port's.  At the end a line says how many there were, and their bytes.
 *
 * sink: have the port's datagrams dropped without waking anybody, and without
 * an answer.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <netinet/udp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "../cross.h"
#include "../random.h"
#include "cut.h"
#include "instant.h"

/* The model bounds the queue, so the socket's buffer must not. */
#define SEND_BUFFER	(64 << 20)

/* labnic draws for a purpose; addresses are drawn for one that it has not. */
#define BURSTS_DRAW_ADDRESS	16

/**
 * struct sender - one wire's bursts
 * @fd: UDP socket that cuts what it is given
 * @until_ns: no burst comes from then on
 * @cross: the model
 * @wire: the wire of the model
 * @random: by which addresses are drawn
 * @to: addresses
 * @n_to: how many
 * @bursts: were sent
 * @bytes: of the wire, by the model
 */
struct sender {
	int fd;
	u64 until_ns;
	struct labnic_cross cross;
	struct labnic_wire wire;
	u64 random;
	struct sockaddr_in *to;
	u32 n_to;
	u64 bursts;
	u64 bytes;
};

static u64 read_number(const char *text, u64 least, u64 most)
{
	char *end;
	u64 value;

	errno = 0;
	value = strtoull(text, &end, 10);
	if (errno || *end || end == text || *text == '-' || value < least || value > most)
		errx(2, "'%s' must be a whole number from %llu to %llu", text,
		     (unsigned long long)least, (unsigned long long)most);
	return value;
}

static int udp_socket(void)
{
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		err(1, "socket");
	return fd;
}

static void set_option(int fd, int level, int name, int value)
{
	if (setsockopt(fd, level, name, &value, sizeof(value)))
		err(1, "setsockopt %d", name);
}

/* Hand a burst over, all of it at this time. */
static void send_burst(struct sender *s, u32 wire_bytes)
{
	static const char zeros[CUT_CALL];
	u32 left = cut_payload(wire_bytes);
	const struct sockaddr_in *to;

	to = &s->to[(u64)labnic_random(&s->random) * s->n_to >> 32];
	while (left) {
		u32 some = min_t(u32, left, CUT_CALL);

		if (sendto(s->fd, zeros, some, MSG_DONTWAIT, (const struct sockaddr *)to,
			   sizeof(*to)) != (ssize_t)some)
			err(1, "send");
		left -= some;
	}
	s->bursts++;
	s->bytes += wire_bytes;
}

static void send_all(struct sender *s, u64 from_ns)
{
	/* The first call begins. */
	labnic_cross_pass(&s->cross, &s->wire, from_ns);
	while (s->cross.next_ns < s->until_ns) {
		u64 at_ns = s->cross.next_ns;
		struct timespec ts = instant_spec(at_ns);
		u64 bytes;

		clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &ts, NULL);
		bytes = labnic_cross_pass(&s->cross, &s->wire, at_ns);
		if (bytes)
			send_burst(s, bytes);
	}
}

static int send_main(char **argv, int argc)
{
	u16 port = read_number(argv[0], 1, UINT16_MAX);
	u64 from_ns = read_number(argv[1], 1, INT64_MAX);
	u64 until_ns = read_number(argv[2], 1, INT64_MAX);
	u64 rate_bps = read_number(argv[3], 1000000, 400000000000ULL);
	u64 permille = read_number(argv[4], 1, 999);
	u64 burst = read_number(argv[5], LABNIC_WIRE_MIN, LABNIC_CROSS_BURST_MAX);
	u64 limit = read_number(argv[6], 1, 1000000000);
	u64 seed = read_number(argv[7], 0, UINT64_MAX);
	u32 which = read_number(argv[8], 0, UINT32_MAX - 1);
	struct sender s = {
		.fd = udp_socket(),
		.until_ns = until_ns,
		.random = labnic_random_seed(seed, which, BURSTS_DRAW_ADDRESS),
		.n_to = argc - 9,
	};
	u32 i;

	s.to = calloc(s.n_to, sizeof(*s.to));
	if (!s.to)
		err(1, "memory");
	for (i = 0; i < s.n_to; i++) {
		s.to[i].sin_family = AF_INET;
		s.to[i].sin_port = htons(port);
		if (!inet_aton(argv[9 + i], &s.to[i].sin_addr))
			errx(2, "'%s' is no address", argv[9 + i]);
	}
	set_option(s.fd, SOL_SOCKET, SO_SNDBUFFORCE, SEND_BUFFER);
	set_option(s.fd, SOL_UDP, UDP_SEGMENT, CUT_PAYLOAD);
	labnic_wire_init(&s.wire, rate_bps);
	labnic_cross_init(&s.cross, rate_bps, permille, burst, limit,
			  labnic_random_seed(seed, which, LABNIC_DRAW_CROSS));
	instant_begin();
	send_all(&s, from_ns);
	printf("%llu bursts, %llu bytes\n", (unsigned long long)s.bursts,
	       (unsigned long long)s.bytes);
	free(s.to);
	return 0;
}

/* Nobody reads it, so it is full after a few. */
static int sink_main(const char *port)
{
	struct sockaddr_in here = {
		.sin_family = AF_INET,
		.sin_port = htons(read_number(port, 1, UINT16_MAX)),
	};
	int fd = udp_socket();

	set_option(fd, SOL_SOCKET, SO_RCVBUF, 1);
	if (bind(fd, (struct sockaddr *)&here, sizeof(here)))
		err(1, "bind");
	for (;;)
		pause();
}

int main(int argc, char **argv)
{
	if (argc == 3 && !strcmp(argv[1], "sink"))
		return sink_main(argv[2]);
	if (argc >= 12 && !strcmp(argv[1], "send"))
		return send_main(argv + 2, argc - 2);
	fprintf(stderr, "usage: bursts sink PORT\n"
		"       bursts send PORT FROM UNTIL RATE LOAD BURST LIMIT SEED NUMBER ADDRESS ...\n");
	return 2;
}
