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
#ifndef HUYGENS_AUTH_H
#define HUYGENS_AUTH_H

#include <nettle/hmac.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define AUTH_BYTES	32
#define AUTH_KEYS_MAX	8
#define AUTH_KEY_LEAST	16	/* bytes of a key */
#define AUTH_KEY_MOST	64
#define AUTH_WINDOW	64	/* messages that may overtake one */

/**
 * struct auth_keys - keys of the mesh
 * @count: how many; 0: messages are not signed
 * @id: their numbers; the first one signs, all are accepted
 * @hmac: their schedules, between messages
 */
struct auth_keys {
	unsigned int		count;
	uint32_t		id[AUTH_KEYS_MAX];
	struct hmac_sha256_ctx	hmac[AUTH_KEYS_MAX];
};

/**
 * struct auth_stamp - which message of whom
 * @key: number of the key; to sign: the first key if there is no such
 * @session: of the sender's daemon
 * @counter: of the message, from 1
 */
struct auth_stamp {
	uint32_t	key;
	uint32_t	session;
	uint64_t	counter;
};

/**
 * struct auth_memory - what was taken of a host; zero it to begin
 * @known: anything was
 * @session: of the host's daemon
 * @top: highest counter
 * @taken: bit n: @top - n was taken
 */
struct auth_memory {
	bool		known;
	uint32_t	session;
	uint64_t	top;
	uint64_t	taken;
};

/**
 * enum auth_fault - why a message is not accepted
 * @AUTH_GOOD: it is
 * @AUTH_MISSING: it is too short for a trailer
 * @AUTH_UNKNOWN_KEY: there is no such key here
 * @AUTH_FORGED: another key, another receiver, or changed on the way
 * @AUTH_REPLAYED: taken before, or too old to say
 */
enum auth_fault {
	AUTH_GOOD,
	AUTH_MISSING,
	AUTH_UNKNOWN_KEY,
	AUTH_FORGED,
	AUTH_REPLAYED,
};

/**
 * auth_add_key() - one more key
 * @keys: the keys
 * @id: its number
 * @key: its bytes
 * @len: how many, AUTH_KEY_LEAST to AUTH_KEY_MOST
 *
 * Return: false if there is one of that number, no space, or another length.
 */
bool auth_add_key(struct auth_keys *keys, uint32_t id, const void *key,
		  size_t len);

/**
 * auth_join() - the keys of two sets, those of the first one first
 * @keys: filled; not one of the other two
 * @first: keys
 * @more: keys
 *
 * Return: 0; the number that has another key in the other set; or -1 if there are more than
 * AUTH_KEYS_MAX.
 */
int64_t auth_join(struct auth_keys *keys, const struct auth_keys *first,
		  const struct auth_keys *more);

/**
 * auth_sign() - append the trailer
 * @keys: the keys, at least one
 * @to: id of the receiver
 * @stamp: key, session and counter
 * @message: the message, with AUTH_BYTES of space behind it
 * @len: its length
 *
 * Return: the length with the trailer.
 */
size_t auth_sign(struct auth_keys *keys, uint32_t to,
		 const struct auth_stamp *stamp, uint8_t *message, size_t len);

/**
 * auth_check() - is the trailer good?
 * @keys: the keys
 * @to: id of this host
 * @message: the message with its trailer
 * @len: length of both
 * @stamp: filled if it is good
 *
 * Return: AUTH_GOOD and the message has @len - AUTH_BYTES bytes, or what is
 * wrong.
 */
enum auth_fault auth_check(struct auth_keys *keys, uint32_t to,
			   const uint8_t *message, size_t len,
			   struct auth_stamp *stamp);

/**
 * auth_admit() - was this message taken before?
 * @memory: of its sender, brought up to date if it was not
 * @stamp: of a message whose trailer is good
 * @silent: the sender has sent nothing for so long that it counts as dead
 *
 * A host that began anew has a higher session, or, if its clock went back, was
 * silent.  Messages of an earlier session can therefore be replayed to those
 * that take its sender for dead; checks of times and windows refuse that.
 *
 * Return: AUTH_GOOD or AUTH_REPLAYED.
 */
enum auth_fault auth_admit(struct auth_memory *memory,
			   const struct auth_stamp *stamp, bool silent);

#endif /* HUYGENS_AUTH_H */
