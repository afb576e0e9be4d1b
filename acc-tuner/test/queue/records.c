// SPDX-License-Identifier: GPL-2.0
/*
 * Messages of rtnetlink: what the kernel writes is read, and whatever else does no harm.
 * -s SEED repeats, -n is the number of damaged messages.
 */
#include <errno.h>
#include <stdlib.h>

#include "../../../lib/netlink.h"
#include "change.h"
#include "messages.h"
#include "options.h"
#include "random.h"

static void test_ecnsharp(void)
{
	struct ecnsharp_settings s;
	struct nlmsghdr *n;
	struct message m;
	struct record r;

	ecnsharp_settings_default(&s);
	n = message_ecnsharp(&m, 3, 0x100000, 0x10001, &s);
	tap_ok(!record_parse(n, &r) && r.kind == RECORD_ECNSHARP && r.ifindex == 3 &&
	       r.handle == 0x100000 && r.parent == 0x10001, "a qdisc, its device and its place");
	tap_ok(r.is_whole && settings_is_same(&r.settings, &s) && r.stats.tx_bytes == 10500 &&
	       r.stats.stamp_ns == 99 && !r.has_stab, "settings and statistics");
	tap_ok(record_parse_class(n, &(struct record_class){ 0 }) &&
	       record_parse_device(n, &(struct record_device){ 0 }), "it is neither a class nor a device");

	n = message_tc(&m, RTM_NEWQDISC, 3, 0x100000, TC_H_ROOT, "ecnsharp");
	settings_put(n, &s);
	message_stats(n, &(struct tc_ecnsharp_xstats){ .drop_gso = 5 },
		      offsetof(struct tc_ecnsharp_xstats, stamp_ns));
	tap_ok(!record_parse(n, &r) && r.is_whole && r.stats.drop_gso == 5 && !r.stats.stamp_ns,
	       "an older module has no stamp");
	n = message_tc(&m, RTM_NEWQDISC, 3, 0x100000, TC_H_ROOT, "ecnsharp");
	settings_put(n, &s);
	tap_ok(!record_parse(n, &r) && !r.is_whole, "without statistics it is not whole");
	n = message_tc(&m, RTM_NEWQDISC, 3, 0x100000, TC_H_ROOT, "ecnsharp");
	message_stats(n, &r.stats, sizeof(r.stats));
	tap_ok(!record_parse(n, &r) && !r.is_whole, "nor without settings");
}

/* A record that had another message is that of the new one. */
static bool is_same_record(const struct record *a, const struct record *b)
{
	if (a->ifindex != b->ifindex || a->handle != b->handle || a->parent != b->parent ||
	    a->kind != b->kind || strcmp(a->name, b->name) || a->has_stab != b->has_stab ||
	    a->is_whole != b->is_whole || a->rate_bps != b->rate_bps)
		return false;
	if (a->kind != RECORD_ECNSHARP)
		return true;
	return !memcmp(&a->stats, &b->stats, sizeof(a->stats)) &&
	       (!a->is_whole || settings_is_same(&a->settings, &b->settings));
}

static void test_update(void)
{
	struct record r = { .ifindex = 0 }, fresh;
	struct ecnsharp_settings s;
	struct nlmsghdr *n;
	struct message m;

	ecnsharp_settings_default(&s);
	n = message_ecnsharp(&m, 3, 0x100000, 0x10001, &s);
	tap_ok(!record_update(n, &r) && !record_parse(n, &fresh) && is_same_record(&r, &fresh) &&
	       r.options_len > 8, "a record is filled, and what its settings were read from");
	/* To see that they are not read again. */
	r.settings.value[ECNSHARP_PMAX_PPM]++;
	record_update(n, &r);
	tap_ok(r.is_whole && r.settings.value[ECNSHARP_PMAX_PPM] == s.value[ECNSHARP_PMAX_PPM] + 1,
	       "the same settings are not read again");
	ecnsharp_set(&s, ECNSHARP_LIMIT, 77);
	record_update(message_ecnsharp(&m, 3, 0x100000, 0x10001, &s), &r);
	tap_ok(r.is_whole && settings_is_same(&r.settings, &s), "others of the same length are");
	record_update(message_tbf(&m, 3, 0x10000, 1250000, 0), &r);
	tap_ok(r.kind == RECORD_TBF && r.rate_bps == 10000000 && !r.is_whole,
	       "it becomes that of another kind");
	record_update(message_ecnsharp(&m, 4, 0x200000, 0x20001, &s), &r);
	tap_ok(r.is_whole && r.ifindex == 4 && !r.rate_bps && settings_is_same(&r.settings, &s),
	       "and that of the first again");
	n = message_tc(&m, RTM_DELQDISC, 3, 0x100000, TC_H_ROOT, "ecnsharp");
	fresh = r;
	tap_ok(record_update(n, &r) && is_same_record(&r, &fresh),
	       "what is no qdisc changes nothing");
}

static void test_long_options(void)
{
	static const char text[RECORD_OPTIONS_MAX];
	struct record r = { .ifindex = 0 };
	struct ecnsharp_settings s;
	struct nlattr *nest;
	struct nlmsghdr *n;
	struct message m;

	ecnsharp_settings_default(&s);
	n = message_ecnsharp(&m, 3, 0x100000, 0x10001, &s);
	record_update(n, &r);
	n = message_tc(&m, RTM_NEWQDISC, 3, 0x100000, TC_H_ROOT, "ecnsharp");
	nest = mnl_attr_nest_start(n, TCA_OPTIONS);
	mnl_attr_put(n, TCA_ECNSHARP_MAX + 1, sizeof(text), text);
	mnl_attr_put_u32(n, TCA_ECNSHARP_LIMIT, 5);
	mnl_attr_nest_end(n, nest);
	message_stats(n, &r.stats, sizeof(r.stats));
	record_update(n, &r);
	tap_ok(r.is_whole && r.settings.value[ECNSHARP_LIMIT] == 5 && !r.options_len,
	       "settings that are too long to be kept are read");
}

/* A settings' attribute of another width, or out of range. */
static void test_bad_settings(void)
{
	static const struct {
		uint16_t attr;
		uint64_t value;
		size_t size;
	} bad[] = {
		{ TCA_ECNSHARP_KMIN_NS, 1, 4 },
		{ TCA_ECNSHARP_KMIN_NS, 1, 0 },
		{ TCA_ECNSHARP_LIMIT, 1, 8 },
		{ TCA_ECNSHARP_LIMIT, 0, 4 },
		{ TCA_ECNSHARP_SIGNAL, 2, 1 },
		{ TCA_ECNSHARP_PMAX_PPM, 1000001, 4 },
		{ TCA_ECNSHARP_KMAX_NS, 1000000001, 8 },
	};
	size_t i;

	for (i = 0; i < MNL_ARRAY_SIZE(bad); i++) {
		struct tc_ecnsharp_xstats stats = { .stamp_ns = 1 };
		struct nlattr *nest;
		struct nlmsghdr *n;
		struct message m;
		struct record r;

		n = message_tc(&m, RTM_NEWQDISC, 3, 0x100000, TC_H_ROOT, "ecnsharp");
		nest = mnl_attr_nest_start(n, TCA_OPTIONS);
		mnl_attr_put(n, bad[i].attr, bad[i].size, &bad[i].value);
		mnl_attr_nest_end(n, nest);
		message_stats(n, &stats, sizeof(stats));
		tap_ok(!record_parse(n, &r) && !r.is_whole,
		       "attribute %u of %zu bytes with value %ju is refused", bad[i].attr, bad[i].size,
		       (uintmax_t)bad[i].value);
	}
}

static void test_others(void)
{
	char name[RECORD_ALTERNATIVES];
	struct record_device d;
	struct record_class c;
	struct nlmsghdr *n;
	struct message m;
	struct record r;

	tap_ok(!record_parse(message_tbf(&m, 3, 0x10000, 1250000, 0), &r) && r.kind == RECORD_TBF &&
	       r.rate_bps == 10000000, "tbf has a rate");
	tap_ok(!record_parse(message_tbf(&m, 3, 0x10000, ~0U, 12500000000), &r) &&
	       r.rate_bps == 100000000000, "of 64 bits if need be");
	tap_ok(!record_parse(message_tbf(&m, 3, 0x10000, ~0U, ~0ULL), &r) && !r.rate_bps,
	       "but none that does not fit");
	tap_ok(!record_parse_class(message_class(&m, 3, 0x10010, 125, "htb"), &c) && c.ifindex == 3 &&
	       c.handle == 0x10010 && c.rate_bps == 1000, "a class of htb has a rate");
	tap_ok(record_parse_class(message_class(&m, 3, 0x10010, 125, "hfsc"), &c), "one of hfsc is not read");
	tap_ok(!record_parse_device(message_device(&m, 3, "eth1", IFF_UP | IFF_RUNNING), &d) &&
	       d.is_running && !strcmp(d.name, "eth1") && d.gso_bytes == 65536, "a device");
	tap_ok(!record_parse_device(message_device(&m, 3, "eth1", IFF_UP), &d) && !d.is_running,
	       "one without a carrier");
	tap_ok(!record_parse_device(message_device(&m, 3, "a-name-that-is-too-long", 0), &d) &&
	       strlen(d.name) == IF_NAMESIZE - 1 && !*d.alternatives, "a long name is cut");
	n = message_device(&m, 3, "eth1", 0);
	message_alternative(n, "enp3s0f0np0-behind-a-bridge", 28);
	tap_ok(!record_parse_device(n, &d) && !strcmp(d.alternatives, "enp3s0f0np0-behind-a-bridge") &&
	       !strcmp(d.alternatives + 28, "second") && !d.alternatives[28 + 7],
	       "a device has alternative names");
	memset(name, 'x', sizeof(name));
	n = message_device(&m, 3, "eth1", 0);
	message_alternative(n, name, RECORD_ALTERNATIVES - 1);
	tap_ok(!record_parse_device(n, &d) && !strcmp(d.alternatives, "second"),
	       "one that does not fit is left out");
	n = message_device(&m, 3, "eth1", 0);
	message_alternative(n, name, RECORD_ALTERNATIVES - 2 - 7);
	tap_ok(!record_parse_device(n, &d) && strlen(d.alternatives) == RECORD_ALTERNATIVES - 9 &&
	       !strcmp(d.alternatives + RECORD_ALTERNATIVES - 8, "second") &&
	       !d.alternatives[RECORD_ALTERNATIVES - 1], "the last that fits leaves an end");
	n = message_tc(&m, RTM_NEWQDISC, 3, 0, TC_H_ROOT, "a-kind-that-is-too-long");
	tap_ok(!record_parse(n, &r) && r.kind == RECORD_OTHER && strlen(r.name) == RECORD_KIND_MAX - 1,
	       "so is a long kind");
	n->nlmsg_len = NLMSG_HDRLEN + sizeof(struct tcmsg) - 1;
	tap_ok(record_parse(n, &r), "a short message is refused");
	n = message_tc(&m, RTM_DELQDISC, 3, 0x100000, TC_H_ROOT, "ecnsharp");
	tap_ok(record_parse(n, &r), "a message of another type is refused");
}

static void test_change(void)
{
	struct change change[2] = { { .ifindex = 3, .parent = 0x10001, .handle = 0x100000, .error = -1 },
				    { .error = -1 } };
	static const char kind[] = "ecnsharp";
	const struct nlattr *attrs[TCA_MAX + 1];
	_Alignas(8) char buffer[CHANGE_BYTES] = { 0 };
	struct ecnsharp_settings s, back;
	const struct nlmsghdr *n = (struct nlmsghdr *)buffer;
	const struct tcmsg *tcm = mnl_nlmsg_get_payload(n);
	uint32_t id;

	ecnsharp_settings_default(&s);
	settings_ramp(&s, &(struct template){ 6500, 210000, 1000000 }, &change->request);
	tap_ok(change_put(buffer, change, 5) == n->nlmsg_len && n->nlmsg_type == RTM_NEWQDISC &&
	       n->nlmsg_seq == 5, "a change is RTM_NEWQDISC");
	tap_ok(n->nlmsg_flags == (NLM_F_REQUEST | NLM_F_ACK), "it creates and replaces nothing");
	nl_index_message(n, sizeof(*tcm), attrs, TCA_MAX);
	tap_ok(tcm->tcm_ifindex == 3 && tcm->tcm_parent == 0x10001 && tcm->tcm_handle == 0x100000 &&
	       !strcmp(mnl_attr_get_str(attrs[TCA_KIND]), kind), "it names the qdisc and its kind");
	tap_ok(!settings_parse(attrs[TCA_OPTIONS], &back) && settings_is_same(&back, &change->request),
	       "and has the ramp alone");
	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		ecnsharp_set(&s, id, ecnsharp_param_info(id)->most);
	change->request = s;
	tap_ok(change_put(buffer, change, 5) <= CHANGE_BYTES, "all parameters have space");
}

static size_t acknowledgment(char *buffer, uint32_t serial, int error)
{
	struct nlmsghdr *n = mnl_nlmsg_put_header(buffer);
	struct nlmsgerr *err = mnl_nlmsg_put_extra_header(n, sizeof(*err));

	n->nlmsg_type = NLMSG_ERROR;
	n->nlmsg_seq = serial;
	err->error = error;
	return n->nlmsg_len;
}

static void test_acknowledge(void)
{
	struct change c[3] = { { .error = -1 }, { .error = -1 }, { .error = -1 } };
	_Alignas(8) char buffer[512];
	size_t len = 0;

	len += acknowledgment(buffer + len, 9, 0);
	len += acknowledgment(buffer + len, 11, -ENOENT);
	len += acknowledgment(buffer + len, 13, 0);
	tap_ok(change_acknowledge(buffer, len, c, 3, 10) == 1 && c[0].error == -1 && c[1].error == ENOENT,
	       "acknowledgments of other requests are left out");
	len = acknowledgment(buffer, 10, 0);
	len += acknowledgment(buffer + len, 10, -EPERM);
	len += acknowledgment(buffer + len, 12, 77);
	tap_ok(change_acknowledge(buffer, len, c, 3, 10) == 2 && !c[0].error && c[2].error == EPROTO,
	       "each change is answered once");
	tap_ok(!change_acknowledge(buffer, 15, c, 3, 10), "half a message is none");
}

/* Each of the messages with some bytes changed, and cut. */
static void test_damaged(const struct options *o)
{
	uint64_t chance = o->seed;
	struct record kept = { .ifindex = 0 };
	uint32_t whole = 0, other = 0;
	unsigned long i;

	for (i = 0; i < o->n; i++) {
		struct ecnsharp_settings s;
		struct record_device d;
		struct record_class c;
		struct nlmsghdr *n;
		struct message m;
		struct record r;
		uint32_t len;
		int changes, status;
		char *copy;

		ecnsharp_settings_default(&s);
		n = i % 4 == 0 ? message_tbf(&m, 3, 1, 2, 3) : i % 4 == 1 ?
		    message_class(&m, 3, 4, 5, "htb") : i % 4 == 2 ?
		    message_device(&m, 1, "eth1", 1) : message_ecnsharp(&m, 3, 1 << 16, 1, &s);
		len = n->nlmsg_len;
		for (changes = random_below(&chance, 4); changes; changes--) {
			size_t at = random_below(&chance, len);

			m.bytes[at] = random_u64(&chance);
		}
		if (n->nlmsg_len < NLMSG_HDRLEN || n->nlmsg_len > MESSAGE_BYTES)
			continue;
		if (random_below(&chance, 2))
			n->nlmsg_len -= random_below(&chance, n->nlmsg_len - NLMSG_HDRLEN + 1);
		/* Exactly as long as it says, so that a sanitizer sees what is read behind it. */
		copy = malloc(n->nlmsg_len);
		memcpy(copy, m.bytes, n->nlmsg_len);
		n = (struct nlmsghdr *)copy;
		status = record_parse(n, &r);
		whole += !status && r.is_whole;
		other += record_update(n, &kept) != status ||
			 (!status && !is_same_record(&r, &kept));
		record_parse_class(n, &c);
		record_parse_device(n, &d);
		free(copy);
	}
	tap_ok(whole && whole < o->n, "damaged messages do no harm (%u are still whole)", whole);
	tap_ok(!other, "a record that had another message is as a new one (%u are not)", other);
}

int main(int argc, char **argv)
{
	struct options o = options_read(argc, argv, 200000, "damaged messages");

	test_ecnsharp();
	test_update();
	test_long_options();
	test_bad_settings();
	test_others();
	test_change();
	test_acknowledge();
	test_damaged(&o);
	return tap_done();
}
