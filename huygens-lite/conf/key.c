// SPDX-License-Identifier: GPL-2.0
/*
 * Every key of the configuration: the one place for ranges and defaults.
 */
#include "../../lib/log.h"
#include "key.h"
#include "list.h"

#define NS	1LL
#define US	(1000 * NS)
#define MS	(1000 * US)
#define S	(1000 * MS)
#define PPB	1LL
#define PPM	(1000 * PPB)

#define FIELD(f)	offsetof(struct huygens_conf, f)
#define COUNT(f)	.kind = CONF_KEY_COUNT, .offset = FIELD(f)
#define TIME(f)		.kind = CONF_KEY_TIME, .offset = FIELD(f)
#define RATE(f)		.kind = CONF_KEY_PPB, .offset = FIELD(f)
#define CHOICE(f, w)	.kind = CONF_KEY_CHOICE, .offset = FIELD(f), .choices = w
#define NAME(f)		.kind = CONF_KEY_NAME, .offset = FIELD(f), .most = CONF_NAME_MAX - 1
#define PATH(f)		.kind = CONF_KEY_PATH, .offset = FIELD(f), .most = CONF_PATH_MAX - 1
#define SOCK(f)		.kind = CONF_KEY_PATH, .offset = FIELD(f), .most = SOCKET_MAX
#define FORM(f)		.kind = CONF_KEY_FORM, .form = &(f)
#define FROM(a)		.least = a
#define TO(b)		.most = b
#define YESNO		"no yes"
#define LIVE		.live = 1

/* sun_path of a UNIX socket, with its zero, has 108. */
#define SOCKET_MAX	107

static const struct conf_key huygens_keys[] = {
	{ "node", "id", COUNT(id), FROM(1), TO(CONF_ID_MAX), .zero = "auto",
	  .fallback = "auto",
	  .what = "Id of this host" },
	{ "node", "name", NAME(name), .zero = "auto", .fallback = "auto",
	  .what = "Name of this host in its own output" },
	{ "node", "interface", FORM(list_links), TO(CONF_LINKS_MAX), .zero = "auto",
	  .fallback = "auto",
	  .what = "Devices whose timestamps are used" },
	{ "node", "port", COUNT(port), FROM(1), TO(65535), .fallback = "31900",
	  .what = "UDP port of all hosts" },
	{ "node", "tx_comp", TIME(tx_comp_ns), FROM(-MS), TO(MS), LIVE,
	  .fallback = "0",
	  .what = "Time from a sent packet's timestamp to the wire" },
	{ "node", "rx_comp", TIME(rx_comp_ns), FROM(-MS), TO(MS), LIVE,
	  .fallback = "0",
	  .what = "Time from the wire to a received packet's timestamp" },
	{ "node", "drift_file", PATH(drift_file), .zero = "none",
	  .fallback = "/var/lib/huygens-lite/drift",
	  .what = "File that keeps the drift for the next start" },
	{ "node", "vmclock", PATH(vmclock), .zero = "none",
	  .fallback = CONF_VMCLOCK,
	  .what = "Device that reports pauses and migrations of the virtual machine" },

	{ "mesh", "peers", FORM(list_peers), TO(CONF_PEERS_MAX), FROM(2),
	  .what = "List of all hosts, including this one" },
	{ "mesh", "degree", COUNT(degree), FROM(1), TO(64), .fallback = "10",
	  .what = "Neighbours that each host selects" },
	{ "mesh", "seed", COUNT(seed), FROM(0), TO(UINT32_MAX), .fallback = "1",
	  .what = "Seed of the random mesh, the same on all hosts" },
	{ "mesh", "interval", TIME(interval_ns), FROM(MS), TO(S), LIVE,
	  .fallback = "20ms",
	  .what = "Interval between pairs of probes to a neighbour" },
	{ "mesh", "spacing", TIME(spacing_ns), FROM(0), TO(20 * US), LIVE,
	  .fallback = "10us",
	  .what = "Time between the two probes of a pair" },
	{ "mesh", "window", TIME(window_ns), FROM(500 * MS), TO(30 * S),
	  .fallback = "2s",
	  .what = "Length of the window of probes that gives one solution" },
	{ "mesh", "tolerance", TIME(tolerance_ns), FROM(100 * NS), TO(MS), LIVE,
	  .zero = "auto", .fallback = "auto",
	  .what = "Maximum change of a pair's spacing in the network" },
	{ "mesh", "timestamping", CHOICE(timestamping, "auto software hardware"),
	  .fallback = "auto",
	  .what = "Source of timestamps" },
	{ "mesh", "coded", CHOICE(coded, YESNO), LIVE, .fallback = "yes",
	  .what = "Restriction to pairs whose spacing did not change" },
	{ "mesh", "dscp", COUNT(dscp), FROM(0), TO(63), .fallback = "0",
	  .what = "DSCP of sent packets" },
	{ "mesh", "max_drift", RATE(max_drift_ppb), FROM(PPM), TO(1000 * PPM),
	  LIVE, .fallback = "300ppm",
	  .what = "Maximum drift between the clocks of a valid edge" },
	{ "mesh", "asymmetry", FORM(list_asymmetries), TO(CONF_PEERS_MAX), LIVE,
	  .zero = "none", .fallback = "none",
	  .what = "Known delay differences between the two directions of a pair of hosts" },

	{ "coordinator", "candidates", FORM(list_ids), TO(CONF_CANDIDATES_MAX),
	  .zero = "all", .fallback = "all",
	  .what = "Hosts that may become coordinator" },
	{ "coordinator", "hello", TIME(hello_ns), FROM(50 * MS), TO(10 * S), LIVE,
	  .fallback = "500ms",
	  .what = "Interval between hello messages" },
	{ "coordinator", "dead", TIME(dead_ns), FROM(150 * MS), TO(60 * S), LIVE,
	  .fallback = "3s",
	  .what = "Time without messages after which a host is considered dead" },
	{ "coordinator", "reference", FORM(list_reference), .fallback = "mean",
	  .what = "Reference of the common time" },
	{ "coordinator", "utc_slew", RATE(utc_slew_ppb), FROM(PPB), TO(100 * PPM),
	  LIVE, .fallback = "1ppm",
	  .what = "Maximum rate at which the mesh is slewed towards UTC" },

	{ "output", "mode", CHOICE(mode, "publish steer sock none"),
	  .fallback = "publish",
	  .what = "Use of the common time" },
	{ "output", "valid", TIME(valid_ns), FROM(S), TO(600 * S), LIVE,
	  .fallback = "5s",
	  .what = "Maximum validity of a published line" },
	{ "output", "step", TIME(step_ns), FROM(0), TO(1000000 * S), LIVE,
	  .fallback = "1ms",
	  .what = "Offset above which a first update steps the clock; 0 means never" },
	{ "output", "step_updates", COUNT(step_updates), FROM(0), TO(1000), LIVE,
	  .fallback = "3",
	  .what = "Number of first updates that may step the clock" },
	{ "output", "max_change", TIME(max_change_ns), FROM(US), TO(3600 * S), LIVE,
	  .fallback = "10ms",
	  .what = "Maximum change of the clock by an accepted solution" },
	{ "output", "max_change_ignore", COUNT(max_change_ignore), FROM(0), TO(1000),
	  LIVE, .fallback = "3",
	  .what = "Number of consecutive rejected solutions before holdover" },
	{ "output", "max_slew", RATE(max_slew_ppb), FROM(PPM), TO(500 * PPM), LIVE,
	  .fallback = "500ppm",
	  .what = "Maximum rate at which an offset is removed" },
	{ "output", "max_skew", RATE(max_skew_ppb), FROM(PPB), TO(1000 * PPM), LIVE,
	  .fallback = "1ppm",
	  .what = "Skew above which a drift is not used if a better one is known" },
	{ "output", "error_growth", RATE(error_growth_ppb), FROM(PPB), TO(1000 * PPM),
	  LIVE, .fallback = "1ppm",
	  .what = "Growth rate of the error bound until the drift is learned" },
	{ "output", "learned_growth", RATE(learned_growth_ppb), FROM(PPB), TO(1000 * PPM),
	  LIVE, .fallback = "100ppb",
	  .what = "Minimum growth rate of the error bound once the drift is learned" },
	{ "output", "max_error", TIME(max_error_ns), FROM(US), TO(S), LIVE,
	  .fallback = "1ms",
	  .what = "Error bound above which the host is unsynchronised" },
	{ "output", "force", CHOICE(force, YESNO), .fallback = "no",
	  .what = "Permission to steer a clock that another program steers" },
	{ "output", "sock", SOCK(sock),
	  .fallback = "/run/chrony/huygens-lite.sock",
	  .what = "Socket of chronyd's refclock, for mode sock" },

	{ "security", "key_file", PATH(key_file), .zero = "none",
	  .fallback = "none",
	  .what = "File with the keys that sign messages" },
	{ "security", "user", NAME(user), .zero = "none",
	  .fallback = "huygens",
	  .what = "User that the daemon runs as if it is started as root" },
	{ "security", "seccomp", CHOICE(seccomp, YESNO), .fallback = "yes",
	  .what = "Restriction to the system calls that the daemon needs" },
	{ "security", "control", SOCK(control),
	  .fallback = "/run/huygens-lite/control",
	  .what = "Control socket for huygensctl" },

	{ "log", "directory", PATH(log_dir), .fallback = "/var/log/huygens-lite",
	  .what = "Directory of the log files" },
	{ "log", "measurements", CHOICE(measurements, YESNO), LIVE, .fallback = "no",
	  .what = "Logging of a line per window and neighbour to measurements.log" },
	{ "log", "statistics", CHOICE(statistics, YESNO), LIVE, .fallback = "no",
	  .what = "Logging of a line per window and edge to statistics.log" },
	{ "log", "tracking", CHOICE(tracking, YESNO), LIVE, .fallback = "no",
	  .what = "Logging of a line per window to tracking.log" },
	{ "log", "level", CHOICE(level, LOG_LEVELS), LIVE,
	  .fallback = "info",
	  .what = "Minimum severity of logged messages" },
};

#define KEYS_N		(sizeof(huygens_keys) / sizeof(*huygens_keys))

_Static_assert(KEYS_N <= KEYS_MAX, "as many as conf_parse() has lines for");

const struct conf_table huygens_table = {
	.program = "huygens-lite",
	.keys = huygens_keys,
	.n = KEYS_N,
};
