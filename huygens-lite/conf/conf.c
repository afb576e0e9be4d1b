// SPDX-License-Identifier: GPL-2.0
/*
 * The configuration: from a file to a struct, whole or not at all.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "check.h"
#include "conf.h"
#include "key.h"
#include "store.h"
#include "text.h"

/**
 * struct conf_reading - a configuration that is being read
 * @conf: where it goes
 * @text: where it comes from
 * @lines: where each key was given, 0: not yet
 * @error: filled if it fails
 */
struct conf_reading {
	struct huygens_conf	*conf;
	struct text		text;
	int			lines[KEYS_MAX];
	struct conf_error	*error;
};

static int conf_unknown(struct conf_reading *r, const struct text_entry *entry)
{
	const struct key *key = key_find(NULL, entry->key);

	if (key)
		return text_refuse(r->error, r->text.path, entry->line,
				   "[%s] %s: unknown key; it belongs to section [%s]",
				   r->text.section, entry->key, key->section);
	return text_refuse(r->error, r->text.path, entry->line,
			   "[%s] %.60s: unknown key; huygens-lite --help-keys lists the keys",
			   r->text.section, entry->key);
}

static int conf_set(struct conf_reading *r, const struct text_entry *entry)
{
	const struct key *key = key_find(r->text.section, entry->key);
	struct list list = {
		.conf = r->conf,
		.key = key,
		.path = r->text.path,
		.words = { .at = entry->value, .next = entry->value_line },
		.line = entry->line,
		.error = r->error,
	};
	int *line;

	if (!key)
		return conf_unknown(r, entry);
	line = &r->lines[key - keys];
	if (*line)
		return text_refuse(r->error, r->text.path, entry->line,
				   "[%s] %s: given twice, first in line %d",
				   key->section, key->name, *line);
	*line = entry->line;
	return store(&list);
}

static int conf_entry(struct conf_reading *r, const struct text_entry *entry)
{
	if (entry->key && r->text.section)
		return conf_set(r, entry);
	if (entry->key)
		return text_refuse(r->error, r->text.path, entry->line,
				   "%.60s: a section such as [mesh] must come first",
				   entry->key);
	if (key_is_section(r->text.section))
		return 0;
	return text_refuse(r->error, r->text.path, entry->line,
			   "[%.60s]: unknown section; the sections are [node], [mesh], [coordinator], [output], [security] and [log]",
			   r->text.section);
}

static int conf_complete(struct conf_reading *r)
{
	char range[KEY_RANGE_MAX];
	size_t i;

	for (i = 0; i < n_keys; i++) {
		if (r->lines[i])
			continue;
		if (!keys[i].fallback)
			return text_refuse(r->error, r->text.path, 0,
					   "[%s] %s: must be given: %s",
					   keys[i].section, keys[i].name,
					   key_range(&keys[i], range));
		store_default(r->conf, &keys[i]);
	}
	return 0;
}

static void conf_set_ports(struct huygens_conf *conf)
{
	size_t i;

	for (i = 0; i < conf->n_peers; i++)
		/* The port is at the same place in both. */
		conf->peers[i].address.in.sin_port = htons(conf->port);
}

static int conf_read_text(struct conf_reading *r, size_t len)
{
	struct text_entry entry;
	int more;

	if (text_clean(&r->text, len, r->error))
		return -1;
	while ((more = text_next(&r->text, &entry, r->error)) > 0)
		if (conf_entry(r, &entry))
			return -1;
	if (more < 0 || conf_complete(r) ||
	    check(r->conf, r->text.path, r->lines, r->error))
		return -1;
	conf_set_ports(r->conf);
	return 0;
}

int conf_parse(struct huygens_conf *conf, const char *path, const char *text,
	       size_t len, struct conf_error *error)
{
	struct conf_reading r = {
		.conf = conf,
		.text = { .path = path, .line = 1 },
		.error = error,
	};
	int mark = text_mark(text, len);
	char *copy;
	int result;

	_Static_assert(offsetof(struct sockaddr_in, sin_port) ==
		       offsetof(struct sockaddr_in6, sin6_port),
		       "a port is at the same place in both");
	memset(conf, 0, sizeof(*conf));
	if (len > TEXT_MAX)
		return text_refuse(error, path, 0, "more than %d characters", TEXT_MAX);
	if (mark < 0)
		return text_refuse(error, path, 1, TEXT_WIDE);
	text += mark;
	len -= mark;
	copy = calloc(1, len + 1);
	if (!copy)
		return text_refuse(error, path, 0, "no memory");
	memcpy(copy, text, len);
	r.text.at = copy;
	result = conf_read_text(&r, len);
	free(copy);
	return result;
}

/* All of a file, or NULL and errno; one byte too many tells that it is too long. */
static char *conf_slurp(const char *path, size_t *len)
{
	char *text = malloc(TEXT_MAX + 1);
	int fd = open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
	struct stat st;
	ssize_t n = -1;

	*len = 0;
	if (text && fd >= 0 && !fstat(fd, &st)) {
		if (S_ISREG(st.st_mode))
			while (*len <= TEXT_MAX &&
			       (n = read(fd, text + *len, TEXT_MAX + 1 - *len)) > 0)
				*len += n;
		else
			errno = S_ISDIR(st.st_mode) ? EISDIR : EINVAL;
	}
	if (fd >= 0)
		close(fd);
	if (n >= 0)
		return text;
	free(text);
	return NULL;
}

int conf_read(struct huygens_conf *conf, const char *path,
	      struct conf_error *error)
{
	size_t len;
	char *text;
	int result;

	memset(conf, 0, sizeof(*conf));
	text = conf_slurp(path, &len);
	if (!text)
		return text_refuse(error, path, 0, "cannot read it: %s",
				   strerror(errno));
	result = conf_parse(conf, path, text, len, error);
	free(text);
	return result;
}

void conf_free(struct huygens_conf *conf)
{
	free(conf->peers);
	free(conf->candidates);
	free(conf->asymmetries);
	memset(conf, 0, sizeof(*conf));
}

void conf_help(FILE *out)
{
	char range[KEY_RANGE_MAX];
	size_t i;

	for (i = 0; i < n_keys; i++)
		fprintf(out, "%s.%s\t%s\t%s\t%s\t%s\n", keys[i].section,
			keys[i].name, key_range(&keys[i], range),
			keys[i].fallback ? keys[i].fallback : "none",
			keys[i].live ? "live" : "at start", keys[i].what);
}
