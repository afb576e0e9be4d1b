/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Events of the model, by their time: a binary heap.
 *
 * Events of the same time are in the order in which they were added, so that a run depends
 * on nothing but its input.
 *
 * Most events are packets on a link or acknowledgments on their way back: each comes no
 * earlier than the one before it.  Such events wait in a FIFO, and the heap has the first of
 * each only, so that it stays small however many packets are on their way.
 */
#ifndef ACC_SIM_EVENT_H
#define ACC_SIM_EVENT_H

#include <stdbool.h>
#include <stdint.h>

/**
 * enum event_kind - what happens
 * @EVENT_START: a flow is requested; @index is the flow
 * @EVENT_REQUEST: its sender knows of that; @index is the flow
 * @EVENT_ARRIVAL: a packet comes to the port; @index is the packet
 * @EVENT_LINK: the port's link is free
 * @EVENT_ACK: an acknowledgment comes to a sender; @index is the packet that it is for
 * @EVENT_RESEND: a sender sends a lost packet again; @index is the packet
 * @EVENT_BURST: a paced flow may send; @index is the flow
 * @EVENT_CNP: a congestion notification comes to a sender; @index is the flow
 */
enum event_kind {
	EVENT_START,
	EVENT_REQUEST,
	EVENT_ARRIVAL,
	EVENT_LINK,
	EVENT_ACK,
	EVENT_RESEND,
	EVENT_BURST,
	EVENT_CNP,
};

#define EVENT_FIFOS	128

/**
 * struct event - something that will happen
 * @at_ns: when
 * @order: how many were added before it
 * @kind: enum event_kind
 * @fifo: its FIFO, EVENT_FIFOS for none
 * @index: to what; its meaning depends on @kind
 */
struct event {
	uint64_t at_ns;
	uint64_t order;
	uint16_t kind;
	uint16_t fifo;
	uint32_t index;
};

/**
 * struct event_fifo - events that come in the order in which they are added
 * @ring: those behind the first, which is in the heap
 * @capacity: of @ring, 0 or a power of 2
 * @begin: events that ever left @ring
 * @end: events that ever entered it
 * @active: its first one is in the heap
 */
struct event_fifo {
	struct event *ring;
	uint32_t capacity;
	uint32_t begin;
	uint32_t end;
	bool active;
};

/**
 * struct events - all that will happen; zeroed at first
 * @heap: events, the next one first
 * @count: how many
 * @capacity: of @heap
 * @added: how many were ever added
 * @fifo: FIFOs
 */
struct events {
	struct event *heap;
	uint32_t count;
	uint32_t capacity;
	uint64_t added;
	struct event_fifo fifo[EVENT_FIFOS];
};

/**
 * events_add() - let something happen later
 * @e: events
 * @at_ns: when
 * @kind: what
 * @index: to what
 */
void events_add(struct events *e, uint64_t at_ns, enum event_kind kind, uint32_t index);

/**
 * events_add_fifo() - let something happen no earlier than what was added to a FIFO before
 * @e: events
 * @fifo: the FIFO, below EVENT_FIFOS
 * @at_ns: when
 * @kind: what
 * @index: to what
 */
void events_add_fifo(struct events *e, uint32_t fifo, uint64_t at_ns, enum event_kind kind,
		     uint32_t index);

/**
 * events_take() - the next event
 * @e: events
 * @until_ns: later ones stay where they are
 * @next: filled
 *
 * Return: false if there is none up to @until_ns.
 */
bool events_take(struct events *e, uint64_t until_ns, struct event *next);

/**
 * events_free() - forget all of them
 * @e: events; zeroed
 */
void events_free(struct events *e);

#endif /* ACC_SIM_EVENT_H */
