/* SPDX-License-Identifier: GPL-2.0 */
/* A frame from its Ethernet header on, with an OR-ACK or data: its parts, and its checksums. */
#ifndef SHARPRAMP_FLOOD_FRAME_H
#define SHARPRAMP_FLOOD_FRAME_H

#include <arpa/inet.h>
#include <netinet/ip.h>
#include <netinet/ip6.h>
#include <netinet/tcp.h>
#include <netinet/udp.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>

#define FLOOD_PORT	31901	/* ONRAMP_PORT */
#define FLOOD_HEADER	16	/* bytes of an OR-ACK before its entries */
#define FLOOD_ENTRY	20
#define FLOOD_FIN	1	/* in the TCP flags */
#define FLOOD_MOST	64	/* entries */

#define FLOOD_ETHER	14
#define FLOOD_FRAME	2048
#define FLOOD_LONGEST	1514
#define FLOOD_KEPT	32	/* frames to make others from */
#define FLOOD_BATCH	256

static uint64_t flood_state;

/* xorshift64*, M. Vigna 2014 */
static inline uint32_t flood_random(void)
{
	flood_state ^= flood_state >> 12;
	flood_state ^= flood_state << 25;
	flood_state ^= flood_state >> 27;
	return flood_state * 0x2545f4914f6cdd1dULL >> 32;
}

static inline uint32_t flood_below(uint32_t most)
{
	return flood_random() % most;
}

static inline void flood_fill(uint8_t *at, int len)
{
	while (len--)
		*at++ = flood_random();
}

static inline void flood_put16(uint8_t *at, uint16_t value)
{
	at[0] = value >> 8;
	at[1] = value;
}

static inline void flood_put32(uint8_t *at, uint32_t value)
{
	flood_put16(at, value >> 16);
	flood_put16(at + 2, value);
}

static inline uint16_t flood_get16(const uint8_t *at)
{
	return at[0] << 8 | at[1];
}

static inline uint32_t flood_get32(const uint8_t *at)
{
	return (uint32_t)flood_get16(at) << 16 | flood_get16(at + 2);
}

/**
 * struct flood_frame - a packet, from its Ethernet header on
 * @data: its bytes
 * @len: how many there are
 * @six: IPv6
 * @l4: where UDP or TCP begins
 * @payload: where their payload begins
 */
struct flood_frame {
	uint8_t	data[FLOOD_FRAME];
	int	len;
	bool	six;
	int	l4;
	int	payload;
};

static inline uint8_t *flood_ip(struct flood_frame *f)
{
	return f->data + FLOOD_ETHER;
}

static inline uint8_t *flood_l4(struct flood_frame *f)
{
	return f->data + f->l4;
}

static inline uint8_t *flood_wire(struct flood_frame *f)
{
	return f->data + f->payload;
}

static inline uint8_t *flood_entry(struct flood_frame *f, int i)
{
	return flood_wire(f) + FLOOD_HEADER + i * FLOOD_ENTRY;
}

static inline int flood_count(struct flood_frame *f)
{
	return flood_wire(f)[2];
}

static inline uint8_t flood_proto(struct flood_frame *f)
{
	return f->six ? flood_ip(f)[6] : flood_ip(f)[9];
}

/* Returns false if it is neither an OR-ACK nor TCP with payload. */
static inline bool flood_parse(struct flood_frame *f)
{
	uint16_t kind = flood_get16(f->data + 12);
	uint8_t *ip = flood_ip(f);

	if (kind != 0x0800 && kind != 0x86dd)
		return false;
	f->six = kind == 0x86dd;
	f->l4 = FLOOD_ETHER + (f->six ? 40 : (ip[0] & 15) * 4);
	if (flood_proto(f) == IPPROTO_UDP) {
		f->payload = f->l4 + 8;
		return f->len >= f->payload + FLOOD_HEADER + FLOOD_ENTRY &&
		       flood_get16(flood_l4(f) + 2) == FLOOD_PORT;
	}
	if (flood_proto(f) != IPPROTO_TCP || f->len < f->l4 + 20)
		return false;
	f->payload = f->l4 + (flood_l4(f)[12] >> 4) * 4;
	return f->payload < f->len;
}

/* Checksums and lengths, made good again. */

static inline uint32_t flood_sum(const uint8_t *at, int len, uint32_t sum)
{
	for (; len > 1; at += 2, len -= 2)
		sum += flood_get16(at);
	return len ? sum + (at[0] << 8) : sum;
}

static inline uint16_t flood_fold(uint32_t sum)
{
	while (sum >> 16)
		sum = (sum & 0xffff) + (sum >> 16);
	return ~sum;
}

static inline void flood_mend_ip(struct flood_frame *f)
{
	uint8_t *ip = flood_ip(f);

	if (f->six) {
		flood_put16(ip + 4, f->len - FLOOD_ETHER - 40);
		return;
	}
	flood_put16(ip + 2, f->len - FLOOD_ETHER);
	flood_put16(ip + 10, 0);
	flood_put16(ip + 10, flood_fold(flood_sum(ip, f->l4 - FLOOD_ETHER, 0)));
}

/* The field at @at of what begins at @f->l4; with the addresses if @pseudo. */
static inline void flood_mend_sum(struct flood_frame *f, int at, uint8_t proto, bool pseudo)
{
	uint8_t *ip = flood_ip(f), *l4 = flood_l4(f);
	int len = f->len - f->l4;
	uint32_t sum = 0;
	uint16_t folded;

	if (pseudo)
		sum = flood_sum(f->six ? ip + 8 : ip + 12, f->six ? 32 : 8, proto + len);
	flood_put16(l4 + at, 0);
	folded = flood_fold(flood_sum(l4, len, sum));
	flood_put16(l4 + at, folded ? folded : 0xffff);
}

static inline void flood_mend(struct flood_frame *f)
{
	uint8_t proto = flood_proto(f);

	flood_mend_ip(f);
	if (proto == IPPROTO_UDP)
		flood_put16(flood_l4(f) + 4, f->len - f->l4);
	flood_mend_sum(f, proto == IPPROTO_UDP ? 6 : 16, proto, true);
}

/* Space for @len bytes at an offset; what is there moves back, and over the edge. */
static inline void flood_insert(struct flood_frame *f, int at, int len)
{
	if (f->len > FLOOD_LONGEST - len)
		f->len = FLOOD_LONGEST - len;
	memmove(f->data + at + len, f->data + at, f->len - at);
	f->len += len;
}

#endif /* SHARPRAMP_FLOOD_FRAME_H */
