/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Codepoints that change as a flow is sent
 *
 * PIAS (ECN# paper, section 5.5) gives a flow's first bytes the highest
 * priority and demotes it as it goes on. Here the sender does that itself:
 * from so many bytes on its packets carry another codepoint.
 */
#ifndef FLOWGEN_DEMOTION_H
#define FLOWGEN_DEMOTION_H

#include "parse.h"
#include "types.h"

/* With the flow's first codepoint as many as a port has queues. */
#define DEMOTIONS_MAX	7

/* On the wire each takes so many bytes. */
#define DEMOTION_BYTES	8

/**
 * struct demotion - one change of the codepoint
 * @at: bytes of the flow before it, 1 to FLOW_SIZE_MAX
 * @dscp: codepoint of those after it, 0 to 63
 */
struct demotion {
	u64 at;
	u64 dscp;
};

/**
 * struct demotions - all changes of a flow's codepoint
 * @step: changes, their bytes rising
 * @n: how many, 0 to DEMOTIONS_MAX
 */
struct demotions {
	struct demotion step[DEMOTIONS_MAX];
	u8 n;
};

/**
 * demotions_parse() - read BYTES:DSCP,BYTES:DSCP,...
 * @at: place, for the message
 * @name: what the value is called
 * @text: value, which is cut to pieces
 * @d: receives them
 *
 * Return: 0, or -1 after a message.
 */
int demotions_parse(const struct place *at, const char *name, char *text,
		    struct demotions *d);

/**
 * demotions_pack() - write changes as they are sent
 * @d: changes
 * @wire: @d->n times DEMOTION_BYTES bytes: the codepoint in the first of each, big endian
 */
void demotions_pack(const struct demotions *d, u8 *wire);

/**
 * demotions_unpack() - read changes as they came; trusts nothing but @n
 * @d: receives them
 * @n: how many, 0 to DEMOTIONS_MAX
 * @wire: @n times DEMOTION_BYTES bytes
 *
 * Return: 0, or -1 if they are not valid.
 */
int demotions_unpack(struct demotions *d, u8 n, const u8 *wire);

#endif
