// SPDX-License-Identifier: GPL-2.0
/*
 * Report of a hypervisor about its virtual machine, in a file in place of its page:
 * what is a disruption, and which pages are refused.
 */
#include <endian.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../../selftests/lib/tap.h"
#include "../../net/vmclock.h"

#define PAGE	4096

/* Where the fields are, by the specification. */
enum {
	MAGIC = 0,
	SIZE = 4,
	VERSION = 8,
	SEQ = 12,
	MARKER = 16,
	FLAGS = 24,
	STATUS = 34,
	VALUE = 40,
	GENERATION = 104,
};

static char path[64], why[256];
static int file;

static void put(int at, uint64_t value, size_t len)
{
	value = htole64(value);
	if (pwrite(file, &value, len, at) != (ssize_t)len)
		abort();
}

/* As a hypervisor writes it, without a disruption so far. */
static void begin(void)
{
	if (ftruncate(file, 0) || ftruncate(file, PAGE))
		abort();
	put(MAGIC, 0x4b4c4356, 4);
	put(SIZE, PAGE, 4);
	put(VERSION, 1, 2);
	put(SEQ, 2, 4);
	put(MARKER, 7, 8);
	put(GENERATION, 5, 8);
}

static void disruptions(void)
{
	struct vmclock vmclock;

	begin();
	tap_ok(!vmclock_open(&vmclock, path, why, sizeof(why)), "a page is opened");
	tap_ok(!vmclock_sample(&vmclock), "which it was is no disruption");
	put(MARKER, 8, 8);
	tap_ok(vmclock_sample(&vmclock) && !vmclock_sample(&vmclock),
	       "another marker is one, once");
	put(MARKER, 8 | 1ULL << 63, 8);
	tap_ok(vmclock_sample(&vmclock), "all of its bits count");
	put(VALUE, 123456789, 8);
	put(STATUS, 4, 1);
	put(SEQ, 4, 4);
	put(FLAGS, 2, 8);
	tap_ok(!vmclock_sample(&vmclock), "another time, or how sure that is, is none");
	put(GENERATION, 6, 8);
	tap_ok(!vmclock_sample(&vmclock), "nor an unknown generation");
	put(FLAGS, 1 << 8, 8);
	vmclock_sample(&vmclock);
	put(GENERATION, 7, 8);
	tap_ok(vmclock_sample(&vmclock), "a known one is");
	put(SEQ, 5, 4);
	put(MARKER, 9, 8);
	tap_ok(!vmclock_sample(&vmclock), "what is being written does not count");
	put(SEQ, 6, 4);
	tap_ok(vmclock_sample(&vmclock), "until it is there");
	put(MARKER, 10, 8);
	if (ftruncate(file, 50))
		abort();
	tap_ok(!vmclock_sample(&vmclock), "nor does half a page");
	vmclock_close(&vmclock);
	tap_ok(vmclock.fd == -1 && !vmclock_sample(&vmclock), "one that is closed says nothing");
}

static bool refuses(int error, const char *expected)
{
	struct vmclock vmclock;
	bool refused;

	errno = 0;
	refused = vmclock_open(&vmclock, path, why, sizeof(why)) == -1 && errno == error &&
		  vmclock.fd == -1 && strstr(why, expected);
	if (!refused)
		tap_remark("%s", why);
	return refused;
}

static void refusals(void)
{
	struct vmclock vmclock;

	begin();
	put(MAGIC, 0x4b4c4357, 4);
	tap_ok(refuses(EINVAL, ": magic is 0x4b4c4357 and not 0x4b4c4356"),
	       "refused: another magic");
	begin();
	put(VERSION, 2, 2);
	tap_ok(refuses(EINVAL, ": version is 2 and not 1"), "refused: another version");
	put(VERSION, 0, 2);
	tap_ok(refuses(EINVAL, ": version is 0 and not 1"), "refused: none");
	begin();
	put(SIZE, 103, 4);
	tap_ok(refuses(EINVAL, ": size is 103 and not 104 to 65536"),
	       "refused: a size that is too small");
	put(SIZE, 65537, 4);
	tap_ok(refuses(EINVAL, ": size is 65537 and not 104 to 65536"),
	       "refused: one that is too large");
	put(SIZE, 65536, 4);
	tap_ok(!vmclock_open(&vmclock, path, why, sizeof(why)), "the largest is taken");
	vmclock_close(&vmclock);
	put(SIZE, 104, 4);
	put(FLAGS, 1 << 8, 8);
	tap_ok(!vmclock_open(&vmclock, path, why, sizeof(why)) && !vmclock.generation,
	       "the smallest too, which has no generation");
	vmclock_close(&vmclock);
	if (ftruncate(file, 103))
		abort();
	tap_ok(refuses(EINVAL, ": has 103 bytes and not 104 at least"),
	       "refused: a file that is too short");
	if (ftruncate(file, 0))
		abort();
	tap_ok(refuses(EINVAL, ": has 0 bytes and not 104 at least"), "refused: an empty one");
	begin();
	put(SEQ, 3, 4);
	tap_ok(refuses(EBUSY, path), "refused: one that is always being written");
	unlink(path);
	tap_ok(refuses(ENOENT, ": No such file or directory"), "refused: none");
}

int main(void)
{
	snprintf(path, sizeof(path), "/tmp/huygens-vmclock.XXXXXX");
	file = mkstemp(path);
	if (file < 0)
		return 1;
	disruptions();
	refusals();
	return tap_done();
}
