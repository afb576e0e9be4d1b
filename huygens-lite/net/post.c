// SPDX-License-Identifier: GPL-2.0
/*
 * Messages between hosts: written and signed, checked and counted.
 */
#include <string.h>

#include "post.h"

/* UDP, IP, Ethernet with its check sequence. */
#define POST_HEADS_4	(8 + 20 + 18)
#define POST_HEADS_6	(8 + 40 + 18)

static size_t post_write(struct post *post, uint32_t to,
			 struct wire_message *message, uint8_t *bytes)
{
	const struct conf_peer *host = &post->roster->host[to];
	size_t len;

	message->from = post->roster->host[post->roster->self].id;
	len = wire_write(message, bytes);
	if (len && post->keys.count) {
		post->stamp.counter++;
		len = seal_sign(&post->keys, host->id, &post->stamp, bytes,
				len);
	}
	return len;
}

static void post_count(struct post *post, uint32_t to, size_t len, bool failed)
{
	const union conf_address *address = &post->roster->host[to].address;

	if (failed) {
		post->count->send_failed++;
		return;
	}
	post->count->sent++;
	post->count->sent_bytes += len + (address->sa.sa_family == AF_INET6 ?
					  POST_HEADS_6 : POST_HEADS_4);
}

void post_send(struct post *post, uint32_t to, struct wire_message *message)
{
	uint8_t bytes[POST_BYTES];
	size_t len = post_write(post, to, message, bytes);

	post_count(post, to, len,
		   !len || post->ops->send(post->data, to, bytes, len));
}

int post_probe(struct post *post, uint32_t to, struct wire_message *message,
	       uint32_t *key, int64_t *left_ns)
{
	uint8_t bytes[POST_BYTES];
	size_t len = post_write(post, to, message, bytes);
	bool failed = !len || post->ops->probe(post->data, to, bytes, len, key,
					       left_ns);

	post_count(post, to, len, failed);
	return failed ? -1 : 0;
}

static bool post_is_from(const union conf_address *a,
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

/* Which counter a message without a good seal is for. */
static uint64_t *post_blame(struct post *post, enum seal_fault fault,
			    const void *bytes, size_t len)
{
	struct wire_message message;

	if (fault == SEAL_FORGED)
		return &post->count->bad_seal;
	/* What is whole without a trailer has none. */
	if (fault == SEAL_MISSING || wire_parse(bytes, len, &message) == WIRE_GOOD)
		return &post->count->bad_unsigned;
	return &post->count->bad_key;
}

uint32_t post_open(struct post *post, const union conf_address *from,
		   const void *bytes, size_t len, int64_t raw_ns,
		   struct wire_message *message)
{
	struct seal_stamp stamp = { 0 };
	enum seal_fault fault;
	struct post_host *host;
	uint32_t index;

	post->count->received++;
	if (post->keys.count) {
		fault = seal_check(&post->keys,
				   post->roster->host[post->roster->self].id,
				   bytes, len, &stamp);
		if (fault) {
			++*post_blame(post, fault, bytes, len);
			return ROSTER_NONE;
		}
		len -= SEAL_BYTES;
	}
	if (wire_parse(bytes, len, message)) {
		post->count->bad_form++;
		return ROSTER_NONE;
	}
	index = roster_index(post->roster, message->from);
	if (index == ROSTER_NONE || index == post->roster->self) {
		post->count->bad_host++;
		return ROSTER_NONE;
	}
	if (!post_is_from(from, &post->roster->host[index].address)) {
		post->count->bad_address++;
		return ROSTER_NONE;
	}
	host = &post->host[index];
	if (post->keys.count &&
	    seal_admit(&host->memory, &stamp,
		       !post_is_alive(post, index, raw_ns))) {
		post->count->bad_replay++;
		return ROSTER_NONE;
	}
	host->heard = true;
	host->heard_ns = raw_ns;
	return index;
}

bool post_is_alive(const struct post *post, uint32_t index, int64_t raw_ns)
{
	const struct post_host *host = &post->host[index];

	return host->heard && raw_ns - host->heard_ns <= post->dead_ns;
}
