/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The commands' functions.  Each returns the exit status.
 */
#ifndef SHARPRAMP_ONRAMPCTL_RUN_H
#define SHARPRAMP_ONRAMPCTL_RUN_H

#include <stdbool.h>

#include "../../lib/netlink.h"
#include "command.h"

/* Exit statuses.  Without memory a program ends as with wrong usage: with doctor 1 is a result. */
#define RUN_OK		0
#define RUN_FAILED	1
#define RUN_USAGE	2

/* Exit statuses of doctor, as diff(1) has them: findings; the host could not be examined. */
#define RUN_FOUND	1
#define RUN_UNKNOWN	2

/**
 * run_open() - open the family, for a command
 * @command: the command
 *
 * Return: RUN_OK, or the exit status after an explanation.
 */
int run_open(const struct command *command);

/**
 * run_refused() - explain why the kernel refuses
 * @command: the command
 * @why: the reason
 * @family: the family is there
 *
 * Return: the exit status.
 */
int run_refused(const struct command *command, const struct nl_refusal *why,
		bool family);

/** run_set() - send what was given, and wait until it is done */
int run_set(const struct command *command, const struct value *values,
	    bool json);

/** run_clock_clear() - withdraw clocks */
int run_clock_clear(const struct command *command, const struct value *values,
		    bool json);

/** run_clock_show() - print the clock in use */
int run_clock_show(const struct command *command, const struct value *values,
		   bool json);

/** run_acker_show() - print settings, devices and counters of the acker */
int run_acker_show(const struct command *command, const struct value *values,
		   bool json);

/** run_keys_show() - print groups of keys */
int run_keys_show(const struct command *command, const struct value *values,
		  bool json);

/** run_peers_show() - print the allow-list */
int run_peers_show(const struct command *command, const struct value *values,
		   bool json);

/** run_flows_show() - print flows, those that pass the filters */
int run_flows_show(const struct command *command, const struct value *values,
		   bool json);

/** run_paths_show() - print paths, those that pass the filters */
int run_paths_show(const struct command *command, const struct value *values,
		   bool json);

/** run_stats_show() - print counters and limits */
int run_stats_show(const struct command *command, const struct value *values,
		   bool json);

/** run_hold_show() - print whether holding is switched off, and why */
int run_hold_show(const struct command *command, const struct value *values,
		  bool json);

/** run_stamps_show() - print where the stamps of each device come from */
int run_stamps_show(const struct command *command, const struct value *values,
		    bool json);

/** run_phc_show() - print hardware clocks of devices */
int run_phc_show(const struct command *command, const struct value *values,
		 bool json);

/** run_monitor() - print events until it is ended */
int run_monitor(const struct command *command, const struct value *values,
		bool json);

/** run_doctor() - print why nothing is held, acknowledged or marked */
int run_doctor(const struct command *command, const struct value *values,
	       bool json);

/** run_metrics() - print all counters and parameters for Prometheus */
int run_metrics(const struct command *command, const struct value *values,
		bool json);

/** run_top() - print live paths, again and again */
int run_top(const struct command *command, const struct value *values,
	    bool json);

#endif /* SHARPRAMP_ONRAMPCTL_RUN_H */
