// SPDX-License-Identifier: GPL-2.0
/*
 * Start and end of the daemon: configuration, sockets, clocks, privileges.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../lib/fail.h"
#include "../../lib/log.h"
#include "../../lib/units.h"
#include "../algo/graph.h"
#include "../platform/drift.h"
#include "../platform/drift_writer.h"
#include "../platform/log_files.h"
#include "../platform/writer.h"
#include "../platform/rights.h"
#include "engine_private.h"
#include "keyfile.h"

static int engine_open_conf(struct engine *engine, char *why, size_t size)
{
	struct conf_error error;

	engine->n_local = conf_local(&engine->local);
	if (!conf_read(&engine->conf, engine->path, &error) &&
	    !conf_resolve(&engine->conf, conf_lookup, &error) &&
	    !conf_identify(&engine->conf, engine->local, engine->n_local,
			   &error) &&
	    !mesh_check(&engine->conf, engine->path, &error))
		return 0;
	snprintf(why, size, "%s", error.text);
	return -1;
}

/* The card that stamps is the first that can, of those of this host's address. */
static int engine_find_nic(const struct huygens_conf *conf, enum nic_use use, struct nic *nic,
			   char *why, size_t size)
{
	char link[IF_NAMESIZE];
	size_t i;

	snprintf(why, size, "no device has this host's address");
	for (i = 0; i < conf->n_links; i++)
		if (!nic_open(nic, conf->links[i].name, use, why, size))
			return 0;
	return !conf->n_links && !nic_find(&conf->peers[conf->self].address, link) &&
	       !nic_open(nic, link, use, why, size) ? 0 : -1;
}

/* Return: 1: a NIC stamps; 0: software; -1: hardware is configured but not there. */
static int engine_open_nic(struct engine *engine, struct nic *nic, char *why,
			   size_t size)
{
	const struct huygens_conf *conf = &engine->conf;

	if (conf->timestamping == CONF_STAMPS_SOFTWARE)
		return 0;
	if (!engine_find_nic(conf, conf->timestamping == CONF_STAMPS_RECEIVE ?
			     NIC_RECEIVED : NIC_BOTH, nic, why, size))
		return 1;
	return conf->timestamping == CONF_STAMPS_AUTO ? 0 : -1;
}

/* A device may have been configured by an alternative name. */
static bool engine_is_link(const char *configured, const char *link)
{
	char own[IF_NAMESIZE];

	device_name(configured, own);
	return !strcmp(own, link);
}

/* The device, among those with values of their own, that will stamp. */
static const struct conf_link *engine_link(const struct engine *engine)
{
	const struct huygens_conf *conf = &engine->conf;
	char link[IF_NAMESIZE];
	size_t i;

	if (clock_has_nic(&engine->clock))
		memcpy(link, engine->clock.nic.link, sizeof(link));
	else if (nic_find(&conf->peers[conf->self].address, link))
		return NULL;
	for (i = 0; i < conf->n_links; i++)
		if (engine_is_link(conf->links[i].name, link))
			return conf->links[i].has_comp ? &conf->links[i] : NULL;
	return NULL;
}

/* Most hosts have none. */
static void engine_open_vmclock(struct engine *engine)
{
	const char *path = engine->conf.vmclock;
	char why[256];

	if (*path && vmclock_open(&engine->vmclock, path, why, sizeof(why)) &&
	    (errno != ENOENT || strcmp(path, CONF_VMCLOCK)))
		log_message(LOG_LEVEL_WARNING, "[node] vmclock: %s", why);
}

static int engine_open_net(struct engine *engine, char *why, size_t size)
{
	const struct conf_peer *self = &engine->conf.peers[engine->conf.self];
	struct nic nic;
	int hardware = engine_open_nic(engine, &nic, why, size);

	if (hardware < 0)
		return -1;
	/* From here on the NIC is the clock's, which ends with the daemon. */
	clock_begin(&engine->clock, hardware ? &nic : NULL, &engine->debug.clock);
	if (socket_open(&engine->socket, &self->address, engine->conf.dscp,
			hardware ? &engine->clock.nic : NULL, why, size))
		return -1;
	if (*engine->socket.vrf)
		log_message(LOG_LEVEL_INFO, "this host's address is in VRF %s",
			    engine->socket.vrf);
	engine_open_vmclock(engine);
	engine_open_phc(engine);
	suspend_sample(&engine->suspend);
	device_begin(&engine->device);
	engine->link = engine_link(engine);
	return 0;
}

static enum wire_stamps engine_stamps_of(const struct local_clock *clock)
{
	return clock->hardware ? WIRE_HARDWARE :
	       clock->receive ? WIRE_HARDWARE_RECEIVE : WIRE_SOFTWARE;
}

static int engine_make_mesh(struct engine *engine, char *why, size_t size)
{
	struct auth_keys keys;
	struct mesh_begin begin = {
		.conf = &engine->conf,
		.keys = &keys,
		.session = (uint32_t)time(NULL),
		.stamps = engine_stamps_of(&engine->clock),
		.ops = &engine_ops,
		.data = engine,
	};
	struct mesh_now now = engine_now(engine);

	/* Chance: which host it is makes it another, the same each time. */
	begin.seed = engine->conf.seed ^
		     (uint64_t)engine->conf.peers[engine->conf.self].id << 32;
	engine->chance = ~begin.seed;
	if (keyfile_read(&keys, engine->conf.key_file, engine->conf.user, why, size))
		return -1;
	if (mesh_make(&engine->mesh, &begin, &now) ||
	    report_make(&engine->report, &engine->mesh)) {
		snprintf(why, size, "no memory for %zu hosts",
			 engine->conf.n_peers);
		return -1;
	}
	explicit_bzero(&keys, sizeof(keys));
	engine->sample_ns = now.raw_ns + ENGINE_SAMPLE_NS;
	engine->socket_ns = now.raw_ns + engine_socket_ns(engine);
	engine->device_ns = now.raw_ns + ENGINE_DEVICE_NS;
	engine->drift_ns = now.raw_ns + ENGINE_DRIFT_NS;
	engine->line_ns = INT64_MAX;
	return 0;
}

static void engine_read_drift(struct engine *engine)
{
	double drift_ppm, skew_ppm;
	char why[256] = "";

	if (engine->clock.hardware)
		return;
	if (!drift_read(engine->conf.drift_file, &drift_ppm, &skew_ppm, why,
			sizeof(why)))
		host_clock_drift(&engine->mesh.host_clock, drift_ppm * 1e3,
				 skew_ppm * 1e3);
	else if (*why)
		log_message(LOG_LEVEL_WARNING, "%s", why);
}

static int engine_open_all(struct engine *engine, char *why, size_t size)
{
	if (engine_open_conf(engine, why, size) ||
	    log_files_open(&engine->conf, why, size) ||
	    engine_open_net(engine, why, size) ||
	    engine_make_mesh(engine, why, size))
		return -1;
	engine_read_drift(engine);
	drift_writer_open(engine->conf.drift_file);
	engine->output = output_open(&engine->conf, why, size);
	if (!engine->output)
		return -1;
	engine_disruption(engine);
	engine->source = (struct status_source){ engine_fill, engine_asker_is_root, engine_act,
						 engine };
	if (daemon_open(&engine->daemon, engine->conf.control, status_answer, &engine->source,
			why, size) ||
	    daemon_watch(&engine->daemon, output_fd(engine->output), ENGINE_OUTPUT, why, size) ||
	    rights_drop(&engine->conf, clock_has_nic(&engine->clock), why, size) ||
	    writer_begin(why, size) ||
	    rights_confine(&engine->conf, why, size))
		return -1;
	log_message(LOG_LEVEL_INFO, "host %u of %zu, %u neighbours, %s timestamps",
		    engine->conf.peers[engine->conf.self].id, engine->conf.n_peers,
		    engine->mesh.membership.neighbours,
		    report_stamps(engine->mesh.stamps));
	if (engine->clock.receive)
		log_message(LOG_LEVEL_INFO,
			    "the clock of %s is read to within %lld ns, half of which is in the error bound",
			    engine->clock.nic.link,
			    (long long)phc_line_error_ns(&engine->clock.phc));
	return 0;
}

/* The unit's daemon is its user when it reads keys. */
static int engine_check_keys(const struct huygens_conf *conf, char *why, size_t size)
{
	struct auth_keys keys;
	int ret = (*conf->key_file && rights_test(conf, why, size)) ||
		  keyfile_read(&keys, conf->key_file, conf->user, why, size) ? -1 : 0;

	explicit_bzero(&keys, sizeof(keys));
	return ret;
}

/* A configuration whose host is given. */
static int engine_check_as(struct huygens_conf *conf, const char *path, const char *as, char *why,
			   size_t size)
{
	struct conf_error error;
	int64_t id;

	if (unit_parse_signed(UNIT_COUNT, as, &id) || id < 1 || id > CONF_ID_MAX)
		return fail(why, size, "--as: \"%.20s\" is not an id, 1 to %d", as, CONF_ID_MAX);
	if (conf_read(conf, path, &error))
		return fail(why, size, "%s", error.text);
	if (!conf_find(conf, id))
		return fail(why, size, "--as: %s: [mesh] peers has no host %d", path, (int)id);
	conf->id = id;
	if (conf_identify(conf, NULL, 0, &error) || mesh_check(conf, path, &error))
		return fail(why, size, "%s", error.text);
	return 0;
}

static void engine_describe(const struct huygens_conf *conf, char *why, size_t size)
{
	const struct conf_peer *self = &conf->peers[conf->self];
	char address[INET6_ADDRSTRLEN];

	/* A name that was not looked up, as another host's is not, has none. */
	if (self->address.sa.sa_family == AF_INET)
		inet_ntop(AF_INET, &self->address.in.sin_addr, address, sizeof(address));
	else if (self->address.sa.sa_family == AF_INET6)
		inet_ntop(AF_INET6, &self->address.in6.sin6_addr, address, sizeof(address));
	else
		snprintf(address, sizeof(address), "not looked up");
	snprintf(why, size, "host %u (%s, %s) of %zu, %u neighbours%s", self->id, self->name,
		 address, conf->n_peers, graph_neighbours(conf->n_peers, conf->degree),
		 member_list_is_candidate(conf, conf->self) ? ", may become coordinator" : "");
}

int engine_check(const struct daemon_start *start, char *why, size_t size)
{
	struct engine *engine = calloc(1, sizeof(*engine));
	int ret;

	if (!engine) {
		snprintf(why, size, "no memory");
		return -1;
	}
	engine->path = start->path;
	if (start->as)
		ret = engine_check_as(&engine->conf, start->path, start->as, why, size);
	else
		ret = engine_open_conf(engine, why, size) ||
		      engine_check_keys(&engine->conf, why, size) ? -1 : 0;
	if (!ret)
		engine_describe(&engine->conf, why, size);
	conf_free(&engine->conf);
	free(engine->local);
	free(engine);
	return ret;
}

struct engine *engine_open(const struct daemon_start *start, char *why, size_t size)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine) {
		snprintf(why, size, "no memory");
		return NULL;
	}
	engine->path = start->path;
	engine->debug = *(const struct engine_debug *)start->data;
	engine->socket.fd = -1;
	engine->clock.nic.phc.fd = -1;
	engine->vmclock.fd = -1;
	engine->utc_clock.phc.fd = -1;
	engine->daemon = DAEMON_CLOSED("huygens-lite", engine);
	if (!engine_open_all(engine, why, size))
		return engine;
	engine_close(engine);
	return NULL;
}

void engine_close(struct engine *engine)
{
	if (!engine)
		return;
	if (engine->output && engine_publishes_device(engine))
		device_forget(&engine->device, engine->clock.nic.ifindex);
	output_close(engine->output);
	writer_end();
	log_files_close();
	daemon_close(&engine->daemon);
	report_free(&engine->report);
	mesh_free(&engine->mesh);
	socket_close(&engine->socket);
	nic_close(&engine->clock.nic);
	vmclock_close(&engine->vmclock);
	phc_close(&engine->utc_clock.phc);
	engine_close_upper(engine);
	conf_free(&engine->conf);
	free(engine->local);
	free(engine);
}
