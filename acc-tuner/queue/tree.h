/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The qdiscs of a namespace as trees: which of them can be tuned, and at which rate they
 * are drained.
 */
#ifndef ACC_TREE_H
#define ACC_TREE_H

#include "conf.h"
#include "record.h"

#define TREE_TEXT	256
/* "DEVICE/HANDLE:" */
#define TREE_NAME	(IF_NAMESIZE + 8)

/**
 * struct tree - what a namespace has
 * @record: qdiscs
 * @records: how many
 * @class: classes of htb
 * @classes: how many
 * @device: devices
 * @devices: how many
 */
struct tree {
	const struct record *record;
	size_t records;
	const struct record_class *class;
	size_t classes;
	const struct record_device *device;
	size_t devices;
};

/**
 * enum tree_verdict - may a queue be tuned?
 * @TREE_GOOD: yes
 * @TREE_RED: it is red, which a change empties
 * @TREE_GRED: the same of gred
 * @TREE_NOQUEUE: it has no queue
 * @TREE_OTHER: it is another qdisc, and was named by its handle
 * @TREE_DOWN: its device is down or has no carrier
 * @TREE_GARBLED: its settings cannot be read
 * @TREE_OLD: its module does not say when it read its statistics
 * @TREE_BYPASS: packets pass it unseen
 * @TREE_OFF: its thresholds are off
 * @TREE_STAB: its size table would be lost by a change
 * @TREE_NO_HANDLE: it was made by default, and cannot be changed
 * @TREE_NO_RATE: nobody knows its rate
 * @TREE_NR: how many
 */
enum tree_verdict {
	TREE_GOOD,
	TREE_RED,
	TREE_GRED,
	TREE_NOQUEUE,
	TREE_OTHER,
	TREE_DOWN,
	TREE_GARBLED,
	TREE_OLD,
	TREE_BYPASS,
	TREE_OFF,
	TREE_STAB,
	TREE_NO_HANDLE,
	TREE_NO_RATE,
	TREE_NR,
};

/**
 * struct tree_queue - a queue
 * @record: the qdisc
 * @device: its device
 * @rate_bps: rate at which it is drained; 0: unknown
 * @group: handle of the mq whose leaves are one queue for the tuner, else its own
 * @verdict: may it be tuned?
 */
struct tree_queue {
	const struct record *record;
	const struct record_device *device;
	uint64_t rate_bps;
	uint32_t group;
	enum tree_verdict verdict;
};

/**
 * tree_queue() - look at a qdisc
 * @tree: the namespace
 * @conf: which queues are named, and their rates
 * @record: the qdisc, of @tree
 * @q: filled
 *
 * Return: true if the configuration names it and there is a reason to report.
 */
bool tree_queue(const struct tree *tree, const struct acc_conf *conf, const struct record *record,
		struct tree_queue *q);

/**
 * tree_name() - name of a queue, as the configuration and accctl have it
 * @dev: its device
 * @handle: its handle
 * @name: filled: "eth1/10:"
 *
 * Return: @name.
 */
const char *tree_name(const char *dev, uint32_t handle, char name[TREE_NAME]);

/**
 * tree_verdict_name() - name of a verdict
 * @verdict: the verdict
 *
 * Return: such as "no-rate".
 */
const char *tree_verdict_name(enum tree_verdict verdict);

/**
 * tree_explain() - why a queue is not tuned, and the command that helps
 * @q: the queue
 * @text: filled; empty if it is tuned
 *
 * Return: @text.
 */
const char *tree_explain(const struct tree_queue *q, char text[TREE_TEXT]);

/**
 * tree_missing() - the first item of the configuration without a queue
 * @tree: the namespace
 * @conf: the configuration
 * @from: item to begin with
 * @text: filled: why
 *
 * Return: its place, or @conf->n_queues if each has one.
 */
size_t tree_missing(const struct tree *tree, const struct acc_conf *conf, size_t from,
		    char text[TREE_TEXT]);

#endif /* ACC_TREE_H */
