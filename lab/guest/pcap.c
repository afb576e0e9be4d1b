// SPDX-License-Identifier: GPL-2.0
/*
 * pcap.c - record what passes a port
 *
 * A child reads a TPACKET_V3 ring, so that it wakes once a block and not once
 * a packet, and writes a pcap file with stamps in ns.  It takes no virtual time
 * and sends nothing: the run is the same with it and without.
 */
#include <errno.h>
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include <arpa/inet.h>

#include "child.h"
#include "pcap.h"
#include "run.h"

enum {
	BLOCK_BYTES = 1 << 20,
	BLOCKS = 8,
	FRAME_BYTES = 2048,
	RETIRE_MS = 10,
	VLAN_BYTES = 4,
	MACS_BYTES = 12,
};

struct pcap_header {
	uint32_t magic;
	uint16_t major;
	uint16_t minor;
	int32_t zone;
	uint32_t accuracy;
	uint32_t snap;
	uint32_t network;
};

struct pcap_record {
	uint32_t sec;
	uint32_t nsec;
	uint32_t kept;
	uint32_t len;
};

/* The ring of one interface; fail() would be the parent's: complain and end. */
static int open_ring(const char *dev, uint32_t snap, void **ring)
{
	struct sock_filter keep = BPF_STMT(BPF_RET | BPF_K, snap);
	struct sock_fprog filter = { .len = 1, .filter = &keep };
	struct tpacket_req3 req = {
		.tp_block_size = BLOCK_BYTES,
		.tp_block_nr = BLOCKS,
		.tp_frame_size = FRAME_BYTES,
		.tp_frame_nr = BLOCK_BYTES / FRAME_BYTES * BLOCKS,
		.tp_retire_blk_tov = RETIRE_MS,
	};
	struct sockaddr_ll address = {
		.sll_family = AF_PACKET,
		.sll_protocol = htons(ETH_P_ALL),
		.sll_ifindex = if_nametoindex(dev),
	};
	int version = TPACKET_V3, fd;

	fd = socket(AF_PACKET, SOCK_RAW, 0);
	if (fd < 0 ||
	    setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
		       sizeof(filter)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_VERSION, &version,
		       sizeof(version)) ||
	    setsockopt(fd, SOL_PACKET, PACKET_RX_RING, &req, sizeof(req)) ||
	    bind(fd, (struct sockaddr *)&address, sizeof(address)))
		return -1;
	*ring = mmap(NULL, (size_t)BLOCK_BYTES * BLOCKS, PROT_READ | PROT_WRITE,
		     MAP_SHARED, fd, 0);
	return *ring == MAP_FAILED ? -1 : fd;
}

/* The kernel takes a VLAN tag out of the frame: put it back. */
static void write_packet(FILE *file, const struct tpacket3_hdr *packet)
{
	const char *data = (const char *)packet + packet->tp_mac;
	bool tagged = packet->tp_status & TP_STATUS_VLAN_VALID;
	uint16_t tag[2] = { htons(ETH_P_8021Q), htons(packet->hv1.tp_vlan_tci) };
	struct pcap_record record = {
		.sec = packet->tp_sec,
		.nsec = packet->tp_nsec,
		.kept = packet->tp_snaplen + (tagged ? VLAN_BYTES : 0),
		.len = packet->tp_len + (tagged ? VLAN_BYTES : 0),
	};

	if (packet->tp_status & TP_STATUS_VLAN_TPID_VALID)
		tag[0] = htons(packet->hv1.tp_vlan_tpid);
	fwrite(&record, sizeof(record), 1, file);
	if (!tagged) {
		fwrite(data, 1, packet->tp_snaplen, file);
		return;
	}
	fwrite(data, 1, MACS_BYTES, file);
	fwrite(tag, 1, VLAN_BYTES, file);
	fwrite(data + MACS_BYTES, 1, packet->tp_snaplen - MACS_BYTES, file);
}

static void write_block(FILE *file, struct tpacket_block_desc *block)
{
	const char *at = (char *)block + block->hdr.bh1.offset_to_first_pkt;
	uint32_t i;

	for (i = 0; i < block->hdr.bh1.num_pkts; i++) {
		const struct tpacket3_hdr *packet = (const void *)at;

		write_packet(file, packet);
		at += packet->tp_next_offset;
	}
}

/* Write what is ready, return the block to look at next. */
static unsigned int drain(FILE *file, char *ring, unsigned int at)
{
	for (;;) {
		struct tpacket_block_desc *block;

		block = (void *)(ring + (size_t)at * BLOCK_BYTES);
		if (!(__atomic_load_n(&block->hdr.bh1.block_status,
				      __ATOMIC_ACQUIRE) & TP_STATUS_USER))
			return at;
		write_block(file, block);
		__atomic_store_n(&block->hdr.bh1.block_status, TP_STATUS_KERNEL,
				 __ATOMIC_RELEASE);
		at = (at + 1) % BLOCKS;
	}
}

/* Until SIGTERM, and then until nothing has come for two retire times. */
static void record(FILE *file, int fd, int end_fd, char *ring)
{
	struct pollfd wait[] = {
		{ .fd = fd, .events = POLLIN },
		{ .fd = end_fd, .events = POLLIN },
	};
	unsigned int at = 0;

	while (!(wait[1].revents & POLLIN)) {
		at = drain(file, ring, at);
		poll(wait, 2, -1);
	}
	do
		at = drain(file, ring, at);
	while (poll(wait, 1, 2 * RETIRE_MS));
}

static noreturn void pcap_main(const struct topo_step *step)
{
	const struct pcap_header header = {
		.magic = 0xa1b23c4d, .major = 2, .minor = 4,
		.snap = step->snap, .network = 1 /* LINKTYPE_ETHERNET */,
	};
	struct tpacket_stats_v3 stats;
	socklen_t size = sizeof(stats);
	char path[4096];
	sigset_t set;
	FILE *file;
	void *ring;
	int fd, end_fd;

	sigemptyset(&set);
	sigaddset(&set, SIGTERM);
	sigprocmask(SIG_SETMASK, &set, NULL);
	end_fd = signalfd(-1, &set, SFD_CLOEXEC);
	snprintf(path, sizeof(path), RESULT_DIR "/%s", step->text);
	file = fopen(path, "w");
	fd = open_ring(step->dev, step->snap, &ring);
	if (!file || fd < 0 || end_fd < 0) {
		fprintf(stderr, "init: pcap %s: %s\n", path, strerror(errno));
		_exit(1);
	}
	fwrite(&header, sizeof(header), 1, file);
	fflush(file);
	record(file, fd, end_fd, ring);
	if (getsockopt(fd, SOL_PACKET, PACKET_STATISTICS, &stats, &size) ||
	    stats.tp_drops || fclose(file)) {
		fprintf(stderr, "init: pcap %s: incomplete\n", path);
		_exit(1);
	}
	_exit(0);
}

/**
 * pcap_start() - record a port's packets from now to the end of the run
 * @step: pcap directive; the file goes to the result folder
 */
void pcap_start(const struct topo_step *step)
{
	pid_t pid = child_fork(step, step->ns);

	if (!pid)
		pcap_main(step);
	child_adopt(pid, step->line, true);
}
