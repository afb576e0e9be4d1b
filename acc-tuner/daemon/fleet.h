/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The queues of a namespace: which there are, what their counters grew by, and what is to
 * be changed.
 *
 * Dumps go in, changes come out; nothing is read or sent here.  A queue has one member,
 * or as many as its mq has leaves, which are observed as a sum and changed alike.
 */
#ifndef ACC_FLEET_H
#define ACC_FLEET_H

#include "change.h"
#include "conf.h"
#include "model.h"
#include "saved.h"
#include "tree.h"
#include "tuner.h"

#define FLEET_MEMBERS	1024
#define FLEET_QUEUES	1024
#define FLEET_REFUSED_MAX	256

/**
 * struct fleet_member - a qdisc that is tuned
 * @queue: place of its queue
 * @ifindex: its device
 * @parent: the class that it is in, or TC_H_ROOT
 * @handle: its own
 * @own: settings without the tuner
 * @expected: settings that a dump must show
 * @sent: settings of a change whose outcome is not known
 * @stats: of the dump before
 * @is_known: @stats is filled
 * @is_sent: there is such a change
 * @is_saved: its own settings are in the file
 * @is_seen: it is in the present dump
 */
struct fleet_member {
	uint32_t queue;
	uint32_t ifindex;
	uint32_t parent;
	uint32_t handle;
	struct ecnsharp_settings own;
	struct ecnsharp_settings expected;
	struct ecnsharp_settings sent;
	struct tc_ecnsharp_xstats stats;
	bool is_known;
	bool is_sent;
	bool is_saved;
	bool is_seen;
};

/** enum fleet_after - what comes when a queue has its own settings: nothing, a begin, its end */
enum fleet_after { FLEET_STAY, FLEET_BEGIN, FLEET_END };

/**
 * struct fleet_queue - a queue
 * @dev: its device
 * @ifindex: the same
 * @group: handle of its qdisc, or of its mq
 * @rate_bps: rate at which it is drained
 * @members: how many
 * @sample: what they grew by
 * @grown: for how many that is known
 * @is_foreign: another changed a member since the last dump
 * @foreign: to these settings
 * @is_failing: the kernel refused the last change
 * @is_found: it is in the trees
 * @gso_ns: time that the link needs for the longest packet before segmentation; 0: they
 *	are segmented first
 * @action: what waits to be done
 * @after: what comes when its own settings are in force
 * @tuner: its tuner
 */
struct fleet_queue {
	char dev[IF_NAMESIZE];
	uint32_t ifindex;
	uint32_t group;
	uint64_t rate_bps;
	uint32_t members;
	struct tuner_sample sample;
	uint32_t grown;
	bool is_foreign;
	struct ecnsharp_settings foreign;
	bool is_failing;
	bool is_found;
	uint64_t gso_ns;
	enum tuner_action action;
	enum fleet_after after;
	struct tuner tuner;
};

/**
 * struct fleet_refused - a queue that is named but not tuned
 * @name: "eth1/10:"
 * @verdict: why
 * @why: the same, with the command that helps
 */
struct fleet_refused {
	char name[TREE_NAME];
	enum tree_verdict verdict;
	char why[TREE_TEXT];
};

/**
 * enum fleet_event - what is to be logged about a queue
 * @FLEET_OPENED: it was found
 * @FLEET_CLOSED: it is gone, or not named any more
 * @FLEET_RATE: its rate is another
 * @FLEET_CHANGED: another program changed it
 * @FLEET_FALLBACK: the guard ended tuning for a time
 * @FLEET_REFUSED: the kernel refused a change
 */
enum fleet_event {
	FLEET_OPENED,
	FLEET_CLOSED,
	FLEET_RATE,
	FLEET_CHANGED,
	FLEET_FALLBACK,
	FLEET_REFUSED,
};

/**
 * struct fleet - all queues
 * @conf: the configuration
 * @params: settings of all tuners
 * @agent: it learns, if [tuner] learn says so
 * @member: qdiscs
 * @members: how many
 * @queue: queues
 * @queues: how many
 * @refused: named queues that are not tuned
 * @n_refused: how many
 * @saved: own settings of queues that were changed
 * @is_saved_changed: the file is older than @saved
 * @others: qdiscs of kind ecnsharp in the last dump that are not members
 * @others_were: the same at the last look at the trees
 * @next: queue whose turn it is when not all can be changed
 * @event: is called with what happened, with an error number in FLEET_REFUSED; NULL: not called
 * @data: for @event
 */
struct fleet {
	const struct acc_conf *conf;
	struct tuner_params params;
	struct agent *agent;
	struct fleet_member member[FLEET_MEMBERS];
	size_t members;
	struct fleet_queue queue[FLEET_QUEUES];
	size_t queues;
	struct fleet_refused refused[FLEET_REFUSED_MAX];
	size_t n_refused;
	struct saved saved;
	bool is_saved_changed;
	size_t others;
	size_t others_were;
	size_t next;
	void (*event)(enum fleet_event event, const struct fleet_queue *q, int error, void *data);
	void *data;
};

/**
 * fleet_begin() - no queue yet
 * @f: zero; what is not used stays untouched, and needs no memory
 * @conf: the configuration, which stays where it is
 */
void fleet_begin(struct fleet *f, const struct acc_conf *conf);

/**
 * fleet_configure() - settings of all tuners, by the configuration
 * @f: the fleet
 * @model: of policy ddqn, else NULL; it stays where it is
 */
void fleet_configure(struct fleet *f, const struct model *model);

/**
 * fleet_restart() - all queues that are tuned begin anew, after the configuration changed
 * @f: the fleet; what is to be changed back is in each queue's action
 */
void fleet_restart(struct fleet *f);

/**
 * fleet_look() - look at the trees: find queues, and close those that are gone
 * @f: the fleet
 * @tree: the namespace
 */
void fleet_look(struct fleet *f, const struct tree *tree);

/**
 * fleet_wants_scan() - did the last dump show another set of queues?
 * @f: the fleet
 *
 * Return: true if it did.
 */
bool fleet_wants_scan(const struct fleet *f);

/**
 * fleet_on_dump() - an interval is over
 * @f: the fleet
 * @tree: the namespace: qdiscs only
 * @now_ns: time, monotone
 * @late: it was too long, or the next one is waiting
 * @prng: where chance comes from
 */
void fleet_on_dump(struct fleet *f, const struct tree *tree, uint64_t now_ns, bool late,
		   struct prng *prng);

/**
 * fleet_changes() - changes that are due
 * @f: the fleet; own settings are put into @saved, which must be written first
 * @c: filled
 * @most: how many at most
 *
 * All members of a queue are changed together, unless there are more than @most.  Those
 * that do not fit are first the next time.
 *
 * Return: how many.
 */
size_t fleet_changes(struct fleet *f, struct change *c, size_t most);

/**
 * fleet_changed() - the kernel's answer
 * @f: the fleet
 * @c: the changes
 * @n: how many
 */
void fleet_changed(struct fleet *f, const struct change *c, size_t n);

/**
 * fleet_find() - a queue by its name
 * @f: the fleet
 * @name: "eth1/10:"; of the only queue of a device "eth1" as well
 *
 * Return: the queue, or NULL.
 */
struct fleet_queue *fleet_find(struct fleet *f, const char *name);

/**
 * fleet_hold() - static until resumed
 * @f: the fleet
 * @q: a queue of it
 */
void fleet_hold(struct fleet *f, struct fleet_queue *q);

/**
 * fleet_resume() - a queue that is held, or that another changed, begins anew
 * @f: the fleet
 * @q: a queue of it
 */
void fleet_resume(struct fleet *f, struct fleet_queue *q);

#endif /* ACC_FLEET_H */
