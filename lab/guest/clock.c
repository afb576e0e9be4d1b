// SPDX-License-Identifier: GPL-2.0
/* clock.c - clocks of hosts and of their NICs, through the kernel's files */
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <unistd.h>

#include "clock.h"
#include "netns.h"
#include "run.h"

/* As the kernel wants it: net/osc.h; a script's times are after its epoch. */
static void spell(char *line, size_t size, const struct osc_setting *setting,
		  uint64_t epoch)
{
	unsigned int key;
	size_t len = 0;

	for (key = 0; key < OSC_N; key++) {
		long long value = setting->value[key];

		if (!(setting->given & 1U << key))
			continue;
		if (key == OSC_AT)
			value += epoch;
		len += snprintf(line + len, size - len, "%s%s %lld",
				len ? " " : "", osc_range(key)->name, value);
	}
}

/**
 * clock_set() - set a host's clock, or that of a NIC
 * @topo: the topology script
 * @step: clock directive
 */
void clock_set(const struct topo *topo, const struct topo_step *step)
{
	char path[PATH_MAX] = "/proc/net/clock", line[512];
	int fd;

	if (*step->dev)
		snprintf(path, sizeof(path), "/proc/net/labnic/%s/clock",
			 step->dev);
	spell(line, sizeof(line), step->clock, topo->epoch);
	netns_enter(step->ns);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0)
		fail(step->line, "%s: %s", path, strerror(errno));
	if (write(fd, line, strlen(line)) != (ssize_t)strlen(line))
		fail(step->line, "clock %s: %s", line, strerror(errno));
	close(fd);
	netns_leave();
}
