/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A host of the mesh: probes, windows, reports, solutions, the coordinator's
 * work when it is this host's turn.  Each window goes through
 *
 *	its end		probes of the next one are under way
 *	+ settle	the last stamps have come: envelopes, sent to owners
 *	+ hop		lines of the edges, reports to the coordinator
 *	+ hop		the network effect, solutions to hosts
 *
 * and all that is sent in a window is sent once more half a hop later.
 *
 * Without side effects: time comes with each call, in raw time, by which timers run and which is
 * never stepped, and in local time, in which stamps are.  It acts through struct
 * mesh_ops.  So a test runs a whole mesh in one process.
 */
#ifndef HUYGENS_MESH_H
#define HUYGENS_MESH_H

#include <stdbool.h>
#include <stdint.h>

#include "../algo/election.h"
#include "agent.h"
#include "change.h"
#include "coordinator.h"
#include "host_clock.h"
#include "schedule.h"
#include "transport.h"
#include "prober.h"

/**
 * struct mesh_now - what time it is
 * @raw_ns: CLOCK_MONOTONIC_RAW
 * @local_ns: local time
 */
struct mesh_now {
	int64_t	raw_ns;
	int64_t	local_ns;
};

/**
 * struct mesh_utc - UTC, as this host has it
 * @line: correction that makes UTC of local time
 * @error_ns: bound of the clock's error that is known of it, 0 or more; [coordinator]
 *	utc_error replaces it
 * @read_ns: bound of the error of reading it, 0 or more, which is added to either
 * @step: a leap second that is announced for the end of the day: 1 inserted, -1 deleted
 * @tai: TAI less UTC, s; 0: not known
 * @upper: epoch of the upper mesh: @line makes its common time, @error_ns is the bound of that,
 *	and the next two count instead of @step and @tai; 0: there is no upper mesh
 * @leap: UTC in that common time
 * @upper_utc_ns: how far it may be from UTC; INFINITY: not known
 */
struct mesh_utc {
	struct line	line;
	double		error_ns;
	double		read_ns;
	int8_t		step;
	uint16_t	tai;
	uint32_t	upper;
	struct leap	leap;
	double		upper_utc_ns;
};

/** enum mesh_event - what became of other files */
enum mesh_event {
	MESH_UNCHANGED,	/* list and keys are what they were, but for names */
	MESH_PENDING,	/* they are accepted beside those in force */
	MESH_REVERTED,	/* those in force were read again, before others took their place */
	MESH_EXPIRED,	/* hosts that stay have other files, for too long: the next event is */
	MESH_TAKEN,	/* those that were pending are alone in force */
};

/**
 * struct mesh_ops - what a mesh wants done
 * @transport: datagrams
 * @space: let so much time pass, between the probes of a pair
 * @utc: UTC; false: not known
 * @line: the slewed correction has a new line, or none any more
 * @solved: a window is through, with a solution for this host or without
 * @fall_back: the NIC's stamps are not usable, for a reason: software from now on;
 *	local time goes on from where it is, at another rate
 * @handed: local time when a probe was given to the kernel, as transport_ops.probe
 *	reports it, or WIRE_NO_TIME
 * @driver: whether the driver stamps what is sent has changed
 * @changed: other files were read, or their turn has come; hosts have other indices
 * @behind: the others are suddenly ahead by so much more: local time stood still
 */
struct mesh_ops {
	struct transport_ops	transport;
	void (*space)(void *data, int64_t ns);
	bool (*utc)(void *data, struct mesh_utc *utc);
	void (*line)(void *data);
	void (*solved)(void *data);
	void (*fall_back)(void *data, const char *why);
	int64_t (*handed)(void *data, int64_t left_ns);
	void (*driver)(void *data, bool stamps);
	void (*behind)(void *data, int64_t ns);
	void (*changed)(void *data, enum mesh_event event);
};

/**
 * struct mesh_timestamps - what becomes of stamps
 * @sent: probes
 * @left: of them, those that the driver took, as their software stamps tell
 * @come: stamps of probes, of the kind that is used
 * @received: probes that came
 * @bare: of them, those without a stamp of that kind
 */
struct mesh_timestamps {
	uint64_t	sent;
	uint64_t	left;
	uint64_t	come;
	uint64_t	received;
	uint64_t	bare;
};

/** enum mesh_phase - what is next of the window that is worked on */
enum mesh_phase {
	MESH_CLOSE,
	MESH_ENVELOPES,
	MESH_REPORT,
	MESH_REPORT_AGAIN,
	MESH_SOLVE,
	MESH_PHASES,
};

/**
 * struct mesh - the host
 * @conf: the configuration
 * @list: of members, in force
 * @next: that is pending; none: no change is
 * @keys: in force, the first signs
 * @next_keys: that are pending
 * @change: how far that is
 * @membership: hosts and edges, of both lists
 * @count: what happened
 * @transport: messages
 * @schedule: windows
 * @prober: probes out
 * @agent: probes in
 * @coordinator: space for the work, if this host is a candidate, of either list
 * @is_candidate: it is, of the list in force
 * @host_clock: this host's correction
 * @election: the election
 * @verdict: same
 * @stamps: of this host
 * @reference: id of the host from which the last solution takes its reference; 0: none
 * @hosts: in the last solution
 * @window: that is worked on
 * @phase: what is next
 * @invalid: highest window in which a clock was stepped
 * @has_invalid: there was one
 * @hello_ns: raw time of the next HELLO
 * @hellos: how many there were
 * @next_to_send: index of the next host to send the solution to
 * @repeats: times that it is still to be sent to all
 * @distribute_ns: raw time of the next
 * @timestamps: of stamps, ever
 * @timestamps_before: the same when the window before ended
 * @handing: Tx stamps are when probes were given to the kernel, as the driver has none
 * @burst: this host requests bursts of probes, as its clock is not known well
 * @burst_more: windows for which it requests them as root asked
 * @burst_windows: windows since it was known well, as long as they count
 * @ops: functions of the caller
 * @data: for @ops
 */
struct mesh {
	const struct huygens_conf	*conf;
	struct member_list		list;
	struct member_list		next;
	struct auth_keys		keys;
	struct auth_keys		next_keys;
	struct change			change;
	struct membership		membership;
	struct count			count;
	struct transport		transport;
	struct schedule			schedule;
	struct prober			prober;
	struct agent			agent;
	struct coordinator		coordinator;
	bool				is_candidate;
	struct host_clock		host_clock;
	struct election			election;
	struct election_verdict		verdict;
	enum wire_stamps		stamps;
	uint32_t			reference;
	uint32_t			hosts;
	uint64_t			window;
	enum mesh_phase			phase;
	uint64_t			invalid;
	bool				has_invalid;
	int64_t				hello_ns;
	uint64_t			hellos;
	uint32_t			next_to_send;
	uint32_t			repeats;
	int64_t				distribute_ns;
	struct mesh_timestamps		timestamps;
	struct mesh_timestamps		timestamps_before;
	bool				handing;
	bool				burst;
	uint32_t			burst_more;
	uint32_t			burst_windows;
	const struct mesh_ops		*ops;
	void				*data;
};

/**
 * struct mesh_begin - what a mesh is made of
 * @conf: the configuration, identified; must live as long
 * @keys: of messages
 * @session: of this daemon: seconds of the clock when it began
 * @seed: of chance
 * @stamps: of this host; with WIRE_HARDWARE local time is a NIC's
 * @ops: functions of the caller
 * @data: for @ops
 */
struct mesh_begin {
	const struct huygens_conf	*conf;
	const struct auth_keys		*keys;
	uint32_t			session;
	uint64_t			seed;
	enum wire_stamps		stamps;
	const struct mesh_ops		*ops;
	void				*data;
};

/**
 * mesh_check() - can each host of a mesh keep within 3 Mbit/s, the coordinator too?
 * @conf: a configuration
 * @path: its file
 * @error: filled if not
 *
 * Return: 0, or -1.
 */
int mesh_check(const struct huygens_conf *conf, const char *path,
	       struct conf_error *error);

/**
 * mesh_make() - begin
 * @mesh: filled; mesh_free() it
 * @begin: what it is made of
 * @now: time
 *
 * Return: 0, or -1 without memory.
 */
int mesh_make(struct mesh *mesh, const struct mesh_begin *begin,
	      const struct mesh_now *now);

/**
 * mesh_run() - do what is due
 * @mesh: the host
 * @now: time
 *
 * Return: raw time when it wants to be called again.
 */
int64_t mesh_run(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_receive() - a datagram came
 * @mesh: the host
 * @now: time
 * @from: address that it came from
 * @bytes: the datagram
 * @len: its length
 * @rx_ns: its stamp, local time, or WIRE_NO_TIME
 */
void mesh_receive(struct mesh *mesh, const struct mesh_now *now,
		  const union conf_address *from, const void *bytes, size_t len,
		  int64_t rx_ns);

/**
 * mesh_left() - a probe's software stamp came, with a NIC's or without one
 * @mesh: the host
 *
 * Without a carrier the kernel takes probes, and no stamp of either kind comes:
 * which says nothing of the NIC.
 */
void mesh_left(struct mesh *mesh);

/**
 * mesh_stamp() - a probe's Tx stamp came
 * @mesh: the host
 * @key: its number
 * @tx_ns: local time
 */
void mesh_stamp(struct mesh *mesh, uint32_t key, int64_t tx_ns);

/**
 * mesh_invalidate() - a clock was stepped: the window is invalid
 * @mesh: the host
 * @now: time
 * @shift_ns: by how much local time itself was; 0: it was not
 */
void mesh_invalidate(struct mesh *mesh, const struct mesh_now *now,
		     int64_t shift_ns);

/**
 * mesh_wake() - the machine was suspended, or disrupted: nothing that was known holds
 * @mesh: the host
 * @now: time, by which local time went on
 * @shift_ns: by how much local time was stepped besides
 */
void mesh_wake(struct mesh *mesh, const struct mesh_now *now, int64_t shift_ns);

/**
 * mesh_reset() - nothing that was known is to be used any more
 * @mesh: the host
 * @now: time
 *
 * The clocks were not stepped: the host stays in its window, and in touch with the others.
 */
void mesh_reset(struct mesh *mesh, const struct mesh_now *now);

/* So many windows mesh_burst() is for: of so many an edge's line may be. */
#define MESH_BURST_MORE	EDGE_HISTORY_WINDOWS

/**
 * mesh_burst() - request bursts of probes, and send them, for MESH_BURST_MORE windows
 * @mesh: the host
 * @now: time
 */
void mesh_burst(struct mesh *mesh, const struct mesh_now *now);

/**
 * mesh_fall_back() - the NIC's stamps are not usable: software from now on
 * @mesh: the host, with hardware stamps
 * @now: time
 * @why: the log's remark on it: the NIC "does not stamp", as it were
 *
 * Local time that was a NIC's has another rate then, and nothing that was known holds.
 */
void mesh_fall_back(struct mesh *mesh, const struct mesh_now *now,
		    const char *why);

/**
 * mesh_change() - other files were read: a list of members and keys, beside those in force
 * @mesh: the host
 * @conf: a configuration of this host, which need not live as long
 * @keys: of its file of keys
 * @now: time
 * @path: of the configuration, for messages
 * @error: filled if it fails
 *
 * Whatever else a configuration has is for mesh_reload().  Files with what was read the last
 * time change nothing.
 *
 * Return: 0, or -1, and then nothing has changed: an id or the number of a key would mean
 * another one, there are too many keys, or no memory.
 */
int mesh_change(struct mesh *mesh, const struct huygens_conf *conf,
		const struct auth_keys *keys, const struct mesh_now *now, const char *path,
		struct conf_error *error);

/**
 * mesh_reload() - a new configuration, but for hosts and keys
 * @mesh: the host
 * @conf: the configuration, in place of the one before
 */
void mesh_reload(struct mesh *mesh, const struct huygens_conf *conf);

/**
 * mesh_report_utc() - UTC of a host, or the upper mesh's time in its place, in its report
 * @utc: as the host has it
 * @utc_error_ns: [coordinator] utc_error
 * @head: beginning of the report, with its middle_ns
 */
void mesh_report_utc(const struct mesh_utc *utc, int64_t utc_error_ns, struct wire_edges *head);

/**
 * mesh_count() - bring counters up to date that are kept elsewhere
 * @mesh: the host
 */
void mesh_count(struct mesh *mesh);

/**
 * mesh_free() - end
 * @mesh: the host
 */
void mesh_free(struct mesh *mesh);

#endif /* HUYGENS_MESH_H */
