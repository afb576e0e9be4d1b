/* SPDX-License-Identifier: GPL-2.0 */
/* A request, and what the kernel answers. */
#ifndef FUZZ_TALK_H
#define FUZZ_TALK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct nlmsghdr;

/**
 * struct talk - an answer
 * @heard: there was one
 * @error: errno that it ended in, or 0
 */
struct talk {
	bool heard;
	int error;
};

typedef void (*talk_each)(const struct nlmsghdr *message, void *data);

struct talk talk(int socket, const void *message, size_t bytes, uint32_t seq, talk_each each,
		 void *data);

#endif /* FUZZ_TALK_H */
