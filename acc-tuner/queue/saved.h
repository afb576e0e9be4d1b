/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The file with the queues' own settings: what they had before the tuner changed them.
 *
 * A line says what the file is; each further line is a queue; the last one says how many
 * there are.
 *
 *   acc-tuner saved 1
 *   dev eth1 ifindex 3 parent 1:1 handle 10: 2=10000 3=33554432 4=200000 ...
 *   end 1
 *
 * An attribute is its number in enum tca_ecnsharp and its value.
 */
#ifndef ACC_SAVED_H
#define ACC_SAVED_H

#include <net/if.h>

#include "settings.h"

#define SAVED_MAX	1024
/* A number of each parameter, and the names before them. */
#define SAVED_LINE	(ECNSHARP_NR_PARAMS * 24 + 128)

/**
 * struct saved_queue - a queue
 * @dev: its device, for people
 * @ifindex: its device
 * @parent: the class that it is in, or TC_H_ROOT
 * @handle: its own
 * @settings: those that it had
 */
struct saved_queue {
	char dev[IF_NAMESIZE];
	uint32_t ifindex;
	uint32_t parent;
	uint32_t handle;
	struct ecnsharp_settings settings;
};

/**
 * struct saved - what the file has
 * @queue: queues
 * @count: how many
 */
struct saved {
	struct saved_queue queue[SAVED_MAX];
	size_t count;
};

/**
 * saved_find() - a queue of the file
 * @s: what the file has
 * @ifindex: its device
 * @handle: its handle
 *
 * Return: the queue, or NULL.
 */
struct saved_queue *saved_find(struct saved *s, uint32_t ifindex, uint32_t handle);

/**
 * saved_add() - add a queue, or replace it
 * @s: what the file has
 * @q: the queue
 *
 * Return: 0, or -1 if there are too many.
 */
int saved_add(struct saved *s, const struct saved_queue *q);

/**
 * saved_remove() - forget a queue, if it is there
 * @s: what the file has
 * @ifindex: its device
 * @handle: its handle
 */
void saved_remove(struct saved *s, uint32_t ifindex, uint32_t handle);

/**
 * saved_parse() - read a text
 * @s: filled
 * @text: the text, which ends in 0; it is changed
 * @why: filled if it is refused
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int saved_parse(struct saved *s, char *text, char *why, size_t size);

/**
 * saved_format() - write a text
 * @s: what the file has
 * @len: filled
 *
 * Return: the text, for free(), or NULL without memory.
 */
char *saved_format(const struct saved *s, size_t *len);

/**
 * saved_read() - read a file
 * @s: filled; empty if there is no such file
 * @path: the file
 * @why: filled if it is refused
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int saved_read(struct saved *s, const char *path, char *why, size_t size);

/**
 * saved_write() - replace a file as a whole; without a queue it is removed
 * @s: what it gets
 * @path: the file
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int saved_write(const struct saved *s, const char *path, char *why, size_t size);

#endif /* ACC_SAVED_H */
