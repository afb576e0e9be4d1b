// SPDX-License-Identifier: GPL-2.0
/*
 * A host reads files again that have not changed, or have changed and are pending.
 */
#include "fleet_change.h"

static uint32_t flying(const struct fleet_host *h)
{
	uint32_t count = 0, i;

	for (i = 0; i < PROBER_FLYING; i++)
		count += h->mesh.prober.flight[i].flying;
	return count;
}

/* Until a host waits for stamps of probes. */
static uint32_t flies(struct fleet *f, const struct fleet_host *h)
{
	while (!flying(h))
		fleet_pass(f, 10000);
	return flying(h);
}

static uint32_t events(const struct fleet_host *h)
{
	uint32_t count = 0, i;

	for (i = 0; i <= MESH_TAKEN; i++)
		count += h->events[i];
	return count;
}

/* Logs are reopened by a reload, too. */
static void unchanged(void)
{
	struct fleet *f = begin(5, 0x0f, "degree = 2\n", 21);
	struct fleet_host *h = &f->host[0];
	uint32_t count = flies(f, h);

	read_anew(h, 0x0f, "degree = 2\n");
	check(flying(h) == count && !events(h), f, "files that have not changed change nothing");
	read_anew(h, 0x1f, "degree = 2\n");
	check(!flying(h) && events(h) == 1, f, "others do");
	count = flies(f, h);
	read_anew(h, 0x1f, "degree = 2\n");
	check(h->mesh.change.pending && flying(h) == count && events(h) == 1, f,
	      "those that are pending read once more change nothing");
	read_anew(h, 0x0f, "degree = 2\n");
	check(!h->mesh.change.pending && events(h) == 2, f, "and those of before end it");
	fleet_free(f);
}

int main(void)
{
	unchanged();
	return tap_done();
}
