// SPDX-License-Identifier: GPL-2.0
/*
 * Datagrams and timestamps that the socket of the mesh has received.
 */
#include "../algo/prng.h"
#include "engine_private.h"

/*
 * Timestamps are the kernel's and do not age, so the socket is emptied at intervals:
 * to wake up for each datagram takes five times the CPU time.  The timestamp of a probe
 * goes with the next two pairs, so the interval is at most that between pairs.
 */
#define ENGINE_SOCKET_NS	10000000
/* Batches that are read before timers have their turn. */
#define ENGINE_BATCHES		64
/* A timestamp is not older than the datagram, except for the slew of a clock. */
#define ENGINE_EARLY_NS		1000
#define ENGINE_MILLION		1000000

int64_t engine_socket_ns(const struct engine *engine)
{
	int64_t pairs_ns = prober_least_ns(&engine->mesh.prober);

	return pairs_ns < ENGINE_SOCKET_NS ? pairs_ns : ENGINE_SOCKET_NS;
}

int64_t engine_tx(const struct engine *engine, int64_t local_ns)
{
	return local_ns + (engine->link ? engine->link->tx_comp_ns :
					  engine->conf.tx_comp_ns);
}

/* Numbers of stamps do not fit what was sent: begin anew. */
static void engine_renumber(struct engine *engine)
{
	engine->mesh.prober.odd++;
	socket_renumber(&engine->socket);
	prober_forget(&engine->mesh.prober);
}

static void engine_stamp(struct engine *engine, const struct socket_stamp *s)
{
	const struct prober_flight *flight =
		prober_flies(&engine->mesh.prober, s->key);
	int64_t tx_ns;

	if (flight && s->soft != SOCKET_NO_STAMP &&
	    s->soft < flight->left_ns - ENGINE_EARLY_NS) {
		engine_renumber(engine);
		return;
	}
	if (s->soft != SOCKET_NO_STAMP)
		mesh_left(&engine->mesh);
	if (!engine->clock.hardware) {
		/* A stamp in its place is there already. */
		if (s->soft == SOCKET_NO_STAMP || engine->mesh.handing)
			return;
		tx_ns = clock_of_soft(&engine->clock, s->soft);
	} else {
		device_stamp(&engine->device, &engine->clock, s);
		if (s->hard == SOCKET_NO_STAMP)
			return;
		tx_ns = clock_of_hard(&engine->clock, s->hard);
	}
	mesh_stamp(&engine->mesh, s->key, engine_tx(engine, tx_ns));
}

void engine_stamps(struct engine *engine)
{
	int count, i, batch;

	for (batch = 0; batch < ENGINE_BATCHES; batch++) {
		count = socket_stamps(&engine->socket, engine->stamp);
		/* Though there be none: the next are between this sample and theirs. */
		if (engine_sample(engine))
			continue;
		if (!count)
			return;
		for (i = 0; i < count; i++)
			engine_stamp(engine, &engine->stamp[i]);
	}
}

static int64_t engine_rx(const struct engine *engine,
			 const struct socket_packet *packet)
{
	int64_t rx_ns;

	if (clock_has_nic(&engine->clock)) {
		if (packet->hard == SOCKET_NO_STAMP || !clock_knows_nic(&engine->clock))
			return WIRE_NO_TIME;
		rx_ns = clock_of_hard(&engine->clock, packet->hard);
	} else {
		if (packet->soft == SOCKET_NO_STAMP)
			return WIRE_NO_TIME;
		rx_ns = clock_of_soft(&engine->clock, packet->soft);
	}
	return rx_ns - (engine->link ? engine->link->rx_comp_ns :
				       engine->conf.rx_comp_ns);
}

static bool engine_loses(struct engine *engine)
{
	return engine->debug.loss_ppm &&
	       (int64_t)(prng_next(&engine->chance) % ENGINE_MILLION) <
		       engine->debug.loss_ppm;
}

void engine_packets(struct engine *engine)
{
	int count, i, batch;

	for (batch = 0; batch < ENGINE_BATCHES; batch++) {
		struct mesh_now now;
		bool stepped;

		count = socket_receive(&engine->socket, engine->packet);
		if (!count)
			return;
		stepped = engine_sample(engine);
		now = engine_now(engine);
		for (i = 0; i < count; i++) {
			const struct socket_packet *p = &engine->packet[i];

			if (engine_loses(engine))
				continue;
			mesh_receive(&engine->mesh, &now, &p->from, p->data,
				     p->len, stepped ? WIRE_NO_TIME :
						       engine_rx(engine, p));
		}
	}
}
