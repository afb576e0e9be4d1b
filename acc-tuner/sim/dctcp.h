/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A sender's window under DCTCP, in segments.
 *
 * Source: Alizadeh et al., "Data Center TCP (DCTCP)", SIGCOMM 2010, section 3.1, as Linux has
 * it (net/ipv4/tcp_dctcp.c, tcp_input.c):
 *
 *   alpha = (1 - g) alpha + g F once a window, F: fraction of its segments that was marked
 *   a mark, at most once a round trip: ssthresh = cwnd (1 - alpha / 2)
 *
 *   in the paper   here
 *   alpha, g       alpha (parts of DCTCP_ONE), 2^-DCTCP_G_SHIFT
 *
 * The window falls to ssthresh evenly over the round trip, grows by a segment an
 * acknowledgment below ssthresh, and by a segment a window above.  A new connection
 * begins with alpha 1: its first mark halves the window.  A lost segment halves it, a timeout
 * sets it to one segment.  Each segment is acknowledged at once.
 */
#ifndef ACC_SIM_DCTCP_H
#define ACC_SIM_DCTCP_H

#include <stdbool.h>
#include <stdint.h>

#define DCTCP_ONE		1024U
#define DCTCP_G_SHIFT		4
#define DCTCP_LEAST		2U
#define DCTCP_INITIAL		10U
/* Least timeout of a retransmission in the laboratory, ns. */
#define DCTCP_RTO_NS		5000000ULL

/**
 * struct dctcp - state of a connection's window
 * @cwnd: window, segments, above 0
 * @ssthresh: below it the window doubles each round trip
 * @grown: acknowledgments that count for the next segment
 * @alpha: estimate of the congestion, 0 to DCTCP_ONE
 * @sent: segments sent so far
 * @acked: segments acknowledged so far
 * @window_end: the estimate's window ends when so many are acknowledged
 * @window_acked: acknowledged in that window
 * @window_marked: marked of those
 * @reducing: the window is falling to @ssthresh
 * @reduce_end: until so many are acknowledged
 * @prior: window before it fell
 * @reduced: acknowledgments since then
 */
struct dctcp {
	uint32_t cwnd;
	uint32_t ssthresh;
	uint32_t grown;
	uint32_t alpha;
	uint64_t sent;
	uint64_t acked;
	uint64_t window_end;
	uint32_t window_acked;
	uint32_t window_marked;
	bool reducing;
	uint64_t reduce_end;
	uint32_t prior;
	uint32_t reduced;
};

/**
 * dctcp_init() - a new connection
 * @d: filled
 */
void dctcp_init(struct dctcp *d);

/**
 * dctcp_on_ack() - a segment is acknowledged
 * @d: state
 * @marked: it was marked
 * @limited: the sender had more to send than the window allowed
 */
void dctcp_on_ack(struct dctcp *d, bool marked, bool limited);

/**
 * dctcp_on_loss() - the sender knows of a lost segment
 * @d: state
 * @timeout: by a timeout, not by later acknowledgments
 */
void dctcp_on_loss(struct dctcp *d, bool timeout);

/**
 * dctcp_on_idle() - the sender sends again after an idle time
 * @d: state
 * @idle_ns: how long it was
 *
 * The window is halved for each DCTCP_RTO_NS, down to that of a new connection.
 */
void dctcp_on_idle(struct dctcp *d, uint64_t idle_ns);

#endif /* ACC_SIM_DCTCP_H */
