/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The configuration of acc-tuner.conf(5), checked.
 *
 * One table in key.c names every key.  A configuration is parsed whole into a
 * struct of its own, so that a refused one has changed nothing.  All times are
 * ns, all rates bit/s, all fractions parts per million.
 */
#ifndef ACC_CONF_H
#define ACC_CONF_H

#include <net/if.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "../../lib/conf_text.h"

#define CONF_PATH_MAX	256
#define CONF_USER_MAX	32
#define CONF_QUEUES_MAX	64
#define CONF_RATES_MAX	64

/* A queue of any handle. */
#define CONF_ANY_HANDLE	0

/* Range of a rate; algo/feature.h knows none above 2^40. */
#define CONF_RATE_LEAST	1000ULL
#define CONF_RATE_MOST	1000000000000ULL

/** enum conf_mode - [tuner] mode */
enum conf_mode { CONF_MODE_OBSERVE, CONF_MODE_TUNE };

/** enum conf_policy - [tuner] policy */
enum conf_policy { CONF_POLICY_FOLLOW, CONF_POLICY_DDQN, CONF_POLICY_STATIC };

/* The kernel's ALTIFNAMSIZ, which its headers keep to themselves. */
#define CONF_DEV_MAX	128

/**
 * struct conf_queue - an item of [queues] queues
 * @dev: name of the device, or an alternative one; empty: any
 * @handle: handle of the qdisc, CONF_ANY_HANDLE: any of the device
 */
struct conf_queue {
	char		dev[CONF_DEV_MAX];
	uint32_t	handle;
};

/**
 * struct conf_rate - an item of [queues] rate
 * @queue: which queues; the handle may be any, the device may not
 * @bps: what they are drained with
 */
struct conf_rate {
	struct conf_queue	queue;
	uint64_t		bps;
};

/**
 * struct acc_conf - a configuration
 *
 * Numbers are int64_t whatever their range, so that the table needs one kind of
 * field.
 *
 * @queues: [queues] queues, none twice
 * @n_queues: at least 1
 * @rates: [queues] rate, none twice
 * @n_rates: how many
 * @mode: [tuner] mode, enum conf_mode
 * @policy: [tuner] policy, enum conf_policy
 * @model: [tuner] model; empty: none
 * @interval_ns: [tuner] interval
 * @reward: [tuner] reward, enum reward of algo/reward.h
 * @learn: [tuner] learn, 0 or 1
 * @explore_ppm: [tuner] explore, decisions by chance while it learns
 * @budget: [tuner] budget of changes an interval
 * @kmin_least_ns: [limits] kmin_least
 * @kmax_most_ns: [limits] kmax_most; 0: by the queue's limit
 * @pmax_least_ppm: [limits] pmax_least
 * @share_ppm: [limits] share of blocks with static settings
 * @holdoff_ns: [limits] holdoff after a fallback, the first one
 * @user: [security] user; empty: stay
 * @seccomp: [security] seccomp, 0 or 1
 * @control: [security] control, path of the control socket
 * @saved: [security] saved, path of the file with the queues' own settings
 * @state: [security] state, directory of learned models
 * @level: [log] level, enum log_level of lib/log.h
 */
struct acc_conf {
	struct conf_queue	queues[CONF_QUEUES_MAX];
	size_t			n_queues;
	struct conf_rate	rates[CONF_RATES_MAX];
	size_t			n_rates;

	int64_t			mode;
	int64_t			policy;
	char			model[CONF_PATH_MAX];
	int64_t			interval_ns;
	int64_t			reward;
	int64_t			learn;
	int64_t			explore_ppm;
	int64_t			budget;

	int64_t			kmin_least_ns;
	int64_t			kmax_most_ns;
	int64_t			pmax_least_ppm;
	int64_t			share_ppm;
	int64_t			holdoff_ns;

	char			user[CONF_USER_MAX];
	int64_t			seccomp;
	char			control[CONF_PATH_MAX];
	char			saved[CONF_PATH_MAX];
	char			state[CONF_PATH_MAX];

	int64_t			level;
};

/**
 * conf_parse() - read and check a text
 * @conf: filled
 * @path: name for messages
 * @text: the text, not changed; it may have zeros
 * @len: its length
 * @error: filled if it fails
 *
 * Return: 0 or -1.
 */
int conf_parse(struct acc_conf *conf, const char *path, const char *text, size_t len,
	       struct conf_error *error);

/**
 * conf_read() - read and check a file
 * @conf: filled
 * @path: the file
 * @error: filled if it fails
 *
 * Return: 0 or -1.
 */
int conf_read(struct acc_conf *conf, const char *path, struct conf_error *error);

/**
 * conf_reload() - read a file again, for a daemon that runs
 * @next: filled
 * @was: what is in force
 * @path: the file
 * @error: filled if it fails
 *
 * A key that --help-keys does not call live must be as it was: sockets and
 * privileges are made once.
 *
 * Return: 0 or -1.
 */
int conf_reload(struct acc_conf *next, const struct acc_conf *was, const char *path,
		struct conf_error *error);

/**
 * conf_help() - print every key with range, default and description
 * @out: where
 *
 * One line a key, columns separated by tabs, section.key first.
 */
void conf_help(FILE *out);

/**
 * conf_is_named() - does an item name a device?
 * @item: the item
 * @name: name of the device
 * @alternatives: its alternative names, each ended by 0, and an empty one; NULL: none
 *
 * Return: true if it does, or if it names any.
 */
bool conf_is_named(const struct conf_queue *item, const char *name, const char *alternatives);

/**
 * conf_rate_bps() - rate that the configuration gives a queue
 * @conf: a configuration
 * @name: name of its device
 * @alternatives: as in conf_is_named()
 * @handle: its handle
 *
 * Return: bit/s, of an item with the handle before one without; 0: none.
 */
uint64_t conf_rate_bps(const struct acc_conf *conf, const char *name, const char *alternatives,
		       uint32_t handle);

#endif /* ACC_CONF_H */
