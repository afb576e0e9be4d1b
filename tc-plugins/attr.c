// SPDX-License-Identifier: GPL-2.0
/*
 * Netlink attributes in a tc request, and out of a dump.
 */
#include <stddef.h>
#include <string.h>

#include "attr.h"
#include "tc_plugin.h"

static struct rtattr *attr_append(struct nlmsghdr *n, uint16_t type,
				  const void *data, size_t len)
{
	size_t at = NLMSG_ALIGN(n->nlmsg_len);
	struct rtattr *attr;

	if (at + RTA_SPACE(len) > TC_REQUEST_MAX)
		return NULL;
	attr = (struct rtattr *)((char *)n + at);
	memset(attr, 0, RTA_SPACE(len));
	attr->rta_type = type;
	attr->rta_len = RTA_LENGTH(len);
	if (len)
		memcpy(RTA_DATA(attr), data, len);
	n->nlmsg_len = at + RTA_SPACE(len);
	return attr;
}

struct rtattr *attr_nest(struct nlmsghdr *n, uint16_t type)
{
	return attr_append(n, type | NLA_F_NESTED, NULL, 0);
}

void attr_nest_end(struct nlmsghdr *n, struct rtattr *nest)
{
	nest->rta_len = (char *)n + n->nlmsg_len - (char *)nest;
}

bool attr_put(struct nlmsghdr *n, uint16_t type, int bits, uint64_t value)
{
	uint32_t u32 = value;
	uint8_t u8 = value;

	switch (bits) {
	case 8:
		return attr_append(n, type, &u8, sizeof(u8));
	case 32:
		return attr_append(n, type, &u32, sizeof(u32));
	default:
		return attr_append(n, type, &value, sizeof(value));
	}
}

bool attr_get(const struct rtattr *attr, uint64_t *value)
{
	const void *data = RTA_DATA(attr);
	uint16_t u16;
	uint32_t u32;

	switch (RTA_PAYLOAD(attr)) {
	case 1:
		*value = *(const uint8_t *)data;
		return true;
	case 2:
		memcpy(&u16, data, sizeof(u16));
		*value = u16;
		return true;
	case 4:
		memcpy(&u32, data, sizeof(u32));
		*value = u32;
		return true;
	case 8:
		memcpy(value, data, sizeof(*value));
		return true;
	default:
		return false;
	}
}

uint16_t attr_type(const struct rtattr *attr)
{
	return attr->rta_type & NLA_TYPE_MASK;
}

struct rtattr *attr_find(struct rtattr *nest, uint16_t type)
{
	int left = RTA_PAYLOAD(nest);
	struct rtattr *attr;

	for (attr = RTA_DATA(nest); RTA_OK(attr, left);
	     attr = RTA_NEXT(attr, left))
		if (attr_type(attr) == type)
			return attr;
	return NULL;
}
