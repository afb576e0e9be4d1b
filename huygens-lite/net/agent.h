/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The work of a host on the probes of a window: envelopes of received probes,
 * envelopes to the owners of edges, and lines of the edges that it owns.
 *
 * Without side effects: messages come in and go out as structs.
 */
#ifndef HUYGENS_AGENT_H
#define HUYGENS_AGENT_H

#include <stdbool.h>
#include <stdint.h>

#include "../algo/edge.h"
#include "../algo/edge_filter.h"
#include "collector.h"
#include "count.h"
#include "membership.h"
#include "wire.h"

/**
 * struct agent_way - one direction of an edge in a window
 * @known: there is an envelope
 * @window: of which window
 * @stamps: of its receiver
 * @envelope: the envelope
 */
struct agent_way {
	bool		known;
	uint64_t	window;
	enum wire_stamps stamps;
	struct envelope	envelope;
};

/**
 * struct agent_seen - of a neighbour in the last window, for people
 * @received: pairs
 * @accepted: of them
 * @tolerance_ns: of the pair filter
 */
struct agent_seen {
	uint32_t	received;
	uint32_t	accepted;
	int64_t		tolerance_ns;
};

/**
 * struct agent_edge - of a neighbour
 * @collector: what comes from it
 * @in: from it to here
 * @out: from here to it, as it says; only of edges that this host owns
 * @filter: what its windows taught
 * @fitted: @fit and @worth are of window @fit_window
 * @fit_window: number
 * @fit: the last line
 * @worth: of it
 * @seen: for people
 */
struct agent_edge {
	struct collector		collector;
	struct agent_way		in;
	struct agent_way		out;
	struct edge_filter		filter;
	bool				fitted;
	uint64_t			fit_window;
	struct edge_fit			fit;
	struct edge_filter_error	worth;
	struct agent_seen		seen;
};

/**
 * struct agent - all of them
 * @conf: the configuration
 * @membership: hosts
 * @edge: by place of the neighbour
 * @count: what happened
 * @capacity: pairs of a window
 * @scratch: space for that
 * @sample: same, two a pair
 */
struct agent {
	const struct huygens_conf	*conf;
	const struct membership		*membership;
	struct agent_edge		*edge;
	struct count			*count;
	uint32_t			capacity;
	int64_t				*scratch;
	struct sample			*sample;
};

/**
 * typedef agent_send_fn - a message is to be sent
 * @data: the caller's
 * @to: index of a host, perhaps this one
 * @message: the message
 */
typedef void (*agent_send_fn)(void *data, uint32_t to,
			      struct wire_message *message);

/**
 * agent_make() - space for all edges
 * @agent: filled; agent_free() it
 * @conf: the configuration
 * @membership: hosts
 * @count: what happens
 *
 * Return: 0, or -1 without memory.
 */
int agent_make(struct agent *agent, const struct huygens_conf *conf,
	       const struct membership *membership, struct count *count);

/**
 * agent_reload() - a new configuration with the same hosts
 * @agent: the agent
 * @conf: the configuration, in place of the one before
 *
 * Space grows with a shorter interval.  Without memory for it pairs are lost,
 * and counted.
 */
void agent_reload(struct agent *agent, const struct huygens_conf *conf);

/**
 * agent_grow() - working memory for the samples of a window, for all neighbours
 * @agent: the agent
 * @capacity: pairs of a window; fewer than there is space for: nothing is done
 *
 * Return: 0, or -1 without memory.
 */
int agent_grow(struct agent *agent, uint32_t capacity);

/**
 * agent_move() - what is known of a neighbour goes to another agent of the same host
 * @agent: the agent, with as much working memory as @from
 * @place: of the neighbour in it
 * @from: the other agent, which gets what @agent had
 * @was: of the neighbour in that
 */
void agent_move(struct agent *agent, uint32_t place, struct agent *from, uint32_t was);

/**
 * agent_probe() - a probe came
 * @agent: the agent
 * @place: of the neighbour
 * @probe: the probe
 * @rx_ns: local time, or WIRE_NO_TIME
 * @window: in which this host is
 *
 * Return: false if its window is not open.
 */
bool agent_probe(struct agent *agent, uint32_t place,
		 const struct wire_probe *probe, int64_t rx_ns,
		 uint64_t window);

/**
 * agent_close() - a window has ended, and its last stamps have come
 * @agent: the agent
 * @window: its number
 * @stamps: of this host
 */
void agent_close(struct agent *agent, uint64_t window, enum wire_stamps stamps);

/**
 * agent_send() - send envelopes to the owners of edges; once more does no harm
 * @agent: the agent, after agent_close()
 * @window: its number
 * @send: called for each
 * @data: for @send
 */
void agent_send(struct agent *agent, uint64_t window, agent_send_fn send,
		void *data);

/**
 * agent_envelope() - the other end of an edge tells what it received
 * @agent: the agent
 * @place: of the neighbour
 * @envelope: its envelope
 *
 * Return: false if this host does not own the edge.
 */
bool agent_envelope(struct agent *agent, uint32_t place,
		    const struct wire_envelope *envelope);

/**
 * agent_solve() - the lines of all edges that this host owns and that have none
 * @agent: the agent
 * @window: its number
 * @middle_ns: its middle, local time
 * @stamps: of this host
 *
 * Once more when late envelopes have come.
 */
void agent_solve(struct agent *agent, uint64_t window, int64_t middle_ns,
		 enum wire_stamps stamps);

/**
 * agent_count() - the window is through: count its lines
 * @agent: the agent
 * @window: its number
 */
void agent_count(struct agent *agent, uint64_t window);

/**
 * agent_report() - tell the coordinator
 * @agent: the agent, after agent_solve()
 * @leader: index of the coordinator
 * @head: what every message of the report begins with; of this window
 * @send: called at least once
 * @data: for @send
 */
void agent_report(struct agent *agent, uint32_t leader,
		  const struct wire_edges *head, agent_send_fn send,
		  void *data);

/**
 * agent_renumber() - windows are counted anew, and numbers come again
 * @agent: the agent
 *
 * Windows are discarded; the state of filters is kept.
 */
void agent_renumber(struct agent *agent);

/**
 * agent_forget() - this host's clock is another: nothing gathered counts
 * @agent: the agent
 */
void agent_forget(struct agent *agent);

/**
 * agent_free() - return its memory
 * @agent: the agent
 */
void agent_free(struct agent *agent);

#endif /* HUYGENS_AGENT_H */
