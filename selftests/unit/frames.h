/* SPDX-License-Identifier: GPL-2.0 */
/* Frames that tests write by hand, in memory of their own size, so that a sanitizer sees more. */
#ifndef SHARPRAMP_FRAMES_H
#define SHARPRAMP_FRAMES_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "port.h"

/* Addresses: two stations, a port, a group, and none. */
#define TO	"0200000000b2"
#define FROM	"0200000000a1"
#define PORT	"020000000099"
#define GROUP	"0300000000a1"
#define NOBODY	"000000000000"

/**
 * struct frame - a frame in memory of its own size
 * @at: its bytes; the caller's to free
 * @len: how many
 */
struct frame {
	u8 *at;
	size_t len;
};

/**
 * frame_of() - a frame from text
 * @hex: hexadecimal, with spaces anywhere
 *
 * Return: the frame.
 */
static inline struct frame frame_of(const char *hex)
{
	struct frame f = { malloc(strlen(hex) / 2 + 1), 0 };
	unsigned int byte;
	int n;

	while (sscanf(hex, " %2x%n", &byte, &n) == 1) {
		f.at[f.len++] = byte;
		hex += n;
	}
	f.at = realloc(f.at, f.len ? f.len : 1);
	return f;
}

/**
 * frame_copy() - a frame from bytes
 * @at: the bytes
 * @len: how many
 *
 * Return: the frame.
 */
static inline struct frame frame_copy(const u8 *at, size_t len)
{
	struct frame f = { malloc(len ? len : 1), len };

	if (len)
		memcpy(f.at, at, len);
	return f;
}

#endif /* SHARPRAMP_FRAMES_H */
