/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages between hosts: written and signed on the way out; on the way in
 * their form, sender, address and seal are checked, and what is wrong is
 * counted and nothing else.
 *
 * Pure: whoever owns the socket sends.
 */
#ifndef HUYGENS_POST_H
#define HUYGENS_POST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "count.h"
#include "roster.h"
#include "seal.h"
#include "wire.h"

#define POST_BYTES	(WIRE_MAX_BYTES + SEAL_BYTES)

/**
 * struct post_ops - who carries it out
 * @send: a datagram to the host of an index; returns 0 or -1
 * @probe: the same, and a Tx stamp is asked for: fills the number that it will
 *	have, and the clock of software stamps before it left
 */
struct post_ops {
	int (*send)(void *data, uint32_t to, const void *bytes, size_t len);
	int (*probe)(void *data, uint32_t to, const void *bytes, size_t len,
		     uint32_t *key, int64_t *left_ns);
};

/**
 * struct post_host - what is known of a host
 * @heard: it was heard, ever
 * @heard_ns: raw time when it was heard last
 * @stamps: enum wire_stamps of its last HELLO or probe; 0: none
 * @stranger: its last HELLO was of another configuration
 * @led: a HELLO told its plan
 * @lead_ns: by how much that was ahead of local time, but for what packets were late
 * @led_ns: raw time then
 * @ahead: since then it is suddenly by more
 * @memory: of its signed messages
 */
struct post_host {
	bool			heard;
	int64_t			heard_ns;
	uint8_t			stamps;
	bool			stranger;
	bool			led;
	int64_t			lead_ns;
	int64_t			led_ns;
	bool			ahead;
	struct seal_memory	memory;
};

/**
 * struct post - the office
 * @roster: hosts
 * @keys: of the mesh
 * @stamp: of the last message signed
 * @dead_ns: silence after which a host is thought dead
 * @host: by index
 * @count: what happened
 * @ops: who carries it out
 * @data: for @ops
 */
struct post {
	const struct roster	*roster;
	struct seal_keys	keys;
	struct seal_stamp	stamp;
	int64_t			dead_ns;
	struct post_host	*host;
	struct count		*count;
	const struct post_ops	*ops;
	void			*data;
};

/**
 * post_send() - send a message
 * @post: the office
 * @to: index of a host, not this one
 * @message: the message; @message->from is filled
 */
void post_send(struct post *post, uint32_t to, struct wire_message *message);

/**
 * post_probe() - send a probe, whose stamp will come
 * @post: the office
 * @to: index of a host
 * @message: the probe; @message->from is filled
 * @key: filled with the number of its stamp
 * @left_ns: filled: it left no earlier
 *
 * Return: 0, or -1 if it was not sent.
 */
int post_probe(struct post *post, uint32_t to, struct wire_message *message,
	       uint32_t *key, int64_t *left_ns);

/**
 * post_open() - a datagram came
 * @post: the office
 * @from: address that it came from
 * @bytes: the datagram
 * @len: its length
 * @raw_ns: raw time
 * @message: filled
 *
 * Return: index of its sender, or ROSTER_NONE: refused, and counted why.
 */
uint32_t post_open(struct post *post, const union conf_address *from,
		   const void *bytes, size_t len, int64_t raw_ns,
		   struct wire_message *message);

/**
 * post_is_alive() - was a host heard lately?
 * @post: the office
 * @index: of the host
 * @raw_ns: raw time
 *
 * Return: whether it was.
 */
bool post_is_alive(const struct post *post, uint32_t index, int64_t raw_ns);

#endif /* HUYGENS_POST_H */
