/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Content of a datagram by the parser, in the terms of docs/wire.md: for the
 * unit tests and for those of the Wireshark dissector.
 */
#ifndef SHARPRAMP_ONRAMP_WIRE_TEXT_H
#define SHARPRAMP_ONRAMP_WIRE_TEXT_H

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "onramp_wire.h"

/**
 * struct text - what was read from a datagram, in the terms of docs/wire.md
 * @at: the text
 * @used: its length
 */
struct text {
	char at[16384];
	size_t used;
};

/**
 * append() - append to a text; ends the program if there is no space
 * @t: the text
 * @format: of printf()
 */
static inline void __attribute__((format(printf, 2, 3)))
append(struct text *t, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	t->used += vsnprintf(t->at + t->used, sizeof(t->at) - t->used, format, args);
	va_end(args);
	if (t->used >= sizeof(t->at))
		exit(2);
}

/* A line of what is wrong. */
static inline void append_fault(struct text *t, enum onramp_wire_fault fault)
{
	static const char * const name[ONRAMP_WIRE_FAULTS] = {
		[ONRAMP_WIRE_SHORT] = "short",
		[ONRAMP_WIRE_BAD_VERSION] = "version",
		[ONRAMP_WIRE_BAD_FLAGS] = "flags",
		[ONRAMP_WIRE_BAD_COUNT] = "count",
		[ONRAMP_WIRE_BAD_CLOCK] = "clock",
		[ONRAMP_WIRE_BAD_EPOCH] = "epoch",
		[ONRAMP_WIRE_BAD_LENGTH] = "length",
		[ONRAMP_WIRE_BAD_RESERVED] = "reserved",
		[ONRAMP_WIRE_NO_ENTRY] = "no entry",
		[ONRAMP_WIRE_BAD_LEN] = "no payload",
		[ONRAMP_WIRE_BAD_PROTO] = "protocol",
		[ONRAMP_WIRE_BAD_STAMP] = "stamp",
		[ONRAMP_WIRE_BAD_TIME] = "time",
	};

	append(t, "=> refused: %s\n", name[fault]);
}

/**
 * append_datagram() - read a datagram, and append a description of it
 * @t: the text
 * @data: the datagram
 * @len: its bytes
 */
static inline void append_datagram(struct text *t, const u8 *data, size_t len)
{
	struct onramp_wire_view view;
	struct onramp_wire_item item;
	enum onramp_wire_fault fault;
	u32 i;

	fault = onramp_wire_parse(data, len, &view);
	if (fault) {
		append_fault(t, fault);
		return;
	}
	append(t, "=> clock %u epoch %u error %u serial %u", view.head.clock_id,
	       view.head.clock_epoch, view.head.clock_error_ns, view.head.serial);
	if (view.head.no_clock)
		append(t, " not valid");
	if (view.head.has_mac)
		append(t, " key %u tag %" PRIu64 " over %zu bytes", view.mac_key,
		       view.mac_tag, view.signed_bytes);
	append(t, "\n");
	for (i = 0; i < view.head.count; i++) {
		fault = onramp_wire_entry(&view, i, &item);
		if (fault)
			append_fault(t, fault);
		else
			append(t, "=> %u > %u seq %u len %u stamp %u at %" PRIu64 "\n",
			       item.sport, item.dport, item.seq, item.len,
			       item.stamp, item.rx_ns);
	}
}

#endif /* SHARPRAMP_ONRAMP_WIRE_TEXT_H */
