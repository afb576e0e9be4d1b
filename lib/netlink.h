/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests over netlink, of any family: their attributes, answers and refusals.
 */
#ifndef SHARPRAMP_LIB_NETLINK_H
#define SHARPRAMP_LIB_NETLINK_H

#include <stddef.h>
#include <stdint.h>
#include <libmnl/libmnl.h>
#include <linux/netlink.h>

/* The longest request of our programs is far shorter. */
#define NL_REQUEST_MAX	1024

/**
 * struct nl_request - a message to the kernel
 * @n: the message
 * @buffer: its bytes
 */
struct nl_request {
	union {
		struct nlmsghdr	n;
		char		buffer[NL_REQUEST_MAX];
	};
};

/**
 * struct nl_refusal - the kernel's reason for a refusal
 * @error: errno
 * @attr: attribute that it refuses, or misses; 0 if it names none
 * @missing: @attr is missing
 * @text: its explanation; empty if it gives none
 */
struct nl_refusal {
	int		error;
	uint16_t	attr;
	int		missing;
	char		text[256];
};

/**
 * nl_fail() - fill in a refusal that is not the kernel's
 * @why: filled
 * @error: errno
 * @text: explanation
 *
 * Return: -1.
 */
int nl_fail(struct nl_refusal *why, int error, const char *text);

/**
 * nl_begin() - begin a request
 * @request: filled with the netlink header
 * @type: of the message
 * @dump: request all of them
 * @header: bytes of the family's own header
 *
 * Return: that header, zero.
 */
void *nl_begin(struct nl_request *request, uint16_t type, int dump,
	       size_t header);

/**
 * nl_index() - sort attributes by number
 * @payload: the attributes
 * @len: bytes of them
 * @attrs: @max + 1 of them, filled; NULL for those that are absent
 * @max: highest number; those above are of a newer kernel, and left out
 */
void nl_index(const void *payload, size_t len, const struct nlattr **attrs,
	      uint16_t max);

/**
 * nl_index_nest() - sort the attributes of a nest by number
 * @nest: the nest; NULL has none
 * @attrs: @max + 1 of them, filled
 * @max: highest number
 */
void nl_index_nest(const struct nlattr *nest, const struct nlattr **attrs,
		   uint16_t max);

/**
 * nl_index_message() - sort the attributes of a message by number
 * @n: the message
 * @header: bytes of the family's own header
 * @attrs: @max + 1 of them, filled
 * @max: highest number
 */
void nl_index_message(const struct nlmsghdr *n, size_t header,
		      const struct nlattr **attrs, uint16_t max);

/**
 * nl_struct() - copy the struct in an attribute
 * @attr: the attribute, or NULL
 * @to: filled as far as the kernel knows it, the rest 0
 * @size: bytes of it
 */
void nl_struct(const struct nlattr *attr, void *to, size_t size);

/**
 * nl_exchange() - send a request and receive the answers
 * @request: the request
 * @header: bytes of the family's own header
 * @reply: called for each answer; NULL if there is none to expect
 * @data: for @reply
 * @why: filled if it fails
 *
 * Return: 0; 1 if the kernel's tables changed while they were dumped; or -1.
 */
int nl_exchange(struct nlmsghdr *request, size_t header, mnl_cb_t reply,
		void *data, struct nl_refusal *why);

#endif /* SHARPRAMP_LIB_NETLINK_H */
