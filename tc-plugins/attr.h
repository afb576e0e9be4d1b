/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Netlink attributes in a tc request, and out of a dump.
 */
#ifndef SHARPRAMP_TC_ATTR_H
#define SHARPRAMP_TC_ATTR_H

#include <stdbool.h>
#include <stdint.h>
#include <linux/rtnetlink.h>

/**
 * attr_nest() - begin a nest of attributes
 * @n: the request, with TC_REQUEST_MAX bytes of space
 * @type: of the nest; NLA_F_NESTED is added, strict kernels insist on it
 *
 * Return: the nest, for attr_nest_end(); NULL if the request is full.
 */
struct rtattr *attr_nest(struct nlmsghdr *n, uint16_t type);

/**
 * attr_nest_end() - end a nest
 * @n: the request
 * @nest: what attr_nest() returned
 */
void attr_nest_end(struct nlmsghdr *n, struct rtattr *nest);

/**
 * attr_put() - append an unsigned integer
 * @n: the request
 * @type: of the attribute
 * @bits: 8, 32 or 64
 * @value: fits @bits
 *
 * Return: false if the request is full.
 */
bool attr_put(struct nlmsghdr *n, uint16_t type, int bits, uint64_t value);

/**
 * attr_get() - read an unsigned integer of whatever width it was sent in
 * @attr: the attribute
 * @value: written if true is returned
 *
 * Return: false if the payload is not 1, 2, 4 or 8 bytes long.
 */
bool attr_get(const struct rtattr *attr, uint64_t *value);

/**
 * attr_find() - look for an attribute in a nest
 * @nest: the nest
 * @type: of the attribute
 *
 * Return: the first of that type; NULL if there is none.
 */
struct rtattr *attr_find(struct rtattr *nest, uint16_t type);

/**
 * attr_type() - type of an attribute
 * @attr: the attribute
 *
 * Return: the type without the flag bits.
 */
uint16_t attr_type(const struct rtattr *attr);

#endif /* SHARPRAMP_TC_ATTR_H */
