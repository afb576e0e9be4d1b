/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Messages of rtnetlink, as far as the tuner needs them: a qdisc, a class of htb, a
 * device.
 *
 * Nothing is trusted: a message that is too short is refused, and an attribute of a wrong
 * size counts as absent.
 */
#ifndef ACC_RECORD_H
#define ACC_RECORD_H

#include <net/if.h>
#include <linux/pkt_sch_ecnsharp.h>

#include "settings.h"

#define RECORD_KIND_MAX	16
/* Bytes of alternative names, of which one has 127 at most. */
#define RECORD_ALTERNATIVES	260
/* Bytes of TCA_OPTIONS that are kept to recognise them; longer ones are read each time. */
#define RECORD_OPTIONS_MAX	384

/**
 * enum record_kind - kinds of qdiscs that are distinguished
 * @RECORD_OTHER: none of the following
 * @RECORD_ECNSHARP: ecnsharp
 * @RECORD_RED: red
 * @RECORD_GRED: gred
 * @RECORD_NOQUEUE: noqueue
 * @RECORD_TBF: tbf, which has a rate
 * @RECORD_HTB: htb, whose classes have rates
 * @RECORD_MQ: mq or mqprio, whose classes are the device's queues
 * @RECORD_SHARE: drr, ets or prio, whose classes share their rate
 */
enum record_kind {
	RECORD_OTHER,
	RECORD_ECNSHARP,
	RECORD_RED,
	RECORD_GRED,
	RECORD_NOQUEUE,
	RECORD_TBF,
	RECORD_HTB,
	RECORD_MQ,
	RECORD_SHARE,
};

/**
 * struct record - a qdisc
 * @ifindex: its device
 * @handle: its own; 0: it was made by default
 * @parent: class that it is in, or TC_H_ROOT
 * @kind: which kind
 * @name: that kind as text
 * @is_whole: settings and statistics of RECORD_ECNSHARP were read
 * @has_stab: it has a size table
 * @rate_bps: of RECORD_TBF; 0: unknown
 * @settings: of RECORD_ECNSHARP
 * @stats: of RECORD_ECNSHARP; stamp_ns is 0 with an older kernel module
 * @options: the attributes that @settings were read from
 * @options_len: bytes of them; 0: they are not known
 */
struct record {
	uint32_t ifindex;
	uint32_t handle;
	uint32_t parent;
	enum record_kind kind;
	char name[RECORD_KIND_MAX];
	bool is_whole;
	bool has_stab;
	uint64_t rate_bps;
	struct ecnsharp_settings settings;
	struct tc_ecnsharp_xstats stats;
	char options[RECORD_OPTIONS_MAX];
	size_t options_len;
};

/**
 * struct record_class - a class of htb
 * @ifindex: its device
 * @handle: its own
 * @rate_bps: its rate; 0: unknown
 */
struct record_class {
	uint32_t ifindex;
	uint32_t handle;
	uint64_t rate_bps;
};

/**
 * struct record_device - a network device
 * @ifindex: its number
 * @name: its name
 * @is_running: it is up and has a carrier
 * @gso_bytes: longest packet before segmentation; 0: unknown
 * @rate_bps: of the link; 0: unknown, and not in the message
 * @alternatives: its alternative names, each ended by 0, and an empty one; those that fit
 */
struct record_device {
	uint32_t ifindex;
	char name[IF_NAMESIZE];
	bool is_running;
	uint32_t gso_bytes;
	uint64_t rate_bps;
	char alternatives[RECORD_ALTERNATIVES];
};

/**
 * record_parse() - read a message of RTM_NEWQDISC
 * @n: the message, whole
 * @r: filled
 *
 * Return: 0, or -1 if it is no such message.
 */
int record_parse(const struct nlmsghdr *n, struct record *r);

/**
 * record_update() - the same for a record that may hold an older message
 * @n: the message, whole
 * @r: zero, or filled before, with a message of this or of any other qdisc
 *
 * Settings are read again only if they are not those of the older message.
 *
 * Return: 0, or -1 if it is not such a message, and @r stays as it is.
 */
int record_update(const struct nlmsghdr *n, struct record *r);

/**
 * record_parse_class() - read a message of RTM_NEWTCLASS
 * @n: the message, whole
 * @c: filled
 *
 * Return: 0, or -1 if it is not a class of htb.
 */
int record_parse_class(const struct nlmsghdr *n, struct record_class *c);

/**
 * record_parse_device() - read a message of RTM_NEWLINK
 * @n: the message, whole
 * @d: filled
 *
 * Return: 0, or -1 if it is no such message.
 */
int record_parse_device(const struct nlmsghdr *n, struct record_device *d);

#endif /* ACC_RECORD_H */
