/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages between hosts: written and signed on the way out; on the way in
 * their form, sender, address and authentication are checked, and what is wrong is
 * counted and nothing else.
 *
 * Without side effects: the socket's owner sends.
 */
#ifndef HUYGENS_TRANSPORT_H
#define HUYGENS_TRANSPORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count.h"
#include "change.h"
#include "membership.h"
#include "auth.h"
#include "wire.h"

#define TRANSPORT_BYTES	(WIRE_MAX_BYTES + AUTH_BYTES)

/**
 * struct transport_ops - functions that carry it out
 * @send: a datagram to the host of an index; returns 0 or -1
 * @probe: the same, and a Tx stamp is requested: fills the number that it will
 *	have, and the clock of software stamps before it left
 */
struct transport_ops {
	int (*send)(void *data, uint32_t to, const void *bytes, size_t len);
	int (*probe)(void *data, uint32_t to, const void *bytes, size_t len,
		     uint32_t *key, int64_t *left_ns);
};

/**
 * struct transport_host - what is known of a host
 * @received: a message of it arrived, ever
 * @received_ns: raw time of its last message
 * @stamps: enum wire_stamps of its last HELLO or probe; 0: none
 * @burst: a probe of it requested a burst, in this window
 * @greeted: a HELLO arrived; @has and @other_window count
 * @has: list and files, by its last HELLO
 * @other_window: its windows have another length
 * @mismatched: these have nothing in common with those of this host
 * @key: number of the key that it signed with last; 0: none
 * @led: a HELLO carried its schedule
 * @lead_ns: by how much that was ahead of local time, but for what packets were late
 * @led_ns: raw time then
 * @ahead: since then it is suddenly by more
 * @memory: of its signed messages
 */
struct transport_host {
	bool			received;
	int64_t			received_ns;
	uint8_t			stamps;
	bool			burst;
	bool			greeted;
	struct change_files	has;
	bool			other_window;
	bool			mismatched;
	uint32_t		key;
	bool			led;
	int64_t			lead_ns;
	int64_t			led_ns;
	bool			ahead;
	struct auth_memory	memory;
};

/**
 * struct transport - messages of this host
 * @membership: hosts
 * @keys: of the mesh
 * @changes: keys change: a host gets messages with the key that it signs with
 * @stamp: of the last message signed
 * @dead_ns: time without messages after which a host counts as dead
 * @host: by index
 * @count: what happened
 * @ops: functions that carry it out
 * @data: for @ops
 */
struct transport {
	const struct membership		*membership;
	struct auth_keys		keys;
	bool				changes;
	struct auth_stamp		stamp;
	int64_t				dead_ns;
	struct transport_host		*host;
	struct count			*count;
	const struct transport_ops	*ops;
	void				*data;
};

/**
 * transport_send() - send a message
 * @transport: the office
 * @to: index of a host, not this one
 * @message: the message; @message->from is filled
 */
void transport_send(struct transport *transport, uint32_t to, struct wire_message *message);

/**
 * transport_probe() - send a probe, whose stamp will come
 * @transport: the office
 * @to: index of a host
 * @message: the probe; @message->from is filled
 * @key: filled with the number of its stamp
 * @left_ns: filled: it left no earlier
 *
 * Return: 0, or -1 if it was not sent.
 */
int transport_probe(struct transport *transport, uint32_t to, struct wire_message *message,
		    uint32_t *key, int64_t *left_ns);

/**
 * transport_open() - a datagram came
 * @transport: the office
 * @from: address that it came from
 * @bytes: the datagram
 * @len: its length
 * @raw_ns: raw time
 * @message: filled
 *
 * Return: index of its sender, or MEMBERSHIP_NONE: refused, and counted why.
 */
uint32_t transport_open(struct transport *transport, const union conf_address *from,
			const void *bytes, size_t len, int64_t raw_ns,
			struct wire_message *message);

/**
 * transport_is_alive() - did a host's message arrive lately?
 * @transport: the office
 * @index: of the host
 * @raw_ns: raw time
 *
 * Return: whether it was.
 */
bool transport_is_alive(const struct transport *transport, uint32_t index, int64_t raw_ns);

#endif /* HUYGENS_TRANSPORT_H */
