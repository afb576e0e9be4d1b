// SPDX-License-Identifier: GPL-2.0
/*
 * Which queues can be tuned, at which rate, and the reasons for the others.
 */
#include <errno.h>
#include <string.h>

#include "../../../selftests/lib/tap.h"
#include "messages.h"
#include "restore.h"
#include "tree.h"

#define MOST	16

/* eth1 is 3, with 10 Gbit/s, eth2 is 4, whose rate nobody knows. */
static struct record record[MOST];
static struct record_class class[MOST];
static struct record_device device[] = {
	{ 3, "eth1", true, 65536, 10000000000, "" },
	{ 4, "eth2", true, 65536, 0, "other\0lan-of-the-hosts\0" },
};
static struct tree tree = { record, 0, class, 0, device, 2 };
static struct acc_conf conf;
static struct tree_queue q;

static void begin(const char *queues, const char *rate)
{
	struct conf_error error;
	char text[200];

	snprintf(text, sizeof(text), "[queues]\nqueues = %s\nrate = %s\n", queues, rate);
	if (conf_parse(&conf, "f", text, strlen(text), &error))
		tap_ok(false, "%s", error.text);
	tree.records = 0;
	tree.classes = 0;
}

static struct record *add(uint32_t ifindex, uint32_t handle, uint32_t parent, const char *kind)
{
	struct record *r = &record[tree.records++];
	struct ecnsharp_settings s;
	struct message m;

	ecnsharp_settings_default(&s);
	if (!strcmp(kind, "ecnsharp"))
		record_parse(message_ecnsharp(&m, ifindex, handle, parent, &s), r);
	else
		record_parse(message_tc(&m, RTM_NEWQDISC, ifindex, handle, parent, kind), r);
	return r;
}

static bool is(const struct record *r, enum tree_verdict verdict, uint64_t rate)
{
	return tree_queue(&tree, &conf, r, &q) && q.verdict == verdict && q.rate_bps == rate;
}

static void test_rates(void)
{
	char text[TREE_TEXT];
	struct record *r;

	begin("*", "auto");
	r = add(3, 0x100000, TC_H_ROOT, "ecnsharp");
	tap_ok(is(r, TREE_GOOD, 10000000000) && q.group == 0x100000, "a root has the link's rate");
	r = add(4, 0x100000, TC_H_ROOT, "ecnsharp");
	tap_ok(is(r, TREE_NO_RATE, 0), "or none");
	begin("*", "eth2=1gbit");
	r = add(4, 0x100000, TC_H_ROOT, "ecnsharp");
	tap_ok(is(r, TREE_GOOD, 1000000000), "or that of the configuration");
	begin("lan-of-the-hosts/10:", "other=2gbit");
	r = add(4, 0x100000, TC_H_ROOT, "ecnsharp");
	tap_ok(is(r, TREE_GOOD, 2000000000) && tree_missing(&tree, &conf, 0, text) == 1,
	       "likewise by alternative names of the device");

	begin("*", "auto");
	add(4, 0x10000, TC_H_ROOT, "tbf")->rate_bps = 50000000;
	r = add(4, 0x100000, 0x10001, "ecnsharp");
	tap_ok(is(r, TREE_GOOD, 50000000), "a leaf of tbf has its rate");
	add(4, 0x20000, 0x100000, "drr");
	r = add(4, 0x110000, 0x20005, "ecnsharp");
	tap_ok(is(r, TREE_NO_RATE, 0), "not below another qdisc");

	begin("*", "auto");
	add(4, 0x10000, TC_H_ROOT, "htb");
	r = add(4, 0x100000, 0x10010, "ecnsharp");
	tap_ok(is(r, TREE_NO_RATE, 0), "a class of htb that is not there has no rate");
	class[tree.classes++] = (struct record_class){ 3, 0x10010, 1 };
	class[tree.classes++] = (struct record_class){ 4, 0x10010, 70000000 };
	tap_ok(is(r, TREE_GOOD, 70000000), "a leaf of htb has its class's");
	add(4, 0x20000, 0x10010, "prio");
	r = add(4, 0x110000, 0x20001, "ecnsharp");
	tap_ok(is(r, TREE_GOOD, 70000000), "prio in htb passes it on");
}

static void test_shares(void)
{
	static const char *const kinds[] = { "drr", "ets", "prio" };
	struct record *r;
	size_t i;

	for (i = 0; i < 3; i++) {
		begin("*", "auto");
		add(3, 0x10000, TC_H_ROOT, kinds[i]);
		r = add(3, 0x100000, 0x10002, "ecnsharp");
		tap_ok(is(r, TREE_GOOD, 10000000000) && q.group == 0x100000,
		       "a class of %s has the link's rate and is a queue of its own", kinds[i]);
	}
	begin("*", "auto");
	add(3, 0x10000, TC_H_ROOT, "mq");
	r = add(3, 0x100000, 0x10001, "ecnsharp");
	tap_ok(is(r, TREE_GOOD, 10000000000) && q.group == 0x10000, "leaves of mq are one queue");
	r = add(3, 0, 0x10002, "ecnsharp");
	tap_ok(is(r, TREE_NO_HANDLE, 10000000000), "one that was made by default cannot be changed");
	begin("*", "auto");
	add(3, 0x10000, 0x10001, "prio");
	r = add(3, 0x100000, 0x10002, "ecnsharp");
	tap_ok(is(r, TREE_NO_RATE, 0), "a loop ends");
}

static void test_refusals(void)
{
	char text[TREE_TEXT];
	struct record *r;

	begin("eth1", "auto");
	r = add(3, 0x100000, TC_H_ROOT, "red");
	tap_ok(is(r, TREE_RED, 10000000000) &&
	       !strcmp(tree_explain(&q, text),
		       "each change of red empties its queue: tc qdisc replace dev eth1 root ecnsharp"),
	       "red: %s", text);
	r = add(3, 0x100000, 0x10001, "gred");
	tap_ok(is(r, TREE_GRED, 0) && strstr(tree_explain(&q, text), "dev eth1 parent 1:1 ecnsharp"),
	       "gred: %s", text);
	r = add(3, 0, TC_H_ROOT, "noqueue");
	tap_ok(tree_queue(&tree, &conf, r, &q) && q.verdict == TREE_NOQUEUE, "noqueue: %s", tree_explain(&q, text));
	r = add(3, 0x200000, TC_H_ROOT, "ecnsharp");
	r->settings.value[ECNSHARP_BYPASS] = 1;
	tap_ok(is(r, TREE_BYPASS, 10000000000) &&
	       strstr(tree_explain(&q, text), "tc qdisc change dev eth1 root handle 20: ecnsharp bypass off"),
	       "bypass: %s", text);
	r->settings.value[ECNSHARP_BYPASS] = 0;
	r->settings.value[ECNSHARP_INSTANTANEOUS] = 0;
	tap_ok(is(r, TREE_OFF, 10000000000), "instantaneous off: %s", tree_explain(&q, text));
	r->settings.value[ECNSHARP_INSTANTANEOUS] = 1;
	r->has_stab = true;
	tap_ok(is(r, TREE_STAB, 10000000000), "stab: %s", tree_explain(&q, text));
	r->has_stab = false;
	r->stats.stamp_ns = 0;
	tap_ok(is(r, TREE_OLD, 10000000000), "no stamp: %s", tree_explain(&q, text));
	r->is_whole = false;
	tap_ok(is(r, TREE_GARBLED, 10000000000), "garbled: %s", tree_explain(&q, text));
	r = add(3, 0x300000, TC_H_ROOT, "ecnsharp");
	device[0].is_running = false;
	tap_ok(is(r, TREE_DOWN, 10000000000), "down: %s", tree_explain(&q, text));
	device[0].is_running = true;
	tap_ok(is(r, TREE_GOOD, 10000000000) && !*tree_explain(&q, text), "and none if it is tuned");
	begin("*", "auto");
	add(3, 0, TC_H_ROOT, "mq");
	r = add(3, 0, 1, "ecnsharp");
	tap_ok(is(r, TREE_NO_HANDLE, 10000000000) &&
	       strstr(tree_explain(&q, text), ": tc qdisc replace dev eth1 root handle 1: mq"),
	       "a leaf of a default mq: %s", text);
	begin("*", "auto");
	add(3, 0x10000, TC_H_ROOT, "mq");
	r = add(3, 0, 0x10001, "ecnsharp");
	tap_ok(is(r, TREE_NO_HANDLE, 10000000000) &&
	       strstr(tree_explain(&q, text), ": tc qdisc replace dev eth1 parent 1:1 ecnsharp"),
	       "a default leaf of an mq that has a handle: %s", text);
	begin("eth2", "auto");
	r = add(4, 0xa00000, TC_H_ROOT, "ecnsharp");
	tap_ok(is(r, TREE_NO_RATE, 0) &&
	       !strcmp(tree_explain(&q, text), "its rate is not known: [queues] rate = eth2/a0:=RATE"),
	       "no rate: %s", text);
}

static void test_named(void)
{
	char text[TREE_TEXT];
	struct record *r;

	begin("*", "auto");
	r = add(3, 0x100000, TC_H_ROOT, "red");
	tap_ok(!tree_queue(&tree, &conf, r, &q), "* is silent on red");
	r = add(9, 0x100000, TC_H_ROOT, "ecnsharp");
	tap_ok(!tree_queue(&tree, &conf, r, &q), "a qdisc of a device that is gone is left out");
	begin("eth1/10:", "auto");
	r = add(3, 0x100000, TC_H_ROOT, "fq_codel");
	tap_ok(tree_queue(&tree, &conf, r, &q) && q.verdict == TREE_OTHER, "a named handle of another kind: %s",
	       tree_explain(&q, text));
	r = add(3, 0x110000, TC_H_ROOT, "ecnsharp");
	tap_ok(!tree_queue(&tree, &conf, r, &q), "another handle is not named");
	r = add(4, 0x100000, TC_H_ROOT, "ecnsharp");
	tap_ok(!tree_queue(&tree, &conf, r, &q), "nor is another device");

	begin("eth1 eth2 eth2/7: eth9 *", "auto");
	add(3, 0x100000, TC_H_ROOT, "ecnsharp");
	tap_ok(tree_missing(&tree, &conf, 0, text) == 1 &&
	       !strcmp(text, "eth2 has no queue of kind ecnsharp"), "%s", text);
	tap_ok(tree_missing(&tree, &conf, 2, text) == 2 && !strcmp(text, "eth2 has no qdisc 7:"), "%s", text);
	tap_ok(tree_missing(&tree, &conf, 3, text) == 3 && !strcmp(text, "eth9 is not there"), "%s", text);
	tap_ok(tree_missing(&tree, &conf, 4, text) == 5, "* is never missing");
}

static void test_restore(void)
{
	struct saved_queue own = { "eth1", 3, TC_H_ROOT, 0x100000, { 0 } };
	struct ecnsharp_settings request = { 0 };
	struct record *r;

	begin("*", "auto");
	r = add(3, 0x100000, TC_H_ROOT, "ecnsharp");
	ecnsharp_settings_default(&own.settings);
	tap_ok(restore_judge(&tree, &own) == RESTORE_SAME, "restore: its own settings");
	settings_ramp(&own.settings, &(struct template){ 6500, 13000, 1000000 }, &request);
	settings_expect(&r->settings, &request);
	tap_ok(restore_judge(&tree, &own) == RESTORE_CHANGE, "restore: a ramp of the tuner");
	r->settings.value[ECNSHARP_LIMIT]++;
	tap_ok(restore_judge(&tree, &own) == RESTORE_FOREIGN, "restore: another's change");
	r->is_whole = false;
	tap_ok(restore_judge(&tree, &own) == RESTORE_FOREIGN, "restore: one that cannot be read");
	own.parent = 0x10001;
	tap_ok(restore_judge(&tree, &own) == RESTORE_GONE, "restore: at another place");
	own.parent = TC_H_ROOT;
	own.ifindex = 4;
	tap_ok(restore_judge(&tree, &own) == RESTORE_GONE, "restore: of another device");
	own.ifindex = 3;
	r->kind = RECORD_RED;
	tap_ok(restore_judge(&tree, &own) == RESTORE_GONE, "restore: of another kind");
}

/* A line of restore, with an error that only a failure has. */
static bool says(enum restore_verdict verdict, int error, const char *text)
{
	struct saved_queue own = { "eth1", 3, TC_H_ROOT, 0x100000, { 0 } };
	char line[RESTORE_LINE];

	if (!strcmp(restore_line(&own, verdict, error, line), text))
		return true;
	tap_remark("%s", line);
	return false;
}

static void test_restore_lines(void)
{
	tap_ok(says(RESTORE_FAILED, EPERM, "eth1/10: cannot be changed back: Operation not permitted") &&
	       says(RESTORE_FAILED, EINVAL, "eth1/10: cannot be changed back: Invalid argument") &&
	       says(RESTORE_FAILED, ENOBUFS,
		    "eth1/10: cannot be changed back: No buffer space available") &&
	       says(RESTORE_FAILED, 0,
		    "eth1/10: cannot be changed back: the kernel took its settings, but it has others"),
	       "restore: a failure has the kernel's reason");
	tap_ok(says(RESTORE_CHANGE, 0, "eth1/10: has its own settings again") &&
	       says(RESTORE_SAME, 0, "eth1/10: has its own settings") &&
	       says(RESTORE_FOREIGN, EPERM, "eth1/10: was changed by another and stays as it is") &&
	       says(RESTORE_GONE, ENOENT, "eth1/10: is gone"), "and nothing else has one");
}

int main(void)
{
	test_rates();
	test_shares();
	test_refusals();
	test_named();
	test_restore();
	test_restore_lines();
	return tap_done();
}
