// SPDX-License-Identifier: GPL-2.0
/*
 * Another list of members, or other keys, in a mesh that runs (change.h).
 */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "../algo/prng.h"
#include "mesh_private.h"

static const struct member_list mesh_no_list;

/**
 * struct mesh_parts - what depends on hosts and edges
 * @membership: hosts and edges
 * @host: of struct transport
 * @neighbour: of struct prober
 * @agent: same
 * @coordinator: same; zero if this host cannot become coordinator
 */
struct mesh_parts {
	struct membership	membership;
	struct transport_host	*host;
	struct prober_neighbour	*neighbour;
	struct agent		agent;
	struct coordinator	coordinator;
};

static void mesh_free_parts(struct mesh_parts *parts)
{
	coordinator_free(&parts->coordinator);
	if (parts->agent.edge)
		agent_free(&parts->agent);
	free(parts->host);
	free(parts->neighbour);
	membership_free(&parts->membership);
}

static uint32_t mesh_self_id(const struct mesh *mesh)
{
	return mesh->membership.host[mesh->membership.self].id;
}

static int mesh_make_coordinator(struct mesh *mesh, struct mesh_parts *parts)
{
	if (mesh->coordinator.membership)
		return coordinator_follow(&parts->coordinator, &mesh->coordinator,
					  &parts->membership);
	return coordinator_make(&parts->coordinator, mesh->conf, &parts->membership,
				mesh->transport.stamp.session, &mesh->count);
}

static int mesh_make_parts(struct mesh *mesh, struct mesh_parts *parts, uint32_t id,
			   const struct member_list *list, const struct member_list *next)
{
	memset(parts, 0, sizeof(*parts));
	if (membership_make(&parts->membership, list, next, id))
		return -1;
	parts->host = calloc(parts->membership.hosts, sizeof(*parts->host));
	parts->neighbour = calloc(parts->membership.neighbours + 1, sizeof(*parts->neighbour));
	if (!parts->host || !parts->neighbour ||
	    agent_make(&parts->agent, mesh->conf, &parts->membership, &mesh->count) ||
	    agent_grow(&parts->agent, mesh->agent.capacity))
		goto fail;
	if ((member_list_may_lead(list, id) || member_list_may_lead(next, id)) &&
	    mesh_make_coordinator(mesh, parts))
		goto fail;
	return 0;
fail:
	mesh_free_parts(parts);
	return -1;
}

/* Place among this host's present neighbours of one to come. */
static uint32_t mesh_old_place(const struct mesh *mesh, const struct membership *next,
			       uint32_t place)
{
	uint32_t id = next->host[next->neighbour[place]].id;
	uint32_t index = membership_index(&mesh->membership, id);

	return index == MEMBERSHIP_NONE ? MEMBERSHIP_NONE :
					  membership_place(&mesh->membership, index);
}

static void mesh_move_neighbours(struct mesh *mesh, struct mesh_parts *parts,
				 const struct mesh_now *now)
{
	struct prober *prober = &mesh->prober;
	uint32_t i, was;

	for (i = 0; i < prober->neighbours; i++)
		prober->lost_before += prober->neighbour[i].lost;
	prober->bursts = 0;
	for (i = 0; i < parts->membership.neighbours; i++) {
		was = mesh_old_place(mesh, &parts->membership, i);
		if (was != MEMBERSHIP_NONE) {
			parts->neighbour[i] = prober->neighbour[was];
			prober->lost_before -= prober->neighbour[was].lost;
			agent_move(&parts->agent, i, &mesh->agent, was);
		} else {
			parts->neighbour[i].burst = mesh->burst;
			parts->neighbour[i].due_ns = now->raw_ns +
				prng_next(&prober->random) % prober->interval_ns;
		}
		prober->bursts += parts->neighbour[i].burst;
	}
}

static void mesh_move_hosts(struct mesh *mesh, struct mesh_parts *parts)
{
	uint32_t i, was;

	for (i = 0; i < parts->membership.hosts; i++) {
		was = membership_index(&mesh->membership, parts->membership.host[i].id);
		if (was != MEMBERSHIP_NONE)
			parts->host[i] = mesh->transport.host[was];
	}
}

/* Messages that were cut short by other numbers of hosts are sent again. */
static void mesh_swap_parts(struct mesh *mesh, const struct mesh_parts *parts)
{
	struct mesh_parts old = { mesh->membership, mesh->transport.host,
				  mesh->prober.neighbour, mesh->agent, mesh->coordinator };

	old.agent.membership = &old.membership;
	mesh->membership = parts->membership;
	mesh->transport.host = parts->host;
	mesh->prober.neighbour = parts->neighbour;
	mesh->prober.neighbours = parts->membership.neighbours;
	mesh->agent = parts->agent;
	mesh->agent.membership = &mesh->membership;
	mesh->coordinator = parts->coordinator;
	if (mesh->coordinator.membership)
		mesh->coordinator.membership = &mesh->membership;
	mesh->next_to_send = 0;
	prober_forget(&mesh->prober);
	mesh_free_parts(&old);
}

int mesh_begin_parts(struct mesh *mesh)
{
	struct mesh_parts parts;

	if (member_list_make(&mesh->list, mesh->conf) ||
	    mesh_make_parts(mesh, &parts, mesh->conf->peers[mesh->conf->self].id, &mesh->list,
			    &mesh_no_list))
		return -1;
	mesh_swap_parts(mesh, &parts);
	return 0;
}

/* The union of two lists, or one of them alone; without memory nothing changes. */
static int mesh_rebuild(struct mesh *mesh, const struct member_list *list,
			const struct member_list *next, const struct mesh_now *now)
{
	struct mesh_parts parts;

	if (mesh_make_parts(mesh, &parts, mesh_self_id(mesh), list, next))
		return -1;
	mesh_move_hosts(mesh, &parts);
	mesh_move_neighbours(mesh, &parts, now);
	mesh_swap_parts(mesh, &parts);
	mesh_set_interval(mesh);
	return 0;
}

static void mesh_relate_all(struct mesh *mesh)
{
	uint32_t i;

	for (i = 0; i < mesh->membership.hosts; i++) {
		struct transport_host *host = &mesh->transport.host[i];

		if (host->greeted)
			host->mismatched = host->other_window ||
				change_relate(&mesh->change, &host->has) == CHANGE_OTHER;
	}
}

static bool mesh_same_place(const struct conf_peer *a, const struct conf_peer *b)
{
	return !memcmp(&a->address, &b->address, sizeof(a->address));
}

/* Messages tell hosts apart by id: no id is to mean another host. */
static int mesh_check_ids(const struct mesh *mesh, const struct huygens_conf *conf,
			  const char *path, struct conf_error *error)
{
	size_t i;

	for (i = 0; i < conf->n_peers; i++) {
		const struct conf_peer *peer = &conf->peers[i];
		const struct conf_peer *was = member_list_find(&mesh->list, peer->id);

		if (was && !mesh_same_place(was, peer))
			return conf_refuse(error, path, conf->peers_line,
					   "[mesh] peers: host %" PRIu32
					   " (%s) has another address, and the change that removed it is not complete: give it another id",
					   peer->id, peer->name);
	}
	return 0;
}

static int mesh_check_keys(const struct mesh *mesh, const struct auth_keys *keys,
			   struct auth_keys *both, const char *path, struct conf_error *error)
{
	int64_t other = auth_join(both, &mesh->keys, keys);

	if (other > 0)
		return conf_refuse(error, path, 0,
				   "key %" PRId64
				   " is another one than before: a new key needs a new number",
				   other);
	if (other < 0)
		return conf_refuse(error, path, 0,
				   "there are more than %d keys with those that are in use until the change is complete",
				   AUTH_KEYS_MAX);
	return 0;
}

/* What the files have is what is in force: a change that is pending is given up. */
static int mesh_revert(struct mesh *mesh, struct member_list *list, const struct mesh_now *now)
{
	bool pending = mesh->change.pending;

	if (mesh_rebuild(mesh, list, &mesh_no_list, now))
		return -1;
	member_list_free(&mesh->list);
	member_list_free(&mesh->next);
	mesh->list = *list;
	explicit_bzero(&mesh->next_keys, sizeof(mesh->next_keys));
	mesh->transport.keys = mesh->keys;
	mesh->transport.changes = false;
	change_read(&mesh->change, member_list_digest(&mesh->list, &mesh->keys),
		    mesh->list.checksum, false, now->raw_ns);
	mesh_relate_all(mesh);
	mesh->ops->changed(mesh->data, pending ? MESH_REVERTED : MESH_UNCHANGED);
	return 0;
}

static int mesh_pend(struct mesh *mesh, struct member_list *next, const struct auth_keys *keys,
		     const struct auth_keys *both, const struct mesh_now *now)
{
	if (mesh_rebuild(mesh, &mesh->list, next, now))
		return -1;
	member_list_free(&mesh->next);
	mesh->next = *next;
	mesh->next_keys = *keys;
	mesh->transport.keys = *both;
	mesh->transport.changes = true;
	change_read(&mesh->change, member_list_digest(next, keys), next->checksum, true,
		    now->raw_ns);
	mesh_relate_all(mesh);
	mesh->ops->changed(mesh->data, MESH_PENDING);
	return 0;
}

/* The files have what this host read the last time: probes that fly are not forgotten. */
static bool mesh_has_read(const struct mesh *mesh, const struct member_list *next,
			  const struct auth_keys *keys)
{
	const struct member_list *list = mesh->change.pending ? &mesh->next : &mesh->list;

	return member_list_digest(next, keys) == mesh->change.own.files &&
	       member_list_is_same(next, list);
}

int mesh_change(struct mesh *mesh, const struct huygens_conf *conf,
		const struct auth_keys *keys, const struct mesh_now *now, const char *path,
		struct conf_error *error)
{
	struct auth_keys both;
	struct member_list next;
	int ret = 0;

	if (mesh_check_ids(mesh, conf, path, error) ||
	    mesh_check_keys(mesh, keys, &both, conf->key_file, error))
		return -1;
	if (member_list_make(&next, conf))
		return conf_refuse(error, path, 0, "no memory for %zu hosts", conf->n_peers);
	if (mesh_has_read(mesh, &next, keys))
		member_list_free(&next);
	else if (member_list_digest(&next, keys) == member_list_digest(&mesh->list, &mesh->keys))
		ret = mesh_revert(mesh, &next, now);
	else
		ret = mesh_pend(mesh, &next, keys, &both, now);
	explicit_bzero(&both, sizeof(both));
	if (!ret)
		return 0;
	member_list_free(&next);
	return conf_refuse(error, path, 0, "no memory for %zu hosts", conf->n_peers);
}

/* Without memory it stays pending, and is tried again with the next HELLO. */
static void mesh_take(struct mesh *mesh, bool announce, const struct mesh_now *now)
{
	struct auth_keys old = mesh->keys;

	if (mesh_rebuild(mesh, &mesh->next, &mesh_no_list, now))
		return;
	member_list_free(&mesh->list);
	mesh->list = mesh->next;
	mesh->next = mesh_no_list;
	mesh->keys = mesh->next_keys;
	explicit_bzero(&mesh->next_keys, sizeof(mesh->next_keys));
	/* Others sign with the old one until they have heard. */
	auth_join(&mesh->transport.keys, &mesh->keys, &old);
	explicit_bzero(&old, sizeof(old));
	mesh->transport.changes = false;
	election_replace(&mesh->election, mesh->list.candidate, mesh->list.candidates,
			 now->raw_ns);
	mesh->is_candidate = member_list_may_lead(&mesh->list, mesh_self_id(mesh));
	change_take(&mesh->change, announce, now->raw_ns);
	mesh_relate_all(mesh);
	mesh->ops->changed(mesh->data, MESH_TAKEN);
}

uint32_t mesh_change_heard(struct mesh *mesh, const struct mesh_now *now, uint32_t from,
			   const struct wire_hello *hello)
{
	struct transport_host *host = &mesh->transport.host[from];
	uint32_t id = mesh->membership.host[from].id;

	host->greeted = true;
	host->has = (struct change_files){ hello->membership, hello->files };
	host->other_window = hello->window_ns != mesh->conf->window_ns;
	host->mismatched = host->other_window ||
			   change_relate(&mesh->change, &host->has) == CHANGE_OTHER;
	if (member_list_find(&mesh->list, id) && member_list_find(&mesh->next, id) &&
	    change_is_told(&mesh->change, &host->has, hello->flags & WIRE_HELLO_CHANGED))
		mesh_take(mesh, true, now);
	return membership_index(&mesh->membership, id);
}

static bool mesh_is_in_both(const struct mesh *mesh, uint32_t index)
{
	uint32_t id = mesh->membership.host[index].id;

	return member_list_find(&mesh->list, id) && member_list_find(&mesh->next, id);
}

static void mesh_count_host(const struct mesh *mesh, uint32_t index, struct change_counts *counts)
{
	const struct transport_host *host = &mesh->transport.host[index];
	enum change_relation relation = change_relate(&mesh->change, &host->has);
	bool ready = host->greeted && host->has.files == mesh->change.own.files;

	counts->same += host->greeted && relation == CHANGE_SAME;
	counts->behind += host->greeted && relation == CHANGE_BEHIND;
	if (!mesh->change.pending || !mesh_is_in_both(mesh, index))
		return;
	counts->held |= !ready;
	if (index < mesh->membership.self && ready && relation == CHANGE_SAME &&
	    mesh_is_candidate(mesh, index))
		counts->closes = false;
}

/* What this host knew is of no mesh that goes on: its terms, and its common time. */
static void mesh_join(struct mesh *mesh, const struct mesh_now *now)
{
	election_begin(&mesh->election, mesh_self_id(mesh), mesh->list.candidate,
		       mesh->list.candidates, now->raw_ns);
	mesh->election.dead_ns = mesh->conf->dead_ns;
	mesh_reset(mesh, now);
}

void mesh_change_tick(struct mesh *mesh, const struct mesh_now *now)
{
	const struct change_times times = { mesh->conf->window_ns, mesh->conf->dead_ns,
					    mesh->conf->transition_ns };
	struct change_counts counts = { .closes = mesh->is_candidate };
	bool announced = mesh->change.announced, joined = mesh->change.joins;
	enum change_step step;
	uint32_t i;

	for (i = 0; i < mesh->membership.hosts; i++)
		if (i != mesh->membership.self &&
		    transport_is_alive(&mesh->transport, i, now->raw_ns))
			mesh_count_host(mesh, i, &counts);
	step = change_tick(&mesh->change, &counts, mesh->verdict.known, &times, now->raw_ns);
	if (announced && !mesh->change.announced)
		mesh->transport.keys = mesh->keys;
	if (mesh->change.joins)
		election_listen(&mesh->election, now->raw_ns);
	if (mesh->change.joins && !joined)
		mesh_join(mesh, now);
	if (step == CHANGE_CLOSE && counts.held)
		mesh->ops->changed(mesh->data, MESH_EXPIRED);
	if (step != CHANGE_STAY)
		mesh_take(mesh, step == CHANGE_CLOSE, now);
}
