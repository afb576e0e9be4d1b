/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration of huygens-lite.conf(5), checked.
 *
 * One table in key.c names every key.  A configuration is parsed whole into a
 * struct of its own, so that a refused one has changed nothing.  All times are
 * ns, all rates parts per billion.
 */
#ifndef HUYGENS_CONF_H
#define HUYGENS_CONF_H

#include <net/if.h>
#include <netinet/in.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../lib/conf_text.h"
#include "../../lib/device.h"

#define CONF_NAME_MAX	32	/* of a host or user, with its zero */
#define CONF_PATH_MAX	256
#define CONF_HOST_MAX	(CONF_NAME_MAX + INET6_ADDRSTRLEN)	/* host name, with its zero */
/* Where a hypervisor tells of disruptions, if it does. */
#define CONF_VMCLOCK	"/dev/vmclock0"
#define CONF_PEERS_MAX	4096
/* As many as hear each other: ELECTION_CANDIDATES of algo/election.h. */
#define CONF_CANDIDATES_MAX	16
#define CONF_LINKS_MAX	16	/* interfaces */
/* Hosts of UTC that are compared: UTC_MOST of algo/utc.h. */
#define CONF_UTC_MAX	64
#define CONF_ID_MAX	65535
#define CONF_FRACTION_ONE	1000000	/* parts per million */

/** enum conf_timestamping - [mesh] timestamping */
enum conf_timestamping { CONF_STAMPS_AUTO, CONF_STAMPS_SOFTWARE,
			 CONF_STAMPS_HARDWARE, CONF_STAMPS_RECEIVE };

/** enum conf_reference - [coordinator] reference */
enum conf_reference { CONF_REFERENCE_MEAN, CONF_REFERENCE_HOST,
		      CONF_REFERENCE_UTC, CONF_REFERENCE_UPPER };

/** enum conf_compare - [output] compare */
enum conf_compare { CONF_COMPARE_MESH, CONF_COMPARE_UPPER };

/** enum conf_mode - [output] mode */
enum conf_mode { CONF_MODE_PUBLISH, CONF_MODE_STEER, CONF_MODE_SOCK,
		 CONF_MODE_NONE };

/**
 * union conf_address - IPv4 or IPv6
 * @sa: family
 * @in: IPv4
 * @in6: IPv6
 */
union conf_address {
	struct sockaddr		sa;
	struct sockaddr_in	in;
	struct sockaddr_in6	in6;
};

/**
 * struct conf_peer - a host of the mesh, this one too
 * @id: 1 to CONF_ID_MAX, no other has it
 * @address: with the port; no other has it; AF_UNSPEC until conf_resolve() if @host is given
 * @host: host name in the place of an address; empty: none
 * @name: for people; its address or @host if none was given
 */
struct conf_peer {
	uint32_t		id;
	union conf_address	address;
	char			host[CONF_HOST_MAX];
	char			name[CONF_HOST_MAX];
};

/**
 * struct conf_asymmetry - a known difference between the ways of an edge
 * @from: id
 * @to: id
 * @ns: by how much @from to @to takes longer than back
 */
struct conf_asymmetry {
	uint32_t	from;
	uint32_t	to;
	int64_t		ns;
};

/**
 * struct conf_link - a device to be stamped at
 * @name: of the device, or one of its alternative names
 * @has_comp: it has values of its own; else [node] tx_comp and rx_comp are its
 * @tx_comp_ns: added to what a Tx stamp of it says, within 1 ms
 * @rx_comp_ns: subtracted from what an Rx stamp of it says, within 1 ms
 */
struct conf_link {
	char	name[DEVICE_NAME_MAX];
	bool	has_comp;
	int64_t	tx_comp_ns;
	int64_t	rx_comp_ns;
};

/**
 * struct huygens_conf - a configuration
 *
 * Numbers are int64_t whatever their range, so that the table needs one kind of
 * field.  Lists are allocated; conf_free() returns them.
 *
 * @id: [node] id; 0: found by address.  Which peer is this host is @self
 * @name: [node] name; empty: that of the list of peers
 * @links: [node] interface, none twice
 * @n_links: 0: the one that has this host's address
 * @port: [node] port, UDP
 * @tx_comp_ns: [node] tx_comp, added to what a Tx stamp says
 * @rx_comp_ns: [node] rx_comp, subtracted from what an Rx stamp says
 * @drift_file: [node] drift_file; empty: none
 * @vmclock: [node] vmclock; empty: none
 * @phc: [node] phc, from which this host takes UTC; empty: the system's clock
 * @upper_line: [node] upper_line, line file of the upper mesh on this host; empty: none
 * @peers: [mesh] peers, in ascending order of ids
 * @n_peers: at least 2
 * @peers_line: line of the file at which they begin
 * @self: index of this host in @peers, after conf_identify()
 * @degree: [mesh] degree, neighbours that a host chooses
 * @seed: [mesh] seed of the graph, the same on all hosts
 * @interval_ns: [mesh] interval from one pair of probes to the next
 * @burst_interval_ns: [mesh] burst_interval, the same while a host's clock is not known well
 * @spacing_ns: [mesh] spacing within a pair
 * @window_ns: [mesh] window
 * @tolerance_ns: [mesh] tolerance; 0: adaptive
 * @timestamping: [mesh] timestamping, enum conf_timestamping
 * @coded: [mesh] coded, 0 or 1
 * @dscp: [mesh] dscp of probes
 * @transition_ns: [mesh] transition, for how long hosts may have different lists of peers
 * @max_drift_ppb: [mesh] max_drift; an edge that drifts more is invalid
 * @asymmetries: [mesh] asymmetry
 * @n_asymmetries: how many
 * @max_asymmetry_ppm: [mesh] max_asymmetry, of the least round trip, to CONF_FRACTION_ONE
 * @candidates: [coordinator] candidates, ids in ascending order
 * @n_candidates: 0: all peers, of more than CONF_CANDIDATES_MAX the lowest
 * @hello_ns: [coordinator] hello, from one HELLO to the next
 * @dead_ns: [coordinator] dead, time without messages after which a host counts as dead
 * @reference: [coordinator] reference, enum conf_reference
 * @reference_id: the host, if it is one
 * @utc_hosts: the hosts that report UTC, or the upper mesh's time, if it is one of them, ids in
 *	ascending order
 * @n_utc_hosts: 0: all that have @phc, or @upper_line
 * @utc_error_ns: [coordinator] utc_error; 0: as the kernel of that host says
 * @utc_slew_ppb: [coordinator] utc_slew, what the whole mesh turns to UTC with
 * @mode: [output] mode, enum conf_mode
 * @step_ns: [output] step: less is slewed; 0: never stepped
 * @step_updates: [output] step_updates, the first ones that may step
 * @max_change_ns: [output] max_change; a greater one is absurd
 * @max_change_ignore: [output] max_change_ignore, so many before HOLDOVER
 * @max_slew_ppb: [output] max_slew
 * @max_skew_ppb: [output] max_skew; a drift less sure is not accepted
 * @error_growth_ppb: [output] error_growth while the drift is not learned
 * @learned_growth_ppb: [output] learned_growth once it is
 * @max_error_ns: [output] max_error, the bound above which it is UNSYNC
 * @compare: [output] compare, enum conf_compare
 * @valid_ns: [output] valid, for how long a published line may be used, at most
 * @force: [output] force, 0 or 1: steer despite another discipliner
 * @line_file: [output] line_file, of huygens_line.h; empty: none
 * @clockbound: [output] clockbound, shared memory of its clients; empty: none
 * @sock: [output] sock, path of chrony's refclock socket
 * @key_file: [security] key_file; empty: probes are not signed
 * @user: [security] user; empty: stay
 * @seccomp: [security] seccomp, 0 or 1
 * @control: [security] control, path of the control socket
 * @log_dir: [log] directory
 * @measurements: [log] measurements, 0 or 1
 * @statistics: [log] statistics, 0 or 1
 * @tracking: [log] tracking, 0 or 1
 * @level: [log] level, enum log_level of lib/log.h
 */
struct huygens_conf {
	int64_t			id;
	char			name[CONF_NAME_MAX];
	struct conf_link	links[CONF_LINKS_MAX];
	size_t			n_links;
	int64_t			port;
	int64_t			tx_comp_ns;
	int64_t			rx_comp_ns;
	char			drift_file[CONF_PATH_MAX];
	char			vmclock[CONF_PATH_MAX];
	char			phc[CONF_PATH_MAX];
	char			upper_line[CONF_PATH_MAX];

	struct conf_peer	*peers;
	size_t			n_peers;
	int			peers_line;
	size_t			self;
	int64_t			degree;
	int64_t			seed;
	int64_t			interval_ns;
	int64_t			burst_interval_ns;
	int64_t			spacing_ns;
	int64_t			window_ns;
	int64_t			tolerance_ns;
	int64_t			timestamping;
	int64_t			coded;
	int64_t			dscp;
	int64_t			transition_ns;
	int64_t			max_drift_ppb;
	struct conf_asymmetry	*asymmetries;
	size_t			n_asymmetries;
	int64_t			max_asymmetry_ppm;

	uint32_t		*candidates;
	size_t			n_candidates;
	int64_t			hello_ns;
	int64_t			dead_ns;
	int64_t			reference;
	int64_t			reference_id;
	uint32_t		*utc_hosts;
	size_t			n_utc_hosts;
	int64_t			utc_error_ns;
	int64_t			utc_slew_ppb;

	int64_t			mode;
	int64_t			step_ns;
	int64_t			step_updates;
	int64_t			max_change_ns;
	int64_t			max_change_ignore;
	int64_t			max_slew_ppb;
	int64_t			max_skew_ppb;
	int64_t			error_growth_ppb;
	int64_t			learned_growth_ppb;
	int64_t			max_error_ns;
	int64_t			valid_ns;
	int64_t			compare;
	int64_t			force;
	char			line_file[CONF_PATH_MAX];
	char			clockbound[CONF_PATH_MAX];
	char			sock[CONF_PATH_MAX];

	char			key_file[CONF_PATH_MAX];
	char			user[CONF_NAME_MAX];
	int64_t			seccomp;
	char			control[CONF_PATH_MAX];

	char			log_dir[CONF_PATH_MAX];
	int64_t			measurements;
	int64_t			statistics;
	int64_t			tracking;
	int64_t			level;
};

/**
 * conf_read() - read and check a file
 * @conf: filled; conf_free() it whatever is returned
 * @path: the file
 * @error: filled if it fails
 *
 * Return: 0 or -1.
 */
int conf_read(struct huygens_conf *conf, const char *path,
	      struct conf_error *error);

/**
 * conf_parse() - the same, of text
 * @conf: filled; conf_free() it whatever is returned
 * @path: name for messages
 * @text: the text, not changed; it may have zeros
 * @len: its length
 * @error: filled if it fails
 *
 * Return: 0 or -1.
 */
int conf_parse(struct huygens_conf *conf, const char *path, const char *text,
	       size_t len, struct conf_error *error);

/** enum conf_lookup_result - the outcome of a lookup */
enum conf_lookup_result {
	CONF_LOOKUP_FOUND,
	CONF_LOOKUP_NONE,	/* the name is not known, or has no such address */
	CONF_LOOKUP_FAILED,	/* nobody could say */
};

/**
 * typedef conf_lookup_fn - look up a host name
 * @host: the name
 * @family: AF_INET or AF_INET6
 * @address: filled
 * @why: set to the reason if there is none
 *
 * Return: enum conf_lookup_result.
 */
typedef int (*conf_lookup_fn)(const char *host, sa_family_t family, union conf_address *address,
			      const char **why);

/**
 * conf_lookup() - look up a host name, as the system does
 * @host: as in conf_lookup_fn
 * @family: same
 * @address: same
 * @why: same
 *
 * It may take seconds, and opens files and sockets that a confined daemon may not.
 *
 * Return: enum conf_lookup_result.
 */
int conf_lookup(const char *host, sa_family_t family, union conf_address *address,
		const char **why);

/**
 * conf_resolve() - look up the host names of a list of peers
 * @conf: a configuration that was read
 * @lookup: conf_lookup()
 * @error: filled if it fails
 *
 * All get an address of the family of those that are written as addresses.  If all are names
 * it is IPv4, or IPv6 if one of them has no IPv4 address.
 *
 * Return: 0, or -1; a name that does not exist and a lookup that fails have other messages.
 */
int conf_resolve(struct huygens_conf *conf, conf_lookup_fn lookup, struct conf_error *error);

/**
 * conf_keep_resolved() - names keep the addresses that they had
 * @conf: a configuration that was read
 * @was: one that was resolved
 */
void conf_keep_resolved(struct huygens_conf *conf, const struct huygens_conf *was);

/**
 * conf_identify() - find out which peer this host is
 * @conf: a configuration that was read and resolved; @conf->self is set
 * @local: addresses of this host; their ports do not count
 * @n_local: how many
 * @error: filled if it fails
 *
 * By [node] id if it is given, else by the only peer with an address of this
 * host, so that all hosts can have one file.
 *
 * Return: 0, or -1 if no peer or more than one has an address of this host.
 */
int conf_identify(struct huygens_conf *conf, const union conf_address *local,
		  size_t n_local, struct conf_error *error);

/**
 * conf_local() - the addresses of this network namespace
 * @local: filled; free() it, even if there are none
 *
 * Return: how many; 0 as well if the kernel does not say, or without memory.
 */
size_t conf_local(union conf_address **local);

/**
 * conf_reload() - read a file again, for a daemon that runs
 * @next: filled; conf_free() it whatever is returned
 * @was: the configuration so far
 * @path: the file
 * @local: addresses of this host
 * @n_local: how many
 * @error: filled if it fails
 *
 * A key that --help-keys does not call live must be as it was, and this host must be the
 * same: sockets and rights are made once, and host names are looked up once.  A host whose
 * name was not looked up is refused.
 *
 * Return: 0, or -1.
 */
int conf_reload(struct huygens_conf *next, const struct huygens_conf *was, const char *path,
		const union conf_address *local, size_t n_local, struct conf_error *error);

/**
 * conf_find() - a peer by id
 * @conf: a configuration
 * @id: the id
 *
 * Return: the peer, or NULL.
 */
const struct conf_peer *conf_find(const struct huygens_conf *conf, uint32_t id);

/**
 * conf_burst_ns() - the shortest interval between pairs of probes
 * @conf: a configuration
 *
 * Return: ns; the usual interval if that of bursts is not shorter.
 */
static inline int64_t conf_burst_ns(const struct huygens_conf *conf)
{
	return conf->burst_interval_ns < conf->interval_ns ? conf->burst_interval_ns :
							     conf->interval_ns;
}

/**
 * conf_takes_time() - is the reference a time from outside of the mesh?
 * @conf: a configuration
 *
 * Return: true if it is UTC, or that of an upper mesh.
 */
bool conf_takes_time(const struct huygens_conf *conf);

/**
 * conf_has_utc() - does this host report UTC, or the time of an upper mesh?
 * @conf: a configuration, after conf_identify()
 *
 * Return: true if the reference is one of them, and this host is one of those that report it.
 */
bool conf_has_utc(const struct huygens_conf *conf);

/**
 * conf_is_reference() - is UTC of the mesh that of this host's system clock?
 * @conf: a configuration, after conf_identify()
 *
 * Return: true if so; then the system clock must not follow the mesh.
 */
bool conf_is_reference(const struct huygens_conf *conf);

/**
 * conf_is_follower() - does the system clock follow the mesh, in mode steer or sock?
 * @conf: a configuration, after conf_identify()
 *
 * Return: true if so; then what the kernel was told of UTC comes from the mesh.
 */
bool conf_is_follower(const struct huygens_conf *conf);

/**
 * conf_free() - return what a configuration has allocated
 * @conf: zero afterwards
 */
void conf_free(struct huygens_conf *conf);

/**
 * conf_help() - every key with range, default and what it is for
 * @out: where to
 *
 * One line a key, columns separated by tabs, section.key first.
 */
void conf_help(FILE *out);

#endif /* HUYGENS_CONF_H */
