// SPDX-License-Identifier: GPL-2.0
/*
 * Bytes drive the algorithm and its oracle side by side: requests to change
 * parameters, and packets whose times, levels and backlogs the bytes place on
 * and around the thresholds in force.  Any disagreement aborts.
 *
 *   operation   1 byte: below 48 a request, otherwise a packet
 *   request     1 + operation % 6 times: parameter (1 byte), form of the value
 *               (1 byte), for some forms the value (1 to 8 bytes)
 *   packet      form of the time, the level and the backlog (1 byte each), for
 *               some forms 2 or 4 bytes more; random (4 bytes) if it is wanted
 *
 * What is missing at the end is 0.
 */
#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "bytes.h"
#include "pair.h"

/* A packet's clock stays where no sum can wrap: 2^62 ns are 146 years. */
#define LATEST_NS	(1ULL << 62)

static uint64_t take_value(struct bytes *b, const struct ecnsharp_param_info *info)
{
	unsigned int form = take(b, 1);

	switch (form % 8) {
	case 0:
		return info->least + form / 8 % 4 - 1;
	case 1:
		return info->most + form / 8 % 4 - 1;
	case 2:
		return info->least + take(b, 1);
	case 3:
		return take(b, 2) * 10;
	case 4:
		return take(b, 2) * 1000;
	case 5:
		return take(b, 4);
	case 6:
		return info->least + take(b, 5) % (info->most - info->least + 1);
	default:
		return take(b, 8);
	}
}

static bool request(struct pair *pair, struct bytes *b, unsigned int operation)
{
	struct pair_request r = { .length = 1 + operation % 6 };
	unsigned int i;

	for (i = 0; i < r.length; i++) {
		r.id[i] = take(b, 1) % ECNSHARP_NR_PARAMS;
		r.value[i] = take_value(b, ecnsharp_param_info(r.id[i]));
	}
	return pair_request(pair, &r);
}

static uint64_t take_now(struct pair *pair, struct bytes *b, uint64_t now)
{
	unsigned int form = take(b, 1);
	uint64_t next = now;

	switch (form % 6) {
	case 0:
		next = around(pair->state.marking_next, form / 6);
		break;
	case 1:
		next = around(pair->state.first_above_time +
			      pair->config.pst_interval, form / 6);
		break;
	case 2:
		next = now + take(b, 2);
		break;
	case 3:
		next = now + take(b, 4);
		break;
	case 4:
		next = now + form / 6 * pair->config.pst_interval;
		break;
	default:
		next = now + form / 6;
		break;
	}
	return next < now || next > LATEST_NS ? now : next;
}

static uint64_t take_level(struct pair *pair, struct bytes *b)
{
	unsigned int form = take(b, 1);

	switch (form % 7) {
	case 0:
		return around(pair->config.pst_target, form / 7);
	case 1:
		return around(pair->config.ins_target, form / 7);
	case 2:
		return around(pair->config.kmin, form / 7);
	case 3:
		return around(pair->config.kmax, form / 7);
	case 4:
		return take(b, 4);
	case 5:
		return form / 7 ? take(b, 2) : take(b, 8);
	default:
		return pair->config.pst_target;
	}
}

/* Bytes that drain in a time, exact to a byte, as far as 64 bits go. */
static uint64_t drained(uint64_t rate_bps, uint64_t level_ns)
{
	uint64_t bytes;

	if (level_ns > 1000000000)
		level_ns = 1000000000;
	bytes = rate_bps / 8000000000ULL * level_ns +
		rate_bps % 8000000000ULL * level_ns / 8000000000ULL;
	return bytes;
}

static uint64_t take_backlog(struct pair *pair, struct bytes *b, uint64_t level)
{
	unsigned int form = take(b, 1);
	uint64_t bytes;

	switch (form % 6) {
	case 0:
		bytes = form / 6 ? 1 : 0;
		break;
	case 1:
		bytes = take(b, 4);
		break;
	case 2:
		bytes = around(pair->config.kmin, form / 6);
		break;
	case 3:
		bytes = around(pair->config.kmax, form / 6);
		break;
	default:
		bytes = 1500;
		if (pair->config.length)
			bytes = drained(pair->config.rate, level) + form / 6 % 4;
		break;
	}
	return bytes > 0x7fffffff ? 0x7fffffff : bytes;
}

static bool packet(struct pair *pair, struct bytes *b, struct oracle_packet *pkt)
{
	pkt->now = take_now(pair, b, pkt->now);
	pkt->sojourn = take_level(pair, b);
	pkt->backlog = take_backlog(pair, b, pkt->sojourn);
	pkt->random = ecnsharp_wants_random(&pair->params) ? take(b, 4) : 0;
	return pair_dequeue(pair, pkt);
}

/**
 * LLVMFuzzerTestOneInput() - run one input
 * @data: bytes, read as above
 * @size: how many
 *
 * Return: 0; does not return if algorithm and oracle disagree.
 */
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct bytes b = { .at = data, .end = data + size };
	struct oracle_packet pkt = { 0 };
	unsigned int operation, step = 0;
	struct pair pair;
	bool agree;

	pair_start(&pair);
	while (b.at < b.end) {
		operation = take(&b, 1);
		agree = operation < 48 ? request(&pair, &b, operation) :
					 packet(&pair, &b, &pkt);
		if (!agree) {
			fprintf(stderr, "step %u: %s\n", step, pair.trouble);
			abort();
		}
		step++;
	}
	return 0;
}
