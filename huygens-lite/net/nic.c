// SPDX-License-Identifier: GPL-2.0
/*
 * A NIC that stamps packets, and its clock.
 */
#include <errno.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/sockios.h>

#include "../../lib/device.h"
#include "../../lib/fail.h"
#include "nic.h"

/* Timestamps of received packets, and of sent ones. */
#define NIC_RECEIVES	(SOF_TIMESTAMPING_RX_HARDWARE | SOF_TIMESTAMPING_RAW_HARDWARE)
#define NIC_SENDS	(SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_TX_SOFTWARE)

static bool nic_has(const struct sockaddr *a, const union conf_address *b)
{
	if (!a || a->sa_family != b->sa.sa_family)
		return false;
	if (a->sa_family == AF_INET)
		return ((const struct sockaddr_in *)a)->sin_addr.s_addr ==
		       b->in.sin_addr.s_addr;
	return !memcmp(&((const struct sockaddr_in6 *)a)->sin6_addr,
		       &b->in6.sin6_addr, sizeof(b->in6.sin6_addr));
}

int nic_find(const union conf_address *address, char link[IF_NAMESIZE])
{
	struct ifaddrs *all, *one;
	int ret = -1;

	if (getifaddrs(&all))
		return -1;
	for (one = all; one && ret; one = one->ifa_next) {
		if (!nic_has(one->ifa_addr, address))
			continue;
		snprintf(link, IF_NAMESIZE, "%s", one->ifa_name);
		ret = 0;
	}
	freeifaddrs(all);
	return ret;
}

static int nic_ask(const char *link, unsigned long request, void *data)
{
	struct ifreq ifr = { .ifr_data = data };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0), ret;

	if (fd < 0)
		return -1;
	memcpy(ifr.ifr_name, link, strnlen(link, IF_NAMESIZE - 1));
	ret = ioctl(fd, request, &ifr);
	close(fd);
	return ret;
}

bool nic_is_vrf(const char *link)
{
	struct ethtool_drvinfo info = { .cmd = ETHTOOL_GDRVINFO };

	return !nic_ask(link, SIOCETHTOOL, &info) &&
	       !strncmp(info.driver, "vrf", sizeof(info.driver));
}

/*
 * As an administrator set it will do, if that is what is needed.  Another program may use
 * stamps of what is sent, and a driver that has none refuses to take them.
 */
static int nic_stamp_all(const char *link, enum nic_use use)
{
	struct hwtstamp_config config = { .tx_type = HWTSTAMP_TX_OFF };
	int refused;

	if (use == NIC_BOTH || nic_ask(link, SIOCGHWTSTAMP, &config))
		config = (struct hwtstamp_config){
			.tx_type = use == NIC_BOTH ? HWTSTAMP_TX_ON : HWTSTAMP_TX_OFF,
		};
	config.rx_filter = HWTSTAMP_FILTER_ALL;
	if (!nic_ask(link, SIOCSHWTSTAMP, &config))
		return 0;
	refused = errno;
	memset(&config, 0, sizeof(config));
	if (nic_ask(link, SIOCGHWTSTAMP, &config))
		memset(&config, 0, sizeof(config));
	errno = refused;
	return (use == NIC_RECEIVED || config.tx_type == HWTSTAMP_TX_ON) &&
	       config.rx_filter == HWTSTAMP_FILTER_ALL ? 0 : -1;
}

/* Return: 0, or -1 if the NIC has no clock, or lacks stamps that are needed. */
static int nic_check(const struct ethtool_ts_info *info, const char *link, enum nic_use use,
		     char *why, size_t size)
{
	uint32_t stamps = info->so_timestamping;
	bool receives = info->phc_index >= 0 && (stamps & NIC_RECEIVES) == NIC_RECEIVES;

	if (receives && (use == NIC_RECEIVED || (stamps & NIC_SENDS) == NIC_SENDS))
		return 0;
	if (receives)
		return fail(why, size,
			    "%s supports hardware timestamps of received packets only: timestamping = hardware-receive uses them",
			    link);
	return fail(why, size, "%s does not support hardware timestamps%s", link,
		    use == NIC_RECEIVED ? " of received packets" : "");
}

/* All ports of a NIC, and devices above them, share one clock. */
static enum nic_owner nic_ask_owner(const char *link, int phc_index)
{
	struct ethtool_ts_info info = { .cmd = ETHTOOL_GET_TS_INFO };

	if (nic_ask(link, SIOCETHTOOL, &info))
		return NIC_UNTOLD;
	if (info.phc_index == phc_index)
		return NIC_OWN;
	return info.phc_index >= 0 ||
	       info.so_timestamping & SOF_TIMESTAMPING_RAW_HARDWARE ?
	       NIC_OTHER : NIC_UNTOLD;
}

static void nic_find_ports(struct nic *nic, int phc_index)
{
	struct if_nameindex *all = if_nameindex(), *one;
	size_t count = 0;

	for (one = all; one && one->if_name; one++)
		count++;
	nic->ports = calloc(count, sizeof(*nic->ports));
	for (one = all; nic->ports && nic->n_ports < count; one++)
		nic->ports[nic->n_ports++] = (struct nic_port){
			.ifindex = one->if_index,
			.owner = nic_ask_owner(one->if_name, phc_index),
		};
	if (all)
		if_freenameindex(all);
}

enum nic_owner nic_owner(const struct nic *nic, unsigned int ifindex)
{
	size_t i;

	if (!ifindex)
		return NIC_UNTOLD;
	if (ifindex == (unsigned int)nic->ifindex)
		return NIC_OWN;
	for (i = 0; i < nic->n_ports; i++)
		if (nic->ports[i].ifindex == ifindex)
			return nic->ports[i].owner;
	return NIC_LATER;
}

int nic_open(struct nic *nic, const char *link, enum nic_use use, char *why, size_t size)
{
	struct ethtool_ts_info info = { .cmd = ETHTOOL_GET_TS_INFO };
	char path[32];

	*nic = (struct nic){ .phc.fd = -1, .use = use };
	nic->ifindex = device_name(link, nic->link);
	if (nic_ask(nic->link, SIOCETHTOOL, &info))
		info.phc_index = -1;
	if (nic_check(&info, link, use, why, size))
		return -1;
	if (nic_stamp_all(nic->link, use))
		return fail(why, size, "%s does not timestamp all packets: %s", link,
			    strerror(errno));
	snprintf(path, sizeof(path), "/dev/ptp%d", info.phc_index);
	if (phc_open(&nic->phc, path, PHC_EXTENDED, PHC_EXTENDED, why, size))
		return -1;
	nic_find_ports(nic, info.phc_index);
	return 0;
}

int64_t nic_sample(struct nic *nic, int64_t *nic_ns, int64_t *real_ns)
{
	return phc_sample(&nic->phc, nic_ns, real_ns);
}

void nic_close(struct nic *nic)
{
	phc_close(&nic->phc);
	free(nic->ports);
	nic->ports = NULL;
	nic->n_ports = 0;
}
