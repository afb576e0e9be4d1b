/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The tuner of a queue: observations go in, what to do with its thresholds comes out.
 *
 * No clock, no socket, no file.  A queue begins with its own, static thresholds.  From
 * then on the guard of algo/guard.h says when it is tuned and when it is static; while it
 * is tuned the policy chooses, within the limits of the configuration:
 *
 *           3 intervals, guard                hold, another's change
 *   STARTING ---------> STATIC <--> TUNED ----------------> HELD, FOREIGN
 *                          ^          |                        | resume
 *                          |  guard   v                        v
 *                          +------ HOLDOFF                  STARTING
 *
 * In mode observe the policy chooses all the time, nothing is in force but the queue's own
 * thresholds, and the guard has nothing to do.
 */
#ifndef ACC_TUNER_H
#define ACC_TUNER_H

#include "agent.h"
#include "counter.h"
#include "follow.h"
#include "guard.h"
#include "idle.h"
#include "reward.h"

/** enum tuner_policy - source of the choice; as enum conf_policy */
enum tuner_policy { TUNER_FOLLOW, TUNER_DDQN, TUNER_FIXED };

/**
 * enum tuner_state - what a queue is at
 * @TUNER_STARTING: static, too few intervals were seen
 * @TUNER_STATIC: static, for comparison, or by policy
 * @TUNER_TUNED: the policy's thresholds are in force
 * @TUNER_HOLDOFF: static, since tuning did harm
 * @TUNER_HELD: static, by the user's wish
 * @TUNER_FOREIGN: another program or user changed it; nothing is done until resumed
 * @TUNER_OBSERVED: mode observe
 * @TUNER_STATES: how many
 */
enum tuner_state {
	TUNER_STARTING,
	TUNER_STATIC,
	TUNER_TUNED,
	TUNER_HOLDOFF,
	TUNER_HELD,
	TUNER_FOREIGN,
	TUNER_OBSERVED,
	TUNER_STATES,
};

/**
 * struct tuner_params - settings of all queues
 * @tune: mode tune
 * @policy: source of the choice
 * @reward: form of the reward
 * @template: what the network chooses from
 * @net: the network of TUNER_DDQN
 * @agent: it learns; NULL: it does not
 * @learn: constants of learning
 * @guard: settings of the guard
 */
struct tuner_params {
	bool tune;
	enum tuner_policy policy;
	enum reward reward;
	struct template template[TEMPLATE_NR];
	const struct net *net;
	struct agent *agent;
	struct agent_params learn;
	struct guard_params guard;
};

/**
 * struct tuner_limits - what thresholds a queue may get
 * @kmin_least_ns: minimum of kmin
 * @kmax_most_ns: maximum of kmax, not below @kmin_least_ns
 * @pmax_least_ppm: minimum of pmax
 */
struct tuner_limits {
	uint64_t kmin_least_ns;
	uint64_t kmax_most_ns;
	uint32_t pmax_least_ppm;
};

/**
 * struct tuner_seen - the last interval
 * @delay_ns: mean delay
 * @utilisation: parts of FEATURE_ONE
 * @marked_fraction: of the bytes, parts of FEATURE_ONE
 * @reward: of it
 */
struct tuner_seen {
	uint64_t delay_ns;
	uint32_t utilisation;
	uint32_t marked_fraction;
	float reward;
};

/**
 * struct tuner - a queue
 * @limits: what it may get
 * @allowed: bits of the templates within @limits
 * @own: its own, static thresholds
 * @in_force: thresholds in force
 * @placed: thresholds whose place is @place
 * @place: of a template, see tuner_place()
 * @has_place: these two are known
 * @wanted: what the policy chose last
 * @is_tuned: @in_force is of the tuner, not @own
 * @state: enum tuner_state
 * @window: features
 * @follow: state of the rule
 * @idle: whether it is idle
 * @guard: state of the guard
 * @last: the transition that is not complete yet
 * @has_last: there is one
 * @verdict: of the guard, the last one that led to static thresholds
 * @seen: the last interval
 * @tuned_sum: of rewards of tuned blocks
 * @static_sum: of rewards of static blocks
 * @count: counters
 */
struct tuner {
	struct tuner_limits limits;
	uint32_t allowed;
	struct template own;
	struct template in_force;
	struct template placed;
	uint32_t place;
	bool has_place;
	struct template wanted;
	bool is_tuned;
	enum tuner_state state;
	struct feature_window window;
	struct follow follow;
	struct idle idle;
	struct guard_vars guard;
	struct transition last;
	bool has_last;
	enum guard_verdict verdict;
	struct tuner_seen seen;
	double tuned_sum;
	double static_sum;
	struct queue_counters count;
};

/**
 * struct tuner_sample - an interval
 * @x: what the counters grew by
 * @drops: packets dropped because the queue was full
 * @now_ns: its end, monotone
 * @random: 32 random bits
 * @late: it was too long, or the next one is waiting
 */
struct tuner_sample {
	struct feature_interval x;
	uint64_t drops;
	uint64_t now_ns;
	uint32_t random;
	bool late;
};

/** enum tuner_action - what to do: nothing, set @wanted, or the queue's own thresholds */
enum tuner_action { TUNER_KEEP, TUNER_SET, TUNER_RESTORE };

/**
 * tuner_begin() - a queue is found, or found again
 * @p: settings
 * @t: filled; counters stay as they are
 * @own: its thresholds
 * @limits: what it may get
 */
void tuner_begin(const struct tuner_params *p, struct tuner *t, const struct template *own,
		 const struct tuner_limits *limits);

/**
 * tuner_on_interval() - an interval is over
 * @p: settings
 * @t: the queue
 * @x: the interval
 *
 * Return: what to do; tuner_applied() says that it was done.
 */
enum tuner_action tuner_on_interval(const struct tuner_params *p, struct tuner *t,
				    const struct tuner_sample *x);

/**
 * tuner_applied() - an action was carried out
 * @t: the queue
 * @action: the action
 */
void tuner_applied(struct tuner *t, enum tuner_action action);

/**
 * tuner_hold() - static until resumed
 * @t: the queue
 *
 * Return: what to do.
 */
enum tuner_action tuner_hold(struct tuner *t);

/**
 * tuner_yield() - another program changed it: static, as it is, until resumed
 * @t: the queue
 * @own: its thresholds now
 */
void tuner_yield(struct tuner *t, const struct template *own);

/**
 * tuner_is_waiting() - may tuner_begin() resume it?
 * @t: the queue
 *
 * Return: true if it is held or yielded.
 */
static inline bool tuner_is_waiting(const struct tuner *t)
{
	return t->state == TUNER_HELD || t->state == TUNER_FOREIGN;
}

/**
 * tuner_place() - the template that is nearest to thresholds
 * @p: settings
 * @t: thresholds
 *
 * Return: its place, by the level at which half of the packets are marked.
 */
uint32_t tuner_place(const struct tuner_params *p, const struct template *t);

/**
 * tuner_kmax_most_ns() - limit of kmax for a queue
 * @limit: packets that it holds
 * @rate_bps: rate at which it is drained, above 0
 *
 * Return: half of the time that a full queue of 1500-byte packets takes, at most 1 ms.
 */
uint64_t tuner_kmax_most_ns(uint64_t limit, uint64_t rate_bps);

/**
 * tuner_state_name() - name of a state
 * @state: the state
 *
 * Return: such as "tuned".
 */
const char *tuner_state_name(enum tuner_state state);

/**
 * tuner_fallback_name() - why a queue had to go back to static thresholds
 * @t: the queue
 *
 * Return: the last cause, as text.
 */
const char *tuner_fallback_name(const struct tuner *t);

#endif /* ACC_TUNER_H */
