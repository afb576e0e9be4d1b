/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Facts, gathered from the kernel.
 */
#ifndef SHARPRAMP_ONRAMPCTL_GATHER_H
#define SHARPRAMP_ONRAMPCTL_GATHER_H

#include "../../lib/netlink.h"
#include "facts.h"

/**
 * gather() - all facts of the network namespace
 * @f: filled; scope is the caller's; to be freed by facts_free() in any case
 * @why: filled if it fails
 *
 * Other state that cannot be read is noted in the facts.
 * Return: 0, or -1 if devices or qdiscs could not be read.
 */
int gather(struct facts *f, struct nl_refusal *why);

/**
 * gather_route() - devices, addresses, qdiscs: what rtnetlink has
 * @f: filled
 * @why: filled if it fails
 *
 * Return: 0 or -1.
 */
int gather_route(struct facts *f, struct nl_refusal *why);

/**
 * gather_onramp() - gather the state of the family "onramp"; leaves the socket open
 * @f: filled
 */
void gather_onramp(struct facts *f);

/**
 * gather_ethtool() - speeds and features of devices; the socket is open
 * @f: filled
 */
void gather_ethtool(struct facts *f);

/**
 * gather_host() - gather the contents of files of /proc and /sys
 * @f: filled
 */
void gather_host(struct facts *f);

/**
 * gather_tuner() - gather the state of acc-tuner, by its files and programs
 * @f: filled
 */
void gather_tuner(struct facts *f);

#endif /* SHARPRAMP_ONRAMPCTL_GATHER_H */
