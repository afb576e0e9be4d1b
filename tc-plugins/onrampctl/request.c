// SPDX-License-Identifier: GPL-2.0
/*
 * Requests of a command.
 */
#include <stdio.h>

#include "request.h"

int request_send(struct nl_request *request, onramp_reply_fn reply, void *data,
		 struct nl_refusal *why)
{
	int status = onramp_exchange(request, reply, data, why);

	if (status > 0)
		fprintf(stderr,
			"onrampctl: the state changed while it was read: entries may be missing or duplicate\n");
	return status < 0 ? -1 : 0;
}
