/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The control of selftests/qemu/smp.py: included before the source files of the
 * modules, so that they read what they have freed with kvfree().
 */
#ifndef __ASSEMBLY__
#include <linux/mm.h>
#include <linux/slab.h>

#define kvfree(p) ({							\
	const volatile char *freed = (const volatile char *)(p);	\
									\
	(kvfree)((const void *)freed);					\
	if (freed)							\
		(void)*freed;						\
})
#endif
