/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The five messages of the mesh, to bytes and back.  docs/wire.md has the
 * tables.
 *
 * Without side effects: no socket, no clock, no memory but the caller's.  A message that is
 * read is within the ranges below: a number that is infinite or none, and a length
 * that does not fit, are refused.  Writing the message that was read gives the same
 * bytes.
 */
#ifndef HUYGENS_WIRE_H
#define HUYGENS_WIRE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../algo/leap.h"

#define WIRE_MAGIC		0x48474c54	/* "HGLT" */
#define WIRE_VERSION		1
/* With the trailer it fits the least MTU of IPv6, 1280 less 40 and 8. */
#define WIRE_MAX_BYTES		1200
#define WIRE_HEAD_BYTES		12
#define WIRE_PROBE_BYTES	64
#define WIRE_ID_MAX		65535
#define WIRE_POINTS_MAX		64
#define WIRE_EDGES_MAX		16
#define WIRE_ROWS_MAX		17
#define WIRE_ECHOES		2
/* In the first small number of a probe, with the index. */
#define WIRE_PROBE_BURST	2

/* No time or difference is longer, either way: 73 years; sums of four fit. */
#define WIRE_TIME_MAX		((int64_t)1 << 61)
/* A stamp that was lost. */
#define WIRE_NO_TIME		INT64_MIN
#define WIRE_WINDOW_MAX		(UINT64_MAX / 4)
#define WIRE_DRIFT_MAX		1e7		/* ppb */
#define WIRE_SPAN_MAX		1e12		/* ns */

/** enum wire_type - what a message is */
enum wire_type {
	WIRE_PROBE = 1,
	WIRE_EDGE,
	WIRE_SOLUTION,
	WIRE_HELLO,
	WIRE_ENVELOPE,
};

/** enum wire_stamps - where stamps are taken */
enum wire_stamps {
	WIRE_SOFTWARE = 1,
	WIRE_HARDWARE,
	WIRE_HARDWARE_RECEIVE,	/* a NIC's of what comes, software's of what is sent */
};

/**
 * enum wire_fault - why a datagram was not taken; the first that applies
 * @WIRE_GOOD: it was
 * @WIRE_SHORT: no head fits
 * @WIRE_STRANGE: another magic
 * @WIRE_OTHER_VERSION: another version
 * @WIRE_OTHER_TYPE: a type that is not known
 * @WIRE_BAD_ID: a host's id is 0 or above WIRE_ID_MAX
 * @WIRE_BAD_LENGTH: not as long as its head says
 * @WIRE_BAD_FIELD: an enumeration, a flag or a count out of range
 * @WIRE_BAD_TIME: a time out of range
 * @WIRE_BAD_NUMBER: a number that is none, or out of range
 * @WIRE_FAULTS: how many there are
 */
enum wire_fault {
	WIRE_GOOD,
	WIRE_SHORT,
	WIRE_STRANGE,
	WIRE_OTHER_VERSION,
	WIRE_OTHER_TYPE,
	WIRE_BAD_ID,
	WIRE_BAD_LENGTH,
	WIRE_BAD_FIELD,
	WIRE_BAD_TIME,
	WIRE_BAD_NUMBER,
	WIRE_FAULTS,
};

/**
 * struct wire_echo - the Tx stamps of an earlier pair
 * @pair: its number; 0: there is none
 * @tx: sender's local time of each probe, ns, or WIRE_NO_TIME
 */
struct wire_echo {
	uint32_t	pair;
	int64_t		tx[2];
};

/**
 * struct wire_probe - one of a pair
 * @index: 0 or 1
 * @burst: the sender requests a burst: probes at the shorter interval
 * @stamps: enum wire_stamps, of the sender
 * @pair: number of the pair, from 1, to this neighbour
 * @window: number of the sender's window
 * @echo: the two pairs before, the latest first: stamps are known after sending
 */
struct wire_probe {
	uint8_t			index;
	bool			burst;
	uint8_t			stamps;
	uint32_t		pair;
	uint64_t		window;
	struct wire_echo	echo[WIRE_ECHOES];
};

/**
 * struct wire_point - of an envelope
 * @t: when, owner's local time, ns
 * @delay: receiver's stamp less sender's, ns
 */
struct wire_point {
	int64_t	t;
	int64_t	delay;
};

/**
 * struct wire_envelope - one direction of an edge, from the other end to its owner
 * @stamps: enum wire_stamps, of the host that sends this
 * @count: points, 1 to WIRE_POINTS_MAX
 * @window: in which they were gathered
 * @pairs: pairs that came
 * @samples: that passed the pair filter, of which these are the lowest
 * @hulls: struct envelope has them
 * @point: the points
 */
struct wire_envelope {
	uint8_t			stamps;
	uint8_t			count;
	uint64_t		window;
	uint32_t		pairs;
	uint32_t		samples;
	uint32_t		hulls;
	struct wire_point	point[WIRE_POINTS_MAX];
};

/**
 * struct wire_edge - what an owner found of an edge
 * @peer: id of the other end, above the owner's
 * @why: enum edge_verdict; 0: valid
 * @theta_ns: clock of @peer less the owner's, in the middle of the window
 * @drift_ppb: its slope, within WIRE_DRIFT_MAX either way
 * @delay_sum_ns: sum of the least delays, within WIRE_SPAN_MAX either way
 * @sigma_ns: standard deviation of @theta_ns, 0 to WIRE_SPAN_MAX
 * @sigma_ppb: that of @drift_ppb, 0 to WIRE_SPAN_MAX
 * @bias_ns: what its samples leave open, 0 to WIRE_SPAN_MAX
 * @out: samples from the owner to @peer
 * @in: and back
 */
struct wire_edge {
	uint32_t	peer;
	uint32_t	why;
	int64_t		theta_ns;
	double		drift_ppb;
	double		delay_sum_ns;
	double		sigma_ns;
	double		sigma_ppb;
	double		bias_ns;
	uint32_t	out;
	uint32_t	in;
};

/* wire_edges.flags */
#define WIRE_EDGES_TRACKED	1	/* the correction counts */
#define WIRE_EDGES_UTC		2	/* the way to UTC counts */
#define WIRE_EDGES_UPPER_UTC	4	/* @upper_utc_ns counts */
#define WIRE_EDGES_FLAGS	7

/*
 * The last bit of a timeline: UTC was not known in it so far.  Two that differ
 * by it alone are the same common time.
 */
#define WIRE_TIMELINE_NO_UTC	1

/**
 * wire_timeline() - which common time it is
 * @timeline: as a message has it, not 0
 *
 * Return: the same, whether UTC was known in it or not.
 */
static inline uint32_t wire_timeline(uint32_t timeline)
{
	return timeline | WIRE_TIMELINE_NO_UTC;
}

/**
 * struct wire_edges - a host's report to the coordinator
 * @count: edges, 0 to WIRE_EDGES_MAX; a host without has to report, too
 * @flags: WIRE_EDGES_*
 * @window: of which
 * @term: of the coordinator, as the host knows it
 * @middle_ns: host's local time in the middle of the window
 * @correction_ns: the host's correction then, by what it knew before
 * @std_ns: standard deviation of that, 0 to WIRE_SPAN_MAX
 * @drift_ppb: its slope
 * @skew_ppb: standard deviation of @drift_ppb, 0 to WIRE_SPAN_MAX
 * @utc_ns: what makes UTC of the host's local time then
 * @utc_ppb: its slope
 * @utc_error_ns: bound of the error of that, 0 to WIRE_SPAN_MAX
 * @timeline: the common time that @correction_ns leads to
 * @leap: UTC in it
 * @utc_step: the kernel's announcement for the end of the day: 1 inserts a second, -1 deletes
 *	one
 * @utc_tai: TAI less UTC, s, as the kernel has it; 0: it was not told
 * @upper: epoch of the upper mesh, whose common time takes the place of UTC in @utc_ns, and
 *	whose @leap this is; 0: there is none
 * @upper_utc_ns: how far that common time may be from UTC, 0 to WIRE_SPAN_MAX
 * @edge: the edges that it owns
 */
struct wire_edges {
	uint8_t			count;
	uint8_t			flags;
	uint64_t		window;
	uint64_t		term;
	int64_t			middle_ns;
	int64_t			correction_ns;
	double			std_ns;
	double			drift_ppb;
	double			skew_ppb;
	int64_t			utc_ns;
	double			utc_ppb;
	double			utc_error_ns;
	uint32_t		timeline;
	struct leap		leap;
	int8_t			utc_step;
	uint16_t		utc_tai;
	uint32_t		upper;
	double			upper_utc_ns;
	struct wire_edge	edge[WIRE_EDGES_MAX];
};

/* wire_solution.flags */
#define WIRE_SOLUTION_UTC	1	/* @utc_error_ns counts */
#define WIRE_SOLUTION_FLAGS	1

/* wire_row.flags */
#define WIRE_ROW_SOLVED		1	/* the numbers count */
#define WIRE_ROW_FLAGS		1

/**
 * struct wire_row - a host in a solution
 * @id: the host
 * @flags: WIRE_ROW_*
 * @at_ns: the solution's instant in the host's local time
 * @offset_ns: its correction then
 * @drift_ppb: slope of that
 * @std_ns: standard deviation by the network effect, 0 to WIRE_SPAN_MAX
 * @std_ppb: that of @drift_ppb, 0 to WIRE_SPAN_MAX
 * @bias_ns: what its edges leave open, 0 to WIRE_SPAN_MAX
 * @asymmetry_ns: what directions that differ may add to the error, 0 to WIRE_SPAN_MAX
 */
struct wire_row {
	uint32_t	id;
	uint32_t	flags;
	int64_t		at_ns;
	int64_t		offset_ns;
	double		drift_ppb;
	double		std_ns;
	double		std_ppb;
	double		bias_ns;
	double		asymmetry_ns;
};

/**
 * struct wire_solution - from the coordinator to a host
 * @count: rows, 1 to WIRE_ROWS_MAX; the host's is in one of the parts
 * @flags: WIRE_SOLUTION_*
 * @part: 0 to @parts - 1
 * @parts: datagrams of this solution
 * @term: of the coordinator
 * @window: that was solved
 * @schedule_ns: its instant in the time that windows are counted in
 * @schedule_ppb: how much faster than the common time that runs
 * @timeline: wire_timeline() is equal as long as the common time was continued;
 *	not 0
 * @reference: id, or 0 for the mean
 * @hosts: in the solution
 * @frame_ns: by how much the common time may have left the one before, 0 to
 *	WIRE_SPAN_MAX
 * @frame_ppb: and its rate
 * @utc_error_ns: how far the common time may be from UTC, 0 to WIRE_SPAN_MAX
 * @leap: UTC in the common time
 * @upper: epoch of the upper mesh; 0: there is none, or it is not known
 * @upper_error_ns: how far the common time may be from that of the upper mesh, 0 to
 *	WIRE_SPAN_MAX
 * @row: the rows
 */
struct wire_solution {
	uint8_t		count;
	uint8_t		flags;
	uint16_t	part;
	uint16_t	parts;
	uint64_t	term;
	uint64_t	window;
	int64_t		schedule_ns;
	double		schedule_ppb;
	uint32_t	timeline;
	uint32_t	reference;
	uint32_t	hosts;
	double		frame_ns;
	double		frame_ppb;
	double		utc_error_ns;
	struct leap	leap;
	uint32_t	upper;
	double		upper_error_ns;
	struct wire_row	row[WIRE_ROWS_MAX];
};

/* wire_hello.flags */
#define WIRE_HELLO_ALIGNED	1	/* @schedule_ns counts */
#define WIRE_HELLO_LEADER	2	/* the sender coordinates */
#define WIRE_HELLO_CANDIDATE	4	/* it may */
#define WIRE_HELLO_CHANGED	8	/* its list in force was another until lately */
#define WIRE_HELLO_FLAGS	15

/**
 * struct wire_hello - a host lives
 * @flags: WIRE_HELLO_*
 * @stamps: enum wire_stamps
 * @term: the latest that it has received
 * @leader: id of the coordinator as it knows; 0: none
 * @membership: checksum of the list of hosts in force
 * @files: digest of the list and keys in its files, which may not be in force yet
 * @window_ns: length of a window, not 0
 * @schedule_ns: the time that windows are counted in, when this was sent
 */
struct wire_hello {
	uint8_t		flags;
	uint8_t		stamps;
	uint64_t	term;
	uint32_t	leader;
	uint32_t	membership;
	uint32_t	files;
	int64_t		window_ns;
	int64_t		schedule_ns;
};

/**
 * struct wire_message - any message
 * @type: enum wire_type; which of the union
 * @from: id of the host that sent it
 * @probe: of WIRE_PROBE
 * @edges: of WIRE_EDGE
 * @solution: of WIRE_SOLUTION
 * @hello: of WIRE_HELLO
 * @envelope: of WIRE_ENVELOPE
 */
struct wire_message {
	enum wire_type	type;
	uint32_t	from;
	union {
		struct wire_probe	probe;
		struct wire_edges	edges;
		struct wire_solution	solution;
		struct wire_hello	hello;
		struct wire_envelope	envelope;
	};
};

/**
 * wire_parse() - read a message
 * @data: the bytes
 * @len: how many, exactly
 * @message: filled; nothing in it counts unless the result is WIRE_GOOD
 *
 * Return: what is wrong.
 */
enum wire_fault wire_parse(const void *data, size_t len,
			   struct wire_message *message);

/**
 * wire_write() - write a message
 * @message: the message
 * @bytes: WIRE_MAX_BYTES
 *
 * Return: bytes written, or 0 if the message would not be read.
 */
size_t wire_write(const struct wire_message *message, void *bytes);

/**
 * wire_fault_name() - name of a fault
 * @fault: enum wire_fault
 *
 * Return: "length" and such.
 */
const char *wire_fault_name(enum wire_fault fault);

#endif /* HUYGENS_WIRE_H */
