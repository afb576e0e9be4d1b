// SPDX-License-Identifier: GPL-2.0
/*
 * Has the igb of QEMU timestamp what its driver does not configure it for:
 *
 *	registers RESOURCE
 *
 * QEMU stamps a received frame whose Ethernet type is that of filter 3, where the driver
 * has PTP's, and whose next two bytes are those of a Sync of version 2.  So begins the tag
 * of VLAN 2: with that type in the filter, frames of this VLAN have timestamps.  A stamp is
 * kept until RXSATRH is read, which Linux does not do: here it is read each millisecond.
 */
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

#define IGB_BYTES	0x20000
#define IGB_ETQF3	0x5cbc
#define IGB_RXSATRH	0xb630
/* A filter that is enabled, has what it matches timestamped, and the type of tags. */
#define IGB_TAGS	0x44008100

int main(int argc, char **argv)
{
	int fd = argc == 2 ? open(argv[1], O_RDWR | O_SYNC) : -1;
	char *registers = mmap(NULL, IGB_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);

	if (registers == MAP_FAILED) {
		perror("registers");
		return 1;
	}
	for (;;) {
		__atomic_store_n((uint32_t *)(registers + IGB_ETQF3), IGB_TAGS, __ATOMIC_RELAXED);
		__atomic_load_n((uint32_t *)(registers + IGB_RXSATRH), __ATOMIC_RELAXED);
		usleep(1000);
	}
}
