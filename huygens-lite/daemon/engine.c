// SPDX-License-Identifier: GPL-2.0
/*
 * The running daemon: one thread that sleeps until a datagram, a stamp, a timer,
 * a signal or a client wants something.
 */
#include <errno.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/random.h>
#include <sys/signalfd.h>
#include <sys/timerfd.h>
#include <time.h>
#include <unistd.h>

#include "../../lib/control.h"
#include "../../lib/log.h"
#include "../../lib/notify.h"
#include "../ctl/status.h"
#include "../platform/drift.h"
#include "../platform/drift_writer.h"
#include "../platform/log_files.h"
#include "../platform/rights.h"
#include "../algo/prng.h"
#include "../net/mesh.h"
#include "../net/socket.h"
#include "../net/suspend.h"
#include "../net/vmclock.h"
#include "../out/output.h"
#include "device.h"
#include "engine.h"
#include "keyfile.h"
#include "report.h"

#define ENGINE_NS		1000000000LL
/* The clocks are read at least so often. */
#define ENGINE_SAMPLE_NS		100000000
/*
 * Stamps are the kernel's and do not age, so the socket is emptied now and then:
 * to wake for each datagram costs five times the time.  But a probe's stamp goes
 * with the next two pairs, so no interval is longer than that between pairs.
 */
#define ENGINE_SOCKET_NS	10000000
/* A NIC's clock is told to the kernel, and the drift to its file. */
#define ENGINE_DEVICE_NS	ENGINE_NS
#define ENGINE_DRIFT_NS		(3600 * ENGINE_NS)
/* Batches that are read before timers have their turn. */
#define ENGINE_BATCHES		64
/* A stamp is not older than the datagram, but for what a clock is slewed. */
#define ENGINE_EARLY_NS		1000
/* Most turns of the wait between two probes. */
#define ENGINE_TURNS		1024
#define ENGINE_MILLION		1000000
/* Said of a NIC. */
#define ENGINE_UNREAD		"has a clock that cannot be read"

enum engine_source {
	ENGINE_TIMER,
	ENGINE_SIGNAL,
	ENGINE_CONTROL,
	ENGINE_OUTPUT,
	ENGINE_SOURCES,
};

/**
 * struct engine - the daemon
 * @options: how it was started
 * @conf: the configuration
 * @local: addresses of this host, allocated
 * @n_local: how many
 * @socket: of the mesh
 * @clock: local time
 * @suspend: whether the machine was
 * @vmclock: whether the virtual machine was disrupted
 * @device: the NIC, for the kernel
 * @link: the device that stamps, if it has values of its own; NULL: it has not
 * @mesh: the host
 * @output: where the clock goes
 * @report: snapshots
 * @control: for huygensctl
 * @source: of snapshots for it
 * @epoll: all that is waited for
 * @timer: for whatever is due
 * @signal: SIGINT, SIGTERM, SIGHUP
 * @sample_ns: raw time when the clocks are to be read
 * @socket_ns: raw time when the socket is to be emptied
 * @device_ns: raw time when the kernel is told of the NIC
 * @drift_ns: raw time when the drift is written
 * @line_ns: raw time when the output is told again, as the slewed correction turns or what
 *	it was told goes stale
 * @epoch: of the common time that was said last; 0: none was
 * @chance: state, for loss
 * @ready: the service manager was told
 * @failing: the output failed the last time
 * @stop: end
 */
struct engine {
	struct engine_options	options;
	struct huygens_conf	conf;
	union conf_address	*local;
	size_t			n_local;
	struct mesh_socket	socket;
	struct local_clock	clock;
	struct suspend		suspend;
	struct vmclock		vmclock;
	struct device		device;
	const struct conf_link	*link;
	struct mesh		mesh;
	struct output		*output;
	struct report		report;
	struct control		*control;
	struct status_source	source;
	int			epoll;
	int			timer;
	int			signal;
	int64_t			sample_ns;
	int64_t			socket_ns;
	int64_t			device_ns;
	int64_t			drift_ns;
	int64_t			line_ns;
	uint32_t		epoch;
	uint64_t		chance;
	bool			ready;
	bool			failing;
	bool			stop;
	struct socket_packet	packet[SOCKET_BATCH];
	struct socket_stamp	stamp[SOCKET_BATCH];
};

static struct mesh_now engine_now(const struct engine *engine)
{
	struct clock_line line = clock_line(&engine->clock);

	return (struct mesh_now){ .raw_ns = line.raw_ns,
				  .local_ns = line.local_ns };
}

static int64_t engine_read(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * ENGINE_NS + ts.tv_nsec;
}

static bool engine_publishes_device(const struct engine *engine)
{
	return engine->clock.hardware &&
	       engine->conf.mode == CONF_MODE_PUBLISH;
}

/* --- what the mesh wants done --- */

static int engine_send(void *data, uint32_t to, const void *bytes, size_t len)
{
	struct engine *engine = data;

	return socket_send(&engine->socket,
			   &engine->mesh.membership.host[to].address, bytes, len);
}

static int engine_probe(void *data, uint32_t to, const void *bytes, size_t len,
			uint32_t *key, int64_t *left_ns)
{
	struct engine *engine = data;

	*left_ns = engine_read(CLOCK_REALTIME);
	if (!socket_send_stamped(&engine->socket,
				 &engine->mesh.membership.host[to].address, bytes,
				 len, key))
		return 0;
	socket_renumber(&engine->socket);
	return -1;
}

/* The clock decides, but a clock that stands still does not hold us up. */
static void engine_space(void *data, int64_t ns)
{
	int64_t end = engine_read(CLOCK_MONOTONIC) + ns;
	int turns;
	(void)data;

	for (turns = 0; turns < ENGINE_TURNS; turns++)
		if (engine_read(CLOCK_MONOTONIC) >= end)
			return;
}

/*
 * The kernel's lines are void by its own account if it was suspended; by one that
 * the hypervisor stopped it does not know.
 */
static bool engine_wake(struct engine *engine)
{
	int64_t asleep_ns = suspend_sample(&engine->suspend), shift_ns;
	bool disrupted = vmclock_sample(&engine->vmclock);
	struct mesh_now now;
	int unread;

	if (!asleep_ns && !disrupted)
		return false;
	unread = clock_wake(&engine->clock, asleep_ns, &shift_ns);
	now = engine_now(engine);
	if (asleep_ns)
		log_message(LOG_LEVEL_WARNING,
			    "the machine was suspended for %.3f s: synchronisation starts over",
			    (double)asleep_ns / ENGINE_NS);
	else
		log_message(LOG_LEVEL_WARNING,
			    "the virtual machine was paused or migrated: synchronisation starts over");
	if (engine->clock.hardware)
		device_stepped(&engine->device);
	mesh_wake(&engine->mesh, &now, shift_ns);
	if (unread)
		mesh_fall_back(&engine->mesh, &now, ENGINE_UNREAD);
	return true;
}

static bool engine_sample(struct engine *engine)
{
	struct mesh_now now;

	if (engine_wake(engine))
		return true;
	if (!clock_sample(&engine->clock))
		return false;
	now = engine_now(engine);
	engine->mesh.count.clock_steps++;
	mesh_invalidate(&engine->mesh, &now, 0);
	return true;
}

static bool engine_utc(void *data, struct line *line)
{
	struct engine *engine = data;

	engine_sample(engine);
	return clock_utc(&engine->clock, line);
}

static int64_t engine_tx(const struct engine *engine, int64_t local_ns)
{
	return local_ns + (engine->link ? engine->link->tx_comp_ns :
					  engine->conf.tx_comp_ns);
}

static void engine_withdraw(struct engine *engine)
{
	engine->line_ns = INT64_MAX;
	output_lost(engine->output);
}

/*
 * How long a line may be used: a slew not long beyond its end, or a daemon that
 * dies would leave a line behind that runs away.
 */
static int64_t engine_valid_ns(const struct engine *engine, int64_t until_ns,
			       int64_t now_ns)
{
	int64_t valid_ns = engine->conf.valid_ns;

	if (until_ns - now_ns >= valid_ns - valid_ns / 3)
		return valid_ns;
	return until_ns - now_ns + valid_ns / 3;
}

/* How fast the bound grows while a line is used that nobody renews. */
static int64_t engine_skew_ppb(const struct slew *slew, int64_t now_ns,
			       int64_t valid_ns, const struct clock_line *clock)
{
	double grown_ns = slew_stale_ns(slew, now_ns, now_ns + valid_ns) -
			  slew_stale_ns(slew, now_ns, now_ns);

	return line_round(ceil((fmax(grown_ns, 0) / (double)valid_ns +
				clock->skew) * ENGINE_NS));
}

static int64_t engine_socket_ns(const struct engine *engine)
{
	int64_t pairs_ns = engine->mesh.prober.interval_ns;

	return pairs_ns < ENGINE_SOCKET_NS ? pairs_ns : ENGINE_SOCKET_NS;
}

/* The slewed correction as a line over raw time, from now on. */
static void engine_line(void *data)
{
	struct engine *engine = data;
	const struct host_clock *host_clock = &engine->mesh.host_clock;
	struct output_line line;
	struct clock_line clock;
	struct slew_value slew;
	int64_t valid_ns;
	char why[256];

	/* A line of before would be told as one of today. */
	engine_wake(engine);
	clock = clock_line(&engine->clock);
	if (!host_clock_is_valid(host_clock)) {
		engine_withdraw(engine);
		return;
	}
	slew = slew_at(&host_clock->slew, clock.local_ns);
	/* A published line expires, in holdover too. */
	engine->line_ns = clock.raw_ns + engine->conf.valid_ns / 3;
	if (slew.until_ns - clock.local_ns < engine->conf.valid_ns / 3)
		engine->line_ns = clock.raw_ns +
				  (slew.until_ns - clock.local_ns);
	valid_ns = engine_valid_ns(engine, slew.until_ns, clock.local_ns);
	line = (struct output_line){
		.raw_ns = clock.raw_ns,
		.common_ns = clock.local_ns + slew.x_ns,
		.drift = (1 + clock.drift) * (1 + slew.drift_ppb / 1e9) - 1,
		.slew = (slew.drift_ppb - host_clock->slew.line.drift_ppb) / 1e9,
		.error_ns = line_round(slew.bound_ns) + clock.error_ns + 1,
		.skew_ppb = engine_skew_ppb(&host_clock->slew, clock.local_ns,
					    valid_ns, &clock),
		.valid_ns = valid_ns,
		.epoch = wire_timeline(host_clock->timeline),
		.updates = host_clock->state.updates,
	};
	if (!output_line(engine->output, &line, why, sizeof(why))) {
		engine->failing = false;
	} else if (!engine->failing) {
		engine->failing = true;
		log_message(LOG_LEVEL_WARNING, "%s", why);
	}
}

static void engine_report(struct engine *engine, struct status *status)
{
	struct report_output output = { .remaining_ns = STATUS_UNKNOWN };
	struct mesh_now now = engine_now(engine);
	struct output_stats stats;

	output_stats(engine->output, &stats);
	output.lines = stats.lines;
	output.failed = stats.failed;
	output.steps = stats.steps;
	output.withdrawn = stats.withdrawn;
	if (engine->conf.mode == CONF_MODE_STEER ||
	    engine->conf.mode == CONF_MODE_SOCK)
		output.remaining_ns = stats.remaining_ns;
	report_fill(&engine->report, &engine->mesh, &now, &output, status);
}

static void engine_fill(struct status *status, void *data)
{
	engine_report(data, status);
}

/*
 * The window's middle by raw time, and the common time that it alone gives: none
 * if it was not taken.
 */
static void engine_middle(const struct engine *engine,
			  struct status_tracking *tracking)
{
	const struct host_clock *host_clock = &engine->mesh.host_clock;
	struct clock_line line = clock_line(&engine->clock);
	double back_ns = (double)(line.local_ns - host_clock->at_ns);

	tracking->middle_raw_ns = STATUS_UNKNOWN;
	tracking->middle_ns = STATUS_UNKNOWN;
	if (!host_clock->taken)
		return;
	tracking->middle_raw_ns = line.raw_ns -
				  line_round(back_ns / (1 + line.drift));
	tracking->middle_ns = host_clock->at_ns + host_clock->offset_ns;
}

/* By the number that onrampctl shows: a common time that begins is no trouble, but another is. */
static void engine_log_epoch(struct engine *engine)
{
	uint32_t before = engine->epoch, timeline = engine->mesh.host_clock.timeline;

	if (!timeline || wire_timeline(timeline) == before)
		return;
	engine->epoch = wire_timeline(timeline);
	if (before)
		log_message(LOG_LEVEL_WARNING,
			    "new common time: epoch %u replaces %u; times of different epochs cannot be compared",
			    engine->epoch, before);
	else
		log_message(LOG_LEVEL_INFO, "common time of epoch %u", engine->epoch);
}

static void engine_solved(void *data)
{
	struct engine *engine = data;
	const struct mesh *mesh = &engine->mesh;
	int64_t at_ns = plan_middle(&mesh->plan, mesh->host_clock.window);
	struct status status = { 0 };

	engine_log_epoch(engine);
	report_window(&engine->report, mesh);
	engine_report(engine, &status);
	engine_middle(engine, &status.tracking);
	log_files_window(at_ns + slew_at(&mesh->host_clock.slew, at_ns).x_ns, &status);
	notify_status("%s, offset %lld ns, error %lld ns",
		      status.tracking.state,
		      (long long)status.tracking.offset_ns,
		      (long long)status.tracking.error_ns);
	if (!engine->ready && engine->mesh.host_clock.state.phase == STATE_LOCKED) {
		engine->ready = true;
		log_message(LOG_LEVEL_INFO, "locked, error bound %lld ns",
			    (long long)status.tracking.error_ns);
	}
}

static void engine_drop_nic(void *data, const char *why)
{
	struct engine *engine = data;

	if (engine_publishes_device(engine))
		device_forget(&engine->device, engine->clock.nic.ifindex);
	clock_fall_back(&engine->clock);
	log_message(LOG_LEVEL_WARNING, "%s %s: changing to software timestamps",
		    engine->clock.nic.link, why);
	if (engine->socket.foreign)
		log_message(LOG_LEVEL_WARNING,
			    "timestamps come from the device with index %u, which has another clock",
			    engine->socket.foreign);
}

static int64_t engine_handed(void *data, int64_t left_ns)
{
	struct engine *engine = data;

	if (engine_sample(engine))
		return WIRE_NO_TIME;
	return engine_tx(engine, clock_of_soft(&engine->clock, left_ns));
}

static void engine_driver(void *data, bool stamps)
{
	(void)data;
	if (stamps)
		log_message(LOG_LEVEL_INFO,
			    "the driver takes software timestamps of sent packets");
	else
		log_message(LOG_LEVEL_WARNING,
			    "the driver does not timestamp sent packets: Tx timestamps are taken some us early, when the kernel receives the probe");
}

static void engine_behind(void *data, int64_t ns)
{
	(void)data;
	log_message(LOG_LEVEL_WARNING,
		    "the clocks of most hosts are suddenly %.3f s ahead, as after a pause of this machine: synchronisation starts over",
		    (double)ns / ENGINE_NS);
}

static const struct mesh_ops engine_ops = {
	.transport = { .send = engine_send, .probe = engine_probe },
	.space = engine_space,
	.utc = engine_utc,
	.line = engine_line,
	.solved = engine_solved,
	.fall_back = engine_drop_nic,
	.handed = engine_handed,
	.driver = engine_driver,
	.behind = engine_behind,
};

/* --- stamps and datagrams --- */

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

static void engine_stamps(struct engine *engine)
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

	if (engine->clock.hardware) {
		if (packet->hard == SOCKET_NO_STAMP)
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
	return engine->options.loss_ppm &&
	       (int64_t)(prng_next(&engine->chance) % ENGINE_MILLION) <
		       engine->options.loss_ppm;
}

static void engine_packets(struct engine *engine)
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

/* --- what is due --- */

static void engine_sample_all(struct engine *engine)
{
	struct mesh_now before, after;
	int stepped;

	if (!engine->clock.hardware) {
		engine_sample(engine);
		return;
	}
	if (engine_wake(engine))
		return;
	before = engine_now(engine);
	stepped = clock_sample_nic(&engine->clock);
	if (!stepped)
		return;
	after = engine_now(engine);
	if (stepped < 0) {
		mesh_fall_back(&engine->mesh, &after, ENGINE_UNREAD);
		return;
	}
	device_stepped(&engine->device);
	log_message(LOG_LEVEL_WARNING, "the clock of %s was stepped",
		    engine->clock.nic.link);
	mesh_invalidate(&engine->mesh, &after,
			after.local_ns - before.local_ns -
			(after.raw_ns - before.raw_ns));
}

static void engine_write_drift(struct engine *engine)
{
	const struct kalman *kalman = &engine->mesh.host_clock.kalman;

	if (engine->clock.hardware || !host_clock_is_valid(&engine->mesh.host_clock))
		return;
	drift_writer_put(kalman->line.drift_ppb / 1e3,
			 sqrt(fmax(kalman->var_drift, 0)) / 1e3);
}

/* Do what is due; returns raw time of what is due next. */
static int64_t engine_due(struct engine *engine)
{
	struct mesh_now now = engine_now(engine);
	int64_t next_ns;

	if (engine->sample_ns <= now.raw_ns) {
		engine->sample_ns = now.raw_ns + ENGINE_SAMPLE_NS;
		engine_sample_all(engine);
		now = engine_now(engine);
	}
	if (engine->socket_ns <= now.raw_ns) {
		engine->socket_ns = now.raw_ns + engine_socket_ns(engine);
		/* Stamps first: data may bring the next turn of a pair. */
		engine_stamps(engine);
		engine_packets(engine);
		now = engine_now(engine);
	}
	next_ns = mesh_run(&engine->mesh, &now);
	if (engine->line_ns <= now.raw_ns)
		engine_line(engine);
	if (engine->device_ns <= now.raw_ns) {
		engine->device_ns = now.raw_ns + ENGINE_DEVICE_NS;
		if (engine_publishes_device(engine))
			device_publish(&engine->device, &engine->clock,
				       engine->conf.valid_ns);
	}
	if (engine->drift_ns <= now.raw_ns) {
		engine->drift_ns = now.raw_ns + ENGINE_DRIFT_NS;
		engine_write_drift(engine);
	}
	if (engine->sample_ns < next_ns)
		next_ns = engine->sample_ns;
	if (engine->socket_ns < next_ns)
		next_ns = engine->socket_ns;
	return engine->line_ns < next_ns ? engine->line_ns : next_ns;
}

static void engine_set_timer(struct engine *engine, int64_t next_ns)
{
	int64_t left_ns = next_ns - engine_read(CLOCK_MONOTONIC_RAW);
	struct itimerspec at = { 0 };

	if (left_ns < 1)
		left_ns = 1;
	at.it_value.tv_sec = left_ns / ENGINE_NS;
	at.it_value.tv_nsec = left_ns % ENGINE_NS;
	timerfd_settime(engine->timer, 0, &at, NULL);
}

static void engine_reload(struct engine *engine)
{
	struct conf_error error;
	char why[256];

	notify_reloading();
	if (conf_reload(&engine->conf, engine->options.path, engine->local,
			engine->n_local, mesh_check, &error)) {
		log_message(LOG_LEVEL_ERROR, "configuration not reloaded: %s", error.text);
	} else {
		mesh_reload(&engine->mesh, &engine->conf);
		output_reload(engine->output, &engine->conf);
		log_message(LOG_LEVEL_INFO, "reloaded %s", engine->options.path);
	}
	if (log_files_open(&engine->conf, why, sizeof(why)))
		log_message(LOG_LEVEL_WARNING, "%s", why);
	notify_ready();
}

static void engine_signal(struct engine *engine)
{
	struct signalfd_siginfo info;

	while (read(engine->signal, &info, sizeof(info)) == sizeof(info)) {
		if (info.ssi_signo == SIGHUP)
			engine_reload(engine);
		else
			engine->stop = true;
	}
}

static void engine_serve(struct engine *engine, enum engine_source source)
{
	uint64_t times;

	switch (source) {
	case ENGINE_TIMER:
		if (read(engine->timer, &times, sizeof(times)) < 0)
			break;
		break;
	case ENGINE_SIGNAL:
		engine_signal(engine);
		break;
	case ENGINE_CONTROL:
		control_work(engine->control);
		break;
	default:
		output_work(engine->output);
		break;
	}
}

int engine_run(struct engine *engine)
{
	struct epoll_event events[ENGINE_SOURCES];
	int count, i;

	notify_ready();
	while (!engine->stop) {
		engine_set_timer(engine, engine_due(engine));
		count = epoll_wait(engine->epoll, events, ENGINE_SOURCES, -1);
		if (count < 0 && errno != EINTR) {
			log_message(LOG_LEVEL_ERROR, "epoll: %s", strerror(errno));
			return 1;
		}
		for (i = 0; i < count; i++)
			engine_serve(engine, events[i].data.u32);
	}
	notify_stopping();
	engine_write_drift(engine);
	drift_writer_end();
	return 0;
}

/* --- beginning and end --- */

static int engine_watch(struct engine *engine, int fd, enum engine_source source)
{
	struct epoll_event event = { .events = EPOLLIN, .data.u32 = source };

	return fd < 0 ? 0 : epoll_ctl(engine->epoll, EPOLL_CTL_ADD, fd, &event);
}

static int engine_open_events(struct engine *engine, char *why, size_t size)
{
	sigset_t signals;

	sigemptyset(&signals);
	sigaddset(&signals, SIGINT);
	sigaddset(&signals, SIGTERM);
	sigaddset(&signals, SIGHUP);
	sigprocmask(SIG_BLOCK, &signals, NULL);
	signal(SIGPIPE, SIG_IGN);
	engine->signal = signalfd(-1, &signals, SFD_NONBLOCK | SFD_CLOEXEC);
	engine->timer = timerfd_create(CLOCK_MONOTONIC,
				       TFD_NONBLOCK | TFD_CLOEXEC);
	engine->epoll = epoll_create1(EPOLL_CLOEXEC);
	if (engine->signal >= 0 && engine->timer >= 0 && engine->epoll >= 0 &&
	    !engine_watch(engine, engine->timer, ENGINE_TIMER) &&
	    !engine_watch(engine, engine->signal, ENGINE_SIGNAL) &&
	    !engine_watch(engine, control_fd(engine->control), ENGINE_CONTROL) &&
	    !engine_watch(engine, output_fd(engine->output), ENGINE_OUTPUT))
		return 0;
	snprintf(why, size, "cannot create event loop: %s", strerror(errno));
	return -1;
}

static int engine_open_conf(struct engine *engine, char *why, size_t size)
{
	struct conf_error error;

	engine->n_local = conf_local(&engine->local);
	if (!conf_read(&engine->conf, engine->options.path, &error) &&
	    !conf_identify(&engine->conf, engine->local, engine->n_local,
			   &error) &&
	    !mesh_check(&engine->conf, engine->options.path, &error))
		return 0;
	snprintf(why, size, "%s", error.text);
	return -1;
}

/* Return: 1: the NIC stamps; 0: software; -1: hardware was asked for in vain. */
static int engine_open_nic(struct engine *engine, struct nic *nic, char *why,
			   size_t size)
{
	const struct huygens_conf *conf = &engine->conf;
	char link[IF_NAMESIZE];
	size_t i;

	if (conf->timestamping == CONF_STAMPS_SOFTWARE)
		return 0;
	snprintf(why, size, "no device has this host's address");
	for (i = 0; i < conf->n_links; i++)
		if (!nic_open(nic, conf->links[i].name, why, size))
			return 1;
	if (!conf->n_links &&
	    !nic_find(&conf->peers[conf->self].address, link) &&
	    !nic_open(nic, link, why, size))
		return 1;
	return conf->timestamping == CONF_STAMPS_AUTO ? 0 : -1;
}

/* The device, among those with values of their own, that will stamp. */
static const struct conf_link *engine_link(const struct engine *engine)
{
	const struct huygens_conf *conf = &engine->conf;
	char link[IF_NAMESIZE];
	size_t i;

	if (engine->clock.hardware)
		memcpy(link, engine->clock.nic.link, sizeof(link));
	else if (nic_find(&conf->peers[conf->self].address, link))
		return NULL;
	for (i = 0; i < conf->n_links; i++)
		if (!strcmp(conf->links[i].name, link))
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
	/* The clock's, as soon as that begins. */
	if (socket_open(&engine->socket, &self->address, engine->conf.dscp,
			hardware ? &engine->clock.nic : NULL, why, size)) {
		if (hardware)
			nic_close(&nic);
		return -1;
	}
	if (*engine->socket.vrf)
		log_message(LOG_LEVEL_INFO, "this host's address is in VRF %s",
			    engine->socket.vrf);
	engine_open_vmclock(engine);
	suspend_sample(&engine->suspend);
	clock_begin(&engine->clock, hardware ? &nic : NULL,
		    &engine->options.debug);
	device_begin(&engine->device);
	engine->link = engine_link(engine);
	return 0;
}

static int engine_make_mesh(struct engine *engine, char *why, size_t size)
{
	struct auth_keys keys;
	struct mesh_begin begin = {
		.conf = &engine->conf,
		.keys = &keys,
		.session = (uint32_t)time(NULL),
		.hardware = engine->clock.hardware,
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
	engine->output = output_open(&engine->conf, why, size);
	if (!engine->output)
		return -1;
	engine->source = (struct status_source){ engine_fill, engine };
	engine->control = control_open(engine->conf.control, "huygens-lite",
				       status_answer, &engine->source, why, size);
	if (!engine->control)
		return -1;
	notify_open();
	if (engine_open_events(engine, why, size) ||
	    rights_drop(&engine->conf, engine->clock.hardware, why, size) ||
	    drift_writer_begin(engine->conf.drift_file, why, size) ||
	    rights_confine(&engine->conf, why, size))
		return -1;
	log_message(LOG_LEVEL_INFO, "host %u of %zu, %u neighbours, %s timestamps",
		    engine->conf.peers[engine->conf.self].id, engine->conf.n_peers,
		    engine->mesh.membership.neighbours,
		    engine->clock.hardware ? "hardware" : "software");
	return 0;
}

int engine_check(const struct engine_options *options, char *why, size_t size)
{
	struct engine *engine = calloc(1, sizeof(*engine));
	struct auth_keys keys;
	int ret;

	if (!engine) {
		snprintf(why, size, "no memory");
		return -1;
	}
	engine->options = *options;
	/* The unit's daemon is its user when it reads keys. */
	ret = engine_open_conf(engine, why, size) ||
	      (*engine->conf.key_file && rights_test(&engine->conf, why, size)) ||
	      keyfile_read(&keys, engine->conf.key_file, engine->conf.user, why, size) ?
	      -1 : 0;
	explicit_bzero(&keys, sizeof(keys));
	conf_free(&engine->conf);
	free(engine->local);
	free(engine);
	return ret;
}

struct engine *engine_open(const struct engine_options *options, char *why,
			   size_t size)
{
	struct engine *engine = calloc(1, sizeof(*engine));

	if (!engine) {
		snprintf(why, size, "no memory");
		return NULL;
	}
	engine->options = *options;
	engine->socket.fd = -1;
	engine->clock.nic.fd = -1;
	engine->vmclock.fd = -1;
	engine->epoll = -1;
	engine->timer = -1;
	engine->signal = -1;
	if (!engine_open_all(engine, why, size))
		return engine;
	engine_close(engine);
	return NULL;
}

static void engine_close_fd(int fd)
{
	if (fd >= 0)
		close(fd);
}

void engine_close(struct engine *engine)
{
	if (!engine)
		return;
	if (engine->output && engine_publishes_device(engine))
		device_forget(&engine->device, engine->clock.nic.ifindex);
	output_close(engine->output);
	control_close(engine->control);
	drift_writer_end();
	log_files_close();
	engine_close_fd(engine->epoll);
	engine_close_fd(engine->timer);
	engine_close_fd(engine->signal);
	report_free(&engine->report);
	mesh_free(&engine->mesh);
	socket_close(&engine->socket);
	nic_close(&engine->clock.nic);
	vmclock_close(&engine->vmclock);
	conf_free(&engine->conf);
	free(engine->local);
	free(engine);
}
