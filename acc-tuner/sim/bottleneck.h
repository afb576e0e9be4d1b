/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The port of the model: a queue with tail drop, and marking by kernel/algo/ecnsharp.h.
 *
 * It marks as the qdisc ecnsharp does with kmin, kmax, pmax and persistent off: when a packet
 * leaves, by its sojourn time.  Its counters are those that the qdisc has under the same names.
 */
#ifndef ACC_SIM_BOTTLENECK_H
#define ACC_SIM_BOTTLENECK_H

#include <stdbool.h>
#include <stdint.h>

#include "../../kernel/algo/ecnsharp.h"
#include "packet.h"
#include "prng.h"
#include "template.h"

/**
 * struct bottleneck_count - what a port counts, from its beginning
 * @in_packets: packets that came, also those that were dropped
 * @in_bytes: their bytes
 * @tx_packets: packets that left
 * @tx_bytes: their bytes
 * @marked_packets: packets that it marked
 * @marked_bytes: their bytes
 * @drops: packets for which there was no space
 * @drop_bytes: their bytes
 * @backlog_byte_ns: the backlog, integrated over time
 */
struct bottleneck_count {
	uint64_t in_packets;
	uint64_t in_bytes;
	uint64_t tx_packets;
	uint64_t tx_bytes;
	uint64_t marked_packets;
	uint64_t marked_bytes;
	uint64_t drops;
	uint64_t drop_bytes;
	uint64_t backlog_byte_ns;
};

/**
 * struct bottleneck - a port
 * @rate_bps: of its link, 10^6 to 4 x 10^11
 * @limit: packets that its queue holds, above 0
 * @packets: the table that they are in
 * @first: next packet to leave, PACKET_NONE: the queue is empty
 * @last: the one that came last
 * @queued: packets in the queue
 * @backlog: their bytes
 * @since_ns: until then @count.backlog_byte_ns is made up
 * @free_ns: when the link is free
 * @params: how it marks
 * @vars: state of marking
 * @stats: counters of marking
 * @prng: chance of marking
 * @count: counters
 */
struct bottleneck {
	uint64_t rate_bps;
	uint32_t limit;
	struct packets *packets;
	uint32_t first;
	uint32_t last;
	uint32_t queued;
	uint64_t backlog;
	uint64_t since_ns;
	uint64_t free_ns;
	struct ecnsharp_params params;
	struct ecnsharp_vars vars;
	struct ecnsharp_stats stats;
	struct prng prng;
	struct bottleneck_count count;
};

/**
 * bottleneck_init() - an empty port that marks nothing
 * @b: filled
 * @packets: the table of packets
 * @rate_bps: of its link, 10^6 to 4 x 10^11
 * @limit: packets that its queue holds, above 0
 * @seed: of its chance
 */
void bottleneck_init(struct bottleneck *b, struct packets *packets, uint64_t rate_bps,
		     uint32_t limit, uint64_t seed);

/**
 * bottleneck_set() - change how a port marks
 * @b: the port
 * @t: a template that template_is_valid()
 */
void bottleneck_set(struct bottleneck *b, const struct template *t);

/**
 * bottleneck_enqueue() - a packet comes
 * @b: the port
 * @packet: its index
 * @now_ns: time, monotone as for the next one
 *
 * Return: false if it was dropped.
 */
bool bottleneck_enqueue(struct bottleneck *b, uint32_t packet, uint64_t now_ns);

/**
 * bottleneck_dequeue() - the link is free: the next packet leaves, perhaps marked
 * @b: the port; its @free_ns then is when the packet's last bit has left
 * @now_ns: time, not before @b->free_ns
 *
 * Return: the packet's index; PACKET_NONE if there is none.
 */
uint32_t bottleneck_dequeue(struct bottleneck *b, uint64_t now_ns);

/**
 * bottleneck_read() - counters as they are at a time
 * @b: the port
 * @now_ns: time, monotone
 *
 * Return: the counters.
 */
struct bottleneck_count bottleneck_read(struct bottleneck *b, uint64_t now_ns);

#endif /* ACC_SIM_BOTTLENECK_H */
