// SPDX-License-Identifier: GPL-2.0
/*
 * Files that are replaced as a whole, where there is no space, no folder or no right.
 */
#include <errno.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../selftests/lib/tap.h"
#include "../save.h"

/* More than one write can have where files end at LIMIT. */
#define BYTES	5000
#define LIMIT	4096

static char data[BYTES];

/* What a file has, "" without one. */
static const char *text_of(const char *path)
{
	static char text[BYTES + 1];
	FILE *f = fopen(path, "r");
	size_t n = f ? fread(text, 1, BYTES, f) : 0;

	if (f)
		fclose(f);
	text[n] = '\0';
	return text;
}

/* A refusal with exactly this reason, where errno is another one before. */
static bool refused(const char *path, size_t bytes, const char *reason)
{
	char why[700] = "", wanted[700];

	snprintf(wanted, sizeof(wanted), "%s: %s", path, reason);
	errno = EXDEV;
	if (save_file(path, data, bytes, why, sizeof(why)) == -1 && !strcmp(why, wanted))
		return true;
	tap_remark("%s, not %s", why, wanted);
	return false;
}

/* The same refusal before there is anything to write. */
static bool foreseen(const char *path, const char *reason)
{
	char why[700] = "", wanted[700];

	snprintf(wanted, sizeof(wanted), "%s: %s", path, reason);
	errno = EXDEV;
	if (save_check(path, why, sizeof(why)) == -1 && !strcmp(why, wanted))
		return refused(path, 1, reason);
	tap_remark("%s, not %s", why, wanted);
	return false;
}

static void test_limit(void)
{
	struct rlimit before, low;

	getrlimit(RLIMIT_FSIZE, &before);
	low = (struct rlimit){ LIMIT, before.rlim_max };
	signal(SIGXFSZ, SIG_IGN);
	setrlimit(RLIMIT_FSIZE, &low);
	tap_ok(refused("file", BYTES, strerror(EFBIG)), "a write that is cut short: the reason");
	setrlimit(RLIMIT_FSIZE, &before);
	tap_ok(!strcmp(text_of("file"), "old"), "the file is as it was");
	tap_ok(access("file.part", F_OK), "and its part is gone");
}

static void test_paths(void)
{
	char path[600];

	memset(path, 'p', sizeof(path) - 1);
	path[sizeof(path) - 1] = '\0';
	tap_ok(foreseen("none/file", strerror(ENOENT)), "no such folder");
	tap_ok(foreseen("file/file", strerror(ENOTDIR)), "a file in place of a folder");
	tap_ok(foreseen(path, "the path is too long"), "a path of 599 bytes");
	path[300] = '\0';
	tap_ok(foreseen(path, strerror(ENAMETOOLONG)), "a name of 300 bytes");
	mkdir("folder", 0755);
	tap_ok(foreseen("folder", strerror(EISDIR)), "a folder");
	tap_ok(!symlink("elsewhere", "link.part") && foreseen("link", strerror(ELOOP)) &&
	       access("elsewhere", F_OK), "a link in place of the part is not followed");
}

int main(void)
{
	char folder[] = "/tmp/saves.XXXXXX", why[100] = "";

	if (!mkdtemp(folder) || chdir(folder))
		return 1;
	memset(data, 'n', BYTES);
	tap_ok(!save_file("file", "old", 3, why, sizeof(why)) && !strcmp(text_of("file"), "old"),
	       "a file that was not there");
	tap_ok(!save_check("file", why, sizeof(why)) && !*why && !strcmp(text_of("file"), "old") &&
	       access("file.part", F_OK), "a file that could be replaced, and is not");
	test_limit();
	test_paths();
	tap_ok(!save_file("file", data, BYTES, why, sizeof(why)) &&
	       strlen(text_of("file")) == BYTES && !*why, "a file is replaced");
	tap_ok(!save_file("file", "", 0, why, sizeof(why)) && !*text_of("file"),
	       "by an empty one");
	/* Nothing else is left: the folder is empty then. */
	tap_ok(!unlink("file") && !rmdir("folder") && !chdir("/") &&
	       !rmdir(folder), "no part is left");
	return tap_done();
}
