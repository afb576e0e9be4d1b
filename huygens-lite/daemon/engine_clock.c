// SPDX-License-Identifier: GPL-2.0
/*
 * Clocks of the daemon: reading them, and publishing the line of the common time.
 */
#include <math.h>
#include <string.h>
#include <time.h>

#include "../../lib/log.h"
#include "engine_private.h"

/* Windows without UTC after which it is lost: a report that is lost is none. */
#define ENGINE_UTC_WINDOWS	5
/* Part of a message about a NIC. */
#define ENGINE_UNREAD		"has a clock that cannot be read"

struct mesh_now engine_now(const struct engine *engine)
{
	struct clock_line line = clock_line(&engine->clock);

	return (struct mesh_now){ .raw_ns = line.raw_ns,
				  .local_ns = line.local_ns };
}

int64_t engine_read(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * ENGINE_NS + ts.tv_nsec;
}

bool engine_publishes_device(const struct engine *engine)
{
	return engine->clock.hardware &&
	       engine->conf.mode == CONF_MODE_PUBLISH;
}

/* Clients of ClockBound look at this device themselves, and compare. */
void engine_disruption(struct engine *engine)
{
	if (engine->vmclock.fd >= 0 && !strcmp(engine->conf.vmclock, CONF_VMCLOCK))
		output_disruption(engine->output, engine->vmclock.marker);
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
	utc_clock_forget(&engine->utc_clock);
	upper_clock_forget(&engine->upper);
	mesh_wake(&engine->mesh, &now, shift_ns);
	engine_disruption(engine);
	if (unread)
		mesh_fall_back(&engine->mesh, &now, ENGINE_UNREAD);
	return true;
}

bool engine_sample(struct engine *engine)
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

static void engine_sample_card(struct engine *engine)
{
	struct mesh_now before, after;
	int stepped;

	if (!clock_has_nic(&engine->clock)) {
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
	if (engine->clock.hardware)
		device_stepped(&engine->device);
	log_message(LOG_LEVEL_WARNING, "the clock of %s was stepped",
		    engine->clock.nic.link);
	mesh_invalidate(&engine->mesh, &after,
			after.local_ns - before.local_ns -
			(after.raw_ns - before.raw_ns));
}

void engine_sample_all(struct engine *engine)
{
	engine_sample_card(engine);
	engine_sample_phc(engine);
	engine_sample_upper(engine);
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

/* Return: true if errors grow, as no solution arrives, or none with UTC or the upper mesh. */
static bool engine_holds_over(const struct engine *engine, int64_t now_ns)
{
	const struct host_clock *host_clock = &engine->mesh.host_clock;
	int64_t old_ns = now_ns - ENGINE_UTC_WINDOWS * engine->conf.window_ns;

	return host_clock->state.phase == STATE_HOLDOVER ||
	       (host_clock->has_utc && host_clock->utc_at_ns < old_ns) ||
	       (host_clock->upper && host_clock->upper_at_ns < old_ns);
}

/* The slewed correction as a line over raw time, from now on. */
void engine_line(void *data)
{
	struct engine *engine = data;
	const struct host_clock *host_clock = &engine->mesh.host_clock;
	struct output_line line;
	struct clock_line clock;
	struct slew_value slew;
	int64_t valid_ns;
	double utc_ns, upper_ns;
	char why[256];

	/* An older line would be published as a current one. */
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
	utc_ns = host_clock_utc_error(host_clock, clock.local_ns);
	upper_ns = host_clock_upper_error(host_clock, clock.local_ns);
	line = (struct output_line){
		.raw_ns = clock.raw_ns,
		.common_ns = clock.local_ns + slew.x_ns,
		.drift = (1 + clock.drift) * (1 + slew.drift_ppb / 1e9) - 1,
		.slew = (slew.drift_ppb - host_clock->slew.line.drift_ppb) / 1e9,
		.error_ns = line_round(slew.bound_ns) + clock.error_ns + 1,
		.asymmetry_ns = line_round(ceil(host_clock->asymmetry_ns)),
		.utc_error_ns = isfinite(utc_ns) ? line_round(ceil(utc_ns)) : -1,
		.upper = host_clock->upper,
		.upper_error_ns = host_clock->upper ? line_round(ceil(upper_ns)) : 0,
		.utc_skew_ppb = line_round(ceil(host_clock_utc_growth(host_clock))),
		.holdover = engine_holds_over(engine, clock.local_ns),
		.skew_ppb = engine_skew_ppb(&host_clock->slew, clock.local_ns,
					    valid_ns, &clock),
		.valid_ns = valid_ns,
		.epoch = wire_timeline(host_clock->timeline),
		.leap = host_clock->leap,
		.updates = host_clock->state.updates,
	};
	if (!output_line(engine->output, &line, why, sizeof(why))) {
		engine->failing = false;
	} else if (!engine->failing) {
		engine->failing = true;
		log_message(LOG_LEVEL_WARNING, "%s", why);
	}
}
