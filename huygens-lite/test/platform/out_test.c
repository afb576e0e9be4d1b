// SPDX-License-Identifier: GPL-2.0
/*
 * The outputs, on clocks of the test's own: raw and real time are what it says,
 * and real time runs as the output sets it.
 */
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
	int	steps;
	int64_t	timer_ns;
} machine;

static void machine_run(int64_t ns)
{
	machine.raw_ns += ns;
	machine.off_ns += (double)ns * ((double)machine.timex.freq / 65.536) * 1e-9;
}

void system_pair(int64_t *raw_ns, int64_t *real_ns)
{
	*raw_ns = machine.raw_ns;
	*real_ns = EPOCH_NS + machine.raw_ns + llround(machine.off_ns);
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
	if (timex->modes & ADJ_MAXERROR)
		machine.timex.maxerror = timex->maxerror;
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
	int	asked;
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

static void kernel_ack(const struct nlmsghdr *request, int error, const char *text)
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
	kernel.asked++;
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

static const struct nlattr *sent(uint16_t type)
{
	const struct nlattr *attr;

	mnl_attr_for_each(attr, &kernel.request.n, GENL_HDRLEN)
		if (mnl_attr_get_type(attr) == type)
			return attr;
	return NULL;
}

static uint64_t sent_u64(uint16_t type)
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

static struct huygens_conf configuration(enum conf_mode mode)
{
	static struct conf_peer peers[2];
	struct huygens_conf conf = {
		.mode = mode,
		.peers = peers,
		.n_peers = 2,
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

static struct output_line line_now(void)
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

/* What no output takes. */
static void test_lines(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_NONE);
	struct output *out = output_open(&conf, why, sizeof(why));
	struct output_line line = line_now();
	struct output_stats stats;

	tap_ok(!output_line(out, &line, why, sizeof(why)) && output_fd(out) == -1, "none: takes a line");
	line.epoch = 0;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1, "refused: no epoch");
	line = line_now();
	line.error_ns = 0;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1, "refused: no error");
	line = line_now();
	line.skew_ppb = -1;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1, "refused: a bound that shrinks");
	line = line_now();
	line.valid_ns = 0;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1, "refused: a line that may not be used");
	line = line_now();
	line.drift = NAN;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1, "refused: a drift that is no number");
	line.drift = -1.0 / 1024;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1, "refused: a drift of a thousandth");
	output_stats(out, &stats);
	tap_ok(stats.lines == 7 && stats.failed == 6, "all are counted");
	output_close(out);
	output_close(NULL);
}

/* Was the kernel told just that, to forget the line?  Asked anew from now on. */
static bool withdrawn(void)
{
	bool good = kernel.asked == 1 && sent_u64(ONRAMP_A_CLOCK_ID) == ONRAMP_CLOCK_PUBLISHED &&
		    sent(ONRAMP_A_CLOCK_ERROR) && !sent_u64(ONRAMP_A_CLOCK_ERROR) &&
		    !sent(ONRAMP_A_CLOCK_REF);

	kernel.asked = 0;
	return good;
}

static bool timens_says(const char *text, int64_t ahead_ns)
{
	char path[300];
	int64_t ns = 1;
	FILE *file;
	int ret;

	snprintf(path, sizeof(path), "%s/timens", folder);
	file = fopen(path, "w");
	fputs(text, file);
	fclose(file);
	ret = timens_read(path, &ns);
	unlink(path);
	return ahead_ns == INT64_MIN ? ret == -1 && errno == EINVAL : !ret && ns == ahead_ns;
}

/* A time namespace: what it adds to our clocks the kernel's own does not have. */
static void test_timens(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_PUBLISH);
	struct output_line line;
	struct output *out;
	int64_t ns = 1;

	tap_ok(timens_says("monotonic           0         0\nboottime            0         0\n", 0),
	       "time namespace: the first");
	tap_ok(timens_says("monotonic  86400 5\nboottime 7 0\n", 86400 * S + 5), "time namespace: ahead");
	tap_ok(timens_says("boottime 7 0\nmonotonic -10 999999999\n", -10 * S + 999999999),
	       "time namespace: behind, in another order");
	tap_ok(!timens_read("/nonexistent", &ns) && !ns, "time namespace: a kernel that has none");
	tap_ok(timens_says("", INT64_MIN), "time namespace: refused: an empty file");
	tap_ok(timens_says("boottime 7 0\n", INT64_MIN), "time namespace: refused: another clock only");
	tap_ok(timens_says("monotonic 1\n", INT64_MIN), "time namespace: refused: half an offset");
	tap_ok(timens_says("monotonic 1 1000000000\n", INT64_MIN), "time namespace: refused: too many ns");
	tap_ok(timens_says("monotonic 4611686019 0\n", INT64_MIN), "time namespace: refused: no such offset");

	machine.raw_ns = 1000 * S;
	machine.unknown = EACCES;
	tap_ok(!output_open(&conf, why, sizeof(why)) && strstr(why, "/proc/self/timens_offsets: Permission denied"),
	       "publish: refused: what a time namespace adds is not known");
	machine.unknown = 0;
	machine.ahead_ns = -300 * S - 7;
	kernel.asked = 0;
	out = output_open(&conf, why, sizeof(why));
	line = line_now();
	tap_ok(!output_line(out, &line, why, sizeof(why)) && sent_u64(ONRAMP_A_CLOCK_REF) == 1300 * S + 7 &&
	       sent_u64(ONRAMP_A_CLOCK_REF) + sent_u64(ONRAMP_A_CLOCK_OFFSET) == (uint64_t)line.common_ns &&
	       sent_u64(ONRAMP_A_CLOCK_ERROR) - 1300 <= 1,
	       "publish: in a time namespace the line is on the kernel's clock");
	output_close(out);
	machine.ahead_ns = 0;
	kernel.asked = 0;
}

static void test_publish(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_PUBLISH);
	struct output_line line = line_now();
	struct output *out;

	kernel.family = 40;
	kernel.missing = 1;
	machine.raw_ns = 1000 * S;
	out = output_open(&conf, why, sizeof(why));
	tap_ok(out != NULL, "publish: opens without the module");
	line = line_now();
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && strstr(why, "modprobe onramp") && !kernel.asked,
	       "publish: a line without the module: says modprobe");
	kernel.missing = 0;
	tap_ok(!output_line(out, &line, why, sizeof(why)) && kernel.asked == 1,
	       "publish: the module is there now");
	tap_ok(sent_u64(ONRAMP_A_CLOCK_ID) == ONRAMP_CLOCK_PUBLISHED &&
	       sent_u64(ONRAMP_A_CLOCK_BASE) == ONRAMP_BASE_MONOTONIC_RAW &&
	       sent_u64(ONRAMP_A_CLOCK_OFFSET) == 1700000000 * S &&
	       sent_u64(ONRAMP_A_CLOCK_REF) == 1000 * S &&
	       sent_u64(ONRAMP_A_CLOCK_DRIFT) == 85899 &&
	       sent_u64(ONRAMP_A_CLOCK_VALID) == 5 * S && sent_u64(ONRAMP_A_CLOCK_EPOCH) == 7,
	       "publish: the line on the raw clock, drift in 2^-32");
	/* 5 s at 100 ppb, rounded up. */
	tap_ok(sent_u64(ONRAMP_A_CLOCK_ERROR) - 1300 <= 1,
	       "publish: the bound is that of the line's last moment");
	line.valid_ns = 2 * S;
	tap_ok(!output_line(out, &line, why, sizeof(why)) && sent_u64(ONRAMP_A_CLOCK_VALID) == 2 * S &&
	       sent_u64(ONRAMP_A_CLOCK_ERROR) - 1000 <= 1, "publish: a line may be valid for less, its bound with it");
	line = line_now();
	line.drift = -20e-6;
	output_line(out, &line, why, sizeof(why));
	tap_ok((int64_t)sent_u64(ONRAMP_A_CLOCK_DRIFT) == -85899, "publish: a drift below 0");
	kernel.family = 41;
	kernel.asked = 0;
	tap_ok(!output_line(out, &line, why, sizeof(why)) && kernel.asked == 2 &&
	       kernel.request.n.nlmsg_type == 41, "publish: a module loaded again has another number");
	kernel.refuse = ERANGE;
	kernel.text = "clock ref: must be within 600 s";
	kernel.asked = 0;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && strstr(why, "within 600 s") && kernel.asked == 1,
	       "publish: the kernel's refusal in its words, and not tried twice");
	kernel.refuse = EPERM;
	kernel.text = NULL;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && strstr(why, "CAP_NET_ADMIN"),
	       "publish: without rights: says which");
	kernel.refuse = 0;
	tap_ok(kernel.asked == 2, "publish: what the kernel refuses withdraws nothing");
	kernel.asked = 0;
	line = line_now();
	line.error_ns = S + 1;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && strstr(why, "above 1 s") && withdrawn(),
	       "publish: a bound above 1 s is not told, and the kernel forgets the line before");
	line.error_ns = INT64_MAX;
	line.skew_ppb = INT64_MAX;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && !kernel.asked,
	       "publish: nor one beyond all bounds; there is nothing to forget now");
	line = line_now();
	output_line(out, &line, why, sizeof(why));
	kernel.asked = 0;
	line.drift = 0.0009765624;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && strstr(why, "976 ppm") && withdrawn(),
	       "publish: nor a drift that the kernel has no bits for");
	line = line_now();
	output_line(out, &line, why, sizeof(why));
	kernel.asked = 0;
	line.drift = 0.001;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && withdrawn(), "publish: nor one that no clock has");
	line = line_now();
	output_line(out, &line, why, sizeof(why));
	kernel.asked = 0;
	output_lost(out);
	tap_ok(withdrawn(), "publish: lost: the kernel forgets the line");
	kernel.asked = 1;
	output_lost(out);
	tap_ok(kernel.asked == 1, "publish: what is lost is lost once");
	line = line_now();
	output_line(out, &line, why, sizeof(why));
	output_close(out);
	tap_ok(kernel.asked == 3 && kernel.closed, "publish: withdrawn at the end");
}

struct sample {
	struct timeval tv;
	double offset;
	int pulse, leap, pad, magic;
};

static void test_sock(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_SOCK);
	struct sockaddr_un path = { .sun_family = AF_UNIX };
	int fd = socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0);
	struct output *out = output_open(&conf, why, sizeof(why));
	struct output_line line;
	struct output_stats stats;
	struct sample sample;

	machine.raw_ns = 1000 * S;
	machine.off_ns = -250e3 + 1234;
	line = line_now();
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && strstr(why, "add refclock SOCK"),
	       "sock: without chronyd: says what it needs");
	strcpy(path.sun_path, conf.sock);
	if (bind(fd, (struct sockaddr *)&path, sizeof(path)))
		perror("bind");
	tap_ok(!output_line(out, &line, why, sizeof(why)), "sock: chronyd may start later");
	tap_ok(recv(fd, &sample, sizeof(sample), 0) == sizeof(sample) && sample.magic == 0x534f434b &&
	       !sample.pulse && !sample.leap && sample.tv.tv_sec == 1700001000 - 1 && sample.tv.tv_usec == 999751,
	       "sock: a sample as chrony takes it");
	/* The clock is 248.766 us behind the line. */
	tap_ok(fabs(sample.offset - 248766e-9) < 1e-9, "sock: offset is true time less the clock");
	if (fabs(sample.offset - 248766e-9) >= 1e-9)
		tap_remark("%.12f", sample.offset);
	output_lost(out);
	tap_ok(recv(fd, &sample, sizeof(sample), 0) == -1, "sock: what is lost is silent");
	line.error_ns = MS;
	tap_ok(!output_line(out, &line, why, sizeof(why)) && recv(fd, &sample, sizeof(sample), 0) == sizeof(sample),
	       "sock: a bound of max_error is told");
	line.error_ns = MS + 1;
	tap_ok(!output_line(out, &line, why, sizeof(why)) && recv(fd, &sample, sizeof(sample), 0) == -1,
	       "sock: one above is not");
	output_line(out, &line, why, sizeof(why));
	output_stats(out, &stats);
	tap_ok(stats.withdrawn == 2 && stats.failed == 1, "sock: which is no failure, and withdrawn once");
	conf.max_error_ns = 2 * MS;
	output_reload(out, &conf);
	tap_ok(!output_line(out, &line, why, sizeof(why)) && recv(fd, &sample, sizeof(sample), 0) == sizeof(sample),
	       "sock: until max_error is above it");
	close(fd);
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && strstr(why, "refused"), "sock: chronyd is gone");
	unlink(path.sun_path);
	output_close(out);
}

/* The first line of a window that counts. */
static struct output_line truth(int64_t offset_ns, double ppb)
{
	static uint32_t windows;

	return (struct output_line){
		.raw_ns = machine.raw_ns,
		.common_ns = EPOCH_NS + machine.raw_ns + offset_ns +
			     llround((double)(machine.raw_ns - BEGIN_NS) * ppb * 1e-9),
		.drift = ppb * 1e-9,
		.error_ns = 800,
		.skew_ppb = 100,
		.valid_ns = 5 * S,
		.epoch = 1,
		.updates = ++windows,
	};
}

static void machine_reset(double off_ns)
{
	memset(&machine, 0, sizeof(machine));
	machine.timex.tick = 10000;
	machine.timex.status = STA_UNSYNC | STA_PLL;
	machine.raw_ns = BEGIN_NS;
	machine.off_ns = off_ns;
}

/* Windows of a clock that is steered; returns the greatest error of the last half. */
static double steer(struct output *out, int windows, double ppb)
{
	double worst = 0;
	int i, ms;

	for (i = 0; i < windows; i++) {
		struct output_line line = truth(0, ppb);

		if (output_line(out, &line, why, sizeof(why)))
			return -1;
		for (ms = 0; ms < 2000; ms++) {
			double error;

			machine_run(MS);
			if (machine.timer_ns && machine.raw_ns >= machine.timer_ns)
				output_work(out);
			error = fabs((double)(machine.raw_ns - BEGIN_NS) * ppb * 1e-9 - machine.off_ns);
			if (i >= windows / 2 && error > worst)
				worst = error;
		}
	}
	return worst;
}

static void test_steer(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	struct output_stats stats;
	struct output_line line;
	struct output *out;
	double worst;
	int i, refused = 0;

	machine_reset(0);
	machine.denied = EPERM;
	conf.force = 1;
	tap_ok(!output_open(&conf, why, sizeof(why)) && strstr(why, "CAP_SYS_TIME is missing"),
	       "steer: refused without rights: says which");
	machine.denied = 0;

	/* Another program may steer the clock of the machine of this test. */
	out = output_open(&conf, why, sizeof(why));
	tap_ok(out && output_fd(out) >= 0 && machine.timex.status == STA_UNSYNC && machine.timex.tick == 10000,
	       "steer: the kernel's own loops are off");
	worst = steer(out, 20, 30000);
	if (!tap_ok(worst >= 0 && worst < 1000, "steer: 30 ppm are learned at once, the rest is below 1 us"))
		tap_remark("%g %s", worst, why);
	tap_ok(!machine.steps && !(machine.timex.status & STA_UNSYNC), "steer: no step, and synchronised");
	output_close(out);

	machine_reset(-0.75e9);
	out = output_open(&conf, why, sizeof(why));
	worst = steer(out, 10, -20000);
	tap_ok(machine.steps == 1 && worst >= 0 && worst < 1000, "steer: 0.75 s behind: one step");
	machine.off_ns -= 5e6;
	worst = steer(out, 60, -20000);
	if (!tap_ok(machine.steps == 1 && worst >= 0 && worst < 1000, "steer: 5 ms later are slewed, not stepped"))
		tap_remark("%d steps, %g", machine.steps, worst);
	output_stats(out, &stats);
	tap_ok(stats.steps == 1, "steer: steps are counted");
	output_close(out);

	machine_reset(0.75e9 + 0.3e9);
	out = output_open(&conf, why, sizeof(why));
	worst = steer(out, 10, 0);
	tap_ok(machine.steps == 1 && worst >= 0 && worst < 1000, "steer: ahead by more than a second: a step back");
	output_close(out);

	/* What is told again in a window, and what a poor one says, uses up no step. */
	machine_reset(0);
	out = output_open(&conf, why, sizeof(why));
	for (i = 0; i < 9; i++) {
		line = truth(i < 8 ? 0 : 5 * MS, 0);
		line.updates = i < 2 ? i + 1 : 2;
		output_line(out, &line, why, sizeof(why));
		machine_run(MS);
	}
	tap_ok(machine.steps == 1, "steer: the third window may step, after however many lines");
	machine.off_ns = 0;
	for (i = 0; i < 2; i++) {
		line = truth(0, 0);
		line.updates = 3;
		output_line(out, &line, why, sizeof(why));
		machine_run(MS);
	}
	line = truth(5 * MS, 0);
	tap_ok(!output_line(out, &line, why, sizeof(why)) && machine.steps == 1, "steer: the fourth may not");
	output_close(out);

	/* Nor does a line that the kernel refused; it counts when it is told again. */
	machine_reset(0);
	out = output_open(&conf, why, sizeof(why));
	machine.denied = EPERM;
	for (i = 0; i < 5; i++) {
		line = truth(0, 0);
		refused += output_line(out, &line, why, sizeof(why)) == -1;
	}
	machine.denied = 0;
	line = truth(5 * MS, 0);
	tap_ok(refused == 5 && !output_line(out, &line, why, sizeof(why)) && machine.steps == 1,
	       "steer: after five windows whose lines were refused the next may step");
	machine.off_ns = 0;
	for (i = 0; i < 4; i++) {
		machine.denied = i % 2 ? 0 : EPERM;
		line = i % 2 ? line : truth(0, 0);
		refused += output_line(out, &line, why, sizeof(why)) == -1;
	}
	line = truth(5 * MS, 0);
	tap_ok(refused == 7 && !output_line(out, &line, why, sizeof(why)) && machine.steps == 1,
	       "steer: two that were refused first and taken then were the last that may");
	output_close(out);

	conf.step_ns = 0;
	machine_reset(-2e6);
	out = output_open(&conf, why, sizeof(why));
	worst = steer(out, 40, 0);
	tap_ok(!machine.steps && worst >= 0 && worst < 1000, "steer: step = 0 never steps");

	machine.timex.freq += 100 * 65536;
	line = truth(0, 0);
	tap_ok(!output_line(out, &line, why, sizeof(why)), "steer: with force it bears another who turns the clock");
	machine.timex.status = 0;
	output_lost(out);
	tap_ok(machine.timex.status & STA_UNSYNC, "steer: lost: the clock says so");
	output_close(out);
}

/* The track as the daemon tells it. */
static struct output_line line_of(const struct slew *slew)
{
	struct slew_value now = slew_at(slew, machine.raw_ns);

	return (struct output_line){
		.raw_ns = machine.raw_ns,
		.common_ns = EPOCH_NS + machine.raw_ns + now.x_ns,
		.drift = now.drift_ppb * 1e-9,
		.slew = (now.drift_ppb - slew->line.drift_ppb) * 1e-9,
		.error_ns = 800,
		.skew_ppb = 100,
		.valid_ns = 5 * S,
		.epoch = 1,
		.updates = 10 + (uint32_t)(machine.raw_ns / (2 * S)),
	};
}

/* A window is 100 us off, and CLOCK_REALTIME 300 us: by how much it is turned beyond its drift, ppm. */
static double turned_ppm(int64_t max_slew_ppb, int64_t *missing_ns)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	struct slew_target aim = { .line = { BEGIN_NS, 0, 10000 }, .bound_ns = 300, .meet_ns = SLEW_MEET_NS,
				   .slew_most_ppb = SLEW_MOST_PPB };
	struct slew slew = { 0 };
	struct output *out;
	double worst = 0;
	int ms;

	conf.max_slew_ppb = max_slew_ppb;
	conf.force = 1;
	machine_reset(0);
	out = output_open(&conf, why, sizeof(why));
	slew_step(&slew, &aim);
	for (ms = 0; ms < 600000; ms += 2) {
		struct output_line line = line_of(&slew);

		if (ms == 10000) {
			machine.off_ns -= 300e3;
			aim.line = (struct line){ machine.raw_ns, slew_at(&slew, machine.raw_ns).x_ns + 100000, 10000 };
			slew_to(&slew, machine.raw_ns, &aim);
			line = line_of(&slew);
		}
		if (ms % 100 == 0 && output_line(out, &line, why, sizeof(why)))
			return -1;
		machine_run(2 * MS);
		if (machine.timer_ns && machine.raw_ns >= machine.timer_ns)
			output_work(out);
		worst = fmax(worst, fabs((double)machine.timex.freq / 65536 - 10));
	}
	*missing_ns = slew_at(&slew, machine.raw_ns).x_ns - llround(machine.off_ns);
	output_close(out);
	return worst;
}

static void test_max_slew(void)
{
	int64_t missing_ns;
	double ppm = turned_ppm(1000, &missing_ns);

	if (!tap_ok(ppm > 0.99 && ppm < 1.01 && llabs(missing_ns) < 100,
		    "steer: max_slew = 1ppm is kept, whether the clock is off or the common time is turned"))
		tap_remark("%g ppm, missing %lld ns", ppm, (long long)missing_ns);
	ppm = turned_ppm(500000, &missing_ns);
	tap_ok(ppm > 200 && ppm < 490.01 && llabs(missing_ns) < 100, "steer: where it is 500ppm they go together");
}

/* Of so many lines, how many are refused; another turns the clock at each @each-th. */
static int refused_of(struct output *out, int lines, int each)
{
	int i, refused = 0;

	for (i = 0; i < lines; i++) {
		struct output_line line = truth(0, 0);

		if (each && i % each == 0)
			machine.timex.freq += (i / each % 2 ? -50 : 50) * 65536;
		refused += output_line(out, &line, why, sizeof(why)) == -1;
		machine_run(MS);
	}
	return refused;
}

/* A process that has the name of a discipliner. */
static pid_t competitor_begin(const char *name)
{
	char seen[64];
	pid_t pid = fork();

	if (!pid) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		prctl(PR_SET_NAME, name);
		for (;;)
			pause();
	}
	while (!competitor_find("/proc", seen, sizeof(seen)))
		usleep(1000);
	return pid;
}

/* Needs a machine without another discipliner, or says which it found. */
static void test_meddling(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	char competitor[64];
	struct output_line line;
	struct output *out;
	pid_t pid;
	int refused;

	if (competitor_find("/proc", competitor, sizeof(competitor))) {
		tap_ok(!output_open(&conf, why, sizeof(why)) && strstr(why, competitor), "steer: refused beside %s", competitor);
		return;
	}
	machine_reset(0);
	out = output_open(&conf, why, sizeof(why));
	line = truth(0, 0);
	tap_ok(!output_line(out, &line, why, sizeof(why)), "steer: alone");
	machine.timex.freq += 100 * 65536;
	tap_ok(output_line(out, &line, why, sizeof(why)) == -1 && strstr(why, "another program changed the clock's frequency") &&
	       machine.timex.freq == 100 * 65536, "steer: refused, and nothing set, if another turns the clock");
	tap_ok(refused_of(out, 9, 0) == 9 && machine.timex.freq == 100 * 65536, "steer: for ten lines");
	tap_ok(!refused_of(out, 1, 0) && machine.timex.freq != 100 * 65536, "steer: then it goes on");
	refused = refused_of(out, 80, 8);
	if (!tap_ok(refused == 80, "steer: all are refused while another turns the clock now and then"))
		tap_remark("%d of 80", refused);
	tap_ok(refused_of(out, 10, 0) == 2, "steer: two more, then ten went by without");
	machine.timex.tick = 10010;
	tap_ok(refused_of(out, 12, 0) == 12, "steer: or its tick, as long as that is another");
	machine.timex.tick = 10000;
	refused_of(out, 10, 0);
	machine.timex.freq += 30;
	tap_ok(!refused_of(out, 1, 0), "steer: what the kernel rounds is no other");

	/* A slew is under way. */
	line = truth(100000, 0);
	output_line(out, &line, why, sizeof(why));
	machine.timex.freq = -70 * 65536;
	machine.timex.status = 0;
	output_work(out);
	output_lost(out);
	tap_ok(machine.timex.freq == -70 * 65536 && !machine.timex.status && !machine.timer_ns,
	       "steer: nor is another's clock touched when a slew ends, or the line is lost");
	pid = competitor_begin("sptp");
	tap_ok(refused_of(out, 20, 0) == 20 && strstr(why, "sptp"), "steer: refused while a competing daemon runs, which is named");
	kill(pid, SIGKILL);
	waitpid(pid, NULL, 0);
	tap_ok(refused_of(out, 20, 0) == 10 && machine.timex.freq != -70 * 65536, "steer: and ten lines more");
	output_close(out);
}

/* On the host that brings UTC the clock is kept by somebody else. */
static void test_utc_host(void)
{
	struct huygens_conf conf = configuration(CONF_MODE_STEER);
	struct output_line line;
	struct output *out;

	machine_reset(5e6);
	conf.reference = CONF_REFERENCE_UTC;
	conf.reference_id = 2;
	conf.self = 1;
	out = output_open(&conf, why, sizeof(why));
	line = truth(0, 0);
	tap_ok(out && !output_line(out, &line, why, sizeof(why)) && !machine.steps && !machine.timex.freq,
	       "the host that brings UTC steers nothing");
	output_close(out);
}

static void comm(const char *pid, const char *name)
{
	char path[128];
	FILE *file;

	snprintf(path, sizeof(path), "%s/%s", folder, pid);
	mkdir(path, 0755);
	strcat(path, "/comm");
	file = fopen(path, "w");
	fprintf(file, "%s\n", name);
	fclose(file);
}

static void test_rivals(void)
{
	static const struct {
		const char *comm, *found;
	} names[] = {
		{ "chronyd", "chronyd (process 77)" }, { "ntpd", "ntpd (process 77)" },
		{ "systemd-timesyn", "systemd-timesyncd (process 77)" }, { "ptp4l", "ptp4l (process 77)" },
		{ "phc2sys", "phc2sys (process 77)" }, { "openntpd", "openntpd (process 77)" },
		{ "chronyc", NULL }, { "chrony", NULL }, { "systemd-timedat", NULL }, { "bash", NULL }, { "", NULL },
		{ "huygens-lite", NULL },
	};
	char name[64];
	size_t i;

	comm("12", "init");
	comm("self", "chronyd");
	for (i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		int found;

		comm("77", names[i].comm);
		found = competitor_find(folder, name, sizeof(name));
		tap_ok(names[i].found ? found && !strcmp(name, names[i].found) : !found,
		       "%s is %s", names[i].comm, names[i].found ? "a competitor, and named" : "none");
	}
	tap_ok(!competitor_find("/nowhere", name, sizeof(name)), "without procfs there is nobody to see");
}

int main(void)
{
	char command[64];

	if (!mkdtemp(folder))
		return 1;
	test_lines();
	test_publish();
	test_timens();
	test_sock();
	test_steer();
	test_max_slew();
	test_meddling();
	test_utc_host();
	test_rivals();
	snprintf(command, sizeof(command), "rm -rf '%s'", folder);
	return tap_done() | (system(command) != 0);
}
