/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why nothing is held, acked or marked: rules over facts, and what they find.
 */
#ifndef SHARPRAMP_ONRAMPCTL_FINDING_H
#define SHARPRAMP_ONRAMPCTL_FINDING_H

#include <stdio.h>

#include "../../lib/units.h"
#include "facts.h"

/* Checked by the compiler as printf's arguments are. */
#define FINDING_PRINTF(at, first) format(printf, at, first)
#define FINDING_FORMAT(at, first) __attribute__((FINDING_PRINTF(at, first)))

#define FINDING_WHAT_MAX	320
#define FINDING_COMMAND_MAX	512

/**
 * enum finding_severity - consequence of a finding
 * @FINDING_ERROR: nothing is held, acknowledged or marked
 * @FINDING_WARNING: it works less well than it could, or not with all
 * @FINDING_NOTE: it may be intended
 */
enum finding_severity {
	FINDING_ERROR,
	FINDING_WARNING,
	FINDING_NOTE,
};

/**
 * struct finding - a problem, and the command that corrects it
 * @id: its name, which does not change from release to release
 * @severity: how bad it is
 * @dev: device that it is about, or empty
 * @host: where the command belongs; empty: here
 * @what: a sentence
 * @command: a command line
 */
struct finding {
	const char		*id;
	enum finding_severity	severity;
	char			dev[IFNAMSIZ];
	char			host[INET6_ADDRSTRLEN];
	char			what[FINDING_WHAT_MAX];
	char			command[FINDING_COMMAND_MAX];
};

/** struct findings - a list of them; begins as zero */
struct findings {
	struct finding	*list;
	size_t		n;
};

/**
 * enum finding_scope - objects that a rule examines, one by one, if they are in scope
 * @FINDING_HOST: the host as a whole, once
 * @FINDING_ONRAMP: each onramp
 * @FINDING_SENDER: each onramp that measures delays
 * @FINDING_MQ: each mq
 * @FINDING_ACKED: each device of the acker
 * @FINDING_MARKER: each ecnsharp
 * @FINDING_PORT: each cp
 */
enum finding_scope {
	FINDING_HOST,
	FINDING_ONRAMP,
	FINDING_SENDER,
	FINDING_MQ,
	FINDING_ACKED,
	FINDING_MARKER,
	FINDING_PORT,
};

struct finding_rule;

/**
 * struct finding_check - examination of one object by one rule
 * @f: the facts
 * @q: the qdisc, or NULL
 * @dev: the device, or NULL
 * @rule: the rule
 * @out: where findings go
 */
struct finding_check {
	const struct facts		*f;
	const struct facts_qdisc	*q;
	const struct facts_dev		*dev;
	const struct finding_rule	*rule;
	struct findings			*out;
};

/**
 * struct finding_rule - a problem that may be found
 * @id: its name
 * @severity: how bad that is
 * @scope: the objects that it examines
 * @check: examines one object
 */
struct finding_rule {
	const char		*id;
	enum finding_severity	severity;
	enum finding_scope	scope;
	void (*check)(const struct finding_check *at);
};

/* Each ends with a rule without a name. */
extern const struct finding_rule finding_sender[];
extern const struct finding_rule finding_tables[];
extern const struct finding_rule finding_receiver[];
extern const struct finding_rule finding_marker[];
extern const struct finding_rule finding_port[];
extern const struct finding_rule finding_point[];
extern const struct finding_rule finding_tuner[];

/**
 * finding_all() - all findings, the worst first
 * @f: the facts
 * @out: appended to
 */
void finding_all(const struct facts *f, struct findings *out);

/* Fewer packets may just not have been acked yet. */
#define FINDING_SEEN	10

/**
 * finding_outweighs() - are there more datagrams than single ones, and than accepted ones?
 * @core: counters of the module onramp
 * @datagrams: OR-ACKs that were not accepted, for one reason
 *
 * Return: true if so.
 */
bool finding_outweighs(const struct facts_core_counts *core, uint64_t datagrams);

/**
 * finding_is_refused() - are OR-ACKs refused because of their keys?
 * @f: the facts
 *
 * Anyone can forge some, so those of before the watch count only if most were refused.
 *
 * Return: true if so.
 */
bool finding_is_refused(const struct facts *f);

/**
 * finding_add() - a finding, about the device that is examined
 * @at: where it was found
 * @host: where the command belongs, or NULL: here
 * @what: format of a sentence, and what it takes
 *
 * Return: it; the caller adds a command.
 */
struct finding *finding_add(const struct finding_check *at, const char *host,
			    const char *what, ...) FINDING_FORMAT(3, 4);

/**
 * finding_command() - append to a finding's command
 * @to: the finding
 * @format: format, and what it takes
 */
void finding_command(struct finding *to, const char *format,
		     ...) FINDING_FORMAT(2, 3);

/**
 * finding_argument() - append to a finding's command
 * @to: the finding
 * @argument: what a shell may misread is quoted
 */
void finding_argument(struct finding *to, const char *argument);

/**
 * finding_device() - append to a finding's command, with a device's name
 * @to: the finding
 * @before: what comes before it
 * @dev: the device; a name that a shell may misread is quoted
 * @after: what comes behind it
 */
void finding_device(struct finding *to, const char *before,
		    const struct facts_dev *dev, const char *after);

/**
 * finding_change() - append a change of the qdisc that is examined
 * @to: the finding
 * @at: the examination
 * @params: its parameters
 */
void finding_change(struct finding *to, const struct finding_check *at,
		    const char *params);

/**
 * finding_root() - append a new root qdisc to a finding's command
 * @to: the finding
 * @dev: for which device
 * @kind: which kind: onramp and ecnsharp go to each of several queues
 * @params: its parameters, or NULL
 */
void finding_root(struct finding *to, const struct facts_dev *dev,
		  const char *kind, const char *params);

/**
 * finding_candidate() - the device that is most likely meant
 * @f: the facts
 * @scope: only this device; 0: any
 * @kind: it has no qdisc of this kind; NULL: that does not matter
 *
 * Return: of those that are up, and not loopback, the one that has sent most;
 * or NULL.
 */
const struct facts_dev *finding_candidate(const struct facts *f, uint32_t scope,
					  const char *kind);

/**
 * finding_has() - has a device a qdisc of a kind?
 * @f: the facts
 * @ifindex: the device; 0: any
 * @kind: the kind
 */
bool finding_has(const struct facts *f, uint32_t ifindex, const char *kind);

/** finding_is_switch() - has a device in scope a qdisc of a switch's port, ecnsharp or cp? */
bool finding_is_switch(const struct facts *f);

/**
 * finding_lacks_bql() - is the backlog of a NIC unknown?
 * @dev: the device
 *
 * Return: true if it is a NIC that sends, and its driver does not report completed
 * packets; for a NIC that sends nothing this is not known.
 */
bool finding_lacks_bql(const struct facts_dev *dev);

/**
 * finding_publishes() - is a published clock used here, or was it?
 * @f: the facts
 *
 * Return: true if the kernel knows a line, or an onramp that measures delays
 * wants one: this host is of a fleet that publishes, whose OR-ACKs are of the
 * line's epoch.
 */
bool finding_publishes(const struct facts *f);

/**
 * finding_clock() - append what gives a host the clock that is used here
 * @to: the finding; the host is this one, or its peer
 * @f: the facts
 *
 * Where a clock is published the system's is of another epoch, and no other program
 * may keep it: only the daemon corrects that.
 */
void finding_clock(struct finding *to, const struct facts *f);

/** finding_in_scope() - is a device among those to examine? */
bool finding_in_scope(const struct facts *f, uint32_t ifindex);

/**
 * finding_nics() - where packets of a device come and leave
 * @f: the facts
 * @dev: the device; if it is not above a NIC, there is none
 * @each: called with each NIC that is in this namespace, which may be a bridge
 * @data: for @each
 */
void finding_nics(const struct facts *f, const struct facts_dev *dev,
		  void (*each)(const struct facts_dev *nic, void *data),
		   void *data);

/** finding_count() - a number, for a sentence */
struct unit_text finding_count(uint64_t number);

/** finding_free() - give the list back */
void finding_free(struct findings *out);

#endif /* SHARPRAMP_ONRAMPCTL_FINDING_H */
