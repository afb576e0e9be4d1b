/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to the generic netlink family "onramp", their answers and its events.
 */
#ifndef SHARPRAMP_LIB_ONRAMP_GENL_H
#define SHARPRAMP_LIB_ONRAMP_GENL_H

#include <stdint.h>
#include <linux/onramp.h>

#include "genl.h"

/**
 * typedef onramp_reply_fn - an answer, one of several for a dump, or an event
 * @cmd: enum onramp_cmd
 * @attrs: by enum onramp_attr, ONRAMP_A_MAX + 1 of them; NULL for those that
 *	are absent
 * @data: the caller's
 */
typedef void (*onramp_reply_fn)(uint8_t cmd, const struct nlattr **attrs,
				void *data);

/**
 * onramp_open() - open the socket and find the family
 * @why: filled if it fails; ENOENT: there is no such family
 *
 * Return: 0 or -1.
 */
int onramp_open(struct nl_refusal *why);

/**
 * onramp_begin() - begin a request; genl_put() appends its attributes
 * @request: filled with headers
 * @cmd: enum onramp_cmd
 * @dump: request all of them
 */
void onramp_begin(struct nl_request *request, uint8_t cmd, int dump);

/**
 * onramp_exchange() - send a request and receive the answers
 * @request: the request
 * @reply: called for each; NULL if there is none to expect
 * @data: for @reply
 * @why: filled if it fails
 *
 * Return: 0; 1 if the kernel's tables changed while they were dumped; or -1.
 */
int onramp_exchange(struct nl_request *request, onramp_reply_fn reply,
		    void *data, struct nl_refusal *why);

/**
 * onramp_listen() - receive the events of group "monitor" until it fails
 * @event: called for each
 * @lost: called when the kernel had to leave some out
 * @data: for both
 * @why: filled
 */
void onramp_listen(onramp_reply_fn event, void (*lost)(void *data), void *data,
		   struct nl_refusal *why);

/**
 * onramp_parse_nest() - sort the attributes of a nest by number
 * @nest: the nest
 * @attrs: ONRAMP_A_MAX + 1 of them, filled
 */
void onramp_parse_nest(const struct nlattr *nest, const struct nlattr **attrs);

#endif /* SHARPRAMP_LIB_ONRAMP_GENL_H */
