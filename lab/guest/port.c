// SPDX-License-Identifier: GPL-2.0
/* port.c - the counters of a port, as ethtool -S shows them */
#include <errno.h>
#include <linux/sockios.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <net/if.h>
#include <unistd.h>

#include "port.h"
#include "run.h"

static void ask(int fd, unsigned int line, const char *dev, void *command)
{
	struct ifreq ifr = { .ifr_data = command };

	strncpy(ifr.ifr_name, dev, sizeof(ifr.ifr_name) - 1);
	if (ioctl(fd, SIOCETHTOOL, &ifr))
		fail(line, "ethtool %s: %s", dev, strerror(errno));
}

/**
 * port_read() - read the counters of a port of the present namespace
 * @counters: filled in; to be freed by port_free()
 * @line: line of the topology script to blame
 * @dev: the port
 */
void port_read(struct port_counters *counters, unsigned int line, const char *dev)
{
	struct {
		struct ethtool_sset_info head;
		__u32 n;
	} info = { .head = { .cmd = ETHTOOL_GSSET_INFO,
			     .sset_mask = 1ULL << ETH_SS_STATS } };
	int fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);

	ask(fd, line, dev, &info);
	counters->n = info.n;
	counters->names = calloc(1, sizeof(*counters->names) + info.n * ETH_GSTRING_LEN);
	counters->values = calloc(1, sizeof(*counters->values) + info.n * sizeof(__u64));
	if (!counters->names || !counters->values)
		fail(line, "out of memory");
	counters->names->cmd = ETHTOOL_GSTRINGS;
	counters->names->string_set = ETH_SS_STATS;
	counters->names->len = info.n;
	ask(fd, line, dev, counters->names);
	counters->values->cmd = ETHTOOL_GSTATS;
	counters->values->n_stats = info.n;
	ask(fd, line, dev, counters->values);
	close(fd);
}

/**
 * port_free() - release what port_read() took
 * @counters: counters
 */
void port_free(struct port_counters *counters)
{
	free(counters->names);
	free(counters->values);
}

/**
 * port_counter() - find a counter by name
 * @counters: counters
 * @name: name, shorter than ETH_GSTRING_LEN
 *
 * Return: its value, 0 if there is none of that name.
 */
uint64_t port_counter(const struct port_counters *counters, const char *name)
{
	unsigned int i;

	for (i = 0; i < counters->n; i++)
		if (!strncmp((const char *)&counters->names->data[i * ETH_GSTRING_LEN],
			     name, ETH_GSTRING_LEN))
			return counters->values->data[i];
	return 0;
}
