// SPDX-License-Identifier: GPL-2.0
/*
 * Parsers of acc-tuner for the kernel's messages and for the file with the queues' own settings.
 *
 * The first byte chooses: netlink messages, acknowledgments of changes, or the file.  A
 * message is read within its bounds, and settings that are read are within their ranges; a
 * file that is accepted is written again as one that is accepted.
 */
#include <stdlib.h>
#include <string.h>

#include "../../acc-tuner/queue/change.h"
#include "../../acc-tuner/queue/record.h"
#include "../../acc-tuner/queue/saved.h"

#define CHANGES	4

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static void require(bool holds)
{
	if (!holds)
		abort();
}

static void look_settings(const struct ecnsharp_settings *s)
{
	struct template t = settings_template(s);
	uint32_t id;

	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		require(s->given >> id & 1 ? (s64)s->value[id] >= ecnsharp_param_info(id)->least &&
			(s64)s->value[id] <= ecnsharp_param_info(id)->most : !s->value[id]);
	require(t.pmax_ppm <= 1000000);
}

static void look_messages(const void *data, size_t size)
{
	const struct nlmsghdr *n = data;
	struct record_device d;
	struct record_class c;
	struct record r;
	int left = size;

	/* Their lengths are checked before, by libmnl, which trusts those from 2^31 on. */
	for (; mnl_nlmsg_ok(n, left) && n->nlmsg_len <= (uint32_t)left; n = mnl_nlmsg_next(n, &left)) {
		if (!record_parse(n, &r)) {
			require(memchr(r.name, 0, sizeof(r.name)) != NULL);
			if (r.is_whole)
				look_settings(&r.settings);
		}
		record_parse_class(n, &c);
		if (!record_parse_device(n, &d))
			require(memchr(d.name, 0, sizeof(d.name)) != NULL);
	}
}

static void look_acknowledgments(const void *data, size_t size)
{
	struct change c[CHANGES];
	size_t i, answered = 0;

	for (i = 0; i < CHANGES; i++)
		c[i].error = -1;
	i = change_acknowledge(data, size, c, CHANGES, 0x80000000);
	while (i--)
		answered++;
	for (i = 0; i < CHANGES; i++)
		answered -= c[i].error >= 0;
	require(!answered);
}

static void look_file(const void *data, size_t size)
{
	static struct saved s, back;
	char why[200] = "", *text = calloc(1, size + 1);
	size_t len;

	require(text != NULL);
	memcpy(text, data, size);
	if (saved_parse(&s, text, why, sizeof(why))) {
		require(*why && !s.count);
		free(text);
		return;
	}
	free(text);
	text = saved_format(&s, &len);
	require(text && !saved_parse(&back, text, why, sizeof(why)) && back.count == s.count);
	for (len = 0; len < s.count; len++) {
		look_settings(&s.queue[len].settings);
		require(!memcmp(&s.queue[len], &back.queue[len], sizeof(*s.queue)));
	}
	free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	/* Netlink messages lie on boundaries of four bytes, and nothing lies behind them. */
	uint8_t *copy;

	if (!size)
		return 0;
	copy = malloc(size);
	require(copy != NULL);
	memcpy(copy, data + 1, size - 1);
	if (*data % 3 == 0)
		look_messages(copy, size - 1);
	else if (*data % 3 == 1)
		look_acknowledgments(copy, size - 1);
	else
		look_file(copy, size - 1);
	free(copy);
	return 0;
}
