/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Snapshots of the daemon's state, which it fills on request, and their output formats:
 * tables for people, JSON for programs.
 */
#ifndef ACC_STATUS_H
#define ACC_STATUS_H

#include <stdbool.h>

#include "../../lib/field.h"
#include "counter.h"
#include "net.h"
#include "tree.h"

#define STATUS_RATE	32
#define STATUS_MODEL	600
#define STATUS_SHA256	65

/**
 * struct status_queue - a queue
 * @name: "eth1/10:"
 * @state: what it is at, or the name of the reason why it is not tuned
 * @why: the latter, with the command that helps; empty if it is tuned
 * @rate: at which it is drained, as tc writes it
 * @rate_bps: the same
 * @members: qdiscs, more than one with mq
 * @kmin_ns: in force
 * @kmax_ns: in force
 * @pmax: in force, 0 to 1
 * @own_kmin_ns: without the tuner
 * @own_kmax_ns: same
 * @own_pmax: same
 * @wanted_kmin_ns: chosen last
 * @wanted_kmax_ns: same
 * @wanted_pmax: same
 * @place: of the template that is nearest to what is in force
 * @utilisation: in the last interval, 0 to 1
 * @delay_ns: same, mean
 * @marked: part of the bytes, same
 * @reward: same
 * @count: counters
 * @tuned_reward: mean of tuned blocks, or NAN
 * @static_reward: mean of blocks under its own thresholds, or NAN
 * @difference: tuned minus static, or NAN
 * @pairs: of the last pairs of blocks
 */
struct status_queue {
	char		name[TREE_NAME];
	const char	*state;
	char		why[TREE_TEXT];
	char		rate[STATUS_RATE];
	uint64_t	rate_bps;
	uint32_t	members;
	int64_t		kmin_ns;
	int64_t		kmax_ns;
	double		pmax;
	int64_t		own_kmin_ns;
	int64_t		own_kmax_ns;
	double		own_pmax;
	int64_t		wanted_kmin_ns;
	int64_t		wanted_kmax_ns;
	double		wanted_pmax;
	uint32_t	place;
	double		utilisation;
	int64_t		delay_ns;
	double		marked;
	double		reward;
	struct queue_counters count;
	double		tuned_reward;
	double		static_reward;
	double		difference;
	uint32_t	pairs;
};

/**
 * struct status_daemon - the daemon
 * @mode: [tuner] mode
 * @policy: [tuner] policy
 * @model: provenance of the network; empty: none
 * @model_sha256: of its file; empty: none
 * @queues: that are tuned or observed
 * @refused: that are named and are not
 * @count: counters
 */
struct status_daemon {
	const char	*mode;
	const char	*policy;
	char		model[STATUS_MODEL];
	char		model_sha256[STATUS_SHA256];
	uint64_t	queues;
	uint64_t	refused;
	struct daemon_counters count;
};

/**
 * struct status - a snapshot
 * @daemon: the daemon
 * @queue: queues that are tuned or observed, then those that are refused
 * @queues: how many
 */
struct status {
	struct status_daemon		daemon;
	const struct status_queue	*queue;
	size_t				queues;
};

/**
 * struct status_choice - a template, as the network sees it
 * @place: its place
 * @kmin_ns: of it
 * @kmax_ns: of it
 * @pmax: of it, 0 to 1
 * @value: what the network expects of it; NAN without a network
 * @allowed: it is within the limits
 * @best: it has the highest value of these
 * @in_force: it is the nearest to what is in force
 */
struct status_choice {
	uint32_t	place;
	int64_t		kmin_ns;
	int64_t		kmax_ns;
	double		pmax;
	double		value;
	int		allowed;
	int		best;
	int		in_force;
};

/**
 * struct status_explain - a decision
 * @queue: of which queue
 * @state: what it is at
 * @feature: its features, the oldest interval first
 * @choice: templates
 */
struct status_explain {
	char			queue[TREE_NAME];
	const char		*state;
	double			feature[FEATURE_STATE];
	struct status_choice	choice[TEMPLATE_NR];
};

/**
 * struct status_source - the daemon, for requests
 * @fill: fills a snapshot
 * @explain: fills a decision; 0, or -1 if there is no such queue
 * @act: "hold" or "resume"; 0, or -1 and why not
 * @data: for these
 */
struct status_source {
	void (*fill)(struct status *s, void *data);
	int (*explain)(const char *queue, struct status_explain *e, void *data);
	int (*act)(const char *verb, const char *queue, char *why, size_t size, void *data);
	void *data;
};

/**
 * status_answer() - answer a request of accctl
 * @out: where
 * @line: the request, without its new line; changed
 * @data: struct status_source
 */
void status_answer(FILE *out, char *line, void *data);

#endif /* ACC_STATUS_H */
