/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Why nothing is held, acked or marked: rules over facts, and what they find.
 */
#ifndef SHARPRAMP_ONRAMPCTL_FINDING_H
#define SHARPRAMP_ONRAMPCTL_FINDING_H

#include <stdio.h>

#include "facts.h"

#define FINDING_WHAT_MAX	320
#define FINDING_COMMAND_MAX	512

/**
 * enum finding_severity - what a finding stands in the way of
 * @FINDING_ERROR: of everything: nothing is held, acked or marked
 * @FINDING_WARNING: it works less well than it could, or not with all
 * @FINDING_NOTE: it may be meant so
 */
enum finding_severity {
	FINDING_ERROR,
	FINDING_WARNING,
	FINDING_NOTE,
};

/**
 * struct finding - what is wrong, and what mends it
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

struct finding_rule;

/**
 * typedef finding_fn - look for a finding
 * @f: the facts
 * @rule: which one it is, for finding_add()
 * @out: appended to
 */
typedef void (*finding_fn)(const struct facts *f,
			   const struct finding_rule *rule,
			   struct findings *out);

/**
 * struct finding_rule - a thing that may be wrong
 * @id: its name
 * @severity: how bad that is
 * @look: looks for it
 */
struct finding_rule {
	const char		*id;
	enum finding_severity	severity;
	finding_fn		look;
};

/* Each ends with a rule without a name. */
extern const struct finding_rule finding_sender[];
extern const struct finding_rule finding_receiver[];
extern const struct finding_rule finding_marker[];

/**
 * finding_look() - all findings, the worst first
 * @f: the facts
 * @out: appended to
 */
void finding_look(const struct facts *f, struct findings *out);

/**
 * finding_add() - a finding
 * @out: appended to
 * @rule: its rule
 * @dev: the device it is about, or NULL
 * @host: where the command belongs, or NULL: here
 * @what: format of a sentence, and what it takes
 *
 * Return: it; the caller adds a command by finding_command().
 */
struct finding *finding_add(struct findings *out,
			    const struct finding_rule *rule,
			    const struct facts_dev *dev, const char *host,
			    const char *what, ...)
			    __attribute__((format(printf, 5, 6)));

/**
 * finding_command() - append to a finding's command
 * @to: the finding
 * @format: format, and what it takes
 */
void finding_command(struct finding *to, const char *format, ...)
		     __attribute__((format(printf, 2, 3)));

/**
 * finding_word() - append a word that a shell may misread
 * @to: the finding
 * @word: the word, such as a device's name
 */
void finding_word(struct finding *to, const char *word);

/**
 * finding_qdisc() - append a change of a qdisc to a finding's command
 * @to: the finding
 * @f: the facts
 * @q: the qdisc
 * @words: its parameters are to follow
 */
void finding_qdisc(struct finding *to, const struct facts *f,
		   const struct facts_qdisc *q, const char *words);

/**
 * finding_root() - append a new root qdisc to a finding's command
 * @to: the finding
 * @dev: for which device
 * @kind: which kind: onramp goes to each of several queues
 * @words: its parameters
 */
void finding_root(struct finding *to, const struct facts_dev *dev,
		  const char *kind, const char *words);

/**
 * finding_candidate() - the device that is most likely meant
 * @f: the facts
 * @kind: it has no qdisc of this kind; NULL: that does not matter
 *
 * Return: that which was named; else of those that are up, and not loopback,
 * the one that has sent most; or NULL.
 */
const struct facts_dev *finding_candidate(const struct facts *f,
					  const char *kind);

/**
 * finding_has() - has a device a qdisc of a kind?
 * @f: the facts
 * @ifindex: the device; 0: any
 * @kind: the kind
 */
bool finding_has(const struct facts *f, uint32_t ifindex, const char *kind);

/** finding_in_scope() - is the device that a qdisc is of asked about? */
bool finding_in_scope(const struct facts *f, uint32_t ifindex);

/** finding_free() - give the list back */
void finding_free(struct findings *out);

#endif /* SHARPRAMP_ONRAMPCTL_FINDING_H */
