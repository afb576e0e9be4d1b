/* SPDX-License-Identifier: GPL-2.0 */
/*
 * Clocks of a test's own: raw and real time are what it says, and real time runs
 * as the output sets it; and a kernel of its own that answers requests.  A program
 * of one file includes it.
 */
#ifndef HUYGENS_OUT_WORLD_H
#define HUYGENS_OUT_WORLD_H

#include <errno.h>
#include <libmnl/libmnl.h>
#include <linux/genetlink.h>
#include <linux/onramp.h>
#include <linux/onramp_wire.h>
#include <math.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../../../selftests/lib/tap.h"
#include "../../../lib/netlink_socket.h"
#include "../../algo/slew.h"
#include "../../out/output.h"
#include "../../out/competitor.h"
#include "../../out/system.h"
#include "../../out/timens.h"

#define S	1000000000LL
#define MS	1000000LL

/* An output's message on what it did not do. */
static char why[256];
static char folder[] = "/tmp/huygens-out.XXXXXX";

/* Real time began there; the raw clock was at 100 s then. */
#define EPOCH_NS	(1700000000 * S)
#define BEGIN_NS	(100 * S)

/* The machine's clocks: real time runs as it is set. */
static struct {
	int64_t	raw_ns;
	double	off_ns;		/* real time, less raw, less EPOCH_NS */
	struct timex timex;
	int	denied;
	int64_t	ahead_ns;	/* of this time namespace */
	int	unknown;	/* errno of that */
	int64_t	asleep_ns;
	int	steps;
	int64_t	timer_ns;
} machine;

static inline void machine_run(int64_t ns)
{
	machine.raw_ns += ns;
	machine.off_ns += (double)ns * ((double)machine.timex.freq / 65.536) * 1e-9;
}

void system_pair(int64_t *raw_ns, int64_t *real_ns)
{
	*raw_ns = machine.raw_ns;
	*real_ns = EPOCH_NS + machine.raw_ns + llround(machine.off_ns);
}

int64_t system_asleep(void)
{
	return machine.asleep_ns;
}

/* Ticks of 4 ms. */
int64_t system_coarse_ns(void)
{
	return machine.raw_ns - machine.raw_ns % (4 * MS);
}

int64_t system_tick_ns(void)
{
	return 4 * MS;
}

int system_raw_ahead(int64_t *ahead_ns)
{
	*ahead_ns = machine.ahead_ns;
	errno = machine.unknown;
	return machine.unknown ? -1 : 0;
}

int system_discipline(struct timex *timex)
{
	/* To look is nobody denied. */
	if (machine.denied && timex->modes) {
		errno = machine.denied;
		return -1;
	}
	if (timex->modes & ADJ_FREQUENCY)
		machine.timex.freq = timex->freq;
	if (timex->modes & ADJ_TICK)
		machine.timex.tick = timex->tick;
	if (timex->modes & ADJ_STATUS)
		machine.timex.status = timex->status;
	if (timex->modes & ADJ_ESTERROR)
		machine.timex.esterror = timex->esterror;
	if (timex->modes & ADJ_MAXERROR)
		machine.timex.maxerror = timex->maxerror;
	if (timex->modes & ADJ_TAI)
		machine.timex.tai = timex->constant;
	if (timex->modes & ADJ_SETOFFSET) {
		machine.steps++;
		machine.off_ns += (double)(timex->time.tv_sec * S + timex->time.tv_usec);
		if (timex->time.tv_usec < 0 || timex->time.tv_usec >= S || !(timex->modes & ADJ_NANO)) {
			errno = EINVAL;
			return -1;
		}
	}
	timex->freq = machine.timex.freq;
	timex->tick = machine.timex.tick;
	timex->status = machine.timex.status;
	return 0;
}

int system_timer(void)
{
	return dup(0);
}

void system_set_timer(int fd, int64_t ns)
{
	(void)fd;
	machine.timer_ns = ns ? machine.raw_ns + ns : 0;
}

/* The kernel's side of netlink: one request, answered at once. */
static struct {
	int	missing;	/* no family "onramp" */
	uint16_t family;
	int	refuse;		/* errno */
	const char *text;
	int	opened;
	int	closed;
	int	requests;
	union {
		struct nlmsghdr n;
		char buffer[1024];
	} request;
	union {
		struct nlmsghdr n;
		char buffer[2048];
	} reply;
} kernel;

int nl_socket_open(int bus)
{
	kernel.opened++;
	kernel.closed = 0;
	return bus == NETLINK_GENERIC ? 0 : -1;
}

int nl_socket_join(uint32_t group)
{
	return group ? 0 : -1;
}

uint32_t nl_socket_port(void)
{
	return 0;
}

void nl_socket_close(void)
{
	kernel.closed = 1;
}

static inline void kernel_ack(const struct nlmsghdr *request, int error, const char *text)
{
	struct nlmsghdr *n = mnl_nlmsg_put_header(&kernel.reply);
	struct nlmsgerr *err = mnl_nlmsg_put_extra_header(n, sizeof(*err));

	n->nlmsg_type = NLMSG_ERROR;
	n->nlmsg_seq = request->nlmsg_seq;
	n->nlmsg_flags = NLM_F_CAPPED | (text ? NLM_F_ACK_TLVS : 0);
	err->error = -error;
	err->msg = *request;
	if (text)
		mnl_attr_put_strz(n, NLMSGERR_ATTR_MSG, text);
}

int nl_socket_send(const void *data, size_t len)
{
	const struct nlmsghdr *request = data;

	if (kernel.closed || !kernel.opened) {
		errno = ENOTCONN;
		return -1;
	}
	memset(&kernel.reply, 0, sizeof(kernel.reply));
	if (request->nlmsg_type == GENL_ID_CTRL) {
		if (kernel.missing) {
			kernel_ack(request, ENOENT, NULL);
			return 0;
		}
		kernel_ack(request, 0, NULL);
		return 0;
	}
	kernel.requests++;
	if (len <= sizeof(kernel.request))
		memcpy(&kernel.request, data, len);
	if (request->nlmsg_type != kernel.family)
		kernel_ack(request, ENOENT, NULL);
	else
		kernel_ack(request, kernel.refuse, kernel.text);
	return 0;
}

/* The controller's answer is two messages: the family, and the ack. */
ssize_t nl_socket_receive(void *buffer)
{
	const struct nlmsgerr *err = mnl_nlmsg_get_payload(&kernel.reply.n);
	char *at = buffer;

	if (err->msg.nlmsg_type == GENL_ID_CTRL && !err->error) {
		struct nlmsghdr *n = mnl_nlmsg_put_header(at);
		struct genlmsghdr *g = mnl_nlmsg_put_extra_header(n, sizeof(*g));

		n->nlmsg_type = GENL_ID_CTRL;
		n->nlmsg_seq = kernel.reply.n.nlmsg_seq;
		g->cmd = CTRL_CMD_NEWFAMILY;
		mnl_attr_put_u16(n, CTRL_ATTR_FAMILY_ID, kernel.family);
		at += MNL_ALIGN(n->nlmsg_len);
	}
	memcpy(at, &kernel.reply, kernel.reply.n.nlmsg_len);
	return at + kernel.reply.n.nlmsg_len - (char *)buffer;
}

static inline const struct nlattr *sent(uint16_t type)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, &kernel.request.n, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

static inline uint64_t sent_u64(uint16_t type)
{
	const struct nlattr *attr = sent(type);

	if (!attr)
		return 0xdead;
	switch (mnl_attr_get_payload_len(attr)) {
	case 1:
		return mnl_attr_get_u8(attr);
	case 4:
		return mnl_attr_get_u32(attr);
	default:
		return mnl_attr_get_u64(attr);
	}
}

static inline struct huygens_conf configuration(enum conf_mode mode)
{
	static struct conf_peer peers[2];
	static uint32_t utc_hosts[] = { 2 };
	struct huygens_conf conf = {
		.mode = mode,
		.peers = peers,
		.n_peers = 2,
		.utc_hosts = utc_hosts,
		.n_utc_hosts = 1,
		.window_ns = 2 * S,
		.step_ns = MS,
		.step_updates = 3,
		.max_slew_ppb = 500000,
		.max_error_ns = MS,
	};

	peers[0].id = 1;
	peers[1].id = 2;
	snprintf(conf.sock, sizeof(conf.sock), "%s/chrony", folder);
	return conf;
}

static inline struct output_line line_now(void)
{
	return (struct output_line){
		.raw_ns = machine.raw_ns,
		.common_ns = EPOCH_NS + machine.raw_ns,
		.drift = 20e-6,
		.error_ns = 800,
		.skew_ppb = 100,
		.valid_ns = 5 * S,
		.epoch = 7,
	};
}

static inline struct output *opened(const struct huygens_conf *conf)
{
	return output_open(conf, why, sizeof(why));
}

/* A sample for chronyd. */
struct sample {
	struct timeval tv;
	double offset;
	int pulse, leap, pad, magic;
};

/* The socket at which chronyd waits for samples. */
static inline int chronyd_socket(const struct huygens_conf *conf)
{
	struct sockaddr_un path = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);

	strcpy(path.sun_path, conf->sock);
	if (bind(fd, (struct sockaddr *)&path, sizeof(path)))
		perror("bind");
	return fd;
}

static inline bool takes(struct output *out, const struct output_line *line)
{
	return !output_line(out, line, why, sizeof(why));
}

/* A line is refused, with a message that has this text. */
static inline bool refuses(struct output *out, const struct output_line *line, const char *text)
{
	return output_line(out, line, why, sizeof(why)) == -1 && strstr(why, text);
}

/* The test runs with a folder of its own. */
static inline int run(void (*tests)(void))
{
	char command[64];

	if (!mkdtemp(folder))
		return 1;
	tests();
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return tap_done() | (system(command) != 0);
}

#endif /* HUYGENS_OUT_WORLD_H */
