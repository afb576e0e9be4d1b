/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Counters.  One table makes the fields and their names.
 */
#ifndef HUYGENS_COUNT_H
#define HUYGENS_COUNT_H

#include <stddef.h>
#include <stdint.h>

/* COUNT(name, what it counts) */
#define COUNT_TABLE(COUNT)						       \
	COUNT(sent, "messages sent")					       \
	COUNT(sent_bytes, "bytes sent, with the heads of UDP, IP and Ethernet")  \
	COUNT(send_failed, "messages that the kernel did not take")	       \
	COUNT(received, "datagrams received")				       \
	COUNT(bad_form, "refused: malformed")				       \
	COUNT(bad_host, "refused: of no host that is configured")	       \
	COUNT(bad_address, "refused: not from the address of its host")	       \
	COUNT(bad_unsigned, "refused: not signed")			       \
	COUNT(bad_key, "refused: of a key that is not here")		       \
	COUNT(bad_auth, "refused: forged, or of another key of that number")   \
	COUNT(bad_replay, "refused: taken before")			       \
	COUNT(bad_role, "refused: not for this host to say, or to hear")       \
	COUNT(bad_window, "refused: of a window that is not open")	       \
	COUNT(bad_membership, "refused: of hosts with another configuration")  \
	COUNT(stale, "refused: of a coordinator that was replaced")	       \
	COUNT(probes, "probes sent")					       \
	COUNT(stamps, "Tx stamps that came")				       \
	COUNT(stamps_lost, "Tx stamps that did not come")		       \
	COUNT(stamps_early, "Tx stamps of before the driver, which has none")  \
	COUNT(stamps_odd, "Tx stamps of nothing that was sent")		       \
	COUNT(rx_unstamped, "probes received without a stamp")		       \
	COUNT(pairs, "pairs of probes received")			       \
	COUNT(pairs_accepted, "of them, whose spacing did not change")	       \
	COUNT(pairs_rejected, "of them, whose spacing did")		       \
	COUNT(pairs_full, "of them, left out: more than a window holds")       \
	COUNT(windows, "windows measured")				       \
	COUNT(windows_invalid, "windows left out: a clock was stepped")	       \
	COUNT(edges, "edges solved")					       \
	COUNT(edges_invalid, "edges that gave no line")			       \
	COUNT(clock_steps, "steps of this host's clocks")		       \
	COUNT(fallbacks, "returns to software stamps")			       \
	COUNT(solutions, "solutions taken")				       \
	COUNT(solutions_ignored, "solutions not accepted")		       \
	COUNT(coordinator_changes, "changes of the coordinator")	       \
	COUNT(solved, "windows solved as coordinator")			       \
	COUNT(outliers, "edges that a solution left out as coordinator")	       \
	COUNT(utc_disagreed, "windows without UTC as coordinator: its hosts disagreed")

/* Counters, which never fall. */
struct count {
#define COUNT_FIELD(name, what) uint64_t name;
	COUNT_TABLE(COUNT_FIELD)
#undef COUNT_FIELD
};

/**
 * struct count_entry - of the table
 * @name: of the field
 * @what: it counts
 * @offset: in struct count
 */
struct count_entry {
	const char	*name;
	const char	*what;
	size_t		offset;
};

#define COUNT_ONE(name, what) + 1
#define COUNT_ENTRIES (0 COUNT_TABLE(COUNT_ONE))

extern const struct count_entry count_entries[COUNT_ENTRIES];

#endif /* HUYGENS_COUNT_H */
