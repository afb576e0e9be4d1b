/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Requests over generic netlink.
 */
#ifndef SHARPRAMP_LIB_GENL_H
#define SHARPRAMP_LIB_GENL_H

#include <stddef.h>
#include <stdint.h>

#include "netlink.h"

/**
 * struct genl_family - a family of the running kernel
 * @id: its number
 * @group: number of its multicast group; 0: it has no such group
 */
struct genl_family {
	uint16_t	id;
	uint32_t	group;
};

/**
 * genl_resolve() - find a family; the socket is open
 * @name: its name
 * @group: name of a multicast group; NULL: none
 * @family: filled
 * @why: filled if it fails; ENOENT: there is no such family
 *
 * Return: 0 or -1.
 */
int genl_resolve(const char *name, const char *group,
		 struct genl_family *family, struct nl_refusal *why);

/**
 * genl_header() - begin a request
 * @request: filled with headers
 * @family: number of the family
 * @cmd: its command
 * @version: of the family's interface
 * @dump: request all of them
 */
void genl_header(struct nl_request *request, uint16_t family, uint8_t cmd,
		 uint8_t version, int dump);

/**
 * genl_put() - append an attribute
 * @request: the request
 * @attr: number of the attribute
 * @data: payload
 * @len: bytes of it, at most 64
 */
void genl_put(struct nl_request *request, uint16_t attr, const void *data,
	      size_t len);

#endif /* SHARPRAMP_LIB_GENL_H */
