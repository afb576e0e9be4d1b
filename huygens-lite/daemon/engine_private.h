/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The daemon, for the files engine*.c only.
 */
#ifndef HUYGENS_ENGINE_PRIVATE_H
#define HUYGENS_ENGINE_PRIVATE_H

#include "../../lib/daemon.h"
#include "../ctl/status.h"
#include "../net/mesh.h"
#include "../net/socket.h"
#include "../net/suspend.h"
#include "../net/upper_clock.h"
#include "../net/utc_clock.h"
#include "../net/vmclock.h"
#include "../out/output.h"
#include "device.h"
#include "engine.h"
#include "report.h"

#define ENGINE_NS		1000000000LL
/* Maximum interval between two readings of the clocks. */
#define ENGINE_SAMPLE_NS	100000000
/* Intervals at which the kernel gets the line of a NIC's clock, and the file the drift. */
#define ENGINE_DEVICE_NS	ENGINE_NS
#define ENGINE_DRIFT_NS		(3600 * ENGINE_NS)
/* Interval at which a clock device that is gone is looked for. */
#define ENGINE_PHC_NS		(10 * ENGINE_NS)
/* Interval at which the line of an upper mesh is looked for. */
#define ENGINE_UPPER_NS		ENGINE_NS

/** enum engine_source - source of an event, in addition to enum daemon_source */
enum engine_source {
	ENGINE_OUTPUT = DAEMON_OWN,
};

/**
 * struct engine - the daemon
 * @path: of the configuration
 * @debug: simulated errors
 * @conf: the configuration
 * @local: addresses of this host, allocated
 * @n_local: how many
 * @socket: of the mesh
 * @clock: local time
 * @suspend: whether the machine was
 * @vmclock: whether the virtual machine was disrupted
 * @utc_clock: clock device from which this host takes UTC
 * @upper: common time of the upper mesh
 * @upper_reader: of its line file, or closed
 * @upper_error: of the last reading, 0 or a negative errno
 * @upper_epoch: of it; 0: it failed
 * @device: the NIC, for the kernel
 * @link: the device that stamps, if it has values of its own; NULL: it has not
 * @mesh: the host
 * @output: where the clock goes
 * @report: snapshots
 * @source: of snapshots for huygensctl
 * @daemon: control socket, signals, and the timer, which is for whatever is due
 * @sample_ns: raw time when the clocks are to be read
 * @socket_ns: raw time when the socket is to be emptied
 * @device_ns: raw time when the NIC's clock is published next
 * @phc_ns: raw time when a clock device that is gone is looked for
 * @upper_ns: raw time when a line file that is gone is looked for
 * @drift_ns: raw time when the drift is written
 * @line_ns: raw time when the output is updated next, as the slewed correction turns or what
 *	it received goes stale
 * @epoch: of the common time that was logged last; 0: none was
 * @reference: host whose UTC was logged last; 0: none was
 * @leap: of leap seconds, as it was logged last
 * @chance: state, for loss
 * @ready: the service manager was notified
 * @failing: the output failed the last time
 */
struct engine {
	const char		*path;
	struct engine_debug	debug;
	struct huygens_conf	conf;
	union conf_address	*local;
	size_t			n_local;
	struct mesh_socket	socket;
	struct local_clock	clock;
	struct suspend		suspend;
	struct vmclock		vmclock;
	struct utc_clock	utc_clock;
	struct upper_clock	upper;
	struct huygens_reader	upper_reader;
	int			upper_error;
	uint32_t		upper_epoch;
	struct device		device;
	const struct conf_link	*link;
	struct mesh		mesh;
	struct output		*output;
	struct report		report;
	struct status_source	source;
	struct daemon		daemon;
	int64_t			sample_ns;
	int64_t			socket_ns;
	int64_t			device_ns;
	int64_t			phc_ns;
	int64_t			upper_ns;
	int64_t			drift_ns;
	int64_t			line_ns;
	uint32_t		epoch;
	uint32_t		reference;
	struct leap		leap;
	uint64_t		chance;
	bool			ready;
	bool			failing;
	struct socket_packet	packet[SOCKET_BATCH];
	struct socket_stamp	stamp[SOCKET_BATCH];
};

/* Operations that the mesh calls. */
extern const struct mesh_ops engine_ops;

/**
 * engine_now() - the time of the last clock sample
 * @engine: the daemon
 *
 * Return: raw and local time.
 */
struct mesh_now engine_now(const struct engine *engine);

/**
 * engine_read() - read a clock of the system
 * @id: the clock
 *
 * Return: ns.
 */
int64_t engine_read(clockid_t id);

/**
 * engine_publishes_device() - check whether the kernel gets the line of a NIC's clock
 * @engine: the daemon
 *
 * Return: true in mode publish with hardware timestamps.
 */
bool engine_publishes_device(const struct engine *engine);

/**
 * engine_sample() - read the clocks of the system
 * @engine: the daemon
 *
 * Return: true if a clock was stepped, or the machine was suspended, since the last call;
 * the mesh has been notified.
 */
bool engine_sample(struct engine *engine);

/**
 * engine_sample_all() - read the clocks of the system and of the NIC
 * @engine: the daemon
 */
void engine_sample_all(struct engine *engine);

/**
 * engine_open_phc() - open the clock device from which this host takes UTC, if it has one
 * @engine: the daemon
 *
 * Without it the host goes on, and reports no UTC.
 */
void engine_open_phc(struct engine *engine);

/**
 * engine_sample_phc() - read that device
 * @engine: the daemon, whose clocks of the system were just sampled
 */
void engine_sample_phc(struct engine *engine);

/**
 * engine_sample_upper() - read the line of the upper mesh, if this host reports it
 * @engine: the daemon
 *
 * Without it the host goes on, and does not report it.
 */
void engine_sample_upper(struct engine *engine);

/**
 * engine_close_upper() - close that file
 * @engine: the daemon
 */
void engine_close_upper(struct engine *engine);

/**
 * engine_disruption() - give the output the last disruption of the virtual machine
 * @engine: the daemon
 */
void engine_disruption(struct engine *engine);

/**
 * engine_line() - give the output the line of the common time from now on
 * @data: the daemon
 */
void engine_line(void *data);

/**
 * engine_fill() - fill a snapshot for huygensctl
 * @status: filled
 * @data: the daemon
 */
void engine_fill(struct status *status, void *data);

/**
 * engine_asker_is_root() - is the client that asks root?
 * @data: the daemon
 *
 * Return: true if it is.
 */
bool engine_asker_is_root(void *data);

/**
 * engine_act() - do what root asked for
 * @action: what
 * @data: the daemon
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0, or -1.
 */
int engine_act(enum status_action action, void *data, char *why, size_t size);

/**
 * engine_reload() - read the configuration and the file of keys again; what it did is logged
 * @engine: the daemon
 * @why: filled if files are not accepted, and nothing has changed
 * @size: bytes of @why
 *
 * Return: 0, or -1.
 */
int engine_reload(struct engine *engine, char *why, size_t size);

/**
 * engine_socket_ns() - interval at which the socket is emptied
 * @engine: the daemon
 *
 * Return: ns.
 */
int64_t engine_socket_ns(const struct engine *engine);

/**
 * engine_tx() - correct a Tx timestamp for the latency to the wire
 * @engine: the daemon
 * @local_ns: the timestamp, local time
 *
 * Return: local time on the wire.
 */
int64_t engine_tx(const struct engine *engine, int64_t local_ns);

/**
 * engine_stamps() - take all Tx timestamps from the socket
 * @engine: the daemon
 */
void engine_stamps(struct engine *engine);

/**
 * engine_packets() - take all datagrams from the socket
 * @engine: the daemon
 */
void engine_packets(struct engine *engine);

#endif /* HUYGENS_ENGINE_PRIVATE_H */
