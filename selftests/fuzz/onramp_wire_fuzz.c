// SPDX-License-Identifier: GPL-2.0
/*
 * A datagram of any bytes: what is accepted has the length that its header
 * announces, its entries lie inside, their fields keep their ranges, and all
 * of it gives the same bytes when it is written.  A signed one is good if and
 * only if signing it gives the same bytes; signed, it is good.  Anything else
 * aborts.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "onramp_mac.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool good)
{
	if (!good)
		abort();
}

static void entry(const struct onramp_wire_view *view, u32 i, uint8_t *out)
{
	const u8 *at = view->entries + i * ONRAMP_WIRE_ENTRY_BYTES;
	struct onramp_wire_item item;

	if (onramp_wire_entry(view, i, &item)) {
		memcpy(out + onramp_wire_bytes(i, false), at,
		       ONRAMP_WIRE_ENTRY_BYTES);
		return;
	}
	require(item.len && item.stamp >= 1 && item.stamp <= 3 &&
		!(item.rx_ns >> 63));
	onramp_wire_put_entry(out, i, &item);
}

/* The datagram, written again, is in @out. */
static void sign(const struct onramp_wire_view *view, uint8_t *out, size_t size)
{
	static const u8 key[ONRAMP_MAC_KEY_BYTES] = "one of sixteen.";
	static const u8 addresses[ONRAMP_MAC_ADDRESS_BYTES] = "from here to there";
	bool good = onramp_mac_is_good(key, addresses, view);
	struct onramp_wire_view again;

	require(onramp_mac_sign(key, view->mac_key, addresses, out,
				view->head.count) == size);
	require(!onramp_wire_parse(out, size, &again));
	require(onramp_mac_is_good(key, addresses, &again));
	require(good == (again.mac_tag == view->mac_tag));
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: a datagram
 * @size: its length
 *
 * Return: 0; does not return if something is wrong with the parser.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	uint8_t out[ONRAMP_WIRE_MAX_BYTES];
	struct onramp_wire_view view;
	struct onramp_wire_item item;
	u32 i;

	if (onramp_wire_parse(data, size, &view))
		return 0;
	require(view.head.count && view.head.count <= ONRAMP_WIRE_MAX_COUNT);
	require(size == onramp_wire_bytes(view.head.count, view.head.has_mac));
	require(!view.head.has_mac || view.signed_bytes + 8 == size);
	require((view.head.clock_id == ONRAMP_WIRE_SYSTEM) ==
		!view.head.clock_epoch);

	onramp_wire_put_head(out, &view.head);
	for (i = 0; i < view.head.count; i++)
		entry(&view, i, out);
	require(onramp_wire_entry(&view, i, &item) == ONRAMP_WIRE_NO_ENTRY);
	if (view.head.has_mac)
		onramp_wire_put64(onramp_wire_put_mac(out, i, view.mac_key),
				  view.mac_tag);
	require(!memcmp(out, data, size));
	if (view.head.has_mac)
		sign(&view, out, size);
	return 0;
}
