/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Common parts of tests of a mesh whose hosts read other files while it runs.
 */
#ifndef HUYGENS_FLEET_CHANGE_H
#define HUYGENS_FLEET_CHANGE_H

#include "fleet_test.h"

/* Files of a host: the hosts of @members, one bit each by index, and @more. */
static inline int read_files(const struct fleet_host *h, uint32_t members, const char *more,
			     struct huygens_conf *conf)
{
	struct conf_error error;
	char text[4096];
	uint32_t i;
	int at;

	at = snprintf(text, sizeof(text),
		      "[mesh]\nwindow = 500ms\ninterval = 10ms\n%s\npeers =", more);
	for (i = 0; i < FLEET_MOST; i++)
		if (members >> i & 1)
			at += snprintf(text + at, sizeof(text) - at, " %u=10.0.0.%u",
				       10 * (i + 1), i + 1);
	if (conf_parse(conf, "fleet", text, strlen(text), &error)) {
		tap_remark("%s", error.text);
		return -1;
	}
	while (conf->peers[conf->self].id != 10 * (h->index + 1))
		if (++conf->self == conf->n_peers)
			return -1;
	return 0;
}

/* As the daemon does: all of the files, or nothing. */
static inline int reload(struct fleet_host *h, uint32_t members, const char *more,
			 const struct auth_keys *keys, struct conf_error *error)
{
	struct mesh_now now = fleet_now(h);
	struct huygens_conf next;

	if (read_files(h, members, more, &next) ||
	    mesh_change(&h->mesh, &next, keys, &now, "fleet", error)) {
		conf_free(&next);
		return -1;
	}
	conf_free(&h->conf);
	h->conf = next;
	mesh_reload(&h->mesh, &h->conf);
	return 0;
}

static inline void read_anew(struct fleet_host *h, uint32_t members, const char *more)
{
	struct conf_error error;

	if (reload(h, members, more, &h->fleet->keys, &error))
		tap_remark("%s", error.text);
}

/* A host that was not there begins with these files. */
static inline void enter(struct fleet *f, uint32_t index, uint32_t members, const char *more)
{
	struct fleet_host *h = &f->host[index];

	h->index = index;
	h->fleet = f;
	if (!h->drift) {
		h->offset_ns = (int64_t)((fleet_uniform(f) - 0.5) * 2e9);
		h->drift = (fleet_uniform(f) - 0.5) / 1e4;
	} else {
		mesh_free(&h->mesh);
		conf_free(&h->conf);
	}
	if (read_files(h, members, more, &h->conf))
		exit(2);
	h->address = h->conf.peers[h->conf.self].address;
	if (index >= f->hosts)
		f->hosts = index + 1;
	if (fleet_start(f, h, WIRE_SOFTWARE))
		exit(2);
}

/* A mesh of @members, with hosts of the fleet that are not of it dead. */
static inline struct fleet *begin(uint32_t hosts, uint32_t members, const char *more, uint64_t seed)
{
	struct fleet *f;
	char text[128];
	uint32_t i;

	snprintf(text, sizeof(text), "[mesh]\n%s", more);
	f = fleet_make(hosts, text, seed, false);
	for (i = 0; i < hosts; i++) {
		f->host[i].dead = true;
		if (members >> i & 1)
			enter(f, i, members, more);
	}
	fleet_pass(f, 15 * FLEET_S);
	return f;
}

#endif /* HUYGENS_FLEET_CHANGE_H */
