// SPDX-License-Identifier: GPL-2.0
/*
 * The side that sends the data
 *
 * A connection alternates between reading a request and sending the answer.
 * Clients are not trusted: the request has a fixed length and is
 * checked before anything is done for it, memory per connection is constant,
 * and time limits end connections that do not get on. One connection gets
 * a bounded amount of work in a row, so that a fast reader or a flood of tiny
 * requests cannot keep the others waiting.
 *
 * The requester closes first, when it has read everything. So all data is
 * acknowledged when the server learns of it: TCP_INFO is final then, the
 * server's close() is clean, and TIME_WAIT stays with the requester, where it
 * only occupies one of the ephemeral ports towards this server. A flow on
 * a persistent connection is final when the next request comes.
 *
 * A codepoint belongs to a socket, not to the bytes in its buffer: a packet gets
 * the codepoint that the socket has when the packet is sent. An answer is
 * therefore written up to the byte where its codepoint changes. The codepoint
 * changes when all of that has been sent, and the rest follows. Retransmissions
 * carry the new codepoint. The wait costs nothing while acknowledgements clock
 * packets out: the one that releases the last byte also makes the socket writable.
 */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#include "loop.h"
#include "proto.h"
#include "server.h"
#include "sock.h"

/* One write: more than a socket's buffer takes at once. */
#define CHUNK		(1U << 20)

/* Writes, or requests, of one connection before it is the others' turn. */
#define TURN		8

#define BACKLOG		4096

/**
 * struct listener - a listening socket
 * @watch: in the loop
 * @family: AF_INET or AF_INET6
 */
struct listener {
	struct watch watch;
	int family;
};

/**
 * struct answerer - one connection, from accept to close
 * @watch: in the loop
 * @prev: in the list of connections
 * @next: in the list of connections
 * @remaining: bytes of the answer not handed to the kernel yet
 * @before: bytes before the next change of the codepoint, UINT64_MAX at first if none comes
 * @demotions: changes of the codepoint in this answer
 * @demoted: how many of them are behind
 * @flow: flow whose figures are not final yet, or NULL
 * @base: TCP_INFO when that flow began
 * @since: tick of the last step that counts for the time limits
 * @family: AF_INET or AF_INET6
 * @request: part of the request that has come
 * @got: its length
 * @dscp: codepoint set on the socket
 * @flags: of the request being answered, or answered last
 * @served: it has had a request
 * @sending: it is answering
 * @armed: EPOLLOUT is watched
 */
struct answerer {
	struct watch watch;
	struct answerer *prev;
	struct answerer *next;
	u64 remaining;
	u64 before;
	struct demotions demotions;
	u8 demoted;
	struct flow *flow;
	struct sock_figures base;
	u64 since;
	int family;
	u8 request[REQUEST_MAX];
	u8 got;
	u8 dscp;
	u8 flags;
	bool served;
	bool sending;
	bool armed;
};

static struct {
	struct server_limits limits;
	struct flows *flows;
	void (*drained)(void);
	struct answerer *conns;
	u64 n_conns;
	u64 tick;	/* seconds, counted by the timer: no clock to read */
	struct watch timer;
	int reserve;	/* a file to give away, or -1 */
	struct server_counts counts;
} server;

static const u8 zeros[CHUNK];

static void add_known(u32 *sum, u32 now, u32 base)
{
	if (now != UNKNOWN)
		*sum = (*sum == UNKNOWN ? 0 : *sum) + now - base;
}

/* The flow's data is acknowledged: what TCP_INFO says is final. */
static void answerer_settle(struct answerer *a)
{
	struct sock_figures now;
	struct flow *f = a->flow;

	a->flow = NULL;
	if (!f || sock_read_figures(a->watch.fd, &now))
		return;
	add_known(&f->retrans, now.retrans, a->base.retrans);
	add_known(&f->timeouts, now.timeouts, a->base.timeouts);
	add_known(&f->delivered_ce, now.delivered_ce, a->base.delivered_ce);
	f->min_rtt_us = now.min_rtt_us;
	a->base = now;
}

static void answerer_release(struct watch *w)
{
	free(container_of(w, struct answerer, watch));
}

static void answerer_end(struct answerer *a)
{
	answerer_settle(a);
	/* The requester has closed: discard the unsent rest instead of sending it. */
	if (a->remaining)
		sock_reset_on_close(a->watch.fd);
	if (a->prev)
		a->prev->next = a->next;
	else
		server.conns = a->next;
	if (a->next)
		a->next->prev = a->prev;
	loop_retire(&a->watch);
	if (!--server.n_conns && server.drained)
		server.drained();
}

/* Let the loop come back to this connection as soon as it can be written. */
static void answerer_arm(struct answerer *a, bool again)
{
	if (a->armed && !again)
		return;
	a->armed = true;
	loop_change(&a->watch, EPOLLIN | EPOLLOUT | EPOLLRDHUP | EPOLLET);
}

static void answerer_set_dscp(struct answerer *a, u8 dscp)
{
	if (dscp != a->dscp && !sock_set_dscp(a->watch.fd, a->family, dscp))
		a->dscp = dscp;
}

/* How much may be written until the codepoint changes, with @sent bytes behind. */
static u64 answerer_before(const struct answerer *a, u64 sent)
{
	if (a->demoted == a->demotions.n)
		return UINT64_MAX;
	return a->demotions.step[a->demoted].at - sent;
}

/* Change the codepoint, or wait until nothing written before is unsent. */
static bool answerer_demote(struct answerer *a)
{
	const struct demotion *step = &a->demotions.step[a->demoted];

	if (sock_unsent(a->watch.fd)) {
		sock_writable_unsent(a->watch.fd, true);
		answerer_arm(a, true);
		return false;
	}
	sock_writable_unsent(a->watch.fd, false);
	answerer_set_dscp(a, step->dscp);
	a->demoted++;
	a->before = answerer_before(a, step->at);
	return true;
}

static void answerer_begin(struct answerer *a, const struct request *r)
{
	answerer_settle(a);
	server.counts.requests++;
	if (server.flows && r->flow < server.flows->n)
		a->flow = &server.flows->flow[r->flow];
	if (a->flow && a->flow->pace_bps)
		sock_set_pace(a->watch.fd, a->flow->pace_bps);
	answerer_set_dscp(a, r->dscp);
	a->demotions = r->demotions;
	a->demoted = 0;
	a->before = answerer_before(a, 0);
	a->flags = r->flags;
	a->remaining = r->flags & REQUEST_ENDLESS ? UINT64_MAX : r->size;
	a->got = 0;
	a->served = true;
	a->sending = true;
	a->since = server.tick;
}

/* 1: a request is complete; 0: not yet; -1: the connection is over. */
static int answerer_read(struct answerer *a)
{
	struct request r;
	ssize_t n;

	while (a->got < request_length(a->request, a->got)) {
		n = recv(a->watch.fd, a->request + a->got,
			 request_length(a->request, a->got) - a->got, MSG_DONTWAIT);
		if (n < 0)
			return errno == EAGAIN || errno == EINTR ? 0 : -1;
		if (!n)
			return -1;
		if (!a->got && a->served)
			a->since = server.tick;
		a->got += n;
	}
	if (request_unpack(&r, a->request, server.limits.max_size)) {
		server.counts.bad_requests++;
		return -1;
	}
	answerer_begin(a, &r);
	return 1;
}

/* 1: the answer is complete; 0: not yet; -1: the connection is over. */
static int answerer_write(struct answerer *a)
{
	size_t want = a->remaining < CHUNK ? a->remaining : CHUNK;
	ssize_t n;

	if (!a->before && !answerer_demote(a))
		return 0;
	if (want > a->before)
		want = a->before;
	n = send(a->watch.fd, zeros, want, MSG_DONTWAIT | MSG_NOSIGNAL);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		return -1;
	if (n < 0)
		n = 0;
	if (n)
		a->since = server.tick;
	server.counts.bytes += n;
	a->before -= n;
	if (!(a->flags & REQUEST_ENDLESS))
		a->remaining -= n;
	if (!a->remaining) {
		a->sending = false;
		return 1;
	}
	if ((size_t)n < want)
		answerer_arm(a, false);
	return (size_t)n < want ? 0 : 1;
}

static void answerer_ready(struct watch *w, u32 events)
{
	struct answerer *a = container_of(w, struct answerer, watch);
	int turn, ret = 1;

	/* A requester that shuts down, half or whole, wants nothing more. */
	if (events & (EPOLLERR | EPOLLHUP | EPOLLRDHUP)) {
		answerer_end(a);
		return;
	}
	for (turn = 0; turn < TURN && ret > 0; turn++) {
		if (a->sending)
			ret = answerer_write(a);
		else if (!a->served || a->flags & REQUEST_KEEP)
			ret = answerer_read(a);
		else
			return;	/* nothing may follow but the close */
	}
	if (ret < 0)
		answerer_end(a);
	else if (ret > 0)
		answerer_arm(a, true);
}

/* One is turned away because files are few; the first time, say so. */
static void count_no_file(const char *why)
{
	server.counts.turned_away++;
	if (!server.counts.no_files++)
		complain(NULL, "connections are turned away: %s; ulimit -n is %" PRIu64, why,
			 server.limits.max_files);
}

/*
 * There is no file for a connection. Left in its queue it would wake the loop for
 * ever, and its requester would wait: the file in reserve takes it, to close it.
 */
static void listener_turn_away(struct listener *l, int error)
{
	char why[128];
	int fd = -1;

	if (server.reserve >= 0) {
		close(server.reserve);
		fd = accept4(l->watch.fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	}
	if (fd >= 0) {
		close(fd);
		snprintf(why, sizeof(why), "accept: %s", strerror(error));
		count_no_file(why);
	}
	server.reserve = eventfd(0, EFD_CLOEXEC);
}

static void listener_ready(struct watch *w, u32 events)
{
	struct listener *l = container_of(w, struct listener, watch);
	struct answerer *a;
	int fd;

	(void)events;
	fd = accept4(w->fd, NULL, NULL, SOCK_NONBLOCK | SOCK_CLOEXEC);
	if (fd < 0) {
		if (errno == EMFILE || errno == ENFILE)
			listener_turn_away(l, errno);
		return;	/* gone before it was taken */
	}
	a = server.n_conns < server.limits.max_conns ? calloc(1, sizeof(*a)) : NULL;
	if (!a) {
		if (server.limits.few_files && server.n_conns >= server.limits.max_conns)
			count_no_file("as many are served as files allow");
		else
			server.counts.turned_away++;
		close(fd);
		return;
	}
	a->watch = (struct watch){ fd, answerer_ready, answerer_release, NULL, NULL };
	a->family = l->family;
	a->since = server.tick;
	if (loop_add(&a->watch, EPOLLIN | EPOLLRDHUP | EPOLLET)) {
		server.counts.turned_away++;
		close(fd);
		free(a);
		return;
	}
	a->next = server.conns;
	if (a->next)
		a->next->prev = a;
	server.conns = a;
	server.n_conns++;
	server.counts.accepted++;
}

/* Once a second: end the connections that do not get on. */
static void timer_ready(struct watch *w, u32 events)
{
	struct answerer *a, *next;
	u64 limit;

	(void)events;
	timer_after(w, NSEC_PER_SEC);
	server.tick++;
	for (a = server.conns; a; a = next) {
		next = a->next;
		limit = a->got || !a->served ? server.limits.request_s : server.limits.idle_s;
		if (!limit || server.tick - a->since <= limit)
			continue;
		server.counts.timed_out++;
		a->remaining = 1;	/* end it with a reset, unsent data or not */
		answerer_end(a);
	}
}

int server_open(const struct server_limits *limits, struct flows *flows, void (*drained)(void))
{
	server.limits = *limits;
	server.flows = flows;
	server.drained = drained;
	server.timer.ready = timer_ready;
	server.reserve = eventfd(0, EFD_CLOEXEC);
	if (server.reserve < 0)
		return complain(NULL, "no file can be opened: %s", strerror(errno));
	if (!limits->request_s && !limits->idle_s)
		return 0;
	if (timer_open(&server.timer))
		return -1;
	timer_after(&server.timer, NSEC_PER_SEC);
	return 0;
}

static int listener_setup(struct listener *l, const struct sockaddr_storage *address, enum cc cc)
{
	int one = 1, fd = l->watch.fd;
	struct sockaddr_storage at;
	socklen_t len = sock_with_port(&at, address, cc);

	if (sock_set_cc(fd, cc))
		return -1;
	/* Connections inherit these, which saves calls for each flow. */
	if (setsockopt(fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof(one)) ||
	    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof(one)))
		return -1;
	sock_allow_tentative(fd, l->family);
	if (bind(fd, (struct sockaddr *)&at, len) || listen(fd, BACKLOG))
		return -1;
	return loop_add(&l->watch, EPOLLIN);
}

int server_listen(const struct sockaddr_storage *address, enum cc cc)
{
	struct listener *l = calloc(1, sizeof(*l));
	int error;

	if (!l)
		return -1;
	l->family = address->ss_family;
	l->watch.ready = listener_ready;
	l->watch.fd = socket(l->family, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (l->watch.fd >= 0 && !listener_setup(l, address, cc))
		return 0;	/* it lives as long as the process */
	error = errno;
	if (l->watch.fd >= 0)
		close(l->watch.fd);
	free(l);
	errno = error;
	return -1;
}

u64 server_connections(void)
{
	return server.n_conns;
}

void server_settle(void)
{
	struct answerer *a;

	for (a = server.conns; a; a = a->next)
		answerer_settle(a);
}

const struct server_counts *server_get_counts(void)
{
	return &server.counts;
}
