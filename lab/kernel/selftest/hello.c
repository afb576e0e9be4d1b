// SPDX-License-Identifier: GPL-2.0
/* A module with a KUnit suite: builds against the lab kernel, loads, and its test is run. */
#include <kunit/test.h>
#include <linux/module.h>
#include <linux/slab.h>

static bool spin;
module_param(spin, bool, 0);
MODULE_PARM_DESC(spin, "loop for ever with interrupts off, as soon as the test runs");

static bool uaf;
module_param(uaf, bool, 0);
MODULE_PARM_DESC(uaf, "read freed memory, which the debug kernel must report");

static void hello_arithmetic(struct kunit *test)
{
	KUNIT_EXPECT_EQ(test, HZ, 1000);
	if (uaf) {
		u8 *freed = kmalloc(64, GFP_KERNEL);

		kfree(freed);
		kunit_info(test, "freed memory says %d\n", READ_ONCE(*freed));
	}
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
