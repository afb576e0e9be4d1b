// SPDX-License-Identifier: GPL-2.0
/*
 * The side that sends the data of flows paced at a rate (cc=dcqcn)
 *
 * Each flow has a socket, as each RDMA connection has a queue of its NIC. The
 * source hands it bursts of packets when their time has come, each with its
 * departure time (SO_TXTIME), which the queue discipline fq holds to; without
 * fq they leave at once and the pacing is as good as the loop's. The socket's
 * buffer is small: a flow that may send faster than its host's link waits here,
 * not in the host.
 *
 * Loss is the exception, as on the lossless networks that DCQCN is made for:
 * the sink names the first packet that is missing and the source goes back to
 * it, more slowly. A source that has sent everything and hears nothing repeats
 * its last packet, which makes the sink say what it has.
 */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "schedule.h"
#include "datagram.h"
#include "loop.h"
#include "outlet.h"
#include "source.h"

/* A burst is no longer than this at the flow's rate, if that is a packet. */
#define BURST_NS	20000

/* From the last packet's departure to its repetition, doubled each time. */
#define RTO_NS		(5 * NSEC_PER_MSEC)
#define RTO_DOUBLINGS	6

/* Lateness of the loop that is made up for, so that the mean rate is right. */
#define LATE_NS		(NSEC_PER_MSEC / 5)

/* A few bursts; the kernel doubles it and counts its own overhead. */
#define SNDBUF		24000

/* The longest header is IPv4's: no packet is longer. */
#define PACKET_MAX	1472

/**
 * struct source - a flow being sent
 * @watch: in the loop
 * @task: next burst, or repetition
 * @flow: flow
 * @params: constants of its reaction point
 * @rp: its reaction point
 * @stats: of the reaction point
 * @size: bytes, 0 for endless
 * @packets: packets, UINT64_MAX for endless
 * @next: number of the packet to send next
 * @sent: number of the first packet that was never sent
 * @owed: what is not yet paid of the last burst, bits times 10^9
 * @paid_until: when the last payment was made
 * @until: when an endless flow stops, else UINT64_MAX
 * @payload: bytes of a packet
 * @burst: most packets at once
 * @family: AF_INET or AF_INET6
 * @repeated: how often in a row the last packet was repeated
 * @blocked: the socket's buffer is full
 */
struct source {
	struct watch watch;
	struct task task;
	struct flow *flow;
	const struct dcqcn_params *params;
	struct dcqcn_vars rp;
	struct dcqcn_stats stats;
	u64 size;
	u64 packets;
	u64 next;
	u64 sent;
	u64 owed;
	u64 paid_until;
	u64 until;
	u32 payload;
	u32 burst;
	int family;
	u32 repeated;
	bool blocked;
};

static struct rated_job source_job;

/* Zero but for the headers. */
static u8 packets[BURST_MAX * PACKET_MAX];

static void source_release(struct watch *w)
{
	free(container_of(w, struct source, watch));
}

static void source_end(struct source *s)
{
	schedule_drop(&s->task);
	loop_retire(&s->watch);
}

static void source_fail(struct source *s, const char *what)
{
	struct flow *f = s->flow;
	int error = errno;

	source_end(s);
	/* It is the sink that knows whether the flow has ended. */
	if (f->end == END_NONE)
		source_job.fail(f, what, error);
}

static void source_stop(struct source *s, u64 now)
{
	struct flow *f = s->flow;

	source_end(s);
	f->ended = now - source_job.epoch;
	source_job.end(f, END_STOPPED);
}

/* Packets that may go at once: at low rates one, lest they come in lumps. */
static u32 burst_packets(const struct source *s)
{
	u64 fit = s->rp.cur_bps / 8 * BURST_NS / NSEC_PER_SEC / s->payload;
	u64 n = fit < s->burst ? fit : s->burst;

	n = n ? n : 1;
	return n < s->packets - s->next ? n : s->packets - s->next;
}

/* Write the headers of packets from @s->next on; tell their length in sum. */
static size_t prepare(const struct source *s, u32 n)
{
	struct datagram d = { .kind = DATAGRAM_DATA, .flow = s->flow - source_job.flows->flow };
	size_t len = 0;
	u32 i;

	for (i = 0; i < n; i++) {
		d.packet = s->next + i;
		datagram_pack(&d, packets + len);
		len += datagram_length(s->size, s->payload, d.packet);
	}
	return len;
}

/* The place of each header is the payload of the next burst: clean it. */
static void clean(const struct source *s, u32 n)
{
	u32 i;

	for (i = 0; i < n; i++)
		memset(packets + i * (DATAGRAM_BYTES + s->payload), 0, DATAGRAM_BYTES);
}

static void count_sent(struct source *s, u32 n)
{
	u64 again = s->sent > s->next ? s->sent - s->next : 0;

	s->flow->retrans += again < n ? again : n;
	s->next += n;
	if (s->next > s->sent)
		s->sent = s->next;
}

/* Put on the schedule what follows the last burst. */
static void schedule(struct source *s)
{
	struct dcqcn_stats uncounted = { 0 };
	struct dcqcn_vars future = s->rp;
	u64 owed = s->owed;
	u64 at = dcqcn_pay(s->params, &future, &uncounted, &owed, s->paid_until, UINT64_MAX);

	if (s->next == s->packets)
		at += RTO_NS << s->repeated;
	schedule_set(&s->task, at < s->until ? at : s->until);
}

static void send_burst(struct source *s, u64 now)
{
	u64 departs = s->task.at + LATE_NS > now ? s->task.at : now;
	size_t len;
	ssize_t ret;
	u64 bytes;
	u32 n;

	dcqcn_advance(s->params, &s->rp, &s->stats, now);
	n = burst_packets(s);
	len = prepare(s, n);
	ret = outlet_send(s->watch.fd, packets, len, departs);
	clean(s, n);
	if (ret < 0 && (errno == EAGAIN || errno == ENOBUFS || errno == EINTR)) {
		s->blocked = true;
		loop_change(&s->watch, EPOLLIN | EPOLLOUT);
		return;
	}
	if (ret < 0) {
		source_fail(s, "send");
		return;
	}
	count_sent(s, n);
	bytes = datagram_wire_bytes(n, len, s->family);
	s->paid_until = departs;
	s->owed = bytes * 8 * NSEC_PER_SEC;
	dcqcn_on_sent(s->params, &s->rp, &s->stats, bytes);
	schedule(s);
}

static void source_due(struct task *t, u64 now)
{
	struct source *s = container_of(t, struct source, task);

	if (now >= s->until) {
		source_stop(s, now);
		return;
	}
	if (s->next == s->packets) {
		s->flow->timeouts++;
		s->next--;
		if (s->repeated < RTO_DOUBLINGS)
			s->repeated++;
	}
	send_burst(s, now);
}

static void slow_down(struct source *s)
{
	u64 now = clock_now();

	if (now > s->paid_until) {
		dcqcn_pay(s->params, &s->rp, &s->stats, &s->owed, s->paid_until, now);
		s->paid_until = now;
	}
	dcqcn_on_cnp(s->params, &s->rp, &s->stats, now);
	/* The rest of the packet is paid for at the new rate. */
	if (s->task.place)
		schedule(s);
}

/*
 * A NACK of a packet that was not sent yet, or that will be sent again anyway, is
 * ignored. A lost packet cannot bring a mark, so a loss must slow the flow as a
 * mark does; otherwise a full buffer stays full.
 */
static void on_nack(struct source *s, u64 packet)
{
	if (packet >= s->next)
		return;
	s->next = packet;
	s->repeated = 0;
	slow_down(s);
}

static void source_take(struct source *s, const struct datagram *d)
{
	if (d->flow != (u64)(s->flow - source_job.flows->flow))
		return;
	switch (d->kind) {
	case DATAGRAM_CNP:
		s->flow->cnps++;
		slow_down(s);
		break;
	case DATAGRAM_NACK:
		on_nack(s, d->packet);
		break;
	case DATAGRAM_DONE:
		if (s->sent == s->packets)
			source_end(s);
		break;
	}
}

static void source_ready(struct watch *w, u32 events)
{
	struct source *s = container_of(w, struct source, watch);
	u8 wire[DATAGRAM_BYTES];
	struct datagram d;
	ssize_t n;

	if (events & EPOLLOUT && s->blocked) {
		s->blocked = false;
		loop_change(w, EPOLLIN);
		schedule_set(&s->task, 0);
	}
	if (!(events & (EPOLLIN | EPOLLERR)))
		return;
	n = recv(w->fd, wire, sizeof(wire), MSG_DONTWAIT | MSG_TRUNC);
	if (n < 0 && errno != EAGAIN && errno != EINTR)
		source_fail(s, "receive");
	else if (n > 0 && !datagram_unpack(&d, wire, n))
		source_take(s, &d);
}

int source_start(struct flow *f)
{
	const struct group *g = &source_job.traffic->group[f->group];
	struct outlet outlet = { .sndbuf = SNDBUF, .ect = true };
	struct source *s = calloc(1, sizeof(*s));
	u64 now = clock_now();

	if (!s)
		return -1;
	s->watch = (struct watch){ -1, source_ready, source_release, NULL, NULL };
	s->task.due = source_due;
	s->flow = f;
	s->params = &g->dcqcn;
	s->size = f->size;
	s->family = source_job.traffic->host[f->receiver].sink.ss_family;
	s->payload = datagram_payload(s->family);
	s->packets = datagram_packets(f->size, s->payload);
	s->until = f->size ? UINT64_MAX : source_job.epoch + g->until;
	s->burst = g->burst;
	if (outlet_open(&s->watch, source_job.flows, source_job.traffic, f, &outlet)) {
		free(s);
		return -1;
	}
	dcqcn_init(s->params, &s->rp);
	f->started = now - source_job.epoch;
	f->retrans = 0;
	f->timeouts = 0;
	schedule_set(&s->task, now);
	return 0;
}

void source_open(const struct rated_job *job)
{
	source_job = *job;
}
