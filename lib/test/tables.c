// SPDX-License-Identifier: GPL-2.0
/*
 * A configuration from a table: the file, and the lines of keys.
 */
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../selftests/lib/tap.h"
#include "../conf_table.h"

/**
 * struct tried - a configuration
 * @size: a number
 * @pause_ns: a time
 */
struct tried {
	int64_t	size;
	int64_t	pause_ns;
};

static const struct conf_key keys[] = {
	{ "one", "size", CONF_KEY_COUNT, offsetof(struct tried, size), .least = 1, .most = 9,
	  .what = "Size" },
	{ "two", "size", CONF_KEY_TIME, offsetof(struct tried, pause_ns), .most = 1000000000,
	  .fallback = "1ms", .what = "Pause" },
};

static const struct conf_table table = { .program = "tried", .keys = keys, .n = 2 };

static char path[64];

static bool put(const char *text)
{
	FILE *file = fopen(path, "w");

	return file && fputs(text, file) >= 0 && !fclose(file);
}

static void refused(const char *text, const char *why)
{
	struct tried conf = { .size = 0 };
	struct conf_error error = { .text = "" };
	int lines[2];

	if (text && !put(text))
		return;
	if (!tap_ok(conf_table_read(&table, &conf, path, lines, &error) == -1 &&
		    strstr(error.text, why) && !strncmp(error.text, path, strlen(path)),
		    "not read: %s", why))
		tap_remark("%s", error.text);
}

int main(void)
{
	struct tried conf = { .size = 0 };
	struct conf_error error = { .text = "" };
	int lines[2];
	int fd;

	snprintf(path, sizeof(path), "/tmp/tables.XXXXXX");
	fd = mkstemp(path);
	if (fd < 0)
		return 1;
	close(fd);
	tap_ok(put("# Comment.\n[one]\nsize = 4\n") &&
	       !conf_table_read(&table, &conf, path, lines, &error) && conf.size == 4 &&
	       conf.pause_ns == 1000000, "a file is read, with a default: %s", error.text);
	tap_ok(conf_table_line(&table, lines, "one", "size") == 3, "a key's line");
	tap_ok(!conf_table_line(&table, lines, "two", "size"),
	       "that of another section's, which was not given");
	refused("", "must be given");
	refused("[one]\nsize = 10\n", ":2:");
	refused("[three]\n", "three");
	unlink(path);
	refused(NULL, "cannot read it: No such file or directory");
	mkdir(path, 0700);
	refused(NULL, "cannot read it: Is a directory");
	rmdir(path);
	mkfifo(path, 0600);
	refused(NULL, "cannot read it: Invalid argument");
	unlink(path);
	return tap_done();
}
