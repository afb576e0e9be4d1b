// SPDX-License-Identifier: GPL-2.0
/*
 * For huygens-lite over a card that stamps some packets only, by LD_PRELOAD: where it has a
 * driver stamp all packets, the driver is given the filter of PTP version 2, and what it
 * answers is passed on as if it stamped all.  Frames of VLAN 2 have stamps then (registers.c).
 */
#include <linux/net_tstamp.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <stdarg.h>
#include <sys/syscall.h>
#include <unistd.h>

int ioctl(int fd, unsigned long request, ...)
{
	struct hwtstamp_config *config = NULL;
	void *argument;
	va_list list;
	int ret;

	va_start(list, request);
	argument = va_arg(list, void *);
	va_end(list);
	if (request == SIOCSHWTSTAMP)
		config = (void *)((struct ifreq *)argument)->ifr_data;
	if (config && config->rx_filter == HWTSTAMP_FILTER_ALL)
		config->rx_filter = HWTSTAMP_FILTER_PTP_V2_EVENT;
	else
		config = NULL;
	ret = syscall(SYS_ioctl, fd, request, argument);
	if (!ret && config)
		config->rx_filter = HWTSTAMP_FILTER_ALL;
	return ret;
}
