// SPDX-License-Identifier: GPL-2.0
/*
 * The file with the queues' own settings: what is written is read back, and whatever else
 * is refused as a whole.
 */
#include <linux/pkt_sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../../../selftests/lib/tap.h"
#include "saved.h"

#define LINE	"dev eth1 ifindex 3 parent root handle 10: 2=10000 4=200000"
#define HEAD	"acc-tuner saved 1\n"

static struct saved saved, back;
static char why[400];

static struct saved_queue queue(uint32_t ifindex, uint32_t handle)
{
	struct saved_queue q = { "eth1", ifindex, 0x10001, handle, { 0 } };

	ecnsharp_settings_default(&q.settings);
	return q;
}

static int parse(const char *text)
{
	char *copy = strdup(text);
	int ret = saved_parse(&back, copy, why, sizeof(why));

	free(copy);
	return ret;
}

static bool is_same(void)
{
	size_t i;

	for (i = 0; i < saved.count; i++) {
		struct saved_queue *q = saved_find(&back, saved.queue[i].ifindex, saved.queue[i].handle);

		if (!q || strcmp(q->dev, saved.queue[i].dev) || q->parent != saved.queue[i].parent ||
		    !settings_is_same(&q->settings, &saved.queue[i].settings))
			return false;
	}
	return back.count == saved.count;
}

static void test_round(void)
{
	struct saved_queue q;
	size_t len, cut;
	uint32_t taken = 0;
	char *text;

	q = queue(3, 0x100000);
	q.parent = TC_H_ROOT;
	saved_add(&saved, &q);
	q = queue(3, 0xffe0000);
	saved_add(&saved, &q);
	q = queue(4, 0x100000);
	saved_add(&saved, &q);
	text = saved_format(&saved, &len);
	tap_ok(!parse(text) && is_same(), "what is written is read back");
	for (cut = 0; cut < len; cut++) {
		char *part = strndup(text, cut);

		taken += !parse(part) || back.count;
		free(part);
	}
	tap_ok(!taken, "cut anywhere it is refused (%u are not)", taken);
	free(text);
	saved_remove(&saved, 3, 0x100000);
	saved_remove(&saved, 3, 0x990000);
	tap_ok(saved.count == 2 && !saved_find(&saved, 3, 0x100000) && saved_find(&saved, 4, 0x100000),
	       "one is removed");
	q.settings.value[ECNSHARP_LIMIT] = 77;
	saved_add(&saved, &q);
	tap_ok(saved.count == 2 && saved_find(&saved, 4, 0x100000)->settings.value[ECNSHARP_LIMIT] == 77,
	       "one is replaced");
	while (saved.count < SAVED_MAX) {
		q = queue(saved.count + 10, 0x10000);
		saved_add(&saved, &q);
	}
	q = queue(9, 0x10000);
	tap_ok(saved_add(&saved, &q), "one too many is refused");
	text = saved_format(&saved, &len);
	tap_ok(!parse(text) && is_same(), "as many as there may be are read back");
	free(text);
}

static void test_refusals(void)
{
	static const char *const bad[] = {
		"",
		"acc-tuner saved 2\nend 0\n",
		"acc-tuner saved 1 \nend 0\n",
		HEAD,
		HEAD "end 0",
		HEAD "end 1\n",
		HEAD "end 0\n\n",
		HEAD "end 0\nend 0\n",
		HEAD "end -0\n",
		HEAD LINE "\n",
		HEAD LINE "\nend 2\n",
		HEAD LINE "\n" LINE "\nend 2\n",
		HEAD "\n" LINE "\nend 1\n",
		HEAD "dev  ifindex 3 parent root handle 10: 2=1\nend 1\n",
		HEAD "dev abcdefghijklmnop ifindex 3 parent root handle 10: 2=1\nend 1\n",
		HEAD "dev eth1 ifindex 0 parent root handle 10: 2=1\nend 1\n",
		HEAD "dev eth1 ifindex 2147483648 parent root handle 10: 2=1\nend 1\n",
		HEAD "dev eth1 ifindex -3 parent root handle 10: 2=1\nend 1\n",
		HEAD "dev eth1 ifindex 3 parent 1 handle 10: 2=1\nend 1\n",
		HEAD "dev eth1 ifindex 3 parent 1:1:1 handle 10: 2=1\nend 1\n",
		HEAD "dev eth1 ifindex 3 parent 10000:1 handle 10: 2=1\nend 1\n",
		HEAD "dev eth1 ifindex 3 parent root handle 0: 2=1\nend 1\n",
		HEAD "dev eth1 ifindex 3 parent root handle 10:1 2=1\nend 1\n",
		HEAD "dev eth1 ifindex 3 parent root handle 10:\nend 1\n",
		HEAD "dev eth1 ifindex 3 parent root handle 10: \nend 1\n",
		HEAD "dev eth1 ifindex 3 handle 10: parent root 2=1\nend 1\n",
		HEAD LINE " 2=1\nend 1\n",
		HEAD LINE " 2\nend 1\n",
		HEAD LINE " 1=1\nend 1\n",
		HEAD LINE " 99=1\nend 1\n",
		HEAD LINE " 6=\nend 1\n",
		HEAD LINE " 6=-1\nend 1\n",
		HEAD LINE " 6=0x10000\nend 1\n",
		HEAD LINE " 6=999\nend 1\n",
		HEAD LINE " 6=99999999999999999999999\nend 1\n",
		HEAD LINE "  6=1000\nend 1\n",
	};
	size_t i;

	tap_ok(!parse(HEAD LINE "\nend 1\n") && back.count == 1, "a line is read");
	tap_ok(!parse(HEAD LINE " 6=1000\nend 1\n"), "and one with another attribute");
	tap_ok(!parse(HEAD "end 0\n"), "and none");
	for (i = 0; i < sizeof(bad) / sizeof(*bad); i++)
		tap_ok(parse(bad[i]) && !back.count && *why, "refused: %zu (%s)", i, why);
}

static void test_files(void)
{
	char directory[] = "/tmp/acc-saved-XXXXXX", path[100];
	struct stat st;

	if (!mkdtemp(directory))
		abort();
	snprintf(path, sizeof(path), "%s/saved", directory);
	tap_ok(!saved_read(&back, path, why, sizeof(why)) && !back.count, "no file: no queue");
	tap_ok(!saved_write(&saved, path, why, sizeof(why)) && !saved_read(&back, path, why, sizeof(why)) &&
	       is_same(), "a file is written and read back");
	saved.count = 0;
	tap_ok(!saved_write(&saved, path, why, sizeof(why)) && stat(path, &st), "without a queue it is removed");
	tap_ok(!saved_write(&saved, path, why, sizeof(why)), "twice");
	mkdir(path, 0700);
	tap_ok(saved_read(&back, path, why, sizeof(why)) && strstr(why, path), "a directory is refused: %s", why);
	rmdir(path);
	rmdir(directory);
}

int main(void)
{
	test_round();
	test_refusals();
	test_files();
	return tap_done();
}
