/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Signed messages: a trailer of 32 bytes with HMAC-SHA256, and what was taken
 * before.  docs/wire.md has the table.
 *
 *	key	u32	number of the key
 *	session	u32	of the sender's daemon: seconds of its clock when it began
 *	counter	u64	messages that it sent, from 1
 *	tag	16	first half of the HMAC over the message, the trailer so
 *			far, and the receiver's id, which is not sent
 *
 * The receiver's id keeps a message for one host from being given to another.
 * Pure but for the key's schedule.
 */
#ifndef HUYGENS_SEAL_H
#define HUYGENS_SEAL_H

#include <nettle/hmac.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SEAL_BYTES	32
#define SEAL_KEYS_MAX	8
#define SEAL_KEY_LEAST	16	/* bytes of a key */
#define SEAL_KEY_MOST	64
#define SEAL_WINDOW	64	/* messages that may overtake one */

/**
 * struct seal_keys - keys of the mesh
 * @count: how many; 0: messages are not signed
 * @id: their numbers; the first one signs, all are believed
 * @hmac: their schedules, between messages
 */
struct seal_keys {
	unsigned int		count;
	uint32_t		id[SEAL_KEYS_MAX];
	struct hmac_sha256_ctx	hmac[SEAL_KEYS_MAX];
};

/**
 * struct seal_stamp - which message of whom
 * @session: of the sender's daemon
 * @counter: of the message, from 1
 */
struct seal_stamp {
	uint32_t	session;
	uint64_t	counter;
};

/**
 * struct seal_memory - what was taken of a host; zero it to begin
 * @known: anything was
 * @session: of the host's daemon
 * @top: highest counter
 * @taken: bit n: @top - n was taken
 */
struct seal_memory {
	bool		known;
	uint32_t	session;
	uint64_t	top;
	uint64_t	taken;
};

/**
 * enum seal_fault - why a message is not believed
 * @SEAL_GOOD: it is
 * @SEAL_MISSING: it is too short for a trailer
 * @SEAL_UNKNOWN_KEY: there is no such key here
 * @SEAL_FORGED: another key, another receiver, or changed on the way
 * @SEAL_REPLAYED: taken before, or too old to say
 */
enum seal_fault {
	SEAL_GOOD,
	SEAL_MISSING,
	SEAL_UNKNOWN_KEY,
	SEAL_FORGED,
	SEAL_REPLAYED,
};

/**
 * seal_add_key() - one more key
 * @keys: the keys
 * @id: its number
 * @key: its bytes
 * @len: how many, SEAL_KEY_LEAST to SEAL_KEY_MOST
 *
 * Return: false if there is one of that number, no room, or another length.
 */
bool seal_add_key(struct seal_keys *keys, uint32_t id, const void *key,
		  size_t len);

/**
 * seal_sign() - append the trailer
 * @keys: the keys, at least one
 * @to: id of the receiver
 * @stamp: session and counter
 * @message: the message, with SEAL_BYTES of room behind it
 * @len: its length
 *
 * Return: the length with the trailer.
 */
size_t seal_sign(struct seal_keys *keys, uint32_t to,
		 const struct seal_stamp *stamp, uint8_t *message, size_t len);

/**
 * seal_check() - is the trailer good?
 * @keys: the keys
 * @to: id of this host
 * @message: the message with its trailer
 * @len: length of both
 * @stamp: filled if it is good
 *
 * Return: SEAL_GOOD and the message has @len - SEAL_BYTES bytes, or what is
 * wrong.
 */
enum seal_fault seal_check(struct seal_keys *keys, uint32_t to,
			   const uint8_t *message, size_t len,
			   struct seal_stamp *stamp);

/**
 * seal_admit() - was this message taken before?
 * @memory: of its sender, brought up to date if it was not
 * @stamp: of a message whose trailer is good
 * @silent: the sender has been silent for so long that it counts as dead
 *
 * A host that began anew has a higher session, or, if its clock went back, was
 * silent.  What a session of before said can therefore be played again to those
 * who take its sender for dead; laws of times and windows refuse that.
 *
 * Return: SEAL_GOOD or SEAL_REPLAYED.
 */
enum seal_fault seal_admit(struct seal_memory *memory,
			   const struct seal_stamp *stamp, bool silent);

#endif /* HUYGENS_SEAL_H */
