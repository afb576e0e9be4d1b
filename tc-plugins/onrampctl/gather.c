// SPDX-License-Identifier: GPL-2.0
/*
 * Facts, gathered; and those that are in files.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <inttypes.h>
#include <linux/netlink.h>
#include <stdio.h>
#include <string.h>

#include "../../lib/netlink_socket.h"
#include "gather.h"
#include "host.h"

/* Connections to read at most. */
#define GATHER_CONNECTIONS	10000
#define GATHER_ESTABLISHED	1

static bool gather_has_file(const struct facts_dev *dev, const char *file)
{
	char path[128];

	snprintf(path, sizeof(path), "/sys/class/net/%s/%s", dev->name, file);
	return host_has(path);
}

/* Intel's drivers of which the NIC's filter of malicious drivers drops PAUSE frames. */
static bool gather_drops_pause(const struct facts_dev *dev)
{
	return gather_has_file(dev, "device/driver/module/drivers/pci:i40e") ||
	       gather_has_file(dev, "device/driver/module/drivers/pci:ice");
}

/* A number of a queue's byte queue limits; 0 if there is none. */
static uint64_t gather_bql(const struct facts_dev *dev, uint32_t queue,
			   const char *what)
{
	uint64_t number = 0;
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path),
		 "/sys/class/net/%s/queues/tx-%" PRIu32
		 "/byte_queue_limits/%s", dev->name, queue, what);
	file = host_file(path);
	if (!file)
		return 0;
	if (fscanf(file, "%" SCNu64, &number) != 1)
		number = 0;
	fclose(file);
	return number;
}

/*
 * A driver that reports completed packets has been given a limit for them, but
 * not by a queue that has sent nothing; and before the first is complete there
 * is none either, only bytes that are under way.
 */
static bool gather_has_bql(const struct facts_dev *dev)
{
	uint32_t queue;

	for (queue = 0; queue < dev->queues; queue++)
		if (gather_bql(dev, queue, "limit") ||
		    gather_bql(dev, queue, "inflight"))
			return true;
	return false;
}

static bool gather_is_peer(const struct facts *f, const struct value *address)
{
	size_t i;

	for (i = 0; i < f->nr_peers; i++)
		if (value_contains(&f->peers[i], address))
			return true;
	return false;
}

/* As the kernel prints it: words of 32 bits, each a number of this machine. */
static bool gather_address(const char *text, struct value *v)
{
	size_t words = strlen(text) / 8, i;
	uint32_t word;

	memset(v, 0, sizeof(*v));
	if (words != 1 && words != 4)
		return false;
	for (i = 0; i < words; i++) {
		if (sscanf(text + 8 * i, "%8" SCNx32, &word) != 1)
			return false;
		memcpy(v->address + 4 * i, &word, sizeof(word));
	}
	v->given = true;
	v->address_len = 4 * words;
	v->prefix_len = 32 * words;
	if (words == 4 &&
	    IN6_IS_ADDR_V4MAPPED((const struct in6_addr *)v->address)) {
		memmove(v->address, v->address + 12, 4);
		v->address_len = 4;
		v->prefix_len = 32;
	}
	return true;
}

static bool gather_is_loopback(const struct value *v)
{
	return v->address_len == 4 ? v->address[0] == 127 :
	       IN6_IS_ADDR_LOOPBACK((const struct in6_addr *)v->address);
}

/* A connection of this host whose data would not be acknowledged. */
static void gather_unlisted(struct facts *f, const char *path)
{
	FILE *file = host_file(path);
	unsigned int state, lines;
	char line[256], text[40];
	struct value v;

	if (!file) {
		/* A kernel without IPv6 has no such file. */
		if (errno != ENOENT)
			facts_miss(f, path, errno);
		return;
	}
	for (lines = 0; lines < GATHER_CONNECTIONS &&
	     fgets(line, sizeof(line), file); lines++)
		if (sscanf(line, "%*u: %*[0-9A-F]:%*x %39[0-9A-F]:%*x %x",
			   text, &state) == 2 &&
		    state == GATHER_ESTABLISHED && !f->unlisted.given &&
		    gather_address(text, &v) && !gather_is_loopback(&v) &&
		    !gather_is_peer(f, &v))
			f->unlisted = v;
	fclose(file);
}

/* Reported by the module, since the tools may be of another release. */
static bool gather_is_untried(const char *module)
{
	char path[64];
	FILE *file;
	bool yes;

	snprintf(path, sizeof(path), "/sys/module/%s/parameters/untried",
		 module);
	file = host_file(path);
	if (!file)
		return false;
	yes = fgetc(file) == 'Y';
	fclose(file);
	return yes;
}

void gather_host(struct facts *f)
{
	size_t i;

	f->untried = gather_is_untried("onramp") ||
		     gather_is_untried("sch_ecnsharp") ||
		     gather_is_untried("sch_cp");
	for (i = 0; i < f->nr_devs; i++) {
		f->devs[i].hardware = gather_has_file(&f->devs[i], "device");
		f->devs[i].drops_pause = gather_drops_pause(&f->devs[i]);
		f->devs[i].bql = gather_has_bql(&f->devs[i]);
	}
	gather_unlisted(f, "/proc/net/tcp");
	gather_unlisted(f, "/proc/net/tcp6");
}

int gather(struct facts *f, struct nl_refusal *why)
{
	if (nl_socket_open(NETLINK_ROUTE))
		return nl_fail(why, errno, "no netlink socket");
	if (gather_route(f, why))
		return -1;
	gather_onramp(f);
	gather_ethtool(f);
	gather_host(f);
	gather_tuner(f);
	return 0;
}
