/* SPDX-License-Identifier: GPL-2.0 */
/*
 * tc's side of a plugin, for tests: the functions that plugins import, their
 * output kept in memory, and what a plugin says on stderr as well.
 */
#ifndef SHARPRAMP_TC_STUB_H
#define SHARPRAMP_TC_STUB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <linux/rtnetlink.h>

#include "../tc_plugin.h"

/* The plugins under test. */
extern struct qdisc_util cp_qdisc_util;
extern struct qdisc_util ecnsharp_qdisc_util;
extern struct qdisc_util onramp_qdisc_util;

/** struct tc_request - a request as tc lays it out */
struct tc_request {
	struct nlmsghdr n;
	struct tcmsg t;
	char buffer[TC_REQUEST_MAX];
};

/**
 * tc_stub_parse() - parse the arguments behind the kind, as tc does
 * @qu: the plugin
 * @arguments: separated by blanks
 * @req: written
 *
 * Return: what the plugin returned; its stderr is in tc_stub_stderr().
 */
int tc_stub_parse(const struct qdisc_util *qu, const char *arguments,
		  struct tc_request *req);

/**
 * tc_stub_options() - TCA_OPTIONS of a request
 * @req: a request that the plugin made
 *
 * Return: the attribute; NULL if there is none or the message is malformed.
 */
struct rtattr *tc_stub_options(struct tc_request *req);

/**
 * tc_stub_begin() - begin an output
 * @json: as tc -j
 * @details: as tc -d
 */
void tc_stub_begin(bool json, bool details);

/**
 * tc_stub_output() - the output since tc_stub_begin()
 *
 * Return: text, or with @json one object; valid until tc_stub_begin().
 */
const char *tc_stub_output(void);

/**
 * tc_stub_stderr() - the plugin's messages on stderr
 *
 * Return: text, valid until the next tc_stub_parse().
 */
const char *tc_stub_stderr(void);

#endif /* SHARPRAMP_TC_STUB_H */
