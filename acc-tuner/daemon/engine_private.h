/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The daemon, for the files engine*.c only.
 */
#ifndef ACC_ENGINE_PRIVATE_H
#define ACC_ENGINE_PRIVATE_H

#include "../../lib/daemon.h"
#include "engine.h"
#include "fleet.h"
#include "restore.h"
#include "scan.h"
#include "status.h"

#define ENGINE_WHY		512
#define ENGINE_NS		1000000000ULL

/* From one search for queues to the next, if nothing else calls for one. */
#define ENGINE_SCAN_NS		ENGINE_NS
/* Before the next one at least, however often links change. */
#define ENGINE_SCAN_LEAST_NS	(ENGINE_NS / 100)
/* From one file with what was learned to the next. */
#define ENGINE_LEARNED_NS	(600 * ENGINE_NS)
/* An update of the network costs as much as a hundred decisions. */
#define ENGINE_LEARN_EVERY	4
#define ENGINE_REPLAY		50000

/** enum engine_source - source of an event, in addition to enum daemon_source */
enum engine_source {
	ENGINE_LINKS = DAEMON_OWN,
};

/**
 * struct engine_learning - memory of the agent that learns
 * @agent: the agent
 * @given: network of [tuner] model, with which it began
 * @transitions: its replay buffer
 */
struct engine_learning {
	struct agent agent;
	struct net given;
	struct transition transitions[ENGINE_REPLAY];
};

/**
 * struct engine - the daemon
 * @path: of the configuration
 * @conf: the configuration
 * @model: of policy ddqn
 * @has_model: it was read
 * @learning: NULL: it does not learn
 * @scan: the kernel's tables
 * @fleet: the queues
 * @prng: where chance comes from
 * @source: of snapshots for accctl
 * @rows: buffer for a snapshot
 * @count: counters
 * @name: socket that no other daemon of this network namespace can have
 * @daemon: control socket, signals, and the timer, which is of intervals
 * @last_ns: end of the last interval
 * @length_ns: its length
 * @scanned_ns: last search for queues
 * @scan_ns: next one
 * @learned_ns: when what was learned is written
 * @logged: refused queues that were logged, by their number
 * @is_failing: the last interval's dump, file or change failed, and this was logged
 * @has_failed: the same of this interval
 */
struct engine {
	const char		*path;
	struct acc_conf		conf;
	struct model		model;
	bool			has_model;
	struct engine_learning	*learning;
	struct scan		*scan;
	struct fleet		fleet;
	struct prng		prng;
	struct status_source	source;
	struct status_queue	rows[FLEET_QUEUES + FLEET_REFUSED_MAX];
	struct daemon_counters	count;
	int			name;
	struct daemon		daemon;
	uint64_t		last_ns;
	uint64_t		length_ns;
	uint64_t		scanned_ns;
	uint64_t		scan_ns;
	uint64_t		learned_ns;
	uint64_t		logged;
	bool			is_failing;
	bool			has_failed;
};

/**
 * engine_now() - the time
 *
 * Return: CLOCK_MONOTONIC, ns.
 */
uint64_t engine_now(void);

/**
 * engine_load() - read a configuration and its model
 * @conf: filled
 * @was: what is in force; NULL at start
 * @model: filled, if the policy needs one
 * @path: the file
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: 0 or -1.
 */
int engine_load(struct acc_conf *conf, const struct acc_conf *was, struct model *model,
		const char *path, char *why, size_t size);

/**
 * engine_set_interval() - start the timer
 * @engine: the daemon
 */
void engine_set_interval(struct engine *engine);

/**
 * engine_write_learned() - write what was learned
 * @engine: the daemon
 */
void engine_write_learned(struct engine *engine);

/**
 * engine_restore() - give all queues of the file their own settings
 * @engine: the daemon
 * @why: filled if it fails
 * @size: bytes of @why
 *
 * Return: how many could not be changed back, or -1.
 */
int engine_restore(struct engine *engine, char *why, size_t size);

/**
 * engine_change() - have done what is due, within the budget
 * @engine: the daemon
 */
void engine_change(struct engine *engine);

/**
 * engine_fill() - fill a snapshot
 * @s: filled
 * @data: the daemon
 */
void engine_fill(struct status *s, void *data);

/**
 * engine_explain() - fill a decision
 * @queue: of which queue
 * @e: filled
 * @data: the daemon
 *
 * Return: 0, or -1 if there is no such queue.
 */
int engine_explain(const char *queue, struct status_explain *e, void *data);

/**
 * engine_act() - do what a user wants
 * @verb: "hold" or "resume"
 * @queue: with which queue
 * @why: filled if it fails
 * @size: bytes of @why
 * @data: the daemon
 *
 * Return: 0 or -1.
 */
int engine_act(const char *verb, const char *queue, char *why, size_t size, void *data);

/**
 * engine_log_event() - log what happened to a queue
 * @event: what
 * @q: the queue
 * @error: errno of FLEET_REFUSED
 * @data: the daemon
 */
void engine_log_event(enum fleet_event event, const struct fleet_queue *q, int error, void *data);

#endif /* ACC_ENGINE_PRIVATE_H */
