/* SPDX-License-Identifier: GPL-2.0 */
/*
 * The system calls of net/clock.c and net/nic.c on a machine of the test's own: a
 * raw clock, which each reading moves on; CLOCK_REALTIME and a NIC's clock, each
 * ahead of it by so much and faster by so much; and one NIC.
 *
 * A program that includes this defines the C library's functions, and so is what
 * the archives' objects call.
 */
#ifndef HUYGENS_TEST_MACHINE_H
#define HUYGENS_TEST_MACHINE_H

#include <errno.h>
#include <fcntl.h>
#include <ifaddrs.h>
#include <math.h>
#include <net/if.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/timex.h>
#include <time.h>
#include <unistd.h>
#include <linux/ethtool.h>
#include <linux/net_tstamp.h>
#include <linux/ptp_clock.h>
#include <linux/sockios.h>

#define S	1000000000LL
#define MS	1000000LL
#define US	1000LL

#define MACHINE_LINK	"lab7"
#define MACHINE_ALTERNATIVE	"lab-seven"
#define MACHINE_INDEX	7
#define MACHINE_PORT	"lab8"
#define MACHINE_OTHER	"eth9"
#define MACHINE_STAMPS	(SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_RX_HARDWARE | \
			 SOF_TIMESTAMPING_RAW_HARDWARE | SOF_TIMESTAMPING_TX_SOFTWARE)

#define MACHINE_SENDS	(SOF_TIMESTAMPING_TX_HARDWARE | SOF_TIMESTAMPING_TX_SOFTWARE)

enum { MACHINE_PRECISE = 1, MACHINE_EXTENDED = 2, MACHINE_BASIC = 4 };

/**
 * struct machine_clock - a clock over the raw one
 * @at_ns: where its line begins, raw
 * @ahead_ns: there
 * @ppb: by how much it is faster
 */
struct machine_clock {
	int64_t	at_ns;
	int64_t	ahead_ns;
	double	ppb;
};

/**
 * struct machine - all that there is
 * @raw_ns: CLOCK_MONOTONIC_RAW
 * @asleep_ns: by how much CLOCK_BOOTTIME is ahead of CLOCK_MONOTONIC, which is the raw clock
 * @read_ns: what reading any clock takes
 * @noise_ns: and as much more at most, by @seed
 * @seed: of the noise
 * @real: CLOCK_REALTIME
 * @phc: the NIC's clock
 * @status: what adjtimex() says
 * @maxerror: same, us
 * @adjtimex: errno with which it fails
 * @stamps: that the NIC has
 * @phc_index: number of its clock; -1: none
 * @config: how it stamps
 * @sends_none: it refuses to stamp what is sent
 * @set: errno with which that may not be set
 * @get: errno with which a query fails
 * @open: errno with which its clock may not be opened
 * @read_only: it may be opened for reading only
 * @sample: errno with which it cannot be read
 * @lacks: bits of the methods of reading that its driver lacks
 * @late: so many readings, the first, end before they begin
 * @address: of the NIC
 */
static struct machine {
	int64_t			raw_ns;
	int64_t			asleep_ns;
	int64_t			read_ns;
	int64_t			noise_ns;
	uint32_t		seed;
	struct machine_clock	real;
	struct machine_clock	phc;
	int			status;
	int			adjtimex;
	long			maxerror;
	uint32_t		stamps;
	int			phc_index;
	struct hwtstamp_config	config;
	int			sends_none;
	int			set;
	int			get;
	int			open;
	int			read_only;
	int			sample;
	unsigned int		lacks;
	int			late;
	struct sockaddr_in	address;
} machine;

static void machine_begin(void)
{
	memset(&machine, 0, sizeof(machine));
	machine.raw_ns = 100 * S;
	machine.read_ns = 40;
	machine.seed = 1;
	machine.real.ahead_ns = 1700000000 * S;
	machine.phc.ahead_ns = 37 * S;
	machine.stamps = MACHINE_STAMPS;
	machine.phc_index = 3;
	machine.address.sin_family = AF_INET;
	machine.address.sin_addr.s_addr = htonl(0xc0000201);
}

static int64_t machine_shows(const struct machine_clock *clock)
{
	return machine.raw_ns + clock->ahead_ns +
	       llround(clock->ppb / 1e9 * (double)(machine.raw_ns - clock->at_ns));
}

/* From now on the clock is so much faster. */
static inline void machine_turn(struct machine_clock *clock, double ppb)
{
	clock->ahead_ns = machine_shows(clock) - machine.raw_ns;
	clock->at_ns = machine.raw_ns;
	clock->ppb = ppb;
}

/* Suspended: the raw clock stops, others go on. */
static inline void machine_sleep(int64_t ns)
{
	machine.asleep_ns += ns;
	machine.real.ahead_ns += ns;
	machine.phc.ahead_ns += ns;
}

static void machine_read(void)
{
	machine.seed = machine.seed * 1664525 + 1013904223;
	machine.raw_ns += machine.read_ns;
	if (machine.noise_ns)
		machine.raw_ns += (machine.seed >> 8) % (machine.noise_ns + 1);
}

int clock_gettime(clockid_t id, struct timespec *ts)
{
	int64_t ns = id == CLOCK_REALTIME ? machine_shows(&machine.real) :
		     id == CLOCK_BOOTTIME ? machine.raw_ns + machine.asleep_ns :
					    machine.raw_ns;

	ts->tv_sec = ns / S;
	ts->tv_nsec = ns % S;
	machine_read();
	return 0;
}

int adjtimex(struct timex *timex)
{
	timex->status = machine.status;
	timex->maxerror = machine.maxerror;
	errno = machine.adjtimex;
	return machine.adjtimex ? -1 : 0;
}

/* The NIC has two ports; another has a clock of its own, and bare has none. */
struct if_nameindex *if_nameindex(void)
{
	static char names[][IF_NAMESIZE] = { MACHINE_LINK, MACHINE_PORT, MACHINE_OTHER, "bare" };
	static struct if_nameindex all[] = {
		{ MACHINE_INDEX, names[0] }, { MACHINE_INDEX + 1, names[1] },
		{ MACHINE_INDEX + 2, names[2] }, { MACHINE_INDEX + 3, names[3] }, { 0, NULL },
	};

	return all;
}

void if_freenameindex(struct if_nameindex *all)
{
	(void)all;
}

unsigned int if_nametoindex(const char *name)
{
	return strcmp(name, MACHINE_LINK) && strcmp(name, MACHINE_ALTERNATIVE) ? 0 : MACHINE_INDEX;
}

char *if_indextoname(unsigned int ifindex, char name[IF_NAMESIZE])
{
	return ifindex == MACHINE_INDEX ? memcpy(name, MACHINE_LINK, sizeof(MACHINE_LINK)) : NULL;
}

int getifaddrs(struct ifaddrs **all)
{
	static struct ifaddrs nic = { .ifa_name = MACHINE_LINK },
			      bare = { .ifa_next = &nic, .ifa_name = "bare" };

	nic.ifa_addr = (struct sockaddr *)&machine.address;
	*all = &bare;
	return 0;
}

void freeifaddrs(struct ifaddrs *all)
{
	(void)all;
}

int open(const char *path, int flags, ...)
{
	errno = machine.open;
	if (machine.read_only && (flags & O_ACCMODE) != O_RDONLY)
		errno = EACCES;
	return errno || strcmp(path, "/dev/ptp3") ? -1 : dup(0);
}

static int machine_refuses(const void *data)
{
	const struct hwtstamp_config *config = data;

	return machine.sends_none && config->tx_type != HWTSTAMP_TX_OFF ? ERANGE : machine.set;
}

static int machine_link(unsigned long request, struct ifreq *ifr)
{
	struct ethtool_ts_info *info = (void *)ifr->ifr_data;

	errno = ENODEV;
	if (strcmp(ifr->ifr_name, MACHINE_LINK) && strcmp(ifr->ifr_name, MACHINE_PORT) &&
	    strcmp(ifr->ifr_name, MACHINE_OTHER))
		return -1;
	switch (request) {
	case SIOCETHTOOL:
		info->so_timestamping = machine.stamps;
		info->phc_index = machine.phc_index + !strcmp(ifr->ifr_name, MACHINE_OTHER);
		errno = 0;
		break;
	case SIOCSHWTSTAMP:
		errno = machine_refuses(ifr->ifr_data);
		if (!errno)
			memcpy(&machine.config, ifr->ifr_data, sizeof(machine.config));
		break;
	default:
		errno = machine.get;
		memcpy(ifr->ifr_data, &machine.config, sizeof(machine.config));
	}
	return errno ? -1 : 0;
}

static struct ptp_clock_time machine_time(const struct machine_clock *clock)
{
	int64_t ns = machine_shows(clock);

	machine_read();
	return (struct ptp_clock_time){ .sec = ns / S, .nsec = ns % S };
}

static int machine_precise(struct ptp_sys_offset_precise *sample)
{
	int64_t phc_ns = machine_shows(&machine.phc);

	sample->sys_realtime = machine_time(&machine.real);
	sample->device = (struct ptp_clock_time){ .sec = phc_ns / S, .nsec = phc_ns % S };
	return 0;
}

static int machine_extended(struct ptp_sys_offset_extended *sample)
{
	unsigned int i;

	for (i = 0; i < sample->n_samples; i++) {
		sample->ts[i][0] = machine_time(&machine.real);
		sample->ts[i][1] = machine_time(&machine.phc);
		sample->ts[i][2] = machine_time(&machine.real);
		if ((int)i < machine.late)
			sample->ts[i][2].sec -= 1;
	}
	return 0;
}

/* Readings of the system's clock are further from the device's. */
static int machine_basic(struct ptp_sys_offset *sample)
{
	unsigned int i;

	for (i = 0; i <= 2 * sample->n_samples; i++) {
		machine.raw_ns += 5 * machine.read_ns;
		sample->ts[i] = machine_time(i % 2 ? &machine.phc : &machine.real);
	}
	return 0;
}

/* Return: bit of a method; 0: the request is none. */
static unsigned int machine_method(unsigned long request)
{
	return request == PTP_SYS_OFFSET_PRECISE ? MACHINE_PRECISE :
	       request == PTP_SYS_OFFSET_EXTENDED ? MACHINE_EXTENDED :
	       request == PTP_SYS_OFFSET ? MACHINE_BASIC : 0;
}

static int machine_look(unsigned int method, void *sample)
{
	errno = machine.sample ? machine.sample : machine.lacks & method ? EOPNOTSUPP : 0;
	if (errno)
		return -1;
	return method == MACHINE_PRECISE ? machine_precise(sample) :
	       method == MACHINE_EXTENDED ? machine_extended(sample) : machine_basic(sample);
}

int ioctl(int fd, unsigned long request, ...)
{
	va_list args;
	void *data;

	va_start(args, request);
	data = va_arg(args, void *);
	va_end(args);
	(void)fd;
	if (machine_method(request))
		return machine_look(machine_method(request), data);
	return machine_link(request, data);
}

#endif /* HUYGENS_TEST_MACHINE_H */
