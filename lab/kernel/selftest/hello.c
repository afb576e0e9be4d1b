// SPDX-License-Identifier: GPL-2.0
/* A module with a KUnit suite: builds against the lab kernel, loads, and its test is run. */
#include <kunit/test.h>
#include <linux/list.h>
#include <linux/module.h>
#include <linux/rcupdate.h>
#include <linux/refcount.h>
#include <linux/slab.h>
#include <linux/spinlock.h>
#include <linux/timer.h>

static bool spin;
module_param(spin, bool, 0);
MODULE_PARM_DESC(spin, "loop for ever with interrupts off, as soon as the test runs");

static char *wrong = "";
module_param(wrong, charp, 0);
MODULE_PARM_DESC(wrong, "do this, which the debug kernel must report: see hello_wrongs");

static DEFINE_SPINLOCK(hello_lock);
static DEFINE_SPINLOCK(hello_other_lock);
static u8 __rcu *hello_pointer;

static void hello_uaf(struct kunit *test)
{
	u8 *freed = kmalloc(64, GFP_KERNEL);

	kfree(freed);
	kunit_info(test, "freed memory says %d\n", READ_ONCE(*freed));
}

static void hello_leak(struct kunit *test)
{
	u8 *lost = kmalloc(64, GFP_KERNEL);

	OPTIMIZER_HIDE_VAR(lost);
}

static void hello_shift(struct kunit *test)
{
	unsigned int by = 32;

	OPTIMIZER_HIDE_VAR(by);
	kunit_info(test, "1 << 32 is %u\n", 1U << by);
}

static void hello_inversion(struct kunit *test)
{
	spin_lock(&hello_lock);
	spin_lock(&hello_other_lock);
	spin_unlock(&hello_other_lock);
	spin_unlock(&hello_lock);

	spin_lock(&hello_other_lock);
	spin_lock(&hello_lock);
	spin_unlock(&hello_lock);
	spin_unlock(&hello_other_lock);
}

static void hello_sleep(struct kunit *test)
{
	spin_lock(&hello_lock);
	might_sleep();
	spin_unlock(&hello_lock);
}

static void hello_rcu(struct kunit *test)
{
	kunit_info(test, "without a lock it is %d\n", !!rcu_dereference(hello_pointer));
}

static void hello_up(struct timer_list *timer)
{
}

static void hello_timer(struct kunit *test)
{
	struct timer_list *timer = kmalloc(sizeof(*timer), GFP_KERNEL);

	timer_setup(timer, hello_up, 0);
	mod_timer(timer, jiffies + HZ);
	kfree(timer);
}

static void hello_list(struct kunit *test)
{
	struct list_head item;
	LIST_HEAD(list);

	list_add(&item, &list);
	list_del(&item);
	list_del(&item);
}

static void hello_refcount(struct kunit *test)
{
	refcount_t count = REFCOUNT_INIT(0);

	refcount_inc(&count);
}

static const struct {
	const char *name;
	void (*make)(struct kunit *test);
} hello_wrongs[] = {
	{ "uaf", hello_uaf },
	{ "leak", hello_leak },
	{ "shift", hello_shift },
	{ "inversion", hello_inversion },
	{ "sleep", hello_sleep },
	{ "rcu", hello_rcu },
	{ "timer", hello_timer },
	{ "list", hello_list },
	{ "refcount", hello_refcount },
};

static void hello_arithmetic(struct kunit *test)
{
	int i;

	KUNIT_EXPECT_EQ(test, HZ, 1000);
	for (i = 0; i < ARRAY_SIZE(hello_wrongs); i++)
		if (!strcmp(wrong, hello_wrongs[i].name))
			hello_wrongs[i].make(test);
	if (spin) {
		local_irq_disable();
		for (;;)
			cpu_relax();
	}
}

static struct kunit_case hello_cases[] = {
	KUNIT_CASE(hello_arithmetic),
	{}
};

static struct kunit_suite hello_suite = {
	.name = "hello",
	.test_cases = hello_cases,
};

kunit_test_suite(hello_suite);

MODULE_DESCRIPTION("self-test of the lab kernel");
MODULE_LICENSE("GPL");
