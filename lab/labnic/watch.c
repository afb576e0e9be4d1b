// SPDX-License-Identifier: GPL-2.0
/* labnic: windows over the queue of a port, made and let go. */
#include <linux/kref.h>
#include <linux/mm.h>

#include "labnic.h"

enum {
	LABNIC_WINDOW_BINS = 65536,
	LABNIC_TRACE_MAX = 1 << 20,
};

/* A window and its holders: its port, and open files. */
struct labnic_watch {
	struct labnic_window window;
	struct kref refs;
};

static void labnic_watch_free(struct kref *refs)
{
	struct labnic_watch *watch = container_of(refs, struct labnic_watch,
						  refs);

	kvfree(watch->window.bins);
	kvfree(watch->window.trace);
	kfree(watch);
}

/**
 * labnic_queue_put() - let go of a window
 * @window: from labnic_queue_get(), or NULL
 */
void labnic_queue_put(struct labnic_window *window)
{
	if (window)
		kref_put(&container_of(window, struct labnic_watch,
				       window)->refs, labnic_watch_free);
}

/**
 * labnic_queue_get() - hold a port's window, brought up to now
 * @port: port
 *
 * Return: the window, or NULL if there is none.
 */
struct labnic_window *labnic_queue_get(struct labnic_port *port)
{
	struct labnic_window *window;

	spin_lock_bh(&port->tx_lock);
	window = port->window;
	if (window) {
		u64 now_ns = ktime_get_ns();

		labnic_tx_catch_up(port, now_ns);
		labnic_queue_begin(port, now_ns);
		kref_get(&container_of(window, struct labnic_watch,
				       window)->refs);
	}
	spin_unlock_bh(&port->tx_lock);
	return window;
}

static struct labnic_window *labnic_window_alloc(u64 from_ns, u64 until_ns,
						 u64 sample_ns)
{
	struct labnic_watch *watch = kzalloc(sizeof(*watch), GFP_KERNEL);
	struct labnic_window *w = &watch->window;

	if (!watch)
		return NULL;
	kref_init(&watch->refs);
	w->from_ns = from_ns;
	w->until_ns = until_ns;
	w->sample_ns = sample_ns;
	w->nbins = LABNIC_WINDOW_BINS;
	w->bins = kvcalloc(w->nbins, sizeof(*w->bins), GFP_KERNEL);
	if (sample_ns) {
		w->trace_size = min_t(u64, LABNIC_TRACE_MAX,
				      div64_u64(until_ns - from_ns,
						sample_ns) + 1);
		w->trace = kvcalloc(w->trace_size, sizeof(*w->trace),
				    GFP_KERNEL);
	}
	if (!w->bins || (sample_ns && !w->trace)) {
		labnic_queue_put(w);
		return NULL;
	}
	return w;
}

/**
 * labnic_queue_watch() - start queue statistics, forgetting older ones
 * @port: port
 * @from_ns: begin of the window, ns of CLOCK_MONOTONIC
 * @until_ns: end of the window, after @from_ns
 * @sample_ns: ns between samples of the trace, 0: no trace
 * @extack: where to say what is wrong
 *
 * Context: RTNL held.
 * Return: 0, -EINVAL or -ENOMEM.
 */
int labnic_queue_watch(struct labnic_port *port, u64 from_ns, u64 until_ns,
		       u64 sample_ns, struct netlink_ext_ack *extack)
{
	struct labnic_window *w, *old;

	if (until_ns <= from_ns) {
		NL_SET_ERR_MSG_MOD(extack, "window: until must be after from");
		return -EINVAL;
	}
	w = labnic_window_alloc(from_ns, until_ns, sample_ns);
	if (!w)
		return -ENOMEM;
	spin_lock_bh(&port->tx_lock);
	old = port->window;
	port->window = w;
	w->last_ns = ktime_get_ns();
	labnic_tx_catch_up(port, w->last_ns);
	labnic_queue_end(port, w->last_ns);
	spin_unlock_bh(&port->tx_lock);
	labnic_queue_put(old);
	return 0;
}

/**
 * labnic_queue_unwatch() - end queue statistics
 * @port: port; nothing happens without a window
 */
void labnic_queue_unwatch(struct labnic_port *port)
{
	struct labnic_window *old;

	spin_lock_bh(&port->tx_lock);
	old = port->window;
	port->window = NULL;
	spin_unlock_bh(&port->tx_lock);
	labnic_queue_put(old);
}
