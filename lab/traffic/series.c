// SPDX-License-Identifier: GPL-2.0
/*
 * Time series of the bytes that each group has received
 */
#include <inttypes.h>

#include "client.h"
#include "loop.h"
#include "report.h"
#include "series.h"

static struct {
	FILE *file;
	const char *path;
	const struct traffic *traffic;
	u64 step;
	u64 epoch;
	u64 next;	/* point to come */
	struct watch timer;
} series;

static void write_point(u64 now)
{
	u32 i;

	for (i = 0; i < series.traffic->groups; i++)
		fprintf(series.file, "%" PRIu64 ",%s,%" PRIu64 "\n", now - series.epoch,
			series.traffic->group[i].name, client_received(i));
}

/* A point that comes late is reported with its time; those it made up for are left out. */
static void series_ready(struct watch *w, u32 events)
{
	u64 now = clock_now();

	(void)events;
	write_point(now);
	series.next += (1 + (now - series.next) / series.step) * series.step;
	timer_at(w, series.next);
}

int series_open(const char *path, u64 step, u64 epoch, const struct traffic *t)
{
	if (!path)
		return 0;
	series.file = report_open(path);
	if (!series.file)
		return -1;
	fputs("time_ns,group,bytes\n", series.file);
	series.path = path;
	series.traffic = t;
	series.step = step;
	series.epoch = epoch;
	series.next = epoch;
	series.timer.ready = series_ready;
	if (timer_open(&series.timer))
		return -1;
	timer_at(&series.timer, epoch);
	return 0;
}

int series_close(void)
{
	if (!series.file)
		return 0;
	write_point(clock_now());
	return report_close(series.file, series.path);
}
