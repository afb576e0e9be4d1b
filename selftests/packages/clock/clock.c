// SPDX-License-Identifier: GPL-2.0
/*
 * A NIC's clock without a NIC: it shows CLOCK_REALTIME and takes no orders.
 *
 * No NIC that QEMU emulates has a clock and a driver in Debian's kernels for
 * clouds, and of what udev does with /dev/ptp* the clock itself decides nothing.
 */
#include <linux/module.h>
#include <linux/ptp_clock_kernel.h>
#include <linux/timekeeping.h>

static int clock_gettime(struct ptp_clock_info *info, struct timespec64 *ts)
{
	ktime_get_real_ts64(ts);
	return 0;
}

static int clock_settime(struct ptp_clock_info *info,
			 const struct timespec64 *ts)
{
	return -EOPNOTSUPP;
}

static int clock_adjtime(struct ptp_clock_info *info, s64 delta)
{
	return -EOPNOTSUPP;
}

static int clock_adjfine(struct ptp_clock_info *info, long scaled_ppm)
{
	return -EOPNOTSUPP;
}

static int clock_enable(struct ptp_clock_info *info,
			struct ptp_clock_request *request, int on)
{
	return -EOPNOTSUPP;
}

static struct ptp_clock_info clock_info = {
	.owner		= THIS_MODULE,
	.name		= "sharpramp test",
	.gettime64	= clock_gettime,
	.settime64	= clock_settime,
	.adjtime	= clock_adjtime,
	.adjfine	= clock_adjfine,
	.enable		= clock_enable,
};

static struct ptp_clock *clock;

static int __init clock_init(void)
{
	clock = ptp_clock_register(&clock_info, NULL);
	return clock ? PTR_ERR_OR_ZERO(clock) : -EOPNOTSUPP;
}

static void __exit clock_exit(void)
{
	ptp_clock_unregister(clock);
}

module_init(clock_init);
module_exit(clock_exit);

MODULE_DESCRIPTION("a PTP clock, to test which users may open it");
MODULE_LICENSE("GPL");
