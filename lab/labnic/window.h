/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Statistics of a queue over a window of time, driven by events alone.
 *
 * The owner calls labnic_window_advance() with the length that it finds when
 * an event begins and labnic_window_settle() with the length that the event
 * leaves.  Between two events the length can only have changed by what the
 * owner does not see (a packet enqueued above a full ring); half of that time
 * is charged to the length left by the first event and half to the one found
 * by the second.  On a busy port events come at least once a packet time, so
 * every figure is right to one packet time, and exact where no such arrival
 * falls between two events.
 *
 * Pure: no clock, no lock, no allocation.
 */
#ifndef LABNIC_WINDOW_H
#define LABNIC_WINDOW_H

#include "../../kernel/algo/port.h"

/**
 * struct labnic_sample - one line of a trace
 * @at_ns: time
 * @pkts: packets in the queue
 * @bytes: bytes in the queue
 */
struct labnic_sample {
	u64 at_ns;
	u32 pkts;
	u32 bytes;
};

/**
 * struct labnic_window - queue statistics over [from_ns, until_ns)
 * @from_ns: begin of the window
 * @until_ns: end of the window
 * @last_ns: time of the last event
 * @pkts: length left by the last event, packets
 * @bytes: length left by the last event, bytes
 * @max_pkts: greatest length seen in the window, packets
 * @max_bytes: greatest length seen in the window, bytes
 * @pkts_ns: integral of the length over time, packets * ns
 * @bytes_ns: integral of the length over time, bytes * ns
 * @departed_pkts: packets that left in the window
 * @departed_bytes: bytes that left in the window
 * @nbins: number of @bins
 * @bins: ns spent at each length in packets; the last one: at it or above
 * @sample_ns: least time between two samples of @trace, 0: no trace
 * @next_ns: time from which the next sample is taken
 * @trace_len: samples taken
 * @trace_size: space for samples
 * @trace_lost: samples that found no space
 * @trace: the samples
 */
struct labnic_window {
	u64 from_ns;
	u64 until_ns;
	u64 last_ns;
	u32 pkts;
	u32 bytes;
	u32 max_pkts;
	u32 max_bytes;
	u64 pkts_ns;
	u64 bytes_ns;
	u64 departed_pkts;
	u64 departed_bytes;
	u32 nbins;
	u64 *bins;
	u64 sample_ns;
	u64 next_ns;
	u32 trace_len;
	u32 trace_size;
	u64 trace_lost;
	struct labnic_sample *trace;
};

void labnic_window_advance(struct labnic_window *w, u64 now_ns, u32 pkts,
			   u32 bytes);
void labnic_window_settle(struct labnic_window *w, u64 now_ns, u32 pkts,
			  u32 bytes);
void labnic_window_depart(struct labnic_window *w, u64 now_ns, u32 pkts,
			  u32 bytes);

#endif /* LABNIC_WINDOW_H */
