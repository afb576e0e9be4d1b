// SPDX-License-Identifier: GPL-2.0
/*
 * The side that receives flows over UDP (cc=dcqcn, cc=cbr), and notifies
 *
 * One socket takes all flows of a host. Datagrams cannot be slept over as
 * a stream's bytes can, so while they come the socket is emptied every DRAIN_NS
 * and not for each: that is how long a notification may be late, which a NIC
 * takes too, and nothing is late by it that is measured, as a flow ends when
 * the kernel received its last packet (SO_TIMESTAMPNS).
 *
 * Any host can send to the socket: what comes must name a packet
 * that is due to this host, of the right length, or is counted and forgotten.
 */
#include <errno.h>
#include <netinet/in.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "schedule.h"
#include "datagram.h"
#include "loop.h"
#include "sink.h"
#include "sock.h"

#define DRAIN_NS	10000

/* Datagrams taken by one call. */
#define TAKEN		64

/* Holds the packets of 100 us at 100 Gbit/s, with their memory overhead. */
#define RCVBUF		(8 << 20)

/* A gap is reported once, and again only after this time without progress. */
#define NACK_NS		(4 * NSEC_PER_MSEC)

/* Space for the ECN field and the time stamp of a datagram. */
#define CONTROL_BYTES	(CMSG_SPACE(sizeof(int)) + CMSG_SPACE(sizeof(struct timespec)))

/**
 * struct port - the socket of a host
 * @watch: in the loop
 * @task: when to empty it next
 * @host: index of the host
 */
struct port {
	struct watch watch;
	struct task task;
	u32 host;
};

/**
 * struct intake - what a flow's sink remembers
 * @next: number of the packet that is due
 * @nack_at: the gap before @next is not reported again before that; 0: not reported
 * @np: notification point
 */
struct intake {
	u64 next;
	u64 nack_at;
	struct dcqcn_np np;
};

/**
 * struct arrival - a datagram as it came
 * @head: its header
 * @len: its length
 * @from: its source
 * @from_len: length of that
 * @stamp: when it was received, CLOCK_REALTIME; 0 if unknown
 * @ce: congestion was experienced
 */
struct arrival {
	struct datagram head;
	u32 len;
	const struct sockaddr_storage *from;
	socklen_t from_len;
	struct timespec stamp;
	bool ce;
};

static struct rated_job sink_job;
static struct intake *intakes;

static struct mmsghdr messages[TAKEN];
static struct iovec iovs[TAKEN];
static struct sockaddr_storage froms[TAKEN];
static u8 heads[TAKEN][DATAGRAM_BYTES];
static union {
	struct cmsghdr align;
	u8 bytes[CONTROL_BYTES];
} controls[TAKEN];

static void message_reset(size_t i)
{
	iovs[i] = (struct iovec){ heads[i], DATAGRAM_BYTES };
	messages[i].msg_hdr = (struct msghdr) {
		.msg_name = &froms[i],
		.msg_namelen = sizeof(froms[i]),
		.msg_iov = &iovs[i],
		.msg_iovlen = 1,
		.msg_control = &controls[i],
		.msg_controllen = sizeof(controls[i]),
	};
}

/* Read a message's header, length, ECN field and time stamp. */
static int arrival_read(struct arrival *a, struct mmsghdr *m)
{
	struct cmsghdr *c;
	int tclass;

	*a = (struct arrival) {
		.len = m->msg_len,
		.from = m->msg_hdr.msg_name,
		.from_len = m->msg_hdr.msg_namelen,
	};
	for (c = CMSG_FIRSTHDR(&m->msg_hdr); c; c = CMSG_NXTHDR(&m->msg_hdr, c)) {
		if (c->cmsg_level == IPPROTO_IP && c->cmsg_type == IP_TOS) {
			a->ce = (*CMSG_DATA(c) & 3) == 3;
		} else if (c->cmsg_level == IPPROTO_IPV6 && c->cmsg_type == IPV6_TCLASS) {
			memcpy(&tclass, CMSG_DATA(c), sizeof(tclass));
			a->ce = (tclass & 3) == 3;
		} else if (c->cmsg_level == SOL_SOCKET && c->cmsg_type == SCM_TIMESTAMPNS) {
			memcpy(&a->stamp, CMSG_DATA(c), sizeof(a->stamp));
		}
	}
	return datagram_unpack(&a->head, m->msg_hdr.msg_iov->iov_base, a->len);
}

/* How long ago it was received: below a second, or the stamp is not to be had. */
static u64 arrival_age(const struct arrival *a)
{
	struct timespec now;
	s64 age;

	clock_gettime(CLOCK_REALTIME, &now);
	age = (s64)(now.tv_sec - a->stamp.tv_sec) * (s64)NSEC_PER_SEC +
	      now.tv_nsec - a->stamp.tv_nsec;
	return age > 0 && age < (s64)NSEC_PER_SEC ? age : 0;
}

static void answer(const struct port *p, const struct arrival *a, u8 kind, u64 packet)
{
	struct datagram d = { .kind = kind, .flow = a->head.flow, .packet = packet };
	u8 wire[DATAGRAM_BYTES];

	datagram_pack(&d, wire);
	/* One that does not get through is as if it were lost. */
	sendto(p->watch.fd, wire, sizeof(wire), MSG_DONTWAIT | MSG_NOSIGNAL,
	       (const struct sockaddr *)a->from, a->from_len);
}

static void flow_done(struct flow *f, const struct arrival *a)
{
	u64 now = clock_now(), age = arrival_age(a);
	s64 ended = now - age - sink_job.epoch;

	f->ended = ended > f->started ? ended : (s64)(now - sink_job.epoch);
	sink_job.end(f, END_DONE);
}

/* The flow that a datagram belongs to, or NULL if it cannot be right. */
static struct flow *flow_of(const struct port *p, const struct arrival *a, u32 payload)
{
	const struct flows *flows = sink_job.flows;
	struct flow *f;

	if (a->head.kind != DATAGRAM_DATA || a->head.flow >= flows->n)
		return NULL;
	f = &flows->flow[a->head.flow];
	if (!cc_is_rated(sink_job.traffic->group[f->group].cc) || f->receiver != p->host ||
	    !f->begun || a->head.packet >= datagram_packets(f->size, payload) ||
	    a->len != datagram_length(f->size, payload, a->head.packet))
		return NULL;
	return f;
}

/* Not the packet that is due: tell the gap, once. */
static void take_other(const struct port *p, const struct arrival *a, struct intake *in, u64 now)
{
	if (a->head.packet < in->next || now < in->nack_at)
		return;
	in->nack_at = now + NACK_NS;
	answer(p, a, DATAGRAM_NACK, in->next);
}

static void take_data(const struct port *p, const struct arrival *a, struct flow *f, u64 packets,
		      u64 now)
{
	struct intake *in = &intakes[a->head.flow];

	f->delivered_ce = (f->delivered_ce == UNKNOWN ? 0 : f->delivered_ce) + a->ce;
	if (a->ce && dcqcn_on_mark(&sink_job.traffic->group[f->group].dcqcn, &in->np, now))
		answer(p, a, DATAGRAM_CNP, 0);
	if (a->head.packet != in->next) {
		take_other(p, a, in, now);
	} else {
		in->next++;
		in->nack_at = 0;
		sink_job.take(f, a->len - DATAGRAM_BYTES);
		if (in->next == packets)
			flow_done(f, a);
	}
}

/* A flow of constant rate does not retransmit: skip lost packets. */
static void take_constant(const struct arrival *a, struct flow *f)
{
	struct intake *in = &intakes[a->head.flow];

	if (f->end != END_NONE || a->head.packet < in->next)
		return;
	in->next = a->head.packet + 1;
	sink_job.take(f, a->len - DATAGRAM_BYTES);
}

static void port_take(const struct port *p, const struct arrival *a, u64 now)
{
	const struct host *host = &sink_job.traffic->host[p->host];
	u32 payload = datagram_payload(host->sink.ss_family);
	struct flow *f = flow_of(p, a, payload);
	u64 packets;

	if (!f)
		return;
	if (sink_job.traffic->group[f->group].cc == CC_CBR) {
		take_constant(a, f);
		return;
	}
	packets = datagram_packets(f->size, payload);
	if (f->end == END_NONE)
		take_data(p, a, f, packets, now);
	/* Reported again to a sender that repeats the last packet, and to no other. */
	if (f->end == END_DONE && a->head.packet == packets - 1)
		answer(p, a, DATAGRAM_DONE, 0);
}

/* Take everything that is there; tell how much that was. */
static u32 port_drain(const struct port *p, u64 now)
{
	struct arrival a;
	u32 all = 0;
	int i, n;

	do {
		n = recvmmsg(p->watch.fd, messages, TAKEN, MSG_DONTWAIT | MSG_TRUNC, NULL);
		for (i = 0; i < n; i++) {
			if (!arrival_read(&a, &messages[i]))
				port_take(p, &a, now);
			message_reset(i);
		}
		all += n > 0 ? n : 0;
	} while (n == TAKEN);
	return all;
}

static void port_due(struct task *t, u64 now)
{
	struct port *p = container_of(t, struct port, task);

	if (port_drain(p, now))
		schedule_set(t, now + DRAIN_NS);
	else
		loop_change(&p->watch, EPOLLIN | EPOLLONESHOT);
}

static void port_ready(struct watch *w, u32 events)
{
	struct port *p = container_of(w, struct port, watch);

	(void)events;
	port_due(&p->task, clock_now());
}

static int port_setup(struct port *p, const struct sockaddr_storage *address)
{
	bool six = address->ss_family == AF_INET6;
	int one = 1, rcvbuf = RCVBUF, fd = p->watch.fd;
	struct sockaddr_storage at;
	socklen_t len = sock_with_port(&at, address, CC_DCQCN);

	if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &rcvbuf, sizeof(rcvbuf)))
		setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &rcvbuf, sizeof(rcvbuf));
	sock_allow_tentative(fd, address->ss_family);
	if (setsockopt(fd, six ? IPPROTO_IPV6 : IPPROTO_IP, six ? IPV6_RECVTCLASS : IP_RECVTOS,
		       &one, sizeof(one)) ||
	    setsockopt(fd, SOL_SOCKET, SO_TIMESTAMPNS, &one, sizeof(one)) ||
	    bind(fd, (struct sockaddr *)&at, len))
		return -1;
	return loop_add(&p->watch, EPOLLIN | EPOLLONESHOT);
}

int sink_listen(u32 host, const struct sockaddr_storage *address)
{
	struct port *p = calloc(1, sizeof(*p));
	int error;

	if (!p)
		return -1;
	p->host = host;
	p->task.due = port_due;
	p->watch.ready = port_ready;
	p->watch.fd = socket(address->ss_family, SOCK_DGRAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
	if (p->watch.fd >= 0 && !port_setup(p, address))
		return 0;	/* it lives as long as the process */
	error = errno;
	if (p->watch.fd >= 0)
		close(p->watch.fd);
	free(p);
	errno = error;
	return -1;
}

int sink_open(const struct rated_job *job)
{
	size_t i;

	sink_job = *job;
	for (i = 0; i < TAKEN; i++)
		message_reset(i);
	intakes = calloc(job->flows->n ? job->flows->n : 1, sizeof(*intakes));
	return intakes ? 0 : complain(NULL, "out of memory");
}
