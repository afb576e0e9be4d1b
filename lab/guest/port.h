/* SPDX-License-Identifier: GPL-2.0 */
/* port.h - the counters of a port, as ethtool -S shows them */
#ifndef GUEST_PORT_H
#define GUEST_PORT_H

#include <stdint.h>

#include <linux/ethtool.h>

/**
 * struct port_counters - what port_read() found
 * @n: how many counters there are
 * @names: their names, @n of them, each of at most ETH_GSTRING_LEN bytes, not always ended by a 0
 * @values: their values
 */
struct port_counters {
	unsigned int n;
	struct ethtool_gstrings *names;
	struct ethtool_stats *values;
};

void port_read(struct port_counters *counters, unsigned int line, const char *dev);
void port_free(struct port_counters *counters);
uint64_t port_counter(const struct port_counters *counters, const char *name);

#endif /* GUEST_PORT_H */
