// SPDX-License-Identifier: GPL-2.0
/*
 * phcline - publish the line from a NIC's clock to the host's, again and again
 *
 *	phcline DEV FROM PERIOD [COUNT]
 *
 * At FROM, ns of CLOCK_MONOTONIC, and then once each PERIOD ns, COUNT times or
 * for ever.  The NIC is set to stamp all
 * packets.  The line goes through what both clocks show now and did when it
 * began; its error is bound by how long it took to look, and by how far that can
 * have been off after three periods, for which the line is valid.  The bias is
 * the least that a packet of our own took from the driver's stamp to the NIC's:
 * some are sent as an epoch begins, and then none, for a run ends when its links
 * are quiet.
 *
 * What the line before does not foretell is a clock that was stepped: a new
 * epoch begins.
 */
#include <arpa/inet.h>
#include <fcntl.h>
#include <linux/errqueue.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <poll.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "instant.h"

#define FD_TO_CLOCKID(fd) ((~(clockid_t)(fd) << 3) | 3)
/* A line that is shorter has no slope. */
#define LONG_NS 20000000
#define SAMPLES 5
/* Discard; and all hosts of the link, of whom none answers. */
#define PORT 9
#define ALL_HOSTS "224.0.0.1"
/* The bias is the least of so many. */
#define PROBES 8
/* Of whole ns, and of a clock that wanders. */
#define SLACK_NS 20

/**
 * struct shot - what two clocks showed at the same time
 * @phc: the NIC's, ns
 * @wall: the host's
 * @half: by how much that can be wrong
 */
struct shot {
	int64_t phc;
	int64_t wall;
	int64_t half;
};

/**
 * struct line - what is published
 * @begin: where it begins
 * @last: where it was looked at last
 * @drift: ns each ns
 * @unsure: by how much that can be wrong
 * @epoch: counts
 * @bias: ns from the driver to the wire
 * @probed: the epoch in which that was found
 */
struct line {
	struct shot begin;
	struct shot last;
	double drift;
	double unsure;
	unsigned int epoch;
	int64_t bias;
	unsigned int probed;
};

static int ask(const char *dev, unsigned long request, void *data)
{
	struct ifreq ifr = { .ifr_data = data };
	int fd = socket(AF_INET, SOCK_DGRAM, 0), ret;

	strncpy(ifr.ifr_name, dev, IFNAMSIZ - 1);
	ret = ioctl(fd, request, &ifr);
	close(fd);
	return ret;
}

/* Open the clock of a device, and have packets stamped with it. */
static clockid_t open_phc(const char *dev)
{
	struct hwtstamp_config config = { .tx_type = HWTSTAMP_TX_ON,
					  .rx_filter = HWTSTAMP_FILTER_ALL };
	struct ethtool_ts_info info = { .cmd = ETHTOOL_GET_TS_INFO };
	char path[32];
	int fd;

	if (ask(dev, SIOCETHTOOL, &info) || info.phc_index < 0 ||
	    ask(dev, SIOCSHWTSTAMP, &config))
		err(1, "%s", dev);
	snprintf(path, sizeof(path), "/dev/ptp%d", info.phc_index);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0)
		err(1, "%s", path);
	return FD_TO_CLOCKID(fd);
}

/* A socket whose packets leave by a device, and whose stamps we receive. */
static int open_probe(const char *dev)
{
	int flags = SOF_TIMESTAMPING_TX_SOFTWARE | SOF_TIMESTAMPING_SOFTWARE |
		    SOF_TIMESTAMPING_TX_HARDWARE |
		    SOF_TIMESTAMPING_RAW_HARDWARE |
		    SOF_TIMESTAMPING_OPT_TX_SWHW | SOF_TIMESTAMPING_OPT_TSONLY;
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_BINDTODEVICE, dev, strlen(dev)) ||
	    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPING, &flags, sizeof(flags)))
		err(1, "socket");
	return fd;
}

/* The sample that was the shortest of some. */
static struct shot sample(clockid_t phc)
{
	struct shot best = { .half = INT64_MAX };
	int i;

	for (i = 0; i < SAMPLES; i++) {
		int64_t before = instant_now(CLOCK_REALTIME);
		int64_t shown = instant_now(phc);
		int64_t after = instant_now(CLOCK_REALTIME);
		int64_t half = (after - before + 1) / 2;

		if (half < best.half)
			best = (struct shot){ shown, before + half, half };
	}
	return best;
}

/* Read a stamp from the error queue: whichever of the two comes. */
static int read_stamp(int fd, int64_t *soft, int64_t *hard)
{
	char control[512];
	struct msghdr msg = { .msg_control = control,
			      .msg_controllen = sizeof(control) };
	struct pollfd p = { .fd = fd };
	struct cmsghdr *c;

	if (poll(&p, 1, 100) < 1 || recvmsg(fd, &msg, MSG_ERRQUEUE) < 0)
		return -1;
	for (c = CMSG_FIRSTHDR(&msg); c; c = CMSG_NXTHDR(&msg, c)) {
		struct scm_timestamping *t = (void *)CMSG_DATA(c);

		if (c->cmsg_level != SOL_SOCKET ||
		    c->cmsg_type != SCM_TIMESTAMPING)
			continue;
		if (t->ts[0].tv_sec)
			*soft = t->ts[0].tv_sec * INSTANT_S + t->ts[0].tv_nsec;
		if (t->ts[2].tv_sec || t->ts[2].tv_nsec)
			*hard = t->ts[2].tv_sec * INSTANT_S + t->ts[2].tv_nsec;
	}
	return 0;
}

/* Send a packet, and see how long it took from the driver to the wire. */
static int64_t probe(const struct line *line, int fd)
{
	struct sockaddr_in to = { .sin_family = AF_INET,
				  .sin_port = htons(PORT),
				  .sin_addr.s_addr = inet_addr(ALL_HOSTS) };
	int64_t soft = 0, hard = 0;

	if (sendto(fd, "", 1, 0, (void *)&to, sizeof(to)) < 0)
		err(1, "sendto");
	while (!soft || !hard)
		if (read_stamp(fd, &soft, &hard))
			err(1, "its stamps");
	hard += line->last.wall - line->last.phc +
		(int64_t)((hard - line->last.phc) * line->drift);
	return hard - soft;
}

static void learn_bias(struct line *line, int fd)
{
	int i;

	if (line->probed == line->epoch)
		return;
	line->probed = line->epoch;
	line->bias = INT64_MAX;
	for (i = 0; i < PROBES; i++) {
		int64_t bias = probe(line, fd);

		if (bias < line->bias)
			line->bias = bias;
	}
}

static int64_t error_ns(const struct line *line, int64_t after_ns)
{
	return line->last.half + SLACK_NS + (int64_t)(line->unsure * after_ns);
}

/* Bring the line up to now, or begin another. */
static void extend(struct line *line, struct shot shot, int64_t period)
{
	double span = shot.phc - line->begin.phc;
	double off = (shot.wall - line->last.wall) -
		     (shot.phc - line->last.phc) * (1 + line->drift);

	line->last = shot;
	if (line->epoch && (off > error_ns(line, period) + shot.half ||
			    -off > error_ns(line, period) + shot.half)) {
		line->epoch++;
		line->begin = shot;
		return;
	}
	if (!line->epoch)
		line->epoch = 1;
	/* Of one that has just begun what it was before is better. */
	if (span < LONG_NS)
		return;
	line->drift = (shot.wall - line->begin.wall - span) / span;
	line->unsure = (line->begin.half + shot.half) / span;
}

static int publish(const struct line *line, const char *dev, int64_t period)
{
	char values[8][32], *const env[] = { NULL };
	char *const args[] = { "onrampctl", "phc", "set", "dev", (char *)dev,
			       "offset", values[0], "drift", values[1], "error",
			       values[2], "valid", values[3], "epoch", values[4],
			       "ref", values[5], "bias", values[6], NULL };
	int status;
	pid_t pid;

	snprintf(values[0], 32, "%lldns", (long long)(line->last.wall - line->last.phc));
	snprintf(values[1], 32, "%.3fppb", line->drift * 1e9);
	snprintf(values[2], 32, "%lldns", (long long)error_ns(line, 3 * period));
	snprintf(values[3], 32, "%lldns", (long long)(3 * period));
	snprintf(values[4], 32, "%u", line->epoch);
	snprintf(values[5], 32, "%lldns", (long long)line->last.phc);
	snprintf(values[6], 32, "%lldns", (long long)line->bias);
	if (posix_spawn(&pid, "/usr/bin/onrampctl", NULL, NULL, args, env) ||
	    waitpid(pid, &status, 0) < 0)
		err(1, "onrampctl");
	return status;
}

int main(int argc, char **argv)
{
	long long at = argc > 2 ? atoll(argv[2]) : 0;
	long long period = argc > 3 ? atoll(argv[3]) : 0;
	long long count = argc > 4 ? atoll(argv[4]) : -1;
	struct line line = { 0 };
	clockid_t phc;
	int fd;

	if (argc < 4 || argc > 5 || at < 0 || period <= 0 || !count) {
		fprintf(stderr, "usage: phcline DEV FROM PERIOD [COUNT]\n");
		return 2;
	}
	phc = open_phc(argv[1]);
	fd = open_probe(argv[1]);
	line.begin = sample(phc);
	line.last = line.begin;
	for (; count; count--, at += period) {
		instant_wait(at);
		extend(&line, sample(phc), period);
		learn_bias(&line, fd);
		if (publish(&line, argv[1], period))
			line.epoch++;
	}
	return 0;
}
