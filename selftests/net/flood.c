// SPDX-License-Identifier: GPL-2.0
/*
 * Packets of an attacker of On-Ramp, made of what is really
 * sent.
 *
 *   flood DEV MS PER_MS SEED [KIND...]
 *
 * Says "listening" when it does.  For MS milliseconds: listens to what leaves by
 * DEV, keeps the latest OR-ACKs and TCP packets with payload, and sends PER_MS
 * frames each millisecond by DEV, each a copy of one of these that was spoiled in
 * the next of the KINDs, or of all.  Then says of each kind what it is to be
 * counted as, and how many were sent: "KIND CLASS COUNT".  A kind that does not
 * exist in the family of what it is made from, such as IPv6 options of an IPv4
 * packet, is passed over.
 *
 * Classes of OR-ACKs, at the sender of the data:
 *   taken    of a live flow, and whole
 *   bad      to the port of OR-ACKs, but none, or its checksum is wrong
 *   unknown-flow  of no flow there, but for an address of the host
 *   unknown-peer  with no entry that could be of a flow
 *   none     nothing that is looked at
 * Classes of data, at the receiver:
 *   peer       a packet with payload for this host, from inside the allow-list
 *   outsider   same, from outside
 *   elsewhere  same, from inside, for another host
 *   refusal    the peer says that it does not listen
 *   none       nothing that is looked at
 *
 * For a given SEED what is done to the copies is always the same.
 */
#define _GNU_SOURCE		/* sendmmsg() */
#include <arpa/inet.h>
#include <errno.h>
#include <net/if.h>
#include <netpacket/packet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "flood_kinds.h"

#define FLOOD_KINDS ((int)(sizeof(flood_kinds) / sizeof(flood_kinds[0])))

/**
 * struct flood_store - the latest frames of a protocol
 * @kept: they, in a ring
 * @seen: how many there were
 */
struct flood_store {
	struct flood_frame	kept[FLOOD_KEPT];
	unsigned long		seen;
};

static struct flood_store flood_acks, flood_data;

static struct flood_store *flood_store_of(uint8_t proto)
{
	return proto == IPPROTO_UDP ? &flood_acks : &flood_data;
}

/* Packets that left meanwhile; the socket does not receive its own. */
static void flood_listen(int fd)
{
	struct sockaddr_ll from;
	socklen_t size = sizeof(from);
	struct flood_frame f;

	for (;;) {
		struct flood_store *store;

		f.len = recvfrom(fd, f.data, sizeof(f.data), MSG_DONTWAIT | MSG_TRUNC,
				 (struct sockaddr *)&from, &size);
		if (f.len < 0)
			return;
		/* GSO packets are longer than a frame that can be sent. */
		if (from.sll_pkttype != PACKET_OUTGOING || f.len > FLOOD_LONGEST ||
		    !flood_parse(&f))
			continue;
		store = flood_store_of(flood_proto(&f));
		store->kept[store->seen++ % FLOOD_KEPT] = f;
	}
}

/* A spoiled copy; NULL if there is nothing that it could be made from. */
static struct flood_kind *flood_make(struct flood_kind **kinds, int count, int *next,
				     struct flood_frame *f)
{
	int tries;

	for (tries = 0; tries < count; tries++) {
		struct flood_kind *kind = kinds[(*next)++ % count];
		struct flood_store *store = flood_store_of(kind->proto);
		unsigned long most = store->seen < FLOOD_KEPT ? store->seen : FLOOD_KEPT;

		if (!most)
			continue;
		*f = store->kept[flood_below(most)];
		if (kind->make(f))
			return kind;
	}
	return NULL;
}

static int flood_send(int fd, struct flood_kind **kinds, int count, int frames)
{
	static struct flood_frame made[FLOOD_BATCH];
	static struct flood_kind *kind[FLOOD_BATCH];
	struct mmsghdr messages[FLOOD_BATCH] = {};
	struct iovec parts[FLOOD_BATCH];
	static int next;
	int i, n, sent = 0;

	for (n = 0; n < frames; n++) {
		kind[n] = flood_make(kinds, count, &next, &made[n]);
		if (!kind[n])
			break;
		parts[n] = (struct iovec){ made[n].data, made[n].len };
		messages[n].msg_hdr.msg_iov = &parts[n];
		messages[n].msg_hdr.msg_iovlen = 1;
	}
	while (sent < n) {
		int done = sendmmsg(fd, messages + sent, n - sent, 0);

		/* A device that is down now may be up again soon. */
		if (done < 0 && (errno == ENETDOWN || errno == ENXIO))
			return 0;
		if (done <= 0) {
			fprintf(stderr, "flood: %s of %d bytes: %s\n", kind[sent]->name,
				made[sent].len, strerror(errno));
			return 2;
		}
		for (i = sent; i < sent + done; i++)
			kind[i]->sent++;
		sent += done;
	}
	return 0;
}

static int flood_run(int fd, struct flood_kind **kinds, int count, long ms, int per_ms)
{
	const struct timespec tick = { .tv_nsec = 1000000 };
	int status = 0;

	while (ms-- && !status) {
		flood_listen(fd);
		status = flood_send(fd, kinds, count, per_ms);
		nanosleep(&tick, NULL);
	}
	return status;
}

static int flood_open(const char *dev)
{
	struct sockaddr_ll at = { .sll_family = AF_PACKET, .sll_protocol = htons(0x0003) };
	int fd = socket(AF_PACKET, SOCK_RAW, 0), size = 1 << 24;

	at.sll_ifindex = if_nametoindex(dev);
	if (fd < 0 || !at.sll_ifindex || bind(fd, (struct sockaddr *)&at, sizeof(at))) {
		fprintf(stderr, "flood: %s: %s\n", dev, strerror(errno));
		return -1;
	}
	setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof(size));
	return fd;
}

static long flood_number(const char *text, long least, long most)
{
	char *end;
	long value = strtol(text, &end, 10);

	if (*text && !*end && value >= least && value <= most)
		return value;
	fprintf(stderr, "flood: %s: not a number from %ld to %ld\n", text, least, most);
	exit(2);
}

static struct flood_kind *flood_kind_of(const char *name)
{
	int i;

	for (i = 0; i < FLOOD_KINDS; i++)
		if (!strcmp(flood_kinds[i].name, name))
			return &flood_kinds[i];
	fprintf(stderr, "flood: there is no kind %s\n", name);
	exit(2);
}

int main(int argc, char **argv)
{
	struct flood_kind *kinds[256];
	int i, count, per_ms, status;
	long ms;
	int fd;

	if (argc < 5 || argc > 256) {
		fputs("Usage: flood DEV MS PER_MS SEED [KIND...]\n", stderr);
		return 2;
	}
	ms = flood_number(argv[2], 1, 1000000);
	per_ms = flood_number(argv[3], 1, FLOOD_BATCH);
	flood_state = flood_number(argv[4], 1, 1000000000);
	count = argc > 5 ? argc - 5 : FLOOD_KINDS;
	for (i = 0; i < count; i++)
		kinds[i] = argc > 5 ? flood_kind_of(argv[5 + i]) : &flood_kinds[i];
	fd = flood_open(argv[1]);
	if (fd < 0)
		return 2;
	puts("listening");
	fflush(stdout);
	status = flood_run(fd, kinds, count, ms, per_ms);
	for (i = 0; i < count; i++)
		printf("%s %s %lu\n", kinds[i]->name, kinds[i]->class, kinds[i]->sent);
	return status;
}
