/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests of a command, with a warning where the answers may be incomplete.
 */
#ifndef SHARPRAMP_ONRAMPCTL_REQUEST_H
#define SHARPRAMP_ONRAMPCTL_REQUEST_H

#include "../../lib/onramp_genl.h"

/**
 * request_send() - send a request and receive the answers; warn if tables changed
 * @request: the request
 * @reply: called for each; NULL if there is none to expect
 * @data: for @reply
 * @why: filled if it fails
 *
 * Return: 0 or -1.
 */
int request_send(struct nl_request *request, onramp_reply_fn reply, void *data,
		 struct nl_refusal *why);

#endif /* SHARPRAMP_ONRAMPCTL_REQUEST_H */
