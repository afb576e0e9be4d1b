// SPDX-License-Identifier: GPL-2.0
/*
 * Why a port with cp drops, or does not know which flow fills it.
 */
#include "finding.h"

#define COUNT(n)	(finding_count(n).text)

/* A merged packet comes as one; the kernel counts and pauses too late. */
static void port_gro(const struct finding_check *at)
{
	const struct facts_dev *dev = at->dev;
	struct finding *x;

	if (!dev->gro && !dev->lro && !dev->gro_hw)
		return;
	x = finding_add(at, NULL,
			"It merges received packets (GRO or LRO): one is up to 64 KB of the buffer at once.");
	finding_device(x, "ethtool -K", dev, "");
	finding_command(x, "%s%s%s", dev->gro ? " gro off" : "", dev->lro ? " lro off" : "",
			dev->gro_hw ? " rx-gro-hw off" : "");
}

/* Another port of the same bridge that has no cp. */
static const struct facts_dev *port_without(const struct finding_check *at)
{
	const struct facts_dev *dev;

	for (dev = at->f->devs; dev < at->f->devs + at->f->nr_devs; dev++)
		if (dev->up && dev != at->dev && dev->master &&
		    dev->master == at->dev->master &&
		    !finding_has(at->f, dev->ifindex, "cp"))
			return dev;
	return NULL;
}

static void port_foreign(const struct finding_check *at)
{
	const struct facts_dev *other = port_without(at);
	struct finding *x;

	if (!at->q->cp.n.foreign)
		return;
	x = finding_add(at, NULL,
			"%s frames came from devices without a qdisc cp: they are in no buffer, and no neighbour is paused for them.",
			COUNT(at->q->cp.n.foreign));
	if (other)
		finding_device(x, "tc qdisc replace dev", other, "root cp law none");
	else
		finding_device(x, "tc -s class show dev", at->dev, "");
}

static void port_pause(const struct finding_check *at)
{
	struct finding *x;

	if (!at->dev->drops_pause || !at->q->cp.pauses)
		return;
	x = finding_add(at, NULL,
			"Its driver drops PAUSE frames that software sends: its neighbour is never paused.");
	finding_change(x, at, "pause off");
}

#define RULE(id, severity, check) \
	{ id, FINDING_##severity, FINDING_PORT, port_##check }

const struct finding_rule finding_port[] = {
	RULE("cp-pause-dropped", ERROR, pause),
	RULE("cp-gro", WARNING, gro),
	RULE("cp-foreign", WARNING, foreign),
	{ 0 }
};
