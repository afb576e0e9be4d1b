// SPDX-License-Identifier: GPL-2.0
/*
 * The file with the queues' own settings.
 */
#include <errno.h>
#include <inttypes.h>
#include <linux/pkt_sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../../lib/conf_text.h"
#include "../../lib/fail.h"
#include "../../lib/save.h"
#include "saved.h"

#define SAVED_HEAD	"acc-tuner saved 1"
#define SAVED_WHY	200

struct saved_queue *saved_find(struct saved *s, uint32_t ifindex, uint32_t handle)
{
	size_t i;

	for (i = 0; i < s->count; i++)
		if (s->queue[i].ifindex == ifindex && s->queue[i].handle == handle)
			return &s->queue[i];
	return NULL;
}

int saved_add(struct saved *s, const struct saved_queue *q)
{
	struct saved_queue *place = saved_find(s, q->ifindex, q->handle);

	if (!place && s->count == SAVED_MAX)
		return -1;
	if (!place)
		place = &s->queue[s->count++];
	*place = *q;
	return 0;
}

void saved_remove(struct saved *s, uint32_t ifindex, uint32_t handle)
{
	struct saved_queue *place = saved_find(s, ifindex, handle);

	if (place)
		*place = s->queue[--s->count];
}

/* A number as it is written here: decimal digits alone. */
static int saved_number(const char *token, uint64_t most, uint64_t *value)
{
	char *end;

	if (!token || !*token || strspn(token, "0123456789") != strlen(token))
		return -1;
	errno = 0;
	*value = strtoull(token, &end, 10);
	return errno || *value > most ? -1 : 0;
}

/* "root", "1:" or "1:a", hexadecimal. */
static int saved_handle(const char *token, uint32_t *handle)
{
	unsigned int major, minor = 0;
	char rest;

	if (!token || strlen(token) > 9)
		return -1;
	if (!strcmp(token, "root")) {
		*handle = TC_H_ROOT;
		return 0;
	}
	if (strspn(token, "0123456789abcdef:") != strlen(token))
		return -1;
	if (sscanf(token, "%x:%x%c", &major, &minor, &rest) != 2 &&
	    (sscanf(token, "%x%c", &major, &rest) != 2 || token[strlen(token) - 1] != ':'))
		return -1;
	if (major > 0xffff || minor > 0xffff)
		return -1;
	*handle = TC_H_MAKE(major << 16, minor);
	return 0;
}

/* The value of "NAME VALUE", whose name must be @name. */
static char *saved_field(char **line, const char *name)
{
	char *token = strsep(line, " ");

	return token && !strcmp(token, name) ? strsep(line, " ") : NULL;
}

static int saved_settings(char *line, struct ecnsharp_settings *s)
{
	char *token, *value;

	memset(s, 0, sizeof(*s));
	while ((token = strsep(&line, " "))) {
		uint64_t attr, number;
		uint32_t id;

		value = strchr(token, '=');
		if (!value)
			return -1;
		*value++ = '\0';
		if (saved_number(token, UINT32_MAX, &attr) ||
		    saved_number(value, UINT64_MAX, &number))
			return -1;
		id = settings_find(attr);
		if (id == ECNSHARP_NR_PARAMS || ecnsharp_is_given(s, 1ULL << id) ||
		    ecnsharp_set(s, id, number))
			return -1;
	}
	return s->given ? 0 : -1;
}

static int saved_line(char *line, struct saved_queue *q)
{
	const char *dev = saved_field(&line, "dev");
	uint64_t ifindex;

	if (!dev || !*dev || strlen(dev) >= sizeof(q->dev))
		return -1;
	memset(q, 0, sizeof(*q));
	memcpy(q->dev, dev, strlen(dev));
	if (saved_number(saved_field(&line, "ifindex"), INT32_MAX, &ifindex) || !ifindex ||
	    saved_handle(saved_field(&line, "parent"), &q->parent) ||
	    saved_handle(saved_field(&line, "handle"), &q->handle) ||
	    !TC_H_MAJ(q->handle) || TC_H_MIN(q->handle))
		return -1;
	q->ifindex = ifindex;
	return line ? saved_settings(line, &q->settings) : -1;
}

/* The last line: "end COUNT", and nothing behind it. */
static int saved_end(const struct saved *s, char *line, const char *rest)
{
	uint64_t count;

	if (saved_number(line, SAVED_MAX, &count) || count != s->count)
		return -1;
	return rest && !*rest ? 0 : -1;
}

int saved_parse(struct saved *s, char *text, char *why, size_t size)
{
	char *line = strsep(&text, "\n");
	unsigned int number = 1;
	struct saved_queue q;

	s->count = 0;
	if (strcmp(line, SAVED_HEAD))
		return fail(why, size, "line 1 is not \"" SAVED_HEAD "\"");
	while ((line = strsep(&text, "\n"))) {
		number++;
		if (!strncmp(line, "end ", 4)) {
			if (saved_end(s, line + 4, text))
				break;
			return 0;
		}
		if (saved_line(line, &q) || saved_find(s, q.ifindex, q.handle) || saved_add(s, &q))
			break;
	}
	s->count = 0;
	return line ? fail(why, size, "line %u is damaged", number) :
		      fail(why, size, "its end is missing");
}

static void saved_print_handle(FILE *out, const char *name, uint32_t handle)
{
	if (handle == TC_H_ROOT)
		fprintf(out, " %s root", name);
	else if (TC_H_MIN(handle))
		fprintf(out, " %s %x:%x", name, TC_H_MAJ(handle) >> 16, TC_H_MIN(handle));
	else
		fprintf(out, " %s %x:", name, TC_H_MAJ(handle) >> 16);
}

static void saved_print(FILE *out, const struct saved_queue *q)
{
	uint32_t id;

	fprintf(out, "dev %s ifindex %" PRIu32, q->dev, q->ifindex);
	saved_print_handle(out, "parent", q->parent);
	saved_print_handle(out, "handle", q->handle);
	for (id = 0; id < ECNSHARP_NR_PARAMS; id++)
		if (ecnsharp_is_given(&q->settings, 1ULL << id))
			fprintf(out, " %u=%" PRIu64, settings_attr(id), q->settings.value[id]);
	fputc('\n', out);
}

char *saved_format(const struct saved *s, size_t *len)
{
	char *text = NULL;
	FILE *out = open_memstream(&text, len);
	size_t i;

	if (!out)
		return NULL;
	fprintf(out, SAVED_HEAD "\n");
	for (i = 0; i < s->count; i++)
		saved_print(out, &s->queue[i]);
	fprintf(out, "end %zu\n", s->count);
	if (!fclose(out))
		return text;
	free(text);
	return NULL;
}

int saved_read(struct saved *s, const char *path, char *why, size_t size)
{
	char cause[SAVED_WHY], *text;
	size_t len;
	int ret;

	s->count = 0;
	text = conf_text_load(path, &len);
	if (!text && errno == ENOENT)
		return 0;
	if (!text)
		return fail(why, size, "%s: %s", path, strerror(errno));
	if (len > CONF_TEXT_MAX || memchr(text, 0, len)) {
		free(text);
		return fail(why, size, "%s: not a file of acc-tuner", path);
	}
	text = realloc(text, len + 1);
	if (!text)
		return fail(why, size, "%s: no memory", path);
	text[len] = '\0';
	ret = saved_parse(s, text, cause, sizeof(cause));
	free(text);
	return ret ? fail(why, size, "%s: %s", path, cause) : 0;
}

int saved_write(const struct saved *s, const char *path, char *why, size_t size)
{
	char *text;
	size_t len;
	int ret;

	if (!s->count) {
		if (!unlink(path) || errno == ENOENT)
			return 0;
		return fail(why, size, "%s: %s", path, strerror(errno));
	}
	text = saved_format(s, &len);
	if (!text)
		return fail(why, size, "%s: no memory", path);
	ret = save_file(path, text, len, why, size);
	free(text);
	return ret;
}
