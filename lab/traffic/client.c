// SPDX-License-Identifier: GPL-2.0
/*
 * The side that requests flows and measures them
 *
 * The completion time of a flow runs from connect() to the return of the
 * read that takes its last byte; on a connection that was used before, from
 * the write of its request. Both are seen by the requester alone: no clocks
 * of two hosts are compared.
 *
 * A receiver sleeps until SO_RCVLOWAT bytes have come, and that is lowered to
 * what is missing, so that the last byte always wakes it. It reads into no
 * buffer at all (MSG_TRUNC). All of it is edge-triggered: one recv() takes
 * whatever is there, and what comes later makes a new edge.
 */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "schedule.h"
#include "cbr.h"
#include "client.h"
#include "loop.h"
#include "proto.h"
#include "server.h"
#include "sink.h"
#include "sock.h"
#include "source.h"

/* One recv(); below what the kernel caps a call at. */
#define RECV_MAX	(1U << 30)

#define POOL_BUCKETS	4096

/* Failures reported one by one; later ones are only counted. */
#define FAILURES_TOLD	10

/**
 * struct asker - one connection of a requester
 * @watch: in the loop
 * @next: in its pool bucket (idle) or in the list of endless flows
 * @flow: flow it carries, or NULL when idle
 * @group: group it belongs to
 * @sender: host at the other end
 * @receiver: host at this end
 * @base: TCP_INFO when the flow began
 * @remaining: bytes to come
 * @lowat: SO_RCVLOWAT as set
 * @written: the request was written
 */
struct asker {
	struct watch watch;
	struct asker *next;
	struct flow *flow;
	u32 group;
	u32 sender;
	u32 receiver;
	struct sock_figures base;
	u64 remaining;
	u32 lowat;
	bool written;
};

static struct {
	struct client_job job;
	struct client_counts counts;
	u64 *received;		/* bytes that each group has read */
	u32 next;		/* flow that starts next */
	u64 give_up_at;
	struct watch timer;
	struct asker *endless;
	struct asker *pool[POOL_BUCKETS];
	bool closing;
} client;

static void flow_start(struct flow *f);

static const struct group *group_of(const struct flow *f)
{
	return &client.job.traffic->group[f->group];
}

static struct asker **pool_bucket(u32 group, u32 sender, u32 receiver)
{
	u32 hash = (group * 0x9e3779b1U ^ sender) * 0x85ebca6bU ^ receiver;

	return &client.pool[hash * 0x9e3779b1U >> 20];
}

/* The connection that became idle last: the kernel's state of it is warmest. */
static struct asker *pool_take(const struct flow *f)
{
	struct asker **link = pool_bucket(f->group, f->sender, f->receiver);
	struct asker *a;

	for (; (a = *link); link = &a->next) {
		if (a->group == f->group && a->sender == f->sender &&
		    a->receiver == f->receiver) {
			*link = a->next;
			return a;
		}
	}
	return NULL;
}

static void pool_put(struct asker *a)
{
	struct asker **bucket = pool_bucket(a->group, a->sender, a->receiver);

	a->next = *bucket;
	*bucket = a;
}

static void unlink_asker(struct asker **link, struct asker *a)
{
	while (*link && *link != a)
		link = &(*link)->next;
	if (*link)
		*link = a->next;
}

static void asker_release(struct watch *w)
{
	free(container_of(w, struct asker, watch));
}

void client_drained(void)
{
	if (client.closing && (!client.job.local || !server_connections()))
		loop_stop();
}

/* All flows have ended: let go of the idle connections, then of the loop. */
static void client_close(void)
{
	struct asker *a;
	size_t i;

	client.closing = true;
	for (i = 0; i < POOL_BUCKETS; i++) {
		for (a = client.pool[i]; a; a = a->next)
			loop_retire(&a->watch);
		client.pool[i] = NULL;
	}
	client_drained();
}

static void flow_take(struct flow *f, u64 bytes)
{
	f->bytes += bytes;
	client.received[f->group] += bytes;
}

/*
 * A worker whose flow has ended starts its next, if there is one and its time is not
 * over; one whose flow failed does not go on.
 */
static void flow_follow(struct flow *f)
{
	const struct group *g = group_of(f);

	if (g->kind != KIND_CLOSED || f->end != END_DONE ||
	    f->order / g->depth + 1 == g->count || clock_now() >= client.job.epoch + g->until)
		return;
	client.counts.planned++;
	/* A group's flows of one time stand together, in their order. */
	flow_start(f + g->depth);
}

static void flow_end(struct flow *f, enum flow_end end)
{
	f->end = end;
	client.counts.ended++;
	if (end == END_FAILED)
		client.counts.failed++;
	flow_follow(f);
	if (client.counts.ended == client.counts.planned)
		client_close();
}

static void flow_fail(struct flow *f, const char *what, int error)
{
	if (client.counts.failed < FAILURES_TOLD)
		complain(NULL, "flow %td of group '%s' from %s to %s failed: %s: %s",
			 f - client.job.flows->flow, group_of(f)->name,
			 client.job.traffic->host[f->sender].name,
			 client.job.traffic->host[f->receiver].name, what,
			 error ? strerror(error) : "closed by the server");
	flow_end(f, END_FAILED);
}

/* This end's losses: those of the SYN and of the request. */
static void asker_settle(struct asker *a)
{
	struct sock_figures now;
	struct flow *f = a->flow;

	if (sock_read_figures(a->watch.fd, &now))
		return;
	/* The sender, which knows the rest, is another process. */
	if (!client.job.local) {
		f->min_rtt_us = now.min_rtt_us;
		return;
	}
	f->retrans = (f->retrans == UNKNOWN ? 0 : f->retrans) + now.retrans - a->base.retrans;
	if (now.timeouts != UNKNOWN)
		f->timeouts = (f->timeouts == UNKNOWN ? 0 : f->timeouts) +
			      now.timeouts - a->base.timeouts;
	a->base = now;
}

static void asker_fail(struct asker *a, const char *what, int error)
{
	struct flow *f = a->flow;

	if (f && !f->size)
		unlink_asker(&client.endless, a);
	else if (!f)
		unlink_asker(pool_bucket(a->group, a->sender, a->receiver), a);
	loop_retire(&a->watch);
	if (f)
		flow_fail(f, what, error);
}

static void asker_set_lowat(struct asker *a)
{
	u32 want = a->remaining < client.job.lowat ? a->remaining : client.job.lowat;

	if (want != a->lowat) {
		a->lowat = want;
		sock_set_lowat(a->watch.fd, want);
	}
}

static void asker_done(struct asker *a)
{
	struct flow *f = a->flow;

	f->ended = clock_now() - client.job.epoch;
	asker_settle(a);
	a->flow = NULL;
	if (group_of(f)->pool)
		pool_put(a);
	else
		loop_retire(&a->watch);
	flow_end(f, END_DONE);
}

static void asker_read(struct asker *a)
{
	size_t want = a->remaining < RECV_MAX ? a->remaining : RECV_MAX;
	ssize_t n = recv(a->watch.fd, NULL, want, MSG_TRUNC | MSG_DONTWAIT);

	if (n < 0 && (errno == EAGAIN || errno == EINTR))
		return;
	if (n <= 0) {
		asker_fail(a, "receive", n ? errno : 0);
		return;
	}
	flow_take(a->flow, n);
	if (a->flow->size)
		a->remaining -= n;
	if (a->remaining)
		asker_set_lowat(a);
	else
		asker_done(a);
}

static int asker_ask(struct asker *a)
{
	struct request r = {
		.flow = a->flow - client.job.flows->flow,
		.size = a->flow->size,
		.dscp = group_of(a->flow)->dscp,
		.demotions = group_of(a->flow)->demotions,
		.flags = !a->flow->size ? REQUEST_ENDLESS :
			 group_of(a->flow)->pool ? REQUEST_KEEP : 0,
	};
	u8 wire[REQUEST_MAX];
	size_t len = request_pack(&r, wire);
	ssize_t n;

	/* Nothing else is in the socket's buffer: it takes all or fails. */
	n = send(a->watch.fd, wire, len, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n == (ssize_t)len) {
		a->written = true;
		/* The request was data: only now can the socket be in that state. */
		if (group_of(a->flow)->delack_off)
			sock_quickack(a->watch.fd);
		return 0;
	}
	asker_fail(a, "connect", n < 0 ? errno : EAGAIN);
	return -1;
}

static void asker_ready(struct watch *w, u32 events)
{
	struct asker *a = container_of(w, struct asker, watch);

	if (!a->flow) {
		/* An idle connection is always writable; any other event is the server's close. */
		if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
			asker_fail(a, NULL, 0);
		return;
	}
	if (!a->written && asker_ask(a))
		return;
	if (events & (EPOLLIN | EPOLLRDHUP | EPOLLHUP | EPOLLERR))
		asker_read(a);
}

static int asker_connect(struct asker *a, const struct group *g)
{
	const struct host *sender = &client.job.traffic->host[a->sender];
	struct sockaddr_storage to;
	socklen_t len = sock_with_port(&to, &sender->address, g->cc);
	int fd;

	if (netns_enter(a->receiver))
		return -1;
	fd = socket(to.ss_family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (fd < 0)
		return -1;
	a->watch.fd = fd;
	if (sock_set_cc(fd, g->cc) || (g->dscp && sock_set_dscp(fd, to.ss_family, g->dscp)))
		return -1;
	if (g->flow_ports &&
	    sock_bind(fd, to.ss_family, sock_flow_port(a->flow - client.job.flows->flow)))
		return -1;
	asker_set_lowat(a);
	a->flow->started = clock_now() - client.job.epoch;
	if (connect(fd, (struct sockaddr *)&to, len) && errno != EINPROGRESS)
		return -1;
	return loop_add(&a->watch, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

static void flow_start_new(struct flow *f)
{
	struct asker *a = calloc(1, sizeof(*a));
	int error;

	if (!a) {
		flow_fail(f, "connect", ENOMEM);
		return;
	}
	a->watch = (struct watch){ -1, asker_ready, asker_release, NULL, NULL };
	a->flow = f;
	a->group = f->group;
	a->sender = f->sender;
	a->receiver = f->receiver;
	a->remaining = f->size ? f->size : UINT64_MAX;
	a->lowat = 1;	/* the kernel's default */
	if (!asker_connect(a, group_of(f))) {
		if (!f->size) {
			a->next = client.endless;
			client.endless = a;
		}
		return;
	}
	error = errno;
	if (a->watch.fd >= 0)
		close(a->watch.fd);
	free(a);
	flow_fail(f, "connect", error);
}

static void flow_start(struct flow *f)
{
	struct asker *a = group_of(f)->pool ? pool_take(f) : NULL;

	f->begun = true;
	client.counts.begun++;
	if (cc_is_rated(group_of(f)->cc)) {
		if (group_of(f)->cc == CC_CBR ? cbr_start(f) : source_start(f))
			flow_fail(f, "start", errno);
		return;
	}
	if (!a) {
		flow_start_new(f);
		return;
	}
	f->reused = true;
	a->flow = f;
	a->remaining = f->size;
	asker_set_lowat(a);
	f->started = clock_now() - client.job.epoch;
	asker_ask(a);
}

/*
 * Closing tells the server to stop: what is still under way is met by a reset,
 * as after any close of a socket that data arrives for.
 */
static void asker_stop(struct asker *a, u64 now)
{
	struct flow *f = a->flow;
	ssize_t n = recv(a->watch.fd, NULL, RECV_MAX, MSG_TRUNC | MSG_DONTWAIT);

	if (n > 0)
		flow_take(a->flow, n);
	f->ended = now - client.job.epoch;
	asker_settle(a);
	loop_retire(&a->watch);
	flow_end(f, END_STOPPED);
}

/* Stop the endless flows whose time is over; tell when the next one's is. */
static u64 stop_endless(u64 now)
{
	struct asker **link = &client.endless, *a;
	u64 next = UINT64_MAX, until;

	while ((a = *link)) {
		until = client.job.epoch + group_of(a->flow)->until;
		if (until <= now) {
			*link = a->next;
			asker_stop(a, now);
			continue;
		}
		if (until < next)
			next = until;
		link = &a->next;
	}
	return next;
}

static void timer_ready(struct watch *w, u32 events)
{
	const struct flows *flows = client.job.flows;
	u64 now = clock_now(), next, start;
	struct flow *f;

	(void)events;
	while (client.next < flows->n &&
	       (flows->flow[client.next].chained ||
		flows->flow[client.next].planned + client.job.epoch <= now)) {
		f = &flows->flow[client.next++];
		if (!f->chained)
			flow_start(f);
	}
	next = stop_endless(now);
	if (client.next < flows->n) {
		start = flows->flow[client.next].planned + client.job.epoch;
		next = start < next ? start : next;
	}
	if (now >= client.give_up_at)
		loop_stop();
	timer_at(w, next < client.give_up_at ? next : client.give_up_at);
}

int client_check_cc(int family, enum cc cc)
{
	int ret, error, fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0);

	if (fd < 0)
		return -1;
	ret = sock_set_cc(fd, cc);
	error = errno;
	close(fd);
	errno = error;
	return ret;
}

/* The flows that do not run over TCP, if there are any. */
static int open_rated(const struct client_job *job)
{
	const struct rated_job rated = {
		.flows = job->flows,
		.traffic = job->traffic,
		.seed = job->seed,
		.epoch = job->epoch,
		.take = flow_take,
		.end = flow_end,
		.fail = flow_fail,
	};

	if (!traffic_uses(job->traffic, CC_DCQCN) && !traffic_uses(job->traffic, CC_CBR))
		return 0;
	source_open(&rated);
	cbr_open(&rated);
	return sink_open(&rated) || schedule_open((size_t)job->flows->n + job->traffic->hosts);
}

int client_open(const struct client_job *job)
{
	const struct flows *flows = job->flows;
	u64 until, last = 0;
	u32 i;

	client.job = *job;
	client.received = calloc(job->traffic->groups, sizeof(*client.received));
	if (!client.received)
		return complain(NULL, "out of memory");
	if (open_rated(job))
		return -1;
	for (i = 0; i < flows->n; i++) {
		until = group_of(&flows->flow[i])->until;
		if (flows->flow[i].planned > last)
			last = flows->flow[i].planned;
		if ((!flows->flow[i].size || group_of(&flows->flow[i])->kind == KIND_CLOSED) &&
		    until > last)
			last = until;
		client.counts.planned += !flows->flow[i].chained;
	}
	client.give_up_at = job->epoch + last + job->give_up;
	client.timer.ready = timer_ready;
	if (timer_open(&client.timer))
		return -1;
	timer_at(&client.timer, flows->n ? job->epoch + flows->flow[0].planned : 0);
	if (!flows->n)
		client_close();
	return 0;
}

u64 client_received(u32 group)
{
	u64 bytes = client.received[group];
	struct asker *a;

	for (a = client.endless; a; a = a->next)
		if (a->group == group)
			bytes += sock_waiting(a->watch.fd);
	return bytes;
}

const struct client_counts *client_get_counts(void)
{
	return &client.counts;
}
