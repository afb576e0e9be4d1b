// SPDX-License-Identifier: GPL-2.0
/*
 * labnic: the queue of a port as the window sees it, ring plus queue
 * discipline.  Frames count as one each in the ring; in the queue discipline
 * packets count as it counts them (a GSO buffer is one).
 */
#include <net/sch_generic.h>

#include "labnic.h"

static void labnic_qdisc_add(struct Qdisc *qdisc, u32 *pkts, u32 *bytes)
{
	int cpu;

	*pkts += qdisc_qlen_sum(qdisc);
	*bytes += READ_ONCE(qdisc->qstats.backlog);
	if (!qdisc_is_percpu_stats(qdisc))
		return;
	for_each_possible_cpu(cpu) {
		const struct gnet_stats_queue *q;

		q = per_cpu_ptr(qdisc->cpu_qstats, cpu);
		*bytes += READ_ONCE(q->backlog);
	}
}

/* Length of ring plus queue disciplines; tx_lock held, softirqs off. */
static void labnic_queue_length(struct labnic_port *port, u32 *pkts, u32 *bytes)
{
	struct Qdisc *last = NULL;
	unsigned int i;

	*pkts = port->ring_pkts;
	*bytes = port->ring_bytes;
	for (i = 0; i < port->dev->num_tx_queues; i++) {
		struct netdev_queue *txq = netdev_get_tx_queue(port->dev, i);
		struct Qdisc *qdisc = rcu_dereference_bh(txq->qdisc);

		/* One that is not multi-queue stands at every queue. */
		if (qdisc && qdisc != last)
			labnic_qdisc_add(qdisc, pkts, bytes);
		last = qdisc;
	}
}

/**
 * labnic_queue_begin() - an event of a watched port begins
 * @port: port with a window, its tx_lock held
 * @now_ns: time of the event
 */
void labnic_queue_begin(struct labnic_port *port, u64 now_ns)
{
	u32 pkts, bytes;

	labnic_queue_length(port, &pkts, &bytes);
	labnic_window_advance(port->window, now_ns, pkts, bytes);
}

/**
 * labnic_queue_end() - an event of a watched port ends
 * @port: port with a window, its tx_lock held
 * @now_ns: time of the event
 */
void labnic_queue_end(struct labnic_port *port, u64 now_ns)
{
	u32 pkts, bytes;

	labnic_queue_length(port, &pkts, &bytes);
	labnic_window_settle(port->window, now_ns, pkts, bytes);
}
