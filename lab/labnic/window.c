// SPDX-License-Identifier: GPL-2.0
/* Statistics of a queue over a window of time, see window.h. */
#include "window.h"

static bool labnic_window_open(const struct labnic_window *w, u64 now_ns)
{
	return now_ns >= w->from_ns && now_ns < w->until_ns;
}

static void labnic_window_charge(struct labnic_window *w, u64 ns, u32 pkts,
				 u32 bytes)
{
	w->bins[min(pkts, w->nbins - 1)] += ns;
	w->pkts_ns += ns * pkts;
	w->bytes_ns += ns * bytes;
	w->max_pkts = max(w->max_pkts, pkts);
	w->max_bytes = max(w->max_bytes, bytes);
}

/**
 * labnic_window_advance() - account for the time since the last event
 * @w: window
 * @now_ns: time of this event; one before the last counts as the last
 * @pkts: length found, packets
 * @bytes: length found, bytes
 */
void labnic_window_advance(struct labnic_window *w, u64 now_ns, u32 pkts,
			   u32 bytes)
{
	u64 begin = max(w->last_ns, w->from_ns);
	u64 end = min(now_ns, w->until_ns);

	if (end > begin) {
		u64 half = (end - begin) / 2;

		labnic_window_charge(w, end - begin - half, w->pkts, w->bytes);
		if (half)
			labnic_window_charge(w, half, pkts, bytes);
	}
	w->last_ns = max(w->last_ns, now_ns);
	w->pkts = pkts;
	w->bytes = bytes;
}

/**
 * labnic_window_settle() - note the length that an event leaves
 * @w: window, advanced to @now_ns
 * @now_ns: time of the event
 * @pkts: length left, packets
 * @bytes: length left, bytes
 */
void labnic_window_settle(struct labnic_window *w, u64 now_ns, u32 pkts,
			  u32 bytes)
{
	w->pkts = pkts;
	w->bytes = bytes;
	if (!w->sample_ns || now_ns < w->next_ns || !labnic_window_open(w, now_ns))
		return;
	w->next_ns = now_ns + w->sample_ns;
	if (w->trace_len == w->trace_size) {
		w->trace_lost++;
		return;
	}
	w->trace[w->trace_len++] = (struct labnic_sample) {
		.at_ns = now_ns, .pkts = pkts, .bytes = bytes,
	};
}

/**
 * labnic_window_depart() - count what leaves
 * @w: window
 * @now_ns: time of the departure
 * @pkts: packets
 * @bytes: bytes
 */
void labnic_window_depart(struct labnic_window *w, u64 now_ns, u32 pkts,
			  u32 bytes)
{
	if (!labnic_window_open(w, now_ns))
		return;
	w->departed_pkts += pkts;
	w->departed_bytes += bytes;
}
