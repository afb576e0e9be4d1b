/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests to the family "onramp", what comes back, and why if nothing does.
 */
#ifndef SHARPRAMP_ONRAMPCTL_GENL_H
#define SHARPRAMP_ONRAMPCTL_GENL_H

#include <stddef.h>
#include <stdint.h>
#include <linux/onramp.h>

#include "nl.h"

/**
 * typedef genl_reply_fn - an answer, one of several for a dump, or an event
 * @cmd: enum onramp_cmd
 * @attrs: by enum onramp_attr, ONRAMP_A_MAX + 1 of them; NULL what is not there
 * @data: the caller's
 */
typedef void (*genl_reply_fn)(uint8_t cmd, const struct nlattr **attrs,
			      void *data);

/**
 * genl_open() - find the family
 * @why: filled if it fails; ENOENT: there is no such family
 *
 * Return: 0 or -1.
 */
int genl_open(struct nl_refusal *why);

/**
 * genl_resolve() - find a family; the socket is open
 * @name: its name
 * @family: its number, written
 * @why: filled if it fails; ENOENT: there is no such family
 *
 * Return: 0 or -1.
 */
int genl_resolve(const char *name, uint16_t *family, struct nl_refusal *why);

/**
 * genl_header() - begin a request to any family
 * @request: filled with headers
 * @family: its number
 * @cmd: its command
 * @version: of the family's interface
 * @dump: request all of them
 */
void genl_header(struct nl_request *request, uint16_t family, uint8_t cmd,
		 uint8_t version, int dump);

/**
 * genl_begin() - begin a request
 * @request: filled with headers
 * @cmd: enum onramp_cmd
 * @dump: request all of them
 */
void genl_begin(struct nl_request *request, uint8_t cmd, int dump);

/**
 * genl_put() - append an attribute
 * @request: the request
 * @attr: enum onramp_attr
 * @data: payload
 * @len: bytes of it, at most 64
 */
void genl_put(struct nl_request *request, uint16_t attr, const void *data,
	      size_t len);

/**
 * genl_exchange() - send a request and take the answers
 * @request: the request
 * @reply: called for each; NULL if there is none to expect
 * @data: for @reply
 * @why: filled if it fails
 *
 * Return: 0; 1 if the kernel's tables changed while they were dumped; or -1.
 */
int genl_exchange(struct nl_request *request, genl_reply_fn reply, void *data,
		  struct nl_refusal *why);

/**
 * genl_ask() - send a request and take the answers; warn if tables changed
 * @request: the request
 * @reply: called for each; NULL if there is none to expect
 * @data: for @reply
 * @why: filled if it fails
 *
 * Return: 0 or -1.
 */
int genl_ask(struct nl_request *request, genl_reply_fn reply, void *data,
	     struct nl_refusal *why);

/**
 * genl_listen() - take the events of group "monitor" until it fails
 * @event: called for each
 * @lost: called when the kernel had to leave some out
 * @data: for both
 * @why: filled
 */
void genl_listen(genl_reply_fn event, void (*lost)(void *data), void *data,
		 struct nl_refusal *why);

/**
 * genl_parse_nest() - attributes of a nest
 * @nest: the nest
 * @attrs: ONRAMP_A_MAX + 1 of them, filled
 */
void genl_parse_nest(const struct nlattr *nest, const struct nlattr **attrs);

#endif /* SHARPRAMP_ONRAMPCTL_GENL_H */
