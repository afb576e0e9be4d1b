// SPDX-License-Identifier: GPL-2.0
/*
 * Messages between hosts: written and signed, checked and counted.
 */
#include <string.h>

#include "transport.h"

/* UDP, IP, Ethernet with its check sequence. */
#define TRANSPORT_HEADS_4	(8 + 20 + 18)
#define TRANSPORT_HEADS_6	(8 + 40 + 18)

static size_t transport_write(struct transport *transport, uint32_t to,
			      struct wire_message *message, uint8_t *bytes)
{
	const struct conf_peer *host = &transport->membership->host[to];
	size_t len;

	message->from = transport->membership->host[transport->membership->self].id;
	len = wire_write(message, bytes);
	if (len && transport->keys.count) {
		transport->stamp.counter++;
		transport->stamp.key = transport->changes ? transport->host[to].key :
							    transport->keys.id[0];
		len = auth_sign(&transport->keys, host->id, &transport->stamp, bytes,
				len);
	}
	return len;
}

static void transport_count(struct transport *transport, uint32_t to, size_t len, bool failed)
{
	const union conf_address *address = &transport->membership->host[to].address;

	if (failed) {
		transport->count->send_failed++;
		return;
	}
	transport->count->sent++;
	transport->count->sent_bytes += len + (address->sa.sa_family == AF_INET6 ?
					       TRANSPORT_HEADS_6 : TRANSPORT_HEADS_4);
}

void transport_send(struct transport *transport, uint32_t to, struct wire_message *message)
{
	uint8_t bytes[TRANSPORT_BYTES];
	size_t len = transport_write(transport, to, message, bytes);

	transport_count(transport, to, len,
			!len || transport->ops->send(transport->data, to, bytes, len));
}

int transport_probe(struct transport *transport, uint32_t to, struct wire_message *message,
		    uint32_t *key, int64_t *left_ns)
{
	uint8_t bytes[TRANSPORT_BYTES];
	size_t len = transport_write(transport, to, message, bytes);
	bool failed = !len || transport->ops->probe(transport->data, to, bytes, len, key,
						    left_ns);

	transport_count(transport, to, len, failed);
	return failed ? -1 : 0;
}

static bool transport_is_from(const union conf_address *a,
			      const union conf_address *b)
{
	if (a->sa.sa_family != b->sa.sa_family)
		return false;
	if (a->sa.sa_family == AF_INET)
		return a->in.sin_addr.s_addr == b->in.sin_addr.s_addr &&
		       a->in.sin_port == b->in.sin_port;
	return !memcmp(&a->in6.sin6_addr, &b->in6.sin6_addr,
		       sizeof(a->in6.sin6_addr)) &&
	       a->in6.sin6_port == b->in6.sin6_port;
}

/* Which counter a message that fails authentication is for. */
static uint64_t *transport_blame(struct transport *transport, enum auth_fault fault,
				 const void *bytes, size_t len)
{
	struct wire_message message;

	if (fault == AUTH_FORGED)
		return &transport->count->bad_auth;
	/* A message that is complete without a trailer has none. */
	if (fault == AUTH_MISSING || wire_parse(bytes, len, &message) == WIRE_GOOD)
		return &transport->count->bad_unsigned;
	return &transport->count->bad_key;
}

uint32_t transport_open(struct transport *transport, const union conf_address *from,
			const void *bytes, size_t len, int64_t raw_ns,
			struct wire_message *message)
{
	struct auth_stamp stamp = { 0 };
	enum auth_fault fault;
	struct transport_host *host;
	uint32_t index;

	transport->count->received++;
	if (transport->keys.count) {
		fault = auth_check(&transport->keys,
				   transport->membership->host[transport->membership->self].id,
				   bytes, len, &stamp);
		if (fault) {
			++*transport_blame(transport, fault, bytes, len);
			return MEMBERSHIP_NONE;
		}
		len -= AUTH_BYTES;
	}
	if (wire_parse(bytes, len, message)) {
		transport->count->bad_form++;
		return MEMBERSHIP_NONE;
	}
	index = membership_index(transport->membership, message->from);
	if (index == MEMBERSHIP_NONE || index == transport->membership->self) {
		transport->count->bad_host++;
		return MEMBERSHIP_NONE;
	}
	if (!transport_is_from(from, &transport->membership->host[index].address)) {
		transport->count->bad_address++;
		return MEMBERSHIP_NONE;
	}
	host = &transport->host[index];
	if (transport->keys.count &&
	    auth_admit(&host->memory, &stamp,
		       !transport_is_alive(transport, index, raw_ns))) {
		transport->count->bad_replay++;
		return MEMBERSHIP_NONE;
	}
	host->key = stamp.key;
	host->received = true;
	host->received_ns = raw_ns;
	return index;
}

bool transport_is_alive(const struct transport *transport, uint32_t index, int64_t raw_ns)
{
	const struct transport_host *host = &transport->host[index];

	return host->received && raw_ns - host->received_ns <= transport->dead_ns;
}
