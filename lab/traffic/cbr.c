// SPDX-License-Identifier: GPL-2.0
/*
 * The side that sends flows at a constant mean rate (cc=cbr)
 *
 * Nothing that the network does changes the rate.  Where the host has no space, the flow
 * waits (full=wait): its socket has a small buffer, and the times of what comes later
 * move.  Or it drops (full=drop): its socket takes everything, the queue discipline drops
 * what it has no space for, and the flow goes on.  Lost packets are not sent again.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "cbr.h"
#include "datagram.h"
#include "loop.h"
#include "outlet.h"
#include "pattern.h"
#include "schedule.h"
#include "sock.h"

/* A few packets, and more than any queue discipline holds. */
#define WAIT_SNDBUF	24000
#define DROP_SNDBUF	(256 << 20)

/* The longest header is IPv4's: no packet is longer. */
#define PACKET_MAX	1472

/**
 * struct cbr - a flow being sent
 * @watch: in the loop
 * @task: next packets
 * @flow: flow
 * @group: its group
 * @pattern: times of its packets
 * @next: number of the packet to send next
 * @until: when it stops
 * @payload: bytes of a packet
 * @family: AF_INET or AF_INET6
 * @blocked: the socket's buffer is full
 */
struct cbr {
	struct watch watch;
	struct task task;
	struct flow *flow;
	const struct group *group;
	struct pattern pattern;
	u64 next;
	u64 until;
	u32 payload;
	int family;
	bool blocked;
};

static struct rated_job cbr_job;

/* Zero but for the headers. */
static u8 packets[BURST_MAX * PACKET_MAX];

static void cbr_release(struct watch *w)
{
	free(container_of(w, struct cbr, watch));
}

static void cbr_end(struct cbr *c)
{
	schedule_drop(&c->task);
	loop_retire(&c->watch);
}

static void cbr_stop(struct cbr *c, u64 now)
{
	struct flow *f = c->flow;

	cbr_end(c);
	f->ended = now - cbr_job.epoch;
	cbr_job.end(f, END_STOPPED);
}

/* Write the headers of the next packets; returns their length in sum. */
static size_t cbr_prepare(const struct cbr *c)
{
	struct datagram d = { .kind = DATAGRAM_DATA, .flow = c->flow - cbr_job.flows->flow };
	u32 i, size = DATAGRAM_BYTES + c->payload;

	memset(packets, 0, c->group->burst * size);
	for (i = 0; i < c->group->burst; i++) {
		d.packet = c->next + i;
		datagram_pack(&d, packets + i * size);
	}
	return c->group->burst * size;
}

static void cbr_wait(struct cbr *c)
{
	c->blocked = true;
	schedule_set(&c->task, c->until);
	loop_change(&c->watch, EPOLLIN | EPOLLOUT);
}

static void cbr_due(struct task *t, u64 now)
{
	struct cbr *c = container_of(t, struct cbr, task);
	u64 at = t->at, burst = c->group->burst;
	size_t len;
	ssize_t ret;
	bool full;

	if (now >= c->until) {
		cbr_stop(c, now);
		return;
	}
	len = cbr_prepare(c);
	ret = outlet_send(c->watch.fd, packets, len, at);
	full = ret < 0 && (errno == EAGAIN || errno == ENOBUFS || errno == EINTR);
	if (full && !c->group->drop) {
		cbr_wait(c);
		return;
	}
	if (ret < 0 && !full) {
		int error = errno;

		cbr_end(c);
		cbr_job.fail(c->flow, "send", error);
		return;
	}
	c->next += burst;
	c->flow->offered += burst * c->payload;
	c->flow->accepted += full ? 0 : burst * c->payload;
	at += pattern_next(&c->pattern, datagram_wire_bytes(burst, len, c->family));
	schedule_set(t, at < c->until ? at : c->until);
}

/* A flow that waited goes on from now.  There is nothing to be read but errors. */
static void cbr_ready(struct watch *w, u32 events)
{
	struct cbr *c = container_of(w, struct cbr, watch);

	if (events & (EPOLLIN | EPOLLERR))
		sock_discard(w->fd);
	if (events & EPOLLOUT && c->blocked) {
		c->blocked = false;
		loop_change(w, EPOLLIN);
		schedule_set(&c->task, clock_now());
	}
}

int cbr_start(struct flow *f)
{
	const struct group *g = &cbr_job.traffic->group[f->group];
	const struct outlet outlet = {
		.sndbuf = g->drop ? DROP_SNDBUF : WAIT_SNDBUF,
		.drops = g->drop,
	};
	struct cbr *c = calloc(1, sizeof(*c));
	u64 wait, now = clock_now();

	if (!c)
		return -1;
	c->watch = (struct watch){ -1, cbr_ready, cbr_release, NULL, NULL };
	c->task.due = cbr_due;
	c->flow = f;
	c->group = g;
	c->family = cbr_job.traffic->host[f->receiver].sink.ss_family;
	c->payload = datagram_payload(c->family);
	c->until = cbr_job.epoch + g->until;
	if (outlet_open(&c->watch, cbr_job.flows, cbr_job.traffic, f, &outlet)) {
		free(c);
		return -1;
	}
	wait = pattern_init(&c->pattern, g->pattern, g->rate, g->line, cbr_job.seed,
			    f - cbr_job.flows->flow);
	f->started = now - cbr_job.epoch;
	f->retrans = 0;
	f->timeouts = 0;
	schedule_set(&c->task, now + wait < c->until ? now + wait : c->until);
	return 0;
}

void cbr_open(const struct rated_job *job)
{
	cbr_job = *job;
}
