// SPDX-License-Identifier: GPL-2.0
/*
 * A request, and what the kernel answers.  It has answered when the call that
 * sends returns, so nothing is waited for.
 */
#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/netlink.h>
#include <sys/socket.h>

#include "talk.h"

/* The end of an answer has an errno in front, of a dump or of anything else. */
static bool talk_is_end(const struct nlmsghdr *message, struct talk *said)
{
	const int *error = mnl_nlmsg_get_payload(message);

	said->heard = true;
	if (message->nlmsg_type != NLMSG_ERROR && message->nlmsg_type != NLMSG_DONE)
		return false;
	said->error = mnl_nlmsg_get_payload_len(message) >= sizeof(*error) ? -*error : 0;
	return true;
}

/**
 * talk() - send a request, hear all of the answer
 * @socket: to the kernel
 * @message: the request, which may be no message at all
 * @bytes: its length
 * @seq: its number; answers to others are not heard
 * @each: is shown each message of the answer but its end, or NULL
 * @data: for @each
 *
 * Return: the outcome.
 */
struct talk talk(int socket, const void *message, size_t bytes, uint32_t seq, talk_each each,
		 void *data)
{
	static char answer[1 << 17] __attribute__((aligned(8)));
	struct talk said = {};

	if (send(socket, message, bytes, 0) < 0)
		return (struct talk){ .heard = true, .error = errno };
	for (;;) {
		ssize_t got = recv(socket, answer, sizeof(answer), MSG_DONTWAIT);
		const struct nlmsghdr *part = (void *)answer;
		int left = got;

		if (got < 0 && errno == EAGAIN)
			return said;
		if (got < 0)
			return (struct talk){ .heard = true, .error = errno };
		for (; mnl_nlmsg_ok(part, left); part = mnl_nlmsg_next(part, &left)) {
			if (part->nlmsg_seq != seq)
				continue;
			if (talk_is_end(part, &said))
				return said;
			if (each)
				each(part, data);
		}
	}
}
