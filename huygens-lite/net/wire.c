// SPDX-License-Identifier: GPL-2.0
/*
 * The five messages of the mesh, to bytes and back.
 *
 * The layout of a message is written once: the same function walks over its
 * fields to read and to write.  Its ranges are checked once as well: what was
 * written is read again before it is given away.
 */
#include <string.h>

#include "wire.h"

#define WIRE_EDGES_BYTES	(WIRE_HEAD_BYTES + 108)
#define WIRE_EDGE_BYTES		64
#define WIRE_SOLUTION_BYTES	(WIRE_HEAD_BYTES + 93)
#define WIRE_ROW_BYTES		64
#define WIRE_HELLO_BYTES	(WIRE_HEAD_BYTES + 36)
#define WIRE_ENVELOPE_BYTES	(WIRE_HEAD_BYTES + 20)
#define WIRE_POINT_BYTES	16

_Static_assert(WIRE_EDGES_BYTES + WIRE_EDGES_MAX * WIRE_EDGE_BYTES <=
	       WIRE_MAX_BYTES, "edges");
_Static_assert(WIRE_SOLUTION_BYTES + WIRE_ROWS_MAX * WIRE_ROW_BYTES <=
	       WIRE_MAX_BYTES, "solution");
_Static_assert(WIRE_ENVELOPE_BYTES + WIRE_POINTS_MAX * WIRE_POINT_BYTES <=
	       WIRE_MAX_BYTES, "envelope");

/**
 * struct wire_cursor - a place in a datagram
 * @at: the next byte
 * @writing: else reading
 *
 * The length is known to be right before a cursor moves.
 */
struct wire_cursor {
	uint8_t	*at;
	bool	writing;
};

static void wire_number(struct wire_cursor *c, uint64_t *value, int bytes)
{
	uint64_t read = 0;
	int i;

	for (i = 0; i < bytes; i++, c->at++) {
		if (c->writing)
			*c->at = *value >> 8 * (bytes - 1 - i);
		else
			read = read << 8 | *c->at;
	}
	if (!c->writing)
		*value = read;
}

static void wire_u8(struct wire_cursor *c, uint8_t *value)
{
	uint64_t wide = *value;

	wire_number(c, &wide, 1);
	*value = wide;
}

static void wire_u16(struct wire_cursor *c, uint16_t *value)
{
	uint64_t wide = *value;

	wire_number(c, &wide, 2);
	*value = wide;
}

static void wire_u32(struct wire_cursor *c, uint32_t *value)
{
	uint64_t wide = *value;

	wire_number(c, &wide, 4);
	*value = wide;
}

static void wire_u64(struct wire_cursor *c, uint64_t *value)
{
	wire_number(c, value, 8);
}

static void wire_s64(struct wire_cursor *c, int64_t *value)
{
	uint64_t wide = *value;

	wire_number(c, &wide, 8);
	*value = (int64_t)wide;
}

/* The bits of an IEEE 754 double. */
static void wire_f64(struct wire_cursor *c, double *value)
{
	uint64_t bits;

	memcpy(&bits, value, sizeof(bits));
	wire_number(c, &bits, 8);
	memcpy(value, &bits, sizeof(bits));
}

/* Two's complement. */
static void wire_s16(struct wire_cursor *c, int16_t *value)
{
	uint64_t wide = (uint16_t)*value;

	wire_number(c, &wide, 2);
	*value = (int16_t)wide;
}

static void wire_s8(struct wire_cursor *c, int8_t *value)
{
	uint64_t wide = (uint8_t)*value;

	wire_number(c, &wide, 1);
	*value = (int8_t)wide;
}

static void wire_fields_leap(struct wire_cursor *c, struct leap *leap)
{
	wire_u32(c, &leap->day);
	wire_u16(c, &leap->tai);
	wire_s16(c, &leap->seconds);
	wire_s8(c, &leap->step);
}

static void wire_fields_probe(struct wire_cursor *c, struct wire_probe *p)
{
	int i;

	wire_u32(c, &p->pair);
	wire_u64(c, &p->window);
	for (i = 0; i < WIRE_ECHOES; i++) {
		wire_u32(c, &p->echo[i].pair);
		wire_s64(c, &p->echo[i].tx[0]);
		wire_s64(c, &p->echo[i].tx[1]);
	}
}

static void wire_fields_edges(struct wire_cursor *c, struct wire_edges *e)
{
	int i;

	wire_u64(c, &e->window);
	wire_u64(c, &e->term);
	wire_s64(c, &e->middle_ns);
	wire_s64(c, &e->correction_ns);
	wire_f64(c, &e->std_ns);
	wire_f64(c, &e->drift_ppb);
	wire_f64(c, &e->skew_ppb);
	wire_s64(c, &e->utc_ns);
	wire_f64(c, &e->utc_ppb);
	wire_f64(c, &e->utc_error_ns);
	wire_u32(c, &e->timeline);
	wire_fields_leap(c, &e->leap);
	wire_u16(c, &e->utc_tai);
	wire_s8(c, &e->utc_step);
	wire_u32(c, &e->upper);
	wire_f64(c, &e->upper_utc_ns);
	for (i = 0; i < e->count; i++) {
		wire_u32(c, &e->edge[i].peer);
		wire_u32(c, &e->edge[i].why);
		wire_s64(c, &e->edge[i].theta_ns);
		wire_f64(c, &e->edge[i].drift_ppb);
		wire_f64(c, &e->edge[i].delay_sum_ns);
		wire_f64(c, &e->edge[i].sigma_ns);
		wire_f64(c, &e->edge[i].sigma_ppb);
		wire_f64(c, &e->edge[i].bias_ns);
		wire_u32(c, &e->edge[i].out);
		wire_u32(c, &e->edge[i].in);
	}
}

static void wire_fields_solution(struct wire_cursor *c, struct wire_solution *s)
{
	int i;

	wire_u16(c, &s->part);
	wire_u16(c, &s->parts);
	wire_u64(c, &s->term);
	wire_u64(c, &s->window);
	wire_s64(c, &s->schedule_ns);
	wire_f64(c, &s->schedule_ppb);
	wire_u32(c, &s->timeline);
	wire_u32(c, &s->reference);
	wire_u32(c, &s->hosts);
	wire_f64(c, &s->frame_ns);
	wire_f64(c, &s->frame_ppb);
	wire_f64(c, &s->utc_error_ns);
	wire_fields_leap(c, &s->leap);
	wire_u32(c, &s->upper);
	wire_f64(c, &s->upper_error_ns);
	for (i = 0; i < s->count; i++) {
		wire_u32(c, &s->row[i].id);
		wire_u32(c, &s->row[i].flags);
		wire_s64(c, &s->row[i].at_ns);
		wire_s64(c, &s->row[i].offset_ns);
		wire_f64(c, &s->row[i].drift_ppb);
		wire_f64(c, &s->row[i].std_ns);
		wire_f64(c, &s->row[i].std_ppb);
		wire_f64(c, &s->row[i].bias_ns);
		wire_f64(c, &s->row[i].asymmetry_ns);
	}
}

static void wire_fields_hello(struct wire_cursor *c, struct wire_hello *h)
{
	wire_u64(c, &h->term);
	wire_u32(c, &h->leader);
	wire_u32(c, &h->membership);
	wire_u32(c, &h->files);
	wire_s64(c, &h->window_ns);
	wire_s64(c, &h->schedule_ns);
}

static void wire_fields_envelope(struct wire_cursor *c, struct wire_envelope *e)
{
	int i;

	wire_u64(c, &e->window);
	wire_u32(c, &e->pairs);
	wire_u32(c, &e->samples);
	wire_u32(c, &e->hulls);
	for (i = 0; i < e->count; i++) {
		wire_s64(c, &e->point[i].t);
		wire_s64(c, &e->point[i].delay);
	}
}

static bool wire_is_time(int64_t t)
{
	return t >= -WIRE_TIME_MAX && t <= WIRE_TIME_MAX;
}

static bool wire_is_stamp(int64_t t)
{
	return t == WIRE_NO_TIME || wire_is_time(t);
}

static bool wire_is_id(uint32_t id)
{
	return id >= 1 && id <= WIRE_ID_MAX;
}

/* Not for NaN. */
static bool wire_is_within(double x, double least, double most)
{
	return x >= least && x <= most;
}

static bool wire_is_drift(double ppb)
{
	return wire_is_within(ppb, -WIRE_DRIFT_MAX, WIRE_DRIFT_MAX);
}

static bool wire_is_size(double x)
{
	return wire_is_within(x, 0, WIRE_SPAN_MAX);
}

static bool wire_is_kind(uint8_t stamps)
{
	return stamps >= WIRE_SOFTWARE && stamps <= WIRE_HARDWARE_RECEIVE;
}

static bool wire_is_step(int step)
{
	return step >= -1 && step <= 1;
}

static bool wire_is_tai(unsigned int tai)
{
	return !tai || (tai >= LEAP_TAI_LEAST && tai <= LEAP_TAI_MOST);
}

_Static_assert(WIRE_TIME_MAX / 86400000000000LL == LEAP_DAY_MOST, "days of all times");

/* Without a leap second there is no day of it. */
static bool wire_is_leap(const struct leap *leap)
{
	return wire_is_step(leap->step) && !leap->step == !leap->day &&
	       leap->day <= LEAP_DAY_MOST && leap->tai <= LEAP_TAI_MOST &&
	       leap->seconds >= -LEAP_SECONDS_MOST && leap->seconds <= LEAP_SECONDS_MOST;
}

static enum wire_fault wire_check_probe(const struct wire_probe *p)
{
	int i;

	if (p->index > 1 || !wire_is_kind(p->stamps) || !p->pair ||
	    p->window > WIRE_WINDOW_MAX)
		return WIRE_BAD_FIELD;
	for (i = 0; i < WIRE_ECHOES; i++) {
		const struct wire_echo *echo = &p->echo[i];

		if (!wire_is_stamp(echo->tx[0]) || !wire_is_stamp(echo->tx[1]))
			return WIRE_BAD_TIME;
		if (!echo->pair && (echo->tx[0] != WIRE_NO_TIME ||
				    echo->tx[1] != WIRE_NO_TIME))
			return WIRE_BAD_TIME;
	}
	return WIRE_GOOD;
}

static enum wire_fault wire_check_edge(const struct wire_edge *e, uint32_t from)
{
	if (!wire_is_id(e->peer) || e->peer <= from)
		return WIRE_BAD_ID;
	if (!wire_is_time(e->theta_ns))
		return WIRE_BAD_TIME;
	if (!wire_is_drift(e->drift_ppb) ||
	    !wire_is_within(e->delay_sum_ns, -WIRE_SPAN_MAX, WIRE_SPAN_MAX) ||
	    !wire_is_size(e->sigma_ns) || !wire_is_size(e->sigma_ppb) ||
	    !wire_is_size(e->bias_ns))
		return WIRE_BAD_NUMBER;
	return WIRE_GOOD;
}

static enum wire_fault wire_check_edges(const struct wire_edges *e,
					uint32_t from)
{
	enum wire_fault fault = WIRE_GOOD;
	int i;

	if (e->flags & ~WIRE_EDGES_FLAGS || e->window > WIRE_WINDOW_MAX ||
	    e->term > WIRE_WINDOW_MAX || !wire_is_leap(&e->leap) ||
	    !wire_is_step(e->utc_step) || !wire_is_tai(e->utc_tai))
		return WIRE_BAD_FIELD;
	if (!wire_is_time(e->middle_ns) || !wire_is_time(e->correction_ns) ||
	    !wire_is_time(e->utc_ns))
		return WIRE_BAD_TIME;
	if (!wire_is_size(e->std_ns) || !wire_is_drift(e->drift_ppb) ||
	    !wire_is_size(e->skew_ppb) || !wire_is_drift(e->utc_ppb) ||
	    !wire_is_size(e->utc_error_ns) || !wire_is_size(e->upper_utc_ns))
		return WIRE_BAD_NUMBER;
	for (i = 0; i < e->count && !fault; i++)
		fault = wire_check_edge(&e->edge[i], from);
	return fault;
}

static enum wire_fault wire_check_row(const struct wire_row *row)
{
	if (!wire_is_id(row->id))
		return WIRE_BAD_ID;
	if (row->flags & ~WIRE_ROW_FLAGS)
		return WIRE_BAD_FIELD;
	if (!wire_is_time(row->at_ns) || !wire_is_time(row->offset_ns))
		return WIRE_BAD_TIME;
	if (!wire_is_drift(row->drift_ppb) || !wire_is_size(row->std_ns) ||
	    !wire_is_size(row->std_ppb) || !wire_is_size(row->bias_ns) ||
	    !wire_is_size(row->asymmetry_ns))
		return WIRE_BAD_NUMBER;
	return WIRE_GOOD;
}

static enum wire_fault wire_check_solution(const struct wire_solution *s)
{
	enum wire_fault fault = WIRE_GOOD;
	int i;

	if (s->flags & ~WIRE_SOLUTION_FLAGS || s->part >= s->parts || s->window > WIRE_WINDOW_MAX ||
	    s->term > WIRE_WINDOW_MAX || !s->timeline || !s->hosts ||
	    s->hosts > WIRE_ID_MAX || !wire_is_leap(&s->leap))
		return WIRE_BAD_FIELD;
	if (s->reference > WIRE_ID_MAX)
		return WIRE_BAD_ID;
	if (!wire_is_time(s->schedule_ns))
		return WIRE_BAD_TIME;
	if (!wire_is_drift(s->schedule_ppb) || !wire_is_size(s->frame_ns) ||
	    !wire_is_size(s->frame_ppb) || !wire_is_size(s->utc_error_ns) ||
	    !wire_is_size(s->upper_error_ns))
		return WIRE_BAD_NUMBER;
	for (i = 0; i < s->count && !fault; i++)
		fault = wire_check_row(&s->row[i]);
	return fault;
}

static enum wire_fault wire_check_hello(const struct wire_hello *h)
{
	if (h->flags & ~WIRE_HELLO_FLAGS || !wire_is_kind(h->stamps) ||
	    h->term > WIRE_WINDOW_MAX)
		return WIRE_BAD_FIELD;
	if (h->leader > WIRE_ID_MAX)
		return WIRE_BAD_ID;
	if (h->window_ns <= 0 || h->window_ns > WIRE_TIME_MAX ||
	    !wire_is_time(h->schedule_ns))
		return WIRE_BAD_TIME;
	return WIRE_GOOD;
}

static enum wire_fault wire_check_envelope(const struct wire_envelope *e)
{
	int i;

	if (!wire_is_kind(e->stamps) || e->window > WIRE_WINDOW_MAX)
		return WIRE_BAD_FIELD;
	for (i = 0; i < e->count; i++)
		if (!wire_is_time(e->point[i].t) ||
		    !wire_is_time(e->point[i].delay))
			return WIRE_BAD_TIME;
	return WIRE_GOOD;
}

/**
 * struct wire_head - what all messages begin with
 * @magic: WIRE_MAGIC
 * @version: WIRE_VERSION
 * @type: enum wire_type
 * @small: two numbers that are each type's own
 * @from: id
 */
struct wire_head {
	uint32_t	magic;
	uint8_t		version;
	uint8_t		type;
	uint8_t		small[2];
	uint32_t	from;
};

static void wire_fields_head(struct wire_cursor *c, struct wire_head *head)
{
	wire_u32(c, &head->magic);
	wire_u8(c, &head->version);
	wire_u8(c, &head->type);
	wire_u8(c, &head->small[0]);
	wire_u8(c, &head->small[1]);
	wire_u32(c, &head->from);
}

/* How long a message with this head is, or 0 if there is none such. */
static size_t wire_bytes(const struct wire_head *head)
{
	uint8_t count = head->small[0];

	switch (head->type) {
	case WIRE_PROBE:
		return WIRE_PROBE_BYTES;
	case WIRE_EDGE:
		return count > WIRE_EDGES_MAX ? 0 :
			WIRE_EDGES_BYTES + count * WIRE_EDGE_BYTES;
	case WIRE_SOLUTION:
		return !count || count > WIRE_ROWS_MAX ? 0 :
			WIRE_SOLUTION_BYTES + count * WIRE_ROW_BYTES;
	case WIRE_HELLO:
		return WIRE_HELLO_BYTES;
	default:
		return !count || count > WIRE_POINTS_MAX ? 0 :
			WIRE_ENVELOPE_BYTES + count * WIRE_POINT_BYTES;
	}
}

static void wire_small_to(struct wire_message *m, const uint8_t small[2])
{
	switch (m->type) {
	case WIRE_PROBE:
		m->probe.index = small[0] & ~WIRE_PROBE_BURST;
		m->probe.burst = small[0] & WIRE_PROBE_BURST;
		m->probe.stamps = small[1];
		break;
	case WIRE_EDGE:
		m->edges.count = small[0];
		m->edges.flags = small[1];
		break;
	case WIRE_SOLUTION:
		m->solution.count = small[0];
		m->solution.flags = small[1];
		break;
	case WIRE_HELLO:
		m->hello.flags = small[0];
		m->hello.stamps = small[1];
		break;
	case WIRE_ENVELOPE:
		m->envelope.count = small[0];
		m->envelope.stamps = small[1];
		break;
	}
}

static void wire_small_of(const struct wire_message *m, uint8_t small[2])
{
	small[0] = 0;
	small[1] = 0;
	switch (m->type) {
	case WIRE_PROBE:
		small[0] = m->probe.index | (m->probe.burst ? WIRE_PROBE_BURST : 0);
		small[1] = m->probe.stamps;
		break;
	case WIRE_EDGE:
		small[0] = m->edges.count;
		small[1] = m->edges.flags;
		break;
	case WIRE_SOLUTION:
		small[0] = m->solution.count;
		small[1] = m->solution.flags;
		break;
	case WIRE_HELLO:
		small[0] = m->hello.flags;
		small[1] = m->hello.stamps;
		break;
	case WIRE_ENVELOPE:
		small[0] = m->envelope.count;
		small[1] = m->envelope.stamps;
		break;
	}
}

static void wire_fields(struct wire_cursor *c, struct wire_message *m)
{
	switch (m->type) {
	case WIRE_PROBE:
		wire_fields_probe(c, &m->probe);
		break;
	case WIRE_EDGE:
		wire_fields_edges(c, &m->edges);
		break;
	case WIRE_SOLUTION:
		wire_fields_solution(c, &m->solution);
		break;
	case WIRE_HELLO:
		wire_fields_hello(c, &m->hello);
		break;
	case WIRE_ENVELOPE:
		wire_fields_envelope(c, &m->envelope);
		break;
	}
}

static enum wire_fault wire_check(const struct wire_message *m)
{
	switch (m->type) {
	case WIRE_PROBE:
		return wire_check_probe(&m->probe);
	case WIRE_EDGE:
		return wire_check_edges(&m->edges, m->from);
	case WIRE_SOLUTION:
		return wire_check_solution(&m->solution);
	case WIRE_HELLO:
		return wire_check_hello(&m->hello);
	case WIRE_ENVELOPE:
		return wire_check_envelope(&m->envelope);
	}
	return WIRE_OTHER_TYPE;
}

enum wire_fault wire_parse(const void *data, size_t len,
			   struct wire_message *message)
{
	struct wire_cursor c = { .at = (uint8_t *)data };
	struct wire_head head;

	if (len < WIRE_HEAD_BYTES)
		return WIRE_SHORT;
	wire_fields_head(&c, &head);
	if (head.magic != WIRE_MAGIC)
		return WIRE_STRANGE;
	if (head.version != WIRE_VERSION)
		return WIRE_OTHER_VERSION;
	if (head.type < WIRE_PROBE || head.type > WIRE_ENVELOPE)
		return WIRE_OTHER_TYPE;
	if (!wire_is_id(head.from))
		return WIRE_BAD_ID;
	if (!wire_bytes(&head))
		return WIRE_BAD_FIELD;
	if (len != wire_bytes(&head))
		return WIRE_BAD_LENGTH;
	message->type = head.type;
	message->from = head.from;
	wire_small_to(message, head.small);
	wire_fields(&c, message);
	return wire_check(message);
}

size_t wire_write(const struct wire_message *message, void *bytes)
{
	struct wire_cursor c = { .at = bytes, .writing = true };
	struct wire_head head = { .magic = WIRE_MAGIC, .version = WIRE_VERSION,
				  .type = message->type,
				  .from = message->from };
	struct wire_message again = *message;
	size_t len;

	wire_small_of(message, head.small);
	len = message->type >= WIRE_PROBE && message->type <= WIRE_ENVELOPE ?
		wire_bytes(&head) : 0;
	if (!len)
		return 0;
	wire_fields_head(&c, &head);
	wire_fields(&c, &again);
	return wire_parse(bytes, len, &again) == WIRE_GOOD ? len : 0;
}

const char *wire_fault_name(enum wire_fault fault)
{
	static const char *const names[WIRE_FAULTS] = {
		"good", "short", "magic", "version", "type", "id", "length",
		"field", "time", "number",
	};

	return fault < WIRE_FAULTS ? names[fault] : "fault";
}
