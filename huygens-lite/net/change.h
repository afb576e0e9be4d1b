/* SPDX-License-Identifier: GPL-2.0 */
/*
 * A change of the list of members or of the keys, one host after the other, without a restart.
 *
 * A host that has read new files goes on with the list in force, as all others do: that list
 * decides who coordinates.  The new list is added to it: its hosts are known, the edges of its
 * graph are measured, its keys are accepted.  When all hosts that live and stay have the new
 * files, the lowest candidate of them takes the new list up, alone in force from then on, and
 * says so; who hears that does the same.
 *
 *	list in force  files	a host that
 *	old            old	has not read the new files
 *	old            new	has: the change is pending
 *	new            new	took the new list up; or began with it, and joins
 *
 * A host that joins follows the coordinator of the others, and does not lead while most of
 * those that it hears have the old list in force.
 *
 * Without side effects.
 */
#ifndef HUYGENS_CHANGE_H
#define HUYGENS_CHANGE_H

#include <stdbool.h>
#include <stdint.h>

/* Windows in which both graphs are measured, at least: the new one has lines then. */
#define CHANGE_WINDOWS		4
/* Multiples of dead_ns: how long it is said that a list was taken up; and without a
 * coordinator, after which a host takes it up by itself.
 */
#define CHANGE_ANNOUNCED	10
#define CHANGE_UNLED		4

/**
 * struct change_files - what a host has
 * @list: checksum of its list in force
 * @files: digest of list and keys of its files
 */
struct change_files {
	uint32_t	list;
	uint32_t	files;
};

/** enum change_relation - a host's list, seen from this one */
enum change_relation {
	CHANGE_OTHER,	/* nothing in common */
	CHANGE_SAME,	/* the same list in force */
	CHANGE_AHEAD,	/* it has in force what is pending here */
	CHANGE_BEHIND,	/* there is pending what is in force here */
};

/** enum change_step - what is to be done */
enum change_step {
	CHANGE_STAY,
	CHANGE_TAKE,		/* take up what is pending */
	CHANGE_CLOSE,		/* and tell the others to */
};

/**
 * struct change - state of a host
 * @own: what it has
 * @next: checksum of the list of its files
 * @pending: list or keys of its files are not in force
 * @since_ns: since when
 * @announced: it took up a list lately, and says so
 * @taken_ns: when
 * @joins: most hosts that it hears are behind it
 * @led_ns: when a coordinator was known last
 */
struct change {
	struct change_files	own;
	uint32_t		next;
	bool			pending;
	int64_t			since_ns;
	bool			announced;
	int64_t			taken_ns;
	bool			joins;
	int64_t			led_ns;
};

/**
 * struct change_counts - hosts that live, and whose HELLO was heard
 * @same: with the same list in force
 * @behind: that are behind this one
 * @held: one that is in both lists has other files
 * @closes: no candidate with a lower id, in both lists and with these files, lives
 */
struct change_counts {
	uint32_t	same;
	uint32_t	behind;
	bool		held;
	bool		closes;
};

/**
 * struct change_times - how long things take
 * @window_ns: a window
 * @dead_ns: [coordinator] dead
 * @transition_ns: [mesh] transition
 */
struct change_times {
	int64_t	window_ns;
	int64_t	dead_ns;
	int64_t	transition_ns;
};

/**
 * change_begin() - begin, with the files' list in force
 * @change: filled
 * @own: what this host has
 * @now_ns: raw time
 */
void change_begin(struct change *change, const struct change_files *own, int64_t now_ns);

/**
 * change_read() - other files were read
 * @change: the state
 * @files: digest of them
 * @next: checksum of their list
 * @pending: they differ from what is in force
 * @now_ns: raw time
 */
void change_read(struct change *change, uint32_t files, uint32_t next, bool pending,
		 int64_t now_ns);

/**
 * change_relate() - compare what another host has
 * @change: the state
 * @other: what it has
 *
 * Return: the relation.
 */
enum change_relation change_relate(const struct change *change,
				   const struct change_files *other);

/**
 * change_is_told() - does a host tell to take up what is pending?
 * @change: the state
 * @other: what that host has
 * @changed: it says that it took its list up lately
 *
 * Return: true if it does.
 */
bool change_is_told(const struct change *change, const struct change_files *other,
		    bool changed);

/**
 * change_tick() - time went on
 * @change: the state
 * @counts: hosts
 * @led: a coordinator is known
 * @times: how long things take
 * @now_ns: raw time
 *
 * Return: what is to be done.
 */
enum change_step change_tick(struct change *change, const struct change_counts *counts, bool led,
			     const struct change_times *times, int64_t now_ns);

/**
 * change_take() - what was pending is in force
 * @change: the state
 * @announce: say so
 * @now_ns: raw time
 */
void change_take(struct change *change, bool announce, int64_t now_ns);

#endif /* HUYGENS_CHANGE_H */
