// SPDX-License-Identifier: GPL-2.0
/*
 * Send PAUSE frames at given times: pauser IF AT:QUANTA ...
 *
 * AT is ns of CLOCK_MONOTONIC.  With QUANTA pfc the frame is a PFC frame of priority 3.
 * Runs in a lab's guest as root.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

static void sleep_until(unsigned long long ns)
{
	struct timespec at = { .tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000 };

	clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, NULL);
}

int main(int argc, char **argv)
{
	unsigned char frame[60] = { 0x01, 0x80, 0xc2, 0, 0, 1, 2, 0, 0, 0, 0, 7, 0x88, 0x08, 0, 1 };
	struct sockaddr_ll to = { .sll_family = AF_PACKET, .sll_protocol = htons(0x8808) };
	int i, fd = socket(AF_PACKET, SOCK_RAW, 0);

	to.sll_ifindex = argc > 2 ? if_nametoindex(argv[1]) : 0;
	for (i = 2; i < argc; i++) {
		char *quanta = strchr(argv[i], ':') + 1;
		int pfc = !strcmp(quanta, "pfc");

		frame[14] = pfc;
		frame[16] = pfc ? 0 : atoi(quanta) >> 8;
		frame[17] = pfc ? 8 : atoi(quanta) & 255;
		memset(frame + 18, pfc ? 0xff : 0, 16);
		sleep_until(strtoull(argv[i], NULL, 10));
		if (sendto(fd, frame, sizeof(frame), 0, (void *)&to, sizeof(to)) < 0) {
			fprintf(stderr, "pauser: %s\n", strerror(errno));
			return 1;
		}
	}
	return 0;
}
